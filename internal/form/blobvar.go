package form

// OrderedBytes writes a blob of any length in groups of seven bits, the most
// significant first. Each group is a byte. Its highest bit is 1 if another group
// follows. The last group is filled up with zero bits.
//
//	(nothing)   00
//	01          80 40
//	61 62       b0 d8 40
//	00 00       80 80 00
//
// The forms do not sort as the values do. The value 00 00 is below 01, but its form
// 80 80 00 is above 80 40, since it has one group more.

// AppendBlobVar turns the bytes dst[at:] into groups of seven bits.
func AppendBlobVar(dst []byte, at int) []byte {
	size := len(dst) - at
	groups := BlobVarGroups(size)
	for range groups - size {
		dst = append(dst, 0)
	}
	form := dst[at:]
	for i := groups - 1; i >= 0; i-- { // from the right, so that no byte is overwritten before it is read
		first := 7 * i / 8
		two := uint16(form[first])<<8 | uint16(form[min(first+1, groups-1)])
		form[i] = byte(two>>(9-7*i%8)) | 0x80
	}
	form[groups-1] &= 0x7f
	return dst
}

// BlobVarGroups is the length of the form of a value of size bytes: 1 for 0, 8 for 7,
// 10 for 8.
func BlobVarGroups(size int) int { return max(1, (8*size+6)/7) }

// BlobVarLen is the length of the form at the start of b; −1 if every byte of b says
// that another group follows. Of 80 40 61 it is 2, of 80 80 it is −1.
func BlobVarLen(b []byte, flip byte) int {
	for i := range b {
		if (b[i]^flip)&0x80 == 0 {
			return i + 1
		}
	}
	return -1
}

// UndoBlobVar replaces the form b by its value, in place, and gives the length of the
// value: 80 40 becomes 01, of length 1. It is false if AppendBlobVar does not write b:
// of 80 41, whose last bits are not all zero.
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

// Grouped is the shape after AppendBlobVar. The forms end themselves and have no order.
func (s Shape) Grouped() Shape {
	s.Min = BlobVarGroups(s.Min)
	if s.Max >= 0 {
		s.Max = BlobVarGroups(s.Max)
	}
	s.Dir, s.Ends, s.Bytes = NoOrder, EndSelf, AllBytes()
	return s.Settled()
}
