package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const trades = "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"

// lines is n lines that are made as they are read.
type lines struct {
	line func(i int) string
	n, i int
	rest string
	read func()       // before each read
	made atomic.Int64 // as i, for a look while the command may still read
}

func (l *lines) Read(p []byte) (int, error) {
	if l.read != nil {
		l.read()
	}
	n := 0
	for n < len(p) {
		if l.rest == "" {
			if l.i == l.n {
				break
			}
			l.rest = l.line(l.i) + "\n"
			l.i++
			l.made.Store(int64(l.i))
		}
		c := copy(p[n:], l.rest)
		l.rest = l.rest[c:]
		n += c
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A million rows take no more memory than some: what is in use of the heap is
// looked at while the stream runs. The other streams have enough lines for 9 MiB
// and more; tables, which are slow to lay out, fewer.
func TestConstantMemory(t *testing.T) {
	const n = 1_000_000
	const most = 2 << 20 // of a table more: a page of it is laid out meanwhile
	header := func(head string, line func(i int) string) func(i int) string {
		return func(i int) string {
			if i == 0 {
				return head
			}
			return line(i)
		}
	}
	key := func(i int) string { return fmt.Sprintf("0c732d34325f7ffffe77dda4124f%016x", i) }
	for _, c := range []struct {
		name string
		args []string
		line func(i int) string
		n    int
		out  int // lines
	}{
		{"encode JSON", []string{"encode"}, func(i int) string {
			return fmt.Sprintf(`{"seller":"s-%d","at":"2023-05-16T02:20:30Z","order":%d}`, i, i)
		}, n, n},
		{"encode CSV", []string{"encode", "-o", "shell"}, header("seller,at,order", func(i int) string {
			return fmt.Sprintf("s-%d,2023-05-16T02:20:30Z,%d", i, i)
		}), n, n - 1},
		{"decode", []string{"decode"}, key, n / 5, n / 5},
		{"decode to tables", []string{"decode", "-o", "table"}, key, n / 10, n/10 + 1},
		{"convert", []string{"convert", "--from", trades}, key, n / 5, n / 5},
		{"check", []string{"check"}, key, n / 5, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, m runtime.MemStats
			var peak uint64
			reads, size := 0, 0
			in := &lines{line: c.line, n: c.n, read: func() {
				if reads++; reads%64 != 0 {
					return
				}
				runtime.GC() // what is left is in use
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}}
			out := &counter{}
			a := &app{stdin: in, stdout: out, stderr: io.Discard}
			runtime.GC()
			runtime.ReadMemStats(&before)
			require.Zero(t, a.run(append(c.args, "-s", trades)))
			peak -= min(peak, before.HeapAlloc)
			size = out.bytes
			t.Logf("%d MiB out, at most %d KiB in use", size>>20, peak>>10)
			limit := uint64(most)
			if c.name == "decode to tables" {
				limit *= 3
			}
			assert.Less(t, peak, limit)
			assert.NotZero(t, peak)
			assert.Equal(t, c.n, in.i)
			if c.out >= 0 {
				assert.Equal(t, c.out, out.lines)
			}
		})
	}
}

// counter counts what is written, and holds that each write is whole lines.
type counter struct {
	bytes, lines, torn int
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.lines += bytes.Count(p, []byte("\n"))
	if len(p) > 0 && p[len(p)-1] != '\n' {
		c.torn++
	}
	return len(p), nil
}

// Every write is whole records, whatever their number and length.
func TestWholeRecords(t *testing.T) {
	for _, form := range []string{"hex", "shell", "go", "json", "base64"} {
		in := &lines{n: 5000, line: func(i int) string {
			return fmt.Sprintf(`{"id":%q}`, strings.Repeat("k", 1+i%700))
		}}
		out := &counter{}
		a := &app{stdin: in, stdout: out, stderr: io.Discard}
		require.Zero(t, a.run([]string{"encode", "-s", "[id]", "-o", form}))
		assert.Equal(t, 5000, out.lines, form)
		assert.Zero(t, out.torn, form)
		assert.Greater(t, out.bytes, 2*blockSize, "more than one write")
	}
}

// What has been read is answered while more is waited for.
func TestPromptAnswers(t *testing.T) {
	for _, jobs := range []string{"1", "4"} {
		var out locked
		pipe, send := io.Pipe()
		a := &app{stdin: pipe, stdout: &out, stderr: io.Discard}
		done := make(chan int)
		go func() { done <- a.run([]string{"encode", "-s", "[id:1]", "--jobs", jobs}) }()
		want := ""
		for i := range 3 {
			_, err := fmt.Fprintf(send, `{"id":%d}`+"\n", i+1)
			require.NoError(t, err)
			want += fmt.Sprintf("%02x\n", i+1)
			assert.Eventually(t, func() bool { return out.String() == want }, time.Minute, time.Millisecond, want)
		}
		require.NoError(t, send.Close())
		assert.Zero(t, <-done)
		assert.Equal(t, "01\n02\n03\n", out.String())
	}
}

// locked is an output that is looked at while it is written.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

// An output that fails ends the command, and is told.
func TestBrokenOutput(t *testing.T) {
	for _, args := range [][]string{
		{"encode", "-s", "[id]"}, {"decode", "-s", "[id]", "--in", "raw"}, {"decode", "-s", "[id]", "--in", "raw", "-o", "table"},
		{"explain", "-s", "[id]", "--in", "raw"}, {"convert", "--from", "[id]", "-s", "[id]", "--in", "raw"},
	} {
		for after := range 2 {
			in := &lines{n: 100_000, line: func(i int) string { return fmt.Sprintf(`{"id":"%d"}`, i) }}
			var stderr bytes.Buffer
			a := &app{stdin: in, stdout: &broken{after}, stderr: &stderr}
			assert.Equal(t, exitMisuse, a.run(args), "%v", args)
			assert.Equal(t, "rowkey: disk full\n", stderr.String(), "%v", args)
			assert.Less(t, in.made.Load(), int64(100_000), "%v read on", args)
		}
	}
	a := &app{stdin: strings.NewReader(""), stdout: &broken{}, stderr: io.Discard}
	assert.Equal(t, exitMisuse, a.run([]string{"scan", "-s", "[id]", "id=a"}))
}

// An input that fails is told with what was read before it.
func TestBrokenInput(t *testing.T) {
	in := io.MultiReader(strings.NewReader("61\n62\n"), failing{})
	var stdout, stderr bytes.Buffer
	a := &app{stdin: in, stdout: &stdout, stderr: &stderr}
	assert.Equal(t, exitMisuse, a.run([]string{"decode", "-s", "[id]", "--in", "hex"}))
	assert.Equal(t, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", stdout.String())
	assert.Equal(t, "rowkey: cable cut\n", stderr.String())
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("cable cut") }

// A line too long is one bad line; the others are read.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("61", longest/2+1)
	stdout, stderr, code := call("61\n"+long+"\n62\n", "decode", "-s", "[id]", "--in", "hex")
	assert.Equal(t, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", stdout)
	assert.Equal(t, "rowkey: line 2: longer than 16 MiB\nrowkey: 1 of 3 keys bad\n", stderr)
	assert.Equal(t, exitFound, code)

	stdout, stderr, code = call("61\n"+long, "decode", "-s", "[id]", "--in", "hex")
	assert.Equal(t, "{\"id\":\"a\"}\n", stdout)
	assert.Equal(t, "rowkey: line 2: longer than 16 MiB\nrowkey: 1 of 2 keys bad\n", stderr)
	assert.Equal(t, exitFound, code)

	// check counts a line that it could not read, first or last.
	for _, input := range []string{long + "\n61\n", "61\n" + long} {
		stdout, _, code = call(input, "check", "-s", "[id]", "--in", "hex")
		assert.Contains(t, stdout, "\n2  keys\n1  fit\n1  are no key as text\n")
		assert.Contains(t, stdout, "1 key: longer than 16 MiB\n")
		assert.Equal(t, exitFound, code)
	}

	// An open quote swallows nothing, with its end far away or without one.
	rest := strings.Repeat(strings.Repeat("b", 10_000)+"\n", longest/10_000+1)
	stdout, stderr, code = call("id\na\n\"b\n"+rest+"\"\n", "encode", "-s", "[id]")
	assert.Equal(t, "rowkey: line 3: 16781680 bytes, at most 32767: length not allowed\n"+
		"rowkey: line 1682: a quote without its end: the line is left out, and the next is read as a row\nrowkey: 2 of 1681 rows bad\n", stderr)
	assert.Equal(t, exitFound, code)
	assert.Equal(t, 1679, strings.Count(stdout, "\n"))
	_, stderr, code = call("id\na\n\"b\n"+rest+rest, "encode", "-s", "[id]")
	assert.Equal(t, "rowkey: line 3: a quote without its end: the line is left out, and the next is read as a row\nrowkey: 1 of 3358 rows bad\n", stderr)
	assert.Equal(t, exitFound, code)

	// A line as long as a key may be is read, in its longest form.
	key := strings.Repeat(`\x00`, 32767)
	stdout, stderr, code = call(key+"\n", "convert", "--from", "[id:bytes]", "-s", "[id:bytes]", "-o", "shell", "--in", "text")
	assert.Empty(t, stderr)
	assert.Zero(t, code)
	assert.Equal(t, key+"\n", stdout)
}

// A line of samples that never ends is an error as soon as it is too long for any key.
func TestEndlessSample(t *testing.T) {
	for _, form := range []string{"auto", "raw"} {
		for _, begin := range []string{"", "6162\nzz\n"} {
			for _, end := range []io.Reader{&endless{left: 2 * longest}, strings.NewReader(strings.Repeat("6", longest+1)), strings.NewReader(strings.Repeat("6", longest+1) + "\n61\n")} {
				var stdout, stderr bytes.Buffer
				a := &app{stdin: io.MultiReader(strings.NewReader(begin), end), stdout: &stdout, stderr: &stderr}
				assert.Equal(t, exitFound, a.run([]string{"splits", "4", "-s", "[id]", "--in", form, "--sample", "-"}))
				assert.Equal(t, fmt.Sprintf("rowkey: line %d: longer than 16 MiB\n", 1+strings.Count(begin, "\n")), stderr.String(), form)
				assert.Empty(t, stdout.String())
			}
		}
	}
}

// endless is a line without an end, of which not more than so many bytes are to be read.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errors.New("read on")
	}
	for i := range p {
		p[i] = '6'
	}
	return len(p), nil
}

