package rowkey

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// This is the only file that imports reflect, when a type is bound, and unsafe,
// to read and write the fields of a caller's struct afterwards. Key bytes are
// written by the same steps as everywhere.

// Value is what a field may hold in Go.
type Value interface {
	~string | ~[]byte | ~bool | ~float32 | ~float64 | time.Time |
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// goKind is a Go type as the codec moves it.
type goKind uint8

const (
	goString goKind = iota
	goBytes
	goArray // of bytes
	goInt
	goInt8
	goInt16
	goInt32
	goInt64
	goUint
	goUint8
	goUint16
	goUint32
	goUint64
	goFloat32
	goFloat64
	goBool
	goTime
	goMilli // an int64 of milliseconds since 1970
)

var goKinds = map[reflect.Kind]goKind{
	reflect.String: goString, reflect.Bool: goBool, reflect.Float32: goFloat32, reflect.Float64: goFloat64,
	reflect.Int: goInt, reflect.Int8: goInt8, reflect.Int16: goInt16, reflect.Int32: goInt32, reflect.Int64: goInt64,
	reflect.Uint: goUint, reflect.Uint8: goUint8, reflect.Uint16: goUint16, reflect.Uint32: goUint32, reflect.Uint64: goUint64,
}

// goField is one Go variable tied to one field.
type goField struct {
	c      *layout.Component
	kind   goKind
	offset uintptr
	elem   reflect.Type // what a pointer points to, which is nil for a null
	size   int          // of an array
	unix   clock.Unit   // of a time as a number; zero for a time.Time
	direct bool         // that number is the field's own
}

// bind ties a Go type to a field, or says why it cannot hold it.
func bind(c *layout.Component, t reflect.Type, unit string) (goField, string) {
	b := goField{c: c}
	fits := false
	switch {
	case t == reflect.TypeFor[time.Time]():
		b.kind = goTime
		fits = c.Kind == layout.KindTime && unit == ""
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		b.kind = goBytes
		fits = c.IsText()
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		b.kind, b.size = goArray, t.Len()
		fits = c.IsText() && c.Decimal == forms.NoDecimal && c.Value.Fixed() && c.Value.Min == t.Len()
	default:
		kind, ok := goKinds[t.Kind()]
		if !ok {
			break
		}
		b.kind = kind
		switch c.Kind {
		case layout.KindString, layout.KindBinary:
			fits = kind == goString
		case layout.KindBool:
			fits = kind == goBool
		case layout.KindFloat:
			fits = kind == goFloat64 || kind == goFloat32 && c.Size == 4
		case layout.KindUint, layout.KindInt:
			fits = holds(t, c)
		case layout.KindTime:
			return b.bindUnix(t, unit)
		}
	}
	if unit != "" {
		return b, fmt.Sprintf("unit %q fits a time as a number only", unit)
	}
	if !fits {
		return b, fmt.Sprintf("%v cannot hold every value of %s", t, c.Notation())
	}
	return b, ""
}

// bindNullable ties a struct's field, of which an Optional one is a pointer: nil
// is null. To Phoenix the empty text is null, so that a string or slice will do.
func bindNullable(c *layout.Component, t reflect.Type, unit string) (goField, string) {
	switch {
	case !c.Optional:
		return bind(c, t, unit)
	case t.Kind() == reflect.Pointer:
		b, problem := bind(c, t.Elem(), unit)
		b.elem = t.Elem()
		return b, problem
	case !c.ZeroText() || t.Kind() == reflect.Array:
		return goField{}, fmt.Sprintf("%v cannot hold a null: say *%v", t, t)
	}
	return bind(c, t, unit)
}

// holds reports that a Go integer type holds every number of the component.
func holds(t reflect.Type, c *layout.Component) bool {
	bits := 8 * int(t.Size())
	low, high := c.Num.Min, c.Num.Max // as biased numbers
	if c.Kind == layout.KindUint {
		if high > layout.MaxInt64 {
			return t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64 && bits == 64
		}
		low, high = low+layout.SignBit64, high+layout.SignBit64
	}
	switch {
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return low >= layout.SignBit64 && high-layout.SignBit64 <= forms.Mask(bits/8)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return low >= layout.SignBit64-forms.Mask(bits/8)>>1-1 && high <= layout.SignBit64+forms.Mask(bits/8)>>1
	}
	return false
}

// unixUnits are the units that a tag may say.
var unixUnits = []clock.Unit{clock.Seconds, clock.Millis, clock.Micros, clock.Nanos}

// bindUnix ties a 64-bit integer of whole units since 1970 to a time.
func (b goField) bindUnix(t reflect.Type, name string) (goField, string) {
	if b.kind != goInt64 && (b.kind != goUint64 || b.c.Signed) {
		return b, fmt.Sprintf("%v cannot hold a time: use time.Time, or int64 with its unit in the tag", t)
	}
	i := slices.IndexFunc(unixUnits, func(u clock.Unit) bool { return u.Name == name })
	if i < 0 {
		return b, fmt.Sprintf("a time as a number says its unit in the tag: %q, with s, ms, us or ns", b.c.Name+",ms")
	}
	b.unix = unixUnits[i]
	if b.kind == goInt64 && b.unix == clock.Millis {
		b.kind = goMilli
	}
	if u := b.c.Unit; u.Step%b.unix.Step != 0 || u.Nsec%int64(b.unix.Step) != 0 {
		return b, fmt.Sprintf("%s in %q cannot hold every value of %s", t, name, b.c.Notation())
	}
	b.direct = b.c.Unit == b.unix && !b.c.Signed
	return b, ""
}

// put supplies the variable's value to a key.
func (b *goField) put(k writing, p unsafe.Pointer) writing {
	if b.elem != nil {
		if p = *(*unsafe.Pointer)(p); p == nil {
			return k.Null()
		}
	}
	switch b.kind {
	case goString:
		return k.String(*(*string)(p))
	case goBytes:
		return k.Binary(*(*[]byte)(p))
	case goArray:
		return k.Binary(unsafe.Slice((*byte)(p), b.size))
	case goFloat32:
		return k.Float(float64(*(*float32)(p)))
	case goFloat64:
		return k.Float(*(*float64)(p))
	case goBool:
		return k.Bool(*(*bool)(p))
	case goTime:
		return k.Time(*(*time.Time)(p))
	case goUint64:
		if b.unix.Step != 0 {
			return b.putUnix(k, *(*uint64)(p))
		}
		return k.Uint(*(*uint64)(p))
	case goMilli:
		v := *(*int64)(p)
		if v < 0 && !b.c.Signed { // of a unit that counts from before 1970: it would not come back
			return k.fail(b.unixRefused())
		}
		return k.UnixMilli(v)
	case goInt64:
		v := *(*int64)(p)
		switch {
		case b.unix.Step == 0:
			return k.Int(v)
		case v < 0 && b.c.Signed:
			if v < b.unixLeast() {
				return k.fail(b.unixRefused())
			}
			return k.putTime(b.unix.Mirror(b.unix.Instant(uint64(-v))))
		case v < 0:
			return k.fail(b.unixRefused())
		}
		return b.putUnix(k, uint64(v))
	case goUint:
		return k.Uint(uint64(*(*uint)(p)))
	case goUint8:
		return k.Uint(uint64(*(*uint8)(p)))
	case goUint16:
		return k.Uint(uint64(*(*uint16)(p)))
	case goUint32:
		return k.Uint(uint64(*(*uint32)(p)))
	case goInt:
		return k.Int(int64(*(*int)(p)))
	case goInt8:
		return k.Int(int64(*(*int8)(p)))
	case goInt16:
		return k.Int(int64(*(*int16)(p)))
	}
	return k.Int(int64(*(*int32)(p)))
}

func (b *goField) putUnix(k writing, n uint64) writing {
	if n > b.unix.Last() {
		return k.fail(b.unixRefused())
	}
	return k.putTime(b.unix.Instant(n))
}

// unixLast is the largest number that stands for a time.
func (b *goField) unixLast() int64 { return int64(min(b.unix.Last(), layout.MaxInt64)) }

// unixLeast is the smallest one. A number before 1970 is rounded down to the key's
// unit and must come back: of nanoseconds in a key of milliseconds it is
// -9223372036854000000, not -9223372036854775807.
func (b *goField) unixLeast() int64 {
	if !b.c.Signed {
		return 0
	}
	last := b.unixLast()
	return last%int64(b.c.Unit.Step/b.unix.Step) - last
}

// unixRefused says which numbers stand for times.
func (b *goField) unixRefused() error {
	first, last := b.unixLeast(), b.unixLast()
	return &fault.Detail{Text: fmt.Sprintf("%d to %d %s since 1970", first, last, b.unix.Name), Reason: fault.ErrRange}
}

// takes reports that a time as a number since 1970 has one for the value: it is
// not before, nor too far behind.
func (b *goField) takes(v layout.Val) bool {
	if b.unix.Step == 0 || v.Null {
		return true
	}
	_, ok := b.count(v)
	return ok
}

// count is a time as the caller's number.
func (b *goField) count(v layout.Val) (uint64, bool) {
	if b.direct {
		return v.Num, true
	}
	caller := layout.Component{Admitted: layout.Admitted{Unit: b.unix, Signed: b.c.Signed}}
	return caller.Units(b.c.Instant(v.Num))
}

// take stores a decoded value in the variable, in memory of its own. Bind has
// seen to it that the variable can hold it.
func (b *goField) take(p unsafe.Pointer, v layout.Val) {
	if b.elem != nil {
		at := (*unsafe.Pointer)(p)
		if *at = nil; v.Null {
			return
		}
		elem := reflect.New(b.elem).UnsafePointer()
		*at, p = elem, elem // of which p does not escape
	}
	switch b.kind {
	case goString:
		var room [64]byte
		*(*string)(p) = string(b.c.PlainText(room[:0], v.Text))
	case goBytes:
		// In memory of its own: the slice that stood there may have been handed out.
		*(*[]byte)(p) = append(make([]byte, 0, len(v.Text)), b.c.PlainText(nil, v.Text)...)
	case goArray:
		copy(unsafe.Slice((*byte)(p), b.size), v.Text)
	case goFloat32:
		*(*float32)(p) = float32(math.Float64frombits(v.Num))
	case goFloat64:
		*(*float64)(p) = math.Float64frombits(v.Num)
	case goBool:
		*(*bool)(p) = v.Num == 1
	case goTime:
		*(*time.Time)(p) = b.c.AsTime(v.Num)
	case goInt64, goUint64, goMilli:
		*(*uint64)(p) = v.Num
		if b.unix.Step != 0 {
			*(*uint64)(p), _ = b.count(v)
		}
	case goInt, goUint:
		*(*uint)(p) = uint(v.Num)
	case goInt8, goUint8:
		*(*uint8)(p) = uint8(v.Num)
	case goInt16, goUint16:
		*(*uint16)(p) = uint16(v.Num)
	case goInt32, goUint32:
		*(*uint32)(p) = uint32(v.Num)
	}
}

// Codec writes and reads keys of a struct whose fields carry `rowkey:"name"`
// tags. Unix numbers must say their unit: `rowkey:"at,ms"`. An Optional field is
// a pointer, nil for a null.
type Codec[T any] struct{ in binding }

// binding is a Codec without its type.
type binding struct {
	s        *layout.Schema
	fields   []goField     // as the schema's
	first    *move         // of a move for each field and one more, where keys are written in one piece; else nil
	lates    []late        // salts that are taken from the struct when the key is there
	rests    []layout.Slot // what is computed from the key's bytes behind it
	most     uint          // bytes of a key
	lead     int           // bytes in front of the first field
	front    uint64        // constants among them
	size     uintptr       // of the struct
	over     int           // one more than the bytes of a key of numbers alone; else 0
	limits   []landing     // of these: what is checked
	columns  []column      // of these: how writeColumns writes them, if it can
	lifts    []landing     // and how each is stored
	landings []landing     // of each field, where decodeHot reads all of them
}

// load is how a field is taken from a struct.
type load uint8

const (
	noLoad  load = iota // by a KeyBuilder
	exact64             // every number of the type is one of the field's
	exact32
	exact16
	exact8
	load64 // a number of 64 bits
	load32
	load16
	load8
	loadI32 // with a sign
	loadI16
	loadI8
	loadFloat
	loadTime
	loadText    // of up to 16 bytes
	loadReverse // of 8 to 16 bytes that may be any, turned round
	loadPad     // of up to 16 bytes, filled up
	allLoaded   // behind the last, where nothing is left to do
)

const ptrSize = unsafe.Sizeof(uintptr(0))

// move is a field on its way into a key, its step by value, so that the loop
// follows no pointer.
type move struct {
	load       load
	plain      load // how a number is taken that write leaves to writeOne, noLoad if by a KeyBuilder
	offset     uintptr
	bias, span uint64
	word, mul  uint64
	size       int
	a, b, c, d uint64 // of a text xor and guard, padded its width and padding; of a time per, inv, until, base
	room       int    // bytes that write asks for from here on
	field      int
}

// after is the move behind one that is not the last.
func (m *move) after() *move { return (*move)(unsafe.Add(unsafe.Pointer(m), unsafe.Sizeof(*m))) }

// late is a salt by murmur3, in one byte.
type late struct {
	slot int
	mod  digest.Modulus
	seed uint32
	ins  []lateIn
}

type lateIn struct {
	load   load
	offset uintptr
	size   int
}

// loads are how Go's types are taken.
func (b *goField) loads() load {
	word := [2]load{load32, loadI32}
	if math.MaxUint > math.MaxUint32 {
		word = [2]load{load64, load64}
	}
	switch b.kind {
	case goString, goBytes: // both begin with a pointer and a length
		return loadText
	case goUint64, goInt64, goMilli:
		return load64
	case goUint32:
		return load32
	case goUint16:
		return load16
	case goUint8, goBool:
		return load8
	case goInt32:
		return loadI32
	case goInt16:
		return loadI16
	case goInt8:
		return loadI8
	case goUint:
		return word[0]
	case goInt:
		return word[1]
	case goFloat64:
		return loadFloat
	case goTime:
		return loadTime
	}
	return noLoad
}

// moveOf is the move of a field: without a load where a KeyBuilder writes it.
func (b *binding) moveOf(f *goField, st *layout.Step) move {
	m := move{offset: f.offset, bias: st.Bias, span: st.Span, word: st.Word, mul: st.Mul, size: st.Size, a: st.Xor, b: st.Guard}
	if st.Form == layout.Cold || f.elem != nil {
		return m
	}
	l, unix := f.loads(), f.unix.Step != 0
	if l == loadTime || l >= load64 && l <= loadI8 && (st.Kind == layout.KindUint || st.Kind == layout.KindInt) {
		m.plain = l
	}
	if st.Fill != layout.NoFill && !b.late(st) {
		return m
	}
	switch {
	case l == loadText:
		switch {
		case st.Form == layout.HotReverse && st.Guard == 0 && st.Least == st.Most && st.Least >= 8 && st.Least <= layout.FewBytes:
			m.load, m.bias, m.span = loadReverse, -uint64(st.Least), 0
		case st.Form == layout.HotPad:
			m.load, m.bias, m.span, m.c, m.d = loadPad, -uint64(st.Least), uint64(st.Most-st.Least), uint64(st.N), st.Xor
		case st.Op == layout.OpText:
			m.load = loadText
		}
	case l == noLoad, st.Size > 8, st.Form != layout.HotWord && st.Form != layout.HotFloat:
	case l == loadTime:
		if st.Per != 0 && st.Elements == 0 {
			m.load, m.a, m.b, m.c, m.d = l, st.Per, st.Inv, st.Until, st.Base
		}
	case unix:
		if f.direct && st.Per != 0 && st.Base == 0 {
			m.load = load64
		}
	case l == loadFloat:
		if st.Form == layout.HotFloat && st.N == 8 {
			m.load, m.bias, m.span, m.mul = l, 0, math.MaxUint64, 1
		}
	case st.Form == layout.HotWord:
		m.load = l
		exact := map[load]load{load64: exact64, load32: exact32, loadI32: exact32, load16: exact16, loadI16: exact16, load8: exact8, loadI8: exact8}[l]
		bytes := map[load]int{exact64: 8, exact32: 4, exact16: 2, exact8: 1}[exact]
		if f.c.Kind != layout.KindBool && st.Span == forms.Mask(bytes) && int(st.N) == bytes {
			m.load = exact
		}
	}
	return m
}

// late adds the salts that a field fills to those which are taken from the struct
// when the key is there; false, and none, if one of them cannot.
func (b *binding) late(st *layout.Step) bool {
	var all []late
	for i := range st.Fills {
		m := &st.Mixes[i]
		if m.C == nil || m.C.Width != 1 || m.C.SaltForm != layout.SaltBytes {
			return false
		}
		sl := late{slot: m.Off, mod: m.C.Mod, seed: m.C.Part.Cut.Seed}
		for j, f := range m.C.In.Comps {
			x := &b.fields[f.Ord]
			in := lateIn{x.loads(), x.offset, m.Ins[j].Size}
			if in.load == noLoad || in.load >= loadFloat && in.load != loadText || x.elem != nil || f.Kind == layout.KindTime {
				return false
			}
			sl.ins = append(sl.ins, in)
		}
		all = append(all, sl)
	}
	b.lates = append(b.lates, all...)
	return true
}

// of is the salt of a struct, of several fields or of a number.
func (l *late) of(p unsafe.Pointer) byte {
	h := digest.NewStream(l.seed)
	for i := range l.ins {
		in := &l.ins[i]
		q := unsafe.Add(p, in.offset)
		if in.load == loadText {
			v := *(*string)(q)
			h.Text(unsafe.Slice(unsafe.StringData(v), len(v)))
		} else {
			h.Word(loadNumber(in.load, q), in.size)
		}
	}
	return byte(l.mod.Of(h.Sum()))
}

// loadNumber is a number of a struct.
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

// word8 is the 8 bytes at p, and word4 its 4, the first the lowest.
func word8(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }
func word4(p unsafe.Pointer) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }

