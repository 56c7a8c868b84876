package gen

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// module is a folder with a module that uses this library, and a package keys in it.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "require")
	save(t, dir, "go.mod", "module example.com/proof\n\ngo 1.24\n\nrequire github.com/hbase-rowkey/rowkey v0.0.0\nreplace github.com/hbase-rowkey/rowkey => "+root+"\n\nrequire"+requires)
	save(t, dir, "go.sum", string(sum))
	return dir
}

func save(t *testing.T, dir, path, text string) {
	t.Helper()
	path = filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// printed writes the Go, the tests and the vectors of schemas into a module.
func printed(t *testing.T, dir string, all []*rowkey.Schema, rows int) {
	t.Helper()
	for i, s := range all {
		c := resolved(s)
		o := GoOptions{Package: "keys", Types: i%4 == 3}
		file, err := Go(o, c)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		test, err := GoTest(o, c, "testdata/"+s.Name()+".vectors")
		if err != nil {
			t.Fatal(err)
		}
		vectors := Vectors(s, c, rows)
		save(t, dir, "keys/"+file.Path, string(file.Text))
		save(t, dir, "keys/"+test.Path, string(test.Text))
		save(t, dir, "keys/testdata/"+vectors.Path, string(vectors.Text))
	}
}

func goIn(dir string, args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	return c.CombinedOutput()
}

// passed are the lines of tests that say nothing of a fault.
var passed = regexp.MustCompile(`(?m)^(=== RUN|--- PASS: |.*: \d+ vectors$).*\n`)

var counted = regexp.MustCompile(`: (\d+) vectors`)

// proved runs the tests of the printed code, and counts their vectors.
func proved(t *testing.T, dir string) (n int) {
	t.Helper()
	out, err := goIn(dir, "test", "-count=1", "-v", "./keys")
	if err != nil {
		t.Fatalf("%v\n%.20000s", err, passed.ReplaceAll(out, nil))
	}
	for _, m := range counted.FindAllSubmatch(out, -1) {
		k, _ := strconv.Atoi(string(m[1]))
		n += k
	}
	return n
}

// TestGo prints Go for random schemas, and holds it to the library.
func TestGo(t *testing.T) {
	n := seed.Cases(t, 120) / 10
	if testing.Short() {
		n = 5
	}
	r := rand.New(rand.NewPCG(seed.Of(t), 7))
	direct, library := drawn(t, r, n, straight), drawn(t, r, max(1, n/10), byLibrary)
	direct = append(direct, drawn(t, r, max(1, n/10), notJava)...)
	dir := module(t)
	printed(t, dir, append(direct, corners()...), 100)
	if out, err := goIn(dir, "vet", "./keys"); err != nil {
		t.Errorf("go vet: %s", out)
	}
	count := proved(t, dir)
	dir = module(t)
	printed(t, dir, library, 60)
	t.Logf("%d schemas, %d vectors; %d by the library, %d vectors", len(direct), count, len(library), proved(t, dir))
	if count < 100*n {
		t.Fatalf("%d vectors of %d schemas", count, n)
	}
}

// TestGoTypes prints a type for each field but a time; TestGo compiles such code.
func TestGoTypes(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("trades", "[seller]['_'][max-ms(at)][order:8]"))
	f, err := Go(GoOptions{Package: "keys", Types: true}, resolved(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"type TradesSeller string", "type TradesOrder uint64", "Seller TradesSeller", "At     time.Time", "seller TradesSeller, at_ time.Time"} {
		if !strings.Contains(string(f.Text), want) {
			t.Errorf("%s does not stand in\n%s", want, f.Text)
		}
	}
}

// TestRefused: what is written in Go alone is no text of a notation, and what is not covered is not
// printed as if it were.
func TestRefused(t *testing.T) {
	own := rowkey.NewDigest("own", 1, func(dst, data []byte) []byte { return append(dst, byte(len(data))) })
	hashed := rowkey.New("t").Hash(own.Raw(1), "a").String("a").MustBuild()
	s := resolved(hashed)
	for language, print := range map[string]func() (File, error){
		"Go":   func() (File, error) { return Go(GoOptions{Package: "keys"}, s) },
		"Java": func() (File, error) { return Java(JavaOptions{Package: "keys"}, hashed, s) },
	} {
		f, err := print()
		if err == nil || !strings.Contains(err.Error(), "t: [own.raw(1)(a)]: ") || len(f.Text) > 0 {
			t.Errorf("%s: %v\n%s", language, err, f.Text)
		}
	}
}

// TestNames: names that Go and Java cannot tell apart are refused, and those of files are such as Go reads.
func TestNames(t *testing.T) {
	for notation, want := range map[string]string{
		"[-:4][b:4]":                          "t: the name - cannot be printed in Go: rename it",
		"[salt4(a) named(-)][a:4]":            "t: the name - cannot be printed in Go: rename it",
		"[order-id:4][OrderId:4]":             "t: the fields order-id and OrderId are both OrderId in Go: rename one",
		"[\u0130d:4][Id:4]":                   "t: the fields \u0130d and Id are both Id in Go: rename one",
		"[salt4(a) named(.)][a:4][_:4][b.:4]": "",
	} {
		_, err := Go(GoOptions{Package: "keys"}, resolved(rowkey.Must(rowkey.Parse("t", notation))))
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s: %s", notation, got)
		}
	}
	for name, want := range map[string]string{"trades": "trades", "Orders/2": "orders_2", "_x": "x_x", ".x": "x_x", "-": "x-", "": "x", "a_test": "a_test"} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %s", name, got)
		}
	}
}

