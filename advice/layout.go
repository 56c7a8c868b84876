package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/names"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// field is a component that stands in the key, and what ends it.
type field struct {
	rowkey.FieldInfo
	at  int    // among all components
	end string // the constant after it
}

// layout is a design as the rules read it.
type layout struct {
	Design
	all    []rowkey.FieldInfo
	stored []field // without constants
	byName map[string]rowkey.FieldInfo
	plans  []planned
	ends   map[string]bool // of texts: whether they end by themselves, once it is asked

	rule     int    // the place of the rule that is being asked
	second   string // of the next finding
	found    []Finding
	counting bool  // only how much is found is asked, no layout to try
	others   bool  // another system reads the keys, and lays them out
	untried  bool  // for which no layout was tried for the next finding
	own      *toll // of the design, once it is asked
}

// planned is a question with its plan, or the error in place of one.
type planned struct {
	Question
	plan *rowkey.Plan
	err  error
}

func newLayout(d Design) *layout {
	l := &layout{Design: d, byName: map[string]rowkey.FieldInfo{}}
	for f := range d.Schema.Fields() {
		if n := len(l.stored); f.Kind == "literal" && n > 0 && l.stored[n-1].at == len(l.all)-1 {
			l.stored[n-1].end = f.Const
		}
		if f.Kind != "literal" {
			l.byName[f.Name] = f
			if f.Stored {
				l.stored = append(l.stored, field{FieldInfo: f, at: len(l.all)})
			}
		}
		l.all = append(l.all, f)
	}
	l.others = othersSettings.MatchString(l.settings()) || slices.ContainsFunc(l.all, others)
	for i := range l.stored { // a copy has no more values than its field
		f := &l.stored[i]
		if n := l.byName[f.Computed.Source].Count; n > 0 && (f.Count == 0 || n < f.Count) {
			f.Count = n
			l.byName[f.Name] = f.FieldInfo
		}
	}
	for _, q := range d.Questions {
		p := planned{Question: q}
		p.plan, p.err = d.Schema.Scan(q.Conds...)
		l.plans = append(l.plans, p)
	}
	return l
}

// othersSettings and othersOption are the dialects of systems that read and write such keys themselves.
var (
	othersSettings = pattern.New(`\b(phoenix|orderedbytes)\b`)
	othersOption   = pattern.New(` (phoenix|orderedbytes)[\] ]`)
	othersRule     = pattern.New(`\(rest\(\)\) (phoenixhash|hbasewdhash|pinpointhash)\b`)
)

// others reports a component that another system computes or encodes: of the same fields in another
// layout it would read other rows.
func others(f rowkey.FieldInfo) bool {
	return f.Kind != "literal" && othersOption.MatchString(f.Notation) || f.Kind == "salt" && othersRule.MatchString(f.Notation)
}

// say adds a finding of the rule's own severity.
func (l *layout) say(name, try, code string, args ...any) {
	l.sayAs(rules[l.rule].Severity, name, try, code, args...)
}

func (l *layout) sayAs(s Severity, name, try, code string, args ...any) {
	r := &rules[l.rule]
	f := Finding{Rule: r.Name, Severity: s, Field: name, Code: "lint." + code, Try: cmp.Or(try, r.Mend), Second: l.second}
	if l.untried && try == "" {
		f.Try = othersMend
	}
	for _, a := range args {
		f.Args = append(f.Args, fmt.Sprint(a))
	}
	f.Text, f.Try, l.second = f.In("en"), f.TryIn("en"), ""
	l.untried = false
	l.found = append(l.found, f)
}

// settings are what stands before the first component: they hold for a layout to try, too.
func (l *layout) settings() string {
	text, _, _ := strings.Cut(l.Design.Schema.String(), "[")
	return text
}

// notation is the components in the notation, with other text in place of some
// pieces; "" leaves one out.
func (l *layout) notation(instead map[int]string) string {
	var b strings.Builder
	for i, f := range l.all {
		if text, ok := instead[i]; ok {
			b.WriteString(text)
		} else {
			b.WriteString(f.Notation)
		}
	}
	return b.String()
}

