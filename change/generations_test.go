package change_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/scan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A record is a row of the model: its values, and the generation that it lies in.
type record struct {
	user string
	n    uint64
	at   int64
	slot uint64
	gen  int
}

// layout is a random generation: how each field is written and where it stands.
type layout struct {
	schema *rowkey.Schema
	fields []string
	down   map[string]bool
	slots  bool   // the slot stands in front
	turned bool   // the user is reversed
	sized  bool   // the user stands after its length
	copied string // what a copy keeps of the user: left, right or reverse
	salted string // what the salt in the middle is computed from
}

// randomLayout makes a layout of user, n, at and, if there is one, slot. Among them may stand a copy
// of the user, and a salt.
func randomLayout(r *rand.Rand, generation int, slot bool, like *layout) layout {
	l := layout{fields: []string{"user", "n", "at"}, down: map[string]bool{}}
	b := rowkey.New(fmt.Sprintf("g%d", generation))
	if r.IntN(4) == 0 {
		b = b.Literal(fmt.Sprintf("v%d", generation))
	}
	switch r.IntN(4) {
	case 0:
		b = b.Salt(2+r.IntN(4), "user")
	case 1:
		b = b.Salt(2+r.IntN(4), "values(n,user)")
	case 2:
		b = b.Hash(rowkey.MD5.Hex(2), "user")
	}
	l.slots = slot && r.IntN(4) > 0
	if l.slots && r.IntN(3) == 0 {
		b = b.Salt(2+r.IntN(4), "slot", rowkey.Named("of_slot"))
	}
	if l.slots {
		b = b.Uint("slot", 1, rowkey.Below(3), rowkey.Bucket)
	} else if slot {
		l.fields = append(l.fields, "slot")
	}
	if r.IntN(3) == 0 {
		l.fields = append(l.fields, "copy")
	}
	if r.IntN(4) == 0 {
		l.fields = append(l.fields, "middle")
	}
	l.copied = []string{"left", "right", "reverse"}[r.IntN(3)]
	l.salted = []string{"user", "n", "values(at,user)"}[r.IntN(3)]
	r.Shuffle(len(l.fields), func(i, j int) { l.fields[i], l.fields[j] = l.fields[j], l.fields[i] })
	if like != nil && r.IntN(3) > 0 && like.slots == l.slots {
		l.fields = slices.Clone(like.fields)
		if r.IntN(3) > 0 {
			l.copied, l.salted = like.copied, like.salted
		}
	}
	for i, f := range l.fields {
		last := i == len(l.fields)-1
		if l.down[f] = r.IntN(4) == 0; like != nil && r.IntN(3) > 0 {
			l.down[f] = like.down[f]
		}
		var opts []rowkey.FieldOption
		switch f {
		case "user":
			switch l.down[f] = false; {
			case r.IntN(4) == 0:
				b = b.String("user", rowkey.Pad(4, 0))
			case r.IntN(3) == 0:
				b = b.String("user", rowkey.Escaped)
			case r.IntN(3) == 0:
				l.turned = true
				b = b.String("user", rowkey.Chars("ab"), rowkey.Reverse).Separator("_")
			case r.IntN(3) == 0:
				l.sized = true
				b = b.String("user", rowkey.LenPrefix(1))
			case last:
				b = b.String("user")
			default:
				b = b.String("user", rowkey.Chars("ab")).Separator("_")
				if r.IntN(2) == 0 {
					continue
				}
			}
		case "copy":
			l.down[f] = false
			keeps := map[string]rowkey.FieldOption{"left": rowkey.Left(1), "right": rowkey.Right(1), "reverse": rowkey.Reverse}
			if b = b.Copy("copy", "user", keeps[l.copied]); !last {
				b = b.Separator("_")
			}
		case "middle":
			b = b.Salt(2, l.salted, rowkey.Named("middle"))
		case "n":
			if l.down[f] {
				opts = append(opts, rowkey.Desc)
			}
			b = b.Uint("n", []int{1, 2, 4, 8}[r.IntN(4)], opts...)
		case "slot":
			b = b.Uint("slot", 1, rowkey.Below(3))
			l.down[f] = false
		case "at":
			if l.down[f] {
				opts = append(opts, rowkey.Desc)
			}
			b = b.Time("at", rowkey.Millis, opts...)
		}
	}
	var err error
	if l.schema, err = b.Build(); err != nil {
		return randomLayout(r, generation, slot, like)
	}
	return l
}

