package query

import (
	"slices"
	"sort"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Constraint is what a query says of one field: AND of all its conditions.
type Constraint struct {
	Said    bool
	Named   bool       // some condition names the values, so that no interval is left
	Null    bool       // a null is admitted
	Coarse  bool       // a time finer than the unit was rounded outward
	Nums    []Numbers  // sorted, apart
	Texts   []Texts    // sorted, apart
	Ends    []ending   // besides, for a text
	fewNums [1]Numbers // room for the usual
	fewText [1]Texts
}

// Contradictory reports that the conditions leave no value of a field.
func (k *Constraint) Contradictory(c *layout.Component) bool {
	return k.Said && !k.Null && (c.IsText() && len(k.Texts) == 0 || !c.IsText() && len(k.Nums) == 0)
}

// ending is a condition with a Suffix in it: one of these.
type ending struct {
	Spans    []Texts
	Suffixes []string
}

// Add joins one condition to a field's constraint by AND.
func (k *Constraint) Add(c *layout.Component, q *Cond) error {
	k.Named = k.Named || q.names()
	k.Null = c.Optional && (k.Null || !k.Said) && q.nulls()
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
		var room, old [4]Numbers
		spans, coarse, err := k.numsOf(room[:0], c, q)
		if err != nil {
			return err
		}
		if k.Said {
			k.Nums = meetNums(k.fewNums[:0], append(old[:0], k.Nums...), spans)
		} else {
			k.Nums = append(k.fewNums[:0], spans...)
		}
		k.Coarse, k.Said = k.Coarse || coarse, true
		return nil
	}
	if !k.Said && q.Op == OpEq && q.A.Kind == IsText {
		k.fewText[0] = Texts{Lo: q.A.Text, Hi: q.A.Text + "\x00"}
		k.Texts, k.Said = k.fewText[:], true
		return nil
	}
	var e ending
	if err := e.add(c, q); err != nil {
		return err
	}
	if !k.Said {
		k.Texts, k.Said = []Texts{{Open: true}}, true
	}
	if len(e.Suffixes) > 0 {
		e.Spans = JoinTexts(e.Spans)
		k.Ends = append(k.Ends, e)
	} else {
		k.Texts = meetTexts(k.Texts, JoinTexts(e.Spans))
	}
	return nil
}

// numsOf is the numbers of a condition or of any of several.
func (k *Constraint) numsOf(spans []Numbers, c *layout.Component, q *Cond) (_ []Numbers, coarse bool, err error) {
	if q.Op != OpAnyOf {
		return numTerm(c, spans, q)
	}
	for i := range q.Any {
		if q.Any[i].Field != q.Field {
			return nil, false, &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
		}
		more, finer, err := k.numsOf(nil, c, &q.Any[i])
		if err != nil {
			return nil, false, err
		}
		spans, coarse = append(spans, more...), coarse || finer
	}
	return JoinNums(spans), coarse, nil
}

// add joins a condition by OR.
func (e *ending) add(c *layout.Component, q *Cond) error {
	switch q.Op {
	case OpAnyOf:
		for i := range q.Any {
			if q.Any[i].Field != q.Field {
				return &fault.Detail{Text: "AnyOf joins conditions on one field", Reason: fault.ErrField}
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
	spans, err := textTerm(q)
	if e.Spans == nil {
		e.Spans = spans
	} else {
		e.Spans = append(e.Spans, spans...)
	}
	return err
}

// Match reports that a value satisfies the constraint. Spans are sorted, so that only
// the last that begins at a value or below can hold it, and a long list costs a row
// no more than its logarithm.
func (k *Constraint) Match(c *layout.Component, v layout.Val) bool {
	if v.Null {
		return k.Null
	}
	if !c.IsText() {
		u := c.Rank(v.Num)
		n := sort.Search(len(k.Nums), func(i int) bool { return k.Nums[i].Lo > u })
		return n > 0 && u <= k.Nums[n-1].Hi
	}
	within := func(spans []Texts) bool {
		n := sort.Search(len(spans), func(i int) bool { return spans[i].Lo > string(v.Text) })
		return n > 0 && spans[n-1].holds(v.Text)
	}
	if !within(k.Texts) {
		return false
	}
	for _, e := range k.Ends {
		if !within(e.Spans) && !slices.ContainsFunc(e.Suffixes, func(p string) bool { return strings.HasSuffix(string(v.Text), p) }) {
			return false
		}
	}
	return true
}

// Narrow reports that the constraint leaves out some value.
func (k *Constraint) Narrow(c *layout.Component) bool {
	if c.Optional && !k.Null {
		return true
	}
	if c.IsText() {
		return len(k.Ends) > 0 || len(k.Texts) != 1 || k.Texts[0].Lo != "" || !k.Texts[0].Open
	}
	return len(k.Nums) != 1 || k.Nums[0] != DomainOf(c)
}

// Fixes reports that the constraint leaves no interval, however short.
func (k *Constraint) Fixes(c *layout.Component) bool {
	_, few := c.Finite()
	return k.Named || few
}

// apart reports that no two of the numbers are neighbours.
func (k *Constraint) apart() bool {
	return !slices.ContainsFunc(k.Nums, func(sp Numbers) bool { return sp.Lo != sp.Hi })
}
