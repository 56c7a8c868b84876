package laws

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// planHolds holds a plan against a row that is wanted or not: Match says so, one range has the row
// if it is wanted, and of an exact plan none if it is not.
func planHolds(t *testing.T, what string, p *rowkey.Plan, row []byte, wanted bool) {
	t.Helper()
	in := 0
	for r := range p.Ranges() {
		if r.Contains(row) {
			in++
		}
	}
	if match := p.Match(row); match != wanted || wanted && in != 1 || !wanted && in > 0 && p.Exact() {
		t.Errorf("%s: wanted %v, matches %v, lies in %d ranges, exact %v", what, wanted, match, in, p.Exact())
	}
}

// TestBoundsOfLongKeys: no bound of a scan is longer than a key, since HBase refuses such a
// scan, and the rows that a query asks for lie in its ranges as before.
func TestBoundsOfLongKeys(t *testing.T) {
	long(t)
	const longest = 32767
	fits := func(what string, r rowkey.Range) {
		t.Helper()
		upper, lower, _ := r.Reversed()
		for _, b := range [][]byte{r.Start(), r.Stop(), upper, lower} {
			if len(b) > longest {
				t.Errorf("%s: a bound of %d bytes", what, len(b))
			}
		}
	}
	for _, notation := range []string{"[a]", "[b:1][a]", "[a]['_'][b:1]", "[salt4(a)][a]['\\x00'][b:1]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		var rows [][]byte
		var texts []string
		for _, fill := range []string{"a", "\xff"} {
			for _, n := range []int{longest - 12, longest - 3, longest - 2, longest - 1, longest} {
				a := strings.Repeat(fill, n-1) + "b"
				values := []any{a}
				if strings.Contains(notation, "b:1") {
					values = []any{a, 255}
				}
				if strings.HasPrefix(notation, "[b") {
					slices.Reverse(values)
				}
				key, err := s.AppendKey(nil, values...)
				if err == nil {
					rows, texts = append(rows, key), append(texts, a)
				} else if !errors.Is(err, rowkey.ErrLength) {
					t.Fatal(err)
				}
			}
		}
		for i, at := range append(slices.Clone(texts), strings.Repeat("a", 40000), strings.Repeat("\xff", 40000)) {
			for name, q := range map[string]struct {
				cond rowkey.Cond
				is   func(a string) bool
			}{
				"Eq":       {rowkey.Eq("a", at), func(a string) bool { return a == at }},
				"AtLeast":  {rowkey.AtLeast("a", at), func(a string) bool { return a >= at }},
				"MoreThan": {rowkey.MoreThan("a", at), func(a string) bool { return a > at }},
				"AtMost":   {rowkey.AtMost("a", at), func(a string) bool { return a <= at }},
				"Prefix":   {rowkey.Prefix("a", at), func(a string) bool { return strings.HasPrefix(a, at) }},
			} {
				p, err := s.Scan(q.cond, rowkey.FullScan())
				if err != nil {
					t.Fatalf("%s %s: %v", notation, name, err)
				}
				for r := range p.Ranges() {
					fits(notation+" "+name, r)
				}
				for j, row := range rows {
					planHolds(t, fmt.Sprintf("%s %s of text %d: row %d", notation, name, i, j), p, row, q.is(texts[j]))
				}
				if len(rows) > 0 {
					for _, p := range []*rowkey.Plan{p, p.Reversed()} {
						rest, err := p.Resume(p.Token(rows[0]))
						if err != nil {
							t.Fatal(err)
						}
						for r := range rest.Ranges() {
							fits(notation+" "+name+" resumed", r)
						}
					}
				}
			}
		}
	}

	key := bytes.Repeat([]byte{'a'}, longest)
	one, err := rowkey.Must(rowkey.Parse("t", "[a]")).Key().String(string(key)).Range()
	if err != nil || !one.Contains(key) || one.Contains(key[1:]) {
		t.Errorf("the range of the longest key: %v", err)
	}
	fits("KeyBuilder.Range", one)
	last, err := rowkey.Must(rowkey.Parse("t", "[a]")).Key().String(strings.Repeat("\xff", longest)).Range()
	if err != nil || !last.Unbounded() || len(last.Start()) != longest {
		t.Errorf("the range of the last key of all: %v", err)
	}
	for _, b := range []byte{'a', 0xff} {
		long := bytes.Repeat([]byte{b}, longest+1)
		if !rowkey.PrefixRange(long).Empty() {
			t.Error("no key begins with more than a key has")
		}
		r, err := rowkey.NewRange(long[:longest], append(bytes.Repeat([]byte{b}, longest), 0, 0))
		if err != nil || !r.Contains(long[:longest]) {
			t.Errorf("NewRange: %v", err)
		}
		fits("NewRange", r)
	}
}

