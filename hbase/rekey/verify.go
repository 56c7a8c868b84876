package rekey

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// ErrUnequal is that places differ.
var ErrUnequal = errors.New("the places differ")

// Verifying says how places are compared.
type Verifying struct {
	Parallel int // regions at the same time
	Versions int // of each cell that are compared, as many as the table keeps; 0 is one

	// Wait is how long a delete that was half done is left to whoever makes it, before it is
	// finished: longer than any operation takes, with all its tries. 0 is two minutes.
	Wait time.Duration

	Every    time.Duration // between two calls of Progress; 0 is 10 seconds
	Progress func(Progress)
	Patience time.Duration // as that of Moving
}

// Verified is what was found and done.
type Verified struct {
	Rows     int64
	Refused  int64 // rows that the other layout cannot hold, or whose key is none: they are not compared
	Compared int64 // rows that were compared one by one, in this run
	Copied   int64 // of them, those of which something was missing
	Finished int64 // rows whose half delete was finished
	Took     time.Duration
}

// Verify compares all rows of the place of a turn with the other one, whose rows nobody reads,
// cell by cell with their times and values. What is missing is copied. What still is not seen
// then is hidden by a tombstone, of a delete that came to one place only: when Wait is over it is
// finished in the other place, column by column, up to the cell that is hidden. What the other
// place has besides is left: it is an operation that was not acknowledged.
//
// It sums up the rows of both places, in many parts, and compares one by one those of the parts
// that differ. One pass is enough: what a row has in both places stays there. How far it is, is
// kept: a Verify that ended in any way goes on where it was, in the same turn. It asks whether
// the turn holds before it writes, and ends with an error that wraps change.ErrStale if not.
func (c *Change) Verify(ctx context.Context, turn Turn, v Verifying) (Verified, error) {
	began := time.Now()
	v.Wait = cmp.Or(v.Wait, 2*time.Minute)
	p := &pass{c: c, turn: turn, v: v}
	err := p.all(ctx)
	p.sum.Took = time.Since(began)
	return p.sum, err
}

// fineParts is in how many parts a pass sums up rows: in few of them are rows that are
// written meanwhile, and the rows of these alone are compared one by one.
const fineParts = 1 << 16

// pass is one comparison of all rows.
type pass struct {
	c      *Change
	turn   Turn
	v      Verifying
	differ []bool // of each fine part

	mu     sync.Mutex
	sum    Verified
	hidden map[string]hbase.Row // by the key in the source, with the cells that are hidden
	last   time.Time            // when the last of them was seen
}

func (v Verifying) moving() Moving {
	return Moving{Parallel: v.Parallel, Versions: v.Versions, Progress: v.Progress, Every: v.Every, Patience: v.Patience}
}

// The kinds of marks of a verify.
const (
	ofSource  = verified + "/source"
	ofTarget  = verified + "/target"
	ofCompare = verified + "/compare"
	ofHidden  = verified + "/hidden"
)

// all compares all rows. The source is read first: what it has, the other place has by
// then, in the parts whose sums are the same.
func (p *pass) all(ctx context.Context) error {
	if _, err := p.turn.State.MayMove(); err != nil {
		return err
	}
	from := p.turn.From()
	source, err := p.c.sums(ctx, p.turn, from, p.v, fineParts, ofSource)
	if err != nil {
		return err
	}
	target, err := p.c.sums(ctx, p.turn, from.Other(), p.v, fineParts, ofTarget)
	if err != nil {
		return err
	}
	p.sum.Rows, p.sum.Refused = source.Rows, source.Refused
	if p.differ = source.differ(target); slices.Contains(p.differ, true) {
		r := p.c.run(p.turn, from, ofCompare, p.v.moving())
		r.progress.What = "rows one by one"
		err := r.patiently(ctx, func() (err error) {
			r.keeps, err = p.c.keeps(ctx, p.turn.State, from.Other())
			return err
		})
		if err != nil {
			return err
		}
		err = r.each(ctx, func(ctx context.Context, part int, m *Mark) error {
			err := r.batches(ctx, m, r.m.Batch, func(rows []hbase.Row) error {
				if err := p.compare(ctx, r, rows); err != nil {
					return err
				}
				at := *m
				at.At = rows[len(rows)-1].Key
				return p.turn.save(ctx, ofCompare, part, at)
			})
			if err != nil {
				return err
			}
			m.Done = true
			return p.turn.save(ctx, ofCompare, part, *m)
		})
		if err != nil {
			return err
		}
		r.progress.What, r.last = "half deletes", time.Now()
		over := r.report()
		err = p.finish(ctx, r)
		over()
		if err != nil {
			return err
		}
	}
	if err := p.turn.Holds(ctx); err != nil {
		return err
	}
	return p.turn.store.forget(ctx, verified, digits(p.turn.State.Number)) // the next one begins anew
}

