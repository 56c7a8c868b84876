package laws

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/bind"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// The struct codec is one more way to write and to read. Its struct is found at
// compile time, so there is one for every sequence of up to three kinds.

type (
	lawStruct1[A any] struct {
		A A `rowkey:"a"`
	}
	lawStruct2[A, B any] struct {
		A A `rowkey:"a"`
		B B `rowkey:"b"`
	}
	lawStruct3[A, B, C any] struct {
		A A `rowkey:"a"`
		B B `rowkey:"b"`
		C C `rowkey:"c-c"`
	}
)

// A lawCodec is a Codec of some struct, as functions of rows.
type lawCodec struct {
	append    func(dst []byte, row refRow) ([]byte, error)
	appendAll func(rows []refRow) ([]byte, []int, error)
	decode    func(key []byte) (refRow, error)
}

// lawBind binds the struct whose fields have the kinds of the schema's.
func lawBind(s *refSchema, built *rowkey.Schema) (*lawCodec, error) {
	switch lawPointer(s.supplied()[0]) {
	case "*String":
		return lawBind1[*string](s, built)
	case "*Uint":
		return lawBind1[*uint64](s, built)
	case "*Int":
		return lawBind1[*int64](s, built)
	}
	switch s.supplied()[0].word {
	case "String", "Binary":
		return lawBind1[string](s, built)
	case "Uint":
		return lawBind1[uint64](s, built)
	case "Int":
		return lawBind1[int64](s, built)
	case "Float":
		return lawBind1[float64](s, built)
	case "Bool":
		return lawBind1[bool](s, built)
	}
	return lawBind1[time.Time](s, built)
}

func lawBind1[A any](s *refSchema, built *rowkey.Schema) (*lawCodec, error) {
	if len(s.supplied()) == 1 {
		return lawCodecOf(built,
			func(t *lawStruct1[A], row refRow) { t.A = row[0].(A) },
			func(t *lawStruct1[A]) refRow { return refRow{t.A} })
	}
	switch lawPointer(s.supplied()[1]) {
	case "*String":
		return lawBind2[A, *string](s, built)
	case "*Uint":
		return lawBind2[A, *uint64](s, built)
	case "*Int":
		return lawBind2[A, *int64](s, built)
	}
	switch s.supplied()[1].word {
	case "String", "Binary":
		return lawBind2[A, string](s, built)
	case "Uint":
		return lawBind2[A, uint64](s, built)
	case "Int":
		return lawBind2[A, int64](s, built)
	case "Float":
		return lawBind2[A, float64](s, built)
	case "Bool":
		return lawBind2[A, bool](s, built)
	}
	return lawBind2[A, time.Time](s, built)
}

func lawBind2[A, B any](s *refSchema, built *rowkey.Schema) (*lawCodec, error) {
	if len(s.supplied()) == 2 {
		return lawCodecOf(built,
			func(t *lawStruct2[A, B], row refRow) { t.A, t.B = row[0].(A), row[1].(B) },
			func(t *lawStruct2[A, B]) refRow { return refRow{t.A, t.B} })
	}
	switch lawPointer(s.supplied()[2]) {
	case "*String":
		return lawBind3[A, B, *string](built)
	case "*Uint":
		return lawBind3[A, B, *uint64](built)
	case "*Int":
		return lawBind3[A, B, *int64](built)
	}
	switch s.supplied()[2].word {
	case "String", "Binary":
		return lawBind3[A, B, string](built)
	case "Uint":
		return lawBind3[A, B, uint64](built)
	case "Int":
		return lawBind3[A, B, int64](built)
	case "Float":
		return lawBind3[A, B, float64](built)
	case "Bool":
		return lawBind3[A, B, bool](built)
	}
	return lawBind3[A, B, time.Time](built)
}

func lawBind3[A, B, C any](built *rowkey.Schema) (*lawCodec, error) {
	return lawCodecOf(built,
		func(t *lawStruct3[A, B, C], row refRow) { t.A, t.B, t.C = row[0].(A), row[1].(B), row[2].(C) },
		func(t *lawStruct3[A, B, C]) refRow { return refRow{t.A, t.B, t.C} })
}

func lawCodecOf[T any](built *rowkey.Schema, set func(*T, refRow), get func(*T) refRow) (*lawCodec, error) {
	codec, err := rowkey.Bind[T](built)
	return &lawCodec{
		append: func(dst []byte, row refRow) ([]byte, error) {
			var t T
			set(&t, row)
			return codec.Append(dst, &t)
		},
		appendAll: func(rows []refRow) ([]byte, []int, error) {
			all := make([]T, len(rows))
			for i, row := range rows {
				set(&all[i], row)
			}
			return codec.AppendAll([]byte("arena"), []int{5}, all)
		},
		decode: func(key []byte) (refRow, error) {
			var t T
			err := codec.Decode(key, &t)
			return get(&t), err
		},
	}, err
}

