package laws

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// The notation says all of a schema: what Parse makes of it writes the same
// keys, refuses the same values, and prints the same notation.
func TestLawNotation(t *testing.T) {
	law(t, len(genAdmitted()), func(c *lawCase) {
		text := c.built.String()
		if c.s.others() { // which no notation can name
			if s, err := rowkey.Parse(c.s.name, text); !errors.Is(err, rowkey.ErrSchema) {
				c.fail("Parse(%s): %v %v", text, s, err)
			}
			return
		}
		if genOdds(c.r, 2) {
			text = notationSpaced(c.r, text)
		}
		parsed, err := rowkey.Parse(c.s.name, text)
		if err != nil {
			c.fail("Parse(%s): %v", text, err)
		}
		if problem := notationDiffers(c.built, parsed); problem != "" {
			c.fail("%s", problem)
		}
		c.one("notations")
		for range 20 {
			c.row, c.key = genRow(c.r, c.s), nil
			if genOdds(c.r, 8) {
				c.row = c.row[:len(c.row)-1]
			}
			want, wantErr := c.built.AppendKey(nil, c.row.plain()...)
			got, err := parsed.AppendKey(nil, c.row.plain()...)
			c.key = want
			if !bytes.Equal(got, want) || !notationSameError(err, wantErr) {
				c.fail("the parsed schema writes %x, %v; want %x, %v", got, err, want, wantErr)
			}
			if wantErr != nil {
				c.one("rows refused alike")
				continue
			}
			c.one("rows written alike")
			if genOdds(c.r, 4) {
				want = lawMutate(c.r, want)
			}
			wantRow, wantErr := c.built.Decode(want)
			row, err := parsed.Decode(want)
			if !notationSameError(err, wantErr) {
				c.fail("the parsed schema decodes with %v, want %v", err, wantErr)
			}
			if err == nil && !maps.EqualFunc(maps.Collect(wantRow.All()), maps.Collect(row.All()), sameValue) {
				c.fail("the parsed schema decodes %v, want %v", maps.Collect(row.All()), maps.Collect(wantRow.All()))
			}
		}
	})
}

// notationDiffers says what of two schemas is not the same; empty if nothing.
func notationDiffers(want, got *rowkey.Schema) string {
	switch {
	case got.Name() != want.Name():
		return "Parse names it " + got.Name()
	case got.String() != want.String():
		return "Parse makes " + got.String() + " of " + want.String()
	case got.Fingerprint() != want.Fingerprint():
		return "Parse makes another layout of " + want.String()
	case !reflect.DeepEqual(slices.Collect(got.Fields()), slices.Collect(want.Fields())):
		return "Parse makes other fields of " + want.String()
	}
	return ""
}

func notationSameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	var x, y *rowkey.Error
	return errors.As(a, &x) && errors.As(b, &y) && x.Field == y.Field && x.Offset == y.Offset && a.Error() == b.Error()
}

// notationSpaced puts spaces, new lines and comments where they may stand.
func notationSpaced(r *rand.Rand, text string) string {
	var b strings.Builder
	mark := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		space := mark == 0 && (strings.IndexByte("[]() ,=", c) >= 0 || c == ':' && text[i+1] == '"')
		if space && genOdds(r, 4) && !strings.Contains(notationArgument(text[:i]), "since(") {
			b.WriteString(genPick(r, " ", "\n", "\t# a ] comment '\n", "\r\n  "))
		}
		b.WriteByte(c)
		switch {
		case mark != 0 && c == '\\':
			i++
			b.WriteByte(text[i])
		case mark == c:
			mark = 0
		case mark == 0 && (c == '\'' || c == '"'):
			mark = c
		}
	}
	return b.String()
}

// notationArgument is the last bracket that a text has open.
func notationArgument(text string) string {
	open, shut := strings.LastIndexByte(text, '('), strings.LastIndexAny(text, ")[")
	if open < shut {
		return ""
	}
	return text[max(0, open-8):]
}

// Every schema whose keys are frozen, by its notation.
func TestParseGolden(t *testing.T) {
	text, err := readFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	schemas := 0
	for block := range strings.SplitSeq(string(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		if strings.HasPrefix(lines[0], "#") {
			continue
		}
		schemas++
		s, err := goldenSchema(lines[0])
		if err != nil {
			t.Fatal(err)
		}
		built, err := s.build()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := rowkey.Parse(s.name, built.String())
		if s.others() {
			if !errors.Is(err, rowkey.ErrSchema) {
				t.Errorf("%s: %v", lines[0], err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", lines[0], err)
			continue
		}
		if problem := notationDiffers(built, parsed); problem != "" {
			t.Error(problem)
		}
		for _, line := range lines[1:] {
			values, digits, _ := strings.Cut(line, " = ")
			row, err := goldenRow(values)
			if err != nil {
				t.Fatal(err)
			}
			key, err := parsed.AppendKey(nil, row.plain()...)
			if err != nil || fmt.Sprintf("%x", key) != digits {
				t.Errorf("%s: %s is %x, %v; want %s", built, values, key, err, digits)
			}
		}
	}
	if schemas < 300 {
		t.Errorf("%d schemas only", schemas)
	}
}

// Every shared design, by its notation.
func TestParseDesigns(t *testing.T) {
	for _, d := range designs() {
		built, err := d.schema.Build()
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		parsed, err := rowkey.Parse(built.Name(), built.String())
		if err != nil {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		if problem := notationDiffers(built, parsed); problem != "" {
			t.Errorf("%s: %s", d.name, problem)
		}
		for _, row := range d.rows {
			want, wantErr := built.AppendKey(nil, row...)
			got, err := parsed.AppendKey(nil, row...)
			if !bytes.Equal(got, want) || !notationSameError(err, wantErr) {
				t.Errorf("%s: %v is %x, %v; want %x, %v", d.name, row, got, err, want, wantErr)
			}
		}
	}
}
