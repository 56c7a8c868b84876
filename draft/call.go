package draft

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// bits are functions that treat a number by its bits, which cannot be declared.
var bits = []string{"long.reverse", "integer.reverse", "long.rotateleft", "integer.rotateleft", "bits.reverse64", "bits.reverse32", "math.bits.reverse64"}

// libraries are names in lower case of what holds functions and is no field.
var libraries = []string{"bytes", "fmt", "strconv", "math", "time", "hashlib", "binascii", "zlib", "strings", "sys", "string", "struct", "functions", "f", "random", "rand", "md5", "sha1", "sha256", "hex",
	"crypto", "util", "system", "date", "int", "str", "long", "hash", "crc32", "mmh3"}

// sharpMethods are methods of C# and Go, whose properties are written as classes are: user.Id.ToString("D10").
var sharpMethods = map[string]bool{"ToString": true, "PadLeft": true, "PadRight": true, "Substring": true, "ToUpper": true, "ToLower": true,
	"Unix": true, "UnixMilli": true, "UnixMicro": true, "UnixNano": true}

// isLibrary reports that a name is a class or a library, not a field.
func isLibrary(owner string) bool {
	if hasHan(owner) {
		return false
	}
	first, _, _ := strings.Cut(owner, ".")
	last := owner[strings.LastIndexByte(owner, '.')+1:]
	c, _ := utf8.DecodeRuneInString(last)
	return slices.Contains(libraries, strings.ToLower(owner)) || slices.Contains([]string{"crc32fast", "md5", "sha1", "sha2", "sha256"}, first) || first == "org" || first == "com" || first == "java" ||
		unicode.IsUpper(c) && strings.ToUpper(last) != last || slices.Contains(libraries, strings.ToLower(last)) && !unicode.IsLower(c)
}

// rows are names of what holds values by their names, which Scala calls: map("uid").
var rows = []string{"map", "row", "record", "values", "fields", "data"}

// called reads a call by its path: of Bytes.toBytes(uid) the owner is a library, uid.reverse() is
// about uid.
func (r *reader) called(parts []token, created bool) *expr {
	last, owner := parts[len(parts)-1], parts[:len(parts)-1]
	if len(owner) == 0 {
		if rest, ok := strings.CutPrefix(last.text, "取"); ok && (functions[simple(rest)] != "" || isDigest(simple(rest))) {
			r.use(last.at, last.at+len("取"))
			last.at += len("取")
			last.text = rest
		}
		return r.call(last, nil, nil)
	}
	if last.text == "current" && owner[len(owner)-1].text == "ThreadLocalRandom" && r.peekAt(1).text == ")" && r.peekAt(2).text == "." && r.peekAt(3).kind == 'w' && r.peekAt(4).text == "(" {
		r.use(last.at, last.end)
		for range 3 {
			r.skip()
		}
		last = r.next()
	}
	from, to := owner[0].at, owner[len(owner)-1].end
	if slices.Contains([]string{"Now", "UtcNow", "Today"}, owner[len(owner)-1].text) { // C#'s DateTime.UtcNow.ToString("yyyyMMdd")
		return r.call(last, nil, &expr{at: owner[0].at, name: "ts", spans: []span{{from, to}}})
	}
	name := strings.ReplaceAll(r.text[from:to], "::", ".")
	if name == "date" && (last.text == "strftime" || last.text == "format" || last.text == "ToString") { // Python's date.strftime("%Y%m%d")
		return r.call(last, nil, r.named(owner))
	}
	if instance := sharpMethods[last.text] && name != "Convert" && !slices.Contains(libraries, strings.ToLower(name)); created || !instance && isLibrary(name) && r.vars[name] == nil {
		if slices.Contains(bits, strings.ToLower(name)+"."+simple(last.text)) {
			r.fail(owner[0].at, "%s.%s works on bits: expected what can be declared, such as a reversal of bytes or digits", name, last.text)
			return &expr{at: last.at}
		}
		r.use(from, to)
		return r.call(last, owner, nil)
	}
	if len(owner) == 1 && name == "row" && strings.HasPrefix(last.text, "get") && r.peekAt(1).kind == 'q' { // row.getString("uid"), and row is no field
		return r.call(last, nil, &expr{at: from, name: name, spans: []span{{from, to}}})
	}
	return r.call(last, nil, r.named(owner))
}

