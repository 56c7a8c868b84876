package gen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// goReader prints what reads a key. In the printed code, of field 2
//
//	e2   is where its form ends
//	u2   is its number
//	t2   are the bytes of its text, of which v2 says that they are in new memory
//
// A key that anything is wrong with is left to the library, which says what.
type goReader struct {
	*golang
	buf   bool         // texts are written over those of the row
	comps []*code.Comp // those that stand in a key
	spans []span
	made  map[*code.Comp]bool // its text lies in new memory
	texts map[*code.Comp]string
	rooms int
}

// span is where the form of a component lies.
type span struct{ b, from, to string }

func (s span) String() string { return fmt.Sprintf("%s[%s:%s]", s.b, s.from, s.to) }

// after is the span without its first n bytes.
func (s span) after(n int) span {
	if from, err := strconv.Atoi(s.from); err == nil {
		return span{s.b, fmt.Sprint(from + n), s.to}
	}
	return span{s.b, fmt.Sprintf("%s+%d", s.from, n), s.to}
}

const bad = "return k.slow(key)"

func (r *goReader) refuse(cond string, args ...any) {
	r.p("if %s {\n%s\n}", fmt.Sprintf(cond, args...), bad)
}

func (r *goReader) read() {
	r.comps, r.spans = r.s.Stored(len(r.s.Comps)), make([]span, len(r.s.Comps))
	r.made, r.texts = map[*code.Comp]bool{}, map[*code.Comp]string{}
	fixed, vary := 0, []*code.Comp(nil)
	for _, c := range r.comps {
		if fixed += c.Width; c.Width == 0 {
			vary = append(vary, c)
		}
	}
	switch {
	case r.s.Trims || slices.ContainsFunc(r.comps, func(c *code.Comp) bool { return c.Optional }):
		r.refuse("len(key) == 0 || len(key) > %d", r.s.MaxLen)
		r.segments()
	case len(vary) == 0:
		r.refuse("len(key) != %d", fixed)
		r.oneSegment(nil, fixed)
	case len(vary) == 1:
		least := fixed + vary[0].Least
		if least < 1 {
			least = 1
		}
		r.refuse("len(key) < %d || len(key) > %d", least, r.s.MaxLen)
		r.oneSegment(vary[0], fixed)
	default:
		r.refuse("len(key) > %d", r.s.MaxLen)
		r.segments()
	}
	for i, c := range r.s.Comps {
		if c.Kind != code.Literal {
			continue
		}
		if at := r.spans[i]; len(c.Lit) == 1 {
			r.refuse("%s[%s] != %s", at.b, at.from, literal(c.Lit[0]))
		} else {
			r.refuse("string(%s) != %q", at, c.Lit)
		}
	}
	for _, f := range r.s.Fields {
		switch {
		case f.Absent:
		case f.Optional:
			r.nullable(f)
		case f.Text != nil:
			r.text(f)
		case f.Num != nil:
			r.number(f)
		}
	}
	for _, c := range r.s.Derived {
		switch {
		case c.Guarded:
			r.guard(c)
		case !c.Known():
		case c.Of != nil:
			r.verifyCopy(c)
		default:
			r.verify(c)
		}
	}
	for _, f := range r.s.Fields {
		r.assign(f)
	}
}

