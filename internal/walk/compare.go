package walk

import (
	"encoding/binary"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// step is a test of some bytes of a key: of [tenant:4][ms(at)] and Eq("tenant", 7) the first step
// compares 4 bytes with 00 00 00 07.
type step struct {
	do    does
	keep  bool   // the salt is computed from the value, or is these bytes
	bytes string // literal
	from  uint64 // of a number: value-from <= span
	span  uint64
	mask  uint64 // of its bytes in the load of 8 that ends with them; 0: takeWord reads it
	op    *op
	asked *query.Constraint // what the value must satisfy besides; nil: nothing
}

// does says how a step tests its bytes.
type does uint8

const (
	literal  does = iota + 1 // these bytes
	skipped                  // any bytes
	numbered                 // a number in bytes
	texted                   // a text as it is
)

// compileSteps makes the steps. False if some component or salt needs more than a comparison.
func (t *Tests) compileSteps() bool {
	w := t.w
	input := -1 // the component that the salt is computed from
	if len(w.checks) > 0 {
		t.salt = &w.checks[0]
		if len(w.checks) > 1 || t.salt.how != byStream || len(t.salt.ins) != 1 || t.salt.ins[0].c != nil || !t.salt.c.ByteSalt() {
			return false
		}
		input = w.s.Fields[t.salt.ins[0].ord].Index
	}
	for i := range w.ops {
		o := &w.ops[i]
		if o.what == gap && o.n == 0 { // not stored
			continue
		}
		st := step{op: o, keep: i == input || t.salt != nil && i == t.salt.at}
		if !st.of(&t.of[i], t.cons) {
			return false
		}
		t.add(st)
	}
	return true
}

// of makes the step of one component. False if that needs more than a comparison.
func (st *step) of(q *test, cons []query.Constraint) bool {
	o := st.op
	if q.how == satisfies || q.how == isText {
		st.asked = &cons[o.cell]
	}
	switch o.what {
	case gap:
		st.do = skipped
		return st.keep
	case constant:
		st.do, st.bytes = literal, o.lit
		return true
	case word:
		return st.ofWord(q)
	case text:
		if o.frame != bare || o.head != 0 || o.turned != notTurned || o.end == bySelf {
			return false
		}
		if st.do = texted; q.how == isText && o.standsAs(q.text) && !st.keep {
			st.do, st.bytes = literal, q.text
		}
		return true
	case number, varying, listed, other:
	}
	return false
}

// ofWord makes the step of a number. It is false for a query that asks for more than the field holds.
func (st *step) ofWord(q *test) bool {
	o := st.op
	st.do, st.from, st.span = numbered, -o.bias, o.span
	if !o.reversed && !o.signed && o.trunc <= 1 {
		st.mask = forms.Mask(o.n)
	}
	if q.how != inSpan {
		return true
	}
	if q.span > o.span || q.from+o.bias > o.span-q.span {
		return false
	}
	st.from, st.span = q.from, q.span
	if form, err := o.c.AppendNum(nil, q.from); q.span == 0 && err == nil && !st.keep {
		st.do, st.bytes = literal, string(form)
	}
	return true
}

// standsAs reports that a key holds a text if and only if it has the text's bytes, and then what ends them.
func (o *op) standsAs(text string) bool {
	return o.fits([]byte(text)) && (o.end != byWidth || len(text) == o.n) && (o.end != byMark || len(o.lit) == 1 && strings.IndexByte(text, o.lit[0]) < 0)
}

// add adds a step. Bytes after bytes are one step.
func (t *Tests) add(st step) {
	if n := len(t.steps); n > 0 && st.do == literal && t.steps[n-1].do == literal {
		t.steps[n-1].bytes += st.bytes
		return
	}
	t.steps = append(t.steps, st)
}

// compare is Match by the steps.
func (t *Tests) compare(key []byte) bool {
	text := mem.Text(key)
	pos, bucket := 0, 0
	var kept uint64
	var part []byte
	for i := range t.steps {
		st := &t.steps[i]
		from := pos
		switch st.do {
		case literal:
			if pos += len(st.bytes); pos > len(text) || text[from:pos] != st.bytes {
				return false
			}
		case skipped:
			if pos += st.op.n; pos > len(text) {
				return false
			}
			bucket = from
		case numbered:
			if pos += st.op.n; pos > len(key) {
				return false
			}
			u, ok := uint64(0), true
			if st.mask != 0 && pos >= 8 { // its limits hold if those of the query do
				u = binary.BigEndian.Uint64(key[pos-8:pos])&st.mask ^ st.op.xor
			} else {
				u, ok = st.op.takeWord(key, from)
			}
			if !ok || u-st.from > st.span || st.asked != nil && !st.asked.Match(st.op.c, layout.Val{Ok: true, Num: u}) {
				return false
			}
			if st.keep {
				kept = u
			}
		case texted:
			o, ok := st.op, true
			if pos = len(key); o.end != byKey { // a call takes as long as all else here, so fits is called only for chars
				pos, ok = o.formEnd(key, from)
			}
			if n := pos - from; !ok || n < o.least || n > o.most || o.chars != nil && !o.fits(key[from:pos]) || st.asked != nil && !st.asked.Match(o.c, layout.Val{Ok: true, Text: key[from:pos:pos]}) {
				return false
			}
			if st.keep {
				part = key[from:pos]
			}
		}
	}
	return pos == len(text) && (t.salt == nil || key[bucket] == byte(t.salt.streamOne(kept, part)))
}
