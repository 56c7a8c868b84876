package rowkey

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Cond is one condition of a query, or a permission (FullScan, MaxRanges).
// Conditions are joined by AND. The zero Cond is refused.
//
// Values compare as the field's Go values do: numbers as numbers, texts byte by
// byte, times as instants in the field's whole units. A time finer than the
// unit reaches to the unit that holds it, so that no row is lost. A value that
// the field could never hold is no error: it is equal to none.
type Cond struct{ in condition }

// condition is one condition of a query, or a permission.
type condition struct {
	op    condOp
	field string
	a, b  operand
	list  []operand      // In
	any   []condition    // AnyOf
	n     int            // MaxRanges
	s     *layout.Schema // of a typed handle
}

type condOp uint8

const (
	_ condOp = iota
	opEq
	opNotEq
	opIn
	opSpan
	opAtLeast
	opAtMost
	opMoreThan
	opLessThan
	opBegins
	opEnds
	opAnyOf
	opNull
	opNotNull
	opFullScan
	opMaxRanges
)

// operand is a value of a condition.
type operand struct {
	kind operandKind
	num  uint64 // bits of an integer, a float or a bool; seconds of a time
	nsec int64
	text string
}

type operandKind uint8

const (
	isText operandKind = iota
	isInt
	isUint
	isFloat
	isBool
	isTime
)

// Eq is field = v.
func Eq[T Value](field string, v T) Cond {
	return Cond{condition{op: opEq, field: field, a: operandOf(v)}}
}

// NotEq is field ≠ v.
func NotEq[T Value](field string, v T) Cond {
	return Cond{condition{op: opNotEq, field: field, a: operandOf(v)}}
}

// In is field = one of vs; with none, the plan is empty (and reads nothing).
func In[T Value](field string, vs ...T) Cond {
	list := make([]operand, len(vs))
	for i, v := range vs {
		list[i] = operandOf(v)
	}
	return Cond{condition{op: opIn, field: field, list: list}}
}

// Span is from ≤ field < to, half-open as s[from:to]; from above to is an
// error. SQL's BETWEEN is AtLeast and AtMost.
func Span[T Value](field string, from, to T) Cond {
	return Cond{condition{op: opSpan, field: field, a: operandOf(from), b: operandOf(to)}}
}

// AtLeast is field ≥ v.
func AtLeast[T Value](field string, v T) Cond {
	return Cond{condition{op: opAtLeast, field: field, a: operandOf(v)}}
}

// AtMost is field ≤ v.
func AtMost[T Value](field string, v T) Cond {
	return Cond{condition{op: opAtMost, field: field, a: operandOf(v)}}
}

// MoreThan is field > v.
func MoreThan[T Value](field string, v T) Cond {
	return Cond{condition{op: opMoreThan, field: field, a: operandOf(v)}}
}

// LessThan is field < v.
func LessThan[T Value](field string, v T) Cond {
	return Cond{condition{op: opLessThan, field: field, a: operandOf(v)}}
}

// Prefix is text that begins with p, which may not be empty.
func Prefix(field, p string) Cond {
	return Cond{condition{op: opBegins, field: field, a: operand{kind: isText, text: p}}}
}

// Suffix is text that ends in p, which may not be empty: a range where the
// field is stored reversed.
func Suffix(field, p string) Cond {
	return Cond{condition{op: opEnds, field: field, a: operand{kind: isText, text: p}}}
}

// Null is field is null. No other condition holds for a null, NotEq neither.
func Null(field string) Cond { return Cond{condition{op: opNull, field: field}} }

// NotNull is field is not null.
func NotNull(field string) Cond { return Cond{condition{op: opNotNull, field: field}} }

// AnyOf joins conditions on one field by OR.
func AnyOf(conds ...Cond) Cond {
	c := condition{op: opAnyOf, any: make([]condition, len(conds))}
	for i := range conds {
		c.any[i] = conds[i].in
		c.field = conds[0].in.field
	}
	return Cond{c}
}

// FullScan permits a plan that reads the whole table. Nothing is then refused for
// the number of its ranges: more than MaxRanges become as many that cover them.
func FullScan() Cond { return Cond{condition{op: opFullScan}} }

