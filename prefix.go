package rowkey

import (
	"bytes"
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

// keepsPrefixes reports that a text begins with another if and only if its stored
// form does so, up to what its frame puts behind the other's; of a step that is
// OneWay, if it begins so.
func keepsPrefixes(c *layout.Component) bool {
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

// isOneWay reports that nothing undoes the steps of a copy.
func isOneWay(c *layout.Component) bool {
	for _, st := range c.Stages {
		if st.Word == notation.Via && st.Via.Traits.OneWay {
			return true
		}
	}
	return false
}

// whyNotBegun says why the stored bytes of a text do not begin as it does.
func whyNotBegun(c *layout.Component) error {
	why := whyUnsorted(c)
	for _, st := range c.Stages {
		if st.Word == notation.Via && !st.Via.Traits.Prefixes {
			why = "the Traits of " + st.Via.Notation() + " do not say Prefixes"
		}
	}
	return &fault.Detail{Text: "its stored bytes do not begin as it does (" + why + ")", Reason: fault.ErrType}
}

// prefixPieces are the rows of the texts of one span, of a field whose steps keep
// prefixes. A span of all texts that begin in one of some ways is theirs; of
// another it is a cover. False if all that is known is that the texts begin anyhow.
func prefixPieces(c *layout.Component, t textSpan) (pieces []piece, exact, ok bool) {
	if t.points() > 0 {
		pieces, ok = pointPieces(c, []textSpan{t})
		return pieces, ok && !c.Loose, ok
	}
	begins, exact := t.begins()
	for _, p := range begins {
		form, whole, err := beginNear(c, p)
		switch {
		case err != nil:
			return faulty(err), false, true
		case len(form) == 0:
			return nil, false, false
		}
		more, alone := begunPieces(c, form)
		pieces, exact = append(pieces, more...), exact && whole && alone
	}
	return pieces, exact, len(begins) > 0
}

// begins is the beginnings that the texts of a span have, and whether these are all
// texts that begin so: one, or neighbours of one length.
func (t textSpan) begins() (begins []string, exact bool) {
	n := len(t.lo)
	if !t.open && n > 0 && len(t.hi) == n && t.lo[:n-1] == t.hi[:n-1] && t.hi[n-1]-t.lo[n-1] <= shortInterval {
		for b := t.lo[n-1]; b < t.hi[n-1]; b++ {
			begins = append(begins, t.lo[:n-1]+string([]byte{b}))
		}
		return begins, true
	}
	for ; n > 0; n-- {
		end, bounded := appendSuccessor(nil, []byte(t.lo[:n]))
		if !bounded || !t.open && string(end) >= t.hi {
			return []string{t.lo[:n]}, n == len(t.lo) && bounded != t.open && string(end) == t.hi
		}
	}
	return nil, false
}

// beginNear is what the forms begin with of the texts that begin with p or, where
// that cannot be written, with as much of p as can: then it is not the whole. The
// form is empty if none can. The error is a panic of a step.
func beginNear(c *layout.Component, p string) (form []byte, whole bool, err error) {
	for n := len(p); n > 0 && len(p)-n <= nearTries; n-- {
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

// begunPieces are the rows whose forms begin so; not alone if what ends a shorter
// form can look like more of it.
func begunPieces(c *layout.Component, form []byte) (pieces []piece, alone bool) {
	alone = !c.Loose
	if !c.Loose && (c.Shape.Max >= 0 && len(form) > c.Shape.Max || c.Mark != nil && bytes.Contains(form, c.Mark) || c.Frame == layout.FrameNul && bytes.IndexByte(form, c.Flip()) >= 0) {
		return nil, true // no value that can be stored begins so
	}
	if c.Mark != nil && endsAsBegins(form, c.Mark) || c.Frame == layout.FramePad && form[len(form)-1]^c.Flip() == c.Pad {
		alone = false
	}
	return withoutNulls(c, piece{lo: form, hi: form, hiBehind: true}), alone
}

// endsAsBegins reports that a form ends in bytes that its separator begins with.
func endsAsBegins(form, mark []byte) bool {
	for n := 1; n < len(mark); n++ {
		if strings.HasSuffix(string(form), string(mark[:n])) {
			return true
		}
	}
	return false
}

var errNoPrefix error = &fault.Detail{Text: "an empty prefix is every value: leave it out", Reason: fault.ErrLength}
