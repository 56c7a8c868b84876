package bind

import (
	"encoding/binary"
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
)

// landing is the data to store a field in a struct, and to read it from a key that has only numbers.
type landing struct {
	store      landStore
	loads      bool  // number reads it; else Step.Num
	salted     bool  // it is Salted
	shift      uint8 // of its load, to the right
	field      uint8
	from       int // of its load
	at         int // where it begins in the key
	offset     uintptr
	word, mask uint64 // as of walk.Step
	half       uint64
	bias, span uint64
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
	switch q := unsafe.Add(p, l.offset); l.store {
	case storeMilli:
		*(*time.Time)(q) = l.st.Milli(u)
	case storeTime:
		*(*time.Time)(q) = l.st.Instant(u)
	case storeShared:
		*(*string)(q) = l.st.Shared(u)
	case storeAny:
		b.fields[l.field].Take(q, layout.Val{Num: u, Ok: true})
	}
}

// Decode reads a key into the struct at p. A key that has only numbers, each at a fixed place,
// is read here: first all are read and checked, and what stands between them, then they are stored.
func (b *Binding) Decode(key []byte, p unsafe.Pointer) error {
	if len(key)+1 != b.over || p == nil || !b.marked(key) || b.s.Rests != nil && !b.s.CheckRests(key) {
		return b.decodeAny(key, p)
	}
	from := unsafe.Pointer(unsafe.SliceData(key))
	var word [8]byte
	if len(key) < len(word) {
		word = wordOf(key)
		from = unsafe.Pointer(&word)
	}
	var nums [fewNumbers]uint64
	landings := b.landings
	for i := range landings {
		l := &landings[i]
		if l.loads {
			u := l.number(from)
			if nums[i&(fewNumbers-1)] = u; u+l.bias > l.span || l.salted && !l.st.HasSalt(key, u) {
				return b.decodeAny(key, p)
			}
			continue
		}
		u, _, ok := l.st.Num(key, l.at)
		if !ok {
			return b.decodeAny(key, p)
		}
		nums[i&(fewNumbers-1)] = u
	}
	for i := range landings {
		if l, u := &landings[i], nums[i&(fewNumbers-1)]; !l.keep(p, u) {
			b.keepAny(l, p, u)
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
		case store64, store32, store16, store8, storeTime, storeMilli, storeShared:
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
		l := landing{field: uint8(i), offset: f.offset, word: st.Word, mask: st.Mask, half: st.Half, bias: st.Bias, span: st.Span, st: st}
		switch l.store = f.storeOf(); {
		case l.store == storeText && st.Shares():
			l.store = storeShared
		case l.store == storeTime && st.Millis && !st.C.Signed:
			l.store = storeMilli
		}
		if b.landings = append(b.landings, l); f.unix.Step != 0 && !f.direct && !f.C.Absent {
			b.judged, lanes = append(b.judged, i), false
		}
		lanes = lanes && st.Gap >= 0 && st.Reads() && st.Shares() == (l.store == storeShared)
	}
	if lanes {
		b.linkNumbers()
	}
}

// linkNumbers sets how the numbers are read of a key that has nothing else, each at a fixed place.
func (b *Binding) linkNumbers() {
	pos, total := b.s.Start.Lead, b.s.Places[len(b.s.Comps)].Least()
	lead := max(0, 8-total) // see wordOf
	for i := range b.landings {
		l := &b.landings[i]
		l.loads, l.salted = l.st.Loads(), l.st.Salted()
		l.at, l.from = pos, min(pos, total-8)+lead
		l.shift = uint8(8 * (l.from + 8 - pos - lead - l.st.Size))
		pos += l.st.Size + l.st.Gap
	}
	for i := range b.s.Comps {
		for j, c := range b.s.Comps[i].Lit {
			b.marks = append(b.marks, mark{b.s.Places[i].Least() + j, c})
		}
	}
	b.width, b.over = total, total+1
}
