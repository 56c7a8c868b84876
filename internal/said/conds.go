package said

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// A condition is a field, an operator and a value. White space before an operator
// means that white space after it is no part of the value either.
var CondForm = pattern.New(`^\s*([\p{L}\p{N}_.-]+)(?:(\s*)(==|=>|>=|=<|<=|<>|!=|≠|≥|≤|\^=|\$=|=|>|<|:)(?s:(.*))|(\s+)((?i)in|is|not\s+in|between|like|not\s+like)(?s:([\s(].*|)))$`)

// operators are what people write for an operator.
var operators = map[string]string{"==": "=", "=>": ">=", "≥": ">=", "=<": "<=", "≤": "<=", "<>": "!=", "≠": "!="}

// ParseConds is the conditions of each argument.
func ParseConds(s *rowkey.Schema, how Values, args []string) ([][]rowkey.Cond, error) {
	return ParseCondsOr(s, how, args, func(name string) ([]rowkey.Cond, error) { return nil, NoAsked(s, name) })
}

// ParseCondsOr is parseConds, where lacks gives the conditions of a name that is no field.
func ParseCondsOr(s *rowkey.Schema, how Values, args []string, lacks func(name string) ([]rowkey.Cond, error)) (out [][]rowkey.Cond, err error) {
	fields := NewRowValues(s, how)
	asked := map[string]rowkey.FieldInfo{} // fields, copies and salts
	for f := range s.Fields() {
		if f.Kind == "salt" {
			f.Kind, f.Bytes, f.Most = "uint", 8, f.Count-1 // of its bucket
		}
		if f.Name != "" && f.Kind != "hash" {
			asked[f.Name] = f
		}
	}
	for _, arg := range args {
		name, op, text, ok := SplitCond(arg)
		if !ok {
			text := strings.TrimSpace(arg)
			if _, known := asked[text]; known {
				return nil, fmt.Errorf("%s: no operator: a shell takes > and < for the names of files unless they stand in quotes, as '%[1]s>=A'; %[1]s:A and %[1]s:A..B need none", text)
			}
			return nil, fmt.Errorf("expected a condition as field=value, field>=value, field:from..to, \"field in a,b\" or \"field is null\", not %s", Shown(arg))
		}
		f, known := asked[name]
		if !known {
			c, err := lacks(name)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
			continue
		}
		if m := nextCond.FindStringSubmatch(text); m != nil && asked[m[1]].Name != "" && !strings.ContainsAny(text[:1], `"'`) {
			return nil, twoConds(f, text)
		}
		c, err := fields.How.cond(f, op, text)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// SplitCond is the parts of a condition, its operator as this package writes it.
func SplitCond(arg string) (name, op, text string, ok bool) {
	m := CondForm.FindStringSubmatch(arg)
	if m == nil {
		return "", "", "", false
	}
	if m[6] != "" {
		return m[1], strings.ToLower(strings.Join(strings.Fields(m[6]), " ")), strings.TrimSpace(m[7]), true
	}
	if op, text = m[3], m[4]; m[2] != "" {
		text = strings.TrimLeft(text, " \t")
	}
	if usual := operators[op]; usual != "" {
		op = usual
	}
	return m[1], op, text, true
}

var conjunction = pattern.New(`(?i)^\s+(?:and|&&)\s+`)

// Conjuncts are the conditions of a text with "and" between them, as it stands outside of quotes.
func Conjuncts(text string) (out []string) {
	from, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote && strings.HasPrefix(text[i+1:], text[i:i+1]): // a quote within, written twice
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && strings.IndexByte("=<>:(, \t", text[i-1]) >= 0:
			quote = c
		default:
			if n := len(conjunction.FindString(text[i:])); n > 0 {
				out, from = append(out, text[from:i]), i+n
				i = from - 1
			}
		}
	}
	return append(out, text[from:])
}

