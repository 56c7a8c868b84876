package gen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/form"
)

// This file prints the bodies of encode, ranges and decode. Faults are reported in the library's
// order. Writing: fields in the caller's order, each salt after the last of its fields, what is
// computed from the rest of the key, and the length. Reading: first all ends, then values, then
// salts and hashes.

// valueRead is the value of a field after a key was read.
func (g *java) valueRead(f *code.Comp) string {
	if f.Absent {
		return map[code.Kind]string{code.String: "null", code.Binary: "null", code.Bool: "false"}[f.Kind] + map[bool]string{true: "0"}[f.Kind != code.String && f.Kind != code.Binary && f.Kind != code.Bool]
	}
	if f.Optional && f.Num != nil {
		return fmt.Sprintf("z%d ? null : u%d", f.Index, f.Index)
	}
	switch f.Kind {
	case code.String, code.Binary:
		return fmt.Sprintf("x%d", f.Index)
	case code.Bool:
		return fmt.Sprintf("u%d != 0", f.Index)
	case code.Float:
		return fmt.Sprintf("v%d", f.Index)
	default:
		return fmt.Sprintf("u%d", f.Index)
	}
}

// write prints out, the components of a key that a prefix decides; those that it leaves open hold 00.
func (g *java) write(p code.Prefix) {
	fields, n, open := g.s.Fields[:p.Fields], p.Comps, p.Open
	comps := g.s.Stored(n)
	done := map[*code.Comp]bool{}
	derive := func(c *code.Comp, last int) {
		switch {
		case c.Index >= p.Checks || slices.Contains(open, c.Index) || done[c] || c.Last > last:
		case c.Index >= n && !c.MayFail():
		case c.Of != nil:
			g.check(c)
			done[c] = true
		case c.Sum.Input != code.Rest:
			for _, of := range c.Sum.Of { // a copy may stand after it
				if of.Of != nil && !done[of] {
					g.check(of)
					done[of] = true
				}
			}
			g.sum(c, g.input(c))
			if c.Width == 0 {
				g.p("    byte[] f%d = RowKeys.latin(Long.toString(h%d));", c.Index, c.Index)
			}
			done[c] = true
		}
	}
	for _, f := range fields {
		if f.Optional {
			g.nullable(f)
		} else {
			g.check(f)
		}
		for _, c := range g.s.Derived {
			if !g.s.AtEnd {
				derive(c, f.Ord)
			}
		}
	}
	for _, c := range g.s.Derived {
		derive(c, len(fields)-1)
	}
	fixed, terms := 0, []string(nil)
	for _, c := range comps {
		if fixed += c.Width; c.Width == 0 && !slices.Contains(open, c.Index) {
			terms = append(terms, fmt.Sprintf("f%d.length", c.Index))
		}
	}
	trims := g.s.Trims && n == len(g.s.Comps)
	size, none := "n", "n == 0 || "
	g.p("    int n = %s;", sumOf(fixed, terms))
	switch {
	case trims:
		g.trim(comps, false)
		size = "n + trim"
	case g.s.MayTrim(p):
		g.trim(comps, g.s.Twice(p))
		size, none = "n + trim", ""
	}
	if len(terms) > 0 || fixed > g.s.MaxLen {
		g.p("    if (%sn > %d) throw new RowKeys.KeyException(WHOLE, RowKeys.Reason.LENGTH, -1, n + \" bytes, 1 to %d\");", none, g.s.MaxLen, g.s.MaxLen)
	}
	g.p("    byte[] out = new byte[%s];\n    ByteBuffer buffer = ByteBuffer.wrap(out);", size)
	base, off := "", 0
	at := func() string {
		if base == "" {
			return fmt.Sprint(off)
		}
		return plus(base, off)
	}
	rests := map[*code.Comp]string{}
	for k, c := range comps {
		i := c.Index
		switch {
		case c.Kind == code.Literal:
			for at0, b := range c.Lit {
				g.p("    out[%s] = (byte) %d;", plus(at(), at0), int8(b))
			}
		case slices.Contains(open, i):
			g.p("    int o%d = %s;", i, at())
		case c.Sum != nil && c.Sum.Input == code.Rest:
			rests[c] = at()
		case c.Sum != nil && c.Width > 0:
			g.putSum(c, "out", at())
		case c.Width > 0:
			g.put(c, at())
		default:
			g.p("    System.arraycopy(f%d, 0, out, %s, f%d.length);", c.Index, at(), c.Index)
			if k+1 < len(comps) {
				g.p("    int p%d = %s + f%d.length;", i, at(), c.Index)
			}
			base, off = fmt.Sprintf("p%d", i), 0
		}
		off += c.Width
	}
	if trims {
		g.p("    if (trim > 0) out = Arrays.copyOf(out, n);")
	}
	for _, c := range slices.Backward(comps) {
		if from, ok := rests[c]; ok {
			if trims && c.Sum.Rule == digest.Phoenix {
				g.p("    if (n == %s) %s", plus(from, c.Width), g.fail(c, "LENGTH", "nothing stands after it"))
			}
			g.sum(c, fmt.Sprintf("Arrays.copyOfRange(out, %s, n)", plus(from, c.Width)))
			g.putSum(c, "out", from)
		}
	}
}

// nullable prints the checks of a text that may be null, and f, its form.
func (g *java) nullable(f *code.Comp) {
	x, i := g.names[f], f.Index
	cond := x + " == null"
	switch {
	case f.Text == nil:
	case !f.Text.Trim && f.ZeroIsNull() && f.Kind == code.String:
		cond += " || " + x + ".isEmpty()"
	case f.ZeroIsNull():
		cond += " || " + x + ".length == 0"
	}
	g.p("    boolean z%d = %s;\n    byte[] f%d = RowKeys.latin(%s);\n    if (!z%d) {", i, cond, i, javaBytes(f.Null), i)
	g.within(func() { g.check(f) }, fmt.Sprintf("byte[] f%d = ", i), fmt.Sprintf("f%d = ", i))
	g.p("    }")
}

// trim prints how many bytes the key does not have, since nulls at its end are left off; and if
// asked, whether other keys sort between it and the keys that have them.
func (g *java) trim(comps []*code.Comp, asked bool) {
	g.p("    int trim = 0;")
	if asked {
		g.p("    boolean apart = false;")
	}
	closing := ""
	for _, c := range slices.Backward(comps) {
		if !c.Optional {
			if c.Trim > 0 {
				g.p("    trim += %d;", c.Trim)
			}
			break
		}
		g.p("    if (z%d) {\n    trim += %d;", c.Index, len(c.Null))
		if asked && c.Apart {
			g.p("    apart = true;")
		}
		after := "    }"
		if c.Trim > 0 {
			after = fmt.Sprintf("    } else {\n      trim += %d;\n    }", c.Trim)
		}
		closing = after + "\n" + closing
	}
	g.p("%s    n -= trim;", closing)
}

// plus is a place in the source of Java.
func plus(at string, k int) string {
	if k == 0 {
		return at
	}
	return fmt.Sprintf("%s + %d", at, k)
}

