package gen

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// samples has a layout for each word of the notation, and for what else a layout may say. Its
// first column is that of docs/gen.md.
var samples = []struct {
	what, layout string
	words        string // the words of the notation that it shows
}{
	{"text with a separator", `[a]['_'][b:4]`, ""},
	{"`fixed`, `pad`, `padleft`", `[a fixed(3)][b pad(4,' ')][c padleft(4,'0')]`, "fixed pad padleft"},
	{"`escaped`, `lenprefix`", `[a escaped][b lenprefix(2)]`, "escaped lenprefix"},
	{"`desc` and `reverse` of a text", `[a desc]['\x00'][b reverse]['_'][c:8]`, "reverse"},
	{"`uuid`", `[a uuid]`, "uuid"},
	{"`minlen`, `chars`, `oneof`", `[a minlen(1) chars("ab")]['_'][b oneof("x","y")]`, "minlen chars oneof"},
	{"integers: bytes, `width`, `desc`, `below`", `[a:8 desc][b:4 width(2)][c:i4][d:2 below(300)]`, "width desc below"},
	{"integers as text: `digits`, `hexdigits`, `decimal`", `[a:4 digits(10)][b:8 hexdigits(16)][c:i8 decimal]`, "digits hexdigits decimal"},
	{"float, bool", `[a:f8][b:f4 desc][c:bool]`, ""},
	{"times: units, `since`, `truncate`, `years`, layouts", `[max-ms(a)][s-since(2020-01-01T00:00:00Z)(b) truncate(1h)][layout("20060102",UTC)(c) years(2000,2050)]`, "truncate years"},
	{"salts and hashes of values, `text`, `stored`, `rest`", `[salt16(values(a,b))][md5.hex(4)(text(b))][sha1.raw(2)(stored(a))][crc32.raw(2)(rest())][a]['_'][b:4]`, ""},
	{"digests of HBase, murmur3x128", `[hjenkins.hex(8)(a)][hmurmur.raw(4)(a)][hmurmur3.raw(4)(a)][murmur3x128.raw(8)(a)][a]`, ""},
	{"`letters`, `digits`, `width`, `decimal` of a bucket; `bucket`", `[salt4(a) letters("abcd")][salt100(b) digits(2)][salt300(a) width(2)][salt12(a) decimal]['_'][c:1 below(8) bucket][a]['_'][b:4]`, "letters named bucket"},
	{"bucket rules of Java, Phoenix, HBaseWD, Pinpoint; modulo", `[salt16(a) javahash][salt16(a) phoenixhash][salt16(a) hbasewdhash][salt16(a) pinpointhash][salt16(b) modulo][a]['_'][b:4]`, "javahash javahashabs javahashfloor javahashmodabs phoenixhash hbasewdhash pinpointhash modulo"},
	{"the dialect HBase, `maxlen`", `maxlen(100) hbase [a:i8][b]`, "maxlen hbase"},
	{"`varint`", `[a:8 varint]`, "varint"},
	{"`codes`", `[a codes("x":"1","y":"2")]`, "codes"},
	{"`reverserune`, `reverselabels`, `reversepart`", `[a reverserune]['_'][b reverselabels(".")]['\x00'][c reversepart(1,3)]`, "reverserune reverselabels reversepart"},
	{"copies: `left`, `right`, another unit", `[e=t h][ms(t)][c=a left(2)][d=a right(2)]["_"][a minlen(2)]`, "left right"},
	{"`notstored`", `[salt16(a)][b:4][a notstored]`, "notstored"},
	{"`format`, `minmax`", `[md5.hex(4)(format("%s-%05d",a,b))][a]['_'][b:4]`, ""},
	{"`loose`, all else of fixed width", `[tenant loose]['\x00'][id:8][s(at)]`, "loose"},
	{"`loose` beside what varies in length", `[tenant loose]['_'][user]['\x00'][id:8]`, ""},
	{"OrderedBytes", `orderedbytes [a][b desc][c:i4][d:f8 desc][ms(e)][f:bytes][g:bytes blobcopy]`, "orderedbytes blobcopy"},
	{"Phoenix", `phoenix [salt16(rest())][a][b desc][c:i4 desc][ms(e)][ns(f) desc][g:f4 unsigned][h:bool desc][i pad(4,' ')][j escaped]`, "phoenix unsigned"},
	{"nulls", `phoenix [a optional][b optional]`, "optional"},
	{"`numeric`", `phoenix [a numeric precision(5,2)][b:i4]`, "numeric precision"},
	{"a number in `escaped`, `lenprefix`, `pad`", `[id:8 decimal lenprefix(1)][s(at)]`, ""},
	{"a text that ends itself without a separator", `[kind oneof("get","put","delete")][id:8][s(at)]`, ""},
	{"`notstored` of a text that is changed", `[salt16(name)][id:8][s(at)][name reverse notstored]`, ""},
	{"a step after `uuid`", `[id uuid reverse][s(at)]`, ""},
	{"an epoch with a fraction of a second", `[ms-since(2020-01-01T00:00:00.5Z)(at)][id:8]`, ""},
	{"a decimal bucket of `stored(…)`", `[salt12(stored(user)) decimal]['_'][user]['_'][id:8]`, ""},
	{"a copy cut after a step that moves its parts", `[c=user reverserune left(2)]['_'][user]['_'][id:8]`, ""},
	{"a copy in a `format`", `[md5.hex(4)(format("%s",c))][c=user left(2)]['|'][user]['_'][id:8]`, ""},
	{"`via`, units and digests of a program", "", "via"},
}

