package rowkey

import (
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"strings"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Reader is a key that is being read: four words, passed by value. It reads the stored fields
// in schema order, and keeps its first error for Err.
type Reader struct {
	buf []byte // the key up to where it is read; its capacity ends with the key
	st  *walk.Step
}

// Read starts reading a key, field by field in schema order. The key must not change until
// the Reader is done.
func (s *Schema) Read(key []byte) Reader {
	if len(key) <= s.bare {
		return Reader{key[:0:len(key)], s.toRead}
	}
	return s.read(key)
}

// read is Read for a key with bytes before its first field, or with an error.
func (s *Schema) read(key []byte) Reader {
	if s.in.Start.Fits(key) {
		return Reader{key[:s.in.Start.Lead:len(key)], s.toRead}
	}
	if len(key) == 0 || len(key) > s.in.MaxLen {
		return badReader(&s.in, s.in.ErrAt("", 0, s.in.KeyRefused(len(key))))
	}
	key = key[:len(key):len(key)]
	if s.in.Loose > 0 { // its components are found together
		return s.readLoose(key)
	}
	if s.in.Begins(key) {
		return Reader{key[:s.in.Start.Lead], s.toRead}
	}
	pos, err := s.in.Skip(key, 0, 0)
	if err != nil {
		return brokenReader(&s.in, key, err)
	}
	return Reader{key[:pos], s.toRead}
}

// readLoose is Read for a schema with components whose end must be tried.
func (s *Schema) readLoose(key []byte) Reader {
	if s.toRead.Lane != walk.LaneEnd {
		return Reader{key[:0], s.toRead}
	}
	if err := s.in.Split(key, make(layout.Spans, len(s.in.Comps)+1), true); err != nil {
		return brokenReader(&s.in, key, err)
	}
	return Reader{key, s.toRead}
}

func badReader(s *layout.Schema, err error) Reader {
	return Reader{nil, walk.BadStep(s, err)}
}

// brokenReader is a reader of a key that is none of the schema.
func brokenReader(s *layout.Schema, key []byte, err error) Reader {
	return badReader(s, s.Tell(key, err))
}

var zeroReader = walk.BadStep(nil, &Error{Offset: -1, Err: &fault.Detail{Text: "the zero Reader", Reason: ErrMalformed}})

func (r Reader) fail(reason error) Reader {
	switch {
	case r.st == nil:
		return Reader{nil, zeroReader}
	case r.st.Lane == walk.LaneBad:
		return r
	case cap(r.buf) == 0:
		return badReader(r.st.S, r.st.S.ErrAt("", 0, r.st.S.KeyRefused(0)))
	case r.st.Lane == walk.LaneEnd:
		return badReader(r.st.S, r.st.S.ErrAt("", -1, r.st.S.Extra()))
	}
	return brokenReader(r.st.S, r.buf[:cap(r.buf)], r.st.S.ErrAt(r.st.C.Name, len(r.buf), reason))
}

// want reports that the next field is of kind a or b.
func (r Reader) want(a, b layout.Kind) bool {
	return r.st != nil && r.st.Lane < walk.LaneEnd && (r.st.C.Kind == a || r.st.C.Kind == b)
}

// form is the stored form of the next field, and the reader at its end, for past; nil, and a
// reader with the error, if the field has no end.
func (r Reader) form() ([]byte, Reader) {
	st := r.st
	s := st.S
	key, pos := r.buf[:cap(r.buf)], len(r.buf)
	if len(key) == 0 { // Read does not check this
		return nil, r.fail(ErrLength)
	}
	if s.Loose > 0 {
		return r.looseForm(key)
	}
	n := st.C.Extent(key[pos:])
	if n < 0 {
		return nil, r.fail(ErrMalformed)
	}
	return key[pos : pos+n], Reader{key[:pos+n], st}
}

// past is the reader after the next field, whose form ends at end, and after the constants, salts,
// hashes and copies that follow it.
func (r Reader) past(end Reader) Reader {
	st := r.st
	if st.S.Loose > 0 {
		return end
	}
	key := r.buf[:cap(r.buf)]
	pos, err := st.S.Skip(key, len(end.buf), st.C.Index+1)
	if err != nil {
		return brokenReader(st.S, key, err)
	}
	return Reader{key[:pos], st.Next}
}

// looseForm is form for a schema with components whose end must be tried. Its reader is past the
// field already.
func (r Reader) looseForm(key []byte) ([]byte, Reader) {
	st := r.st
	s := st.S
	at := make(layout.Spans, len(s.Comps)+1)
	if err := s.Split(key, at, true); err != nil {
		return nil, brokenReader(s, key, err)
	}
	end := len(key)
	if st.Next.Lane != walk.LaneEnd {
		end = int(at[st.Next.C.Index])
	}
	return key[at[st.C.Index]:at[st.C.Index+1]], Reader{key[:end], st.Next}
}

// Null sets *v to whether the next field is null, and stays at this field. Then read the field
// by its own method, or Skip it: a null gives the zero value. To read a null without asking by
// Null is an error, except for texts of Phoenix, where the empty text is a null.
func (r Reader) Null(v *bool) Reader {
	if r.st == nil || r.st.Lane >= walk.LaneEnd {
		return r.fail(ErrExtra)
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	if *v = r.st.C.IsNull(form); r.st.C.Optional {
		return Reader{r.buf, r.st.Asked}
	}
	return r
}

// pastNull is past for a null; it has an error if Null was not asked.
func (r Reader) pastNull(end Reader) Reader {
	if !r.st.MayNull && !r.st.C.ZeroText() {
		return r.fail(&fault.Detail{Text: "is null: ask Null first", Reason: ErrMissing})
	}
	return r.past(end)
}

// num reads the next field as a number.
func (r Reader) num() (uint64, Reader) {
	st, key, at := r.st, r.buf[:cap(r.buf)], len(r.buf)
	if u, end, ok := st.Num(key, at); ok {
		return u, Reader{key[:end], st.Next}
	}
	form, end := r.form()
	if form == nil {
		return 0, end
	}
	if r.st.C.Optional && r.st.C.IsNull(form) {
		return 0, r.pastNull(end)
	}
	u, err := r.st.C.DecodeNum(form)
	if err != nil {
		return 0, r.fail(err)
	}
	return u, r.checked(layout.Val{Num: u, Ok: true}, r.past(end))
}

// String copies a text or binary value.
func (r Reader) String(v *string) Reader {
	if !r.want(layout.KindString, layout.KindBinary) {
		return r.called("String")
	}
	if r.st.Turned() {
		return r.anyString(v)
	}
	text, next, ok := r.taken(nil)
	if !ok {
		return r.anyString(v)
	}
	if r.st.Shares() {
		*v = mem.Text(text)
	} else {
		*v = string(text)
	}
	return next
}

// anyString is String for a text that is not a part of the key.
func (r Reader) anyString(v *string) Reader {
	var room [128]byte
	text := room[:0]
	next := r.anyBinary(&text)
	if next.st.Lane != walk.LaneBad {
		*v = string(text)
	}
	return next
}

// Binary copies a text or binary value into (*v)[:0]; it never aliases the
// key.
func (r Reader) Binary(v *[]byte) Reader {
	// One function for all ends of a text. On the usual path it makes no call, so that its
	// variables stay in registers. A rare call has a condition of its own, here and in the methods
	// for numbers: behind the || of a usual one it would store the registers of both.
	st, at := r.st, len(r.buf)
	if st == nil || st.Lane != walk.LaneText {
		return r.binary(v)
	}
	rest, n := r.buf[at:cap(r.buf)], int(st.Width)
	end := n + st.Size
	switch {
	case n == 0 && st.Size > 0 && len(rest) >= 8: // the end is searched in two words of 8 bytes, which overlap if no more are left
		z := forms.ZeroBytes(binary.LittleEndian.Uint64(rest) ^ st.Word)
		if z == 0 {
			n = min(8, len(rest)-8)
			if z = forms.ZeroBytes(binary.LittleEndian.Uint64(rest[n:]) ^ st.Word); z == 0 {
				return r.binary(v)
			}
		}
		n += bits.TrailingZeros64(z) / 8
		end += n
	case end == 0: // the text is the end of the key
		n = len(rest)
		end = n
	case n == 0 || end > len(rest) || st.Tailed && rest[n] != st.Tail:
		return r.binary(v)
	case st.Padded:
		n = forms.Unpad(rest[:n], byte(st.Word))
	}
	if end <= len(rest) && n <= min(cap(*v), layout.FewBytes) && uint64(n)+st.Bias <= st.Span {
		if !st.Alone {
			if st.More && (st.Sealed && !st.Seals(r.buf[:cap(r.buf)], rest[:n]) || !st.Sealed && !st.Agrees(r.buf[:cap(r.buf)], at, n, at+end)) {
				return r.binary(v)
			}
			if st.Changed {
				return r.changed(v, rest[:n], at+end)
			}
		}
		from := unsafe.Pointer(unsafe.SliceData(rest))
		*v = (*v)[:n] // in this form alone the compiler sees that an array of the caller's may stay on its stack
		switch dst := unsafe.Pointer(unsafe.SliceData(*v)); {
		case n >= 8:
			mem.Copy16(dst, from, n)
		case n >= 4:
			mem.Copy8(dst, from, n)
		case n > 0:
			mem.Copy3(dst, from, n)
		}
		return Reader{r.buf[:at+end], st.Next}
	}
	return r.binary(v)
}

// changed writes the text of a form to *v: the form in reverse order, which has room, or what it stands for. The next field is
// at end.
func (r Reader) changed(v *[]byte, form []byte, end int) Reader {
	if r.st.Shares() {
		u, ok := r.st.Listed(form)
		text := r.st.Shared(u)
		if !ok || len(text) > cap(*v) {
			return r.binary(v)
		}
		*v = (*v)[:len(text)]
		copy(*v, text)
		return Reader{r.buf[:end], r.st.Next}
	}
	*v = (*v)[:len(form)]
	forms.ReverseTo(*v, form)
	return Reader{r.buf[:end], r.st.Next}
}

func (r Reader) binary(v *[]byte) Reader {
	if !r.want(layout.KindString, layout.KindBinary) {
		return r.called("Binary")
	}
	st, key := r.st, r.buf[:cap(r.buf)]
	if !st.Turned() {
		if text, end, ok := st.Text(key, len(r.buf), nil); ok { // not by taken: a call less
			setBytes(v, text)
			return Reader{key[:end], st.Next}
		}
	} else if form, next, ok := st.Bare(key, len(r.buf)); ok && len(form) <= cap(*v) {
		*v = (*v)[:len(form)]
		st.Unturn(*v, form)
		return Reader{key[:next], st.Next}
	}
	return r.anyBinary(v)
}

// anyBinary is Binary for a text that is not a part of the key.
func (r Reader) anyBinary(v *[]byte) Reader {
	st := r.st
	var scratch [128]byte
	if st.Turned() { // else it was tried
		if text, next, ok := r.taken(scratch[:0]); ok {
			setBytes(v, text)
			return next
		}
	}
	form, end := r.form()
	if form == nil {
		return end
	}
	next := end
	if st.C.Optional && st.C.IsNull(form) {
		if next = r.pastNull(end); next.st.Lane != walk.LaneBad {
			*v = (*v)[:0]
		}
		return next
	}
	text, _, err := st.C.Decode(scratch[:0], form)
	if err != nil {
		return r.fail(err)
	}
	if next = r.checked(text, r.past(end)); next.st.Lane != walk.LaneBad {
		var room [64]byte
		setBytes(v, st.C.PlainText(room[:0], text.Text))
	}
	return next
}

// Uint reads an integer; one that does not fit is an error.
func (r Reader) Uint(v *uint64) Reader { return r.number(v, walk.LaneUint) }

// Int reads an integer; one that does not fit is an error.
func (r Reader) Int(v *int64) Reader {
	return r.number((*uint64)(unsafe.Pointer(v)), walk.LaneInt)
}

// number is Uint and Int, which are inlined.
func (r Reader) number(v *uint64, lane walk.Lane) Reader {
	st, key := r.st, r.buf[:cap(r.buf)]
	if st == nil || st.Lane != lane {
		return r.anyNumber(v, lane)
	}
	u, n, end := uint64(0), len(r.buf), len(r.buf)+st.Size
	if end >= 8 && end <= len(key) {
		u = binary.BigEndian.Uint64(key[end-8 : end])
		if x := st.Value(u); st.Alone && x+st.Bias <= st.Span { // the usual number: no jump is taken
			*v = x
			return Reader{key[:end], st.Next}
		} else if st.Marked && end < len(key) && key[end] == st.Tail && x+st.Bias <= st.Span {
			*v = x
			return Reader{key[:end+1], st.Next}
		}
	} else if st.Size == 1 && n < len(key) {
		u = uint64(key[n])
	} else if n+8 <= len(key) {
		u = binary.BigEndian.Uint64(key[n:n+8]) >> ((8 - st.Size) * 8 & 63)
	} else if end <= len(key) {
		u = forms.ReadUint(key[n:end])
	} else {
		return r.anyNumber(v, lane)
	}
	if u = st.Value(u); u+st.Bias > st.Span {
		return r.anyNumber(v, lane)
	}
	if st.Alone {
		*v = u
		return Reader{key[:end], st.Next}
	}
	if st.More && (st.Head != 0 && (end > len(key) || key[n] != st.Head) || (st.Gap > 1 || !st.Tailed) && st.Past(key, end) < 0 || st.Checks && st.Modulo == nil && !st.HasSalt(key, u)) {
		return r.anyNumber(v, lane)
	}
	if end = st.Beyond(key, end); end < 0 || st.Modulo != nil && st.Bucket(key) != st.OfModulo(u) {
		return r.anyNumber(v, lane)
	}
	*v = u
	return Reader{key[:end], st.Next}
}

// anyNumber is number for all other forms, and for a field of the other kind, whose values may be beyond.
func (r Reader) anyNumber(v *uint64, lane walk.Lane) Reader {
	st, kind, method, beyond := r.st, layout.KindUint, "Uint", errBefore0
	if lane == walk.LaneInt {
		kind, method, beyond = layout.KindInt, "Int", errAboveInt
	}
	if st != nil && st.Lane < walk.LaneEnd && st.C.Kind == kind {
		if u, end, ok := st.Num(r.buf[:cap(r.buf)], len(r.buf)); ok {
			*v = u
			return Reader{r.buf[:end], st.Next}
		}
	}
	if r.want(layout.KindTime, layout.KindTime) {
		return r.fail(errTimeRead)
	} else if !r.want(layout.KindUint, layout.KindInt) {
		return r.called(method)
	}
	u, next := r.num()
	switch {
	case next.st.Lane == walk.LaneBad:
	case st.C.Kind != kind && u > layout.MaxInt64:
		return r.fail(beyond)
	default:
		*v = u
	}
	return next
}

// called ends the reading with the error that a method was called for a field of another type.
func (r Reader) called(method string) Reader {
	if r.st == nil || r.st.Lane >= walk.LaneEnd {
		return r.fail(ErrType)
	}
	return r.fail(r.st.C.Mistyped(method + " was called"))
}

// Float reads a Float field.
func (r Reader) Float(v *float64) Reader {
	st, key := r.st, r.buf[:cap(r.buf)]
	if st == nil || st.Lane != walk.LaneFloat {
		return r.float(v)
	}
	n, end := len(r.buf), len(r.buf)+st.Size
	from := max(end-8, 0)
	if from+8 > len(key) {
		return r.float(v)
	}
	u := (binary.BigEndian.Uint64(key[from:from+8])<<((n-from)*8&63) ^ st.Word) - st.Half
	if !st.Raw {
		u = forms.RawFloat(u, 8)
	}
	f := math.Float64frombits(u)
	if st.Size == 4 {
		f = float64(math.Float32frombits(uint32(u >> 32)))
	}
	if end = st.Beyond(key, end); f != f || math.Float64bits(f) == layout.MinusZero || end < 0 {
		return r.float(v)
	}
	*v = f
	return Reader{key[:end], st.Next}
}

func (r Reader) float(v *float64) Reader {
	if !r.want(layout.KindFloat, layout.KindFloat) {
		return r.called("Float")
	}
	u, next := r.num()
	if next.st.Lane != walk.LaneBad {
		*v = math.Float64frombits(u)
	}
	return next
}

// Bool reads a Bool field.
func (r Reader) Bool(v *bool) Reader {
	st, key, n := r.st, r.buf[:cap(r.buf)], len(r.buf)
	if st == nil || st.Lane != walk.LaneBool || n >= len(key) {
		return r.bool(v)
	}
	u, end := (key[n]^byte(st.Word))*st.Width, st.Beyond(key, n+1)
	if u > 1 || end < 0 {
		return r.bool(v)
	}
	*v = u == 1
	return Reader{key[:end], st.Next}
}

func (r Reader) bool(v *bool) Reader {
	if !r.want(layout.KindBool, layout.KindBool) {
		return r.called("Bool")
	}
	u, next := r.num()
	if next.st.Lane != walk.LaneBad {
		*v = u == 1
	}
	return next
}

// Time reads a Time field, in UTC: the beginning of the stored unit.
func (r Reader) Time(v *time.Time) Reader {
	st, key := r.st, r.buf[:cap(r.buf)]
	if st == nil || st.Lane != walk.LaneTime {
		return r.time(v)
	}
	u, n, end := uint64(0), len(r.buf), len(r.buf)+st.Size
	if end >= 8 && end <= len(key) {
		u = binary.BigEndian.Uint64(key[end-8 : end])
		if x := st.Value(u); st.Millis && int64(x) >= 0 && x+st.Bias <= st.Span && (st.Alone || st.Marked && end < len(key) && key[end] == st.Tail) { // as in number
			*v = st.Milli(x)
			return Reader{key[:end+st.Gap], st.Next}
		}
	} else if n+8 <= len(key) {
		u = binary.BigEndian.Uint64(key[n:n+8]) >> ((8 - st.Size) * 8 & 63)
	} else if end <= len(key) {
		u = forms.ReadUint(key[n:end])
	} else {
		return r.time(v)
	}
	if u = st.Value(u); u+st.Bias > st.Span {
		return r.time(v)
	}
	if !st.Alone {
		if st.More && (st.Head != 0 && (end > len(key) || key[n] != st.Head) || (st.Gap > 1 || !st.Tailed) && st.Past(key, end) < 0 || st.Checks && st.Modulo == nil && !st.HasSalt(key, u) || st.C.Beyond(u) != 0) {
			return r.time(v)
		}
		if end = st.Beyond(key, end); end < 0 || st.Modulo != nil && st.Bucket(key) != st.OfModulo(u) {
			return r.time(v)
		}
	}
	if st.Millis && int64(u) >= 0 { // not by Instant: a call less
		*v = st.Milli(u)
	} else {
		*v = st.Instant(u)
	}
	return Reader{key[:end], st.Next}
}

func (r Reader) time(v *time.Time) Reader {
	if st := r.st; st != nil && st.Lane < walk.LaneEnd && st.C.Kind == layout.KindTime {
		if u, end, ok := st.Num(r.buf[:cap(r.buf)], len(r.buf)); ok {
			*v = st.Instant(u)
			return Reader{r.buf[:end], st.Next}
		}
	}
	if !r.want(layout.KindTime, layout.KindTime) {
		return r.called("Time")
	}
	u, next := r.num()
	if next.st.Lane != walk.LaneBad {
		*v = r.st.Instant(u)
	}
	return next
}

// Skip skips one field.
func (r Reader) Skip() Reader {
	if r.st == nil || r.st.Lane >= walk.LaneEnd {
		return r.fail(ErrExtra)
	}
	form, end := r.form()
	if form == nil {
		return end
	}
	var scratch [128]byte
	v, _, err := r.st.C.Decode(scratch[:0], form)
	if err != nil {
		return r.fail(err)
	}
	return r.checked(v, r.past(end))
}

// Err is the first error: a wrong type, a malformed key, a salt, hash or copy that does not
// match, fields that were not read, or bytes after the last field.
func (r Reader) Err() (err error) {
	if r.st == nil || !r.st.Sure || len(r.buf) != cap(r.buf) {
		err = r.err()
	}
	return
}

// err is Err for a key with something left to check, or with an error.
func (r Reader) err() error {
	switch {
	case r.st != nil && r.st.Lane == walk.LaneEnd && len(r.buf) > 0 && len(r.buf) == cap(r.buf) && r.st.Rest(r.buf): // first, for a usual table of Phoenix
		return nil
	case r.st == nil:
		return zeroReader.Err
	case r.st.Lane == walk.LaneBad:
		return r.st.Err
	case cap(r.buf) == 0:
		return r.st.S.ErrAt("", 0, r.st.S.KeyRefused(0))
	case r.st.Lane != walk.LaneEnd:
		return r.st.S.ErrAt(r.st.C.Name, len(r.buf), &fault.Detail{Text: "is not read: Skip passes over a field", Reason: ErrMissing})
	case len(r.buf) != cap(r.buf):
		return r.st.S.Tell(r.buf[:cap(r.buf)], r.st.S.ErrAt("", len(r.buf), ErrMalformed))
	}
	s := r.st.S
	if len(s.Derived) == 0 || s.Loose > 0 {
		return nil
	}
	return s.Tell(r.buf, s.Check(r.buf))
}

// Row is a view of one decoded key: it points into the key, which must not
// change meanwhile. The zero Row has no fields.
type Row struct {
	s    *layout.Schema
	key  []byte
	few  [layout.FewSpans]uint16
	more layout.Spans // used instead of few if the schema has more components
}

// Decode checks a whole key, also its salts, hashes and copies, and gives a view of it. A
// salt or hash of a NotStored field may be any bucket or any digits of a digest, and a
// copy of one any bytes.
func (s *Schema) Decode(key []byte) (Row, error) { return s.decode(key, true) }

// DecodeLoose is Decode without the check of salts, hashes and copies. It is for keys that
// other programs wrote, and for tables whose number of buckets is changing.
func (s *Schema) DecodeLoose(key []byte) (Row, error) { return s.decode(key, false) }

func (s *Schema) decode(key []byte, derived bool) (Row, error) {
	r := Row{s: &s.in, key: key}
	n := len(s.in.Comps) + 1
	at := layout.Spans(r.few[:min(n, layout.FewSpans)])
	if n > layout.FewSpans { // r.few itself is not put into r: that would move r to the heap
		r.more = make(layout.Spans, n)
		at = r.more
	}
	if s.walk().Decode(key, at, derived) {
		return r, nil
	}
	if err := s.in.Split(key, at, derived); err != nil {
		return Row{}, s.in.Tell(key, err)
	}
	if err := s.in.Fits(key, at, derived); err != nil {
		return Row{}, s.in.Tell(key, err)
	}
	return r, nil
}

// form is the stored form of a component.
func (r *Row) form(c *layout.Component) []byte {
	at := layout.Spans(r.few[:])
	if r.more != nil {
		at = r.more
	}
	from, to := at[c.Index], at[c.Index+1]
	return r.key[from:to:to]
}

// String is the stored fields and their values, such as seller "s-42", order 7.
func (r Row) String() string {
	if r.s == nil {
		return "no row"
	}
	var parts []string
	for _, c := range r.s.Fields {
		if c.Absent {
			continue
		}
		if v, _, err := c.Decode(nil, r.form(c)); err == nil {
			parts = append(parts, c.Name+" "+showPart(c, v, time.UTC))
		}
	}
	return strings.Join(parts, ", ")
}

// component is the component with this name; nil if it is not stored in the key.
func (r *Row) component(name string) *layout.Component {
	if r.s == nil {
		return nil
	}
	if c := r.s.Named(name); c != nil && !c.Absent {
		return c
	}
	return nil
}

// Has reports whether the field has a value in the key: not null, not
// NotStored.
func (r Row) Has(field string) bool {
	c := r.component(field)
	return c != nil && !c.IsNull(r.form(c))
}

// Stored is the bytes that stand in the key for a field, salt, hash or copy,
// without a separator; a view. It is nil for what is not in the key, such as a
// null at its end.
func (r Row) Stored(component string) []byte {
	if c := r.component(component); c != nil {
		if form := r.form(c); len(form) > 0 || !c.Optional {
			return form
		}
	}
	return nil
}

// All yields every stored field's name and value, boxed; for tools. The values
// are string, []byte, uint64, int64, float64, bool and time.Time, or nil for a
// null.
func (r Row) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if r.s == nil {
			return
		}
		for _, c := range r.s.Fields {
			if c.Absent {
				continue
			}
			if v, _, err := c.Decode(nil, r.form(c)); err == nil && !yield(c.Name, c.Boxed(v)) {
				return
			}
		}
	}
}

