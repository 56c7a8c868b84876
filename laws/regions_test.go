package laws

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/scan"
)

// TestRegions: the regions' plans come in the order of their numbers, each lies
// in its region, and together they hold exactly the plan's ranges and its rows.
func TestRegions(t *testing.T) {
	r := mergeRand(t)
	shapes := mergeShapes()
	for range 1000 {
		sh, p, rows := mergeAny(r, shapes)
		if r.IntN(3) == 0 {
			p = p.Limit(1 + r.IntN(4))
		}
		boundaries := [][]byte{nil}
		for range r.IntN(12) {
			b := append([]byte(sh.leads[r.IntN(len(sh.leads))]+sh.sep), mergeRest(r)...)
			boundaries = append(boundaries, b, b)[:len(boundaries)+1+r.IntN(2)]
		}
		splits := slices.Clone(boundaries)
		slices.SortFunc(splits, bytes.Compare)
		splits = slices.DeleteFunc(slices.CompactFunc(splits, bytes.Equal), func(b []byte) bool { return len(b) == 0 })
		r.Shuffle(len(boundaries), func(i, j int) { boundaries[i], boundaries[j] = boundaries[j], boundaries[i] })
		inRegion := func(n int) [][]byte {
			return slices.DeleteFunc(slices.Clone(rows), func(key []byte) bool { return rowkey.SplitKeys(splits).Region(key) != n })
		}

		var pieces []bound.Range
		last := -1
		met := map[int]bool{}
		for n, q := range p.Regions(boundaries) {
			if n <= last || n > len(splits) || q.Len() == 0 {
				t.Fatalf("region %d of %d behind region %d: %v", n, len(splits)+1, last, held(q))
			}
			last, met[n] = n, true
			if q.IsReversed() != p.IsReversed() || inside.Plan(q).Most != inside.Plan(p).Most {
				t.Fatalf("region %d is read in another way: %v", n, q)
			}
			pieces = append(pieces, held(q)...)
			for _, c := range held(q) {
				if rowkey.SplitKeys(splits).Region(c.Start) != n || n < len(splits) && (c.Unbounded() || bytes.Compare(c.Stop, splits[n]) > 0) {
					t.Fatalf("%v does not lie in region %d of %x", c, n, splits)
				}
			}
			tb := &mergeTable{rows: rows}
			got, err := collect(t, t.Context(), q, 1+r.IntN(3), tb)
			want := wanted(sh, p, inRegion(n))
			if err != nil || !sameRows(got, want) {
				t.Fatalf("region %d of %x\n got %x, %v\nwant %x", n, splits, got, err, want)
			}
			if len(got) > 0 { // a token of it is the place in it
				at := r.IntN(len(got))
				rest, err := q.Resume(p.Token(got[at]))
				if err != nil {
					t.Fatal(err)
				}
				whole, in := copied(p)
				in.Most = 0
				want = wanted(sh, whole, inRegion(n))[at+1:]
				if inside.Plan(p).Most > 0 {
					want = want[:min(inside.Plan(p).Most, len(want))]
				}
				if got, err := collect(t, t.Context(), rest, 2, tb); err != nil || !sameRows(got, want) {
					t.Fatalf("region %d resumed\n got %x, %v\nwant %x", n, got, err, want)
				}
			}
		}
		if want := held(p.SplitAt(boundaries)); !slices.EqualFunc(pieces, want, func(a, b bound.Range) bool { return a.String() == b.String() }) {
			t.Fatalf("the regions' ranges are %v, not %v", pieces, want)
		}
		for n := range len(splits) + 1 {
			if left := wanted(sh, p, inRegion(n)); !met[n] && len(left) > 0 {
				t.Fatalf("region %d of %x is left out, and has %x", n, splits, left)
			}
		}
	}
}

// TestRegionsEnd: a loop over the regions may end, begin again, and does not
// depend on what becomes of the boundaries; no boundaries are one region.
func TestRegionsEnd(t *testing.T) {
	_, p, _ := fixedCase(false)
	boundaries := [][]byte{{1}, {0xff}}
	regions := p.Regions(boundaries)
	boundaries[0][0] = 0xfe
	for range 2 {
		var got []int
		for n := range regions {
			if got = append(got, n); len(got) == 2 {
				break
			}
		}
		if !slices.Equal(got, []int{0, 1}) {
			t.Errorf("regions %v", got)
		}
	}
	for n, q := range p.Regions(nil) {
		if n != 0 || !slices.EqualFunc(held(q), held(p), func(a, b bound.Range) bool { return a.String() == b.String() }) {
			t.Errorf("region %d: %v, not %v", n, held(q), held(p))
		}
	}
	found := 0
	for n, q := range p.Limit(0).Regions(boundaries) { // one, so that its read reports the limit
		if found++; n != 0 || q.Len() != 0 || !strings.Contains(q.String(), "a limit is 1 or more") {
			t.Errorf("region %d of a plan without rows: %v", n, q)
		}
	}
	if found != 1 {
		t.Errorf("%d regions of a plan whose limit is refused", found)
	}
}

// TestResumeWhole: the rest of a plan of the whole table is not one of the whole table.
func TestResumeWhole(t *testing.T) {
	plain := rowkey.New("wide").Uint("a", 1).MustBuild()
	salted := rowkey.New("salted").Salt(2, "a").Uint("a", 1).MustBuild()
	for _, s := range []*rowkey.Schema{plain, salted} {
		p, err := s.Scan(rowkey.FullScan())
		if err != nil {
			t.Fatal(err)
		}
		key, err := s.AppendKey(nil, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*rowkey.Plan{p, p.Reversed()} {
			rest, err := p.Resume(p.Token(key))
			if err != nil || !strings.HasPrefix(p.String(), "the whole table") || strings.HasPrefix(rest.String(), "the whole table") {
				t.Errorf("%v: of %v the rest is %v", err, p, rest)
			}
		}
	}
}

// TestRegionsWhole: the plan of one region of several is not one of the whole
// table, and regions are read at the same time.
func TestRegionsWhole(t *testing.T) {
	s := rowkey.New("wide").Uint("a", 1).MustBuild()
	p, err := s.Scan(rowkey.FullScan())
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]byte
	for i := range 256 {
		rows = append(rows, []byte{byte(i)})
	}
	tb := &mergeTable{rows: rows}
	counts := make([]int, 3)
	var all sync.WaitGroup
	for n, q := range p.Regions([][]byte{{10}, {30}}) {
		if strings.HasPrefix(q.String(), "the whole table") {
			t.Error(q)
		}
		all.Add(1)
		go func() {
			defer all.Done()
			for row, err := range scan.Merge(t.Context(), q, 2, tb.open, (*mergeRow).row) {
				if err != nil || !q.Match(row.key) {
					t.Error(err)
					return
				}
				counts[n]++
			}
		}()
	}
	all.Wait()
	if !slices.Equal(counts, []int{10, 20, 226}) {
		t.Errorf("rows %v", counts)
	}
	for _, q := range p.Regions(nil) {
		if !strings.HasPrefix(q.String(), "the whole table") {
			t.Error(q)
		}
	}
}
