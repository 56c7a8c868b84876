package infer

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// readBuilt reads rows of two columns and more whose key a function writes.
func readBuilt(t *testing.T, columns string, n int, seed uint64, key func(row []string) []byte) (res *Result, rows [][]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, seed))
	d := &design{columns: columnsOf(columns), key: key}
	names, rows, keys := d.rows(n, r, usualRows)
	res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	return res, rows
}

// A dictionary is read out of values that repeat, and knows these alone.
func TestCodes(t *testing.T) {
	codes := map[string]string{}
	for i, w := range words {
		codes[w] = string([]byte{'A' + byte(i), 'Z' - byte(i*7%26)})
	}
	res, rows := readBuilt(t, "user:uname kind:word at:ms", 60, 41, func(row []string) []byte {
		k := append([]byte(codes[row[1]]+row[0]+"_"), row[2]...)
		return k
	})
	require.NotNil(t, res.Layout)
	require.Equal(t, Open, res.Verdict, "%v", res.Why)
	require.Contains(t, strings.Join(res.Why, "\n"), "kind is written by a dictionary of 12 values: the codes of others are not known, and they are refused")
	require.True(t, strings.HasPrefix(res.Layout.String(), `[kind codes("cart":"`), "%v", res.Layout)
	for w, code := range codes {
		k, err := res.Layout.Key([]string{"someone", w, "1684203630000"})
		require.NoError(t, err)
		require.Equal(t, code+"someone_1684203630000", string(k))
	}
	_, err := res.Layout.Key([]string{"someone", "else", "1684203630000"})
	require.Error(t, err)
	require.NotEmpty(t, res.Layout.Go("table"))
	line, err := res.Layout.Sample(rows[0])
	require.NoError(t, err)
	require.NotEmpty(t, res.Layout.Go("table", line))

	// codes of several lengths, which end at a mark
	res, _ = readBuilt(t, "kind:word n:num", 60, 42, func(row []string) []byte {
		return []byte(strings.Repeat("x", 1+slices.Index(words, row[0])) + "_" + row[1])
	})
	require.NotNil(t, res.Layout)
	require.True(t, strings.HasPrefix(res.Layout.String(), "[kind codes("), "%v", res.Layout)
	require.LessOrEqual(t, res.Verdict, Open)

	// values that are rare are in it too
	i := 0
	res, _ = readBuilt(t, "user:uname kind:word", 200, 48, func(row []string) []byte {
		if i++; i%10 != 0 { // three of them are frequent, and the others rare
			row[1] = words[i%3]
		} else {
			row[1] = words[i/10%len(words)]
		}
		return []byte(codes[row[1]] + row[0])
	})
	require.NotNil(t, res.Layout)
	require.Empty(t, res.Misfits)
	require.True(t, strings.HasPrefix(res.Layout.String(), "[kind codes("), "%v", res.Layout)

	// after a salt, and of two columns
	res, _ = readBuilt(t, "user:uname flag:bool kind:word", 60, 43, func(row []string) []byte {
		d, err := designOf("[salt16(user)][user]", "user:uname")
		require.NoError(t, err)
		flag := map[string]string{"true": "_Y", "false": "_N"}[row[1]]
		return append(d.key(row[:1]), flag+codes[row[2]]...)
	})
	require.NotNil(t, res.Layout)
	require.True(t, strings.HasPrefix(res.Layout.String(), `[salt16(user)][user]['_'][flag codes("false":"N","true":"Y")][kind codes(`), "%v", res.Layout)
}

// Values that stand once each have no dictionary, though any keys would fit one.
func TestNoCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 44))
	res, _ := readBuilt(t, "user:uname", 20, 44, func([]string) []byte { return []byte(letters(r, 8, "0123456789abcdef")) })
	require.Nil(t, res.Layout, "%v", res.Layout)
}

