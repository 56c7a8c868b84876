package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
				"AnyOf": func() (rowkey.Cond, func(string) bool) { // not in their order
					return rowkey.AnyOf(rowkey.Eq("c", y), rowkey.Eq("c", x), rowkey.Prefix("c", y)), func(v string) bool { return v == x || strings.HasPrefix(v, y) }
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
	p, err := rowkey.Must(rowkey.Parse("t", "[c=a left(2)]['|'][a]")).Scan(rowkey.Span("c", "abb", "abc")) // longer than any copy
	require.NoError(t, err)
	require.Zero(t, p.Len())
}

// hold holds a plan against rows: it matches those that satisfy the conditions, each of which lies in
// one range. If the plan is exact, its ranges hold no others.
func hold[T any](t *testing.T, s *rowkey.Schema, name string, values []T, holds func(v T) bool, conds ...rowkey.Cond) {
	t.Helper()
	plan, err := s.Scan(append(conds, rowkey.FullScan())...)
	require.NoError(t, err, name)
	for _, v := range values {
		key, err := s.AppendKey(nil, v)
		if err != nil {
			continue
		}
		require.Equal(t, holds(v), plan.Match(key), "%s: %v", name, v)
		in := 0
		for x := range plan.Ranges() {
			if x.Contains(key) {
				in++
			}
		}
		if holds(v) || plan.Exact() {
			require.Equal(t, map[bool]int{true: 1}[holds(v)], in, "%s: %v", name, v)
		}
	}
}

