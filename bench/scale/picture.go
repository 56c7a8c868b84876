package main

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/figure"
)

const (
	width   = 760
	columns = 2
	tall    = 256 // a panel
	head    = 50  // of which its title and its legend
	margin  = 14
)

// colours of the curves, the same in every panel.
var colours = map[string]color.Color{
	"field by field": figure.Blue, "from a struct": figure.Orange, "read": figure.Green,
	"AppendAll": figure.Orange, "Merge": figure.Blue,
	"numbers": figure.Blue, "texts": figure.Orange, "salted numbers": figure.Green,
}

func colour(c *bench.Curve) color.Color {
	if c.Floor {
		return figure.Grey
	}
	return colours[c.Name]
}

// picture draws the panels in two columns.
func picture(file string, report *bench.Scale) error {
	plots := make([]*plot.Plot, len(report.Panels))
	for i, panel := range report.Panels {
		var err error
		if plots[i], err = curves(panel); err != nil {
			return err
		}
	}
	lines := (len(plots) + columns - 1) / columns
	return figure.Write(file, width, vg.Length(lines*tall+24), func(c draw.Canvas) {
		wide := (c.Max.X - margin) / columns
		for i, p := range plots {
			x, y := margin+vg.Length(i%columns)*wide, c.Max.Y-vg.Length(i/columns)*tall
			heading(c, report.Panels[i], vg.Point{X: x, Y: y - 12})
			p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - tall + 8}, Max: vg.Point{X: x + wide - margin - 6, Y: y - head}}})
		}
		m := report.Machine
		c.FillText(figure.Text(9, figure.Muted, draw.XLeft, draw.YBottom), vg.Point{X: margin, Y: 8},
			fmt.Sprintf("%s %s, %s: medians of %d, all curves in turn", m.Go, m.Platform, m.CPU, report.Rounds))
	})
}

// heading is the title and the legend, from there down.
func heading(c draw.Canvas, panel *bench.Panel, at vg.Point) {
	c.FillText(figure.Text(13, figure.Ink, draw.XLeft, draw.YTop), at, panel.Title)
	at.Y -= 24
	style := figure.Text(11, figure.Muted, draw.XLeft, draw.YCenter)
	for _, curve := range panel.Curves {
		c.StrokeLine2(lineOf(curve), at.X, at.Y, at.X+18, at.Y)
		c.FillText(style, vg.Point{X: at.X + 22, Y: at.Y}, curve.Name)
		at.X += 22 + style.Width(curve.Name) + 14
	}
}

func lineOf(c *bench.Curve) draw.LineStyle {
	line := draw.LineStyle{Color: colour(c), Width: 2}
	if c.Floor {
		line.Dashes = []vg.Length{4, 3}
	}
	return line
}

func curves(panel *bench.Panel) (*plot.Plot, error) {
	p := figure.New("")
	p.X.Label.Text, p.Y.Label.Text = panel.X, panel.Y
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: figure.Line, Width: 0.5}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	top, low := 0.0, math.Inf(1)
	var xs []plot.Tick
	for _, c := range panel.Curves {
		points := make(plotter.XYs, len(c.Points))
		ticks := make([]plot.Tick, len(c.Points))
		for i, at := range c.Points {
			points[i].X, points[i].Y = at.X, at.Y
			ticks[i] = plot.Tick{Value: at.X, Label: short(at.X)}
			top, low = max(top, at.Y), min(low, at.Y)
		}
		if len(ticks) > len(xs) {
			xs = ticks
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = lineOf(c)
		dots.GlyphStyle = draw.GlyphStyle{Shape: draw.CircleGlyph{}, Radius: 2.5, Color: colour(c)}
		p.Add(line, dots)
	}
	p.X.Tick.Marker = plot.ConstantTicks(xs)
	if panel.Linear {
		p.X.Min, p.X.Max = xs[0].Value-0.25, xs[len(xs)-1].Value+0.25
		// Five steps or fewer, of 10, 20 or 50 and so on, below the last of which all curves lie.
		step := math.Pow(10, math.Floor(math.Log10(top)))
		for _, part := range []float64{0.2, 0.5, 1, 2} {
			if top/(part*step) <= 5 {
				step *= part
				break
			}
		}
		var ys []plot.Tick
		for v := 0.0; v < top+step; v += step {
			ys = append(ys, plot.Tick{Value: v, Label: short(v)})
		}
		p.Y.Min, p.Y.Max = 0, ys[len(ys)-1].Value
		p.Y.Tick.Marker = plot.ConstantTicks(ys)
	} else {
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.Y.Min, p.Y.Max = math.Pow(2, math.Floor(math.Log2(low))), math.Pow(2, math.Ceil(math.Log2(top)))
		p.Y.Tick.Marker = plot.ConstantTicks(powers(p.Y.Min, p.Y.Max))
	}
	return p, nil
}

func powers(low, top float64) (ticks []plot.Tick) {
	step := 2.0
	if top/low > 256 {
		step = 4
	}
	for v := low; v <= top; v *= step {
		ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
	}
	return ticks
}

// short is a number as an axis shows it: 1000000 is 1M.
func short(v float64) string {
	switch {
	case v >= 1e6 && math.Mod(v, 1e6) == 0:
		return fmt.Sprintf("%gM", v/1e6)
	case v >= 1e4 && math.Mod(v, 1e3) == 0:
		return fmt.Sprintf("%gk", v/1e3)
	}
	return fmt.Sprintf("%g", v)
}
