package form

// An IEEE number of 4 or 8 bytes does not sort: negative ones stand behind, and the
// wrong way round. It does once the sign bit is set, or all bits are flipped if the
// number is negative. Of 8 bytes:
//
//	 1.5   3f f8 00 …   bf f8 00 00 00 00 00 00
//	−1.5   bf f8 00 …   40 07 ff ff ff ff ff ff
//	 0     00 00 00 …   80 00 00 00 00 00 00 00

// OrderFloat makes the bits of a number of size bytes sort as numbers do.
func OrderFloat(bits uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	if bits&sign != 0 {
		return ^bits & Mask(size)
	}
	return bits | sign
}

// RawFloat undoes OrderFloat.
func RawFloat(v uint64, size int) uint64 {
	sign := uint64(1) << (8*size - 1)
	if v&sign != 0 {
		return v &^ sign
	}
	return ^v & Mask(size)
}
