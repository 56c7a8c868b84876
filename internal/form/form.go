// Package form writes and reads the bytes of single values: one form, one file,
// with its wire format in front of it.
//
// It knows bytes and numbers. It must not know who has them: no schema, no field,
// no option, no neighbour in a key. A function that cannot write a value says so,
// and why is its caller's to tell; a function that reads refuses whatever its
// twin does not write, so that what is read is written back as the same bytes.
//
// AppendX appends; where it takes a place at, it changes the bytes dst[at:] that
// stand there already. XLen is the length of the form at the head of some bytes,
// −1 if there is none: flip, 00 or ff, is what each of these bytes is XORed with
// in a form that sorts backward.
//
// What is known of all forms of a value, without looking at one, is a Shape: see
// shape.go. Each step of a field says there what it makes of the shape before it.
package form

import (
	"math"
)

// MaxKey is the longest row key HBase takes: Short.MAX_VALUE.
const MaxKey = math.MaxInt16
