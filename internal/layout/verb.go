package layout

import (
	"strconv"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// The input format("%s-%05d",app,uid) of a salt or hash is written as Java's String.format does.

// Verb is a part of a format, such as %05d.
type Verb struct {
	Kind  byte // 's', 'd', 'x', 'X'; 0: constant text
	Zeros int  // the least number of characters, filled with leading zeros: 5 for %05d
	Text  string
}

// parseFormat cuts a format into its verbs, of which args write a value.
func parseFormat(format string) (verbs []Verb, args int, problem string) {
	for text, rest, more := "", format, true; more; {
		if text, rest, more = strings.Cut(rest, "%"); text != "" {
			verbs = append(verbs, Verb{Text: text})
		}
		if !more {
			break
		}
		verb := strings.TrimLeft(rest, "0123456789")
		width := rest[:len(rest)-len(verb)]
		zeros, _ := strconv.Atoi(width)
		good := width == "" || strings.HasPrefix(verb, "d") && 0 < zeros && zeros <= 1000 && width == "0"+strconv.Itoa(zeros)
		switch {
		case good && strings.HasPrefix(verb, "%"):
			verbs = append(verbs, Verb{Text: "%"})
		case good && verb != "" && strings.IndexByte("sdxX", verb[0]) >= 0:
			verbs = append(verbs, Verb{Kind: verb[0], Zeros: zeros})
			args++
		default:
			return nil, 0, "format " + strconv.Quote(format) + ": the verbs are %s, %d, %0Nd, %x, %X and %%"
		}
		rest = verb[1:]
	}
	return verbs, args, ""
}

// nextVerb appends the constant text before the next value of a format. It gives the verb of that value, and those after it.
func nextVerb(dst []byte, verbs []Verb) (_ []byte, next *Verb, rest []Verb) {
	for len(verbs) > 0 {
		w := &verbs[0]
		if verbs = verbs[1:]; w.Kind != 0 {
			return dst, w, verbs
		}
		dst = append(dst, w.Text...)
	}
	return dst, nil, nil
}

// appendVerb appends a field as one verb of Java's String.format writes it: 42 by %05d is
// 30 30 30 34 32, and −2 of two bytes by %x is "fffe".
func (c *Component) appendVerb(dst []byte, w *Verb, v Val) []byte {
	at := len(dst)
	if w.Kind == 'x' || w.Kind == 'X' {
		n := v.Num
		if c.Kind == KindInt {
			n &= forms.Mask(c.Size) // Java prints the two's complement of the type
		}
		dst = strconv.AppendUint(dst, n, 16)
		if w.Kind == 'X' {
			forms.Upper(dst[at:])
		}
		return dst
	}
	dst = c.appendAsText(dst, v)
	if fill := w.Zeros - (len(dst) - at); fill > 0 {
		if dst[at] == '-' {
			at++
		}
		dst = forms.AppendPadLeft(dst, at, len(dst)-at+fill, '0')
	}
	return dst
}
