package draft

import (
	"regexp"
	"strconv"
	"strings"
)

// This file reads formats of C, Go, Java and Python, and templates. Each becomes a concatenation
// of constants and of fields, each field with a verb that says how it is printed.

// conversion is one verb of a format: %s, %04d, %-10s, %x.
var conversion = regexp.MustCompile(`^%([-0 ]?)([0-9]*)l*([sdxXv])`)

// verb is how a format prints a value.
type verb struct {
	kind  byte // 's', 'd' or 'x'; 0: not said
	width int  // in bytes; 0: its own length
	fill  byte // '0' or ' '
	left  bool // the value stands left of what fills
}

// printed is a value under a verb.
func printed(of *expr, v verb) *expr {
	return &expr{at: of.at, fn: "verb", text: string([]byte{v.kind, v.fill}), n: v.width, isNum: false, args: []*expr{of, {isNum: v.left}}}
}

// verbOf undoes printed.
func verbOf(e *expr) verb { return verb{e.text[0], e.n, e.text[1], e.args[1].isNum} }

// verbFrom is the verb of a conversion's parts.
func verbFrom(flag, width, kind string) verb {
	v := verb{kind: kind[0], fill: ' '}
	v.width, _ = strconv.Atoi(width)
	switch {
	case kind == "v":
		v.kind = 's'
	case kind == "X":
		v.kind = 'X'
	}
	if flag == "0" {
		v.fill = '0'
	}
	v.left = flag == "-"
	return v
}

// format is a text with conversions, and a value for each.
func (r *reader) format(text *expr, args []*expr) *expr {
	all := &expr{at: text.at, fn: "concat"}
	constant := ""
	rest := text.text
	for rest != "" {
		if head, tail, _ := strings.Cut(rest, "%"); head != "" || !strings.HasPrefix(rest, "%") {
			constant += head
			if len(head) == len(rest) {
				break
			}
			rest = "%" + tail
		}
		if strings.HasPrefix(rest, "%%") {
			constant += "%"
			rest = rest[2:]
			continue
		}
		m := conversion.FindStringSubmatch(rest)
		switch {
		case m == nil:
			r.Fail(text.at, "expected %%s, %%d, %%04d or %%08x: %q is another conversion", rest[:min(len(rest), 4)])
			return all
		case len(args) == 0:
			r.Fail(text.at, "expected a value for each conversion of the format")
			return all
		}
		all.constant(text.at, &constant)
		all.args = append(all.args, printed(args[0], verbFrom(m[1], m[2], m[3])))
		args = args[1:]
		rest = rest[len(m[0]):]
	}
	all.constant(text.at, &constant)
	if len(args) > 0 {
		r.Fail(args[0].at, "expected a conversion in the format for each value")
	}
	return all
}

// constant adds the bytes gathered so far to a concatenation.
func (e *expr) constant(at int, text *string) {
	if *text != "" {
		e.args = append(e.args, &expr{at: at, isText: true, text: *text})
		*text = ""
	}
}

// percent is Python's "…" % (a, b).
func (r *reader) percent(text *expr) *expr {
	var args []*expr
	if r.Accept("(") {
		for !r.Accept(")") && r.Problem == nil {
			if len(args) > 0 {
				r.Expect(",")
				if r.Accept(")") {
					break
				}
			}
			args = append(args, r.expr(false))
		}
	} else {
		args = append(args, r.expr(false))
	}
	return r.format(text, args)
}

// template is a text that holds expressions: JavaScript's `${a}_${b}` and
// Python's f"{a:02d}_{b}".
func (r *reader) template(opening, closing string) *expr {
	at := r.At
	mark := r.Text[at]
	end := -1
	for i := at + 1; i < len(r.Text); i++ {
		if r.Text[i] == '\\' {
			i++
		} else if r.Text[i] == mark {
			end = i
			break
		}
	}
	if end < 0 {
		r.Fail(at, "this quote has no end")
		return &expr{at: at}
	}
	all := &expr{at: at, fn: "concat"}
	for i := at + 1; i < end && r.Problem == nil; {
		n := strings.Index(r.Text[i:end], opening)
		if n != 0 {
			if n < 0 {
				n = end - i
			}
			constant := r.Text[i : i+n]
			all.constant(i, &constant)
			i += n
			continue
		}
		s := r.sub(i+len(opening), end)
		e := s.expr(false)
		spec := ""
		if s.Accept(":") {
			n := strings.Index(s.Text[s.At:], closing)
			if n >= 0 {
				spec = s.Text[s.At : s.At+n]
				s.At += n
			}
		}
		s.Expect(closing)
		if r.Problem = s.Problem; r.Problem == nil {
			all.args = append(all.args, r.spec(e, spec))
		}
		i = s.At
	}
	r.At = end + 1
	if len(all.args) == 0 {
		r.Fail(at, "expected a field in this text")
	}
	return all
}

// specOf is Python's description of how a value is printed: 02d, <10, >8.
var specOf = regexp.MustCompile(`^([<>]?)(0?)([0-9]*)([sdxX]?)$`)

// spec is a value as Python's or JavaScript's templates print it.
func (r *reader) spec(e *expr, spec string) *expr {
	m := specOf.FindStringSubmatch(spec)
	if m == nil {
		if goLayout(spec) != "" {
			return &expr{at: e.at, fn: "date", text: spec, args: []*expr{e}}
		}
		r.Fail(e.at, "expected how the value is printed, such as 02d, not %q", spec)
		return e
	}
	kind, flag := m[4], m[2]
	if kind == "" {
		kind = "s"
		if flag == "0" {
			kind = "d"
		}
	}
	v := verbFrom(flag, m[3], kind)
	v.left = m[1] == "<" || m[1] == "" && kind == "s"
	return printed(e, v)
}

// braces is Python's "{}_{}".format(a, b).
func (r *reader) braces(text *expr, args []*expr) *expr {
	all := &expr{at: text.at, fn: "concat"}
	rest := text.text
	next := 0
	for rest != "" {
		head, tail, found := strings.Cut(rest, "{")
		all.constant(text.at, &head)
		if !found {
			break
		}
		inner, after, closed := strings.Cut(tail, "}")
		which, spec, _ := strings.Cut(inner, ":")
		if n, err := strconv.Atoi(which); err == nil {
			next = n
		}
		if !closed || next >= len(args) {
			r.Fail(text.at, "expected a value for each {} of the format")
			return all
		}
		all.args = append(all.args, r.spec(args[next], spec))
		next++
		rest = after
	}
	return all
}
