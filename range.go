package rowkey

import (
	"bytes"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// Range is a half-open range of row keys. The zero Range is empty.
//
// To HBase an empty stop row is the end of the table. So an empty result that is used
// as a stop row reads, or deletes, everything. A Range is therefore empty, bounded or
// unbounded, and only an unbounded one has an empty stop. Its bounds have at most 32767
// bytes, as keys have: HBase refuses longer ones.
type Range struct{ in bound.Range }

// NewRange makes the range [start, stop). It copies both. If they are equal, the Range
// is empty. A stop below start is an error that wraps ErrInverted. An empty stop is an
// error that wraps ErrLength: for a whole table, write PrefixRange(nil).
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
	return Range{bound.Between(start, stop).Fit()}, nil
}

// PrefixRange holds every row that begins with p. Its stop is the smallest row above
// all of them: 05ff has the stop 06. If all bytes of p are ff, the range is Unbounded.
// An empty p is the whole table.
func PrefixRange(p []byte) Range {
	r, _ := bound.Append(make([]byte, 0, 2*len(p)), p, false)
	return Range{r.Fit()}
}

// Start is the first row, inclusive. Do not change its bytes: they belong to the
// Range, and to the Plan or the arena that the Range came from. An empty Range starts
// at ff and stops at 00, which reads nothing; these bytes are new each time.
func (r Range) Start() []byte {
	start, _ := r.in.Bounds()
	return start
}

// Stop is the end, exclusive. It is empty only if the range is Unbounded. Do not
// change its bytes.
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

// Reversed gives the bounds of a reversed scan, for a client without inclusive flags.
// The start is the larger row and is inclusive. The stop is the smaller row and is
// exclusive. With keys of one byte, [05, 07) has the start 06 and the stop 04. An
// empty start is the end of the table; an empty stop is its beginning.
//
// If the widths or the bytes of the components show it, the start is the largest key
// that the schema can have below the range's stop. Then exact is true. Else the start
// is the range's stop, and the first row may lie outside the range: test rows with
// Contains.
//
// At its lower end, the scan ends at the range's first key or a little later. With
// keys of any length, [6162, 6163) has the start 6163 and the stop
// 6161ffffffffffffffff, with 8 bytes ff. Rows that begin with the bytes of this stop
// may come, too.
func (r Range) Reversed() (start, stop []byte, exact bool) { return r.in.Reversed() }

// Shell is the range as arguments of hbase shell's scan and count.
func (r Range) Shell() string { return r.in.Shell() }

// String is the range as hbase shell text: [start, stop).
func (r Range) String() string { return r.in.String() }

// Range holds every row that begins with the fields supplied so far. With all fields
// supplied it is that one row. No field, or fields that need more than one range, are
// an error. The Range has bytes of its own. Over a Loose field it may also hold rows
// of other values.
func (k KeyBuilder) Range() (r Range, err error) {
	own := k.in
	k.in = own.Plain()
	st := k.in.St
	if st == nil || st.Op == layout.OpBad {
		_, err = k.finish()
		return r, err
	}
	p, exact, err := beginning(own, k.in)
	if err != nil {
		return r, err
	}
	if len(p) == 0 {
		r.in, err = bound.One(own.Apart().Buf, st)
		return r, err
	}
	start, room := p, []byte(nil)
	if st.Op < layout.OpEnd { // Bytes may have given a whole key's memory away
		room = own.Lend(len(p))
	}
	if room == nil {
		room = append(make([]byte, 0, 2*len(p)+1), p...)
		start, room = room, room[len(p):]
	}
	stop, ok := bound.AppendStop(room, p, exact)
	r.in.Start, r.in.Stop, r.in.State, r.in.Of = start[:len(p):len(p)], stop[:len(stop):len(stop)], bound.Bounded, st.S
	if !ok {
		r.in.State = bound.Unbounded
	}
	return r, nil
}

// beginning is the bytes that decide the one range of a key so far; empty if it takes more than bytes. With
// exact they are a whole key with which other keys begin.
func beginning(own, plain write.Key) (p []byte, exact bool, err error) {
	st := plain.St
	if st.Op != layout.OpEnd {
		return bound.Head(plain.Buf, st), false, nil
	}
	if p = plain.Buf; len(p) >= st.Done {
		p, err = st.S.Finish(own.Apart().Buf, st)
	}
	return p, bound.BegunByAll(st.S), err
}

// AppendRanges appends one range for each open bucket to dst, in key order, and their
// bytes to arena. If no bucket is open, it appends the one Range. Where both have
// room, nothing is allocated. More than 1024 ranges are refused. On error dst and
// arena come back as they were. The key may lie in the memory after arena.
func (k KeyBuilder) AppendRanges(dst []Range, arena []byte) ([]Range, []byte, error) {
	own := k.in
	k.in = own.Plain()
	st := k.in.St
	if st == nil || st.Op == layout.OpBad {
		_, err := k.finish()
		return dst, arena, err
	}
	if mem.Within(mem.Text(k.in.Buf), arena[len(arena):]) {
		k.in.Buf = bytes.Clone(k.in.Buf)
		own = k.in
	}
	p, exact, err := beginning(own, k.in)
	if err != nil {
		return dst, arena, err
	}
	if len(p) > 0 {
		dst = append(dst, Range{})
		return dst, dst[len(dst)-1].in.Fill(arena, p, exact, st.S), nil
	}
	more, from := dst, arena
	arena, err = bound.Each(own.Apart().Buf, st, arena, func(n int) { more = slices.Grow(more, n) }, func(r bound.Range) {
		more = append(more, Range{})
		to := &more[len(more)-1].in // by fields: a copy of 64 bytes waits for the one byte of State
		to.Start, to.Stop, to.State, to.Of = r.Start, r.Stop, r.State, r.Of
	})
	if err != nil {
		return dst, from, err
	}
	return more, arena, nil
}

// AppendRange appends the range of the keys that begin with p to dst or, with exact, the
// range of the one key p, and its bytes to arena. Where both have room, nothing is
// allocated. The range of 61 62 is [61 62, 61 63), and with exact [61 62, 61 62 00). It is
// for generated code: others take the range of a KeyBuilder, which checks the values.
func (s *Schema) AppendRange(dst []Range, arena, p []byte, exact bool) ([]Range, []byte) {
	dst = append(dst, Range{})
	return dst, dst[len(dst)-1].in.Fill(arena, p, exact, &s.in)
}
