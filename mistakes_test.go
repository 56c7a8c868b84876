package rowkey_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/hbase-rowkey/rowkey/scan"
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
		{"a condition with a typing error", scanned(rowkey.Eq("sellr", "s")), "sellr: the fields are seller, at, order; computed: salt; perhaps seller" + isField},
		{"a condition on no field", scanned(rowkey.Eq("price", 1)), "price: the fields are seller, at, order; computed: salt" + isField},
		{"a condition on a salt with a typing error", scanned(rowkey.Eq("slat", 1)), "slat: the fields are seller, at, order; computed: salt; perhaps salt" + isField},
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

// TestMistakesWithKeys: keys that are none of their schema, rows that cannot be written, queries that read
// nothing or too much, and the whole message: lengths, numbers of digits, buckets, and the year of a time, but
// no value.
func TestMistakesWithKeys(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	key := string(rowkey.Must(trades.Key().String("s-42").Time(at).Uint(7).Bytes()))
	ops := operations().MustBuild()
	log := rowkey.New("log").String("host").Separator("_").Time("at", rowkey.Millis, rowkey.Years(2000, 2100)).MustBuild()
	seconds := rowkey.New("seconds").Time("at", rowkey.Seconds, rowkey.Years(2000, 2100)).MustBuild()
	users := rowkey.New("users").Uint("uid", 8, rowkey.Digits(10)).Separator("_").String("city").MustBuild()
	cars := rowkey.New("cars").Hash(rowkey.MD5.Hex(6), "vin").String("vin").MustBuild()
	few := rowkey.New("few").Uint("kind", 1, rowkey.Below(16)).String("state", rowkey.OneOf("on", "off"), rowkey.Pad(3, ' ')).MustBuild()
	char := rowkey.New("char", interop.Phoenix).String("a", rowkey.Pad(3, ' ')).MustBuild()
	raw := rowkey.New("raw", interop.Phoenix).Binary("a", rowkey.Pad(3, 'x')).MustBuild()

	decoded := func(s *rowkey.Schema, key string) error { _, err := s.Decode([]byte(key)); return err }
	read := func(key string) error {
		var seller string
		var order uint64
		return trades.Read([]byte(key)).String(&seller).Time(&at).Uint(&order).Err()
	}
	written := func(s *rowkey.Schema, values ...any) error { _, err := s.AppendKey(nil, values...); return err }
	scanned := func(conds ...rowkey.Cond) error { _, err := trades.Scan(conds...); return err }
	limited := func(n int) error {
		plan := rowkey.Must(trades.Scan(rowkey.Eq("seller", "s")))
		_, _, _, err := scan.Page(context.Background(), plan.Limit(n), nil, 1, func(context.Context, rowkey.Range, bool) (scan.Cursor[[]byte], error) { return nil, io.EOF }, slices.Clone[[]byte])
		return err
	}
	split := func(s *rowkey.Schema, n int) error { _, err := s.Splits(n); return err }
	const isNone, isRange, isDerived = ": not a key of this schema", ": value out of range", ": salt, hash or copy does not match the fields"
	const isType, isField = ": value of another type than the field's", ": no such field, or not the next one"
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a key cut off", read(key[:12]), "trades: at: 6 bytes left, 8 needed" + isNone + " (at byte 6)"},
		{"a key cut off, decoded", decoded(trades, key[:20]), "trades: order: 6 bytes left, 8 needed" + isNone + " (at byte 14)"},
		{"a key cut off before the separator", decoded(trades, key[:5]), `trades: seller: no "_" in the last 4 bytes` + isNone + " (at byte 1)"},
		{"one byte", decoded(trades, key[:1]), "trades: seller: the key ends before it" + isNone + " (at byte 1)"},
		{"no byte", read(""), "trades: 0 bytes, at least 1: length not allowed (at byte 0)"},
		{"bytes left over", decoded(trades, key+"\x00\x00"), "trades: 2 bytes left over after the last component" + isNone + " (at byte 22)"},
		{"bytes left over, read", read(key + "\x00"), "trades: one byte left over after the last component" + isNone + " (at byte 22)"},
		{"hexadecimal text for a key", decoded(trades, hex.EncodeToString([]byte(key))), `trades: seller: no "_" in the last 43 bytes; it is a key written as hexadecimal text: decode it first` + isNone + " (at byte 1)"},
		{"hexadecimal text, read", read(strings.ToUpper(hex.EncodeToString([]byte(key)))), `trades: seller: no "_" in the last 43 bytes; it is a key written as hexadecimal text: decode it first` + isNone + " (at byte 1)"},
		{"18 digits for 19", decoded(ops, "75_user123_922337035265114580"), "ops: at: 18 digits, 19 needed" + isNone + " (at byte 11)"},
		{"9 digits for 10", decoded(users, "000010086_Berlin"), "users: uid: byte 10 of 10 is no digit: 9 digits, 10 needed" + isNone + " (at byte 0)"},
		{"a letter among digits", decoded(users, "00000100x6_Berlin"), "users: uid: byte 9 of 10 is no digit" + isNone + " (at byte 0)"},
		{"a key of another table", decoded(users, "0000010086-Berlin"), `users: expected "_"` + isNone + " (at byte 10)"},
		{"a number above Below", decoded(few, "\x10on "), "few: kind: a number outside 0 to 15" + isNone + " (at byte 0)"},
		{"a text of no list", decoded(few, "\x01xyz"), "few: state: not one of its 2 values" + isNone + " (at byte 1)"},
		{"a wrong salt, read", read("\x03" + key[1:]), "trades: salt: bucket 3, and the fields give 12 of 16" + isDerived + " (at byte 0)"},
		{"a wrong salt, decoded", decoded(trades, "\x03"+key[1:]), "trades: salt: bucket 3, and the fields give 12 of 16" + isDerived + " (at byte 0)"},
		{"a salt by Math.abs", decoded(ops, "73_user123_9223370352651145807"), "ops: salt: bucket 73, and the fields give 75 of 100" + isDerived + " (at byte 0)"},
		{"bytes that are no bucket", decoded(ops, "xy_user123_9223370352651145807"), "ops: salt: no bucket of 100, and the fields give bucket 75" + isDerived + " (at byte 0)"},
		{"one of many buckets", decoded(rowkey.New("many").Salt(5000, "id", rowkey.Width(2)).Uint("id", 8).MustBuild(), "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07"), "many: salt" + isDerived + " (at byte 0)"},
		{"a hash in upper case", decoded(cars, "E5CFBCLVGBE40K"), "cars: hash: only the case differs: say Upper" + isDerived + " (at byte 0)"},
		{"another hash", decoded(cars, "000000LVGBE40K"), "cars: hash" + isDerived + " (at byte 0)"},
		{"seconds read as milliseconds", decoded(log, "h_\x00\x00\x00\x00\x64\x62\xe9\x2e"), "log: at: the year is 1970, outside 2000 to 2100: seconds in place of milliseconds?" + isNone + " (at byte 2)"},
		{"seconds given as milliseconds", written(log, "h", time.UnixMilli(1684203630)), "log: at: the year is 1970, outside 2000 to 2100: seconds in place of milliseconds?" + isRange},
		{"microseconds given as milliseconds", written(log, "h", time.UnixMilli(1684203630000000)), "log: at: the year is 55340, outside 2000 to 2100: microseconds in place of milliseconds?" + isRange},
		{"milliseconds given as seconds", written(seconds, time.Unix(1684203630000, 0)), "seconds: at: the year is 55340, outside 2000 to 2100: milliseconds in place of seconds?" + isRange},
		{"a time of no thousand", written(log, "h", time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)), "log: at: the year is 1999, outside 2000 to 2100" + isRange},
		{"the zero time", written(trades, "s", time.Time{}, 7), "trades: at: 1970-01-01 is the first time" + isRange},
		{"a value that holds the separator", written(trades, "s_42", at, 7), `trades: seller: holds the separator "_": value and its end cannot be told apart`},
		{"a negative number", written(trades, "s", at, -1), "trades: order: 0 to 18446744073709551615" + isRange},
		{"a value too many", written(trades, "s", at, 7, 8), "trades: the fields are seller, at, order: more values than fields"},
		{"a value too few", written(trades, "s", at), "trades: order: field not supplied"},
		{"more digits than fit", written(users, uint64(12345678901), "x"), "users: uid: 0 to 9999999999" + isRange},
		{"not ASCII in a CHAR", written(char, "é"), `char: a: byte 1 of 2 is none of a CHAR, which holds ASCII from ' ' to '\x7f'` + isRange},
		{"below the padding of a BINARY", written(raw, []byte("a")), `raw: a: byte 1 of 1 lies below the padding "x"` + isRange},
		{"a page of no rows", limited(0), "trades: Limit(0): a limit is 1 or more; a plan without Limit reads all rows" + isRange},
		{"a page of fewer", limited(-5), "trades: Limit(-5): a limit is 1 or more; a plan without Limit reads all rows" + isRange},
		{"ends that cross", scanned(rowkey.Eq("seller", "s"), rowkey.AtLeast("at", at), rowkey.LessThan("at", at.Add(-time.Hour))), "trades: at: AtLeast lies above LessThan: lower end above upper end"},
		{"a span from above to", scanned(rowkey.Eq("seller", "s"), rowkey.Span("at", at, at.Add(-time.Hour))), "trades: at: lower end above upper end"},
		{"milliseconds in a condition", scanned(rowkey.Eq("seller", "s"), rowkey.AtLeast("at", int64(1684203630000))), "trades: at: a time is a time.Time, as time.UnixMilli makes of milliseconds" + isType},
		{"a number for a text, in a condition", scanned(rowkey.Eq("seller", 42)), "trades: seller: is a string, and a number was given" + isType},
		{"a text for a number, in a condition", scanned(rowkey.In("order", "7", "8")), "trades: order: is a uint of 8 bytes, and a text was given" + isType},
		{"a prefix of a number", scanned(rowkey.Prefix("order", "7")), "trades: order: is a uint of 8 bytes, and a Prefix was given" + isType},
		{"a text as a salt's bucket", scanned(rowkey.Eq("salt", "3")), "trades: salt: is a uint, and a text was given" + isType},
		{"an empty prefix", scanned(rowkey.Prefix("seller", "")), "trades: seller: an empty prefix is every value: leave it out: length not allowed"},
		{"more regions than buckets", split(trades, 64), "trades: salt: 16 leading values make at most 16 regions, not 64: use SplitsOf for more: split keys depend on the data"},
		{"regions of ids", split(rowkey.New("ids").Uint("id", 8).MustBuild(), 4), "ids: id: its values depend on data: use SplitsOf, unless they only rise: such a key cannot be pre-split: split keys depend on the data"},
	} {
		assert.EqualError(t, c.err, "rowkey: "+c.want, c.name)
	}
}

