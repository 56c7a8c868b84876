package form

// The escaped form holds any bytes, and sorts as they do. Each 00 becomes 00 ff, and
// 00 01 is put at the end:
//
//	61 62       61 62 00 01
//	61 00 62    61 00 ff 62 00 01
//	(nothing)   00 01
//
// The end 00 01 sorts below everything that can follow in a longer value: below 00 ff,
// which is an escaped 00, and below every other byte. So a value sorts before the
// longer values that begin with it, and no escaped form is a prefix of another.
// CockroachDB writes the same; FoundationDB ends with 00 alone.

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
	for to := len(dst) - 1; to > from; from-- { // from the right, until the bytes left of from stay where they are
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

// EscapedLen is the length of the escaped form at the start of b: of 61 00 01 62 it is
// 3. It is −1 if the end 00 01 is missing, or if bytes come before it that AppendEscape
// never writes, such as 00 02.
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

// UndoEscape replaces the escaped form b by its value, in place, and gives the length
// of the value. It is false if AppendEscape does not write b.
func UndoEscape(b []byte) (int, bool) {
	if EscapedLen(b, 0) != len(b) {
		return 0, false
	}
	w := 0
	for r := 0; r < len(b)-2; r++ {
		b[w] = b[r]
		w++
		if b[r] == 0 {
			r++ // skip the ff of this 00
		}
	}
	return w, true
}

// Escaped is the shape after AppendEscape: the forms end themselves, and the shorter of
// two comes first, since the end 00 01 sorts below everything that can follow.
func (s Shape) Escaped() Shape {
	if s.Max >= 0 {
		if s.Bytes.Has(0) {
			s.Max *= 2
		}
		s.Max += 2
	}
	s = s.Loosened()
	s.Min += 2
	s.Tail, s.Ends = ShortFirst, EndSelf
	if s.Bytes.Has(0) {
		s.Bytes.Add(0xff)
	}
	s.Bytes.Add(0)
	s.Bytes.Add(1)
	return s.Settled()
}

// Unended is an escaped shape without the end 00 01, as the last component of a key has
// it: 61 00 is written 61 00 ff.
func (s Shape) Unended() Shape {
	if s.Min -= 2; s.Max >= 0 {
		s.Max -= 2
	}
	s.Ends = EndNone
	return s.Settled()
}
