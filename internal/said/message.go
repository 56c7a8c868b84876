package said

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// PlainError is an error without the library's name in front, which is the
// command's.
func PlainError(err error) string { return strings.TrimPrefix(err.Error(), "rowkey: ") }

// OneOf lists what was expected: "a, b or c".
func OneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Plural is a count with its noun.
func Plural(n int, noun string) string { return texts.Plural(n, noun) }

// Told is an error of which a part, such as the value, differs from line to
// line: lines are told apart by the rest.
type Told struct{ Cause, Detail string }

func (t Told) Error() string { return t.Cause + t.Detail }

// Shown is input in a message, cut short.
func Shown(s string) string {
	const most = 40
	more := ""
	if len(s) > most {
		end := most
		for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s, more = s[:end], "…"
	}
	printable := utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0
	switch {
	case printable && !strings.Contains(s, `"`):
		return `"` + s + `"` + more
	case printable && !strings.Contains(s, "'"):
		return "'" + s + "'" + more
	}
	return strconv.Quote(s) + more
}

// JsonText is a value as JSON, on one line.
func JsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of strings, numbers and bools that this command made
	}
	return strings.TrimSuffix(b.String(), "\n")
}
