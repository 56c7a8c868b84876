package laws

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spaolacci/murmur3"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// This file is the slow reference: a schema as plain data, from which come
//
//   - the declaration as Go text (String),
//   - the schema itself, by way of the public Builder (build),
//   - the key of a row, or every reason why it has none (encode).
//
// It is written to be read. Numbers are big.Int, transforms are loops, and
// nothing is computed that the documentation does not say in a sentence, which
// then stands beside it. It shares no code with the package.

// ---- schemas as data

type refSchema struct {
	name    string
	hbase   bool
	dialect string // OrderedBytes or Phoenix, if not empty
	maxLen  int    // 0: HBase's own 32767
	comps   []refComp
}

// refComp is one component. word is the Builder's method.
type refComp struct {
	word    string
	name    string // fields and Copy; Salt and Hash are named by an option
	size    int    // Uint, Int, Float
	unit    refUnit
	of      string // Copy
	buckets int    // Salt
	in      refInput
	part    refPart // Hash
	text    string  // Separator, Literal
	opts    []refOpt
}

// refOpt is one option: its word, and those of the other members it needs.
type refOpt struct {
	word string
	n, m int
	b    byte
	text string
	list []string // OneOf: values; Codes: value, code, value, code …
	step time.Duration
	unit refUnit
	part refPart
}

// refUnit is a Unit; zone is the offset of a Layout's zone in seconds.
type refUnit struct {
	word   string // Nanos … Days, or Layout
	layout string
	zone   int
	since  int64 // Unix seconds; 0: the unit's own epoch
	nanos  int64 // and nanoseconds after them
}

type refPart struct {
	digest string
	seed   string // "" is the digest's own
	word   string // Hex, HexAt, Raw
	at, n  int
	upper  bool
}

type refInput struct {
	word   string // "" is one field by its value
	format string
	fields []string
}

// refRow holds one value for each supplied field in schema order: a string (of
// String and Binary alike), refNumber (of a Numeric String), uint64, int64,
// float64, bool, time.Time or, of an Optional field, refNull.
type refRow []any

// supplied is the components whose values the caller gives.
func (s *refSchema) supplied() []*refComp {
	var fields []*refComp
	for i := range s.comps {
		if s.comps[i].isField() {
			fields = append(fields, &s.comps[i])
		}
	}
	return fields
}

func (s *refSchema) comp(name string) *refComp {
	for i := range s.comps {
		if s.comps[i].name == name {
			return &s.comps[i]
		}
	}
	return nil
}

func (s *refSchema) has(word string) bool {
	return slices.ContainsFunc(s.comps, func(c refComp) bool { return c.has(word) })
}

func (c *refComp) isField() bool {
	switch c.word {
	case "String", "Binary", "Uint", "Int", "Float", "Bool", "Time":
		return true
	}
	return false
}

func (c *refComp) isText() bool {
	return (c.word == "String" || c.word == "Binary") && !c.has("Numeric")
}

func (c *refComp) isConst() bool { return c.word == "Separator" || c.word == "Literal" }

func (c *refComp) opt(word string) (refOpt, bool) {
	i := slices.IndexFunc(c.opts, func(o refOpt) bool { return o.word == word })
	if i < 0 {
		return refOpt{}, false
	}
	return c.opts[i], true
}

func (c *refComp) has(word string) bool {
	_, ok := c.opt(word)
	return ok
}

// ---- the declaration as Go text (with a dot import, to be short)

func (s *refSchema) String() string {
	args := []string{strconv.Quote(s.name)}
	if s.hbase {
		args = append(args, "HBase")
	}
	if s.dialect != "" {
		args = append(args, s.dialect)
	}
	if s.maxLen != 0 {
		args = append(args, fmt.Sprintf("MaxLen(%d)", s.maxLen))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "New(%s)", strings.Join(args, ", "))
	for i := range s.comps {
		fmt.Fprintf(&b, ".%s", &s.comps[i])
	}
	return b.String()
}

func (c *refComp) String() string {
	var args []string
	switch c.word {
	case "Separator", "Literal":
		args = []string{strconv.Quote(c.text)}
	case "Uint", "Int", "Float":
		args = []string{strconv.Quote(c.name), strconv.Itoa(c.size)}
	case "Time":
		args = []string{strconv.Quote(c.name), c.unit.String()}
	case "Copy":
		args = []string{strconv.Quote(c.name), strconv.Quote(c.of)}
	case "Salt":
		args = []string{strconv.Itoa(c.buckets), c.in.String()}
	case "Hash":
		args = []string{c.part.String(), c.in.String()}
	default:
		args = []string{strconv.Quote(c.name)}
	}
	for _, o := range c.opts {
		args = append(args, o.String())
	}
	return c.word + "(" + strings.Join(args, ", ") + ")"
}

func (o refOpt) String() string {
	switch o.word {
	case "Width", "Digits", "HexDigits", "Below", "Fixed", "Left", "Right", "MinLen", "LenPrefix":
		return fmt.Sprintf("%s(%d)", o.word, o.n)
	case "Years", "ReversePart", "Precision":
		return fmt.Sprintf("%s(%d, %d)", o.word, o.n, o.m)
	case "Pad", "PadLeft":
		return fmt.Sprintf("%s(%d, %#02x)", o.word, o.n, o.b)
	case "Chars", "Letters", "ReverseLabels", "Named":
		return fmt.Sprintf("%s(%q)", o.word, o.text)
	case "Via":
		return "Via(" + o.text + ")"
	case "Truncate":
		return fmt.Sprintf("Truncate(%d)", int64(o.step))
	case "OneOf":
		return "OneOf(" + refQuoted(o.list) + ")"
	case "Codes":
		var pairs []string
		for i := 0; i < len(o.list); i += 2 {
			pairs = append(pairs, fmt.Sprintf("%q: %q", o.list[i], o.list[i+1]))
		}
		return "Codes(map[string]string{" + strings.Join(pairs, ", ") + "})"
	case "unit":
		return o.unit.String()
	case "part":
		return o.part.String()
	}
	return o.word
}

// epoch is the instant from which the unit counts.
func (u refUnit) epoch() time.Time { return time.Unix(u.since, u.nanos) }

func (u refUnit) String() string {
	text := u.word
	if u.word == "Layout" {
		text = fmt.Sprintf("Layout(%q, time.FixedZone(\"\", %d))", u.layout, u.zone)
	}
	if u.since != 0 {
		text += fmt.Sprintf(".Since(time.Unix(%d, %d))", u.since, u.nanos)
	}
	return text
}

func (p refPart) String() string {
	digest := p.digest
	if p.seed != "" {
		digest += ".Seed(" + p.seed + ")"
	}
	text := fmt.Sprintf("%s.%s(%d)", digest, p.word, p.n)
	if p.word == "HexAt" {
		text = fmt.Sprintf("%s.HexAt(%d, %d)", digest, p.at, p.n)
	}
	if p.upper {
		text += ".Upper()"
	}
	return text
}

func (in refInput) String() string { return strconv.Quote(string(in.public())) }

func refQuoted(list []string) string {
	var quoted []string
	for _, s := range list {
		quoted = append(quoted, strconv.Quote(s))
	}
	return strings.Join(quoted, ", ")
}