// literal is a value without the quotes around it; quoted says whether there
// were any.
func literal(f rowkey.FieldInfo, text string) (value string, quoted bool, err error) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		if twoConditions.MatchString(text) {
			return "", false, twoConds(f, text)
		}
		return text, false, nil
	}
	value, rest, err := unquote(f, text)
	switch {
	case err != nil:
		return "", false, err
	case strings.TrimSpace(rest) == "":
		return value, true, nil
	case twoConditions.MatchString(rest):
		return "", false, fmt.Errorf("%s: %s are two conditions: give them as two arguments", f.Name, Shown(text))
	}
	return "", false, fmt.Errorf("%s: expected nothing after the closing quote, not %s", f.Name, Shown(rest))
}

// unquote reads a text in quotes, and gives what stands after it. A quote within is
// written as \" or, as in SQL and CSV, twice.
func unquote(f rowkey.FieldInfo, text string) (value, rest string, err error) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch next := i+1 < len(text); {
		case text[i] == '\\' && next && (text[i+1] == text[0] || text[i+1] == '\\'), text[i] == text[0] && next && text[i+1] == text[0]:
			i++
			b.WriteByte(text[i])
		case text[i] == text[0]:
			return b.String(), text[i+1:], nil
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", fmt.Errorf("%s: a quote without its end: %s", f.Name, Shown(text))
}

var (
	twoConditions = pattern.New(`(?i)(?:^|\s)(?:and|&&)\s|(?:\s(?:or|\|\|)\s+|&&\s*|\|\|\s*)[\p{L}\p{N}_.-]+\s*(?:=|!=|<|>|:|\^=|\$=)`)
	nextCond      = pattern.New(`[,;]\s*([\p{L}\p{N}_.-]+)\s*(?:=|!=|<|>|:|\^=|\$=)`)
)

func twoConds(f rowkey.FieldInfo, text string) error {
	return fmt.Errorf("%s: %s are two conditions: give them as two arguments, or the value in quotes: '%s=\"%s\"'", f.Name, Shown(text), f.Name, text)
}

