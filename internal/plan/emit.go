package plan

import (
	"bytes"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// The second half of a plan: the ranges of what the first half has chosen.

// builder holds the bytes of the ranges.
type builder struct {
	pieces []piece.Piece
	vals   []layout.Val // of the fields, in the combination that is being built; nil if nothing is computed
	begin  []byte       // the beginning of the combination that is being built
	trim   int          // if only nulls follow, a key lacks so many bytes at the end of begin
	apart  bool         // other keys lie between such a shorter key and the keys that have all of begin
	arena  []byte       // of the range that is being made
}

// mostMade is the largest number of ranges that are made, about 20 MB of them, unless MaxRanges
// allows more. Above it the pieces of the last component are left to Match where ranges are to
// be joined: 20,000 values after 20,000 others would be 400 million ranges.
const mostMade = 1 << 18

// build makes the ranges: those of each combination of the values that the ways give.
func (pl *Planner) build() error {
	p := pl.p
	pl.cut = false
	switch {
	case pl.attempt == nothing:
		return nil
	case pl.attempt == byKeys && pl.named:
		return pl.wholeKeys()
	}
	p.Ranges = bound.ListIn(p.roomRange[:0])
	total, computes := pl.combine()
	switch {
	case total == 0:
		return nil
	case total > float64(max(query.MostChoices, pl.max)):
		return pl.tooMany(total * pl.each())
	case p.pieces && total*float64(len(pl.found)) > float64(max(mostMade, pl.max)):
		if pl.attempt < joining {
			return pl.tooMany(total * pl.each())
		}
		p.pieces = false
	}
	b := builder{begin: pl.roomBegin[:0], arena: pl.roomRange[:0]}
	if b.pieces = pl.found; !p.pieces {
		b.pieces = nil
	}
	if pl.s.Framed {
		b.pieces = pl.edged(b.pieces)
	}
	if computes {
		b.vals = pl.roomVals[:]
		if n := len(pl.s.Fields); n > len(b.vals) {
			b.vals = make([]layout.Val, n)
		}
		b.vals = b.vals[:len(pl.s.Fields)]
		clear(b.vals)
	}
	count := min(int(total)*max(1, len(b.pieces)), pl.max)
	for made := false; ; {
		if pl.begin(&b) {
			if !made && count > 1 {
				p.Ranges = bound.NewList(count * pl.usual(&b))
			}
			pl.emit(&b)
			if one := p.Ranges.Len() == 1; !made && total > 1 && pl.spread() {
				if one { // its copies are sorted as the forms are, and do not touch
					return pl.settle(true)
				}
				break
			}
			made = true
		}
		if total == 1 || !pl.turn() {
			break
		}
	}
	return pl.settle(false)
}

// combine goes to the first combination of the values that the ways give and of those that components
// are computed from. It gives the number of combinations, and says if there is such a component.
func (pl *Planner) combine() (total float64, computes bool) {
	total, pl.sources = 1.0, nil
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.at = 0; w.how != asComputed {
			total *= w.n
			continue
		}
		computes = true
		for _, ord := range w.c.Deps { // a field at the stop or after it has no way, nor one that no key stores
			c := pl.s.Fields[ord]
			if (c.Absent || c.Index >= pl.p.stop) && !slices.ContainsFunc(pl.sources, func(ch choice) bool { return ch.c == c }) {
				pl.sources = append(pl.sources, choice{c: c, n: len(pl.all[ord])})
			}
		}
	}
	for i := range pl.sources {
		total *= float64(pl.sources[i].n)
	}
	return total, computes
}

// turn goes to the next combination. The last choice changes first. False after the last combination.
func (pl *Planner) turn() bool {
	return bound.Turn(len(pl.ways)+len(pl.sources), func(i int) bool {
		if i >= len(pl.ways) {
			return pl.sources[i-len(pl.ways)].next()
		}
		w := &pl.ways[i]
		w.at = bound.Next(w.at, int(w.n)) // a constant has one value, and so has what is computed
		return w.at > 0
	})
}

// choice is a field whose values are taken one after the other.
type choice struct {
	c     *layout.Component
	n, at int // how many values there are, and the number of the value at hand
}

// next takes the next value; after the last it takes the first one again, and is false.
func (ch *choice) next() bool {
	ch.at = bound.Next(ch.at, ch.n)
	return ch.at > 0
}

