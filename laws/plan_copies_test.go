package laws

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// A query fixes more than the fields that it names: a Suffix fixes the copy of a text's end, a Prefix
// the copy of its beginning, and a hash over a field of few values has few values itself. The ranges
// are written out; TestLawSoundBounds holds random layouts of these kinds against the slow model.
func TestPlanFixesCopies(t *testing.T) {
	at := func(from, to int64) rowkey.Cond { return rowkey.Span("at", ms(from), ms(to)) }
	for _, c := range []struct {
		layout string
		conds  []rowkey.Cond
		ranges []string
		exact  bool
	}{
		{`[tail=phone right(4) fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "5678"), at(1, 3)), []string{"[5678\x01, 5678\x03)"}, true},
		{`[tail=phone right(4) fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "95678"), at(1, 3)), []string{"[5678\x01, 5678\x03)"}, false},
		{`[tail=phone right(4) fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "5678")), []string{"[5678, 5679)"}, true},
		{`[tail=phone right(4) fixed(4)][phone]`, conds(rowkey.AnyOf(rowkey.Suffix("phone", "5678"), rowkey.Suffix("phone", "15678"), rowkey.Suffix("phone", "0000"))),
			[]string{"[0000, 0001)", "[5678, 5679)"}, false},
		{`[tail=phone right(4) reverse fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "5678"), at(1, 3)), []string{"[8765\x01, 8765\x03)"}, true},
		{`[tail=phone right(4) reverse fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "78"), at(1, 3)), []string{"[87, 88)"}, false},
		{`[tail=phone right(4) reverse fixed(4)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "78")), []string{"[87, 88)"}, true},
		{`[tail=phone reverse left(4) fixed(4)][phone]`, conds(rowkey.Suffix("phone", "78")), []string{"[87, 88)"}, true},
		{`[tail=phone reverse]['|'][phone]`, conds(rowkey.Suffix("phone", "78")), []string{"[87, 88)"}, true},
		{`[tail=phone reverse]['|'][phone]`, conds(rowkey.Prefix("phone", "13"), rowkey.Suffix("phone", "78")), []string{"[87, 88)"}, false},
		{`[back=host reverselabels(".")]['\x00'][host]`, conds(rowkey.Suffix("host", ".shop.cn")), []string{"[cn.shop., cn.shop/)"}, true},
		{`[salt4(phone)][tail=phone right(2) fixed(2)][ms(at) width(1)][phone]`, conds(rowkey.Suffix("phone", "78"), at(1, 2)),
			[]string{"[\x0078\x01, \x0078\x02)", "[\x0178\x01, \x0178\x02)", "[\x0278\x01, \x0278\x02)", "[\x0378\x01, \x0378\x02)"}, true},

		{`[cell=geo left(5)]['_'][ms(at) width(1)][geo]`, conds(rowkey.Prefix("geo", "wx4g0"), at(1, 3)), []string{"[wx4g0_\x01, wx4g0_\x03)"}, true},
		{`[cell=geo left(5)]['_'][ms(at) width(1)][geo]`, conds(rowkey.Prefix("geo", "wx4g0sq"), at(1, 3)), []string{"[wx4g0_\x01wx4g0sq, wx4g0_\x01wx4g0sr)", "[wx4g0_\x02wx4g0sq, wx4g0_\x02wx4g0sr)"}, true},
		{`[cell=geo left(5)]['_'][ms(at) width(1)][geo]`, conds(rowkey.Prefix("geo", "wx4g0")), []string{"[wx4g0_, wx4g0`)"}, true},
		{`[cell=geo left(5)]['|'][ms(at) width(1)][geo]`, conds(rowkey.Prefix("geo", "wx4g")), []string{"[wx4g, wx4h)"}, true},
		{`[cell=geo left(5)]['\x00'][ms(at) width(1)][geo]`, conds(rowkey.Span("geo", "wx4g0", "wx4g2"), at(1, 3)), []string{"[wx4g0\x00\x01, wx4g0\x00\x03)", "[wx4g1\x00\x01, wx4g1\x00\x03)"}, true},
		{`[cell=geo left(1) fixed(1)][geo]`, conds(rowkey.AnyOf(rowkey.Eq("geo", "w"), rowkey.Prefix("geo", "wx"), rowkey.Prefix("geo", "zz"))), []string{"[ww, ww\x00)", "[wwx, wwy)", "[wzz, wz{)", "[zw, zw\x00)", "[zwx, zwy)", "[zzz, zz{)"}, true},

		{`[cell=geo left(1)][md5.raw(1)(geo)][geo minlen(3)]`, conds(rowkey.AnyOf(rowkey.Eq("geo", ""), rowkey.Prefix("geo", "w"))), []string{"[w, x)"}, true}, // no row has ""

		{`[a loose]['_'][b]`, conds(rowkey.Span("a", "20", "30")), []string{"[20, 30)", "[3_, 3`)"}, false},
		{`[a loose]['_'][b]`, conds(rowkey.Span("a", "2", "311")), []string{"[2, 311)", "[31_, 31`)", "[3_, 3`)"}, false},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		plan, err := s.Scan(c.conds...)
		if !assert.NoError(t, err, c.layout) {
			continue
		}
		var got []string
		for r := range plan.Ranges() {
			got = append(got, "["+string(r.Start())+", "+string(r.Stop())+")")
		}
		assert.Equal(t, c.ranges, got, c.layout)
		assert.Equal(t, c.exact, plan.Exact(), "%s\n%v", c.layout, plan)
	}
}

