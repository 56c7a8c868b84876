package laws

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Corners of plans that use has found, each held by itself.

// Whether an interval is refused as a full scan depends on the layout and the
// condition, not on the number: one that cannot be stored has the place of the
// next that can.
func TestPlanRefusalsDoNotDependOnTheValue(t *testing.T) {
	long(t)
	for name, s := range map[string]*rowkey.Schema{
		"Pad":    rowkey.New("s").Uint("a", 2, testTag.via(), rowkey.Pad(12, 0)).MustBuild(), // 256 ends in the pad
		"marked": rowkey.New("s").Uint("a", 2, testTag.via()).Separator("\x00").MustBuild(),  // 0 to 256 hold the end
	} {
		t.Run(name, func(t *testing.T) {
			var rows [][]byte
			var values []int
			for v := range 1 << 16 {
				if key, err := s.AppendKey(nil, v); err == nil {
					rows, values = append(rows, key), append(values, v)
				}
			}
			require.Greater(t, len(rows), 60000)
			for v := 1; v < 1<<16; v += 1 + v%3 {
				least, err := s.Scan(rowkey.AtLeast("a", v))
				require.NoError(t, err, "AtLeast %d", v)
				most, err := s.Scan(rowkey.LessThan("a", v))
				require.NoError(t, err, "LessThan %d", v)
				n, _ := slices.BinarySearch(values, v)
				for i := max(n-2, 0); i < min(n+2, len(rows)); i++ {
					require.Equal(t, i >= n, lawCovering(slices.Collect(least.Ranges()), rows[i]) == 1, "AtLeast %d, row %d", v, values[i])
					require.Equal(t, i < n, lawCovering(slices.Collect(most.Ranges()), rows[i]) == 1, "LessThan %d, row %d", v, values[i])
				}
				require.True(t, least.Exact() && most.Exact(), v)
			}
		})
	}
	s := rowkey.New("s").Uint("a", 3, testTag.via(), rowkey.Pad(12, 0)).MustBuild()
	for v, want := range map[int]string{255: "540000ff", 256: "54000101"} {
		plan, err := s.Scan(rowkey.AtLeast("a", v))
		require.NoError(t, err)
		for r := range plan.Ranges() {
			assert.Equal(t, want, fmt.Sprintf("%x", r.Start()[:4]))
		}
	}

	// A text that a step cannot write, since it is too long: the plan covers.
	short := &testVia{
		name: "atmost2", traits: rowkey.Traits{Order: rowkey.Forward},
		write: func(s string) (string, error) {
			if len(s) > 2 {
				return "", errTestVia
			}
			return s, nil
		},
		read: func(s string) (string, bool) { return s, len(s) <= 2 },
	}
	text := rowkey.New("s").String("a", short.via()).MustBuild()
	for _, v := range []string{"a", "ab", "abc", "abcdefgh"} {
		for _, k := range []rowkey.Cond{rowkey.AtLeast("a", v), rowkey.AtMost("a", v), rowkey.MoreThan("a", v), rowkey.LessThan("a", v), rowkey.Span("a", v, v+"z")} {
			plan, err := text.Scan(k)
			require.NoError(t, err, "%q", v)
			for _, w := range []string{"", "a", "aa", "ab", "ac", "b"} {
				key, err := text.AppendKey(nil, w)
				if len(key) == 0 || err != nil {
					continue
				}
				n := lawCovering(slices.Collect(plan.Ranges()), key)
				if plan.Match(key) {
					require.Equal(t, 1, n, "%q, row %q", v, w)
				} else if plan.Exact() {
					require.Zero(t, n, "%q, row %q", v, w)
				}
			}
		}
	}
}

