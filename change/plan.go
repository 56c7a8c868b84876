package change

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// Reasons of errors.
var (
	// ErrOrder is that the rows of two generations come in orders of their own.
	ErrOrder = errors.New("the generations have no common order")
	// ErrHeld is that there are more rows than SortedWithin permits to hold.
	ErrHeld = errors.New("more rows than may be held to be sorted")
	// ErrTwice is that a row was found in two generations.
	ErrTwice = errors.New("a row in two generations")
)

// Plan is what a query reads of each generation. It is for rows of which none is in two
// generations; during a change of a live table the Phase says what is read, which is
// one. Immutable, and safe for concurrent use.
type Plan struct {
	g        *Generations
	plans    []*rowkey.Plan
	order    []error // of each generation: why its rows cannot be merged; nil: they can
	way      way
	hold     int
	limit    int // 0: none
	refused  int // a Limit below 1, less 1: the first read reports it; 0: none
	reversed bool
	passed   [][]place // of each generation: its ranges hold rows up to these, which are passed over
}

// place is where a plan was resumed: a key in the newest layout, after which the rest lies in
// the direction in which the plan was read then.
type place struct {
	key      []byte
	reversed bool
}

type way uint8

const (
	merged way = iota
	unordered
	sorted
)

// Scan plans a query over all generations. A generation that refuses it, as
// rowkey.Schema.Scan does, is an error.
func (g *Generations) Scan(conds ...rowkey.Cond) (*Plan, error) {
	if g.Len() == 0 {
		return nil, errNoGenerations()
	}
	p := &Plan{g: g, passed: make([][]place, len(g.schemas))}
	for i, s := range g.schemas {
		one, err := s.Scan(conds...)
		if err != nil {
			return nil, fmt.Errorf("change: generation %d: %w", i, err)
		}
		p.plans = append(p.plans, one)
	}
	for i := range p.plans {
		p.order = append(p.order, g.sameOrder(p.plans, i))
	}
	return p, nil
}

// sameOrder is why the rows of a generation do not come as those of the newest do.
func (g *Generations) sameOrder(plans []*rowkey.Plan, i int) error {
	newest := len(plans) - 1
	if i == newest {
		return nil
	}
	mine, theirs := slices.Collect(plans[i].OrderedBy()), slices.Collect(plans[newest].OrderedBy())
	for n, f := range mine {
		if n >= len(theirs) {
			return g.fault(i, f.Name, ErrOrder, "its rows are ordered by it, and those of generation %d are not", newest)
		}
		if err := g.sameOrderBy(i, newest, f, theirs[n]); err != nil {
			return err
		}
	}
	if len(mine) < len(theirs) {
		return g.fault(newest, theirs[len(mine)].Name, ErrOrder, "its rows are ordered by it, and those of generation %d are not", i)
	}
	for _, j := range []int{i, newest} { // rows that differ in a slot alone come in its order
		for _, f := range g.leads(j) {
			for _, slot := range mine {
				if f.Derived && slot.Slot && slices.Contains(f.Computed.Inputs, slot.Name) {
					return g.fault(j, f.Name, ErrOrder, "it is computed from %s, which the writer chose and the query leaves open", slot.Name)
				}
			}
		}
	}
	return nil
}

// sameOrderBy is why component f of a generation does not order its rows as o, which stands at its
// place in the newest, orders those.
func (g *Generations) sameOrderBy(i, newest int, f, o rowkey.FieldInfo) error {
	switch {
	case f.Name != o.Name || f.Derived != o.Derived:
		return g.fault(i, f.Name, ErrOrder, "it orders the rows where %s does in generation %d", o.Name, newest)
	case f.Derived:
		if f.Notation != o.Notation || g.tail(i) != g.tail(newest) || g.inputs(i, f) != g.inputs(newest, o) {
			return g.fault(i, f.Name, ErrOrder, "it stands before other components, open, and is another one in generation %d", newest)
		}
	case g.sameForm(i, newest, f, o): // whatever the order is
	case f.Order == rowkey.Unordered || o.Order == rowkey.Unordered:
		return g.fault(i, f.Name, ErrOrder, "its bytes do not sort as its values do, here or in generation %d", newest)
	case f.Order != o.Order:
		return g.fault(i, f.Name, ErrOrder, "it sorts the other way round in generation %d", newest)
	case f.Optional != o.Optional:
		return g.fault(i, f.Name, ErrOrder, "it may be null here or in generation %d, and not in the other", newest)
	case f.Optional && (f.Nulls == rowkey.Unordered || f.Nulls != o.Nulls):
		return g.fault(i, f.Name, ErrOrder, "its nulls come at another place among its values than in generation %d", newest)
	}
	return nil
}

