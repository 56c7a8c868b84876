package laws

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/scan"
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
		Hash(rowkey.NewDigest("probesum", 1, p.sum).Raw(1), "values(a,at)").
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

// TestStepGetsItsValueAlone: no step sees what lies after its value, where an
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
		key, err := s.KeyIn(buf[:8]).String(a).Time(probeAt).String(a + "b").Bytes()
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
	codec := rowkey.Must(rowkey.Bind[probeRow](s))
	row := probeRow{"u1", probeAt, "x"}
	key := mustKey(t)(codec.Append(nil, &row))
	plan, err := s.Scan(rowkey.Eq("a", "u1"), rowkey.AtLeast("b", "x"), rowkey.AtLeast("at", probeAt))
	if err != nil || !plan.Match(key) {
		t.Fatal(err)
	}
	handle := rowkey.Must(rowkey.FieldOf[time.Time](s, "at"))
	whole, err := s.Decode(key)
	if err != nil {
		t.Fatal(err)
	}
	none := func() error { return nil } // of calls that have no error to give
	for name, call := range map[string]func() error{
		"Key": func() error {
			_, err := s.Key().String("u1").Time(probeAt).String("x").Bytes()
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
			_, _, err := s.Key().String("u1").Time(probeAt).AppendRanges(nil, nil)
			return err
		},
		"Prefix": func() error {
			_, _, err := s.Key().String("u1").Time(probeAt).Prefix("x").AppendRanges(nil, nil)
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
		"Check":   func() error { _ = advice.Fit(s, slices.Values([][]byte{key})); return none() },
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

// TestUnitThatPanicsLater: a stored number at which a unit panics is no instant, also
// where the unit would count the instants beside its first one so.
func TestUnitThatPanicsLater(t *testing.T) {
	const bad = 1000 // milliseconds: the first second's end
	s := rowkey.New("s").Time("at", rowkey.NewUnit("own", time.Millisecond, time.Time.UnixMilli, func(n int64) time.Time {
		if n == bad {
			panic("from")
		}
		return time.UnixMilli(n)
	})).MustBuild()
	for n := uint64(bad - 1); n <= bad+1; n++ {
		key := binary.BigEndian.AppendUint64(nil, n)
		row, err := s.Decode(key)
		var at time.Time
		read := s.Read(key).Time(&at).Err()
		if n == bad {
			if !errors.Is(err, rowkey.ErrMalformed) || !errors.Is(read, rowkey.ErrMalformed) {
				t.Errorf("%d is decoded (%v) or read as %v (%v)", n, err, at, read)
			}
			if k, err := s.AppendKey(nil, time.UnixMilli(bad)); err != nil || string(k) != string(key) { // from is not asked
				t.Errorf("%d is written as %x: %v", n, k, err)
			}
			continue
		}
		if err != nil || read != nil || at.UnixMilli() != int64(n) {
			t.Errorf("%d is %v, %v: %v, %v", n, row, at, err, read)
		}
	}
}

// rising keeps the order of its values, and panics at one of them.
type rising struct {
	*probe
	at string
}

func (r rising) Append(dst, v []byte) ([]byte, error) {
	if string(v) == r.at {
		panic("about " + r.at)
	}
	return append(dst, v...), nil
}
func (rising) Invert(dst, v []byte) ([]byte, error) { return append(dst, v...), nil }
func (rising) Traits() rowkey.Traits                { return rowkey.Traits{Order: rowkey.Forward} }

// sized is rising of two bytes.
type sized struct{ rising }

func (sized) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Forward, Size: 2} }

// keeping keeps beginnings too.
type keeping struct{ rising }

func (keeping) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Prefixes: true}
}