// TestPlanHashBehindEmptyLooseText: the empty text of a Loose field writes no byte, so that
// the hash after it is what keeps other rows out. The query is no full scan.
func TestPlanHashBehindEmptyLooseText(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("h", `[a loose][sha1.raw(2)(a)][n:8]`))
	plan, err := s.Scan(rowkey.Eq("a", ""))
	require.NoError(t, err)
	assert.Contains(t, plan.String(), `[\xDA9, \xDA:)`) // sha1 of no byte begins with da39
	assert.Equal(t, 1, plan.Len())
	_, err = rowkey.Must(rowkey.Parse("h", `[a loose][n:8]`)).Scan(rowkey.Eq("a", ""))
	assert.ErrorIs(t, err, rowkey.ErrFullScan, "here nothing keeps a row out")
}

// A Loose text is asked for its beginning, and for intervals of it, by ranges: those
// of a key so far.
func TestPlanLooseTextHasRanges(t *testing.T) {
	for _, layout := range []string{
		`[user loose]['_'][n:1]`, `[user loose][n:1]`, `[user loose]["_"][n:1]`, `[user loose pad(8,'x')][n:1]`,
		`[user desc loose]['_'][n:1]`, `[salt4(n)][user loose]['_'][n:1]`,
	} {
		s := rowkey.Must(rowkey.Parse("l", layout))
		plan, err := s.Scan(rowkey.Prefix("user", "u1"))
		require.NoError(t, err, layout)
		assert.False(t, plan.Exact(), layout)
		want, _, err := s.Key().Prefix("u1").AppendRanges(nil, nil)
		require.NoError(t, err, layout)
		assert.Equal(t, want, slices.Collect(plan.Ranges()), layout)
		for _, k := range []rowkey.Cond{rowkey.AtLeast("user", "u1"), rowkey.MoreThan("user", "u1"), rowkey.Span("user", "u1", "v")} {
			plan, err := s.Scan(k)
			require.NoError(t, err, layout)
			for r := range plan.Ranges() {
				for _, user := range []string{"u1", "u12", "u1_", "u2"} {
					key, err := s.AppendKey(nil, user, 7)
					require.NoError(t, err, layout)
					if plan.Len() == 1 && user != "u1" {
						assert.True(t, r.Contains(key), "%s %q %v", layout, user, r)
					}
				}
			}
		}
	}
	s := rowkey.Must(rowkey.Parse("l", `[user loose]['_'][n:1]`))
	for _, c := range []struct {
		cond rowkey.Cond
		want string
	}{
		{rowkey.Prefix("user", "u1"), "[u1, u2)"},
		{rowkey.AtLeast("user", "u1"), "[u1, end of table)"},
		{rowkey.Span("user", "u1", "u3"), "[u1, u3)"},
		{rowkey.AtMost("user", "u1"), `[, u1\x00)`}, // and a range each for u_ and u1_, which lie after it
	} {
		plan, err := s.Scan(c.cond)
		require.NoError(t, err)
		assert.Equal(t, c.want, fmt.Sprint(slices.Collect(plan.Ranges())[0]))
	}
}

// A value of which a salt cannot be computed is in no row, so that nothing is
// read for it, and nothing refused: a Java hashCode is of text.
func TestPlanOfWhatNoSaltTakes(t *testing.T) {
	for _, layout := range []string{
		`[salt1(values(a)) javahashabs letters("a") named(bucket)][a notstored padleft(6,'0')]`,
		`[salt4(a) javahash][a notstored][b:1]`,
		`[salt4(a) javahash][a]`,
	} {
		s := rowkey.Must(rowkey.Parse("s", layout))
		for _, conds := range [][]rowkey.Cond{
			{rowkey.Eq("a", "b\xff\xff")},
			{rowkey.In("a", "b\xff\xff", "\xff")},
			{rowkey.Eq("a", "b\xff\xff"), rowkey.FullScan()},
		} {
			plan, err := s.Scan(conds...)
			require.NoError(t, err, layout)
			assert.Zero(t, plan.Len(), layout)
			assert.True(t, plan.Exact(), layout)
		}
		_, err := s.Scan(rowkey.In("a", "b\xff\xff", "b"))
		assert.True(t, err == nil || errors.Is(err, rowkey.ErrFullScan), "%s: %v", layout, err)
	}
}

