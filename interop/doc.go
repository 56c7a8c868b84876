// Package interop has the words that only a table written by another system needs: the
// bucket rules of Java programs, Phoenix, HBaseWD and Pinpoint, the hashes of HBase and
// of Java, and the options of single types of Phoenix and of HBase's OrderedBytes. A new
// table needs none of them.
//
// They stand in a declaration beside the words of package rowkey:
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
