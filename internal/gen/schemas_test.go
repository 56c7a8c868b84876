package gen

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

func resolved(s *rowkey.Schema) *code.Schema {
	return code.Of(inside.Layout(s), s.String(), s.Fingerprint())
}

// What is printed of a schema.
const (
	straight  = iota // Go and Java
	notJava          // Go alone
	byLibrary        // Go that calls the library
)

// printedOf is what is printed of a schema.
func printedOf(c *code.Schema) int {
	switch {
	case c.Refused != nil:
		return byLibrary
	case c.NotJava != nil:
		return notJava
	}
	return straight
}

// drawn is n different schemas of which so much is printed.
func drawn(t *testing.T, r *rand.Rand, n int, kind int) (all []*rowkey.Schema) {
	t.Helper()
	seen, words := map[string]bool{}, map[string]int{}
	defer func() { t.Logf("drawn: %v", words) }()
	for tried := 0; len(all) < n; tried++ {
		if tried > 1000*n {
			t.Fatal("the generator makes no schemas")
		}
		s, err := rowkey.Parse(fmt.Sprintf("s%d", len(all)), drawnNotation(r, kind != straight))
		if err != nil || seen[s.String()] || printedOf(resolved(s)) != kind {
			continue
		}
		seen[s.String()] = true
		all = append(all, s)
		for _, w := range drawnWords {
			if strings.Contains(s.String(), w) {
				words[strings.Trim(w, " []'")]++
			}
		}
		if javasRest(s) {
			words["rest() of Java's"]++
		}
		for _, p := range resolved(s).Prefixes {
			switch {
			case p.Ranges == 0:
			case resolved(s).Twice(p):
				words["ranges of nulls that lie apart"]++
			case nullable(resolved(s).Fields[:p.Fields]):
				words["ranges of nulls"]++
			case p.Comps == len(resolved(s).Comps) && p.Fields < len(resolved(s).Fields):
				words["ranges of all that is stored"]++
			}
			for _, i := range p.Open {
				if c := resolved(s).Comps[i]; p.Ranges > 0 && c.Width == 0 {
					words["ranges of forms of several lengths"]++
				}
			}
		}
	}
	return all
}

