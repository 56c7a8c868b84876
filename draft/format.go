package draft

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads formats of C, Go, Java and Python, and templates. Each becomes a concatenation
// of constants and of fields, each field with a verb that says how it is printed.

// conversion is one verb of a format: %s, %04d, %-10s, %x, %1$s.
var conversion = pattern.New(`^%(?:([0-9]+)\$)?([-0]?)([0-9]*)l*([sdxXv])`)

// verb is how a format prints a value.
type verb struct {
	kind  byte // 's', 'd' or 'x'; 0: not said
	width int  // in bytes; 0: its own length
	fill  byte // '0' or ' '
	left  bool // the value stands left of what fills
}

// printed is a value under a verb.
func printed(of *expr, v verb) *expr {
	return &expr{at: of.at, fn: "verb", text: string([]byte{v.kind, v.fill}), n: v.width, args: []*expr{of, {isNum: v.left}}}
}

// verbOf undoes printed.
func verbOf(e *expr) verb { return verb{e.text[0], e.n, e.text[1], e.args[1].isNum} }

// verbFrom is the verb of a conversion's parts.
func verbFrom(flag, width, kind string) verb {
	v := verb{kind: kind[0], fill: ' '}
	v.width, _ = strconv.Atoi(width)
	if kind == "v" {
		v.kind = 's'
	}
	if flag == "0" {
		v.fill = '0'
	}
	v.left = flag == "-"
	return v
}

// format is a text with conversions, and a value for each.
func (r *reader) format(text, call *expr, args []*expr) *expr {
	all := &expr{at: text.at, fn: "concat", spans: append(append([]span{}, text.spans...), call.spans...)}
	constant := ""
	rest := text.text
	taken := make([]bool, len(args))
	next := 0
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
		if m == nil {
			r.fail(text.at, "expected %%s, %%d, %%04d or %%08x: %q is another conversion", rest[:min(len(rest), 4)])
			return all
		}
		at := next
		if m[1] != "" {
			n, _ := strconv.Atoi(m[1])
			at = n - 1
		} else {
			next++
		}
		if at < 0 || at >= len(args) {
			r.fail(text.at, "expected a value for each conversion of the format")
			return all
		}
		taken[at] = true
		all.constant(text.at, &constant)
		r.print(all, args[at], verbFrom(m[2], m[3], m[4]))
		rest = rest[len(m[0]):]
	}
	all.constant(text.at, &constant)
	for i, t := range taken {
		if !t {
			r.fail(args[i].at, "expected a conversion in the format for each value")
		}
	}
	return all
}

// print adds a value under a verb. A concatenation that %s prints stands for itself.
func (r *reader) print(all, arg *expr, v verb) {
	switch {
	case v.kind == 's' && v.width == 0 && arg.isText:
		all.args = append(all.args, arg)
	case v.kind == 's' && v.width == 0 && arg.fn == "concat":
		all.spans = append(all.spans, arg.spans...)
		all.args = append(all.args, arg.args...)
	case arg.isText || arg.isNum || arg.fn == "concat":
		r.fail(arg.at, "expected a field for each conversion of the format")
	default:
		all.args = append(all.args, printed(arg, v))
	}
}

// constant adds the bytes gathered so far to a concatenation.
func (e *expr) constant(at int, text *string) {
	if *text != "" {
		e.args = append(e.args, &expr{at: at, isText: true, text: *text})
		*text = ""
	}
}

// percent is Python's "…" % (a, b).
func (r *reader) percent(text *expr, t token) *expr {
	call := &expr{at: text.at}
	call.has(t)
	var args []*expr
	if r.accept("(") {
		for !r.accept(")") && r.problem == nil {
			if len(args) > 0 {
				r.expect(",")
				if r.accept(")") {
					break
				}
			}
			args = append(args, r.expression(anyOp))
		}
	} else {
		args = append(args, r.unary())
	}
	if r.problem != nil {
		return text
	}
	return r.format(text, call, args)
}

// template is a text that holds expressions: JavaScript's `${a}_${b}`, Scala's s"$a-$b" and
// Python's f"{a:02d}_{b}".
func (r *reader) template(t token, opening, closing string) *expr {
	all := &expr{at: t.at, fn: "concat", spans: []span{{t.at, t.at + 1}, {t.end - 1, t.end}}}
	end := t.end - 1
	constant, constantAt := "", 0
	flush := func(to int) {
		if constant != "" {
			all.args = append(all.args, &expr{at: constantAt, isText: true, text: constant, spans: []span{{constantAt, to}}})
			constant = ""
		}
	}
	fields := false
	for i := t.at + 1; i < end && r.problem == nil; {
		rest := r.text[i:end]
		switch {
		case strings.HasPrefix(rest, opening) && !strings.HasPrefix(rest, "{{"):
			flush(i)
			close := closingOf(rest, len(opening))
			if close < 0 {
				r.fail(i, "expected '%s'", closing)
				return all
			}
			inner := rest[len(opening):close]
			spec, specAt := "", -1
			if n := specColon(inner); n >= 0 {
				spec, specAt = inner[n+1:], n
				inner = inner[:n]
			}
			from := i + len(opening)
			all.spans = append(all.spans, span{i, from}, span{i + close, i + close + 1})
			var e *expr
			r.within(from, from+len(inner), func() {
				if r.peek().kind == 0 {
					r.fail(from, "expected a field between the braces")
					return
				}
				e = r.expression(anyOp)
			})
			if r.problem != nil {
				return all
			}
			if m := conversion.FindStringSubmatch(rest[close+1:]); m != nil && r.printf && m[1] == "" { // Scala's f"$n%02d"
				all.spans = append(all.spans, span{i + close + 1, i + close + 1 + len(m[0])})
				r.print(all, e, verbFrom(m[2], m[3], m[4]))
				close += len(m[0])
			} else if specAt >= 0 {
				e = r.spec(e, spec, span{from + specAt, from + specAt + 1 + len(spec)})
				all.args = append(all.args, e)
			} else {
				r.print(all, e, verb{kind: 's', fill: ' '})
			}
			fields = true
			i += close + 1
		case opening == "${" && rest[0] == '$' && dollarWord.MatchString(rest):
			flush(i)
			name := dollarWord.FindString(rest)
			all.spans = append(all.spans, span{i, i + 1})
			var e *expr
			r.within(i+1, i+len(name), func() { e = r.expression(anyOp) })
			if r.problem != nil {
				return all
			}
			v, m := verb{kind: 's', fill: ' '}, conversion.FindStringSubmatch(rest[len(name):])
			if r.printf && m != nil && m[1] == "" {
				all.spans = append(all.spans, span{i + len(name), i + len(name) + len(m[0])})
				v = verbFrom(m[2], m[3], m[4])
				i += len(m[0])
			}
			r.print(all, e, v)
			fields = true
			i += len(name)
		case rest[0] == '\\' || rest[0] == '$' || strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}"):
			r.fail(i, "expected no escapes in a template")
		default:
			if constant == "" {
				constantAt = i
			}
			constant += rest[:1]
			i++
		}
	}
	flush(end)
	if !fields {
		r.fail(t.at, "expected a field in this text")
	}
	return all
}

