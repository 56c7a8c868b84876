package plan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// asked is a query, and the values of the field that satisfy it.
type asked[T any] struct {
	name  string
	conds []rowkey.Cond
	holds func(v T) bool
}

// row is a value and its key.
type row[T any] struct {
	v   T
	key []byte
}

// rowsOf are the rows of the values that a layout of one field takes.
func rowsOf[T any](s *rowkey.Schema, values []T) (rows []row[T]) {
	for _, v := range values {
		if key, err := s.AppendKey(nil, v); err == nil {
			rows = append(rows, row[T]{v, key})
		}
	}
	return rows
}

// holdRow holds a plan against a row: it matches if it satisfies the conditions, and then lies in one
// range. If the plan is exact, no other row lies in any. in is how many ranges hold it.
func holdRow(t *testing.T, plan *rowkey.Plan, key []byte, holds bool, message ...any) (in int) {
	t.Helper()
	for r := range plan.Ranges() {
		if r.Contains(key) {
			in++
		}
	}
	want := 0
	if holds {
		want = 1
	}
	require.Equal(t, holds, plan.Match(key), message...)
	if holds || plan.Exact() {
		require.Equal(t, want, in, message...)
	}
	return in
}

// holdCopies holds the plans of queries against their rows: all rows that match, each in one range,
// and no others if the plan is exact. want has a word for each query: how many rows lie in its
// ranges, and in how many ranges; ! if the plan is exact. It is "all" where only FullScan permits the plan.
func holdCopies[T any](t *testing.T, layout string, values []T, queries []asked[T], want string) {
	holdCopiesOf(t, rowkey.Must(rowkey.Parse("t", layout)), layout, values, queries, want)
}

func holdCopiesOf[T any](t *testing.T, s *rowkey.Schema, layout string, values []T, queries []asked[T], want string) {
	rows := rowsOf(s, values)
	var words []string
	for _, q := range queries {
		name := layout + ", " + q.name
		plan, err := s.Scan(q.conds...)
		got := ""
		if err != nil {
			require.ErrorIs(t, err, rowkey.ErrFullScan, name)
			got = "all"
			plan, err = s.Scan(append(q.conds, rowkey.FullScan())...)
			require.NoError(t, err, name)
		}
		read := 0
		for _, r := range rows {
			read += holdRow(t, plan, r.key, q.holds(r.v), "%s: %v", name, r.v)
		}
		if got == "all" && plan.Exact() {
			got = "all!"
		}
		if got == "" {
			got = fmt.Sprintf("%d/%d%s", read, plan.Len(), map[bool]string{true: "!"}[plan.Exact()])
		}
		words = append(words, got)
	}
	assert.Equal(t, want, strings.Join(words, " "), layout)
}

// What conditions ask of a text.

func is(x string) func(string) bool { return func(v string) bool { return v == x } }

func begins(p string) func(string) bool {
	return func(v string) bool { return strings.HasPrefix(v, p) }
}

func ends(p string) func(string) bool { return func(v string) bool { return strings.HasSuffix(v, p) } }

func from(lo, hi string) func(string) bool { return func(v string) bool { return v >= lo && v < hi } }

func both(f, g func(string) bool) func(string) bool {
	return func(v string) bool { return f(v) && g(v) }
}

func or(f, g func(string) bool) func(string) bool { return func(v string) bool { return f(v) || g(v) } }

