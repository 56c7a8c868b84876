package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onTerminal is what a terminal of so many columns shows.
func onTerminal(columns int, stdin string, args ...string) string {
	var out bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &out, outTerminal: true, plain: true, columns: columns}
	a.run(args)
	return out.String()
}

// No line of a table is wider than the terminal, and nothing of it is lost.
func TestGridFits(t *testing.T) {
	r := seed.Rand(t)
	words := []string{"a", "bucket", "12", "of", "[max-ms(at)]", "[salt16(seller)]", "[md5.hexat(8,16)(values(app,uid))]", "2023-05-16T02:20:30Z", "0c732d34325f7ffffe77dda4124f0000000000000007",
		"用户ID", "订单号订单号订单号订单号订单号订单号", "", "18446744073709551615", "\"s-42\"", "ffff"}
	runes := func(s string) []rune {
		all := []rune(strings.Join(strings.Fields(s), ""))
		slices.Sort(all)
		return all
	}
	side, stack := 0, 0
	for range 5000 {
		var rows [][]string
		columns, whole := 2+r.IntN(4), ""
		for range 1 + r.IntN(4) {
			var cells []string
			for range columns {
				var cell []string
				for range r.IntN(4) {
					cell = append(cell, words[r.IntN(len(words))])
				}
				cells = append(cells, strings.Join(cell, " "))
			}
			rows = append(rows, cells)
			whole += strings.Join(cells, "")
		}
		limit := 20 + r.IntN(100)
		a := &app{outTerminal: true, plain: true, columns: limit, stdout: &bytes.Buffer{}}
		got := a.grid(nil, rows)
		for line := range strings.Lines(got) {
			require.LessOrEqual(t, text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")), limit, "%d columns:\n%s%q", limit, got, rows)
		}
		require.Equal(t, string(runes(whole)), string(runes(got)), "%d columns:\n%s%q", limit, got, rows)
		if _, ok := columnWidths(nil, rows, limit); ok {
			side++
		} else {
			stack++
		}
		heading := make([]string, columns)
		for i := range heading {
			heading[i] = words[1+r.IntN(3)]
		}
		for line := range strings.Lines(a.grid(heading, rows)) {
			require.LessOrEqual(t, text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")), limit)
		}
	}
	assert.Greater(t, side, 500)
	assert.Greater(t, stack, 500)
}

// A key on terminals of 40 columns to 120.
func TestExplainWidths(t *testing.T) {
	const key = "0c732d34325f7ffffe77dda4124f0000000000000007"
	for columns, want := range map[int]string{
		40: `0   0c
    [salt16(seller)]
    bucket 12 of 16
1   732d3432
    [seller]
    "s-42"
5   5f
    ['_']
6   7ffffe77dda4124f
    [max-ms(at)]
    2023-05-16T02:20:30Z
14  0000000000000007
    [order:8]
    7
`,
		60: `0   0c                [salt16(seller)]  bucket 12 of 16
1   732d3432          [seller]          "s-42"
5   5f                ['_']
6   7ffffe77dda4124f  [max-ms(at)]      2023-05-16T02:20:30Z
14  0000000000000007  [order:8]         7
`,
	} {
		_, table, _ := strings.Cut(onTerminal(columns, "", "explain", "-s", trades, key), "\n")
		assert.Equal(t, want, table, "%d columns", columns)
	}

	// Many bytes: as many on a line as there is room for.
	long := strings.Repeat("61", 60)
	_, table, _ := strings.Cut(onTerminal(200, "", "explain", "-s", "[id]", long), "\n")
	assert.Equal(t, "0  "+long, strings.Split(table, "  [")[0])
	_, table, _ = strings.Cut(onTerminal(90, "", "explain", "-s", "[id]", long), "\n")
	assert.NotContains(t, table, long)
	assert.Contains(t, strings.Join(strings.Fields(table), ""), "[id]")

	// What is no terminal has lines of one width.
	out, _, _ := call("", "explain", "-s", "[id:bytes]", long)
	assert.Contains(t, out, "0  "+long[:40]+"  [id:bytes]  "+long+"\n   "+long[:40]+"\n   "+long[:40]+"\n")
}

// Other tables on a terminal that is too narrow for them.
func TestNarrowTables(t *testing.T) {
	const key = "0c732d34325f7ffffe77dda4124f0000000000000007\n"
	assert.Equal(t, `seller  s-42
at      2023-05-16T02:20:30Z
order   7

seller  s-42
at      2023-05-16T02:20:30Z
order   7
`, onTerminal(30, key+key, "decode", "-s", trades, "-o", "table"))
	for _, args := range [][]string{
		{"splits", "-s", trades, "16"}, {"schema", "-s", trades}, {"draft", "[md5(userid).subStr(0,4)][userid][orderid]"}, {"check", "-s", trades},
		{"locate", "-s", trades, "--regions", "4"}, {"bench", "-s", "[id]", "--time", "1ms"},
	} {
		stdin := key
		out := onTerminal(40, stdin, args...)
		over := 0
		for line := range strings.Lines(out) {
			if text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")) > 40 {
				over++
			}
		}
		assert.LessOrEqual(t, over, 9, "sentences go on as the terminal does it, tables do not:\n%s", out)
	}
}