// ---- the schema, by the public Builder

func (s *refSchema) build() (*rowkey.Schema, error) {
	var opts []rowkey.SchemaOption
	if s.hbase {
		opts = append(opts, interop.HBase)
	}
	if s.dialect != "" {
		opts = append(opts, refDialects[s.dialect])
	}
	if s.maxLen != 0 {
		opts = append(opts, rowkey.MaxLen(s.maxLen))
	}
	b := rowkey.New(s.name, opts...)
	for i := range s.comps {
		c := &s.comps[i]
		if !c.compiles() {
			return nil, &rowkey.Error{Schema: s.name, Field: c.name, Offset: -1, Err: rowkey.ErrSchema}
		}
		b = c.add(b)
	}
	return b.Build()
}

// compiles reports that every option is one of those which the Go compiler takes
// for the component: another cannot be said to a Builder.
func (c *refComp) compiles() bool {
	n := len(optionsFor[rowkey.FieldOption](c.opts))
	if c.word == "Salt" || c.word == "Hash" {
		n = len(optionsFor[rowkey.SaltOption](c.opts))
	}
	return n == len(c.opts)
}

// optionsFor are the options that are of a type.
func optionsFor[T any](list []refOpt) (opts []T) {
	for _, o := range list {
		if opt, ok := o.option().(T); ok {
			opts = append(opts, opt)
		}
	}
	return opts
}

func (c *refComp) add(b *rowkey.Builder) *rowkey.Builder {
	opts := optionsFor[rowkey.FieldOption](c.opts)
	switch c.word {
	case "String":
		return b.String(c.name, opts...)
	case "Binary":
		return b.Binary(c.name, opts...)
	case "Uint":
		return b.Uint(c.name, c.size, opts...)
	case "Int":
		return b.Int(c.name, c.size, opts...)
	case "Float":
		return b.Float(c.name, c.size, opts...)
	case "Bool":
		return b.Bool(c.name, opts...)
	case "Time":
		return b.Time(c.name, c.unit.public(), opts...)
	case "Copy":
		return b.Copy(c.name, c.of, opts...)
	case "Salt":
		return b.Salt(c.buckets, c.in.public(), optionsFor[rowkey.SaltOption](c.opts)...)
	case "Hash":
		return b.Hash(c.part.public(), c.in.public(), optionsFor[rowkey.SaltOption](c.opts)...)
	case "Separator":
		return b.Separator(c.text)
	case "Literal":
		return b.Literal(c.text)
	}
	panic("no component " + c.word)
}

var refFlags = map[string]any{
	"Desc": rowkey.Desc, "Decimal": rowkey.Decimal, "Varint": rowkey.Varint, "Reverse": rowkey.Reverse, "ReverseRune": rowkey.ReverseRune,
	"Escaped": rowkey.Escaped, "Loose": rowkey.Loose, "NotStored": rowkey.NotStored, "Bucket": rowkey.Bucket,
	"JavaHash": interop.JavaHash, "JavaHashAbs": interop.JavaHashAbs, "JavaHashFloor": interop.JavaHashFloor,
	"PhoenixHash": interop.PhoenixHash, "HBaseWDHash": interop.HBaseWDHash, "PinpointHash": interop.PinpointHash,
	"Modulo": rowkey.Modulo, "Numeric": interop.Numeric, "Unsigned": interop.Unsigned, "BlobCopy": interop.BlobCopy,
	"Optional": rowkey.Optional, "JavaHashModAbs": interop.JavaHashModAbs, "UUID": rowkey.UUID,
}

func (o refOpt) option() any {
	switch o.word {
	case "Below":
		return rowkey.Below(uint64(o.n))
	case "Years":
		return rowkey.Years(o.n, o.m)
	case "OneOf":
		return rowkey.OneOf(o.list...)
	case "Chars":
		return rowkey.Chars(o.text)
	case "Codes":
		return rowkey.Codes(o.codes())
	case "Truncate":
		return rowkey.Truncate(o.step)
	case "Width":
		return rowkey.Width(o.n)
	case "Digits":
		return rowkey.Digits(o.n)
	case "HexDigits":
		return rowkey.HexDigits(o.n)
	case "Fixed":
		return rowkey.Fixed(o.n)
	case "Pad":
		return rowkey.Pad(o.n, o.b)
	case "PadLeft":
		return rowkey.PadLeft(o.n, o.b)
	case "ReverseLabels":
		return rowkey.ReverseLabels(o.text)
	case "ReversePart":
		return rowkey.ReversePart(o.n, o.m)
	case "Left":
		return rowkey.Left(o.n)
	case "Right":
		return rowkey.Right(o.n)
	case "MinLen":
		return rowkey.MinLen(o.n)
	case "LenPrefix":
		return rowkey.LenPrefix(o.n)
	case "Precision":
		return interop.Precision(o.n, o.m)
	case "Letters":
		return rowkey.Letters(o.text)
	case "Named":
		return rowkey.Named(o.text)
	case "Via":
		return testVias[o.text].via()
	case "unit":
		return o.unit.public()
	case "part":
		return o.part.public()
	}
	return refFlags[o.word]
}

func (o refOpt) codes() map[string]string {
	codeOf := map[string]string{}
	for i := 0; i < len(o.list); i += 2 {
		codeOf[o.list[i]] = o.list[i+1]
	}
	return codeOf
}

func (u refUnit) public() rowkey.Unit {
	unit := map[string]rowkey.Unit{
		"Nanos": rowkey.Nanos, "Micros": rowkey.Micros, "Millis": rowkey.Millis, "Seconds": rowkey.Seconds,
		"Minutes": rowkey.Minutes, "Hours": rowkey.Hours, "Days": rowkey.Days, "Months": testMonths,
	}[u.word]
	if u.word == "Layout" {
		unit = rowkey.Layout(u.layout, u.location())
	}
	if u.since != 0 {
		unit = unit.Since(u.epoch())
	}
	return unit
}

func (u refUnit) location() *time.Location {
	if u.zone == 0 {
		return time.UTC
	}
	return time.FixedZone("", u.zone)
}

func (p refPart) public() rowkey.Part {
	digest := map[string]rowkey.Digest{
		"Murmur3": rowkey.Murmur3, "Murmur3x128": interop.Murmur3x128, "MD5": rowkey.MD5,
		"SHA1": rowkey.SHA1, "SHA256": rowkey.SHA256, "SHA512": rowkey.SHA512, "Own": testOwn,
		"HBaseMurmur": interop.HBaseMurmur, "HBaseMurmur3": interop.HBaseMurmur3, "HBaseJenkins": interop.HBaseJenkins,
		"CRC32": rowkey.CRC32, "JavaHashCode": interop.JavaHashCode,
	}[p.digest]
	if n, err := strconv.ParseInt(p.seed, 10, 64); err == nil {
		digest = digest.Seed(n)
	}
	var part rowkey.Part
	switch p.word {
	case "Hex":
		part = digest.Hex(p.n)
	case "HexAt":
		part = digest.HexAt(p.at, p.n)
	case "Raw":
		part = digest.Raw(p.n)
	}
	if p.upper {
		part = part.Upper()
	}
	return part
}

