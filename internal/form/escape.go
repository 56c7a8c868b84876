package form

// The escaped form holds any bytes, and sorts as they do. 00 becomes 00 ff, and
// the end is 00 01:
//
//	61 62       61 62 00 01
//	61 00 62    61 00 ff 62 00 01
//	(nothing)   00 01
//
// The end sorts below all that can go on a value: below 00 ff, which a 00 became,
// and below every other byte. So a value sorts before the longer values that
// begin with it, and no escaped form begins another. Tuple layers write the same
// (CockroachDB; FoundationDB ends with a bare 00).

// AppendEscape turns the bytes dst[at:] into their escaped form.
func AppendEscape(dst []byte, at int) []byte {
	zeros := 0
	for _, b := range dst[at:] {
		if b == 0 {
			zeros++
		}
	}
	from := len(dst) - 1
	for range zeros {
		dst = append(dst, 0)
	}
	for to := len(dst) - 1; to > from; from-- { // from the right; done where nothing moves any more
		b := dst[from]
		if b == 0 {
			dst[to] = 0xff
			to--
		}
		dst[to] = b
		to--
	}
	return append(dst, 0, 1)
}

// EscapedLen is −1 too if the form holds what AppendEscape never writes, such as
// 00 02.
func EscapedLen(b []byte, flip byte) int {
	for i := 0; i < len(b); i++ {
		if b[i]^flip != 0 {
			continue
		}
		if i++; i == len(b) {
			break
		}
		switch b[i] ^ flip {
		case 1:
			return i + 1
		case 0xff:
		default:
			return -1
		}
	}
	return -1
}

// UndoEscape turns a whole escaped form back in place and gives the length of its
// value; false if AppendEscape does not write it.
func UndoEscape(b []byte) (int, bool) {
	if EscapedLen(b, 0) != len(b) {
		return 0, false
	}
	w := 0
	for r := 0; r < len(b)-2; r++ {
		b[w] = b[r]
		w++
		if b[r] == 0 {
			r++ // its ff
		}
	}
	return w, true
}

// Escaped writes 00 as 00ff and 0001 behind all: the end sorts below every
// byte that can go on, so the shorter form comes first whatever the values.
func (s Shape) Escaped() Shape {
	if s.Max >= 0 {
		if s.Bytes[0] {
			s.Max *= 2
		}
		s.Max += 2
	}
	s = s.Loosened()
	s.Min += 2
	s.Tail, s.Ends = ShortFirst, EndSelf
	if s.Fixed() {
		s.Ends = EndWidth
	}
	if s.Bytes[0] {
		s.Bytes[0xff] = true
	}
	s.Bytes[0], s.Bytes[1] = true, true
	return s
}

// Unended is escaped without the end, for the last component.
func (s Shape) Unended() Shape {
	if s.Min -= 2; s.Max >= 0 {
		s.Max -= 2
	}
	s.Ends = EndNone
	return s.settled()
}
