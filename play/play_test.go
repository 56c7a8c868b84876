package play_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/play"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// design is an example of the page.
type design struct {
	name, chinese, notation string
	conds                   []string
}

// examples are the designs that the page offers.
func examples(t *testing.T) (out []design) {
	data, err := os.ReadFile("page/examples.js")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^  (\["[^"]+", .*\]),$`).FindAllSubmatch(data, -1) {
		var d []json.RawMessage
		require.NoError(t, json.Unmarshal(m[1], &d), "%s", m[1])
		var x design
		for i, to := range []any{&x.name, &x.chinese, &x.notation, &x.conds} {
			require.NoError(t, json.Unmarshal(d[i], to))
		}
		out = append(out, x)
	}
	return out
}

// The page offers the designs of examples/README.md, by their names and in their order.
func TestExamplesAreTheDesigns(t *testing.T) {
	data, err := os.ReadFile("../examples/README.md")
	require.NoError(t, err)
	all := examples(t)
	rows := regexp.MustCompile("(?m)^\\| (\\d+) \\| \\[([^\\]]+)\\]\\([^)]*\\) \\| [^|]* \\| `([^`]+)` ").FindAllStringSubmatch(string(data), -1)
	require.Len(t, rows, 24)
	require.Len(t, all, 24)
	for i, m := range rows {
		assert.Equal(t, m[2], all[i].name)
		assert.Equal(t, m[3], all[i].notation, m[2])
		v := lookAt(t, m[3], all[i].conds)
		assert.Equal(t, m[3], v.Notation)
		assert.Empty(t, v.Key.Error, m[3])
		assert.Empty(t, v.Questions[0].Error, "%s %v", m[3], all[i].conds)
	}
}

// call calls a method that must answer.
func call[T any](t *testing.T, method string, request any) (out T) {
	t.Helper()
	data, err := json.Marshal(request)
	require.NoError(t, err)
	answer := play.Call(method, data)
	require.NotRegexp(t, `^\{"error":`, string(answer))
	require.NoError(t, json.Unmarshal(answer, &out), "%s", answer)
	return out
}

type asked = map[string]any

const orders = "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"

// inferRows are rows of orders with their keys, as CSV.
func inferRows(t *testing.T) string {
	s := rowkey.Must(rowkey.Parse("orders", orders))
	var b strings.Builder
	b.WriteString("key,seller,at,order\n")
	for i := range 60 {
		seller, at, order := fmt.Sprintf("s-%d", i*i*31%1000), time.UnixMilli(1684203630000+int64(i)*7_654_321), uint64(i*i*977+3)
		key, err := s.Key().String(seller).Time(at).Uint(order).Bytes()
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s,%s,%s,%d\n", hex.EncodeToString(key), seller, at.UTC().Format(time.RFC3339Nano), order)
	}
	return b.String()
}

// csvRows are rows without keys.
func csvRows() string {
	var b strings.Builder
	b.WriteString("seller,at,order\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "s-%d,%s,%d\n", i%97, time.UnixMilli(1684203630000+int64(i)*1000).UTC().Format(time.RFC3339), i)
	}
	return b.String()
}

func TestLook(t *testing.T) {
	v := lookAt(t, orders, []string{"seller=s-42", "at:2026-11-11"}, []string{"at:2026-11-11"})
	assert.Equal(t, "0c732d34325f7ffffe5e360ea63f0000000000000412", v.Key.Hex)
	assert.Equal(t, 1, v.Questions[0].Count)
	assert.True(t, v.Questions[0].Exact)
	assert.Contains(t, v.Questions[1].Error, "seller")
	assert.NotContains(t, v.Questions[1].Error, "FullScan")
}

func TestExplain(t *testing.T) {
	type answer struct {
		Keys []struct {
			Form, Error string
			Values      map[string]string
		}
		Mends []struct{ Notation string }
	}
	a := call[answer](t, "explain", asked{"notation": strings.Replace(orders, "seller)", "seller) javahash", 1), "text": "0c732d34325f7ffffe77dda4124f0000000000000007\n"})
	require.Len(t, a.Keys, 1)
	assert.Contains(t, a.Keys[0].Error, "salt")
	require.NotEmpty(t, a.Mends)
	assert.Equal(t, orders, a.Mends[0].Notation)
	a = call[answer](t, "explain", asked{"notation": orders, "text": `\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07`})
	assert.Empty(t, a.Keys[0].Error)
	assert.Equal(t, "text", a.Keys[0].Form)
	assert.Equal(t, map[string]string{"seller": "s-42", "at": "2023-05-16T02:20:30Z", "order": "7"}, a.Keys[0].Values)
}

