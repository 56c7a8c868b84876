package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
	"github.com/hbase-rowkey/rowkey"
	"github.com/mattn/go-runewidth"
	"github.com/pterm/pterm"
)

const (
	pageWidth  = 100 // columns of the widest line
	codeIndent = 4
)

// page writes what the visitor sees. The first error of its writer is left to
// be found by the writer's flush.
type page struct{ w io.Writer }

func (p page) heading(s string) {
	fmt.Fprintf(p.w, "%s\n\n", pterm.NewStyle(pterm.Bold, pterm.FgCyan).Sprint("== "+s))
}

func (p page) subheading(s string) {
	fmt.Fprintf(p.w, "%s\n\n", pterm.Bold.Sprint(clip("-- "+s, pageWidth)))
}

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

func (p page) good(s string) { fmt.Fprintf(p.w, "%s\n\n", pterm.FgGreen.Sprint("✓ "+s)) }

// bars prints a bar for each region.
func (p page) bars(rows []int) error {
	var bars pterm.Bars
	for region, n := range rows {
		bars = append(bars, pterm.Bar{Label: fmt.Sprintf("%2d", region), Value: n})
	}
	chart, err := pterm.DefaultBarChart.WithHorizontal().WithShowValue().WithWidth(60).WithBars(bars).Srender()
	_, chart, _ = strings.Cut(chart, "\n") // the first line is blank
	p.code(chart)
	return err
}

// look is how records are shown: a line of titles, and one for each of them.
type look[R any] struct {
	titles []string
	cells  func(R) []string
}

// printRows prints the first of the rows.
func printRows[R any](p page, l look[R], rows []R) error {
	first := rows[:min(5, len(rows))]
	data := pterm.TableData{l.titles}
	for _, r := range first {
		data = append(data, l.cells(r))
	}
	if more := len(rows) - len(first); more > 0 {
		data = append(data, []string{fmt.Sprintf("… and %s more", comma(uint64(more)))})
	}
	return p.table(data)
}

// table prints lines of which the first is titles.
func (p page) table(lines [][]string) error {
	table, err := pterm.DefaultTable.WithHasHeader().WithData(lines).Srender()
	p.code(table)
	return err
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
		if b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' {
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
	return pterm.DefaultParagraph.WithMaxWidth(width).Sprint(s)
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
