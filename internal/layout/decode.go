package layout

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Decoding is the strict inverse of encode.go: bytes that encode.go never writes are
// refused. So encoding the decoded values gives the same key again.

// Extent is the length of the component's form at the start of b; −1 if b does not start
// with one.
func (c *Component) Extent(b []byte) int {
	if c.Optional || c.Trims {
		return c.extentTail(b)
	}
	switch c.Ends {
	case forms.EndWidth:
		if len(b) < c.Shape.Min {
			return -1
		}
		return c.Shape.Min
	case forms.EndMarked:
		return bytes.Index(b, c.Mark)
	case forms.EndLast:
		return len(b)
	case forms.EndSelf:
		return c.extentSelf(b)
	}
	return -1
}

// extentSelf is Extent for forms that end themselves.
func (c *Component) extentSelf(b []byte) int {
	switch {
	case c.Frame == FrameEscaped:
		return forms.EscapedLen(b, c.Flip())
	case c.Frame == FrameNul:
		if n := bytes.IndexByte(b, c.Flip()); n >= 0 {
			return n + 1
		}
		return -1
	case c.Frame == FrameBlobVar && len(b) > 0:
		if n := forms.BlobVarLen(b[1:], c.Flip()); n >= 0 {
			return n + 1
		}
		return -1
	case c.Frame == FrameLength:
		return forms.LengthLen(b, c.Width, c.Flip())
	case c.Num.Form != nil && len(c.Stages) == 0:
		return forms.Len(c.Num.Form, b, c.Flip())
	case c.Decimal == forms.Numeric:
		return forms.NumericLen(b, c.Flip())
	case c.Ender:
		return c.Stages[c.Vias-1].Via.Len(b, c.enderFlip)
	}
	head := 0
	if c.Header != 0 {
		head = 1
	}
	for _, f := range c.Forms {
		if len(b) >= head && bytes.HasPrefix(b[head:], f) {
			return head + len(f)
		}
	}
	return -1
}

// Flip is what each byte of the stored form is XORed with: ff if InvertAll, else 00.
func (c *Component) Flip() byte {
	if c.InvertAll {
		return 0xff
	}
	return 0
}

// undo appends the bytes of a stored form as they were before the stages and the frame.
func (c *Component) undo(dst, form []byte) ([]byte, error) {
	at := len(dst)
	dst = append(dst, form...)
	if c.InvertAll {
		forms.Invert(dst[at:])
	}
	if c.Header != 0 {
		if len(form) == 0 || dst[at] != c.Header {
			return dst, fault.ErrMalformed
		}
		dst = dst[:at+copy(dst[at:], dst[at+1:])]
	}
	dst, err := c.unframe(dst, at)
	if err != nil {
		return dst, err
	}
	if c.Filled && len(dst) == at {
		return dst, fault.ErrMalformed
	}
	return c.UndoStages(dst, at)
}

// UndoStages turns the bytes dst[at:] into what they were before the stages.
func (c *Component) UndoStages(dst []byte, at int) ([]byte, error) {
	for i := len(c.Stages) - 1; i >= 0; i-- {
		if v := c.Stages[i].Via; v != nil {
			var err error
			if dst, err = v.Invert(dst, at); err != nil {
				return dst, err
			}
			continue
		}
		if c.Stages[i].Word == notation.UUID {
			var ok bool
			if dst, ok = forms.UnpackUUID(dst[:at], dst[at:]); !ok {
				return dst, fault.ErrMalformed
			}
			continue
		}
		if _, err := c.Stages[i].Apply(dst[at:]); err != nil {
			return dst, fault.ErrMalformed
		}
	}
	return dst, nil
}