func TestInfer(t *testing.T) {
	type answer struct {
		Verdict, Notation string
		Rows              int
	}
	a := call[answer](t, "infer", asked{"text": inferRows(t)})
	assert.Equal(t, orders, a.Notation)
	assert.Equal(t, 60, a.Rows)
	assert.Contains(t, string(play.Call("infer", []byte(`{"text":"a,b\n1,2\n"}`))), "no column key")
}

func TestCompare(t *testing.T) {
	type answer struct {
		Verdict   string
		Questions []struct{ Question, Change string }
	}
	a := call[answer](t, "compare", asked{"from": "[ms(at)][order:8]", "to": orders, "questions": [][]string{{"at:2026-11-11"}}})
	assert.Equal(t, "bytes", a.Verdict)
	require.NotEmpty(t, a.Questions)
	assert.Equal(t, "at:2026-11-11", a.Questions[0].Question)
	assert.Equal(t, "loses", a.Questions[0].Change)
}

func TestTake(t *testing.T) {
	for as, want := range map[string]string{"notation": orders, "go": "rowkey.New(\"orders\")", "gengo": "package keys", "java": "class OrdersKey", "splits": "create 'orders', 'f', SPLITS", "scans": "STARTROW", "lindorm": "CREATE TABLE `orders`"} {
		a := call[struct{ Text, Why string }](t, "take", asked{"name": "orders", "notation": orders, "as": as, "questions": [][]string{{"seller=s-42"}}})
		assert.Contains(t, a.Text, want, as)
		assert.Empty(t, a.Why)
	}
	a := call[struct{ Text, Why string }](t, "take", asked{"name": "orders", "notation": "[seller]", "as": "splits"})
	assert.Contains(t, a.Why, "depend")
}

// A design's name may be no name of a variable.
func TestTakeInGoOfAnyName(t *testing.T) {
	for name, want := range map[string]string{"orders": "orders", "type": "typeKey", "go": "goKey", "rowkey": "rowkeyKey", "init": "initKey", "string": "stringKey", "print": "printKey", "uint64": "uint64Key", "time": "timeKey", "interop": "interopKey", "types": "types", "订单": "design"} {
		a := call[struct{ Text string }](t, "take", asked{"name": name, "notation": "[id:4]", "as": "go"})
		assert.True(t, strings.HasPrefix(a.Text, "var "+want+" = rowkey.New("), a.Text)
	}
}

// What is pasted into the wrong place is one long word. Compared with every other, these took seconds.
func TestLookAtALongWord(t *testing.T) {
	for _, long := range []string{strings.Repeat("0a", 3_900), strings.Repeat("-", 7_800), strings.Repeat("x", 3_900) + " " + strings.Repeat("x", 3_899)} {
		var v struct{ Problem struct{ Text string } }
		answer := play.Call("look", []byte(`{"notation":"`+long+`"}`))
		require.NoError(t, json.Unmarshal(answer, &v))
		assert.NotEmpty(t, v.Problem.Text)
	}
}

func TestSimulate(t *testing.T) {
	type answer struct {
		Rows    int64
		Designs []struct {
			Pattern string
			Takes   float64
			Lines   []any
			Cells   [][]float64
			Refused int64
			Cause   string
			Windows []string
		}
	}
	designs := []asked{{"name": "a", "notation": "[ms(at)][order:8]"}, {"name": "b", "notation": "[salt32(order)][order:8][max-ms(at)]"}}
	a := call[answer](t, "simulate", asked{"designs": designs, "count": 20000})
	assert.Equal(t, int64(20000), a.Rows)
	assert.Equal(t, "one moving hot region", a.Designs[0].Pattern)
	assert.Equal(t, "even", a.Designs[1].Pattern)
	for _, d := range a.Designs {
		assert.Zero(t, d.Refused)
		assert.Len(t, d.Cells, len(d.Lines))
		for _, line := range d.Cells {
			assert.Len(t, line, len(d.Windows))
		}
	}
	a = call[answer](t, "simulate", asked{"designs": designs[:1], "csv": csvRows()})
	assert.Equal(t, int64(5000), a.Rows)
	a = call[answer](t, "simulate", asked{"designs": designs[:1], "csv": csvRows() + "s-1,2023-05-16T04:00:00Z,seven\n"})
	assert.Equal(t, int64(1), a.Designs[0].Refused)
	assert.Contains(t, a.Designs[0].Cause, "order: expected a whole number")
	assert.Contains(t, string(play.Call("simulate", []byte(`{"designs":[{"notation":"[seller]['_'][order:8]"}],"csv":"a,b\n1,2\n"}`))), "no column seller")
}

