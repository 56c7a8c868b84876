package rowkey

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/internal/split"
)

// SplitKeys are the first keys of all regions of a table but the first, in key
// order: what a table is created with.
type SplitKeys [][]byte

// Splits gives regions−1 split keys, made of the values of the leading components. If
// these have N values, split i is value number ceil(i·N/regions), in the width that
// they have in the key. With Salt(10, …) and 4 regions, the splits are 03, 05 and 08. No
// region, or more than 1048576, is an error that wraps ErrRange.
//
// A leading component spreads rows evenly if it is one of these: a salt, a hash, a
// bool, a code, one of OneOf, or a number that is Below a limit, has one or two bytes,
// or has its digits or bytes reversed. A salt or a hash counts with all its values, also
// those that its fields never give. Otherwise the data decide. Then the error wraps
// ErrSplits: use SplitsOf.
//
// If a time comes first, SplitsOf does not help either. Such a key rises or falls
// with time, and all new rows lie in one region, whatever the splits. The error says
// so.
func (s *Schema) Splits(regions int) (SplitKeys, error) {
	if err := s.fewRegions(regions); err != nil {
		return nil, err
	}
	leads, values, stuck := split.Leads(&s.in, regions)
	if !values.AtLeast(regions) {
		few := fmt.Sprintf("%v leading values make at most %[1]v regions, not %d", values, regions)
		if values.AtLeast(1) && !values.AtLeast(2) {
			few = fmt.Sprintf("one leading value makes one region, not %d", regions)
		}
		if stuck == nil {
			return nil, s.in.ErrAt("", -1, &fault.Detail{Text: few, Reason: fault.ErrSplits})
		}
		if len(leads) > 0 && !split.Unwritten(stuck) {
			return nil, s.in.ErrAt(leads[0].Name, -1, &fault.Detail{Text: few + ": use SplitsOf for more", Reason: fault.ErrSplits})
		}
		return nil, s.in.ErrAt(stuck.Name, -1, &fault.Detail{Text: split.WhyStuck(stuck, len(leads) == 0), Reason: fault.ErrSplits})
	}
	return split.Keys(leads, values, regions), nil
}

// fewRegions is the error of a number of regions that no table has.
func (s *Schema) fewRegions(n int) error {
	if n < 1 {
		return s.in.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d regions, at least 1", n), Reason: fault.ErrRange})
	}
	if n > split.MostRegions {
		return s.in.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d regions, at most %d", n, split.MostRegions), Reason: fault.ErrRange})
	}
	return nil
}

// SplitsOf gives regions−1 split keys that divide the sample keys into equal parts. If
// too few samples differ, the error wraps ErrSplits. If keys rise with time, new rows
// lie after all samples: the splits spread only rows like the samples.
func (s *Schema) SplitsOf(regions int, sample iter.Seq[[]byte]) (SplitKeys, error) {
	if err := s.fewRegions(regions); err != nil {
		return nil, err
	}
	var keys split.Sample
	for key := range sample {
		if len(key) == 0 || len(key) > s.in.MaxLen {
			return nil, s.in.ErrAt("", -1, &fault.Detail{Text: "a sample of " + layout.Plural(len(key), "byte") + ", and keys have 1 to " + strconv.Itoa(s.in.MaxLen), Reason: fault.ErrLength})
		}
		keys.Add(key)
	}
	keys.Sort()
	splits := make(SplitKeys, 0, regions-1)
	for i := 1; i < regions; i++ {
		at := int((uint64(i)*uint64(keys.Len()) + uint64(regions) - 1) / uint64(regions))
		if at >= keys.Len() || at == 0 || bytes.Equal(keys.Key(at), keys.Key(0)) || len(splits) > 0 && bytes.Equal(keys.Key(at), splits[len(splits)-1]) {
			return nil, s.in.ErrAt("", -1, &fault.Detail{Text: fmt.Sprintf("%d samples have too few different keys for %d regions", keys.Len(), regions), Reason: fault.ErrSplits})
		}
		splits = append(splits, bytes.Clone(keys.Key(at)))
	}
	return splits, nil
}

// Region is the number of the region that holds a key, from 0. A split key is the
// first key of its region.
func (k SplitKeys) Region(key []byte) int { return bound.RegionOf(k, key) }

// Shell is the splits as an argument of hbase shell's create.
func (k SplitKeys) Shell() string {
	quoted := make([]string, len(k))
	for i, key := range k {
		quoted[i] = "'" + shell.Quoted(key) + "'"
	}
	return "SPLITS => [" + strings.Join(quoted, ", ") + "]"
}
