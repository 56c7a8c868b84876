package simulate

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// region is a region from its birth to its split or the end of the rows.
type region struct {
	start  []byte
	id     int
	server int
	rows   int64
	files  []file  // the oldest first
	heap   float64 // bytes of the rows that are not flushed
	disk   float64 // that they will be in a file
	limit  float64 // its own largest size, which HBase draws for each
	counts []uint32
	cells  [][]few // of each field that is watched, by windows
	reach  []reach // where in it the rows of a window lay
	keys   sample  // of the rows that are not flushed
	most   int     // keys kept of a file
	kids   [2]*region
	middle []byte // where it was split
	died   int64  // the second of that
	first  int    // of the leaves that it covers in the end
	span   int    // how many
}

// file is a file of a region: its bytes, and some of its keys.
type file struct {
	bytes float64
	keys  [][]byte
}

// merged is one file of several, with at most so many keys, by how many bytes each
// stands for.
func merged(files []file, most int) (out file) {
	for _, f := range files {
		out.bytes += f.bytes
	}
	for _, f := range files {
		n := min(len(f.keys), max(1, int(float64(most)*f.bytes/max(out.bytes, 1))))
		for i := range n {
			out.keys = append(out.keys, f.keys[i*len(f.keys)/n])
		}
	}
	return out
}

// compact is HBase's choice by default (ExploringCompactionPolicy, in short): from the
// oldest file on that is not larger than 1.2 times those after it, three files or more,
// ten at most, become one. What is smaller than a flush always takes part.
func compact(files []file, flush float64, most int) []file {
	const least, limit, ratio = 3, 10, 1.2
	from := 0
	for ; len(files)-from >= least; from++ {
		rest := 0.0
		for _, f := range files[from+1 : min(len(files), from+limit)] {
			rest += f.bytes
		}
		if files[from].bytes <= max(flush, ratio*rest) {
			break
		}
	}
	if len(files)-from < least {
		return files
	}
	to := min(len(files), from+limit)
	return slices.Replace(files, from, to, merged(files[from:to], most))
}

// reach is the smallest and the largest key of one cell.
type reach struct{ low, high []byte }

func (a *reach) add(key []byte) {
	if a.low == nil || bytes.Compare(key, a.low) < 0 {
		a.low = append(a.low[:0], key...)
	}
	if a.high == nil || bytes.Compare(key, a.high) > 0 {
		a.high = append(a.high[:0], key...)
	}
}

// take is merge with one that is not needed after it.
func (a *reach) take(b *reach) {
	if a.low == nil {
		*a = *b
		return
	}
	a.merge(b)
}

func (a *reach) merge(b *reach) {
	if b.low != nil {
		a.add(b.low)
		a.add(b.high)
	}
}

// table is the regions of one design's table. It grows as HBase 2 has it by default
// (SteppingSplitPolicy): a region that is the only one of its table on its server
// splits when its files exceed twice the flush size, another at its largest size,
// which is drawn around 10 GiB. Only a flush makes files; it comes when the rows in
// memory take the flush size there, which is more than they take in a file. It splits
// at the middle of its largest file, so that of keys that rise the daughters are not
// equal. Both open on the parent's server, and a balancer, every five minutes, levels
// how many regions the servers have, not what these take.
type table struct {
	o       *Options
	grows   bool
	watched int
	live    index // their starts
	leaves  []*region
	all     []*region
	roots   []*region
	per     []int // live regions of each server
	counts  [][]uint32
	balance int64 // the balancer's last tick
	rnd     random
	splits  int
	full    bool // a split was due and there are mostRegions

	spread bool  // every server has had a region
	ready  int64 // the second of that; before it the table starts up
	last   int64 // the second of the last split
}

const (
	fileSample  = 512     // keys of which the middle of a large file is known
	heapSample  = 64      // of the rows in memory, which become a file soon
	sampleKeys  = 1 << 13 // of all regions together, about
	mostRegions = 160     // that splits make
)

