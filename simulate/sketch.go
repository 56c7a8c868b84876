package simulate

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/axiomhq/hyperloglog"
)

// random is a small generator (xorshift64*), always begun alike: the same rows give
// the same report.
type random uint64

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return x * 0x2545f4914f6cdd1d
}

// float is a number from 0 to 1.
func (r *random) float() float64 { return float64(r.next()>>11) / (1 << 53) }

// sample is a reservoir: each key that came is in it with the same chance.
type sample struct {
	keys [][]byte
	most int
	seen int
}

func (s *sample) add(key []byte, r *random) {
	s.seen++
	if len(s.keys) < s.most {
		s.keys = append(s.keys, bytes.Clone(key))
	} else if i := r.next() % uint64(s.seen); i < uint64(s.most) {
		s.keys[i] = append(s.keys[i][:0], key...)
	}
}

// sorted is the sample in key order.
func (s *sample) sorted() [][]byte {
	keys := slices.Clone(s.keys)
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

// ranked is the key that n others stand before, for a small n: a whole order is not needed.
func (s *sample) ranked(n int, compare func(a, b []byte) int) []byte {
	first := make([][]byte, 0, n+2) // the first n+1, in order
	for _, key := range s.keys {
		if len(first) > n {
			if compare(key, first[n]) >= 0 {
				continue
			}
			first = first[:n]
		}
		i, _ := slices.BinarySearchFunc(first, key, compare)
		first = slices.Insert(first, i, key)
	}
	return first[n]
}

// frequent finds the values that many rows have: space saving, with the filter of
// Homem and Carvalho. A count is at most err too large, and every value with more
// than 1/frequentMost of the rows has one. A value without a count is counted in a
// cell of the filter, which it shares with others, and takes the smallest count only
// when that cell has reached it.
type frequent struct {
	hashes []uint64 // of the counts, apart, so that a search reads few lines of memory
	counts []counted
	tags   [16]uint64 // a bit for each hash: most values have none, and need no search
	filter [8 * frequentMost]uint32
}

const frequentMost = 32

type counted struct {
	count, err uint32
	name       string
}

// at is the cell of the filter that a value is counted in.
func (f *frequent) at(hash uint64) *uint32 { return &f.filter[hash>>32%uint64(len(f.filter))] }

// add counts a value; name is asked for only when it takes a count.
func (f *frequent) add(hash uint64, name func() string) {
	i := -1
	if f.tags[hash>>6&15]>>(hash&63)&1 != 0 {
		i = slices.Index(f.hashes, hash)
	}
	switch {
	case i >= 0:
		f.counts[i].count++
	case len(f.counts) < frequentMost:
		i = len(f.counts)
		f.hashes, f.counts = append(f.hashes, hash), append(f.counts, counted{1, 0, name()})
		f.tag()
	default:
		cell := f.at(hash)
		i = len(f.counts) - 1
		if *cell+1 < f.counts[i].count {
			*cell++
			return
		}
		*f.at(f.hashes[i]) = f.counts[i].count
		f.hashes[i], f.counts[i] = hash, counted{*cell + 1, *cell, name()}
		f.tag()
	}
	for ; i > 0 && f.counts[i].count > f.counts[i-1].count; i-- {
		f.counts[i], f.counts[i-1] = f.counts[i-1], f.counts[i]
		f.hashes[i], f.hashes[i-1] = f.hashes[i-1], f.hashes[i]
	}
}

// tag sets the bits of the hashes that are counted.
func (f *frequent) tag() {
	clear(f.tags[:])
	for _, h := range f.hashes {
		f.tags[h>>6&15] |= 1 << (h & 63)
	}
}

// top is the values by what is certain of their counts, the largest first.
func (f *frequent) top(n int) []counted {
	out := slices.Clone(f.counts)
	for i := range out {
		out[i].count -= out[i].err
		out[i].err = 0
	}
	slices.SortStableFunc(out, func(a, b counted) int { return int(int64(b.count) - int64(a.count)) })
	return out[:min(n, len(out))]
}

// few is what is certain of the values of one cell of the picture: a summary of
// Misra and Gries with three counts. Two can be merged, which windows that double
// need.
type few [3]struct{ id, count uint32 }

// add counts a value, and returns its count.
func (f *few) add(id uint32) uint32 {
	free := -1
	for i := range f {
		if f[i].id == id && f[i].count > 0 {
			f[i].count++
			return f[i].count
		}
		if f[i].count == 0 {
			free = i
		}
	}
	if free >= 0 {
		f[free].id, f[free].count = id, 1
		return 1
	}
	for i := range f {
		f[i].count--
	}
	return 0
}

// merge adds the counts of another: of up to six values the three largest stay,
// less the fourth.
func (f *few) merge(g *few) {
	var all [6]struct{ id, count uint32 }
	n := copy(all[:], f[:])
	for _, c := range g {
		if c.count == 0 {
			continue
		}
		at := n
		for i := range n {
			if all[i].id == c.id && all[i].count > 0 {
				at = i
				break
			}
		}
		all[at].id = c.id
		all[at].count += c.count
		n = max(n, at+1)
	}
	sort.SliceStable(all[:], func(i, j int) bool { return all[i].count > all[j].count })
	for i := range f {
		f[i].id, f[i].count = all[i].id, all[i].count-min(all[i].count, all[3].count)
	}
}

// less is what is certain of the values if so many of the rows are taken away.
func (f few) less(rows uint32) few {
	for i := range f {
		f[i].count -= min(f[i].count, rows)
	}
	return f
}

// best is the value with the largest count.
func (f *few) best() (id, count uint32) {
	for _, c := range f {
		if c.count > count {
			id, count = c.id, c.count
		}
	}
	return id, count
}

// twins counts rows that share a key, on a sample of the keys by their hash: all
// rows of a sampled key are in it, so that the share is right on average. It is a
// table with linear probing, of a third of the memory that a map takes.
type twins struct {
	slots  int    // a power of two
	mask   uint64 // the sampled hashes have none of these bits
	hashes []uint64
	rows   []uint32 // 0 where the slot is free
	n      int
}

func (k *twins) add(hash uint64) {
	if hash&k.mask != 0 {
		return
	}
	if k.hashes == nil {
		k.hashes, k.rows = make([]uint64, k.slots), make([]uint32, k.slots)
	}
	k.put(hash, 1)
	for k.n > k.slots/5*4 {
		k.mask = k.mask<<1 | 1
		old := *k
		k.hashes, k.rows, k.n = make([]uint64, k.slots), make([]uint32, k.slots), 0
		for i, n := range old.rows {
			if n > 0 && old.hashes[i]&k.mask == 0 {
				k.put(old.hashes[i], n)
			}
		}
	}
}

func (k *twins) put(hash uint64, n uint32) {
	last := k.slots - 1
	i := int(hash>>40) & last
	for k.rows[i] > 0 && k.hashes[i] != hash {
		i = (i + 1) & last
	}
	if k.rows[i] == 0 {
		k.hashes[i] = hash
		k.n++
	}
	k.rows[i] += n
}

// seen is how many rows are in the sample.
func (k *twins) seen() (rows int) {
	for _, n := range k.rows {
		rows += int(n)
	}
	return rows
}

// lost is the share of rows whose key another row had before.
func (k *twins) lost() float64 {
	if k.n == 0 {
		return 0
	}
	return 1 - float64(k.n)/float64(k.seen())
}

// most is a share that surely fewer rows share a key than, where a sample shows none; 0
// where all keys are seen.
func (k *twins) most() float64 {
	if k.mask == 0 {
		return 0
	}
	return 3 / float64(max(k.seen(), 1)) // of one in twenty such samples more
}

// runs keeps keys that are neighbours in the table: after each of some anchors the
// least keys that came. What an encoding leaves out depends on the key before, so a
// sample of single keys would not do.
type runs struct {
	anchors index
	runs    []run
}

type run struct {
	keys []string // in order
	last []byte   // the largest, once the run is full
}

const (
	runsMost = 16
	runKeys  = 256
)

// begin takes the anchors from a sample in key order.
func (r *runs) begin(sorted [][]byte) {
	r.anchors = index{}
	for i := range runsMost {
		key := sorted[i*len(sorted)/runsMost]
		if n := len(r.anchors.keys); n == 0 || bytes.Compare(r.anchors.keys[n-1], key) < 0 {
			r.anchors.add(bytes.Clone(key))
		}
	}
	r.runs = make([]run, len(r.anchors.keys))
	for _, key := range sorted {
		r.add(key)
	}
}

func (r *runs) add(key []byte) {
	at := r.anchors.find(key)
	if at < 0 {
		return
	}
	n := &r.runs[at]
	if n.last != nil && bytes.Compare(key, n.last) >= 0 {
		return
	}
	i, found := slices.BinarySearchFunc(n.keys, key, func(a string, b []byte) int { return bytes.Compare([]byte(a), b) })
	if found {
		return
	}
	n.keys = slices.Insert(n.keys, i, string(key))
	if len(n.keys) > runKeys {
		n.keys = n.keys[:runKeys]
	}
	if len(n.keys) == runKeys {
		n.last = append(n.last[:0], n.keys[runKeys-1]...)
	}
}

// index finds among keys in order the last one that is not beyond another, by the
// first eight bytes where these differ.
type index struct {
	heads []uint64
	keys  [][]byte
}

// head is a key's first eight bytes as a number.
func head(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// add puts a key after the others.
func (x *index) add(key []byte) {
	x.heads, x.keys = append(x.heads, head(key)), append(x.keys, key)
}

// insert puts a key at place i.
func (x *index) insert(i int, key []byte) {
	x.heads, x.keys = slices.Insert(x.heads, i, head(key)), slices.Insert(x.keys, i, key)
}

// find is the place of the last key that is not beyond this one; −1 if all are.
func (x *index) find(key []byte) int {
	h := head(key)
	lo, hi := 0, len(x.heads)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if x.heads[m] < h || x.heads[m] == h && bytes.Compare(x.keys[m], key) <= 0 {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo - 1
}

// distinct is about how many values there are.
type distinct struct{ *hyperloglog.Sketch }

func newDistinct() distinct { return distinct{hyperloglog.New14()} }
