package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey"
)

// way is one way to write a value: a component of the notation, and the schema that
// writes it. Nothing is encoded but by the library.
type way struct {
	kind     kind
	unit     string // of a time: ms, layout("20060102",UTC)
	decl     string // of the others: ":8"
	opts     string // each option with a space before it
	copyOnly bool   // left and right
	mid      bool   // it is not the last field: Phoenix ends a text, and writes a null, only there
	cost     float64
	schema   *rowkey.Schema
}

// notation is the component with a field's name.
func (w *way) notation(name string) string {
	if w.unit != "" {
		return "[" + w.unit + "(" + name + ")" + w.opts + "]"
	}
	return "[" + name + w.decl + w.opts + "]"
}

// declaration is the field alone, without the options that say how it is written.
func (w *way) declaration(name string) string {
	if w.unit != "" {
		return "[" + w.unit + "(" + name + ")]"
	}
	return "[" + name + w.decl + "]"
}

// copy is the component as a copy of a field.
func (w *way) copy(name, of string) string {
	unit := ""
	if w.unit != "" {
		unit = " " + w.unit
	}
	return "[" + name + "=" + of + unit + w.opts + "]"
}

// encoders are the schemas of single components, by notation; nil of one that Parse
// refuses.
var encoders sync.Map

func encoderOf(notation string) *rowkey.Schema {
	if s, ok := encoders.Load(notation); ok {
		return s.(*rowkey.Schema)
	}
	s, err := rowkey.Parse("", notation)
	if err != nil {
		s = nil
	}
	encoders.Store(notation, s)
	return s
}

// ready makes the encoder of a way; false if the notation has no such component.
func (w *way) ready() bool {
	switch {
	case w.copyOnly:
		w.schema = encoderOf(w.copy("c", "v") + "[v" + w.decl + " notstored]")
	case w.mid:
		w.schema = encoderOf(w.notation("v") + "[last:1]")
	default:
		w.schema = encoderOf(w.notation("v"))
	}
	return w.schema != nil
}

// append writes a value as the component does; nil is null.
func (w *way) append(dst []byte, v any) ([]byte, error) {
	if !w.mid {
		return w.schema.AppendKey(dst, v)
	}
	out, err := w.schema.AppendKey(dst, v, uint64(0))
	if err != nil {
		return out, err
	}
	return out[:len(out)-1], nil
}

// phoenixMids are the ways of Phoenix of a field that is not the last one, where its bytes are
// other ones.
var phoenixMids = []string{" desc phoenix", " numeric phoenix", " numeric desc phoenix"}

// nullWays are the ways of a column that has nulls.
var nullWays = map[kind]func() []*way{
	kindText:  sync.OnceValue(func() []*way { return nullable(kindText) }),
	kindBytes: sync.OnceValue(func() []*way { return nullable(kindBytes) }),
	kindUint:  sync.OnceValue(func() []*way { return nullable(kindUint) }),
	kindInt:   sync.OnceValue(func() []*way { return nullable(kindInt) }),
}

func nullable(k kind) (out []*way) {
	for _, w := range ways[k]() {
		for _, dialect := range []string{" phoenix", " orderedbytes"} {
			opts, of := strings.CutSuffix(w.opts, dialect)
			if !of {
				continue
			}
			null := &way{kind: k, decl: w.decl, opts: opts + " optional" + dialect, mid: w.mid, cost: w.cost + 2}
			if null.ready() {
				out = append(out, null)
			}
			if mid := *null; !mid.mid {
				if mid.mid = true; mid.ready() {
					out = append(out, &mid)
				}
			}
		}
	}
	return out
}

// endedText is a text of Phoenix with its end, which it lacks before nulls that end the key.
var endedText = sync.OnceValue(func() []*way {
	w := &way{kind: kindText, opts: " phoenix", mid: true, cost: 8}
	w.ready()
	return []*way{w}
})

// waysOf are the ways to write a column of a table, which may have nulls.
func waysOf(r *reading, nulls bool) []*way {
	if !r.nulls {
		if nulls && r.kind == kindText {
			return slices.Concat(ways[r.kind](), endedText())
		}
		return ways[r.kind]()
	}
	if of := nullWays[r.kind]; of != nil {
		return of()
	}
	return nil
}

