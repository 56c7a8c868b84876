package form

// What Build trusts.
//
// A field's bytes are made by a pipeline of stages. Build never looks at the
// stages again once they are composed: it decides from the shape alone whether
// a layout can be decoded, whether a prefix isolates, and how bytes sort. So
// the shape is small, every stage is one function from shape to shape, in the file
// of its bytes, and the compositions are tested exhaustively on two-letter alphabets.

// Order relates forms to values; the zero value is not an order.
type Order uint8

const (
	_         Order = iota
	Forward         // bytes sort as values do
	Backward        // bytes sort the other way round
	Unordered       // neither
)

// End is how a reader finds where a form stops.
type End uint8

const (
	EndNone   End = iota // it cannot
	EndWidth             // it always has the same length
	EndSelf              // no form is a prefix of another
	EndMarked            // by the separator behind it, which the form cannot hold
	EndLast              // by the end of the key
	EndLoose             // only by trying: a table that already exists
)

// Direction is how two forms compare at the first byte in which they differ.
type Direction uint8

const (
	Up      Direction = iota // as their values do
	Down                     // the other way round
	NoOrder                  // no rule
)

// Shorter is how two forms compare where one is a prefix of the other. The
// shorter form is always that of the smaller value, or the direction is NoOrder.
type Shorter uint8

const (
	ShortFirst Shorter = iota
	ShortLast
	ShortNowhere // no rule
)

// Shape is what is known of all the forms that a pipeline can write. Of a number in
// two bytes it is
//
//	Min 2, Max 2, EndWidth, Up, all bytes
//
// and of that number as a text in at most three digits, "7" or "128"
//
//	Min 1, Max 3, EndNone, NoOrder, '0' to '9'
type Shape struct {
	Min, Max int // length in bytes; Max < 0 where there is no limit
	Ends     End
	Dir      Direction
	Tail     Shorter
	Bytes    ByteSet

	// of forms that a third party's step ended, that end themselves, or that are few
	Free       bool     // no form is a prefix of another
	GoesOn     byte     // where not 0, longer forms go on with it, or a larger byte
	GoesOnDown bool     // inverted: with ^GoesOn, or a smaller byte
	First      *ByteSet // what forms begin with, where that is known; else any of Bytes
}

// Loosened is the shape without what is known of forms that ended themselves.
func (s Shape) Loosened() Shape {
	s.Free, s.GoesOn, s.GoesOnDown, s.First = false, 0, false, nil
	return s
}

// Fixed reports forms of one length.
func (s Shape) Fixed() bool { return s.Min == s.Max }

// Order is how the finished forms sort. The forms must be delimited by now, or
// stand at the end of the key.
func (s Shape) Order() Order {
	switch {
	case s.Dir == Up && (s.Fixed() || s.Free || s.Tail == ShortFirst):
		return Forward
	case s.Dir == Down && (s.Fixed() || s.Free || s.Tail == ShortLast):
		return Backward
	}
	return Unordered
}

// FixedShape is n bytes of any value in the given direction.
func FixedShape(n int, dir Direction) Shape {
	return Shape{Min: n, Max: n, Ends: EndWidth, Dir: dir, Bytes: AllBytes()}
}

// TextShape is any bytes of any length.
func TextShape() Shape {
	return Shape{Max: -1, Bytes: AllBytes()}
}

// SetShape is one of finitely many forms, given in the order of their values.
func SetShape(forms []string) Shape {
	s := Shape{Min: -1, Bytes: BytesOf(forms...)}
	free := true // no form is a prefix of another
	dirs := [2]bool{true, true}
	for i, f := range forms {
		if s.Min < 0 || len(f) < s.Min {
			s.Min = len(f)
		}
		s.Max = max(s.Max, len(f))
		for _, g := range forms[i+1:] { // value of f < value of g
			switch n := min(len(f), len(g)); {
			case f[:n] != g[:n]:
				dirs[Up] = dirs[Up] && f < g
				dirs[Down] = dirs[Down] && f > g
			case len(f) < len(g):
				free = false
			default: // g begins f, though its value is larger
				free, dirs = false, [2]bool{}
			}
		}
	}
	if s.Min > 0 {
		var first ByteSet
		for _, f := range forms {
			first[f[0]] = true
		}
		s.First = &first
	}
	switch {
	case dirs[Up]:
		s.Dir = Up
	case dirs[Down]:
		s.Dir = Down
	default:
		s.Dir = NoOrder
	}
	switch {
	case s.Fixed():
		s.Ends = EndWidth
	case free:
		s.Ends = EndSelf
	}
	return s
}

// Limited keeps the values that consist of the given bytes.
func (s Shape) Limited(set ByteSet) Shape {
	for i := range s.Bytes {
		s.Bytes[i] = s.Bytes[i] && set[i]
	}
	return s
}

// Inverted is every byte XOR ff.
func (s Shape) Inverted() Shape {
	s.Bytes = *s.Bytes.Inverted()
	s.GoesOnDown = s.GoesOn != 0 && !s.GoesOnDown
	if s.First != nil {
		s.First = s.First.Inverted()
	}
	switch s.Dir {
	case Up:
		s.Dir = Down
	case Down:
		s.Dir = Up
	}
	return s
}

// Flipped is inverted for forms whose end is inverted with them: what sorted
// first for being short now sorts last.
func (s Shape) Flipped() Shape {
	s = s.Inverted()
	switch s.Tail {
	case ShortFirst:
		s.Tail = ShortLast
	case ShortLast:
		s.Tail = ShortFirst
	}
	return s
}

// Cut keeps at most n bytes of a form, from its left or its right.
func (s Shape) Cut(n int, fromRight bool) Shape {
	if s.Max >= 0 && s.Max <= n {
		return s
	}
	s = s.Loosened()
	s.Min, s.Max = min(s.Min, n), n
	s.Ends = EndNone
	if s.Fixed() {
		s.Ends = EndWidth
	}
	if fromRight {
		s.Dir = NoOrder
	}
	return s
}

// Exactly admits the forms of n bytes.
func (s Shape) Exactly(n int) Shape {
	s = s.Loosened()
	s.Min, s.Max, s.Ends = n, n, EndWidth
	return s
}

// Headed has one and the same byte in front.
func (s Shape) Headed(header byte) Shape {
	if header == 0 {
		return s
	}
	if s.Min++; s.Max >= 0 {
		s.Max++
	}
	s.Bytes[header] = true
	return s
}

// AtLeast admits the forms of n bytes and more; false if there is none.
func (s Shape) AtLeast(n int) (Shape, bool) {
	if s.Max >= 0 && s.Max < n {
		return s, false
	}
	s.Min = max(s.Min, n)
	return s.settled(), true
}

// settled notes that forms which are all of one length end by it.
func (s Shape) settled() Shape {
	if s.Fixed() {
		s.Ends = EndWidth
	}
	return s
}