// TestRangesOfLongKeysWithNulls: the ranges of a key so far have no bound longer than a key
// either, where the nulls at its end make it longer than the key that leaves them out.
func TestRangesOfLongKeysWithNulls(t *testing.T) {
	const longest = 32767
	cut := 0
	for _, notation := range []string{
		"[a phoenix][b optional phoenix][c optional desc phoenix][d optional phoenix]",
		"[a phoenix][b optional phoenix][c optional phoenix][d optional phoenix]",
		"[a orderedbytes][b optional orderedbytes][c optional desc orderedbytes]",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		for n := longest - 8; n <= longest; n++ {
			for _, fill := range []string{"a", "\xff"} {
				for nulls := range 4 {
					begin := func() rowkey.KeyBuilder {
						k := s.Key().String(strings.Repeat(fill, n))
						for range nulls {
							k = k.Null()
						}
						return k
					}
					if key, err := begin().Bytes(); err == nil {
						ranges, _, err := begin().AppendRanges(nil, nil)
						if err != nil {
							t.Fatalf("%s, %d bytes, %d nulls: %v", notation, n, nulls, err)
						}
						in := 0
						for _, r := range ranges {
							if r.Contains(key) {
								in++
							}
							if len(r.Start()) > longest || len(r.Stop()) > longest || r.Empty() {
								t.Errorf("%s, %d bytes, %d nulls: bounds of %d and %d bytes", notation, n, nulls, len(r.Start()), len(r.Stop()))
							}
							if len(r.Start()) == longest || len(r.Stop()) == longest {
								cut++
							}
						}
						if in != 1 {
							t.Errorf("%s, %d bytes, %d nulls: the key lies in %d of %d ranges", notation, n, nulls, in, len(ranges))
						}
					}
				}
			}
		}
	}
	if cut == 0 {
		t.Error("no bound was as long as a key")
	}
}

// TestLongTextsOfQueries: a text of a query takes no time and no memory that grows with its
// square. It is a stranger's, where a form field becomes a condition.
func TestLongTextsOfQueries(t *testing.T) {
	for _, notation := range []string{"[a]['\\x00'][b:1]", "[a]['_'][b:1]", "[a]['__'][b:1]", "[a]['ab'][b:1]", "[a escaped][b:1]", "[a pad(32000,' ')][b:1]", "[a]['\\xff'][b:1]", "[a loose]['_'][b:1]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		for _, fill := range []string{"a", "\x00", "_", " ", "1", "z", "_0", "ab", "a_"} {
			v := strings.Repeat(fill, 60000/len(fill))
			for name, cond := range map[string]rowkey.Cond{
				"AtLeast": rowkey.AtLeast("a", v), "AtMost": rowkey.AtMost("a", v), "Span": rowkey.Span("a", v[:9], v), "Prefix": rowkey.Prefix("a", v), "Eq": rowkey.Eq("a", v),
			} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				p, err := s.Scan(cond, rowkey.FullScan())
				if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
					t.Errorf("%s %s of %q takes %d MB", notation, name, fill, (after.TotalAlloc-before.TotalAlloc)>>20)
				}
				if err != nil {
					t.Errorf("%s %s of %q: %v", notation, name, fill, err)
				} else if p.Len() > 1024 {
					t.Errorf("%s %s of %q: %d ranges", notation, name, fill, p.Len())
				}
			}
		}
	}
}

// TestManyBeginnings: of a text with more beginnings than get ranges of their own the rows are
// still all found, and Match tells others apart.
func TestManyBeginnings(t *testing.T) {
	for _, notation := range []string{"[a]['_'][b:1]", "[a]['__'][b:1]", "[a pad(3000,'5')][b:1]", "[a]['\\x00'][b:1]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		whole := strings.Repeat("1", 2500)
		var rows [][]byte
		var texts []string
		for _, n := range []int{0, 1, 7, 1023, 1024, 1025, 1500, 2499, 2500} {
			for _, end := range []string{"", "0", "2", "a"} {
				key, err := s.AppendKey(nil, whole[:n]+end, 1)
				if err != nil {
					t.Fatal(err)
				}
				rows, texts = append(rows, key), append(texts, whole[:n]+end)
			}
		}
		for _, v := range []string{whole, whole[:1024], whole + "\x00", whole[:1500] + "0"} {
			for name, q := range map[string]struct {
				cond rowkey.Cond
				is   func(a string) bool
			}{
				"AtLeast": {rowkey.AtLeast("a", v), func(a string) bool { return a >= v }},
				"AtMost":  {rowkey.AtMost("a", v), func(a string) bool { return a <= v }},
				"Span":    {rowkey.Span("a", whole[:7], v), func(a string) bool { return a >= whole[:7] && a < v }},
			} {
				p, err := s.Scan(q.cond, rowkey.FullScan(), rowkey.MaxRanges(5000))
				if err != nil {
					t.Fatalf("%s %s: %v", notation, name, err)
				}
				for j, row := range rows {
					planHolds(t, fmt.Sprintf("%s %s: row %d", notation, name, j), p, row, q.is(texts[j]))
				}
			}
		}
	}
}
