package bind

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// goKind is a Go type that a codec can read and write.
type goKind uint8

const (
	goString goKind = iota
	goBytes
	goArray // of bytes
	goInt8
	goInt16
	goInt32
	goInt64
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

// goInt and goUint are the types of their size.
const (
	goInt  = goInt32 + goKind(bits.UintSize/64)
	goUint = goUint32 + goKind(bits.UintSize/64)
)

var goKinds = map[reflect.Kind]goKind{
	reflect.String: goString, reflect.Bool: goBool, reflect.Float32: goFloat32, reflect.Float64: goFloat64,
	reflect.Int: goInt, reflect.Int8: goInt8, reflect.Int16: goInt16, reflect.Int32: goInt32, reflect.Int64: goInt64,
	reflect.Uint: goUint, reflect.Uint8: goUint8, reflect.Uint16: goUint16, reflect.Uint32: goUint32, reflect.Uint64: goUint64,
}

// Field ties one Go variable to one field of a schema.
type Field struct {
	C      *layout.Component
	kind   goKind
	offset uintptr      // the place in the struct
	elem   reflect.Type // the type that a pointer points to; a nil pointer is a null. nil: no pointer
	size   int          // the length of an array
	unix   clock.Unit   // the unit of a time that is an integer in Go; zero for a time.Time
	direct bool         // that integer is the field's own value, without conversion
	early  bool         // the first times since 1970 are rounded down to one before it
}

// Type ties a Go type to a field, or says why it cannot hold it.
func Type(c *layout.Component, t reflect.Type, unit string) (Field, string) {
	b := Field{C: c}
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

// bindNullable ties a field of a struct. An Optional field needs a pointer, whose nil is a
// null. A text of Phoenix may also be a string or a slice, since to Phoenix the empty text
// is a null.
func bindNullable(c *layout.Component, t reflect.Type, unit string) (Field, string) {
	switch {
	case !c.Optional:
		return Type(c, t, unit)
	case t.Kind() == reflect.Pointer:
		b, problem := Type(c, t.Elem(), unit)
		b.elem = t.Elem()
		return b, problem
	case !c.ZeroText() || t.Kind() == reflect.Array:
		return Field{}, fmt.Sprintf("%v cannot hold a null: say *%v", t, t)
	}
	return Type(c, t, unit)
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

// unixUnits are the units that a tag may name.
var unixUnits = []clock.Unit{clock.Seconds, clock.Millis, clock.Micros, clock.Nanos}

// bindUnix ties a 64-bit integer of whole units since 1970 to a time.
func (b Field) bindUnix(t reflect.Type, name string) (Field, string) {
	if t.Kind() != reflect.Int64 && (t.Kind() != reflect.Uint64 || b.C.Signed) {
		return b, fmt.Sprintf("%v cannot hold a time: use time.Time, or int64 with its unit in the tag", t)
	}
	i := slices.IndexFunc(unixUnits, func(u clock.Unit) bool { return u.Name == name })
	if i < 0 {
		return b, fmt.Sprintf("a time as a number says its unit in the tag: %q, with s, ms, us or ns", b.C.Name+",ms")
	}
	b.unix = unixUnits[i]
	if b.kind == goInt64 && b.unix == clock.Millis {
		b.kind = goMilli
	}
	if u := &b.C.Unit; u.Step%b.unix.Step != 0 || u.Nsec%int64(b.unix.Step) != 0 {
		return b, fmt.Sprintf("%s in %q cannot hold every value of %s", t, name, b.C.Notation())
	}
	b.direct = b.C.Unit == b.unix && !b.C.Signed
	b.early = b.C.Unit.Own == nil && b.tooEarly(0)
	return b, ""
}

// value is the place of the value of the variable at p; nil: it is a null.
func (b *Field) value(p unsafe.Pointer) unsafe.Pointer {
	if b.elem != nil {
		p = *(*unsafe.Pointer)(p)
	}
	return p
}

// put gives the value of the variable at p to a key.
func (b *Field) put(k write.Key, p unsafe.Pointer) write.Key {
	if p = b.value(p); p == nil {
		return k.Null()
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
	}
	u := loadNumber(loadOf[b.kind], p)
	switch {
	case b.unix.Step != 0:
		return b.putUnix(k, u)
	case b.kind >= goUint8:
		return k.Uint(u)
	}
	return k.Int(int64(u))
}

// putUnix gives a time to a key: u units since 1970, or before it in an int64 below zero.
func (b *Field) putUnix(k write.Key, u uint64) write.Key {
	before := b.kind != goUint64 && int64(u) < 0
	switch {
	case before && !b.C.Signed: // of a unit that counts from before 1970: it would not come back
		return k.Fail(b.unixRefused())
	case b.early && b.tooEarly(u):
		return k.Fail(&fault.Detail{Text: "rounded down to the field's unit it lies before 1970, and would not come back", Reason: fault.ErrRange})
	case b.kind == goMilli:
		return k.UnixMilli(int64(u))
	case before && int64(u) < b.unixLeast(), !before && u > b.unix.Last():
		return k.Fail(b.unixRefused())
	case before:
		return k.PutTime(b.unix.Mirror(b.unix.Instant(-u)))
	}
	return k.PutTime(b.unix.Instant(u))
}

// tooEarly reports that u units since 1970 are rounded down to a time before it, though the field has no sign:
// its unit counts from before 1970, as days of +08:00 do.
func (b *Field) tooEarly(u uint64) bool {
	n, ok := b.C.TimeNum(b.unix.Instant(u))
	return ok && !b.C.Signed && !b.takes(layout.Val{Num: n})
}

// unixLast is the largest integer that stands for a time of the field.
func (b *Field) unixLast() int64 { return int64(min(b.unix.Last(), layout.MaxInt64)) }

// unixLeast is the smallest such integer. An integer before 1970 is rounded down to the key's
// unit, and the result must fit an int64 too. So of nanoseconds in a key of milliseconds it
// is -9223372036854000000, not -9223372036854775807.
func (b *Field) unixLeast() int64 {
	if !b.C.Signed {
		return 0
	}
	last := b.unixLast()
	return last%(int64(b.C.Unit.Step/b.unix.Step)*int64(max(b.C.Num.Trunc, 1))) - last
}

// unixRefused is the error of an integer that stands for no time: it gives the limits.
func (b *Field) unixRefused() error {
	first, last := b.unixLeast(), b.unixLast()
	return &fault.Detail{Text: fmt.Sprintf("%d to %d %s since 1970", first, last, b.unix.Name), Reason: fault.ErrRange}
}

// takes reports that the Go variable can hold a time: an integer since 1970 cannot hold one
// that is too early or too late.
func (b *Field) takes(v layout.Val) bool {
	if b.unix.Step == 0 || v.Null {
		return true
	}
	_, ok := b.count(v)
	return ok
}

// count is a time as the integer of the Go variable.
func (b *Field) count(v layout.Val) (uint64, bool) {
	if b.direct {
		return v.Num, true
	}
	sec, nsec := b.C.Instant(v.Num)
	return layout.Units(&b.unix, b.C.Signed, sec, nsec)
}

// Take stores a decoded value in the variable at p, in memory of its own. Bind has checked
// that the variable can hold it.
func (b *Field) Take(p unsafe.Pointer, v layout.Val) {
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
		*(*string)(p) = string(b.C.PlainText(room[:0], v.Text))
	case goBytes:
		// In memory of its own: the slice that stood there may have been handed out.
		*(*[]byte)(p) = append(make([]byte, 0, len(v.Text)), b.C.PlainText(nil, v.Text)...)
	case goArray:
		copy(unsafe.Slice((*byte)(p), b.size), v.Text)
	case goFloat32:
		*(*float32)(p) = float32(math.Float64frombits(v.Num))
	case goFloat64:
		*(*float64)(p) = math.Float64frombits(v.Num)
	case goBool:
		*(*bool)(p) = v.Num == 1
	case goTime:
		*(*time.Time)(p) = b.C.AsTime(v.Num)
	case goInt64, goUint64, goMilli:
		*(*uint64)(p) = v.Num
		if b.unix.Step != 0 {
			*(*uint64)(p), _ = b.count(v)
		}
	case goInt8, goUint8:
		*(*uint8)(p) = uint8(v.Num)
	case goInt16, goUint16:
		*(*uint16)(p) = uint16(v.Num)
	case goInt32, goUint32:
		*(*uint32)(p) = uint32(v.Num)
	}
}
