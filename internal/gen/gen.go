// Package gen prints code for schemas: Go and Java that write, read and bound the keys of
// one schema without looking at the schema again, and vectors that hold both to the
// library.
//
// It knows package code, and no other part of the library. It must not know how Build
// decides.
package gen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// A File is printed code: its path, with slashes, and its text.
type File struct {
	Path string
	Text []byte
}

// printer collects lines of code.
type printer struct{ bytes.Buffer }

// p prints a line.
func (p *printer) p(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// captured is what print prints, which does not go to p.
func (p *printer) captured(print func()) string {
	before := *p
	*p = printer{}
	print()
	text := p.String()
	*p = before
	return text
}

// aside is what is no word of Go or Java: texts, in which a field may be called time.ms, characters and comments.
var aside = pattern.New(`"(\\.|[^"\\])*"|'(\\.|[^'\\])+'|//.*|(?s:/\*.*?\*/)`)

// reworded is code that change has changed, but for its texts: a code of a field may be "c0 := ".
func reworded(code string, change func(string) string) string {
	const hole = "\x00" // which no code has
	texts := aside.FindAllString(code, -1)
	code = change(aside.ReplaceAllString(code, hole))
	for _, t := range texts {
		code = strings.Replace(code, hole, t, 1)
	}
	return code
}

// exported is a name as Go exports it and as Java names a class: of order-id it is OrderId.
func exported(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	s := b.String()
	if s == "" || !unicode.IsUpper([]rune(s)[0]) {
		s = "X" + s
	}
	return s
}

// lowered is a name with a small first letter.
func lowered(name string) string {
	r := []rune(name)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// names gives each field a name of its own.
func names(s *code.Schema, language string, of func(string) string) (map[*code.Comp]string, error) {
	out, taken := map[*code.Comp]string{}, map[string]string{}
	for _, c := range s.Comps {
		if c.Name == "-" { // which in a struct's tag, and in vectors, is no field
			return nil, fmt.Errorf("%s: the name - cannot be printed in %s: rename it", s.Name, language)
		}
	}
	for _, f := range s.Fields {
		n := of(f.Name)
		if other, ok := taken[lowered(n)]; ok {
			return nil, fmt.Errorf("%s: the fields %s and %s are both %s in %s: rename one", s.Name, other, f.Name, n, language)
		}
		taken[lowered(n)], out[f] = f.Name, n
	}
	return out, nil
}

// byFields is the end of a name of what is asked by the first n fields: SellerAt.
func byFields(s *code.Schema, n int) (by string) {
	for _, f := range s.Fields[:n] {
		by += exported(f.Name)
	}
	return by
}

// nullable reports that a field may be null.
func nullable(fields []*code.Comp) bool {
	return slices.ContainsFunc(fields, func(f *code.Comp) bool { return f.Optional })
}

// howMany says how many ranges a prefix has, and ofNulls what a null asks for, in a comment.
func howMany(p code.Prefix) string {
	if p.Ranges > 1 {
		return fmt.Sprintf("the %d ranges", p.Ranges)
	}
	return "the range"
}

func ofNulls(s *code.Schema, p code.Prefix, null string) (about string) {
	if nullable(s.Fields[:p.Fields]) {
		about = "A " + null + " asks for the keys in which the field is null."
	}
	if s.Twice(p) {
		about += fmt.Sprintf(" If the last is one, there may be %d ranges.", 2*p.Ranges)
	}
	return about
}

// concatenated reports that what a salt or hash is computed from has to be put together.
func concatenated(d *code.Sum) bool {
	if d.Input == code.Rest || d.Rule == modulo {
		return false
	}
	if len(d.Of) != 1 || d.Input == code.Format {
		return true
	}
	if d.OfForm(d.Of[0]) {
		return false
	}
	n := d.Of[0].Num
	return n != nil && d.Input != code.Stored && (d.Input == code.AsText || n.Date != nil)
}

// literal is a byte in the source of Go.
func literal(c byte) string {
	if c >= ' ' && c < 0x7f && c != '\'' && c != '\\' {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("0x%02x", c)
}
