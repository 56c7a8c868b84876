// Package layout compiles a declaration into the layout of a key: components in key
// order, each with what it admits, how it is written and what is known of its stored
// bytes; then the steps by which a key is written and read.
//
// It knows forms (internal/form), digests, units, the functions of callers, and positions:
// which component follows which, where each ends, which nulls are left off. It must not
// know the caller's words: the options of the root package hand it functions. Nor must it
// know queries: internal/query has the conditions, internal/plan makes ranges of them.
//
// Read component.go first, the compiled component; then compile.go, its three passes;
// then pipeline.go, what each option does.
//
// Example: [salt16(seller)][seller]['_'][max-ms(at)] has four components. The salt and
// the time have a fixed width; the seller ends at the '_' after it; the salt is computed as
// soon as the seller is known. The key of "s-42" and 2023-05-16 02:20:30.002 UTC is
// 0c 732d3432 5f 7ffffe77dda4124d.
package layout