// bytesNamed makes constants of the names in capitals among the arguments of Bytes.add of which
// others are made bytes of: a program has the bytes of such a name already.
func bytesNamed(args []*expr) {
	if !slices.ContainsFunc(args, func(a *expr) bool { return a.fn == "bin" }) {
		return
	}
	for _, a := range args {
		if a.isField() && constantName.MatchString(a.name) {
			a.fn = "constant"
		}
	}
}

func isDigest(fn string) bool { _, ok := digests[fn]; return ok }

// charset is an argument that names how characters become bytes: UTF-8, as here.
var charset = pattern.New(`(?i)^(?:["']utf-?8["']|(?:[\w]+\.)*utf_?8(?:\.name\(\))?)$`)

// call reads the arguments of a function. of is the value whose method it is, nil if it is none.
func (r *reader) call(w token, owner []token, of *expr) *expr {
	fn := simple(w.text)
	if of == nil && (fn == "hash" || fn == "compute" || fn == "digest") && len(owner) > 0 { // Rust's crc32fast::hash(x)
		for _, name := range []string{"crc32", "md5", "sha1", "sha256"} {
			if strings.HasPrefix(strings.ToLower(owner[0].text), name) {
				fn = name
			}
		}
	}
	r.use(r.peek().at, r.peek().end)
	r.next() // (
	e := &expr{at: w.at, fn: fn}
	if fn == "sha2" {
		e.fn = "sha256"
	}
	e.has(w)
	if of != nil && (of.fn == "begin" || of.fn == "concat") {
		if typ, ok := puts[fn]; ok {
			return r.put(of, e, typ)
		}
	}
	if got := r.getter(w, of); got != nil {
		return got
	}
	if got := r.packed(e, owner, of); got != nil {
		return got
	}
	if fn == "format" && len(owner) > 0 && owner[len(owner)-1].text == "MessageFormat" {
		r.fail(owner[0].at, "expected String.format: MessageFormat writes numbers with commas, as 1,684,203, in another way in each language")
		return e
	}
	if q := r.peek(); of == nil && len(owner) == 0 && q.kind == 'q' && r.peekAt(1).text == ")" && (fn == "col" || fn == "lit" || slices.Contains(rows, w.text)) { // of Spark, of a Map
		if fn == "lit" {
			return r.quoted(r.next()).has(w, r.next())
		}
		if name := q.text[1 : len(q.text)-1]; notation.ValidName(name) {
			e = &expr{at: q.at, name: name}
			r.goodName(e, name)
			return e.has(w, r.next(), r.next())
		}
	}
	canonical, known := functions[fn]
	if known {
		e.fn = canonical
	} else if !isDigest(fn) {
		all := append(slices.Sorted(maps.Keys(digests)), functionNames()...)
		r.fail(w.at, "expected a function such as md5, substr, reverse, rpad or random%s", notation.Nearest(fn, all))
		return e
	}
	if e.fn == "cast" {
		return r.cast(e)
	}
	r.arguments(e, of)
	if r.problem != nil {
		return e
	}
	if fn == "add" && len(owner) > 0 {
		if len(e.args) == 1 && e.args[0].fn == "list" { // Bytes.add(Array(a, b))
			e.joined(e.args[0])
			e.args = e.args[0].args
		}
		bytesNamed(e.args)
	}
	return r.made(e, of, fn, owner)
}

