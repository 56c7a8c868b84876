package rowkey

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Transform is one user-defined step of a field's pipeline, placed by Via. It
// turns the bytes that the options before it have made (a text's own bytes, a
// number's in its width, or its digits) into those that are stored.
//
// Its laws: Invert undoes Append; Append gives different values different forms,
// and one value always the same; the forms are as Traits says; both append to
// dst and leave what is in it, and dst comes back as it was with an error;
// neither changes nor keeps what it is given, which never overlaps dst; both may
// be called at the same time. Invert and Len meet whatever bytes a table holds.
// The law kit in rowkeytest checks all of that.
//
// An error of Append says that the value cannot be stored: ErrRange, unless it
// is or wraps ErrLength or ErrTerminator. One of Invert or Len is ErrMalformed.
// Errors should name no value. A panic in a Transform is such an error too.
type Transform interface {
	Append(dst, value []byte) ([]byte, error)
	Invert(dst, stored []byte) ([]byte, error) // strict: bytes Append never writes are an error
	Traits() Traits
	String() string // its name in Schema.String; part of the fingerprint
}

// Delimiter is a Transform that ends itself: Len is the length of the stored
// form at the head of b, behind which other components may stand.
type Delimiter interface {
	Transform
	Len(b []byte) (int, error)
}

// Traits is what Build and the planner may rely on.
type Traits struct {
	Order     Order // how stored forms sort against the bytes they are made of
	Size      int   // their size where it is fixed, 0 where it is not
	Delimited bool  // no form is a prefix of another; such a Transform is a Delimiter

	// Some forms end only because of what follows: FoundationDB ends a text with
	// 00 and writes 00 within it as 00ff. Where NextBelow is not 0, a form of a
	// Delimiter may be a prefix of others that go on with this byte or a larger
	// one, and Build sees to it that what stands behind begins with a smaller.
	NextBelow byte

	// First is the bytes that a form may begin with, for what stands in front of
	// it; none means any.
	First string

	// Prefixes says that forms begin as values do: a value begins with p if and only
	// if its form begins with the form of p. That holds for every p of one byte or
	// more that Append writes, and of a OneWay step in the first direction alone. It
	// is so where each byte is written by itself, as bytes that begin no other byte's.
	// Where the last bytes of every form do no more than end it, End is their
	// number, and the form of p is taken without them: FoundationDB's text has 1.
	Prefixes bool
	End      int

	OneWay bool // Invert is never called, and two values may have one form: for a Copy or a Salt
}

// Via applies a transform of the user's own at this place in the pipeline. On a
// Copy it need not be invertible, since a copy is never read but written again
// and compared: OneWay makes one of a function alone. On a Salt it stands last and
// gets the bucket as the options before it write it.
//
// Forms are planned in their order, and ended by what Traits says or by a
// Separator. A Prefix of the value is a range where Traits says Prefixes, and one
// that covers where p itself cannot be written; else it is one as far as the order
// goes. A Suffix is left to Plan.Match. The notation has the transform's name alone.
func Via(t Transform) FormOption {
	name := ""
	if t != nil {
		name = nameOf(t)
	}
	return &formOpt{
		Said: notation.Option{Word: notation.Via, Text: name},
		ToField: func(p *layout.Pipeline) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			return p.OptVia(v)
		},
		ToSalt: func(s *layout.Salting) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			s.Through(v)
			return ""
		},
	}
}

// nameOf is a Transform's String, empty if that panics.
func nameOf(t Transform) (name string) {
	defer func() { _ = recover() }() // a nil pointer, most likely: Build says so
	return t.String()
}

// traitsOf is a Transform's Traits; false if that panics.
func traitsOf(t Transform) (traits Traits, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return t.Traits(), true
}

// viaOf asks a Transform for its Traits, once.
func viaOf(t Transform, name string) (*foreign.Via, string) {
	if t == nil {
		return nil, "Via(nil) transforms nothing"
	}
	said, ok := traitsOf(t)
	v := &foreign.Via{T: t, Name: name, Traits: foreign.Traits{
		Order: forms.Order(said.Order), Size: said.Size, Delimited: said.Delimited, NextBelow: said.NextBelow,
		First: said.First, Prefixes: said.Prefixes, End: said.End, OneWay: said.OneWay,
	}}
	if d, ok := t.(Delimiter); ok {
		v.Ender = d
	}
	if o, ok := t.(*oneWay); ok {
		v.Hollow = o.append == nil
	}
	return v, v.Misdeclared(ok)
}

// clippedRange is the range of the keys that begin with p, whose last component's
// forms may go on where others end: what goes on is left out.
func clippedRange(c *layout.Component, arena, p []byte) (keyRange, []byte) {
	at := len(arena)
	arena = append(arena, p...)
	if c.Shape.GoesOnDown {
		arena = append(arena, ^c.Shape.GoesOn+1)
	}
	mid := len(arena)
	arena = append(arena, p...)
	state := bounded
	if !c.Shape.GoesOnDown {
		arena = append(arena, c.Shape.GoesOn)
	} else {
		n, ok := stepUp(arena[mid:])
		if !ok {
			state = unbounded
		}
		arena = arena[:mid+n]
	}
	end := len(arena)
	return keyRange{arena[at:mid:mid], arena[mid:end:end], state, nil}, arena
}

