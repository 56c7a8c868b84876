package command

import (
	"errors"
	"fmt"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"os"
	"path/filepath"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/spf13/cobra"
)

// The exit codes of diff.
const (
	diffSame    = 0 // the same bytes and the same limits
	diffLimits  = 1 // the same bytes, other limits
	diffBytes   = 2 // other bytes
	diffUnknown = 3 // one of the two cannot be read
)

// diffName is the name of the subcommand whose errors all have the code diffUnknown.
const diffName = "diff"

// code is an answer that is said by the exit code alone.
type code int

func (c code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

func (a *app) diffCommand() *cobra.Command {
	var asked []string
	var when whenFlags
	c := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Say what changes between two layouts: bytes, limits, what questions read",
		Long: `Compare two layouts, as a review or a CI does. Each is a notation, a name in rowkey.yaml, a file that
holds a notation, or a name in another file of schemas: old.yaml:trades.

For other bytes it lists the questions that read more ranges or fewer, what the change costs, and the
page that says how it is made. The questions are those by each field, by the first fields of each of the
two, and by spans of time; --question adds one, in the words of scan, with " and " between its conditions.`,
		Example: `  rowkey diff "[salt16(uid)][uid]" "[salt32(uid)][uid]"
  rowkey diff old.yaml:trades trades --question 'seller=s-42 and at>=2023-05-16'`,
		ValidArgsFunction: a.completeNames,
		Annotations: map[string]string{ownExits: `Exit: 0 the same bytes for every key, and the same limits; names of fields may differ
      1 the same bytes; values that the one takes and the other refuses
      2 other bytes: rows of a table get other keys
      3 misuse, or one of the two cannot be read`},
	}
	a.takesConfig(c)
	c.Flags().StringArrayVar(&asked, "question", nil, "a `question` that is compared, too; may be said again")
	a.takesWhen(c, &when)
	a.outputs(c, "table", "json")
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 2 {
			return fmt.Errorf("expected two layouts, not %d", len(args))
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error { return a.diff(asked, when, args) }
	return c
}

func (a *app) diff(asked []string, when whenFlags, args []string) error {
	var two [2]named
	for i, text := range args {
		s, err := a.loadAny(text)
		if err != nil {
			return err
		}
		two[i] = s
	}
	how, err := a.values(when)
	if err != nil {
		return err
	}
	d, err := compare.Schemas(two[0].Schema, two[1].Schema, how, asked)
	a.tellNotes()
	if err != nil {
		return fmt.Errorf("--question: %w", err)
	}
	out := a.diffText(d)
	if a.out == "json" {
		out = said.JsonText(d) + "\n"
	}
	if err := a.write(out); err != nil {
		return err
	}
	if diffCode(d) != diffSame {
		return code(diffCode(d))
	}
	return nil
}

// loadAny reads a layout in any of the ways in which diff takes one.
func (a *app) loadAny(text string) (named, error) {
	if strings.TrimSpace(text) == "" {
		return named{}, errEmpty
	}
	if strings.Contains(text, "[") {
		return parseGiven(text, said.Shown(text))
	}
	if isFile(text) {
		return loadFile(text)
	}
	if file, name, ok := strings.Cut(text, ".yaml:"); ok {
		return loadFrom(file+".yaml", name)
	}
	if file, name, ok := strings.Cut(text, ".yml:"); ok {
		return loadFrom(file+".yml", name)
	}
	s, err := a.loadNamed("", text)
	var unknown *unknownName
	if errors.As(err, &unknown) && unknown.near == "" {
		switch info, why := os.Stat(text); { // no name, and no file
		case why == nil && info.IsDir():
			err = fmt.Errorf("%s is a directory", text)
		case why != nil && (filepath.Ext(text) != "" || filepath.Base(text) != text): // it is meant as one
			err = fmt.Errorf("%w; %w", err, why)
		}
	}
	return s, err
}

// loadFrom reads a named schema of a file of schemas.
func loadFrom(file, name string) (named, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return named{}, err
	}
	all, err := parseConfig([]byte(strings.TrimPrefix(string(data), bomText)))
	if err != nil {
		return named{}, fmt.Errorf("%s: %w", file, err)
	}
	for _, e := range all {
		if e.name == name {
			return e.build(file)
		}
	}
	return named{}, fmt.Errorf("%s has no %s: %s%s", file, name, strings.Join(names(all), ", "), said.Perhaps(name, names(all)))
}

