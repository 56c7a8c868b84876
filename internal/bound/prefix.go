package bound

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Prefixes. If two texts begin with the same bytes, their stored forms often do so, too.
// Then all texts with a given prefix are one range, even if the forms do not sort as the
// texts do: "ab", "abc" and "abz" begin with 61 62 or, inverted, with 9e 9d. A caller's
// transform says with Traits.Prefixes that its forms are so.

// NearTries limits a search. If a transform cannot write a value, the values near it are
// tried instead: the next numbers, or shorter texts. At most so many are tried.
const NearTries = 1024

// CheckPrefix checks that two sets are the same: the values that begin with p, and the
// values whose stored forms begin with form. The error says why they are not; nil if they
// are. With ':' as the separator and p = "a:" they are not: 61 3a also begins the rows of
// "a". One flat list: each case is one reason.
func CheckPrefix(c *layout.Component, p string, form []byte) error {
	switch {
	case len(form) == 0: // the transform leaves out bytes with which all its values begin
		return ErrNoPrefix
	case c.Value.Max >= 0 && len(p) > c.Value.Max:
		return layout.LengthRefused(len(p), 0, c.Value.Max)
	case c.Vias > 0 && !c.Loose && c.Shape.Max >= 0 && len(form) > c.Shape.Max:
		return layout.LengthRefused(len(form), 0, c.Shape.Max)
	case c.Frame == layout.FramePad && form[len(form)-1]^c.Flip() == c.Pad && !c.Loose:
		return layout.EndRefused("ends in", c.Pad) // a shorter value is padded to the same bytes
	case c.Frame == layout.FrameNul && strings.IndexByte(p, 0) >= 0:
		return layout.ErrHoldsEnd
	case c.Null != nil && bytes.HasPrefix(form, c.Null):
		return layout.ErrBeginNull
	case c.OneOf != nil && !beginsOne(c, p):
		return &fault.Detail{Text: "none of its " + layout.Plural(len(c.OneOf), "value") + " begins so", Reason: fault.ErrRange}
	}
	for i := range len(p) {
		if c.Chars != nil && !c.Chars.Has(p[i]) {
			return c.CharRefused(i, len(p))
		}
	}
	if c.Mark != nil && !c.Loose {
		if bytes.Contains(form, c.Mark) || forms.EndsAsBegins(form, c.Mark) { // a shorter value and its separator begin with the same bytes
			return c.MarkRefused(form)
		}
	}
	return nil
}

// beginsOne reports that one of the values of OneOf begins with p.
func beginsOne(c *layout.Component, p string) bool {
	for v := range c.OneOf {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// KeepsPrefixes reports that prefixes survive in the stored form: a text begins with p if
// and only if its form begins with the form of p (without the bytes that the frame puts
// after p). "abc" begins with "ab", and 61 62 63 begins with 61 62. For a transform that is
// OneWay only one direction holds: if the text begins with p, its form begins so.
func KeepsPrefixes(c *layout.Component) bool {
	for i := range c.Stages {
		switch st := &c.Stages[i]; st.Word {
		case notation.Desc, notation.Fixed:
		case notation.Left:
			if i > 0 { // the first bytes of a form are not the form of the text's first bytes
				return false
			}
		case notation.Via:
			if !st.Via.Traits.Prefixes {
				return false
			}
		default:
			return false
		}
	}
	return c.Codes == nil && c.TextFirst() && !c.Absent && c.Decimal == forms.NoDecimal
}

// IsOneWay reports that a copy or a salt has a transform that is OneWay: its value cannot be
// read back from the key.
func IsOneWay(c *layout.Component) bool {
	return slices.ContainsFunc(c.Stages, func(st layout.Stage) bool { return st.Word == notation.Via && st.Via.Traits.OneWay })
}

// WhyNotBegun gives an error that says why the stored bytes of a text do not begin with
// the stored bytes of its prefix.
func WhyNotBegun(c *layout.Component) error {
	why := WhyUnsorted(c)
	for _, st := range c.Stages {
		if st.Word == notation.Via && !st.Via.Traits.Prefixes {
			why = "the Traits of " + st.Via.Notation() + " do not say Prefixes"
		}
	}
	return &fault.Detail{Text: "its stored bytes do not begin as it does (" + why + ")", Reason: fault.ErrType}
}

// BeginNear gives the bytes with which the forms of all texts with prefix p begin. If the
// transforms cannot write p, it takes the longest beginning of p that they can write, and whole
// is false. whole is also false if a copy holds less than p: Left(2) and "abc" give 61 62.
// The form is empty if no beginning of p can be written. The error is a panic of a transform.
func BeginNear(c *layout.Component, p string) (form []byte, whole bool, err error) {
	for n := len(p); n > 0 && len(p)-n <= NearTries; n-- {
		form, err := layout.AppendPrefix(c, nil, p[:n])
		switch {
		case err == nil:
			return form, n == len(p) && n <= c.Kept(), nil
		case foreign.IsPanic(err):
			return nil, false, err
		}
	}
	return nil, false, nil
}

// ErrNoPrefix refuses a Prefix whose form is empty, since every value begins with it.
var ErrNoPrefix error = &fault.Detail{Text: "an empty prefix is every value: leave it out", Reason: fault.ErrLength}

// WhyUnsorted says, as words of an error, why a field's stored bytes do not sort as its
// values do.
func WhyUnsorted(c *layout.Component) string {
	code, arg := Unsorted(c)
	return texts.InPlan("", code, arg)
}

// Unsorted is WhyUnsorted as a code of package texts, and its argument.
func Unsorted(c *layout.Component) (code, arg string) {
	for _, st := range c.Stages {
		switch {
		case st.Reverses():
			return "why-reversed", ""
		case st.Word == notation.Via:
			return "why-via", st.Via.Notation()
		}
	}
	why := forms.FactsOf(c.Num.Form).Why
	switch {
	case c.Absent:
		return "why-absent", ""
	case c.Codes != nil:
		return "why-codes", ""
	case c.Frame == layout.FramePadLeft:
		return "why-padleft", ""
	case c.Frame == layout.FrameLength:
		return "why-length", ""
	case c.Frame == layout.FrameBlobVar:
		return "why-blob", ""
	case c.Decimal != forms.NoDecimal:
		return "why-number", ""
	case why != "":
		return why, ""
	case c.Loose:
		return "why-loose", ""
	case c.Frame == layout.FramePad:
		return "why-pad", fmt.Sprintf("%q", string([]byte{c.Pad}))
	case c.Mark != nil:
		return "why-separator", fmt.Sprintf("%q", c.Mark)
	}
	return "why-otherwise", ""
}
