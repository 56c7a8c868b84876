// Package page draws a report of package simulate: HTML as one page that needs no network,
// SVG as a picture for a wiki. It is a package of its own, so that a program that simulates
// does not link html/template.
package page
