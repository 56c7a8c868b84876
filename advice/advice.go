// Package advice says what a layout of row keys does to its table, before a row
// is written: which region takes all writes, which question reads them all, which
// rows overwrite each other.
//
// It knows rules, each with a name that stays. A test of a team's own calls Check
// and fails on what it finds:
//
//	for _, f := range advice.Check(advice.Design{Schema: trades}) {
//		if f.Severity >= advice.Warning {
//			t.Error(f)
//		}
//	}
//
// Check reads the schema and the plans of questions, and no rows: a rule that only
// data can settle says which.
//
// Of a table that stands, CostOf estimates what a plan reads, and Fit reports how its keys
// fit a schema.
package advice

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Severity is how much a finding costs.
type Severity uint8

const (
	_       Severity = iota
	Note             // worth knowing; often meant so
	Warning          // costs bytes, requests or years, and is seldom meant so
	Error            // one region takes all writes, rows are lost, or a question reads the whole table
)

func (s Severity) String() string {
	names := [...]string{"invalid severity", "note", "warning", "error"}
	if int(s) < len(names) {
		return names[s]
	}
	return names[0]
}

// Question is a query that the table must answer. Only the fields and the kinds of its
// conditions count. Their values do not: any that a row can have will do.
type Question struct {
	Name   string // such as "a seller's day"
	Conds  []rowkey.Cond
	Newest bool // the newest rows are wanted first
}

// Design is a layout and what is known of its use. A field with the zero value is not
// known.
type Design struct {
	Schema    *rowkey.Schema
	Questions []Question
	Rows      float64 // that the table will hold
	Regions   int     // that the table is created with
	Lindorm   bool    // its advice is given, too
}

// Finding is what a rule says of a design.
type Finding struct {
	Rule     string // its name
	Severity Severity
	Field    string // the component that it is about; empty for all of the key or a question
	Code     string // of the sentence, which programs may rely on
	Args     []string
	Text     string // what happens, and why, in English
	Try      string // a layout that mends it and makes no error, in the notation; in words where there is none to show
	Second   string // the layout in Try, where it is one for a second table
}

// In is the sentence in a language: "zh" is Chinese, any other is English.
func (f Finding) In(lang string) string {
	args := f.Args
	if lang == "zh" {
		args = slices.Clone(args)
		for i, a := range args {
			args[i] = cmp.Or(inChinese[a], a)
		}
	}
	return texts.In(lang, f.Code, args...)
}

// inChinese are the arguments that are words, not names or numbers.
var inChinese = map[string]string{"an hour": "一小时", "a day": "一天"}

// TryIn is Try in a language: a layout is the same in all.
func (f Finding) TryIn(lang string) string {
	if f.Second != "" {
		return texts.In(lang, "mend.second-table", f.Second)
	}
	for _, code := range []string{"mend." + f.Rule, othersCode} {
		if mend, _ := texts.Of(code); f.Try == mend.English {
			return texts.In(lang, code)
		}
	}
	return f.Try
}

// othersCode is what to do about keys that another system lays out.
const othersCode = "mend.other-system"

var othersMend = texts.In("en", othersCode)

// String is the finding in one line.
func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s: %s", f.Severity, f.Rule, f.Text)
	return s + ". Try " + f.Try
}

// Rule is a rule as its page shows it.
type Rule struct {
	Name     string
	Severity Severity // of most of its findings; those by a field's name alone are notes
	Sees     string   // what it looks for
	Hurts    string   // what that costs, with a number
	Mend     string   // what to do
	Ignore   string   // when it is meant so
	Settle   string   // what sample of rows, or what question, says whether it is right here; empty of a rule that needs none
	Fires    []string // layouts in which it finds something
	Quiet    []string // layouts like them in which it does not

	check func(*layout)
}

// Rules are all rules, in the order of their page.
func Rules() []Rule { return slices.Clone(rules) }

// Check holds a design against every rule. The worst findings come first.
func Check(d Design) []Finding {
	l := newLayout(d)
	for i := range rules {
		l.rule = i
		rules[i].check(l)
	}
	slices.SortStableFunc(l.found, func(a, b Finding) int { return int(b.Severity) - int(a.Severity) })
	return l.found
}