func (in refInput) public() string {
	switch in.word {
	case "":
		return string(in.fields[0])
	case "Format":
		return lawFormat(in.format, in.fields...)
	}
	return lawInput(strings.ToLower(in.word), in.fields...)
}

// lawInput is an Input such as values(a,b).
func lawInput(word string, fields ...string) string {
	return string(word + "(" + strings.Join(fields, ",") + ")")
}

// lawFormat is an Input such as format("%s-%d",a,b).
func lawFormat(format string, fields ...string) string {
	return lawInput("format", append([]string{strconv.Quote(format)}, fields...)...)
}

// ---- the key of a row

// refFault is one reason why a row cannot be stored. An empty field stands for
// the whole key: any field may be named.
type refFault struct {
	field string
	err   error
}

// refForms is everything a field's value turns into.
type refForms struct {
	kept   any    // the value as stored: times in whole units, +0 for −0 without a dialect
	value  string // what Values hashes
	text   string // what Text hashes
	stored string // what stands in the key, without a separator
}

// refKey is what a row comes to: its key, and where each component lies in it,
// or the faults that keep it from having one.
type refKey struct {
	bytes  []byte
	at     []int // at[i] is where comps[i] begins; at[len(comps)] is the length
	kept   refRow
	faults []refFault
}

func (s *refSchema) encode(row refRow) refKey {
	forms, kept, faults := s.forms(row)
	if len(faults) > 0 {
		return refKey{faults: append(faults, s.saltFaults(forms)...)}
	}
	trimmed := s.trim(forms)
	// From right to left, because rest() reads what stands after it.
	pieces := make([]string, len(s.comps))
	rest := ""
	for i := len(s.comps) - 1; i >= 0; i-- {
		c := &s.comps[i]
		switch {
		case c.isConst():
			pieces[i] = c.text
		case c.word == "Salt" && c.in.word == "Rest" && rest == "" && s.phoenixSalt(c) && s.mayEndEarly():
			return refKey{faults: []refFault{{"", rowkey.ErrLength}}}
		case c.word == "Salt":
			bucket, err := s.bucket(c, forms, rest)
			if err != nil {
				return refKey{faults: append(s.computedFaults(err), s.lengthFault(row)...)}
			}
			pieces[i] = c.bucketText(bucket)
		case c.word == "Hash":
			data := s.input(c.in, forms, rest)
			if err := c.part.refuses(data); err != nil {
				return refKey{faults: append(s.computedFaults(err), s.lengthFault(row)...)}
			}
			pieces[i] = c.part.of(data)
		case !c.has("NotStored"):
			pieces[i] = forms[c.name].stored
			if text, ok := trimmed[c.name]; ok {
				pieces[i] = text
			}
		}
		rest = pieces[i] + rest
	}
	key := refKey{bytes: []byte(rest), kept: kept, at: []int{0}}
	for i, piece := range pieces {
		key.at = append(key.at, key.at[i]+len(piece))
	}
	longest := 32767
	if s.maxLen != 0 {
		longest = s.maxLen
	}
	if len(key.bytes) == 0 || len(key.bytes) > longest {
		return refKey{faults: []refFault{{"", rowkey.ErrLength}}}
	}
	return key
}

// forms converts every supplied value and every Copy; what fails has no forms.
func (s *refSchema) forms(row refRow) (map[string]refForms, refRow, []refFault) {
	forms := map[string]refForms{}
	var kept refRow
	var faults []refFault
	for i, c := range s.supplied() {
		f, errs := s.convert(c, c, row[i])
		for _, err := range errs {
			faults = append(faults, refFault{c.name, err})
		}
		if len(errs) == 0 {
			forms[c.name] = f
		}
		kept = append(kept, f.kept)
	}
	for i := range s.comps {
		c := &s.comps[i]
		if _, ok := forms[c.of]; c.word != "Copy" || !ok {
			continue
		}
		f, errs := s.convert(c, s.source(c), forms[c.of].kept)
		for _, err := range errs {
			// Either name will do: the copy is what cannot be written, the
			// source is what the caller supplied.
			faults = append(faults, refFault{c.name, err}, refFault{c.of, err})
		}
		// What a Copy stands for is what it writes.
		if f.value = f.stored; len(errs) == 0 {
			forms[c.name] = f
		}
	}
	if len(faults) > 0 {
		faults = append(faults, s.lengthFault(row)...)
	}
	return forms, kept, faults
}

// lengthFault is that of a key that may be too long, too, where something else failed already: what is
// computed from the rest of a key is computed after its length is known.
func (s *refSchema) lengthFault(row refRow) []refFault {
	if s.maxLen != 0 || row.size() > 30000 {
		return []refFault{{"", rowkey.ErrLength}}
	}
	return nil
}

// saltFaults is the salts that fail too, where other fields failed already: the
// caller is told one reason, and it may be any.
func (s *refSchema) saltFaults(forms map[string]refForms) []refFault {
	var faults []refFault
	for i := range s.comps {
		c := &s.comps[i]
		failed := func(name string) bool {
			_, ok := forms[name]
			return !ok
		}
		if c.word != "Salt" && c.word != "Hash" || c.in.word == "Rest" || slices.ContainsFunc(c.in.fields, failed) {
			continue
		}
		err := c.part.refuses(s.input(c.in, forms, ""))
		if c.word == "Salt" {
			_, err = s.bucket(c, forms, "")
		}
		if err != nil {
			faults = append(faults, s.computedFaults(err)...)
		}
	}
	return faults
}

// computedFaults blames the salts and hashes, of which any may be computed first:
// it is their rule that has nothing for the field, whose value is one of its own.
func (s *refSchema) computedFaults(err error) (faults []refFault) {
	count := map[string]int{}
	for i := range s.comps {
		c := &s.comps[i]
		if c.word != "Salt" && c.word != "Hash" {
			continue
		}
		name := strings.ToLower(c.word)
		if count[c.word]++; count[c.word] > 1 {
			name += fmt.Sprint(count[c.word])
		}
		if o, ok := c.opt("Named"); ok {
			name = o.text
		}
		faults = append(faults, refFault{name, err})
	}
	return faults
}

// source is the field a Copy copies, and the component itself otherwise. A Copy
// takes kind, size and unit from it, and no option.
func (s *refSchema) source(c *refComp) *refComp {
	if c.word == "Copy" {
		return s.comp(c.of)
	}
	return c
}

