// Package plan turns the conditions of a query into ranges of keys, and answers for
// them: which rows match, where a reader goes on, what a scan costs, what a region has.
//
// It asks a component what it can do (its order, its lengths, its values) and names no
// form and no option. How a field's spans become bytes is internal/piece's, and how
// bytes become a range internal/bound's.
//
// Read planner.go first, the order of the work; then choose.go, how each component is read;
// then emit.go, the ranges; then fewer.go, what is done where they are too many. What serves
// a Phoenix table alone is edges.go; times that stand for others are standin.go.
//
// Example: with [salt2(a)][a:2][b:1] and the condition a = 7 the salt is computed, a is
// a point and b is open: one range, from 01 00 07 on up to 01 00 08, if 7 falls in
// bucket 1.
package plan
