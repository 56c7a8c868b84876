package form

import "math"

// An IEEE number of 4 or 8 bytes does not sort: negative ones stand behind, and the
// wrong way round. It does once the sign bit is set, or all bits are flipped if the
// number is negative. Of 8 bytes:
//
//	 1.5   3f f8 00 …   bf f8 00 00 00 00 00 00
//	−1.5   bf f8 00 …   40 07 ff ff ff ff ff ff
//	 0     00 00 00 …   80 00 00 00 00 00 00 00

// OrderFloat makes the bits of a number of size bytes sort as numbers do.
func OrderFloat(bits uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	all := -(bits >> (8*size - 1)) // ones, of a negative number
	return (bits ^ (all | sign)) & Mask(size)
}

// RawFloat undoes OrderFloat.
func RawFloat(v uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	all := v>>(8*size-1) - 1 // ones, of a negative number
	return (v ^ (all | sign)) & Mask(size)
}

// Float is the bits of a number of Size bytes, as they are or made to sort.
type Float struct {
	Size int
	Raw  bool   // as they are
	Add  uint64 // to bits that sort: Phoenix adds 1
	Xor  uint64
	Head byte
}

func (n *Float) Width() int { return headed(n.Head, n.Size) }

// Shape: as they are, only floats without a sign sort.
func (n *Float) Shape(first, _ uint64) Shape {
	s := FixedShape(n.Size, directed(n.Xor)).Headed(n.Head)
	if n.Raw && first < 1<<63 {
		s.Dir = NoOrder
	}
	return s
}

func (n *Float) Told() Told { return Told{Width: n.Size, Xor: n.Xor, Raw: n.Raw, Add: n.Add} }

func (n *Float) Facts() Facts {
	f := Facts{Head: n.Head, Binary: true}
	if n.Raw {
		f.Why, f.Apart = "the bits of a float are stored as they are", true
		f.Below, f.Above = turned(Down, n.Xor != 0), turned(Up, n.Xor != 0)
	}
	return f
}

func (n *Float) append(dst []byte, u uint64) []byte {
	if n.Head != 0 {
		dst = append(dst, n.Head)
	}
	if n.Size == 4 {
		u = uint64(math.Float32bits(float32(math.Float64frombits(u))))
	}
	if !n.Raw {
		u = OrderFloat(u, n.Size) + n.Add
	}
	return AppendUint(dst, u^n.Xor, n.Size)
}

func (n *Float) read(form []byte) (uint64, bool) {
	form, ok := behead(form, n.Head)
	if !ok || len(form) != n.Size {
		return 0, false
	}
	u := ReadUint(form) ^ n.Xor
	if !n.Raw {
		u = RawFloat((u-n.Add)&Mask(n.Size), n.Size)
	}
	if n.Size == 4 {
		u = math.Float64bits(float64(math.Float32frombits(uint32(u))))
	}
	return u, true
}
