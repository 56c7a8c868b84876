package infer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// readRows reads a layout out of rows that a notation writes.
func readRows(t *testing.T, notation, columns string, n int, row func(i int) []string) *Result {
	t.Helper()
	d, err := designOf(notation, columns)
	require.NoError(t, err)
	var names []string
	for _, c := range d.columns {
		names = append(names, c.name)
	}
	var rows [][]string
	var keys [][]byte
	for i := 0; len(rows) < n; i++ {
		r := row(i)
		if r == nil {
			continue
		}
		k := d.key(r)
		require.NotEmpty(t, k, "%q", r)
		rows, keys = append(rows, r), append(keys, k)
	}
	res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	require.NotNil(t, res.Layout, notation)
	for i, k := range keys { // what is found is proved on each row
		got, err := res.Layout.Key(rows[i])
		require.NoError(t, err)
		require.Equal(t, k, got)
	}
	for _, o := range res.Rivals { // a rival writes the same keys, and another one for its row
		for i, k := range keys {
			got, err := o.Layout.Key(rows[i])
			require.NoError(t, err)
			require.Equal(t, k, got, "%v", o.Layout)
		}
		mine, err := res.Layout.Key(o.Row)
		require.NoError(t, err)
		other, err := o.Layout.Key(o.Row)
		require.NoError(t, err)
		require.Equal(t, o.Key, mine)
		require.Equal(t, o.Other, other)
		require.False(t, bytes.Equal(mine, other))
	}
	return res
}

