package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// matching is the rows that a query matches, by what names them.
func matching(t *testing.T, s *rowkey.Schema, rows map[string][]any, conds ...rowkey.Cond) []string {
	t.Helper()
	plan, err := s.Scan(conds...)
	require.NoError(t, err)
	found := []string{}
	for name, row := range rows {
		key, err := s.AppendKey(nil, row...)
		require.NoError(t, err)
		if plan.Match(key) {
			found = append(found, name)
			assert.LessOrEqual(t, planCovering(slices.Collect(plan.Ranges()), key), 1)
		}
	}
	slices.Sort(found)
	return found
}

// A user that is not in the key is in its hash: another user's key does not
// match, as far as the conditions say who is meant.
func TestMatchHashOfWhatIsNotStored(t *testing.T) {
	at := time.Unix(1684203630, 0)
	s := rowkey.New("s").Time("at", rowkey.Seconds).Hash(rowkey.MD5.Raw(16), "user").String("user", rowkey.NotStored).MustBuild()
	rows := map[string][]any{"anna": {at, "anna"}, "berta": {at, "berta"}, "later": {at.Add(time.Hour), "anna"}}
	full, hour := rowkey.FullScan(), rowkey.Span("at", at, at.Add(time.Minute))
	for want, conds := range map[string][]rowkey.Cond{
		"anna later":       {rowkey.Eq("user", "anna"), full},
		"anna":             {rowkey.Eq("user", "anna"), hour},
		"anna berta":       {rowkey.In("user", "anna", "berta", "carla"), hour},
		"berta":            {rowkey.In("user", "carla", "berta"), hour},
		"":                 {rowkey.Eq("user", "carla"), hour},
		"anna berta later": {rowkey.NotEq("user", "dora"), full}, // says no name
	} {
		assert.Equal(t, want, strings.Join(matching(t, s, rows, conds...), " "))
	}
	// No value is left.
	assert.Empty(t, matching(t, s, rows, rowkey.Eq("user", "anna"), rowkey.Eq("user", "berta")))
}

// A salt and a hash of one field, of two, and of one that stands in the key:
// one combination of the values has to give all of them.
func TestMatchWhatSeveralHashesGive(t *testing.T) {
	s := rowkey.New("s").
		Hash(rowkey.Murmur3.Raw(1), "values(a,b)").
		Salt(16, "values(a)").
		Hash(rowkey.MD5.Raw(2), "values(b,n)").
		Uint("a", 2, rowkey.NotStored).
		String("b", rowkey.NotStored).
		Uint("n", 1).
		MustBuild()
	rows := map[string][]any{}
	for a := range 200 {
		for _, b := range []string{"x", "y"} {
			for n := range 2 {
				rows[fmt.Sprint(a, b, n)] = []any{a, b, n}
			}
		}
	}
	for _, c := range []struct {
		conds []rowkey.Cond
		want  func(a int, b string, n int) bool
	}{
		{[]rowkey.Cond{rowkey.Eq("a", 7), rowkey.Eq("b", "x")}, func(a int, b string, n int) bool { return a == 7 && b == "x" }},
		{[]rowkey.Cond{rowkey.In("a", 7, 8), rowkey.Eq("b", "x"), rowkey.Eq("n", 1)}, func(a int, b string, n int) bool { return (a == 7 || a == 8) && b == "x" && n == 1 }},
		{[]rowkey.Cond{rowkey.Eq("b", "y"), rowkey.FullScan()}, func(a int, b string, n int) bool { return b == "y" }},
		{[]rowkey.Cond{rowkey.Span("a", 20, 25), rowkey.Eq("b", "y"), rowkey.FullScan()}, func(a int, b string, n int) bool { return a >= 20 && a < 25 && b == "y" }},
	} {
		got := matching(t, s, rows, c.conds...)
		extra := 0
		for name, row := range rows {
			want := c.want(row[0].(int), row[1].(string), row[2].(int))
			assert.False(t, want && !slices.Contains(got, name), "%s is lost", name)
			if !want && slices.Contains(got, name) {
				extra++
			}
		}
		assert.Less(t, extra, 5, "only a few of 400 keys are alike in all their hashes")
	}
}

