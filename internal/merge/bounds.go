package merge

import "bytes"

// bounds is where a stream lies in the order: behind its lead. The scan
// [00 61, 00 63) with a lead of one byte lies from 61 to 63; the scan [00 61, 01)
// from 61 to the last key with the lead 00.
type bounds struct {
	scan      Scan
	low, high []byte // behind the lead
	unbounded bool   // to the last key with the lead; there is no high
}

func newBounds(scan Scan) bounds {
	b := bounds{scan: scan, low: scan.Start[scan.Lead:], unbounded: true}
	if !scan.Unbounded && bytes.HasPrefix(scan.Stop, scan.Start[:scan.Lead]) {
		b.high, b.unbounded = scan.Stop[scan.Lead:], false
	}
	return b
}

// lead is what all keys of the stream begin with, and the order leaves out.
func (b *bounds) lead() []byte { return b.scan.Start[:b.scan.Lead] }

// near is the bound at which the stream begins; false if it begins with the last
// key of its lead.
func (b *bounds) near(reversed bool) ([]byte, bool) {
	if reversed {
		return b.high, !b.unbounded
	}
	return b.low, true
}

// far is the bound at which it ends; false if it ends with the last key of its
// lead.
func (b *bounds) far(reversed bool) ([]byte, bool) { return b.near(!reversed) }

// meets reports that a stream whose turn is later may have rows in front of the
// last row of b.
func (b *bounds) meets(later *bounds, reversed bool) bool {
	if reversed {
		return later.unbounded || bytes.Compare(later.high, b.low) > 0
	}
	return b.unbounded || bytes.Compare(later.low, b.high) < 0
}

// below and above report that a key lies in front of the scan's Start, or from
// its Stop on.
func (b *bounds) below(key []byte) bool { return bytes.Compare(key, b.scan.Start) < 0 }

func (b *bounds) above(key []byte) bool {
	return !b.scan.Unbounded && bytes.Compare(key, b.scan.Stop) >= 0
}
