package rowkey

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Every way to write a key walks one list of steps, one a supplied field. A
// step writes its field, then what Build knows to follow: constants, and empty
// slots for derived components, which are filled as soon as their one input is
// there, or from the finished bytes.
//
// Where that cannot be (a hash of several fields, a slot behind a field of any
// length), the schema is gathered: the steps check the values and lay them
// down one after another, and the key is put together from them at the end.
// The two ways are the same bytes: Rekey of a schema to itself goes the second
// way for every schema, and the tests hold them against each other.

// A step begins with what writing needs, and then what reading needs, so that
// each stands in lines of the processor's cache of its own.
type step struct {
	hot
	hotRead
	hotMore

	c     *component
	s     *schema
	i     int    // its place among the fields
	fills []slot // slots that this field fills
	tail  []byte // constants and empty slots up to the next field
	sure  bool   // of opEnd: a key has nothing left to check
	whole bool   // nothing that is stored is left to supply
	stepNull
	stepRange

	err error // of opBad
}

// stepNull is what a step does about nulls.
type stepNull struct {
	ends    bool  // every field from here on may be null: Bytes supplies them
	null    *step // the step behind Null of this field
	asked   *step // this step for a Reader that has asked for Null
	mayNull bool  // for a Reader that has asked for Null
	trim    int   // bytes of the key so far that are left off if no value follows
	apart   bool  // a key without its last trim bytes sorts elsewhere
}

// stepRange is what a range of the fields before this one is made of.
type stepRange struct {
	open    []slot     // slots that are still empty
	cut     int        // bytes behind the last that is decided
	last    *component // that last, if forms of it go on where others end
	pre     *step      // the step behind Prefix of this field
	preNull *step      // the same behind the first byte of its null, which lies among its values
	nulls   []byte     // of that: the other bytes of the null
}

// badStep is the last step of a key that cannot be.
func badStep(s *schema, err error) *step { return &step{hot: hot{op: opBad}, s: s, err: err} }

// slot is a derived component in a key so far that is not yet known.
type slot struct {
	c   *component
	off int // from the key's beginning; in it the component takes width bytes
}

// offset is where a component begins if that never varies.
func (s *schema) offset(c *component) int {
	n := 0
	for i := range s.comps[:c.index] {
		if !s.comps[i].absent {
			n += s.comps[i].shape.Min
		}
	}
	return n
}

// link makes the steps.
func (s *schema) link() {
	s.steps = make([]step, len(s.fields)+1)
	for i := range s.steps {
		s.linkStep(i)
	}
	s.first = &s.steps[0]
	if !s.gathered {
		s.head = s.constants(0, 0)
		if s.rests == nil && s.minLen > 0 {
			s.steps[len(s.fields)].done = s.maxLen + 1
		}
	} else {
		s.hint *= 2 // the values, then the key
	}
	s.linkNulls()
	s.spare, s.lead = s.hint, len(s.head)
	for i := range s.comps[:s.fields[0].index] {
		if s.comps[i].role == roleLiteral {
			s.spare = math.MaxInt
		}
	}
	for i := len(s.fields) - 1; i >= 0; i-- {
		read := &s.steps[i+1]
		if read.op != opEnd && read.c.absent {
			read = read.read
		}
		s.steps[i].read = read
	}
	s.linkRead()
	for i := range s.fields {
		if st := &s.steps[i]; st.c.optional {
			asked := *st
			asked.mayNull = true
			st.asked = &asked
		}
	}
	if s.toRead = s.first; s.first.c.absent {
		s.toRead = s.first.read
	}
	s.linkStart()
	if s.toRead.op == opEnd {
		return
	}
	open, rests := 0, 0 // derived components that no step checks
	for _, c := range s.derived {
		if c.absent || s.checked(c) {
			continue
		}
		if open++; c.rest {
			rests++
		}
	}
	s.steps[len(s.fields)].sure = open == 0
	s.restsOnly = open == rests && !s.cold && !s.gathered && s.loose == 0
}

