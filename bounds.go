package rowkey

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Range is a half-open range of row keys. The zero Range is empty.
//
// To HBase an empty stop row means the end of the table, so that an empty
// result which becomes an empty stop reads, or deletes, everything. Here empty,
// bounded and unbounded are three states, and only an unbounded range has an
// empty stop.
type Range struct {
	start, stop []byte
	state       rangeState
	of          *schema // whose keys it holds; nil if that is not known
}

type rangeState uint8

const (
	empty rangeState = iota
	bounded
	unbounded
)

// NewRange is [start, stop); an empty stop is refused: say PrefixRange(nil) for
// a whole table. start and stop are copied; where they are equal the Range is
// empty.
func NewRange(start, stop []byte) (Range, error) {
	if len(stop) == 0 {
		return Range{}, &Error{Offset: -1, Err: &detail{"an empty stop would read to the end of the table", ErrLength}}
	}
	switch c := bytes.Compare(start, stop); {
	case c > 0:
		return Range{}, &Error{Offset: -1, Err: ErrInverted}
	case c == 0:
		return Range{}, nil
	}
	b := append(append(make([]byte, 0, len(start)+len(stop)), start...), stop...)
	n := len(start)
	return Range{b[:n:n], b[n:len(b):len(b)], bounded, nil}, nil
}

// PrefixRange is every row that begins with p: the one prefix successor. An
// empty p is the whole table.
func PrefixRange(p []byte) Range {
	r, _ := appendRange(make([]byte, 0, 2*len(p)), p, false)
	return r
}