// MaxRanges permits up to n ranges in place of 1024.
func MaxRanges(n int) Cond { return Cond{condition{op: opMaxRanges, n: n}} }

// of ties a condition to a handle's field.
func (f Field[T]) of(c Cond) Cond {
	c.in.s = f.s
	if f.b.c != nil {
		c.in.field = f.b.c.Name
	}
	return c
}

// Eq is field = v.
func (f Field[T]) Eq(v T) Cond { return f.of(Eq("", v)) }

// NotEq is field ≠ v.
func (f Field[T]) NotEq(v T) Cond { return f.of(NotEq("", v)) }

// In is field = one of vs.
func (f Field[T]) In(vs ...T) Cond { return f.of(In("", vs...)) }

// Span is from ≤ field < to.
func (f Field[T]) Span(from, to T) Cond { return f.of(Span("", from, to)) }

// AtLeast is field ≥ v.
func (f Field[T]) AtLeast(v T) Cond { return f.of(AtLeast("", v)) }

// AtMost is field ≤ v.
func (f Field[T]) AtMost(v T) Cond { return f.of(AtMost("", v)) }

// MoreThan is field > v.
func (f Field[T]) MoreThan(v T) Cond { return f.of(MoreThan("", v)) }

// LessThan is field < v.
func (f Field[T]) LessThan(v T) Cond { return f.of(LessThan("", v)) }

// numSpan is the numbers from lo to hi, both inclusive, as places in the order
// of the field's values: an Int and a Layout with the sign bit flipped, a Float
// as orderedFloat has it.
type numSpan struct{ lo, hi uint64 }

// textSpan is the texts from lo on that are below hi, or all of them.
type textSpan struct {
	lo, hi string
	open   bool // no hi
}

// points is how many texts are in the span if they are few: lo, and lo with 00
// behind it, and so on, as neighbours join. 0 if there is no end of them.
func (t textSpan) points() int {
	if t.open || !strings.HasPrefix(t.hi, t.lo) || strings.Trim(t.hi[len(t.lo):], "\x00") != "" {
		return 0
	}
	return len(t.hi) - len(t.lo)
}

// has reports that a text is in the span.
func has[T string | []byte](t textSpan, v T) bool {
	return string(v) >= t.lo && (t.open || string(v) < t.hi)
}

// constraint is what a query says of one field: AND of all its conditions.
type constraint struct {
	said    bool
	named   bool       // some condition names the values, so that no interval is left
	null    bool       // a null is admitted
	nums    []numSpan  // sorted, apart
	texts   []textSpan // sorted, apart
	ends    []ending   // besides, for a text
	coarse  bool       // a time finer than the unit was rounded outward
	fewNums [2]numSpan // room for the usual
	fewText [1]textSpan
}

// contradictory reports that the conditions leave no value of a field.
func (k *constraint) contradictory(c *layout.Component) bool {
	return k.said && !k.null && (c.IsText() && len(k.texts) == 0 || !c.IsText() && len(k.nums) == 0)
}

// ending is a condition with a Suffix in it: one of these.
type ending struct {
	spans    []textSpan
	suffixes []string
}

// domainOf is the numbers a field can hold.
func domainOf(c *layout.Component) numSpan {
	switch c.Kind {
	case layout.KindFloat:
		least := math.Inf(-1)
		if c.Unsigned {
			least = 0
		}
		return numSpan{forms.OrderFloat(math.Float64bits(least), 8), forms.OrderFloat(math.Float64bits(math.Inf(1)), 8)}
	case layout.KindBool:
		return numSpan{0, 1}
	}
	return numSpan{c.Num.Min, c.Num.Max}
}

