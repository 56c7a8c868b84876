// Package geomesa declares the row keys of GeoMesa 5's Z2 and Z3 indexes of
// points:
//
//	Z2   [z, 8 bytes][feature id]
//	Z3   [bin, 2 bytes][z, 8 bytes][feature id]
//
// A bin is a day, week, month or year since 1970. z is a place on the Z curve:
// longitude, latitude and, in Z3, the time within the bin, each cut to 31 or 21
// bits, whose bits take turns. A box on the map is several intervals of the
// curve, which a query takes as AnyOf; they cover the box, and what z has cut
// off the caller compares itself.
//
// In Java: Z3SFC(period).index(lon, lat, offset), and BinnedTime for bin and offset.
package geomesa

import (
	"math"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Period is how long a bin of Z3 is.
type Period int

// The periods.
const (
	Day Period = iota
	Week
	Month
	Year
)

const day = 24 * time.Hour

// A month and a year are not equally long: these count them by the calendar.
var (
	weeks  = rowkey.NewUnit("week", 7*day, weekOf, weekStart)
	months = rowkey.NewUnit("month", day, monthOf, monthStart)
	years  = rowkey.NewUnit("year", day, yearOf, yearStart)
)

func weekOf(t time.Time) int64     { return t.Unix() / (7 * 86400) }
func weekStart(n int64) time.Time  { return time.Unix(n*7*86400, 0).UTC() }
func monthOf(t time.Time) int64    { return int64(t.Year()-1970)*12 + int64(t.Month()) - 1 }
func monthStart(n int64) time.Time { return time.Date(1970, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC) }
func yearOf(t time.Time) int64     { return int64(t.Year() - 1970) }
func yearStart(n int64) time.Time  { return time.Date(1970+int(n), 1, 1, 0, 0, 0, 0, time.UTC) }
func dayOf(t time.Time) int64      { return t.Unix() / 86400 }
func dayStart(n int64) time.Time   { return time.Unix(n*86400, 0).UTC() }

// periods has for each period its unit, its bins, the steps in which a time
// within a bin is counted, and how many of them the curve has room for: GeoMesa
// gives a year ten minutes more than its longest.
var periods = [...]struct {
	unit  rowkey.Unit
	to    func(time.Time) int64
	from  func(int64) time.Time
	step  time.Duration
	steps float64
}{
	Day:   {rowkey.Days, dayOf, dayStart, time.Millisecond, 86400e3},
	Week:  {weeks, weekOf, weekStart, time.Second, 7 * 86400},
	Month: {months, monthOf, monthStart, time.Second, 31 * 86400},
	Year:  {years, yearOf, yearStart, time.Minute, 366*24*60 + 10},
}

// Z2 is the layout of the index of points.
var Z2 = rowkey.New("z2").Uint("z", 8).String("id").MustBuild()

// Schema is the layout of the index of points in time, without shards. With n
// shards, a field Uint("shard", 1, rowkey.Below(n), rowkey.Bucket) stands in front.
func (p Period) Schema() *rowkey.Schema {
	return rowkey.New("z3").
		Time("bin", periods[p].unit, rowkey.Width(2)).
		Uint("z", 8).
		String("id").
		MustBuild()
}

// Offset is an instant's place in its bin, in the period's steps.
func (p Period) Offset(at time.Time) int64 {
	b := &periods[p]
	return int64(at.Sub(b.from(b.to(at.UTC()))) / b.step)
}

// cut is a coordinate in bits bits; what lies beyond the edge is on it.
func cut(x, low, high float64, bits int) uint32 {
	switch {
	case x >= high:
		return 1<<bits - 1
	case x <= low:
		return 0
	}
	return uint32(math.Floor((x - low) * (float64(uint64(1)<<bits) / (high - low))))
}

const z2Bits, z3Bits = 31, 21

// IndexZ2 is a point's z.
func IndexZ2(lon, lat float64) uint64 {
	return interleave([]uint32{cut(lon, -180, 180, z2Bits), cut(lat, -90, 90, z2Bits)})
}

// Index is the z of a point at an instant.
func (p Period) Index(lon, lat float64, at time.Time) uint64 {
	return interleave([]uint32{cut(lon, -180, 180, z3Bits), cut(lat, -90, 90, z3Bits), p.cutOffset(float64(p.Offset(at)))})
}

func (p Period) cutOffset(offset float64) uint32 { return cut(offset, 0, periods[p].steps, z3Bits) }

// interleave takes bits in turn, the first coordinate's lowest.
func interleave(coords []uint32) (z uint64) {
	for bit := range 32 {
		for i, c := range coords {
			if at := bit*len(coords) + i; at < 64 {
				z |= uint64(c>>bit&1) << at
			}
		}
	}
	return z
}

// Box is a part of the map, its edges included.
type Box struct{ West, South, East, North float64 }

// QueryZ2 is the condition of a box: at most so many intervals of the curve, which
// cover it the closer the more they are.
func QueryZ2(b Box, intervals int) rowkey.Cond {
	return anyOf(cover(z2Bits, []uint32{cut(b.West, -180, 180, z2Bits), cut(b.South, -90, 90, z2Bits)},
		[]uint32{cut(b.East, -180, 180, z2Bits), cut(b.North, -90, 90, z2Bits)}, intervals))
}

// mostBins is how many neighbouring bins one plan takes: a Plan lists the values
// of an interval for what stands after it if they are at most 64.
const mostBins = 64

// Plans are the plans of a box from one instant up to another, excluded: one for
// the bin in which the span begins, one for that in which it ends, and those of
// all bins between, of which the whole is wanted. Their ranges lie apart.
func (p Period) Plans(s *rowkey.Schema, b Box, from, to time.Time, intervals int) ([]*rowkey.Plan, error) {
	if !from.Before(to) {
		return nil, nil
	}
	per := &periods[p]
	last := to.Add(-1)
	first, final := per.to(from.UTC()), per.to(last.UTC())
	var plans []*rowkey.Plan
	plan := func(lo, hi int64, offsetLo, offsetHi float64) error {
		for ; lo <= hi; lo += mostBins {
			plan, err := s.Scan(rowkey.AtLeast("bin", per.from(lo)), rowkey.AtMost("bin", per.from(min(hi, lo+mostBins-1))),
				p.query(b, offsetLo, offsetHi, intervals), rowkey.MaxRanges(mostBins*intervals))
			if err != nil {
				return err
			}
			plans = append(plans, plan)
		}
		return nil
	}
	offset := func(t time.Time) float64 { return float64(p.Offset(t)) }
	var err error
	if first == final {
		err = plan(first, first, offset(from), offset(last))
		return plans, err
	}
	err = plan(first, first, offset(from), per.steps)
	if err == nil && final > first+1 {
		err = plan(first+1, final-1, 0, per.steps)
	}
	if err == nil {
		err = plan(final, final, 0, offset(last))
	}
	return plans, err
}

func (p Period) query(b Box, offsetLo, offsetHi float64, intervals int) rowkey.Cond {
	return anyOf(cover(z3Bits,
		[]uint32{cut(b.West, -180, 180, z3Bits), cut(b.South, -90, 90, z3Bits), p.cutOffset(offsetLo)},
		[]uint32{cut(b.East, -180, 180, z3Bits), cut(b.North, -90, 90, z3Bits), p.cutOffset(offsetHi)}, intervals))
}

// interval is a stretch of the curve, both ends included.
type interval struct{ lo, hi uint64 }

func anyOf(intervals []interval) rowkey.Cond {
	conds := make([]rowkey.Cond, len(intervals))
	for i, v := range intervals {
		conds[i] = rowkey.Span("z", v.lo, v.hi+1)
	}
	return rowkey.AnyOf(conds...)
}

// cover is at most so many intervals that hold every z whose coordinates lie from
// lo to hi. A cube of the curve is a stretch of it: those within the box are taken
// whole, those across its edge are cut into smaller ones while there is room.
func cover(bits int, lo, hi []uint32, most int) []interval {
	n := len(lo)
	type cube struct {
		at   uint64 // its z, without what lies within
		size int    // of a side, in bits
	}
	var out []interval
	take := func(c cube) {
		z := c.at << (c.size * n)
		out = append(out, interval{z, z | (1<<(c.size*n) - 1)})
	}
	cubes := []cube{{0, bits}}
	for len(cubes) > 0 {
		var across []cube
		for _, c := range cubes {
			inside, outside := true, false
			for i := range n {
				from := coordinate(c.at, i, n) << c.size
				to := from | (1<<c.size - 1)
				outside = outside || to < lo[i] || from > hi[i]
				inside = inside && from >= lo[i] && to <= hi[i]
			}
			switch {
			case outside:
			case inside:
				take(c)
			default:
				across = append(across, c)
			}
		}
		cubes = cubes[:0]
		for i, c := range across {
			if len(out)+len(across)-i+len(cubes) >= most || c.size == 0 {
				take(c)
				continue
			}
			for part := range uint64(1) << n {
				cubes = append(cubes, cube{c.at<<n | part, c.size - 1})
			}
		}
	}
	slices.SortFunc(out, func(a, b interval) int {
		if a.lo < b.lo {
			return -1
		}
		return 1
	})
	joined := out[:0]
	for _, v := range out {
		if k := len(joined); k > 0 && joined[k-1].hi+1 == v.lo {
			joined[k-1].hi = v.hi
			continue
		}
		joined = append(joined, v)
	}
	return joined
}

// coordinate is coordinate i of n of a z.
func coordinate(z uint64, i, n int) (c uint32) {
	for bit := range 32 {
		if at := bit*n + i; at < 64 {
			c |= uint32(z>>at&1) << bit
		}
	}
	return c
}
