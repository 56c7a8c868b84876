package laws

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// This file makes random schemas and random rows.
//
// A schema is a pure function of (seed, index): schema i of a run has, at a
// random place, a component with the i-th pair of options that Build admits, so
// that a run as long as the list of pairs has met them all. Around it stand
// other components, each with an admitted pair, an admitted single option or
// none; Build has the last word on the whole. Values come from tiny alphabets
// made of the very bytes that could be mistaken: separators, pads, 00 and ff.

// ---- which options go together

// A genKind is a kind of component as far as options are concerned.
type genKind struct {
	name    string
	hbase   bool
	dialect string
	comp    refComp
	src     *refComp // of a Copy
}

var genKinds = func() []genKind {
	millis := refUnit{word: "Millis"}
	day := refUnit{word: "Layout", layout: "20060102"}
	fields := []genKind{
		{name: "String", comp: refComp{word: "String", name: "x"}},
		{name: "Binary", comp: refComp{word: "Binary", name: "x"}},
		{name: "Uint", comp: refComp{word: "Uint", name: "x", size: 4}},
		{name: "Int", comp: refComp{word: "Int", name: "x", size: 4}},
		{name: "Int of HBase", hbase: true, comp: refComp{word: "Int", name: "x", size: 4}},
		{name: "Float", comp: refComp{word: "Float", name: "x", size: 8}},
		{name: "Float of HBase", hbase: true, comp: refComp{word: "Float", name: "x", size: 8}},
		{name: "Bool", comp: refComp{word: "Bool", name: "x"}},
		{name: "Time", comp: refComp{word: "Time", name: "x", unit: millis}},
		{name: "Time by Layout", comp: refComp{word: "Time", name: "x", unit: day}},
	}
	fields = append(fields, genDialectKinds()...)
	kinds := fields
	for _, f := range fields {
		src := f.comp
		kinds = append(kinds, genKind{
			name: "Copy of " + f.name, hbase: f.hbase, dialect: f.dialect, src: &src,
			comp: refComp{word: "Copy", name: "y", of: "x"},
		})
	}
	return append(kinds,
		genKind{name: "Salt", comp: refComp{word: "Salt", buckets: 4, in: refInput{fields: []string{"x"}}},
			src: &refComp{word: "Uint", name: "x", size: 4}},
		genKind{name: "Salt of text", comp: refComp{word: "Salt", buckets: 4, in: refInput{fields: []string{"x"}}},
			src: &refComp{word: "String", name: "x", opts: []refOpt{{word: "Fixed", n: 3}}}},
		genKind{name: "Hash", comp: refComp{word: "Hash", part: refPart{digest: "MD5", word: "Hex", n: 2}, in: refInput{fields: []string{"x"}}},
			src: &refComp{word: "Uint", name: "x", size: 4}},
	)
}()

// genProbes is every option word, each with parameters that suit most layouts;
// more than one where no single one does.
var genProbes = []refOpt{
	{word: "Desc"}, {word: "Decimal"}, {word: "Reverse"}, {word: "ReverseRune"}, {word: "Escaped"},
	{word: "Loose"}, {word: "NotStored"}, {word: "Bucket"},
	{word: "JavaHash"}, {word: "JavaHashAbs"}, {word: "JavaHashFloor"},
	{word: "PhoenixHash"}, {word: "HBaseWDHash"}, {word: "PinpointHash"}, {word: "Modulo"},
	{word: "Below", n: 5}, {word: "Below", n: 100},
	{word: "Years", n: 1971, m: 2100},
	{word: "OneOf", list: []string{"aa", "ab"}}, {word: "OneOf", list: []string{"a", "ab"}},
	{word: "Chars", text: "ab"},
	{word: "Codes", list: []string{"aa", "xy", "ab", "yx"}}, {word: "Codes", list: []string{"aa", "x", "ab", "xy"}},
	{word: "Truncate", step: 24 * time.Hour},
	{word: "Width", n: 4}, {word: "Width", n: 2}, {word: "Width", n: 8},
	{word: "Digits", n: 20}, {word: "Digits", n: 3},
	{word: "HexDigits", n: 16}, {word: "HexDigits", n: 2}, {word: "Varint"},
	{word: "Fixed", n: 2}, {word: "Fixed", n: 4},
	{word: "Pad", n: 4, b: 0}, {word: "Pad", n: 20, b: 'x'},
	{word: "PadLeft", n: 4, b: 0}, {word: "PadLeft", n: 20, b: 'x'},
	{word: "ReverseLabels", text: "."}, {word: "ReversePart", n: 0, m: 2},
	{word: "Left", n: 2}, {word: "Right", n: 2},
	{word: "Letters", text: "abcd"}, {word: "Named", text: "named"},
	{word: "Via", text: "percent"}, {word: "Via", text: "bare"}, {word: "Via", text: "short"}, {word: "Via", text: "min4"}, {word: "Via", text: "fold"},
	{word: "unit", unit: refUnit{word: "Hours"}}, {word: "unit", unit: refUnit{word: "Layout", layout: "2006010215"}},
	{word: "part", part: refPart{digest: "MD5", word: "Raw", n: 4}},
	{word: "MinLen", n: 1}, {word: "MinLen", n: 2}, {word: "LenPrefix", n: 1}, {word: "LenPrefix", n: 2}, {word: "UUID"}, {word: "JavaHashModAbs"},
	{word: "Numeric"}, {word: "Precision", n: 3, m: 1}, {word: "Unsigned"}, {word: "BlobCopy"}, {word: "Optional"},
}