// appendRange is the range of the keys that begin with p, or with exact of p
// alone, with its bytes appended to arena.
func appendRange(arena, p []byte, exact bool) (Range, []byte) {
	at := len(arena)
	arena = append(arena, p...)
	mid := len(arena)
	if exact {
		arena = append(append(arena, p...), 0) // the next key of all
		return Range{arena[at:mid:mid], arena[mid:len(arena):len(arena)], bounded, nil}, arena
	}
	arena = append(arena, p...)
	n, ok := stepUp(arena[mid:])
	end := mid + n
	if !ok {
		return Range{arena[at:mid:mid], arena[mid:mid:mid], unbounded, nil}, arena[:mid]
	}
	return Range{arena[at:mid:mid], arena[mid:end:end], bounded, nil}, arena[:end]
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

// Start is the first row, inclusive. Its bytes are those of the Range, and of the
// Plan or the arena that the Range came from: do not change them. An empty Range
// starts at ff and stops at 00, which reads nothing, in bytes that are new each
// time.
func (r Range) Start() []byte {
	if r.state == empty {
		return slices.Clone(emptyStart)
	}
	return r.start
}

// Stop is the end, exclusive; it is empty only where Unbounded. As those of Start,
// its bytes are not to be changed.
func (r Range) Stop() []byte {
	if r.state == empty {
		return slices.Clone(emptyStop)
	}
	return r.stop
}

// Empty reports that no row can lie in the range.
func (r Range) Empty() bool { return r.state == empty }

// Unbounded reports that the range runs to the end of the table.
func (r Range) Unbounded() bool { return r.state == unbounded }

// Contains reports whether a row lies in the range.
func (r Range) Contains(row []byte) bool {
	return r.state != empty && bytes.Compare(row, r.start) >= 0 && (r.state == unbounded || bytes.Compare(row, r.stop) < 0)
}

// Shell is the range as arguments of hbase shell's scan and count.
func (r Range) Shell() string {
	if r.state == unbounded {
		return `STARTROW => "` + shell.Text(r.start) + `"`
	}
	return `STARTROW => "` + shell.Text(r.Start()) + `", STOPROW => "` + shell.Text(r.Stop()) + `"`
}

// String is the range as hbase shell text: [start, stop).
func (r Range) String() string {
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
	open  []slot
	exact bool       // one key, of a form that others may begin with
	last  *component // the last in buf, if forms of it go on where others end
	trim  int        // bytes at the end that a key lacks if nothing but nulls follows
	apart bool       // and then it lies apart from those that go on
	null  []byte     // with which a null goes on behind buf, a Prefix
}

// template is what the fields so far, and perhaps a prefix, decide.
func (k KeyBuilder) template(slots []slot) (template, error) {
	if k.st == nil || k.st.op == opBad {
		_, err := k.finish()
		return template{}, err
	}
	st := k.st
	s := st.s
	prefix := st.op == opPrefix
	if st.i == 0 && !prefix {
		return template{}, s.errAt("", -1, &detail{"supply " + s.fields[0].name + " at least, or say PrefixRange(nil)", ErrFullScan})
	}
	t := template{buf: k.buf, open: st.open}
	if !prefix {
		t.last = st.last
	}
	switch {
	case st.op == opEnd:
		key, err := s.finish(k.buf, st)
		if err != nil {
			return t, err
		}
		return template{buf: key, exact: begunByAll(s)}, nil
	case s.gathered:
		given := s.gather(k.buf, st.i, prefix)
		n := len(k.buf)
		buf, open, trim, apart, err := s.assemble(k.buf, given.row(), st.i, prefix, slots)
		if err != nil {
			return t, err
		}
		t.buf, t.open, t.trim, t.apart = buf[n:], open, trim, apart
	default:
		t.buf, t.trim, t.apart = k.buf[:len(k.buf)-st.cut], st.trim, st.apart
	}
	if st.whole && !prefix {
		t.buf, t.trim, t.exact = t.buf[:len(t.buf)-t.trim], 0, begunByAll(s)
	}
	t.null = st.nulls
	switch {
	case len(t.buf) == 0:
		return t, s.errAt("", -1, ErrFullScan)
	case len(t.buf)-t.trim > s.maxLen:
		return t, s.errAt("", -1, s.keyRefused(len(t.buf)-t.trim))
	}
	return t, nil
}

// begunByAll reports that a whole key may be what others begin with.
func begunByAll(s *schema) bool {
	last := &s.comps[len(s.comps)-1]
	for last.absent {
		last = &s.comps[last.index-1]
	}
	return s.trims || last.ends == forms.EndLast
}

// appendHead appends the ranges of the keys that begin with p, or with exact of
// p alone, and their bytes to arena. Nulls at the end of a key are cut off: a key
// whose nulls were cut is p without its last trim bytes. It sorts just before p, and
// shares p's range: of p = 61 00 00 and trim 2 the range begins at 61. Not so where
// apart says that other keys lie between the two, as in descending OrderedBytes: then
// it has a range of its own.
func appendHead(dst []Range, arena, p []byte, exact bool, trim int, apart bool) ([]Range, []byte) {
	short := p[:len(p)-trim]
	var r Range
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
func appendAround(dst []Range, arena, p, null []byte) ([]Range, []byte) {
	at := len(arena)
	arena = append(append(append(arena, p...), p...), null...)
	mid, end := at+len(p), len(arena)
	dst = append(dst, Range{arena[at:mid:mid], arena[mid:end:end], bounded, nil})
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
func (t *template) ranges(s *schema) (int, error) {
	n := 1.0
	for _, o := range t.open {
		if o.c.role == roleCopy {
			return 0, s.errAt(o.c.name, -1, &detail{"stands before a field that is fixed, and is not known until " + o.c.of.name + " is", ErrManyRanges})
		}
		n *= o.c.count()
	}
	if each := t.each(); n*each > maxForms {
		n *= each
		return 0, s.errAt(t.open[0].c.name, -1, &detail{fmt.Sprintf("%.0f ranges, one for each value of what is open in front; at most %d", n, maxForms), ErrManyRanges})
	}
	return int(n), nil
}

// Range is every row that begins with the fields supplied so far: at least one
// field, and one range, else an error. With all fields supplied it is that one
// row. It owns its bytes. Over a Loose field it covers: rows of other values
// may lie in it.
func (k KeyBuilder) Range() (Range, error) {
	var slots [fewFields]slot
	t, err := k.template(slots[:0])
	if err != nil {
		return Range{}, err
	}
	if n, err := t.ranges(k.st.s); err != nil {
		return Range{}, err
	} else if n == 1 && t.each() > 1 {
		why := "a key that ends in a null lies apart"
		if t.null != nil {
			why = "its null lies between"
		}
		return Range{}, k.st.s.errAt(k.st.c.name, -1, &detail{"2 ranges, since " + why + ": use AppendRanges", ErrManyRanges})
	} else if len(t.open) > 0 && n == 1 {
		ranges, _, err := k.AppendRanges(make([]Range, 0, 1), nil)
		if err != nil {
			return Range{}, err
		}
		return ranges[0], nil
	} else if len(t.open) > 0 {
		return Range{}, k.st.s.errAt(t.open[0].c.name, -1, &detail{fmt.Sprintf("%d ranges, since it is not known from the fields so far: use AppendRanges", n), ErrManyRanges})
	}
	var one [1]Range
	ranges, _ := t.append(one[:0], make([]byte, 0, 2*len(t.buf)+1))
	ranges[0].of = k.st.s
	return ranges[0], nil
}

// AppendRanges appends the range of every open bucket to dst, in key order, and
// their bytes to arena; no allocation where both have room. Where nothing is
// open it is the one Range. More than 1024 ranges are refused. On error dst and
// arena come back as they were.
func (k KeyBuilder) AppendRanges(dst []Range, arena []byte) ([]Range, []byte, error) {
	if st := k.st; st != nil && st.op < opEnd && st.i > 0 && !st.s.gathered && len(st.open)+st.trim == 0 && !st.whole && st.last == nil {
		if p := k.buf[:len(k.buf)-st.cut]; len(p) > 0 && len(p) <= st.s.maxLen {
			r, arena := appendRange(arena, p, false)
			r.of = st.s
			return append(dst, r), arena, nil
		}
	}
	from := len(dst)
	dst, arena, err := k.appendRanges(dst, arena)
	if err == nil {
		for i := range dst[from:] {
			dst[from+i].of = k.st.s
		}
	}
	return dst, arena, err
}

func (k KeyBuilder) appendRanges(dst []Range, arena []byte) ([]Range, []byte, error) {
	var slots [fewFields]slot
	t, err := k.template(slots[:0])
	if err != nil {
		return dst, arena, err
	}
	n, err := t.ranges(k.st.s)
	if err != nil {
		return dst, arena, err
	}
	dst = slices.Grow(dst, n*int(t.each()))
	switch {
	case len(t.open) == 0:
		dst, arena = t.append(dst, arena)
		return dst, arena, nil
	case len(t.open) == 1 && t.patches():
		dst, arena = t.patch(dst, arena)
		return dst, arena, nil
	}
	return t.combine(dst, arena, n, k.st.s)
}

// patches reports that the ranges of the one open slot differ in its bytes
// alone: the step from start to stop is taken behind it and carries nothing.
func (t *template) patches() bool {
	o := t.open[0]
	return !t.exact && t.trim == 0 && t.last == nil && t.null == nil && o.c.shape.Fixed() && o.off+o.c.shape.Min < len(t.buf) && t.buf[len(t.buf)-1] != 0xff
}

// patch appends the ranges of the one open slot: a start and its stop, copied
// for each form.
func (t *template) patch(dst []Range, arena []byte) ([]Range, []byte) {
	o, n := t.open[0], len(t.buf)
	forms := o.c.forms
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
			r[o.off], r[n+o.off] = form[0], form[0]
		} else {
			copy(r[o.off:], form)
			copy(r[n+o.off:], form)
		}
		dst = append(dst, Range{r[:n:n], r[n:], bounded, nil})
	}
	return dst, arena
}

// combine appends the n ranges of several open slots, or of one whose forms
// differ in length.
func (t *template) combine(dst []Range, arena []byte, n int, s *schema) ([]Range, []byte, error) {
	var pick [fewFields]int // of each slot's forms, the one at hand
	if len(t.open) > len(pick) {
		return dst, arena, s.errAt(t.open[0].c.name, -1, ErrManyRanges)
	}
	longest := len(t.buf) + 1
	for _, o := range t.open {
		if !o.c.shape.Fixed() {
			longest += o.c.shape.Max
		}
	}
	each := int(t.each())
	arena = slices.Grow(arena, (2*n*each+1)*longest)
	for range n {
		at := len(arena)
		from := 0
		for i, o := range t.open {
			arena = append(append(arena, t.buf[from:o.off]...), o.c.forms[pick[i]]...)
			if from = o.off; o.c.shape.Fixed() {
				from += o.c.shape.Min
			}
		}
		arena = append(arena, t.buf[from:]...)
		mid := len(arena)
		if t.null != nil {
			dst, arena = appendAround(dst, arena[:at], slices.Clone(arena[at:mid]), t.null)
			nextPick(pick[:len(t.open)], t.open)
			continue
		}
		if t.last != nil && !t.exact {
			var r Range
			r, arena = clippedRange(t.last, arena[:at], slices.Clone(arena[at:mid]))
			dst = append(dst, r)
			nextPick(pick[:len(t.open)], t.open)
			continue
		}
		if each == 2 { // the one key that ends in nulls, then those that go on
			short := arena[at : mid-t.trim : mid-t.trim]
			arena = append(append(arena, short...), 0)
			end := len(arena)
			dst = append(dst, Range{short, arena[mid:end:end], bounded, nil})
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
		dst = append(dst, Range{start, arena[mid:end:end], state, nil})
		nextPick(pick[:len(t.open)], t.open)
	}
	return dst, arena, nil
}

// nextPick is the next combination of the slots' forms, the last slot fastest.
func nextPick(pick []int, open []slot) {
	for i := len(open) - 1; i >= 0; i-- {
		if pick[i]++; pick[i] < len(open[i].c.forms) {
			break
		}
		pick[i] = 0
	}
}

// append appends the ranges of a template of which nothing is open.
func (t *template) append(dst []Range, arena []byte) ([]Range, []byte) {
	if t.null != nil {
		return appendAround(dst, arena, t.buf, t.null)
	}
	if t.last != nil && !t.exact {
		r, arena := clippedRange(t.last, arena, t.buf)
		return append(dst, r), arena
	}
	return appendHead(dst, arena, t.buf, t.exact, t.trim, t.apart)
}

// Prefix supplies the beginning of a text field; only Range and AppendRanges
// can follow. It is not empty: leave it out to read every value. One that ends
// as its field's padding or as the beginning of its separator is refused, since
// shorter values are stored alike. Behind a Transform the Traits must say Prefixes.
func (k KeyBuilder) Prefix(p string) KeyBuilder {
	if !k.want(kindString, kindBinary) {
		return k.fail(ErrType)
	}
	st := k.st
	switch {
	case !keepsPrefixes(st.c):
		return k.fail(whyNotBegun(st.c))
	case p == "":
		return k.fail(errNoPrefix)
	}
	buf, err := appendPrefix(st.c, k.buf, p)
	if err == nil {
		err = checkPrefix(st.c, p, buf[len(k.buf):])
	}
	if err != nil {
		return k.fail(err)
	}
	next := st.pre
	if st.preNull != nil && bytes.HasPrefix(st.c.null, buf[len(k.buf):]) {
		next = st.preNull
	}
	if st.s.gathered {
		buf = append(k.buf, p...)
	}
	return KeyBuilder{buf, next}
}

// checkPrefix says why the values that begin with p are not the stored forms
// that begin with form.
func checkPrefix(c *component, p string, form []byte) error {
	switch {
	case len(form) == 0: // of a step that leaves off what all its values begin with
		return errNoPrefix
	case c.value.Max >= 0 && len(p) > c.value.Max:
		return lengthRefused(len(p), 0, c.value.Max)
	case c.vias > 0 && !c.loose && c.shape.Max >= 0 && len(form) > c.shape.Max:
		return lengthRefused(len(form), 0, c.shape.Max)
	case c.frame == framePad && form[len(form)-1]^c.flip() == c.pad && !c.loose:
		return endRefused("ends in", c.pad) // the shorter value is padded to the same bytes
	case c.frame == frameNul && strings.IndexByte(p, 0) >= 0:
		return errHoldsEnd
	case c.null != nil && bytes.HasPrefix(form, c.null):
		return errBeginNull
	}
	if c.oneOf != nil {
		begins := false
		for v := range c.oneOf {
			begins = begins || strings.HasPrefix(v, p)
		}
		if !begins {
			return &detail{"none of its " + plural(len(c.oneOf), "value") + " begins so", ErrRange}
		}
	}
	for i := range len(p) {
		if c.chars != nil && !c.chars[p[i]] {
			return c.charRefused(i, len(p))
		}
	}
	if c.mark != nil && !c.loose {
		if bytes.Contains(form, c.mark) || endsAsBegins(form, c.mark) { // a shorter value and its separator begin with the same bytes
			return c.markRefused(form)
		}
	}
	return nil
}
