package interop

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// The dialects.
const (
	// HBase writes what Bytes.toBytes and the Raw types write. An Int is two's
	// complement: −1 in 4 bytes is ffffffff. A Float is its IEEE bits: 1.5 in 8 bytes
	// is 3ff8000000000000. A Bool is 00, or ff for true. A text is its own bytes.
	HBase = rowkey.Dialect(layout.InHBase)

	// OrderedBytes writes the types of org.apache.hadoop.hbase.types. Each field
	// begins with a header of one byte:
	//
	//   - An Int of 1, 2, 4 or 8 bytes is OrderedInt8 to OrderedInt64: 1 in 4 bytes is
	//     2b80000001.
	//   - A Float is OrderedFloat32 or OrderedFloat64: 1.5 is 30bfc00000 in 4 bytes
	//     and 31bff8000000000000 in 8.
	//   - A Time is an OrderedInt64 of its units, and may lie before 1970: 1970-01-02
	//     in Millis is 2c8000000005265c00.
	//   - A String is an OrderedString: "ab" is 34616200. A text that holds 00 is
	//     refused.
	//   - A Binary is an OrderedBlobVar, which is unordered: "ab" is 37b0d840. With
	//     BlobCopy it is an OrderedBlob: "ab" is 386162.
	//   - Numeric is OrderedNumeric.
	//
	// Desc inverts all bytes of a field, the header too.
	OrderedBytes = rowkey.Dialect(layout.InOrderedBytes)

	// Phoenix writes the primary keys of Phoenix tables. Each kind of field is an SQL
	// type:
	//
	//   - An Int is TINYINT, SMALLINT, INTEGER or BIGINT, with the sign bit flipped: 1
	//     in 4 bytes is 80000001.
	//   - A Uint is UNSIGNED_TINYINT to UNSIGNED_LONG: 7 in 4 bytes is 00000007. A
	//     number above the largest signed number of that size is refused.
	//   - A Float is FLOAT or DOUBLE: 1.5 is bfc00001 in 4 bytes and bff8000000000001
	//     in 8. A Bool is BOOLEAN: true is 01, with Desc fe.
	//   - A Time of Millis is DATE or TIME, in 8 bytes: 1970-01-02 is
	//     8000000005265c00. A Time of Nanos is TIMESTAMP, in 12 bytes: 8 bytes of
	//     milliseconds, then 4 bytes of the nanoseconds after the last of them. 5
	//     nanoseconds after 1970-01-02 is 8000000005265c0000000005. Both may lie
	//     before 1970.
	//   - Numeric is DECIMAL. With Precision(p, s) it is DECIMAL(p,s).
	//   - A String is VARCHAR. An empty text is refused. It ends with 00, or with ff
	//     if it has Desc: "ab" is 616200, or 9e9dff. As the last field it has no end,
	//     unless it has Desc.
	//   - A String with Pad(n, ' ') is CHAR(n), and so is a String with Fixed(n) that
	//     the caller fills with blanks. Each character has one byte, so é is refused.
	//     So is a byte below the pad. Blanks at the end of a value or of a condition's
	//     value are left off, because in SQL 'ab ' equals 'ab'.
	//   - A Binary is VARBINARY. It must be the last field, without Desc. With
	//     Fixed(n) it is BINARY(n), with Escaped it is VARBINARY_ENCODED.
	//   - A Salt is that of SALT_BUCKETS, if it stands first and its input is "rest()".
	//
	// Desc inverts all bytes of a field.
	Phoenix = rowkey.Dialect(layout.InPhoenix)
)
