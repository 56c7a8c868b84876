package write

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// Key is a key that is being written.
type Key struct {
	Buf []byte       // the key so far, from its first byte on; or the gathered values
	St  *layout.Step // the step of the next field
}

// In starts a key in the memory of buf, which is empty, or in new memory if that is short. Of the
// zero Schema it is the zero Key.
func In(s *layout.Schema, buf []byte) Key {
	if cap(buf)+s.Spare < 0 {
		*(*[8]byte)(unsafe.Pointer(unsafe.SliceData(buf))) = s.Front
		return Key{buf[:s.Lead], s.First}
	}
	return New(s, buf)
}

// New is In for a buf with too little capacity, for a schema with long constants before its first
// field, and for the zero Schema.
func New(s *layout.Schema, buf []byte) Key {
	if s.First == nil {
		return Key{}
	}
	if cap(buf) < s.Hint {
		buf = make([]byte, 0, s.Hint+StepRoom)
	}
	return Key{append(buf, s.Head...), s.First}
}

// zeroBuilder is the step of a KeyBuilder that no schema made.
func zeroBuilder() *layout.Step {
	return layout.BadStep(nil, fault.Make("", "", -1, &fault.Detail{Text: "the zero KeyBuilder", Reason: fault.ErrMissing}))
}

// Fail ends the key with an error about the next field. If the key has an error already, it
// keeps that one.
func (k Key) Fail(reason error) Key {
	st := k.St
	if st == nil {
		return Key{nil, zeroBuilder()}
	}
	if st.Plain != nil { // what its memory holds may be of other copies
		st, k.Buf = st.Plain, nil
	}
	if st.Op == layout.OpBad {
		return Key{k.Buf[:0], st}
	}
	field := ""
	switch st.Op {
	case layout.OpEnd:
		reason = st.S.Extra()
	case layout.OpPrefix:
		reason = &fault.Detail{Text: "nothing but a range follows a prefix", Reason: fault.ErrExtra}
		fallthrough
	default:
		field = st.C.Name
	}
	return Key{k.Buf[:0], layout.BadStep(nil, st.S.ErrAt(field, -1, reason))}
}

// want reports that the next field is of kind a or b.
func (k Key) want(a, b layout.Kind) bool {
	return k.St != nil && k.St.Op < layout.OpEnd && (k.St.C.Kind == a || k.St.C.Kind == b)
}

// Field asserts that the next field has this name.
func (k Key) Field(name string) Key {
	if k.St != nil && k.St.Plain != nil {
		if plain := k.Plain().Field(name); plain.St.Own == nil {
			return plain
		}
		return k
	}
	if k.St == nil || k.St.Op >= layout.OpEnd {
		return k.Fail(fault.ErrField)
	}
	if k.St.C.Name != name {
		return k.Fail(k.St.C.NotNext(k.St.S, name))
	}
	return k
}

// Null leaves an Optional field out.
func (k Key) Null() Key {
	if k.St != nil && k.St.Plain != nil {
		return k.free().Null().after(k)
	}
	st := k.St
	if st == nil || st.Op >= layout.OpEnd || !st.C.Optional {
		return k.called("Null")
	}
	if st.S.Gathered {
		return Key{append(k.Buf, 0), st.Null}.grown(k)
	}
	return Key{append(append(k.Buf, st.C.Null...), st.Tail...), st.Null}.grown(k)
}

