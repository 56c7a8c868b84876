package rowkey_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
)

// TestMistakes: what users do wrong, and the whole message. It says what the field is, what was
// called, what comes next and what there is.
func TestMistakes(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	key := rowkey.Must(trades.Key().String("s-42").Time(at).Uint(7).Bytes())
	var seller string
	var n int64
	var when time.Time
	var ok bool
	var f float64
	built := func(k rowkey.KeyBuilder) error { _, err := k.Bytes(); return err }
	scanned := func(conds ...rowkey.Cond) error { _, err := trades.Scan(conds...); return err }
	handle := func(name string) error { _, err := rowkey.FieldOf[string](trades, name); return err }
	const isType, isField, isMissing = ": value of another type than the field's", ": no such field, or not the next one", ": field not supplied"
	so := trades.Key().String("s-42").Time(at)
	so.Uint(1)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a text for a time", built(trades.Key().String("s").String("2023")), "at: is a time, and String was called" + isType},
		{"bytes for a number", built(trades.Key().String("s").Time(at).Binary(nil)), "order: is a uint of 8 bytes, and String was called" + isType},
		{"a float for a number", built(trades.Key().String("s").Time(at).Float(7)), "order: is a uint of 8 bytes, and Float was called" + isType},
		{"a bool for a number", built(trades.Key().String("s").Time(at).Bool(true)), "order: is a uint of 8 bytes, and Bool was called" + isType},
		{"a time for a number", built(trades.Key().String("s").Time(at).Time(at)), "order: is a uint of 8 bytes, and Time was called" + isType},
		{"milliseconds for a text", built(trades.Key().UnixMilli(1)), "seller: is a string, and Time was called" + isType},
		{"a number for a text", built(trades.Key().Uint(42)), "seller: is a string, and Uint was called" + isType},
		{"a null that may not be", built(trades.Key().Null()), "seller: is a string, and Null was called" + isType},
		{"a prefix of a time", built(trades.Key().String("s").Prefix("2")), "at: is a time, and Prefix was called" + isType},
		{"a prefix as a key", built(trades.Key().Prefix("s")), "seller: a prefix is no whole value: Range or AppendRanges must follow it" + isMissing},
		{"a field too early", built(trades.Key().Field("order").Uint(7)), `seller: Field("order") was called, and next is seller` + isField},
		{"a field that is none", built(trades.Key().Field("sellr").String("s")), `seller: Field("sellr") was called, and next is seller; the fields are seller, at, order; perhaps seller` + isField},
		{"a key so far used twice", built(so.Uint(2)), "order: this key so far was continued before: begin each key with Key(): memory used twice"},
		{"a condition with a typing error", scanned(rowkey.Eq("sellr", "s")), "sellr: the fields are seller, at, order; perhaps seller" + isField},
		{"a condition on no field", scanned(rowkey.Eq("price", 1)), "price: the fields are seller, at, order" + isField},
		{"a handle with a typing error", handle("ordr"), "ordr: the fields are seller, at, order; perhaps order" + isField},
		{"a handle on a salt", handle("salt"), "salt: is computed, not supplied" + isField},
		{"a text read as a number", trades.Read(key).Int(&n).Err(), "seller: is a string, and Int was called" + isType + " (at byte 1)"},
		{"a number read as a text", trades.Read(key).Skip().Skip().String(&seller).Err(), "order: is a uint of 8 bytes, and String was called" + isType + " (at byte 14)"},
		{"a number read as a time", trades.Read(key).Skip().Skip().Time(&when).Err(), "order: is a uint of 8 bytes, and Time was called" + isType + " (at byte 14)"},
		{"a number read as a float", trades.Read(key).Skip().Skip().Float(&f).Err(), "order: is a uint of 8 bytes, and Float was called" + isType + " (at byte 14)"},
		{"a text read as a bool", trades.Read(key).Bool(&ok).Err(), "seller: is a string, and Bool was called" + isType + " (at byte 1)"},
		{"a field left out", trades.Read(key).String(&seller).Time(&when).Err(), "order: is not read: Skip passes over a field" + isMissing + " (at byte 14)"},
	} {
		assert.EqualError(t, c.err, "rowkey: trades: "+c.want, c.name)
	}
}

// TestTagOfASchema: one struct serves several tables if its tags name them.
func TestTagOfASchema(t *testing.T) {
	type row struct {
		Seller string    `rowkey:"seller"`
		At     time.Time `rowkey:"trades.at"`
		Order  uint64    `rowkey:"trades.order"`
		Day    string    `rowkey:"days.day"`
	}
	codec, err := rowkey.Bind[row](trades)
	if assert.NoError(t, err) {
		key, err := codec.Append(nil, &row{"s-42", time.UnixMilli(1684203630000), 7, "x"})
		want := rowkey.Must(trades.Key().String("s-42").UnixMilli(1684203630000).Uint(7).Bytes())
		assert.NoError(t, err)
		assert.Equal(t, want, key)
	}
	days := rowkey.New("days").String("day").Separator("_").String("seller").MustBuild()
	other, err := rowkey.Bind[row](days)
	if assert.NoError(t, err) {
		key, err := other.Append(nil, &row{Seller: "s-42", Day: "d"})
		assert.NoError(t, err)
		assert.Equal(t, "d_s-42", string(key))
	}

	const isField = ": no such field, or not the next one"
	_, err = rowkey.Bind[struct {
		Price int `rowkey:"trades.price"`
	}](trades)
	assert.ErrorIs(t, err, rowkey.ErrField)
	assert.ErrorContains(t, err, "the fields are seller, at, order"+isField)
	_, err = rowkey.Bind[struct {
		Seller string `rowkey:"sellr"`
	}](trades)
	assert.ErrorIs(t, err, rowkey.ErrField)
	assert.ErrorContains(t, err, "the fields are seller, at, order; perhaps seller"+isField)
}
