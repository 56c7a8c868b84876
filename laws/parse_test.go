package laws

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/interop"
)

const notationPage = "docs/notation.md"

// notationRows are the rows of the page's tables that have an example: what
// they are about, the Go, and a notation with a sample.
func notationRows(t *testing.T) (rows [][3]string) {
	t.Helper()
	page, err := readFile(notationPage)
	require.NoError(t, err)
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || !strings.HasSuffix(cells[2], "` |") {
			continue
		}
		var row [3]string
		for i, cell := range cells {
			row[i] = strings.Trim(cell, "|` ")
		}
		rows = append(rows, row)
	}
	return rows
}

// Every example of the page is a schema, the one that its Go declares, and its
// sample is a key of it.
func TestNotationPage(t *testing.T) {
	rows := notationRows(t)
	assert.Greater(t, len(rows), 60)
	for _, row := range rows {
		t.Run(row[0], func(t *testing.T) {
			parsed, err := rowkey.Parse("t", row[2])
			require.NoError(t, err)
			text, hasSample, _ := strings.Cut(row[2], " sample(")
			assert.NotEmpty(t, hasSample, "no sample")
			assert.Contains(t, text, strings.Trim(row[0], "`"))

			call := row[1]
			if !strings.HasPrefix(call, "New(") {
				call = `New("t").` + call
			}
			ref, err := goldenSchema(call)
			require.NoError(t, err)
			built, err := ref.build()
			require.NoError(t, err)
			assert.Empty(t, notationDiffers(built, parsed))
		})
	}
}

// The Go of each row is Go: it compiles, and declares what its example says.
func TestNotationPageCompiles(t *testing.T) {
	long(t)
	t.Parallel()
	var program strings.Builder
	program.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t. \"github.com/hbase-rowkey/rowkey\"\n\t\"github.com/hbase-rowkey/rowkey/interop\"\n)\n\nvar _ = time.UTC\n\nfunc main() {\n")
	var want strings.Builder
	for _, row := range notationRows(t) {
		call := row[1]
		if !strings.HasPrefix(call, "New(") {
			call = `New("t").` + call
		}
		fmt.Fprintf(&program, "\tfmt.Println(%s.MustBuild())\n", call)
		parsed, err := rowkey.Parse("t", row[2])
		require.NoError(t, err)
		fmt.Fprintln(&want, parsed)
	}
	program.WriteString("}\n")
	assert.Equal(t, want.String(), readmeRun(t, program.String()))
}

// The page has a row for every option of the package, and for each word of the
// notation that is none.
func TestNotationPageComplete(t *testing.T) {
	have := map[string]bool{}
	for _, row := range notationRows(t) {
		have[row[0]] = true
	}
	page, err := readFile(notationPage)
	require.NoError(t, err)
	assert.Contains(t, string(page), "`via(\"name\")`")
	const begin, end = "<!-- generated: UPDATE_DOCS=1 go test -run TestNotationPageComplete ./laws -->\n\n", "\n<!-- end of generated -->"
	table := "| option | fits | what it does |\n|---|---|---|\n"
	for _, o := range notation.Options {
		if !o.GoOnly { // what no notation can say stands below the tables
			assert.True(t, have[string(o.Word)], "%s has no row for %s", notationPage, o.Word)
		}
		table += meaningRow(o) + "\n"
	}
	generatedBetween(t, notationPage, begin, end, table)
	for flag := range refFlags {
		assert.True(t, have[strings.ToLower(flag)], "%s has no row for %s", notationPage, flag)
	}
	for _, word := range strings.Fields("ns us ms s min h d ms-since layout values stored text format minmax rest raw hex hexat upper -seed") {
		assert.True(t, have[word], "%s has no row for %s", notationPage, word)
	}
}

// meaningRow is the row of the page's table of meanings.
func meaningRow(o notation.Info) string {
	kinds := []string{"String", "Binary", "Uint", "Int", "Float", "Bool", "Time", "Copy", "Salt", "Hash", "New"}
	var fits []string
	for i, kind := range kinds {
		if o.Fits&(1<<i) != 0 {
			fits = append(fits, kind)
		}
	}
	args := [...]string{
		notation.OneNumber: "(n)", notation.TwoNumbers: "(n,m)", notation.NumberByte: "(n,'b')", notation.OneText: `("text")`, notation.OneName: "(name)",
		notation.ADuration: "(1h0m0s)", notation.ABound: "(n)", notation.ManyTexts: `("a","b")`, notation.ManyPairs: `("a":"b")`,
	}
	return fmt.Sprintf("| `%s%s` | %s | %s |", o.Word, args[o.Args], strings.Join(fits, ", "), strings.ReplaceAll(o.Meaning, "|", `\|`))
}

