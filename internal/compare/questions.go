package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
)

func (x Answer) String() string {
	switch x.Why {
	case "lacks":
		return "the key lacks " + x.Field
	case "whole":
		return "the whole table"
	case "many":
		return "too many ranges"
	}
	s := said.Plural(x.Ranges, "range")
	if !x.Exact {
		s += ", reads other rows"
	}
	return s
}

// cost orders answers: first what reads least.
func (x Answer) cost() int {
	switch {
	case x.Why != "":
		return math.MaxInt32
	case !x.Exact:
		return x.Ranges + 1<<20
	}
	return x.Ranges
}

// Want is what a question says of a field.
type Want struct {
	Field string
	Span  bool // an interval, else one value
}

func (w Want) String() string {
	if w.Span {
		return w.Field + ":A..B"
	}
	return w.Field + "=A"
}

// UsualQuestions are those by each field, by the first fields of each of the two layouts, and
// by spans of a time, alone and of one value of each other field.
func UsualQuestions(a, b *rowkey.Schema) (out [][]Want) {
	seen := map[string]bool{}
	add := func(q []Want) {
		q = slices.Clone(q)
		key := make([]string, len(q))
		for i, w := range q {
			key[i] = w.String()
		}
		slices.Sort(key)
		if k := strings.Join(key, " and "); !seen[k] {
			seen[k] = true
			out = append(out, q)
		}
	}
	both := [2][]rowkey.FieldInfo{said.Supplied(a), said.Supplied(b)}
	for _, fields := range both {
		for _, f := range fields {
			add([]Want{{f.Name, false}})
		}
	}
	for _, fields := range both {
		var head []Want
		for _, f := range fields {
			head = append(head, Want{f.Name, false})
			add(head)
		}
	}
	for _, fields := range both {
		for i, t := range fields {
			if t.Kind != "time" {
				continue
			}
			add([]Want{{t.Name, true}})
			for _, f := range fields {
				if f.Name != t.Name {
					add([]Want{{f.Name, false}, {t.Name, true}})
				}
			}
			var head []Want
			for _, f := range fields[:i] {
				head = append(head, Want{f.Name, false})
			}
			add(append(head, Want{t.Name, true}))
		}
	}
	return out
}

// questionsMoved is the questions that read other ranges in b than in a; called are the names
// in b of fields of a that have another one there.
func questionsMoved(a, b *rowkey.Schema, called map[string]string, how said.Values, asked []string) (out []Moved, err error) {
	compare := func(text string, from, to Answer) {
		if from == to {
			return
		}
		q := Moved{Question: text, From: from, To: to, Change: "gains"}
		if from.cost() < to.cost() {
			q.Change = "loses"
		}
		out = append(out, q)
	}
	for _, text := range asked {
		from, err := Asked(a, how, text)
		if err != nil {
			return nil, err
		}
		to, err := Asked(b, how, text)
		if err != nil {
			return nil, err
		}
		if from.Why == "lacks" && from == to { // else a name that is misspelt would be a question that does not move
			names := append(said.FieldNames(said.Supplied(a)), said.FieldNames(said.Supplied(b))...)
			return nil, fmt.Errorf("%s: neither layout has %s%s", text, from.Field, said.Perhaps(from.Field, names))
		}
		compare(text, from, to)
	}
	other := b
	if called != nil { // the same fields
		other = a
	}
	inA, inB := askerOf(a), askerOf(b)
	for _, q := range UsualQuestions(a, other) {
		texts := make([]string, len(q))
		for i, w := range q {
			texts[i] = w.String()
		}
		from, ok := inA.usual(q)
		for i, w := range q {
			if name, ok := called[w.Field]; ok {
				q[i].Field = name
			}
		}
		to, also := inB.usual(q)
		if ok && also && (from.Why == "" || to.Why == "") { // what none of the two answers has not moved
			compare(strings.Join(texts, " and "), from, to)
		}
	}
	return out, nil
}

// Asked is what a question in the words of scan reads.
func Asked(s *rowkey.Schema, how said.Values, text string) (Answer, error) {
	lacks := ""
	groups, err := said.ParseCondsOr(s, how, said.Conjuncts(text), func(name string) ([]rowkey.Cond, error) {
		lacks = name
		return nil, nil
	})
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", text, err)
	}
	if lacks != "" {
		return Answer{Why: "lacks", Field: lacks}, nil
	}
	return readBy(s, slices.Concat(groups...))
}

