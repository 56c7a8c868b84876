package laws

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/plan"
)

// TestTokenPages: pages of random sizes, forward and reversed, while rows are
// written: each page is what is after the last row of the one before it, no
// row that was there all the time is missed, and none comes twice.
func TestTokenPages(t *testing.T) {
	long(t)
	r := mergeRand(t)
	shapes := mergeShapes()
	for n := range 500 {
		sh, p, rows := mergeAny(r, shapes)
		order := sh.order(p.IsReversed())
		first := wanted(sh, p, rows)
		var pages [][]byte
		var token, last []byte
		for {
			q := p
			if token != nil {
				var err error
				if q, err = p.Resume(token); err != nil {
					t.Fatal(err)
				}
			}
			size := 1 + r.IntN(6)
			if r.IntN(2) == 0 {
				q = q.Limit(size)
			}
			tb := &mergeTable{rows: rows}
			got, err := collectAnd(t, t.Context(), q, mergeParallel[r.IntN(len(mergeParallel))], tb, func(i int) bool { return i+1 < size })
			want := slices.DeleteFunc(wanted(sh, p, rows), func(key []byte) bool { return last != nil && order(key, last) <= 0 })
			want = want[:min(size, len(want))]
			if err != nil || !sameRows(got, want) {
				t.Fatalf("case %d, %s, reversed %t\nranges %v\nthen %v behind %x\nrows %x\n got %x, %v\nwant %x", n, sh.name, p.IsReversed(), held(p), held(q), last, rows, got, err, want)
			}
			pages = append(pages, got...)
			if len(got) < size {
				break
			}
			last = got[len(got)-1]
			token = p.Token(last)
			for range r.IntN(4) { // rows are written, before the place and after
				lead := sh.leads[r.IntN(len(sh.leads))] + sh.sep
				rows = append(rows, append([]byte(lead), mergeRest(r)...))
			}
			if r.IntN(3) == 0 { // the neighbours of the place
				lead := sh.leads[r.IntN(len(sh.leads))] + sh.sep
				rest := bytes.TrimPrefix(last, last[:inside.Plan(p).Lead(last)])
				rows = append(rows, append([]byte(lead), bytes.TrimPrefix(rest, []byte(sh.sep))...), append(slices.Clone(last), 0))
			}
			rows = sortRows(rows)
		}
		seen := map[string]int{}
		for _, key := range pages {
			seen[string(key)]++
		}
		for _, key := range first {
			if seen[string(key)] != 1 {
				t.Fatalf("row %x was yielded %d times", key, seen[string(key)])
			}
		}
		if !slices.IsSortedFunc(pages, order) {
			t.Fatalf("pages out of order: %x", pages)
		}
	}
}

