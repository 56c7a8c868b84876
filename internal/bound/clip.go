package bound

import "github.com/hbase-rowkey/rowkey/internal/layout"

// Clipped gives the range of the keys that begin with p and whose last component in p ends
// there. Longer forms of that component can also begin so: their keys are left out.
func Clipped(c *layout.Component, arena, p []byte) (Range, []byte) {
	at := len(arena)
	arena = append(arena, p...)
	if c.Shape.GoesOnDown {
		arena = append(arena, ^c.Shape.GoesOn+1)
	}
	mid, bounded := len(arena), true
	if c.Shape.GoesOnDown {
		arena, bounded = AppendSuccessor(arena, p)
	} else {
		arena = append(append(arena, p...), c.Shape.GoesOn)
	}
	state := Bounded
	if !bounded {
		state = Unbounded
	}
	return Range{arena[at:mid:mid], arena[mid:len(arena):len(arena)], state, nil}, arena
}
