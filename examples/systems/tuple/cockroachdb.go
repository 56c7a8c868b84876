package tuple

import (
	"bytes"
	"encoding/binary"

	"github.com/hbase-rowkey/rowkey"
)

// CRDBInt is an integer in a key of CockroachDB, on an Int of 8 bytes: up to 109
// one byte from 88 on, more after a byte that counts theirs; negative ones from 80
// to 87. After Desc it is CockroachDB's descending integer.
type CRDBInt struct{}

const (
	crdbZero  = 0x88
	crdbSmall = 109
	crdbWide  = crdbZero + crdbSmall // and the number of bytes
)

// Append writes the integer.
func (CRDBInt) Append(dst, value []byte) ([]byte, error) {
	if len(value) != 8 {
		return dst, rowkey.ErrLength
	}
	n := int64(binary.BigEndian.Uint64(value) ^ 1<<63) // an Int's sign bit is flipped
	if n >= 0 && n <= crdbSmall {
		return append(dst, crdbZero+byte(n)), nil
	}
	size, least := 1, uint64(n)
	if n < 0 {
		least = -least
	}
	for size < 8 && least>>(8*size) != 0 {
		size++
	}
	if n < 0 {
		dst = append(dst, crdbZero-byte(size))
	} else {
		dst = append(dst, crdbWide+byte(size))
	}
	return append(dst, binary.BigEndian.AppendUint64(nil, uint64(n))[8-size:]...), nil
}

// Invert reads it, if it is as short as it can be.
func (i CRDBInt) Invert(dst, stored []byte) ([]byte, error) {
	n, err := i.Len(stored)
	if err != nil || n != len(stored) {
		return dst, errTuple
	}
	var u uint64
	switch head := stored[0]; {
	case n == 1:
		u = uint64(head - crdbZero)
	default:
		if head < crdbZero { // ones before a negative number
			u = ^uint64(0)
		}
		for _, b := range stored[1:] {
			u = u<<8 | uint64(b)
		}
	}
	at := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, u^1<<63)
	if again, err := i.Append(nil, dst[at:]); err != nil || !bytes.Equal(again, stored) {
		return dst[:at], errTuple
	}
	return dst, nil
}

// Len is as the first byte says.
func (CRDBInt) Len(b []byte) (int, error) {
	if len(b) == 0 || b[0] < crdbZero-8 || b[0] > crdbWide+8 {
		return 0, errTuple
	}
	size := 1
	switch head := int(b[0]); {
	case head < crdbZero:
		size += crdbZero - head
	case head > crdbWide:
		size += head - crdbWide
	}
	if size > len(b) {
		return 0, errTuple
	}
	return size, nil
}

// Traits: in order, and ended by its first byte.
func (CRDBInt) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Forward, Delimited: true} }
func (CRDBInt) String() string        { return "crdb-int" }

// CRDB is the key of an index of table 53 over a text, an integer that descends,
// and bytes that descend. CockroachDB's escapes are Escaped, and Escaped, Desc.
var CRDB = rowkey.New("crdb").
	Literal("\xbd\x89"). // table 53, index 1
	Literal("\x12").String("name", rowkey.Escaped).
	Int("rank", 8, rowkey.Desc, rowkey.Via(CRDBInt{})).
	Literal("\x13").Binary("data", rowkey.Escaped, rowkey.Desc).
	MustBuild()
