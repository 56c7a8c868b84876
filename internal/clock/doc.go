// Package clock counts time in whole steps: of a unit since its epoch, of a layout such
// as 20060102, or by two functions of a caller's. It knows nothing of fields or bytes.
//
// Example: 2023-05-16 02:20:30.002 UTC is 1684203630002 in milliseconds since 1970.
package clock
