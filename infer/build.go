package infer

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// source says where the value of a field comes from.
type source struct {
	rd  *reading // nil of bytes that nothing explains
	gap *comp
}

// names gives each column a name of the notation.
func names(columns []string) []string {
	used := map[string]bool{"salt": true, "hash": true, "rowkey": true}
	out := make([]string, len(columns))
	for i, c := range columns {
		var b strings.Builder
		for _, r := range c {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r > 127 {
				b.WriteRune(r)
			} else {
				b.WriteByte('_')
			}
		}
		n := b.String()
		if n == "" || n[0] >= '0' && n[0] <= '9' {
			n = "c" + n
		}
		if encoderOf("["+n+"]") == nil {
			n = fmt.Sprintf("column%d", i+1)
		}
		for used[n] {
			n += "_"
		}
		used[n] = true
		out[i] = n
	}
	return out
}

// slot is a component that is being put together: loose or fixed stands between the
// parts of its notation where the library asks for it.
type slot struct {
	before, after string
	field         string
	width         string // fixed, of values that all have one length
	fixed         string // the same where it is said
	loose         bool
}

// maySayWidth reports a text or bytes that fixed can stand beside.
func (w *way) maySayWidth() bool {
	if w.kind != kindText && w.kind != kindBytes {
		return false
	}
	return w.opts == "" || strings.HasPrefix(w.opts, " reverse") && strings.Count(w.opts, " ") == 1 || w.kind == kindBytes && w.opts == " desc"
}

func (s *slot) notation() string {
	out := s.before
	if s.field == "" {
		return out
	}
	out += s.fixed
	if s.loose {
		out += " loose"
	}
	return out + s.after
}

// builder finds the notation of a path that Parse admits and that writes the keys of
// the search's rows.
type builder struct {
	s       *search
	path    []*comp
	names   []string // of the columns
	slots   []slot
	sources map[string]source
	extra   map[string]string // fields that are not stored, by name
	stored  map[int]*comp     // the first component of each column
	as      map[*comp]string  // the name that a component got
}

func newBuilder(s *search, path []*comp, names []string) *builder {
	b := &builder{s: s, path: path, names: names, sources: map[string]source{}, extra: map[string]string{}, stored: map[int]*comp{}, as: map[*comp]string{}}
	for _, c := range path {
		if c.kind == isField && !c.way.copyOnly && b.stored[c.rd.col] == nil {
			b.stored[c.rd.col] = c
		}
	}
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	fresh := func(n string, from int) string {
		for k := from; ; k++ {
			if name := fmt.Sprintf("%s%d", n, k); !taken[name] {
				taken[name] = true
				return name
			}
		}
	}
	field := func(name, notation string) slot {
		return slot{before: notation[:len(notation)-1], after: "]", field: name}
	}
	for i, c := range path {
		switch c.kind {
		case isConst:
			b.slots = append(b.slots, slot{before: "[" + quote(c.text) + "]"})
		case isGap:
			n := fresh("unexplained", 1)
			w := &way{kind: kindBytes, decl: ":bytes", opts: c.opts}
			b.sources[n] = source{gap: c}
			b.slots = append(b.slots, field(n, w.notation(n)))
		case isHash, isSalt:
			b.slots = append(b.slots, slot{})
		case isField:
			n := names[c.rd.col]
			first := b.stored[c.rd.col]
			switch {
			case first == c:
				sl := field(n, c.way.notation(n))
				next := i + 1
				if c.rd.one > 0 && next < len(path) && c.way.maySayWidth() {
					sl.width = fmt.Sprintf(" fixed(%d)", c.rd.one)
					if c.way.kind == kindBytes || path[next].kind != isConst { // bytes may hold any separator
						sl.fixed = sl.width
					}
				}
				b.sources[n], b.as[c] = source{rd: c.rd}, n
				b.slots = append(b.slots, sl)
			case c.way.copyOnly || first != nil && first.rd.form == c.rd.form && first.way.decl == c.way.decl:
				of := n
				if first == nil || first.rd.kind != c.rd.kind { // a copy of a text that is stored as something else
					if first != nil {
						of = fresh(n+"_", 1)
					}
					b.extra[of] = "[" + of + c.way.decl + " notstored]"
					b.sources[of] = source{rd: c.rd}
				}
				n = fresh(n+"_", 2)
				b.slots, b.as[c] = append(b.slots, field(n, c.way.copy(n, of))), n
			default:
				n = fresh(n+"_", 2)
				b.sources[n], b.as[c] = source{rd: c.rd}, n
				b.slots = append(b.slots, field(n, c.way.notation(n)))
			}
		}
	}
	return b
}

