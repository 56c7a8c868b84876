package walk

import (
	"strings"

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
		if len(w.checks) > 1 || t.salt.how != byStream || len(t.salt.ins) != 1 || !t.salt.c.ByteSalt() {
			return false
		}
		input = w.s.Fields[t.salt.ins[0].ord].Index
	}
	for i := range w.ops {
		o, q := &w.ops[i], &t.of[i]
		st := step{op: o, keep: i == input || t.salt != nil && i == t.salt.at}
		if q.how == satisfies {
			st.asked = &t.cons[o.cell]
		}
		switch o.what {
		case gap:
			if st.do = skipped; o.n == 0 {
				continue // not stored
			}
			if !st.keep {
				return false
			}
		case constant:
			t.literal(o.lit)
			continue
		case word:
			form, ok := st.ofWord(q)
			if !ok {
				return false
			}
			if form != nil && !st.keep {
				t.literal(string(form))
				continue
			}
		case text:
			if o.frame != bare || o.head != 0 || o.turned != notTurned || o.end == bySelf {
				return false
			}
			if st.do = texted; q.how == isText {
				if o.standsAs(q.text) && !st.keep {
					t.literal(q.text)
					continue
				}
				st.asked = &t.cons[o.cell]
			}
		case number, varying, listed, other:
			return false
		}
		t.steps = append(t.steps, st)
	}
	return true
}

// ofWord makes the step of a number; form is its bytes if the query asks for one number. It is false
// for a query that asks for more than the field holds.
func (st *step) ofWord(q *test) (form []byte, ok bool) {
	o := st.op
	st.do, st.from, st.span = numbered, -o.bias, o.span
	if q.how != inSpan {
		return nil, true
	}
	if q.span > o.span || q.from+o.bias > o.span-q.span {
		return nil, false
	}
	st.from, st.span = q.from, q.span
	if form, err := o.c.AppendNum(nil, q.from); q.span == 0 && err == nil {
		return form, true
	}
	return nil, true
}

// standsAs reports that a key holds a text if and only if it has the text's bytes, and then what ends them.
func (o *op) standsAs(text string) bool {
	return o.fits([]byte(text)) && (o.end != byWidth || len(text) == o.n) && (o.end != byMark || len(o.lit) == 1 && strings.IndexByte(text, o.lit[0]) < 0)
}

// literal adds bytes that the key must have.
func (t *Tests) literal(bytes string) {
	if n := len(t.steps); n > 0 && t.steps[n-1].do == literal {
		t.steps[n-1].bytes += bytes
		return
	}
	t.steps = append(t.steps, step{do: literal, bytes: bytes})
}

// compare is Match by the steps.
func (t *Tests) compare(key []byte) bool {
	text := mem.Text(key)
	pos, bucket := 0, 0
	var kept cell
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
			u, ok := st.op.takeWord(key, pos)
			if !ok || u-st.from > st.span || st.asked != nil && !st.asked.Match(st.op.c, layout.Val{Ok: true, Num: u}) {
				return false
			}
			if pos += st.op.n; st.keep {
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
				kept = textCell(from, pos)
			}
		}
	}
	return pos == len(text) && (t.salt == nil || key[bucket] == byte(t.salt.streamOne(key, kept, nil)))
}
