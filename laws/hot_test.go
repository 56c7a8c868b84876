package laws

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bind"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/stretchr/testify/require"
)

// The hot path and the way by components are held against each other: over the
// random layouts of the laws, and over layouts of the forms that the hot path
// knows, with rows whose lengths and sizes reach to its limits and beyond.

// TestHotAndCold: both ways write the same keys, ranges and errors, and read the
// same values and errors, from good keys and from broken ones.
func TestHotAndCold(t *testing.T) {
	var last *hotCase
	law(t, 150, func(c *lawCase) {
		if c.index%4 > 0 {
			c.s, c.built = nil, nil
			for c.built == nil {
				c.s = hotSchema(c.r)
				c.built, _ = c.s.build()
			}
		}
		without, err := c.s.build()
		if err == nil {
			err = cold.Make(without)
		}
		if err != nil {
			c.fail("the same without its hot path: %v", err)
		}
		h := hotCase{c, without, last}
		last = &hotCase{c, without, nil}
		for _, f := range c.s.supplied() {
			in := inside.Layout(c.built)
			n := in.Named(f.name).Ord
			writes, reads := in.Steps[n].Form != layout.Cold, inside.Walk(c.built).Knows(n)
			c.count(fmt.Sprintf("fields written %s, read %s", hotName(writes), hotName(reads)))
		}
		var rows []refRow
		for range 24 {
			row := hotRow(c.r, c.s)
			if genOdds(c.r, 3) {
				row = genRow(c.r, c.s)
			}
			c.one("rows")
			h.row(row)
			rows = append(rows, row)
		}
		h.codec(rows)
	}, "fields written hot, read hot", "fields written cold, read cold", "keys", "refusals", "ranges", "broken keys read", "broken keys refused", "keys by a struct", "keys rekeyed", "keys matched")
}

// hotGuard is bytes behind a buffer's capacity, which nobody may write.
const hotGuard = 64

func hotName(is bool) string {
	if is {
		return "hot"
	}
	return "cold"
}

type hotCase struct {
	*lawCase
	cold  *rowkey.Schema
	other *hotCase // another one, for Rekey
}

// same compares what two ways give.
func (h *hotCase) same(what string, hot, cold []any) {
	if a, b := fmt.Sprintf("%x %v", hot, hot), fmt.Sprintf("%x %v", cold, cold); a != b {
		h.fail("%s:\n hot  %s\n cold %s", what, a, b)
	}
}

func (h *hotCase) row(row refRow) {
	fields := h.s.supplied()
	h.lawCase.row, h.key = row, nil
	before, spare := genPick(h.r, h.r.IntN(4), 70), h.r.IntN(90)
	plain := h.cold.Key()
	for i, v := range row {
		plain = lawSupply(plain, fields[i], v)
	}
	if key, err := plain.Bytes(); err == nil && genOdds(h.r, 2) {
		spare = max(0, len(key)-20+h.r.IntN(40)) // room for about this key
	}
	supply := func(s *rowkey.Schema, n int, other bool) rowkey.KeyBuilder {
		buf := bytes.Repeat([]byte{'#'}, before+spare+hotGuard)
		k := s.KeyIn(buf[: before : before+spare])
		for i, v := range row[:n] {
			if other {
				k = lawSupplyOther(k, fields[i], v)
			} else {
				k = lawSupply(k, fields[i], v)
			}
		}
		if len(bytes.Trim(buf[before+spare:], "#")) > 0 {
			h.fail("after the capacity stands %q", buf[before+spare:])
		}
		return k
	}
	for _, other := range []bool{false, true} {
		a, errA := supply(h.built, len(row), other).Bytes()
		b, errB := supply(h.cold, len(row), other).Bytes()
		if !h.twoFaults(errA, errB) {
			h.same("a key", []any{a, errA}, []any{b, errB})
		}
		if h.key = a; errA != nil {
			h.count("refusals")
			h.key = nil
		}
	}
	for n := range len(row) + 1 {
		a, _, errA := supply(h.built, n, false).AppendRanges(nil, nil)
		b, _, errB := supply(h.cold, n, false).AppendRanges(nil, nil)
		h.same(fmt.Sprintf("the ranges of %d fields", n), hotRanges(a, errA), hotRanges(b, errB))
		_, errA = supply(h.built, n, false).Bytes()
		_, errB = supply(h.cold, n, false).Bytes()
		if !h.twoFaults(errA, errB) {
			h.same(fmt.Sprintf("the key of %d fields", n), []any{errA}, []any{errB})
		}
		h.count("ranges")
		if n < len(row) && fields[n].isText() {
			a, errA := supply(h.built, n, false).Prefix("a").Range()
			b, errB := supply(h.cold, n, false).Prefix("a").Range()
			h.same("the range of a beginning", []any{a, errA}, []any{b, errB})
		}
	}
	if h.key == nil {
		return
	}
	h.count("keys")
	h.reads(h.key)
	p, planned := h.planOf(row)
	for i := range 6 {
		key := lawMutate(h.r, h.key)
		h.reads(key)
		if planned && i < 4 {
			h.whole(key, p)
		}
	}
	if planned {
		h.whole(h.key, p)
	}
	h.shortened()
}

