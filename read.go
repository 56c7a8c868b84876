package rowkey

import (
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Reader is a key being read: four words, passed by value, errors kept until
// Err. It reads the fields that are stored, in schema order.
type Reader struct {
	buf []byte // the key up to where it is read; its capacity ends with the key
	st  *step
}

// Read starts reading a key, field by field in schema order. The key must not
// change meanwhile.
func (s *Schema) Read(key []byte) Reader {
	if len(key) <= s.bare {
		return Reader{key[:0:len(key)], s.toRead}
	}
	return s.read(key)
}

// read is Read where something stands before the first field, or is wrong.
func (s *Schema) read(key []byte) Reader {
	if s.in.start.fits(key) {
		return Reader{key[:s.in.start.lead:len(key)], s.in.toRead}
	}
	if len(key) == 0 || len(key) > s.in.maxLen {
		return badReader(&s.in, s.in.errAt("", 0, s.in.keyRefused(len(key))))
	}
	key = key[:len(key):len(key)]
	if s.in.loose > 0 { // its components are found together
		return s.readLoose(key)
	}
	if s.in.begins(key) {
		return Reader{key[:s.in.start.lead], s.in.toRead}
	}
	pos, err := s.in.skip(key, 0, 0)
	if err != nil {
		return badReader(&s.in, err)
	}
	return Reader{key[:pos], s.in.toRead}
}

// readLoose starts reading a key some of whose components end only by trying.
func (s *Schema) readLoose(key []byte) Reader {
	if s.in.toRead.op != opEnd {
		return Reader{key[:0], s.in.toRead}
	}
	if err := s.in.split(key, make(spans, len(s.in.comps)+1), true); err != nil {
		return badReader(&s.in, err)
	}
	return Reader{key, s.in.toRead}
}

func badReader(s *schema, err error) Reader {
	return Reader{nil, badStep(s, err)}
}

// skip passes over constants, salts, hashes and copies from component i on,
// up to the next stored field.
func (s *schema) skip(key []byte, pos, i int) (int, error) {
	for ; i < len(s.comps); i++ {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		if c.role == roleField {
			break
		}
		n := c.extent(key[pos:])
		if n < 0 || c.role == roleLiteral && string(key[pos:pos+n]) != string(c.lit) {
			return pos, s.errAt(c.name, pos, ErrMalformed)
		}
		pos += n
	}
	return pos, nil
}

var zeroReader = badStep(nil, &Error{Offset: -1, Err: &detail{"the zero Reader", ErrMalformed}})

func (r Reader) fail(reason error) Reader {
	switch {
	case r.st == nil:
		return Reader{nil, zeroReader}
	case r.st.op == opBad:
		return r
	case cap(r.buf) == 0:
		return badReader(r.st.s, r.st.s.errAt("", 0, r.st.s.keyRefused(0)))
	case r.st.op == opEnd:
		return badReader(r.st.s, r.st.s.errAt("", -1, ErrExtra))
	}
	return badReader(r.st.s, r.st.s.errAt(r.st.c.name, len(r.buf), reason))
}

// want is the component to read if it is of such a kind.
func (r Reader) want(a, b kind) bool {
	return r.st != nil && r.st.op < opEnd && (r.st.c.kind == a || r.st.c.kind == b)
}

// form is the stored form of the field at hand, and the reader behind it; nil
// if there is none.
func (r Reader) form() ([]byte, Reader) {
	st := r.st
	s := st.s
	key, pos := r.buf[:cap(r.buf)], len(r.buf)
	if len(key) == 0 { // which Read lets pass
		return nil, r.fail(ErrLength)
	}
	if s.loose > 0 {
		return r.looseForm(key)
	}
	n := st.c.extent(key[pos:])
	if n < 0 {
		return nil, r.fail(ErrMalformed)
	}
	form := key[pos : pos+n]
	pos, err := s.skip(key, pos+n, st.c.index+1)
	if err != nil {
		return nil, badReader(s, err)
	}
	return form, Reader{key[:pos], st.read}
}

// looseForm is form where the end of some component must be tried.
func (r Reader) looseForm(key []byte) ([]byte, Reader) {
	st := r.st
	s := st.s
	at := make(spans, len(s.comps)+1)
	if err := s.split(key, at, true); err != nil {
		return nil, badReader(s, err)
	}
	end := len(key)
	if st.read.op != opEnd {
		end = int(at[st.read.c.index])
	}
	return key[at[st.c.index]:at[st.c.index+1]], Reader{key[:end], st.read}
}

// Null says whether the field at hand is null, and does not pass over it. A null
// is then read as the zero value, by the field's own method; one that was not
// asked for is an error, but for the text that is null to Phoenix when empty.
func (r Reader) Null(v *bool) Reader {
	if r.st == nil || r.st.op >= opEnd {
		return r.fail(ErrExtra)
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	if *v = r.st.c.isNull(form); r.st.c.optional {
		return Reader{r.buf, r.st.asked}
	}
	return r
}

// pastNull is the reader behind a null, if that is no surprise.
func (r Reader) pastNull(next Reader) Reader {
	if !r.st.mayNull && !r.st.c.zeroText() {
		return r.fail(&detail{"is null: ask Null first", ErrMissing})
	}
	return next
}

// num reads the field at hand as a number.
func (r Reader) num() (uint64, Reader) {
	if st, at := r.st, len(r.buf); st.rform != cold {
		if u, w, ok := st.readNum(r.buf[at:cap(r.buf)]); ok {
			next := Reader{r.buf[:at+w+len(st.end)], st.read}
			if st.checks {
				next = r.checked(val{num: u, ok: true}, next)
			}
			return u, next
		}
	}
	form, next := r.form()
	if form == nil {
		return 0, next
	}
	if r.st.c.optional && r.st.c.isNull(form) {
		return 0, r.pastNull(next)
	}
	u, err := r.st.c.decodeNum(form)
	if err != nil {
		return 0, r.fail(err)
	}
	return u, r.checked(val{num: u, ok: true}, next)
}

// String copies a text or binary value.
func (r Reader) String(v *string) Reader {
	st, at := r.st, len(r.buf)
	if st == nil || st.reads != opText || st.rform == hotEscape {
		return r.text(v)
	}
	rest := r.buf[at:cap(r.buf)]
	n, ok := st.readText(rest)
	if !ok {
		return r.text(v)
	}
	if st.checks && r.differs(val{text: rest[:n:n], ok: true}) != nil || st.rform == hotReverse {
		return r.text(v)
	}
	*v = string(rest[:n])
	return Reader{r.buf[:at+n+st.rsize], st.read}
}

func (r Reader) text(v *string) Reader {
	if !r.want(kindString, kindBinary) {
		return r.fail(ErrType)
	}
	var few [forms.UUIDText]byte
	if text, next, ok := r.shaped(&few); ok {
		*v = string(text)
		return next
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	if r.st.c.optional && r.st.c.isNull(form) {
		if next = r.pastNull(next); next.st.op != opBad {
			*v = ""
		}
		return next
	}
	var scratch [128]byte
	text, _, err := r.st.c.decode(scratch[:0], form)
	if err != nil {
		return r.fail(err)
	}
	if next = r.checked(text, next); next.st.op != opBad {
		var room [64]byte
		*v = string(r.st.c.plainText(room[:0], text.text))
	}
	return next
}

// Binary copies a text or binary value into (*v)[:0]; it never aliases the
// key.
func (r Reader) Binary(v *[]byte) Reader {
	st, at := r.st, len(r.buf)
	if st == nil || st.reads != opText {
		if st != nil && st.reads == opPad {
			return r.padded(v)
		}
		return r.binary(v)
	}
	rest := r.buf[at:cap(r.buf)]
	n := int(st.right)
	switch {
	case n > 0:
	case st.rsize == 0: // it is the last
		n = len(rest)
	case len(rest) < 2*8:
		return r.binary(v)
	default: // its end is found by words
		z := forms.ZeroBytes(binary.LittleEndian.Uint64(rest) ^ st.rword)
		if z == 0 {
			if z = forms.ZeroBytes(binary.LittleEndian.Uint64(rest[8:]) ^ st.rword); z == 0 {
				return r.binary(v)
			}
			n = 8
		}
		n += bits.TrailingZeros64(z) / 8
	}
	end := n + st.rsize
	if end > len(rest) || n > cap(*v) || n < 4 || uint64(n)+st.rbias > st.rspan {
		return r.binary(v)
	}
	if st.rsize > 1 && string(rest[n:end]) != string(st.end) || st.rsize == 1 && rest[n] != st.end[0] {
		return r.binary(v)
	}
	if st.checks && !r.rightSalt(rest[:n]) {
		return r.binary(v)
	}
	*v = (*v)[:n] // in this form alone the compiler sees that an array of the caller's may stay on its stack
	dst := *v
	if n >= 8 {
		a, b := binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[n-8:])
		if st.rform == hotReverse {
			a, b = bits.ReverseBytes64(b), bits.ReverseBytes64(a)
		}
		binary.LittleEndian.PutUint64(dst, a)
		binary.LittleEndian.PutUint64(dst[n-8:], b)
	} else {
		a, b := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[n-4:])
		if st.rform == hotReverse {
			a, b = bits.ReverseBytes32(b), bits.ReverseBytes32(a)
		}
		binary.LittleEndian.PutUint32(dst, a)
		binary.LittleEndian.PutUint32(dst[n-4:], b)
	}
	return Reader{r.buf[:at+n+st.rsize], st.read}
}

// padded is Binary of a text that is filled up.
func (r Reader) padded(v *[]byte) Reader {
	st, at := r.st, len(r.buf)
	rest := r.buf[at:cap(r.buf)]
	w := int(st.right)
	end := w + st.rsize
	if st.checks || end > len(rest) || st.rsize > 0 && string(rest[w:end]) != string(st.end) {
		return r.binary(v)
	}
	n := w
	for n > 0 && rest[n-1] == byte(st.rword) {
		n--
	}
	if n > cap(*v) || n < st.least {
		return r.binary(v)
	}
	*v = (*v)[:n] // as in Binary
	switch dst, text := *v, viewString(rest[:n]); {
	case n >= 8:
		text16(dst, text)
	case n >= 4:
		text8(dst, text)
	case n > 0:
		text3(dst, text)
	}
	return Reader{r.buf[:at+end], st.read}
}

// rightSalt reports that what the text at hand fills is right, where that is one
// byte of murmur3, or else that it can be told by another way.
func (r Reader) rightSalt(text []byte) bool {
	st := r.st
	if st.fill == fillByte {
		return r.buf[:cap(r.buf)][st.slot] == byte(st.salt.Of(digest.Murmur32(0, text)))
	}
	return st.rform == hotText && r.differs(val{text: text, ok: true}) == nil
}

func (r Reader) binary(v *[]byte) Reader {
	if !r.want(kindString, kindBinary) {
		return r.fail(ErrType)
	}
	st, at := r.st, len(r.buf)
	if st.rform == hotText && st.reads == opText { // a long text, or one for which *v is short
		rest := r.buf[at:cap(r.buf)]
		if n, ok := st.readText(rest); ok && !(st.checks && r.differs(val{text: rest[:n:n], ok: true}) != nil) {
			setBytes(v, rest[:n])
			return Reader{r.buf[:at+n+st.rsize], st.read}
		}
	}
	var few [forms.UUIDText]byte
	if text, next, ok := r.shaped(&few); ok {
		setBytes(v, text)
		return next
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	if st.c.optional && st.c.isNull(form) {
		if next = r.pastNull(next); next.st.op != opBad {
			*v = (*v)[:0]
		}
		return next
	}
	var scratch [128]byte
	text, _, err := st.c.decode(scratch[:0], form)
	if err != nil {
		return r.fail(err)
	}
	if next = r.checked(text, next); next.st.op != opBad {
		var room [64]byte
		setBytes(v, st.c.plainText(room[:0], text.text))
	}
	return next
}

// Uint reads an integer; one that does not fit is an error.
//
//go:nosplit
func (r Reader) Uint(v *uint64) Reader {
	st, n := r.st, len(r.buf)
	if st != nil && st.reads == opUint && uint(n+st.rsize) <= uint(cap(r.buf)) {
		end := n + st.rsize
		if u := (binary.BigEndian.Uint64(r.buf[end-8:end]) ^ st.rword) & st.rmask; u+st.rbias <= st.rspan {
			*v = u
			return Reader{r.buf[:end], st.read}
		}
	} else if st != nil && st.reads == opUintAt && uint(n+8) <= uint(cap(r.buf)) {
		if u := (binary.BigEndian.Uint64(r.buf[n:n+8])>>(st.right&63) ^ st.rword) & st.rmask; u+st.rbias <= st.rspan {
			*v = u
			return Reader{r.buf[:n+st.rsize], st.read}
		}
	}
	return r.uint(v)
}

func (r Reader) uint(v *uint64) Reader {
	if !r.want(kindUint, kindInt) {
		return r.fail(r.noNumber())
	}
	u, next := r.num()
	switch {
	case next.st.op == opBad:
	case r.st.c.kind == kindInt && int64(u) < 0:
		return r.fail(errBefore0)
	default:
		*v = u
	}
	return next
}

// Int reads an integer; one that does not fit is an error.
//
//go:nosplit
func (r Reader) Int(v *int64) Reader {
	st, n := r.st, len(r.buf)
	if st == nil || st.reads != opInt || uint(n+st.rsize) > uint(cap(r.buf)) {
		return r.int(v)
	}
	end := n + st.rsize
	u := (binary.BigEndian.Uint64(r.buf[end-8:end])^st.rword)&st.rmask - st.half
	if u+st.rbias > st.rspan {
		return r.int(v)
	}
	*v = int64(u)
	return Reader{r.buf[:end], st.read}
}

func (r Reader) int(v *int64) Reader {
	if !r.want(kindUint, kindInt) {
		return r.fail(r.noNumber())
	}
	u, next := r.num()
	switch {
	case next.st.op == opBad:
	case r.st.c.kind == kindUint && u > maxInt64:
		return r.fail(errAboveInt)
	default:
		*v = int64(u)
	}
	return next
}

// noNumber is why the next field gives no whole number.
func (r Reader) noNumber() error {
	if r.want(kindTime, kindTime) {
		return errTimeRead
	}
	return ErrType
}

// Float reads a Float field.
//
//go:nosplit
func (r Reader) Float(v *float64) Reader {
	st, n := r.st, len(r.buf)
	if st == nil || st.reads != opFloat || uint(n+8) > uint(cap(r.buf)) {
		return r.float(v)
	}
	u := forms.RawFloat(binary.BigEndian.Uint64(r.buf[n:n+8])^st.rword, 8)
	f := math.Float64frombits(u)
	if f != f || u == minusZero {
		return r.float(v)
	}
	*v = f
	return Reader{r.buf[:n+8], st.read}
}

func (r Reader) float(v *float64) Reader {
	if !r.want(kindFloat, kindFloat) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	if next.st.op != opBad {
		*v = math.Float64frombits(u)
	}
	return next
}

// Bool reads a Bool field.
//
//go:nosplit
func (r Reader) Bool(v *bool) Reader {
	st, n := r.st, len(r.buf)
	if st == nil || st.reads != opBool || n >= cap(r.buf) {
		return r.bool(v)
	}
	u := uint64(r.buf[:n+1][n]) ^ st.rword
	if u > 1 {
		return r.bool(v)
	}
	*v = u == 1
	return Reader{r.buf[:n+1], st.read}
}

func (r Reader) bool(v *bool) Reader {
	if !r.want(kindBool, kindBool) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	if next.st.op != opBad {
		*v = u == 1
	}
	return next
}

// Time reads a Time field, in UTC: the beginning of the stored unit.
func (r Reader) Time(v *time.Time) Reader {
	st, n := r.st, len(r.buf)
	if st == nil || st.reads != opTime || uint(n+st.rsize) > uint(cap(r.buf)) {
		return r.time(v)
	}
	end := n + st.rsize
	u := (binary.BigEndian.Uint64(r.buf[end-8:end]) ^ st.rword) & st.rmask
	if u+st.rbias > st.rspan {
		return r.time(v)
	}
	switch st.per {
	case 1000: // without a call
		*v = time.UnixMilli(int64(u)).UTC()
	case 1:
		*v = time.Unix(int64(u), 0).UTC()
	default:
		*v = st.hotInstant(u)
	}
	return Reader{r.buf[:end], st.read}
}

func (r Reader) time(v *time.Time) Reader {
	if !r.want(kindTime, kindTime) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	if next.st.op != opBad {
		*v = r.st.c.asTime(u)
	}
	return next
}

// asTime is a time's num as an instant in UTC.
func (c *component) asTime(u uint64) time.Time {
	return time.Unix(c.instant(u)).UTC()
}

// Skip passes over one field.
func (r Reader) Skip() Reader {
	if r.st == nil || r.st.op >= opEnd {
		return r.fail(ErrExtra)
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	var scratch [128]byte
	v, _, err := r.st.c.decode(scratch[:0], form)
	if err != nil {
		return r.fail(err)
	}
	return r.checked(v, next)
}

// Err is the first error: a wrong type, a malformed key, a salt, hash or copy
// that does not match, fields or bytes left over.
func (r Reader) Err() (err error) {
	if r.st == nil || !r.st.sure || len(r.buf) != cap(r.buf) {
		err = r.err()
	}
	return
}

// err is Err where something is left to check, or is wrong.
func (r Reader) err() error {
	switch {
	case r.st == nil:
		return zeroReader.err
	case r.st.op == opBad:
		return r.st.err
	case cap(r.buf) == 0:
		return r.st.s.errAt("", 0, r.st.s.keyRefused(0))
	case r.st.op != opEnd:
		return r.st.s.errAt(r.st.c.name, len(r.buf), ErrMissing)
	case len(r.buf) != cap(r.buf):
		return r.st.s.errAt("", len(r.buf), ErrMalformed)
	}
	s := r.st.s
	if len(s.derived) == 0 || s.loose > 0 {
		return nil
	}
	if s.restsOnly {
		if err, known := s.checkRests(r.buf); known {
			return err
		}
	}
	return s.check(r.buf)
}

// check verifies the derived components of a key.
func (s *schema) check(key []byte) error {
	var few [fewSpans]uint16
	at := s.spans(few[:])
	if err := s.split(key, at, true); err != nil {
		return err
	}
	return s.fits(key, at, true)
}

// fewSpans is for how many components spans need no memory of their own.
const fewSpans = 24

// spans is room for the spans of a key, in few if that is enough.
func (s *schema) spans(few []uint16) spans {
	if n := len(s.comps) + 1; n > len(few) {
		return make(spans, n)
	} else {
		return few[:n]
	}
}

// Row is a view of one decoded key: it points into the key, which must not
// change meanwhile. The zero Row has no fields.
type Row struct {
	s    *schema
	key  []byte
	few  [fewSpans]uint16
	more spans // where few is too little
}

// Decode checks a whole key, derived components included, and gives a view of
// it. What depends on a NotStored field cannot be checked.
func (s *Schema) Decode(key []byte) (Row, error) { return s.decode(key, true) }

// DecodeLoose is Decode without recomputing salts, hashes and copies: for
// foreign writers and tables between bucket counts.
func (s *Schema) DecodeLoose(key []byte) (Row, error) { return s.decode(key, false) }

func (s *Schema) decode(key []byte, derived bool) (Row, error) {
	r := Row{s: &s.in, key: key}
	n := len(s.in.comps) + 1
	at := spans(r.few[:min(n, fewSpans)])
	if n > fewSpans { // r.few itself is not put into r: that would move r to the heap
		r.more = make(spans, n)
		at = r.more
	}
	if err := s.in.split(key, at, derived); err != nil {
		return Row{}, err
	}
	if err := s.in.fits(key, at, derived); err != nil {
		return Row{}, err
	}
	return r, nil
}

// form is the stored form of a component.
func (r *Row) form(c *component) []byte {
	at := spans(r.few[:])
	if r.more != nil {
		at = r.more
	}
	from, to := at[c.index], at[c.index+1]
	return r.key[from:to:to]
}

// component is one of the row's by its name, if it stands in the key.
func (r *Row) component(name string) *component {
	if r.s == nil {
		return nil
	}
	if c := r.s.byName[name]; c != nil && !c.absent {
		return c
	}
	return nil
}

// Has reports whether the field has a value in the key: not null, not
// NotStored.
func (r Row) Has(field string) bool {
	c := r.component(field)
	return c != nil && !c.isNull(r.form(c))
}

// Stored is the bytes that stand in the key for a field, salt, hash or copy,
// without a separator; a view. It is nil for what is not in the key, such as a
// null at its end.
func (r Row) Stored(component string) []byte {
	if c := r.component(component); c != nil {
		if form := r.form(c); len(form) > 0 || !c.optional {
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
		for _, c := range r.s.fields {
			if c.absent {
				continue
			}
			if v, _, err := c.decode(nil, r.form(c)); err == nil && !yield(c.name, c.boxed(v)) {
				return
			}
		}
	}
}

// boxed is a value as Go has it, in memory of its own.
func (c *component) boxed(v val) any {
	if v.null {
		return nil
	}
	switch c.kind {
	case kindString:
		return string(c.plainText(nil, v.text))
	case kindBinary:
		return append([]byte{}, v.text...)
	case kindInt:
		return int64(v.num)
	case kindFloat:
		return math.Float64frombits(v.num)
	case kindBool:
		return v.num == 1
	case kindTime:
		return c.asTime(v.num)
	}
	return v.num
}
