package notation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Layout is a notation after reading: the declarations in key order.
type Layout struct {
	Settings   []Option // the words before the first component: maxlen, a dialect
	Components []Component
	Samples    []Sample
}

// Kind is what a component is.
type Kind uint8

const (
	_ Kind = iota
	String
	Binary
	Uint
	Int
	Float
	Bool
	Time
	Separator // constant bytes that end the field before them: ['_']
	Literal   // constant bytes that end nothing: ["v1"]
	Salt
	Hash
	Copy
)

// kinds are the names of the kinds of values in errors.
var kinds = [...]string{String: "string", Binary: "binary", Uint: "uint", Int: "int", Float: "float", Bool: "bool", Time: "time"}

// Component is what stands in one pair of brackets. A field that its kind does not have is
// zero.
type Component struct {
	Kind    Kind
	Name    string // empty for a Salt or a Hash: the option named has its name
	Size    int    // of a Uint, an Int or a Float, in bytes
	Text    string // of a constant
	Unit    Unit   // of a Time
	Of      string // of a Copy
	Input   Input  // of a Salt or a Hash
	Part    Part   // of a Hash
	Buckets int    // of a Salt
	Options []Option

	// Places in the text that was read.
	At       int       // of the first byte after the opening bracket
	OptionAt []int     // of each option
	Mentions []Mention // of the names of other components
}

// Mention is a place where a component names another one.
type Mention struct {
	Name string
	At   int
}

// Sample is a key and its values, one for each field.
type Sample struct {
	Key    string
	Values []any // nil for null; else a string, []byte, uint64, int64, float64, bool or time.Time
	At     int
}

// String is the component as it is written, such as [max-ms(at)].
func (c *Component) String() string {
	options := c.Options
	var b strings.Builder
	b.WriteString("[")
	switch c.Kind {
	case Separator:
		b.WriteString(Quote([]byte(c.Text), '\''))
	case Literal:
		b.WriteString(Quote([]byte(c.Text), '"'))
	case Salt:
		fmt.Fprintf(&b, "salt%d(%s)", c.Buckets, c.Input)
	case Hash:
		fmt.Fprintf(&b, "%s(%s)", c.Part, c.Input)
	case Copy:
		b.WriteString(c.Name + "=" + c.Of)
	case String:
		b.WriteString(c.Name)
	case Binary:
		b.WriteString(c.Name + ":bytes")
	case Uint:
		b.WriteString(c.Name + ":" + strconv.Itoa(c.Size))
	case Int:
		b.WriteString(c.Name + ":i" + strconv.Itoa(c.Size))
	case Float:
		b.WriteString(c.Name + ":f" + strconv.Itoa(c.Size))
	case Bool:
		b.WriteString(c.Name + ":bool")
	case Time:
		if len(options) > 0 && options[0].Word == Desc {
			b.WriteString("max-")
			options = options[1:]
		}
		b.WriteString(c.Unit.String() + "(" + c.Name + ")")
	}
	for i := range options {
		b.WriteString(" " + options[i].String())
	}
	b.WriteString("]")
	return b.String()
}

// Option is an option with its arguments. Args says which of these fields a word has.
type Option struct {
	Word     Word
	N, M     int
	Byte     byte
	Bound    uint64
	Text     string
	List     []string
	Pairs    map[string]string
	Duration time.Duration
	Unit     Unit // of UnitOption
	Part     Part // of PartOption
}

// String is the option as it is written, such as pad(5,'x').
func (o *Option) String() string {
	switch o.Word {
	case UnitOption:
		return o.Unit.String()
	case PartOption:
		return o.Part.String()
	}
	info := byWord[o.Word]
	if info == nil || info.Args == NoArgs {
		return string(o.Word)
	}
	return string(o.Word) + "(" + o.args(info.Args) + ")"
}

func (o *Option) args(a Args) string {
	switch a {
	case OneNumber:
		return strconv.Itoa(o.N)
	case TwoNumbers:
		return fmt.Sprintf("%d,%d", o.N, o.M)
	case NumberByte:
		return fmt.Sprintf("%d,%s", o.N, Quote([]byte{o.Byte}, '\''))
	case OneText:
		return strconv.QuoteToASCII(o.Text)
	case OneName:
		return o.Text
	case ADuration:
		return o.Duration.String()
	case ABound:
		return strconv.FormatUint(o.Bound, 10)
	}
	var items []string
	for _, v := range o.List {
		items = append(items, strconv.QuoteToASCII(v))
	}
	for _, v := range slices.Sorted(maps.Keys(o.Pairs)) {
		items = append(items, strconv.QuoteToASCII(v)+":"+strconv.QuoteToASCII(o.Pairs[v]))
	}
	return strings.Join(items, ",")
}

// Part is a part of a digest.
type Part struct {
	Digest string // its name
	Seed   uint32
	Seeded bool // the notation has a seed
	Hex    bool // hexadecimal characters, not bytes
	Upper  bool // in upper case
	At, N  int  // N of them from At on
}

// seedWord stands between the name of a digest and its seed: murmur3-seed7.
const seedWord = "-seed"

// String is the part as it is written, such as murmur3-seed7.hexat(4,3).upper.
func (p Part) String() string {
	s := p.Digest
	if p.Seeded {
		s += seedWord + strconv.FormatUint(uint64(p.Seed), 10)
	}
	switch {
	case !p.Hex:
		return s + ".raw(" + strconv.Itoa(p.N) + ")"
	case p.At != 0:
		s += ".hexat(" + strconv.Itoa(p.At) + "," + strconv.Itoa(p.N) + ")"
	default:
		s += ".hex(" + strconv.Itoa(p.N) + ")"
	}
	if p.Upper {
		s += ".upper"
	}
	return s
}
