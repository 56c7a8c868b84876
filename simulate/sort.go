package simulate

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Sorter takes rows in any order and gives them to a Simulation by their times: those
// that it cannot hold in a megabyte or two go to files that Close removes. Rows without a
// time come first.
type Sorter struct {
	s    *Simulation
	held []byte // rows
	rows []sortRow
	runs []sortRun // in the order in which their rows came
	err  error
}

type sortRow struct {
	sec      int64
	from, to int
}

// sortRun is a file of rows in order. Runs that become one are of one level, which
// is that of the result less one: so each row is written as often as there are levels.
type sortRun struct {
	file  *os.File
	level int
}

const (
	sortHeld   = 3 << 19  // bytes of rows
	sortRuns   = 32       // of one level, which then become one
	sortBuffer = 16 << 10 // bytes before each run
	sortBatch  = 1 << 8   // rows of a batch that is given on
)

// NewSorter makes a sorter before a simulation.
func NewSorter(s *Simulation) *Sorter { return &Sorter{s: s} }

// Add takes the rows of a batch. Its errors are those of Simulation.Add.
func (o *Sorter) Add(ctx context.Context, b *Batch) error {
	over := o.s.admit(ctx, b)
	if over != nil && !errors.Is(over, ErrLimit) {
		return over
	}
	if o.held == nil {
		o.held = make([]byte, 0, sortHeld)
	}
	next := make([]int, len(b.parts)) // key of each design
	for i := range b.parts {
		p := &b.parts[i] // what was refused has no time to be sorted by
		d := o.s.designs[i]
		d.refused += p.refused
		for _, c := range p.causes {
			d.cause(c)
		}
	}
	for row, sec := range b.seconds {
		from := len(o.held)
		for i := range b.parts {
			p := &b.parts[i]
			at := next[i]
			if at == len(p.rows) || int(p.rows[at]) != row {
				o.held = append(o.held, 0)
				continue
			}
			next[i]++
			o.held = p.pack(append(o.held, 1), at, len(o.s.designs[i].watched))
		}
		o.rows = append(o.rows, sortRow{sec, from, len(o.held)})
	}
	if len(o.held)+24*len(o.rows) >= sortHeld {
		o.spill()
	}
	return over
}

// pack writes a key and its values.
func (p *part) pack(dst []byte, at, watched int) []byte {
	from := uint32(0)
	if at > 0 {
		from = p.ends[at-1]
	}
	key := p.keys[from:p.ends[at]]
	dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
	for _, v := range p.values[at*watched : (at+1)*watched] {
		dst = append(dst, v.kind)
		if v.kind == aText {
			text := p.texts[v.from:v.to]
			dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
		} else {
			dst = binary.AppendUvarint(dst, v.number)
		}
	}
	return dst
}

// sorted puts the rows that are held in order; equal times stay as they came.
func (o *Sorter) sorted() {
	slices.SortStableFunc(o.rows, func(a, b sortRow) int { return cmp.Compare(a.sec, b.sec) })
}

// spill writes the rows that are held to a run of their own.
func (o *Sorter) spill() {
	if o.err != nil || len(o.rows) == 0 {
		return
	}
	o.sorted()
	o.write(0, func(do func(sec int64, row []byte) error) error {
		for _, r := range o.rows {
			if err := do(r.sec, o.held[r.from:r.to]); err != nil {
				return err
			}
		}
		return nil
	})
	o.held, o.rows = o.held[:0], o.rows[:0]
	for level := 0; o.err == nil; level++ {
		from := slices.IndexFunc(o.runs, func(r sortRun) bool { return r.level == level })
		if from < 0 || len(o.runs)-from < sortRuns {
			break
		}
		o.join(from, level+1)
	}
}

// join makes one run of the last ones.
func (o *Sorter) join(from, level int) {
	old := o.runs[from:]
	o.runs = slices.Clone(o.runs[:from])
	o.write(level, func(do func(sec int64, row []byte) error) error { return merge(old, do) })
	for _, r := range old {
		o.err = errors.Join(o.err, r.remove())
	}
}

// write makes a run of rows that come in order.
func (o *Sorter) write(level int, rows func(do func(sec int64, row []byte) error) error) {
	f, err := os.CreateTemp("", "rowkey-simulate-*")
	if err != nil {
		o.err = err
		return
	}
	os.Remove(f.Name()) // where the system permits it, so that an interrupted run leaves none
	o.runs = append(o.runs, sortRun{f, level})
	w := bufio.NewWriterSize(f, 64<<10)
	var head []byte
	err = rows(func(sec int64, row []byte) error {
		head = binary.AppendUvarint(binary.AppendVarint(head[:0], sec), uint64(len(row)))
		w.Write(head)
		_, err := w.Write(row)
		return err
	})
	o.err = errors.Join(err, w.Flush())
}

