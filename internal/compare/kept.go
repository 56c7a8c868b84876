package compare

import (
	"slices"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// What the keys of one layout are to another one of other bytes.
const (
	KeptUnsaid = ""      // some may be keys of the other by chance: they hold other values there
	KeptEmpty  = "empty" // each is a key of the other, of the same values and an empty last field
	KeptNull   = "null"  // each is a key of the other, of the same values and a null as last field
	KeptNone   = "none"  // none is a key of the other
)

// kept says what the keys of a are to b. That is known where pieces were added at the end and all
// before them is written as before: then the key of a ends where the first of these begins.
func kept(a, b *rowkey.Schema) string {
	from, to := piecesOf(a), piecesOf(b)
	if len(to) <= len(from) || !slices.Equal(from, to[:len(from)]) || inside.Layout(b).Loose != 0 {
		return KeptUnsaid
	}
	was, is := inside.Layout(a).Comps, inside.Layout(b).Comps
	if !endsAlike(&was[len(was)-1]) {
		return KeptUnsaid
	}
	added := is[len(was):]
	for i := range added {
		if c := &added[i]; !c.Absent && (c.Role == layout.RoleLiteral || c.Shape.Min > 0) {
			return KeptNone
		}
	}
	switch c := &added[0]; {
	case len(added) > 1 || c.Role != layout.RoleField || c.Absent:
		return KeptUnsaid
	case c.Optional:
		return KeptNull
	}
	return KeptEmpty
}

// endsAlike reports that the last component of a key is written in the same bytes where others follow it.
func endsAlike(c *layout.Component) bool {
	return c.Role == layout.RoleLiteral || c.Role == layout.RoleField && !c.Absent && !c.Optional && (c.Shape.Min == c.Shape.Max || c.Frame == layout.FrameLength)
}
