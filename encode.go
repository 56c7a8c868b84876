package rowkey

import (
	"bytes"
	"math"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// KeyBuilder is a key that is being written: four words, passed by value. Continue each
// KeyBuilder once. If it began with Key, a second value for the same key so far is an error
// that wraps ErrShared; if it began with KeyIn, the keys share the caller's buffer. The zero
// value gives only errors.
type KeyBuilder struct{ in write.Key }

// Field checks that the next field has this name; another name is an error. It is for two
// fields of one type in a row, which a caller can confuse.
func (k KeyBuilder) Field(name string) KeyBuilder { return KeyBuilder{k.in.Field(name)} }

// Null supplies a null to an Optional field. Bytes needs no Null for Optional fields at the
// end of the key: those not supplied are null. For Range, a field that is not supplied may
// have any value.
func (k KeyBuilder) Null() KeyBuilder { return KeyBuilder{k.in.Null()} }

// String supplies a String or Binary field: it writes the bytes and their end. "s-42" before
// Separator("_") writes 732d3432 5f. A text that holds its separator, or that ends with its
// padding, is an error that wraps ErrTerminator.
func (k KeyBuilder) String(v string) KeyBuilder { return KeyBuilder{k.in.String(v)} }

// Binary supplies a Binary or String field.
func (k KeyBuilder) Binary(v []byte) KeyBuilder { return KeyBuilder{k.in.Binary(v)} }

// Uint supplies a Uint or Int field of any size. A number that does not fit is an error; it
// is never cut.
func (k KeyBuilder) Uint(v uint64) KeyBuilder { return KeyBuilder{k.in.Uint(v)} }

// Int supplies an Int or Uint field of any size. A number that does not fit is an error; it
// is never cut.
func (k KeyBuilder) Int(v int64) KeyBuilder { return KeyBuilder{k.in.Int(v)} }

// Float supplies a Float field. A field of 4 bytes takes only numbers that a float32 holds.
func (k KeyBuilder) Float(v float64) KeyBuilder { return KeyBuilder{k.in.Float(v)} }

// Bool supplies a Bool field.
func (k KeyBuilder) Bool(v bool) KeyBuilder { return KeyBuilder{k.in.Bool(v)} }

// Time supplies a Time field, rounded down to its unit. Uint and Int refuse a Time field, so
// that seconds are never taken for milliseconds.
func (k KeyBuilder) Time(v time.Time) KeyBuilder { return KeyBuilder{k.in.Time(v)} }

// UnixMilli supplies a Time field as milliseconds since 1970, rounded down to the field's
// unit: 1684203630002 is 2023-05-16 02:20:30.002 UTC.
func (k KeyBuilder) UnixMilli(ms int64) KeyBuilder { return KeyBuilder{k.in.UnixMilli(ms)} }

// Bytes is the finished key; a missing field is an error. On error it returns the empty
// buffer with which the key began, or nil if it began with Key.
func (k KeyBuilder) Bytes() (key []byte, err error) {
	if key = k.in.Buf; key == nil || len(key) >= k.in.St.Done { // of the zero KeyBuilder it is nil
		key, err = k.finish()
	}
	return
}

// finish is Bytes for a key that needs more work, or has an error. It must not be inlined:
// Bytes would then be too large for inlining.
//
//go:noinline
func (k KeyBuilder) finish() ([]byte, error) { return k.in.Finish() }

// Prefix supplies the beginning of a text field; only Range and AppendRanges can follow. An
// empty prefix is refused: leave Prefix out to read every value. A prefix that ends with the
// field's padding, or with the first bytes of its separator, is refused too, since the same
// bytes can end a shorter value. After a Transform, its Traits must have Prefixes.
func (k KeyBuilder) Prefix(p string) KeyBuilder { return KeyBuilder{k.in.Prefix(p)} }

// Key starts a key in memory of its own. Use it where the key is kept by others: an
// HBase client may still send it after a call has timed out.
func (s *Schema) Key() KeyBuilder { return KeyBuilder{write.Own(&s.in)} }

// KeyIn starts a key in the memory of buf, which all keys that it began there share: the next
// one overwrites the last one. Of a key so far that is continued twice only the last result
// counts: it is right, or an error that wraps ErrShared.
//
//	for i := range rows {
//		buf, err = s.KeyIn(buf).String(rows[i].Seller).Bytes() // no allocation
//		… // use buf here: the next turn overwrites it
//	}
//
// The key begins at the first byte of buf, whatever stood there. All of buf up to its
// capacity may be overwritten: limit it if bytes belong to others, as in b[:0:64]. If buf is
// too small, the key goes on in new memory. A text that lies in buf is an error that wraps
// ErrShared; where buf is too small and an array on the stack, this may not be seen.
func (s *Schema) KeyIn(buf []byte) KeyBuilder { return KeyBuilder{write.In(&s.in, buf[:0])} }

// AppendKey appends the key of these values, in the order of the schema's fields, to dst. It is
// for tables and tools. On error dst comes back as it was. As with KeyIn, bytes after the
// key, up to dst's capacity, may be written.
func (s *Schema) AppendKey(dst []byte, values ...any) ([]byte, error) {
	return write.Append(&s.in, dst, values)
}

// Rekey appends the key of the same row in schema s: key is its key in schema from. Fields are
// matched by name. It is for index tables and for new numbers of buckets. A field that only s
// has is an error; a field that only from has is left out.
//
// A value that s would read back as another one is refused, since two rows would have one key:
// an empty text where s reads a null (ErrLength), −0 where s has one zero (ErrRange), a text with
// its padding at the end (ErrTerminator), "1.0" where s has a number, which is "1" (ErrRange).
// Only a time is rounded down to the unit of s, as by KeyBuilder.Time. key may lie in the memory
// of dst.
func (s *Schema) Rekey(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, true)
}