// linkStep makes the step of field i, or the last one.
func (s *schema) linkStep(i int) {
	st := &s.steps[i]
	st.s, st.i = s, i
	if i == len(s.fields) {
		st.op = opEnd
	} else {
		c := s.fields[i]
		st.c = c
		st.next = &s.steps[i+1]
		st.pre = &step{hot: hot{op: opPrefix}, c: c, s: s, i: i, err: s.errAt(c.name, -1, ErrMissing)}
	}
	decided := s.decided(i)
	st.last = s.lastOf(decided)
	st.whole = decided == len(s.comps)
	if !s.gathered && st.op != opEnd {
		st.pre.open = s.openBefore(st.c.index, i)
	}
	if st.op != opEnd && st.c.nullSide() == within {
		behind := *st.pre
		behind.nulls = st.c.null[1:]
		st.preNull = &behind
	}
	if s.gathered {
		if st.op != opEnd {
			st.heatToRead()
		}
		return
	}
	st.open, st.cut = s.openAt(i)
	if st.op == opEnd {
		return
	}
	st.tail = s.constants(st.c.index+1, i+1)
	for _, d := range s.derived {
		if !d.absent && !d.rest && slices.Max(d.deps) == i {
			st.fills = append(st.fills, slot{d, s.offset(d)})
		}
	}
	st.linkMixes()
	st.heat()
}

// checked reports that a component is compared when its one field is read.
func (s *schema) checked(c *component) bool {
	return c.derived() && !c.rest && s.steps[slices.Max(c.deps)].checks && c.shape.Fixed()
}

// constants is what stands from component from on, up to field i: constants,
// and room for derived components.
func (s *schema) constants(from, i int) []byte {
	var out []byte
	for ; from < len(s.comps); from++ {
		c := &s.comps[from]
		if c.role == roleField {
			if c.ord >= i {
				break
			}
			continue
		}
		switch {
		case c.absent:
		case c.role == roleLiteral:
			out = append(out, c.lit...)
		default:
			out = append(out, make([]byte, c.shape.Min)...)
		}
	}
	return out
}

// known reports that a derived component can be computed from the first n
// fields.
func (s *schema) known(c *component, n int) bool {
	if c.rest && n < len(s.fields) {
		return false
	}
	for _, ord := range c.deps {
		if ord >= n {
			return false
		}
	}
	return true
}

// decided is the number of leading components, past the last of the first n
// fields that is stored, whose bytes follow from those fields.
func (s *schema) decided(n int) int {
	last := -1
	for _, c := range s.fields[:n] {
		if !c.absent {
			last = c.index
		}
	}
	i := last + 1
	for ; i < len(s.comps); i++ {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		if c.role == roleField || c.derived() && !s.known(c, n) {
			break
		}
	}
	return i
}

// openAt is what a range of the first n fields has to leave open, and how many
// bytes of the key so far it has to leave out.
func (s *schema) openAt(n int) ([]slot, int) {
	end := s.decided(n)
	written := len(s.comps) // components that stand in the key by now
	if n < len(s.fields) {
		written = s.fields[n].index
	}
	cut := 0
	for i := end; i < written; i++ {
		if c := &s.comps[i]; !c.absent {
			cut += c.shape.Min
		}
	}
	return s.openBefore(min(end, written), n), cut
}

// lastOf is the component in front of number end, if forms of it go on where
// others end.
func (s *schema) lastOf(end int) *component {
	for end--; end >= 0; end-- {
		if c := &s.comps[end]; !c.absent {
			if c.clips() {
				return c
			}
			break
		}
	}
	return nil
}

// openBefore are the slots in front of component end that the first n fields
// do not fill.
func (s *schema) openBefore(end, n int) []slot {
	var open []slot
	for i := range s.comps[:end] {
		if c := &s.comps[i]; c.derived() && !c.absent && !s.known(c, n) {
			open = append(open, slot{c, s.offset(c)})
		}
	}
	return open
}

// KeyBuilder is a key being written: four words, passed by value, used once
// (as append is): a copy of it goes on in the same buffer. The zero value only
// errs.
type KeyBuilder struct {
	buf []byte // the key so far, from its first byte on; or the gathered values
	st  *step
}

// Key starts a key in memory of its own. Use it where the key is kept by others: an
// HBase client may still send it after a call has timed out.
func (s *Schema) Key() KeyBuilder { return newKey(&s.in, nil) }

// KeyIn starts a key in buf's spare capacity, or in new memory if that is short;
// buf's contents are not touched, and the result is the key alone: with "ab" in buf
// it is 0c…, not 6162 0c…. What lies behind the key, within buf's capacity, may be
// written, too: if it is another's, say where buf ends, as b[0:0:64].
func (s *Schema) KeyIn(buf []byte) KeyBuilder {
	return keyIn(&s.in, buf)
}

