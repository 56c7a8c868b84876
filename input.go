package rowkey

import (
	"strconv"
	"strings"
)

// Input says what is hashed. An untyped string constant is one field by its
// value; the functions below say the rest.
type Input string

// Rest is the stored bytes of everything after the component.
const Rest Input = "rest()"

// Values is the fields' values, one after another: strings as they are,
// integers big-endian in their declared size, before any option has changed
// them. A time is 8 bytes of its units, whatever its width; with a Layout it is
// the text, with Layout and Width 8 bytes of the digits' number. A float is its
// IEEE bits, a bool 00 or 01, and a copy is the bytes it stands for in the key.
func Values(fields ...string) Input { return input("values", fields) }

// Stored is the bytes that stand in the key for these fields, padded,
// reversed, inverted as they are, without a separator. An end that a dialect
// gives them counts, even where nulls behind it leave it off.
func Stored(fields ...string) Input { return input("stored", fields) }

// Text is the values as text: integers and a time's units in decimal, as
// String.valueOf writes them, a bool as true or false.
func Text(fields ...string) Input { return input("text", fields) }

// MinMax is the values of two fields, the smaller first, so that (a,b) and
// (b,a) hash alike.
func MinMax(a, b string) Input { return input("minmax", []string{a, b}) }

// Format is text as String.format writes it; the verbs are %s, %d, %0Nd,
// %x and %X, and %% is a percent sign.
func Format(format string, fields ...string) Input {
	return input("format", append([]string{strconv.Quote(format)}, fields...))
}

func input(name string, args []string) Input {
	return Input(name + "(" + strings.Join(args, ",") + ")")
}