// clampedRange is a range within that of the keys that begin with p, but for forms
// that go on; false if nothing is left.
func clampedRange(c *layout.Component, r keyRange, p []byte) (keyRange, bool) {
	within, _ := clippedRange(c, nil, p)
	if bytes.Compare(r.start, within.start) < 0 {
		r.start = within.start
	}
	if within.state == bounded && (r.state == unbounded || bytes.Compare(r.stop, within.stop) > 0) {
		r.stop, r.state = within.stop, bounded
	}
	return r, r.state == unbounded || bytes.Compare(r.start, r.stop) < 0
}

// pieceOf is the rows of one stored form, without its separator.
func pieceOf(c *layout.Component, form []byte) piece {
	switch {
	case c.Ends == forms.EndLast:
		return piece{lo: form, hi: append(slices.Clone(form), 0)}
	case c.Clips() && c.Shape.GoesOnDown:
		return piece{lo: append(slices.Clone(form), ^c.Shape.GoesOn+1), hi: form, hiBehind: true}
	case c.Clips():
		return piece{lo: form, hi: append(slices.Clone(form), c.Shape.GoesOn)}
	}
	form = append(form, c.Mark...)
	return piece{lo: form, hi: form, hiBehind: true}
}

// beginsNone is true if this transform's forms have a fixed size or end themselves,
// and Pad or Escaped follows. No form begins another then, so that the frame cannot
// change their order.
func beginsNone(c *layout.Component) bool {
	t := &c.Stages[c.Vias-1].Via.Traits
	return (t.Delimited || t.Size > 0) && (c.Frame == layout.FrameEscaped || c.Frame == layout.FramePad)
}

// selfPieces are the rows of the texts of one span, of a field whose forms no
// other begins and which sort as the values do, or the other way round: a
// transform ends them, or beginsNone.
func selfPieces(c *layout.Component, t textSpan) (pieces []piece, exact, ok bool) {
	lo, hi := placeOf(c, t.lo, t.lo != "", c.Stages, false), placeOf(c, t.hi, !t.open, c.Stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return faulty(err), false, true
	}
	if c.Order == forms.Backward { // the larger values stand first
		lo, hi = hi.turned(), lo.turned()
	}
	at := func(p formPlace) ([]byte, bool) {
		form := p.form
		if c.Frame == layout.FrameEscaped {
			form = forms.AppendEscape(form, 0)
		}
		if c.InvertAll {
			forms.Invert(form)
		}
		rows := pieceOf(c, form)
		if p.behind {
			return rows.hi, rows.hiBehind
		}
		return rows.lo, rows.loBehind
	}
	var q piece
	if lo.known {
		q.lo, q.loBehind = at(lo)
	}
	if q.hiOpen = !hi.known; hi.known {
		q.hi, q.hiBehind = at(hi)
	}
	return []piece{q}, !lo.lost && !hi.lost, lo.known || hi.known
}

// formPlace is a place among forms: in front of one, or behind it.
type formPlace struct {
	form   []byte
	behind bool
	known  bool
	lost   bool // not the value's own, but if it is known one beyond it
	fault  error
}

// turned is the place seen from the other side.
func (p formPlace) turned() formPlace {
	p.behind = !p.behind
	return p
}

// placeOf is the place in front of the values from v on, among what some stages
// write. Where they cannot write v but what it is the next text after, that is
// the place behind this one. Where they can write neither, the place is lost: it
// is that of a text they can write which v begins with, as the lower end of a
// span, and as its upper end that of one that lies beyond all which begins so. A
// panic of a stage says nothing of any place, and is the fault.
func placeOf(c *layout.Component, v string, said bool, stages []layout.Stage, upper bool) formPlace {
	if !said {
		return formPlace{}
	}
	form, err := runAll(stages, v)
	if err == nil {
		return formPlace{form: form, known: true}
	}
	if foreign.IsPanic(err) {
		return formPlace{fault: err}
	}
	if before, ok := strings.CutSuffix(v, "\x00"); ok {
		if form, err = runAll(stages, before); err == nil {
			return formPlace{form: form, behind: true, known: true}
		}
		if foreign.IsPanic(err) {
			return formPlace{fault: err}
		}
	}
	for n := min(len(v)-1, nearTries); n > 0; n-- {
		near := []byte(v[:n])
		if upper {
			end, ok := stepUp(near)
			if !ok {
				break
			}
			near = near[:end]
		}
		if form, err = runAll(stages, string(near)); err == nil {
			return formPlace{form: form, known: true, lost: true}
		}
		if foreign.IsPanic(err) {
			return formPlace{fault: err}
		}
	}
	return formPlace{lost: true}
}

// nearTries is how many numbers beside one that a transform cannot write are tried
// in its place.
const nearTries = 1024