// corners are schemas that are seldom drawn: nulls at the end of a prefix that lie apart from values, and
// then need more ranges than a query may have; beginnings that are all that is stored; fields that are
// called as keywords, helpers and methods are, or by Chinese names.
func corners() (all []*rowkey.Schema) {
	for i, notation := range []string{
		`orderedbytes [a desc optional][b:i8 numeric desc optional][c optional][d desc optional]`,
		`orderedbytes [salt600(rest()) width(2)][a desc optional][b desc optional][d optional]`,
		`phoenix [a escaped desc optional][b optional][c escaped optional][d:bytes optional]`,
		`phoenix [salt16(rest())][a][b optional][c optional]`,
		`phoenix [salt16(c)][a optional][b desc optional][c:4 notstored]`,
		`[salt12(b) decimal]['_'][at:4][a][b notstored]`,
		`[salt12(b)][at:4][a][b notstored]`,
		`[type]['_'][func:8][range:4][map]['|'][int:i8][append:4][parse:4][schema]['_'][buf:4][len:2]`,
		`[dst]['_'][key:8][arena:4][ok]['|'][b:i8][rt:8][rowkey:4][asked]['_'][bytes:4][k:8][u2:2][tableOfCorner8:1]`,
		`[class]['_'][long:8][this]['|'][null:i8][out:8][n:4][all]['_'][hashCode:8][getClass:8][encode:4][decode:4][ranges:4][NAME:2]`,
		`orderedbytes [trim desc optional][apart desc optional][own optional]`,
		`[salt4(stored(own))][own:4][trim]`,
		`[卖家]['_'][max-ms(时间)][订单:8][9lives:4][a.b]`,
		`[salt16(values(t,a))][md5.hex(4)(text(a,t))][layout("20060102",+08:00)(t) width(4)][a:3]`,
		`phoenix [ms(t) truncate(1h0m0s)][a codes("new":"n","paid":"p")]`,
		`orderedbytes [ms(t) truncate(24h0m0s)][a codes("new":"n","paid":"p")]`,
		`orderedbytes [ms(t) truncate(24h0m0s) desc][b reverserune desc]`,
		`[a reverselabels(".") desc]['|'][b reverserune desc reverse]['|'][c:2]`,
		`phoenix [ms(t) truncate(1h0m0s)][a]`,
		`[y=a][a:f4 phoenix][z=b][b:f8 hbase][x=c][c:f8 orderedbytes]`,
		`[md5.hex(4)(values(y,b))][y=a][b:4][a:f4 phoenix]`,
		`phoenix [y=a unsigned][a:f4][z=b unsigned desc][b:f8]`,
		`[y=c codes("a":"1","b":"2")][a:4][c]`,
		`[y=c oneof("a","b")]['_'][a:4][c]`,
		`[salt4(b) named(s-x)][salt8(b) named(sX)][a:4][b:4]`,
		`phoenix [a numeric][y=a][b:i4]`,
		`orderedbytes [a numeric][y=a][b:i4]`,
		`[salt12(values(room0,b)) decimal]['_'][room0:4][places:4][form0:4][text12:4][none:4][err:4][b:4]`,
		`[salt4(b)][places:4][b:4]`,
		`[salt16(a)][b:8][a reverse notstored]`,
		`[salt16(a)][b:8][a:4 notstored][md5.hex(3).upper(a)]`,
		`[salt300(a) width(3)][b:1][md5.hex(32)(values(a,b))][a:4 notstored][salt16(a) width(8)]`,
		`[salt256(a)][b:1][a notstored][salt3(a) letters("x\\y")][salt12(a) digits(3)]`,
		`[salt120(a) decimal]['_'][b]['_'][salt7(a) decimal][a:4 notstored][salt12(a) digits(2)]`,
		`[salt16(values(a,c,d))][b:8][a reverse notstored][c:4 notstored][ms(d) notstored]`,
		`[s(a) decimal lenprefix(1)]`,
		`[s(a) decimal pad(20,"x")]`,
		`[a]['|'][b codes("only":"")][c:4]`,
		`[salt4(a)][y=b codes("only":"")][a]['|'][b codes("only":"x")]`,
		`[salt4(b)][a]['|'][c:4][b codes("only":"") notstored]`,
		`[math.x:8]["bytes."][strings.y:2][time.z:1][slices.a:1]`, // names of packages that the code does not need
		`[salt4(b) named(s)][formsOfCorner37S:4][b:4]`,
		`['"'][a:8 digits(10)]`,                                                           // a quote is printed as a character, and begins no text
		`phoenix [a codes("a":"c0 := ","b":"t0 := ","c":"t0, ok0") optional][b optional]`, // texts that the code itself has
		`orderedbytes [a codes("a":"byte[] f0 = ","b":"x") optional][b oneof("byte[] f1 = ","x") optional]`,
		`[salt6(a) letters("(b[0:]")][a]`,
		`[ms(t)][salt4(b) letters("abcd")][y=t layout("20060102",UTC)][b:2]`, // a copy and a hash that a prefix checks, behind a salt that it leaves open
		`[a]['_'][salt4(b)][y=a pad(2,"x")][b:2]`,
		`[a:bytes]['_'][salt4(b)][javahashcode.raw(4)(a)][b:2]`,
		`[salt4(b)][a:bytes lenprefix(1)][salt4(b) named(s)][salt8(a) hbasewdhash named(x)][b:2][c:2]`,
		`[salt4(values(y,y))][y=a fixed(2)][a]`,      // a salt that reads a copy twice
		`[a]['_'][y=b][b notstored]`,                 // a copy at the end of a key that nothing in it is compared with
		`phoenix [salt16(stored(a))][a][b optional]`, // the salt of a form whose end the key may leave off
		`phoenix [salt16(stored(a,x))][a numeric][x escaped][b optional]`,
		`phoenix [salt16(y)][a][y=a escaped][b optional]`,
	} {
		all = append(all, rowkey.Must(rowkey.Parse(fmt.Sprintf("corner%d", i), notation)))
	}
	return all
}

