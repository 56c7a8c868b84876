package rowkey

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"
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

// bound is one Go variable tied to one field.
type bound struct {
	c      *component
	kind   goKind
	offset uintptr
	elem   reflect.Type // what a pointer points to, which is nil for a null
	size   int          // of an array
	unix   Unit         // of a time as a number; zero for a time.Time
}

// bind ties a Go type to a field, or says why it cannot hold it.
func bind(c *component, t reflect.Type, unit string) (bound, string) {
	b := bound{c: c}
	fits := false
	switch {
	case t == reflect.TypeFor[time.Time]():
		b.kind = goTime
		fits = c.kind == KindTime && unit == ""
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		b.kind = goBytes
		fits = c.isText()
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		b.kind, b.size = goArray, t.Len()
		fits = c.isText() && c.decimal == noDecimal && c.value.fixed() && c.value.min == t.Len()
	default:
		kind, ok := goKinds[t.Kind()]
		if !ok {
			break
		}
		b.kind = kind
		switch c.kind {
		case KindString, KindBinary:
			fits = kind == goString
		case KindBool:
			fits = kind == goBool
		case KindFloat:
			fits = kind == goFloat64 || kind == goFloat32 && c.size == 4
		case KindUint, KindInt:
			fits = holds(t, c)
		case KindTime:
			return b.bindUnix(t, unit)
		}
	}
	if unit != "" {
		return b, fmt.Sprintf("unit %q fits a time as a number only", unit)
	}
	if !fits {
		return b, fmt.Sprintf("%v cannot hold every value of %s", t, c.notation())
	}
	return b, ""
}

// bindNullable ties a struct's field, of which an Optional one is a pointer: nil
// is null. To Phoenix the empty text is null, so that a string or slice will do.
func bindNullable(c *component, t reflect.Type, unit string) (bound, string) {
	switch {
	case !c.optional:
		return bind(c, t, unit)
	case t.Kind() == reflect.Pointer:
		b, problem := bind(c, t.Elem(), unit)
		b.elem = t.Elem()
		return b, problem
	case !c.zeroText() || t.Kind() == reflect.Array:
		return bound{}, fmt.Sprintf("%v cannot hold a null: say *%v", t, t)
	}
	return bind(c, t, unit)
}

// holds reports that a Go integer type holds every number of the component.
func holds(t reflect.Type, c *component) bool {
	bits := 8 * int(t.Size())
	low, high := c.num.min, c.num.max // as biased numbers
	if c.kind == KindUint {
		if high > maxInt64 {
			return t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64 && bits == 64
		}
		low, high = low+signBit64, high+signBit64
	}
	switch {
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return low >= signBit64 && high-signBit64 <= mask(bits/8)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return low >= signBit64-mask(bits/8)>>1-1 && high <= signBit64+mask(bits/8)>>1
	}
	return false
}

// unixUnits are the units that a tag may say.
var unixUnits = []Unit{Seconds, Millis, Micros, Nanos}

// bindUnix ties a 64-bit integer of whole units since 1970 to a time.
func (b bound) bindUnix(t reflect.Type, unit string) (bound, string) {
	if b.kind != goInt64 && (b.kind != goUint64 || b.c.signed) {
		return b, fmt.Sprintf("%v cannot hold a time: use time.Time, or int64 with its unit in the tag", t)
	}
	i := slices.IndexFunc(unixUnits, func(u Unit) bool { return u.name == unit })
	if i < 0 {
		return b, fmt.Sprintf("a time as a number says its unit in the tag: %q, with s, ms, us or ns", b.c.name+",ms")
	}
	b.unix = unixUnits[i]
	if b.kind == goInt64 && b.unix == Millis {
		b.kind = goMilli
	}
	if u := b.c.unit; u.step%b.unix.step != 0 || u.nsec%int64(b.unix.step) != 0 {
		return b, fmt.Sprintf("%s in %q cannot hold every value of %s", t, unit, b.c.notation())
	}
	return b, ""
}