// TestPanicAtAnEndOfASpan: a step that panics at an end of an interval says nothing
// of the place, so that the plan is an error, and no range without rows that may be.
func TestPanicAtAnEndOfASpan(t *testing.T) {
	text := func(at string, opts ...rowkey.FieldOption) *rowkey.Schema {
		return rowkey.New("s").String("a", append([]rowkey.FieldOption{rowkey.Via(rising{&probe{}, at})}, opts...)...).MustBuild()
	}
	kept := rowkey.New("s").String("a", rowkey.Via(keeping{rising{&probe{}, "bad"}})).MustBuild()
	number := rowkey.New("s").Uint("a", 2, rowkey.Via(rising{&probe{}, "\x00\x05"}), rowkey.Fixed(2)).MustBuild()
	back := rowkey.New("s").Uint("a", 2, rowkey.Desc, rowkey.Via(sized{rising{&probe{}, "\xff\xfa"}})).MustBuild()
	minutes := func(n int64) rowkey.Unit { // a unit that panics at one of its steps
		to, from := func(t time.Time) int64 { return t.Unix()/60 - 10000 }, func(m int64) time.Time {
			if m == n {
				panic("about a minute")
			}
			return time.Unix(60*(m+10000), 0)
		}
		return rowkey.NewUnit("min2", time.Minute, to, from)
	}
	copied := rowkey.New("s").Copy("day", "at", rowkey.Days).Time("at", minutes(7)).MustBuild()
	salted := rowkey.New("s").Salt(8, "values(day)").Copy("day", "at", rowkey.Days).Time("at", minutes(7)).MustBuild()
	from, to := time.Unix(60*10003, 0), time.Unix(60*10008, 0)
	far := rowkey.New("s").Copy("day", "at", rowkey.Days).Time("at", minutes(207)).MustBuild()
	farTo := time.Unix(60*10208, 0) // an interval, and no list
	for name, scan := range map[string]func() (*rowkey.Plan, error){
		"text from":             func() (*rowkey.Plan, error) { return text("bad").Scan(rowkey.AtLeast("a", "bad")) },
		"text to":               func() (*rowkey.Plan, error) { return text("bad").Scan(rowkey.Span("a", "a", "bad")) },
		"escaped text":          func() (*rowkey.Plan, error) { return text("bad", rowkey.Escaped).Scan(rowkey.AtLeast("a", "bad")) },
		"padded text":           func() (*rowkey.Plan, error) { return text("bad", rowkey.Pad(9, 0)).Scan(rowkey.AtLeast("a", "bad")) },
		"a prefix":              func() (*rowkey.Plan, error) { return text("bad").Scan(rowkey.Prefix("a", "bad")) },
		"the end of a prefix":   func() (*rowkey.Plan, error) { return text("bae").Scan(rowkey.Prefix("a", "bad")) },
		"a prefix that is kept": func() (*rowkey.Plan, error) { return kept.Scan(rowkey.Prefix("a", "bad")) },
		"a text beside it": func() (*rowkey.Plan, error) {
			return kept.Scan(rowkey.AnyOf(rowkey.Prefix("a", "x"), rowkey.Eq("a", "bad")))
		},
		"an open permission": func() (*rowkey.Plan, error) { return text("bad").Scan(rowkey.AtLeast("a", "bad"), rowkey.FullScan()) },
		"number from":        func() (*rowkey.Plan, error) { return number.Scan(rowkey.AtLeast("a", 5)) },
		"number to":          func() (*rowkey.Plan, error) { return number.Scan(rowkey.AtMost("a", 5)) },
		"one number":         func() (*rowkey.Plan, error) { return number.Scan(rowkey.Eq("a", 5)) },
		"number backward":    func() (*rowkey.Plan, error) { return back.Scan(rowkey.AtLeast("a", 5)) },
		"a copy's end":       func() (*rowkey.Plan, error) { return copied.Scan(rowkey.Span("at", from, to)) },
		"a copy's far end":   func() (*rowkey.Plan, error) { return far.Scan(rowkey.Span("at", from, farTo)) },
		"a salt's copy":      func() (*rowkey.Plan, error) { return salted.Scan(rowkey.Span("at", from, to)) },
	} {
		plan, err := scan()
		var e *rowkey.Error
		if !errors.As(err, &e) || !strings.Contains(fmt.Sprint(err), "panicked") || !slices.Contains([]string{"a", "at", "day"}, e.Field) {
			t.Errorf("%s: %v, %v", name, plan, err)
		}
	}
	if r, err := kept.Key().Prefix("bad").Range(); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("%v %v", r, err)
	}
	// A copy is not written from an instant that its unit does not give.
	if key, err := copied.AppendKey(nil, time.Unix(60*10007, 0)); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("%x, %v", key, err)
	}
}

