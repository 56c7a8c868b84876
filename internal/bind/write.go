package bind

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// load is how a value is read from a struct.
type load uint8

const (
	noLoad load = iota // not here: putOne writes it
	load64             // an unsigned number, one of 64 bits, or one whose sign needs no place of its own
	load32
	load16
	load8
	loadI32 // a number with a sign; these stand in the order of those without: see exactLoad
	loadI16
	loadI8
	loadFloat // a float
	loadTrunc // a time that is truncated
	loadFew   // a number, stored in up to 8 digits
	loadUnits // one whose unit is longer than a second
	loadTime
	loadText    // a text as it is: the loop writes one of up to 16 bytes, writeLong a longer one
	loadReverse // a text of 8 to 16 bytes, any bytes, stored in reverse
	loadPad     // a text, stored with padding on the right
	loadPadLeft // the same on the left
	loadListed  // a text of a list; one whose form has more than 8 bytes putOne writes
	allLoaded   // the move after the last field, if nothing is left to do
	salts       // the move after the last field, if settle has something to do
)

const ptrSize = unsafe.Sizeof(uintptr(0))

// move is the data to read a field from a struct and to write it to a key. It has a copy of
// the data of the step, so that the loop follows no pointer.
type move struct {
	load       load  // noLoad: putOne writes the field
	next       load  // of two numbers that Write writes in one step the load of the second, load64 or load32; else noLoad
	plain      load  // how these read a number that Write does not write by itself; noLoad: write.Key does
	puts       bool  // Step.Put alone writes that number
	head       byte  // what stands before the field, written with the one before it; 0: nothing
	width      uint8 // of a number that is longer than one word with what follows it: its bytes, after which more is written; else 0
	offset     uintptr
	bias, span uint64
	word, mul  uint64
	size       int
	more       uint64
	a, b, c, d uint64 // for a text Xor and Guard; for a padded text its padding, and in c its width; for a time Per, Inv, Until, Base; for a float Base, Span, Bias, and in d not 0 if it has 4 bytes
	room       int    // how many bytes of room Write needs from here on
	field      int
}

// after is the next move; m must not be the last one.
func (m *move) after() *move { return (*move)(unsafe.Add(unsafe.Pointer(m), unsafe.Sizeof(*m))) }

// late is a field that fills salts, hashes and copies. Write fills them after all fields.
type late struct {
	st  *layout.Step
	ins []lateIn // of one salt of several values these; else the field alone

	word  bool            // it fills one salt, and is a number of 64 bits
	mod   *digest.Modulus // of such a salt by it, in one byte or two; else nil
	slot  int             // where that stands
	brief layout.Brief
}

// lateIn is a field that is read once more.
type lateIn struct {
	load   load
	size   int
	offset uintptr
	st     *layout.Step
}

// number is the number of the field in the struct at p; of a time its units.
func (in *lateIn) number(p unsafe.Pointer) uint64 {
	q := unsafe.Add(p, in.offset)
	if in.load != loadTime {
		return loadNumber(in.load, q)
	}
	v := (*time.Time)(q)
	sec, nsec := v.Unix(), v.Nanosecond()
	u, ok := in.st.UnitsOf(uint64(sec), uint64(nsec))
	if !ok { // the field has taken it, by its component
		u, _ = in.st.C.TimeNum(sec, int64(nsec))
	}
	return u
}

// sum is the murmur3 of several values.
func (l *late) sum(p unsafe.Pointer) uint32 {
	h := digest.NewStream(l.st.Mixes[0].Seed)
	for i := range l.ins {
		if in := &l.ins[i]; in.load == loadText {
			h.Text(mem.BytesAt(unsafe.Add(p, in.offset)))
		} else {
			h.Word(in.number(p), in.size)
		}
	}
	return h.Sum()
}

// loadNumber reads a number of the struct at p.
func loadNumber(l load, p unsafe.Pointer) uint64 {
	switch l {
	case load64:
		return *(*uint64)(p)
	case load32:
		return uint64(*(*uint32)(p))
	case load16:
		return uint64(*(*uint16)(p))
	case load8:
		return uint64(*(*uint8)(p))
	case loadI32:
		return uint64(int64(*(*int32)(p)))
	case loadI16:
		return uint64(int64(*(*int16)(p)))
	}
	return uint64(int64(*(*int8)(p)))
}

