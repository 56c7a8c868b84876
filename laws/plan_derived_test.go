package laws

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// Conditions on what is computed: a copy, by the value that it holds, and a salt, by the number of its
// bucket. The model computes both from the row, and compares Go values.

// asField is the field that a copy or a salt would be.
func (s *refSchema) asField(c *refComp) *refComp {
	if c.word == "Salt" {
		return &refComp{word: "Uint", name: s.nameOf(c), size: 8}
	}
	src := s.source(c)
	f := &refComp{word: src.word, name: c.name, size: src.size, unit: src.unit, opts: slices.Clone(c.opts)}
	if o, ok := c.opt("unit"); ok {
		f.unit = o.unit
	}
	for _, word := range []string{"Numeric", "Optional"} {
		if src.has(word) && !f.has(word) {
			f.opts = append(f.opts, refOpt{word: word})
		}
	}
	return f
}

// nameOf is the name of a salt: the first is salt, the second salt2.
func (s *refSchema) nameOf(c *refComp) string {
	if o, ok := c.opt("Named"); ok {
		return o.text
	}
	n := 0
	for i := range s.comps {
		if s.comps[i].word == "Salt" {
			n++
		}
		if &s.comps[i] == c {
			break
		}
	}
	if n == 1 {
		return "salt"
	}
	return "salt" + string(rune('0'+n))
}

// derived is the value of a copy or a salt of a row; nil if the row does not say it.
func (s *refSchema) derived(c *refComp, row refRow) any {
	if c.word == "Salt" {
		if slices.Contains(row, nil) {
			return nil
		}
		key := s.encode(row)
		if len(key.faults) > 0 {
			return nil
		}
		i := 0
		for &s.comps[i] != c {
			i++
		}
		forms, _, _ := s.forms(row)
		bucket, err := s.bucket(c, forms, string(key.bytes[key.at[i+1]:]))
		if err != nil {
			return nil
		}
		return uint64(bucket)
	}
	v := row[slices.IndexFunc(s.supplied(), func(f *refComp) bool { return f.name == c.of })]
	switch x := v.(type) {
	case string:
		return refCut(c, x)
	case time.Time:
		return refInstant(planFloor(s.asField(c), x))
	}
	return v
}

// refCut is what a copy keeps of a text: its cuts, of the text as it is turned there, and turned back.
func refCut(c *refComp, text string) string {
	turn := func(t string) string {
		b := []byte(t)
		slices.Reverse(b)
		return string(b)
	}
	turned := false
	for _, o := range c.opts {
		switch o.word {
		case "Reverse":
			text, turned = turn(text), !turned
		case "Left":
			text = text[:min(o.n, len(text))]
		case "Right":
			text = text[max(0, len(text)-o.n):]
		}
	}
	if turned {
		return turn(text)
	}
	return text
}

// cutLate reports a copy that keeps a part of other bytes than those of its text.
func (c *refComp) cutLate() bool {
	other := false
	for _, o := range c.opts {
		switch o.word {
		case "Left", "Right":
			if other {
				return true
			}
		case "ReverseRune", "ReverseLabels", "ReversePart", "UUID", "Via", "Codes":
			other = true
		}
	}
	return false
}

// ofDerived is a condition on a copy or a salt; false if the schema has none.
func (p *planCase) ofDerived() (planCond, bool) {
	var all []*refComp
	for i := range p.s.comps {
		if c := &p.s.comps[i]; c.word == "Copy" && !c.cutLate() || c.word == "Salt" {
			all = append(all, c)
		}
	}
	if len(all) == 0 || len(p.rows) == 0 {
		return planCond{}, false
	}
	c := genPick(p.r, all...)
	f := p.s.asField(c)
	value := func() any {
		v := p.s.derived(c, genPick(p.r, p.rows...).kept)
		switch {
		case v == nil && c.word == "Salt":
			v = uint64(p.r.IntN(c.buckets))
		case v == nil || lawNull(v):
			v = genValue(p.r, p.s, p.s.source(c))
			if text, ok := v.(string); ok {
				v = refCut(c, text)
			}
		}
		if genOdds(p.r, 3) {
			v = p.beside(f, v)
		}
		return p.cleanOf(f, p.s.source(c), v)
	}
	words := slices.Clone(planWords)
	if genOdds(p.r, 10) {
		words = append(words, "Null", "NotNull")
	}
	if f.isText() && !f.has("Numeric") {
		words = append(words, "Prefix", "Suffix")
	}
	k := planCond{word: genPick(p.r, words...), name: f.name, field: f}
	switch k.word {
	case "Null", "NotNull":
	case "Prefix", "Suffix":
		text, _ := value().(string)
		if text == "" {
			text = "a"
		}
		if n := 1 + p.r.IntN(len(text)); k.word == "Prefix" {
			text = text[:n]
		} else {
			text = text[len(text)-n:]
		}
		k.args, k.values = []any{text}, []any{text}
	case "In":
		k = p.aboutField(f, "In", value(), value(), value())
	case "Span":
		k = p.aboutField(f, "Span", value(), value())
	default:
		k = p.aboutField(f, k.word, value())
	}
	if k.of = c; genOdds(p.r, 6) && k.word != "" {
		any := planCond{word: "AnyOf", name: f.name, field: f, of: c, any: []planCond{k, p.aboutField(f, "Eq", value())}, bad: k.bad}
		any.any[1].of = c
		k = any
	}
	p.count("conditions on a " + c.word)
	return k, true
}

