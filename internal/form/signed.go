package form

import "math"

// The decimal text of a signed number is what Java's String.valueOf makes: a minus sign
// if the number is negative, then its digits without zeros in front.
//
//	12    31 32
//	0     30
//	−12   2d 31 32
//
// The bytes do not sort as the numbers do: "-1" < "-2" < "10" < "9".

// ReadSigned is the number of such a text, in two's complement. It is false for "+1", "01" and "-0".
func ReadSigned(b []byte) (uint64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	u, ok := ReadDigits(b)
	if !ok || len(b) != DigitsLen(u) || negative && u == 0 {
		return 0, false
	}
	return twosComplement(negative, u)
}

// twosComplement is the number ±u in two's complement; false if 64 bits cannot hold it.
func twosComplement(negative bool, u uint64) (uint64, bool) {
	if negative {
		return -u, u <= 1<<63
	}
	return u, u <= math.MaxInt64
}

// Plain writes a number, XOR Xor, as decimal text without zeros in front.
type Plain struct {
	Signed bool
	Xor    uint64
}

// Shape has an order only if all numbers have one length: "10" sorts before "9".
func (n *Plain) Shape(first, last uint64) Shape {
	s := Shape{Min: 1, Max: 20, Dir: directed(n.Xor), Bytes: decimals}
	switch {
	case n.Signed && first < 1<<63:
		s.Bytes.Add('-')
	case n.Signed:
		s.Min, s.Max = DigitsLen(first-1<<63), DigitsLen(last-1<<63)
	case n.Xor != 0 && last <= n.Xor:
		s.Min, s.Max = DigitsLen(n.Xor-last), DigitsLen(n.Xor-first)
	case n.Xor == 0:
		s.Min, s.Max = DigitsLen(first), DigitsLen(last)
	}
	if !s.Fixed() {
		s.Dir = NoOrder
	}
	return s.Settled()
}

func (n *Plain) Told() Told {
	if n.Signed {
		return Told{Form: toldSigned, Width: -1}
	}
	return Told{Form: toldSigned, Xor: n.Xor}
}

func (n *Plain) Facts() Facts {
	f := Facts{Why: "why-decimal"}
	if !n.Signed {
		if f.ByLength = Forward; n.Xor != 0 {
			f.ByLength = Backward
		}
	}
	return f
}

func (n *Plain) append(dst []byte, u uint64) []byte {
	if u ^= n.Xor; n.Signed && int64(u) < 0 {
		dst, u = append(dst, '-'), -u
	}
	return AppendDigits(dst, u, DigitsLen(u))
}

func (n *Plain) read(form []byte) (uint64, bool) {
	if n.Signed {
		u, ok := ReadSigned(form)
		return u ^ n.Xor, ok
	}
	u, ok := ReadDigits(form)
	return u ^ n.Xor, ok && len(form) == DigitsLen(u) // no zeros in front
}
