package rowkey

import (
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
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
	if s.in.maxLen != maxKey {
		longest := notation.Option{Word: notation.MaxLen, N: s.in.maxLen}
		b.WriteString(longest.String() + " ")
	}
	for i := range s.in.comps {
		b.WriteString(s.in.comps[i].notation())
	}
	return b.String()
}

// notation is a component's piece of Schema.String.
func (c *component) notation() string {
	said := c.said()
	return said.String()
}

// said is a component as the notation has it.
func (c *component) said() notation.Component {
	d := c.decl
	said := notation.Component{Name: c.name, Size: c.size, Text: string(c.lit), Of: d.of, Buckets: d.buckets}
	switch c.role {
	case roleLiteral:
		if said.Kind = notation.Literal; d.isSep {
			said.Kind = notation.Separator
		}
		return said
	case roleSalt:
		said.Kind, said.Input = notation.Salt, inputSaid(d.in)
	case roleHash:
		said.Kind, said.Input, said.Part = notation.Hash, inputSaid(d.in), d.part.said()
	case roleCopy:
		said.Kind = notation.Copy
	default:
		said.Kind = saidKinds[c.kind]
		said.Unit = c.unit.said()
	}
	dialect, rule := false, false
	for _, o := range d.opts {
		dialect, rule = dialect || o.word() == notation.DialectOption, rule || o.word() == notation.RuleOption
		if o.said.Word == notation.Word(dialectNames[inHBase]) && c.isText() {
			continue // its own bytes, as without a dialect
		}
		if o.word() == notation.UnitOption { // a Layout's zone is known by now
			o.said.Unit = c.unit.said()
		}
		said.Options = append(said.Options, o.said)
	}
	word := ""
	switch {
	case dialect || c.kind == kindHash:
	case c.role == roleSalt:
		if c.rule == digest.Phoenix && !rule {
			word = c.rule.String()
		}
	case c.hbase && (c.kind == kindInt || c.kind == kindFloat || c.kind == kindBool):
		word = dialectNames[inHBase]
	case c.dialect.framed():
		word = dialectNames[c.dialect]
	}
	if word != "" {
		said.Options = append(said.Options, notation.Option{Word: notation.Word(word)})
	}
	return said
}

// saidKinds are the kinds of fields as the notation has them.
var saidKinds = [...]notation.Kind{
	kindString: notation.String, kindBinary: notation.Binary, kindUint: notation.Uint, kindInt: notation.Int,
	kindFloat: notation.Float, kindBool: notation.Bool, kindTime: notation.Time,
}

// said is a unit as the notation has it.
func (u unit) said() notation.Unit {
	if u.lay != nil {
		return notation.Unit{Name: u.name, Layout: u.lay.Text, Offset: u.lay.Offset}
	}
	return notation.Unit{Name: u.name, Since: u.set, Sec: u.sec, Nsec: u.nsec}
}

// notation is a unit as the notation has it.
func (u unit) notation() string { return u.said().String() }

// inputSaid is an input as the notation has it.
func inputSaid(in string) notation.Input {
	said, _ := notation.ReadInput(in)
	return said
}

// said is a part of a digest as the notation has it.
func (p part) said() notation.Part {
	c := &p.cut
	name, _ := p.known()
	return notation.Part{Digest: name, Seed: c.Seed, Seeded: p.own == nil && c.Seed != c.OwnSeed(), Hex: c.Hex, Upper: c.Upper, At: c.At, N: c.N}
}

// dialectNames are the dialects in the notation.
var dialectNames = [...]string{inHBase: "hbase", inOrderedBytes: "orderedbytes", inPhoenix: "phoenix"}
