// Command mutants asks whether the tests see what is wrong. It makes some hundreds of
// mutants of the root package and of internal/, each wrong in one place, and runs the tests
// on each: those of its package and of the root module, then the laws with more cases.
//
//	go run ./internal/mutants
//
// Nothing is written into the tree: go's -overlay puts all mutants into one build of the
// tests, and ROWKEY_MUTANT in the environment of a test says which one it is.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// usual are the root package and those of internal/.
const usual = "^(/internal/.*)?$"

var (
	count   = flag.Int("n", 220, "how many mutants, an equal part for each operator")
	seed    = flag.String("seed", "1", "which mutants")
	of      = flag.String("of", usual, "mutants of the packages whose paths below the module match a regular expression")
	only    = flag.String("only", "", "of these, those whose names match a regular expression")
	laws    = flag.Int("laws", 20000, "ROWKEY_LAWS for mutants that the usual tests let live; 0 leaves this out")
	nightly = flag.Int("nightly", 0, "ROWKEY_LAWS for those that live then; 0 leaves this out")
	short   = flag.Bool("short", false, "no tests but those of -short")
	in      = flag.String("in", "", "only the tests of packages that match a regular expression")
	list    = flag.Bool("list", false, "print the mutants, and run nothing")
	workers = flag.Int("p", 2, "how many tests run at a time")
	keep    = flag.String("dir", "", "a folder for what is built; a second run of the same tree uses it again")
	state   = flag.String("state", "", "a file that keeps results: a second run tries only mutants without one")
	known   = flag.String("equivalent", "internal/mutants/equivalent.txt", "mutants that change nothing that can be seen, and why")
	slow    = flag.String("slow", "", "tests that run last, each alone, to see what they catch that others do not: a regular expression")
)

// always are mutants that once lived.
var always = []string{
	`internal/bind/write.go Binding.writeOther arith "len(out) - pos"`,
	`internal/bind/write.go Binding.Write more "1"`,
	`internal/bind/write.go Binding.writeOther more "8"`,
	`internal/layout/write.go Step.AfterPrefix logic "p.null == nil || !bytes.HasPrefix(st.C.Null, form)"`,
	`internal/piece/transform.go spanThrough flip "false"`,
}

// without are tests that see the tree, and not the build of the mutants: they run go
// themselves, or count allocations and calls that the mutants' switches change.
const without = "TestInlining|TestStatements|TestREADME|TestNotationPageCompiles"

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// pack is a package of the module, as go list prints it.
type pack struct {
	ImportPath, Dir, Export, Name                string
	Standard                                     bool
	GoFiles, TestGoFiles, XTestGoFiles, Embedded []string
	Module                                       *struct{ Main bool }
}

