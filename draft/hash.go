package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// hash is a digest of some fields, and the part of it that is taken.
type hash struct {
	digest   string
	of       []*expr
	taken    string // "substr" …; empty for all of it
	from, to int
	single   bool // one byte, not a slice of one
	unknown  bool // the design does not say how much of it is taken
	upper    bool
	mod      *expr
	rule     string // of a negative hashCode, where the design says it
	verb     verb   // how it is printed, or its size
	alias    string
	form     string  // "hex" or "raw", where the design says it
	abs      bool    // Math.abs of a hash that is not named
	modabs   bool    // Math.abs of the remainder of one
	named    bool    // the hash is a name, such as h: it may be any
	floor    bool    // Math.floorMod of one
	nodes    []*expr // what says so
	wrong    *expr   // what cannot be done to a digest
}

// digest is digestOf with the verb or the size around it.
func (r *reader) digest(e *expr) *hash {
	h := digestOf(e)
	if h != nil {
		h.verb = verbIn(e)
		if h.wrong != nil {
			r.fail(h.wrong.at, "expected a digest, a part of it, or a number of buckets: more than that cannot be declared")
		}
		r.take(h.nodes...)
	}
	return h
}

// ofDigest are functions of a digest.
var ofDigest = []string{"as", "bin", "text", "verb", "sized", "typed", "abs", "upper", "mod", "floormod", "mask", "substr", "substring", "left", "right", "slice", "hexof", "rawof", "num", "lpad", "rpad", "reverse", "asc"}

// digestOf is the digest that a component is a part of, nil if it is of none. What cannot be done
// to a digest is noted.
func digestOf(e *expr) *hash {
	if digest, ok := digests[e.fn]; ok && e.fn != "" {
		form := ""
		if len(e.spans) > 0 && strings.HasSuffix(e.fn, "hex") {
			form = "hex"
		}
		return &hash{digest: digest, of: e.args, form: form, nodes: []*expr{e}}
	}
	if len(e.args) == 0 || e.args[0] == nil || !slices.Contains(ofDigest, e.fn) {
		return nil
	}
	h := digestOf(e.args[0])
	if h == nil {
		return nil
	}
	h.nodes = append(h.nodes, e)
	ok := true
	switch e.fn {
	case "verb":
		if v := verbOf(e); h.form == "raw" && (v.kind == 'x' || v.kind == 'X') { // Go's %x of bytes
			ok = h.inHex() && (v.width == 0 && !h.single || v.width == 2 && v.fill == '0' && h.single)
			h.verb = verb{}
		}
	case "as", "bin", "text", "asc", "num":
	case "sized", "typed":
		ok = h.taken == ""
		if e.fn == "sized" && e.text == "chars" && h.mod == nil {
			h.taken, h.to, h.form = "left", e.n, "hex"
		}
	case "hexof":
		if h.form == "raw" {
			ok = h.inHex()
			break
		}
		ok = h.taken == "" && h.mod == nil && h.form == "" && e.n == 0
		h.form = "hex"
	case "rawof":
		ok = h.taken == "" && h.mod == nil && h.form == "" && e.n == 0
		h.form = "raw"
	case "abs", "upper":
		ok = h.changed(e)
	case "mask":
		ok = h.digest == "javahash" && h.mod == nil && h.rule == ""
		h.rule = " javahash"
	case "mod", "floormod":
		ok = h.modulo(e)
		h.nodes = append(h.nodes, e.args[1])
	case "lpad":
		n, fill := padding(e)
		ok = h.mod != nil && fill == "0" && n > 0
		h.nodes = append(h.nodes, e.args[1:]...)
	case "substr", "substring", "left", "slice":
		ok = h.cut(e)
	default:
		ok = false
	}
	if !ok && h.wrong == nil {
		h.wrong = e
	}
	return h
}

// inHex makes hexadecimal of the bytes of a digest, or of the first of them.
func (h *hash) inHex() bool {
	h.form, h.to = "hex", 2*h.to
	return h.mod == nil && h.from == 0 && !h.unknown
}