// A progress bar stands on stderr if that is a terminal and the output is none,
// which would be torn by it.
func TestProgressBar(t *testing.T) {
	for _, c := range []struct{ in, out, err, want bool }{
		{false, false, true, true}, {false, true, true, false}, {true, false, true, false}, {false, false, false, false},
	} {
		var stdout, stderr bytes.Buffer
		in := &lines{n: 2000, line: func(i int) string { return fmt.Sprintf("%016x", i) }}
		now := time.Now()
		clock := func() time.Time { now = now.Add(time.Second); return now }
		a := &app{stdin: in, stdout: &stdout, stderr: &stderr, inTerminal: c.in, outTerminal: c.out, errTerminal: c.err, clock: clock, columns: 40}
		assert.Zero(t, a.run([]string{"decode", "-s", "[id:8]", "--in", "hex"}))
		assert.Equal(t, c.want, strings.Contains(stderr.String(), "\r"), "%+v: %q", c, stderr.String())
		assert.Equal(t, 2000, strings.Count(stdout.String(), "\n"))
		assert.NotContains(t, stdout.String(), "\r")
		if c.want { // the rate is of the time that has passed, and the bar is gone at the end
			assert.Contains(t, stderr.String(), " keys  ")
			assert.True(t, strings.HasSuffix(stderr.String(), "\r\x1b[K"), "%q", stderr.String())
		}
	}

	// No bar stands on the line of an error, and none is longer than the terminal is wide.
	var stderr bytes.Buffer
	now := time.Now()
	in := &lines{n: 20_000, line: func(i int) string {
		if i%5000 == 4999 {
			return strings.Repeat("z", 1+i/5000)
		}
		return fmt.Sprintf("%016x", i)
	}}
	a := &app{stdin: in, stdout: io.Discard, stderr: &stderr, errTerminal: true, columns: 20, clock: func() time.Time { now = now.Add(time.Second); return now }}
	assert.Equal(t, exitFound, a.run([]string{"decode", "-s", "[id:8]", "--in", "hex", "--color", "never", "--max-errors", "4"}))
	shown := 0
	for line := range strings.Lines(stderr.String()) {
		at := strings.LastIndex(line, "\x1b[K")
		if line = line[max(at, 0):]; strings.Contains(line, "rowkey:") {
			assert.True(t, strings.HasPrefix(strings.TrimPrefix(line, "\x1b[K"), "rowkey: "), "%q", line)
		}
	}
	for _, bar := range strings.Split(stderr.String(), "\r\x1b[K") {
		if strings.Contains(bar, " keys") && !strings.Contains(bar, "rowkey") {
			shown++
			assert.Less(t, len(bar), 20, "%q", bar)
		}
	}
	assert.Positive(t, shown)
	stderr.Reset()
	a = &app{stdin: strings.NewReader("61\n"), stdout: io.Discard, stderr: &stderr, errTerminal: true, clock: a.clock}
	assert.Zero(t, a.run([]string{"decode", "-s", "[id]", "-q"}))
	assert.Empty(t, stderr.String())
}

