package layout

import (
	"math"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A step begins with what writing needs, and then what reading needs, so that
// each stands in lines of the processor's cache of its own.
type Step struct {
	hot
	Done int // in the final step: keys shorter than this need no more work; 0 in all other steps, and where work is left
	hotRead
	hotMore

	C     *Component
	S     *Schema
	I     int    // its place among the fields
	Fills []Slot // slots that this field fills
	Tail  []byte // constants and empty slots up to the next field
	Sure  bool   // of opEnd: a key has nothing left to check
	Whole bool   // nothing that is stored is left to supply
	stepNull
	stepRange

	Err error // of opBad
}

// stepNull is what a step does about nulls.
type stepNull struct {
	Ends    bool  // every field from here on may be null: Bytes supplies them
	Null    *Step // the step behind Null of this field
	Asked   *Step // this step for a Reader that has asked for Null
	MayNull bool  // for a Reader that has asked for Null
	Trim    int   // bytes of the key so far that are left off if no value follows
	Apart   bool  // a key without its last trim bytes sorts elsewhere
}

// stepRange is what a range of the fields before this one is made of.
type stepRange struct {
	Open    []Slot     // slots that are still empty
	Cut     int        // bytes behind the last that is decided
	Last    *Component // that last, if forms of it go on where others end
	Pre     *Step      // the step behind Prefix of this field
	PreNull *Step      // the same behind the first byte of its null, which lies among its values
	Nulls   []byte     // of that: the other bytes of the null
}

// BadStep is the last step of a key that cannot be.
func BadStep(s *Schema, err error) *Step { return &Step{hot: hot{Op: OpBad}, S: s, Err: err} }

// Slot is a derived component in a key so far that is not yet known.
type Slot struct {
	C   *Component
	Off int // from the key's beginning; in it the component takes width bytes
}

// Offset is where a component begins if that never varies.
func (s *Schema) Offset(c *Component) int {
	n := 0
	for i := range s.Comps[:c.Index] {
		if !s.Comps[i].Absent {
			n += s.Comps[i].Shape.Min
		}
	}
	return n
}

// link makes the steps.
func (s *Schema) link() {
	s.Steps = make([]Step, len(s.Fields)+1)
	for i := range s.Steps {
		s.linkStep(i)
	}
	s.First = &s.Steps[0]
	if !s.Gathered {
		s.Head = s.constants(0, 0)
		if s.Rests == nil && s.minLen > 0 {
			s.Steps[len(s.Fields)].Done = s.MaxLen + 1
		}
	} else {
		s.Hint *= 2 // the values, then the key
	}
	s.linkNulls()
	s.Spare, s.Lead = s.Hint, len(s.Head)
	for i := range s.Comps[:s.Fields[0].Index] {
		if s.Comps[i].Role == RoleLiteral {
			s.Spare = math.MaxInt
		}
	}
	for i := len(s.Fields) - 1; i >= 0; i-- {
		read := &s.Steps[i+1]
		if read.Op != OpEnd && read.C.Absent {
			read = read.Read
		}
		s.Steps[i].Read = read
	}
	s.linkRead()
	for i := range s.Fields {
		if st := &s.Steps[i]; st.C.Optional {
			asked := *st
			asked.MayNull = true
			st.Asked = &asked
		}
	}
	if s.ToRead = s.First; s.First.C.Absent {
		s.ToRead = s.First.Read
	}
	s.linkStart()
	if s.ToRead.Op == OpEnd {
		return
	}
	open, rests := 0, 0 // derived components that no step checks
	for _, c := range s.Derived {
		if c.Absent || s.checked(c) {
			continue
		}
		if open++; c.Rest {
			rests++
		}
	}
	s.Steps[len(s.Fields)].Sure = open == 0
	s.RestsOnly = open == rests && !s.Cold && !s.Gathered && s.Loose == 0
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
		st.Pre = &Step{hot: hot{Op: OpPrefix}, C: c, S: s, I: i, Err: s.ErrAt(c.Name, -1, fault.ErrMissing)}
	}
	decided := s.decided(i)
	st.Last = s.LastOf(decided)
	st.Whole = decided == len(s.Comps)
	if !s.Gathered && st.Op != OpEnd {
		st.Pre.Open = s.openBefore(st.C.Index, i)
	}
	if st.Op != OpEnd && st.C.NullSide() == Within {
		behind := *st.Pre
		behind.Nulls = st.C.Null[1:]
		st.PreNull = &behind
	}
	if s.Gathered {
		if st.Op != OpEnd {
			st.heatToRead()
		}
		return
	}
	st.Open, st.Cut = s.openAt(i)
	if st.Op == OpEnd {
		return
	}
	st.Tail = s.constants(st.C.Index+1, i+1)
	for _, d := range s.Derived {
		if !d.Absent && !d.Rest && slices.Max(d.Deps) == i {
			st.Fills = append(st.Fills, Slot{d, s.Offset(d)})
		}
	}
	st.linkMixes()
	st.heat()
}

