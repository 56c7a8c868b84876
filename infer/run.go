package infer

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

// How many rows a search looks at, and how many prove what it found. More rows tell
// more apart and cost time.
const (
	searchRows = 30
	fewRows    = 14  // where some keys are wrong: rows without a wrong one are found sooner
	fewTries   = 10  // at 1 % all of 14 rows are right 87 times in 100; of 50 rows of which three are wrong, 36 times
	slowTries  = 6   // as many search slowly too
	manyWrong  = 0.1 // the share from which on the searches are of fewer rows, and there are more of them
	manyTries  = 120
	proofRows  = 2000
)

// afterwards is how long the search for gaps may take at least, also when time is over.
const afterwards = time.Second

// inference is one call of Read.
type inference struct {
	ctx    context.Context
	t      *table
	limits Limits
	end    time.Time
}

// found is a layout with the search that found it.
type found struct {
	layout  *Layout
	search  *search
	path    *partial
	last    *node
	misfits []int // among the rows that prove it
}

func (in *inference) late() bool { return in.ctx.Err() != nil || time.Now().After(in.end) }

func (in *inference) run() *Result {
	rng := rand.New(rand.NewPCG(1, 2)) // the same rows give the same answer
	all := make([]int, len(in.t.rows))
	for i := range all {
		all[i] = i
	}
	proof := sample(in.t, all, proofRows, rng)
	first := newSearch(in.ctx, in.end, in.t, covered(in.t, sample(in.t, proof, searchRows, rng), proof))
	var tries []*search
	var f *found
	if in.limits.Dirty > 0 { // a wrong key costs the slow stages for nothing: rows without one are looked for before
		tries = append([]*search{first}, in.tries(proof, rng)...)
		f = in.among(tries, stages[:quick], proof, rng)
	}
	if f == nil {
		f = in.solve(first, proof)
	}
	if f != nil && len(f.misfits) > 0 {
		f = in.again(f, proof)
	}
	if f == nil {
		if tries == nil {
			tries = in.tries(proof, rng)
			f = in.among(tries, stages[:quick], proof, rng)
		}
		if f == nil {
			f = in.among(tries[:min(len(tries), slowTries)], stages[quick:], proof, rng)
		}
	}
	r := &Result{}
	if f != nil {
		in.judge(r, f)
	} else {
		// What was found is said, also where time is over.
		if least := time.Now().Add(afterwards); first.deadline.Before(least) {
			first.deadline = least
		}
		r.Partial = first.gaps(in.t, proof, part(in.limits.Dirty, len(proof)))
	}
	r.Stopped = in.late()
	return r
}

// solve is the search on some rows, stage by stage. What a layout that is known in part
// writes is hashed too.
func (in *inference) solve(s *search, proof []int) *found {
	for _, st := range stages {
		if f := in.stage(s, st, proof); f != nil {
			return f
		}
	}
	return nil
}

// extend adds inputs of what the likeliest layout with gaps writes; false if there are
// none.
func (s *search) extend() bool {
	if s.late() {
		return false
	}
	known := s.bestWithGaps()
	if known == nil {
		return false
	}
	on := map[*elem]bool{}
	for _, c := range known.comps() {
		if c.kind != isField {
			continue
		}
		for _, e := range s.pool.byCol[c.rd.col] {
			if slices.EqualFunc(e.b, c.enc, bytes.Equal) || e.cost < 8 && slices.ContainsFunc(e.means, func(m meaning) bool { return m.way.unit == c.way.unit && m.way.decl == c.way.decl }) {
				on[e] = true
			}
		}
	}
	before := len(s.pool.inputs)
	s.pool.combinations(func(e *elem) bool { return usual(e) || on[e] }, s.late)
	return len(s.pool.inputs) > before
}

// mostConst is the share of the keys above which constants explain nothing, unless
// nothing else does.
const mostConst = 0.5

// stage runs one stage, and proves what it found.
func (in *inference) stage(s *search, st stage, proof []int) *found {
	if in.late() {
		return nil
	}
	switch st {
	case withCodes:
		if len(s.groups()) == 0 {
			return nil
		}
	case withInputs:
		if !s.extend() {
			return nil
		}
		if f := in.stage(s, hashFirst, proof); f != nil {
			return f
		}
		st = withCodes
	}
	end := s.run(st)
	if end == nil {
		return nil
	}
	return in.prove(s, end, proof)
}

// mostBad is how many of n rows may have another key, at most: of more, the layout is another.
func (in *inference) mostBad(n int) int { return part(max(in.limits.Dirty, 0.05), n) }

// part is how many of n rows are no more than a share of them. share*n would be rounded: 0.29 of
// 100 rows to 28.
func part(share float64, n int) int {
	return sort.Search(n, func(k int) bool { return float64(k+1)/float64(n) > share })
}