// check prints the checks of a value: of a text t, its bytes, and f, its form; of a number u.
func (g *java) check(f *code.Comp) {
	x, u := g.names[f], fmt.Sprintf("u%d", f.Index)
	n, bad := f.Num, g.fail(f, "RANGE", "value out of range")
	if f.Of != nil {
		x = fmt.Sprintf("u%d", f.Of.Index)
	}
	switch f.Kind {
	case code.String, code.Binary:
		g.checkText(f)
		return
	case code.Uint, code.Time:
		if f.Of != nil && f.Kind == code.Time {
			if x = g.recount(f, bad); n.Truncate > 1 && n.Past {
				g.p("    long x%d = %s;", f.Index, x)
				x = fmt.Sprintf("x%d", f.Index)
			}
		}
		if n.Date != nil {
			d := n.Date
			g.p("    long %s = %s;\n    if (%s < %dL || %s > %dL) %s", u, x, u, -d.Offset, u, 253402300799-d.Offset, bad) // the local years 1970 to 9999
			g.p("    %s = RowKeys.dateSeconds(%s, %d, %s, -1) - %dL;", u, g.dateNumber(f), d.Elements, g.fieldOf(f), d.Offset)
			g.p("    if (%s < %dL || %s > %dL) %s", u, n.IMin, u, n.IMax, bad)
			return
		}
		g.p("    long %s = %s;", u, x)
		if n.Truncate > 1 && n.Past {
			g.p("    %s -= Math.floorMod(%s, %dL);\n    if (%s > %s) %s", u, u, n.Truncate, u, x, bad)
		} else if n.Truncate > 1 {
			g.p("    if (%s < 0) %s\n    %s -= %s %% %dL;", u, bad, u, u, n.Truncate)
		}
		g.limits(f, bad)
	case code.Int:
		g.p("    long %s = %s;", u, x)
		g.limits(f, bad)
	case code.Bool:
		if f.Of == nil {
			x += " ? 1 : 0"
		}
		g.p("    long %s = %s;", u, x)
	case code.Float:
		if f.Of != nil {
			sign := "Long.MIN_VALUE"
			if f.Size == 4 {
				sign = "0x80000000L"
			}
			g.p("    long %s = %s;", u, x)
			if !n.Zeros && f.Of.Num.Zeros { // −0 is 0
				g.p("    if (%s == %s) %s = 0;", u, sign, u)
			}
			if n.Positive && !f.Of.Num.Positive {
				g.p("    if ((%s & %s) != 0) %s", u, sign, bad)
			}
			return
		}
		g.p("    if (%s != %s) %s", x, x, g.fail(f, "RANGE", "NaN is no number"))
		suffix, bits := "", "Double.doubleToRawLongBits(%s)"
		if f.Size == 4 {
			suffix, bits = "f", "Float.floatToRawIntBits(%s) & 0xFFFFFFFFL"
		}
		if n.Positive {
			g.p("    if (%s < 0) %s", x, bad)
		}
		if !n.Zeros {
			x = fmt.Sprintf("(%s + 0%s)", x, suffix) // −0 is 0
		}
		g.p("    long %s = "+bits+";", u, x)
	case code.Literal, code.Salt, code.Hash:
	}
	if n.How == code.Decimals {
		form := fmt.Sprintf("RowKeys.whole(%s, %s, %t, %t)", g.fieldOf(f), u, n.Signed, n.Decimal == form.Numeric)
		g.p("    byte[] f%d = %s;", f.Index, g.finished(f, form))
		g.beginsNull(f)
		g.mark(f)
		return
	}
	if n.How != code.Plain && n.How != code.Varint {
		return
	}
	form := "RowKeys.latin(Long.toUnsignedString(" + g.turned(f) + "))"
	if n.Signed {
		form = "RowKeys.latin(Long.toString(" + g.turned(f) + "))"
	}
	if n.How == code.Varint {
		form = fmt.Sprintf("RowKeys.varint(%s, %s)", g.turned(f), flip(f))
	}
	if n.Reverse {
		form = "RowKeys.reverse(" + form + ")"
	}
	g.p("    byte[] f%d = %s;", f.Index, form)
	g.mark(f)
}

// recount prints the number of a copied time, in the unit of the copy: its name.
func (g *java) recount(c *code.Comp, bad string) string {
	from, to, i := c.Of.Num, c.Num, c.Index
	nano := "0"
	switch {
	case from.Date != nil:
		g.p("    long q%d = u%d;", i, c.Of.Index)
	case from.Step >= time.Second:
		g.p("    long q%d = u%d * %dL + %dL;", i, c.Of.Index, int64(from.Step/time.Second), from.Epoch)
	case from.Past:
		per := int64(time.Second / from.Step)
		g.p("    long q%d = Math.floorDiv(u%d, %dL) + %dL;", i, c.Of.Index, per, from.Epoch)
		nano = fmt.Sprintf("Math.floorMod(u%d, %dL) * %dL", c.Of.Index, per, int64(from.Step))
	default:
		per := int64(time.Second / from.Step)
		g.p("    long q%d = Long.divideUnsigned(u%d, %dL) + %dL;", i, c.Of.Index, per, from.Epoch)
		nano = fmt.Sprintf("Long.remainderUnsigned(u%d, %dL) * %dL", c.Of.Index, per, int64(from.Step))
	}
	switch {
	case to.Date != nil:
		return fmt.Sprintf("q%d", i)
	case to.Past && to.Step >= time.Second:
		return fmt.Sprintf("Math.floorDiv(q%d - %dL, %dL)", i, to.Epoch, int64(to.Step/time.Second))
	case to.Past:
		return fmt.Sprintf("RowKeys.steps(q%d - %dL, %s, %dL, %dL)", i, to.Epoch, nano, int64(time.Second/to.Step), int64(to.Step))
	case to.Step >= time.Second:
		g.p("    q%d -= %dL;\n    if (q%d < 0) %s", i, to.Epoch, i, bad)
		return fmt.Sprintf("q%d / %dL", i, int64(to.Step/time.Second))
	}
	per := int64(time.Second / to.Step)
	g.p("    q%d -= %dL;\n    if (q%d < 0 || q%d > %dL) %s", i, to.Epoch, i, i, math.MaxInt64/per, bad)
	return fmt.Sprintf("q%d * %dL + %s / %dL", i, per, nano, int64(to.Step))
}

// turned is a number XOR its mask.
func (g *java) turned(f *code.Comp) string {
	return g.masked(f, fmt.Sprintf("u%d", f.Index))
}

func (g *java) masked(f *code.Comp, x string) string {
	if f.Num.Xor == 0 {
		return x
	}
	if strings.ContainsAny(x, " ?") {
		x = "(" + x + ")"
	}
	return fmt.Sprintf("%s ^ %s", x, javaLong(f.Num.Xor))
}

// limits prints the checks of a number.
func (g *java) limits(f *code.Comp, bad string) {
	n, u := f.Num, fmt.Sprintf("u%d", f.Index)
	switch {
	case f.Signed():
		if n.IMin > math.MinInt64 || n.IMax < math.MaxInt64 {
			g.p("    if (%s < %dL || %s > %dL) %s", u, n.IMin, u, n.IMax, bad)
		}
	case n.Max == math.MaxUint64:
	case n.Max > math.MaxInt64:
		g.p("    if (Long.compareUnsigned(%s, %s) > 0) %s", u, javaLong(n.Max), bad)
	default:
		g.p("    if (%s < %dL || %s > %dL) %s", u, n.Min, u, n.Max, bad)
	}
}