// arguments reads the arguments of e up to its parenthesis.
func (r *reader) arguments(e, of *expr) {
	depth := r.boxDepth
	r.boxDepth = -1
	defer func() { r.boxDepth = depth }()
	list := ""
	for first := true; r.problem == nil && !r.accept(")"); first = false {
		if m := fromEnd.FindStringSubmatch(r.text[min(r.peek().at, r.to):r.to]); first && of != nil && e.fn == "substring" && m != nil && m[1] == of.name { // x.substring(x.length() - 4)
			end := r.peek().at + len(m[0])
			n := &expr{at: r.peek().at, isNum: true, spans: []span{{r.peek().at, end}}}
			n.n, _ = strconv.Atoi(m[2])
			for r.i < len(r.tokens) && r.peek().at < end {
				r.i++
			}
			e.fn = "right"
			e.args = append(e.args, n)
			return
		}
		if !first && e.fn == "substring" && len(e.args) == 1 && strings.EqualFold(r.peek().text, "from") { // SUBSTRING(x FROM 1 FOR 4)
			r.fromFor(e)
			return
		}
		if !first && !r.accept("+") {
			r.expect(",")
		}
		if list == "" && (e.fn == "join" || e.fn == "concat") && len(e.args) <= 1 {
			switch {
			case r.sees("[") && r.peekAt(1).text == "]" && r.peekAt(2).text == "string" && r.peekAt(3).text == "{":
				for range 4 {
					r.skip()
				}
				list = "}"
			case r.sees("new") && r.peekAt(2).text == "[" && r.peekAt(3).text == "]" && r.peekAt(4).text == "{": // new String[]{a, b}
				for range 5 {
					r.skip()
				}
				list = "}"
			case r.accept("["):
				list = "]"
			case of != nil && of.isText && e.fn == "join" && r.accept("("): // Python's "|".join((a, b))
				list = ")"
			}
		}
		if (len(e.args) > 0 || of != nil) && r.charset() {
			continue
		}
		if r.sees("-") && r.peekAt(1).kind == 'n' {
			minus := r.next()
			n := r.numeral()
			n.n = -n.n
			e.args = append(e.args, n.has(minus))
		} else if arg := r.expression(anyOp); e.fn == "begin" && arg.fn == "concat" && !slices.ContainsFunc(arg.args, func(n *expr) bool { return !n.isNum }) { // allocate(1 + 8)
			sum := &expr{at: arg.at, isNum: true, spans: arg.spans}
			for _, n := range arg.args {
				sum.n += n.n
				sum.joined(n)
			}
			e.args = append(e.args, sum)
		} else if arg.fn == "concat" && len(arg.args) > 0 && arg.args[0].isNum {
			r.fail(arg.at, "expected one number: what is computed of numbers is not read")
			return
		} else if arg.fn == "concat" && e.fn != "format" && e.fn != "whole" && e.fn != "text" && e.fn != "as" && e.fn != "bin" && e.fn != "begin" {
			e.args = append(e.args, arg.args...)
			e.spans = append(e.spans, arg.spans...)
		} else {
			e.args = append(e.args, arg)
		}
		if list != "" && r.accept(list) {
			list = "done"
		}
	}
}

// fromEnd is the place of the last characters of a text.
var fromEnd = pattern.New(`(?i)^([\w.]+)\.(?:length|count|size)(?:\(\))?\s*-\s*([0-9]+)\s*\)`)

// fromFor reads what follows the first argument of SUBSTRING(x FROM 1 FOR 4).
func (r *reader) fromFor(e *expr) {
	from, one, length, n, closing := r.next(), r.next(), r.next(), r.next(), r.next()
	if one.text != "1" || !strings.EqualFold(length.text, "for") || n.kind != 'n' || closing.text != ")" {
		r.fail(from.at, "expected FROM 1 FOR a number")
		return
	}
	size := &expr{at: n.at, isNum: true}
	size.n, _ = strconv.Atoi(n.text)
	e.fn = "left"
	e.args = append(e.args, size.has(n))
	e.has(from, one, length, closing)
}

// charset takes an argument that names UTF-8.
func (r *reader) charset() bool {
	n := 0
	for {
		t := r.peekAt(n)
		if t.kind == 0 {
			return false
		}
		if t.text == ")" || t.text == "," {
			break
		}
		n++
	}
	if n == 0 || !charset.MatchString(r.text[r.peek().at:r.peekAt(n-1).end]) {
		return false
	}
	for range n {
		r.skip()
	}
	return true
}

// getter is what a call names without computing: trip.getVin(), row.getString("uid").
func (r *reader) getter(w token, of *expr) *expr {
	rest, ok := strings.CutPrefix(w.text, "get")
	if !ok || functions[simple(w.text)] != "" || isDigest(simple(w.text)) {
		return nil
	}
	c, _ := utf8.DecodeRuneInString(rest)
	switch q := r.peek(); {
	case q.text == ")" && unicode.IsUpper(c):
		closing := r.next()
		e := &expr{at: w.at, name: string(unicode.ToLower(c)) + rest[utf8.RuneLen(c):]}
		if strings.ToUpper(rest) == rest {
			e.name = strings.ToLower(rest)
		}
		if of != nil {
			if !of.isField() {
				return nil
			}
			e.at, e.name = of.at, of.name+"."+e.name
			e.spans = append(e.spans, of.spans...)
		}
		r.goodName(e, e.name[strings.LastIndexByte(e.name, '.')+1:])
		return e.has(w, closing)
	case q.kind == 'q' && of != nil && r.peekAt(1).text == ")":
		name := q.text[1 : len(q.text)-1]
		if !notation.ValidName(name) {
			return nil
		}
		e := &expr{at: q.at, name: name}
		e.spans = append(e.spans, of.spans...)
		r.goodName(e, name)
		return e.has(w, r.next(), r.next())
	}
	return nil
}

