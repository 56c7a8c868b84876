package walk_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// A key matches if it can be decoded and its values satisfy the conditions: tried with every key of
// up to six bytes out of six, on layouts whose fields are compared where they stand.
func TestMatchEveryKey(t *testing.T) {
	value := func(row rowkey.Row, name string) any {
		for n, v := range row.All() {
			if n == name {
				return v
			}
		}
		return nil
	}
	text := func(row rowkey.Row, name string) string { s, _ := value(row, name).(string); return s }
	number := func(row rowkey.Row, name string) int64 {
		switch v := value(row, name).(type) {
		case uint64:
			return int64(v)
		case int64:
			return v
		}
		return -1 << 62
	}
	for _, c := range []struct {
		layout string
		conds  []rowkey.Cond
		want   func(rowkey.Row) bool
	}{
		{"[a]['_'][n:1]", []rowkey.Cond{rowkey.Eq("a", "a_"[:1])}, func(r rowkey.Row) bool { return text(r, "a") == "a" }},
		{"[a minlen(1)]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1), rowkey.AtMost("n", 95)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 && number(r, "n") <= 95 }},
		{"[a]['_'][n:1]", []rowkey.Cond{rowkey.In("a", "", "aa"), rowkey.NotEq("n", 1)}, func(r rowkey.Row) bool {
			return (text(r, "a") == "" || text(r, "a") == "aa") && number(r, "n") != 1
		}},
		{"[n:i1][a]", []rowkey.Cond{rowkey.LessThan("n", 1), rowkey.Eq("a", "a_")}, func(r rowkey.Row) bool { return number(r, "n") < 1 && text(r, "a") == "a_" }},
		{"[n:2 desc][a fixed(2)]", []rowkey.Cond{rowkey.Span("n", 0xff00, 0xffff), rowkey.Prefix("a", "a")}, func(r rowkey.Row) bool {
			return number(r, "n") >= 0xff00 && number(r, "n") < 0xffff && text(r, "a")[0] == 'a'
		}},
		{"['_'][n:1 below(96)]['a'][m:1]", []rowkey.Cond{rowkey.AtMost("n", 95), rowkey.Eq("m", 255)}, func(r rowkey.Row) bool { return number(r, "m") == 255 }},
		{"[salt4(a)][n:1][a]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[salt4(a)][a]['_'][n:1]", []rowkey.Cond{rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") == "aa" }},
		{"[n:2][salt2(text(n))][a]", []rowkey.Cond{rowkey.Span("n", 0, 0x5fff)}, func(r rowkey.Row) bool { return number(r, "n") < 0x5fff }},
		{"[n:2][salt2(n)][a]", []rowkey.Cond{rowkey.Span("n", 0, 0x5fff)}, func(r rowkey.Row) bool { return number(r, "n") < 0x5fff }},
		{"[salt4(n) modulo][n:1][a]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[salt2(n) modulo][n:1][a]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(n)][n:2]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(rest())][n:1][a]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(rest())][a]", nil, func(rowkey.Row) bool { return true }},
		{"[salt2(rest())][a]", []rowkey.Cond{rowkey.LessThan("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") < "a" }},
		{"[salt2(a) crc32.raw(4)][n:1][a]", []rowkey.Cond{rowkey.AtLeast("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") >= "a" }},
		{"[salt2(n)][salt2(a)][n:1][a]", []rowkey.Cond{rowkey.AtLeast("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") >= "a" }},
		{"[salt2(values(n,a))][n:1][a]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(values(n,a))][n:1][a]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[salt2(values(n,a))][a]['_'][n:1]", []rowkey.Cond{rowkey.Eq("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") == "a" }},
		{"[salt2(values(n,a))][n:1][a]", []rowkey.Cond{rowkey.AtLeast("n", 1), rowkey.Eq("a", "a")}, func(r rowkey.Row) bool { return number(r, "n") >= 1 && text(r, "a") == "a" }},
		{"[a]['_'][salt2(stored(a))]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("a", "")}, func(rowkey.Row) bool { return true }},
		{"[n:1][a]['_'][salt2(stored(n,a))]['_'][m:1]", []rowkey.Cond{rowkey.AtLeast("n", 1), rowkey.NotEq("m", 95)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 && number(r, "m") != 95 }},
		{"[salt2(rest())][salt2(a)][n:1][a]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[c=a left(1)]['_'][a]", []rowkey.Cond{rowkey.AtLeast("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") >= "a" }},
		{"[c=a left(1)]['_'][a]['_'][n:1]", []rowkey.Cond{rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") == "aa" }},
		{"[a:1][b reverse minlen(1)]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("a", 1), rowkey.Prefix("b", "a"), rowkey.NotEq("n", 0)}, func(r rowkey.Row) bool {
			return number(r, "a") >= 1 && strings.HasPrefix(text(r, "b"), "a") && number(r, "n") != 0
		}},
		{"[c=a right(1) fixed(1)]['_'][a]", []rowkey.Cond{rowkey.Eq("a", "a_a")}, func(r rowkey.Row) bool { return text(r, "a") == "a_a" }},
		{"[c=a right(1) fixed(1)]['_'][a]", []rowkey.Cond{rowkey.AtLeast("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") >= "a" }},
		{"[c=a left(2)]['_'][a]", []rowkey.Cond{rowkey.Eq("a", "")}, func(r rowkey.Row) bool { return text(r, "a") == "" }},
		{"[a reverse minlen(2)]['_'][n:1]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[a reverse escaped minlen(2)][n:1]", nil, func(rowkey.Row) bool { return true }},
		{"[a reverse lenprefix(1) chars('a_')][n:1]", nil, func(rowkey.Row) bool { return true }},
		{"phoenix [a reverse minlen(2)][n:1]", nil, func(rowkey.Row) bool { return true }},
		{"[a]['_'][b fixed(2)][c]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[a chars('a') fixed(2)][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(a)][a fixed(2)][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"['________'][salt2(rest())][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"phoenix [a optional][n:i1]", []rowkey.Cond{rowkey.AtLeast("a", "")}, func(r rowkey.Row) bool { return value(r, "a") != nil }},
		{"[a chars('a')]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"orderedbytes [a][n:i1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"phoenix [a][b optional]", []rowkey.Cond{rowkey.AtLeast("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") >= "a" }},
		{"phoenix [a][b optional]", nil, func(r rowkey.Row) bool { return true }},
		{"[salt2(h)][h notstored][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(rest())][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(rest())][n:1]['_'][a]", []rowkey.Cond{rowkey.Eq("n", 1), rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return number(r, "n") == 1 && text(r, "a") == "aa" }},
		{"[n:1][salt2(rest())][a]", []rowkey.Cond{rowkey.AtLeast("n", 1), rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return number(r, "n") >= 1 && text(r, "a") == "aa" }},
		{"[salt2(rest())][salt2(a)][a]", []rowkey.Cond{rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") == "aa" }},
		{"[salt2(rest())][c=a left(1) notstored][salt2(c)][a]", []rowkey.Cond{rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") == "aa" }},
		{"[salt2(rest())][c=n notstored][salt2(c)][n:1]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[salt2(rest())][c=n notstored][salt2(c)][n:1]", []rowkey.Cond{rowkey.Eq("n", 95)}, func(r rowkey.Row) bool { return number(r, "n") == 95 }},
		{"[salt2(rest())][c=n notstored][salt2(c)][n:1]", []rowkey.Cond{rowkey.Eq("n", 97)}, func(r rowkey.Row) bool { return number(r, "n") == 97 }},
		{"phoenix [a optional]", []rowkey.Cond{rowkey.AtMost("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") <= "aa" }},
		{"phoenix [a optional]", nil, func(rowkey.Row) bool { return true }},
		{"[a]", []rowkey.Cond{rowkey.AtMost("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") <= "aa" }},
		{"maxlen(4) [a]['_'][n:1]", []rowkey.Cond{rowkey.Prefix("a", "a")}, func(r rowkey.Row) bool { return strings.HasPrefix(text(r, "a"), "a") }},
		{"[salt2(values(a,b,n))][a]['_'][b]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(values(b,a,n))][a]['_'][b]['_'][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[crc32.raw(1)(values(a,n,b))][a]['_'][b]['_'][n:1]", nil, func(rowkey.Row) bool { return true }},
		{"phoenix [a][b][n:i1][crc32.hex(1)(values(a,b,n))]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"phoenix [a][b optional]", []rowkey.Cond{rowkey.Eq("a", "aa")}, func(r rowkey.Row) bool { return text(r, "a") == "aa" }},
		{"phoenix [a][b optional minlen(2)]", []rowkey.Cond{rowkey.Eq("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") == "a" }},
		{"phoenix [a][b optional]", []rowkey.Cond{rowkey.NotNull("b")}, func(r rowkey.Row) bool { return value(r, "b") != nil }},
		{"[n:2 reverse][a]", []rowkey.Cond{rowkey.AtLeast("n", 0x100)}, func(r rowkey.Row) bool { return number(r, "n") >= 0x100 }},
		{"[s(at) width(2) truncate(5s)][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[a fixed(2)][n:1]", []rowkey.Cond{rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") >= 1 }},
		{"[salt2(a)][a minlen(1)]['_'][n:2]", []rowkey.Cond{rowkey.AtLeast("a", "a"), rowkey.AtLeast("n", 0x100)}, func(r rowkey.Row) bool { return text(r, "a") >= "a" && number(r, "n") >= 0x100 }},
		{"phoenix [a][b][n:i1]", []rowkey.Cond{rowkey.AtLeast("a", "a"), rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return text(r, "a") >= "a" && number(r, "n") >= 1 }},
		{"[a reverse]['_'][n:1]", []rowkey.Cond{rowkey.Eq("a", "a\x01")}, func(r rowkey.Row) bool { return text(r, "a") == "a\x01" }},
		{"[a reverse]['_'][n:1]", []rowkey.Cond{rowkey.Prefix("a", "a")}, func(r rowkey.Row) bool { return strings.HasPrefix(text(r, "a"), "a") }},
		{"[a pad(3,'_')][n:1]", []rowkey.Cond{rowkey.Eq("a", "a")}, func(r rowkey.Row) bool { return text(r, "a") == "a" }},
		{"[a padleft(3,'_')][n:1]", []rowkey.Cond{rowkey.AtLeast("a", "a"), rowkey.AtMost("n", 95)}, func(r rowkey.Row) bool { return text(r, "a") >= "a" && number(r, "n") <= 95 }},
		{"[a escaped][n:1]", []rowkey.Cond{rowkey.Eq("a", "\x00")}, func(r rowkey.Row) bool { return text(r, "a") == "\x00" }},
		{"[a escaped][n:1]", []rowkey.Cond{rowkey.AtMost("a", "\x01"), rowkey.AtLeast("n", 1)}, func(r rowkey.Row) bool { return text(r, "a") <= "\x01" && number(r, "n") >= 1 }},
		{"[n:1 digits(3)]['_'][m:1 decimal]", []rowkey.Cond{rowkey.AtLeast("m", 9)}, func(r rowkey.Row) bool { return number(r, "m") >= 9 }},
		{"[n:1 digits(3)]['_'][m:1 decimal]", []rowkey.Cond{rowkey.Eq("n", 9)}, func(r rowkey.Row) bool { return number(r, "n") == 9 }},
		{"[m:1 decimal]['_'][n:1 digits(3) desc]", []rowkey.Cond{rowkey.Eq("m", 92), rowkey.Span("n", 50, 206)}, func(r rowkey.Row) bool { return number(r, "m") == 92 && number(r, "n") >= 50 && number(r, "n") < 206 }},
		{"['________'][n:i1][m:i2 desc][a]", []rowkey.Cond{rowkey.Span("n", -1, 95), rowkey.LessThan("m", 0x0101)}, func(r rowkey.Row) bool { return number(r, "n") >= -1 && number(r, "n") < 95 && number(r, "m") < 0x0101 }},
		{"['________'][n:i1][m:1 below(100)]", []rowkey.Cond{rowkey.NotEq("n", 0)}, func(r rowkey.Row) bool { return number(r, "n") != 0 }},
		{"[a oneof('a','_a')]['_'][n:1]", []rowkey.Cond{rowkey.Eq("n", 1)}, func(r rowkey.Row) bool { return number(r, "n") == 1 }},
		{"[n:2][salt2(n)][a]", []rowkey.Cond{rowkey.Eq("n", 0x0101), rowkey.AtLeast("a", "_")}, func(r rowkey.Row) bool { return number(r, "n") == 0x0101 && text(r, "a") >= "_" }},
		{"phoenix [n:i1][a optional]", []rowkey.Cond{rowkey.Eq("n", 0)}, func(r rowkey.Row) bool { return number(r, "n") == 0 }},
		{"phoenix [a optional desc][n:i1]", []rowkey.Cond{rowkey.AtMost("n", 0)}, func(r rowkey.Row) bool { return number(r, "n") <= 0 }},
		{"[f:f4][n:1]", []rowkey.Cond{rowkey.AtLeast("f", -1.5)}, func(r rowkey.Row) bool { f, _ := value(r, "f").(float64); return f >= -1.5 }},
		{"[f:f4 desc][n:1]", []rowkey.Cond{rowkey.LessThan("f", 0.5)}, func(r rowkey.Row) bool { f, _ := value(r, "f").(float64); return f < 0.5 }},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.layout))
		plan, err := s.Scan(append(c.conds, rowkey.FullScan())...)
		require.NoError(t, err, c.layout)
		found, refused := 0, 0
		key := make([]byte, 0, 14)
		if lead := "________"; strings.Contains(c.layout, lead) {
			key = append(key, lead...)
		}
		longest := len(key) + 6
		var try func()
		try = func() {
			row, err := s.Decode(key)
			want := err == nil && c.want(row)
			if plan.Match(key) != want {
				t.Errorf("%s: %x matches: %v", c.layout, key, !want)
			}
			if want {
				found++
			} else {
				refused++
			}
			if len(key) == longest {
				return
			}
			bytes := []byte{0, 1, '_', 'a', 0x80, 0xff}
			if strings.Contains(c.layout, "ordered") {
				bytes = []byte{0, 0x29, 0x34, 'a', 0x80, 0x81}
			}
			if strings.Contains(c.layout, "digits") {
				bytes = []byte{'_', '0', '2', '5', '9', ':'}
			}
			for _, b := range bytes {
				key = append(key, b)
				try()
				key = key[:len(key)-1]
			}
		}
		try()
		assert.Greater(t, found, 0, c.layout)
		assert.Greater(t, refused, 0, c.layout)
	}
}

// How many steps Match takes, and what it need not read again. What is alike in every key is one step.
func TestStepsOfMatch(t *testing.T) {
	own := rowkey.NewDigest("own", 1, func(dst, data []byte) []byte { return append(dst, byte(len(data))) })
	salted := func(d rowkey.Digest) *rowkey.Schema {
		return rowkey.New("t").Salt(4, "a", d.Raw(1)).String("a").Separator("_").Uint("n", 1).MustBuild()
	}
	parsed := func(layout string) *rowkey.Schema { return rowkey.Must(rowkey.Parse("t", layout)) }
	for _, c := range []struct {
		s     *rowkey.Schema
		conds []rowkey.Cond
		steps int
		read  bool
	}{
		{parsed("[a]['_'][n:1]"), []rowkey.Cond{rowkey.Eq("a", "x"), rowkey.Eq("n", 1)}, 1, false},
		{parsed("[salt4(a)][a]['_'][n:1]"), []rowkey.Cond{rowkey.Eq("a", "x")}, 2, false},
		{parsed("[salt4(a)][n:1][a]"), []rowkey.Cond{rowkey.AtLeast("n", 1)}, 3, false},
		{parsed("[salt4(rest())][n:1][a]"), []rowkey.Cond{rowkey.Eq("n", 1), rowkey.Eq("a", "x")}, 1, false}, // with its salt
		{parsed("[salt4(rest())][n:1][a]"), []rowkey.Cond{rowkey.Eq("n", 1)}, 3, false},
		{parsed("[salt4(rest())][c=a left(1) notstored][salt4(c)][n:1][a]"), []rowkey.Cond{rowkey.Eq("n", 1), rowkey.Eq("a", "x")}, 1, false},
		{parsed("[salt4(n)][salt4(a)][n:1][a]"), nil, 4, true},
		{parsed("[salt4(n)][salt4(a)][n:1][a]"), []rowkey.Cond{rowkey.Eq("n", 1)}, 4, false},
		{parsed("[salt4(h)][h notstored][a]"), nil, 2, false}, // the salt may be any
		{parsed("[salt4(h)]['x'][h notstored]['_'][a]"), nil, 3, false},
		{parsed("[c=a left(2)]['_'][a]"), []rowkey.Cond{rowkey.Eq("a", "x")}, 1, false}, // its separator ends the copy
		{parsed("[c=a left(2)]['_'][a]"), []rowkey.Cond{rowkey.AtLeast("a", "x")}, 3, false},
		{parsed("[c=a left(2)]['_'][a]['_'][n:1]"), []rowkey.Cond{rowkey.Eq("a", "")}, 5, false}, // the form is empty
		{parsed("[f:f8]['_'][a]"), []rowkey.Cond{rowkey.Eq("f", 1.5)}, 3, false},                 // 9 bytes
		{parsed("[f:f8]['_'][a]"), []rowkey.Cond{rowkey.AtLeast("f", 1.5)}, 3, false},
		{salted(own), []rowkey.Cond{rowkey.Eq("a", "x")}, 2, false},
		{salted(own), nil, 4, false},
	} {
		plan, err := c.s.Scan(append(c.conds, rowkey.FullScan())...)
		require.NoError(t, err, c.s)
		steps, read := inside.Plan(plan).Tests().Left()
		assert.Equal(t, c.steps, steps, "%s: %s", c.s, plan)
		assert.Equal(t, c.read, read, "%s: %s", c.s, plan)
	}
}

// A value whose copy is refused is in no key, whatever stands in the place of the copy.
func TestMatchRefusedCopy(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[n:1][c=a left(2) fixed(2)][a]"))
	_, err := s.AppendKey(nil, 7, "a")
	require.ErrorIs(t, err, rowkey.ErrLength)
	plan, err := s.Scan(rowkey.Eq("a", "a"), rowkey.FullScan())
	require.NoError(t, err)
	for _, key := range []string{"\a", "\aa", "\aaa", "\aaaa", "\aa\x00a"} {
		assert.False(t, plan.Match([]byte(key)), "%q", key)
	}
}

// A date that stands in reverse order matches, however long it is.
func TestMatchReversedDate(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 0, 0, 0, time.UTC)
	for _, between := range []string{"", "-", strings.Repeat("-", 20), strings.Repeat("-", 21), strings.Repeat("-", 60)} {
		s, err := rowkey.Parse("x", `[layout("2006-01-02`+between+`15",UTC)(a) reverse]`)
		require.NoError(t, err)
		key, err := s.AppendKey(nil, at)
		require.NoError(t, err)
		for _, c := range []rowkey.Cond{rowkey.Eq("a", at), rowkey.AtLeast("a", at), rowkey.AtMost("a", at)} {
			plan, err := s.Scan(c, rowkey.FullScan())
			require.NoError(t, err)
			assert.True(t, plan.Match(key), "%s: %s", s, plan)
		}
		for _, c := range []rowkey.Cond{rowkey.AtLeast("a", at.Add(time.Hour)), rowkey.LessThan("a", at)} {
			plan, err := s.Scan(c, rowkey.FullScan())
			require.NoError(t, err)
			assert.False(t, plan.Match(key), "%s: %s", s, plan)
		}
	}
}

// Bytes of a NaN, or of −0 where it is written as 0, are no key, whatever a query asks of the float.
func TestMatchNoFloat(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[f:f8][n:1]"))
	for _, c := range []struct {
		cond rowkey.Cond
		want func(f float64) bool
	}{
		{rowkey.Eq("n", 7), func(f float64) bool { return true }},
		{rowkey.AtMost("f", math.Inf(1)), func(f float64) bool { return true }},
		{rowkey.AtLeast("f", math.Inf(-1)), func(f float64) bool { return true }},
		{rowkey.AtMost("f", 0.0), func(f float64) bool { return f <= 0 }},
		{rowkey.AtLeast("f", -1.0), func(f float64) bool { return f >= -1 }},
		{rowkey.Span("f", -1.0, 1.0), func(f float64) bool { return f >= -1 && f < 1 }},
		{rowkey.Eq("f", math.Copysign(0, -1)), func(f float64) bool { return f == 0 }},
		{rowkey.NotEq("f", 0.0), func(f float64) bool { return f != 0 }},
	} {
		plan, err := s.Scan(c.cond, rowkey.FullScan())
		require.NoError(t, err)
		for _, top := range []uint64{0, 7, 0xf, 0x10, 0x3ff, 0x400, 0x407, 0x40f, 0x410, 0x7ff, 0x800, 0xbef, 0xbf0, 0xbff, 0xfef, 0xff0, 0xfff} {
			for _, low := range []uint64{0, 1, 1<<52 - 2, 1<<52 - 1} {
				key := append(binary.BigEndian.AppendUint64(nil, top<<52|low), 7)
				var f float64
				want := s.Read(key).Float(&f).Skip().Err() == nil && c.want(f)
				assert.Equal(t, want, plan.Match(key), "%x: %s", key, plan)
			}
		}
	}
}

// So it is in every form of a float. Of one in four bytes a query may ask for more than the field can hold.
func TestMatchFloatForms(t *testing.T) {
	for _, l := range []struct {
		layout        string
		before, after []any
	}{
		{"[f:f8]", nil, nil},
		{"[f:f8 desc]", nil, nil},
		{"[f:f4][n:1]", nil, []any{1}},
		{"[a:1][f:f4 desc]", []any{1}, nil},
		{"['________'][f:f4]", nil, nil},
		{"[a]['_'][f:f4][n:1]", []any{"x"}, []any{1}},
		{"[f:f4 reverse]", nil, nil},
		{"phoenix [f:f8]", nil, nil},
		{"phoenix [f:f4 desc]", nil, nil},
		{"phoenix [f:f8 unsigned]", nil, nil},
		{"hbase [f:f8]", nil, nil},
		{"hbase [f:f4]", nil, nil},
		{"orderedbytes [f:f8]", nil, nil},
		{"orderedbytes [n:i1][f:f4 desc]", []any{1}, nil},
	} {
		s := rowkey.Must(rowkey.Parse("t", l.layout))
		for _, c := range []struct {
			cond rowkey.Cond
			want func(f float64) bool
		}{
			{rowkey.FullScan(), func(f float64) bool { return true }},
			{rowkey.AtLeast("f", 0.0), func(f float64) bool { return f >= 0 }},
			{rowkey.AtLeast("f", 0.1), func(f float64) bool { return f >= 0.1 }},
			{rowkey.AtLeast("f", 0.7), func(f float64) bool { return f >= 0.7 }}, // which is less in four bytes
			{rowkey.AtLeast("f", 1.5), func(f float64) bool { return f >= 1.5 }},
			{rowkey.AtMost("f", 1.5), func(f float64) bool { return f <= 1.5 }},
			{rowkey.Span("f", 0.0, math.Inf(1)), func(f float64) bool { return f >= 0 && f < math.Inf(1) }},
			{rowkey.LessThan("f", 1e300), func(f float64) bool { return f < 1e300 }},
			{rowkey.NotEq("f", 1.5), func(f float64) bool { return f != 1.5 }},
		} {
			plan, err := s.Scan(c.cond, rowkey.FullScan())
			require.NoError(t, err)
			for _, f := range []float64{0, 1.5, float64(float32(0.7)), math.Copysign(0, -1), -1.5, math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.Inf(-1)} {
				key, err := s.AppendKey(nil, slices.Concat(l.before, []any{f}, l.after)...)
				if err != nil {
					continue // it has no negative numbers
				}
				for i := range 8 * len(key) {
					broken := slices.Clone(key)
					broken[i/8] ^= []byte{0, 1, 2, 0x80, 0x7f, 0xff, 0xf0, 0xc0}[i%8]
					var f float64
					r := s.Read(broken)
					for range l.before {
						r = r.Skip()
					}
					r = r.Float(&f)
					for range l.after {
						r = r.Skip()
					}
					want := r.Err() == nil && c.want(f)
					assert.Equal(t, want, plan.Match(broken), "%x: %s", broken, plan)
				}
			}
		}
	}
}

// Numbers among the first 8 bytes of a key, which are compared with other bytes behind them, and others; and keys that are
// too short or too long.
func TestMatchWindows(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[n:2 below(1000)][m:i2 desc][k:i4][l:1][j:3]"))
	type row struct {
		n, l, j uint64
		m, k    int64
	}
	for _, c := range []struct {
		cond rowkey.Cond
		want func(r row) bool
	}{
		{rowkey.AtLeast("n", 300), func(r row) bool { return r.n >= 300 }},
		{rowkey.Span("n", 255, 511), func(r row) bool { return r.n >= 255 && r.n < 511 }},
		{rowkey.LessThan("m", -5), func(r row) bool { return r.m < -5 }},
		{rowkey.Span("m", -5, 300), func(r row) bool { return r.m >= -5 && r.m < 300 }},
		{rowkey.AtMost("j", 65535), func(r row) bool { return r.j <= 65535 }},
		{rowkey.NotEq("j", 7), func(r row) bool { return r.j != 7 }},
	} {
		plan, err := s.Scan(c.cond, rowkey.FullScan())
		require.NoError(t, err)
		key, err := s.AppendKey(nil, 300, -5, 1, 2, 65535)
		require.NoError(t, err)
		for i := range len(key) * 49 {
			broken := slices.Clone(key)
			at, edges := i/49, []byte{0, 1, 0x2c, 0x7f, 0x80, 0xfe, 0xff}
			broken[at], broken[(at+1)%len(key)] = edges[i%7], edges[i/7%7]
			for _, k := range [][]byte{broken, broken[:len(key)-1], slices.Clip(broken[:8]), broken[:5], append(slices.Clip(broken), 0)} {
				var r row
				ok := s.Read(k).Uint(&r.n).Int(&r.m).Int(&r.k).Uint(&r.l).Uint(&r.j).Err() == nil
				assert.Equal(t, ok && c.want(r), plan.Match(k), "%x: %s", k, plan)
			}
		}
	}
	long := rowkey.Must(rowkey.Parse("t", "[a]['_'][n:1]"))
	plan, err := long.Scan(rowkey.AtLeast("n", 1), rowkey.FullScan())
	require.NoError(t, err)
	key := strings.Repeat("a", 40_000) + "_a"
	assert.True(t, plan.Match([]byte(key[40_000-1:])))
	assert.False(t, plan.Match([]byte(key)))
}

// A number behind a header matches with its header alone.
func TestMatchHeaders(t *testing.T) {
	for _, layout := range []string{"[n:i8 orderedbytes][m:i2 orderedbytes]", "[n:i8 desc orderedbytes][m:i1 orderedbytes]", "[salt2(stored(n))][n:i8 orderedbytes][m:i4 desc orderedbytes]"} {
		s := rowkey.Must(rowkey.Parse("t", layout))
		for _, c := range []struct {
			cond rowkey.Cond
			want func(n, m int64) bool
		}{
			{rowkey.Eq("n", -1), func(n, m int64) bool { return n == -1 }},
			{rowkey.AtLeast("n", 0), func(n, m int64) bool { return n >= 0 }},
			{rowkey.NotEq("n", 7), func(n, m int64) bool { return n != 7 }},
			{rowkey.Eq("m", 7), func(n, m int64) bool { return m == 7 }},
			{rowkey.LessThan("m", 0), func(n, m int64) bool { return m < 0 }},
		} {
			plan, err := s.Scan(c.cond, rowkey.FullScan())
			require.NoError(t, err)
			for _, row := range [][]any{{-1, 7}, {0, -128}, {7, 127}, {int64(math.MinInt64), 7}, {int64(math.MaxInt64), -1}} {
				key, err := s.AppendKey(nil, row...)
				require.NoError(t, err)
				for i := range 3 * len(key) {
					broken := slices.Clone(key)
					broken[i%len(key)] ^= []byte{0, 1, 0x80}[i/len(key)]
					var n, m int64
					want := s.Read(broken).Int(&n).Int(&m).Err() == nil && c.want(n, m)
					assert.Equal(t, want, plan.Match(broken), "%x: %s", broken, plan)
				}
			}
		}
	}
}