// shortened reads the key without some bytes at the end of a piece, or without all its
// bytes: a text that is too short, with all that follows it as it was.
func (h *hotCase) shortened() {
	pieces, _ := h.cold.Pieces(h.key, nil) // of a loose schema the first ones
	for _, p := range pieces {
		end := p.Offset + len(p.Bytes)
		h.reads(slices.Delete(slices.Clone(h.key), p.Offset, end))
		h.reads(slices.Delete(slices.Clone(h.key), p.Offset+h.r.IntN(len(p.Bytes)+1), end))
	}
}

// twoFaults reports that both ways refuse, and one of them for a salt or hash that has no form:
// a way that computes it at the end may meet another fault first.
func (h *hotCase) twoFaults(a, b error) bool {
	hashed := func(err error) bool {
		return strings.Contains(err.Error(), "is of UTF-8 text") || strings.Contains(err.Error(), "has no bucket for")
	}
	return a != nil && b != nil && (hashed(a) || hashed(b))
}

func hotRanges(ranges []rowkey.Range, err error) []any {
	out := []any{err}
	for _, r := range ranges {
		out = append(out, r.String())
	}
	return out
}

// reads reads a key in both ways, with each method that takes the field, and with
// one field skipped or asked for its null.
func (h *hotCase) reads(key []byte) {
	same := string(key) == string(h.key)
	skip, null, other, room := h.r.IntN(12), h.r.IntN(12), genOdds(h.r, 2), lawRoom(h.r)
	read := func(s *rowkey.Schema) []any {
		k := s.Read(key)
		var got []any
		for i, f := range h.s.supplied() {
			if f.has("NotStored") {
				continue
			}
			if i == skip {
				k = k.Skip()
				continue
			}
			var is bool
			if f.has("Optional") || i == null {
				k = k.Null(&is)
			}
			var v any
			k = lawRead(k, f, &v, other, room)
			got = append(got, is, v)
		}
		return append(got, k.Err())
	}
	hot, cold := read(h.built), read(h.cold)
	err, _ := hot[len(hot)-1].(error)
	if coldErr, _ := cold[len(cold)-1].(error); err != nil && coldErr != nil {
		// Of two faults the first that is met is told.
		h.count("broken keys refused")
		return
	}
	h.same(fmt.Sprintf("reading %x", key), hot, cold)
	if !same {
		h.count("broken keys read")
	}
}

// hotText is a struct's values, of a pointer what it points to.
func hotText(v reflect.Value) (text string) {
	for i := range v.NumField() {
		f := v.Field(i)
		for f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		text += fmt.Sprintf("%#v; ", f)
	}
	return text
}

// An anyCodec is a Codec of a type that no program text names.
type anyCodec struct{ in bind.Binding }