// Where the pieces of an interval of texts and the values of what is open are too many ranges, the
// pieces are joined, and Match decides.
func TestPlanJoinsPieces(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[salt200(b)][a loose]['_'][b]`))
	plan, err := s.Scan(rowkey.Span("a", "2", "30000001"))
	require.NoError(t, err)
	assert.Equal(t, 200, plan.Len())
	for _, v := range []string{"2", "21", "3", "30", "3000", "30000000"} {
		key, err := s.AppendKey(nil, v, "b")
		require.NoError(t, err)
		assert.True(t, plan.Match(key), v)
		assert.Equal(t, 1, lawCovering(slices.Collect(plan.Ranges()), key), v)
	}
}

// A salt over fields of few values that the query leaves open has as many ranges as these have
// values, or as the salt has buckets.
func TestPlanListsOpenFieldsOfASalt(t *testing.T) {
	for _, c := range []struct {
		layout string
		ranges int
	}{
		{`[salt200(live)][id:8][live:bool]`, 2},
		{`[salt200(values(live,id))][id:8][live:bool]`, 2},
		{`[salt200(values(live,kind))][id:8][live:bool][kind oneof("a","b","c")]`, 5}, // two of six have one bucket
		{`[salt200(values(kind,id))][kind codes("a":"x","b":"y")][id:8]`, 2},
		{`[md5.hex(8)(values(slot,id))][slot:2 below(50)][id:8]`, 50},
		{`[salt7(values(slot,id))][slot:2 below(50)]['_'][id:8]`, 7 * 50}, // the salt has fewer buckets
		{`[md5.raw(4)(values(live,id))][id:8][live:bool notstored]`, 2},
		{`[id:8][salt200(live)][live:bool]`, 1}, // what stands after the last condition is not listed
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		plan, err := s.Scan(rowkey.Eq("id", 7))
		if assert.NoError(t, err, c.layout) {
			assert.Equal(t, c.ranges, plan.Len(), fmt.Sprintf("%s\n%v", c.layout, plan))
			assert.True(t, plan.Exact(), c.layout)
		}
	}
}

// A Prefix on an optional descending field whose first byte is not the null's keeps its rows: only a
// prefix of the null itself takes the way of the null.
func TestPrefixBesideTheNull(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[a:bytes escaped optional desc phoenix][b:1 phoenix]`))
	for _, a := range []string{"\x01\xfe", "\x01", "\x00a", "\x01\x00", "\xfe"} {
		key, err := s.AppendKey(nil, []byte(a), 0x7a)
		require.NoError(t, err)
		for n := range len(a) {
			ranges, _, err := s.Key().Prefix(a[:n+1]).AppendRanges(nil, nil)
			require.NoError(t, err)
			assert.Equal(t, 1, lawCovering(ranges, key), "prefix %x of the row %x", a[:n+1], key)
		}
	}
}

