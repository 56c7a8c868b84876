package form

// A List finds texts of at most 8 bytes, and what each stands for: "new" for "n". Which one a row
// has cannot be foretold, so it is found without a jump that depends on it: each has a place of its
// own in a table.
type List struct {
	mul   uint64
	shift uint8
	at    []uint8 // the entry at each place; a text that is not listed may have any
	keys  []string
	of    []string
}

// ListOf is the list of keys, of which no two are equal, and of what each stands for; nil if there is
// none, if there are too many, or if one is too long.
func ListOf(keys, of []string) *List {
	const most, mostBytes = 64, 8
	for _, k := range keys {
		if len(k) > mostBytes {
			return nil
		}
	}
	if l := (&List{keys: keys, of: of}); len(keys) > 0 && len(keys) <= most && l.place() {
		return l
	}
	return nil
}

// place finds a table in which no two keys share a place.
func (l *List) place() bool {
	const odd = 0x9e3779b97f4a7c15
	for bits, mul, tries := 3, uint64(odd), 0; bits <= 10; mul = mul*0x5851f42d4c957f2d + 2 | 1 {
		l.mul, l.shift, l.at = mul, uint8(64-bits), make([]uint8, 1<<bits)
		used, ok := make([]bool, 1<<bits), true
		for i, k := range l.keys {
			n := l.placeOf(k)
			ok = ok && !used[n]
			used[n], l.at[n] = true, uint8(i)
		}
		if ok {
			return true
		}
		if tries++; tries%16 == 0 {
			bits++
		}
	}
	return false
}

// placeOf is the place of a key of at most 8 bytes.
func (l *List) placeOf(key string) uint64 {
	u := uint64(0)
	for i := range len(key) {
		u = u<<8 | uint64(key[i])
	}
	return (u ^ uint64(len(key))<<56) * l.mul >> (l.shift & 63)
}

// Of is what key stands for; false if it is not listed.
func (l *List) Of(key string) (string, bool) {
	if len(key) > 8 {
		return "", false
	}
	i := l.at[l.placeOf(key)]
	return l.of[i], l.keys[i] == key
}
