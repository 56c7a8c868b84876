package rowkey_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// What a step of others gets, and what becomes of its panics.

// A probe is a transform, a digest and a unit of time that does as its functions
// say, whatever they are at the moment.
type probe struct {
	in       func(in, dst []byte)
	calls    map[string]int
	panics   string // the call that does
	panicked int    // how often it did
}

func (p *probe) saw(call string, in, dst []byte) {
	p.calls[call]++
	if p.in != nil {
		p.in(in, dst)
	}
	if call == p.panics {
		p.panicked++
		panic("about u1")
	}
}

func (p *probe) Append(dst, v []byte) ([]byte, error) {
	p.saw("Append", v, dst)
	return append(append(dst, byte(len(v))), v...), nil
}

func (p *probe) Invert(dst, form []byte) ([]byte, error) {
	p.saw("Invert", form, dst)
	if len(form) == 0 || len(form) != 1+int(form[0]) {
		return dst, errTestVia
	}
	return append(dst, form[1:]...), nil
}

func (p *probe) Len(b []byte) (int, error) {
	p.saw("Len", b, nil)
	if len(b) == 0 {
		return 0, errTestVia
	}
	return 1 + int(b[0]), nil
}

func (p *probe) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Delimited: true}
}
func (p *probe) String() string { return "probe" }

func (p *probe) sum(dst, data []byte) []byte {
	p.saw("sum", data, dst)
	n := byte(0)
	for _, b := range data {
		n += b
	}
	return append(dst, n)
}

func (p *probe) to(t time.Time) int64 {
	p.saw("to", nil, nil)
	return t.Unix() / 60
}

func (p *probe) from(n int64) time.Time {
	p.saw("from", nil, nil)
	return time.Unix(60*n, 0)
}

type probeRow struct {
	A  string    `rowkey:"a"`
	At time.Time `rowkey:"at"`
	B  string    `rowkey:"b"`
}

