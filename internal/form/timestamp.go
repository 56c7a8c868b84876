package form

import (
	"encoding/binary"
	"math"
)

// Phoenix's TIMESTAMP is 8 bytes, the milliseconds since 1970 with the sign bit flipped,
// and 4 bytes, the nanoseconds after that millisecond:
//
//	 1.5 ms                80 00 00 00 00 00 00 01   00 07 a1 20
//	−1 ns                  7f ff ff ff ff ff ff ff   00 0f 42 3f
//	 1.5 ms, descending    7f ff ff ff ff ff ff fe   ff f8 5e df
//
// UNSIGNED_TIMESTAMP does not flip the sign bit: 1.5 ms begins with 00. Descending, all
// 12 bytes are XOR ff.

// TimestampLen is the length of a timestamp in bytes.
const TimestampLen = 12

const nanosOfMilli = 1_000_000

// AppendTimestamp appends an instant, in nanoseconds since 1970. The milliseconds are XOR
// flip, the rest is XOR desc.
func AppendTimestamp(dst []byte, nanos int64, flip, desc uint64) []byte {
	ms, rest := nanos/nanosOfMilli, nanos%nanosOfMilli
	if rest < 0 {
		ms, rest = ms-1, rest+nanosOfMilli
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(ms)^flip)
	return binary.BigEndian.AppendUint32(dst, uint32(uint64(rest)^desc))
}

// ReadTimestamp undoes AppendTimestamp. It is false if the instant is too far from 1970
// for 64 bits of nanoseconds, or if the last 4 bytes say a millisecond or more.
func ReadTimestamp(b []byte, flip, desc uint64) (int64, bool) {
	ms, rest := int64(binary.BigEndian.Uint64(b)^flip), int64((uint64(binary.BigEndian.Uint32(b[8:]))^desc)&math.MaxUint32)
	const most = math.MaxInt64 / nanosOfMilli
	if rest >= nanosOfMilli || ms < -most-1 || ms > most {
		return 0, false
	}
	if ms < 0 {
		ms, rest = ms+1, rest-nanosOfMilli
	}
	nanos := ms*nanosOfMilli + rest
	return nanos, (nanos < 0) == (ms < 0 || rest < 0) && nanos != math.MinInt64
}

// Timestamp writes a number of nanoseconds since 1970 as Phoenix's TIMESTAMP.
type Timestamp struct {
	Xor  uint64 // the milliseconds are XORed with this
	Rest uint64 // the nanoseconds are XORed with this
}

func (n *Timestamp) Shape(_, _ uint64) Shape { return FixedShape(TimestampLen, directed(n.Xor)) }

func (n *Timestamp) Told() Told {
	return Told{Form: toldTimestamp, Width: -1, Xor: n.Xor, Rest: n.Rest}
}

func (n *Timestamp) Facts() Facts { return Facts{} }

func (n *Timestamp) append(dst []byte, u uint64) []byte {
	return AppendTimestamp(dst, int64(u), n.Xor, n.Rest)
}

func (n *Timestamp) read(form []byte) (uint64, bool) {
	if len(form) != TimestampLen {
		return 0, false
	}
	nanos, ok := ReadTimestamp(form, n.Xor, n.Rest)
	return uint64(nanos), ok
}
