package layout

import (
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Notation is the part of Schema.String for this component, such as max-ms(at).
func (c *Component) Notation() string {
	said := c.said()
	return said.String()
}

// said is the component as the notation writes it.
func (c *Component) said() notation.Component {
	d := c.Decl
	said := notation.Component{Name: c.Name, Size: c.Size, Text: string(c.Lit), Buckets: d.Buckets}
	switch c.Role {
	case RoleLiteral:
		if said.Kind = notation.Literal; d.IsSep {
			said.Kind = notation.Separator
		}
		return said
	case RoleSalt:
		said.Kind, said.Input = notation.Salt, inputSaid(d.Of)
	case RoleHash:
		said.Kind, said.Input, said.Part = notation.Hash, inputSaid(d.Of), d.Part.Said()
	case RoleCopy:
		said.Kind, said.Of = notation.Copy, d.Of
	case RoleField:
		said.Kind = notation.Kind(c.Kind)
		said.Unit = c.Unit.Said()
	default:
		panic("layout: a component of no role")
	}
	dialect, rule := false, false
	for _, o := range d.Opts {
		dialect, rule = dialect || o.Word() == notation.DialectOption, rule || o.Word() == notation.RuleOption
		if o.Said.Word == notation.Word(DialectNames[InHBase]) && c.IsText() {
			continue // a text in HBase is its own bytes, as without a dialect
		}
		if o.Word() == notation.UnitOption { // a Layout's zone is known by now
			o.Said.Unit = c.Unit.Said()
		}
		said.Options = append(said.Options, o.Said)
	}
	if dialect || rule && c.Role == RoleSalt {
		return said
	}
	if word := c.ofSchema(); word != "" {
		said.Options = append(said.Options, notation.Option{Word: notation.Word(word)})
	}
	return said
}

// ofSchema is the word for what a component has of the schema's dialect: the notation has no
// dialect of a schema, and says it of each component. Empty if the dialect changes nothing here.
func (c *Component) ofSchema() string {
	switch {
	case c.Role == RoleHash:
	case c.Role == RoleSalt:
		if c.Rule == digest.Phoenix {
			return c.Rule.String()
		}
	case c.Dialect == InHBase && (c.Kind == KindInt || c.Kind == KindFloat || c.Kind == KindBool):
		return DialectNames[InHBase]
	case c.Dialect.framed():
		return DialectNames[c.Dialect]
	}
	return ""
}

// inputSaid is the Input in as the notation writes it.
func inputSaid(in string) notation.Input {
	said, _ := notation.ReadInput(in)
	return said
}

// Said is the part as the notation writes it.
func (p Part) Said() notation.Part {
	c := &p.Cut
	name, _ := p.known()
	return notation.Part{Digest: name, Seed: c.Seed, Seeded: p.Own == nil && c.Seed != c.OwnSeed(), Hex: c.Hex, Upper: c.Upper, At: c.At, N: c.N}
}

// DialectNames are the dialects in the notation.
var DialectNames = [...]string{InHBase: "hbase", InOrderedBytes: "orderedbytes", InPhoenix: "phoenix"}
