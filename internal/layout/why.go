package layout

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// This file says why bytes are no key of a schema, or why a salt, hash or copy is wrong: lengths,
// numbers of digits, years and buckets, never a value. It is asked where a caller gets the error,
// and not while the readings of a key are tried.

// Tell is an error about a key with what is wrong there. An error that says so already stays as it is.
func (s *Schema) Tell(key []byte, err error) error {
	field, reason, ok := fault.Read(err)
	if !ok || reason != fault.ErrMalformed && reason != fault.ErrDerived {
		return err
	}
	at := fault.Offset(err)
	why := ""
	switch {
	case reason == fault.ErrDerived:
		why = s.whyDerived(key, field)
	case at >= 0 && at <= len(key):
		if why = s.whyBroken(key, field, at); s.hexOf(key) {
			why = strings.TrimPrefix(why+"; ", "; ") + "it is a key written as hexadecimal text: decode it first"
		}
	}
	if why == "" {
		return err
	}
	return fault.Make(s.Name, field, at, &fault.Detail{Text: why, Reason: reason})
}

// whyBroken is why a key cannot be read from a byte on, where a component begins.
func (s *Schema) whyBroken(key []byte, field string, at int) string {
	var few [FewSpans]uint16
	spans := s.Spans(few[:])
	c := s.Named(field)
	if c == nil { // a constant, or what follows the last component
		pos, i, err := s.SplitFrom(key, spans, 0, 0)
		switch {
		case pos != at || err == nil:
			return ""
		case i == len(s.Comps):
			return Plural(len(key)-at, "byte") + " left over after the last component"
		}
		if c = &s.Comps[i]; c.Role == RoleLiteral {
			return c.whyMissing(key[at:])
		}
	}
	n := c.Extent(key[at:])
	if n < 0 {
		return c.whyMissing(key[at:])
	}
	return c.WhyForm(key[at : at+n])
}

// whyMissing is why a component does not begin with bytes.
func (c *Component) whyMissing(rest []byte) string {
	switch {
	case c.Role == RoleLiteral && len(rest) < len(c.Lit):
		return fmt.Sprintf("the key ends before %q", c.Lit)
	case c.Role == RoleLiteral:
		return fmt.Sprintf("expected %q", c.Lit)
	case len(rest) == 0:
		return "the key ends before it"
	case c.Ends == forms.EndWidth && c.digits() != "" && forms.Outside(&c.Shape.Bytes, rest) < 0:
		return fmt.Sprintf("%s, %d needed", Plural(len(rest), c.digits()), c.Shape.Min)
	case c.Ends == forms.EndWidth:
		return fmt.Sprintf("%s left, %d needed", Plural(len(rest), "byte"), c.Shape.Min)
	case len(c.Mark) > 0 && !bytes.Contains(rest, c.Mark):
		return fmt.Sprintf("no %q in %s", c.Mark, lastBytes(len(rest)))
	case c.Ends == forms.EndLoose:
		return ""
	}
	return "its end is not in " + lastBytes(len(rest))
}

// lastBytes is "the last 4 bytes".
func lastBytes(n int) string {
	if n == 1 {
		return "the last byte"
	}
	return fmt.Sprintf("the last %d bytes", n)
}

// digits is what the text of a number consists of: "digit", "hexadecimal digit"; empty if it is
// no such text of one width.
func (c *Component) digits() string {
	if c.Plain && c.numberText() && c.Shape.Fixed() {
		return forms.FactsOf(c.Num.Form).Unit
	}
	return ""
}

// WhyForm is why a stored form has no value.
func (c *Component) WhyForm(form []byte) string {
	if _, _, err := c.Decode(nil, form); !errors.Is(err, fault.ErrMalformed) || err == nil {
		return ""
	} else if d, ok := err.(*fault.Detail); ok {
		return d.Text
	}
	if c.IsText() {
		return c.whyText(form)
	}
	return c.whyNum(form)
}

const notWritten = "its bytes are none that the schema writes"

// whyText is WhyForm of a text.
func (c *Component) whyText(form []byte) string {
	text, err := c.undo(nil, form)
	var limits error
	switch {
	case c.Verbatim() && c.Frame == FrameFixed && len(form) != c.Width:
		limits = LengthRefused(len(form), c.Width, c.Width)
	case err != nil:
	case c.Codes != nil:
		limits = c.listRefused()
	case c.Limited && c.Decimal == forms.NoDecimal:
		_, limits = checkText(c, text)
	}
	if d, ok := limits.(*fault.Detail); ok {
		return d.Text
	}
	return notWritten
}

// whyNum is WhyForm of a number.
func (c *Component) whyNum(form []byte) string {
	form, err := c.undo(nil, form)
	if err != nil {
		return notWritten
	}
	u, ok := forms.Read(c.Num.Form, form)
	if !ok {
		return c.whyDigits(form)
	}
	if c.Kind == KindFloat || c.admits(u) {
		return notWritten
	}
	limits := c.numRefused(u).(*fault.Detail).Text
	if c.Kind == KindUint || c.Kind == KindInt {
		return "a number outside " + limits
	}
	return limits
}

