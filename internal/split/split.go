package split

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Leads gives the leads at the start of the key: as many as are needed for want
// combinations of values, if there are enough. values is how many combinations they have.
// stuck is the component that ended the search since it is no lead; nil if none did.
func Leads(s *layout.Schema, want *big.Int) (leads []lead, values *big.Int, stuck *layout.Component) {
	values = big.NewInt(1)
	var constant []byte
	for i := 0; i < len(s.Comps) && values.Cmp(want) < 0; i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == layout.RoleLiteral {
			constant = append(constant, c.Lit...)
			continue
		}
		l, ok := splitLead(c)
		if !ok {
			return leads, values, c
		}
		l.before = constant
		constant = nil
		if !c.Shape.Fixed() && c.Mark != nil {
			i++ // its forms hold its separator already, since they sort with it
		}
		leads = append(leads, l)
		values.Mul(values, l.count)
	}
	return leads, values, nil
}

// WhyStuck says why a component gives no split keys, and what helps. Samples do not help if
// the key begins with a time: all new rows lie after them.
func WhyStuck(c *layout.Component, first bool) string {
	if first && c.Kind == layout.KindTime && (c.Role == layout.RoleField || c.Role == layout.RoleCopy) {
		const remedy = ": such a key cannot be pre-split; a leading Salt or Hash spreads it"
		switch c.Order {
		case forms.Forward:
			return "the key rises with time, and all new rows lie in the last region" + remedy
		case forms.Backward:
			return "the key falls as time passes, and all new rows lie in the first region" + remedy
		}
	}
	if first && c.Kind == layout.KindUint && c.Role == layout.RoleField && c.Order != forms.Unordered {
		return "its values depend on data: use SplitsOf, unless they only rise: such a key cannot be pre-split"
	}
	return "its values depend on data: use SplitsOf"
}

// lead is a component at the start of a key whose stored forms are known. All of them are
// assumed to be equally frequent.
type lead struct {
	before []byte // constants in front of it
	count  *big.Int
	form   func(n *big.Int) []byte // number n in key order
}

// Before are the constants before a lead, Count how many forms it has, and Form its form
// number n in key order.
func (l *lead) Before() []byte         { return l.before }
func (l *lead) Count() *big.Int        { return l.count }
func (l *lead) Form(n *big.Int) []byte { return l.form(n) }

// Nth is combination n of the leads, in key order.
func Nth(leads []lead, n *big.Int) []byte {
	picks := make([]*big.Int, len(leads))
	for i := len(leads) - 1; i >= 0; i-- {
		picks[i] = new(big.Int)
		n, picks[i] = new(big.Int).DivMod(n, leads[i].count, picks[i])
	}
	var key []byte
	for i, l := range leads {
		key = append(append(key, l.before...), l.form(picks[i])...)
	}
	return key
}

// splitLead makes a lead of a component; false if it is none.
func splitLead(c *layout.Component) (lead, bool) {
	if c.Ends == forms.EndLoose || c.Optional || c.Trims {
		return lead{}, false
	}
	switch c.Role {
	case layout.RoleSalt:
		return saltLead(c)
	case layout.RoleHash:
		if c.Part.Cut.Hex {
			return textLead(16, c.Part.Cut.N, c.Part.Cut.Upper), true
		}
		return bytesLead(c.Part.Cut.N), true
	case layout.RoleField:
		return fieldLead(c)
	}
	return lead{}, false
}

// saltLead makes a lead of a salt: its buckets. It is false for many buckets whose forms do not
// sort as their numbers do: "10" sorts before "9".
func saltLead(c *layout.Component) (lead, bool) {
	switch {
	case c.Forms != nil:
		return listedLead(c, c.Forms), true
	case c.SaltForm == layout.SaltDecimal || c.Vias > 0:
		return lead{}, false
	}
	return lead{count: new(big.Int).SetUint64(c.Buckets), form: func(n *big.Int) []byte { return c.AppendBucket(nil, n.Uint64()) }}, true
}