// sameForm reports that a field is written with the same bytes in two generations, and
// ended in the same way, so that its values come in the same order.
func (g *Generations) sameForm(i, j int, f, o rowkey.FieldInfo) bool {
	dialect := func(i int) string { return g.schemas[i].String()[:strings.Index(g.schemas[i].String(), "[")] }
	behind := func(i int) string {
		at := slices.IndexFunc(g.infos[i], func(in rowkey.FieldInfo) bool { return in.Name == f.Name })
		for _, in := range g.infos[i][at+1:] {
			if in.Kind == "literal" {
				return in.Const
			}
			if in.Stored {
				return "-" // something
			}
		}
		return ""
	}
	return f.Notation == o.Notation && !f.Loose && dialect(i) == dialect(j) && behind(i) == behind(j)
}

// leads are the leading salts, hashes and slots.
func (g *Generations) leads(i int) []rowkey.FieldInfo {
	for n, f := range g.infos[i] {
		if f.Stored && f.Kind != "salt" && f.Kind != "hash" && f.Kind != "literal" && !f.Slot {
			return g.infos[i][:n]
		}
	}
	return g.infos[i]
}

// tail is the layout after the salts, hashes and slots at its beginning.
func (g *Generations) tail(i int) string { return g.body(i, len(g.leads(i))) }

// inputs is the layout of what a component is computed from.
func (g *Generations) inputs(i int, f rowkey.FieldInfo) (all string) {
	for _, in := range g.infos[i] {
		if slices.Contains(f.Computed.Inputs, in.Name) || in.Name == f.Computed.Source {
			all += in.Notation
		}
	}
	return all
}

// Of is the plan of one generation, with the plan's limit and direction; nil if there is no
// such generation. After a Resume it may hold rows before the token, too, and then has
// no limit: Passed says which.
func (p *Plan) Of(generation int) *rowkey.Plan {
	if generation < 0 || generation >= len(p.plans) {
		return nil
	}
	q := p.plans[generation]
	switch {
	case p.refused < 0:
		return q.Limit(p.refused + 1)
	case p.limit > 0 && (p.way == unordered || p.order[generation] == nil) && !p.filters(generation):
		return q.Limit(p.limit)
	}
	return q
}

// Len is how many generations it reads.
func (p *Plan) Len() int { return len(p.plans) }

// Ordered is nil if the rows of all generations can be read in one order without rows
// being held: that of the newest. It is an error that wraps ErrOrder and names the field
// that prevents it otherwise; Unordered and SortedWithin read them all the same.
//
// They can if the same fields stand in the same sequence, each sorting in the same
// direction, when the leading salts, hashes and slots are left out and also what the
// conditions fix to one value. [seller][at] and [at][seller] can with Eq("seller", …).
func (p *Plan) Ordered() error {
	for _, err := range p.order {
		if err != nil {
			return err
		}
	}
	return nil
}

// Unordered reads one generation after the other, the oldest first, each in its own
// order. It has no tokens.
func (p *Plan) Unordered() *Plan {
	q := *p
	q.way = unordered
	return &q
}

// SortedWithin reads all rows and sorts them, in the order of the newest generation, if
// the generations have no common order. It holds up to rows of them: those that the
// limit asks for or, without one, all. More are an error that wraps ErrHeld.
func (p *Plan) SortedWithin(rows int) *Plan {
	q := *p
	q.way, q.hold = sorted, rows
	return &q
}

// Limit is the plan of the first n rows. A limit can only become lower. With n below 1 the first
// read is an error.
func (p *Plan) Limit(n int) *Plan {
	q := *p
	switch {
	case n < 1:
		q.refused = max(n, -math.MaxInt) - 1
	case p.limit == 0 || n < p.limit:
		q.limit = n
	}
	return &q
}

// Limited is the plan's limit, 0 if there is none, and the plan without it.
func (p *Plan) Limited() (n int, all *Plan) {
	q := *p
	q.limit = 0
	return p.limit, &q
}