// dateNumber is the number of a time's local date.
func (g *java) dateNumber(f *code.Comp) string {
	return fmt.Sprintf("RowKeys.dateNumber(u%d + %dL, %d)", f.Index, f.Num.Date.Offset, f.Num.Date.Elements)
}

// finished is the form of a decimal number with its end, inverted if it is descending.
func (g *java) finished(f *code.Comp, form string) string {
	if f.Nul() {
		form = fmt.Sprintf("RowKeys.ended(%s, %s)", g.fieldOf(f), form)
	}
	if f.Inverted() {
		form = fmt.Sprintf("RowKeys.invert(%s)", form)
	}
	return form
}

// beginsNull prints the check that a form does not begin as a null does.
func (g *java) beginsNull(f *code.Comp) {
	if len(f.Null) > 0 {
		g.p("    if (RowKeys.at(f%d, 0, %s)) %s", f.Index, javaBytes(f.Null), g.fail(f, "TERMINATOR", "as stored begins as a null does"))
	}
}

// checkText prints the checks of a text.
func (g *java) checkText(f *code.Comp) {
	if t := f.Text; t.Decimal != form.NoDecimal {
		if f.Of != nil {
			g.p("    BigDecimal x%d = x%d;", f.Index, f.Of.Index)
		} else {
			g.p("    BigDecimal x%d = %s;\n    if (x%d == null) %s", f.Index, g.names[f], f.Index, g.fail(f, "MISSING", "null"))
		}
		form := fmt.Sprintf("RowKeys.decimal(%s, x%d, %t, %d, %d)", g.fieldOf(f), f.Index, t.Decimal == form.Numeric, t.Digits, t.Scale)
		g.p("    byte[] f%d = %s;", f.Index, g.finished(f, form))
		g.beginsNull(f)
		g.mark(f)
		return
	}
	x, t, c := g.names[f], f.Text, g.fieldOf(f)
	if f.Of != nil {
		g.p("    byte[] t%d = t%d;", f.Index, f.Of.Index)
	} else if f.Kind == code.String {
		g.p("    byte[] t%d = RowKeys.utf8(%s, %s);", f.Index, c, x)
	} else {
		g.p("    byte[] t%d = %s;\n    if (t%d == null) %s", f.Index, x, f.Index, g.fail(f, "MISSING", "null"))
	}
	if t.Trim && f.Of == nil {
		g.p("    t%d = RowKeys.unpad(t%d, (byte) %d);", f.Index, f.Index, int8(t.Fill))
	}
	g.textLimits(f, "", "-1")
	form := fmt.Sprintf("t%d", f.Index)
	if len(t.Codes) > 0 {
		g.p("    byte[] c%d = RowKeys.swap(%s, VALUES%d, CODES%d);\n    if (c%d == null) %s", f.Index, form, f.Index, f.Index, f.Index, g.fail(f, "RANGE", "not one of its values"))
		form = fmt.Sprintf("c%d", f.Index)
	}
	if t.Filled {
		g.p("    if (%s.length == 0) %s", form, g.fail(f, "LENGTH", "empty"))
	}
	for _, cut := range t.Cuts {
		form = fmt.Sprintf("RowKeys.%s(%s, %d)", map[bool]string{true: "right", false: "left"}[cut.Right], form, cut.N)
	}
	for _, st := range t.Steps {
		form = g.step(st, form, c, "-1")
	}
	switch t.Frame {
	case code.Fixed:
		form = fmt.Sprintf("RowKeys.fixed(%s, %s, %d)", c, form, t.N)
	case code.Pad:
		form = fmt.Sprintf("RowKeys.pad(%s, %s, %d, (byte) %d)", c, form, t.N, int8(t.Fill))
	case code.PadLeft:
		form = fmt.Sprintf("RowKeys.padLeft(%s, %s, %d, (byte) %d)", c, form, t.N, int8(t.Fill))
	case code.Escaped:
		form = fmt.Sprintf("RowKeys.escape(%s, %t)", form, t.Open)
	case code.ByLength:
		form = fmt.Sprintf("RowKeys.lengthPrefix(%s, %s, %d)", c, form, t.N)
	case code.Nul:
		form = fmt.Sprintf("RowKeys.ended(%s, %s)", c, form)
	case code.Groups:
		form = fmt.Sprintf("RowKeys.groups(%s)", form)
	case code.NoFrame:
	}
	if t.Head != 0 {
		form = fmt.Sprintf("RowKeys.headed((byte) %d, %s)", int8(t.Head), form)
	}
	if t.InvertAll {
		form = fmt.Sprintf("RowKeys.invert(%s)", form)
	}
	g.p("    byte[] f%d = %s;", f.Index, form)
	g.beginsNull(f)
	g.mark(f)
}

// step is the text v after a step. But for UUID it undoes itself.
func (g *java) step(st code.Step, v, field, offset string) string {
	switch st.Word {
	case code.UUID:
		return fmt.Sprintf("RowKeys.uuid(%s, %s)", field, v)
	case code.Reversed:
		return fmt.Sprintf("RowKeys.reverse(%s)", v)
	case code.Inverted:
		return fmt.Sprintf("RowKeys.invert(%s)", v)
	case code.Runes:
		return fmt.Sprintf("RowKeys.reverseRunes(%s, %s, %s)", field, v, offset)
	case code.Labels:
		return fmt.Sprintf("RowKeys.reverseLabels(%s, %s)", v, javaBytes(st.Sep))
	case code.Part:
		return fmt.Sprintf("RowKeys.reversePart(%s, %s, %s, %d, %d)", field, v, offset, st.From, st.To)
	}
	panic("gen: a step that package code does not give")
}

// mark prints the check that a form can be told from its separator.
func (g *java) mark(f *code.Comp) {
	switch {
	case len(f.Mark) == 1:
		g.p("    if (RowKeys.findByte(f%d, 0, (byte) %d) >= 0) %s", f.Index, int8(f.Mark[0]), g.fail(f, "TERMINATOR", "holds its separator"))
	case len(f.Mark) > 1:
		g.p("    RowKeys.noMark(%s, f%d, %s);", g.fieldOf(f), f.Index, javaBytes(f.Mark))
	}
}

// textLimits prints the checks that MinLen, Chars and OneOf ask for. In a key the reason is
// MALFORMED, and offset is the place.
func (g *java) textLimits(f *code.Comp, reason, offset string) {
	t, v := f.Text, fmt.Sprintf("t%d", f.Index)
	refuse := func(cond, why, text string) {
		if reason != "" {
			why = reason
		}
		g.p("    if (%s) throw new RowKeys.KeyException(%s, RowKeys.Reason.%s, %s, %s);", cond, g.fieldOf(f), why, offset, javaString(text))
	}
	if t.Least > 0 {
		refuse(fmt.Sprintf("%s.length < %d", v, t.Least), "LENGTH", fmt.Sprintf("at least %d bytes", t.Least))
	}
	if t.Chars != nil {
		refuse(fmt.Sprintf("!RowKeys.only(%s, %s)", v, javaBytes(t.Chars.Listed())), "RANGE", "a byte is none of its characters")
	}
	if len(t.OneOf) > 0 {
		var conds []string
		for _, x := range t.OneOf {
			conds = append(conds, fmt.Sprintf("!RowKeys.is(%s, %s)", v, javaBytes([]byte(x))))
		}
		var groups []string // javac goes as deep as a row of conditions is long, and its stack ends at some thousands
		for group := range slices.Chunk(conds, 100) {
			groups = append(groups, strings.Join(group, " && "))
		}
		cond := groups[0]
		if len(groups) > 1 {
			cond = "(" + strings.Join(groups, ") && (") + ")"
		}
		refuse(cond, "RANGE", "not one of its values")
	}
}