// unframe turns the bytes dst[at:] into what they were before the frame. One flat switch over
// all frames.
func (c *Component) unframe(dst []byte, at int) ([]byte, error) {
	n, ok := len(dst)-at, true // so many bytes are left
	switch c.Frame {
	case NoFrame:
	case FrameFixed:
		ok = n == c.Width
	case FramePad:
		if n = forms.Unpad(dst[at:], c.Pad); c.Loose && n < len(dst)-at {
			return dst, fault.ErrAmbiguous
		}
	case FramePadLeft:
		fill := forms.UnpadLeft(dst[at:], c.Pad)
		if c.Loose && fill > 0 {
			return dst, fault.ErrAmbiguous
		}
		n = copy(dst[at:], dst[at+fill:])
	case FrameEscaped:
		if c.Endless || c.Trims && !bytes.HasSuffix(dst[at:], []byte{0, 1}) {
			dst = append(dst, 0, 1)
		}
		n, ok = forms.UndoEscape(dst[at:])
	case FrameNul:
		if end := bytes.IndexByte(dst[at:], 0); end >= 0 || !c.Trims {
			n, ok = end, end >= 0 && end == n-1
		}
	case FrameBlobVar:
		n, ok = forms.UndoBlobVar(dst[at:])
	case FrameLength:
		if ok = forms.LengthLen(dst[at:], c.Width, 0) == n; ok {
			n = copy(dst[at:], dst[at+c.Width:])
		}
	default:
		return dst, fault.ErrMalformed
	}
	if !ok {
		return dst, fault.ErrMalformed
	}
	return dst[:at+n], nil
}

// Verbatim reports that the stored form of a text is the text itself. Then the value can
// be a view of the key's bytes, without a copy.
func (c *Component) Verbatim() bool {
	return len(c.Stages) == 0 && (c.Frame == NoFrame || c.Frame == FrameFixed) && !c.InvertAll && c.Codes == nil &&
		c.Header == 0 && !c.Filled && c.Decimal == forms.NoDecimal
}

// Fillings yields the values that have the same stored form, of a Loose field with padding,
// which may begin or end with its padding: "aac" under PadLeft(3, 'a') is "aac", "ac" or
// "c".
func (c *Component) Fillings(form []byte) iter.Seq[Val] {
	return func(yield func(Val) bool) {
		raw := bytes.Clone(form)
		if c.InvertAll {
			forms.Invert(raw)
		}
		if c.Header != 0 {
			raw = raw[1:]
		}
		fill := len(raw) - forms.Unpad(raw, c.Pad)
		if c.Frame == FramePadLeft {
			fill = forms.UnpadLeft(raw, c.Pad)
		}
		for n := range fill + 1 {
			text := raw[:len(raw)-n]
			if c.Frame == FramePadLeft {
				text = raw[n:]
			}
			if len(c.Stages) > 0 {
				var err error
				if text, err = c.UndoStages(bytes.Clone(text), 0); err != nil {
					continue
				}
			}
			v := Val{Text: text, Ok: true}
			if !c.IsText() {
				v.Text = nil
				v.Num, v.Ok = forms.Read(c.Num.Form, text)
			} else if c.Codes != nil {
				var of string
				of, v.Ok = c.valueOf[string(text)] // what is no code is no empty text, either
				v.Text = []byte(of)
			}
			if back, err := c.AppendForm(nil, &v); v.Ok && err == nil && string(back) == string(form) && !yield(v) {
				return
			}
		}
	}
}

// filling is the only value of Fillings.
func (c *Component) filling(form []byte) (one Val, err error) {
	err = fault.ErrMalformed
	for v := range c.Fillings(form) {
		if one.Ok {
			return Val{}, fault.ErrAmbiguous
		}
		one, err = v, nil
	}
	return one, err
}

