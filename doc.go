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
// Seven kinds of field have one word each, used three times, to declare, to
// build and to read: String, Binary, Uint, Int, Float, Bool, Time. Around them
// stand the derived components (Salt, Hash, Copy) and the constants (Separator,
// Literal). Options follow the field and apply left to right: value, number,
// text or bytes, frame. Every number in a declaration is bytes, or digits.
//
// A Dialect, as an option of New or of one component, writes the bytes of
// another system: HBase (Bytes.toBytes), OrderedBytes (HBase's ordered types) or
// Phoenix (primary keys). In the last two a field may be Optional, which is to
// say null. Where no option fits, write a step of your own: a Transform (Via), a
// hash (NewDigest) or a unit of time (NewUnit). Package rowkeytest checks its laws.
//
// # What a schema promises
//
//   - Round trip: a key decodes to the values it was made of, as stored (a time
//     in whole units). A value that cannot be stored is an error that names the
//     field, and the caller's buffer is as it was.
//   - Injective: different rows have different keys.
//   - Order: Schema.Order says of each field whether its bytes sort as its
//     values do, the other way round, or neither.
//   - Isolation: the rows in the range of a prefix of complete values are those
//     that have these values, and no value reaches another prefix's rows.
//   - Sound bounds: every row that matches a query lies in exactly one range of
//     its plan; whatever a range holds besides, Plan.Match tells apart. A key
//     with another salt, hash or copy than the values give does not match.
//   - Tight bounds: where the query is equalities on a prefix of the fields and
//     then intervals of one whose bytes are in order, no other row lies in a
//     range, and Plan.Exact says so. This does not hold behind a Copy whose source the
//     query leaves open, nor behind an open salt or hash of more than 1024 values
//     (MaxRanges raises the number). There the ranges hold other rows too, which
//     Plan.Match tells apart, or Scan refuses the query.
//   - Filters: Plan.Fuzzy lets every row that matches pass.
//   - Frozen bytes: a layout writes the same bytes on every platform, in every
//     version.
//   - Notation: Parse makes of Schema.String a schema that writes the same keys
//     and refuses the same values.
//   - No panic on data: hostile keys, values and notations get an *Error.
//
// The promises hold for every layout that Build admits, but for fields that are
// Loose, whose ranges cover and whose keys decode where one reading is possible,
// and as far as a Transform keeps what its Traits promise.
//
// # Queries
//
// Schema.Scan makes a Plan of conditions (Eq, NotEq, In, Span, AtLeast, AtMost,
// MoreThan, LessThan, Prefix, Suffix, Null, NotNull, AnyOf). A salt or hash whose fields are
// given is computed; one that is open makes a range for each of its values.
// What would read the whole table, or more than 1024 ranges, is refused unless
// FullScan or MaxRanges permits it, and Plan.String says what was planned and
// why. Merge reads a plan through any client, in the order of the keys without
// their salt; Page, Plan.Token and Plan.Resume page through all buckets at once.
//
// That order leaves out the salts, hashes and Bucket fields in front that every
// range fixes. A later one that the plan leaves open stays in the keys, and the rows
// of each of its values come together. Where FullScan meets more ranges than
// MaxRanges permits, neighbours are joined, no range fixes a salt, and the rows come
// in the order of their whole keys.
//
// # Limits
//
// A key has 1 to 32767 bytes, HBase's limit (MaxLen lowers it). Times lie at or
// after the unit's epoch, but in the dialects that write earlier ones. A text of
// any length that is not last must say how it ends, unless its dialect does, and
// a text ended by a separator sorts only if the separator lies below all its
// bytes. A salt or hash may hide at most 1024 ranges.
//
// # Where things are
//
// Builder declares and Build compiles a Schema, which is immutable and safe for
// concurrent use; Parse builds one of its notation, and package draft reads design
// documents and code. KeyBuilder, Codec and Schema.AppendKey write; Reader, Codec,
// Schema.Decode and Field read; KeyBuilder.Range, KeyBuilder.AppendRanges and
// PrefixRange bound; Schema.Scan plans, Merge reads; Schema.Splits splits;
// Schema.Explain, Schema.Pieces, Schema.Check and Schema.Rekey are for tables that
// exist. Every error is an *Error that wraps one of the Err variables.
package rowkey