// The page's longer examples are schemas too.
func TestNotationPageBlocks(t *testing.T) {
	page, err := readFile(notationPage)
	require.NoError(t, err)
	blocks := 0
	for _, part := range strings.Split(string(page), "```text\n")[1:] {
		text, _, _ := strings.Cut(part, "```")
		s, err := rowkey.Parse("trades", text)
		require.NoError(t, err)
		assert.Equal(t, trades.Fingerprint(), s.Fingerprint())
		assert.Equal(t, trades.String(), strings.TrimPrefix(s.String(), "maxlen(2048) "))
		blocks++
	}
	assert.Equal(t, 2, blocks)
}

// The error and the questions that the page shows are those.
func TestNotationPageShows(t *testing.T) {
	page, err := readFile(notationPage)
	require.NoError(t, err)
	block := func(heading string) string {
		_, text, ok := strings.Cut(string(page), "\n## "+heading+"\n")
		require.True(t, ok)
		_, text, _ = strings.Cut(text, "\n```\n")
		text, _, _ = strings.Cut(text, "```")
		return text
	}
	_, err = rowkey.Parse("trades", "[salt16(seller)]\n[seller]['_']\n[ms(at) dsc][order:8]")
	assert.EqualError(t, err, strings.TrimSuffix(block("Errors"), "\n"))

	d, err := draft.Read("[md5(userid).subStr(0,4)][userid:8][orderid:8]")
	require.NoError(t, err)
	assert.Contains(t, string(page), "it makes `"+d.Notation+"`")
	var b strings.Builder
	for _, q := range d.Open {
		fmt.Fprintln(&b, q.What)
		for _, c := range q.Choices {
			fmt.Fprintf(&b, "  %-17s%s; %s\n", c.Notation, c.Meaning, c.Price)
		}
	}
	assert.Equal(t, b.String(), block("Designs"))

	designs := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "|\n "), `\|`, "\x00"), "|")
		if len(cells) != 2 || !strings.Contains(cells[1], "?") {
			continue
		}
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.Trim(cells[i], "` "), "\x00", "|")
		}
		d, err := draft.Read(cells[0])
		if assert.NoError(t, err) {
			assert.Equal(t, cells[1], d.Notation)
		}
		designs++
	}
	assert.Equal(t, 8, designs)
}

