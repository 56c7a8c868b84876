// Package pinpoint declares row keys of Pinpoint 3.0, among them that of a trace:
//
//	[salt, 1 byte][agent, filled with 00 to 24][start, 8][sequence, 8]
//
// The salt is (h & 0x7fffffff) % n of the 31-hash of a part of the key after it:
// of a trace the sequence, of other tables the first bytes. Times that come
// newest first are Long.MAX_VALUE − ms.
//
// In Java: new TraceRowKeyEncoderV2(distributor).encodeRowKey(new TransactionId(agentId, start, sequence)).
package pinpoint

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// The bytes that names are filled to.
const nameLen = 24

var (
	// Trace is the table TraceV2: the spans of one transaction.
	Trace = rowkey.New("TraceV2").
		Salt(256, "stored(sequence)", interop.PinpointHash).
		String("agent", rowkey.Pad(nameLen, 0)).
		Time("start", rowkey.Millis).
		Int("sequence", 8, interop.HBase).
		MustBuild()

	// TraceIndex is a key of ApplicationNameRowKeyEncoder in the table
	// ApplicationTraceIndex, which is salted by HBaseWD's rule over all of the key.
	TraceIndex = rowkey.New("ApplicationTraceIndex").
			Salt(32, "rest()", interop.HBaseWDHash).
			String("application", rowkey.Pad(nameLen, 0)).
			Time("at", rowkey.Millis, rowkey.Desc).
			MustBuild()

	// AgentStat is the table AgentStatV2; its salt covers all of the key.
	AgentStat = rowkey.New("AgentStatV2").
			Salt(64, "rest()", interop.PinpointHash).
			String("agent", rowkey.Pad(nameLen, 0)).
			Uint("type", 1).
			Time("at", rowkey.Millis, rowkey.Desc).
			MustBuild()

	// ByName is the key of tables of agents and applications without a salt, as
	// AgentIdRowKeyEncoder and ApplicationNameRowKeyEncoder write it.
	ByName = rowkey.New("by name").
		String("name", rowkey.Pad(nameLen, 0)).
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()
)

// Salted is the layout of a table of keys that are not known, whose salt covers
// bytes [from, to) of them, as far as there are any: RangeOneByteSimpleHash.
func Salted(buckets, from, to int) *rowkey.Schema {
	return rowkey.New("salted").
		Copy("hashed", "key", rowkey.Via(window{from, to}), rowkey.NotStored).
		Salt(buckets, "hashed", interop.PinpointHash).
		Binary("key").
		MustBuild()
}

// window is a part of a value. What it leaves out it cannot give back: it is for
// a Copy, which is written again and compared, never read.
type window struct{ from, to int }

func (w window) Append(dst, value []byte) ([]byte, error) {
	to := min(w.to, len(value))
	return append(dst, value[min(w.from, to):to]...), nil
}

func (window) Invert(dst, _ []byte) ([]byte, error) {
	return dst, errors.New("a part is not the whole")
}
func (window) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered} }
func (w window) String() string      { return fmt.Sprintf("bytes%d-%d", w.from, w.to) }

// Varint writes a number of 8 bytes as protobuf's varint, seven bits a byte, the
// lowest first. Pinpoint keeps it in values; in a key it does not sort.
type Varint struct{ Zigzag bool }

var errVarint = errors.New("no varint")

// Append writes the number.
func (v Varint) Append(dst, number []byte) ([]byte, error) {
	if len(number) != 8 {
		return dst, rowkey.ErrLength
	}
	n := binary.BigEndian.Uint64(number)
	if v.Zigzag {
		return binary.AppendVarint(dst, int64(n)), nil
	}
	return binary.AppendUvarint(dst, n), nil
}

// Invert reads it, if it is as short as it can be.
func (v Varint) Invert(dst, stored []byte) ([]byte, error) {
	n, size := binary.Uvarint(stored)
	if size != len(stored) || size < 1 || size > 1 && stored[size-1] == 0 {
		return dst, errVarint
	}
	if v.Zigzag {
		x, _ := binary.Varint(stored)
		n = uint64(x)
	}
	return binary.BigEndian.AppendUint64(dst, n), nil
}

// Len ends it at the first byte below 80.
func (Varint) Len(b []byte) (int, error) {
	for i, c := range b {
		if c < 0x80 {
			return i + 1, nil
		}
	}
	return 0, errVarint
}

// Traits are those of a form that ends itself and does not sort.
func (Varint) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Delimited: true}
}

func (v Varint) String() string {
	if v.Zigzag {
		return "svar64"
	}
	return "var64"
}
