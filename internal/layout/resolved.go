package layout

// This file gives package code what it needs of a compiled schema and the rest of the
// project has no use for.

// InputForm is what a salt or hash is computed from, as the notation calls it: "values",
// "stored", "text", "format", "minmax", "rest".
func (c *Component) InputForm() string { return inputForms[c.In.Form] }

// Decides is the number of components at the start of the key that follow from the first n
// fields, and those among them that do not: the open ones.
func (s *Schema) Decides(n int) (comps int, open []*Component) {
	comps = s.decided(n)
	if n == len(s.Fields) {
		comps = len(s.Comps)
	}
	for i := range comps {
		if c := &s.Comps[i]; c.Derived() && !c.Absent && !c.knownBy(n) {
			open = append(open, c)
		}
	}
	return comps, open
}

// Checks is the number of components at the start of the key whose faults are found with the first n
// fields: a copy or a salt of these may stand after what they decide.
func (s *Schema) Checks(n int) int {
	if comps, _ := s.Decides(n); s.Gathered || n == len(s.Fields) {
		return comps
	}
	return s.storedFrom(n)
}
