// Drawn times the library on layouts that nobody chose: they are drawn out of the parts of the layouts
// in examples, documents and designs of others, each as often as it stands there, and the floor of each is the code that
// rowkey gen prints for it.
//
//	go run -C bench ./drawn -n 300 -seed 7
//	go run -C bench ./drawn "[salt16(user)][user:8][max-ms(at)]"   # layouts of yours instead
//
// It prints, for each way, the median of the ratios, the ratio below which nine of ten lie, and the
// worst. It fails if the library and the printed code differ, and never for a time.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/page"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/gen"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "drawn:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	n, rounds int
	seed      uint64
	time      time.Duration
	root      string
	layouts   []string // if there are none, they are drawn
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("drawn", flag.ContinueOnError)
	flags.SetOutput(stderr)
	o := options{root: ".."}
	flags.IntVar(&o.n, "n", 300, "so many layouts")
	flags.Uint64Var(&o.seed, "seed", 1, "draw from this seed")
	flags.IntVar(&o.rounds, "rounds", 5, "time each side so often, and take the median")
	flags.DurationVar(&o.time, "time", 10*time.Millisecond, "for so long each time")
	asJSON := flags.Bool("json", false, "write all ratios as JSON")
	doc := flags.String("doc", "", "write the table of this Markdown `file`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.layouts = flags.Args()
	switch {
	case *doc != "" && len(o.layouts) > 0:
		return errors.New("-doc: the document has layouts that were drawn, and none of yours")
	case o.n < 1 || o.rounds < 1 || o.time <= 0:
		return errors.New("-n, -rounds and -time: want more than 0")
	}
	measured, from, err := measure(o, stderr)
	if err != nil {
		return err
	}
	if *asJSON {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "\t")
		return out.Encode(measured)
	}
	ways := map[string][]bench.DrawnRatio{}
	var more []string
	for _, m := range measured.Ratios {
		ways[m.Way] = append(ways[m.Way], m)
		if m.Allocs > m.Most {
			more = append(more, fmt.Sprintf("%s, %s: %d allocations, %d by printed code", m.Layout, m.Way, m.Allocs, m.Most))
		}
	}
	from = fmt.Sprintf("%s; medians of %d rounds of %s, on %s. %d of %d ways allocate more than the printed code.", from, o.rounds, o.time, measured.Machine, len(more), len(measured.Ratios))
	var parts map[string]string
	if len(o.layouts) > 0 {
		fmt.Fprintf(stdout, "%s\n\n%s\n", bench.DrawnTable(measured.Ratios), from)
	} else {
		parts = bench.DrawnMarkdown(ways, from)
		fmt.Fprintln(stdout, parts["drawn"])
	}
	for _, line := range more {
		fmt.Fprintln(stdout, line)
	}
	if *doc != "" {
		return page.Write(*doc, parts)
	}
	return nil
}

// measured is what the printed program prints.
type measured struct {
	Machine bench.Machine
	Ratios  []bench.DrawnRatio
}

// measure draws, prints and builds a program, and gives what it measured, and what it was drawn from.
func measure(o options, stderr io.Writer) (*measured, string, error) {
	var from []layout // what they are drawn from
	var all []subject
	var err error
	r := rand.New(rand.NewPCG(o.seed, 1))
	if len(o.layouts) > 0 {
		all, err = given(r, o.layouts)
	} else if from, err = corpus(o.root); err == nil {
		all = newDrawer(r, from).subjects(o.n)
	}
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp(".", ".drawn-") // in this module, whose packages it imports
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	var of []string
	p := program{Rounds: o.rounds, Time: o.time}
	for _, l := range all {
		f, err := gen.Go(gen.GoOptions{Package: "main"}, l.c)
		if err != nil {
			return nil, "", err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Path), f.Text, 0o644); err != nil {
			return nil, "", err
		}
		of = append(of, l.s.String())
		p.Layouts = append(p.Layouts, layoutOf(l))
	}
	var main bytes.Buffer
	if err := source.Execute(&main, p); err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), main.Bytes(), 0o644); err != nil {
		return nil, "", err
	}
	binary := filepath.Join(dir, "drawn")
	if out, err := exec.Command("go", "build", "-o", binary, "./"+dir).CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("the printed program: %w\n%s", err, out)
	}
	run := exec.Command("./" + binary)
	run.Stderr = stderr
	out, err := run.Output()
	if err != nil {
		return nil, "", fmt.Errorf("the printed program: %w", err)
	}
	m := new(measured)
	if err := json.Unmarshal(out, m); err != nil {
		return nil, "", err
	}
	if len(o.layouts) > 0 {
		return m, fmt.Sprintf("%d layouts", len(of)), nil
	}
	fmt.Fprintln(stderr, "words, of the corpus and drawn:", frequencies(from, of))
	return m, fmt.Sprintf("%d layouts, drawn with seed %d out of the %d in examples, documents and designs of others", len(of), o.seed, len(from)), nil
}

