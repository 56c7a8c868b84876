package rowkeytest_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

// hexed is a transform of all values, in order: two digits a byte, and '.' at the
// end, which lies below the digits.
type hexed struct{}

const digits = "0123456789abcdef"

var errForm = errors.New("no form of it")

func (hexed) Append(dst, value []byte) ([]byte, error) {
	for _, b := range value {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return append(dst, '.'), nil
}

func (hexed) Invert(dst, stored []byte) ([]byte, error) {
	body, ended := bytes.CutSuffix(stored, []byte{'.'})
	if !ended || len(body)%2 != 0 {
		return dst, errForm
	}
	at := len(dst)
	for ; len(body) > 0; body = body[2:] {
		hi, lo := strings.IndexByte(digits, body[0]), strings.IndexByte(digits, body[1])
		if hi < 0 || lo < 0 {
			return dst[:at], errForm
		}
		dst = append(dst, byte(hi<<4|lo))
	}
	return dst, nil
}

func (hexed) Len(b []byte) (int, error) {
	if i := bytes.IndexByte(b, '.'); i >= 0 {
		return i + 1, nil
	}
	return 0, errForm
}

func (hexed) String() string { return "hexed" }
func (hexed) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Forward, Delimited: true, First: digits + "."}
}

// bare ends with 00, and writes 00 as 00ff: a form may begin another.
type bare struct{}

func (bare) Append(dst, value []byte) ([]byte, error) {
	return append(append(dst, bytes.ReplaceAll(value, []byte{0}, []byte{0, 0xff})...), 0), nil
}

func (b bare) Invert(dst, stored []byte) ([]byte, error) {
	if n, err := b.Len(stored); err != nil || n != len(stored) {
		return dst, errForm
	}
	return append(dst, bytes.ReplaceAll(stored[:len(stored)-1], []byte{0, 0xff}, []byte{0})...), nil
}

func (bare) Len(b []byte) (int, error) {
	for i := range b {
		if b[i] == 0 && (i+1 == len(b) || b[i+1] != 0xff) {
			return i + 1, nil
		}
	}
	return 0, errForm
}

func (bare) String() string        { return "bare" }
func (bare) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Forward, NextBelow: 0xff} }

func hexedOf(b []byte) (out []byte) {
	for _, v := range b {
		out = append(out, digits[v>>4], digits[v&15])
	}
	return out
}

// A number of four bytes, turned round.
type mirrored struct{}

func (mirrored) Append(dst, value []byte) ([]byte, error) {
	if len(value) != 4 {
		return dst, rowkey.ErrLength
	}
	return append(dst, value[3], value[2], value[1], value[0]), nil
}
func (m mirrored) Invert(dst, stored []byte) ([]byte, error) { return m.Append(dst, stored) }
func (mirrored) String() string                              { return "mirrored" }
func (mirrored) Traits() rowkey.Traits                       { return rowkey.Traits{Order: rowkey.Unordered, Size: 4} }

func TestTransformLawful(t *testing.T) {
	for _, c := range []struct {
		t       rowkey.Transform
		samples []string
	}{
		{hexed{}, nil},
		{hexed{}, []string{"s-42", "", "\x00\xff"}},
		{bare{}, []string{"a\x00b"}},
		{mirrored{}, []string{"\x00\x00\x00\x07", "\xff\xff\xff\xff"}},
		{fake{ender: hexed{}, traits: prefixed(1)}, []string{"s-42"}},
		{fake{ender: bare{}, traits: prefixed(1)}, []string{"a\x00b"}},
		{folded{}, []string{"Web", "wEb"}},
	} {
		if err := rowkeytest.TestTransform(c.t, c.samples...); err != nil {
			t.Errorf("%v: %v", c.t, err)
		}
	}
}

// prefixed is Traits that say Prefixes.
func prefixed(end int) func(rowkey.Traits) rowkey.Traits {
	return func(t rowkey.Traits) rowkey.Traits {
		t.Prefixes, t.End = true, end
		return t
	}
}

// folded writes a text in lower case, which nothing undoes.
type folded struct{}

func (folded) Append(dst, value []byte) ([]byte, error) {
	for _, b := range value {
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst, nil
}
func (folded) Invert(dst, stored []byte) ([]byte, error) { panic("Invert is never called") }
func (folded) String() string                            { return "folded" }
func (folded) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, OneWay: true, Prefixes: true}
}