// input is what a salt or hash of values or stored forms is computed from.
func (g *java) input(c *code.Comp) string {
	var parts []string
	switch c.Sum.Input {
	case code.Format:
		return g.format(c.Sum)
	case code.MinMax:
		a, b := c.Sum.Of[0], c.Sum.Of[1]
		x, y := g.valueBytes(a, code.Values), g.valueBytes(b, code.Values)
		less := fmt.Sprintf("RowKeys.COMPARATOR.compare(%s, %s) < 0", y, x)
		switch {
		case a.Text != nil && a.Text.Decimal != form.NoDecimal:
			less = fmt.Sprintf("x%d.compareTo(x%d) < 0", b.Index, a.Index)
		case a.Text != nil:
		case a.Negative():
			less = fmt.Sprintf("u%d < u%d", b.Index, a.Index)
		default:
			less = fmt.Sprintf("Long.compareUnsigned(u%d, u%d) < 0", b.Index, a.Index)
		}
		return fmt.Sprintf("%s ? RowKeys.concat(%s, %s) : RowKeys.concat(%s, %s)", less, y, x, x, y)
	case code.Values, code.Stored, code.AsText, code.Rest:
	}
	for _, f := range c.Sum.Of {
		if c.Sum.OfForm(f) {
			parts = append(parts, g.storedForm(f))
		} else {
			parts = append(parts, g.valueBytes(f, c.Sum.Input))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "RowKeys.concat(" + strings.Join(parts, ", ") + ")"
}

// format is the text of a format.
func (g *java) format(d *code.Sum) string {
	var parts []string
	next := 0
	for _, v := range d.Verbs {
		if v.Kind == 0 {
			parts = append(parts, "RowKeys.latin("+javaBytes([]byte(v.Text))+")")
			continue
		}
		f := d.Of[next]
		next++
		u := fmt.Sprintf("u%d", f.Index)
		switch {
		case v.Kind == 'x' || v.Kind == 'X':
			if f.Kind == code.Int && f.Size < 8 {
				u += fmt.Sprintf(" & %s", javaLong(uint64(1)<<(8*f.Size)-1))
			}
			u = "Long.toHexString(" + u + ")"
			if v.Kind == 'X' {
				u += ".toUpperCase(java.util.Locale.ROOT)"
			}
			parts = append(parts, "RowKeys.latin("+u+")")
		case v.Zeros > 0:
			text := "Long.toUnsignedString(" + u + ")"
			if f.Signed() {
				text = "Long.toString(" + u + ")"
			}
			parts = append(parts, fmt.Sprintf("RowKeys.padded(%s, %d)", text, v.Zeros))
		default:
			parts = append(parts, g.valueBytes(f, code.AsText))
		}
	}
	return "RowKeys.concat(" + strings.Join(parts, ", ") + ")"
}

// valueBytes is the value of a field, as a salt reads it.
func (g *java) valueBytes(f *code.Comp, as code.Input) string {
	u := fmt.Sprintf("u%d", f.Index)
	switch {
	case f.Text != nil && f.Text.Decimal != form.NoDecimal:
		return fmt.Sprintf("RowKeys.latin(RowKeys.decimalText(x%d))", f.Index)
	case f.Text != nil:
		return fmt.Sprintf("t%d", f.Index)
	case f.Num.How == code.DateText:
		return fmt.Sprintf("RowKeys.date(%s, %s)", g.dateNumber(f), javaString(f.Num.Date.Pattern))
	case f.Num.Date != nil:
		u = g.dateNumber(f)
	}
	switch {
	case as == code.AsText && f.Kind == code.Bool:
		return fmt.Sprintf("RowKeys.latin(%s != 0 ? \"true\" : \"false\")", u)
	case as == code.AsText && f.Signed():
		return fmt.Sprintf("RowKeys.latin(Long.toString(%s))", u)
	case as == code.AsText:
		return fmt.Sprintf("RowKeys.latin(Long.toUnsignedString(%s))", u)
	}
	return fmt.Sprintf("RowKeys.be(%s, %d)", u, valueSize(f))
}

// storedForm is the stored form of a field.
func (g *java) storedForm(f *code.Comp) string {
	if f.Text != nil || f.Num.How == code.Plain || f.Num.How == code.Varint || f.Num.How == code.Decimals {
		return fmt.Sprintf("f%d", f.Index)
	}
	g.made++
	v := fmt.Sprintf("w%d", g.made)
	g.p("    byte[] %s;\n    {", v)
	outer := g.nested()
	g.p("    byte[] out = new byte[%d];\n    ByteBuffer own = ByteBuffer.wrap(out);", f.Width)
	g.put(f, "0")
	g.p("    %s = out;", v)
	text := strings.ReplaceAll(g.String(), "buffer.", "own.") // decode has a buffer of the key
	g.Reset()
	g.WriteString(text)
	outer()
	g.p("    }")
	return v
}

// within prints what print does, indented, with the first of each pair in replace as the second: the
// declaration of a variable that stands before it becomes an assignment.
func (g *java) within(print func(), replace ...string) {
	g.indented(reworded(g.captured(print), func(text string) string {
		for ; len(replace) > 0; replace = replace[2:] {
			text = strings.Replace(text, replace[0], replace[1], 1)
		}
		return text
	}))
}

func (g *java) indented(text string) {
	g.p("  %s", strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  "))
}

// nested indents what is printed until the function that it gives is called.
func (g *java) nested() (outer func()) {
	before := g.printer
	g.printer = printer{}
	return func() {
		inner := g.String()
		g.printer = before
		g.indented(inner)
	}
}

// sum prints the bucket h, or the digest d, of an input.
func (g *java) sum(c *code.Comp, in string) {
	d, i := c.Sum, c.Index
	if c.Kind == code.Salt && d.Rule == digest.Modulo {
		f := d.Of[0]
		if f.Negative() {
			g.p("    long h%d = Math.floorMod(u%d, %dL);", i, f.Index, d.Buckets)
		} else {
			g.p("    long h%d = Long.remainderUnsigned(u%d, %dL);", i, f.Index, d.Buckets)
		}
		return
	}
	g.p("    byte[] in%d = %s;", i, in)
	if c.Kind == code.Salt && d.Rule != digest.OfDigest {
		hash := fmt.Sprintf("Arrays.hashCode(in%d)", i)
		if d.Rule.OfText() {
			hash = fmt.Sprintf("RowKeys.javaHash(%s, in%d)", g.fieldOf(c), i)
		}
		switch d.Rule {
		case digest.Java, digest.Pinpoint:
			g.p("    long h%d = (%s & 0x7fffffff) %% %dL;", i, hash, d.Buckets)
		case digest.JavaAbs, digest.HBaseWD:
			g.p("    long h%d = RowKeys.absMod(%s, %s, %dL);", i, g.fieldOf(c), hash, d.Buckets)
		case digest.JavaModAbs, digest.Phoenix:
			g.p("    long h%d = Math.abs((long) %s %% %dL);", i, hash, d.Buckets)
		case digest.JavaFloor:
			g.p("    long h%d = Math.floorMod((long) %s, %dL);", i, hash, d.Buckets)
		case digest.OfDigest, digest.Modulo:
		}
		return
	}
	if c.Kind == code.Salt && d.Digest == digest.Murmur3 && d.N == 4 {
		g.p("    long h%d = (RowKeys.murmur(%d, in%d) & 0xFFFFFFFFL) %% %dL;", i, int32(d.Seed), i, d.Buckets)
		return
	}
	switch d.Digest {
	case digest.HBaseMurmur:
		g.p("    byte[] d%d = RowKeys.be(RowKeys.hbaseMurmur(%d, in%d), 4);", i, int32(d.Seed), i)
	case digest.HBaseJenkins:
		g.p("    byte[] d%d = RowKeys.be(RowKeys.hbaseJenkins(%d, in%d), 4);", i, int32(d.Seed), i)
	case digest.Murmur3x128:
		g.p("    byte[] d%d = RowKeys.murmur128(%d, in%d);", i, int32(d.Seed), i)
	case digest.Murmur3, digest.HBaseMurmur3:
		g.p("    byte[] d%d = RowKeys.be(RowKeys.murmur(%d, in%d), 4);", i, int32(d.Seed), i)
	case digest.CRC32:
		g.p("    byte[] d%d = RowKeys.crc32(in%d);", i, i)
	case digest.JavaHashCode:
		g.p("    byte[] d%d = RowKeys.be(RowKeys.javaHash(%s, in%d), 4);", i, g.fieldOf(c), i)
	case digest.MD5, digest.SHA1, digest.SHA256, digest.SHA512:
		name := map[digest.Algorithm]string{digest.MD5: "MD5", digest.SHA1: "SHA-1", digest.SHA256: "SHA-256", digest.SHA512: "SHA-512"}[d.Digest]
		g.p("    byte[] d%d = RowKeys.digest(%q, in%d);", i, name, i)
	default:
		panic("gen: a digest that package code does not give")
	}
	if c.Kind == code.Salt {
		g.p("    long h%d = RowKeys.mod(d%d, %d, %dL);", i, i, d.N, d.Buckets)
	}
}

// putSum prints a salt or hash at a place of an array.
func (g *java) putSum(c *code.Comp, out, at string) {
	d, i := c.Sum, c.Index
	switch {
	case c.Kind == code.Hash && d.Hex:
		digits := "0123456789abcdef"
		if d.Upper {
			digits = "0123456789ABCDEF"
		}
		g.p("    RowKeys.putHexOf(%s, %s, d%d, %d, %d, %q);", out, at, i, d.At, d.N, digits)
	case c.Kind == code.Hash:
		g.p("    System.arraycopy(d%d, 0, %s, %s, %d);", i, out, at, d.N)
	case d.Form == code.InBytes && c.Width == 1:
		g.p("    %s[%s] = (byte) h%d;", out, at, i)
	case d.Form == code.InBytes:
		g.p("    RowKeys.put(%s, %s, h%d, %d);", out, at, i, c.Width)
	case d.Form == code.InDigits, d.Form == code.InDecimal:
		g.p("    RowKeys.putDigits(%s, %s, h%d, %d);", out, at, i, c.Width)
	case d.Form == code.InLetters:
		g.p("    %s[%s] = (byte) %s.charAt((int) h%d);", out, at, javaBytes([]byte(d.Letters)), i)
	default:
		panic("gen: a bucket of no form")
	}
}

// put prints a field of fixed width at out[at].
func (g *java) put(c *code.Comp, at string) {
	n := c.Num
	if c.Text != nil || n.How == code.Plain || n.How == code.Varint || n.How == code.Decimals {
		g.p("    System.arraycopy(f%d, 0, out, %s, %d);", c.Index, at, c.Width)
		return
	}
	first := at
	if n.Head != 0 {
		g.p("    out[%s] = (byte) %d;", at, int8(n.Head))
		at = plus(at, 1)
	}
	switch n.How {
	case code.BigEndian:
		g.bigEndian(at, g.turned(c), n.N)
	case code.Timestamp:
		g.bigEndian(at, fmt.Sprintf("Math.floorDiv(u%d, 1000000L) ^ %s", c.Index, javaLong(n.Xor)), 8)
		g.bigEndian(plus(at, 8), fmt.Sprintf("Math.floorMod(u%d, 1000000L) ^ %s", c.Index, javaLong(n.Rest)), 4)
	case code.Digits:
		x := g.turned(c)
		if n.Nines != 0 {
			x = fmt.Sprintf("%s - (%s)", javaLong(n.Nines), x)
		}
		g.p("    RowKeys.putDigits(out, %s, %s, %d);", at, x, n.N)
	case code.HexDigits:
		g.p("    RowKeys.putHex(out, %s, %s, %d);", at, g.turned(c), n.N)
	case code.OneByte:
		g.p("    out[%s] = (byte) (u%d * %d ^ %d);", at, c.Index, int8(n.True), int8(n.Xor))
	case code.FloatBits:
		x := fmt.Sprintf("u%d", c.Index)
		if !n.Raw {
			x = fmt.Sprintf("RowKeys.orderFloat(%s, %d)", x, n.N)
		}
		if n.Add != 0 {
			x = fmt.Sprintf("(%s + %dL)", x, n.Add)
		}
		g.bigEndian(at, g.masked(c, x), n.N)
	case code.DateText:
		g.p("    RowKeys.putDate(out, %s, %s, %s, %t);", at, g.dateNumber(c), javaString(n.Date.Pattern), n.Desc)
	case code.DateNumber:
		g.bigEndian(at, g.masked(c, g.dateNumber(c)), n.N)
	case code.Plain, code.Varint, code.Decimals:
	}
	if n.Reverse {
		g.p("    RowKeys.reverseIn(out, %s, %d);", first, c.Width)
	}
	if n.Invert {
		g.p("    RowKeys.invertIn(out, %s, %d);", first, c.Width)
	}
}

// bigEndian prints n bytes of a number. A ByteBuffer makes one store of them.
func (g *java) bigEndian(at, x string, n int) {
	switch n {
	case 1:
		g.p("    out[%s] = (byte) (%s);", at, x)
	case 2:
		g.p("    buffer.putShort(%s, (short) (%s));", at, x)
	case 4:
		g.p("    buffer.putInt(%s, (int) (%s));", at, x)
	case 8:
		g.p("    buffer.putLong(%s, %s);", at, x)
	default:
		g.p("    RowKeys.put(out, %s, %s, %d);", at, x, n)
	}
}

// read prints the values of a key, which is checked.
func (g *java) read() {
	s := g.s
	g.p("    if (key.length == 0 || key.length > %d) throw new RowKeys.KeyException(WHOLE, RowKeys.Reason.LENGTH, 0, key.length + \" bytes, 1 to %d\");", s.MaxLen, s.MaxLen)
	g.p("    ByteBuffer buffer = ByteBuffer.wrap(key);\n    int s0 = 0;")
	for _, c := range s.Comps { // of two faults the first from the left is reported
		if c.Absent {
			g.p("    int s%d = s%d;", c.Index+1, c.Index)
			continue
		}
		g.end(c)
		switch {
		case c.Ord < 0: // it is compared with the fields, below
		case c.Optional:
			g.readNullable(c)
		case c.Text != nil:
			g.readText(c)
		default:
			g.readNumber(c)
		}
	}
	last := len(s.Comps)
	g.p("    if (s%d < key.length) throw new RowKeys.KeyException(WHOLE, RowKeys.Reason.MALFORMED, s%d, \"more bytes than its fields\");", last, last)
	for _, c := range s.Derived {
		switch {
		case c.Guarded:
			g.guard(c)
		case !c.Known():
		case c.Of != nil:
			g.verifyCopy(c)
		default:
			g.verify(c)
		}
	}
	for _, f := range s.Fields { // last, since these bytes are a key, though Java has no String of them
		if f.Text != nil && f.Text.Decimal != form.NoDecimal {
			continue
		}
		if f.Kind == code.String && f.Optional {
			g.p("    String x%d = t%d == null ? null : RowKeys.text(%s, t%d, s%d);", f.Index, f.Index, g.fieldOf(f), f.Index, f.Index)
		} else if f.Kind == code.String && !f.Absent {
			g.p("    String x%d = RowKeys.text(%s, t%d, s%d);", f.Index, g.fieldOf(f), f.Index, f.Index)
		}
	}
}

// end prints s, where a component of a key ends.
func (g *java) end(c *code.Comp) {
	i := c.Index
	bad := fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.MALFORMED, s%d, \"not a key of this schema\");", g.fieldOf(c), i)
	switch {
	case c.Optional || c.Trim > 0:
		self := "key.length"
		switch {
		case c.Nul():
			self = fmt.Sprintf("RowKeys.endedEnd(key, s%d, %s)", i, flip(c))
		case c.Decimal() == form.Numeric:
			self = fmt.Sprintf("RowKeys.decimalEnd(key, s%d, %s)", i, flip(c))
		case c.Decimal() != form.NoDecimal:
		case c.Text.Frame == code.Groups:
			self = fmt.Sprintf("RowKeys.groupsEnd(key, s%d, %s)", i, flip(c))
		case c.Text.Frame == code.Escaped && !c.Text.Open:
			self = fmt.Sprintf("RowKeys.escapedEnd(key, s%d, %s)", i, flip(c))
		}
		g.p("    int s%d = RowKeys.nullEnd(key, s%d, %s, %s, %t, %t, %t);\n    if (s%d < 0) %s", i+1, i, self, javaBytes(c.Null), c.Optional, c.Tail, c.Trim > 0, i+1, bad)
		return
	case c.Kind == code.Literal && len(c.Lit) == 1:
		g.p("    if (key.length == s%d || key[s%d] != %d) %s\n    int s%d = s%d + 1;", i, i, int8(c.Lit[0]), bad, i+1, i)
		return
	case c.Kind == code.Literal:
		g.p("    if (!RowKeys.at(key, s%d, %s)) %s\n    int s%d = s%d + %d;", i, javaBytes(c.Lit), bad, i+1, i, c.Width)
		return
	case c.Width > 0:
		g.p("    if (key.length - s%d < %d) %s\n    int s%d = s%d + %d;", i, c.Width, bad, i+1, i, c.Width)
		return
	case c.End == code.ByKeyEnd:
		g.p("    int s%d = key.length;", i+1)
		return
	case c.End == code.ByMark && len(c.Mark) == 1:
		g.p("    int s%d = RowKeys.findByte(key, s%d, (byte) %d);", i+1, i, int8(c.Mark[0]))
	case c.End == code.ByMark:
		g.p("    int s%d = RowKeys.find(key, s%d, %s);", i+1, i, javaBytes(c.Mark))
	case c.Nul():
		g.p("    int s%d = RowKeys.findByte(key, s%d, (byte) %s) + 1;\n    if (s%d == 0) %s", i+1, i, flip(c), i+1, bad)
		return
	case c.Text != nil && c.Text.Frame == code.Groups:
		g.p("    int s%d = RowKeys.groupsEnd(key, s%d, %s);", i+1, i, flip(c))
	case c.Decimal() != form.NoDecimal:
		g.p("    int s%d = RowKeys.decimalEnd(key, s%d, %s);", i+1, i, flip(c))
	case c.Num != nil:
		g.p("    int s%d = RowKeys.varintEnd(key, s%d, %s);", i+1, i, flip(c))
	case c.Text.Frame == code.Escaped:
		g.p("    int s%d = RowKeys.escapedEnd(key, s%d, %s);", i+1, i, flip(c))
	case c.Text.Frame == code.ByLength:
		g.p("    int s%d = RowKeys.lengthEnd(key, s%d, %d, %s);", i+1, i, c.Text.N, flip(c))
	default:
		panic("gen: a form without an end")
	}
	g.p("    if (s%d < 0) %s", i+1, bad)
}

// malformed is the statement that refuses a field of a key.
func (g *java) malformed(f *code.Comp) string {
	return fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.MALFORMED, s%d, \"not a value of this field\");", g.fieldOf(f), f.Index)
}

// verify prints the check of a salt or hash.
func (g *java) verify(c *code.Comp) {
	i := c.Index
	bad := fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.DERIVED, s%d, \"does not match the fields\");", g.fieldOf(c), i)
	if c.Width == 0 {
		g.p("    byte[] g%d;\n    try {", i)
	} else {
		g.p("    byte[] g%d = new byte[%d];\n    try {", i, c.Width)
	}
	outer := g.nested()
	switch c.Sum.Input {
	case code.Rest:
		if g.s.Trims && c.Sum.Rule == digest.Phoenix {
			g.p("    if (s%d == key.length) %s", i+1, bad)
		}
		g.sum(c, fmt.Sprintf("Arrays.copyOfRange(key, s%d, key.length)", i+1))
	case code.Values, code.AsText, code.Stored, code.Format, code.MinMax:
		if !c.Sum.Late() {
			g.sum(c, g.input(c))
			break
		}
		var parts []string
		for k, f := range c.Sum.Of {
			if f.Of != nil { // of two faults the salt's is reported, so the copy is made again
				if !slices.Contains(c.Sum.Of[:k], f) {
					g.check(f)
				}
				parts = append(parts, g.storedForm(f))
			} else if c.Sum.OfForm(f) {
				parts = append(parts, fmt.Sprintf("Arrays.copyOfRange(key, s%d, s%d)", f.Index, f.Index+1))
				if f.Trim > 0 {
					parts = append(parts, fmt.Sprintf("RowKeys.latin(s%d == key.length ? %s : \"\")", f.Index+1, javaBytes(f.Trimmed())))
				}
			} else {
				parts = append(parts, g.valueBytes(f, c.Sum.Input))
			}
		}
		g.sum(c, "RowKeys.concat("+strings.Join(parts, ", ")+")")
	}
	if c.Width == 0 {
		g.p("    g%d = RowKeys.latin(Long.toString(h%d));", i, i)
		outer()
		g.p("    } catch (RowKeys.KeyException e) {\n      %s\n    }\n    if (g%d.length != s%d - s%d || !RowKeys.same(g%d, key, s%d)) %s", bad, i, i+1, i, i, i, bad)
		return
	}
	g.putSum(c, fmt.Sprintf("g%d", i), "0")
	outer()
	g.p("    } catch (RowKeys.KeyException e) {\n      %s\n    }\n    if (!RowKeys.same(g%d, key, s%d)) %s", bad, i, i, bad)
}

