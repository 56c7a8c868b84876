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
	mid := len(arena)
	arena = append(arena, p...)
	state := Bounded
	if !c.Shape.GoesOnDown {
		arena = append(arena, c.Shape.GoesOn)
	} else {
		n, ok := StepUp(arena[mid:])
		if !ok {
			state = Unbounded
		}
		arena = arena[:mid+n]
	}
	end := len(arena)
	return Range{arena[at:mid:mid], arena[mid:end:end], state, nil}, arena
}
