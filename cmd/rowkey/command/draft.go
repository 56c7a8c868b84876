package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/internal/texts"
	"github.com/spf13/cobra"
)

var errNoDesign = errors.New("expected a design, such as '[md5(userid).subStr(0,4)][userid][orderid]'")

func (a *app) draftCommand() *cobra.Command {
	var samples []string
	var file string
	c := &cobra.Command{
		Use:   "draft DESIGN [ANSWER…]",
		Short: "Read a layout as documents and code write it, and ask what it leaves open",
		Long: `Read a layout as documents and code write it, such as '[md5(userid).subStr(0,4)][userid]' or
'String.format("%02d_%s", h % 16, uid)', and ask what it leaves open: whether uid is text or a
number and where it ends, which of its bytes are hashed, in which unit a time counts. It reads
expressions and statements of many languages, SQL, tables, lists and short sentences, in English
and Chinese. What it does not understand it refuses, and shows the place. A design of several
lines comes from a file (-f) or from standard input, as without a DESIGN.

The answers, in the order of the questions, make it a notation. An answer is the number of a
choice, or a piece of notation, which may be empty or another than the ones shown; of a question
for a number, such as of buckets, it is that number. Each choice has its price, in bytes of a key
or ranges of a query. A real key (--sample) tells widths; how a salt is computed it does not
settle by itself: rowkey infer finds that in many keys. On a terminal each question is asked. While something is open, the exit code is 1.`,
		Example: `  rowkey draft '[md5(userid).subStr(0,4)][userid][orderid]'
  rowkey draft '[md5(userid).subStr(0,4)][userid][orderid]' 1 1 2 4
  rowkey draft 'reverse(phone) + "_" + (Long.MAX_VALUE - ts)' --sample 87654321131_9223370352651145806
  rowkey draft -f RowKeys.java`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && file == "" && a.inTerminal {
				return errNoDesign
			}
			return nil
		},
	}
	a.outputs(c, "table", "json")
	c.Flags().StringArrayVar(&samples, "sample", nil, "a real `key`, in hexadecimal or as hbase shell writes it; may stand several times")
	c.Flags().VarP(&filled{text: &file, empty: errNoFile}, "file", "f", "read the design from `FILE`; - is standard input")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 && file == "" {
			file = "-"
		}
		piped := file == "-" || file == "" && args[0] == "-"
		design, args, err := a.design(file, args)
		if err != nil {
			return err
		}
		d, err := draft.Read(design)
		if err != nil {
			var e *draft.Error
			if errors.As(err, &e) {
				return errors.New(strings.TrimPrefix(e.Error(), "draft: "))
			}
			return err
		}
		if d, err = fitted(d, samples); err != nil {
			return err
		}
		answers := args
		if len(answers) > len(d.Open) {
			return fmt.Errorf("expected %s at most, not %d", said.Plural(len(d.Open), "answer"), len(answers))
		}
		given := make([]string, 0, len(d.Open))
		for i, answer := range answers {
			chosen, err := choose(d.Open[i], answer)
			if err != nil {
				return err
			}
			given = append(given, chosen)
		}
		if !piped && a.inTerminal && a.outTerminal && a.out != "json" {
			if given, err = a.interview(d, given); err != nil {
				return err
			}
		}
		return a.showDraft(d, given)
	}
	return c
}

// mostDesign bounds what is read of a file: draft refuses a longer design.
const mostDesign = 64 << 10

// design is the text of a design, and the answers after it.
func (a *app) design(file string, args []string) (design string, answers []string, err error) {
	answers = args
	if file == "" {
		if args[0] != "-" {
			if list, ok := strings.CutPrefix(args[0], " "); ok && strings.HasPrefix(list, "- ") {
				return list, args[1:], nil // the blank kept it from being read as a flag
			}
			if filepath.Ext(args[0]) != "" && isFile(args[0]) {
				return "", nil, fmt.Errorf("%s is a file: -f reads the design in it", args[0])
			}
			return args[0], args[1:], nil
		}
		file, answers = "-", args[1:]
	}
	in := a.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", nil, fmt.Errorf("-f: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, mostDesign))
	if err != nil {
		return "", nil, fmt.Errorf("-f: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		if file != "-" {
			return "", nil, fmt.Errorf("-f: %s holds no design", file)
		}
		return "", nil, errNoDesign
	}
	return strings.TrimPrefix(string(text), bomText), answers, nil
}

