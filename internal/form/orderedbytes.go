package form

// OrderedBytes is what the code of org.apache.hadoop.hbase.util.OrderedBytes writes. (The
// table in the documentation of that class has other headers.)
//
//	05  null
//	07 … 23  numeric: see numeric.go
//	29 2a 2b 2c  an integer of 1, 2, 4, 8 bytes, its sign bit flipped: −1 is 2b 7f ff ff ff
//	30 31  a float of 4, 8 bytes, changed so that it sorts: 1.5 is 30 bf c0 00 00
//	34  text, ended by 00: "ab" is 34 61 62 00
//	37  bytes in groups of seven bits: see blobvar.go
//	38  bytes as they are, last in the key; descending they are ended by 00
//
// Descending, every byte is XOR ff, also the header: 1 in 4 bytes is d4 7f ff ff fe.

// The headers.
const (
	HeadNull    = 0x05
	HeadInt8    = 0x29
	HeadInt16   = 0x2a
	HeadInt32   = 0x2b
	HeadInt64   = 0x2c
	HeadFloat32 = 0x30
	HeadFloat64 = 0x31
	HeadText    = 0x34
	HeadBlobVar = 0x37
	HeadBlob    = 0x38
)

// IntHeads and FloatHeads are the headers of an integer and of a float of so many bytes, at most 8; 00 if there is none.
var (
	IntHeads   = [9]byte{1: HeadInt8, 2: HeadInt16, 4: HeadInt32, 8: HeadInt64}
	FloatHeads = [9]byte{4: HeadFloat32, 8: HeadFloat64}
)

// Ended is the shape of forms with 00 at the end. No form holds 00, so the end sorts
// below every byte that can follow in a longer form: "ab" 00 before "abc" 00.
func (s Shape) Ended() Shape {
	if s.Min++; s.Max >= 0 {
		s.Max++
	}
	s.Tail, s.Ends = ShortFirst, EndSelf
	s.Bytes.Add(0)
	return s.Settled()
}
