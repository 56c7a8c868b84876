package rowkey

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// keyRange is a half-open range of row keys in three states. The zero keyRange is empty.
type keyRange struct {
	start, stop []byte
	state       rangeState
	of          *layout.Schema // whose keys it holds; nil if that is not known
}

type rangeState uint8

const (
	empty rangeState = iota
	bounded
	unbounded
)

// between is [start, stop), of a copy of both; stop lies behind start.
func between(start, stop []byte) keyRange {
	b := append(append(make([]byte, 0, len(start)+len(stop)), start...), stop...)
	n := len(start)
	return keyRange{b[:n:n], b[n:len(b):len(b)], bounded, nil}
}

// appendRange is the range of the keys that begin with p, or with exact of p
// alone, with its bytes appended to arena.
func appendRange(arena, p []byte, exact bool) (keyRange, []byte) {
	at := len(arena)
	arena = append(arena, p...)
	mid := len(arena)
	if exact {
		arena = append(append(arena, p...), 0) // the next key of all
		return keyRange{arena[at:mid:mid], arena[mid:len(arena):len(arena)], bounded, nil}, arena
	}
	arena = append(arena, p...)
	n, ok := stepUp(arena[mid:])
	end := mid + n
	if !ok {
		return keyRange{arena[at:mid:mid], arena[mid:mid:mid], unbounded, nil}, arena[:mid]
	}
	return keyRange{arena[at:mid:mid], arena[mid:end:end], bounded, nil}, arena[:end]
}

// stepUp turns b into the first key behind all that begin with it, in place, and
// gives its length; false if there is none.
func stepUp(b []byte) (int, bool) {
	n := len(b)
	for n > 0 && b[n-1] == 0xff {
		n--
	}
	if n == 0 {
		return 0, false
	}
	b[n-1]++
	return n, true
}

// appendSuccessor appends the first key behind all that begin with p: p without
// its trailing ff, the last byte one up. False if there is none.
func appendSuccessor(dst, p []byte) ([]byte, bool) {
	at := len(dst)
	dst = append(dst, p...)
	n, ok := stepUp(dst[at:])
	return dst[:at+n], ok
}

// The bounds of an empty range read nothing. Equal bounds would be a get, and
// empty ones a whole table.
var (
	emptyStart = []byte{0xff}
	emptyStop  = []byte{0x00}
)

// Bounds are the start, inclusive, and the stop, exclusive: ff and 00 of an empty range.
func (r keyRange) Bounds() (start, stop []byte) {
	if r.state == empty {
		return slices.Clone(emptyStart), slices.Clone(emptyStop)
	}
	return r.start, r.stop
}

// Empty reports that no row can lie in the range.
func (r keyRange) Empty() bool { return r.state == empty }

// Unbounded reports that the range runs to the end of the table.
func (r keyRange) Unbounded() bool { return r.state == unbounded }

// Contains reports that a row lies in the range.
func (r keyRange) Contains(row []byte) bool {
	return r.state != empty && bytes.Compare(row, r.start) >= 0 && (r.state == unbounded || bytes.Compare(row, r.stop) < 0)
}

// Shell is the range as arguments of hbase shell's scan.
func (r keyRange) Shell() string {
	if r.state == unbounded {
		return `STARTROW => "` + shell.Text(r.start) + `"`
	}
	start, stop := r.Bounds()
	return `STARTROW => "` + shell.Text(start) + `", STOPROW => "` + shell.Text(stop) + `"`
}

// String is the range as hbase shell text.
func (r keyRange) String() string {
	switch r.state {
	case empty:
		return "[nothing)"
	case unbounded:
		return "[" + shell.Text(r.start) + ", end of table)"
	}
	return "[" + shell.Text(r.start) + ", " + shell.Text(r.stop) + ")"
}