// A step that says Prefixes wrongly is found, whatever it gets wrong.
func TestPrefixesBroken(t *testing.T) {
	for name, c := range map[string]struct {
		t    rowkey.Transform
		want string
	}{
		"End not said":      {fake{ender: hexed{}, traits: prefixed(0)}, "does not begin with"},
		"End of too little": {fake{ender: bare{}, traits: prefixed(0)}, "does not begin with"},
		"End of too much":   {fake{ender: hexed{}, traits: prefixed(2)}, "with which it does not begin"},
		"End beyond forms":  {fake{ender: hexed{}, traits: prefixed(4)}, "Traits.End"},
		"length in front":   {keeps{func(v string) string { return string([]byte{byte(len(v))}) + v }}, "does not begin with"},
		"last byte first":   {keeps{func(v string) string { return v[max(0, len(v)-1):] + v }}, "does not begin with"},
		"one of two":        {keeps{func(v string) string { return strings.NewReplacer("a", "x", "b", "xy").Replace(v) }}, "with which it does not begin"},
		"a pair as one":     {keeps{func(v string) string { return strings.NewReplacer("ab", "\x01").Replace(v) }}, "does not begin with"},
		"a mark in front":   {keeps{func(v string) string { return string([]byte{byte(strings.Count(v, "a"))}) + v }}, "does not begin with"},
		"folds unlike":      {foldsLast{}, "does not begin with"},
	} {
		if err := rowkeytest.TestTransform(c.t, "s-42", "ab"); err == nil || !strings.Contains(err.Error(), "Traits.Prefixes: ") && !strings.Contains(err.Error(), "Traits.End: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q is not in: %v", name, c.want, err)
		}
	}
}

// keeps says Prefixes of a function, which it may break besides other laws.
type keeps struct{ write func(string) string }

func (k keeps) Append(dst, value []byte) ([]byte, error) {
	return append(dst, k.write(string(value))...), nil
}
func (keeps) Invert(dst, stored []byte) ([]byte, error) { return dst, errForm }
func (keeps) String() string                            { return "keeps" }
func (keeps) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Prefixes: true}
}

// foldsLast is folded but for a text's last byte.
type foldsLast struct{ folded }

func (f foldsLast) Append(dst, value []byte) ([]byte, error) {
	if len(value) == 0 {
		return dst, nil
	}
	dst, _ = f.folded.Append(dst, value[:len(value)-1])
	return append(dst, value[len(value)-1]), nil
}

// ender is a Transform with Len.
type ender interface {
	rowkey.Transform
	Len(b []byte) (int, error)
}

// fake is a transform with parts of another in place of its own.
type fake struct {
	ender
	append, invert func(dst, b []byte) ([]byte, error)
	len            func(b []byte) (int, error)
	traits         func(rowkey.Traits) rowkey.Traits
	name           func() string
}

func (f fake) Append(dst, b []byte) ([]byte, error) {
	if f.append != nil {
		return f.append(dst, b)
	}
	return f.ender.Append(dst, b)
}

func (f fake) Invert(dst, b []byte) ([]byte, error) {
	if f.invert != nil {
		return f.invert(dst, b)
	}
	return f.ender.Invert(dst, b)
}

func (f fake) Len(b []byte) (int, error) {
	if f.len != nil {
		return f.len(b)
	}
	return f.ender.Len(b)
}

func (f fake) Traits() rowkey.Traits {
	if f.traits != nil {
		return f.traits(f.ender.Traits())
	}
	return f.ender.Traits()
}

func (f fake) String() string {
	if f.name != nil {
		return f.name()
	}
	return f.ender.String()
}

