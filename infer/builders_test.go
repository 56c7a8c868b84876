package infer

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// Tables whose keys are built as Java programs build them, in straight code that knows
// nothing of the library. Their rows are drawn from narrow to wide; the rows that prove what
// was read go beyond those seen: other days, lengths and magnitudes.

// breadth is how much the values of a column tell.
type breadth uint8

const (
	oneDay breadth = iota // a day, one length, few values
	months
	decades // what a column may ever have
)

// feed draws the values of a column.
type feed struct {
	what string
	draw func(r *rand.Rand, wide breadth) string
}

func pickOf(r *rand.Rand, of []string, wide breadth) string {
	if wide == oneDay {
		of = of[:min(3, len(of))]
	}
	return of[r.IntN(len(of))]
}

func upTo(r *rand.Rand, wide breadth, day, month, ever int64) int64 {
	switch wide {
	case oneDay:
		return day + r.Int64N(day) // of one length
	case months:
		return 1 + r.Int64N(month)
	}
	return r.Int64N(int64(1) << (1 + r.IntN(int(math.Log2(float64(ever))))))
}

func instant(r *rand.Rand, wide breadth) time.Time {
	span, from := int64(6*time.Hour), time.Date(2024, 3, 5, 8, 0, 0, 0, time.UTC)
	switch wide {
	case months:
		span = int64(200 * 24 * time.Hour)
	case decades:
		span, from = int64(20*365*24*time.Hour), time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return from.Add(time.Duration(r.Int64N(span))).Truncate(time.Millisecond)
}

var feeds = []feed{
	{"user", func(r *rand.Rand, w breadth) string {
		return "u" + strconv.FormatInt(upTo(r, w, 5000, 900000, 1<<40), 10)
	}},
	{"name", func(r *rand.Rand, w breadth) string {
		of := []string{"anna", "bo", "chen", "dmitri", "eve", "farid", "greta", "hiro", "ines", "jo", "karl", "lee"}
		n := of[r.IntN(len(of))] + of[r.IntN(len(of))]
		if w == decades && r.IntN(3) == 0 {
			n = []string{"zoë", "陈", "åsa", "😀"}[r.IntN(4)] + n
		}
		return n
	}},
	{"mail", func(r *rand.Rand, w breadth) string {
		return letters(r, 3+r.IntN(6*int(w)+1), "abcdefghij") + "@" + pickOf(r, []string{"a.com", "b.org", "mail.c.net", "d.io"}, w)
	}},
	{"number", func(r *rand.Rand, w breadth) string { return strconv.FormatInt(upTo(r, w, 40000, 2000000, 1<<50), 10) }},
	{"serial", func(r *rand.Rand, w breadth) string { return strconv.FormatInt(upTo(r, w, 200, 3000, 1<<31), 10) }},
	{"level", func(r *rand.Rand, w breadth) string { return strconv.FormatInt(upTo(r, w, 4, 60, 1<<15), 10) }},
	{"balance", func(r *rand.Rand, w breadth) string {
		n := upTo(r, w, 3000, 1000000, 1<<40)
		if w != oneDay && r.IntN(3) == 0 {
			n = -n
		}
		return strconv.FormatInt(n, 10)
	}},
	{"mobile", func(r *rand.Rand, w breadth) string {
		return "1" + pickOf(r, []string{"38", "39", "50", "86", "99"}, w) + letters(r, 8, "0123456789")
	}},
	{"order", func(r *rand.Rand, w breadth) string {
		return instant(r, w).Format("20060102") + fmt.Sprintf("%06d", r.IntN(1000000))
	}},
	{"mac", func(r *rand.Rand, _ breadth) string {
		h := letters(r, 12, "0123456789ABCDEF")
		return h[:2] + ":" + h[2:4] + ":" + h[4:6] + ":" + h[6:8] + ":" + h[8:10] + ":" + h[10:]
	}},
	{"trace", func(r *rand.Rand, _ breadth) string { return letters(r, 32, "0123456789abcdef") }},
	{"status", func(r *rand.Rand, w breadth) string {
		return pickOf(r, []string{"CREATED", "PAID", "SHIPPED", "CLOSED", "REFUNDED"}, w)
	}},
	{"event", func(r *rand.Rand, w breadth) string {
		return pickOf(r, []string{"Login", "logout", "PageView", "click", "Add-To-Cart", "pay"}, w)
	}},
	{"city", func(r *rand.Rand, w breadth) string {
		return pickOf(r, []string{"Paris", "Rome", "Oslo", "Lima", "Quito", "Accra", "Hanoi", "Osaka", "Perth", "Turin", "Basel", "Delhi"}, w)
	}},
	{"ms", func(r *rand.Rand, w breadth) string { return strconv.FormatInt(instant(r, w).UnixMilli(), 10) }},
	{"sec", func(r *rand.Rand, w breadth) string { return strconv.FormatInt(instant(r, w).Unix(), 10) }},
	{"iso", func(r *rand.Rand, w breadth) string { return instant(r, w).Format("2006-01-02T15:04:05.000Z") }},
	{"flag", func(r *rand.Rand, _ breadth) string { return strconv.FormatBool(r.IntN(2) == 0) }},
	{"amount", func(r *rand.Rand, w breadth) string {
		return strconv.FormatFloat(float64(upTo(r, w, 2000, 90000, 1<<30))/100, 'f', 2, 64)
	}},
	{"ip", func(r *rand.Rand, _ breadth) string {
		return fmt.Sprintf("10.%d.%d.%d", r.IntN(20), r.IntN(256), r.IntN(256))
	}},
}

func kindOfFeed(what string) string {
	switch what {
	case "number", "serial", "level", "balance":
		return "number"
	case "ms", "sec", "iso":
		return "time"
	case "flag", "amount":
		return what
	}
	return "text"
}

// javaHashCode is String.hashCode.
func javaHashCode(s string) (h int32) {
	for _, c := range utf16.Encode([]rune(s)) {
		h = 31*h + int32(c)
	}
	return h
}

// javaSubstring is s.substring(from, to), and the whole of a shorter text.
func javaSubstring(s string, from, to int) string {
	u := utf16.Encode([]rune(s))
	from, to = min(from, len(u)), min(to, len(u))
	return string(utf16.Decode(u[from:to]))
}

func javaReverse(s string) string {
	c := []rune(s)
	slices.Reverse(c)
	return string(c)
}

func javaPad(s string, n int, fill string, left bool) string {
	for len(utf16.Encode([]rune(s))) < n {
		if left {
			s = fill + s
		} else {
			s += fill
		}
	}
	return s
}

func be(v int64, n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v))[8-n:] }