// operations is the layout of a table of Java's.
func operations() *rowkey.Builder {
	return rowkey.New("ops").Salt(100, "user", interop.JavaHash, rowkey.Digits(2)).Separator("_").
		String("user").Separator("_").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19))
}

// TestMistakesInDeclarations: what Build, Parse and Bind refuse, and the whole message with its remedy.
func TestMistakesInDeclarations(t *testing.T) {
	at := time.UnixMilli(1684203630000)
	short := func() *rowkey.Builder {
		return rowkey.New("s").String("user").Separator("_").Uint("n", 2, rowkey.Digits(5))
	}
	built := func(b *rowkey.Builder) error { _, err := b.Build(); return err }
	parsed := func(text string) error { _, err := rowkey.Parse("t", text); return err }
	once := rowkey.New("twice").Uint("a", 1)
	once.MustBuild()
	_, untagged := rowkey.Bind[struct{ Seller string }](trades)
	type Embedded struct {
		Seller string `rowkey:"seller"`
	}
	type pointing struct{ *Embedded }
	_, pointed := rowkey.Bind[pointing](trades)
	type mistyped struct {
		Seller int       `rowkey:"seller"`
		At     time.Time `rowkey:"at"`
		Order  uint64    `rowkey:"order"`
	}
	_, typed := rowkey.Bind[mistyped](trades)
	const isSchema = ": schema cannot be built"
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a builder used twice", built(once.Uint("b", 1)), "twice: builder used twice: begin each schema with New, and go on with what the last call returned" + isSchema},
		{"a sample of another salt", built(operations().Sample("73_user123_9223370352651145807", "user123", at)), "ops: sample: at byte 1, in salt: the layout writes 75, not 73" + isSchema},
		{"a sample of another time", built(operations().Sample("75_user123_9223370352651145808", "user123", at)), "ops: sample: at byte 29, in at: the layout writes 9223370352651145807, not 9223370352651145808" + isSchema},
		{"a sample cut off", built(short().Sample("u_000", "u", 7)), "s: sample: it ends at byte 5, and [n:2 digits(5)] follows" + isSchema},
		{"a sample with another separator", built(short().Sample("uX00007", "u", 7)), "s: sample: at byte 1: the layout writes ['_'], not X" + isSchema},
		{"a sample that goes on", built(short().Sample("u_00007x", "u", 7)), "s: sample: one byte more than the layout writes" + isSchema},
		{"a hash of a number in text", built(rowkey.New("t").Hash(rowkey.MD5.Hex(5), "uid").Uint("uid", 8, rowkey.Digits(10))), "t: hash: uid is a number that the key holds as text: say values(uid) for its 8 bytes, text(uid) for its digits as String.valueOf writes them, or stored(uid) for the text in the key" + isSchema},
		{"a hash of a time in text", built(rowkey.New("t").Hash(rowkey.MD5.Hex(5), "at").Time("at", rowkey.Seconds, rowkey.Decimal)), "t: hash: at is a number that the key holds as text: say values(at) for its 8 bytes, text(at) for its digits as String.valueOf writes them, or stored(at) for the text in the key" + isSchema},
		{"Java's hash of a number", built(rowkey.New("t").Salt(100, "uid", interop.JavaHash).Uint("uid", 8)), "t: salt: a Java hashCode is of text: say text(uid)" + isSchema},
		{"a text without an end", built(rowkey.New("t").String("a").String("b")), "t: a: has no end before the next component, b: add a Separator, Fixed, Pad or Escaped" + isSchema},
		{"bits for bytes", built(rowkey.New("t").Uint("a", 64)), "t: a: size is in bytes, 1 to 8, not 64" + isSchema},
		{"more buckets than a byte holds", built(rowkey.New("t").Salt(1000, "a").Uint("a", 8)), "t: salt: 1000 buckets do not fit one byte: add Width(2)" + isSchema},
		{"Desc before Width", built(rowkey.New("t").Uint("a", 8, rowkey.Desc, rowkey.Width(4))), "t: a: Width stands before Desc: Width(4), Desc is MaxInt32 − v" + isSchema},
		{"a salt of no field", built(rowkey.New("t").Salt(16, "sellr").String("seller")), `t: salt: input "sellr" is no field; perhaps seller` + isSchema},
		{"a name twice", built(rowkey.New("t").Uint("a", 1).Uint("a", 2)), "t: a: the name stands twice: give one of them another" + isSchema},
		{"no field", built(rowkey.New("t")), "t: a schema without a field has one key only" + isSchema},
		{"a typing error in a notation", parsed("[seller][ordr:8 dsc]"), "t: ordr: expected ']' or an option; perhaps desc" + isSchema + " (at byte 16)\n\t[seller][ordr:8 dsc]\n\t                ^"},
		{"a struct without the tag", untagged, "trades: seller: no field of struct { Seller string } has its tag, `rowkey:\"seller\"`: field not supplied"},
		{"a struct with an embedded pointer", pointed, "trades: seller: no field of rowkey_test.pointing has its tag, `rowkey:\"seller\"`; those of an embedded *rowkey_test.Embedded do not count: field not supplied"},
		{"a struct of another type", typed, "trades: seller: rowkey_test.mistyped.Seller: int cannot hold every value of [seller]: value of another type than the field's"},
	} {
		assert.EqualError(t, c.err, "rowkey: "+c.want, c.name)
	}
}

