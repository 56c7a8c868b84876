package bound

import (
	"bytes"
	"iter"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// List is ranges, none of them empty. Their bytes lie in one piece of memory, one range
// after the other, and a range is a place in it: a list of many has no pointers for the
// garbage collector to follow, and is sorted by moving a quarter of the bytes. Not even
// places are kept while all ranges have the lengths of the first, as the ranges of 16
// buckets mostly have. The zero List has no ranges.
type List struct {
	bytes []byte
	spans []span // nil while all are like the first
	first span
	n     int
}

// span is where a range lies: its start at a place, its stop after the start.
type span struct {
	at          int
	start, stop int32 // lengths; an unbounded range has no stop
}

// NewList is a list with room for so many bytes.
func NewList(size int) List { return List{bytes: make([]byte, 0, size)} }

// ListIn is a list in memory that holds a short range; for another one, a list takes new memory.
func ListIn(room []byte) List { return List{bytes: room} }

// Hold makes b the memory of one range: its start, so long, and then its stop. An unbounded range has no stop.
func (l *List) Hold(b []byte, start int) {
	l.bytes, l.first, l.n = b, span{0, int32(start), int32(len(b) - start)}, 1
}

// Len is the number of ranges.
func (l *List) Len() int { return l.n }

// span is where range i lies.
func (l *List) span(i int) span {
	if l.spans != nil {
		return l.spans[i]
	}
	s := l.first
	s.at += i * int(s.start+s.stop)
	return s
}

func (l *List) startOf(s *span) []byte {
	end := s.at + int(s.start)
	return l.bytes[s.at:end:end]
}

// stopOf is the stop of a range; none if it is unbounded.
func (l *List) stopOf(s *span) []byte {
	from := s.at + int(s.start)
	end := from + int(s.stop)
	return l.bytes[from:end:end]
}

// Start is the start of range i.
func (l *List) Start(i int) []byte {
	s := l.span(i)
	return l.startOf(&s)
}

// At is range i. Its bytes are the list's.
func (l *List) At(i int) Range {
	s := l.span(i)
	r := Range{Start: l.startOf(&s), Stop: l.stopOf(&s), State: Bounded}
	if s.stop == 0 {
		r.State = Unbounded
	}
	return r
}

// All yields the ranges and their numbers.
func (l *List) All() iter.Seq2[int, Range] {
	return func(yield func(int, Range) bool) {
		for i := range l.n {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// Add appends a range and its bytes. The range is not empty. One in which no key lies, since its
// bounds are longer than any, is left out.
func (l *List) Add(r Range) {
	if !r.fits() { // Fit alone copies the range: then Add takes twice as long
		if r = r.Fit(); r.State == Empty {
			return
		}
	}
	l.fit(len(r.Start) + len(r.Stop))
	s := span{len(l.bytes), int32(len(r.Start)), int32(len(r.Stop))}
	l.bytes = append(append(l.bytes, r.Start...), r.Stop...)
	l.note(s)
}

// AddBegun appends the range of all keys that begin with p.
func (l *List) AddBegun(p []byte) {
	if len(p) > forms.MaxKey {
		r, _ := Append(nil, p, false)
		l.Add(r)
		return
	}
	l.fit(2 * len(p))
	at := len(l.bytes)
	l.bytes = append(append(l.bytes, p...), p...)
	n, _ := StepUp(l.bytes[at+len(p):]) // 0 if no key lies above these: the range is unbounded
	l.bytes = l.bytes[:at+len(p)+n]
	l.note(span{at, int32(len(p)), int32(n)})
}

// fit takes memory for the first range, if it does not fit in what there is.
func (l *List) fit(n int) {
	if l.n == 0 && cap(l.bytes) < n {
		l.bytes = make([]byte, 0, n)
	}
}

// note counts a range whose bytes were appended.
func (l *List) note(s span) {
	switch {
	case l.n == 0:
		l.first = s
	case l.spans == nil && (s.start != l.first.start || s.stop != l.first.stop):
		l.spans = l.places(cap(l.bytes) / (len(l.bytes)/(l.n+1) + 1))
	}
	if l.n++; l.spans != nil {
		l.spans = append(l.spans, s)
	}
}

// places is where the ranges lie, with room for more.
func (l *List) places(room int) []span {
	spans := make([]span, 0, max(room, l.n+1))
	for i := range l.n {
		spans = append(spans, l.span(i))
	}
	return spans
}

// Part is the ranges from one number up to another.
func (l *List) Part(from, to int) List {
	part := List{bytes: l.bytes, n: to - from}
	if l.spans != nil {
		part.spans = l.spans[from:to:to]
	} else {
		part.first = l.span(from)
	}
	return part
}

// Sort puts the ranges in the order of their starts.
func (l *List) Sort() {
	if l.spans == nil {
		l.spans = l.places(l.n)
	}
	l.spans = sorted(l.spans, l.startOf, bytes.Compare)
}

// Apart reports that the ranges are in order, and that no two of them overlap or touch.
func (l *List) Apart() bool {
	for i := 1; i < l.n; i++ {
		last, next := l.span(i-1), l.span(i)
		if last.stop == 0 || bytes.Compare(l.stopOf(&last), l.startOf(&next)) >= 0 {
			return false
		}
	}
	return true
}

// Share reports that start and stop of each range begin with the same n bytes.
func (l *List) Share(n int) bool {
	for i := range l.n {
		s := l.span(i)
		start, stop := l.startOf(&s), l.stopOf(&s)
		if len(start) < n || len(stop) < n || string(start[:n]) != string(stop[:n]) {
			return false
		}
	}
	return true
}

// Spread copies all ranges for each of some forms, which have one length and take the
// place of as many bytes from off on of each start and stop: with the form 01 and off 0
// the range [00 03, 00 06) gives [01 03, 01 06), too. The list is not sorted.
func (l *List) Spread(off int, forms [][]byte) {
	n, size := l.n, len(l.bytes)
	if l.spans != nil {
		l.spans = slices.Grow(l.spans, n*len(forms))
	}
	l.bytes = slices.Grow(l.bytes, size*len(forms))
	for _, form := range forms {
		at := len(l.bytes)
		l.bytes = append(l.bytes, l.bytes[:size]...)
		made := l.bytes[at:]
		for i := range n {
			s := l.span(i)
			start, stop := made[s.at+off:], made[s.at+int(s.start)+off:]
			if len(form) == 1 {
				start[0], stop[0] = form[0], form[0]
			} else {
				copy(start, form)
				copy(stop, form)
			}
			if s.at += at; l.spans != nil {
				l.spans = append(l.spans, s)
			}
		}
	}
	l.n += n * len(forms)
}