// A width of two bytes bounds a number as Below does: what stands after it is
// asked for value by value, the refusal says how many, and that many permitted
// are enough.
func TestPlanWidthBoundsAsBelow(t *testing.T) {
	wide := rowkey.New("w").Uint("hash", 2).Uint("at", 4).MustBuild()
	below := rowkey.New("w").Uint("hash", 2, rowkey.Below(65536)).Uint("at", 4).MustBuild()
	for _, s := range []*rowkey.Schema{wide, below} {
		span := rowkey.Span("at", 7, 9)
		_, err := s.Scan(span)
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
		assert.ErrorContains(t, err, "rowkey: w: hash: 65536 ranges, one for each value of what no condition fixes; at most 1024")
		plan, err := s.Scan(span, rowkey.MaxRanges(65536))
		require.NoError(t, err)
		assert.Equal(t, 65536, plan.Len())
		assert.True(t, plan.Exact())
		plan, err = s.Scan(span, rowkey.FullScan())
		require.NoError(t, err)
		assert.Equal(t, 1, plan.Len())
		splits, err := s.Splits(4)
		require.NoError(t, err)
		assert.Equal(t, "[4000 8000 c000]", fmt.Sprintf("%x", splits))
	}
	// After what is limited, one range covers all of them, as before.
	s := rowkey.New("w").String("user").Separator("_").Uint("kind", 1).Uint("at", 4).MustBuild()
	plan, err := s.Scan(rowkey.Eq("user", "anna"), rowkey.Span("at", 7, 9))
	require.NoError(t, err)
	assert.Equal(t, 1, plan.Len())
	_, err = rowkey.New("w").Uint("slot", 2, rowkey.Below(2000), rowkey.Bucket).Uint("at", 4).Build()
	assert.ErrorContains(t, err, "Bucket needs a field of at most 1024 values, and this one has 2000")
	_, err = rowkey.New("w").Uint("slot", 4, rowkey.Bucket).Uint("at", 4).Build()
	assert.ErrorContains(t, err, "say Below or OneOf")
}

// FullScan refuses no number of ranges: more than MaxRanges become as many that
// cover them.
func TestPlanFullScanNeverCountsRanges(t *testing.T) {
	long(t)
	ids := make([]int, 2000)
	names := make([]string, 2000)
	for i := range ids {
		ids[i], names[i] = 3*i, fmt.Sprint("n", i)
	}
	for _, layout := range []string{`[id:4]`, `[id:4][b:1]`, `[salt16(id)][id:4][b:1]`, `[salt16(id)][id:4]`, `[b:1][id:4]`, `[md5.raw(4)(id)][id:4][b:1]`, `[id:4 reverse][b:1]`} {
		s := rowkey.Must(rowkey.Parse("f", layout))
		for _, extra := range [][]rowkey.Cond{nil, {rowkey.Eq("b", 7)}, {rowkey.AtMost("b", 7)}, {rowkey.MaxRanges(1)}, {rowkey.MaxRanges(17)}, {rowkey.MaxRanges(1 << 20)}} {
			if len(extra) > 0 && layout[len(layout)-5:] != "[b:1]" && layout[:5] != "[b:1]" && fmt.Sprint(extra[0]) != fmt.Sprint(rowkey.MaxRanges(1)) {
				continue
			}
			plan, err := s.Scan(append([]rowkey.Cond{rowkey.In("id", ids...), rowkey.FullScan()}, extra...)...)
			require.NoError(t, err, layout)
			ranges := slices.Collect(plan.Ranges())
			for i := 1; i < len(ranges); i++ {
				require.Less(t, fmt.Sprintf("%x", ranges[i-1].Start()), fmt.Sprintf("%x", ranges[i].Start()))
			}
			for _, id := range []int{0, 3, 300, 5997} {
				values := []any{id}
				for f := range s.Fields() {
					switch {
					case f.Name == "b" && layout[:3] == "[b:":
						values = []any{7, id}
					case f.Name == "b":
						values = []any{id, 7}
					}
				}
				key, err := s.AppendKey(nil, values...)
				require.NoError(t, err)
				require.True(t, plan.Match(key))
				require.Equal(t, 1, lawCovering(ranges, key), "%s: %v", layout, values)
			}
		}
	}
	s := rowkey.Must(rowkey.Parse("f", `[name]['_'][b:1]`))
	plan, err := s.Scan(rowkey.In("name", names...), rowkey.FullScan(), rowkey.MaxRanges(3))
	require.NoError(t, err)
	assert.Equal(t, 3, plan.Len())
	assert.False(t, plan.Exact())
}

