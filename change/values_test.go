package change_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// minusZero is −0, which some layouts have and others do not.
var minusZero = math.Copysign(0, -1)

// valueLayouts are ways to write a float, a text and a number. They differ in the values
// that they have: one zero or two, nulls, empty texts.
var valueLayouts = [][]string{
	{"[x:f8]", "[x:f8 phoenix]", "[x:f8 orderedbytes]", "[x:f8 unsigned phoenix]", "[x:f8 hbase]", "[x:f8 desc]", "[x:f8 desc phoenix]"},
	{"[b optional phoenix]", "[b optional orderedbytes]", "[b desc optional phoenix]", "[b desc optional orderedbytes]", "[b escaped]", "[b escaped optional phoenix]", "[b escaped desc optional phoenix]"},
	{"[c:1]", "[c:2]", "[c:4 orderedbytes]", "[c:1 desc]"},
}

// randomValues is a schema of the three, mostly in the sequence of another one.
func randomValues(r *rand.Rand, generation int, sequence []int) *rowkey.Schema {
	sequence = slices.Clone(sequence)
	if r.IntN(5) == 0 {
		r.Shuffle(len(sequence), func(i, j int) { sequence[i], sequence[j] = sequence[j], sequence[i] })
	}
	var b strings.Builder
	for _, n := range sequence {
		b.WriteString(valueLayouts[n][r.IntN(len(valueLayouts[n]))])
	}
	s, err := rowkey.Parse(fmt.Sprintf("g%d", generation), b.String())
	if err != nil {
		return randomValues(r, generation, sequence)
	}
	return s
}

// valuesOf are the values of a key, as text: −0 is not 0, and a null is not "".
func valuesOf(t testing.TB, s *rowkey.Schema, key []byte) map[string]string {
	row, err := s.Decode(key)
	require.NoError(t, err, "%v %x", s, key)
	values := map[string]string{}
	for name, v := range row.All() {
		values[name] = fmt.Sprintf("%#v", v)
	}
	return values
}

// valueWorld is generations of layouts with different values, and rows in them.
type valueWorld struct {
	gens  *change.Generations
	store tables
	want  []string // the rows' keys in the newest layout
	told  int      // rows that another generation cannot hold
	lost  int      // of these, that the newest cannot
}

func newValueWorld(t testing.TB, r *rand.Rand) *valueWorld {
	w := &valueWorld{want: []string{}}
	sequence := r.Perm(3)
	var schemas []*rowkey.Schema
	for range 20 { // until there is one order, or sooner
		schemas = nil
		for i := range 2 + r.IntN(2) {
			schemas = append(schemas, randomValues(r, i, sequence))
		}
		var err error
		w.gens, err = change.Of(schemas[0], schemas[1:]...)
		require.NoError(t, err)
		p, err := w.gens.Scan(rowkey.FullScan())
		require.NoError(t, err)
		if p.Ordered() == nil || r.IntN(10) == 0 {
			break
		}
	}
	w.store.keys = make([][][]byte, len(schemas))
	last := len(schemas) - 1
	for range r.IntN(30) {
		gen := r.IntN(len(schemas))
		values := map[string]any{"x": []any{-1.0, minusZero, 0.0, 1.0}[r.IntN(4)], "b": []any{nil, "", "a", "ab"}[r.IntN(4)], "c": r.IntN(3)}
		var row []any
		for f := range schemas[gen].Fields() {
			row = append(row, values[f.Name])
		}
		key, err := schemas[gen].AppendKey(nil, row...)
		if err != nil { // a null or a negative number that the layout does not have
			continue
		}
		for to := range schemas {
			w.told += w.held(t, key, gen, to)
		}
		newest, err := w.gens.Key(nil, key, gen, last)
		if err != nil || !maps.Equal(valuesOf(t, schemas[last], newest), valuesOf(t, schemas[gen], key)) {
			w.lost++
			continue
		}
		if slices.Contains(w.want, string(newest)) {
			continue
		}
		w.want = append(w.want, string(newest))
		w.store.keys[gen] = append(w.store.keys[gen], key)
	}
	return w
}

