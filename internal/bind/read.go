package bind

import (
	"encoding/binary"
	"math"
	"slices"
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
	storeFloat  // a float64 that number loads, from 8 bytes
	storeTime   // a time.Time, by Step.Instant
	storeMilli  // the same, of milliseconds from 1970 on: in most keys a time is one
	storeSecond // the same, of whole seconds from 1970 on
	storeText   // a string
	storeShared // the same, of the layout's
	storeFloat4 // a float64 that number loads, from 4 bytes
)

// landing is the data to store a field in a struct, and to read it from a key that has only numbers: 64 bytes, a
// line of the processor's cache.
type landing struct {
	word, mask uint64 // as of walk.Step
	half       uint64
	bias, span uint64
	from       uint16 // where the word of the number begins in the key
	at         uint16 // where the field begins
	shift      uint8  // of the word, to the right
	store      landStore
	loads      bool // number reads it; else Step.Num
	salted     bool // and its salt is checked by a call
	offset     uintptr
	st         *walk.Step
}

// fewNumbers is how many numbers Decode reads by itself. It is a power of 2.
const fewNumbers = 8

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

// number reads the number. It is inlined.
func (l *landing) number(key unsafe.Pointer) uint64 {
	at := (*[8]byte)(unsafe.Add(key, int(l.from))) // within the key, whose length was checked
	return (binary.BigEndian.Uint64(at[:])>>(l.shift&63)^l.word)&l.mask - l.half
}

// put sets where the number of size bytes at pos is loaded, in a key of total bytes.
func (l *landing) put(pos, size, total int) {
	lead := max(0, 8-total) // a shorter key is the end of a word
	l.from = uint16(min(pos, total-8) + lead)
	l.shift = uint8(8 * (min(8, total-pos) - size))
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
	case storeFloat:
		*(*uint64)(q) = forms.RawFloat(u, 8)
	default:
		return false
	}
	return true
}

// keepAny is keep for the others.
func (b *Binding) keepAny(l *landing, p unsafe.Pointer, u uint64) {
	switch q := unsafe.Add(p, l.offset); l.store {
	case storeMilli:
		*(*time.Time)(q) = l.st.Milli(u)
	case storeSecond:
		*(*time.Time)(q) = time.Unix(l.st.Epoch+int64(u*l.st.Long), 0).UTC()
	case storeTime:
		*(*time.Time)(q) = l.st.Instant(u)
	case storeShared:
		*(*string)(q) = l.st.Shared(u)
	case storeFloat4:
		*(*uint64)(q) = l.st.Float(u)
	case storeAny:
		b.fields[l.st.C.Ord].Take(q, layout.Val{Num: u, Ok: true})
	}
}

// Decode reads a key into the struct at p. A key that has only numbers, each at a fixed place,
// is read here: first all is checked, then it is stored.
func (b *Binding) Decode(key []byte, p unsafe.Pointer) error {
	if len(key)+1 != b.over || p == nil {
		return b.decodeAny(key, p)
	}
	from := unsafe.Pointer(unsafe.SliceData(key))
	var word [8]byte
	if len(key) < len(word) { // it is the end of a word: 07 00 2a of 00 00 00 00 00 07 00 2a
		binary.BigEndian.PutUint64(word[:], forms.ReadUint(key))
		from = unsafe.Pointer(&word)
	}
	for i := range b.limits {
		if l := &b.limits[i]; l.number(from)+l.bias > l.span {
			return b.decodeAny(key, p)
		}
	}
	if l := b.modulo; l != nil && l.st.Bucket(key) != l.st.OfModulo(l.number(from)) {
		return b.decodeAny(key, p)
	}
	if b.s.Lasts != nil && !b.s.CheckRests(key) {
		return b.decodeAny(key, p)
	}
	if b.calls {
		return b.decodeCalled(key, from, p)
	}
	landings := b.landings
	for i := range landings {
		l := &landings[i]
		if u := l.number(from); l.store == storeMilli { // not by keepAny: a call less
			*(*time.Time)(unsafe.Add(p, l.offset)) = l.st.Milli(u)
		} else if !l.keep(p, u) {
			b.keepAny(l, p, u)
		}
	}
	return nil
}

