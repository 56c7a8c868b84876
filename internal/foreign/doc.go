// Package foreign calls functions that callers wrote: transforms and digests. It gives
// them memory of its own, so that a caller's buffer stays on the caller's stack and a
// function that reads or writes where it should not reaches no key. It measures what
// they give, and turns their errors and panics into errors with a reason.
//
// It knows what a transform says of itself (Traits), and nothing of fields and schemas.
package foreign
