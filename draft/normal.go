package draft

import (
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// signs are the typographic and full-width signs that stand for others. The
// full-width forms of ASCII (U+FF01 to U+FF5E) need no row: they lie fee0 above
// what they stand for.
var signs = map[rune]string{
	'【': "[", '】': "]", '「': "[", '」': "]", '『': "[", '』': "]", '〔': "[", '〕': "]", '〈': "<", '〉': ">", '《': "<", '》': ">",
	'、': ",", '。': ".", '　': " ", '\u00a0': " ",
	'–': "-", '—': "-", '‐': "-", '‑': "-", '−': "-", '─': "-", '―': "-",
	'“': `"`, '”': `"`, '„': `"`, '‘': "'", '’': "'",
	'→': "->", '⇒': "=>", '·': ".", '…': "...",
}

// normal is the text with ASCII signs, and for each of its bytes and its end the
// place in the original. What stands in straight quotes stays as it is.
func normal(text string) (string, []int) {
	var b strings.Builder
	var at []int
	quote := rune(0)
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			size = 1
		}
		s := text[i : i+size]
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`' || r == '\'':
			quote = r
		case r >= 0xff01 && r <= 0xff5e:
			s = string(r - 0xfee0)
		case signs[r] != "":
			s = signs[r]
		}
		for range len(s) {
			at = append(at, i)
		}
		b.WriteString(s)
	}
	return b.String(), append(at, len(text))
}

// dashed is a digest whose name is written with a dash: SHA-256.
var dashed = pattern.New(`(?i)\b(?:sha|crc)-(?:1|256|512|32)\b`)

// original is the place in the design of a byte of the text that is read.
func (r *reader) original(at int) int { return r.place[min(at, len(r.place)-1)] }
