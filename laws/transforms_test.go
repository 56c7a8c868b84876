package laws

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// Steps of others' making, for the random schemas: transforms, a digest, a unit
// of time. Each transform is two functions on strings, which the slow reference
// calls as they stand, and the Traits that it has.

type testVia struct {
	name   string
	traits rowkey.Traits
	write  func(string) (string, error)
	read   func(string) (string, bool)
	end    func(string) int // of forms that end themselves; −1 if there is none
}

func (v *testVia) String() string            { return v.name }
func (v *testVia) Traits() rowkey.Traits     { return v.traits }
func (v *testVia) ends() bool                { return v.end != nil }
func (v *testVia) via() rowkey.FormOption    { return rowkey.Via(v.transform()) }
func (v *testVia) fixed() (int, bool)        { return v.traits.Size, v.traits.Size > 0 }
func (v *testVia) Len(b []byte) (int, error) { panic("not a Delimiter") }

// given judges what every step of others gets, whatever the schema: a value
// without spare capacity, and clear room, in which it leaves its mark.
func given(dst, value []byte) {
	room := dst[len(dst):cap(dst)]
	for i := range room {
		if room[i] != 0 {
			panic("the room behind dst is not clear")
		}
		room[i] = 0xee
	}
	if cap(value) != len(value) {
		panic("more stands after the value")
	}
}

func (v *testVia) Append(dst, value []byte) ([]byte, error) {
	given(dst, value)
	form, err := v.write(string(value))
	if err != nil {
		return dst, err
	}
	return append(dst, form...), nil
}

var errTestVia = errors.New("no form of it")

func (v *testVia) Invert(dst, stored []byte) ([]byte, error) {
	given(dst, stored)
	value, ok := v.read(string(stored))
	if ok { // what write does not write is refused
		form, err := v.write(value)
		ok = err == nil && form == string(stored)
	}
	if !ok {
		return dst, errTestVia
	}
	return append(dst, value...), nil
}

// testTransform hides Len, testDelimiter shows it.
type testTransform struct{ rowkey.Transform }

type testDelimiter struct {
	rowkey.Transform
	end func(string) int
}

func (d testDelimiter) Len(b []byte) (int, error) {
	if n := d.end(string(b)); n >= 0 {
		return n, nil
	}
	return 0, errTestVia
}

func (v *testVia) transform() rowkey.Transform {
	if v.traits.OneWay && !v.traits.Prefixes {
		return rowkey.OneWay(v.name, v.traits.Size, func(dst, value []byte) ([]byte, error) { return v.Append(dst, value) })
	}
	if v.ends() {
		return testDelimiter{v, v.end}
	}
	return testTransform{v}
}

var testVias = func() map[string]*testVia {
	all := map[string]*testVia{}
	for _, v := range []*testVia{
		testPercent, testPairs, testHexDown, testBare, testCounted, testShort, testMin4, testTag, testFold, testTwos, testLow,
	} {
		all[v.name] = v
	}
	return all
}()

var testViaNames = []string{"percent", "pairs", "hexdown", "bare", "counted", "short", "min4", "tag", "fold", "twos", "low"}

// tag writes a T in front: a form that ends as its value does.
var testTag = &testVia{
	name:   "tag",
	traits: rowkey.Traits{Order: rowkey.Forward, First: "T", Prefixes: true},
	write:  func(s string) (string, error) { return "T" + s, nil },
	read:   func(s string) (string, bool) { return strings.CutPrefix(s, "T") },
}

// percent escapes %, _ and ; so that they can separate.
var testPercent = &testVia{
	name:   "percent",
	traits: rowkey.Traits{Order: rowkey.Unordered, Prefixes: true},
	write: func(s string) (string, error) {
		return strings.NewReplacer("%", "%0", "_", "%1", ";", "%2").Replace(s), nil
	},
	read: func(s string) (string, bool) {
		return strings.NewReplacer("%0", "%", "%1", "_", "%2", ";").Replace(s), true
	},
}

const testDigits = "0123456789abcdef"

// pairs writes each byte as two hexadecimal digits: in order.
var testPairs = &testVia{
	name:   "pairs",
	traits: rowkey.Traits{Order: rowkey.Forward, Prefixes: true},
	write: func(s string) (string, error) {
		var b strings.Builder
		for i := range len(s) {
			b.WriteByte(testDigits[s[i]>>4])
			b.WriteByte(testDigits[s[i]&15])
		}
		return b.String(), nil
	},
	read: testUnhex,
}

func testUnhex(s string) (string, bool) {
	var b []byte
	for ; len(s) >= 2; s = s[2:] {
		hi, lo := strings.IndexByte(testDigits, s[0]), strings.IndexByte(testDigits, s[1])
		if hi < 0 || lo < 0 {
			return "", false
		}
		b = append(b, byte(hi<<4|lo))
	}
	return string(b), s == ""
}

// hexdown writes the complement of each byte so, and ends with ~, above all
// digits: the larger value first.
var testHexDown = &testVia{
	name:   "hexdown",
	traits: rowkey.Traits{Order: rowkey.Backward, Delimited: true, First: testDigits + "~", Prefixes: true, End: 1},
	write: func(s string) (string, error) {
		form, err := testPairs.write(testNot(s))
		return form + "~", err
	},
	read: func(s string) (string, bool) {
		digits, ended := strings.CutSuffix(s, "~")
		value, ok := testUnhex(digits)
		return testNot(value), ok && ended
	},
	end: func(s string) int {
		if i := strings.IndexByte(s, '~'); i >= 0 {
			return i + 1
		}
		return -1
	},
}

func testNot(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] ^= 0xff
	}
	return string(b)
}