// decodeText appends the value of a stored text to dst.
func (c *Component) decodeText(dst, form []byte) ([]byte, error) {
	at := len(dst)
	dst, err := c.undo(dst, form)
	if err == fault.ErrAmbiguous {
		v, err := c.filling(form)
		return append(dst[:at], v.Text...), err
	}
	if err != nil {
		return dst, err
	}
	if c.Decimal != forms.NoDecimal && !c.Decimal.Holds(dst[at:]) {
		return dst, fault.ErrMalformed
	}
	if !c.Limited {
		return dst, nil
	}
	if c.Codes != nil {
		v, ok := c.valueOf[string(dst[at:])]
		if !ok {
			return dst, fault.ErrMalformed
		}
		return append(dst[:at], v...), nil
	}
	if _, err := checkText(c, dst[at:]); err != nil {
		return dst, fault.ErrMalformed
	}
	return dst, nil
}

// DecodeNum is the number of a stored form: of 00 07 in two bytes it is 7.
func (c *Component) DecodeNum(form []byte) (uint64, error) {
	if !c.Plain {
		var scratch [64]byte
		b, err := c.undo(scratch[:0], form)
		if err == fault.ErrAmbiguous {
			v, err := c.filling(form)
			return v.Num, err
		}
		if err != nil {
			return 0, err
		}
		form = b
	}
	u, ok := forms.Read(c.Num.Form, form)
	if !ok || c.Kind == KindFloat && !c.TakesFloat(u) || !c.admits(u) || c.Beyond(u) != 0 {
		return 0, fault.ErrMalformed
	}
	if c.Unit.Own != nil { // not every number of a caller's unit stands for an instant
		if back, ok := c.Unit.Count(c.Unit.Instant(u)); !ok || back != u {
			return 0, fault.ErrMalformed
		}
	}
	return u, nil
}

// Spans are the places at which the components of a key begin: component i is
// key[spans[i]:spans[i+1]].
type Spans []uint16

// Split writes the places of a key's components to at, which has one entry more than there
// are components. With Loose components it tries their ends: a reading counts if all its
// fields decode and, if derived, its salts, hashes and copies are right.
func (s *Schema) Split(key []byte, at Spans, derived bool) error {
	if len(key) == 0 || len(key) > s.MaxLen {
		return s.ErrAt("", 0, s.KeyRefused(len(key)))
	}
	if s.Loose > 0 {
		_, _, err := s.SplitLoose(key, at, derived)
		return err
	}
	_, i, err := s.SplitFrom(key, at, 0, 0)
	if err != nil {
		return s.first(key, at, i, err)
	}
	return nil
}

// first is the first fault of a key, from the left, in which component end has no place, with the
// error err: a field before it may hold no value.
func (s *Schema) first(key []byte, at Spans, end int, err error) error {
	for _, c := range s.Fields {
		if c.Index >= end {
			break
		}
		if _, _, no := s.value(c, nil, key, at); no != nil {
			return no
		}
	}
	return err
}

// SplitFrom is Split from component i, at byte pos, up to the end of the key or to a
// component whose end must be tried. It gives the byte and the component where it stops.
func (s *Schema) SplitFrom(key []byte, at Spans, pos, i int) (int, int, error) {
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		at[i] = uint16(pos)
		if c.Absent {
			continue
		}
		if c.Ends == forms.EndLoose {
			return pos, i, nil
		}
		n := c.Extent(key[pos:])
		if n < 0 || c.Role == RoleLiteral && string(key[pos:pos+n]) != string(c.Lit) {
			return pos, i, s.ErrAt(c.Name, pos, fault.ErrMalformed)
		}
		pos += n
	}
	at[i] = uint16(pos)
	if pos < len(key) {
		return pos, i, s.ErrAt("", pos, fault.ErrMalformed)
	}
	return pos, i, nil
}

// FewFields is the number of fields up to which the values of a row stay on the stack.
const FewFields = 16

// values holds the values of a row. It is passed by value: a Val can point to the caller's
// memory, and stored behind a pointer it would move that memory to the heap.
type values struct {
	n    int
	few  [FewFields + 1]Val // one more than FewFields, for a prefix
	many []Val              // used instead of few if a row has more fields
}

