package query

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// Constraint is what a query says of one field: all its conditions, joined by AND. Of
// AtLeast(3) and NotEq(5) the numbers are [3, 4] and [6, the largest].
type Constraint struct {
	Said   bool       // there is a condition on the field
	Narrow bool       // it leaves out some value of the field; Settle finds it, as Empty
	Empty  bool       // it leaves no value of the field
	Named  bool       // a condition names single values, as Eq and In do
	Null   bool       // a null is admitted
	Coarse bool       // a condition named a time finer than the unit: the span holds the whole unit
	few    uint8      // of a number: how many spans it has, if they are not more than one
	one    [1]Numbers // the span, if it is one
	more   *more      // nil: there is nothing more
	text   *textual   // of a text; nil: nothing is said
}

// more is what a usual query does not say.
type more struct {
	nums    []Numbers // more spans than one: sorted, and none touches the next
	waiting []waiting // conditions that Settle joins to the others
}

// Nums is the spans of a number: sorted, and none touches the next.
func (k *Constraint) Nums() []Numbers {
	if k.more != nil && len(k.more.nums) > 0 {
		return k.more.nums
	}
	return k.one[:k.few]
}

// SetNums changes the spans, and keeps their memory.
func (k *Constraint) SetNums(nums []Numbers) {
	if k.more != nil {
		k.more.nums = nil
	}
	if len(nums) > 1 {
		k.few, k.rest().nums = 0, nums
		return
	}
	k.few = uint8(copy(k.one[:], nums))
}

// rest is the place of what a usual query does not say.
func (k *Constraint) rest() *more {
	if k.more == nil {
		k.more = new(more)
	}
	return k.more
}

// textual is what a query says of a text.
type textual struct {
	spans []Texts  // sorted, and none touches the next
	ends  []Ending // conditions that each value must satisfy besides
	few   [1]Texts // room for one span, and for the bytes of a short one
	room  [24]byte
}

// OfTexts is a constraint of some spans, which are sorted, and of conditions besides.
func OfTexts(spans []Texts, ends []Ending) Constraint {
	return Constraint{text: &textual{spans: spans, ends: ends}}
}

// Texts is the spans of a text, sorted, of which none touches the next.
func (k *Constraint) Texts() []Texts {
	if k.text == nil {
		return nil
	}
	return k.text.spans
}

// Ends is the conditions that each text must satisfy besides.
func (k *Constraint) Ends() []Ending {
	if k.text == nil {
		return nil
	}
	return k.text.ends
}

// fewSpans is how many spans are joined at once. More of them wait: a chain of n conditions
// NotEq, each joined to all before it, would take n² steps.
const fewSpans = 32

// waiting is the values that satisfy so many conditions.
type waiting struct {
	nums  []Numbers
	texts []Texts
	conds int
}

// meet gives the values that satisfy the conditions of both.
func (w waiting) meet(o waiting) waiting {
	w.conds += o.conds
	w.nums = meetNums(make([]Numbers, 0, len(w.nums)+len(o.nums)), w.nums, o.nums)
	w.texts = meetTexts(w.texts, o.texts)
	return w
}

// wait keeps a condition for Settle. Two neighbours of equal size become one, so that n conditions
// take about n log n steps.
func (k *Constraint) wait(w waiting) {
	all := k.rest().waiting
	for n := len(all); n > 0 && all[n-1].conds <= w.conds; n = len(all) {
		w, all = all[n-1].meet(w), all[:n-1]
	}
	k.more.waiting = append(all, w)
}

// Settle joins the conditions that wait, and finds how much they leave of a field. It comes after the
// last Add.
func (k *Constraint) Settle(c *layout.Component) {
	if k.more != nil && len(k.more.waiting) > 0 {
		all := k.more.waiting
		w := all[len(all)-1]
		for i := len(all) - 2; i >= 0; i-- {
			w = all[i].meet(w)
		}
		w = waiting{nums: k.Nums(), texts: k.Texts()}.meet(w)
		k.more.waiting = nil
		if k.SetNums(w.nums); k.text != nil {
			k.text.spans = w.texts
		}
	}
	if !k.Said {
		return
	}
	k.Narrow = c.Optional && !k.Null
	if !c.IsText() {
		nums := k.Nums()
		k.Empty = !k.Null && len(nums) == 0
		k.Narrow = k.Narrow || len(nums) != 1 || nums[0] != DomainOf(c)
		return
	}
	spans := k.Texts()
	k.Empty = !k.Null && len(spans) == 0
	k.Narrow = k.Narrow || len(k.Ends()) > 0 || len(spans) != 1 || spans[0].Lo != "" || !spans[0].Open
}

