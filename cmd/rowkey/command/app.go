package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/internal/shell"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	exitFine   = 0
	exitFound  = 1 // keys that do not fit, lines that could not be read, a query no range can answer
	exitMisuse = 2 // wrong flags, columns or names, no schema, a file that cannot be read
)

// finding is an answer of "no" to a call that was right. Every other error is
// misuse.
type finding struct{ err error }

func (f finding) Error() string { return f.err.Error() }
func (f finding) Unwrap() error { return f.err }

// run is the command: it never exits, and every error is one line on stderr (a
// notation's comes with the line and a caret).
func (a *app) run(args []string) int {
	root := a.command()
	root.SetArgs(longFlags(root, args))
	root.SetIn(a.stdin)
	help := &remembered{w: a.stdout}
	root.SetOut(help)
	root.SetErr(a.stderr)
	ran, err := root, noSubcommand(root, args)
	if err == nil {
		ran, err = root.ExecuteC()
	}
	if err == nil {
		err = help.err
	}
	var found finding
	var own code
	switch {
	case errors.As(err, &own):
		return int(own)
	case err == nil && a.bad:
		return exitFound
	case err == nil:
		return exitFine
	}
	a.complain(err)
	switch {
	case ran.Name() == diffName:
		return diffUnknown
	case errors.As(err, &found):
		return exitFound
	}
	return exitMisuse
}

// remembered keeps the first error of a writer, for cobra's help, which loses it.
type remembered struct {
	w   io.Writer
	err error
}

func (r *remembered) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	r.err = cmp.Or(r.err, err)
	return n, err
}

// complain tells an error on stderr.
func (a *app) complain(err error) {
	fmt.Fprintf(a.stderr, "%s %s\n", a.paint(text.FgRed, "rowkey:", a.errTerminal), visible(said.PlainError(err)))
}

// visible is a message with \x1B in place of bytes that a terminal would obey: names of a file that is
// no CSV may hold any.
func visible(message string) string {
	var b strings.Builder
	for rest := message; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' && r != '\t' {
			b.WriteString(shell.Text([]byte(rest[:n])))
		} else {
			b.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	return b.String()
}

// paint colours a piece of text for a terminal.
func (a *app) paint(c text.Color, s string, terminal bool) string {
	if !terminal && !a.colors || a.plain {
		return s
	}
	return c.EscapeSeq() + s + text.Reset.EscapeSeq()
}

const exitCodes = `Exit: 0 fine, 1 something was found (a bad line, a key that does not fit, a query that no
range answers), 2 misuse (a wrong flag, name or condition, no schema, a file that cannot be read).`

// ownExits is the annotation of a subcommand whose exit codes are others: what its help says of them.
const ownExits = "exits"