// probedAll is a schema with the probe's steps wherever one can stand.
func probedAll(p *probe) *rowkey.Builder {
	return rowkey.New("all").
		Salt(4, "a", rowkey.Via(p)).
		Salt(8, "hidden", rowkey.NewDigest("probesum", 1, p.sum).Raw(1), rowkey.Named("other")).
		Hash(rowkey.NewDigest("probesum", 1, p.sum).Hex(1), "values(a,at)").
		Copy("c", "a", rowkey.Via(p)).
		Copy("day", "at", rowkey.Days).
		Bool("on", rowkey.Via(p)).
		String("a", rowkey.OneOf("u1", "u2"), rowkey.Via(p)).
		Uint("n", 4, rowkey.Via(p)).
		Time("at", rowkey.NewUnit("probemin", time.Minute, p.to, p.from)).
		String("hidden", rowkey.Via(p), rowkey.NotStored).
		String("rest", rowkey.Via(p))
}

// TestPanicsOfStepsEscapeNowhere: no function of the package lets a panic of a step
// out, whatever the step is, and Build neither.
func TestPanicsOfStepsEscapeNowhere(t *testing.T) {
	p := &probe{calls: map[string]int{}}
	s, err := probedAll(p).Build()
	if err != nil {
		t.Fatal(err)
	}
	values := []any{true, "u1", 7, probeAt, "h", "x"}
	key := mustKey(t)(s.AppendKey(nil, values...))
	row, err := s.Decode(key)
	if err != nil {
		t.Fatal(err)
	}
	conds := []rowkey.Cond{rowkey.Eq("on", true), rowkey.Eq("a", "u1"), rowkey.In("n", 7, 9), rowkey.Eq("hidden", "h"), rowkey.AtLeast("at", probeAt), rowkey.FullScan()}
	plan, err := s.Scan(conds...)
	if err != nil || !plan.Match(key) {
		t.Fatal(plan, err)
	}
	keys, err := s.Scan(rowkey.Eq("a", "u1"), rowkey.Eq("n", 7), rowkey.Eq("at", probeAt), rowkey.Eq("hidden", "h"), rowkey.Eq("rest", "x"))
	if err != nil || len(slices.Collect(keys.Keys())) != 2 {
		t.Fatal(keys, err)
	}
	token := plan.Token(key)
	open := func(context.Context, rowkey.Range, bool) (scan.Cursor[[]byte], error) {
		return &sliceCursor{[][]byte{key}}, nil
	}
	own := func(row []byte) []byte { return row }
	calls := map[string]func(){
		"Build":       func() { _, _ = probedAll(p).Build() },
		"Sample":      func() { _, _ = probedAll(p).Sample(shell.Text(key), values...).Build() },
		"Splits":      func() { _, _ = s.Splits(16) },
		"SplitsOf":    func() { _, _ = s.SplitsOf(1, slices.Values([][]byte{key})) },
		"Scan":        func() { _, _ = s.Scan(conds...) },
		"Scan, a few": func() { _, _ = s.Scan(rowkey.Eq("on", true), rowkey.Span("n", 1, 9), rowkey.FullScan()) },
		"Scan, text": func() {
			_, _ = s.Scan(rowkey.Eq("a", "u1"), rowkey.Prefix("rest", "x"), rowkey.Suffix("rest", "x"), rowkey.FullScan())
		},
		"Fuzzy":        func() { collect2(plan.Fuzzy()) },
		"Keys":         func() { _ = slices.Collect(keys.Keys()) },
		"Match":        func() { _, _ = plan.Match(key), keys.Match(key) },
		"String":       func() { _, _ = plan.String(), s.String() },
		"Token":        func() { _ = plan.Token(key) },
		"Resume":       func() { _, _ = plan.Resume(token) },
		"SplitAt":      func() { _ = plan.SplitAt([][]byte{key}) },
		"Regions":      func() { collect2(plan.Regions([][]byte{key})) },
		"Cost":         func() { _, _ = advice.CostOf(plan, advice.Table{Rows: []int64{9}, PerRequest: 1}) },
		"Ranges":       func() { _ = slices.Collect(plan.Reversed().Limit(3).Ranges()) },
		"Reversed":     func() { r, _ := s.Key().Bool(true).Range(); r.Reversed() },
		"Page":         func() { _, _, _, _ = scan.Page(context.Background(), plan, nil, 2, open, own) },
		"Merge":        func() { collect2(scan.Merge(context.Background(), plan, 2, open, own)) },
		"Decode":       func() { _, _ = s.Decode(key) },
		"DecodeLoose":  func() { _, _ = s.DecodeLoose(key) },
		"Check":        func() { _ = advice.Fit(s, slices.Values([][]byte{key})) },
		"Explain":      func() { _ = s.Explain(key) },
		"ExplainIn":    func() { _ = s.ExplainIn(key, time.Local) },
		"Rekey":        func() { _, _ = s.Rekey(nil, key, s) },
		"AppendKey":    func() { _, _ = s.AppendKey(nil, values...) },
		"AppendRanges": func() { _, _, _ = s.Key().Bool(true).String("u1").Uint(7).AppendRanges(nil, nil) },
		"Prefix": func() {
			_, _, _ = s.Key().Bool(true).String("u1").Uint(7).Time(probeAt).String("h").Prefix("x").AppendRanges(nil, nil)
		},
		"Fields": func() { _ = slices.Collect(s.Fields()) },
		"Values": func() { _ = s.Values("a") },
		"Order":  func() { _, _ = s.Order("a"), s.Fingerprint() },
		"Row": func() {
			_, _, _, _ = row.Has("a"), row.Stored("a"), row.Bucket("salt"), row.Bucket("other")
			collect2(row.All())
		},
		"Get": func() {
			_, _ = rowkey.Must(rowkey.FieldOf[string](s, "a")).Get(row)
			_, _ = rowkey.Must(rowkey.FieldOf[time.Time](s, "at")).Get(row)
		},
	}
	for name, call := range calls {
		for _, step := range []string{"Append", "Invert", "Len", "sum", "to", "from"} {
			t.Run(name+"/"+step, func(t *testing.T) {
				p.panics = step
				defer func() {
					p.panics = ""
					if v := recover(); v != nil {
						t.Errorf("a panic escapes: %v", v)
					}
				}()
				call()
			})
		}
	}
	for _, step := range []string{"Append", "Invert", "Len", "sum", "to", "from"} {
		if p.panics = step; step == "Append" { // its values have been counted, and no filter leaves one out
			for pair := range plan.Fuzzy() {
				t.Errorf("a filter in spite of a panic: %x", pair)
			}
		}
	}
	p.panics = ""
}