// usual gives how many bytes of memory one range needs, start and stop together. It is
// exact if all components before the pieces have a fixed length, else a guess.
func (pl *Planner) usual(b *builder) int {
	n := 2*len(b.begin) + 1
	if len(b.pieces) > 0 {
		ends := 0
		for i := range b.pieces {
			ends += len(b.pieces[i].Lo) + len(b.pieces[i].Hi)
		}
		n += (ends - 1) / len(b.pieces) // the 1 above is not needed: a piece brings its own stop
	}
	for i := range pl.ways {
		if !pl.ways[i].c.Shape.Fixed() {
			return max(n, 2*pl.s.Hint+2)
		}
	}
	return n
}

// spread copies the ranges of a fan's first form for all other forms of the fan: [00 03,
// 00 06) of bucket 00 gives [01 03, 01 06) of bucket 01. It is much faster than making
// them one by one. False, and nothing is copied, unless all of this is true:
//   - no other way has more than one value;
//   - only constants stand before the fan;
//   - start and stop of each range hold the same form. [00 ff, 01) is not so: the step
//     from 00 ff to its stop has changed the form.
func (pl *Planner) spread() bool {
	if slices.ContainsFunc(pl.sources, func(ch choice) bool { return ch.n != 1 }) {
		return false
	}
	var fan *way
	off, constant := 0, true // where the fan begins, and that only constants stand before it
	for i := range pl.ways {
		switch w := &pl.ways[i]; {
		case fan == nil && w.how == asConstant:
			off += len(w.c.Lit)
		case w.n == 1 || w.how == asComputed:
			constant = constant && fan != nil
		case fan == nil && constant && (w.how == asFan || w.how == asBuckets) && w.c.Shape.Fixed():
			fan = w
		default:
			return false
		}
	}
	if fan == nil || !pl.p.Ranges.Share(off+fan.c.Shape.Min) {
		return false
	}
	pl.p.Ranges.Spread(off, fan.forms[1:])
	return true
}

// begin writes the beginning of the ranges of one combination into b. False if no row can
// have this combination.
func (pl *Planner) begin(b *builder) bool {
	if b.vals != nil {
		for _, ch := range pl.sources {
			b.vals[ch.c.Ord] = pl.all[ch.c.Ord][ch.at]
		}
		for i := range pl.ways {
			if w := &pl.ways[i]; w.c.Role == layout.RoleField {
				b.vals[w.c.Ord] = w.vals[w.at]
			}
		}
	}
	b.begin, b.trim, b.apart = b.begin[:0], 0, false
	for i := range pl.ways {
		w := &pl.ways[i]
		switch {
		case w.how == asConstant:
			b.begin = append(b.begin, w.c.Lit...)
			continue
		case w.how == asComputed:
			at := len(b.begin)
			var known bool
			var err error
			if b.begin, known, err = pl.s.Derive(b.begin, w.c, layout.Row{Vals: b.vals}, nil); err != nil || !known {
				pl.mind(w.c, err)
				return false
			}
			if w.asks != nil && !w.asks.holds(b.begin[at:]) {
				return false
			}
		case w.place > 0:
			i := w.place + w.at
			b.begin = append(b.begin, pl.written[pl.ends[i]:pl.ends[i+1]]...)
		case w.forms != nil:
			b.begin = append(b.begin, w.forms[w.at]...)
			if w.how == asFan || w.how == asBuckets {
				continue
			}
		case w.vals != nil:
			var err error
			if v := w.vals[w.at]; w.c.Role == layout.RoleCopy { // a listed copy: v is the copy's value, not the field's
				b.begin, err = w.c.AppendNum(b.begin, v.Num)
			} else {
				b.begin, err = w.c.AppendForm(b.begin, &v)
			}
			if err != nil {
				pl.mind(w.c, err)
				return false
			}
		}
		if w.c.Trims || w.c.Optional {
			b.trim, b.apart = w.c.TrimOf(w.vals != nil && w.vals[w.at].Null, b.trim, b.apart)
		} else {
			b.trim, b.apart = 0, false
		}
	}
	return len(b.begin)-b.trim <= pl.s.MaxLen
}

// emit adds the ranges of one beginning: one for each piece, or one for all that begins so
// if there are no pieces.
func (pl *Planner) emit(b *builder) {
	p := pl.p
	switch {
	case p.pieces:
		if c := &pl.s.Comps[p.stop]; c.Optional && p.con(c.Ord).Null { // the nulls are not in the pieces
			pl.appendNull(b, c)
		}
		for i := range b.pieces {
			pl.appendPiece(&b.pieces[i], b)
		}
	case p.stop == len(pl.s.Comps):
		pl.appendHead(b, b.begin[:len(b.begin)-b.trim], bound.BegunByAll(pl.s), 0, false)
	case len(b.pieces) > 0: // the edges of what comes after
		pl.appendPiece(&b.pieces[0], b)
	default:
		if last := pl.s.Places[p.stop].Clips; last != nil && len(pl.ways) > 0 {
			var r bound.Range
			r, b.arena = bound.Clipped(last, b.arena[:0], b.begin)
			p.Ranges.Add(r)
			return
		}
		if b.trim == 0 {
			p.Ranges.AddBegun(b.begin)
			return
		}
		pl.appendHead(b, b.begin, false, b.trim, b.apart)
	}
}