// guard prints the check of a salt or hash of what is not stored: it is a bucket, or digits of a digest.
func (g *java) guard(c *code.Comp) {
	i, from, to := c.Index, fmt.Sprintf("s%d", c.Index), fmt.Sprintf("s%d", c.Index+1)
	bad := fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.DERIVED, s%d, \"does not match the fields\");", g.fieldOf(c), i)
	switch {
	case c.Kind == code.Hash, c.Sum.Form == code.InLetters:
		g.p("    if (!RowKeys.only(Arrays.copyOfRange(key, %s, %s), %s)) %s", from, to, javaBytes(c.Bytes.Listed()), bad)
	case c.Sum.Form == code.InBytes:
		g.p("    if (Long.compareUnsigned(%s, %d) >= 0) %s", got("key", from, c.Width), c.Sum.Buckets, bad)
	case c.Sum.Form == code.InDigits, c.Sum.Form == code.InDecimal:
		call := map[code.BucketForm]string{code.InDigits: "digits", code.InDecimal: "plain"}[c.Sum.Form]
		g.p("    try {\n      if (Long.compareUnsigned(RowKeys.%s(key, %s, %s, %s, s%d), %d) >= 0) %s", call, from, to, g.fieldOf(c), i, c.Sum.Buckets, bad)
		g.p("    } catch (RowKeys.KeyException e) {\n      %s\n    }", bad)
	default:
		panic("gen: a bucket of no form")
	}
}