func number64(s string) int64 { v, _ := strconv.ParseInt(s, 10, 64); return v }

func instantOf(s string) time.Time {
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		if len(s) < 12 {
			return time.Unix(v, 0).UTC()
		}
		return time.UnixMilli(v).UTC()
	}
	v, _ := time.Parse(time.RFC3339, s)
	return v
}

// piece is a piece of a key, as it is said and as it is written. can reports that the notation
// has it. plain is the piece without its step, for which the notation has no word.
type piece struct {
	said  string
	write func(row []string) []byte
	can   bool
	plain func(row []string) []byte
}

// maker draws tables.
type maker struct {
	r     *rand.Rand
	names []string
	whats []string
}

func (m *maker) of(kinds ...string) int {
	var at []int
	for i, w := range m.whats {
		if slices.Contains(kinds, kindOfFeed(w)) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return -1
	}
	return at[m.r.IntN(len(at))]
}

func (m *maker) text(c int) func(row []string) string {
	return func(row []string) string { return row[c] }
}

// column writes a column, as its kind is written.
func (m *maker) column(c int) piece {
	r, n := m.r, m.names[c]
	bytesOf := func(said string, can bool, f func(s string) []byte) piece {
		return piece{said: fmt.Sprintf(said, n), write: func(row []string) []byte { return f(row[c]) }, can: can}
	}
	textOf := func(said string, can bool, f func(s string) string) piece {
		p := bytesOf(said, can, func(s string) []byte { return []byte(f(s)) })
		if !can {
			p.plain = func(row []string) []byte { return []byte(row[c]) }
		}
		return p
	}
	same := textOf("%s", true, func(s string) string { return s })
	switch kindOfFeed(m.whats[c]) {
	case "number":
		switch r.IntN(12) {
		case 0, 1:
			return bytesOf("Bytes.toBytes(%s)", true, func(s string) []byte { return be(number64(s), 8) })
		case 2:
			return bytesOf("Bytes.toBytes((int) %s)", true, func(s string) []byte { return be(number64(s), 4) })
		case 3:
			w := []int{10, 12, 19}[r.IntN(3)]
			return textOf(fmt.Sprintf("String.format(\"%%%%0%dd\", %%s)", w), true, func(s string) string { return fmt.Sprintf("%0*d", w, number64(s)) })
		case 4:
			return bytesOf("Bytes.toBytes(Long.MAX_VALUE - %s)", true, func(s string) []byte { return be(math.MaxInt64-number64(s), 8) })
		case 5:
			return textOf("new StringBuilder(%s).reverse()", true, javaReverse)
		case 6:
			return textOf("leftPad(%s, 12, '0').reverse()", true, func(s string) string { return javaReverse(javaPad(s, 12, "0", true)) })
		case 7:
			return textOf("Long.toHexString(%s)", false, func(s string) string { return strconv.FormatUint(uint64(number64(s)), 16) })
		case 8:
			return textOf("String.format(\"%%016x\", %s)", m.whats[c] != "balance", func(s string) string { return fmt.Sprintf("%016x", uint64(number64(s))) })
		case 9:
			return textOf("String.valueOf(%s %% 100)", false, func(s string) string { return strconv.FormatInt(number64(s)%100, 10) })
		}
	case "time":
		zone := []*time.Location{time.UTC, time.UTC, time.FixedZone("", 8*3600), time.FixedZone("", 8*3600), berlin, newYork}[r.IntN(6)]
		day := func(f string) piece {
			return textOf("SimpleDateFormat("+f+", "+zone.String()+").format(%s)", zone != berlin && zone != newYork, func(s string) string { return instantOf(s).In(zone).Format(f) })
		}
		ms := func(s string) int64 { return instantOf(s).UnixMilli() }
		switch r.IntN(15) {
		case 0:
			return day("20060102")
		case 1:
			return day("20060102150405")
		case 2:
			return day("2006-01-02")
		case 3:
			return day("2006010215")
		case 4, 5:
			return bytesOf("Bytes.toBytes(Long.MAX_VALUE - ms(%s))", true, func(s string) []byte { return be(math.MaxInt64-ms(s), 8) })
		case 6:
			return textOf("String.valueOf(Long.MAX_VALUE - ms(%s))", true, func(s string) string { return strconv.FormatInt(math.MaxInt64-ms(s), 10) })
		case 7:
			return bytesOf("Bytes.toBytes(ms(%s))", true, func(s string) []byte { return be(ms(s), 8) })
		case 8:
			return bytesOf("Bytes.toBytes(Integer.MAX_VALUE - (int) (ms(%s) / 1000))", true, func(s string) []byte { return be(math.MaxInt32-ms(s)/1000, 4) })
		case 9:
			return textOf("String.format(\"%%013d\", ms(%s))", true, func(s string) string { return fmt.Sprintf("%013d", ms(s)) })
		case 10:
			return bytesOf("Bytes.toBytes(ms(%s) - ms(%[1]s) %% 3600000)", true, func(s string) []byte { return be(ms(s)-ms(s)%3600000, 8) })
		case 11:
			return bytesOf("Bytes.toBytes((int) (ms(%s) / 86400000))", true, func(s string) []byte { return be(ms(s)/86400000, 4) })
		case 12:
			return bytesOf("Bytes.toBytes((int) (ms(%s) / 300000))", false, func(s string) []byte { return be(ms(s)/300000, 4) })
		case 13:
			return textOf("9999999999999L - ms(%s)", true, func(s string) string { return strconv.FormatInt(9999999999999-ms(s), 10) })
		case 14:
			return textOf("new StringBuilder(ms(%s)).reverse()", true, func(s string) string { return javaReverse(strconv.FormatInt(ms(s), 10)) })
		}
	case "flag":
		return []piece{
			bytesOf("Bytes.toBytes(%s)", true, func(s string) []byte { return map[string][]byte{"true": {0xff}, "false": {0}}[s] }),
			textOf("%s ? \"Y\" : \"N\"", true, func(s string) string { return map[string]string{"true": "Y", "false": "N"}[s] }),
		}[r.IntN(2)]
	case "amount":
		return []piece{same,
			bytesOf("Bytes.toBytes(%s)", true, func(s string) []byte {
				v, _ := strconv.ParseFloat(s, 64)
				return binary.BigEndian.AppendUint64(nil, math.Float64bits(v))
			}),
			bytesOf("Bytes.toBytes(Math.round(%s * 100))", false, func(s string) []byte { return be(number64(strings.Replace(s, ".", "", 1)), 8) }),
		}[r.IntN(3)]
	case "text":
		switch m.whats[c] {
		case "status", "event", "city":
			if r.IntN(3) == 0 { // a map of codes, in the program
				codes := map[string]string{}
				for i, v := range []string{"CREATED", "PAID", "SHIPPED", "CLOSED", "REFUNDED", "Login", "logout", "PageView", "click", "Add-To-Cart", "pay",
					"Paris", "Rome", "Oslo", "Lima", "Quito", "Accra", "Hanoi", "Osaka", "Perth", "Turin", "Basel", "Delhi"} {
					codes[v] = string([]byte{byte('A' + i), byte('Z' - i*5%26)})
				}
				return textOf("CODES.get(%s)", true, func(s string) string { return codes[s] })
			}
		}
		switch r.IntN(14) {
		case 0:
			return textOf("new StringBuilder(%s).reverse()", true, javaReverse)
		case 1:
			k := 2 + r.IntN(4)
			return textOf(fmt.Sprintf("%%s.substring(0, %d)", k), false, func(s string) string { return javaSubstring(s, 0, k) })
		case 2:
			return textOf("%s.substring(2, 5)", false, func(s string) string { return javaSubstring(s, 2, 5) })
		case 3:
			return textOf("%s.toUpperCase()", false, strings.ToUpper)
		case 4:
			return textOf("rightPad(%s, 48, '\\0')", true, func(s string) string { return javaPad(s, 48, "\x00", false) })
		case 5:
			return textOf("leftPad(%s, 40, '0')", true, func(s string) string { return javaPad(s, 40, "0", true) })
		case 6:
			return bytesOf("(short) %s.length() + %[1]s", false, func(s string) []byte {
				return append(be(int64(len(utf16.Encode([]rune(s)))), 2), s...)
			})
		case 7:
			return textOf("%s.replace(\":\", \"\")", false, func(s string) string { return strings.ReplaceAll(s, ":", "") })
		}
	}
	return same
}