func listed() (all []pack, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pack
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// mutable is whether a package's code gets mutants: not that of its tests.
func mutable(path, root string, of *regexp.Regexp) bool {
	rest, ok := strings.CutPrefix(path, root)
	switch {
	case strings.HasPrefix(rest, "/internal/tests/"), rest == "/internal/seed", rest == "/internal/mutants":
		return false
	}
	return ok && of.MatchString(rest)
}

func run() error {
	packs, err := listed()
	if err != nil {
		return err
	}
	top, err := os.Getwd()
	if err != nil {
		return err
	}
	var root string
	exports := map[string]string{}
	for _, p := range packs {
		exports[p.ImportPath] = p.Export
		if p.Dir == top {
			root = p.ImportPath
		}
	}
	if root == "" {
		return errors.New("run this in the root module's folder")
	}
	wanted, err := regexp.Compile(*of)
	if err != nil {
		return err
	}
	equivalent, err := readEquivalent(*known)
	if err != nil {
		return err
	}
	var all []site
	typed := map[string]*checker{}
	for _, p := range packs {
		if p.Module == nil || !p.Module.Main || !mutable(p.ImportPath, root, wanted) {
			continue
		}
		c := &checker{pack: p, top: top, exports: exports, fset: token.NewFileSet()}
		if err := c.check(nil); err != nil {
			return err
		}
		typed[p.ImportPath] = c
		all = append(all, c.sites()...)
	}
	chosen, err := choose(all, *count, *seed)
	if err != nil {
		return err
	}
	overlay, chosen, err := mutate(chosen, typed)
	if err != nil {
		return err
	}
	if *only != "" {
		re, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		for i := range chosen {
			if !re.MatchString(chosen[i].key) {
				chosen[i].op = "" // its number stays
			}
		}
	}
	if *list {
		for i, s := range chosen {
			if s.op != "" {
				fmt.Printf("%d\t%s\tline %d\n", i+1, s.key, s.line)
			}
		}
		fmt.Printf("%d of %d places\n", len(chosen), len(all))
		return nil
	}
	dir := *keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "mutants"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	r := &runner{top: top, root: root, dir: dir, chosen: chosen, equivalent: equivalent, times: map[string]time.Duration{}, visits: map[int][]string{}}
	if err := r.build(overlay, packs); err != nil {
		return err
	}
	if err := r.baseline(); err != nil {
		return err
	}
	return r.all()
}

// choose takes the sites with the smallest hashes, as many of each operator, and none
// within another: a change elsewhere in the code leaves the choice as it is.
func choose(all []site, n int, seed string) ([]site, error) {
	by := map[string][]site{}
	var chosen []site
	for _, s := range all {
		if slices.Contains(always, s.key) {
			chosen = append(chosen, s)
		} else {
			by[s.op] = append(by[s.op], s)
		}
	}
	for _, key := range always {
		if *of == usual && !slices.ContainsFunc(chosen, func(s site) bool { return s.key == key }) {
			return nil, fmt.Errorf("a mutant that is always tried has no place in the code: %s", key)
		}
	}
	for _, list := range by {
		slices.SortFunc(list, func(a, b site) int { return cmp.Compare(hash(seed+a.key), hash(seed+b.key)) })
	}
	for len(chosen) < n {
		before := len(chosen)
		for _, op := range operators {
			for len(by[op]) > 0 && len(chosen) < n {
				s := by[op][0]
				by[op] = by[op][1:]
				if !slices.ContainsFunc(chosen, func(o site) bool { return o.file == s.file && o.from < s.to && s.from < o.to }) {
					chosen = append(chosen, s)
					break
				}
			}
		}
		if len(chosen) == before {
			break
		}
	}
	slices.SortFunc(chosen, func(a, b site) int { return cmp.Compare(a.key, b.key) })
	return chosen, nil
}

// checker has the types of one package.
type checker struct {
	pack
	top     string
	exports map[string]string
	fset    *token.FileSet
	files   []*ast.File
	info    *types.Info
	pkg     *types.Package
}

// check reads the package with some files' text replaced.
func (c *checker) check(replaced map[string]string) error {
	c.files, c.info = nil, &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	names := c.GoFiles
	for name := range replaced {
		if !slices.Contains(names, filepath.Base(name)) {
			names = append(slices.Clone(names), filepath.Base(name))
		}
	}
	for _, name := range names {
		name = filepath.Join(c.Dir, name)
		var src any
		if text, ok := replaced[name]; ok {
			src = text
		}
		f, err := parser.ParseFile(c.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		c.files = append(c.files, f)
	}
	config := types.Config{Importer: importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(c.exports[path]) })}
	var err error
	c.pkg, err = config.Check(c.ImportPath, c.fset, c.files, c.info)
	return err
}

func (c *checker) sites() (sites []site) {
	for _, f := range c.files {
		name, err := filepath.Rel(c.top, c.fset.Position(f.Pos()).Filename)
		if err != nil || ast.IsGenerated(f) {
			continue
		}
		find := &finder{fset: c.fset, info: c.info, pkg: c.pkg, file: filepath.ToSlash(name), seen: map[string]int{}}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				find.function(d)
			}
		}
		sites = append(sites, find.sites...)
	}
	return sites
}

