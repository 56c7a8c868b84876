// Package laws holds no code but tests: the laws that every schema keeps, the
// slow model that they are held against (reference_test.go), the generators of
// random schemas, rows and queries (random_test.go), the golden bytes, the bytes of
// other systems, and the checks of the pages.
//
// The tests use the public API, and package inside where they ask for what it does not show. Their
// paths begin at the repository's top.
package laws