// verifyCopy prints the check of a copy, which is made again.
func (g *java) verifyCopy(c *code.Comp) {
	i := c.Index
	bad := fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.DERIVED, s%d, \"does not match the fields\");", g.fieldOf(c), i)
	g.p("    byte[] g%d;\n    try {", i)
	outer := g.nested()
	g.check(c)
	g.p("    g%d = %s;", i, g.storedForm(c))
	if c.Trim > 0 {
		g.p("    if (s%d == key.length) g%d = Arrays.copyOf(g%d, g%d.length - %d);", i+1, i, i, i, c.Trim)
	}
	outer()
	g.p("    } catch (RowKeys.KeyException e) {\n      %s\n    }\n    if (g%d.length != s%d - s%d || !RowKeys.same(g%d, key, s%d)) %s", bad, i, i+1, i, i, i, bad)
}

// readNullable prints t, the bytes of a text, or null.
func (g *java) readNullable(f *code.Comp) {
	i := f.Index
	cond := fmt.Sprintf("s%d < s%d", i, i+1)
	if len(f.Null) > 0 {
		cond += fmt.Sprintf(" && !(s%d - s%d == %d && RowKeys.at(key, s%d, %s))", i+1, i, len(f.Null), i, javaBytes(f.Null))
	}
	if f.Num != nil {
		g.p("    boolean z%d = !(%s);\n    long u%d = 0;\n    if (!z%d) {", i, cond, i, i)
		g.within(func() { g.readNumber(f) }, fmt.Sprintf("long u%d = ", i), fmt.Sprintf("u%d = ", i))
		g.p("    }")
		return
	}
	if f.Text.Decimal != form.NoDecimal {
		g.p("    BigDecimal x%d = null;\n    if (%s) {", i, cond)
		g.within(func() { g.readText(f) }, fmt.Sprintf("BigDecimal x%d = ", i), fmt.Sprintf("x%d = ", i))
		g.p("    }")
		return
	}
	g.p("    byte[] t%d = null;\n    if (%s) {", i, cond)
	replace := []string{fmt.Sprintf("byte[] t%d = ", i), fmt.Sprintf("t%d = ", i)}
	whole := fmt.Sprintf("    byte[] x%d = t%d;\n", i, i)
	if f.Kind == code.Binary {
		replace = append(replace, whole, "")
	}
	g.within(func() { g.readText(f) }, replace...)
	g.p("    }")
	if f.Kind == code.Binary {
		g.WriteString(whole)
	}
}