// mutate gives the files with mutants in them. What does not compile is left out.
func mutate(chosen []site, typed map[string]*checker) (map[string]string, []site, error) {
	for {
		files := map[string]string{}
		bad := -1
		for path, c := range typed {
			mine := map[string]string{}
			for _, name := range c.GoFiles {
				rel, _ := filepath.Rel(c.top, filepath.Join(c.Dir, name))
				text, err := os.ReadFile(filepath.Join(c.Dir, name))
				if err != nil {
					return nil, nil, err
				}
				if s, ok := edited(string(text), filepath.ToSlash(rel), chosen); ok {
					mine[filepath.Join(c.Dir, name)] = s
				}
			}
			if len(mine) == 0 {
				continue
			}
			mine[filepath.Join(c.Dir, "mutant_switch.go")] = "package " + c.Name + "\n" + helpers
			again := &checker{pack: c.pack, top: c.top, exports: c.exports, fset: token.NewFileSet()}
			if err := again.check(mine); err != nil {
				if bad = blamed(err, again, mine, chosen); bad < 0 {
					return nil, nil, fmt.Errorf("%s with mutants: %w", path, err)
				}
				fmt.Fprintf(os.Stderr, "does not compile, left out: %s: %v\n", chosen[bad].key, err)
				break
			}
			for name, text := range mine {
				files[name] = text
			}
		}
		if bad < 0 {
			return files, chosen, nil
		}
		chosen = slices.Delete(slices.Clone(chosen), bad, bad+1)
	}
}

func edited(text, file string, chosen []site) (string, bool) {
	type numbered struct {
		site
		n int
	}
	var mine []numbered
	for i, s := range chosen {
		if s.file == file {
			mine = append(mine, numbered{s, i + 1})
		}
	}
	slices.SortFunc(mine, func(a, b numbered) int { return b.from - a.from })
	for _, s := range mine {
		text = text[:s.from] + s.edit(s.n, text[s.from:s.to]) + text[s.to:]
	}
	return text, len(mine) > 0
}

var aNumber = regexp.MustCompile(`mutant(?:Is|Of(?:\[[^]]*\])?)\((\d+)`)

// blamed is the mutant nearest to where a build fails.
func blamed(err error, c *checker, files map[string]string, chosen []site) int {
	var fault types.Error
	if !errors.As(err, &fault) {
		return -1
	}
	at := c.fset.Position(fault.Pos)
	lines := strings.Split(files[at.Filename], "\n")
	if at.Line > len(lines) {
		return -1
	}
	m := aNumber.FindStringSubmatch(lines[at.Line-1])
	if m == nil {
		return -1
	}
	n, _ := strconv.Atoi(m[1])
	return n - 1
}

// readEquivalent reads lines "name: why".
func readEquivalent(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.LastIndex(line, "\t")
		if at < 0 {
			return nil, fmt.Errorf("%s:%d: want a mutant's name, a tab, and why it changes nothing", file, i+1)
		}
		why[line[:at]] = line[at+1:]
	}
	return why, nil
}

// runner runs tests of mutants.
type runner struct {
	top, root, dir string
	chosen         []site
	equivalent     map[string]string
	tests          []testBinary
	times          map[string]time.Duration // of each test: its package and name
	visits         map[int][]string         // the tests that come by a mutant's place, of those that were looked at
	red            string                   // tests that fail without a mutant
}

// testBinary is the built tests of one package.
type testBinary struct {
	path, dir, file string
	cpu             time.Duration // what it takes without a mutant
}