// loadOf is the load for each Go type; noLoad: there is none.
var loadOf = [...]load{
	goString: loadText, goBytes: loadText, // both begin with a pointer and a length
	goUint64: load64, goUint32: load32, goUint16: load16, goUint8: load8, goBool: load8,
	goInt64: load64, goMilli: load64, goInt32: loadI32, goInt16: loadI16, goInt8: loadI8,
	goFloat64: loadFloat, goTime: loadTime,
}

// moveOf is the move of a field; its load is noLoad if only write.Key can write the field.
func (b *Binding) moveOf(f *Field, st *layout.Step) move {
	m := move{field: st.I, offset: f.offset, bias: st.Bias, span: st.Span, word: st.Word, mul: st.Mul, size: st.Size, a: st.Xor, b: st.Guard}
	l := loadOf[f.kind]
	if st.Form == layout.Cold || f.elem != nil || l == loadText && st.C.Chars != nil { // which putOne checks
		if l == loadText && f.elem == nil && st.C.IsText() {
			m.plain = l
		}
		return m
	}
	if l == loadText || l == loadTime || l >= load64 && l <= loadI8 && (st.Kind == layout.KindUint || st.Kind == layout.KindInt) {
		m.plain = l
	}
	word := !st.Long() && (st.Form >= layout.HotWord && st.Form <= layout.HotHead || st.Form == layout.HotFew)
	if word && st.Form == layout.HotHead { // the head is written before the field
		m.head = st.Head
		m.size--
	}
	if l == loadText {
		m.ofText(st)
	} else {
		m.ofNumber(f, st, l, word)
	}
	m.puts = m.plain != noLoad && m.plain != loadText
	if len(st.Mixes) > 0 && (m.load != noLoad || m.puts) && !b.late(st) { // the step fills them
		m.load, m.puts, m.head = noLoad, false, 0
	}
	return m
}

// ofNumber is the load of a number. word says that its form is bytes.
func (m *move) ofNumber(f *Field, st *layout.Step, l load, word bool) {
	if word && m.size > 8 {
		m.width, m.more = st.N, st.More()
	}
	switch {
	case st.Long(): // Put writes it
	case st.Form == layout.HotFew:
		if m.plain != noLoad {
			m.load = loadFew
		}
	case l == loadFloat:
		m.load, m.a, m.b, m.c, m.d, m.bias, m.span = l, st.Base, st.Span, st.Bias, uint64(st.N&4), 0, math.MaxUint64
	case l == loadTime:
		if word {
			if m.load, m.a, m.b, m.c, m.d = l, st.Per, st.Inv, st.Until, st.Base; st.Trunc != 0 {
				m.load = loadTrunc
			} else if st.Per == 0 {
				m.load = loadUnits
			}
		}
	case f.unix.Step != 0:
		if word && f.direct && st.Per != 0 && st.Base == 0 && st.Trunc == 0 {
			m.load = load64
		}
	case word:
		m.load = l
		if exact, bytes := exactLoad(l); st.Kind != layout.KindBool && st.Span == forms.Mask(bytes) && int(st.N) == bytes {
			m.load, m.bias, m.span = exact, 0, math.MaxUint64
		}
	}
}

// ofText is the load of a text that write copies itself.
func (m *move) ofText(st *layout.Step) {
	switch {
	case st.Form == layout.HotReverse && st.Guard == 0 && st.Least == st.Most && st.Least >= 8 && st.Least <= layout.FewBytes:
		m.load, m.bias, m.span = loadReverse, -uint64(st.Least), 0
	case st.Headed() && st.Least <= layout.FewBytes && st.Size <= 8:
		m.load, m.head, m.bias, m.span = loadText, st.Head, -uint64(st.Least), uint64(min(st.Most, layout.FewBytes)-st.Least)
	case st.Form == layout.HotPad || st.Form == layout.HotPadLeft:
		m.load, m.bias, m.span, m.c = loadPad, -uint64(st.Least), uint64(st.Most-st.Least), uint64(st.N)
		if st.Form == layout.HotPadLeft {
			m.load = loadPadLeft
		}
	case (st.Form == layout.HotText && st.Head == 0 && st.Least > layout.FewBytes || st.Form == layout.HotLength) && st.Size <= 8: // of no length that the loop writes: putOne does
		m.load, m.bias, m.span = loadText, 1, 0
	case st.Form == layout.HotListed:
		m.load = loadListed
	case st.Op == layout.OpText:
		m.load = loadText
	}
}