// What a query says of a text limits the text's copies.
func TestTextsLimitCopies(t *testing.T) {
	texts := []string{""}
	for n := 0; n < len(texts) && len(texts) < 121; n++ {
		texts = append(texts, texts[n]+"a", texts[n]+"b", texts[n]+"c")
	}
	all := func(conds ...rowkey.Cond) []rowkey.Cond { return conds }
	queries := []asked[string]{
		{"Prefix a", all(rowkey.Prefix("a", "a")), begins("a")},
		{"Prefix ab", all(rowkey.Prefix("a", "ab")), begins("ab")},
		{"Prefix abc", all(rowkey.Prefix("a", "abc")), begins("abc")},
		{"Suffix b", all(rowkey.Suffix("a", "b")), ends("b")},
		{"Suffix ab", all(rowkey.Suffix("a", "ab")), ends("ab")},
		{"Suffix aab", all(rowkey.Suffix("a", "aab")), ends("aab")},
		{"two Suffixes", all(rowkey.Suffix("a", "ab"), rowkey.Suffix("a", "bab")), ends("bab")},
		{"one Suffix or another", all(rowkey.AnyOf(rowkey.Suffix("a", "cb"), rowkey.Suffix("a", "ab"))), or(ends("cb"), ends("ab"))},
		{"Suffixes of one copy", all(rowkey.AnyOf(rowkey.Suffix("a", "cab"), rowkey.Suffix("a", "cb"), rowkey.Suffix("a", "bab"))), or(ends("cab"), or(ends("cb"), ends("bab")))},
		{"Suffix or value", all(rowkey.AnyOf(rowkey.Suffix("a", "ab"), rowkey.Eq("a", "ccc"))), or(ends("ab"), is("ccc"))},
		{"Suffix or Prefix", all(rowkey.AnyOf(rowkey.Suffix("a", "ab"), rowkey.Prefix("a", "cc"))), or(ends("ab"), begins("cc"))},
		{"Prefix c, Suffix ab", all(rowkey.Prefix("a", "c"), rowkey.Suffix("a", "ab")), both(begins("c"), ends("ab"))},
		{"Prefix ca, Suffix ab", all(rowkey.Prefix("a", "ca"), rowkey.Suffix("a", "ab")), both(begins("ca"), ends("ab"))},
		{"Eq", all(rowkey.Eq("a", "ab")), is("ab")},
		{"In", all(rowkey.In("a", "b", "abc", "abca")), or(is("b"), or(is("abc"), is("abca")))},
		{"In of one copy", all(rowkey.In("a", "bbb", "bba")), or(is("bbb"), is("bba"))},
		{"abb to abca", all(rowkey.Span("a", "abb", "abca")), from("abb", "abca")},
		{"ab to b", all(rowkey.Span("a", "ab", "b")), from("ab", "b")},
		{"ab to bb", all(rowkey.Span("a", "ab", "bb")), from("ab", "bb")},
		{"from bc on", all(rowkey.AtLeast("a", "bc")), from("bc", "d")},
		{"from b on without bb", all(rowkey.AtLeast("a", "b"), rowkey.NotEq("a", "bb")), both(from("b", "d"), func(v string) bool { return v != "bb" })},
		{"abb to bbb", all(rowkey.Span("a", "abb", "bbb")), from("abb", "bbb")},
		{"ab to bb, or bc to cb", all(rowkey.AnyOf(rowkey.Span("a", "ab", "bb"), rowkey.Span("a", "bc", "cb"))), or(from("ab", "bb"), from("bc", "cb"))},
		{"below b, or from bb on", all(rowkey.AnyOf(rowkey.LessThan("a", "b"), rowkey.AtLeast("a", "bb"))), or(from("", "b"), from("bb", "d"))},
		{"below ab", all(rowkey.LessThan("a", "ab")), from("", "ab")},
	}
	for _, c := range [][2]string{
		{`[c=a left(2)]['|'][a]`, "40/1! 13/1! 4/1! all all all all all all all all 40/1 13/1 1/1! 3/3! 2/2! 5/1! 26/2! 40/3! 53/3! 80/2 53/4 67/4! 107/3! 15/3!"},
		{`[c=a left(2)][a minlen(2)]`, "39/1! 13/1! 4/1! all all all all all all all all 39/1 13/1 1/1! 2/2! 2/2! 5/1! 26/1! 39/1! 52/1! 78/1 52/1 65/2! 104/2! 13/1!"},
		{`[c=a left(1)][a minlen(1)]`, "40/1! 13/1! 4/1! all all all all all all all all 40/1 13/1 1/1! 3/3! 2/2! 5/1! 26/1! 80/1 80/1 80/1 80/1 120/1 all 40/1"},
		{`[c=a right(2)]['|'][a]`, "all all all all 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a right(2)][a minlen(2)]`, "all all all all 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 2/2! 2/2! all all all all all all all all all"},
		{`[c=a reverse]['|'][a]`, "all all all 40/1! 13/1! 4/1! 13/1 26/2! 21/2! 14/2 all 13/1 13/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a reverse]['--'][a]`, "all all all 40/1 13/1 4/1 13/1 26/2 21/2 14/2 all 13/1 13/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a right(2) reverse]['|'][a]`, "all all all 40/1! 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a left(2) reverse]['|'][a]`, "all 13/1! 4/1! all all all all all all all all all 13/1 1/1! 3/3! 2/2! 5/1! all all all all all all all all"},
		{`[c=a reverse left(2)]['|'][a]`, "all all all 40/1! 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a left(3) right(1)]['|'][a]`, "all all 4/1! all all all all all all all all all all 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a]['|'][a]`, "40/1! 13/1! 4/1! all all all all all all all all 40/1 13/1 1/1! 3/3! 2/2! 5/2! 26/2! 40/3! 53/3! 79/4! 40/5! 67/4! 107/3! 15/3!"},
		{`[c=a left(2) desc fixed(2)][a minlen(2)]`, "39/1! 13/1! 4/1! all all all all all all all all 39/1 13/1 1/1! 2/2! 2/2! 5/1! 26/1! 39/1! 52/1! 78/1 52/1 65/2! 104/2! 13/1!"},
		{`[c=a right(2) desc fixed(2)][a minlen(2)]`, "all all all all 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 2/2! 2/2! all all all all all all all all all"},
		{`[c=a right(2) pad(4,' ')][a]`, "all all all all 13/1! 13/1 13/1 26/2! 26/2 26/2 all 4/1 2/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a left(2) fixed(2)][a pad(4,'-') minlen(2)]`, "39/1! 13/1! 4/1 all all all all all all all all 39/1 13/1 1/1! 2/2! 2/2! 5/1 26/1! 39/1! 52/1! 78/1 52/1 65/2! 104/2! 13/1!"},
		{`[d=a left(1)]['|'][c=a right(1)]['|'][a]`, "40/1! 40/1 40/1 all all all all all all all all 13/1 4/1 1/1! 3/3! 2/2! 40/1 40/1 80/2 80/2 80/2 80/2 120/2 all 41/3"},
		{`[c=a right(1)]['|'][d=a left(1)]['|'][a]`, "all all all 40/1! 40/1 40/1 40/1 40/1 40/1 80/2 all 13/1 4/1 1/1! 3/3! 2/2! all all all all all all all all all"},
		{`[c=a left(2)]['|'][a oneof("ab","ba","abc")]`, "2/2! 2/2! 1/1! 1/1! 1/1! 0/0! 0/0! 1/1! 0/0! 1/1! 1/1! 0/0! 0/0! 1/1! 1/1! 0/0! 1/1! 2/2! all! 0/0! 1/1! 2/2! all! 2/2! 0/0!"},
		{`[c=a left(2)]['|'][a chars("ab")]`, "15/1! 7/1! 0/1! all all all all all all all all 0/1 0/1 1/1! 1/1! 2/2! 3/1! 7/2! 15/3! 0/3! 15/2 22/4 15/4! 23/3! 9/3!"},
		{`[c=a left(1) chars("ab")]['|'][a minlen(1)]`, "15/1 15/1 15/1 all all all all all all all all 0/1 0/1 1/1! 1/1! 2/2! 15/1 15/1 30/1 15/1 15/1 30/1 30/1 all 15/1"},
		{`[c=a right(1) oneof("a","b")]['|'][a]`, "all all all all all all all all all all all all all 0/0! 1/1! 0/0! all all all all all all all all all"},
		{`[c=a minlen(3) right(2) reverse]['|'][a]`, "all all all 36/1 12/1 12/1 12/1 24/2 24/2 24/2 all 12/1 12/1 0/0! 2/2! 2/2! all all all all all all all all all"},
		{`[c=a minlen(3) reverse left(2)]['|'][a]`, "all all all 36/1 12/1 12/1 12/1 24/2 24/2 24/2 all 12/1 12/1 0/0! 2/2! 2/2! all all all all all all all all all"},
		{`[c=a oneof("ccc","cab","bbb") right(2) reverse]['|'][a]`, "all all all 2/1 1/1 1/1 1/1 1/2 1/2 2/2 all 1/1 1/1 0/0! 0/0! 1/1! all all all all all all all all all"},
		{`[c=a codes("a":"x","ab":"y","abc":"z")]['|'][a]`, "all all all all all all all all all all all all all 1/1! 1/1! 0/0! all all all all all all all all all"},
		{`[a]['|'][c=a left(1)]`, "40/1! 13/1! 4/1! all all all all all all all all 40/1 13/1 1/1! 3/3! 2/2! 5/2! 26/2! 40/3! 53/3! 79/4! 40/5! 67/4! 107/3! 15/3!"},
	} {
		holdCopies(t, c[0], texts, queries, c[1])
	}
}