// TestTokenFormat: a token's bytes are frozen, as clients keep them.
func TestTokenFormat(t *testing.T) {
	s := rowkey.New("trades").Salt(16, "seller").String("seller").Separator("_").Uint("order", 8).MustBuild()
	p, err := s.Scan(rowkey.Eq("seller", "s-42"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.Key().String("s-42").Uint(7).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	fingerprint, err := hex.DecodeString(s.Fingerprint())
	if err != nil {
		t.Fatal(err)
	}
	head := append([]byte{1}, fingerprint[:8]...)
	sum := crc32.Checksum(slices.Concat(head, key), crc32.MakeTable(crc32.Castagnoli))
	want := fmt.Sprintf("%x%08x%x", head, sum, key)
	token := p.Token(key)
	key[0] ^= 0xff
	if got := fmt.Sprintf("%x", token); got != want {
		t.Errorf("token %s, want %s", got, want)
	}
	if sum := crc32.Checksum([]byte("123456789"), plan.Castagnoli()); sum != 0xe3069283 {
		t.Errorf("the checksum is not CRC-32C: %08x", sum)
	}
}

// TestTokenDamaged: a token with any byte changed, cut short or made longer is
// refused.
func TestTokenDamaged(t *testing.T) {
	_, p, rows := fixedCase(false)
	for _, key := range rows {
		token := p.Token(key)
		refused := func(damaged []byte) {
			t.Helper()
			q, err := p.Resume(damaged)
			var e *rowkey.Error
			if q != nil || !errors.Is(err, rowkey.ErrToken) || !errors.As(err, &e) || e.Schema != "salted" {
				t.Errorf("token %x for %x: %v", damaged, token, err)
			}
		}
		for i := range token {
			for x := 1; x < 256; x++ {
				damaged := slices.Clone(token)
				damaged[i] ^= byte(x)
				refused(damaged)
			}
			refused(token[:i])
			refused(slices.Insert(slices.Clone(token), i, 0))
			refused(slices.Delete(slices.Clone(token), i, i+1))
		}
		refused(append(slices.Clone(token), 0))
		refused(append(slices.Clone(token), token...))
	}
	for _, none := range [][]byte{nil, {}, p.Token(nil)} {
		if _, err := p.Resume(none); !errors.Is(err, rowkey.ErrToken) {
			t.Errorf("token %x: %v", none, err)
		}
	}
}

// TestTokenOfLongestKey: a row longer than keys of the schema has a token that is read back,
// since a table may have such rows; one longer than HBase's longest is no key.
func TestTokenOfLongestKey(t *testing.T) {
	s := rowkey.New("longest", rowkey.MaxLen(4)).String("a").MustBuild()
	p, err := s.Scan(rowkey.FullScan())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4, 5, 32767} {
		key := bytes.Repeat([]byte("a"), n)
		if row, err := p.Place(p.Token(key)); err != nil || !bytes.Equal(row, key) {
			t.Errorf("%d bytes: %q, %v", n, row, err)
		}
	}
	if _, err := p.Place(p.Token(make([]byte, 32768))); !errors.Is(err, rowkey.ErrToken) {
		t.Errorf("32768 bytes: %v", err)
	}
}

// TestTokenForeign: a token of another layout is refused, one of the same
// layout by another name is not.
func TestTokenForeign(t *testing.T) {
	build := func(name string, buckets int) *rowkey.Plan {
		s := rowkey.New(name).Salt(buckets, "a").String("a").MustBuild()
		p, err := s.Scan(rowkey.FullScan())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	token := build("trades", 4).Token([]byte("\x01a"))
	if _, err := build("trades", 8).Resume(token); !errors.Is(err, rowkey.ErrToken) || err.Error() != "rowkey: trades: token is of another layout: not a token of this schema" {
		t.Error(err)
	}
	if _, err := build("orders", 4).Resume(token); err != nil {
		t.Error(err)
	}
}

// TestTokenForged: whoever makes up a token moves inside the plan's ranges.
func TestTokenForged(t *testing.T) {
	r := mergeRand(t)
	shapes := mergeShapes()
	resumed := 0
	for range 3000 {
		sh := &shapes[r.IntN(len(shapes))]
		p, rows := mergeCase(r, sh)
		inside.Plan(p).IsReversed = r.IntN(2) == 0
		key := mergeRest(r)
		if r.IntN(2) == 0 {
			key = append([]byte(sh.leads[r.IntN(len(sh.leads))]+sh.sep), key...)
		}
		q, err := p.Resume(p.Token(key))
		if err != nil {
			if !errors.Is(err, rowkey.ErrToken) {
				t.Fatal(err)
			}
			continue
		}
		resumed++
		for _, c := range held(q) {
			if c.Empty() || !c.Unbounded() && bytes.Compare(c.Start, c.Stop) >= 0 {
				t.Fatalf("range %v after %x", c, key)
			}
			if !slices.ContainsFunc(held(p), func(all bound.Range) bool {
				return bytes.Compare(all.Start, c.Start) <= 0 && (all.Unbounded() || !c.Unbounded() && bytes.Compare(c.Stop, all.Stop) <= 0)
			}) {
				t.Fatalf("range %v after %x lies in none of %v", c, key, held(p))
			}
		}
		before := wanted(sh, p, rows)
		for _, row := range wanted(sh, q, rows) {
			if !slices.ContainsFunc(before, func(key []byte) bool { return bytes.Equal(key, row) }) {
				t.Fatalf("row %x", row)
			}
		}
	}
	if resumed < 1000 {
		t.Errorf("only %d forged tokens were well formed", resumed)
	}
}

// TestSplitAt: pieces lie in one region each, hold the same rows, and are read in
// the same order.
func TestSplitAt(t *testing.T) {
	r := mergeRand(t)
	shapes := mergeShapes()
	for range 1000 {
		sh, p, rows := mergeAny(r, shapes)
		before := held(p)
		boundaries := [][]byte{nil, {}}
		for range r.IntN(12) {
			b := append([]byte(sh.leads[r.IntN(len(sh.leads))]+sh.sep), mergeRest(r)...)
			if len(rows) > 0 && r.IntN(3) == 0 {
				b = slices.Clone(rows[r.IntN(len(rows))])
			}
			boundaries = append(boundaries, b)
			if r.IntN(4) == 0 {
				boundaries = append(boundaries, b)
			}
		}
		r.Shuffle(len(boundaries), func(i, j int) { boundaries[i], boundaries[j] = boundaries[j], boundaries[i] })
		given := slices.Clone(boundaries)
		q := p.SplitAt(boundaries)
		if !slices.EqualFunc(given, boundaries, bytes.Equal) || !slices.EqualFunc(before, held(p), func(a, b bound.Range) bool { return a.String() == b.String() }) {
			t.Fatal("SplitAt changed what it was given")
		}
		pieces := held(q)
		for i, c := range pieces {
			for _, b := range boundaries {
				if len(b) > 0 && bytes.Compare(b, c.Start) > 0 && c.Contains(b) {
					t.Fatalf("%v lies on both sides of %x", c, b)
				}
			}
			if c.Empty() || !c.Unbounded() && bytes.Compare(c.Start, c.Stop) >= 0 || i > 0 && (pieces[i-1].Unbounded() || bytes.Compare(pieces[i-1].Stop, c.Start) > 0) {
				t.Fatalf("%v is empty or overlaps", c)
			}
		}
		for _, b := range boundaries { // which may be changed now
			for i := range b {
				b[i] = 'x'
			}
		}
		var joined []bound.Range
		for _, c := range held(q) {
			if n := len(joined); n > 0 && bytes.Equal(joined[n-1].Stop, c.Start) && !slices.ContainsFunc(before, func(b bound.Range) bool { return bytes.Equal(b.Start, c.Start) }) {
				joined[n-1].Stop, joined[n-1].State = c.Stop, c.State
				continue
			}
			joined = append(joined, c)
		}
		if !slices.EqualFunc(joined, before, func(a, b bound.Range) bool { return a.String() == b.String() }) {
			t.Fatalf("the pieces %v make %v, not %v", held(q), joined, before)
		}
		tb := &mergeTable{rows: rows}
		got, err := collect(t, t.Context(), q, mergeParallel[r.IntN(len(mergeParallel))], tb)
		if want := wanted(sh, p, rows); err != nil || !sameRows(got, want) {
			t.Fatalf("pieces %v\n got %x, %v\nwant %x", held(q), got, err, want)
		}
	}
}

// TestPlanCopies: the words that make another plan leave the one they are said
// to as it was.
func TestPlanCopies(t *testing.T) {
	sh, p, rows := fixedCase(false)
	all := wanted(sh, p, rows)
	token := p.Token(all[3])
	q, err := p.Reversed().Limit(2).SplitAt(rows).Resume(token)
	if err != nil {
		t.Fatal(err)
	}
	if p.IsReversed() || inside.Plan(p).Most != 0 || p.Len() != 5 || !sameRows(wanted(sh, p, rows), all) {
		t.Error("the first plan has changed")
	}
	if !q.IsReversed() || inside.Plan(q).Most != 2 {
		t.Error("Resume lost the direction or the limit")
	}
	got, err := collect(t, t.Context(), q, 1, &mergeTable{rows: rows})
	if want := [][]byte{all[2], all[1]}; err != nil || !sameRows(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if p.Reversed().Reversed().IsReversed() {
		t.Error("reversed twice is reversed")
	}
	for _, words := range [][]string{{"limit", "split", "resume"}, {"limit", "resume", "split"}, {"split", "limit", "resume"}, {"split", "resume", "limit"}, {"resume", "limit", "split"}, {"resume", "split", "limit"}} {
		q := p.Reversed()
		for _, word := range words {
			switch word {
			case "limit":
				q = q.Limit(4)
			case "split":
				q = q.SplitAt(rows)
			case "resume":
				if q, err = q.Resume(token); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := collect(t, t.Context(), q, 2, &mergeTable{rows: rows})
		if want := [][]byte{all[2], all[1], all[0]}; err != nil || !sameRows(got, want) {
			t.Errorf("%v: %q, %v", words, got, err)
		}
	}
}