// put supplies the variable's value to a key.
func (b *bound) put(k KeyBuilder, p unsafe.Pointer) KeyBuilder {
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
		if b.unix.step != 0 {
			return b.putUnix(k, *(*uint64)(p))
		}
		return k.Uint(*(*uint64)(p))
	case goMilli:
		v := *(*int64)(p)
		if v < 0 && !b.c.signed { // of a unit that counts from before 1970: it would not come back
			return k.fail(b.unixRefused())
		}
		return k.UnixMilli(v)
	case goInt64:
		v := *(*int64)(p)
		switch {
		case b.unix.step == 0:
			return k.Int(v)
		case v < 0 && b.c.signed:
			if v < -maxInt64 || uint64(-v) > b.unix.last() {
				return k.fail(b.unixRefused())
			}
			return k.putTime(b.unix.mirror(b.unix.instant(uint64(-v))))
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

func (b *bound) putUnix(k KeyBuilder, n uint64) KeyBuilder {
	if n > b.unix.last() {
		return k.fail(b.unixRefused())
	}
	return k.putTime(b.unix.instant(n))
}

// unixRefused says which numbers stand for times.
func (b *bound) unixRefused() error {
	first, last := int64(0), int64(min(b.unix.last(), maxInt64))
	if b.c.signed {
		first = -last
	}
	return &detail{fmt.Sprintf("%d to %d %s since 1970", first, last, b.unix.name), ErrRange}
}

// takes reports that a time as a number since 1970 has one for the value: it is
// not before, nor too far behind.
func (b *bound) takes(v val) bool {
	if b.unix.step == 0 || v.null {
		return true
	}
	_, ok := b.count(v)
	return ok
}

// count is a time as the caller's number.
func (b *bound) count(v val) (uint64, bool) {
	caller := component{unit: b.unix, signed: b.c.signed}
	return caller.units(b.c.instant(v.num))
}

// take stores a decoded value in the variable, in memory of its own. Bind has
// seen to it that the variable can hold it.
func (b *bound) take(p unsafe.Pointer, v val) {
	if b.elem != nil {
		at := (*unsafe.Pointer)(p)
		if *at = nil; v.null {
			return
		}
		elem := reflect.New(b.elem).UnsafePointer()
		*at, p = elem, elem // of which p does not escape
	}
	switch b.kind {
	case goString:
		*(*string)(p) = string(b.c.plainText(v.text))
	case goBytes:
		// In memory of its own: the slice that stood there may have been handed out.
		*(*[]byte)(p) = append(make([]byte, 0, len(v.text)), b.c.plainText(v.text)...)
	case goArray:
		copy(unsafe.Slice((*byte)(p), b.size), v.text)
	case goFloat32:
		*(*float32)(p) = float32(math.Float64frombits(v.num))
	case goFloat64:
		*(*float64)(p) = math.Float64frombits(v.num)
	case goBool:
		*(*bool)(p) = v.num == 1
	case goTime:
		*(*time.Time)(p) = b.c.asTime(v.num)
	case goInt64, goUint64, goMilli:
		*(*uint64)(p) = v.num
		if b.unix.step != 0 {
			*(*uint64)(p), _ = b.count(v)
		}
	case goInt, goUint:
		*(*uint)(p) = uint(v.num)
	case goInt8, goUint8:
		*(*uint8)(p) = uint8(v.num)
	case goInt16, goUint16:
		*(*uint16)(p) = uint16(v.num)
	case goInt32, goUint32:
		*(*uint32)(p) = uint32(v.num)
	}
}

// Codec writes and reads keys of a struct whose fields carry `rowkey:"name"`
// tags. Unix numbers must say their unit: `rowkey:"at,ms"`. An Optional field is
// a pointer, nil for a null.
type Codec[T any] struct{ binding }

// binding is a Codec without its type.
type binding struct {
	s      *Schema
	fields []bound // as the schema's
	moves  []move  // where every field has one
	size   uintptr // of the struct
}

// move is a field on its way into a key where nothing but its bytes is needed:
// a marked text or 8 bytes of a number.
type move struct {
	text           bool
	mark           byte
	offset         uintptr
	min, span, xor uint64 // of its step
}

// moveOf is the move of a field, if it has one.
func moveOf(b *bound, st *step) (move, bool) {
	m := move{offset: b.offset, min: st.min, span: st.span, xor: st.xor, mark: st.sep}
	if st.fills != nil {
		return m, false
	}
	switch b.kind {
	case goString:
		m.text = true
		return m, st.op == opMarked
	case goUint64:
		return m, st.op == opUint && b.unix == Unit{}
	case goMilli:
		return m, st.op == opMillis
	}
	return m, false
}

// Bind checks T against the schema: every field bound once, every tag known,
// every type able to hold its field. Fields of embedded structs count as T's
// own; those without a tag are left alone.
func Bind[T any](s *Schema) (*Codec[T], error) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil, s.errAt("", -1, &detail{t.String() + " is no struct", ErrType})
	}
	fields := make([]bound, len(s.fields))
	if err := s.bindStruct(fields, t, 0); err != nil {
		return nil, err
	}
	for i, c := range s.fields {
		if fields[i].c == nil {
			return nil, s.errAt(c.name, -1, &detail{"no field of " + t.String() + " has its tag", ErrMissing})
		}
	}
	b := binding{s: s, fields: fields, size: t.Size()}
	if s.steps[len(fields)].done > 0 && len(s.derived) == 0 && len(s.head) == 0 {
		for i := range fields {
			m, ok := moveOf(&fields[i], &s.steps[i])
			if !ok {
				b.moves = nil
				break
			}
			b.moves = append(b.moves, m)
		}
	}
	return &Codec[T]{b}, nil
}

