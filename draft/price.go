package draft

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// The price of an answer is what the schema that it makes says, with the first choice as the
// answer to each other question.

// mostPriced is the most questions whose answers get a price, since each answer takes a schema
// of its own.
const mostPriced = 40

// price sets the price of each answer. ranges says of each question whether the price is a number
// of ranges; else it is a number of bytes.
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

// priceOf is the price of answer j to question i. If it makes no schema together with the first
// choices of the other questions, it is tried with a constant after its component, and with each
// other choice of one of those questions.
func (d *Draft) priceOf(i, j int, ranges bool) Text {
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
		s, err := rowkey.Parse("", spelled(text))
		if err != nil {
			continue
		}
		if price := priced(s, n, ranges); price.Code != "" {
			return price
		}
	}
	return Text{}
}

// priced is what component n of a schema costs.
func priced(s *rowkey.Schema, n int, ranges bool) Text {
	for f := range s.Fields() {
		if n--; n >= 0 {
			continue
		}
		if ranges {
			return rangesOf(s, f)
		}
		return bytesOf(f)
	}
	return Text{}
}

// componentAt is how many components of a notation end before a byte, and whether the byte lies
// within one.
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

func bytesAKey(n int) Text { return say("price-bytes", n) }

// bytesOf is what a component takes of a key.
func bytesOf(f rowkey.FieldInfo) Text {
	switch {
	case !f.Stored:
		return bytesAKey(0)
	case f.Size > 0:
		return bytesAKey(f.Size)
	case f.Kind == "salt":
		return upTo(f.Count - 1)
	case f.Kind == "uint":
		return upTo(f.Most)
	case f.Kind == "time":
		return upTo(math.MaxInt64)
	case strings.Contains(f.Notation, " escaped"):
		return say("price-escaped")
	}
	return say("price-own")
}

// upTo is what a number in decimal takes.
func upTo(most uint64) Text {
	if n := len(strconv.FormatUint(most, 10)); n > 1 {
		return say("price-upto", n)
	}
	return bytesAKey(1)
}

var fieldName = pattern.New(`[\pL\d_.-]+`)

// rangesOf is how many ranges a query reads because of a component.
func rangesOf(s *rowkey.Schema, f rowkey.FieldInfo) Text {
	if f.Kind == "uint" { // one that the writer draws
		return say("price-ranges", f.Most+1)
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
		return say("price-ranges", f.Count)
	}
	if f.Kind == "salt" {
		return say("price-salt", strings.Join(inputs, ", "), f.Count)
	}
	return say("price-known", strings.Join(inputs, ", "))
}
