package layout

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// This file applies the options of one component, from left to right. Each OptX function
// says why its option does not fit where it stands; empty if it fits. The order of the
// steps is: the number, or the text and its stages; then the frame.

// Pipeline collects the options of one component, from left to right.
type Pipeline struct {
	c      *Component
	of     *Component             // the source of a copy, else nil
	seen   map[notation.Word]bool // the options so far
	around Dialect                // the dialect of the schema

	width  int           // of option Width; 0 if it is not set
	form   notation.Word // the option that says how a number is written, such as Digits; empty: none
	way    forms.Way     // what form asks for; the zero Way if there is none
	desc   bool          // option Desc is set
	below  uint64
	truncd time.Duration
}

// option applies one option, or says why it does not fit where it stands.
func (p *Pipeline) option(o *Option) string {
	w := o.Word()
	if p.seen[w] && !w.Stacks() {
		return "option " + string(w) + " stands twice"
	}
	if o.ToField == nil || !w.Takes(notation.FitsString<<(p.c.Kind-KindString)) {
		return p.misfit(w)
	}
	if problem := o.ToField(p); problem != "" {
		return problem
	}
	p.seen[w] = true
	return ""
}

// misfit is the problem of an option that does not fit this kind of component.
func (p *Pipeline) misfit(w notation.Word) string {
	return w.Misfit(p.c.Kind.String(), p.c.Unit.Lay != nil)
}

// OptFlag takes an option without a parameter. One flat switch over these words: each case is one
// option.
func (p *Pipeline) OptFlag(w notation.Word) string {
	c := p.c
	switch w {
	case notation.Desc:
		return p.optDesc()
	case notation.Reverse, notation.ReverseRune:
		return p.OptStage(Stage{Word: w})
	case notation.Escaped:
		return p.OptFrame(w, FrameEscaped, 0, 0)
	case notation.Numeric:
		return p.optNumeric()
	case notation.UUID:
		return p.optUUID()
	case notation.NotStored:
		c.Absent = true
	case notation.Optional:
		if !c.Dialect.framed() || p.of != nil {
			return p.misfit(w)
		}
		c.Optional = true
	case notation.Unsigned:
		if c.Dialect != InPhoenix || c.Unit.Lay != nil {
			return p.misfit(w)
		}
		c.Unsigned = true
		return p.topFits() // unsigned, the largest number is twice as large
	case notation.BlobCopy:
		if c.Dialect != InOrderedBytes || c.Kind != KindBinary {
			return p.misfit(w)
		}
		c.blobCopy = true
	case notation.Bucket:
		if p.of != nil {
			return "option bucket does not fit a copy, which is no choice of the writer's"
		}
		c.Bucket = true
	case notation.Loose:
		if c.Dialect.framed() {
			return p.misfit(w)
		}
		c.Loose = true
	}
	return ""
}

// OptDialect checks a dialect; compileField has set it before all other options.
func (p *Pipeline) OptDialect(d Dialect) string {
	if !d.Valid() {
		return "unknown dialect"
	}
	if d == InHBase && p.c.IsText() && !p.around.framed() {
		return p.misfit(notation.DialectOption)
	}
	return ""
}

// OptBelow limits a number.
func (p *Pipeline) OptBelow(n uint64) string {
	c := p.c
	if c.Unit.Lay != nil {
		return p.misfit(notation.Below)
	}
	if n == 0 {
		return "Below(0) admits nothing"
	}
	p.below, c.Below = n, true
	return ""
}

// OptYears limits a time.
func (p *Pipeline) OptYears(first, last int) string {
	if first < 1970 || last < first || last > 9999 {
		return fmt.Sprintf("Years(%d, %d) is not a span within 1970 to 9999", first, last)
	}
	p.c.Years = [2]int{first, last}
	return ""
}

func (p *Pipeline) OptTruncate(d time.Duration) string {
	if p.c.Unit.Lay != nil {
		return p.misfit(notation.Truncate)
	}
	p.truncd = d
	return ""
}

// OptUnit sets the unit of a Copy.
func (p *Pipeline) OptUnit(u clock.Unit) string {
	if p.of == nil || p.c.Kind != KindTime {
		return "a unit as an option fits the Copy of a Time only"
	}
	if len(p.seen) > 0 && !(len(p.seen) == 1 && p.seen[notation.NotStored]) {
		return "the unit stands first"
	}
	p.c.Unit = u
	return ""
}

// limited notes that the values of a text are limited. It is a problem if Codes limits them
// already.
func (p *Pipeline) limited() string {
	c := p.c
	c.Limited = true
	if c.Codes != nil && (c.OneOf != nil || c.Chars != nil || c.Least > 0) {
		return "Codes is a limit already: leave out OneOf, Chars and MinLen"
	}
	return ""
}

