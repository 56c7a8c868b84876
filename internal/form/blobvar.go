package form

// OrderedBytes' blob of any length has groups of seven bits, the most significant
// first, each in a byte whose highest bit says that another follows:
//
//	(nothing)   00
//	01          80 40
//	00 00       80 80 00
//
// A value that ends within a group sorts below those whose bits go on there,
// whatever they are, so the order is lost: 01 became 80 40, and 00 00, which is
// smaller, 80 80 00.

// AppendBlobVar turns the bytes dst[at:] into groups of seven bits.
func AppendBlobVar(dst []byte, at int) []byte {
	size := len(dst) - at
	groups := BlobVarGroups(size)
	for range groups - size {
		dst = append(dst, 0)
	}
	form := dst[at:]
	copy(form[groups-size:], form[:size]) // at the end, so that reading stays ahead of writing
	value := form[groups-size:]
	var bits uint16 // those not yet written, in the low have
	have, next := 0, 0
	for i := range form {
		if have < 7 && next < size {
			bits = bits<<8 | uint16(value[next])
			next++
			have += 8
		}
		group := byte(0)
		if have >= 7 {
			have -= 7
			group = byte(bits>>have) & 0x7f
		} else {
			group = byte(bits<<(7-have)) & 0x7f
			have = 0
		}
		if i < groups-1 {
			group |= 0x80
		}
		form[i] = group
	}
	return dst
}

// BlobVarGroups is how many bytes a value of size bytes becomes: of 7 bytes 8.
func BlobVarGroups(size int) int { return max(1, (8*size+6)/7) }

// BlobVarLen is −1 if the groups have no end.
func BlobVarLen(b []byte, flip byte) int {
	for i := range b {
		if (b[i]^flip)&0x80 == 0 {
			return i + 1
		}
	}
	return -1
}

// UndoBlobVar turns a whole form back in place and gives the length of its value;
// false if AppendBlobVar does not write it.
func UndoBlobVar(b []byte) (int, bool) {
	size := len(b) * 7 / 8
	if BlobVarLen(b, 0) != len(b) || BlobVarGroups(size) != len(b) {
		return 0, false
	}
	var bits uint16
	have, n := 0, 0
	for _, group := range b {
		bits = bits<<7 | uint16(group&0x7f)
		if have += 7; have >= 8 {
			have -= 8
			b[n] = byte(bits >> have)
			n++
		}
	}
	return n, bits&(1<<have-1) == 0
}

// Grouped is what forms.AppendBlobVar makes of a form.
func (s Shape) Grouped() Shape {
	s.Min = BlobVarGroups(s.Min)
	if s.Max >= 0 {
		s.Max = BlobVarGroups(s.Max)
	}
	s.Dir, s.Ends, s.Bytes = NoOrder, EndSelf, AllBytes()
	return s.settled()
}
