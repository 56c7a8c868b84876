package simulate

// picture is what is drawn of a design: lines of neighbouring regions, and for each
// window the share of its writes that the hottest region of the line took.
type picture struct {
	lines   int
	windows int
	leaves  []int       // the first of each line, and behind the last
	share   [][]float64 // by line and window
	owner   [][]*region // whose share that is
}

// few reports a window of too few rows to say anything of shares.
func (v *Result) few(w int) bool {
	return w >= len(v.report.clock.rows) || v.report.clock.rows[w] < uint32(fewRows*v.n)
}

// picture draws where the rows of a window lay: a region that split later is a block
// from the first to the last leaf that its rows of the window reach.
func (v *Result) picture(most int) *picture {
	r, t := v.report, v.d.table
	leaves := len(t.leaves)
	p := &picture{lines: min(leaves, most), windows: r.to - r.from}
	of := make([]int, leaves)
	for line := range p.lines {
		from, to := line*leaves/p.lines, (line+1)*leaves/p.lines
		p.leaves = append(p.leaves, from)
		for l := from; l < to; l++ {
			of[l] = line
		}
	}
	p.leaves = append(p.leaves, leaves)
	p.share, p.owner = make([][]float64, p.lines), make([][]*region, p.lines)
	for i := range p.share {
		p.share[i], p.owner[i] = make([]float64, p.windows), make([]*region, p.windows)
	}
	for _, reg := range t.all {
		for w, c := range reg.counts {
			if c == 0 || w < r.from || w >= r.to || v.few(w) && r.Timed() {
				continue
			}
			first, last := reg.first, reg.first
			if reg.span > 1 {
				first, last = t.live.find(reg.reach[w].low), t.live.find(reg.reach[w].high)
			}
			s := float64(c) / float64(r.clock.rows[w])
			for l := of[first]; l <= of[last]; l++ {
				if at := w - r.from; s > p.share[l][at] {
					p.share[l][at], p.owner[l][at] = s, reg
				}
			}
		}
	}
	return p
}

// lineShare is the part of all rows that a line's keys took.
func (v *Result) lineShare(p *picture, line int) float64 {
	return v.leafShare(p.leaves[line], p.leaves[line+1])
}

// shade is a share against a region's fair part of the writes, as a character that
// reads without colour.
func shade(share, fair float64) string {
	switch {
	case share == 0:
		return " "
	case share >= 0.5:
		return "█"
	case share > 4*fair:
		return "▓"
	case share > 2*fair:
		return "▒"
	case share >= fair/2:
		return "░"
	}
	return "·"
}