// putWord8 and putWord4 undo word8 and word4.
func putWord8(p unsafe.Pointer, u uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], u) }
func putWord4(p unsafe.Pointer, u uint32) { binary.LittleEndian.PutUint32((*[4]byte)(p)[:], u) }

// copy16 copies n bytes, 8 to 16, in two words that may overlap, and gives the words.
func copy16(to, from unsafe.Pointer, n int) (x, y uint64) {
	x, y = word8(from), word8(unsafe.Add(from, n-8))
	putWord8(to, x)
	putWord8(unsafe.Add(to, n-8), y)
	return x, y
}

// copy8 is copy16 of 4 to 7 bytes, whose two words are the halves of one.
func copy8(to, from unsafe.Pointer, n int) uint64 {
	x, y := word4(from), word4(unsafe.Add(from, n-4))
	putWord4(to, x)
	putWord4(unsafe.Add(to, n-4), y)
	return uint64(x) | uint64(y)<<32
}

// copy3 is copy8 of 1 to 3 bytes: the word holds these, some of them again and again.
func copy3(to, from unsafe.Pointer, n int) uint64 {
	x, y, z := *(*byte)(from), *(*byte)(unsafe.Add(from, n/2)), *(*byte)(unsafe.Add(from, n-1))
	*(*byte)(to), *(*byte)(unsafe.Add(to, n/2)), *(*byte)(unsafe.Add(to, n-1)) = x, y, z
	return uint64(x)*forms.EachByte&^0xffff | uint64(y)<<8 | uint64(z)
}

