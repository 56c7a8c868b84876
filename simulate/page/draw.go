package page

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// A drawing of one design: above, the rows of each window in grey and the hottest
// region's share as a line; below, the shares of all regions over time as colours; at
// the right, each region's part of all rows.
const (
	drawWidth  = 560
	drawHeight = 466
	plotLeft   = 104
	plotTop    = 62
	plotWidth  = 372
	plotHeight = 352
	plotRight  = plotLeft + plotWidth
	plotBottom = plotTop + plotHeight
	above      = 40 // height of what is above
)

// inferno is places on the map of that name: its lightness rises evenly, so that it
// reads in grey, and without telling red from green.
var inferno = [...]color.RGBA{{0, 0, 4, 255}, {31, 12, 72, 255}, {85, 15, 109, 255}, {136, 34, 106, 255}, {186, 54, 85, 255}, {227, 89, 51, 255}, {249, 140, 10, 255}, {249, 201, 50, 255}, {252, 255, 164, 255}}

// scale is how bright a share is against a fair one: the same steps that the text has as
// shades. So an even table looks alike whatever its number of regions.
var scale = []struct{ times, bright float64 }{{0.125, 0.10}, {0.5, 0.19}, {1, 0.28}, {2, 0.40}, {4, 0.60}, {8, 0.78}}

// brightness is that of a share, from 0 to 1: 1 is half of all writes or more.
func brightness(share, fair float64) float64 {
	if share >= 0.5 {
		return 1
	}
	times := share / fair
	last := scale[0]
	for _, s := range scale[1:] {
		if times < s.times {
			u := math.Log2(max(times, last.times)/last.times) / math.Log2(s.times/last.times)
			return last.bright + u*(s.bright-last.bright)
		}
		last = s
	}
	return min(0.9, last.bright+0.04*math.Log2(times/last.times))
}

