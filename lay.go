package rowkey

import (
	"fmt"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Positions: how a key is taken apart, what cannot be, and when each derived component
// can be written. Only here does a component see its neighbours.

// lay decides how a key is taken apart, and refuses what cannot be.
func (s *schema) lay() error {
	used := map[int]bool{}
	for _, c := range s.derived {
		if c.role == roleCopy {
			c.deps = []int{c.of.ord}
		}
		for _, ord := range c.deps {
			used[ord] = true
		}
	}
	copied := map[*component]bool{}
	for _, c := range s.derived {
		if c.in != nil {
			for _, f := range c.in.comps {
				copied[f] = true
			}
		}
	}
	s.layNulls()
	openEnd := "" // a component without an end, behind which none can be filled in
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent && c.bucket {
			return s.errBuild(c.name, "a Bucket is stored: it is what rows are spread by")
		}
		if c.absent {
			if c.role == roleField && !used[c.ord] || c.role == roleCopy && !copied[c] {
				return s.errBuild(c.name, "is not stored, and no salt or hash is computed from it")
			}
			c.ends, c.order = forms.EndWidth, forms.Unordered
			continue
		}
		var next *component
		for j := i + 1; j < len(s.comps) && next == nil; j++ {
			if !s.comps[j].absent {
				next = &s.comps[j]
			}
		}
		if openEnd != "" && c.derived() && !c.shape.Fixed() {
			return s.errBuild(c.name, "stands behind "+openEnd+", which has no end, and has no width of its own")
		}
		if c.shape.GoesOn != 0 && c.shape.Ends == forms.EndSelf {
			if problem := s.follows(i); problem != "" {
				return s.errBuild(c.name, problem)
			}
		}
		if problem := c.endBefore(next); problem != "" {
			return s.errBuild(c.name, problem)
		}
		if c.ends == forms.EndLoose && c.mark == nil {
			openEnd = c.name
		}
		if c.role == roleField || c.role == roleCopy {
			c.order = c.shape.Order()
			if c.loose || c.ends == forms.EndLoose {
				c.order = forms.Unordered
			}
		}
		if c.bucket {
			if problem := s.leadsBucket(c); problem != "" {
				return s.errBuild(c.name, problem)
			}
		}
		if problem := c.storable(); problem != "" {
			return s.errBuild(c.name, problem)
		}
	}
	s.measure()
	if s.minLen > s.maxLen {
		return s.errBuild("", fmt.Sprintf("the shortest key has %d bytes, and MaxLen is %d", s.minLen, s.maxLen))
	}
	if s.minLen == 0 && s.fixedLen() {
		return s.errBuild("", "nothing is stored")
	}
	return nil
}

// endBefore decides how a form's end is found before the component that is stored
// next, nil if there is none; or says why it cannot be.
func (c *component) endBefore(next *component) string {
	c.ends = c.shape.Ends
	switch {
	case c.shape.Ends != forms.EndNone:
		if c.loose && c.frame == noFrame {
			return "Loose has nothing to loosen here"
		}
	case next == nil:
		c.ends = forms.EndLast
		if c.frame == noFrame {
			c.loose = false
		}
	case next.role == roleLiteral && next.decl.isSep:
		c.mark = next.lit
		if c.shape.Bytes == forms.BytesOf("0123456789") && strings.Trim(string(c.mark), "0123456789") == "" || c.signedMark() {
			return "its separator is made of its own digits"
		}
		if problem := c.unmarked(); problem != "" {
			return problem
		}
		c.shape = c.shape.Marked(c.mark)
		c.ends = forms.EndMarked
		if c.loose {
			c.ends = forms.EndLoose
		}
		c.plain = false
	case c.loose:
		c.ends = forms.EndLoose
	default:
		what := next.name
		if next.role == roleLiteral {
			what = "a Literal, which ends nothing"
		} else {
			what = "the next component, " + what
		}
		remedy := ": add a Separator, Fixed, Pad or Escaped"
		if c.role == roleCopy {
			remedy += ", or Loose for a table that exists"
		}
		return "has no end before " + what + remedy
	}
	return ""
}