// Bytes in hexadecimal: of one length before another field, filled up, and last.
func TestBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 45))
	for _, c := range []struct {
		columns, want string
		bytes         func() []byte
		key           func(b []byte, rest string) []byte
	}{
		{"b:hex u:uname", "[b:bytes fixed(4)][u]", func() []byte { return drawBytes(r, 4) }, func(b []byte, rest string) []byte { return append(b, rest...) }},
		{"b:hex u:uname", `[b:bytes pad(9,'\x00')][u]`, func() []byte { return append(drawBytes(r, 1+r.IntN(7)), 7) }, func(b []byte, rest string) []byte {
			return append(append(b, make([]byte, 9-len(b))...), rest...)
		}},
		{"b:hex u:uname", `[u]['\x00'][b:bytes]`, func() []byte { return drawBytes(r, 1+r.IntN(9)) }, func(b []byte, rest string) []byte { return append([]byte(rest+"\x00"), b...) }},
	} {
		d := &design{columns: columnsOf(c.columns)}
		names, rows, _ := (&design{columns: d.columns, key: func([]string) []byte { return []byte{1} }}).rows(50, r, usualRows)
		var keys [][]byte
		for i := range rows {
			b := c.bytes()
			rows[i][0] = hex.EncodeToString(b)
			keys = append(keys, c.key(slices.Clone(b), rows[i][1]))
		}
		res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
		require.NoError(t, err)
		require.NotNil(t, res.Layout, c.want)
		require.Equal(t, c.want, res.Layout.String())
	}
}

func drawBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

// Steps for which the notation has no word are gaps, which say their place, their width and
// what they look like.
func TestGuesses(t *testing.T) {
	noise := rand.New(rand.NewPCG(1, 49))
	for i, c := range []struct {
		columns string
		key     func(row []string) string
		want    []Gap
	}{
		{"user:text n:num", func(row []string) string { return strings.ToUpper(row[0]) + "_" + row[1] },
			[]Gap{{Column: "user", Looks: "in upper case"}}},
		{"vin:vin n:num", func(row []string) string { return row[1] + "_" + strings.ToLower(row[0]) },
			[]Gap{{Column: "vin", Looks: "in lower case"}}},
		{"card:card n:num", func(row []string) string { return row[0][6:12] + row[1] },
			[]Gap{{From: 0, To: 0, Least: 6, Most: 6, Column: "card", Looks: "from character 6 on, 6 of them"}}},
		{"u:uuid n:num", func(row []string) string { return strings.ReplaceAll(row[0], "-", "") + row[1] },
			[]Gap{{From: 0, To: 0, Least: 32, Most: 32, Column: "u", Looks: "without '-'"}}},
		{"n:num user:uname", func(row []string) string { return row[1] + "|" + hexOf(row[0]) },
			[]Gap{{Column: "n", Looks: "as a number in hexadecimal"}}},
		{"user:text n:num", func(row []string) string {
			return letters(noise, 5, "0123456789abcdef") + strings.ToUpper(row[0]) + "_" + row[1]
		},
			[]Gap{{Least: 5, Most: 5}, {Column: "user", Looks: "in upper case"}}},
		{"user:text card:card vin:vin", func(row []string) string {
			return strings.ToUpper(row[0]) + "_" + row[1][6:12] + "_" + row[2]
		}, []Gap{{Column: "user", Looks: "in upper case"}, {Column: "card", Looks: "from character 6 on, 6 of them", Least: 6, Most: 6}}},
	} {
		if testing.Short() && i%3 > 0 {
			continue
		}
		res, _ := readBuilt(t, c.columns, 50, 50+uint64(i), func(row []string) []byte { return []byte(c.key(row)) })
		require.Nil(t, res.Layout, "%v", res.Layout)
		require.NotNil(t, res.Partial)
		require.Len(t, res.Partial.Gaps, len(c.want), "%v %v", res.Partial.Notation, res.Partial.Gaps)
		for j, want := range c.want {
			got := res.Partial.Gaps[j]
			require.Equal(t, fmt.Sprintf("unexplained%d", j+1), got.Name)
			require.Equal(t, want.Column+" "+want.Looks, got.Column+" "+got.Looks, "%v", res.Partial.Notation)
			if want.Most > 0 {
				require.Equal(t, [2]int{want.Least, want.Most}, [2]int{got.Least, got.Most})
			}
			require.Contains(t, res.Partial.Notation, "["+got.Name+":bytes")
		}
	}
}

