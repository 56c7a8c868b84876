package simulate

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// mostPage is the largest page, in bytes.
const mostPage = 300_000

// HTML is a report as one page, which needs no network: at most 300 KB. Where regions are
// many, neighbours share a line of it.
func HTML(r *Report) (string, error) {
	for lines := 64; ; lines /= 2 {
		page, err := r.page(lines)
		if err != nil || len(page) <= mostPage {
			return page, err
		}
		if lines < 8 {
			return "", fmt.Errorf("simulate: %d designs make a page of %d bytes, above %d: show fewer", len(r.Designs), len(page), mostPage)
		}
	}
}

// pageDesign is a design as the page has it.
type pageDesign struct {
	*Result
	ID                    string
	Grade                 string
	Hottest, Servers      string
	Layout, Picture, Byte template.HTML
	Questions             []pageAnswer
	More                  []string
}

type pageAnswer struct {
	Answer
	Verdict, Grade string
	Strip          template.HTML
}

// pageData is what the page's script knows of a design.
type pageData struct {
	Name    string     `json:"name"`
	Rows    []uint32   `json:"rows"`    // of each window
	Windows []string   `json:"windows"` // when they begin; none without times
	Lines   []pageLine `json:"lines"`
	Names   []string   `json:"names"` // of hot values
}

type pageLine struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Share   string   `json:"share"`
	Regions int      `json:"regions"`
	Server  int      `json:"server"`
	Counts  string   `json:"counts"` // of the hottest region, by windows, to the base 36
	Hot     [][4]int `json:"hot"`    // from and to which window, which name, at least how many of a hundred rows
}

func (r *Report) page(lines int) (string, error) {
	var designs, tried []pageDesign
	var data []pageData
	for i, v := range r.Designs {
		p := v.picture(lines)
		d := v.forPage(fmt.Sprint("d", i))
		label := fmt.Sprintf("%s: %s", v.Name, v.Says)
		d.Picture = template.HTML(fmt.Sprintf(`<svg class="map" id="%s" viewBox="0 0 %d %d" role="img" tabindex="0" aria-label="%s" xmlns="http://www.w3.org/2000/svg">%s<rect class="cursor" width="0" height="0"/><rect class="over" x="%d" y="%d" width="%d" height="%d" fill="transparent"/></svg>`,
			d.ID, drawWidth, drawHeight, esc(label), v.drawing(p), plotLeft, plotTop, plotWidth, plotHeight))
		designs, data = append(designs, d), append(data, v.data(p))
	}
	for _, v := range r.Tried {
		tried = append(tried, v.forPage(""))
	}
	script, err := json.Marshal(map[string]any{"designs": data, "plot": [4]int{plotLeft, plotTop, plotWidth, plotHeight}})
	if err != nil {
		return "", err
	}
	when := "without a time of arrival: one window, no time axis"
	if r.Timed() {
		when = fmt.Sprintf("from %s to %s UTC in windows of %s", r.From.Format("2006-01-02 15:04"), r.To.Format("2006-01-02 15:04"), r.windowText())
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, map[string]any{"Rows": thousands(r.Rows), "When": when, "Stands": thousands(int64(r.Stands)), "Servers": r.Servers, "Notes": r.Notes(),
		"Designs": designs, "Tried": tried, "Legend": template.HTML(legend()), "Data": template.JS(script)})
	return b.String(), err
}

// forPage is a design in words.
func (v *Result) forPage(id string) pageDesign {
	d := pageDesign{Result: v, ID: id, Grade: v.grade(), Servers: fmt.Sprintf("%.1f of %d", v.Takes, v.report.Servers),
		Hottest: fmt.Sprintf("%s → %s", percent(v.Region.Mean), percent(v.Region.Worst)), Layout: template.HTML(v.coloured()), Byte: template.HTML(v.byteMap())}
	for _, a := range v.Answers {
		d.Questions = append(d.Questions, pageAnswer{a, a.String(), a.grade(), template.HTML(v.strip(a))})
	}
	d.More = v.hotWords()
	if v.Rows > 0 {
		d.More = append(d.More, fmt.Sprintf("A cell takes %.1f bytes, with PREFIX %.1f, with FAST_DIFF %.1f; the table %s.", v.Cell.None, v.Cell.Prefix, v.Cell.FastDiff, bytesOf(v.Cell.Table)))
	}
	if v.Lost > 0 {
		d.More = append(d.More, percent(v.Lost)+" of the rows have the key of an earlier row, which they overwrite.")
	}
	for _, w := range v.Wide {
		d.More = append(d.More, fmt.Sprintf("%s has %s and needs %d: %s.", w.Field, plural(w.Bytes, "byte"), w.Need, w.Why))
	}
	if v.Refused > 0 {
		d.More = append(d.More, plural(int(v.Refused), "row")+" refused, first of all: "+v.Causes[0].Text+".")
	}
	return d
}

