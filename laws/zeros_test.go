package laws

import (
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

var minusZero = math.Copysign(0, -1)

// zerosOf are schemas of one float, and what −0 is to each.
func zerosOf() map[string]struct {
	s     *rowkey.Schema
	minus string // its bytes; empty where they are those of +0
} {
	type z = struct {
		s     *rowkey.Schema
		minus string
	}
	of := func(size int, opts ...rowkey.FieldOption) *rowkey.Schema {
		return rowkey.New("zeros").Float("v", size, opts...).Uint("id", 1).MustBuild()
	}
	return map[string]z{
		"HBase":             {of(8, interop.HBase), "8000000000000000"},
		"HBase, 4":          {of(4, interop.HBase), "80000000"},
		"OrderedBytes":      {of(8, interop.OrderedBytes), "317fffffffffffffff"},
		"OrderedBytes down": {of(4, interop.OrderedBytes, rowkey.Desc), "cf80000000"},
		"Phoenix":           {of(8, interop.Phoenix), "8000000000000000"},
		"Phoenix, 4":        {of(4, interop.Phoenix), "80000000"},
		"Phoenix down":      {of(4, interop.Phoenix, rowkey.Desc), "7fffffff"},
		"Phoenix unsigned":  {of(8, interop.Phoenix, interop.Unsigned), ""},
		"none":              {of(8), ""},
	}
}

// TestMinusZero: a dialect writes and reads −0 as its system does, and without one
// it is +0.
func TestMinusZero(t *testing.T) {
	for name, z := range zerosOf() {
		plus := mustKey(t)(z.s.AppendKey(nil, 0.0, 7))
		minus := mustKey(t)(z.s.AppendKey(nil, minusZero, 7))
		want := z.minus + "07"
		if z.minus == "" {
			want = hex.EncodeToString(plus)
		}
		if got := hex.EncodeToString(minus); got != want {
			t.Errorf("%s: −0 is written as %s, want %s", name, got, want)
		}
		var v float64
		var id uint64
		if err := z.s.Read(minus).Float(&v).Uint(&id).Err(); err != nil || v != 0 || math.Signbit(v) != (z.minus != "") {
			t.Errorf("%s: −0 is read as %v, %v", name, v, err)
		}
		if again := mustKey(t)(z.s.Rekey(nil, minus, z.s)); string(again) != string(minus) {
			t.Errorf("%s: −0 is written anew as %x, and was %x", name, again, minus)
		}
	}
	none := zerosOf()["none"].s
	hbase := zerosOf()["HBase"].s
	if got, err := none.Rekey(nil, mustKey(t)(hbase.AppendKey(nil, minusZero, 7)), hbase); !errors.Is(err, rowkey.ErrRange) || got != nil {
		t.Errorf("−0 of HBase without a dialect, where it would be the key of +0, is %x, %v", got, err)
	}
	if got := mustKey(t)(none.Rekey(nil, mustKey(t)(hbase.AppendKey(nil, 0.0, 7)), hbase)); hex.EncodeToString(got) != "800000000000000007" {
		t.Errorf("+0 of HBase without a dialect is %x", got)
	}
	raw, _ := hex.DecodeString("7fffffffffffffff07")
	if _, err := none.Decode(raw); !errors.Is(err, rowkey.ErrMalformed) {
		t.Errorf("bytes that no float of no dialect has: %v", err)
	}
}

// TestZerosAreEqual: a condition takes both zeros for equal, whichever it names:
// it finds the rows of both, or of neither.
func TestZerosAreEqual(t *testing.T) {
	for name, z := range zerosOf() {
		for _, zero := range []float64{0, minusZero} {
			for cond, want := range map[*rowkey.Cond]bool{
				ptr(rowkey.Eq("v", zero)):                                        true,
				ptr(rowkey.In("v", 5, zero)):                                     true,
				ptr(rowkey.Span("v", zero, 5)):                                   true,
				ptr(rowkey.Span("v", -5, zero)):                                  false,
				ptr(rowkey.Span("v", -5, 5.0)):                                   true,
				ptr(rowkey.Span("v", zero, -zero)):                               false,
				ptr(rowkey.AtLeast("v", zero)):                                   true,
				ptr(rowkey.AtMost("v", zero)):                                    true,
				ptr(rowkey.MoreThan("v", zero)):                                  false,
				ptr(rowkey.LessThan("v", zero)):                                  false,
				ptr(rowkey.NotEq("v", zero)):                                     false,
				ptr(rowkey.NotEq("v", 1.0)):                                      true,
				ptr(rowkey.MoreThan("v", -math.SmallestNonzeroFloat64)):          true,
				ptr(rowkey.LessThan("v", math.SmallestNonzeroFloat64)):           true,
				ptr(rowkey.AnyOf(rowkey.Eq("v", 1.0), rowkey.AtMost("v", zero))): true,
			} {
				plan, err := z.s.Scan(*cond, rowkey.FullScan())
				if err != nil {
					t.Errorf("%s: %v: %v", name, cond, err)
					continue
				}
				for _, stored := range []float64{0, minusZero} {
					key := mustKey(t)(z.s.AppendKey(nil, stored, 7))
					read := 0
					for r := range plan.Ranges() {
						if r.Contains(key) {
							read++
						}
					}
					if plan.Match(key) != want || want && read != 1 || plan.Exact() && !want && read != 0 {
						t.Errorf("%s: %v of %v: Match %v in %d ranges, want %v\n%v", name, plan, stored, plan.Match(key), read, want, cond)
					}
				}
			}
		}
	}
}

func ptr(c rowkey.Cond) *rowkey.Cond { return &c }

// TestZerosOfASalt: the two zeros have two hashes, so that a query of zero reads
// the buckets of both.
func TestZerosOfASalt(t *testing.T) {
	s := rowkey.New("salted", interop.HBase).Salt(64, "v").Float("v", 8).Uint("id", 1).MustBuild()
	plan, err := s.Scan(rowkey.Eq("v", 0.0))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{0, minusZero} {
		key := mustKey(t)(s.AppendKey(nil, v, 7))
		n := 0
		for r := range plan.Ranges() {
			if r.Contains(key) {
				n++
			}
		}
		if n != 1 || !plan.Match(key) {
			t.Errorf("%x lies in %d ranges of %v", key, n, plan)
		}
	}
}
