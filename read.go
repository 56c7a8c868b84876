package rowkey

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
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
	if len(key) == 0 || len(key) > s.maxLen {
		return s.badReader(s.errAt("", 0, s.keyRefused(len(key))))
	}
	key = key[:len(key):len(key)]
	if s.loose > 0 { // its components are found together
		return s.readLoose(key)
	}
	if n := s.begin; n > 0 && n <= len(key) {
		return Reader{key[:n], s.toRead}
	}
	pos, err := s.skip(key, 0, 0)
	if err != nil {
		return s.badReader(err)
	}
	return Reader{key[:pos], s.toRead}
}

// readLoose starts reading a key some of whose components end only by trying.
func (s *Schema) readLoose(key []byte) Reader {
	if s.toRead.op != opEnd {
		return Reader{key[:0], s.toRead}
	}
	if err := s.split(key, make(spans, len(s.comps)+1), true); err != nil {
		return s.badReader(err)
	}
	return Reader{key, s.toRead}
}

func (s *Schema) badReader(err error) Reader {
	return Reader{nil, &step{op: opBad, s: s, err: err}}
}

// skip passes over constants, salts, hashes and copies from component i on,
// up to the next stored field.
func (s *Schema) skip(key []byte, pos, i int) (int, error) {
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

var zeroReader = &step{op: opBad, err: &Error{Offset: -1, Err: &detail{"the zero Reader", ErrMalformed}}}

func (r Reader) fail(reason error) Reader {
	switch {
	case r.st == nil:
		return Reader{nil, zeroReader}
	case r.st.op == opBad:
		return r
	case cap(r.buf) == 0:
		return r.st.s.badReader(r.st.s.errAt("", 0, r.st.s.keyRefused(0)))
	case r.st.op == opEnd:
		return r.st.s.badReader(r.st.s.errAt("", -1, ErrExtra))
	}
	return r.st.s.badReader(r.st.s.errAt(r.st.c.name, len(r.buf), reason))
}

// want is the component to read if it is of such a kind.
func (r Reader) want(a, b Kind) bool {
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
	if st.checks && !r.salted(form) {
		return nil, s.badReader(s.errAt(st.fills[0].c.name, st.slot, ErrDerived))
	}
	pos, err := s.skip(key, pos+n, st.c.index+1)
	if err != nil {
		return nil, s.badReader(err)
	}
	return form, Reader{key[:pos], st.read}
}

// looseForm is form where the end of some component must be tried.
func (r Reader) looseForm(key []byte) ([]byte, Reader) {
	st := r.st
	s := st.s
	at := make(spans, len(s.comps)+1)
	if err := s.split(key, at, true); err != nil {
		return nil, s.badReader(err)
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
	return u, next
}

// word is the 8 bytes at hand of a step that has them, without its Desc; false
// where they are no number of it.
func (r Reader) word(op op) (uint64, bool) {
	st, at, end := r.st, len(r.buf), cap(r.buf)
	if st == nil || st.reads != op || end-at < 8 {
		return 0, false
	}
	u := binary.BigEndian.Uint64(r.buf[at:end]) ^ st.xor
	return u, (u^st.flip)-st.min <= st.span
}

// behind is the reader behind 8 bytes.
func (r Reader) behind() Reader { return Reader{r.buf[:len(r.buf)+8], r.st.read} }

// salted reports that the salt of the text at hand is the one in the key.
func (r Reader) salted(text []byte) bool {
	return r.buf[:cap(r.buf)][r.st.slot] == byte(r.st.salt.Of(digest.Murmur32(0, text)))
}

// String copies a text or binary value.
func (r Reader) String(v *string) Reader {
	if st, at := r.st, len(r.buf); st != nil && st.reads == opMarked {
		rest := r.buf[at:cap(r.buf)]
		if n := bytes.IndexByte(rest, st.sep); n >= 0 && (!st.checks || r.salted(rest[:n])) {
			*v = string(rest[:n])
			return Reader{r.buf[:at+n+1], st.read}
		}
	}
	return r.text(v)
}

func (r Reader) text(v *string) Reader {
	if !r.want(KindString, KindBinary) {
		return r.fail(ErrType)
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
	*v = string(r.st.c.plainText(text.text))
	return next
}

// Binary copies a text or binary value into (*v)[:0]; it never aliases the
// key.
func (r Reader) Binary(v *[]byte) Reader {
	if st, at := r.st, len(r.buf); st != nil && st.reads == opMarked {
		rest, dst := r.buf[at:cap(r.buf)], (*v)[:0]
		n := 0
		if len(rest) >= 16 { // a short text is found, and copied, by words
			pattern := uint64(st.sep) * eachByte
			a, b := binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:])
			if n = bits.TrailingZeros64(zeroBytes(a^pattern)) / 8; n == 8 {
				n += bits.TrailingZeros64(zeroBytes(b^pattern)) / 8
			}
			if n >= 8 && n < 16 && cap(dst) >= n && (!st.checks || r.salted(rest[:n])) {
				dst = dst[:n]
				binary.LittleEndian.PutUint64(dst, a)
				binary.LittleEndian.PutUint64(dst[n-8:], binary.LittleEndian.Uint64(rest[n-8:]))
				*v = dst
				return Reader{r.buf[:at+n+1], st.read}
			}
		}
		if n = bytes.IndexByte(rest, st.sep); n >= 0 && (!st.checks || r.salted(rest[:n])) {
			*v = append(dst, rest[:n]...)
			return Reader{r.buf[:at+n+1], st.read}
		}
	}
	return r.binary(v)
}

func (r Reader) binary(v *[]byte) Reader {
	if !r.want(KindString, KindBinary) {
		return r.fail(ErrType)
	}
	form, next := r.form()
	if form == nil {
		return next
	}
	if r.st.c.optional && r.st.c.isNull(form) {
		if next = r.pastNull(next); next.st.op != opBad {
			*v = (*v)[:0]
		}
		return next
	}
	text, err := r.st.c.decodeText((*v)[:0], form)
	if err != nil {
		return r.fail(err)
	}
	*v = r.st.c.plainText(text)
	return next
}

// Uint reads an integer; one that does not fit is an error.
func (r Reader) Uint(v *uint64) Reader {
	if u, ok := r.word(opUint); ok {
		*v = u
		return r.behind()
	}
	return r.uint(v)
}

func (r Reader) uint(v *uint64) Reader {
	if !r.want(KindUint, KindInt) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	switch {
	case next.st.op == opBad:
	case r.st.c.kind == KindInt && int64(u) < 0:
		return r.fail(errBefore0)
	default:
		*v = u
	}
	return next
}

// Int reads an integer; one that does not fit is an error.
func (r Reader) Int(v *int64) Reader {
	if u, ok := r.word(opInt); ok {
		*v = int64(u)
		return r.behind()
	}
	return r.int(v)
}

func (r Reader) int(v *int64) Reader {
	if !r.want(KindUint, KindInt) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	switch {
	case next.st.op == opBad:
	case r.st.c.kind == KindUint && u > maxInt64:
		return r.fail(errAboveInt)
	default:
		*v = int64(u)
	}
	return next
}

// Float reads a Float field.
func (r Reader) Float(v *float64) Reader {
	if !r.want(KindFloat, KindFloat) {
		return r.fail(ErrType)
	}
	u, next := r.num()
	if next.st.op != opBad {
		*v = math.Float64frombits(u)
	}
	return next
}

// Bool reads a Bool field.
func (r Reader) Bool(v *bool) Reader {
	if !r.want(KindBool, KindBool) {
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
	if ms, ok := r.word(opMillis); ok {
		*v = time.UnixMilli(int64(ms)).UTC()
		return r.behind()
	}
	return r.time(v)
}

func (r Reader) time(v *time.Time) Reader {
	if !r.want(KindTime, KindTime) {
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
	if _, _, err := r.st.c.decode(scratch[:0], form); err != nil {
		return r.fail(err)
	}
	return next
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
	return s.check(r.buf)
}

// check verifies the derived components of a key.
func (s *Schema) check(key []byte) error {
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
func (s *Schema) spans(few []uint16) spans {
	if n := len(s.comps) + 1; n > len(few) {
		return make(spans, n)
	} else {
		return few[:n]
	}
}

// Row is a view of one decoded key: it points into the key, which must not
// change meanwhile. The zero Row has no fields.
type Row struct {
	s    *Schema
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
	r := Row{s: s, key: key}
	n := len(s.comps) + 1
	at := spans(r.few[:min(n, fewSpans)])
	if n > fewSpans { // r.few itself is not put into r: that would move r to the heap
		r.more = make(spans, n)
		at = r.more
	}
	if err := s.split(key, at, derived); err != nil {
		return Row{}, err
	}
	if err := s.fits(key, at, derived); err != nil {
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
	case KindString:
		return string(c.plainText(v.text))
	case KindBinary:
		return append([]byte{}, v.text...)
	case KindInt:
		return int64(v.num)
	case KindFloat:
		return math.Float64frombits(v.num)
	case KindBool:
		return v.num == 1
	case KindTime:
		return c.asTime(v.num)
	}
	return v.num
}
