// Package mem copies a few bytes as words that may overlap. The caller must know that there
// is room.
//
// It knows memory only. It must not know schemas.
//
// Example: a text of 5 bytes is copied as two words of 4, bytes 0 to 3 and bytes 1 to 4.
package mem
