package bind

import (
	"encoding/binary"
	"math"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// landStore is how a field is stored in the struct.
type landStore uint8

const (
	storeAny  landStore = iota // by its Go type
	storeNone                  // it is not stored in the key
	store64
	store32
	store16
	store8
	storeTime   // a time.Time, by Step.Instant
	storeMilli  // the same, of milliseconds from 1970 on: in most keys a time is one
	storeText   // a string
	storeShared // the same, of the layout's
	lift64      // a number of 8 bytes, at its place, in as many of the struct
	lift32
	lift16
	lift8
	liftFloat // a float of 8 bytes
)

// landing is the data to store a field in a struct, and of a key that has only numbers to read it.
type landing struct {
	store      landStore
	salted     bool  // it is SaltFollows
	shift      uint8 // of its load, to the right
	field      uint8
	size       int // its bytes in the key
	from       int // of its load
	offset     uintptr
	word, mask uint64 // as of walk.LaneData
	half       uint64
	bias, span uint64
	held       uint8 // the number is not loaded: it is held[held-1]; 0: it is
	st         *walk.Step
}

// held has the numbers of a key that are read by Step.Num, such as digits, and not by landing.number.
type held [4]uint64

// storeOf is how a field is stored in the struct.
func (f *Field) storeOf() landStore {
	switch c := f.C; {
	case c.Absent:
		return storeNone
	case f.elem != nil || c.Optional || f.unix.Step != 0 && !f.direct:
		return storeAny
	case f.kind == goString && c.Decimal == forms.NoDecimal:
		return storeText
	case f.kind == goTime:
		return storeTime
	}
	switch f.kind {
	case goInt64, goUint64, goMilli, goFloat64:
		return store64
	case goInt32, goUint32:
		return store32
	case goInt16, goUint16:
		return store16
	case goInt8, goUint8, goBool:
		return store8
	}
	return storeAny
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

// keepAny is keep for the others.
func (b *Binding) keepAny(l *landing, p unsafe.Pointer, u uint64) {
	if q := unsafe.Add(p, l.offset); l.store == storeTime {
		*(*time.Time)(q) = l.st.Instant(u)
	} else if l.store == liftFloat {
		*(*uint64)(q) = forms.RawFloat(u, 8)
	} else if l.store == storeShared {
		*(*string)(q) = l.st.Shared(u)
	} else {
		b.fields[l.field].Take(q, layout.Val{Num: u, Ok: true})
	}
}

// Decode reads a key into the struct at p. A key that has only numbers, each at a fixed place,
// is read here: first the numbers that may be out of range, or have a salt, are checked, and what stands
// between them, then all are stored.
func (b *Binding) Decode(key []byte, p unsafe.Pointer) error {
	if len(key)+1 != b.over || p == nil {
		return b.decodeAny(key, p)
	}
	from := unsafe.Pointer(unsafe.SliceData(key))
	var word [8]byte
	if len(key) < len(word) {
		word = wordOf(key)
		from = unsafe.Pointer(&word)
	}
	for i := range b.limits {
		l := &b.limits[i]
		if u := l.number(from); u+l.bias > l.span || l.salted && !l.st.HasSalt(key, u) {
			return b.decodeAny(key, p)
		}
	}
	var held held
	if !b.marked(key) || b.seals != nil && !b.sealed(key, from, &held) {
		return b.decodeAny(key, p)
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
		case storeMilli:
			*(*time.Time)(q) = walk.Instant(l.number(from), 1e3, 0)
		default:
			u := uint64(0)
			if l.held == 0 {
				u = l.number(from)
			} else {
				u = held[(l.held-1)%uint8(len(held))]
			}
			if !l.keep(p, u) {
				b.keepAny(l, p, u)
			}
		}
	}
	return nil
}

// wordOf is a key of fewer than 8 bytes as the end of a word, so that its numbers can be loaded: of
// 07 00 2a it is 00 00 00 00 00 07 00 2a.
func wordOf(key []byte) (word [8]byte) {
	binary.BigEndian.PutUint64(word[:], forms.ReadUint(key))
	return word
}

// mark is a byte of a constant in a key that has only numbers.
type mark struct {
	at   int
	byte byte
}

// marked reports that the constants of a key that has only numbers are right. It is inlined.
func (b *Binding) marked(key []byte) bool {
	for i := range b.marks {
		if m := &b.marks[i]; key[m.at] != m.byte {
			return false
		}
	}
	return true
}

// seal is what must stand in a key that has only numbers, after one of them and before it: the
// salts, hashes and copies that are computed once this number is known. Or the number is held.
type seal struct {
	landing
	at int // where the number begins
}

// sealed reports that the seals of a key that has only numbers are right, and its salts and hashes of the rest. from is
// where its numbers are loaded from. The others go to held.
func (b *Binding) sealed(key []byte, from unsafe.Pointer, held *held) bool {
	if b.s.Rests != nil && !b.s.CheckRests(key) {
		return false
	}
	for i := range b.seals {
		l := &b.seals[i]
		ok := false
		if n := (l.held - 1) % uint8(len(held)); l.held > 0 && l.st.Lane == walk.LaneFloats { // here: Num takes a call more
			held[n], ok = l.st.Floats(key[l.at : l.at+l.size])
		} else if l.held > 0 {
			held[n], _, ok = l.st.Num(key, l.at)
		} else {
			_, ok = l.st.Held(key, l.at, l.at+l.size, l.number(from))
		}
		if !ok {
			return false
		}
	}
	return true
}

// decodeAny is Decode for all other keys.
func (b *Binding) decodeAny(key []byte, p unsafe.Pointer) error {
	if p == nil || b.s == nil {
		return b.misused()
	}
	var cells walk.Cells
	var room [128]byte
	if scratch, ok := b.walk.Read(key, &cells, room[:0]); ok && (len(b.judged) == 0 || b.takesAll(&cells, key, scratch)) {
		b.keepAll(&cells, key, scratch, p)
		return nil
	}
	s := b.s
	var few [layout.FewSpans]uint16
	at := s.Spans(few[:])
	if err := s.Split(key, at, true); err != nil {
		return s.Tell(key, err)
	}
	given, err := s.Values(key, at)
	if err == nil {
		err = s.Verify(key, at, given.Row())
	}
	if err != nil {
		return s.Tell(key, err)
	}
	vs := given.Row().Vals
	for i := range b.fields {
		if f := &b.fields[i]; vs[i].Ok && !f.takes(vs[i]) {
			return s.ErrAt(f.C.Name, int(at[f.C.Index]), &fault.Detail{Text: "no whole " + f.unix.Name + " since 1970 of 64 bits", Reason: fault.ErrRange})
		}
	}
	for i := range b.fields {
		if f := &b.fields[i]; vs[i].Ok {
			f.Take(unsafe.Add(p, f.offset), vs[i])
		}
	}
	return nil
}

// takesAll reports that the Go variables can hold the values of a key.
func (b *Binding) takesAll(cells *walk.Cells, key, scratch []byte) bool {
	for _, i := range b.judged {
		if f := &b.fields[i]; !f.takes(cells.Val(f.C, key, scratch)) {
			return false
		}
	}
	return true
}

// keepAll stores the values of a key in the struct at p.
func (b *Binding) keepAll(cells *walk.Cells, key, scratch []byte, p unsafe.Pointer) {
	for i := range b.landings {
		l := &b.landings[i]
		switch l.store {
		case storeNone:
		case storeText:
			*(*string)(unsafe.Add(p, l.offset)) = string(cells.Text(i, key, scratch))
		case storeMilli:
			*(*time.Time)(unsafe.Add(p, l.offset)) = walk.Instant(cells.Num(i), 1e3, 0)
		case storeAny:
			f := &b.fields[i]
			f.Take(unsafe.Add(p, l.offset), cells.Val(f.C, key, scratch))
		case store64, store32, store16, store8, storeTime, storeShared:
			if u := cells.Num(i); !l.keep(p, u) {
				b.keepAny(l, p, u)
			}
		}
	}
}

// linkLandings makes the landings of all fields.
func (b *Binding) linkLandings() {
	lanes := len(b.fields) > 0 && len(b.fields) <= layout.FewFields && b.walk.Numbers()
	for i := range b.fields {
		f, st := &b.fields[i], b.walk.Step(i)
		l := landing{salted: st.Follows == walk.SaltFollows, field: uint8(i), offset: f.offset, size: st.Size, word: st.Word, mask: st.Mask, half: st.Half, bias: st.Bias, span: st.Span, st: st}
		switch l.store = f.storeOf(); {
		case l.store == storeText && st.Shares():
			l.store = storeShared
		case l.store == storeTime && st.Per == 1000 && !st.C.Signed:
			l.store = storeMilli
		}
		if b.landings = append(b.landings, l); f.unix.Step != 0 && !f.direct && !f.C.Absent {
			b.judged, lanes = append(b.judged, i), false
		}
	}
	if lanes {
		b.linkLifts(b.s.Start.Lead)
	}
}

// orderedFloat is a float as it is stored in ascending order.
func orderedFloat(v float64) uint64 { return forms.OrderFloat(math.Float64bits(v), 8) }

// linkLifts makes the lifts, limits, marks and seals of a key that has only numbers; none for other keys. The
// first number stands at byte pos.
func (b *Binding) linkLifts(pos int) {
	var lifts, limits []landing
	var seals []seal
	if b.s.Rests != nil { // then sealed is asked, even with no seals
		seals = make([]seal, 0, len(b.landings))
	}
	total, holds := pos, uint8(0)
	loads := make([]bool, len(b.landings)) // the other numbers are held
	for i := range b.landings {
		st := b.walk.Step(i)
		switch st.Load {
		case walk.LaneUint, walk.LaneUintAt, walk.LaneInt, walk.LaneTime, walk.LaneFew, walk.LaneHead:
			loads[i] = true
		case walk.LaneBool:
			loads[i] = st.Right == 1
		case walk.LaneFloat:
			loads[i] = b.landings[i].store == store64 && !st.Checks
		}
		if total += st.Size + st.Gap; st.Gap < 0 || !loads[i] && (!st.Reads() || st.Shares() && b.landings[i].store != storeShared) {
			return
		}
		if !loads[i] {
			holds++
		}
	}
	if holds > uint8(len(held{})) {
		return
	}
	lead := max(0, 8-total)                            // see wordOf
	place := func(l *landing, at, size int) *landing { // the load of size bytes, the first at byte at
		at += lead
		l.from = min(at, total+lead-8)
		l.shift = uint8(8 * (l.from + 8 - at - size))
		return l
	}
	for i := range b.s.Comps {
		for j, c := range b.s.Comps[i].Lit {
			b.marks = append(b.marks, mark{b.s.Places[i].Least() + j, c})
		}
	}
	for i, l := range b.landings {
		st := b.walk.Step(i)
		at, size := pos, l.size
		switch pos += st.Size + st.Gap; {
		case !loads[i]:
			if l.held = holds; l.store == storeMilli { // Decode loads what is
				l.store = storeTime
			}
			holds--
			seals, lifts = append(seals, seal{l, at}), append(lifts, l)
			continue
		case st.Load == walk.LaneHead:
			limits = append(limits, *place(&landing{word: uint64(st.Right), mask: 0xff}, at, 1))
			at, size = at+1, size-1
		case st.Load == walk.LaneFloat:
			l.store, l.mask = liftFloat, math.MaxUint64
			least, most := orderedFloat(math.Inf(-1)), orderedFloat(math.Inf(1))
			l.bias, l.span = -orderedFloat(math.Copysign(0, -1))-1, math.MaxUint64-1 // any but −0
			limits = append(limits, *place(&l, at, size))
			l.bias, l.span = -least, most-least // and no NaN
		}
		if place(&l, at, size); l.span < l.mask || l.bias != l.half || l.salted {
			limits = append(limits, l)
		}
		if st.Follows == walk.AnyFollows {
			seals = append(seals, seal{l, at + size - st.Size})
		}
		exact := map[landStore]struct {
			size  int
			store landStore
		}{store64: {8, lift64}, store32: {4, lift32}, store16: {2, lift16}, store8: {1, lift8}}[l.store]
		if exact.size == size {
			l.store, l.from, l.word = exact.store, at+lead, l.word^l.half
		}
		lifts = append(lifts, l)
	}
	b.limits, b.seals, b.lifts = limits, seals, lifts
	b.width, b.over = total, total+1
}
