package walk

import (
	"encoding/binary"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// step is a test of some bytes of a key: of [tenant:4][ms(at)] and Eq("tenant", 7) the first step
// compares 4 bytes with 00 00 00 07.
type step struct {
	do     does
	keep   bool // the salt is computed from the value, or is these bytes
	signed bool
	mark   byte
	shift  uint8 // of a number: 64 minus its bits
	n      int
	xor    uint64 // of a number; then value-from <= span
	from   uint64
	span   uint64
	least  int // the limits of a text's length
	most   int
	bytes  string // literal
	c      *layout.Component
	asked  *query.Constraint // what the value must satisfy besides; nil: nothing
}

// does says how a step tests its bytes.
type does uint8

const (
	literal   does = iota + 1 // these bytes
	skipped                   // any n bytes
	numbered                  // a number of n bytes, big-endian
	marked                    // a text up to a byte
	remaining                 // a text up to the end of the key
	wide                      // a text of n bytes
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
		st := step{n: o.n, c: o.c, keep: i == input || t.salt != nil && i == t.salt.at, least: o.least, most: o.most}
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
			form, ok := st.ofWord(o, q)
			if !ok {
				return false
			}
			if form != nil && !st.keep {
				t.literal(string(form))
				continue
			}
		case text:
			if !st.ofText(o, q) {
				return false
			}
			if q.how == isText && !st.keep {
				t.literal(q.text)
				continue
			}
			if q.how == isText {
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
func (st *step) ofWord(o *op, q *test) (form []byte, ok bool) {
	st.do, st.signed, st.shift, st.xor, st.from, st.span = numbered, o.signed, o.shift&63, o.xor, -o.bias, o.span
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

// ofText makes the step of a text. It is false for one whose bytes in the key are not the text, or
// that the query asks for and the field does not take.
func (st *step) ofText(o *op, q *test) bool {
	if o.frame != bare || o.head != 0 || o.chars != nil || o.turned != notTurned {
		return false
	}
	switch {
	case o.end == byMark && len(o.lit) == 1:
		st.do, st.mark = marked, o.lit[0]
	case o.end == byKey:
		st.do = remaining
	case o.end == byWidth:
		st.do = wide
	default:
		return false
	}
	n := len(q.text)
	return q.how != isText || n >= o.least && n <= o.most && (st.do != wide || n == o.n) && (st.do != marked || strings.IndexByte(q.text, st.mark) < 0)
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
			continue
		case skipped:
			if pos += st.n; pos > len(text) {
				return false
			}
			bucket = from
			continue
		case numbered:
			var u uint64
			if pos += st.n; from+8 <= len(key) {
				u = binary.BigEndian.Uint64(key[from:]) >> (st.shift & 63)
			} else if pos <= len(key) {
				u = forms.ReadUint(key[from:pos])
			} else {
				return false
			}
			if u ^= st.xor; st.signed {
				u = uint64(int64(u<<(st.shift&63)) >> (st.shift & 63))
			}
			if u-st.from > st.span || st.asked != nil && !st.asked.Match(st.c, layout.Val{Ok: true, Num: u}) {
				return false
			}
			if st.keep {
				kept = u
			}
			continue
		case marked:
			n := strings.IndexByte(text[pos:], st.mark)
			if n < 0 {
				return false
			}
			pos += n
		case remaining:
			pos = len(text)
		case wide:
			if pos += st.n; pos > len(text) {
				return false
			}
		}
		if n := pos - from; n < st.least || n > st.most || st.asked != nil && !st.asked.Match(st.c, layout.Val{Ok: true, Text: key[from:pos:pos]}) {
			return false
		}
		if st.keep {
			kept = textCell(from, pos)
		}
	}
	return pos == len(text) && (t.salt == nil || key[bucket] == byte(t.bucket(key, kept)))
}

// bucket is the bucket that the salt's field gives.
func (t *Tests) bucket(key []byte, kept cell) uint64 {
	k := t.salt
	if in := &k.ins[0]; !in.text {
		return k.c.Mod.Of(digest.MurmurWord(k.seed, kept, in.size))
	}
	return k.c.Mod.Of(digest.Murmur32(k.seed, textOf(kept, key, nil)))
}
