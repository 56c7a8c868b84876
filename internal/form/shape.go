package form

import (
	"slices"
	"strings"
)

// A pipeline of stages writes the bytes of a field. Build composes the shape of the
// stages first. Then it uses the shape alone to decide whether a layout can be decoded,
// whether a prefix selects exactly the keys that it means, and how the bytes sort. So
// every stage is one function from shape to shape, in the file of the stage's bytes, and
// all compositions are tested on alphabets of two letters.

// Order is how the bytes of forms sort, compared with their values. The zero value is
// not an order.
type Order uint8

const (
	_         Order = iota
	Forward         // bytes sort as values do
	Backward        // the larger value has the smaller bytes
	Unordered       // neither of both
)

// End is how a reader finds where a form stops.
type End uint8

const (
	EndNone   End = iota // the reader cannot find it
	EndWidth             // all forms have one length
	EndSelf              // the form's own bytes tell, as 61 00 01 does: no form is a prefix of another
	EndMarked            // by the separator after the form, which the form cannot hold
	EndLast              // by the end of the key
	EndLoose             // only by trying each length: for a table that already exists
)

// Direction is how two forms compare at the first byte in which they differ.
type Direction uint8

const (
	Up      Direction = iota // the smaller byte belongs to the smaller value
	Down                     // the smaller byte belongs to the larger value
	NoOrder                  // no rule
)

// Shorter is how two forms compare, with their ends, where one is a prefix of the other.
// The shorter form always belongs to the smaller value; otherwise the Direction is
// NoOrder.
type Shorter uint8

const (
	ShortFirst   Shorter = iota // the shorter sorts first: 61 00 01 before 61 62 00 01
	ShortLast                   // the shorter sorts last: 9e ff fe after 9e 9d ff fe
	ShortNowhere                // no rule
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

	// These four are known only of forms that end themselves and of a list of few forms.
	Free       bool     // no form is a prefix of another
	GoesOn     byte     // if not 0: where a form goes on after a shorter form, its next byte is at least this
	GoesOnDown bool     // the bytes are inverted: that next byte is at most ^GoesOn
	First      *ByteSet // the first bytes of all forms; nil: any of Bytes

	Bytes ByteSet
}

// Loosened is the shape without the last four facts, which a change of bytes makes void.
func (s Shape) Loosened() Shape {
	s.Free, s.GoesOn, s.GoesOnDown, s.First = false, 0, false, nil
	return s
}

// Fixed reports forms of one length.
func (s Shape) Fixed() bool { return s.Min == s.Max }

// Order is how the finished forms sort. They must have their end by now, or stand at the
// end of the key.
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

// SetShape is one of finitely many forms, given in the order of their values.
func SetShape(forms []string) Shape {
	s := Shape{Min: -1, Bytes: BytesOf(forms...)}
	dirs := [...]bool{Up: true, Down: true, NoOrder: true} // the directions that the forms so far have
	for i, f := range forms {
		if s.Min < 0 || len(f) < s.Min {
			s.Min = len(f)
		}
		s.Max = max(s.Max, len(f))
		if i > 0 { // the value of g is below the value of f
			g := forms[i-1]
			dirs[Up] = dirs[Up] && g < f
			dirs[Down] = dirs[Down] && g != f && (strings.HasPrefix(f, g) || g > f && !strings.HasPrefix(g, f))
		}
	}
	sorted := slices.Clone(forms)
	slices.Sort(sorted)
	free := true // no form is a prefix of another: else it is one of the next in order
	for i := 1; i < len(sorted); i++ {
		free = free && !strings.HasPrefix(sorted[i], sorted[i-1])
	}
	if s.Min > 0 {
		var first ByteSet
		for _, f := range forms {
			first.Add(f[0])
		}
		s.First = &first
	}
	s.Dir = Direction(slices.Index(dirs[:], true))
	if free {
		s.Ends = EndSelf
	}
	return s.Settled()
}

// Limited is the shape of only those values whose bytes are all in set.
func (s Shape) Limited(set ByteSet) Shape {
	s.Bytes = s.Bytes.Common(set)
	return s
}

// Inverted is the shape after each byte is XOR ff: 61 62 becomes 9e 9d.
func (s Shape) Inverted() Shape {
	s.Bytes = *s.Bytes.Inverted()
	s.GoesOnDown = s.GoesOn != 0 && !s.GoesOnDown
	if s.First != nil {
		s.First = s.First.Inverted()
	}
	s.Dir = turned(s.Dir, true)
	return s
}

// Flipped is Inverted for forms that are inverted together with their end: a shorter form
// that sorted first now sorts last.
func (s Shape) Flipped() Shape {
	if s = s.Inverted(); s.Tail != ShortNowhere {
		s.Tail = ShortFirst + ShortLast - s.Tail
	}
	return s
}

// Cut is the shape of the first n bytes of each form, or of the last n if fromRight.
// Shorter forms stay whole.
func (s Shape) Cut(n int, fromRight bool) Shape {
	if s.Max >= 0 && s.Max <= n {
		return s
	}
	s = s.Loosened()
	s.Min, s.Max = min(s.Min, n), n
	s.Ends = EndNone
	if fromRight {
		s.Dir = NoOrder
	}
	return s.Settled()
}

// Exactly is the shape of only the forms of n bytes.
func (s Shape) Exactly(n int) Shape {
	s = s.Loosened()
	s.Min, s.Max, s.Ends = n, n, EndWidth
	return s
}

// Headed is the shape with the byte header before each form; 0: none.
func (s Shape) Headed(header byte) Shape {
	if header == 0 {
		return s
	}
	if s.Min++; s.Max >= 0 {
		s.Max++
	}
	s.Bytes.Add(header)
	return s
}

// AtLeast is the shape of only the forms of n bytes and more; false if there are none.
func (s Shape) AtLeast(n int) (Shape, bool) {
	if s.Max >= 0 && s.Max < n {
		return s, false
	}
	s.Min = max(s.Min, n)
	return s.Settled(), true
}

// Settled sets EndWidth if all forms have one length.
func (s Shape) Settled() Shape {
	if s.Fixed() {
		s.Ends = EndWidth
	}
	return s
}
