package rowkey

import (
	"bytes"
	"errors"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// What the stored forms begin with of all texts that begin alike. A step of others
// says by Traits.Prefixes that its forms keep that; then a Prefix is a range,
// whether the forms sort as the values do or not.

// keepsPrefixes reports that a text begins with another if and only if its stored
// form does so, up to what its frame puts behind the other's; of a step that is
// OneWay, if it begins so.
func keepsPrefixes(c *component) bool {
	for i := range c.stages {
		switch st := &c.stages[i]; st.word {
		case notation.Desc, notation.Fixed:
		case notation.Left:
			if i > 0 { // what is left of a form is not the form of what is left
				return false
			}
		case notation.Via:
			if !st.via.traits.prefixes {
				return false
			}
		default:
			return false
		}
	}
	return c.codes == nil && c.frame != framePadLeft && c.frame != frameBlobVar && c.frame != frameLength && !c.absent && c.decimal == forms.NoDecimal
}

// isOneWay reports that nothing undoes the steps of a copy.
func isOneWay(c *component) bool {
	for _, st := range c.stages {
		if st.word == notation.Via && st.via.traits.oneWay {
			return true
		}
	}
	return false
}

// whyNotBegun says why the stored bytes of a text do not begin as it does.
func whyNotBegun(c *component) error {
	why := whyUnsorted(c)
	for _, st := range c.stages {
		if st.word == notation.Via && !st.via.traits.prefixes {
			why = "the Traits of " + st.via.notation() + " do not say Prefixes"
		}
	}
	return &detail{"its stored bytes do not begin as it does (" + why + ")", ErrType}
}

// appendPrefix appends what the stored form of every value that begins with p
// begins with. The error is a step's that cannot write p.
func appendPrefix[T string | []byte](c *component, dst []byte, p T) ([]byte, error) {
	begin := len(dst)
	if c.header != 0 {
		dst = append(dst, c.header)
	}
	at := len(dst)
	dst = append(dst, p...)
	for i := range c.stages {
		switch st := &c.stages[i]; st.word {
		case notation.Desc:
			forms.Invert(dst[at:])
		case notation.Left:
			dst = dst[:min(len(dst), at+st.to)]
		case notation.Via:
			var err error
			if dst, err = st.via.begin(dst, at); err != nil {
				return dst, err
			}
		}
	}
	if c.frame == frameEscaped {
		dst = forms.AppendEscape(dst, at)
		dst = dst[:len(dst)-2]
	}
	if c.invertAll {
		forms.Invert(dst[begin:])
	}
	return dst, nil
}

// begin turns dst[at:] into what the forms begin with of all values that begin so.
func (v *via) begin(dst []byte, at int) ([]byte, error) {
	dst, err := v.append(dst, at)
	if err != nil {
		return dst, err
	}
	n := len(dst) - v.traits.end
	if n < at {
		return dst, v.fault(errors.New("wrote a form that is shorter than its End"), ErrLength)
	}
	return dst[:n], nil
}

// prefixPieces are the rows of the texts of one span, of a field whose steps keep
// prefixes. A span of all texts that begin in one of some ways is theirs; of
// another it is a cover. False if all that is known is that the texts begin anyhow.
func prefixPieces(c *component, t textSpan) (pieces []piece, exact, ok bool) {
	if t.points() > 0 {
		pieces, ok = pointPieces(c, []textSpan{t})
		return pieces, ok && !c.loose, ok
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
func beginNear(c *component, p string) (form []byte, whole bool, err error) {
	for n := len(p); n > 0 && len(p)-n <= nearTries; n-- {
		form, err := appendPrefix(c, nil, p[:n])
		switch {
		case err == nil:
			return form, n == len(p) && !cutsText(c, p), nil
		case isPanic(err):
			return nil, false, err
		}
	}
	return nil, false, nil
}

// cutsText reports that a copy holds less than all of a text.
func cutsText(c *component, p string) bool {
	for _, st := range c.stages {
		if st.word == notation.Left && len(p) > st.to {
			return true
		}
	}
	return false
}

// begunPieces are the rows whose forms begin so; not alone if what ends a shorter
// form can look like more of it.
func begunPieces(c *component, form []byte) (pieces []piece, alone bool) {
	alone = !c.loose
	if !c.loose && (c.shape.Max >= 0 && len(form) > c.shape.Max || c.mark != nil && bytes.Contains(form, c.mark) || c.frame == frameNul && bytes.IndexByte(form, c.flip()) >= 0) {
		return nil, true // no value that can be stored begins so
	}
	if c.mark != nil && endsAsBegins(form, c.mark) || c.frame == framePad && form[len(form)-1]^c.flip() == c.pad {
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
