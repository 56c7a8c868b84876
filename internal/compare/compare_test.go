package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// What two layouts differ in: limits that change no byte, names, and components.
func TestSchemas(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"[a:2]", "[a:2]", "same"},
		{"[a:2 below(100)]", "[a:2 below(200)]", "limits a below(100) below(200) wider"},
		{"[a:2 below(200)]", "[a:2 below(100)]", "limits a below(200) below(100) narrower"},
		{"[a:2]", "[a:2 below(100)]", "limits a  below(100) narrower"},
		{"[a minlen(1)]", "[a minlen(2)]", "limits a minlen(1) minlen(2) narrower"},
		{`[a oneof("x","y")]`, `[a oneof("x","z")]`, `limits a oneof("x","y") oneof("x","z") other`},
		{`[a codes("x":"1","y":"2")][b]`, `[a codes("x":"1","y":"2","z":"3")][b]`, `limits a [a codes("x":"1","y":"2")] [a codes("x":"1","y":"2","z":"3")] wider`}, // no key changes
		{`[a codes("x":"1","y":"2")][b]`, `[a codes("x":"1","z":"2")][b]`, `limits a [a codes("x":"1","y":"2")] [a codes("x":"1","z":"2")] other`},
		{`[a codes("x":"1","y":"2")][b]`, `[a codes("x":"1","y":"3")][b]`, `bytes -[a codes("x":"1","y":"2")] +[a codes("x":"1","y":"3")]`},
		{`[a chars("xy")]`, `[a chars("xyz")]`, `limits a chars("xy") chars("xyz") wider`},
		{"[ms(a) years(2000,2100)]", "[ms(a) years(2001,2101)]", "limits a years(2000,2100) years(2001,2101) other"},
		{"[ms(a) years(2000,2100)]", "[ms(a) years(2001,2100)]", "limits a years(2000,2100) years(2001,2100) narrower"},
		{"maxlen(20) [a]", "maxlen(21) [a]", "limits  maxlen(20) maxlen(21) wider"},
		{"maxlen(20) [a:8]", "maxlen(21) [a:8]", "same"}, // each key has room in both
		{"[a pad(4,'x')]", "[a pad(4,'x') loose]", "limits a [a pad(4,'x')] [a pad(4,'x') loose] wider"},
		{"[a padleft(4,'x')]", `[a padleft(4,'x') chars("xy") loose]`, `limits a  chars("xy") other`}, // less, but "x" too
		{`[a pad(4,'x') oneof("yx","y") loose]`, "[a pad(4,'x')]", `limits a oneof("yx","y")  other`},
		{`[c=a lenprefix(1) oneof("b","ba")][a oneof("a","x")]`, `[c=a lenprefix(1)][a oneof("a","x")]`, `limits c oneof("b","ba")  other`}, // of "a" and "x" none
		{"[a:2]['_'][b:2]", "[a:2]['_'][c:2]", "same b=c"},
		{"[a:1]", "[a:8 width(1)]", "same"},
		{"[a:1]", "[a:1 reverse]", "same"},
		{"[a]", "[a:bytes]", "same"},
		{"[a:1]", "[a:1 below(256)]", "same"},
		{"[s(a)]", "[s-since(1970-01-01T00:00:00Z)(a)]", "same"},
		{"[salt4(a)][a escaped desc]", "[salt4(a)][a:bytes escaped desc]", "same"},
		{"phoenix [a pad(4,' ')]", "phoenix [a:bytes pad(4,' ')]", "bytes -[a pad(4,' ') phoenix] +[a:bytes pad(4,' ') phoenix]"}, // of a CHAR blanks at the end are dropped
		{"[a:1 below(4)][b]", "[a:1 below(4) bucket][b]", "same"},
		{"[a:1]", "[a:1 phoenix]", "limits a [a:1] [a:1 phoenix] narrower"},
		{"[a]", "[a fixed(2)]", "limits a [a] [a fixed(2)] narrower"},
		{"[a]", "[a phoenix]", "same"}, // an empty key is none
		{"[a fixed(2)]", "[a fixed(3)]", "bytes -[a fixed(2)] +[a fixed(3)]"},
		{"[a:4 decimal]", "[a:4 decimal fixed(2)]", "limits a [a:4 decimal] [a:4 decimal fixed(2)] narrower"},
		{"[a:4 decimal fixed(2)]", "[a:4 decimal fixed(4)]", "bytes -[a:4 decimal fixed(2)] +[a:4 decimal fixed(4)]"},
		{"[a lenprefix(1)]", "[a minlen(1) lenprefix(1)]", "limits a  minlen(1) narrower"}, // an empty text has a length
		{"[a optional orderedbytes]", "[a optional minlen(1) orderedbytes]", "limits a  minlen(1) narrower"},
		{"[a]", "[a minlen(1)]", "same"},
		{"[max-ms(a)]", "[max-ms(a) phoenix]", "limits a [max-ms(a)] [max-ms(a) phoenix] wider"},
		{"[salt4(a)][a:1]", "[salt4(a)][a:8 width(1)]", "bytes -[a:1] +[a:8 width(1)]"}, // of one byte, of eight
		{"[a:2][b:2]", "[a:2]['_'][b:2]", "bytes +['_']"},
		{"[a:2][b:4]", "[b:4][a:2]", "bytes -[a:2] +[a:2]"},
		{"[salt4(a)][b=a left(1)]['_'][a notstored]", "[a]", "bytes -[salt4(a)] -[b=a left(1)] -['_'] -[a notstored] +[a] lacks a"},
		{"[salt4(a)][a:2]", "[salt8(a)][a:2][b:1]", "bytes -[salt4(a)] +[salt8(a)] +[b:1] lacks b"},
	} {
		a, b := rowkey.Must(rowkey.Parse("t", c.a)), rowkey.Must(rowkey.Parse("t", c.b))
		d, err := compare.Schemas(a, b, said.Values{}, nil)
		assert.NoError(t, err)
		got := d.Verdict
		for _, l := range d.Limits {
			got += fmt.Sprintf(" %s %s %s %s", l.Field, l.From, l.To, l.Change)
		}
		for _, r := range d.Renamed {
			got += " " + r[0] + "=" + r[1]
		}
		for _, p := range d.Pieces {
			got += " " + p.Sign + p.Piece
		}
		for _, name := range d.Lacking {
			got += " lacks " + name
		}
		assert.Equal(t, c.want, got, "%s, %s", c.a, c.b)
	}
}

