package hbase_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A law: what a server gives for a query is what a filter over the rows finds. It
// is run over random layouts, rows and queries, on the real comparator.

// value is a field of a row: a text, or a number, which may stand for a time in
// seconds or for a bool; or null.
type value struct {
	text   string
	number int64
	null   bool
}

func (v value) compare(w value) int {
	return cmp.Or(strings.Compare(v.text, w.text), cmp.Compare(v.number, w.number))
}

// fieldKind is a way to store a field.
type fieldKind struct {
	declare func(b *rowkey.Builder, name string) *rowkey.Builder
	kind    byte // t: text, u: Uint, i: Int, s: Time in seconds, b: Bool
	pool    []value
	last    bool // it has no end of its own
}

// dialectKind is a kind of a dialect, and if it may be null, with null in its
// pool.
func dialectKind(kind byte, pool []value, dialect rowkey.Dialect, opts ...rowkey.FieldOption) fieldKind {
	opts = append([]rowkey.FieldOption{dialect}, opts...)
	k := fieldKind{kind: kind, pool: pool, declare: func(b *rowkey.Builder, n string) *rowkey.Builder {
		if kind == 't' {
			return b.String(n, opts...)
		}
		return b.Int(n, 8, opts...)
	}}
	for f := range k.declare(rowkey.New("t"), "f").MustBuild().Fields() {
		if f.Optional {
			k.pool = append(slices.Clone(pool), value{null: true}, value{null: true})
		}
	}
	return k
}

func texts(ts ...string) (vs []value) {
	for _, t := range ts {
		vs = append(vs, value{text: t})
	}
	return vs
}

func numbers(ns ...int64) (vs []value) {
	for _, n := range ns {
		vs = append(vs, value{number: n})
	}
	return vs
}

var (
	shortTexts = texts("", "a", "b", "ab", "aa", "\x01", "a\x01", "b\xff", "\xff", "ba")
	pairs      = texts("aa", "ab", "ba", "a\x00", "\xff\xff", "\x00\x00", "bb")
	bytesOf1   = numbers(0, 1, 2, 127, 128, 254, 255)
	instants   = numbers(0, 1, 59, 60, 1700000000, 1700000001, 4102444800)

	// VARCHAR has no empty text, and neither dialect a 00
	endedTexts = texts("a", "b", "ab", "aa", "\x01", "a\x01", "b\xff", "\xff", "ba")
	decimals   = numbers(-10001, -10000, -101, -100, -1, 0, 1, 99, 100, 101, 199, 200, 10000)
)

var fieldKinds = []fieldKind{
	{kind: 't', pool: shortTexts, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n).Separator("\x00") }},
	{kind: 't', pool: texts("", "a", "b", "ab", "a\x00", "~", "a~"), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n).Separator("_") }},
	{kind: 't', pool: shortTexts, last: true, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n) }},
	{kind: 't', pool: pairs, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n, rowkey.Fixed(2)) }},
	{kind: 't', pool: pairs, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n, rowkey.Reverse, rowkey.Fixed(2)) }},
	{kind: 't', pool: texts("", "a", "b", "ab", "aab", "a a"), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n, rowkey.Pad(3, ' ')) }},
	{kind: 't', pool: texts("", "a", "a\x00", "\x00", "ab", "\x00\x00b"), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.String(n, rowkey.Escaped) }},
	{kind: 'u', pool: bytesOf1, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Uint(n, 1) }},
	{kind: 'u', pool: bytesOf1, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Uint(n, 1, rowkey.Desc) }},
	{kind: 'u', pool: numbers(0, 1, 255, 256, 65535), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Uint(n, 2) }},
	{kind: 'u', pool: numbers(0, 1, 9, 10, 99, 100, 999), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Uint(n, 8, rowkey.Digits(3)) }},
	{kind: 'u', pool: numbers(0, 7, 12, 123, 999), declare: func(b *rowkey.Builder, n string) *rowkey.Builder {
		return b.Uint(n, 8, rowkey.Digits(3), rowkey.Reverse)
	}},
	{kind: 'i', pool: numbers(-32768, -256, -1, 0, 1, 32767), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Int(n, 2) }},
	{kind: 'i', pool: numbers(-1<<63, -1, 0, 1, 1<<63-1), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Int(n, 8, rowkey.Desc) }},
	{kind: 's', pool: instants, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Time(n, rowkey.Seconds) }},
	{kind: 's', pool: instants, declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Time(n, rowkey.Millis, rowkey.Desc) }},
	{kind: 'b', pool: numbers(0, 1), declare: func(b *rowkey.Builder, n string) *rowkey.Builder { return b.Bool(n) }},

	dialectKind('t', endedTexts, interop.Phoenix),
	dialectKind('t', endedTexts, interop.Phoenix, rowkey.Optional),
	dialectKind('t', endedTexts, interop.Phoenix, rowkey.Optional, rowkey.Desc),
	dialectKind('t', texts("a", "b", "ab", "aab", "a a"), interop.Phoenix, rowkey.Pad(3, ' ')),
	dialectKind('i', decimals, interop.Phoenix),
	dialectKind('i', decimals, interop.Phoenix, rowkey.Desc),
	dialectKind('i', decimals, interop.Phoenix, interop.Numeric, rowkey.Optional),
	dialectKind('i', decimals, interop.Phoenix, interop.Numeric, rowkey.Optional, rowkey.Desc),
	dialectKind('t', endedTexts, interop.OrderedBytes, rowkey.Optional),
	dialectKind('t', endedTexts, interop.OrderedBytes, rowkey.Optional, rowkey.Desc),
	dialectKind('i', decimals, interop.OrderedBytes),
	dialectKind('i', decimals, interop.OrderedBytes, interop.Numeric, rowkey.Optional),
	dialectKind('i', decimals, interop.OrderedBytes, interop.Numeric, rowkey.Optional, rowkey.Desc),
}