// String supplies a text.
func (k Key) String(v string) Key {
	// The text is copied as words that may overlap. In the same words its separator is
	// searched: a word XOR the separator in each byte has a 00 where the text has the
	// separator.
	st, n, m := k.St, len(k.Buf), len(v)
	if st == nil || st.Op != layout.OpText || uint64(m)+st.Bias > st.Span || uint(n+StepRoom) > uint(cap(k.Buf)) || mem.Near(v, k.Buf) {
		return k.PutString(v)
	}
	out, from := unsafe.Add(unsafe.Pointer(unsafe.SliceData(k.Buf)), n), unsafe.Pointer(unsafe.StringData(v))
	a, b := ^st.Xor, ^st.Xor
	switch {
	case m >= 8:
		a, b = mem.Copy16(out, from, m)
	case m >= 4:
		a = mem.Copy8(out, from, m)
	case m > 0:
		a = mem.Copy3(out, from, m)
	}
	if forms.Held(a^st.Xor, b^st.Xor, st.Guard) {
		return k.PutString(v)
	}
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(out, m))[:], st.Word)
	if st.Fill == layout.NoFill { // before all else: a usual text
		return Key{k.Buf[:n+m+st.Size], st.Next}
	}
	if st.Form == layout.HotPad {
		if m > 0 && v[m-1] == byte(st.Xor) {
			return k.PutString(v)
		}
		if mem.PutWord(k.Buf, n+m, st.Xor); m < 8 {
			mem.PutWord(k.Buf, n+8, st.Xor)
		}
		m = int(st.N)
		if mem.PutWord(k.Buf, n+m, st.Word); st.Fill == layout.FillPad {
			return Key{k.Buf[:n+m+st.Size], st.Next}
		}
	}
	return filledStep(st, k.Buf[:n+m+st.Size], n, v)
}

// Binary supplies a text given as bytes.
func (k Key) Binary(v []byte) Key { return k.String(mem.Text(v)) }

// Uint supplies a number.
func (k Key) Uint(v uint64) Key {
	st, n := k.St, len(k.Buf)
	if st == nil || st.Op != layout.OpUint || v+st.Bias > st.Span || uint(n+int(st.Room)) > uint(cap(k.Buf)) {
		return k.putNumber(v, layout.KindUint, layout.KindInt, "Uint")
	}
	return k.word(v)
}

// word writes a number in the one or two words of its op. There is room.
func (k Key) word(u uint64) Key {
	st, p := k.St, unsafe.Add(unsafe.Pointer(unsafe.SliceData(k.Buf)), len(k.Buf))
	if st.Room > 8 {
		binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(p, st.Other))[:], st.Xor)
		p = unsafe.Add(p, st.Slot)
	}
	binary.BigEndian.PutUint64((*[8]byte)(p)[:], u*st.Mul^st.Word)
	return Key{k.Buf[:len(k.Buf)+st.Size], st.Next}
}

// putNumber is Uint, Int, Bool and Units for what they do not write by themselves. kind is that of a field whose
// values u is one of, and also that of another that takes it if it has no sign.
func (k Key) putNumber(u uint64, kind, also layout.Kind, method string) Key {
	st := k.St
	switch {
	case st != nil && (st.Kind == kind || st.Kind == also && u <= layout.MaxInt64) && u+st.Bias <= st.Span:
		return k.PutWord(u)
	case st != nil && st.Plain != nil:
		return k.free().putNumber(u, kind, also, method).after(k)
	case !k.want(kind, also):
		return k.called(method)
	case st.C.Kind != kind && u > layout.MaxInt64:
		return k.Fail(st.C.LimitsRefused())
	}
	return k.putNum(u)
}

// Int supplies a number.
func (k Key) Int(v int64) Key {
	st, n := k.St, len(k.Buf)
	if st == nil || st.Op != layout.OpInt || uint64(v)+st.Bias > st.Span || uint(n+int(st.Room)) > uint(cap(k.Buf)) {
		return k.putNumber(uint64(v), layout.KindInt, layout.KindUint, "Int")
	}
	return k.word(uint64(v))
}

// called ends the key with the error that a method was called for a field of another type.
func (k Key) called(method string) Key {
	switch {
	case k.St == nil || k.St.Op >= layout.OpEnd:
		return k.Fail(fault.ErrType)
	case k.St.C.Kind == layout.KindTime && (method == "Uint" || method == "Int"):
		return k.Fail(errTimeNumber)
	}
	return k.Fail(k.St.C.Mistyped(method + " was called"))
}

