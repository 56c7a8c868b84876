package laws

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Build is what everything trusts, so it is tested exhaustively where that can
// be done: every combination of stages, over every value of a small world. What
// Build admits must write what the reference writes, give every row a key of its
// own, read it back and tell the truth about its order. What it refuses is
// listed by the reason that it gives.

// An algebra gathers what became of each layout.
type algebra struct {
	t                                *testing.T
	admitted, rows, ordered, tooWary int
	refused                          map[string]int
	example                          map[string]string
	cases                            []algebraCase
}

// An algebraCase is one layout, with the values of its field and of what stands
// after that.
type algebraCase struct {
	s            refSchema
	values, tail []any
}

func (a *algebra) add(s *refSchema, values, tail []any) {
	a.cases = append(a.cases, algebraCase{*s, values, tail})
}

// run tries the cases: all where ROWKEY_LAWS is set, else some, which the seed draws.
func (a *algebra) run() {
	a.t.Helper()
	wanted := sample(a.t, 6)
	for _, c := range a.cases {
		if !wanted() {
			continue
		}
		a.try(&c.s, 0, algebraRows(c.values, c.tail))
	}
	a.report()
}

func newAlgebra(t *testing.T) *algebra {
	return &algebra{t: t, refused: map[string]int{}, example: map[string]string{}}
}

// algebraQuoted finds the values that a reason quotes.
var algebraQuoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)

// try builds one layout and, if that is admitted, puts all rows through it. The
// order of field lead is judged over rows that are equal after it.
func (a *algebra) try(s *refSchema, lead int, rows []refRow) {
	a.t.Helper()
	built, err := s.build()
	if err != nil {
		var e *rowkey.Error
		if !errors.As(err, &e) || !errors.Is(err, rowkey.ErrSchema) {
			a.t.Fatalf("%s: Build says %v", s, err)
		}
		reason := algebraQuoted.ReplaceAllString(e.Err.Error(), "…")
		a.refused[reason]++
		if a.example[reason] == "" {
			a.example[reason] = s.String()
		}
		return
	}
	a.admitted++
	f := s.supplied()[lead]
	at := slices.IndexFunc(s.comps, func(c refComp) bool { return c.name == f.name })
	owner := map[string]refRow{}
	behind := map[string][]algebraStored{} // by what the row has after the field
	for _, row := range rows {
		want := s.encode(row)
		key, err := built.AppendKey(nil, row.plain()...)
		a.rows++
		if len(want.faults) > 0 {
			if err == nil {
				a.t.Fatalf("%s: %v has key %x, want %v", s, row, key, want.faults)
			}
			continue
		}
		if err != nil || !bytes.Equal(key, want.bytes) {
			a.t.Fatalf("%s: %v has key %x %v, want %x", s, row, key, err, want.bytes)
		}
		if other, ok := owner[string(key)]; ok && !lawSame(other, want.kept) {
			a.t.Fatalf("%s: %v and %v have one key: %x", s, other, row, key)
		}
		owner[string(key)] = want.kept
		back, err := built.Decode(key)
		if err != nil {
			a.t.Fatalf("%s: %v has key %x, which reads %v", s, row, key, err)
		}
		if c := (&lawCase{s: s, built: built, lawRun: &lawRun{t: a.t}}); !lawSame(c.ofRow(back), want.kept) {
			a.t.Fatalf("%s: %v has key %x, which reads %v", s, row, key, c.ofRow(back))
		}
		name := want.kept[lead+1:].String()
		behind[name] = append(behind[name], algebraStored{want.kept[lead], key[want.at[at]:]})
	}
	a.order(s, built.Order(f.name), behind)
}

type algebraStored struct {
	value any
	bytes []byte
}

func (a *algebra) order(s *refSchema, claim rowkey.Order, behind map[string][]algebraStored) {
	a.t.Helper()
	forward, backward, values := true, true, 0
	for _, list := range behind {
		slices.SortStableFunc(list, func(x, y algebraStored) int { return refCompare(x.value, y.value) })
		values = max(values, len(list))
		for i := 1; i < len(list); i++ {
			if refCompare(list[i-1].value, list[i].value) == 0 {
				continue
			}
			byBytes := bytes.Compare(list[i-1].bytes, list[i].bytes)
			forward = forward && byBytes < 0
			backward = backward && byBytes > 0
		}
	}
	switch {
	case claim == rowkey.Forward && !forward, claim == rowkey.Backward && !backward, claim < rowkey.Forward, claim > rowkey.Unordered:
		a.t.Fatalf("%s: order is said to be %v; forward is %v, backward is %v", s, claim, forward, backward)
	case claim != rowkey.Unordered:
		a.ordered++
	case values > 2 && (forward || backward):
		a.tooWary++
	}
}