// exactLoad is the load of a number of which the field holds every value of the Go type,
// and the type's bytes: the sign needs no place of its own.
func exactLoad(l load) (exact load, bytes int) {
	if l >= loadI32 {
		l -= loadI32 - load32
	}
	return l, 8 >> (l - load64)
}

// late has what a field fills computed from the struct, after all fields are written. It is false if the
// step must fill it.
func (b *Binding) late(st *layout.Step) bool {
	l := late{st: st}
	for i := range st.Mixes {
		m := &st.Mixes[i]
		if !m.AtOnce() || m.C.Slides || m.How == layout.Stored || m.From != layout.FromStart || len(m.Ins) > 1 && len(st.Mixes) > 1 {
			return false
		}
	}
	if m := &st.Mixes[0]; len(m.Ins) > 1 {
		for i, f := range m.C.In.Comps {
			l.ins = append(l.ins, b.lateIn(f, m.Ins[i].Size))
		}
	} else {
		l.ins = []lateIn{b.lateIn(st.C, 0)}
	}
	if slices.ContainsFunc(l.ins, func(in lateIn) bool { return in.load == noLoad }) {
		return false
	}
	l.word = st.OneSalt && l.ins[0].load == load64
	if m := &st.Mixes[0]; l.word && m.How == layout.Numbered && m.C.Brief.Size > 0 {
		l.mod, l.slot, l.brief = &m.Mod, m.Off, m.C.Brief
	}
	b.lates = append(b.lates, l)
	return true
}

// lateIn is how a field is read once more; its load is noLoad if it cannot be.
func (b *Binding) lateIn(c *layout.Component, size int) lateIn {
	x, st := &b.fields[c.Ord], &b.s.Steps[c.Ord]
	in := lateIn{loadOf[x.kind], size, x.offset, st}
	if in.load == loadFloat || x.elem != nil || x.unix.Step != 0 && (!x.direct || c.Num.Trunc > 1) || in.load == loadTime && st.Form == layout.Cold {
		in.load = noLoad
	}
	return in
}

// Write appends the key of the struct at p to dst. Its inner loop follows the moves by address,
// and calls no function, so that its variables stay in registers. It has the common fields, and
// writes two numbers in one step: a step costs several jumps, and these cost more than what is
// computed. The other fields, and what it refuses, writeOther writes.
func (b *Binding) Write(dst []byte, p unsafe.Pointer) ([]byte, error) {
	m := b.first
	if m == nil || p == nil || cap(dst)-len(dst) < m.room && !b.begins(dst, p) {
		return b.build(dst, p)
	}
	out, pos := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)), b.lead
	binary.BigEndian.PutUint64((*[8]byte)(out)[:], b.front)
	for {
	common:
		for {
			q, to := unsafe.Add(p, m.offset), unsafe.Add(out, pos)
			var u uint64
			switch m.load {
			case salts:
				if l := b.last; l == nil {
					pos = b.settle(dst, pos, p)
				} else if !l.word {
					pos = l.put(dst[len(dst):cap(dst)], pos, p)
				} else if u = *(*uint64)(unsafe.Add(p, l.ins[0].offset)); l.mod == nil { // here, and the rest: a call takes up to a third of the time of such a key
					if !l.st.PutSalt(dst[len(dst):cap(dst)], u) {
						pos = -1
					}
				} else if u = l.brief.Word(l.mod.OfLong(u)); l.brief.Size == 1 {
					*(*byte)(unsafe.Add(out, l.slot)) = byte(u)
				} else {
					binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(out, l.slot))[:], uint16(u))
				}
				fallthrough
			case allLoaded:
				if uint(pos-1) >= b.most {
					return b.build(dst, p)
				}
				return dst[:len(dst)+pos], nil
			case loadText:
				from, n := *(*unsafe.Pointer)(q), *(*int)(unsafe.Add(q, ptrSize))
				if uint64(n)+m.bias > m.span {
					break common
				}
				x, y := ^m.a, ^m.a
				switch { // here: a call for it costs 4 to 20 % of the time of a key
				case n >= 8:
					x, y = mem.Copy16(to, from, n)
				case n >= 4:
					x = mem.Copy8(to, from, n)
				case n > 0:
					x = mem.Copy3(to, from, n)
				}
				if m.holdsMark(x, y) {
					break common
				}
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(to, n))[:], m.word)
				pos, m = pos+n+m.size, m.after()
				continue
			case load64:
				u = *(*uint64)(q)
			case load32:
				u = uint64(*(*uint32)(q))
			case load16:
				u = uint64(*(*uint16)(q))
			case load8:
				u = uint64(*(*uint8)(q))
			case loadTime:
				sec := uint64((*time.Time)(q).Unix())
				if sec > m.c {
					break common
				}
				u = sec*m.a + m.part((*time.Time)(q))
			case loadUnits:
				if u = uint64((*time.Time)(q).Unix()); u > m.c || u-m.d > m.c {
					break common
				}
				u, _ = bits.Mul64(u-m.d, m.b)
			case loadFloat:
				var ok bool
				if u, ok = forms.FloatWord(*(*float64)(q), m.a, m.b, m.c, m.d != 0); !ok {
					break common
				}
			default:
				break common
			}
			if u+m.bias > m.span {
				break common
			}
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], u*m.mul^m.word)
			if m.next == noLoad {
				if m.width != 0 {
					binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(to, m.width))[:], m.more)
				}
				pos, m = pos+m.size, m.after()
				continue
			}
			n := m.after()
			v := n.beside(m.next, p)
			if v+n.bias > n.span {
				break common
			}
			binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(to, m.size))[:], v*n.mul^n.word)
			pos, m = pos+m.size+n.size, n.after()
		}
		if pos = b.writeOther(dst, pos, m, p); pos < 0 {
			return b.build(dst, p)
		}
		m = m.after()
	}
}

