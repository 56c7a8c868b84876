// Package bind ties the fields of a Go struct to those of a schema, and moves values
// between a struct and a key.
//
// It knows Go types, by reflect, when a type is bound; afterwards it reads and writes memory
// at the offsets that it found. It writes the same bytes as the steps of internal/write:
// tests compare the two. It must not know queries and ranges.
//
// Read bind.go first; then field.go, how one Go type holds one field. write.go is the fast
// way, for structs all of whose fields have one; columns.go writes many structs of numbers.
// read.go stores the values that internal/walk reads.
//
// Example: of struct{ ID uint32 `rowkey:"id"`; At int64 `rowkey:"at,ms"` } bound to
// [id:4][ms(at)] each field is one load, one check and one store.
package bind