// changed notes Math.abs of a digest, or its letters in upper case.
func (h *hash) changed(e *expr) bool {
	switch {
	case e.fn == "upper":
		h.upper = true
		return h.mod == nil
	case h.digest == "javahash" && h.mod != nil && h.rule == "":
		h.rule = " javahashmodabs"
	case h.digest == "javahash" && h.rule == "":
		h.rule = " javahashabs"
	case h.digest == "" && h.mod == nil:
		h.abs = true
	case h.digest == "" && !h.floor:
		h.modabs = true
	case h.digest == "crc32" && h.mod == nil: // it is not negative
	default:
		return false
	}
	return true
}

// modulo notes the number of buckets of a whole digest. Of a part of one no salt can be declared.
func (h *hash) modulo(e *expr) bool {
	if h.taken != "" || h.mod != nil || h.form == "hex" || h.upper {
		return false
	}
	h.mod = e.args[1]
	if e.fn == "floormod" && h.digest == "javahash" {
		if h.rule != "" {
			return false
		}
		h.rule = " javahashfloor"
	} else if e.fn == "floormod" {
		h.floor = true
	}
	return true
}

// cut notes the part of a digest that is taken. Of a part or of a bucket none can be declared.
func (h *hash) cut(e *expr) bool {
	if h.taken != "" || h.mod != nil {
		return false
	}
	var n []int
	for _, arg := range e.args[1:] {
		if arg.isNum {
			n = append(n, arg.n)
		} else if !arg.isField() {
			return false
		}
	}
	h.nodes = append(h.nodes, e.args[1:]...)
	switch {
	case e.fn == "left" && len(n) == 1 && len(e.args) == 2:
		h.to = n[0]
	case e.fn == "left" && len(n) == 2 && n[0] == 0 && len(e.args) == 3:
		h.to = n[1]
	case len(n) == 2 && n[0] >= 0 && len(e.args) == 3 && e.fn != "left":
		h.from, h.to = n[0], n[1]
	case len(e.args) == 3 && len(n) < 2 && (len(n) == 0 || e.args[1].isNum && n[0] == 0): // substring(md5(x), 0, n)
		h.unknown = true
	case len(e.args) == 2 && len(n) == 0:
		h.unknown = true
	default:
		return false
	}
	h.taken, h.single = e.fn, e.text == "index"
	return true
}

// hash writes a digest, or a salt of one.
func (r *reader) hash(at int, h *hash) {
	if h.mod != nil {
		name := h.alias
		if name == "" {
			name = "salt"
		}
		r.salt(at, name, h)
		return
	}
	if v := h.verb; v.kind != 0 && v.kind != 'b' && v.kind != 'l' && v.kind != 'x' && v.kind != 'X' && !(v.kind == 's' && v.width == 0) && h.taken == "" {
		r.fail(at, "expected %%s of a digest")
		return
	}
	if h.digest == "javahash" {
		r.fail(at, "expected %% and a number of buckets: a hashCode is taken for a salt")
		return
	}
	r.out.WriteString("[")
	r.digestPart(at, h)
	r.out.WriteString("(")
	hidden := r.input("hash", at, h.of)
	r.out.WriteString(")")
	if h.alias != "" {
		r.out.WriteString(" named(" + h.alias + ")")
	}
	r.out.WriteString("]")
	r.notStored(hidden)
}

// digestPart writes which part of which digest is taken.
func (r *reader) digestPart(at int, h *hash) {
	switch {
	case h.taken != "" && !h.unknown && h.to <= h.from:
		r.fail(at, "expected a part that is not empty, as Java's substring has it")
	case h.digest == "":
		r.someDigest(at, h)
	case h.unknown:
		r.out.WriteString(h.digest + ".")
		r.ask("hash", say("cut"), at, means("hex(4)"+h.letters(), "hex-first", 4),
			means("hex(6)"+h.letters(), "hex-n", 6), means("hex(8)"+h.letters(), "hex-n", 8))
	case h.taken != "":
		r.digestCut(at, h)
	default:
		r.wholeDigest(at, h)
	}
}

// letters is what the notation adds for hexadecimal in upper case.
func (h *hash) letters() string {
	if h.upper || h.verb.kind == 'X' {
		return ".upper"
	}
	return ""
}

