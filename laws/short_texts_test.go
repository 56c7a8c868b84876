package laws

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// The laws of queries once more, not by chance but in full: every text of up to
// three letters of an alphabet in which all that can be mistaken happens, every
// condition on it with every text of up to two, on the ways in which a text can
// be stored. It finds what a random run meets once in a million. An eighth is
// tried where ROWKEY_LAWS is not set.

const shortAlphabet = "\x00\x01a\xff"

// shortTexts is every text of up to n letters.
func shortTexts(n int) []string {
	texts := []string{""}
	from := 0
	for range n {
		to := len(texts)
		for _, t := range texts[from:to] {
			for i := range len(shortAlphabet) {
				texts = append(texts, t+shortAlphabet[i:i+1])
			}
		}
		from = to
	}
	return texts
}

// shortLayouts is layouts with a text a and, before or after it, a number of one
// byte.
var shortLayouts = []string{
	`[a]`,
	`[a]['\x00'][b:i1]`,
	`[a]['\x01'][b:i1]`,
	`[a]['a'][b:i1]`,
	`[a]['\xff'][b:i1]`,
	`[a]['a\x00'][b:i1]`,
	`[a]['\x00\x01'][b:i1]`,
	`[a]['\xff\x00'][b:i1]`,
	`[b:i1][a desc]`,
	`[a desc]['\xff'][b:i1]`,
	`[a desc]['a'][b:i1]`,
	`[a escaped][b:i1]`,
	`[a escaped desc][b:i1]`,
	`[a desc escaped][b:i1]`,
	`[a fixed(2)][b:i1]`,
	`[a lenprefix(1)][b:i1]`,
	`[a minlen(2)]['a'][b:i1]`,
	`[b:i1][a minlen(1)]`,
	`[a desc fixed(2)][b:i1]`,
	`[a pad(3,'\x00')][b:i1]`,
	`[a pad(3,'\xff')][b:i1]`,
	`[a pad(3,'a')][b:i1]`,
	`[a desc pad(3,'\xff')][b:i1]`,
	`[a pad(3,'\x00') desc][b:i1]`,
	`[a padleft(3,'a')][b:i1]`,
	`[a reverse]`,
	`[a reverse]['a\x00'][b:i1]`,
	`[a reverse]['a'][b:i1]`,
	`[a reverse]['\x00\x01'][b:i1]`,
	`[a reverse escaped][b:i1]`,
	`[a reverse escaped desc][b:i1]`,
	`[a reverse fixed(2)][b:i1]`,
	`[a reverse pad(3,'a')][b:i1]`,
	`[a reverserune]['a'][b:i1]`,
	`[a reverselabels("a")]['\x00'][b:i1]`,
	`[a reversepart(0,2)]['a'][b:i1]`,
	`[a oneof("a","a\x00","\xffa")]['\x01'][b:i1]`,
	`[a oneof("a","aa","\x01") desc]['\x00'][b:i1]`,
	`[a codes("a":"\xff","\x00":"a","aa":"\x01")][b:i1]`,
	`[a chars("a\xff")]['\x00'][b:i1]`,
	`[b:i1][a notstored][c=a left(1)]`,
	`[c=a left(1) fixed(1)][a]`,
	`[salt2(a)][a]['\x00'][b:i1]`,
	`[a loose]['a'][b:i1]`,
	`[a loose]['a\x00'][b:i1]`,
	`[a loose][b:i1]`,
	`[a loose]["a"][b:i1]`,
	`[a desc loose]['a'][b:i1]`,
	`[a desc loose][b:i1]`,
	`[a reverse loose]['a'][b:i1]`,
	`[a reverse loose][b:i1]`,
	`[a loose pad(3,'a')][b:i1]`,
	`[a desc loose pad(3,'a')][b:i1]`,
	`[a pad(3,'a') desc loose][b:i1]`,
	`[a loose padleft(3,'a')][b:i1]`,
	`[b:i1][a orderedbytes]`,
	`[a orderedbytes][b:i1 orderedbytes]`,
	`[a desc orderedbytes][b:i1 orderedbytes]`,
	`[a:bytes orderedbytes][b:i1 orderedbytes]`,
	`[a optional orderedbytes][b:i1 orderedbytes]`,
	`[a optional desc orderedbytes][b:i1 orderedbytes]`,
	`[a:bytes optional desc orderedbytes][b:i1 orderedbytes]`,
	`[b:i1 orderedbytes][a:bytes blobcopy desc orderedbytes]`,
	`[b:i1 orderedbytes][a optional desc orderedbytes][c:i1 orderedbytes]`,
	`[b:i1 orderedbytes][a optional orderedbytes][c optional orderedbytes]`,
	`[b:i1 orderedbytes][a optional desc orderedbytes][c optional orderedbytes]`,
	`[a phoenix][b:i1 phoenix]`,
	`[a desc phoenix][b:i1 phoenix]`,
	`[a optional phoenix][b:i1 phoenix]`,
	`[a optional desc phoenix][b:i1 phoenix]`,
	`[a:bytes escaped phoenix][b:i1 phoenix]`,
	`[a:bytes escaped desc phoenix][b:i1 phoenix]`,
	`[a:bytes escaped optional phoenix][b:i1 phoenix]`,
	`[a:bytes escaped optional desc phoenix][b:i1 phoenix]`,
	`[b:i1 phoenix][a:bytes escaped optional desc phoenix]`,
	`[b:i1 phoenix][a:bytes escaped optional desc phoenix][c:i1 phoenix]`,
	`[b:i1 phoenix][a:bytes escaped optional desc phoenix][c optional phoenix]`,
	`[b:i1 phoenix][a:bytes escaped optional desc phoenix][c:bytes optional escaped desc phoenix]`,
	`[salt2(rest())][a:bytes escaped optional desc phoenix][b:i1 phoenix]`,
	`[b:i1 phoenix][a optional phoenix][c optional phoenix]`,
	`[a pad(3,'\x01') phoenix][b:i1 phoenix]`,
	`[b:i1 phoenix][a optional desc phoenix][c:i1 phoenix]`,
	`[b:i1 phoenix][a optional phoenix][c:i1 phoenix]`,
}