func keyIn(s *schema, buf []byte) KeyBuilder {
	if n := len(buf); cap(buf)-n >= s.spare {
		return KeyBuilder{buf[n : n+s.lead], s.first}
	}
	return newKey(s, buf)
}

// newKey is KeyIn where memory is short, or constants stand in front.
func newKey(s *schema, buf []byte) KeyBuilder {
	if cap(buf)-len(buf) < s.hint {
		buf = make([]byte, 0, s.hint+stepRoom)
	}
	return KeyBuilder{append(buf[len(buf):], s.head...), s.first}
}

var zeroBuilder = badStep(nil, &Error{Offset: -1, Err: &detail{"the zero KeyBuilder", ErrMissing}})

// fail ends the key with an error about the field at hand; the first one stays.
func (k KeyBuilder) fail(reason error) KeyBuilder {
	st := k.st
	if st == nil {
		return KeyBuilder{nil, zeroBuilder}
	}
	if st.op == opBad {
		return KeyBuilder{k.buf[:0], st}
	}
	field := ""
	switch st.op {
	case opEnd:
		reason = ErrExtra
	case opPrefix:
		reason = &detail{"nothing but a range follows a prefix", ErrExtra}
		fallthrough
	default:
		field = st.c.name
	}
	return KeyBuilder{k.buf[:0], badStep(nil, st.s.errAt(field, -1, reason))}
}

// want reports that a field of such a kind is next; if not, fail knows why.
func (k KeyBuilder) want(a, b kind) bool {
	return k.st != nil && k.st.op < opEnd && (k.st.c.kind == a || k.st.c.kind == b)
}

// Field asserts that the next field has this name: for neighbours of one type,
// which the compiler cannot tell apart.
func (k KeyBuilder) Field(name string) KeyBuilder {
	if k.st == nil || k.st.op >= opEnd || k.st.c.name != name {
		return k.fail(ErrField)
	}
	return k
}

// Null leaves an Optional field out. One that is not followed by a value need
// not be supplied for Bytes; Range leaves open what is not supplied.
func (k KeyBuilder) Null() KeyBuilder {
	st := k.st
	if st == nil || st.op >= opEnd || !st.c.optional {
		return k.fail(ErrType)
	}
	if st.s.gathered {
		return KeyBuilder{append(k.buf, 0), st.null}
	}
	return KeyBuilder{append(append(k.buf, st.c.null...), st.tail...), st.null}
}

// String supplies a String or Binary field: its bytes, and what ends them. A text
// that holds its separator, or ends in its padding, is an error that wraps
// ErrTerminator; "s-42" before Separator("_") writes 732d3432 5f.
func (k KeyBuilder) String(v string) KeyBuilder {
	// What ends the text is looked for while the text is copied, in words that may
	// overlap: a word XOR the separator in every byte has a zero byte where the text
	// has the separator.
	st, n, m := k.st, len(k.buf), len(v)
	if st == nil || st.op != opText || uint64(m)+st.bias > st.span || uint(n+stepRoom) > uint(cap(k.buf)) {
		return k.putString(v)
	}
	out, width := k.buf[n:], m
	if st.form == hotPad {
		if m > 0 && v[m-1] == byte(st.xor) {
			return k.putString(v)
		}
		putWord(out, 0, st.xor)
		putWord(out, 8, st.xor)
		width = int(st.n)
	}
	a, b := ^st.xor, ^st.xor
	switch {
	case m >= 8:
		a, b = text16(out, v)
	case m >= 4:
		a = text8(out, v)
	case m > 0:
		a = text3(out, v)
	}
	if st.guard != 0 && forms.ZeroBytes(a^st.xor)|forms.ZeroBytes(b^st.xor) != 0 {
		return k.putString(v)
	}
	putWord(out, width, st.word)
	out = k.buf[:n+width+st.size]
	if st.fill != noFill {
		return filledStep(st, out, n, v)
	}
	return KeyBuilder{out, st.next}
}

// Binary supplies a Binary or String field.
func (k KeyBuilder) Binary(v []byte) KeyBuilder { return k.String(viewString(v)) }

