package simulate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/simulate/internal/say"
)

// Text is a report in lines of 80 columns, which need no colour.
func Text(r *Report) string {
	var b strings.Builder
	r.head(&b)
	for _, v := range r.Designs {
		b.WriteString("\n")
		v.text(&b)
	}
	if r.Tried != nil {
		r.tried(&b)
	}
	return b.String()
}

func (r *Report) head(b *strings.Builder) {
	wrap(b, "", fmt.Sprintf("%s %s", say.Rows(r.Rows), r.Period()))
	wrap(b, "", fmt.Sprintf("each stands for %s of the table: %d servers, HBase's default policy", say.Stands(r.Stands), r.Servers))
	for _, n := range r.Notes() {
		wrap(b, "", n)
	}
}

// Period is in words when the rows came.
func (r *Report) Period() string {
	if !r.Timed() {
		return "without a time of arrival: one window, no time axis"
	}
	form, zone := "2006-01-02 15:04", r.From.Location().String()
	if r.Window < 60 {
		form = "2006-01-02 15:04:05"
	}
	return fmt.Sprintf("from %s to %s %s, in windows of %s", r.From.Format(form), r.To.Format(form), zone, r.windowText())
}

// Notes are what is odd about the rows: those that are refused, and times.
func (r *Report) Notes() (out []string) {
	for _, v := range r.Designs {
		if v.Refused == 0 {
			continue
		}
		name := v.Name
		if name == "" || len(r.Designs) == 1 {
			name = "the key"
		}
		all := float64(v.Refused + v.Rows)
		out = append(out, fmt.Sprintf("%s refuses %s of %s, %s. %s", name, say.Thousands(v.Refused), say.Rows(v.Refused+v.Rows), say.Percent(float64(v.Refused)/all), "What follows is of the others."))
	}
	if r.Aside > 0 {
		out = append(out, fmt.Sprintf("%s at the ends in windows of few rows: not drawn.", say.Plural(int(r.Aside), "row")))
	}
	if r.Withheld == "" && r.Late > 0.0001 {
		out = append(out, say.Percent(r.Late)+" of the rows are older than a row before them by a window or more: they count when they come.")
	}
	if r.Clipped > 0 {
		out = append(out, say.Plural(int(r.Clipped), "row")+" of a time far ahead of all others: counted when they come.")
	}
	if r.Timeless > 0 {
		out = append(out, say.Plural(int(r.Timeless), "row")+" without a time: counted when they come.")
	}
	return out
}

// windowText is the width of the windows in words.
func (r *Report) windowText() string {
	s := int64(r.Window)
	switch {
	case s%86400 == 0:
		return say.Plural(int(s/86400), "day")
	case s%3600 == 0:
		return say.Plural(int(s/3600), "hour")
	case s%60 == 0:
		return say.Plural(int(s/60), "minute")
	}
	return say.Plural(int(s), "second")
}

// text is one design.
func (v *Result) text(b *strings.Builder) {
	r := v.report
	name := v.Name
	if name != "" {
		name += "  "
	}
	fmt.Fprintf(b, "%s%s\n", name, v.Notation)
	if v.Refused > 0 {
		field(b, "refused", fmt.Sprintf("%s, %s", say.Plural(int(v.Refused), "row"), say.Percent(float64(v.Refused)/float64(v.Refused+v.Rows))))
		for _, c := range v.Causes[:min(5, len(v.Causes))] {
			wrap(b, "           ", fmt.Sprintf("%d: %s", c.Rows, c.Text))
		}
	}
	wrap(b, "  ", v.Says)
	for _, s := range v.hotWords() {
		wrap(b, "  ", s)
	}
	if v.Server.Worst > 0 {
		if r.Timed() {
			field(b, "writes", fmt.Sprintf("hottest region %s over time, %s at worst; hottest server %s, %s", say.Percent(v.Region.Mean), say.Percent(v.Region.Worst), say.Percent(v.Server.Mean), say.Percent(v.Server.Worst)))
		} else {
			field(b, "writes", fmt.Sprintf("hottest region %s, hottest server %s", say.Percent(v.Region.Worst), say.Percent(v.Server.Worst)))
		}
		field(b, "takes", fmt.Sprintf("what %.1f of %d servers take", v.Takes, r.Servers))
	}
	field(b, "regions", v.Made)
	if s := v.startupWords(); s != "" {
		field(b, "start-up", s)
	}
	if v.Rows > 0 {
		size := fmt.Sprintf("%d to %d bytes, mean %.1f", v.Shortest, v.Longest, v.Mean)
		if v.Shortest == v.Longest {
			size = fmt.Sprintf("%d bytes", v.Longest)
		}
		field(b, "keys", size)
		field(b, "a cell", fmt.Sprintf("%.1f bytes, with PREFIX %.1f, with FAST_DIFF %.1f; the table %s", v.Cell.None, v.Cell.Prefix, v.Cell.FastDiff, say.Bytes(v.Cell.Table)))
	}
	if s := v.lostWords(); s != "" {
		field(b, "lost", s)
	}
	for _, w := range v.Wide {
		field(b, "wide", fmt.Sprintf("%s has %s and needs %d: %s", w.Field, say.Plural(w.Bytes, "byte"), w.Need, w.Why))
	}
	for _, a := range v.Answers {
		field(b, a.Name, a.String())
	}
	if v.Rows > 0 {
		v.draw(b)
	}
}