func TestParseForms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[ a ]", "[a]"},
		{"[a]# the end", "[a]"},
		{"\r\n[a\t]\n", "[a]"},
		{"[ ms ( a ) desc ]", "[max-ms(a)]"},
		{"[ms(a) below(100) desc]", "[ms(a) below(100) desc]"},
		{"hbase maxlen(32767) [a:i4][b:f4][c:bool][d:4][e=a]", "[a:i4 hbase][b:f4 hbase][c:bool hbase][d:4][e=a hbase]"},
		{"maxlen(100)[a]", "maxlen(100) [a]"},
		{`["\x76\061\t"][a]`, `["v1\x09"][a]`},
		{`["\""][a]`, `["\x22"][a]`},
		{`[a]['\'"']`, `[a]['\x27"']`},
		{`[a]['é']`, `[a]['\xc3\xa9']`},
		{`[a pad(3,"x")]`, `[a pad(3,'x')]`},
		{`[a oneof('b', 'a')]`, `[a oneof("b","a")]`},
		{`[a codes('b':'1','a':'2')]`, `[a codes("a":"2","b":"1")]`},
		{"[d-since(2023-05-16T00:00:00+08:00)(a)]", "[d-since(2023-05-15T16:00:00Z)(a)]"},
		{"[ms-since(@253402300800.000000001)(a)]", "[ms-since(@253402300800.000000001)(a)]"},
		{"[ms-since(@0.000000000)(a)]", "[ms-since(1970-01-01T00:00:00Z)(a)]"},
		{`[layout("2006-01-02",Asia/Shanghai)(a) years(2000,2100)]`, `[layout("2006-01-02",+08:00)(a) years(2000,2100)]`},
		{`[layout("2006",+00:00)(a)]`, `[layout("2006",UTC)(a)]`},
		{`[layout("2006",-08:05:43)(a)]`, `[layout("2006",-08:05:43)(a)]`},
		{`[layout("2006",+48:00)(a)]`, `[layout("2006",+48:00)(a)]`},
		{`[layout("2006",-48:00)(a)]`, `[layout("2006",-48:00)(a)]`},
		{"[s(a) truncate(90m)]", "[s(a) truncate(1h30m0s)]"},
		{"[salt007(a)][a]", "[salt7(a)][a]"},
		{"[md5 . hex]", ""},
		{"[md5.hex(4) .upper (a)][a]", "[md5.hex(4).upper(a)][a]"},
		{`[md5.hex(4)(format('k=%s', a))][a]`, `[md5.hex(4)(format("k=%s",a))][a]`},
		// Words of the notation are names where names are expected.
		{"[md5.hex]['_'][salt16:2][desc=max-ms desc]['_'][max-ms]['_'][ms:4][bytes:bool][values]", "[md5.hex]['_'][salt16:2][desc=max-ms desc]['_'][max-ms]['_'][ms:4][bytes:bool][values]"},
		{"[salt2(values)][md5.raw(1)(values(values))][values]", "[salt2(values)][md5.raw(1)(values(values))][values]"},
		{"[淘宝:4]", "[淘宝:4]"},
	} {
		s, err := rowkey.Parse("t", c.text)
		if c.want == "" {
			assert.ErrorIs(t, err, rowkey.ErrSchema, c.text)
			continue
		}
		if assert.NoError(t, err, c.text) {
			assert.Equal(t, c.want, s.String())
		}
	}
	// What a Go declaration writes otherwise than the functions do.
	for _, s := range []*rowkey.Schema{
		rowkey.New("t").Hash(rowkey.MD5.Hex(2), "format(`%s`,a)").String("a").MustBuild(),
		rowkey.New("t").Hash(rowkey.MD5.Hex(2), `format("%s"a)`).String("a").MustBuild(),
		rowkey.New("t").Hash(rowkey.MD5.Hex(2), `format("\xff]%s",a)`).String("a").MustBuild(),
		rowkey.New("t", interop.HBase).Int("a", 4, interop.HBase, rowkey.Desc).MustBuild(),
		rowkey.New("t").Float("a", 8, rowkey.Desc, interop.HBase).MustBuild(),
		rowkey.New("t").Time("a", rowkey.Days.Since(time.Unix(1<<40, 999_999_999))).MustBuild(),
		rowkey.New("t").Time("a", rowkey.Days.Since(time.Unix(-1<<40, 1))).MustBuild(),
		rowkey.New("t").Time("a", rowkey.Layout("2006", time.FixedZone("", 40*3600+59))).MustBuild(),
		rowkey.New("t").Time("a", rowkey.Nanos, rowkey.Truncate(1234567891)).MustBuild(),
		rowkey.New("t").Uint("a", 8, rowkey.Below(1<<64-1)).MustBuild(),
		rowkey.New("t").String("a", rowkey.OneOf("", "a]", "\"", "'", "#", "\\", "\xff", "é", "\n")).MustBuild(),
	} {
		parsed, err := rowkey.Parse("t", s.String())
		if assert.NoError(t, err, s) {
			assert.Empty(t, notationDiffers(s, parsed))
		}
	}
}