// drawnWords are words of notations whose schemas are counted, so that a test sees that they are drawn.
var drawnWords = []string{" orderedbytes]", " phoenix]", " desc orderedbytes]", " desc phoenix]", " unsigned", " blobcopy", " escaped phoenix]", " decimal]['", " loose", " numeric", " optional", " notstored"}

// javasRest reports a salt or hash that is computed from the rest of the key by a rule or digest of Java's.
func javasRest(s *rowkey.Schema) bool {
	return slices.ContainsFunc(resolved(s).Derived, func(c *code.Comp) bool { return c.Sum != nil && c.Sum.Input == code.Rest && c.Sum.MayFail() })
}

var separators = []string{`_`, `\x00`, `-`, `__`, `ab`, `\xff`, `|`, `é`, `_a_b`}

func drawnText(r *rand.Rand, name string, last bool) string {
	kind := pick(r, "", "", ":bytes")
	end := ""
	if !last {
		end = `['` + pick(r, separators...) + `']`
	}
	maybe := pick(r, "", "", `['`+pick(r, separators...)+`']`)
	limit := pick(r, "", "", "", "", "", fmt.Sprintf(" minlen(%d)", 1+r.IntN(3)), ` chars("ab_é\x00\xff")`, ` oneof("aa","b_","\x00x","é")`)
	field := func(options string, end string) string {
		return fmt.Sprintf("[%s%s%s%s]%s", name, kind, limit, options, end)
	}
	desc := pick(r, "", "", " desc")
	if limit == "" && r.IntN(4) == 0 {
		options := pick(r, ` codes("aa":"1","b":"22","é":"\x00","_":"x_")`, ` codes("a":"11","b":"22","":"33")`, " reverserune", ` reverselabels(".")`, ` reverselabels("--")`,
			" reversepart(1,3)", " reverserune reverse", ` reverselabels(".") desc`, " reversepart(0,2) reverse", " reverserune fixed(6)")
		return field(options+pick(r, "", "", "", " escaped", " lenprefix(2)"), end)
	}
	switch r.IntN(13) {
	case 0:
		return field(fmt.Sprintf(" fixed(%d)", 1+r.IntN(5)), maybe)
	case 1:
		return field(fmt.Sprintf(" pad(%d,'%s')", 2+r.IntN(6), pick(r, " ", `\x00`, "a", `\xff`)), maybe)
	case 2:
		return field(fmt.Sprintf(" padleft(%d,'%s')", 2+r.IntN(6), pick(r, " ", `0`, "a")), maybe)
	case 3, 4:
		return field(pick(r, "", "", " desc", " reverse")+" escaped"+desc, maybe)
	case 5, 6:
		return field(pick(r, "", " reverse", " desc")+fmt.Sprintf(" lenprefix(%d)", 1+r.IntN(4))+desc, maybe)
	case 7:
		return fmt.Sprintf("[%s uuid%s]%s", name, pick(r, "", "", " escaped", " lenprefix(1)", " pad(20,'a')", " desc"), maybe)
	case 8:
		return field(fmt.Sprintf(" reverse fixed(%d)", 1+r.IntN(12)), maybe)
	case 9:
		return field(pick(r, " reverse", " desc")+fmt.Sprintf(" pad(%d,'%s')%s", 2+r.IntN(6), pick(r, " ", "a"), desc), maybe)
	case 10:
		return field(pick(r, " reverse", " desc"), end)
	case 11:
		return field(fmt.Sprintf(" fixed(%d) desc", 1+r.IntN(9)), maybe)
	}
	return field("", end)
}