// Uint supplies a Uint or Int field of any size; what does not fit is an
// error, never cut.
//
//go:nosplit
func (k KeyBuilder) Uint(v uint64) KeyBuilder {
	st, n := k.st, len(k.buf)
	if st == nil || st.op != opUint || v+st.bias > st.span || uint(n+8) > uint(cap(k.buf)) {
		return k.putUint(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], v*st.mul^st.word)
	return KeyBuilder{k.buf[:n+st.size], st.next}
}

func (k KeyBuilder) putUint(v uint64) KeyBuilder {
	if st := k.st; st != nil && (st.kind == kindUint || st.kind == kindInt && v <= maxInt64) && v+st.bias <= st.span {
		return k.putHot(v)
	}
	if !k.want(kindUint, kindInt) {
		return k.fail(k.noNumber())
	}
	if k.st.c.kind == kindInt && v > maxInt64 {
		return k.fail(k.st.c.limitsRefused())
	}
	return k.putNum(v)
}

// Int supplies an Int or Uint field of any size; what does not fit is an
// error, never cut.
//
//go:nosplit
func (k KeyBuilder) Int(v int64) KeyBuilder {
	st, n := k.st, len(k.buf)
	if st == nil || st.op != opInt || uint64(v)+st.bias > st.span || uint(n+8) > uint(cap(k.buf)) {
		return k.putInt(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], uint64(v)*st.mul^st.word)
	return KeyBuilder{k.buf[:n+st.size], st.next}
}

func (k KeyBuilder) putInt(v int64) KeyBuilder {
	if st := k.st; st != nil && (st.kind == kindInt || st.kind == kindUint && v >= 0) && uint64(v)+st.bias <= st.span {
		return k.putHot(uint64(v))
	}
	if !k.want(kindUint, kindInt) {
		return k.fail(k.noNumber())
	}
	if k.st.c.kind == kindUint && v < 0 {
		return k.fail(k.st.c.limitsRefused())
	}
	return k.putNum(uint64(v))
}

// noNumber is why the next field takes no whole number.
func (k KeyBuilder) noNumber() error {
	if k.want(kindTime, kindTime) {
		return errTimeNumber
	}
	return ErrType
}

// Float supplies a Float field. One of 4 bytes takes what a float32 holds.
//
//go:nosplit
func (k KeyBuilder) Float(v float64) KeyBuilder {
	st, n := k.st, len(k.buf)
	if st == nil || st.op != opFloat || v != v || uint(n+8) > uint(cap(k.buf)) {
		return k.putFloat(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], forms.OrderFloat(math.Float64bits(v+0), 8)^st.word) // −0 is 0
	return KeyBuilder{k.buf[:n+8], st.next}
}

func (k KeyBuilder) putFloat(v float64) KeyBuilder {
	if st := k.st; st != nil && st.form == hotFloat {
		if u, ok := st.floatWord(v); ok {
			return k.putWord(u)
		}
	}
	if !k.want(kindFloat, kindFloat) {
		return k.fail(ErrType)
	}
	u, ok := k.st.c.floatNum(v)
	if !ok {
		return k.fail(errNaN)
	}
	return k.putNum(u)
}

// Bool supplies a Bool field.
//
//go:nosplit
func (k KeyBuilder) Bool(v bool) KeyBuilder {
	u := uint64(0)
	if v {
		u = 1
	}
	st, n := k.st, len(k.buf)
	if st != nil && st.op == opBool && u <= st.span && uint(n+8) <= uint(cap(k.buf)) {
		binary.BigEndian.PutUint64(k.buf[n:n+8], u*st.mul^st.word)
		return KeyBuilder{k.buf[:n+st.size], st.next}
	}
	return k.putBool(u)
}

func (k KeyBuilder) putBool(u uint64) KeyBuilder {
	if st := k.st; st != nil && st.kind == kindBool && u <= st.span {
		return k.putWord(u)
	}
	if !k.want(kindBool, kindBool) {
		return k.fail(ErrType)
	}
	return k.putNum(u)
}

// Time supplies a Time field, rounded down to its unit; plain integers are
// refused there, so seconds cannot pass as milliseconds.
//
//go:nosplit
func (k KeyBuilder) Time(v time.Time) KeyBuilder {
	st, n := k.st, len(k.buf)
	sec, nsec := uint64(v.Unix()), uint64(v.Nanosecond())
	if st == nil || st.op != opTime && st.op != opMilli || sec > st.until || uint(n+8) > uint(cap(k.buf)) {
		return k.putTime(int64(sec), int64(nsec))
	}
	part, _ := bits.Mul64(nsec<<1, st.inv)
	u := sec*st.per + part - st.base
	if u+st.bias > st.span {
		return k.putTime(int64(sec), int64(nsec))
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], u*st.mul^st.word)
	return KeyBuilder{k.buf[:n+st.size], st.next}
}