// prove builds the likeliest paths to the end, and compares the keys of other rows.
func (in *inference) prove(s *search, end *node, proof []int) *found {
	var best *found
	seen := map[string]bool{}
	for _, p := range end.best {
		if p.cost > end.best[0].cost+20 {
			break
		}
		path := p.comps()
		if constShare(path, s) > mostConst {
			continue
		}
		l := newBuilder(s, path, in.t.names).build(nil)
		if l == nil || seen[l.String()] {
			continue
		}
		seen[l.String()] = true
		l.cost, l.columns = p.cost+10*float64(l.extra), in.t.columns
		f := &found{layout: l, search: s, path: p, last: end, misfits: l.misfits(in.t, proof)}
		if len(f.misfits) > in.mostBad(len(proof)) {
			continue
		}
		if best == nil || f.weight() < best.weight() {
			best = f
		}
		if len(best.misfits) == 0 && len(seen) > 7 {
			break
		}
	}
	return best
}

func (f *found) weight() float64 { return f.layout.cost + 8*float64(len(f.misfits)) }

// constShare is how much of the keys constants of more than two bytes are.
func constShare(path []*comp, s *search) float64 {
	n, all := 0, 0
	for _, c := range path {
		if c.kind == isConst && len(c.text) > 2 {
			n += len(c.text)
		}
	}
	for _, k := range s.keys {
		all += len(k)
	}
	return float64(n*len(s.keys)) / float64(all)
}

// misfits are the rows whose key a layout does not write.
func (l *Layout) misfits(t *table, rows []int) (out []int) {
	vals := make([]any, len(l.sources))
	var buf []byte
	for _, i := range rows {
		ok := true
		for j, x := range l.sources {
			if vals[j], ok = x.rd.parse(t.rows[i][x.rd.col]); !ok {
				break
			}
		}
		if ok {
			k, err := l.schema.AppendKey(buf[:0], vals...)
			if ok = err == nil && bytes.Equal(k, t.keys[i]); err == nil {
				buf = k
			}
		}
		if !ok {
			out = append(out, i)
		}
	}
	return out
}

// again searches with rows that did not fit: either another layout fits all of them, or
// their keys are wrong.
func (in *inference) again(f *found, proof []int) *found {
	for range 3 {
		if len(f.misfits) == 0 || in.late() {
			break
		}
		rows := slices.Clone(f.search.rows)
		rows = append(rows[:min(len(rows), searchRows-6)], f.misfits[:min(len(f.misfits), 6)]...)
		g := in.solve(newSearch(in.ctx, in.end, in.t, rows), proof)
		if g == nil || len(g.misfits) >= len(f.misfits) {
			break
		}
		f = g
	}
	return f
}

// tries are searches on other and fewer rows, some of which have no wrong key.
func (in *inference) tries(proof []int, rng *rand.Rand) (out []*search) {
	few, n := min(fewRows, len(proof)/2), fewTries
	if few < leastRows {
		return nil
	}
	many := in.limits.Dirty >= manyWrong
	if many { // at 20 % all of 14 rows are right 4 times in 100, all of 10 rows 11 times
		few = leastRows
		n = min(manyTries, int(math.Ceil(3/math.Pow(1-in.limits.Dirty, leastRows)))) // up to 30 % all rows of one are right, 95 times in 100
	}
	if half := len(proof) / 2; half <= searchRows { // of two halves one has no wrong key, if there is one in all
		for _, rows := range [][]int{proof[:half], proof[half:]} {
			out = append(out, newSearch(in.ctx, in.end, in.t, rows))
		}
	}
	for i := 0; i < n && !in.late(); i++ {
		rows := sample(in.t, proof, few, rng)
		if many || i%2 > 0 { // the shortest or the longest value may be the one whose key is wrong
			rows = nil
			for _, j := range rng.Perm(len(proof))[:few] {
				rows = append(rows, proof[j])
			}
		}
		out = append(out, newSearch(in.ctx, in.end, in.t, rows))
	}
	return out
}

// among runs stages on searches, what is cheap first in all of them. A layout that explains
// nearly all rows is searched for again, among those that it explains.
func (in *inference) among(searches []*search, stages []stage, proof []int, rng *rand.Rand) *found {
	for _, st := range stages {
		for _, s := range searches {
			f := in.stage(s, st, proof)
			switch {
			case f == nil:
				continue
			case len(f.misfits) == 0:
				return f
			}
			bad := map[int]bool{}
			for _, i := range f.misfits {
				bad[i] = true
			}
			good := slices.DeleteFunc(slices.Clone(proof), func(i int) bool { return bad[i] })
			if g := in.solve(newSearch(in.ctx, in.end, in.t, covered(in.t, sample(in.t, good, searchRows, rng), good)), proof); g != nil && len(g.misfits) <= len(f.misfits) {
				return g
			}
			return f
		}
	}
	return nil
}
