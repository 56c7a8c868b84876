package rowkey

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Build in three passes: each component's options become its pipeline and its
// shape; the shapes decide how a key is taken apart; the order of the fields
// decides when each derived component can be written.

func (s *Schema) compile(opts []opt, decls []*declaration) error {
	dialect := Dialect(0)
	for _, o := range opts {
		switch {
		case o.word == wDialect && o.dial.valid() && dialect == 0:
			dialect = o.dial
		case o.word == wMaxLen && o.n >= 1 && o.n <= maxKey:
			s.maxLen = o.n
		case o.word == wMaxLen:
			return s.errBuild("", fmt.Sprintf("MaxLen(%d) is not within 1 to HBase's %d", o.n, maxKey))
		default:
			return s.errBuild("", fmt.Sprintf("New takes a Dialect and MaxLen, not %s", o.word))
		}
	}
	s.comps = make([]component, len(decls))
	if err := s.nameAll(decls); err != nil {
		return err
	}
	for pass := range 3 { // fields and constants, then their copies, then what is computed of both
		for i := range s.comps {
			c := &s.comps[i]
			if (pass == 0) != (c.role <= roleLiteral) || (pass == 1) != (c.role == roleCopy) {
				continue
			}
			c.dialect = dialect
			var problem string
			switch c.role {
			case roleLiteral:
				problem = c.compileLiteral()
			case roleField:
				problem = c.compileField(nil)
			case roleCopy:
				problem = s.compileCopy(c)
			default:
				problem = s.compileDerived(c)
			}
			if problem != "" {
				return s.errBuild(c.name, problem)
			}
		}
	}
	if err := s.lay(); err != nil {
		return err
	}
	return s.order()
}

// nameAll gives the components their places and their names.
func (s *Schema) nameAll(decls []*declaration) error {
	s.byName = make(map[string]*component)
	count := map[role]int{}
	for i, d := range decls {
		c := &s.comps[i]
		c.decl, c.role, c.kind, c.name, c.index, c.ord = d, d.role, d.kind, d.name, i, -1
		if d.role == roleSalt || d.role == roleHash {
			count[d.role]++
			if c.name = d.kind.String(); count[d.role] > 1 {
				c.name += fmt.Sprint(count[d.role])
			}
			for _, o := range d.opts {
				if o.word == wNamed {
					c.name = o.s
				}
			}
		}
		if d.role == roleLiteral {
			continue
		}
		switch {
		case !notation.ValidName(c.name):
			return s.errBuild(c.name, "a name is made of letters, digits, '_', '-' and '.'")
		case s.byName[c.name] != nil:
			return s.errBuild(c.name, "the name stands twice: give one of them another")
		}
		s.byName[c.name] = c
		if d.role == roleField {
			c.ord = len(s.fields)
			s.fields = append(s.fields, c)
		} else {
			s.derived = append(s.derived, c)
		}
	}
	if len(s.fields) == 0 {
		return s.errBuild("", "a schema without a field has one key only")
	}
	for i := len(s.comps) - 1; i >= 0; i-- {
		c := &s.comps[i]
		c.last = true
		if !slices.ContainsFunc(c.decl.opts, func(o opt) bool { return o.word == wNotStored }) {
			break
		}
	}
	return nil
}

func (c *component) compileLiteral() string {
	c.lit = []byte(c.decl.text)
	if len(c.lit) == 0 {
		return "a Separator or Literal has at least one byte"
	}
	c.shape = fixedShape(len(c.lit), up)
	c.ends, c.order = endWidth, Forward
	return ""
}