func (s *Schema) bindStruct(fields []bound, t reflect.Type, offset uintptr) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("rowkey")
		if !ok || tag == "-" {
			if !ok && f.Anonymous && f.Type.Kind() == reflect.Struct {
				if err := s.bindStruct(fields, f.Type, offset+f.Offset); err != nil {
					return err
				}
			}
			continue
		}
		name, unit, _ := strings.Cut(tag, ",")
		c := s.byName[name]
		switch {
		case c == nil:
			return s.errAt(name, -1, &detail{"tag of " + t.String() + "." + f.Name, ErrField})
		case c.role != roleField:
			return s.errAt(name, -1, &detail{"is computed, not supplied", ErrField})
		case fields[c.ord].c != nil:
			return s.errAt(name, -1, &detail{"the tag stands twice", ErrExtra})
		}
		b, problem := bindNullable(c, f.Type, unit)
		if problem != "" {
			return s.errAt(name, -1, &detail{t.String() + "." + f.Name + ": " + problem, ErrType})
		}
		b.offset = offset + f.Offset
		fields[c.ord] = b
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
// is an error.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	dst, _, err := c.append(dst, nil, unsafe.Pointer(v), 1)
	return dst, err
}

// misused says that a codec is none of Bind's, or that there is no row: with an
// offset added, a nil pointer to a large struct may point to memory that is there.
func (b *binding) misused() error {
	if b.s == nil {
		return &Error{Offset: -1, Err: &detail{"a Codec that Bind did not make", ErrMissing}}
	}
	return b.s.errAt("", -1, &detail{"a nil pointer to a row", ErrMissing})
}

// AppendAll appends one key after another to arena, and to ends where each
// ends in it. On error both come back as they were, and the error says which
// of vs it is about.
func (c *Codec[T]) AppendAll(arena []byte, ends []int, vs []T) ([]byte, []int, error) {
	keys, marks, err := c.append(arena, slices.Grow(ends, len(vs)), unsafe.Pointer(unsafe.SliceData(vs)), len(vs))
	if err != nil {
		e := *err.(*Error)
		e.Err = &detail{fmt.Sprintf("row %d", len(marks)-len(ends)), e.Err}
		return arena, ends, &e
	}
	return keys, marks, nil
}

// append appends the keys of n structs, the first at p, to dst, and where each ends to
// ends if there is room. A key of moves alone is written in one loop without a
// call, whose variables stay in registers; what that cannot, it leaves to a
// KeyBuilder.
func (b *binding) append(dst []byte, ends []int, p unsafe.Pointer, n int) ([]byte, []int, error) {
	if n > 0 && (p == nil || b.s == nil) {
		return dst, ends, b.misused()
	}
	for ; n > 0; n-- {
		at := len(dst)
		i := 0
		for ; i < len(b.moves) && cap(dst)-len(dst) > 16; i++ {
			m := &b.moves[i]
			end := len(dst)
			if m.text {
				v := *(*string)(unsafe.Add(p, m.offset))
				if len(v) < 8 || len(v) > 16 {
					break
				}
				out := dst[end : end+17]
				if !copyMarked(out, unsafe.Slice(unsafe.StringData(v), len(v)), m.mark) {
					break
				}
				out[len(v)] = m.mark
				dst = dst[:end+len(v)+1]
				continue
			}
			v := *(*uint64)(unsafe.Add(p, m.offset))
			if v-m.min > m.span {
				break
			}
			dst = dst[:end+8]
			binary.BigEndian.PutUint64(dst[end:], v^m.xor)
		}
		if i < len(b.fields) || len(dst)-at > b.s.maxLen {
			var err error
			if dst, err = b.build(dst, at, i, p); err != nil {
				return dst, ends, err
			}
		}
		if len(ends) < cap(ends) {
			ends = append(ends, len(dst))
		}
		if n > 1 {
			p = unsafe.Add(p, b.size)
		}
	}
	return dst, ends, nil
}

