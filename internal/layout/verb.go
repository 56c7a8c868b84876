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

// parseFormat cuts a format into its verbs.
func parseFormat(format string) (verbs []Verb, args int, problem string) {
	bad := func() ([]Verb, int, string) {
		return nil, 0, "format " + strconv.Quote(format) + ": the verbs are %s, %d, %0Nd, %x, %X and %%"
	}
	for format := format; format != ""; {
		i := strings.IndexByte(format, '%')
		if i != 0 {
			if i < 0 {
				i = len(format)
			}
			verbs = append(verbs, Verb{Text: format[:i]})
			format = format[i:]
			continue
		}
		rest := format[1:]
		zeros := 0
		if strings.HasPrefix(rest, "0") {
			n := 1
			for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
				n++
			}
			var err error
			if zeros, err = strconv.Atoi(rest[1:n]); err != nil || rest[1] == '0' || zeros > 1000 {
				return bad()
			}
			rest = rest[n:]
		}
		if rest == "" {
			return bad()
		}
		switch rest[0] {
		case '%':
			verbs = append(verbs, Verb{Text: "%"})
		case 's', 'd', 'x', 'X':
			verbs = append(verbs, Verb{Kind: rest[0], Zeros: zeros})
			args++
		default:
			return bad()
		}
		if zeros > 0 && rest[0] != 'd' {
			return bad()
		}
		format = rest[1:]
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
	switch w.Kind {
	case 'x', 'X':
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