// compileField compiles the options of a field or of a copy, whose values are
// those of of.
func (c *component) compileField(of *component) string {
	d := c.decl
	c.size = d.size
	c.unit = d.unit
	if of != nil {
		c.kind, c.size, c.unit = of.kind, of.size, of.unit
	}
	p := &pipeline{c: c, of: of, seen: map[word]bool{}, around: c.dialect}
	for _, o := range d.opts {
		if o.word == wDialect {
			c.dialect = o.dial
		}
	}
	c.hbase = c.dialect == HBase
	if of != nil && of.isText() {
		if c.decimal = of.decimal; c.decimal != forms.NoDecimal && c.dialect != of.dialect {
			return "the Copy of a Numeric has its dialect"
		}
	}
	switch c.kind {
	case KindUint, KindInt:
		if c.size < 1 || c.size > 8 {
			return fmt.Sprintf("size is in bytes, 1 to 8, not %d", c.size)
		}
	case KindFloat:
		if c.size != 4 && c.size != 8 {
			return fmt.Sprintf("a Float has 4 or 8 bytes, not %d", c.size)
		}
	}
	p.numeric = !c.isText()
	for _, o := range d.opts {
		if problem := p.option(o); problem != "" {
			return problem
		}
	}
	if problem := p.finish(); problem != "" {
		return problem
	}
	c.order = c.shape.order()
	return ""
}

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
	number := c.kind == KindUint || c.kind == KindTime
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
		if c.dialect != Phoenix || c.kind != KindFloat && c.kind != KindTime || lay {
			return misfit
		}
		c.unsigned = true
	case wBlobCopy:
		if c.dialect != OrderedBytes || c.kind != KindBinary {
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
		return p.optText(o, misfit, (number || c.kind == KindInt && o.word == wDecimal) && !lay)
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
		if c.kind != KindUint && c.kind != KindTime && c.kind != KindInt || lay {
			return misfit
		}
		if o.u == 0 {
			return "Below(0) admits nothing"
		}
		p.below, c.below = o.u, true
	case wYears:
		if c.kind != KindTime {
			return misfit
		}
		if o.n < 1970 || o.m < o.n || o.m > 9999 {
			return fmt.Sprintf("Years(%d, %d) is not a span within 1970 to 9999", o.n, o.m)
		}
		c.years = [2]int{o.n, o.m}
	case wTruncate:
		if c.kind != KindTime || lay {
			return misfit
		}
		p.truncd = o.d
	case wUnit:
		if p.of == nil || c.kind != KindTime {
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
	case c.kind != KindUint && c.kind != KindInt && c.kind != KindTime, c.dialect.framed():
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
	if p.desc && c.kind == KindInt {
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
	case c.kind == KindUint:
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
	case c.kind == KindBool && c.dialect != Phoenix:
		return "option desc does not fit a bool, but in Phoenix: say Uint, 1 byte, Below(2)"
	case !p.numeric && c.frame != noFrame:
		c.invertAll = true
	case !p.numeric:
		c.stages = append(c.stages, stage{word: wDesc})
		p.started = true
	case p.started:
		return "Desc stands before the options that change bytes"
	case c.kind == KindFloat && c.hbase && (p.around == HBase || p.seen[wDialect]):
		return "Desc does not fit raw IEEE bits, which are not ordered"
	case p.form == wDecimal && c.kind == KindInt:
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
	if c.kind == KindBool || binary && (o.word != wReverse || c.dialect.framed()) || c.decimal != forms.NoDecimal {
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

// finish composes the shape of what was said: of the values, then through the stages,
// then the frame.
func (p *pipeline) finish() string {
	c := p.c
	if c.loose && (p.numeric && p.form != wDecimal || c.frame == frameFixed || c.frame == frameEscaped || c.frame == frameLength) {
		return "Loose has nothing to loosen here"
	}
	sh, values, problem := p.valued()
	if problem != "" {
		return problem
	}
	if sh, problem = p.staged(sh); problem != "" {
		return problem
	}
	if values != nil {
		made := sh
		if sh, problem = c.enumerate(values); problem != "" {
			return problem
		}
		if made.ends == endSelf && sh.ends == endNone { // by what stands behind
			sh.ends, sh.goesOn, sh.goesOnDown = endSelf, made.goesOn, made.goesOnDown
		}
	}
	if sh, problem = p.framed(sh); problem != "" {
		return problem
	}
	if sh = sh.headed(c.header); c.invertAll {
		sh = sh.flipped()
	}
	c.selfEnded(&sh)
	if problem := p.nullable(sh); problem != "" {
		return problem
	}
	c.shape = sh
	c.plain = len(c.stages) == 0 && c.frame == noFrame && !c.invertAll &&
		c.header == 0 && !c.num.headed() && c.decimal == forms.NoDecimal && !c.filled && !c.signed
	return ""
}

// valued is the shape of a field's values as they are first written, and the values
// of a text if they are finitely many.
func (p *pipeline) valued() (sh shape, values []string, problem string) {
	switch c := p.c; {
	case c.kind == KindFloat:
		return p.float(), nil, ""
	case c.kind == KindBool:
		if c.dialect == OrderedBytes {
			return sh, nil, "OrderedBytes has no bool: say an Int of 1 byte, or HBase"
		}
		return p.bool(), nil, ""
	case p.numeric:
		if problem = p.precise(); problem != "" {
			return sh, nil, problem
		}
		if problem = p.dialectNumber(); problem == "" {
			sh, problem = p.number()
		}
		return sh, nil, problem
	}
	return p.texts()
}

// bool compiles a Bool.
func (p *pipeline) bool() shape {
	c := p.c
	form := &forms.Bool{True: 1}
	c.num = number{form: form, max: 1}
	sh := fixedShape(1, up)
	if sh.bytes = bytesOf("\x00\x01"); c.hbase {
		form.True, sh.bytes = 0xff, bytesOf("\x00\xff")
	}
	if p.desc {
		form.Xor, sh.dir = 0xff, down
		sh.bytes = *sh.bytes.inverted()
	}
	return sh
}

// texts is valued for a text.
func (p *pipeline) texts() (sh shape, values []string, problem string) {
	c := p.c
	if problem = p.dialectText(); problem != "" {
		return sh, nil, problem
	}
	if problem = p.precise(); problem != "" {
		return sh, nil, problem
	}
	if sh, values, problem = p.text(); problem != "" {
		return sh, nil, problem
	}
	if c.frame == frameFixed && (c.width < sh.min || sh.max >= 0 && c.width > sh.max) && len(c.stages) == 0 ||
		(c.frame == framePad || c.frame == framePadLeft) && c.width < sh.min {
		problem = fmt.Sprintf("no value fits %d bytes", c.width)
	}
	c.value = p.valueShape(sh)
	return sh, values, problem
}

// staged is a shape behind the stages.
func (p *pipeline) staged(sh shape) (_ shape, problem string) {
	c := p.c
	for _, st := range c.stages {
		switch st.word {
		case wFixed: // the frame says it, if it still stands
			if c.vias > 0 {
				if st.to < sh.min || sh.max >= 0 && st.to > sh.max {
					return sh, fmt.Sprintf("Fixed(%d): no value has this length", st.to)
				}
				sh = sh.exactly(st.to)
			}
		case wUUID:
			if sh, problem = sh.packed(); problem != "" {
				return sh, problem
			}
		case wVia:
			sh = sh.through(st.via)
			if p.of != nil { // what a copy keeps of its source's order is not known
				sh.dir = none
			}
		case wDesc:
			sh = sh.inverted()
		case wLeft, wRight:
			if sh = sh.cut(st.to, st.word == wRight); c.packs() { // its intervals are those of whole UUIDs
				sh.dir = none
			}
		case wReversePart:
			if sh.max >= 0 && st.to > sh.max {
				return sh, fmt.Sprintf("ReversePart(%d, %d) reaches beyond every value", st.from, st.to)
			}
			sh = sh.reversedPart(st.to)
		default:
			sh = sh.reversed()
		}
	}
	return sh, ""
}

// framed is a shape behind the frame.
func (p *pipeline) framed(sh shape) (_ shape, problem string) {
	switch c := p.c; c.frame {
	case frameFixed:
		if c.width < sh.min || sh.max >= 0 && c.width > sh.max {
			return sh, fmt.Sprintf("Fixed(%d): no value has this length", c.width)
		}
		sh = sh.exactly(c.width)
	case framePad, framePadLeft:
		if c.width < sh.min {
			return sh, fmt.Sprintf("no value fits %d bytes", c.width)
		}
		if c.frame == framePad {
			c.full = sh.fixed() && sh.min == c.width
			sh = sh.padded(c.width, c.pad)
		} else {
			sh = sh.paddedLeft(c.width, c.pad)
		}
	case frameEscaped:
		if sh = sh.escaped(); c.endless {
			sh = sh.unended()
		}
	case frameNul:
		sh = sh.ended()
	case frameBlobVar:
		sh = sh.grouped()
	case frameLength:
		return p.lengthed(sh)
	}
	return sh, ""
}

// number compiles the number stage.
func (p *pipeline) number() (shape, string) {
	c := p.c
	n := &c.num
	width := c.size
	if p.width != 0 {
		width = p.width
	}
	if c.unit.err != "" {
		return shape{}, c.unit.err
	}
	if c.kind == KindTime && c.unit.step == 0 {
		return shape{}, "the zero Unit is invalid"
	}
	lay := c.unit.lay != nil
	if problem := p.limits(width); problem != "" {
		return shape{}, problem
	}
	if c.decimal != forms.NoDecimal {
		n.form = &forms.Whole{As: c.decimal, Signed: c.kind == KindInt}
		c.precision.bound(n, c.kind == KindInt)
		if n.min > n.max {
			return shape{}, "no value is within all limits"
		}
		return decimalShape(c.decimal), ""
	}
	if c.kind == KindInt && p.form == wDecimal {
		return p.signedDecimal()
	}
	if c.kind == KindInt {
		return p.signed(width), ""
	}

	dir := up
	sh := shape{}
	if p.desc {
		dir = down
	}
	switch {
	case lay && p.width == 0:
		n.form = &forms.Date{Layout: c.unit.lay, Desc: p.desc}
		sh = fixedShape(c.unit.lay.Width, dir)
		sh.bytes = bytesOf("0123456789")
		for _, part := range c.unit.lay.Parts {
			sh.bytes = union(sh.bytes, bytesOf(part.Text))
		}
	case p.form == "":
		xor := uint64(0)
		switch {
		case p.desc:
			xor = p.top()
			if !lay && !c.signed {
				n.max = min(n.max, xor)
			}
		case c.signed:
			xor = signBit64
		}
		sh = p.binary(fixedShape(width, dir), xor)
	default:
		var problem string
		if sh, problem = p.numberText(dir); problem != "" {
			return sh, problem
		}
	}
	if n.min > n.max && !lay {
		return sh, "no value is within all limits"
	}
	return sh, ""
}

// limits is which numbers a field admits, by its type and by what was said.
func (p *pipeline) limits(width int) (problem string) {
	c := p.c
	n := &c.num
	lay := c.unit.lay != nil
	switch {
	case lay:
		problem = p.layout()
	case c.kind == KindTime:
		problem = p.count(width)
	case c.kind == KindInt:
		n.max = signBit64 + forms.Mask(width)>>1
		n.min = signBit64 - forms.Mask(width)>>1 - 1
	default:
		n.max = forms.Mask(width)
		if c.dialect == Phoenix && p.form == "" && c.decimal == forms.NoDecimal { // Java has no larger one
			n.max >>= 1
		}
	}
	if problem != "" {
		return problem
	}
	if p.of != nil && !lay && c.kind != KindTime { // a copy has the values of its source
		n.min, n.max = max(n.min, p.of.num.min), min(n.max, p.of.num.max)
	}
	if p.below != 0 {
		top := p.below - 1
		if c.kind == KindInt || c.signed {
			n.min = max(n.min, signBit64)
			top = min(top, maxInt64) + signBit64
		}
		n.max = min(n.max, top)
	}
	return ""
}

func union(a, b byteSet) byteSet {
	for i := range a {
		a[i] = a[i] || b[i]
	}
	return a
}

// numberText compiles Digits, HexDigits and Decimal. Desc in front of them
// takes the value from the largest of the type; behind them it complements.
func (p *pipeline) numberText(dir direction) (shape, string) {
	n := &p.c.num
	before := p.desc && p.descFirst()
	xor := uint64(0)
	if before {
		xor = p.top()
		n.max = min(n.max, xor)
	}
	var sh shape
	switch p.form {
	case wDigits:
		form := &forms.Digits{N: p.digits, Xor: xor}
		n.form = form
		if p.digits < 20 {
			all := forms.Pow10(p.digits) - 1
			if !before {
				n.max = min(n.max, all)
			}
			if p.desc && !before {
				form.Nines = all
			}
		}
		sh = fixedShape(p.digits, dir)
		sh.bytes = bytesOf("0123456789")
	case wHexDigits:
		all := uint64(math.MaxUint64)
		if p.digits < 16 {
			all = 1<<(4*p.digits) - 1
		}
		if !before {
			n.max = min(n.max, all)
		}
		if p.desc && !before {
			xor = all
		}
		n.form = &forms.Hex{N: p.digits, Xor: xor}
		sh = fixedShape(p.digits, dir)
		sh.bytes = bytesOf(forms.HexLower)
	case wDecimal:
		n.form = &forms.Plain{Xor: xor}
		if n.min > n.max {
			return sh, "no value is within all limits"
		}
		low, high := n.min, n.max
		if before {
			low, high = xor-n.max, xor-n.min
		}
		sh = shape{min: forms.DigitsLen(low), max: forms.DigitsLen(high), dir: dir, bytes: bytesOf("0123456789")}
		if !p.bounded() {
			sh.min, sh.max = 1, 20
		}
		if sh.fixed() {
			sh.ends = endWidth
		} else {
			sh.dir = none
		}
	}
	return sh, ""
}

// bounded reports that the declaration limits the number, not its type alone.
func (p *pipeline) bounded() bool {
	said := func(c *component) bool { return c.below || c.years[0] != 0 }
	return said(p.c) || p.of != nil && said(p.of)
}

// descFirst reports that Desc stands before the digits.
func (p *pipeline) descFirst() bool {
	for _, o := range p.c.decl.opts {
		switch o.word {
		case wDesc:
			return true
		case wDigits, wHexDigits, wDecimal:
			return false
		}
	}
	return false
}

// signed is two's complement with the sign bit flipped, so that negatives sort
// first; HBase leaves it as it is. Desc is the largest of the type − v, which
// is the same exclusive or for both.
func (p *pipeline) signed(width int) shape {
	c := p.c
	form := &forms.BigEndian{Size: width, Signed: true, Head: p.head(forms.IntHead)}
	c.num.form = form
	sh := fixedShape(width, up).headed(form.Head)
	switch {
	case p.desc:
		form.Xor = forms.Mask(width) >> 1
		sh.dir = down
	case !c.hbase:
		form.Xor = forms.Mask(width) ^ forms.Mask(width)>>1
	case c.num.min < signBit64: // negatives would sort behind
		sh.dir = none
	}
	return sh
}

// count compiles a time of whole units.
func (p *pipeline) count(width int) string {
	c := p.c
	n := &c.num
	n.max = min(c.unit.last(), forms.Mask(width))
	if c.signed {
		n.min, n.max = signBit64-n.max, signBit64+n.max
	}
	if c.years[0] != 0 {
		lo, hi := yearStart(c.years[0]), yearStart(c.years[1]+1)
		if hi <= c.unit.sec && !c.signed {
			return "Years ends before the unit's epoch"
		}
		if first, ok := c.units(lo, 0); ok {
			if sec, nsec := c.instant(first); sec < lo || sec == lo && nsec < 0 {
				first++ // the step that lo cuts begins before it
			}
			n.min = c.rank(first)
		}
		if last, ok := c.units(hi-1, 999_999_999); ok {
			n.max = min(n.max, c.rank(last))
		}
	}
	if p.truncd != 0 {
		d := p.truncd
		switch {
		case c.unit.own != nil:
			return "Truncate does not fit a unit of NewUnit: make the unit as coarse as wanted"
		case d < 0 || d%c.unit.step != 0:
			return fmt.Sprintf("Truncate(%v) is not whole units of %v", d, c.unit.step)
		case d%time.Second != 0 && d > time.Second && c.unit.set, !c.unit.beginsAt(d):
			return fmt.Sprintf("Truncate(%v): the unit's epoch is no multiple of it", d)
		}
		n.trunc = uint64(d / c.unit.step)
	}
	return ""
}

// layout compiles a time of text. Its num is the beginning of the step, in
// seconds; its epoch is 1970 in its zone, so that east of UTC some are negative.
func (p *pipeline) layout() string {
	c := p.c
	n := &c.num
	l := c.unit.lay
	first, last := 1970, 9999
	if c.years[0] != 0 {
		first, last = c.years[0], c.years[1]
	} else if p.of != nil && p.of.years[0] != 0 {
		first, last = p.of.years[0], p.of.years[1]
	}
	settled, problem := l.Settle(yearStart(first), yearStart(last+1))
	if problem != "" {
		return problem
	}
	l = &settled
	c.unit.lay = l
	if l.Offset < -maxOffset || l.Offset > maxOffset {
		return "zone " + notation.OffsetText(l.Offset) + " is farther from UTC than any"
	}
	lo, hi := -int64(l.Offset), yearStart(10000)-1-int64(l.Offset) // local years of four digits from 1970 on
	if c.years[0] != 0 {
		lo, hi = max(lo, yearStart(first)), min(hi, yearStart(last+1)-1)
	}
	if p.width != 0 {
		most := forms.Mask(p.width)
		if p.desc {
			most >>= 1
		}
		low := lo - 1
		for low < hi { // hi becomes the last second whose number fits
			if mid := low + (hi-low+1)/2; l.Number(mid) <= most {
				low = mid
			} else {
				hi = mid - 1
			}
		}
	}
	if lo > hi {
		return "no value is within all limits"
	}
	n.min, n.max = uint64(lo)^signBit64, uint64(hi)^signBit64
	return ""
}

// text is the shape of a text's values, or of their codes, and the values if
// they are finitely many.
func (p *pipeline) text() (shape, []string, string) {
	c := p.c
	sh := textShape()
	if p.of != nil {
		sh = p.of.value
	}
	if c.decimal != forms.NoDecimal {
		sh = decimalShape(c.decimal)
	}
	if c.filled && sh.min == 0 {
		sh.min = 1
	}
	if c.frame == frameNul {
		sh.bytes[0] = false
	}
	if c.least > 0 && c.codes == nil {
		var problem string
		if sh, problem = sh.atLeast(c.least); problem != "" {
			return sh, nil, problem
		}
	}
	if c.chars != nil {
		sh = sh.limited(*c.chars)
	}
	var values []string
	switch {
	case c.codes != nil:
		values = sortedKeys(c.codes)
		forms := make([]string, len(values))
		for i, v := range values {
			forms[i] = c.codes[v]
		}
		sh = setShape(forms)
	case p.oneOf != nil:
		values = p.oneOf
		sh = setShape(values)
	}
	return sh, values, ""
}

// valueShape is the shape of the values that the whole pipeline admits; sh is
// that of its first stage.
func (p *pipeline) valueShape(sh shape) shape {
	c := p.c
	if c.codes != nil { // what follows is about the codes
		sh = setShape(sortedKeys(c.codes))
		if sh.ends == endSelf {
			sh.ends = endNone
		}
		return sh
	}
	frame := c.frame
	for _, st := range c.stages {
		if st.word == wUUID {
			sh = sh.exactly(forms.UUIDText)
		}
		if st.word == wVia || st.word == wUUID { // what stands behind judges its forms
			frame = noFrame
			break
		}
		if st.word == wReversePart {
			sh.min = max(sh.min, st.to)
		}
		if st.word == wFixed {
			sh = sh.exactly(st.to)
		}
	}
	switch frame {
	case frameFixed:
		sh = sh.exactly(c.width)
	case framePad, framePadLeft:
		if sh.max < 0 || sh.max > c.width {
			sh.max = c.width
		}
	case frameLength:
		if most := forms.MostOfLength(c.width); sh.max < 0 || sh.max > most {
			sh.max = most
		}
	}
	sh.ends = endNone
	if sh.fixed() {
		sh.ends = endWidth
	}
	return sh
}

// enumerate runs every value of a finite set through the stages: their forms
// are known exactly, order and all.
func (c *component) enumerate(values []string) (shape, string) {
	forms := make([]string, len(values))
	for i, v := range values {
		if len(v) < c.least {
			return shape{}, fmt.Sprintf("value %q is shorter than MinLen(%d)", v, c.least)
		}
		if c.chars != nil {
			if _, err := checkText(c, v); err != nil {
				return shape{}, fmt.Sprintf("value %q is not made of Chars", v)
			}
		}
		if c.codes != nil {
			v = c.codes[v]
		}
		form := []byte(v)
		for _, st := range c.stages {
			var err error
			if form, err = st.run(form); err != nil {
				return shape{}, fmt.Sprintf("%s does not fit the value %q", st.word, values[i])
			}
		}
		forms[i] = string(form)
	}
	c.forms = make([][]byte, len(forms))
	for i, f := range forms {
		c.forms[i] = []byte(f)
	}
	slices.SortFunc(c.forms, bytes.Compare)
	return setShape(forms), ""
}

func (s *Schema) compileCopy(c *component) string {
	of := s.byName[c.decl.of]
	if of == nil || of.role != roleField {
		return fmt.Sprintf("Copy of %q: no such field", c.decl.of)
	}
	if of.optional {
		return fmt.Sprintf("Copy of %q, which may be null", c.decl.of)
	}
	c.of = of
	return c.compileField(of)
}

// compileDerived compiles a salt or a hash.
func (s *Schema) compileDerived(c *component) string {
	d := c.decl
	form, format, names, problem := parseInput(d.in)
	if problem != "" {
		return problem
	}
	in := &source{form: form}
	c.in = in
	c.rest = form == byRest
	for _, name := range names {
		f := s.byName[name]
		if f == nil || f.role != roleField && f.role != roleCopy {
			return fmt.Sprintf("input %q is no field", name)
		}
		if form == byStored && f.absent {
			return fmt.Sprintf("input %q is not stored: hash its value", name)
		}
		if f.optional {
			return fmt.Sprintf("input %q may be null: say Rest", name)
		}
		in.comps = append(in.comps, f)
	}
	if form == byFormat {
		var args int
		if in.verbs, args, problem = parseFormat(format); problem != "" {
			return problem
		}
		if args != len(in.comps) {
			return fmt.Sprintf("format has %d verbs for %d fields", args, len(in.comps))
		}
	}
	if problem := in.fits(); problem != "" {
		return problem
	}
	for _, f := range in.comps {
		if f.role == roleCopy {
			f = f.of
		}
		if !slices.Contains(c.deps, f.ord) {
			c.deps = append(c.deps, f.ord)
		}
	}
	c.direct = in.single() && !slices.ContainsFunc(d.opts, func(o opt) bool {
		return o.word == wRule && o.rule == Modulo || o.word == wVia || o.part.own != nil
	}) && d.part.own == nil
	if c.role == roleHash {
		return c.compileHash()
	}
	return c.compileSalt()
}

// fits says which field the form of an input cannot take.
func (in *source) fits() string {
	next := 0
	verbs := slices.DeleteFunc(slices.Clone(in.verbs), func(v verb) bool { return v.kind == 0 })
	for _, c := range in.comps {
		integer := c.kind == KindUint || c.kind == KindInt || c.kind == KindTime && c.unit.lay == nil
		binary := c.role == roleCopy && !c.isText() && c.num.binary()
		switch in.form {
		case byText, byFormat:
			if c.kind == KindFloat || binary {
				return fmt.Sprintf("input %q has no text form", c.name)
			}
			if in.form == byFormat {
				if w := verbs[next]; w.kind != 's' && (!integer || c.role == roleCopy) {
					return fmt.Sprintf("input %q is no integer for %%%c", c.name, w.kind)
				}
				next++
			}
		case byMinMax:
			o := in.comps[0]
			if c.role == roleCopy || c.kind == KindFloat || c.kind != o.kind || c.size != o.size || c.unit != o.unit ||
				c.decimal != o.decimal || c.signed != o.signed {
				return fmt.Sprintf("MinMax needs two fields of one kind and size, not %q and %q", o.name, c.name)
			}
		}
	}
	return ""
}

func (c *component) compileHash() string {
	c.part = c.decl.part
	if problem := c.part.wrong(); problem != "" {
		return problem
	}
	for i, o := range c.decl.opts {
		switch {
		case o.word != wNamed:
			return fmt.Sprintf("option %s does not fit a hash: it takes Named", o.word)
		case i > 0:
			return "option named stands twice"
		}
	}
	if c.part.cut.Algorithm == digest.JavaHashCode {
		if problem := c.in.notJava(); problem != "" {
			return problem
		}
	}
	c.shape = fixedShape(c.part.cut.N, none)
	if c.part.cut.Hex {
		c.shape.bytes = bytesOf(forms.HexLower)
		if c.part.cut.Upper {
			c.shape.bytes = bytesOf(forms.HexUpper)
		}
	}
	c.order, c.ends = Unordered, endWidth
	return ""
}

// listForms is the n stored forms of a salt or hash, in key order.
func (c *component) listForms(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		switch u := uint64(i); {
		case c.role == roleSalt:
			all[i], _ = c.putBucket(nil, u) // Build has seen that it can
		case c.part.cut.Hex:
			all[i] = forms.AppendHex(nil, u, c.part.cut.N)
			if c.part.cut.Upper {
				all[i] = bytes.ToUpper(all[i])
			}
		default:
			all[i] = forms.AppendUint(nil, u, c.part.cut.N)
		}
	}
	slices.SortFunc(all, func(a, b []byte) int { return bytes.Compare(slices.Concat(a, c.mark), slices.Concat(b, c.mark)) })
	return all
}

// maxForms bounds the ranges that an open salt or hash may become.
const maxForms = 1024

func (c *component) compileSalt() string {
	d := c.decl
	c.part = Murmur3.Raw(4)
	c.width = 1
	if d.buckets < 1 || d.buckets > math.MaxInt32 {
		return fmt.Sprintf("%d buckets: there is at least 1, and at most Java's largest int", d.buckets)
	}
	c.buckets = uint64(d.buckets)
	c.mod = digest.NewModulus(c.buckets)
	formed, problem := c.saltOptions(d.opts)
	if problem != "" {
		return problem
	}
	if problem = c.saltShape(formed); problem != "" {
		return problem
	}
	c.order = Unordered
	c.murmured = c.direct && c.rule == ruleDigest && c.part == Murmur3.Raw(4) && c.saltForm == saltBytes && c.width == 1
	if problem = c.saltVia(); problem != "" {
		return problem
	}
	switch {
	case c.rule == Modulo:
		if c.in.form != byValues || len(c.in.comps) != 1 || c.in.comps[0].role != roleField || c.in.comps[0].unit.lay != nil ||
			c.in.comps[0].kind != KindUint && c.in.comps[0].kind != KindInt && c.in.comps[0].kind != KindTime {
			return "Modulo takes one field, a Uint, Int or Time"
		}
	case digest.Rule(c.rule).OfText() || c.part.cut.Algorithm == digest.JavaHashCode:
		return c.in.notJava()
	}
	return ""
}

// saltOptions reads a salt's options, and gives the one that says how it is written.
func (c *component) saltOptions(opts []opt) (formed word, problem string) {
	seen := map[word]bool{}
	for _, o := range opts {
		kind := o.word
		if kind == wPart {
			kind = wRule
		}
		if seen[kind] {
			return "", "option " + string(o.word) + " stands twice"
		}
		seen[kind] = true
		switch o.word {
		case wNamed:
		case wPart:
			if o.part.cut.Hex {
				return "", "a salt is made of a digest's bytes: say Raw"
			}
			if problem := o.part.wrong(); problem != "" {
				return "", problem
			}
			c.part = o.part
		case wRule:
			c.rule = o.rule
		case wVia:
			v, problem := newVia(o)
			if problem != "" {
				return "", problem
			}
			c.stages = append(c.stages, stage{word: wVia, via: v})
			c.vias = 1
		case wWidth, wDigits, wDecimal, wLetters:
			if formed != "" {
				return "", string(formed) + " and " + string(o.word) + " both say how it is written"
			}
			if c.vias > 0 {
				return "", string(o.word) + " stands before Via, which gets what it writes"
			}
			formed = o.word
			c.width, c.letters = o.n, o.s
		default:
			return "", fmt.Sprintf("option %s does not fit a salt: it takes a rule or Raw of a digest, Width, Digits, Decimal, Letters, Via and Named", o.word)
		}
	}
	if c.dialect == Phoenix && !seen[wRule] {
		c.rule = PhoenixHash
	}
	return formed, ""
}

// saltShape is how the buckets are written, if all of them can be.
func (c *component) saltShape(formed word) string {
	top := c.buckets - 1
	c.shape = fixedShape(c.width, none)
	switch formed {
	case "", wWidth:
		switch {
		case c.width < 1 || c.width > 8:
			return fmt.Sprintf("Width(%d) is not within 1 to 8", c.width)
		case top > forms.Mask(c.width):
			need := 1
			for top > forms.Mask(need) {
				need++
			}
			return fmt.Sprintf("%d buckets do not fit %s: add Width(%d)", c.buckets, plural(c.width, "byte"), need)
		}
	case wDigits:
		c.saltForm = saltDigits
		if c.width < 1 || c.width > 20 || forms.DigitsLen(top) > c.width {
			return fmt.Sprintf("%d buckets do not fit Digits(%d): say Digits(%d)", c.buckets, c.width, forms.DigitsLen(top))
		}
		c.shape.bytes = bytesOf("0123456789")
	case wDecimal:
		c.saltForm = saltDecimal
		c.shape = shape{min: 1, max: forms.DigitsLen(top), dir: none, bytes: bytesOf("0123456789")}
		if c.shape.fixed() {
			c.shape.ends = endWidth
		}
	case wLetters:
		c.saltForm, c.width = saltLetters, 1
		c.shape = fixedShape(1, none)
		c.shape.bytes = bytesOf(c.letters)
		for i := range len(c.letters) {
			if strings.IndexByte(c.letters, c.letters[i]) != i {
				return fmt.Sprintf("Letters(%q) has a letter twice", c.letters)
			}
		}
		if uint64(len(c.letters)) != c.buckets {
			return fmt.Sprintf("%d buckets need %d letters of one byte, not %d", c.buckets, c.buckets, len(c.letters))
		}
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// lay decides how a key is taken apart, and refuses what cannot be.
func (s *Schema) lay() error {
	used := map[int]bool{}
	for _, c := range s.derived {
		if c.role == roleCopy {
			c.deps = []int{c.of.ord}
		}
		for _, ord := range c.deps {
			used[ord] = true
		}
	}
	copied := map[*component]bool{}
	for _, c := range s.derived {
		if c.in != nil {
			for _, f := range c.in.comps {
				copied[f] = true
			}
		}
	}
	s.layNulls()
	openEnd := "" // a component without an end, behind which none can be filled in
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent && c.bucket {
			return s.errBuild(c.name, "a Bucket is stored: it is what rows are spread by")
		}
		if c.absent {
			if c.role == roleField && !used[c.ord] || c.role == roleCopy && !copied[c] {
				return s.errBuild(c.name, "is not stored, and no salt or hash is computed from it")
			}
			c.ends, c.order = endWidth, Unordered
			continue
		}
		var next *component
		for j := i + 1; j < len(s.comps) && next == nil; j++ {
			if !s.comps[j].absent {
				next = &s.comps[j]
			}
		}
		if openEnd != "" && c.derived() && !c.shape.fixed() {
			return s.errBuild(c.name, "stands behind "+openEnd+", which has no end, and has no width of its own")
		}
		if c.shape.goesOn != 0 && c.shape.ends == endSelf {
			if problem := s.follows(i); problem != "" {
				return s.errBuild(c.name, problem)
			}
		}
		if problem := c.endBefore(next); problem != "" {
			return s.errBuild(c.name, problem)
		}
		if c.ends == endLoose && c.mark == nil {
			openEnd = c.name
		}
		if c.role == roleField || c.role == roleCopy {
			c.order = c.shape.order()
			if c.loose || c.ends == endLoose {
				c.order = Unordered
			}
		}
		if c.bucket {
			if problem := s.leadsBucket(c); problem != "" {
				return s.errBuild(c.name, problem)
			}
		}
		if problem := c.storable(); problem != "" {
			return s.errBuild(c.name, problem)
		}
	}
	s.measure()
	if s.minLen > s.maxLen {
		return s.errBuild("", fmt.Sprintf("the shortest key has %d bytes, and MaxLen is %d", s.minLen, s.maxLen))
	}
	if s.minLen == 0 && s.fixedLen() {
		return s.errBuild("", "nothing is stored")
	}
	return nil
}

// endBefore decides how a form's end is found before the component that is stored
// next, nil if there is none; or says why it cannot be.
func (c *component) endBefore(next *component) string {
	c.ends = c.shape.ends
	switch {
	case c.shape.ends != endNone:
		if c.loose && c.frame == noFrame {
			return "Loose has nothing to loosen here"
		}
	case next == nil:
		c.ends = endLast
		if c.frame == noFrame {
			c.loose = false
		}
	case next.role == roleLiteral && next.decl.isSep:
		c.mark = next.lit
		if c.shape.bytes == bytesOf("0123456789") && strings.Trim(string(c.mark), "0123456789") == "" || c.signedMark() {
			return "its separator is made of its own digits"
		}
		if problem := c.unmarked(); problem != "" {
			return problem
		}
		c.shape = c.shape.marked(c.mark)
		c.ends = endMarked
		if c.loose {
			c.ends = endLoose
		}
		c.plain = false
	case c.loose:
		c.ends = endLoose
	default:
		what := next.name
		if next.role == roleLiteral {
			what = "a Literal, which ends nothing"
		} else {
			what = "the next component, " + what
		}
		remedy := ": add a Separator, Fixed, Pad or Escaped"
		if c.role == roleCopy {
			remedy += ", or Loose for a table that exists"
		}
		return "has no end before " + what + remedy
	}
	return ""
}

// leadsBucket says why a field cannot be a bucket of the writer's.
func (s *Schema) leadsBucket(c *component) string {
	switch n, ok := c.finite(); {
	case !ok:
		return fmt.Sprintf("Bucket needs a field of at most %d values: say Below or OneOf", maxForms)
	case n > maxForms:
		return fmt.Sprintf("Bucket needs a field of at most %d values, and this one has %d", maxForms, n)
	}
	if c.optional {
		return "a Bucket is never null"
	}
	for i := range s.comps[:c.index] {
		if f := &s.comps[i]; !f.absent && f.role == roleField && !f.bucket || f.role == roleCopy {
			return "Bucket stands in front of all fields that are no buckets"
		}
	}
	return ""
}

// finite is how many values a field can have, where the declaration says so.
func (c *component) finite() (uint64, bool) {
	null := uint64(0)
	if c.optional {
		null = 1
	}
	switch {
	case c.codes != nil:
		return uint64(len(c.codes)) + null, true
	case c.oneOf != nil:
		return uint64(len(c.oneOf)) + null, true
	case c.kind == KindBool:
		return 2, true
	case c.below:
		return c.num.max - c.num.min + 1 + null, true
	}
	return 0, false
}

// mostWidth is how many numbers a width may leave, so that they can be listed as
// those of Below are: those of two bytes.
const mostWidth = 1 << 16

// countable is how many numbers a field can have, where its width leaves few.
func (c *component) countable() (uint64, bool) {
	if c.kind != KindUint && c.kind != KindInt || c.optional || c.decimal != forms.NoDecimal || c.num.max-c.num.min >= mostWidth {
		return 0, false
	}
	return c.num.max - c.num.min + 1, true
}

// storable says which value of a finite set could never be written.
func (c *component) storable() string {
	try := func(v string) string {
		if _, err := appendText(c, nil, v); err != nil {
			return fmt.Sprintf("value %q can never be written: %v", v, err)
		}
		return ""
	}
	for _, v := range sortedKeys(c.codes) {
		if problem := try(v); problem != "" {
			return problem
		}
	}
	for _, v := range sortedKeys(c.oneOf) {
		if problem := try(v); problem != "" {
			return problem
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (s *Schema) fixedLen() bool {
	for i := range s.comps {
		if c := &s.comps[i]; !c.absent && !c.shape.fixed() {
			return false
		}
	}
	return true
}

// measure adds up lengths.
func (s *Schema) measure() {
	const usual = 16 // bytes of a text
	s.after = 0
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		s.minLen += c.shape.min
		s.hint += c.shape.min
		if !c.shape.fixed() {
			s.hint += usual
		}
		switch {
		case c.ends == endLoose:
			s.loose++
			s.lastLoose, s.after = i, 0
		case !c.shape.fixed():
			s.after = -1
		case s.after >= 0:
			s.after += c.shape.min
		}
	}
	s.hint = min(s.hint, s.maxLen)
}

// order decides when each derived component is written, and links the steps.
func (s *Schema) order() error {
	offset := 0 // of the component at hand, −1 where it varies
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		if c.derived() {
			if c.rest {
				if !c.shape.fixed() {
					return s.errBuild(c.name, "is computed from the rest of the key and needs a fixed width")
				}
				if i == len(s.comps)-1 {
					return s.errBuild(c.name, "has no rest of the key behind it")
				}
				s.rests = append(s.rests, c)
			}
			if offset < 0 || !c.shape.fixed() || !c.rest && !s.reaches(c) {
				s.gathered = true
			}
		}
		if offset >= 0 {
			if c.shape.fixed() {
				offset += c.shape.min
			} else {
				offset = -1
			}
		}
	}
	slices.Reverse(s.rests)
	if len(s.rests) > maxRests {
		return s.errBuild(s.rests[0].name, fmt.Sprintf("more than %d components are computed from the rest of the key", maxRests))
	}
	for _, c := range s.derived {
		if c.role != roleCopy && c.count() <= maxForms {
			c.forms = c.listForms(int(c.count()))
		}
	}
	s.link()
	return nil
}

// reaches reports that a derived component can be filled when the last field that
// it is computed from is written: its slot stands in front of the field after
// that, and earlier inputs can be read where they stand.
func (s *Schema) reaches(c *component) bool {
	if len(c.deps) > 1 {
		if _, ok := s.mixOf(c); !ok {
			return false
		}
	}
	next := slices.Max(c.deps) + 1
	return next == len(s.fields) || c.index < s.fields[next].index
}

// maxRests bounds the components that are computed from the rest of the key.
const maxRests = 8