// Ending is a condition with a Suffix in it: a text that lies in one of Spans, or ends with one
// of Suffixes.
type Ending struct {
	Spans    []Texts
	Suffixes []string
	Cut      *Cut // or satisfies this; nil: nothing more
}

// Parts is all that an Ending has. It does not compile when Ending gets a further field: who reads
// these alone would lose the rows of another.
func (e *Ending) Parts() (spans []Texts, suffixes []string, cut *Cut) {
	p := struct {
		Spans    []Texts
		Suffixes []string
		Cut      *Cut
	}(*e)
	return p.Spans, p.Suffixes, p.Cut
}

// Last is the condition that the last n bytes of a text satisfy, if the text satisfies e: of
// Suffix "x5678" and 4 bytes, Suffix "5678". False if it is not known.
func (e *Ending) Last(n int) (Ending, bool) {
	last := func(s string) string { return s[max(0, len(s)-n):] }
	var out Ending
	spans, suffixes, cut := e.Parts()
	if cut != nil {
		return out, false
	}
	for _, t := range spans {
		points := t.Points()
		if points == 0 && n < math.MaxInt {
			return out, false
		}
		if n == math.MaxInt {
			out.Spans = append(out.Spans, t)
			continue
		}
		for i := range points {
			v := last(t.Hi[:len(t.Lo)+i])
			out.Spans = append(out.Spans, Texts{Lo: v, Hi: v + "\x00"})
		}
	}
	out.Spans = JoinTexts(out.Spans)
	for _, s := range suffixes {
		out.Suffixes = append(out.Suffixes, last(s))
	}
	return out, true
}

// Add adds one condition to a field's constraint: a value must satisfy this one too.
func (k *Constraint) Add(c *layout.Component, q *Cond) error {
	k.Named = k.Named || q.names()
	k.Null = c.Optional && (k.Null || !k.Said) && q.nulls()
	if !c.IsText() {
		return k.addNumber(c, q)
	}
	if c.Decimal != forms.NoDecimal {
		inside, err := decimalCond(c, *q)
		if err != nil {
			return err
		}
		q = &inside
	}
	if c.Dialect != 0 && c.PadEqual() {
		plain := padCond(c, *q)
		q = &plain
	}
	if !k.Said && q.Op == OpEq && q.A.Kind == IsText {
		k.text, k.Said = onePoint(q.A.Text), true
		return nil
	}
	var e Ending
	if err := e.add(c, q); err != nil {
		return err
	}
	e.Spans = JoinTexts(e.Spans)
	k.addEnding(e)
	return nil
}

// onePoint is what a query says of a text that is v. The bytes of v and of the text after it share memory.
func onePoint(v string) *textual {
	t := new(textual)
	b := append(append(t.room[:0], v...), 0)
	next := mem.Text(b)
	t.few[0] = Texts{Lo: next[:len(v)], Hi: next}
	t.spans = t.few[:]
	return t
}

// addNumber is Add for a field of numbers. Most conditions admit one span, and most constraints are one.
func (k *Constraint) addNumber(c *layout.Component, q *Cond) error {
	switch {
	case q.Op == OpIn && !k.Said && len(q.List) > 4:
		spans, coarse, err := numTerm(c, nil, q)
		if err != nil {
			return err
		}
		k.SetNums(spans)
		k.Said, k.Coarse = true, coarse
		return nil
	case !ops[q.Op].low && !ops[q.Op].high || k.Said && len(k.Nums()) != 1:
		var room [4]Numbers
		spans, coarse, err := k.numsOf(room[:0], c, q)
		if err != nil {
			return err
		}
		k.addNums(spans)
		k.Coarse = k.Coarse || coarse
		return nil
	}
	sp, coarse, some, err := q.span(c)
	if err != nil {
		return err
	}
	if k.Said {
		sp.Lo, sp.Hi = max(sp.Lo, k.one[0].Lo), min(sp.Hi, k.one[0].Hi)
	}
	k.one[0], k.few = sp, 1
	if !some || sp.Lo > sp.Hi {
		k.few = 0
	}
	k.Said, k.Coarse = true, k.Coarse || coarse
	return nil
}