// placeOperand is an operand's place among the numbers of a field; coarse if the place
// is that of the unit which holds a finer time.
func placeOperand(c *layout.Component, o operand) (u uint64, at layout.Side, coarse bool, err error) {
	switch {
	case (c.Kind == layout.KindUint || c.Kind == layout.KindInt) && (o.kind == isInt || o.kind == isUint):
		switch {
		case c.Kind == layout.KindInt && o.kind == isUint && o.num > layout.MaxInt64:
			return 0, layout.Above, false, nil
		case c.Kind == layout.KindInt:
			return o.num ^ layout.SignBit64, layout.Within, false, nil
		case o.kind == isInt && int64(o.num) < 0:
			return 0, layout.Below, false, nil
		}
		return o.num, layout.Within, false, nil
	case c.Kind == layout.KindFloat && o.kind == isFloat:
		u, ok := c.FloatNum(math.Float64frombits(o.num))
		if !ok {
			return 0, layout.Within, false, layout.ErrNaN
		}
		return forms.OrderFloat(u, 8), layout.Within, false, nil
	case c.Kind == layout.KindBool && o.kind == isBool:
		return o.num, layout.Within, false, nil
	case c.Kind == layout.KindTime && o.kind == isTime:
		return placeTime(c, int64(o.num), o.nsec)
	case c.Kind == layout.KindTime && (o.kind == isInt || o.kind == isUint):
		return 0, layout.Within, false, errTimeAsked
	}
	return 0, layout.Within, false, fault.ErrType
}

// placeTime is place for an instant.
func placeTime(c *layout.Component, sec, nsec int64) (u uint64, at layout.Side, coarse bool, err error) {
	if sec > clock.MaxSeconds {
		return 0, layout.Above, false, nil
	}
	if l := c.Unit.Lay; l != nil {
		switch {
		case sec < -clock.MaxOffset:
			return 0, layout.Below, false, nil
		case sec > clock.YearStart(10001):
			return 0, layout.Above, false, nil
		}
		floor := l.Floor(sec)
		return uint64(floor) ^ layout.SignBit64, layout.Within, floor != sec || nsec != 0, nil
	}
	if err := c.Unit.Fault(sec, nsec); err != nil {
		return 0, layout.Within, false, err
	}
	early := sec < c.Unit.Sec || sec == c.Unit.Sec && nsec < c.Unit.Nsec
	n, ok := c.Units(sec, nsec)
	switch {
	case !ok && early:
		return 0, layout.Below, false, nil
	case !ok:
		return 0, layout.Above, false, nil
	}
	n, ok = c.SettleNum(n)
	if !ok {
		return 0, layout.Below, false, nil
	}
	s, ns := c.Instant(n)
	return c.Rank(n), layout.Within, s != sec || ns != nsec, nil
}

// numTerm is the numbers that satisfy one condition.
func numTerm(c *layout.Component, spans []numSpan, q *condition) (_ []numSpan, coarse bool, err error) {
	d := domainOf(c)
	span := func(lo, hi uint64) {
		if lo, hi = max(lo, d.lo), min(hi, d.hi); lo <= hi {
			spans = append(spans, numSpan{lo, hi})
		}
	}
	switch q.op {
	case opEq, opIn:
		for i := range max(1, len(q.list)) {
			o := q.a
			if q.op == opIn {
				if len(q.list) == 0 {
					break
				}
				o = q.list[i]
			}
			u, at, finer, err := placeOperand(c, o)
			if err != nil {
				return nil, false, err
			}
			coarse = coarse || finer
			if at == layout.Within {
				span(equalNums(c, u))
			}
		}
	case opNotEq:
		u, at, finer, err := placeOperand(c, q.a)
		switch {
		case err != nil:
			return nil, false, err
		case at != layout.Within || finer:
			coarse = finer
			span(d.lo, d.hi)
		default:
			first, last := equalNums(c, u)
			if first != 0 {
				span(d.lo, first-1)
			}
			if last != math.MaxUint64 {
				span(last+1, d.hi)
			}
		}
	case opSpan, opAtLeast, opMoreThan, opAtMost, opLessThan:
		sp, finer, some, err := betweenEnds(c, d, q)
		if err != nil {
			return nil, false, err
		}
		if coarse = coarse || finer; some {
			span(sp.lo, sp.hi)
		}
	case opNull:
	case opNotNull:
		span(d.lo, d.hi)
	default:
		return nil, false, fault.ErrType
	}
	return joinNums(spans), coarse, nil
}

