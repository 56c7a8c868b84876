package gen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// jdk leaves a test out where there is no Java compiler.
func jdk(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("javac"); err != nil {
		if os.Getenv("ROWKEY_TOOLS") == "required" {
			t.Fatal(err)
		}
		t.Skip("no javac: the printed Java is not compiled")
	}
}

// javas writes the Java of schemas, their tests and vectors, and a program that runs all.
func javas(t *testing.T, dir string, o JavaOptions, all []*rowkey.Schema, rows int) {
	t.Helper()
	var runs strings.Builder
	put := func(f File, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		save(t, dir, "src/"+f.Path, string(f.Text))
	}
	put(JavaSupport(o), nil)
	put(JavaTestSupport(o), nil)
	for _, s := range all {
		c := resolved(s)
		put(Java(o, s, c))
		put(JavaTest(o, c))
		v := Vectors(s, c, rows)
		save(t, dir, v.Path, string(v.Text))
		fmt.Fprintf(&runs, "    n += new %sVectors().run(dir + %q);\n", JavaClass(c), "/"+v.Path)
	}
	save(t, dir, "src/All.java", "public class All {\n  public static void main(String[] args) throws Exception {\n    String dir = args[0];\n    long n = 0;\n"+
		runs.String()+"    System.out.println(n);\n    if (n <= 0) System.exit(1);\n  }\n}\n")
}

// compiled compiles and runs them, and counts their vectors; output is what they printed.
func compiled(t *testing.T, dir string) (n int, output string, err error) {
	t.Helper()
	sources, _ := filepath.Glob(filepath.Join(dir, "src", "*.java"))
	save(t, dir, "sources", strings.Join(sources, "\n"))
	out, err := exec.Command("javac", "-encoding", "UTF-8", "--release", "8", "-Xlint:all,-options", "-Werror", "-d", filepath.Join(dir, "classes"), "@"+filepath.Join(dir, "sources")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.20000s", err, out)
	}
	out, err = exec.Command("java", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join(dir, "classes"), "All", dir).CombinedOutput()
	lines := strings.Fields(string(out))
	if len(lines) > 0 {
		n, _ = strconv.Atoi(lines[len(lines)-1])
	}
	return n, string(out), err
}

// TestJava prints Java for random schemas, and holds it to the library.
func TestJava(t *testing.T) {
	jdk(t)
	n := seed.Cases(t, 150) / 5
	if testing.Short() {
		t.Skip("-short: compiles printed Java")
	}
	javaCorners := slices.DeleteFunc(corners(), func(s *rowkey.Schema) bool { return printedOf(resolved(s)) != straight })
	all := append(drawn(t, rand.New(rand.NewPCG(seed.Of(t), 8)), n, straight), javaCorners...)
	dir := t.TempDir()
	javas(t, dir, JavaOptions{}, all, 100)
	for _, s := range javaCorners { // bounds that nulls make longer than a key
		path := filepath.Join(dir, s.Name()+".vectors")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, dir, s.Name()+".vectors", string(text)+longNulls(s))
	}
	count, out, err := compiled(t, dir)
	if err != nil || count < 100*n {
		t.Fatalf("%d vectors, %v\n%.20000s", count, err, out)
	}
	t.Logf("%d schemas, %d vectors", len(all), count)
}

// longNulls are vectors of ranges of a long text and nulls after it; empty if there are no nulls, or
// salts, of which each would be a range.
func longNulls(s *rowkey.Schema) string {
	var b printer
	v := vectors{printer: &b, schema: s, s: resolved(s)}
	if !nullable(v.s.Fields) || v.s.Fields[0].Kind != code.String || len(v.s.Derived) > 0 {
		return ""
	}
	for n := 32764; n <= 32766; n++ { // around the longest key
		row := make([]any, len(v.s.Fields))
		row[0] = strings.Repeat("z", n)
		for i, f := range v.s.Fields[1:] {
			if !f.Optional {
				row[i+1] = value(rand.New(rand.NewPCG(1, 1)), f)
			}
		}
		v.nullRanges(row)
	}
	return b.String()
}

