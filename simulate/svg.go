package simulate

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// A drawing of one design: above, the rows of each window in grey and the hottest
// region's share as a line; below, the shares of all regions over time as colours; at
// the right, each region's part of all rows.
const (
	drawWidth  = 560
	drawHeight = 460
	plotLeft   = 104
	plotTop    = 56
	plotWidth  = 372
	plotHeight = 352
	plotRight  = plotLeft + plotWidth
	plotBottom = plotTop + plotHeight
	strip      = 40 // height of what is above
)

// inferno is places on the map of that name: its lightness rises evenly, so that it
// reads in grey, and without telling red from green.
var inferno = [...]color.RGBA{{0, 0, 4, 255}, {31, 12, 72, 255}, {85, 15, 109, 255}, {136, 34, 106, 255}, {186, 54, 85, 255}, {227, 89, 51, 255}, {249, 140, 10, 255}, {249, 201, 50, 255}, {252, 255, 164, 255}}

// heat is the colour of a share: by its root, so that a fair part of 1/64 is seen, and
// all of the writes stand out. What is above 0 begins a step above black.
func heat(share float64) color.RGBA {
	t := (0.08 + 0.92*math.Sqrt(min(1, share))) * float64(len(inferno)-1)
	i := min(int(t), len(inferno)-2)
	a, b := inferno[i], inferno[i+1]
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (t-float64(i))*(float64(b)-float64(a)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

var noRows = color.RGBA{9, 9, 14, 255}

// image is the cells as one small picture: thousands of rectangles would be a megabyte.
func (p *picture) image() string {
	const scale = 4
	palette := color.Palette{noRows}
	for i := range 255 {
		palette = append(palette, heat(float64(i)/254*float64(i)/254))
	}
	m := image.NewPaletted(image.Rect(0, 0, p.windows*scale, p.lines*scale), palette)
	for y := range p.lines * scale {
		for x := range p.windows * scale {
			if s := p.share[y/scale][x/scale]; s > 0 {
				m.Pix[y*m.Stride+x] = uint8(1 + math.Round(254*math.Sqrt(min(1, s))))
			}
		}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, m); err != nil {
		panic(err) // of a buffer, which takes all
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

var esc = html.EscapeString

// drawing is the marks of a design's picture, in a box of drawWidth × drawHeight.
func (v *Result) drawing(p *picture) string {
	var b strings.Builder
	r := v.report
	most := uint32(1)
	for _, n := range r.windows {
		most = max(most, n)
	}
	text := func(x, y float64, class, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" class="ax%s">%s</text>`, x, y, class, esc(s))
	}
	wide := plotWidth / float64(p.windows)
	var area, line strings.Builder
	for i, n := range r.windows {
		x, high := plotLeft+float64(i)*wide, strip*float64(n)/float64(most)
		fmt.Fprintf(&area, "M%.1f %dv%.1fh%.1fv%.1fz", x, plotTop-6, -high, wide, high)
		if y := plotTop - 6 - strip*v.byWindow[r.from+i]; i == 0 {
			fmt.Fprintf(&line, "M%.1f %.1fh%.1f", x, y, wide)
		} else {
			fmt.Fprintf(&line, "V%.1fh%.1f", y, wide)
		}
	}
	fmt.Fprintf(&b, `<path class="rows" d="%s"/><path class="line" d="%s"/>`, area.String(), line.String())
	text(plotLeft-6, plotTop-38, " end", "100 %")
	text(plotLeft-6, plotTop-21, " end", "hottest")
	text(plotLeft-6, plotTop-4, " end", "0")
	fmt.Fprintf(&b, `<image x="%d" y="%d" width="%d" height="%d" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`, plotLeft, plotTop, plotWidth, plotHeight, p.image())
	high := plotHeight / float64(p.lines)
	for i := 0; i < p.lines; i += max(1, (p.lines+7)/8) {
		text(plotLeft-6, plotTop+float64(i)*high+11, " end", cut(v.d.label(v.d.table.leaves[p.leaves[i]].start, r), 12))
	}
	v.drawTime(&b, p, text)
	v.drawBars(&b, p, text)
	return b.String()
}

// drawTime is the axis below.
func (v *Result) drawTime(b *strings.Builder, p *picture, text func(x, y float64, class, s string)) {
	r := v.report
	if !r.Timed() {
		text(plotLeft, plotBottom+19, "", "no time axis: the rows have no times")
		return
	}
	for _, t := range r.ticks(4) {
		x := plotLeft + t.at*plotWidth
		fmt.Fprintf(b, `<path class="tick" d="M%.1f %dv4"/>`, x, plotBottom)
		text(x, plotBottom+19, "", t.text)
	}
	text(plotRight, plotBottom+38, " end", "time →")
}

// tick is a time that an axis names.
type tick struct {
	at   float64 // of the axis, from 0 to 1
	text string
}

var tickSteps = []int64{1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 604800, 1209600}

// ticks are round times of the axis, as many as there is room for; of years, windows'
// beginnings. None stands at the end, where its text would have no room.
func (r *Report) ticks(most int) (out []tick) {
	form := "15:04"
	switch span := r.To.Sub(r.From).Hours(); {
	case span > 24*400:
		form = "2006-01"
	case span > 72:
		form = "Jan 2"
	case span < 0.25:
		form = "15:04:05"
	}
	const room = 0.86
	from, span := r.clock.start(r.from).Unix()+r.clock.shift, int64(len(r.windows))*r.clock.width()
	for _, step := range tickSteps {
		if span >= step*int64(most+1) {
			continue
		}
		for t := -floorDiv(-from, step) * step; float64(t-from) < room*float64(span); t += step {
			out = append(out, tick{float64(t-from) / float64(span), r.clock.time(t - r.clock.shift).Format(form)})
		}
		return out
	}
	windows := len(r.windows)
	for i := range min(most, windows) {
		w := i * windows / min(most, windows)
		out = append(out, tick{float64(w) / float64(windows), r.clock.start(r.from + w).Format(form)})
	}
	return out
}

// drawBars are the regions' parts of all rows, and what would be even.
func (v *Result) drawBars(b *strings.Builder, p *picture, text func(x, y float64, class, s string)) {
	leaves := float64(len(v.d.table.leaves))
	even := func(line int) float64 { return float64(p.leaves[line+1]-p.leaves[line]) / leaves }
	top := 0.0
	for i := range p.lines {
		top = max(top, v.lineShare(p, i), 1.5*even(i))
	}
	high := plotHeight / float64(p.lines)
	for i := range p.lines {
		s, class := v.lineShare(p, i), "bar"
		if s > 2*even(i) {
			class = "bar hot"
		}
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%.1f" width="%.1f" height="%.1f"/>`, class, plotRight+8, plotTop+float64(i)*high, 60*s/top, max(0.6, high-0.7))
	}
	x := plotRight + 8 + 60*even(0)/top
	fmt.Fprintf(b, `<path class="fair" d="M%.1f %dV%d"/>`, x, plotTop-3, plotBottom)
	text(x-2, plotTop-7, "", "even")
	text(drawWidth-2, plotTop-24, " end", percent(top))
	text(plotRight+8, plotBottom+19, "", "share of")
	text(plotRight+8, plotBottom+36, "", "all rows")
}

// byteMap is the mean key, a colour a field, each filled as far as its bits tell rows
// apart.
func (v *Result) byteMap() string {
	const least, literal = 66.0, 14.0 // so that each field has room for its words
	total, room := 0.0, float64(drawWidth)
	for _, p := range v.Parts {
		if p.Kind == "literal" {
			room -= literal
			continue
		}
		total += p.Mean
		room -= least
	}
	var b strings.Builder
	x, n := 0.0, 0
	for _, p := range v.Parts {
		wide, class := literal, "lit"
		if p.Kind != "literal" {
			wide, class = least+max(0, room)*p.Mean/max(total, 1), fmt.Sprint("f", n%7)
			n++
		}
		fill := 0.0
		if p.Mean > 0 {
			fill = min(1, p.Bits/(8*p.Mean))
		}
		size := fmt.Sprint(p.Least)
		if p.Most != p.Least {
			size += fmt.Sprintf("–%d", p.Most)
		}
		fmt.Fprintf(&b, `<g class="%s"><title>%s</title><rect x="%.1f" y="18" width="%.1f" height="26" class="box"/><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="fill"/>`,
			class, esc(fmt.Sprintf("%s: %s bytes, about %.1f bits tell rows apart", p.Notation, size, p.Bits)), x+1, max(1, wide-2), x+1, 44-26*fill, max(1, wide-2), 26*fill)
		if p.Kind != "literal" {
			fmt.Fprintf(&b, `<text x="%.1f" y="12" class="nm">%s</text><text x="%.1f" y="60" class="ax">%s B</text><text x="%.1f" y="77" class="ax">%.0f bits</text>`, x+1, esc(cut(p.Name, int(wide/8.2))), x+1, size, x+1, p.Bits)
		}
		b.WriteString("</g>")
		x += wide
	}
	return fmt.Sprintf(`<svg class="bytes" viewBox="0 0 %.0f 82" role="img" aria-label="byte map of %s" xmlns="http://www.w3.org/2000/svg">%s</svg>`, max(drawWidth, x), esc(v.Name), b.String())
}

// legend is the scale of colours, in a box of 350 × 34.
func legend() string {
	var b strings.Builder
	const left, wide, steps = 52, 270, 90
	fmt.Fprintf(&b, `<rect x="0" y="2" width="14" height="14" fill="%s"/><text x="0" y="31" class="ax">none</text>`, hex(noRows))
	for i := range steps {
		t := float64(i) / (steps - 1)
		fmt.Fprintf(&b, `<rect x="%.1f" y="2" width="%.1f" height="14" fill="%s"/>`, left+t*(wide-3), wide-t*(wide-3), hex(heat(t*t))) // to the end, so that none shows a gap
	}
	for _, s := range []float64{0.02, 0.1, 0.25, 0.5, 1} {
		fmt.Fprintf(&b, `<text x="%.0f" y="31" class="ax">%.0f %%</text>`, left-10+math.Sqrt(s)*(wide-8), 100*s)
	}
	return b.String()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