var dollarWord = pattern.New(`^\$[\pL_][\pL\d_]*`)

// closingOf is the place of the brace that closes one; -1 if none does.
func closingOf(s string, from int) int {
	depth, quote := 0, byte(0)
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")}]", c) >= 0:
			depth--
		case c == '}':
			return i
		}
	}
	return -1
}

// specColon is the place of the ':' before how a value is printed; -1 if there is none. One
// in brackets belongs to the value: uid[:4].
func specColon(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ':' && i+1 < len(s) && s[i+1] == ':':
			i++
		case c == ':' && depth == 0:
			return i
		}
	}
	return -1
}

// specOf is Python's, Rust's and C#'s description of how a value is printed: 02d, <10, >8, D19.
var (
	specOf     = pattern.New(`^([<>]?)(0?)([0-9]*)([sdxX]?)$`)
	specFilled = pattern.New(`^([^\s<>\\])([<>])([1-9][0-9]*)$`)
	specOfD    = pattern.New(`^[Dd]([0-9]+)$`)
)

// spec is a value as templates print it; s are the bytes that say so.
func (r *reader) spec(e *expr, spec string, s span) *expr {
	if m := specOfD.FindStringSubmatch(spec); m != nil {
		spec = "0" + m[1] + "d"
	}
	if m := specFilled.FindStringSubmatch(spec); m != nil && !e.isText && !e.isNum && e.fn != "concat" { // Python's {:0>10}
		fn := map[string]string{">": "lpad", "<": "rpad"}[m[2]]
		n, _ := strconv.Atoi(m[3])
		return &expr{at: e.at, fn: fn, args: []*expr{e, {isNum: true, n: n}, {isText: true, text: m[1]}}, spans: []span{s}}
	}
	m := specOf.FindStringSubmatch(spec)
	if m == nil || spec == "" || m[2] == "0" && m[3] == "" {
		if codeLayout(spec) != "" {
			return &expr{at: e.at, fn: "date", text: spec, args: []*expr{e}, spans: []span{s}}
		}
		r.fail(e.at, "expected how the value is printed, such as 02d, not %q", spec)
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
	if e.isText || e.isNum || e.fn == "concat" {
		r.fail(e.at, "expected a field before how it is printed")
		return e
	}
	out := printed(e, v)
	out.spans = append(out.spans, s)
	return out
}

var inlineWord = pattern.New(`^[a-z_][a-z0-9_]*$`)

// braces is "{}_{}".format(a, b) of Python, Rust's format!("{}", a) and C#'s string.Format("{0}", a).
func (r *reader) braces(text, call *expr, args []*expr) *expr {
	all := &expr{at: text.at, fn: "concat", spans: append(append([]span{}, text.spans...), call.spans...)}
	rest := text.text
	next := 0
	taken := make([]bool, len(args))
	for rest != "" {
		head, tail, found := strings.Cut(rest, "{")
		if strings.Contains(head, "}") || strings.HasPrefix(tail, "{") {
			r.fail(text.at, "expected a value for each {} of the format")
			return all
		}
		all.constant(text.at, &head)
		if !found {
			break
		}
		inner, after, closed := strings.Cut(tail, "}")
		which, spec, specified := strings.Cut(inner, ":")
		at := next
		if which == "" {
			next++
		} else if n, err := strconv.Atoi(which); err == nil && n >= 0 {
			at = n
		} else if closed && inlineWord.MatchString(which) { // Rust's {tenant} beside {}
			args, taken = append(args, r.named([]token{{kind: 'w', text: which, at: text.at, end: text.at}})), append(taken, true)
			at = len(args) - 1
		} else {
			at = -1
		}
		if !closed || at < 0 || at >= len(args) {
			r.fail(text.at, "expected a value for each {} of the format")
			return all
		}
		taken[at] = true
		if specified {
			all.args = append(all.args, r.spec(args[at], spec, span{text.at, text.at}))
		} else {
			r.print(all, args[at], verb{kind: 's', fill: ' '})
		}
		if r.problem != nil {
			return all
		}
		rest = after
	}
	for i, t := range taken {
		if !t {
			r.fail(args[i].at, "expected {} in the format for each value")
		}
	}
	return all
}