// RekeyLoose is Rekey for a key whose salts, hashes and copies do not fit its fields (see
// DecodeLoose), for example because it was written with another number of buckets. The new
// key has those of schema s.
//
//	key 0c 732d3432, bucket 12 of 16, under [salt64(seller)][seller] from itself:
//	    3c 732d3432, bucket 60 of 64
func (s *Schema) RekeyLoose(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, false)
}

// rekey is Rekey or, if derived is false, RekeyLoose.
func (s *Schema) rekey(dst, key []byte, from *Schema, derived bool) ([]byte, error) {
	if out, ok := s.walk().Rekey(dst, key, from.walk(), derived); ok {
		return out, nil
	}
	if mem.Within(mem.Text(key), dst[len(dst):]) {
		key = bytes.Clone(key) // its values are read while the other key is written there
	}
	d, err := from.decode(key, derived)
	if err != nil {
		return dst, err
	}
	var few [layout.FewFields]layout.Val
	vals := few[:0]
	for _, c := range s.in.Fields {
		v, err := d.rekeyed(c)
		if err != nil {
			return dst, s.in.ErrAt(c.Name, -1, err)
		}
		vals = append(vals, v)
	}
	out, err := s.in.AppendRow(dst, layout.Row{Vals: vals})
	if err != nil { // of several faults AppendRow tells the one that stands first in the key
		if told := write.Refused(&s.in, vals); told != nil {
			err = told
		}
	}
	return out, err
}

// rekeyed is the value that field c of another schema has in the row.
func (r Row) rekeyed(c *layout.Component) (layout.Val, error) {
	o := r.s.Named(c.Name)
	if o == nil || o.Absent || o.Role != layout.RoleField {
		return layout.Val{}, fault.ErrMissing
	}
	v, _, err := o.Decode(nil, r.form(o))
	if err != nil || v.Null && c.Optional {
		return v, err
	}
	if v.Null {
		return v, &fault.Detail{Text: "is null", Reason: fault.ErrMissing}
	}
	return converted(c, o, v)
}

// converted is the value of field o as a value of field c of another schema: a time in another
// unit, a decimal number in another dialect, an integer of another kind. One flat switch over
// the pairs of kinds.
func converted(c, o *layout.Component, v layout.Val) (_ layout.Val, err error) {
	integer := func(k layout.Kind) bool { return k == layout.KindUint || k == layout.KindInt }
	switch {
	case o.Kind == layout.KindFloat && c.Kind == layout.KindFloat:
		if c.Zero(v.Num) != v.Num {
			return v, errOneZero
		}
	case o.Decimal != c.Decimal && o.IsText() && c.IsText():
		text := o.PlainText(nil, v.Text)
		if v.Text = text; c.Decimal != forms.NoDecimal {
			v.Text, err = layout.AppendDecimal(c.Decimal, nil, text)
			if err == nil && string(c.PlainText(nil, v.Text)) != string(text) {
				err = errOtherDigits
			}
		}
		return v, err
	case o.IsText() && c.IsText():
		if len(v.Text) == 0 && c.ZeroText() {
			return v, errEmptyNull
		}
	case o.Kind == c.Kind && o.Kind != layout.KindTime:
	case integer(o.Kind) && integer(c.Kind):
		if v.Num > math.MaxInt64 { // negative, or too large to be signed
			return v, c.LimitsRefused()
		}
	case o.Kind == layout.KindTime && c.Kind == layout.KindTime:
		n, ok := c.TimeNum(o.Instant(v.Num))
		if !ok {
			return v, c.TimeRefused(o.Instant(v.Num))
		}
		v.Num = n
	default:
		return v, fault.ErrType
	}
	return v, nil
}
