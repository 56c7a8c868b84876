// Package opentsdb declares the row keys of OpenTSDB 2.4, which look like
//
//	[salt, 0 to 8 bytes][metric, 3 bytes][hour, 4 bytes]([tag name, 3][tag value, 3])…
//
// Metrics, tag names and tag values are numbers of the table tsdb-uid. All points
// of one hour lie in the cells of one row. The salt is |h mod n| of the 31-hash
// of metric and tags, without the time: the rows of one series lie in one bucket,
// and those of a metric in all. Metric 000000, of the global annotations, is not
// salted: its salt is 0.
//
// In Java: RowKey.rowKeyFromTSUID(tsdb, tsuid, timestamp).
package opentsdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Schema is the layout of a table for tsd.storage.salt.width (0 is no salt) and
// tsd.storage.salt.buckets.
func Schema(saltWidth, buckets int) *rowkey.Schema {
	b := rowkey.New("tsdb")
	if saltWidth > 0 {
		bytes := min(saltWidth, 4)
		written := []rowkey.SaltOption{salt(buckets), rowkey.Width(bytes)}
		if saltWidth > bytes {
			written = append(written, rowkey.Via(repeated(saltWidth)))
		}
		b = b.Salt(buckets, "stored(metric,tags)", written...)
	}
	return b.
		Uint("metric", 3).
		Time("hour", rowkey.Seconds, rowkey.Width(4), rowkey.Truncate(time.Hour)).
		Binary("tags").
		MustBuild()
}

// salt is the bucket of a metric and its tags. Build says what is wrong with a
// number of buckets.
func salt(buckets int) rowkey.Part {
	return rowkey.NewDigest(fmt.Sprintf("opentsdb%d", max(buckets, 0)), 4, func(dst, series []byte) []byte {
		h := int32(1) // Arrays.hashCode, of signed bytes
		for _, b := range series {
			h = 31*h + int32(int8(b))
		}
		bucket := int64(h) % int64(buckets)
		if string(series[:3]) == "\x00\x00\x00" {
			bucket = 0
		}
		return binary.BigEndian.AppendUint32(dst, uint32(max(bucket, -bucket)))
	}).Raw(4)
}

// Tag is a name and a value of a series.
type Tag struct{ Name, Value uint32 }

// Tags is the bytes of tags in this order. OpenTSDB writes them by rising names.
func Tags(tags ...Tag) []byte {
	var b []byte
	for _, t := range tags {
		b = append(b, byte(t.Name>>16), byte(t.Name>>8), byte(t.Name), byte(t.Value>>16), byte(t.Value>>8), byte(t.Value))
	}
	return b
}

// At is the instant of an OpenTSDB timestamp: milliseconds if any of its upper
// 32 bits is set, else seconds.
func At(timestamp int64) time.Time {
	if uint64(timestamp)>>32 != 0 {
		timestamp /= 1000 // as Java divides: -1 becomes 0
	}
	return time.Unix(timestamp, 0).UTC()
}

// repeated is the number of bytes of a salt wider than an int. OpenTSDB shifts
// the int by 8, 16, 24, 32 … bits, and Java shifts an int by 32 as by 0: the four
// bytes come again.
type repeated int

var errSalt = errors.New("no salt of this width")

func (r repeated) Append(dst, bucket []byte) ([]byte, error) {
	if len(bucket) != 4 || r < 4 || r > 8 {
		return dst, rowkey.ErrLength
	}
	return append(append(dst, bucket[8-r:]...), bucket...), nil
}

func (r repeated) Invert(dst, salt []byte) ([]byte, error) {
	if len(salt) != int(r) || r < 4 || r > 8 || string(salt[:r-4]) != string(salt[4:]) {
		return dst, errSalt
	}
	return append(dst, salt[r-4:]...), nil
}

func (r repeated) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Size: int(r)}
}

func (r repeated) String() string { return fmt.Sprintf("opentsdb-salt%d", int(r)) }
