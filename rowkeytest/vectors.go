package rowkeytest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/hbase-rowkey/rowkey"
)

// Generated is code that rowkey gen printed for one schema, as the test that it prints
// beside it gives it to [Vectors]. A row is its values in the order of the fields: string,
// []byte, uint64, int64, float64, bool, time.Time; of a field that may be null, nil where it is null and,
// as Parse and Buf give it, a pointer.
type Generated struct {
	Schema *rowkey.Schema
	Append func(dst []byte, row []any) ([]byte, error)
	Parse  func(key []byte) ([]any, error)
	Buf    func(key []byte) ([]any, error)                   // Parse into memory that is used again; nil: there is none
	Ranges []func(row []any) ([]rowkey.Range, []byte, error) // by the first value, by the first two, …; nil: there is none
}

// Vectors holds printed code, and this version of the library, to a file of vectors that
// rowkey gen wrote: the same keys, values, refusals and ranges. A file without a line fails.
func Vectors(t *testing.T, path string, g Generated) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v := vectors{g: g}
	n := 0
	for line := range strings.Lines(string(text)) { // however long: a row of long texts may have 1024 ranges
		n++
		if strings.HasPrefix(line, "#") {
			if of := strings.Fields(line); n == 2 && (len(of) < 2 || of[1] != g.Schema.Fingerprint()) {
				t.Fatalf("%s is of another schema: %s", path, line)
			}
			continue
		}
		v.count++
		if err := v.line(strings.Fields(line)); err != nil {
			t.Errorf("%s:%d: %v\n%.300s", path, n, err, line)
			if v.wrong++; v.wrong == 20 {
				t.Fatal("and perhaps more")
			}
		}
	}
	if v.count == 0 {
		t.Fatalf("%s has no vectors", path)
	}
	t.Logf("%d vectors", v.count)
}

type vectors struct {
	g            Generated
	count, wrong int
}

// line checks one line.
func (v *vectors) line(words []string) error {
	if len(words) < 3 {
		return errors.New("too few words")
	}
	switch words[0] {
	case "key", "write":
		return v.key(words[1], words[2:], words[0] == "key")
	case "read":
		key, err := hex.DecodeString(words[1])
		if err != nil {
			return err
		}
		return v.read(key, words[2:])
	case "refused":
		row, err := values(words[3:])
		if err != nil {
			return err
		}
		_, ours := v.g.Schema.AppendKey(nil, row...)
		dst := append(make([]byte, 0, 300), "keep"...)
		got, err := v.g.Append(dst, row)
		if string(got) != "keep" {
			return fmt.Errorf("on error dst is %q", got)
		}
		return refused(err, ours, words[1], words[2], "")
	case "broken":
		key, err := hex.DecodeString(words[1])
		if err != nil {
			return err
		}
		_, ours := v.g.Schema.Decode(key)
		_, err = v.g.Parse(key)
		if err = refused(err, ours, words[2], words[3], words[4]); err != nil || v.g.Buf == nil {
			return err
		}
		_, err = v.g.Buf(key)
		return refused(err, ours, words[2], words[3], words[4])
	case "ranges", "noranges":
		return v.ranges(words)
	case "splits": // which printed Go leaves to the schema
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		splits, err := v.g.Schema.Splits(n)
		var all []string
		for _, k := range splits {
			all = append(all, hex.EncodeToString(k))
		}
		if list := strings.Join(all, ","); err != nil || list != strings.TrimPrefix(words[2], "-") {
			return fmt.Errorf("the library gives %s %v", list, err)
		}
		return nil
	}
	return fmt.Errorf("no such line: %s", words[0])
}

// key checks a key, and with back the values that it gives back.
func (v *vectors) key(want string, words []string, back bool) error {
	row, err := values(words)
	if err != nil {
		return err
	}
	key, err := hex.DecodeString(want)
	if err != nil {
		return err
	}
	ours, err := v.g.Schema.AppendKey(nil, row...)
	if err != nil || !bytes.Equal(ours, key) {
		return fmt.Errorf("the library writes %x %v", ours, err)
	}
	for _, room := range []int{0, 4, 4 + len(key), 600} { // with and without room for the key, and after other bytes
		dst := append(make([]byte, 0, room), "keep"[:min(4, room)]...)
		got, err := v.g.Append(dst, row)
		if err != nil || !bytes.Equal(got, append(slices.Clone(dst), key...)) {
			return fmt.Errorf("the printed code writes %x %v after %q", got, err, dst)
		}
	}
	if !back {
		return nil
	}
	return v.read(key, words)
}

// read checks the values that a key gives back.
func (v *vectors) read(key []byte, words []string) error {
	row, err := values(words)
	if err != nil {
		return err
	}
	for _, parse := range []func([]byte) ([]any, error){v.g.Parse, v.g.Buf} {
		if parse == nil {
			continue
		}
		copied := slices.Clone(key)
		got, err := parse(copied)
		clear(copied) // a row must not lie in the key
		if err != nil || !slices.EqualFunc(got, row, same) {
			return fmt.Errorf("the printed code reads %v %v", got, err)
		}
	}
	return nil
}