// appendNull adds the ranges of the keys in which a component after the beginning is null.
func (pl *Planner) appendNull(b *builder, c *layout.Component) {
	trim, apart := c.TrimOf(true, b.trim, b.apart)
	switch {
	case c.Null != nil:
		pl.appendHead(b, append(b.begin, c.Null...), false, trim, apart)
	case len(b.begin) > trim: // the null writes nothing: only this one key; longer keys have a value
		pl.appendHead(b, b.begin[:len(b.begin)-trim], true, 0, false)
	}
}

// appendHead adds the ranges of the keys that begin with head, as bound.AppendHead gives them.
func (pl *Planner) appendHead(b *builder, head []byte, exact bool, trim int, apart bool) {
	var few [2]bound.Range
	var ranges []bound.Range
	ranges, b.arena = bound.AppendHead(few[:0], b.arena[:0], head, exact, trim, apart)
	for i := range ranges {
		pl.p.Ranges.Add(ranges[i])
	}
}

// appendPiece adds the range of a piece after a beginning, if a row can be there. Beginning 61 5f and the
// piece 03 to 05 of a 1-byte number give [61 5f 03, 61 5f 06).
func (pl *Planner) appendPiece(q *piece.Piece, b *builder) {
	arena := append(append(b.arena[:0], b.begin...), q.Lo...)
	if q.LoAfter {
		n, ok := bound.StepUp(arena)
		if !ok {
			return
		}
		arena = arena[:n]
	}
	mid := len(arena)
	state := bound.Bounded
	arena = append(arena, b.begin...)
	from := len(arena)
	if !q.HiOpen {
		arena = append(arena, q.Hi...)
	}
	if (q.HiOpen || q.HiAfter) && !(q.Number && increment(arena[from:])) {
		if q.Number {
			arena = arena[:from] // there is no next number: the stop is after all that has this beginning
		}
		n, ok := bound.StepUp(arena[mid:])
		if !ok {
			state = bound.Unbounded
		}
		arena = arena[:mid+n]
	}
	b.arena = arena
	r := bound.Range{Start: arena[:mid:mid], Stop: arena[mid:], State: state}
	ok := state == bound.Unbounded || bytes.Compare(r.Start, r.Stop) < 0
	if last := pl.s.Places[pl.p.stop].Clips; ok && last != nil {
		within, _ := bound.Clipped(last, nil, b.begin)
		r, ok = r.Meet(within)
	}
	if ok {
		pl.p.Ranges.Add(r)
	}
}

// increment adds one to a big-endian number in place: 00 ff becomes 01 00. If there is no
// next number it gives false, and ff ff becomes 00 00.
func increment(b []byte) bool {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return true
		}
	}
	return false
}

// settle sorts the ranges, unless they are sorted and do not touch, and joins those that touch, if they
// are of the same bucket: [01 03, 01 06) and [01 06, 01 08) become [01 03, 01 08). Then it refuses the
// plan if it reads the whole table or has too many ranges.
func (pl *Planner) settle(sorted bool) error {
	p := pl.p
	different := p.Ranges.Len()
	if !sorted && different > 1 && !p.Ranges.Apart() {
		if p.Ranges.Sort(); !p.Ranges.Apart() {
			different = pl.joinTouching()
		}
	}
	switch n := p.Ranges.Len(); {
	case !pl.full && !p.pieces && pl.everyBucket(different):
		return pl.fullScan()
	case n > pl.max && pl.attempt < joining:
		return pl.tooMany(float64(n))
	}
	return nil
}

// joinTouching joins sorted ranges. It gives the number of different starts that they had.
func (pl *Planner) joinTouching() (different int) {
	p := pl.p
	var out bound.List
	last := p.Ranges.At(0)
	different = 1
	for i := 1; i < p.Ranges.Len(); i++ {
		r := p.Ranges.At(i)
		if !bytes.Equal(r.Start, p.Ranges.Start(i-1)) {
			different++
		}
		touch := last.State == bound.Unbounded || bytes.Compare(r.Start, last.Stop) <= 0
		if touch && (p.Leads == 0 || bytes.Equal(p.LeadOf(last), p.LeadOf(r))) {
			if last.State != bound.Unbounded && (r.State == bound.Unbounded || bytes.Compare(r.Stop, last.Stop) > 0) {
				last.Stop, last.State = r.Stop, r.State
			}
			continue
		}
		out.Add(last)
		last = r
	}
	out.Add(last)
	p.Ranges = out
	return different
}