func newTable(o *Options, starts [][]byte, watched int) *table {
	t := &table{o: o, watched: watched, per: make([]int, o.Servers), counts: make([][]uint32, o.Servers), rnd: 7}
	t.grows = !o.Fixed && len(starts) < mostRegions
	for i, s := range append([][]byte{nil}, starts...) {
		r := t.born(s)
		r.server = i % o.Servers // round robin, as a new table's
		t.per[r.server]++
		t.live.add(s)
		t.leaves = append(t.leaves, r)
	}
	t.roots = slices.Clone(t.leaves)
	t.ready, t.last = math.MinInt64, math.MinInt64
	t.spread = slices.Min(t.per) > 0
	return t
}

// started is the second at which the table had a region on each server, or, if it never
// had, of its last split; the least second of all if it was created so.
func (t *table) started() int64 {
	if t.spread {
		return t.ready
	}
	return t.last
}

func (t *table) born(start []byte) *region {
	r := &region{start: start, id: len(t.all), cells: make([][]few, t.watched)}
	r.most = min(max(sampleKeys/(len(t.leaves)+1), 32), fileSample)
	r.keys.most = min(max(r.most/4, 8), heapSample)
	r.limit = t.o.MaxFile * (1 + t.o.Jitter*(t.rnd.float()-0.5))
	t.all = append(t.all, r)
	return r
}

// put counts a key that arrives at a second, in a window; its region may split
// after it.
func (t *table) put(key []byte, w int, sec int64) *region {
	if tick := floorDiv(sec, 300); tick != t.balance {
		t.balance = tick
		t.level()
		if !t.spread && slices.Min(t.per) > 0 {
			t.spread, t.ready = true, sec
		}
	}
	i := t.live.find(key)
	r := t.leaves[i]
	r.rows++
	*at(&r.counts, w)++
	*at(&t.counts[r.server], w)++
	if !t.grows {
		return r
	}
	at(&r.reach, w).add(key)
	r.keys.add(key, &t.rnd)
	heap, disk := t.o.rowBytes(len(key))
	r.heap += heap
	r.disk += disk
	if r.heap >= t.o.Flush {
		t.flush(i, sec)
	}
	return r
}

// flush makes a file of a region's rows in memory. With it the region may be due to
// split; else files may be due to become one.
func (t *table) flush(i int, sec int64) {
	r := t.leaves[i]
	r.files = append(r.files, file{r.disk, r.keys.keys})
	r.heap, r.disk, r.keys = 0, 0, sample{most: r.keys.most}
	limit, bytes := r.limit, 0.0
	if t.per[r.server] == 1 {
		limit = min(limit, 2*t.o.Flush)
	}
	for _, f := range r.files {
		bytes += f.bytes
	}
	if bytes <= limit || !t.split(i, sec) {
		r.files = compact(r.files, t.o.Flush, r.most)
	}
}

// split halves a region at the middle of its largest file, unless all of that is one
// row.
func (t *table) split(i int, sec int64) bool {
	if len(t.leaves) >= mostRegions {
		t.full = true
		return false
	}
	r := t.leaves[i]
	largest := slices.MaxFunc(r.files, func(a, b file) int { return cmp.Compare(a.bytes, b.bytes) })
	keys := slices.SortedFunc(slices.Values(largest.keys), bytes.Compare)
	middle := bytes.Clone(keys[len(keys)/2])
	if bytes.Equal(middle, r.start) || bytes.Equal(middle, keys[0]) {
		return false
	}
	t.splits++
	t.last = sec
	a, b := t.born(r.start), t.born(middle)
	a.server, b.server = r.server, r.server
	t.per[r.server]++
	var low, high []file // what the daughters have of each file, which they compact as they open
	for _, f := range r.files {
		var of [2][][]byte
		for _, k := range f.keys {
			side := 0
			if bytes.Compare(k, middle) >= 0 {
				side = 1
			}
			of[side] = append(of[side], k)
		}
		for side, files := range []*[]file{&low, &high} {
			if n := len(of[side]); n > 0 {
				*files = append(*files, file{f.bytes * float64(n) / float64(len(f.keys)), of[side]})
			}
		}
	}
	for d, files := range map[*region][]file{a: low, b: high} {
		if len(files) > 0 {
			d.files = []file{merged(files, d.most)}
		}
	}
	r.kids, r.middle, r.died = [2]*region{a, b}, middle, sec
	r.keys, r.files = sample{}, nil
	t.leaves = slices.Replace(t.leaves, i, i+1, a, b)
	t.live.insert(i+1, middle)
	if t.o.untimed {
		t.level()
	}
	return true
}

