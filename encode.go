package rowkey

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
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

// KeyBuilder is a key being written: four words, passed by value, used once
// (as append is): a copy of it goes on in the same buffer. The zero value only
// errs.
type KeyBuilder struct{ in writing }

// Field asserts that the next field has this name: for neighbours of one type,
// which the compiler cannot tell apart.
func (k KeyBuilder) Field(name string) KeyBuilder { return KeyBuilder{k.in.Field(name)} }

// Null leaves an Optional field out. One that is not followed by a value need
// not be supplied for Bytes; Range leaves open what is not supplied.
func (k KeyBuilder) Null() KeyBuilder { return KeyBuilder{k.in.Null()} }

// String supplies a String or Binary field: its bytes, and what ends them. A text
// that holds its separator, or ends in its padding, is an error that wraps
// ErrTerminator; "s-42" before Separator("_") writes 732d3432 5f.
func (k KeyBuilder) String(v string) KeyBuilder { return KeyBuilder{k.in.String(v)} }

// Binary supplies a Binary or String field.
func (k KeyBuilder) Binary(v []byte) KeyBuilder { return KeyBuilder{k.in.Binary(v)} }

// Uint supplies a Uint or Int field of any size; what does not fit is an
// error, never cut.
func (k KeyBuilder) Uint(v uint64) KeyBuilder { return KeyBuilder{k.in.Uint(v)} }

// Int supplies an Int or Uint field of any size; what does not fit is an
// error, never cut.
func (k KeyBuilder) Int(v int64) KeyBuilder { return KeyBuilder{k.in.Int(v)} }

// Float supplies a Float field. One of 4 bytes takes what a float32 holds.
func (k KeyBuilder) Float(v float64) KeyBuilder { return KeyBuilder{k.in.Float(v)} }

// Bool supplies a Bool field.
func (k KeyBuilder) Bool(v bool) KeyBuilder { return KeyBuilder{k.in.Bool(v)} }

// Time supplies a Time field, rounded down to its unit; plain integers are
// refused there, so seconds cannot pass as milliseconds.
func (k KeyBuilder) Time(v time.Time) KeyBuilder { return KeyBuilder{k.in.Time(v)} }

// UnixMilli supplies a Time field as milliseconds since 1970: the hot path's
// word, with its unit said.
func (k KeyBuilder) UnixMilli(ms int64) KeyBuilder { return KeyBuilder{k.in.UnixMilli(ms)} }

// Bytes is the finished key; a missing field is an error. On error it returns
// the empty buffer it began with.
func (k KeyBuilder) Bytes() (key []byte, err error) {
	if key = k.in.buf; key == nil || len(key) >= k.in.st.Done { // of the zero KeyBuilder it is nil
		key, err = k.finish()
	}
	return
}

// finish is Bytes where something is left to do, or is wrong. Were it inlined, Bytes
// would be too large to be.
//
//go:noinline
func (k KeyBuilder) finish() ([]byte, error) { return k.in.finish() }

// Prefix supplies the beginning of a text field; only Range and AppendRanges
// can follow. It is not empty: leave it out to read every value. One that ends
// as its field's padding or as the beginning of its separator is refused, since
// shorter values are stored alike. Behind a Transform the Traits must say Prefixes.
func (k KeyBuilder) Prefix(p string) KeyBuilder { return KeyBuilder{k.in.Prefix(p)} }

// writing is a key being written.
type writing struct {
	buf []byte // the key so far, from its first byte on; or the gathered values
	st  *layout.Step
}

// Key starts a key in memory of its own. Use it where the key is kept by others: an
// HBase client may still send it after a call has timed out.
func (s *Schema) Key() KeyBuilder { return KeyBuilder{newKey(&s.in, nil)} }

// KeyIn starts a key in buf's spare capacity, or in new memory if that is short;
// buf's contents are not touched, and the result is the key alone: with "ab" in buf
// it is 0c…, not 6162 0c…. What lies behind the key, within buf's capacity, may be
// written, too: if it is another's, say where buf ends, as b[0:0:64].
func (s *Schema) KeyIn(buf []byte) KeyBuilder { return KeyBuilder{keyIn(&s.in, buf)} }

func keyIn(s *layout.Schema, buf []byte) writing {
	if n := len(buf); cap(buf)-n >= s.Spare {
		return writing{buf[n : n+s.Lead], s.First}
	}
	return newKey(s, buf)
}