// What each key is longer is said only where all keys are.
func TestLonger(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"[a:2]", "[a:4]", 2},
		{"[a:2][b]", "[b]['_'][a:4]", 3},
		{"[a]['_'][b:2]", "[a]['_'][b:1]", -1},
		{"[a phoenix][b:2 phoenix]", "[b:4 phoenix][a phoenix]", 0}, // 2 more for b, 1 less where a is last
		{"[a escaped][b:2]", "[b:4][a escaped]", 0},
		{"[b:2][a escaped]", "[b:4][a escaped]", 2},
		{`[b:1][a oneof("no phoenix","b")]`, `[a oneof("no phoenix","b")]['_'][b:2]`, 2}, // a text is no dialect
		{"[salt16(a) decimal]['_'][a:2]", "[salt16(a) decimal]['_'][a:4]", 0},            // bucket 9 may become bucket 10
	} {
		d, err := compare.Schemas(rowkey.Must(rowkey.Parse("t", c.a)), rowkey.Must(rowkey.Parse("t", c.b)), said.Values{}, nil)
		assert.NoError(t, err)
		assert.Equal(t, c.want, d.Longer, "%s, %s", c.a, c.b)
	}
}

// The verdict on each two of a few pieces agrees with the keys of all values of a small alphabet, wherever
// in a key the piece stands.
func TestVerdictHolds(t *testing.T) {
	var numbers, texts []any
	for _, n := range []uint64{0, 1, 9, 10, 99, 100, 127, 128, 255, 256, 999, 1000, 32767, 32768, 65535, 65536} {
		numbers = append(numbers, n)
	}
	texts = append(texts, "")
	for from := 0; len(texts) < 1+4+16+64; from++ {
		for _, c := range "a_\x00\xff" {
			texts = append(texts, texts[from].(string)+string(byte(c)))
		}
	}
	for _, c := range []struct {
		pieces []string
		values []any
	}{
		{[]string{"[a:1]", "[a:2]", "[a:8 width(1)]", "[a:4 width(2)]", "[a:1 reverse]", "[a:2 reverse]", "[a:1 desc]", "[a:2 desc]", "[a:8 width(1) desc]", "[a:1 below(256)]",
			"[a:2 below(100)]", "[a:2 digits(3)]", "[a:8 digits(3)]", "[a:8 digits(3) desc]", "[a:2 hexdigits(2)]", "[a:1 phoenix]", "[a:2 phoenix]", "[a:2 phoenix desc]"}, numbers},
		{[]string{"[a]", "[a:bytes]", "[a fixed(1)]", "[a fixed(1) reverse]", "[a fixed(2)]", "[a fixed(2) reverse]", "[a:bytes fixed(2)]", "[a pad(2,'_')]", "[a desc]", `[a chars("a")]`,
			`[a oneof("a","aa")]`, `[a oneof("aa") fixed(2)]`, `[a chars("a") fixed(2)]`, "[a minlen(2)]", "[a phoenix]", "[a escaped]", "[a reverse]"}, texts},
	} {
		for _, around := range []string{"%s", "%s[b:1]", "%s['_'][b]", "[salt4(a)]%s", "[salt4(rest())]%s", "[c=a]['_']%s"} {
			var all []*rowkey.Schema
			for _, p := range c.pieces {
				if s, err := rowkey.Parse("t", fmt.Sprintf(around, p)); err == nil {
					all = append(all, s)
				}
			}
			for _, a := range all {
				for _, b := range all {
					verdictHolds(t, a, b, c.values)
				}
			}
		}
	}
}