// same reports that a value is the one that a line has: −0 is not 0, and nil is an empty one. A pointer
// is a value that may be null: only a nil one is nil.
func same(a, b any) bool {
	switch a := a.(type) {
	case *string:
		return sameNull(a, b)
	case *[]byte:
		return sameNull(a, b)
	case *uint64:
		return sameNull(a, b)
	case *int64:
		return sameNull(a, b)
	case []byte:
		if b == nil {
			return len(a) == 0
		}
		return bytes.Equal(a, b.([]byte))
	case float64:
		if b == nil {
			return a == 0
		}
		return math.Float64bits(a) == math.Float64bits(b.(float64))
	case time.Time:
		if b == nil {
			return a.IsZero()
		}
		return a.Equal(b.(time.Time))
	}
	return a == b || b == nil && slices.Contains([]any{"", uint64(0), int64(0), false}, a)
}

func sameNull[V any](a *V, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return same(any(*a), b)
}

// refused checks that err is the library's, word for word, and says what the vector says.
func refused(err, ours error, field, reason, at string) error {
	var e *rowkey.Error
	switch {
	case !errors.As(err, &e):
		return fmt.Errorf("not refused: %v", err)
	case ours == nil || ours.Error() != err.Error():
		return fmt.Errorf("refused with %q, and the library says %v", err, ours)
	case e.Field != strings.TrimPrefix(field, "-") || !errors.Is(err, reasons[reason]) || at != "" && at != strconv.Itoa(e.Offset):
		return fmt.Errorf("refused with %q: the vector says %s %s %s", err, field, reason, at)
	}
	return nil
}

var reasons = map[string]error{
	"MISSING": rowkey.ErrMissing, "RANGE": rowkey.ErrRange, "TERMINATOR": rowkey.ErrTerminator, "LENGTH": rowkey.ErrLength,
	"MALFORMED": rowkey.ErrMalformed, "DERIVED": rowkey.ErrDerived, "RANGES": rowkey.ErrManyRanges, "FULL": rowkey.ErrFullScan,
}

// ranges checks the ranges of the first values.
func (v *vectors) ranges(words []string) error {
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || n > len(v.g.Ranges) || v.g.Ranges[n-1] == nil {
		return fmt.Errorf("no function for the ranges of %s values", words[1])
	}
	from := 3
	if words[0] == "noranges" {
		from = 4
	}
	row, err := values(words[from:])
	if err != nil {
		return err
	}
	got, _, err := v.g.Ranges[n-1](row)
	if words[0] == "noranges" {
		var e *rowkey.Error
		if !errors.As(err, &e) || e.Field != strings.TrimPrefix(words[2], "-") || !errors.Is(err, reasons[words[3]]) {
			return fmt.Errorf("refused with %v: the vector says %s %s", err, words[2], words[3])
		}
		return nil
	}
	var all []string
	for _, r := range got {
		all = append(all, fmt.Sprintf("%x-%x", r.Start(), r.Stop()))
	}
	if len(got) == 0 {
		all = []string{"-"}
	}
	if list := strings.Join(all, ","); err != nil || list != words[2] {
		return fmt.Errorf("the printed code gives %s %v", list, err)
	}
	return nil
}

// values reads the values of a line.
func values(words []string) (row []any, err error) {
	for _, w := range words {
		x, err := valueOf(w)
		if err != nil {
			return nil, fmt.Errorf("value %s: %w", w, err)
		}
		row = append(row, x)
	}
	return row, nil
}

// valueOf reads one value. Its first letter is its type.
func valueOf(w string) (any, error) {
	kind, rest := w[0], w[1:]
	switch kind {
	case '-': // not in the key, or null
		return nil, nil
	case '"':
		return unquote(strings.TrimSuffix(rest, `"`))
	case 's':
		b, err := hex.DecodeString(rest)
		return string(b), err
	case 'x':
		return hex.DecodeString(rest)
	case 'u':
		return strconv.ParseUint(rest, 10, 64)
	case 'i':
		return strconv.ParseInt(rest, 10, 64)
	case 'f':
		bits, err := strconv.ParseUint(rest, 16, 64)
		return math.Float64frombits(bits), err
	case 'b':
		return strconv.ParseBool(rest)
	case 't':
		sec, nsec, _ := strings.Cut(rest, ".")
		s, err := strconv.ParseInt(sec, 10, 64)
		n, err2 := strconv.ParseInt(nsec, 10, 64)
		return time.Unix(s, n).UTC(), errors.Join(err, err2)
	}
	return nil, errors.New("no such type")
}

// unquote reads a text: \u and four hexadecimal digits are a UTF-16 unit.
func unquote(s string) (string, error) {
	var units []uint16
	for ; s != ""; s = s[1:] {
		if s[0] != '\\' {
			units = append(units, uint16(s[0]))
			continue
		}
		if len(s) < 6 || s[1] != 'u' {
			return "", errors.New("no such escape")
		}
		u, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return "", err
		}
		units = append(units, uint16(u))
		s = s[5:]
	}
	return string(utf16.Decode(units)), nil
}