// oneSegment finds the components of a key of which at most one varies: its end is counted
// from the end of the key.
func (r *goReader) oneSegment(vary *code.Comp, fixed int) {
	b, off, left := "key", 0, fixed
	for k, c := range r.comps {
		i := c.Index
		if c != vary {
			r.spans[i] = span{b, fmt.Sprint(off), fmt.Sprint(off + c.Width)}
			off, left = off+c.Width, left-c.Width
			continue
		}
		end := fmt.Sprintf("e%d", c.Index)
		r.p("%s := len(key) - %d", end, left)
		if c.Ord < 0 && !c.Known() { // it may not be compared
			r.p("_ = %s", end)
		}
		at := span{"key", fmt.Sprint(off), end}
		r.spans[i] = at
		switch {
		case c.Loose: // the separator after it is compared as a constant
		case c.End == code.ByMark && len(c.Mark) == 1:
			r.refuse("bytes.IndexByte(%s, %s) >= 0", at, literal(c.Mark[0]))
		case c.End == code.ByMark:
			r.refuse("!rt.Marks(%s, %q)", at, c.Mark)
		case shortEscape(c):
			r.p("z%d := bytes.IndexByte(%s, 0)", c.Index, at)
			r.refuse("(z%d != %s-%d || key[%s-1] != 1) && rt.EscapedLen(%s, 0) != %s-%d", c.Index, end, off+2, end, at, end, off)
		case c.Nul() && c.End == code.BySelf:
			r.refuse("bytes.IndexByte(%s, %s) != %s-%d", at, flip(c), end, off+1)
		case c.Text != nil && c.Text.Frame == code.Groups && c.End == code.BySelf:
			r.refuse("rt.GroupsEnd(%s, %s) != %s-%d", at, flip(c), end, off)
		case c.Decimal() != 0 && c.End == code.BySelf:
			r.refuse("rt.DecimalEnd(%s, %s) != %s-%d", at, flip(c), end, off)
		case c.Num != nil && c.End == code.BySelf:
			r.refuse("rt.VarintEnd(%s, %s) != %s-%d", at, flip(c), end, off)
		case c.End == code.BySelf && c.Text.Frame == code.Escaped:
			r.refuse("rt.EscapedLen(%s, %s) != %s-%d", at, flip(c), end, off)
		case c.End == code.BySelf:
			r.refuse("rt.LengthLen(%s, %d, %s) != %s-%d", at, c.Text.N, flip(c), end, off)
		}
		off, b = 0, fmt.Sprintf("b%d", i)
		if slices.ContainsFunc(r.comps[k+1:], func(c *code.Comp) bool { return c.Ord >= 0 || c.Kind == code.Literal || c.Known() || c.Guarded }) {
			r.p("%s := key[%s:]", b, end)
		}
	}
}

// segments finds the components of a key of which several vary, from left to right.
func (r *goReader) segments() {
	b, off := "key", 0
	for k, c := range r.comps {
		i := c.Index
		if c.Width > 0 {
			r.spans[i] = span{b, fmt.Sprint(off), fmt.Sprint(off + c.Width)}
			off += c.Width
			continue
		}
		end := fmt.Sprintf("e%d", c.Index)
		if off > 0 {
			r.refuse("len(%s) < %d", b, off)
		}
		rest := fmt.Sprintf("%s[%d:]", b, off)
		switch {
		case c.End == code.ByMark && len(c.Mark) == 1:
			r.p("%s := bytes.IndexByte(%s, %s)", end, rest, literal(c.Mark[0]))
		case c.End == code.ByMark:
			r.p("%s := rt.Find(%s, %q)", end, rest, c.Mark)
		case c.End == code.ByKeyEnd:
			r.p("%s := len(%s)", end, rest)
		case shortEscape(c):
			r.p("z%d := bytes.IndexByte(%s, 0)\n%s := z%d + 2", c.Index, rest, end, c.Index)
			r.p("if z%d < 0 || len(%s)-%d < %s || %s[%d+z%d] != 1 {\n%s = rt.EscapedLen(%s, 0)\n}", c.Index, b, off, end, b, off+1, c.Index, end, rest)
		case c.Nul():
			r.p("%s := bytes.IndexByte(%s, %s) + 1", end, rest, flip(c))
		case c.Text != nil && c.Text.Frame == code.Groups:
			r.p("%s := rt.GroupsEnd(%s, %s)", end, rest, flip(c))
		case c.Decimal() != 0:
			r.p("%s := rt.DecimalEnd(%s, %s)", end, rest, flip(c))
		case c.Num != nil:
			r.p("%s := rt.VarintEnd(%s, %s)", end, rest, flip(c))
		case c.Text.Frame == code.Escaped:
			r.p("%s := rt.EscapedLen(%s, %s)", end, rest, flip(c))
		case c.Text.Frame == code.ByLength:
			r.p("%s := rt.LengthLen(%s, %d, %s)", end, rest, c.Text.N, flip(c))
		default:
			panic("gen: a form without an end")
		}
		switch {
		case c.Optional || c.Trim > 0:
			if c.Nul() {
				r.p("if %s == 0 {\n%s = -1\n}", end, end)
			}
			r.p("%s = rt.NullEnd(%s, %s, %q, %t, %t, %t)", end, rest, end, c.Null, c.Optional, c.Tail, c.Trim > 0)
			r.refuse("%s < 0", end)
		case c.End == code.ByKeyEnd:
		case c.Nul():
			r.refuse("%s == 0", end)
		default: // all others give −1
			r.refuse("%s < 0", end)
		}
		if off > 0 {
			r.p("%s += %d", end, off)
		}
		if c.Ord < 0 && !c.Known() { // it may not be compared
			r.p("_ = %s", end)
		}
		r.spans[i] = span{b, fmt.Sprint(off), end}
		if off = 0; k+1 < len(r.comps) {
			next := fmt.Sprintf("b%d", i)
			r.p("%s := %s[%s:]", next, b, end)
			b = next
		}
	}
	if last := r.comps[len(r.comps)-1]; last.Width > 0 {
		r.refuse("len(%s) != %d", b, off)
	} else if last.End != code.ByKeyEnd {
		r.refuse("len(%s) != e%d", b, last.Index)
	}
}

