// Package fault has the reasons of all errors, and the detail of one case. What a caller
// sees is made by the root package, which declares that type: see Make.
package fault
