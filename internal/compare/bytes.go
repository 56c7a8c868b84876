package compare

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// sameBytes reports that two layouts write one key of each row that both take. Layouts of one
// fingerprint do. So do others, since a fingerprint tells how the pieces were declared: that of
// [a:1] is not that of [a:8 width(1)].
func sameBytes(a, b *layout.Schema) bool {
	if len(a.Comps) != len(b.Comps) {
		return false
	}
	for i := range a.Comps {
		x, y := &a.Comps[i], &b.Comps[i]
		if x.Format(a) != y.Format(b) && !sameForms(x, y) && !sameTexts(a, x, b, y) && !sameCodes(a, x, b, y) || !sameInputs(x, y) {
			return false
		}
	}
	return true
}

// sameInputs reports that two salts or hashes of one format read the same bytes. The value of a
// number is read in its declared size, which the key need not show.
func sameInputs(x, y *layout.Component) bool {
	if x.In == nil || x.In.Form == layout.ByStored || x.In.Form == layout.ByText {
		return true
	}
	for i, f := range x.In.Comps {
		if f.Role == layout.RoleField && f.Size != y.In.Comps[i].Size {
			return false
		}
	}
	return true
}

// sameTexts reports that two pieces are alike but that one is a String and one a Binary, which are
// written alike where no dialect tells them apart.
func sameTexts(a *layout.Schema, x *layout.Component, b *layout.Schema, y *layout.Component) bool {
	for _, c := range [2]*layout.Component{x, y} {
		if !c.IsText() || c.Dialect > layout.InHBase {
			return false
		}
	}
	z := *x
	z.Kind = y.Kind
	return z.Format(a) == y.Format(b)
}

// sameCodes reports that two pieces are alike but that one has codes which the other lacks: a
// value that both take has one code.
func sameCodes(a *layout.Schema, x *layout.Component, b *layout.Schema, y *layout.Component) bool {
	common := false
	for value, code := range x.Codes {
		other, ok := y.Codes[value]
		if ok && other != code {
			return false
		}
		common = common || ok
	}
	z := *x
	z.Admitted = y.Admitted // not its Codes alone, which z shares with x
	return common && x.Size == y.Size && x.Filled == y.Filled && z.Format(a) == y.Format(b)
}

// sameForms reports that two fields, or two copies of one field, are plain and are written alike.
func sameForms(x, y *layout.Component) bool {
	switch {
	case x.Role != y.Role, x.Absent != y.Absent, !plain(x), !plain(y):
		return false
	case x.Role == layout.RoleCopy && x.Of.Index != y.Of.Index:
		return false
	case x.IsText(): // texts of two widths have no value in common
		return y.IsText() && !shorter(x.Value, y.Value) && !shorter(y.Value, x.Value)
	case x.Kind != y.Kind, x.Num.Trunc != y.Num.Trunc:
		return false
	case shorter(&x.Shape, &y.Shape), shorter(&y.Shape, &x.Shape): // numbers of two and of four digits
		return false
	case x.Unit.Step != y.Unit.Step, x.Unit.Sec != y.Unit.Sec, x.Unit.Nsec != y.Unit.Nsec:
		return false
	}
	f, g := forms.FactsOf(x.Num.Form), forms.FactsOf(y.Num.Form)
	if f.Word > 0 && g.Word > 0 {
		return f.Word == g.Word && (f.Xor^g.Xor)&forms.Mask(f.Word) == 0
	}
	told := x.Num.Form.Told()
	return told.Form != 0 && told == y.Num.Form.Told() // what is no word and has no number has more to it
}

// plain reports that a field or a copy is written as its text is, or in the form of its number alone.
func plain(c *layout.Component) bool {
	if c.Role != layout.RoleField && c.Role != layout.RoleCopy || c.Frame != layout.NoFrame && c.Frame != layout.FrameFixed ||
		c.Header != 0 || forms.Head(c.Num.Form) != 0 || c.Decimal != forms.NoDecimal || c.InvertAll || c.Optional || c.Codes != nil ||
		c.Unit.Lay != nil || c.Unit.Own != nil {
		return false
	}
	for _, st := range c.Stages {
		switch {
		case st.Word == notation.Fixed:
		case st.Word == notation.Reverse && c.Shape.Max == 1: // one byte is its own reverse
		default:
			return false
		}
	}
	return true
}

// shorter reports that all forms of x are shorter than all of y.
func shorter(x, y *forms.Shape) bool { return x.Max >= 0 && x.Max < y.Min }
