package laws

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Steps that say Prefixes: what a value begins with is a range of its forms.

// testEsc writes a as 01 00 and 01 as 01 01, so that no form holds an a: the
// order is lost, and beginnings are kept.
var testEsc = &testVia{
	name:   "esc",
	traits: rowkey.Traits{Order: rowkey.Unordered, Prefixes: true},
	write: func(s string) (string, error) {
		return strings.NewReplacer("a", "\x01\x00", "\x01", "\x01\x01").Replace(s), nil
	},
	read: func(s string) (string, bool) {
		return strings.NewReplacer("\x01\x00", "a", "\x01\x01", "\x01").Replace(s), true
	},
}

// unsaid is a step without the claim.
func unsaid(v *testVia) *testVia {
	plain := *v
	plain.name += "-unsaid"
	plain.traits.Prefixes, plain.traits.End = false, 0
	return &plain
}

// prefixLayouts is layouts with a text a after a step that says Prefixes. Those that
// are sure plan every Prefix as a range that holds no other row.
var prefixLayouts = []struct {
	name string
	b    *rowkey.Builder
	sure bool
}{
	{"esc", rowkey.New("s").String("a", testEsc.via()), true},
	{"esc, ended", rowkey.New("s").String("a", testEsc.via()).Separator("a").Int("b", 1), true},
	{"esc behind a number", rowkey.New("s").Int("b", 1).String("a", testEsc.via()), true},
	{"esc, desc, ended", rowkey.New("s").String("a", testEsc.via(), rowkey.Desc).Separator("\x9e").Int("b", 1), true},
	{"desc, esc, ended", rowkey.New("s").String("a", rowkey.Desc, testEsc.via()).Separator("a").Int("b", 1), true},
	{"esc, ended by two bytes", rowkey.New("s").String("a", testEsc.via()).Separator("a\x00").Int("b", 1), true},
	{"esc, ended by what a form may end in", rowkey.New("s").String("a", testEsc.via()).Separator("\x00a").Int("b", 1), false},
	{"esc, ended by what a form may hold", rowkey.New("s").String("a", testEsc.via()).Separator("\x01").Int("b", 1), true},
	{"esc, padded", rowkey.New("s").String("a", testEsc.via(), rowkey.Pad(5, 'a')).Int("b", 1), true},
	{"esc, padded by what a form may end in", rowkey.New("s").String("a", testEsc.via(), rowkey.Pad(5, 0)).Int("b", 1), false},
	{"esc, padded, desc", rowkey.New("s").String("a", testEsc.via(), rowkey.Pad(5, 'a'), rowkey.Desc).Int("b", 1), true},
	{"esc, escaped", rowkey.New("s").String("a", testEsc.via(), rowkey.Escaped).Int("b", 1), true},
	{"esc, escaped, desc", rowkey.New("s").String("a", testEsc.via(), rowkey.Escaped, rowkey.Desc).Int("b", 1), true},
	{"esc, fixed", rowkey.New("s").String("a", testEsc.via(), rowkey.Fixed(2)).Int("b", 1), true},
	{"fixed, esc", rowkey.New("s").String("a", rowkey.Fixed(2), testEsc.via()).Separator("a").Int("b", 1), true},
	{"esc, esc", rowkey.New("s").String("a", testEsc.via(), testEsc.via()).Separator("a").Int("b", 1), true},
	{"esc, loose", rowkey.New("s").String("a", testEsc.via(), rowkey.Loose).Separator("\x01").Int("b", 1), false},
	{"esc, loose, without an end", rowkey.New("s").String("a", testEsc.via(), rowkey.Loose).Int("b", 1), false},
	{"esc, loose, padded", rowkey.New("s").String("a", testEsc.via(), rowkey.Loose, rowkey.Pad(4, 0)).Int("b", 1), false},
	{"bare", rowkey.New("s").String("a", testBare.via()).Literal("\xfe").Int("b", 1), true},
	{"bare, desc", rowkey.New("s").String("a", testBare.via(), rowkey.Desc).Literal("\x01").Int("b", 1), true},
	{"bare, ended", rowkey.New("s").String("a", testBare.via()).Separator("\x01").Int("b", 1), true},
	{"esc, bare", rowkey.New("s").String("a", testEsc.via(), testBare.via()).Literal("\x00").Int("b", 1), true},
	{"hexdown", rowkey.New("s").String("a", testHexDown.via()).Int("b", 1), true},
	{"desc, hexdown, esc", rowkey.New("s").String("a", rowkey.Desc, testHexDown.via(), testEsc.via()).Separator("\x00").Int("b", 1), true},
	{"tag, ended", rowkey.New("s").String("a", testTag.via()).Separator("\x00").Int("b", 1), true},
	{"twos", rowkey.New("s").String("a", testTwos.via()).Separator("\xfe").Int("b", 1), false},
	{"a copy of esc", rowkey.New("s").Copy("c", "a", testEsc.via()).Separator("a").String("a"), false},
	{"a copy of low", rowkey.New("s").Copy("c", "a", testLow.via(), rowkey.Escaped).String("a"), false},
	{"a copy of what is left of esc", rowkey.New("s").Copy("c", "a", rowkey.Left(1), testEsc.via()).Separator("a").String("a"), false},
	{"a copy, left of what esc wrote", rowkey.New("s").Copy("c", "a", testEsc.via(), rowkey.Left(1), rowkey.Escaped).String("a"), false},
	{"a copy, left of what twos wrote", rowkey.New("s").Copy("c", "a", testTwos.via(), rowkey.Left(1), rowkey.Escaped).String("a"), false},
	{"a salt, esc", rowkey.New("s").Salt(2, "a").String("a", testEsc.via()).Separator("a").Int("b", 1), true},
}