func diffCode(d *compare.Difference) int {
	return map[string]int{"same": diffSame, "limits": diffLimits, "bytes": diffBytes}[d.Verdict]
}

// diffText is a difference for people.
func (a *app) diffText(d *compare.Difference) string {
	var b strings.Builder
	switch d.Verdict {
	case "same":
		b.WriteString("the same bytes for every key, and the same limits\n")
	case "limits":
		b.WriteString("the same bytes, other limits\n")
	case "bytes":
		b.WriteString(otherBytes(d))
	}
	for _, r := range d.Renamed {
		fmt.Fprintf(&b, "  %s is called %s\n", r[0], r[1])
	}
	for _, l := range d.Limits {
		of := l.Field
		if of == "" {
			of = "the key"
		}
		fmt.Fprintf(&b, "  %s: %s: %s → %s\n", of, map[string]string{"wider": "takes more values", "narrower": "refuses values that it took", "other": "takes other values"}[l.Change], orNone(l.From), orNone(l.To))
	}
	for _, p := range d.Pieces {
		fmt.Fprintf(&b, "  %s %s\n", p.Sign, p.Piece)
	}
	if len(d.Questions) > 0 {
		rows := make([][]string, len(d.Questions))
		for i, q := range d.Questions {
			rows[i] = []string{q.Change, q.Question, q.From.String(), q.To.String()}
		}
		b.WriteString(a.grid([]string{"", "question", "before", "after"}, rows))
	}
	if d.Verdict != "bytes" {
		return b.String()
	}
	if keptLast(d) {
		fmt.Fprintf(&b, "the rows of a table may stay; one whose %s gets a value is written anew under its new key\n", d.Lacking[0])
	} else {
		b.WriteString("to change a table: each row is written anew under its new key")
		b.WriteString(longerText(d) + "\n")
	}
	if len(d.Lacking) > 0 {
		fmt.Fprintf(&b, "the old keys do not hold %s: columns of the rows must give it\n", strings.Join(d.Lacking, ", "))
	} else {
		b.WriteString("the old keys hold all fields of the new ones: rowkey convert makes one of the other\n")
	}
	return b.String() + "how a live table is changed: " + changePage + "\n"
}

// changePage is a page that an installed command does not have beside it.
const changePage = "https://github.com/hbase-rowkey/rowkey/blob/main/docs/change.md"

// keptLast reports that old keys are keys of the new layout, without a value of its last field, which is
// the one that they lack.
func keptLast(d *compare.Difference) bool {
	return d.Kept == compare.KeptEmpty || d.Kept == compare.KeptNull
}

// otherBytes says what keys written so far are to a layout of other bytes.
func otherBytes(d *compare.Difference) string {
	switch {
	case keptLast(d):
		return fmt.Sprintf("other bytes where %s is not %s: a key written so far is a key of the new layout, and its %[1]s is %[2]s\n", d.Lacking[0], d.Kept)
	case d.Kept == compare.KeptNone:
		return "other bytes: a key written so far is no key of the new layout\n"
	}
	return "other bytes: rows get other keys\n"
}

// longerText says by how much each key grows; nothing if that varies.
func longerText(d *compare.Difference) string {
	more, word := d.Longer, "longer"
	switch {
	case more == 0:
		return ""
	case more < 0:
		more, word = -more, "shorter"
	}
	return fmt.Sprintf(", which is %s %s: %d GB in 10⁹ cells", said.Plural(more, "byte"), word, more)
}

func orNone(s string) string {
	if s == "" {
		return "no limit"
	}
	return s
}