// text16, text8 and text3 are these of a text, to where there is room for it.
func text16(to []byte, v string) (x, y uint64) {
	return copy16(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}
func text8(to []byte, v string) uint64 {
	return copy8(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}
func text3(to []byte, v string) uint64 {
	return copy3(unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.StringData(v)), len(v))
}

// putWord stores u behind n bytes of to, where there is room for it.
func putWord(to []byte, n int, u uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(to)), n))[:], u)
}

// write appends the key of the struct at p to dst: fields from m on behind the pos bytes
// that it has so far, where there is room for all of them. The loop goes through the moves
// by address until one ends it, and calls nothing, so that its variables stay in
// registers; a field that it cannot write, or that is refused, is written behind it.
func (b *binding) write(dst []byte, pos int, m *move, p unsafe.Pointer) ([]byte, error) {
	if m == nil || p == nil || cap(dst)-len(dst)-pos < m.room {
		return b.build(dst, p)
	}
	out := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), len(dst))
	if pos == 0 && b.lead > 0 {
		binary.BigEndian.PutUint64((*[8]byte)(out)[:], b.front)
		pos = b.lead
	}
loop:
	for ; ; m = m.after() {
		q, to := unsafe.Add(p, m.offset), unsafe.Add(out, pos)
		var u uint64
		switch m.load {
		default:
			break loop
		case allLoaded:
			if uint(pos-1) >= b.most {
				return b.build(dst, p)
			}
			return dst[:len(dst)+pos], nil
		case exact64:
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], *(*uint64)(q)^m.word)
			pos += m.size
			continue
		case exact32:
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], uint64(*(*uint32)(q))<<32^m.word)
			pos += m.size
			continue
		case exact16:
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], uint64(*(*uint16)(q))<<48^m.word)
			pos += m.size
			continue
		case exact8:
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], uint64(*(*uint8)(q))<<56^m.word)
			pos += m.size
			continue
		case loadText, loadPad:
			n, from := *(*int)(unsafe.Add(q, ptrSize)), *(*unsafe.Pointer)(q)
			if uint64(n)+m.bias > m.span {
				break loop
			}
			width := n
			if m.load == loadPad {
				if width = int(m.c); n > 0 && *(*byte)(unsafe.Add(from, n-1)) == byte(m.d) {
					break loop
				}
				putWord8(to, m.d)
				putWord8(unsafe.Add(to, 8), m.d)
			}
			x, y := ^m.a, ^m.a
			switch {
			case n >= 8:
				x, y = copy16(to, from, n)
			case n >= 4:
				x = copy8(to, from, n)
			case n > 0:
				x = copy3(to, from, n)
			}
			if m.b != 0 && forms.ZeroBytes(x^m.a)|forms.ZeroBytes(y^m.a) != 0 { // what ends it stands in it
				break loop
			}
			binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(to, width))[:], m.word)
			pos += width + m.size
			continue
		case loadReverse:
			n, from := *(*int)(unsafe.Add(q, ptrSize)), *(*unsafe.Pointer)(q)
			if uint64(n)+m.bias > m.span {
				break loop
			}
			x, y := word8(from), word8(unsafe.Add(from, n-8))
			putWord8(to, bits.ReverseBytes64(y))
			putWord8(unsafe.Add(to, n-8), bits.ReverseBytes64(x))
			binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(to, n))[:], m.word)
			pos += n + m.size
			continue
		case loadFloat:
			f := *(*float64)(q) + 0 // −0 is 0
			if f != f {
				break loop
			}
			binary.BigEndian.PutUint64((*[8]byte)(to)[:], forms.OrderFloat(math.Float64bits(f), 8)^m.word)
			pos += m.size
			continue
		case loadTime:
			v := (*time.Time)(q)
			sec := uint64(v.Unix())
			if sec > m.c {
				break loop
			}
			part, _ := bits.Mul64(uint64(v.Nanosecond())<<1, m.b)
			u = sec*m.a + part - m.d
		case load64:
			u = *(*uint64)(q)
		case load32:
			u = uint64(*(*uint32)(q))
		case load16:
			u = uint64(*(*uint16)(q))
		case load8:
			u = uint64(*(*uint8)(q))
		case loadI32:
			u = uint64(int64(*(*int32)(q)))
		case loadI16:
			u = uint64(int64(*(*int16)(q)))
		case loadI8:
			u = uint64(int64(*(*int8)(q)))
		}
		if u+m.bias > m.span {
			break loop
		}
		binary.BigEndian.PutUint64((*[8]byte)(to)[:], u*m.mul^m.word)
		pos += m.size
	}
	if m.field == len(b.fields) {
		pos = b.settle(dst, pos, p)
	} else if pos = b.writeOne(dst, pos, m, p); pos >= 0 {
		return b.write(dst, pos, m.after(), p)
	}
	if uint(pos-1) >= b.most {
		return b.build(dst, p)
	}
	return dst[:len(dst)+pos], nil
}

