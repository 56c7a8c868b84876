// Package tuple declares keys in two encodings of tuples that keep the order of
// their elements: the tuple layer of FoundationDB, and the keys of CockroachDB.
// Both write a byte of type before each element, end texts of any bytes in
// an escape, and write integers in as few bytes as they take.
//
//	FoundationDB   text "a\x00b"   02 61 00ff 62 00
//	               5, −1, 300      15 05    13 fe    16 012c
//	CockroachDB    text "a\x00b"   12 61 00ff 62 0001
//	               5, −1, 300      8d       87 ff    f7 012c
//
// The end of FoundationDB's text, a bare 00, is also the beginning of 00ff: of the
// rows of "a" those of "a\x00b" are a prefix's neighbours, and are left out since
// no element begins with ff. Build refuses one that might.
package tuple