// startupWords are of the time in which the table had few regions.
func (v *Result) startupWords() string {
	if v.Startup == nil {
		return ""
	}
	return fmt.Sprintf("until %s one server takes up to %s, for %s of the rows, which the numbers above leave out", v.report.When(v.Startup.Until), say.Percent(v.Startup.Worst), say.Percent(v.Startup.Rows))
}

// lostWords are of rows that share a key.
func (v *Result) lostWords() string {
	switch {
	case v.TableLost != nil && *v.TableLost < 0.0001:
		return ""
	case v.TableLost != nil && v.report.Stands > 1.0001:
		return fmt.Sprintf("about %s of the table's rows have the key of an earlier row, which they overwrite: the same values within the key's unit of time", say.Percent(*v.TableLost))
	case v.TableLost != nil:
		return say.Percent(v.Lost) + " of the rows have the key of an earlier row, which they overwrite"
	case v.Lost > 0:
		return say.Percent(v.Lost) + " of these rows have the key of an earlier row, which they overwrite; of the whole table it is not known"
	}
	if v.lostMost > 0 {
		return "fewer than " + say.Percent(v.lostMost) + " of these rows share a key; of the whole table it is not known"
	}
	return "no two of these rows share a key; of the whole table it is not known"
}

// field is a line after a name.
func field(b *strings.Builder, name, text string) {
	if utf8.RuneCountInString(name) > 8 {
		wrap(b, "  ", name+": "+text)
		return
	}
	var t strings.Builder
	wrap(&t, "           ", text)
	fmt.Fprintf(b, "  %-9s%s", name, strings.TrimPrefix(t.String(), "           "))
}

const (
	drawColumns = 58
	drawLines   = 16
)

// draw is the picture: time from left to right, a line for each region or some
// neighbours, its share of all rows at the right.
func (v *Result) draw(b *strings.Builder) {
	r := v.report
	p := v.picture(drawLines)
	leaves := len(v.d.table.leaves)
	fair := v.fair()
	labels := v.d.labels(p.leaves[:p.lines], r)
	width := min(drawColumns, p.windows)
	if !r.Timed() {
		width = 1
	} else if width > 1 {
		width *= drawColumns / width
	}
	fmt.Fprintf(b, "\n  %-12s%-*s%8s\n", "from", width, "", "all rows")
	for line := range p.lines {
		fmt.Fprintf(b, "  %-11s ", say.Cut(labels[line], 11))
		for c := range width {
			top := 0.0
			for w := c * p.windows / width; w < max((c+1)*p.windows/width, c*p.windows/width+1); w++ {
				top = max(top, p.share[line][w])
			}
			b.WriteString(shade(top, fair))
		}
		fmt.Fprintf(b, "%8s\n", say.Percent(v.leafShare(p.leaves[line], p.leaves[line+1])))
	}
	if r.Timed() {
		from, to := r.when(r.from), r.when(r.to-1)
		if room := width - len(from); room > len(to) {
			fmt.Fprintf(b, "  %-11s %s%*s\n", "", from, room, to)
		} else {
			fmt.Fprintf(b, "  %-11s %s\n", "", from)
		}
	}
	b.WriteString("  a region's part of the writes, against a fair one: · less than half\n  ░ to 2 times  ▒ to 4 times  ▓ more  █ half of all writes or more\n")
	if leaves > p.lines {
		fmt.Fprintf(b, "  %d regions in %d lines, the hottest of each\n", leaves, p.lines)
	}
}

