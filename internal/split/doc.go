// Package split cuts a new table into regions: it finds the components in front whose
// values spread evenly, and the values at which the regions begin.
//
// It knows layouts, and nothing of rows or queries. The splits of [salt16(a)][a:8] into
// 4 regions are 04, 08 and 0c.
package split