// Every row of short texts that begin as a Prefix asks lies in exactly one range, in
// those of a scan as in those of a key so far; where the layout is sure, no other
// row does. All other conditions stay sound.
func TestPrefixesOfSteps(t *testing.T) {
	var conds []shortCond
	for i, k := range shortConds() { // what has no Prefix in it is held by the laws too
		if strings.Contains(k.text, "Prefix") || i%8 == 0 {
			conds = append(conds, k)
		}
	}
	for _, l := range prefixLayouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, err := l.b.Build()
			require.NoError(t, err)
			text := l.name
			if strings.Contains(l.name, "loose") {
				text += " loose" // as the cases of notation say it
			}
			c := newShortCaseOf(t, s, text)
			c.all(conds)
			for _, p := range shortTexts(2)[1:] {
				plan, err := s.Scan(rowkey.Prefix("a", p))
				if strings.HasPrefix(l.name, "a copy, left of") { // the beginning of a form is the form of no beginning
					require.ErrorIs(t, err, rowkey.ErrFullScan, "%q", p)
					continue
				}
				if l.name == "twos" && len(p) < 2 {
					require.ErrorIs(t, err, rowkey.ErrFullScan, "%q", p)
					continue
				}
				require.NoError(t, err, "%q", p)
				if l.sure {
					require.True(t, plan.Exact(), "%q: %v", p, plan)
				}
				if strings.HasPrefix(l.name, "a copy") {
					continue
				}
				if ranges, _, err := s.Key().Prefix(p).AppendRanges(nil, nil); err == nil && plan.Exact() {
					for _, row := range c.rows {
						require.Equal(t, lawCovering(ranges, row.key), lawCovering(slices.Collect(plan.Ranges()), row.key), "%q, %v", p, row)
					}
				}
			}
		})
	}
}

func prefixBounds(r rowkey.Range) string { return string(r.Start()) + " to " + string(r.Stop()) }