// exitsOf is what the help and the manual's page of a subcommand say of its exit codes.
func exitsOf(c *cobra.Command) string { return cmp.Or(c.Annotations[ownExits], exitCodes) }

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "rowkey",
		Short: "Read, write, scan, split, check and time HBase row keys by their schema",
		Long: `Read, write, scan, split, check and time HBase row keys by their schema.

A schema is a notation (-s "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"), a file
that holds one (-f), or a name in rowkey.yaml (-s trades), which is looked for
here and in the directories above. rowkey help notation explains the notation, rowkey help
json what -o json writes.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownSubcommand(c, args[0])
			}
			return c.Help()
		},
		Args:              cobra.ArbitraryArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		var bad *pflag.InvalidValueError
		if errors.As(err, &bad) {
			var own flagError
			if errors.As(err, &own) {
				return fmt.Errorf("--%s: %w", bad.GetFlag().Name, own)
			}
			what := map[string]string{"int": "a whole number", "int64": "a whole number", "float64": "a number", "duration": "a time as 50ms", "bool": "true or false"}[bad.GetFlag().Value.Type()]
			return fmt.Errorf("--%s: expected %s, not %s", bad.GetFlag().Name, what, said.Shown(bad.GetValue()))
		}
		near := ""
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			var flags []string
			c.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
			if near = said.Perhaps(unknown.GetSpecifiedName(), flags); near != "" {
				near = strings.Replace(near, "did you mean ", "did you mean --", 1)
			}
			if _, number := strconv.ParseFloat("-"+unknown.GetSpecifiedShortnames(), 64); number == nil {
				return fmt.Errorf("-%s is no flag; as an argument it stands after --", unknown.GetSpecifiedShortnames())
			}
		}
		return fmt.Errorf("%w%s; %s --help lists the flags", err, near, c.CommandPath())
	})
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress bar, no notes: of errors the first of each cause, and the exit code")
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "`when` there are colours: auto, always, never")
	root.PersistentFlags().StringVar(&a.lang, "lang", "", "`language` of lint's findings, of draft's questions and of plans: en, zh (default: that of LC_ALL or LANG)")
	_ = root.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := notEmpty(c); err != nil {
			return err
		}
		switch a.lang {
		case "":
			a.lang = language()
		case "en", "zh":
		default:
			return fmt.Errorf("--lang %s: expected en or zh", said.Shown(a.lang))
		}
		switch a.color {
		case "auto":
		case "always":
			a.colors, a.plain = true, false
		case "never":
			a.plain = true
		default:
			return fmt.Errorf("--color %s: expected auto, always or never", word(a.color))
		}
		return nil
	}
	root.SetUsageTemplate(root.UsageTemplate() + `
{{with index .Annotations "` + ownExits + `"}}{{.}}{{else}}` + exitCodes + `{{end}}
`)
	root.AddCommand(a.explainCommand(), a.encodeCommand(), a.decodeCommand(), a.scanCommand(), a.splitsCommand(), a.locateCommand(),
		a.checkCommand(), a.lintCommand(), a.simulateCommand(), a.benchCommand(), a.convertCommand(), a.schemaCommand(), a.draftCommand(), a.inferCommand(), a.genCommand(), a.diffCommand(), a.playCommand(), a.completionCommand(), a.manCommand(), a.versionCommand())
	root.Version = builtOf().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(a.helpCommand())
	onlyOnce(root)
	return root
}

// noSubcommand is the error of a first word that is no subcommand, whose flags would be taken
// for those of the root.
func noSubcommand(root *cobra.Command, args []string) error {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return nil
		case strings.HasPrefix(arg, "-"):
			if !strings.Contains(arg, "=") && takesValue(root, strings.TrimLeft(arg, "-")) {
				i++
			}
		case strings.HasPrefix(arg, "__complete") || arg == "help":
			return nil
		default:
			if sub, _, err := root.Find([]string{arg}); err == nil && sub != root {
				return nil
			}
			return unknownSubcommand(root, arg)
		}
	}
	return nil
}

// takesValue reports that a flag of the root or of a subcommand takes the word after it. What is no
// flag at all is taken to do so, as cobra does.
func takesValue(root *cobra.Command, name string) bool {
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		f := c.Flags().Lookup(name)
		if f == nil {
			f = c.PersistentFlags().Lookup(name)
		}
		if f == nil && len(name) == 1 {
			if f = c.Flags().ShorthandLookup(name); f == nil {
				f = c.PersistentFlags().ShorthandLookup(name)
			}
		}
		if f != nil {
			return f.NoOptDefVal == ""
		}
	}
	return name != "help" && name != "h" && name != "version" && name != "v"
}

func unknownSubcommand(root *cobra.Command, name string) error {
	return fmt.Errorf("no subcommand %s%s; rowkey --help lists them", said.Shown(name), said.Perhaps(name, subcommands(root)))
}

// subcommands are the names of what a command has below it.
func subcommands(c *cobra.Command) (out []string) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			out = append(out, sub.Name())
		}
	}
	return out
}

// tellNotes tells what is said once.
func (a *app) tellNotes() {
	for _, n := range a.notes.Take() {
		if !a.quiet {
			a.complain(errors.New(n.Text))
		}
	}
}

// longFlags reads Go's -strict as --strict: as a row of short flags it would be
// -s with the notation "trict".
func longFlags(root *cobra.Command, args []string) []string {
	long := map[string]bool{"help": true, "version": true}
	var collect func(c *cobra.Command)
	collect = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { long[f.Name] = len(f.Name) > 1 })
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(root)
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && long[name] {
			args[i] = "-" + arg
		}
		if strings.HasPrefix(arg, "- ") { // a list, such as a design's: no flag has a blank
			args[i] = " " + arg
		}
	}
	return args
}

// numberFlag is a number that a flag gave, and the least that it may be.
type numberFlag struct {
	name     string
	n, least float64
}

// inRange refuses the first number that is below its least, is infinite, or is no number.
func inRange(flags ...numberFlag) error {
	for _, f := range flags {
		if f.n >= f.least && !math.IsInf(f.n, 0) {
			continue
		}
		want := fmt.Sprintf("%g or more", f.least)
		switch {
		case math.IsInf(f.n, 1), math.IsInf(f.least, 0):
			want = "a finite number"
		case f.least > 0 && f.least < 1:
			want = "more than 0"
		}
		return fmt.Errorf("--%s %s: expected %s", f.name, strconv.FormatFloat(f.n, 'f', -1, 64), want)
	}
	return nil
}

// unused refuses the first of these flags that was given: what it says would go unseen. why is
// "with" or "without" something.
func unused(c *cobra.Command, why string, flags ...string) error {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is of no use %s", name, why)
		}
	}
	return nil
}

// notEmpty refuses the first flag that was given with nothing, which would be as if it were not given: a shell's
// variable may not be set. Flags with a default say themselves what they expect.
func notEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		what, _ := pflag.UnquoteUsage(f)
		switch kind := f.Value.Type(); {
		case err != nil:
		case kind == "string" && f.Value.String() == "" && f.DefValue == "":
			err = fmt.Errorf("--%s: the %s is empty", f.Name, what)
		case kind == "stringSlice" && f.Value.String() == "[]":
			err = fmt.Errorf("--%s: expected at least one %s", f.Name, strings.TrimSuffix(what, "s"))
		}
	})
	return err
}

// onlyOnce makes every flag of a command and of those below it once, but for those that take several values.
func onlyOnce(c *cobra.Command) {
	each := func(f *pflag.Flag) {
		if _, several := f.Value.(pflag.SliceValue); !several {
			f.Value = &once{Value: f.Value}
		}
	}
	c.Flags().VisitAll(each)
	c.PersistentFlags().VisitAll(each)
	for _, sub := range c.Commands() {
		onlyOnce(sub)
	}
}

// once is a flag's value that is given once: of two that differ the last one would be taken, and the first would
// go unseen.
type once struct {
	pflag.Value
	given *string
}

func (o *once) Set(s string) error {
	if o.given != nil && s != *o.given {
		return errTwice
	}
	o.given = &s
	return o.Value.Set(s)
}

// notOneOf is the error of a flag's word that is none of those it takes.
func notOneOf(flag, given string, words []string) error {
	return fmt.Errorf("%s %s: expected %s%s", flag, word(given), said.OneOf(words), said.Perhaps(given, words))
}

// word is a flag's word as an error shows it: in quotes where else none would be seen.
func word(s string) string {
	if s == "" || s != strings.TrimSpace(s) {
		return said.Shown(s)
	}
	return s
}

// rowOnly are the flags that say how rows are read, and nothing else.
var rowOnly = []string{"in", "columns", "no-header", "delimiter", "skip-extra"}

// outputs declares -o with the forms that a subcommand writes, its usual one
// first.
func (a *app) outputs(c *cobra.Command, forms ...string) {
	var out string // a.out is shared, and has no usual form
	c.Flags().StringVarP(&out, "output", "o", forms[0], "`form` of the output: "+strings.Join(forms, ", "))
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if !slices.Contains(forms, out) {
			return notOneOf("-o", out, forms)
		}
		a.out = out
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// write writes a whole answer at once.
func (a *app) write(s string) error {
	_, err := io.WriteString(a.stdout, s)
	return err
}