func bindTo(s *rowkey.Schema, t reflect.Type) (*anyCodec, error) {
	in, err := bind.Struct(inside.Layout(s), inside.Walk(s), t)
	return &anyCodec{in}, err
}

func (c *anyCodec) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return c.in.Write(dst, v.UnsafePointer())
}

func (c *anyCodec) Decode(key []byte, v reflect.Value) error {
	return c.in.Decode(key, v.UnsafePointer())
}

// codec writes and reads structs in both ways.
func (h *hotCase) codec(rows []refRow) {
	t := hotStruct(h.r, h.s)
	hot, err := bindTo(h.built, t)
	cold, err2 := bindTo(h.cold, t)
	h.same("Bind", []any{err}, []any{err2})
	if err != nil {
		return
	}
	for _, row := range rows {
		v := reflect.New(t)
		if !hotSet(v.Elem(), row) {
			continue
		}
		head, spare := genPick(h.r, h.r.IntN(4), 70), h.r.IntN(90)
		if key, err := cold.Append(nil, v); err == nil && genOdds(h.r, 2) {
			spare = max(0, len(key)-20+h.r.IntN(40))
		}
		write := func(c *anyCodec) ([]byte, error) {
			buf := bytes.Repeat([]byte{'#'}, head+spare+hotGuard)
			key, err := c.Append(buf[:head:head+spare], v)
			if string(key[:head]) != strings.Repeat("#", head) || err != nil && len(key) != head {
				h.fail("dst is %q, %v", key, err)
			}
			if len(bytes.Trim(buf[head+spare:], "#")) > 0 {
				h.fail("behind the capacity of dst stands %q", buf[head+spare:])
			}
			return key[head:], err
		}
		a, errA := write(hot)
		b, errB := write(cold)
		h.lawCase.row, h.key = row, b
		if !h.twoFaults(errA, errB) {
			h.same(fmt.Sprintf("the key of %+v", v.Elem()), []any{a, errA}, []any{b, errB})
		}
		if errA != nil {
			continue
		}
		h.count("keys by a struct")
		for i := range 6 {
			key := a
			if i > 0 {
				key = lawMutate(h.r, a)
			}
			x, y := reflect.New(t), reflect.New(t)
			errX, errY := hot.Decode(key, x), cold.Decode(key, y)
			h.same(fmt.Sprintf("decoding %x", key), []any{hotText(x.Elem()), errX != nil}, []any{hotText(y.Elem()), errY != nil})
		}
	}
}

// ---- layouts of the forms that the hot path knows

