package rekey

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// ErrUnequal is that places still differ after as many passes as were permitted.
var ErrUnequal = errors.New("the places differ")

// Verifying says how places are compared.
type Verifying struct {
	Parallel int // regions at the same time
	Versions int // of each cell that are compared, as many as the table keeps; 0 is one

	// Wait is how long a delete that was half done is left to whoever makes it, before it is
	// finished: longer than any operation takes, with all its tries. 0 is two minutes.
	Wait time.Duration
	// Passes is how often all is compared until nothing is missing; 0 is 10.
	Passes int

	Every    time.Duration
	Progress func(Progress)
}

// Verified is what was found and done.
type Verified struct {
	Rows     int64 // of the last pass
	Passes   int
	Copied   int64 // rows of which something was missing
	Finished int64 // rows whose half delete was finished
	Refused  int64 // rows of the last pass that the other layout cannot hold: they are not compared
	Took     time.Duration
}

// Verify compares all rows of a place with the other one, whose rows nobody reads, cell by
// cell with their times and values, and goes on until nothing is missing there. What is
// missing is copied. What still is not seen then is hidden by a tombstone, of a delete
// that came to one place only: when Wait is over it is finished in the other place, column
// by column, up to the cell that is hidden. What the other place has besides is left:
// it is an operation that nobody was told to be done.
func (c *Change) Verify(ctx context.Context, from change.Place, v Verifying) (Verified, error) {
	v.Wait, v.Passes = cmp.Or(v.Wait, 2*time.Minute), cmp.Or(v.Passes, 10)
	began := time.Now()
	var sum Verified
	for sum.Passes < v.Passes {
		sum.Passes++
		p := &pass{run: run{c: c, from: from, began: time.Now(),
			m: Moving{Parallel: v.Parallel, Versions: v.Versions, Progress: v.Progress, Every: v.Every}}}
		rows, refused, err := p.all(ctx, v)
		if err == nil && len(p.hidden) > 0 {
			err = p.finish(ctx, v.Wait)
		}
		sum.Rows, sum.Refused, sum.Took = rows, refused, time.Since(began)
		sum.Copied, sum.Finished = sum.Copied+p.copied, sum.Finished+p.finished
		if err != nil || p.copied+p.finished == 0 {
			return sum, err
		}
	}
	return sum, fmt.Errorf("rekey: after %d passes: %w", sum.Passes, ErrUnequal)
}

// fineParts is in how many parts a pass sums up rows: in few of them are rows that are
// written meanwhile, and the rows of these alone are compared one by one.
const fineParts = 1 << 16

// all compares all rows. The source is read first: what it has, the other place has by
// then, in the parts whose sums are the same.
func (p *pass) all(ctx context.Context, v Verifying) (rows, refused int64, err error) {
	source, err := p.c.sums(ctx, p.from, v, fineParts)
	if err != nil {
		return 0, 0, err
	}
	target, err := p.c.sums(ctx, p.from.Other(), v, fineParts)
	if err != nil {
		return 0, 0, err
	}
	if p.differ = source.differ(target); !slices.Contains(p.differ, true) {
		return source.Rows, source.Refused, nil
	}
	marks, err := p.marks(ctx)
	if err != nil {
		return 0, 0, err
	}
	err = p.each(ctx, marks, func(ctx context.Context, _ int, m Mark) error {
		return p.batches(ctx, m, 500, func(rows []hbase.Row) error { return p.compare(ctx, rows) })
	})
	return source.Rows, source.Refused, err
}

// pass is one comparison of all rows.
type pass struct {
	run
	differ           []bool // of each fine part
	mu               sync.Mutex
	copied, finished int64
	hidden           []hbase.Row // as they are in the source, with the cells that are hidden
	last             time.Time   // when the last of them was seen
}

// mostHidden is how many rows with half deletes are held.
const mostHidden = 100_000