// betweenEnds is the numbers between the ends that a condition names; some is false if
// there are none, coarse true if an end is finer than what is stored.
func betweenEnds(c *layout.Component, d numSpan, q *condition) (sp numSpan, coarse, some bool, err error) {
	sp, some = d, true
	if q.op == opSpan || q.op == opAtLeast || q.op == opMoreThan {
		if sp.lo, coarse, some, err = fromEnd(c, d, q.a, q.op == opMoreThan); err != nil {
			return sp, coarse, false, err
		}
	}
	if q.op == opSpan || q.op == opAtMost || q.op == opLessThan {
		o := q.a
		if q.op == opSpan {
			o = q.b
		}
		var finer, more bool
		sp.hi, finer, more, err = upToEnd(c, d, o, q.op != opAtMost)
		coarse, some = coarse || finer, some && more
		if q.op == opSpan && err == nil {
			err = q.inverted(c)
		}
		if q.op == opSpan && q.a == q.b {
			some = false
		}
	}
	return sp, coarse, some, err
}

// fromEnd is the least number that is at least o, or exclusive above it; false if there
// is none.
func fromEnd(c *layout.Component, d numSpan, o operand, exclusive bool) (u uint64, coarse, some bool, err error) {
	u, at, coarse, err := placeOperand(c, o)
	switch {
	case err != nil || at == layout.Above:
		return 0, coarse, false, err
	case at == layout.Below:
		return d.lo, coarse, true, nil
	}
	first, last := equalNums(c, u)
	if exclusive && !coarse {
		return last + 1, coarse, last != math.MaxUint64, nil
	}
	return first, coarse, true, nil
}

// upToEnd is the largest number that is at most o, or exclusive below it; false if there
// is none.
func upToEnd(c *layout.Component, d numSpan, o operand, exclusive bool) (u uint64, coarse, some bool, err error) {
	u, at, coarse, err := placeOperand(c, o)
	switch {
	case err != nil || at == layout.Below:
		return 0, coarse, false, err
	case at == layout.Above:
		return d.hi, coarse, true, nil
	}
	first, last := equalNums(c, u)
	if exclusive && !coarse {
		return first - 1, coarse, first != 0, nil
	}
	return last, coarse, true, nil
}

// inverted says that a Span's lower end lies above its upper end.
func (q *condition) inverted(c *layout.Component) error {
	a, b := q.a, q.b
	var less bool
	switch a.kind {
	case isText:
		less = b.text < a.text
	case isTime:
		less = int64(b.num) < int64(a.num) || a.num == b.num && b.nsec < a.nsec
	case isInt:
		less = int64(b.num) < int64(a.num)
	case isFloat:
		less = math.Float64frombits(b.num) < math.Float64frombits(a.num)
	default:
		less = b.num < a.num
	}
	if less {
		return fault.ErrInverted
	}
	return nil
}

