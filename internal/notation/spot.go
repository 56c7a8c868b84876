package notation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spot is the line of a text that holds the byte at, and a second line with a caret under
// that byte. Of a long line it shows only the part near that byte. It begins with a new
// line. It is empty if the line holds only space.
//
//	[ms(at) dsc][order:8]
//	        ^
func Spot(text string, at int) string {
	const before, after = 60, 40 // characters that are shown
	line := text
	if n := strings.LastIndexByte(line[:at], '\n'); n >= 0 {
		line, at = line[n+1:], at-n-1
	}
	line, _, _ = strings.Cut(line, "\n")
	if strings.TrimSpace(line) == "" {
		return ""
	}
	at = min(at, len(line))
	head, tail := []rune(line[:at]), []rune(strings.TrimRight(line[at:], " \t\r"))
	var b, caret strings.Builder
	b.WriteString("\n\t")
	caret.WriteString("\n\t")
	if len(head) > before {
		head = head[len(head)-before:]
		b.WriteString("… ")
		caret.WriteString("  ")
	}
	for _, r := range head {
		switch {
		case r == '\t':
			caret.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me):
		case wide(r):
			caret.WriteString("  ")
		default:
			caret.WriteByte(' ')
		}
		b.WriteRune(visible(r))
	}
	for i, r := range tail {
		if i == after {
			b.WriteString(" …")
			break
		}
		b.WriteRune(visible(r))
	}
	return b.String() + caret.String() + "^"
}

// wide reports that terminals give a character two columns.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r > 0xff00 && r < 0xff61
}

// visible replaces a character that could control a terminal.
func visible(r rune) rune {
	if r != '\t' && !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}

// Nearest is the end of a message that offers a word in place of a wrong one, such as
// "; perhaps desc"; empty if no word is near.
func Nearest(wrong string, words []string) string {
	best, least := "", 3 // fewer than three changes of one letter
	for _, w := range words {
		d := distance(strings.ToLower(wrong), w)
		if strings.HasPrefix(w, strings.ToLower(wrong)+".") {
			d = 0
		}
		if d < least && d < len(w) {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; perhaps " + best
}

// distance is how many letters must be changed, added or left out to make b from a.
func distance(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