func (r sortRun) remove() error {
	err := r.file.Close()
	if e := os.Remove(r.file.Name()); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

// Finish gives all rows to the simulation.
func (o *Sorter) Finish() error {
	b := o.s.Batch()
	give := func(sec int64, row []byte) error {
		b.at = len(b.seconds)
		b.seconds = append(b.seconds, sec)
		for i := range b.parts {
			var err error
			if row, err = b.unpack(i, row); err != nil {
				return err
			}
		}
		if b.Len() == sortBatch {
			o.s.add(b)
			b.Reset()
		}
		return nil
	}
	err := o.each(give)
	if b.Len() > 0 {
		o.s.add(b)
	}
	return err
}

// unpack gives a design the key and the values that pack wrote.
func (b *Batch) unpack(design int, row []byte) ([]byte, error) {
	short := errors.New("simulate: the file of sorted rows was changed")
	number := func() (n uint64, ok bool) {
		n, size := binary.Uvarint(row)
		if size <= 0 {
			return 0, false
		}
		row = row[size:]
		return n, true
	}
	text := func() (out []byte, ok bool) {
		n, ok := number()
		if !ok || n > uint64(len(row)) {
			return nil, false
		}
		out, row = row[:n], row[n:]
		return out, true
	}
	if len(row) == 0 {
		return nil, short
	}
	has := row[0]
	if row = row[1:]; has == 0 {
		return row, nil
	}
	key, ok := text()
	if !ok {
		return nil, short
	}
	d := b.s.designs[design]
	values := make([]Value, len(d.fields))
	for _, at := range d.watched {
		if len(row) == 0 {
			return nil, short
		}
		v := &values[at]
		v.kind, row = row[0], row[1:]
		if v.kind == aText {
			v.text, ok = text()
		} else {
			v.number, ok = number()
		}
		if !ok {
			return nil, short
		}
	}
	b.Key(design, key, nil, values...)
	return row, nil
}

// each walks all rows by their times.
func (o *Sorter) each(do func(sec int64, row []byte) error) error {
	if len(o.runs) == 0 {
		o.sorted()
		for _, r := range o.rows {
			if err := do(r.sec, o.held[r.from:r.to]); err != nil {
				return err
			}
		}
		return o.err
	}
	o.spill()
	o.held, o.rows = nil, nil
	for o.err == nil && len(o.runs) > sortRuns { // of many levels
		o.join(len(o.runs)-sortRuns, o.runs[len(o.runs)-sortRuns].level+1)
	}
	if o.err != nil {
		return o.err
	}
	return merge(o.runs, do)
}

// merge walks the rows of runs by their times.
func merge(runs []sortRun, do func(sec int64, row []byte) error) error {
	var h sortHeap
	for i, run := range runs {
		if _, err := run.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		c := &sortCursor{run: i, r: bufio.NewReaderSize(run.file, sortBuffer)}
		more, err := c.next()
		if err != nil {
			return err
		}
		if more {
			h = append(h, c)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		c := h[0]
		if err := do(c.sec, c.row); err != nil {
			return err
		}
		more, err := c.next()
		switch {
		case err != nil:
			return err
		case more:
			heap.Fix(&h, 0)
		default:
			heap.Pop(&h)
		}
	}
	return nil
}

// Close removes the files.
func (o *Sorter) Close() (err error) {
	for _, r := range o.runs {
		err = errors.Join(err, r.remove())
	}
	o.runs = nil
	return err
}

// sortCursor walks a run.
type sortCursor struct {
	run int
	r   *bufio.Reader
	sec int64
	row []byte
}

func (c *sortCursor) next() (more bool, err error) {
	if c.sec, err = binary.ReadVarint(c.r); err == io.EOF {
		return false, nil
	}
	var n uint64
	if err == nil {
		n, err = binary.ReadUvarint(c.r)
	}
	if err != nil {
		return false, err
	}
	c.row = slices.Grow(c.row[:0], int(n))[:n]
	_, err = io.ReadFull(c.r, c.row)
	return err == nil, err
}

// sortHeap has the earliest row on top; of equal times that which came first.
type sortHeap []*sortCursor

func (h sortHeap) Len() int { return len(h) }
func (h sortHeap) Less(i, j int) bool {
	if h[i].sec != h[j].sec {
		return h[i].sec < h[j].sec
	}
	return h[i].run < h[j].run
}
func (h sortHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *sortHeap) Push(x any)   { *h = append(*h, x.(*sortCursor)) }
func (h *sortHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