// held holds a key against the law: it has the same values in another generation, and the
// same key when it is turned back, or else the error names the field. It is 1 if it has an error.
func (w *valueWorld) held(t testing.TB, key []byte, from, to int) int {
	own, err := w.gens.Key(nil, key, from, to)
	if err != nil {
		var of *rowkey.Error
		require.ErrorAs(t, err, &of)
		require.Contains(t, []string{"x", "b", "c"}, of.Field)
		return 1
	}
	require.Equal(t, valuesOf(t, w.gens.Schema(from), key), valuesOf(t, w.gens.Schema(to), own), "%v to %v: %x", w.gens.Schema(from), w.gens.Schema(to), key)
	back, err := w.gens.Key(nil, own, to, from)
	require.NoError(t, err)
	require.Equal(t, key, back)
	return 0
}

// keys are the newest keys of a plan's rows, in the order in which they come.
func (w *valueWorld) keys(t testing.TB, p *change.Plan) (keys []string, tokens [][]byte) {
	keys = []string{}
	for f, err := range change.Merge(context.Background(), p, 1, w.store.open, same) {
		require.NoError(t, err, "%v, %v", w.gens.Schema(0), w.gens.Newest())
		key, err := w.gens.Key(nil, f.Row, f.Generation, w.gens.Len()-1)
		require.NoError(t, err)
		keys = append(keys, string(key))
		token, err := p.Token(f.Generation, f.Row)
		if err == nil {
			tokens = append(tokens, token)
		}
	}
	return keys, tokens
}

// TestLawValues: generations whose layouts differ in the values that they have (one zero or
// two, nulls, empty texts) are read like others: every row once, whole, page by page, from
// a token on, turned round there, and unordered. No key stands for another row.
func TestLawValues(t *testing.T) {
	ordered, told, lost, passed := 0, 0, 0, 0
	cases(t, 4000, func(t *testing.T, r *rand.Rand) {
		w := newValueWorld(t, r)
		told, lost = told+w.told, lost+w.lost
		p, err := w.gens.Scan(rowkey.FullScan())
		require.NoError(t, err)
		if r.IntN(2) == 0 {
			p = p.Reversed()
		}
		newest := p.Of(w.gens.Len() - 1)
		slices.SortFunc(w.want, func(a, b string) int { return newest.Compare([]byte(a), []byte(b)) })
		if p.Ordered() != nil {
			p = p.SortedWithin(len(w.want) + 3)
		} else {
			ordered++
		}
		all, tokens := w.keys(t, p)
		require.Equal(t, w.want, all)

		size := 1 + r.IntN(3)
		got := []string{}
		for page := p.Limit(size); ; {
			rows, marks := w.keys(t, page)
			if got = append(got, rows...); len(rows) < size {
				break
			}
			require.LessOrEqual(t, len(got), len(all), "pages without end: %v, %v", w.gens.Schema(0), w.gens.Newest())
			page, err = p.Limit(size).Resume(marks[len(marks)-1])
			require.NoError(t, err)
		}
		require.Equal(t, all, got, "%v, %v", w.gens.Schema(0), w.gens.Newest())
		if len(all) < 2 {
			return
		}
		a := r.IntN(len(all))
		b := a + r.IntN(len(all)-a)
		rest, err := p.Resume(tokens[a])
		require.NoError(t, err)
		for i, keys := range w.store.keys {
			for _, key := range keys {
				own, err := w.gens.Key(nil, key, i, w.gens.Len()-1)
				require.NoError(t, err)
				if rest.Passed(i, own) {
					require.False(t, slices.Contains(all[a+1:], string(own)))
					passed++
				}
			}
		}
		unordered, _ := w.keys(t, rest.Unordered())
		require.ElementsMatch(t, all[a+1:], unordered)
		turned := slices.Clone(all[a+1:])
		slices.Reverse(turned)
		got, _ = w.keys(t, rest.Reversed())
		require.Equal(t, turned, got, "turned round")
		if b > a { // between two places, from both sides
			between, err := rest.Reversed().Resume(tokens[b])
			require.NoError(t, err)
			got, _ = w.keys(t, between)
			require.Equal(t, turned[len(turned)-(b-a-1):], got)
		}
		other, err := p.Resume(tokens[b])
		require.NoError(t, err)
		other, err = other.Resume(tokens[a]) // a part does not become larger
		require.NoError(t, err)
		got, _ = w.keys(t, other)
		require.Equal(t, all[b+1:], got)
	})
	if os.Getenv("ROWKEY_LAWS") == "" && !testing.Short() {
		assert.Greater(t, ordered, 75)
		assert.Greater(t, told, 75)
		assert.Greater(t, lost, 75)
		assert.Greater(t, passed, 75)
	}
}