func hexOf(s string) string {
	n, _ := strconv.ParseInt(s, 10, 64)
	return strconv.FormatInt(n, 16)
}

// Two gaps between pieces that are known, each with its place and its width.
func TestGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 46))
	res, _ := readBuilt(t, "user:uname n:big", 50, 46, func(row []string) []byte {
		n, _ := strconv.ParseUint(row[1], 10, 64)
		k := append(drawBytes(r, 3), row[0]...)
		k = append(append(k, '#'), drawBytes(r, 5)...)
		return append(k, be(int64(n), 8)...)
	})
	require.Equal(t, None, res.Verdict)
	require.Equal(t, "[unexplained1:bytes fixed(3)][user]['#'][unexplained2:bytes fixed(5)][n:8]", res.Partial.Notation)
	require.Len(t, res.Partial.Gaps, 2)
	a, b := res.Partial.Gaps[0], res.Partial.Gaps[1]
	require.Equal(t, Gap{Name: "unexplained1", From: 0, To: 0, Least: 3, Most: 3}, a)
	require.Equal(t, "unexplained2", b.Name)
	require.Equal(t, [2]int{5, 5}, [2]int{b.Least, b.Most})
	require.GreaterOrEqual(t, b.From, 3+len("user1#"))
	require.LessOrEqual(t, b.To, 3+len("user999999#"))
}

// Dialects are folded: who writes one column as Phoenix or OrderedBytes does writes all so, and
// the notation is the one that String prints.
func TestFolded(t *testing.T) {
	for _, c := range []struct{ notation, columns string }{
		{"[a phoenix][n:i8 phoenix][m:i4 phoenix]", "a:uname n:int m:int"},
		{"[n:i8 phoenix][a phoenix]", "a:uname n:int"},
		{"[ms(at) phoenix][a phoenix][n:i4 phoenix]", "a:uname n:int at:iso"},
		{"[salt16(rest()) phoenixhash][a phoenix][ms(at) phoenix][n:i8 phoenix]", "a:uname n:int at:iso"},
		{"[a orderedbytes][n:i8 orderedbytes][ms(at) orderedbytes]", "a:uname n:int at:iso"},
	} {
		d, err := designOf(c.notation, c.columns)
		require.NoError(t, err)
		names, rows, keys := d.rows(50, rand.New(rand.NewPCG(1, 47)), usualRows)
		res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
		require.NoError(t, err)
		require.NotNil(t, res.Layout, c.notation)
		t.Log(res.Verdict, res.Layout, res.Why)
		again, err := designOf(res.Layout.String(), c.columns)
		require.NoError(t, err)
		for i := range rows {
			require.Equal(t, keys[i], again.key(rows[i]))
		}
		require.Equal(t, c.notation, res.Layout.String())
	}
}

// The question of a rival is one whose answer decides: with its row and its key as one row more,
// either this rival is gone, or it takes the place of the layout.
func TestAnswers(t *testing.T) {
	answered, sure := 0, 0
	for i, c := range []struct{ notation, columns string }{
		{`[layout("20060102",+08:00)(at)]['_'][user]`, "at:iso user:uname"},
		{`[id:8 digits(6)][user]`, "id:num user:uname"},
		{`[salt100(user) javahash digits(2)]['_'][user]`, "user:uname"},
		{`[slot:2][user]`, "slot:small user:uname"},
		{`[phone reverse fixed(11)][uid:8]`, "phone:phone uid:num"},
		{`[max-s(at) digits(10)]['_'][user]`, "at:iso user:uname"},
	} {
		d, err := designOf(c.notation, c.columns)
		if err != nil {
			continue
		}
		r := rand.New(rand.NewPCG(1, 60+uint64(i)))
		names, rows, keys := d.rows(50, r, narrowRows)
		for range 12 {
			res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
			require.NoError(t, err)
			require.NotNil(t, res.Layout, c.notation)
			require.Empty(t, res.Misfits, c.notation)
			if res.Verdict == Sure {
				sure++
				break
			}
			at := slices.IndexFunc(res.Rivals, func(o Rival) bool { return d.key(o.Row) != nil })
			if at < 0 {
				break
			}
			o := res.Rivals[at]
			truth := d.key(o.Row)
			require.False(t, bytes.Equal(truth, o.Key) && bytes.Equal(truth, o.Other))
			rows, keys = append(rows, o.Row), append(keys, truth)
			next, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
			require.NoError(t, err)
			require.NotNil(t, next.Layout, "%s after %q", c.notation, o.Row)
			if !bytes.Equal(truth, o.Other) {
				require.False(t, slices.ContainsFunc(next.Rivals, func(p Rival) bool { return p.Layout.String() == o.Layout.String() }), "%s: %v", c.notation, o.Layout)
			}
			if !bytes.Equal(truth, o.Key) {
				require.NotEqual(t, res.Layout.String(), next.Layout.String())
			}
			answered++
		}
		_, fresh, want := d.rows(100, r, usualRows)
		res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
		require.NoError(t, err)
		for j, row := range fresh {
			k, err := res.Layout.Key(row)
			if err == nil {
				require.Equal(t, want[j], k, "%s read as %v after all answers", c.notation, res.Layout)
			}
		}
	}
	t.Logf("%d questions answered, %d of 6 sure then", answered, sure)
	require.Positive(t, answered)
}