// UnixMilli supplies a Time field as milliseconds since 1970: the hot path's
// word, with its unit said.
//
//go:nosplit
func (k KeyBuilder) UnixMilli(ms int64) KeyBuilder {
	st, n := k.st, len(k.buf)
	if st == nil || st.op != opMilli || uint64(ms)+st.bias > st.span || uint(n+8) > uint(cap(k.buf)) {
		return k.putMilli(ms)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], uint64(ms)*st.mul^st.word)
	return KeyBuilder{k.buf[:n+st.size], st.next}
}

func (k KeyBuilder) putMilli(ms int64) KeyBuilder {
	sec := ms / 1000
	if ms%1000 < 0 {
		sec--
	}
	return k.putTime(sec, (ms-sec*1000)*1e6)
}

func (k KeyBuilder) putTime(sec, nsec int64) KeyBuilder {
	if st := k.st; st != nil && st.kind == kindTime {
		if u, ok := st.unitsOf(uint64(sec), uint64(nsec)); ok {
			return k.putHot(u)
		}
	}
	if !k.want(kindTime, kindTime) {
		return k.fail(ErrType)
	}
	u, ok := k.st.c.timeNum(sec, nsec)
	if !ok {
		if err := k.st.c.unit.fault(sec, nsec); err != nil {
			return k.fail(err)
		}
		return k.fail(k.st.c.timeRefused(sec, nsec))
	}
	return k.putNum(u)
}

// timeNum is an instant as the component's num, rounded down.
func (c *component) timeNum(sec, nsec int64) (uint64, bool) {
	if c.unit.lay != nil {
		return uint64(c.unit.lay.Floor(sec)), sec >= -maxOffset && sec <= maxSeconds
	}
	n, ok := c.units(sec, nsec)
	n, settled := c.settleNum(n)
	return n, ok && settled
}

// instant undoes timeNum.
func (c *component) instant(u uint64) (sec, nsec int64) {
	switch {
	case c.unit.lay != nil:
		return int64(u), 0
	case c.signed && int64(u) < 0:
		return c.unit.mirror(c.unit.instant(-u))
	}
	return c.unit.instant(u)
}

// putText writes a text.
func putText[T string | []byte](k KeyBuilder, v T) KeyBuilder {
	if !k.want(kindString, kindBinary) {
		return k.fail(ErrType)
	}
	if st := k.st; st.c.decimal != forms.NoDecimal {
		var room [64]byte
		form, err := appendNumber(st.c.decimal, room[:0], v)
		if err != nil {
			return k.fail(err)
		}
		return putForm(k, form)
	} else if len(v) == 0 && st.c.zeroText() {
		return k.Null()
	} else if st.c.padEqual() {
		v = unpadded(st.c, v)
	}
	return putForm(k, v)
}

// putForm writes a text, or a decimal number as its value is inside.
func putForm[T string | []byte](k KeyBuilder, v T) KeyBuilder {
	st := k.st
	n := len(k.buf)
	buf, err := appendText(st.c, k.buf, v)
	if err != nil {
		return k.fail(err)
	}
	if st.s.gathered {
		return KeyBuilder{gatherText(st.c.gatherFlag(buf[:n]), v), st.next}
	}
	if st.c.absent {
		buf = buf[:n]
	}
	end := len(buf)
	buf = append(buf, st.tail...)
	if len(st.fills) > 0 {
		value, scratch := buf[n:end], buf[len(buf):]
		if st.c.absent || !st.c.verbatim() {
			value = append(scratch, v...)
			scratch = value[len(value):]
		}
		return KeyBuilder{buf, st}.fill(n, val{text: value, ok: true}, scratch)
	}
	return KeyBuilder{buf, st.next}
}

// putNum writes a number.
func (k KeyBuilder) putNum(u uint64) KeyBuilder {
	st := k.st
	n := len(k.buf)
	buf, err := st.c.appendNum(k.buf, u)
	if err != nil {
		return k.fail(err)
	}
	if st.s.gathered {
		return KeyBuilder{forms.AppendUint(st.c.gatherFlag(buf[:n]), u, 8), st.next}
	}
	if st.c.absent {
		buf = buf[:n]
	}
	buf = append(buf, st.tail...)
	if len(st.fills) > 0 {
		return KeyBuilder{buf, st}.fill(n, val{num: u, ok: true}, buf[len(buf):])
	}
	return KeyBuilder{buf, st.next}
}