// A refusal of a full scan says which field comes first and has no condition, or why its bytes
// do not sort, and which layout answers the query; a permitted one begins with what
// it reads.
func TestPlanFullScanSaysWhatHelps(t *testing.T) {
	for _, c := range []struct {
		layout string
		cond   rowkey.Cond
		says   string
	}{
		{`[seller]['_'][ms(at)]`, rowkey.AtLeast("at", ms(7)), "seller: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this"},
		{`[salt16(seller)][seller]['_'][ms(at)]`, rowkey.AtLeast("at", ms(7)), "seller: no condition fixes it, and it comes before at in the key; a layout in which at comes first answers this"},
		{`[salt1(phone)][phone notstored][at:8]`, rowkey.Eq("phone", "a"), "at: no condition fixes it, and it comes first in the key; a layout that stores phone before it answers this"},
		{`[tail=phone right(4)][phone fixed(11)]`, rowkey.AtLeast("phone", "a"), "phone: the conditions on it do not fix tail, which comes before it in the key; a layout in which phone comes first answers this"},
		{`[host]`, rowkey.Suffix("host", "com"), "host: its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this"},
		{`[host reverse]`, rowkey.AtLeast("host", "com"), "host: its stored bytes do not sort as it does (it is reversed); a layout that stores it in its order answers this"},
		{`[host reverse]`, rowkey.Prefix("host", "com"), "host: its stored bytes do not sort as it does (it is reversed)"},
		{`[n:8 decimal]['_'][b:1]`, rowkey.AtLeast("n", 7), "n: its stored bytes do not sort as it does (10 sorts before 9, as its digits are not padded)"},
		{`[host padleft(9,'0')]`, rowkey.AtLeast("host", "com"), "host: its stored bytes do not sort as it does (it is padded on the left)"},
	} {
		s := rowkey.Must(rowkey.Parse("f", c.layout))
		_, err := s.Scan(c.cond)
		require.ErrorIs(t, err, rowkey.ErrFullScan, c.layout)
		assert.ErrorContains(t, err, "rowkey: f: "+c.says, c.layout)
		assert.ErrorContains(t, err, ", FullScan() permits it: query reads the whole table", c.layout)
		plan, err := s.Scan(c.cond, rowkey.FullScan())
		require.NoError(t, err, c.layout)
		assert.Regexp(t, "^the whole table: f: ", plan.String(), c.layout)
	}
	s := rowkey.Must(rowkey.Parse("f", `[host reverse]`))
	_, err := s.Key().Prefix("a").Range()
	assert.ErrorContains(t, err, "its stored bytes do not begin as it does (it is reversed)")
	_, err = s.Scan()
	assert.ErrorContains(t, err, "host: no condition fixes it or any other field; FullScan() permits it")
	plan, err := rowkey.Must(rowkey.Parse("f", `[a:4][b:1]`)).Scan(rowkey.Eq("a", 7), rowkey.FullScan())
	require.NoError(t, err)
	assert.NotContains(t, plan.String(), "whole table")
}