func (p *Pipeline) OptMinLen(n int) string {
	if n < 1 || n > forms.MaxKey {
		return fmt.Sprintf("MinLen(%d) is not within 1 to %d", n, forms.MaxKey)
	}
	p.c.Least = n
	return p.limited()
}

func (p *Pipeline) OptChars(chars string) string {
	if chars == "" {
		return "Chars names at least one byte"
	}
	set := forms.BytesOf(chars)
	p.c.Chars = &set
	return p.limited()
}

func (p *Pipeline) OptOneOf(values []string) string {
	if len(values) == 0 {
		return "OneOf names at least one value"
	}
	p.c.OneOf = make(map[string]struct{})
	for _, v := range values {
		p.c.OneOf[v] = struct{}{}
	}
	return p.limited()
}

func (p *Pipeline) OptCodes(codeOf map[string]string) string {
	c := p.c
	switch {
	case p.started():
		return "Codes stands before the options that change the text"
	case len(codeOf) == 0:
		return "Codes names at least one value"
	}
	c.Codes, c.valueOf = codeOf, make(map[string]string)
	for v, code := range codeOf {
		if other, ok := c.valueOf[code]; ok {
			return fmt.Sprintf("Codes gives %q and %q one code", min(v, other), max(v, other))
		}
		c.valueOf[code] = v
	}
	return p.limited()
}

func (p *Pipeline) OptWidth(n int) string {
	c := p.c
	switch {
	case c.Dialect.framed():
		return p.misfit(notation.Width)
	case p.form != "":
		return "Width and " + string(p.form) + " both say how wide"
	case p.desc:
		return "Width stands before Desc: Width(4), Desc is MaxInt32 − v"
	case p.started():
		return "Width stands before the options that change bytes"
	case n < 1 || n > c.Size:
		return fmt.Sprintf("Width(%d) is not within 1 to the %d bytes of its values", n, c.Size)
	case c.Unit.Lay != nil && !c.Unit.Lay.AllDigits():
		return "Width fits a Layout of digits only"
	}
	p.width = n
	return ""
}

// OptText sets how a number is written: Digits, HexDigits, Decimal and so on.
func (p *Pipeline) OptText(w notation.Word, way forms.Way) string {
	c := p.c
	n, most := way.N, way.MostDigits()
	switch {
	case c.Unit.Lay != nil, c.Dialect == InOrderedBytes, c.Dialect == InPhoenix && most == 0, c.Decimal != forms.NoDecimal:
		return p.misfit(w)
	case p.form != "":
		return string(w) + " and " + string(p.form) + " both say how it is written"
	case p.width != 0 && !p.desc:
		return "Width and " + string(w) + " both say how wide"
	case p.started():
		return string(w) + " stands before the options that change bytes"
	case most != 0 && (n < 1 || n > most):
		return fmt.Sprintf("%s(%d) is not within 1 to %d", w.InGo(), n, most)
	}
	if p.desc && c.Kind == KindInt {
		return descSigned
	}
	p.form, p.way = w, way
	return p.topFits()
}

// topFits refuses too few digits for Desc, which writes the largest number of the type minus
// the value: max-ms(at) digits(19) is 9223372036854775807 − v, of 19 digits. An unsigned
// time needs 20 digits: 18446744073709551615 − v.
func (p *Pipeline) topFits() string {
	if top := p.top(); p.desc && p.form != "" && p.way.Most() < top {
		why := fmt.Sprintf("%s(%d) cannot hold %d, the largest of the type, from which Desc takes the value", p.form, p.way.N, top)
		if p.form == notation.Digits {
			why += fmt.Sprintf("; Desc after %s(%d) takes it from %s", p.form, p.way.N, strings.Repeat("9", p.way.N))
		}
		return why
	}
	return ""
}

// started reports that there is a stage or a frame.
func (p *Pipeline) started() bool { return len(p.c.Stages) > 0 || p.c.Frame != NoFrame }

// open reports a number of varying length that needs a frame or a separator.
func (p *Pipeline) open() bool { return p.way.As == forms.InPlain }

// endsItself reports a number of varying length whose bytes say where it ends.
func (p *Pipeline) endsItself() bool { return p.way.As == forms.InVarint }

// inBytes reports a number that is not written as text.
func (p *Pipeline) inBytes() bool {
	if p.form != "" {
		return p.endsItself()
	}
	return !p.c.IsText() && (p.c.Unit.Lay == nil || p.width != 0)
}

// top is the largest number of the type; Desc writes top − v.
func (p *Pipeline) top() uint64 {
	switch c := p.c; {
	case p.width != 0:
		return forms.Mask(p.width) >> 1
	case c.Kind == KindUint:
		return forms.Mask(c.Size)
	case c.Unsigned:
		return forms.Mask(8)
	default:
		return MaxInt64
	}
}

