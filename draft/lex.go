package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// token is a word, a number, a text in quotes or a sign of a design.
type token struct {
	kind    byte // 'w', 'n', 'q', 'p'; 0 after the last one
	text    string
	at, end int
	space   bool // space stands before it
	line    bool // a new line does
}

// signsOf are the signs of more than one character, the longest first.
var signsOf = []string{">>>", "...", "**", "||", "&&", "->", "=>", "<<", ">>", "::", ":=", "+=", "==", "!=", "${", "?.", "!!", ".."}

// numberOf is a number, or one before what a design joins by '_': 16 of 16_uid.
var numberOf = pattern.New(`^(?:0[xX][0-9a-fA-F]+[lL]?|[0-9]+(?:_[0-9]{3})*[lL]?)`)

// lex are the tokens of a part of the text. Each byte that is no space is in one of them.
func (r *reader) lex(from, to int) (tokens []token) {
	space, line := false, false
	for i := from; i < to; {
		c, size := utf8.DecodeRuneInString(r.text[i:to])
		if unicode.IsSpace(c) {
			space, line = true, line || c == '\n'
			r.use(i, i+size)
			i += size
			continue
		}
		t := token{kind: 'p', at: i, end: i + size, space: space, line: line}
		space, line = false, false
		rest := r.text[i:to]
		number := numberOf.FindString(rest)
		switch {
		case c == '\'' || c == '"' || c == '`':
			t.kind, t.end = 'q', quoteEnd(r.text, i, to)
			if t.end < 0 {
				r.fail(i, "this quote has no end on its line")
				return tokens
			}
		case number != "" && !wordRune(runeAt(rest, len(number))), number != "" && strings.HasPrefix(rest[len(number):], "_"):
			t.kind, t.end = 'n', i+len(number)
		case c == '_' && strings.TrimLeft(rest, "_") == "" || c == '_' && !wordRune(runeAt(strings.TrimLeft(rest, "_"), 0)):
			t.end = i + len(rest) - len(strings.TrimLeft(rest, "_"))
		case wordRune(c):
			t.kind = 'w'
			t.end = i + len(rest) - len(strings.TrimLeftFunc(rest, wordRune))
		default:
			for _, sign := range signsOf {
				if strings.HasPrefix(rest, sign) {
					t.end = i + len(sign)
					break
				}
			}
		}
		t.text = r.text[i:t.end]
		i = t.end
		tokens = append(tokens, t)
	}
	return tokens
}

func wordRune(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_')
}

func runeAt(s string, i int) rune {
	c, _ := utf8.DecodeRuneInString(s[i:])
	return c
}

// quoteEnd is the byte after the quote that closes the one at i; -1 if none does on its line. A
// template in `…` may have several lines, and ${…} in one may hold quotes.
func quoteEnd(s string, i, to int) int {
	mark := s[i]
	for j := i + 1; j < to; j++ {
		switch {
		case s[j] == '\\':
			j++
		case mark != '\'' && strings.HasPrefix(s[j:to], "${"):
			if close := closingOf(s[j:to], 2); close > 0 && strings.Count(s[j:j+close], string(mark))%2 == 0 && !strings.Contains(s[j:j+close], "\n") {
				j += close
			}
		case s[j] == mark:
			return j + 1
		case s[j] == '\n' && mark != '`':
			return -1
		}
	}
	return -1
}

// peek is the next token.
func (r *reader) peek() token { return r.peekAt(0) }

// peekAt is a token after the next one.
func (r *reader) peekAt(n int) token {
	if r.i+n < len(r.tokens) && r.i+n >= 0 {
		return r.tokens[r.i+n]
	}
	return token{at: r.end(), end: r.end()}
}

// end is where the tokens at hand end.
func (r *reader) end() int {
	if len(r.tokens) == 0 {
		return r.to
	}
	return r.tokens[len(r.tokens)-1].end
}

// next takes a token. Who takes it says what becomes of its bytes: they are used as what says
// nothing of the key, or belong to an expression.
func (r *reader) next() token {
	t := r.peek()
	if t.kind != 0 {
		r.i++
	}
	return t
}

// sees reports that a word or a sign is next.
func (r *reader) sees(text string) bool { t := r.peek(); return t.kind != 'q' && t.text == text }

// accept takes a sign or word that only joins others.
func (r *reader) accept(text string) bool {
	if !r.sees(text) {
		return false
	}
	r.skip()
	return true
}

// skip takes a token that only joins others.
func (r *reader) skip() {
	t := r.next()
	r.use(t.at, t.end)
}

// expect is accept, and a problem if text is not next.
func (r *reader) expect(text string) {
	if !r.accept(text) {
		r.fail(r.peek().at, "expected '%s'", text)
	}
}

// use notes that bytes of the text are used.
func (r *reader) use(from, to int) {
	for i := from; i < to; i++ {
		r.used[i] = true
	}
}

// unused is the first byte that nothing has used; -1 if all are.
func (r *reader) unused() int {
	for i, used := range r.used {
		if c, _ := utf8.DecodeRuneInString(r.text[i:]); !used && !unicode.IsSpace(c) {
			return i
		}
	}
	return -1
}

// within reads a part of the text by read, which has to take all its tokens.
func (r *reader) within(from, to int, read func()) {
	tokens, i, end := r.tokens, r.i, r.to
	r.to = to
	r.tokens, r.i = nil, 0
	r.tokens = r.lex(from, to)
	read()
	if r.problem == nil && r.i < len(r.tokens) {
		r.fail(r.peek().at, "expected nothing more here")
	}
	r.tokens, r.i, r.to = tokens, i, end
	if r.problem != nil {
		r.i = len(r.tokens)
	}
}