// shortRow is a row: each field's value, nil for a null.
type shortRow struct {
	vals []any
	key  []byte
}

// shortCase is a layout with all its rows.
type shortCase struct {
	t      *testing.T
	s      *rowkey.Schema
	layout string
	fields []string // that are supplied
	at     int      // of a
	loose  bool
	rows   []shortRow
}

func newShortCase(t *testing.T, layout string) *shortCase {
	s, err := rowkey.Parse("short", layout)
	if err != nil {
		t.Fatalf("%s: %v", layout, err)
	}
	return newShortCaseOf(t, s, layout)
}

func newShortCaseOf(t *testing.T, s *rowkey.Schema, layout string) *shortCase {
	c := &shortCase{t: t, s: s, layout: layout, loose: strings.Contains(layout, " loose")}
	rows := [][]any{{}}
	for f := range s.Fields() {
		if f.Derived || f.Kind == "literal" {
			continue
		}
		var vals []any
		switch {
		case f.Name == "a":
			c.at = len(c.fields)
			for _, v := range shortTexts(3) {
				vals = append(vals, v)
			}
		case f.Kind == "int":
			vals = []any{-128, 7, 127}
		default:
			vals = []any{"\x00", "a", "\xff\xff"}
		}
		if f.Optional {
			vals = append(vals, nil)
		}
		c.fields = append(c.fields, f.Name)
		var longer [][]any
		for _, row := range rows {
			for _, v := range vals {
				longer = append(longer, append(slices.Clone(row), v))
			}
		}
		rows = longer
	}
	for _, vals := range rows {
		if key, err := s.AppendKey(nil, vals...); err == nil && c.nullToo(vals, key) {
			continue
		} else if err == nil {
			c.rows = append(c.rows, shortRow{vals, key})
		} else if !errors.Is(err, rowkey.ErrTerminator) && !errors.Is(err, rowkey.ErrLength) && !errors.Is(err, rowkey.ErrRange) {
			t.Fatalf("%s: %q: %v", layout, vals, err)
		}
	}
	if len(c.rows) < 3 {
		t.Fatalf("%s: %d rows", layout, len(c.rows))
	}
	return c
}

// nullToo reports that an empty text is stored as a null is, which is in the rows
// anyway.
func (c *shortCase) nullToo(vals []any, key []byte) bool {
	for i, v := range vals {
		if v == "" {
			null := slices.Clone(vals)
			null[i] = nil
			if same, err := c.s.AppendKey(nil, null...); err == nil && bytes.Equal(same, key) {
				return true
			}
		}
	}
	return false
}

// shortCond is a condition and what it means; ordered conditions are intervals.
type shortCond struct {
	cond    rowkey.Cond
	text    string
	holds   func(v any) bool
	ordered bool
}

