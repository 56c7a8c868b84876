// Package texts has the sentences that the command says in two languages: questions, answers,
// prices. A code with arguments stands for each, so that a program that reads codes need not
// read sentences. One table has the texts of a code in both languages. The package knows no
// schema; who uses a code knows what its arguments are.
package texts

import (
	"strconv"
	"strings"
)

// Text is one sentence in both languages. {0} is the first argument; {0:byte|bytes} is the number
// {0} and one of two nouns, the first one if the number is 1.
type Text struct{ English, Chinese string }

// Languages are those of the table, as --lang names them.
var Languages = []string{"en", "zh"}

// tables are all texts by their code; each file of the package adds its own. It is a function, so
// that a program which asks for none of a table need not hold it.
func tables() []map[string]Text { return []map[string]Text{draft, lint, mend, plan} }

// Plural is a count with its English noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Of is the text of a code; false if there is none.
func Of(code string) (Text, bool) {
	for _, table := range tables() {
		if t, ok := table[code]; ok {
			return t, true
		}
	}
	return Text{}, false
}

// Codes are all codes, in no order.
func Codes() (codes []string) {
	for _, table := range tables() {
		for code := range table {
			codes = append(codes, code)
		}
	}
	return codes
}

// In is the sentence of a code in a language: zh, or English for any other. A code without a
// text is its own sentence.
func In(lang, code string, args ...string) string {
	t, ok := Of(code)
	if !ok {
		return code
	}
	if lang == "zh" {
		return fill(t.Chinese, args)
	}
	return fill(t.English, args)
}

// fill puts the arguments into a text.
func fill(text string, args []string) string {
	var b strings.Builder
	for {
		head, tail, found := strings.Cut(text, "{")
		b.WriteString(head)
		if !found {
			return b.String()
		}
		inner, rest, _ := strings.Cut(tail, "}")
		text = rest
		number, nouns, plural := strings.Cut(inner, ":")
		i, err := strconv.Atoi(number)
		if err != nil || i >= len(args) {
			b.WriteString("{" + inner + "}")
			continue
		}
		b.WriteString(args[i])
		if plural {
			one, many, _ := strings.Cut(nouns, "|")
			if args[i] != "1" {
				one = many
			}
			b.WriteString(" " + one)
		}
	}
}
