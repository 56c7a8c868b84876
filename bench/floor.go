package bench

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/scan"
)

// The floors: what one would write by hand for one layout, with the checks that
// a table needs: no separator in a text, numbers in range, no key of more than
// 32767 bytes. Their keys, ranges and rows are those of the schemas.

var (
	errFloor = errors.New("refused by hand")
	errEmpty = errors.New("made nothing")
)

const maxKey = 32767

// floorTail is what the keys share: the text and its separator, the time taken
// from the largest, the number.
func floorTail(dst []byte, at int, r *Trade) ([]byte, error) {
	if strings.IndexByte(r.Seller, '_') >= 0 || r.At < 0 {
		return dst[:at], errFloor
	}
	dst = append(append(dst, r.Seller...), '_')
	dst = binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-r.At))
	dst = binary.BigEndian.AppendUint64(dst, r.Order)
	if len(dst)-at > maxKey {
		return dst[:at], errFloor
	}
	return dst, nil
}

//go:noinline
func floorPlain(dst []byte, r *Trade) ([]byte, error) { return floorTail(dst, len(dst), r) }

//go:noinline
func floorTime(dst []byte, seller string, t time.Time, order uint64) ([]byte, error) {
	r := Trade{seller, t.UnixMilli(), order}
	return floorTail(dst, len(dst), &r)
}

//go:noinline
func floorSalted(dst []byte, r *Trade) ([]byte, error) {
	return floorTail(append(dst, byte(floorMurmur(r.Seller)%16)), len(dst), r)
}

