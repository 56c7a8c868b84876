package advice

import (
	"errors"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// toll is what is wrong with a design, as far as two layouts are compared by it: how many
// findings of each severity each rule has, how many ranges the questions read, which of them
// are refused, and how many name a field that the layout lacks.
type toll struct {
	errors, warnings, notes []int // by the place of the rule
	ranges                  int
	refused                 []bool // by the place of the question
	lost                    int
}

// tollOf counts what the rules find in a design. It makes no layouts to try: they would be
// judged by tolls in turn.
func tollOf(d Design) *toll {
	l := newLayout(d)
	l.counting = true
	t := &toll{make([]int, len(rules)), make([]int, len(rules)), make([]int, len(rules)), 0, nil, 0}
	for i := range rules {
		l.found, l.rule = nil, i
		rules[i].check(l)
		for _, f := range l.found {
			switch f.Severity {
			case Error:
				t.errors[i]++
			case Warning:
				t.warnings[i]++
			case Note:
				t.notes[i]++
			}
		}
	}
	for _, q := range l.plans {
		t.refused = append(t.refused, q.err != nil)
		if q.err == nil {
			t.ranges += q.plan.Len()
		} else if errors.Is(q.err, rowkey.ErrField) {
			t.lost++
		}
	}
	return t
}

// mends reports that what the toll t counts mends a finding of a rule, of a design whose toll
// is own: the finding is gone, or of a question's the ranges are fewer; no rule has one error
// more, no other question is refused or lost, and of the two designs it is the better one.
// Better is one order for all rules, so that no chain of mends comes back to where it began:
// fewer errors, then fewer warnings, then fewer notes, each of the earlier rules first; then
// fewer ranges.
func (t *toll) mends(own *toll, rule int) bool {
	for i, n := range t.errors {
		if n > own.errors[i] {
			return false
		}
	}
	for i, refused := range t.refused { // one question for another is no error more, and reads no ranges
		if refused && !own.refused[i] {
			return false
		}
	}
	if t.lost > own.lost { // else it would weigh as a question that reads the whole table
		return false
	}
	of := func(t *toll) int { return t.errors[rule] + t.warnings[rule] + t.notes[rule] }
	asked := strings.HasPrefix(rules[rule].Name, "question-") // only of these are fewer ranges a mend
	if of(t) > of(own) || of(t) == of(own) && (!asked || t.ranges >= own.ranges) {
		return false
	}
	for _, side := range [][2][]int{{t.errors, own.errors}, {t.warnings, own.warnings}, {t.notes, own.notes}} {
		if c := slices.Compare(side[0], side[1]); c != 0 {
			return c < 0
		}
	}
	return t.ranges < own.ranges
}

// better reports that a schema mends what the rule in hand has found.
func (l *layout) better(s *rowkey.Schema) bool {
	if l.own == nil {
		l.own = tollOf(l.Design)
	}
	d := l.Design
	d.Schema = s
	return tollOf(d).mends(l.own, l.rule)
}