func flip(c *code.Comp) string {
	if c.Inverted() || c.Num != nil && c.Num.Desc {
		return "0xff"
	}
	return "0"
}

// nullable prints t, the bytes of a text that may be null, and whether it is.
func (r *goReader) nullable(f *code.Comp) {
	at, v := r.spans[f.Index], fmt.Sprintf("t%d", f.Index)
	cond := fmt.Sprintf("len(%s) == 0", at)
	if len(f.Null) > 0 {
		cond += fmt.Sprintf(" || string(%s) == %q", at, f.Null)
	}
	u := fmt.Sprintf("u%d", f.Index)
	read := r.text
	if f.Text == nil {
		read = r.number
	}
	text := reworded(r.captured(func() { read(f) }), func(text string) string {
		text = strings.Replace(text, v+" := ", v+" = ", 1)
		text = strings.Replace(text, v+", ok", fmt.Sprintf("var ok%d bool\n", f.Index)+v+", ok", 1)
		text = strings.Replace(text, fmt.Sprintf("%s, ok%d := ", v, f.Index), fmt.Sprintf("%s, ok%d = ", v, f.Index), 1)
		return strings.Replace(text, fmt.Sprintf("%s, ok%d := ", u, f.Index), fmt.Sprintf("var ok%d bool\n%s, ok%d = ", f.Index, u, f.Index), 1)
	})
	if f.Text == nil {
		r.p("null%d := %s\nvar %s uint64\nif !null%d {", f.Index, cond, u, f.Index)
	} else {
		r.p("null%d := %s\nvar %s []byte\nif !null%d {", f.Index, cond, v, f.Index)
	}
	r.p("%s}", text)
}