func (r *runner) build(files map[string]string, packs []pack) error {
	replace := map[string]string{}
	for name, text := range files {
		to := filepath.Join(r.dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return err
		}
		replace[name] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(r.dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*in)
	if err != nil {
		return err
	}
	for _, p := range packs {
		if p.Module == nil || !p.Module.Main || !wanted.MatchString(p.ImportPath) || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || p.ImportPath == r.root+"/internal/mutants" {
			continue
		}
		b := testBinary{path: p.ImportPath, dir: p.Dir, file: filepath.Join(r.dir, strings.ReplaceAll(strings.TrimPrefix(p.ImportPath, r.root), "/", "_")+".test")}
		if _, err := os.Stat(b.file); err == nil { // of the run before
			r.tests = append(r.tests, b)
			continue
		}
		c := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-c", "-o", b.file, p.ImportPath)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", p.ImportPath, err, out)
		}
		r.tests = append(r.tests, b)
	}
	fmt.Printf("built the tests of %d packages with %d mutants\n", len(r.tests), len(r.chosen))
	return nil
}

var begun = regexp.MustCompile(`^=== (?:RUN|CONT|NAME) +(\S+)`)

// Without blanks before it: a test may print what tests of its own said.
var failed = regexp.MustCompile(`(?m)^--- FAIL: ([^\s(]+)`)

// try runs tests on mutant n, and says which one fails. What uses far more CPU than it did
// without a mutant is taken to never end: the clock says nothing on a busy machine.
func (r *runner) try(n int, b testBinary, limit time.Duration, env []string, args ...string) (by string, used time.Duration) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Hour)
	defer stop()
	argv := append([]string{"-c", "ulimit -v 16000000; exec \"$@\"", "bash", b.file, "-test.failfast", "-test.v", "-test.timeout=0", "-test.parallel=1"}, args...)
	c := exec.CommandContext(ctx, "bash", argv...)
	c.Dir = b.dir
	c.Env = append(os.Environ(), "ROWKEY_MUTANT="+strconv.Itoa(n), "GOMEMLIMIT=1GiB", "GOTRACEBACK=single")
	c.Env = append(c.Env, env...)
	c.WaitDelay = 10 * time.Second
	var out, errs bytes.Buffer
	c.Stderr = &errs
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err.Error(), 0
	}
	var mu sync.Mutex
	test, before, since, endless := "", time.Duration(0), time.Now(), false
	note := func(name string) { // the test that runs from now on
		now := cpuOf(c.Process.Pid)
		mu.Lock()
		defer mu.Unlock()
		if n == 0 {
			r.took(b.path+" "+test, now-before)
		}
		test, before, since = name, now, time.Now()
	}
	go func() {
		for range time.Tick(250 * time.Millisecond) {
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			// A deadlock uses no CPU at all.
			if over := cpuOf(c.Process.Pid) - before; over > max(limit, 3*r.usual(b.path+" "+test)+5*time.Second) || over < time.Second && time.Since(since) > 10*time.Minute {
				endless = true
				c.Process.Kill()
				mu.Unlock()
				return
			}
			mu.Unlock()
		}
	}()
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		line := lines.Text()
		out.WriteString(line + "\n")
		if m := begun.FindStringSubmatch(line); m != nil {
			note(m[1])
		}
	}
	err = c.Wait()
	stop()
	used = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if err == nil {
		return "", used
	}
	if m := failed.FindSubmatch(append(out.Bytes(), errs.Bytes()...)); m != nil {
		return string(m[1]), used
	}
	if endless {
		return test + " (never ends)", used
	}
	return test + " (panics)", used
}