// tried are layouts to try.
func (r *Report) tried(b *strings.Builder) {
	b.WriteString("\nwhat to try, the best first, on the same rows (* yours)\n")
	if len(r.Designs[0].Answers) == 0 {
		b.WriteString(NoQuestions + "\n")
	}
	for _, v := range r.Tried {
		mark := " "
		if v.Yours {
			mark = "*"
		}
		fmt.Fprintf(b, "%s %-38s takes %4.1f  %s\n", mark, say.Cut(v.Name, 38), v.Takes, v.Pattern)
		if !v.Yours {
			wrap(b, "    ", v.Notation)
		}
		if s := v.SplitWords(); s != "" {
			wrap(b, "    ", s)
		}
		for _, a := range v.Answers {
			wrap(b, "    ", a.Name+": "+a.String())
		}
		if len(v.Worse) > 0 {
			wrap(b, "    ", "worse: "+strings.Join(v.Worse, "; "))
		}
	}
	if one, two := r.pair(); one != nil {
		b.WriteString("two tables, each row written to both, would answer best:\n")
		for _, pair := range [][2]*Result{{one, two}, {two, one}} {
			var names []string
			for i, a := range pair[0].Answers {
				if pair[0].costOf(i) < pair[1].costOf(i) {
					names = append(names, a.Name)
				}
			}
			if len(names) > 0 {
				wrap(b, "    ", pair[0].Notation+" for "+strings.Join(names, ", "))
			}
		}
	}
}

// Remarks are what else is to be said of a design, a sentence each: values that stand out
// among all rows, the start-up, cells, rows that share a key, fields that are too wide.
func (v *Result) Remarks() (out []string) {
	out = v.hotWords()
	if s := v.startupWords(); s != "" {
		out = append(out, "Start-up: "+s+".")
	}
	if v.Rows > 0 {
		out = append(out, fmt.Sprintf("A cell takes %.1f bytes, with PREFIX %.1f, with FAST_DIFF %.1f; the table %s.", v.Cell.None, v.Cell.Prefix, v.Cell.FastDiff, say.Bytes(v.Cell.Table)))
		if s := v.lostWords(); s != "" {
			out = append(out, strings.ToUpper(s[:1])+s[1:]+".")
		}
	}
	for _, w := range v.Wide {
		out = append(out, fmt.Sprintf("%s has %s and needs %d: %s.", w.Field, say.Plural(w.Bytes, "byte"), w.Need, w.Why))
	}
	return out
}

// NoQuestions is said beside layouts to try where none was asked.
const NoQuestions = "no question was asked, so only writes decide; --question says what is read"

// SplitWords say where a layout to try is split, if rows decided that.
func (v *Result) SplitWords() string {
	if !v.d.sampled || v.Pattern == OneMoving {
		return ""
	}
	few, long := 0, 0
	for few < len(v.d.given) && (few == 0 || long < 24) {
		long += len(v.d.given[few])
		few++
	}
	s := v.d.given[:few].Shell()
	if few < len(v.d.given) {
		s = strings.TrimSuffix(s, "]") + fmt.Sprintf(", … %d in all]", len(v.d.given))
	}
	return s
}

// glue stands for a space at which no line ends.
const glue = "\x00"

// wrap breaks a text at 80 columns, a word that is longer where it must.
func wrap(b *strings.Builder, indent, text string) {
	const most = 80
	col := 0
	for i, w := range strings.Fields(strings.ReplaceAll(text, " %", glue+"%")) {
		w = strings.ReplaceAll(w, glue, " ")
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
			b.WriteString(indent)
			col = len(indent)
		case col+1+n > most:
			b.WriteString("\n" + indent)
			col = len(indent)
		default:
			b.WriteByte(' ')
			col++
		}
		for r := []rune(w); ; {
			if room := most - col; len(r) > room {
				b.WriteString(string(r[:room]) + "\n" + indent)
				r, col = r[room:], len(indent)
				continue
			}
			b.WriteString(string(r))
			col += len(r)
			break
		}
	}
	b.WriteByte('\n')
}