// TestJavaTooLarge: what a class file cannot hold is refused, not printed; a little less compiles.
func TestJavaTooLarge(t *testing.T) {
	all := func(n int, piece, between string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.ReplaceAll(piece, "#", strconv.Itoa(i))
		}
		return strings.Join(list, between)
	}
	for _, c := range []struct{ notation, why string }{
		{all(128, "[a#:8]", ""), "255 parameters"},
		{all(255, "[a# fixed(2)]", ""), "255 parameters"},
		{all(120, "[a#:8]", ""), "its code"}, // of the test of the class
		{`[a oneof(` + all(5000, `"v#"`, ",") + `)]`, "its code"},
		{`[a codes(` + all(4000, `"v#":"#"`, ",") + `)]`, "its code"},
		{`["` + strings.Repeat("x", 30000) + `"][a:8]`, "its code"},
		{"[" + strings.Repeat("a", 65532) + ":8]", "at most 65535 bytes"},
		{all(100, "[a#:8]", ""), ""},
		{`[a oneof(` + all(3900, `"v#"`, ",") + `)]`, ""},
		{`[a codes(` + all(2400, `"v#":"#"`, ",") + `)]`, ""},
		{all(200, "[salt16(a) named(s#)]", "") + "[a:8]", ""},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		_, err := Java(JavaOptions{}, s, resolved(s))
		if err == nil {
			_, err = JavaTest(JavaOptions{}, resolved(s))
		}
		if got := fmt.Sprint(err); c.why == "" && err != nil || !strings.Contains(got, c.why) {
			t.Errorf("%.40s…: %.200s, want %q", c.notation, got, c.why)
		}
	}
}

// TestJavaIsWrong plants the usual mistake, the bucket of a hash with a sign. A file of vectors that is
// missing is one line.
func TestJavaIsWrong(t *testing.T) {
	jdk(t)
	if testing.Short() {
		t.Skip("-short: compiles printed Java")
	}
	s := rowkey.Must(rowkey.Parse("trades", "[salt100(seller)][seller]['_'][max-ms(at)][order:8]"))
	dir := t.TempDir()
	javas(t, dir, JavaOptions{}, []*rowkey.Schema{s}, 40)
	text, err := os.ReadFile(filepath.Join(dir, "src", "TradesKey.java"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "(RowKeys.murmur(0, in0) & 0xFFFFFFFFL) % 100L", "Math.floorMod((long) RowKeys.murmur(0, in0), 100L)", 1)
	if changed == string(text) {
		t.Fatal("the bucket does not stand in the code as this test knows it")
	}
	save(t, dir, "src/TradesKey.java", changed)
	if _, out, err := compiled(t, dir); err == nil || !strings.Contains(out, "trades.vectors:") {
		t.Errorf("the bucket of a hash with a sign was not found: %s", out)
	}
	out, err := exec.Command("java", "-cp", filepath.Join(dir, "classes"), "TradesKeyVectors", "none.vectors").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || string(out) != "java.nio.file.NoSuchFileException: none.vectors\n" {
		t.Errorf("a file that is missing: %v, %s", err, out)
	}
}

// TestJavaStandalone prints one file that needs no other. A field may have the name of what stands inside.
func TestJavaStandalone(t *testing.T) {
	jdk(t)
	if testing.Short() {
		t.Skip("-short: compiles printed Java")
	}
	s := rowkey.Must(rowkey.Parse("trades", "[salt100(RowKeys.seller)][RowKeys.seller]['_'][max-ms(at)][order:8]"))
	f, err := Java(JavaOptions{Package: "com.acme.keys", Standalone: true}, s, resolved(s))
	if err != nil {
		t.Fatal(err)
	}
	test, err := JavaTest(JavaOptions{Package: "com.acme.keys", Standalone: true}, resolved(s))
	if err != nil {
		t.Fatal(err)
	}
	dir, vectors := t.TempDir(), Vectors(s, resolved(s), 40)
	for _, f := range []File{f, test, vectors} {
		save(t, dir, f.Path, string(f.Text))
	}
	if out, err := exec.Command("javac", "--release", "8", "-Xlint:all,-options", "-Werror", "-d", dir, filepath.Join(dir, f.Path), filepath.Join(dir, test.Path)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(vectors string) ([]byte, error) {
		return exec.Command("java", "-XX:TieredStopAtLevel=1", "-cp", dir, "com.acme.keys.TradesKeyVectors", vectors).CombinedOutput()
	}
	if out, err := run(filepath.Join(dir, vectors.Path)); err != nil || !strings.HasSuffix(string(out), " vectors\n") {
		t.Errorf("%v\n%s", err, out)
	}
	save(t, dir, "wrong.vectors", strings.Replace(string(vectors.Text), "\nkey ", "\nkey 00", 1))
	if out, err := run(filepath.Join(dir, "wrong.vectors")); err == nil || !strings.Contains(string(out), "wrong.vectors:") {
		t.Errorf("%v\n%s", err, out)
	}
}