// hex is the part that is taken, in hexadecimal.
func (h *hash) hex() string { return hexAt(h.from, h.to-h.from) + h.letters() }

// hexAt is the notation of n hexadecimal characters from one on.
func hexAt(from, n int) string {
	if from == 0 {
		return fmt.Sprintf("hex(%d)", n)
	}
	return fmt.Sprintf("hexat(%d,%d)", from, n)
}

// digestCut writes the part that is taken of a digest: its hexadecimal characters, where the
// design does not leave open how they are counted.
func (r *reader) digestCut(at int, h *hash) {
	r.out.WriteString(h.digest + ".")
	switch {
	case h.form == "raw" && (h.taken == "slice" || h.taken == "left") && h.from == 0:
		fmt.Fprintf(&r.out, "raw(%d)", h.to)
	case h.form == "raw":
		r.fail(at, "expected the first bytes of a digest: another part cannot be declared")
	case (h.taken == "substr" || h.taken == "substring") && h.from == 1:
		r.ask("hash", say("part"), at, means(hexAt(0, h.to)+h.letters(), "cut-sql"), means(hexAt(1, h.to)+h.letters(), "cut-js"), means(h.hex(), "cut-java"))
	case h.taken == "substr" && h.from > 0:
		choices := []answer{means(h.hex(), "cut-java"), means(hexAt(h.from, h.to)+h.letters(), "cut-js"), means(hexAt(h.from-1, h.to)+h.letters(), "cut-sql")}
		if h.from == 1 {
			slices.Reverse(choices)
		}
		r.ask("hash", say("part"), at, choices...)
	case h.taken == "slice" && h.letters() == "" && h.form == "":
		choices := []answer{means(h.hex(), "of-hex")}
		if h.from == 0 { // of the bytes only the first can be said
			choices = append(choices, means(fmt.Sprintf("raw(%d)", h.to), "of-bytes"))
		}
		r.ask("hash", say("part"), at, choices...)
	default:
		r.out.WriteString(h.hex())
	}
}

// wholeDigest writes a digest of which no part is taken: as many bytes as the design says, or
// all, in hexadecimal or as bytes.
func (r *reader) wholeDigest(at int, h *hash) {
	size := digestSizes[h.digest]
	r.out.WriteString(h.digest + ".")
	switch {
	case h.verb.kind == 'l' && h.form == "":
		r.ask("hash", say("part"), at, means(hexAt(0, h.verb.width)+h.letters(), "of-hex"), means(fmt.Sprintf("raw(%d)", h.verb.width), "of-bytes"))
	case h.verb.kind == 'l':
		r.fail(at, "expected how long the part of the digest is: characters, or bytes")
	case h.verb.kind == 'b' && h.form != "hex":
		fmt.Fprintf(&r.out, "raw(%d)", h.verb.width)
	case h.verb.kind == 'b' || h.form == "raw" && h.letters() != "":
		r.fail(at, "expected bytes of a digest, or hexadecimal characters, not both")
	case h.form == "raw":
		fmt.Fprintf(&r.out, "raw(%d)", size)
	case h.letters() != "" || h.verb.kind == 'x' || h.form == "hex":
		r.out.WriteString(hexAt(0, 2*size) + h.letters())
	default:
		r.ask("hash", say("part"), at, means(hexAt(0, 2*size), "all-hex"), means(fmt.Sprintf("raw(%d)", size), "all-bytes"))
	}
}

// someDigest asks which digest it is, of which the design says at most the part.
func (r *reader) someDigest(at int, h *hash) {
	switch {
	case h.taken != "" && !h.unknown:
		r.ask("hash", say("digest"), at, digestsAs(h.hex(), "hex-by")...)
	case h.taken == "" && h.verb.kind == 'l':
		r.ask("hash", say("digest"), at, append(digestsAs(hexAt(0, h.verb.width), "hex-by"), digestsAs(fmt.Sprintf("raw(%d)", h.verb.width), "bytes-by")...)...)
	case h.taken == "" && h.verb.kind == 'b':
		r.ask("hash", say("digest"), at, digestsAs(fmt.Sprintf("raw(%d)", h.verb.width), "bytes-by")...)
	default:
		r.ask("hash", say("digest-part"), at, means("md5.hex(4)", "md5-hex-4"), means("md5.raw(2)", "md5-raw-2"), means("murmur3.raw(4)", "murmur-4"))
	}
}

