// Package piece turns spans of one field's values into intervals of its stored forms,
// and says whether other values lie between.
//
// It knows how a field is stored: padding, separators, lengths, nulls, order, transforms of
// callers. It does not know what stands before the field, nor what a plan is.
//
// Read piece.go first. The texts ["ab", "ac") of a field that '_' ends are the forms
// that begin with 61 62; the numbers [1, 2] of a 2-byte field stored Desc are the forms
// from ff fd on up to what begins with ff fe.
package piece