// TestCoverage holds the table of docs/gen.md to what is printed. UPDATE_DOCS=1 writes it.
func TestCoverage(t *testing.T) {
	const page, from, to = "../../docs/gen.md", "<!-- covered -->\n\n", "\n<!-- end of covered -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := "| a layout with | Go | Java | write, read, decode |\n|---|---|---|---|\n"
	words := map[string]bool{}
	for _, s := range samples {
		for _, w := range strings.Fields(s.words) {
			words[w] = true
		}
		languages := "refused | refused | "
		if s.layout != "" {
			schema, err := rowkey.Parse("sample", s.layout)
			if err != nil {
				t.Errorf("%s: %v", s.what, err)
				continue
			}
			c := resolved(schema)
			languages = "straight | yes | "
			if c.Refused != nil {
				times := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(strings.ReplaceAll(s.layout, "|", `\x7c`)) + "`, by the library \\| ([\\d.]+) \\| ([\\d.]+) \\| ([\\d.]+) \\|").FindSubmatch(text)
				if times == nil {
					t.Errorf("%s: %s has no times of %s", s.what, page, s.layout)
					continue
				}
				languages = fmt.Sprintf("by the library | refused | %s, %s, %s", times[1], times[2], times[3])
			}
			if _, err := Go(GoOptions{Package: "keys"}, c); err != nil {
				t.Error(err)
			}
			if c.NotJava != nil && c.Refused == nil {
				languages = "straight | refused | "
			}
			if _, err := Java(JavaOptions{}, schema, c); (err == nil) != (c.Refused == nil && c.NotJava == nil) {
				t.Errorf("%s: Java: %v", s.what, err)
			}
		}
		table += fmt.Sprintf("| %s | %s |\n", s.what, languages)
	}
	for _, w := range notation.Words() {
		if !words[w] {
			t.Errorf("no sample shows the word %s", w)
		}
	}
	before, rest, ok := strings.Cut(string(text), from)
	have, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of what is covered", page)
	}
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile(page, []byte(before+from+table+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != table {
		t.Errorf("%s: UPDATE_DOCS=1 go test -run TestCoverage ./internal/gen\n%s", page, table)
	}
}
