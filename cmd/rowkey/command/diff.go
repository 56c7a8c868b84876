package command

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hbase-rowkey/rowkey"
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

  exit 0   the same bytes for every key, and the same limits; names of fields may differ
  exit 1   the same bytes; values that the one takes and the other refuses
  exit 2   other bytes: every row of a table gets another key
  exit 3   one of the two cannot be read

For other bytes it lists the questions that read more ranges or fewer, what the change costs, and the
page that says how it is made. The questions are those by each field, by the first fields of each of the
two, and by spans of time; --question adds one, in the words of scan, with " and " between its conditions.`,
		Example: `  rowkey diff "[salt16(uid)][uid]" "[salt32(uid)][uid]"
  rowkey diff old.yaml:trades trades --question 'seller=s-42 and at>=2023-05-16'`,
		ValidArgsFunction: a.completeNames,
	}
	c.Flags().StringVar(&a.flags.config, "config", "", "`file` of named schemas (default: rowkey.yaml here or in a directory above)")
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
	d, err := compareSchemas(two[0].Schema, two[1].Schema, how, asked)
	a.tellNotes()
	if err != nil {
		return err
	}
	out := d.text(a)
	if a.out == "json" {
		out = jsonText(d) + "\n"
	}
	if err := a.write(out); err != nil {
		return err
	}
	if d.code() != diffSame {
		return code(d.code())
	}
	return nil
}

// loadAny reads a layout in any of the ways in which diff takes one.
func (a *app) loadAny(text string) (named, error) {
	if strings.Contains(text, "[") {
		return parse("", text, shown(text))
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
	return a.loadNamed(text)
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
	return named{}, fmt.Errorf("%s has no %s: %s%s", file, name, strings.Join(names(all), ", "), perhaps(name, names(all)))
}

// difference is what two layouts differ in.
type difference struct {
	Verdict      string          `json:"verdict"` // same, limits or bytes
	Fingerprints [2]string       `json:"fingerprints"`
	Renamed      [][2]string     `json:"renamed,omitempty"`
	Limits       []limitChange   `json:"limits,omitempty"`
	Pieces       []pieceChange   `json:"pieces,omitempty"`
	Lacking      []string        `json:"lacking,omitempty"` // fields of B that the keys of A do not hold
	Bytes        [2]int          `json:"bytes"`             // of a key, at least
	Questions    []questionMoved `json:"questions,omitempty"`
}

// limitChange is a limit of a component that is another one.
type limitChange struct {
	Field  string `json:"field,omitempty"` // empty: of the whole key
	From   string `json:"from"`
	To     string `json:"to"`
	Change string `json:"change"` // wider, narrower or other
}

// pieceChange is a component that only one of the two has.
type pieceChange struct {
	Sign  string `json:"sign"` // - of A only, + of B only
	Piece string `json:"piece"`
}

// questionMoved is a question that reads other ranges.
type questionMoved struct {
	Question string `json:"question"`
	From     answer `json:"from"`
	To       answer `json:"to"`
	Change   string `json:"change"` // gains or loses
}

// answer is what a question reads.
type answer struct {
	Ranges int    `json:"ranges"` // 0: no plan
	Exact  bool   `json:"exact"`
	Why    string `json:"why,omitempty"` // there is no plan: lacks, whole, many
	Field  string `json:"field,omitempty"`
}

func (d *difference) code() int {
	return map[string]int{"same": diffSame, "limits": diffLimits, "bytes": diffBytes}[d.Verdict]
}

// compareSchemas compares two layouts, and what the questions asked and the usual ones read.
func compareSchemas(a, b *rowkey.Schema, how values, asked []string) (*difference, error) {
	d := &difference{Verdict: "same", Fingerprints: [2]string{a.Fingerprint(), b.Fingerprint()}, Bytes: [2]int{leastBytes(a), leastBytes(b)}}
	var called map[string]string
	if d.Fingerprints[0] != d.Fingerprints[1] {
		d.Verdict = "bytes"
		d.Pieces = piecesChanged(a, b)
		d.Lacking = lacking(a, b)
	} else {
		d.Renamed, d.Limits = limitsChanged(a, b)
		called = map[string]string{}
		for _, r := range d.Renamed {
			called[r[0]] = r[1]
		}
		if len(d.Limits) > 0 {
			d.Verdict = "limits"
		}
	}
	var err error
	d.Questions, err = questionsMoved(a, b, called, how, asked)
	return d, err
}

// leastBytes is the length of the shortest key, as far as widths say.
func leastBytes(s *rowkey.Schema) (n int) {
	for f := range s.Fields() {
		n += f.Size
		if f.Kind == "literal" {
			n += len(f.Const) - f.Size
		}
	}
	return n
}

// lacking is the fields of b that the keys of a do not hold.
func lacking(a, b *rowkey.Schema) (out []string) {
	held := map[string]bool{}
	for f := range a.Fields() {
		if f.Kind != "literal" && f.Stored && !f.Derived {
			held[f.Name] = true
		}
		if f.Computed.Source != "" && f.Stored {
			held[f.Computed.Source] = true
		}
	}
	for _, f := range supplied(b) {
		if !held[f.Name] {
			out = append(out, f.Name)
		}
	}
	return out
}

// piecesChanged is the components that are not in both, in the order of a, then of b.
func piecesChanged(a, b *rowkey.Schema) (out []pieceChange) {
	from, to := piecesOf(a), piecesOf(b)
	same := make([][]int, len(from)+1) // the longest common row of pieces from here on
	for i := range same {
		same[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			if same[i][j] = max(same[i+1][j], same[i][j+1]); from[i] == to[j] {
				same[i][j] = same[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j]:
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && same[i+1][j] >= same[i][j+1]:
			out, i = append(out, pieceChange{"-", from[i]}), i+1
		default:
			out, j = append(out, pieceChange{"+", to[j]}), j+1
		}
	}
	return out
}

// piecesOf is the settings of a layout and its components.
func piecesOf(s *rowkey.Schema) (out []string) {
	if head := settings(s); head != "" {
		out = append(out, head)
	}
	for f := range s.Fields() {
		out = append(out, f.Notation)
	}
	return out
}

// settings is what stands before the components of a notation.
func settings(s *rowkey.Schema) string {
	head, _, _ := strings.Cut(s.String(), "[")
	return strings.TrimSpace(head)
}

var errNoSample = errors.New("no value of the field is known")

// text is a difference for people.
func (d *difference) text(a *app) string {
	var b strings.Builder
	switch d.Verdict {
	case "same":
		b.WriteString("the same bytes for every key, and the same limits\n")
	case "limits":
		b.WriteString("the same bytes, other limits\n")
	case "bytes":
		b.WriteString("other bytes: every row gets another key\n")
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
	b.WriteString("to change a table: each row is written anew under its new key")
	if more := d.Bytes[1] - d.Bytes[0]; more != 0 {
		word := "longer"
		if more < 0 {
			more, word = -more, "shorter"
		}
		fmt.Fprintf(&b, ", which is %s %s: %d GB in 10⁹ cells", plural(more, "byte"), word, more)
	}
	b.WriteString("\n")
	if len(d.Lacking) > 0 {
		fmt.Fprintf(&b, "the old keys do not hold %s: columns of the rows must give it\n", strings.Join(d.Lacking, ", "))
	} else {
		b.WriteString("the old keys hold all fields of the new ones: rowkey convert makes one of the other\n")
	}
	return b.String() + "docs/change.md says how a live table is changed\n"
}

func orNone(s string) string {
	if s == "" {
		return "no limit"
	}
	return s
}
