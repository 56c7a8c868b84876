package play

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/compare"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/lindorm"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// takeAsk asks for a design in a form to take away.
type takeAsk struct {
	Name      string     `json:"name"`
	Notation  string     `json:"notation"`
	As        string     `json:"as"` // notation, go, gengo, java, splits, scans or lindorm
	Regions   int        `json:"regions"`
	Questions [][]string `json:"questions"`
}

// takenText is text to copy, or why there is none.
type takenText struct {
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}

// forms are what a design is taken away as.
var forms = map[string]func(*takeAsk, *rowkey.Schema) (string, error){
	"notation": func(_ *takeAsk, s *rowkey.Schema) (string, error) { return s.String() + "\n", nil },
	"go":       inGoWords,
	"splits": func(a *takeAsk, s *rowkey.Schema) (string, error) {
		splits, err := givenSplits(s, a.regions())
		if err != nil {
			return "", errors.New(strings.ReplaceAll(firstLine(said.Reason(err)), "use SplitsOf", "give sample keys to rowkey splits --sample"))
		}
		return fmt.Sprintf("create '%s', 'f', %s\n", s.Name(), splits.Shell()), nil
	},
	"scans": scans,
	"lindorm": func(_ *takeAsk, s *rowkey.Schema) (string, error) {
		return lindorm.CreateTable(s, lindorm.Options{Table: s.Name()})
	},
}

func (a *takeAsk) regions() int {
	if a.Regions < 2 || a.Regions > 4096 {
		return tableRegions
	}
	return a.Regions
}

// taken is a design in a form to take away.
func taken(a takeAsk) (*takenText, error) {
	if err := checkQuestions(a.Questions); err != nil {
		return nil, err
	}
	s, err := parse(a.Name, a.Notation)
	if err != nil {
		return nil, err
	}
	form := forms[a.As]
	if form == nil {
		return nil, fmt.Errorf("expected notation, go, gengo, java, splits, scans or lindorm, not %s", said.Shown(a.As))
	}
	text, err := form(&a, s)
	if err != nil {
		return &takenText{Why: strings.TrimPrefix(firstLine(err), "-o lindorm: ")}, nil
	}
	return &takenText{Text: text}, nil
}

// inGoWords is the schema as a declaration in Go.
func inGoWords(_ *takeAsk, s *rowkey.Schema) (string, error) {
	layout, problem := notation.Parse(s.String(), digest.Names())
	if problem != nil {
		return "", errors.New(problem.Text)
	}
	variable := s.Name()
	if token.IsKeyword(variable) || noVariable.MatchString(variable) {
		variable += "Key"
	}
	return "var " + variable + " = " + layout.Go(s.Name()) + "\n", nil
}

// noVariable are names that, as keywords, a variable of a package cannot have beside the imports, or that
// hide a type or a function of Go.
var noVariable = pattern.New(`^(main|init|interop|rowkey|time|_` +
	`|any|bool|byte|comparable|complex(64|128)?|error|float(32|64)|u?int(8|16|32|64)?|uintptr|rune|string|true|false|iota|nil|append|cap|clear|close|copy|delete|imag|len|make|max|min|new|panic|print(ln)?|real|recover)$`)

// scans are the questions as scans of hbase shell.
func scans(a *takeAsk, s *rowkey.Schema) (string, error) {
	var b strings.Builder
	for i, q := range a.Questions {
		fmt.Fprintf(&b, "# Q%d: %s\n", i+1, strings.Join(q, " and "))
		groups, err := said.ParseConds(s, said.Values{}, q)
		var p *rowkey.Plan
		if err == nil {
			p, err = s.Scan(slices.Concat(groups...)...)
		}
		if err != nil {
			fmt.Fprintf(&b, "# %s\n", firstLine(said.Reason(err)))
			continue
		}
		n := 0
		for r := range p.Ranges() {
			if n++; n > maxShown {
				fmt.Fprintf(&b, "# and %d more\n", p.Len()-maxShown)
				break
			}
			fmt.Fprintf(&b, "scan '%s', {%s}\n", s.Name(), r.Shell())
		}
	}
	if b.Len() == 0 {
		return "", errors.New("no question")
	}
	return b.String(), nil
}

// compareAsk is two designs, and what is asked of both.
type compareAsk struct {
	From      string     `json:"from"`
	To        string     `json:"to"`
	Questions [][]string `json:"questions"`
}

// compared says what two designs differ in.
func compared(a compareAsk) (*compare.Difference, error) {
	if err := checkQuestions(a.Questions); err != nil {
		return nil, err
	}
	from, err := parse("", a.From)
	if err != nil {
		return nil, err
	}
	to, err := parse("", a.To)
	if err != nil {
		return nil, err
	}
	var asked []string
	for _, q := range a.Questions {
		text := strings.Join(q, " and ")
		x, err := compare.Asked(from, said.Values{}, text)
		if err != nil {
			continue // it cannot be asked of one of them, which its card says
		}
		y, err := compare.Asked(to, said.Values{}, text)
		if err == nil && len(q) > 0 && (x.Why != "lacks" || x != y) { // of what both lack, both cards say it
			asked = append(asked, text)
		}
	}
	return compare.Schemas(from, to, said.Values{}, asked)
}