func (a *algebra) report() {
	a.t.Logf("%d layouts admitted, %d rows; %d fields ordered, %d said to be unordered whose values here were ordered",
		a.admitted, a.rows, a.ordered, a.tooWary)
	for _, reason := range slices.Sorted(maps.Keys(a.refused)) {
		a.t.Logf("%6d refused: %s\n       such as %s", a.refused[reason], reason, a.example[reason])
	}
}

// algebraTexts is all strings over some letters up to a length.
func algebraTexts(letters string, longest int) []string {
	all := []string{""}
	for from := 0; longest > 0; longest-- {
		to := len(all)
		for _, s := range all[from:to] {
			for i := range len(letters) {
				all = append(all, s+letters[i:i+1])
			}
		}
		from = to
	}
	return all
}

// algebraTails is what may stand after the text, and its values.
func algebraTails(letters string) map[string]struct {
	comps  []refComp
	values []any
} {
	type tail = struct {
		comps  []refComp
		values []any
	}
	x := letters[:1]
	var texts []any
	for _, s := range algebraTexts(letters, 2) {
		if len(s) < 2 || s[0] != s[1] {
			texts = append(texts, s)
		}
	}
	return map[string]tail{
		"nothing":       {},
		"text":          {[]refComp{{word: "String", name: "t"}}, texts},
		"ended text":    {[]refComp{{word: "String", name: "t"}, {word: "Separator", text: x}}, texts},
		"a number":      {[]refComp{{word: "Uint", name: "n", size: 1}}, []any{uint64(0), uint64(letters[0]), uint64(255)}},
		"a constant":    {[]refComp{{word: "Literal", text: x}}, nil},
		"constant text": {[]refComp{{word: "Literal", text: x}, {word: "String", name: "t"}}, texts},
	}
}

func algebraRows(field []any, tail []any) []refRow {
	var rows []refRow
	for _, v := range field {
		if tail == nil {
			rows = append(rows, refRow{v})
		}
		for _, w := range tail {
			rows = append(rows, refRow{v, w})
		}
	}
	return rows
}

// Text: transform × Desc before or after × frame × separator × what follows,
// over all strings of two letters up to length 3.
func TestAlgebraText(t *testing.T) {
	for _, letters := range []string{"\x00\x01", "_a", "\xfe\xff"} {
		t.Run(fmt.Sprintf("%x", letters), func(t *testing.T) {
			t.Parallel()
			algebraOfText(t, letters)
		})
	}
}

func algebraOfText(t *testing.T, letters string) {
	a := newAlgebra(t)
	x, y := letters[:1], letters[1:]
	notX, notY := string([]byte{^x[0]}), string([]byte{^y[0]})
	transforms := [][]refOpt{
		nil,
		{{word: "Reverse"}},
		{{word: "ReverseRune"}},
		{{word: "ReverseLabels", text: x}},
		{{word: "ReverseLabels", text: x + x}},
		{{word: "ReverseLabels", text: x + y}},
		{{word: "ReverseLabels", text: x + y + x}},
		{{word: "ReversePart", n: 0, m: 2}},
		{{word: "ReversePart", n: 1, m: 3}},
		{{word: "Chars", text: y}},
		{{word: "MinLen", n: 2}},
	}
	frames := [][]refOpt{
		nil,
		{{word: "Fixed", n: 2}},
		{{word: "Pad", n: 3, b: x[0]}},
		{{word: "Pad", n: 2, b: y[0]}},
		{{word: "Pad", n: 3, b: 0}},
		{{word: "PadLeft", n: 3, b: x[0]}},
		{{word: "Escaped"}},
		{{word: "LenPrefix", n: 1}},
		{{word: "OneOf", list: []string{x, y, x + y}}},
		{{word: "OneOf", list: []string{x + x, y, x + y}}},
		{{word: "OneOf", list: []string{x, y}}},
		{{word: "Codes", list: []string{x, y + y, y, x, x + y, y + x}}},
		{{word: "Codes", list: []string{x, y, y, y + x}}},
	}
	separators := []string{"", x, y, "|", x + x, x + y, y + x, x + y + x, notX, notX + notX, notX + notY, "\x00", "\xff"}
	var values []any
	for _, s := range algebraTexts(letters, 3) {
		values = append(values, s)
	}
	tails := algebraTails(letters)
	names := slices.Sorted(maps.Keys(tails))
	for _, transform := range transforms {
		for _, frame := range frames {
			for _, desc := range []int{0, 1, 2} { // not at all, before, after
				var opts []refOpt
				opts = append(opts, transform...)
				if desc == 1 {
					opts = append(opts, refOpt{word: "Desc"})
				}
				opts = append(opts, frame...)
				if desc == 2 {
					opts = append(opts, refOpt{word: "Desc"})
				}
				for _, sep := range separators {
					for _, name := range names {
						s := &refSchema{name: "algebra", comps: []refComp{{word: "String", name: "f", opts: opts}}}
						if sep != "" {
							s.comps = append(s.comps, refComp{word: "Separator", text: sep})
						}
						tail := tails[name]
						s.comps = append(s.comps, tail.comps...)
						a.add(s, values, tail.values)
					}
				}
			}
		}
	}
	a.run()
}