func shortCompare[T string | int](word string, field string, v T) shortCond {
	make := map[string]func(string, T) rowkey.Cond{
		"Eq": rowkey.Eq[T], "NotEq": rowkey.NotEq[T], "AtLeast": rowkey.AtLeast[T], "AtMost": rowkey.AtMost[T],
		"MoreThan": rowkey.MoreThan[T], "LessThan": rowkey.LessThan[T],
	}[word]
	holds := map[string]func(w T) bool{
		"Eq": func(w T) bool { return w == v }, "NotEq": func(w T) bool { return w != v },
		"AtLeast": func(w T) bool { return w >= v }, "AtMost": func(w T) bool { return w <= v },
		"MoreThan": func(w T) bool { return w > v }, "LessThan": func(w T) bool { return w < v },
	}[word]
	return shortCond{
		make(field, v), fmt.Sprintf("%s(%s, %q)", word, field, fmt.Sprint(v)),
		func(w any) bool { return w != nil && holds(w.(T)) }, true,
	}
}

var shortWords = []string{"Eq", "NotEq", "AtLeast", "AtMost", "MoreThan", "LessThan"}

// shortConds is every condition on a.
func shortConds() []shortCond {
	null := shortCond{rowkey.Null("a"), "Null(a)", func(v any) bool { return v == nil }, true}
	conds := []shortCond{null, {rowkey.NotNull("a"), "NotNull(a)", func(v any) bool { return v != nil }, true}}
	texts := shortTexts(2)
	for _, v := range texts {
		for _, word := range shortWords {
			c := shortCompare(word, "a", v)
			conds = append(conds, c)
			if len(v) < 2 { // nulls too
				conds = append(conds, shortCond{
					rowkey.AnyOf(c.cond, null.cond), "AnyOf(" + c.text + ", Null(a))",
					func(w any) bool { return w == nil || c.holds(w) }, true,
				})
			}
		}
		for _, w := range texts {
			if v <= w {
				conds = append(conds, shortCond{
					rowkey.Span("a", v, w), fmt.Sprintf("Span(a, %q, %q)", v, w),
					func(x any) bool { return x != nil && x.(string) >= v && x.(string) < w }, true,
				})
			}
		}
		if v == "" {
			continue
		}
		begins := func(w any) bool { return w != nil && strings.HasPrefix(w.(string), v) }
		ends := func(w any) bool { return w != nil && strings.HasSuffix(w.(string), v) }
		conds = append(conds,
			shortCond{rowkey.Prefix("a", v), fmt.Sprintf("Prefix(a, %q)", v), begins, true},
			shortCond{rowkey.AnyOf(rowkey.Prefix("a", v), null.cond), fmt.Sprintf("AnyOf(Prefix(a, %q), Null(a))", v),
				func(w any) bool { return w == nil || begins(w) }, true},
			shortCond{rowkey.Suffix("a", v), fmt.Sprintf("Suffix(a, %q)", v), ends, false},
			shortCond{rowkey.AnyOf(rowkey.Suffix("a", v), rowkey.Eq("a", "a")), fmt.Sprintf("AnyOf(Suffix(a, %q), Eq(a, \"a\"))", v),
				func(w any) bool { return w == "a" || ends(w) }, false})
	}
	return conds
}

// check plans a query of conditions, one of each field or none, and holds the
// plan against every row.
func (c *shortCase) check(conds map[string]shortCond) {
	var list []rowkey.Cond
	var text []string
	for _, k := range conds {
		list = append(list, k.cond)
		text = append(text, k.text)
	}
	full := false
	plan, err := c.s.Scan(list...)
	if errors.Is(err, rowkey.ErrFullScan) {
		full = true
		plan, err = c.s.Scan(append(list, rowkey.FullScan())...)
	}
	if err != nil {
		c.t.Fatalf("%s: %s: %v", c.layout, text, err)
	}
	ranges := slices.Collect(plan.Ranges())
	a, ordered := conds["a"]
	tight := !full && !c.loose && len(conds) == 1 && ordered && a.ordered && c.s.Order("a") != rowkey.Unordered && !c.derives()
	if tight && !plan.Exact() {
		c.t.Fatalf("%s: %s: Exact says no of %v", c.layout, text, ranges)
	}
	for _, row := range c.rows {
		wants := true
		for i, name := range c.fields {
			if k, ok := conds[name]; ok && !k.holds(row.vals[i]) {
				wants = false
			}
		}
		n := lawCovering(ranges, row.key)
		switch {
		case wants && n != 1:
			c.t.Fatalf("%s: %s: the row %q with key %x lies in %d of %v", c.layout, text, row.vals, row.key, n, ranges)
		case !wants && n > 0 && plan.Exact():
			c.t.Fatalf("%s: %s: Exact, but the row %q with key %x lies in %v", c.layout, text, row.vals, row.key, ranges)
		case n > 1:
			c.t.Fatalf("%s: %s: the row %q with key %x lies in %d of %v", c.layout, text, row.vals, row.key, n, ranges)
		case len(conds) == 1 && !c.loose && !c.hidden() && plan.Match(row.key) != wants:
			c.t.Fatalf("%s: %s: Match says %v of the row %q with key %x", c.layout, text, !wants, row.vals, row.key)
		}
	}
}

