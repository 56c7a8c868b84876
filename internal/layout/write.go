package layout

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A Step writes one field.
type Step struct {
	hot
	Done int // in the last step: shorter keys need no more work; 0 in all other steps, and if every key needs more work
	hotMore
	site

	// Own is the step of a key in memory of its own: it has OpOwn and leads back by Plain. Each
	// step of a writer has one, since FirstOwn was called.
	Own, Plain *Step
}

// site is the place of a step in its layout. A step and its Own have the same.
type site struct {
	C     *Component
	S     *Schema
	I     int        // the index of the field; in the last step the number of fields
	Tail  []byte     // constants and empty slots up to the next field
	Whole bool       // all stored fields are supplied before this step
	Ends  bool       // all fields from here on may be null: a key may end here, and Bytes adds the nulls
	Apart bool       // other keys sort between the key without its last Trim bytes and the key with them
	Trim  int        // how many bytes of the key so far are left off if no value follows
	Null  *Step      // the next step after a null of this field
	Cut   int        // how many bytes of the key so far do not follow from the fields before it
	Last  *Component // the last component that follows from them, if it Clips; else nil
	Nulls []byte     // after a prefix that begins as a null, which sorts between the values: the other bytes of the null
	Err   error      // for OpBad and OpPrefix
}

// FirstOwn is the step of a key in memory of its own that has no field yet. Few schemas have such keys, so
// the first call makes the Own of each step.
func (s *Schema) FirstOwn() *Step {
	s.owns.Do(s.First.linkOwn)
	return s.First.Own
}

// linkOwn gives each step from st on its Own.
func (st *Step) linkOwn() {
	if st == nil || st.Own != nil {
		return
	}
	st.Own = &Step{hot: hot{Op: OpOwn}, site: st.site, Plain: st}
	st.Next.linkOwn()
	st.Null.linkOwn()
}

// BadStep is the step of a key with an error; no value can follow.
func BadStep(s *Schema, err error) *Step {
	return &Step{hot: hot{Op: OpBad}, site: site{S: s, Err: err}}
}

// Slot is the place of a derived component in a key that is being written. It holds 00 bytes
// until the component is computed: 00 61 62 becomes 0c 61 62. See constants for one that Slides.
type Slot struct {
	C    *Component
	S    *Schema
	Off  int
	From From // where Off is counted from
}

// From says from where the place of a slot is counted.
type From uint8

const (
	FromStart From = iota // of the key
	FromField             // from where the last of its fields begins
	FromEnd               // from the end of what is written with this field
	Found                 // it has no fixed distance from any of these: PlaceOf finds it
)

// At is the place of the slot in a key that has the bytes up to the next field. The last of its
// fields stands at n. It is negative only for one that is Found, and where another key has been written.
func (f *Slot) At(key []byte, n int) int {
	switch f.From {
	case FromStart:
		return f.Off
	case FromField:
		return n + f.Off
	case FromEnd:
		return len(key) + f.Off
	case Found:
		at := f.find(key, n)
		if at+f.C.Shape.Min > len(key) {
			at = -1
		}
		return at
	}
	return -1
}

// find is PlaceOf for the slot. The last of its fields stands at n.
func (f *Slot) find(key []byte, n int) int {
	if last := f.S.Fields[f.C.Needs-1]; last.Index < f.C.Index {
		return f.S.placeFrom(last.Index, n, f.C, key)
	}
	return f.S.PlaceOf(f.C, key)
}

// Opens reports that the slot of a derived component is still empty in the keys so far of a step, whose bytes are
// not gathered.
func (st *Step) Opens(c *Component) bool {
	end := min(st.S.decided(st.I), st.S.storedFrom(st.I))
	if st.Op == OpPrefix {
		end = st.C.Index
	}
	return c.Index < end && !c.Absent && !c.knownBy(st.I)
}

// Empty is the place of a slot that is open in a key so far; false if it has none, or if another key has been
// written there.
func (s *Schema) Empty(c *Component, key []byte) (at int, ok bool) {
	at = s.PlaceOf(c, key)
	_, ok = c.Room(key, at, true)
	return at, ok
}