// optDesc has the field written so that its bytes sort backward: of a text all bytes are
// inverted, "ab" is 9e 9d; of a number the largest less the number is written.
func (p *Pipeline) optDesc() string {
	c := p.c
	text := c.IsText() || p.form != "" || c.Unit.Lay != nil || c.Decimal != forms.NoDecimal
	if c.Dialect.framed() && text { // these dialects invert all bytes at the end
		c.InvertAll = true
		return ""
	}
	p.desc = true
	switch {
	case !c.IsText():
		return p.descNumber()
	case c.Frame != NoFrame:
		c.InvertAll = true
	default:
		c.Stages = append(c.Stages, Stage{Word: notation.Desc})
	}
	return ""
}

// descNumber says why Desc does not fit a number; empty if it fits.
func (p *Pipeline) descNumber() string {
	c := p.c
	switch {
	case c.Kind == KindBool && c.Dialect != InPhoenix:
		return "option desc does not fit a bool, but in Phoenix: say Uint, 1 byte, Below(2)"
	case p.started():
		return "Desc stands before the options that change bytes"
	case c.Kind == KindFloat && c.Dialect == InHBase && (p.around == InHBase || p.seen[notation.DialectOption]):
		return "Desc does not fit raw IEEE bits, which are not ordered"
	case p.form == notation.Decimal && c.Kind == KindInt:
		return descSigned
	case p.form == notation.Decimal:
		return "Decimal, Desc has no digits to complement: Desc, Decimal writes the largest of the type − v"
	case p.way == forms.Way{As: forms.InDigits, N: 20}:
		return "Digits(20), Desc does not fit 64 bits: Desc, Digits(20) writes the largest of the type − v"
	case p.way == forms.Way{As: forms.InDigits, N: 19}:
		return p.nineteenNines()
	case c.Unit.Lay != nil && !c.Unit.Lay.AllDigits():
		return "Desc fits a Layout of digits only"
	}
	return ""
}

// OptStage adds a step that changes the bytes written so far.
func (p *Pipeline) OptStage(st Stage) string {
	c := p.c
	for _, check := range [...]func(Stage) string{p.stageStands, p.stageDoes, c.leavesCharacters} {
		if problem := check(st); problem != "" {
			return problem
		}
	}
	c.checkFixed()
	c.Stages = append(c.Stages, st)
	return ""
}

// checkFixed has the length that Fixed says checked by a stage, so that its error comes before those of later stages.
func (c *Component) checkFixed() {
	if c.Frame == FrameFixed && !slices.ContainsFunc(c.Stages, func(st Stage) bool { return st.Word == notation.Fixed }) {
		c.Stages = append(c.Stages, Stage{Word: notation.Fixed, To: c.Width})
	}
}

// stageStands says why a stage does not fit this kind of component, or does not fit after
// the options so far; empty if it fits.
func (p *Pipeline) stageStands(st Stage) string {
	c := p.c
	word := string(st.Word)
	switch {
	case c.Kind == KindBool, p.inBytes() && (st.Word != notation.Reverse || c.Dialect.framed()), c.Decimal != forms.NoDecimal:
		return p.misfit(st.Word)
	case c.Dialect.framed() && c.InvertAll:
		return word + " stands before desc, which inverts all of a field"
	case p.endsItself():
		return word + " does not fit " + string(p.form) + ": in another order its bytes do not say where a number ends"
	case c.Frame == NoFrame:
	case c.Frame != FrameFixed || st.cuts(): // Fixed changes no byte
		return word + " stands before the option that ends the field"
	}
	return ""
}

// stageDoes says why a stage of these parameters changes nothing, or cannot be undone; empty
// if it is good.
func (p *Pipeline) stageDoes(st Stage) string {
	switch st.Word {
	case notation.ReverseLabels:
		if len(st.Sep) == 0 || forms.EndsAsBegins(st.Sep, st.Sep) {
			return fmt.Sprintf("ReverseLabels(%q) needs a separator that cannot overlap itself", st.Sep)
		}
	case notation.ReversePart:
		if st.From < 0 || st.To-st.From < 2 {
			return fmt.Sprintf("ReversePart(%d, %d) reverses nothing", st.From, st.To)
		}
	case notation.Left, notation.Right:
		if p.of == nil || !p.c.IsText() {
			return string(st.Word) + " fits the Copy of a text only"
		}
		if st.To < 1 {
			return fmt.Sprintf("%s(%d) keeps nothing", st.Word, st.To)
		}
	}
	return ""
}