// Numbers: every sequence of up to three options over all values of one byte,
// and the first days of a time, alone and before another component.
func TestAlgebraNumbers(t *testing.T) {
	var unsigned, signed, times []any
	for i := range 256 {
		unsigned = append(unsigned, uint64(i))
		signed = append(signed, int64(int8(i)))
		times = append(times, time.Unix(int64(i)*3600, 0))
	}
	opts := []refOpt{
		{word: "Desc"}, {word: "Width", n: 1}, {word: "Digits", n: 2}, {word: "Digits", n: 3}, {word: "Digits", n: 19},
		{word: "HexDigits", n: 2}, {word: "HexDigits", n: 1}, {word: "Decimal"}, {word: "Varint"}, {word: "Below", n: 10}, {word: "Below", n: 100},
		{word: "Reverse"}, {word: "ReversePart", n: 0, m: 1}, {word: "ReverseLabels", text: "1"},
		{word: "Fixed", n: 3}, {word: "Pad", n: 4, b: ' '}, {word: "Pad", n: 3, b: '0'},
		{word: "PadLeft", n: 4, b: ' '}, {word: "PadLeft", n: 3, b: '0'}, {word: "Escaped"}, {word: "LenPrefix", n: 1},
	}
	sequences := [][]refOpt{nil}
	for from := range 3 {
		for _, s := range slices.Clone(sequences) {
			if len(s) == from {
				for _, o := range opts {
					if slices.ContainsFunc(s, func(before refOpt) bool { return before.String() == o.String() }) {
						continue // nothing stands twice
					}
					sequences = append(sequences, append(slices.Clone(s), o))
				}
			}
		}
	}
	for kind, values := range map[string][]any{"Uint": unsigned, "Int": signed, "Int of HBase": signed, "Time": times} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := newAlgebra(t)
			for _, opts := range sequences {
				c := refComp{word: kind, name: "f", size: 1, opts: opts}
				switch kind {
				case "Int of HBase":
					c.word = "Int"
				case "Time":
					c.size, c.unit = 0, refUnit{word: "Hours"}
				}
				s := &refSchema{name: "algebra", hbase: c.word != kind, comps: []refComp{c}}
				a.add(s, values, nil)
				for _, sep := range []string{";", "0"} {
					s.comps = []refComp{c, {word: "Separator", text: sep}, {word: "String", name: "t"}}
					a.add(s, values, []any{"0"})
				}
			}
			a.run()
		})
	}
}

