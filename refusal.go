package rowkey

import (
	"fmt"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// fullScan says why a query reads the whole table, and what would answer it.
func (pl *planner) fullScan() error {
	p := pl.p
	open := pl.openField()
	if open == nil {
		return pl.s.errAt("", -1, &detail{"the conditions meet all values of what is computed; FullScan() permits it", ErrFullScan})
	}
	if open.index == p.stop && pl.narrow[open.ord] {
		why := whyUnsortedBy(open, &p.cons[open.ord])
		return pl.s.errAt(open.name, -1, &detail{why + ", FullScan() permits it", ErrFullScan})
	}
	for _, c := range pl.s.fields {
		switch {
		case !pl.narrow[c.ord] || c == open:
		case c.absent:
			return pl.s.errAt(open.name, -1, &detail{fmt.Sprintf("stands in front and is open; a layout that stores %s in front of it answers this, FullScan() permits it", c.name), ErrFullScan})
		default:
			return pl.s.errAt(open.name, -1, &detail{fmt.Sprintf("stands in front and is open; a layout with %s in front of it answers this, FullScan() permits it", c.name), ErrFullScan})
		}
	}
	return pl.s.errAt(open.name, -1, &detail{"stands in front and is open, as all is; FullScan() permits it", ErrFullScan})
}

// openField is the first field that the ranges leave open, nil if there is none.
func (pl *planner) openField() *component {
	for i := pl.p.stop; i < len(pl.s.comps); i++ {
		if c := &pl.s.comps[i]; c.role == roleField && !c.absent {
			return c
		}
	}
	return nil
}

// whyUnsortedBy says why a condition on a field is no range of its stored bytes.
func whyUnsortedBy(c *component, k *constraint) string {
	if len(k.ends) > 0 {
		return "its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this"
	}
	return "its stored bytes do not sort as it does (" + whyUnsorted(c) + "); a layout that stores it in its order answers this"
}

// whyUnsorted says what takes the order from a field's stored bytes.
func whyUnsorted(c *component) string {
	for _, st := range c.stages {
		switch {
		case st.reverses():
			return "it is reversed"
		case st.word == notation.Via:
			return st.via.notation() + " writes others"
		}
	}
	why := forms.FactsOf(c.num.form).Why
	switch {
	case c.absent:
		return "it is not stored"
	case c.codes != nil:
		return "its codes stand for it"
	case c.frame == framePadLeft:
		return "it is padded in front"
	case c.frame == frameLength:
		return "its length stands in front"
	case c.frame == frameBlobVar:
		return "seven bits of it stand in a byte"
	case c.decimal != forms.NoDecimal:
		return "it is a number"
	case why != "":
		return why
	case c.loose:
		return "it is Loose"
	case c.frame == framePad:
		return fmt.Sprintf("its pad %q sorts among its bytes", string([]byte{c.pad}))
	case c.mark != nil:
		return fmt.Sprintf("its separator %q sorts among its bytes", c.mark)
	}
	return "they are made of it otherwise"
}