// readText prints t, the bytes of a text.
func (g *java) readText(f *code.Comp) {
	t, v, i := f.Text, fmt.Sprintf("t%d", f.Index), f.Index
	bad := g.malformed(f)
	if t.Decimal != form.NoDecimal {
		g.p("    BigDecimal x%d = RowKeys.undecimal(%s, %s, %t, %d, %d, s%d);", i, g.fieldOf(f), g.decimalForm(f), t.Decimal == form.Numeric, t.Digits, t.Scale, i)
		return
	}
	if f.Width > 0 { // its end was not looked for
		switch t.Frame {
		case code.ByLength:
			g.p("    if (RowKeys.lengthEnd(key, s%d, %d, %s) != s%d) %s", i, t.N, flip(f), i+1, bad)
		case code.Escaped:
			g.p("    if (RowKeys.escapedEnd(key, s%d, %s) != s%d) %s", i, flip(f), i+1, bad)
		case code.NoFrame, code.Fixed, code.Pad, code.PadLeft:
		}
	}
	g.p("    byte[] %s = Arrays.copyOfRange(key, s%d, s%d);", v, i, i+1)
	if t.InvertAll {
		g.p("    %s = RowKeys.invert(%s);", v, v)
	}
	if t.Head != 0 {
		g.p("    if (%s.length == 0 || %s[0] != %d) %s\n    %s = Arrays.copyOfRange(%s, 1, %s.length);", v, v, int8(t.Head), bad, v, v, v)
	}
	switch t.Frame {
	case code.Nul:
		if f.Trim > 0 {
			g.p("    if (%s.length > 0 && %s[%s.length - 1] != 0) %s = Arrays.copyOf(%s, %s.length + 1);", v, v, v, v, v, v)
		}
		g.p("    if (%s.length == 0 || RowKeys.findByte(%s, 0, (byte) 0) != %s.length - 1) %s\n    %s = Arrays.copyOf(%s, %s.length - 1);", v, v, v, bad, v, v, v)
	case code.Groups:
		g.p("    %s = RowKeys.ungroup(%s, %s, s%d);", v, g.fieldOf(f), v, i)
	case code.Pad:
		g.p("    %s = RowKeys.unpad(%s, (byte) %d);", v, v, int8(t.Fill))
	case code.PadLeft:
		g.p("    %s = RowKeys.unpadLeft(%s, (byte) %d);", v, v, int8(t.Fill))
	case code.Escaped:
		if f.Trim > 0 {
			g.p("    if (RowKeys.escapedEnd(%s, 0, 0) < 0) {\n      %s = RowKeys.concat(%s, new byte[] {0, 1});\n    }\n    if (RowKeys.escapedEnd(%s, 0, 0) != %s.length) %s", v, v, v, v, v, bad)
		}
		if t.Open {
			g.p("    %s = RowKeys.concat(%s, new byte[] {0, 1});\n    if (RowKeys.escapedEnd(%s, 0, 0) != %s.length) %s", v, v, v, v, bad)
		}
		g.p("    %s = RowKeys.unescape(%s);", v, v)
	case code.ByLength:
		g.p("    %s = Arrays.copyOfRange(%s, %d, %s.length);", v, v, t.N, v)
	case code.NoFrame, code.Fixed:
	}
	if t.Filled {
		g.p("    if (%s.length == 0) %s", v, bad)
	}
	for _, st := range slices.Backward(t.Steps) {
		if st.Word == code.UUID {
			g.p("    if (%s.length != 16) %s\n    %s = RowKeys.uuidText(%s);", v, bad, v, v)
			continue
		}
		g.p("    %s = %s;", v, g.step(st, v, g.fieldOf(f), fmt.Sprintf("s%d", i)))
	}
	if len(t.Codes) > 0 {
		g.p("    %s = RowKeys.swap(%s, CODES%d, VALUES%d);\n    if (%s == null) %s", v, v, i, i, v, bad)
	}
	g.textLimits(f, "MALFORMED", fmt.Sprintf("s%d", i))
	if f.Kind == code.Binary {
		g.p("    byte[] x%d = %s;", f.Index, v)
	}
}