// bare writes 00 as 00ff and ends with 00, as FoundationDB does.
var testBare = &testVia{
	name:   "bare",
	traits: rowkey.Traits{Order: rowkey.Forward, NextBelow: 0xff, Prefixes: true, End: 1},
	write: func(s string) (string, error) {
		return strings.ReplaceAll(s, "\x00", "\x00\xff") + "\x00", nil
	},
	read: func(s string) (string, bool) {
		body, ended := strings.CutSuffix(s, "\x00")
		return strings.ReplaceAll(body, "\x00\xff", "\x00"), ended
	},
	end: func(s string) int {
		for i := range len(s) {
			if s[i] == 0 && (i+1 == len(s) || s[i+1] != 0xff) {
				return i + 1
			}
		}
		return -1
	},
}

// counted writes the length in front.
var testCounted = &testVia{
	name:   "counted",
	traits: rowkey.Traits{Order: rowkey.Unordered, Delimited: true},
	write: func(s string) (string, error) {
		if len(s) > 255 {
			return "", rowkey.ErrLength
		}
		return string([]byte{byte(len(s))}) + s, nil
	},
	read: func(s string) (string, bool) {
		if s == "" {
			return "", false
		}
		return s[1:], true
	},
	end: func(s string) int {
		if s == "" || len(s) <= int(s[0]) {
			return -1
		}
		return 1 + int(s[0])
	},
}

// short writes up to three bytes in four: filled up, and the length after.
var testShort = &testVia{
	name:   "short",
	traits: rowkey.Traits{Order: rowkey.Forward, Size: 4},
	write: func(s string) (string, error) {
		if len(s) > 3 {
			return "", errors.New("more than three bytes")
		}
		return s + strings.Repeat("\x00", 3-len(s)) + string([]byte{byte(len(s))}), nil
	},
	read: func(s string) (string, bool) {
		if len(s) != 4 || s[3] > 3 {
			return "", false
		}
		return s[:s[3]], true
	},
}

// min4 writes four bytes without the zeros in front, and how many after a tag:
// the shortest number first.
var testMin4 = &testVia{
	name:   "min4",
	traits: rowkey.Traits{Order: rowkey.Forward, Delimited: true, First: "\x14\x15\x16\x17\x18"},
	write: func(s string) (string, error) {
		if len(s) != 4 {
			return "", rowkey.ErrLength
		}
		s = strings.TrimLeft(s, "\x00")
		return string([]byte{0x14 + byte(len(s))}) + s, nil
	},
	read: func(s string) (string, bool) {
		if len(s) == 0 || len(s) > 5 {
			return "", false
		}
		return strings.Repeat("\x00", 5-len(s)) + s[1:], true
	},
	end: func(s string) int {
		if s == "" || s[0] < 0x14 || s[0] > 0x18 || len(s) < int(s[0]-0x13) {
			return -1
		}
		return int(s[0] - 0x13)
	},
}

// fold writes b as a, and ff as 00, and nothing undoes it.
var testFold = &testVia{
	name:   "fold",
	traits: rowkey.Traits{Order: rowkey.Unordered, OneWay: true},
	write:  func(s string) (string, error) { return strings.NewReplacer("b", "a", "\xff", "\x00").Replace(s), nil },
}

// twos writes two bytes as the second and the first, and no text of an odd length.
var testTwos = &testVia{
	name:   "twos",
	traits: rowkey.Traits{Order: rowkey.Unordered, Prefixes: true},
	write:  testSwap,
	read: func(s string) (string, bool) {
		back, err := testSwap(s)
		return back, err == nil
	},
}

func testSwap(s string) (string, error) {
	if len(s)%2 != 0 {
		return "", errTestVia
	}
	b := []byte(s)
	for i := 0; i < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b), nil
}

// low writes b as a and _ as %, and nothing undoes it.
var testLow = &testVia{
	name:   "low",
	traits: rowkey.Traits{Order: rowkey.Unordered, OneWay: true, Prefixes: true},
	write:  func(s string) (string, error) { return strings.NewReplacer("b", "a", "_", "%").Replace(s), nil },
}

// keepsPrefixes reports that a field's options keep what its values begin with,
// some transform among them.
func (c *refComp) keepsPrefixes() bool {
	for _, o := range c.opts {
		switch o.word {
		case "Reverse", "ReverseRune", "ReverseLabels", "ReversePart", "PadLeft", "Codes", "NotStored", "UUID", "LenPrefix", "Loose", "OneOf":
			return false
		case "Via":
			if !testVias[o.text].traits.Prefixes {
				return false
			}
		}
	}
	return c.isText() && c.has("Via")
}

// begun is what the forms begin with of values that begin so: after each transform
// and inversion. False if a transform cannot write it.
func (c *refComp) begun(begin string) (stages []string, ok bool) {
	stages = []string{begin}
	for _, o := range c.opts {
		switch o.word {
		case "Desc":
			begin = testNot(begin)
		case "Via":
			v := testVias[o.text]
			form, err := v.write(begin)
			if err != nil {
				return stages, false
			}
			begin = form[:max(0, len(form)-v.traits.End)]
		}
		stages = append(stages, begin)
	}
	return stages, true
}

// testOwn is a digest of six bytes.
var testOwn = rowkey.NewDigest("own", 6, func(dst, data []byte) []byte {
	given(dst, data)
	return append(dst, testOwnSum(data)...)
})

func testOwnSum(data []byte) []byte {
	h := fnv.New64a()
	h.Write(data)
	return binary.BigEndian.AppendUint64(nil, h.Sum64())[:6]
}

// testMonths counts calendar months.
var testMonths = rowkey.NewUnit("months", 24*time.Hour,
	func(t time.Time) int64 { return int64(t.Year()-1970)*12 + int64(t.Month()) - 1 },
	func(n int64) time.Time { return time.Date(1970, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC) })

// others reports that some step of the schema is of others' making.
func (s *refSchema) others() bool {
	return slices.ContainsFunc(s.comps, func(c refComp) bool {
		own := c.part.digest == "Own" || c.unit.word == "Months" || c.has("Via")
		return own || slices.ContainsFunc(c.opts, func(o refOpt) bool { return o.part.digest == "Own" || o.unit.word == "Months" })
	})
}