// leavesCharacters says which earlier option leaves no characters to a stage that reverses
// characters or labels; empty if none does.
func (c *Component) leavesCharacters(st Stage) string {
	runes := st.Word == notation.ReverseRune
	if !runes && st.Word != notation.ReverseLabels {
		return ""
	}
	if c.InvertAll {
		return string(st.Word) + " stands before desc, which leaves no characters"
	}
	for _, before := range c.Stages {
		switch before.Word {
		case notation.ReverseRune, notation.ReverseLabels, notation.Fixed:
			continue
		}
		if runes || before.Word == notation.Desc {
			return string(st.Word) + " stands before " + string(before.Word) + ", which leaves no characters"
		}
	}
	return ""
}

// OptFrame says how the bytes end.
func (p *Pipeline) OptFrame(w notation.Word, frame frameKind, n int, pad byte) string {
	c := p.c
	switch {
	case p.endsItself() && c.Vias == 0:
		return string(w) + " does not fit " + string(p.form) + ": its bytes say where a number ends"
	case !c.IsText() && !p.open() && c.Vias == 0:
		return string(w) + " does not fit: the field has its width already"
	case c.Dialect == InOrderedBytes, c.Decimal != forms.NoDecimal, c.Dialect == InPhoenix && w == notation.LenPrefix:
		return string(w) + " does not fit: the dialect says how the field ends"
	case c.Dialect == InPhoenix && c.InvertAll:
		return string(w) + " stands before desc, which inverts all of a field"
	case c.Frame != NoFrame:
		return "one of Fixed, Pad, PadLeft, Escaped and LenPrefix at most"
	case w == notation.LenPrefix && (n < 1 || n > mostLength):
		return fmt.Sprintf("LenPrefix(%d) is not within 1 to %d", n, mostLength)
	case w != notation.Escaped && (n < 1 || n > forms.MaxKey):
		return fmt.Sprintf("%s(%d) is not within 1 to %d", w, n, forms.MaxKey)
	}
	c.Frame, c.Width, c.Pad = frame, n, pad
	return ""
}

// optNumeric makes a text or an integer a decimal number.
func (p *Pipeline) optNumeric() string {
	c := p.c
	switch {
	case !c.Dialect.framed(), p.of != nil && c.IsText():
		return p.misfit(notation.Numeric)
	case p.form != "":
		return string(p.form) + " and Numeric both say how it is written"
	case p.desc || c.InvertAll:
		return "Numeric stands before Desc, which inverts all of a field"
	case p.started():
		return "Numeric stands before the options that change bytes"
	}
	c.Decimal = decimalOf(c.Dialect)
	return ""
}

// OptPrecision sets the limits of digits. precise checks later that the field is a Numeric.
func (p *Pipeline) OptPrecision(digits, scale int) string {
	c := p.c
	most, _ := decimalOf(c.Dialect).Most()
	switch {
	case !c.Dialect.framed():
		return p.misfit(notation.Precision)
	case digits < 1 || digits > most:
		return fmt.Sprintf("interop.Precision(%d, %d): the digits are not within 1 to %d", digits, scale, most)
	case scale < 0 || scale > digits:
		return fmt.Sprintf("interop.Precision(%d, %d): the digits after the point are not within 0 to %d", digits, scale, digits)
	}
	c.Precision = precision{digits, scale}
	return ""
}

// optUUID adds the stage that packs the text of a UUID.
func (p *Pipeline) optUUID() string {
	c := p.c
	switch {
	case c.Kind != KindString || c.Decimal != forms.NoDecimal:
		return p.misfit(notation.UUID)
	case c.Dialect.framed():
		return "UUID does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase"
	case c.Codes != nil:
		return "Codes and UUID both say what is written"
	case p.started():
		return "UUID stands before the options that change bytes"
	}
	c.Stages = append(c.Stages, Stage{Word: notation.UUID})
	return ""
}

// nineteenNines refuses Digits(19), Desc. It would write 9999999999999999999 − v, above
// Java's largest long, 9223372036854775807, so no Java program writes such keys. Most
// often Long.MAX_VALUE − v in 19 digits is meant (Desc, Digits(19)): of 1684203630002 it
// is "9223370352651145805".
func (p *Pipeline) nineteenNines() string {
	const why = "Digits(19), Desc takes the value from 9999999999999999999, above Java's largest long: "
	if p.c.Kind == KindTime {
		return why + "say Desc, Digits(19), which is Long.MAX_VALUE − v"
	}
	top := p.top()
	return why + fmt.Sprintf("say Digits(18), Desc, or Desc, Digits(%d), which is %d − v", forms.DigitsLen(top), top)
}

// mostLength is the largest width of a length before a text, in bytes.
const mostLength = 4