// Rows that do not say enough, each in another way. None may be sure.
func TestTraps(t *testing.T) {
	morning := time.Date(2023, 5, 16, 9, 0, 0, 0, time.UTC)
	at := func(i int) string {
		return morning.Add(time.Duration(i) * 97 * time.Second).Format("2006-01-02T15:04:05.000Z")
	}
	user := func(i int) string { return "user" + strconv.Itoa(1000+i*7919) }
	for _, trap := range []struct {
		name, notation, columns string
		rows                    int
		row                     func(i int) []string
		most                    Verdict
		why                     string // a reason, or a rival
	}{
		{"one day: of which zone is it", `[layout("20060102",+08:00)(at)]['_'][user]`, "at:iso user:uname", 50,
			func(i int) []string { return []string{at(i), user(i)} }, Open, `[layout("20060102",+08:00)(at)]['_'][user]`},
		{"one day: it may be a constant", `["20230716_"][user]`, "at:iso user:uname", 50,
			func(i int) []string {
				return []string{time.Date(2023, 7, 16, i%24, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), user(i)}
			}, Unsure, `at writes the same bytes in all rows: they may be a constant`},
		{"one day: a constant may come from it", `["v1_"][user]['_'][ms(at)]`, "at:iso user:uname", 50,
			func(i int) []string { return []string{at(i), user(i)} }, Unsure, "'v1_' may come from the day of at, which is the same in all rows"},
		{"a column is the same in all rows: a constant may come from it", `["v1_"][user]`, "user:uname zone:word", 50,
			func(i int) []string { return []string{user(i), "login"} }, Unsure, "'v1_' may come from zone, which is the same in all rows"},
		{"numbers of one length: digits or decimal", `[id:8 digits(6)][user]`, "id:num user:uname", 50,
			func(i int) []string { return []string{strconv.Itoa(100000 + i*7919), user(i)} }, Open, `id has 6 digits in all rows: how others are written is not known`},
		{"no hash is negative: a mask or Math.abs", `[salt100(user) javahash digits(2)]['_'][user]`, "user:uname", 50,
			func(i int) []string {
				if h, _ := digest.JavaString([]byte(user(i))); h < 0 {
					return nil
				}
				return []string{user(i)}
			}, Open, `[salt100(user) javahashabs digits(2)]['_'][user]`},
		{"no number is long enough for a hash below 0", `[salt100(text(id)) javahashabs digits(2)]['_'][id:8 decimal]`, "id:num", 60,
			func(i int) []string { return []string{strconv.Itoa(1 + i*1613)} }, Open, `[salt100(id) javahashfloor digits(2)]['_'][id]`},
		{"no text is long enough for a hash below 0", `[salt16(user) javahash]['_'][n:4][user]`, "user:uname n:num", 50,
			func(i int) []string { return []string{fmt.Sprintf("u%03d", i*19), strconv.Itoa(i * 7919)} }, Open, `[salt16(user) javahashmodabs]['_'][n:4][user]`},
		{"no number in 4 bytes is large enough for a hash below 0", `[salt10(rest()) pinpointhash][n:4]`, "n:num", 50,
			func(i int) []string { return []string{strconv.Itoa(i * 7919)} }, Open, `[salt10(rest()) pinpointhash][n:4]`},
		{"no day of the year has a hash below 0, nor of the next one", `[salt10(stored(at)) pinpointhash][layout("2006-01-02",UTC)(at)]['_'][n:4]`, "at:iso n:num", 60,
			func(i int) []string {
				return []string{time.Date(2023, 1, 1+i*5, i%24, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), strconv.Itoa(i * 7919)}
			}, Open, `pinpointhash][layout("2006-01-02",UTC)(at)]['_'][n:4]`},
		{"no number is above 2^31: the number or Long.hashCode", `[salt100(id) modulo digits(2)]['_'][id:8 decimal]`, "id:num", 50,
			func(i int) []string { return []string{strconv.Itoa(1 + i*7919)} }, Open, `salt100 is a remainder of id; a program may take that of Long.hashCode`},
		{"no hash is -2^31: Math.abs of it, or of its remainder", `[salt100(user) javahashabs digits(2)]['_'][user]`, "user:uname", 50,
			func(i int) []string { return []string{user(i)} }, Open, `javahashabs and javahashmodabs differ for the hash -2147483648 alone`},
		{"no hash is -2^31: Phoenix or HBaseWD", `[salt10(rest()) phoenixhash][user]`, "user:uname", 50,
			func(i int) []string { return []string{user(i)} }, Open, `phoenixhash and hbasewdhash differ`},
		{"no letter is beyond ASCII: bytes or characters backward", `[user reverse]['_'][n:4]`, "user:uname n:num", 50,
			func(i int) []string { return []string{user(i), strconv.Itoa(i * 7919)} }, Open, `[user reverserune]['_'][n:4]`},
		{"two columns are always equal", `[salt16(a)][b]['_'][n:4][a notstored]`, "a:uname b:uname n:num", 50,
			func(i int) []string { return []string{user(i), user(i), strconv.Itoa(i * 7919)} }, Unsure, `[salt16(b)][a]['_'][n:4][b notstored]`},
		{"a salt of five values", `[salt100(w) digits(2)][n:4][w notstored]`, "w:word n:num", 50,
			func(i int) []string { return []string{words[i%5], strconv.Itoa(i * 7919)} }, Unsure, `salt100 rests on 5 distinct inputs`},
		{"a salt of eight users", `[salt4(user)][user]['_'][n:4]`, "user:uname n:num", 50,
			func(i int) []string { return []string{user(i % 8), strconv.Itoa(i * 7919)} }, Unsure, `salt4 rests on 8 distinct inputs`},
		{"nine rows", `[salt16(user)][user]`, "user:uname", 9,
			func(i int) []string { return []string{user(i)} }, Unsure, `too few rows: 9, and at least 10 tell a layout from chance`},
		{"small numbers: two bytes, or a byte and a varint", `[slot:2][user]`, "slot:small user:uname", 50,
			func(i int) []string { return []string{strconv.Itoa(i % 50), user(i)} }, Open, `['\x00'][slot:8 varint][user]`},
		{"a column that hardly varies", `[flag:bool][user]`, "flag:bool user:uname", 50,
			func(i int) []string { return []string{strconv.FormatBool(i == 7), user(i)} }, Unsure, `flag hardly varies`},
		{"months: no row stands beside the first of one", `[layout("2006-01",+08:00)(at)]['_'][user]`, "at:iso user:uname", 50,
			func(i int) []string {
				return []string{time.Date(2023, time.Month(1+i%12), 3+i%24, i%24, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), user(i)}
			}, Open, `[layout("2006-01",+08:00)(at)]['_'][user]`},
		{"a number twice: one may be a remainder", `[level_2=level decimal]['_'][user]['_'][level:8 decimal]`, "level:small user:uname", 50,
			func(i int) []string { return []string{strconv.Itoa(i * i % 97), user(i)} }, Open, "level is written twice: one may be its remainder"},
		{"one day: a bucket may be of it", `['\x00'][ms(at)][user]`, "at:iso user:uname", 50,
			func(i int) []string { return []string{at(i), user(i)} }, Unsure, `'\x00' may come from the day of at`},
		{"winter alone: a zone without summer time, or one with it", `[layout("2006010215",-05:00)(at)]['_'][user]`, "at:iso user:uname", 50,
			func(i int) []string {
				return []string{time.Date(2023, 1, 1, i*13, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), user(i)}
			}, Open, `at is in -05:00, but no row tells whether its zone has summer time`},
		{"winter alone: UTC or London", `[layout("2006010215",UTC)(at)]['_'][user]`, "at:iso user:uname", 50,
			func(i int) []string {
				return []string{time.Date(2023, 1, 1, i*13, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), user(i)}
			}, Open, `at is in UTC, but no row tells whether its zone has summer time`},
		{"no letter is beyond ASCII: filled up by bytes or characters", `[user pad(20,'x')][n:4]`, "user:uname n:num", 50,
			func(i int) []string { return []string{user(i) + strconv.Itoa(i%11*37), strconv.Itoa(i * 7919)} }, Open, `pad of user counts bytes`},
		{"no letter is beyond ASCII: the first bytes or characters", `[cc=user left(6)]['_'][n:4][user notstored]`, "user:uname n:num", 50,
			func(i int) []string { return []string{strconv.Itoa(i*7919%997) + user(i), strconv.Itoa(i * 7919)} }, Open, `left of user counts bytes`},
		{"no letter is beyond ASCII: a length in bytes or characters", `[user lenprefix(2)][n:4]`, "user:uname n:num", 50,
			func(i int) []string { return []string{user(i) + strconv.Itoa(i%11*37), strconv.Itoa(i * 7919)} }, Open, `lenprefix of user counts bytes`},
		{"a dictionary knows the values seen alone", `[w codes("login":"a","logout":"b","oom":"c")][n:4]`, "w:word n:num", 50,
			func(i int) []string { return []string{words[i*i%3], strconv.Itoa(i * 7919)} }, Open, `w is written by a dictionary of`},
	} {
		t.Run(trap.name, func(t *testing.T) {
			res := readRows(t, trap.notation, trap.columns, trap.rows, trap.row)
			require.LessOrEqual(t, res.Verdict, trap.most, "%v %v", res.Layout, res.Why)
			require.NotEmpty(t, res.Why)
			text := strings.Join(res.Why, "\n")
			for _, o := range res.Rivals {
				text += "\n" + o.Layout.String()
			}
			require.Contains(t, text, trap.why)
		})
	}
}