// cpuOf is the CPU time of a process that runs.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.Atoi(words[11])
	system, _ := strconv.Atoi(words[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// took notes the CPU time of a test without a mutant.
func (r *runner) took(test string, cpu time.Duration) { r.times[test] = max(r.times[test], cpu) }

func (r *runner) usual(test string) time.Duration { return r.times[test] }

// baseline runs all tests without a mutant.
func (r *runner) baseline() error {
	red := []string{without}
	for i := range r.tests {
		b := &r.tests[i]
		trace := b.file + ".trace"
		for {
			os.Remove(trace)
			by, used := r.try(0, *b, 30*time.Minute, []string{"ROWKEY_MUTANT_TRACE=" + trace}, "-test.skip", strings.Join(red, "|"), "-test.short="+strconv.FormatBool(*short))
			b.cpu = used
			if by == "" {
				break
			}
			name, _, _ := strings.Cut(by, "/")
			if strings.Contains(by, "(") {
				return fmt.Errorf("%s: without a mutant: %s", b.path, by)
			}
			fmt.Printf("left out, it fails without a mutant: %s of %s\n", name, b.path)
			red = append(red, "^"+name+"$")
		}
		text, _ := os.ReadFile(trace)
		for line := range strings.Lines(string(text)) {
			var n int
			var test string
			if _, err := fmt.Sscan(line, &n, &test); err != nil {
				return err
			}
			r.visits[n] = append(r.visits[n], b.path+" "+test)
		}
		fmt.Printf("%6.1f s of CPU: %s\n", b.cpu.Seconds(), b.path)
	}
	r.red = strings.Join(red, "|")
	// The cheap ones first: most mutants die there.
	slices.SortStableFunc(r.tests, func(a, b testBinary) int { return cmp.Compare(a.cpu, b.cpu) })
	return nil
}

// fate is where a mutant died.
type fate struct {
	Key   string
	Stage string // "" if it lives
	By    string
	Slow  []string `json:",omitempty"` // the slow tests that see it, of those that no other does
	Far   bool     `json:",omitempty"` // no test was seen to come by
	CPU   float64
}

func (r *runner) of(n int) (f fate) {
	s := r.chosen[n-1]
	f.Key = s.key
	var spent time.Duration
	defer func() { f.CPU = spent.Seconds() }()
	tests := slices.Clone(r.tests)
	tests = slices.DeleteFunc(tests, func(b testBinary) bool { // none of its tests can see the mutant
		return !slices.ContainsFunc(r.visits[n], func(visit string) bool { return strings.HasPrefix(visit, b.path+" ") })
	})
	slices.SortStableFunc(tests, func(a, b testBinary) int { // its own first, then the root's
		rank := func(b testBinary) int {
			switch b.path {
			case s.pack:
				return 0
			case r.root:
				return 1
			}
			return 2
		}
		return rank(a) - rank(b)
	})
	skip := r.red
	if *slow != "" {
		skip += "|" + *slow
	}
	told := func(b testBinary, by string) fate {
		f.Stage = "its package"
		if b.path != s.pack {
			f.Stage = cmp.Or(strings.TrimPrefix(strings.TrimPrefix(b.path, r.root), "/"), "root")
		}
		f.By = by
		return f
	}
	// Most die in one of the cheap tests that come by their place.
	near := slices.DeleteFunc(slices.Clone(r.visits[n]), func(visit string) bool { return strings.HasSuffix(visit, " -") })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(r.usual(a), r.usual(b)) })
	for _, visit := range near[:min(len(near), 12)] {
		path, test, _ := strings.Cut(visit, " ")
		b := tests[slices.IndexFunc(tests, func(b testBinary) bool { return b.path == path })]
		by, used := r.try(n, b, 0, nil, "-test.skip", skip, "-test.short="+strconv.FormatBool(*short), "-test.run", "^"+test+"$")
		spent += used
		if by != "" {
			return told(b, by)
		}
	}
	f.Far = len(tests) == 0
	for _, args := range [][]string{{"-test.short"}, {}} { // most die within seconds
		if len(args) == 0 && *short {
			break
		}
		for _, b := range tests {
			if len(args) > 0 && !*short && b.cpu < 5*time.Second && b.path != s.pack && b.path != r.root {
				continue // it is as fast without
			}
			by, used := r.try(n, b, 0, nil, append(args, "-test.skip", skip)...)
			spent += used
			if by != "" {
				return told(b, by)
			}
		}
	}
	if *slow != "" {
		for _, b := range tests {
			for _, name := range r.slowOf(b) {
				by, used := r.try(n, b, 0, nil, "-test.skip", r.red, "-test.run", "^"+name+"$")
				spent += used
				if by != "" {
					f.Stage, f.By = "slow tests", by
					f.Slow = append(f.Slow, by)
				}
			}
		}
		if f.By != "" {
			return f
		}
	}
	if r.equivalent[s.key] != "" {
		return f
	}
	for _, more := range []int{*laws, *nightly} {
		if more == 0 {
			continue
		}
		for _, b := range r.tests { // more cases may come by where the usual ones did not
			cases := more
			switch {
			case b.path == r.root+"/laws":
			case b.path == s.pack && strings.HasSuffix(b.path, "/internal/gen"): // it compiles what it draws
				cases = max(1, more/10)
			default:
				continue
			}
			by, used := r.try(n, b, 10*time.Hour, []string{"ROWKEY_LAWS=" + strconv.Itoa(cases)}, "-test.skip", r.red, "-test.run", "Law|HotAndCold|^TestGo$|^TestJava$")
			spent += used
			if by != "" {
				f.Stage, f.By = "laws of "+strconv.Itoa(cases), by
				return f
			}
		}
	}
	return f
}

