package said

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// A key in each form, after bytes that stay; an error for what is none.
func TestAppendKey(t *testing.T) {
	for _, c := range []struct{ form, text, want string }{
		{FormHex, "00faFF", "\x00\xfa\xff"}, {FormHex, " 0x00FA\n", "\x00\xfa"}, {FormHex, "00 fa:ff", "\x00\xfa\xff"},
		{FormHex, "0g", "error"}, {FormHex, "g0", "error"}, {FormHex, "0fa", "error"},
		{FormText, `a\x00\xFFz`, "a\x00\xffz"}, {FormText, `a\x0`, "error"}, {FormText, `a\n`, "error"}, {FormText, `a\xG0`, "error"},
		{FormEscaped, `"a\tb\x00"`, "a\tb\x00"}, {FormEscaped, `a\q`, "error"}, {FormEscaped, `[]byte("a\t\"b\x00")`, "a\t\"b\x00"},
		{FormURL, "a%00b", "a\x00b"}, {FormURL, "a%0", "error"},
		{FormBase64, "YQBi", "a\x00b"}, {FormBase64, "_-8=", "\xff\xef"}, {FormBase64, "Y", "error"},
		{FormJava, "[97, 0, -1]", "a\x00\xff"}, {FormJava, "new byte[] {(byte) 0x61, 255}", "a\xff"}, {FormJava, "[97, 256]", "error"}, {FormJava, "97", "error"},
		{FormCell, "row/1/cf:q/123/Put/vlen=3/seqid=0", "row/1"}, {FormCell, "row", "error"},
		{FormRegion, "t,row,1,123.0123456789abcdef0123456789abcdef.", "row,1"},
		{FormScan, " row column=cf:q, timestamp=1, value=v", "row"}, {FormScan, "row", "error"},
		{FormResult, "keyvalues={row/cf:q/1/Put/vlen=1/seqid=0}", "row"},
		{FormError, "NotServingRegionException: row 'row' on table 't' at region=x", "row"},
		{FormRaw, "a\\x00", "a\\x00"}, {FormLen, "\x00a", "\x00a"},
	} {
		got, err := AppendKey([]byte("x"), []byte(c.text), c.form)
		if c.want == "error" {
			assert.Error(t, err, "%s %s", c.form, c.text)
			continue
		}
		assert.NoError(t, err, "%s %s", c.form, c.text)
		assert.Equal(t, "x"+c.want, string(got), "%s %s", c.form, c.text)
	}
}

// The form of keys that come alike, of which any may be a key of the schema, or none.
func TestGuessForm(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"0c73 0d74", FormHex}, {`"0c73" '0d74'`, FormHex}, {`b'0c73' X'0d74'`, FormHex}, {"0c73 d74", FormText}, // with quotes it is one key, not two
		{`"[12,-3]" '[9]'`, FormJava},
		{`[]byte("0c73") []byte("ab")`, FormEscaped},
		{`a\x0A b\x0B`, FormText}, {`a\x0A b\x0b`, FormEscaped}, {`a b\x0b c\x0C d\x0D`, FormEscaped}, // text is read alike in both
		{`a b\q c`, FormText},
	} {
		for _, fits := range []bool{true, false} {
			if c.want == FormText && c.keys[0] == '0' && !fits {
				continue // one of two looks like hexadecimal
			}
			assert.Equal(t, c.want, GuessForm(strings.Fields(c.keys), func([]byte) bool { return fits }), "%s %t", c.keys, fits)
		}
	}
	assert.Equal(t, []Reading{{FormText, []byte("'a'")}, {FormText, []byte(`b"'a'"`)}}, Readings(`b"'a'"`))
	assert.Equal(t, []Reading{{FormEscaped, []byte("'\x0a'")}}, Readings(`b"'\x0a'"`))
}

