package main

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/figure"
)

const (
	width     = 760
	margin    = 14
	rowHeight = 22
	leftEdge  = 128 // of the bars: the names stand before it
	head      = 52  // of a panel: its title, and what its marks are
	foot      = 34  // its axis
)

// picture draws the promises with their goals above, the ways to make a key
// below.
func picture(file string, report *bench.Report) error {
	ours := bars{top: 2, title: "Time, as a multiple of Go written by hand for one layout with the same checks",
		marks: []mark{{figure.Blue, "within its goal"}, {figure.Orange, "short of it"}}}
	others := bars{top: 2, title: "Ways to make a key of a text, a time (newest first) and a number: the same multiple, on a logarithmic axis",
		marks: []mark{{figure.Blue, "this library"}, {figure.Grey, "others"}}, log: true}
	for _, j := range report.Jobs {
		if strings.HasPrefix(j.Name, "layout/") {
			continue // which the document has as a table
		}
		b := bar{name: j.Name, ratio: j.Ratio, goal: j.Goal, colour: figure.Blue}
		own, isOwn := ownWays[j.Name]
		rival, isRival := strings.CutPrefix(j.Name, "rival/")
		switch {
		case isRival:
			others.add(bar{name: rival, ratio: j.Ratio, colour: figure.Grey})
		case isOwn:
			others.add(bar{name: own, ratio: j.Ratio, colour: figure.Blue})
		}
		if isRival || j.Name == "text/fluent" {
			continue
		}
		if j.Verdict == "short" {
			b.colour = figure.Orange
		}
		if j.Goal == 0 && j.Most != nil {
			b.note = fmt.Sprintf(" · %d allocations, goal %d", j.Allocs, *j.Most)
		} else {
			ours.top = max(ours.top, min(math.Ceil(1.2*j.Ratio), 8))
		}
		ours.add(b)
	}
	for _, b := range others.rows {
		others.top = max(others.top, 1.8*b.ratio) // room for the number
	}

	var panels []bars
	height := vg.Length(18)
	for _, b := range []bars{ours, others} {
		if len(b.rows) > 0 {
			panels = append(panels, b)
			height += b.height()
		}
	}
	return figure.Write(file, width, height, func(c draw.Canvas) {
		top := c.Max.Y
		for _, b := range panels {
			b.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: margin, Y: top - b.height()}, Max: vg.Point{X: c.Max.X - margin, Y: top}}})
			top -= b.height()
		}
		m := report.Machine
		c.FillText(figure.Text(9, figure.Muted, draw.XLeft, draw.YBottom), vg.Point{X: margin, Y: 8},
			fmt.Sprintf("%s %s, %s: medians of %d, both sides in turn", m.Go, m.Platform, m.CPU, report.Rounds))
	})
}

// ownWays are this library's among the ways to make a key.
var ownWays = map[string]string{"encode/fluent": "field by field", "encode/codec": "from a struct", "text/fluent": "as decimal text"}

// bar is one line of a panel.
type bar struct {
	name        string
	ratio, goal float64
	note        string
	colour      color.Color
}

// mark tells what a colour means.
type mark struct {
	colour color.Color
	text   string
}

// bars is a panel: bars from the left, or on a logarithmic axis from 1.
type bars struct {
	title string
	marks []mark
	rows  []bar
	log   bool
	top   float64 // a longer bar is cut there
}

func (b *bars) add(row bar) { b.rows = append(b.rows, row) }

func (b *bars) height() vg.Length { return head + foot + vg.Length(len(b.rows)*rowHeight) }

