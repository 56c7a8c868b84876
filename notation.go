package rowkey

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// String is the layout in the notation of design documents, such as
// [salt16(seller)][seller]['_'][max-ms(at)][order:8].
//
// A component stands in brackets: its name, for numbers their size in bytes
// behind a colon (i in front of it for an Int, f for a Float), for times the
// unit around the name; then its options in order. A Separator stands in single
// quotes, a Literal in double quotes. MaxLen stands in front of the brackets; a
// dialect of New stands with each component that it changes. Parse reads it
// back.
func (s *Schema) String() string {
	var b strings.Builder
	if s.maxLen != maxKey {
		fmt.Fprintf(&b, "%s(%d) ", wMaxLen, s.maxLen)
	}
	for i := range s.comps {
		b.WriteString(s.comps[i].notation())
	}
	return b.String()
}

// notation is a component's piece of Schema.String.
func (c *component) notation() string {
	d := c.decl
	opts := d.opts
	var head string
	switch c.role {
	case roleLiteral:
		if d.isSep {
			return "[" + quote(c.lit, '\'') + "]"
		}
		return "[" + quote(c.lit, '"') + "]"
	case roleSalt:
		head = fmt.Sprintf("salt%d(%s)", d.buckets, d.in.notation())
	case roleHash:
		head = fmt.Sprintf("%s(%s)", d.part, d.in.notation())
	case roleCopy:
		head = c.name + "=" + d.of
	default:
		switch c.kind {
		case KindString:
			head = c.name
		case KindBinary:
			head = c.name + ":bytes"
		case KindUint:
			head = c.name + ":" + strconv.Itoa(c.size)
		case KindInt:
			head = c.name + ":i" + strconv.Itoa(c.size)
		case KindFloat:
			head = c.name + ":f" + strconv.Itoa(c.size)
		case KindBool:
			head = c.name + ":bool"
		case KindTime:
			max := ""
			if len(opts) > 0 && opts[0].word == wDesc {
				max, opts = "max-", opts[1:]
			}
			head = max + c.unit.notation() + "(" + c.name + ")"
		}
	}
	var b strings.Builder
	b.WriteString("[" + head)
	dialect := false
	for _, o := range opts {
		if dialect = dialect || o.word == wDialect; o.word == wDialect && o.dial == HBase && c.isText() {
			continue // its own bytes, as without a dialect
		}
		if o.word == wUnit {
			o.unit = c.unit
		}
		b.WriteString(" " + o.notation())
	}
	switch {
	case dialect || c.kind == KindHash:
	case c.role == roleSalt:
		if c.rule == PhoenixHash && !slices.ContainsFunc(opts, func(o opt) bool { return o.word == wRule }) {
			b.WriteString(" " + PhoenixHash.notation())
		}
	case c.hbase && (c.kind == KindInt || c.kind == KindFloat || c.kind == KindBool):
		b.WriteString(" " + dialectNames[HBase])
	case c.dialect.framed():
		b.WriteString(" " + dialectNames[c.dialect])
	}
	b.WriteString("]")
	return b.String()
}

func (u Unit) notation() string {
	if u.lay != nil {
		return "layout(" + strconv.QuoteToASCII(u.lay.text) + "," + offsetText(u.lay.offset) + ")"
	}
	if u.set {
		epoch := time.Unix(u.sec, u.nsec).UTC()
		text := epoch.Format(time.RFC3339Nano)
		if year := epoch.Year(); year < 0 || year > 9999 { // RFC 3339 has no such year
			text = fmt.Sprintf("@%d.%09d", u.sec, u.nsec)
		}
		return u.name + "-since(" + text + ")"
	}
	return u.name
}

// offsetText is an offset from UTC, such as +08:00.
func offsetText(seconds int) string {
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	text := fmt.Sprintf("%s%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf(":%02d", seconds%60)
	}
	return text
}

// dialectNames are the dialects in the notation.
var dialectNames = [...]string{HBase: "hbase", OrderedBytes: "orderedbytes", Phoenix: "phoenix"}

