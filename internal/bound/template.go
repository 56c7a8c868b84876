package bound

import (
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// template is the bytes with which the keys of a range begin. Where a salt is not known it has an
// open slot: of salt16 and the field "ab" it is 00 61 62, with a slot at byte 0.
type template struct {
	buf   []byte
	open  []layout.Slot
	exact bool              // buf is one whole key, and other keys may begin with it
	last  *layout.Component // the last component in buf, if other forms of it begin with its form there
	trim  int               // how many bytes at the end a key does not have if only nulls follow
	apart bool              // other keys sort between the key without these bytes and the keys with them
	null  []byte            // of a Prefix that a null begins with, too: the other bytes of the null
}

// templateOf is the template of the fields so far, which are not all, and perhaps of a prefix of the next.
func templateOf(buf []byte, st *layout.Step, slots []layout.Slot) (template, error) {
	s := st.S
	prefix := st.Op == layout.OpPrefix
	if st.I == 0 && !prefix {
		return template{}, s.ErrAt("", -1, &fault.Detail{Text: "supply " + s.Fields[0].Name + " at least, or say PrefixRange(nil)", Reason: fault.ErrFullScan})
	}
	t := template{buf: buf}
	if !prefix {
		t.last = st.Last
	}
	if s.Gathered {
		given, err := s.Gather(buf, st.I, prefix)
		if err != nil {
			return t, err
		}
		n := len(buf)
		row, open, trim, apart, err := s.Assemble(buf, given.Row(), st.I, prefix, slots)
		if err != nil {
			return t, err
		}
		t.buf, t.open, t.trim, t.apart = row[n:], open, trim, apart
	} else {
		t.buf, t.trim, t.apart = buf[:len(buf)-st.Cut], st.Trim, st.Apart
		for _, c := range s.Derived {
			if !st.Opens(c) {
				continue
			}
			at, ok := s.Empty(c, t.buf)
			if !ok { // another key has been written there
				return t, s.ErrAt("", -1, layout.ErrShared)
			}
			slots = append(slots, layout.Slot{C: c, S: s, Off: at})
		}
		t.open = slots
	}
	if st.Whole && !prefix {
		t.buf, t.trim, t.exact = t.buf[:len(t.buf)-t.trim], 0, BegunByAll(s)
	}
	t.null = st.Nulls
	if len(t.buf) == 0 {
		return t, s.ErrAt("", -1, fault.ErrFullScan)
	}
	if n := len(t.buf) - t.trim - slack(t.open); n > s.MaxLen {
		return t, s.ErrAt("", -1, s.KeyRefused(n))
	}
	return t, nil
}

// slack is how many bytes longer the open slots are than the shortest forms of their components.
func slack(open []layout.Slot) (n int) {
	for i := range open {
		n += open[i].C.Slack()
	}
	return n
}

// BegunByAll reports that other keys may begin with a whole key, as 61 62 63 begins with
// 61 62 if the last field is a text.
func BegunByAll(s *layout.Schema) bool {
	last := &s.Comps[len(s.Comps)-1]
	for last.Absent {
		last = &s.Comps[last.Index-1]
	}
	return s.Trims || last.Ends == forms.EndLast
}

// each is how many ranges one beginning needs: 2 if keys that end there lie apart from those
// that go on.
func (t *template) each() float64 {
	if t.null != nil || t.apart && t.trim > 0 && t.trim < len(t.buf) {
		return 2
	}
	return 1
}

// ranges is how many beginnings a template has: one for each combination of forms in its slots.
// It is an error if they are too many, or if a slot is that of a copy.
func (t *template) ranges(s *layout.Schema) (int, error) {
	n := 1.0
	for _, o := range t.open {
		if o.C.Role == layout.RoleCopy {
			return 0, s.ErrAt(o.C.Name, -1, &fault.Detail{Text: "stands before a field that is fixed, and is not known until " + o.C.Of.Name + " is", Reason: fault.ErrManyRanges})
		}
		n *= o.C.Count()
	}
	if each := t.each(); n*each > layout.MaxForms {
		n *= each
		return 0, s.ErrAt(t.open[0].C.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each value of what no condition fixes; at most %d", n, layout.MaxForms), Reason: fault.ErrManyRanges})
	}
	return int(n), nil
}

// Head is what the keys of one range begin with, if no more than these bytes decides the range: no
// slot is open, no null may be left out, and no other form begins as the last one does. Else it is
// empty.
func Head(buf []byte, st *layout.Step) []byte {
	if st.Op < layout.OpEnd && st.I > 0 && !st.S.Gathered && st.Trim == 0 && !st.Whole && st.Last == nil && !slices.ContainsFunc(st.S.Derived, st.Opens) {
		if p := buf[:len(buf)-st.Cut]; len(p) <= st.S.MaxLen {
			return p
		}
	}
	return nil
}

// One is the range of the keys that begin as buf does. The fields before step st, which are not all, are
// written in buf. It is an error if these keys need more than one range.
func One(buf []byte, st *layout.Step) (r Range, err error) {
	var slots [layout.FewFields]layout.Slot
	t, err := templateOf(buf, st, slots[:0])
	if err != nil {
		return r, err
	}
	n, err := t.ranges(st.S)
	switch {
	case err != nil:
		return r, err
	case n == 1 && t.each() > 1:
		why := "a key that ends in a null lies apart"
		if t.null != nil {
			why = "its null lies between"
		}
		return r, st.S.ErrAt(st.C.Name, -1, &fault.Detail{Text: "2 ranges, since " + why + ": use AppendRanges", Reason: fault.ErrManyRanges})
	case n > 1:
		return r, st.S.ErrAt(t.open[0].C.Name, -1, &fault.Detail{Text: fmt.Sprintf("%d ranges, since it is not known from the fields so far: use AppendRanges", n), Reason: fault.ErrManyRanges})
	}
	var arena []byte
	if len(t.open) == 0 {
		arena = make([]byte, 0, 2*len(t.buf)+1)
	}
	_, err = t.yield(arena, n, st.S, func(one Range) { r = one })
	return r, err
}

// Each yields the ranges of the keys that begin as buf does (see One), and appends their bytes
// to arena. Before the first it calls count with the number of ranges, which may be fewer.
func Each(buf []byte, st *layout.Step, arena []byte, count func(int), yield func(Range)) ([]byte, error) {
	var slots [layout.FewFields]layout.Slot
	t, err := templateOf(buf, st, slots[:0])
	if err != nil {
		return arena, err
	}
	n, err := t.ranges(st.S)
	if err != nil {
		return arena, err
	}
	count(n * int(t.each()))
	return t.yield(arena, n, st.S, yield)
}

// yield gives the n ranges, or twice n, and appends their bytes to arena.
func (t *template) yield(arena []byte, n int, s *layout.Schema, yield func(Range)) ([]byte, error) {
	switch {
	case len(t.open) == 0:
		return t.around(arena, t.buf, s, yield), nil
	case len(t.open) == 1 && t.patches():
		return t.patch(arena, s, yield), nil
	}
	return t.combine(arena, n, s, yield)
}

// patches reports that the ranges of the one open slot differ in the bytes of this slot alone.
// The last byte of buf lies after the slot and is not ff, so the stop is the start with this
// byte plus 1: 0c 61 62 and 0c 61 63.
func (t *template) patches() bool {
	o := t.open[0]
	return !t.exact && t.trim == 0 && t.last == nil && t.null == nil && o.C.Shape.Fixed() && o.Off+o.C.Shape.Min < len(t.buf) && t.buf[len(t.buf)-1] != 0xff
}

// patch appends the ranges of the one open slot: a start and its stop, copied
// for each form.
func (t *template) patch(arena []byte, s *layout.Schema, yield func(Range)) []byte {
	o, n := t.open[0], len(t.buf)
	forms := o.C.Forms
	at := len(arena)
	size := 2 * n * len(forms)
	arena = slices.Grow(arena, size)[:at+size]
	rows := arena[at:]
	copy(rows, t.buf)
	copy(rows[n:], t.buf)
	StepUp(rows[n : 2*n])
	for have := 2 * n; have < size; have *= 2 {
		copy(rows[have:], rows[:have])
	}
	for i, form := range forms {
		r := rows[2*n*i : 2*n*(i+1) : 2*n*(i+1)]
		if len(form) == 1 {
			r[o.Off], r[n+o.Off] = form[0], form[0]
		} else {
			copy(r[o.Off:], form)
			copy(r[n+o.Off:], form)
		}
		yield(Range{r[:n:n], r[n:], Bounded, s})
	}
	return arena
}

// combine yields the ranges of several open slots, or of one whose forms differ in
// length.
func (t *template) combine(arena []byte, n int, s *layout.Schema, yield func(Range)) ([]byte, error) {
	var few [layout.FewFields]int // for each slot, the number of the form that is in it now
	if len(t.open) > len(few) {
		return arena, s.ErrAt(t.open[0].C.Name, -1, fault.ErrManyRanges)
	}
	pick := few[:len(t.open)]
	longest := len(t.buf) + 1
	for _, o := range t.open {
		if !o.C.Shape.Fixed() {
			longest += o.C.Shape.Max
		}
	}
	arena = slices.Grow(arena, 2*n*int(t.each())*longest)
	var room [128]byte
	p := room[:0]
	next := func(i int) bool {
		pick[i] = Next(pick[i], len(t.open[i].C.Forms))
		return pick[i] > 0
	}
	for more := true; more; more = Turn(len(pick), next) {
		p = t.filled(p[:0], pick)
		arena = t.around(arena, p, s, yield)
	}
	return arena, nil
}

// filled appends the template with a form in each open slot.
func (t *template) filled(dst []byte, pick []int) []byte {
	from := 0
	for i, o := range t.open {
		dst = append(append(dst, t.buf[from:o.Off]...), o.C.Forms[pick[i]]...)
		from = o.Off + o.C.Empty
	}
	return append(dst, t.buf[from:]...)
}

// around yields the ranges of one beginning p, one or two. It leaves out one in which no key
// can lie, since p is longer than a key.
func (t *template) around(arena, p []byte, s *layout.Schema, yield func(Range)) []byte {
	var few [2]Range
	ranges := few[:0]
	switch {
	case t.null != nil:
		ranges, arena = appendAround(ranges, arena, p, t.null)
	case t.last != nil && !t.exact:
		few[0], arena = Clipped(t.last, arena, p)
		ranges = few[:1]
	default:
		ranges, arena = AppendHead(ranges, arena, p, t.exact, t.trim, t.apart)
	}
	for _, r := range ranges {
		if !r.fits() { // by nulls that a key leaves out
			if r = r.Fit(); r.Empty() {
				continue
			}
		}
		r.Of = s
		yield(r)
	}
	return arena
}

// Turn goes to the next combination of some choices. The last choice changes first: two choices
// of 0 and 1 go 00, 01, 10, 11. next(i) takes the next value of choice i; after the last it takes
// the first one again and is false. Turn is false after the last combination.
func Turn(choices int, next func(i int) bool) bool {
	for i := choices - 1; i >= 0; i-- {
		if next(i) {
			return true
		}
	}
	return false
}

// Next is the number after at, or 0 if that is n.
func Next(at, n int) int {
	if at++; at < n {
		return at
	}
	return 0
}
