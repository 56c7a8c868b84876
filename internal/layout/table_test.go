package layout

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// TestTable holds what Build notes once of all places against walks over all components.
func TestTable(t *testing.T) {
	from, _ := seed.Case(t)
	r := rand.New(rand.NewPCG(from, 31))
	leads, clips, open := 0, 0, 0
	for range 3000 {
		s := randomPlaces(r)
		s.tabulate()
		for i := range s.Comps {
			want := placeOf(s, i)
			if s.Places[i].Leads > 1 {
				leads++
			}
			if want.Clips != nil {
				clips++
			}
			require.Equal(t, want, s.Places[i])
		}
		for n := range len(s.Fields) + 1 {
			stored, end := len(s.Comps), 0
			for _, f := range slices.Backward(s.Fields[n:]) {
				if !f.Absent {
					stored = f.Index
				}
			}
			for _, f := range s.Fields[:n] {
				if !f.Absent {
					end = f.Index + 1
				}
			}
			has := func(c *Component) bool {
				return !slices.ContainsFunc(c.Deps, func(ord int) bool { return ord >= n }) && (!c.Rest || n == len(s.Fields))
			}
			for ; end < len(s.Comps); end++ {
				if c := &s.Comps[end]; !c.Absent && (c.Role == RoleField || c.Derived() && !has(c)) {
					break
				}
			}
			require.Equal(t, [2]int{end, stored}, [2]int{s.decided(n), s.storedFrom(n)})
			place := site{S: s, I: n}
			steps := map[*Step]int{{site: place}: min(end, stored)} // and before which component its slots stand
			if n < len(s.Fields) {
				place.C = s.Fields[n]
				steps[&Step{hot: hot{Op: OpPrefix}, site: place}] = place.C.Index
			}
			for st, before := range steps {
				for _, c := range s.Derived {
					if want := c.Index < before && !c.Absent && !has(c); want {
						open++
						require.True(t, st.Opens(c))
					} else {
						require.False(t, st.Opens(c))
					}
				}
			}
		}
	}
	assert.Greater(t, open, 300)
	assert.Greater(t, leads, 300)
	assert.Greater(t, clips, 300)
}

// placeOf is what is known of the components before component end.
func placeOf(s *Schema, end int) Place {
	p, last := Place{Leads: uint16(leadsOf(s, end))}, &Component{}
	for i := range s.Comps[:end] {
		if c := &s.Comps[i]; !c.Absent {
			p.min, last = p.min+int32(c.Shape.Min), c
			if !c.Shape.Fixed() {
				p.varying++
			}
		}
	}
	if last.Clips() {
		p.Clips = last
	}
	return p
}

// leadsOf counts the components before component end that Merge's order leaves out.
func leadsOf(s *Schema, end int) (n int) {
	for i := range s.Comps[:end] {
		switch c := &s.Comps[i]; {
		case c.Absent || c.Role == RoleLiteral:
		case c.Role == RoleSalt || c.Role == RoleHash || c.Role == RoleField && c.Bucket && !c.Loose:
			n = i + 1
		default:
			return n
		}
	}
	return n
}

// randomPlaces is a schema of random fields, constants, salts and copies, as lay leaves them.
func randomPlaces(r *rand.Rand) *Schema {
	s := &Schema{Comps: make([]Component, 1+r.IntN(14))}
	for i := range s.Comps {
		c := &s.Comps[i]
		c.Index, c.Role = i, []role{RoleField, RoleField, RoleSalt, RoleSalt, RoleCopy, RoleLiteral}[r.IntN(6)]
		c.Shape = forms.Shape{Min: r.IntN(4)}
		if c.Shape.Max = c.Shape.Min; r.IntN(4) == 0 {
			c.Shape.Max++
		}
		c.Absent = c.Role != RoleLiteral && r.IntN(5) == 0
		c.Bucket, c.Loose = r.IntN(2) == 0, r.IntN(4) == 0
		if r.IntN(3) == 0 {
			c.Ends, c.Shape.GoesOn = forms.EndSelf, 1
		}
		if i == 0 {
			c.Role = RoleField
		}
		if c.Role == RoleField {
			c.Ord = len(s.Fields)
			s.Fields = append(s.Fields, c)
		}
	}
	for i := range s.Comps {
		c := &s.Comps[i]
		if !c.Derived() {
			continue
		}
		c.Part, s.Derived = murmurPart, append(s.Derived, c)
		if c.Needs, c.Rest = len(s.Fields), c.Role == RoleSalt && r.IntN(6) == 0; !c.Rest {
			for range 1 + r.IntN(2) {
				c.Deps = append(c.Deps, r.IntN(len(s.Fields)))
			}
			c.Needs = slices.Max(c.Deps) + 1
		}
	}
	return s
}
