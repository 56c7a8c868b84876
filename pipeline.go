package rowkey

import (
	"fmt"
	"slices"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// The options of one component, left to right. Each has its place in the stages of a
// value: number, text or bytes, frame; and says why it does not fit where it stands.

// pipeline collects the options of one component, left to right.
type pipeline struct {
	c       *component
	of      *component
	numeric bool
	seen    map[word]bool
	around  Dialect // the schema's

	width   int // Width, 0 if not said
	form    word
	digits  int
	desc    bool // said, anywhere
	below   uint64
	truncd  time.Duration
	oneOf   []string
	started bool // a stage or a frame stands
	via     bool // a transform stands
}

func (p *pipeline) option(o opt) string {
	c := p.c
	if p.seen[o.word] && !o.word.Stacks() {
		return "option " + string(o.word) + " stands twice"
	}
	number := c.kind == kindUint || c.kind == kindTime
	lay := c.unit.lay != nil
	misfit := o.word.Misfit(c.kind.String(), lay)
	switch o.word {
	case wNotStored:
		c.absent = true
	case wDialect:
		if !o.dial.valid() {
			return "unknown dialect"
		}
		if o.dial == HBase && !p.numeric && !p.around.framed() {
			return misfit
		}
	case wNumeric:
		return p.optNumeric(misfit)
	case wOptional:
		if !c.dialect.framed() || p.of != nil {
			return misfit
		}
		c.optional = true
	case wPrecision:
		return p.optPrecision(o, misfit)
	case wUnsigned:
		if c.dialect != Phoenix || c.kind != kindFloat && c.kind != kindTime || lay {
			return misfit
		}
		c.unsigned = true
	case wBlobCopy:
		if c.dialect != OrderedBytes || c.kind != kindBinary {
			return misfit
		}
		c.blobCopy = true
	case wBelow, wYears, wTruncate, wUnit:
		if problem := p.optNumber(o, misfit); problem != "" {
			return problem
		}
	case wOneOf, wCodes, wChars, wMinLen:
		if p.numeric {
			return misfit
		}
		return p.limit(o)
	case wUUID:
		return p.optUUID(misfit)
	case wWidth:
		return p.optWidth(o, misfit)
	case wDigits, wHexDigits, wDecimal:
		return p.optText(o, misfit, (number || c.kind == kindInt && o.word == wDecimal) && !lay)
	case wDesc:
		return p.optDesc()
	case wReverse, wReverseRune, wReverseLabels, wReversePart, wLeft, wRight:
		return p.optStage(o, misfit)
	case wFixed, wPad, wPadLeft, wEscaped, wLenPrefix:
		return p.optFrame(o)
	case wVia:
		return p.optVia(o)
	case wBucket:
		if p.of != nil {
			return "option bucket does not fit a copy, which is no choice of the writer's"
		}
		c.bucket = true
	case wLoose:
		if c.dialect.framed() {
			return misfit
		}
		c.loose = true
	default:
		return misfit
	}
	p.seen[o.word] = true
	return ""
}

// optNumber takes what limits a number, and the unit of a Copy.
func (p *pipeline) optNumber(o opt, misfit string) string {
	c := p.c
	lay := c.unit.lay != nil
	switch o.word {
	case wBelow:
		if c.kind != kindUint && c.kind != kindTime && c.kind != kindInt || lay {
			return misfit
		}
		if o.u == 0 {
			return "Below(0) admits nothing"
		}
		p.below, c.below = o.u, true
	case wYears:
		if c.kind != kindTime {
			return misfit
		}
		if o.n < 1970 || o.m < o.n || o.m > 9999 {
			return fmt.Sprintf("Years(%d, %d) is not a span within 1970 to 9999", o.n, o.m)
		}
		c.years = [2]int{o.n, o.m}
	case wTruncate:
		if c.kind != kindTime || lay {
			return misfit
		}
		p.truncd = o.d
	case wUnit:
		if p.of == nil || c.kind != kindTime {
			return "a unit as an option fits the Copy of a Time only"
		}
		if len(p.seen) > 0 && !(len(p.seen) == 1 && p.seen[wNotStored]) {
			return "the unit stands first"
		}
		c.unit = o.unit
	}
	return ""
}

// limit takes what limits a text.
func (p *pipeline) limit(o opt) string {
	c := p.c
	p.seen[o.word] = true
	c.limited = true
	switch o.word {
	case wMinLen:
		if problem := p.minLen(o.n); problem != "" {
			return problem
		}
	case wChars:
		if o.s == "" {
			return "Chars names at least one byte"
		}
		set := bytesOf(o.s)
		c.chars = &set
	case wOneOf:
		if len(o.set) == 0 {
			return "OneOf names at least one value"
		}
		p.oneOf = slices.Clone(o.set)
		slices.Sort(p.oneOf)
		c.oneOf = make(map[string]struct{})
		for _, v := range p.oneOf {
			c.oneOf[v] = struct{}{}
		}
		p.oneOf = slices.Compact(p.oneOf)
	case wCodes:
		if p.started {
			return "Codes stands before the options that change the text"
		}
		if len(o.code) == 0 {
			return "Codes names at least one value"
		}
		c.codes, c.valueOf = o.code, make(map[string]string)
		for v, code := range o.code {
			if other, ok := c.valueOf[code]; ok {
				return fmt.Sprintf("Codes gives %q and %q one code", min(v, other), max(v, other))
			}
			c.valueOf[code] = v
		}
	}
	if c.codes != nil && (c.oneOf != nil || c.chars != nil || c.least > 0) {
		return "Codes is a limit already: leave out OneOf, Chars and MinLen"
	}
	return ""
}

func (p *pipeline) optWidth(o opt, misfit string) string {
	c := p.c
	switch {
	case c.kind != kindUint && c.kind != kindInt && c.kind != kindTime, c.dialect.framed():
		return misfit
	case p.form != "":
		return "Width and " + string(p.form) + " both say how wide"
	case p.desc:
		return "Width stands before Desc: Width(4), Desc is MaxInt32 − v"
	case p.started:
		return "Width stands before the options that change bytes"
	case o.n < 1 || o.n > c.size:
		return fmt.Sprintf("Width(%d) is not within 1 to the %d bytes of its values", o.n, c.size)
	case c.unit.lay != nil && !c.unit.lay.AllDigits:
		return "Width fits a Layout of digits only"
	}
	p.width = o.n
	p.seen[wWidth] = true
	return ""
}

func (p *pipeline) optText(o opt, misfit string, fits bool) string {
	c := p.c
	switch {
	case !fits, c.dialect == OrderedBytes, c.dialect == Phoenix && o.word == wDecimal, c.decimal != forms.NoDecimal:
		return misfit
	case p.form != "":
		return string(o.word) + " and " + string(p.form) + " both say how it is written"
	case p.width != 0 && !p.desc:
		return "Width and " + string(o.word) + " both say how wide"
	case p.started:
		return string(o.word) + " stands before the options that change bytes"
	case o.word == wDigits && (o.n < 1 || o.n > 20):
		return fmt.Sprintf("Digits(%d) is not within 1 to 20", o.n)
	case o.word == wHexDigits && (o.n < 1 || o.n > 16):
		return fmt.Sprintf("HexDigits(%d) is not within 1 to 16", o.n)
	}
	if p.desc && c.kind == kindInt {
		return descSigned
	}
	p.form, p.digits = o.word, o.n
	if p.desc {
		if top := p.top(); o.word == wDigits && forms.DigitsLen(top) > o.n || o.word == wHexDigits && o.n < 16 && top>>(4*o.n) != 0 {
			return fmt.Sprintf("%s(%d) cannot hold %d, the largest of the type, from which Desc takes the value", o.word, o.n, top)
		}
	}
	p.seen[o.word] = true
	return ""
}

// top is the largest of the type, from which Desc takes the value.
func (p *pipeline) top() uint64 {
	switch c := p.c; {
	case p.width != 0:
		return forms.Mask(p.width) >> 1
	case c.kind == kindUint:
		return forms.Mask(c.size)
	case c.unsigned:
		return forms.Mask(8)
	default:
		return maxInt64
	}
}

func (p *pipeline) optDesc() string {
	c := p.c
	p.seen[wDesc] = true
	text := !p.numeric || p.form != "" || c.unit.lay != nil || c.decimal != forms.NoDecimal
	if c.dialect.framed() && text { // of all bytes, once they are there
		c.invertAll = true
		return ""
	}
	p.desc = true
	switch {
	case c.kind == kindBool && c.dialect != Phoenix:
		return "option desc does not fit a bool, but in Phoenix: say Uint, 1 byte, Below(2)"
	case !p.numeric && c.frame != noFrame:
		c.invertAll = true
	case !p.numeric:
		c.stages = append(c.stages, stage{word: wDesc})
		p.started = true
	case p.started:
		return "Desc stands before the options that change bytes"
	case c.kind == kindFloat && c.hbase && (p.around == HBase || p.seen[wDialect]):
		return "Desc does not fit raw IEEE bits, which are not ordered"
	case p.form == wDecimal && c.kind == kindInt:
		return descSigned
	case p.form == wDecimal:
		return "Decimal, Desc has no digits to complement: Desc, Decimal writes the largest of the type − v"
	case p.form == wDigits && p.digits == 20:
		return "Digits(20), Desc does not fit 64 bits: Desc, Digits(20) writes the largest of the type − v"
	case p.form == wDigits && p.digits == 19:
		return p.nineteenNines()
	case c.unit.lay != nil && !c.unit.lay.AllDigits:
		return "Desc fits a Layout of digits only"
	}
	return ""
}

func (p *pipeline) optStage(o opt, misfit string) string {
	c := p.c
	binary := p.numeric && p.form == "" && !(c.unit.lay != nil && p.width == 0)
	if c.kind == kindBool || binary && (o.word != wReverse || c.dialect.framed()) || c.decimal != forms.NoDecimal {
		return misfit
	}
	if c.dialect.framed() && c.invertAll {
		return string(o.word) + " stands before desc, which inverts all of a field"
	}
	if c.frame != noFrame && (c.frame != frameFixed || o.word == wLeft || o.word == wRight) { // Fixed changes no byte
		return string(o.word) + " stands before the option that ends the field"
	}
	st := stage{word: o.word, from: o.n, to: o.m}
	if c.frame == frameFixed && !p.seen[wFixed+"!"] { // judged in its turn, so that its error comes first
		c.stages = append(c.stages, stage{word: wFixed, to: c.width})
		p.seen[wFixed+"!"] = true
	}
	switch o.word {
	case wReverseLabels:
		if o.s == "" || border([]byte(o.s)) {
			return fmt.Sprintf("ReverseLabels(%q) needs a separator that cannot overlap itself", o.s)
		}
		st.sep = []byte(o.s)
	case wReversePart:
		if o.n < 0 || o.m-o.n < 2 {
			return fmt.Sprintf("ReversePart(%d, %d) reverses nothing", o.n, o.m)
		}
	case wLeft, wRight:
		if p.of == nil || p.numeric {
			return string(o.word) + " fits the Copy of a text only"
		}
		if o.n < 1 {
			return fmt.Sprintf("%s(%d) keeps nothing", o.word, o.n)
		}
		st.to = o.n
	}
	if c.invertAll && (o.word == wReverseRune || o.word == wReverseLabels) {
		return string(o.word) + " stands before desc, which leaves no characters"
	}
	for _, before := range c.stages {
		text := o.word == wReverseRune || o.word == wReverseLabels
		if text && before.word == wDesc || o.word == wReverseRune && before.word != wReverseRune && before.word != wReverseLabels && before.word != wFixed {
			return string(o.word) + " stands before " + string(before.word) + ", which leaves no characters"
		}
	}
	c.stages = append(c.stages, st)
	p.started = true
	p.seen[o.word] = true
	return ""
}

func (p *pipeline) optFrame(o opt) string {
	c := p.c
	switch {
	case p.numeric && p.form != wDecimal && !p.via:
		return string(o.word) + " does not fit: the field has its width already"
	case c.dialect == OrderedBytes, c.decimal != forms.NoDecimal, c.dialect == Phoenix && o.word == wLenPrefix:
		return string(o.word) + " does not fit: the dialect says how the field ends"
	case c.dialect == Phoenix && c.invertAll:
		return string(o.word) + " stands before desc, which inverts all of a field"
	case c.frame != noFrame:
		return "one of Fixed, Pad, PadLeft, Escaped and LenPrefix at most"
	case o.word == wLenPrefix && (o.n < 1 || o.n > mostLength):
		return fmt.Sprintf("LenPrefix(%d) is not within 1 to %d", o.n, mostLength)
	case o.word != wEscaped && (o.n < 1 || o.n > maxKey):
		return fmt.Sprintf("%s(%d) is not within 1 to %d", o.word, o.n, maxKey)
	}
	c.frame = map[word]frameKind{wFixed: frameFixed, wPad: framePad, wPadLeft: framePadLeft, wEscaped: frameEscaped, wLenPrefix: frameLength}[o.word]
	c.width, c.pad = o.n, o.b
	p.started = true
	p.seen[o.word] = true
	return ""
}

// optNumeric makes a text, or an integer, a decimal number.
func (p *pipeline) optNumeric(misfit string) string {
	c := p.c
	switch {
	case !c.dialect.framed(), c.kind != kindString && c.kind != kindUint && c.kind != kindInt, p.of != nil && !p.numeric:
		return misfit
	case p.form != "":
		return string(p.form) + " and Numeric both say how it is written"
	case p.desc || c.invertAll:
		return "Numeric stands before Desc, which inverts all of a field"
	case p.started:
		return "Numeric stands before the options that change bytes"
	}
	c.decimal = decimalOf(c.dialect)
	p.seen[wNumeric] = true
	return ""
}

// optPrecision takes the limits; that the field is a Numeric is seen at the end.
func (p *pipeline) optPrecision(o opt, misfit string) string {
	c := p.c
	most, _ := decimalOf(c.dialect).Most()
	switch {
	case !c.dialect.framed(), c.kind != kindString && c.kind != kindUint && c.kind != kindInt:
		return misfit
	case o.n < 1 || o.n > most:
		return fmt.Sprintf("Precision(%d, %d): the digits are not within 1 to %d", o.n, o.m, most)
	case o.m < 0 || o.m > o.n:
		return fmt.Sprintf("Precision(%d, %d): the digits behind the point are not within 0 to %d", o.n, o.m, o.n)
	}
	c.precision = precision{o.n, o.m}
	p.seen[wPrecision] = true
	return ""
}

// optUUID adds the step to a text's pipeline.
func (p *pipeline) optUUID(misfit string) string {
	c := p.c
	switch {
	case c.kind != kindString || c.decimal != forms.NoDecimal:
		return misfit
	case c.dialect.framed():
		return "UUID does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase"
	case c.codes != nil:
		return "Codes and UUID both say what is written"
	case p.started:
		return "UUID stands before the options that change bytes"
	}
	c.stages = append(c.stages, stage{word: wUUID})
	p.started = true
	p.seen[wUUID] = true
	return ""
}

// minLen compiles MinLen.
func (p *pipeline) minLen(n int) string {
	if n < 1 || n > maxKey {
		return fmt.Sprintf("MinLen(%d) is not within 1 to %d", n, maxKey)
	}
	p.c.least = n
	return ""
}

// nineteenNines refuses Digits(19), Desc. It would write 9999999999999999999 − v,
// and Java's largest long is 9223372036854775807: no Java program has such a key.
// What is meant is most often Long.MAX_VALUE − v in 19 digits: for 1684203630002
// that is 9223370352651145805.
func (p *pipeline) nineteenNines() string {
	const why = "Digits(19), Desc takes the value from 9999999999999999999, above Java's largest long: "
	if p.c.kind == kindTime {
		return why + "say Desc, Digits(19), which is Long.MAX_VALUE − v"
	}
	top := p.top()
	return why + fmt.Sprintf("say Digits(18), Desc, or Desc, Digits(%d), which is %d − v", forms.DigitsLen(top), top)
}

// mostLength is the most bytes of a length.
const mostLength = 4
