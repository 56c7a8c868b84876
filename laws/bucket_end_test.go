package laws

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/hbase-rowkey/rowkey/scan"
)

// A keyList is the rest of a scan whose rows are only keys.
type keyList [][]byte

func (k *keyList) Next() ([]byte, error) {
	if len(*k) == 0 {
		return nil, io.EOF
	}
	key := (*k)[0]
	*k = (*k)[1:]
	return key, nil
}

func (k *keyList) Close() error { return nil }

// TestBucketWithoutEnd: in Phoenix a text lacks its end in the keys in which only nulls follow. So one
// Bucket has keys with the end and without it, and they are read, paged and cut in one order.
func TestBucketWithoutEnd(t *testing.T) {
	values := []string{"a", "ab", "b\x00"}
	for _, s := range []*rowkey.Schema{
		rowkey.New("nul", interop.Phoenix).String("slot", rowkey.OneOf("a", "ab", "b"), rowkey.Bucket).String("x", rowkey.Optional).MustBuild(),
		rowkey.New("escaped", interop.Phoenix).Binary("slot", rowkey.OneOf(values...), rowkey.Escaped, rowkey.Bucket).String("x", rowkey.Optional).MustBuild(),
		rowkey.New("two", interop.Phoenix).Uint("n", 1, rowkey.Below(2), rowkey.Bucket).String("slot", rowkey.OneOf("a", "ab", "b"), rowkey.Bucket).String("x", rowkey.Optional).MustBuild(),
	} {
		keys := map[string]bool{}
		for _, n := range []uint64{0, 1} {
			for _, slot := range append(values, "b") {
				for _, x := range []any{nil, "\x01", "x", "y", "yy"} {
					row := []any{n, slot, x}
					if s.Name() != "two" {
						row = row[1:]
					}
					if key, err := s.AppendKey(nil, row...); err == nil {
						keys[string(key)] = true
					}
				}
			}
		}
		var rows [][]byte
		for key := range keys {
			rows = append(rows, []byte(key))
		}
		slices.SortFunc(rows, bytes.Compare)
		open := func(_ context.Context, r rowkey.Range, reversed bool) (scan.Cursor[[]byte], error) {
			var list keyList
			for _, key := range rows {
				if r.Contains(key) {
					list = append(list, key)
				}
			}
			if reversed {
				slices.Reverse(list)
			}
			return &list, nil
		}
		itself := func(key []byte) []byte { return key }
		all, err := s.Scan(rowkey.FullScan())
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < 15 || all.Len() < 3 {
			t.Fatalf("%d rows, %v", len(rows), all)
		}
		cuts := [][]byte{[]byte("a\x00"), []byte("b\x00"), []byte("\x00a\x00"), []byte("\x01a\x00x")}
		for i, p := range []*rowkey.Plan{all, all.Reversed(), all.SplitAt(cuts), all.SplitAt(rows), all.Reversed().SplitAt(rows)} {
			want := slices.Clone(rows)
			slices.SortFunc(want, p.Compare)
			var got [][]byte
			for key, err := range scan.Merge(t.Context(), p, 1, open, itself) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, key)
			}
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("%s, plan %d: the rows are %q, want %q", s.Name(), i, got, want)
			}
			got = nil
			var token []byte
			for done := false; !done; {
				var page [][]byte
				if page, token, done, err = scan.Page(t.Context(), p.Limit(2), token, 1, open, itself); err != nil {
					t.Fatal(err)
				}
				if got = append(got, page...); len(got) > len(rows) {
					break
				}
			}
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("%s, plan %d: the pages are %q, want %q", s.Name(), i, got, want)
			}
		}
	}
}
