package layout

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Build works in three passes. First the options of each component become its pipeline
// and its shape. Then the shapes decide how a key is cut into components. Then the order
// of the fields decides when each derived component (salt, hash, copy) can be written.

// Compile compiles the declared components and the options of New into s.
func (s *Schema) Compile(opts []Option, decls []*Declaration) error {
	all := Settings{MaxLen: s.MaxLen}
	for i := range opts {
		problem := ""
		if o := &opts[i]; o.ToSchema == nil {
			problem = NotOfNew(o.Word())
		} else {
			problem = o.ToSchema(&all)
		}
		if problem != "" {
			return s.ErrBuild("", problem)
		}
	}
	return s.compile(all, decls)
}

// Recompile compiles the declarations of s once more, into out, each as change leaves its copy.
func (s *Schema) Recompile(out *Schema, change func(d *Declaration)) error {
	out.Name = s.Name
	decls := make([]*Declaration, len(s.Comps))
	for i := range s.Comps {
		d := *s.Comps[i].Decl
		change(&d)
		decls[i] = &d
	}
	return out.compile(Settings{s.MaxLen, s.dialect}, decls)
}

func (s *Schema) compile(all Settings, decls []*Declaration) error {
	s.MaxLen, s.dialect = all.MaxLen, all.Dialect
	s.Comps = make([]Component, len(decls))
	if err := s.nameAll(decls); err != nil {
		return err
	}
	for pass := range 3 { // fields and constants; then copies of fields; then salts and hashes, computed from both
		for i := range s.Comps {
			c := &s.Comps[i]
			if (pass == 0) != (c.Role <= RoleLiteral) || (pass == 1) != (c.Role == RoleCopy) {
				continue
			}
			c.Dialect = all.Dialect
			if problem := s.compileOne(c); problem != "" {
				return s.refuse(c, problem, func(fewer *Component) bool { return s.compileOne(fewer) == problem })
			}
		}
	}
	alone := copied(s.Comps) // each compiled alone, before arrange looks at the neighbours
	err := s.arrange()
	if err == nil {
		return nil
	}
	field, reason, _ := fault.Read(err)
	c := s.Named(field)
	if c == nil {
		return err
	}
	return s.refuse(c, reason.(*Refused).Text, func(fewer *Component) bool {
		if s.compileOne(fewer) != "" {
			return false
		}
		copy(s.Comps, copied(alone))
		*c = *fewer
		s.Lengths, s.closes, s.walk, s.table = Lengths{MaxLen: s.MaxLen}, closes{}, walk{}, table{}
		again := s.arrange()
		return again != nil && again.Error() == err.Error()
	})
}

// copied is a copy of components, which a change of one does not reach.
func copied(comps []Component) []Component {
	out := slices.Clone(comps)
	for i := range out {
		if c := &out[i]; c.Derived() {
			own := *c.computed
			c.computed = &own
		}
	}
	return out
}

// compileOne compiles one component by itself. The components of earlier passes must be
// compiled already.
func (s *Schema) compileOne(c *Component) string {
	switch c.Role {
	case RoleLiteral:
		return c.compileLiteral()
	case RoleField:
		return c.compileField(nil)
	case RoleCopy:
		return s.compileCopy(c)
	}
	return s.compileDerived(c)
}

// arrange is the second and the third pass: it compiles what depends on the neighbours of
// a component.
func (s *Schema) arrange() error {
	if err := s.lay(); err != nil {
		return err
	}
	return s.order()
}

// Refused is the reason of an error of Build. Comp is the index of the component that is
// refused, or −1. Option is the index of the option to blame, or −1: together with the
// options before it, it is the first for which the component is refused with this reason.
type Refused struct {
	fault.Detail
	Comp, Option int
}

// refuse is the error about a component. To find the option to blame, it calls same with
// the component compiled from fewer and then more options; same reports that this
// component has the same problem.
func (s *Schema) refuse(c *Component, problem string, same func(fewer *Component) bool) error {
	why := &Refused{fault.Detail{Text: problem, Reason: fault.ErrSchema}, c.Index, -1}
	err := fault.Make(s.Name, c.Name, -1, why)
	name, opts, known := c.Name, c.Decl.Opts, c.what
	for n := range opts {
		d := *known.Decl
		d.Opts = opts[:n]
		fewer := Component{what: what{Name: name, Role: known.Role, Kind: d.Kind, last: known.last, Index: known.Index, Ord: known.Ord, Decl: &d, Lit: known.Lit}}
		fewer.begin()
		fewer.Dialect = s.dialect
		if s.nameOf(&fewer) == name && same(&fewer) {
			break
		}
		why.Option = n
	}
	return err
}