func drawnNumber(r *rand.Rand, name string, last bool) string {
	size := 1 + r.IntN(8)
	end := `['` + pick(r, "_", "|", ":", "x", "__") + `']`
	if last {
		end = ""
	}
	maybe := pick(r, "", "", "", end)
	switch r.IntN(21) {
	case 0, 1, 2:
		return fmt.Sprintf("[%s:%d]", name, size) + maybe
	case 3:
		return fmt.Sprintf("[%s:%d desc]", name, size) + maybe
	case 4:
		return fmt.Sprintf("[%s:%d width(%d)%s]", name, size, 1+r.IntN(size), pick(r, "", " desc")) + maybe
	case 5:
		return fmt.Sprintf("[%s:%d digits(%d)%s]", name, size, 1+r.IntN(20), pick(r, "", "", " desc", " reverse")) + maybe
	case 6:
		return fmt.Sprintf("[%s:%d desc digits(20)]", name, size) + maybe
	case 7:
		return fmt.Sprintf("[%s:%d hexdigits(%d)%s]", name, size, 1+r.IntN(16), pick(r, "", " desc", " reverse")) + maybe
	case 8:
		return fmt.Sprintf("[%s:%d decimal%s]%s", name, size, pick(r, "", " reverse"), end)
	case 9:
		return fmt.Sprintf("[%s:%d desc decimal]%s", name, size, end)
	case 10:
		return fmt.Sprintf("[%s:%d below(%d)]", name, size, 1+r.IntN(200)) + maybe
	case 11:
		return fmt.Sprintf("[%s:%d reverse]", name, size) + maybe
	case 12, 13:
		return fmt.Sprintf("[%s:i%d%s]", name, size, pick(r, "", "", " desc", " below(100)")) + maybe
	case 14:
		return fmt.Sprintf("[%s:i%d decimal]%s", name, size, end)
	case 15:
		return fmt.Sprintf("[%s:i%d width(%d)]", name, size, 1+r.IntN(size)) + maybe
	case 16, 17:
		return fmt.Sprintf("[%s:f%d%s]", name, pick(r, 4, 8), pick(r, "", " desc")) + maybe
	case 18:
		return fmt.Sprintf("[%s:bool]", name) + maybe
	case 19:
		return fmt.Sprintf("[%s:%d %s]", name, size, pick(r, "varint", "desc varint", "varint desc"))
	}
	return fmt.Sprintf("[%s:8]", name) + maybe
}

func drawnTime(r *rand.Rand, name string, last bool) string {
	unit, from := pick(r, "ns", "us", "ms", "ms", "ms", "s", "s", "min", "h", "d"), pick(r, "", "max-")
	switch r.IntN(9) {
	case 0:
		return fmt.Sprintf("[%s(%s) width(%d)%s]", unit, name, 4+r.IntN(4), pick(r, "", " desc"))
	case 1:
		return fmt.Sprintf("[%s%s(%s) digits(%d)]", from, unit, name, pick(r, 10, 13, 19))
	case 2:
		return fmt.Sprintf("[%s%s(%s) truncate(%s)]", from, unit, name, pick(r, "1h", "24h", "5m"))
	case 3:
		return fmt.Sprintf("[%s%s(%s) years(1990,2100)]", from, unit, name)
	case 4:
		return fmt.Sprintf("[%s%s-since(%s)(%s)]", from, unit, pick(r, "2020-01-01T00:00:00Z", "2023-05-16T00:00:00+08:00", "1960-01-01T00:00:00Z"), name)
	case 5:
		return fmt.Sprintf("[%s%s(%s) decimal]", from, unit, name) + map[bool]string{false: "['_']"}[last]
	case 6, 7:
		layout := pick(r, "20060102", "20060102150405", "2006-01-02", "2006", "200601", "2006010215", "2006/01/02 15:04", "200601021504")
		options := ""
		if !strings.ContainsAny(layout, "-/ ") {
			options = pick(r, "", "", " desc", " width(8)", " width(8) desc", " width(4)")
		}
		return fmt.Sprintf("[layout(%q,%s)(%s)%s%s]", layout, pick(r, "UTC", "+08:00", "-03:30", "+05:45"), name, options, pick(r, "", "", " years(1980,2050)"))
	}
	return fmt.Sprintf("[%s%s(%s)]", from, unit, name)
}