// The ranges of conditions as people write them, and what is said of those that are none.
func TestParseConds(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[a]['|'][n:1]"))
	for cond, want := range map[string]string{
		"a=x":               "[x|, x}) ",
		"a == 'x y'":        "[x y|, x y}) ",
		`a in (x, "y,z")`:   "[x|, x}) [y,z|, y,z}) ",
		"a in x,'y'":        "[x|, x}) [y|, y}) ",
		"a in ''":           "[|, }) ",
		"a in ()":           "",
		"a in (x":           "a: a parenthesis without its end",
		"a in x,,y":         "a: nothing between two commas",
		"a in 'x' y":        "a: expected a comma after the closing quote",
		`a in x"y`:          "a: expected values with commas between",
		"a between x and x": "a: between: a:A..B is from A to B",
		"a ^= x":            "[x, y) ",
		"b=1":               "\"b\" is no field",
		"a":                 "a: no operator",
		"a=x and n=1":       "a",
	} {
		got := ""
		groups, err := ParseConds(s, Values{}, []string{cond})
		if err == nil {
			require.Len(t, groups, 1, cond)
			plan, err := s.Scan(groups[0]...)
			require.NoError(t, err, cond)
			for r := range plan.Ranges() {
				got += fmt.Sprint(r, " ")
			}
			assert.Equal(t, want, got, cond)
			continue
		}
		assert.True(t, strings.HasPrefix(err.Error(), want), "%s: %v", cond, err)
	}
}

// A condition on no field names the copies and salts, too, which conditions may name.
func TestNoAsked(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt4(a)][a fixed(4)][tail=a right(2) fixed(2)][md5.raw(2)(a)]"))
	_, err := ParseConds(s, Values{}, []string{"sal=1"})
	assert.EqualError(t, err, `"sal" is no field: the fields are a; computed: salt, tail; did you mean salt?`)
	_, err = ParseConds(s, Values{}, []string{"md5=1"})
	assert.ErrorContains(t, err, "the fields are a; computed: salt, tail")
}

// Input in a message: in the quotes that it has not, or as Go writes it, and cut between characters.
func TestShown(t *testing.T) {
	assert.Equal(t, `"a b"`, Shown("a b"))
	assert.Equal(t, `'a"b'`, Shown(`a"b`))
	assert.Equal(t, `"a\"'"`, Shown(`a"'`))
	assert.Equal(t, `"a\n"`, Shown("a\n"))
	assert.Equal(t, `"\xff"`, Shown("\xff"))
	assert.Equal(t, `"`+strings.Repeat("x", 40)+`"…`, Shown(strings.Repeat("x", 41)))
	assert.Equal(t, `"`+strings.Repeat("x", 40)+`"`, Shown(strings.Repeat("x", 40)))
	assert.Equal(t, `"`+strings.Repeat("键", 13)+`"…`, Shown(strings.Repeat("键", 14)))
}

// A row's key of the values that are given by name, and why there is none.
func TestRowValues(t *testing.T) {
	w := NewRowValues(rowkey.Must(rowkey.Parse("t", "[a]['|'][n:1]")), Values{})
	_, err := w.Key()
	assert.EqualError(t, err, "no value for a, n")
	for name, v := range map[string]string{"a": "x", "n": "7"} {
		i, err := w.Field(name)
		require.NoError(t, err)
		require.NoError(t, w.SetText(i, []byte(v)))
	}
	key, err := w.Key()
	assert.NoError(t, err)
	assert.Equal(t, "x|\x07", string(key))
	w.Reset()
	assert.Equal(t, []string{"a", "n"}, w.Missing())
	_, err = w.Field("b")
	assert.ErrorContains(t, err, "the fields are a, n")

	nulls := NewRowValues(rowkey.Must(rowkey.Parse("t", "phoenix [a optional][b optional]")), Values{})
	_, err = nulls.Key()
	assert.EqualError(t, err, "every field is null, which is no key")
}

// A number that a field's bytes do not hold is a number: the error says the limits.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		layout, text, says string
	}{
		{"[a:f4]", "1e39", `a: expected a number from -3.4028235e+38 to 3.4028235e+38, not "1e39"`},
		{"[a:f8]", "-1e309", `a: expected a number from -1.7976931348623157e+308 to 1.7976931348623157e+308, not "-1e309"`},
		{"[a:f8]", "NaN", `a: expected a number, not "NaN"`},
		{"[a:f8]", "1e", `a: expected a number, not "1e"`},
		{"[a:i8]", "9223372036854775808", `a: expected a whole number from -9223372036854775808 to 9223372036854775807, not "9223372036854775808"`},
		{"[a:8]", "18446744073709551616", `a: expected a whole number from 0 to 18446744073709551615, not "18446744073709551616"`},
	} {
		w := NewRowValues(rowkey.Must(rowkey.Parse("t", c.layout)), Values{})
		assert.EqualError(t, w.SetText(0, []byte(c.text)), c.says)
	}
	w := NewRowValues(rowkey.Must(rowkey.Parse("t", "[a:f4]")), Values{})
	assert.NoError(t, w.SetText(0, []byte("3.4028235e+38")), "the limit is a value")
}