// template is the beginning of the keys of a range, with open slots in it.
type template struct {
	buf   []byte
	open  []layout.Slot
	exact bool              // one key, of a form that others may begin with
	last  *layout.Component // the last in buf, if forms of it go on where others end
	trim  int               // bytes at the end that a key lacks if nothing but nulls follows
	apart bool              // and then it lies apart from those that go on
	null  []byte            // with which a null goes on behind buf, a Prefix
}

// templateOf is what the fields so far, and perhaps a prefix, decide.
func templateOf(buf []byte, st *layout.Step, slots []layout.Slot) (template, error) {
	s := st.S
	prefix := st.Op == layout.OpPrefix
	if st.I == 0 && !prefix {
		return template{}, s.ErrAt("", -1, &fault.Detail{Text: "supply " + s.Fields[0].Name + " at least, or say PrefixRange(nil)", Reason: fault.ErrFullScan})
	}
	t := template{buf: buf, open: st.Open}
	if !prefix {
		t.last = st.Last
	}
	switch {
	case st.Op == layout.OpEnd:
		key, err := s.Finish(buf, st)
		if err != nil {
			return t, err
		}
		return template{buf: key, exact: begunByAll(s)}, nil
	case s.Gathered:
		given := s.Gather(buf, st.I, prefix)
		n := len(buf)
		row, open, trim, apart, err := s.Assemble(buf, given.Row(), st.I, prefix, slots)
		if err != nil {
			return t, err
		}
		t.buf, t.open, t.trim, t.apart = row[n:], open, trim, apart
	default:
		t.buf, t.trim, t.apart = buf[:len(buf)-st.Cut], st.Trim, st.Apart
	}
	if st.Whole && !prefix {
		t.buf, t.trim, t.exact = t.buf[:len(t.buf)-t.trim], 0, begunByAll(s)
	}
	t.null = st.Nulls
	switch {
	case len(t.buf) == 0:
		return t, s.ErrAt("", -1, fault.ErrFullScan)
	case len(t.buf)-t.trim > s.MaxLen:
		return t, s.ErrAt("", -1, s.KeyRefused(len(t.buf)-t.trim))
	}
	return t, nil
}

// begunByAll reports that a whole key may be what others begin with.
func begunByAll(s *layout.Schema) bool {
	last := &s.Comps[len(s.Comps)-1]
	for last.Absent {
		last = &s.Comps[last.Index-1]
	}
	return s.Trims || last.Ends == forms.EndLast
}

// appendHead appends the ranges of the keys that begin with p, or with exact of
// p alone, and their bytes to arena. Nulls at the end of a key are cut off: a key
// whose nulls were cut is p without its last trim bytes. It sorts just before p, and
// shares p's range: of p = 61 00 00 and trim 2 the range begins at 61. Not so where
// apart says that other keys lie between the two, as in descending OrderedBytes: then
// it has a range of its own.
func appendHead(dst []keyRange, arena, p []byte, exact bool, trim int, apart bool) ([]keyRange, []byte) {
	short := p[:len(p)-trim]
	var r keyRange
	switch {
	case trim == 0 || len(short) == 0:
		r, arena = appendRange(arena, p, exact)
	case apart:
		r, arena = appendRange(arena, short, true)
		dst = append(dst, r)
		r, arena = appendRange(arena, p, exact)
	default:
		r, arena = appendRange(arena, p, exact)
		r.start = r.start[:len(short):len(short)]
	}
	return append(dst, r), arena
}

// appendAround appends the ranges of the keys that begin with p, but for those
// where a null goes on behind it.
func appendAround(dst []keyRange, arena, p, null []byte) ([]keyRange, []byte) {
	at := len(arena)
	arena = append(append(append(arena, p...), p...), null...)
	mid, end := at+len(p), len(arena)
	dst = append(dst, keyRange{arena[at:mid:mid], arena[mid:end:end], bounded, nil})
	r, arena := appendRange(arena, p, false)
	at = len(arena)
	arena, _ = appendSuccessor(arena, dst[len(dst)-1].stop) // there is one: the null does not end in ff
	r.start = arena[at:len(arena):len(arena)]
	return append(dst, r), arena
}