// cast is CAST(x AS STRING).
func (r *reader) cast(e *expr) *expr {
	e.args = append(e.args, r.expression(anyOp))
	as, typ := r.next(), r.next()
	if r.problem == nil && !strings.EqualFold(as.text, "as") {
		r.fail(as.at, "expected AS and a type")
		return e
	}
	e.has(as, typ)
	switch strings.ToLower(typ.text) {
	case "string", "varchar", "char", "nvarchar", "text":
		e.fn = "text"
	case "bigint", "int", "integer", "long", "signed", "unsigned":
		e.fn = "num"
	default:
		r.fail(typ.at, "expected CAST to STRING, VARCHAR or BIGINT")
	}
	if r.sees("(") && r.peekAt(1).kind == 'n' && r.peekAt(2).text == ")" && e.fn == "text" { // a length, which cuts nothing that fits
		e.has(r.next(), r.next(), r.next())
	}
	r.expect(")")
	return e
}

// made is the function of these arguments. A method gets the value before it as its first
// argument.
func (r *reader) made(e, of *expr, fn string, owner []token) *expr {
	if text := r.textMade(e, of, fn); text != nil || r.problem != nil {
		return orElse(text, e)
	}
	if of != nil {
		e.at = of.at
		e.args = append([]*expr{of}, e.args...)
	}
	if of == nil && isDigest(e.fn) && e.fn == fn && len(e.args) == 1 && e.args[0].isNum && r.boxed && e.args[0].n > 0 { // [hash(4)]
		return (&expr{at: e.at, fn: "sized", text: "length", n: e.args[0].n, args: []*expr{{at: e.at, name: fn, spans: e.spans}}}).joined(e.args[0])
	}
	switch {
	case e.fn == "date":
		for _, arg := range e.args {
			r.pattern(fn, arg)
		}
		return r.date(e)
	case e.fn == "join":
		return r.joined(e)
	case len(e.args) == 0 && of == nil && digestSizes[digests[e.fn]] > 0 && len(owner) == 1 && owner[0].text == "Hashing" && r.sees(".") && (r.peekAt(1).text == "hashString" || r.peekAt(1).text == "hashBytes"): // of Guava
		return &expr{at: e.at, fn: "hasher", text: digests[e.fn], spans: e.spans}
	case len(e.args) == 0 && e.fn != "random" && e.fn != "salt":
		r.fail(e.at, "expected what %s is computed of", fn)
		return e
	}
	if e.fn == "text" && fn == "valueof" && len(owner) > 0 && castTypes[owner[len(owner)-1].text] == "num" {
		e.fn = "num"
	}
	if e.fn == "random" && len(owner) == 0 && of == nil && len(e.args) == 1 && e.args[0].isNum && e.args[0].n < 10 && (fn == "rand" || fn == "random") {
		r.fail(e.at, "expected random(1000), or a random number of 3 digits: whether %d counts its values or its digits is not said", e.args[0].n)
		return e
	}
	if e.fn == "random" && len(owner) > 0 && fn != "randint" || e.fn == "random" && of != nil {
		if of != nil && of.fn == "random" && len(of.args) == 0 { // new Random().nextInt(16)
			e.args = e.args[1:]
			e.joined(of)
		}
		if len(e.args) == 2 && e.args[0].isNum && e.args[0].n == 0 && e.args[1].isNum {
			e.joined(e.args[0])
			e.args = e.args[1:]
		}
	}
	switch e.fn {
	case "as", "bin", "num", "hashcode", "abs", "upper", "hexof", "rawof", "text", "reverse", "rawdigest":
		if len(e.args) != 1 {
			r.fail(e.args[1].at, "expected one value in %s", fn)
		}
		if e.fn == "as" && of == nil && fn != "bytes" && fn != "byte" && r.problem == nil { // Base64.encode, URLEncoder.encode
			r.fail(e.at, "expected what can be declared: what %s makes of a value cannot", fn)
		}
		if e.fn == "reverse" && len(owner) > 0 && !textClass.MatchString(owner[len(owner)-1].text) && r.problem == nil {
			r.fail(owner[0].at, "expected a reversal of a text, such as StringUtils.reverse: what %s reverses is not known", owner[len(owner)-1].text)
		}
	case "zfill":
		e.fn = "lpad"
		e.args = append(e.args, &expr{isText: true, text: "0"})
	case "sha256":
		if fn == "sha2" {
			if len(e.args) != 2 || e.args[1].n != 256 && e.args[1].n != 512 {
				r.fail(e.at, "expected sha2 of 256 or 512 bits")
				return e
			}
			e.fn = fmt.Sprintf("sha%d", e.args[1].n)
			e.joined(e.args[1])
			e.args = e.args[:1]
		}
	case "salt":
		if of == nil && len(e.args) == 1 && e.args[0].isNum && e.args[0].n > 0 && e.args[0].n < 3 { // salt(1) is a size
			return (&expr{at: e.at, fn: "sized", text: "length", n: e.args[0].n, args: []*expr{{at: e.at, name: "salt", spans: e.spans}}}).joined(e.args[0])
		}
		if of == nil && len(e.args) == 1 && (e.args[0].fn == "mod" || e.args[0].fn == "floormod") { // salt(hash of uid mod 16)
			return e.args[0].joined(e)
		}
	case "mod", "floormod":
		r.moduloMade(e)
	}
	return e
}