func digestsAs(part, code string) (choices []answer) {
	for _, a := range []string{"md5", "sha1", "sha256", "murmur3"} {
		choices = append(choices, means(a+"."+part, code, a))
	}
	return choices
}

// saltOf writes salt(16), salt(uid) or salt(); around it may stand how it is
// printed.
func (r *reader) saltOf(e, around *expr) {
	h := &hash{verb: verbIn(around), alias: aliasOf(around)}
	r.take(e)
	for _, arg := range e.args {
		if arg.isNum && h.mod == nil {
			h.mod = arg
		} else {
			h.of = append(h.of, arg)
		}
	}
	r.salt(e.at, "salt", h)
}

// modOf writes the salt of a field modulo a number; around it may stand Math.abs, and how it is
// printed. A name such as h, which is no field of the key, stands for a hash; the design does not
// say which.
func (r *reader) modOf(e, around *expr, alias string) {
	name := alias
	if name == "" {
		name = "salt"
	}
	of := e.args[0]
	r.take(e)
	for len(of.args) > 0 && (of.fn == "abs" || of.fn == "num" || of.fn == "as" || of.fn == "typed" && strings.HasPrefix(types[of.text], "java")) {
		r.take(of)
		of = of.args[0]
	}
	if of.name == "" || of.fn != "" {
		r.fail(e.at, "expected a field or a digest, modulo a number")
		return
	}
	r.take(of)
	if of.unit == "s" || of.unit == "us" || of.unit == "ns" || of.unit == "ms" {
		r.unitOf(of)
	}
	h := &hash{mod: e.args[1], verb: verbIn(around), named: true, floor: e.fn == "floormod"}
	h.abs = calls(e.args[0], of, "abs")
	h.modabs = !h.floor && calls(around, e, "abs")
	if slices.Contains(r.fields(), of.name) || !slices.Contains([]string{"h", "hash", "hc", "hashcode", "code", "hashval", "digest", "random", "rand"}, strings.ToLower(of.name)) {
		h.digest, h.of = "modulo", []*expr{of}
		if r.noNumber(of.name) {
			r.fail(e.at, "expected the remainder of a whole number, or a hash such as murmur3(%s) %% 16: by what is said of %s it is none", of.name, of.name)
		}
	}
	r.salt(e.at, name, h)
}

// calls reports that a function stands around an expression, in another one that holds it.
func calls(e, inner *expr, fn string) bool {
	for ; e != inner; e = e.args[0] {
		if e.fn == fn {
			return true
		}
	}
	return false
}

// salt writes a salt, and asks what the design does not say of it: its fields, its rule, its form.
func (r *reader) salt(at int, name string, h *hash) {
	r.out.WriteString("[salt")
	if h.mod != nil {
		r.take(h.mod)
	}
	digits := 2
	buckets := 0
	if h.mod != nil && h.mod.isNum {
		buckets = h.mod.n
		fmt.Fprint(&r.out, buckets)
		digits = len(strconv.Itoa(max(buckets-1, 0)))
	} else {
		r.askRanges(name, say("buckets", name), at, bucketChoices()...)
	}
	r.out.WriteString("(")
	var hidden []*expr
	if h.digest == "modulo" && h.of[0].alias == "" {
		r.out.WriteString(h.of[0].name)
		hidden = r.hidden(h.of)
	} else {
		hidden = r.input(name, at, h.of)
	}
	r.out.WriteString(")")
	r.saltRule(at, name, h)
	r.saltForm(at, name, h, buckets, digits)
	if name != "salt" {
		r.out.WriteString(" named(" + name + ")")
	}
	r.out.WriteString("]")
	r.notStored(hidden)
}

func bucketChoices() (choices []answer) {
	for _, n := range []string{"16", "4", "64", "256"} {
		choices = append(choices, means(n, "buckets-n", n))
	}
	return choices
}