// meant refuses a text without quotes that looks like more than a text, and notes
// one that may be.
func (v *Values) meant(f rowkey.FieldInfo, text string) error {
	if f.Kind != "string" || f.Numeric || text == "" {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	where, sign, hint := "", "", ""
	switch {
	case strings.ContainsRune("([{<>=~`“‘「 \t", first):
		where, sign = "begins with", string(first)
		if strings.ContainsRune("([{", first) && strings.Contains(text, ",") {
			hint = fmt.Sprintf("; \"%s in A,B\" is a list, %[1]s:A..B an interval", f.Name)
		}
	case strings.ContainsRune(";*%”’」 \t", last), last == ')' && !strings.Contains(text, "("), last == ']' && !strings.Contains(text, "["), last == '}' && !strings.Contains(text, "{"), last == '>' && !strings.Contains(text, "<"):
		where, sign = "ends in", string(last)
		if last == '*' || last == '%' {
			hint = fmt.Sprintf("; what begins so is %s^=%s", f.Name, strings.TrimRight(text, "*%"))
		}
	case strings.Contains(text, ","):
		v.Notes.Add("meant , "+f.Name, fmt.Sprintf("%s: %s is read as one text: quote it if so; \"%[1]s in A,B\" is a list", f.Name, Shown(text)))
		return nil
	case strings.Contains(text, ".."):
		v.Notes.Add("meant .. "+f.Name, fmt.Sprintf("%s: %s is read as one text: quote it if so; %[1]s:A..B is from A to B", f.Name, Shown(text)))
		return nil
	case strings.EqualFold(text, "null"):
		v.Notes.Add("meant null "+f.Name, fmt.Sprintf("%s: %s is read as a text: quote it if so; \"%[1]s is null\" is the condition", f.Name, text))
		return nil
	default:
		return nil
	}
	return fmt.Errorf("%s: %s %s %q: quote it if that is part of the value: '%s=\"%s\"'%s", f.Name, Shown(text), where, sign, f.Name, text, hint)
}

// cond is the conditions of one argument.
func (v *Values) cond(f rowkey.FieldInfo, op, text string) ([]rowkey.Cond, error) {
	switch op {
	case "is":
		switch strings.ToLower(strings.Join(strings.Fields(text), " ")) {
		case "null":
			return []rowkey.Cond{rowkey.Null(f.Name)}, nil
		case "not null":
			return []rowkey.Cond{rowkey.NotNull(f.Name)}, nil
		}
		return nil, fmt.Errorf("%s: expected \"%[1]s is null\" or \"%[1]s is not null\", not %s", f.Name, Shown(strings.TrimSpace(f.Name+" is "+text)))
	case "in", "not in":
		return v.list(f, op, text)
	case "between":
		return nil, fmt.Errorf("%s: between: %[1]s:A..B is from A to B", f.Name)
	case "like", "not like":
		return nil, fmt.Errorf("%s: %s: %[1]s^=A is what begins with A, %[1]s$=A what ends in it", f.Name, op)
	}
	value, quoted, err := literal(f, text)
	if err != nil {
		return nil, err
	}
	if op == ":" {
		if from, to, ok := strings.Cut(value, ".."); ok && !quoted {
			if strings.HasPrefix(to, ".") || strings.Contains(to, "..") {
				return nil, fmt.Errorf("%s: which .. of %s stands between two values? '%[1]s>=A' '%[1]s<=B' says it", f.Name, Shown(value))
			}
			return v.between(f, strings.TrimSpace(from), strings.TrimSpace(to))
		}
		op = "="
	}
	if !quoted {
		if err := v.meant(f, value); err != nil {
			return nil, err
		}
	}
	if op == "^=" || op == "$=" {
		c, err := v.ending(f, op, value)
		return []rowkey.Cond{c}, err
	}
	return v.compared(f, op, value)
}

// compared is the conditions of an operator and a value. Of a field that is
// finer, a day is all of its instants.
func (v *Values) compared(f rowkey.FieldInfo, op, text string) ([]rowkey.Cond, error) {
	if f.Kind == "time" {
		t, day, err := v.Time(&f, []byte(text))
		if err != nil {
			return nil, err
		}
		if day && f.Time.Step < 24*time.Hour {
			next := t.In(v.In()).AddDate(0, 0, 1)
			switch op {
			case "=":
				return []rowkey.Cond{rowkey.AtLeast(f.Name, t), rowkey.LessThan(f.Name, next)}, nil
			case "<=":
				return []rowkey.Cond{rowkey.LessThan(f.Name, next)}, nil
			case ">":
				return []rowkey.Cond{rowkey.AtLeast(f.Name, next)}, nil
			case "!=":
				return nil, fmt.Errorf("%s: %s is a whole day, and what is not in it lies before and after: two scans, '%[1]s<%[2]s' and '%[1]s>%[2]s'", f.Name, text)
			}
		}
		return []rowkey.Cond{compare[time.Time](f.Name, op, []any{t})}, nil
	}
	var s Slot
	if err := v.Parse(&s, &f, []byte(text)); err != nil {
		return nil, err
	}
	return []rowkey.Cond{compareAny(f, op, []any{s.Value(&f)})}, nil
}

// between is the conditions of from..to: of numbers and texts both are in it, of
// instants the second is not, of days all of both is.
func (v *Values) between(f rowkey.FieldInfo, from, to string) (out []rowkey.Cond, err error) {
	if from == "" && to == "" {
		return nil, fmt.Errorf("%s: expected from..to, from.. or ..to", f.Name)
	}
	if f.Kind == "bool" {
		return nil, fmt.Errorf("%s: expected true or false", f.Name)
	}
	for _, text := range []string{from, to} {
		if err := v.meant(f, text); err != nil {
			return nil, err
		}
	}
	if from != "" {
		c, err := v.compared(f, ">=", from)
		if err != nil {
			return nil, err
		}
		out = append(out, c...)
	}
	if to != "" {
		op := "<="
		if f.Kind == "time" {
			_, day, err := v.Time(&f, []byte(to))
			if err != nil {
				return nil, err
			}
			if !day {
				op = "<"
			}
		}
		c, err := v.compared(f, op, to)
		if err != nil {
			return nil, err
		}
		out = append(out, c...)
	}
	return out, nil
}

// item is a value of a list.
type item struct {
	Text   string
	quoted bool
}

// items are the values of a list: with commas between, perhaps in parentheses, each
// perhaps in quotes.
func items(f rowkey.FieldInfo, text string) (out []item, err error) {
	rest := strings.TrimSpace(text)
	if strings.HasPrefix(rest, "(") {
		if !strings.HasSuffix(rest, ")") {
			return nil, fmt.Errorf("%s: a parenthesis without its end: %s", f.Name, Shown(text))
		}
		rest = strings.TrimSpace(rest[1 : len(rest)-1])
	}
	for more := rest != ""; more; {
		var it item
		if rest = strings.TrimSpace(rest); rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			it.quoted = true
			if it.Text, rest, err = unquote(f, rest); err != nil {
				return nil, err
			}
			var between string
			if between, rest, more = strings.Cut(rest, ","); strings.TrimSpace(between) != "" {
				return nil, fmt.Errorf("%s: expected a comma after the closing quote, not %s", f.Name, Shown(strings.TrimSpace(between)))
			}
		} else {
			it.Text, rest, more = strings.Cut(rest, ",")
			if it.Text = strings.TrimSpace(it.Text); it.Text == "" {
				return nil, fmt.Errorf("%s: nothing between two commas of %s: '' is the empty text", f.Name, Shown(text))
			}
			if strings.Contains(it.Text, `"`) {
				return nil, fmt.Errorf("%s: expected values with commas between, not %s", f.Name, Shown(text))
			}
		}
		out = append(out, it)
	}
	return out, nil
}

