package rowkey

import (
	"bytes"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Range is a half-open range of row keys. The zero Range is empty.
//
// To HBase an empty stop row means the end of the table, so that an empty
// result which becomes an empty stop reads, or deletes, everything. Here empty,
// bounded and unbounded are three states, and only an unbounded range has an
// empty stop.
type Range struct{ in bound.Range }

// NewRange is [start, stop); an empty stop is refused: say PrefixRange(nil) for
// a whole table. start and stop are copied; where they are equal the Range is
// empty.
func NewRange(start, stop []byte) (Range, error) {
	if len(stop) == 0 {
		return Range{}, &Error{Offset: -1, Err: &fault.Detail{Text: "an empty stop would read to the end of the table", Reason: fault.ErrLength}}
	}
	switch c := bytes.Compare(start, stop); {
	case c > 0:
		return Range{}, &Error{Offset: -1, Err: fault.ErrInverted}
	case c == 0:
		return Range{}, nil
	}
	return Range{bound.Between(start, stop)}, nil
}

// PrefixRange is every row that begins with p: the one prefix successor. An
// empty p is the whole table.
func PrefixRange(p []byte) Range {
	r, _ := bound.Append(make([]byte, 0, 2*len(p)), p, false)
	return Range{r}
}

// Start is the first row, inclusive. Its bytes are those of the Range, and of the
// Plan or the arena that the Range came from: do not change them. An empty Range
// starts at ff and stops at 00, which reads nothing, in bytes that are new each
// time.
func (r Range) Start() []byte {
	start, _ := r.in.Bounds()
	return start
}

// Stop is the end, exclusive; it is empty only where Unbounded. As those of Start,
// its bytes are not to be changed.
func (r Range) Stop() []byte {
	_, stop := r.in.Bounds()
	return stop
}

// Empty reports that no row can lie in the range.
func (r Range) Empty() bool { return r.in.Empty() }

// Unbounded reports that the range runs to the end of the table.
func (r Range) Unbounded() bool { return r.in.Unbounded() }

// Contains reports whether a row lies in the range.
func (r Range) Contains(row []byte) bool { return r.in.Contains(row) }

// Reversed is the bounds of a reversed scan without inclusive flags, whose
// start is the larger row, inclusive, and whose stop is exclusive: [05, 07) of
// one byte is read from 06 down to 04. An empty start is the end of the table, an
// empty stop its beginning.
//
// The start is the largest key that the schema could have below the range's own
// stop, where the widths or the bytes of its components tell; then exact is
// true. Else the start is the range's stop, and the first row may lie outside:
// test rows with Contains. Below the range the scan ends at its last key or a
// little further on, at what begins with the bytes before it and 8 bytes ff.
func (r Range) Reversed() (start, stop []byte, exact bool) { return r.in.Reversed() }

// Shell is the range as arguments of hbase shell's scan and count.
func (r Range) Shell() string { return r.in.Shell() }

// String is the range as hbase shell text: [start, stop).
func (r Range) String() string { return r.in.String() }

// Range is every row that begins with the fields supplied so far: at least one
// field, and one range, else an error. With all fields supplied it is that one
// row. It owns its bytes. Over a Loose field it covers: rows of other values
// may lie in it.
func (k KeyBuilder) Range() (Range, error) {
	if k.in.St == nil || k.in.St.Op == layout.OpBad {
		_, err := k.finish()
		return Range{}, err
	}
	r, err := bound.One(k.in.Buf, k.in.St)
	return Range{r}, err
}

// AppendRanges appends the range of every open bucket to dst, in key order, and
// their bytes to arena; no allocation where both have room. Where nothing is
// open it is the one Range. More than 1024 ranges are refused. On error dst and
// arena come back as they were.
func (k KeyBuilder) AppendRanges(dst []Range, arena []byte) ([]Range, []byte, error) {
	st := k.in.St
	if st == nil || st.Op == layout.OpBad {
		_, err := k.finish()
		return dst, arena, err
	}
	if st.Op < layout.OpEnd && st.I > 0 && !st.S.Gathered && len(st.Open)+st.Trim == 0 && !st.Whole && st.Last == nil {
		if p := k.in.Buf[:len(k.in.Buf)-st.Cut]; len(p) > 0 && len(p) <= st.S.MaxLen {
			r, arena := bound.Append(arena, p, false)
			r.Of = st.S
			return append(dst, Range{r}), arena, nil
		}
	}
	more, from := dst, arena
	arena, err := bound.Each(k.in.Buf, st, arena, func(n int) { more = slices.Grow(more, n) }, func(r bound.Range) { more = append(more, Range{r}) })
	if err != nil {
		return dst, from, err
	}
	return more, arena, nil
}