// Colours stand on a terminal only, and not where they are unwanted.
func TestColours(t *testing.T) {
	for _, c := range []struct{ terminal, plain, want bool }{{true, false, true}, {true, true, false}, {false, false, false}} {
		for _, args := range [][]string{
			{"explain", "-s", "[id:1]", "0707"}, {"explain", "-s", "[id:1]", "07"}, {"schema", "-s", "[id:1]"}, {"splits", "-s", "[id:1 below(4)]", "2"},
			{"scan", "-s", "[id:1]", "id=7"}, {"decode", "-s", "[id:1]", "-o", "table", "07"},
		} {
			var stdout, stderr bytes.Buffer
			a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, outTerminal: c.terminal, errTerminal: c.terminal, plain: c.plain}
			a.run(args)
			assert.Equal(t, c.want, strings.Contains(stdout.String(), "\x1b["), "%v %+v: %q", args, c, stdout.String())
			plainOut, _, _ := call("", args...)
			for _, code := range []string{"\x1b[1m", "\x1b[31m", "\x1b[0m"} {
				plainOut = strings.ReplaceAll(plainOut, code, "")
			}
			stripped := stdout.String()
			for _, code := range []string{"\x1b[1m", "\x1b[31m", "\x1b[0m"} {
				stripped = strings.ReplaceAll(stripped, code, "")
			}
			assert.Equal(t, strings.Join(strings.Fields(plainOut), " "), strings.Join(strings.Fields(stripped), " "), "%v", args)
		}
		var stderr bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: &stderr, errTerminal: c.terminal, plain: c.plain}
		assert.Equal(t, exitMisuse, a.run([]string{"decode", "--nope"}))
		assert.Equal(t, c.want, strings.Contains(stderr.String(), "\x1b["))
	}
}