// TestResumeWhereNoRowIs: the token's row is none of the older layout, and the row that its
// key would be of stands at another place.
func TestResumeWhereNoRowIs(t *testing.T) {
	for _, c := range []struct {
		old, new   string
		olds, news [][]any
	}{
		{"[x:f8][c:1]", "[x:f8 phoenix][c:1]", [][]any{{0.0, 2}, {0.0, 9}}, [][]any{{minusZero, 5}, {1.0, 5}}},
		{"[x:f8][c:1]", "[x:f8 orderedbytes][c:1]", [][]any{{0.0, 2}, {0.0, 9}}, [][]any{{minusZero, 5}, {1.0, 5}}},
		{"[x:f8 unsigned phoenix][c:1]", "[x:f8 phoenix][c:1]", [][]any{{0.0, 2}, {0.0, 9}}, [][]any{{minusZero, 5}, {1.0, 5}}},
		{"[b optional phoenix][c:1 phoenix]", "[b optional orderedbytes][c:1]", [][]any{{nil, 2}, {nil, 9}}, [][]any{{"", 1}, {"", 5}}},
	} {
		old, newest := rowkey.Must(rowkey.Parse("old", c.old)), rowkey.Must(rowkey.Parse("new", c.new))
		w := &valueWorld{store: tables{keys: make([][][]byte, 2)}}
		var err error
		w.gens, err = change.Of(old, newest)
		require.NoError(t, err)
		for gen, rows := range [][][]any{c.olds, c.news} {
			for _, row := range rows {
				key, err := w.gens.Schema(gen).AppendKey(nil, row...)
				require.NoError(t, err)
				w.store.keys[gen] = append(w.store.keys[gen], key)
			}
		}
		forward, err := w.gens.Scan(rowkey.FullScan())
		require.NoError(t, err)
		require.NoError(t, forward.Ordered())
		for _, p := range []*change.Plan{forward, forward.Reversed()} {
			all, tokens := w.keys(t, p)
			require.Len(t, all, 4)
			for i, token := range tokens {
				rest, err := p.Resume(token)
				require.NoError(t, err)
				got, _ := w.keys(t, rest)
				assert.Equal(t, all[i+1:], got, "%s, %s, behind row %d", c.old, c.new, i)
			}
		}
	}
}

