package rowkey

import (
	"bytes"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// What Build trusts.
//
// A field's bytes are made by a pipeline of stages. Build never looks at the
// stages again once they are composed: it decides from the shape alone whether
// a layout can be decoded, whether a prefix isolates, and how bytes sort. So
// the shape is small, every stage is one function from shape to shape, and the
// compositions are tested exhaustively on two-letter alphabets.

// Order relates stored bytes to values; the zero value is not an order.
type Order uint8

const (
	_         Order = iota
	Forward         // bytes sort as values do
	Backward        // bytes sort the other way round
	Unordered       // neither; ranges of values cannot be ranges of keys
)

func (o Order) String() string {
	switch o {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case Unordered:
		return "unordered"
	}
	return "invalid order"
}

// end is how a reader finds where the stored form of a component stops.
type end uint8

const (
	endNone   end = iota // it cannot
	endWidth             // it always has the same length
	endSelf              // no stored form is a prefix of another
	endMarked            // by the separator behind it, which the form cannot hold
	endLast              // by the end of the key
	endLoose             // only by trying: a table that already exists
)

// direction is how two forms compare at the first byte in which they differ.
type direction uint8

const (
	up   direction = iota // as their values do
	down                  // the other way round
	none                  // no rule
)

// tail is how two forms compare where one is a prefix of the other. The
// shorter form is always that of the smaller value, or the direction is none.
type tail uint8

const (
	shortFirst tail = iota
	shortLast
	tailNone
)

// shape is what is known of all the stored forms that a pipeline can write.
type shape struct {
	min, max int // length in bytes; max < 0 where there is no limit
	ends     end
	dir      direction
	tail     tail
	bytes    byteSet

	// of forms that a third party's step ended, or that are few
	free       bool     // no form is a prefix of another
	goesOn     byte     // where not 0, longer forms go on with it, or a larger byte
	goesOnDown bool     // inverted: with ^goesOn, or a smaller byte
	first      *byteSet // what forms begin with, where that is known; else any of bytes
}

// loosened is the shape without what is known of forms ended by a third party.
func (s shape) loosened() shape {
	s.free, s.goesOn, s.goesOnDown, s.first = false, 0, false, nil
	return s
}

// byteSet is a set of byte values.
type byteSet [256]bool

func allBytes() (s byteSet) {
	for i := range s {
		s[i] = true
	}
	return s
}

func bytesOf[T string | []byte](forms ...T) (s byteSet) {
	for _, f := range forms {
		for i := range len(f) {
			s[f[i]] = true
		}
	}
	return s
}

// lowest and highest are the limits of the set; 255 and 0 for the empty set,
// which makes every byte lie below and above all of nothing.
func (s *byteSet) lowest() byte {
	for i := range s {
		if s[i] {
			return byte(i)
		}
	}
	return 255
}

func (s *byteSet) highest() byte {
	for i := 255; i >= 0; i-- {
		if s[i] {
			return byte(i)
		}
	}
	return 0
}

func (s *byteSet) inverted() *byteSet {
	var set byteSet
	for i := range s {
		set[i] = s[255-i]
	}
	return &set
}

func (s shape) fixed() bool { return s.min == s.max }

// order is how the finished forms sort. The forms must be delimited by now, or
// stand at the end of the key.
func (s shape) order() Order {
	switch {
	case s.dir == up && (s.fixed() || s.free || s.tail == shortFirst):
		return Forward
	case s.dir == down && (s.fixed() || s.free || s.tail == shortLast):
		return Backward
	}
	return Unordered
}

// fixedShape is n bytes of any value in the given direction.
func fixedShape(n int, dir direction) shape {
	return shape{min: n, max: n, ends: endWidth, dir: dir, bytes: allBytes()}
}

// textShape is any bytes of any length.
func textShape() shape {
	return shape{max: -1, bytes: allBytes()}
}

// setShape is one of finitely many forms, given in the order of their values.
func setShape(forms []string) shape {
	s := shape{min: -1, bytes: bytesOf(forms...)}
	free := true // no form is a prefix of another
	dirs := [2]bool{true, true}
	for i, f := range forms {
		if s.min < 0 || len(f) < s.min {
			s.min = len(f)
		}
		s.max = max(s.max, len(f))
		for _, g := range forms[i+1:] { // value of f < value of g
			switch n := min(len(f), len(g)); {
			case f[:n] != g[:n]:
				dirs[up] = dirs[up] && f < g
				dirs[down] = dirs[down] && f > g
			case len(f) < len(g):
				free = false
			default: // g begins f, though its value is larger
				free, dirs = false, [2]bool{}
			}
		}
	}
	if s.min > 0 {
		var first byteSet
		for _, f := range forms {
			first[f[0]] = true
		}
		s.first = &first
	}
	switch {
	case dirs[up]:
		s.dir = up
	case dirs[down]:
		s.dir = down
	default:
		s.dir = none
	}
	switch {
	case s.fixed():
		s.ends = endWidth
	case free:
		s.ends = endSelf
	}
	return s
}

// limited keeps the values that consist of the given bytes.
func (s shape) limited(set byteSet) shape {
	for i := range s.bytes {
		s.bytes[i] = s.bytes[i] && set[i]
	}
	return s
}

// reversed is any change of the places of a form's bytes.
func (s shape) reversed() shape {
	if s.max < 0 || s.max > 1 {
		s = s.loosened()
		s.dir = none
		if s.ends == endSelf { // prefix-free forms need not be suffix-free
			s.ends = endNone
		}
	}
	return s
}

// reversedPart is a change of places in a part only; shorter forms are refused.
func (s shape) reversedPart(to int) shape {
	s = s.reversed()
	if s.ends == endNone {
		s.min = max(s.min, to)
		if s.fixed() {
			s.ends = endWidth
		}
	}
	return s
}

// inverted is every byte XOR ff.
func (s shape) inverted() shape {
	s.bytes = *s.bytes.inverted()
	s.goesOnDown = s.goesOn != 0 && !s.goesOnDown
	if s.first != nil {
		s.first = s.first.inverted()
	}
	switch s.dir {
	case up:
		s.dir = down
	case down:
		s.dir = up
	}
	return s
}

// flipped is inverted for forms whose end is inverted with them: what sorted
// first for being short now sorts last.
func (s shape) flipped() shape {
	s = s.inverted()
	switch s.tail {
	case shortFirst:
		s.tail = shortLast
	case shortLast:
		s.tail = shortFirst
	}
	return s
}

// cut keeps at most n bytes of a form, from its left or its right.
func (s shape) cut(n int, fromRight bool) shape {
	if s.max >= 0 && s.max <= n {
		return s
	}
	s = s.loosened()
	s.min, s.max = min(s.min, n), n
	s.ends = endNone
	if s.fixed() {
		s.ends = endWidth
	}
	if fromRight {
		s.dir = none
	}
	return s
}

// exactly admits the forms of n bytes.
func (s shape) exactly(n int) shape {
	s = s.loosened()
	s.min, s.max, s.ends = n, n, endWidth
	return s
}

// padded fills on the right up to n bytes with b, in which no value may end. Forms
// keep their order only if the pad is the smallest byte in use, or the largest:
//
//	with 00   "ab" is 61 62 00, "abc" is 61 62 63: the shorter first, as in values
//	with ff   "ab" is 61 62 ff: the shorter last
//	with 62   "ab" is 61 62 62, "aba" is 61 62 61, "abc" is 61 62 63: no order
func (s shape) padded(n int, b byte) shape {
	switch {
	case s.fixed() && s.min == n: // nothing to fill
	case b <= s.bytes.lowest():
		s.tail = shortFirst
	case b >= s.bytes.highest():
		s.tail = shortLast
	default:
		s.tail = tailNone
	}
	if s.tail == shortLast && s.dir == up || s.tail == shortFirst && s.dir == down || s.tail == tailNone {
		s.dir = none
	}
	s.bytes[b] = true
	return s.exactly(n)
}

// paddedLeft fills on the left: the places move, the order goes.
func (s shape) paddedLeft(n int, b byte) shape {
	if !(s.fixed() && s.min == n) {
		s.dir = none
	}
	s.bytes[b] = true
	return s.exactly(n)
}

// escaped writes 00 as 00ff and 0001 behind all: the end sorts below every
// byte that can go on, so the shorter form comes first whatever the values.
func (s shape) escaped() shape {
	if s.max >= 0 {
		if s.bytes[0] {
			s.max *= 2
		}
		s.max += 2
	}
	s = s.loosened()
	s.min += 2
	s.tail, s.ends = shortFirst, endSelf
	if s.fixed() {
		s.ends = endWidth
	}
	if s.bytes[0] {
		s.bytes[0xff] = true
	}
	s.bytes[0], s.bytes[1] = true, true
	return s
}

// unended is escaped without the end, for the last component.
func (s shape) unended() shape {
	if s.min -= 2; s.max >= 0 {
		s.max -= 2
	}
	s.ends = endNone
	if s.fixed() {
		s.ends = endWidth
	}
	return s
}

// ended is ended by 00, which is in no form and so sorts below all that can go
// on one.
func (s shape) ended() shape {
	if s.min++; s.max >= 0 {
		s.max++
	}
	s.tail, s.ends = shortFirst, endSelf
	if s.fixed() {
		s.ends = endWidth
	}
	s.bytes[0] = true
	return s
}

// grouped is what forms.AppendBlobVar makes of a form.
func (s shape) grouped() shape {
	s.min = forms.BlobVarGroups(s.min)
	if s.max >= 0 {
		s.max = forms.BlobVarGroups(s.max)
	}
	s.dir, s.ends, s.bytes = none, endSelf, allBytes()
	if s.fixed() {
		s.ends = endWidth
	}
	return s
}

// headed has one and the same byte in front.
func (s shape) headed(header byte) shape {
	if header == 0 {
		return s
	}
	if s.min++; s.max >= 0 {
		s.max++
	}
	s.bytes[header] = true
	return s
}

// marked is ended by a separator, which stands behind the form and which form
// and separator together hold only at their end. Where one form begins another,
// the separator meets the bytes with which the other goes on; those differ from
// it somewhere, and if no possible byte lies beyond any of its own, it decides.
func (s shape) marked(sep []byte) shape {
	s.ends = endMarked
	low, high := s.bytes.lowest(), s.bytes.highest()
	first, last := true, true
	for _, b := range sep {
		first = first && b <= low
		last = last && b >= high
	}
	switch {
	case first:
		s.tail = shortFirst
	case last:
		s.tail = shortLast
	default:
		s.tail = tailNone
	}
	return s
}

// border reports that some proper beginning of b is also an end of it. A
// mark with a border can overlap itself.
func border(b []byte) bool {
	for n := 1; n < len(b); n++ {
		if bytes.Equal(b[:n], b[len(b)-n:]) {
			return true
		}
	}
	return false
}
