package draft_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// pieces are the words, numbers, signs and texts in quotes of a design.
var pieces = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'|[\pL\d_]+|[^\s]`)

// insertions are tokens that always say something of a key, or nothing that can be understood.
var insertions = []string{"md5", "+1", "*3", "<< 2", "^", ".substring(3,9)", "前3位", "反转", "% 7", "zzz", "17", "\\", "?", "位", "'x'", ".foo()", "- 5", "补0", "[2:4]", "倒序", "≠", "//"}

// silent are designs of which a number or a text in quotes says nothing of a key: the numbers of a
// list, the length of a column's type, the size of a buffer, a charset.
var silent = regexp.MustCompile(`(?im)cast\(|create table|allocate\(|make\(|^\d[.)]|utf-8|parseInt|\(x,|\[0:|1 byte|\| \d+ \| *yyyy|"D19"|\|long\|8`)

// commented are designs with comments, in which any word may stand.
var commented = regexp.MustCompile(`(?m)(?:^|\s)(?://|#|--)\s|/\*`)

// wordsMerge is a text in which two words have become one.
var wordsMerge = regexp.MustCompile(`^[\pL\d_]+$`)

// elsewhere is what stands before a place that says nothing of a key: the tables of a query, other
// columns, the capacity of a buffer, the types of parameters.
var elsewhere = regexp.MustCompile(`(?is)(?:\bfrom\b[^()]*|\brow\([^)]*|stringbuilder\([^)]*|make\(\[\]byte, 0,[^)]*|\b(?:fun|string|func|def) \w+\([^)]*)$`)

// A token stands in a length, and in the size of a buffer.
var (
	inLength = regexp.MustCompile(`\(\d+$`)
	inSize   = regexp.MustCompile(`allocate\([^)]*$`)
)

// saysNothing reports that a token at a place of a design need not change its reading.
func saysNothing(design string, at int, token string) bool {
	before, after := design[:at], design[at:]
	line, _, _ := strings.Cut(after, "\n")
	switch {
	case strings.HasPrefix(before[strings.LastIndexByte(before, '\n')+1:], "|") && strings.Count(line, "|") == 1: // words that describe a column
		return true
	case token == "//": // a design in a comment is one, and a comment may hide what says nothing
		return at == 0 || strings.Trim(line, " \t}") == "" || strings.HasPrefix(line, "AS ") || strings.HasPrefix(line, "Put ")
	case token == "位": // ts(13) has 13 digits
		return inLength.MatchString(before)
	case strings.Contains(after, ".put(salt)"): // of no length that is known
		return inSize.MatchString(before)
	case token == "补0": // a bucket that has its digits already
		return strings.HasSuffix(strings.TrimSpace(before), "）") || strings.HasSuffix(strings.TrimSpace(before), ")")
	case strings.HasSuffix(before, ":") && strings.HasPrefix(after, "="): // two signs that are one
		return true
	}
	return elsewhere.MatchString(before)
}

// said is all that a draft says: its notation, and its questions with their answers.
func said(d *draft.Draft) string {
	var b strings.Builder
	b.WriteString(d.Notation)
	for _, q := range d.Open {
		fmt.Fprintf(&b, "\n%s %s", q.Field, q.What)
		for _, c := range q.Choices {
			b.WriteString("|" + c.Notation)
		}
	}
	return b.String()
}

// readable are the designs of the corpus that are read.
var readable = sync.OnceValue(func() (designs []string) {
	text, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		design := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
		if design == "" || design[0] == '\t' || design[0] == '#' {
			continue
		}
		if _, err := draft.Read(design); err == nil {
			designs = append(designs, design)
		}
	}
	return designs
})

// A token more makes another draft, or a refusal: never the same draft, with the token left out.
func TestNothingIsLeftOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0)) // the same tokens in the same places, but where cases are asked for
	if os.Getenv("ROWKEY_LAWS") != "" {
		random = seed.Rand(t)
	}
	tried, each := 0, 3
	if testing.Short() {
		each = 1
	}
	for _, design := range readable() {
		if commented.MatchString(design) {
			continue
		}
		before, err := draft.Read(design)
		require.NoError(t, err)
		spans := pieces.FindAllStringIndex(design, -1)
		for range each {
			at := spans[random.IntN(len(spans))][random.IntN(2)]
			token := insertions[random.IntN(len(insertions))]
			changed := design[:at] + " " + token + " " + design[at:]
			left, _ := utf8.DecodeLastRuneInString(design[:at])
			right, _ := utf8.DecodeRuneInString(design[at:])
			if glued := design[:at] + token + design[at:]; random.IntN(2) == 0 && !strings.Contains(glued, "?.") && !wordsMerge.MatchString(string(left)+token) && !wordsMerge.MatchString(token+string(right)) {
				changed = glued // but a variable, a class or a type may have another name
			}
			if saysNothing(design, at, token) {
				continue
			}
			if (token == "zzz" || token == "md5") && !strings.ContainsAny(design[:at], "={\"'+") {
				continue // a name has types and words before it: String zzz rowkey = …
			}
			d, err := draft.Read(changed)
			tried++
			if err == nil {
				assert.NotEqual(t, said(before), said(d), "%q reads as %q does", changed, design)
			}
		}
	}
	assert.Greater(t, tried, 200)
}

// A number or a text in quotes less makes another draft, or a refusal.
func TestNothingIsIdle(t *testing.T) {
	tried, least := 0, 150
	if testing.Short() {
		least /= 3
	}
	for i, design := range readable() {
		if silent.MatchString(design) || commented.MatchString(design) || testing.Short() && i%3 > 0 {
			continue
		}
		before, err := draft.Read(design)
		require.NoError(t, err)
		for _, s := range pieces.FindAllStringIndex(design, -1) {
			if token := design[s[0]:s[1]]; !regexp.MustCompile(`^(?:[0-9]+|['"].+['"])$`).MatchString(token) {
				continue
			}
			tried++
			if d, err := draft.Read(design[:s[0]] + design[s[1]:]); err == nil {
				assert.NotEqual(t, said(before), said(d), "%q reads as without %s", design, design[s[0]:s[1]])
			}
		}
	}
	assert.Greater(t, tried, least)
}
