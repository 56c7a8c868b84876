// Package figure draws the pictures of the documents. They carry their own
// background, and follow the reader's light or dark scheme.
package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of a light page. Those of the data are told apart on a dark one
// too, and by readers who do not see red or green.
var (
	Paper  = rgb(0xffffff)
	Ink    = rgb(0x1f2328)
	Muted  = rgb(0x59636e)
	Line   = rgb(0xd1d9e0)
	Blue   = rgb(0x2f78d0)
	Orange = rgb(0xd4761a)
	Grey   = rgb(0x8b949e)
	Green  = rgb(0x2a9d78)
)

// dark is what takes the place of the page's own colours.
var dark = []struct{ light, dark color.NRGBA }{
	{Paper, rgb(0x0d1117)}, {Ink, rgb(0xf0f6fc)}, {Muted, rgb(0x9198a1)}, {Line, rgb(0x3d444d)},
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// Font is a sans serif of which browsers have one of the same widths.
func Font(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// New is an empty plot in the house style.
func New(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // Write paints it
	p.Title.Text = title
	p.Title.Padding = 8
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = Font(13), Ink
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = Font(11), Muted
		axis.Tick.Label.Font, axis.Tick.Label.Color = Font(11), Muted
		axis.Color, axis.Tick.Color = Line, Line
		axis.Label.Padding = 3
	}
	p.Legend.TextStyle.Font, p.Legend.TextStyle.Color = Font(11), Ink
	p.Legend.Padding = 2
	return p
}

// Text is a style of writing at a place.
func Text(size vg.Length, c color.Color, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{Font: Font(size), Color: c, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// Write draws a picture into a file.
func Write(file string, width, height vg.Length, paint func(draw.Canvas)) error {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height))
	whole := draw.New(canvas)
	whole.FillPolygon(Paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	paint(whole)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return err
	}
	return os.WriteFile(file, style(out.Bytes()), 0o644)
}

// style puts the style sheet after the root's tag: fonts of the same widths,
// and the dark scheme.
func style(svg []byte) []byte {
	var css strings.Builder
	css.WriteString("<style>\ntext{font-family:\"Liberation Sans\",Arial,Helvetica,sans-serif!important}\n@media (prefers-color-scheme:dark){\n")
	for _, c := range dark {
		for _, what := range []string{"fill", "stroke"} {
			fmt.Fprintf(&css, "[style*=\"%s:%s\"]{%s:%s!important}\n", what, hex(c.light), what, hex(c.dark))
		}
	}
	css.WriteString("}\n</style>\n")
	root := bytes.Index(svg, []byte("<svg"))
	at := root + bytes.IndexByte(svg[root:], '>') + 1
	return append(append(append([]byte{}, svg[:at]...), "\n"+css.String()...), bytes.TrimLeft(svg[at:], "\n")...)
}