// hidden reports that a is not stored.
func (c *shortCase) hidden() bool { return strings.Contains(c.layout, "notstored") }

// derives reports that a stands after what is computed from it, which is listed
// or covers.
func (c *shortCase) derives() bool {
	for f := range c.s.Fields() {
		if f.Derived {
			return true
		}
	}
	return false
}

// begin holds the ranges of a key so far, with a Prefix or whole values at its
// end, against every row.
func (c *shortCase) begin(vals []any, prefix string) {
	k := c.s.Key()
	for _, v := range vals {
		switch v := v.(type) {
		case nil:
			k = k.Null()
		case int:
			k = k.Int(int64(v))
		case string:
			k = k.String(v)
		}
	}
	if prefix != "" {
		k = k.Prefix(prefix)
	}
	ranges, _, err := k.AppendRanges(nil, nil)
	if err != nil {
		for _, reason := range []error{rowkey.ErrTerminator, rowkey.ErrLength, rowkey.ErrRange, rowkey.ErrType, rowkey.ErrManyRanges, rowkey.ErrFullScan} {
			if errors.Is(err, reason) {
				return
			}
		}
		c.t.Fatalf("%s: Key %q, Prefix(%q): %v", c.layout, vals, prefix, err)
	}
	if r, err := k.Range(); (err == nil) != (len(ranges) == 1) || err == nil && !lawSameRanges([]rowkey.Range{r}, ranges) {
		c.t.Fatalf("%s: Key %q, Prefix(%q): AppendRanges %v, Range %v %v", c.layout, vals, prefix, ranges, r, err)
	}
	for i := 1; i < len(ranges); i++ {
		if ranges[i-1].Unbounded() || bytes.Compare(ranges[i-1].Stop(), ranges[i].Start()) > 0 {
			c.t.Fatalf("%s: Key %q, Prefix(%q): %v overlap", c.layout, vals, prefix, ranges)
		}
	}
	for _, row := range c.rows {
		wants := true
		for i, v := range vals {
			wants = wants && row.vals[i] == v
		}
		if prefix != "" {
			v, _ := row.vals[len(vals)].(string)
			wants = wants && strings.HasPrefix(v, prefix)
		}
		n := lawCovering(ranges, row.key)
		if wants && n != 1 || !wants && n > 0 && !c.loose && !c.hidden() {
			c.t.Fatalf("%s: Key %q, Prefix(%q): the row %q with key %x lies in %d of %v", c.layout, vals, prefix, row.vals, row.key, n, ranges)
		}
	}
}

// Every row of short texts that matches a query lies in exactly one of its
// ranges; where the text is ordered, or Exact says so, no other does; and the
// ranges of a key so far hold the rows that begin so, and no others.
func TestShortTexts(t *testing.T) {
	conds := shortConds()
	for _, layout := range shortLayouts {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			newShortCase(t, layout).all(conds)
		})
	}
}

// all holds a layout against every condition and every beginning of a key.
func (c *shortCase) all(conds []shortCond) {
	var others []shortCond
	if slices.Contains(c.fields, "b") {
		others = append(others, shortCompare("Eq", "b", 7), shortCompare("AtMost", "b", 7))
	}
	wanted := sample(c.t, 8)
	for _, k := range conds {
		if wanted() {
			c.check(map[string]shortCond{"a": k})
		}
		for _, other := range others {
			if wanted() {
				c.check(map[string]shortCond{"a": k, "b": other})
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range c.rows {
		for n := range row.vals {
			if head := fmt.Sprintf("%q", row.vals[:n+1]); !seen[head] {
				seen[head] = true
				if wanted() {
					c.begin(row.vals[:n+1], "")
				}
			}
		}
		if head := fmt.Sprintf("%q and", row.vals[:c.at]); !seen[head] {
			seen[head] = true
			for _, p := range shortTexts(2)[1:] {
				if wanted() {
					c.begin(row.vals[:c.at], p)
				}
			}
		}
	}
}
