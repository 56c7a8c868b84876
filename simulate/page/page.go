package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// mostPage is the largest page, in bytes.
const mostPage = 300_000

// HTML is a report as one page, which needs no network: at most 300 KB. Where regions are
// many, neighbours share a line of it.
func HTML(r *simulate.Report) (string, error) {
	for lines := 64; ; lines /= 2 {
		page, err := draw(r, lines)
		if err != nil || len(page) <= mostPage {
			return page, err
		}
		if lines < 8 {
			return "", fmt.Errorf("page: %d designs make a page of %d bytes, above %d: show fewer", len(r.Designs), len(page), mostPage)
		}
	}
}

// design is a design as the page has it.
type design struct {
	*simulate.Result
	ID                                    string
	Hottest, Servers                      string
	Layout, Picture, Bytes, Thumb, Splits template.HTML
	Questions                             []answer
	More                                  []string
	Refusal                               string
}

type answer struct {
	simulate.Answer
	Verdict string
	Strip   template.HTML
}

// data is what the page's script knows of a design.
type data struct {
	Name    string   `json:"name"`
	Rows    []uint32 `json:"rows"`    // of each window
	Windows []string `json:"windows"` // when they begin; none without times
	Zone    string   `json:"zone"`
	Steady  int      `json:"steady"`
	Fair    float64  `json:"fair"`
	Lines   []line   `json:"lines"`
	Names   []string `json:"names"` // of hot values
}

type line struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Share   string   `json:"share"`
	Regions int      `json:"regions"`
	Server  int      `json:"server"`
	Counts  string   `json:"counts"` // of the hottest region, by windows, to the base 36
	Hot     [][3]int `json:"hot"`    // which window, which name, at least how many of a hundred rows
}

func draw(r *simulate.Report, lines int) (string, error) {
	var designs, tried []design
	var known []data
	for i, v := range r.Designs {
		g := v.Grid(lines)
		d := forPage(r, v, fmt.Sprint("d", i))
		label := fmt.Sprintf("%s: %s", v.Name, v.Says)
		d.Picture = template.HTML(fmt.Sprintf(`<svg class="map" id="%s" viewBox="0 0 %d %d" role="img" tabindex="0" aria-label="%s" xmlns="http://www.w3.org/2000/svg">%s<rect class="cursor" width="0" height="0"/><rect class="over" x="%d" y="%d" width="%d" height="%d" fill="transparent"/></svg>`,
			d.ID, drawWidth, drawHeight, esc(label), drawing(r, g), plotLeft, plotTop, plotWidth, plotHeight))
		designs, known = append(designs, d), append(known, dataOf(r, v, g))
	}
	for _, v := range r.Tried {
		d := forPage(r, v, "")
		d.Thumb = thumb(v.Grid(24))
		d.Splits = template.HTML(esc(v.SplitWords()))
		tried = append(tried, d)
	}
	script, err := json.Marshal(map[string]any{"designs": known, "plot": [4]int{plotLeft, plotTop, plotWidth, plotHeight}})
	if err != nil {
		return "", err
	}
	unasked := ""
	if len(r.Designs[0].Answers) == 0 {
		unasked = simulate.NoQuestions
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, map[string]any{"Rows": say.Rows(r.Rows), "When": r.Period(), "Stands": say.Stands(r.Stands), "Servers": r.Servers, "Notes": r.Notes(),
		"Designs": designs, "Tried": tried, "Unasked": unasked, "Legend": template.HTML(legend()), "Data": template.JS(script)})
	return b.String(), err
}

// hottest is the hottest region's share over time and at its worst; without times one number.
func hottest(v *simulate.Result) string {
	if worst := say.Percent(v.Region.Worst); v.Region.At.IsZero() {
		return worst
	} else {
		return say.Percent(v.Region.Mean) + " → " + worst
	}
}

// forPage is a design in words.
func forPage(r *simulate.Report, v *simulate.Result, id string) design {
	d := design{Result: v, ID: id, Servers: fmt.Sprintf("%.1f of %d", v.Takes, r.Servers),
		Hottest: hottest(v), Layout: template.HTML(coloured(v)), Bytes: template.HTML(byteMap(v)), More: v.Remarks()}
	for _, a := range v.Answers {
		d.Questions = append(d.Questions, answer{a, a.String(), template.HTML(strip(v, a))})
	}
	if v.Refused > 0 {
		d.Refusal = fmt.Sprintf("%s refused, %s: first of all %s.", say.Plural(int(v.Refused), "row"), say.Percent(float64(v.Refused)/float64(v.Refused+v.Rows)), v.Causes[0].Text)
	}
	return d
}

// KeyBytes and CellBytes are sizes in words.
func (d design) KeyBytes() string  { return fmt.Sprintf("%.1f B", d.Mean) }
func (d design) CellBytes() string { return fmt.Sprintf("%.1f B", d.Cell.None) }

// coloured is the notation, each field in its colour of the byte map.
func coloured(v *simulate.Result) string {
	var b strings.Builder
	n := 0
	for f := range v.Schema.Fields() {
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
func strip(v *simulate.Result, a simulate.Answer) string {
	var b strings.Builder
	leaves := len(v.Regions)
	wide := drawWidth / float64(leaves)
	fmt.Fprintf(&b, `<svg class="strip" viewBox="0 0 %d 10" preserveAspectRatio="none" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><rect class="none" width="%d" height="10"/>`, drawWidth, drawWidth)
	for i := 0; i < len(a.Met); {
		n := 1
		for i+n < len(a.Met) && a.Met[i+n] == a.Met[i]+n {
			n++
		}
		fmt.Fprintf(&b, `<rect class="met" x="%.1f" width="%.1f" height="10"/>`, float64(a.Met[i])*wide, max(1, float64(n)*wide-0.6))
		i += n
	}
	b.WriteString("</svg>")
	return b.String()
}

// dataOf is what the script says of a cell.
func dataOf(r *simulate.Report, v *simulate.Result, g *simulate.Grid) data {
	out := data{Name: v.Name, Names: []string{}, Windows: []string{}, Steady: g.Steady, Fair: g.Fair}
	for _, w := range g.Windows {
		out.Rows = append(out.Rows, w.Rows)
		if r.Timed() {
			out.Windows = append(out.Windows, r.When(w.From))
		}
	}
	if r.Timed() {
		out.Zone = r.From.Location().String()
	}
	index := map[string]int{}
	for _, in := range g.Lines {
		l := line{From: in.From, To: in.To, Share: say.Percent(in.Share), Regions: in.Regions, Server: in.Server + 1, Hot: [][3]int{}}
		if l.To == "" {
			l.To = "the end"
		}
		var counts []string
		for w, c := range in.Cells {
			if c.Rows == 0 {
				counts = append(counts, "")
				continue
			}
			counts = append(counts, strconv.FormatUint(uint64(c.Rows), 36))
			if c.Hot == "" {
				continue
			}
			at, ok := index[c.Hot]
			if !ok {
				at = len(out.Names)
				index[c.Hot] = at
				out.Names = append(out.Names, c.Hot)
			}
			l.Hot = append(l.Hot, [3]int{w, at, int(100 * c.HotIs)})
		}
		l.Counts = strings.Join(counts, " ")
		out.Lines = append(out.Lines, l)
	}
	return out
}
