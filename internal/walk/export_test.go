package walk

// Left is how many steps Match takes, and whether the key is yet to be read after them.
func (t *Tests) Left() (steps int, read bool) { return len(t.steps), t.open }
