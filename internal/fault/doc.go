// Package fault has the reasons of all errors, and the detail of one case. It must not know
// the error type that callers see: the root package declares it, and sets Make.
//
// Example: the Detail "3 bytes, exactly 4" with the reason ErrLength is the text
// "3 bytes, exactly 4: length not allowed".
package fault
