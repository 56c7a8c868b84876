package notation

import (
	"slices"
	"strconv"
	"strings"
)

// Input says from what a salt or a hash is computed.
type Input struct {
	Form   string // one of Forms; empty: one field by its value
	Format string // the format, if Form is "format"
	Names  []string
}

// Forms are the words for inputs, sorted.
var Forms = []string{"format", "minmax", "rest", "stored", "text", "values"}

// String is the input as it is written, such as format("%06d",uid).
func (in Input) String() string {
	if in.Form == "" {
		return in.Names[0]
	}
	args := in.Names
	if in.Form == "format" {
		args = append([]string{strconv.Quote(in.Format)}, args...)
	}
	return in.Form + "(" + strings.Join(args, ",") + ")"
}

// ReadInput reads the text that String writes; between its words there may be space. problem says
// why text is not an Input; empty if it is one.
func ReadInput(text string) (in Input, problem string) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return Input{Names: []string{text}}, ""
	}
	in.Form = text[:open]
	if !slices.Contains(Forms, in.Form) || !strings.HasSuffix(text, ")") {
		return Input{}, "input " + strconv.Quote(text) + " is neither a field's name nor one of values, stored, text, format, minmax, rest"
	}
	args := text[open+1 : len(text)-1]
	if in.Form == "format" {
		args = strings.TrimSpace(args)
		quoted, err := strconv.QuotedPrefix(args)
		if err != nil {
			return Input{}, "input " + strconv.Quote(text) + " has no quoted format"
		}
		in.Format, _ = strconv.Unquote(quoted)
		args = strings.TrimPrefix(strings.TrimSpace(args[len(quoted):]), ",")
	}
	if strings.TrimSpace(args) != "" {
		in.Names = strings.Split(args, ",")
	}
	for i, name := range in.Names {
		in.Names[i] = strings.TrimSpace(name)
	}
	switch {
	case in.Form == "rest" && in.Names != nil:
		problem = "rest() takes no fields"
	case in.Form == "minmax" && len(in.Names) != 2:
		problem = "minmax takes two fields"
	case in.Form != "rest" && len(in.Names) == 0:
		problem = "input " + strconv.Quote(text) + " names no field"
	}
	return in, problem
}

// input reads an Input. The opening bracket of the salt or hash is read already; input also
// reads the closing one.
func (p *parser) input() Input {
	p.Skip()
	at := p.At
	w := p.name()
	if !p.Accept("(") {
		p.Expect(")")
		return Input{Names: []string{w}}
	}
	if !slices.Contains(Forms, w) {
		p.Fail(at, "expected a field's name or one of values, stored, text, format, minmax, rest%s", Nearest(w, Forms))
		return Input{}
	}
	in := Input{Form: w}
	if w == "format" {
		in.Format = p.Quoted("a format such as \"%06d\"")
		if p.Peek() != ')' {
			p.Expect(",")
		}
	}
	p.list(func() { in.Names = append(in.Names, p.name()) })
	p.Expect(")")
	return in
}