// slotOf is the slot of a derived component.
func (s *Schema) slotOf(c *Component) Slot {
	at, f, next := &s.Places[c.Index], s.Fields[c.Needs-1], &s.Places[s.storedFrom(c.Needs)]
	switch {
	case at.varying == 0:
		return Slot{c, s, at.Least(), FromStart}
	case c.Index < f.Index && (c.Slides || at.varying < s.Places[f.Index].varying), c.Index > f.Index && s.Places[c.Index+1].varying < next.varying:
		return Slot{c, s, 0, Found}
	case c.Index < f.Index:
		return Slot{c, s, at.Least() - s.Places[f.Index].Least(), FromField}
	}
	return Slot{c, s, at.Least() - next.Least(), FromEnd}
}

// PlaceOf is the place of a component in a key that has the components before it. Each of them must
// say itself where it ends. It is -1 if one does not, as where another key has been written.
func (s *Schema) PlaceOf(c *Component, key []byte) int {
	from := c.Index
	if at := &s.Places[from]; at.varying == 0 && at.Least() <= len(key) { // the usual one, without a call
		return at.Least()
	}
	for s.Places[from].varying > 0 {
		from--
	}
	return s.placeFrom(from, s.Places[from].Least(), c, key)
}

// placeFrom is PlaceOf in a key whose component i begins at byte pos.
func (s *Schema) placeFrom(i, pos int, c *Component, key []byte) int {
	for ; i < c.Index && pos <= len(key); i++ {
		if c := &s.Comps[i]; !c.Absent {
			n := c.Extent(key[pos:])
			if n < 0 {
				return -1
			}
			pos += n
		}
	}
	if pos > len(key) {
		return -1
	}
	return pos
}

// table holds what is known of each place between two components and of each number of fields. Build
// makes it once, so that it need not walk over all components for each of them.
type table struct {
	Places []Place // one before each component, one at the end
	fields []known // of the first n fields, n from 0 to all
}

// Place is what is known of the components before one.
type Place struct {
	Clips   *Component // the last stored one, if it Clips
	min     int32      // see Least
	varying uint16     // how many of them have no fixed width
	Leads   uint16     // so many of them are what Merge's order leaves out
}

// Least is the least number of bytes before a place.
func (p *Place) Least() int { return int(p.min) }

// known is what follows from the first n fields.
type known struct {
	decided int16 // see decided
	stored  int16 // the index of the next stored field; without one, the number of components
}

// tabulate makes the table, from the shapes that lay has found.
func (s *Schema) tabulate() {
	s.Places = make([]Place, len(s.Comps)+1)
	leads := true
	for i := range s.Comps {
		at := s.Places[i]
		if c := &s.Comps[i]; !c.Absent {
			if at.min += int32(c.Shape.Min); !c.Shape.Fixed() {
				at.varying++
			}
			if at.Clips = nil; c.Clips() {
				at.Clips = c
			}
			if leads = leads && (c.Role == RoleLiteral || c.leads()); leads && c.Role != RoleLiteral {
				at.Leads = uint16(i + 1)
			}
		}
		s.Places[i+1] = at
	}
	s.fields = make([]known, len(s.Fields)+1)
	end := 0
	for n := range s.fields {
		if n > 0 && !s.Fields[n-1].Absent {
			end = max(end, s.Fields[n-1].Index+1)
		}
		for ; end < len(s.Comps); end++ {
			c := &s.Comps[end]
			if !c.Absent && (c.Role == RoleField || c.Derived() && !c.knownBy(n)) {
				break
			}
		}
		s.fields[n].decided = int16(end)
	}
	next := len(s.Comps)
	for n := len(s.Fields); n >= 0; n-- {
		if n < len(s.Fields) && !s.Fields[n].Absent {
			next = s.Fields[n].Index
		}
		s.fields[n].stored = int16(next)
	}
}

// link makes the steps.
func (s *Schema) link() {
	s.Steps = make([]Step, len(s.Fields)+1)
	if !s.Gathered {
		for _, d := range s.Derived {
			if !d.Absent && !d.Rest {
				st := &s.Steps[d.Needs-1]
				m, _ := s.mixOf(d)
				st.Mixes = append(st.Mixes, m)
			}
		}
	}
	for i := range s.Steps {
		s.linkStep(i)
	}
	s.First = &s.Steps[0]
	if !s.Gathered {
		s.Head = string(s.constants(0))
		if s.Rests == nil && s.minLen > 0 {
			s.Steps[len(s.Fields)].Done = s.MaxLen + 1
		}
	} else {
		s.Head = string(gathering[:])
		s.Hint *= 2 // the values, then the key
	}
	s.linkNulls()
	s.Spare, s.Lead = math.MinInt-max(s.Hint, 8), len(s.Head) // it wraps around
	copy(s.Front[:], s.Head)
	for i := range s.Comps[:s.storedFrom(0)] {
		if s.Comps[i].Role == RoleLiteral && s.Lead > 8 {
			s.Spare = 0
		}
	}
	s.linkStart()
}

