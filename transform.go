package rowkey

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Steps of a pipeline that others write. What they are given is memory of our
// own, so that the caller's buffers stay on the caller's stack, and so that a
// step which reads or writes where it should not reaches no key. What they give
// is measured before it goes into a key or out of one.

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
		said: notation.Option{Word: notation.Via, Text: name},
		toField: func(p *pipeline) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			return p.optVia(v)
		},
		toSalt: func(s *salting) string {
			v, problem := viaOf(t, name)
			if problem != "" {
				return problem
			}
			s.through(v)
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
func viaOf(t Transform, name string) (*via, string) {
	if t == nil {
		return nil, "Via(nil) transforms nothing"
	}
	said, ok := traitsOf(t)
	v := &via{t: t, name: name, traits: traits{
		order: forms.Order(said.Order), size: said.Size, delimited: said.Delimited, nextBelow: said.NextBelow,
		first: said.First, prefixes: said.Prefixes, end: said.End, oneWay: said.OneWay,
	}}
	if d, ok := t.(Delimiter); ok {
		v.ender = d
	}
	if o, ok := t.(*oneWay); ok {
		v.hollow = o.append == nil
	}
	return v, v.misdeclared(ok)
}

// rewriter is a Transform: how it writes a form, and undoes that.
type rewriter interface {
	Append(dst, value []byte) ([]byte, error)
	Invert(dst, stored []byte) ([]byte, error)
}

// ender is a Delimiter: how it finds the end of a form.
type ender interface {
	Len(b []byte) (int, error)
}

// via is a Transform as Build found it.
type via struct {
	t      rewriter
	ender  ender // t, if it ends itself
	name   string
	traits traits
	hollow bool // a OneWay without a function
}

// traits are the Traits of a Transform.
type traits struct {
	order     forms.Order
	size      int
	delimited bool
	nextBelow byte
	first     string
	prefixes  bool
	end       int
	oneWay    bool
}

// misdeclared says what is wrong with a Transform's Traits, which panicked if they
// are not ok.
func (v *via) misdeclared(ok bool) string {
	tr := &v.traits
	says := "the Traits of " + v.notation() + ": "
	switch {
	case v.name == "":
		return "a Transform's String names it: it is not empty, and does not panic"
	case !ok:
		return says + "they panic"
	case tr.order < forms.Forward || tr.order > forms.Unordered:
		return says + "Order is not said"
	case tr.size < 0 || tr.size > maxKey:
		return says + fmt.Sprintf("a Size of %d is not within 1 to %d, or 0", tr.size, maxKey)
	case tr.size > 0 && tr.nextBelow != 0:
		return says + "what has a Size ends by itself, whatever the next byte"
	case tr.size == 0 && tr.delimited && v.ender == nil:
		return says + "Delimited, but it has no Len to find the end"
	case tr.delimited && tr.nextBelow != 0:
		return says + "Delimited has no form go on where another ends, NextBelow has"
	case tr.nextBelow != 0 && v.ender == nil:
		return says + "NextBelow, but it has no Len to find the end"
	case tr.prefixes && tr.size > 0:
		return says + "Prefixes, but of forms of one Size none begins as another does"
	case tr.end < 0 || tr.end > maxKey:
		return says + fmt.Sprintf("an End of %d is not within 0 to %d", tr.end, maxKey)
	case tr.end > 0 && !tr.prefixes:
		return says + "End is of forms that keep Prefixes, and these do not"
	}
	return ""
}

func (v *via) notation() string { return "via(" + strconv.QuoteToASCII(v.name) + ")" }

// ends reports that the forms end themselves by Len.
func (v *via) ends() bool {
	return v.traits.size == 0 && (v.traits.delimited || v.traits.nextBelow != 0)
}

// viaRoom is memory that is lent to steps of others, one call at a time.
type viaRoom struct{ in, out []byte }

var viaRooms = sync.Pool{New: func() any { return new(viaRoom) }}

// load copies what a step is to work on into the room.
func (r *viaRoom) load(b []byte) {
	r.in = append(r.in[:0], b...)
	r.out = slices.Grow(r.out[:0], r.spare())
}

func (r *viaRoom) spare() int { return 4*len(r.in) + 64 }

// lend is what is loaded, and room to append to. Earlier values lie in both: what
// reads behind the end of either panics, or finds zeros.
func (r *viaRoom) lend() (in, out []byte) {
	out = r.out[:r.spare()]
	clear(out)
	return r.in[:len(r.in):len(r.in)], out[:0:len(out)]
}

type viaCall uint8

const (
	viaAppend viaCall = iota
	viaInvert
	viaLen
)

// call calls the transform on what is loaded.
func (v *via) call(what viaCall, r *viaRoom) (out []byte, n int, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, n, err = nil, 0, panicked(p)
		}
	}()
	in, room := r.lend()
	switch what {
	case viaAppend:
		out, err = v.t.Append(room, in)
	case viaInvert:
		out, err = v.t.Invert(room, in)
	default:
		n, err = v.ender.Len(in)
	}
	return out, n, err
}