// TestOtherReading: a key that does not fit, but would if a text held its separator: Explain says so, and
// names Loose.
func TestOtherReading(t *testing.T) {
	const said = "it fits if user is \"李_4\": a value that holds its separator needs Loose\n"
	for _, rest := range []string{"[rest]", "[max-ms(at) digits(19)]"} {
		notation := "[salt100(user) javahash digits(2)]['_'][user%s]['_']" + rest
		strict := rowkey.Must(rowkey.Parse("ops", fmt.Sprintf(notation, "")))
		loose := rowkey.Must(rowkey.Parse("ops", fmt.Sprintf(notation, " loose")))
		key := []byte("03_李_4_9223370352651145807")
		_, err := loose.Decode(key)
		assert.NoError(t, err)
		assert.True(t, strings.HasSuffix(strict.Explain(key), said), strict.Explain(key))
		assert.NotContains(t, strict.Explain([]byte("04_李_4_9223370352651145807")), "it fits") // of no reading's salt
		assert.NotContains(t, loose.Explain(key), "it fits")
	}
	two := rowkey.Must(rowkey.Parse("two", "[a]['_'][b]['_'][c:1]"))
	assert.Contains(t, two.Explain([]byte("x_y_z_\x07")), `it fits if a is "x_y" or b is "y_z": a value`)
}