// textClass are classes whose reverse is of characters.
var textClass = pattern.New(`(?i)str|text|char|functions|^f$|util`)

func orElse(a, b *expr) *expr {
	if a != nil {
		return a
	}
	return b
}

// moduloMade checks the two arguments of mod(x, 16); a name in place of the number is a number
// that is not said.
func (r *reader) moduloMade(e *expr) {
	switch {
	case len(e.args) == 2 && e.args[1].isField():
		e.args[1] = &expr{at: e.args[1].at, fn: "unsaid", spans: e.args[1].spans}
	case len(e.args) != 2 || !e.args[1].isNum || e.args[1].n < 1:
		r.fail(e.at, "expected a value and a number in %s", e.fn)
	}
}

// textMade is a function that makes or ends a text, such as new StringBuilder(uid), .toString()
// or String.format; nil if it is none.
func (r *reader) textMade(e, of *expr, fn string) *expr {
	switch e.fn {
	case "now":
		if len(e.args) > 0 {
			r.fail(e.args[0].at, "expected nothing in %s()", fn)
		}
		now := &expr{at: e.at, name: "ts", unit: nowUnits[fn], spans: e.spans}
		if fn == "time" && of == nil { // Python's, in seconds with a fraction
			now.name = "ts"
			return &expr{at: e.at, fn: "float", args: []*expr{now}}
		}
		if of != nil { // time.Now().UnixNano(), date.getTime()
			if !of.isField() || of.unit != "" && of.name != "ts" {
				r.fail(e.at, "expected a time before %s()", fn)
			}
			now.at, now.name = of.at, of.name
			now.joined(of)
		}
		return now
	case "begin":
		switch {
		case len(e.args) == 1 && e.args[0].isNum, len(e.args) == 0:
			begin := &expr{at: e.at, fn: "begin"}
			for _, arg := range e.args {
				if e.joined(arg); fn == "allocate" {
					if begin.n = arg.n; begin.n < 1 { // the key's bytes, all of which array() gives
						r.fail(arg.at, "expected a number of bytes")
					}
				}
			}
			begin.spans = e.spans
			return begin
		case len(e.args) == 1: // new StringBuilder(uid)
			return join(&expr{at: e.at, fn: "concat", spans: e.spans}, e.args[0])
		}
	case "newdate":
		if of == nil && len(e.args) == 0 {
			return &expr{at: e.at, name: "ts", spans: e.spans}
		}
		r.fail(e.at, "expected a time and a pattern")
		return e
	case "as":
		if of == nil && fn == "array" && len(e.args) > 1 { // Scala's Array(a, b)
			return &expr{at: e.at, fn: "list", args: e.args, spans: e.spans}
		}
	case "list":
		if of == nil {
			return &expr{at: e.at, fn: "list", args: e.args, spans: e.spans}
		}
	case "itoa":
		if of == nil && (len(e.args) == 1 || len(e.args) == 2 && e.args[1].isNum && e.args[1].n == 10) {
			out := e.args[0].of("text")
			if len(e.args) == 2 {
				out.joined(e.args[1])
			}
			return out.joined(e)
		}
		r.fail(e.at, "expected a number in base 10")
		return e
	case "split":
		if of != nil && (of.isField() || of.fn == "text") && len(e.args) == 1 && e.args[0].isText && e.args[0].text == "" {
			return (&expr{at: of.at, fn: "split", args: []*expr{of}}).joined(e).joined(e.args[0])
		}
		r.fail(e.at, "expected split('').reverse().join('')")
		return e
	case "createhash":
		if len(e.args) == 1 && e.args[0].isText && digestSizes[e.args[0].text] > 0 {
			return (&expr{at: e.at, fn: "hasher", text: e.args[0].text}).joined(e).joined(e.args[0])
		}
		r.fail(e.at, "expected createHash('md5') or another digest")
		return e
	case "update":
		if of != nil && of.fn == "hasher" && len(e.args) > 0 {
			return (&expr{at: of.at, fn: of.text, args: e.args}).joined(of).joined(e)
		}
		r.fail(e.at, "expected createHash before update")
		return e
	case "rawof":
		if of != nil && len(e.args) == 1 && e.args[0].isText && e.args[0].text == "hex" {
			return of.of("hexof").joined(e).joined(e.args[0])
		}
	case "text":
		if of == nil && fn == "tostring" && len(e.args) > 0 && e.args[0].isText {
			r.fail(e.at, "expected a value before %s: how it is written stands in the quotes, and not what", fn)
			return e
		}
		if of != nil && len(e.args) == 1 && e.args[0].isText && codeLayout(e.args[0].text) != "" { // C#'s day.ToString("yyyyMMdd")
			return r.date(&expr{at: of.at, fn: "date", args: []*expr{of, e.args[0]}, spans: e.spans})
		}
		if of != nil && len(e.args) == 1 && e.args[0].isText && specOfD.MatchString(e.args[0].text) && (of.isField() || of.fn == "max" || of.fn == "nines") {
			return r.spec(of, e.args[0].text, span{}).joined(e).joined(e.args[0])
		}
	case "instant": // unix_timestamp(create_time)
		if of == nil && len(e.args) == 1 && e.args[0].isField() {
			e.args[0].unit = "s"
			return e.args[0].joined(e)
		}
		r.fail(e.at, "expected %s of a time", fn)
		return e
	case "num":
		if of == nil && len(e.args) == 1 && e.args[0].fn == "float" {
			return e.args[0].args[0].joined(e).joined(e.args[0])
		}
	case "whole":
		if of == nil && len(e.args) == 1 {
			return e.args[0].joined(e)
		}
	case "format":
		return r.formatMade(e, of)
	}
	if of != nil && of.fn == "split" && e.fn == "reverse" && len(e.args) == 0 {
		return (&expr{at: of.at, fn: "splitreversed", args: of.args}).joined(of).joined(e)
	}
	if of != nil && of.fn == "splitreversed" && e.fn == "join" && len(e.args) == 1 && e.args[0].isText && e.args[0].text == "" {
		return of.args[0].of("reverse").joined(of).joined(e).joined(e.args[0])
	}
	if of != nil && of.fn == "concat" && len(e.args) == 0 && (isDigest(e.fn)) { // (a + b).hashCode()
		return (&expr{at: of.at, fn: e.fn, args: of.args}).joined(of).joined(e)
	}
	if of == nil || of.fn != "begin" && of.fn != "concat" && of.fn != "list" && of.fn != "joiner" {
		return nil
	}
	out := *of
	out.spans = append(slices.Clone(of.spans), e.spans...)
	switch {
	case of.fn == "list" && e.fn == "join" && len(e.args) == 1 && e.args[0].isText:
		return r.separated(&out, e.args[0], of.args)
	case of.fn == "joiner" && e.fn == "join" && len(e.args) == 1 && e.args[0].fn == "list":
		out.joined(e.args[0])
		return r.separated(&out, of.args[0], e.args[0].args)
	case of.fn == "joiner" && e.fn == "join":
		return r.separated(&out, of.args[0], e.args)
	case of.fn == "list" || of.fn == "joiner":
	case len(e.args) == 0 && (e.fn == "as" || e.fn == "bin" || of.fn == "concat" && e.fn == "text"): // .array(), .toString()
		if put, known := bytesPut(of); known && of.n > 0 && put != of.n && fn == "array" {
			r.fail(e.at, "expected a key that is filled: it has %d bytes, and %d are put into it", of.n, put)
		}
		return &out
	case of.fn == "concat" && len(of.args) == 1 && e.fn == "reverse" && len(e.args) == 0: // .reverse() of it
		out.args = []*expr{of.args[0].of("reverse")}
		return &out
	case of.fn == "concat" && e.fn == "concat":
		out.args = append(slices.Clone(of.args), e.args...)
		return &out
	}
	r.fail(e.at, "expected append, toString or the like: %s of a whole key cannot be declared", fn)
	return &out
}