func hotSchema(r *rand.Rand) *refSchema {
	s := &refSchema{name: "hot", dialect: genPick(r, "", "", "", "Phoenix"), hbase: false}
	if s.dialect == "" && genOdds(r, 5) {
		s.hbase = true
	}
	n := 1 + r.IntN(4)
	var names []string
	var comps []refComp
	numbers := genOdds(r, 5) // neighbouring numbers, which a codec writes two at a time
	for i := range n {
		name := string(rune('p' + i))
		c := hotField(r, name, i == n-1)
		if numbers && (i < n-1 || genOdds(r, 2)) {
			c = hotNumber(r, name)
		}
		comps = append(comps, c)
		names = append(names, name)
		if c.isText() && !c.has("Fixed") && !c.has("Escaped") && !c.has("Pad") && !c.has("PadLeft") && !c.has("LenPrefix") && !c.has("UUID") && !(c.has("OneOf") || c.has("Codes")) && i < n-1 || c.has("Decimal") && i < n-1 || genOdds(r, 4) {
			comps = append(comps, refComp{word: "Separator", text: genPick(r, "_", "\x00", "-", "::", "_x_y_", "~long-constant~")})
		}
	}
	for range r.IntN(3) {
		fields := []string{names[r.IntN(n)]}
		for genOdds(r, 2) && len(fields) < 3 {
			fields = append(fields, names[r.IntN(n)])
		}
		in := refInput{word: genPick(r, "Values", "Values", "Values", "Text", "Stored"), fields: fields}
		switch r.IntN(6) {
		case 0:
			in = refInput{word: "MinMax", fields: []string{genPick(r, names...), genPick(r, names...)}}
		case 1:
			in = genFormat(r, &refSchema{comps: comps}, fields)
		}
		c := refComp{word: "Salt", buckets: genPick(r, 2, 16, 100, 256), in: in}
		switch r.IntN(8) {
		case 0:
			c.opts = []refOpt{{word: "Digits", n: 3}}
		case 4:
			c.opts = []refOpt{{word: genPick(r, "JavaHash", "PhoenixHash", "Modulo")}}
		case 5:
			c = refComp{word: "Hash", part: refPart{digest: genPick(r, "CRC32", "JavaHashCode"), word: genPick(r, "Raw", "Hex"), n: 4}, in: in}
		case 1:
			c = refComp{word: "Hash", part: refPart{digest: "MD5", word: "Hex", n: 4}, in: in}
		case 2:
			c = refComp{word: "Hash", part: refPart{digest: "Murmur3", word: "Raw", n: 2}, in: in}
		case 3:
			if s.dialect == "Phoenix" {
				c.in = refInput{word: "Rest"}
			}
		}
		if name := fmt.Sprintf("salt%d", len(comps)); genOdds(r, 4) {
			c = refComp{word: "Copy", name: name, of: fields[0], opts: []refOpt{{word: genPick(r, "Left", "Right"), n: 1 + r.IntN(20)}}}
			if genOdds(r, 2) {
				c.opts = append(c.opts, refOpt{word: genPick(r, "Fixed", "Fixed", "LenPrefix"), n: 1 + r.IntN(2)})
			}
		} else {
			c.opts = append(c.opts, refOpt{word: "Named", text: name})
		}
		put := []refComp{c}
		if genOdds(r, 2) {
			put = append(put, refComp{word: "Separator", text: genPick(r, "_", "#")})
		}
		comps = slices.Insert(comps, genPick(r, 0, r.IntN(len(comps)+1)), put...)
	}
	if genOdds(r, 6) { // a text after what only the slower loop of a codec writes
		first := genPick(r, refComp{name: "p", word: "Float", size: 8}, refComp{name: "p", word: "String", opts: []refOpt{{word: "Pad", n: 12, b: ' '}}},
			refComp{name: "p", word: "String", opts: []refOpt{{word: "Reverse"}, {word: "Fixed", n: 9}}})
		comps = []refComp{first, {name: "q", word: "String"}, {word: "Separator", text: "_"}, genPick(r, hotNumber(r, "r"), refComp{name: "r", word: "String"})}
	}
	if genOdds(r, 5) {
		comps = append([]refComp{{word: "Literal", text: "v1"}}, comps...)
	}
	if genOdds(r, 9) {
		s.maxLen = 12 + r.IntN(20)
	}
	s.comps = comps
	return s
}

// hotNumber is a number of 8, 4 or 1 bytes, with a limit or without.
func hotNumber(r *rand.Rand, name string) refComp {
	c := refComp{name: name, word: genPick(r, "Uint", "Uint", "Int"), size: genPick(r, 8, 8, 4, 1)}
	switch r.IntN(8) {
	case 0:
		c.word, c.size = "Bool", 0
	case 1:
		c = refComp{name: name, word: "Time", unit: refUnit{word: genPick(r, "Millis", "Seconds")}}
	case 2:
		c.word, c.opts = "Uint", []refOpt{{word: "Below", n: 1 + r.IntN(200)}}
	}
	if c.word != "Bool" && genOdds(r, 3) {
		c.opts = append(c.opts, refOpt{word: "Desc"})
	}
	return c
}