// a broken transform does what it is told to.
type testBroken struct {
	traits rowkey.Traits
	append func(dst, value []byte) ([]byte, error)
	invert func(dst, stored []byte) ([]byte, error)
	len    func(b []byte) (int, error)
}

func (b testBroken) String() string        { return "broken" }
func (b testBroken) Traits() rowkey.Traits { return b.traits }
func (b testBroken) Append(dst, value []byte) ([]byte, error) {
	if b.append == nil {
		return append(dst, value...), nil
	}
	return b.append(dst, value)
}
func (b testBroken) Invert(dst, stored []byte) ([]byte, error) {
	if b.invert == nil {
		return append(dst, stored...), nil
	}
	return b.invert(dst, stored)
}

// ---- the laws, where transforms are dense

// Every schema of this run has a transform: rows come back, bytes sort as is
// said, prefixes isolate, and plans are sound, and tight where they have to be.
func TestLawTransforms(t *testing.T) {
	via := func(p genPair) bool { return p.a.word == "Via" || p.b.word == "Via" }
	lawOf(t, 100, via, func(c *lawCase) {
		c.allLaws()
	}, "rows", "tight plans", "prefixes of values", "neighbours of bounds", "intervals of forward transforms",
		"intervals of backward transforms", "conditions on transforms without order", "beginnings behind a transform", "beginnings that a transform cannot write",
		"tight prefixes behind transforms")
}

// allLaws holds one schema against the laws.
func (c *lawCase) allLaws() {
	for i, f := range c.s.supplied() {
		if !f.has("NotStored") {
			c.order(i, f, c.built.Order(f.name))
		}
	}
	for range 10 {
		c.row = genRow(c.r, c.s)
		if want := c.s.encode(c.row); len(want.faults) == 0 {
			c.write(want)
			c.readBack(want)
			c.one("rows")
		}
	}
	g := c.grid()
	for n := 1; n <= len(c.s.supplied()); n++ {
		for i, x := range g.rows {
			if i < 12 {
				g.isolates(x.row[:n], x.kept[:n])
			}
		}
		if c.s.supplied()[n-1].isText() {
			g.prefixes(n)
		}
	}
	p := c.plans()
	for range 8 {
		p.q = p.query()
		p.tally(p.q.conds)
		plan, ranges := p.check()
		if plan != nil {
			p.neighbours(plan, ranges, false)
		}
		p.asked()
	}
	for range 8 {
		if !p.loose && len(p.rows) > 0 && p.tightQuery() {
			p.tight()
			p.asked()
		}
	}
}

// Forms that go on where others end, before all that may stand after
// them: the rows of a\x00b are not among those of a.
func TestLawGoesOn(t *testing.T) {
	texts := []string{
		`New("s").String("a", Via(bare)).Uint("b", 4, Via(min4))`,
		`New("s").String("a", Via(bare)).Uint("b", 2, Digits(5)).String("c", Via(bare))`,
		`New("s").String("a", Via(bare)).Time("b", Layout("20060102", time.FixedZone("", 0)))`,
		`New("s").String("a", Via(bare)).String("b", Via(hexdown))`,
		`New("s").String("a", Via(bare)).String("b", Chars("ab"))`,
		`New("s").String("a", Via(bare)).Literal("\xfe").String("b")`,
		`New("s").String("a", Via(bare)).Bool("b").Uint("c", 1)`,
		`New("s").String("a", Via(bare), Desc).Uint("b", 4, Desc, Via(min4))`,
		`New("s").String("a", Via(bare), Desc).Uint("b", 2, Digits(5))`,
		`New("s").String("a", Desc, Via(bare)).Uint("b", 2, Digits(5))`,
		`New("s").String("a", Via(pairs), Via(bare)).Uint("b", 4, Via(min4))`,
		`New("s").Salt(3, "b").String("a", Via(bare)).Uint("b", 2, Digits(5))`,
		`New("s").Salt(3, "b", Via(percent)).String("a", Via(bare), Desc).Uint("b", 2, Digits(5)).String("c")`,
		`New("s").Uint("b", 2).String("a", Via(bare)).Hash(MD5.Hex(2), "b").Uint("c", 1)`,
		`New("s").String("a", Via(bare)).Copy("d", "b", Digits(5)).Uint("b", 2)`,
		`New("s").String("a", Via(bare)).String("b", Via(bare), OneOf("a", "a\x00", "b")).Uint("c", 4, Via(min4))`,
		`New("s").Uint("b", 1).String("a", Via(bare))`,
		`New("s").Uint("b", 1).String("a", Via(bare), Desc)`,
	}
	lawRounds(t, texts, func(c *lawCase) { c.allLaws() }, "rows", "tight plans", "prefixes of values", "neighbours of bounds", "intervals of forward transforms",
		"intervals of backward transforms")
}

