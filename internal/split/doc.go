// Package split cuts a new table into regions: it finds the first components of a key whose
// values spread evenly, and the values at which the regions begin.
//
// It knows layouts. It must not know rows or queries.
//
// Example: the splits of [salt16(a)][a:8] into 4 regions are 04, 08 and 0c.
package split
