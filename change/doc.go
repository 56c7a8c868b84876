// Package change reads and changes tables whose rows were written with more than one
// layout of their keys. It knows no client: package hbase does what it decides.
//
// # A table that lives on while its layout changes
//
// A change from one layout to another goes through six phases, in which every row is
// written to two places, the old table and the new one, or to both layouts in one
// table. Clients learn the phase; nobody enters the next one before everybody has
// confirmed this one.
//
//	phase      puts           deletes        reads  what the tool does
//	old        old            old            old    creates the new table
//	prepare    old            new, then old  old    –
//	write-both new, then old  new, then old  old    moves old to new, and verifies
//	read-new   old, then new  old, then new  new    to go back from keep: moves new to old, and verifies
//	keep       new            old, then new  new    stays, as long as a return may be wanted
//	new        new            new            new    drops old
//
// The place that is read is written last. Each operation has one timestamp (Clock), the
// same at both places and when it is tried again, and is acknowledged after its last
// write. What is moved keeps its timestamps.
//
// The promise: a read that begins after a put or a delete was acknowledged gives that
// row exactly once, in that state or a later one, in every phase, whoever crashes and
// whatever is compacted, as long as tombstones are kept longer than the change takes. An
// operation that was not acknowledged may be seen by some readers and not by others,
// and may vanish or appear, until it is tried again or verifying finishes it.
//
// State says which phase may follow, and what has to be done before.
//
// # Tables that were never moved
//
// A table a day, and keys that begin with the literal of their version, are read
// together for ever: no row of theirs is ever in two of them. Generations are their
// schemas, the oldest first; Generations.Scan plans a query over all, and Merge reads
// it, in one order wherever that is possible without holding rows back.
package change