func (b *bars) draw(c draw.Canvas) {
	c.FillText(figure.Text(13, figure.Ink, draw.XLeft, draw.YTop), vg.Point{X: c.Min.X, Y: c.Max.Y - 12}, b.title)
	at := vg.Point{X: c.Min.X, Y: c.Max.Y - 38}
	for _, m := range b.marks {
		c.FillPolygon(m.colour, []vg.Point{{X: at.X, Y: at.Y - 4}, {X: at.X + 14, Y: at.Y - 4}, {X: at.X + 14, Y: at.Y + 4}, {X: at.X, Y: at.Y + 4}})
		c.FillText(figure.Text(11, figure.Muted, draw.XLeft, draw.YCenter), vg.Point{X: at.X + 19, Y: at.Y}, m.text)
		at.X += 120
	}
	if !b.log {
		c.StrokeLine2(draw.LineStyle{Color: figure.Ink, Width: 2}, at.X+7, at.Y-6, at.X+7, at.Y+6)
		c.FillText(figure.Text(11, figure.Muted, draw.XLeft, draw.YCenter), vg.Point{X: at.X + 19, Y: at.Y}, "goal")
	}

	p := figure.New("")
	p.HideY()
	p.X.Min, p.X.Max = 0, b.top
	if b.log {
		p.X.Min, p.X.Scale = 1, plot.LogScale{}
		for _, r := range b.rows {
			p.X.Min = min(p.X.Min, r.ratio)
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(b.ticks())
	p.Y.Min, p.Y.Max = 0, float64(len(b.rows))
	p.X.Padding, p.Y.Padding = 4, 0
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width = 0, 0
	p.Add(b)
	p.Draw(draw.Crop(c, leftEdge, -12, 10, -head))
}

func (b *bars) ticks() (ticks []plot.Tick) {
	label := func(v float64) plot.Tick {
		text := fmt.Sprintf("%g", v)
		if v == 1 {
			text = "1 by hand"
		}
		return plot.Tick{Value: v, Label: text}
	}
	if b.log {
		for v := 1.0; v <= b.top; v *= 2 {
			ticks = append(ticks, label(v))
		}
		return ticks
	}
	step := 0.5
	if b.top > 4 {
		step = 1
	}
	for v := 0.0; v <= b.top; v += step {
		ticks = append(ticks, label(v))
	}
	return ticks
}

// Plot implements [plot.Plotter].
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		c.StrokeLine2(draw.LineStyle{Color: figure.Line, Width: 0.6}, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
	}
	const half = 0.32 * rowHeight
	for i, r := range b.rows {
		mid := y(float64(len(b.rows)-i) - 0.5)
		from, to := x(p.X.Min), x(min(r.ratio, b.top))
		if b.log {
			from, to = x(min(1, r.ratio)), x(max(1, min(r.ratio, b.top)))
		}
		c.FillPolygon(r.colour, []vg.Point{{X: from, Y: mid - half}, {X: to, Y: mid - half}, {X: to, Y: mid + half}, {X: from, Y: mid + half}})
		label, behind := fmt.Sprintf("%.2f%s", r.ratio, r.note), to
		if r.goal > 0 {
			c.StrokeLine2(draw.LineStyle{Color: figure.Ink, Width: 2}, x(r.goal), mid-half-3, x(r.goal), mid+half+3)
			label += fmt.Sprintf(" · goal %.2f", r.goal)
			behind = max(behind, x(r.goal))
		}
		if r.ratio > b.top {
			label += " →"
		}
		if style := figure.Text(11, figure.Ink, draw.XLeft, draw.YCenter); behind+6+style.Width(label) < c.Max.X+10 {
			c.FillText(style, vg.Point{X: behind + 6, Y: mid}, label)
		} else { // on the bar
			c.FillText(figure.Text(11, figure.Paper, draw.XRight, draw.YCenter), vg.Point{X: to - 12, Y: mid}, label)
		}
		c.FillText(figure.Text(11, figure.Ink, draw.XLeft, draw.YCenter), vg.Point{X: c.Min.X - leftEdge, Y: mid}, r.name)
	}
	c.StrokeLine2(draw.LineStyle{Color: figure.Ink, Width: 1, Dashes: []vg.Length{3, 3}}, x(1), c.Min.Y, x(1), c.Max.Y)
}