// A hash of what is not stored and has few values is one range for each of them, also where no condition names one:
// a key in none of the ranges does not match.
func TestMatchWhatRangesAreMadeOf(t *testing.T) {
	for _, c := range []struct {
		layout string
		conds  []rowkey.Cond
		few    []any // values of c
	}{
		{`[md5.hex(8)(values(a,c))][b:1][a:4 notstored][c oneof("x","y") notstored]`, conds(rowkey.Eq("a", 7)), []any{"x", "y"}},
		{`[md5.hex(8)(values(a,c))][b:1][a:4 notstored][c codes("x":"1","y":"2") notstored]`, conds(rowkey.Eq("a", 7)), []any{"x", "y"}},
		{`[md5.hex(8)(values(a,c))][b:1 decimal loose]['_'][a:4 notstored][c:bool notstored]`, conds(rowkey.Eq("a", 7)), []any{false, true}},
		{`[b:1][md5.hex(8)(values(a,c))][a:4 notstored][c:bool notstored]`, conds(rowkey.Eq("a", 7), rowkey.FullScan()), []any{false, true}},
		{`[md5.hex(8)(values(a,c))][b:1][a:1 below(139) notstored][c oneof("x") notstored]`, conds(rowkey.Span("a", 7, 137)), []any{"x"}},
	} {
		s := rowkey.Must(rowkey.Parse("s", c.layout))
		plan, err := s.Scan(c.conds...)
		require.NoError(t, err, c.layout)
		ranges := slices.Collect(plan.Ranges())
		matched := 0
		for a := range 139 {
			for _, few := range c.few {
				key, err := s.AppendKey(nil, 1, a, few)
				require.NoError(t, err, c.layout)
				if !plan.Match(key) {
					continue
				}
				matched++
				assert.Equal(t, 1, planCovering(ranges, key), "%s: %d %v", c.layout, a, few)
			}
		}
		want := len(c.few)
		if strings.Contains(c.layout, "below") {
			want = 130
		}
		assert.Equal(t, want, matched, c.layout)
	}
}

// A copy of the end of a field that is not stored holds less than a Suffix asks, also where limits are before its cut.
func TestMatchLimitedCopyOfTheEnd(t *testing.T) {
	for _, layout := range []string{`[a notstored][c=a reverse chars("abc") left(1)]`, `[a notstored][c=a reverse left(1)]`} {
		s := rowkey.Must(rowkey.Parse("s", layout))
		key, err := s.AppendKey(nil, "ab")
		require.NoError(t, err, layout)
		for suffix, want := range map[string]bool{"ab": true, "b": true, "bb": true, "c": false, "ac": false} { // the key says no more of a
			assert.Equal(t, want, rowkey.Must(s.Scan(rowkey.Suffix("a", suffix))).Match(key), "%s %s", layout, suffix)
		}
	}
}

// A list of many values that are neighbours names each of them.
func TestMatchManyNeighbours(t *testing.T) {
	s := rowkey.New("s").Uint("n", 1).Hash(rowkey.MD5.Raw(8), "id").Uint("id", 4, rowkey.NotStored).MustBuild()
	var ids []int
	for id := range 500 {
		ids = append(ids, id)
	}
	rows := map[string][]any{"first": {1, 0}, "last": {1, 499}, "next": {1, 500}, "other": {2, 7}}
	assert.Equal(t, []string{"first", "last"}, matching(t, s, rows, rowkey.Eq("n", 1), rowkey.In("id", ids...)))
	// An interval of more than a few values names none.
	assert.Equal(t, []string{"first", "last", "next"}, matching(t, s, rows, rowkey.Eq("n", 1), rowkey.LessThan("id", 500)))
}

// A copy of a field that is not stored lies where the field does.
func TestMatchCopyOfWhatIsNotStored(t *testing.T) {
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	s := rowkey.New("s").Uint("n", 1).Copy("hour", "at", rowkey.Layout("2006010215", time.UTC)).Time("at", rowkey.Millis, rowkey.NotStored).MustBuild()
	rows := map[string][]any{}
	for h := range 48 {
		rows[fmt.Sprintf("%02d", h)] = []any{1, day.Add(time.Duration(h) * time.Hour)}
	}
	got := matching(t, s, rows, rowkey.Eq("n", 1), rowkey.Span("at", day.Add(5*time.Hour+time.Minute), day.Add(8*time.Hour)))
	assert.Equal(t, []string{"05", "06", "07"}, got)
	assert.Equal(t, []string{"09"}, matching(t, s, rows, rowkey.Eq("n", 1), rowkey.Eq("at", day.Add(9*time.Hour+time.Minute))))

	phones := rowkey.New("p").Uint("n", 1).Copy("head", "phone", rowkey.Left(3)).String("phone", rowkey.NotStored).MustBuild()
	rows = map[string][]any{"138": {1, "13812345678"}, "139": {1, "13912345678"}, "short": {1, "13"}}
	assert.Equal(t, []string{"138"}, matching(t, phones, rows, rowkey.Eq("n", 1), rowkey.Prefix("phone", "138")))
	assert.Equal(t, []string{"138", "139"}, matching(t, phones, rows, rowkey.Eq("n", 1), rowkey.Prefix("phone", "13"), rowkey.AtLeast("phone", "131")))
	assert.Equal(t, []string{"139"}, matching(t, phones, rows, rowkey.Eq("n", 1), rowkey.Eq("phone", "13912345678")))
}

