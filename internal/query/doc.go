// Package query turns conditions into what they leave of one field: spans of numbers,
// in the order of the field's values, or spans of texts.
//
// It knows what values a field has. It does not know how they are stored, nor what
// stands beside the field.
//
// Read constraint.go first. Of an 8-byte unsigned field, MoreThan(7) and NotEq(9) leave
// [8, 8] and [10, 18446744073709551615]; of a text, Prefix("ab") leaves ["ab", "ac").
package query
