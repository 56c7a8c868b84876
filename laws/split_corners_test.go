package laws

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// TestSplitsOfAsManySamplesAsRegions: as many samples as regions give a region to
// each; one sample less is too few.
func TestSplitsOfAsManySamplesAsRegions(t *testing.T) {
	s := rowkey.New("s").String("a").MustBuild()
	for n := 1; n < 6; n++ {
		var keys [][]byte
		for i := range n {
			keys = append(keys, []byte(fmt.Sprintf("k%d", i)))
		}
		splits, err := s.SplitsOf(n, slices.Values(keys))
		if err != nil || !slices.EqualFunc(splits, keys[1:], slices.Equal[[]byte]) {
			t.Errorf("%d samples, %d regions: %q, %v", n, n, splits, err)
		}
		for i, key := range keys {
			if got := splits.Region(key); got != i {
				t.Errorf("%d regions: sample %d falls in region %d", n, i, got)
			}
		}
		if splits, err := s.SplitsOf(n+1, slices.Values(keys)); !errors.Is(err, rowkey.ErrSplits) {
			t.Errorf("%d samples, %d regions: %q, %v", n, n+1, splits, err)
		}
	}
}

// TestSplitsAsManyRegionsAsValues: as many regions as leading values need no
// second component in front, which may be one that depends on data.
func TestSplitsAsManyRegionsAsValues(t *testing.T) {
	s := rowkey.New("s").Salt(4, "a").String("a").MustBuild()
	splits, err := s.Splits(4)
	if want := [][]byte{{1}, {2}, {3}}; err != nil || !slices.EqualFunc(splits, want, slices.Equal[[]byte]) {
		t.Errorf("%x, %v", splits, err)
	}
	behind := rowkey.New("s").Salt(4, "a").Hash(rowkey.MD5.Raw(1), "a").String("a").MustBuild()
	if more, err := behind.Splits(4); err != nil || !slices.EqualFunc(more, splits, slices.Equal[[]byte]) {
		t.Errorf("what stands after is not needed: %x, %v", more, err)
	}
	if splits, err := s.Splits(5); !errors.Is(err, rowkey.ErrSplits) {
		t.Errorf("five regions of four values: %x, %v", splits, err)
	}
}

// TestSplitsOfTooManyRegions: a number of regions that no table has is an error, and takes no
// memory, whether the layout has as many values or not.
func TestSplitsOfTooManyRegions(t *testing.T) {
	s := rowkey.New("s").Hash(rowkey.MD5.Raw(16), "a").String("a").MustBuild()
	for _, n := range []int{1<<20 + 1, math.MaxInt32, math.MaxInt, 0, -1, math.MinInt} {
		if splits, err := s.Splits(n); !errors.Is(err, rowkey.ErrRange) {
			t.Errorf("Splits(%d): %d keys, %v", n, len(splits), err)
		}
		if splits, err := s.SplitsOf(n, slices.Values([][]byte{{1}, {2}})); !errors.Is(err, rowkey.ErrRange) {
			t.Errorf("SplitsOf(%d): %d keys, %v", n, len(splits), err)
		}
	}
	if splits, err := s.Splits(1 << 20); err != nil || len(splits) != 1<<20-1 {
		t.Errorf("Splits(1<<20): %d keys, %v", len(splits), err)
	}
}

// TestPrefixOfNoneOfSome: a beginning that no value of OneOf has is an error of the
// builder, and of a plan reads nothing.
func TestPrefixOfNoneOfSome(t *testing.T) {
	s := rowkey.New("s").String("a", rowkey.OneOf("open", "shut")).Separator("_").Uint("n", 2).MustBuild()
	for _, p := range []string{"x", "openx", "p", "OPEN"} {
		want := rowkey.ErrRange
		if p == "openx" { // longer than all of them
			want = rowkey.ErrLength
		}
		if r, err := s.Key().Prefix(p).Range(); !errors.Is(err, want) {
			t.Errorf("Prefix(%q) of the key: %v, %v", p, r, err)
		}
		plan, err := s.Scan(rowkey.Prefix("a", p))
		if err != nil || plan.Len() != 0 {
			t.Errorf("Prefix(%q) of a scan: %v, %v", p, plan, err)
		}
	}
	for _, p := range []string{"o", "open", "s"} {
		if _, err := s.Key().Prefix(p).Range(); err != nil {
			t.Errorf("Prefix(%q): %v", p, err)
		}
		if plan, err := s.Scan(rowkey.Prefix("a", p)); err != nil || plan.Len() != 1 {
			t.Errorf("Prefix(%q) of a scan: %v, %v", p, plan, err)
		}
	}
}