// A key whose salt, hash or copy is not what its fields give does not match:
// such a bucket is no bucket of the row.
func TestMatchWrongSalt(t *testing.T) {
	s := rowkey.New("s").Salt(20, "user").Hash(rowkey.MD5.Hex(2), "user").Copy("last", "user", rowkey.Right(1), rowkey.Fixed(1)).String("user").MustBuild()
	plan, err := s.Scan(rowkey.Prefix("user", "a"), rowkey.FullScan())
	require.NoError(t, err)
	key, err := s.AppendKey(nil, "anna")
	require.NoError(t, err)
	assert.True(t, plan.Match(key))
	for i := range 4 { // the salt, two digits of the hash, the copy
		for b := range 256 {
			wrong := slices.Clone(key)
			wrong[i] = byte(b)
			assert.Equal(t, string(wrong) == string(key), plan.Match(wrong), "%x", wrong)
		}
	}
	all, err := s.Scan(rowkey.FullScan())
	require.NoError(t, err)
	assert.True(t, all.Match(key))
	key[0] = 0xff
	assert.False(t, all.Match(key), "there are 20 buckets")
}

// A Loose text may begin or end with its own padding. Match takes a key for a row of each
// value that is written so, and of no other.
func TestMatchLoosePadding(t *testing.T) {
	for _, c := range []struct {
		notation, value string
		yes, no         []string
	}{
		{"[f loose padleft(3,'a')][n:1]", "aac", []string{"c", "ac", "aac"}, []string{"", "a", "ca", "b", "aacc"}},
		{"[f loose pad(3,'a')][n:1]", "caa", []string{"c", "ca", "caa"}, []string{"", "a", "ac", "b", "ccaa"}},
		{"[f reverse loose pad(3,'a')][n:1]", "ac", []string{"c", "ac", "aac"}, []string{"", "ca", "b"}},
		{"[f loose padleft(3,'a') desc][n:1]", "ac", []string{"c", "ac", "aac"}, []string{"", "ca", "b"}},
		{"[salt4(n)][f loose minlen(2) padleft(3,'a')][n:1]", "aac", []string{"ac", "aac"}, []string{"c", "a"}},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		key, err := s.AppendKey(nil, c.value, uint64(7))
		require.NoError(t, err)
		_, err = s.Decode(key)
		require.ErrorIs(t, err, rowkey.ErrAmbiguous, c.notation)
		match := func(conds ...rowkey.Cond) bool {
			plan, err := s.Scan(append(conds, rowkey.FullScan())...)
			require.NoError(t, err, c.notation)
			return plan.Match(key)
		}
		for _, v := range c.yes {
			assert.True(t, match(rowkey.Eq("f", v)), "%s: %q", c.notation, v)
		}
		for _, v := range c.no {
			assert.False(t, match(rowkey.Eq("f", v)), "%s: %q", c.notation, v)
		}
		assert.True(t, match(), c.notation)
		assert.True(t, match(rowkey.Suffix("f", c.value[len(c.value)-1:])), c.notation)
		assert.False(t, match(rowkey.Suffix("f", "x")), c.notation)
		assert.False(t, match(rowkey.MoreThan("f", "x")), c.notation)
		assert.False(t, match(rowkey.Eq("f", c.value), rowkey.Eq("n", uint64(8))), c.notation)
	}
}