// convert takes one value through the options of c, whose kind, size and unit
// are those of src.
func (s *refSchema) convert(c, src *refComp, v any) (refForms, []error) {
	w := refWriter{hbase: s.hbase, loose: c.has("Loose"), signed: src.word == "Int"}
	var f refForms
	if _, null := v.(refNull); null {
		return s.convertNull(c)
	}
	switch src.word {
	case "String", "Binary":
		if src.has("Numeric") {
			return s.convertNumber(c, src, v)
		}
		text, ok := v.(string)
		if !ok {
			return f, []error{rowkey.ErrType}
		}
		if text == "" && s.dialect == "Phoenix" && c.has("Optional") && !c.has("Codes") {
			return s.convertNull(c) // to Phoenix they are one
		}
		text = s.unpadded(src, text)
		w.limits(c, text)
		s.limitsIn(c, &w, text)
		f = refForms{kept: text, value: text, text: text}
		if o, ok := c.opt("Codes"); ok {
			if text, ok = o.codes()[text]; !ok {
				return f, append(w.errs, rowkey.ErrRange)
			}
		}
		w.out, w.written = []byte(text), true
		s.fullIn(c, &w)
	case "Uint", "Int":
		n, ok := refInteger(v)
		if !ok {
			return f, []error{rowkey.ErrType}
		}
		lo, hi := refBounds(src.word == "Int", src.size)
		if n.Cmp(lo) < 0 || n.Cmp(hi) > 0 {
			return f, []error{rowkey.ErrRange}
		}
		w.below(c, n)
		f = refForms{kept: refNative(src.word, n), value: string(refBig(n, src.size)), text: n.String()}
		w.n, w.max, w.width = n, hi, src.size
		s.integerIn(c, &w)
	case "Float":
		x, ok := v.(float64)
		if !ok {
			return f, []error{rowkey.ErrType}
		}
		if math.IsNaN(x) || src.size == 4 && float64(float32(x)) != x {
			return f, []error{rowkey.ErrRange}
		}
		if x == 0 && (!s.twoZeros(src) || c.has("Unsigned")) {
			x = 0 // −0 is written as +0 but where a dialect keeps it
		}
		bits := big.NewInt(0).SetUint64(math.Float64bits(x))
		if src.size == 4 {
			bits.SetUint64(uint64(math.Float32bits(float32(x))))
		}
		f = refForms{kept: x, value: string(refBig(bits, src.size))}
		w.out, w.written = []byte(f.value), true
		if !s.hbase {
			w.out = refSortable(w.out)
		}
		s.floatIn(c, &w, f.value, x)
	case "Bool":
		x, ok := v.(bool)
		if !ok {
			return f, []error{rowkey.ErrType}
		}
		f = refForms{kept: x, value: "\x00", text: "false"}
		w.out, w.written = []byte{0x00}, true
		if x {
			f.value, f.text = "\x01", "true"
			w.out = []byte{0x01}
			if s.hbase {
				w.out = []byte{0xff}
			}
		}
	case "Time":
		t, ok := v.(time.Time)
		if !ok {
			return f, []error{rowkey.ErrType}
		}
		unit := src.unit
		if o, ok := c.opt("unit"); ok {
			unit = o.unit
		}
		if o, ok := c.opt("Truncate"); ok {
			t = refTruncate(t, o.step)
		}
		w.signed = s.signedTime(c, unit)
		if unit.word == "Layout" {
			f, ok = w.layout(unit, t, c.has("Width"))
		} else {
			f, ok = w.count(unit, t)
		}
		if !ok {
			return f, []error{rowkey.ErrRange}
		}
		w.below(c, w.n)
		w.years(c, f.kept.(time.Time))
		s.timeIn(c, unit, &w)
	}
	for _, o := range c.opts {
		if o.word != "Desc" || !s.descBehind(c) {
			w.apply(o)
		}
	}
	if w.failed {
		return f, w.errs
	}
	w.write()
	s.endIn(c, src, &w)
	// A separator may occur in what is stored plus separator only at the end.
	if sep, ok := s.endOf(c); ok && !w.loose && bytes.Index(append(bytes.Clone(w.out), sep...), []byte(sep)) != len(w.out) {
		w.errs = append(w.errs, rowkey.ErrTerminator)
	}
	f.stored = string(w.out)
	return f, w.errs
}

// ---- one value on its way through the options

// refWriter is a value after some of its options: a number that has not been
// written yet, or the bytes written so far.
type refWriter struct {
	hbase, loose, signed bool

	n      *big.Int // the number; for a Layout, its digits as a number
	max    *big.Int // the largest of its type: what Desc subtracts from
	width  int      // bytes in which it will be written
	invert bool     // an Int that is Desc: all bytes complemented once written

	written bool
	base    int // of the digits in out, if it is digits
	out     []byte

	errs   []error
	failed bool // out can go no further
}

func (w *refWriter) fail(err error) {
	w.errs = append(w.errs, err)
	w.failed = true
}

// limits judges text: OneOf admits these strings only, Chars strings of these
// bytes only. Limits judge the value, wherever they stand.
func (w *refWriter) limits(c *refComp, text string) {
	for _, o := range c.opts {
		switch o.word {
		case "MinLen":
			if len(text) < o.n {
				w.errs = append(w.errs, rowkey.ErrLength)
			}
		case "OneOf":
			if !slices.Contains(o.list, text) {
				w.errs = append(w.errs, rowkey.ErrRange)
			}
		case "Chars":
			for i := range len(text) {
				if strings.IndexByte(o.text, text[i]) < 0 {
					w.errs = append(w.errs, rowkey.ErrRange)
					break
				}
			}
		}
	}
}

// below judges a number: Below(n) admits 0 … n−1.
func (w *refWriter) below(c *refComp, n *big.Int) {
	if n == nil {
		return
	}
	for _, o := range c.opts {
		if o.word == "Below" && (n.Sign() < 0 || n.Cmp(big.NewInt(int64(o.n))) >= 0) {
			w.errs = append(w.errs, rowkey.ErrRange)
		}
	}
}

// years judges a time: Years admits 1 January of the first year to the end of
// the last, in UTC.
func (w *refWriter) years(c *refComp, t time.Time) {
	for _, o := range c.opts {
		if o.word == "Years" && (t.UTC().Year() < o.n || t.UTC().Year() > o.m) {
			w.errs = append(w.errs, rowkey.ErrRange)
		}
	}
}

var refSteps = map[string]int64{
	"Nanos": 1, "Micros": 1e3, "Millis": 1e6, "Seconds": 1e9, "Minutes": 60e9, "Hours": 3600e9, "Days": 86400e9,
	"Months": 30 * 86400e9, // about: what is counted is the calendar's
}

// months is a time in calendar months since 1970, and the beginning of the
// month; not after the year 9999.
func refMonths(t time.Time) (n int64, start time.Time, ok bool) {
	year, month, _ := t.UTC().Date()
	start = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return int64(12*(year-1970) + int(month) - 1), start, year >= 1970 && year <= 9999
}

// count is a time in whole units since the epoch: rounded down, never below 0,
// never above the largest int64.
func (w *refWriter) count(u refUnit, t time.Time) (refForms, bool) {
	if u.word == "Months" {
		n, start, ok := refMonths(t)
		_, most := refBounds(true, 8)
		w.n, w.max, w.width = big.NewInt(n), most, 8
		return refForms{kept: start, value: string(refBig(w.n, 8)), text: w.n.String()}, ok
	}
	nanos := new(big.Int).Sub(refNanos(t), refNanos(u.epoch()))
	step := big.NewInt(refSteps[u.word])
	n := refFloor(nanos, step)
	_, most := refBounds(true, 8)
	if n.Sign() < 0 && !w.signed || n.CmpAbs(most) > 0 {
		return refForms{}, false
	}
	w.n, w.max, w.width = n, most, 8
	instant := new(big.Int).Mul(n, step)
	instant.Add(instant, refNanos(u.epoch()))
	return refForms{kept: refInstant(instant), value: string(refBig(n, 8)), text: n.String()}, true
}