// linkStep makes the step of field i, or the last one.
func (s *Schema) linkStep(i int) {
	st := &s.Steps[i]
	st.S, st.I = s, i
	if i == len(s.Fields) {
		st.Op = OpEnd
	} else {
		c := s.Fields[i]
		st.C = c
		st.Next = &s.Steps[i+1]
	}
	decided := s.decided(i)
	st.Last = s.Places[decided].Clips
	st.Whole = decided == len(s.Comps)
	if s.Gathered {
		return
	}
	written := s.storedFrom(i) // how many components are in the key by now
	st.Cut = s.Places[written].Least() - s.Places[min(decided, written)].Least()
	for i := decided; i < written; i++ {
		st.Cut += s.Comps[i].Slack()
	}
	if st.Op == OpEnd {
		return
	}
	if !st.C.Absent { // else they stand in the key already
		st.Tail = s.constants(st.C.Index + 1)
	}
	if len(st.Mixes) == 1 {
		m := &st.Mixes[0]
		st.OneSalt = !st.C.IsText() && st.C.Kind != KindFloat && m.How < Stored && len(m.Ins) < 2 && m.From == FromStart && m.C.Role == RoleSalt && !m.C.Slides
	}
	st.heat()
}

// prefixes are the steps after Prefix of a text.
type prefixes struct {
	value *Step
	null  *Step // if the prefix begins as a null, which sorts between the values; nil: a null sorts elsewhere
}

// AfterPrefix is the step after a prefix of the field, form in bytes. Few schemas have a use for it, so the
// first call makes those of all fields.
func (st *Step) AfterPrefix(form []byte) *Step {
	st.S.prefixed.Do(st.S.linkPrefixes)
	p := &st.S.prefixes[st.I]
	if p.null == nil || !bytes.HasPrefix(st.C.Null, form) {
		return p.value
	}
	return p.null
}

func (s *Schema) linkPrefixes() {
	why := &fault.Detail{Text: "a prefix is no whole value: Range or AppendRanges must follow it", Reason: fault.ErrMissing}
	s.prefixes = make([]prefixes, len(s.Fields))
	for i, c := range s.Fields {
		if !c.IsText() {
			continue
		}
		at := site{C: c, S: s, I: i, Err: s.ErrAt(c.Name, -1, why)}
		s.prefixes[i].value = prefixStep(at)
		if c.NullSide() == Within {
			at.Nulls = c.Null[1:]
			s.prefixes[i].null = prefixStep(at)
		}
	}
}

func prefixStep(at site) *Step {
	st := &Step{hot: hot{Op: OpPrefix}, site: at}
	st.linkOwn()
	return st
}

// constants are the bytes from component from on up to the next stored field: the constants,
// and 00 in each byte of a derived component. In the slot of one that Slides no byte is its separator, by which
// is seen that it was filled before.
func (s *Schema) constants(from int) []byte {
	var out []byte
	for ; from < len(s.Comps); from++ {
		c := &s.Comps[from]
		switch {
		case c.Absent:
		case c.Slides && len(c.Mark) > 0:
			out = append(out, bytes.Repeat([]byte{^c.Mark[0]}, c.Empty)...)
		case c.Role == RoleField:
			return out
		case c.Role == RoleLiteral:
			out = append(out, c.Lit...)
		default:
			out = append(out, make([]byte, c.Empty)...)
		}
	}
	return out
}

// storedFrom is the index of the first stored field from field n on; without one, the number
// of components.
func (s *Schema) storedFrom(n int) int { return int(s.fields[n].stored) }

// knownBy reports that a derived component can be computed from the first n fields.
func (c *Component) knownBy(n int) bool { return n >= c.Needs }