// panicked is a panic as an error. What it was raised with may hold a value; the
// runtime's own hold indexes and types.
func panicked(p any) error {
	if e, ok := p.(runtime.Error); ok {
		return &stepPanic{"panicked: " + e.Error()}
	}
	return &stepPanic{"panicked"}
}

// stepPanic is a panic in a step of others: nothing follows from it, while an
// error of the step says that there is no such value.
type stepPanic struct{ text string }

func (e *stepPanic) Error() string { return e.text }

// isPanic reports that an error is a panic in a step of others.
func isPanic(err error) bool {
	var p *stepPanic
	return err != nil && errors.As(err, &p)
}

// append turns dst[at:] into its stored form. On error dst is garbage behind at.
func (v *via) append(dst []byte, at int) ([]byte, error) {
	r := viaRooms.Get().(*viaRoom)
	defer viaRooms.Put(r)
	r.load(dst[at:])
	out, _, err := v.call(viaAppend, r)
	if err != nil {
		reason := ErrRange
		for _, own := range []error{ErrLength, ErrTerminator} {
			if errors.Is(err, own) {
				reason = own
			}
		}
		return dst, v.fault(err, reason)
	}
	if problem := v.wrong(out); problem != "" {
		return dst, v.fault(errors.New(problem), ErrLength)
	}
	dst = append(dst[:at], out...)
	if v.ends() {
		r.load(dst[at:])
		if _, n, err := v.call(viaLen, r); isPanic(err) {
			return dst, v.fault(err, ErrLength)
		} else if err != nil || n != len(dst)-at {
			return dst, v.fault(errors.New("its Len does not find the end of the form it wrote"), ErrLength)
		}
	}
	return dst, nil
}

// wrong says what is not as the Traits of a form have it.
func (v *via) wrong(form []byte) string {
	t := &v.traits
	switch {
	case t.size > 0 && len(form) != t.size:
		return fmt.Sprintf("wrote %d bytes, and its Traits say %d", len(form), t.size)
	case len(form) == 0 && (v.ends() || t.first != ""):
		return "wrote nothing, which does not end itself"
	case t.first != "" && !slices.Contains([]byte(t.first), form[0]):
		return "wrote a form that begins otherwise than its Traits say"
	}
	return ""
}

// invert turns the stored form dst[at:] back.
func (v *via) invert(dst []byte, at int) ([]byte, error) {
	if v.wrong(dst[at:]) != "" {
		return dst, ErrMalformed
	}
	r := viaRooms.Get().(*viaRoom)
	defer viaRooms.Put(r)
	r.load(dst[at:])
	out, _, err := v.call(viaInvert, r)
	if err != nil {
		return dst, v.fault(err, ErrMalformed)
	}
	return append(dst[:at], out...), nil
}

