package layout

import (
	"fmt"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// This file compiles what depends on the order of components: how a key is cut into its
// components, and when each derived component can be written. Only here a component sees
// its neighbours.

// lay decides how a key is cut into its components, or refuses a layout whose keys cannot
// be cut.
func (s *Schema) lay() error {
	inputs := s.inputs()
	s.layNulls()
	if n := len(slices.DeleteFunc(slices.Clone(s.Fields), func(c *Component) bool { return !c.Optional })); n > mostNulls {
		return s.ErrBuild("", fmt.Sprintf("%d fields may be null; in a schema at most %d", n, mostNulls))
	}
	openEnd := "" // a component without an end: after it, the place of an empty slot would not be known
	leads := true // all fields so far are buckets
	for i := range s.Comps {
		c := &s.Comps[i]
		problem := ""
		if c.Absent {
			problem = c.layAbsent(inputs[c])
		} else {
			problem = s.layStored(c, openEnd, leads)
			leads = leads && (c.Role != RoleField || c.Bucket)
		}
		leads = leads && c.Role != RoleCopy
		if problem != "" {
			return s.refuse(c, problem)
		}
		if c.Ends == forms.EndLoose && c.Mark == nil {
			openEnd = c.Name
		}
	}
	s.measure()
	if s.minLen > s.MaxLen {
		return s.ErrBuild("", fmt.Sprintf("the shortest key has %d bytes, and MaxLen is %d", s.minLen, s.MaxLen))
	}
	if s.minLen == 0 && !slices.ContainsFunc(s.Comps, func(c Component) bool { return !c.Absent && !c.Shape.Fixed() }) {
		return s.ErrBuild("", "nothing is stored")
	}
	return nil
}

// inputs are the fields and copies from which other components are computed.
func (s *Schema) inputs() map[*Component]bool {
	inputs := map[*Component]bool{}
	for _, c := range s.Derived {
		if c.Role == RoleCopy {
			c.Deps = []int{c.Of.Ord}
		}
		if c.Needs = len(s.Fields); !c.Rest {
			c.Needs = slices.Max(c.Deps) + 1
		}
		for _, ord := range c.Deps {
			inputs[s.Fields[ord]] = true
			c.Hidden = c.Hidden || s.Fields[ord].Absent
		}
		if c.In != nil {
			for _, f := range c.In.Comps {
				inputs[f] = true
			}
		}
	}
	return inputs
}

// layAbsent lays a component that is not stored, or says why it cannot be left out. input
// reports that others are computed from it.
func (c *Component) layAbsent(input bool) string {
	if c.Bucket {
		return "a Bucket is stored: it is what rows are spread by"
	}
	if (c.Role == RoleField || c.Role == RoleCopy) && !input {
		return "is not stored, and no salt or hash is computed from it"
	}
	c.Ends, c.Order = forms.EndWidth, forms.Unordered
	return ""
}

// layStored decides how the end of a stored component is found, and its order, or refuses
// the component. openEnd names an earlier component without an end; empty if there is none. leads
// reports that no field before it is other than a bucket.
func (s *Schema) layStored(c *Component, openEnd string, leads bool) string {
	if openEnd != "" && c.Derived() && !c.Shape.Fixed() {
		return "stands after " + openEnd + ", which has no end, and has no width of its own"
	}
	if c.Shape.GoesOn != 0 && c.Shape.Ends == forms.EndSelf {
		if problem := s.follows(c.Index); problem != "" {
			return problem
		}
	}
	if problem := c.endBefore(s.NextStored(c)); problem != "" {
		return problem
	}
	if c.Role == RoleField || c.Role == RoleCopy {
		c.Order = c.Shape.Order()
		if c.Loose || c.Ends == forms.EndLoose {
			c.Order = forms.Unordered
		}
	}
	if c.Bucket {
		if problem := c.leadsBucket(leads); problem != "" {
			return problem
		}
	}
	return c.storable()
}

// NextStored is the next stored component after c; nil if there is none.
func (s *Schema) NextStored(c *Component) *Component {
	for i := c.Index + 1; i < len(s.Comps); i++ {
		if !s.Comps[i].Absent {
			return &s.Comps[i]
		}
	}
	return nil
}

// endBefore decides how the end of a form is found, or says why it cannot be found. next is
// the next stored component; nil if there is none.
func (c *Component) endBefore(next *Component) string {
	c.Ends = c.Shape.Ends
	switch {
	case c.Shape.Ends != forms.EndNone:
		if c.Loose && c.Frame == NoFrame {
			return "Loose has nothing to loosen here"
		}
	case next == nil:
		c.Ends = forms.EndLast
		if c.Frame == NoFrame {
			c.Loose = false
		}
	case next.Role == RoleLiteral && next.Decl.IsSep:
		c.Mark = next.Lit
		if c.Shape.Bytes == forms.BytesOf("0123456789") && strings.Trim(string(c.Mark), "0123456789") == "" || c.signedMark() {
			return "its separator is made of its own digits"
		}
		if problem := c.unmarked(); problem != "" {
			return problem
		}
		c.Shape = c.Shape.Marked(c.Mark)
		c.Ends = forms.EndMarked
		if c.Loose {
			c.Ends = forms.EndLoose
		}
		c.Plain = false
	case c.Loose:
		c.Ends = forms.EndLoose
	default:
		what := "the next component, " + next.Name
		if next.Role == RoleLiteral {
			what = "a Literal, which ends nothing"
		}
		remedy := ": add a Separator, Fixed, Pad or Escaped"
		if c.Role == RoleCopy {
			remedy += ", or Loose for a table that exists"
		}
		return "has no end before " + what + remedy
	}
	return ""
}

// leadsBucket says why a field cannot have the option Bucket; empty if it can.
func (c *Component) leadsBucket(leads bool) string {
	switch n, ok := c.Finite(); {
	case !ok:
		return fmt.Sprintf("Bucket needs a field of at most %d values: say Below or OneOf", MaxForms)
	case n > MaxForms:
		return fmt.Sprintf("Bucket needs a field of at most %d values, and this one has %d", MaxForms, n)
	case c.Optional:
		return "a Bucket is never null"
	case !leads:
		return "Bucket must come before all fields that are no buckets"
	}
	return ""
}

// storable says which value of Codes or OneOf could never be written; empty if all can.
func (c *Component) storable() string {
	for _, v := range c.Listed() {
		if _, err := AppendText(c, nil, v); err != nil {
			return fmt.Sprintf("value %q can never be written: %v", v, err)
		}
	}
	return ""
}

// usualText is the length of a usual text.
const usualText = 16

// measure computes the lengths of keys, and what is known of the components with a loose
// end.
func (s *Schema) measure() {
	s.after = 0
	for i := range s.Comps {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		s.minLen += c.Shape.Min
		s.Hint += c.Shape.Min
		if !c.Shape.Fixed() {
			s.Hint += usualText
		}
		switch {
		case c.Ends == forms.EndLoose:
			s.Loose++
			s.lastLoose, s.after = int32(i), 0
		case !c.Shape.Fixed():
			s.after = -1
		case s.after >= 0:
			s.after += int32(c.Shape.Min)
		}
	}
	s.Hint = min(s.Hint, s.MaxLen)
}

// order decides when each derived component is written, and links the steps.
func (s *Schema) order() error {
	for _, c := range s.Derived {
		for _, f := range s.Fields[c.Needs:] {
			if !f.Absent && f.Index < c.Index {
				c.late, c.Needs = true, f.Ord+1
			}
		}
	}
	s.tabulate()
	s.lacks = s.Trims || s.Loose > 0 || slices.ContainsFunc(s.Fields, func(f *Component) bool { return f.Optional })
	s.Straight = s.straight()
	s.found = len(s.Comps)
	most := 0 // the most fields of which what stands since the last stored field is computed
	for i := range s.Comps {
		c := &s.Comps[i]
		if c.Role == RoleField && !c.Absent {
			most = 0
		}
		if c.Derived() && !c.Absent {
			if err := s.orderOne(c, most); err != nil {
				return err
			}
			most = max(most, c.Needs)
		}
		if c.Vias > 0 || c.Derived() && !c.Shape.Fixed() && !c.Slides {
			s.found = min(s.found, i)
		}
	}
	for _, c := range s.Derived {
		if !c.Absent && (s.Places[c.Index].varying > 0 && !s.placed(c) || !c.Shape.Fixed() && !c.Slides || !c.Rest && !s.reaches(c)) {
			s.Gathered = true
		}
	}
	if s.Gathered {
		for _, c := range s.Derived {
			if c.Slides { // nothing does: no slot is filled in a key
				c.Slides, c.Empty = false, 0
			}
		}
	}
	slices.Reverse(s.Rests)
	if len(s.Rests) > maxRests {
		return s.refuse(s.Rests[0], fmt.Sprintf("more than %d components are computed from the rest of the key", maxRests))
	}
	for _, c := range s.Derived {
		if c.Role != RoleCopy && c.Count() <= MaxForms {
			c.Forms, _ = c.ListForms(int(c.Count())) // saltVia has tried them
		}
	}
	s.link()
	return nil
}

// straight reports that keys are the values of all fields, each stored once, with literals, salts and hashes between
// them, so that usual queries are planned in one walk. Not so are a null, a Loose end, copies and what a dialect leaves
// off, nor a field of few values, which a plan may list.
func (s *Schema) straight() bool {
	if s.lacks || s.Framed || len(s.Fields) > FewFields {
		return false
	}
	for i := range s.Comps {
		c := &s.Comps[i]
		_, few := c.Finite()
		switch {
		case c.Absent, c.Loose, c.Clips():
			return false
		case c.Role == RoleField && (few || c.Vias > 0 || c.Decimal != forms.NoDecimal):
			return false
		case c.Derived() && (c.Role == RoleCopy || c.Rest || c.Count() == 1):
			return false
		}
	}
	return true
}

// orderOne is order for one derived component that is stored. What stands since the last stored field is computed from
// the first most fields.
func (s *Schema) orderOne(c *Component, most int) error {
	c.part = c.slice()
	if c.Rest {
		if !c.Shape.Fixed() {
			return s.refuse(c, "is computed from the rest of the key and needs a fixed width")
		}
		if c.Index == len(s.Comps)-1 {
			return s.refuse(c, "has no rest of the key after it")
		}
		s.Rests = append(s.Rests, c)
	}
	if c.Rest || c.Guarded() {
		s.Lasts = append(s.Lasts, c)
	}
	if c.Slides = s.slides(c, most); c.Slides {
		c.Empty = c.usual(s.Fields[c.Needs-1])
	} else if c.Shape.Fixed() {
		c.Empty = c.Shape.Min
	}
	return nil
}

// reaches reports that a derived component can be filled as soon as the last of its fields
// is written, or the last one before its slot. Its slot must stand before the next field, and the values of earlier
// fields must be readable from the key (see mix).
func (s *Schema) reaches(c *Component) bool {
	if len(c.Deps) > 1 || c.late {
		if _, ok := s.mixOf(c); !ok {
			return false
		}
	}
	return c.Needs == len(s.Fields) || c.Index < s.Fields[c.Needs].Index
}

// placed reports that the place of a derived component is known once the last of its fields is
// written: it stands among the bytes that are written with this field, or it is found. Where it stands before
// this field, it is found in a key so far, too.
func (s *Schema) placed(c *Component) bool {
	if s.lacks {
		return false
	}
	if c.Rest {
		return s.finds(c)
	}
	f := s.Fields[c.Needs-1]
	if f.Absent || c.Index < f.Index {
		return !f.Absent && s.finds(c)
	}
	next := s.storedFrom(c.Needs)
	return c.Index < next && (s.Places[c.Index+1].varying == s.Places[next].varying || s.finds(c))
}

// finds reports that PlaceOf finds a component in a key that has the components before it, without what a transform
// of the caller's says, although slots are empty.
func (s *Schema) finds(c *Component) bool { return !s.lacks && c.Index <= s.found }

// slides reports that what follows a salt or copy moves when its form, whose length varies, is written in the place
// of its slot. The slot of a copy left(2) has two bytes: the copy 73 65 of "seller" fills it, and after the copy 73 of
// "s" the rest moves one byte to the left. While the slot is empty, its separator shows where it ends. most is that of
// orderOne.
func (s *Schema) slides(c *Component, most int) bool {
	f := s.Fields[c.Needs-1]
	if c.Shape.Fixed() || c.Rest || c.Trims || c.Optional || f.Absent || s.lacks {
		return false
	}
	switch {
	case s.Places[c.Index].varying > 0 && !s.finds(c), c.Index >= s.storedFrom(c.Needs):
		return false
	case c.Index < f.Index:
		return c.Ends == forms.EndMarked
	case most > c.Needs: // Step.Cut counts the bytes behind what is not known
		return false
	}
	self := c.Ends == forms.EndSelf && s.Places[c.Index+1].varying == s.Places[s.storedFrom(c.Needs)].varying // else the end of its empty slot is looked for
	return self || c.Ends == forms.EndMarked || c.Ends == forms.EndLast
}

// mostNulls is the largest number of fields that may be null. After a null at the end of a key other
// bytes are left off than after a value, so that the steps are as many as the square of these fields.
const mostNulls = 64

// maxRests is the largest number of components that are computed from the rest of the key.
const maxRests = 8