// decided is the number of components at the start of the key that follow from the first n
// fields: all up to the last stored one of these fields, then constants and derived
// components that are known.
func (s *Schema) decided(n int) int { return int(s.fields[n].decided) }

// leads reports that Merge's order leaves out a component at the beginning of a key: a salt, a hash, or
// a bucket that the writer chooses. A Loose bucket stays in it, because nothing in a key shows where
// that ends.
func (c *Component) leads() bool {
	return c.Role == RoleSalt || c.Role == RoleHash || c.Role == RoleField && c.Bucket && !c.Loose
}

// gathering is what gathered values begin with. Finish moves the key to where they began, so that a
// key so far which is continued once more finds other bytes. They are random, and no key
// begins with them.
var gathering = func() (b [8]byte) {
	binary.LittleEndian.PutUint64(b[:], rand.Uint64())
	return b
}()

// ErrShared is the error of a key so far whose bytes are there no more.
var ErrShared error = &fault.Detail{Text: "this key so far was continued before: begin each key with Key()", Reason: fault.ErrShared}

// Gather reads the first n gathered values of buf, as views. If prefix, the rest of buf is
// one more value, a prefix. The values follow gathering. A gathered number is
// 8 bytes, a text its length in 4 bytes and its bytes: 7 and "ab" are
//
//	00 00 00 00 00 00 00 07   00 00 00 02 61 62
//
// Of a field that may be null, 01 comes before the value; a null is 00.
//
// It is an error if another key has been written there.
func (s *Schema) Gather(buf []byte, n int, prefix bool) (vs values, err error) {
	rest, ok := bytes.CutPrefix(buf, gathering[:])
	if n > FewFields {
		vs.many, rest, ok = s.gatherMany(slices.Clone(rest), n, ok)
	} else {
		for i := 0; ok && i < n; i++ {
			vs.few[i], rest, ok = s.Fields[i].gathered(rest)
		}
	}
	switch vs.n = n; {
	case !ok, !prefix && len(rest) > 0:
		return values{}, s.ErrAt("", -1, ErrShared)
	case prefix && n > FewFields:
		vs.many = append(vs.many, Val{Text: slices.Clone(rest), Ok: true})
	case prefix:
		vs.few[n] = Val{Text: rest, Ok: true}
		vs.n++
	}
	return vs, nil
}

// gatherMany reads more than FewFields values.
func (s *Schema) gatherMany(buf []byte, n int, ok bool) (vals []Val, rest []byte, _ bool) {
	vals = make([]Val, n, n+1)
	for i := 0; ok && i < n; i++ {
		vals[i], buf, ok = s.Fields[i].gathered(buf)
	}
	return vals, buf, ok
}

// gathered is the gathered value at the start of buf, and the rest of buf after it; false if there is none.
func (c *Component) gathered(buf []byte) (v Val, rest []byte, ok bool) {
	v.Ok = true
	if c.Optional && len(buf) > 0 {
		v.Null = buf[0] == 0
		buf = buf[1:]
	}
	size := uint64(8)
	switch {
	case v.Null:
		return v, buf, true
	case c.IsText() && len(buf) >= 4:
		size = forms.ReadUint(buf[:4])
		buf = buf[4:]
	}
	if uint64(len(buf)) < size {
		return v, nil, false
	}
	if c.IsText() {
		v.Text = buf[:size:size]
	} else {
		v.Num = forms.ReadUint(buf[:size])
	}
	return v, buf[size:], true
}

// Finish completes the key in buf after its last value; st is the step that follows. It cuts
// off the bytes of nulls at the end, and fills the slots that are computed from the bytes
// after them. If values were gathered, it writes the key from them.
func (s *Schema) Finish(buf []byte, st *Step) ([]byte, error) {
	if s.Gathered {
		n := len(buf)
		given, err := s.Gather(buf, st.I, false)
		if err != nil {
			return buf[:0], err
		}
		out, err := s.AppendRow(buf, given.Row())
		if err != nil {
			return buf[:0], err
		}
		return out[n:], nil // the values stay as they are, for a second call
	}
	buf = buf[:len(buf)-st.Trim]
	if len(buf) == 0 || len(buf) > s.MaxLen {
		return buf[:0], s.ErrAt("", -1, s.KeyRefused(len(buf)))
	}
	if err := s.FillRests(buf); err != nil {
		return buf[:0], err
	}
	return buf, nil
}

