package simulate

import (
	"fmt"
	"strings"
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
	wikiPlot  = 508
	wikiLines = 64
)

// wikiStyle are the colours of a picture that stands alone.
const wikiStyle = `<style>svg{background:#fff}text{font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif;fill:#1d1e22;font-size:17px}.soft,.ax{fill:#565961}.ax{font-size:15px}.end{text-anchor:end}.t{font-size:22px;font-weight:650}.h{font-size:20px;font-weight:650}.b{font-size:40px;font-weight:700}.n{font-size:14.5px;font-family:ui-monospace,Menlo,"DejaVu Sans Mono",monospace;fill:#565961}.good{fill:#00694f}.mid{fill:#8a5a00}.bad{fill:#b3261e}.tick{stroke:#565961}` +
	`@media(prefers-color-scheme:dark){svg{background:#15161a}text{fill:#ececec}.soft,.ax,.n{fill:#adb0b8}.good{fill:#4fd0a8}.mid{fill:#f0b44c}.bad{fill:#ff8a80}.tick{stroke:#adb0b8}.frame{stroke:#4a4d57}}</style>`

// SVG is a picture of the designs, for a page or a wiki. It needs no network, and has
// light and dark colours.
func SVG(r *Report) string {
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
	text(wikiEdge, 34, "t", fmt.Sprintf("The same %s rows under %s", thousands(r.Rows), keys))
	if len(r.Designs) == 1 {
		b.Reset()
		text(wikiEdge, 34, "t", thousands(r.Rows)+" rows under one row key")
	}
	text(wikiEdge, 60, "soft", "Time goes to the right. Each line is a region. Bright: most of the writes.")
	for i, v := range r.Designs {
		fmt.Fprintf(&says, "%s %s. ", v.Name, v.Says)
		fmt.Fprintf(&b, `<g transform="translate(%d %d)"><title>%s</title>`, wikiEdge, wikiTop+i*band, esc(v.Says))
		v.band(&b, text)
		b.WriteString("</g>")
	}
	y := float64(high - wikiFoot - wikiGap)
	if r.Timed() {
		for _, t := range r.ticks(4) {
			fmt.Fprintf(&b, `<path class="tick" d="M%.1f %.0fv5"/>`, wikiEdge+t.at*wikiPlot, y)
			text(wikiEdge+t.at*wikiPlot, y+21, "ax", t.text)
		}
		text(wikiEdge+wikiPlot, y+21, "ax end", "time →")
	} else {
		text(wikiEdge, y+21, "ax", "no time axis: the rows have no times")
	}
	fmt.Fprintf(&b, `<g transform="translate(%d %.0f)">%s</g>`, wikiEdge, y+52, legend())
	text(wikiEdge+366, y+66, "ax", "share of the writes that one region takes")
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">%s%s</svg>`+"\n",
		wikiWidth, high, wikiWidth, high, esc(strings.TrimSpace(says.String())), wikiStyle, b.String())
}

// band draws one design.
func (v *Result) band(b *strings.Builder, text func(x, y float64, class, s string)) {
	const right, width = wikiPlot + 18, wikiWidth - 2*wikiEdge
	p := v.picture(wikiLines)
	text(0, 22, "h", v.Name)
	text(width, 22, "h end "+v.grade(), v.Pattern)
	text(0, 47, "n", cut(v.Notation, 82))
	fmt.Fprintf(b, `<image x="0" y="%d" width="%d" height="%d" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`, wikiHead, wikiPlot, wikiMap, p.image())
	fmt.Fprintf(b, `<rect class="frame" x="0.5" y="%.1f" width="%d" height="%d" fill="none"/>`, wikiHead+0.5, wikiPlot-1, wikiMap-1)
	if v.Server.Worst == 0 {
		text(right, wikiHead+30, "soft", "too few rows")
		return
	}
	text(right, wikiHead+36, "b "+v.grade(), percent(v.Region.Worst))
	lines := []string{"of the writes in one", "region, at its worst"}
	for _, h := range v.Hot {
		if h.Of == hottestRegion && len(lines) == 2 {
			lines = append(lines, cut("by "+h.Field+" "+h.Value, 22))
		}
	}
	lines = append(lines, fmt.Sprintf("uses %.1f of %d servers", v.Takes, v.report.Servers))
	for i, line := range lines {
		text(right, wikiHead+62+float64(i)*22, "soft", line)
	}
}
