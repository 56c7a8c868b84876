package draft

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads keys whose parts code puts at places of an array of bytes: Java's
// Bytes.putLong(row, 8, ts), Go's binary.BigEndian.PutUint64(key[8:], ts) and copy. The parts have
// to follow one another from 0 on, and to fill the array.

// array is such a key, as far as statements have filled it.
type array struct {
	size  string // as code says it
	at    int    // where
	bytes int    // filled so far
	open  bool   // the last part has its own length
	parts *expr
}

var (
	arrayMade = pattern.New(`^\s*(?:(?:final|byte\s*\[\s*\]|val|var|let|const)\s+)*(\w+)\s*(?::\s*ByteArray\s*)?(?::=|=)\s*(?:new\s+byte\s*\[(.+)\]|make\(\s*\[\]byte\s*,(.+)\)|ByteArray\((.+)\)|bytearray\((.+)\))\s*$`)
	putBytes  = pattern.New(`^\s*Bytes\.put(Long|Int|Short|Byte|Bytes)\(\s*(\w+)\s*,([^,]+),`)
	putCopied = pattern.New(`^\s*System\.arraycopy\(`)
	putGo     = pattern.New(`^\s*binary\.(\w+)\.PutUint(16|32|64)\(\s*(\w+)\s*(?:\[([^:\]]*):([^\]]*)\])?\s*,`)
	copyGo    = pattern.New(`^\s*copy\(\s*(\w+)\s*(?:\[([^:\]]*):([^\]]*)\])?\s*,`)
	setByte   = pattern.New(`^\s*(\w+)\[([^\]]+)\]\s*=\s*(?:\(byte\))?`)
)

// placing begins a statement that puts a part at its place.
var placing = pattern.New(`^\s*(?:Bytes\.put|System\.arraycopy|binary\.\w+\.PutUint|copy\(|\w+\[\w+\]\s*=)`)

// putSizes are the bytes of what the methods put, and its type.
var putSizes = map[string]struct {
	n    int
	kind string
}{"Long": {8, "long"}, "Int": {4, "int"}, "Short": {2, "short"}, "Byte": {1, "byte"}, "64": {8, "u64"}, "32": {4, "u32"}, "16": {2, "u16"}}

// sizeOf is how many bytes are put of a type; 0 if that is not known.
func sizeOf(kind string) int {
	for _, p := range putSizes {
		if p.kind == kind {
			return p.n
		}
	}
	return 0
}

// placed reads a statement that makes such an array or fills a place of it; false if it is neither.
func (r *reader) placed(from, to int) bool {
	text := r.text[from:to]
	if m := arrayMade.FindStringSubmatchIndex(text); m != nil {
		g := 4
		for m[g] < 0 {
			g += 2
		}
		if size := strings.TrimSpace(text[m[g]:m[g+1]]); strings.HasPrefix(size, "0") {
			return false
		}
		r.arrays[text[m[2]:m[3]]] = &array{size: text[m[g]:m[g+1]], at: from + m[g], parts: &expr{at: from, fn: "begin", spans: []span{{from, to}}}}
		return true
	}
	name, place, end, kind, sized := "", "", "", "", 0
	var value line        // where the value stands, and what is after it up to ')'
	var known, slice bool // value ends where the value does; a place of a slice of Go may be left out
	if m := putBytes.FindStringSubmatch(text); m != nil {
		name, place, kind = m[2], m[3], m[1]
		value = line{from + len(m[0]), to}
	} else if m := putGo.FindStringSubmatch(text); m != nil {
		if m[1] != "BigEndian" {
			r.fail(from, "expected binary.BigEndian: in another order of bytes numbers do not sort")
			return true
		}
		name, place, end, kind, slice = m[3], m[4], m[5], m[2], true
		value = line{from + len(m[0]), to}
	} else if m := copyGo.FindStringSubmatch(text); m != nil {
		name, place, end, slice = m[1], m[2], m[3], true
		value = line{from + len(m[0]), to}
	} else if m := putCopied.FindString(text); m != "" {
		value, known = line{from + len(m), to}, true
		args := topParts(strings.TrimSuffix(strings.TrimRight(r.text[value.from:to], " "), ")"))
		if len(args) != 5 {
			return false
		}
		arg := func(i int) string { return r.text[value.from+args[i].from : value.from+args[i].to] }
		name, place = arg(2), arg(3)
		if arg(1) != "0" {
			r.fail(value.from+args[1].from, "expected the first bytes of a value, from 0 on")
			return true
		}
		sized = r.sum(value.from+args[4].from, arg(4))
		value.to = value.from + args[0].to
	} else if m := setByte.FindStringSubmatch(text); m != nil {
		name, place, kind, known = m[1], m[2], "Byte", true
		value = line{from + len(m[0]), to}
	}
	a := r.arrays[name]
	if a == nil || r.problem != nil {
		return r.problem != nil
	}
	if putSizes[kind].n > 0 {
		sized = putSizes[kind].n
	}
	if !known {
		body := strings.TrimRight(r.text[value.from:value.to], " ")
		if !strings.HasSuffix(body, ")") {
			return false
		}
		value.to = value.from + len(body) - 1
		if kind == "Bytes" {
			args := topParts(r.text[value.from:value.to])
			if len(args) != 3 || r.text[value.from+args[1].from:value.from+args[1].to] != "0" {
				r.fail(value.from, "expected the first bytes of a value, from 0 on")
				return true
			}
			sized = r.sum(value.from+args[2].from, r.text[value.from+args[2].from:value.from+args[2].to])
			value.to = value.from + args[0].to
		}
	}
	at := 0
	if strings.TrimSpace(place) != "" || !slice {
		at = r.sum(from, place)
	}
	if strings.TrimSpace(end) != "" {
		if n := r.sum(from, end) - at; sized == 0 {
			sized = n
		} else if n != sized && r.problem == nil {
			r.fail(from, "expected a place of %d bytes", sized)
		}
	}
	switch {
	case r.problem != nil:
	case a.open:
		r.fail(from, "expected nothing after a part that has its own length")
	case at != a.bytes:
		r.fail(from, "expected parts that follow one another: this one begins at %d, and the one before it ends at %d", at, a.bytes)
	}
	e := r.cell(value.from, value.to)
	if r.problem != nil {
		return true
	}
	if kind != "" && kind != "Bytes" {
		e = inType(e, putSizes[kind].kind)
	} else if sized > 0 && !isSized(e, sized) {
		e = &expr{at: e.at, fn: "sized", text: "bytes", n: sized, args: []*expr{e}}
	}
	a.bytes, a.open = a.bytes+sized, sized == 0
	a.parts = join(a.parts, e)
	r.use(from, value.from)
	r.use(value.to, to)
	return true
}