// Float supplies a Float field.
func (k Key) Float(v float64) Key {
	st, n := k.St, len(k.Buf)
	if st == nil || st.Op != layout.OpFloat || uint(n+int(st.Room)) > uint(cap(k.Buf)) {
		return k.putFloat(v)
	}
	u, ok := forms.FloatWord(v, st.Base, st.Span, st.Bias, st.N == 4)
	if !ok {
		return k.putFloat(v)
	}
	return k.word(u)
}

func (k Key) putFloat(v float64) Key {
	if st := k.St; st != nil && st.Kind == layout.KindFloat {
		if u, ok := forms.FloatWord(v, st.Base, st.Span, st.Bias, st.N == 4); ok {
			return k.PutWord(u)
		}
	}
	if k.St != nil && k.St.Plain != nil {
		return k.free().putFloat(v).after(k)
	}
	if !k.want(layout.KindFloat, layout.KindFloat) {
		return k.called("Float")
	}
	u, ok := k.St.C.FloatNum(v)
	if !ok {
		return k.Fail(layout.ErrNaN)
	}
	return k.putNum(u)
}

// Bool supplies a Bool field.
func (k Key) Bool(v bool) Key {
	u := uint64(0)
	if v {
		u = 1
	}
	st, n := k.St, len(k.Buf)
	if st != nil && st.Op == layout.OpBool && u <= st.Span && uint(n+int(st.Room)) <= uint(cap(k.Buf)) {
		return k.word(u)
	}
	return k.putNumber(u, layout.KindBool, layout.KindBool, "Bool")
}

// Time supplies a Time field.
func (k Key) Time(v time.Time) Key {
	st, n := k.St, len(k.Buf)
	sec, nsec := uint64(v.Unix()), uint64(v.Nanosecond())
	if st == nil || st.Op != layout.OpTime && st.Op != layout.OpMilli || sec > st.Until || uint(n+int(st.Room)) > uint(cap(k.Buf)) {
		return k.PutTime(int64(sec), int64(nsec))
	}
	x, base := nsec<<1, st.Base
	if st.Per == 0 {
		if x, base = sec-base, 0; x > st.Until { // before the epoch, too
			return k.PutTime(int64(sec), int64(nsec))
		}
	}
	part, _ := bits.Mul64(x, st.Inv)
	u := sec*st.Per + part - base
	if u+st.Bias > st.Span {
		return k.PutTime(int64(sec), int64(nsec))
	}
	return k.word(u)
}

// UnixMilli supplies a Time field as milliseconds since 1970.
func (k Key) UnixMilli(ms int64) Key {
	st, n := k.St, len(k.Buf)
	if st == nil || st.Op != layout.OpMilli || uint64(ms)+st.Bias > st.Span || uint(n+int(st.Room)) > uint(cap(k.Buf)) {
		return k.putMilli(ms)
	}
	return k.word(uint64(ms))
}

// Units supplies a Time field as a number of its units: of a time with a Layout, of seconds.
func (k Key) Units(u uint64) Key {
	return k.putNumber(u, layout.KindTime, layout.KindTime, "Units")
}

func (k Key) putMilli(ms int64) Key {
	sec := ms / 1000
	if ms%1000 < 0 {
		sec--
	}
	return k.PutTime(sec, (ms-sec*1000)*1e6)
}

func (k Key) PutTime(sec, nsec int64) Key {
	if st := k.St; st != nil && st.Kind == layout.KindTime {
		if u, ok := st.UnitsOf(uint64(sec), uint64(nsec)); ok {
			return k.PutWord(u)
		}
	}
	if k.St != nil && k.St.Plain != nil {
		return k.free().PutTime(sec, nsec).after(k)
	}
	if !k.want(layout.KindTime, layout.KindTime) {
		return k.called("Time")
	}
	u, ok := k.St.C.TimeNum(sec, nsec)
	if !ok {
		if err := k.St.C.Unit.Fault(sec, nsec); err != nil {
			return k.Fail(err)
		}
		return k.Fail(k.St.C.TimeRefused(sec, nsec))
	}
	return k.putNum(u)
}