// A genPair is two options that Build admits on one component in this order,
// or one alone (b.word is empty).
type genPair struct {
	kind int
	a, b refOpt
}

func (p genPair) String() string {
	if p.b.word == "" {
		return fmt.Sprintf("%s: %s", genKinds[p.kind].name, p.a.word)
	}
	return fmt.Sprintf("%s: %s, %s", genKinds[p.kind].name, p.a.word, p.b.word)
}

func (p genPair) opts() []refOpt {
	if p.b.word == "" {
		return []refOpt{p.a}
	}
	return []refOpt{p.a, p.b}
}

// genAdmitted asks Build about every option and every ordered pair of options
// on every kind of component, and keeps those it admits with some parameters. With
// -short it asks about one pair of ten.
var genAdmitted = sync.OnceValue(func() []genPair {
	every := 1
	if testing.Short() {
		every = 10
	}
	admitted := make([][]genPair, len(genKinds))
	var kinds sync.WaitGroup
	for k := range genKinds {
		kinds.Add(1)
		go func() {
			defer kinds.Done()
			seen := map[string]bool{}
			try := func(p genPair) {
				if !seen[p.String()] && genProbeBuilds(k, p.opts()) {
					seen[p.String()] = true
					admitted[k] = append(admitted[k], p)
				}
			}
			for i, a := range genProbes {
				try(genPair{kind: k, a: a})
				for j, b := range genProbes {
					if (i+j)%every == k%every {
						try(genPair{kind: k, a: a, b: b})
					}
				}
			}
		}()
	}
	kinds.Wait()
	return slices.Concat(admitted...)
})

// genProbeBuilds asks Build about options on a kind: with a separator after,
// and before it a field that takes care of what it derives from.
func genProbeBuilds(kind int, opts []refOpt) bool {
	k := genKinds[kind]
	c := k.comp
	c.opts = opts
	s := refSchema{name: "probe", hbase: k.hbase, dialect: k.dialect}
	if k.dialect != "" && !c.has("NotStored") { // some stand last only
		last := s
		if k.src != nil {
			last.comps = append(last.comps, *k.src)
		}
		last.comps = append(last.comps, c)
		if _, err := last.build(); err == nil {
			return true
		}
	}
	if c.has("NotStored") {
		s.comps = append(s.comps, refComp{word: "Salt", buckets: 2, in: refInput{fields: []string{c.name}}})
	}
	s.comps = append(s.comps, c)
	if !c.has("NotStored") {
		s.comps = append(s.comps, refComp{word: "Separator", text: ";"})
	}
	if k.src != nil {
		s.comps = append(s.comps, *k.src)
	}
	_, err := s.build()
	return err == nil
}

// ---- random schemas

// A genSource makes the schemas and rows of one law.
type genSource struct {
	seed  uint64
	pairs []genPair
	met   map[string]int
}

func newGenSource(seed uint64) *genSource {
	return &genSource{seed: seed, pairs: genAdmitted(), met: map[string]int{}}
}

// schema is schema i: a pure function of the seed and i. It returns the random
// source that goes on to make the schema's rows.
func (g *genSource) schema(t testing.TB, i int) (*refSchema, *rowkey.Schema, *rand.Rand) {
	t.Helper()
	r := rand.New(rand.NewPCG(g.seed, uint64(i)))
	pair := g.pairs[i%len(g.pairs)]
	for range 2000 {
		s := genSchema(r, pair, fmt.Sprintf("s%d", i))
		built, err := s.build()
		if had := genHad(s); err == nil && slices.Contains(had, pair.String()) { // what else a schema needs may crowd the pair out
			for _, name := range had {
				g.met[name]++
			}
			return s, genTight(r, s, built), r
		}
	}
	t.Fatalf("seed %d:%d: no schema with %v builds", g.seed, i, pair)
	return nil, nil, nil
}

// genTight gives one schema of four with nullable fields a MaxLen near the length of a key with
// all its nulls: it may be the nulls that make a key too long.
func genTight(r *rand.Rand, s *refSchema, built *rowkey.Schema) *rowkey.Schema {
	if s.maxLen != 0 || !s.has("Optional") || !genOdds(r, 4) {
		return built
	}
	row := genRow(r, s)
	for i, f := range s.supplied() {
		if f.has("Optional") {
			row[i] = refNull{}
		}
	}
	key := s.encode(row)
	if len(key.faults) > 0 {
		return built
	}
	s.maxLen = max(1, len(key.bytes)-2+r.IntN(8))
	if tight, err := s.build(); err == nil {
		return tight
	}
	s.maxLen = 0
	return built
}

// genHad is the pairs and the other features that a schema has.
func genHad(s *refSchema) (had []string) {
	for i := range s.comps {
		c := &s.comps[i]
		for _, kind := range genKindsOf(s, c) {
			for x, a := range c.opts {
				had = append(had, kind+": "+a.word)
				for _, b := range c.opts[x+1:] {
					had = append(had, kind+": "+a.word+", "+b.word)
				}
			}
		}
		switch c.word {
		case "Salt", "Hash":
			had = append(had, c.word+" of "+c.in.word)
		case "Separator":
			had = append(had, fmt.Sprintf("Separator of %d", len(c.text)))
		case "Literal":
			had = append(had, "Literal")
		}
	}
	if s.hbase {
		had = append(had, "HBase")
	}
	if s.dialect != "" {
		had = append(had, s.dialect)
	}
	if s.maxLen != 0 {
		had = append(had, "MaxLen")
	}
	return had
}