// verdictHolds holds what is said of two layouts against the keys of values of their first field.
func verdictHolds(t *testing.T, a, b *rowkey.Schema, values []any) {
	d, err := compare.Schemas(a, b, said.Values{}, nil)
	assert.NoError(t, err)
	var alike, other, onlyA, onlyB int
	for _, v := range values {
		x, inA := keyWith(a, v)
		y, inB := keyWith(b, v)
		switch {
		case inA && inB && x == y:
			alike++
		case inA && inB:
			other++
		case inA:
			onlyA++
		case inB:
			onlyB++
		}
	}
	what := fmt.Sprint(a, " and ", b)
	switch d.Verdict {
	case "same":
		assert.Zero(t, other+onlyA+onlyB, what)
	case "limits":
		assert.Zero(t, other, what)
		wider, narrower := false, false
		for _, l := range d.Limits {
			wider, narrower = wider || l.Change != "narrower", narrower || l.Change != "wider"
		}
		assert.Equal(t, wider, onlyB > 0, "%s: %v", what, d.Limits)
		assert.Equal(t, narrower, onlyA > 0, "%s: %v", what, d.Limits)
	case "bytes": // a padded or reversed text is compared by its notation: some are as they would be without
		changed := strings.Contains(what, "pad(") || strings.Contains(what, "reverse")
		assert.True(t, other > 0 || alike == 0 || changed, what)
	}
}

// keyWith is the key of a row whose first field is v.
func keyWith(s *rowkey.Schema, v any) (string, bool) {
	vals := []any{v}
	for _, f := range said.Supplied(s)[1:] {
		if vals = append(vals, "z"); f.Kind == "uint" {
			vals[len(vals)-1] = 7
		}
	}
	key, err := s.AppendKey(nil, vals...)
	return string(key), err == nil
}

// A question that reads other ranges is shown with what both read.
func TestQuestionsMoved(t *testing.T) {
	a, b := rowkey.Must(rowkey.Parse("t", "[a:2][ms(b)]")), rowkey.Must(rowkey.Parse("t", "[salt4(a)][ms(b)][a:2]"))
	d, err := compare.Schemas(a, b, said.Values{}, []string{"a=7"})
	assert.NoError(t, err)
	got := ""
	for _, m := range d.Questions {
		got += fmt.Sprintf("%s: %d %t %s to %d %t %s, %s\n", m.Question, m.From.Ranges, m.From.Exact, m.From.Why, m.To.Ranges, m.To.Exact, m.To.Why, m.Change)
	}
	assert.Equal(t, `a=7: 1 true  to 1 false , loses
a=A: 1 true  to 1 false , loses
b=A: 0 false many to 4 true , gains
b:A..B: 0 false many to 4 true , gains
a=A and b:A..B: 1 true  to 1 false , loses
`, got)
}