// fieldLead makes a lead of a field whose values are known before there is data; false if they are
// not.
func fieldLead(c *layout.Component) (lead, bool) {
	switch {
	case c.Forms != nil:
		values := c.Listed()
		return writtenLead(c, len(values), func(i int) ([]byte, error) { return layout.AppendText(c, nil, values[i]) })
	case c.Kind == layout.KindBool: // a transform may refuse one, or turn their order
		return writtenLead(c, 2, func(i int) ([]byte, error) { return c.AppendNum(nil, uint64(i)) })
	case c.Kind != layout.KindUint:
	case len(c.Stages) == 1 && c.Stages[0].Word == notation.Reverse && c.Frame == layout.NoFrame:
		return reversedLead(c)
	case len(c.Stages) == 0 && c.Order != forms.Unordered && (c.Below || c.Num.Binary() && c.Num.Max <= forms.Mask(2)):
		return numberLead(c, c.Num.Max), true
	}
	return lead{}, false
}

// writtenLead is a lead with the forms of n values, without those that cannot be written. It is
// false after a panic, since then the forms are not known.
func writtenLead(c *layout.Component, n int, write func(i int) ([]byte, error)) (lead, bool) {
	all := make([][]byte, 0, n)
	for i := range n {
		form, err := write(i)
		switch {
		case foreign.IsPanic(err):
			return lead{}, false
		case err == nil:
			all = append(all, form)
		}
	}
	return listedLead(c, all), true
}

// listedLead is a lead with a short list of forms. Forms of several lengths get their
// separator, with which they sort.
func listedLead(c *layout.Component, forms [][]byte) lead {
	forms = slices.Clone(forms)
	if !c.Shape.Fixed() {
		for i, f := range forms {
			forms[i] = slices.Concat(f, c.Mark)
		}
	}
	slices.SortFunc(forms, bytes.Compare)
	forms = slices.CompactFunc(forms, bytes.Equal) // two values of a Loose field may have one form
	return lead{count: big.NewInt(int64(len(forms))), form: func(n *big.Int) []byte { return forms[n.Int64()] }}
}

// bytesLead is a lead whose forms are all strings of width bytes.
func bytesLead(width int) lead {
	return lead{count: new(big.Int).Lsh(big.NewInt(1), uint(8*width)), form: func(n *big.Int) []byte { return n.FillBytes(make([]byte, width)) }}
}

// textLead is a lead whose forms are all texts of width digits to a base.
func textLead(base, width int, upper bool) lead {
	count := new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(width)), nil)
	return lead{count: count, form: func(n *big.Int) []byte {
		text := n.Text(base)
		text = strings.Repeat("0", width-len(text)) + text
		if upper {
			text = strings.ToUpper(text)
		}
		return []byte(text)
	}}
}

// numberLead is a lead whose forms are the numbers 0 … top as the component writes them.
func numberLead(c *layout.Component, top uint64) lead {
	count := new(big.Int).SetUint64(top)
	count.Add(count, big.NewInt(1))
	return lead{count: count, form: func(n *big.Int) []byte {
		v := n.Uint64()
		if c.Order == forms.Backward {
			v = top - v
		}
		form, _ := c.AppendNum(nil, v) // within its limits
		return form
	}}
}

// reversedLead is a lead of a number with its bytes or digits reversed. Growing numbers spread
// evenly over its forms. It is false if the field does not take every number of its width.
func reversedLead(c *layout.Component) (lead, bool) {
	f := forms.FactsOf(c.Num.Form)
	if f.Base == 0 {
		return lead{}, false
	}
	l := bytesLead(f.Units)
	if f.Base != 256 {
		l = textLead(f.Base, f.Units, false)
	}
	all := new(big.Int).SetUint64(c.Num.Max)
	return l, all.Add(all, big.NewInt(1)).Cmp(l.count) == 0
}