// leadsBucket says why a field cannot be a bucket of the writer's.
func (s *schema) leadsBucket(c *component) string {
	switch n, ok := c.finite(); {
	case !ok:
		return fmt.Sprintf("Bucket needs a field of at most %d values: say Below or OneOf", maxForms)
	case n > maxForms:
		return fmt.Sprintf("Bucket needs a field of at most %d values, and this one has %d", maxForms, n)
	}
	if c.optional {
		return "a Bucket is never null"
	}
	for i := range s.comps[:c.index] {
		if f := &s.comps[i]; !f.absent && f.role == roleField && !f.bucket || f.role == roleCopy {
			return "Bucket stands in front of all fields that are no buckets"
		}
	}
	return ""
}

// finite is how many values a field can have, where the declaration says so.
func (c *component) finite() (uint64, bool) {
	null := uint64(0)
	if c.optional {
		null = 1
	}
	switch {
	case c.codes != nil:
		return uint64(len(c.codes)) + null, true
	case c.oneOf != nil:
		return uint64(len(c.oneOf)) + null, true
	case c.kind == kindBool:
		return 2, true
	case c.below:
		return c.num.max - c.num.min + 1 + null, true
	}
	return 0, false
}

// mostWidth is how many numbers a width may leave, so that they can be listed as
// those of Below are: those of two bytes.
const mostWidth = 1 << 16

// countable is how many numbers a field can have, where its width leaves few.
func (c *component) countable() (uint64, bool) {
	if c.kind != kindUint && c.kind != kindInt || c.optional || c.decimal != forms.NoDecimal || c.num.max-c.num.min >= mostWidth {
		return 0, false
	}
	return c.num.max - c.num.min + 1, true
}

// storable says which value of a finite set could never be written.
func (c *component) storable() string {
	try := func(v string) string {
		if _, err := appendText(c, nil, v); err != nil {
			return fmt.Sprintf("value %q can never be written: %v", v, err)
		}
		return ""
	}
	for _, v := range sortedKeys(c.codes) {
		if problem := try(v); problem != "" {
			return problem
		}
	}
	for _, v := range sortedKeys(c.oneOf) {
		if problem := try(v); problem != "" {
			return problem
		}
	}
	return ""
}

func (s *schema) fixedLen() bool {
	for i := range s.comps {
		if c := &s.comps[i]; !c.absent && !c.shape.Fixed() {
			return false
		}
	}
	return true
}

// measure adds up lengths.
func (s *schema) measure() {
	const usual = 16 // bytes of a text
	s.after = 0
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		s.minLen += c.shape.Min
		s.hint += c.shape.Min
		if !c.shape.Fixed() {
			s.hint += usual
		}
		switch {
		case c.ends == forms.EndLoose:
			s.loose++
			s.lastLoose, s.after = i, 0
		case !c.shape.Fixed():
			s.after = -1
		case s.after >= 0:
			s.after += c.shape.Min
		}
	}
	s.hint = min(s.hint, s.maxLen)
}

// order decides when each derived component is written, and links the steps.
func (s *schema) order() error {
	offset := 0 // of the component at hand, −1 where it varies
	for i := range s.comps {
		c := &s.comps[i]
		if c.absent {
			continue
		}
		if c.derived() {
			if c.rest {
				if !c.shape.Fixed() {
					return s.errBuild(c.name, "is computed from the rest of the key and needs a fixed width")
				}
				if i == len(s.comps)-1 {
					return s.errBuild(c.name, "has no rest of the key behind it")
				}
				s.rests = append(s.rests, c)
			}
			if offset < 0 || !c.shape.Fixed() || !c.rest && !s.reaches(c) {
				s.gathered = true
			}
		}
		if offset >= 0 {
			if c.shape.Fixed() {
				offset += c.shape.Min
			} else {
				offset = -1
			}
		}
	}
	slices.Reverse(s.rests)
	if len(s.rests) > maxRests {
		return s.errBuild(s.rests[0].name, fmt.Sprintf("more than %d components are computed from the rest of the key", maxRests))
	}
	for _, c := range s.derived {
		if c.role != roleCopy && c.count() <= maxForms {
			c.forms = c.listForms(int(c.count()))
		}
	}
	s.link()
	return nil
}

// reaches reports that a derived component can be filled when the last field that
// it is computed from is written: its slot stands in front of the field after
// that, and earlier inputs can be read where they stand.
func (s *schema) reaches(c *component) bool {
	if len(c.deps) > 1 {
		if _, ok := s.mixOf(c); !ok {
			return false
		}
	}
	next := slices.Max(c.deps) + 1
	return next == len(s.fields) || c.index < s.fields[next].index
}

// maxRests bounds the components that are computed from the rest of the key.
const maxRests = 8