// saltRule writes how a bucket is computed.
func (r *reader) saltRule(at int, name string, h *hash) {
	if h.digest == "javahash" && len(h.of) == 1 && h.of[0].isField() && r.isNumber(h.of[0].name) {
		r.fail(at, "expected the hashCode of a text: %s is a number, and Java's hashCode of a number cannot be declared", h.of[0].name)
	}
	switch {
	case h.digest == "modulo":
		r.out.WriteString(" modulo")
	case h.digest == "javahash" && h.rule != "":
		r.out.WriteString(h.rule)
	case h.digest == "javahash":
		r.askRanges(name, say("bucket-negative"), at, means(" javahash", "java-mask"), means(" javahashabs", "java-abs"),
			means(" javahashfloor", "java-floor"), means(" javahashmodabs", "java-modabs"))
	case h.digest == "" && h.mod != nil:
		r.askRanges(name, say("bucket-hash"), at, h.rules()...)
	case h.digest == "crc32":
		r.out.WriteString(" crc32.raw(4)")
	case h.digest != "":
		r.askRanges(name, say("bucket-bytes"), at, means(fmt.Sprintf(" %s.raw(%d)", h.digest, digestSizes[h.digest]), "number-all"),
			means(fmt.Sprintf(" %s.raw(4)", h.digest), "number-4"))
	}
}

// rules are the usual hashes of a bucket, where the design does not name one. What it does to a
// negative hash says which of Java's rules may be meant: each of them gives such a hash another bucket.
func (h *hash) rules() []answer {
	murmur := means("", "by-murmur")
	var first answer
	switch {
	case h.floor:
		first = means(" javahashfloor", "by-java")
	case h.abs:
		first = means(" javahashabs", "by-java-abs")
	case h.modabs:
		first = means(" javahashmodabs", "by-java-modabs")
	default:
		return []answer{murmur, means(" md5.raw(4)", "by-md5"), means(" javahash", "by-java")}
	}
	if !h.named || h.floor {
		return []answer{first, murmur}
	}
	return []answer{first, murmur, means(" md5.raw(4)", "by-md5"), means(" javahash", "by-java-mask")}
}

// saltForm writes how a bucket is written.
func (r *reader) saltForm(at int, name string, h *hash, buckets, digits int) {
	switch v := h.verb; {
	case v.kind == 'b' && v.width == 1 && buckets <= 256:
	case v.kind == 'l': // whether in bytes or in digits is not said
		var choices []answer
		if bytesFor(buckets) <= v.width && v.width <= 8 {
			choices = append(choices, means(fmt.Sprintf(" width(%d)", v.width), "big-endian", v.width))
		}
		if digits <= v.width || h.mod == nil {
			choices = append(choices, means(fmt.Sprintf(" digits(%d)", v.width), "bucket-padded"))
		}
		if len(choices) == 0 {
			r.fail(at, "expected more bytes: %d buckets do not fit %s", buckets, texts.Plural(v.width, "byte"))
			return
		}
		if len(choices) == 1 {
			r.out.WriteString(choices[0].notation)
			return
		}
		r.ask(name, say("bucket-written"), at, choices...)
	case v.kind == 'b' && v.width == 2 && h.mod == nil:
		r.ask(name, say("bucket-written"), at, means(" width(2)", "big-endian", 2), means(" digits(2)", "bucket-padded"))
	case v.kind == 'b':
		if bytesFor(buckets) > v.width || v.width > 8 {
			r.fail(at, "expected more bytes: %d buckets do not fit %s", buckets, texts.Plural(v.width, "byte"))
		}
		fmt.Fprintf(&r.out, " width(%d)", v.width)
	case v.kind == 'd' && v.fill == '0' && v.width > 0:
		if v.width < digits && buckets > 0 {
			r.fail(at, "expected %%0%dd: %d buckets do not fit %s", digits, buckets, texts.Plural(v.width, "digit"))
		}
		fmt.Fprintf(&r.out, " digits(%d)", v.width)
	case v.kind == 'd' && v.fill == '0' && v.width == 0: // zeros fill up the digits of the largest
		fmt.Fprintf(&r.out, " digits(%d)", digits)
	case v.kind == 't': // a text of it, of which nothing else is said
		r.ask(name, say("bucket-written"), at, means(fmt.Sprintf(" digits(%d)", digits), "bucket-padded"), means(" decimal", "bucket-decimal"))
	case (v.kind == 'd' || v.kind == 's') && v.width == 0:
		r.out.WriteString(" decimal")
	case v.kind != 0:
		r.fail(at, "expected %%d or %%02d for a bucket")
	default:
		raw := means("", "one-byte")
		if n := bytesFor(buckets); n > 1 {
			raw = means(fmt.Sprintf(" width(%d)", n), "big-endian", n)
		}
		r.ask(name, say("bucket-written"), at, raw, means(fmt.Sprintf(" digits(%d)", digits), "bucket-padded"), means(" decimal", "bucket-decimal"))
	}
}