// What a query says of a copy of a text's end limits that copy, and no other.
func TestConditionsLimitCopies(t *testing.T) {
	texts := []string{""}
	for n := 0; n < len(texts) && len(texts) < 121; n++ {
		texts = append(texts, texts[n]+"a", texts[n]+"b", texts[n]+"c")
	}
	last := func(n int, f func(string) bool) func(string) bool {
		return func(v string) bool { return f(v[max(0, len(v)-n):]) }
	}
	all := func(conds ...rowkey.Cond) []rowkey.Cond { return conds }
	queries := []asked[string]{
		{"c from ab to bb", all(rowkey.Span("c", "ab", "bb")), last(2, from("ab", "bb"))},
		{"c from bb on", all(rowkey.AtLeast("c", "bb")), last(2, from("bb", "d"))},
		{"c from ab on, below cb", all(rowkey.AtLeast("c", "ab"), rowkey.LessThan("c", "cb")), last(2, from("ab", "cb"))},
		{"c from ab to bb, a ends in c", all(rowkey.Span("c", "ab", "bb"), rowkey.Suffix("a", "c")), both(last(2, from("ab", "bb")), ends("c"))},
		{"c from ab to bb, or ends in c", all(rowkey.AnyOf(rowkey.Span("c", "ab", "bb"), rowkey.Suffix("c", "c"))), func(v string) bool { return last(2, from("ab", "bb"))(v) || last(2, ends("c"))(v) }},
		{"c from ab to bb, a from b on", all(rowkey.Span("c", "ab", "bb"), rowkey.AtLeast("a", "b")), both(last(2, from("ab", "bb")), from("b", "d"))},
		{"d from b on", all(rowkey.AtLeast("d", "b")), last(1, from("b", "d"))},
		{"c from ab to bb, d from b on", all(rowkey.Span("c", "ab", "bb"), rowkey.AtLeast("d", "b")), both(last(2, from("ab", "bb")), last(1, from("b", "d")))},
		{"c from ab to b, and from bb on", all(rowkey.Span("c", "ab", "b"), rowkey.Span("c", "bb", "c")), func(string) bool { return false }},
		{"c from the empty text on", all(rowkey.AtLeast("c", "")), func(string) bool { return true }},
		{"c is bb", all(rowkey.Eq("c", "bb")), last(2, from("bb", "bb\x00"))},
	}
	for _, c := range [][2]string{
		{`[c=a right(2)]['|'][d=a right(1)]['|'][a]`, "40/3! 66/3! 80/3! all all 40/3 all all 0/0! all! 13/1!"},
		{`[d=a right(1)]['|'][c=a right(2)]['|'][a]`, "all all all 40/1 all all 80/2! all 0/0! all! 13/1!"},
		{`[c=a right(2) fixed(2)][d=a right(1)]['|'][a minlen(2)]`, "39/1! 65/1! 78/1! all all 39/1 all all 0/0! all! 13/1!"},
		{`[c=a right(2) reverse]['|'][d=a right(1)]['|'][a]`, "all all all 40/1 all all all all 0/0! all! 13/1!"},
		{`[c=a right(2) desc fixed(2)][d=a right(1)]['|'][a minlen(2)]`, "all all all all all all all all 0/0! all! 13/1!"},
		{`[c=a right(2) pad(3,'-')][d=a right(1)]['|'][a]`, "all all all all all all all all 0/0! all! 13/1!"},
		{`[c=a right(2) desc escaped][d=a right(1)]['|'][a]`, "all all all all all all all all 0/0! all! 13/1!"},
		{`[c=a right(2) escaped][d=a right(1)]['|'][a]`, "all all all all all all all all 0/0! all! 13/1!"},
		{`[a]['|'][c=a right(2)]['|'][d=a right(1)]`, "all all all all all 80/2 all all 0/0! all! all"},
	} {
		holdCopies(t, c[0], texts, queries, c[1])
	}
}

