package rowkey

import (
	"fmt"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Build in three passes: each component's options become its pipeline and its
// shape; the shapes decide how a key is taken apart; the order of the fields
// decides when each derived component can be written.

func (s *schema) compile(opts []option, decls []*declaration) error {
	all := settings{maxLen: s.maxLen}
	for i := range opts {
		problem := ""
		if o := &opts[i]; o.toSchema == nil {
			problem = notOfNew(o.word())
		} else {
			problem = o.toSchema(&all)
		}
		if problem != "" {
			return s.errBuild("", problem)
		}
	}
	s.maxLen = all.maxLen
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
			c.dialect = all.dialect
			if problem := s.compileOne(c); problem != "" {
				return s.refuse(c, problem, func(fewer *component) bool {
					fewer.dialect = all.dialect
					return s.compileOne(fewer) == problem
				})
			}
		}
	}
	alone := slices.Clone(s.comps) // before they see their neighbours
	err := s.arrange()
	if err == nil {
		return nil
	}
	field, reason, _ := readError(err)
	c := s.byName[field]
	if c == nil {
		return err
	}
	return s.refuse(c, reason.(*refused).text, func(fewer *component) bool {
		fewer.dialect = all.dialect
		if s.compileOne(fewer) != "" {
			return false
		}
		copy(s.comps, alone)
		*c = *fewer
		s.lengths, s.closes, s.walk = lengths{maxLen: s.maxLen}, closes{}, walk{}
		again := s.arrange()
		return again != nil && again.Error() == err.Error()
	})
}

// compileOne compiles a component by itself, those before it in the order of passes
// being compiled.
func (s *schema) compileOne(c *component) string {
	switch c.role {
	case roleLiteral:
		return c.compileLiteral()
	case roleField:
		return c.compileField(nil)
	case roleCopy:
		return s.compileCopy(c)
	}
	return s.compileDerived(c)
}

// arrange decides how the components of a key stand beside one another.
func (s *schema) arrange() error {
	if err := s.lay(); err != nil {
		return err
	}
	return s.order()
}

// refused is a reason of Build, with the component that it is about and the option
// of that: the first with which, and with those in front of it, the component is
// refused as it is with all. −1 where it is about none, or about what is no option.
type refused struct {
	detail
	comp, option int
}

// refuse is the error about a component; same judges the component with fewer of its
// options.
func (s *schema) refuse(c *component, problem string, same func(fewer *component) bool) error {
	why := &refused{detail{problem, ErrSchema}, c.index, -1}
	err := makeError(s.name, c.name, -1, why)
	name, opts, known := c.name, c.decl.opts, c.what
	for n := range opts {
		d := *known.decl
		d.opts = opts[:n]
		fewer := component{what: known}
		fewer.decl, fewer.kind, fewer.absent, fewer.bucket = &d, d.kind, false, false
		if s.nameOf(&fewer) == name && same(&fewer) {
			break
		}
		why.option = n
	}
	return err
}

// nameOf is the name that was given to a component, or that a salt or a hash has
// without one.
func (s *schema) nameOf(c *component) string {
	d := c.decl
	if d.role != roleSalt && d.role != roleHash {
		return d.name
	}
	name, nth := d.kind.String(), 1
	for i := range s.comps[:c.index] {
		if s.comps[i].role == d.role {
			nth++
		}
	}
	if nth > 1 {
		name += fmt.Sprint(nth)
	}
	for _, o := range d.opts {
		if o.word() == notation.Named {
			name = o.said.Text
		}
	}
	return name
}

// notOfNew is the error of an option that is none of New.
func notOfNew(w notation.Word) string { return "New takes a Dialect and MaxLen, not " + string(w) }

// nameAll gives the components their places and their names.
func (s *schema) nameAll(decls []*declaration) error {
	s.byName = make(map[string]*component)
	for i, d := range decls {
		c := &s.comps[i]
		c.decl, c.role, c.kind, c.index, c.ord = d, d.role, d.kind, i, -1
		c.name = s.nameOf(c)
		if d.role == roleLiteral {
			continue
		}
		problem := ""
		switch {
		case !notation.ValidName(c.name):
			problem = "a name is made of letters, digits, '_', '-' and '.'"
		case s.byName[c.name] != nil:
			problem = "the name stands twice: give one of them another"
		}
		if problem != "" {
			return s.refuse(c, problem, func(*component) bool { return true })
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
		if !slices.ContainsFunc(c.decl.opts, func(o option) bool { return o.word() == notation.NotStored }) {
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
	c.shape = forms.FixedShape(len(c.lit), forms.Up)
	c.ends, c.order = forms.EndWidth, forms.Forward
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
	p := &pipeline{c: c, of: of, seen: map[notation.Word]bool{}, around: c.dialect}
	for _, o := range d.opts {
		if o.word() == notation.DialectOption {
			c.dialect = dialectNamed(o.said.Word)
		}
	}
	c.hbase = c.dialect == inHBase
	if of != nil && of.isText() {
		if c.decimal = of.decimal; c.decimal != forms.NoDecimal && c.dialect != of.dialect {
			return "the Copy of a Numeric has its dialect"
		}
	}
	switch c.kind {
	case kindUint, kindInt:
		if c.size < 1 || c.size > 8 {
			return fmt.Sprintf("size is in bytes, 1 to 8, not %d", c.size)
		}
	case kindFloat:
		if c.size != 4 && c.size != 8 {
			return fmt.Sprintf("a Float has 4 or 8 bytes, not %d", c.size)
		}
	}
	p.numeric = !c.isText()
	for i := range d.opts {
		if problem := p.option(&d.opts[i]); problem != "" {
			return problem
		}
	}
	if problem := p.finish(); problem != "" {
		return problem
	}
	c.order = c.shape.Order()
	return ""
}

// finish composes the shape of what was said: of the values, then through the stages,
// then the frame.
func (p *pipeline) finish() string {
	c := p.c
	if c.loose && (p.numeric && !p.open() || c.frame == frameFixed || c.frame == frameEscaped || c.frame == frameLength) {
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
		if made.Ends == forms.EndSelf && sh.Ends == forms.EndNone { // by what stands behind
			sh.Ends, sh.GoesOn, sh.GoesOnDown = forms.EndSelf, made.GoesOn, made.GoesOnDown
		}
	}
	if sh, problem = p.framed(sh); problem != "" {
		return problem
	}
	if sh = sh.Headed(c.header); c.invertAll {
		sh = sh.Flipped()
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
func (p *pipeline) valued() (sh forms.Shape, values []string, problem string) {
	switch c := p.c; {
	case c.kind == kindFloat:
		return p.float(), nil, ""
	case c.kind == kindBool:
		if c.dialect == inOrderedBytes {
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

func (s *schema) compileCopy(c *component) string {
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

func plural(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