func drawnSum(r *rand.Rand, fields []string) string {
	in := pick(r, fields...)
	switch r.IntN(11) {
	case 8, 9:
		in = `format("` + pick(r, "", "p-", "é%%") + pick(r, "%s", "%d", "%05d", "%x", "%X") + `",` + pick(r, fields...) + ")"
		if two := pick(r, fields...); r.IntN(2) == 0 {
			in = `format("%s` + pick(r, "|", "") + pick(r, "%s", "%020d", "%x") + `",` + pick(r, fields...) + "," + two + ")"
		}
	case 10:
		in = "minmax(" + pick(r, fields...) + "," + pick(r, fields...) + ")"
	case 0, 1:
		some := slices.Clone(fields)
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		in = pick(r, "values", "values", "stored", "text") + "(" + strings.Join(some[:1+r.IntN(len(some))], ",") + ")"
	case 2:
		if in = "rest()"; r.IntN(2) == 0 {
			return fmt.Sprintf(pick(r, "[salt7(%s) javahash]", "[salt7(%s) javahashabs]", "[salt7(%s) hbasewdhash]", "[javahashcode.hex(2)(%s)]"), in)
		}
	case 3:
		in = "text(" + in + ")"
	case 4:
		in = "values(" + in + ")"
	}
	switch r.IntN(11) {
	case 10:
		return fmt.Sprintf("[salt%d(%s)%s decimal]", pick(r, 5, 12, 100, 1000), in, pick(r, "", "", " javahash", " modulo", " hbasewdhash")) + pick(r, "['_']", "['|']", "")
	case 0, 1, 2:
		return fmt.Sprintf("[salt%d(%s)]", pick(r, 2, 3, 7, 16, 100, 256), in)
	case 3:
		return fmt.Sprintf("[salt%d(%s) digits(%d)]", pick(r, 3, 10, 100), in, 2+r.IntN(2)) + pick(r, "", "['_']")
	case 4:
		return fmt.Sprintf("[salt%d(%s) %s%s]", pick(r, 3, 16, 100), in,
			pick(r, "javahash", "javahashabs", "javahashfloor", "javahashmodabs", "phoenixhash", "hbasewdhash", "pinpointhash"), pick(r, "", " digits(2)"))
	case 5:
		return fmt.Sprintf("[salt4(%s) letters(\"dbca\")]", in)
	case 6:
		return fmt.Sprintf("[salt%d(%s) %s]", pick(r, 5, 16, 200), in,
			pick(r, "md5.raw(4)", "md5.raw(16)", "crc32.raw(4)", "modulo", "murmur3.raw(2)", "murmur3x128.raw(5)", "hmurmur.raw(4)", "hmurmur3.raw(4)", "hjenkins.raw(4)", "murmur3-seed3000000000.raw(4)", "sha256.raw(9)"))
	case 7:
		return fmt.Sprintf("[salt%d(%s) width(%d)]", pick(r, 300, 1000, 5), in, 2+r.IntN(3))
	}
	return fmt.Sprintf("[%s(%s)]", pick(r, "md5.hex(4)", "md5.hex(2)", "md5.raw(1)", "md5.hexat(3,3)", "md5.hex(6).upper", "sha1.hex(2)", "sha256.raw(1)",
		"sha512.hex(1)", "crc32.hex(2)", "murmur3x128.hex(7)", "hmurmur.hex(8)", "hmurmur3.raw(3)", "hjenkins.hex(8)", "murmur3.raw(4)", "murmur3.hex(1)", "javahashcode.raw(4)", "murmur3-seed4294967295.hex(2)"), in)
}