// Who asks a copy that stands too late is not sent to a layout that reverses the text.
func TestRefusalNamesTheCopy(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[a]['|'][c=a right(2)]`))
	_, err := s.Scan(rowkey.Span("c", "ab", "bb"))
	assert.ErrorContains(t, err, "its stored bytes do not show what the condition on its copy asks")
	_, err = s.Scan(rowkey.Suffix("a", "b"))
	assert.ErrorContains(t, err, "its stored bytes do not begin with a Suffix")
}

// What a query says of a number limits the number's copies.
func TestNumbersLimitCopies(t *testing.T) {
	var numbers []uint64
	for n := range uint64(400) {
		numbers = append(numbers, n)
	}
	all := func(conds ...rowkey.Cond) []rowkey.Cond { return conds }
	queries := []asked[uint64]{
		{"Eq", all(rowkey.Eq("n", 7)), func(v uint64) bool { return v == 7 }},
		{"Span", all(rowkey.Span("n", 7, 300)), func(v uint64) bool { return v >= 7 && v < 300 }},
		{"two spans", all(rowkey.LessThan("n", 300), rowkey.NotEq("n", 200)), func(v uint64) bool { return v < 300 && v != 200 }},
		{"from 100 on", all(rowkey.AtLeast("n", 100)), func(v uint64) bool { return v >= 100 }},
		{"up to 100", all(rowkey.AtMost("n", 100)), func(v uint64) bool { return v <= 100 }},
		{"from 380 on", all(rowkey.AtLeast("n", 380)), func(v uint64) bool { return v >= 380 }},
		{"few", all(rowkey.In("n", 1, 2, 200)), func(v uint64) bool { return v == 1 || v == 2 || v == 200 }},
	}
	for _, c := range [][2]string{
		{`[c=n][n:2]`, "1/1! 293/1! 299/2! 300/1! 101/1! 20/1! 3/3!"},
		{`[c=n desc][n:2]`, "1/1! 293/1! 299/2! 300/1! 101/1! 20/1! 3/3!"},
		{`[c=n decimal]['|'][n:2]`, "1/1! all all all all all 3/3!"},
		{`[c=n digits(3)][n:2]`, "1/1! 293/1! 299/2! 300/1! 101/1! 20/1! 3/3!"},
		{`[c=n below(300)][n:2]`, "1/1! 293/1! 299/2! 200/1! 101/1! 0/0! 3/3!"},
		{`[n:2][c=n]`, "1/1! 293/1! 299/2! 300/1! 101/1! 20/1! 3/3!"},
	} {
		holdCopies(t, c[0], numbers, queries, c[1])
	}
	holdCopiesOf(t, rowkey.New("t").Copy("c", "n", rowkey.Via(halved{})).Uint("n", 2).MustBuild(), "halved", numbers, queries, "1/1! all all all all all 3/3!")
}

// halved is a transform that keeps the order, and gives two numbers one form.
type halved struct{}

func (halved) Append(dst, v []byte) ([]byte, error) { return append(dst, v[0], v[1]/2), nil }
func (halved) Invert(dst, _ []byte) ([]byte, error) { return dst, errors.New("it is one way") }
func (halved) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Forward, OneWay: true, Size: 2}
}
func (halved) String() string { return "halved" }

// What a query says of a time limits the time's copies, which may count in another unit.
func TestTimesLimitCopies(t *testing.T) {
	at := func(hours int) time.Time { return time.Unix(0, 0).UTC().Add(time.Duration(hours) * time.Hour) }
	var times []time.Time
	for h := range 24 * 6 {
		times = append(times, at(h))
	}
	from := func(lo, hi int) func(time.Time) bool {
		return func(v time.Time) bool { return !v.Before(at(lo)) && v.Before(at(hi)) }
	}
	all := func(conds ...rowkey.Cond) []rowkey.Cond { return conds }
	var minutes []rowkey.Cond
	for i := range 70 {
		minutes = append(minutes, rowkey.Span("t", at(24).Add(time.Duration(2*i)*time.Minute), at(24).Add(time.Duration(2*i+1)*time.Minute)))
	}
	queries := []asked[time.Time]{
		{"Eq", all(rowkey.Eq("t", at(30))), from(30, 31)},
		{"a day", all(rowkey.Span("t", at(24), at(48))), from(24, 48)},
		{"part of a day", all(rowkey.Span("t", at(24), at(47))), from(24, 47)},
		{"two days", all(rowkey.Span("t", at(24), at(72))), from(24, 72)},
		{"over midnight", all(rowkey.Span("t", at(30), at(60))), from(30, 60)},
		{"to the end of a day", all(rowkey.Span("t", at(30), at(48))), from(30, 48)},
		{"two spans", all(rowkey.AnyOf(rowkey.Span("t", at(24), at(48)), rowkey.Span("t", at(72), at(80)))), func(v time.Time) bool { return from(24, 48)(v) || from(72, 80)(v) }},
		{"parts of a day", all(rowkey.AnyOf(rowkey.Span("t", at(24), at(30)), rowkey.Span("t", at(40), at(47)))), func(v time.Time) bool { return from(24, 30)(v) || from(40, 47)(v) }},
		{"an hour without its beginning", all(rowkey.Span("t", at(30), at(31)), rowkey.NotEq("t", at(30))), from(0, 0)},
		{"days, and an hour without its beginning", all(rowkey.AnyOf(rowkey.Span("t", at(30), at(31)), rowkey.Span("t", at(48), at(144))), rowkey.NotEq("t", at(30))), from(48, 144)},
		{"many parts of a day", all(rowkey.AnyOf(minutes...)), from(24, 27)},
		{"before an hour", all(rowkey.LessThan("t", at(130))), from(0, 130)},
		{"from a day on", all(rowkey.AtLeast("t", at(48))), from(48, 1000)},
		{"from an hour on", all(rowkey.AtLeast("t", at(50))), from(50, 1000)},
		{"before a day", all(rowkey.LessThan("t", at(48))), from(0, 48)},
		{"from years ago on", all(rowkey.AtLeast("t", time.Date(2150, 1, 1, 0, 0, 0, 0, time.UTC))), from(1e6, 1e6)},
	}
	for _, c := range [][2]string{
		{`[c=t d][ms(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/4! 13/2! 0/1! 96/10! 3/70! 130/6! 96/1! 96/1 48/2! 0/1!"},
		{`[c=t d width(1)][ms(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/4! 13/2! 0/1! 96/10! 3/70! 130/6! 96/1! 96/1 48/2! 0/0!"},
		{`[c=t d desc][ms(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/4! 13/2! 0/1! 96/10! 3/70! 130/6! 96/1! 96/1 48/2! 0/1!"},
		{`[c=t h width(3)][ms(t)]`, "1/1! 24/24! 23/23! 48/48! 30/30! 18/18! 32/64! 13/26! 0/1! 97/2 3/210! 130/1! 96/1! 94/1! 48/48! 0/1!"},
		{`[c=t layout("20060102",+00:00)][ms(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/4! 13/2! 0/1! 96/10! 3/70! 130/6! 96/1! 96/1 48/2! 0/1!"},
		{`[c=t layout("200601",+08:00)][ms(t)]`, "1/1! 24/1! 23/1! 48/1! 30/1! 18/1! 32/2! 13/2! 0/1! 96/2! 3/70! 130/1! 144/1 144/1 48/1! 0/1"},
		{`[c=t ns][ms(t)]`, "1/1! 24/1! 23/1! 48/1! 30/1! 18/1! 32/2! 13/2! 0/1! 96/2! 3/70! 130/1! 96/1 94/1 48/1! 0/1"},
		{`[c=t d][layout("2006010215",+00:00)(t)]`, "1/1! 24/3! 23/3! 48/6! 30/5! 18/3! 32/4! 13/3! 0/0! 96/4! 3/1 130/6! 96/1! 96/1 48/6! 0/1!"},
		{`[c=t d][ms(t) truncate(1h)]`, "1/1! 24/24! 23/23! 48/48! 30/30! 18/18! 32/32! 13/13! 0/0! 96/4! 3/3 130/6! 96/1! 96/1 48/48! 0/1!"},
		{`[c=t d][h(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/2! 13/2! 0/0! 96/4! 3/1 130/6! 96/1! 96/1 48/2! 0/1!"},
		{`[c=t d][max-ms(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/4! 13/2! 0/1! 96/10! 3/70! 130/6! 96/1! 96/1 48/2! 0/1!"},
		{`[c=t ms][h(t)]`, "1/1! 24/24! 23/23! 48/48! 30/30! 18/18! 32/32! 13/13! 0/0! 96/1! 3/3 130/1! 96/1 94/1 48/48! 0/1"},
		{`[c=t ms][h(t) width(1)]`, "1/1! 24/24! 23/23! 48/48! 30/30! 18/18! 32/32! 13/13! 0/0! 96/1! 3/3 130/1! 96/1! 94/1! 48/48! 0/0!"},
		{`[c=t d decimal]['|'][ms(t)]`, "1/1! all all all all all all all all all all all all all all all"},
		{`[c=t d years(1970,1971)][h(t)]`, "1/1! 24/1! 23/1! 48/2! 30/2! 18/1! 32/2! 13/2! 0/0! 96/4! 3/1 130/6! 96/1! 96/1 48/2! 0/0!"},
	} {
		holdCopies(t, c[0], times, queries, c[1])
	}
	late := rowkey.NewUnit("late", time.Hour, // it counts from 48 hours on
		func(v time.Time) int64 { return int64(v.Sub(at(48)) / time.Hour) }, func(n int64) time.Time { return at(48 + int(n)) })
	holdCopiesOf(t, rowkey.New("t").Copy("c", "t", late).Time("t", rowkey.Hours).MustBuild(), "late", times, queries, "0/0! 0/0! 0/0! 24/24! 12/12! 0/0! 8/8! 0/0! 0/0! 96/1 0/0! 82/1 96/1 94/1 0/0! 0/1")
}

// A copy decides a condition on a field that stands after the ranges' stop if no two values have one copy.
func TestCopiesDecide(t *testing.T) {
	plain := rowkey.New("t").Copy("c", "n").Uint("x", 8).Uint("n", 2).MustBuild()
	merged := rowkey.New("t").Copy("c", "n", rowkey.Via(halved{})).Uint("x", 8).Uint("n", 2).MustBuild()
	for s, exact := range map[*rowkey.Schema]bool{plain: true, merged: false} {
		plan, err := s.Scan(rowkey.Eq("n", 6))
		require.NoError(t, err)
		assert.Equal(t, exact, plan.Exact())
		for n, match := range map[uint64]bool{6: true, 7: false} {
			key, err := s.AppendKey(nil, 1, n)
			require.NoError(t, err)
			in := holdRow(t, plan, key, match)
			assert.Equal(t, match || !exact, in == 1)
		}
	}
}

// A copy that is cut twice may be that of other texts.
func TestCopiesCutTwice(t *testing.T) {
	for options, exact := range map[string]bool{"left(3)": true, "left(3) right(1)": false} {
		plan, err := rowkey.Must(rowkey.Parse("t", "[c=a "+options+"]['|'][x:8][a]")).Scan(rowkey.Prefix("a", "abc"))
		require.NoError(t, err)
		assert.Equal(t, exact, plan.Exact(), options)
	}
}

// A copy of a field that the query leaves open has all its values.
func TestOpenCopies(t *testing.T) {
	for _, options := range []string{"left(2)", "right(2)", "reverse", "reverselabels(\".\")", ""} {
		s := rowkey.Must(rowkey.Parse("t", strings.TrimSuffix("[c=a "+options, " ")+"]['|'][n:1][a]"))
		plan, err := s.Scan(rowkey.Eq("n", 1), rowkey.FullScan())
		require.NoError(t, err)
		for _, a := range []string{"", "a", "abc"} {
			key, err := s.AppendKey(nil, 1, a)
			require.NoError(t, err)
			holdRow(t, plan, key, true, s)
		}
	}
}

// gone is a transform that panics where a text begins with "ab".
type gone struct{}

func (gone) Append(dst, v []byte) ([]byte, error) {
	if strings.HasPrefix(string(v), "ab") {
		panic("gone")
	}
	return append(append(dst, v...), "__"[len(v):]...), nil
}
func (gone) Invert(dst, _ []byte) ([]byte, error) { return dst, errors.New("it is one way") }
func (gone) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, OneWay: true, Size: 2}
}
func (gone) String() string { return "gone" }

// A panic of a caller's step or unit for a copy is the query's error: no row is left out without a word.
func TestPanicsForCopies(t *testing.T) {
	s := rowkey.New("t").Copy("c", "a", rowkey.Left(2), rowkey.Via(gone{})).String("a").MustBuild()
	_, err := s.Scan(rowkey.Prefix("a", "abc"))
	assert.ErrorContains(t, err, "gone")
	plan, err := s.Scan(rowkey.Prefix("a", "bbc"))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
	moody := rowkey.NewUnit("moody", time.Hour, func(v time.Time) int64 { return v.Unix() / 3600 }, func(n int64) time.Time {
		if n == 30 {
			panic("gone")
		}
		return time.Unix(n*3600, 0).UTC()
	})
	s = rowkey.New("t").Copy("c", "t", rowkey.Days).Time("t", moody).MustBuild()
	_, err = s.Scan(rowkey.MoreThan("t", time.Unix(29*3600, 0)))
	assert.ErrorContains(t, err, "unit moody: panicked")
	_, err = s.Scan(rowkey.AtLeast("t", time.Unix(31*3600, 0)))
	assert.NoError(t, err)
}
