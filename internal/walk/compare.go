package walk

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// step is a test of some bytes of a key: of [tenant:4][ms(at)] and Eq("tenant", 7) the first step
// compares 4 bytes with 00 00 00 07.
type step struct {
	do         does
	keep       bool // the field of Tests.check
	n, to      int  // its bytes, of ended those behind the text; of Tests.first where its 8 bytes end
	xor, mask  uint64
	from, span uint64 // (8 bytes ^ xor)&mask - from <= span; so of numbered a number, and of ended a length
	op         *op
	asked      *query.Constraint // what the value must satisfy besides; nil: nothing
}

// does says how a step tests its bytes.
type does uint8

const (
	literal  does = iota + 1 // up to 8 bytes are these
	loaded                   // a number of up to 8 bytes that is only compared, or any bytes
	ended                    // a text as it is, up to a byte or the end of the key
	numbered                 // any other number
	taken                    // any other text, salt or copy
)

// compileSteps makes the steps. They end before a component that needs more than a comparison.
func (t *Tests) compileSteps() {
	w := t.w
	vals, fixed := make([]layout.Val, len(w.s.Fields)), make([]string, len(w.ops))
	left := make([]bool, len(w.s.Fields)) // it fills what is not fixed
	for i := range w.ops {
		if v, ok := t.one(&w.ops[i]); ok {
			fixed[i], vals[w.ops[i].cell] = w.only(&w.ops[i], v)
		} else if w.ops[i].what == constant {
			fixed[i] = w.ops[i].lit
		}
	}
	for _, c := range slices.Backward(w.s.Derived) { // before what is computed from the rest of the key, that rest
		var rest []byte
		if c.Rest && !slices.ContainsFunc(w.ops[c.Index+1:], func(o op) bool { return fixed[o.c.Index] == "" && !o.c.Absent }) {
			rest = []byte(strings.Join(fixed[c.Index+1:], ""))
		}
		ends := c.Shape.Fixed() || c.Ends == forms.EndMarked // at once behind the bytes of the form
		if form, known, err := w.s.Derive(nil, c, layout.Row{Vals: vals}, rest); known && err == nil && len(form) > 0 && ends && !c.Trims && !c.Optional && !c.Absent {
			fixed[c.Index] = string(form)
		} else if !c.Absent && !c.Rest {
			left[c.Needs-1] = true
		}
	}
	for _, k := range w.checks {
		switch {
		case k.st == nil && fixed[k.c.Index] != "", k.st != nil && !left[k.st.C.Ord]:
		case k.st == nil && k.c.Hidden: // its step asks
		case k.st == nil && k.c.Rest:
			t.rests = true
		case k.st == nil, k.st.Gap < 0, t.check != nil:
			t.open = true
		case k.st != nil:
			t.check = k.st
		}
	}
	for i := range w.ops {
		o := &w.ops[i]
		st := step{op: o, n: o.n, keep: t.check != nil && o.c == t.check.C}
		if o.what == gap && o.n == 0 { // not stored
			continue
		} else if fixed[i] != "" {
			t.open = t.open || st.keep
			t.literal(fixed[i])
		} else if !st.of(t) {
			t.open, t.asked = true, i
			return
		} else {
			t.steps = append(t.steps, st)
		}
	}
	t.asked = len(w.ops)
}

// literal adds the steps of some bytes. Bytes after bytes are one step.
func (t *Tests) literal(text string) {
	for _, c := range []byte(text) {
		n := len(t.steps) - 1
		if n < 0 || t.steps[n].do != literal || t.steps[n].n == 8 {
			t.steps, n = append(t.steps, step{do: literal}), n+1
		}
		st := &t.steps[n]
		st.n, st.xor, st.mask = st.n+1, st.xor<<8|uint64(c), st.mask<<8|0xff
	}
}