// What rows say enough is sure.
func TestSure(t *testing.T) {
	res := readRows(t, "[salt16(seller)][seller]['_'][max-ms(at)][order:8]", "seller:text at:iso order:num", 50, func() func(i int) []string {
		r := rand.New(rand.NewPCG(1, 2))
		return func(int) []string {
			return []string{value("text", r, usualRows), value("iso", r, usualRows), value("num", r, usualRows)}
		}
	}())
	require.Equal(t, Sure, res.Verdict, "%v", res.Why)
	require.Equal(t, "[salt16(seller)][seller]['_'][max-ms(at)][order:8]", res.Layout.String())
	require.Empty(t, res.Why)
	require.Equal(t, []Field{{"seller", "seller", ""}, {"at", "at", ""}, {"order", "order", ""}}, res.Layout.Fields())
	line, err := res.Layout.Sample([]string{"s-42", "2023-05-16T02:20:30Z", "7"})
	require.NoError(t, err)
	require.Equal(t, `sample("\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07", "s-42", 2023-05-16T02:20:30Z, 7)`, line)
}

// Long.MAX_VALUE − ms as text is said in the form that sorts, so that a time span is a range.
func TestTextTimeSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	res := readRows(t, "[user fixed(17)][max-ms(at) decimal]", "user:vin at:ms", 50, func(int) []string {
		return []string{value("vin", r, usualRows), value("ms", r, usualRows)}
	})
	require.Equal(t, "[user fixed(17)][max-ms(at) digits(19)]", res.Layout.String())
}