// A condition on a copy is one on the bytes that it holds, and one on a salt is one on its bucket. The
// ranges are written out; each row that a query asks for is found by comparing Go values.
func TestPlanAsksCopiesAndSalts(t *testing.T) {
	const phones, cells, days, trades = `[tail=phone right(4) fixed(4)][n:1][phone]`, `[cell=geo left(2)]['_'][n:1][geo]`,
		`[day=at d width(2)][n:1][ms(at)]`, `[salt4(seller)][seller]['_'][n:1]`
	day := func(n int64) time.Time { return time.Unix(n*86400, 0).UTC() }
	noon := func(n int64) time.Time { return day(n).Add(12 * time.Hour) }
	for _, c := range []struct {
		layout string
		conds  []rowkey.Cond
		ranges []string
		exact  bool
	}{
		{phones, conds(rowkey.Eq("tail", "5678")), []string{"[5678, 5679)"}, true},
		{phones, conds(rowkey.Eq("tail", "5678"), rowkey.Eq("n", 7)), []string{"[5678\x07, 5678\x08)"}, true},
		{phones, conds(rowkey.In("tail", "5678", "1111", "56789")), []string{"[1111, 1112)", "[5678, 5679)"}, true},
		{phones, conds(rowkey.Span("tail", "1000", "2000")), []string{"[1000, 2000)"}, true},
		{phones, conds(rowkey.AtLeast("tail", "1000"), rowkey.LessThan("tail", "2000")), []string{"[1000, 2000)"}, true},
		{phones, conds(rowkey.Prefix("tail", "56")), []string{"[56, 57)"}, true},
		{phones, conds(rowkey.NotEq("tail", "5678")), []string{"[, 5678)", "[5679, ∞)"}, true},
		{phones, conds(rowkey.Span("tail", "1000", "2000"), rowkey.Eq("phone", "13800001234")), []string{"[1234, 1235)"}, false},
		{phones, conds(rowkey.Eq("tail", "56789")), nil, true},
		{`[tail=phone right(4)]['|'][phone]`, conds(rowkey.Eq("tail", "78")), []string{"[78|78, 78|78\x00)"}, true},
		{`[tail=phone right(4)]['|'][phone]`, conds(rowkey.Span("tail", "1", "2")), []string{"[1, 2)"}, true},
		{`[tail=phone right(4) reverse fixed(4)][phone]`, conds(rowkey.Suffix("tail", "78")), []string{"[87, 88)"}, true},
		{`[back=host reverse]['|'][n:1][host]`, conds(rowkey.Eq("back", "shop")), []string{"[pohs|, pohs})"}, true},

		{cells, conds(rowkey.Eq("cell", "wx")), []string{"[wx_, wx`)"}, true},
		{cells, conds(rowkey.Eq("cell", "wx"), rowkey.AtLeast("n", 9)), []string{"[wx_\t, wx`)"}, true},
		{cells, conds(rowkey.Eq("cell", "w")), []string{"[w_, w`)"}, true},
		{cells, conds(rowkey.Prefix("cell", "w")), []string{"[w, x)"}, true},
		{cells, conds(rowkey.Eq("cell", "wx4")), nil, true},

		{days, conds(rowkey.Eq("day", day(3))), []string{"[\x00\x03, \x00\x04)"}, true},
		{days, conds(rowkey.Eq("day", day(3)), rowkey.Eq("n", 7)), []string{"[\x00\x03\x07\x00\x00\x00\x00\x0fs\x14\x00, \x00\x03\x07\x00\x00\x00\x00\x14\x99p\x00)"}, true},
		{days, conds(rowkey.Eq("day", noon(3))), []string{"[\x00\x03, \x00\x04)"}, false},
		{days, conds(rowkey.Span("day", day(3), day(5))), []string{"[\x00\x03, \x00\x05)"}, true},
		{days, conds(rowkey.Span("at", day(3), day(5))), []string{"[\x00\x03, \x00\x05)"}, true},
		{days, conds(rowkey.Span("at", noon(3), day(5))), []string{"[\x00\x03, \x00\x05)"}, false},

		{trades, conds(rowkey.Eq("salt", 2)), []string{"[\x02, \x03)"}, true},
		{trades, conds(rowkey.In("salt", 3, 1)), []string{"[\x01, \x02)", "[\x03, \x04)"}, true},
		{trades, conds(rowkey.NotEq("salt", 2)), []string{"[\x00, \x01)", "[\x01, \x02)", "[\x03, \x04)"}, true},
		{trades, conds(rowkey.Span("salt", 1, 3), rowkey.Prefix("seller", "b")), []string{"[\x01b, \x01c)", "[\x02b, \x02c)"}, true},
		{trades, conds(rowkey.Eq("salt", 4)), nil, true},
		{`[salt1000(seller) digits(3)]['|'][seller]`, conds(rowkey.Eq("salt", 102)), []string{"[102|, 102})"}, true},
		{`[salt4(seller) letters("dcba")][seller]`, conds(rowkey.Eq("salt", 1)), []string{"[c, d)"}, true},
		{`[salt100000(seller) width(4)][seller]`, conds(rowkey.AtLeast("salt", 2), rowkey.LessThan("salt", 50000)), []string{"[\x00\x00\x00\x02, \x00\x00\xc3P)"}, true},
		{`[salt4(rest())][seller]`, conds(rowkey.Eq("salt", 3)), []string{"[\x03, \x04)"}, true},
		{`[salt4(live)][n:1][live:bool]`, conds(rowkey.Eq("salt", 0)), nil, true}, // neither false nor true has this bucket
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		plan, err := s.Scan(c.conds...)
		if !assert.NoError(t, err, c.layout) {
			continue
		}
		var got []string
		for r := range plan.Ranges() {
			stop := string(r.Stop())
			if r.Unbounded() {
				stop = "∞"
			}
			got = append(got, "["+string(r.Start())+", "+stop+")")
		}
		assert.Equal(t, c.ranges, got, "%s\n%v", c.layout, plan)
		assert.Equal(t, c.exact, plan.Exact(), "%s\n%v", c.layout, plan)
		if plan.Exact() {
			assert.NotContains(t, plan.String(), "Match", c.layout)
		}
	}
}