// len is the length of the form at the head of b, whose bytes are XOR flip; −1
// if there is none.
func (v *via) len(b []byte, flip byte) int {
	r := viaRooms.Get().(*viaRoom)
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

// others reports that a step of others writes a salt or hash: it may fail.
func (c *component) others() bool { return c.part.own != nil || c.vias > 0 }

// computeOthers appends the stored form of such a salt or hash of data.
func (c *component) computeOthers(dst, data []byte) ([]byte, error) {
	var n uint64
	ok := true
	if c.part.own != nil {
		var room [digest.MaxSize]byte
		sum, err := c.part.own.append(room[:0], data)
		if err != nil {
			return dst, err
		}
		if c.role == roleHash {
			return c.part.cut.Cut(dst, sum), nil
		}
		n = digest.Mod(sum[:c.part.cut.N], c.buckets)
	} else if ok = c.part.cut.Takes(data); ok {
		n, ok = c.bucketOf(data)
	}
	if !ok {
		return dst, c.sumRefused(data)
	}
	return c.putBucket(dst, n)
}

// append appends a digest of others. They are given a copy of the data, since
// what they are given escapes, and every caller's scratch with it.
func (d *ownDigest) append(dst, data []byte) ([]byte, error) {
	r := viaRooms.Get().(*viaRoom)
	defer viaRooms.Put(r)
	r.load(data)
	sum, err := d.call(r)
	if err != nil {
		return dst, &viaError{"digest " + d.name, err, ErrRange}
	}
	if len(sum) != d.size {
		return dst, &detail{fmt.Sprintf("digest %s gave %d bytes, not its %d", d.name, len(sum), d.size), ErrLength}
	}
	return append(dst, sum...), nil
}

// call calls the digest on what is loaded.
func (d *ownDigest) call(r *viaRoom) (sum []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			sum, err = nil, panicked(p)
		}
	}()
	in, room := r.lend()
	return d.sum(room, in), nil
}

// fault is a transform's error with the reason that this package gives it.
func (v *via) fault(err, reason error) error {
	return &viaError{v.notation(), err, reason}
}

// viaError wraps the reason, and the transform's own error unless that wraps
// another reason of this package.
type viaError struct {
	name        string
	err, reason error
}

func (e *viaError) Error() string {
	if e.err == e.reason {
		return e.name + ": " + e.reason.Error()
	}
	return e.name + ": " + e.err.Error() + ": " + e.reason.Error()
}

func (e *viaError) Unwrap() []error {
	for _, r := range reasons {
		if r != e.reason && errors.Is(e.err, r) {
			return []error{e.reason}
		}
	}
	return []error{e.reason, e.err}
}

// reasons are all the Err variables.
var reasons = []error{
	ErrType, ErrMissing, ErrExtra, ErrField, ErrRange, ErrTerminator, ErrLength, ErrMalformed, ErrDerived,
	ErrFullScan, ErrManyRanges, ErrInverted, ErrSplits, ErrAmbiguous, ErrSchema,
}

// through is the shape of what a Transform makes of forms of this shape: no more
// is known of it than it says.
func through(s forms.Shape, v *via) forms.Shape {
	t := &v.traits
	out := forms.Shape{Max: -1, Bytes: forms.AllBytes(), Free: t.delimited, GoesOn: t.nextBelow}
	if t.first != "" {
		first := forms.BytesOf(t.first)
		out.First = &first
	}
	switch {
	case t.size > 0:
		out.Min, out.Max, out.Ends = t.size, t.size, forms.EndWidth
	case v.ends():
		out.Min, out.Ends = 1, forms.EndSelf
	}
	switch before := s.Order(); {
	case before == forms.Unordered || t.order == forms.Unordered:
		out.Dir = forms.NoOrder
	case before == t.order:
		out.Dir = forms.Up
	case out.Fixed() || out.Free:
		out.Dir = forms.Down
	default: // the shorter of two forms is then that of the larger value
		out.Dir = forms.NoOrder
	}
	return out
}

// optVia adds a transform to a field's pipeline.
func (p *pipeline) optVia(v *via) string {
	c := p.c
	if c.dialect.framed() {
		return "Via does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase, or transform the value itself"
	}
	if problem := p.oneWay(v); problem != "" {
		return problem
	}
	if c.frame != noFrame && c.frame != frameFixed {
		return "Via stands before the option that ends the field"
	}
	if c.frame == frameFixed { // it judges what the transform gets
		if !p.seen[notation.Fixed+"!"] {
			c.stages = append(c.stages, stage{word: notation.Fixed, to: c.width})
			p.seen[notation.Fixed+"!"] = true
		}
		if c.invertAll {
			c.stages = append(c.stages, stage{word: notation.Desc})
		}
		c.frame, c.width, c.invertAll = noFrame, 0, false
	}
	c.stages = append(c.stages, stage{word: notation.Via, via: v})
	c.vias = len(c.stages)
	p.started, p.via = true, true
	return ""
}