// nameOf is the declared name of a component. A salt or a hash without a name is called
// "salt", the next one "salt2".
func (s *Schema) nameOf(c *Component) string {
	d := c.Decl
	if d.Role != RoleSalt && d.Role != RoleHash {
		return d.Name
	}
	name, nth := d.Kind.String(), 1
	for i := range s.Comps[:c.Index] {
		if s.Comps[i].Role == d.Role {
			nth++
		}
	}
	if nth > 1 {
		name += fmt.Sprint(nth)
	}
	for _, o := range d.Opts {
		if o.Word() == notation.Named {
			name = o.Said.Text
		}
	}
	return name
}

// NotOfNew is the problem of an option that New does not take.
func NotOfNew(w notation.Word) string { return "New takes a Dialect and MaxLen, not " + string(w) }

// Blank is a component of which nothing is known.
func Blank() *Component {
	c := new(Component)
	c.begin()
	return c
}

// begin gives the component what it has before it is compiled.
func (c *Component) begin() {
	if c.Unit, c.narrowing, c.computed = &noUnit, &noNarrowing, &uncomputed; c.Derived() {
		c.computed = new(computed)
	}
}

// nameAll gives the components their places and their names.
func (s *Schema) nameAll(decls []*Declaration) error {
	for i, d := range decls {
		c := &s.Comps[i]
		c.Decl, c.Role, c.Kind, c.Index, c.Ord = d, d.Role, d.Kind, i, -1
		c.begin()
		c.Name = s.nameOf(c)
		if d.Role == RoleLiteral {
			continue
		}
		problem := ""
		switch {
		case !notation.ValidName(c.Name):
			problem = "a name is made of letters, digits, '_', '-' and '.'"
		case s.Named(c.Name) != nil:
			problem = "the name stands twice: give one of them another"
		}
		if problem != "" {
			return s.refuse(c, problem, func(*Component) bool { return true })
		}
		if d.Role == RoleField {
			c.Ord = len(s.Fields)
			s.Fields = append(s.Fields, c)
		} else {
			s.Derived = append(s.Derived, c)
		}
		if s.byName != nil {
			s.byName[c.Name] = c
		} else if len(s.Fields)+len(s.Derived) > FewFields {
			s.byName = make(map[string]*Component)
			for _, c := range slices.Concat(s.Fields, s.Derived) {
				s.byName[c.Name] = c
			}
		}
	}
	if len(s.Fields) == 0 {
		return s.ErrBuild("", "a schema without a field has one key only")
	}
	for i := len(s.Comps) - 1; i >= 0; i-- {
		c := &s.Comps[i]
		c.last = true
		if !slices.ContainsFunc(c.Decl.Opts, func(o Option) bool { return o.Word() == notation.NotStored }) {
			break
		}
	}
	return nil
}

func (c *Component) compileLiteral() string {
	c.Lit = []byte(c.Decl.Text)
	if len(c.Lit) == 0 {
		return "a Separator or Literal has at least one byte"
	}
	c.Shape = forms.FixedShape(len(c.Lit), forms.Up)
	c.Ends, c.Order = forms.EndWidth, forms.Forward
	return ""
}

