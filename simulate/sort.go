package simulate

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// Sorter takes rows in any order and gives them to a Simulation by their times: those
// that it cannot hold in some megabytes go to a file that Close removes. Rows without a
// time come first.
type Sorter struct {
	s    *Simulation
	held []byte // rows
	rows []sortRow
	file *os.File
	runs []sortRun
	end  int64 // of the file
	err  error
}

type sortRow struct {
	sec      int64
	from, to int
}

type sortRun struct{ from, to int64 }

const (
	sortHeld  = 6 << 20 // bytes
	sortBatch = 1 << 10 // rows of a batch that is given on
)

// NewSorter makes a sorter in front of a simulation.
func NewSorter(s *Simulation) *Sorter { return &Sorter{s: s} }

// Add takes the rows of a batch.
func (o *Sorter) Add(b *Batch) {
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

// spill writes the rows that are held to the file.
func (o *Sorter) spill() {
	if o.err == nil && o.file == nil {
		o.file, o.err = os.CreateTemp("", "rowkey-simulate-*")
	}
	if o.err != nil {
		return
	}
	o.sorted()
	from := o.end
	w := bufio.NewWriterSize(io.NewOffsetWriter(o.file, o.end), 64<<10)
	var head []byte
	for _, r := range o.rows {
		head = binary.AppendUvarint(binary.AppendVarint(head[:0], r.sec), uint64(r.to-r.from))
		w.Write(head)
		w.Write(o.held[r.from:r.to])
		o.end += int64(len(head) + r.to - r.from)
	}
	o.err = w.Flush()
	o.runs = append(o.runs, sortRun{from, o.end})
	o.held, o.rows = o.held[:0], o.rows[:0]
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
			o.s.Add(b)
			b.Reset()
		}
		return nil
	}
	err := o.merge(give)
	if b.Len() > 0 {
		o.s.Add(b)
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

// merge walks all rows by their times.
func (o *Sorter) merge(do func(sec int64, row []byte) error) error {
	if o.err != nil {
		return o.err
	}
	if len(o.runs) == 0 {
		o.sorted()
		for _, r := range o.rows {
			if err := do(r.sec, o.held[r.from:r.to]); err != nil {
				return err
			}
		}
		return nil
	}
	if o.spill(); o.err != nil {
		return o.err
	}
	o.held, o.rows = nil, nil
	var h sortHeap
	buffer := max(4<<10, min(64<<10, (4<<20)/len(o.runs)))
	for i, run := range o.runs {
		c := &sortCursor{run: i, r: bufio.NewReaderSize(io.NewSectionReader(o.file, run.from, run.to-run.from), buffer)}
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

// Close removes the file.
func (o *Sorter) Close() error {
	if o.file == nil {
		return nil
	}
	err := o.file.Close()
	return errors.Join(err, os.Remove(o.file.Name()))
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