// A Loose number with padding may have several readings too: Match takes them all.
func TestMatchLoosePaddedNumber(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[a:i1 decimal padleft(4,'\x00') loose]`))
	key, err := s.AppendKey(nil, 63)
	require.NoError(t, err)
	plan, err := s.Scan(rowkey.MoreThan("a", 0), rowkey.AtMost("a", 63))
	require.NoError(t, err)
	assert.True(t, plan.Match(key))
}

// Two Loose fields: a key decodes if one reading of it is possible.
func TestTwoLooseOneReading(t *testing.T) {
	s := rowkey.New("l").String("a", rowkey.Loose).Separator("_").String("b", rowkey.Loose).Separator("_").String("c").MustBuild()
	typed := rowkey.New("t").String("a", rowkey.Loose).Separator("_").Uint("n", 2, rowkey.Digits(3)).Separator("_").String("b", rowkey.Loose).Separator("_").
		Time("at", rowkey.Seconds, rowkey.Digits(10)).MustBuild()
	hashed := rowkey.New("h").Hash(rowkey.MD5.Raw(4), "values(a,b)").String("a", rowkey.Loose).Separator("_").String("b", rowkey.Loose).Separator("_").String("c").MustBuild()
	at := time.Unix(1684203630, 0).UTC()
	for _, c := range []struct {
		s   *rowkey.Schema
		row []any
		err error
	}{
		{s, []any{"x", "y", "z"}, nil},
		{s, []any{"", "", ""}, nil},
		{s, []any{"x", "y", "z_"}, rowkey.ErrAmbiguous},
		{s, []any{"x_", "y", "z"}, rowkey.ErrAmbiguous},
		{typed, []any{"x", uint64(7), "y", at}, nil},
		{typed, []any{"x_y", uint64(7), "a_b_c", at}, nil},
		{typed, []any{"x", uint64(7), "08_c", at}, nil},
		{typed, []any{"x", uint64(7), "y_008_c", at}, rowkey.ErrAmbiguous},
		{hashed, []any{"x_1", "y_2", "z_3"}, nil}, // of ten readings the hash knows one
	} {
		key, err := c.s.AppendKey(nil, c.row...)
		require.NoError(t, err)
		row, err := c.s.Decode(key)
		require.ErrorIs(t, err, c.err, "%q", key)
		if c.err == nil {
			var got []any
			for _, v := range row.All() {
				got = append(got, v)
			}
			assert.Equal(t, c.row, got)
		}
	}

	// No reading: what is wrong, and where.
	for _, c := range []struct{ key, want string }{
		{"x", `rowkey: t: a: no "_" in the last byte: not a key of this schema (at byte 0)`},
		{"x_y", "rowkey: t: n: one byte left, 3 needed: not a key of this schema (at byte 2)"},
		{"x_007", "rowkey: t: not a key of this schema (at byte 5)"},
		{"x_007_y", `rowkey: t: b: no "_" in the last byte: not a key of this schema (at byte 6)`},
		{"x_007_y_16842", "rowkey: t: at: 5 digits, 10 needed: not a key of this schema (at byte 8)"},
		{"x_007_y_168420363x", "rowkey: t: at: byte 10 of 10 is no digit: 9 digits, 10 needed: not a key of this schema (at byte 8)"},
		{"x_0a7_y_1684203630", "rowkey: t: n: byte 2 of 3 is no digit: not a key of this schema (at byte 2)"},
	} {
		_, err := typed.Decode([]byte(c.key))
		assert.EqualError(t, err, c.want, c.key)
	}
	_, err := hashed.Decode([]byte("\x00\x00\x00\x00x_y_z"))
	assert.ErrorIs(t, err, rowkey.ErrDerived)
}

// A plan over two Loose fields leaves to Match what it can: some reading has to
// satisfy all conditions.
func TestMatchLooseReadings(t *testing.T) {
	s := rowkey.New("l").String("a", rowkey.Loose).Separator("_").String("b", rowkey.Loose).Separator("_").String("c").MustBuild()
	plan, err := s.Scan(rowkey.Eq("a", "x"), rowkey.Eq("c", "z"))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	for key, want := range map[string]bool{
		"x_y_z": true, "x__z": true, "x_y_w_z": true, // b is "y_w"
		"x_y_w": false, "x_z": false, "x_": false, "y_x_z": false, "": false, "x_y_z_": false, "x_y__z": true,
	} {
		assert.Equal(t, want, plan.Match([]byte(key)), key)
	}
}

// Of a Loose field with padding the key may still have one value, of all that a condition may ask. What no value
// writes does not match, whatever the padding may be.
func TestMatchLoosePaddingOfFewValues(t *testing.T) {
	for _, c := range []struct {
		notation, key string
		values        []any // of f, which write the key
		others        []any
		one           bool // Decode finds the value
	}{
		{"[f:2 decimal pad(3,'_') loose][n:1]", "11_\x07", []any{11}, []any{10, 1, 110}, true},
		{"[f:2 decimal padleft(3,'_') loose][n:1]", "_11\x07", []any{11}, []any{10, 1, 110}, true},
		{"[f:2 decimal pad(3,'0') loose][n:1]", "110\x07", []any{11, 110}, []any{10, 1, 100}, false},
		{"[f:2 decimal pad(3,'0') loose][n:1]", "000\x07", []any{0}, []any{1, 10, 100}, true}, // no digit is no number
		{"[f:2 decimal padleft(3,'0') loose][n:1]", "000\x07", []any{0}, []any{1, 10, 100}, true},
		{`[f chars("ab") pad(3,'x') loose][n:1]`, "abx\x07", []any{"ab"}, []any{"a", "b", "aba"}, true},
		{`[f chars("ab") pad(3,'x') loose][n:1]`, "zbx\x07", nil, []any{"ab", "b"}, false},
		{`[f oneof("ab","b") pad(3,'x') loose][n:1]`, "abx\x07", []any{"ab"}, []any{"b"}, true},
		{`[f codes("ab":"1","b":"22") pad(3,'x') loose][n:1]`, "22x\x07", []any{"b"}, []any{"ab"}, true},
		{`[f codes("ab":"1","b":"22") pad(3,'x') loose][n:1]`, "2xx\x07", nil, []any{"ab", "b"}, false},
		{`[f codes("":"2","b":"22") pad(3,'x') loose][n:1]`, "2xx\x07", []any{""}, []any{"b"}, true},  // bytes that are no code are not the empty text
		{"[salt3(f)][f pad(3,'x') loose][n:1]", "\x02abx\x07", []any{"ab"}, []any{"a", "abx"}, false}, // the salt alone tells them apart
		{"[salt3(f)][f pad(3,'x') loose][n:1]", "\x00abx\x07", []any{"abx"}, []any{"a", "ab"}, false},
		{"[salt3(f)][f pad(3,'x') loose][n:1]", "\x01abx\x07", nil, []any{"ab", "abx"}, false},
		{"[f pad(3,'x') loose][n:1][c=f right(1)]", "`bx\x07x", []any{"`bx"}, []any{"`b"}, false},
		{"[f pad(3,'x') loose][n:1][c=f right(1)]", "`bx\x07a", nil, []any{"`b", "`bx"}, false},
		{"[f pad(2,'x') loose][g pad(2,'y') loose][salt256(values(f,g))][n:1]", "axby\xef\x07", []any{"ax"}, []any{"a"}, false},
		{"[f chars(\"ab\") pad(32000,'x') loose][n:1]", "a" + strings.Repeat("x", 31999) + "\x07", []any{"a"}, []any{"b"}, true},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		match := func(conds ...rowkey.Cond) bool {
			plan, err := s.Scan(append(conds, rowkey.FullScan())...)
			require.NoError(t, err, c.notation)
			return plan.Match([]byte(c.key))
		}
		eq, notEq := func(v any) rowkey.Cond { return rowkey.Eq("f", v.(string)) }, func(v any) rowkey.Cond { return rowkey.NotEq("f", v.(string)) }
		if strings.Contains(c.notation, "[f:2") {
			eq, notEq = func(v any) rowkey.Cond { return rowkey.Eq("f", v.(int)) }, func(v any) rowkey.Cond { return rowkey.NotEq("f", v.(int)) }
		}
		var none []rowkey.Cond
		for _, v := range c.values {
			assert.True(t, match(eq(v)), "%s: %v", c.notation, v)
			none = append(none, notEq(v))
		}
		for _, v := range c.others {
			assert.False(t, match(eq(v)), "%s: %v", c.notation, v)
		}
		assert.False(t, match(none...) && len(none) > 0, c.notation)
		assert.Equal(t, len(c.values) > 0, match(), "%s: %q", c.notation, c.key)
		row, err := s.Decode([]byte(c.key))
		if assert.Equal(t, c.one, err == nil, "%s: %v", c.notation, err); c.one {
			for name, v := range row.All() {
				assert.Equal(t, name == "f", fmt.Sprint(v) == fmt.Sprint(c.values[0]), "%s: %s %v", c.notation, name, v)
			}
		}
	}
}