// notation is an option as it is spelled.
func (o opt) notation() string {
	w := string(o.word)
	switch o.word {
	case wWidth, wDigits, wHexDigits, wFixed, wLeft, wRight, wMinLen, wLenPrefix:
		return w + "(" + strconv.Itoa(o.n) + ")"
	case wReversePart, wYears, wPrecision:
		return fmt.Sprintf("%s(%d,%d)", w, o.n, o.m)
	case wPad, wPadLeft:
		return fmt.Sprintf("%s(%d,%s)", w, o.n, quote([]byte{o.b}, '\''))
	case wReverseLabels, wChars, wLetters:
		return w + "(" + strconv.QuoteToASCII(o.s) + ")"
	case wNamed:
		return w + "(" + o.s + ")"
	case wTruncate:
		return w + "(" + o.d.String() + ")"
	case wBelow:
		return w + "(" + strconv.FormatUint(o.u, 10) + ")"
	case wOneOf:
		quoted := make([]string, len(o.set))
		for i, v := range o.set {
			quoted[i] = strconv.QuoteToASCII(v)
		}
		return w + "(" + strings.Join(quoted, ",") + ")"
	case wCodes:
		var pairs []string
		for _, v := range sortedKeys(o.code) {
			pairs = append(pairs, strconv.QuoteToASCII(v)+":"+strconv.QuoteToASCII(o.code[v]))
		}
		return w + "(" + strings.Join(pairs, ",") + ")"
	case wUnit:
		return o.unit.notation()
	case wVia:
		return w + "(" + strconv.QuoteToASCII(o.s) + ")"
	case wPart:
		return o.part.String()
	case wRule:
		return o.rule.notation()
	case wDialect:
		return dialectNames[o.dial]
	}
	return w
}

// quote is bytes in quotes, printable ASCII as it is.
func quote(b []byte, mark byte) string {
	var s strings.Builder
	s.WriteByte(mark)
	for _, c := range b {
		if c < 0x20 || c > 0x7e || c == mark || c == '\\' {
			fmt.Fprintf(&s, `\x%02x`, c)
		} else {
			s.WriteByte(c)
		}
	}
	s.WriteByte(mark)
	return s.String()
}

// Fingerprint names the layout: equal means equal bytes for every key. Names
// and limits of values are not in it.
func (s *Schema) Fingerprint() string {
	h := sha256.New()
	for i := range s.comps {
		fmt.Fprintf(h, "%s\n", s.comps[i].format(s))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// format is what of a component its bytes depend on, fields by their place.
func (c *component) format(s *Schema) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d absent=%t ", c.role, c.kind, c.absent)
	switch c.role {
	case roleLiteral:
		fmt.Fprintf(&b, "%x", c.lit)
		return b.String()
	case roleSalt:
		fmt.Fprintf(&b, "%d %d %d %s %d %x ", c.buckets, c.rule, c.saltForm, c.part, c.width, c.letters)
	case roleHash:
		fmt.Fprintf(&b, "%s ", c.part)
	case roleCopy:
		fmt.Fprintf(&b, "of %d ", c.of.index)
	}
	if c.in != nil {
		for _, st := range c.stages {
			fmt.Fprintf(&b, "via %+q ", st.via.name)
		}
		fmt.Fprintf(&b, "input %d", c.in.form)
		for _, f := range c.in.comps {
			fmt.Fprintf(&b, " %d", f.index)
		}
		fmt.Fprintf(&b, " %v", c.in.verbs)
		return b.String()
	}
	n := c.num
	u := c.unit
	fmt.Fprintf(&b, "%d bytes hbase=%t form %d width %d xor %x nines %d trunc %d number %t %t ",
		c.size, c.hbase && (c.kind == KindInt || c.kind == KindFloat || c.kind == KindBool), n.form, n.width, n.xor, n.nines, n.trunc, n.layNum, n.layDesc)
	fmt.Fprintf(&b, "step %d epoch %d.%09d ", u.step, u.sec, u.nsec)
	if u.own != nil {
		fmt.Fprintf(&b, "own %s ", u.name)
	}
	if u.lay != nil {
		fmt.Fprintf(&b, "layout %q %d ", u.lay.text, u.lay.offset)
	}
	for _, v := range sortedKeys(c.codes) {
		fmt.Fprintf(&b, "%x=%x ", v, c.codes[v])
	}
	for _, st := range c.stages {
		if st.word == wFixed { // the frame is below
			continue
		}
		fmt.Fprintf(&b, "%s %d %d %x ", st.word, st.from, st.to, st.sep)
		if st.via != nil {
			fmt.Fprintf(&b, "%+q ", st.via.name)
		}
	}
	if c.frame != noFrame {
		fmt.Fprintf(&b, "frame %d ", c.frame)
		if c.frame != frameEscaped {
			fmt.Fprintf(&b, "%d %x ", c.width, c.pad)
		}
	}
	fmt.Fprintf(&b, "inverted %t", c.invertAll)
	if c.dialect.framed() {
		fmt.Fprintf(&b, " dialect %d header %x %x raw %t add %d rest %x decimal %d signed %t endless %t null %t",
			c.dialect, c.header, n.header, n.raw, n.add, n.rest, c.decimal, c.signed, c.endless, c.optional)
	}
	return b.String()
}