// build appends the key of the struct at p, whose first i fields lie behind
// dst[:at] already. On error dst ends there.
func (b *binding) build(dst []byte, at, i int, p unsafe.Pointer) ([]byte, error) {
	s := b.s
	dst = slices.Grow(dst, s.hint)
	k := KeyBuilder{dst[at:], &s.steps[i]}
	if i == 0 {
		k = s.Key(dst[:at])
	}
	for ; i < len(b.fields); i++ {
		k = b.fields[i].put(k, unsafe.Add(p, b.fields[i].offset))
	}
	key, err := k.Bytes()
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
func (c *Codec[T]) Decode(key []byte, v *T) error {
	if v == nil || c.s == nil {
		return c.misused()
	}
	s := c.s
	var few [fewSpans]uint16
	at := s.spans(few[:])
	if err := s.split(key, at, true); err != nil {
		return err
	}
	given, err := s.values(key, at)
	if err != nil {
		return err
	}
	if err := s.verify(key, at, given.row()); err != nil {
		return err
	}
	vs := given.row().vals
	for i := range c.fields {
		if b := &c.fields[i]; vs[i].ok && !b.takes(vs[i]) {
			return s.errAt(b.c.name, int(at[b.c.index]), &detail{"no whole " + b.unix.name + " since 1970 of 64 bits", ErrRange})
		}
	}
	p := unsafe.Pointer(v)
	for i := range c.fields {
		if b := &c.fields[i]; vs[i].ok {
			b.take(unsafe.Add(p, b.offset), vs[i])
		}
	}
	return nil
}

// Field is a typed handle on one field of one schema.
type Field[T Value] struct {
	s *Schema
	b bound
}

// FieldOf finds a field that T can hold.
func FieldOf[T Value](s *Schema, name string) (Field[T], error) {
	c := s.byName[name]
	if c == nil || c.role != roleField {
		return Field[T]{}, s.errAt(name, -1, ErrField)
	}
	b, problem := bind(c, reflect.TypeFor[T](), "")
	if problem != "" {
		return Field[T]{}, s.errAt(name, -1, &detail{problem, ErrType})
	}
	return Field[T]{s, b}, nil
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
		return v, &Error{Offset: -1, Err: ErrField}
	case f.s != r.s:
		return v, f.s.errAt(f.b.c.name, -1, &detail{"a row of schema " + r.s.name, ErrField})
	case f.b.c.absent:
		return v, f.s.errAt(f.b.c.name, -1, &detail{"not stored", ErrMissing})
	}
	var scratch [128]byte
	got, _, err := f.b.c.decode(scratch[:0], r.form(f.b.c))
	if err != nil {
		return v, f.s.errAt(f.b.c.name, -1, err)
	}
	if got.null {
		return v, f.s.errAt(f.b.c.name, -1, &detail{"is null", ErrMissing})
	}
	f.b.take(unsafe.Pointer(&v), got)
	return v, nil
}

// operandOf is a Go value as a condition has it.
func operandOf[T Value](v T) operand {
	switch v := any(v).(type) {
	case string:
		return operand{kind: isText, text: v}
	case []byte:
		return operand{kind: isText, text: string(v)}
	case time.Time:
		return timeOperand(v)
	case bool:
		return boolOperand(v)
	case int:
		return operand{kind: isInt, num: uint64(v)}
	case int64:
		return operand{kind: isInt, num: uint64(v)}
	case uint64:
		return operand{kind: isUint, num: v}
	}
	r := reflect.ValueOf(v)
	switch kind := r.Kind(); {
	case kind == reflect.String:
		return operand{kind: isText, text: r.String()}
	case kind == reflect.Slice:
		return operand{kind: isText, text: string(r.Bytes())}
	case kind == reflect.Bool:
		return boolOperand(r.Bool())
	case r.CanInt():
		return operand{kind: isInt, num: uint64(r.Int())}
	case r.CanUint():
		return operand{kind: isUint, num: r.Uint()}
	}
	return operand{kind: isFloat, num: math.Float64bits(r.Float())}
}

func boolOperand(v bool) operand {
	if v {
		return operand{kind: isBool, num: 1}
	}
	return operand{kind: isBool}
}