// The form of a stream is guessed of a first line, too, that is too long to be a
// key: the keys after it are read.
func TestLongLineFirst(t *testing.T) {
	out, stderr, code := call(strings.Repeat("61", longest/2+1)+"\n0c732d34325f7ffffe77dda4124f0000000000000007\n", "decode", "-s", trades)
	assert.Equal(t, exitFound, code)
	assert.Equal(t, `{"seller":"s-42","at":"2023-05-16T02:20:30Z","order":"7"}`+"\n", out)
	assert.Equal(t, "rowkey: line 1: longer than 16 MiB\nrowkey: 1 of 2 keys bad\n", stderr)
}

// What is told once stands where its row does, whichever block was read first.
func TestNotesInOrder(t *testing.T) {
	var in strings.Builder
	in.WriteString("n,at\n")
	for i := range 20_000 {
		switch i {
		case 5000, 12_000:
			in.WriteString(fmt.Sprintf("%s,2023-05-16T02:20:30Z\n", strings.Repeat("x", i/5000)))
		case 8000, 15_000:
			in.WriteString("7,1684203630000\n")
		default:
			in.WriteString("7,2023-05-16T02:20:30Z\n")
		}
	}
	for range 20 {
		_, stderr, _ := call(in.String(), "encode", "-s", "[n:4][ms(at)]", "-j", "5", "--max-errors", "10")
		assert.Equal(t, `rowkey: line 5002: n: expected a whole number from 0 to 4294967295, not "x"
rowkey: at: 1684203630000 is read as milliseconds since 1970, 2023-05-16T02:20:30Z; --time-unit says another unit
rowkey: 1 more like line 5002 (12002): n: expected a whole number from 0 to 4294967295
rowkey: 2 of 20000 rows bad
`, stderr)
	}
}

