package command

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The library's errors name the options as Go has them; whoever typed a notation
// is told the notation.

var goWord = regexp.MustCompile(`\b[A-Z][A-Za-z]+\b(?:'s\b)?`)

// asNotation is what stands in the notation for words of Go that are no options.
var asNotation = map[string]string{
	"Separator": "['_']", "Literal": `["x"]`, "Copy": "copy", "Layout": "layout", "Since": "since", "Years": "years", "Raw": "raw(n)", "Rest": "rest()", "Text": "text",
	"Named": "named", "Bucket": "bucket", "Via": "via", "Uint": "number", "Int": "number", "Time": "time", "Float": "float", "MaxLen": "maxlen", "Seed": "seed", "Upper": "upper", "Size": "size",
}

// phrases are told before the words are.
var phrases = strings.NewReplacer(
	"add a Separator, Fixed, Pad or Escaped", "add ['_'] behind it, or fixed(n), pad(n,' ') or escaped",
	"one of Fixed, Pad, PadLeft, Escaped and LenPrefix", "one of fixed(n), pad(n,' '), padleft(n,'0'), escaped and lenprefix(n)",
	"a Separator or Literal", "a constant", "a Literal", `a constant as ["x"]`, "a Uint, Int or Time", "a number or a time",
	"say Uint, 1 byte, Below(2)", "say :1 below(2)", "say an Int of 1 byte", "say :i1", "MaxInt32", "2147483647")

// inNotation is the first line of an error in words of the notation.
func inNotation(err error) error {
	text := err.Error()
	first, rest, more := strings.Cut(text, "\n")
	words := notation.Words()
	first = goWord.ReplaceAllStringFunc(phrases.Replace(first), func(w string) string {
		switch lower := strings.ToLower(w); {
		case asNotation[w] != "":
			return asNotation[w]
		case slices.Contains(words, lower):
			return lower
		}
		return w
	})
	if more {
		first += "\n" + rest
	}
	if first == text {
		return err
	}
	return worded{first, err}
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w worded) Error() string { return w.text }
func (w worded) Unwrap() error { return w.err }