// Row is a view of the values.
func (v *values) Row() Row {
	if v.many != nil {
		return Row{Vals: v.many}
	}
	return Row{Vals: v.few[:v.n]}
}

// Values reads the supplied fields of a split key. A text that is stored as it is becomes
// a view of the key.
func (s *Schema) Values(key []byte, at Spans) (vs values, err error) {
	if vs.n = len(s.Fields); vs.n > FewFields {
		vs.many, err = s.manyValues(slices.Clone(key), at)
		return vs, err
	}
	var scratch []byte
	for i, c := range s.Fields {
		if vs.few[i], scratch, err = s.value(c, scratch, key, at); err != nil {
			break
		}
	}
	return vs, err
}

// manyValues is Values for more than FewFields fields. The values are views of key.
func (s *Schema) manyValues(key []byte, at Spans) (vs []Val, err error) {
	vs = make([]Val, len(s.Fields))
	var scratch []byte
	for i, c := range s.Fields {
		if vs[i], scratch, err = s.value(c, scratch, key, at); err != nil {
			break
		}
	}
	return vs, err
}

// value reads one field of a split key. A text that is not stored as it is goes to scratch.
func (s *Schema) value(c *Component, scratch, key []byte, at Spans) (Val, []byte, error) {
	if c.Absent {
		return Val{}, scratch, nil
	}
	v, scratch, err := c.Decode(scratch, key[at[c.Index]:at[c.Index+1]])
	if err != nil {
		err = s.ErrAt(c.Name, int(at[c.Index]), err)
	}
	return v, scratch, err
}

// Decode is the value of a stored form. A text that is stored as it is becomes a view of
// form; any other text is appended to scratch.
func (c *Component) Decode(scratch, form []byte) (Val, []byte, error) {
	if c.Optional && c.IsNull(form) {
		return Val{Ok: true, Null: true}, scratch, nil
	}
	if !c.IsText() {
		u, err := c.DecodeNum(form)
		return Val{Num: u, Ok: true}, scratch, err
	}
	if c.Verbatim() {
		if c.Limited {
			if _, err := checkText(c, form); err != nil {
				return Val{}, scratch, fault.ErrMalformed
			}
		}
		if c.Frame == FrameFixed && len(form) != c.Width {
			return Val{}, scratch, fault.ErrMalformed
		}
		return Val{Text: form, Ok: true}, scratch, nil
	}
	at := len(scratch)
	scratch, err := c.decodeText(scratch, form)
	return Val{Text: scratch[at:len(scratch):len(scratch)], Ok: true}, scratch, err
}

// Verify computes the derived components of a key again from its values, and compares. Of a
// salt or hash that depends on a field which is not stored it checks that it MayBe one.
func (s *Schema) Verify(key []byte, at Spans, r Row) error {
	if len(s.Derived) == 0 {
		return nil
	}
	var scratch [256]byte
	for _, c := range s.Derived {
		if !c.Absent && s.Differs(scratch[:0], c, key, at, r) {
			return s.ErrAt(c.Name, int(at[c.Index]), fault.ErrDerived)
		}
	}
	return nil
}

// Differs reports that a derived component of a key is not the one that the values of r
// give, or that no values give it, if r lacks one that is needed.
func (s *Schema) Differs(scratch []byte, c *Component, key []byte, at Spans, r Row) bool {
	form := key[at[c.Index]:at[c.Index+1]]
	want, known, err := s.Wanted(scratch, c, key, at, r)
	if !known {
		return !c.MayBe(form)
	}
	return err != nil || string(want) != string(form)
}

// Wanted appends the bytes that a derived component of a key should have. It is false if
// r lacks a value that is needed.
func (s *Schema) Wanted(dst []byte, c *Component, key []byte, at Spans, r Row) ([]byte, bool, error) {
	end := int(at[c.Index+1])
	dst, known, err := s.Derive(dst, c, r, key[end:])
	if known && err == nil && c.Trims && end == len(key) { // only nulls follow
		dst = dst[:len(dst)-c.EndLen()]
	}
	return dst, known, err
}

