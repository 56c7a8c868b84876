// Package interop has the words that only a table shared with another system needs: the
// dialects of HBase's Bytes, of its OrderedBytes and of Phoenix, and the options of single
// types of these; the bucket rules of Java programs, Phoenix, HBaseWD and Pinpoint; the
// hashes of HBase and of Java. A table that only Go programs use needs none of them.
//
// They stand in a declaration beside the words of package rowkey. With this one, a
// Phoenix table of 8 SALT_BUCKETS, the row "anna", 7 has the key
// 06616e6e61008000000000000007:
//
//	rowkey.New("orders", interop.Phoenix).
//		Salt(8, "rest()").String("customer").Int("id", 8)
//
// One rule of a Java program:
//
//	rowkey.New("ops").
//		Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").
//		String("user")
//
// Their words in the notation are the names in lower case, without the package:
// rowkey.Parse reads javahash whether a program imports this package or not.
//
// The package knows which system each word is of. It knows no bytes: those are in
// internal/digest, internal/form and internal/layout. It must not know schemas, plans or
// keys, and package rowkey must not know it.
package interop
