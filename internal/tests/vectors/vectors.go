// Package vectors reads golden vectors for tests: files of JSON lines that other
// systems' own code produced, in testdata/vectors. Every line is compared, is
// refused on purpose, or is left out, each with its reason, and what became of
// the lines of a file is what Page says of it.
package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Page is the page that says what became of the lines, from the module's root.
const Page = "testdata/vectors/README.md"

// Counts is what became of the lines of one file.
type Counts struct {
	File    string
	Lines   int
	Equal   int
	Refused map[string]int // on purpose: reason → lines
	LeftOut map[string]int // does not apply: reason → lines
}

func total(m map[string]int) (n int) {
	for _, c := range m {
		n += c
	}
	return n
}

// Rows are the rows of the page for the file: its counts, and one for each
// reason.
func (c Counts) Rows() []string {
	name := "`" + strings.TrimSuffix(c.File, ".jsonl") + "`"
	rows := []string{fmt.Sprintf("| %s | %d | %d | %d | %d |", name, c.Lines, c.Equal, total(c.Refused), total(c.LeftOut))}
	for _, reason := range slices.Sorted(maps.Keys(c.Refused)) {
		rows = append(rows, fmt.Sprintf("| %s | refused | %d | %s |", name, c.Refused[reason], reason))
	}
	for _, reason := range slices.Sorted(maps.Keys(c.LeftOut)) {
		rows = append(rows, fmt.Sprintf("| %s | left out | %d | %s |", name, c.LeftOut[reason], reason))
	}
	return rows
}

