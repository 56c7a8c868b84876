package draft

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads keys that code makes of bytes: Go's append and encoding/binary, Python's
// struct.pack, Kotlin's buildString.

// isRaw reports the bytes of a digest, of which nothing is taken yet.
func isRaw(e *expr) bool { return e.fn == "rawof" || e.fn == "rawdigest" }

// appendedNumber are Go's functions that append a number, and its type.
var appendedNumber = map[string]string{"appenduint16": "u16", "appenduint32": "u32", "appenduint64": "u64"}

// packed reads a call of these; nil if it is none. Its parenthesis is taken.
func (r *reader) packed(e *expr, owner []token, of *expr) *expr {
	name := ""
	if len(owner) > 0 {
		name = r.text[owner[0].at:owner[len(owner)-1].end]
	}
	switch {
	case e.fn == "make" && owner == nil && of == nil:
		return r.made0(e)
	case e.fn == "append" && owner == nil && of == nil:
		return r.appendedTo(r.growing().joined(e), ")")
	case appendedNumber[e.fn] != "":
		if !strings.HasSuffix(strings.ToLower(name), "bigendian") {
			r.fail(e.at, "expected binary.BigEndian: in another order of bytes numbers do not sort")
			return e
		}
		to := r.growing()
		r.expect(",")
		v := r.expression(anyOp)
		r.expect(")")
		return join(to.joined(e), inType(v, appendedNumber[e.fn]))
	case e.fn == "tobytes" && of != nil && r.peek().kind == 'n': // Python's uid.to_bytes(8, "big")
		n, _ := strconv.Atoi(r.peek().text)
		e.has(r.next())
		r.expect(",")
		order := r.next()
		e.has(order)
		r.expect(")")
		typ := map[int]string{1: "u8", 2: "u16", 4: "u32", 8: "u64"}[n]
		if r.problem == nil && (typ == "" || strings.Trim(order.text, `"'`) != "big") {
			r.fail(e.at, "expected to_bytes of 1, 2, 4 or 8 bytes, \"big\": in another order of bytes numbers do not sort")
		}
		return inType(of, typ).joined(e)
	case (e.fn == "col" || e.fn == "column") && of == nil && r.peek().kind == 'q' && r.peekAt(1).text == ")": // Spark's col("uid")
		q := r.next()
		out := &expr{at: q.at, name: q.text[1 : len(q.text)-1], spans: []span{{q.at, q.end}}}
		r.goodName(out, out.name)
		r.expect(")")
		return out.joined(e)
	case (e.fn == "dayjs" || e.fn == "moment") && of == nil && owner == nil: // dayjs(ts).format('YYYYMMDD')
		v := r.expression(anyOp)
		r.expect(")")
		format := r.peekAt(1)
		if !v.isField() || !r.sees(".") || format.text != "format" || r.peekAt(3).kind != 'q' {
			r.fail(e.at, "expected %s of a time, and then format", e.fn)
		}
		if r.problem != nil {
			return e
		}
		r.skip()
		e.has(r.next())
		r.skip()
		q := r.next()
		r.expect(")")
		pattern := &expr{at: q.at, isText: true, text: strings.NewReplacer("YYYY", "yyyy", "DD", "dd").Replace(q.text[1 : len(q.text)-1])}
		return r.date(&expr{at: e.at, fn: "date", args: []*expr{v, pattern.has(q)}, spans: e.spans})
	case e.fn == "pack" && name == "struct":
		return r.structPack(e)
	case (e.fn == "sum" || e.fn == "sum256" || e.fn == "sum512" || e.fn == "sum224") && isDigest(name):
		v := r.expression(anyOp)
		r.expect(")")
		if e.fn == "sum" && (name == "md5" || name == "sha1") || e.fn == "sum"+strings.TrimPrefix(name, "sha") {
			e.fn = name
			e.args = []*expr{v}
			return e.of("rawof")
		}
		r.fail(e.at, "expected md5.Sum, sha1.Sum, sha256.Sum256 or sha512.Sum512")
		return e
	case e.fn == "encodetostring" && name != "hex":
		r.fail(e.at, "expected what can be declared: what %s makes of a value cannot", name)
		return e
	}
	return nil
}