// Bucket by bucket, a table is read once: each row lies in the ranges of its own bucket, and only there.
func TestPlanReadsBucketByBucket(t *testing.T) {
	for _, layout := range []string{
		`[salt16(seller)][seller]['_'][order:8]`, `[seller]['_'][order:8][salt16(seller)]`, `[salt16(rest())][seller]['_'][order:8]`,
		`[salt16(values(seller,order)) decimal]['_'][seller]['_'][order:8]`, `[salt16(order)][seller]['_'][order:8 notstored]`,
	} {
		s := rowkey.Must(rowkey.Parse("t", layout))
		for n := range 200 {
			key, err := s.AppendKey(nil, fmt.Sprint("s-", n%7), n)
			require.NoError(t, err)
			row, err := s.Decode(key)
			require.NoError(t, err)
			in, matched := "", ""
			for bucket := range 16 {
				plan, err := s.Scan(rowkey.Eq("salt", bucket), rowkey.FullScan())
				require.NoError(t, err)
				if plan.Match(key) {
					matched += fmt.Sprint(bucket)
				}
				if lawCovering(slices.Collect(plan.Ranges()), key) == 1 && (plan.Exact() || plan.Match(key)) {
					in += fmt.Sprint(bucket)
				}
			}
			assert.Equal(t, row.Bucket("salt"), in, layout)
			assert.Equal(t, row.Bucket("salt"), matched, layout)
		}
	}
}