// layout is a time as time.Format writes it, to the layout's own resolution;
// with Width, its digits are a number.
func (w *refWriter) layout(u refUnit, t time.Time, number bool) (refForms, bool) {
	t = t.In(u.location())
	// The parts of the time that the layout shows; the others are at their least.
	month, day, hour, minute, second := time.January, 1, 0, 0, 0
	if strings.Contains(u.layout, "01") {
		month = t.Month()
	}
	if strings.Contains(u.layout, "02") {
		day = t.Day()
	}
	if strings.Contains(u.layout, "15") {
		hour = t.Hour()
	}
	if strings.Contains(u.layout, "04") {
		minute = t.Minute()
	}
	if strings.Contains(u.layout, "05") {
		second = t.Second()
	}
	kept := time.Date(t.Year(), month, day, hour, minute, second, 0, u.location())
	if t.Year() < 1970 || t.Year() > 9999 {
		return refForms{}, false
	}
	text := t.Format(u.layout)
	f := refForms{kept: kept, value: text, text: text}
	w.out, w.base, w.written = []byte(text), 10, true
	if number {
		w.n, _ = new(big.Int).SetString(text, 10)
		_, w.max = refBounds(true, 8)
		w.width, w.written = 8, false
		f.value = string(refBig(w.n, 8))
	}
	return f, true
}

// apply takes the value through one more option.
func (w *refWriter) apply(o refOpt) {
	if w.failed {
		return
	}
	switch o.word {
	case "Width":
		// Plain Width is unsigned; of an Int it is a smaller size. Desc after
		// it is Java's: the largest signed number of that width less the value.
		lo, hi := refBounds(w.signed, o.n)
		if w.n.Cmp(lo) < 0 || w.n.Cmp(hi) > 0 {
			w.fail(rowkey.ErrRange)
			return
		}
		w.width = o.n
		_, w.max = refBounds(true, o.n)
	case "Desc":
		w.desc()
	case "Digits", "HexDigits":
		w.base = 10
		if o.word == "HexDigits" {
			w.base = 16
		}
		digits := w.n.Text(w.base)
		if len(digits) > o.n {
			w.fail(rowkey.ErrRange)
			return
		}
		w.out, w.written = []byte(strings.Repeat("0", o.n-len(digits))+digits), true
	case "Decimal":
		w.out, w.written = []byte(w.n.String()), true
	case "Varint":
		w.out, w.written = refVarint(w.n), true
	case "Reverse":
		w.write()
		slices.Reverse(w.out)
	case "ReverseRune":
		w.write()
		if !utf8.Valid(w.out) {
			w.fail(rowkey.ErrRange)
			return
		}
		runes := []rune(string(w.out))
		slices.Reverse(runes)
		w.out = []byte(string(runes))
	case "ReverseLabels":
		w.write()
		labels := strings.Split(string(w.out), o.text)
		slices.Reverse(labels)
		w.out = []byte(strings.Join(labels, o.text))
	case "ReversePart":
		w.write()
		if len(w.out) < o.m {
			w.fail(rowkey.ErrLength)
			return
		}
		slices.Reverse(w.out[o.n:o.m])
	case "Left":
		w.write()
		w.out = w.out[:min(o.n, len(w.out))]
	case "Right":
		w.write()
		w.out = w.out[max(0, len(w.out)-o.n):]
	case "Fixed":
		w.write()
		if len(w.out) != o.n {
			w.errs = append(w.errs, rowkey.ErrLength) // and go on: what follows may fail too
		}
	case "Pad", "PadLeft":
		w.write()
		pad := string([]byte{o.b})
		ends := strings.HasSuffix(string(w.out), pad)
		if o.word == "PadLeft" {
			ends = strings.HasPrefix(string(w.out), pad)
		}
		if ends && !w.loose {
			w.fail(rowkey.ErrTerminator)
		}
		if len(w.out) > o.n {
			w.fail(rowkey.ErrLength)
		}
		if w.failed {
			return
		}
		fill := strings.Repeat(pad, o.n-len(w.out))
		if o.word == "PadLeft" {
			w.out = []byte(fill + string(w.out))
		} else {
			w.out = []byte(string(w.out) + fill)
		}
	case "Via":
		w.write()
		form, err := testVias[o.text].write(string(w.out))
		if err != nil {
			if !errors.Is(err, rowkey.ErrLength) {
				err = rowkey.ErrRange // what a transform says is of that kind, unless it says which
			}
			w.fail(err)
			return
		}
		w.out, w.base = []byte(form), 0
	case "UUID": // 8-4-4-4-12 lower-case hexadecimal digits, two of them in a byte
		form, err := refUUID(string(w.out))
		if err != nil {
			w.fail(err)
			return
		}
		w.out = form
	case "LenPrefix":
		w.write()
		if uint64(len(w.out)) >= uint64(1)<<(8*o.n) {
			w.fail(rowkey.ErrLength)
			return
		}
		w.out = append(refBig(big.NewInt(int64(len(w.out))), o.n), w.out...)
		w.base = 0
	case "Escaped":
		w.write()
		w.out = []byte(strings.ReplaceAll(string(w.out), "\x00", "\x00\xff") + "\x00\x01")
		w.base = 0
	}
}

// desc turns the order round: the largest of its type less the value, before
// it is text; 9 (or f) less every digit; every byte XOR ff.
func (w *refWriter) desc() {
	switch {
	case !w.written && w.signed && !w.hbase:
		w.invert = !w.invert
	case !w.written && w.signed:
		// Java's subtraction wraps for negative values.
		w.n = new(big.Int).Sub(w.max, w.n)
		w.n.Mod(w.n, refPow(2, 8*w.width))
	case !w.written:
		if w.n.Cmp(w.max) > 0 {
			w.fail(rowkey.ErrRange)
			return
		}
		w.n = new(big.Int).Sub(w.max, w.n)
	case w.base != 0:
		const digits = "0123456789abcdef"
		for i, d := range w.out {
			w.out[i] = digits[w.base-1-strings.IndexByte(digits, d)]
		}
	default:
		for i := range w.out {
			w.out[i] ^= 0xff
		}
	}
}

// write turns a number that is not text into its bytes: big-endian, the sign
// bit of an Int flipped so that it sorts, but not where HBase's Java wrote it.
func (w *refWriter) write() {
	if w.written {
		return
	}
	n := w.n
	if w.signed && !w.hbase {
		n = new(big.Int).Add(n, refPow(2, 8*w.width-1))
	}
	w.out, w.written = refBig(n, w.width), true
	if w.invert {
		for i := range w.out {
			w.out[i] ^= 0xff
		}
	}
}

// ---- where components end

// endOf is the separator that ends c, if c needs an end and has one. Fields that are not
// stored may stand between.
func (s *refSchema) endOf(c *refComp) (string, bool) {
	i := 1 + slices.IndexFunc(s.comps, func(x refComp) bool { return x.word == c.word && x.name == c.name })
	for i < len(s.comps) && s.comps[i].has("NotStored") {
		i++
	}
	if i == len(s.comps) || s.comps[i].word != "Separator" || c.has("NotStored") || !s.open(c) {
		return "", false
	}
	return s.comps[i].text, true
}

