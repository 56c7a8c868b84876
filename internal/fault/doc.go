// Package fault has the reasons of all errors, and the detail of one case. It must not know
// the error type that callers see: the root package declares it, and sets Make. An alias of a type of here would hide
// that type's fields and methods from the root's page.
//
// Example: the Detail "3 bytes, exactly 4" with the reason ErrLength is the text
// "3 bytes, exactly 4: length not allowed".
package fault