// genKindsOf is the names in genKinds that fit a component.
func genKindsOf(s *refSchema, c *refComp) []string {
	if c.isConst() {
		return nil
	}
	if c.word == "Salt" {
		return []string{"Salt", "Salt of text"}
	}
	src := c
	prefix := ""
	if c.word == "Copy" {
		src, prefix = s.source(c), "Copy of "
	}
	name := prefix + src.word
	switch {
	case src.word == "Time" && src.unit.word == "Layout":
		name += " by Layout"
	case (src.word == "Int" || src.word == "Float") && s.hbase:
		name += " of HBase"
	}
	if s.dialect != "" && c.word != "Hash" {
		name += " of " + s.dialect
	}
	return []string{name}
}

// genFeatures is what a long run must have met beside the pairs.
var genFeatures = []string{
	"Salt of ", "Salt of Values", "Salt of Stored", "Salt of Text", "Salt of Format", "Salt of MinMax", "Salt of Rest",
	"Hash of ", "Hash of Values", "Hash of Stored", "Hash of Text", "Hash of Format", "Hash of MinMax", "Hash of Rest",
	"Separator of 1", "Separator of 2", "Literal", "HBase", "MaxLen", "OrderedBytes", "Phoenix",
}

// unmet is the admitted pairs and features that no schema has had.
func (g *genSource) unmet() []string {
	var unmet []string
	for _, p := range g.pairs {
		if g.met[p.String()] == 0 {
			unmet = append(unmet, p.String())
		}
	}
	for _, f := range genFeatures {
		if g.met[f] == 0 {
			unmet = append(unmet, f)
		}
	}
	return unmet
}