// writeOne writes the field of m behind the pos bytes that a key has so far, and gives how
// many it has then; −1 where it is refused, or there is no room.
func (b *binding) writeOne(dst []byte, pos int, m *move, p unsafe.Pointer) int {
	out, st, q := dst[len(dst):cap(dst)], &b.s.Steps[m.field], unsafe.Add(p, m.offset)
	k := writing{out[:pos], st}
	u, ok := uint64(0), m.plain != noLoad
	switch m.plain {
	case noLoad:
	case loadTime:
		v := (*time.Time)(q)
		u, ok = st.UnitsOf(uint64(v.Unix()), uint64(v.Nanosecond()))
	default:
		u = loadNumber(m.plain, q)
		ok = u+st.Bias <= st.Span
	}
	if ok {
		k = k.putHot(u)
	} else {
		k = b.fields[m.field].put(k, q)
	}
	if k.st != &b.s.Steps[m.field+1] || cap(k.buf) != cap(out) { // an error, or moved to new memory
		return -1
	}
	return len(k.buf)
}

// settle writes what waits for all fields: the salts that are taken from the struct, and
// what is computed from the key's bytes. It gives the length back; −1 where it cannot.
func (b *binding) settle(dst []byte, pos int, p unsafe.Pointer) int {
	out := dst[len(dst):cap(dst)]
	for i := range b.lates {
		l := &b.lates[i]
		if in := &l.ins[0]; len(l.ins) == 1 && in.load == loadText {
			out[l.slot] = byte(l.mod.Of(digest.Murmur32(l.seed, *(*string)(unsafe.Add(p, in.offset)))))
		} else {
			out[l.slot] = l.of(p)
		}
	}
	if uint(pos-1) >= b.most {
		return -1
	}
	for _, f := range b.rests {
		if b.s.FillRest(out[:pos], f.C, f.Off) != nil {
			return -1
		}
	}
	return pos
}