// A remainder is sure where a number tells it from Long.hashCode's, or where the key holds no
// such number.
func TestSureRemainder(t *testing.T) {
	for _, c := range []struct {
		notation string
		id       func(i uint64) uint64
	}{
		{`[salt100(id) modulo digits(2)]['_'][id:8 decimal]`, func(i uint64) uint64 { return 1<<32*(i%2) + i*7919 + i%7*i*i }},
		{`[salt100(id) modulo digits(2)]['_'][id:4]`, func(i uint64) uint64 { return i*7919 + i%7*i*i }},
	} {
		res := readRows(t, c.notation, "id:num", 50, func(i int) []string { return []string{strconv.FormatUint(c.id(uint64(i)), 10)} })
		require.Equal(t, Sure, res.Verdict, "%v %v", res.Layout, res.Why)
	}
}

// A text that has one length in all rows keeps it: others are refused, which is said.
func TestOneLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	res := readRows(t, `[id pad(12,'\x00')][n:4]`, "id:text n:num", 50, func(i int) []string {
		return []string{letters(r, 11, "abcdefgh"), strconv.Itoa(i * 7919)}
	})
	require.Equal(t, "11 bytes in all rows: other lengths are refused", res.Layout.Fields()[0].Read)
	_, err := res.Layout.Key([]string{"abc", "7"})
	require.Error(t, err)
}

// A row that does not fit may be the one that tells two rules apart: never sure.
func TestMisfit(t *testing.T) {
	d, err := designOf("[salt100(user) javahashabs digits(2)]['_'][user]", "user:vin")
	require.NoError(t, err)
	names, rows, keys := d.rows(300, rand.New(rand.NewPCG(1, 3)), usualRows)
	keys[123] = append([]byte{'x'}, keys[123][1:]...)
	for _, dirty := range []float64{0, 0.01} {
		res, err := Read(context.Background(), names, rows, keys, Limits{Dirty: dirty, Max: time.Minute})
		require.NoError(t, err)
		require.Equal(t, "[salt100(user) javahashabs digits(2)]['_'][user]", res.Layout.String(), "%v", res.Why)
		require.Equal(t, []int{123}, res.Misfits)
		want := Unsure
		if dirty > 0 {
			want = Open
		}
		require.Equal(t, want, res.Verdict)
	}
}

// One wrong key among 20 hides no layout, wherever it stands: of two halves one is without it.
func TestMisfitAmongFew(t *testing.T) {
	d, err := designOf("[md5.hex(4)(user)][user]", "user:uname")
	require.NoError(t, err)
	names, rows, keys := d.rows(20, rand.New(rand.NewPCG(1, 7)), usualRows)
	for i, key := range keys {
		keys[i] = key[1:]
		res, err := Read(context.Background(), names, rows, keys, Limits{Dirty: 0.05, Max: time.Minute})
		require.NoError(t, err)
		require.Equal(t, Open, res.Verdict, "%v", res.Why)
		require.Equal(t, "[md5.hex(4)(user)][user]", res.Layout.String())
		require.Equal(t, []int{i}, res.Misfits)
		keys[i] = key
	}
}