// nowUnits are functions that give the time, and their unit.
var nowUnits = map[string]string{"currenttimemillis": "ms", "now": "", "unixmilli": "ms", "unixnano": "ns", "unix": "s", "unixmicro": "us", "toepochmilli": "ms", "timestampmillis": "ms", "tounixtimemilliseconds": "ms", "gettime": "ms", "getepochsecond": "s", "time": "s",
	"unixtimestamp": "s", "nanotime": ""}

// formatMade is what format makes of a text or a date.
func (r *reader) formatMade(e, of *expr) *expr {
	switch {
	case of != nil && of.isText && strings.Contains(of.text, "%"): // Kotlin's and Scala's "%s".format(a)
		return r.format(of, e, e.args)
	case of != nil && of.isText: // "{}_{}".format(a, b)
		return r.braces(of, e, e.args)
	case of != nil && of.fn == "pattern" && len(e.args) == 1: // new SimpleDateFormat("yyyyMMdd").format(ts)
		return r.date(&expr{at: of.at, fn: "date", args: []*expr{e.args[0], of}, spans: e.spans})
	case of != nil && len(e.args) == 1 && (e.args[0].fn == "pattern" || e.args[0].isText): // ts.format(pattern)
		r.pattern("format", e.args[0])
		return r.date(&expr{at: of.at, fn: "date", args: []*expr{of, e.args[0]}, spans: e.spans})
	case of == nil && len(e.args) == 2 && e.args[1].isText && !e.args[0].isText: // DateUtil.format(ts, "yyyyMMdd")
		return r.date(&expr{at: e.at, fn: "date", args: e.args, spans: e.spans})
	case of == nil && len(e.args) > 1 && isLocale(e.args[0]) && e.args[1].isText: // String.format(Locale.US, "…")
		e.joined(e.args[0])
		return r.format(e.args[1], e, e.args[2:])
	case of == nil && len(e.args) == 1 && e.args[0].isText && inlineName.MatchString(e.args[0].text) && len(e.args[0].spans) == 1: // Rust's format!("{uid}_{ts}")
		s := e.args[0].spans[0]
		all := r.template(token{kind: 'q', text: r.text[s.from:s.to], at: s.from, end: s.to}, "{", "}")
		return all.joined(e)
	case of == nil && len(e.args) > 0 && e.args[0].isText && strings.Contains(e.args[0].text, "{"):
		return r.braces(e.args[0], e, e.args[1:])
	case of == nil && len(e.args) > 0 && e.args[0].isText:
		return r.format(e.args[0], e, e.args[1:])
	}
	if of != nil && of.isField() && len(e.args) == 1 && e.args[0].isField() && formatter.MatchString(of.name) {
		r.fail(of.at, "expected the pattern of %s, such as new SimpleDateFormat(\"yyyyMMdd\"), in a statement before", of.name)
		return e
	}
	r.fail(e.at, "expected a format in quotes and a value for each conversion")
	return e
}