// isSized reports a part of a digest, or a constant, of n bytes.
func isSized(e *expr, n int) bool {
	switch {
	case e.isText:
		return len(e.text) == n
	case e.fn == "as" || e.fn == "bin" || e.fn == "text":
		return isSized(e.args[0], n)
	}
	h := digestOf(e)
	return h != nil && h.mod == nil && (h.to-h.from == n || h.form == "raw" && h.taken == "" && digestSizes[h.digest] == n)
}

// filled is the key that an array holds when it is returned.
func (r *reader) filled(a *array, at int) *expr {
	if r.problem != nil {
		return a.parts
	}
	size := a.size
	if a.open { // make([]byte, 8+len(uid))
		if m := lengthOf.FindStringIndex(size); m != nil {
			size = strings.Trim(size[:m[0]]+size[m[1]:], " +")
			size = strings.ReplaceAll(size, "+ +", "+")
		} else if n := r.sum(a.at, size); n > a.bytes && r.problem == nil {
			last := a.parts.args[len(a.parts.args)-1]
			a.parts.args[len(a.parts.args)-1] = &expr{at: last.at, fn: "sized", text: "bytes", n: n - a.bytes, args: []*expr{last}}
			return a.parts
		}
	}
	if n := r.sum(a.at, size); n != a.bytes && r.problem == nil {
		r.fail(at, "expected a key that is filled: it has %d bytes, and %d are put into it", n, a.bytes)
	}
	return a.parts
}

var lengthOf = pattern.New(`len\(\w+\)|\w+\.length(?:\(\))?|\w+\.size`)

// sizesNamed are the sizes that libraries name.
var sizesNamed = map[string]int{"Bytes.SIZEOF_LONG": 8, "Bytes.SIZEOF_INT": 4, "Bytes.SIZEOF_SHORT": 2, "Bytes.SIZEOF_BYTE": 1, "Long.BYTES": 8, "Integer.BYTES": 4, "Short.BYTES": 2, "Byte.BYTES": 1, "Long.SIZE_BYTES": 8, "Int.SIZE_BYTES": 4}

// sum is the sum of numbers that code writes as a place or a size: 4 + Bytes.SIZEOF_LONG.
func (r *reader) sum(at int, text string) (n int) {
	for _, part := range strings.Split(text, "+") {
		part = strings.TrimSpace(part)
		k, err := strconv.Atoi(part)
		switch v := r.vars[part]; {
		case err == nil:
		case sizesNamed[part] > 0:
			k = sizesNamed[part]
		case v != nil && v.isNum:
			k = v.n
			r.take(v)
		default:
			r.fail(at, "expected a number in place of %s, or a statement before that says it, such as int %s = 8;", part, part)
			return 0
		}
		if k < 0 || k > 1<<15 {
			r.fail(at, "expected a smaller number")
			return 0
		}
		n += k
	}
	return n
}

// arrayNamed is the array that a text names, alone or in Go's string(key); nil if it names none.
func (r *reader) arrayNamed(text string) *array {
	text = strings.TrimSpace(text)
	if len(r.arrays) == 0 {
		return nil
	}
	for _, around := range []string{"string(", "bytes("} {
		if rest, ok := strings.CutPrefix(text, around); ok {
			text = strings.TrimSuffix(rest, ")")
		}
	}
	return r.arrays[strings.TrimSpace(text)]
}
