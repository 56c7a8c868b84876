package form

// A Bool is one byte:
//
//	                               false   true
//	usual, and Phoenix             00      01
//	HBase's Bytes.toBytes          00      ff
//	Phoenix, descending            ff      fe

// Bool writes false as 00 and true as the byte True, each XOR the byte Xor.
type Bool struct{ True, Xor byte }

func (n *Bool) Shape(_, _ uint64) Shape {
	return FixedShape(1, turned(Up, n.Xor != 0)).Limited(BytesOf([]byte{n.Xor, n.True ^ n.Xor}))
}

func (n *Bool) Told() Told { return Told{Width: 1, Xor: uint64(n.Xor)} }

func (n *Bool) Facts() Facts {
	f := Facts{Binary: true, Xor: uint64(n.Xor)}
	if n.True == 1 {
		f.Word = 1
	}
	return f
}

func (n *Bool) append(dst []byte, u uint64) []byte { return append(dst, byte(u)*n.True^n.Xor) }

func (n *Bool) read(form []byte) (uint64, bool) {
	if len(form) != 1 {
		return 0, false
	}
	b := form[0] ^ n.Xor
	return uint64(b & 1), b == 0 || b == n.True
}
