package command

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is rows under a heading, aligned and without lines; the columns named
// last are numbers, at the right.
func (a *app) grid(heading []string, rows [][]string, numbers ...int) string {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	if (a.outTerminal || a.colors) && !a.plain {
		style.Color.Header = text.Colors{text.Bold}
	}
	if w := a.width(a.stdout); a.outTerminal && w > 0 { // a line that is wrapped is read worse than one cut short
		style.Size.WidthMax = w
	}
	t.SetStyle(style)
	if heading != nil {
		t.AppendHeader(row(heading))
	}
	for _, r := range rows {
		t.AppendRow(row(r))
	}
	var configs []table.ColumnConfig
	for _, n := range numbers {
		configs = append(configs, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	lines := strings.Split(t.Render(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func row(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, c := range cells {
		r[i] = c
	}
	return r
}

// head colours the first line of an explanation, and its last if something is
// wrong.
func (a *app) head(s string, wrong bool) string {
	if !a.outTerminal && !a.colors || a.plain {
		return s
	}
	first, rest, _ := strings.Cut(s, "\n")
	rest = strings.TrimSuffix(rest, "\n")
	if i := strings.LastIndexByte(rest, '\n') + 1; wrong {
		rest = rest[:i] + a.paint(text.FgRed, rest[i:], true)
	}
	return a.paint(text.Bold, first, true) + "\n" + rest + "\n"
}