// fill writes the slots that depend on the field just written at n, and goes on.
func (k KeyBuilder) fill(n int, v val, scratch []byte) KeyBuilder {
	st := k.st
	value := v.text
	known := st.c.isText() && st.c.decimal == forms.NoDecimal // value is
	vals := [1]val{v}
	for i := range st.fills {
		f, m := &st.fills[i], &st.mixes[i]
		if m.c != nil {
			m.put(k.buf, n, v.text, v.num)
			continue
		}
		if !known {
			value, known = st.c.appendValue(scratch, v), true
			scratch = value[len(value):]
		}
		if f.c.direct {
			if _, ok := f.c.compute(k.buf[:f.off], value); !ok {
				return k.fail(st.s.inner(f.c, f.c.sumRefused(value)))
			}
			continue
		}
		form, _, err := st.s.derive(scratch, f.c, row{vals[:], st.i}, nil)
		if err != nil {
			return k.fail(st.s.inner(f.c, err))
		}
		copy(k.buf[f.off:], form)
	}
	return KeyBuilder{k.buf, st.next}
}

// inner names the derived component that an error is about, unless the error
// names one already.
func (s *schema) inner(c *component, err error) error {
	if _, _, ok := readError(err); ok {
		return err
	}
	return makeError("", c.name, -1, err)
}

// Gathered values lie one after another: 8 bytes of a number, or 4 bytes of a
// text's length and the text; of an Optional field a byte in front, 0 if that is
// all, since it is null.

func (c *component) gatherFlag(buf []byte) []byte {
	if c.optional {
		return append(buf, 1)
	}
	return buf
}

func gatherText[T string | []byte](buf []byte, v T) []byte {
	return append(forms.AppendUint(buf, uint64(len(v)), 4), v...)
}

// gather reads n gathered values back, as views. With prefix the rest of buf is
// one value more.
func (s *schema) gather(buf []byte, n int, prefix bool) (vs values) {
	if n > fewFields {
		vs.many = s.gatherMany(slices.Clone(buf), n, prefix)
		return vs
	}
	for i, c := range s.fields[:n] {
		vs.few[i], buf = c.gathered(buf)
	}
	if vs.n = n; prefix {
		vs.few[n] = val{text: buf, ok: true}
		vs.n++
	}
	return vs
}

// gatherMany is gather for more fields than few.
func (s *schema) gatherMany(buf []byte, n int, prefix bool) []val {
	vals := make([]val, n, n+1)
	for i, c := range s.fields[:n] {
		vals[i], buf = c.gathered(buf)
	}
	if prefix {
		vals = append(vals, val{text: buf, ok: true})
	}
	return vals
}

// gathered is the gathered value at the head of buf, and what is behind it.
func (c *component) gathered(buf []byte) (val, []byte) {
	v := val{ok: true}
	if c.optional {
		v.null = buf[0] == 0
		buf = buf[1:]
	}
	switch {
	case v.null:
		return v, buf
	case c.isText():
		size := int(forms.ReadUint(buf[:4]))
		v.text = buf[4 : 4+size : 4+size]
		return v, buf[4+size:]
	}
	v.num = forms.ReadUint(buf[:8])
	return v, buf[8:]
}

// Bytes is the finished key; a missing field is an error. On error it returns
// the empty buffer it began with.
func (k KeyBuilder) Bytes() (key []byte, err error) {
	if key = k.buf; k.st == nil || len(key) >= k.st.done {
		key, err = k.finish()
	}
	return
}

// finish is Bytes where something is left to do, or is wrong.
func (k KeyBuilder) finish() ([]byte, error) {
	switch {
	case k.st == nil:
		return nil, zeroBuilder.err
	case k.st.err != nil:
		return k.buf[:0], k.st.err
	case !k.st.ends:
		return k.buf[:0], k.st.s.errAt(k.st.c.name, -1, ErrMissing)
	}
	for k.st.op != opEnd { // what is not supplied is null
		k = k.Null()
	}
	return k.st.s.finish(k.buf, k.st)
}