// A line of a log that names no row is no key, unless --in says so; one that names a row is its key.
func TestLogLines(t *testing.T) {
	const region = "1684203630000.0123456789abcdef0123456789abcdef."
	for text, want := range map[string]string{
		"java.io.IOException: orders,a":                                                                                "",
		"org.apache.hadoop.hbase.RegionTooBusyException: orders,ann,x":                                                 "",
		"Caused by: java.net.ConnectException: Connection refused":                                                     "",
		"NotServingRegionException: orders,," + region + " is not online":                                              "",
		"Exception in thread \"main\" java.lang.IllegalStateException: orders,1":                                       "",
		"OutOfMemoryError: Java heap space":                                                                            "",
		"\tat org.apache.hadoop.hbase.client.HTable.get(HTable.java:383)":                                              "",
		"at com.acme.Orders.<init>(Orders.java:12)":                                                                    "",
		"2023-05-16 02:20:30,129 WARN [main] client.RpcRetryingCaller: attempt 3,16020":                                "",
		"[2023/05/16 02:20:30] ERROR orders: lost":                                                                     "",
		"WARN  [main] client.AsyncProcess: failed":                                                                     "",
		"INFO org.apache.hadoop.hbase.Main: started":                                                                   "",
		"org.apache.hadoop.hbase.NotServingRegionException: orders,ann," + region + " is not online on host,16020,168": "ann",
		"IOException: orders,a b," + region + " is closing":                                                            "a b",
		"java.io.IOException: exceptions: row 'ann' on table 'orders' at region=orders,," + region:                     "ann",
		"NullPointerException": "NullPointerException", // a key may well be the name of one
		"ERROR something":      "ERROR something",
		"at noon (or later)":   "at noon (or later)",
		"2023-05-16 02:20:30":  "2023-05-16 02:20:30",
		"a b: c":               "a b: c",
		"orders,ann," + region: "ann",
	} {
		for _, stdin := range []string{"", text + "\n"} {
			args := []string{"decode", "-s", "[user]"}
			if stdin == "" {
				args = append(args, text)
			}
			out, stderr, code := call(stdin, args...)
			if want != "" {
				assert.Equal(t, "{\"user\":\""+want+"\"}\n", out, "%s: %s", text, stderr)
				assert.Zero(t, code, text)
				continue
			}
			assert.Empty(t, out, text)
			assert.Equal(t, 1, code, text)
			assert.Contains(t, stderr, "this looks like a line of a log, not a key; --in text reads it as it stands", text)
			args[0] = "explain"
			_, stderr, code = call(stdin, args...)
			assert.Equal(t, 1, code, text)
			assert.Contains(t, stderr, "a line of a log", text)
		}
		if want == "" && !strings.Contains(text, "\t") {
			out, stderr, code := call("", "decode", "-s", "[user]", "--in", "text", text)
			assert.Zero(t, code, stderr)
			assert.Contains(t, out, `{"user":"`, text)
		}
		out, _, _ := call("", "explain", "-s", "[user]", text)
		if strings.Contains(text, "Exception: ") {
			assert.NotContains(t, out, "--in text", text)
		}
	}
	_, stderr, code := call("keyvalues={ann/f:q/1684203630000/Put/vlen=3/seqid=0}\n", "decode", "-s", "[user fixed(3)]", "--in", "hex")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "these lines look like Results: --in result")
}