// drawnDialect is a field of a schema of OrderedBytes or Phoenix.
func drawnDialect(r *rand.Rand, dialect, name string, last bool) string {
	desc, size := pick(r, "", " desc"), pick(r, 1, 2, 4, 8)
	unit := pick(r, "ms", "ns")
	if dialect == "orderedbytes" {
		unit = pick(r, "ms", "ns", "s", "us", "h", "d", "us-since(2020-01-01T00:00:00Z)", "s-since(1960-01-01T00:00:00Z)")
	}
	switch n := r.IntN(19); {
	case n > 15:
		return fmt.Sprintf("[%s%s numeric%s%s%s]", name, pick(r, "", "", ":i8", ":4"), pick(r, "", "", " precision(5,2)", " precision(4,0)"), desc, pick(r, "", "", " optional"))
	case (n < 6 || last) && r.IntN(2) == 0:
		return fmt.Sprintf("[%s%s%s%s optional]", name, map[bool]string{true: pick(r, "", ":bytes")}[last || dialect == "orderedbytes"], pick(r, "", "", "", " escaped", ` oneof("aa","b")`, " reverse", " minlen(1)", ` codes("a":"xx","":"y")`), desc)
	case n < 3:
		limit := pick(r, "", "", " minlen(2)", ` chars("ab_é\x01\xff")`, ` oneof("aa","b_","é")`, ` oneof("a","bb","cd")`, ` codes("aa":"1","b":"22","":"x")`)
		return fmt.Sprintf("[%s%s%s%s]", name, limit, pick(r, "", "", " reverse", " reverserune"), desc)
	case n < 6:
		return fmt.Sprintf("[%s:i%d%s]", name, size, desc)
	case n == 6:
		return fmt.Sprintf("[%s:f%d%s]", name, pick(r, 4, 8), desc)
	case n < 9:
		return fmt.Sprintf("[%s(%s)%s%s]", unit, name, pick(r, "", "", " years(1990,2100)", " truncate(24h)", " below(100000)"), desc)
	case n == 9:
		return fmt.Sprintf("[%s:i%d hbase]", name, size)
	case dialect == "orderedbytes" && n < 12:
		return fmt.Sprintf("[%s:bytes%s%s]", name, pick(r, "", "", ` oneof("aa","b_","\x00x")`), desc)
	case dialect == "orderedbytes":
		return fmt.Sprintf("[%s:bytes%s%s]", name, map[bool]string{true: " blobcopy"}[last], desc)
	case n == 10:
		return fmt.Sprintf(pick(r, "[%s:%d%s]", "[%s:%d digits(20)%s]", "[%s:%d hexdigits(16) reverse%s]"), name, size, desc)
	case n == 11:
		return fmt.Sprintf(pick(r, "[%s:bool%s]", "[%s:f4 unsigned%s]", "[%s:f8 unsigned%s]", "[ms(%s) unsigned%s]", "[ns(%s) unsigned%s]", `[layout("20060102",UTC)(%s)%s]`), name, desc)
	case n == 12:
		return fmt.Sprintf("[%s pad(%d,' ')%s]", name, 2+r.IntN(6), desc)
	case n == 13:
		return fmt.Sprintf("[%s%s fixed(%d)%s]", name, pick(r, "", ":bytes"), 1+r.IntN(5), desc)
	case n == 14:
		return fmt.Sprintf("[%s%s escaped%s]", name, pick(r, "", ":bytes", " reverse"), desc)
	}
	return fmt.Sprintf("[%s:bytes]", name)
}

// drawnRest is a component that package code may not say.
func drawnRest(r *rand.Rand, name string) string {
	return fmt.Sprintf(pick(r, "[%s codes(\"a\":\"1\",\"b\":\"2\")]", "[%s loose]['_']", "[%s:i8 loose]", "[%s loose]['\\x00']", "[%s loose]['__']",
		"[%s:bytes loose]['ab']", "[%s loose minlen(2)]['_']", `[%s loose chars("ab_\x00")]['_']`, "[%s reverse loose]['_']", "[%s pad(4,'_') loose]", "[%s:4 decimal loose]['-']"), name)
}

// absent is the end of a field, and its separator.
var absent = regexp.MustCompile(`^(\[[^']*?)\](\['.*'\])?$`)