// input writes what is hashed, and returns those of its fields that stand nowhere else in the
// design.
func (r *reader) input(name string, at int, of []*expr) (hidden []*expr) {
	if len(of) == 0 {
		r.anyInput(name, at)
		return nil
	}
	var names []string
	format, constants, text := "", false, false
	for _, e := range of {
		for x := e; ; x = x.args[0] {
			r.take(x)
			printed := x.fn == "verb" && verbOf(x).kind == 's' && verbOf(x).width == 0
			text = text || x.fn == "text" || printed
			if x.unit != "" && x.fn == "" {
				r.unitOf(x)
			}
			if len(x.args) == 0 || x.args[0] == nil {
				break
			}
			if x.fn != "as" && x.fn != "bin" && x.fn != "text" && x.fn != "num" && !printed {
				r.fail(x.at, "expected fields to hash")
				return nil
			}
		}
		e = plainly(e)
		switch {
		case e.isText:
			format += strings.ReplaceAll(e.text, "%", "%%")
			constants = true
		case e.name != "" && e.fn == "":
			format += "%s"
			names = append(names, e.name)
			if all := r.fields(); !slices.Contains(all, e.name) {
				for _, same := range all {
					if same == e.name+"_id" || same == e.name+"id" || same == e.name+"Id" {
						r.fail(e.at, "expected one name in both places: the key has %s, and not %s", same, e.name)
						return nil
					}
				}
			}
		default:
			r.fail(e.at, "expected fields to hash")
			return nil
		}
	}
	if len(names) == 0 {
		r.fail(at, "expected a field to hash")
		return nil
	}
	joined := strings.Join(names, ",")
	values := joined
	if len(names) > 1 {
		values = "values(" + joined + ")"
	}
	switch {
	case constants:
		r.out.WriteString(undecided(notation.Input{Form: "format", Format: format, Names: names}.String()))
	case text:
		r.out.WriteString("text(" + joined + ")")
	case r.allText(names):
		r.out.WriteString(values)
	default:
		r.askRanges(name, say("hashed", strings.Join(names, ", ")), at, means(values, "hashed-value"), means("text("+joined+")", "hashed-text"))
	}
	return r.hidden(of)
}

// anyInput asks of which fields a salt or hash is computed.
func (r *reader) anyInput(name string, at int) {
	var choices []answer
	names := r.fields()
	if len(names) == 0 {
		r.fail(at, "expected a field in the design, of which %s is computed", name)
	}
	for _, f := range names {
		choices = append(choices, means(f, "of-one", f))
	}
	if len(names) > 1 {
		choices = append(choices, means("values("+strings.Join(names, ",")+")", "of-all"))
	}
	what := say("inputs-drawn", name)
	if namesHash(name) {
		what = say("inputs", name)
	}
	r.askRanges(name, what, at, choices...)
}

// quietReader gathers facts of which nothing is used yet.
func quietReader() *reader { return &reader{place: []int{0}} }

// unitOf refuses a time in a salt or a hash whose unit differs from that of the key.
func (r *reader) unitOf(of *expr) {
	if r.has(of.name, func(f facts) bool { return f.unit != "" && f.unit != of.unit }) {
		r.fail(of.at, "expected one unit of %s, not two", of.name)
	}
}