// begins reports that there is room, and that a struct with fields of []byte has none in the memory after dst: a
// string cannot lie there. It writes what stands before the first field where that is more than a word.
func (b *Binding) begins(dst []byte, p unsafe.Pointer) bool {
	if cap(dst)-len(dst) < b.room || b.slices != nil && b.sharing(dst, p) >= 0 {
		return false
	}
	copy(dst[len(dst):cap(dst)], b.s.Head)
	return true
}

// sharing is the first of the fields of []byte that lies in the memory after dst; −1 if none does.
func (b *Binding) sharing(dst []byte, p unsafe.Pointer) int {
	for _, i := range b.slices {
		v := (*string)(b.fields[i].value(unsafe.Add(p, b.fields[i].offset)))
		if v != nil && *v != "" && mem.Within(*v, dst[len(dst):]) {
			return i
		}
	}
	return -1
}

// holdsMark reports that a text holds its separator. x and y hold each byte of the text.
func (m *move) holdsMark(x, y uint64) bool {
	return forms.Held(x^m.a, y^m.a, m.b)
}

// beside is the number of m, which is the second of two. It is inlined, as holdsMark.
func (m *move) beside(l load, p unsafe.Pointer) uint64 {
	if l == load64 {
		return *(*uint64)(unsafe.Add(p, m.offset))
	}
	return uint64(*(*uint32)(unsafe.Add(p, m.offset)))
}

// writeOther writes the field of a move that Write's loop does not have, or refuses. It gives the
// new length of the key; −1 if the value is refused, or if there is no room for the fields after it.
func (b *Binding) writeOther(dst []byte, pos int, m *move, p unsafe.Pointer) int {
	out, q := dst[len(dst):cap(dst)], unsafe.Add(p, m.offset)
	to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(out)), pos)
	switch m.load {
	case loadPad, loadPadLeft:
		v := *(*string)(q)
		edge, at := len(v)-1, pos
		if m.load == loadPadLeft {
			edge, at = 0, pos+int(m.c)-len(v)
		}
		if uint64(len(v))+m.bias <= m.span && (v == "" || v[edge] != byte(m.a)) {
			for i := uint64(0); i < m.c; i += 8 {
				mem.PutWord8(unsafe.Add(to, i), m.a)
			}
			copy(out[at:], v)
			return m.end(out, pos+int(m.c), 0)
		}
	case loadReverse:
		from, n := *(*unsafe.Pointer)(q), *(*int)(unsafe.Add(q, ptrSize))
		if uint64(n)+m.bias <= m.span {
			x, y := mem.Word8(from), mem.Word8(unsafe.Add(from, n-8))
			mem.PutWord8(to, bits.ReverseBytes64(y))
			mem.PutWord8(unsafe.Add(to, n-8), bits.ReverseBytes64(x))
			return m.end(out, pos+n, 0)
		}
	case loadListed:
		if form, word, ok := b.s.Steps[m.field].Listed(*(*string)(q)); ok && len(form) <= 8 {
			mem.PutWord(out, pos, word)
			return m.end(out, pos+len(form), 0)
		}
	case loadTrunc, loadFew, loadI32, loadI16, loadI8:
		if u, ok := m.number(&b.s.Steps[m.field], q); ok {
			if m.load == loadFew {
				u = forms.FewDigits(u)
			}
			return m.end(out, pos, u*m.mul)
		}
	}
	if m.head != 0 { // the step writes it
		pos--
	}
	pos = b.putOne(out, pos, m, q)
	if n := m.after(); len(out)-pos >= n.room {
		if n.head != 0 && pos >= 0 {
			out[pos] = n.head
			pos++
		}
		return pos
	}
	return -1
}

