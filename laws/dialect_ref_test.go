package laws

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// This file is the slow reference for the dialects: what they add to the
// components of reference_test.go, and how random schemas meet them.

var refDialects = map[string]rowkey.Dialect{"OrderedBytes": interop.OrderedBytes, "Phoenix": interop.Phoenix}

// refRules are the flags that say how a salt's bucket is found.
var refRules = map[string]bool{
	"JavaHash": true, "JavaHashAbs": true, "JavaHashFloor": true, "PhoenixHash": true, "HBaseWDHash": true, "PinpointHash": true, "Modulo": true,
	"JavaHashModAbs": true,
}

// ---- decimal numbers

// A refNumber is the value of a Numeric String: text that reads as a number.
type refNumber string

// parts is the number as n · 10^exp, n without trailing zeros.
func (x refNumber) parts() (n *big.Int, exp int) {
	text := strings.ToLower(string(x))
	if digits, tail, ok := strings.Cut(text, "e"); ok {
		e, _ := new(big.Int).SetString(tail, 10)
		text, exp = digits, int(e.Int64())
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ = new(big.Int).SetString(whole+fraction, 10)
	exp -= len(fraction)
	for ten := big.NewInt(10); n.Sign() != 0 && new(big.Int).Rem(n, ten).Sign() == 0; exp++ {
		n.Quo(n, ten)
	}
	if n.Sign() == 0 {
		exp = 0
	}
	return n, exp
}

func (x refNumber) rat() *big.Rat {
	n, exp := x.parts()
	r := new(big.Rat).SetInt(n)
	power := new(big.Rat).SetInt(refPow(10, max(exp, -exp)))
	if exp < 0 {
		power.Inv(power)
	}
	return r.Mul(r, power)
}

// plain is the number as it is read back: its digits alone, and an exponent only
// where there would be more than 20 zeros that are no digits of its own.
func (x refNumber) plain() refNumber {
	n, exp := x.parts()
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	digits := new(big.Int).Abs(n).String()
	point := len(digits) + exp // digits before the point
	switch {
	case exp > 20 || point < -20:
		text := digits[:1]
		if len(digits) > 1 {
			text += "." + digits[1:]
		}
		if point > 0 {
			return refNumber(sign + text + "E+" + big.NewInt(int64(point-1)).String())
		}
		return refNumber(sign + text + "E" + big.NewInt(int64(point-1)).String())
	case exp >= 0:
		return refNumber(sign + digits + strings.Repeat("0", exp))
	case point > 0:
		return refNumber(sign + digits[:point] + "." + digits[point:])
	}
	return refNumber(sign + "0." + strings.Repeat("0", -point) + digits)
}

// refHundreds is a number's pairs of digits: it is ±0.p₁p₂… · 100^exp, p₁ not 0.
func refHundreds(x refNumber) (negative bool, pairs []byte, exp int) {
	n, e := x.parts()
	digits := new(big.Int).Abs(n).String()
	if point := len(digits) + e; point%2 != 0 { // pairs do not straddle the point
		digits = "0" + digits
	}
	exp = (len(digits) + e) / 2
	if len(digits)%2 != 0 {
		digits += "0"
		exp = (len(digits) - 1 + e) / 2
	}
	for i := 0; i < len(digits); i += 2 {
		pairs = append(pairs, 10*(digits[i]-'0')+digits[i+1]-'0')
	}
	return n.Sign() < 0, pairs, exp
}

// refVaruint is SQLite 4's, for what an exponent can be.
func refVaruint(v int) []byte {
	switch {
	case v <= 240:
		return []byte{byte(v)}
	case v <= 2287:
		return []byte{byte((v-240)/256 + 241), byte((v - 240) % 256)}
	}
	return []byte{249, byte((v - 2288) / 256), byte((v - 2288) % 256)}
}

func refInverted(b []byte) []byte {
	out := bytes.Clone(b)
	for i := range out {
		out[i] ^= 0xff
	}
	return out
}

// refNumeric is a number as OrderedBytes writes it.
func refNumeric(x refNumber) []byte {
	negative, pairs, exp := refHundreds(x)
	if x.rat().Sign() == 0 {
		return []byte{0x15}
	}
	var digits []byte
	for i, p := range pairs {
		if digits = append(digits, 2*p+1); i == len(pairs)-1 {
			digits[i]--
		}
	}
	switch {
	case exp > 10 && negative:
		return slices.Concat([]byte{0x08}, refInverted(refVaruint(exp)), refInverted(digits))
	case exp > 10:
		return slices.Concat([]byte{0x22}, refVaruint(exp), digits)
	case exp > 0 && negative:
		return slices.Concat([]byte{byte(0x13 - exp)}, refInverted(digits))
	case exp > 0:
		return slices.Concat([]byte{byte(0x17 + exp)}, digits)
	case negative:
		return slices.Concat([]byte{0x14}, refVaruint(-exp), refInverted(digits))
	}
	return slices.Concat([]byte{0x16}, refInverted(refVaruint(-exp)), digits)
}

// refBigDecimal is a number as Phoenix writes it.
func refBigDecimal(x refNumber) []byte {
	negative, pairs, exp := refHundreds(x)
	if x.rat().Sign() == 0 {
		return []byte{0x80}
	}
	out := []byte{byte(0xc0 + exp)}
	if negative {
		out[0] = byte(0x3f - exp)
	}
	for _, p := range pairs {
		if negative {
			out = append(out, 101-p)
		} else {
			out = append(out, p+1)
		}
	}
	if negative && len(pairs) < 20 {
		out = append(out, 0x66)
	}
	return out
}

// within reports that a number has no more digits before the point, nor
// after it, than the component's Precision says.
func (x refNumber) within(c *refComp) bool {
	o, limited := c.opt("Precision")
	n, exp := x.parts()
	if !limited || n.Sign() == 0 {
		return true
	}
	return len(new(big.Int).Abs(n).String())+exp <= o.n-o.m && -exp <= o.m
}

// number is a decimal number's form, ascending and without an end.
func (s *refSchema) number(x refNumber) ([]byte, error) {
	n, _ := x.parts()
	_, _, exp := refHundreds(x)
	digits := len(new(big.Int).Abs(n).String())
	if s.dialect == "OrderedBytes" {
		if digits > 31 || exp > 65535 || exp < -65535 {
			return nil, rowkey.ErrRange
		}
		return refNumeric(x), nil
	}
	if digits > 38 || exp > 61 || exp < -61 {
		return nil, rowkey.ErrRange
	}
	return refBigDecimal(x), nil
}

// convertNumber takes the value of a Numeric String through the options of c.
func (s *refSchema) convertNumber(c, src *refComp, v any) (refForms, []error) {
	x, ok := v.(refNumber)
	if !ok {
		if _, text := v.(string); text {
			return refForms{}, []error{rowkey.ErrRange}
		}
		return refForms{}, []error{rowkey.ErrType}
	}
	form, err := s.number(x)
	if err != nil {
		return refForms{}, []error{err}
	}
	if !x.within(c) {
		return refForms{}, []error{rowkey.ErrRange}
	}
	w := refWriter{out: form, written: true}
	s.endIn(c, src, &w)
	plain := string(x.plain())
	return refForms{kept: refNumber(plain), value: plain, text: plain, stored: string(w.out)}, w.errs
}

// ofKind is a value that was read as the field's kind has it.
func (c *refComp) ofKind(v any) any {
	if text, ok := v.(string); ok && c.has("Numeric") {
		return refNumber(text)
	}
	return v
}

// plain is a row's values as the caller passes them.
func (row refRow) plain() refRow {
	out := slices.Clone(row)
	for i, v := range out {
		switch x := v.(type) {
		case refNumber:
			out[i] = string(x)
		case refNull:
			out[i] = nil
		}
	}
	return out
}

// ---- nulls

// A refNull is no value.
type refNull struct{}

func lawNull(v any) bool {
	_, null := v.(refNull)
	return null
}

// lawBegins reports that a value is a text that begins so.
func lawBegins(v any, begin string) bool {
	text, ok := v.(string)
	return ok && strings.HasPrefix(text, begin)
}

// convertNull is what a null of c writes where something follows.
func (s *refSchema) convertNull(c *refComp) (refForms, []error) {
	f := refForms{kept: refNull{}}
	switch {
	case !c.has("Optional"):
		return f, []error{rowkey.ErrType}
	case s.isLast(c):
	case s.dialect == "OrderedBytes" && c.has("Desc"):
		f.stored = "\xfa"
	case s.dialect == "OrderedBytes":
		f.stored = "\x05"
	case c.has("Escaped"):
		f.stored = "\x00\x01"
	default:
		f.stored = "\x00"
	}
	return f, nil
}

// mayEndEarly reports that the last field may be null.
func (s *refSchema) mayEndEarly() bool {
	for i := range s.comps {
		if c := &s.comps[i]; c.has("Optional") && s.isLast(c) {
			return true
		}
	}
	return false
}

// trim leaves the nulls at the end of a key off, and in Phoenix the end that
// would stand before them, unless that is descending. A salt or hash of what
// is stored counts that end all the same.
func (s *refSchema) trim(forms map[string]refForms) map[string]string {
	off := 0
	trimmed := map[string]string{}
	for i := len(s.comps) - 1; i >= 0; i-- {
		c := &s.comps[i]
		if c.has("NotStored") {
			continue
		}
		if c.isConst() || !c.isField() && c.word != "Copy" {
			return trimmed
		}
		f := forms[c.name]
		if lawNull(f.kept) {
			trimmed[c.name] = ""
			off++
			continue
		}
		if off > 0 && s.dialect == "Phoenix" && !c.has("Desc") {
			switch src := s.source(c); {
			case c.has("Escaped"):
				trimmed[c.name] = strings.TrimSuffix(f.stored, "\x00\x01")
			case c.has("Numeric"), src.has("Numeric") && src.word == "String",
				(src.word == "String" || src.word == "Binary") && !c.has("Fixed") && !c.has("Pad") && !c.has("PadLeft"):
				trimmed[c.name] = strings.TrimSuffix(f.stored, "\x00")
			}
		}
		return trimmed
	}
	return trimmed
}

// closed is a row without the nulls at its end, which Bytes supplies itself, now
// and then.
func (c *lawCase) closed(row refRow) refRow {
	fields := c.s.supplied()
	for genOdds(c.r, 2) && len(row) > 0 && lawNull(row[len(row)-1]) && fields[len(row)-1].has("Optional") {
		row = row[:len(row)-1]
	}
	return row
}

// nullRead is a null that was read: nothing may have come with it.
func (c *refComp) nullRead(l *lawCase, v any) any {
	if empty := []any{"", uint64(0), int64(0)}; !slices.Contains(empty, v) {
		l.fail("a null of %s is read as %v", c.name, v)
	}
	return refNull{}
}

// lawPointer is the kind of pointer that holds an Optional field.
func lawPointer(f *refComp) string {
	switch {
	case !f.has("Optional"):
		return ""
	case f.word == "Binary":
		return "*String"
	}
	return "*" + f.word
}

// pointers is a row's values as the struct codec has them.
func (row refRow) pointers(s *refSchema) refRow {
	out := row.plain()
	for i, f := range s.supplied() {
		switch lawPointer(f) {
		case "*String":
			out[i] = lawPointTo[string](out[i])
		case "*Uint":
			out[i] = lawPointTo[uint64](out[i])
		case "*Int":
			out[i] = lawPointTo[int64](out[i])
		}
	}
	return out
}

func lawPointTo[T any](v any) *T {
	if x, ok := v.(T); ok {
		return &x
	}
	return nil
}

// lawPointed undoes pointers.
func lawPointed(v any) any {
	switch p := v.(type) {
	case *string:
		if p != nil {
			return *p
		}
		return refNull{}
	case *uint64:
		if p != nil {
			return *p
		}
		return refNull{}
	case *int64:
		if p != nil {
			return *p
		}
		return refNull{}
	}
	return v
}

// ---- what a dialect adds to a component

// isLast reports that nothing which is stored stands after c.
func (s *refSchema) isLast(c *refComp) bool {
	at := slices.IndexFunc(s.comps, func(x refComp) bool { return x.word == c.word && x.name == c.name })
	return !slices.ContainsFunc(s.comps[at+1:], func(x refComp) bool { return !x.has("NotStored") })
}

// padOf is the pad of a Pad or PadLeft.
func (c *refComp) padOf() (byte, bool) {
	for _, o := range c.opts {
		if o.word == "Pad" || o.word == "PadLeft" {
			return o.b, true
		}
	}
	return 0, false
}

// unpadded is a text as Phoenix compares it: a CHAR without the padding that its
// caller gave. One that is turned round is padded elsewhere.
func (s *refSchema) unpadded(c *refComp, text string) string {
	o, ok := c.opt("Pad")
	turned := slices.ContainsFunc(c.opts, func(o refOpt) bool { return strings.HasPrefix(o.word, "Reverse") })
	if s.dialect != "Phoenix" || c.word != "String" || !ok || o.b != ' ' || turned || c.has("Codes") || c.has("Loose") || c.has("NotStored") {
		return text
	}
	for strings.HasSuffix(text, string([]byte{o.b})) {
		text = text[:len(text)-1]
	}
	return text
}

// limitsIn judges a text: Phoenix's CHAR holds no byte below its pad, and no
// character of more than a byte.
func (s *refSchema) limitsIn(c *refComp, w *refWriter, text string) {
	pad, padded := c.padOf()
	if s.dialect != "Phoenix" || c.has("Codes") || c.has("NotStored") {
		return
	}
	char := c.word == "String" && (c.has("Pad") && pad == ' ' || c.has("Fixed"))
	if slices.ContainsFunc([]byte(text), func(b byte) bool { return padded && b < pad || char && b >= 0x80 }) {
		w.errs = append(w.errs, rowkey.ErrRange)
	}
}

// fullIn refuses the empty text, which is null to Phoenix.
func (s *refSchema) fullIn(c *refComp, w *refWriter) {
	if s.dialect == "Phoenix" && len(w.out) == 0 && !c.has("Fixed") && !c.has("NotStored") {
		w.errs = append(w.errs, rowkey.ErrLength)
	}
}

// digits reports that a number is written as text.
func (c *refComp) digits() bool { return c.has("Digits") || c.has("HexDigits") || c.has("Decimal") }

// integerIn writes a Numeric, and keeps Phoenix's unsigned numbers to Java's.
func (s *refSchema) integerIn(c *refComp, w *refWriter) {
	switch {
	case s.dialect == "":
	case c.has("Numeric"):
		x := refNumber(w.n.String())
		form, err := s.number(x)
		if err == nil && !x.within(c) {
			err = rowkey.ErrRange
		}
		if err != nil {
			w.fail(err)
		}
		w.out, w.written = form, true
	case s.dialect == "Phoenix" && !w.signed && !c.digits():
		if _, hi := refBounds(true, w.width); w.n.Cmp(hi) > 0 {
			w.fail(rowkey.ErrRange)
		}
	}
}

// floatIn is Phoenix's float: the sortable bits and 1, or unsigned the raw bits.
func (s *refSchema) floatIn(c *refComp, w *refWriter, raw string, x float64) {
	switch {
	case s.dialect != "Phoenix":
	case c.has("Unsigned") && x < 0:
		w.fail(rowkey.ErrRange)
	case c.has("Unsigned"):
		w.out = []byte(raw)
	default:
		n := new(big.Int).SetBytes(w.out)
		w.out = refBig(n.Add(n, big.NewInt(1)), len(w.out))
	}
}

// signedTime reports that a time may lie before its epoch.
func (s *refSchema) signedTime(c *refComp, u refUnit) bool {
	return s.dialect != "" && u.word != "Layout" && !c.has("Unsigned") && !c.digits()
}

// timeIn writes Phoenix's TIMESTAMP: milliseconds, then nanoseconds beyond them.
func (s *refSchema) timeIn(c *refComp, u refUnit, w *refWriter) {
	if s.dialect != "Phoenix" || u.word == "Layout" {
		return
	}
	if c.has("Unsigned") {
		_, w.max = refBounds(false, 8)
	}
	if c.digits() || u.word != "Nanos" {
		return
	}
	million := big.NewInt(1_000_000)
	ms := refFloor(w.n, million)
	nanos := new(big.Int).Sub(w.n, new(big.Int).Mul(ms, million))
	if !c.has("Unsigned") {
		ms.Add(ms, refPow(2, 63))
	}
	w.out, w.written = slices.Concat(refBig(ms, 8), refBig(nanos, 4)), true
}

// descBehind reports that Desc inverts what is written, ends and all: of text,
// of numbers in text, of Numeric.
func (s *refSchema) descBehind(c *refComp) bool {
	if s.dialect == "" {
		return false
	}
	src := s.source(c)
	unit := src.unit
	if o, ok := c.opt("unit"); ok {
		unit = o.unit
	}
	for _, o := range c.opts {
		switch o.word {
		case "Digits", "HexDigits", "Numeric":
			return true
		case "Desc":
			return src.word == "String" || src.word == "Binary" || unit.word == "Layout"
		}
	}
	return false
}

// endIn puts what a dialect has around a form: header, groups, end.
func (s *refSchema) endIn(c, src *refComp, w *refWriter) {
	if s.dialect == "" || w.failed {
		return
	}
	text := src.word == "String" || src.word == "Binary"
	desc := c.has("Desc")
	numeric := c.has("Numeric") || text && src.has("Numeric")
	behind := s.descBehind(c) || desc && numeric
	nul := func() {
		if bytes.IndexByte(w.out, 0) >= 0 {
			w.errs = append(w.errs, rowkey.ErrTerminator)
		}
		w.out = append(bytes.Clone(w.out), 0)
	}
	head := func(b byte) { w.out = slices.Concat([]byte{b}, w.out) }
	last := s.isLast(c)
	switch {
	case text && c.has("NotStored"):
	case numeric:
		if s.dialect == "Phoenix" && (!last || desc) {
			nul()
		}
	case s.dialect == "OrderedBytes":
		heads := map[string]map[int]byte{
			"Int": {1: 0x29, 2: 0x2a, 4: 0x2b, 8: 0x2c}, "Float": {4: 0x30, 8: 0x31}, "Time": {0: 0x2c},
		}[src.word]
		switch {
		case src.word == "String":
			nul()
			head(0x34)
		case c.has("BlobCopy"):
			if desc {
				nul()
			}
			head(0x38)
		case src.word == "Binary":
			w.out = refBlobVar(w.out)
			head(0x37)
		case desc:
			head(heads[src.size] ^ 0xff)
		default:
			head(heads[src.size])
		}
	case !text:
	case c.has("Escaped"):
		if last && !desc {
			w.out = bytes.TrimSuffix(w.out, []byte{0, 1})
		}
	case c.has("Fixed") || c.has("Pad") || c.has("PadLeft"):
	case !last || desc:
		nul()
	}
	if desc && behind {
		w.out = refInverted(w.out)
	}
	if c.has("Optional") {
		if null, _ := s.convertNull(c); null.stored != "" && strings.HasPrefix(string(w.out), null.stored) {
			w.errs = append(w.errs, rowkey.ErrTerminator) // it would be read as a null
		}
	}
}

// refBlobVar is the bits of some bytes by sevens, each with a bit in front that
// says whether more follow.
func refBlobVar(b []byte) []byte {
	var bits strings.Builder
	for _, x := range b {
		for i := 7; i >= 0; i-- {
			bits.WriteByte('0' + x>>i&1)
		}
	}
	text := bits.String()
	for len(text)%7 != 0 || text == "" {
		text += "0"
	}
	var out []byte
	for i := 0; i < len(text); i += 7 {
		n, _ := new(big.Int).SetString(text[i:i+7], 2)
		group := byte(n.Uint64())
		if i+7 < len(text) {
			group |= 0x80
		}
		out = append(out, group)
	}
	return out
}

// refDialectOrder is the order of the layouts whose order the documentation
// states in so many words.
func refDialectOrder(dialect, kind, words string) (rowkey.Order, bool) {
	forward := rowkey.Forward
	words, desc := strings.CutSuffix(words, "Desc")
	if desc {
		forward = rowkey.Backward
	}
	layout := strings.TrimSpace(kind + ": " + strings.TrimSpace(words))
	switch dialect + " " + layout {
	case "OrderedBytes Int:", "OrderedBytes Float:", "OrderedBytes Time:", "OrderedBytes String:", "OrderedBytes Binary: BlobCopy",
		"OrderedBytes String: Numeric", "OrderedBytes Int: Numeric", "OrderedBytes Uint: Numeric",
		"Phoenix Int:", "Phoenix Uint:", "Phoenix Float:", "Phoenix Bool:", "Phoenix Time:", "Phoenix Layout:",
		"Phoenix Float: Unsigned", "Phoenix Time: Unsigned", "Phoenix String:", "Phoenix Binary:",
		"Phoenix String: Pad", "Phoenix Binary: Pad", "Phoenix String: Fixed", "Phoenix Binary: Fixed",
		"Phoenix String: Escaped", "Phoenix Binary: Escaped", "Phoenix Uint: Digits", "Phoenix Time: Digits",
		"Phoenix String: Numeric", "Phoenix Int: Numeric", "Phoenix Uint: Numeric":
		return forward, true
	case "OrderedBytes Binary:":
		return rowkey.Unordered, true
	}
	return 0, false
}

// ---- random schemas and rows

func genDialectKinds() []genKind {
	var kinds []genKind
	millis := refUnit{word: "Millis"}
	for _, dialect := range []string{"OrderedBytes", "Phoenix"} {
		for _, c := range []refComp{
			{word: "String"}, {word: "Binary"}, {word: "Uint", size: 4}, {word: "Int", size: 4}, {word: "Float", size: 8}, {word: "Time", unit: millis},
		} {
			c.name = "x"
			kinds = append(kinds, genKind{name: c.word + " of " + dialect, dialect: dialect, comp: c})
		}
	}
	return append(kinds,
		genKind{name: "Bool of Phoenix", dialect: "Phoenix", comp: refComp{word: "Bool", name: "x"}},
		genKind{name: "Time by Layout of Phoenix", dialect: "Phoenix",
			comp: refComp{word: "Time", name: "x", unit: refUnit{word: "Layout", layout: "20060102"}}})
}

// genNumber is a decimal number: small ones, neighbours, and those at the ends
// of what can be stored.
func genNumber(r *rand.Rand) refNumber {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0019"[r.IntN(4)]
		}
		return string(b)
	}
	sign := genPick(r, "", "-", "", "-", "+")
	switch r.IntN(7) {
	case 0:
		return refNumber(genPick(r, "0", "0.0", "-0", "1", "-1", "10", "100", "1e2", "0.1", "0.01", "-0.01", "1.0", "12.345", "99.99", "0.5"))
	case 1:
		return refNumber(sign + genPick(r, "9", "99", "1", "10", "5") + "E" + genPick(r, "-5", "5", "-20", "20", "21", "-21", "22", "40", "-40", "60", "-60", "300", "-300", "5000"))
	case 2:
		return refNumber(sign + digits(1+r.IntN(3)) + "." + digits(r.IntN(3)))
	case 3:
		return refNumber(sign + "1" + digits(genPick(r, 29, 30, 31, 36, 37, 38)))
	case 4:
		return refNumber(sign + "0." + digits(genPick(r, 1, 5, 30, 37)) + genPick(r, "1", "9", ""))
	case 5:
		return refNumber(sign + genPick(r, "1", "9.9", "1.00000000000000000001") + genPick(r, "E+120", "E+121", "E+122", "E+123", "E-120", "E-122", "E-123", "E-124", "E+131069", "E+131071", "E-131072", "E-140000"))
	}
	return refNumber(sign + digits(1+r.IntN(4)))
}

