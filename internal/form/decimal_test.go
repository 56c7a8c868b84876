package form

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decimalOf(t *testing.T, text string) *Decimal {
	t.Helper()
	d, ok := DecimalText(nil, text)
	require.True(t, ok, text)
	return &d
}

// Whatever bytes of up to three stand in a key: they are a number that writes
// them, or none, and nothing panics. The length of a numeric is found by its own
// bytes, whatever follows.
func TestDecimalForms(t *testing.T) {
	t.Parallel()
	step := 1
	if testing.Short() {
		step = 11 // which still comes by every pair of bytes
	}
	for name, f := range map[string]DecimalForm{"numeric": Numeric, "BigDecimal": BigDecimal} {
		t.Run(name, func(t *testing.T) {
			numbers := 0
			form := make([]byte, 3)
			for n := 0; n < 1<<24; n += step {
				size := 3
				if n < 1<<16 {
					size = 1 + n>>8&1 // every byte and every pair, often
				}
				form = append(form[:0], byte(n), byte(n>>8), byte(n>>16))[:size]
				var room [64]byte
				d, ok := f.Read(room[:0], form)
				if length := NumericLen(form, 0); f == Numeric && (ok && length != size || length > size) {
					t.Fatalf("%x: %d bytes, parsed: %v", form, length, ok)
				}
				if !ok {
					continue
				}
				numbers++
				if back := f.Append(nil, &d); !bytes.Equal(back, form) || len(d.Digits) > 0 && slices.Max(d.Digits) > 9 {
					t.Fatalf("%x reads %s, which is %x", form, d.AppendText(nil), back)
				}
			}
			assert.Greater(t, numbers, 10000)
		})
	}
	assert.False(t, Numeric.Holds(nil))
	assert.False(t, BigDecimal.Holds(nil))
	assert.Equal(t, -1, NumericLen(nil, 0))
}

// The forms sort as the numbers do, those that cannot be stored among them; and
// of OrderedBytes none begins another, but for those.
func TestDecimalOrder(t *testing.T) {
	r := seed.Rand(t)
	texts := []string{"0", "1", "-1", "99", "100", "101", "-99", "-100", "-101", "0.1", "0.01", "0.99", "-0.01", "9.99", "1e20", "1e21", "1e22", "-1e21",
		"1e121", "1e122", "1e123", "-1e121", "-1e123", "1e-122", "1e-123", "1e-125", "-1e-122", "-1e-125", "1e131068", "1e131070", "1e140000", "-1e140000",
		"1e-131072", "1e-131075", "1e-140000", "-1e-140000", "1e99999999", "-1e99999999", "1e-99999999", "99999999999999999999999999999999999999",
		"-99999999999999999999999999999999999999", "-9999999999999999999999999999999999999", "-9.9999999999999999999999999999999999999",
		// Twenty pairs and no end, and what cannot be stored on either side of it.
		"-1.2345678901234567890123456789012345678", "-1.23456789012345678901234567890123456780001", "-1.23456789012345678901234567890123456785",
		"-1.2345678901234567890123456789012345679", "-1.23456789012345678901234567890123456779999", "-1.23456789012345678901234567890123456799999",
		"-1.2345678901234567890123456789012345678999", "-1.234567890123456789012345678901234567", "-9.99999999999999999999999999999999999999999"}
	for range 400 {
		text := []byte("-")[:r.IntN(2)]
		for range 1 + r.IntN(6) {
			text = append(text, "0019"[r.IntN(4)])
		}
		if r.IntN(2) == 0 {
			text = append(text, '.')
			for range r.IntN(6) {
				text = append(text, "0019"[r.IntN(4)])
			}
		}
		texts = append(texts, string(text))
	}
	value := func(text string) *big.Float {
		f, _, err := big.ParseFloat(text, 10, 300, big.ToNearestEven)
		require.NoError(t, err)
		return f
	}
	for _, f := range []DecimalForm{Numeric, BigDecimal} {
		for i, a := range texts {
			da, va := decimalOf(t, a), value(a)
			form := f.Append(nil, da)
			if f.Storable(da) {
				back, ok := f.Read(nil, form)
				require.True(t, ok, "%s %x", a, form)
				require.Zero(t, value(string(back.AppendText(nil))).Cmp(va), a)
			}
			for _, b := range texts[i+1:] {
				db := decimalOf(t, b)
				require.Equal(t, va.Cmp(value(b)), da.Compare(db), "%s, %s", a, b)
				require.Equal(t, value(b).Cmp(va), db.Compare(da), "%s, %s", b, a)
				other := f.Append(nil, db)
				sure := f.Storable(da) && f.Storable(db)
				if byBytes, byValue := bytes.Compare(form, other), va.Cmp(value(b)); byBytes != byValue && (sure || byBytes*byValue < 0) {
					t.Fatalf("%s is %x, %s is %x", a, form, b, other)
				}
				if f == Numeric && sure && !bytes.Equal(form, other) && (bytes.HasPrefix(form, other) || bytes.HasPrefix(other, form)) {
					t.Fatalf("%s is %x, %s is %x: one begins the other", a, form, b, other)
				}
				if f == BigDecimal && bytes.IndexByte(form, 0) >= 0 && f.Storable(da) {
					t.Fatalf("%s is %x", a, form)
				}
			}
		}
	}
}

// The exponents at which a number of OrderedBytes takes a byte more, by hand.
func TestNumericExponents(t *testing.T) {
	for text, want := range map[string]string{
		"1e18": "2102", "1e20": "220b02", "1e478": "22f002", "1e480": "22f10102", "1e4572": "22f8ff02", "1e4574": "22f9000002",
		"-1e478": "080ffd", "-1e480": "080efefd", "-1e4572": "080700fd", "-1e4574": "0806fffffd", "1e131068": "22f9f70f02",
		"1e-482": "160f02", "1e-484": "160efe02", "1e-4576": "16070002", "1e-4578": "1606ffff02",
	} {
		assert.Equal(t, want, hex.EncodeToString(Numeric.Append(nil, decimalOf(t, text))), text)
		form, _ := hex.DecodeString(want)
		back, ok := Numeric.Read(nil, form)
		if assert.True(t, ok, want) {
			assert.Equal(t, *decimalOf(t, text), back)
		}
	}
}

// TestDecimalLongest: the longest form that can be stored has as many bytes as Longest
// says, and a number of one digit more has none.
func TestDecimalLongest(t *testing.T) {
	for _, f := range []DecimalForm{Numeric, BigDecimal} {
		most, exp := f.Most()
		longest := 0
		for _, digits := range []int{1, most - 1, most, most + 1} {
			for _, sign := range []string{"", "-"} {
				for _, e := range []int{-2 * exp, -2*exp + 1, -1, 0, 1, 2*exp - digits - 1, 2*exp - digits, 2*exp - digits + 1} {
					zeros := strings.Repeat("0", max(0, e))
					text := sign + strings.Repeat("7", digits) + zeros
					if e < 0 {
						text = sign + "0." + strings.Repeat("0", -e) + strings.Repeat("7", digits)
					}
					d := decimalOf(t, text)
					if digits > most && f.Storable(d) {
						t.Errorf("%d: %d digits are stored", f, digits)
					}
					if f.Storable(d) {
						form := f.Append(nil, d)
						require.True(t, f.Holds(form))
						longest = max(longest, len(form))
					}
				}
			}
		}
		assert.Equal(t, longest, f.Shape().Max)
	}
}
