package bind

import (
	"encoding/binary"
	"math"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// landingOf is the landing of a field, if it has one.
func (f *Field) landingOf(st *layout.Step) (landing, bool) {
	c := f.C
	l := landing{offset: f.offset, size: st.Rsize, word: st.Rword, mask: st.Rmask, half: st.Half, bias: st.Rbias, span: st.Rspan, st: st}
	if st.Rform == layout.Cold || c.Optional || c.Absent || c.Trims || f.elem != nil {
		return l, false
	}
	l.judged = st.Checks || f.unix.Step != 0 && !f.direct
	switch {
	case !c.IsText():
		switch st.Reads {
		case layout.OpUint, layout.OpInt, layout.OpTime:
			l.read = landWord
		case layout.OpUintAt:
			l.read, l.shift = landAt, st.Right
		}
		if l.judged {
			l.read = landNum
		}
	case st.Reads == layout.OpText && st.Right > 0:
		l.read = landFixed
	case st.Reads == layout.OpText:
		l.read = landText
	case st.Rform >= layout.HotPad && !st.Checks && (st.Rform == layout.HotLength || st.Right > 0):
		l.read = landShaped
	default:
		return l, false
	}
	if c.IsText() && st.Checks && st.Rform != layout.HotText {
		return l, false
	}
	switch {
	case f.kind == goString && st.Rform != layout.HotReverse && st.Rform != layout.HotUUID && c.Decimal == forms.NoDecimal:
		l.store = storeText
	case f.kind == goTime && st.Reads == layout.OpTime:
		l.store = storeTime
	case f.kind == goTime || f.unix.Step != 0 && !f.direct:
	case f.kind == goInt64 || f.kind == goUint64 || f.kind == goMilli || f.kind == goFloat64,
		math.MaxUint > math.MaxUint32 && (f.kind == goInt || f.kind == goUint):
		l.store = store64
	case f.kind == goInt32 || f.kind == goUint32:
		l.store = store32
	case f.kind == goInt16 || f.kind == goUint16:
		l.store = store16
	case f.kind == goInt8 || f.kind == goUint8 || f.kind == goBool:
		l.store = store8
	}
	return l, true
}

// landRead is how a field of a key is read on its way into a struct.
type landRead uint8

const (
	landNum    landRead = iota // a number that readNum reads
	landWord                   // one load of 8 bytes that ends with the number
	landAt                     // one that begins with it
	landFixed                  // a text of one length, and what follows
	landText                   // a text up to what ends it
	landShaped                 // a text that does not stand there as it is
)

// landStore is how it is stored there.
type landStore uint8

const (
	storeAny landStore = iota // by its Go type
	store64
	store32
	store16
	store8
	storeTime // a time.Time of units whose count begins in 1970
	storeText // a string
	lift64    // a number of 8 bytes, at its place, in as many of the struct
	lift32
	lift16
	lift8
)

// landing is a field on its way from a key into a struct, its step by value as in a
// move.
type landing struct {
	read       landRead
	store      landStore
	judged     bool  // there is more to check than its range
	shift      uint8 // of landAt
	field      uint8
	size       int // bytes of a number; of a text of what follows
	from       int // of its load, in a key of numbers alone
	offset     uintptr
	word, mask uint64 // as of a hotRead
	half       uint64
	bias, span uint64
	st         *layout.Step
}

// number is a number of a key of numbers alone.
func (l *landing) number(key unsafe.Pointer) uint64 {
	at := (*[8]byte)(unsafe.Add(key, l.from)) // the key has the width: it lies inside
	return (binary.BigEndian.Uint64(at[:])>>(l.shift&63)^l.word)&l.mask - l.half
}

// keep stores a number in the struct at p; false, and nothing stored, where that holds
// it in another way. It is inlined.
func (l *landing) keep(p unsafe.Pointer, u uint64) bool {
	q := unsafe.Add(p, l.offset)
	switch l.store {
	case store64:
		*(*uint64)(q) = u
	case store32:
		*(*uint32)(q) = uint32(u)
	case store16:
		*(*uint16)(q) = uint16(u)
	case store8:
		*(*uint8)(q) = uint8(u)
	default:
		return false
	}
	return true
}

// Decode is Decode. A key of numbers alone, each at its place, is read here: those whose
// bytes may be out of range are checked, then all are stored.
func (b *Binding) Decode(key []byte, p unsafe.Pointer) error {
	if len(key)+1 != b.over || p == nil {
		return b.decodeAny(key, p)
	}
	from := unsafe.Pointer(unsafe.SliceData(key))
	for i := range b.limits {
		if l := &b.limits[i]; l.number(from)+l.bias > l.span {
			return b.decodeAny(key, p)
		}
	}
	lifts := b.lifts
	for i := range lifts {
		l := &lifts[i]
		at, q := unsafe.Add(from, l.from), unsafe.Add(p, l.offset)
		switch l.store {
		case lift64:
			*(*uint64)(q) = binary.BigEndian.Uint64((*[8]byte)(at)[:]) ^ l.word
		case lift32:
			*(*uint32)(q) = binary.BigEndian.Uint32((*[4]byte)(at)[:]) ^ uint32(l.word)
		case lift16:
			*(*uint16)(q) = binary.BigEndian.Uint16((*[2]byte)(at)[:]) ^ uint16(l.word)
		case lift8:
			*(*uint8)(q) = *(*uint8)(at) ^ uint8(l.word)
		default:
			if u := l.number(from); !l.keep(p, u) {
				b.landAny(key, u, p, int(l.field))
			}
		}
	}
	return nil
}

// decodeAny is decode of a key that is not of numbers alone.
func (c *Binding) decodeAny(key []byte, p unsafe.Pointer) error {
	if p == nil || c.s == nil {
		return c.misused()
	}
	if c.landings != nil && c.decodeHot(key, p) {
		return nil
	}
	s := c.s
	var few [layout.FewSpans]uint16
	at := s.Spans(few[:])
	if err := s.Split(key, at, true); err != nil {
		return err
	}
	given, err := s.Values(key, at)
	if err != nil {
		return err
	}
	if err := s.Verify(key, at, given.Row()); err != nil {
		return err
	}
	vs := given.Row().Vals
	for i := range c.fields {
		if b := &c.fields[i]; vs[i].Ok && !b.takes(vs[i]) {
			return s.ErrAt(b.C.Name, int(at[b.C.Index]), &fault.Detail{Text: "no whole " + b.unix.Name + " since 1970 of 64 bits", Reason: fault.ErrRange})
		}
	}
	for i := range c.fields {
		if b := &c.fields[i]; vs[i].Ok {
			b.Take(unsafe.Add(p, b.offset), vs[i])
		}
	}
	return nil
}

// linkLandings finds what decodeHot does of a key: nothing, where it cannot read all
// of it.
func (b *Binding) linkLandings() {
	s := b.s
	if !s.Start.Known || len(s.Fields) > layout.FewFields || s.Cold || s.Loose > 0 {
		return
	}
	if end := &s.Steps[len(s.Fields)]; !end.Sure && !s.RestsOnly {
		return
	}
	var all []landing
	for i := range b.fields {
		l, ok := b.fields[i].landingOf(&s.Steps[i])
		if !ok {
			return
		}
		all = append(all, l)
	}
	b.landings = all
	if s.Start.Heads == nil && s.Steps[len(s.Fields)].Sure {
		b.linkLifts(s.Start.Lead)
	}
}

// linkLifts finds what decode does of a key of numbers alone: nothing of another. The
// first stands at pos.
func (b *Binding) linkLifts(pos int) {
	var lifts, limits []landing
	for i, l := range b.landings {
		switch l.field = uint8(i); l.read {
		case landWord:
			l.from = pos + l.size - 8
		case landAt:
			l.from = pos
		default:
			return
		}
		if l.span < l.mask || l.bias != l.half {
			limits = append(limits, l)
		}
		exact := map[landStore]struct {
			size  int
			store landStore
		}{store64: {8, lift64}, store32: {4, lift32}, store16: {2, lift16}, store8: {1, lift8}}[l.store]
		if exact.size == l.size {
			l.store, l.from, l.word = exact.store, pos, l.word^l.half
		}
		lifts = append(lifts, l)
		pos += l.size
	}
	b.over, b.limits, b.lifts = pos+1, limits, lifts
}

// decodeHot is decode of a key all of whose fields the hot path reads; false, and
// nothing stored, where it does not, or the key is none.
func (b *Binding) decodeHot(key []byte, p unsafe.Pointer) bool {
	s := b.s
	if !s.Start.Fits(key) && (len(key) == 0 || len(key) > s.MaxLen || !s.Begins(key)) {
		return false
	}
	var nums [layout.FewFields]uint64 // of a text where it begins and ends, in the two halves of a word
	pos, i := b.arrive(&nums, key, s.Start.Lead, 0)
	for i < len(b.landings) {
		var ok bool
		if nums[i], pos, ok = b.arriveAny(key, pos, i); !ok {
			return false
		}
		pos, i = b.arrive(&nums, key, pos, i+1)
	}
	if pos != len(key) {
		return false
	}
	if !s.Steps[len(s.Fields)].Sure {
		if err, known := s.CheckRests(key); !known || err != nil {
			return false
		}
	}
	for i = b.land(&nums, p, 0); i < len(b.landings); i = b.land(&nums, p, i+1) {
		b.landAny(key, nums[i], p, i)
	}
	return true
}

// arrive reads numbers from field i on, and texts of one length, and stops at the
// first that it cannot read, or that is wrong. It calls nothing, so that its variables
// stay in registers.
func (b *Binding) arrive(nums *[layout.FewFields]uint64, key []byte, pos, i int) (int, int) {
	for ; i < len(b.landings); i++ {
		l := &b.landings[i]
		end := pos + l.size
		if uint(end) > uint(len(key)) {
			return pos, i
		}
		var u uint64
		switch l.read {
		case landWord:
			if end < 8 {
				return pos, i
			}
			u = (binary.BigEndian.Uint64(key[end-8:end])^l.word)&l.mask - l.half
		case landAt:
			if uint(pos+8) > uint(len(key)) {
				return pos, i
			}
			u = (binary.BigEndian.Uint64(key[pos:pos+8])>>(l.shift&63) ^ l.word) & l.mask
		default:
			return pos, i
		}
		if u+l.bias > l.span {
			return pos, i
		}
		nums[i&(layout.FewFields-1)] = u
		pos = end
	}
	return pos, i
}

// arriveAny reads any field, and gives where the next begins; false if it is wrong.
func (b *Binding) arriveAny(key []byte, pos, i int) (u uint64, next int, ok bool) {
	l, n := &b.landings[i], 0
	rest := key[pos:]
	switch l.read {
	case landFixed:
		n = int(l.st.Right)
		next = pos + n + l.size
		ok = next <= len(key) && (l.size == 0 || string(rest[n:n+l.size]) == string(l.st.End))
	case landText:
		n, ok = l.st.ReadText(rest)
		next = pos + n + l.size
	case landShaped:
		var room [forms.UUIDText]byte
		var text []byte
		text, n, ok = l.st.ReadShaped(rest, &room)
		next = pos + n + l.size
		switch l.st.Rform {
		case layout.HotPad:
			n = len(text)
		case layout.HotLength: // in front
			return uint64(next-l.size-len(text))<<32 | uint64(next-l.size), next, ok
		}
	default:
		u, n, ok = l.st.ReadNum(rest)
		next = pos + n + len(l.st.End)
	}
	if l.read >= landFixed {
		u = uint64(pos)<<32 | uint64(pos+n)
	}
	return u, next, ok && (!l.judged || b.agrees(i, key, pos, u))
}

// agrees reports that what a field fills is right, and that the Go type holds the
// value.
func (b *Binding) agrees(i int, key []byte, at int, u uint64) bool {
	st, v := &b.s.Steps[i], layout.Val{Num: u, Ok: true}
	if st.C.IsText() {
		v = layout.Val{Text: key[u>>32 : uint32(u)], Ok: true}
	}
	if st.Checks && st.Fill == layout.FillByte {
		return key[st.Slot] == byte(st.Salt.Of(digest.Murmur32(0, v.Text)))
	}
	return (!st.Checks || st.Differs(key, at, v) == nil) && b.fields[i].takes(v)
}

// land stores numbers from field i on, and stops at the first that is none. It calls
// nothing, as arrive.
func (b *Binding) land(nums *[layout.FewFields]uint64, p unsafe.Pointer, i int) int {
	for ; i < len(b.landings); i++ {
		if !b.landings[i].keep(p, nums[i&(layout.FewFields-1)]) {
			return i
		}
	}
	return i
}

// landAny stores any field.
func (b *Binding) landAny(key []byte, u uint64, p unsafe.Pointer, i int) {
	l := &b.landings[i]
	q, st := unsafe.Add(p, l.offset), l.st
	switch {
	case l.store == storeText:
		*(*string)(q) = string(key[u>>32 : uint32(u)])
	case l.store == storeTime:
		*(*time.Time)(q) = st.HotInstant(u)
	case !st.C.IsText():
		b.fields[i].Take(q, layout.Val{Num: u, Ok: true})
	default:
		text := key[u>>32 : uint32(u)]
		var turned [forms.UUIDText]byte
		switch st.Rform {
		case layout.HotReverse:
			text = append(turned[:0], text...)
			forms.Reverse(text)
		case layout.HotUUID:
			forms.PutUUID(&turned, text)
			text = turned[:]
		}
		b.fields[i].Take(q, layout.Val{Text: text, Ok: true})
	}
}