// A quarter of wrong keys, if so many are permitted, hides no layout: rows without one are looked for.
func TestMisfitsMany(t *testing.T) {
	d, err := designOf("[md5.hex(4)(user)][user]['_'][ms(at)]", "user:uname at:ms")
	require.NoError(t, err)
	for _, rows := range []int{60, 400} {
		for _, dirty := range []float64{0.1, 0.15, 0.2, 0.25} {
			r := rand.New(rand.NewPCG(1, 8))
			names, rows, keys := d.rows(rows, r, usualRows)
			wrong := part(dirty, len(keys))
			for _, i := range r.Perm(len(keys))[:wrong] {
				keys[i] = []byte(letters(r, 5+r.IntN(15), "abcdefgh0123456789"))
			}
			res, err := Read(context.Background(), names, rows, keys, Limits{Dirty: dirty, Max: time.Minute})
			require.NoError(t, err)
			require.NotNil(t, res.Layout, "%d rows, %v", len(rows), dirty)
			require.Equal(t, Open, res.Verdict, "%v", res.Why)
			require.Len(t, res.Misfits, wrong)
		}
	}
}

// The row that does not fit may be the evidence: of the hash −2³¹ alone Math.abs is negative. Java
// writes its remainder then, for which there is no bucket, and the layout is never sure.
func TestMisfitIsTheEvidence(t *testing.T) {
	const evidence = "DESIGNING WORKHOUSES"
	h, _ := digest.JavaString([]byte(evidence))
	require.Equal(t, int32(math.MinInt32), h)
	d, err := designOf("[salt100(user) javahashabs digits(2)]['_'][user]", "user:vin")
	require.NoError(t, err)
	names, rows, keys := d.rows(300, rand.New(rand.NewPCG(1, 6)), usualRows)
	rows[77] = []string{evidence}
	for key, want := range map[string]string{
		"48_" + evidence:  "[salt100(user) javahashmodabs digits(2)]['_'][user]", // Math.abs(h % 100)
		"-48_" + evidence: "[salt100(user) javahashabs digits(2)]['_'][user]",    // Math.abs(h) % 100
	} {
		keys[77] = []byte(key)
		for _, dirty := range []float64{0, 0.01} {
			res, err := Read(context.Background(), names, rows, keys, Limits{Dirty: dirty, Max: time.Minute})
			require.NoError(t, err)
			require.Equal(t, want, res.Layout.String(), key)
			if key[0] == '-' {
				require.Equal(t, []int{77}, res.Misfits)
				require.LessOrEqual(t, res.Verdict, Open)
			} else {
				require.Empty(t, res.Misfits)
			}
		}
	}
}

// Of a table in which one key of 16 is another one, nothing is said to be its layout.
func TestManyOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	d, err := designOf("[uid:8][max-ms(at)]", "uid:num at:ms")
	require.NoError(t, err)
	names, rows, keys := d.rows(400, r, usualRows)
	for i := range keys {
		if i%16 == 3 {
			keys[i] = []byte(letters(r, 16, "0123456789abcdef"))
		}
	}
	res, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	require.Equal(t, None, res.Verdict, "%v", res.Layout)
	require.Nil(t, res.Layout)
}

