package layout

// This file gives package walk what it needs of a compiled schema.

// Biased reports that the limits of a number, in Num, have the sign bit flipped.
func (c *Component) Biased() bool { return c.biased() }

// Precise reports that the digits of a decimal number are limited.
func (c *Component) Precise() bool { return c.precision.digits != 0 }

// TakesFloat reports that the field can hold the float with the bits u.
func (c *Component) TakesFloat(u uint64) bool { return c.isFloat(u) }

// Others reports that a salt or hash is computed by a function of the caller's.
func (c *Component) Others() bool { return c.others() }