// number is the number at q in the struct, as plain reads it: of a time its units. It is false for one
// that the step does not write at once.
func (m *move) number(st *layout.Step, q unsafe.Pointer) (u uint64, ok bool) {
	if m.plain == loadTime {
		v := (*time.Time)(q)
		return st.UnitsOf(uint64(v.Unix()), uint64(v.Nanosecond()))
	}
	u = loadNumber(m.plain, q)
	return u, u+st.Bias <= st.Span
}

// end writes u and what ends the field, after the pos bytes that the key has so far, and gives its
// new length.
func (m *move) end(out []byte, pos int, u uint64) int {
	mem.PutWord(out, pos, u^m.word)
	if m.width != 0 {
		mem.PutWord(out, pos+int(m.width), m.more)
	}
	return pos + m.size
}

// part is what the nanoseconds of a time add to its units, without the base. It is inlined.
func (m *move) part(t *time.Time) uint64 {
	part, _ := bits.Mul64(uint64(t.Nanosecond())<<1, m.b)
	return part - m.d
}

// putOne writes the field of m, at q, after the pos bytes that the key has so far, and gives the new
// length of the key; −1 if the value is refused, or if there is no room.
func (b *Binding) putOne(out []byte, pos int, m *move, q unsafe.Pointer) int {
	st := &b.s.Steps[m.field]
	if m.load == loadText && m.head == 0 {
		if end, ok := writeLong(out, pos, st, *(*string)(q)); ok {
			return end
		}
	}
	k := write.Key{Buf: out[:pos], St: st}
	switch m.plain {
	case loadText:
		k = k.WriteString(*(*string)(q))
	case noLoad:
		k = b.fields[m.field].put(k, q)
	default:
		u, ok := m.number(st, q)
		if ok && m.puts && len(out)-pos >= 2*layout.FewBytes {
			return pos + st.Put(out[pos:pos+2*layout.FewBytes], u)
		} else if ok {
			k = k.PutWord(u)
		} else {
			k = b.fields[m.field].put(k, q)
		}
	}
	if k.St != &b.s.Steps[m.field+1] || cap(k.Buf) != cap(out) { // an error, or moved to new memory
		return -1
	}
	return len(k.Buf)
}

// writeLong writes a text that is too long for two words, or one after its length, and gives the new length of the key. It
// is false for one that the field may not take as it is, and if there is no room.
func writeLong(out []byte, pos int, st *layout.Step, v string) (int, bool) {
	n, at := len(v), pos+int(st.N)
	if n < st.Least || n > st.Most || len(out)-at < n+8 || st.Guard != 0 && strings.IndexByte(v, byte(st.Xor)) >= 0 {
		return 0, false
	}
	mem.PutWord(out, pos, uint64(n)<<(64-8*int(st.N))) // of no length it is overwritten
	copy(out[at:], v)
	mem.PutWord(out, at+n, st.Word)
	return at + n + st.Size, true
}

// settle fills the slots that wait for all fields: those of lates, and those computed from the key's bytes. It
// gives the length of the key; −1 if it cannot fill them.
func (b *Binding) settle(dst []byte, pos int, p unsafe.Pointer) int {
	out := dst[len(dst):cap(dst)]
	for i := range b.lates {
		if b.lates[i].put(out, pos, p) < 0 {
			return -1
		}
	}
	if b.s.Rests != nil && b.s.FillRests(out[:pos]) != nil {
		return -1
	}
	return pos
}