// linkMoves finds what write does of a struct.
func (b *binding) linkMoves() {
	s := b.s
	end := &s.Steps[len(s.Fields)]
	hot := !s.Gathered && !s.Cold && (end.Done > 0 || s.Rests != nil && end.Trim == 0) && len(s.Head) <= 8
	for _, c := range s.Fields {
		hot = hot && !c.Optional && !c.Absent
	}
	if !hot {
		return
	}
	var moves []move
	for i := range b.fields {
		moves = append(moves, b.moveOf(&b.fields[i], &s.Steps[i]))
	}
	for _, c := range s.Rests {
		b.rests = append(b.rests, layout.Slot{C: c, Off: s.Offset(c)})
	}
	last := move{}
	if len(b.lates)+len(b.rests) == 0 {
		last.load = allLoaded
	}
	moves = append(moves, last)
	room := stepRoom
	for i := len(b.fields) - 1; i >= 0; i-- {
		m := &moves[i]
		switch {
		case m.load == noLoad:
			room = stepRoom
		case m.load >= loadText:
			room += layout.FewBytes + m.size
		default:
			room += m.size
		}
		m.room = room
	}
	for i := range moves {
		moves[i].field = i
	}
	b.lead, b.most = len(s.Head), uint(s.MaxLen)
	b.front = layout.Be8(s.Head)
	b.first = &moves[0]
	b.first.room = max(s.Hint, b.lead+room) + stepRoom
}