var berlin, newYork = zoneOf("Europe/Berlin", 1, 2), zoneOf("America/New_York", -5, -4)

// zoneOf is a zone with summer time, where the machine has its table; else its winter.
func zoneOf(name string, winter, _ int) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.FixedZone(name, winter*3600)
}

// prefix is a salt or a part of a digest, of one or two columns as a program joins them.
func (m *maker) prefix() piece {
	r := m.r
	a := m.r.IntN(len(m.names))
	of, said := m.text(a), m.names[a]
	if len(m.names) > 1 && r.IntN(3) == 0 {
		b := (a + 1) % len(m.names)
		sep := []string{"", "_", "|", ":"}[r.IntN(4)]
		of, said = func(row []string) string { return row[a] + sep + row[b] }, said+" + \""+sep+"\" + "+m.names[b]
	}
	if kindOfFeed(m.whats[a]) == "time" && r.IntN(2) == 0 {
		of, said = func(row []string) string { return instantOf(row[a]).UTC().Format("20060102") }, "day("+m.names[a]+")"
	}
	n := int32([]int{4, 8, 10, 16, 20, 32, 64, 100, 128, 256}[r.IntN(10)])
	abs := func(h int32) int32 {
		if h < 0 {
			return -h
		}
		return h
	}
	rules := []struct {
		said string
		of   func(row []string) int64
		can  bool
	}{
		{"(%s.hashCode() & Integer.MAX_VALUE) %% n", func(row []string) int64 { return int64(javaHashCode(of(row)) & math.MaxInt32 % n) }, true},
		{"Math.abs(%s.hashCode()) %% n", func(row []string) int64 { return int64(abs(javaHashCode(of(row))) % n) }, true},
		{"Math.abs(%s.hashCode() %% n)", func(row []string) int64 { return int64(abs(javaHashCode(of(row)) % n)) }, true},
		{"Math.floorMod(%s.hashCode(), n)", func(row []string) int64 { return int64(((javaHashCode(of(row)) % n) + n) % n) }, true},
		{"crc32(%s) %% n", func(row []string) int64 { return int64(crc32.ChecksumIEEE([]byte(of(row))) % uint32(n)) }, true},
		{"(md5(%s)[0] & 0xff) %% n", func(row []string) int64 { s := md5.Sum([]byte(of(row))); return int64(int32(s[0]) % n) }, true},
		{"ByteBuffer.wrap(md5(%s)).getInt() & MAX %% n", func(row []string) int64 {
			s := md5.Sum([]byte(of(row)))
			return int64(binary.BigEndian.Uint32(s[:]) & math.MaxInt32 % uint32(n))
		}, n&(n-1) == 0},
	}
	if c := m.of("number"); c >= 0 {
		rules = append(rules, struct {
			said string
			of   func(row []string) int64
			can  bool
		}{m.names[c] + "%.0s %% n", func(row []string) int64 { return number64(row[c]) % int64(n) }, true})
	}
	if r.IntN(2) == 0 {
		rule := rules[r.IntN(len(rules))]
		name := fmt.Sprintf(rule.said, said) + fmt.Sprintf(" of %d", n)
		form := r.IntN(4)
		return piece{said: []string{"(byte) ", "%02d ", "%d_ ", "%03d_ "}[form] + name, can: rule.can, write: func(row []string) []byte {
			v := rule.of(row)
			switch form {
			case 0:
				return []byte{byte(v)}
			case 1:
				return fmt.Appendf(nil, "%0*d", len(strconv.Itoa(int(n-1))), v)
			case 2:
				return fmt.Appendf(nil, "%d_", v)
			}
			return fmt.Appendf(nil, "%03d_", v)
		}}
	}
	sum := []func(b []byte) []byte{
		func(b []byte) []byte { s := md5.Sum(b); return s[:] },
		func(b []byte) []byte { s := sha1.Sum(b); return s[:] },
		func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
		func(b []byte) []byte { return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) },
	}
	h := r.IntN(len(sum))
	digest := func(row []string) []byte { return sum[h]([]byte(of(row))) }
	name := []string{"md5", "sha1", "sha256", "crc32"}[h] + "(" + said + ")"
	if secret := r.IntN(10) == 0; secret {
		digest = func(row []string) []byte { return sum[h]([]byte("s3cret" + of(row))) }
		return piece{said: "secret " + name + ".hex(6)", write: func(row []string) []byte { return []byte(hex.EncodeToString(digest(row))[:6]) }}
	}
	from := []int{0, 0, 0, 1, 2}[r.IntN(5)]
	k := []int{2, 4, 6}[r.IntN(3)]
	switch r.IntN(5) {
	case 0:
		return piece{said: name + ".head", can: true, write: func(row []string) []byte { return digest(row)[:min(k, 4)] }}
	case 1:
		return piece{said: name + ".HEX", can: true, write: func(row []string) []byte {
			return []byte(strings.ToUpper(hex.EncodeToString(digest(row)))[from : from+k])
		}}
	case 2:
		return piece{said: name + ".hex_", can: true, write: func(row []string) []byte { return []byte(hex.EncodeToString(digest(row)) + "_") }}
	}
	return piece{said: fmt.Sprintf("%s.hex(%d,%d)", name, from, from+k), can: true, write: func(row []string) []byte { return []byte(hex.EncodeToString(digest(row))[from : from+k]) }}
}