// inType is a value in a type. A time in 8 bytes is one as Java writes it.
func inType(v *expr, typ string) *expr {
	if typ == "u64" && (bare(v).fn == "max" || namesTime(bareName(v))) && digestOf(v) == nil {
		typ = "long"
	}
	return &expr{at: v.at, fn: "typed", text: typ, args: []*expr{v}}
}

// made0 is Go's make([]byte, 0, 17).
func (r *reader) made0(e *expr) *expr {
	for _, sign := range []string{"[", "]", "byte", ","} {
		r.expect(sign)
	}
	if t := r.peek(); t.text != "0" {
		r.fail(t.at, "expected make([]byte, 0, n): bytes that are put at places are not read")
		return e
	}
	r.skip()
	for sign := ","; r.problem == nil && !r.accept(")"); sign = "+" { // , 8+8
		r.expect(sign)
		if t := r.peek(); t.kind != 'n' {
			r.fail(t.at, "expected a number of bytes")
			return e
		}
		r.skip()
	}
	return &expr{at: e.at, fn: "begin", spans: e.spans}
}

// growing is the key so far, to which a call appends.
func (r *reader) growing() *expr {
	if r.sees("nil") {
		t := r.next()
		return (&expr{at: t.at, fn: "begin"}).has(t)
	}
	e := r.expression(anyOp)
	switch {
	case r.problem != nil || e.fn == "concat" || e.fn == "begin":
	case e.isText || e.fn == "as" || e.fn == "rawof" || e.fn == "slice" && isRaw(e.args[0]):
		return &expr{at: e.at, fn: "concat", args: []*expr{e}}
	default:
		r.fail(e.at, "expected the key so far, to which is appended")
	}
	c := *e
	return &c
}

// appendedTo is what follows in Go's append(key, byte(x), y...) and []byte{x, y}: each value is one
// byte, or of a text all of them.
func (r *reader) appendedTo(out *expr, end string) *expr {
	for first := end == "}"; r.problem == nil && !r.accept(end); first = false {
		if !first {
			r.expect(",")
		}
		v := r.expression(anyOp)
		spread := r.accept("...")
		switch {
		case r.problem != nil:
		case v.fn == "as" && v.args[0].isNum && v.args[0].n < 256 && !spread: // byte(0)
			v = (&expr{at: v.at, isText: true, text: string([]byte{byte(v.args[0].n)}), spans: v.spans}).joined(v.args[0])
		case v.isNum && v.n < 256 && !spread:
			v = &expr{at: v.at, isText: true, text: string([]byte{byte(v.n)}), spans: v.spans}
		case v.isText && (spread || len(v.text) == 1):
		case spread && v.isField():
			v = v.of("text")
		case spread:
		case v.fn == "slice" && isRaw(v.args[0]) && v.args[2].n == 1:
		default:
			v = &expr{at: v.at, fn: "typed", text: "byte", args: []*expr{v}}
		}
		out = join(out, v)
	}
	return out
}

var packFormat = pattern.New(`^[>!][BHILQbhilq]+$`)

// structPack is Python's struct.pack(">BQ", a, b).
func (r *reader) structPack(e *expr) *expr {
	format := r.expression(anyOp)
	if r.problem == nil && (!format.isText || !packFormat.MatchString(format.text)) {
		r.fail(format.at, "expected > or ! and then some of BHILQbhilq: another format of struct.pack is not read")
		return e
	}
	out := (&expr{at: e.at, fn: "begin"}).joined(e).joined(format)
	for _, c := range strings.Trim(format.text, ">!") {
		r.expect(",")
		v := r.expression(anyOp)
		if r.problem != nil {
			return e
		}
		typ := map[rune]string{'B': "u8", 'H': "u16", 'I': "u32", 'L': "u32", 'Q': "u64", 'b': "byte", 'h': "short", 'i': "int", 'l': "int", 'q': "long"}[c]
		out = join(out, inType(v, typ))
	}
	r.expect(")")
	return out
}

// builtString is Kotlin's buildString { append(a); append(b) }.
func (r *reader) builtString(first token) *expr {
	out := (&expr{at: first.at, fn: "begin"}).has(first)
	r.skip() // {
	for r.problem == nil && !r.accept("}") {
		if r.accept(";") || r.accept(".") {
			continue
		}
		t := r.next()
		if t.text != "append" {
			r.fail(t.at, "expected append(…) in buildString")
			return out
		}
		r.use(t.at, t.end)
		r.expect("(")
		out = r.put(out, &expr{at: t.at}, "")
	}
	return out
}