// layout is a random schema.
type layout struct {
	schema *rowkey.Schema
	fields []fieldKind
	lead   int // bytes of the salt and the hash in front
}

func name(field int) string { return string(rune('a' + field)) }

func randomLayout(r *rand.Rand) layout {
	for {
		b := rowkey.New("random")
		var l layout
		n := 1 + r.IntN(4)
		inputs := func() string {
			var names []string
			for i := range n {
				if r.IntN(2) == 0 {
					names = append(names, name(i))
				}
			}
			if names == nil {
				names = []string{name(r.IntN(n))}
			}
			return string("values(" + strings.Join(names, ",") + ")")
		}
		switch r.IntN(8) {
		case 0, 1, 2, 3:
			b = b.Salt(2+r.IntN(6), inputs())
			l.lead++
		case 4:
			b = b.Hash(rowkey.MD5.Hex(1), inputs())
			l.lead++
		}
		for i := range n {
			kind := fieldKinds[r.IntN(len(fieldKinds))]
			if kind.last && i < n-1 {
				kind = fieldKinds[0]
			}
			b = kind.declare(b, name(i))
			l.fields = append(l.fields, kind)
		}
		var err error
		if l.schema, err = b.Build(); err == nil {
			return l
		}
	}
}

// lawRow is a row and its key.
type lawRow struct {
	values []value
	key    []byte
}

func (l *layout) key(values []value) ([]byte, error) {
	k := l.schema.Key()
	for i, v := range values {
		switch kind := l.fields[i].kind; {
		case v.null:
			k = k.Null()
		case kind == 't':
			k = k.String(v.text)
		case kind == 'u':
			k = k.Uint(uint64(v.number))
		case kind == 'i':
			k = k.Int(v.number)
		case kind == 's':
			k = k.Time(time.Unix(v.number, 0))
		case kind == 'b':
			k = k.Bool(v.number == 1)
		}
	}
	return k.Bytes()
}

// rows are some rows of different values, in Merge's order.
func (l *layout) rows(r *rand.Rand) (rows []lawRow) {
	seen := map[string]bool{}
	for range 250 {
		values := make([]value, len(l.fields))
		for i, f := range l.fields {
			values[i] = f.pool[r.IntN(len(f.pool))]
		}
		// The empty key is none.
		if key, err := l.key(values); err == nil && !seen[fmt.Sprint(values)] {
			seen[fmt.Sprint(values)] = true
			rows = append(rows, lawRow{values, key})
		}
	}
	slices.SortFunc(rows, func(a, b lawRow) int {
		return cmp.Or(bytes.Compare(a.key[l.lead:], b.key[l.lead:]), bytes.Compare(a.key, b.key))
	})
	return rows
}

// query is a random query, in conditions and as a filter.
type query struct {
	conds []rowkey.Cond
	match []func([]value) bool
	text  []string
}

func (q *query) matches(values []value) bool {
	return !slices.ContainsFunc(q.match, func(m func([]value) bool) bool { return !m(values) })
}