// lawFits reports that a struct can hold the row: that its values have the Go
// types of their fields.
func lawFits(s *refSchema, row refRow) bool {
	for i, f := range s.supplied() {
		switch row[i].(type) {
		case uint64:
			if f.word == "Int" {
				return false
			}
		case int64:
			if f.word == "Uint" {
				return false
			}
		}
	}
	return true
}

// codec writes and reads rows, one by one and all at once, by the struct codec.
func (c *lawCase) codec(rows []refRow) {
	codec, err := lawBind(c.s, c.built)
	if err != nil {
		c.fail("Bind: %v", err)
	}
	var good []refRow
	var keys []byte
	ends := []int{5}
	for _, row := range rows {
		if !lawFits(c.s, row) {
			continue
		}
		c.row, c.key = row, nil
		want := c.s.encode(row)
		got, err := codec.append([]byte("head"), row.pointers(c.s))
		if string(got[:4]) != "head" {
			c.fail("Codec.Append: the caller's buffer now begins %q", got)
		}
		if len(want.faults) > 0 {
			c.expected("Codec.Append", err, want.faults)
			if len(got) != 4 {
				c.fail("Codec.Append: with an error came %x", got[4:])
			}
			continue
		}
		if err != nil || !bytes.Equal(got[4:], want.bytes) {
			c.fail("Codec.Append: got  %x %v\n        want %x", got[4:], err, want.bytes)
		}
		c.key = want.bytes
		c.codecReads(codec, want)
		good = append(good, row.pointers(c.s))
		keys = append(keys, want.bytes...)
		ends = append(ends, 5+len(keys))
		c.count("rows by the struct codec")
	}
	c.row, c.key = nil, nil
	got, gotEnds, err := codec.appendAll(good)
	if err != nil || string(got) != "arena"+string(keys) || !slices.Equal(gotEnds, ends) {
		c.fail("Codec.AppendAll: got %x %v %v\n       want %x %v", got, gotEnds, err, keys, ends)
	}
}

func (c *lawCase) codecReads(codec *lawCodec, want refKey) {
	back, err := codec.decode(c.key)
	for i, f := range c.s.supplied() {
		back[i] = f.ofKind(lawPointed(back[i]))
	}
	switch loose := c.s.has("Loose") && errors.Is(err, rowkey.ErrAmbiguous); {
	case err != nil && !loose:
		c.fail("Codec.Decode: %v", err)
	case err == nil && !lawSame(c.stored(back), c.stored(want.kept)):
		c.fail("Codec.Decode: got  %v\n        want %v", back, want.kept)
	}
}

// A time as a number counts from 1970, whatever the field counts from: what lies
// before, or beyond 64 bits, is refused both ways, and the struct stays as it was.
func TestCodecNumberOfTime(t *testing.T) {
	type millis struct {
		At int64 `rowkey:"at,ms"`
	}
	type nanos struct {
		At int64 `rowkey:"at,ns"`
	}
	for _, unit := range []rowkey.Unit{
		rowkey.Millis.Since(time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)),
		rowkey.Layout("20060102150405", time.FixedZone("", 8*3600)), // whose 1970 begins before that of UTC
	} {
		s := rowkey.New("a").Time("at", unit).MustBuild()
		c := rowkey.Must(rowkey.Bind[millis](s))
		for _, ms := range []int64{-28800000, -1000, -1} {
			key, err := c.Append([]byte("x"), &millis{ms})
			require.ErrorIs(t, err, rowkey.ErrRange)
			require.Equal(t, "x", string(key))

			key, err = s.Key().Time(time.UnixMilli(ms)).Bytes()
			require.NoError(t, err)
			got := millis{77}
			require.ErrorIs(t, c.Decode(key, &got), rowkey.ErrRange)
			require.Equal(t, millis{77}, got)
		}
		key, err := c.Append(nil, &millis{1000})
		require.NoError(t, err)
		var got millis
		require.NoError(t, c.Decode(key, &got))
		require.Equal(t, millis{1000}, got)
	}
	// What is rounded down to a time before 1970 is refused, too.
	for _, c := range []struct {
		unit  rowkey.Unit
		first int64 // in milliseconds
	}{
		{rowkey.Layout("20060102", time.FixedZone("", 8*3600)), 57600000},
		{rowkey.Layout("20060102", time.UTC), 0},
		{rowkey.Hours.Since(time.Date(1969, 12, 31, 23, 30, 0, 0, time.UTC)), 1800000},
		{rowkey.Hours, 0},
	} {
		s := rowkey.New("a").Time("at", c.unit).MustBuild()
		codec := rowkey.Must(rowkey.Bind[millis](s))
		for _, ms := range []int64{0, 1, c.first - 1, c.first, c.first + 1, 1684203630123} {
			key, err := codec.Append(nil, &millis{ms})
			if ms < c.first {
				require.ErrorIs(t, err, rowkey.ErrRange, "%d", ms)
				continue
			}
			if ms < 0 {
				continue
			}
			require.NoError(t, err)
			want, err := s.Key().UnixMilli(ms).Bytes()
			require.NoError(t, err)
			require.Equal(t, want, key)
			var got millis
			require.NoError(t, codec.Decode(key, &got))
			require.LessOrEqual(t, got.At, ms)
			require.GreaterOrEqual(t, got.At, c.first)
		}
	}
	type micros struct {
		At int64 `rowkey:"at,us"`
	}
	phoenix := rowkey.Must(rowkey.Parse("a", "phoenix [ms(at) truncate(7s)]"))
	codec := rowkey.Must(rowkey.Bind[micros](phoenix))
	for _, us := range []int64{-9223372036854000000, -9223372036853000000, -9223372036850000000, -9223372030000000000, -1, 0} {
		key, err := codec.Append(nil, &micros{us})
		if err != nil {
			require.ErrorIs(t, err, rowkey.ErrRange)
			require.Less(t, us, int64(-9223372036847000000))
			continue
		}
		var got micros
		require.NoError(t, codec.Decode(key, &got), "%d", us)
		require.LessOrEqual(t, got.At, us)
	}
	s := rowkey.New("a").Time("at", rowkey.Seconds).MustBuild()
	key, err := s.Key().Time(time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC)).Bytes()
	require.NoError(t, err)
	got := nanos{77}
	require.ErrorIs(t, rowkey.Must(rowkey.Bind[nanos](s)).Decode(key, &got), rowkey.ErrRange)
	require.Equal(t, nanos{77}, got)
}

