package rowkey

import (
	"math"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/write"
)

// KeyBuilder is a key being written: four words, passed by value, used once
// (as append is): a copy of it goes on in the same buffer. The zero value only
// errs.
type KeyBuilder struct{ in write.Key }

// Field asserts that the next field has this name: for neighbours of one type,
// which the compiler cannot tell apart.
func (k KeyBuilder) Field(name string) KeyBuilder { return KeyBuilder{k.in.Field(name)} }

// Null leaves an Optional field out. One that is not followed by a value need
// not be supplied for Bytes; Range leaves open what is not supplied.
func (k KeyBuilder) Null() KeyBuilder { return KeyBuilder{k.in.Null()} }

// String supplies a String or Binary field: its bytes, and what ends them. A text
// that holds its separator, or ends in its padding, is an error that wraps
// ErrTerminator; "s-42" before Separator("_") writes 732d3432 5f.
func (k KeyBuilder) String(v string) KeyBuilder { return KeyBuilder{k.in.String(v)} }

// Binary supplies a Binary or String field.
func (k KeyBuilder) Binary(v []byte) KeyBuilder { return KeyBuilder{k.in.Binary(v)} }

// Uint supplies a Uint or Int field of any size; what does not fit is an
// error, never cut.
func (k KeyBuilder) Uint(v uint64) KeyBuilder { return KeyBuilder{k.in.Uint(v)} }

// Int supplies an Int or Uint field of any size; what does not fit is an
// error, never cut.
func (k KeyBuilder) Int(v int64) KeyBuilder { return KeyBuilder{k.in.Int(v)} }

// Float supplies a Float field. One of 4 bytes takes what a float32 holds.
func (k KeyBuilder) Float(v float64) KeyBuilder { return KeyBuilder{k.in.Float(v)} }

// Bool supplies a Bool field.
func (k KeyBuilder) Bool(v bool) KeyBuilder { return KeyBuilder{k.in.Bool(v)} }

// Time supplies a Time field, rounded down to its unit; plain integers are
// refused there, so seconds cannot pass as milliseconds.
func (k KeyBuilder) Time(v time.Time) KeyBuilder { return KeyBuilder{k.in.Time(v)} }

// UnixMilli supplies a Time field as milliseconds since 1970: the hot path's
// word, with its unit said.
func (k KeyBuilder) UnixMilli(ms int64) KeyBuilder { return KeyBuilder{k.in.UnixMilli(ms)} }

// Bytes is the finished key; a missing field is an error. On error it returns
// the empty buffer it began with.
func (k KeyBuilder) Bytes() (key []byte, err error) {
	if key = k.in.Buf; key == nil || len(key) >= k.in.St.Done { // of the zero KeyBuilder it is nil
		key, err = k.finish()
	}
	return
}

// finish is Bytes where something is left to do, or is wrong. Were it inlined, Bytes
// would be too large to be.
//
//go:noinline
func (k KeyBuilder) finish() ([]byte, error) { return k.in.Finish() }

// Prefix supplies the beginning of a text field; only Range and AppendRanges
// can follow. It is not empty: leave it out to read every value. One that ends
// as its field's padding or as the beginning of its separator is refused, since
// shorter values are stored alike. Behind a Transform the Traits must say Prefixes.
func (k KeyBuilder) Prefix(p string) KeyBuilder { return KeyBuilder{k.in.Prefix(p)} }

// Key starts a key in memory of its own. Use it where the key is kept by others: an
// HBase client may still send it after a call has timed out.
func (s *Schema) Key() KeyBuilder { return KeyBuilder{write.New(&s.in, nil)} }

// KeyIn starts a key in buf's spare capacity, or in new memory if that is short;
// buf's contents are not touched, and the result is the key alone: with "ab" in buf
// it is 0c…, not 6162 0c…. What lies behind the key, within buf's capacity, may be
// written, too: if it is another's, say where buf ends, as b[0:0:64].
func (s *Schema) KeyIn(buf []byte) KeyBuilder { return KeyBuilder{write.In(&s.in, buf)} }

// Gathered values lie one after another: 8 bytes of a number, or 4 bytes of a
// text's length and the text; of an Optional field a byte in front, 0 if that is
// all, since it is null.

// AppendKey appends the key of these values, in schema order, to dst; for
// tables and tools. On error dst comes back as it was. As by KeyIn, what lies
// behind the key, within dst's capacity, may be written.
func (s *Schema) AppendKey(dst []byte, values ...any) ([]byte, error) {
	return write.Append(&s.in, dst, values)
}

// Rekey appends the key that a row of from has under s, field by field by
// name: index tables, new bucket counts. A field that from lacks is an error, a
// surplus one is dropped.
func (s *Schema) Rekey(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, from.Decode)
}

// RekeyLoose is Rekey of a key whose salts, hashes and copies need not be those of
// its fields (see DecodeLoose): a row that another number of buckets was written
// with comes to the bucket of this schema.
//
//	key 0c 732d3432, bucket 12 of 16, under [salt64(seller)][seller] from itself:
//	    3c 732d3432, bucket 60 of 64
func (s *Schema) RekeyLoose(dst, key []byte, from *Schema) ([]byte, error) {
	return s.rekey(dst, key, from, from.DecodeLoose)
}

// rekey is Rekey by a way to decode.
func (s *Schema) rekey(dst, key []byte, from *Schema, decode func([]byte) (Row, error)) ([]byte, error) {
	d, err := decode(key)
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
	return s.in.AppendRow(dst, layout.Row{Vals: vals})
}

// rekeyed is the value that field c of another schema has in the row.
func (r Row) rekeyed(c *layout.Component) (layout.Val, error) {
	o := r.s.ByName[c.Name]
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
	integer := func(k layout.Kind) bool { return k == layout.KindUint || k == layout.KindInt }
	switch {
	case o.Kind == layout.KindFloat && c.Kind == layout.KindFloat:
		v.Num = c.Zero(v.Num)
	case o.Decimal != c.Decimal && o.IsText() && c.IsText():
		text := o.AppendPlain(nil, v.Text)
		if v.Text = text; c.Decimal != forms.NoDecimal {
			v.Text, err = layout.AppendDecimal(c.Decimal, nil, text)
		}
		return v, err
	case o.IsText() && c.IsText():
		v.Null = len(v.Text) == 0 && c.ZeroText()
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