// putText writes a text by its component.
func (k Key) putText(v string) Key {
	if !k.want(layout.KindString, layout.KindBinary) {
		return k.called("String")
	}
	text := mem.BytesAt(unsafe.Pointer(&v))
	if st := k.St; st.C.Decimal != forms.NoDecimal {
		var room [64]byte
		form, err := layout.AppendDecimal(st.C.Decimal, room[:0], v)
		if err != nil {
			return k.Fail(err)
		}
		text = form
	} else if len(v) == 0 && st.C.ZeroText() {
		return k.Null()
	} else if st.C.PadEqual() {
		text = layout.Unpadded(st.C, text)
	}
	return k.put(layout.Val{Text: text, Ok: true})
}

// put writes a value, of a decimal number its ascending form, by its component.
func (k Key) put(v layout.Val) Key {
	st, n := k.St, len(k.Buf)
	buf, err := st.C.AppendForm(k.Buf, &v)
	switch {
	case err != nil:
		return k.Fail(err)
	case st.S.Gathered: // in the form that layout.Schema.Gather reads
		if buf = buf[:n]; st.C.Optional {
			buf = append(buf, 1)
		}
		if !st.C.IsText() {
			return Key{forms.AppendUint(buf, v.Num, 8), st.Next}
		}
		return Key{append(forms.AppendUint(buf, uint64(len(v.Text)), 4), v.Text...), st.Next}
	case st.C.Absent:
		buf = buf[:n]
	}
	return Key{append(buf, st.Tail...), st}.fill(n, v.Text, v.Num)
}

// putNum writes a number by its component.
func (k Key) putNum(u uint64) Key { return k.put(layout.Val{Num: u, Ok: true}).grown(k) }

// fill fills the slots that depend on the field that was just written at byte n, in the order of the key, and moves to
// the next step. text or u is its value, a text in other memory.
func (k Key) fill(n int, text []byte, u uint64) Key {
	st := k.St
	for i := range st.Mixes {
		m, size, less := &st.Mixes[i], len(k.Buf), -1
		if m.AtOnce() {
			less = m.Put(k.Buf, n, text, u)
		}
		if less >= 0 {
			k.Buf = k.Buf[:size-less]
		} else if k = k.fillSlot(i, n, text, u); k.St != st {
			return k
		}
		if m.C.Index < st.C.Index {
			n += len(k.Buf) - size
		}
	}
	return Key{k.Buf, st.Next}
}

// fillSlot is fill of the slot of mix i, which Put does not write.
func (k Key) fillSlot(i, n int, text []byte, u uint64) Key {
	m, size := &k.St.Mixes[i], len(k.Buf)
	at := m.At(k.Buf, n)
	if at < 0 {
		return k.Fail(layout.ErrShared)
	}
	form, err := m.Form(k.Buf[size:], k.Buf, n, text, u)
	if err != nil && !k.moved() {
		return Key{k.Buf[:0], layout.BadStep(nil, k.St.S.ErrAt(m.C.Name, -1, err))}
	}
	room, ok := m.C.Room(k.Buf, at, m.C.Index < k.St.C.Index)
	switch {
	case err != nil, !ok:
		return k.Fail(layout.ErrShared)
	case len(form) == room:
		copy(k.Buf[at:], form)
		return k
	}
	k.Buf = append(k.Buf, form...) // it may lie there already
	forms.Rotate(k.Buf[at+room:], size-at-room)
	return Key{append(k.Buf[:at], k.Buf[at+room:]...), k.St}
}

