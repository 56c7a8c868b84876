package laws

import (
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