// Reversed is the same plan read from the last row to the first.
func (p *Plan) Reversed() *Plan {
	q := *p
	q.plans = slices.Clone(p.plans)
	for i := range q.plans {
		q.plans[i] = q.plans[i].Reversed()
	}
	q.reversed = !p.reversed
	return &q
}

// IsReversed reports that the plan is read from the last row to the first.
func (p *Plan) IsReversed() bool { return p.reversed }

// newest is the plan of the newest generation.
func (p *Plan) newest() *rowkey.Plan { return p.plans[len(p.plans)-1] }

// readable is an error if the rows cannot be read in one order as the plan says.
func (p *Plan) readable() error {
	if p.way == merged {
		return p.Ordered()
	}
	return nil
}

// Token marks the place after a row of a generation, by its key. It is a token of the
// newest schema, and its Plan.Resume goes on with it, too: whichever generation a page
// was read from, the next one may be read from another one or from all, as long as they
// have a common order. It holds the key in clear text, as rowkey.Plan.Token.
func (p *Plan) Token(generation int, key []byte) ([]byte, error) {
	if err := p.tokens(); err != nil {
		return nil, err
	}
	k, err := p.g.Key(nil, key, generation, len(p.plans)-1)
	if err != nil {
		return nil, err
	}
	return p.newest().Token(k), nil
}

// tokens is an error if a place of the newest generation is none in the plan's order.
func (p *Plan) tokens() error {
	if p == nil || p.g == nil {
		return errNoPlan
	}
	if p.way == unordered {
		return fmt.Errorf("change: a plan that is read unordered has no tokens: %w", ErrOrder)
	}
	return p.readable()
}

// Resume is the part of the plan after a token of the newest schema, whoever made it.
//
// A generation that cannot hold the token's row is read from where it was read before, and
// what lies before the token is passed over: −0 of Phoenix is no value of [x:f8], so
// that no key of [x:f8] is the place of such a row. So are the older generations if the
// token's row does not match, as one of a query with other conditions.
func (p *Plan) Resume(token []byte) (*Plan, error) {
	if err := p.tokens(); err != nil {
		return nil, err
	}
	key, err := p.newest().Place(token)
	if err != nil {
		return nil, err
	}
	at := place{slices.Clone(key), p.reversed}
	q := *p
	q.plans, q.passed = slices.Clone(p.plans), slices.Clone(p.passed)
	for i, one := range p.plans {
		own, ok := p.placeIn(i, key)
		if !ok {
			q.passed[i] = p.behind(p.passed[i], at)
			continue
		}
		if q.plans[i], err = one.Resume(one.Token(own)); err != nil {
			return nil, err
		}
	}
	return &q, nil
}

// placeIn is the key of a generation that stands at the place of a key of the newest. It is
// false if there is none that surely does: if the generation has an order of its own, or
// cannot hold that row. A key that turned back is not the same is one of another row, which
// may stand at any other place. Rows that do not match may have no common order: with a = 1,
// [a:1][b:1] and [b:1][a:1] both come in the order of b, but the rows of a = 2 do not.
func (p *Plan) placeIn(i int, key []byte) ([]byte, bool) {
	last := len(p.plans) - 1
	if p.order[i] != nil || i < last && !p.newest().Match(key) {
		return nil, false
	}
	own, err := p.g.Key(nil, key, last, i)
	if err != nil {
		return nil, false
	}
	back, err := p.g.Key(nil, own, i, last)
	return own, err == nil && bytes.Equal(back, key)
}

// behind is places and one more. Of two of one direction the one that is further on is kept.
func (p *Plan) behind(places []place, at place) []place {
	kept := []place{at}
	for _, old := range places {
		switch {
		case old.reversed != at.reversed:
			kept = append(kept, old)
		case p.newest().Compare(old.key, at.key) > 0: // its direction is the plan's
			kept[0] = old
		}
	}
	return kept
}

// filters reports that rows of a generation are passed over.
func (p *Plan) filters(i int) bool { return len(p.passed[i]) > 0 }

// Passed reports that a row of a generation, by its key in the newest layout, does not lie
// after the token of a Resume, though the ranges of Of may hold it. Merge passes it over.
func (p *Plan) Passed(generation int, key []byte) bool {
	if generation < 0 || generation >= len(p.passed) {
		return false
	}
	for _, at := range p.passed[generation] {
		c := p.newest().Compare(key, at.key)
		if at.reversed != p.reversed { // the plan was turned round since
			c = -c
		}
		if c <= 0 {
			return true
		}
	}
	return false
}