// checked reports that a component is compared when its one field is read.
func (s *Schema) checked(c *Component) bool {
	return c.Derived() && !c.Rest && s.Steps[slices.Max(c.Deps)].Checks && c.Shape.Fixed()
}

// constants is what stands from component from on, up to field i: constants,
// and room for derived components.
func (s *Schema) constants(from, i int) []byte {
	var out []byte
	for ; from < len(s.Comps); from++ {
		c := &s.Comps[from]
		if c.Role == RoleField {
			if c.Ord >= i {
				break
			}
			continue
		}
		switch {
		case c.Absent:
		case c.Role == RoleLiteral:
			out = append(out, c.Lit...)
		default:
			out = append(out, make([]byte, c.Shape.Min)...)
		}
	}
	return out
}

// known reports that a derived component can be computed from the first n
// fields.
func (s *Schema) known(c *Component, n int) bool {
	if c.Rest && n < len(s.Fields) {
		return false
	}
	for _, ord := range c.Deps {
		if ord >= n {
			return false
		}
	}
	return true
}

// decided is the number of leading components, past the last of the first n
// fields that is stored, whose bytes follow from those fields.
func (s *Schema) decided(n int) int {
	last := -1
	for _, c := range s.Fields[:n] {
		if !c.Absent {
			last = c.Index
		}
	}
	i := last + 1
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == RoleField || c.Derived() && !s.known(c, n) {
			break
		}
	}
	return i
}

// openAt is what a range of the first n fields has to leave open, and how many
// bytes of the key so far it has to leave out.
func (s *Schema) openAt(n int) ([]Slot, int) {
	end := s.decided(n)
	written := len(s.Comps) // components that stand in the key by now
	if n < len(s.Fields) {
		written = s.Fields[n].Index
	}
	cut := 0
	for i := end; i < written; i++ {
		if c := &s.Comps[i]; !c.Absent {
			cut += c.Shape.Min
		}
	}
	return s.openBefore(min(end, written), n), cut
}

// LastOf is the component in front of number end, if forms of it go on where
// others end.
func (s *Schema) LastOf(end int) *Component {
	for end--; end >= 0; end-- {
		if c := &s.Comps[end]; !c.Absent {
			if c.Clips() {
				return c
			}
			break
		}
	}
	return nil
}

// openBefore are the slots in front of component end that the first n fields
// do not fill.
func (s *Schema) openBefore(end, n int) []Slot {
	var open []Slot
	for i := range s.Comps[:end] {
		if c := &s.Comps[i]; c.Derived() && !c.Absent && !s.known(c, n) {
			open = append(open, Slot{c, s.Offset(c)})
		}
	}
	return open
}

// TimeNum is an instant as the component's num, rounded down.
func (c *Component) TimeNum(sec, nsec int64) (uint64, bool) {
	if c.Unit.Lay != nil {
		return uint64(c.Unit.Lay.Floor(sec)), sec >= -clock.MaxOffset && sec <= clock.MaxSeconds
	}
	n, ok := c.Units(sec, nsec)
	n, settled := c.SettleNum(n)
	return n, ok && settled
}

// Instant undoes timeNum.
func (c *Component) Instant(u uint64) (sec, nsec int64) {
	switch {
	case c.Unit.Lay != nil:
		return int64(u), 0
	case c.Signed && int64(u) < 0:
		return c.Unit.Mirror(c.Unit.Instant(-u))
	}
	return c.Unit.Instant(u)
}

// Inner names the derived component that an error is about, unless the error
// names one already.
func (s *Schema) Inner(c *Component, err error) error {
	if _, _, ok := fault.Read(err); ok {
		return err
	}
	return fault.Make("", c.Name, -1, err)
}

func (c *Component) GatherFlag(buf []byte) []byte {
	if c.Optional {
		return append(buf, 1)
	}
	return buf
}

// Gather reads n gathered values back, as views. With prefix the rest of buf is
// one value more.
func (s *Schema) Gather(buf []byte, n int, prefix bool) (vs values) {
	if n > FewFields {
		vs.many = s.gatherMany(slices.Clone(buf), n, prefix)
		return vs
	}
	for i, c := range s.Fields[:n] {
		vs.few[i], buf = c.gathered(buf)
	}
	if vs.n = n; prefix {
		vs.few[n] = Val{Text: buf, Ok: true}
		vs.n++
	}
	return vs
}