// lawRounds runs a law over some schemas again and again.
func lawRounds(t *testing.T, texts []string, each func(c *lawCase), met ...string) *lawRun {
	t.Helper()
	run := lawOf(t, 6*len(texts), nil, func(c *lawCase) {
		s, err := goldenSchema(texts[c.index%len(texts)])
		if err != nil {
			t.Fatal(err)
		}
		if c.s = s; c.s != nil {
			if c.built, err = s.build(); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		each(c)
	}, met...)
	return run
}

// asked counts what the query asks of fields with a transform.
func (p *planCase) asked() {
	for _, k := range p.q.conds {
		if k.field == nil || !k.field.has("Via") {
			continue
		}
		order := p.built.Order(k.field.name)
		switch {
		case order == rowkey.Unordered:
			p.count("conditions on transforms without order")
		case k.word != "Eq" && k.word != "In":
			p.count(fmt.Sprintf("intervals of %v transforms", order))
		}
	}
}

// Transform × Desc before or after × frame × separator × what follows, over all
// strings of two letters up to length 3.
func TestAlgebraTransforms(t *testing.T) {
	for _, letters := range []string{"\x00\x01", "\x00\xff", "_a"} {
		t.Run(fmt.Sprintf("%x", letters), func(t *testing.T) {
			t.Parallel()
			algebraOfTransforms(t, letters)
		})
	}
}

func algebraOfTransforms(t *testing.T, letters string) {
	a := newAlgebra(t)
	x, y := letters[:1], letters[1:]
	var values []any
	for _, s := range algebraTexts(letters, 3) {
		values = append(values, s)
	}
	frames := [][]refOpt{
		nil,
		{{word: "Fixed", n: 4}},
		{{word: "Pad", n: 7, b: x[0]}},
		{{word: "Pad", n: 7, b: 0}},
		{{word: "Escaped"}},
		{{word: "Reverse"}},
		{{word: "OneOf", list: []string{x, y, x + y}}},
		{{word: "Via", text: "bare"}},
	}
	tails := algebraTails(letters)
	delete(tails, "ended text")
	delete(tails, "constant text")
	min4 := refComp{word: "Uint", name: "n", size: 4, opts: []refOpt{{word: "Via", text: "min4"}}}
	bare := refComp{word: "String", name: "t", opts: []refOpt{{word: "Via", text: "bare"}}}
	down := refComp{word: "Uint", name: "n", size: 4, opts: []refOpt{{word: "Desc"}, {word: "Via", text: "min4"}}}
	for name, c := range map[string]refComp{"a short number": min4, "bare text": bare, "a short number down": down} {
		tail := tails[name]
		tail.comps, tail.values = []refComp{c}, []any{uint64(0), uint64(1), uint64(1 << 31)}
		if c.word == "String" {
			tail.values = []any{"", x, y, x + y}
		}
		tails[name] = tail
	}
	lead := tails["text"]
	lead.comps = []refComp{{word: "Literal", text: "\xfe"}, {word: "String", name: "t"}}
	tails["another constant"] = lead
	for _, via := range testViaNames {
		for _, frame := range frames {
			for _, desc := range []int{0, 1, 2, 3} { // not at all, before the transform, after it, at the end
				if desc == 3 && frame == nil {
					continue
				}
				v := refOpt{word: "Via", text: via}
				opts := slices.Concat([]refOpt{v}, frame)
				if desc > 0 {
					opts = slices.Insert(opts, min(desc-1, len(opts)), refOpt{word: "Desc"})
				}
				for _, sep := range []string{"", x, y, "\x00", "\xff"} {
					for _, name := range slices.Sorted(maps.Keys(tails)) {
						s := &refSchema{name: "algebra", comps: []refComp{{word: "String", name: "f", opts: opts}}}
						if sep != "" {
							s.comps = append(s.comps, refComp{word: "Separator", text: sep})
						}
						s.comps = append(s.comps, tails[name].comps...)
						a.add(s, values, tails[name].values)
					}
				}
			}
		}
	}
	a.run()
}

// ---- transforms one by one

func TestVia(t *testing.T) {
	s := rowkey.New("s").
		Salt(20, "id", rowkey.Width(2), testPairs.via()).
		String("id", testBare.via()).
		Uint("n", 4, rowkey.Desc, testMin4.via()).
		Time("at", testMonths, rowkey.Width(2)).
		Hash(testOwn.Hex(4), "id").
		MustBuild()
	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	key, err := s.AppendKey(nil, "a\x00b", uint32(math.MaxUint32-7), at)
	want := "000a" + "\x61\x00\xff\x62\x00" + "\x15\x07" + "\x02\x80" + hex.EncodeToString(testOwnSum([]byte("a\x00b")))[:4]
	if err != nil || string(key) != want {
		t.Fatalf("key %q %v, want %q", key, err, want)
	}
	var id string
	var n uint64
	var month time.Time
	if err := s.Read(key).String(&id).Uint(&n).Time(&month).Err(); err != nil || id != "a\x00b" || n != math.MaxUint32-7 || !month.Equal(at.Truncate(24*time.Hour).AddDate(0, 0, -15)) {
		t.Errorf("read %q %d %v %v", id, n, month, err)
	}
	const layout = `[salt20(id) width(2) via("pairs")][id via("bare")][n:4 desc via("min4")][months(at) width(2)][own.hex(4)(id)]`
	if got := s.String(); got != layout {
		t.Errorf("layout %s\nwant   %s", got, layout)
	}
	wantText := `s ` + layout + `: 17 bytes
0   30303061    [salt20(id) width(2) via("pairs")]  bucket 10 of 20
4   6100ff6200  [id via("bare")]                    "a\x00b"
9   1507        [n:4 desc via("min4")]              4294967288
11  0280        [months(at) width(2)]               2023-05-01T00:00:00Z
13  ` + hex.EncodeToString(key[13:]) + `    [own.hex(4)(id)]                    as the fields give it
`
	if got := s.Explain(key); got != wantText {
		t.Errorf("Explain:\n%s\nwant:\n%s", got, wantText)
	}
	for name, of := range map[string]*rowkey.Builder{
		"another transform": rowkey.New("s").String("id", testCounted.via()),
		"none":              rowkey.New("s").String("id"),
		"two":               rowkey.New("s").String("id", testBare.via(), testBare.via()),
	} {
		if of.MustBuild().Fingerprint() == rowkey.New("s").String("id", testBare.via()).MustBuild().Fingerprint() {
			t.Errorf("%s: the fingerprint is the same", name)
		}
	}
	if rowkey.New("s").Time("at", testMonths).MustBuild().Fingerprint() == rowkey.New("s").Time("at", rowkey.Days).MustBuild().Fingerprint() {
		t.Error("a unit of NewUnit has the fingerprint of another")
	}
}

// Splits lie in the order of what the transforms write, with the values they take.
func TestViaSplits(t *testing.T) {
	for _, c := range []struct {
		b    *rowkey.Builder
		want string
	}{
		{rowkey.New("s").Bool("a", testHexDown.via()), "66667e"},
		{rowkey.New("s").Bool("a", testPercent.via(), rowkey.PadLeft(2, 0)).Bool("b"), "000101"}, // false ends as the pad does
		{rowkey.New("s").String("a", rowkey.OneOf("a", "bc"), testCounted.via()), "026263"},
		{rowkey.New("s").Salt(2, "a", testHexDown.via()).String("a"), "66667e"},
	} {
		s := c.b.MustBuild()
		splits, err := s.Splits(2)
		if err != nil || hex.EncodeToString(splits[0]) != c.want {
			t.Errorf("%s: splits %x %v, want %s", s, splits, err, c.want)
		}
	}
}

// Where a transform leaves Pad nothing to fill, the pad moves no form, though it
// sorts above them.
func TestViaPadded(t *testing.T) {
	s := rowkey.New("s").String("a", testShort.via(), rowkey.Pad(4, 0xff)).MustBuild()
	for _, c := range []struct {
		cond rowkey.Cond
		want int
	}{
		{rowkey.MoreThan("a", "b"), 1}, {rowkey.AtLeast("a", "b"), 2}, {rowkey.LessThan("a", "b"), 1}, {rowkey.AtMost("a", "\xffb\xff"), 3},
	} {
		plan, err := s.Scan(c.cond)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, v := range []string{"a", "b", "\xffb\xff"} {
			key, err := s.AppendKey(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			n += planCovering(slices.Collect(plan.Ranges()), key)
		}
		if n != c.want {
			t.Errorf("%v covers %d rows, want %d", plan, n, c.want)
		}
	}
}

// TestPlanUnwrittenValue: no row has a value that the transform refuses, so that it has no
// range beside the ranges of the other values.
func TestPlanUnwrittenValue(t *testing.T) {
	s := rowkey.New("t").String("a", rowkey.Via(testShort)).Uint("n", 1).MustBuild()
	plan, err := s.Scan(rowkey.AnyOf(rowkey.Span("a", "a", "b"), rowkey.Eq("a", "long")))
	if err != nil || !plan.Exact() || plan.Len() != 1 {
		t.Errorf("%v %v: want one range that is exact", plan, err)
	}
	plan, err = s.Scan(rowkey.AnyOf(rowkey.Eq("a", "long"), rowkey.Eq("a", "longer")))
	if err != nil || plan.Len() != 0 {
		t.Errorf("%v %v: want no range", plan, err)
	}
}

// What Build refuses, in words.
func TestViaRefused(t *testing.T) {
	is := func(traits rowkey.Traits) rowkey.FormOption { return rowkey.Via(testBroken{traits: traits}) }
	ender := func(traits rowkey.Traits) rowkey.FormOption {
		return rowkey.Via(testBrokenEnder{testBroken{traits: traits}})
	}
	own := func(name string, size int) rowkey.Part {
		return rowkey.NewDigest(name, size, func(dst, data []byte) []byte { return append(dst, 1) }).Hex(2)
	}
	to, from := func(t time.Time) int64 { return t.Unix() / 60 }, func(n int64) time.Time { return time.Unix(60*n, 0) }
	unit := func(u rowkey.Unit) *rowkey.Builder { return rowkey.New("s").Time("at", u) }
	for want, b := range map[string]*rowkey.Builder{
		"Via(nil)":                     rowkey.New("s").String("a", rowkey.Via(nil)),
		"Order":                        rowkey.New("s").String("a", is(rowkey.Traits{})),
		"a Size of -1 is not within":   rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, Size: -1})),
		"Delimited, but it has no Len": rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, Delimited: true})),
		"NextBelow, but it has no Len": rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, NextBelow: 0xff})),
		"NextBelow has":                rowkey.New("s").String("a", ender(rowkey.Traits{Order: rowkey.Forward, Delimited: true, NextBelow: 0xff})),
		"whatever the next byte":       rowkey.New("s").String("a", ender(rowkey.Traits{Order: rowkey.Forward, Size: 3, NextBelow: 0xff})),
		"none begins as another does":  rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, Size: 3, Prefixes: true})),
		"End of -1 is not within":      rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, Prefixes: true, End: -1})),
		"and these do not":             rowkey.New("s").String("a", is(rowkey.Traits{Order: rowkey.Forward, End: 1})),
		"not empty":                    rowkey.New("s").String("a", rowkey.Via(&testVia{traits: rowkey.Traits{Order: rowkey.Forward}})),
		"has no end before":            rowkey.New("s").String("a", testPercent.via()).Uint("b", 1),
		"put a Literal between":        rowkey.New("s").String("a", testBare.via()).Uint("b", 1),
		"so that the key ends where":   rowkey.New("s").String("a", testBare.via(), rowkey.Desc).String("b", rowkey.Chars("a")),
		"Via stands before":            rowkey.New("s").String("a", rowkey.Escaped, testPairs.via()),
		"writes two buckets alike":     rowkey.New("s").Salt(4, "a", rowkey.Via(testBroken{traits: rowkey.Traits{Order: rowkey.Unordered}, append: func(dst, _ []byte) ([]byte, error) { return append(dst, 1), nil }})).Uint("a", 1),
		"bucket 0 cannot be written":   rowkey.New("s").Salt(4, "a", testMin4.via()).Uint("a", 1),
		"with its separator in it":     rowkey.New("s").Salt(200, "a", rowkey.Decimal, testPercentOf("1")).Separator("x").Uint("a", 1),
		"needs a Size":                 rowkey.New("s").Salt(2000, "a", rowkey.Width(2), testPercent.via()).Separator(";").Uint("a", 1),
		"width stands before Via":      rowkey.New("s").Salt(4, "a", testPairs.via(), rowkey.Width(2)).Uint("a", 1),
		"option via does not fit":      rowkey.New("s").Hash(rowkey.MD5.Hex(2), "a", testPairs.via()).Uint("a", 1),

		"one of this package's: give yours another name": rowkey.New("s").Hash(own("md5", 4), "a").Uint("a", 1),
		"a digest's name is made of":                     rowkey.New("s").Hash(own("a-b", 4), "a").Uint("a", 1),
		"and 1 to 64 are allowed":                        rowkey.New("s").Hash(own("big", 65), "a").Uint("a", 1),
		"NewDigest needs a function":                     rowkey.New("s").Hash(rowkey.NewDigest("nil", 4, nil).Hex(2), "a").Uint("a", 1),
		"is not within the digest's 4 bytes":             rowkey.New("s").Hash(rowkey.NewDigest("four", 4, func(dst, _ []byte) []byte { return dst }).Raw(5), "a").Uint("a", 1),
		"Seed fits":                                      rowkey.New("s").Hash(rowkey.MD5.Seed(1).Hex(2), "a").Uint("a", 1),
		"a seed has 32 bits":                             rowkey.New("s").Hash(rowkey.Murmur3.Seed(1<<32).Hex(2), "a").Uint("a", 1),

		"unit ms is one of this package's": unit(rowkey.NewUnit("ms", time.Minute, to, from)),
		"a unit's name is made of":         unit(rowkey.NewUnit("", time.Minute, to, from)),
		"needs two functions":              unit(rowkey.NewUnit("own", time.Minute, to, nil)),
		"longer than nothing":              unit(rowkey.NewUnit("own", 0, to, from)),
		"to(from(0)) is not 0":             unit(rowkey.NewUnit("own", time.Minute, func(time.Time) int64 { return 1 }, from)),
		"Since does not fit a unit":        unit(testMonths.Since(time.Unix(0, 0))),
		"Truncate does not fit a unit":     rowkey.New("s").Time("at", testMonths, rowkey.Truncate(24*time.Hour)),
	} {
		_, err := b.Build()
		if !errors.Is(err, rowkey.ErrSchema) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

// testPercentOf escapes some digit with x.
func testPercentOf(digit string) rowkey.FormOption {
	return rowkey.Via(testTransform{&testVia{
		name:   "x",
		traits: rowkey.Traits{Order: rowkey.Unordered},
		write:  func(s string) (string, error) { return strings.ReplaceAll(s, digit, "x"+digit), nil },
		read:   func(s string) (string, bool) { return strings.ReplaceAll(s, "x"+digit, digit), true },
	}})
}

// Whatever a transform does, a key is whole or there is a typed error, and the
// caller's memory is as it was.
func TestViaMisbehaves(t *testing.T) {
	errOwn := errors.New("its own")
	free := rowkey.Traits{Order: rowkey.Forward, Delimited: true}
	good := func(dst, b []byte) ([]byte, error) { return append(append(dst, byte(len(b))), b...), nil }
	end := func(b []byte) (int, error) { return 1 + int(b[0]), nil }
	for name, c := range map[string]struct {
		b      testBroken
		ends   bool
		writes bool  // the key is written, and reading it fails
		want   error // of writing, or of reading
		also   error
	}{
		"Append panics":       {b: testBroken{append: func(_, b []byte) ([]byte, error) { return nil, []error{}[len(b)] }}, want: rowkey.ErrRange},
		"Append panics aloud": {b: testBroken{append: func(_, b []byte) ([]byte, error) { panic(string(b)) }}, want: rowkey.ErrRange},
		"Append fails":        {b: testBroken{append: func(dst, _ []byte) ([]byte, error) { return dst, errOwn }}, want: rowkey.ErrRange, also: errOwn},
		"Append fails with a reason": {b: testBroken{append: func(dst, _ []byte) ([]byte, error) {
			return dst, fmt.Errorf("too long: %w", rowkey.ErrLength)
		}}, want: rowkey.ErrLength},
		"Append fails with another's reason": {b: testBroken{append: func(dst, _ []byte) ([]byte, error) { return dst, rowkey.ErrAmbiguous }}, want: rowkey.ErrRange},
		"Append fails with a nil pointer":    {b: testBroken{append: func(dst, _ []byte) ([]byte, error) { return dst, (*testNilError)(nil) }}, want: rowkey.ErrRange},
		"Append fails with a wrapped one": {b: testBroken{append: func(dst, _ []byte) ([]byte, error) {
			return dst, errors.Join(errOwn, (*testNilError)(nil))
		}}, want: rowkey.ErrRange},
		"Append has another size": {b: testBroken{traits: rowkey.Traits{Order: rowkey.Forward, Size: 9}}, want: rowkey.ErrLength},
		"Append begins otherwise": {b: testBroken{traits: rowkey.Traits{Order: rowkey.Forward, First: "xyz"}}, want: rowkey.ErrLength},
		"Append gives nothing":    {b: testBroken{traits: free, append: func(dst, _ []byte) ([]byte, error) { return dst, nil }, len: end}, ends: true, want: rowkey.ErrLength},
		"Append writes where it should not": {b: testBroken{append: func(dst, b []byte) ([]byte, error) {
			for i := range b {
				b[i] = 'x'
			}
			return b, nil
		}}, writes: true, want: rowkey.ErrMalformed, also: errOwn},
		"Len is wrong":                       {b: testBroken{traits: free, append: good, len: func(b []byte) (int, error) { return len(b) + 1, nil }}, ends: true, want: rowkey.ErrLength},
		"Len is negative":                    {b: testBroken{traits: free, append: good, len: func(b []byte) (int, error) { return math.MinInt, nil }}, ends: true, want: rowkey.ErrLength},
		"Len panics":                         {b: testBroken{traits: free, append: good, len: func(b []byte) (int, error) { panic(b) }}, ends: true, want: rowkey.ErrLength},
		"Len fails":                          {b: testBroken{traits: free, append: good, len: func(b []byte) (int, error) { return 0, errOwn }}, ends: true, want: rowkey.ErrLength},
		"Invert panics":                      {b: testBroken{invert: func(dst, b []byte) ([]byte, error) { return append(dst, b[99]), nil }}, writes: true, want: rowkey.ErrMalformed},
		"Invert fails":                       {b: testBroken{invert: func(dst, b []byte) ([]byte, error) { return nil, errOwn }}, writes: true, want: rowkey.ErrMalformed, also: errOwn},
		"Invert fails with a nil pointer":    {b: testBroken{invert: func(dst, b []byte) ([]byte, error) { return dst, (*testNilError)(nil) }}, writes: true, want: rowkey.ErrMalformed},
		"Invert fails with another's reason": {b: testBroken{invert: func(dst, b []byte) ([]byte, error) { return nil, rowkey.ErrAmbiguous }}, writes: true, want: rowkey.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			if c.b.traits.Order == 0 {
				c.b.traits.Order = rowkey.Unordered
			}
			if name == "Append writes where it should not" {
				c.b.invert = func(dst, _ []byte) ([]byte, error) { return dst, errOwn }
			}
			via := rowkey.Via(c.b)
			if c.ends {
				via = rowkey.Via(testBrokenEnder{c.b})
			}
			s, err := rowkey.New("s").Salt(4, "a").String("a", via).Separator(";").MustBuild(), error(nil)
			head := append(make([]byte, 0, 100), "head"...)
			value := []byte("s3cr3t")
			key, err := s.AppendKey(head, value)
			if string(value) != "s3cr3t" || string(head) != "head" {
				t.Errorf("value %q, dst %q", value, head)
			}
			if c.writes {
				if err != nil {
					t.Fatal(err)
				}
				key = key[len("head"):]
				before := string(key)
				_, err = s.Decode(key)
				if string(key) != before {
					t.Errorf("Decode made %q of the key %q", key, before)
				}
				if got := s.Explain(key); got == "" {
					t.Error("no explanation")
				}
			} else if string(key) != "head" {
				t.Errorf("dst came back as %q", key)
			}
			var e *rowkey.Error
			if !errors.As(err, &e) || e.Field != "a" || !errors.Is(err, c.want) || c.also != nil && !errors.Is(err, c.also) {
				t.Errorf("%v, want %v and %v", err, c.want, c.also)
			}
			if strings.Contains(fmt.Sprint(err), "s3cr3t") {
				t.Errorf("the value is in %v", err)
			}
			if c.want != rowkey.ErrAmbiguous && errors.Is(err, rowkey.ErrAmbiguous) {
				t.Errorf("%v is ErrAmbiguous", err)
			}
			switch plan, err := s.Scan(rowkey.AtLeast("a", "v"), rowkey.FullScan()); {
			case name == "Len panics": // where v lies is not known then
				if !errors.As(err, &e) || e.Field != "a" || !strings.Contains(err.Error(), "panicked") {
					t.Errorf("Scan: %v %v", plan, err)
				}
			case err != nil || plan.Match(key) && c.writes:
				t.Errorf("Scan: %v %v", plan, err)
			}
		})
	}

	digest := rowkey.NewDigest("short", 4, func(dst, _ []byte) []byte { return append(dst, 1) })
	s := rowkey.New("s").Hash(digest.Raw(2), "a").Salt(4, "a", digest.Raw(4)).String("a").MustBuild()
	if key, err := s.AppendKey([]byte("head"), "value"); !errors.Is(err, rowkey.ErrLength) || string(key) != "head" {
		t.Errorf("a digest that is too short: %q %v", key, err)
	}
	if _, err := s.Decode([]byte("\x01\x01\x01value")); !errors.Is(err, rowkey.ErrDerived) {
		t.Errorf("a digest that is too short: %v", err)
	}
	gaps := rowkey.NewUnit("even", time.Second, func(t time.Time) int64 { return t.Unix() / 2 * 2 }, func(n int64) time.Time { return time.Unix(n, 0) })
	s = rowkey.New("s").Time("at", gaps, rowkey.Width(4)).MustBuild()
	if _, err := s.Decode([]byte("\x00\x00\x00\x03")); !errors.Is(err, rowkey.ErrMalformed) {
		t.Errorf("a number that stands for no instant: %v", err)
	}
}

