package simulate

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// moments finds how many rows of the whole table share a key, where each row seen stands
// for many: that of the rows seen none share a key says nothing then. Rows share a key if
// they have the same values of all fields but the time, here called company, and come
// within the same unit of it. How often a company comes is counted; within a window its
// rows are taken to come at random, so that their number in a unit follows Poisson's law.
//
// It is known for keys that hold the time of arrival once, and whose other fields are all
// watched.
type moments struct {
	known bool
	unit  time.Duration
	top   frequent // companies that many rows have
	rest  twins    // of all, a sample by their hash
}

func newMoments(s *rowkey.Schema, o *Options, watched int) (m moments) {
	others, times := 0, 0
	for f := range s.Fields() {
		switch {
		case f.Derived || f.Kind == "literal" || !f.Stored:
		case f.Kind == "time":
			times++
			m.known = f.Name == o.Clock
			m.unit = max(f.Time.Step, f.Time.Truncated)
		default:
			others++
		}
	}
	m.known = m.known && times == 1 && others == watched && m.unit > 0
	return m
}

// add counts the company of a row.
func (m *moments) add(values []held) {
	h := uint64(len(values))
	for i := range values {
		h = (bits.RotateLeft64(h, 23) ^ values[i].hash ^ uint64(values[i].kind)) * 0x9e3779b97f4a7c15
	}
	h ^= h >> 29
	m.top.add(h, noName)
	m.rest.add(h)
}

func noName() string { return "" }

// lost is the share of a table's rows whose key another has before, each row seen standing
// for some; false if these rows are too few to say. Each row seen is of a company with some
// count of the rows: the others of them come, in that table, so many to a unit of the time.
func (m *moments) lost(r *Report, rows int64, stands float64) (share float64, known bool) {
	if !m.known || rows < 2 || !r.Timed() {
		return 0, false
	}
	load := r.perUnit(max(m.unit, r.clock.grain).Seconds(), stands)
	companies := map[uint32]float64{} // how many rows are of a company of this count
	left := float64(rows)
	var named []uint64
	for i, c := range m.top.counts {
		if n := c.count - c.err; n >= topSure*c.err && n > 1 { // others are in the sample
			companies[n] += float64(n)
			left -= float64(n)
			named = append(named, m.top.hashes[i])
		}
	}
	sampled := map[uint32]float64{}
	total, pairs := 0.0, 0.0
	for i, n := range m.rest.rows {
		if n > 0 && !slices.Contains(named, m.rest.hashes[i]) {
			sampled[n] += float64(n)
			total += float64(n)
			pairs += float64(n) * float64(n-1) / 2
		}
	}
	for n, of := range sampled {
		companies[n] += of / total * left
	}
	more := 0.0 // of which no pair of rows is seen, by chance
	if total > 0 {
		more = 2 * (2*math.Sqrt(pairs) + 3) / total * left / float64(rows) / float64(rows)
	}
	unsure := 0.0
	for _, l := range load {
		unsure += l.rows * again(l.each*more)
	}
	for _, n := range slices.Sorted(maps.Keys(companies)) {
		others := float64(n-1) / float64(rows-1) // without bias, as the chance of another row to be of this company
		for _, l := range load {
			share += companies[n] / float64(rows) * l.rows * again(l.each*others)
		}
	}
	return share, unsure <= 0.002+0.3*share
}

// topSure is how many times surer than its error a count has to be.
const topSure = 50

// again is the share of rows that come to one that is there already, of so many in a
// unit on average.
func again(rows float64) float64 {
	if rows < 1e-6 {
		return rows / 2
	}
	return 1 + math.Expm1(-rows)/rows
}

// unitLoad is how many rows of the table come in a unit of time.
type unitLoad struct {
	rows float64 // share of all rows for which that is so
	each float64
}

// perUnit is that for the windows of a report; where a unit is longer than a window, for
// the windows of each unit together.
func (r *Report) perUnit(unit, stands float64) (out []unitLoad) {
	width := float64(r.clock.width())
	group := max(1, int(math.Round(unit/width)))
	total := 0.0
	for w := 0; w < len(r.clock.rows); w += group {
		n := 0.0
		for _, rows := range r.clock.rows[w:min(w+group, len(r.clock.rows))] {
			n += float64(rows)
		}
		if n > 0 {
			out = append(out, unitLoad{n, n * stands * min(1, unit/width)})
			total += n
		}
	}
	for i := range out {
		out[i].rows /= total
	}
	return out
}
