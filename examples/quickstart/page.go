package main

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
	"github.com/hbase-rowkey/rowkey"
	"github.com/mattn/go-runewidth"
)

const (
	pageWidth  = 100 // columns of the widest line
	codeIndent = 4
)

// page writes what the visitor sees. The first error of its writer is left to
// be found by the writer's flush.
type page struct {
	w       io.Writer
	colours bool
}

// styled prints s in the style of a terminal's escape: 1 is bold, 32 green, 36 cyan.
func (p page) styled(style, s string) {
	if p.colours {
		s = "\x1b[" + style + "m" + s + "\x1b[0m"
	}
	fmt.Fprintf(p.w, "%s\n\n", s)
}

func (p page) heading(s string)    { p.styled("1;36", "== "+s) }
func (p page) subheading(s string) { p.styled("1", clip("-- "+s, pageWidth)) }
func (p page) good(s string)       { p.styled("32", "✓ "+s) }

// text prints a paragraph.
func (p page) text(s string) { fmt.Fprintf(p.w, "%s\n\n", wrap(s, pageWidth)) }

// code prints lines that are not to be wrapped, indented.
func (p page) code(s string) {
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		fmt.Fprintf(p.w, "%*s%s\n", codeIndent, "", strings.TrimRight(line, " "))
	}
	fmt.Fprintln(p.w)
}

// goCode prints lines of Go, of which a visitor's text may make one too long.
func (p page) goCode(s string) {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = clip(lines[i], pageWidth-codeIndent)
	}
	p.code(strings.Join(lines, "\n"))
}

// oneIndex says what a row key is, and that file holds the layouts that follow.
func (p page) oneIndex(file string) {
	p.text("An HBase table has one index: the row key, a string of bytes in whose order the rows lie. " +
		"If you know a key, you get its row. If you know how keys begin, you scan the rows that begin so. Everything else reads the whole table. " +
		"So the questions come first, and the key is laid out for them (in Go: " + file + "):")
}

// answeredBy says where the tables are, if they are on a server.
func (p page) answeredBy(server string) {
	if server != "" {
		p.text("They are tables of HBase at " + server + ", which all answers below come from.")
	}
}

// bars prints a bar for each region.
func (p page) bars(rows []int) {
	const width = 60
	var chart strings.Builder
	for region, n := range rows {
		bar := strings.Repeat("█", n*width/max(1, slices.Max(rows)))
		fmt.Fprintf(&chart, "%2d %s  %d\n", region, runewidth.FillRight(bar, width), n)
	}
	p.code(chart.String())
}

// look is how records are shown: a line of titles, and one for each of them.
type look[R any] struct {
	titles []string
	cells  func(R) []string
}

// printRows prints the first of the rows.
func printRows[R any](p page, l look[R], rows []R) {
	first := rows[:min(5, len(rows))]
	data := [][]string{l.titles}
	for _, r := range first {
		data = append(data, l.cells(r))
	}
	if more := len(rows) - len(first); more > 0 {
		data = append(data, []string{fmt.Sprintf("… and %s more", comma(uint64(more)))})
	}
	p.table(data)
}

// table prints lines of which the first is titles.
func (p page) table(lines [][]string) {
	var widths []int
	for _, line := range lines {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	var table strings.Builder
	for _, line := range lines {
		for i, cell := range line {
			if i > 0 {
				table.WriteString(" | ")
			}
			table.WriteString(runewidth.FillRight(cell, widths[i]))
		}
		table.WriteByte('\n')
	}
	p.code(table.String())
}

// shellScan is the range as a command of the hbase shell.
func shellScan(table string, r rowkey.Range) string {
	head := fmt.Sprintf("scan '%s', {STARTROW => ", table)
	s := head + shellString(r.Start(), len(head))
	if !r.Unbounded() {
		indent := len(head) - len("STARTROW => ")
		s += fmt.Sprintf(",\n%*sSTOPROW  => %s", indent, "", shellString(r.Stop(), len(head)))
	}
	return s + "}"
}

// shellGet is the get of a row as a command of the hbase shell.
func shellGet(table string, key []byte) string {
	head := fmt.Sprintf("get '%s', ", table)
	return head + shellString(key, len(head))
}

// shellString is a row key in the double quotes of the hbase shell, which
// stand at column indent. A long key goes on below: Ruby joins the pieces.
func shellString(key []byte, indent int) string {
	width := pageWidth - codeIndent - indent - len(`"" \,`)
	var lines []string
	var line string
	for _, b := range key {
		char := fmt.Sprintf(`\x%02X`, b)
		if b >= ' ' && b <= '~' && strings.IndexByte("\\\"#", b) < 0 { // # may begin a Ruby expression
			char = string(rune(b))
		}
		if len(line)+len(char) > width {
			lines = append(lines, line)
			line = ""
		}
		line += char
	}
	return `"` + strings.Join(append(lines, line), "\" \\\n"+strings.Repeat(" ", indent)+`"`) + `"`
}

// wrap breaks text between words.
func wrap(s string, width int) string {
	var text strings.Builder
	at := 0
	for i, word := range strings.Fields(s) {
		w := runewidth.StringWidth(word)
		switch {
		case i == 0:
		case at+1+w > width:
			text.WriteByte('\n')
			at = 0
		default:
			text.WriteByte(' ')
			at++
		}
		text.WriteString(word)
		at += w
	}
	return text.String()
}

// fold breaks lines wherever they reach the page's edge.
func fold(s string) string { return runewidth.Wrap(s, pageWidth-codeIndent) }

// hang breaks lines of ASCII text at the page's edge, between words or before an
// escape such as \x00, and indents what goes on below a little more.
func hang(s string) string {
	const width = pageWidth - codeIndent
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(line) > width {
			cut := strings.LastIndexByte(line[:width+1], ' ')
			if cut <= indent+2 {
				cut = width
				if i := strings.LastIndexByte(line[:cut], '\\'); i > cut-len(`\x00`) {
					cut = i
				}
			}
			out = append(out, line[:cut])
			line = strings.Repeat(" ", indent+2) + strings.TrimLeft(line[cut:], " ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// clip makes a visitor's text fit its place.
func clip(s string, width int) string {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\ufffd'
	}
	return runewidth.Truncate(strings.Map(printable, s), width, "…")
}

// comma is a number with its thousands set apart.
func comma(n uint64) string { return humanize.BigComma(new(big.Int).SetUint64(n)) }