// The remainder of a long number is its last digits too, but not of a short one. A number that is
// taken from the largest one has a digit fewer where it is large. Neither was seen.
func TestMagnitudes(t *testing.T) {
	for i, c := range []struct {
		key  func(n uint64) string
		want string
	}{
		{func(n uint64) string { return fmt.Sprintf("%02d_%d", n%100, n) }, `[salt100(n) modulo digits(2)]['_'][n:8 decimal]`},
		{func(n uint64) string { return fmt.Sprintf("%03d_%d", n%100, n) }, `[salt100(n) modulo digits(3)]['_'][n:8 decimal]`},
		{func(n uint64) string { return string(be(int64(n), 4)) + fmt.Sprintf("_%03d", n%1000) }, `[n:4]['_'][salt1000(n) modulo digits(3)]`},
		{func(n uint64) string { return strconv.FormatUint(math.MaxUint32-n, 10) }, `[n:4 desc decimal]`},
		{func(n uint64) string { return fmt.Sprintf("%010d", math.MaxUint32-n) }, `[n:4 desc digits(10)]`},
	} {
		res, _ := readBuilt(t, "n:num", 50, 70+uint64(i), func(row []string) []byte {
			n, _ := strconv.ParseUint(row[0], 10, 64)
			if n < 1000 {
				return nil
			}
			return []byte(c.key(n))
		})
		require.NotNil(t, res.Layout, c.want)
		require.Equal(t, Open, res.Verdict, "%v", res.Layout)
		layouts := []string{res.Layout.String()}
		for _, o := range res.Rivals {
			layouts = append(layouts, o.Layout.String())
		}
		require.Contains(t, layouts, c.want)
	}
}

// Bytes of one length may hold any separator, and a text of one length may hold its own: the length
// is said, so that keys of other bytes can be written, and each key read.
func TestOneLengthBeforeSeparator(t *testing.T) {
	for want, key := range map[string]func(b []byte, u, n string) string{
		`[b:bytes fixed(4)]['_'][n]`: func(b []byte, _, n string) string { return string(b) + "_" + n },
		`[u fixed(36)]['-'][n]`:      func(_ []byte, u, n string) string { return u + "-" + n },
	} {
		r := rand.New(rand.NewPCG(1, 80))
		var rows [][]string
		var keys [][]byte
		for range 50 {
			b, u, n := drawBytes(r, 4), value("uuid", r, usualRows), value("num", r, usualRows)
			rows, keys = append(rows, []string{hex.EncodeToString(b), u, n}), append(keys, []byte(key(b, u, n)))
		}
		res, err := Read(context.Background(), []string{"b", "u", "n"}, rows, keys, Limits{Max: time.Minute})
		require.NoError(t, err)
		require.NotNil(t, res.Layout, want)
		require.Equal(t, want, res.Layout.String())
		for _, k := range keys {
			_, err := res.Layout.Schema().Decode(k)
			require.NoError(t, err)
		}
	}
}
