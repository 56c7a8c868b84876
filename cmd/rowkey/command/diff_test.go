package command

import (
	"fmt"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// pieces are ways to write each of three fields, what may stand before them, and settings.
var (
	diffPieces = [3][]string{
		{"[a:2]", "[a:2 below(100)]", "[a:2 below(200)]", "[a:1]", "[a:8 width(2)]", "[a:8 digits(4)]", "[a:2 desc]"},
		{"[b fixed(2)]", "[b:bytes fixed(2)]", `[b fixed(2) chars("ab")]`, `[b fixed(2) chars("a")]`, `[b fixed(2) oneof("aa","bb")]`, `[b fixed(2) oneof("aa","ab")]`, `[b fixed(2) oneof("aa")]`,
			"[b]['_']", "[b minlen(1)]['_']", "[b minlen(2)]['_']", "[b reverse]['_']"},
		{"[ms(c)]", "[max-ms(c)]", "[ms(c) years(2000,2100)]", "[ms(c) years(2010,2100)]", "[ms(c) years(2000,2009)]", "[s(c)]"},
	}
	diffLeads    = []string{"", "", "[salt4(a)]", "[salt8(a)]", "[md5.hex(2)(b)]"}
	diffSettings = []string{"", "", "", "maxlen(20) ", "maxlen(21) "}
)

// someLayout draws a layout: some of the fields, in some order.
func someLayout(r *rand.Rand) (parts []string) {
	any := func(list []string) string { return list[r.IntN(len(list))] }
	parts = []string{any(diffSettings), any(diffLeads)}
	for _, i := range r.Perm(3)[:2+r.IntN(2)] {
		parts = append(parts, any(diffPieces[i]))
	}
	return parts
}

// changed is a layout with one part drawn anew, or as it was.
func changed(r *rand.Rand, parts []string) []string {
	out := slices.Clone(parts)
	switch i := r.IntN(len(out) + 1); {
	case i == 0:
		out[0] = diffSettings[r.IntN(len(diffSettings))]
	case i == 1:
		out[1] = diffLeads[r.IntN(len(diffLeads))]
	case i < len(out):
		for _, list := range diffPieces {
			if slices.Contains(list, out[i]) {
				out[i] = list[r.IntN(len(list))]
				break
			}
		}
	}
	return out
}

// diffRows are rows whose values are within the limits, at their edges and beyond.
func diffRows() (rows []map[string]any) {
	for _, a := range []uint64{0, 7, 99, 100, 150, 199, 200, 255, 256, 9999, 65535} {
		for _, b := range []string{"", "a", "aa", "ab", "bb", "cc", "a_", "aaa", "aaaaaaaa", "aaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaaa", "aaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaa"} {
			for _, c := range []string{"1999-12-31T00:00:00Z", "2005-05-05T05:05:05.5Z", "2023-05-16T00:00:00Z", "2101-01-01T00:00:00Z"} {
				at, err := time.Parse(time.RFC3339, c)
				if err != nil {
					panic(err)
				}
				rows = append(rows, map[string]any{"a": a, "b": b, "c": at})
			}
		}
	}
	return rows
}

// keyOf is a row's key, its fields called as in the schema less a mark.
func keyOf(s *rowkey.Schema, row map[string]any) (string, bool) {
	var vals []any
	for _, f := range said.Supplied(s) {
		vals = append(vals, row[strings.TrimSuffix(f.Name, "x")])
	}
	key, err := s.AppendKey(nil, vals...)
	return string(key), err == nil
}

// The verdict agrees with the keys of rows, with equal fingerprints, and with plans.
func TestDiffHolds(t *testing.T) {
	r := seed.Rand(t)
	rows := diffRows()
	seen := map[string]int{}
	for n := 0; n < 150; {
		parts := someLayout(r)
		from := strings.Join(parts, "")
		to := strings.Join(changed(r, parts), "")
		if r.IntN(5) == 0 { // the fields are called otherwise
			to = strings.NewReplacer("[a:", "[ax:", "(a)", "(ax)").Replace(to)
		}
		a, err := rowkey.Parse("t", from)
		b, err2 := rowkey.Parse("t", to)
		if err != nil || err2 != nil {
			continue
		}
		n++
		what := from + " and " + to
		d, err := compare.Schemas(a, b, said.Values{}, nil)
		require.NoError(t, err, what)
		seen[d.Verdict]++
		assert.False(t, d.Verdict == "bytes" && a.Fingerprint() == b.Fingerprint(), what)

		onlyA, onlyB, both, other := 0, 0, 0, 0
		for _, row := range rows {
			x, inA := keyOf(a, row)
			y, inB := keyOf(b, row)
			switch {
			case inA && inB && x == y:
				both++
			case inA && inB:
				other++
			case inA:
				onlyA++
			case inB:
				onlyB++
			}
		}
		changes := map[string]int{}
		for _, l := range d.Limits {
			changes[l.Change]++
			seen[l.Change]++
		}
		switch d.Verdict {
		case "same":
			assert.Zero(t, onlyA+onlyB+other, what)
			if !strings.Contains(what, "oneof") { // a list gives better ranges than other words for the same limit
				assert.Empty(t, d.Questions, what)
			}
		case "limits":
			assert.Zero(t, other, what)
			// No row may be as long as a limit of the key, and one limit may take what another gives.
			if len(d.Limits) == 1 && d.Limits[0].Field != "" {
				assert.NotZero(t, onlyA+onlyB, "%s: %v", what, d.Limits)
			}
			if len(changes) == 1 && changes["wider"] > 0 {
				assert.Zero(t, onlyA, what)
			}
			if len(changes) == 1 && changes["narrower"] > 0 {
				assert.Zero(t, onlyB, what)
			}
			if len(d.Limits) == 1 && changes["other"] > 0 {
				assert.NotZero(t, onlyA, what)
				assert.NotZero(t, onlyB, what)
			}
		case "bytes":
			assert.True(t, other > 0 || both == 0 || len(said.Supplied(a)) != len(said.Supplied(b)), what)
		}
		if d.Verdict == "bytes" {
			agree(t, d, a, b, what)
		}
	}
	t.Logf("%v", seen)
	for _, kind := range []string{"same", "limits", "bytes", "wider", "narrower"} { // "other" is seldom drawn
		assert.Greater(t, seen[kind], 0, kind)
	}
}

// agree holds the questions of values against plans of other values: those that are listed
// read other ranges, those that are not read the same.
func agree(t *testing.T, d *compare.Difference, a, b *rowkey.Schema, what string) {
	listed := map[string]compare.Moved{}
	for _, q := range d.Questions {
		listed[q.Question] = q
	}
	sample := map[string]any{"a": uint64(42), "ax": uint64(42), "b": "aa", "c": time.Date(2023, 5, 17, 0, 0, 0, 0, time.UTC)}
	read := func(s *rowkey.Schema, q []compare.Want) string {
		var conds []rowkey.Cond
		for _, w := range q {
			switch v := sample[w.Field].(type) {
			case uint64:
				conds = append(conds, rowkey.Eq(w.Field, v))
			case string:
				conds = append(conds, rowkey.Eq(w.Field, v))
			case time.Time:
				if w.Span {
					conds = append(conds, rowkey.Span(w.Field, v, v.Add(10*time.Hour)))
				} else {
					conds = append(conds, rowkey.Eq(w.Field, v))
				}
			}
		}
		p, err := s.Scan(conds...)
		if err != nil {
			return "none"
		}
		return fmt.Sprint(p.Len(), p.Exact())
	}
	if strings.Contains(what, "years(2000,2009)") {
		return // the sample time lies outside
	}
	for _, q := range compare.UsualQuestions(a, b) {
		texts := make([]string, len(q))
		for i, w := range q {
			texts[i] = w.String()
		}
		text := strings.Join(texts, " and ")
		m, is := listed[text]
		from, to := read(a, q), read(b, q)
		assert.Equal(t, from != to, is, "%s: %s: %s, %s", what, text, from, to)
		if is && m.From.Why == "" {
			assert.Equal(t, fmt.Sprint(m.From.Ranges, m.From.Exact), from, "%s: %s", what, text)
		}
		if is && m.To.Why == "" {
			assert.Equal(t, fmt.Sprint(m.To.Ranges, m.To.Exact), to, "%s: %s", what, text)
		}
	}
}
