package rowkey

import (
	"fmt"
	"hash/crc32"
	"unicode/utf8"
)

// crc32Of is java.util.zip.CRC32, which hash/crc32 calls IEEE: from ffffffff,
// the lowest bit of each byte first, and inverted at the end. The table is the
// standard library's and the loop our own: what is given to its functions
// escapes, and every caller's scratch with it. Of "123456789" it is cbf43926.
func crc32Of(data []byte) uint32 {
	crc := ^uint32(0)
	for _, b := range data {
		crc = crc32.IEEETable[byte(crc)^b] ^ crc>>8
	}
	return ^crc
}

// takes reports that the digest has a sum of these bytes: Java's hashCode is of
// text alone.
func (p *Part) takes(data []byte) bool {
	return p.alg != algJavaHashCode || utf8.Valid(data)
}

// notJava says why Java's String.hashCode cannot be taken of an input; empty if
// it can.
func (in *source) notJava() string {
	switch in.form {
	case byRest:
		return "a Java hashCode is of text, not of the rest of a key"
	case byText, byFormat:
		return ""
	}
	for _, f := range in.comps {
		if !f.isText() {
			return fmt.Sprintf("a Java hashCode is of text: say Text(%q)", f.name)
		}
	}
	return ""
}
