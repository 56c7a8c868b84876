package command

import (
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// between is the room between two columns.
const between = 2

// grid is rows under a heading, aligned and without lines; the columns named
// last are numbers, at the right. On a terminal nothing is wider than it, and
// nothing is cut: cells go on below, and where that is too narrow for their
// words each row has lines of its own.
func (a *app) grid(heading []string, rows [][]string, numbers ...int) string {
	limit := 0
	if a.outTerminal {
		limit = a.width(a.stdout)
	}
	if limit > 0 {
		widths, ok := columnWidths(heading, rows, limit)
		if !ok {
			return a.stacked(heading, rows, limit)
		}
		heading, rows = wrapped(heading, rows, widths)
	}
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", strings.Repeat(" ", between)
	style.Format.Header = text.FormatDefault
	if (a.outTerminal || a.colors) && !a.plain {
		style.Color.Header = text.Colors{text.Bold}
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

// columnWidths are the widths of columns that stand beside one another within a
// limit: as wide as their cells, or, of the widest, as narrow as their words
// permit. It is false if that is too wide.
func columnWidths(heading []string, rows [][]string, limit int) (widths []int, ok bool) {
	var least []int
	for _, r := range append([][]string{heading}, rows...) {
		for i, cell := range r {
			if i == len(widths) {
				widths, least = append(widths, 0), append(least, 0)
			}
			widths[i] = max(widths[i], text.StringWidthWithoutEscSequences(cell))
			least[i] = max(least[i], longestWord(cell))
		}
	}
	total := between * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > limit; total-- {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

// Words of up to 24 letters stay whole, and of longer ones so many; of
// hexadecimal digits 8 bytes.
const (
	wholeWord = 24
	hexWord   = 16
)

// longestWord is the width that the words of a cell need.
func longestWord(cell string) (most int) {
	for _, w := range strings.Fields(cell) {
		n := text.StringWidthWithoutEscSequences(w)
		if n > wholeWord {
			n = wholeWord
			if said.IsHex(w) {
				n = hexWord
			}
		}
		most = max(most, n)
	}
	return most
}

// wrapped is rows whose cells have lines of these widths.
func wrapped(heading []string, rows [][]string, widths []int) ([]string, [][]string) {
	wrap := func(cells []string) []string {
		out := make([]string, len(cells))
		for i, c := range cells {
			out[i] = strings.Join(wrapCell(c, widths[i]), "\n")
		}
		return out
	}
	if heading != nil {
		heading = wrap(heading)
	}
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = wrap(r)
	}
	return heading, out
}

// wrapCell is a cell as lines of a width: parted between words, and within a word
// that is longer; hexadecimal digits stay in pairs.
func wrapCell(cell string, width int) (lines []string) {
	if text.StringWidthWithoutEscSequences(cell) <= width {
		return []string{cell}
	}
	line, used := "", 0
	for _, w := range strings.Fields(cell) {
		n := text.StringWidthWithoutEscSequences(w)
		if used > 0 && used+1+n <= width {
			line, used = line+" "+w, used+1+n
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		step := width
		if said.IsHex(w) && width > 1 {
			step = width &^ 1
		}
		for n > width {
			at := firstColumns(w, step)
			lines, w = append(lines, w[:at]), w[at:]
			n = text.StringWidthWithoutEscSequences(w)
		}
		line, used = w, n
	}
	return append(lines, line)
}

// firstColumns is how many bytes of a text stand in its first columns; one
// letter at least.
func firstColumns(s string, columns int) int {
	for at, r := range s {
		if columns -= text.RuneWidth(r); columns < 0 && at > 0 {
			return at
		}
	}
	return len(s)
}

// stacked is a table for a terminal that is too narrow for it: each cell has a
// line of its own after its heading; without headings the first cell of a row
// stands before the others.
func (a *app) stacked(heading []string, rows [][]string, limit int) string {
	wide := 0
	for _, label := range heading {
		wide = max(wide, text.StringWidthWithoutEscSequences(label))
	}
	if heading == nil {
		for _, r := range rows {
			wide = max(wide, text.StringWidthWithoutEscSequences(r[0]))
		}
	}
	indent := wide + between
	if indent > limit/2 {
		indent = between
	}
	var lines []string
	for n, r := range rows {
		if heading != nil && n > 0 {
			lines = append(lines, "")
		}
		if heading != nil {
			for i, cell := range r {
				lines = append(lines, labelled(heading[i], wrapCell(cell, max(limit-indent, 8)), indent, limit)...)
			}
			continue
		}
		var cells []string
		for _, cell := range r[1:] {
			if cell != "" {
				cells = append(cells, wrapCell(cell, max(limit-indent, 8))...)
			}
		}
		lines = append(lines, labelled(r[0], cells, indent, limit)...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// labelled is lines after a label, indented; a label without room for them has
// lines of its own.
func labelled(label string, cells []string, indent, limit int) (lines []string) {
	room := indent - text.StringWidthWithoutEscSequences(label)
	switch {
	case len(cells) == 0 || cells[0] != "" && room < between:
		lines = wrapCell(label, limit)
	case room < between:
		lines, cells = wrapCell(label, limit), nil
	default:
		lines, cells = []string{strings.TrimRight(label+strings.Repeat(" ", room)+cells[0], " ")}, cells[1:]
	}
	for _, c := range cells {
		lines = append(lines, strings.Repeat(" ", indent)+c)
	}
	return lines
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