// probed is a schema all of whose steps are the probe's.
func probed(t *testing.T) (*probe, *rowkey.Schema) {
	t.Helper()
	p := &probe{calls: map[string]int{}}
	s, err := rowkey.New("probed").
		Salt(4, "a", rowkey.NewDigest("probesum", 1, p.sum).Raw(1)).
		Hash(rowkey.NewDigest("probesum", 1, p.sum).Raw(1), rowkey.Values("a", "at")).
		String("a", rowkey.Via(p)).
		Time("at", rowkey.NewUnit("probemin", time.Minute, p.to, p.from)).
		String("b").
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

var probeAt = time.Unix(1684203600, 0).UTC()

// TestStepGetsItsValueAlone: no step sees what lies behind its value, where an
// earlier row's may lie, nor what lay in the room that it writes to; and neither
// is memory of the caller's.
func TestStepGetsItsValueAlone(t *testing.T) {
	p, s := probed(t)
	mark := []byte("SECRETSECRETSECRET")
	fail := func(f string, args ...any) { t.Helper(); t.Errorf(f, args...) }
	p.in = func(in, dst []byte) {
		if cap(in) != len(in) {
			fail("a value of %d bytes has a capacity of %d", len(in), cap(in))
		}
		room := dst[len(dst):cap(dst)]
		if i := bytes.IndexFunc(room, func(r rune) bool { return r != 0 }); i >= 0 {
			fail("the room behind dst is not clear: %q", room)
		}
		for i := range room { // as one may
			room[i] = 0xee
		}
	}
	for _, a := range []string{string(mark), "abc", strings.Repeat("x", 200), "", "z"} {
		buf := make([]byte, 1024)
		key, err := s.Key(buf[:8]).String(a).Time(probeAt).String(a + "b").Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(buf, []byte{0xee, 0xee, 0xee, 0xee}) {
			t.Error("a step has written in the caller's buffer")
		}
		if row, err := s.Decode(key); err != nil || !row.Has("a") {
			t.Error(err)
		}
		if !strings.Contains(s.Explain(key), "bucket") {
			t.Error(s.Explain(key))
		}
		if plan, err := s.Scan(rowkey.Eq("a", a), rowkey.Eq("at", probeAt)); err != nil || !plan.Match(key) {
			t.Error(a, err)
		}
	}
	for _, call := range []string{"Append", "Invert", "Len", "sum", "to", "from"} {
		if p.calls[call] == 0 {
			t.Errorf("%s was never called", call)
		}
	}
}

// cut4 reads four bytes of every value.
type cut4 struct{ *probe }

func (cut4) Append(dst, v []byte) ([]byte, error)   { return append(dst, v[:4]...), nil }
func (cut4) Invert(dst, v []byte) ([]byte, error)   { return append(dst, v...), nil }
func (cut4) Traits() rowkey.Traits                  { return rowkey.Traits{Order: rowkey.Unordered, Size: 4} }
func cutSum(dst, data []byte) []byte                { return append(dst, data[:4]...) }
func cutPanics(err error) bool                      { return strings.Contains(fmt.Sprint(err), "panicked: ") }
func keyOf(s *rowkey.Schema, v any) ([]byte, error) { return s.AppendKey(nil, v) }

// TestStepCannotReadOn: a step that reads four bytes of a value of three panics,
// and shows no byte of an earlier one.
func TestStepCannotReadOn(t *testing.T) {
	for name, s := range map[string]*rowkey.Schema{
		"transform": rowkey.New("cut").Binary("a", rowkey.Via(cut4{})).MustBuild(),
		"digest":    rowkey.New("cut").Hash(rowkey.NewDigest("cut", 4, cutSum).Raw(4), "a").Binary("a").MustBuild(),
	} {
		if _, err := keyOf(s, "XXXXXXXX"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		key, err := keyOf(s, "abc")
		field := map[string]string{"transform": "a", "digest": "hash"}[name] // the component whose step it is
		var e *rowkey.Error
		if !errors.As(err, &e) || !errors.Is(err, rowkey.ErrRange) || e.Field != field || !cutPanics(err) {
			t.Errorf("%s: abc is written as %q, %v", name, key, err)
		}
	}
}

// TestPanicsOfStepsAreErrors: whatever panics in a transform, a digest or a unit
// is an *Error of the call, and the caller's bytes are as they were.
func TestPanicsOfStepsAreErrors(t *testing.T) {
	p, s := probed(t)
	codec := rowkey.MustBind[probeRow](s)
	row := probeRow{"u1", probeAt, "x"}
	key := mustKey(t)(codec.Append(nil, &row))
	plan, err := s.Scan(rowkey.Eq("a", "u1"), rowkey.AtLeast("b", "x"), rowkey.AtLeast("at", probeAt))
	if err != nil || !plan.Match(key) {
		t.Fatal(err)
	}
	handle := rowkey.MustField[time.Time](s, "at")
	whole, err := s.Decode(key)
	if err != nil {
		t.Fatal(err)
	}
	none := func() error { return nil } // of calls that have no error to give
	for name, call := range map[string]func() error{
		"Key": func() error {
			_, err := s.Key(nil).String("u1").Time(probeAt).String("x").Bytes()
			return err
		},
		"AppendKey": func() error {
			out, err := s.AppendKey([]byte("before"), "u1", probeAt, "x")
			if err != nil && string(out) != "before" {
				t.Errorf("dst is %q", out)
			}
			return err
		},
		"Codec.Append":    func() error { _, err := codec.Append(nil, &row); return err },
		"Codec.AppendAll": func() error { _, _, err := codec.AppendAll(nil, nil, []probeRow{row}); return err },
		"Decode":          func() error { _, err := s.Decode(key); return err },
		"DecodeLoose":     func() error { _, err := s.DecodeLoose(key); return err },
		"Codec.Decode":    func() error { var v probeRow; return codec.Decode(key, &v) },
		"Read": func() error {
			var a, b string
			var at time.Time
			return s.Read(key).String(&a).Time(&at).String(&b).Err()
		},
		"Rekey":     func() error { _, err := s.Rekey(nil, key, s); return err },
		"Field.Get": func() error { _, err := handle.Get(whole); return err },
		"Row.All": func() error {
			for range whole.All() {
			}
			return none()
		},
		"AppendRanges": func() error {
			_, _, err := s.Key(nil).String("u1").Time(probeAt).AppendRanges(nil, nil)
			return err
		},
		"Prefix": func() error {
			_, _, err := s.Key(nil).String("u1").Time(probeAt).Prefix("x").AppendRanges(nil, nil)
			return err
		},
		"Scan": func() error {
			_, err := s.Scan(rowkey.Eq("a", "u1"), rowkey.Eq("at", probeAt), rowkey.Eq("b", "x"))
			return err
		},
		"Scan of a span": func() error {
			_, err := s.Scan(rowkey.Eq("a", "u1"), rowkey.Span("at", probeAt, probeAt.Add(time.Hour)))
			return err
		},
		"Explain": func() error { _ = s.Explain(key); return none() },
		"Pieces":  func() error { _, err := s.Pieces(key, nil); return err },
		"Check":   func() error { _ = s.Check(slices.Values([][]byte{key})); return none() },
		"Match":   func() error { _ = plan.Match(key); return none() },
		"Plan":    func() error { _ = plan.String(); _ = slices.Collect(plan.Ranges()); return none() },
	} {
		for _, step := range []string{"", "Append", "Invert", "Len", "sum", "to", "from"} {
			t.Run(name+"/"+step, func(t *testing.T) {
				p.panics, p.panicked = step, 0
				defer func() {
					p.panics = ""
					if v := recover(); v != nil {
						t.Errorf("a panic escapes: %v", v)
					}
				}()
				err := call()
				var e *rowkey.Error
				switch gives := !slices.Contains([]string{"Explain", "Check", "Match", "Plan", "Row.All"}, name); {
				case p.panicked > 0 && gives && !errors.As(err, &e):
					t.Errorf("%d panics, and the error is %v", p.panicked, err)
				case p.panicked == 0 && err != nil:
					t.Errorf("no panic, and yet %v", err)
				}
				if err != nil && strings.Contains(err.Error(), "u1") {
					t.Errorf("a value in %q", err)
				}
			})
		}
	}
}

// TestUnitThatPanicsIsNone: NewUnit calls its functions, and says what is wrong.
func TestUnitThatPanicsIsNone(t *testing.T) {
	to, from := func(t time.Time) int64 { return t.Unix() }, func(n int64) time.Time { return time.Unix(n, 0) }
	for want, u := range map[string]rowkey.Unit{
		"from(0) panicked": rowkey.NewUnit("own", time.Second, to, func(int64) time.Time { panic("from") }),
		"to panics":        rowkey.NewUnit("own", time.Second, func(time.Time) int64 { panic("to") }, from),
	} {
		if _, err := rowkey.New("s").Time("at", u).Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