// moved reports that a slot of later fields was filled, so that what follows it may have moved: another key has been
// written there.
func (k Key) moved() bool {
	return slices.ContainsFunc(k.St.S.Derived, func(c *layout.Component) bool {
		_, empty := k.St.S.Empty(c, k.Buf)
		return !empty && k.St.Opens(c) && c.Needs > k.St.I+1
	})
}

// Bytes is the finished key. On error it gives the empty buffer with which the key began.
func (k Key) Bytes() ([]byte, error) {
	if k.St != nil && len(k.Buf) < k.St.Done {
		return k.Buf, nil
	}
	return k.Finish()
}

// Finish is Bytes for a key that needs more work, or has an error.
func (k Key) Finish() ([]byte, error) {
	if k.St != nil && k.St.Plain != nil {
		plain := k.free()
		if last := plain.St; last.Op == layout.OpEnd && len(k.Buf) < last.Done {
			return plain.Buf, nil
		}
		if plain.St.Op != layout.OpBad {
			setFields(k.Buf, finished)
		}
		key, err := plain.Finish()
		if err != nil {
			key = nil // the memory may be that of other copies
		}
		return key, err
	}
	switch {
	case k.St == nil:
		return nil, zeroBuilder().Err
	case k.St.Err != nil:
		return k.Buf[:0], k.St.Err
	case !k.St.Ends:
		return k.Buf[:0], k.St.S.ErrAt(k.St.C.Name, -1, fault.ErrMissing)
	}
	for k.St.Op < layout.OpEnd { // fields that are not supplied are null
		k = k.Null().Plain() // a null may have grown the key into memory with a note
	}
	key, err := k.St.S.Finish(k.Buf, k.St)
	if k.St.S.Gathered && err == nil && mem.Within(mem.Text(key), k.Buf) { // it lies after the gathered values
		key = append(k.Buf[:0], key...)
	}
	return key, err
}

// Append appends the key of values, one for each field, to dst. On error dst comes back as it
// was.
func Append(s *layout.Schema, dst []byte, values []any) ([]byte, error) {
	room := slices.Grow(dst, s.Hint)
	k := In(s, room[len(room):])
	for _, v := range values {
		k = k.putAny(v)
	}
	key, err := k.Bytes()
	if err != nil {
		return dst, err // not room: of a nil dst it is nil
	}
	return append(room, key...), nil
}

// Refused is what Append would say of a row that cannot be written, given as the layout has its values. It is
// nil for a row that can be written.
func Refused(s *layout.Schema, vals []layout.Val) error {
	k := In(s, nil)
	for i := range vals {
		if k = k.Plain(); k.St.Err != nil {
			return k.St.Err
		}
		if vals[i].Null {
			k = k.Null()
		} else {
			k = k.put(vals[i])
		}
	}
	_, err := k.Finish()
	return err
}

// putAny supplies a value of any of the supported Go types.
func (k Key) putAny(v any) Key {
	switch v := v.(type) {
	case nil:
		return k.Null()
	case string:
		return k.String(v)
	case []byte:
		return k.Binary(v)
	case bool:
		return k.Bool(v)
	case time.Time:
		return k.Time(v)
	}
	switch n := reflect.ValueOf(v); {
	case n.Type().PkgPath() != "", n.Kind() == reflect.Uintptr: // a type of the caller's may mean something else
	case n.CanInt():
		return k.Int(n.Int())
	case n.CanUint():
		return k.Uint(n.Uint())
	case n.CanFloat():
		return k.Float(n.Float())
	}
	return k.Fail(fault.ErrType)
}

// StepRoom is how many bytes a fast step of a text may write after the key so far: a text of two words,
// and one word that follows.
const StepRoom = layout.FewBytes + 8

var errTimeNumber error = &fault.Detail{Text: "a time is a time.Time, or milliseconds given to UnixMilli", Reason: fault.ErrType}