// finish completes a key whose last field that is not null is there: it leaves
// off what stands behind that, fills the slots that wait for the bytes behind
// them, or puts gathered values together.
func (s *schema) finish(buf []byte, st *step) ([]byte, error) {
	if s.gathered {
		n := len(buf)
		given := s.gather(buf, st.i, false)
		out, err := s.appendRow(buf, given.row())
		if err != nil {
			return buf[:0], err
		}
		return out[n:], nil // the values stay as they are, for a second call
	}
	buf = buf[:len(buf)-st.trim]
	if len(buf) == 0 || len(buf) > s.maxLen {
		return buf[:0], s.errAt("", -1, s.keyRefused(len(buf)))
	}
	for _, c := range s.rests {
		if err := s.fillRest(buf, c, s.offset(c)); err != nil {
			return buf[:0], err
		}
	}
	return buf, nil
}

// fillRest writes a component that is computed from the key's bytes behind it.
func (s *schema) fillRest(key []byte, c *component, off int) error {
	if rest := key[off+c.shape.Min:]; len(rest) > 0 && !c.others() {
		if _, ok := c.compute(key[:off], rest); ok {
			return nil
		}
	}
	form, _, err := s.derive(key[len(key):], c, row{}, key[off+c.shape.Min:])
	if err != nil {
		return s.errAt(c.name, -1, s.inner(c, err))
	}
	copy(key[off:], form)
	return nil
}

// appendRow appends the key of a row all of whose values are given, component
// by component: the slow way, for every schema.
func (s *schema) appendRow(dst []byte, r row) ([]byte, error) {
	at := len(dst)
	var slots [maxRests]slot
	dst, open, trim, _, err := s.assemble(dst, r, len(s.fields), false, slots[:0])
	if err != nil {
		return dst[:at], err
	}
	dst = dst[:len(dst)-trim]
	if n := len(dst) - at; n == 0 || n > s.maxLen {
		return dst[:at], s.errAt("", -1, s.keyRefused(n))
	}
	for i := len(open) - 1; i >= 0; i-- {
		if err := s.fillRest(dst[at:], open[i].c, open[i].off); err != nil {
			return dst[:at], err
		}
	}
	return dst, nil
}

// assemble appends a key of the first n fields, as far as they decide it; with
// prefix, the next value is the beginning of the next field. Slots that stay
// empty are added to open; of a complete key they are those that are computed
// from the rest. If the key ends here, its last trim bytes are left off.
func (s *schema) assemble(dst []byte, r row, n int, prefix bool, open []slot) (_ []byte, _ []slot, trim int, apart bool, _ error) {
	at := len(dst)
	end := s.decided(n)
	if n == len(s.fields) {
		end = len(s.comps)
	}
	if prefix {
		end = s.fields[n].index
	}
	for i := range s.comps[:end] {
		c := &s.comps[i]
		if c.absent {
			if v, ok := r.get(c.ord); ok && c.role == roleField { // it is judged all the same
				form, err := c.appendForm(dst, v)
				if err != nil {
					return dst, open, 0, false, s.errAt(c.name, -1, err)
				}
				dst = form[:len(dst)]
			}
			continue
		}
		var err error
		switch c.role {
		case roleLiteral:
			dst = append(dst, c.lit...)
		case roleField:
			v, ok := r.get(c.ord)
			if !ok && c.optional {
				v.null = true
			} else if !ok {
				return dst, open, 0, false, s.errAt(c.name, -1, ErrMissing)
			}
			if dst, err = c.appendForm(dst, v); err != nil {
				return dst, open, 0, false, s.errAt(c.name, -1, err)
			}
			trim, apart = c.trimOf(v.null, trim, apart)
		default:
			if c.rest || !s.known(c, n) {
				open = append(open, slot{c, len(dst) - at})
				if c.shape.Fixed() {
					dst = append(dst, make([]byte, c.shape.Min)...)
				}
				continue
			}
			var known bool
			if dst, known, err = s.derive(dst, c, r, nil); err != nil {
				return dst, open, 0, false, s.errAt(c.name, -1, s.inner(c, err))
			}
			if !known {
				return dst, open, 0, false, s.errAt(c.name, -1, ErrMissing)
			}
			trim, apart = c.trimOf(false, 0, false)
		}
	}
	if prefix {
		v, _ := r.get(n)
		c := s.fields[n]
		form, err := appendPrefix(c, dst, v.text)
		if err != nil {
			return dst, open, 0, false, s.errAt(c.name, -1, err)
		}
		dst = form
		trim = 0 // a value follows
	}
	return dst, open, trim, apart, nil
}

