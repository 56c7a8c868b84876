package texts

import (
	"regexp"
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

var placeholder = regexp.MustCompile(`\{([0-9])(?::[^}]*)?\}`)

// Each text stands in both languages and uses the same arguments; no code stands in two tables.
func TestBothLanguages(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range Codes() {
		assert.False(t, seen[code], code)
		seen[code] = true
		text, ok := Of(code)
		assert.True(t, ok, code)
		assert.NotEmpty(t, text.English, code)
		assert.NotEmpty(t, text.Chinese, code)
		assert.False(t, slices.ContainsFunc([]rune(text.English), func(r rune) bool { return unicode.Is(unicode.Han, r) }), code)
		assert.Equal(t, arguments(text.English), arguments(text.Chinese), code)
	}
}

// arguments are the numbers of the arguments of a text, each once.
func arguments(text string) (numbers []string) {
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(numbers, m[1]) {
			numbers = append(numbers, m[1])
		}
	}
	slices.Sort(numbers)
	return numbers
}

func TestIn(t *testing.T) {
	assert.Equal(t, "1 byte a key", In("en", "draft.price-bytes", "1"))
	assert.Equal(t, "8 bytes a key", In("", "draft.price-bytes", "8"))
	assert.Equal(t, "每个 key 8 字节", In("zh", "draft.price-bytes", "8"))
	assert.Equal(t, "1 range a query that knows uid, else 16", In("en", "draft.price-salt", "uid", "16"))
	assert.Equal(t, "what {0} is", In("en", "draft.what"))
	assert.Equal(t, "no.such.code", In("zh", "no.such.code"))
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", -1: "-1 rows", 1234567: "1234567 rows"} {
		assert.Equal(t, want, Plural(n, "row"))
	}
}
