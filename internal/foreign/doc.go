// Package foreign calls functions that callers wrote: transforms and digests. It gives
// them memory of its own. So a caller's buffer stays on the caller's stack, and a function
// that writes outside of its slice cannot change a key. It checks their results, and turns
// their errors and panics into errors with a reason.
//
// It knows what a transform says of itself (Traits). It must not know fields and schemas.
//
// Example: a digest of 4 bytes that gives 3 is an error that wraps fault.ErrLength.
package foreign
