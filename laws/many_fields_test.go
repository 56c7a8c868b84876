package laws

import (
	"fmt"
	"slices"
	"testing"
)

// The library has room for the values of 16 fields on the stack. What is written and read with more
// of them is what the reference writes and reads, too, and no damaged key makes a fault.
func TestLawManyFields(t *testing.T) {
	law(t, 400, func(c *lawCase) {
		if !c.widen() {
			return
		}
		c.count("schemas of more than 16 fields")
		for range 12 {
			want, stored := c.roundTrip()
			if !stored {
				continue
			}
			c.prefixes(want)
			whole := c.key
			for range 4 {
				key := lawMutate(c.r, whole)
				c.hostileKey(key, nil)
				_ = c.built.Explain(key)
			}
		}
	}, "schemas of more than 16 fields", "rows stored", "rows refused", "prefixes")
}

// prefixes asks for the ranges of the beginnings of a row's texts: the row lies in one of them.
func (c *lawCase) prefixes(want refKey) {
	for i, v := range want.kept {
		text, ok := v.(string)
		if !ok || text == "" {
			continue
		}
		begin := text[:1+c.r.IntN(len(text))]
		ranges, _, err := c.supply(c.built.Key(), c.row[:i]).Prefix(begin).AppendRanges(nil, nil)
		if err != nil {
			c.typed("Prefix", err)
			continue
		}
		c.count("prefixes")
		if lawCovering(ranges, c.key) != 1 {
			c.fail("Prefix(%q): the row is not in one of %v", begin, ranges)
		}
	}
}

// widen puts 17 numbers somewhere between the components of a schema. False if it cannot be built so.
func (c *lawCase) widen() bool {
	var more []refComp
	for i := range 17 {
		more = append(more, refComp{word: "Uint", name: fmt.Sprintf("more%d", i), size: 1})
	}
	s := *c.s
	s.maxLen = 0
	s.comps = slices.Insert(slices.Clone(s.comps), c.r.IntN(len(s.comps)+1), more...)
	built, err := s.build()
	if err == nil {
		c.s, c.built = &s, built
	}
	return err == nil
}