// viewString is bytes as a text that lives as long as they stay.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Bind checks T against the schema: every field bound once, every tag known,
// every type able to hold its field. Fields of embedded structs count as T's
// own; those without a tag are left alone.
func Bind[T any](s *Schema) (*Codec[T], error) {
	in, err := bindType(&s.in, reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &Codec[T]{in}, nil
}

// bindType ties the fields of a struct to those of a schema.
func bindType(s *layout.Schema, t reflect.Type) (binding, error) {
	if t.Kind() != reflect.Struct {
		return binding{}, s.ErrAt("", -1, &fault.Detail{Text: t.String() + " is no struct", Reason: fault.ErrType})
	}
	fields := make([]goField, len(s.Fields))
	if err := bindStruct(s, fields, t, 0); err != nil {
		return binding{}, err
	}
	for i, c := range s.Fields {
		if fields[i].c == nil {
			return binding{}, s.ErrAt(c.Name, -1, &fault.Detail{Text: "no field of " + t.String() + " has its tag", Reason: fault.ErrMissing})
		}
	}
	b := binding{s: s, fields: fields, size: t.Size()}
	b.linkMoves()
	b.linkLandings()
	if b.first != nil && b.lead == 0 && len(b.lates)+len(b.rests) == 0 && b.over > 0 {
		b.linkColumns(unsafe.Slice(b.first, len(b.fields)))
	}
	return b, nil
}

func bindStruct(s *layout.Schema, fields []goField, t reflect.Type, offset uintptr) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("rowkey")
		if !ok || tag == "-" {
			if !ok && f.Anonymous && f.Type.Kind() == reflect.Struct {
				if err := bindStruct(s, fields, f.Type, offset+f.Offset); err != nil {
					return err
				}
			}
			continue
		}
		name, unit, _ := strings.Cut(tag, ",")
		c := s.ByName[name]
		switch {
		case c == nil:
			return s.ErrAt(name, -1, &fault.Detail{Text: "tag of " + t.String() + "." + f.Name, Reason: fault.ErrField})
		case c.Role != layout.RoleField:
			return s.ErrAt(name, -1, &fault.Detail{Text: "is computed, not supplied", Reason: fault.ErrField})
		case fields[c.Ord].c != nil:
			return s.ErrAt(name, -1, &fault.Detail{Text: "the tag stands twice", Reason: fault.ErrExtra})
		}
		b, problem := bindNullable(c, f.Type, unit)
		if problem != "" {
			return s.ErrAt(name, -1, &fault.Detail{Text: t.String() + "." + f.Name + ": " + problem, Reason: fault.ErrType})
		}
		b.offset = offset + f.Offset
		fields[c.Ord] = b
	}
	return nil
}