func hotField(r *rand.Rand, name string, last bool) refComp {
	o := func(word string, n int) refOpt { return refOpt{word: word, n: n} }
	c := refComp{name: name}
	switch r.IntN(9) {
	case 0, 1, 2:
		c.word = genPick(r, "String", "String", "Binary")
		switch r.IntN(16) {
		case 0, 1, 2, 3:
			c.opts = append(c.opts, o("Reverse", 0))
		case 4:
			c.opts = append(c.opts, o("ReverseRune", 0))
		case 5:
			c.opts = append(c.opts, refOpt{word: "ReverseLabels", text: genPick(r, "-", ":", "~", ":-")})
		case 6:
			from := r.IntN(4)
			c.opts = append(c.opts, refOpt{word: "ReversePart", n: from, m: from + 2 + r.IntN(4)})
		}
		switch r.IntN(10) {
		case 0, 1:
			c.opts = append(c.opts, o("Fixed", genPick(r, 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(20), 250+r.IntN(10))))
		case 2:
			c.opts = append(c.opts, o("Escaped", 0))
		case 3:
			c.opts = append(c.opts, refOpt{word: genPick(r, "Pad", "PadLeft"), n: genPick(r, 1+r.IntN(18), 1+r.IntN(40), 250+r.IntN(10)), b: genPick[byte](r, ' ', 0, 'a')})
		case 4:
			c.opts = append([]refOpt{o("MinLen", genPick(r, 1+r.IntN(9), 1+r.IntN(20)))}, c.opts...)
		case 5:
			c.opts = append(c.opts, o("LenPrefix", 1+r.IntN(2)))
		case 6:
			if c.word == "String" {
				c.opts = []refOpt{{word: "UUID"}}
			}
		case 7:
			c.opts = append(c.opts, refOpt{word: "OneOf", list: genPick(r, []string{"a", "bb", "host-1"}, []string{"red", "new"}, []string{"", "x_y", "z"}, []string{"ab", "a", "\x00"})})
		case 8:
			c.opts = append(c.opts, refOpt{word: "Codes", list: genPick(r, []string{"taobao", "tb", "tmall", "tm"}, []string{"x", "one", "", "two-", "yy", "t_"}, []string{"a", "\x00", "b", "\xff\xff"}, []string{"a-text-that-is-longer-than-any-room-on-the-stack", "l", "b", "s"})})
		}
	case 3, 4:
		c.word, c.size = "Uint", 1+r.IntN(8)
		switch r.IntN(9) {
		case 0:
			c.opts = append(c.opts, o("Digits", 1+r.IntN(20)))
		case 1:
			c.opts = append(c.opts, o("HexDigits", 1+r.IntN(16)))
		case 2:
			c.opts = append(c.opts, o("Decimal", 0))
		case 3:
			c.opts = append(c.opts, o("Width", 1+r.IntN(c.size)))
		case 4:
			c.opts = append(c.opts, o("Below", 1+r.IntN(1000)))
		case 5:
			c.opts = append(c.opts, o("Varint", 0))
		}
	case 5:
		c.word, c.size = "Int", 1+r.IntN(8)
		if genOdds(r, 5) {
			c.opts = append(c.opts, o("Width", 1+r.IntN(c.size)))
		}
	case 6:
		if c.word, c.size = "Float", genPick(r, 4, 8); genOdds(r, 3) {
			c.word, c.size = "Bool", 0
		}
	default:
		c.word = "Time"
		c.unit = refUnit{word: genPick(r, "Nanos", "Micros", "Millis", "Millis", "Seconds", "Seconds", "Minutes", "Hours", "Days")}
		if genOdds(r, 3) {
			c.unit = refUnit{word: "Layout", zone: genPick(r, 0, 0, 28800, -18000),
				layout: genPick(r, "2006", "200601", "20060102", "2006010215", "200601021504", "20060102150405", "2006-01-02", "2006/01/02 15:04:05")}
		} else if genOdds(r, 5) {
			c.unit.since = genPick[int64](r, -86400*365, 946684800, 1577836800)
			c.unit.nanos = genPick[int64](r, 0, 0, 5e8, 25e7, 999_999_999, 1)
		}
		switch r.IntN(8) {
		case 0:
			c.opts = append(c.opts, o("Width", 1+r.IntN(8)))
		case 1:
			c.opts = append(c.opts, o("Digits", 10+r.IntN(11)))
		case 2:
			c.opts = append(c.opts, refOpt{word: "Years", n: 1971, m: 2100})
		case 3:
			c.opts = append(c.opts, o("HexDigits", 16))
		}
	}
	if c.isText() && genOdds(r, 8) {
		c.opts = append(c.opts, refOpt{word: "Chars", text: genPick(r, "abcdefghij", "klmnopqrst", "abcdefghijklmnopqrst_:- ")})
	}
	if c.word != "Bool" && genOdds(r, 3) {
		at := r.IntN(len(c.opts) + 1)
		c.opts = append(c.opts[:at:at], append([]refOpt{{word: "Desc"}}, c.opts[at:]...)...)
	}
	return c
}

