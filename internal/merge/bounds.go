package merge

import "bytes"

// bounds is the place of a stream in the order of keys without their lead. The scan
// [00 61, 00 63) with a lead of one byte has the bounds 61 and 63. The scan [00 61, 01) goes
// from 61 to the last key with the lead 00.
type bounds struct {
	scan      Scan
	low, high []byte // without the lead
	unbounded bool   // the stream goes to the last key with its lead; high is nil
}

func newBounds(scan Scan) bounds {
	b := bounds{scan: scan, low: scan.Start[scan.Lead:], unbounded: true}
	if !scan.Unbounded && bytes.HasPrefix(scan.Stop, scan.Start[:scan.Lead]) {
		b.high, b.unbounded = scan.Stop[scan.Lead:], false
	}
	return b
}

// lead is the bytes that all keys of the stream begin with; the order ignores them.
func (b *bounds) lead() []byte { return b.scan.Start[:b.scan.Lead] }

// near is the bound at which the stream begins, the high one if reversed; false if it begins
// with the last key that has its lead.
func (b *bounds) near(reversed bool) ([]byte, bool) {
	if reversed {
		return b.high, !b.unbounded
	}
	return b.low, true
}

// far is the bound at which the stream ends; false if it ends with the last key that has its
// lead.
func (b *bounds) far(reversed bool) ([]byte, bool) { return b.near(!reversed) }

// meets reports that the stream later, which begins after b, may have rows that come before
// the last row of b.
func (b *bounds) meets(later *bounds, reversed bool) bool {
	if reversed {
		return later.unbounded || bytes.Compare(later.high, b.low) > 0
	}
	return b.unbounded || bytes.Compare(later.low, b.high) < 0
}

// below reports that a key lies before the scan's Start.
func (b *bounds) below(key []byte) bool { return bytes.Compare(key, b.scan.Start) < 0 }

// above reports that a key is the scan's Stop or lies after it.
func (b *bounds) above(key []byte) bool {
	return !b.scan.Unbounded && bytes.Compare(key, b.scan.Stop) >= 0
}
