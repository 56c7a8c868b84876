// Package page is the playground's page: its own HTML, style and script, whole, without a build step.
package page

import "embed"

// Files are the files of the page. index.html is the first.
//
//go:embed *.html *.css *.js
var Files embed.FS