func TestWhose(t *testing.T) {
	_, err := rowkey.Must(rowkey.Parse("t", "[a:2 below(7)]")).AppendKey(nil, 7)
	for want, err := range map[string]error{"- no key -1": errors.New("no key"), "a RANGE -1": err, "- OTHER 3": &rowkey.Error{Offset: 3, Err: errors.New("no key")}} {
		field, reason, at := whose(err)
		if got := fmt.Sprint(field, " ", reason, " ", at); got != want {
			t.Errorf("%v: %s, not %s", err, got, want)
		}
	}
}

// TestCopiesOnce: a text that reading changes is copied once, whatever changes it.
func TestCopiesOnce(t *testing.T) {
	f, err := Go(GoOptions{Package: "keys"}, resolved(rowkey.Must(rowkey.Parse("t", `[a reverse desc]['_'][b codes("new":"n")]`))))
	if err != nil {
		t.Fatal(err)
	}
	_, reading, _ := strings.Cut(string(f.Text), ") Parse(")
	reading, _, _ = strings.Cut(reading, "\n}\n")
	if n := strings.Count(reading, "append("); n != 1 || !strings.Contains(reading, "k.A = rt.Text(t0)") {
		t.Errorf("%d copies, and perhaps one more:\n%s", n, reading)
	}
}

// TestCommentNamesMethods: what the comment on a schema names are methods of it.
func TestCommentNamesMethods(t *testing.T) {
	f, err := Go(GoOptions{Package: "p"}, resolved(rowkey.Must(rowkey.Parse("t", "[a:8]"))))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`// TSchema is the schema: for (.+)\.`).FindSubmatch(f.Text)
	if m == nil {
		t.Fatal("there is no such comment")
	}
	for _, name := range regexp.MustCompile(`, | and `).Split(string(m[1]), -1) {
		if _, ok := reflect.TypeFor[*rowkey.Schema]().MethodByName(name); !ok {
			t.Errorf("%s: a Schema has no method %s", m[0], name)
		}
	}
}

// TestGoIsWrong plants another hash, which the vectors must find.
func TestGoIsWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles printed code")
	}
	s := rowkey.Must(rowkey.Parse("trades", "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"))
	dir := module(t)
	printed(t, dir, []*rowkey.Schema{s}, 20)
	if out, err := goIn(dir, "vet", "./keys"); err != nil {
		t.Errorf("go vet: %s", out)
	}
	path := filepath.Join(dir, "keys", "trades_gen.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "rt.Murmur(0, rt.Bytes(k.Seller))", "rt.Murmur(1, rt.Bytes(k.Seller))", 1)
	if changed == string(text) {
		t.Fatal("the hash does not stand in the code as this test knows it")
	}
	save(t, dir, "keys/trades_gen.go", changed)
	if out, err := goIn(dir, "test", "-count=1", "./keys"); err == nil || !bytes.Contains(out, []byte("trades.vectors:")) {
		t.Errorf("another hash was not found: %s", out)
	}
}