// open reports that the stored forms of c do not end themselves: some of them
// could be the beginnings of others.
func (s *refSchema) open(c *refComp) bool {
	if s.dialect != "" || c.has("Escaped") || c.has("LenPrefix") || c.has("Varint") && !c.has("Via") || s.width(c) >= 0 || c.endedByVia() {
		return false // a dialect ends its texts itself
	}
	forms, finite := s.finite(c)
	if !finite {
		return true
	}
	for i, a := range forms {
		for j, b := range forms {
			if i != j && strings.HasPrefix(b, a) {
				return true
			}
		}
	}
	return false
}

// lastVia is the transform that stands last, and where.
func (c *refComp) lastVia() (*testVia, int) {
	for i := len(c.opts) - 1; i >= 0; i-- {
		if c.opts[i].word == "Via" {
			return testVias[c.opts[i].text], i
		}
	}
	return nil, -1
}

// endedByVia reports that a transform ends the forms itself, and that nothing
// moves their bytes afterwards.
func (c *refComp) endedByVia() bool {
	v, at := c.lastVia()
	return v != nil && v.ends() && !slices.ContainsFunc(c.opts[at:], func(o refOpt) bool {
		return strings.HasPrefix(o.word, "Reverse") || o.word == "Left" || o.word == "Right"
	})
}

// finite is the stored forms of a component that OneOf or Codes limits.
func (s *refSchema) finite(c *refComp) ([]string, bool) {
	var values []string
	if o, ok := c.opt("OneOf"); ok {
		values = o.list
	} else if o, ok := c.opt("Codes"); ok {
		for i := 0; i < len(o.list); i += 2 {
			values = append(values, o.list[i])
		}
	} else {
		return nil, false
	}
	lone := refSchema{hbase: s.hbase, comps: []refComp{*s.source(c)}}
	if c.word == "Copy" {
		lone.comps = append(lone.comps, *c)
	}
	var forms []string
	for _, v := range values {
		if f, errs := lone.convert(c, s.source(c), v); len(errs) == 0 {
			forms = append(forms, f.stored)
		}
	}
	return forms, true
}

// width is the number of bytes that c always takes, or −1.
func (s *refSchema) width(c *refComp) int {
	src := s.source(c)
	least, most := 0, refUnbounded // of the bytes written so far
	exactly := func(n int) { least, most = n, n }
	switch src.word {
	case "Uint", "Int", "Float":
		exactly(src.size)
	case "Bool":
		exactly(1)
	case "Time":
		exactly(8)
		unit := src.unit
		if o, ok := c.opt("unit"); ok {
			unit = o.unit
		}
		if unit.word == "Layout" {
			exactly(len(unit.layout))
		}
	case "String", "Binary":
		if c != src {
			least, most = refLengths(src) // a Copy's values are its source's
		}
		if lo, hi, ok := refListed(c); ok {
			least, most = lo, hi
		}
		if o, ok := c.opt("MinLen"); ok && least != most {
			least = max(least, o.n)
		}
	}
	for i, o := range c.opts {
		switch o.word {
		case "Width", "Digits", "HexDigits", "Fixed", "Pad", "PadLeft":
			exactly(o.n)
		case "UUID":
			exactly(16)
		case "LenPrefix":
			if least != most {
				return -1
			}
			exactly(least + o.n)
		case "Via":
			least, most = 0, refUnbounded
			if n, ok := testVias[o.text].fixed(); ok {
				exactly(n)
			} else if testVias[o.text].ends() {
				least = 1 // no form begins another, and the empty one begins them all
			}
		case "Decimal":
			lo, hi := s.span(c)
			least, most = len(lo.String()), len(hi.String())
		case "Varint":
			front := *c // Desc after it inverts what is written
			if at := slices.IndexFunc(c.opts, func(o refOpt) bool { return o.word == "Desc" }); at > i {
				front.opts = slices.Delete(slices.Clone(c.opts), at, at+1)
			}
			lo, hi := s.span(&front)
			least, most = len(refVarint(lo)), len(refVarint(hi))
		case "Left", "Right":
			least, most = min(least, o.n), min(most, o.n)
		case "ReversePart":
			least = max(least, o.m)
		}
	}
	if least == most {
		return least
	}
	if forms, ok := s.finite(c); ok && len(forms) > 0 && c.has("Via") { // each form is known
		same := func(f string) bool { return len(f) == len(forms[0]) }
		if !slices.ContainsFunc(forms, func(f string) bool { return !same(f) }) {
			return len(forms[0])
		}
	}
	return -1
}

// refLengths is the lengths that the values of a text field can have.
func refLengths(c *refComp) (least, most int) {
	least, most = 0, refUnbounded
	via := false // what stands after a transform is about its forms
	for _, o := range c.opts {
		if o.word == "UUID" {
			least, most = 36, 36
		}
		if via = via || o.word == "Via" || o.word == "UUID"; via && o.word != "OneOf" && o.word != "MinLen" {
			continue
		}
		switch o.word {
		case "OneOf", "Codes":
			least, most = refUnbounded, 0
			step := map[string]int{"OneOf": 1, "Codes": 2}[o.word]
			for i := 0; i < len(o.list); i += step {
				least, most = min(least, len(o.list[i])), max(most, len(o.list[i]))
			}
			if o.word == "Codes" {
				return least, most // what follows is about the codes
			}
		case "Fixed":
			least, most = max(least, o.n), min(most, o.n)
		case "Pad", "PadLeft":
			most = min(most, o.n)
		case "ReversePart":
			least = max(least, o.m)
		case "MinLen":
			least = max(least, o.n)
		case "LenPrefix":
			if o.n < 4 { // no text is longer than 4 bytes tell
				most = min(most, 1<<(8*o.n)-1)
			}
		}
	}
	return least, most
}

const refUnbounded = 1 << 30