// checked is the reader after a field; it has an error if a salt or hash that the field fills
// is wrong.
func (r Reader) checked(v layout.Val, next Reader) Reader {
	if r.st.Checks && next.st.Lane != walk.LaneBad {
		if f := r.st.Wrong(next.buf, len(r.buf), v); f != nil {
			return brokenReader(r.st.S, r.buf[:cap(r.buf)], r.wrong(f, next))
		}
	}
	return next
}

// wrong is the error of a key in which slot f, which this field fills, is wrong. What is wrong
// with a later field is reported first, and so is an earlier salt, hash or copy.
func (r Reader) wrong(f *layout.Slot, next Reader) error {
	at := f.At(next.buf, len(r.buf))
	for next.st.Lane < walk.LaneEnd {
		form, end := next.form()
		if form == nil {
			return end.st.Err
		}
		if _, _, err := next.st.C.Decode(nil, form); err != nil {
			return next.fail(err).st.Err
		}
		next = next.past(end)
	}
	if next.st.Lane == walk.LaneBad {
		return next.st.Err
	}
	if err := r.st.S.Check(r.buf[:cap(r.buf)]); err != nil {
		return err
	}
	return r.st.S.ErrAt(f.C.Name, at, ErrDerived)
}

// taken is the next text, by its step, and the reader after it. It is false for what the
// component must judge.
func (r Reader) taken(room []byte) (text []byte, next Reader, ok bool) {
	key := r.buf[:cap(r.buf)]
	text, end, ok := r.st.Text(key, len(r.buf), room)
	if !ok {
		return nil, r, false
	}
	return text, Reader{key[:end], r.st.Next}, true
}

// setBytes copies a text into *v, in its own memory if that is enough. In this form
// alone the compiler sees that an array of the caller's may stay on its stack.
func setBytes(v *[]byte, text []byte) {
	if cap(*v) >= len(text) {
		*v = (*v)[:len(text)]
		copy(*v, text)
		return
	}
	*v = append([]byte(nil), text...)
}
