package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// The limits of a notation: the options that change no byte, only which values are taken.
var (
	limitWords = pattern.New(` (?:(below|years|minlen|precision)\(([0-9,]+)\)|(oneof|chars)\(((?:"(?:[^"\\]|\\.)*",?)+)\))`)
	keyLimit   = pattern.New(`maxlen\(([0-9]+)\)`)
)

// limitsOf is the limits that a piece says, by their words.
func limitsOf(piece string) map[string]string {
	limits := map[string]string{}
	for _, m := range limitWords.FindAllStringSubmatch(piece, -1) {
		limits[m[1]+m[3]] = m[2] + m[4]
	}
	return limits
}

// limitsChanged is what differs between two layouts of the same bytes: names, which change
// no key, and limits.
func limitsChanged(a, b *rowkey.Schema) (renamed [][2]string, limits []LimitChange) {
	from, to := inside.Layout(a).Comps, inside.Layout(b).Comps
	alone := stored(from) == 1
	for i := range from {
		x, y := &from[i], &to[i]
		if x.Name != y.Name {
			renamed = append(renamed, [2]string{x.Name, y.Name})
		}
		l := LimitChange{Field: y.Name}
		was, is := limitsOf(x.Notation()), limitsOf(y.Notation())
		wider, narrower := within(x, y, alone), within(y, x, alone)
		precise := was["precision"] != is["precision"] && x.IsText()
		if wider && narrower && x.Loose == y.Loose && !precise {
			continue
		}
		if l.Change = changeOf(wider, narrower); precise {
			l.Change = compareLimit("precision", was["precision"], is["precision"])
		}
		for _, word := range []string{"below", "years", "oneof", "chars", "minlen", "precision"} {
			if was[word] != is[word] {
				l.From, l.To = beside(l.From, limitAs(word, was[word])), beside(l.To, limitAs(word, is[word]))
			}
		}
		if l.From == l.To { // neither has a limit of its own: the pieces say it
			l.From, l.To = x.Notation(), y.Notation()
		}
		limits = append(limits, l)
	}
	longest := func(s *rowkey.Schema) string {
		if m := keyLimit.FindStringSubmatch(Settings(s)); m != nil {
			return m[1]
		}
		return ""
	}
	if was, is := longest(a), longest(b); was != is && !fits(a, was, is) && !fits(b, was, is) {
		limits = append(limits, LimitChange{"", limitAs("maxlen", was), limitAs("maxlen", is), compareLimit("maxlen", was, is)})
	}
	return renamed, limits
}

// stored is how many components stand in the key.
func stored(all []layout.Component) (n int) {
	for i := range all {
		if !all[i].Absent {
			n++
		}
	}
	return n
}

// beside is two texts with a blank between them.
func beside(a, b string) string { return strings.TrimSpace(a + " " + b) }

// within reports that y takes all values that x takes, as their forms have it: not each limit that a
// notation says refuses a value. alone is whether they are all of their keys.
func within(x, y *layout.Component, alone bool) bool {
	if !x.IsText() { // a number of varying length may be held to one
		return compareRanks(x, x.Num.Min, y, y.Num.Min) >= 0 && compareRanks(x, x.Num.Max, y, y.Num.Max) <= 0 &&
			x.Shape.Min >= y.Shape.Min && (y.Shape.Max < 0 || x.Shape.Max >= 0 && x.Shape.Max <= y.Shape.Max)
	}
	if x.OneOf != nil || x.Codes != nil {
		for _, text := range x.Listed() {
			if takes(x, text, alone) && !takes(y, text, alone) {
				return false
			}
		}
		return true
	}
	if y.OneOf != nil || y.Codes != nil {
		common := 0
		for _, text := range y.Listed() {
			if takes(x, text, alone) && takes(y, text, alone) {
				common++
			}
		}
		return texts(x, alone, common) == common
	}
	v, w := x.Value, y.Value
	return least(x, alone) >= w.Min && (w.Max < 0 || v.Max >= 0 && v.Max <= w.Max) && v.Bytes.Common(w.Bytes) == v.Bytes && endsKnown(x, y)
}

