package compare_test

import (
	"fmt"
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
		{`[a chars("xy")]`, `[a chars("xyz")]`, `limits a chars("xy") chars("xyz") wider`},
		{"[ms(a) years(2000,2100)]", "[ms(a) years(2001,2101)]", "limits a years(2000,2100) years(2001,2101) other"},
		{"[ms(a) years(2000,2100)]", "[ms(a) years(2001,2100)]", "limits a years(2000,2100) years(2001,2100) narrower"},
		{"maxlen(20) [a]", "maxlen(21) [a]", "limits  maxlen(20) maxlen(21) wider"},
		{"maxlen(20) [a:8]", "maxlen(21) [a:8]", "same"}, // each key has room in both
		{"[a:2]['_'][b:2]", "[a:2]['_'][c:2]", "same b=c"},
		{"[a:2][b:2]", "[a:2]['_'][b:2]", "bytes +['_']"},
		{"[a:2][b:4]", "[b:4][a:2]", "bytes -[a:2] +[a:2]"},
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
