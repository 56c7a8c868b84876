package page

import (
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// The picture for a page or a wiki: a band for each design, one below the other, so that
// their times stand below each other and all can be read on a phone. A band has the
// name, the pattern and the notation above; at the left the shares of the regions over
// time; at the right the hottest share in large.
const (
	wikiWidth = 760
	wikiEdge  = 20
	wikiTop   = 84 // the title
	wikiHead  = 64 // of a band, above its map
	wikiMap   = 136
	wikiGap   = 22
	wikiFoot  = 92 // the axis and the scale
	wikiLeft  = 98 // of the map: labels stand before it
	wikiPlot  = 446
	wikiLines = 64
)

// wikiStyle are the colours of a picture that stands alone.
const wikiStyle = `<style>svg{background:#fff}text{font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif;fill:#1d1e22;font-size:17px}.soft,.ax{fill:#565961}.ax{font-size:15px}.end{text-anchor:end}.t{font-size:22px;font-weight:650}.h{font-size:20px;font-weight:650}.b{font-size:40px;font-weight:700}.n{font-size:14.5px;font-family:ui-monospace,Menlo,"DejaVu Sans Mono",monospace;fill:#565961}.good{fill:#00694f}.mid{fill:#8a5a00}.bad{fill:#b3261e}.tick{stroke:#565961}.l{font-size:13px;fill:#565961}.mid0{text-anchor:middle}.veil{fill:#888b;opacity:.72}.until{stroke:#fff}.on{font-size:13px;fill:#fff}` +
	`@media(prefers-color-scheme:dark){svg{background:#15161a}text{fill:#ececec}.soft,.ax,.n,.l{fill:#adb0b8}.good{fill:#4fd0a8}.mid{fill:#f0b44c}.bad{fill:#ff8a80}.tick{stroke:#adb0b8}.frame{stroke:#4a4d57}}</style>`

// SVG is a picture of the designs, for a page or a wiki. It needs no network, and has
// light and dark colours.
func SVG(r *simulate.Report) string {
	const band = wikiHead + wikiMap + wikiGap
	high := wikiTop + len(r.Designs)*band + wikiFoot
	var b, says strings.Builder
	text := func(x, y float64, class, s string) {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" class="%s">%s</text>`, x, y, class, esc(s))
	}
	keys := "one row key"
	if n := len(r.Designs); n > 1 {
		keys = fmt.Sprint(n, " row keys")
	}
	text(wikiEdge, 34, "t", fmt.Sprintf("The same %s under %s", say.Rows(r.Rows), keys))
	if len(r.Designs) == 1 {
		b.Reset()
		text(wikiEdge, 34, "t", say.Rows(r.Rows)+" under one row key")
	}
	text(wikiEdge, 60, "soft", cutPeriod(r)+" Each line is a region; bright: most of the writes.")
	for i, v := range r.Designs {
		fmt.Fprintf(&says, "%s %s ", v.Name, v.Says)
		fmt.Fprintf(&b, `<g transform="translate(%d %d)"><title>%s</title>`, wikiEdge, wikiTop+i*band, esc(v.Says))
		drawBand(r, v, &b, text)
		b.WriteString("</g>")
	}
	y := float64(high - wikiFoot - wikiGap)
	if g := r.Designs[0].Grid(1); r.Timed() {
		for _, t := range ticks(r, g, 4) {
			fmt.Fprintf(&b, `<path class="tick" d="M%.1f %.0fv5"/>`, wikiLeft+t.at*wikiPlot, y)
			text(wikiLeft+t.at*wikiPlot, y+21, "ax", t.text)
		}
		text(wikiLeft+wikiPlot, y+21, "ax end", "time →")
	} else {
		text(wikiLeft, y+21, "ax", "no time axis: the rows have no times")
	}
	fmt.Fprintf(&b, `<g transform="translate(%d %.0f)">%s</g>`, wikiEdge, y+52, legend())
	text(wikiEdge+410, y+66, "ax", "a region's part of the writes,")
	text(wikiEdge+410, y+84, "ax", "against a fair one")
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">%s%s</svg>`+"\n",
		wikiWidth, high, wikiWidth, high, esc(strings.TrimSpace(says.String())), wikiStyle, b.String())
}

// cutPeriod is when the rows came, as a sentence.
func cutPeriod(r *simulate.Report) string {
	if !r.Timed() {
		return "No times."
	}
	from, to := r.From.Format("2006-01-02"), r.To.Format("2006-01-02")
	if from == to {
		return from + "."
	}
	return from + " to " + to + "."
}

// drawBand draws one design.
func drawBand(r *simulate.Report, v *simulate.Result, b *strings.Builder, text func(x, y float64, class, s string)) {
	const left, right, width = wikiLeft - wikiEdge, wikiLeft - wikiEdge + wikiPlot + 16, wikiWidth - 2*wikiEdge
	g := v.Grid(wikiLines)
	text(0, 22, "h", v.Name)
	text(width, 22, "h end "+v.Grade, v.Pattern)
	text(0, 47, "n", say.Cut(v.Notation, 82))
	fmt.Fprintf(b, `<image x="%d" y="%d" width="%d" height="%d" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`, left, wikiHead, wikiPlot, wikiMap, picture(g, 4))
	if g.Steady > 0 {
		wide := wikiPlot * float64(g.Steady) / float64(len(g.Windows))
		startup(b, left, wikiHead, wide, wikiMap)
		text(left+wide+4, wikiHead+wikiMap-6, "on", "← start-up")
	}
	fmt.Fprintf(b, `<rect class="frame" x="%.1f" y="%.1f" width="%d" height="%d" fill="none"/>`, left+0.5, wikiHead+0.5, wikiPlot-1, wikiMap-1)
	for i := 0; i < len(g.Lines); i += max(1, (len(g.Lines)+3)/4) {
		text(left-6, wikiHead+float64(i)*wikiMap/float64(len(g.Lines))+12, "l end", say.Cut(g.Lines[i].From, 10))
	}
	if v.Server.Worst == 0 {
		text(right, wikiHead+30, "soft", "too few rows")
		return
	}
	text(right, wikiHead+36, "b "+v.Grade, say.Percent(v.Region.Worst))
	lines := []string{"of the writes in one", "region, at its worst"}
	for _, h := range v.Hot {
		if h.Of != "all rows" && len(lines) == 2 {
			lines = append(lines, say.Cut("by "+h.Field+" "+h.Value, 22))
		}
	}
	lines = append(lines, fmt.Sprintf("uses %.1f of %d servers", v.Takes, r.Servers))
	for i, line := range lines {
		text(right, wikiHead+62+float64(i)*22, "soft", line)
	}
}