// TestExplainShowsText: a hash or a copy that is text is shown as text, and where only the case differs
// Explain says so.
func TestExplainShowsText(t *testing.T) {
	for notation, want := range map[string]string{
		"[md5.hex(4)(t)][t]":         `wrong: the fields give "4c3b"`,
		"[md5.raw(2)(t)][t]":         `wrong: the fields give `,
		"[c=t right(4) fixed(4)][t]": `wrong: the fields give "ijkl"`,
		"[salt16(t) digits(4)][t]":   "wrong: bucket abcd, the fields give bucket 00",
		"[salt300(t) width(4)][t]":   "wrong: bucket 1633837924, the fields give bucket ",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		assert.Contains(t, s.Explain([]byte("abcdefghijkl")), want, notation)
	}
	years := rowkey.Must(rowkey.Parse("t", "[s(at) digits(10) years(2000,2100)]"))
	assert.Contains(t, years.Explain([]byte("0000000203")), "broken: the year is 1970, outside 2000 to 2100\n")
	millis := rowkey.Must(rowkey.Parse("t", "[ms(at) digits(13) years(2000,2100)]"))
	assert.Contains(t, millis.Explain([]byte("0001684203630")), "broken: the year is 1970, outside 2000 to 2100: seconds in place of milliseconds?\n")
}