// Each law has a transform that breaks it, and the kit names the law.
func TestTransformBroken(t *testing.T) {
	var of hexed
	var calls atomic.Int64
	var room [1 << 16]byte
	for want, f := range map[string]fake{
		"Invert undoes Append": {invert: func(dst, b []byte) ([]byte, error) {
			out, err := of.Invert(dst, b)
			if n := len(out); err == nil && n > len(dst) && out[n-1] == 'b' {
				out[n-1] = 'c'
			}
			return out, err
		}},
		"different values have different forms": {append: func(dst, b []byte) ([]byte, error) { return of.Append(dst, bytes.ToLower(b)) }},
		"the same each time": {append: func(dst, b []byte) ([]byte, error) {
			return of.Append(dst, fmt.Append(nil, calls.Add(1)))
		}},
		"arguments stay as they are": {append: func(dst, b []byte) ([]byte, error) {
			if len(b) > 0 {
				b[0]++
			}
			return of.Append(dst, b)
		}},
		"arguments are not kept": {invert: func(dst, b []byte) ([]byte, error) {
			if out, err := of.Invert(nil, b); err != nil || len(dst) > 0 || len(out) > 1 {
				return of.Invert(dst, b)
			}
			out, _ := of.Invert(nil, b)
			return append(b[:0], out...), nil
		}},
		"results are not kept": {append: func(dst, b []byte) ([]byte, error) {
			if len(dst) > 0 {
				return of.Append(dst, b)
			}
			return of.Append(room[:0], b)
		}},
		"dst stays": {append: func(dst, b []byte) ([]byte, error) {
			if len(dst) > 0 {
				dst[0] = 'x'
			}
			return of.Append(dst, b)
		}},
		"dst comes back with an error": {append: func(dst, b []byte) ([]byte, error) {
			if len(b) == 2 {
				return nil, errForm
			}
			return of.Append(dst, b)
		}},
		"Traits.Order": {traits: func(t rowkey.Traits) rowkey.Traits { t.Order = rowkey.Backward; return t }},
		"Traits.Size":  {traits: func(t rowkey.Traits) rowkey.Traits { t.Size = 5; return t }},
		"Traits.First": {traits: func(t rowkey.Traits) rowkey.Traits { t.First = digits; return t }},
		"Traits.Delimited": {
			append: func(dst, b []byte) ([]byte, error) { return append(dst, b...), nil },
			invert: func(dst, b []byte) ([]byte, error) { return append(dst, b...), nil },
			len:    func(b []byte) (int, error) { return len(b), nil },
			traits: func(t rowkey.Traits) rowkey.Traits { t.First = ""; return t },
		},
		"Len finds the end": {len: func(b []byte) (int, error) {
			if i := bytes.LastIndexByte(b, '.'); i >= 0 {
				return i + 1, nil
			}
			return 0, errForm
		}},
		"Len lies within": {len: func(b []byte) (int, error) {
			if i := bytes.IndexByte(b, '.'); i >= 0 {
				return i + 1, nil
			}
			return len(b) + 1, nil
		}},
		"Invert is strict": {invert: func(dst, b []byte) ([]byte, error) { return of.Invert(dst, bytes.ToLower(b)) }},
		"no panic": {invert: func(dst, b []byte) ([]byte, error) {
			_ = b[len(b)-1]
			return of.Invert(dst, b)
		}},
		"no panic: the error of Append": {append: func(dst, b []byte) ([]byte, error) {
			var failed *rowkey.Error
			if len(b) == 2 {
				return dst, failed // a nil pointer is no nil error
			}
			return of.Append(dst, b)
		}},
		"a value ends with its length: Append": {append: func(dst, b []byte) ([]byte, error) {
			if len(b) == 3 {
				return of.Append(dst, b[:4])
			}
			return of.Append(dst, b)
		}},
		"a value ends with its length: Invert": {invert: func(dst, b []byte) ([]byte, error) { return of.Invert(dst, b[:cap(b)]) }},
		"a value ends with its length: Len": {len: func(b []byte) (int, error) {
			if n, err := of.Len(b); err != nil || n < len(b) || cap(b) == n || b[:n+1][n] != '#' {
				return n, err
			}
			return 0, errForm
		}},
		"arguments stay as they are: Append changed": {append: func(dst, b []byte) ([]byte, error) {
			return of.Append(dst, append(b, 'x')[:len(b)])
		}},
		"samples can be stored": {append: func(dst, b []byte) ([]byte, error) {
			if string(b) == "s-42" {
				return dst, errForm
			}
			return of.Append(dst, b)
		}},
		"String and Traits stay": {name: func() string { return fmt.Sprint("n", calls.Add(1)) }},
		"Order is not said":      {traits: func(t rowkey.Traits) rowkey.Traits { t.Order = 0; return t }},
	} {
		t.Run(want, func(t *testing.T) {
			f.ender = of
			err := rowkeytest.TestTransform(f, "s-42", "b")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q is not in: %v", want, err)
			}
		})
	}

	if testing.Short() { // those that come take longer
		return
	}
	wider := fake{ender: bare{}, traits: func(t rowkey.Traits) rowkey.Traits { return rowkey.Traits{Order: t.Order, Delimited: true} }}
	if err := rowkeytest.TestTransform(wider, "a"); err == nil || !strings.Contains(err.Error(), "Traits.Delimited") {
		t.Errorf("00 begins 00ff00, and: %v", err)
	}
	lower := fake{ender: bare{}, append: func(dst, b []byte) ([]byte, error) {
		return append(append(dst, bytes.ReplaceAll(b, []byte{0}, []byte{0, 0xfe})...), 0), nil
	}}
	if err := rowkeytest.TestTransform(lower, "a"); err == nil || !strings.Contains(err.Error(), "Traits.NextBelow") {
		t.Errorf("forms go on with fe, and: %v", err)
	}
	one := fake{ender: of, append: func(dst, b []byte) ([]byte, error) {
		if string(b) != "a" {
			return dst, errForm
		}
		return of.Append(dst, b)
	}, invert: func(dst, b []byte) ([]byte, error) {
		if string(b) != "61." {
			return dst, errForm
		}
		return of.Invert(dst, b)
	}}
	if err := rowkeytest.TestTransform(one, "a"); err != nil {
		t.Errorf("a single value can be stored: %v", err)
	}
	var last string
	var form []byte
	for want, f := range map[string]fake{
		"\"Z\"": {append: func(dst, b []byte) ([]byte, error) {
			return of.Append(dst, bytes.ReplaceAll(b, []byte("Z"), []byte("z")))
		}},
		"Traits.First": {traits: func(t rowkey.Traits) rowkey.Traits { t.First = strings.Replace(t.First, "7", "", 1); return t }},
		"Invert undoes Append": {append: func(dst, b []byte) ([]byte, error) {
			if len(b) == 128 { // a length in a signed byte
				b = nil
			}
			return of.Append(dst, b)
		}},
		"different values have different forms": {append: func(dst, b []byte) ([]byte, error) { return of.Append(dst, b[len(b)/9:]) }},
		"Len finds the end": {len: func(b []byte) (int, error) {
			if n, err := of.Len(b); err == nil && n < len(b) && b[n] == '!' {
				return n + 1, nil
			}
			return of.Len(b)
		}},
		"Invert is strict": {append: func(dst, b []byte) ([]byte, error) {
			if bytes.IndexByte(b, 'Q') >= 0 {
				return dst, errForm
			}
			return of.Append(dst, b)
		}},
		"the same each time": {append: func(dst, b []byte) ([]byte, error) { // into memory taken to be clear
			n := len(dst)
			if cap(dst) < n+2*len(b)+1 {
				return of.Append(dst, b)
			}
			whole := dst[: n+2*len(b)+1 : cap(dst)]
			for i, d := range append(hexedOf(b), '.') {
				whole[n+i] |= d
			}
			return whole, nil
		}},
		"Append(": {append: func(dst, b []byte) ([]byte, error) { // keeps its result
			if form != nil && last == string(b) {
				return append(dst, form...), nil
			}
			n := len(dst)
			dst, err := of.Append(dst, b)
			last, form = string(b), dst[n:]
			return dst, err
		}},
	} {
		f.ender = of
		if err := rowkeytest.TestTransform(f, "s-42"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	nothing := fake{ender: of, append: func(dst, _ []byte) ([]byte, error) { return dst, errForm }}
	if err := rowkeytest.TestTransform(nothing); err == nil || !strings.Contains(err.Error(), "give samples") {
		t.Errorf("nothing can be stored, and: %v", err)
	}
	busy := crowded()
	counting := fake{ender: of, append: func(dst, b []byte) ([]byte, error) {
		if busy() {
			return dst, errForm
		}
		return of.Append(dst, b)
	}}
	if err := rowkeytest.TestTransform(counting, "a"); err == nil || !strings.Contains(err.Error(), "calls at the same time") {
		t.Errorf("it cannot be called twice at a time, and: %v", err)
	}
}

// crowded gives a function that is true where two goroutines that rowkeytest began are in it
// at the same time. The first waits for the second, so that they meet on a busy machine, too.
func crowded() func() bool {
	var in atomic.Int64
	var once, over sync.Once
	met, late := make(chan struct{}), make(chan struct{})
	return func() bool {
		if !bytes.Contains(debug.Stack(), []byte("created by github.com/hbase-rowkey/rowkey/rowkeytest.")) {
			return false
		}
		defer in.Add(-1)
		if in.Add(1) > 1 {
			once.Do(func() { close(met) })
		}
		select {
		case <-met:
			return true
		case <-late:
		case <-time.After(10 * time.Second):
			over.Do(func() { close(late) }) // no second comes, and no other call waits for one
		}
		return false
	}
}

func crc(dst, data []byte) []byte {
	h := crc32.ChecksumIEEE(data)
	return append(dst, byte(h>>24), byte(h>>16), byte(h>>8), byte(h))
}

func TestDigest(t *testing.T) {
	if err := rowkeytest.TestDigest("crc", 4, crc, "s-42"); err != nil {
		t.Error(err)
	}
	var calls atomic.Int64
	var room [64]byte
	for want, sum := range map[string]func(dst, data []byte) []byte{
		"size":                       func(dst, data []byte) []byte { return append(dst, data...) },
		"dst stays":                  func(_, data []byte) []byte { return crc(nil, data) },
		"the same each time":         func(dst, data []byte) []byte { return crc(dst, fmt.Append(nil, calls.Add(1))) },
		"arguments stay as they are": func(dst, data []byte) []byte { clear(data); return crc(dst, data) },
		"results are not kept": func(dst, data []byte) []byte {
			if len(dst) > 0 {
				return crc(dst, data)
			}
			return crc(room[:0], data)
		},
		"the same each time: sum": func(dst, data []byte) []byte { // what lies after dst is not always 00
			n := len(dst)
			dst = slices.Grow(dst, 4)[:n+4]
			for i, b := range crc(nil, data) {
				dst[n+i] |= b
			}
			return dst
		},
		"data is told apart": func(dst, _ []byte) []byte { return append(dst, "same"...) },
		"no panic":           func(dst, data []byte) []byte { return crc(dst, data[:1:1]) },
		"a value ends with its length": func(dst, data []byte) []byte {
			if len(data) == 1 {
				return crc(dst, data[:2])
			}
			return crc(dst, data)
		},
	} {
		if err := rowkeytest.TestDigest("crc", 4, sum, "s-42"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if err := rowkeytest.TestDigest("crc", 4, crc, strings.Repeat("s-42", 5000), strings.Repeat("s-42", 10000)); err != nil {
		t.Errorf("data that is longer than a key: %v", err)
	}
	if err := rowkeytest.TestDigest("md5", 4, crc); !errors.Is(err, rowkey.ErrSchema) {
		t.Errorf("a name that is taken: %v", err)
	}
}

func months(t time.Time) int64 { return int64(t.Year()-1970)*12 + int64(t.Month()) - 1 }

func monthStart(n int64) time.Time {
	return time.Date(1970, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC)
}

func TestUnit(t *testing.T) {
	const day = 24 * time.Hour
	at := time.Date(2024, 2, 29, 23, 59, 0, 0, time.FixedZone("", 3600))
	if err := rowkeytest.TestUnit("month", day, months, monthStart, at); err != nil {
		t.Error(err)
	}
	for want, c := range map[string]struct {
		step time.Duration
		to   func(time.Time) int64
		from func(int64) time.Time
	}{
		"to(from(n)) is n":       {day, func(t time.Time) int64 { return months(t) / 2 }, monthStart},
		"from keeps the order":   {day, months, func(n int64) time.Time { return monthStart(n % 1200) }},
		"first instant of step":  {day, months, func(n int64) time.Time { return monthStart(n).Add(day * time.Duration(min(n, 1))) }},
		"whole steps since 1970": {7 * day, months, monthStart},
		"holds t":                {day, func(t time.Time) int64 { return months(t) + int64(t.Day())/29 }, monthStart},
		"to(from(0)) is not 0":   {day, func(t time.Time) int64 { return months(t) + 1 }, monthStart},
	} {
		if err := rowkeytest.TestUnit("month", c.step, c.to, c.from, at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

// TestUnitWithin: what shows only inside a step, only at the same time, or as a panic.
func TestUnitWithin(t *testing.T) {
	const day = 24 * time.Hour
	busy := crowded()
	for want, c := range map[string]struct {
		to   func(time.Time) int64
		from func(int64) time.Time
		at   []time.Time
	}{
		"holds t": {func(t time.Time) int64 {
			if t.Day() == 15 {
				return months(t) + 1
			}
			return months(t)
		}, monthStart, nil},
		"calls at the same time": {func(t time.Time) int64 {
			if busy() {
				return 5
			}
			return months(t)
		}, monthStart, nil},
		"no panic: from(": {months, func(n int64) time.Time {
			if n > 100 {
				panic("late")
			}
			return monthStart(n)
		}, nil},
		"no panic: to(": {func(t time.Time) int64 {
			if t.Year() > 2000 && t.Year() < 9999 {
				panic("late")
			}
			return months(t)
		}, monthStart, nil},
		"samples can be stored": {func(t time.Time) int64 {
			if t.Year() < 1970 {
				panic("early")
			}
			return months(t)
		}, monthStart, []time.Time{time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		if err := rowkeytest.TestUnit("month", day, c.to, c.from, c.at...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

// absent is a step whose methods panic where it is a nil pointer.
type absent struct{ fake }

// TestPanicsElsewhere: a panic of Traits is what Build says it is. One in a call at the same
// time is an error, too: it would end the whole test in a goroutine of its own.
func TestPanicsElsewhere(t *testing.T) {
	if err := rowkeytest.TestTransform((*absent)(nil), "a"); !errors.Is(err, rowkey.ErrSchema) {
		t.Errorf("a nil pointer: %v", err)
	}
	alone := func(f func(dst, b []byte) ([]byte, error)) func(dst, b []byte) ([]byte, error) {
		busy := crowded()
		return func(dst, b []byte) ([]byte, error) {
			if busy() {
				panic("twice")
			}
			return f(dst, b)
		}
	}
	step := fake{ender: hexed{}, append: alone(hexed{}.Append)}
	if err := rowkeytest.TestTransform(step, "a"); err == nil || !strings.Contains(err.Error(), "no panic") {
		t.Errorf("a step: %v", err)
	}
	sum := alone(func(dst, b []byte) ([]byte, error) { return crc(dst, b), nil })
	err := rowkeytest.TestDigest("crc", 4, func(dst, data []byte) []byte { dst, _ = sum(dst, data); return dst })
	if err == nil || !strings.Contains(err.Error(), "no panic") {
		t.Errorf("a digest: %v", err)
	}
}

func ExampleTestTransform() {
	lax := fake{ender: hexed{}, invert: func(dst, b []byte) ([]byte, error) { return hexed{}.Invert(dst, bytes.ToLower(b)) }}
	fmt.Println(rowkeytest.TestTransform(hexed{}, "s-42"))
	fmt.Println(rowkeytest.TestTransform(lax, "s-42") != nil)
	// Output:
	// <nil>
	// true
}

// A step that nothing undoes is held to the laws that are left.
func TestOneWay(t *testing.T) {
	lower := rowkey.OneWay("lower", 0, func(dst, value []byte) ([]byte, error) { return append(dst, bytes.ToLower(value)...), nil })
	if err := rowkeytest.TestTransform(lower, "Ann"); err != nil {
		t.Error(err)
	}
	size := rowkey.OneWay("first", 1, func(dst, value []byte) ([]byte, error) {
		if len(value) == 0 {
			return dst, errors.New("empty")
		}
		return append(dst, value[0]), nil
	})
	if err := rowkeytest.TestTransform(size, "Ann"); err != nil {
		t.Error(err)
	}
	n := 0
	counts := rowkey.OneWay("counts", 0, func(dst, value []byte) ([]byte, error) {
		n++
		return append(dst, byte(n)), nil
	})
	if err := rowkeytest.TestTransform(counts, "Ann"); err == nil || !strings.Contains(err.Error(), "the same each time") {
		t.Errorf("%v", err)
	}
	changes := rowkey.OneWay("changes", 0, func(dst, value []byte) ([]byte, error) {
		for i := range value {
			value[i] |= 0x20
		}
		return append(dst, value...), nil
	})
	if err := rowkeytest.TestTransform(changes, "Ann"); err == nil || !strings.Contains(err.Error(), "arguments stay as they are") {
		t.Errorf("%v", err)
	}
}

// TestVectorsOfLongLines: the line of a row with many ranges of long keys is read whole.
func TestVectorsOfLongLines(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a:1]"))
	path := filepath.Join(t.TempDir(), "t.vectors")
	text := "# rowkey vectors 1.\n# " + s.Fingerprint() + " " + strings.Repeat("x", 5<<20) + "\nkey 07 u7\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rows := 0
	rowkeytest.Vectors(t, path, rowkeytest.Generated{
		Schema: s,
		Append: func(dst []byte, row []any) ([]byte, error) { rows++; return s.AppendKey(dst, row...) },
		Parse: func(key []byte) ([]any, error) {
			var v uint64
			err := s.Read(key).Uint(&v).Err()
			return []any{v}, err
		},
	})
	if rows == 0 {
		t.Fatal("no row was read")
	}
}
