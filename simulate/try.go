package simulate

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// piece is a field of the designs, and the constant after it.
type piece struct {
	field    rowkey.FieldInfo
	end      string
	distinct uint64
}

// others makes layouts of the fields of the designs.
type others struct {
	pieces map[string]*piece
	order  []string
	from   []*design
	seen   map[string]bool
	out    []Design
}

// Try is other layouts of the fields of these designs, for the same questions: after
// a salt of another field or of two, by time in buckets, without a salt. A second
// Simulation has to count the same rows under them, and Rank to compare.
func (r *Report) Try() []Design {
	o := others{pieces: map[string]*piece{}, seen: map[string]bool{}}
	big := map[string]float64{} // share that one value of a field has, of all or of a window
	buckets := 2
	asked := map[string]int{} // how many questions need a field
	for _, v := range r.Designs {
		v.d.slim()
		o.gather(v.d)
		for _, h := range v.Hot {
			if h.Of == hottestRegion {
				h.Share *= v.Region.Worst
			}
			big[h.Field] = max(big[h.Field], h.Share)
		}
		if v.proposed != nil && v.front < 0.5 && v.Pattern != NotToBeKnown {
			o.out = append(o.out, Design{Name: strings.TrimSpace(v.Name + " split by these rows"), Schema: v.d.Schema, Splits: v.proposed, sampled: true})
		}
		buckets = max(buckets, v.d.o.Regions)
	}
	buckets = min(buckets, 256)
	for _, q := range r.Designs[0].d.asked() {
		for _, name := range q.Needs {
			asked[name]++
		}
	}
	var clock string
	var rest []string
	for _, name := range o.order {
		if o.pieces[name].field.Kind == "time" && clock == "" {
			clock = name
		} else {
			rest = append(rest, name)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	// The field that most questions name stands first, then that of fewest values.
	slices.SortStableFunc(rest, func(a, b string) int {
		if asked[a] != asked[b] {
			return asked[b] - asked[a]
		}
		return cmp.Compare(o.pieces[a].distinct, o.pieces[b].distinct)
	})
	unique := slices.MaxFunc(rest, func(a, b string) int { return cmp.Compare(o.pieces[a].distinct, o.pieces[b].distinct) })
	for i, lead := range rest {
		if i > 0 && (asked[lead] == 0 || i > 2) {
			break
		}
		fields := []string{lead}
		if clock != "" {
			fields = append(fields, clock)
		}
		for _, name := range rest {
			if name != lead {
				fields = append(fields, name)
			}
		}
		o.put("salted by "+lead, fmt.Sprintf("[salt%d(%s)]", buckets, lead), fields, clock)
		if lead != unique {
			both, words := lead+","+unique, lead+" and "+unique
			o.put("salted by "+words, fmt.Sprintf("[salt%d(values(%s))]", buckets, both), fields, clock)
			o.put("fewer buckets, by "+words, fmt.Sprintf("[salt%d(values(%s))]", max(2, buckets/4), both), fields, clock)
			if share := big[lead] * float64(r.Servers); share > 1 {
				// An odd number, so that the places of one value do not meet on one server where
				// regions are dealt out in turn.
				parts := int(math.Ceil(share)) | 1
				o.put(fmt.Sprintf("salted by %s, each in %d places", lead, max(3, parts)), fmt.Sprintf("[salt%d(%s)][salt%d(%s)]", max(3, parts), unique, buckets, lead), fields, clock)
			}
		}
		o.put("no salt, by "+lead, "", fields, clock)
	}
	if clock != "" {
		fields := append([]string{clock}, rest...)
		o.put("by time in buckets", fmt.Sprintf("[salt%d(%s)]", max(2, buckets/4), unique), fields, clock)
		o.put("by time in more buckets", fmt.Sprintf("[salt%d(%s)]", buckets, unique), fields, clock)
	}
	return o.out
}

// asked is the questions of the simulation.
func (d *design) asked() (out []Question) {
	for i := range d.questions {
		out = append(out, d.questions[i].of)
	}
	return out
}

// gather takes the fields of a design, with what ends them.
func (o *others) gather(d *design) {
	o.seen[d.Schema.Fingerprint()] = true
	o.from = append(o.from, d)
	last := ""
	j := 0
	for f := range d.Schema.Fields() {
		switch {
		case f.Derived || !f.Stored:
			last = ""
		case f.Kind == "literal":
			if p := o.pieces[last]; p != nil && p.end == "" && p.field.Size == 0 {
				p.end = f.Notation
			}
			last = ""
		default:
			last = f.Name
			if o.pieces[last] == nil {
				o.pieces[last] = &piece{field: f}
				o.order = append(o.order, last)
			}
		}
		if !f.Derived && f.Kind != "literal" && f.Kind != "time" && f.Stored && j < len(d.columns) {
			o.pieces[f.Name].distinct = d.columns[j].distinct.Estimate()
			j++
		}
	}
}

// put adds a layout, if it can be built and is a new one.
func (o *others) put(name, lead string, fields []string, clock string) {
	if len(o.out) == mostTried {
		return
	}
	for _, end := range []string{"", `['\x00']`} {
		text := lead
		for i, name := range fields {
			p := o.pieces[name]
			piece := p.field.Notation
			if name == clock && p.field.Order == rowkey.Forward {
				if newest := strings.Replace(piece, "[", "[max-", 1); parses(newest) { // the newest rows first
					piece = newest
				}
			}
			if i < len(fields)-1 && p.field.Size == 0 {
				if p.end != "" {
					piece += p.end
				} else {
					piece += end
				}
			}
			text += piece
		}
		s, err := rowkey.Parse("try", text)
		if err != nil {
			continue
		}
		if !o.seen[s.Fingerprint()] {
			o.seen[s.Fingerprint()] = true
			splits := o.splits(s)
			o.out = append(o.out, Design{Name: name, Schema: s, Splits: splits, sampled: splits != nil})
		}
		return
	}
}

// splits are those by a sample of the rows, of a layout whose first fields give none.
func (o *others) splits(s *rowkey.Schema) rowkey.SplitKeys {
	if _, err := s.Splits(2); err == nil {
		return nil
	}
	for _, d := range o.from {
		var keys [][]byte
		for _, key := range d.past.keys {
			k, err := s.RekeyLoose(nil, key, d.Schema)
			if err != nil {
				keys = nil
				break
			}
			keys = append(keys, k)
		}
		if len(keys) > 0 {
			slices.SortFunc(keys, bytes.Compare)
			return splitsBy(s, keys, d.o.Regions)
		}
	}
	return nil
}

func parses(notation string) bool {
	_, err := rowkey.Parse("try", notation)
	return err == nil
}

const mostTried = 9

// Rank adds the designs of another report, of the same rows and questions, to Tried,
// in which this report's stand too: the best first. What a picture of them would need is
// given up, so that many can be tried in little memory. A design is the worse the
// fewer servers its table can use, and the more its questions cost against the best
// answer that any design has to each: log₂(servers ÷ what it takes) + the mean of
// log₂(cost ÷ best).
func (r *Report) Rank(tried *Report) {
	if r.Tried == nil {
		r.Tried = slices.Clone(r.Designs)
	}
	for _, v := range tried.Designs {
		v.Yours = false
		v.Worse = v.worse(r.Designs[0])
		v.small = v.Grid(smallLines)
		for i := range v.small.Lines {
			for w := range v.small.Lines[i].Cells {
				c := &v.small.Lines[i].Cells[w]
				*c = Square{Rows: c.Rows, Share: c.Share}
			}
		}
		o := *v.d.o
		v.d, v.worst, v.byWindow = &design{Design: v.d.Design, o: &o, given: v.d.given}, nil, nil
		r.Tried = append(r.Tried, v)
	}
	best := make([]float64, len(r.Designs[0].Answers))
	for i := range best {
		best[i] = math.Inf(1)
		for _, v := range r.Tried {
			best[i] = min(best[i], v.costOf(i))
		}
	}
	rank := func(v *Result) float64 {
		x := math.Log2(float64(r.Servers) / max(v.Takes, 1e-3))
		for i := range best {
			x += math.Log2(v.costOf(i)/best[i]) / float64(len(best))
		}
		return x
	}
	slices.SortStableFunc(r.Tried, func(a, b *Result) int { return cmp.Compare(rank(a), rank(b)) })
}

// costOf is what a question costs, of which only ratios are used: one for each
// request, and one for each hundred rows read, of the rows that those seen stand for. One
// that a design cannot answer costs two full scans.
func (v *Result) costOf(i int) float64 {
	a := v.Answers[i]
	if a.Cannot != "" {
		return 2*float64(v.Rows)*v.report.Stands/100 + 1
	}
	return float64(a.Requests) + float64(a.Read)*v.report.Stands/100 + 1e-3
}

// worse says what is worse than in another design.
func (v *Result) worse(than *Result) (out []string) {
	if v.Takes < 0.9*than.Takes {
		out = append(out, fmt.Sprintf("takes %.1f servers, not %.1f", v.Takes, than.Takes))
	}
	for i, a := range v.Answers {
		b := than.Answers[i]
		switch {
		case b.Cannot != "":
		case a.Cannot != "", a.FullScan && !b.FullScan:
			out = append(out, a.Name+": "+a.String())
		case a.Read > b.Read+b.Read/10:
			out = append(out, fmt.Sprintf("%s: reads %s, not %s", a.Name, say.Rows(a.Read), say.Thousands(b.Read)))
		case a.Ranges > b.Ranges && !b.FullScan:
			out = append(out, fmt.Sprintf("%s: %s, not %d", a.Name, say.Plural(a.Ranges, "range"), b.Ranges))
		}
	}
	if d := v.Mean - than.Mean; d >= 0.5 {
		out = append(out, fmt.Sprintf("keys longer by %.1f bytes", d))
	}
	if v.Lost > than.Lost+0.0001 {
		out = append(out, say.Percent(v.Lost)+" of the rows share a key")
	}
	return out
}

// pair is the two tables that together answer best, where one of them writes as well
// as the other; none if one table alone does.
func (r *Report) pair() (a, b *Result) {
	questions := len(r.Designs[0].Answers)
	if questions < 2 {
		return nil, nil
	}
	sum := func(a, b *Result) float64 {
		x := math.Log2(float64(r.Servers)/max(a.Takes, 1e-3)) / 2
		x += math.Log2(float64(r.Servers)/max(b.Takes, 1e-3)) / 2
		for i := range questions {
			x += math.Log2(min(a.costOf(i), b.costOf(i))) / float64(questions)
		}
		return x
	}
	least := math.Inf(1)
	for _, v := range r.Tried {
		least = min(least, sum(v, v)-2) // a second table has to be worth it: four times
	}
	for i, x := range r.Tried {
		for _, y := range r.Tried[i+1:] {
			if s := sum(x, y); s < least {
				least, a, b = s, x, y
			}
		}
	}
	return a, b
}
