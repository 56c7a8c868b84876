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
		o := &opts[i]
		if o.ToSchema == nil {
			return s.ErrBuild("", NotOfNew(o.Word()))
		}
		if problem := o.ToSchema(&all); problem != "" {
			return s.ErrBuild("", problem)
		}
	}
	err := s.compile(all, decls)
	if err != nil {
		s.blame(all, decls, err)
	}
	return err
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
				return s.refuse(c, problem)
			}
		}
	}
	if err := s.lay(); err != nil {
		return err
	}
	return s.order()
}

// compileOne compiles one component by itself. The components of earlier passes must be
// compiled already.
func (s *Schema) compileOne(c *Component) string {
	switch c.Role {
	case RoleLiteral:
		if c.Lit = []byte(c.Decl.Text); len(c.Lit) == 0 {
			return "a Separator or Literal has at least one byte"
		}
		c.Shape = forms.FixedShape(len(c.Lit), forms.Up)
		c.Ends, c.Order = forms.EndWidth, forms.Forward
		return ""
	case RoleField:
		return c.compileField(nil)
	case RoleCopy:
		return s.compileCopy(c)
	}
	return s.compileDerived(c)
}

// Refused is the reason of an error of Build. Comp is the index of the component that is
// refused, or −1. Option is the index of the option to blame, or −1: together with the
// options before it, it is the first for which the component is refused with this reason.
type Refused struct {
	fault.Detail
	Comp, Option int
}

// ErrBuild is an error about the declaration.
func (s *Schema) ErrBuild(field, problem string) error {
	return fault.Make(s.Name, field, -1, &Refused{fault.Detail{Text: problem, Reason: fault.ErrSchema}, -1, -1})
}

// refuse is the error about a component.
func (s *Schema) refuse(c *Component, problem string) error {
	return fault.Make(s.Name, c.Name, -1, &Refused{fault.Detail{Text: problem, Reason: fault.ErrSchema}, c.Index, -1})
}

// blame sets the option to blame for an error of compile: it compiles all once more, with one option
// of the refused component, with two and so on, until the error is the same.
func (s *Schema) blame(all Settings, decls []*Declaration, err error) {
	_, reason, _ := fault.Read(err)
	why := reason.(*Refused)
	if why.Comp < 0 {
		return
	}
	decls = slices.Clone(decls)
	d := *decls[why.Comp]
	decls[why.Comp] = &d
	for n, opts := 0, d.Opts; n < len(opts); n++ {
		d.Opts = opts[:n]
		fewer := Schema{Name: s.Name}
		if again := fewer.compile(all, decls); again != nil && again.Error() == err.Error() {
			break
		}
		why.Option = n
	}
}

// nameOf is the name of a declaration. The nth salt or hash, without a name, is called "salt" or "salt2".
func (d *Declaration) nameOf(nth int) string {
	if d.Role != RoleSalt && d.Role != RoleHash {
		return d.Name
	}
	for _, o := range slices.Backward(d.Opts) {
		if o.Word() == notation.Named {
			return o.Said.Text
		}
	}
	if nth > 1 {
		return d.Kind.String() + strconv.Itoa(nth)
	}
	return d.Kind.String()
}

// NotOfNew is the problem of an option that New does not take.
func NotOfNew(w notation.Word) string { return "New takes a Dialect and MaxLen, not " + string(w) }

// nameAll gives the components their places and their names.
func (s *Schema) nameAll(decls []*Declaration) error {
	seen := map[role]int{}
	for i, d := range decls {
		c := &s.Comps[i]
		seen[d.Role]++
		c.Decl, c.Role, c.Kind, c.Index, c.Ord = d, d.Role, d.Kind, i, -1
		if d.Role == RoleLiteral {
			continue
		}
		name := d.nameOf(seen[d.Role])
		twice := s.Named(name) != nil
		switch c.Name = name; {
		case !notation.ValidName(name):
			return s.refuse(c, "a name is made of letters, digits, '_', '-' and '.'")
		case twice:
			return s.refuse(c, "the name stands twice: give one of them another")
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

// compileField compiles the options of a field, or of a copy: then of is the copied
// field, else nil.
func (c *Component) compileField(of *Component) string {
	d := c.Decl
	if c.Size = d.Size; d.Unit != nil {
		c.Unit = *d.Unit
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
	for i := range d.Opts {
		if problem := p.option(&d.Opts[i]); problem != "" {
			return problem
		}
	}
	return p.finish()
}

// finish composes the component's shape, after all its options: the shape of the values,
// then of each stage, then of the frame.
func (p *Pipeline) finish() string {
	c := p.c
	if c.Loose && (!c.IsText() && !p.open() || c.Frame == FrameFixed || c.Frame == FrameEscaped || c.Frame == FrameLength) {
		return "Loose has nothing to loosen here"
	}
	var sh forms.Shape
	for _, step := range [...]func(forms.Shape) (forms.Shape, string){p.valued, p.staged, c.enumerated, p.framed} {
		var problem string
		if sh, problem = step(sh); problem != "" {
			return problem
		}
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

// valued is the shape of a field's values before the stages.
func (p *Pipeline) valued(forms.Shape) (sh forms.Shape, problem string) {
	switch c := p.c; {
	case c.IsText():
		return p.text()
	case c.Kind == KindFloat:
		return p.float(), ""
	case c.Kind == KindBool && c.Dialect == InOrderedBytes:
		return sh, "OrderedBytes has no bool: say an Int of 1 byte, or HBase"
	case c.Kind == KindBool:
		return p.bool(), ""
	}
	if problem = p.precise(); problem == "" {
		problem = p.dialectNumber()
	}
	if problem == "" {
		sh, problem = p.number()
	}
	return sh, problem
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

// listed reports that Codes or OneOf says which texts a field takes.
func (c *Component) listed() bool { return c.Codes != nil || c.OneOf != nil }

// Listed is the texts of Codes or OneOf, sorted; none for a component without them.
func (c *Component) Listed() []string { return append(SortedKeys(c.Codes), SortedKeys(c.OneOf)...) }

// ListedForms is the texts of Listed, and what is stored for each.
func (c *Component) ListedForms() (values, stored []string) {
	values = c.Listed()
	stored = slices.Clone(values)
	for i, v := range values {
		if c.Codes != nil {
			stored[i] = c.Codes[v]
		}
	}
	return values, stored
}

func SortedKeys[V any](m map[string]V) []string {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(keys)
	return keys
}