// A condition on a copy of a time admits the times of its days, hours or months.
func TestConditionsOnCopiesOfTimes(t *testing.T) {
	at := func(hours int) time.Time { return time.Unix(int64(hours)*3600, 0).UTC() }
	var times []time.Time
	for h := range 24 * 62 {
		if h < 100 || h%24 == 0 || h%24 == 23 {
			times = append(times, at(h))
		}
	}
	day := func(v time.Time) time.Time { return v.Truncate(24 * time.Hour) }
	hour := func(v time.Time) time.Time { return v.Truncate(time.Hour) }
	month := func(v time.Time) time.Time { return time.Date(v.Year(), v.Month(), 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		layout string
		unit   func(time.Time) time.Time
		x, y   time.Time // each begins a step of the copy's unit
	}{
		{`[c=t d][ms(t)]`, day, at(24), at(72)},
		{`[c=t d][ms(t)]`, day, at(0), at(24)},
		{`[c=t d desc][ms(t)]`, day, at(48), at(72)},
		{`[c=t d width(1)][h(t)]`, day, at(24), at(72)},
		{`[c=t d][ms(t) years(1970,1970)]`, day, at(24), at(72)},
		{`[c=t h][s(t)]`, hour, at(5), at(7)},
		{`[c=t layout("20060102",+00:00)][ms(t)]`, day, at(24), at(72)},
		{`[c=t layout("200601",+00:00)][ms(t)]`, month, at(31 * 24), at(59 * 24)},
		{`[c=t d][ms(t) truncate(2h)]`, day, at(24), at(72)},
		{`[c=t h][d(t)]`, day, at(24), at(72)},
		{`[c=t h][d(t) width(1)]`, day, at(24), at(72)},
		{`[c=t d][ns(t)]`, day, at(24), at(72)},
		{`[c=t ms][h(t)]`, hour, at(5), at(7)},
		{`[ms(t)][c=t d]`, day, at(24), at(72)},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		x, y, finer := c.x, c.y, c.x.Add(1300*time.Millisecond)
		for name, q := range map[string]struct {
			conds []rowkey.Cond
			holds func(v time.Time) bool
		}{
			"Eq":             {[]rowkey.Cond{rowkey.Eq("c", x)}, func(v time.Time) bool { return v.Equal(x) }},
			"NotEq":          {[]rowkey.Cond{rowkey.NotEq("c", x)}, func(v time.Time) bool { return !v.Equal(x) }},
			"In":             {[]rowkey.Cond{rowkey.In("c", x, y)}, func(v time.Time) bool { return v.Equal(x) || v.Equal(y) }},
			"Span":           {[]rowkey.Cond{rowkey.Span("c", x, y)}, func(v time.Time) bool { return !v.Before(x) && v.Before(y) }},
			"AtLeast":        {[]rowkey.Cond{rowkey.AtLeast("c", x)}, func(v time.Time) bool { return !v.Before(x) }},
			"AtMost":         {[]rowkey.Cond{rowkey.AtMost("c", x)}, func(v time.Time) bool { return !v.After(x) }},
			"MoreThan":       {[]rowkey.Cond{rowkey.MoreThan("c", x)}, func(v time.Time) bool { return v.After(x) }},
			"LessThan":       {[]rowkey.Cond{rowkey.LessThan("c", x)}, func(v time.Time) bool { return v.Before(x) }},
			"two":            {[]rowkey.Cond{rowkey.AtLeast("c", x), rowkey.NotEq("c", y)}, func(v time.Time) bool { return !v.Before(x) && !v.Equal(y) }},
			"and its source": {[]rowkey.Cond{rowkey.AtLeast("c", x), rowkey.LessThan("t", y)}, func(v time.Time) bool { return !v.Before(x) && v.Before(y) }},
			"none":           {[]rowkey.Cond{rowkey.AtLeast("c", time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC))}, func(time.Time) bool { return false }},
			"all":            {[]rowkey.Cond{rowkey.LessThan("c", time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC))}, func(time.Time) bool { return true }},
		} {
			hold(t, s, c.layout+" "+name, times, func(v time.Time) bool { return q.holds(c.unit(v)) }, q.conds...)
		}
		if c.unit(finer).Equal(x) && !strings.HasPrefix(c.layout, "[c=t ms]") { // a time within a step stands for the step
			hold(t, s, c.layout+" finer", times, func(v time.Time) bool { return c.unit(v).Equal(x) }, rowkey.Eq("c", finer))
			plan, err := s.Scan(rowkey.Eq("c", finer), rowkey.FullScan())
			require.NoError(t, err)
			require.False(t, plan.Exact(), c.layout)
		}
	}
	// A unit may count from a later instant than that of the copy, or of the source.
	late := rowkey.NewUnit("late", time.Hour,
		func(v time.Time) int64 { return int64(v.Sub(at(48)) / time.Hour) }, func(n int64) time.Time { return at(48 + int(n)) })
	for _, q := range []struct {
		cond       rowkey.Cond
		days, late [2]int // hours, of a copy in days and of a late one
	}{
		{rowkey.LessThan("c", at(48)), [2]int{}, [2]int{}},
		{rowkey.AtMost("c", at(0)), [2]int{}, [2]int{}},
		{rowkey.Eq("c", at(24)), [2]int{}, [2]int{}},
		{rowkey.Eq("c", at(48)), [2]int{48, 72}, [2]int{48, 49}},
		{rowkey.AtLeast("c", at(24)), [2]int{48, 9999}, [2]int{48, 9999}},
		{rowkey.AtLeast("c", at(72)), [2]int{72, 9999}, [2]int{72, 9999}},
		{rowkey.LessThan("c", at(72)), [2]int{48, 72}, [2]int{48, 72}},
	} {
		between := func(hours [2]int) func(time.Time) bool {
			return func(v time.Time) bool { return !v.Before(at(hours[0])) && v.Before(at(hours[1])) }
		}
		s := rowkey.New("t").Copy("c", "t", rowkey.Days).Time("t", late).MustBuild()
		hold(t, s, fmt.Sprint("days of late ", q), times, between(q.days), q.cond)
		s = rowkey.New("t").Copy("c", "t", late).Time("t", rowkey.Hours).MustBuild()
		hold(t, s, fmt.Sprint("late of hours ", q), times, between(q.late), q.cond)
	}
	// A single time of the source is named by its copy, and so are its keys.
	s := rowkey.Must(rowkey.Parse("t", `[c=t h][h(t)]`))
	for keys, c := range []rowkey.Cond{rowkey.AtLeast("c", at(5)), rowkey.Eq("c", at(5)), rowkey.In("c", at(5), at(9))} {
		plan, err := s.Scan(c)
		require.NoError(t, err)
		require.Len(t, slices.Collect(plan.Keys()), keys)
	}
	s = rowkey.Must(rowkey.Parse("t", `[c=t d][h(t)]`)) // a day is 24 of them
	plan, err := s.Scan(rowkey.Eq("c", at(24)))
	require.NoError(t, err)
	require.Empty(t, slices.Collect(plan.Keys()))
}