// has reports that the design has a component of a field of which something is said.
func (r *reader) has(name string, said func(f facts) bool) bool {
	return slices.ContainsFunc(r.list, func(it item) bool {
		if it.expr == nil || digestOf(it.expr) != nil {
			return false
		}
		f, ok := quietReader().gather(it.expr)
		return ok && f.name == name && said(f)
	})
}

// hidden are the fields of a digest that stand nowhere else.
func (r *reader) hidden(of []*expr) (hidden []*expr) {
	names := r.fields()
	for _, e := range of {
		if e = plainly(e); e.name != "" && !slices.Contains(names, e.name) && !slices.Contains(r.seen, e.name) {
			hidden = append(hidden, e)
		}
	}
	return hidden
}

// notStored writes fields that feed a digest and stand nowhere else.
func (r *reader) notStored(hidden []*expr) {
	for _, e := range hidden {
		r.stored(e.at, e.name)
		r.out.WriteString("[" + e.name)
		if slices.Contains(r.modular, e.name) {
			r.ask(e.name, say("what", e.name), e.at, means(":8", "number-of", 8), means(":4", "number-of", 4))
			r.out.WriteString(" notstored]")
			continue
		}
		all := []answer{asText}
		if !r.has(e.name, func(f facts) bool { return f.left != 0 || f.right != 0 }) { // numbers are not cut
			all = append(all, means(":8", "number-of", 8), means(":4", "number-of", 4))
		}
		r.ask(e.name, say("what", e.name), e.at, append(all, means(":bytes", "bytes"))...)
		r.out.WriteString(" notstored]")
	}
}

// fields are the names of the fields that stand in the key.
func (r *reader) fields() (names []string) {
	for i := range r.list {
		it := &r.list[i]
		switch {
		case it.said != nil && it.said.field:
			names = append(names, it.said.name)
		case it.expr != nil && digestOf(it.expr) == nil:
			quiet := quietReader() // what it refuses, component will
			if f, ok := quiet.gather(it.expr); ok && !isDigest(strings.ToLower(f.name)) && f.left == 0 && f.right == 0 && !namesSalt(f.name) && !namesHash(f.name) {
				names = append(names, f.name)
			}
		}
	}
	return names
}

// isNumber reports that a field is a number for certain.
func (r *reader) isNumber(name string) bool {
	return slices.ContainsFunc(r.list, func(it item) bool {
		if it.said != nil {
			return it.said.name == name && it.said.field && wholeNumber.MatchString(it.text)
		}
		if it.expr == nil || digestOf(it.expr) != nil {
			return false
		}
		f, ok := quietReader().gather(it.expr) // what it refuses, component will
		return ok && f.name == name && (f.typed && wholeNumber.MatchString(types[f.typ]) || f.verb.kind == 'd' || f.verb.kind == 'x')
	})
}

// noNumber reports that a field is for certain nothing of which a salt can take the rest.
func (r *reader) noNumber(name string) bool {
	return slices.ContainsFunc(r.list, func(it item) bool {
		if it.said != nil {
			if it.said.name != name || !it.said.field || strings.Contains(it.text, "?") {
				return false
			}
			_, err := rowkey.Parse("", "[salt2("+name+") modulo]"+it.text)
			return err != nil
		}
		if it.expr == nil || digestOf(it.expr) != nil {
			return false
		}
		f, ok := quietReader().gather(it.expr)
		if !ok || f.name != name {
			return false
		}
		return f.typed && !wholeNumber.MatchString(types[f.typ]) || f.fill != "" && !f.padLeft || f.left > 0 || f.right > 0 ||
			f.size > 8 && !f.chars && !f.counted
	})
}

// allText reports that these fields are text for certain.
func (r *reader) allText(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(r.list, func(it item) bool {
			if it.said != nil {
				return it.said.name == name && it.said.isText
			}
			if it.expr == nil || digestOf(it.expr) != nil {
				return false
			}
			quiet := quietReader()
			f, ok := quiet.gather(it.expr)
			return ok && f.name == name && (f.typed && types[f.typ] == "" || f.fill != "" && !f.padLeft)
		})
	})
}
