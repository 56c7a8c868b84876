package rowkey

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Why a value is refused: by the limits of its field and by its length. Its
// contents are never told, since they are other people's data. Nothing here is
// called for a value that is stored.

// lengthRefused says of n bytes that they are not least to most.
func lengthRefused(n, least, most int) error {
	limit := fmt.Sprintf("at most %d", most)
	switch {
	case least == most:
		limit = fmt.Sprintf("exactly %d", most)
	case n < least:
		limit = fmt.Sprintf("at least %d", least)
	}
	return &detail{plural(n, "byte") + ", " + limit, ErrLength}
}

// keyRefused says of a key of n bytes that it is none.
func (s *schema) keyRefused(n int) error { return lengthRefused(n, 1, s.maxLen) }

// limits is the numbers of an integer: "0 to 65535".
func (c *component) limits() string {
	if c.kind == kindInt {
		return fmt.Sprintf("%d to %d", int64(c.num.min^signBit64), int64(c.num.max^signBit64))
	}
	return fmt.Sprintf("%d to %d", c.num.min, c.num.max)
}

// limitsRefused says of an integer that it lies outside the field's.
func (c *component) limitsRefused() error { return &detail{c.limits(), ErrRange} }

var errNaN error = &detail{"NaN is no number", ErrRange}

// numRefused says why checkNum does not admit a number.
func (c *component) numRefused(u uint64) error {
	switch c.kind {
	case kindTime:
		return c.timeRefused(c.instant(u))
	case kindFloat:
		if c.unsigned && math.Float64frombits(u) < 0 {
			return &detail{"0 and above", ErrRange}
		}
		return &detail{"4 bytes hold a float32 only", ErrRange}
	}
	return c.limitsRefused()
}

// timeRefused says of an instant that it lies outside the field's times: "2106-02-07
// is the last time in 4 bytes". The end is told to the day, or in full if the
// instant lies on that day.
func (c *component) timeRefused(sec, nsec int64) error {
	first, last := c.num.min, c.num.max
	if c.biased() {
		first, last = first^signBit64, last^signBit64
	}
	lo, hi, at := c.asTime(first), c.asTime(last), time.Unix(sec, nsec).UTC()
	end, what := hi, "last"
	if at.Before(lo) {
		end, what = lo, "first"
	}
	layout := time.DateOnly
	if end.Format(layout) == at.Format(layout) {
		layout = time.RFC3339Nano
	}
	return &detail{fmt.Sprintf("%s is the %s time%s", end.Format(layout), what, c.room(what)), ErrRange}
}

// room is what bounds a field's times, where it is their width.
func (c *component) room(what string) string {
	if what == "first" || c.years[0] != 0 || c.below {
		return ""
	}
	if f := forms.FactsOf(c.num.form); f.Units > 0 {
		return " in " + plural(f.Units, f.Unit)
	}
	return ""
}

// charRefused says that byte i of n is none that Chars admits.
func (c *component) charRefused(i, n int) error {
	var set []byte
	for b, in := range c.chars {
		if in {
			set = append(set, byte(b))
		}
	}
	const few = 64
	if len(set) > few {
		return &detail{fmt.Sprintf("byte %d of %d is none of its Chars", i+1, n), ErrRange}
	}
	return &detail{fmt.Sprintf("byte %d of %d is none of %q", i+1, n, set), ErrRange}
}

// listRefused says that a text is not one of those that Codes or OneOf lists.
func (c *component) listRefused() error {
	n := max(len(c.codes), len(c.oneOf))
	if n == 1 {
		return &detail{"not its one value", ErrRange}
	}
	return &detail{fmt.Sprintf("not one of its %d values", n), ErrRange}
}

// markRefused says of a form that its separator, or a part of it, stands in it.
func (c *component) markRefused(form []byte) error {
	held := "holds"
	if len(c.mark) > 1 && !bytes.Contains(form, c.mark) {
		held = "ends as it begins:"
	}
	if c.invertAll || len(c.stages) > 0 || c.codes != nil {
		held = "as stored " + held
	}
	return &detail{fmt.Sprintf("%s the separator %q", held, c.mark), ErrTerminator}
}

// padRefused says why a text cannot be padded, nil if it can: one that ends in what
// fills it would come back shorter, unless the field is Loose.
func (c *component) padRefused(text []byte) error {
	n, what, first := len(text), "ends in", len(text)-1
	if c.frame == framePadLeft {
		what, first = "begins with", 0
	}
	switch {
	case n > c.width:
		return lengthRefused(n, 0, c.width)
	case n > 0 && text[first] == c.pad && !c.loose:
		return endRefused(what, c.pad)
	}
	return nil
}

// endRefused says of a text that it ends, or begins, in what fills it.
func endRefused(what string, pad byte) error {
	return &detail{fmt.Sprintf("%s the padding %q", what, string([]byte{pad})), ErrTerminator}
}

var (
	errHoldsEnd  error = &detail{`holds the byte "\x00", which ends it`, ErrTerminator}
	errBeginNull error = &detail{"as stored begins as a null does", ErrTerminator}
	errUTF8      error = &detail{"not UTF-8", ErrRange}
	errNoPrefix  error = &detail{"an empty prefix is every value: leave it out", ErrLength}
	errNoRest    error = &detail{"nothing stands behind it", ErrLength}
	errBefore0   error = &detail{"a Uint is 0 and above: read it by Int", ErrRange}
	errAboveInt  error = &detail{"an Int ends at 9223372036854775807: read it by Uint", ErrRange}

	errTimeNumber error = &detail{"a time is a time.Time, or milliseconds given to UnixMilli", ErrType}
	errTimeRead   error = &detail{"a time is read by Time", ErrType}
	errTimeAsked  error = &detail{"a time is a time.Time, as time.UnixMilli makes of milliseconds", ErrType}
)

// sumRefused says why a salt's rule or a digest has nothing for some data.
func (c *component) sumRefused(data []byte) error {
	var of []string
	if c.in != nil {
		for _, f := range c.in.comps {
			of = append(of, f.name)
		}
	}
	whose := strings.Join(of, ", ")
	if whose == "" {
		whose = "the rest"
	}
	rule := c.rule.String()
	if c.role == roleHash {
		rule = c.part.cut.Algorithm.String()
	}
	if _, ok := digest.JavaString(data); !ok && c.rule != digest.HBaseWD {
		return &detail{fmt.Sprintf("%s is of UTF-8 text, which %s is not", rule, whose), ErrRange}
	}
	remedy := "JavaHash has one"
	if c.rule == digest.HBaseWD {
		remedy = "PinpointHash has one"
	}
	return &detail{fmt.Sprintf("%s has no bucket for %s, since Math.abs of its hash is negative: %s", rule, whose, remedy), ErrRange}
}