//go:noinline
func floorMD5(dst []byte, r *Trade) ([]byte, error) {
	const digits = "0123456789abcdef"
	at := len(dst)
	var text [64]byte
	sum := md5.Sum(append(text[:0], r.Seller...))
	for _, b := range sum[:3] {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return floorTail(dst, at, r)
}

// floorMurmur is murmur3_x86_32 with seed 0.
func floorMurmur[T string | []byte](s T) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h uint32
	n := len(s)
	for ; len(s) >= 4; s = s[4:] {
		k := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
		k *= c1
		k = k<<15 | k>>17
		h ^= k * c2
		h = (h<<13|h>>19)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(s) - 1; i >= 0; i-- {
		k = k<<8 | uint32(s[i])
	}
	if len(s) > 0 {
		k *= c1
		k = k<<15 | k>>17
		h ^= k * c2
	}
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// floorAll writes one key after the other, and where each ends.
func floorAll(arena []byte, ends []int, rows []Trade) ([]byte, []int, error) {
	var err error
	for i := range rows {
		if arena, err = floorTail(arena, len(arena), &rows[i]); err != nil {
			return arena, ends, err
		}
		ends = append(ends, len(arena))
	}
	return arena, ends, nil
}

// metricKey is how many bytes the key of a Metric has.
const metricKey = 4 + 8 + 8 + 2

// floorLevels writes one key after the other, and where each ends. All have one
// length, so there is one look whether the arena has room.
//
//go:noinline
func floorLevels(arena []byte, ends []int, rows []Metric) ([]byte, []int, error) {
	at := len(arena)
	arena, ends = slices.Grow(arena, len(rows)*metricKey), slices.Grow(ends, len(rows))
	keys := arena[:at+len(rows)*metricKey]
	for i := range rows {
		r := &rows[i]
		if r.At < 0 || r.Level >= 1000 {
			return arena, ends, errFloor
		}
		key := (*[metricKey]byte)(keys[at:])
		binary.BigEndian.PutUint32(key[:], r.Tenant)
		binary.BigEndian.PutUint64(key[4:], uint64(math.MaxInt64-r.At))
		binary.BigEndian.PutUint64(key[12:], r.Device)
		binary.BigEndian.PutUint16(key[20:], r.Level)
		at += metricKey
		ends = append(ends, at)
	}
	return keys, ends, nil
}

//go:noinline
func floorRead(key []byte, seller *[]byte, at *time.Time, order *uint64) error {
	n := bytes.IndexByte(key, '_')
	if n < 0 || len(key) > maxKey || len(key) != n+17 {
		return errFloor
	}
	*seller = append((*seller)[:0], key[:n]...)
	left := binary.BigEndian.Uint64(key[n+1:])
	if left > math.MaxInt64 {
		return errFloor
	}
	*at = time.UnixMilli(math.MaxInt64 - int64(left)).UTC()
	*order = binary.BigEndian.Uint64(key[n+9:])
	return nil
}

// bound is a range by hand.
type bound struct{ start, stop []byte }

// floorRanges writes the range of one seller, or one for each bucket.
//
//go:noinline
func floorRanges(dst []bound, arena []byte, seller string, buckets int) ([]bound, []byte, error) {
	if strings.IndexByte(seller, '_') >= 0 {
		return dst, arena, errFloor
	}
	for i := range max(buckets, 1) {
		at := len(arena)
		if buckets > 0 {
			arena = append(arena, byte(i))
		}
		arena = append(append(arena, seller...), '_')
		mid := len(arena)
		arena = append(arena, arena[at:mid]...)
		arena[len(arena)-1]++ // '_' never carries
		dst = append(dst, bound{arena[at:mid], arena[mid:]})
	}
	return dst, arena, nil
}

// floorPlan is the ranges, one for each of 16 buckets, of a tenant's rows from an
// instant on and before another.
//
//go:noinline
func floorPlan(tenant uint64, from, to time.Time) ([]bound, error) {
	const buckets, width = 16, 1 + 4 + 8
	first, last := from.UnixMilli(), to.UnixMilli()
	if tenant > math.MaxUint32 || first < 0 || first >= last {
		return nil, errFloor
	}
	if to.Nanosecond()%int(time.Millisecond) != 0 {
		last++ // the millisecond that it cuts holds rows before it
	}
	arena, dst := make([]byte, 0, 2*buckets*width), make([]bound, 0, buckets)
	for i := range buckets {
		at := len(arena)
		for _, ms := range [2]int64{last - 1, first - 1} { // the latest comes first; the stop is not in the range
			arena = append(arena, byte(i))
			arena = binary.BigEndian.AppendUint32(arena, uint32(tenant))
			arena = binary.BigEndian.AppendUint64(arena, uint64(math.MaxInt64)-uint64(ms))
		}
		dst = append(dst, bound{arena[at : at+width], arena[at+width:]})
	}
	return dst, nil
}

// result is a row as a client gives it.
type result struct{ key []byte }

func (r *result) row() []byte { return r.key }

// cursor is a client's scan of rows in memory.
type cursor struct {
	rows []*result
	at   int
}

func (c *cursor) Next() (*result, error) {
	if c.at == len(c.rows) {
		return nil, io.EOF
	}
	c.at++
	return c.rows[c.at-1], nil
}

func (c *cursor) Close() error { return nil }

type heapEntry struct {
	row    *result
	cursor scan.Cursor[*result]
}

func (a *heapEntry) before(b *heapEntry) bool {
	if c := bytes.Compare(a.row.key[1:], b.row.key[1:]); c != 0 {
		return c < 0
	}
	return a.row.key[0] < b.row.key[0]
}

// floorMerge gives the rows of the cursors to body in the order of their keys
// without the first byte, and then with it: a binary heap of the cursors, whose
// top sinks to its place with each new row, no bound and no order looked at.
//
//go:noinline
func floorMerge(cursors []scan.Cursor[*result], body func(*result) bool) error {
	heap := make([]heapEntry, 0, len(cursors))
	sink := func(i int) {
		e := heap[i]
		for {
			child := 2*i + 1
			if child >= len(heap) {
				break
			}
			if child+1 < len(heap) && heap[child+1].before(&heap[child]) {
				child++
			}
			if !heap[child].before(&e) {
				break
			}
			heap[i], i = heap[child], child
		}
		heap[i] = e
	}
	for _, c := range cursors {
		switch row, err := c.Next(); {
		case err == nil:
			heap = append(heap, heapEntry{row, c})
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(i)
	}
	for len(heap) > 0 {
		if !body(heap[0].row) {
			return nil
		}
		row, err := heap[0].cursor.Next()
		switch {
		case err == nil:
			heap[0].row = row
		case errors.Is(err, io.EOF):
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		default:
			return err
		}
		if len(heap) > 0 {
			sink(0)
		}
	}
	return nil
}
