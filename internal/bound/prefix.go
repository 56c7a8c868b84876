package bound

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// What the stored forms begin with of all texts that begin alike. A step of others
// says by Traits.Prefixes that its forms keep that; then a Prefix is a range,
// whether the forms sort as the values do or not.

// NearTries is how many numbers beside one that a transform cannot write are tried
// in its place.
const NearTries = 1024

// CheckPrefix says why the values that begin with p are not the stored forms
// that begin with form.
func CheckPrefix(c *layout.Component, p string, form []byte) error {
	switch {
	case len(form) == 0: // of a step that leaves off what all its values begin with
		return ErrNoPrefix
	case c.Value.Max >= 0 && len(p) > c.Value.Max:
		return layout.LengthRefused(len(p), 0, c.Value.Max)
	case c.Vias > 0 && !c.Loose && c.Shape.Max >= 0 && len(form) > c.Shape.Max:
		return layout.LengthRefused(len(form), 0, c.Shape.Max)
	case c.Frame == layout.FramePad && form[len(form)-1]^c.Flip() == c.Pad && !c.Loose:
		return layout.EndRefused("ends in", c.Pad) // the shorter value is padded to the same bytes
	case c.Frame == layout.FrameNul && strings.IndexByte(p, 0) >= 0:
		return layout.ErrHoldsEnd
	case c.Null != nil && bytes.HasPrefix(form, c.Null):
		return layout.ErrBeginNull
	}
	if c.OneOf != nil {
		begins := false
		for v := range c.OneOf {
			begins = begins || strings.HasPrefix(v, p)
		}
		if !begins {
			return &fault.Detail{Text: "none of its " + layout.Plural(len(c.OneOf), "value") + " begins so", Reason: fault.ErrRange}
		}
	}
	for i := range len(p) {
		if c.Chars != nil && !c.Chars[p[i]] {
			return c.CharRefused(i, len(p))
		}
	}
	if c.Mark != nil && !c.Loose {
		if bytes.Contains(form, c.Mark) || EndsAsBegins(form, c.Mark) { // a shorter value and its separator begin with the same bytes
			return c.MarkRefused(form)
		}
	}
	return nil
}

// KeepsPrefixes reports that a text begins with another if and only if its stored
// form does so, up to what its frame puts behind the other's; of a step that is
// OneWay, if it begins so.
func KeepsPrefixes(c *layout.Component) bool {
	for i := range c.Stages {
		switch st := &c.Stages[i]; st.Word {
		case notation.Desc, notation.Fixed:
		case notation.Left:
			if i > 0 { // what is left of a form is not the form of what is left
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
	return c.Codes == nil && c.Frame != layout.FramePadLeft && c.Frame != layout.FrameBlobVar && c.Frame != layout.FrameLength && !c.Absent && c.Decimal == forms.NoDecimal
}

// IsOneWay reports that nothing undoes the steps of a copy.
func IsOneWay(c *layout.Component) bool {
	for _, st := range c.Stages {
		if st.Word == notation.Via && st.Via.Traits.OneWay {
			return true
		}
	}
	return false
}

// WhyNotBegun says why the stored bytes of a text do not begin as it does.
func WhyNotBegun(c *layout.Component) error {
	why := WhyUnsorted(c)
	for _, st := range c.Stages {
		if st.Word == notation.Via && !st.Via.Traits.Prefixes {
			why = "the Traits of " + st.Via.Notation() + " do not say Prefixes"
		}
	}
	return &fault.Detail{Text: "its stored bytes do not begin as it does (" + why + ")", Reason: fault.ErrType}
}

// BeginNear is what the forms begin with of the texts that begin with p or, where
// that cannot be written, with as much of p as can: then it is not the whole. The
// form is empty if none can. The error is a panic of a step.
func BeginNear(c *layout.Component, p string) (form []byte, whole bool, err error) {
	for n := len(p); n > 0 && len(p)-n <= NearTries; n-- {
		form, err := layout.AppendPrefix(c, nil, p[:n])
		switch {
		case err == nil:
			return form, n == len(p) && !cutsText(c, p), nil
		case foreign.IsPanic(err):
			return nil, false, err
		}
	}
	return nil, false, nil
}

// cutsText reports that a copy holds less than all of a text.
func cutsText(c *layout.Component, p string) bool {
	for _, st := range c.Stages {
		if st.Word == notation.Left && len(p) > st.To {
			return true
		}
	}
	return false
}

// EndsAsBegins reports that a form ends in bytes that its separator begins with.
func EndsAsBegins(form, mark []byte) bool {
	for n := 1; n < len(mark); n++ {
		if strings.HasSuffix(string(form), string(mark[:n])) {
			return true
		}
	}
	return false
}

var ErrNoPrefix error = &fault.Detail{Text: "an empty prefix is every value: leave it out", Reason: fault.ErrLength}

// WhyUnsorted says what takes the order from a field's stored bytes.
func WhyUnsorted(c *layout.Component) string {
	for _, st := range c.Stages {
		switch {
		case st.Reverses():
			return "it is reversed"
		case st.Word == notation.Via:
			return st.Via.Notation() + " writes others"
		}
	}
	why := forms.FactsOf(c.Num.Form).Why
	switch {
	case c.Absent:
		return "it is not stored"
	case c.Codes != nil:
		return "its codes stand for it"
	case c.Frame == layout.FramePadLeft:
		return "it is padded in front"
	case c.Frame == layout.FrameLength:
		return "its length stands in front"
	case c.Frame == layout.FrameBlobVar:
		return "seven bits of it stand in a byte"
	case c.Decimal != forms.NoDecimal:
		return "it is a number"
	case why != "":
		return why
	case c.Loose:
		return "it is Loose"
	case c.Frame == layout.FramePad:
		return fmt.Sprintf("its pad %q sorts among its bytes", string([]byte{c.Pad}))
	case c.Mark != nil:
		return fmt.Sprintf("its separator %q sorts among its bytes", c.Mark)
	}
	return "they are made of it otherwise"
}
