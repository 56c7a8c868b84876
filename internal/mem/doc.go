// Package mem copies a few bytes by words that may overlap, where the caller knows that
// there is room.
//
// It knows no schema. A text of 5 bytes is copied as two words of 4: bytes 0 to 3, and
// bytes 1 to 4.
package mem