// entire reports that the ranges keep no row out, though they may be of pieces: each value of [a fixed(1)] is
// unequal to "ab". Such a plan is not refused, because a refusal must not depend on the value.
func (pl *Planner) entire() bool {
	p := pl.p
	if p.Ranges.Len() == 1 && len(p.Ranges.Start(0)) == 0 && p.Ranges.At(0).State == bound.Unbounded {
		return true // as if the ranges of all pieces touch, or are joined
	}
	if p.Ranges.Len() == 0 || !p.pieces || pl.s.Comps[p.stop].Optional || slices.ContainsFunc(pl.ways, func(w way) bool { return w.effect == limits }) {
		return false
	}
	to := piece.Piece{} // the pieces hold all before its end
	for i := range pl.found {
		q := &pl.found[i]
		if piece.CompareBounds(q.Lo, q.LoAfter, to.Hi, to.HiAfter) > 0 {
			return false
		}
		if q.HiOpen {
			return true
		}
		if piece.CompareBounds(q.Hi, q.HiAfter, to.Hi, to.HiAfter) > 0 {
			to = *q
		}
	}
	return false
}

// keepsAll reports that nothing keeps a row out of the ranges.
func (pl *Planner) keepsAll() bool {
	if len(pl.ways) == 0 && pl.p.stop == len(pl.s.Comps) { // the ranges of whole keys, which no way gives
		return !slices.Contains(pl.narrow, true) && !slices.ContainsFunc(pl.p.buckets(), func(q *bucketed) bool { return q.k.Narrow })
	}
	return !pl.p.pieces && !slices.ContainsFunc(pl.ways, func(w way) bool { return w.effect == limits })
}

// everyBucket reports that the ranges hold the whole table: only computed salts and hashes
// could keep rows out, but the values of the query lie in all their buckets.
func (pl *Planner) everyBucket(ranges int) bool {
	all := 1.0
	for i := range pl.ways {
		switch w := &pl.ways[i]; {
		case w.how == asComputed && w.c.Role != layout.RoleCopy:
			all *= w.c.Count()
		case w.effect == limits:
			return false
		default:
			all *= w.n
		}
	}
	return !pl.p.pieces && len(pl.ways) > 0 && float64(ranges) >= all && float64(ranges) >= all*pl.copiesOfSources()
}

// copiesOfSources is how many forms the computed copies have of fields that no way gives. Each bucket of a salt
// is read once for each of them.
func (pl *Planner) copiesOfSources() float64 {
	all := 1.0
	for _, ch := range pl.sources {
		vals := make([]layout.Val, len(pl.s.Fields))
		forms := map[string]struct{}{}
		for _, v := range pl.all[ch.c.Ord] {
			vals[ch.c.Ord] = v
			var of []byte
			for i := range pl.ways {
				if c := pl.ways[i].c; c.Role == layout.RoleCopy && c.Of == ch.c && pl.ways[i].how == asComputed {
					form, _, err := pl.s.Derive(nil, c, layout.Row{Vals: vals}, nil)
					pl.mind(c, err)
					of = appendCounted(of, form)
				}
			}
			forms[string(of)] = struct{}{}
		}
		all *= float64(max(1, len(forms)))
	}
	return all
}

// exact reports that the ranges alone decide every condition: each key of the schema in
// them satisfies the query.
func (pl *Planner) exact() bool {
	p := pl.p
	if pl.attempt == joined {
		return false
	}
	for i := range pl.s.Comps {
		if pl.s.Comps[i].Loose {
			return false
		}
	}
	for _, q := range p.buckets() {
		if q.k.Narrow && !(q.c.Index < p.stop || q.c.Index == p.stop && p.pieces && pl.foundExact) {
			return false
		}
	}
	for i, c := range pl.s.Fields {
		k := p.con(i)
		switch {
		case !pl.narrow[i] && !k.Coarse:
			continue
		case k.Coarse || c.Absent:
			return false
		case pl.copies && pl.copyDecides(c):
			continue
		}
		listed := c.Index < p.stop && (pl.points[i] || len(k.Ends()) == 0) // points, or a listed interval
		if !listed && !(c.Index == p.stop && p.pieces && pl.foundExact) {
			return false
		}
	}
	return true
}