// joinNums sorts spans and joins those that touch.
func joinNums(spans []numSpan) []numSpan {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b numSpan) int {
		if a.lo < b.lo {
			return -1
		}
		if a.lo > b.lo {
			return 1
		}
		return 0
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; last.hi == math.MaxUint64 || s.lo <= last.hi+1 {
			last.hi = max(last.hi, s.hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// meetNums appends what is in both.
func meetNums(out, a, b []numSpan) []numSpan {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		lo, hi := max(a[i].lo, b[j].lo), min(a[i].hi, b[j].hi)
		if lo <= hi {
			out = append(out, numSpan{lo, hi})
		}
		if a[i].hi < b[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// textTerm is the texts that satisfy one condition, but for suffixes.
func textTerm(q *condition) (spans []textSpan, err error) {
	if q.op != opIn && q.a.kind != isText || q.op == opSpan && q.b.kind != isText {
		return nil, fault.ErrType
	}
	v := q.a.text
	switch q.op {
	case opNull:
	case opNotNull:
		spans = []textSpan{{open: true}}
	case opEq:
		spans = []textSpan{{lo: v, hi: v + "\x00"}}
	case opNotEq:
		spans = []textSpan{{lo: "", hi: v}, {lo: v + "\x00", open: true}}
		if v == "" {
			spans = spans[1:]
		}
	case opIn:
		for _, o := range q.list {
			if o.kind != isText {
				return nil, fault.ErrType
			}
			spans = append(spans, textSpan{lo: o.text, hi: o.text + "\x00"})
		}
	case opSpan:
		if q.b.text < v {
			return nil, fault.ErrInverted
		}
		if v < q.b.text {
			spans = []textSpan{{lo: v, hi: q.b.text}}
		}
	case opAtLeast:
		spans = []textSpan{{lo: v, open: true}}
	case opMoreThan:
		spans = []textSpan{{lo: v + "\x00", open: true}}
	case opAtMost:
		spans = []textSpan{{lo: "", hi: v + "\x00"}}
	case opLessThan:
		if v != "" {
			spans = []textSpan{{lo: "", hi: v}}
		}
	case opBegins:
		if v == "" {
			return nil, errNoPrefix
		}
		hi, ok := appendSuccessor(nil, []byte(v))
		spans = []textSpan{{lo: v, hi: string(hi), open: !ok}}
	default:
		return nil, fault.ErrType
	}
	return joinTexts(spans), nil
}

func joinTexts(spans []textSpan) []textSpan {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b textSpan) int { return strings.Compare(a.lo, b.lo) })
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		switch {
		case !last.open && s.lo > last.hi:
			out = append(out, s)
		case last.open:
		case s.open || s.hi > last.hi:
			last.hi, last.open = s.hi, s.open
		}
	}
	return out
}

func meetTexts(a, b []textSpan) (out []textSpan) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		s := a[i]
		s.lo = max(s.lo, b[j].lo)
		first := !a[i].open && (b[j].open || a[i].hi < b[j].hi) // a[i] ends first
		if !first {
			s.hi, s.open = b[j].hi, b[j].open
		}
		if s.open || s.lo < s.hi {
			out = append(out, s)
		}
		if first {
			i++
		} else {
			j++
		}
	}
	return out
}

// names reports that a condition names the values that it admits.
func (q *condition) names() bool {
	if q.op == opAnyOf {
		return !slices.ContainsFunc(q.any, func(q condition) bool { return !q.names() })
	}
	return q.op == opEq || q.op == opIn || q.op == opNull
}

// nulls reports that a condition admits a null.
func (q *condition) nulls() bool {
	if q.op == opAnyOf {
		return slices.ContainsFunc(q.any, func(q condition) bool { return q.nulls() })
	}
	return q.op == opNull
}

// add joins one condition to a field's constraint by AND.
func (k *constraint) add(c *layout.Component, q *condition) error {
	k.named = k.named || q.names()
	k.null = c.Optional && (k.null || !k.said) && q.nulls()
	if c.Decimal != forms.NoDecimal && c.IsText() {
		inside, err := decimalCond(c, *q)
		if err != nil {
			return err
		}
		q = &inside
	}
	if c.PadEqual() {
		plain := padCond(c, *q)
		q = &plain
	}
	if !c.IsText() {
		var room, old [4]numSpan
		spans, coarse, err := k.numsOf(room[:0], c, q)
		if err != nil {
			return err
		}
		if k.said {
			k.nums = meetNums(k.fewNums[:0], append(old[:0], k.nums...), spans)
		} else {
			k.nums = append(k.fewNums[:0], spans...)
		}
		k.coarse, k.said = k.coarse || coarse, true
		return nil
	}
	if !k.said && q.op == opEq && q.a.kind == isText {
		k.fewText[0] = textSpan{lo: q.a.text, hi: q.a.text + "\x00"}
		k.texts, k.said = k.fewText[:], true
		return nil
	}
	var e ending
	if err := e.add(c, q); err != nil {
		return err
	}
	if !k.said {
		k.texts, k.said = []textSpan{{open: true}}, true
	}
	if len(e.suffixes) > 0 {
		e.spans = joinTexts(e.spans)
		k.ends = append(k.ends, e)
	} else {
		k.texts = meetTexts(k.texts, joinTexts(e.spans))
	}
	return nil
}