// Bytes that no column explains come back with their place and their width.
func TestGap(t *testing.T) {
	d, err := designOf("[user]['_'][secret:4]['_'][n:8]", "user:uname secret:num n:big")
	require.NoError(t, err)
	_, rows, keys := d.rows(50, rand.New(rand.NewPCG(1, 4)), usualRows)
	for i := range rows {
		rows[i] = []string{rows[i][0], rows[i][2]}
	}
	res, err := Read(context.Background(), []string{"user", "n"}, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	require.Equal(t, None, res.Verdict)
	require.NotNil(t, res.Partial)
	require.Contains(t, res.Partial.Notation, "[user]['_")
	require.Contains(t, res.Partial.Notation, "[n:8")
	require.Len(t, res.Partial.Gaps, 1)
}

// What is shown without a layout can be declared, and is right in all rows; the places of the
// gaps are those of the rows.
func TestPartialIsProved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	for _, c := range []struct {
		name string
		rows int
		row  func(i int) (values []string, key string)
		want string
		gaps []Gap
	}{
		{"the hash of a part that the notation cannot say beside the whole", 3, func(i int) ([]string, string) {
			v := []string{"gr", "eshgx", "ourivp"}[i]
			return []string{v}, "\x0b\x0b\x07"[i:i+1] + v + strings.Repeat(" ", 10-len(v))
		}, `[unexplained1:bytes fixed(1)][a pad(10,' ')]`, []Gap{{Least: 1, Most: 1}}},
		{"a constant that one row of many does not have", 300, func(i int) ([]string, string) {
			v := "user" + strconv.Itoa(1000+i*7919)
			return []string{v}, map[bool]string{true: "w7:", false: "v1:"}[i == 250] + v + "_" + string(drawBytes(r, 8))
		}, `[unexplained1:bytes fixed(3)][a]['_'][unexplained2:bytes fixed(8)]`, []Gap{{Least: 3, Most: 3}, {From: 12, To: 15, Least: 8, Most: 8}}},
		{"a time that counts from another day", 12, func(i int) ([]string, string) {
			u := int64(13000000000) + r.Int64N(9999999999)
			at := 1684203630000 + r.Int64N(3600000)
			return []string{strconv.FormatInt(u, 10), strconv.FormatInt(at, 10)}, fmt.Sprintf("v1:%019d", math.MaxInt64-u)
		}, `['v1:92233'][h-since(1610-09-16T02:23:00Z)(b) width(3)][unexplained1:bytes fixed(11)]`, []Gap{{From: 11, To: 11, Least: 11, Most: 11}}},
		{"a part of a field that the key does not have", 3, func(i int) ([]string, string) {
			v := []string{"grabcdef", "eshgxfkl", "ourivpmn"}[i]
			return []string{v}, "\x0b\x0b\x07"[i:i+1] + v[:5]
		}, `[unexplained1:bytes fixed(1)][a_2=a left(5)][a notstored]`, []Gap{{Least: 1, Most: 1}}},
		{"values of which one is long where the other is short", 12, func(i int) ([]string, string) {
			a, b := letters(r, 2+i%3, "abcdefgh"), letters(r, 4-i%3, "ijklmnop")
			return []string{a, b}, a + b + string(drawBytes(r, 4))
		}, `[a loose][b loose][unexplained1:bytes fixed(4)]`, []Gap{{From: 6, To: 6, Least: 4, Most: 4}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows [][]string
			var keys [][]byte
			for i := range c.rows {
				values, key := c.row(i)
				rows, keys = append(rows, values), append(keys, []byte(key))
			}
			res, err := Read(context.Background(), []string{"a", "b"}[:len(rows[0])], rows, keys, Limits{Max: time.Minute})
			require.NoError(t, err)
			require.Nil(t, res.Layout)
			require.NotNil(t, res.Partial)
			_, err = rowkey.Parse("partial", res.Partial.Notation)
			require.NoError(t, err)
			for i := range c.gaps {
				c.gaps[i].Name = fmt.Sprintf("unexplained%d", i+1)
			}
			require.Equal(t, c.want, res.Partial.Notation)
			require.Equal(t, c.gaps, res.Partial.Gaps)
		})
	}
}

