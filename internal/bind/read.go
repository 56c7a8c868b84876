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

// landingOf is the landing of a field; false if the hot path cannot read the field.
func (f *Field) landingOf(st *layout.Step) (landing, bool) {
	c := f.C
	l := landing{offset: f.offset, size: st.Rsize, word: st.Rword, mask: st.Rmask, half: st.Half, bias: st.Rbias, span: st.Rspan, st: st}
	if st.Rform == layout.Cold || c.Optional || c.Absent || c.Trims || f.elem != nil {
		return l, false
	}
	l.judged = st.Checks || f.unix.Step != 0 && !f.direct
	l.store = f.storeOf(st)
	if c.IsText() {
		var ok bool
		l.read, ok = landTextOf(st)
		return l, ok && (!st.Checks || st.Rform == layout.HotText)
	}
	switch {
	case l.judged: // landNum
	case st.Reads == layout.OpUint || st.Reads == layout.OpInt || st.Reads == layout.OpTime:
		l.read = landWord
	case st.Reads == layout.OpUintAt:
		l.read, l.shift = landAt, st.Right
	}
	return l, true
}

// landTextOf is how a text is read, if it is known.
func landTextOf(st *layout.Step) (landRead, bool) {
	switch {
	case st.Right > 0 && (st.Reads == layout.OpText || st.Rform == layout.HotReverse):
		return landFixed, true
	case st.Reads == layout.OpText:
		return landText, true
	}
	return landShaped, st.Shaped() && !st.Checks
}

// storeOf is how a field is stored in the struct.
func (f *Field) storeOf(st *layout.Step) landStore {
	switch {
	case f.kind == goString && st.Rform != layout.HotReverse && st.Rform != layout.HotUUID && st.Rform != layout.HotTurned && f.C.Codes == nil && f.C.Decimal == forms.NoDecimal:
		return storeText
	case f.kind == goTime && st.Reads == layout.OpTime:
		return storeTime
	case f.unix.Step != 0 && !f.direct:
		return storeAny
	}
	switch f.kind {
	case goInt64, goUint64, goMilli, goFloat64:
		return store64
	case goInt, goUint:
		if math.MaxUint > math.MaxUint32 {
			return store64
		}
	case goInt32, goUint32:
		return store32
	case goInt16, goUint16:
		return store16
	case goInt8, goUint8, goBool:
		return store8
	}
	return storeAny
}

// landRead is how a field is read from a key.
type landRead uint8

const (
	landNum    landRead = iota // a number, by Step.ReadNum
	landWord                   // a number, by one load of 8 bytes that ends with it
	landAt                     // a number, by one load of 8 bytes that begins with it
	landFixed                  // a text of one length, and what follows
	landText                   // a text up to its end
	landShaped                 // a text that is not stored as it is, by Step.ReadShaped
)

// landStore is how the field is stored in the struct.
type landStore uint8

const (
	storeAny landStore = iota // by its Go type
	store64
	store32
	store16
	store8
	storeTime // a time.Time in a unit that counts from 1970
	storeText // a string
	lift64    // a number of 8 bytes, at its place, in as many of the struct
	lift32
	lift16
	lift8
)

// landing is the data to read a field from a key and to store it in a struct. It has a copy of
// the data of the step, as move does.
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

// number reads a number of a key that has only numbers.
func (l *landing) number(key unsafe.Pointer) uint64 {
	at := (*[8]byte)(unsafe.Add(key, l.from)) // within the key, whose length was checked
	return (binary.BigEndian.Uint64(at[:])>>(l.shift&63)^l.word)&l.mask - l.half
}

// keep stores a number in the struct at p. It is false, and stores nothing, if the Go type
// needs another way. It is inlined.
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

// Decode reads a key into the struct at p. A key that has only numbers, each at a fixed place,
// is read here: first the numbers that may be out of range are checked, then all are stored.
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

// decodeAny is Decode for all other keys.
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
		return s.Tell(key, err)
	}
	given, err := s.Values(key, at)
	if err != nil {
		return s.Tell(key, err)
	}
	if err := s.Verify(key, at, given.Row()); err != nil {
		return s.Tell(key, err)
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

// linkLandings makes the landings of all fields; none if decodeHot cannot read all of them.
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

// linkLifts makes the lifts and limits of a key that has only numbers; none for other keys. The
// first number stands at byte pos.
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

// decodeHot is Decode for a schema whose fields the hot path can read. It is false, and stores
// nothing, if it cannot read this key.
func (b *Binding) decodeHot(key []byte, p unsafe.Pointer) bool {
	s := b.s
	if !s.Start.Fits(key) && (len(key) == 0 || len(key) > s.MaxLen || !s.Begins(key)) {
		return false
	}
	var nums [layout.FewFields]uint64 // a number; of a text its start and its end, in the two halves of a word
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
	if !s.Steps[len(s.Fields)].Sure && !s.CheckRests(key) {
		return false
	}
	for i = b.land(&nums, p, 0); i < len(b.landings); i = b.land(&nums, p, i+1) {
		b.landAny(key, nums[i], p, i)
	}
	return true
}

// arrive reads numbers and texts of one length, from field i on. It stops at the first field
// that it cannot read, or that is wrong. It calls no function, so that its variables stay in
// registers.
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

// arriveAny reads any field, and gives the place of the next one; false if the field is wrong.
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
		case layout.HotPadLeft:
			return uint64(pos+n-len(text))<<32 | uint64(pos+n), next, ok
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

// agrees reports that the salts and hashes that a field fills are right, and that the Go type
// can hold the value.
func (b *Binding) agrees(i int, key []byte, at int, u uint64) bool {
	st, v := &b.s.Steps[i], layout.Val{Num: u, Ok: true}
	if st.C.IsText() {
		v = layout.Val{Text: key[u>>32 : uint32(u)], Ok: true}
	}
	if st.Checks && st.Fill == layout.FillByte {
		return key[st.Slot] == byte(st.Salt.Of(digest.Murmur32(0, v.Text)))
	}
	if st.Checks && st.OneMix {
		return st.RightMix(key, at, v.Text, u) && b.fields[i].takes(v)
	}
	return (!st.Checks || st.Differs(key, at, v) == nil) && b.fields[i].takes(v)
}

// land stores numbers from field i on, and stops at the first field that keep cannot store. It
// calls no function, as arrive.
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
		case layout.HotTurned, layout.HotListed:
			text, _, _ = st.ReadShaped(key[u>>32:], &turned)
		}
		b.fields[i].Take(q, layout.Val{Text: text, Ok: true})
	}
}