// put is settle for one field.
func (l *late) put(out []byte, pos int, p unsafe.Pointer) int {
	st, in := l.st, &l.ins[0]
	var text []byte
	var u uint64
	if len(l.ins) > 1 {
		m := &st.Mixes[0]
		m.PutBucket(out, m.Off, m.Mod.Of(l.sum(p)))
		return pos
	} else if in.load == loadText {
		text = mem.BytesAt(unsafe.Add(p, in.offset))
	} else {
		u = in.number(p)
	}
	if st.OneSalt && st.PutSalt(out, u) {
		return pos
	} else if st.Fill == layout.FillByte {
		out[st.Slot] = byte(st.Salt.Of(digest.Murmur32(0, text)))
		return pos
	}
	for i := range st.Mixes {
		if st.Mixes[i].Put(out[:pos], 0, text, u) < 0 {
			return -1
		}
	}
	return pos
}

// linkMoves makes the moves for Write.
func (b *Binding) linkMoves() {
	s := b.s
	for i := range b.fields {
		if b.fields[i].kind == goBytes {
			b.slices = append(b.slices, i)
		}
	}
	end := &s.Steps[len(s.Fields)]
	if s.Gathered || s.Cold || end.Done == 0 && end.Trim != 0 ||
		slices.ContainsFunc(s.Fields, func(c *layout.Component) bool { return c.Absent || c.Optional }) {
		return
	}
	var moves []move
	for i := range b.fields {
		moves = append(moves, b.moveOf(&b.fields[i], &s.Steps[i]))
	}
	b.lead, b.front = len(s.Head), forms.Be8(s.Head)
	b.linkHeads(moves)
	last := move{load: salts, room: 1} // the loop's pointer behind a key that fills dst would be into other memory
	if len(b.lates)+len(s.Rests) == 0 {
		last.load = allLoaded
	} else if s.Rests == nil && len(b.lates) == 1 {
		b.last = &b.lates[0]
	}
	moves = append(moves, last)
	room := write.StepRoom
	for i := len(b.fields) - 1; i >= 0; i-- {
		m := &moves[i]
		switch {
		case m.load == noLoad:
			room = write.StepRoom
		case m.load == loadPad || m.load == loadPadLeft:
			room += max(layout.FewBytes, int(m.c)) + m.size
		case m.load >= loadText:
			room += layout.FewBytes + m.size
		default:
			room += m.size
		}
		m.room = room
	}
	pair(moves)
	b.most = uint(s.MaxLen)
	b.first = &moves[0]
	b.room = max(s.Hint, b.lead+room) + write.StepRoom
	if b.first.room = b.room; b.slices != nil || len(s.Head) > 8 {
		b.first.room = math.MaxInt // begins looks
	}
}

// linkHeads has the byte before a field written with what the field before it ends with: with the word that
// it ends with, or, after a number that fills a word, with one more.
func (b *Binding) linkHeads(moves []move) {
	before, size, from := &b.front, &b.lead, 0 // a word that is written before a field, how long the key then is, and where the word begins
	for i := range moves {
		m := &moves[i]
		if at := *size - from; m.head != 0 && at < 8 {
			*before |= uint64(m.head) << (56 - 8*at)
			*size++
		} else if m.head != 0 && i > 0 && moves[i-1].width == 0 && moves[i-1].load > noLoad && moves[i-1].load < loadText {
			p := &moves[i-1]
			p.width, p.more = uint8(p.size), uint64(m.head)<<56
			p.size++
		} else if m.head != 0 {
			m.head, m.load = 0, noLoad
		}
		if before, size, from = &m.word, &m.size, 0; m.width > 0 {
			before, from = &m.more, int(m.width)
		}
	}
}

// pair has numbers written two at a time.
func pair(moves []move) {
	for i := 0; i+1 < len(moves); i++ {
		m, n := &moves[i], &moves[i+1]
		if m.load >= load64 && m.load <= load8 && m.width+n.width == 0 && (n.load == load64 || n.load == load32) {
			m.next = n.load
			i++
		}
	}
}

// build appends the key of the struct at p by write.Key, the slow way. On error dst comes back
// as it was.
func (b *Binding) build(dst []byte, p unsafe.Pointer) ([]byte, error) {
	if p == nil || b.s == nil {
		return dst, b.misused()
	}
	s, at := b.s, len(dst)
	room := slices.Grow(dst, s.Hint+write.StepRoom)
	k := write.In(s, room[at:])
	for i := range b.fields {
		k = b.fields[i].put(k, unsafe.Add(p, b.fields[i].offset))
	}
	key, err := k.Bytes()
	if err != nil {
		return dst, err
	}
	if cap(room) > at && &room[:at+1][at] == &key[0] { // it lies there already
		return room[:at+len(key)], nil
	}
	return append(room, key...), nil
}