// keeps reports that no layout may be tried: only how much is found is asked, or another system
// reads the keys as they are.
func (l *layout) keeps() bool {
	l.untried = l.others
	return l.counting || l.others
}

// tried is a layout to try, if it can be built and mends what the rule has found.
func (l *layout) tried(notation string) string {
	if l.keeps() {
		return ""
	}
	return l.mended(notation)
}

// mended is tried, also of keys that another system lays out: for what writes the same keys.
func (l *layout) mended(notation string) string {
	if l.counting {
		return ""
	}
	notation = l.settings() + notation
	s, err := rowkey.Parse("try", notation)
	if err != nil || !l.better(s) {
		return ""
	}
	return notation
}

// spreader is the field by which a leading salt would spread the rows: one of
// many values that is no time, "" if there is none.
func (l *layout) spreader() string {
	for _, f := range l.stored {
		rise := rises(&f.FieldInfo)
		if !f.Derived && f.Kind != "float" && (f.Count == 0 || f.Count > 256) && !f.Optional && f.Kind != "time" && rise != names.Moment && rise != names.Day && !fewByName(&f.FieldInfo) {
			return f.Name
		}
	}
	return ""
}

// salted is the layout with a leading salt, or, if no field can feed one, a slot that the
// writer draws.
func (l *layout) salted() string {
	if slices.ContainsFunc(l.all, func(f rowkey.FieldInfo) bool { return f.Kind == "salt" || f.Slot }) {
		return ""
	}
	if by := l.spreader(); by != "" {
		return l.tried(fmt.Sprintf("[salt16(%s)]%s", by, l.notation(nil)))
	}
	return l.tried("[slot:1 below(16) bucket]" + l.notation(nil))
}

// replaced is the layout with another piece in place of component f: the first of the pieces
// that changes f and mends what was found.
func (l *layout) replaced(f *field, pieces ...string) string {
	for _, text := range pieces {
		if text == f.Notation {
			continue
		}
		if try := l.with(f, text); try != "" {
			return try
		}
	}
	return ""
}

// with is the layout with other text in place of component f, if that mends what was found.
func (l *layout) with(f *field, instead string) string {
	return l.tried(l.notation(map[int]string{f.at: instead}))
}

// saltBy is the layout with a salt of a field in place of component f, if there is
// such a field and that mends what was found.
func (l *layout) saltBy(f *field, buckets uint64, by string) string {
	if by == "" || by == f.Name {
		return ""
	}
	return l.with(f, fmt.Sprintf("[salt%d(%s)]", buckets, by))
}

// after is the layout with component i after field j, each with its end.
func (l *layout) after(i, j *field) string {
	cut := func(f *field) (from, to int) {
		from, to = f.at, f.at+1
		if f.end != "" {
			to++
		}
		return from, to
	}
	ifrom, ito := cut(i)
	jfrom, jto := cut(j)
	if ito > jfrom {
		return ""
	}
	text := func(from, to int) (s string) {
		for _, f := range l.all[from:to] {
			s += f.Notation
		}
		return s
	}
	return l.tried(text(0, ifrom) + text(ito, jfrom) + text(jfrom, jto) + text(ifrom, ito) + text(jto, len(l.all)))
}

// coarse reports a time whose values are an hour apart or more.
func coarse(f *rowkey.FieldInfo) bool { return max(f.Time.Step, f.Time.Truncated) >= time.Hour }

// original is the name of a field, or of the field that a copy is of.
func original(f *rowkey.FieldInfo) string { return cmp.Or(f.Computed.Source, f.Name) }