// genNumberOf is one of a field, most of the time within its Precision.
func genNumberOf(r *rand.Rand, c *refComp) refNumber {
	x := genNumber(r)
	for range 20 {
		if x.within(c) || genOdds(r, 12) {
			break
		}
		x = genNumber(r)
	}
	return x
}

// genEarly is a time before 1970.
func genEarly(r *rand.Rand) time.Time {
	return genPick(r, time.Time{}, time.Unix(-1, 0), time.Unix(-1, 999_000_000), time.Unix(-1, 999_999_999), time.Unix(0, -1),
		time.Unix(-86400*400, 1), time.Unix(-1e9+r.Int64N(100), r.Int64N(1e9)), time.Unix(-9223372038, 0), time.Unix(-9223372037, 145224193))
}

// goNumbers is decimal numbers as a query passes them: as text, or as integers
// where they all are.
func (p *planCase) goNumbers(values []any) (zero any, args []any) {
	whole := true
	for _, v := range values {
		x := v.(refNumber).rat()
		whole = whole && x.IsInt() && x.Num().IsInt64()
	}
	for _, v := range values {
		x := v.(refNumber)
		if whole {
			args = append(args, x.rat().Num().Int64())
		} else {
			args = append(args, string(x))
		}
	}
	if whole {
		return int64(0), args
	}
	return "", args
}

// nulls is how many ranges a field's null may need: descending, one that is left
// off lies apart from those that are followed.
func (p *planCase) nulls(f *refComp) int {
	if f.has("Optional") {
		return 2
	}
	return 0
}

// phoenixSalt reports that a salt is by Phoenix's rule, which is that of its
// dialect where none is named.
func (s *refSchema) phoenixSalt(c *refComp) bool {
	named := slices.ContainsFunc(c.opts, func(o refOpt) bool { return o.word == "part" || refRules[o.word] })
	return c.has("PhoenixHash") || s.dialect == "Phoenix" && !named
}