// begin gives splits by rows that came before any with a time the second of the first that has
// one: that of no row lies far before all windows.
func (t *table) begin(sec int64) {
	for _, r := range t.all {
		r.died = sec
	}
	if t.splits > 0 {
		t.last = sec
	}
}

// level is the balancer: servers have as many regions, give or take one.
func (t *table) level() {
	for {
		least, most := 0, 0
		for i, n := range t.per {
			if n < t.per[least] {
				least = i
			}
			if n > t.per[most] {
				most = i
			}
		}
		if t.per[most]-t.per[least] < 2 {
			return
		}
		for i := len(t.leaves) - 1; i >= 0; i-- {
			if r := t.leaves[i]; r.server == most {
				r.server = least
				break
			}
		}
		t.per[most]--
		t.per[least]++
	}
}

// move gives all that is counted by windows its place in a new grid.
func (t *table) move(from, to grid) {
	for i := range t.counts {
		t.counts[i] = moved(t.counts[i], from, to, sum)
	}
	for _, r := range t.all {
		r.counts = moved(r.counts, from, to, sum)
		r.reach = moved(r.reach, from, to, (*reach).take)
		for i := range r.cells {
			r.cells[i] = moved(r.cells[i], from, to, (*few).merge)
		}
	}
}

// settle gives every region, live or split, the leaves that it covers, and what a
// region took in a window in which a daughter of it lived already to the daughters:
// else the hottest share would fall at each split.
func (t *table) settle(window func(sec int64) int) {
	n := 0
	var walk func(r *region)
	walk = func(r *region) {
		r.first = n
		if r.kids[0] == nil {
			n++
		} else {
			if w := window(r.died); w < len(r.counts) && r.counts[w] > 0 {
				r.hand(w)
			}
			walk(r.kids[0])
			walk(r.kids[1])
		}
		r.span = n - r.first
	}
	for _, r := range t.roots {
		walk(r)
	}
}

// hand gives a window's rows to the daughters: to the one in which they all lay, or
// half of them to each.
func (r *region) hand(w int) {
	count, where := r.counts[w], r.reach[w]
	a, b := r.kids[0], r.kids[1]
	give := func(d *region, n uint32) {
		if n == 0 {
			return
		}
		*at(&d.counts, w) += n
		d.rows += int64(n)
		for i := range r.cells {
			if w < len(r.cells[i]) {
				sure := r.cells[i][w].less(count - n) // the other rows may all have the value
				at(&d.cells[i], w).merge(&sure)
			}
		}
	}
	switch {
	case bytes.Compare(where.low, r.middle) >= 0:
		at(&b.reach, w).merge(&where)
		give(b, count)
	case bytes.Compare(where.high, r.middle) < 0:
		at(&a.reach, w).merge(&where)
		give(a, count)
	default:
		at(&a.reach, w).merge(&reach{where.low, where.low})
		at(&b.reach, w).merge(&reach{where.high, where.high})
		give(a, count/2)
		give(b, count-count/2)
	}
	r.rows -= int64(count)
	r.counts[w] = 0
	r.reach[w] = reach{}
	for i := range r.cells {
		if w < len(r.cells[i]) {
			r.cells[i][w] = few{}
		}
	}
}
