package layout

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// This file writes the reasons for which a value is refused. A reason gives the limits of
// the field and the length of the value, but never its contents, which are other people's
// data; the year that Years refuses is the one exception. For a value that is stored, nothing here is called.

// LengthRefused is the error of a length n that is not within least to most: "3 bytes,
// exactly 4".
func LengthRefused(n, least, most int) error {
	limit := fmt.Sprintf("at most %d", most)
	switch {
	case least == most:
		limit = fmt.Sprintf("exactly %d", most)
	case n < least:
		limit = fmt.Sprintf("at least %d", least)
	}
	return &fault.Detail{Text: Plural(n, "byte") + ", " + limit, Reason: fault.ErrLength}
}

// KeyRefused is the error of a key of n bytes, which is too long or empty.
func (s *Schema) KeyRefused(n int) error { return LengthRefused(n, 1, s.MaxLen) }

// ErrZero is the error of the zero Schema, which has no fields.
func (s *Schema) ErrZero() error {
	return s.ErrAt("", -1, &fault.Detail{Text: "the zero Schema has no keys", Reason: fault.ErrSchema})
}

// LimitsRefused is the error of an integer outside of the field's limits: "0 to 65535".
func (c *Component) LimitsRefused() error {
	text := fmt.Sprintf("%d to %d", c.Num.Min, c.Num.Max)
	if c.Kind == KindInt {
		text = fmt.Sprintf("%d to %d", int64(c.Num.Min^SignBit64), int64(c.Num.Max^SignBit64))
	}
	return &fault.Detail{Text: text, Reason: fault.ErrRange}
}

// numRefused says why admits is false for a number.
func (c *Component) numRefused(u uint64) error {
	switch c.Kind {
	case KindTime:
		return c.TimeRefused(c.Instant(u))
	case KindFloat:
		if c.Unsigned && math.Float64frombits(u) < 0 {
			return &fault.Detail{Text: "0 and above", Reason: fault.ErrRange}
		}
		return &fault.Detail{Text: "4 bytes hold a float32 only", Reason: fault.ErrRange}
	}
	return c.LimitsRefused()
}

// TimeRefused is the error of an instant outside of the field's times: "2106-02-07 is the
// last time in 4 bytes". The limit is given as a day, or in full if the instant lies on
// that day.
func (c *Component) TimeRefused(sec, nsec int64) error {
	lo, hi, at := c.AsTime(c.Raised(c.Unrank(c.Num.Min))), c.AsTime(c.Unrank(c.Num.Max)), time.Unix(sec, nsec).UTC()
	if text := c.yearRefused(at); text != "" {
		if c.Num.Trunc > 1 {
			text += "; Truncate has rounded the time down"
		}
		return &fault.Detail{Text: text, Reason: fault.ErrRange}
	}
	end, what := hi, "last"
	if at.Before(lo) {
		end, what = lo, "first"
	}
	text := string(clock.AppendText(nil, end))
	day, _, _ := strings.Cut(text, "T")
	if other, _, _ := strings.Cut(string(clock.AppendText(nil, at)), "T"); other != day {
		text = day
	}
	return &fault.Detail{Text: fmt.Sprintf("%s is the %s time%s", text, what, c.room(what)), Reason: fault.ErrRange}
}

// room says that the width limits the field's times: " in 4 bytes"; empty if something
// else does.
func (c *Component) room(what string) string {
	if what == "first" || c.Years[0] != 0 || c.Below {
		return ""
	}
	if f := forms.FactsOf(c.Num.Form); f.Units > 0 {
		return " in " + Plural(f.Units, f.Unit)
	}
	return ""
}