// mostHidden is how many rows with half deletes are held.
const mostHidden = 100_000

// compare compares a batch, copies what is missing, and looks again.
func (p *pass) compare(ctx context.Context, r *run, rows []hbase.Row) error {
	var want []hbase.Row // in the other place's keys
	keys := map[string][]byte{}
	for _, row := range rows {
		key, err := p.c.key(row.Key, r.from, change.InNew)
		if err != nil || !p.differ[partOf(key, fineParts)] {
			continue
		}
		put, ok, err := r.moved(ctx, row)
		if err != nil {
			return err
		}
		if ok {
			want = append(want, put)
			keys[string(put.Key)] = row.Key
		}
	}
	missing, err := r.missing(ctx, want)
	if err != nil {
		return err
	}
	r.add(Progress{Rows: int64(len(want))})
	if len(missing) == 0 {
		p.count(len(want), 0)
		return nil
	}
	var puts []hbase.Row
	for _, row := range missing {
		puts = append(puts, byTTL(row)...)
	}
	err = p.turn.holding(ctx, func(ctx context.Context) error { return putAll(ctx, r.table(r.from.Other()), puts) })
	if err != nil {
		return err
	}
	hidden, err := r.missing(ctx, missing)
	if err != nil {
		return err
	}
	for i := range hidden {
		hidden[i].Key = keys[string(hidden[i].Key)]
		err := p.turn.store.table.Put(ctx, hbase.Row{Key: p.hiddenRow(hidden[i].Key), Cells: cells(map[string]string{"seen": "1"})})
		if err != nil {
			return err
		}
	}
	p.count(len(want), len(missing)-len(hidden))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, row := range hidden {
		p.hide(row)
	}
	if len(p.hidden) > mostHidden {
		return fmt.Errorf("rekey: more than %d rows are hidden by tombstones: %w", mostHidden, ErrUnequal)
	}
	return nil
}

func (p *pass) hide(row hbase.Row) {
	if p.hidden == nil {
		p.hidden = map[string]hbase.Row{}
	}
	p.hidden[string(row.Key)], p.last = row, time.Now()
}

func (p *pass) hiddenRow(key []byte) []byte {
	return p.turn.store.row(append(p.turn.parts(ofHidden), hex.EncodeToString(key))...)
}

func (p *pass) count(compared, copied int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Compared, p.sum.Copied = p.sum.Compared+int64(compared), p.sum.Copied+int64(copied)
}

// missing are the cells of rows that the other place does not have, nor newer ones in
// their stead.
func (r *run) missing(ctx context.Context, rows []hbase.Row) (missing []hbase.Row, err error) {
	keys := make([][]byte, len(rows))
	for i := range rows {
		keys[i] = rows[i].Key
	}
	asked := max(r.m.Versions, 1)
	found, err := r.table(r.from.Other()).GetRows(ctx, keys, hbase.Versions(asked))
	if err != nil {
		return nil, err
	}
	now := time.Now().Add(MaxSkew) // the server's clock may be ahead
	shown := func(c *hbase.Cell) int { return min(asked, shows(r.keeps[c.Family], c.Time, now)) }
	n := 0
	for _, row := range rows {
		var there hbase.Row
		if n < len(found) && bytes.Equal(found[n].Key, row.Key) {
			there = found[n]
			n++
		}
		if cells := lacking(row.Cells, there.Cells, shown); len(cells) > 0 {
			missing = append(missing, hbase.Row{Key: row.Key, Cells: cells})
		}
	}
	return missing, nil
}

