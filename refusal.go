package rowkey

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// fullScan says why a query reads the whole table, and what would answer it.
func (pl *planner) fullScan() error {
	p := pl.p
	open := pl.openField()
	if open == nil {
		return pl.s.ErrAt("", -1, &fault.Detail{Text: "the conditions meet all values of what is computed; FullScan() permits it", Reason: fault.ErrFullScan})
	}
	if open.Index == p.stop && pl.narrow[open.Ord] {
		why := whyUnsortedBy(open, &p.cons[open.Ord])
		return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: why + ", FullScan() permits it", Reason: fault.ErrFullScan})
	}
	for _, c := range pl.s.Fields {
		switch {
		case !pl.narrow[c.Ord] || c == open:
		case c.Absent:
			return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("stands in front and is open; a layout that stores %s in front of it answers this, FullScan() permits it", c.Name), Reason: fault.ErrFullScan})
		default:
			return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: fmt.Sprintf("stands in front and is open; a layout with %s in front of it answers this, FullScan() permits it", c.Name), Reason: fault.ErrFullScan})
		}
	}
	return pl.s.ErrAt(open.Name, -1, &fault.Detail{Text: "stands in front and is open, as all is; FullScan() permits it", Reason: fault.ErrFullScan})
}

// openField is the first field that the ranges leave open, nil if there is none.
func (pl *planner) openField() *layout.Component {
	for i := pl.p.stop; i < len(pl.s.Comps); i++ {
		if c := &pl.s.Comps[i]; c.Role == layout.RoleField && !c.Absent {
			return c
		}
	}
	return nil
}

// whyUnsortedBy says why a condition on a field is no range of its stored bytes.
func whyUnsortedBy(c *layout.Component, k *constraint) string {
	if len(k.ends) > 0 {
		return "its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this"
	}
	return "its stored bytes do not sort as it does (" + whyUnsorted(c) + "); a layout that stores it in its order answers this"
}

// whyUnsorted says what takes the order from a field's stored bytes.
func whyUnsorted(c *layout.Component) string {
	for _, st := range c.Stages {
		switch {
		case st.Reverses():
			return "it is reversed"
		case st.Word == notation.Via:
			return st.Via.Notation() + " writes others"
		}
	}
	why := forms.FactsOf(c.Num.Form).Why
	switch {
	case c.Absent:
		return "it is not stored"
	case c.Codes != nil:
		return "its codes stand for it"
	case c.Frame == layout.FramePadLeft:
		return "it is padded in front"
	case c.Frame == layout.FrameLength:
		return "its length stands in front"
	case c.Frame == layout.FrameBlobVar:
		return "seven bits of it stand in a byte"
	case c.Decimal != forms.NoDecimal:
		return "it is a number"
	case why != "":
		return why
	case c.Loose:
		return "it is Loose"
	case c.Frame == layout.FramePad:
		return fmt.Sprintf("its pad %q sorts among its bytes", string([]byte{c.Pad}))
	case c.Mark != nil:
		return fmt.Sprintf("its separator %q sorts among its bytes", c.Mark)
	}
	return "they are made of it otherwise"
}