// said is a way to say the input of a hash or a salt.
type said struct {
	phrase
	own bool // the inputs are fields of their own, which are not stored
}

// phrases are the ways to say what a derived component is computed over.
func phrasesOf(c *comp) (out []said) {
	if c.in.rest {
		return []said{{phrase{"rest()", nil}, false}}
	}
	all := c.in.phrases()
	for _, own := range []bool{false, true} {
		for _, p := range all {
			if own && slices.ContainsFunc(p.means, func(m *meaning) bool { return m.decl == "" }) {
				continue
			}
			out = append(out, said{p, own})
		}
	}
	return out
}

// mostTries bounds the notations that are tried for one path.
const mostTries = 160

// build tries the ways to say each hash and salt until the keys are equal. forced has
// the ways that are given.
func (b *builder) build(forced map[*comp]said) *Layout {
	var derived []int
	var choices [][]said
	for i, c := range b.path {
		if c.kind != isHash && c.kind != isSalt {
			continue
		}
		derived = append(derived, i)
		if f, ok := forced[c]; ok {
			choices = append(choices, []said{f})
			continue
		}
		choices = append(choices, phrasesOf(c))
	}
	for _, c := range choices {
		if len(c) == 0 {
			return nil
		}
	}
	pick := make([]int, len(derived))
	for range mostTries {
		chosen := map[int]said{}
		for j, i := range derived {
			chosen[i] = choices[j][pick[j]]
		}
		if l := b.try(chosen); l != nil {
			return l
		}
		j := 0
		for ; j < len(pick); j++ {
			if pick[j]++; pick[j] < len(choices[j]) {
				break
			}
			pick[j] = 0
		}
		if j == len(pick) {
			break
		}
	}
	return nil
}

// try is the layout with these inputs; nil if there is none.
func (b *builder) try(chosen map[int]said) *Layout {
	extra, sources := maps.Clone(b.extra), maps.Clone(b.sources)
	slots := slices.Clone(b.slots)
	for i, how := range chosen {
		c := b.path[i]
		text := how.text
		for k := len(how.means) - 1; k >= 0; k-- {
			name, ok := b.input(how.means[k], how.own, extra, sources)
			if !ok {
				return nil
			}
			text = strings.ReplaceAll(text, fmt.Sprintf("%%%d", k+1), name)
			if c.kind == isHash && how.text == "%1" && numberInText(slots, name) {
				text = "values(" + name + ")"
			}
		}
		slots[i].before = "[" + c.part + "(" + text + ")" + c.opts + "]"
	}
	for range len(slots) + 1 {
		var n strings.Builder
		for i := range slots {
			n.WriteString(slots[i].notation())
		}
		for _, name := range slices.Sorted(maps.Keys(extra)) {
			n.WriteString(extra[name])
		}
		schema, err := rowkey.Parse("inferred", n.String())
		if err == nil {
			l := &Layout{schema: schema, path: b.path, chosen: chosen, extra: len(extra), one: map[string]int{}}
			for k := range slots {
				if slots[k].fixed != "" {
					l.one[slots[k].field] = sources[slots[k].field].rd.one
				}
			}
			for f := range schema.Fields() {
				if f.Name != "" && !f.Derived {
					l.fields = append(l.fields, f.Name)
					l.sources = append(l.sources, sources[f.Name])
				}
			}
			if err = l.fits(b.s); err == nil {
				return l
			}
		}
		var e *rowkey.Error
		if !errors.As(err, &e) || e.Field == "" {
			return nil
		}
		loosened := false
		for k := range slots {
			switch sl := &slots[k]; {
			case sl.field != e.Field || sl.loose || sl.fixed != "":
			case sl.width != "": // a key of one length is read back, one of a loose text may not be
				sl.fixed, loosened = sl.width, true
			default:
				sl.loose, loosened = true, true
			}
		}
		if !loosened {
			return nil
		}
	}
	return nil
}

