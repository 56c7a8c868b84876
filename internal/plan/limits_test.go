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
		b.WriteString(d.one(" left(1) desc", " right(2) reverse", " reverse left(2)", "", ""))
		for range d.IntN(3) {
			b.WriteString(d.one(" left(1)", " left(2)", " right(1)", " right(2)", " reverse", " desc", "", ""))
		}
		b.WriteString(d.limit() + d.one("]['|'", "]['--'", "", " escaped]['.'", " desc escaped", " fixed(2)", " pad(4,'-')", " desc fixed(2)", " desc escaped]['.'", " orderedbytes desc") + "]")
	}
	text := "[a" + d.limit() + d.one("", " escaped", " desc escaped", " reverse", " pad(7,' ')")
	if d.IntN(4) == 0 {
		return text + d.one("]", "]['|']") + b.String()
	}
	return b.String() + text + "]"
}

// cond is one condition on the field a or, if it may be either, one of two.
func (d textDraw) cond(either bool) asked[string] {
	v, w := d.one(d.texts...), d.one(d.texts...)
	end := v[d.IntN(len(v)):]
	one := func(c rowkey.Cond, holds func(string) bool, name string, args ...any) asked[string] {
		return asked[string]{fmt.Sprintf(name, args...), []rowkey.Cond{c}, holds}
	}
	switch kind := d.IntN(14); {
	case kind < 3:
		return one(rowkey.Eq("a", v), is(v), "= %q", v)
	case kind < 6:
		return one(rowkey.Suffix("a", end), ends(end), "ends %q", end)
	case kind == 6:
		return one(rowkey.Prefix("a", v), begins(v), "begins %q", v)
	case kind == 7:
		v, w = min(v, w), max(v, w)
		return one(rowkey.Span("a", v, w), from(v, w), "from %q to %q", v, w)
	case kind == 8:
		return one(rowkey.AtLeast("a", v), func(x string) bool { return x >= v }, "≥ %q", v)
	case kind == 9 || !either:
		return one(rowkey.AtMost("a", v), func(x string) bool { return x <= v }, "≤ %q", v)
	}
	x, y := d.cond(false), d.cond(false)
	return one(rowkey.AnyOf(append(x.conds, y.conds...)...), or(x.holds, y.holds), "(%s or %s)", x.name, y.name)
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
	usual := 3000
	if testing.Short() {
		usual /= 4
	}
	for range seed.Cases(t, usual) {
		layout := d.layout()
		s, err := rowkey.Parse("t", layout)
		for err != nil { // a copy without an end, or limits that permit nothing
			layout = d.layout()
			s, err = rowkey.Parse("t", layout)
		}
		rows := rowsOf(s, d.texts)
		for range 12 {
			x := d.cond(true)
			y := x
			if d.IntN(2) == 0 {
				y = d.cond(true)
			}
			name := fmt.Sprintf("%s: %s, %s", layout, x.name, y.name)
			plan, err := s.Scan(append(x.conds, y.conds...)...)
			if err != nil {
				require.True(t, errors.Is(err, rowkey.ErrFullScan) || errors.Is(err, rowkey.ErrInverted), "%s: %v", name, err)
				continue
			}
			plans++
			if plan.Exact() {
				exact++
			}
			holds := both(x.holds, y.holds)
			for _, r := range rows {
				holdRow(t, plan, r.key, holds(r.v), "%s: row %q: %v", name, r.v, plan)
			}
		}
	}
	assert.Greater(t, plans, 100)
	assert.Positive(t, exact)
}

// Values in any order, some of them twice, are the ranges of the sorted values. Values that follow each other share one.
func TestInOfMany(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a:2][b:1]"))
	r := rand.New(rand.NewPCG(seed.Of(t), 31))
	for _, n := range []int{1, 4, 5, 127, 128, 129, 300} {
		values := make([]uint16, n)
		asked := map[int]bool{}
		for i := range values {
			values[i] = uint16(r.IntN(2 * n))
			asked[int(values[i])] = true
		}
		plan, err := s.Scan(rowkey.In("a", values...), rowkey.MaxRanges(n))
		require.NoError(t, err)
		var got, want [][2]int
		for rg := range plan.Ranges() {
			stop := append(rg.Stop(), 0) // 0200 is written as 02
			got = append(got, [2]int{int(rg.Start()[0])<<8 | int(rg.Start()[1]), int(stop[0])<<8 | int(stop[1])})
		}
		for v := range 2*n + 1 {
			assert.Equal(t, asked[v], plan.Match([]byte{byte(v >> 8), byte(v), 1}), "%d values, %d", n, v)
			switch last := len(want) - 1; {
			case !asked[v]:
			case last >= 0 && want[last][1] == v:
				want[last][1] = v + 1
			default:
				want = append(want, [2]int{v, v + 1})
			}
		}
		assert.Equal(t, want, got, "%d values", n)
	}
}