// built is a table of a Java-like builder.
type built struct {
	name  string
	names []string
	feeds []feed
	wide  []breadth
	parts []piece
	can   bool // the notation has all of its pieces
}

func newBuilt(r *rand.Rand) *built {
	m := &maker{r: r}
	b := &built{can: true}
	for i := range 1 + r.IntN(4) {
		f := feeds[r.IntN(len(feeds))]
		b.feeds = append(b.feeds, f)
		b.names = append(b.names, fmt.Sprintf("%s%d", f.what, i))
		b.wide = append(b.wide, []breadth{oneDay, months, months, decades}[r.IntN(4)])
		m.names, m.whats = append(m.names, b.names[i]), append(m.whats, f.what)
	}
	sep := []string{"", "_", "|", "#", "\x00", "-"}[r.IntN(6)]
	text := func(s string) piece {
		return piece{said: strconv.Quote(s), can: true, write: func([]string) []byte { return []byte(s) }}
	}
	if r.IntN(6) == 0 {
		b.parts = append(b.parts, text([]string{"t:", "v2", "\x02"}[r.IntN(3)]))
	}
	if r.IntN(3) > 0 {
		b.parts = append(b.parts, m.prefix())
	}
	for c := range b.names {
		if c > 0 && sep != "" {
			b.parts = append(b.parts, text(sep))
		}
		b.parts = append(b.parts, m.column(c))
	}
	if r.IntN(3) == 0 { // a column that is not in the key
		f := feeds[r.IntN(len(feeds))]
		b.feeds, b.names, b.wide = append(b.feeds, f), append(b.names, f.what+"x"), append(b.wide, months)
	}
	var said []string
	for _, p := range b.parts {
		said = append(said, p.said)
		b.can = b.can && p.can
	}
	b.name = strings.Join(said, " + ")
	return b
}