// KeyBytes and CellBytes are sizes in words.
func (v *Result) KeyBytes() string  { return fmt.Sprintf("%.1f B", v.Mean) }
func (v *Result) CellBytes() string { return fmt.Sprintf("%.1f B", v.Cell.None) }

// coloured is the notation, each field in its colour of the byte map.
func (v *Result) coloured() string {
	var b strings.Builder
	n := 0
	for f := range v.d.Schema.Fields() {
		class := "lit"
		if f.Kind != "literal" && f.Stored {
			class = fmt.Sprint("f", n%7)
			n++
		}
		fmt.Fprintf(&b, `<span class="%s">%s</span>`, class, esc(f.Notation))
	}
	return b.String()
}

// strip is the regions that a question meets, in key order.
func (v *Result) strip(a Answer) string {
	var b strings.Builder
	leaves := len(v.Regions)
	wide := drawWidth / float64(leaves)
	fmt.Fprintf(&b, `<svg class="strip" viewBox="0 0 %d 10" preserveAspectRatio="none" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><rect class="none" width="%d" height="10"/>`, drawWidth, drawWidth)
	for i := 0; i < len(a.met); {
		n := 1
		for i+n < len(a.met) && a.met[i+n] == a.met[i]+n {
			n++
		}
		fmt.Fprintf(&b, `<rect class="met" x="%.1f" width="%.1f" height="10"/>`, float64(a.met[i])*wide, max(1, float64(n)*wide-0.6))
		i += n
	}
	b.WriteString("</svg>")
	return b.String()
}

// data is what the script tells of a cell.
func (v *Result) data(p *picture) pageData {
	out := pageData{Name: v.Name, Names: []string{}, Rows: v.report.windows, Windows: []string{}}
	for w := range v.report.windows {
		if v.report.Timed() {
			out.Windows = append(out.Windows, v.report.when(v.report.from+w))
		}
	}
	index := map[string]int{}
	for line := range p.lines {
		from, to := p.leaves[line], p.leaves[line+1]
		l := pageLine{From: v.d.label(v.d.table.leaves[from].start, v.report), To: "the end", Share: percent(v.lineShare(p, line)), Regions: to - from, Server: v.d.table.leaves[from].server + 1, Hot: [][4]int{}}
		if to < len(v.d.table.leaves) {
			l.To = v.d.label(v.d.table.leaves[to].start, v.report)
		}
		var counts []string
		for w := range p.windows {
			owner := p.owner[line][w]
			if owner == nil {
				counts = append(counts, "")
				continue
			}
			n := owner.counts[v.report.from+w]
			counts = append(counts, strconv.FormatUint(uint64(n), 36))
			name, share := v.blame(owner, v.report.from+w)
			if name == "" {
				continue
			}
			at, ok := index[name]
			if !ok {
				at = len(out.Names)
				index[name] = at
				out.Names = append(out.Names, name)
			}
			if last := len(l.Hot) - 1; last >= 0 && l.Hot[last][1] == w-1 && l.Hot[last][2] == at {
				l.Hot[last][1] = w
				l.Hot[last][3] = min(l.Hot[last][3], share)
				continue
			}
			l.Hot = append(l.Hot, [4]int{w, w, at, share})
		}
		l.Counts = strings.Join(counts, " ")
		out.Lines = append(out.Lines, l)
	}
	return out
}

// blame is the value that surely has a fifth of a cell's rows, and how many of a
// hundred of them; none in a cell of few rows.
func (v *Result) blame(r *region, w int) (name string, share int) {
	best := uint32(0)
	for j := range v.d.columns {
		if w >= len(r.cells[j]) {
			continue
		}
		id, n := r.cells[j][w].best()
		if text, ok := v.d.names[j][id]; ok && n > best && n > 20 && 5*n > r.counts[w] {
			best, name, share = n, v.d.fields[v.d.watched[j]].Name+" "+text, int(100*uint64(n)/uint64(r.counts[w]))
		}
	}
	return name, share
}