// The bytes that an interval's ends share are fixed bytes of a fuzzy filter.
func TestPlanFuzzySharedBytes(t *testing.T) {
	for _, c := range []struct {
		layout    string
		conds     []rowkey.Cond
		key, mask string
	}{
		{`[a:4][b:2]`, []rowkey.Cond{rowkey.Span("b", 0x200, 0x300)}, "0000000002", "0101010100"},
		{`[a:4][b:2 desc][c:1]`, []rowkey.Cond{rowkey.Span("b", 0x200, 0x300)}, "00000000fd", "0101010100"},
		{`[a:4][b:2][c:1]`, []rowkey.Cond{rowkey.Span("b", 0x200, 0x300), rowkey.Eq("c", 7)}, "00000000020007", "01010101000100"},
		{`[a:4][b:2]`, []rowkey.Cond{rowkey.Span("b", 0x200, 0x301)}, "", ""},
	} {
		plan, err := rowkey.Must(rowkey.Parse("f", c.layout)).Scan(append(c.conds, rowkey.FullScan())...)
		require.NoError(t, err)
		var key, mask string
		for k, m := range plan.Fuzzy() {
			key, mask = fmt.Sprintf("%x", k), fmt.Sprintf("%x", m)
		}
		assert.Equal(t, c.key, key, c.layout)
		assert.Equal(t, c.mask, mask, c.layout)
	}
}

// A Loose field of few values stands in front as a bucket: where it ends in a key, or
// in a range's start, nobody can say, so that it is no bucket whose ranges are read
// side by side. Every row that matches lies in one range, and no plan panics.
func TestPlanLooseBucket(t *testing.T) {
	for _, values := range [][]string{{"", "\x00\xff"}, {"", "a"}, {"a", "aa"}} {
		s := rowkey.New("s").String("a", rowkey.OneOf(values...), rowkey.Bucket, rowkey.Loose).String("b").MustBuild()
		type row struct {
			b   string
			key []byte
		}
		var rows []row
		for _, a := range values {
			for _, b := range shortTexts(2) {
				if key, err := s.AppendKey(nil, a, b); err == nil {
					rows = append(rows, row{b, key})
				}
			}
		}
		require.Greater(t, len(rows), 20)
		planned := 0
		for _, x := range shortTexts(2) {
			for _, q := range []struct {
				cond rowkey.Cond
				is   func(b string) bool
			}{
				{rowkey.Eq("b", x), func(b string) bool { return b == x }},
				{rowkey.NotEq("b", x), func(b string) bool { return b != x }},
				{rowkey.AtLeast("b", x), func(b string) bool { return b >= x }},
				{rowkey.LessThan("b", x), func(b string) bool { return b < x }},
				{rowkey.Prefix("b", x), func(b string) bool { return strings.HasPrefix(b, x) }},
			} {
				for _, conds := range [][]rowkey.Cond{{q.cond}, {q.cond, rowkey.FullScan()}} {
					plan, err := s.Scan(conds...)
					if errors.Is(err, rowkey.ErrFullScan) || x == "" && errors.Is(err, rowkey.ErrLength) { // a Prefix of all
						continue
					}
					require.NoError(t, err, "%q: %q", values, x)
					planned++
					for _, r := range rows {
						if q.is(r.b) {
							require.Equal(t, 1, lawCovering(slices.Collect(plan.Ranges()), r.key), "%q, %x: %v", values, r.key, plan)
							require.True(t, plan.Match(r.key), "%q, %x: %v", values, r.key, plan)
						}
					}
				}
			}
		}
		assert.Greater(t, planned, 100)
	}
}

// TestPlanCoversWhereKeysAreTooMany: where the conditions give every field a few values
// and the whole keys are too many, the ranges of what stands in front are the plan. The
// number of ranges that one refusal names is then enough.
func TestPlanCoversWhereKeysAreTooMany(t *testing.T) {
	s := rowkey.New("s").Uint("a", 1).Bool("b").Hash(rowkey.MD5.Raw(1), "a", rowkey.Named("h")).MustBuild()
	for most, want := range map[int]string{
		2: "01:02 03:04",
		3: "01:02 03:04",
		4: "010055:010056 010155:010156 030086:030087 030186:030187",
	} {
		p, err := s.Scan(rowkey.In("a", 1, 3), rowkey.AtMost("b", true), rowkey.MaxRanges(most))
		require.NoError(t, err, "at most %d", most)
		var got []string
		for r := range p.Ranges() {
			got = append(got, fmt.Sprintf("%x:%x", r.Start(), r.Stop()))
		}
		require.Equal(t, want, strings.Join(got, " "), "at most %d", most)
	}
	_, err := s.Scan(rowkey.In("a", 1, 3), rowkey.AtMost("b", true), rowkey.MaxRanges(1))
	require.ErrorIs(t, err, rowkey.ErrManyRanges)
	require.ErrorContains(t, err, "2 ranges")

	// FullScan permits more, and reads no more.
	p, err := s.Scan(rowkey.In("a", 1, 3), rowkey.AtMost("b", true), rowkey.MaxRanges(2), rowkey.FullScan())
	require.NoError(t, err)
	require.Equal(t, "[[\\x01, \\x02) [\\x03, \\x04)]", fmt.Sprint(slices.Collect(p.Ranges())))
}