// testNilError is an error that cannot be asked if its pointer is nil.
type testNilError struct{ wrapped error }

func (e *testNilError) Error() string { return e.wrapped.Error() }
func (e *testNilError) Unwrap() error { return e.wrapped }

// A salt has the forms that Build has seen, though its transform writes others later: a form of
// another length would lie over the field after it, or out of the key.
func TestSaltViaChanges(t *testing.T) {
	later := "x"
	s := rowkey.New("s").Salt(4, "a", rowkey.Via(rowkey.OneWay("later", 0, func(dst, b []byte) ([]byte, error) {
		return append(append(dst, later...), b...), nil
	}))).Uint("a", 1).Uint("b", 1).MustBuild()
	key := mustKey(t)(s.AppendKey(nil, 1, 2))
	for _, later = range []string{"", "yz", strings.Repeat("y", 40000)} {
		if again, err := s.AppendKey(nil, 1, 2); err != nil || string(again) != string(key) {
			t.Errorf("%x, before that %x: %v", again, key, err)
		}
		var a, b uint64
		if err := s.Read(key).Uint(&a).Uint(&b).Err(); err != nil || a != 1 || b != 2 {
			t.Errorf("read %d %d: %v", a, b, err)
		}
		if plan, err := s.Scan(rowkey.Eq("a", 1)); err != nil || !plan.Match(key) {
			t.Errorf("%v: %v", plan, err)
		}
	}
}

