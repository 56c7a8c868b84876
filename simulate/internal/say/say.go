// Package say puts numbers into words, for text and pages alike.
package say

import (
	"fmt"
	"math"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Percent is a share in words.
func Percent(x float64) string {
	switch {
	case x >= 0.0995:
		return fmt.Sprintf("%.0f %%", 100*x)
	case x >= 0.00995:
		return fmt.Sprintf("%.1f %%", 100*x)
	case x == 0:
		return "0 %"
	}
	return fmt.Sprintf("%.2f %%", 100*x)
}

// Thousands is a count with commas.
func Thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Rows is a count of rows with commas.
func Rows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return Thousands(n) + " rows"
}

// Stands is how many rows of the table a row stands for: less than one, if the table has fewer
// rows than were seen.
func Stands(x float64) string {
	switch {
	case x < 0.995:
		return fmt.Sprintf("%.2g rows", x)
	case x < 10:
		return fmt.Sprintf("%.2g", x)
	}
	return Thousands(int64(math.Round(x)))
}

// Plural is a count of things.
func Plural(n int, noun string) string { return texts.Plural(n, noun) }

// Bytes is a size in words.
func Bytes(n float64) string {
	unit := 0
	for n >= 1000 && unit < 5 {
		n /= 1000
		unit++
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") + []string{" B", " kB", " MB", " GB", " TB", " PB"}[unit]
}

// Cut is a text of at most n characters.
func Cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