// gatherMany is gather for more fields than few.
func (s *Schema) gatherMany(buf []byte, n int, prefix bool) []Val {
	vals := make([]Val, n, n+1)
	for i, c := range s.Fields[:n] {
		vals[i], buf = c.gathered(buf)
	}
	if prefix {
		vals = append(vals, Val{Text: buf, Ok: true})
	}
	return vals
}

// gathered is the gathered value at the head of buf, and what is behind it.
func (c *Component) gathered(buf []byte) (Val, []byte) {
	v := Val{Ok: true}
	if c.Optional {
		v.Null = buf[0] == 0
		buf = buf[1:]
	}
	switch {
	case v.Null:
		return v, buf
	case c.IsText():
		size := int(forms.ReadUint(buf[:4]))
		v.Text = buf[4 : 4+size : 4+size]
		return v, buf[4+size:]
	}
	v.Num = forms.ReadUint(buf[:8])
	return v, buf[8:]
}

// Finish completes a key whose last field that is not null is there: it leaves
// off what stands behind that, fills the slots that wait for the bytes behind
// them, or puts gathered values together.
func (s *Schema) Finish(buf []byte, st *Step) ([]byte, error) {
	if s.Gathered {
		n := len(buf)
		given := s.Gather(buf, st.I, false)
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
	for _, c := range s.Rests {
		if err := s.FillRest(buf, c, s.Offset(c)); err != nil {
			return buf[:0], err
		}
	}
	return buf, nil
}

// FillRest writes a component that is computed from the key's bytes behind it.
func (s *Schema) FillRest(key []byte, c *Component, off int) error {
	if rest := key[off+c.Shape.Min:]; len(rest) > 0 && !c.others() {
		if _, ok := c.Compute(key[:off], rest); ok {
			return nil
		}
	}
	form, _, err := s.Derive(key[len(key):], c, Row{}, key[off+c.Shape.Min:])
	if err != nil {
		return s.ErrAt(c.Name, -1, s.Inner(c, err))
	}
	copy(key[off:], form)
	return nil
}

// AppendRow appends the key of a row all of whose values are given, component
// by component: the slow way, for every schema.
func (s *Schema) AppendRow(dst []byte, r Row) ([]byte, error) {
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
		if err := s.FillRest(dst[at:], open[i].C, open[i].Off); err != nil {
			return dst[:at], err
		}
	}
	return dst, nil
}

// Assemble appends a key of the first n fields, as far as they decide it; with
// prefix, the next value is the beginning of the next field. Slots that stay
// empty are added to open; of a complete key they are those that are computed
// from the rest. If the key ends here, its last trim bytes are left off.
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
		if c.Absent {
			if v, ok := r.Get(c.Ord); ok && c.Role == RoleField { // it is judged all the same
				form, err := c.AppendForm(dst, v)
				if err != nil {
					return dst, open, 0, false, s.ErrAt(c.Name, -1, err)
				}
				dst = form[:len(dst)]
			}
			continue
		}
		var err error
		switch c.Role {
		case RoleLiteral:
			dst = append(dst, c.Lit...)
		case RoleField:
			v, ok := r.Get(c.Ord)
			if !ok && c.Optional {
				v.Null = true
			} else if !ok {
				return dst, open, 0, false, s.ErrAt(c.Name, -1, fault.ErrMissing)
			}
			if dst, err = c.AppendForm(dst, v); err != nil {
				return dst, open, 0, false, s.ErrAt(c.Name, -1, err)
			}
			trim, apart = c.TrimOf(v.Null, trim, apart)
		default:
			if c.Rest || !s.known(c, n) {
				open = append(open, Slot{c, len(dst) - at})
				if c.Shape.Fixed() {
					dst = append(dst, make([]byte, c.Shape.Min)...)
				}
				continue
			}
			var known bool
			if dst, known, err = s.Derive(dst, c, r, nil); err != nil {
				return dst, open, 0, false, s.ErrAt(c.Name, -1, s.Inner(c, err))
			}
			if !known {
				return dst, open, 0, false, s.ErrAt(c.Name, -1, fault.ErrMissing)
			}
			trim, apart = c.TrimOf(false, 0, false)
		}
	}
	if prefix {
		v, _ := r.Get(n)
		c := s.Fields[n]
		form, err := AppendPrefix(c, dst, v.Text)
		if err != nil {
			return dst, open, 0, false, s.ErrAt(c.Name, -1, err)
		}
		dst = form
		trim = 0 // a value follows
	}
	return dst, open, trim, apart, nil
}
