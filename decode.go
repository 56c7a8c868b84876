package rowkey

import (
	"bytes"
	"math"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The strict inverse of encode.go: bytes that it never writes are refused, so
// that a key which decodes is the key its values encode to.

// extent is the length of the component's form at the head of b, −1 if there
// is none.
func (c *component) extent(b []byte) int {
	if c.optional || c.trims {
		return c.extentTail(b)
	}
	switch c.ends {
	case forms.EndWidth:
		if len(b) < c.shape.Min {
			return -1
		}
		return c.shape.Min
	case forms.EndMarked:
		return bytes.Index(b, c.mark)
	case forms.EndLast:
		return len(b)
	case forms.EndSelf:
		return c.extentSelf(b)
	}
	return -1
}

// extentSelf is extent for forms that end themselves.
func (c *component) extentSelf(b []byte) int {
	switch {
	case c.frame == frameEscaped:
		return forms.EscapedLen(b, c.flip())
	case c.frame == frameNul:
		if n := bytes.IndexByte(b, c.flip()); n >= 0 {
			return n + 1
		}
		return -1
	case c.frame == frameBlobVar && len(b) > 0:
		if n := forms.BlobVarLen(b[1:], c.flip()); n >= 0 {
			return n + 1
		}
		return -1
	case c.frame == frameLength:
		return forms.LengthLen(b, c.width, c.flip())
	case c.num.form != nil && len(c.stages) == 0:
		return forms.Len(c.num.form, b, c.flip())
	case c.decimal == forms.Numeric:
		return forms.NumericLen(b, c.flip())
	case c.ender != nil:
		return c.ender.len(b, c.enderFlip)
	}
	head := 0
	if c.header != 0 {
		head = 1
	}
	for _, f := range c.forms {
		if len(b) >= head && bytes.HasPrefix(b[head:], f) {
			return head + len(f)
		}
	}
	return -1
}

// flip is what inverts a byte of the frame.
func (c *component) flip() byte {
	if c.invertAll {
		return 0xff
	}
	return 0
}

// undo appends what a form was before its stages and its frame.
func (c *component) undo(dst, form []byte) ([]byte, error) {
	at := len(dst)
	dst = append(dst, form...)
	if c.invertAll {
		forms.Invert(dst[at:])
	}
	if c.header != 0 {
		if len(form) == 0 || dst[at] != c.header {
			return dst, ErrMalformed
		}
		dst = dst[:at+copy(dst[at:], dst[at+1:])]
	}
	dst, err := c.unframe(dst, at)
	if err != nil {
		return dst, err
	}
	if c.filled && len(dst) == at {
		return dst, ErrMalformed
	}
	for i := len(c.stages) - 1; i >= 0; i-- {
		if v := c.stages[i].via; v != nil {
			if dst, err = v.invert(dst, at); err != nil {
				return dst, err
			}
			continue
		}
		if c.stages[i].word == notation.UUID {
			var ok bool
			if dst, ok = forms.UnpackUUID(dst, at); !ok {
				return dst, ErrMalformed
			}
			continue
		}
		if _, err := c.stages[i].apply(dst[at:]); err != nil {
			return dst, ErrMalformed
		}
	}
	return dst, nil
}

// unframe turns the bytes dst[at:] into what they were before the frame.
func (c *component) unframe(dst []byte, at int) ([]byte, error) {
	switch c.frame {
	case frameFixed:
		if len(dst)-at != c.width {
			return dst, ErrMalformed
		}
	case framePad:
		n := forms.Unpad(dst[at:], c.pad)
		if c.loose && n < len(dst)-at {
			return dst, ErrAmbiguous
		}
		dst = dst[:at+n]
	case framePadLeft:
		n := forms.UnpadLeft(dst[at:], c.pad)
		if c.loose && n > 0 {
			return dst, ErrAmbiguous
		}
		dst = dst[:at+copy(dst[at:], dst[at+n:])]
	case frameEscaped:
		if c.endless || c.trims && !bytes.HasSuffix(dst[at:], []byte{0, 1}) {
			dst = append(dst, 0, 1)
		}
		n, ok := forms.UndoEscape(dst[at:])
		if !ok {
			return dst, ErrMalformed
		}
		dst = dst[:at+n]
	case frameNul:
		n := len(dst) - at - 1
		if c.trims && bytes.IndexByte(dst[at:], 0) < 0 {
			n++
			dst = append(dst, 0)
		}
		if bytes.IndexByte(dst[at:], 0) != n {
			return dst, ErrMalformed
		}
		dst = dst[:at+n]
	case frameBlobVar:
		n, ok := forms.UndoBlobVar(dst[at:])
		if !ok {
			return dst, ErrMalformed
		}
		dst = dst[:at+n]
	case frameLength:
		if forms.LengthLen(dst[at:], c.width, 0) != len(dst)-at {
			return dst, ErrMalformed
		}
		dst = dst[:at+copy(dst[at:], dst[at+c.width:])]
	}
	return dst, nil
}

// verbatim reports that the value of a text stands in its form as it is, so
// that the form is a view of it.
func (c *component) verbatim() bool {
	return len(c.stages) == 0 && (c.frame == noFrame || c.frame == frameFixed) && !c.invertAll && c.codes == nil &&
		c.header == 0 && !c.filled && c.decimal == forms.NoDecimal
}

// decodeText appends the value of a stored text to dst.
func (c *component) decodeText(dst, form []byte) ([]byte, error) {
	at := len(dst)
	dst, err := c.undo(dst, form)
	if err != nil {
		return dst, err
	}
	if c.decimal != forms.NoDecimal && !c.decimal.Holds(dst[at:]) {
		return dst, ErrMalformed
	}
	if !c.limited {
		return dst, nil
	}
	if c.codes != nil {
		v, ok := c.valueOf[string(dst[at:])]
		if !ok {
			return dst, ErrMalformed
		}
		return append(dst[:at], v...), nil
	}
	if _, err := checkText(c, dst[at:]); err != nil {
		return dst, ErrMalformed
	}
	return dst, nil
}

// decodeNum is the number of a stored form.
func (c *component) decodeNum(form []byte) (uint64, error) {
	if !c.plain {
		var scratch [64]byte
		b, err := c.undo(scratch[:0], form)
		if err != nil {
			return 0, err
		}
		form = b
	}
	u, ok := forms.Read(c.num.form, form)
	switch {
	case !ok:
		return 0, ErrMalformed
	case c.kind == kindFloat:
		if !c.isFloat(u) {
			return 0, ErrMalformed
		}
		return u, nil
	case c.num.trunc > 1 && c.beyond(u) != 0:
		return 0, ErrMalformed
	}
	if !c.admits(u) {
		return 0, ErrMalformed
	}
	if c.unit.own != nil { // of whose numbers some may stand for no instant
		if back, ok := c.unit.count(c.unit.instant(u)); !ok || back != u {
			return 0, ErrMalformed
		}
	}
	return u, nil
}

// val is one value of a row, where it is known.
type val struct {
	num  uint64
	text []byte
	ok   bool
	null bool
}

// row is the values of a row's supplied fields, from the field base on.
type row struct {
	vals []val
	base int
}

func (r row) get(ord int) (val, bool) {
	if i := ord - r.base; i >= 0 && i < len(r.vals) {
		return r.vals[i], r.vals[i].ok
	}
	return val{}, false
}

// spans is where the components of a key begin: component i is
// key[spans[i]:spans[i+1]].
type spans []uint16

// maxKey is the longest row key HBase takes: Short.MAX_VALUE.
const maxKey = math.MaxInt16

// split finds the components of a key. at has room for one more entry than
// there are components. Where ends must be tried, a reading counts if its
// fields decode and, with derived, its salts and hashes are right.
func (s *schema) split(key []byte, at spans, derived bool) error {
	if len(key) == 0 || len(key) > s.maxLen {
		return s.errAt("", 0, s.keyRefused(len(key)))
	}
	if s.loose > 0 {
		_, _, err := s.splitLoose(key, at, derived)
		return err
	}
	_, _, err := s.splitFrom(key, at, 0, 0)
	return err
}

// splitFrom goes on at component i and byte pos, until the end of the key or a
// component whose end must be tried.
func (s *schema) splitFrom(key []byte, at spans, pos, i int) (int, int, error) {
	for ; i < len(s.comps); i++ {
		c := &s.comps[i]
		at[i] = uint16(pos)
		if c.absent {
			continue
		}
		if c.ends == forms.EndLoose {
			return pos, i, nil
		}
		n := c.extent(key[pos:])
		if n < 0 || c.role == roleLiteral && string(key[pos:pos+n]) != string(c.lit) {
			return pos, i, s.errAt(c.name, pos, ErrMalformed)
		}
		pos += n
	}
	at[i] = uint16(pos)
	if pos < len(key) {
		return pos, i, s.errAt("", pos, ErrMalformed)
	}
	return pos, i, nil
}

// fewFields is for how many fields values are kept on the stack.
const fewFields = 16

// values are those of a row's fields. They are given by value: a view of the
// caller's memory that were stored anywhere else would drag that memory to the
// heap.
type values struct {
	n    int
	few  [fewFields + 1]val // one more for a prefix
	many []val              // where few is too little
}

// row is a view of the values.
func (v *values) row() row {
	if v.many != nil {
		return row{vals: v.many}
	}
	return row{vals: v.few[:v.n]}
}

// values reads the supplied fields of a split key. Texts are views of the key
// where they stand there as they are.
func (s *schema) values(key []byte, at spans) (vs values, err error) {
	if vs.n = len(s.fields); vs.n > fewFields {
		vs.many, err = s.manyValues(slices.Clone(key), at)
		return vs, err
	}
	var scratch []byte
	for i, c := range s.fields {
		if vs.few[i], scratch, err = s.value(c, scratch, key, at); err != nil {
			break
		}
	}
	return vs, err
}

// manyValues is values for more fields than few; they are views of the key.
func (s *schema) manyValues(key []byte, at spans) ([]val, error) {
	vs := make([]val, len(s.fields))
	var scratch []byte
	var err error
	for i, c := range s.fields {
		if vs[i], scratch, err = s.value(c, scratch, key, at); err != nil {
			return nil, err
		}
	}
	return vs, nil
}

// value reads one field of a split key. A text that does not stand there as it
// is lies in scratch.
func (s *schema) value(c *component, scratch, key []byte, at spans) (val, []byte, error) {
	if c.absent {
		return val{}, scratch, nil
	}
	v, scratch, err := c.decode(scratch, key[at[c.index]:at[c.index+1]])
	if err != nil {
		return v, scratch, s.errAt(c.name, int(at[c.index]), err)
	}
	return v, scratch, nil
}

// decode is the value of a stored form; a text that does not stand in it as it
// is goes to scratch.
func (c *component) decode(scratch, form []byte) (val, []byte, error) {
	if c.optional && c.isNull(form) {
		return val{ok: true, null: true}, scratch, nil
	}
	if !c.isText() {
		u, err := c.decodeNum(form)
		return val{num: u, ok: true}, scratch, err
	}
	if c.verbatim() {
		if c.limited {
			if _, err := checkText(c, form); err != nil {
				return val{}, scratch, ErrMalformed
			}
		}
		if c.frame == frameFixed && len(form) != c.width {
			return val{}, scratch, ErrMalformed
		}
		return val{text: form, ok: true}, scratch, nil
	}
	at := len(scratch)
	scratch, err := c.decodeText(scratch, form)
	return val{text: scratch[at:len(scratch):len(scratch)], ok: true}, scratch, err
}

// verify recomputes the derived components of a key from its values. What
// depends on a field that is not stored cannot be checked.
func (s *schema) verify(key []byte, at spans, r row) error {
	if len(s.derived) == 0 {
		return nil
	}
	var scratch [256]byte
	for _, c := range s.derived {
		if !c.absent && s.differs(scratch[:0], c, key, at, r) {
			return s.errAt(c.name, int(at[c.index]), ErrDerived)
		}
	}
	return nil
}

// differs reports that a derived component of a key is not what some values
// give, if they give it at all.
func (s *schema) differs(scratch []byte, c *component, key []byte, at spans, r row) bool {
	want, known, err := s.wanted(scratch, c, key, at, r)
	return known && (err != nil || string(want) != string(key[at[c.index]:at[c.index+1]]))
}

// wanted appends what should stand in a key for a derived component; false if a
// field that it is computed from is not known.
func (s *schema) wanted(dst []byte, c *component, key []byte, at spans, r row) ([]byte, bool, error) {
	end := int(at[c.index+1])
	dst, known, err := s.derive(dst, c, r, key[end:])
	if known && err == nil && c.trims && end == len(key) { // only nulls follow
		dst = dst[:len(dst)-c.endLen()]
	}
	return dst, known, err
}