// compileField compiles the options of a field, or of a copy: then of is the copied
// field, else nil.
func (c *Component) compileField(of *Component) string {
	d := c.Decl
	if c.Size = d.Size; d.Unit != nil {
		c.Unit = d.Unit
	}
	if of != nil {
		c.Kind, c.Size, c.Unit = of.Kind, of.Size, of.Unit
	}
	p := &Pipeline{c: c, of: of, seen: map[notation.Word]bool{}, around: c.Dialect}
	for _, o := range d.Opts {
		if o.Word() == notation.DialectOption {
			c.Dialect = DialectNamed(o.Said.Word)
		}
	}
	c.Hbase = c.Dialect == InHBase
	if of != nil && of.IsText() {
		if c.Decimal = of.Decimal; c.Decimal != forms.NoDecimal && c.Dialect != of.Dialect {
			return "the Copy of a Numeric has its dialect"
		}
	}
	switch c.Kind {
	case KindUint, KindInt:
		if c.Size < 1 || c.Size > 8 {
			return fmt.Sprintf("size is in bytes, 1 to 8, not %d", c.Size)
		}
	case KindFloat:
		if c.Size != 4 && c.Size != 8 {
			return fmt.Sprintf("a Float has 4 or 8 bytes, not %d", c.Size)
		}
	}
	p.numeric = !c.IsText()
	for i := range d.Opts {
		if problem := p.option(&d.Opts[i]); problem != "" {
			return problem
		}
	}
	if problem := p.finish(); problem != "" {
		return problem
	}
	c.Order = c.Shape.Order()
	return ""
}

// finish composes the component's shape, after all its options: the shape of the values,
// then of each stage, then of the frame.
func (p *Pipeline) finish() string {
	c := p.c
	if c.Loose && (p.numeric && !p.open() || c.Frame == FrameFixed || c.Frame == FrameEscaped || c.Frame == FrameLength) {
		return "Loose has nothing to loosen here"
	}
	sh, values, problem := p.valued()
	if problem != "" {
		return problem
	}
	if sh, problem = p.staged(sh); problem != "" {
		return problem
	}
	if sh, problem = c.listed(sh, values); problem != "" {
		return problem
	}
	if sh, problem = p.framed(sh); problem != "" {
		return problem
	}
	if sh = sh.Headed(c.Header); c.InvertAll {
		sh = sh.Flipped()
	}
	c.selfEnded(&sh)
	if problem := p.nullable(sh); problem != "" {
		return problem
	}
	c.Shape = sh
	c.Plain = len(c.Stages) == 0 && c.Frame == NoFrame && !c.InvertAll &&
		c.Header == 0 && forms.Head(c.Num.Form) == 0 && c.Decimal == forms.NoDecimal && !c.Filled && !c.Signed
	return ""
}

// listed is the shape of a text after its stages: of the values if all are listed, else sh.
func (c *Component) listed(sh forms.Shape, values []string) (forms.Shape, string) {
	if values == nil {
		return sh, ""
	}
	made := sh
	sh, problem := c.enumerate(values)
	if made.Ends == forms.EndSelf && sh.Ends == forms.EndNone { // the bytes after the form say where it ends
		sh.Ends, sh.GoesOn, sh.GoesOnDown = forms.EndSelf, made.GoesOn, made.GoesOnDown
	}
	return sh, problem
}

// valued is the shape of a field's values before the stages, and the list of the values
// if the field is a text with Codes or OneOf.
func (p *Pipeline) valued() (sh forms.Shape, values []string, problem string) {
	switch c := p.c; {
	case c.Kind == KindFloat:
		return p.float(), nil, ""
	case c.Kind == KindBool:
		if c.Dialect == InOrderedBytes {
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

func (s *Schema) compileCopy(c *Component) string {
	of := s.Named(c.Decl.Of)
	if of == nil || of.Role != RoleField {
		return fmt.Sprintf("Copy of %q: no such field", c.Decl.Of)
	}
	if of.Optional {
		return fmt.Sprintf("Copy of %q, which may be null", c.Decl.Of)
	}
	c.Of = of
	return c.compileField(of)
}

func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}

// Listed is the texts of Codes or OneOf, sorted; none for a component without them.
func (c *Component) Listed() []string { return append(SortedKeys(c.Codes), SortedKeys(c.OneOf)...) }

// ListedForms is the texts of Listed that the field takes, and what is stored for each.
func (c *Component) ListedForms() (values, stored []string) {
	for _, v := range c.Listed() {
		form := v
		if c.Codes != nil {
			form = c.Codes[v]
		} else if len(v) < c.least || c.Chars != nil && forms.Outside(c.Chars, v) >= 0 {
			continue
		}
		values, stored = append(values, v), append(stored, form)
	}
	return values, stored
}

func SortedKeys[V any](m map[string]V) []string {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(keys)
	return keys
}