// textOfNumber is what the notation says of a number that the key holds as text.
var textOfNumber = pattern.New(` (?:hex)?digits\(| decimal\b`)

// numberInText reports that the key holds a field as the text of a number: a hash must say then which of
// its bytes are meant.
func numberInText(slots []slot, field string) bool {
	return slices.ContainsFunc(slots, func(sl slot) bool { return sl.field == field && textOfNumber.MatchString(sl.notation()) })
}

// input is the name by which a hash knows a meaning; it may add a field that is not
// stored.
func (b *builder) input(m *meaning, own bool, extra map[string]string, sources map[string]source) (string, bool) {
	name := b.names[m.rd.col]
	if m.way != nil && m.as&asStored != 0 && !own {
		for _, c := range b.path {
			if n, ok := b.as[c]; ok && c.kind == isField && c.rd.col == m.rd.col && c.way.notation("") == m.way.notation("") {
				return n, true
			}
		}
	}
	if own && b.stored[m.rd.col] != nil {
		name += "_h"
	}
	if b.stored[m.rd.col] == nil || own {
		if m.decl == "" {
			return "", false
		}
		d := fmt.Sprintf(m.decl, name)
		d = d[:len(d)-1] + " notstored]"
		if old, ok := extra[name]; ok && old != d {
			if name += "_"; extra[name] != "" && extra[name] != d {
				return "", false
			}
		}
		extra[name], sources[name] = d, source{rd: m.rd}
	}
	return name, true
}

var errOther = errors.New("another key")

// fits compares the keys of the search's rows.
func (l *Layout) fits(s *search) error {
	vals := make([]any, len(l.sources))
	var buf []byte
	for i := range s.keys {
		for j, x := range l.sources {
			switch {
			case x.gap != nil:
				vals[j] = x.gap.enc[i]
			case x.rd == nil:
				return errOther
			default:
				vals[j] = x.rd.vals[i]
			}
		}
		k, err := l.schema.AppendKey(buf[:0], vals...)
		if err != nil {
			return err
		}
		if buf = k; !bytes.Equal(k, s.keys[i]) {
			return errOther
		}
	}
	return nil
}

// turnedSign reports that a component is a number in binary whose sign bit is turned: of the
// programs that write such tables, Phoenix does it.
func turnedSign(c notation.Component) bool {
	return c.Kind == notation.Int && !slices.ContainsFunc(c.Options, func(o notation.Option) bool { return o.Word != notation.Desc })
}

// ofOneDialect is the layout with the dialect of some of its fields in all of them, if that
// writes the same keys: who writes one column as Phoenix does writes all of them so.
func (l *Layout) ofOneDialect(same func(schema *rowkey.Schema) bool) *Layout {
	read, problem := notation.Parse(l.String(), digest.Names())
	if problem != nil {
		return l
	}
	dialect := notation.Word("")
	of := func(c *notation.Component) notation.Word {
		for _, o := range c.Options {
			if o.Word.Option() == notation.DialectOption {
				return o.Word
			}
		}
		return ""
	}
	for i := range read.Components {
		switch d := of(&read.Components[i]); {
		case d == "" || d == dialect:
		case d == "hbase" || dialect != "":
			return l
		default:
			dialect = d
		}
	}
	if dialect == "" && slices.ContainsFunc(read.Components, turnedSign) {
		dialect = "phoenix"
	}
	if dialect == "" {
		return l
	}
	var b strings.Builder
	for i := 0; i < len(read.Components); i++ {
		c := read.Components[i]
		switch c.Kind {
		case notation.String, notation.Binary, notation.Uint, notation.Int, notation.Float, notation.Bool, notation.Time:
			if of(&c) != "" || slices.ContainsFunc(c.Options, func(o notation.Option) bool { return o.Word == notation.NotStored }) {
				break
			}
			plain := len(c.Options) == 0
			c.Options = append(slices.Clone(c.Options), notation.Option{Word: dialect})
			if next := i + 1; plain && c.Kind == notation.String && next < len(read.Components) && read.Components[next].Kind == notation.Separator && read.Components[next].Text == "\x00" {
				i++ // the end of the dialect's text
			}
		}
		b.WriteString(c.String())
	}
	schema, err := rowkey.Parse("inferred", b.String())
	if err != nil || !same(schema) {
		return l
	}
	out := *l
	out.schema = schema
	return &out
}
