package walk

import (
	"encoding/binary"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// step is a test of some bytes of a key: of [tenant:4][ms(at)] and Eq("tenant", 7) the first step
// compares 4 bytes with 00 00 00 07.
type step struct {
	do    does
	keep  bool   // the field of Tests.check
	may   bool   // of skipped: MayBe says whether the bytes are a form
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
	loaded                   // a number in bytes that is in the first bytes, or in the 8 that end with it, and is only compared
	numbered                 // any other number
	texted                   // a text as it is
)

// compileSteps makes the steps. They end before a component that needs more than a comparison.
func (t *Tests) compileSteps() {
	w := t.w
	vals, fixed := make([]layout.Val, len(w.s.Fields)), make([]string, len(w.ops))
	for i := range w.ops {
		if v, ok := t.one(&w.ops[i]); ok {
			fixed[i], vals[w.ops[i].cell] = w.only(&w.ops[i], v)
		}
	}
	for _, c := range w.s.Derived {
		ends := c.Shape.Fixed() || c.Ends == forms.EndMarked // at once behind the bytes of the form
		if form, known, err := w.s.Derive(nil, c, layout.Row{Vals: vals}, nil); known && err == nil && ends && !c.Trims && !c.Optional {
			fixed[c.Index] = string(form)
		}
	}
	left := func(st *layout.Step) (any bool) {
		for i := range st.Mixes {
			any = any || fixed[st.Mixes[i].C.Index] == ""
		}
		return any
	}
	for _, k := range w.checks {
		switch {
		case k.st == nil && fixed[k.c.Index] != "", k.st != nil && !left(k.st.fills):
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
		st := step{op: o, keep: t.check != nil && o.c == t.check.C}
		if o.what == gap && o.n == 0 { // not stored
			continue
		} else if fixed[i] != "" {
			st.do, st.bytes, t.open = literal, fixed[i], t.open || st.keep
		} else if !st.of(t) {
			t.open, t.asked = true, i
			return
		}
		t.add(st)
	}
	t.asked = len(w.ops)
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
	key := form
	if o.end == forms.EndMarked {
		key = append(form, o.lit...)
	}
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
	from, span, ok := t.interval(o)
	if !ok {
		st.asked = t.said(o)
	}
	switch o.what {
	case gap, varying:
		st.do, st.may = skipped, o.c.Guarded()
		return o.what == gap || !o.c.Trims && !o.c.Optional
	case constant:
		st.do, st.bytes = literal, o.lit
		return true
	case word, number:
		return st.ofNumber(from, span, ok)
	case text:
		st.do = texted
		return o.turned == notTurned || o.turned == reversal && st.asked == nil && !st.keep
	case listed:
		st.do = texted
		return true
	case other:
	}
	return false
}

// ofNumber makes the step of a number. It is false for a query that asks for more than the field holds.
func (st *step) ofNumber(from, span uint64, asked bool) bool {
	o := st.op
	st.do, st.from, st.span = numbered, -o.bias, o.span
	if o.loads && st.asked == nil && !st.keep {
		st.do = loaded
	}
	if !asked {
		if st.do == loaded && o.span == o.mask { // any bytes are a value
			st.do = skipped
		}
		return true
	}
	if span > o.span || from+o.bias > o.span-span {
		return false
	}
	st.from, st.span = from, span
	return true
}

// add adds a step. Bytes after bytes are one step.
func (t *Tests) add(st step) {
	if n := len(t.steps); n > 0 && st.do == literal && t.steps[n-1].do == literal {
		t.steps[n-1].bytes += st.bytes
		return
	}
	t.steps = append(t.steps, st)
}

// Match tests the row of a key. It is false if no row has this key. Known is false for a key that
// package layout must judge. A key that fails a step has no match, whatever stands behind.
func (t *Tests) Match(key []byte) (match, known bool) {
	if len(key) == 0 || len(key) > t.w.s.MaxLen {
		return false, true
	}
	all := mem.Text(key)
	pos, place, upto := 0, 0, 0 // the form of the kept field is key[place:upto]
	var kept uint64
	var part []byte
	for i := range t.steps {
		st := &t.steps[i]
		from := pos
		switch st.do {
		case literal:
			if pos += len(st.bytes); pos > len(all) || all[from:pos] != st.bytes {
				return false, true
			}
		case skipped:
			n := st.op.n
			if st.op.what == varying {
				n = st.op.c.Extent(key[pos:])
			}
			if pos += n; n < 0 || pos > len(key) || st.may && !st.op.c.MayBe(key[from:pos]) {
				return false, true
			}
		case loaded: // its limits hold if those of the query do
			o, u := st.op, uint64(0)
			if pos += o.n; pos > len(key) {
				return false, true
			} else if pos >= 8 {
				u = binary.BigEndian.Uint64(key[pos-8 : pos])
			} else {
				u = forms.ReadUint(key[:pos])
			}
			if (u^o.xor)&o.mask-o.half-st.from > st.span {
				return false, true
			}
		case numbered:
			u, to, ok := st.op.takeNum(key, from)
			if pos = to; !ok || u-st.from > st.span {
				return false, true
			}
			if st.asked != nil && !st.asked.Match(st.op.c, layout.Val{Ok: true, Num: u}) {
				return false, true
			}
			if st.keep {
				kept, place, upto = u, from, pos
			}
		case texted:
			o, ok := st.op, true
			var value []byte
			null := o.nullable && o.c.NullAt(key[from:])
			if null {
				n := o.c.Extent(key[from:])
				if pos += n; n < 0 {
					return false, true
				}
			} else if o.what == text && o.bare() && o.head == 0 {
				if pos = len(key); o.end != forms.EndLast { // a call takes as long as all else here, so fits is called only for chars
					pos = o.formEnd(key, from)
				}
				n := pos - from
				if pos > len(key) || n < o.least || n > o.most || o.chars != nil && !o.fits(key[from:pos]) {
					return false, true
				}
				value = key[from:pos:pos]
			} else if value, pos, ok = t.w.textAt(o, key, from); !ok {
				return t.read(key, o.c.Index) // if some of its bytes are escaped, it may be a key
			}
			if st.asked != nil && !st.asked.Match(o.c, layout.Val{Ok: true, Null: null, Text: value}) {
				return false, true
			}
			if st.keep {
				part, place, upto = value, from, pos
			}
		}
	}
	switch {
	case t.asked == len(t.w.ops) && pos != len(key):
		return false, true
	case t.open:
		return t.read(key, t.asked)
	case t.check != nil && !t.check.Holds(key[:upto+t.check.Gap], place, part, kept):
		return false, true
	case t.rests && !t.w.s.CheckRests(key):
		return t.read(key, t.asked)
	}
	return true, true
}

// textAt is the text at pos that is listed or stands in the key, and the end of its form. Of a text that is
// reversed it is the bytes that stand there.
func (w *Layout) textAt(o *op, key []byte, pos int) (value []byte, to int, ok bool) {
	if o.what == listed {
		v, to, ok := o.takeListed(key, pos)
		return partOf(v, w.lists), to, ok
	}
	from, upto, to, ok := o.takeText(key, pos)
	return key[from:upto:upto], to, ok
}
