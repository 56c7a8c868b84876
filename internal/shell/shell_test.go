package shell

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"testing"
)

// whole is text that Bytes.toStringBinary can have written: printable ASCII, and
// whole escapes in upper case.
var (
	whole   = regexp.MustCompile(`^([ -\[\]-~]|\\x[0-9A-F]{2})*$`)
	escapes = regexp.MustCompile(`\\x[0-9A-F]{2}`)
)

// read is what HBase's toBytesBinary makes of such text.
func read(s string) []byte {
	return escapes.ReplaceAllFunc([]byte(s), func(e []byte) []byte {
		b, _ := hex.DecodeString(string(e[2:]))
		return b
	})
}

// written is what Bytes.toStringBinary writes.
func written(key []byte) string {
	text := ""
	for _, c := range key {
		if c >= 0x20 && c <= 0x7e && c != '\\' {
			text += string(rune(c))
		} else {
			text += fmt.Sprintf(`\x%02X`, c)
		}
	}
	return text
}

// What Text and Quoted write is read back, of each byte beside each other.
func TestText(t *testing.T) {
	for n := range 1 << 16 {
		key := []byte{byte(n >> 8), byte(n), 'x'}
		if text := Text(key); text != written(key) {
			t.Fatalf("%x is %s, want %s", key, text, written(key))
		}
		for _, text := range []string{Text(key), Quoted(key)} {
			if back, _, expected := Parse(text); expected != "" || !bytes.Equal(back, key) {
				t.Fatalf("%x is %s, which is read as %x %s", key, text, back, expected)
			}
		}
	}
}

// What would end a literal, begin a Ruby expression or be cut from a line is escaped
// where it would, and nothing else is.
func TestQuoted(t *testing.T) {
	for key, want := range map[string]string{
		"s-42_~ !%&()*+,./:;<=>?@[]^{|}": "s-42_~ !%&()*+,./:;<=>?@[]^{|}",
		`it's`:                           `it\x27s`,
		`say "no"`:                       `say \x22no\x22`,
		"a`b":                            `a\x60b`,
		"#{exit}":                        `\x23{exit}`,
		"#$0 #@x":                        `\x23$0 \x23@x`,
		"a#1#":                           `a#1#`,
		" a b ":                          `\x20a b\x20`,
		" ":                              `\x20`,
		`a\x41`:                          `a\x5Cx41`,
		"\x00\x7f\xff":                   `\x00\x7F\xFF`,
		"":                               "",
	} {
		if got := Quoted([]byte(key)); got != want {
			t.Errorf("%q is %s, want %s", key, got, want)
		}
	}
}

// What nothing writes is refused where it stands.
func TestParse(t *testing.T) {
	for text, want := range map[string]int{`a\`: 1, `\x0`: 0, `ab\xag`: 2, `\xaB`: 0, "a\n": 1, `\n00`: 0, `\xff`: 0} {
		if _, at, expected := Parse(text); expected == "" || at != want {
			t.Errorf("%q: %d %s", text, at, expected)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "a", `\x00`, `\xFF`, `\xff`, `\xFf`, `\x`, `\x4`, `\x41`, `\xG4`, `\\x41`, `\X41`, `\n`, `a\`, `\x\x41`, "100%", "caf\u00e9", "\xff", "\x00", "\x7f",
		`\x0Cs\x2D42\x5F\x7F\xFF\xFEw\xDD\xA4\x12O`, `'`, `"`, `#{x}`, " ", "~", `\x5C`, `\x5Cx41`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, at, expected := Parse(s)
		switch {
		case whole.MatchString(s) != (expected == ""):
			t.Fatalf("Parse(%q) = %x %q", s, key, expected)
		case expected == "" && !bytes.Equal(key, read(s)):
			t.Fatalf("Parse(%q) = %x, want %x", s, key, read(s))
		case expected != "" && (key != nil || at >= len(s) || !whole.MatchString(s[:at])):
			t.Fatalf("Parse(%q) = %x at byte %d", s, key, at)
		}
		for _, key := range [][]byte{key, []byte(s)} {
			for _, text := range []string{Text(key), Quoted(key)} {
				if back, _, expected := Parse(text); expected != "" || !bytes.Equal(back, key) {
					t.Fatalf("%x is %s, which is read as %x %s", key, text, back, expected)
				}
			}
			if text := Text(key); text != written(key) {
				t.Fatalf("Text(%x) = %s, want %s", key, text, written(key))
			}
		}
	})
}
