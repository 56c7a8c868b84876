package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Versions reads up to n versions of each cell, the newest first, if the family
// keeps as many; the default is one.
func Versions(n int) ScanOption {
	return func(s *scanOpts) {
		if s.versions = n; n < 1 || n > math.MaxInt32 {
			s.err = explain(ErrArgument, fmt.Sprintf("%d versions: there is at least one", n))
		}
	}
}

// TimeRange limits the cells of rows to those of the times from on, before to, in
// milliseconds; a zero from is the beginning and a zero to has no end. Without
// Versions the newest cell in it counts, even if there is a newer one after it. A
// row that has no such cell is not found. Versions beyond those that the family keeps
// are found, too, until the server has compacted them away.
func TimeRange(from, to time.Time) ScanOption {
	return func(s *scanOpts) {
		s.times = &thrift2.TTimeRange{MinStamp: 0, MaxStamp: math.MaxInt64}
		if !from.IsZero() {
			s.times.MinStamp = from.UnixMilli()
		}
		if !to.IsZero() {
			s.times.MaxStamp = to.UnixMilli()
		}
		if s.times.MinStamp < 0 || s.times.MaxStamp <= s.times.MinStamp {
			s.err = explain(ErrArgument, "a range of times begins in 1970 or later, and ends after its beginning")
		}
	}
}

// GetRows is GetAll with options of a scan: Columns, Versions, TimeRange, KeysOnly
// FilterString and Batch. A row of which they leave nothing is not given.
func (t *Table) GetRows(ctx context.Context, keys [][]byte, opts ...ScanOption) (rows []Row, err error) {
	const name = "getMultiple"
	s, err := t.scanOf(opts)
	if err != nil {
		err.(*Error).Call = name
		return nil, err
	}
	if s.fuzzy || s.multiRange || s.reversed {
		return nil, t.refuse(name, explain(ErrArgument, "Fuzzy, MultiRange and Reversed are for scans"))
	}
	for i, key := range keys {
		if err := checkKey(key); err != nil {
			return nil, t.refuse(name, fmt.Errorf("key %d: %w", i, err))
		}
	}
	s.batch = min(s.batch, batchRows)
	pace := t.pace(&s)
	err = inCalls(keys, func() int { return pace.size }, func(_ int, keys [][]byte) error {
		found := results{bare: s.keysOnly}
		r := request{name: name, filter: s.filterString != ""}
		err := t.get(ctx, r, keys, &thrift2.THBaseServiceGetMultipleArgs{Table: t.bytes, Tgets: s.gets(keys)}, &found)
		pace.saw(len(found.rows), found.size)
		rows = append(rows, found.rows...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// get makes a call that reads rows by their keys. An answer of others is refused.
func (t *Table) get(ctx context.Context, r request, keys [][]byte, args thrift.TStruct, into *results) error {
	r.rows, r.got = len(keys), func() int { return len(into.rows) }
	err := t.call(ctx, r, func(ctx context.Context, s *thrift2.THBaseServiceClient) error { return into.of(ctx, s, r.name, args) })
	if err != nil {
		return err
	}
	if err := into.answer(keys); err != nil {
		return t.refuse(r.name, err)
	}
	return nil
}

// answer is an error if the results are not those of reads of the keys: one for each, in their
// order, without a key where there is no such row. Whoever reads rows by their keys takes a row
// that is not given for one that there is not.
func (r *results) answer(keys [][]byte) error {
	at := 0
	for i := range r.rows {
		for at < len(keys) && !bytes.Equal(keys[at], r.rows[i].Key) {
			at++
		}
		if at == len(keys) {
			return explain(ErrServer, fmt.Sprintf("row %d of its answer was not asked for, or is out of order", i))
		}
		at++
	}
	if r.count != len(keys) {
		return explain(ErrServer, fmt.Sprintf("%d results of its answer, of %d keys", r.count, len(keys)))
	}
	return nil
}

// gets are reads of rows, as a scan would read them.
func (s *scanOpts) gets(keys [][]byte) []*thrift2.TGet {
	gets := make([]*thrift2.TGet, len(keys))
	for i, key := range keys {
		get := &thrift2.TGet{Row: key, Columns: columns(s.columns), TimeRange: s.times, FilterBytes: allOf(s.filters(nil))}
		if s.versions > 1 {
			n := int32(s.versions)
			get.MaxVersions = &n
		}
		if s.filterString != "" {
			get.FilterString = []byte(s.filterString)
		}
		gets[i] = get
	}
	return gets
}

// inCalls gives keys as calls take them: up to rows() of them, and not more than
// about 1 MB. first is the place of a call's first key.
func inCalls(keys [][]byte, rows func() int, call func(first int, keys [][]byte) error) error {
	for first := 0; first < len(keys); {
		n, size := 0, 0
		for most := rows(); n < most && first+n < len(keys); n++ {
			if size += len(keys[first+n]); n > 0 && size > batchBytes {
				break
			}
		}
		if err := call(first, keys[first:first+n]); err != nil {
			return err
		}
		first += n
	}
	return nil
}

// now is the time that ClientTime gives to what is written; nil without it.
func (c *Client) now() *int64 {
	if !c.stamp {
		return nil
	}
	ms := time.Now().UnixMilli()
	return &ms
}

// stampOf is the time of a cell as it is sent: its own, or that of its call.
func stampOf(t time.Time, now *int64) *int64 {
	if t.IsZero() {
		return now
	}
	ms := t.UnixMilli()
	return &ms
}

// ttl is the attribute of a put that has its cells end.
func ttl(d time.Duration) (map[string][]byte, error) {
	if d < time.Millisecond {
		return nil, explain(ErrArgument, "a TTL is a millisecond or longer")
	}
	return map[string][]byte{"_ttl": binary.BigEndian.AppendUint64(nil, uint64(d.Milliseconds()))}, nil
}

// ttlTag is the type of a tag that is a cell's TTL.
const ttlTag = 8

// ttlOf is the TTL among a cell's tags, of which each has two bytes of length, a byte of type and
// its value. 0 is none; tags that are none are passed over.
func ttlOf(tags []byte) time.Duration {
	for len(tags) > 2 {
		n := int(binary.BigEndian.Uint16(tags))
		if n == 0 || n > len(tags)-2 {
			return 0
		}
		if tags[2] == ttlTag && n == 9 {
			ms := binary.BigEndian.Uint64(tags[3:])
			return time.Duration(min(ms, uint64(math.MaxInt64/time.Millisecond))) * time.Millisecond
		}
		tags = tags[2+n:]
	}
	return 0
}
