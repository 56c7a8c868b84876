package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// The limits of a notation: the options that change no byte, only which values are taken.
var (
	limitWords  = pattern.New(` (?:(below|years|minlen|precision)\(([0-9,]+)\)|(oneof|chars)\(((?:"(?:[^"\\]|\\.)*",?)+)\))`)
	limitText   = pattern.New(`"(?:[^"\\]|\\.)*"`)
	keyLimit    = pattern.New(`maxlen\(([0-9]+)\)`)
	nameInPiece = pattern.New(`[\p{L}\p{N}_.-]+`)
)

// limitsOf is a piece without its limits, and these.
func limitsOf(piece string) (rest string, limits map[string]string) {
	limits = map[string]string{}
	rest = limitWords.ReplaceAllStringFunc(piece, func(s string) string {
		m := limitWords.FindStringSubmatch(s)
		limits[m[1]+m[3]] = m[2] + m[4]
		return ""
	})
	return rest, limits
}

// limitsChanged is what differs between two layouts of one fingerprint: names, which change
// no key, and limits.
func limitsChanged(a, b *rowkey.Schema) (renamed [][2]string, limits []LimitChange) {
	var from, to []rowkey.FieldInfo
	for f := range a.Fields() {
		from = append(from, f)
	}
	for f := range b.Fields() {
		to = append(to, f)
	}
	if len(from) != len(to) { // constants that stand side by side
		if text, other := a.String(), b.String(); text != other {
			limits = append(limits, LimitChange{"", text, other, "other"})
		}
		return nil, limits
	}
	called := map[string]string{}
	for i := range from {
		if from[i].Name != to[i].Name {
			renamed = append(renamed, [2]string{from[i].Name, to[i].Name})
		}
		called[from[i].Name] = to[i].Name
	}
	for i := range from {
		if from[i].Kind == "literal" {
			continue
		}
		rest, was := limitsOf(from[i].Notation)
		now, is := limitsOf(to[i].Notation)
		rest = nameInPiece.ReplaceAllStringFunc(rest, func(w string) string {
			if name, ok := called[w]; ok {
				return name
			}
			return w
		})
		changed := false
		for _, word := range []string{"below", "years", "oneof", "chars", "minlen", "precision"} {
			if was[word] == is[word] {
				continue
			}
			changed = true
			limits = append(limits, LimitChange{to[i].Name, limitAs(word, was[word]), limitAs(word, is[word]), compareLimit(word, was[word], is[word])})
		}
		if !changed && rest != now {
			limits = append(limits, LimitChange{to[i].Name, from[i].Notation, to[i].Notation, "other"})
		}
	}
	longest := func(s *rowkey.Schema) string {
		if m := keyLimit.FindStringSubmatch(Settings(s)); m != nil {
			return m[1]
		}
		return ""
	}
	if was, is := longest(a), longest(b); was != is && !fits(a, was, is) {
		limits = append(limits, LimitChange{"", limitAs("maxlen", was), limitAs("maxlen", is), compareLimit("maxlen", was, is)})
	}
	return renamed, limits
}

func limitAs(word, args string) string {
	if args == "" {
		return ""
	}
	return word + "(" + args + ")"
}

// fits reports that all keys have one length, and that it is within both limits.
func fits(s *rowkey.Schema, limits ...string) bool {
	n := 0
	for f := range s.Fields() {
		size := f.Size
		if f.Kind == "literal" {
			size = len(f.Const)
		}
		if n += size; size == 0 && f.Stored {
			return false
		}
	}
	for _, l := range limits {
		if l != "" && limitNumbers(l)[0] < int64(n) {
			return false
		}
	}
	return true
}

// compareLimit is wider if all values within the one limit are within the other, narrower if
// it is the other way round, else other. No limit is the widest.
func compareLimit(word, was, is string) string {
	switch {
	case is == "":
		return "wider"
	case was == "":
		return "narrower"
	}
	within := func(inner, outer string) bool {
		switch word {
		case "oneof", "chars":
			return textsWithin(word, inner, outer)
		}
		in, out := limitNumbers(inner), limitNumbers(outer)
		switch word {
		case "below", "maxlen":
			return in[0] <= out[0]
		case "minlen":
			return in[0] >= out[0]
		case "years":
			return in[0] >= out[0] && in[1] <= out[1]
		case "precision": // digits before the point, and after it
			return in[0]-in[1] <= out[0]-out[1] && in[1] <= out[1]
		}
		return false
	}
	switch wider, narrower := within(was, is), within(is, was); {
	case wider && !narrower:
		return "wider"
	case narrower && !wider:
		return "narrower"
	}
	return "other"
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

// textsWithin reports that each text of a list, or each byte of a set, is in the other one.
func textsWithin(word, inner, outer string) bool {
	list := func(args string) (out []string) {
		for _, quoted := range limitText.FindAllString(args, -1) {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				text = quoted
			}
			out = append(out, text)
		}
		return out
	}
	in, out := list(inner), list(outer)
	if word == "chars" {
		set := strings.Join(out, "")
		for _, c := range []byte(strings.Join(in, "")) {
			if strings.IndexByte(set, c) < 0 {
				return false
			}
		}
		return true
	}
	for _, text := range in {
		if !slices.Contains(out, text) {
			return false
		}
	}
	return true
}