func conditions[T rowkey.Value](op int, field string, v, w T) rowkey.Cond {
	switch op {
	case 0:
		return rowkey.Eq(field, v)
	case 1:
		return rowkey.In(field, v, w)
	case 2:
		return rowkey.Span(field, v, w)
	case 3:
		return rowkey.AtLeast(field, v)
	case 4:
		return rowkey.AtMost(field, v)
	case 5:
		return rowkey.MoreThan(field, v)
	case 6:
		return rowkey.LessThan(field, v)
	}
	return rowkey.NotEq(field, v)
}

func (l *layout) query(r *rand.Rand) query {
	var q query
	for range 1 + r.IntN(3) {
		i := r.IntN(len(l.fields))
		f := l.fields[i]
		v, w := f.pool[r.IntN(len(f.pool))], f.pool[r.IntN(len(f.pool))]
		if v.compare(w) > 0 {
			v, w = w, v
		}
		op := r.IntN(8)
		if r.IntN(2) == 0 {
			op = r.IntN(2)
		}
		var cond rowkey.Cond
		match := []func(x value) bool{
			func(x value) bool { return x == v },
			func(x value) bool { return x == v || x == w },
			func(x value) bool { return x.compare(v) >= 0 && x.compare(w) < 0 },
			func(x value) bool { return x.compare(v) >= 0 },
			func(x value) bool { return x.compare(v) <= 0 },
			func(x value) bool { return x.compare(v) > 0 },
			func(x value) bool { return x.compare(v) < 0 },
			func(x value) bool { return x != v },
		}[op]
		switch {
		case (v.null || w.null) && r.IntN(2) == 0:
			op, cond = 10, rowkey.NotNull(name(i))
			match = func(x value) bool { return !x.null }
		case v.null || w.null:
			op, cond = 11, rowkey.Null(name(i))
			match = func(x value) bool { return x.null }
		case f.kind == 't':
			cond = conditions(op, name(i), v.text, w.text)
			switch {
			case v.text == "": // of which Prefix and Suffix say nothing
			case r.IntN(8) == 0:
				op, cond = 8, rowkey.Prefix(name(i), v.text)
				match = func(x value) bool { return strings.HasPrefix(x.text, v.text) }
			case r.IntN(8) == 0:
				op, cond = 9, rowkey.Suffix(name(i), v.text)
				match = func(x value) bool { return strings.HasSuffix(x.text, v.text) }
			}
		case f.kind == 'u':
			cond = conditions(op, name(i), uint64(v.number), uint64(w.number))
		case f.kind == 'i':
			cond = conditions(op, name(i), v.number, w.number)
		case f.kind == 's':
			cond = conditions(op, name(i), time.Unix(v.number, 0), time.Unix(w.number, 0))
		case f.kind == 'b':
			op, cond = 0, rowkey.Eq(name(i), v.number == 1)
			match = func(x value) bool { return x == v }
		}
		q.conds = append(q.conds, cond)
		q.match = append(q.match, func(values []value) bool { return match(values[i]) && (op == 11 || !values[i].null) })
		q.text = append(q.text, fmt.Sprintf("%s op %d %q %d %q %d", name(i), op, v.text, v.number, w.text, w.number))
	}
	if r.IntN(3) > 0 {
		q.conds = append(q.conds, rowkey.FullScan())
	}
	return q
}

// lawRun is what a run came to.
type lawRun struct{ queries, found, fuzzy, multi, reversed, paged int }

// everyWay reports whether each way of asking was tried.
func (r lawRun) everyWay() bool {
	return min(r.found, r.fuzzy, r.multi, r.reversed, r.paged) > 0
}

// laws puts random rows in a table of each of some random layouts and asks each
// of them some queries. Few layouts may lack a way of asking, such as a fuzzy
// filter: then more are drawn.
func laws(t *testing.T, c *hbase.Client, layouts, queries int) {
	var run lawRun
	from := seed.Of(t)
	for i := 0; i < layouts || i < 20*layouts && !run.everyWay(); i++ {
		r := rand.New(rand.NewPCG(from, uint64(i)))
		l := randomLayout(r)
		rows := l.rows(r)
		splits, err := l.schema.Splits(3)
		if err != nil {
			splits, err = l.schema.SplitsOf(min(3, len(rows)), func(yield func([]byte) bool) {
				for _, row := range rows {
					if !yield(row.key) {
						return
					}
				}
			})
		}
		if err != nil { // too few different keys
			splits = nil
		}
		table := create(t, c, splits)
		n, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
			for _, row := range rows {
				if !yield(hbase.Row{Key: row.key, Cells: []hbase.Cell{{Family: "f", Qualifier: "a"}, {Family: "f", Qualifier: "b"}}}, nil) {
					return
				}
			}
		}, 2)
		require.NoError(t, err)
		require.Equal(t, len(rows), n)
		for range queries {
			l.ask(t, r, table, rows, &run)
			if t.Failed() {
				t.Fatalf("layout %d, %v", i, l.schema)
			}
		}
	}
	t.Logf("%+v", run)
	assert.True(t, run.everyWay())
}

