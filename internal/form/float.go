package form

import "math"

// The bytes of an IEEE number do not sort: negative numbers come after the others, the
// largest first. They sort after a change: of a negative number all bits are flipped,
// of any other the sign bit. In 8 bytes:
//
//	       IEEE         after the change
//	−2     c0 00 00 …   3f ff ff ff ff ff ff ff
//	−1.5   bf f8 00 …   40 07 ff ff ff ff ff ff
//	 0     00 00 00 …   80 00 00 00 00 00 00 00
//	 1.5   3f f8 00 …   bf f8 00 00 00 00 00 00

// OrderFloat changes the IEEE bits of a number of size bytes so that they sort.
func OrderFloat(bits uint64, size int) uint64 {
	up := (64 - 8*size) & 63
	bits <<= up
	return (bits ^ (-(bits >> 63) | 1<<63)) >> up // all bits of a negative number, else the sign
}

// RawFloat undoes OrderFloat. Of v only the lowest size bytes count.
func RawFloat(v uint64, size int) uint64 {
	up := (64 - 8*size) & 63
	v <<= up
	return (v ^ (v>>63 - 1 | 1<<63)) >> up
}

// FloatWord is the bits of a number as they are written, as the first bytes of a word: of 1.5 bff8000000000000. It is
// false for NaN, and, if it is stored in four bytes, for a number that they do not hold. zero is added to v: +0 makes +0 of −0.
// turns are the bits that OrderFloat may change, and add is added to them.
func FloatWord(v float64, zero, turns, add uint64, four bool) (u uint64, ok bool) {
	v += math.Float64frombits(zero)
	if u, ok = math.Float64bits(v), v == v; four {
		u, ok = uint64(math.Float32bits(float32(v)))<<32, float64(float32(v)) == v
	}
	return u ^ (-(u>>63)|1<<63)&turns + add, ok
}

// Float writes the IEEE bits of a number in Size bytes, changed so that they sort,
// unless Raw. −1.5 in four bytes:
//
//	Raw                  bf c0 00 00
//	(zero)               40 3f ff ff
//	Add 1 (Phoenix)      40 40 00 00
//	Head 30              30 40 3f ff ff
type Float struct {
	BigEndian        // how the bits are written: its Size and Head, and as Xor ff in each byte: backward
	Raw       bool   // the bits are written as they are
	Add       uint64 // is added to the changed bits: Phoenix adds 1
}

// Shape has no order if the bits are written as they are and some numbers are negative.
func (n *Float) Shape(first, last uint64) Shape {
	s := n.BigEndian.Shape(first, last)
	if n.Raw && first < 1<<63 {
		s.Dir = NoOrder
	}
	return s
}

func (n *Float) Told() Told { return Told{Width: n.Size, Xor: n.Xor, Raw: n.Raw, Add: n.Add} }

func (n *Float) Facts() Facts {
	f := Facts{Head: n.Head, Binary: true}
	if n.Raw {
		f.Why, f.Apart = "why-float", true
		f.Below, f.Above = turned(Down, n.Xor != 0), turned(Up, n.Xor != 0)
	}
	return f
}

func (n *Float) append(dst []byte, u uint64) []byte {
	return n.BigEndian.append(dst, n.Word(u))
}

// Word is the bits u of a number of 8 bytes as they are written, before Xor.
func (n *Float) Word(u uint64) uint64 {
	if n.Size == 4 {
		u = uint64(math.Float32bits(float32(math.Float64frombits(u))))
	}
	if n.Raw {
		return u
	}
	return OrderFloat(u, n.Size) + n.Add
}

// Bits undoes Word.
func (n *Float) Bits(u uint64) uint64 {
	if !n.Raw {
		u = RawFloat(u-n.Add, n.Size)
	}
	if n.Size == 4 {
		u = math.Float64bits(float64(math.Float32frombits(uint32(u))))
	}
	return u
}

func (n *Float) read(form []byte) (uint64, bool) {
	u, ok := n.BigEndian.read(form)
	return n.Bits(u), ok
}