// Skip is the place after the constants, salts, hashes and copies that follow from
// component i on, at byte pos, up to the next stored field.
func (s *Schema) Skip(key []byte, pos, i int) (int, error) {
	for ; i < len(s.Comps); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == RoleField {
			break
		}
		n := c.Extent(key[pos:])
		if n < 0 || c.Role == RoleLiteral && string(key[pos:pos+n]) != string(c.Lit) {
			return pos, s.ErrAt(c.Name, pos, fault.ErrMalformed)
		}
		if pos += n; c.Ends == forms.EndMarked && !s.Comps[i+1].Absent { // its separator was found there: to compare it takes a call
			i, pos = i+1, pos+len(c.Mark)
		}
	}
	return pos, nil
}

// AsTime is the value u of a Time as an instant in UTC.
func (c *Component) AsTime(u uint64) time.Time {
	return time.Unix(c.Instant(u)).UTC()
}

// Check verifies the derived components of a key.
func (s *Schema) Check(key []byte) error {
	var few [FewSpans]uint16
	at := s.Spans(few[:])
	if err := s.Split(key, at, true); err != nil {
		return err
	}
	return s.Fits(key, at, true)
}

// FewSpans is the usual length of a buffer for Spans on the stack.
const FewSpans = 24

// Spans is a buffer for the spans of a key: few, or new memory if few is too short.
func (s *Schema) Spans(few []uint16) Spans {
	if n := len(s.Comps) + 1; n > len(few) {
		return make(Spans, n)
	} else {
		return few[:n]
	}
}

// Boxed is a value as a Go value (string, uint64, time.Time …), in memory of its own.
func (c *Component) Boxed(v Val) any {
	if v.Null {
		return nil
	}
	switch c.Kind {
	case KindString:
		return string(c.PlainText(nil, v.Text))
	case KindBinary:
		return append([]byte{}, v.Text...)
	case KindInt:
		return int64(v.Num)
	case KindFloat:
		return math.Float64frombits(v.Num)
	case KindBool:
		return v.Num == 1
	case KindTime:
		return c.AsTime(v.Num)
	}
	return v.Num
}

// CheckRests checks the salts and hashes that are computed from the bytes after them (rest()), or from what is not stored,
// in a key whose fields are all read. It is false if one of them is wrong, or if this key
// needs the slow check: Check reports the first that is wrong.
func (s *Schema) CheckRests(key []byte) bool {
	for _, c := range s.Lasts {
		off := s.PlaceOf(c, key)                     // negative if the key has changed since its fields were read
		if c.ruled && off >= 0 && off+1 < len(key) { // here: two calls take a sixth of the time of a short key
			if n, ok := c.Rule.Bucket(key[off+1:], &c.Mod); !ok || key[off] != byte(n) {
				return false
			}
			continue
		}
		if end := off + c.Shape.Min; off < 0 || c.Trims || end > len(key) || !c.Rest && !c.MayBe(key[off:end]) ||
			c.Rest && (c.Others() || !c.Right(key[off:end], key[end:])) {
			return false
		}
	}
	return true
}

// Right reports that form is the salt or hash of data.
func (c *Component) Right(form, data []byte) bool {
	if c.Role == RoleSalt {
		n, ok := c.bucketOf(data)
		return ok && c.HasBucket(form, n)
	}
	p := &c.Part.Cut
	if sum, ok := p.Sum32(data); ok { // here: to clear room takes as long as the rest of a short key
		return p.Takes(data) && forms.ReadUint(form) == p.First(sum)
	}
	var room [2 * digest.MaxSize]byte // as long as its hexadecimal digits
	right, err := c.Compute(room[:0], data)
	return err == nil && string(form) == string(right)
}