// Layouts whose verdict anyone can give.
func TestAlgebraKnownVerdicts(t *testing.T) {
	for _, text := range []string{
		// cannot be decoded
		`New("s").String("a").String("b")`,
		`New("s").Binary("a").Uint("b", 4)`,
		`New("s").Uint("a", 8, Decimal).String("b")`,
		`New("s").Uint("a", 8, Decimal).Uint("b", 8, Decimal)`,
		`New("s").String("a").Literal("_").String("b")`,
		`New("s").String("a", OneOf("a", "ab")).String("b")`,
		`New("s").String("a", Codes(map[string]string{"a": "x", "b": "xy"})).String("b")`,
		`New("s").String("a", Codes(map[string]string{"a": "x", "b": "x"}))`,
		`New("s").String("a").Salt(4, "b").Uint("b", 4)`,
		`New("s").Salt(100, "b", Decimal).Uint("b", 4, Decimal)`,
		`New("s").Copy("c", "a").String("a")`,
		`New("s").String("a", Reverse).String("b")`,
		`New("s").String("a", Chars("ab")).String("b")`,
		// do not fit
		`New("s").Salt(1000, "a").Uint("a", 8)`,
		`New("s").Salt(257, "a").Uint("a", 8)`,
		`New("s").Salt(100, "a", Digits(1)).Uint("a", 8)`,
		`New("s").Salt(4, "a", Letters("abc")).Uint("a", 8)`,
		`New("s").Salt(0, "a").Uint("a", 8)`,
		`New("s").Uint("a", 8, Desc, Digits(19))`,
		`New("s").Uint("a", 8, Desc, HexDigits(15))`,
		`New("s").Time("a", Millis, Desc, Digits(18))`,
		`New("s").Uint("a", 0)`,
		`New("s").Uint("a", 9)`,
		`New("s").Int("a", 64)`,
		`New("s").Float("a", 2)`,
		`New("s").Uint("a", 4, Width(5))`,
		`New("s").Hash(MD5.Hex(33), "a").Uint("a", 4)`,
		`New("s").Hash(MD5.Raw(17), "a").Uint("a", 4)`,
		`New("s").Hash(MD5.HexAt(30, 4), "a").Uint("a", 4)`,
		// do not go together
		`New("s").Uint("a", 4, Decimal, Desc).Separator(";")`,
		`New("s").Uint("a", 4, Desc, Desc)`,
		`New("s").String("a", Escaped, Reverse)`,
		`New("s").String("a", Fixed(4), Pad(4, 0x00))`,
		`New("s").Time("a", Millis, Desc, Width(4))`,
		`New("s").Int("a", 4, Digits(10))`,
		`New("s").Bool("a", Desc)`,
		`New("s", HBase).Float("a", 8, Desc)`,
		`New("s").String("a", Left(2))`,
		`New("s").String("a", Digits(2))`,
		`New("s").Uint("a", 4, OneOf("1"))`,
		`New("s").Salt(4, "a", JavaHash).Uint("a", 8)`,
		`New("s").Salt(4, "a", Modulo).String("a")`,
		`New("s").Salt(4, "values(a,b)", Modulo).Uint("a", 8).Uint("b", 8)`,
		`New("s").Hash(MD5.Hex(4), "text(a)").Float("a", 8)`,
		`New("s").Hash(MD5.Hex(4), "minmax(a,b)").Uint("a", 8).Uint("b", 4)`,
		`New("s").Hash(MD5.Hex(4), "format(\"%d\",a)").String("a")`,
		`New("s").Hash(MD5.Hex(4), "format(\"%s%s\",a)").String("a")`,
		`New("s").Time("a", Millis, Truncate(1500000))`,
		`New("s").Time("a", Layout("0102", time.FixedZone("", 0)))`,
		`New("s").Time("a", Layout("02012006", time.FixedZone("", 0)))`,
		`New("s").Time("a", Layout("2006-01-02", time.FixedZone("", 0)), Desc)`,
		`New("s").Time("a", Layout("2006-01-02", time.FixedZone("", 0)), Width(8))`,
		`New("s").Time("a", Layout("20060102", time.FixedZone("", 0)).Since(time.Unix(86400, 0)))`,
		// name what is not there
		`New("s").Uint("a", 4).Uint("a", 4)`,
		`New("s").Uint("", 4)`,
		`New("s").Uint("a b", 4)`,
		`New("s").Salt(4, "nobody").Uint("a", 4)`,
		`New("s").Copy("c", "nobody").Uint("a", 4)`,
		`New("s").Hash(MD5.Hex(4), "values(nobody)").Uint("a", 4)`,
		`New("s").String("a", NotStored).Uint("b", 4)`,
		`New("s").String("a").Separator("")`,
		`New("s").Literal("").String("a")`,
		`New("s").Literal("x")`,
		// have no form in a dialect
		`New("s", OrderedBytes, HBase).Int("a", 8)`,
		`New("s", OrderedBytes).Uint("a", 8)`,
		`New("s", OrderedBytes).Int("a", 3)`,
		`New("s", OrderedBytes).Bool("a")`,
		`New("s", OrderedBytes).Int("a", 8, Width(4))`,
		`New("s", OrderedBytes).Time("a", Millis, Digits(13))`,
		`New("s", OrderedBytes).Time("a", Layout("20060102", time.FixedZone("", 0)))`,
		`New("s", OrderedBytes).String("a", Fixed(4))`,
		`New("s", OrderedBytes).String("a", Escaped)`,
		`New("s", OrderedBytes).Binary("a", BlobCopy).Int("b", 8)`,
		`New("s", OrderedBytes).String("a", BlobCopy)`,
		`New("s", OrderedBytes).Float("a", 8, Unsigned)`,
		`New("s", OrderedBytes).Float("a", 8, Numeric)`,
		`New("s", OrderedBytes).Binary("a", Numeric)`,
		`New("s", OrderedBytes).String("a", Desc, Numeric)`,
		`New("s", OrderedBytes).String("a", Numeric, Reverse)`,
		`New("s", OrderedBytes).String("a", Numeric, OneOf("1"))`,
		`New("s", OrderedBytes).String("a", Desc, Reverse)`,
		`New("s", OrderedBytes).String("a", Precision(3, 1))`,
		`New("s", OrderedBytes).String("a", Numeric, Precision(32, 0))`,
		`New("s", Phoenix).String("a", Numeric, Precision(0, 0))`,
		`New("s", Phoenix).String("a", Numeric, Precision(39, 0))`,
		`New("s", Phoenix).String("a", Numeric, Precision(3, 4))`,
		`New("s", Phoenix).Float("a", 8, Precision(3, 1))`,
		`New("s").Uint("a", 8, Precision(3, 0))`,
		`New("s", OrderedBytes).Int("a", 8, Reverse)`,
		`New("s", OrderedBytes).String("a", Loose)`,
		`New("s", Phoenix).Int("a", 3)`,
		`New("s", Phoenix).Int("a", 8, Width(4))`,
		`New("s", Phoenix).Uint("a", 8, Decimal)`,
		`New("s", Phoenix).Time("a", Seconds)`,
		`New("s", Phoenix).Time("a", Millis.Since(time.Unix(86400, 0)))`,
		`New("s", Phoenix).Binary("a").Int("b", 8)`,
		`New("s", Phoenix).Binary("a", Desc)`,
		`New("s", Phoenix).String("a", Desc, Pad(3, 0x20))`,
		`New("s", Phoenix).Int("a", 8, Unsigned)`,
		`New("s", Phoenix).Binary("a", BlobCopy)`,
		`New("s", Phoenix).Salt(257, "rest()").String("a")`,
		`New("s").String("a", Numeric)`,
		`New("s").String("a", Optional)`,
		`New("s", OrderedBytes).Int("a", 8, Optional)`,
		`New("s", OrderedBytes).Float("a", 8, Optional)`,
		`New("s", OrderedBytes).Time("a", Millis, Optional)`,
		`New("s", Phoenix).Time("a", Millis, Optional)`,
		`New("s", Phoenix).String("a", Pad(3, 0x20), Optional)`,
		`New("s", Phoenix).Binary("a", Fixed(3), Optional)`,
		`New("s", Phoenix).Salt(4, "a").String("a", Optional)`,
		`New("s", Phoenix).Copy("b", "a").String("a", Optional)`,
		`New("s", Phoenix).Salt(4, "a").String("a", Optional, NotStored).Int("b", 8)`,
		`New("s", Phoenix).String("a", Optional, OneOf("a", "b"), Bucket).Int("b", 8)`,
		`New("s", HBase).Float("a", 8, Unsigned)`,
	} {
		s, err := goldenSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		if built, err := s.build(); err == nil {
			t.Errorf("built: %s as %s", text, built)
		} else if !errors.Is(err, rowkey.ErrSchema) {
			t.Errorf("%s: %v, want ErrSchema", text, err)
		}
	}
	for _, text := range []string{
		`New("s").String("a").Separator("_").String("b")`,
		`New("s").String("a", Fixed(4)).String("b")`,
		`New("s").String("a", Pad(4, 0x78)).String("b")`,
		`New("s").String("a", PadLeft(4, 0x00)).String("b")`,
		`New("s").String("a", Escaped).String("b", Escaped).Binary("c")`,
		`New("s").String("a", Escaped, Desc).String("b")`,
		`New("s").String("a", Desc).Separator("\xff").String("b")`,
		`New("s").String("a", OneOf("ab", "b")).String("b")`,
		`New("s").String("a", Codes(map[string]string{"淘宝": "tb", "天猫": "tm"})).String("b")`,
		`New("s").String("a", ReversePart(3, 11), Fixed(11)).String("b")`,
		`New("s").Uint("a", 8, Decimal).Separator("-").Uint("b", 8, Decimal)`,
		`New("s").Uint("a", 1, Below(10), Decimal).String("b")`,
		`New("s").Uint("a", 4, Digits(7), Reverse).String("b")`,
		`New("s").Uint("a", 4, Reverse).String("b")`,
		`New("s").Time("a", Millis, Desc, Digits(19))`,
		`New("s").Time("a", Millis, Digits(13), Desc)`,
		`New("s").Time("a", Seconds, Width(4), Desc)`,
		`New("s").Time("a", Millis, Desc, Decimal, Reverse)`,
		`New("s").Time("a", Layout("20060102", time.FixedZone("", 28800)), Desc).String("b")`,
		`New("s").Time("a", Layout("2006010215", time.FixedZone("", 0)), Width(4))`,
		`New("s", HBase).Int("a", 8, Desc).Bool("b").Float("c", 4)`,
		`New("s").Salt(100, "a", JavaHash, Digits(2)).Separator("_").String("a")`,
		`New("s").Salt(1000, "a", Width(2)).String("a")`,
		`New("s").Salt(4, "a", Letters("abcd")).Literal("-").String("a")`,
		`New("s").Salt(8, "a", Modulo).Time("a", Millis)`,
		`New("s").Salt(16, "rest()", PhoenixHash).String("a").Separator("\x00").Uint("b", 8)`,
		`New("s").Copy("c", "a", Right(4)).String("a", Fixed(11))`,
		`New("s").Copy("day", "at", Layout("20060102", time.FixedZone("", 0))).String("a").Separator("_").Time("at", Millis)`,
		`New("s").String("a", NotStored).Salt(16, "a").Uint("b", 4)`,
		`New("s").String("a", Loose).Separator("_").Uint("b", 4)`,
		`New("s").Uint("a", 8, Decimal, Loose).String("b", Loose).String("c")`,
		`New("s", OrderedBytes).String("a").String("b", Desc).Binary("c").Binary("d", BlobCopy)`,
		`New("s", OrderedBytes).Int("a", 1).Int("b", 2, Desc).Int("c", 4).Float("d", 4).Float("e", 8, Desc).Time("f", Days)`,
		`New("s", OrderedBytes).String("a", Numeric, Desc).Uint("b", 8, Numeric).Int("c", 3, Numeric)`,
		`New("s", Phoenix).Salt(16, "rest()").String("a").String("b", Pad(1, 0x20)).Int("c", 2, Desc).Int("d", 8, Desc)`,
		`New("s", Phoenix).Time("a", Millis).Time("b", Nanos, Desc).Time("c", Millis, Unsigned).Bool("d", Desc).Float("e", 4, Unsigned)`,
		`New("s", Phoenix).String("a", Numeric).String("b", Numeric, Desc).Uint("c", 8, Numeric)`,
		`New("s", Phoenix).String("a", Numeric, Precision(5, 2)).String("b", Precision(38, 38), Numeric, Desc).Int("c", 8, Numeric, Precision(3, 0))`,
		`New("s", Phoenix).Binary("a", Escaped, Desc).Binary("b", Fixed(4), Desc).Binary("c")`,
		`New("s", OrderedBytes).String("a", Optional).Binary("b", Optional).Int("c", 8, Numeric, Optional).Binary("d", BlobCopy, Optional)`,
		`New("s", Phoenix).Salt(16, "rest()").String("a", Optional).Int("b", 8).String("c", Optional, Desc).String("d", Numeric, Optional)`,
		`New("s", Phoenix).Binary("a", Escaped, Optional).Binary("b", Optional)`,
		`New("s", Phoenix).Uint("a", 4, Digits(7), Desc).Time("b", Layout("20060102", time.FixedZone("", 0))).String("c", Reverse)`,
	} {
		s, err := goldenSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.build(); err != nil {
			t.Errorf("%s\nrefused: %v", text, err)
		}
	}
}

// Every refusal says what is wrong in words: the reason is more than the
// sentinel's own text, and names the component.
func TestAlgebraRefusalsAreNamed(t *testing.T) {
	_, err := rowkey.New("glued").String("uid").String("phone").Build()
	var e *rowkey.Error
	if !errors.As(err, &e) || e.Schema != "glued" || e.Field != "uid" {
		t.Fatalf("%v", err)
	}
	for _, word := range []string{"end", "Separator", "Fixed", "Pad", "Escaped"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not mention %s", err, word)
		}
	}
	if fmt.Sprint(err) == fmt.Sprint(rowkey.ErrSchema) {
		t.Error("no reason")
	}
}