// numsOf is the numbers of a condition or of any of several.
func (k *constraint) numsOf(spans []numSpan, c *layout.Component, q *condition) (_ []numSpan, coarse bool, err error) {
	if q.op != opAnyOf {
		return numTerm(c, spans, q)
	}
	for i := range q.any {
		if q.any[i].field != q.field {
			return nil, false, &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
		}
		more, finer, err := k.numsOf(nil, c, &q.any[i])
		if err != nil {
			return nil, false, err
		}
		spans, coarse = append(spans, more...), coarse || finer
	}
	return joinNums(spans), coarse, nil
}

// add joins a condition by OR.
func (e *ending) add(c *layout.Component, q *condition) error {
	switch q.op {
	case opAnyOf:
		for i := range q.any {
			if q.any[i].field != q.field {
				return &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
			}
			if err := e.add(c, &q.any[i]); err != nil {
				return err
			}
		}
		return nil
	case opEnds:
		if q.a.text == "" {
			return &fault.Detail{Text: "an empty suffix is every value: leave it out", Reason: fault.ErrLength}
		}
		e.suffixes = append(e.suffixes, q.a.text)
		return nil
	}
	spans, err := textTerm(q)
	e.spans = append(e.spans, spans...)
	return err
}

// match reports that a value satisfies the constraint.
func (k *constraint) match(c *layout.Component, v layout.Val) bool {
	if v.Null {
		return k.null
	}
	if !c.IsText() {
		u := c.Rank(v.Num)
		return slices.ContainsFunc(k.nums, func(s numSpan) bool { return s.lo <= u && u <= s.hi })
	}
	within := func(spans []textSpan) bool {
		return slices.ContainsFunc(spans, func(s textSpan) bool { return has(s, v.Text) })
	}
	if !within(k.texts) {
		return false
	}
	for _, e := range k.ends {
		if !within(e.spans) && !slices.ContainsFunc(e.suffixes, func(p string) bool { return strings.HasSuffix(string(v.Text), p) }) {
			return false
		}
	}
	return true
}

// timeOperand is an instant as an operand.
func timeOperand(t time.Time) operand {
	return operand{kind: isTime, num: uint64(t.Unix()), nsec: int64(t.Nanosecond())}
}

// equalNums is the first and the last place of the floats that are equal to the one
// at a place: of zero both.
func equalNums(c *layout.Component, u uint64) (first, last uint64) {
	plus := forms.OrderFloat(0, 8)
	if c.TwoZeros() && (u == plus || u == plus-1) {
		return plus - 1, plus
	}
	return u, u
}

// nextFloat is the next place behind one that a value can have.
func nextFloat(c *layout.Component, u uint64) (uint64, bool) {
	f := math.Float64frombits(forms.RawFloat(u, 8))
	switch minus := f == 0 && math.Signbit(f); {
	case minus:
		f = 0
	case c.Size == 4:
		f = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
	default:
		f = math.Nextafter(f, math.Inf(1))
	}
	return forms.OrderFloat(c.Zero(math.Float64bits(f)), 8), u != forms.OrderFloat(math.Float64bits(math.Inf(1)), 8)
}

// snapFloat draws a span in to places that values can have.
func snapFloat(c *layout.Component, sp numSpan) numSpan {
	lo, hi := math.Float64frombits(forms.RawFloat(sp.lo, 8)), math.Float64frombits(forms.RawFloat(sp.hi, 8))
	if c.Size == 4 {
		low, high := float32(lo), float32(hi)
		if float64(low) < lo {
			low = math.Nextafter32(low, float32(math.Inf(1)))
		}
		if float64(high) > hi {
			high = math.Nextafter32(high, float32(math.Inf(-1)))
		}
		lo, hi = float64(low), float64(high)
	}
	if hi == 0 && math.Signbit(hi) && !c.TwoZeros() {
		hi = -math.SmallestNonzeroFloat64
		if c.Size == 4 {
			hi = -math.SmallestNonzeroFloat32
		}
	}
	return numSpan{forms.OrderFloat(c.Zero(math.Float64bits(lo)), 8), forms.OrderFloat(math.Float64bits(hi), 8)}
}

var errTimeAsked error = &fault.Detail{Text: "a time is a time.Time, as time.UnixMilli makes of milliseconds", Reason: fault.ErrType}