func (b *built) rows(n int, r *rand.Rand, beyond bool) (rows [][]string, keys [][]byte) {
	for len(rows) < n {
		row := make([]string, len(b.feeds))
		for c, f := range b.feeds {
			w := b.wide[c]
			if beyond && r.IntN(2) == 0 {
				w = decades
			}
			row[c] = f.draw(r, w)
		}
		var k []byte
		for _, p := range b.parts {
			k = append(k, p.write(row)...)
		}
		if len(k) > 0 {
			rows, keys = append(rows, row), append(keys, k)
		}
	}
	return rows, keys
}

// withoutTrace is the key of a row without the steps that changed no byte of the keys of rows:
// nothing says that the program has them.
func (b *built) withoutTrace(rows [][]string, row []string) (key []byte) {
	for _, p := range b.parts {
		write := p.write
		if p.plain != nil && !slices.ContainsFunc(rows, func(r []string) bool { return !bytes.Equal(p.plain(r), p.write(r)) }) {
			write = p.plain
		}
		key = append(key, write(row)...)
	}
	return key
}

// builtCases reads tables of builders. None is sure and wrong.
func builtCases(t *testing.T, n int, seedOf uint64) (all, can tally) {
	t.Helper()
	steps := 0
	for i := range n {
		r := rand.New(rand.NewPCG(seedOf, 1000+uint64(i)))
		b := newBuilt(r)
		rows, keys := b.rows(50, r, false)
		fresh, truth := b.rows(600, r, true)
		start := time.Now()
		res, err := Read(context.Background(), b.names, rows, keys, Limits{})
		require.NoError(t, err, b.name)
		o := &outcome{design: &design{name: b.name}, result: res, verdict: res.Verdict, took: time.Since(start)}
		if l := res.Layout; l != nil {
			other, refused, untraced := 0, 0, 0
			for j, row := range fresh {
				switch k, err := l.Key(row); {
				case err != nil:
					refused++
				case !bytes.Equal(k, truth[j]) && bytes.Equal(k, b.withoutTrace(rows, row)):
					untraced++
				case !bytes.Equal(k, truth[j]):
					if other++; other == 1 {
						o.detail = fmt.Sprintf("%q: %q, not %q", row, k, truth[j])
					}
				}
			}
			o.right, o.refuses = other+refused+untraced == 0, other == 0 && refused+untraced > 0
			if untraced > 0 && o.verdict == Sure {
				steps++
			}
			if o.verdict == Sure && other > 0 {
				t.Errorf("sure and wrong, case %d: %s\n  read as %v\n  %s", i, b.name, l, o.detail)
			}
		}
		all.add(o)
		if b.can {
			can.add(o)
		}
		if os.Getenv("ROWKEY_INFER") != "" && b.can && !o.right && !o.refuses {
			t.Logf("case %d %v: %s, breadth %v: read as %v: %s %v", i, o.verdict, b.name, b.wide, res.Layout, o.detail, res.Why)
		}
	}
	t.Logf("all: %v; of the sure ones %d have a step that changed no key of the rows given", &all, steps)
	t.Logf("of what the notation can say: %v", &can)
	return all, can
}

func TestBuilders(t *testing.T) {
	from := seedOf(t)
	if testing.Short() {
		from = 2 // whose first case is found, and at once
	}
	_, can := builtCases(t, cases(t, 6), from)
	require.Positive(t, can.found) // how many of so few is chance: TestThousand counts
}
