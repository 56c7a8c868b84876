package simulate

import (
	"fmt"
	"math"

	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// The patterns of writes. n is the lesser of servers and regions; a window's load is
// its hottest server's share times n, so that 1 is even and n is one server alone.
// Windows with fewer than fewRows·n rows do not count, nor does the start-up.
const (
	Even         = "even"                  // at least 95 % of the rows lie in windows of load 2 or less, and the worst load is at most 4
	OneMoving    = "one moving hot region" // hot, and half of the rows sort beyond 99 % of the rows before their window
	Moving       = "moving hot regions"    // hot, the mean window's hottest region has twice the share that any region has of all rows, and no value has half of that
	AtTimes      = "hot at times"          // at most half of the rows lie in hot windows
	FewHotKeys   = "a few hot keys"        // stays hot, and one value has half of the worst cell, or stands out overall
	HotRanges    = "hot ranges"            // stays hot, and no value is to blame
	OneRegion    = "one region"            // too small to split: nothing can be said of a larger one
	TooFewRows   = "too few rows"
	NotToBeKnown = "not known" // the rows are not in the order of their times
)

const hottestRegion = "the hottest region at its worst"

// shares gathers the hottest region's and server's shares over time.
func (v *Result) shares() {
	t, r := v.d.table, v.report
	n := float64(v.n)
	v.byWindow = make([]float64, r.to)
	v.startup()
	if !r.Timed() && t.splits > 0 { // settle gave the leaves what their parents took
		t.counts = make([][]uint32, v.d.o.Servers)
		for _, leaf := range t.leaves {
			if len(leaf.counts) > 0 {
				*at(&t.counts[leaf.server], 0) += leaf.counts[0]
			}
		}
	}
	rows, counted := 0.0, 0.0
	for _, reg := range t.all {
		if d := float64(reg.rows) / float64(max(v.d.rows, 1)); d > v.overall {
			v.overall = d
		}
	}
	for w := range r.to {
		total, top, hot := 0.0, 0.0, 0.0
		var who *region
		for _, reg := range t.all {
			if w < len(reg.counts) {
				c := float64(reg.counts[w])
				if total += c; c > top {
					top, who = c, reg
				}
			}
		}
		for _, server := range t.counts {
			if w < len(server) {
				hot = max(hot, float64(server[w]))
			}
		}
		rows += total
		if total < fewRows*n || w < r.from {
			continue
		}
		v.byWindow[w] = top / total
		if w < v.steady {
			v.Startup.Worst = max(v.Startup.Worst, hot/total)
			continue
		}
		counted += total
		v.Region.Mean += top
		v.Server.Mean += hot
		if hot/total*n > 2 {
			v.loads += total
		}
		if top/total > v.Region.Worst {
			v.Region.Worst, v.worst, v.worstAt = top/total, who, w
			if r.Timed() {
				v.Region.At = r.clock.start(w)
			}
		}
		if hot/total > v.Server.Worst {
			v.Server.Worst = hot / total
			if r.Timed() {
				v.Server.At = r.clock.start(w)
			}
		}
	}
	if counted > 0 {
		v.Region.Mean /= counted
		v.Server.Mean /= counted
		v.loads /= counted
		v.Takes = 1 / v.Server.Worst
	}
}

// startup finds the first window of the steady state. Where that has less than a tenth of
// the rows, all of them are taken to be it: the table never gets further.
func (v *Result) startup() {
	r := v.report
	started := v.d.table.started()
	if !r.Timed() || started == math.MinInt64 {
		return
	}
	steady, before, all := r.clock.window(started)+1, 0.0, 0.0
	for w, n := range r.clock.rows {
		if all += float64(n); w < steady {
			before += float64(n)
		}
	}
	if steady >= r.to || before > 0.9*all {
		return
	}
	v.steady = steady
	v.Startup = &Startup{Until: r.clock.start(steady), Rows: before / all}
}

// lead is the field whose values alone decide in which region a row lies; empty if more do.
func (d *design) lead() string {
	for f := range d.Schema.Fields() {
		switch {
		case !f.Stored || f.Kind == "literal":
		case f.Computed.Source != "":
			return f.Computed.Source
		case f.Derived && len(f.Computed.Inputs) == 1:
			return f.Computed.Inputs[0]
		case f.Derived:
			return ""
		default:
			return f.Name
		}
	}
	return ""
}

// hotValues finds the values that take much: of all rows, and of the hottest region at
// its worst. It gives how many are of all rows, and the largest share of a value there.
// A value whose rows no design keeps together is none: it has that part of each region.
func (v *Result) hotValues() (overall int, most float64) {
	d, lead := v.d, v.d.lead()
	var there []Hot
	for j, c := range d.columns {
		field := d.fields[d.watched[j]].Name
		shares := map[string]float64{}
		var name string // of the value that has half of the hottest region, or more than twice what it has of all
		top := c.top.top(3)
		for _, t := range top {
			shares[t.name] = float64(t.count) / float64(c.rows)
		}
		if v.worst != nil && v.worstAt < len(v.worst.cells[j]) {
			id, count := v.worst.cells[j][v.worstAt].best()
			known := false
			if name, known = d.names[j][id]; !known {
				name = "one value"
			}
			share := float64(count) / float64(v.worst.counts[v.worstAt])
			if share >= 0.5 && (field == lead || share >= 1.5*shares[name]) {
				there = append(there, Hot{field, name, share, hottestRegion})
			} else {
				name = ""
			}
		}
		for _, t := range top {
			if field != lead && t.name != name {
				continue
			}
			share := shares[t.name]
			if most = max(most, share); share > max(0.02, 0.5/float64(d.o.Servers)) {
				v.Hot = append(v.Hot, Hot{field, t.name, share, "all rows"})
			}
		}
	}
	overall = len(v.Hot)
	v.Hot = append(v.Hot, there...)
	return overall, most
}

// judge names the pattern.
func (v *Result) judge() {
	d, r := v.d, v.report
	n := float64(v.n)
	overall, most := v.hotValues()
	blame := ""
	if len(v.Hot) > overall {
		h := v.Hot[overall]
		blame = fmt.Sprintf(" There %s %s alone is %s of that region's rows.", h.Field, h.Value, say.Percent(h.Share))
	}
	if d.ends.compared > 0 {
		v.front = float64(max(d.ends.below, d.ends.beyond)) / float64(d.ends.compared)
	}
	when := ""
	if r.Timed() {
		when = " (" + r.when(v.worstAt) + ")"
	}
	hottest := fmt.Sprintf("%s of the writes over time and %s at its worst%s", say.Percent(v.Region.Mean), say.Percent(v.Region.Worst), when)
	even := fmt.Sprintf("%s of the writes over time, and %s at its worst", say.Percent(v.Server.Mean), say.Percent(v.Server.Worst))
	if !r.Timed() { // one window
		hottest, even = say.Percent(v.Region.Worst)+" of the writes", say.Percent(v.Server.Worst)+" of the writes"
	}
	switch {
	case r.Withheld != "":
		v.Pattern = NotToBeKnown
		v.Says = "Not known: " + r.Withheld + "."
	case v.Server.Worst == 0:
		v.Pattern = TooFewRows
		v.Says = fmt.Sprintf("Too few rows: %d. Shares need %d in a window, %d for each server or region.", d.rows, fewRows*v.n, fewRows)
		v.Hot = nil
	case len(d.table.leaves) == 1:
		v.Pattern = OneRegion
		v.Says = "One region takes all writes: the table is too small to split. Let the rows stand for more, or give its regions."
	case v.loads <= 0.05 && v.Server.Worst*n <= 4:
		v.Pattern = Even
		v.Says = fmt.Sprintf("Even: the hottest of %d servers takes %s.", d.o.Servers, even)
	case v.front >= 0.5:
		way := "rise"
		if d.ends.below > d.ends.beyond {
			way = "fall"
		}
		v.Pattern = OneMoving
		v.Says = fmt.Sprintf("One moving hot region: the keys %s, %s of the rows sort beyond 99 %% of those before them. At any time one region takes %s of the writes, however many there are.", way, say.Percent(v.front), say.Percent(v.Region.Mean))
	case v.Region.Mean >= 2*v.overall && r.to-r.from > 1 && most < v.Region.Mean/2:
		v.Pattern = Moving
		v.Says = fmt.Sprintf("Moving hot regions: in a window one region takes %s of the writes, where no region has more than %s of all rows. At a time about %.0f of %d regions work.", say.Percent(v.Region.Mean), say.Percent(v.overall), max(1, 1/v.Region.Mean), len(d.table.leaves))
	case v.loads <= 0.5:
		v.Pattern = AtTimes
		v.Says = fmt.Sprintf("Hot at times: %s of the rows come in windows in which one server takes more than twice its part; at its worst%s one region takes %s.", say.Percent(v.loads), when, say.Percent(v.Region.Worst)) + blame
	case blame != "" || overall > 0:
		v.Pattern = FewHotKeys
		v.Says = "A few hot keys: the same region stays hot, with " + hottest + "." + blame
	default:
		v.Pattern = HotRanges
		v.Says = "Hot ranges: the same regions stay hot, the hottest with " + hottest + ", and no value is to blame: they are cut at the wrong places, or too few."
	}
}

// hotWords are the values that stand out among all rows, as sentences.
func (v *Result) hotWords() (out []string) {
	if v.Pattern == Even {
		return nil
	}
	for _, h := range v.Hot {
		if h.Of == "all rows" {
			out = append(out, fmt.Sprintf("%s %s is %s of all rows: no layout that keeps them together spreads them.", h.Field, h.Value, say.Percent(h.Share)))
		}
	}
	return out
}

// grade is good, mid or bad, for colours.
func (v *Result) grade() string {
	switch v.Pattern {
	case Even:
		return "good"
	case AtTimes, Moving, OneRegion, TooFewRows, NotToBeKnown:
		return "mid"
	}
	return "bad"
}

func (a Answer) grade() string {
	switch {
	case a.Cannot != "" || a.FullScan:
		return "bad"
	case a.Read > 10*max(a.Wanted, 1) || a.Ranges > 16:
		return "mid"
	}
	return "good"
}