// fitted is the draft as real keys answer it.
func fitted(d *draft.Draft, samples []string) (*draft.Draft, error) {
	if len(samples) == 0 {
		return d, nil
	}
	var hex, text [][]byte
	for _, s := range samples {
		if s == "" {
			return nil, errors.New("--sample: the key is empty")
		}
		if key, err := said.ParseKey(s, said.FormHex); err == nil {
			hex = append(hex, key)
		}
		key, err := said.ParseKey(s, said.FormText)
		if err != nil {
			return nil, fmt.Errorf("--sample: %w", err)
		}
		text = append(text, key)
	}
	if len(hex) == len(samples) {
		if fit, err := d.Fit(hex...); err == nil {
			return fit, nil
		}
	}
	fit, err := d.Fit(text...)
	if err != nil {
		return nil, finding{fmt.Errorf("--sample: no usual answers make a layout of which %s", map[bool]string{true: "this is a key", false: "these are keys"}[len(samples) == 1])}
	}
	return fit, nil
}

// choose is the answer that a person gave: the number of a choice stands for
// that choice, unless the choices are numbers themselves.
func choose(q draft.Question, answer string) (string, error) {
	n, err := strconv.Atoi(answer)
	if err != nil {
		return answer, nil
	}
	if _, err := strconv.Atoi(q.Choices[0].Notation); err == nil {
		return answer, nil
	}
	if n < 1 || n > len(q.Choices) {
		return "", fmt.Errorf("%s: expected a choice from 1 to %d, or a piece of notation, not %d", q.What, len(q.Choices), n)
	}
	return q.Choices[n-1].Notation, nil
}

// interview asks what is open, one question after another.
func (a *app) interview(d *draft.Draft, given []string) ([]string, error) {
	lines := bufio.NewScanner(a.stdin)
	for len(given) < len(d.Open) {
		q := d.Open[len(given)]
		if err := a.write("\n" + a.asked(len(given)+1, question{What: q.What.In(a.lang), Choices: choices(q, a.lang)})); err != nil {
			return nil, err
		}
		fmt.Fprint(a.stdout, "   ? ")
		if !lines.Scan() {
			return given, lines.Err()
		}
		chosen, err := choose(q, strings.TrimSpace(lines.Text()))
		if err != nil { // once more
			a.complain(err)
			continue
		}
		given = append(given, chosen)
	}
	return given, nil
}

// showDraft prints the draft with the answers given.
func (a *app) showDraft(d *draft.Draft, given []string) error {
	decided := drafted{Notation: d.Decide(given...), Open: []question{}}
	for _, q := range d.Open[len(given):] {
		decided.Open = append(decided.Open, question{Field: q.Field, Code: q.What.Code, Args: q.What.Args, What: q.What.In(a.lang), Choices: choices(q, a.lang)})
	}
	if len(decided.Open) == 0 {
		s, err := parse("", decided.Notation, "the notation")
		if err != nil {
			return err
		}
		decided.Notation = s.String()
	}
	a.bad = len(decided.Open) > 0
	if a.out == "json" {
		return a.write(said.JsonText(decided) + "\n")
	}
	return a.write(a.drafted(decided, len(given)))
}

func choices(q draft.Question, lang string) []choice {
	out := []choice{}
	for _, c := range q.Choices {
		out = append(out, choice{Notation: c.Notation, Code: c.Meaning.Code, Args: c.Meaning.Args, Meaning: c.Meaning.In(lang), Price: c.Price.In(lang)})
	}
	return out
}

// drafted is a draft as JSON.
type drafted struct {
	Notation string     `json:"notation"`
	Open     []question `json:"open"`
}

type question struct {
	Field   string   `json:"field,omitempty"`
	Code    string   `json:"code"`
	Args    []string `json:"args,omitempty"`
	What    string   `json:"what"`
	Choices []choice `json:"choices"`
}

type choice struct {
	Notation string   `json:"notation"`
	Code     string   `json:"code"`
	Args     []string `json:"args,omitempty"`
	Meaning  string   `json:"meaning"`
	Price    string   `json:"price"`
}

// drafted is a draft as text; so many questions have been answered.
func (a *app) drafted(d drafted, answered int) string {
	var b strings.Builder
	b.WriteString(d.Notation + "\n")
	for i, q := range d.Open {
		b.WriteString("\n" + a.asked(answered+i+1, q))
	}
	if slices.ContainsFunc(d.Open, func(q question) bool { return texts.Derived(q.Code) }) {
		b.WriteString("\n" + texts.In(a.lang, "infer.rows") + "\n")
	}
	return a.head(b.String(), false)
}

// asked is a question and its choices, a line each.
func (a *app) asked(n int, q question) string {
	var rows [][]string
	for i, c := range q.Choices {
		rows = append(rows, []string{fmt.Sprintf("   %d", i+1), quoted(c.Notation), c.Meaning, c.Price})
	}
	return fmt.Sprintf("%d. %s\n%s", n, q.What, a.grid(nil, rows))
}

// quoted is an argument as a shell takes it.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:,+/") == "" {
		return s
	}
	if strings.Contains(s, "'") && !strings.ContainsAny(strings.ReplaceAll(s, `\x`, ""), "\"$`\\!") {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