// decimalForm is the form of a decimal number in a key, without its end.
func (g *java) decimalForm(f *code.Comp) string {
	form := fmt.Sprintf("Arrays.copyOfRange(key, s%d, s%d)", f.Index, f.Index+1)
	if f.Inverted() {
		form = "RowKeys.invert(" + form + ")"
	}
	if f.Nul() {
		form = "RowKeys.unended(" + form + ")"
	}
	return form
}

// got is a big-endian number.
func got(src, at string, n int) string {
	if src == "key" {
		switch n {
		case 1:
			return fmt.Sprintf("key[%s] & 0xffL", at)
		case 2:
			return fmt.Sprintf("buffer.getShort(%s) & 0xFFFFL", at)
		case 4:
			return fmt.Sprintf("buffer.getInt(%s) & 0xFFFFFFFFL", at)
		case 8:
			return fmt.Sprintf("buffer.getLong(%s)", at)
		}
	}
	return fmt.Sprintf("RowKeys.get(%s, %s, %d)", src, at, n)
}

// readNumber prints u, the number of a field.
func (g *java) readNumber(f *code.Comp) {
	n, u, bad := f.Num, fmt.Sprintf("u%d", f.Index), g.malformed(f)
	src, from, to := "key", fmt.Sprintf("s%d", f.Index), fmt.Sprintf("s%d", f.Index+1)
	where := fmt.Sprintf("%s, s%d", g.fieldOf(f), f.Index)
	if n.Head != 0 {
		g.p("    if (key[%s] != %d) %s", from, int8(n.Head), bad)
		from = plus(from, 1)
	}
	if n.How == code.Decimals {
		g.p("    long %s = RowKeys.unwhole(%s, %s, %t, %t, s%d);", u, g.fieldOf(f), g.decimalForm(f), n.Signed, n.Decimal == form.Numeric, f.Index)
		g.limits(f, bad)
		return
	}
	if n.Reverse || n.Invert {
		bytes := fmt.Sprintf("Arrays.copyOfRange(key, %s, %s)", from, to)
		if n.Reverse {
			bytes = "RowKeys.reverse(" + bytes + ")"
		}
		if n.Invert {
			bytes = "RowKeys.invert(" + bytes + ")"
		}
		g.p("    byte[] r%d = %s;", f.Index, bytes)
		src, from, to = fmt.Sprintf("r%d", f.Index), "0", fmt.Sprintf("r%d.length", f.Index)
	}
	switch n.How {
	case code.BigEndian:
		g.p("    long %s = %s;", u, g.masked(f, got(src, from, n.N)))
		if n.Signed && n.N < 8 {
			g.p("    %s = %s << %d >> %d;", u, u, 64-8*n.N, 64-8*n.N)
		}
	case code.Digits:
		g.p("    long %s = RowKeys.digits(%s, %s, %s, %s);", u, src, from, to, where)
		if n.Nines != 0 {
			g.p("    if (Long.compareUnsigned(%s, %s) > 0) %s\n    %s = %s - %s;", u, javaLong(n.Nines), bad, u, javaLong(n.Nines), u)
		}
		if n.Xor != 0 {
			g.p("    %s ^= %s;", u, javaLong(n.Xor))
		}
	case code.HexDigits:
		g.p("    long %s = %s;", u, g.masked(f, fmt.Sprintf("RowKeys.hex(%s, %s, %s, %s)", src, from, to, where)))
	case code.Plain:
		call := "plain"
		if n.Signed {
			call = "signed"
		}
		g.p("    long %s = %s;", u, g.masked(f, fmt.Sprintf("RowKeys.%s(%s, %s, %s, %s)", call, src, from, to, where)))
	case code.Varint:
		g.p("    long %s = %s;", u, g.masked(f, fmt.Sprintf("RowKeys.unvarint(%s, %s, %s, %s, %s)", src, from, to, flip(f), where)))
	case code.OneByte:
		flipped := ""
		if n.Xor != 0 {
			flipped = fmt.Sprintf(" ^ %d", n.Xor)
		}
		g.p("    int b%d = %s[%s] & 0xff%s;\n    if (b%d != 0 && b%d != %d) %s\n    long %s = b%d & 1;", f.Index, src, from, flipped, f.Index, f.Index, n.True, bad, u, f.Index)
	case code.FloatBits:
		x := g.masked(f, got(src, from, n.N))
		if n.Add != 0 {
			x = fmt.Sprintf("(%s) - %dL", x, n.Add)
		}
		if !n.Raw {
			x = fmt.Sprintf("RowKeys.rawFloat(%s, %d)", x, n.N)
		}
		g.p("    long %s = %s;", u, x)
		if n.N == 4 {
			g.p("    float v%d = Float.intBitsToFloat((int) %s);", f.Index, u)
		} else {
			g.p("    double v%d = Double.longBitsToDouble(%s);", f.Index, u)
		}
		g.p("    if (v%d != v%d) %s", f.Index, f.Index, bad)
		if !n.Zeros { // −0 is never written
			g.p("    if (%s == 1L << %d) %s", u, 8*n.N-1, bad)
		}
		if n.Positive {
			g.p("    if (v%d < 0) %s", f.Index, bad)
		}
		return
	case code.Timestamp:
		g.p("    long %s = RowKeys.timestamp(%s, %s, %s, %s, %s);", u, src, from, javaLong(n.Xor), javaLong(n.Rest), where)
	case code.DateText, code.DateNumber:
		if n.How == code.DateText {
			g.p("    long y%d = RowKeys.readDate(%s, %s, %s, %t, %s);", f.Index, src, from, javaString(n.Date.Pattern), n.Desc, where)
		} else {
			g.p("    long y%d = %s;", f.Index, g.masked(f, got(src, from, n.N)))
		}
		g.p("    long %s = RowKeys.dateSeconds(y%d, %d, %s) - %dL;", u, f.Index, n.Date.Elements, where, n.Date.Offset)
		g.p("    if (%s < %dL || %s > %dL) %s", u, n.IMin, u, n.IMax, bad)
		return
	}
	switch f.Kind {
	case code.Uint, code.Int, code.Time:
		g.limits(f, bad)
		if n.Truncate > 1 {
			g.p("    if (%s %% %dL != 0) %s", u, n.Truncate, bad)
		}
	case code.Literal, code.Salt, code.Hash, code.String, code.Binary, code.Float, code.Bool:
	}
}