func (r *runner) slowOf(b testBinary) []string {
	out, _ := exec.Command(b.file, "-test.list", *slow).Output()
	return strings.Fields(string(out))
}

func (r *runner) all() error {
	fates := map[string]fate{}
	if *state != "" {
		text, err := os.ReadFile(*state)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for line := range strings.Lines(string(text)) {
			var f fate
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				return fmt.Errorf("%s: %w", *state, err)
			}
			fates[f.Key] = f
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan int)
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range next {
				f := r.of(n)
				mu.Lock()
				fates[f.Key] = f
				line, _ := json.Marshal(f)
				if *state != "" {
					if out, err := os.OpenFile(*state, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
						fmt.Fprintf(out, "%s\n", line)
						out.Close()
					}
				}
				fmt.Printf("%3d %s: %s\n", n, f.Key, f.said())
				mu.Unlock()
			}
		}()
	}
	for i, s := range r.chosen {
		mu.Lock()
		f, done := fates[s.key]
		mu.Unlock()
		if s.op != "" && (!done || f.Stage == "" && r.equivalent[s.key] == "") {
			next <- i + 1
		}
	}
	close(next)
	wg.Wait()
	return r.sum(fates)
}

func (f fate) said() string {
	if f.Stage == "" && f.Far {
		return "LIVES, and no test was seen to come by"
	}
	if f.Stage == "" {
		return "LIVES"
	}
	return f.By + " of " + f.Stage
}

// sum prints where mutants died, and fails if too many live.
func (r *runner) sum(fates map[string]fate) error {
	at, lives, same, all := map[string]int{}, 0, 0, 0
	alone := map[string][]string{} // what one slow test sees, and nothing else
	for _, s := range r.chosen {
		f, ok := fates[s.key]
		if !ok || s.op == "" {
			continue
		}
		all++
		switch {
		case f.Stage != "" && r.equivalent[s.key] != "":
			return fmt.Errorf("equivalent, they say, but %s sees it: %s", f.By, s.key)
		case f.Stage != "":
			if at[f.Stage]++; len(f.Slow) == 1 {
				alone[f.Slow[0]] = append(alone[f.Slow[0]], s.key)
			}
		case r.equivalent[s.key] != "":
			same++
		default:
			lives++
			fmt.Printf("LIVES %s:%d: %s\n", s.file, s.line, s.key)
		}
	}
	for _, stage := range slices.SortedFunc(maps.Keys(at), func(a, b string) int { return at[b] - at[a] }) {
		fmt.Printf("%4d died: %s\n", at[stage], stage)
	}
	for _, test := range slices.Sorted(maps.Keys(alone)) {
		fmt.Printf("%s alone sees\n\t%s\n", test, strings.Join(alone[test], "\n\t"))
	}
	fmt.Printf("%4d change nothing: %s\n%4d live, of %d\n", same, *known, lives, all)
	if real := all - same; 100*lives > 2*real {
		return fmt.Errorf("%d of %d live: more than 2 of 100", lives, real)
	}
	return nil
}