// whyDigits is why bytes are no text of a number.
func (c *Component) whyDigits(form []byte) string {
	if !c.numberText() {
		return notWritten
	}
	set := c.Num.Form.Shape(c.Num.Min, c.Num.Max).Bytes
	i := forms.Outside(&set, form)
	if i < 0 {
		return notWritten
	}
	why := fmt.Sprintf("byte %d of %d is no digit", i+1, len(form))
	if unit := c.digits(); unit != "" && i > 0 && !slices.ContainsFunc(form[i:], set.Has) {
		why += fmt.Sprintf(": %s, %d needed", Plural(i, unit), len(form))
	}
	return why
}

// hexOf reports that the key is the hexadecimal text of a key of this schema.
func (s *Schema) hexOf(key []byte) bool {
	if len(key) == 0 || len(key)/2 > s.MaxLen {
		return false
	}
	raw := make([]byte, hex.DecodedLen(len(key)))
	_, err := hex.Decode(raw, key)
	return err == nil && s.Check(raw) == nil
}

// whyDerived is what a salt is and what the fields give, or how a hash differs, if that can be said
// without a value.
func (s *Schema) whyDerived(key []byte, name string) string {
	c := s.Named(name)
	if c == nil || !c.Derived() {
		return ""
	}
	var few [FewSpans]uint16
	at := s.Spans(few[:])
	if s.Split(key, at, false) != nil {
		return ""
	}
	vs, err := s.Values(key, at)
	if err != nil {
		return ""
	}
	want, known, err := s.Wanted(nil, c, key, at, vs.Row())
	form := bytes.Clone(key[at[c.Index]:at[c.Index+1]]) // so that key stays on its caller's stack
	switch {
	case !known:
		return c.Unwritten(form)
	case err != nil:
		return ""
	case c.Role == RoleSalt:
		return c.bucketWrong(form, want)
	}
	return c.CaseWrong(form, want)
}

// bucketWrong is "bucket 73, and the fields give 75 of 100". A bucket is no value, unless there are
// many; bytes that are no bucket may be a value of another table.
func (c *Component) bucketWrong(form, want []byte) string {
	if c.Buckets > MaxForms {
		return ""
	}
	if no := c.NoBucket(form); no != "" {
		return no + ", and the fields give bucket " + c.BucketText(want)
	}
	return fmt.Sprintf("bucket %s, and the fields give %s of %d", c.BucketText(form), c.BucketText(want), c.Buckets)
}

// NoBucket is "no bucket of 100" of a form that no value of a salt has, such as 2d 34 of −48 in
// two digits; empty of one that is a bucket, and of a salt whose buckets are too many to be listed.
func (c *Component) NoBucket(form []byte) string {
	if c.Role != RoleSalt || c.Buckets > MaxForms {
		return ""
	}
	return c.Unwritten(form)
}

// Unwritten is why no values give a form for which MayBe is false; empty of another.
func (c *Component) Unwritten(form []byte) string {
	switch {
	case c.MayBe(form):
		return ""
	case c.Role == RoleSalt:
		return fmt.Sprintf("no bucket of %d", c.Buckets)
	}
	return notWritten
}

// CaseWrong says that a hash differs from the wanted one in upper and lower case only; else it is
// empty.
func (c *Component) CaseWrong(form, want []byte) string {
	switch {
	case c.Role != RoleHash || !c.Part.Cut.Hex || !bytes.EqualFold(form, want):
		return ""
	case c.Part.Cut.Upper:
		return "only the case differs: leave out Upper"
	}
	return "only the case differs: say Upper"
}

// yearRefused is why an instant lies outside of option Years: its year, which is the one value that
// an error says, and what was taken for what. Empty if Years does not refuse it.
func (c *Component) yearRefused(at time.Time) string {
	year := clock.YearOf(at.Unix())
	if c.Years[0] == 0 || year >= int64(c.Years[0]) && year <= int64(c.Years[1]) {
		return ""
	}
	text := fmt.Sprintf("the year is %d, outside %d to %d", year, c.Years[0], c.Years[1])
	first, last := clock.YearStart(c.Years[0]), clock.YearStart(c.Years[1]+1)-1
	finer := []string{"seconds", "milliseconds", "microseconds", "nanoseconds"}
	own := 0 // the unit of the field
	if c.Unit.Step == time.Millisecond {
		own = 1
	}
	for i, factor := range []int64{1e3, 1e6, 1e9} {
		switch sec := at.Unix(); {
		case sec > 0 && sec <= last/factor && sec >= first/factor:
			return text + ": seconds in place of " + finer[i+1] + "?"
		case sec/factor >= first && sec/factor <= last && own+i+1 < len(finer):
			return text + ": " + finer[own+i+1] + " in place of " + finer[own] + "?"
		}
	}
	return text
}