// A key that has more readings than a processor can try in a lifetime has an
// answer all the same.
func TestLooseHostileKeys(t *testing.T) {
	b := rowkey.New("l").Hash(rowkey.MD5.Raw(2), "a")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		b = b.String(name, rowkey.Loose).Separator("_")
	}
	s := b.Uint("n", 1).MustBuild()
	key := "hh" + strings.Repeat("_", 32000)
	start := time.Now()
	_, err := s.Decode([]byte(key))
	assert.ErrorIs(t, err, rowkey.ErrAmbiguous)
	_, err = s.DecodeLoose([]byte(key + "_"))
	assert.ErrorIs(t, err, rowkey.ErrAmbiguous)
	assert.Contains(t, s.Explain([]byte(key)), "can be read in more than one way")
	plan, err := s.Scan(rowkey.Eq("a", "x"))
	require.NoError(t, err)
	assert.True(t, plan.Match([]byte(key)), "no row is to be lost")
	assert.Less(t, time.Since(start), 20*time.Second)
}

// Explain shows a key over Loose fields up to where it breaks.
func TestExplainLoose(t *testing.T) {
	s := rowkey.New("t").String("a", rowkey.Loose).Separator("_").Uint("n", 2, rowkey.Digits(3)).Separator("_").String("b", rowkey.Loose).Separator("_").
		Time("at", rowkey.Seconds, rowkey.Digits(10)).MustBuild()
	for _, c := range []struct{ key, want string }{
		{"x_1_007_y_z_1684203630", `
t [a loose]['_'][n:2 digits(3)]['_'][b loose]['_'][s(at) digits(10)]: 22 bytes
0   785f31                [a loose]          "x_1"
3   5f                    ['_']
4   303037                [n:2 digits(3)]    7
7   5f                    ['_']
8   795f7a                [b loose]          "y_z"
11  5f                    ['_']
12  31363834323033363330  [s(at) digits(10)]  2023-05-16T02:20:30Z
`},
		{"x_007_y_16842", `
t [a loose]['_'][n:2 digits(3)]['_'][b loose]['_'][s(at) digits(10)]: 13 bytes
0  78          [a loose]        "x"
1  5f          ['_']
2  303037      [n:2 digits(3)]  7
5  5f          ['_']
6  79          [b loose]        "y"
7  5f          ['_']
8  3136383432                   expected here: [s(at) digits(10)]
rowkey: t: at: 5 digits, 10 needed: not a key of this schema (at byte 8)
`},
		{"x_007_y_168420363x", `
t [a loose]['_'][n:2 digits(3)]['_'][b loose]['_'][s(at) digits(10)]: 18 bytes
0  78                    [a loose]          "x"
1  5f                    ['_']
2  303037                [n:2 digits(3)]    7
5  5f                    ['_']
6  79                    [b loose]          "y"
7  5f                    ['_']
8  31363834323033363378  [s(at) digits(10)]  broken: byte 10 of 10 is no digit: 9 digits, 10 needed
rowkey: t: at: byte 10 of 10 is no digit: 9 digits, 10 needed: not a key of this schema (at byte 8)
`},
		{"x_007_y_008_z_1684203630", `
t [a loose]['_'][n:2 digits(3)]['_'][b loose]['_'][s(at) digits(10)]: 24 bytes
0  785f3030375f795f3030385f7a5f313638343230        can be read in more than one way
   33363330
rowkey: t: a: can be read in more than one way (at byte 0)
`},
	} {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		assert.Equal(t, squeeze(c.want), squeeze(s.Explain([]byte(c.key))))
	}
}

// A valid key of Phoenix whose end is left off, since only nulls follow.
func TestExplainTrimmedCopy(t *testing.T) {
	s := rowkey.New("p", interop.Phoenix).String("a").Copy("d", "a").String("c", rowkey.Optional).MustBuild()
	key, err := s.AppendKey(nil, "xy", nil)
	require.NoError(t, err)
	assert.Equal(t, "7879007879", fmt.Sprintf("%x", key))
	text := s.Explain(key)
	assert.NotContains(t, text, "wrong")
	assert.Contains(t, text, "as the fields give it")
	assert.Contains(t, s.Explain([]byte("xy\x00xz")), `wrong: the fields give "xy"`)
}
