package said

import "strings"

// Perhaps offers a word in place of a wrong one: "; did you mean seller?".
func Perhaps(wrong string, words []string) string {
	best, least := "", 3
	lower := strings.ToLower(wrong)
	for _, w := range words {
		d := Distance(lower, strings.ToLower(w))
		if len(lower) > 2 && strings.HasPrefix(strings.ToLower(w), lower) {
			d = min(d, 1)
		}
		if d < least && d < len(w) && (d < len(lower) || d == 0) {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// Distance is how many letters to change, add, leave out or swap make b of a.
func Distance(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return len(a) + len(b)
	}
	two, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], two[j-1]+1)
			}
		}
		two, row = row, next
	}
	return row[len(b)]
}