var layouts = []string{"20060102", "2006-01-02", "200601", "2006-01", "2006", "2006010215", "200601021504", "20060102150405", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
	"2006/01/02", "20060102 15:04:05", "060102", "06010215", "060102150405", "2006-01-02-15", "2006-01-02 15", "2006-01-02 15:04", "15", "1504", "150405",
	"20060102150405.000", "0102", "01", "02", "2006-01-02 15:04:05.000", "20060102150405000"}

// units are the units of a time, the usual one first, with the oddity of each.
var units = []struct {
	word string
	cost float64
}{{"ms", 2}, {"s", 3}, {"us", 6}, {"ns", 7}, {"min", 6}, {"h", 5}, {"d", 5}}

// truncations are the durations that a time may be rounded down to, coarser ones too
// where a unit is not finer.
var truncations = []string{"1m", "5m", "10m", "15m", "30m", "1h", "6h", "12h", "24h"}

// ways has the ways of each kind that do not depend on the rows. They are made once.
var ways = map[kind]func() []*way{
	kindText:  sync.OnceValue(func() []*way { return listed(kindText, textWays) }),
	kindBytes: sync.OnceValue(func() []*way { return listed(kindBytes, bytesWays) }),
	kindUint:  sync.OnceValue(func() []*way { return listed(kindUint, uintWays) }),
	kindInt:   sync.OnceValue(func() []*way { return listed(kindInt, intWays) }),
	kindFloat: sync.OnceValue(func() []*way { return listed(kindFloat, floatWays) }),
	kindBool:  sync.OnceValue(func() []*way { return listed(kindBool, boolWays) }),
	kindTime:  sync.OnceValue(func() []*way { return listed(kindTime, timeWays) }),
}

// addWay adds a way: unit or decl, options, oddity in bits.
type addWay func(head, opts string, cost float64)

func listed(k kind, list func(add addWay)) (out []*way) {
	list(func(head, opts string, cost float64) {
		w := &way{kind: k, decl: head, opts: opts, cost: cost}
		if k == kindTime {
			w.unit, w.decl = head, ""
		}
		if w.ready() {
			out = append(out, w)
		}
		if mid := *w; slices.Contains(phoenixMids, opts) {
			if mid.mid = true; mid.ready() {
				out = append(out, &mid)
			}
		}
	})
	return out
}

func textWays(add addWay) {
	add("", "", 0)
	for i, o := range []string{" reverse", " reverserune", ` reverselabels(".")`, ` reverselabels("/")`, ` reverselabels("-")`, ` reverselabels(":")`, " uuid",
		" escaped", " desc", " lenprefix(1)", " lenprefix(2)", " lenprefix(4)", " orderedbytes", " desc orderedbytes", " phoenix", " desc phoenix", " numeric orderedbytes",
		" numeric phoenix", " numeric desc phoenix", " numeric desc orderedbytes", " escaped desc", " reverse escaped", " reverse lenprefix(1)", " reverse lenprefix(2)",
		` reverselabels(".") lenprefix(1)`, ` reverselabels(".") escaped`, " uuid reverse", " uuid desc"} {
		add("", o, 3+float64(i)/3)
	}
}

func bytesWays(add addWay) {
	for i, o := range []string{"", " reverse", " desc", " escaped", " lenprefix(1)", " lenprefix(2)", " lenprefix(4)", " orderedbytes", " phoenix", " blobcopy orderedbytes",
		" desc orderedbytes", " desc phoenix", " escaped desc", " reverse escaped", " desc blobcopy orderedbytes"} {
		add(":bytes", o, 2+float64(i))
	}
}

func uintWays(add addWay) {
	for i, d := range []string{":8", ":4", ":2", ":1"} {
		odd := float64(i) / 8
		add(d, "", 3+odd)
		add(d, " desc", 5+odd)
		add(d, " reverse", 7+odd)
		add(d, " phoenix", 8+odd)
		add(d, " desc phoenix", 9+odd)
		add(d, " desc decimal", 9+odd)
		if i > 0 { // of 8 bytes below
			add(d, " desc digits("+[]string{"10", "5", "3"}[i-1]+")", 9.5+odd)
		}
		add(d, " desc reverse", 9+odd)
	}
	for _, n := range []int{3, 5, 6, 7} {
		w := fmt.Sprintf(" width(%d)", n)
		add(":8", w, 6)
		add(":8", w+" desc", 8)
		add(":8", w+" reverse", 9)
	}
	add(":8", " decimal", 1)
	add(":8", " decimal reverse", 4)
	add(":8", " varint", 7)
	add(":8", " varint desc", 9)
	add(":8", " desc decimal", 7)
	add(":8", " desc decimal reverse", 9)
	for n := 1; n <= 20; n++ {
		d := fmt.Sprintf(" digits(%d)", n)
		add(":8", d, 4)
		add(":8", d+" reverse", 5)
		add(":8", d+" desc", 7)
		add(":8", " desc"+d, 7)
	}
	for n := 1; n <= 16; n++ {
		d := fmt.Sprintf(" hexdigits(%d)", n)
		add(":8", d, 6)
		add(":8", d+" reverse", 8)
		add(":8", d+" desc", 9)
	}
}

