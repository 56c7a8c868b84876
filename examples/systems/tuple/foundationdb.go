package tuple

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/hbase-rowkey/rowkey"
)

var errTuple = errors.New("no element of a tuple")

// FDBText is a text, or bytes, as an element of FoundationDB's tuples: the code, 00
// written as 00ff, and 00 at the end.
type FDBText struct {
	Bytes bool // code 01, else 02
}

func (t FDBText) code() byte {
	if t.Bytes {
		return 0x01
	}
	return 0x02
}

// Append writes the element.
func (t FDBText) Append(dst, value []byte) ([]byte, error) {
	dst = append(dst, t.code())
	for _, b := range value {
		if dst = append(dst, b); b == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0), nil
}

// Invert reads it.
func (t FDBText) Invert(dst, stored []byte) ([]byte, error) {
	if n, err := t.Len(stored); err != nil || n != len(stored) {
		return dst, errTuple
	}
	return append(dst, bytes.ReplaceAll(stored[1:len(stored)-1], []byte{0, 0xff}, []byte{0})...), nil
}

// Len ends it at a 00 that no ff follows.
func (t FDBText) Len(b []byte) (int, error) {
	if len(b) == 0 || b[0] != t.code() {
		return 0, errTuple
	}
	for i := 1; i < len(b); i++ {
		if b[i] == 0 && (i+1 == len(b) || b[i+1] != 0xff) {
			return i + 1, nil
		}
	}
	return 0, errTuple
}

// Traits: in order, as long as no element begins with ff; but for the 00 at its end,
// an element begins as those of its beginnings do.
func (t FDBText) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Forward, NextBelow: 0xff, First: string([]byte{t.code()}), Prefixes: true, End: 1}
}

func (t FDBText) String() string {
	if t.Bytes {
		return "fdb-bytes"
	}
	return "fdb-text"
}

// FDBInt is an integer as an element of FoundationDB's tuples, on an Int of 8
// bytes: 14 and the number of its bytes, less for negative ones, whose bytes are
// inverted.
type FDBInt struct{}

// Append writes the element.
func (FDBInt) Append(dst, value []byte) ([]byte, error) {
	if len(value) != 8 {
		return dst, rowkey.ErrLength
	}
	n := int64(binary.BigEndian.Uint64(value) ^ 1<<63) // an Int's sign bit is flipped
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	size := 0
	for u>>(8*size) != 0 && size < 8 {
		size++
	}
	if n < 0 {
		dst, u = append(dst, 0x14-byte(size)), ^u
	} else {
		dst = append(dst, 0x14+byte(size))
	}
	return append(dst, binary.BigEndian.AppendUint64(nil, u)[8-size:]...), nil
}

// Invert reads it, if it is as short as it can be.
func (i FDBInt) Invert(dst, stored []byte) ([]byte, error) {
	if n, err := i.Len(stored); err != nil || n != len(stored) {
		return dst, errTuple
	}
	var u uint64
	for _, b := range stored[1:] {
		u = u<<8 | uint64(b)
	}
	if size := len(stored) - 1; stored[0] < 0x14 {
		u = -(^u & (1<<(8*size) - 1))
	}
	at := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, u^1<<63)
	if again, err := i.Append(nil, dst[at:]); err != nil || !bytes.Equal(again, stored) {
		return dst[:at], errTuple
	}
	return dst, nil
}

// Len is as the code says.
func (FDBInt) Len(b []byte) (int, error) {
	if len(b) == 0 || b[0] < 0x0c || b[0] > 0x1c {
		return 0, errTuple
	}
	size := int(b[0]) - 0x14
	if size = 1 + max(size, -size); size > len(b) {
		return 0, errTuple
	}
	return size, nil
}

// Traits: in order, and ended by its code.
func (FDBInt) Traits() rowkey.Traits {
	return rowkey.Traits{
		Order: rowkey.Forward, Delimited: true,
		First: "\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c",
	}
}

func (FDBInt) String() string { return "fdb-int" }

// FDBBool is a Bool as an element of FoundationDB's tuples: a code alone.
type FDBBool struct{}

// Append writes the element.
func (FDBBool) Append(dst, value []byte) ([]byte, error) {
	if len(value) != 1 || value[0] > 1 {
		return dst, rowkey.ErrLength
	}
	return append(dst, 0x26+value[0]), nil
}

// Invert reads it.
func (FDBBool) Invert(dst, stored []byte) ([]byte, error) {
	if len(stored) != 1 || stored[0]&^1 != 0x26 {
		return dst, errTuple
	}
	return append(dst, stored[0]-0x26), nil
}

// Traits: one byte, in order.
func (FDBBool) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Forward, Size: 1, First: "\x26\x27"}
}

func (FDBBool) String() string { return "fdb-bool" }

// FDB is a tuple of a text, an integer, a truth value, a double and a UUID.
// FoundationDB's doubles are ours, but that −0 is written as 0.
var FDB = rowkey.New("fdb").
	String("name", rowkey.Via(FDBText{})).
	Int("id", 8, rowkey.Via(FDBInt{})).
	Bool("on", rowkey.Via(FDBBool{})).
	Literal("\x21").Float("x", 8).
	Literal("\x30").Binary("uuid", rowkey.Fixed(16)).
	MustBuild()