// selfEnded notes how a reader finds the end of forms that a transform ended.
func (c *component) selfEnded(sh *forms.Shape) {
	if c.vias == 0 || sh.Ends != forms.EndSelf || c.frame != noFrame {
		return
	}
	last := c.stages[c.vias-1].via
	if !last.ends() || last.traits.nextBelow != 0 && sh.GoesOn == 0 { // few forms, which end themselves
		return
	}
	flip := byte(0)
	for _, st := range c.stages[c.vias:] {
		if st.word != notation.Desc { // its forms are not those that Len knows
			return
		}
		flip ^= 0xff
	}
	c.ender, c.enderFlip = last, flip
}

// follows sees to it that what stands behind component i cannot be taken for
// more of it, or says what could.
func (s *schema) follows(i int) string {
	c := &s.comps[i]
	sh := &c.shape
	var set forms.ByteSet
	next := i + 1
	for ; next < len(s.comps); next++ {
		n := &s.comps[next]
		if n.absent {
			continue
		}
		set = set.Union(n.firstBytes())
		if n.shape.Min > 0 {
			break
		}
	}
	if set == (forms.ByteSet{}) { // nothing stands behind it
		sh.Ends, sh.Tail = forms.EndLast, forms.ShortFirst
		return ""
	}
	if next == len(s.comps) && sh.GoesOnDown {
		return "what stands behind it may be empty, so that the key ends where longer forms of it go on: put a Literal between"
	}
	var taken byte
	if !sh.GoesOnDown {
		if taken = set.Highest(); taken < sh.GoesOn {
			sh.Tail = forms.ShortFirst
			return ""
		}
	} else if taken = set.Lowest(); taken > ^sh.GoesOn {
		sh.Tail = forms.ShortLast
		return ""
	}
	return fmt.Sprintf("what stands behind it may begin with byte %02x, with which longer forms of it go on: put a Literal between", taken)
}

// firstBytes are the bytes that a component's stored form can begin with.
func (c *component) firstBytes() forms.ByteSet {
	switch {
	case c.role == roleLiteral:
		return forms.BytesOf(c.lit[:1])
	case c.shape.First != nil:
		return *c.shape.First
	}
	return c.shape.Bytes
}

// clippedRange is the range of the keys that begin with p, whose last component's
// forms may go on where others end: what goes on is left out.
func clippedRange(c *component, arena, p []byte) (Range, []byte) {
	at := len(arena)
	arena = append(arena, p...)
	if c.shape.GoesOnDown {
		arena = append(arena, ^c.shape.GoesOn+1)
	}
	mid := len(arena)
	arena = append(arena, p...)
	state := bounded
	if !c.shape.GoesOnDown {
		arena = append(arena, c.shape.GoesOn)
	} else {
		n, ok := stepUp(arena[mid:])
		if !ok {
			state = unbounded
		}
		arena = arena[:mid+n]
	}
	end := len(arena)
	return Range{arena[at:mid:mid], arena[mid:end:end], state, nil}, arena
}

// clampedRange is a range within that of the keys that begin with p, but for forms
// that go on; false if nothing is left.
func clampedRange(c *component, r Range, p []byte) (Range, bool) {
	within, _ := clippedRange(c, nil, p)
	if bytes.Compare(r.start, within.start) < 0 {
		r.start = within.start
	}
	if within.state == bounded && (r.state == unbounded || bytes.Compare(r.stop, within.stop) > 0) {
		r.stop, r.state = within.stop, bounded
	}
	return r, r.state == unbounded || bytes.Compare(r.start, r.stop) < 0
}

// clips reports that a range must leave out forms that go on.
func (c *component) clips() bool { return c.ends == forms.EndSelf && c.shape.GoesOn != 0 }