// newKey is KeyIn where memory is short, or constants stand in front.
func newKey(s *layout.Schema, buf []byte) writing {
	if cap(buf)-len(buf) < s.Hint {
		buf = make([]byte, 0, s.Hint+stepRoom)
	}
	return writing{append(buf[len(buf):], s.Head...), s.First}
}

// zeroBuilder is the step of a KeyBuilder that no schema made.
func zeroBuilder() *layout.Step {
	return layout.BadStep(nil, fault.Make("", "", -1, &fault.Detail{Text: "the zero KeyBuilder", Reason: fault.ErrMissing}))
}

// fail ends the key with an error about the field at hand; the first one stays.
func (k writing) fail(reason error) writing {
	st := k.st
	if st == nil {
		return writing{nil, zeroBuilder()}
	}
	if st.Op == layout.OpBad {
		return writing{k.buf[:0], st}
	}
	field := ""
	switch st.Op {
	case layout.OpEnd:
		reason = fault.ErrExtra
	case layout.OpPrefix:
		reason = &fault.Detail{Text: "nothing but a range follows a prefix", Reason: fault.ErrExtra}
		fallthrough
	default:
		field = st.C.Name
	}
	return writing{k.buf[:0], layout.BadStep(nil, st.S.ErrAt(field, -1, reason))}
}

// want reports that a field of such a kind is next; if not, fail knows why.
func (k writing) want(a, b layout.Kind) bool {
	return k.st != nil && k.st.Op < layout.OpEnd && (k.st.C.Kind == a || k.st.C.Kind == b)
}

// Field asserts that the next field has this name.
func (k writing) Field(name string) writing {
	if k.st == nil || k.st.Op >= layout.OpEnd || k.st.C.Name != name {
		return k.fail(fault.ErrField)
	}
	return k
}

// Null leaves an Optional field out.
func (k writing) Null() writing {
	st := k.st
	if st == nil || st.Op >= layout.OpEnd || !st.C.Optional {
		return k.fail(fault.ErrType)
	}
	if st.S.Gathered {
		return writing{append(k.buf, 0), st.Null}
	}
	return writing{append(append(k.buf, st.C.Null...), st.Tail...), st.Null}
}

// String supplies a text.
func (k writing) String(v string) writing {
	// What ends the text is looked for while the text is copied, in words that may
	// overlap: a word XOR the separator in every byte has a zero byte where the text
	// has the separator.
	st, n, m := k.st, len(k.buf), len(v)
	if st == nil || st.Op != layout.OpText || uint64(m)+st.Bias > st.Span || uint(n+stepRoom) > uint(cap(k.buf)) {
		return k.putString(v)
	}
	out, width := k.buf[n:], m
	if st.Form == layout.HotPad {
		if m > 0 && v[m-1] == byte(st.Xor) {
			return k.putString(v)
		}
		putWord(out, 0, st.Xor)
		putWord(out, 8, st.Xor)
		width = int(st.N)
	}
	a, b := ^st.Xor, ^st.Xor
	switch {
	case m >= 8:
		a, b = text16(out, v)
	case m >= 4:
		a = text8(out, v)
	case m > 0:
		a = text3(out, v)
	}
	if st.Guard != 0 && forms.ZeroBytes(a^st.Xor)|forms.ZeroBytes(b^st.Xor) != 0 {
		return k.putString(v)
	}
	putWord(out, width, st.Word)
	out = k.buf[:n+width+st.Size]
	if st.Fill != layout.NoFill {
		return filledStep(st, out, n, v)
	}
	return writing{out, st.Next}
}

// Binary supplies a text given as bytes.
func (k writing) Binary(v []byte) writing { return k.String(viewString(v)) }

// Uint supplies a number.
func (k writing) Uint(v uint64) writing {
	st, n := k.st, len(k.buf)
	if st == nil || st.Op != layout.OpUint || v+st.Bias > st.Span || uint(n+8) > uint(cap(k.buf)) {
		return k.putUint(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], v*st.Mul^st.Word)
	return writing{k.buf[:n+st.Size], st.Next}
}