// TestResumeAfterForeignRow: a token of a query with other conditions is the place in the order of
// the newest generation. In an older one its row may stand before all rows of this query or after
// them.
func TestResumeAfterForeignRow(t *testing.T) {
	for _, notations := range [][2]string{{"[a:1][b:1]", "[b:1][a:1]"}, {"[salt4(a)][a:1][b:1]", "[b:1][a:1 desc]"}} {
		old, newest := rowkey.Must(rowkey.Parse("old", notations[0])), rowkey.Must(rowkey.Parse("new", notations[1]))
		w := &valueWorld{store: tables{keys: make([][][]byte, 2)}}
		var err error
		w.gens, err = change.Of(old, newest)
		require.NoError(t, err)
		var places [][]byte // of the rows that match, in the newest
		for b := range 8 {
			values := []any{1, 2 * b}
			if b%2 == 1 {
				values = []any{2 * b, 1}
			}
			key, err := w.gens.Schema(b%2).AppendKey(nil, values...)
			require.NoError(t, err)
			w.store.keys[b%2] = append(w.store.keys[b%2], key)
			place, err := newest.AppendKey(nil, 2*b, 1)
			require.NoError(t, err)
			places = append(places, place)
		}
		forward, err := w.gens.Scan(rowkey.Eq("a", 1))
		require.NoError(t, err)
		require.NoError(t, forward.Ordered())
		for _, p := range []*change.Plan{forward, forward.Reversed()} {
			for a := range 3 {
				for b := range 16 {
					foreign, err := newest.AppendKey(nil, b, a)
					require.NoError(t, err)
					want := []string{}
					for _, place := range places {
						if p.Of(1).Compare(place, foreign) > 0 {
							want = append(want, string(place))
						}
					}
					if p.IsReversed() {
						slices.Reverse(want)
					}
					rest, err := p.Resume(p.Of(1).Token(foreign))
					require.NoError(t, err)
					got, _ := w.keys(t, rest)
					assert.Equal(t, want, got, "%v, reversed: %t, after a = %d, b = %d", notations, p.IsReversed(), a, b)
				}
			}
		}
	}
}

// TestNullsHaveAnOrder: nulls that come first in one generation and last in another have no
// common order with it.
func TestNullsHaveAnOrder(t *testing.T) {
	for _, c := range []struct {
		old, new string
		field    string
	}{
		{"[b desc optional phoenix][c:1 phoenix]", "[b desc optional orderedbytes][c:1]", "b"},
		{"[b optional phoenix][c:1 phoenix]", "[b optional orderedbytes][c:1]", ""},
		{"[b desc optional orderedbytes][c:1]", "[b desc optional orderedbytes][c:2]", ""},
	} {
		g, err := change.Of(rowkey.Must(rowkey.Parse("old", c.old)), rowkey.Must(rowkey.Parse("new", c.new)))
		require.NoError(t, err)
		p, err := g.Scan(rowkey.FullScan())
		require.NoError(t, err)
		if c.field == "" {
			assert.NoError(t, p.Ordered(), c.old)
			continue
		}
		var of *rowkey.Error
		require.ErrorAs(t, p.Ordered(), &of, c.old)
		assert.Equal(t, c.field, of.Field)
	}
}