// MustBind is Bind for package variables: it panics with Bind's error.
func MustBind[T any](s *Schema) *Codec[T] {
	c, err := Bind[T](s)
	if err != nil {
		panic(err)
	}
	return c
}

// Append appends the key of v to dst; on error dst comes back as it was. A nil v
// is an error. As by Key, what lies behind the key, within dst's capacity, may be
// written.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.in.write(dst, 0, c.in.first, unsafe.Pointer(v)) // it is inlined
}

// misused says that a codec is none of Bind's, or that there is no row: with an
// offset added, a nil pointer to a large struct may point to memory that is there.
func (b *binding) misused() error {
	if b.s == nil {
		return fault.Make("", "", -1, &fault.Detail{Text: "a Codec that Bind did not make", Reason: fault.ErrMissing})
	}
	return b.s.ErrAt("", -1, &fault.Detail{Text: "a nil pointer to a row", Reason: fault.ErrMissing})
}

// AppendAll appends one key after another to arena, and to ends where each
// ends in it. On error both come back as they were, and the error says which
// of vs it is about.
func (c *Codec[T]) AppendAll(arena []byte, ends []int, vs []T) ([]byte, []int, error) {
	keys, marks, err := c.in.writeAll(arena, slices.Grow(ends, len(vs)), unsafe.Pointer(unsafe.SliceData(vs)), len(vs))
	if err != nil {
		e := *err.(*Error)
		e.Err = &fault.Detail{Text: fmt.Sprintf("row %d", len(marks)-len(ends)), Reason: e.Err}
		return arena, ends, &e
	}
	return keys, marks, nil
}

// writeAll appends the keys of n structs, the first at p, to dst, and where each ends to
// ends, which has room for that.
func (b *binding) writeAll(dst []byte, ends []int, p unsafe.Pointer, n int) ([]byte, []int, error) {
	var err error
	for n > 0 {
		done := min(n, fewRows)
		if size := done * (b.over - 1); b.columns != nil && cap(dst)-len(dst) >= size && b.writeColumns(dst[len(dst):len(dst)+size], p, done) {
			for range done {
				dst = dst[:len(dst)+b.over-1]
				ends = append(ends, len(dst))
			}
		} else if dst, err = b.write(dst, 0, b.first, p); err != nil {
			return dst, ends, err
		} else {
			done, ends = 1, append(ends, len(dst))
		}
		if n -= done; n > 0 {
			p = unsafe.Add(p, uintptr(done)*b.size)
		}
	}
	return dst, ends, nil
}

// fewRows is how many rows are written field by field: they and their keys stay in the
// processor's nearest cache meanwhile.
const fewRows = 64

// column is a field of a key of numbers alone, each of which has as many bytes in the
// struct.
type column struct {
	size             int
	offset           uintptr // in the struct
	from             int     // in the key
	bias, span, word uint64
}

// linkColumns finds what writeColumns does of the moves; nothing, if one is no such number.
func (b *binding) linkColumns(moves []move) {
	var columns []column
	pos := 0
	for _, m := range moves {
		size := map[load]int{exact64: 8, exact32: 4, exact16: 2, exact8: 1, load64: 8, load32: 4, load16: 2, load8: 1}[m.load]
		if m.size == 0 || m.size != size || m.mul != 1<<(64-8*size) {
			return
		}
		c := column{size, m.offset, pos, m.bias, m.span, m.word >> (64 - 8*size)}
		if m.load <= exact8 {
			c.bias, c.span = 0, math.MaxUint64
		}
		columns = append(columns, c)
		pos += size
	}
	if pos == b.over-1 {
		b.columns = columns
	}
}

// writeColumns writes the keys of n structs, the first at p, one field of all of them
// after the other: what is known of a field is loaded once, and nothing but the numbers
// is in the loop. It is false where one of them is refused.
func (b *binding) writeColumns(dst []byte, p unsafe.Pointer, n int) bool {
	out, width := unsafe.Pointer(unsafe.SliceData(dst)), b.over-1
	for i := range b.columns {
		c := &b.columns[i]
		at, bias, span, word := c.offset, c.bias, c.span, c.word
		end := c.from + n*width
		switch c.size {
		case 8:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint64)(unsafe.Add(p, at))
				if u+bias > span {
					return false
				}
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(out, to))[:], u^word)
			}
		case 4:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint32)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(out, to))[:], u^uint32(word))
			}
		case 2:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint16)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(out, to))[:], u^uint16(word))
			}
		default:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint8)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				*(*uint8)(unsafe.Add(out, to)) = u ^ uint8(word)
			}
		}
	}
	return true
}

// build appends the key of the struct at p by a KeyBuilder. On error dst ends where it
// began.
func (b *binding) build(dst []byte, p unsafe.Pointer) ([]byte, error) {
	if p == nil || b.s == nil {
		return dst, b.misused()
	}
	s, at := b.s, len(dst)
	dst = slices.Grow(dst, s.Hint+stepRoom)
	k := keyIn(s, dst)
	for i := range b.fields {
		k = b.fields[i].put(k, unsafe.Add(p, b.fields[i].offset))
	}
	key, err := k.finish()
	if err != nil {
		return dst[:at], err
	}
	if cap(dst) > at && &dst[:at+1][at] == &key[0] { // it lies there already
		return dst[:at+len(key)], nil
	}
	return append(dst[:at], key...), nil
}

