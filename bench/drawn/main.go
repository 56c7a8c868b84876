// Drawn times the library on layouts that nobody chose: they are drawn out of the parts of the layouts
// in examples, documents and designs of others, each as often as it stands there, and the floor of each is the code that
// rowkey gen prints for it.
//
//	go run -C bench ./drawn -n 300 -seed 7
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

	"github.com/hbase-rowkey/rowkey"
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
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("no arguments are taken, not %q", flags.Arg(0))
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
	parts := bench.DrawnMarkdown(ways, from)
	fmt.Fprintln(stdout, parts["drawn"])
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
	all, err := corpus(o.root)
	if err != nil {
		return nil, "", err
	}
	d := newDrawer(rand.New(rand.NewPCG(o.seed, 1)), all)
	dir, err := os.MkdirTemp(".", ".drawn-") // in this module, whose packages it imports
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	var of []string
	p := program{Rounds: o.rounds, Time: o.time}
	for seen := map[string]bool{}; len(p.Layouts) < o.n; {
		s, c := d.layout(fmt.Sprintf("l%d", len(p.Layouts)))
		if seen[s.String()] {
			continue
		}
		seen[s.String()] = true
		keys := keysOf(d.Rand, s, 64)
		if len(keys) < 16 {
			continue // such as two fields of which one is the other's prefix
		}
		f, err := gen.Go(gen.GoOptions{Package: "main"}, c)
		if err != nil {
			return nil, "", err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Path), f.Text, 0o644); err != nil {
			return nil, "", err
		}
		of = append(of, s.String())
		p.Layouts = append(p.Layouts, layoutOf(s, c, keys))
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
	fmt.Fprintln(stderr, "words, of the corpus and drawn:", frequencies(all, of))
	return m, fmt.Sprintf("%d layouts, drawn with seed %d out of the %d in examples, documents and designs of others", len(of), o.seed, len(all)), nil
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

// printed is one layout: the calls that write and read it field by field.
type printed struct {
	Type, Into  string // Into is the row whose texts are memory that is used again
	Write, Read string
	Keys        []string
}

func layoutOf(s *rowkey.Schema, c *code.Schema, keys []string) printed {
	p := printed{Type: "L" + s.Name()[1:], Keys: keys}
	p.Into = p.Type
	for _, f := range c.Fields {
		field, call := strings.ToUpper(f.Name), calls[f.Kind]
		p.Write += fmt.Sprintf(".%s(r.%s)", call, field)
		if f.Kind == code.String || f.Kind == code.Binary {
			p.Into, call = p.Type+"Buf", "Binary"
		}
		p.Read += fmt.Sprintf(".%s(&b.%s)", call, field)
	}
	return p
}

var calls = map[code.Kind]string{code.String: "String", code.Binary: "Binary", code.Uint: "Uint", code.Int: "Int", code.Float: "Float", code.Bool: "Bool", code.Time: "Time"}

var source = template.Must(template.New("main").Parse(`package main

import (
	"encoding/json"
	"fmt"
	"os"

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
	Fluent: func(dst []byte, r *{{.Type}}) ([]byte, error) { return s{{.Type}}.KeyIn(dst){{.Write}}.Bytes() },
	Read: func(key []byte, b *{{.Into}}) error { return s{{.Type}}.Read(key){{.Read}}.Err() },
	Append: (*{{.Type}}).Append,
	ParseRow: (*{{.Type}}).Parse,
	ParseInto: (*{{.Into}}).Parse,
}
{{end}}`))