// hotRow is a row whose values lie at the limits of words.
func hotRow(r *rand.Rand, s *refSchema) refRow {
	var row refRow
	for _, c := range s.supplied() {
		bits := genPick[uint64](r, 0, 1, 9, 10, 99999999, 100000000, 1<<32-1, 1<<63-1, 1<<63, math.MaxUint64, r.Uint64(), r.Uint64(), r.Uint64())
		bits >>= genPick(r, 0, 0, 8, 16, 24, 32, 40, 48, 56, r.IntN(64))
		switch c.word {
		case "String", "Binary":
			if c.has("Numeric") {
				row = append(row, genNumber(r))
				continue
			}
			if c.has("UUID") && !genOdds(r, 6) {
				row = append(row, genUUID(r))
				continue
			}
			if f, ok := c.opt("OneOf"); ok && !genOdds(r, 9) {
				row = append(row, genPick(r, f.list...))
				continue
			}
			if f, ok := c.opt("Codes"); ok && !genOdds(r, 9) {
				row = append(row, f.list[2*r.IntN(len(f.list)/2)])
				continue
			}
			n := genPick(r, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 36, 37, 40, r.IntN(300))
			if s.maxLen > 0 && genOdds(r, 2) {
				n = r.IntN(s.maxLen + 2) // to MaxLen and a byte more
			}
			if f, ok := c.opt("Fixed"); ok && !genOdds(r, 9) {
				n = f.n
			}
			text := make([]byte, n)
			from := "abcdefghijklmnopqrst"
			if f, ok := c.opt("Chars"); ok {
				from = f.text
			}
			for i := range text {
				text[i] = from[r.IntN(len(from))]
			}
			for genOdds(r, 4) && n > 0 {
				text[r.IntN(n)] = genPick[byte](r, 0, '_', ':', '-', ' ', 0xff, 1, '~', 0x80)
			}
			row = append(row, string(text))
		case "Uint":
			row = append(row, bits)
		case "Int":
			row = append(row, int64(bits)>>genPick(r, 0, 0, 8, 32, 56))
		case "Float":
			f := math.Float64frombits(bits)
			if genOdds(r, 2) {
				f = float64(float32(f))
			}
			row = append(row, genPick(r, f, -f, float64(r.IntN(100)), 0, math.Copysign(0, -1)))
		case "Bool":
			row = append(row, genOdds(r, 2))
		case "Time":
			at := time.Unix(r.Int64N(1<<32), r.Int64N(1e9))
			switch r.IntN(8) {
			case 0:
				at = time.Unix(int64(bits>>1), 0)
			case 1:
				at = time.Unix(r.Int64N(260e9)-3e9, genPick[int64](r, 0, 1, 999_999_999))
			case 2:
				at = at.Truncate(24 * time.Hour)
			}
			row = append(row, at.UTC())
		}
	}
	for i := range row { // as those of the laws: a null only where one may be
		if s.supplied()[i].has("Optional") && genOdds(r, 4) {
			row[i] = refNull{}
		}
	}
	return row
}

