// Package notation reads and prints the text of layouts, such as
//
//	[salt16(seller)][seller]['_'][max-ms(at)][order:8]
//
// It knows the grammar of docs/notation.md and the words of all options, which stand in one
// table (Options). It must not know what a layout does: no schema, no byte of a key, no rule
// about which options fit together. It reads a text into declarations (Layout), and prints
// declarations as text.
package notation

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scanner reads a text from left to right. It keeps its first problem; then it moves to the
// end of the text, so that every loop ends.
type Scanner struct {
	Text     string
	At       int    // the place of the next byte
	Comments bool   // # begins a comment, up to the end of the line
	Field    string // the name of the component that is being read, for Problem
	Problem  *Problem
}

// Problem is what is wrong with a text, and where.
type Problem struct {
	Field string // the component it is about; empty if none
	At    int    // byte in the text
	Text  string // such as "expected ']'"
}

// Fail notes a problem at byte at, if it is the first one, and moves to the end of the text.
func (s *Scanner) Fail(at int, format string, args ...any) {
	if s.Problem == nil {
		text := fmt.Sprintf(format, args...)
		if at < len(s.Text) && s.Text[at] == '?' {
			text = "? is undecided: " + text
		}
		s.Problem = &Problem{s.Field, at, text}
	}
	s.At = len(s.Text)
}

// Expected is Fail at the next word, with "expected" and what.
func (s *Scanner) Expected(what string) {
	s.Skip()
	s.Fail(s.At, "expected %s", what)
}

// Skip skips space, and comments if Comments is true.
func (s *Scanner) Skip() {
	for s.At < len(s.Text) {
		switch c := s.Text[s.At]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.At++
		case c == '#' && s.Comments:
			n := strings.IndexByte(s.Text[s.At:], '\n')
			if n < 0 {
				n = len(s.Text) - s.At
			}
			s.At += n
		default:
			return
		}
	}
}

// Peek is the next byte after space; 0 at the end of the text.
func (s *Scanner) Peek() byte {
	s.Skip()
	if s.At < len(s.Text) {
		return s.Text[s.At]
	}
	return 0
}

// Next reports that text follows after space.
func (s *Scanner) Next(text string) bool {
	s.Skip()
	return strings.HasPrefix(s.Text[s.At:], text)
}

// Accept skips text if it follows; false if it does not.
func (s *Scanner) Accept(text string) bool {
	if !s.Next(text) {
		return false
	}
	s.At += len(text)
	return true
}

// Expect is Accept, and a problem if text does not follow.
func (s *Scanner) Expect(text string) {
	if !s.Accept(text) {
		s.Expected("'" + text + "'")
	}
}

// NameRune reports that a name may hold this character: letters and digits of any script,
// '_', '-' and '.'.
func NameRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.')
}

// ValidName reports that a field may have this name. Names stand in the notation and in
// struct tags.
func ValidName(name string) bool {
	for _, r := range name {
		if !NameRune(r) {
			return false
		}
	}
	return name != ""
}

// Word reads the next characters that a name may hold; empty if there are none.
func (s *Scanner) Word() string {
	s.Skip()
	n := 0
	for n < len(s.Text)-s.At {
		r, size := utf8.DecodeRuneInString(s.Text[s.At+n:])
		if !NameRune(r) {
			break
		}
		n += size
	}
	w := s.Text[s.At : s.At+n]
	s.At += n
	return w
}

// Quoted reads the next text in quotes, with Go's escapes. what names it in the problem.
func (s *Scanner) Quoted(what string) string {
	mark := s.Peek()
	if mark != '\'' && mark != '"' {
		s.Expected(what + " in quotes")
		return ""
	}
	at := s.At
	var b []byte
	for rest := s.Text[at+1:]; ; {
		switch {
		case rest == "" || rest[0] == '\n':
			s.Fail(at, "this quote has no end on its line")
			return ""
		case rest[0] == mark:
			s.At = len(s.Text) - len(rest) + 1
			return string(b)
		}
		r, multibyte, tail, err := strconv.UnquoteChar(rest, mark)
		if err != nil {
			s.Fail(len(s.Text)-len(rest), `expected an escape such as \x00, \n, \\ or \u00e9`)
			return ""
		}
		if multibyte {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
		rest = tail
	}
}

// Quote is bytes as Quoted reads them, in the quotes mark. Printable ASCII stays, all other
// bytes become \xHH: 61 5f 00 in single quotes is 'a_\x00'.
func Quote(b []byte, mark byte) string {
	out := []byte{mark}
	for _, c := range b {
		if c < 0x20 || c > 0x7e || c == mark || c == '\\' {
			out = fmt.Appendf(out, `\x%02x`, c)
		} else {
			out = append(out, c)
		}
	}
	return string(append(out, mark))
}
