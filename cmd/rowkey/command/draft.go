package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) draftCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "draft DESIGN [ANSWER…]",
		Short: "Read a layout as a design document writes it, and ask what it leaves open",
		Long: `Read a layout as a design document writes it, and ask what it leaves open: whether uid is text or a
number and where it ends, which of its bytes are hashed, in which unit a time counts. The answers,
in the order of the questions, make it a notation; an answer may be empty, and may be any piece
of notation besides the ones shown. While something is open, the exit code is 1.`,
		Example: `  rowkey draft '[md5(userid).subStr(0,4)][userid][orderid]'
  rowkey draft '[md5(userid).subStr(0,4)][userid][orderid]' userid '' "['_']" :8`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected a design, such as '[md5(userid).subStr(0,4)][userid][orderid]'")
			}
			return nil
		},
	}
	a.outputs(c, "table", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		d, err := rowkey.ParseLoose(args[0])
		if err != nil {
			return reason(err)
		}
		answers := args[1:]
		if len(answers) > len(d.Open) {
			return fmt.Errorf("expected %s at most, not %d", plural(len(d.Open), "answer"), len(answers))
		}
		decided := drafted{Notation: d.Decide(answers...), Open: []question{}}
		for _, q := range d.Open[len(answers):] {
			asked := question{Field: q.Field, What: q.What, Choices: []choice{}}
			for _, c := range q.Choices {
				asked.Choices = append(asked.Choices, choice(c))
			}
			decided.Open = append(decided.Open, asked)
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
			return a.write(jsonText(decided) + "\n")
		}
		return a.write(a.drafted(decided, len(answers)))
	}
	return c
}

// drafted is a draft as JSON.
type drafted struct {
	Notation string     `json:"notation"`
	Open     []question `json:"open"`
}

type question struct {
	Field   string   `json:"field,omitempty"`
	What    string   `json:"what"`
	Choices []choice `json:"choices"`
}

type choice struct {
	Notation string `json:"notation"`
	Meaning  string `json:"meaning"`
}

// drafted is a draft as text; so many questions have been answered.
func (a *app) drafted(d drafted, answered int) string {
	var b strings.Builder
	b.WriteString(d.Notation + "\n")
	for i, q := range d.Open {
		fmt.Fprintf(&b, "\n%d. %s\n", answered+i+1, q.What)
		var rows [][]string
		for _, c := range q.Choices {
			rows = append(rows, []string{"   ", quoted(c.Notation), c.Meaning})
		}
		b.WriteString(a.grid(nil, rows))
	}
	return a.head(b.String(), false)
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
