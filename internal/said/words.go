package said

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// The library's errors name the options as Go has them; whoever typed a notation
// is told the notation.

var goWord = pattern.New(`\b[A-Z][A-Za-z]+\b(?:'s\b)?`)

// asNotation is what stands in the notation for words of Go that are no options.
var asNotation = map[string]string{
	"Separator": "['_']", "Literal": `["x"]`, "Copy": "copy", "Layout": "layout", "Since": "since", "Years": "years", "Raw": "raw(n)", "Rest": "rest()", "Text": "text",
	"Named": "named", "Bucket": "bucket", "Via": "via", "Uint": "number", "Int": "number", "Time": "time", "Float": "float", "MaxLen": "maxlen", "Seed": "seed", "Upper": "upper", "Size": "size",
}

// phrases are told before the words are.
var phrases = strings.NewReplacer(
	"add a Separator, Fixed, Pad or Escaped", "add ['_'] after it, or fixed(n), pad(n,' ') or escaped",
	"one of Fixed, Pad, PadLeft, Escaped and LenPrefix", "one of fixed(n), pad(n,' '), padleft(n,'0'), escaped and lenprefix(n)",
	"a Separator or Literal", "a constant", "a Literal", `a constant as ["x"]`, "a Uint, Int or Time", "a number or a time",
	"say Uint, 1 byte, Below(2)", "say :1 below(2)", "say an Int of 1 byte", "say :i1", "MaxInt32", "2147483647")

// InNotation is the first line of an error in words of the notation.
func InNotation(err error) error {
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
	Text string
	err  error
}

func (w worded) Error() string { return w.Text }
func (w worded) Unwrap() error { return w.err }

// typeWords are types of programs and databases, and the notation of each.
var typeWords = map[string]string{
	"int64": ":i8", "int32": ":i4", "int16": ":i2", "int8": ":i1", "long": ":8 or :i8, if it may be negative", "bigint": ":8 or :i8, if it may be negative",
	"int": ":4 or :i4, if it may be negative", "integer": ":4 or :i4, if it may be negative", "short": ":2 or :i2, if it may be negative", "uint64": ":8", "uint32": ":4", "uint16": ":2", "uint8": ":1", "byte": ":1",
	"float64": ":f8", "double": ":f8", "float32": ":f4", "float": ":f4", "bool": ":bool", "boolean": ":bool", "bytes": ":bytes", "binary": ":bytes",
	"string": ", without a type", "text": ", without a type", "varchar": ", without a type",
}

var (
	typed      = pattern.New(`\[([\p{L}\p{N}_]+)[ :]([A-Za-z0-9]+)\b`)
	allOptions = pattern.New(`: expected '\]' or an option: [^:\n]*?(: schema cannot be built|\n|$)`)
)

// TypeHint puts the notation of a type that stands where an option was expected into the
// error, in place of all options.
func TypeHint(notation string, err error) error {
	text := err.Error()
	if !strings.Contains(text, "expected ") {
		return err
	}
	for _, m := range typed.FindAllStringSubmatch(notation, -1) {
		way := typeWords[strings.ToLower(m[2])]
		if way == "" || strings.HasPrefix(way, ":"+m[2]) {
			continue
		}
		says := fmt.Sprintf(": %s %s is [%s%s]", m[1], m[2], m[1], way)
		if name, more, ok := strings.Cut(way, " or "); ok {
			says = fmt.Sprintf(": %s %s is [%s%s], or [%s%s", m[1], m[2], m[1], name, m[1], strings.Replace(more, ",", "]", 1))
		} else if strings.HasPrefix(way, ",") {
			says = fmt.Sprintf(": %s %s is [%s]", m[1], m[2], m[1])
		}
		if strings.HasPrefix(text, m[1]+": ") && allOptions.MatchString(text) {
			return worded{allOptions.ReplaceAllString(text, says+"$1"), err}
		}
	}
	return err
}