func (k writing) putUint(v uint64) writing {
	if st := k.st; st != nil && (st.Kind == layout.KindUint || st.Kind == layout.KindInt && v <= layout.MaxInt64) && v+st.Bias <= st.Span {
		return k.putHot(v)
	}
	if !k.want(layout.KindUint, layout.KindInt) {
		return k.fail(k.noNumber())
	}
	if k.st.C.Kind == layout.KindInt && v > layout.MaxInt64 {
		return k.fail(k.st.C.LimitsRefused())
	}
	return k.putNum(v)
}

// Int supplies a number.
func (k writing) Int(v int64) writing {
	st, n := k.st, len(k.buf)
	if st == nil || st.Op != layout.OpInt || uint64(v)+st.Bias > st.Span || uint(n+8) > uint(cap(k.buf)) {
		return k.putInt(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], uint64(v)*st.Mul^st.Word)
	return writing{k.buf[:n+st.Size], st.Next}
}

func (k writing) putInt(v int64) writing {
	if st := k.st; st != nil && (st.Kind == layout.KindInt || st.Kind == layout.KindUint && v >= 0) && uint64(v)+st.Bias <= st.Span {
		return k.putHot(uint64(v))
	}
	if !k.want(layout.KindUint, layout.KindInt) {
		return k.fail(k.noNumber())
	}
	if k.st.C.Kind == layout.KindUint && v < 0 {
		return k.fail(k.st.C.LimitsRefused())
	}
	return k.putNum(uint64(v))
}

// noNumber is why the next field takes no whole number.
func (k writing) noNumber() error {
	if k.want(layout.KindTime, layout.KindTime) {
		return errTimeNumber
	}
	return fault.ErrType
}

// Float supplies a Float field.
func (k writing) Float(v float64) writing {
	st, n := k.st, len(k.buf)
	if st == nil || st.Op != layout.OpFloat || v != v || uint(n+8) > uint(cap(k.buf)) {
		return k.putFloat(v)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], forms.OrderFloat(math.Float64bits(v+0), 8)^st.Word) // −0 is 0
	return writing{k.buf[:n+8], st.Next}
}

func (k writing) putFloat(v float64) writing {
	if st := k.st; st != nil && st.Form == layout.HotFloat {
		if u, ok := st.FloatWord(v); ok {
			return k.putWord(u)
		}
	}
	if !k.want(layout.KindFloat, layout.KindFloat) {
		return k.fail(fault.ErrType)
	}
	u, ok := k.st.C.FloatNum(v)
	if !ok {
		return k.fail(layout.ErrNaN)
	}
	return k.putNum(u)
}

// Bool supplies a Bool field.
func (k writing) Bool(v bool) writing {
	u := uint64(0)
	if v {
		u = 1
	}
	st, n := k.st, len(k.buf)
	if st != nil && st.Op == layout.OpBool && u <= st.Span && uint(n+8) <= uint(cap(k.buf)) {
		binary.BigEndian.PutUint64(k.buf[n:n+8], u*st.Mul^st.Word)
		return writing{k.buf[:n+st.Size], st.Next}
	}
	return k.putBool(u)
}

func (k writing) putBool(u uint64) writing {
	if st := k.st; st != nil && st.Kind == layout.KindBool && u <= st.Span {
		return k.putWord(u)
	}
	if !k.want(layout.KindBool, layout.KindBool) {
		return k.fail(fault.ErrType)
	}
	return k.putNum(u)
}

// Time supplies a Time field.
func (k writing) Time(v time.Time) writing {
	st, n := k.st, len(k.buf)
	sec, nsec := uint64(v.Unix()), uint64(v.Nanosecond())
	if st == nil || st.Op != layout.OpTime && st.Op != layout.OpMilli || sec > st.Until || uint(n+8) > uint(cap(k.buf)) {
		return k.putTime(int64(sec), int64(nsec))
	}
	part, _ := bits.Mul64(nsec<<1, st.Inv)
	u := sec*st.Per + part - st.Base
	if u+st.Bias > st.Span {
		return k.putTime(int64(sec), int64(nsec))
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], u*st.Mul^st.Word)
	return writing{k.buf[:n+st.Size], st.Next}
}

// UnixMilli supplies a Time field as milliseconds since 1970.
func (k writing) UnixMilli(ms int64) writing {
	st, n := k.st, len(k.buf)
	if st == nil || st.Op != layout.OpMilli || uint64(ms)+st.Bias > st.Span || uint(n+8) > uint(cap(k.buf)) {
		return k.putMilli(ms)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], uint64(ms)*st.Mul^st.Word)
	return writing{k.buf[:n+st.Size], st.Next}
}