// A search that stops says so, with what was found; and a layout that there was no time to
// compare with others is unsure.
func TestStops(t *testing.T) {
	d, err := designOf("[user]['_'][secret:4]['_'][n:8]", "user:uname secret:num n:big")
	require.NoError(t, err)
	_, rows, keys := d.rows(50, rand.New(rand.NewPCG(1, 7)), usualRows)
	for i := range rows {
		rows[i] = []string{rows[i][0], rows[i][2]}
	}
	res, err := Read(context.Background(), []string{"user", "n"}, rows, keys, Limits{Max: 1})
	require.NoError(t, err)
	require.True(t, res.Stopped)
	require.Equal(t, None, res.Verdict)
	require.NotNil(t, res.Partial)
	require.Len(t, res.Partial.Gaps, 1)

	d, err = designOf("[salt16(user)][user]['_'][n:8]", "user:uname n:big")
	require.NoError(t, err)
	names, rows, keys := d.rows(50, rand.New(rand.NewPCG(1, 7)), usualRows)
	whole, err := Read(context.Background(), names, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	require.False(t, whole.Stopped)
	in := &inference{ctx: context.Background(), t: &table{columns: names, names: names, rows: rows, keys: keys}, end: time.Now().Add(time.Minute)}
	every := make([]int, len(rows))
	for i := range every {
		every[i] = i
	}
	f := in.solve(newSearch(in.ctx, in.end, in.t, every[:searchRows]), every)
	require.NotNil(t, f)
	in.end = time.Now().Add(-time.Second)
	r := &Result{}
	in.judge(r, f)
	require.Equal(t, whole.Layout.String(), r.Layout.String())
	require.Equal(t, Unsure, r.Verdict)
	require.Contains(t, r.Why, "there was no time to compare all layouts that fit")
}

func TestMisuse(t *testing.T) {
	row, key := [][]string{{"a"}}, [][]byte{{'a'}}
	for _, c := range []struct {
		columns []string
		rows    [][]string
		keys    [][]byte
		limits  Limits
		want    string
	}{
		{[]string{"a"}, row, nil, Limits{}, "infer: 1 rows and 0 keys: each row has its key"},
		{[]string{"a"}, nil, nil, Limits{}, "infer: no rows: give some, 50 say enough of most tables"},
		{nil, row, key, Limits{}, "infer: no columns: a layout is read out of values and their keys"},
		{[]string{"a", "b"}, row, key, Limits{}, "infer: row 1: 1 values for 2 columns"},
		{[]string{"a"}, row, [][]byte{{}}, Limits{}, "infer: row 1: the key has no byte: leave the row out"},
		{[]string{"a"}, row, key, Limits{Dirty: 1}, "infer: Limits.Dirty is a share of the rows from 0 to below 0.5: 0.01 is 1 %"},
		{[]string{"a"}, row, key, Limits{Max: -1}, "infer: Limits.Max is below 0: say how long to search, or 0 for 5 seconds"},
	} {
		_, err := Read(context.Background(), c.columns, c.rows, c.keys, c.limits)
		require.EqualError(t, err, c.want)
		var e *Error
		require.True(t, errors.As(err, &e))
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err := Read(ctx, []string{"a"}, row, key, Limits{})
	require.ErrorIs(t, err, context.Canceled)
}

// What a hash sees is what the library hashes: each meaning of a value, by the phrase that
// names it.
func TestMeanings(t *testing.T) {
	for col, values := range map[string][]string{"num": {"7", "300"}, "int": {"-7", "300"}, "iso": {"2023-05-16T02:20:30.123Z", "2024-01-01T00:00:00Z"}, "text": {"ab", "s-42"}, "hex": {"00ff", "abcd"}, "bool": {"true", "false"}, "float": {"1.5", "-2.25"}} {
		s := &search{columns: 1}
		s.readings = append(s.readings, readingsOf(0, values))
		p := newPool(1, len(values))
		for _, r := range s.readings[0] {
			p.meanings(r)
		}
		p.singles()
		require.NotEmpty(t, p.inputs, col)
		checked := 0
		for _, in := range p.inputs {
			for _, said := range in.phrases() {
				m := said.means[0]
				decl := fmt.Sprintf(m.decl, "v")
				text := bytes.ReplaceAll([]byte(said.text), []byte("%1"), []byte("v"))
				if m.as == asStored || bytes.HasPrefix(text, []byte("stored")) {
					continue // of a field that is stored, which the keys prove
				}
				schema := encoderOf("[md5.raw(16)(" + string(text) + ")]" + decl[:len(decl)-1] + " notstored]")
				require.NotNil(t, schema, "%s %s", text, decl)
				for i, v := range m.rd.vals {
					key, err := schema.AppendKey(nil, v)
					require.NoError(t, err)
					h := digest.Hash{Algorithm: digest.MD5}
					require.Equal(t, h.Append(nil, in.row(i)), key, "%s of %s: %q", text, decl, values[i])
					checked++
				}
			}
		}
		require.Greater(t, checked, 1, col)
	}
}

// A share of the rows is counted, not multiplied: 29 of 100 rows are no more than 0.29 of them.
func TestPart(t *testing.T) {
	for n := 1; n <= 300; n++ {
		for k := range n {
			require.Equal(t, k, part(float64(k)/float64(n), n), "%d of %d", k, n)
		}
	}
	require.Equal(t, 29, part(0.29, 100))
	require.Equal(t, 0, part(0.0099, 100))
}

// readOf reads a layout out of the keys of rows, each of a text and a value for each field.
func readOf(t *testing.T, notation string, columns []string, n int, row func() (texts []string, values []any)) *Result {
	t.Helper()
	s := rowkey.Must(rowkey.Parse("", notation))
	var rows [][]string
	var keys [][]byte
	for range n {
		texts, values := row()
		k, err := s.AppendKey(nil, values...)
		require.NoError(t, err)
		rows, keys = append(rows, texts), append(keys, k)
	}
	res, err := Read(context.Background(), columns, rows, keys, Limits{Max: time.Minute})
	require.NoError(t, err)
	require.NotNil(t, res.Layout)
	for _, o := range res.Rivals {
		k, err := res.Layout.Key(o.Row)
		require.NoError(t, err, "%v or %v: %q", res.Layout, o.Layout, o.Row)
		require.Equal(t, o.Key, k)
		k, err = o.Layout.Key(o.Row)
		require.NoError(t, err)
		require.Equal(t, o.Other, k)
	}
	return res
}

// Large numbers of varying length all have the same byte before them, which looks like a constant.
func TestVarintDescIsNoConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 61))
	res := readOf(t, `[a:8 varint desc][b fixed(2)]`, []string{"a", "b"}, 60, func() ([]string, []any) {
		a, b := r.Uint64()|1<<60, fmt.Sprintf("%c%c", 'a'+r.IntN(26), '0'+r.IntN(10))
		return []string{strconv.FormatUint(a, 10), b}, []any{a, b}
	})
	small, err := res.Layout.Key([]string{"57277987167089884", "u3"})
	require.True(t, res.Verdict < Sure || err == nil && string(small) == "\x01\x34\x81\xf9at\xcb#u3", "%v %v: %q %v", res.Verdict, res.Layout, small, err)
}