// list is the conditions of a list of values.
func (v *Values) list(f rowkey.FieldInfo, op, text string) (out []rowkey.Cond, err error) {
	if twoConditions.MatchString(text) && !strings.ContainsAny(text, `"'`) {
		return nil, fmt.Errorf("%s: %s are two conditions: give them as two arguments", f.Name, Shown(text))
	}
	list, err := items(f, text)
	if err != nil {
		return nil, err
	}
	vals := make([]any, 0, len(list))
	for _, it := range list {
		if !it.quoted {
			if err := v.meant(f, it.Text); err != nil {
				return nil, err
			}
		}
		if op == "not in" {
			c, err := v.compared(f, "!=", it.Text)
			if err != nil {
				return nil, err
			}
			out = append(out, c...)
			continue
		}
		if f.Kind == "time" {
			t, day, err := v.Time(&f, []byte(it.Text))
			if err != nil {
				return nil, err
			}
			if day && f.Time.Step < 24*time.Hour {
				if len(list) == 1 {
					return v.compared(f, "=", it.Text)
				}
				return nil, fmt.Errorf("%s: %s is a whole day, and several of them are several scans: %[1]s:%[2]s each, or %[1]s:FROM..TO", f.Name, it.Text)
			}
			vals = append(vals, t)
			continue
		}
		var s Slot
		if err := v.Parse(&s, &f, []byte(it.Text)); err != nil {
			return nil, err
		}
		vals = append(vals, s.Value(&f))
	}
	if op == "not in" {
		if len(out) == 0 {
			return nil, fmt.Errorf("%s: not in: expected values", f.Name)
		}
		return out, nil
	}
	return []rowkey.Cond{compareAny(f, "in", vals)}, nil
}

