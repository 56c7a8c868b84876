package plan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// condOnText is a condition on the field a, and what it asks of a text.
type condOnText struct {
	cond  rowkey.Cond
	holds func(text string) bool
	says  string
}

// textDraw draws layouts of a text and its copies, and conditions on the text.
type textDraw struct {
	*rand.Rand
	texts []string
}

func (d textDraw) one(of ...string) string { return of[d.IntN(len(of))] }

// limit is an option that limits which texts a component takes, or none.
func (d textDraw) limit() string {
	q := func(after string) string { return strconv.Quote(d.one(d.texts...) + after) }
	switch d.IntN(6) {
	case 0:
		return fmt.Sprintf(" minlen(%d)", 1+d.IntN(4))
	case 1:
		return fmt.Sprintf(" minlen(%d) chars(%q)", 1+d.IntN(3), d.one("ab", "b"))
	case 2:
		return fmt.Sprintf(" oneof(%s,%s)", q("a"), q("bb"))
	case 3:
		return fmt.Sprintf(` codes(%s:"x",%s:"y")`, q("a"), q("bb"))
	}
	return ""
}

func (d textDraw) layout() string {
	var b strings.Builder
	for i := range 1 + d.IntN(2) {
		fmt.Fprintf(&b, "[c%d=a%s", i, d.limit())
		for range d.IntN(3) {
			b.WriteString(d.one(" left(1)", " left(2)", " right(1)", " right(2)", " right(2) reverse", " reverse left(2)", " reverse", " desc"))
		}
		b.WriteString(d.limit() + d.one("]['|'", "]['--'", "", " escaped]['.'", " desc escaped", " fixed(2)", " pad(4,'-')", " desc fixed(2)", " desc escaped]['.'", " orderedbytes desc") + "]")
	}
	text := "[a" + d.limit() + d.one("", " escaped", " desc escaped", " reverse", " pad(7,' ')")
	if d.IntN(4) == 0 {
		return text + d.one("]", "]['|']") + b.String()
	}
	return b.String() + text + "]"
}

func (d textDraw) cond(either bool) condOnText {
	v, w := d.one(d.texts...), d.one(d.texts...)
	end := v[d.IntN(len(v)):]
	switch kind := d.IntN(10); {
	case kind < 2:
		return condOnText{rowkey.Eq("a", v), func(x string) bool { return x == v }, fmt.Sprintf("= %q", v)}
	case kind == 2:
		return condOnText{rowkey.Suffix("a", end), func(x string) bool { return strings.HasSuffix(x, end) }, fmt.Sprintf("ends %q", end)}
	case kind == 3:
		return condOnText{rowkey.Prefix("a", v), func(x string) bool { return strings.HasPrefix(x, v) }, fmt.Sprintf("begins %q", v)}
	case kind == 4:
		v, w = min(v, w), max(v, w)
		return condOnText{rowkey.Span("a", v, w), func(x string) bool { return v <= x && x < w }, fmt.Sprintf("from %q to %q", v, w)}
	case kind == 5:
		return condOnText{rowkey.AtLeast("a", v), func(x string) bool { return x >= v }, fmt.Sprintf("≥ %q", v)}
	case kind == 6 || !either:
		return condOnText{rowkey.AtMost("a", v), func(x string) bool { return x <= v }, fmt.Sprintf("≤ %q", v)}
	}
	x, y := d.cond(false), d.cond(false)
	return condOnText{rowkey.AnyOf(x.cond, y.cond), func(t string) bool { return x.holds(t) || y.holds(t) }, "(" + x.says + " or " + y.says + ")"}
}

// What limits a copy limits the whole text that it is made of. A plan finds each row that
// matches, once, and no other row if it is exact.
func TestLimitsOfCopies(t *testing.T) {
	d := textDraw{seed.Rand(t), nil}
	for range 60 {
		text := ""
		for range 1 + d.IntN(4) {
			text += d.one("a", "b", "a", "b", "a", "b", "\x01", "\xff")
		}
		d.texts = append(d.texts, text)
	}
	plans, exact := 0, 0
	for range seed.Cases(t, 1500) {
		layout := d.layout()
		s, err := rowkey.Parse("t", layout)
		for err != nil { // a copy without an end, or limits that permit nothing
			layout = d.layout()
			s, err = rowkey.Parse("t", layout)
		}
		keys := map[string][]byte{}
		for _, text := range d.texts {
			if key, err := s.AppendKey(nil, text); err == nil {
				keys[text] = key
			}
		}
		for range 12 {
			x := d.cond(true)
			y := x
			if d.IntN(2) == 0 {
				y = d.cond(true)
			}
			plan, err := s.Scan(x.cond, y.cond)
			if err != nil {
				require.True(t, errors.Is(err, rowkey.ErrFullScan) || errors.Is(err, rowkey.ErrInverted), "%s: %s, %s: %v", layout, x.says, y.says, err)
				continue
			}
			plans++
			if plan.Exact() {
				exact++
			}
			for text, key := range keys {
				in := 0
				for r := range plan.Ranges() {
					if r.Contains(key) {
						in++
					}
				}
				holds := x.holds(text) && y.holds(text)
				if plan.Match(key) != holds || holds && in != 1 || !holds && plan.Exact() && in > 0 {
					t.Fatalf("%s: %s, %s: %q is in %d ranges, Match says %v, exact is %v:\n%v", layout, x.says, y.says, text, in, plan.Match(key), plan.Exact(), plan)
				}
			}
		}
	}
	assert.Greater(t, plans, 100)
	assert.Positive(t, exact)
}