// span is the least and the largest number that an unsigned field or a time
// can write as text, its limits taken into account.
func (s *refSchema) span(c *refComp) (lo, hi *big.Int) {
	src := s.source(c)
	unit := src.unit
	if o, ok := c.opt("unit"); ok {
		unit = o.unit
	}
	lo, most := refBounds(false, max(src.size, 1))
	if src.word == "Time" {
		_, most = refBounds(true, 8)
	}
	if src.word == "Int" {
		lo, most = refBounds(true, src.size)
	}
	if unit.word == "Months" {
		most = big.NewInt(12*(10000-1970) - 1)
	}
	hi = most
	atMost := func(n *big.Int) {
		if hi.Cmp(n) > 0 {
			hi = n
		}
	}
	limits := c.opts
	if c != src {
		limits = slices.Concat(src.opts, c.opts) // a Copy's values are its source's
	}
	for _, o := range limits {
		switch {
		case o.word == "Below" && !c.has("unit"):
			atMost(big.NewInt(int64(o.n) - 1))
			if lo.Sign() < 0 {
				lo = new(big.Int)
			}
		case o.word == "Years" && refSteps[unit.word] != 0:
			count := func(year int) *big.Int {
				if unit.word == "Months" {
					return big.NewInt(int64(12 * (year - 1970)))
				}
				from := refNanos(unit.epoch())
				t := refNanos(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
				return refFloor(t.Sub(t, from), big.NewInt(refSteps[unit.word]))
			}
			if first := count(o.n); first.Cmp(lo) > 0 {
				lo = first
			}
			last := count(o.m + 1)
			atMost(last.Sub(last, big.NewInt(1)))
		}
	}
	for _, o := range c.opts {
		switch o.word {
		case "Width":
			_, most = refBounds(true, o.n)
			_, unsigned := refBounds(false, o.n)
			atMost(unsigned)
		case "Desc":
			atMost(most)
			lo, hi = new(big.Int).Sub(most, hi), new(big.Int).Sub(most, lo)
		}
	}
	return lo, hi
}

// refListed is the lengths of what OneOf (the values) or Codes (the codes) lists.
func refListed(c *refComp) (least, most int, ok bool) {
	var forms []string
	if o, ok := c.opt("Codes"); ok {
		for i := 1; i < len(o.list); i += 2 {
			forms = append(forms, o.list[i])
		}
	} else if o, ok := c.opt("OneOf"); ok {
		forms = o.list
	}
	least = refUnbounded
	for _, f := range forms {
		least, most = min(least, len(f)), max(most, len(f))
	}
	return least, most, len(forms) > 0
}

// ---- salts and hashes

// input is the bytes that are hashed.
func (s *refSchema) input(in refInput, forms map[string]refForms, rest string) string {
	var b strings.Builder
	switch in.word {
	case "", "Values":
		for _, name := range in.fields {
			b.WriteString(forms[name].value)
		}
	case "Stored":
		for _, name := range in.fields {
			b.WriteString(forms[name].stored)
		}
	case "Text":
		for _, name := range in.fields {
			b.WriteString(forms[name].text)
		}
	case "Format":
		return s.format(in, forms)
	case "MinMax":
		x, y := forms[in.fields[0]], forms[in.fields[1]]
		if refCompare(x.kept, y.kept) > 0 {
			x, y = y, x
		}
		return x.value + y.value
	case "Rest":
		return rest
	}
	return b.String()
}

// format is String.format's %s, %d, %0Nd, %x, %X and %%. In hexadecimal, Java
// writes a negative number as the unsigned number of its size.
func (s *refSchema) format(in refInput, forms map[string]refForms) string {
	var out strings.Builder
	fields := in.fields
	for i := 0; i < len(in.format); i++ {
		if in.format[i] != '%' {
			out.WriteByte(in.format[i])
			continue
		}
		i++
		width := 0
		for ; '0' <= in.format[i] && in.format[i] <= '9'; i++ {
			width = 10*width + int(in.format[i]-'0')
		}
		if in.format[i] == '%' {
			out.WriteByte('%')
			continue
		}
		name := fields[0]
		fields = fields[1:]
		text := forms[name].text
		switch in.format[i] {
		case 'd':
			n, _ := new(big.Int).SetString(text, 10)
			text = fmt.Sprintf("%0*d", width, n)
		case 'x', 'X':
			n, _ := new(big.Int).SetString(text, 10)
			if n.Sign() < 0 {
				n.Add(n, refPow(2, 8*s.comp(name).size))
			}
			text = n.Text(16)
			if in.format[i] == 'X' {
				text = strings.ToUpper(text)
			}
		}
		out.WriteString(text)
	}
	return out.String()
}

// sum is a whole digest. The murmur3 library reads words in the machine's own
// byte order: on a big-endian machine the model is wrong, and law 8 stands alone.
func (p refPart) sum(data string) []byte {
	switch p.digest {
	case "Own":
		return testOwnSum([]byte(data))
	case "MD5":
		d := md5.Sum([]byte(data))
		return d[:]
	case "SHA1":
		d := sha1.Sum([]byte(data))
		return d[:]
	case "SHA256":
		d := sha256.Sum256([]byte(data))
		return d[:]
	case "SHA512":
		d := sha512.Sum512([]byte(data))
		return d[:]
	case "CRC32":
		return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(data)))
	case "JavaHashCode":
		return refBig(big.NewInt(int64(refJavaHash(data))), 4)
	case "HBaseMurmur3": // the same, but for the seed
		if p.seed == "" {
			p.seed = "-1"
		}
		return refPart{digest: "Murmur3", seed: p.seed}.sum(data)
	case "Murmur3":
		n, _ := strconv.ParseInt(p.seed, 10, 64)
		h := murmur3.New32WithSeed(uint32(n))
		h.Write([]byte(data))
		return h.Sum(nil)
	case "Murmur3x128":
		n, _ := strconv.ParseInt(p.seed, 10, 64)
		h := murmur3.New128WithSeed(uint32(n))
		h.Write([]byte(data))
		return h.Sum(nil)
	}
	panic("no digest " + p.digest)
}

// refuses is why the digest is of none of these bytes: Java's hashCode is of text.
func (p refPart) refuses(data string) error {
	if p.digest == "JavaHashCode" && !utf8.ValidString(data) {
		return rowkey.ErrRange
	}
	return nil
}

// refJavaHash is String.hashCode: from 0, h = 31h + each UTF-16 unit, in 32 bits.
func refJavaHash(text string) int32 {
	h := int32(0)
	for _, unit := range utf16.Encode([]rune(text)) {
		h = 31*h + int32(unit)
	}
	return h
}

// refUUID is the 16 bytes of a UUID's text.
func refUUID(text string) ([]byte, error) {
	if len(text) != 36 {
		return nil, rowkey.ErrLength
	}
	digits := strings.Split(text, "-")
	for i, n := range []int{8, 4, 4, 4, 12} {
		if len(digits) != 5 || len(digits[i]) != n {
			return nil, rowkey.ErrRange
		}
	}
	form, err := hex.DecodeString(strings.Join(digits, ""))
	if err != nil || strings.ToLower(text) != text {
		return nil, rowkey.ErrRange
	}
	return form, nil
}

// of is the part of the digest that a Hash writes.
func (p refPart) of(data string) string {
	sum := p.sum(data)
	if p.word == "Raw" {
		return string(sum[:p.n])
	}
	text := fmt.Sprintf("%x", sum)
	if p.upper {
		text = strings.ToUpper(text)
	}
	return text[p.at : p.at+p.n]
}