// FillRests computes the components that are computed from the rest of a key whose fields are all written.
func (s *Schema) FillRests(key []byte) error {
	for _, c := range s.Rests {
		off := s.PlaceOf(c, key)
		if uint(off) > uint(len(key)-c.Shape.Min) { // another key has been written there
			return s.ErrAt("", -1, ErrShared)
		}
		if c.ruled && off+1 < len(key) { // here: the calls take a quarter of the time of a short key
			if n, ok := c.Rule.Bucket(key[off+1:], &c.Mod); ok {
				key[off] = byte(n)
				continue
			}
		}
		if err := s.fillRest(key, c, off); err != nil {
			return err
		}
	}
	return nil
}

// fillRest computes a component from the bytes of the key after it, and writes it at off.
func (s *Schema) fillRest(key []byte, c *Component, off int) error {
	rest := key[off+c.Shape.Min:]
	if len(rest) > 0 && !c.Others() {
		if _, err := c.Compute(key[:off], rest); err == nil {
			return nil
		}
	}
	form, _, err := s.Derive(key[len(key):], c, Row{}, rest)
	if err != nil {
		return s.ErrAt(c.Name, -1, err)
	}
	copy(key[off:], form)
	return nil
}

// AppendRow appends the key of a row with all its values, component by component. This way
// is slow, but works for every schema.
func (s *Schema) AppendRow(dst []byte, r Row) ([]byte, error) {
	if len(s.Fields) == 0 {
		return dst, s.ErrZero()
	}
	at := len(dst)
	var slots [maxRests]Slot
	dst, open, trim, _, err := s.Assemble(dst, r, len(s.Fields), false, slots[:0])
	if err != nil {
		return dst[:at], err
	}
	dst = dst[:len(dst)-trim]
	if n := len(dst) - at; n == 0 || n > s.MaxLen {
		return dst[:at], s.ErrAt("", -1, s.KeyRefused(n))
	}
	for i := len(open) - 1; i >= 0; i-- {
		if err := s.fillRest(dst[at:], open[i].C, open[i].Off); err != nil {
			return dst[:at], err
		}
	}
	return dst, nil
}

// Assemble appends the beginning of a key, as far as the first n fields decide it. If prefix,
// the next value of r is a prefix of the next field. Slots that stay empty are added to
// open; in a complete key only those that are computed from the rest of the key. If the
// key ends here, its last trim bytes must be cut off; apart is that of Step.Apart.
func (s *Schema) Assemble(dst []byte, r Row, n int, prefix bool, open []Slot) (_ []byte, _ []Slot, trim int, apart bool, _ error) {
	at := len(dst)
	end := s.decided(n)
	if n == len(s.Fields) {
		end = len(s.Comps)
	}
	if prefix {
		end = s.Fields[n].Index
	}
	for i := range s.Comps[:end] {
		c := &s.Comps[i]
		var err error
		switch v, known := r.Value(c); {
		case c.Absent:
			if known && c.Role == RoleField { // could it be written?
				var form []byte
				if form, err = c.AppendForm(dst, &v); err == nil {
					dst = form[:len(dst)] // perhaps in a larger buffer
				}
			}
		case c.Role == RoleLiteral:
			dst = append(dst, c.Lit...)
		case c.Role == RoleField:
			v.Null = v.Null || !known // which only an Optional field can be
			dst, err = c.AppendForm(dst, &v)
			trim, apart = c.TrimOf(v.Null, trim, apart)
		case c.Rest || !c.knownBy(n):
			open = append(open, Slot{C: c, S: s, Off: len(dst) - at})
			dst = append(dst, make([]byte, c.Empty)...)
		case c.Derived():
			if dst, known, err = s.Derive(dst, c, r, nil); err == nil && !known {
				err = fault.ErrMissing
			}
			trim, apart = c.TrimOf(false, 0, false)
		}
		if err != nil {
			return dst, open, 0, false, s.ErrAt(c.Name, -1, err)
		}
	}
	if prefix {
		c := s.Fields[n]
		v, _ := r.Value(c)
		form, err := AppendPrefix(c, dst, v.Text)
		if err != nil {
			return dst, open, 0, false, s.ErrAt(c.Name, -1, err)
		}
		dst = form
		trim = 0 // a value follows
	}
	return dst, open, trim, apart, nil
}