// TestTimesOfOtherSteps: days of +08:00 are no days of UTC, and no day but the first is a month.
func TestTimesOfOtherSteps(t *testing.T) {
	utc, east := rowkey.Must(rowkey.Parse("utc", "[d(at)]")), rowkey.Must(rowkey.Parse("east", `[layout("20060102",+08:00)(at)]`))
	_, err := change.Of(utc, east)
	require.ErrorIs(t, err, rowkey.ErrSchema)
	_, err = change.Of(rowkey.Must(rowkey.Parse("ms", "[ms(at)]")), rowkey.Must(rowkey.Parse("max", "phoenix [ms(at)]")))
	require.NoError(t, err)

	months := rowkey.Must(rowkey.Parse("months", `[layout("200601",+00:00)(at)]`))
	g, err := change.Of(utc, months)
	require.NoError(t, err)
	first, err := utc.AppendKey(nil, time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	second, err := utc.AppendKey(nil, time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	key, err := g.Key(nil, first, 0, 1)
	require.NoError(t, err)
	assert.Equal(t, "202405", string(key))
	key, err = g.Key([]byte("front"), second, 0, 1)
	require.ErrorIs(t, err, rowkey.ErrRange)
	assert.Equal(t, "front", string(key))
	var of *rowkey.Error
	require.ErrorAs(t, err, &of)
	assert.Equal(t, "at", of.Field)
}

// TestLooseNewest: two rows that a Loose layout writes alike are no row in two generations,
// whether they are of one generation or of two.
func TestLooseNewest(t *testing.T) {
	old := rowkey.Must(rowkey.Parse("old", `[a]['\x00'][c]`))
	newest := rowkey.Must(rowkey.Parse("new", "[a loose][c]"))
	g, err := change.Of(old, old, newest)
	require.NoError(t, err)
	p, err := g.Scan(rowkey.FullScan())
	require.NoError(t, err)
	key := func(a, c string) []byte {
		key, err := old.AppendKey(nil, a, c)
		require.NoError(t, err)
		return key
	}
	for name, c := range map[string]struct {
		first, second [][]byte
		reason        error
		words         string
	}{
		"one generation": {[][]byte{key("a", "bc"), key("ab", "c")}, nil, rowkey.ErrAmbiguous, "of generations 0 and 0"},
		"two":            {[][]byte{key("a", "bc")}, [][]byte{key("ab", "c")}, rowkey.ErrAmbiguous, "of generations 0 and 1"},
		"one row in two": {[][]byte{key("a", "bc")}, [][]byte{key("a", "bc")}, change.ErrTwice, "of generations 0 and 1"},
	} {
		store := tables{keys: [][][]byte{c.first, c.second, nil}}
		for _, limit := range []int{1, 9} {
			var last error
			for _, err := range change.Merge(context.Background(), p.SortedWithin(9).Limit(limit), 1, store.open, same) {
				last = err
			}
			require.ErrorIs(t, last, c.reason, "%s, %d", name, limit)
			assert.Contains(t, last.Error(), c.words, name)
			if c.reason != change.ErrTwice {
				assert.NotErrorIs(t, last, change.ErrTwice)
			}
		}
	}
}

// TestZeroGenerations: what was not made by Of or Scan, and generations that there are not,
// give errors.
func TestZeroGenerations(t *testing.T) {
	var g change.Generations
	_, err := g.Key(nil, []byte("k"), 0, 0)
	require.ErrorIs(t, err, rowkey.ErrSchema)
	_, err = g.Which([]byte("k"))
	require.ErrorIs(t, err, rowkey.ErrSchema)
	assert.NotContains(t, err.Error(), "%!")
	_, err = g.Scan(rowkey.FullScan())
	require.ErrorIs(t, err, rowkey.ErrSchema)
	assert.NoError(t, g.OneTable())
	assert.Zero(t, g.Len())
	assert.Nil(t, g.Newest())

	one, err := change.Of(rowkey.Must(rowkey.Parse("a", "[a]")))
	require.NoError(t, err)
	for _, i := range []int{-1, 1} {
		assert.Nil(t, one.Schema(i))
		for _, places := range [][2]int{{i, 0}, {0, i}, {i, i}} {
			dst, err := one.Key([]byte("front"), []byte("k"), places[0], places[1])
			require.ErrorIs(t, err, rowkey.ErrSchema, places)
			assert.Equal(t, "front", string(dst))
		}
	}
	p, err := one.Scan(rowkey.FullScan())
	require.NoError(t, err)
	assert.Nil(t, p.Of(1))
	assert.Nil(t, p.Of(-1))
	assert.False(t, p.Passed(3, nil))
	_, err = p.Token(3, []byte("k"))
	require.ErrorIs(t, err, rowkey.ErrSchema)

	zero := new(change.Plan)
	for _, p := range []*change.Plan{zero, zero.Limit(1), zero.Reversed(), zero.Unordered(), zero.SortedWithin(1)} {
		_, err = p.Resume([]byte("t"))
		require.ErrorIs(t, err, rowkey.ErrMissing)
		_, err = p.Token(0, []byte("k"))
		require.ErrorIs(t, err, rowkey.ErrMissing)
		n := 0
		for _, err := range change.Merge(context.Background(), p, 1, (&tables{}).open, same) {
			require.ErrorIs(t, err, rowkey.ErrMissing)
			n++
		}
		assert.Equal(t, 1, n)
	}
}