func intWays(add addWay) {
	for i, d := range []string{":i8", ":i4", ":i2", ":i1"} {
		odd := float64(i) / 8
		for j, o := range []string{"", " desc", " hbase", " orderedbytes", " desc orderedbytes", " phoenix", " desc phoenix", " reverse", " hbase reverse", " desc decimal", " desc hbase", " desc reverse", " desc hbase reverse"} {
			add(d, o, 5+odd+float64(j/2))
		}
		add(d, " desc digits("+[]string{"19", "10", "5", "3"}[i]+")", 10+odd)
	}
	add(":i8", " decimal", 2)
	add(":i8", " decimal reverse", 5)
	add(":i8", " numeric orderedbytes", 9)
	add(":i8", " numeric desc orderedbytes", 10)
	add(":i8", " numeric phoenix", 9)
	add(":i8", " numeric desc phoenix", 10)
	for _, n := range []int{3, 5, 6, 7} {
		add(":i8", fmt.Sprintf(" width(%d)", n), 8)
	}
}

func floatWays(add addWay) {
	for _, d := range []string{":f8", ":f4"} {
		for i, o := range []string{"", " desc", " hbase", " orderedbytes", " desc orderedbytes", " phoenix", " desc phoenix", " unsigned phoenix", " reverse", " hbase reverse"} {
			add(d, o, 5+float64(i/2))
		}
	}
}

func boolWays(add addWay) {
	for i, o := range []string{"", " desc", " hbase", " orderedbytes", " phoenix", " desc orderedbytes", " desc phoenix"} {
		add(":bool", o, 4+float64(i))
	}
}

func timeWays(add addWay) {
	for i, u := range units {
		for j := -1; j < len(truncations); j++ {
			cost, cut := u.cost, ""
			if j >= 0 {
				if i > 1 { // hours and days are cut already, micros are rare
					break
				}
				cost, cut = cost+6, " truncate("+truncations[j]+")"
			}
			in := func(opts string, odd float64) { add(u.word, cut+opts, cost+odd) }
			in("", 0)
			in(" desc", 1)
			in(" decimal", 0)
			in(" desc decimal", 1.5)
			in(" decimal reverse", 3)
			in(" desc decimal reverse", 3)
			in(" reverse", 4)
			in(" desc reverse", 4)
			in(" desc digits(19)", 1) // the digits of " desc decimal", of which there are 19, and in order
			in(" desc digits(19) reverse", 4)
			for _, n := range []int{4, 2, 3, 5, 6, 7} {
				w := fmt.Sprintf(" width(%d)", n)
				in(w, 2)
				in(w+" desc", 2.5)
				if n == 4 {
					in(w+" desc digits(10)", 4)
					in(w+" desc decimal", 4)
					in(w+" reverse", 6)
				}
			}
			for _, n := range []int{10, 13, 16, 19, 5, 6, 7, 8, 9, 11, 12, 14, 15, 17, 18} {
				d := fmt.Sprintf(" digits(%d)", n)
				in(d, 2)
				in(d+" reverse", 3)
				in(d+" desc", 3)
			}
			for _, n := range []int{8, 11, 12, 16} {
				in(fmt.Sprintf(" hexdigits(%d)", n), 6)
			}
		}
		for j, o := range []string{" phoenix", " desc phoenix", " orderedbytes", " desc orderedbytes", " unsigned phoenix", " desc unsigned phoenix"} {
			add(u.word, o, 6+float64(j)+float64(i))
		}
	}
	for i, l := range layouts {
		for j, z := range zones {
			cost := 3 + float64(i)/4 + 1.2*float64(j)
			u := fmt.Sprintf("layout(%q,%s)", l, z)
			add(u, "", cost)
			add(u, " reverse", cost+4)
			if l == "20060102" || l == "200601" || l == "2006010215" {
				add(u, " width(4)", cost+4)
			}
		}
	}
}

