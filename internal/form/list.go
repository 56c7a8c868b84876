package form

import (
	"encoding/binary"
	"slices"
)

// A List finds texts of at most 8 bytes, and what each stands for: "new" for "n". Which one a row
// has cannot be foretold, so it is found without a jump that depends on it: each has a place of its
// own in a table.
type List[V any] struct {
	mul   uint64
	shift uint8
	table []entry[V]
}

// entry is a text of a list; at a place that has none a text of −1 bytes.
type entry[V any] struct {
	packed uint64
	size   int
	of     V
}

// ListOf is the list of keys, of which no two are equal, and of what each stands for; nil if there is
// none, if there are too many, or if one is too long.
func ListOf[V any](keys []string, of []V) *List[V] {
	const most, mostBytes, odd = 64, 8, 0x9e3779b97f4a7c15
	if len(keys) == 0 || len(keys) > most || slices.ContainsFunc(keys, func(k string) bool { return len(k) > mostBytes }) {
		return nil
	}
	for tries, mul := 0, uint64(odd); tries < 8*16; tries, mul = tries+1, mul*0x5851f42d4c957f2d+2|1 { // 16 times each of 8 sizes
		bits := 3 + tries/16
		l := &List[V]{mul, uint8(64 - bits), slices.Repeat([]entry[V]{{size: -1}}, 1<<bits)}
		alone := true // no two keys share a place
		for i, k := range keys {
			e := l.place(packed(k), len(k))
			alone = alone && e.size < 0
			*e = entry[V]{packed(k), len(k), of[i]}
		}
		if alone {
			return l
		}
	}
	return nil
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

// place is the place of a text that is packed, and has size bytes.
func (l *List[V]) place(packed uint64, size int) *entry[V] {
	return &l.table[(packed^uint64(size)<<56)*l.mul>>(l.shift&63)]
}

// Find is what a text stands for; nil if it is not listed.
func (l *List[V]) Find(text string) *V {
	if n := len(text); n <= 8 {
		u := packed(text)
		if e := l.place(u, n); e.packed == u && e.size == n {
			return &e.of
		}
	}
	return nil
}

// Be8 is the first 8 bytes of b as a big-endian number, with zeros after a shorter b: of
// 5f it is 5f00000000000000.
func Be8[T string | []byte](b T) (u uint64) {
	for i := range min(len(b), 8) {
		u |= uint64(b[i]) << (56 - 8*i)
	}
	return u
}
