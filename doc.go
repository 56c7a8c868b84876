// Package rowkey declares an HBase or Lindorm row key once; the schema then
// writes keys, reads them back, and bounds scans.
//
//	var trades = rowkey.New("trades").
//		Salt(16, "seller").                     // 1 byte: murmur3(seller) mod 16
//		String("seller").Separator("_").        // ends at '_'; a seller that holds '_' is refused
//		Time("at", rowkey.Millis, rowkey.Desc). // Long.MAX_VALUE − ms, 8 bytes: newest first
//		Uint("order", 8).                       // 8 bytes, big-endian
//		MustBuild()
//
//	key, err := trades.Key().String("s-42").Time(at).Uint(7).Bytes()
//	err = trades.Read(key).String(&seller).Time(&at).Uint(&order).Err()
//	all, err := trades.Key().String("s-42").Range()
//	plan, err := trades.Scan(rowkey.Eq("seller", "s-42"), rowkey.Span("at", from, to))
//
// A field has one of seven kinds. One word each declares, builds and reads it:
// String, Binary, Uint, Int, Float, Bool, Time. Around fields stand the derived
// components (Salt, Hash, Copy) and the constants (Separator, Literal). Options
// follow the field and apply left to right: value, number, text or bytes, frame.
// Every number in a declaration is a number of bytes, or of digits.
//
// A [Dialect], as an option of [New] or of one component, writes the bytes of
// another system: HBase (Bytes.toBytes), OrderedBytes (HBase's ordered types) or
// Phoenix (primary keys). In the last two a field may be [Optional], which means
// that it may be null. Package interop has the words that only tables of other
// systems need, such as the bucket rules of Java programs. Where no option fits,
// write a step of your own: a [Transform] ([Via]), a hash ([NewDigest]) or a unit
// of time ([NewUnit]). Package rowkeytest checks its laws.
//
// # What a schema promises
//
//   - Round trip: a key decodes to the values it was made of, as stored (a time
//     in whole units). A value that cannot be stored is an error that names the
//     field, and the caller's buffer is as it was.
//   - Injective: different rows have different keys.
//   - Order: [Schema.Order] says of each field whether its bytes sort as its
//     values do, the other way round, or neither.
//   - Isolation: a prefix of complete values has a range. It holds all rows with
//     these values, and no row with other values.
//   - Sound bounds: every row that matches a query lies in exactly one range of
//     its plan. If a range holds other rows too, [Plan.Match] leaves them out. A
//     key does not match if its salt, hash or copy is not the one that its values
//     give.
//   - Tight bounds: take a query of equalities on a prefix of the fields, and then
//     intervals of one field whose bytes are in order. No other row lies in its
//     ranges, and [Plan.Exact] says so. A Prefix of n bytes fixes a Copy of Left(n), a
//     Suffix one of Right(n); a salt or hash of open fields of few values has one range
//     for each of these. Conditions on a Copy or a Salt count as those on a field. There are two exceptions: after a Copy that the query does not
//     fix, and after an open salt or hash of more than 1024 values ([MaxRanges] raises
//     the number). There the ranges may hold other rows, which Plan.Match leaves out,
//     or [Schema.Scan] refuses the query.
//   - Filters: [Plan.Fuzzy] lets every row that matches pass.
//   - Frozen bytes: a layout writes the same bytes on every platform, in every
//     version.
//   - Notation: [Parse] reads what [Schema.String] prints. The new schema writes
//     the same keys and refuses the same values.
//   - No panic on data: hostile keys, values and notations get an [*Error].
//
// The promises hold for every layout that Build admits, with two exceptions. The
// ranges of a [Loose] field may hold rows of other values, and its keys decode where
// one reading is possible. And a Transform is trusted to keep what its [Traits]
// promise.
//
// # Queries
//
// [Schema.Scan] makes a [Plan] of conditions: [Eq], [NotEq], [In], [Span],
// [AtLeast], [AtMost], [MoreThan], [LessThan], [Prefix], [Suffix], [Null],
// [NotNull], [AnyOf]. A Copy is asked by the value that it holds, as in Eq("tail", "5678"), and a
// Salt by the number of its bucket, as in Eq("salt", 7). A field that no condition fixes is open. A salt or hash whose
// fields are given is computed; an open one makes a range for each of its values. A
// query that would read the whole table, or more than 1024 ranges, is refused
// unless [FullScan] or [MaxRanges] permits it. [Plan.String] says what was planned
// and why.
//
// scan.Merge reads a plan through any client, in the order of the keys without their
// salt. scan.Page reads it page by page: one token holds the place in all buckets. Both
// give the client's open the direction of each scan. They compare the first two rows of a
// scan before they yield one, and a wrong direction is an error; one row alone cannot show it.
//
// That order leaves out the leading salts, hashes and [Bucket] fields that every
// range fixes. If the plan leaves a later one open, it stays in the keys: the rows of
// each of its values come together. So do those of a [Bucket] field of which the query
// asks an interval, as LessThan and NotEq do. If FullScan meets more ranges than MaxRanges
// permits, neighbours are joined. Then no range fixes a salt, and the rows come in
// the order of their whole keys.
//
// # Limits
//
// A key has 1 to 32767 bytes, HBase's limit ([MaxLen] lowers it). A time before its
// unit's epoch is refused, except in the dialects that write such times. A text that
// is not the last field needs an end: a separator, a width, [Escaped], [LenPrefix], or
// the end of its dialect. With a separator it sorts only if every byte of the text is
// above the separator. A query may read at most 1024 values of an open salt or hash.
//
// A schema has at most 1024 components, of which 64 may be null, and 64 KiB of notation. A
// key with several Loose fields is read in so many ways that 8 MiB are read in all. If these
// are not all its readings, [Schema.Decode] says [ErrAmbiguous], and Plan.Match says that it
// may match.
//
// # Which fault is reported
//
// Of two faults of a key, all ways to read it report the first in this order: the length of the
// key; from the left, the first component that cannot be read, or whose value the field does not
// take; bytes after the last component; from the left, the first salt, hash or copy that is not
// that of the fields; a value that the struct of a Codec cannot hold. A [Reader] stops at a
// variable that cannot hold the value. Of two values that cannot be written, the earlier field in
// schema order is reported. A salt, hash or copy that has no form is reported with the last field
// that it is computed from, or by Bytes.
//
// # Where things are
//
//   - Declare: [Builder], whose Build makes a [Schema]. A schema never changes and
//     is safe for concurrent use. [Parse] makes one of its notation; package draft
//     reads design documents and code.
//   - Write: [KeyBuilder], [Codec], [Schema.AppendKey].
//   - Read: [Reader], [Codec], [Schema.Decode], [Field].
//   - Scan: [Schema.Scan], and Merge of package scan; for one range [KeyBuilder.Range],
//     [KeyBuilder.AppendRanges], [PrefixRange].
//   - Split: [Schema.Splits].
//   - For a table that exists: [Schema.Explain], [Schema.Pieces], [Schema.Rekey]; of
//     package advice Fit, do its keys fit a schema, and CostOf, what a plan reads.
//
// Every error is an [*Error] that wraps one of the Err variables.
package rowkey