func genPick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// genOdds is true once in n.
func genOdds(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

var genNames = []string{"a", "b", "c-c"}

// genSchema makes a candidate that has the pair; Build may refuse it.
func genSchema(r *rand.Rand, pair genPair, name string) *refSchema {
	k := genKinds[pair.kind]
	s := &refSchema{name: name, hbase: k.hbase || !strings.Contains(k.name, "Int") && !strings.Contains(k.name, "Float") && genOdds(r, 8)}
	s.dialect = k.dialect
	if word := k.comp.word; word == "Salt" || word == "Hash" {
		if s.dialect = genPick(r, "", "", "OrderedBytes", "Phoenix"); s.dialect != "" {
			s.hbase = false
		}
	}
	if s.dialect != "" {
		s.hbase = false
	}
	if genOdds(r, 16) {
		s.maxLen = 4 + r.IntN(24)
	}

	// The supplied fields, one of which is the pair's own or what it derives from.
	fields := 1 + r.IntN(3)
	lead := r.IntN(fields)
	for i := range fields {
		var c refComp
		if i == lead {
			c = k.comp
			if k.src != nil {
				c = *k.src
			} else {
				c.opts = genVary(r, c, pair.opts())
			}
			genResize(r, &c, pair)
		} else {
			c = genField(r, s)
		}
		c.name = genNames[i]
		s.comps = append(s.comps, c)
	}
	if !genOdds(r, 3) && fields > 1 {
		// Two alike, for minmax and for values that wander.
		i := r.IntN(fields)
		if j := r.IntN(fields); i != j && j != lead && i != lead {
			s.comps[j] = s.comps[i]
			s.comps[j].name = genNames[j]
		}
	}
	if s.comps[lead].has("Loose") && fields > 1 {
		// Two without a sure end.
		c := &s.comps[(lead+1)%fields]
		if c.word == "String" && !c.has("Loose") && genOdds(r, 2) {
			c.opts = append(slices.Clone(c.opts), refOpt{word: "Loose"})
		}
	}

	// The derived components.
	if k.src != nil {
		c := k.comp
		c.of = genNames[lead]
		c.in.fields = []string{genNames[lead]}
		c.opts = genVary(r, c, pair.opts())
		if c.word == "Copy" {
			c.name = "copy"
		} else {
			c.of = ""
		}
		s.insert(r, c)
	}
	if genOdds(r, 4) {
		s.insert(r, genCopy(r, s))
	}
	if genOdds(r, 2) {
		s.insert(r, genSalt(r, s))
	}
	if genOdds(r, 3) {
		s.insert(r, genHash(r, s))
	}
	if genOdds(r, 8) { // between the fields: forms of any length, some known before the next field, and some not
		for i := range 2 + r.IntN(2) {
			c := genPick(r, genCopy, genSalt, genHash)(r, s)
			if name := fmt.Sprintf("more%d", i); c.word == "Copy" {
				c.name = name
			} else {
				c.opts[len(c.opts)-1].text = name
			}
			s.comps = slices.Insert(s.comps, 1+r.IntN(len(s.comps)), c)
		}
	}
	genFeed(r, s)
	genEnds(r, s)
	return s
}

// insert puts a derived component somewhere, in front as often as not.
func (s *refSchema) insert(r *rand.Rand, c refComp) {
	at := 0
	if genOdds(r, 2) {
		at = r.IntN(len(s.comps) + 1)
	}
	s.comps = slices.Insert(s.comps, at, c)
}

// genFeed sees to it that what is not stored feeds a salt.
func genFeed(r *rand.Rand, s *refSchema) {
	var loose []string
	for i := range s.comps {
		if c := &s.comps[i]; c.has("NotStored") {
			loose = append(loose, c.name)
		}
	}
	if len(loose) == 0 {
		return
	}
	for i := range s.comps {
		c := &s.comps[i]
		if c.word == "Hash" && c.in.word == "Values" || c.word == "Salt" && c.in.word == "Values" {
			for _, name := range loose {
				if !slices.Contains(c.in.fields, name) {
					c.in.fields = append(slices.Clone(c.in.fields), name)
				}
			}
			return
		}
	}
	in := refInput{word: "Values", fields: loose}
	s.insert(r, genPick(r,
		refComp{word: "Salt", buckets: 3, in: in, opts: []refOpt{{word: "Named", text: "feed"}}},
		refComp{word: "Hash", part: refPart{digest: "MD5", word: "Hex", n: 1}, in: in, opts: []refOpt{{word: "Named", text: "feed"}}}))
}

var genSeparators = []string{
	"_", "_", "\x00", "\x00", "|", ";", "\xff", "a", "x", ".", "__", "_-", "\x00\x01", "\x00\x00", "ab", "\xff\xff", "a_", "_a_",
}

// genEnds puts separators and constants between the components.
func genEnds(r *rand.Rand, s *refSchema) {
	var out []refComp
	for i := 0; i < len(s.comps); i++ {
		c := s.comps[i]
		out = append(out, c)
		if c.has("NotStored") {
			continue
		}
		last := i == len(s.comps)-1
		needs := false
		switch c.word {
		case "Salt":
			needs = c.has("Decimal") && c.buckets > 10
		case "Hash":
		default:
			needs = s.open(&c)
		}
		odds := 6 // one in
		switch {
		case needs && last:
			odds = 3
		case needs && c.has("Loose"):
			odds = -8 // all but one in
		case needs:
			odds = 0
		}
		add := odds == 0 || odds > 0 && genOdds(r, odds) || odds < 0 && !genOdds(r, -odds)
		if add {
			text := genPick(r, genSeparators...)
			if c.has("Decimal") && genOdds(r, 2) {
				text = genPick(r, "-", "_", ";")
			}
			for i+1 < len(s.comps) && s.comps[i+1].has("NotStored") && genOdds(r, 2) {
				i++
				out = append(out, s.comps[i])
			}
			out = append(out, refComp{word: "Separator", text: text})
		}
		if genOdds(r, 12) {
			out = append(out, refComp{word: "Literal", text: genPick(r, "v1", "_", "\x00", "-", "ab")})
		}
	}
	if genOdds(r, 10) {
		out = slices.Insert(out, 0, refComp{word: "Literal", text: genPick(r, "t", "\x00", "\xff", "v1-")})
	}
	s.comps = out
}

// genField makes a field of any kind, its options an admitted pair of its kind,
// an admitted single one, or none.
func genField(r *rand.Rand, s *refSchema) refComp {
	for {
		k := r.IntN(len(genKinds))
		kind := genKinds[k]
		if kind.src != nil || kind.hbase && !s.hbase || kind.dialect != s.dialect {
			continue
		}
		if s.hbase && !kind.hbase && (kind.name == "Int" || kind.name == "Float") {
			continue
		}
		c := kind.comp
		pair := genPair{kind: k}
		if !genOdds(r, 3) {
			pair = genPairOf(r, kind.name)
			if pair.kind == k {
				c.opts = genVary(r, c, pair.opts())
			}
		}
		genResize(r, &c, pair)
		return c
	}
}

var genByKind = sync.OnceValue(func() map[string][]genPair {
	by := map[string][]genPair{}
	for _, p := range genAdmitted() {
		name := genKinds[p.kind].name
		by[name] = append(by[name], p)
	}
	return by
})

func genPairOf(r *rand.Rand, kind string) genPair {
	pairs := genByKind()[kind]
	if len(pairs) == 0 {
		return genPair{kind: -1}
	}
	p := pairs[r.IntN(len(pairs))]
	if (p.a.word == "NotStored" || p.b.word == "NotStored") && !genOdds(r, 4) {
		return pairs[r.IntN(len(pairs))]
	}
	return p
}

// genVary changes the parameters of options, half of the time.
func genVary(r *rand.Rand, c refComp, opts []refOpt) []refOpt {
	out := slices.Clone(opts)
	for i := range out {
		if genOdds(r, 2) {
			out[i] = genParams(r, out[i])
		}
	}
	if genOdds(r, 12) {
		out = append(out, genParams(r, genPick(r, genProbes...)))
	}
	if c.word == "Binary" && len(out) > 0 && out[0].word == "Escaped" && genOdds(r, 4) { // its null lies among its values
		out = []refOpt{{word: "Escaped"}, {word: "Optional"}, {word: "Desc"}}
	}
	return out
}

func genParams(r *rand.Rand, o refOpt) refOpt {
	switch o.word {
	case "Below":
		o.n = genPick(r, 1, 2, 9, 10, 11, 16, 100, 256, 1000, 86400000)
	case "Years":
		o.n = genPick(r, 1970, 1999, 2000)
		o.m = genPick(r, 2000, 2001, 2100, 9999)
	case "OneOf":
		o.list = genPick(r,
			[]string{"a", "b"}, []string{"a", "ab", "b"}, []string{"_"}, []string{"aa", "bb", "a_"},
			[]string{"\x00", "\xff"}, []string{"", "a"}, []string{"a.b", "b.a"}, []string{"ab", "b", "c"})
	case "Codes":
		o.list = genPick(r,
			[]string{"a", "x", "b", "y"}, []string{"淘宝", "tb", "天猫", "tm"}, []string{"a", "b", "b", "a"},
			[]string{"a", "x", "b", "xx"}, []string{"aa", "\x00", "b", "\x01\x00"}, []string{"", "1", "a", "0"})
	case "Chars":
		o.text = genPick(r, "ab", "a", "ab.", "0123456789", "_ab", "ab\x00", "ab\xff")
	case "Truncate":
		o.step = genPick(r, time.Hour, 24*time.Hour, 7*24*time.Hour, time.Minute, 5*time.Second, time.Millisecond, 300*time.Millisecond)
	case "Width":
		o.n = 1 + r.IntN(8)
	case "Digits":
		o.n = genPick(r, 1, 2, 3, 5, 10, 13, 19, 20)
	case "HexDigits":
		o.n = genPick(r, 1, 2, 3, 8, 15, 16)
	case "Fixed":
		o.n = genPick(r, 1, 2, 3, 4, 5)
	case "Pad", "PadLeft":
		o.n = genPick(r, 1, 2, 3, 4, 6, 20)
		o.b = genPick(r, byte(0), 'x', 'a', '_', ' ', 0xff, '0', 1)
	case "MinLen":
		o.n = genPick(r, 1, 1, 2, 3, 4, 36)
	case "LenPrefix":
		o.n = 1 + r.IntN(4)
	case "Precision":
		o.n = genPick(r, 1, 2, 3, 5, 10, 19, 20, 31)
		o.m = genPick(r, 0, 0, 1, 2, o.n)
	case "ReverseLabels":
		o.text = genPick(r, ".", "_", "a", "ab", "..", "\x00")
	case "ReversePart":
		o.n = r.IntN(2)
		o.m = o.n + genPick(r, 1, 2, 3)
	case "Via":
		o.text = genPick(r, testViaNames...)
	case "Left", "Right":
		o.n = 1 + r.IntN(4)
	case "part":
		o.part = genPart(r, "Raw")
	case "unit":
		o.unit = genUnit(r)
	}
	return o
}

var genLayouts = []string{
	"2006", "200601", "20060102", "2006010215", "200601021504", "20060102150405",
	"2006-01", "2006-01-02", "2006/01/02 15:04", "2006-01-02 15:04:05", "2006_01_02",
}

func genUnit(r *rand.Rand) refUnit {
	u := refUnit{word: genPick(r, "Nanos", "Micros", "Millis", "Millis", "Seconds", "Minutes", "Hours", "Days")}
	if genOdds(r, 4) {
		return refUnit{word: "Layout", layout: genPick(r, genLayouts...), zone: genPick(r, 0, 0, 8*3600, -5*3600, 5*3600+1800)}
	}
	if genOdds(r, 8) {
		return refUnit{word: "Months"}
	}
	if genOdds(r, 4) {
		u.since = genPick[int64](r, 86400, 1355241600, 1355270400, 1577836800)
		u.nanos = genPick[int64](r, 0, 0, 5e8, 25e7, 999_999_999, 1)
	}
	return u
}

// genResize gives a field a size or unit of its own, half of the time.
func genResize(r *rand.Rand, c *refComp, pair genPair) {
	if genOdds(r, 2) {
		return
	}
	switch c.word {
	case "Uint", "Int":
		c.size = 1 + r.IntN(8)
		if genKinds[max(pair.kind, 0)].dialect != "" && !genOdds(r, 8) {
			c.size = genPick(r, 1, 2, 4, 8)
		}
	case "Float":
		c.size = genPick(r, 4, 8)
	case "Time":
		u := genUnit(r)
		for (u.word == "Layout") != (c.unit.word == "Layout") {
			u = genUnit(r)
		}
		if genKinds[max(pair.kind, 0)].dialect == "Phoenix" && u.word != "Layout" && !genOdds(r, 8) {
			u = refUnit{word: genPick(r, "Millis", "Nanos")}
		}
		c.unit = u
	}
}

func genCopy(r *rand.Rand, s *refSchema) refComp {
	src := genPick(r, s.supplied()...)
	c := refComp{word: "Copy", name: "also", of: src.name}
	lone := refSchema{hbase: s.hbase, dialect: s.dialect, comps: []refComp{*src, c}}
	if !genOdds(r, 3) {
		if p := genPairOf(r, genKindsOf(&lone, &c)[0]); p.kind >= 0 {
			c.opts = genVary(r, c, p.opts())
		}
	}
	if (src.word == "String" || src.word == "Binary") && genOdds(r, 4) { // what a copy cuts is less than its limits are of
		c.opts = nil
		for i, words := range [][]string{{"MinLen", "Fixed", "Chars"}, {"LenPrefix", "Escaped", "Pad"}, {"Left", "Right"}, {"Via", "Desc", "Reverse"}} {
			if i == 2 || genOdds(r, 2) {
				c.opts = append(c.opts, genParams(r, refOpt{word: genPick(r, words...)}))
			}
		}
	}
	return c
}

// genInput is what a salt or hash is computed over.
func genInput(r *rand.Rand, s *refSchema) refInput {
	var names, stored, texts, copies []string
	for _, c := range s.supplied() {
		names = append(names, c.name)
		if !c.has("NotStored") {
			stored = append(stored, c.name)
		}
		if c.word != "Float" {
			texts = append(texts, c.name)
		}
	}
	for i := range s.comps {
		if s.comps[i].word == "Copy" {
			copies = append(copies, s.comps[i].name)
		}
	}
	some := func(list []string) []string {
		list = slices.Clone(list)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list[:1+r.IntN(len(list))]
	}
	switch r.IntN(8) {
	case 0:
		return refInput{fields: []string{genPick(r, append(names, copies...)...)}}
	case 1:
		return refInput{word: "Values", fields: some(append(names, copies...))}
	case 2:
		if len(stored) > 0 {
			return refInput{word: "Stored", fields: some(append(stored, copies...))}
		}
	case 3:
		if len(texts) > 0 {
			return refInput{word: "Text", fields: some(texts)}
		}
	case 4:
		if len(texts) > 0 {
			return genFormat(r, s, some(texts))
		}
	case 5:
		if len(names) > 1 {
			pair := some(names)
			for len(pair) < 2 {
				pair = some(names)
			}
			return refInput{word: "MinMax", fields: pair[:2]}
		}
	case 6:
		return refInput{word: "Rest"}
	}
	return refInput{fields: []string{genPick(r, names...)}}
}

func genFormat(r *rand.Rand, s *refSchema, fields []string) refInput {
	in := refInput{word: "Format", fields: fields}
	for _, name := range fields {
		in.format += genPick(r, "", "_", "%%", "k=")
		switch s.comp(name).word {
		case "Uint", "Int":
			in.format += genPick(r, "%s", "%d", "%05d", "%x", "%X", "%02d")
		case "Time":
			in.format += genPick(r, "%s", "%d")
		default:
			in.format += "%s"
		}
	}
	return in
}

func genPart(r *rand.Rand, words ...string) refPart {
	p := refPart{digest: genPick(r, "MD5", "SHA1", "SHA256", "SHA512", "Murmur3", "Murmur3x128", "HBaseMurmur3", "Own", "CRC32", "JavaHashCode"), word: genPick(r, words...)}
	p.n = 1 + r.IntN(4)
	if p.word == "HexAt" {
		p.at = r.IntN(5)
	}
	if strings.Contains(p.digest, "urmur") && genOdds(r, 2) {
		p.seed = genPick(r, "0", "1", "-1", "4294967295", "104729")
	}
	p.upper = p.word != "Raw" && genOdds(r, 3)
	if p.word == "Raw" && genOdds(r, 8) {
		p.n = map[string]int{"MD5": 16, "SHA1": 20, "SHA256": 32, "SHA512": 64, "Murmur3": 4, "Murmur3x128": 16, "HBaseMurmur3": 4, "Own": 6, "CRC32": 4, "JavaHashCode": 4}[p.digest]
	}
	return p
}

func genSalt(r *rand.Rand, s *refSchema) refComp {
	c := refComp{word: "Salt", buckets: genPick(r, 1, 2, 3, 4, 10, 16, 100, 256), in: genInput(r, s)}
	if genOdds(r, 2) {
		c.opts = append(c.opts, genPick(r,
			refOpt{word: "part", part: genPart(r, "Raw")}, refOpt{word: "part", part: genPart(r, "Raw")},
			refOpt{word: "JavaHash"}, refOpt{word: "JavaHashAbs"}, refOpt{word: "JavaHashFloor"}, refOpt{word: "JavaHashModAbs"},
			refOpt{word: "PhoenixHash"}, refOpt{word: "HBaseWDHash"}, refOpt{word: "PinpointHash"}, refOpt{word: "Modulo"}))
	}
	switch r.IntN(5) {
	case 0:
		c.opts = append(c.opts, refOpt{word: "Width", n: 1 + r.IntN(4)})
		if genOdds(r, 3) {
			c.buckets = 1000
		}
	case 1:
		c.opts = append(c.opts, refOpt{word: "Digits", n: genPick(r, 2, 3)})
	case 2:
		c.opts = append(c.opts, refOpt{word: "Decimal"})
	case 3:
		letters := "abcdefghijklmnopqrstuvwxyz"
		c.buckets = min(c.buckets, 26)
		c.opts = append(c.opts, refOpt{word: "Letters", text: letters[:c.buckets]})
	}
	c.opts = append(c.opts, refOpt{word: "Named", text: "bucket"})
	return c
}

func genHash(r *rand.Rand, s *refSchema) refComp {
	part, in := genPart(r, "Hex", "HexAt", "Raw"), genInput(r, s)
	if in.word == "" {
		if c := s.comp(in.fields[0]); c.has("Digits") || c.has("HexDigits") || c.has("Decimal") {
			in.word = "Values" // a hash of a number in text says what is meant
		}
	}
	return refComp{word: "Hash", part: part, in: in,
		opts: []refOpt{{word: "Named", text: "digest"}}}
}

// ---- random rows

// row makes one row, most of the time one that can be stored.
func genRow(r *rand.Rand, s *refSchema) refRow {
	var row refRow
	for _, c := range s.supplied() {
		row = append(row, genValue(r, s, c))
	}
	return row
}

func genValue(r *rand.Rand, s *refSchema, c *refComp) any {
	if c.has("Optional") && genOdds(r, 3) {
		return refNull{}
	}
	switch c.word {
	case "String", "Binary":
		if c.has("Numeric") {
			return genNumberOf(r, c)
		}
		return genText(r, s, c)
	case "Uint":
		return genUint(r, c)
	case "Int":
		return genInt(r, c)
	case "Float":
		x := genPick(r, 0, math.Copysign(0, -1), 1.5, -1.5, 1, -1, 0.1, math.Inf(1), math.Inf(-1), math.MaxFloat32,
			math.SmallestNonzeroFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64, -2, 1e-40, float64(r.IntN(9)))
		if genOdds(r, 30) {
			x = math.NaN()
		}
		return x
	case "Bool":
		return genOdds(r, 2)
	case "Time":
		if s.signedTime(c, c.unit) && genOdds(r, 3) {
			return genEarly(r)
		}
		return genTime(r, c)
	}
	panic("no values for " + c.word)
}

// genAlphabet is the bytes that matter to a text field: two letters and every
// byte that an option, or the constant after the field, could mistake.
func genAlphabet(s *refSchema, c *refComp) string {
	alphabet := "ab"
	for _, o := range c.opts {
		switch o.word {
		case "Pad", "PadLeft":
			alphabet += string([]byte{o.b})
		case "ReverseLabels":
			alphabet += o.text
		case "Chars":
			if len(o.text) > 0 {
				alphabet = o.text
			}
		case "LenPrefix":
			alphabet += "\x00\x01\x02"
		case "Desc":
			alphabet += "\x9e" // ff − 'a'
		}
	}
	at := slices.IndexFunc(s.comps, func(x refComp) bool { return x.name == c.name && x.word == c.word })
	if at+1 < len(s.comps) && s.comps[at+1].isConst() {
		sep := s.comps[at+1].text
		alphabet += sep
		if c.has("Desc") {
			for i := range len(sep) {
				alphabet += string([]byte{^sep[i]})
			}
		}
	}
	return alphabet
}

func genText(r *rand.Rand, s *refSchema, c *refComp) string {
	if o, ok := c.opt("OneOf"); ok && !genOdds(r, 20) {
		return genPick(r, o.list...)
	}
	if o, ok := c.opt("Codes"); ok && !genOdds(r, 20) {
		return o.list[2*r.IntN(len(o.list)/2)]
	}
	if genOdds(r, 20) {
		// Characters of two to four bytes, and texts whose hash is the least int32.
		return genPick(r, "é淘😁", "😁", "淘a", "polygenelubricants", "\x96\x00\xf6\x00\x13\xfe")
	}
	if c.has("UUID") && !genOdds(r, 20) {
		return genUUID(r)
	}
	alphabet := genAlphabet(s, c)
	if genOdds(r, 4) {
		alphabet += "\x00\xff\x01"
	}
	n := r.IntN(5)
	if o, ok := c.opt("Fixed"); ok && !genOdds(r, 12) {
		n = o.n
	}
	for _, word := range []string{"Pad", "PadLeft"} {
		if o, ok := c.opt(word); ok {
			n = r.IntN(min(o.n, 4) + 1)
			if genOdds(r, 10) {
				n = o.n + r.IntN(2)
			}
		}
	}
	if o, ok := c.opt("ReversePart"); ok && n < o.m && !genOdds(r, 12) && !c.has("Fixed") {
		n = o.m + r.IntN(2)
	}
	if o, ok := c.opt("MinLen"); ok && n < o.n && !genOdds(r, 12) && !c.has("Fixed") {
		n = o.n + r.IntN(2)
	}
	if c.has("ReverseRune") && genOdds(r, 3) {
		return strings.Repeat(genPick(r, "é", "淘", "a", "é"), n)
	}
	if c.has("Escaped") && c.has("Optional") && genOdds(r, 3) {
		return genPick(r, "\xff", "\xff\xff", "\xff\xffa", "\xff\x00", "\xff\xff\xff")
	}
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(text)
}

// genUUID is one of few UUIDs that lie close together, or far apart.
func genUUID(r *rand.Rand) string {
	digits := []byte(strings.Repeat(genPick(r, "0", "f"), 32))
	for range r.IntN(3) {
		digits[genPick(r, 0, 1, 7, 8, 12, 30, 31)] = "09af"[r.IntN(4)]
	}
	text := fmt.Sprintf("%s-%s-%s-%s-%s", digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
	if genOdds(r, 20) {
		at := r.IntN(len(text))
		text = text[:at] + genPick(r, "A", "F", "-", "g", "\x00") + text[at+1:]
	}
	return text
}

func genUint(r *rand.Rand, c *refComp) any {
	_, most := refBounds(false, c.size)
	limit := most.Uint64()
	for _, o := range c.opts {
		switch o.word {
		case "Below":
			limit = min(limit, uint64(o.n-1))
		case "Precision":
			if whole := refPow(10, o.n-o.m); whole.IsUint64() {
				limit = min(limit, whole.Uint64()-1)
			}
		case "Width":
			_, hi := refBounds(c.has("Desc"), min(o.n, 8))
			limit = min(limit, hi.Uint64())
		case "Digits", "HexDigits":
			base := map[string]int{"Digits": 10, "HexDigits": 16}[o.word]
			if c.opts[0].word != "Desc" && refPow(base, o.n).IsUint64() {
				limit = min(limit, refPow(base, o.n).Uint64()-1)
			}
		}
	}
	var v uint64
	switch r.IntN(6) {
	case 0:
		v = uint64(r.IntN(4))
	case 1:
		v = limit
	case 2:
		v = limit - uint64(r.IntN(3))
	case 3:
		v = genPick[uint64](r, 9, 10, 99, 100, 127, 128, 255, 256, 16383, 16384, 65535, 65536)
	case 4:
		v = r.Uint64() >> r.IntN(64)
	case 5:
		v = r.Uint64()
	}
	if !genOdds(r, 15) && v > limit {
		if limit == math.MaxUint64 {
			return v
		}
		v %= limit + 1
	}
	switch {
	case genOdds(r, 60):
		return int64(-1 - r.IntN(3))
	case genOdds(r, 30):
		return limit + uint64(r.IntN(2))
	}
	return v
}

func genInt(r *rand.Rand, c *refComp) any {
	size := c.size
	if o, ok := c.opt("Width"); ok {
		size = min(size, o.n)
	}
	lo, hi := refBounds(true, size)
	if o, ok := c.opt("Precision"); ok && refPow(10, o.n-o.m).Cmp(hi) < 0 {
		hi = new(big.Int).Sub(refPow(10, o.n-o.m), big.NewInt(1))
		lo = new(big.Int).Neg(hi)
	}
	v := genPick(r, lo.Int64(), hi.Int64(), 0, 1, -1, 2, -2, lo.Int64()+1, hi.Int64()-1, r.Int64()>>(64-8*size))
	switch {
	case genOdds(r, 60):
		return uint64(math.MaxUint64)
	case genOdds(r, 25):
		return r.Int64() >> r.IntN(64)
	}
	return v
}

func genTime(r *rand.Rand, c *refComp) time.Time {
	zone := genPick(r, time.UTC, time.FixedZone("", 8*3600), time.FixedZone("", -7*1800))
	if genOdds(r, 25) {
		return genPick(r, time.Time{}, time.Unix(-1, 0), time.Unix(-86400*400, 0), time.Unix(1<<40, 0),
			time.Date(10001, 1, 3, 0, 0, 0, 0, time.UTC)).In(zone)
	}
	step := time.Duration(refSteps[c.unit.word])
	start := c.unit.epoch()
	if c.unit.word == "Layout" {
		step = time.Second
		start = time.Unix(2*86400, 0) // a layout's first day depends on its zone: keep clear of it
	}
	room := int64(1 << 40)
	if o, ok := c.opt("Years"); ok {
		if y := time.Date(o.n, 1, 1, 0, 0, 0, 0, time.UTC); y.After(start) {
			start = y
		}
		room = int64(time.Date(min(o.m, o.n+200), 12, 31, 23, 59, 59, 0, time.UTC).Sub(start) / step)
	}
	if o, ok := c.opt("Width"); ok && o.n < 5 && c.unit.word != "Layout" {
		start = c.unit.epoch()
		room = min(room, 1<<(8*o.n-1))
	}
	for _, word := range []string{"Digits", "HexDigits", "Below"} {
		if o, ok := c.opt(word); ok && c.opts[0].word != "Desc" {
			start = c.unit.epoch()
			switch {
			case word == "Below":
				room = min(room, int64(o.n))
			case o.n < 12:
				room = min(room, refPow(map[string]int{"Digits": 10, "HexDigits": 16}[word], o.n).Int64())
			}
		}
	}
	room = min(max(room, 1), math.MaxInt64/int64(step)/2)
	n := genPick(r, 0, 1, 2, room-1, room-2, r.Int64N(room), r.Int64N(room), r.Int64N(min(room, 100000)))
	if genOdds(r, 25) {
		n += genPick[int64](r, room, 1, 2)
	}
	t := start.Add(time.Duration(max(n, 0)) * step)
	if genOdds(r, 3) && step > 1 {
		t = t.Add(time.Duration(r.Int64N(int64(step))))
	}
	if n > math.MaxInt64/int64(step)/2 {
		t = time.Unix(253402300799, 0)
	}
	return t.In(zone)
}

// genGrid is rows over few values a field, every combination of them, at most
// limit rows: what shows who wanders into whose range.
func genGrid(r *rand.Rand, s *refSchema, limit int) []refRow {
	fields := s.supplied()
	each := 2
	for n := each + 1; ; n++ {
		total := 1
		for range fields {
			total *= n
		}
		if total > limit || n > 24 {
			break
		}
		each = n
	}
	rows := []refRow{{}}
	for _, c := range fields {
		values := genDistinct(r, s, c, each)
		var longer []refRow
		for _, row := range rows {
			for _, v := range values {
				longer = append(longer, append(slices.Clone(row), v))
			}
		}
		rows = longer
	}
	return rows
}

// genDistinct is up to n different values of a field, storable ones by choice.
func genDistinct(r *rand.Rand, s *refSchema, c *refComp, n int) []any {
	var values []any
	for tries := 0; len(values) < n && tries < 8*n; tries++ {
		v := genValue(r, s, c)
		if _, errs := s.convert(c, c, v); len(errs) > 0 && tries < 7*n {
			continue
		}
		same := func(w any) bool { return refRow{v}.String() == refRow{w}.String() }
		if !slices.ContainsFunc(values, same) {
			values = append(values, v)
		}
	}
	return append(values, genValue(r, s, c))
}