// Where an error is, and what its first line says.
func TestParseErrors(t *testing.T) {
	const end = ": schema cannot be built"
	for _, c := range []struct{ text, at, want string }{
		// at is the notation from the spot on; "-" where there is none.
		{"", "", "expected '[', which begins a component, or maxlen or a dialect (hbase, orderedbytes, phoenix) before the first"},
		{"  # [a]", "", "expected '[', which begins a component"},
		{"seller_ts", "seller_ts", "expected '['"},
		{"hbas [a]", "hbas [a]", "; perhaps hbase"},
		{"hbase hbase [a]", "hbase [a]", "hbase stands twice"},
		{"maxlen(1) maxlen(2) [a]", "maxlen(2) [a]", "maxlen stands twice"},
		{"maxlen(0)[a]", "maxlen(0)[a]", "maxlen(0) allows no key"},
		{"maxlen(32768)[a]", "32768)[a]", "expected the longest key in bytes, a number up to 32767"},
		{"maxlen[a]", "[a]", "expected '('"},
		{"[a]]", "]", `expected '[', which begins a component, or sample("key", value, …) at the end`},
		{"[", "", "expected a field's name"},
		{"[]", "]", "expected a field's name"},
		{"[a", "", "expected ']' or an option"},
		{"[a dsc]", "dsc]", "expected ']' or an option; perhaps desc"},
		{"[a frobnicate]", "frobnicate]", "expected ']' or an option: below, blobcopy, bucket, chars"},
		{"[a?]", "?]", "? is undecided: expected ']' or an option"},
		{"[?(ts)]", "?(ts)]", "? is undecided: expected a field's name"},
		{"[a:]", "]", "expected the size in bytes, such as 8"},
		{"[a:x8]", "x8]", "expected the size in bytes"},
		{"[a:i]", "i]", "expected the size in bytes"},
		{"[a:-1]", "-1]", "expected the size in bytes"},
		{"[a:99999999999999999999]", "99999999999999999999]", "expected the size in bytes"},
		{"[a=]", "]", "expected the name of a field"},
		{"[md5(a)][a]", "md5(a)][a]", "; perhaps md5.hex"},
		{"[mss(a)]", "mss(a)]", "; perhaps ms"},
		{"[salt(a)][a]", "salt(a)][a]", "expected the number of buckets after salt"},
		{"[salt99999999999(a)][a]", "salt99999999999(a)][a]", "expected the number of buckets after salt"},
		{"[salt4(value(a))][a]", "value(a))][a]", "; perhaps values"},
		{"[salt4()][a]", ")][a]", "expected the name of a field"},
		{"[salt4(a][a]", "][a]", "expected ')'"},
		{"[md5.hex(4][a]", "][a]", "expected ')'"},
		{"[md5.hex(-4)(a)][a]", "-4)(a)][a]", "expected how much of the digest is taken, a number up to 2147483647"},
		{"[md5.hexat(4)(a)][a]", ")(a)][a]", "expected ','"},
		{`[layout(20060102,UTC)(a)]`, "20060102,UTC)(a)]", "expected a layout such as \"20060102\" in quotes"},
		{`[layout("2006",Local)(a)]`, "Local)(a)]", "expected UTC, an offset such as +08:00, or a zone's name such as Asia/Shanghai"},
		{`[layout("2006",)(a)]`, ")(a)]", "expected UTC"},
		{`[layout("2006",+8)(a)]`, "+8)(a)]", "expected UTC"},
		{`[layout("2006",+08:60)(a)]`, "+08:60)(a)]", "expected UTC"},
		{`[layout("2006",+99999999:00)(a)]`, "+99999999:00)(a)]", "expected UTC"},
		{`[layout("2006",+49:00)(a)]`, `layout("2006",+49:00)(a)]`, "zone +49:00 is farther from UTC than any"},
		{`[layout("2006",+48:01)(a)]`, `layout("2006",+48:01)(a)]`, "zone +48:01 is farther from UTC than any"},
		{`[layout("2006",-48:01)(a)]`, `layout("2006",-48:01)(a)]`, "zone -48:01 is farther from UTC than any"},
		{`[layout("2006",../../etc/passwd)(a)]`, "../../etc/passwd)(a)]", "that this machine knows"},
		{"[ms-since(yesterday)(a)]", "yesterday)(a)]", "expected an instant such as"},
		{"[ms-since(@1)(a)]", "@1)(a)]", "expected @ with seconds"},
		{"[a]['']", "'']", "expected at least one byte between the quotes"},
		{"[a]['_", "'_", "this quote has no end on its line"},
		{"[a]['\n']", "'\n']", "line 1: this quote has no end on its line"},
		{`[a]['\q']`, `\q']`, `expected an escape such as \x00`},
		{`[a]['\x0']`, `\x0']`, `expected an escape such as \x00`},
		{`[a]['_' desc]`, "desc]", "expected ']'"},
		{"[a pad(3,'xx')]", "'xx')]", "expected one byte that fills, not 2"},
		{"[a pad(3)]", ")]", "expected ','"},
		{"[a fixed]", "]", "expected '('"},
		{"[a fixed(3]", "]", "expected ')'"},
		{"[a oneof(a)]", "a)]", "expected a value in quotes"},
		{`[a oneof("a" "b")]`, `"b")]`, "expected ',' or ')'"},
		{`[a codes("a","b")]`, `,"b")]`, "expected ':'"},
		{`[a codes("a":"1","a":"2")]`, `"a":"2")]`, `the value "a" stands twice`},
		{"[a:8 below(18446744073709551616)]", "18446744073709551616)]", "expected a bound, a number up to 18446744073709551615"},
		{"[s(a) truncate(1d)]", "1d)]", "expected a duration such as 1h or 5m0s"},
		{"[a]\n\t[b:8]\n[c dcs]", "dcs]", "line 3: expected ']' or an option; perhaps desc"},
		{"[a\xff]", "\xff]", "expected UTF-8"},

		{`[a] sampel("a","a")`, `sampel("a","a")`, "expected '['"},
		{`[a] sample("a")`, `)`, "expected ','"},
		{`[a] sample("a","a","b")`, `,"b")`, "expected ')'"},
		{`[a:8] sample("a",-1)`, `-1)`, "expected a uint"},
		{`[a:bool] sample("a",yes)`, `yes)`, "expected true or false"},
		{`[ms(a)] sample("a",2023-05-16)`, `2023-05-16)`, "expected an instant such as"},
		{`[a:1] sample("\x01",2)`, `sample("\x01",2)`, `sample: at byte 0, in a: the layout writes \x02, not \x01`},
		{`[a:1] sample("\x01",256)`, `sample("\x01",256)`, "sample: its values do not encode"},

		// What Build says, at the component or at the option.
		{"[a][b]", "a][b]", "has no end before the next component, b"},
		{"[a:9]", "a:9]", "size is in bytes, 1 to 8, not 9"},
		{"[a:8][b:8][a:4]", "a:4]", "the name stands twice"},
		{"[a:4 digits(3) desc width(4)]", "width(4)]", "Width and digits both say how wide"},
		{"[a:bool desc]", "desc]", "option desc does not fit a bool"},
		{"[a:4 digits(7) reverse reverse digits(7)]", "digits(7)]", "option digits stands twice"},
		{"[max-ms(a) desc]", "desc]", "option desc stands twice"},
		{"[salt4(a,b)][a]", ",b)][a]", "expected ')'"},
		{"[salt4(values(a,b))][a]", "b))][a]", `input "b" is no field`},
		{"[salt4(a) named(x)][salt4(a) named(x)][a]", "named(x)][a]", "the name stands twice"},
		{"[salt4(a)][salt300(a)][a]", "salt300(a)][a]", "300 buckets do not fit one byte"},
		{"[md5.hex(33)(a)][a]", "md5.hex(33)(a)][a]", "is not within the digest's 32"},
		{"[md5.hex(3)(a) named(b) named(c)][a]", "named(c)][a]", "option named stands twice"},
		{"[b=c][a]", "c][a]", `Copy of "c": no such field`},
		{`[layout("20060102",Asia/Shanghai)(a)]`, `layout("20060102",Asia/Shanghai)(a)]`, "zone Asia/Shanghai changes its offset"},
		{"['a']", "-", "a schema without a field has one key only"},
		{"maxlen(2) [a:4]", "-", "the shortest key has 4 bytes, and MaxLen is 2"},
	} {
		_, err := rowkey.Parse("t", c.text)
		var e *rowkey.Error
		if !assert.ErrorAs(t, err, &e, c.text) || !assert.ErrorIs(t, err, rowkey.ErrSchema) {
			continue
		}
		assert.Equal(t, "t", e.Schema)
		assert.True(t, strings.HasSuffix(e.Err.Error(), end) && !strings.Contains(e.Err.Error(), "\n"), "%q", e.Err)
		assert.Contains(t, strings.TrimSuffix(e.Err.Error(), end), c.want, c.text)
		first, shown, _ := strings.Cut(err.Error(), "\n")
		assert.Contains(t, first, e.Err.Error())
		if c.at == "-" {
			assert.Equal(t, -1, e.Offset, c.text)
			assert.Empty(t, shown)
			continue
		}
		assert.Equal(t, len(c.text)-len(c.at), e.Offset, "%s: %v", c.text, err)
	}
}