// CharRefused is the error of a text of n bytes whose byte i is not in Chars.
func (c *Component) CharRefused(i, n int) error {
	set := c.Chars.Listed()
	const few = 64
	said := slices.ContainsFunc(c.Decl.Opts, func(o Option) bool { return o.Word() == notation.Chars })
	switch {
	case !said && c.isChar():
		return &fault.Detail{Text: fmt.Sprintf("byte %d of %d is none of a CHAR, which holds ASCII from %q to %q", i+1, n, set[0], set[len(set)-1]), Reason: fault.ErrRange}
	case !said && c.Frame == FramePad || !said && c.Frame == FramePadLeft:
		return &fault.Detail{Text: fmt.Sprintf("byte %d of %d lies below the padding %q", i+1, n, []byte{c.Pad}), Reason: fault.ErrRange}
	case len(set) > few:
		return &fault.Detail{Text: fmt.Sprintf("byte %d of %d is none of its Chars", i+1, n), Reason: fault.ErrRange}
	}
	return &fault.Detail{Text: fmt.Sprintf("byte %d of %d is none of %q", i+1, n, set), Reason: fault.ErrRange}
}

// listRefused is the error of a text that Codes or OneOf does not list.
func (c *Component) listRefused() error {
	n := max(len(c.Codes), len(c.OneOf))
	if n == 1 {
		return &fault.Detail{Text: "not its one value", Reason: fault.ErrRange}
	}
	return &fault.Detail{Text: fmt.Sprintf("not one of its %d values", n), Reason: fault.ErrRange}
}

// MarkRefused is the error of a form that holds its separator, or that ends with the first
// bytes of it.
func (c *Component) MarkRefused(form []byte) error {
	held := "holds"
	if len(c.Mark) > 1 && !bytes.Contains(form, c.Mark) {
		held = "ends as it begins:"
	}
	if c.InvertAll || len(c.Stages) > 0 || c.Codes != nil {
		held = "as stored " + held
	}
	return &fault.Detail{Text: fmt.Sprintf("%s the separator %q", held, c.Mark), Reason: fault.ErrTerminator}
}

// padRefused says why a text cannot be padded; nil if it can. A text that ends with the
// pad is refused, unless the field is Loose: read back, it would be shorter.
func (c *Component) padRefused(text []byte) error {
	n, what, first := len(text), "ends in", len(text)-1
	if c.Frame == FramePadLeft {
		what, first = "begins with", 0
	}
	switch {
	case n > c.Width:
		return LengthRefused(n, 0, c.Width)
	case n > 0 && text[first] == c.Pad && !c.Loose:
		return EndRefused(what, c.Pad)
	}
	return nil
}

// EndRefused is the error of a text that ends (or begins) with the pad.
func EndRefused(what string, pad byte) error {
	return &fault.Detail{Text: fmt.Sprintf("%s the padding %q", what, string([]byte{pad})), Reason: fault.ErrTerminator}
}

var ErrHoldsEnd error = &fault.Detail{Text: `holds the byte "\x00", which ends it`, Reason: fault.ErrTerminator}

var ErrBeginNull error = &fault.Detail{Text: "as stored begins as a null does", Reason: fault.ErrTerminator}

var errUTF8 error = &fault.Detail{Text: "not UTF-8", Reason: fault.ErrRange}

var errNoRest error = &fault.Detail{Text: "nothing stands after it", Reason: fault.ErrLength}

// SumRefused says why the rule of a salt, or the digest of a hash, has no result for data.
func (c *Component) SumRefused(data []byte) error {
	var of []string
	if c.In != nil {
		for _, f := range c.In.Comps {
			of = append(of, f.Name)
		}
	}
	whose := strings.Join(of, ", ")
	if whose == "" {
		whose = "the rest"
	}
	rule := c.Rule.String()
	if c.Role == RoleHash {
		rule = c.Part.Cut.Algorithm.String()
	}
	if _, ok := digest.JavaString(data); !ok && c.Rule != digest.HBaseWD {
		return &fault.Detail{Text: fmt.Sprintf("%s is of UTF-8 text, which %s is not", rule, whose), Reason: fault.ErrRange}
	}
	remedy := "interop.JavaHash has one"
	if whole := c.Rule.Whole(c.Buckets); whole != c.Rule {
		remedy = notation.Word(whole.String()).InGo() + " has one, and the same others"
	} else if c.Rule == digest.HBaseWD {
		remedy = "interop.PinpointHash has one"
	}
	return &fault.Detail{Text: fmt.Sprintf("%s has no bucket for %s, since Math.abs of its hash is negative: %s", rule, whose, remedy), Reason: fault.ErrRange}
}