// compare compares a batch, copies what is missing, and looks again.
func (p *pass) compare(ctx context.Context, rows []hbase.Row) error {
	var want []hbase.Row // in the other place's keys
	keys := map[string][]byte{}
	for _, row := range rows {
		key, err := p.c.key(row.Key, p.from, change.InNew)
		if err != nil || !p.differ[partOf(key, fineParts)] {
			continue
		}
		put, ok, err := p.moved(ctx, row)
		if err != nil {
			return err
		}
		if ok {
			want = append(want, put)
			keys[string(put.Key)] = row.Key
		}
	}
	missing, err := p.missing(ctx, want)
	if err != nil {
		return err
	}
	p.add(Progress{Rows: int64(len(want))})
	if len(missing) == 0 {
		return nil
	}
	if err := putAll(ctx, p.c.table(p.from.Other()), missing); err != nil {
		return err
	}
	hidden, err := p.missing(ctx, missing)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.copied += int64(len(missing) - len(hidden))
	for _, row := range hidden {
		row.Key = keys[string(row.Key)]
		p.hidden, p.last = append(p.hidden, row), time.Now()
	}
	if len(p.hidden) > mostHidden {
		return fmt.Errorf("rekey: more than %d rows are hidden by tombstones: %w", mostHidden, ErrUnequal)
	}
	return nil
}

// missing are the cells of rows that the other place does not have, nor newer ones in
// their stead.
func (p *pass) missing(ctx context.Context, rows []hbase.Row) (missing []hbase.Row, err error) {
	keys := make([][]byte, len(rows))
	for i := range rows {
		keys[i] = rows[i].Key
	}
	versions := max(p.m.Versions, 1)
	found, err := p.c.table(p.from.Other()).GetRows(ctx, keys, hbase.Versions(versions))
	if err != nil {
		return nil, err
	}
	n := 0
	for _, row := range rows {
		var there hbase.Row
		if n < len(found) && bytes.Equal(found[n].Key, row.Key) {
			there = found[n]
			n++
		}
		if cells := lacking(row.Cells, there.Cells, versions); len(cells) > 0 {
			missing = append(missing, hbase.Row{Key: row.Key, Cells: cells})
		}
	}
	return missing, nil
}

// lacking are the cells that a place does not have, if it keeps so many versions: one of
// the same time and value, or as many newer ones.
func lacking(cells, there []hbase.Cell, versions int) (lacks []hbase.Cell) {
	for _, c := range cells {
		newer, same := 0, false
		for i := range there {
			d := &there[i]
			if d.Family != c.Family || d.Qualifier != c.Qualifier {
				continue
			}
			switch {
			case d.Time.After(c.Time):
				newer++
			case d.Time.Equal(c.Time):
				same = bytes.Equal(d.Value, c.Value)
			}
		}
		if !same && newer < versions {
			lacks = append(lacks, c)
		}
	}
	return lacks
}

// finish finishes half deletes, when all operations that were under way are over.
func (p *pass) finish(ctx context.Context, longest time.Duration) error {
	select {
	case <-time.After(time.Until(p.last.Add(longest))):
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, row := range p.hidden {
		still, err := p.still(ctx, row)
		if err != nil {
			return err
		}
		if len(still) == 0 {
			continue
		}
		var ds []hbase.Deletion
		for _, c := range still {
			ds = append(ds, hbase.Deletion{Key: row.Key, Columns: []string{c.Family + ":" + c.Qualifier}, Time: c.Time})
		}
		if err := p.c.table(p.from).DeleteCells(ctx, ds...); err != nil {
			return err
		}
		p.finished++
	}
	return nil
}

// still are the cells that were hidden and are hidden now, and that the source still has:
// most deletes were under way and are done by now.
func (p *pass) still(ctx context.Context, row hbase.Row) ([]hbase.Cell, error) {
	now, err := p.c.table(p.from).GetRows(ctx, [][]byte{row.Key}, hbase.Versions(max(p.m.Versions, 1)))
	if err != nil || len(now) == 0 {
		return nil, err
	}
	row.Cells = slices.DeleteFunc(slices.Clone(row.Cells), func(c hbase.Cell) bool {
		return !slices.ContainsFunc(now[0].Cells, func(d hbase.Cell) bool {
			return c.Family == d.Family && c.Qualifier == d.Qualifier && c.Time.Equal(d.Time)
		})
	})
	key, err := p.c.key(row.Key, p.from, p.from.Other())
	if err != nil {
		return nil, err
	}
	rows, err := p.missing(ctx, []hbase.Row{{Key: key, Cells: row.Cells}})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0].Cells, nil
}