// The line and the spot, as they are printed.
func TestParseErrorShown(t *testing.T) {
	long := strings.Repeat("[field-of-some-length:8]", 9)
	for _, c := range []struct{ text, want string }{
		{"[a dsc][b]", "" +
			"\t[a dsc][b]\n" +
			"\t   ^"},
		{"# orders\n\n\t[a:4]  \n\t[b:x]  \r\n[c]", "" +
			"\t\t[b:x]\n" +
			"\t\t   ^"},
		{"[a]['\x1b[31m", "" +
			"\t[a]['�[31m\n" +
			"\t    ^"},
		{"[淘宝 dsc]", "" +
			"\t[淘宝 dsc]\n" +
			"\t      ^"},
		{"[a:4][b", "" +
			"\t[a:4][b\n" +
			"\t       ^"},
		{long + "[x:y]" + long, "" +
			"\t… length:8][field-of-some-length:8][field-of-some-length:8][x:y][field-of-some-length:8][field-of-some …\n" +
			"\t" + strings.Repeat(" ", 62) + "^"},
	} {
		_, err := rowkey.Parse("t", c.text)
		require.Error(t, err)
		_, shown, _ := strings.Cut(err.Error(), "\n")
		if !assert.Equal(t, c.want, shown) {
			t.Log(err)
		}
	}
}