// text prints t, the bytes of a text.
func (r *goReader) text(f *code.Comp) {
	t, v := f.Text, fmt.Sprintf("t%d", f.Index)
	r.texts[f] = v
	if t.Decimal != 0 {
		r.decimal(f, v)
		return
	}
	r.p("%s := %s", v, r.spans[f.Index])
	if t.Head != 0 {
		head := t.Head
		if t.InvertAll {
			head = ^head
		}
		if f.Least == 0 || f.End == code.ByKeyEnd {
			r.refuse("len(%s) == 0 || %s[0] != %#x", v, v, head)
		} else {
			r.refuse("%s[0] != %#x", v, head)
		}
	}
	if f.Width > 0 { // its end was not looked for
		switch t.Frame {
		case code.Nul:
			r.refuse("bytes.IndexByte(%s, %s) != %d", v, flip(f), f.Width-1)
		case code.Groups:
			r.refuse("rt.GroupsEnd(%s, %s) != %d", v, flip(f), f.Width)
		case code.ByLength:
			r.refuse("rt.LengthLen(%s, %d, %s) != %d", v, t.N, flip(f), f.Width)
		case code.Escaped:
			r.refuse("rt.EscapedLen(%s, %s) != %d", v, flip(f), f.Width)
		case code.NoFrame, code.Fixed, code.Pad, code.PadLeft:
		}
	}
	if t.Head != 0 {
		r.p("%s = %s[1:]", v, v)
	}
	fill := t.Fill
	if t.InvertAll {
		fill = ^fill
	}
	switch t.Frame {
	case code.Pad:
		r.p("for len(%s) > 0 && %s[len(%s)-1] == %s {\n%s = %s[:len(%s)-1]\n}", v, v, v, literal(fill), v, v, v)
	case code.PadLeft:
		r.p("for len(%s) > 0 && %s[0] == %s {\n%s = %s[1:]\n}", v, v, literal(fill), v, v)
	case code.ByLength:
		r.p("%s = %s[%d:]", v, v, t.N)
	case code.Escaped:
		r.unescape(f, v)
	case code.Nul:
		if f.Trim > 0 {
			r.p("if %s[len(%s)-1] == 0 {\n%s = %s[:len(%s)-1]\n}", v, v, v, v, v)
		} else {
			r.p("%s = %s[:len(%s)-1]", v, v, v)
		}
	case code.Groups:
		r.p("un%d, ok%d := rt.Ungroup(%s, %s, %s)", f.Index, f.Index, r.room("len("+v+")"), v, flip(f))
		r.refuse("!ok%d", f.Index)
		r.p("%s = un%d", v, f.Index)
		r.made[f] = true
	case code.NoFrame, code.Fixed:
	}
	if t.Filled {
		r.refuse("len(%s) == 0", v)
	}
	w := goWriter{golang: r.golang, raw: true, fail: bad, given: func(f *code.Comp) string { return r.texts[f] }}
	invert := t.InvertAll && t.Frame != code.Escaped && t.Frame != code.Groups
	if (invert || len(t.Steps) > 0) && !t.Packs() || t.Packs() && invert {
		if !r.made[f] {
			room := r.room("len(" + v + ")")
			r.p("%s = append(%s, %s...)", v, room, v)
			r.made[f] = true
		}
		for _, st := range slices.Backward(t.Steps) {
			switch st.Word {
			case code.Inverted:
				invert = !invert
				continue
			case code.Runes, code.Labels:
				if invert {
					r.p("rt.Invert(%s)", v)
					invert = false
				}
			case code.Reversed, code.Part, code.UUID:
			}
			w.step(st, v)
		}
		if invert {
			r.p("rt.Invert(%s)", v)
		}
	}
	if t.Packs() {
		room := r.room("36")
		r.p("%s, ok%d := rt.UnpackUUID(%s, %s)", v+"s", f.Index, room, v)
		r.refuse("!ok%d", f.Index)
		r.p("%s = %ss", v, v)
		r.made[f] = true
	}
	if len(t.Codes) > 0 {
		r.p("switch string(%s) {", v)
		for _, pair := range t.Codes {
			r.p("case %q:\n%s = rt.Bytes(%q)", pair[1], v, pair[0])
		}
		r.p("default:\n%s\n}", bad)
		r.made[f] = f.Kind == code.String // bytes of the program, which nobody may change
	}
	w.limits(f, v)
}

// decimal prints t, the text of a decimal number, and f, its form.
func (r *goReader) decimal(f *code.Comp, v string) {
	i, at := f.Index, r.spans[f.Index]
	r.p("f%d := %s", i, at)
	if f.Text.InvertAll {
		r.p("var form%d [24]byte", i)
		r.refuse("len(f%d) > 24", i)
		r.p("f%d = append(form%d[:0], f%d...)\nrt.Invert(f%d)", i, i, i, i)
	}
	switch {
	case f.Nul() && f.Trim > 0:
		r.p("f%d = rt.Unended(f%d)", i, i)
	case f.Nul():
		r.p("f%d = f%d[:len(f%d)-1]", i, i, i)
	}
	r.p("%s, ok%d := rt.ReadDecimal(%s, %s, f%d, %d, %d)", v, i, r.room("64"), decimal(f), i, f.Text.Digits, f.Text.Scale)
	r.refuse("!ok%d", i)
	r.made[f] = true
}

// unescape prints the text of an escaped form. Without 00 in it, it lies in the key.
func (r *goReader) unescape(f *code.Comp, v string) {
	if f.Trim > 0 {
		room := r.room("len(" + v + ")+2")
		r.p("un%d, ok%d := rt.UnescapeTrimmed(%s, %s)", f.Index, f.Index, room, v)
		r.refuse("!ok%d", f.Index)
		r.p("%s = un%d", v, f.Index)
		r.made[f] = true
		return
	}
	short := shortEscape(f)
	if short {
		r.p("if z%d == len(%s)-2 {\n%s = %s[:z%d]\n} else {", f.Index, v, v, v, f.Index)
	}
	room := r.room("len(" + v + ")")
	if f.Text.Open {
		r.p("un%d, ok%d := rt.UnescapeOpen(%s, %s)", f.Index, f.Index, room, v)
	} else {
		r.p("un%d, ok%d := rt.Unescape(%s, %s, %s)", f.Index, f.Index, room, v, flip(f))
	}
	r.refuse("!ok%d", f.Index)
	r.p("%s = un%d", v, f.Index)
	if short {
		r.p("}")
	} else {
		r.made[f] = true
	}
}