// asker asks usual questions of a schema. It finds one value of each field once: questions by many
// first fields would look for the same ones again and again.
type asker struct {
	schema *rowkey.Schema
	fields map[string]*rowkey.FieldInfo
	values map[string]rowkey.Cond
}

func askerOf(s *rowkey.Schema) *asker {
	a := &asker{s, map[string]*rowkey.FieldInfo{}, map[string]rowkey.Cond{}}
	fields := said.Supplied(s)
	for i := range fields {
		a.fields[fields[i].Name] = &fields[i]
	}
	return a
}

// usual is what a usual question reads; false if no value of a field is known.
func (a *asker) usual(q []Want) (Answer, bool) {
	var conds []rowkey.Cond
	for _, w := range q {
		f := a.fields[w.Field]
		if f == nil {
			return Answer{Why: "lacks", Field: w.Field}, true
		}
		if w.Span && f.Kind != "time" {
			return Answer{}, false
		}
		if w.Span {
			from, to := spanOf(f)
			conds = append(conds, rowkey.AtLeast(w.Field, from), rowkey.LessThan(w.Field, to))
			continue
		}
		c, known := a.values[w.Field]
		if !known {
			if c, known = oneValue(a.schema, f); !known {
				return Answer{}, false
			}
			a.values[w.Field] = c
		}
		conds = append(conds, c)
	}
	x, err := readBy(a.schema, conds)
	return x, err == nil
}

// readBy is what conditions read.
func readBy(s *rowkey.Schema, conds []rowkey.Cond) (Answer, error) {
	p, err := s.Scan(conds...)
	switch {
	case errors.Is(err, rowkey.ErrFullScan):
		return Answer{Why: "whole"}, nil
	case errors.Is(err, rowkey.ErrManyRanges):
		return Answer{Why: "many"}, nil
	case err != nil:
		return Answer{}, said.Reason(err)
	}
	return Answer{Ranges: p.Len(), Exact: p.Exact()}, nil
}

// spanOf is an interval of a time: a day, or thirty units of what is coarser.
func spanOf(f *rowkey.FieldInfo) (from, to time.Time) {
	step := max(f.Time.Step, f.Time.Truncated, time.Nanosecond)
	from = f.Time.First
	if middle := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC); middle.After(f.Time.First) && middle.Before(f.Time.Last) {
		from = middle
	}
	if step < time.Hour {
		return from, from.Add(24 * time.Hour)
	}
	return from, from.Add(30 * step)
}

// oneValue is a condition on one value that the field can hold: no limit refuses it. False if none is
// known.
func oneValue(s *rowkey.Schema, f *rowkey.FieldInfo) (rowkey.Cond, bool) {
	for _, c := range candidates(s, f) {
		p, err := s.Scan(c)
		if err != nil || p.Len() > 0 {
			return c, true
		}
	}
	return rowkey.Cond{}, false
}

// candidates are conditions on values that a field may hold.
func candidates(s *rowkey.Schema, f *rowkey.FieldInfo) (out []rowkey.Cond) {
	switch f.Kind {
	case "uint":
		return []rowkey.Cond{rowkey.Eq(f.Name, min(f.Most, 7))}
	case "int":
		return []rowkey.Cond{rowkey.Eq(f.Name, int64(min(f.Most, 7)))}
	case "float":
		return []rowkey.Cond{rowkey.Eq(f.Name, 1.5)}
	case "bool":
		return []rowkey.Cond{rowkey.Eq(f.Name, true)}
	case "time":
		from, _ := spanOf(f)
		return []rowkey.Cond{rowkey.Eq(f.Name, from)}
	}
	texts := s.Values(f.Name)
	if f.Numeric {
		texts = append(texts, "1", "0.5")
	}
	letters := []string{"a", "0", "A", "-", "z"}
	if f.Chars != "" {
		letters = append([]string{f.Chars[:1]}, letters...)
	}
	for _, c := range letters {
		for _, n := range []int{1, f.Size, 2, 8, 16, 32, 36, 64} {
			if n > 0 {
				texts = append(texts, strings.Repeat(c, n))
			}
		}
	}
	texts = append(texts, "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01")
	for _, text := range texts {
		if f.Kind == "binary" {
			out = append(out, rowkey.Eq(f.Name, []byte(text)))
		} else {
			out = append(out, rowkey.Eq(f.Name, text))
		}
	}
	return out
}