func TestMust(t *testing.T) {
	assert.Equal(t, "t", rowkey.Must(rowkey.Parse("t", "[a]")).Name())
	assert.Panics(t, func() { rowkey.Must(rowkey.Parse("t", "[a")) })
}

// Whatever the text: a schema that prints what it was made of, or a typed error
// with its place.
func FuzzParse(f *testing.F) {
	for _, row := range []string{
		"", "[a]", "[a", "[a]['_", "# x", "hbase maxlen(99) [a:i4]", "[a?]", "[layout(\"2006\",+99:99:99)(a)]",
		"[salt16(seller)][seller]['_'][max-ms(at)][order:8]", "[a:18446744073709551616]", "[s-since(@-9223372036854775808.999999999)(a)]",
		"[md5.hexat(2147483647,2147483647)(a)][a]", "[salt2147483647(a) width(4)][a]", "[[[[[[", "[a pad(32767,'\\x00')]",
		"[md5.hex(2)(format(\"%0999d\",a))][a:8]", "[a codes('a':'b','b':'a')]", "[a] sample('a','a') sample('b','b')",
	} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := rowkey.Parse("t", text)
		if err != nil {
			var e *rowkey.Error
			if !errors.As(err, &e) || !errors.Is(err, rowkey.ErrSchema) || e.Schema != "t" || e.Offset < -1 || e.Offset > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := rowkey.Parse("t", s.String())
		if err != nil {
			t.Fatalf("%q is %s: %v", text, s, err)
		}
		if problem := notationDiffers(s, again); problem != "" {
			t.Fatalf("%q: %s", text, problem)
		}
	})
}

// TestInputSpaces: an Input may hold space between its words, and is printed without.
func TestInputSpaces(t *testing.T) {
	for in, want := range map[string]string{
		"values(a, b)":              "values(a,b)",
		"values( a ,b )":            "values(a,b)",
		"minmax(a,\tb)":             "minmax(a,b)",
		`format( "%s %s" , a , b )`: `format("%s %s",a,b)`,
		"rest( )":                   "rest()",
	} {
		s, err := rowkey.New("t").Salt(16, in).String("a").Separator("_").String("b").Build()
		if assert.NoError(t, err, in) {
			assert.Equal(t, "[salt16("+want+")][a]['_'][b]", s.String())
		}
	}
	for _, in := range []string{"values()", "values( )", "values(a,)", "values(a b)", "values(a,b", "a,b", "rest(a)", "format(a)", "format()", `format("%s")`} {
		_, err := rowkey.New("t").Salt(16, in).String("a").Separator("_").String("b").Build()
		assert.ErrorIs(t, err, rowkey.ErrSchema, in)
	}
}