// formatter is a name of what writes dates.
var formatter = pattern.New(`(?i)^(?:sdf|fmt|formatter|dateformat|dtf|df)$`)

var inlineName = pattern.New(`^[^{}\\]*\{[\pL_]`)

func isLocale(e *expr) bool {
	return e.name != "" && (strings.HasPrefix(e.name, "Locale.") || strings.HasSuffix(e.name, "InvariantCulture"))
}

// pattern makes of a pattern of SQL or Go the one of Java that means the same. In MySQL %i is the
// minute and %M the name of a month.
func (r *reader) pattern(fn string, e *expr) {
	switch {
	case !e.isText:
	case fn == "tochar":
		e.text = strings.NewReplacer("YYYY", "yyyy", "DD", "dd", "HH24", "HH", "MI", "mm", "SS", "ss").Replace(strings.ToUpper(e.text))
	case fn == "dateformat" && strings.Contains(e.text, "%M"):
		r.fail(e.at, "expected %%i for minutes: in SQL %%M is the name of a month")
	case fn == "dateformat":
		e.text = strings.NewReplacer("%i", "%M", "%s", "%S").Replace(e.text)
	case fn == "format" && strings.HasPrefix(e.text, "2006"):
		if text := strings.NewReplacer("2006", "yyyy", "01", "MM", "02", "dd", "15", "HH", "04", "mm", "05", "ss").Replace(e.text); codeLayout(text) != "" {
			e.text = text
		}
	}
}