func (k writing) putMilli(ms int64) writing {
	sec := ms / 1000
	if ms%1000 < 0 {
		sec--
	}
	return k.putTime(sec, (ms-sec*1000)*1e6)
}

func (k writing) putTime(sec, nsec int64) writing {
	if st := k.st; st != nil && st.Kind == layout.KindTime {
		if u, ok := st.UnitsOf(uint64(sec), uint64(nsec)); ok {
			return k.putHot(u)
		}
	}
	if !k.want(layout.KindTime, layout.KindTime) {
		return k.fail(fault.ErrType)
	}
	u, ok := k.st.C.TimeNum(sec, nsec)
	if !ok {
		if err := k.st.C.Unit.Fault(sec, nsec); err != nil {
			return k.fail(err)
		}
		return k.fail(k.st.C.TimeRefused(sec, nsec))
	}
	return k.putNum(u)
}

// putText writes a text.
func putText[T string | []byte](k writing, v T) writing {
	if !k.want(layout.KindString, layout.KindBinary) {
		return k.fail(fault.ErrType)
	}
	if st := k.st; st.C.Decimal != forms.NoDecimal {
		var room [64]byte
		form, err := layout.AppendDecimal(st.C.Decimal, room[:0], v)
		if err != nil {
			return k.fail(err)
		}
		return putForm(k, form)
	} else if len(v) == 0 && st.C.ZeroText() {
		return k.Null()
	} else if st.C.PadEqual() {
		v = layout.Unpadded(st.C, v)
	}
	return putForm(k, v)
}

// putForm writes a text, or a decimal number as its value is inside.
func putForm[T string | []byte](k writing, v T) writing {
	st := k.st
	n := len(k.buf)
	buf, err := layout.AppendText(st.C, k.buf, v)
	if err != nil {
		return k.fail(err)
	}
	if st.S.Gathered {
		return writing{gatherText(st.C.GatherFlag(buf[:n]), v), st.Next}
	}
	if st.C.Absent {
		buf = buf[:n]
	}
	end := len(buf)
	buf = append(buf, st.Tail...)
	if len(st.Fills) > 0 {
		value, scratch := buf[n:end], buf[len(buf):]
		if st.C.Absent || !st.C.Verbatim() {
			value = append(scratch, v...)
			scratch = value[len(value):]
		}
		return writing{buf, st}.fill(n, layout.Val{Text: value, Ok: true}, scratch)
	}
	return writing{buf, st.Next}
}

// putNum writes a number.
func (k writing) putNum(u uint64) writing {
	st := k.st
	n := len(k.buf)
	buf, err := st.C.AppendNum(k.buf, u)
	if err != nil {
		return k.fail(err)
	}
	if st.S.Gathered {
		return writing{forms.AppendUint(st.C.GatherFlag(buf[:n]), u, 8), st.Next}
	}
	if st.C.Absent {
		buf = buf[:n]
	}
	buf = append(buf, st.Tail...)
	if len(st.Fills) > 0 {
		return writing{buf, st}.fill(n, layout.Val{Num: u, Ok: true}, buf[len(buf):])
	}
	return writing{buf, st.Next}
}

// fill writes the slots that depend on the field just written at n, and goes on.
func (k writing) fill(n int, v layout.Val, scratch []byte) writing {
	st := k.st
	value := v.Text
	known := st.C.IsText() && st.C.Decimal == forms.NoDecimal // value is
	vals := [1]layout.Val{v}
	for i := range st.Fills {
		f, m := &st.Fills[i], &st.Mixes[i]
		if m.C != nil {
			m.Put(k.buf, n, v.Text, v.Num)
			continue
		}
		if !known {
			value, known = st.C.AppendValue(scratch, v), true
			scratch = value[len(value):]
		}
		if f.C.Direct {
			if _, ok := f.C.Compute(k.buf[:f.Off], value); !ok {
				return k.fail(st.S.Inner(f.C, f.C.SumRefused(value)))
			}
			continue
		}
		form, _, err := st.S.Derive(scratch, f.C, layout.Row{Vals: vals[:], Base: st.I}, nil)
		if err != nil {
			return k.fail(st.S.Inner(f.C, err))
		}
		copy(k.buf[f.Off:], form)
	}
	return writing{k.buf, st.Next}
}