// TestSplitsOverWhatIsNotStored: what is not stored may stand between a lead of varying length and
// the separator that ends it. The split keys hold this separator once.
func TestSplitsOverWhatIsNotStored(t *testing.T) {
	const between, behind = "[salt12(b) decimal][a notstored]['_'][salt2(a)][b]", "[salt12(b) decimal]['_'][a notstored][salt2(a)][b]"
	splits, err := rowkey.Must(rowkey.Parse("s", between)).Splits(24)
	want := rowkey.Must(rowkey.Must(rowkey.Parse("s", behind)).Splits(24))
	if err != nil || !slices.EqualFunc(splits, want, slices.Equal[[]byte]) {
		t.Errorf("%q, %v, want %q", splits, err, want)
	}
	if first := "0_\x01"; string(splits[0]) != first {
		t.Errorf("the second region begins with %q, not %q", splits[0], first)
	}
}

// fdbText is FoundationDB's text: 00 ends it, and 00 within it is 00 ff.
type fdbText struct{}

func (fdbText) Append(dst, v []byte) ([]byte, error) {
	return append(append(dst, bytes.ReplaceAll(v, []byte{0}, []byte{0, 0xff})...), 0), nil
}

func (t fdbText) Invert(dst, b []byte) ([]byte, error) {
	if n, err := t.Len(b); err != nil || n != len(b) {
		return dst, errors.New("no such text")
	}
	return append(dst, bytes.ReplaceAll(b[:len(b)-1], []byte{0, 0xff}, []byte{0})...), nil
}

func (fdbText) Len(b []byte) (int, error) {
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != 0:
		case i+1 == len(b) || b[i+1] != 0xff:
			return i + 1, nil
		default:
			i++
		}
	}
	return 0, errors.New("no end")
}

func (fdbText) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Forward, NextBelow: 0xff, Prefixes: true, End: 1}
}

func (fdbText) String() string { return "fdb" }

// TestSplitsOfFormsThatGoOn: with Desc, a longer form of a step that has NextBelow lies below the shorter one that it
// begins with. So the split keys hold the constant after it, and without one there are none.
func TestSplitsOfFormsThatGoOn(t *testing.T) {
	few := rowkey.OneOf("", "\x00", "a", "a\x00")
	begun := func() *rowkey.Builder { return rowkey.New("s").String("a", few, rowkey.Via(fdbText{}), rowkey.Desc) }
	s := begun().Literal("_").Bool("b").MustBuild()
	splits, err := s.Splits(4)
	if want := "[9eff5f ff00ff5f ff5f]"; err != nil || fmt.Sprintf("%x", splits) != want {
		t.Errorf("%x, %v, not %s", splits, err, want)
	}
	for _, n := range []int{4, 8} {
		splits, err := s.Splits(n)
		if err != nil || !slices.IsSortedFunc(splits, bytes.Compare) {
			t.Errorf("%x, %v", splits, err)
		}
		regions := map[int]bool{}
		for _, a := range []string{"", "\x00", "a", "a\x00"} {
			for _, b := range []bool{false, true} {
				key, err := s.AppendKey(nil, a, b)
				if err != nil {
					t.Fatal(err)
				}
				regions[splits.Region(key)] = true
			}
		}
		if len(regions) != n {
			t.Errorf("the rows lie in %d regions of %d: %x", len(regions), n, splits)
		}
	}
	if splits, err := begun().Uint("b", 1, rowkey.Digits(3)).MustBuild().Splits(4); !errors.Is(err, rowkey.ErrSplits) {
		t.Errorf("%x, %v", splits, err)
	}
	forward, err := rowkey.New("s").String("a", few, rowkey.Via(fdbText{})).Uint("b", 1, rowkey.Digits(3)).MustBuild().Splits(4)
	if want := "[00ff00 6100 6100ff00]"; err != nil || fmt.Sprintf("%x", forward) != want {
		t.Errorf("%x, %v, not %s", forward, err, want)
	}
}