// codecOfNumbers writes rows whose times are integers in a unit of the tag, and whose texts are bytes. The struct
// is made for the schema. What an integer cannot hold is rounded first.
func (c *lawCase) codecOfNumbers(rows []refRow) {
	fields := c.s.supplied()
	units := []string{"s", "ms", "us", "ns"}
	unit := map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": 1}
	types := map[string]reflect.Type{"String": reflect.TypeFor[[]byte](), "Binary": reflect.TypeFor[[]byte](), "Uint": reflect.TypeFor[uint64](),
		"Int": reflect.TypeFor[int64](), "Float": reflect.TypeFor[float64](), "Bool": reflect.TypeFor[bool](), "Time": reflect.TypeFor[int64]()}
	steps := make([]time.Duration, len(fields))
	var codec bind.Binding
	var held reflect.Type
	for try := 0; ; try++ {
		var all []reflect.StructField
		times := 0
		for i, f := range fields {
			if lawPointer(f) != "" {
				return
			}
			tag := f.name
			if f.word == "Time" {
				times++
				name := units[min(try+c.r.IntN(2), 3)] // coarse ones first: a finer field refuses them
				tag, steps[i] = tag+","+name, unit[name]
			}
			all = append(all, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: types[f.word], Tag: reflect.StructTag(fmt.Sprintf("rowkey:%q", tag))})
		}
		if times == 0 {
			return
		}
		var err error
		held = reflect.StructOf(all)
		if codec, err = bind.Struct(inside.Layout(c.built), inside.Walk(c.built), held); err == nil {
			break
		}
		if try > 4 {
			c.fail("Bind of times as numbers: %v", err)
		}
	}
	for _, row := range rows {
		if !lawFits(c.s, row) {
			continue
		}
		row = slices.Clone(row)
		p := reflect.New(held)
		fits := true
		for i := range fields {
			at := p.Elem().Field(i)
			switch v := row[i].(type) {
			case string:
				at.SetBytes([]byte(v))
			case []byte:
				at.SetBytes(v)
			case uint64:
				at.SetUint(v)
			case int64:
				at.SetInt(v)
			case float64:
				at.SetFloat(v)
			case bool:
				at.SetBool(v)
			case time.Time:
				n := v.Unix()*int64(time.Second/steps[i]) + int64(v.Nanosecond())/int64(steps[i])
				fits = fits && v.Unix() >= 0 && v.Unix() < math.MaxInt64/int64(time.Second)
				at.SetInt(n)
				row[i] = time.Unix(n/int64(time.Second/steps[i]), n%int64(time.Second/steps[i])*int64(steps[i]))
			default:
				fits = false
			}
		}
		if !fits {
			continue
		}
		c.row, c.key = row, nil
		want := c.s.encode(row)
		got, err := codec.Write(append(make([]byte, 0, 4+c.r.IntN(300)), "head"...), p.UnsafePointer())
		early := slices.ContainsFunc(row, func(v any) bool { // a year may begin before 1970
			at, ok := v.(time.Time)
			return ok && at.Unix() < 366*86400
		})
		if early && errors.Is(err, rowkey.ErrRange) && strings.Contains(err.Error(), "rounded down to the field's unit it lies before 1970") {
			c.count("times as numbers that are rounded down too far")
			continue
		}
		if len(want.faults) > 0 {
			c.expected("Codec.Append of times as numbers", err, want.faults)
			continue
		}
		if err != nil || !bytes.Equal(got[4:], want.bytes) {
			c.fail("Codec.Append of times as numbers: got  %x %v\n        want %x", got[4:], err, want.bytes)
		}
		c.count("rows of times as numbers")
	}
	c.row, c.key = nil, nil
}