// Sums are counts and checksums of the rows of a place, in parts that are the same for
// both places: whatever the layout, a row is in the part that its key in the new layout
// says.
type Sums struct {
	Rows    int64
	Refused int64 // rows that the other layout cannot hold, which are in no part
	Parts   []Sum
}

// Sum is of one part.
type Sum struct {
	Rows int64
	Sum  uint64
}

// Sums reads all rows of a place, and sums them up in 256 parts. Two places are equal if
// their Sums are; while writers write they differ in what is under way.
func (c *Change) Sums(ctx context.Context, place change.Place, v Verifying) (*Sums, error) {
	return c.sums(ctx, place, v, 256)
}

func (c *Change) sums(ctx context.Context, place change.Place, v Verifying, parts int) (*Sums, error) {
	sums := Sums{Parts: make([]Sum, parts)}
	var mu sync.Mutex
	r := &run{c: c, from: place, began: time.Now(), m: Moving{Parallel: v.Parallel, Versions: v.Versions, Progress: v.Progress, Every: v.Every}}
	marks, err := r.marks(ctx)
	if err != nil {
		return nil, err
	}
	err = r.each(ctx, marks, func(ctx context.Context, _ int, m Mark) error {
		return r.batches(ctx, m, 500, func(rows []hbase.Row) error {
			found := make(map[int]Sum, len(rows))
			var n, refused int64
			for _, row := range rows {
				key, err := c.key(row.Key, place, change.InNew)
				if err == nil && place == change.InNew {
					_, err = c.key(row.Key, place, change.InOld)
				}
				switch {
				case !c.owns(place, row.Key):
					if _, other := c.gens.Which(row.Key); other == nil {
						continue
					}
					refused++
				case err != nil:
					refused++
				default:
					part := partOf(key, parts)
					sum := found[part]
					found[part] = Sum{sum.Rows + 1, sum.Sum + sumOf(key, row.Cells)}
					n++
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for part, sum := range found {
				sums.Parts[part].Rows += sum.Rows
				sums.Parts[part].Sum += sum.Sum
			}
			sums.Rows, sums.Refused = sums.Rows+n, sums.Refused+refused
			r.add(Progress{Rows: n})
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return &sums, nil
}

// partOf is the part that a row is in, by its key in the new layout.
func partOf(key []byte, parts int) int {
	h := fnv.New64a()
	h.Write(key)
	return int(h.Sum64() >> 16 % uint64(parts))
}

// sumOf is the checksum of a row.
func sumOf(key []byte, cells []hbase.Cell) uint64 {
	h := fnv.New64a()
	h.Write(key)
	var room []byte
	for _, c := range cells {
		room = room[:0]
		for _, n := range []int{len(c.Family), len(c.Qualifier), len(c.Value)} {
			room = binary.BigEndian.AppendUint32(room, uint32(n))
		}
		room = binary.BigEndian.AppendUint64(room, uint64(c.Time.UnixMilli()))
		h.Write(append(append(room, c.Family...), c.Qualifier...))
		h.Write(c.Value)
	}
	return h.Sum64()
}

// differ says of each part whether two sums differ in it.
func (s *Sums) differ(o *Sums) []bool {
	differ := make([]bool, len(s.Parts))
	for i := range s.Parts {
		differ[i] = s.Parts[i] != o.Parts[i]
	}
	return differ
}

// Differ are the parts in which two sums differ.
func (s *Sums) Differ(o *Sums) (parts []int) {
	for i, differs := range s.differ(o) {
		if differs {
			parts = append(parts, i)
		}
	}
	return parts
}
