package rowkey_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// TestReadAllocs: reading costs no allocation where the texts have room, in a
// buffer that the caller keeps or in one that is a variable of the call.
func TestReadAllocs(t *testing.T) {
	schemas := map[string]*rowkey.Schema{
		"marked":   rowkey.New("s").Salt(16, "a").String("a").Separator("_").Uint("b", 2).MustBuild(),
		"fixed":    rowkey.New("s").String("a", rowkey.Fixed(10)).Uint("b", 2).MustBuild(),
		"reversed": rowkey.New("s").String("a", rowkey.Reverse, rowkey.Fixed(10)).Uint("b", 2).MustBuild(),
		"escaped":  rowkey.New("s").String("a", rowkey.Escaped).Uint("b", 2).MustBuild(),
		"padded":   rowkey.New("s").String("a", rowkey.Pad(12, ' ')).Uint("b", 2).MustBuild(),
		"hashed":   rowkey.New("s").Hash(rowkey.MD5.Hex(4), "a").String("a").Separator("_").Uint("b", 8, rowkey.Decimal).MustBuild(),
		"numeric":  rowkey.New("s", rowkey.OrderedBytes).String("a", rowkey.Numeric).Uint("b", 8, rowkey.Numeric).MustBuild(),
		"decimal":  rowkey.New("s", rowkey.Phoenix).String("a", rowkey.Numeric).Uint("b", 8, rowkey.Numeric).MustBuild(),
		"mixed":    rowkey.New("s").Salt(16, rowkey.Values("a", "b")).String("a").Separator("_").Uint("b", 8).MustBuild(),
	}
	for name, s := range schemas {
		key := mustKey(t)(s.AppendKey(nil, "1234567890", 7))
		kept := make([]byte, 0, 64)
		var failed error
		read := map[string]func(){
			"heap": func() {
				text, n := kept, uint64(0)
				if err := s.Read(key).Binary(&text).Uint(&n).Err(); err != nil || string(text) != "1234567890" || n != 7 {
					failed = err
				}
			},
			"stack": func() {
				var room [64]byte
				text, n := room[:0], uint64(0)
				if err := s.Read(key).Binary(&text).Uint(&n).Err(); err != nil || string(text) != "1234567890" || n != 7 {
					failed = err
				}
			},
		}
		for where, f := range read {
			if got := testing.AllocsPerRun(100, f); got != 0 || failed != nil {
				t.Errorf("%s, a buffer on the %s: %v allocations, %v", name, where, got, failed)
			}
		}
	}
	t.Run("a UUID and a length", readAllocsShaped)
	day := rowkey.New("s").Time("day", rowkey.Layout("2006-01-02", time.UTC)).MustBuild()
	key := mustKey(t)(day.AppendKey(nil, time.Unix(1684203630, 0)))
	var at time.Time
	if got := testing.AllocsPerRun(100, func() { _ = day.Read(key).Time(&at).Err() }); got != 0 || at.Unix() != 1684195200 {
		t.Errorf("a day: %v allocations, %v", got, at)
	}
}

// readAllocsShaped is TestReadAllocs of texts that do not stand in the key as they are.
func readAllocsShaped(t *testing.T) {
	s := rowkey.New("s").String("id", rowkey.UUID).String("path", rowkey.LenPrefix(2)).Float("f", 8).Bool("b").MustBuild()
	const id = "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"
	key := mustKey(t)(s.AppendKey(nil, id, "/srv/files", 1.5, true))
	var failed error
	read := func() {
		var rooms [2][64]byte
		a, b, f, is := rooms[0][:0], rooms[1][:0], 0.0, false
		if err := s.Read(key).Binary(&a).Binary(&b).Float(&f).Bool(&is).Err(); err != nil || string(a) != id || string(b) != "/srv/files" || f != 1.5 || !is {
			failed = fmt.Errorf("other values, or %w", err)
		}
	}
	if got := testing.AllocsPerRun(100, read); got != 0 || failed != nil {
		t.Errorf("buffers on the stack: %v allocations, %v", got, failed)
	}
}

// TestInlining: what begins and ends a chain of calls is no call, by the compiler's
// own report; nor are the codec's methods calls of their own, of the types that tests
// bind.
func TestInlining(t *testing.T) {
	for _, c := range []struct {
		args  string
		names []string
	}{
		{"build -gcflags=-m .", []string{"(*Schema).Key", "(*Schema).KeyIn", "KeyBuilder.Bytes", "KeyBuilder.Binary", "(*Schema).Read", "Reader.Err"}},
		{"build -gcflags=-m ./internal/bind", []string{"(*landing).keep", "(*move).after"}},
		{"build -gcflags=-m ./internal/form", []string{"ZeroBytes", "Mask", "DigitsLen"}},
		{"test -c -o " + os.DevNull + " -gcflags=-m .", []string{`rowkey.(*Codec[go.shape.*]).Append`, `rowkey.(*Codec[go.shape.*]).Decode`}},
	} {
		report, err := exec.Command("go", strings.Fields(c.args)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, report)
		}
		for _, f := range c.names {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(": can inline "+f), `\*\]`, `[^\n]*\]`)
			if !regexp.MustCompile(pattern).Match(report) {
				t.Errorf("%s is not inlined", f)
			}
		}
	}
}