// lead finds the steps that begin at the same byte of each key. In 8 bytes, other bytes may follow theirs.
func (t *Tests) lead() {
	for t.rest = t.steps; len(t.rest) > 0 && t.rest[0].do <= loaded; t.rest = t.rest[1:] {
		st := t.rest[0]
		t.led += st.n
		st.to = max(8, t.led)
		up := 8 * (st.to - t.led)
		if st.xor, st.mask, st.from, st.span = st.xor<<up, st.mask<<up, st.from<<up, st.span<<up; st.mask != 0 {
			t.first = append(t.first, st)
		}
	}
	t.done = t.led <= t.w.s.MaxLen && len(t.rest) == 0 && t.asked == len(t.w.ops) && !t.open && t.check == nil && !t.rests
	if t.least, t.most = max(1, t.led), t.w.s.MaxLen; t.done {
		t.most = t.led
	}
}

// only is the form of a value, and the value, if a key holds it if and only if it has the bytes of the form, and
// then what ends them. A form is not empty.
func (w *Layout) only(o *op, v layout.Val) (string, layout.Val) {
	if o.what == other || o.what == listed && o.end == forms.EndSelf {
		return "", layout.Val{}
	}
	form, err := o.c.AppendForm(nil, &v)
	if err != nil {
		return "", layout.Val{}
	}
	key := append(form, o.lit...) // and its separator
	r := Cells{lists: w.lists}
	to, scratch, ok := o.take(key, 0, &r, nil)
	if !ok || to != len(form) {
		return "", layout.Val{}
	}
	back := r.Val(o.c, key, scratch)
	if back.Num != v.Num && !o.c.IsText() || string(back.Text) != string(v.Text) {
		return "", layout.Val{} // the form is another value's
	}
	return string(form), v
}

// of makes the step of one component. False if that needs more than a comparison.
func (st *step) of(t *Tests) bool {
	o := st.op
	lo, hi, ok := t.interval(o)
	if !ok {
		st.asked = t.said(o)
	}
	st.do = taken
	switch o.what {
	case gap, varying:
		if o.what == gap && !o.c.Guarded() {
			st.do = loaded
		}
		return o.what == gap || !o.c.Trims && !o.c.Optional
	case word, number:
		return st.ofNumber(t, lo, hi)
	case text:
		switch bare := o.bare() && o.turned == notTurned && o.head == 0 && o.chars == nil; {
		case o.plain, bare && o.end == forms.EndLast && (!o.nullable || o.least <= 1 && st.asked == nil && !st.keep): // a null there is empty
			if st.do, st.n, st.from, st.span = ended, int(o.over), uint64(o.least), uint64(o.most-o.least); o.nullable {
				st.from, st.span = 0, uint64(o.most)
			}
		case bare && o.end == forms.EndWidth && !st.keep && st.asked == nil && o.least <= o.n && o.n <= o.most:
			st.do = loaded
		}
		return o.turned == notTurned || o.turned == reversal && st.asked == nil && !st.keep
	case listed:
		return true
	case constant, other:
	}
	return false
}

// ofNumber makes the step of a number. It is false for a query that asks for more than the field holds.
func (st *step) ofNumber(t *Tests, lo, hi uint64) bool {
	o, f, all := st.op, st.op.float, query.DomainOf(st.op.c)
	from, to := o.c.Unrank(lo), o.c.Unrank(hi)
	loads := o.what == word && !o.reversed && o.trunc <= 1 && st.asked == nil && !st.keep
	if loads && f != nil { // the ranks of floats are as far apart as their words, which sort
		from, to = f.Word(from), f.Word(to)
		loads = !f.Raw && o.c.Rank(f.Bits(from)) == lo && o.c.Rank(f.Bits(to)) == hi // of 8 bytes, they may be none of 4
	}
	if st.from, st.span = from+o.half, to-from; !loads {
		if st.do, st.from = numbered, from; o.c.Kind == layout.KindFloat { // their bits do not sort
			st.from, st.span, st.asked = 0, math.MaxUint64, t.said(o)
		}
		return lo >= all.Lo && hi <= all.Hi
	}
	if o.head != 0 {
		t.literal(string([]byte{o.head}))
		st.n--
	}
	st.do, st.xor, st.mask = loaded, o.xor, o.mask
	if f != nil && lo < layout.SignBit64 && hi >= layout.SignBit64-1 && !o.c.TwoZeros() { // and another float than -0
		t.steps = append(t.steps, step{do: loaded, n: st.n, xor: o.xor, mask: o.mask, from: f.Word(layout.MinusZero) + 1, span: math.MaxUint64 - 1})
		st.n = 0
	}
	if st.from == 0 && st.span == o.mask { // any bytes
		st.mask, st.span = 0, 0
	}
	return lo >= all.Lo && hi <= all.Hi
}

