package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// goal is the column of a table: the ratio wanted, where none is set the
// allocations, where none are promised "-".
func (r *Result) goal() string {
	switch {
	case r.Goal > 0:
		return fmt.Sprintf("≤%.2f", r.Goal)
	case r.Most != nil:
		return fmt.Sprintf("allocs≤%d", *r.Most)
	}
	return "-"
}

// WriteJSON writes the whole report.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes a heading and one line for each job.
func (r *Report) WriteText(w io.Writer) error {
	t := newGrid(table.Row{"name", "ratio", "allocs", "goal", "verdict"}, 2, 3)
	for _, j := range r.Jobs {
		t.AppendRow(table.Row{j.Name, fmt.Sprintf("%.2f", j.Ratio), j.Allocs, j.goal(), cmp.Or(j.Verdict, "-")})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// newGrid is a table without lines, some columns to the right.
func newGrid(heading table.Row, right ...int) table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(heading)
	var columns []table.ColumnConfig
	for _, n := range right {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t
}

// Markdown is the parts of the document, by name: the promises, the layouts, the
// rivals, by how much a goal is missed, and the headline.
func (r *Report) Markdown() map[string]string {
	t := newGrid(table.Row{"name", "work", "by hand", "this", "ratio", "goal", "allocations", "verdict"}, 3, 4, 5, 6, 7)
	o := newGrid(table.Row{"name", "way", "time", "ratio", "allocations"}, 3, 4, 5)
	s := newGrid(table.Row{"name", "ratio", "goal", "missed by"}, 2, 3, 4)
	l := newGrid(table.Row{"name", "layout", "by hand", "this", "ratio", "goal", "allocations", "verdict"}, 3, 4, 5, 6, 7)
	missed := 0
	for _, j := range r.Jobs {
		floor, work := perUnit(j.Floor.Median, j.Unit), perUnit(j.Work.Median, j.Unit)
		ratio := fmt.Sprintf("%.2f", j.Ratio)
		if j.job.Rival {
			o.AppendRow(table.Row{"`" + j.Name + "`", j.job.What, work, ratio, j.Allocs})
			continue
		}
		goal := "–"
		if j.Goal > 0 {
			goal = fmt.Sprintf("≤ %.2f", j.Goal)
		}
		row := table.Row{"`" + j.Name + "`", j.job.What, floor, work, ratio, goal, fmt.Sprintf("%d, at most %d", j.Allocs, *j.Most), j.Verdict}
		if j.job.Table != "" {
			row[1] = "`" + j.job.Table + "`"
			l.AppendRow(row)
		} else {
			t.AppendRow(row)
		}
		if j.Goal > 0 && j.Ratio > j.Goal {
			s.AppendRow(table.Row{"`" + j.Name + "`", ratio, fmt.Sprintf("≤ %.2f", j.Goal), fmt.Sprintf("%.2f", j.Ratio-j.Goal)})
			missed++
		}
	}
	how := r.how()
	short := "None of them."
	if missed > 0 {
		short = s.RenderMarkdown()
	}
	return map[string]string{"goals": t.RenderMarkdown() + how, "layouts": l.RenderMarkdown() + how, "rivals": o.RenderMarkdown() + how,
		"short": short, "headline": r.headline()}
}

// headline is the worst ratio of the layouts in each way, and the median.
func (r *Report) headline() string {
	t := newGrid(table.Row{"way", "layouts", "median", "worst", "which"}, 2, 3, 4)
	for _, way := range Ways {
		var ratios []float64
		worst := Result{}
		for _, j := range r.Jobs {
			if j.job.Table == "" || j.job.What != way {
				continue
			}
			if ratios = append(ratios, j.Ratio); j.Ratio > worst.Ratio {
				worst = j
			}
		}
		t.AppendRow(table.Row{way, len(ratios), fmt.Sprintf("%.2f", median(ratios)), fmt.Sprintf("%.2f", worst.Ratio), "`" + worst.job.Table + "`"})
	}
	return t.RenderMarkdown()
}

// perUnit is a time to three digits: "5.61 ns a key", "3.77 µs a plan".
func perUnit(ns float64, unit string) string {
	scale := "ns"
	if ns >= 1000 {
		ns, scale = ns/1000, "µs"
	}
	digits := 2
	if ns >= 10 {
		digits = 1
	}
	if ns >= 100 {
		digits = 0
	}
	return fmt.Sprintf("%.*f %s a %s", digits, ns, scale, unit)
}

// cellOf is a layout in a cell of a table, which a | would end.
func cellOf(layout string) string { return "`" + strings.ReplaceAll(layout, "|", `\x7c`) + "`" }

// PrintedMarkdown is the part of the document that has the printed code.
func (r *Report) PrintedMarkdown() map[string]string {
	heading := table.Row{"layout"}
	for _, way := range PrintedWays {
		heading = append(heading, way.Name)
	}
	t := newGrid(append(heading, "allocations"), 2, 3, 4, 5)
	all := make([][]float64, len(PrintedWays))
	var apart []table.Row // by the library
	for i := 0; i+len(PrintedWays) <= len(r.Jobs); i += len(PrintedWays) {
		jobs := r.Jobs[i : i+len(PrintedWays)]
		row, allocs := table.Row{cellOf(jobs[0].job.Table)}, ""
		for k, j := range jobs {
			row = append(row, fmt.Sprintf("%.2f", j.Ratio))
			if allocs += fmt.Sprintf("%d", j.Allocs); k+1 < len(jobs) {
				allocs += ", "
			}
			if j.Goal > 0 {
				all[k] = append(all[k], j.Ratio)
			}
		}
		if row = append(row, allocs); jobs[0].Goal > 0 {
			t.AppendRow(row)
		} else {
			row[0] = row[0].(string) + ", by the library"
			apart = append(apart, row)
		}
	}
	middle, worst := table.Row{"median"}, table.Row{"worst"}
	for _, ratios := range all {
		middle, worst = append(middle, fmt.Sprintf("%.2f", median(ratios))), append(worst, fmt.Sprintf("%.2f", slices.Max(ratios)))
	}
	t.AppendRow(append(middle, ""))
	t.AppendRow(append(worst, ""))
	t.AppendRows(apart)
	return map[string]string{"printed": t.RenderMarkdown() + r.how()}
}

// how is on what and how often all was measured.
func (r *Report) how() string {
	return fmt.Sprintf("\n\nMeasured on %s; medians of %d rounds of %s.", r.Machine, r.Rounds, r.Time)
}
