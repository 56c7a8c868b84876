package rowkey

// The reversals: their bytes stand in internal/form. They change places and nothing
// else, so that each undoes itself: what scatters a growing number over regions
// gives it back when read. Reverse and ReverseRune are Flags.

// ReverseLabels turns a.b.c into c.b.a.
func ReverseLabels(sep string) FieldOption { return fieldOpt{word: wReverseLabels, s: sep} }

// ReversePart reverses bytes [from, to) only; a value that is shorter is
// refused.
func ReversePart(from, to int) FieldOption { return fieldOpt{word: wReversePart, n: from, m: to} }