// room is memory for a text of n bytes: new memory that the row keeps or, if the row has memory of
// its own, some on the stack, since on error the row must stay as it is.
func (r *goReader) room(n string) string {
	if !r.buf {
		return fmt.Sprintf("make([]byte, 0, %s)", n)
	}
	r.rooms++
	r.p("var memory%d [64]byte", r.rooms)
	return fmt.Sprintf("memory%d[:0]", r.rooms)
}

// big is a big-endian number.
func big(at span, n int) string {
	switch n {
	case 8:
		return fmt.Sprintf("binary.BigEndian.Uint64(%s)", at)
	case 4:
		return fmt.Sprintf("uint64(binary.BigEndian.Uint32(%s))", at)
	case 2:
		return fmt.Sprintf("uint64(binary.BigEndian.Uint16(%s))", at)
	}
	var terms []string
	for k := range n {
		term := fmt.Sprintf("uint64(%s[%s+%d])", at.b, at.from, k)
		if shift := 8 * (n - 1 - k); shift > 0 {
			term += fmt.Sprintf("<<%d", shift)
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " | ")
}

// number prints u, the number of a field.
func (r *goReader) number(f *code.Comp) {
	n, at, u := f.Num, r.spans[f.Index], fmt.Sprintf("u%d", f.Index)
	if n.Head != 0 {
		r.refuse("%s[%s] != %#x", at.b, at.from, n.Head)
		at = at.after(1)
	}
	if n.Reverse || n.Invert {
		width := f.Width
		if width == 0 && n.How == code.Decimals {
			width = 24
			r.refuse("len(%s) > %d", at, width)
		} else if width == 0 {
			width = 20 // digits and a sign
			r.refuse("len(%s) > %d", at, width)
		}
		r.p("var v%d [%d]byte\nn%d := copy(v%d[:], %s)", f.Index, width, f.Index, f.Index, at)
		if n.Reverse {
			r.p("rt.Reverse(v%d[:n%d])", f.Index, f.Index)
		}
		if n.Invert {
			r.p("rt.Invert(v%d[:n%d])", f.Index, f.Index)
		}
		at = span{fmt.Sprintf("v%d", f.Index), "0", fmt.Sprintf("n%d", f.Index)}
	}
	masked := func(x string) string {
		if n.Xor == 0 {
			return x
		}
		return fmt.Sprintf("(%s) ^ %#x", x, n.Xor)
	}
	asked := func(call string) {
		r.p("%s, ok%d := %s", u, f.Index, call)
		r.refuse("!ok%d", f.Index)
	}
	switch n.How {
	case code.BigEndian:
		r.p("%s := %s", u, masked(big(at, n.N)))
		if n.Signed && n.N < 8 {
			r.p("%s = uint64(int64(%s<<%d) >> %d)", u, u, 64-8*n.N, 64-8*n.N)
		}
	case code.Digits, code.HexDigits, code.Plain:
		call := map[code.How]string{code.Digits: "ReadDigits", code.HexDigits: "ReadHexDigits", code.Plain: "ReadPlain"}[n.How]
		if n.How == code.Plain && n.Signed {
			call = "ReadSigned"
		}
		asked(fmt.Sprintf("rt.%s(%s)", call, at))
		if n.Nines != 0 {
			r.refuse("%s > %d", u, n.Nines)
			r.p("%s = %d - %s", u, n.Nines, u)
		}
		if n.Xor != 0 {
			r.p("%s ^= %#x", u, n.Xor)
		}
	case code.Varint:
		asked(fmt.Sprintf("rt.ReadVarint(%s, %s)", at, flip(f)))
		if n.Xor != 0 {
			r.p("%s ^= %#x", u, n.Xor)
		}
	case code.OneByte:
		first := fmt.Sprintf("%s[%s]", at.b, at.from)
		if n.Xor != 0 {
			first += fmt.Sprintf("^%#x", n.Xor)
		}
		r.p("%s := uint64(%s)", u, first)
		r.refuse("%s != 0 && %s != %d", u, u, n.True)
		r.p("%s &= 1", u)
	case code.FloatBits:
		x := masked(big(at, n.N))
		if n.Add != 0 {
			x = fmt.Sprintf("(%s-%d)", x, n.Add)
			if n.N == 4 {
				x += "&math.MaxUint32"
			}
		}
		if !n.Raw {
			x = fmt.Sprintf("rt.RawFloat(%s, %d)", x, n.N)
		}
		r.p("%s := %s", u, x)
		if n.N == 4 {
			r.p("f%d := float64(math.Float32frombits(uint32(%s)))", f.Index, u)
		} else {
			r.p("f%d := math.Float64frombits(%s)", f.Index, u)
		}
		r.refuse("f%d != f%d", f.Index, f.Index)
		if !n.Zeros { // −0 is never written
			r.refuse("%s == 1<<%d", u, 8*n.N-1)
		}
		if n.Positive {
			r.refuse("f%d < 0", f.Index)
		}
	case code.DateText, code.DateNumber:
		r.date(f, at, masked)
		return
	case code.Decimals:
		form := at.String()
		if n.Nul {
			form = fmt.Sprintf("%s[%s:%s-1]", at.b, at.from, at.to)
			if f.Trim > 0 {
				form = "rt.Unended(" + at.String() + ")"
			}
		}
		asked(fmt.Sprintf("rt.ReadWhole(%s, %s, %t)", decimal(f), form, n.Signed))
	case code.Timestamp:
		asked(fmt.Sprintf("rt.ReadTimestamp(%s, %#x, %#x)", at, n.Xor, n.Rest))
	}
	r.numberLimits(f, u)
}

// numberLimits prints the checks of a number that was read.
func (r *goReader) numberLimits(f *code.Comp, u string) {
	n := f.Num
	if n.Past {
		r.refuse("%s", outside(u, n.IMin, n.IMax))
		if n.Truncate > 1 {
			r.refuse("int64(%s)%%%d != 0", u, n.Truncate)
		}
		return
	}
	switch f.Kind {
	case code.Uint, code.Time:
		full := uint64(math.MaxUint64)
		if n.How == code.BigEndian && n.N < 8 {
			full = 1<<(8*n.N) - 1
		}
		if n.Max < full {
			r.refuse("%s > %d", u, n.Max)
		}
		if n.Min > 0 {
			r.refuse("%s < %d", u, n.Min)
		}
		if n.Truncate > 1 {
			r.refuse("%s%%%d != 0", u, n.Truncate)
		}
	case code.Int:
		if n.IMin > math.MinInt64 || n.IMax < math.MaxInt64 {
			r.refuse("int64(%s) < %d || int64(%s) > %d", u, n.IMin, u, n.IMax)
		}
	case code.Literal, code.Salt, code.Hash, code.String, code.Binary, code.Float, code.Bool:
	}
}

// date prints the seconds of a time that is written as a date.
func (r *goReader) date(f *code.Comp, at span, masked func(string) string) {
	n, u, i := f.Num, fmt.Sprintf("u%d", f.Index), f.Index
	from := at.String()
	if n.How == code.DateNumber {
		r.p("d%d := %s", i, masked(big(at, n.N)))
	} else {
		if n.Desc {
			r.p("var c%d [%d]byte\ncopy(c%d[:], %s)\nrt.Complement(c%d[:])", i, n.N, i, from, i)
			from = fmt.Sprintf("c%d[:]", i)
		}
		if n.Date.AllDigits {
			r.p("d%d, ok%d := rt.ReadDigits(%s)", i, i, from)
		} else {
			r.p("d%d, ok%d := rt.ReadDate(%s, %q)", i, i, from, n.Date.Pattern)
		}
		r.refuse("!ok%d", i)
	}
	r.p("%s, is%d := rt.DateSeconds(d%d, %d)\n%s -= %d", u, i, i, n.Date.Elements, u, uint64(n.Date.Offset))
	r.refuse("!is%d || int64(%s) < %d || int64(%s) > %d", i, u, n.IMin, u, n.IMax)
}

// verify prints the check of a salt or a hash.
func (r *goReader) verify(c *code.Comp) {
	d, i, at := c.Sum, c.Index, r.spans[c.Index]
	w := goWriter{golang: r.golang, raw: true, fail: bad, given: func(f *code.Comp) string { return r.texts[f] }}
	r.p("{")
	in := ""
	switch {
	case d.Rule == digest.Modulo:
	case d.Input == code.Rest:
		in = fmt.Sprintf("%s[%s:]", at.b, at.to)
		if r.s.Trims && d.Rule == digest.Phoenix {
			r.refuse("len(%s) == 0", in)
		}
	case d.Late() && len(d.Of) == 1 && d.Of[0].Trim == 0:
		in = r.spans[d.Of[0].Index].String()
	case d.Late():
		in = fmt.Sprintf("in%d", i)
		r.p("var room%d [128]byte\n%s := room%d[:0]", i, in, i)
		for _, f := range d.Of {
			if !d.OfForm(f) {
				r.p("%s = %s", in, w.appended(in, f, d.Input))
				continue
			}
			at := r.spans[f.Index]
			r.p("%s = append(%s, %s...)", in, in, at)
			if f.Trim > 0 {
				r.p("if %s == len(%s) {\n%s = append(%s, %q...)\n}", at.to, at.b, in, in, f.Trimmed())
			}
		}
	case len(d.Of) == 1 && d.Of[0].Text != nil && !concatenated(d):
		in = r.texts[d.Of[0]]
	default:
		room := ""
		if concatenated(d) {
			r.p("var room%d [128]byte", i)
			room = fmt.Sprintf("room%d[:0]", i)
		}
		in = w.inputOf(c, room)
	}
	if d.Rule != digest.Modulo {
		w.sum(c, in)
	}
	h := bucket(c)
	switch {
	case c.Width == 0:
		r.p("var b [20]byte")
		r.refuse("string(rt.AppendUint(b[:0], %s)) != string(%s)", h, at)
	case c.Kind == code.Salt && d.Form == code.InBytes && c.Width == 1:
		r.refuse("%s[%s] != byte(%s)", at.b, at.from, h)
	case c.Kind == code.Salt && d.Form == code.InDigits && c.Width == 2:
		r.refuse("%s[%s] != byte('0'+%s/10) || %s[%s+1] != byte('0'+%s%%10)", at.b, at.from, h, at.b, at.from, h)
	default:
		r.p("var b [%d]byte", c.Width)
		own := golang{s: r.s, fast: true, names: r.names, table: r.table}
		(&goWriter{golang: &own, fail: bad}).putSum(c, 0)
		r.p("%s", reworded(own.String(), func(text string) string { return strings.ReplaceAll(text, "(b[0:]", "(b[:]") }))
		r.refuse("string(b[:]) != string(%s)", at)
	}
	r.p("}")
}

// guard prints the check of a salt or hash of what is not stored: it is a bucket, or digits of a digest.
func (r *goReader) guard(c *code.Comp) {
	at, x, ok := r.spans[c.Index], fmt.Sprintf("h%d", c.Index), fmt.Sprintf("ok%d", c.Index)
	switch {
	case c.Kind == code.Hash, c.Sum.Form == code.InLetters:
		r.p("%s := %s", x, at)
		w := goWriter{golang: r.golang, raw: true, fail: bad}
		w.limits(&code.Comp{Text: &code.Text{Chars: &c.Bytes}}, x)
	case c.Sum.Form == code.InBytes:
		r.refuse("%s >= %d", big(at, c.Width), c.Sum.Buckets)
	case c.Sum.Form == code.InDigits, c.Sum.Form == code.InDecimal:
		call := map[code.BucketForm]string{code.InDigits: "ReadDigits", code.InDecimal: "ReadPlain"}[c.Sum.Form]
		r.p("%s, %s := rt.%s(%s)", x, ok, call, at)
		r.refuse("!%s || %s >= %d", ok, x, c.Sum.Buckets)
	default:
		panic("gen: a bucket of no form")
	}
}

// verifyCopy prints the check of a copy, which is made again.
func (r *goReader) verifyCopy(c *code.Comp) {
	w := goWriter{golang: r.golang, raw: true, fail: bad, given: func(f *code.Comp) string { return r.texts[f] }}
	r.p("{")
	w.check(c)
	at, l := r.spans[c.Index], fmt.Sprint(c.Width)
	if c.Text != nil && c.Text.AsIs() {
		body := w.body(c)
		if !w.isString(c) {
			body = "string(" + body + ")"
		}
		r.refuse("string(%s) != %s", at, body)
		r.p("}")
		return
	}
	if c.Width == 0 {
		w.lengthOf(c)
		l = fmt.Sprintf("l%d", c.Index)
	}
	r.p("var room [64]byte\nb := rt.Room(room[:], %s)", l)
	w.putValue(c, 0, l)
	if c.Trim > 0 {
		r.p("if %s == len(%s) {\nb = b[:len(b)-%d]\n}", at.to, at.b, c.Trim)
	}
	r.refuse("string(b) != string(%s)", at)
	r.p("}")
}

// assign prints the store of a value into the row.
func (r *goReader) assign(f *code.Comp) {
	to, u := "k."+r.names[f], fmt.Sprintf("u%d", f.Index)
	if f.Absent {
		r.absent(f, to)
		return
	}
	if f.Optional {
		made := fmt.Sprintf("string(t%d)", f.Index)
		switch f.Kind {
		case code.Binary:
			made = fmt.Sprintf("append([]byte{}, t%d...)", f.Index)
		case code.Uint, code.Int:
			made = fmt.Sprintf("%s(u%d)", typeOf(f), f.Index)
		case code.Literal, code.Salt, code.Hash, code.String, code.Float, code.Bool, code.Time:
		}
		if !r.buf {
			made = r.own(f, made)
		}
		r.p("if %s = nil; !null%d {\nx := %s\n%s = &x\n}", to, f.Index, made, to)
		return
	}
	set := func(x string) string {
		if r.buf {
			return x
		}
		return r.own(f, x)
	}
	switch f.Kind {
	case code.String, code.Binary:
		v := r.texts[f]
		switch {
		case r.buf:
			r.p("%s = append(%s[:0], %s...)", to, to, v)
		case f.Kind == code.String && r.made[f]:
			r.p("%s = %s", to, r.own(f, "rt.Text("+v+")"))
		case f.Kind == code.String:
			r.p("%s = %s", to, r.own(f, "string("+v+")"))
		case r.made[f]:
			r.p("%s = %s", to, v)
		default:
			r.p("%s = append([]byte{}, %s...)", to, v)
		}
	case code.Uint:
		r.p("%s = %s", to, set(u))
	case code.Int:
		r.p("%s = %s", to, set("int64("+u+")"))
	case code.Bool:
		r.p("%s = %s", to, set(u+" == 1"))
	case code.Float:
		r.p("%s = %s", to, set(fmt.Sprintf("f%d", f.Index)))
	case code.Time:
		r.p("%s = %s.UTC()", to, instant(f, u))
	case code.Literal, code.Salt, code.Hash:
	}
}

// absent prints that a field which is not stored is empty.
func (r *goReader) absent(f *code.Comp, to string) {
	switch f.Kind {
	case code.String, code.Binary:
		switch {
		case r.buf:
			r.p("%s = %s[:0]", to, to)
		case f.Kind == code.String:
			r.p("%s = \"\"", to)
		default:
			r.p("%s = nil", to)
		}
	case code.Uint, code.Int, code.Float:
		r.p("%s = 0", to)
	case code.Bool:
		r.p("%s = false", to)
	case code.Time:
		r.p("%s = time.Time{}", to)
	case code.Literal, code.Salt, code.Hash:
	}
}

// instant is the time.Time of a number of units.
func instant(f *code.Comp, u string) string {
	n := f.Num
	after := ""
	if n.Epoch != 0 {
		after = fmt.Sprintf(" + %s", parens(n.Epoch))
	}
	switch {
	case n.Date != nil:
		return fmt.Sprintf("time.Unix(int64(%s), 0)", u)
	case n.Step == time.Second:
		return fmt.Sprintf("time.Unix(int64(%s)%s, 0)", u, after)
	case n.Step > time.Second:
		return fmt.Sprintf("time.Unix(int64(%s*%d)%s, 0)", u, uint64(n.Step/time.Second), after)
	case n.Step == time.Millisecond && n.Epoch == 0:
		return fmt.Sprintf("time.UnixMilli(int64(%s))", u)
	case n.Step == time.Microsecond && n.Epoch == 0:
		return fmt.Sprintf("time.UnixMicro(int64(%s))", u)
	}
	per := uint64(time.Second / n.Step)
	if n.Past {
		return fmt.Sprintf("time.Unix(int64(%s)/%d%s, int64(%s)%%%d*%d)", u, per, after, u, per, int64(n.Step))
	}
	return fmt.Sprintf("time.Unix(int64(%s/%d)%s, int64(%s%%%d)*%d)", u, per, after, u, per, int64(n.Step))
}