// bucket is the number of a salt: one rule, murmur3 where none is named.
func (s *refSchema) bucket(c *refComp, forms map[string]refForms, rest string) (int64, error) {
	n := int64(c.buckets)
	data := s.input(c.in, forms, rest)
	rule := refPart{digest: "Murmur3", word: "Raw", n: 4}
	opts := c.opts
	if s.phoenixSalt(c) {
		opts = []refOpt{{word: "PhoenixHash"}}
	}
	for _, o := range opts {
		switch o.word {
		case "part":
			rule = o.part
		case "JavaHash", "JavaHashAbs", "JavaHashFloor", "JavaHashModAbs":
			if !utf8.ValidString(data) {
				return 0, rowkey.ErrRange
			}
			h := refJavaHash(data)
			switch o.word {
			case "JavaHashModAbs":
				return max(int64(h)%n, -(int64(h) % n)), nil
			case "JavaHash":
				return int64(h&0x7fffffff) % n, nil
			case "JavaHashFloor":
				return (int64(h)%n + n) % n, nil
			}
			if h == math.MinInt32 {
				return 0, rowkey.ErrRange // whose Math.abs is negative
			}
			return max(int64(h), -int64(h)) % n, nil
		case "PhoenixHash", "HBaseWDHash", "PinpointHash":
			h := int32(1)
			for i := range len(data) {
				h = 31*h + int32(int8(data[i]))
			}
			switch o.word {
			case "PhoenixHash":
				return max(int64(h)%n, -(int64(h) % n)), nil
			case "PinpointHash":
				return int64(h&0x7fffffff) % n, nil
			}
			if h == math.MinInt32 {
				return 0, rowkey.ErrRange // HBaseWD would write a negative bucket
			}
			return max(int64(h), -int64(h)) % n, nil
		case "Modulo":
			v, _ := new(big.Int).SetString(forms[c.in.fields[0]].text, 10)
			return v.Mod(v, big.NewInt(n)).Int64(), nil // Euclidean: never negative
		}
	}
	if err := rule.refuses(data); err != nil {
		return 0, err
	}
	sum := new(big.Int).SetBytes(rule.sum(data)[:rule.n])
	return sum.Mod(sum, big.NewInt(n)).Int64(), nil
}

// bucketText is how a salt stands in the key: one byte unless an option says
// otherwise.
func (c *refComp) bucketText(bucket int64) string {
	if v, at := c.lastVia(); v != nil {
		plain := *c
		plain.opts = slices.Delete(slices.Clone(c.opts), at, at+1)
		form, err := v.write(plain.bucketText(bucket))
		if err != nil {
			panic(err) // Build tried it
		}
		return form
	}
	width := 1
	for _, o := range c.opts {
		switch o.word {
		case "Width":
			width = o.n
		case "Digits":
			return fmt.Sprintf("%0*d", o.n, bucket)
		case "Decimal":
			return strconv.FormatInt(bucket, 10)
		case "Letters":
			return o.text[bucket : bucket+1]
		}
	}
	return string(refBig(big.NewInt(bucket), width))
}

// refVarint is n after as many ones as bytes follow the first, and a zero, bit by bit.
func refVarint(n *big.Int) []byte {
	if n == nil || n.Sign() < 0 { // of a text that has none, or a negative number
		return nil // which Build refuses
	}
	for follow := range 9 {
		room := 7 * (follow + 1)
		bits := strings.Repeat("1", follow) + "0"
		if follow == 8 {
			room, bits = 64, "11111111"
		}
		if n.BitLen() > room {
			continue
		}
		form, _ := new(big.Int).SetString(bits+fmt.Sprintf("%0*b", room, n), 2)
		return refBig(form, follow+1)
	}
	panic("more than 64 bits")
}

// ---- small arithmetic, by the book

func refPow(base, exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exponent)), nil)
}

// refBounds is the least and the largest integer of size bytes.
func refBounds(signed bool, size int) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if !signed {
		return new(big.Int), refPow(2, 8*size).Sub(refPow(2, 8*size), one)
	}
	half := refPow(2, 8*size-1)
	return new(big.Int).Neg(half), new(big.Int).Sub(half, one)
}

// refBig is n in size bytes, big-endian, negative numbers in two's complement.
func refBig(n *big.Int, size int) []byte {
	return new(big.Int).Mod(n, refPow(2, 8*size)).FillBytes(make([]byte, size))
}

// refFloor is a/b rounded down.
func refFloor(a, b *big.Int) *big.Int {
	return new(big.Int).Div(a, b) // Euclidean, which is the floor for b > 0
}

func refInteger(v any) (*big.Int, bool) {
	switch v := v.(type) {
	case uint64:
		return new(big.Int).SetUint64(v), true
	case int64:
		return big.NewInt(v), true
	}
	return nil, false
}

func refNative(word string, n *big.Int) any {
	if word == "Uint" {
		return n.Uint64()
	}
	return n.Int64()
}

// twoZeros reports that −0 is another value of a Float than +0, as to the systems
// of the dialects.
func (s *refSchema) twoZeros(c *refComp) bool {
	return c.word == "Float" && (s.hbase || s.dialect != "") && !c.has("Unsigned")
}

// refSortable is IEEE bits made to sort: the sign bit set, or all bits flipped
// if it was set already.
func refSortable(bits []byte) []byte {
	out := bytes.Clone(bits)
	if out[0]&0x80 == 0 {
		out[0] |= 0x80
		return out
	}
	for i := range out {
		out[i] ^= 0xff
	}
	return out
}

// refNanos is an instant as nanoseconds since 1970, without overflow.
func refNanos(t time.Time) *big.Int {
	n := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
	return n.Add(n, big.NewInt(int64(t.Nanosecond())))
}

func refInstant(nanos *big.Int) time.Time {
	sec := refFloor(nanos, big.NewInt(1e9))
	nsec := new(big.Int).Sub(nanos, new(big.Int).Mul(sec, big.NewInt(1e9)))
	return time.Unix(sec.Int64(), nsec.Int64()).UTC()
}

// refTruncate rounds a time down to a multiple of d since 1970.
func refTruncate(t time.Time, d time.Duration) time.Time {
	step := big.NewInt(int64(d))
	return refInstant(new(big.Int).Mul(refFloor(refNanos(t), step), step))
}

// refCompare orders two values of one kind as their kind orders them.
func refCompare(a, b any) int {
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case refNumber:
		return a.rat().Cmp(b.(refNumber).rat())
	case refNull:
		return 0
	case float64:
		return refSign(a < b.(float64), a > b.(float64))
	case bool:
		return refSign(!a && b.(bool), a && !b.(bool))
	case time.Time:
		return a.Compare(b.(time.Time))
	}
	x, _ := refInteger(a)
	y, _ := refInteger(b)
	return x.Cmp(y)
}

func refSign(less, more bool) int {
	switch {
	case less:
		return -1
	case more:
		return +1
	}
	return 0
}

// size is the length of a row's texts.
func (row refRow) size() int {
	n := 0
	for _, v := range row {
		if text, ok := v.(string); ok {
			n += len(text)
		}
	}
	return n
}

// String is a row as Go text.
func (row refRow) String() string {
	var parts []string
	for _, v := range row {
		switch v := v.(type) {
		case string:
			parts = append(parts, strconv.Quote(v))
		case refNumber:
			parts = append(parts, fmt.Sprintf("number(%q)", string(v)))
		case refNull:
			parts = append(parts, "null")
		case time.Time:
			parts = append(parts, fmt.Sprintf("time.Unix(%d, %d)", v.Unix(), v.Nanosecond()))
		case float64:
			parts = append(parts, fmt.Sprintf("float64(%v)", v))
		case bool:
			parts = append(parts, strconv.FormatBool(v))
		default:
			parts = append(parts, fmt.Sprintf("%T(%v)", v, v))
		}
	}
	return strings.Join(parts, ", ")
}