// A condition on a copy of a number, of a decimal number or of a text with blanks at its end is one on
// the value.
func TestConditionsOnCopiesOfValues(t *testing.T) {
	var numbers []int
	for n := range 40 {
		numbers = append(numbers, n)
	}
	for _, layout := range []string{`[c=n][n:2]`, `[c=n desc][n:2]`, `[c=n digits(2)][n:2]`, `[c=n decimal]['|'][n:2]`} {
		s := rowkey.Must(rowkey.Parse("t", layout))
		hold(t, s, layout, numbers, func(v int) bool { return v == 7 }, rowkey.Eq("c", 7))
		hold(t, s, layout, numbers, func(v int) bool { return v >= 7 && v != 9 }, rowkey.AtLeast("c", 7), rowkey.NotEq("c", 9))
	}
	decimal := rowkey.Must(rowkey.Parse("t", `orderedbytes [c=a][a numeric]`))
	values := []string{"-2", "0", "1.5", "2", "10", "100"} // in their order
	for i, x := range values {
		hold(t, decimal, x, values, func(v string) bool { return v == x }, rowkey.Eq("c", x))
		hold(t, decimal, x, values, func(v string) bool { return slices.Index(values, v) >= i }, rowkey.AtLeast("c", x))
	}
	texts := []string{"", "a", "ab", "b"}
	for _, layout := range []string{`phoenix [c=a pad(4,' ')][a pad(4,' ')]`, `phoenix [c=a][a pad(4,' ')]`, `phoenix [c=a reverse][a pad(4,' ')]`} {
		s := rowkey.Must(rowkey.Parse("t", layout))
		hold(t, s, layout, texts, func(v string) bool { return v == "a" }, rowkey.Eq("c", "a "))
		hold(t, s, layout, texts, func(v string) bool { return v == "a" || v == "b" }, rowkey.In("c", "b  ", "a "))
		hold(t, s, layout, texts, func(v string) bool { return v >= "a" && v < "b" }, rowkey.Span("c", "a ", "b "))
		hold(t, s, layout, texts, func(v string) bool { return v == "a" }, rowkey.AtLeast("c", "a "), rowkey.AtMost("c", "a"))
	}
	// A copy of a beginning may end in a blank of its own.
	s := rowkey.Must(rowkey.Parse("t", `phoenix [c=a left(2)][a pad(4,' ')]`))
	hold(t, s, "left", []string{"", "a", "a b", "ab"}, func(v string) bool { return v == "a b" }, rowkey.Eq("c", "a "))
	hold(t, s, "left", []string{"", "a", "a b", "ab"}, func(v string) bool { return v == "a" }, rowkey.Eq("c", "a"))
	// The keys of values that a condition on a whole copy names are known.
	for _, layout := range []string{`[c=a]['|'][a]`, `[c=a reverse]['|'][a]`} {
		plan, err := rowkey.Must(rowkey.Parse("t", layout)).Scan(rowkey.In("c", "ab", "b"))
		require.NoError(t, err)
		require.Len(t, slices.Collect(plan.Keys()), 2)
	}
}

// A copy that is cut after its bytes became others, by a step or a code, cannot be asked: its value
// would be a part of the text, and it writes a part of something else.
func TestCopiesCutLate(t *testing.T) {
	for _, layout := range []string{
		`[c=a codes("abc":"xyz","bcd":"yzw") right(2)]['|'][a]`, `[c=a codes("abc":"xyz","bcd":"yzw") left(1)]['|'][a]`,
		`[c=a reverserune left(2)]['|'][a]`, `[c=a reverselabels(".") right(2)]['|'][a]`, `[c=a reversepart(0,2) left(2)]['|'][a]`,
	} {
		_, err := rowkey.Must(rowkey.Parse("t", layout)).Scan(rowkey.Eq("c", "xy"), rowkey.FullScan())
		require.ErrorIs(t, err, rowkey.ErrField, layout)
		require.ErrorContains(t, err, "is cut after another step: ask for a", layout)
	}
	s := rowkey.Must(rowkey.Parse("t", `[c=a codes("abc":"xyz","bcd":"yzw") reverse]['|'][a]`)) // its value is the text
	hold(t, s, "codes", []string{"abc", "bcd"}, func(v string) bool { return v == "abc" }, rowkey.Eq("c", "abc"))
}
