// Package write writes a key, value by value. KeyBuilder of the root package, AppendKey and
// the codecs all write through it.
//
// Each field has a step, which Build made. A step writes its value, then the constants that
// follow, and empty slots for salts, hashes and copies. A slot is filled as soon as the last
// value that it depends on is written, or from the finished bytes. Where a salt or copy varies in
// length, its slot has the length of a usual one, and what follows it moves. If that is not possible
// (beside fields that may be null, or a copy before its field that says itself where it ends), the schema gathers:
// the steps check the values and keep them one after another, and internal/layout writes the
// key from them at the end. Both ways give the same bytes: Rekey of a schema to itself uses
// the second way, and tests compare it with the first.
//
// It knows steps and forms. It must not know Go structs and queries.
//
// Read key.go first; hot.go is the fast way. Example: with [salt16(seller)][seller]['_'],
// the key begins with an empty byte; the step of "s-42" writes 73 2d 34 32 5f after it, and
// fills the byte: 0c.
package write