// Gathered values lie one after another: 8 bytes of a number, or 4 bytes of a
// text's length and the text; of an Optional field a byte in front, 0 if that is
// all, since it is null.

func gatherText[T string | []byte](buf []byte, v T) []byte {
	return append(forms.AppendUint(buf, uint64(len(v)), 4), v...)
}

// finish is Bytes where something is left to do, or is wrong.
func (k writing) finish() ([]byte, error) {
	switch {
	case k.st == nil:
		return nil, zeroBuilder().Err
	case k.st.Err != nil:
		return k.buf[:0], k.st.Err
	case !k.st.Ends:
		return k.buf[:0], k.st.S.ErrAt(k.st.C.Name, -1, fault.ErrMissing)
	}
	for k.st.Op != layout.OpEnd { // what is not supplied is null
		k = k.Null()
	}
	return k.st.S.Finish(k.buf, k.st)
}

// AppendKey appends the key of these values, in schema order, to dst; for
// tables and tools. On error dst comes back as it was. As by KeyIn, what lies
// behind the key, within dst's capacity, may be written.
func (s *Schema) AppendKey(dst []byte, values ...any) ([]byte, error) {
	return appendKey(&s.in, dst, values)
}

// appendKey is AppendKey.
func appendKey(s *layout.Schema, dst []byte, values []any) ([]byte, error) {
	dst = slices.Grow(dst, s.Hint)
	k := keyIn(s, dst)
	for _, v := range values {
		k = k.put(v)
	}
	key, err := k.finish()
	if err != nil {
		return dst, err
	}
	return append(dst, key...), nil
}

// put supplies a value whose type is known only now.
func (k writing) put(v any) writing {
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
	return k.fail(fault.ErrType)
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
	var few [layout.FewFields]layout.Val
	vals := few[:0]
	for _, c := range s.in.Fields {
		v, err := d.rekeyed(c)
		if err != nil {
			return dst, s.in.ErrAt(c.Name, -1, err)
		}
		vals = append(vals, v)
	}
	return s.in.AppendRow(dst, layout.Row{Vals: vals})
}

// rekeyed is the value that field c of another schema has in the row.
func (r Row) rekeyed(c *layout.Component) (layout.Val, error) {
	o := r.s.ByName[c.Name]
	if o == nil || o.Absent || o.Role != layout.RoleField {
		return layout.Val{}, fault.ErrMissing
	}
	v, _, err := o.Decode(nil, r.form(o))
	if err != nil || v.Null && c.Optional {
		return v, err
	}
	if v.Null {
		return v, &fault.Detail{Text: "is null", Reason: fault.ErrMissing}
	}
	integer := func(k layout.Kind) bool { return k == layout.KindUint || k == layout.KindInt }
	switch {
	case o.Kind == layout.KindFloat && c.Kind == layout.KindFloat:
		v.Num = c.Zero(v.Num)
	case o.Decimal != c.Decimal && o.IsText() && c.IsText():
		text := o.AppendPlain(nil, v.Text)
		if v.Text = text; c.Decimal != forms.NoDecimal {
			v.Text, err = layout.AppendDecimal(c.Decimal, nil, text)
		}
		return v, err
	case o.IsText() && c.IsText():
		v.Null = len(v.Text) == 0 && c.ZeroText()
	case o.Kind == c.Kind && o.Kind != layout.KindTime:
	case integer(o.Kind) && integer(c.Kind):
		if v.Num > math.MaxInt64 { // negative, or too large to be signed
			return v, c.LimitsRefused()
		}
	case o.Kind == layout.KindTime && c.Kind == layout.KindTime:
		n, ok := c.TimeNum(o.Instant(v.Num))
		if !ok {
			return v, c.TimeRefused(o.Instant(v.Num))
		}
		v.Num = n
	default:
		return v, fault.ErrType
	}
	return v, nil
}

// stepRoom is what a step may write behind a key so far without asking: a text of
// two words, and the word that follows it.
const stepRoom = layout.FewBytes + 8

var errTimeNumber error = &fault.Detail{Text: "a time is a time.Time, or milliseconds given to UnixMilli", Reason: fault.ErrType}