// testBrokenEnder is a testBroken with Len.
type testBrokenEnder struct{ testBroken }

func (b testBrokenEnder) Len(p []byte) (int, error) { return b.len(p) }

// Forms that a stage after the transform turns round are not those that its Len
// knows: they are few, and found one by one.
func TestViaTurnedForms(t *testing.T) {
	s := rowkey.New("s").String("a", testCounted.via(), rowkey.Reverse, rowkey.OneOf("a", "ab", "b")).Uint("n", 1).MustBuild()
	for _, v := range []string{"a", "ab", "b"} {
		key, err := s.AppendKey(nil, v, 7)
		if err != nil {
			t.Fatal(err)
		}
		var a string
		var n uint64
		if err := s.Read(key).String(&a).Uint(&n).Err(); err != nil || a != v || n != 7 {
			t.Errorf("%q has the key %x, which reads %q %d %v", v, key, a, n, err)
		}
	}
}

// Ranges of values from and to every text of up to three letters hold their rows
// and no others, whatever frame the forms stand in.
func TestFramedForms(t *testing.T) {
	const letters = "\x00aby\xff"
	texts := algebraTexts(letters, 3)
	for _, b := range []*rowkey.Builder{
		rowkey.New("s").Copy("k", "a", rowkey.Pad(2, 'b')).String("a", rowkey.Fixed(2)), // nothing to fill
		rowkey.New("s").Copy("k", "a", rowkey.Desc, rowkey.Pad(2, 'b')).String("a", rowkey.Fixed(2)),
		rowkey.New("s").Copy("k", "a", rowkey.Pad(2, 'b'), rowkey.Desc).String("a", rowkey.Fixed(2)),
		rowkey.New("s").Copy("k", "a", rowkey.Escaped, rowkey.Desc).String("a", rowkey.Fixed(2)),
		rowkey.New("s").String("a", testShort.via(), rowkey.Pad(4, 'b')),
		rowkey.New("s").String("a", testShort.via(), rowkey.Desc, rowkey.Pad(4, 'b')),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Desc, rowkey.Escaped),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Escaped, rowkey.Desc),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Desc, rowkey.Pad(9, 0xff)),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Desc, rowkey.Pad(9, 0)),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Pad(9, 0xff)),
		rowkey.New("s").String("a", testHexDown.via(), rowkey.Pad(9, 0), rowkey.Desc),
		rowkey.New("s").String("a", testShort.via(), rowkey.Desc, rowkey.Escaped),
		rowkey.New("s").String("a", testShort.via(), rowkey.Pad(6, 0)),
		rowkey.New("s").String("a", testShort.via(), rowkey.Escaped, rowkey.Desc),
	} {
		s := b.MustBuild()
		rows := 0
		for _, bound := range texts {
			for i, cond := range []rowkey.Cond{rowkey.AtLeast("a", bound), rowkey.LessThan("a", bound)} {
				plan, err := s.Scan(cond, rowkey.FullScan())
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range texts {
					key, err := s.AppendKey(nil, v)
					if err != nil {
						continue
					}
					rows++
					found := false
					for r := range plan.Ranges() {
						found = found || r.Contains(key)
					}
					if want := (v >= bound) == (i == 0); found != want && (want || plan.Exact()) {
						t.Fatalf("%s: %v: the row of %q is found: %v", s, plan, v, found)
					}
				}
			}
		}
		if rows == 0 {
			t.Errorf("%s stores nothing", s)
		}
	}
}

