package rowkey

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Explain is the key as annotated text, one component a line: where it begins,
// its bytes, its piece of the notation, its value. A broken key is shown up to
// the break, with what is wrong and the bytes that are left. Pieces has the same
// for programs.
func (s *Schema) Explain(key []byte) string { return s.ExplainIn(key, time.UTC) }

// ExplainIn is Explain with times shown in a zone.
func (s *Schema) ExplainIn(key []byte, zone *time.Location) string {
	pieces, err := s.Pieces(key, zone)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", s.in.Name, s, layout.Plural(len(key), "byte"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range pieces {
		note := p.Text
		if p.Problem != "" {
			note = p.Problem
		}
		explainLine(w, p.Offset, p.Bytes, p.Notation, note)
	}
	w.Flush()
	if err != nil {
		fmt.Fprintf(&b, "%v\n", err)
	}
	return trimLines(b.String())
}

// explainLine writes the line of some bytes; many of them go on below.
func explainLine(w io.Writer, at int, form []byte, notation, note string) {
	const most = 20 // bytes a line
	n := min(len(form), most)
	fmt.Fprintf(w, "%d\t%x\t%s\t%s\n", at, form[:n], notation, note)
	for form = form[n:]; len(form) > 0; form = form[n:] {
		n = min(len(form), most)
		fmt.Fprintf(w, "\t%x\t\t\n", form[:n])
	}
}

// trimLines takes the padding off the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// Report is how the keys of a live table fit a schema. Every key is counted
// once: as Fit, or by the first of the faults that applies.
type Report struct {
	Keys, Fit int
	Malformed int        // do not decode
	Ambiguous int        // have more than one reading
	Derived   int        // carry another salt, hash or copy
	Rewritten int        // decode, but their values encode to other bytes
	Offenders []Offender // the first 5 of each fault, in the order of the keys
}

// Offender is a key that does not fit, and why: ErrMalformed, ErrAmbiguous or
// ErrDerived.
type Offender struct {
	Key []byte
	Err error
}

// offends counts a key by its fault.
func (r *Report) offends(fault *int, key []byte, err error) {
	if *fault++; *fault <= 5 {
		r.Offenders = append(r.Offenders, Offender{slices.Clone(key), err})
	}
}

// Check decodes and re-encodes keys of a live table and counts what does not
// come back: decode errors, other salts, other bytes, with the first offenders
// of each fault. Fields that are not stored take no part.
func (s *Schema) Check(keys iter.Seq[[]byte]) Report {
	var r Report
	hidden := slices.ContainsFunc(s.in.Fields, func(c *layout.Component) bool { return c.Absent })
	for key := range keys {
		r.Keys++
		row, err := s.Decode(key)
		switch {
		case errors.Is(err, ErrAmbiguous):
			r.offends(&r.Ambiguous, key, err)
			continue
		case errors.Is(err, ErrDerived):
			r.offends(&r.Derived, key, err)
			continue
		case err != nil:
			r.offends(&r.Malformed, key, err)
			continue
		}
		if !hidden {
			again, err := s.AppendKey(nil, row.values()...)
			if err == nil && string(again) != string(key) {
				err = s.in.ErrAt("", -1, &fault.Detail{Text: "its values encode to " + shell.Text(again), Reason: ErrMalformed})
			}
			if err != nil {
				r.offends(&r.Rewritten, key, err)
				continue
			}
		}
		r.Fit++
	}
	return r
}

// values are the row's stored values, boxed.
func (r Row) values() []any {
	var out []any
	for _, v := range r.All() {
		out = append(out, v)
	}
	return out
}