// shows is how many versions of a column a family shows at most, where one of a time is among them.
// After its TTL that one is shown only among the MinVersions newest. With no MinVersions neither
// place shows it.
func shows(f hbase.Family, at, now time.Time) int {
	n := max(f.Versions, 1)
	if f.TTL != 0 && f.MinVersions > 0 && now.Sub(at) >= f.TTL {
		n = min(n, f.MinVersions)
	}
	return n
}

// lacking are the cells that a place does not have: one of the same time and value, or so many
// newer ones that it does not show it.
func lacking(cells, there []hbase.Cell, shown func(c *hbase.Cell) int) (lacks []hbase.Cell) {
	for i := range cells {
		c := cells[i]
		newer, same := 0, false
		for j := range there {
			d := &there[j]
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
		if !same && newer < shown(&c) {
			lacks = append(lacks, c)
		}
	}
	return lacks
}

// finish finishes half deletes, when all operations that were under way are over.
func (p *pass) finish(ctx context.Context, r *run) error {
	var rows []hbase.Row
	var prefix []byte
	err := r.patiently(ctx, func() (err error) {
		rows, prefix, err = p.turn.store.below(ctx, p.turn.parts(ofHidden)...)
		return err
	})
	if err != nil {
		return err
	}
	for _, row := range rows { // of a run that was ended: they are looked at as if anew
		key, err := hex.DecodeString(string(bytes.TrimPrefix(row.Key, prefix)))
		if err != nil {
			return err
		}
		if _, known := p.hidden[string(key)]; known {
			continue
		}
		now, err := r.source(ctx, key)
		if err != nil {
			return err
		}
		p.hide(hbase.Row{Key: key, Cells: now})
	}
	if len(p.hidden) == 0 {
		return nil
	}
	if err := pause(ctx, time.Until(p.last.Add(p.v.Wait))); err != nil {
		return err
	}
	for _, row := range p.hidden {
		err := r.patiently(ctx, func() error { return p.finishOne(ctx, r, row) })
		if err != nil {
			return err
		}
		r.add(Progress{Rows: 1})
	}
	return nil
}

func (p *pass) finishOne(ctx context.Context, r *run, row hbase.Row) error {
	still, err := r.still(ctx, row)
	if err != nil {
		return err
	}
	if len(still) > 0 {
		var ds []hbase.Deletion
		for _, c := range still {
			ds = append(ds, hbase.Deletion{Key: row.Key, Columns: []string{c.Family + ":" + c.Qualifier}, Time: c.Time})
		}
		err := p.turn.holding(ctx, func(ctx context.Context) error { return r.table(r.from).DeleteCells(ctx, ds...) })
		if err != nil {
			return err
		}
		p.sum.Finished++
	}
	return p.turn.store.table.Delete(ctx, p.hiddenRow(row.Key))
}

// source are the cells that a row of the source has now.
func (r *run) source(ctx context.Context, key []byte) ([]hbase.Cell, error) {
	now, err := r.table(r.from).GetRows(ctx, [][]byte{key}, hbase.Versions(max(r.m.Versions, 1)))
	if err != nil || len(now) == 0 {
		return nil, err
	}
	return now[0].Cells, nil
}

// still are the cells that were hidden and are hidden now, and that the source still has:
// most deletes were under way and are done by now.
func (r *run) still(ctx context.Context, row hbase.Row) ([]hbase.Cell, error) {
	now, err := r.source(ctx, row.Key)
	if err != nil || len(now) == 0 {
		return nil, err
	}
	row.Cells = slices.DeleteFunc(slices.Clone(row.Cells), func(c hbase.Cell) bool {
		return !slices.ContainsFunc(now, func(d hbase.Cell) bool {
			return c.Family == d.Family && c.Qualifier == d.Qualifier && c.Time.Equal(d.Time)
		})
	})
	key, err := r.c.key(row.Key, r.from, r.from.Other())
	if err != nil {
		return nil, err
	}
	rows, err := r.missing(ctx, []hbase.Row{{Key: key, Cells: row.Cells}})
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

// Sums reads all rows of a place, in the state of a turn, and sums them up in 256 parts. Two
// places are equal if their Sums are; while writers write they differ in what is under way.
func (c *Change) Sums(ctx context.Context, turn Turn, place change.Place, v Verifying) (*Sums, error) {
	return c.sums(ctx, turn, place, v, 256, "")
}

// sums sums up a place. Of a kind, each region is kept when it is done.
func (c *Change) sums(ctx context.Context, turn Turn, place change.Place, v Verifying, parts int, kind string) (*Sums, error) {
	all := Sums{Parts: make([]Sum, parts)}
	var mu sync.Mutex
	r := c.run(turn, place, kind, v.moving())
	r.progress.What = "sums of " + place.String()
	r.took = func(m Mark) error {
		if !all.take(m.sums) {
			return fmt.Errorf("rekey: sums that this version cannot read: %w", ErrUnequal)
		}
		return nil
	}
	var regions sync.Map // part of the run to its sums
	err := r.each(ctx, func(ctx context.Context, part int, m *Mark) error {
		of, _ := regions.LoadOrStore(part, &Sums{Parts: make([]Sum, parts)})
		own := of.(*Sums)
		err := r.batches(ctx, m, r.m.Batch, func(rows []hbase.Row) error {
			for _, row := range rows {
				c.sum(own, place, row)
			}
			r.add(Progress{Rows: int64(len(rows))})
			return nil
		})
		if err == nil && kind != "" {
			done := *m
			done.At, done.Done, done.sums = nil, true, own.bytes()
			err = turn.save(ctx, kind, part, done)
		}
		if err != nil {
			return err
		}
		regions.Delete(part)
		mu.Lock()
		defer mu.Unlock()
		all.add(own)
		return nil
	})
	return &all, err
}

// sum adds a row to the sums of its region.
func (c *Change) sum(s *Sums, place change.Place, row hbase.Row) {
	key, err := c.key(row.Key, place, change.InNew)
	if err == nil && place == change.InNew {
		_, err = c.key(row.Key, place, change.InOld)
	}
	switch {
	case !c.owns(place, row.Key):
		if _, other := c.gens.Which(row.Key); other != nil {
			s.Refused++
		}
	case err != nil:
		s.Refused++
	default:
		part := &s.Parts[partOf(key, len(s.Parts))]
		part.Rows++
		part.Sum += sumOf(key, row.Cells)
		s.Rows++
	}
}

// add adds the sums of a region.
func (s *Sums) add(o *Sums) {
	s.Rows, s.Refused = s.Rows+o.Rows, s.Refused+o.Refused
	for i, p := range o.Parts {
		s.Parts[i].Rows += p.Rows
		s.Parts[i].Sum += p.Sum
	}
}

// bytes are the sums as they are kept: of each part that has rows its distance from the one
// before, its rows and its sum.
func (s *Sums) bytes() []byte {
	b := binary.AppendUvarint([]byte{1}, uint64(s.Refused))
	last := -1
	for i, p := range s.Parts {
		if p.Rows > 0 {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(i-last)), uint64(p.Rows))
			b = binary.BigEndian.AppendUint64(b, p.Sum)
			last = i
		}
	}
	return b
}

// take adds sums as they were kept; false if they are none.
func (s *Sums) take(b []byte) bool {
	if len(b) == 0 || b[0] != 1 {
		return false
	}
	b = b[1:]
	number := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			b = nil
			return 0
		}
		b = b[size:]
		return n
	}
	s.Refused += int64(number())
	for i := -1; len(b) > 0; {
		distance, rows := number(), number()
		if distance == 0 || distance > uint64(len(s.Parts)-1-i) || len(b) < 8 {
			return false
		}
		i += int(distance)
		s.Parts[i].Rows += int64(rows)
		s.Parts[i].Sum += binary.BigEndian.Uint64(b)
		s.Rows += int64(rows)
		b = b[8:]
	}
	return true
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