// rises is how a field, or a copy of one, rises from row to row: a time surely, else as far as
// the field's name says and its width admits.
func rises(f *rowkey.FieldInfo) names.Rise {
	number := f.Kind == "uint" || f.Kind == "int"
	name := original(f)
	switch {
	case computed(f), f.Slot, f.Reversed, strings.Contains(f.Notation, " right("):
		return names.Level
	case f.Kind == "time" && coarse(f):
		return names.Day
	case f.Kind == "time":
		return names.Moment
	case periodName.MatchString(name) && (number && f.Size >= 4 || f.Kind == "string" && f.Size >= 6):
		return names.Day
	case number && (f.Count == 0 || f.Count > 1<<16), f.Kind == "string" && (f.Size == 0 || f.Size >= 8) && f.Count == 0, f.Kind == "binary" && f.Size >= 8:
		return names.Rising(name)
	case number && f.Count > 366 && f.Size != f.Bytes, f.Kind == "string" && f.Size == 6:
		if names.Rising(name) == names.Day {
			return names.Day
		}
	}
	return names.Level
}

// periodName is a name of an hour, which with its day has many digits, or of a month.
var periodName = pattern.New(`(?i)(?:^|_)(?:hour|minute|month)$|小时$|月份$`)

// byName reports that only a field's name says what it is.
func byName(f *rowkey.FieldInfo) bool { return f.Kind != "time" }

// leadFault reports that the layout begins with what rises.
func (l *layout) leadFault() bool { return rises(&l.stored[0].FieldInfo) != names.Level }

var (
	randomName = pattern.New(`(?i)^(rand|random|rnd|nonce)`)
	statusName = pattern.New(`(?i)(status|state|flag|phase|stage)$`)
)

// inputs are the fields from which a salt or a hash is computed; for a copy, the field that it
// copies.
func (l *layout) inputs(f *rowkey.FieldInfo) (fields []rowkey.FieldInfo) {
	for _, name := range f.Computed.Inputs {
		fields = append(fields, l.byName[name])
	}
	return fields
}

// kept reports that the key holds a value: by itself, or whole in a copy.
func (l *layout) kept(f *rowkey.FieldInfo) bool {
	if f.Computed.Source != "" {
		source := l.byName[f.Computed.Source]
		return f.Stored || source.Stored
	}
	return f.Stored
}

// hidden is the first input of a salt or a hash that the key does not hold, empty
// if it holds them all.
func (l *layout) hidden(f *rowkey.FieldInfo) string {
	for _, in := range l.inputs(f) {
		if !l.kept(&in) {
			return in.Name
		}
	}
	return ""
}

// computed reports a salt or a hash. A copy spreads rows no better than its field does.
func computed(f *rowkey.FieldInfo) bool { return f.Derived && f.Computed.Source == "" }

// few reports a field of few values: if rows prefer some of them, they prefer some regions.
func few(f *rowkey.FieldInfo) bool { return !computed(f) && f.Count > 0 && f.Count < 64 }

// fewOrNamed reports a field of few values, or one of a byte or a text whose name says so.
func fewOrNamed(f *rowkey.FieldInfo) bool {
	return !computed(f) && !f.Slot && f.Kind != "time" && (f.Count > 0 && f.Count <= 256 || (f.Kind == "string" || f.Kind == "uint" || f.Kind == "int") && names.Few(original(f)))
}

// fewByName reports a field of a byte or two whose name says that its values are few.
func fewByName(f *rowkey.FieldInfo) bool {
	return !computed(f) && !f.Slot && (f.Kind == "string" || f.Kind == "uint" || f.Kind == "int") && (f.Size == 1 || f.Size == 2) && names.Few(original(f))
}

// every reports that there is one at least, and that f is true of all.
func every[T any](list []T, holds func(*T) bool) bool {
	for i := range list {
		if !holds(&list[i]) {
			return false
		}
	}
	return len(list) > 0
}

// product is how many combinations of values some fields have, 0 if that is not known.
func product(fields []rowkey.FieldInfo) uint64 {
	all := uint64(1)
	for _, f := range fields {
		if f.Count == 0 || all > 1<<40/f.Count {
			return 0
		}
		all *= f.Count
	}
	return all
}