// A copy of the first bytes of texts is found by what the query says of them, although these bytes alone are less than
// the copy's limits ask of a whole text.
func TestCopiesOfLimitedTexts(t *testing.T) {
	left := rowkey.Left(3)
	limits := [][]rowkey.FieldOption{{rowkey.MinLen(4)}, {rowkey.Fixed(9)}, {rowkey.Chars("glnopy")}, {rowkey.Chars("glnopy"), rowkey.MinLen(4)}}
	steps := [][]rowkey.FieldOption{
		{left}, {left, rowkey.Desc}, {left, testPairs.via()}, {left, testHexDown.via()}, {left, testPercent.via()}, {left, testPairs.via(), rowkey.Desc},
		{rowkey.LenPrefix(1), left}, {rowkey.LenPrefix(2), left, testPairs.via()}, {rowkey.Escaped, left}, {rowkey.Escaped, left, testPercent.via()}, {rowkey.Pad(12, '.'), left, testPairs.via()},
	}
	queries := [][]rowkey.Cond{
		{rowkey.Prefix("a", "poly")}, {rowkey.Prefix("a", "pol")}, {rowkey.Eq("a", "polygonyl")}, {rowkey.Eq("also", "pol")}, {rowkey.In("also", "pol", "log")},
		{rowkey.MoreThan("also", "gol"), rowkey.Prefix("a", "poly")}, {rowkey.AtLeast("a", "polyg"), rowkey.LessThan("a", "polyz")}, {rowkey.Prefix("also", "po")}, {rowkey.NotEq("also", "log")},
	}
	asked := 0
	for _, limit := range limits {
		for _, step := range steps {
			s, err := rowkey.New("s").Copy("also", "a", slices.Concat(limit, step)...).Separator("\x00\x00").String("a").Build()
			if err != nil {
				require.ErrorIs(t, err, rowkey.ErrSchema)
				continue
			}
			key, err := s.AppendKey(nil, "polygonyl")
			require.NoError(t, err, s)
			for _, conds := range queries {
				plan, err := s.Scan(append(conds, rowkey.FullScan())...)
				require.NoError(t, err, s)
				require.True(t, plan.Match(key), "%s: %s", s, plan)
				assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), "%s: %s", s, plan)
				asked++
			}
		}
	}
	assert.Greater(t, asked, 100)
}