// numPiece is the rows of the numbers of one span, of a field whose forms are
// made by a transform: from the first that can be written to the last. An end of
// all the field's numbers that it cannot write is left open, and so is one that
// has none near it: the piece then covers. some is false if none in the span can be
// written, ok if nothing is known of its place.
func numPiece(c *layout.Component, sp numSpan, backward bool) (q piece, exact, some, ok bool) {
	all, _ := snapSpan(c, domainOf(c))
	var first, last piece
	firstOpen, lastOpen := false, false
	exact = true
	for tries := 0; ; tries++ {
		form, err := c.AppendNum(nil, c.Unrank(sp.lo))
		if err == nil {
			first = pieceOf(c, form)
			break
		}
		if foreign.IsPanic(err) {
			return piece{fault: err}, false, true, true
		}
		if firstOpen = sp.lo == all.lo || tries == nearTries; firstOpen {
			exact = sp.lo == all.lo
			break
		}
		if sp, some = spanLeft(c, sp.lo+1, sp.hi, sp.lo != math.MaxUint64); !some {
			return q, true, false, true
		}
	}
	for tries := 0; ; tries++ {
		form, err := c.AppendNum(nil, c.Unrank(sp.hi))
		if err == nil {
			last = pieceOf(c, form)
			break
		}
		if foreign.IsPanic(err) {
			return piece{fault: err}, false, true, true
		}
		if lastOpen = sp.hi == all.hi || tries == nearTries; lastOpen {
			exact = exact && sp.hi == all.hi
			break
		}
		if sp, some = spanLeft(c, sp.lo, sp.hi-1, sp.hi != 0); !some {
			return q, true, false, true
		}
	}
	// An end of all numbers bounds nothing.
	ok = !(firstOpen || sp.lo == all.lo && !exact) || !(lastOpen || sp.hi == all.hi && !exact)
	if backward {
		first, last, firstOpen, lastOpen = last, first, lastOpen, firstOpen
	}
	if !firstOpen {
		q.lo, q.loBehind = first.lo, first.loBehind
	}
	q.hi, q.hiBehind, q.hiOpen = last.hi, last.hiBehind, lastOpen
	return q, exact, true, ok
}

// spanLeft is the span of the numbers from lo to hi that the field can have, if any
// is left.
func spanLeft(c *layout.Component, lo, hi uint64, some bool) (numSpan, bool) {
	if !some || lo > hi {
		return numSpan{}, false
	}
	return snapSpan(c, numSpan{lo, hi})
}

// spanThrough is a span of texts as the last transform writes it, and whether
// that turned it round; the stages behind it are still to come. Where an end of
// the span cannot be written its place is not known: that side is left open,
// and the span is not exact. The error is a panic of a stage.
func spanThrough(c *layout.Component, t textSpan) (_ textSpan, down, exact bool, err error) {
	stages := c.Stages[:c.Vias]
	for _, st := range stages {
		if st.Word == notation.Desc || st.Word == notation.Via && st.Via.Traits.Order == forms.Backward {
			down = !down
		}
	}
	lo, hi := placeOf(c, t.lo, t.lo != "", stages, false), placeOf(c, t.hi, !t.open, stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return t, down, false, err
	}
	if down {
		lo, hi = hi.turned(), lo.turned()
	}
	text := func(p formPlace) string {
		if p.behind && p.known {
			return string(p.form) + "\x00" // the next text of all
		}
		return string(p.form)
	}
	return textSpan{lo: text(lo), hi: text(hi), open: !hi.known}, down, !lo.lost && !hi.lost, nil
}

// runAll takes a value through some stages.
func runAll(stages []layout.Stage, v string) ([]byte, error) {
	b := []byte(v)
	for i := range stages {
		var err error
		if b, err = stages[i].Run(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// OneWay makes a Transform of a function that nothing undoes, such as a name in
// lower case: Hash(MD5.Hex(4), "id").Copy("low", "id", Via(lower)) writes c6e1 and
// "web" of "Web", where lower is OneWay("lower", 0, …). Of its laws the one on
// Invert falls away, and different values may have one form. It fits a Copy or a
// Salt, whose bytes are never read back but written again and compared.
//
// The function appends the form of a value to dst and says by an error that there
// is none; size is the forms' size in bytes where it is fixed, 0 where it is not.
// The name stands for it in the notation and in the fingerprint. Its Traits are
// the size and Unordered.
func OneWay(name string, size int, appendForm func(dst, value []byte) ([]byte, error)) Transform {
	return &oneWay{name, size, appendForm}
}

type oneWay struct {
	name   string
	size   int
	append func(dst, value []byte) ([]byte, error)
}

var errOneWay = errors.New("nothing undoes it")

func (o *oneWay) Append(dst, value []byte) ([]byte, error) {
	if o.append == nil {
		return dst, errors.New("OneWay needs a function")
	}
	return o.append(dst, value)
}

func (o *oneWay) Invert(dst, stored []byte) ([]byte, error) { return dst, errOneWay }

func (o *oneWay) Traits() Traits { return Traits{Order: Unordered, Size: o.size, OneWay: true} }

func (o *oneWay) String() string { return o.name }
