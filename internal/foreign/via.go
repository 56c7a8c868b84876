package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// This file calls the transforms that callers write. A transform gets memory of our own.
// So the caller's buffers stay on the caller's stack, and a transform that writes outside
// of its slice cannot change a key. Its results are checked before they are used.

// rewriter is the part of a Transform that writes a form and reads it back.
type rewriter interface {
	Append(dst, value []byte) ([]byte, error)
	Invert(dst, stored []byte) ([]byte, error)
}

// ender is the method of a Transform that finds the end of a form.
type ender interface {
	Len(b []byte) (int, error)
}

// Via is a Transform with what Build asked of it.
type Via struct {
	T      rewriter
	Ender  ender // T, if it has Len; else nil
	Name   string
	Traits Traits
	Hollow bool // a OneWay without a function
}

// Traits are the Traits of a Transform.
type Traits struct {
	Order     forms.Order
	Size      int
	Delimited bool
	NextBelow byte
	First     string
	Prefixes  bool
	End       int
	OneWay    bool
}

// Misdeclared says what is wrong with the Traits of a Transform; empty if nothing is. ok is
// false if its method Traits panicked. One flat list: each case is one rule.
func (v *Via) Misdeclared(ok bool) string {
	tr := &v.Traits
	says := "the Traits of " + v.Notation() + ": "
	switch {
	case v.Name == "":
		return "a Transform's String names it: it is not empty, and does not panic"
	case !ok:
		return says + "they panic"
	case tr.Order < forms.Forward || tr.Order > forms.Unordered:
		return says + "Order is not said"
	case tr.Size < 0 || tr.Size > forms.MaxKey:
		return says + fmt.Sprintf("a Size of %d is not within 1 to %d, or 0", tr.Size, forms.MaxKey)
	case tr.Size > 0 && tr.NextBelow != 0:
		return says + "what has a Size ends by itself, whatever the next byte"
	case tr.Size == 0 && tr.Delimited && v.Ender == nil:
		return says + "Delimited, but it has no Len to find the end"
	case tr.Delimited && tr.NextBelow != 0:
		return says + "Delimited has no form go on where another ends, NextBelow has"
	case tr.NextBelow != 0 && v.Ender == nil:
		return says + "NextBelow, but it has no Len to find the end"
	case tr.Prefixes && tr.Size > 0:
		return says + "Prefixes, but of forms of one Size none begins as another does"
	case tr.End < 0 || tr.End > forms.MaxKey:
		return says + fmt.Sprintf("an End of %d is not within 0 to %d", tr.End, forms.MaxKey)
	case tr.End > 0 && !tr.Prefixes:
		return says + "End is of forms that keep Prefixes, and these do not"
	}
	return ""
}

func (v *Via) Notation() string { return "via(" + strconv.QuoteToASCII(v.Name) + ")" }

// Ends reports that Len finds the end of the forms.
func (v *Via) Ends() bool {
	return v.Traits.Size == 0 && (v.Traits.Delimited || v.Traits.NextBelow != 0)
}

type viaCall uint8

const (
	viaAppend viaCall = iota
	viaInvert
	viaLen
)

// call calls one method of the transform on the loaded bytes.
func (v *Via) call(what viaCall, r *Room) (out []byte, n int, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, n, err = nil, 0, Panicked(p)
		}
	}()
	in, room := r.lend()
	switch what {
	case viaAppend:
		out, err = v.T.Append(room, in)
	case viaInvert:
		out, err = v.T.Invert(room, in)
	case viaLen:
		n, err = v.Ender.Len(in)
	}
	return out, n, safe(err)
}

// Append replaces the value dst[at:] by its stored form. On error dst[at:] is garbage.
func (v *Via) Append(dst []byte, at int) ([]byte, error) {
	r := viaRooms.Get().(*Room)
	defer viaRooms.Put(r)
	r.load(dst[at:])
	out, _, err := v.call(viaAppend, r)
	if err != nil {
		reason := fault.ErrRange
		for _, own := range []error{fault.ErrLength, fault.ErrTerminator} {
			if errors.Is(err, own) {
				reason = own
			}
		}
		return dst, v.fault(err, reason)
	}
	if problem := v.wrong(out); problem != "" {
		return dst, v.fault(errors.New(problem), fault.ErrLength)
	}
	dst = append(dst[:at], out...)
	if v.Ends() {
		r.load(dst[at:])
		if _, n, err := v.call(viaLen, r); IsPanic(err) {
			return dst, v.fault(err, fault.ErrLength)
		} else if err != nil || n != len(dst)-at {
			return dst, v.fault(errors.New("its Len does not find the end of the form it wrote"), fault.ErrLength)
		}
	}
	return dst, nil
}

// wrong says in what a form is not as the Traits say; empty if it is.
func (v *Via) wrong(form []byte) string {
	t := &v.Traits
	switch {
	case t.Size > 0 && len(form) != t.Size:
		return fmt.Sprintf("wrote %d bytes, and its Traits say %d", len(form), t.Size)
	case len(form) == 0 && (v.Ends() || t.First != ""):
		return "wrote nothing, which does not end itself"
	case t.First != "" && !slices.Contains([]byte(t.First), form[0]):
		return "wrote a form that begins otherwise than its Traits say"
	}
	return ""
}

// Invert replaces the stored form dst[at:] by its value.
func (v *Via) Invert(dst []byte, at int) ([]byte, error) {
	if v.wrong(dst[at:]) != "" {
		return dst, fault.ErrMalformed
	}
	r := viaRooms.Get().(*Room)
	defer viaRooms.Put(r)
	r.load(dst[at:])
	out, _, err := v.call(viaInvert, r)
	if err != nil {
		return dst, v.fault(err, fault.ErrMalformed)
	}
	return append(dst[:at], out...), nil
}

// Len is the length of the form at the start of b, whose bytes are XOR flip; −1 if there is
// none.
func (v *Via) Len(b []byte, flip byte) int {
	r := viaRooms.Get().(*Room)
	defer viaRooms.Put(r)
	r.load(b)
	if flip != 0 {
		forms.Invert(r.in)
	}
	if _, n, err := v.call(viaLen, r); err == nil && n >= 1 && n <= len(b) {
		return n
	}
	return -1
}

// fault is an error of the transform with a reason.
func (v *Via) fault(err, reason error) error {
	return &Error{v.Notation(), err, reason}
}

// Begin replaces the prefix dst[at:] by the common beginning of the forms of all values that
// begin with it: its own form without the last Traits.End bytes.
func (v *Via) Begin(dst []byte, at int) ([]byte, error) {
	dst, err := v.Append(dst, at)
	if err != nil {
		return dst, err
	}
	n := len(dst) - v.Traits.End
	if n < at {
		return dst, v.fault(errors.New("wrote a form that is shorter than its End"), fault.ErrLength)
	}
	return dst[:n], nil
}
