package draft

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// What an answer costs. Nobody writes it down: it is read off the schema that
// the answer makes, with the first of the usual answers to the other questions.

// mostPriced bounds the questions whose answers have a price: each of them is a
// schema of its own.
const mostPriced = 40

// price says the price of each answer; ranges says of each question whether that
// is in ranges.
func (d *Draft) price(ranges []bool) {
	if len(d.Open) > mostPriced {
		return
	}
	for i := range d.Open {
		for j := range d.Open[i].Choices {
			c := &d.Open[i].Choices[j]
			c.Price = d.priceOf(i, j, ranges[i])
		}
	}
}

// priceOf is the price of an answer to question i. Where the first answers to the
// others make no schema with it, a constant behind its component may, or another
// answer to one of them.
func (d *Draft) priceOf(i, j int, ranges bool) string {
	answers := make([]string, len(d.Open))
	for k, q := range d.Open {
		answers[k] = q.Choices[0].Notation
	}
	answers[i] = d.Open[i].Choices[j].Notation
	text, at := d.decide(answers)
	n, within := componentAt(text, at[i])
	if !within && answers[i] == "" {
		return bytesAKey(0)
	}
	tries := []string{text}
	if end := strings.IndexByte(text[at[i]+len(answers[i]):], ']') + at[i] + len(answers[i]) + 1; within {
		tries = append(tries, text[:end]+`['\x00']`+text[end:])
	}
	for k, q := range d.Open {
		if k == i {
			continue
		}
		for _, c := range q.Choices[1:] {
			other := slices.Clone(answers)
			other[k] = c.Notation
			text, _ := d.decide(other)
			tries = append(tries, text)
		}
	}
	for _, text := range tries {
		s, err := rowkey.Parse("", text)
		if err != nil {
			continue
		}
		if price := priced(s, n, ranges); price != "" {
			return price
		}
	}
	return ""
}

// priced is what component n of a schema costs.
func priced(s *rowkey.Schema, n int, ranges bool) string {
	for f := range s.Fields() {
		if n--; n >= 0 {
			continue
		}
		if ranges {
			return rangesOf(s, f)
		}
		return bytesOf(f)
	}
	return ""
}

// componentAt is how many components end in front of a byte of a notation, and
// whether one has begun there.
func componentAt(text string, at int) (n int, within bool) {
	quote := byte(0)
	for i := 0; i < at; i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			within = true
		case c == ']':
			n, within = n+1, false
		}
	}
	return n, within
}

func bytesAKey(n int) string { return plural(n, "byte") + " a key" }

// bytesOf is what a component takes of a key.
func bytesOf(f rowkey.FieldInfo) string {
	switch {
	case !f.Stored:
		return bytesAKey(0)
	case f.Size > 0:
		return bytesAKey(f.Size)
	case f.Kind == "salt":
		return upTo(f.Buckets - 1)
	case f.Kind == "uint":
		return upTo(f.Most)
	case f.Kind == "time":
		return upTo(math.MaxInt64)
	case strings.Contains(f.Notation, " escaped"):
		return "its bytes and at least 2 more"
	}
	return "its bytes"
}

// upTo is what a number in decimal takes.
func upTo(most uint64) string {
	if n := len(strconv.FormatUint(most, 10)); n > 1 {
		return fmt.Sprintf("1 to %d bytes a key", n)
	}
	return bytesAKey(1)
}

var fieldName = regexp.MustCompile(`[\pL\d_.-]+`)

// rangesOf is how many ranges a query reads because of a component.
func rangesOf(s *rowkey.Schema, f rowkey.FieldInfo) string {
	if f.Kind == "uint" { // one that the writer draws
		return plural(int(f.Most)+1, "range") + " a query"
	}
	var inputs []string
	_, text, _ := strings.Cut(f.Notation, "(")
	for _, w := range fieldName.FindAllString(text, -1) {
		for other := range s.Fields() {
			if other.Name == w && !other.Derived && !slices.Contains(inputs, w) {
				inputs = append(inputs, w)
			}
		}
	}
	if len(inputs) == 0 {
		return plural(int(f.Buckets), "range") + " a query"
	}
	out := "1 range a query that knows " + strings.Join(inputs, " and ")
	if f.Kind == "salt" {
		out += fmt.Sprintf(", else %d", f.Buckets)
	}
	return out
}
