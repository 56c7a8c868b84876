// Package form writes and reads the bytes of single values: one form, one file,
// with its wire format before it.
//
// It knows bytes and numbers. It must not know who uses them: no schema, no field,
// no option, no neighbour in a key. A writing function reports that it cannot write
// a value; its caller tells the reason. A reading function refuses all bytes that
// the writing function does not write. So each value has one form: 128 as a varint
// is 80 80, and c0 00 80 is refused.
//
// AppendX(dst, value) appends the form of the value. AppendX(dst, at) replaces the
// bytes dst[at:], which hold the value, by its form. XLen(b, flip) is the length of
// the form at the start of b, or −1 if no form starts there. flip is ff if the bytes
// of b are inverted (a form that sorts backward), else 00.
//
// A Shape (shape.go) says what holds for all forms of a field: their lengths, their
// bytes, their order. Each step of a field is a function from shape to shape, and
// stands in the file of the step's bytes.
package form

import (
	"math"
)

// MaxKey is the longest row key HBase takes: Short.MAX_VALUE.
const MaxKey = math.MaxInt16