// hotStruct is a struct that may hold the rows of a schema: numbers in types that
// are just wide enough, or wider.
func hotStruct(r *rand.Rand, s *refSchema) reflect.Type {
	var fields []reflect.StructField
	for i, c := range s.supplied() {
		var t reflect.Type
		tag := c.name
		switch c.word {
		case "String", "Binary":
			if t = reflect.TypeFor[string](); genOdds(r, 3) && !c.has("Numeric") {
				t = reflect.TypeFor[[]byte]()
			}
			if f, ok := c.opt("Fixed"); ok && genOdds(r, 3) && f.n > 0 {
				t = reflect.ArrayOf(f.n, reflect.TypeFor[byte]())
			}
		case "Uint":
			all := []reflect.Type{reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint32](),
				reflect.TypeFor[uint64](), reflect.TypeFor[uint](), reflect.TypeFor[uint64](), reflect.TypeFor[uint64]()}
			t = all[genPick(r, 0, r.IntN(len(all)-c.size+1))+c.size-1]
		case "Int":
			all := []reflect.Type{reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int32](),
				reflect.TypeFor[int64](), reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[int64]()}
			t = all[genPick(r, 0, r.IntN(len(all)-c.size+1))+c.size-1]
		case "Float":
			if t = reflect.TypeFor[float64](); c.size == 4 && genOdds(r, 2) {
				t = reflect.TypeFor[float32]()
			}
		case "Bool":
			t = reflect.TypeFor[bool]()
		case "Time":
			t = reflect.TypeFor[time.Time]()
			switch {
			case genOdds(r, 3):
				t, tag = reflect.TypeFor[int64](), tag+","+genPick(r, "ms", "ms", "s", "us", "ns")
			case genOdds(r, 6):
				t, tag = reflect.TypeFor[uint64](), tag+","+genPick(r, "ms", "s")
			}
		}
		if c.has("Optional") {
			t = reflect.PointerTo(t)
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t, Tag: reflect.StructTag(fmt.Sprintf("rowkey:%q", tag))})
	}
	return reflect.StructOf(fields)
}

// hotSet sets a struct to a row; false where it cannot hold it.
func hotSet(v reflect.Value, row refRow) bool {
	for i, x := range row {
		f := v.Field(i)
		if _, null := x.(refNull); null {
			continue
		}
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch x := x.(type) {
		case string:
			switch f.Kind() {
			case reflect.String:
				f.SetString(x)
			case reflect.Slice:
				f.SetBytes([]byte(x))
			default:
				if len(x) != f.Len() {
					return false
				}
				reflect.Copy(f, reflect.ValueOf([]byte(x)))
			}
		case refNumber:
			f.SetString(string(x))
		case uint64:
			if !f.CanUint() {
				return false
			}
			f.SetUint(x) // cut to the type's size
		case int64:
			if !f.CanInt() {
				return false
			}
			f.SetInt(x)
		case float64:
			f.SetFloat(x)
		case bool:
			f.SetBool(x)
		case time.Time:
			switch {
			case f.CanInt():
				f.SetInt(x.UnixMilli())
			case f.CanUint():
				f.SetUint(uint64(x.UnixMilli()))
			default:
				f.Set(reflect.ValueOf(x))
			}
		}
	}
	return true
}

// TestHotTruncatedBefore1970: a time with a sign is rounded down, also before 1970.
func TestHotTruncatedBefore1970(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).Time("at", rowkey.Millis, rowkey.Truncate(time.Hour)).MustBuild()
	for _, sec := range []int64{-7201, -7200, -3601, -3600, -1, 0, 1, 3599, 3600, 3601} {
		at := time.Unix(sec, 0)
		key, err := s.Key().Time(at).Bytes()
		require.NoError(t, err)
		hours := int64(math.Floor(float64(sec) / 3600))
		require.Equal(t, binary.BigEndian.AppendUint64(nil, uint64(hours*3600*1000)^1<<63), key, at)
		var back time.Time
		require.NoError(t, s.Read(key).Time(&back).Err())
		require.True(t, back.Equal(time.Unix(hours*3600, 0)), at)
		key[7]++ // no whole hour
		require.ErrorIs(t, s.Read(key).Time(&back).Err(), rowkey.ErrMalformed, at)
	}
}
