// Package write writes a key, value by value. The root package's KeyBuilder hands it
// every call; AppendKey and the codecs write by it too, so that there is one way.
//
// Each field is a step that Build made. A step writes its value, then what Build knows
// to follow: constants, and empty slots for salts, hashes and copies, which are filled
// as soon as their one input is there, or from the finished bytes. Where that cannot be
// (a hash of several fields, a slot behind a field of any length), the schema is
// gathered: the steps check the values and lay them down one after another, and
// internal/layout puts the key together at the end. Both ways give the same bytes:
// Rekey of a schema to itself goes the second way, and tests hold it against the first.
//
// It knows steps and forms. It knows no Go struct and no query.
//
// Read key.go first; hot.go is the fast way. With [salt16(seller)][seller]['_'] the step
// of "s-42" leaves a byte empty, writes 73 2d 34 32 5f behind it, and fills the byte: 0c.
package write