// endsKnown reports that y finds the end of each text that x takes.
func endsKnown(x, y *layout.Component) bool {
	v := x.Value
	switch {
	case y.Loose:
		return true
	case y.Frame == layout.FramePad || y.Frame == layout.FramePadLeft:
		return !x.Loose || forms.Outside(&v.Bytes, []byte{y.Pad}) >= 0
	}
	return y.Ends != forms.EndMarked || x.Ends == forms.EndMarked || forms.Outside(&v.Bytes, y.Mark) >= 0
}

// least is how many bytes a text has at least. No key is empty, but an empty text may have a length,
// a header or an end in it.
func least(c *layout.Component, alone bool) int {
	if alone && !c.Absent && c.Header == 0 && c.Shape.Min == 0 {
		return max(c.Value.Min, 1)
	}
	return c.Value.Min
}

// texts is how many texts a field without a list takes, or more than n.
func texts(c *layout.Component, alone bool, n int) (total int) {
	v, some := c.Value, 1 // texts of i bytes
	for i := 0; some > 0 && total <= n && (v.Max < 0 || i <= v.Max); i++ {
		if i >= least(c, alone) {
			total += some
		}
		some = min(some*len(v.Bytes.Listed()), n+1)
	}
	return total
}

// takes reports that c takes a text. What a copy cannot be given, since its field refuses it, it could
// well write.
func takes(c *layout.Component, text string, alone bool) bool {
	if c.Codes != nil { // Value is what its codes are
		_, ok := c.Codes[text]
		return ok
	}
	v := c.Value
	if len(text) < least(c, alone) || v.Max >= 0 && len(text) > v.Max || forms.Outside(&v.Bytes, text) >= 0 {
		return false
	}
	_, err := layout.AppendText(c, nil, text)
	return err == nil
}

// compareRanks compares a limit of x with one of y. Of a signed number the sign bit is flipped.
func compareRanks(x *layout.Component, u uint64, y *layout.Component, v uint64) int {
	negative := func(c *layout.Component, u uint64) int {
		if c.Biased() && u < layout.SignBit64 {
			return -1
		}
		return 0
	}
	return cmp.Or(negative(x, u)-negative(y, v), cmp.Compare(x.Unrank(u), y.Unrank(v)))
}

func limitAs(word, args string) string {
	if args == "" {
		return ""
	}
	return word + "(" + args + ")"
}

// fits reports that all keys have one length, and that it is within both limits.
func fits(s *rowkey.Schema, limits ...string) bool {
	if several, _ := varying(s); len(several) > 0 {
		return false
	}
	n := int64(leastBytes(s))
	return !slices.ContainsFunc(limits, func(l string) bool { return l != "" && limitNumbers(l)[0] < n })
}

// changeOf is what a change of limits is called. wider is true if the new limit takes all that the old
// one took, narrower if the old one took all that the new one takes.
func changeOf(wider, narrower bool) string {
	switch {
	case wider == narrower:
		return "other"
	case wider:
		return "wider"
	}
	return "narrower"
}

// compareLimit is what the change of a maxlen or a precision is called. No limit is the widest.
func compareLimit(word, was, is string) string {
	within := func(inner, outer string) bool {
		in, out := limitNumbers(inner), limitNumbers(outer)
		switch {
		case outer == "":
			return true
		case inner == "":
			return false
		case word == "maxlen":
			return in[0] <= out[0]
		}
		return in[0]-in[1] <= out[0]-out[1] && in[1] <= out[1] // digits before the point, and after it
	}
	return changeOf(within(was, is), within(is, was))
}

// limitNumbers is the arguments of a limit; one of more than 63 bits is the largest number.
func limitNumbers(args string) (out [2]int64) {
	for i, text := range strings.SplitN(args, ",", 2) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			n = math.MaxInt64
		}
		out[i] = n
	}
	return out
}