// TestExplainLines: a form of many bytes goes on below its own first byte.
func TestExplainLines(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a]['_'][b:8]"))
	key := rowkey.Must(s.Key().String(strings.Repeat("x", 40)).Uint(7).Bytes())
	const half = "7878787878787878787878787878787878787878"
	assert.Equal(t, `t [a]['_'][b:8]: 49 bytes
0   `+half+`  [a]    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    `+half+`
40  5f                                        ['_']
41  0000000000000007                          [b:8]  7
`, s.Explain(key))
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

// A plan says of no condition that all rows meet that each row is tested, whether or not another one is.
func TestNothingIsTested(t *testing.T) {
	for _, notation := range []string{`[a oneof("A","B")][x:1]`, `[x:1][a oneof("A","B")]`, `[salt2(a)][x:1][a oneof("A","B") notstored]`} {
		p, err := rowkey.Must(rowkey.Parse("t", notation)).Scan(rowkey.NotEq("a", "Z"), rowkey.FullScan())
		assert.NoError(t, err)
		assert.True(t, p.Exact())
		assert.NotContains(t, p.String(), "  a: ")
	}
	for _, notation := range []string{`[a oneof("A","B")][x:4][b:1]`, `[x:4][a oneof("A","B")][b:1]`, `[salt2(a)][x:4][a oneof("A","B") notstored][b:1]`} {
		p, err := rowkey.Must(rowkey.Parse("t", notation)).Scan(rowkey.NotEq("a", "Z"), rowkey.AtMost("b", 1), rowkey.FullScan())
		assert.NoError(t, err)
		assert.False(t, p.Exact())
		assert.NotContains(t, p.String(), "  a: ")
		assert.Contains(t, p.String(), "  b: Match checks it, since no condition fixes ")
	}
}

// TestEmptyPlansSayWhy: a plan without ranges says which field or salt has no value for the conditions.
func TestEmptyPlansSayWhy(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[salt100(device) javahashabs digits(2)]['_'][device]['_'][max-ms(at) years(2000,2100)]`))
	for _, c := range []struct {
		cond rowkey.Cond
		want string
	}{
		{rowkey.Eq("device", "polygenelubricants"), "salt: no key holds such a value: javahashabs has no bucket for device, since Math.abs of its hash is negative: interop.JavaHash has one: value out of range"},
		{rowkey.Prefix("device", "a_"), "device: none of its values meets the conditions"},
		{rowkey.LessThan("at", time.UnixMilli(1684202400)), "at: none of its values meets the conditions, and its years are 2000 to 2100"},
	} {
		plan, err := s.Scan(c.cond)
		if assert.NoError(t, err) {
			assert.Contains(t, plan.String(), "t: 0 ranges: no row can match\n  "+c.want)
		}
	}
}

// TestTooManyRangesNamesTheField, and says what permits them.
func TestTooManyRangesNamesTheField(t *testing.T) {
	names := make([]string, 2000)
	for i := range names {
		names[i] = fmt.Sprint("s-", i)
	}
	_, err := trades.Scan(rowkey.In("seller", names...))
	assert.EqualError(t, err, "rowkey: trades: seller: 2000 ranges; at most 1024, MaxRanges(2000) permits them: query needs too many ranges")
	for notation, want := range map[string]string{
		"[max-ms(a) digits(13)]":   "Desc after digits(13) takes it from 9999999999999",
		"[salt4(selller)][seller]": `input "selller" is no field; perhaps seller`,
	} {
		_, err := rowkey.Parse("t", notation)
		assert.ErrorContains(t, err, want)
	}
	_, err = rowkey.New("t").Salt(4, "a,b").String("a").Separator("_").String("b").Build()
	assert.ErrorContains(t, err, `input "a,b" is no field; of several fields say values(a,b)`)
	_, err = rowkey.New("t").Uint("a", 2).Sample("\x00\x01", 1).Build()
	assert.ErrorContains(t, err, `sample: byte 0 of its key: expected printable ASCII or \xHH; in Go \xHH stands between backquotes`)
}