// What is asked too much, or wrongly, is refused in words.
func TestRefused(t *testing.T) {
	for request, want := range map[string]string{
		"look {": "is not the JSON",
		"look " + `{"notation":"` + strings.Repeat("x", 9000) + `"}`:     "at most 8192",
		"look " + `{"values":{"a":"` + strings.Repeat("x", 5000) + `"}}`: "at most 4096",
		"look " + strings.Repeat(" ", 300<<10):                           "and look takes",
		"look " + `{"notation":"[a]","regions":5000}`:                    "at most 4096",
		"open {}":                               "no method",
		"simulate {}":                           "expected 1 to 3 designs",
		"take " + `{"notation":"[a","as":"go"}`: "expected",
		"take " + `{"notation":"[a]","as":"cobol"}`:                                    "not \\\"cobol\\\"",
		"explain " + `{"notation":"[a]","text":"` + strings.Repeat("x", 70_000) + `"}`: "at most 65536",
	} {
		method, body, _ := strings.Cut(request, " ")
		answer := string(play.Call(method, []byte(body)))
		assert.Contains(t, answer, want, "%.60s", request)
		assert.True(t, strings.HasPrefix(answer, `{"error":`), answer)
	}
}

// Links that were made open in every later version: their lines stay, and new ones may be added.
func TestLinks(t *testing.T) {
	data, err := os.ReadFile("testdata/links.txt")
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		fragment, want, ok := strings.Cut(strings.TrimSpace(line), " ")
		require.True(t, ok, line)
		s, err := play.OfLink("https://example.com/play/" + fragment)
		require.NoError(t, err, line)
		got, err := json.Marshal(s)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got))
		again, err := play.Link(s)
		require.NoError(t, err)
		back, err := play.OfLink(again)
		require.NoError(t, err)
		assert.Equal(t, s, back)
		n++
	}
	assert.GreaterOrEqual(t, n, 4)
	for link, want := range map[string]string{"": "no #", "x#2abc": "another version", "x#1AAAA": "cut off", "x#1": "cut off", "x#1%": "cut off", "#1" + strings.Repeat("A", 70_000): "more than 65536"} {
		_, err := play.OfLink(link)
		assert.ErrorContains(t, err, want, "%.20s", link)
	}
}

// No JSON and no link makes the functions panic.
func FuzzCall(f *testing.F) {
	for _, m := range play.Methods() {
		f.Add(m, `{"name":"a","notation":"[salt16(a)][a]['_'][ms(at)]","from":"[a]","to":"[b]","text":"0c61","as":"go","values":{"a":"x"},"questions":[["a=x"]],"rows":{"a":"zipf(1.1, 10)"}}`)
	}
	f.Add("look", `{"notation":"md5(uid)+uid","answers":["?"]}`)
	f.Add("explain", `{"notation":"[a:1]","text":"\u0000"}`)
	f.Fuzz(func(t *testing.T, method, request string) {
		if method == "infer" || method == "simulate" { // these take long; their parts have fuzz tests
			method = "look"
		}
		answer := string(play.Call(method, []byte(request)))
		if !json.Valid([]byte(answer)) || strings.Contains(answer, "a fault in rowkey") {
			t.Fatal(answer)
		}
		if strings.ContainsAny(answer, "<>") {
			t.Fatalf("markup in JSON that may stand in a page: %s", answer)
		}
	})
}

func FuzzLink(f *testing.F) {
	f.Add("#1q1YqULJSUg")
	f.Add("#")
	f.Fuzz(func(t *testing.T, link string) {
		s, err := play.OfLink(link)
		if err == nil && len(s.Designs) == 0 {
			t.Fatal("a page without a design")
		}
	})
}