// drawnCopy is a copy of a field, which names then has.
func drawnCopy(r *rand.Rand, fields []string, names *[]string) string {
	of, name := pick(r, fields...), fmt.Sprintf("copy%d", len(*names))
	*names = append(*names, name)
	unit := pick(r, "h", "d", "min", "s", "ms", "us", "s-since(2001-01-01T00:00:00Z)")
	return fmt.Sprintf(pick(r, "[%s=%s]", "[%s=%s left(2)]", "[%s=%s left(3) pad(3,' ')]", "[%s=%s right(2) pad(4,'0')]['_']", "[%s=%s reverse left(4) escaped]", "[%s=%s left(2)]['|']",
		"[%s=%s right(3) reverse lenprefix(1)]", "[%s=%s desc]", "[%s=%s digits(20)]", "[%s=%s decimal]['_']", "[%s=%s hexdigits(16)]", "[%s=%s reverserune escaped]", "[%s=%s uuid]", "[%s=%s varint]",
		"[%s=%s "+unit+"]", "[%s=%s "+unit+"]", "[%s=%s "+unit+" desc]", "[%s=%s layout(\"2006010215\",+08:00)]", "[%s=%s layout(\"20060102\",UTC)]", "[%s=%s "+unit+" digits(13)]"), name, of)
}

func drawnNotation(r *rand.Rand, rest bool) string {
	fields := []string{"seller", "at", "order-id", "c"}[:1+r.IntN(4)]
	dialect := pick(r, "", "", "", "", "hbase", "orderedbytes", "phoenix")
	var parts []string
	names := slices.Clone(fields)
	gone := len(fields) > 1 && r.IntN(8) == 0 // the last field is not stored
	nulls := len(fields)                      // in a dialect of nulls, from this field on each may be null
	if r.IntN(3) == 0 {
		nulls = r.IntN(len(fields))
	}
	for i, name := range fields {
		last := i == len(fields)-1 || gone && i == len(fields)-2
		switch n := r.IntN(5); {
		case rest && r.IntN(2) == 0:
			parts = append(parts, drawnRest(r, name))
		case i >= nulls && (dialect == "orderedbytes" || dialect == "phoenix"):
			of := pick(r, "", "", " numeric", ":i8 numeric")
			if dialect == "phoenix" && r.IntN(3) == 0 {
				of = " escaped"
			}
			parts = append(parts, fmt.Sprintf("[%s%s%s optional]", name, of, pick(r, "", " desc", " desc")))
		case dialect == "orderedbytes" || dialect == "phoenix":
			parts = append(parts, drawnDialect(r, dialect, name, last))
		case n < 2:
			parts = append(parts, drawnText(r, name, last))
		case n == 2:
			parts = append(parts, drawnTime(r, name, last))
		default:
			parts = append(parts, drawnNumber(r, name, last))
		}
	}
	if gone {
		parts[len(parts)-1] = absent.ReplaceAllString(parts[len(parts)-1], "$1 notstored]")
	}
	for range pick(r, 0, 0, 0, 1, 2) {
		at := r.IntN(len(parts) + 1)
		parts = slices.Insert(parts, pick(r, 0, at), drawnCopy(r, fields, &names))
	}
	if len(fields) > 1 && r.IntN(4) == 0 {
		at := r.IntN(len(parts))
		parts[at] = absent.ReplaceAllString(parts[at], "$1 notstored]")
	}
	for range pick(r, 0, 1, 1, 1, 2) {
		at := r.IntN(len(parts) + 1)
		parts = slices.Insert(parts, pick(r, 0, at), drawnSum(r, names))
	}
	if r.IntN(5) == 0 {
		parts = slices.Insert(parts, r.IntN(len(parts)+1), pick(r, `["v1"]`, `["\x00"]`, `["longer one"]`))
	}
	head := ""
	if dialect != "" {
		head = dialect + " "
	}
	if r.IntN(8) == 0 {
		head += fmt.Sprintf("maxlen(%d) ", 10+r.IntN(40))
	}
	return head + strings.Join(parts, "")
}
