package simulate

import (
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Grid is the picture of a design as data: lines of neighbouring regions, the first keys
// on top, and windows of time.
type Grid struct {
	Lines   []Line
	Windows []Window
	Fair    float64 // an even part of a window's writes: 1 ÷ the regions, or ÷ the servers where these are more
	Steady  int     // the first window after the start-up
	Leaves  int     // regions in the end
}

// Line is a region of a Grid, or some neighbours.
type Line struct {
	From, To string   // where it begins and ends, as a reader thinks of it; the last line ends with no text
	Regions  int      // how many it is of
	Server   int      // of the first of them, in the end, from 0
	Share    float64  // of all rows
	Even     float64  // that it would have if all regions had the same
	Cells    []Square // one for each window
}

// Square is what the hottest region of a line took in a window.
type Square struct {
	Rows  uint32
	Share float64 // of the window's writes
	Hot   string  // a value that surely has a fifth of these rows, with its field; empty if there is none
	HotIs float64 // the part of these rows that it surely has
}

// Window is a window of a Grid.
type Window struct {
	From    time.Time
	Rows    uint32
	Hottest float64 // the hottest region's share
	Few     bool    // of too few rows to say anything of shares
}

// picture is what is drawn of a design: lines of neighbouring regions, and for each
// window the share of its writes that the hottest region of the line took.
type picture struct {
	lines   int
	windows int
	leaves  []int       // the first of each line, and the end of the last
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

// fair is an even part of the writes.
func (v *Result) fair() float64 {
	return 1 / float64(max(len(v.d.table.leaves), v.report.Servers))
}

// Grid is the picture of a design, of at most so many lines. Of a layout to try it has the
// lines that were kept of it, at most 24.
func (v *Result) Grid(lines int) *Grid {
	if v.small != nil {
		return v.small
	}
	r, t := v.report, v.d.table
	p := v.picture(max(lines, 1))
	g := &Grid{Fair: v.fair(), Steady: max(0, v.steady-r.from), Leaves: len(t.leaves)}
	for w := r.from; w < r.to; w++ {
		win := Window{Rows: r.clock.rows[w], Hottest: v.byWindow[w], Few: v.few(w)}
		if r.Timed() {
			win.From = r.clock.start(w)
		}
		g.Windows = append(g.Windows, win)
	}
	labels := v.d.labels(p.leaves[:p.lines], r)
	for i := range p.lines {
		from, to := p.leaves[i], p.leaves[i+1]
		l := Line{From: labels[i], Regions: to - from, Server: t.leaves[from].server, Share: v.leafShare(from, to), Even: float64(to-from) / float64(len(t.leaves))}
		if i+1 < p.lines {
			l.To = labels[i+1]
		}
		for w, owner := range p.owner[i] {
			c := Square{Share: p.share[i][w]}
			if owner != nil {
				c.Rows = owner.counts[r.from+w]
				c.Hot, c.HotIs = v.blame(owner, r.from+w)
			}
			l.Cells = append(l.Cells, c)
		}
		g.Lines = append(g.Lines, l)
	}
	return g
}

// smallLines are those that a layout to try keeps.
const smallLines = 24

// blame is the value that surely has a fifth of a cell's rows, and what part of them it
// has; none in a cell of few rows.
func (v *Result) blame(r *region, w int) (name string, share float64) {
	best := uint32(0)
	for j := range v.d.columns {
		if w >= len(r.cells[j]) {
			continue
		}
		id, n := r.cells[j][w].best()
		if text, ok := v.d.names[j][id]; ok && n > best && n > 20 && 5*n > r.counts[w] {
			best, name, share = n, v.d.fields[v.d.watched[j]].Name+" "+text, float64(n)/float64(r.counts[w])
		}
	}
	return name, share
}

// labels are where regions begin, each as short as it differs from the one before.
func (d *design) labels(leaves []int, r *Report) (out []string) {
	var before []string
	for _, leaf := range leaves {
		start := d.table.leaves[leaf].start
		words := d.words(start, r)
		n := 1
		for n < len(words) && len(before) >= n && slices.Equal(words[:n], before[:n]) {
			n++
		}
		text := ""
		for i, w := range words[:n] {
			if i > 0 {
				text += " "
			}
			text += w
		}
		if len(before) >= n && slices.Equal(words[:n], before[:n]) { // no value differs
			text = shell.Text(start)
		}
		out, before = append(out, text), words
	}
	return out
}

// words are the values with which a region begins, as a reader thinks of them. A value that
// is stored in another order of bytes stands as it is stored, so that labels rise. What is
// cut off within a value is its bytes.
func (d *design) words(start []byte, r *Report) (out []string) {
	if len(start) == 0 {
		return []string{"(first)"}
	}
	key := start
	if n := d.lengths.shortest - len(start); n > 0 && n < 1<<15 {
		key = append(slices.Clone(start), make([]byte, n)...) // the least key that begins so
	}
	row, err := d.Schema.DecodeLoose(key)
	if err != nil {
		if row, err = d.Schema.DecodeLoose(start); err != nil {
			return []string{shell.Text(start)}
		}
	}
	values := map[string]any{}
	for name, v := range row.All() {
		values[name] = v
	}
	left := len(start)
	for f := range d.Schema.Fields() {
		if !f.Stored || f.Kind == "literal" {
			left -= len(f.Const)
			continue
		}
		stored := row.Stored(f.Name)
		if left -= len(stored); left < 0 && len(out) > 0 { // of zeros alone
			if -left >= len(stored) {
				break
			}
		}
		switch v := values[f.Name].(type) {
		case time.Time:
			out = append(out, r.stamp(v))
		case []byte:
			out = append(out, shell.Text(v))
		case nil:
			out = append(out, shell.Text(stored))
		default:
			if f.Derived || f.Reversed {
				out = append(out, shell.Text(stored))
			} else {
				out = append(out, shown(fmt.Append(nil, v)))
			}
		}
		if f.Reversed {
			out[len(out)-1] = shell.Text(stored)
		}
	}
	return out
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
