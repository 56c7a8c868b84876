// Package bound makes ranges of row keys: the one successor of a prefix, the range of
// what a key begins with, in each bucket where one is open, and the bounds of a scan
// from the end. A range is empty, bounded or unbounded; only an unbounded one has an
// empty stop, which HBase takes for the end of the table.
//
// It knows layouts, since a null or a text without an end changes where the next key
// begins. It knows no condition and no plan. What is sorted by bytes is sorted here.
//
// Read range.go first, then list.go, how a plan holds many. The range of the prefix 61 ff starts at 61 ff and stops at 62;
// that of ff has no stop.
package bound