// key is a record's key in a layout.
func (l *layout) key(t testing.TB, rec record) []byte {
	var values []any
	for f := range l.schema.Fields() {
		if f.Derived {
			continue
		}
		switch f.Name {
		case "user":
			values = append(values, rec.user)
		case "n":
			values = append(values, rec.n)
		case "at":
			values = append(values, time.UnixMilli(rec.at))
		case "slot":
			values = append(values, rec.slot)
		}
	}
	key, err := l.schema.AppendKey(nil, values...)
	require.NoError(t, err, "%v", l.schema)
	return key
}

// compare is the order of the model: value by value, as the layout has its fields, with
// the slot in front or at the end.
func (l *layout) compare(a, b record, slotFirst bool) int {
	fields := append(slices.Clone(l.fields), "slot")
	if slotFirst {
		fields = slices.Insert(fields, 0, "slot")
	}
	for _, f := range fields {
		c := 0
		switch f {
		case "user":
			switch c = cmp.Compare(a.user, b.user); {
			case l.turned:
				c = cmp.Compare(turned(a.user), turned(b.user))
			case l.sized:
				c = cmp.Or(cmp.Compare(len(a.user), len(b.user)), c)
			}
		case "copy":
			c = cmp.Compare(l.kept(a.user), l.kept(b.user))
		case "n":
			c = cmp.Compare(a.n, b.n)
		case "at":
			c = cmp.Compare(a.at, b.at)
		case "slot":
			c = cmp.Compare(a.slot, b.slot)
		}
		if l.down[f] {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// kept is what the copy has of a user.
func (l *layout) kept(user string) string {
	switch l.copied {
	case "left":
		return user[:1]
	case "right":
		return user[len(user)-1:]
	}
	return turned(user)
}

func turned(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// query is a random question, and the model's answer for one record.
func query(r *rand.Rand) ([]rowkey.Cond, func(record) bool) {
	conds := []rowkey.Cond{rowkey.FullScan()}
	match := func(record) bool { return true }
	and := func(c rowkey.Cond, f func(record) bool) {
		before := match
		conds, match = append(conds, c), func(rec record) bool { return before(rec) && f(rec) }
	}
	users := []string{"a", "b", "ab", "ba", "aa"}
	switch r.IntN(5) {
	case 0, 1:
		u := users[r.IntN(len(users))]
		and(rowkey.Eq("user", u), func(rec record) bool { return rec.user == u })
	case 2:
		u, v := users[r.IntN(len(users))], users[r.IntN(len(users))]
		and(rowkey.In("user", u, v), func(rec record) bool { return rec.user == u || rec.user == v })
	}
	switch r.IntN(4) {
	case 0:
		n := uint64(r.IntN(4))
		and(rowkey.Eq("n", n), func(rec record) bool { return rec.n == n })
	case 1:
		n := uint64(r.IntN(4))
		and(rowkey.AtLeast("n", n), func(rec record) bool { return rec.n >= n })
	}
	if r.IntN(3) == 0 {
		from, to := int64(r.IntN(4)), int64(4+r.IntN(4))
		and(rowkey.Span("at", time.UnixMilli(from), time.UnixMilli(to)), func(rec record) bool { return rec.at >= from && rec.at < to })
	}
	return conds, match
}

// tables are the keys of each generation.
type tables struct {
	keys [][][]byte
}

func (s *tables) open(_ context.Context, generation int, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	c := &keysOf{}
	for _, key := range s.keys[generation] {
		if r.Contains(key) {
			c.keys = append(c.keys, key)
		}
	}
	slices.SortFunc(c.keys, bytes.Compare)
	if reversed {
		slices.Reverse(c.keys)
	}
	return c, nil
}

type keysOf struct {
	keys [][]byte
}

func (c *keysOf) Next() ([]byte, error) {
	if len(c.keys) == 0 {
		return nil, io.EOF
	}
	key := c.keys[0]
	c.keys = c.keys[1:]
	return key, nil
}

func (c *keysOf) Close() error { return nil }

func same(key []byte) []byte { return key }

// world is random generations, random records in them, and a query.
type world struct {
	layouts []layout
	gens    *change.Generations
	conds   []rowkey.Cond
	want    []record // that match, in the order of the newest generation's values
	store   tables
	of      map[string]record // by the key in the newest generation
}

func newWorld(t testing.TB, r *rand.Rand) *world {
	w := &world{of: map[string]record{}}
	slot := r.IntN(3) == 0
	var schemas []*rowkey.Schema
	for i := range 1 + r.IntN(3) {
		var like *layout
		if i > 0 {
			like = &w.layouts[0]
		}
		w.layouts = append(w.layouts, randomLayout(r, i, slot, like))
		schemas = append(schemas, w.layouts[i].schema)
	}
	var err error
	w.gens, err = change.Of(schemas[0], schemas[1:]...)
	require.NoError(t, err)
	var match func(record) bool
	w.conds, match = query(r)
	w.store.keys = make([][][]byte, len(schemas))
	newest := &w.layouts[len(schemas)-1]
	for range r.IntN(40) {
		rec := record{user: []string{"a", "b", "ab", "ba", "aa"}[r.IntN(5)], n: uint64(r.IntN(4)), at: int64(r.IntN(8)), gen: r.IntN(len(schemas))}
		if slot {
			rec.slot = uint64(r.IntN(3))
		}
		key := string(newest.key(t, rec))
		if _, ok := w.of[key]; ok {
			continue
		}
		w.of[key] = rec
		w.store.keys[rec.gen] = append(w.store.keys[rec.gen], w.layouts[rec.gen].key(t, rec))
		if match(rec) {
			w.want = append(w.want, rec)
		}
	}
	return w
}

// sort sorts the records that match as the newest generation's plan has them; false if
// something that is computed orders them.
func (w *world) sort(p *change.Plan) bool {
	newest := &w.layouts[len(w.layouts)-1]
	for f := range newest.schema.Fields() {
		if f.Name == "of_slot" { // by which rows come that differ in their slot alone
			return false
		}
	}
	first := true
	slotFirst := false
	for f := range p.Of(len(w.layouts) - 1).OrderedBy() {
		if f.Derived && f.Name != "copy" {
			return false
		}
		slotFirst = slotFirst || first && f.Slot
		first = false
	}
	slices.SortFunc(w.want, func(a, b record) int { return newest.compare(a, b, slotFirst) })
	return true
}

// read is what a plan gives.
func (w *world) read(t testing.TB, p *change.Plan) (got []record, tokens [][]byte, err error) {
	for f, err := range change.Merge(context.Background(), p, 1, w.store.open, same) {
		if err != nil {
			return got, tokens, err
		}
		key, err := w.gens.Key(nil, f.Row, f.Generation, w.gens.Len()-1)
		require.NoError(t, err)
		if f.Key != nil {
			require.Equal(t, key, f.Key)
		}
		rec, ok := w.of[string(key)]
		require.True(t, ok)
		require.Equal(t, rec.gen, f.Generation)
		got = append(got, rec)
		token, err := p.Token(f.Generation, f.Row)
		if err == nil {
			tokens = append(tokens, token)
		}
	}
	return got, tokens, nil
}

// cases runs f for the seeds from 0 on. n of them are where ROWKEY_LAWS asks for as many;
// usually a quarter is tried.
func cases(t *testing.T, n uint64, f func(t *testing.T, r *rand.Rand)) {
	if s := os.Getenv("ROWKEY_LAWS"); s != "" {
		laws, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		n = min(n, laws)
	} else if testing.Short() {
		n /= 20
	} else {
		n /= 4
	}
	for seed := range n {
		ok := t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { f(t, rand.New(rand.NewPCG(seed, 17))) })
		if !ok {
			return
		}
	}
}

// TestLawGenerations: every row that matches comes once, from whichever generation it
// is in, in the order of the newest one's values, whole or page by page, forward and
// reversed; where there is no common order nothing comes but an error that names a
// field, unless rows are read unordered or sorted.
func TestLawGenerations(t *testing.T) {
	ordered, refused, checked, copied, middle := 0, 0, 0, 0, 0
	cases(t, 2000, func(t *testing.T, r *rand.Rand) {
		w := newWorld(t, r)
		p, err := w.gens.Scan(w.conds...)
		require.NoError(t, err)
		known := w.sort(p)
		want := slices.Clone(w.want)
		if r.IntN(2) == 0 {
			p = p.Reversed()
			slices.Reverse(want)
		}
		got, _, err := w.read(t, p.Unordered())
		require.NoError(t, err)
		assert.ElementsMatch(t, want, got)
		limit := 1 + r.IntN(5)
		got, _, err = w.read(t, p.Unordered().Limit(limit))
		require.NoError(t, err)
		assert.Len(t, got, min(limit, len(want)))

		sorted := p.SortedWithin(len(w.of) + limit)
		bySorting, _, err := w.read(t, sorted)
		require.NoError(t, err)
		require.ElementsMatch(t, want, bySorting)
		w.pages(t, sorted, bySorting, limit)

		got, _, err = w.read(t, p)
		if order := p.Ordered(); order != nil {
			refused++
			require.ErrorIs(t, err, change.ErrOrder)
			assert.Empty(t, got)
			var of *rowkey.Error
			require.ErrorAs(t, order, &of)
			assert.NotEmpty(t, of.Field)
			_, err = p.Token(0, nil)
			assert.ErrorIs(t, err, change.ErrOrder)
			return
		}
		ordered++
		require.NoError(t, err)
		for f := range w.gens.Newest().Fields() {
			middle += map[bool]int{true: 1}[f.Name == "middle"]
		}
		if known {
			checked++
			for f := range p.Of(w.gens.Len() - 1).OrderedBy() {
				copied += map[bool]int{true: 1}[f.Name == "copy"]
			}
			require.Equal(t, want, got, "%v", w.gens.Newest())
		}
		require.Equal(t, bySorting, got)
		w.pages(t, p, got, limit)
		w.moved(t, r, p, got)
	})
	if os.Getenv("ROWKEY_LAWS") == "" && !testing.Short() {
		assert.Greater(t, ordered, 75)
		assert.Greater(t, refused, 75)
		assert.Greater(t, checked, 75)
		assert.Greater(t, copied, 10)
		assert.Greater(t, middle, 10)
	}
}

// pages reads page by page what was read at once.
func (w *world) pages(t *testing.T, p *change.Plan, want []record, size int) {
	var got []record
	for page := p.Limit(size); ; {
		rows, tokens, err := w.read(t, page)
		require.NoError(t, err)
		require.LessOrEqual(t, len(rows), size)
		require.Len(t, tokens, len(rows))
		if got = append(got, rows...); len(rows) < size {
			break
		}
		require.LessOrEqual(t, len(got), len(want), "a token that does not go on")
		page, err = p.Limit(size).Resume(tokens[len(tokens)-1])
		require.NoError(t, err)
	}
	require.Equal(t, want, got)
}

// moved reads some rows, moves all rows to another generation and goes on there with the
// token, by the newest generation's own plan or all of them.
func (w *world) moved(t *testing.T, r *rand.Rand, p *change.Plan, want []record) {
	if len(want) < 2 {
		return
	}
	n := 1 + r.IntN(len(want)-1)
	_, tokens, err := w.read(t, p.Limit(n))
	require.NoError(t, err)
	to := r.IntN(len(w.layouts))
	store := tables{keys: make([][][]byte, len(w.layouts))}
	var rest [][]byte
	for _, rec := range w.of {
		store.keys[to] = append(store.keys[to], w.layouts[to].key(t, rec))
	}
	for _, rec := range want[n:] {
		rest = append(rest, w.layouts[to].key(t, rec))
	}
	behind, err := p.Resume(tokens[n-1])
	require.NoError(t, err)
	var got [][]byte
	for f, err := range change.Merge(context.Background(), behind, 1, store.open, same) {
		require.NoError(t, err)
		got = append(got, f.Row)
	}
	require.Equal(t, rest, got)
	if to == len(w.layouts)-1 { // the change is over: the newest schema's token
		own, err := p.Of(to).Resume(tokens[n-1])
		require.NoError(t, err)
		got = nil
		for key, err := range scan.Merge(context.Background(), own, 1, func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
			return store.open(ctx, to, r, reversed)
		}, same) {
			require.NoError(t, err)
			got = append(got, key)
		}
		require.Equal(t, rest, got)
	}
}

// TestLawWhich: where OneTable permits one table, every key is told to be of the
// generation it was made in, or of a newer one in which it is of the same row; whatever
// OneTable says, no key is taken for one of another row.
func TestLawWhich(t *testing.T) {
	permitted := 0
	cases(t, 2000, func(t *testing.T, r *rand.Rand) {
		w := newWorld(t, r)
		one := w.gens.OneTable()
		if one == nil && len(w.layouts) > 1 {
			permitted++
		}
		for newest, rec := range w.of {
			for i := range w.layouts {
				key := w.layouts[i].key(t, rec)
				which, err := w.gens.Which(key)
				if one == nil {
					require.NoError(t, err, "%v", w.gens.Schema(i))
				}
				if err != nil {
					require.ErrorIs(t, err, rowkey.ErrAmbiguous)
					continue
				}
				require.GreaterOrEqual(t, which, i)
				as, err := w.gens.Key(nil, key, which, len(w.layouts)-1)
				require.NoError(t, err)
				require.Equal(t, newest, string(as))
			}
		}
	})
	if os.Getenv("ROWKEY_LAWS") == "" && !testing.Short() {
		assert.Greater(t, permitted, 5)
	}
}

// TestOrderOfGenerations: the rule, case by case.
func TestOrderOfGenerations(t *testing.T) {
	for _, c := range []struct {
		old, new string
		cond     rowkey.Cond
		field    string // that prevents one order
	}{
		{"[salt16(seller)][seller]['_'][at:8]", "[salt64(seller)][seller]['_'][at:8]", rowkey.FullScan(), ""},
		{"[salt16(seller)][seller]['_'][at:4]", "[seller]['_'][at:8]", rowkey.FullScan(), ""},
		{"[seller]['_'][at:8]", "[at:8][seller]", rowkey.FullScan(), "seller"},
		{"[seller]['_'][at:8]", "[at:8][seller]", rowkey.Eq("seller", "s"), ""},
		{"[seller]['_'][at:8]", "[seller]['_'][at:8 desc]", rowkey.FullScan(), "at"},
		{"['v1'][seller]['_'][at:8]", "['v2'][seller]['_'][at:8]", rowkey.FullScan(), ""},
		{"[md5.hex(2)(seller)][seller]['_'][at:8]", "[seller]['_'][at:8]", rowkey.FullScan(), ""},
		{"[seller]['_'][salt4(at)][at:8]", "[seller]['_'][salt4(at)][at:8]", rowkey.FullScan(), ""},
		{"[seller]['_'][salt4(at)][at:8]", "[seller]['_'][salt8(at)][at:8]", rowkey.FullScan(), "salt"},
		{"[seller]['_'][salt4(at)][at:8]", "[seller]['_'][salt4(at)][at:4]", rowkey.FullScan(), "salt"},
		{"[seller reverse]['_'][at:8]", "[seller lenprefix(1)][at:8]", rowkey.FullScan(), "seller"},
		{"[left=seller left(1)]['_'][seller]", "[left=seller left(1)]['_'][seller]", rowkey.FullScan(), ""},
		{"[right=seller right(1)]['_'][seller]", "[right=seller right(2)]['_'][seller]", rowkey.FullScan(), "right"},
		{"[x:1][slot:1]", "[slot:1 below(4) bucket][x:1]", rowkey.FullScan(), ""},
		{"[x:1][slot:1]", "[salt4(x)][slot:1 below(4) bucket][x:1]", rowkey.FullScan(), ""},
		{"[x:1][slot:1]", "[salt4(slot)][slot:1 below(4) bucket][x:1]", rowkey.FullScan(), "slot"},
		{"[x:1][slot:1]", "[salt4(rest())][slot:1 below(4) bucket][x:1]", rowkey.Eq("x", 1), "slot"},
		{"[x:1][slot:1]", "[salt4(slot)][slot:1 below(4) bucket][x:1]", rowkey.Eq("slot", 1), ""},
	} {
		old, err := rowkey.Parse("old", c.old)
		require.NoError(t, err, c.old)
		newer, err := rowkey.Parse("new", c.new)
		require.NoError(t, err, c.new)
		g, err := change.Of(old, newer)
		require.NoError(t, err)
		p, err := g.Scan(c.cond, rowkey.FullScan())
		require.NoError(t, err)
		err = p.Ordered()
		if c.field == "" {
			assert.NoError(t, err, "%s, %s", c.old, c.new)
			continue
		}
		var of *rowkey.Error
		require.ErrorAs(t, err, &of, "%s, %s", c.old, c.new)
		assert.Equal(t, c.field, of.Field)
	}
}

// stuck are tables whose cursors cannot be closed.
type stuck struct{ tables }

var errStuck = errors.New("stuck")

func (s *stuck) open(ctx context.Context, generation int, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
	c, err := s.tables.open(ctx, generation, r, reversed)
	return stuckKeys{c}, err
}

type stuckKeys struct{ scan.Cursor[[]byte] }

func (stuckKeys) Close() error { return errStuck }

// TestMergeClose: an error of Close comes behind all rows, of each generation, also where these
// are as many as the limit; and not at all to a caller who has left the loop.
func TestMergeClose(t *testing.T) {
	old := rowkey.Must(rowkey.Parse("old", "[salt2(a)][a:1][b:1]"))
	for _, notation := range []string{"[a:1][b:1]", "[b:1][a:1]"} {
		gens, err := change.Of(old, rowkey.Must(rowkey.Parse("new", notation)))
		require.NoError(t, err)
		p, err := gens.Scan(rowkey.FullScan())
		require.NoError(t, err)
		store := stuck{tables{keys: make([][][]byte, 2)}}
		for i := range 8 {
			key, err := gens.Schema(i/4).AppendKey(nil, i, i)
			require.NoError(t, err)
			store.keys[i/4] = append(store.keys[i/4], key)
		}
		ways := []*change.Plan{p, p.Unordered()}
		if p.Ordered() != nil {
			ways = []*change.Plan{p.Unordered(), p.SortedWithin(9)}
		}
		for i, way := range ways {
			for limit := range 10 {
				for _, parallel := range []int{1, 4} {
					n, last := 0, error(nil)
					for _, err := range change.Merge(context.Background(), way.Limit(limit), parallel, store.open, same) {
						if last = err; err == nil {
							n++
						}
					}
					require.Equal(t, min(limit, 8), n, "%s, way %d, limit %d", notation, i, limit)
					if limit == 0 {
						require.ErrorIs(t, last, rowkey.ErrRange)
						require.ErrorContains(t, last, "Limit(0): a limit is 1 or more")
						continue
					}
					require.ErrorIs(t, last, errStuck, "%s, way %d, limit %d", notation, i, limit)
					require.Regexp(t, `^rowkey: (old|new): close \[.*: stuck$`, last.Error())
					for _, err := range change.Merge(context.Background(), way.Limit(limit), parallel, store.open, same) {
						if err == nil {
							break
						}
					}
				}
			}
		}
	}
}
