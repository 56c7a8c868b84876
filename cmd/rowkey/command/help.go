package command

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// notation.md is docs/notation.md, which lies outside of this module; a test
// holds the two together.
//
//go:embed notation.md
var notationText string

//go:embed json.md
var jsonHelp string

// topics are what help explains besides the subcommands.
var topics = []struct{ name, short string }{
	{"notation", "the notation of schemas, all of it, with examples"},
	{"json", "what -o json writes, member by member"},
}

func topic(name string) string {
	switch name {
	case "notation":
		return notationText
	case "json":
		return jsonHelp
	}
	return ""
}

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [SUBCOMMAND | notation | json]",
		Short: "Explain a subcommand, the notation, or what -o json writes",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			out := subcommands(c.Root())
			for _, t := range topics {
				out = append(out, cobra.CompletionWithDesc(t.name, t.short))
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Root().Help()
			}
			if text := topic(args[0]); text != "" && len(args) == 1 {
				return a.write(text)
			}
			sub, _, err := c.Root().Find(args)
			if err != nil || sub == c.Root() || len(args) > 1 {
				words := subcommands(c.Root())
				for _, t := range topics {
					words = append(words, t.name)
				}
				return fmt.Errorf("no subcommand %s, and no notation or json%s; rowkey --help lists them", said.Shown(strings.Join(args, " ")), said.Perhaps(args[0], words))
			}
			return sub.Help()
		},
	}
}

// manCommand writes the manual's pages: one for rowkey, one for each subcommand,
// and rowkey-notation(5).
func (a *app) manCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write the manual's pages, for man",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected a directory, not %s", said.Plural(len(args), "argument"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			pages := map[string]string{
				"rowkey-notation.5": roff("rowkey-notation", "5", notationText),
				"rowkey-json.5":     roff("rowkey-json", "5", jsonHelp),
			}
			for _, sub := range append([]*cobra.Command{c.Root()}, c.Root().Commands()...) {
				if sub.Hidden || sub.Name() == "help" {
					continue
				}
				name := strings.ReplaceAll(sub.CommandPath(), " ", "-")
				pages[name+".1"] = manPage(name, sub)
			}
			for name, text := range pages {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
	return c
}

// roffText is a line as man takes it.
func roffText(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// verbatim is lines that stand as they are.
func verbatim(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(roffText(line) + "\n")
	}
	b.WriteString(".fi\n")
}

func manHead(name, section string) string {
	return fmt.Sprintf(".TH %q %q\n", strings.ToUpper(name), section)
}

// manPage is the page of a subcommand.
func manPage(name string, c *cobra.Command) string {
	var b strings.Builder
	b.WriteString(manHead(name, "1"))
	b.WriteString(".SH NAME\n" + roffText(name+" - "+c.Short) + "\n.SH SYNOPSIS\n")
	verbatim(&b, c.UseLine())
	b.WriteString(".SH DESCRIPTION\n")
	long := c.Long
	if long == "" {
		long = c.Short
	}
	verbatim(&b, long)
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, c.Example)
	}
	b.WriteString(".SH OPTIONS\n")
	add := func(f *pflag.Flag) {
		what, usage := pflag.UnquoteUsage(f)
		head := "--" + f.Name
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		if what != "" {
			head += " " + what
		}
		b.WriteString(".TP\n.B " + roffText(head) + "\n" + roffText(usage) + "\n")
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	b.WriteString(".SH EXIT STATUS\n")
	verbatim(&b, exitsOf(c))
	also := []string{"rowkey(1)", "rowkey-notation(5)", "rowkey-json(5)"}
	if !c.HasParent() {
		also = also[1:]
		for _, sub := range c.Commands() {
			if !sub.Hidden && sub.Name() != "help" {
				also = append(also, "rowkey-"+sub.Name()+"(1)")
			}
		}
	}
	slices.Sort(also)
	b.WriteString(".SH SEE ALSO\n" + roffText(strings.Join(also, ", ")) + "\n")
	return b.String()
}

// roff is a page of what is written in Markdown: headings, paragraphs, and all
// else as it stands.
func roff(name, section, text string) string {
	var b strings.Builder
	b.WriteString(manHead(name, section))
	fenced, table := false, false
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		row := !fenced && (strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- "))
		if row != table {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[row])
			table = row
		}
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[fenced])
		case fenced || row:
			b.WriteString(roffText(line) + "\n")
		case strings.HasPrefix(line, "#"):
			b.WriteString(".SH " + roffText(strings.ToUpper(strings.TrimLeft(line, "# "))) + "\n")
		case line == "":
			b.WriteString(".PP\n")
		default:
			b.WriteString(roffText(line) + "\n")
		}
	}
	return b.String()
}