func collect2[K, V any](seq iter.Seq2[K, V]) {
	for range seq {
	}
}

// sliceCursor gives some rows.
type sliceCursor struct{ rows [][]byte }

func (c *sliceCursor) Next() ([]byte, error) {
	if len(c.rows) == 0 {
		return nil, io.EOF
	}
	row := c.rows[0]
	c.rows = c.rows[1:]
	return row, nil
}
func (c *sliceCursor) Close() error { return nil }

// TestSplitsDoNotLeaveOutWhatPanics: values of which a step panics are not taken for
// values that there are none of.
func TestSplitsDoNotLeaveOutWhatPanics(t *testing.T) {
	p := &probe{calls: map[string]int{}}
	for name, s := range map[string]*rowkey.Schema{
		"bool":  rowkey.New("s").Bool("on", rowkey.Via(p)).MustBuild(),
		"oneof": rowkey.New("s").String("a", rowkey.OneOf("x", "y"), rowkey.Via(p)).MustBuild(),
	} {
		p.panics = ""
		if splits, err := s.Splits(2); err != nil || len(splits) != 1 {
			t.Errorf("%s: %q, %v", name, splits, err)
		}
		p.panics = "Append"
		if splits, err := s.Splits(1); err != nil || len(splits) != 0 {
			t.Errorf("%s: %q, %v", name, splits, err)
		}
		if splits, err := s.Splits(2); !errors.Is(err, rowkey.ErrSplits) {
			t.Errorf("%s: %q, %v", name, splits, err)
		}
	}
}