// each is how many ranges there are of one beginning.
func (t *template) each() float64 {
	if t.null != nil || t.apart && t.trim > 0 && t.trim < len(t.buf) {
		return 2
	}
	return 1
}

// ranges is how many beginnings a template has, and an error where they cannot
// be listed.
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
		return 0, s.ErrAt(t.open[0].C.Name, -1, &fault.Detail{Text: fmt.Sprintf("%.0f ranges, one for each value of what is open in front; at most %d", n, layout.MaxForms), Reason: fault.ErrManyRanges})
	}
	return int(n), nil
}

// oneRange is the range of what is written in buf, before a step.
func oneRange(buf []byte, st *layout.Step) (r keyRange, err error) {
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
	_, err = t.yield(arena, n, st.S, func(one keyRange) { r = one })
	return r, err
}

// eachRange yields the ranges of what is written in buf, before a step, with their bytes
// appended to arena; count is told first how many there are.
func eachRange(buf []byte, st *layout.Step, arena []byte, count func(int), yield func(keyRange)) ([]byte, error) {
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
func (t *template) yield(arena []byte, n int, s *layout.Schema, yield func(keyRange)) ([]byte, error) {
	switch {
	case len(t.open) == 0:
		var few [2]keyRange
		ranges, arena := t.append(few[:0], arena)
		for _, r := range ranges {
			r.of = s
			yield(r)
		}
		return arena, nil
	case len(t.open) == 1 && t.patches():
		return t.patch(arena, s, yield), nil
	}
	return t.combine(arena, n, s, yield)
}

// patches reports that the ranges of the one open slot differ in its bytes
// alone: the step from start to stop is taken behind it and carries nothing.
func (t *template) patches() bool {
	o := t.open[0]
	return !t.exact && t.trim == 0 && t.last == nil && t.null == nil && o.C.Shape.Fixed() && o.Off+o.C.Shape.Min < len(t.buf) && t.buf[len(t.buf)-1] != 0xff
}

// patch appends the ranges of the one open slot: a start and its stop, copied
// for each form.
func (t *template) patch(arena []byte, s *layout.Schema, yield func(keyRange)) []byte {
	o, n := t.open[0], len(t.buf)
	forms := o.C.Forms
	at := len(arena)
	arena = slices.Grow(arena, 2*n*len(forms))
	arena = append(append(arena, t.buf...), t.buf...)
	stepUp(arena[at+n:])
	for i, form := range forms {
		if i > 0 {
			arena = append(arena, arena[at:at+2*n]...)
			at += 2 * n
		}
		r := arena[at : at+2*n : at+2*n]
		if len(form) == 1 {
			r[o.Off], r[n+o.Off] = form[0], form[0]
		} else {
			copy(r[o.Off:], form)
			copy(r[n+o.Off:], form)
		}
		yield(keyRange{r[:n:n], r[n:], bounded, s})
	}
	return arena
}

// combine appends the n ranges of several open slots, or of one whose forms
// differ in length.
func (t *template) combine(arena []byte, n int, s *layout.Schema, yield func(keyRange)) ([]byte, error) {
	var pick [layout.FewFields]int // of each slot's forms, the one at hand
	if len(t.open) > len(pick) {
		return arena, s.ErrAt(t.open[0].C.Name, -1, fault.ErrManyRanges)
	}
	longest := len(t.buf) + 1
	for _, o := range t.open {
		if !o.C.Shape.Fixed() {
			longest += o.C.Shape.Max
		}
	}
	each := int(t.each())
	arena = slices.Grow(arena, (2*n*each+1)*longest)
	for range n {
		at := len(arena)
		from := 0
		for i, o := range t.open {
			arena = append(append(arena, t.buf[from:o.Off]...), o.C.Forms[pick[i]]...)
			if from = o.Off; o.C.Shape.Fixed() {
				from += o.C.Shape.Min
			}
		}
		arena = append(arena, t.buf[from:]...)
		mid := len(arena)
		if t.null != nil {
			var few [2]keyRange
			var two []keyRange
			two, arena = appendAround(few[:0], arena[:at], slices.Clone(arena[at:mid]), t.null)
			for _, r := range two {
				r.of = s
				yield(r)
			}
			nextPick(pick[:len(t.open)], t.open)
			continue
		}
		if t.last != nil && !t.exact {
			var r keyRange
			r, arena = clippedRange(t.last, arena[:at], slices.Clone(arena[at:mid]))
			r.of = s
			yield(r)
			nextPick(pick[:len(t.open)], t.open)
			continue
		}
		if each == 2 { // the one key that ends in nulls, then those that go on
			short := arena[at : mid-t.trim : mid-t.trim]
			arena = append(append(arena, short...), 0)
			end := len(arena)
			yield(keyRange{short, arena[mid:end:end], bounded, s})
			arena = append(arena, arena[at:mid]...)
			at, mid = end, len(arena)
		}
		state := bounded
		if t.exact {
			arena = append(append(arena, arena[at:mid]...), 0)
		} else {
			var ok bool
			if arena, ok = appendSuccessor(arena, arena[at:mid]); !ok {
				state = unbounded
			}
		}
		end := len(arena)
		start := arena[at:mid:mid]
		if each == 1 {
			start = arena[at : mid-t.trim : mid-t.trim]
		}
		yield(keyRange{start, arena[mid:end:end], state, s})
		nextPick(pick[:len(t.open)], t.open)
	}
	return arena, nil
}

// nextPick is the next combination of the slots' forms, the last slot fastest.
func nextPick(pick []int, open []layout.Slot) {
	for i := len(open) - 1; i >= 0; i-- {
		if pick[i]++; pick[i] < len(open[i].C.Forms) {
			break
		}
		pick[i] = 0
	}
}

// append appends the ranges of a template of which nothing is open.
func (t *template) append(dst []keyRange, arena []byte) ([]keyRange, []byte) {
	if t.null != nil {
		return appendAround(dst, arena, t.buf, t.null)
	}
	if t.last != nil && !t.exact {
		r, arena := clippedRange(t.last, arena, t.buf)
		return append(dst, r), arena
	}
	return appendHead(dst, arena, t.buf, t.exact, t.trim, t.apart)
}

// checkPrefix says why the values that begin with p are not the stored forms
// that begin with form.
func checkPrefix(c *layout.Component, p string, form []byte) error {
	switch {
	case len(form) == 0: // of a step that leaves off what all its values begin with
		return errNoPrefix
	case c.Value.Max >= 0 && len(p) > c.Value.Max:
		return layout.LengthRefused(len(p), 0, c.Value.Max)
	case c.Vias > 0 && !c.Loose && c.Shape.Max >= 0 && len(form) > c.Shape.Max:
		return layout.LengthRefused(len(form), 0, c.Shape.Max)
	case c.Frame == layout.FramePad && form[len(form)-1]^c.Flip() == c.Pad && !c.Loose:
		return layout.EndRefused("ends in", c.Pad) // the shorter value is padded to the same bytes
	case c.Frame == layout.FrameNul && strings.IndexByte(p, 0) >= 0:
		return layout.ErrHoldsEnd
	case c.Null != nil && bytes.HasPrefix(form, c.Null):
		return layout.ErrBeginNull
	}
	if c.OneOf != nil {
		begins := false
		for v := range c.OneOf {
			begins = begins || strings.HasPrefix(v, p)
		}
		if !begins {
			return &fault.Detail{Text: "none of its " + layout.Plural(len(c.OneOf), "value") + " begins so", Reason: fault.ErrRange}
		}
	}
	for i := range len(p) {
		if c.Chars != nil && !c.Chars[p[i]] {
			return c.CharRefused(i, len(p))
		}
	}
	if c.Mark != nil && !c.Loose {
		if bytes.Contains(form, c.Mark) || endsAsBegins(form, c.Mark) { // a shorter value and its separator begin with the same bytes
			return c.MarkRefused(form)
		}
	}
	return nil
}
