package notation

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOptions: each row of the table says all that it has to, and an option with
// arguments is read back as it is printed.
func TestOptions(t *testing.T) {
	seen := map[Word]bool{}
	for i := range Options {
		info := &Options[i]
		if seen[info.Word] {
			t.Errorf("%s stands twice", info.Word)
		}
		seen[info.Word] = true
		switch {
		case strings.ToLower(strings.TrimPrefix(info.Go, "interop.")) != string(info.Word):
			t.Errorf("%s is called %s in Go", info.Word, info.Go)
		case info.Meaning == "" || strings.Contains(info.Meaning, "\n") || strings.HasSuffix(info.Meaning, "."):
			t.Errorf("%s has no meaning in one line", info.Word)
		case info.Fits == 0:
			t.Errorf("%s fits nothing", info.Word)
		case info.Of != "" && several[info.Of] == "":
			t.Errorf("%s is one of several words for %s, of which nothing is known", info.Word, info.Of)
		}
		for n, what := range info.Expects {
			asked := info.Args == TwoNumbers || n == 0 && (info.Args == OneNumber || info.Args == NumberByte)
			if (what != "") != asked {
				t.Errorf("%s expects %q for number %d", info.Word, what, n)
			}
		}
		offered := slices.Contains(Words(), string(info.Word))
		if offered != (info.Fits != FitsNew && !info.GoOnly) {
			t.Errorf("%s is offered: %t", info.Word, offered)
		}
		if !offered {
			continue
		}
		o := Option{Word: info.Word, N: 3, M: 7, Byte: 'x', Bound: 9, Text: "ab", List: []string{"a", "\x00"}, Duration: time.Hour}
		if info.Args == ManyPairs {
			o.List, o.Pairs = nil, map[string]string{"a": "b", "c": "\xff"}
		}
		text := "[f " + o.String() + "]"
		read, problem := Parse(text, nil)
		if problem != nil {
			t.Errorf("%s: %+v", text, problem)
			continue
		}
		if back := read.Components[0].String(); back != text {
			t.Errorf("%s is read as %s", text, back)
		}
	}
	for _, word := range []Word{UnitOption, PartOption, DialectOption, RuleOption} {
		if seen[word] {
			t.Errorf("%s stands for several words, and is one", word)
		}
	}
}

// TestMisfit: the error of an option that does not fit says what it fits.
func TestMisfit(t *testing.T) {
	for _, c := range []struct {
		w      Word
		kind   string
		layout bool
		want   string
	}{
		{Below, "string", false, "option below does not fit a string: it fits a Uint, an Int or a Time in whole units; a text has OneOf, a Layout Years"},
		{Digits, "time", true, "option digits does not fit a time with a Layout, which has its own resolution and digits"},
		{Digits, "int", false, "option digits does not fit an int: it fits a Uint or a Time, but not of OrderedBytes; an Int has Decimal"},
		{Fixed, "float", false, "option fixed does not fit a float"},
		{RuleOption, "string", false, "option rule does not fit a string: it fits a Salt"},
		{"Flag(99)", "uint", false, "option Flag(99) does not fit a uint"},
	} {
		if got := c.w.Misfit(c.kind, c.layout); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