// TestPlanManyBeforeFullScan: where whole keys are too many, and what stands in front is the whole
// table, the refusal names the number of ranges that is enough.
func TestPlanManyBeforeFullScan(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("s", "[salt2(values(a,b))][a:bool][b:4]"))
	refused := 0
	for b := range 10 { // the rows of one b are in one bucket, or in both
		query := []rowkey.Cond{rowkey.AtMost("a", true), rowkey.Eq("b", b)}
		if _, err := s.Scan(append(query, rowkey.MaxRanges(1))...); err != nil {
			require.ErrorIs(t, err, rowkey.ErrManyRanges, "b %d", b)
			require.ErrorContains(t, err, "2 ranges")
			refused++
		}
		_, err := s.Scan(append(query, rowkey.MaxRanges(2))...)
		require.NoError(t, err)
	}
	require.Positive(t, refused)
}

// TestPlanOfTwoLongLists: where the whole table is permitted, two long lists are joined to as
// many ranges as are allowed, in little memory, and no row is lost.
func TestPlanOfTwoLongLists(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[u:4][i:4][x:4]"))
	for _, n := range []int{300, 1000, 20000} {
		list := make([]int, n)
		for i := range list {
			list[i] = 3 * i
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := s.Scan(rowkey.In("u", list...), rowkey.In("i", list...), rowkey.FullScan())
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		assert.LessOrEqual(t, p.Len(), 1024)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20), "%d values twice", n)
		for i := range n {
			key, err := s.AppendKey(nil, list[i], list[n-1-i], 7)
			require.NoError(t, err)
			if !p.Match(key) || !slices.ContainsFunc(slices.Collect(p.Ranges()), func(r rowkey.Range) bool { return r.Contains(key) }) {
				t.Fatalf("%d values twice: the key %x is lost", n, key)
			}
			if i == 200 {
				break
			}
		}
		other, err := s.AppendKey(nil, 3, 4, 7)
		require.NoError(t, err)
		assert.False(t, p.Match(other))
	}
}

// TestIntervalOfAll: an interval may leave out no value of the first field. Its plan is not refused, but
// says that it is the whole table, whatever the number of ranges.
func TestIntervalOfAll(t *testing.T) {
	one := rowkey.New("t").String("a", rowkey.Fixed(1)).MustBuild()
	salted := rowkey.New("t").Salt(2, "a").String("a", rowkey.Fixed(1)).MustBuild()
	versioned := rowkey.New("t").Literal("v").String("a").Separator("_").Bool("b").MustBuild()
	for _, c := range []struct {
		s    *rowkey.Schema
		cond rowkey.Cond
		all  bool
	}{
		{one, rowkey.NotEq("a", "ab"), true}, // no row has it
		{one, rowkey.NotEq("a", "b"), false},
		{one, rowkey.NotEq("a", "\xff"), false},
		{salted, rowkey.NotEq("a", "ab"), true},
		{salted, rowkey.NotEq("a", "b"), false},
		{versioned, rowkey.NotEq("a", "_"), true}, // its separator
		{versioned, rowkey.NotEq("a", "b"), false},
	} {
		plan, err := c.s.Scan(c.cond)
		if err != nil {
			t.Fatal(err)
		}
		if c.all != strings.HasPrefix(plan.String(), "the whole table: ") {
			t.Errorf("%v: %v, want the whole table: %t", c.s, plan, c.all)
		}
	}
}