// Decode fills v from a key, derived components checked. Strings and bytes are
// copied, to new memory each time; what is not stored in the key is left as it
// is. On error v is as it was. A nil v is an error.
func (c *Codec[T]) Decode(key []byte, v *T) error { return c.in.decode(key, unsafe.Pointer(v)) }

// decode is Decode. A key of numbers alone, each at its place, is read here: those whose
// bytes may be out of range are checked, then all are stored.
func (b *binding) decode(key []byte, p unsafe.Pointer) error {
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
func (c *binding) decodeAny(key []byte, p unsafe.Pointer) error {
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
			return s.ErrAt(b.c.Name, int(at[b.c.Index]), &fault.Detail{Text: "no whole " + b.unix.Name + " since 1970 of 64 bits", Reason: fault.ErrRange})
		}
	}
	for i := range c.fields {
		if b := &c.fields[i]; vs[i].Ok {
			b.take(unsafe.Add(p, b.offset), vs[i])
		}
	}
	return nil
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

// landingOf is the landing of a field, if it has one.
func (f *goField) landingOf(st *layout.Step) (landing, bool) {
	c := f.c
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

// linkLandings finds what decodeHot does of a key: nothing, where it cannot read all
// of it.
func (b *binding) linkLandings() {
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
func (b *binding) linkLifts(pos int) {
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
func (b *binding) decodeHot(key []byte, p unsafe.Pointer) bool {
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

// arrive reads numbers from field i on, and texts of one length, and stops at the
// first that it cannot read, or that is wrong. It calls nothing, so that its variables
// stay in registers.
func (b *binding) arrive(nums *[layout.FewFields]uint64, key []byte, pos, i int) (int, int) {
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
func (b *binding) arriveAny(key []byte, pos, i int) (u uint64, next int, ok bool) {
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
func (b *binding) agrees(i int, key []byte, at int, u uint64) bool {
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
func (b *binding) land(nums *[layout.FewFields]uint64, p unsafe.Pointer, i int) int {
	for ; i < len(b.landings); i++ {
		if !b.landings[i].keep(p, nums[i&(layout.FewFields-1)]) {
			return i
		}
	}
	return i
}

// landAny stores any field.
func (b *binding) landAny(key []byte, u uint64, p unsafe.Pointer, i int) {
	l := &b.landings[i]
	q, st := unsafe.Add(p, l.offset), l.st
	switch {
	case l.store == storeText:
		*(*string)(q) = string(key[u>>32 : uint32(u)])
	case l.store == storeTime:
		*(*time.Time)(q) = st.HotInstant(u)
	case !st.C.IsText():
		b.fields[i].take(q, layout.Val{Num: u, Ok: true})
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
		b.fields[i].take(q, layout.Val{Text: text, Ok: true})
	}
}

// Field is a typed handle on one field of one schema.
type Field[T Value] struct {
	s *layout.Schema
	b goField
}

// FieldOf finds a field that T can hold.
func FieldOf[T Value](s *Schema, name string) (Field[T], error) {
	c := s.in.ByName[name]
	if c == nil || c.Role != layout.RoleField {
		return Field[T]{}, s.in.ErrAt(name, -1, fault.ErrField)
	}
	b, problem := bind(c, reflect.TypeFor[T](), "")
	if problem != "" {
		return Field[T]{}, s.in.ErrAt(name, -1, &fault.Detail{Text: problem, Reason: fault.ErrType})
	}
	return Field[T]{&s.in, b}, nil
}

// MustField is FieldOf for package variables: it panics with its error.
func MustField[T Value](s *Schema, name string) Field[T] {
	f, err := FieldOf[T](s, name)
	if err != nil {
		panic(err)
	}
	return f
}

// Get is the field's value in a row of its schema; strings are copied. A row of
// another schema is an error, and so is a field that is not stored.
func (f Field[T]) Get(r Row) (T, error) {
	var v T
	switch {
	case f.s == nil || r.s == nil:
		return v, &Error{Offset: -1, Err: fault.ErrField}
	case f.s != r.s:
		return v, f.s.ErrAt(f.b.c.Name, -1, &fault.Detail{Text: "a row of schema " + r.s.Name, Reason: fault.ErrField})
	case f.b.c.Absent:
		return v, f.s.ErrAt(f.b.c.Name, -1, &fault.Detail{Text: "not stored", Reason: fault.ErrMissing})
	}
	var scratch [128]byte
	got, _, err := f.b.c.Decode(scratch[:0], r.form(f.b.c))
	if err != nil {
		return v, f.s.ErrAt(f.b.c.Name, -1, err)
	}
	if got.Null {
		return v, f.s.ErrAt(f.b.c.Name, -1, &fault.Detail{Text: "is null", Reason: fault.ErrMissing})
	}
	f.b.take(unsafe.Pointer(&v), got)
	return v, nil
}
