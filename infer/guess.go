package infer

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// guess is a piece for which the notation has no word: a step of the program's own. It is no
// layout, but says what is in a gap.
type guess struct {
	rd    *reading
	looks string
	step  func(v string) string
	enc   [][]byte
}

const mostMiddle = 24 // characters of a text of which a part is looked for

// guesses are what programs make of a column by steps, where it stands in every key.
func (s *search) guesses() []*guess {
	if s.guessed {
		return s.likely
	}
	s.guessed = true
	for _, r := range s.texts() {
		seen := map[string]bool{}
		try := func(looks string, of func(v string) string) {
			g := &guess{rd: r, looks: looks, step: of}
			step := &reading{form: r.form}
			as := true
			for i, v := range r.vals {
				b := []byte(of(v.(string)))
				if len(b) == 0 || !bytes.Contains(s.keys[i], b) {
					return
				}
				as = as && string(b) == v
				g.enc = append(g.enc, b)
				step.vals = append(step.vals, string(b))
			}
			if k := string(bytes.Join(g.enc, []byte{0xfe})); !as && !seen[k] && patternBits(step) >= leastAnchor {
				seen[k] = true
				s.likely = append(s.likely, g)
			}
		}
		try("in upper case", strings.ToUpper)
		try("in lower case", strings.ToLower)
		marked := map[rune]bool{}
		longest := 0
		for _, v := range r.vals {
			for _, c := range v.(string) {
				if c < '0' && c != ' ' || c > '9' && c < 'A' || c == '_' {
					marked[c] = true
				}
			}
			longest = max(longest, utf8.RuneCountInString(v.(string)))
		}
		for _, c := range "-:._/+" {
			if marked[c] {
				try(fmt.Sprintf("without %q", c), func(v string) string { return strings.ReplaceAll(v, string(c), "") })
			}
		}
		try("as a number in hexadecimal", func(v string) string {
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return ""
			}
			return strconv.FormatUint(uint64(n), 16)
		})
		for n := min(longest, mostMiddle) - 1; n > 1; n-- { // the longest that fits says most
			for from := 1; from+n <= min(longest, mostMiddle); from++ {
				try(fmt.Sprintf("from character %d on, %d of them", from, n), func(v string) string {
					c := []rune(v)
					return string(c[min(from, len(c)):min(from+n, len(c))])
				})
			}
		}
	}
	return s.likely
}

// pushGuesses adds what a step may have written at a node.
func (s *search) pushGuesses(n *node) {
	pos := make([]int32, len(s.keys))
	for _, g := range s.guesses() {
		ok := true
		for i, k := range s.keys {
			if !bytes.HasPrefix(k[n.pos[i]:], g.enc[i]) {
				ok = false
				break
			}
			pos[i] = n.pos[i] + int32(len(g.enc[i]))
		}
		if ok {
			c := &comp{kind: isGap, rd: g.rd, looks: g.looks, step: g.step, enc: g.enc, cost: 30}
			if width, one := oneWidth(g.enc); one {
				c.opts = fmt.Sprintf(" fixed(%d)", width)
			}
			s.push(n, pos, c)
		}
	}
}

// oneWidth is the length of all, if they have one.
func oneWidth(enc [][]byte) (n int, one bool) {
	for _, b := range enc {
		if len(b) != len(enc[0]) {
			return 0, false
		}
	}
	return len(enc[0]), true
}