// A copy that is computed of a field which no range holds has as many forms as the field has values, and each
// bucket of a salt is read once for each of them: six ranges are not all five buckets.
func TestPlanCopyBesideBuckets(t *testing.T) {
	for _, c := range []struct {
		layout string
		refuse bool
		conds  []rowkey.Cond
	}{
		{`[also=c][salt5(values(a,c))][a:2 notstored][c:bool notstored]`, false, conds(rowkey.In("c", false, true), rowkey.Span("a", 1, 4))},
		{`[also=c][salt5(values(a,c))][a:2 notstored][c:bool notstored]`, true, conds(rowkey.In("c", false, true), rowkey.Span("a", 1, 40))},
		{`[also=c left(1)][salt2(a)][a:2 notstored][c oneof("x","xx") notstored]`, true, conds(rowkey.NotEq("c", "y"), rowkey.Span("a", 1, 40))},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		_, err := s.Scan(c.conds...)
		assert.Equal(t, c.refuse, errors.Is(err, rowkey.ErrFullScan), "%s: %v", c.layout, err)
		_, err = s.Scan(append(c.conds, rowkey.FullScan())...)
		assert.NoError(t, err, c.layout)
	}
}

// A lower end of a copy above an upper end of it is an error, also where the upper end leaves a few texts.
func TestPlanOfCopyWhoseEndsCross(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[tail=phone right(4)]['|'][phone]`))
	for _, c := range [][]rowkey.Cond{
		conds(rowkey.AtMost("tail", ""), rowkey.AtLeast("tail", "1")),
		conds(rowkey.AtMost("tail", "\x00"), rowkey.AtLeast("tail", "1"), rowkey.Eq("phone", "5678")),
		conds(rowkey.AtMost("tail", "1"), rowkey.AtLeast("tail", "2")),
	} {
		_, err := s.Scan(c...)
		assert.ErrorIs(t, err, rowkey.ErrInverted, "%v", c)
	}
	_, err := s.Scan(rowkey.AtMost("tail", ""), rowkey.AtLeast("tail", ""))
	assert.NoError(t, err)
}

// Where the keys that a query names are too many, and what is left of them without the last fields is every
// bucket, more ranges are the remedy, and not the whole table.
func TestPlanOfKeysInEveryBucket(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[salt2(values(b,a))][a:bool][b]`))
	ask := conds(rowkey.In("a", false, true), rowkey.In("b", "a", "b", "c", "d", "e", "f"))
	_, err := s.Scan(append(ask, rowkey.MaxRanges(3))...)
	assert.ErrorIs(t, err, rowkey.ErrManyRanges)
	plan, err := s.Scan(append(ask, rowkey.MaxRanges(24))...)
	if assert.NoError(t, err) {
		assert.Equal(t, 12, plan.Len())
	}
}

// An interval that holds all values of a step's field, as at most the last UUID does, is all its rows and no others.
func TestPlanOfAllValuesOfAStep(t *testing.T) {
	const last = "ffffffff-ffff-ffff-ffff-ffffffffffff"
	for _, s := range []*rowkey.Schema{
		rowkey.New("t").String("a", rowkey.UUID, testHexDown.via()).MustBuild(),
		rowkey.New("t").String("a", rowkey.UUID, testPairs.via()).MustBuild(),
		rowkey.New("t").Uint("b", 1).String("a", rowkey.UUID, testHexDown.via()).MustBuild(),
	} {
		plan, err := s.Scan(rowkey.AtMost("a", last), rowkey.FullScan())
		if assert.NoError(t, err, s) {
			assert.True(t, plan.Exact(), "%v: %v", s, plan)
		}
	}
	s := rowkey.New("t").Uint("b", 1).String("a", rowkey.UUID, testHexDown.via()).MustBuild()
	plan, err := s.Scan(rowkey.Eq("b", 7), rowkey.AtMost("a", last))
	if assert.NoError(t, err) {
		assert.True(t, plan.Exact(), "%v", plan)
		assert.Equal(t, []string{`[\x07, \x08)`}, []string{plan.Range(0).String()})
	}
}