// A step that says Prefixes gets a range; the same step that does not is refused as
// a full scan, and by the builder.
func TestPrefixesMustBeSaid(t *testing.T) {
	layout := func(v *testVia) *rowkey.Schema {
		return rowkey.New("s").String("user", v.via()).Separator("_").Uint("n", 2).MustBuild()
	}
	said, plain := layout(testPercent), layout(unsaid(testPercent))
	for p, want := range map[string]string{
		"ann": "ann to ano", "a_b": "a%1b to a%1c", "100%": "100%0 to 100%1", ";": "%2 to %3", "\xff": "\xff to ",
	} {
		plan, err := said.Scan(rowkey.Prefix("user", p))
		require.NoError(t, err, "%q", p)
		require.Equal(t, 1, plan.Len(), "%q", p)
		assert.True(t, plan.Exact(), "%q", p)
		for r := range plan.Ranges() {
			assert.Equal(t, want, prefixBounds(r))
		}
		r, err := said.Key().Prefix(p).Range()
		require.NoError(t, err, "%q", p)
		assert.Equal(t, want, prefixBounds(r))

		_, err = plain.Scan(rowkey.Prefix("user", p))
		assert.ErrorIs(t, err, rowkey.ErrFullScan, "%q", p)
		_, err = plain.Key().Prefix(p).Range()
		assert.ErrorIs(t, err, rowkey.ErrType, "%q", p)
		assert.ErrorContains(t, err, `the Traits of via("percent-unsaid") do not say Prefixes`)
	}
	for _, k := range []rowkey.Cond{rowkey.AtLeast("user", "b"), rowkey.LessThan("user", "b"), rowkey.NotEq("user", "b"), rowkey.Suffix("user", "b"), rowkey.Span("user", "a", "z1")} {
		_, err := said.Scan(k)
		assert.ErrorIs(t, err, rowkey.ErrFullScan, "its order is not kept: %v", k)
	}
	for name, c := range map[string]struct {
		conds []rowkey.Cond
		want  []string
		exact bool
	}{
		"neighbours":            {[]rowkey.Cond{rowkey.AnyOf(rowkey.Prefix("user", "%"), rowkey.Prefix("user", "&"))}, []string{"%0 to %1", "& to '"}, true},
		"a text and a Prefix":   {[]rowkey.Cond{rowkey.AnyOf(rowkey.Eq("user", "_"), rowkey.Prefix("user", "x"))}, []string{"%1_ to %1`", "x to y"}, true},
		"a Prefix cut short":    {[]rowkey.Cond{rowkey.Prefix("user", "ab"), rowkey.AtLeast("user", "ab_")}, []string{"ab to ac"}, false},
		"a Prefix and not that": {[]rowkey.Cond{rowkey.Prefix("user", "ab"), rowkey.NotEq("user", "abc")}, []string{"ab to ac"}, false},
		"two that exclude":      {[]rowkey.Cond{rowkey.Prefix("user", "ab"), rowkey.Prefix("user", "b")}, nil, true},
	} {
		plan, err := said.Scan(c.conds...)
		require.NoError(t, err, name)
		var got []string
		for r := range plan.Ranges() {
			got = append(got, prefixBounds(r))
		}
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.exact, plan.Exact(), name)
	}
	_, err := said.Key().Prefix("").Range()
	assert.ErrorIs(t, err, rowkey.ErrLength)
	_, err = rowkey.New("s").String("a", testEsc.via(), rowkey.Fixed(2)).MustBuild().Key().Prefix("aa").Range()
	assert.ErrorIs(t, err, rowkey.ErrLength, "four bytes in two")
	_, err = rowkey.New("s").String("a", testTwos.via()).MustBuild().Key().Prefix("odd").Range()
	assert.ErrorIs(t, err, rowkey.ErrRange, "the step cannot write it")
}