// date is a time as the text of a pattern.
func (r *reader) date(e *expr) *expr {
	var pattern, of *expr
	for _, arg := range e.args {
		switch {
		case (arg.isText || arg.fn == "pattern") && pattern == nil:
			pattern = arg
		case of == nil && !arg.isText && !arg.isNum:
			of = arg
		default:
			r.fail(arg.at, "expected a time and a pattern such as yyyyMMddHHmmss")
			return e
		}
	}
	switch {
	case pattern == nil || codeLayout(pattern.text) == "":
		r.fail(e.at, "expected a date pattern such as yyyyMMddHHmmss")
	case of == nil: // SimpleDateFormat("…"), whose time comes with its method
		out := &expr{at: e.at, fn: "pattern", text: pattern.text, spans: e.spans}
		return out.joined(pattern)
	default:
		out := &expr{at: e.at, fn: "date", text: pattern.text, args: []*expr{of}, spans: e.spans}
		return out.joined(pattern)
	}
	return e
}

// put appends one value, of a type that the method's name says.
func (r *reader) put(of, e *expr, typ string) *expr {
	out := &expr{at: of.at, fn: "concat", args: slices.Clone(of.args), spans: append(slices.Clone(of.spans), e.spans...)}
	arg := r.expression(anyOp)
	r.expect(")")
	if n := len(arg.args); r.problem == nil && typ == "" && n == 1 && arg.fn == "num" && arg.text == cuts && arg.args[0].isNum && arg.args[0].n < 256 { // put((byte) 2)
		arg = (&expr{at: arg.at, isText: true, text: string([]byte{byte(arg.args[0].n)}), spans: arg.spans}).joined(arg.args[0])
	}
	if arg.fn == "num" && arg.text == cuts && e.fn == "put" && typ == "" && arg.args[0].isField() { // put((byte) kind)
		typ = "byte"
	}
	if e.fn == "write" && arg.fn != "bin" && arg.fn != "as" && !isRaw(arg) && r.problem == nil {
		r.fail(arg.at, "expected bytes in write, such as Bytes.toBytes(uid): of a number it writes one byte")
	}
	if typ != "" && !arg.isText {
		arg = &expr{at: arg.at, fn: "typed", text: typ, args: []*expr{arg}}
	}
	all := join(out, arg)
	all.n = of.n
	return all
}

// bytesPut is how many bytes are put into a buffer; false if that is not known.
func bytesPut(of *expr) (n int, known bool) {
	for _, arg := range of.args {
		switch {
		case arg.isText:
			n += len(arg.text)
		case arg.fn == "typed" && sizeOf(arg.text) > 0:
			n += sizeOf(arg.text)
		default:
			return 0, false
		}
	}
	return n, true
}

// joined is join of arguments: a separator, and what stands between it.
func (r *reader) joined(e *expr) *expr {
	args := e.args
	if len(args) == 1 && args[0].isText && e.spans != nil { // Joiner.on("_")
		return &expr{at: e.at, fn: "joiner", args: args, spans: e.spans}
	}
	if len(args) > 1 && args[len(args)-1].isText && !args[0].isText { // strings.Join(list, "_")
		args = append([]*expr{args[len(args)-1]}, args[:len(args)-1]...)
	}
	if len(args) < 2 || !args[0].isText {
		r.fail(e.at, "expected a separator in quotes and what it joins")
		return e
	}
	return r.separated(&expr{at: e.at, spans: e.spans}, args[0], args[1:])
}

// separated is a concatenation of values with a separator between any two.
func (r *reader) separated(e, separator *expr, values []*expr) *expr {
	all := &expr{at: e.at, fn: "concat", spans: append(slices.Clone(e.spans), separator.spans...)}
	for i, v := range values {
		if i > 0 && separator.text != "" {
			all.args = append(all.args, separator)
		}
		all.args = append(all.args, v)
	}
	return all
}