// A plan of a text and of its copy loses no row, whatever the copy does to the text: its options are a limit, a frame, a
// cut and a step, each there or not, and the texts are short ones of three characters.
func TestPlansOfCopies(t *testing.T) {
	one := func(opts ...rowkey.FieldOption) []rowkey.FieldOption { return opts }
	left, right := rowkey.Left, rowkey.Right
	limits := [][]rowkey.FieldOption{nil, nil, one(rowkey.MinLen(1)), one(rowkey.MinLen(3)), one(rowkey.MinLen(4)), one(rowkey.Fixed(3)), one(rowkey.Fixed(4)), one(rowkey.Chars("ab")), one(rowkey.Chars("ab_"), rowkey.MinLen(2))}
	frames := [][]rowkey.FieldOption{nil, nil, nil, one(rowkey.LenPrefix(1)), one(rowkey.Escaped), one(rowkey.Pad(5, 'x')), one(rowkey.Pad(5, 0)), one(rowkey.PadLeft(5, '0'))}
	cuts := [][]rowkey.FieldOption{nil, one(left(1)), one(left(2)), one(left(3)), one(right(1)), one(right(3)), one(left(3), right(2)), one(right(3), left(2)), one(rowkey.Reverse, left(2)), one(left(2), rowkey.Reverse)}
	steps := [][]rowkey.FieldOption{nil, one(rowkey.Desc), one(rowkey.Reverse), one(rowkey.Loose)}
	for _, name := range testViaNames {
		steps = append(steps, one(testVias[name].via()), one(testVias[name].via(), rowkey.Desc))
	}
	fields := [][]rowkey.FieldOption{nil, nil, one(rowkey.Escaped), one(rowkey.Fixed(4)), one(rowkey.MinLen(2)), one(rowkey.LenPrefix(1)), one(rowkey.Desc), one(rowkey.Pad(5, 'x')), one(rowkey.Reverse), one(rowkey.Loose)}
	ask := []func(field, text string) rowkey.Cond{rowkey.Eq[string], rowkey.Prefix, rowkey.Suffix, rowkey.AtLeast[string], rowkey.LessThan[string], rowkey.MoreThan[string], rowkey.AtMost[string], rowkey.NotEq[string]}
	texts := []string{""}
	for i := 0; len(texts) < 400; i++ {
		texts = append(texts, texts[i]+"a", texts[i]+"b", texts[i]+"_")
	}
	r := seed.Rand(t)
	schemas, plans := 0, 0
	for range seed.Cases(t, 20000) / 10 {
		b := rowkey.New("s")
		end := func() {
			if mark := genPick(r, "_", "\x00", "__", "", "\x00\x00", "-"); mark != "" {
				b = b.Separator(mark)
			}
		}
		opts := slices.Concat(genPick(r, limits...), genPick(r, frames...), genPick(r, cuts...), genPick(r, steps...))
		front := !genOdds(r, 3)
		if front {
			b = b.Copy("also", "a", opts...)
			end()
		}
		b = b.String("a", genPick(r, fields...)...)
		end()
		if !front {
			b = b.Copy("also", "a", opts...)
			end()
		}
		s, err := b.Uint("n", 1).Build()
		if err != nil {
			continue
		}
		var keys [][]byte
		var of []string // the text of each key
		for _, text := range texts {
			if genOdds(r, 4) {
				if key, err := s.AppendKey(nil, text, r.IntN(3)); err == nil {
					keys, of = append(keys, key), append(of, text)
				}
			}
		}
		if len(keys) == 0 {
			continue
		}
		schemas++
		for range 40 {
			conds := []rowkey.Cond{rowkey.FullScan()}
			for range 1 + r.IntN(3) {
				text := genPick(r, texts[:121]...)
				if genOdds(r, 2) {
					text = genPick(r, of...)
					text = text[:r.IntN(len(text)+1)]
				}
				conds = append(conds, genPick(r, ask...)(genPick(r, "a", "a", "also"), text))
			}
			if genOdds(r, 4) {
				conds = append(conds, rowkey.Eq("n", 1))
			}
			plan, err := s.Scan(conds...)
			if err != nil {
				continue
			}
			plans++
			ranges := slices.Collect(plan.Ranges())
			for i, key := range keys {
				match, in := plan.Match(key), planCovering(ranges, key)
				if match && in != 1 || !match && in > 0 && plan.Exact() {
					t.Fatalf("%s: %s\nthe key %x of %q matches: %t, and lies in %d ranges", s, plan, key, of[i], match, in)
				}
			}
		}
	}
	assert.Greater(t, schemas, 100)
	assert.Greater(t, plans, 3000)
}