// ask asks one query in several ways.
func (l *layout) ask(t *testing.T, r *rand.Rand, table *hbase.Table, rows []lawRow, run *lawRun) {
	var q query
	var plan *rowkey.Plan
	for plan == nil {
		q = l.query(r)
		var err error
		if plan, err = l.schema.Scan(q.conds...); err != nil && !errors.Is(err, rowkey.ErrFullScan) && !errors.Is(err, rowkey.ErrManyRanges) && !errors.Is(err, rowkey.ErrInverted) {
			t.Fatalf("%v: %v: %v", l.schema, q.text, err)
		}
	}
	var want [][]byte
	for _, row := range rows {
		if q.matches(row.values) {
			want = append(want, row.key)
		}
	}
	run.queries++
	run.found += len(want)
	opts := []hbase.ScanOption{hbase.Parallel(r.IntN(5))}
	if plan.Len() < 20 && r.IntN(4) == 0 { // few rows a call, and so many calls
		opts = append(opts, hbase.Batch(1+len(want)/(4+r.IntN(8))))
	}
	if r.IntN(2) == 0 {
		opts = append(opts, hbase.KeysOnly())
	}
	same := func(how string, want [][]byte, rows iter.Seq2[hbase.Row, error]) {
		var got [][]byte
		for row, err := range rows {
			if !assert.NoError(t, err) {
				break
			}
			got = append(got, row.Key)
		}
		assert.True(t, slices.EqualFunc(want, got, bytes.Equal), "%s\n%v\n%v\n%v\nfound  %x\nwanted %x", how, q.text, l.schema, plan, got, want)
	}
	same("forward", want, table.ScanPlan(ctx, plan, opts...))
	for range plan.Fuzzy() {
		run.fuzzy++
		same("fuzzy", want, table.ScanPlan(ctx, plan, append(opts, hbase.Fuzzy())...))
		break
	}
	backward := slices.Clone(want)
	slices.Reverse(backward)
	switch way := r.IntN(3); {
	case way == 0 && plan.Len() > 1:
		run.multi++
		same("multi-range", want, table.ScanPlan(ctx, plan, append(opts, hbase.MultiRange())...))
	case way == 1 && plan.Len() < 20:
		run.paged++
		same("paged", want, pages(table, plan, len(want)/3+1, opts))
		same("paged backward", backward, pages(table, plan.Reversed(), len(want)/3+1, opts))
	default:
		run.reversed++
		same("reversed", backward, table.ScanPlan(ctx, plan.Reversed(), append(opts, hbase.Fuzzy())...))
	}
}

// pages reads a plan page by page, all that is known from one to the next being a
// token.
func pages(table *hbase.Table, plan *rowkey.Plan, size int, opts []hbase.ScanOption) iter.Seq2[hbase.Row, error] {
	return func(yield func(hbase.Row, error) bool) {
		for page := plan; ; {
			n := 0
			var token []byte
			for row, err := range table.ScanPlan(ctx, page.Limit(size), opts...) {
				if !yield(row, err) || err != nil {
					return
				}
				token = plan.Token(row.Key)
				n++
			}
			if n < size {
				return
			}
			var err error
			if page, err = plan.Resume(token); err != nil {
				yield(hbase.Row{}, err)
				return
			}
		}
	}
}

// Without a server: the bounds, the batches and the pages; there are no filters.
func TestLawsInMemory(t *testing.T) {
	laws(t, dial(t, newFake(t).addr), 25, 20)
}

// On a real HBase. ROWKEY_LAWS is how many queries, 40 of each layout.
func TestLawsOnServer(t *testing.T) {
	queries := seed.Cases(t, 160)
	laws(t, on(t), (queries+39)/40, 40)
}