// TestTransformThatCannotBeAsked: a Transform whose String or Traits panic, such as a
// nil pointer, is a Build error.
func TestTransformThatCannotBeAsked(t *testing.T) {
	for want, o := range map[string]rowkey.FieldOption{
		"does not panic": rowkey.Via((*nameless)(nil)),
		"they panic":     rowkey.Via(&nameless{name: "named"}),
	} {
		if _, err := rowkey.New("s").String("a", o).Build(); !errors.Is(err, rowkey.ErrSchema) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

type nameless struct {
	rising
	name   string
	traits *rowkey.Traits
}

func (n *nameless) String() string        { return n.name }
func (n *nameless) Traits() rowkey.Traits { return *n.traits }

// TestUnitIsNotAskedBeforeItsEpoch: a caller's unit is asked for instants from its first
// step to the end of the year 9999. What lies outside is refused in a key and bounds a
// query, though the functions would panic there.
func TestUnitIsNotAskedBeforeItsEpoch(t *testing.T) {
	first := time.Date(2020, 1, 1, 0, 0, 0, 500, time.UTC)
	end := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	s := rowkey.New("s").Time("at", rowkey.NewUnit("own", time.Nanosecond, func(at time.Time) int64 {
		if at.Before(first) || !at.Before(end) {
			panic("outside")
		}
		return (at.Unix()-first.Unix())*10 + int64(at.Nanosecond()-500)/100_000_000
	}, func(n int64) time.Time {
		if n < 0 {
			panic("outside")
		}
		return first.Add(time.Duration(n%10) * 100 * time.Millisecond).Add(time.Duration(n/10) * time.Second)
	})).MustBuild()
	for _, at := range []time.Time{first.Add(-1), first.Add(-time.Second), time.Unix(0, 0), end, end.AddDate(1, 0, 0)} {
		_, err := s.Key().Time(at).Bytes()
		if !errors.Is(err, rowkey.ErrRange) || strings.Contains(err.Error(), "panicked") {
			t.Errorf("%v is written: %v", at, err)
		}
		before := at.Before(first)
		for name, c := range map[string]struct {
			cond rowkey.Cond
			all  bool
		}{
			"AtLeast":  {rowkey.AtLeast("at", at), before},
			"LessThan": {rowkey.LessThan("at", at), !before},
		} {
			p, err := s.Scan(c.cond, rowkey.FullScan())
			if err != nil || (p.Len() > 0) != c.all {
				t.Errorf("%s %v: %v, %v", name, at, p, err)
			}
		}
	}
	if key, err := s.Key().Time(first).Bytes(); err != nil || string(key) != "\x00\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("the first instant is %x, %v", key, err)
	}
}

// TestYearsBeforeTheEpoch: Years that end where the unit's epoch begins admit no time,
// and are refused; one year more is not.
func TestYearsBeforeTheEpoch(t *testing.T) {
	unit := rowkey.Seconds.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	for last, built := range map[int]bool{1998: false, 1999: false, 2000: true} {
		s, err := rowkey.New("s").Time("at", unit, rowkey.Years(1990, last)).Build()
		if (err == nil) != built {
			t.Errorf("Years(1990, %d): %v", last, err)
		}
		if built {
			if _, err := s.Key().Time(time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)).Bytes(); !errors.Is(err, rowkey.ErrRange) {
				t.Errorf("2001 is written: %v", err)
			}
		}
	}
}