// addNums adds the numbers that a condition admits. It keeps none of the memory of spans.
func (k *Constraint) addNums(spans []Numbers) {
	switch {
	case k.Said && len(k.Nums())+len(spans) > fewSpans:
		k.wait(waiting{nums: slices.Clone(spans), conds: 1})
	case k.Said:
		k.SetNums(meetNums(make([]Numbers, 0, len(k.Nums())+len(spans)), k.Nums(), spans))
	default:
		k.SetNums(slices.Clone(spans))
	}
	k.Said = true
}

// addEnding adds the texts that a condition admits.
func (k *Constraint) addEnding(e Ending) {
	t := k.text
	if t == nil {
		t = new(textual)
		k.text = t
	}
	switch {
	case e.Cut != nil && k.joinCut(e):
	case len(e.Suffixes) > 0 || e.Cut != nil:
		if !k.Said {
			t.spans = []Texts{{Open: true}}
		}
		t.ends = append(t.ends, e)
	case k.Said && len(t.spans)+len(e.Spans) > fewSpans:
		k.wait(waiting{texts: e.Spans, conds: 1})
	case k.Said:
		t.spans = meetTexts(t.spans, e.Spans)
	default:
		t.spans = e.Spans
	}
	k.Said = true
}

// numsOf is the numbers that satisfy a condition; of AnyOf, those that satisfy one of its
// conditions.
func (k *Constraint) numsOf(spans []Numbers, c *layout.Component, q *Cond) (_ []Numbers, coarse bool, err error) {
	if q.Op != OpAnyOf {
		return numTerm(c, spans, q)
	}
	for i := range q.Any {
		if q.Any[i].Field != q.Field {
			return nil, false, errOneField
		}
		more, finer, err := k.numsOf(nil, c, &q.Any[i])
		if err != nil {
			return nil, false, err
		}
		spans, coarse = append(spans, more...), coarse || finer
	}
	return JoinNums(spans), coarse, nil
}

// add adds one condition of AnyOf: a value may satisfy this one instead.
func (e *Ending) add(c *layout.Component, q *Cond) error {
	switch q.Op {
	case OpAnyOf:
		for i := range q.Any {
			if q.Any[i].Field != q.Field {
				return errOneField
			}
			if err := e.add(c, &q.Any[i]); err != nil {
				return err
			}
		}
		return nil
	case OpEnds:
		if q.A.Text == "" {
			return &fault.Detail{Text: "an empty suffix is every value: leave it out", Reason: fault.ErrLength}
		}
		e.Suffixes = append(e.Suffixes, q.A.Text)
		return nil
	}
	spans, err := textTerm(c, q)
	if e.Spans == nil {
		e.Spans = spans
	} else {
		e.Spans = append(e.Spans, spans...)
	}
	return err
}

// Match reports that a value satisfies the constraint. Of the sorted spans, only the last one
// that begins at the value or below it can hold it. So a list of n values takes about log n
// comparisons a row.
func (k *Constraint) Match(c *layout.Component, v layout.Val) bool {
	if v.Null {
		return k.Null
	}
	if !c.IsText() {
		u := c.Rank(v.Num)
		nums := k.Nums()
		n := sort.Search(len(nums), func(i int) bool { return nums[i].Lo > u })
		return n > 0 && u <= nums[n-1].Hi
	}
	if !within(k.Texts(), v.Text) {
		return false
	}
	ends := k.Ends()
	for i := range ends {
		spans, suffixes, cut := ends[i].Parts()
		if !within(spans, v.Text) && !endsWith(v.Text, suffixes) && (cut == nil || !cut.holds(v.Text)) {
			return false
		}
	}
	return true
}

// within reports that a text lies in one of some spans, which are sorted.
func within(spans []Texts, v []byte) bool {
	if len(spans) == 1 { // usual
		return spans[0].holds(v)
	}
	n := sort.Search(len(spans), func(i int) bool { return spans[i].Lo > string(v) })
	return n > 0 && spans[n-1].holds(v)
}

// endsWith reports that a text ends with one of some suffixes.
func endsWith(v []byte, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(p string) bool { return strings.HasSuffix(string(v), p) })
}
