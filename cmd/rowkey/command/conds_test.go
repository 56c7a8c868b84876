package command

import (
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/stretchr/testify/assert"
)

// What people type for one question is that question, or an error: never another one
// in silence.
func TestConditions(t *testing.T) {
	const layout = `[salt4(seller)][seller]['\x00'][ms(at)][order:4]`
	ranges := func(conds ...string) (string, string, int) {
		return call("", append([]string{"scan", "-s", layout, "-o", "hex", "--full-scan"}, conds...)...)
	}
	for _, c := range []struct {
		typed, same []string
	}{
		{[]string{"seller in (s-42, s-43)"}, []string{"seller in s-42,s-43"}},
		{[]string{"seller IN ('s-42','s-43')"}, []string{"seller in s-42,s-43"}},
		{[]string{`seller In("s-42", s-43)`}, []string{"seller in s-42,s-43"}},
		{[]string{"seller in s-42 , s-43"}, []string{"seller in s-42,s-43"}},
		{[]string{`seller in "a""b", 'c,d'`}, []string{`seller in 'a"b',"c,d"`}},
		{[]string{"seller in ( )"}, []string{"seller in "}},
		{[]string{"seller in '(a'"}, []string{`seller="(a"`}},
		{[]string{"seller<>s-42"}, []string{"seller!=s-42"}},
		{[]string{"seller <> 's-42'"}, []string{"seller!=s-42"}},
		{[]string{"seller≠s-42"}, []string{"seller!=s-42"}},
		{[]string{"seller NOT IN (s-42, s-43)"}, []string{"seller!=s-42", "seller!=s-43"}},
		{[]string{"seller=s", "at=>2023-05-16"}, []string{"seller=s", "at>=2023-05-16"}},
		{[]string{"seller=s", "at =< 2023-05-16"}, []string{"seller=s", "at<=2023-05-16"}},
		{[]string{"seller=s", "at≥2023-05-16", "at≤2023-05-17"}, []string{"seller=s", "at:2023-05-16..2023-05-17"}},
		{[]string{"seller=>s-42"}, []string{"seller>=s-42"}},
		{[]string{"seller:a .. b"}, []string{"seller:a..b"}},
		{[]string{"seller = s-42"}, []string{"seller=s-42"}},
		{[]string{"seller='it''s'"}, []string{"seller=it's"}},
		{[]string{"seller='s-42 '"}, []string{`seller="s-42 "`}},
		{[]string{"seller='s-4%'"}, []string{`seller="s-4%"`}},
	} {
		have, notes, code := ranges(c.typed...)
		want, _, wanted := ranges(c.same...)
		assert.Equal(t, 0, wanted, "%q", c.same)
		assert.Equal(t, 0, code, "%q: %s", c.typed, notes)
		assert.Empty(t, notes, "%q", c.typed)
		assert.Equal(t, want, have, "%q", c.typed)
	}
	for cond, says := range map[string]string{
		"seller=(s-42)":                 `seller: "(s-42)" begins with "(": quote it if that is part of the value: 'seller="(s-42)"'`,
		"seller=[s-1,s-9]":              `seller: "[s-1,s-9]" begins with "[": quote it if that is part of the value: 'seller="[s-1,s-9]"'; "seller in A,B" is a list, seller:A..B an interval`,
		"seller in [s-1,s-9]":           `begins with "["`,
		"seller=s-42&&at>=2023-05-16":   `are two conditions`,
		"seller=s-42||seller=s-43":      `are two conditions`,
		"seller=s-42;":                  `seller: "s-42;" ends in ";"`,
		"seller=s-4*":                   `; what begins so is seller^=s-4`,
		"seller=s-4%":                   `; what begins so is seller^=s-4`,
		"seller^=s-4%":                  `ends in "%"`,
		"seller=s-42 ":                  `ends in " "`,
		"seller= s-42":                  `begins with " "`,
		"seller=<s-42>":                 `seller: "s-42>" ends in ">"`,
		"seller=(<a>)":                  `begins with "("`,
		"seller=~s.*":                   `begins with "~"`,
		"seller===s-42":                 `begins with "="`,
		"seller:=s-42":                  `begins with "="`,
		"seller:a..=b":                  `begins with "="`,
		"seller=“s-42”":                 `begins with "“"`,
		"seller=s-42)":                  `ends in ")"`,
		"seller in (s-42":               `a parenthesis without its end`,
		"seller in s-42)":               `ends in ")"`,
		"seller in s-42,":               `nothing between two commas`,
		"seller in s-42,,s-43":          `nothing between two commas`,
		"seller in ('s-42' 's-43')":     `expected a comma after the closing quote`,
		"seller not in ()":              `not in: expected values`,
		"seller:a...b":                  `which .. of "a...b" stands between two values?`,
		"seller:a..b..c":                `which .. of "a..b..c"`,
		"seller between a and b":        `between: seller:A..B is from A to B`,
		"seller LIKE 's-4%'":            `like: seller^=A is what begins with A, seller$=A what ends in it`,
		"seller=s-42, order=5":          `seller: "s-42, order=5" are two conditions`,
		"seller=s-42;order=5":           `are two conditions`,
		"seller=s-42 AND order=5":       `are two conditions`,
		"seller IS s-42":                `expected "seller is null"`,
		"order=(5)":                     `order: expected a whole number from 0 to 4294967295, not "(5)"`,
		"order in (1; 2)":               `order: expected a whole number`,
		"at not in 2023-05-16":          `what is not in it lies before and after`,
		"seller ~ s":                    `expected a condition as`,
		"seller=s-42 or seller = s-43":  `are two conditions`,
		"seller!=s-42 && order = s-43":  `are two conditions`,
		"seller=\"s-42\" and order = 4": `are two conditions`,
	} {
		out, err, code := ranges(cond)
		assert.Equal(t, 2, code, "%q: %s", cond, out)
		assert.Empty(t, out, "%q", cond)
		assert.Contains(t, err, says, "%q", cond)
	}
	for cond, note := range map[string]string{
		"seller=s-42,s-43": `rowkey: seller: "s-42,s-43" is read as one text: quote it if so; "seller in A,B" is a list`,
		"seller=a..b":      `rowkey: seller: "a..b" is read as one text: quote it if so; seller:A..B is from A to B`,
		"seller=NULL":      `rowkey: seller: NULL is read as a text: quote it if so; "seller is null" is the condition`,
	} {
		_, err, code := ranges(cond)
		assert.Equal(t, 0, code, cond)
		assert.Equal(t, note+"\n", err, cond)
	}
	for _, cond := range []string{"seller='s-42,s-43'", `seller="a..b"`, "seller='null'", "seller=a(b)", "seller=/x/(y)/z", "seller=a;b", "seller=50%off", "seller=::1", "seller=中文"} {
		_, err, code := ranges(cond)
		assert.Equal(t, 0, code, cond)
		assert.Empty(t, err, cond)
	}
}

// A question has "and" between its conditions, outside of quotes.
func TestConjuncts(t *testing.T) {
	for text, want := range map[string][]string{
		"a=1":                               {"a=1"},
		"a=1 and b=2":                       {"a=1", "b=2"},
		"a=1 AND b>=2  And c in (1, 2)":     {"a=1", "b>=2", "c in (1, 2)"},
		"a=1 && b=2":                        {"a=1", "b=2"},
		`a="x and y" and b='it''s and'`:     {`a="x and y"`, "b='it''s and'"},
		`a in ('x and y', "z and") and b=2`: {`a in ('x and y', "z and")`, "b=2"},
		`a="x \" and y" and b=2`:            {`a="x \" and y"`, "b=2"},
		`a='it''s and b' and b='' and c=""`: {`a='it''s and b'`, `b=''`, `c=""`},
		"a=o'clock and b=2":                 {"a=o'clock", "b=2"},
		"brand=1 and band=2":                {"brand=1", "band=2"},
	} {
		assert.Equal(t, want, said.Conjuncts(text), text)
	}
}