// Match tests the row of a key. It is false if no row has this key. Known is false for a key that
// package layout must judge. A key that fails a step has no match, whatever stands behind.
func (t *Tests) Match(key []byte) (match, known bool) {
	if len(key) < t.least || len(key) > t.most {
		return false, true
	}
	var few [8]byte // of a short key, with 00 behind it
	words := key
	if len(key) < 8 {
		binary.BigEndian.PutUint64(few[:], forms.ReadUint(key)<<(64-8*len(key)))
		words = few[:]
	}
	for i := range t.first {
		st := &t.first[i]
		if (binary.BigEndian.Uint64(words[st.to-8:st.to])^st.xor)&st.mask-st.from > st.span {
			return false, true
		}
	}
	if t.done {
		return true, true
	}
	return t.others(key)
}

// others is Match by the steps behind the first. What takes long by itself is called, so that all else stays in registers.
func (t *Tests) others(key []byte) (match, known bool) {
	pos, steps := t.led, t.rest
	var kept layout.Val
	var place [2]int // of its form
	for i := range steps {
		st := &steps[i]
		text, num, to, ok := []byte(nil), uint64(0), pos+st.n, false
		switch st.do {
		case literal, loaded:
			if pos = to; pos > len(key) {
				return false, true
			}
			u := uint64(0)
			if pos >= 8 {
				u = binary.BigEndian.Uint64(key[pos-8 : pos])
			} else {
				u = forms.ReadUint(key[:pos])
			}
			if (u^st.xor)&st.mask-st.from > st.span {
				return false, true
			}
			continue
		case ended:
			n := len(key) - pos
			if st.op.end != forms.EndLast {
				n = strings.IndexByte(mem.Text(key[pos:]), st.op.sep)
			}
			if uint64(n)-st.from > st.span {
				return false, true
			}
			to += n
			text = key[pos : pos+n : pos+n]
		case numbered:
			if num, to, ok = st.op.takeNum(key, pos); !ok || num-st.from > st.span {
				return false, true
			}
		case taken:
			if text, to, ok = t.w.taken(st.op, key, pos); !ok {
				return t.read(key, st.op.c.Index) // if some of its bytes are escaped, it may be a key
			}
		}
		if st.asked != nil && !st.asked.Match(st.op.c, layout.Val{Ok: true, Null: text == nil && st.op.nullable, Num: num, Text: text}) {
			return false, true
		} else if st.keep {
			kept.Text, kept.Num, place = text, num, [2]int{pos, to}
		}
		pos = to
	}
	switch {
	case t.asked == len(t.w.ops) && pos != len(key):
		return false, true
	case t.open:
		return t.read(key, t.asked)
	case t.check != nil && !t.check.Holds(key[:place[1]+t.check.Gap], place[0], kept.Text, kept.Num):
		return false, true
	case t.rests && !t.w.s.CheckRests(key):
		return t.read(key, t.asked)
	}
	return true, true
}

// taken is the text at pos, nil for a null, and the end of its form. What is reversed remains so, and of a salt it is nil.
func (w *Layout) taken(o *op, key []byte, pos int) (text []byte, to int, ok bool) {
	if o.what == listed {
		v, to, ok := o.takeListed(key, pos)
		return partOf(v, w.lists), to, ok
	} else if c := o.c; c.Derived() || o.nullable && c.NullAt(key[pos:]) {
		n := c.Extent(key[pos:])
		return nil, pos + n, n >= 0 && (!c.Guarded() || c.MayBe(key[pos:pos+n]))
	}
	from, upto, to, ok := o.takeText(key, pos)
	return key[from:upto:upto], to, ok
}
