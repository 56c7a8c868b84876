package rowkey

import forms "github.com/hbase-rowkey/rowkey/internal/form"

// Phoenix's CHAR(n) is filled up to n bytes with blanks, and SQL takes texts that
// differ in that alone for equal: 'ab ' of CHAR(3) is 'ab', which is what stands
// in the key and what is read back.

// charBytes are the bytes of the characters that a CHAR has: one byte each, since
// a character of more is an error of Phoenix's.
func charBytes() (s byteSet) {
	for i := range 0x80 {
		s[i] = true
	}
	return s
}

// isChar reports a CHAR: a field of text that is filled with blanks, or that its
// caller fills.
func (c *component) isChar() bool {
	return c.kind == KindString && c.role == roleField && (c.frame == framePad && c.pad == ' ' || c.frame == frameFixed)
}

// limitChars admits no other bytes in a text than those of the set.
func (c *component) limitChars(set byteSet) {
	if c.codes != nil {
		return
	}
	if c.chars != nil {
		for i := range set {
			set[i] = set[i] && c.chars[i]
		}
	}
	c.chars, c.limited = &set, true
}

// padEqual reports that texts equal but for their padding are one value. It takes
// a pad below all bytes of values: with another, ab without its padding would sort
// elsewhere than ab with it.
func (c *component) padEqual() bool {
	return c.dialect == Phoenix && c.frame == framePad && c.isChar() &&
		len(c.stages) == 0 && c.codes == nil && !c.loose && !c.absent
}

// unpadded is a text without the padding at its end.
func unpadded[T string | []byte](c *component, v T) T { return v[:forms.Unpad(v, c.pad)] }

// padCond is a condition whose operands have no padding. What a text begins or
// ends with is taken as it is said.
func (c *component) padCond(q Cond) Cond {
	switch q.op {
	case opBegins, opEnds:
		return q
	case opIn:
		list := make([]operand, len(q.list))
		for i, o := range q.list {
			o.text = unpadded(c, o.text)
			list[i] = o
		}
		q.list = list
	case opAnyOf:
		any := make([]Cond, len(q.any))
		for i := range q.any {
			any[i] = c.padCond(q.any[i])
		}
		q.any = any
	}
	inverted := q.a.text > q.b.text
	q.a.text, q.b.text = unpadded(c, q.a.text), unpadded(c, q.b.text)
	if q.op == opSpan && !inverted && q.a.text > q.b.text {
		q.b.text = q.a.text // from "\x1f" to " ": nothing lies between
	}
	return q
}
