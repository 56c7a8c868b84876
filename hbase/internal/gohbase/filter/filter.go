// Package filter has the shapes of gohbase/filter.
package filter

// Filter is a filter of HBase's.
type Filter any

// BytesBytesPair is a key and its mask.
type BytesBytesPair struct{ First, Second []byte }

// NewBytesBytesPair makes a pair.
func NewBytesBytesPair(first, second []byte) *BytesBytesPair { return &BytesBytesPair{first, second} }

// FuzzyRowFilter passes the rows that fit a pair.
type FuzzyRowFilter struct{ Pairs []*BytesBytesPair }

// NewFuzzyRowFilter makes a filter.
func NewFuzzyRowFilter(pairs []*BytesBytesPair) *FuzzyRowFilter { return &FuzzyRowFilter{pairs} }

// RowRange is a range of rows.
type RowRange struct {
	Start, Stop                   []byte
	StartInclusive, StopInclusive bool
}

// NewRowRange makes a range.
func NewRowRange(startRow, stopRow []byte, startRowInclusive, stopRowInclusive bool) *RowRange {
	return &RowRange{startRow, stopRow, startRowInclusive, stopRowInclusive}
}

// MultiRowRangeFilter passes the rows that are in a range.
type MultiRowRangeFilter struct{ Ranges []*RowRange }

// NewMultiRowRangeFilter makes a filter.
func NewMultiRowRangeFilter(ranges []*RowRange) *MultiRowRangeFilter {
	return &MultiRowRangeFilter{ranges}
}