// AppendKey appends the key of these values, in schema order, to dst; for
// tables and tools. On error dst comes back as it was. As by KeyIn, what lies
// behind the key, within dst's capacity, may be written.
func (s *Schema) AppendKey(dst []byte, values ...any) ([]byte, error) {
	dst = slices.Grow(dst, s.in.hint)
	k := s.KeyIn(dst)
	for _, v := range values {
		k = k.put(v)
	}
	key, err := k.Bytes()
	if err != nil {
		return dst, err
	}
	return append(dst, key...), nil
}

// put supplies a value whose type is known only now.
func (k KeyBuilder) put(v any) KeyBuilder {
	switch v := v.(type) {
	case nil:
		return k.Null()
	case string:
		return k.String(v)
	case []byte:
		return k.Binary(v)
	case int:
		return k.Int(int64(v))
	case int8:
		return k.Int(int64(v))
	case int16:
		return k.Int(int64(v))
	case int32:
		return k.Int(int64(v))
	case int64:
		return k.Int(v)
	case uint:
		return k.Uint(uint64(v))
	case uint8:
		return k.Uint(uint64(v))
	case uint16:
		return k.Uint(uint64(v))
	case uint32:
		return k.Uint(uint64(v))
	case uint64:
		return k.Uint(v)
	case float32:
		return k.Float(float64(v))
	case float64:
		return k.Float(v)
	case bool:
		return k.Bool(v)
	case time.Time:
		return k.Time(v)
	}
	return k.fail(ErrType)
}

// Rekey appends the key that a row of from has under s, field by field by
// name: index tables, new bucket counts. A field that from lacks is an error, a
// surplus one is dropped.
func (s *Schema) Rekey(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, from.Decode)
}

// RekeyLoose is Rekey of a key whose salts, hashes and copies need not be those of
// its fields (see DecodeLoose): a row that another number of buckets was written
// with comes to the bucket of this schema.
//
//	key 0c 732d3432, bucket 12 of 16, under [salt64(seller)][seller] from itself:
//	    3c 732d3432, bucket 60 of 64
func (s *Schema) RekeyLoose(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, from.DecodeLoose)
}

// rekey is Rekey by a way to decode.
func (s *Schema) rekey(dst, key []byte, from *Schema, decode func([]byte) (Row, error)) ([]byte, error) {
	d, err := decode(key)
	if err != nil {
		return dst, err
	}
	var few [fewFields]val
	vals := few[:0]
	for _, c := range s.in.fields {
		v, err := d.rekeyed(c)
		if err != nil {
			return dst, s.in.errAt(c.name, -1, err)
		}
		vals = append(vals, v)
	}
	return s.in.appendRow(dst, row{vals: vals})
}

// rekeyed is the value that field c of another schema has in the row.
func (r Row) rekeyed(c *component) (val, error) {
	o := r.s.byName[c.name]
	if o == nil || o.absent || o.role != roleField {
		return val{}, ErrMissing
	}
	v, _, err := o.decode(nil, r.form(o))
	if err != nil || v.null && c.optional {
		return v, err
	}
	if v.null {
		return v, &detail{"is null", ErrMissing}
	}
	integer := func(k kind) bool { return k == kindUint || k == kindInt }
	switch {
	case o.kind == kindFloat && c.kind == kindFloat:
		v.num = c.zero(v.num)
	case o.decimal != c.decimal && o.isText() && c.isText():
		text := o.appendPlain(nil, v.text)
		if v.text = text; c.decimal != forms.NoDecimal {
			v.text, err = appendNumber(c.decimal, nil, text)
		}
		return v, err
	case o.isText() && c.isText():
		v.null = len(v.text) == 0 && c.zeroText()
	case o.kind == c.kind && o.kind != kindTime:
	case integer(o.kind) && integer(c.kind):
		if v.num > math.MaxInt64 { // negative, or too large to be signed
			return v, c.limitsRefused()
		}
	case o.kind == kindTime && c.kind == kindTime:
		n, ok := c.timeNum(o.instant(v.num))
		if !ok {
			return v, c.timeRefused(o.instant(v.num))
		}
		v.num = n
	default:
		return v, ErrType
	}
	return v, nil
}