// Check compares the counts with the page. With lines from elsewhere, by
// ROWKEY_VECTORS, there is nothing to compare.
func (c Counts) Check(t testing.TB) {
	t.Helper()
	if n := c.Equal + total(c.Refused) + total(c.LeftOut); n != c.Lines {
		t.Errorf("%s: %d of %d lines are accounted for", c.File, n, c.Lines)
	}
	if os.Getenv("ROWKEY_VECTORS") != "" {
		return
	}
	page, err := os.ReadFile(filepath.Join(root(), filepath.FromSlash(Page)))
	if err != nil {
		t.Fatal(err)
	}
	_, compared, ok := strings.Cut(string(page), "\n## What was compared\n") // above stands what each file is
	if !ok {
		t.Fatalf("%s says nothing of what was compared", Page)
	}
	var have []string
	for line := range strings.Lines(compared) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| `"+strings.TrimSuffix(c.File, ".jsonl")+"` |") {
			have = append(have, line)
		}
	}
	if want := c.Rows(); !slices.Equal(have, want) {
		t.Errorf("%s says of %s:\n%s\nwant:\n%s", Page, c.File, strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// root is the folder of the module, above that of the test.
func root() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.sum")); missing == nil {
			if _, missing := os.Stat(filepath.Join(dir, "testdata", "vectors")); missing == nil {
				return dir
			}
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// Run reads a file line by line.
func Run(t *testing.T, file string, check func(l *Line)) {
	t.Helper()
	dir := os.Getenv("ROWKEY_VECTORS")
	if dir == "" {
		dir = filepath.Join(root(), "testdata", "vectors")
	}
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	c := Counts{File: file, Refused: map[string]int{}, LeftOut: map[string]int{}}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		c.Lines++
		l := &Line{t: t, file: file, no: i + 1, read: map[string]bool{}}
		if err := json.Unmarshal(text, &l.fields); err != nil {
			l.Errorf("%v", err)
			continue
		}
		check(l)
		for name := range l.fields {
			if !l.read[name] {
				l.Errorf("nobody looked at %s", name)
			}
		}
		switch {
		case l.equal:
			c.Equal++
		case l.refused != "":
			c.Refused[l.refused]++
		default:
			l.Errorf("nothing was compared")
		}
	}
	if !t.Failed() {
		c.Check(t)
	}
}

// Line is one line.
type Line struct {
	t             *testing.T
	file          string
	no            int
	fields        map[string]json.RawMessage
	read          map[string]bool
	equal, failed bool
	refused       string
}

// Errorf reports what is wrong with the line.
func (l *Line) Errorf(format string, args ...any) {
	l.t.Helper()
	l.t.Errorf("%s:%d: %s", l.file, l.no, fmt.Sprintf(format, args...))
	l.equal, l.failed = true, true
}

// Has reports that the line has a field.
func (l *Line) Has(field string) bool {
	_, ok := l.fields[field]
	return ok
}

// Get unmarshals a field, which must be there.
func (l *Line) Get(field string, v any) {
	l.t.Helper()
	l.read[field] = true
	if err := json.Unmarshal(l.fields[field], v); err != nil {
		l.Errorf("%s: %v", field, err)
	}
}

// Text is a field that is a string.
func (l *Line) Text(field string) (v string) { l.t.Helper(); l.Get(field, &v); return }

// Int is a field that is a number.
func (l *Line) Int(field string) (v int) { l.t.Helper(); l.Get(field, &v); return }

// Long is a field that is a number as text.
func (l *Line) Long(field string) int64 {
	l.t.Helper()
	n, err := strconv.ParseInt(l.Text(field), 10, 64)
	if err != nil {
		l.Errorf("%s: %v", field, err)
	}
	return n
}

// Double is a field that is a number with a fraction, as text.
func (l *Line) Double(field string) float64 {
	l.t.Helper()
	x, err := strconv.ParseFloat(l.Text(field), 64)
	if err != nil {
		l.Errorf("%s: %v", field, err)
	}
	return x
}

// Hex is a field of bytes.
func (l *Line) Hex(field string) []byte {
	l.t.Helper()
	b, err := hex.DecodeString(l.Text(field))
	if err != nil {
		l.Errorf("%s: %v", field, err)
	}
	return b
}

// Equal compares two things: bytes, text or numbers.
func (l *Line) Equal(what string, got, want any) {
	l.t.Helper()
	l.equal = true
	if g, ok := got.([]byte); ok {
		if w, ok := want.([]byte); ok && bytes.Equal(g, w) {
			return
		}
		l.Errorf("%s is %x, want %x", what, got, want)
		return
	}
	if !reflect.DeepEqual(got, want) {
		l.Errorf("%s is %v, want %v", what, got, want)
	}
}

// OnlyRefused says that the line is refused on purpose, although its facts were compared.
func (l *Line) OnlyRefused(reason string) {
	if !l.failed {
		l.equal, l.refused = false, reason
	}
}

// Key compares the key of some values, and reads them back.
func (l *Line) Key(s *rowkey.Schema, want []byte, values ...any) {
	l.t.Helper()
	l.KeyReads(s, want, values, values)
}

// KeyReads is Key where what is read back is coarser than what was written.
func (l *Line) KeyReads(s *rowkey.Schema, want []byte, written, read []any) {
	l.t.Helper()
	key, err := s.AppendKey(nil, written...)
	if err != nil {
		l.Errorf("%v has no key: %v", written, err)
		return
	}
	l.Equal("the key by "+s.Name(), key, want)
	row, err := s.Decode(key)
	if err != nil {
		l.Errorf("Decode(%x): %v", key, err)
		return
	}
	i := 0
	for name, v := range row.All() {
		if i < len(read) && !same(v, read[i]) {
			l.Errorf("%s of %x reads %v, want %v", name, key, v, read[i])
		}
		i++
	}
	if i != len(read) {
		l.Errorf("%x has %d values, want %d", key, i, len(read))
	}
}

// same compares a value that was read with one that may be of another integer
// type.
func same(got, want any) bool {
	switch w := want.(type) {
	case []byte:
		g, ok := got.([]byte)
		return ok && bytes.Equal(g, w)
	case time.Time:
		g, ok := got.(time.Time)
		return ok && g.Equal(w)
	case string:
		return got == want
	}
	return fmt.Sprint(got) == fmt.Sprint(want)
}