// ending is a condition on the beginning or the end of a text.
func (v *Values) ending(f rowkey.FieldInfo, op, text string) (rowkey.Cond, error) {
	switch {
	case f.Kind == "string" && !f.Numeric:
	case f.Kind == "binary":
		b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return rowkey.Cond{}, fmt.Errorf("%s: expected bytes in hexadecimal, not %s", f.Name, Shown(text))
		}
		text = string(b)
	default:
		return rowkey.Cond{}, fmt.Errorf("%s: only texts begin or end: expected =, !=, <, <=, >, >=, in or is", f.Name)
	}
	if op == "^=" {
		return rowkey.Prefix(f.Name, text), nil
	}
	return rowkey.Suffix(f.Name, text), nil
}

// compareAny is a condition on values of a field's kind.
func compareAny(f rowkey.FieldInfo, op string, vals []any) rowkey.Cond {
	switch f.Kind {
	case "string":
		return compare[string](f.Name, op, vals)
	case "binary":
		return compare[[]byte](f.Name, op, vals)
	case "uint":
		return compare[uint64](f.Name, op, vals)
	case "int":
		return compare[int64](f.Name, op, vals)
	case "float":
		return compare[float64](f.Name, op, vals)
	case "bool":
		return compare[bool](f.Name, op, vals)
	}
	return compare[time.Time](f.Name, op, vals)
}

// Crossed is the error of a condition whose ends cross, as n:9..5, or of two that cross, in the words in which they
// were given; else err.
func Crossed(s *rowkey.Schema, args []string, groups [][]rowkey.Cond, err error) error {
	inverted := func(conds ...rowkey.Cond) bool {
		_, err := s.Scan(append(conds, rowkey.FullScan())...)
		return errors.Is(err, rowkey.ErrInverted)
	}
	for i := range args {
		if inverted(groups[i]...) {
			return fmt.Errorf("no row has %s: %w", args[i], rowkey.ErrInverted)
		}
		for j := range i {
			if inverted(slices.Concat(groups[j], groups[i])...) {
				return fmt.Errorf("no row has both %s and %s: %w", args[j], args[i], rowkey.ErrInverted)
			}
		}
	}
	return err
}

// WhyEmpty is why a plan has no ranges: which of the conditions no row meets, or
// which two of them no row meets together. It is empty for other plans.
func WhyEmpty(lang string, s *rowkey.Schema, p *rowkey.Plan, args []string, groups [][]rowkey.Cond) string {
	none := func(p *rowkey.Plan) bool {
		for range p.Ranges() {
			return false
		}
		return true
	}
	if !none(p) {
		return ""
	}
	empty := func(which ...int) bool {
		conds := []rowkey.Cond{rowkey.FullScan(), rowkey.MaxRanges(1 << 20)}
		for _, i := range which {
			conds = append(conds, groups[i]...)
		}
		p, err := s.Scan(conds...)
		return err == nil && none(p)
	}
	for i, arg := range args {
		if empty(i) {
			return texts.InPlan(lang, "no-row", arg)
		}
	}
	for i := range args {
		for j := range i {
			if empty(j, i) {
				return texts.InPlan(lang, "no-row-both", args[j], args[i])
			}
		}
	}
	return texts.InPlan(lang, "no-row-all")
}

// compare is a condition on values whose type was found at run time.
func compare[T rowkey.Value](name, op string, vals []any) rowkey.Cond {
	list := make([]T, len(vals))
	for i, v := range vals {
		list[i] = v.(T)
	}
	switch op {
	case "in":
		return rowkey.In(name, list...)
	case "!=":
		return rowkey.NotEq(name, list[0])
	case ">=":
		return rowkey.AtLeast(name, list[0])
	case "<=":
		return rowkey.AtMost(name, list[0])
	case ">":
		return rowkey.MoreThan(name, list[0])
	case "<":
		return rowkey.LessThan(name, list[0])
	}
	return rowkey.Eq(name, list[0])
}