// heat is the colour of a brightness.
func heat(bright float64) color.RGBA {
	t := bright * float64(len(inferno)-1)
	i := min(int(t), len(inferno)-2)
	a, b := inferno[i], inferno[i+1]
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (t-float64(i))*(float64(b)-float64(a)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

var noRows = color.RGBA{9, 9, 14, 255}

// picture is the cells as one small picture: thousands of rectangles would be a megabyte.
func picture(g *simulate.Grid, size int) string {
	palette := color.Palette{noRows}
	for i := range 255 {
		palette = append(palette, heat(float64(i)/254))
	}
	m := image.NewPaletted(image.Rect(0, 0, len(g.Windows)*size, len(g.Lines)*size), palette)
	for y := range len(g.Lines) * size {
		for x := range len(g.Windows) * size {
			if s := g.Lines[y/size].Cells[x/size].Share; s > 0 {
				m.Pix[y*m.Stride+x] = uint8(1 + math.Round(254*brightness(s, g.Fair)))
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

// thumb is a picture of a layout to try, without words.
func thumb(g *simulate.Grid) template.HTML {
	return template.HTML(`<img class="thumb" alt="" src="data:image/png;base64,` + picture(g, 1) + `">`)
}

var esc = html.EscapeString

// drawing is the marks of a design's picture, in a box of drawWidth × drawHeight.
func drawing(r *simulate.Report, g *simulate.Grid) string {
	var b strings.Builder
	most := uint32(1)
	for _, w := range g.Windows {
		most = max(most, w.Rows)
	}
	text := func(x, y float64, class, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" class="ax%s">%s</text>`, x, y, class, esc(s))
	}
	wide := plotWidth / float64(len(g.Windows))
	var area, line strings.Builder
	broken := true
	for i, w := range g.Windows {
		x, high := plotLeft+float64(i)*wide, above*float64(w.Rows)/float64(most)
		fmt.Fprintf(&area, "M%.1f %dv%.1fh%.1fv%.1fz", x, plotTop-6, -high, wide, high)
		if w.Few {
			broken = true // of few rows nothing is known: no line, rather than one at 0
			continue
		}
		if y := plotTop - 6 - above*w.Hottest; broken {
			fmt.Fprintf(&line, "M%.1f %.1fh%.1f", x, y, wide)
		} else {
			fmt.Fprintf(&line, "V%.1fh%.1f", y, wide)
		}
		broken = false
	}
	fmt.Fprintf(&b, `<path class="rows" d="%s"/><path class="line" d="%s"/>`, area.String(), line.String())
	text(plotLeft-6, plotTop-38, " end", "100 %")
	text(plotLeft-6, plotTop-21, " end", "hottest")
	text(plotLeft-6, plotTop-4, " end", "0")
	fmt.Fprintf(&b, `<image x="%d" y="%d" width="%d" height="%d" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`, plotLeft, plotTop, plotWidth, plotHeight, picture(g, 4))
	if g.Steady > 0 {
		startup(&b, plotLeft, plotTop, wide*float64(g.Steady), plotHeight)
		text(plotLeft, 12, "", "start-up")
	}
	high := plotHeight / float64(len(g.Lines))
	for i := 0; i < len(g.Lines); i += max(1, (len(g.Lines)+7)/8) {
		text(plotLeft-6, plotTop+float64(i)*high+11, " end", say.Cut(g.Lines[i].From, 12))
	}
	drawTime(r, &b, g, text)
	drawBars(&b, g, text)
	return b.String()
}

// startup veils the windows of the start-up, which the numbers leave out.
func startup(b *strings.Builder, x, y, wide, high float64) {
	fmt.Fprintf(b, `<path class="veil" d="M%.1f %.1fh%.1fv%.1fh%.1fz"/><path class="until" d="M%.1f %.1fv%.1f"/>`, x, y, wide, high, -wide, x+wide, y-6, high+6)
}

// drawTime is the axis below.
func drawTime(r *simulate.Report, b *strings.Builder, g *simulate.Grid, text func(x, y float64, class, s string)) {
	if !r.Timed() {
		text(plotLeft, plotBottom+19, "", "no time axis: the rows have no times")
		return
	}
	for _, t := range ticks(r, g, 4) {
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
func ticks(r *simulate.Report, g *simulate.Grid, most int) (out []tick) {
	windows := len(g.Windows)
	begin := g.Windows[0].From
	_, shift := begin.Zone()
	from, span := begin.Unix()+int64(shift), int64(windows)*int64(r.Window)
	form := "15:04"
	switch hours := float64(span) / 3600; {
	case hours > 24*400:
		form = "2006-01"
	case hours > 72:
		form = "Jan 2"
	case hours < 0.25:
		form = "15:04:05"
	}
	const room = 0.86
	for _, step := range tickSteps {
		if span >= step*int64(most+1) {
			continue
		}
		for t := (from + step - 1) / step * step; float64(t-from) < room*float64(span); t += step {
			out = append(out, tick{float64(t-from) / float64(span), begin.Add(time.Duration(t-from) * time.Second).Format(form)})
		}
		return out
	}
	for i := range min(most, windows) {
		w := i * windows / min(most, windows)
		out = append(out, tick{float64(w) / float64(windows), g.Windows[w].From.Format(form)})
	}
	return out
}

// drawBars are the regions' parts of all rows, and what would be even.
func drawBars(b *strings.Builder, g *simulate.Grid, text func(x, y float64, class, s string)) {
	const room = 56.0
	top, most := 0.0, 0.0
	for _, l := range g.Lines {
		most = max(most, l.Share)
		top = max(top, l.Share, 1.5*l.Even)
	}
	high := plotHeight / float64(len(g.Lines))
	for i, l := range g.Lines {
		class := "bar"
		if l.Share > 2*l.Even {
			class = "bar hot"
		}
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%.1f" width="%.1f" height="%.1f"/>`, class, plotRight+8, plotTop+float64(i)*high, room*l.Share/top, max(0.6, high-0.7))
	}
	x := plotRight + 8 + room*g.Lines[0].Even/top
	fmt.Fprintf(b, `<path class="fair" d="M%.1f %dV%d"/>`, x, plotTop, plotBottom)
	text(plotRight+8, plotTop-38, "", "of all rows,")
	text(plotRight+8, plotTop-21, "", "most "+say.Percent(most))
	text(plotRight+8, plotBottom+19, "", "dotted:")
	text(plotRight+8, plotBottom+36, "", "all even")
}

// byteMap is the mean key, a colour a field, each filled as far as its bits differ between rows.
func byteMap(v *simulate.Result) string {
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
		bits := fmt.Sprintf("%.0f bits", p.Bits)
		if p.AtLeast {
			bits = fmt.Sprintf("%.0f+ bits", p.Bits)
		}
		fmt.Fprintf(&b, `<g class="%s"><title>%s</title><rect x="%.1f" y="18" width="%.1f" height="26" class="box"/><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="fill"/>`,
			class, esc(fmt.Sprintf("%s: %s bytes, rows differ in %s", p.Notation, size, bits)), x+1, max(1, wide-2), x+1, 44-26*fill, max(1, wide-2), 26*fill)
		if p.Kind != "literal" {
			fmt.Fprintf(&b, `<text x="%.1f" y="12" class="nm">%s</text><text x="%.1f" y="60" class="ax">%s B</text><text x="%.1f" y="77" class="ax">%s</text>`, x+1, esc(say.Cut(p.Name, int(wide/8.2))), x+1, size, x+1, bits)
		}
		b.WriteString("</g>")
		x += wide
	}
	return fmt.Sprintf(`<svg class="bytes" viewBox="0 0 %.0f 82" role="img" aria-label="byte map of %s" xmlns="http://www.w3.org/2000/svg">%s</svg>`, max(drawWidth, x), esc(v.Name), b.String())
}

// legend is the scale of colours, in a box of 390 × 34: against a fair part of the writes,
// and at the end half of all.
func legend() string {
	var b strings.Builder
	const left, step, steps = 44, 48.0, 12
	fmt.Fprintf(&b, `<rect x="0" y="2" width="14" height="14" fill="%s"/><text x="0" y="31" class="ax">none</text>`, hex(noRows))
	words := []string{"", "½×", "fair", "2×", "4×", "8×"}
	for i, s := range scale {
		x := left + step*float64(i)
		if i+1 < len(scale) {
			for k := range steps {
				bright := s.bright + (scale[i+1].bright-s.bright)*float64(k)/steps
				fmt.Fprintf(&b, `<rect x="%.1f" y="2" width="%.1f" height="14" fill="%s"/>`, x+step*float64(k)/steps, step/steps+0.5, hex(heat(bright)))
			}
		}
		if i > 0 {
			fmt.Fprintf(&b, `<text x="%.0f" y="31" class="ax mid0">%s</text>`, x, words[i])
		}
	}
	x := left + step*float64(len(scale)-1)
	fmt.Fprintf(&b, `<rect x="%.1f" y="2" width="%.0f" height="14" fill="%s"/><text x="%.0f" y="31" class="ax mid0">½ of all</text>`, x+14, step, hex(heat(1)), x+14+step/2+14)
	return b.String()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
