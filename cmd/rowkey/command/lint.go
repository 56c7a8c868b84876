package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
)

// severities are the words of --fail, from the least.
var severities = []string{advice.Note.String(), advice.Warning.String(), advice.Error.String()}

// lintFlags are the flags of rowkey lint.
type lintFlags struct {
	allow    []string
	fail     string // a severity, or "never"
	baseline string // a file
	begin    bool   // write the file of baseline
	rows     float64
	regions  int
	lindorm  bool
	when     whenFlags
}

func (a *app) lintCommand() *cobra.Command {
	var f lintFlags
	var about string
	c := &cobra.Command{
		Use:   "lint [flags] [QUESTION…]",
		Short: "Say what a layout does to its table: hot regions, lost rows, questions that read it all",
		Long: `Hold a layout against rules with names, before a row is written. A QUESTION is what the table must
answer: conditions as those of scan, with " and " between them, all in one argument. Of their values
only the fields count. A field that the key lacks is a finding, too.

An error is a region that takes all writes, rows that are lost, or a question that reads the whole
table; a warning costs bytes, requests or years; a note is worth knowing. Exit 1 says that there is
a warning or an error; --fail changes that. --rule NAME explains a rule.

So that the tests of a schema that exists start green, --baseline FILE --write-baseline keeps what is found
now, and --baseline FILE from then on reports only what is new. A run is of one schema, and one file
holds those of many runs.`,
		Example: `  rowkey lint -s '[ms(at)][uid]'
  rowkey lint -s trades 'seller=s-42 and at>=2023-05-16' buyer=b-7 --rows 1e9
  rowkey lint -s trades --allow not-unique --fail error -o sarif`,
		ValidArgsFunction: a.completeFields("=", ":", ">=", "<", "^="),
	}
	a.takesSchema(c)
	a.takesWhen(c, &f.when)
	c.Flags().StringSliceVar(&f.allow, "allow", nil, "leave out the rule of this `name`; may be said again")
	c.Flags().StringVar(&f.fail, "fail", severities[1], "exit 1 from this `severity` on: "+strings.Join(severities, ", ")+", never")
	c.Flags().Float64Var(&f.rows, "rows", 0, "how many `rows` the table will hold, such as 1e9")
	c.Flags().IntVar(&f.regions, "regions", 0, "how many `regions` it is created with")
	c.Flags().Var(&filled{text: &f.baseline, empty: errNoFile}, "baseline", "`file` of findings that are known: only others are reported")
	c.Flags().BoolVar(&f.begin, "write-baseline", false, "write what is found now to the file of --baseline, and exit 0")
	c.Flags().BoolVar(&f.lindorm, "lindorm", false, "give Lindorm's advice, too")
	c.Flags().Var(&filled{text: &about, empty: errNoRule}, "rule", "tell in English what the rule of this `name` sees, why it hurts and what to do")
	a.outputs(c, "text", "json", "sarif")
	rules := ruleNames()
	_ = c.RegisterFlagCompletionFunc("allow", cobra.FixedCompletions(rules, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("rule", cobra.FixedCompletions(rules, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("fail", cobra.FixedCompletions(append(severities, "never"), cobra.ShellCompDirectiveNoFileComp))
	c.RunE = func(c *cobra.Command, args []string) error {
		if about == "" {
			return a.runLint(f, args)
		}
		if len(args) > 0 {
			return fmt.Errorf("%s: a question is of no use with --rule", said.Shown(args[0]))
		}
		if err := unused(c, "with --rule", "schema", "file", "config", "tz", "time-unit", "time-layout", "allow", "fail", "rows", "regions", "baseline", "write-baseline", "lindorm"); err != nil {
			return err // a rule's page is of no schema
		}
		i := slices.Index(rules, about)
		if i < 0 {
			return fmt.Errorf("--rule %s: no such rule%s", word(about), said.Perhaps(about, rules))
		}
		r := advice.Rules()[i]
		switch a.out {
		case "sarif":
			return errors.New("-o sarif is of findings: --rule has text and json")
		case "json":
			return a.write(said.JsonText(ruleJSON{r.Name, r.Severity.String(), r.Sees, r.Hurts, r.Mend, r.Ignore, r.Settle, r.Fires}) + "\n")
		}
		return a.write(a.lintRule(r))
	}
	return c
}

// check refuses flags with a word that nothing has, and numbers that count nothing.
func (f *lintFlags) check() error {
	rules := ruleNames()
	for _, name := range f.allow {
		if !slices.Contains(rules, name) {
			return fmt.Errorf("--allow %s: no such rule%s", word(name), said.Perhaps(name, rules))
		}
	}
	if words := append(severities, "never"); !slices.Contains(words, f.fail) {
		return notOneOf("--fail", f.fail, words)
	}
	return inRange(numberFlag{"rows", f.rows, 0}, numberFlag{"regions", float64(f.regions), 0})
}

// runLint prints what is found about the schema and its questions.
func (a *app) runLint(f lintFlags, questions []string) error {
	if err := f.check(); err != nil {
		return err
	}
	s, err := a.load()
	if err != nil {
		return err
	}
	how, err := a.values(f.when)
	if err != nil {
		return err
	}
	d := advice.Design{Schema: s.Schema, Rows: f.rows, Regions: f.regions, Lindorm: f.lindorm}
	for _, text := range questions {
		groups, err := said.ParseCondsOr(s.Schema, how, said.Conjuncts(text), func(name string) ([]rowkey.Cond, error) {
			for f := range s.Fields() {
				if f.Name == name { // computed
					return nil, said.NoAsked(s.Schema, name)
				}
			}
			if near := said.Perhaps(name, said.FieldNames(said.Supplied(s.Schema))); near != "" {
				a.notes.Add("near "+name, name+" is no field of the key"+near)
			}
			return []rowkey.Cond{rowkey.Eq(name, "")}, nil // a finding says that the key lacks it
		})
		a.tellNotes()
		if err != nil {
			return err
		}
		d.Questions = append(d.Questions, advice.Question{Name: text, Conds: slices.Concat(groups...)})
	}
	allowed := slices.Concat(f.allow, s.allow)
	found := slices.DeleteFunc(advice.Check(d), func(f advice.Finding) bool { return slices.Contains(allowed, f.Rule) })
	switch {
	case f.begin && f.baseline == "":
		return errors.New("--write-baseline: say with --baseline where")
	case f.begin:
		if err := writeBaseline(f.baseline, s, found); err != nil {
			return err
		}
		if !a.quiet {
			fmt.Fprintf(a.stderr, "%s: %s of %s\n", f.baseline, said.Plural(len(found), "known finding"), s.of())
		}
		return nil
	case f.baseline != "":
		if found, err = unknownFindings(f.baseline, s, found); err != nil {
			return err
		}
	}
	out, err := a.lint(found)
	if err != nil {
		return err
	}
	if err := a.write(out); err != nil {
		return err
	}
	least := slices.Index(severities, f.fail)
	if f.fail != "never" && len(found) > 0 && int(found[0].Severity) > least { // severities begin at 1
		a.bad = true
	}
	return nil
}

// ruleNames are the names of all rules.
func ruleNames() (names []string) {
	for _, r := range advice.Rules() {
		names = append(names, r.Name)
	}
	return names
}

// lint is findings as -o says.
func (a *app) lint(found []advice.Finding) (string, error) {
	var b strings.Builder
	switch a.out {
	case "json":
		for _, f := range found {
			line, err := json.Marshal(struct {
				Rule     string   `json:"rule"`
				Severity string   `json:"severity"`
				Field    string   `json:"field,omitempty"`
				Code     string   `json:"code"`
				Args     []string `json:"args,omitempty"`
				Text     string   `json:"text"`
				Try      string   `json:"try,omitempty"`
			}{f.Rule, f.Severity.String(), f.Field, f.Code, f.Args, f.In(a.lang), f.TryIn(a.lang)})
			if err != nil {
				return "", err
			}
			b.Write(append(line, '\n'))
		}
	case "sarif":
		return sarif(found, a.lang)
	default:
		if len(found) == 0 {
			return "nothing to say\n", nil
		}
		colors := map[advice.Severity]text.Color{advice.Error: text.FgRed, advice.Warning: text.FgYellow, advice.Note: text.FgCyan}
		for _, f := range found {
			fmt.Fprintf(&b, "%s %s\n", a.paint(colors[f.Severity], fmt.Sprintf("%-7s", f.Severity), false), f.Rule)
			b.WriteString(indented(f.In(a.lang)))
			try := f.TryIn(a.lang)
			if _, err := rowkey.Parse("", try); err == nil {
				b.WriteString("        try " + try + "\n")
			} else {
				b.WriteString(indented("try: " + try))
			}
		}
	}
	return b.String(), nil
}

// indented is text in lines of 80 columns after a finding's severity.
func indented(s string) string {
	const indent = "        "
	var b strings.Builder
	for line := range strings.SplitSeq(text.WrapSoft(s, 80-len(indent)), "\n") {
		b.WriteString(indent + strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// ruleJSON is a rule's page as JSON.
type ruleJSON struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Sees     string   `json:"sees"`
	Hurts    string   `json:"hurts"`
	Mend     string   `json:"mend"`
	Ignore   string   `json:"ignore"`
	Settle   string   `json:"settle,omitempty"`
	Found    []string `json:"found"`
}

// lintRule is a rule's page.
func (a *app) lintRule(r advice.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Name, r.Severity)
	for _, part := range [][2]string{{"sees", r.Sees}, {"hurts", r.Hurts}, {"mend", r.Mend}, {"ignore", r.Ignore}, {"settle", r.Settle}} {
		if part[1] == "" {
			continue
		}
		b.WriteString(part[0] + "\n" + indented(part[1]))
	}
	for _, notation := range r.Fires {
		b.WriteString("found in\n        " + notation + "\n")
	}
	return b.String()
}

// sarif is findings in SARIF 2.1.0, which forges show beside the code.
func sarif(found []advice.Finding, lang string) (string, error) {
	type message struct {
		Text string `json:"text"`
	}
	type rule struct {
		ID               string  `json:"id"`
		ShortDescription message `json:"shortDescription"`
		Help             message `json:"help"`
	}
	type result struct {
		RuleID  string  `json:"ruleId"`
		Level   string  `json:"level"`
		Message message `json:"message"`
	}
	type driver struct {
		Name  string `json:"name"`
		Rules []rule `json:"rules"`
	}
	type tool struct {
		Driver driver `json:"driver"`
	}
	type run struct {
		Tool    tool     `json:"tool"`
		Results []result `json:"results"`
	}
	rules := []rule{}
	for _, r := range advice.Rules() {
		if slices.ContainsFunc(found, func(f advice.Finding) bool { return f.Rule == r.Name }) {
			rules = append(rules, rule{r.Name, message{r.Sees}, message{r.Hurts + " " + r.Mend}})
		}
	}
	results := []result{}
	for _, f := range found {
		said := f.In(lang)
		if try := f.TryIn(lang); lang == "zh" {
			said += "。建议：" + try
		} else {
			said += ". Try " + try
		}
		results = append(results, result{f.Rule, f.Severity.String(), message{said}})
	}
	out, err := json.MarshalIndent(struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{{tool{driver{"rowkey", rules}}, results}}}, "", "  ")
	return string(out) + "\n", err
}