// frequencies is how often the words stand in the corpus, and in what was drawn.
func frequencies(all []layout, of []string) string {
	var texts []string
	for _, l := range all {
		text := l.dialect
		for _, p := range l.parts {
			text += p.Notation
		}
		texts = append(texts, text)
	}
	in, out := words(texts), words(of)
	list := slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
	var b strings.Builder
	for _, w := range list {
		fmt.Fprintf(&b, "%s %d %d, ", w, in[w], out[w])
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// program is what the printed program is made of.
type program struct {
	Rounds  int
	Time    time.Duration
	Layouts []printed
}

// printed is one layout: the calls that write and read it field by field, the conditions of a query, and the same by hand.
type printed struct {
	Type, Into  string // Into is the row whose texts are memory that is used again
	Write, Read string
	Conds, Test string
	Keys        []string
}

func layoutOf(l subject) printed {
	p := printed{Type: "L" + l.s.Name()[1:], Keys: l.keys}
	p.Into = p.Type
	var tests []string
	for i, f := range l.c.Fields {
		field, call := gen.GoName(f.Name), calls[f.Kind]
		text := f.Kind == code.String || f.Kind == code.Binary
		if text && !f.Optional {
			p.Into = p.Type + "Buf"
		}
		switch {
		case f.Optional:
			p.Write += fmt.Sprintf("\n\t\tif r.%[2]s == nil {\n\t\t\tk = k.Null()\n\t\t} else {\n\t\t\tk = k.%[1]s(*r.%[2]s)\n\t\t}", call, field)
			p.Read += fmt.Sprintf("\n\t\tb.%[2]s, k = bench.Optional(k, rowkey.Reader.%[1]s)", call, field)
			continue
		case text:
			p.Read += fmt.Sprintf("\n\t\tk = k.Binary(&b.%s)", field)
		default:
			p.Read += fmt.Sprintf("\n\t\tk = k.%s(&b.%s)", call, field)
		}
		p.Write += fmt.Sprintf("\n\t\tk = k.%s(r.%s)", call, field)
		if i == 0 || i == len(l.c.Fields)-1 {
			cond, test := condition(f.Kind, i > 0, field)
			p.Conds += fmt.Sprintf("rowkey.%s(%q, r.%s), ", cond, f.Name, field)
			tests = append(tests, test)
		}
	}
	p.Test = strings.Join(append(tests, "true"), " && ")
	return p
}

// condition asks for a row's value of a field, or for as much or more, with its test by hand.
func condition(k code.Kind, more bool, field string) (cond, test string) {
	switch {
	case k == code.String || k == code.Binary:
		return "Eq", fmt.Sprintf("string(b.%s) == string(r.%[1]s)", field)
	case k == code.Time && more:
		return "AtLeast", fmt.Sprintf("!b.%s.Before(r.%[1]s)", field)
	case k == code.Time:
		return "Eq", fmt.Sprintf("b.%s.Equal(r.%[1]s)", field)
	case k != code.Bool && more:
		return "AtLeast", fmt.Sprintf("b.%s >= r.%[1]s", field)
	}
	return "Eq", fmt.Sprintf("b.%s == r.%[1]s", field)
}

var calls = map[code.Kind]string{code.String: "String", code.Binary: "Binary", code.Uint: "Uint", code.Int: "Int", code.Float: "Float", code.Bool: "Bool", code.Time: "Time"}

var source = template.Must(template.New("main").Parse(`package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/bench"
)

func main() {
	var all []bench.Job
	add := func(jobs []bench.Job, err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		all = append(all, jobs...)
	}
{{range .Layouts}}	add(of{{.Type}}.Jobs())
{{end}}	report, err := bench.Measure(all, bench.Options{Rounds: {{.Rounds}}, Time: {{printf "%d" .Time}}})
	if report == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(struct {
		Machine bench.Machine
		Ratios  []bench.DrawnRatio
	}{report.Machine, report.DrawnRatios()})
}
{{range .Layouts}}
var s{{.Type}} = {{.Type}}Schema()

var of{{.Type}} = bench.Drawn[{{.Type}}, {{.Into}}]{
	Schema: s{{.Type}},
	Keys: []string{ {{range .Keys}}"{{.}}", {{end}} },
	Fluent: func(dst []byte, r *{{.Type}}) ([]byte, error) {
		k := s{{.Type}}.KeyIn(dst){{.Write}}
		return k.Bytes()
	},
	Read: func(key []byte, b *{{.Into}}) error {
		k := s{{.Type}}.Read(key){{.Read}}
		return k.Err()
	},
	Append: (*{{.Type}}).Append,
	ParseRow: (*{{.Type}}).Parse,
	ParseInto: (*{{.Into}}).Parse,
	Conds: func(r *{{.Type}}) []rowkey.Cond { return []rowkey.Cond{ {{.Conds}} } },
	Test: func(b *{{.Into}}, r *{{.Type}}) bool { return {{.Test}} },
}
{{end}}`))