// A Prefix that a step cannot write is the range of as much of it as can be, and
// covers; where nothing can, it is no range.
func TestPrefixesThatCannotBeWritten(t *testing.T) {
	s := rowkey.New("s").Uint("n", 1).String("a", testTwos.via()).MustBuild()
	plan, err := s.Scan(rowkey.Eq("n", 7), rowkey.Prefix("a", "abc"))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	for r := range plan.Ranges() {
		assert.Equal(t, `[\x07ba, \x07bb)`, r.String())
	}
	plan, err = s.Scan(rowkey.Eq("n", 7), rowkey.Prefix("a", "a"))
	require.NoError(t, err)
	assert.False(t, plan.Exact())
	for r := range plan.Ranges() {
		assert.Equal(t, `[\x07, \x08)`, r.String())
	}
	// A step whose forms have all less in front than their values.
	strip := &testVia{
		name: "strip", traits: rowkey.Traits{Order: rowkey.Forward, Prefixes: true},
		write: func(s string) (string, error) {
			form, ok := strings.CutPrefix(s, "id-")
			if !ok {
				return "", errTestVia
			}
			return form, nil
		},
		read: func(s string) (string, bool) { return "id-" + s, true },
	}
	s = rowkey.New("s").String("a", strip.via()).MustBuild()
	_, err = s.Scan(rowkey.Prefix("a", "id-"))
	assert.ErrorIs(t, err, rowkey.ErrFullScan)
	_, err = s.Key().Prefix("id-").Range()
	assert.Error(t, err)
	plan, err = s.Scan(rowkey.Prefix("a", "id-7"))
	require.NoError(t, err)
	assert.True(t, plan.Exact())
	for r := range plan.Ranges() {
		assert.Equal(t, "[7, 8)", r.String())
	}
	// One with a form shorter than its End.
	short := &testVia{name: "shortend", traits: rowkey.Traits{Order: rowkey.Unordered, Prefixes: true, End: 2}, write: func(s string) (string, error) { return s, nil }}
	_, err = rowkey.New("s").String("a", short.via()).MustBuild().Key().Prefix("a").Range()
	var e *rowkey.Error
	require.True(t, errors.As(err, &e))
	assert.ErrorContains(t, err, "shorter than its End")
}

// After a prefix of a value that ends itself no row of another value lies, though its
// form and what follows may look alike.
func TestPrefixesBehindForms(t *testing.T) {
	s := rowkey.New("s").String("a", testBare.via()).Uint("b", 2, rowkey.Digits(5)).MustBuild()
	r, err := s.Key().Prefix("a\x00").Range()
	require.NoError(t, err)
	for _, v := range []string{"", "a", "a\x00", "a\x00\xff", "a\x01", "b"} {
		key, err := s.AppendKey(nil, v, 7)
		require.NoError(t, err)
		assert.Equal(t, strings.HasPrefix(v, "a\x00"), r.Contains(key), "%q", v)
	}
	assert.True(t, bytes.Equal(r.Start(), []byte("a\x00\xff")), r)
}

// A field that is not stored may stand between a text and its separator. The range of the
// text ends with the separator all the same: that of host1 holds no row of host12.
func TestRangeWithSeparatorBehindNotStored(t *testing.T) {
	for _, notation := range []string{
		"[salt1(u)][host][u notstored]['_'][at:1]",
		"[md5.raw(1)(u)][host][u notstored]['_'][at:1]",
		"[salt4(v)][u notstored][host][v:1 notstored]['_'][w:1 notstored][md5.raw(1)(values(u,w))][at:1]",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		fields := 0
		for f := range s.Fields() {
			if !f.Derived && f.Kind != "literal" {
				fields++
			}
		}
		row := func(host string, u int) []byte {
			values := map[int][]any{3: {host, fmt.Sprint(u), 7}, 5: {fmt.Sprint(u), host, u % 4, u % 3, 7}}[fields]
			key, err := s.AppendKey(nil, values...)
			require.NoError(t, err)
			return key
		}
		k := s.Key()
		if fields == 5 {
			k = k.String("8")
		}
		ranges, _, err := k.String("host1").AppendRanges(nil, nil)
		require.NoError(t, err, notation)
		within := func(key []byte) bool {
			return slices.ContainsFunc(ranges, func(r rowkey.Range) bool { return r.Contains(key) })
		}
		for u := range 40 {
			assert.True(t, within(row("host1", u)), "%s: u is %d", notation, u)
			assert.False(t, within(row("host12", u)), "%s: u is %d", notation, u)
		}
	}
}

// An open slot behind a step whose end is not known from what it wrote alone: ff, which ends what bare wrote and Desc
// inverted, must not be followed by 00, which the slot holds while it is open.
func TestPrefixBehindAnOpenSlot(t *testing.T) {
	s := rowkey.New("s").Binary("a", testBare.via(), rowkey.Desc).Hash(rowkey.MD5.Hex(1), "b").Binary("b").MustBuild()
	key, err := s.AppendKey(nil, "aa", "abc")
	require.NoError(t, err)
	ranges, _, err := s.Key().Binary([]byte("aa")).Prefix("ab").AppendRanges(nil, nil)
	require.NoError(t, err)
	require.Len(t, ranges, 16)
	require.Equal(t, 1, lawCovering(ranges, key))
}