// The layout of a rival's question is the one that is given, also where its fields got the dialect of another field.
func TestRivalsAreOfTheLayoutGiven(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 62))
	readOf(t, `phoenix [salt2(a)][md5.hex(1)(a)][a:1][b:bool][c:bool][e:f4 desc]`, []string{"a", "b", "c", "e"}, 60, func() ([]string, []any) {
		a, b, c, e := r.Uint64N(128), r.IntN(2) == 0, r.IntN(2) == 0, float64(r.IntN(100000)-20000)/4
		return []string{strconv.FormatUint(a, 10), strconv.FormatBool(b), strconv.FormatBool(c), strconv.FormatFloat(e, 'f', -1, 64)}, []any{a, b, c, e}
	})
}

// A wide text that is filled up, and a column that is empty in some rows, take no longer than the search may.
func TestWideFillersAreInTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 63))
	for _, dirty := range []float64{0, 0.3} {
		var rows [][]string
		var keys [][]byte
		for range 60 {
			note := ""
			if r.IntN(4) == 0 {
				note = "n-" + strconv.Itoa(r.IntN(1000))
			}
			row := []string{"s-" + strconv.Itoa(r.IntN(100000)), note}
			rows, keys = append(rows, row), append(keys, fmt.Appendf(nil, "%-2000s#%x", row[0], r.Uint64()))
		}
		began := time.Now()
		_, err := Read(context.Background(), []string{"a", "note"}, rows, keys, Limits{Max: time.Second, Dirty: dirty})
		require.NoError(t, err)
		require.Less(t, time.Since(began), 30*time.Second)
	}
}