// decodeCalled is the end of Decode for a key with numbers that are read by calls. They are read before any is stored.
func (b *Binding) decodeCalled(key []byte, from, p unsafe.Pointer) error {
	var nums [fewNumbers]uint64
	landings := b.landings
	for i := range landings {
		l := &landings[i]
		u, ok := uint64(0), true
		if l.store == storeShared {
			u, ok = l.st.Listed(key[l.at:][:l.st.Wide()])
		} else if !l.loads {
			u, _, ok = l.st.Num(key, int(l.at))
		} else if u = l.number(from); u+l.bias > l.span || l.salted && !l.st.HasSalt(key, u) {
			ok = false
		}
		if nums[i&(fewNumbers-1)] = u; !ok {
			return b.decodeAny(key, p)
		}
	}
	for i := range landings {
		if l, u := &landings[i], nums[i&(fewNumbers-1)]; !l.keep(p, u) {
			b.keepAny(l, p, u)
		}
	}
	return nil
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
		case storeAny:
			f := &b.fields[i]
			f.Take(unsafe.Add(p, l.offset), cells.Val(f.C, key, scratch))
		case storeFloat, storeFloat4: // as of a cell
			*(*uint64)(unsafe.Add(p, l.offset)) = cells.Num(i)
		case storeMilli:
			*(*time.Time)(unsafe.Add(p, l.offset)) = l.st.Milli(cells.Num(i))
		case store64, store32, store16, store8, storeTime, storeSecond, storeShared:
			if u := cells.Num(i); !l.keep(p, u) {
				b.keepAny(l, p, u)
			}
		}
	}
}

// linkLandings makes the landings of all fields.
func (b *Binding) linkLandings() {
	lanes := len(b.fields) <= fewNumbers && b.walk.Numbers()
	for i := range b.fields {
		f, st := &b.fields[i], b.walk.Step(i)
		l := landing{word: st.Word, mask: st.Mask, half: st.Half, bias: st.Bias, span: st.Span, offset: f.offset, st: st}
		switch l.store = f.storeOf(); {
		case l.store == storeText && st.Shares():
			l.store = storeShared
		case l.store == storeTime && st.Millis && !st.C.Signed:
			l.store = storeMilli
		case l.store == storeTime && st.Long != 0 && !st.C.Signed:
			l.store = storeSecond
		}
		if b.landings = append(b.landings, l); f.unix.Step != 0 && !f.direct && !f.C.Absent {
			b.judged, lanes = append(b.judged, i), false
		}
		lanes = lanes && (f.C.Absent || st.Gap >= 0 && st.Reads() && st.Shares() == (l.store == storeShared))
	}
	if lanes {
		b.linkNumbers()
	}
}

// linkNumbers sets how the numbers are read of a key that has nothing else, each at a fixed place.
func (b *Binding) linkNumbers() {
	pos, total := b.s.Start.Lead, b.s.Places[len(b.s.Comps)].Least()
	for i := range b.landings {
		l, st, head := &b.landings[i], b.landings[i].st, 0
		if l.loads = l.store == storeNone; l.loads { // as a number of no bits: it has no step
			continue
		}
		l.at, l.loads = uint16(pos), st.Loads()
		if l.salted = l.loads && st.Checks; l.salted && st.Modulo != nil && b.modulo == nil {
			b.modulo, l.salted = l, false
		}
		if l.loads && st.Head != 0 {
			b.limit(pos, []byte{st.Head}, total)
			head = 1
		}
		l.put(pos+head, st.Wide()-head, total)
		if st.Lane == walk.LaneFloat && !st.Raw && l.store == store64 { // the numbers lie between the infinities; −0 is not one
			f := st.C.Num.Form.(*forms.Float)
			low, zero := f.Word(math.Float64bits(math.Inf(-1))), f.Word(layout.MinusZero)
			l.loads, l.store, l.word, l.mask, l.half = true, storeFloat4, f.Xor, forms.Mask(f.Size), 0
			if f.Size == 8 {
				l.store, l.half = storeFloat, f.Add
			}
			l.bias, l.span = l.half-zero-1, math.MaxUint64-1
			b.limits = append(b.limits, *l)
			l.bias, l.span = l.half-low, f.Word(math.Float64bits(math.Inf(1)))-low
		}
		b.calls = b.calls || !l.loads || l.salted
		pos += st.Wide() + st.Gap
	}
	for i := range b.s.Comps {
		b.limit(b.s.Places[i].Least(), b.s.Comps[i].Lit, total)
	}
	for _, l := range b.landings { // decodeCalled judges the numbers itself; of the others not all have limits
		if !b.calls && l.span < l.mask {
			b.limits = append(b.limits, l)
		}
	}
	b.width, b.over = total, total+1
}

// limit has a constant checked, as numbers of one value.
func (b *Binding) limit(pos int, text []byte, total int) {
	for part := range slices.Chunk(text, 8) {
		l := landing{word: forms.ReadUint(part), mask: forms.Mask(len(part))}
		l.put(pos, len(part), total)
		b.limits = append(b.limits, l)
		pos += len(part)
	}
}
