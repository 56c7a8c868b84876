package draft

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// mostFits bounds the combinations of answers that Fit tries.
const mostFits = 60000

// Fit answers questions from real keys of the table. It tries the usual answers, and keeps
// those with which every key decodes. In the draft that it returns a question has only the
// choices that were kept; one with a single choice is answered. If some answers give plausible
// values for all keys, only these are kept: times in the years 2000 to 2099, and text without
// control characters.
//
// One key never settles how a salt or a hash is computed: a wrong rule fits it by chance. Such a question
// keeps the choices that fit until two keys or more have shown 20 bits of salts and hashes.
//
// It is an error that wraps rowkey.ErrMalformed if no answers fit all keys. A draft with more
// than 60000 combinations of answers comes back as it is.
func (d *Draft) Fit(keys ...[]byte) (*Draft, error) {
	total := 1
	for _, q := range d.Open {
		if total *= len(q.Choices); total > mostFits || total == 0 {
			return d, nil
		}
	}
	used := make([]map[string]bool, len(d.Open))
	plausible := make([]map[string]bool, len(d.Open))
	for i := range d.Open {
		used[i], plausible[i] = map[string]bool{}, map[string]bool{}
	}
	fits, good := 0, 0
	shown := math.Inf(1) // the fewest bits of salts and hashes that a layout which fits has
	answers := make([]string, len(d.Open))
	for n := range total {
		for i, q := range d.Open {
			answers[i] = q.Choices[n%len(q.Choices)].Notation
			n /= len(q.Choices)
		}
		s, err := rowkey.Parse("", d.Decide(answers...))
		if err != nil {
			continue
		}
		ok, likely := fit(s, keys)
		if !ok {
			continue
		}
		fits++
		shown = min(shown, derivedBits(s)*float64(distinct(keys)))
		for i, a := range answers {
			used[i][a] = true
			if likely {
				plausible[i][a] = true
			}
		}
		if likely {
			good++
		}
	}
	if fits == 0 {
		return nil, fmt.Errorf("draft: no usual answers make a layout of which this is a key: %w", rowkey.ErrMalformed)
	}
	if good > 0 {
		used = plausible
	}
	given := make([]*string, len(d.Open))
	left := make([]Question, len(d.Open))
	for i, q := range d.Open {
		q.Choices = slices.DeleteFunc(slices.Clone(q.Choices), func(c Choice) bool { return !used[i][c.Notation] })
		if left[i] = q; len(q.Choices) == 1 && (!q.derived() || distinct(keys) > 1 && shown >= enoughBits) {
			given[i] = &q.Choices[0].Notation
		}
	}
	return (&Draft{Notation: d.Notation, Open: left}).answered(given), nil
}

// enoughBits are so many bits of salts and hashes that a wrong rule hardly ever fits by chance.
const enoughBits = 20

// derived reports that a question is about how a salt or a hash is computed.
func (q Question) derived() bool {
	return texts.Derived(q.What.Code)
}

// derivedBits is how many bits of a key follow from its other fields.
func derivedBits(s *rowkey.Schema) (bits float64) {
	for f := range s.Fields() {
		switch {
		case f.Kind == "salt":
			bits += math.Log2(float64(f.Count))
		case f.Kind == "hash" && strings.Contains(f.Notation, ".hex"):
			bits += 4 * float64(f.Size)
		case f.Kind == "hash":
			bits += 8 * float64(f.Size)
		}
	}
	return bits
}

// distinct is how many keys differ.
func distinct(keys [][]byte) int {
	seen := map[string]bool{}
	for _, key := range keys {
		seen[string(key)] = true
	}
	return len(seen)
}

// fit reports whether all keys decode, and whether all their values are plausible.
func fit(s *rowkey.Schema, keys [][]byte) (ok, likely bool) {
	likely = true
	for _, key := range keys {
		row, err := s.Decode(key)
		if err != nil {
			return false, false
		}
		for _, v := range row.All() {
			likely = likely && plausible(v)
		}
	}
	return true, likely
}

// plausible reports that a value is one that people store: a time of this century, text without
// control characters, or anything else.
func plausible(v any) bool {
	switch v := v.(type) {
	case time.Time:
		return v.Year() >= 2000 && v.Year() < 2100
	case string:
		return utf8.ValidString(v) && !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f })
	}
	return true
}