// pieceOf is the rows of one stored form, without its separator.
func pieceOf(c *component, form []byte) piece {
	switch {
	case c.ends == forms.EndLast:
		return piece{lo: form, hi: append(slices.Clone(form), 0)}
	case c.clips() && c.shape.GoesOnDown:
		return piece{lo: append(slices.Clone(form), ^c.shape.GoesOn+1), hi: form, hiBehind: true}
	case c.clips():
		return piece{lo: form, hi: append(slices.Clone(form), c.shape.GoesOn)}
	}
	form = append(form, c.mark...)
	return piece{lo: form, hi: form, hiBehind: true}
}

// beginsNone is true if this transform's forms have a fixed size or end themselves,
// and Pad or Escaped follows. No form begins another then, so that the frame cannot
// change their order.
func beginsNone(c *component) bool {
	t := &c.stages[c.vias-1].via.traits
	return (t.delimited || t.size > 0) && (c.frame == frameEscaped || c.frame == framePad)
}

// selfPieces are the rows of the texts of one span, of a field whose forms no
// other begins and which sort as the values do, or the other way round: a
// transform ends them, or beginsNone.
func selfPieces(c *component, t textSpan) (pieces []piece, exact, ok bool) {
	lo, hi := placeOf(c, t.lo, t.lo != "", c.stages, false), placeOf(c, t.hi, !t.open, c.stages, true)
	if err := cmp.Or(lo.fault, hi.fault); err != nil {
		return faulty(err), false, true
	}
	if c.order == forms.Backward { // the larger values stand first
		lo, hi = hi.turned(), lo.turned()
	}
	at := func(p formPlace) ([]byte, bool) {
		form := p.form
		if c.frame == frameEscaped {
			form = forms.AppendEscape(form, 0)
		}
		if c.invertAll {
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
func placeOf(c *component, v string, said bool, stages []stage, upper bool) formPlace {
	if !said {
		return formPlace{}
	}
	form, err := runAll(stages, v)
	if err == nil {
		return formPlace{form: form, known: true}
	}
	if isPanic(err) {
		return formPlace{fault: err}
	}
	if before, ok := strings.CutSuffix(v, "\x00"); ok {
		if form, err = runAll(stages, before); err == nil {
			return formPlace{form: form, behind: true, known: true}
		}
		if isPanic(err) {
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
		if isPanic(err) {
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
func numPiece(c *component, sp numSpan, backward bool) (q piece, exact, some, ok bool) {
	all, _ := snapSpan(c, domainOf(c))
	var first, last piece
	firstOpen, lastOpen := false, false
	exact = true
	for tries := 0; ; tries++ {
		form, err := c.appendNum(nil, c.unrank(sp.lo))
		if err == nil {
			first = pieceOf(c, form)
			break
		}
		if isPanic(err) {
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
		form, err := c.appendNum(nil, c.unrank(sp.hi))
		if err == nil {
			last = pieceOf(c, form)
			break
		}
		if isPanic(err) {
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
func spanLeft(c *component, lo, hi uint64, some bool) (numSpan, bool) {
	if !some || lo > hi {
		return numSpan{}, false
	}
	return snapSpan(c, numSpan{lo, hi})
}

// spanThrough is a span of texts as the last transform writes it, and whether
// that turned it round; the stages behind it are still to come. Where an end of
// the span cannot be written its place is not known: that side is left open,
// and the span is not exact. The error is a panic of a stage.
func spanThrough(c *component, t textSpan) (_ textSpan, down, exact bool, err error) {
	stages := c.stages[:c.vias]
	for _, st := range stages {
		if st.word == notation.Desc || st.word == notation.Via && st.via.traits.order == forms.Backward {
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
func runAll(stages []stage, v string) ([]byte, error) {
	b := []byte(v)
	for i := range stages {
		var err error
		if b, err = stages[i].run(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// run is apply, for transforms too: the form may be in new memory.
func (s *stage) run(b []byte) ([]byte, error) {
	if s.via != nil {
		return s.via.append(b, 0)
	}
	return s.apply(b)
}