// fillers are the ways of a text or bytes that depend on the rows: widths that are
// filled up, the first or last bytes, a part that is reversed. What fills, and how far,
// is read beside the shortest value in its key, where an empty one stands everywhere. What is found
// until it is late is all.
func fillers(r *reading, keys [][]byte, late func() bool) (out []*way) {
	if r.kind != kindText && r.kind != kindBytes || r.nulls {
		return nil
	}
	decl := ""
	if r.kind == kindBytes {
		decl = ":bytes"
	}
	seen := map[string]bool{}
	add := func(copyOnly bool, opts string, cost float64) {
		w := &way{kind: r.kind, decl: decl, opts: opts, copyOnly: copyOnly, cost: cost}
		if !seen[opts] {
			seen[opts] = true
			if w.ready() {
				out = append(out, w)
			}
		}
	}
	lens := make([]int, len(r.vals))
	short := 0
	for i, v := range r.vals {
		lens[i] = len(textOf(v))
		if lens[i] < lens[short] {
			short = i
		}
	}
	longest := slices.Max(lens)
	one := slices.Min(lens) == longest
	key := keys[short]
	for _, t := range []struct {
		opts, after string
		of          func(b []byte) []byte
		cost        float64
	}{
		{"", "", bytes.Clone, 6},
		{" reverse", "", reversed, 8},
		{" desc", "", complement, 11},
		{"", " desc phoenix", complement, 10},
		{"", " desc", complement, 12},
		{" desc", " phoenix", complement, 12},
	} {
		v := t.of([]byte(textOf(r.vals[short])))
		var done [2][256]int // by side and filler, the widths up to which are added
		for at := 0; at+len(v) <= len(key) && !late(); at++ {
			if !bytes.HasPrefix(key[at:], v) {
				continue
			}
			end := at + len(v)
			for side := range 2 {
				n, fill := 0, byte(0)
				if side == 0 {
					for end+n < len(key) && key[end+n] == key[end] {
						fill = key[end]
						n++
					}
				} else {
					for at-n > 0 && key[at-n-1] == key[at-1] {
						fill = key[at-1]
						n++
					}
				}
				from := max(len(v)+1, longest, done[side][fill]+1)
				done[side][fill] = max(done[side][fill], len(v)+n)
				for k := from; k <= len(v)+n && !late(); k++ {
					few := 0.0 // a filler or two after texts of one length are sooner a separator
					if one {
						few = max(0, 12-3*float64(k-longest))
					}
					word := []string{"pad", "padleft"}[side]
					cost := t.cost + few + float64(side)/2
					if strings.IndexByte("\x00 0", fill) < 0 {
						cost += 3
					}
					add(false, fmt.Sprintf("%s %s(%d,%s)%s", t.opts, word, k, quote([]byte{fill}), t.after), cost)
					if t.after != "" {
						add(false, fmt.Sprintf("%s %s(%d,%s)%s", t.opts, word, k, quote([]byte{^fill}), t.after), cost)
					}
				}
			}
		}
	}
	if r.kind == kindBytes {
		return out
	}
	for n := 1; n < min(longest, 24); n++ {
		add(true, fmt.Sprintf(" left(%d)", n), 7)
		add(true, fmt.Sprintf(" right(%d)", n), 7)
		add(true, fmt.Sprintf(" left(%d) reverse", n), 9)
		add(true, fmt.Sprintf(" right(%d) reverse", n), 9)
	}
	if one && longest > 3 && longest <= 20 {
		for a := range longest {
			for b := a + 2; b <= longest; b++ {
				if a > 0 || b < longest {
					add(false, " reversepart("+strconv.Itoa(a)+","+strconv.Itoa(b)+")", 10)
				}
			}
		}
	}
	return out
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

func complement(b []byte) []byte {
	b = slices.Clone(b)
	for i := range b {
		b[i] = ^b[i]
	}
	return b
}

// quote is bytes as a text of the notation.
func quote(b []byte) string {
	var o strings.Builder
	o.WriteByte('\'')
	for _, c := range b {
		switch {
		case c == '\'' || c == '\\':
			o.WriteByte('\\')
			o.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			o.WriteByte(c)
		default:
			fmt.Fprintf(&o, `\x%02X`, c)
		}
	}
	o.WriteByte('\'')
	return o.String()
}
