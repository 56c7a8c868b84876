package form

import "encoding/binary"

// A List finds texts of at most 8 bytes, and what each stands for: "new" for "n". Which one a row
// has cannot be foretold, so it is found without a jump that depends on it: each has a place of its
// own in a table.
type List struct {
	mul     uint64
	shift   uint8
	at      []uint8 // the entry at each place; a text that is not listed may have any
	entries []entry
	Brief   bool // what the keys stand for has at most 8 bytes, too
}

// entry is a text of a list.
type entry struct {
	packed uint64
	size   int
	of     string
	word   uint64
}

// ListOf is the list of keys, of which no two are equal, and of what each stands for; nil if there is
// none, if there are too many, or if one is too long.
func ListOf(keys, of []string) *List {
	const most, mostBytes = 64, 8
	l := &List{Brief: true}
	for i, k := range keys {
		if len(k) > mostBytes {
			return nil
		}
		l.entries = append(l.entries, entry{packed(k), len(k), of[i], Be8(of[i])})
		l.Brief = l.Brief && len(of[i]) <= mostBytes
	}
	if len(keys) > 0 && len(keys) <= most && l.place() {
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
		for i := range l.entries {
			n := l.placeOf(l.entries[i].packed, l.entries[i].size)
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

// packed is a text of at most 8 bytes as a word. Two texts of one length have two words.
func packed(text string) uint64 {
	b, n := []byte(text), len(text)
	switch {
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return 0
}

// placeOf is the place of a text that is packed, and has size bytes.
func (l *List) placeOf(packed uint64, size int) uint64 {
	return (packed ^ uint64(size)<<56) * l.mul >> (l.shift & 63)
}

// Find is the number of a key among the keys; −1 if it is not listed.
func (l *List) Find(key string) int {
	if n := len(key); n <= 8 {
		u := packed(key)
		i := int(l.at[l.placeOf(u, n)])
		if e := &l.entries[i]; e.packed == u && e.size == n {
			return i
		}
	}
	return -1
}

// Of is what key number i stands for, and its first 8 bytes as of Be8.
func (l *List) Of(i int) (string, uint64) { return l.entries[i].of, l.entries[i].word }

// Be8 is the first 8 bytes of b as a big-endian number, with zeros after a shorter b: of
// 5f it is 5f00000000000000.
func Be8[T string | []byte](b T) (u uint64) {
	for i := range min(len(b), 8) {
		u |= uint64(b[i]) << (56 - 8*i)
	}
	return u
}
