package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// A condition on a copy admits the rows whose copy holds such a value, and no others.
func TestConditionsOnCopies(t *testing.T) {
	left := func(n int) func(string) string { return func(v string) string { return v[:min(n, len(v))] } }
	right := func(n int) func(string) string { return func(v string) string { return v[max(0, len(v)-n):] } }
	reverse := func(v string) string {
		b := []byte(v)
		slices.Reverse(b)
		return string(b)
	}
	for _, c := range []struct {
		options string
		steps   []func(string) string
		turned  bool // the value is what stands there, read backward
	}{
		{"", nil, false}, {"left(2)", []func(string) string{left(2)}, false}, {"right(2)", []func(string) string{right(2)}, false},
		{"reverse", []func(string) string{reverse}, true}, {"right(2) reverse", []func(string) string{right(2), reverse}, true},
		{"left(2) reverse", []func(string) string{left(2), reverse}, true}, {"reverse left(2)", []func(string) string{reverse, left(2)}, true},
		{"reverse right(2)", []func(string) string{reverse, right(2)}, true}, {"left(3) right(2)", []func(string) string{left(3), right(2)}, false},
	} {
		s := rowkey.Must(rowkey.Parse("t", strings.TrimSuffix("[c=a "+c.options, " ")+"]['|'][a]"))
		type row struct {
			copied string
			key    []byte
		}
		var rows []row
		texts := []string{""}
		for n := 0; n < len(texts) && len(texts) < 121; n++ {
			texts = append(texts, texts[n]+"a", texts[n]+"b", texts[n]+"c")
		}
		for _, a := range texts {
			v := a
			for _, step := range c.steps {
				v = step(v)
			}
			if c.turned {
				v = reverse(v)
			}
			key, err := s.AppendKey(nil, a)
			require.NoError(t, err)
			rows = append(rows, row{v, key})
		}
		for _, x := range []string{"a", "b", "ab", "ca", "abc", "bbc"} {
			y := x + "b"
			is := func(op func(string, string) rowkey.Cond, holds func(v string) bool) func() (rowkey.Cond, func(string) bool) {
				return func() (rowkey.Cond, func(string) bool) { return op("c", x), holds }
			}
			for name, of := range map[string]func() (rowkey.Cond, func(string) bool){
				"Eq":       is(rowkey.Eq[string], func(v string) bool { return v == x }),
				"NotEq":    is(rowkey.NotEq[string], func(v string) bool { return v != x }),
				"AtLeast":  is(rowkey.AtLeast[string], func(v string) bool { return v >= x }),
				"AtMost":   is(rowkey.AtMost[string], func(v string) bool { return v <= x }),
				"MoreThan": is(rowkey.MoreThan[string], func(v string) bool { return v > x }),
				"LessThan": is(rowkey.LessThan[string], func(v string) bool { return v < x }),
				"Prefix":   is(rowkey.Prefix, func(v string) bool { return strings.HasPrefix(v, x) }),
				"Suffix":   is(rowkey.Suffix, func(v string) bool { return strings.HasSuffix(v, x) }),
				"In": func() (rowkey.Cond, func(string) bool) {
					return rowkey.In("c", x, y), func(v string) bool { return v == x || v == y }
				},
				"Span": func() (rowkey.Cond, func(string) bool) {
					return rowkey.Span("c", x, y), func(v string) bool { return v >= x && v < y }
				},
			} {
				cond, holds := of()
				for _, and := range []struct {
					conds []rowkey.Cond
					holds func(v string) bool
				}{
					{nil, func(string) bool { return true }},
					{[]rowkey.Cond{rowkey.AtLeast("c", "b")}, func(v string) bool { return v >= "b" }},
					{[]rowkey.Cond{rowkey.NotEq("c", "ab")}, func(v string) bool { return v != "ab" }},
				} {
					plan, err := s.Scan(append([]rowkey.Cond{cond, rowkey.FullScan()}, and.conds...)...)
					if err != nil { // the ends cross
						require.ErrorIs(t, err, rowkey.ErrInverted)
						require.False(t, slices.ContainsFunc(rows, func(r row) bool { return holds(r.copied) && and.holds(r.copied) }))
						continue
					}
					for i, r := range rows {
						name := fmt.Sprintf("%s %s %q: %q, copied as %q", s, name, x, texts[i], r.copied)
						want := holds(r.copied) && and.holds(r.copied)
						require.Equal(t, want, plan.Match(r.key), name)
						in := 0
						for x := range plan.Ranges() {
							if x.Contains(r.key) {
								in++
							}
						}
						if want || plan.Exact() {
							require.Equal(t, map[bool]int{true: 1}[want], in, name)
						}
					}
				}
			}
		}
	}
}

// A condition on a copy that no value satisfies leaves no row, also where the whole table is permitted.
func TestNothingOfACopy(t *testing.T) {
	for _, options := range []string{"left(2)", "right(2)", "left(2) right(1)", "right(1) left(1)", "reverse"} {
		s := rowkey.Must(rowkey.Parse("t", "[c=a "+options+"]['|'][a]"))
		for _, c := range []rowkey.Cond{rowkey.Span("c", "a", "a"), rowkey.In[string]("c")} {
			p, err := s.Scan(c, rowkey.FullScan())
			require.NoError(t, err, options)
			require.Zero(t, p.Len(), options)
		}
	}
}
