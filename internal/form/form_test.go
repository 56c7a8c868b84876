package form

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// unhex is the bytes of the hexadecimal text of a comment.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// values calls f with values of each length below 40, full of the bytes that a
// form could mistake.
func values(t *testing.T, f func(value []byte)) {
	r := seed.Rand(t)
	for n := range 40 {
		for range 200 {
			value := make([]byte, n)
			for i := range value {
				value[i] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
			}
			f(value)
		}
	}
}

// minus is −n in two's complement.
func minus(n uint64) uint64 { return -n }

func decimalText(f DecimalForm, text string) func([]byte) []byte {
	return func([]byte) []byte {
		d, _ := DecimalText(nil, text)
		return f.Append(nil, &d)
	}
}

// TestExamples: the bytes that the comments show.
func TestExamples(t *testing.T) {
	whole := func(f func([]byte)) func([]byte) []byte {
		return func(b []byte) []byte { f(b); return b }
	}
	for _, c := range []struct {
		name, value, form string
		write             func([]byte) []byte
	}{
		{"escape", "61 62", "61 62 00 01", func(b []byte) []byte { return AppendEscape(b, 0) }},
		{"escape", "61 00 62", "61 00 ff 62 00 01", func(b []byte) []byte { return AppendEscape(b, 0) }},
		{"escape", "", "00 01", func(b []byte) []byte { return AppendEscape(b, 0) }},
		{"blob", "", "00", func(b []byte) []byte { return AppendBlobVar(b, 0) }},
		{"blob", "01", "80 40", func(b []byte) []byte { return AppendBlobVar(b, 0) }},
		{"blob", "00 00", "80 80 00", func(b []byte) []byte { return AppendBlobVar(b, 0) }},
		{"reverse", "61 62 63", "63 62 61", whole(slices.Reverse[[]byte])},
		{"runes", "62 c3 a9", "c3 a9 62", whole(ReverseRunes)},
		{"labels", "61 2e 62 2e 63", "63 2e 62 2e 61", whole(func(b []byte) { ReverseLabels(b, []byte(".")) })},
		{"big-endian", "", "00 07", func([]byte) []byte { return AppendUint(nil, 7, 2) }},
		{"big-endian", "", "01 00 02", func([]byte) []byte { return AppendUint(nil, 65538, 3) }},
		{"inverted", "61 00", "9e ff", whole(Invert)},
		{"digits", "", "30 30 30 34 32", func([]byte) []byte { return AppendDigits(nil, 42, 5) }},
		{"complement", "30 30 37", "39 39 32", whole(ComplementDigits)},
		{"hexadecimal", "", "30 30 62 65 65 66", func([]byte) []byte { return AppendHex(nil, 48879, 6) }},
		{"signed", "", "2d 31 32", func([]byte) []byte { return Append(&Plain{Signed: true}, nil, minus(12)) }},
		{"signed", "", "30", func([]byte) []byte { return Append(&Plain{Signed: true}, nil, 0) }},
		{"float", "", "bf f8 00 00 00 00 00 00", func([]byte) []byte { return AppendUint(nil, OrderFloat(math.Float64bits(1.5), 8), 8) }},
		{"float", "", "40 07 ff ff ff ff ff ff", func([]byte) []byte { return AppendUint(nil, OrderFloat(math.Float64bits(-1.5), 8), 8) }},
		{"float", "", "80 00 00 00 00 00 00 00", func([]byte) []byte { return AppendUint(nil, OrderFloat(0, 8), 8) }},
		{"pad", "61 62", "61 62 00 00", func(b []byte) []byte { return AppendPad(b, 0, 4, 0) }},
		{"pad on the left", "61 62", "20 20 61 62", func(b []byte) []byte { return AppendPadLeft(b, 0, 4, ' ') }},
		{"length", "61 62 63", "00 03 61 62 63", func(b []byte) []byte { return AppendLength(b, 0, 2) }},
		{"length", "", "00", func(b []byte) []byte { return AppendLength(b, 0, 1) }},
		{"numeric", "", "18 19 45 64", decimalText(Numeric, "12.345")},
		{"numeric", "", "12 fd", decimalText(Numeric, "-1")},
		{"BigDecimal", "", "c1 0d 23 33", decimalText(BigDecimal, "12.345")},
		{"BigDecimal", "", "3e 64 66", decimalText(BigDecimal, "-1")},
		{"timestamp", "", "80 00 00 00 00 00 00 01 00 07 a1 20", func([]byte) []byte { return AppendTimestamp(nil, 1_500_000, 1<<63, 0) }},
	} {
		if got := c.write(unhex(t, c.value)); !bytes.Equal(got, unhex(t, c.form)) {
			t.Errorf("%s of %s is % x, want %s", c.name, c.value, got, c.form)
		}
	}
	uuid, ok := PackUUID([]byte("fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"))
	if !ok || !bytes.Equal(uuid, unhex(t, "fb2b4e5e1c7d4f6a9b1e2f00c0ffee01")) {
		t.Errorf("uuid % x %t", uuid, ok)
	}
	if from, ok := UUIDFrom("f"); !ok || from != "f0000000-0000-0000-0000-000000000000" {
		t.Errorf("the least UUID from f is %s %t", from, ok)
	}
}

// A form that ends itself is found by its length whatever follows, comes back as
// its value, and none of its beginnings is one. It is made after what stands in
// dst already.
func TestFramesComeBack(t *testing.T) {
	for name, f := range map[string]struct {
		write func(dst []byte, at int) []byte
		size  func(b []byte, flip byte) int
		undo  func(b []byte) (int, bool)
	}{
		"escape": {AppendEscape, EscapedLen, UndoEscape},
		"blob":   {AppendBlobVar, BlobVarLen, UndoBlobVar},
	} {
		values(t, func(value []byte) {
			dst := f.write(append([]byte("head"), value...), 4)
			if string(dst[:4]) != "head" {
				t.Fatalf("%s of %x changes what stands in front: %x", name, value, dst)
			}
			form := dst[4:]
			for _, flip := range []byte{0, 0xff} {
				long := append(slices.Clone(form), 0, 0xff, 1)
				if flip != 0 {
					for i := range long {
						long[i] ^= 0xff
					}
				}
				if n := f.size(long, flip); n != len(form) {
					t.Fatalf("%s of %x is %x: its length is %d, flip %x", name, value, form, n, flip)
				}
				for n := range form {
					if f.size(long[:n], flip) >= 0 {
						t.Fatalf("%s of %x begins as another form of %d bytes", name, value, n)
					}
				}
			}
			back := slices.Clone(form)
			n, ok := f.undo(back)
			if !ok {
				t.Fatalf("%s: %x is not read", name, form)
			}
			back = back[:n]
			if n, ok := f.undo(slices.Clone(form[:len(form)-1])); ok {
				t.Fatalf("%s: a form without its last byte is read as %d bytes", name, n)
			}
			if !bytes.Equal(back, value) {
				t.Fatalf("%s: %x comes back as %x", name, value, back)
			}
		})
	}
	// Each pair of bytes is a form, or is refused; those that are come back.
	for n := range 1 << 16 {
		pair := []byte{byte(n >> 8), byte(n)}
		for name, f := range map[string]struct {
			undo  func([]byte) (int, bool)
			write func([]byte, int) []byte
		}{"escape": {UndoEscape, AppendEscape}, "blob": {UndoBlobVar, AppendBlobVar}} {
			back := slices.Clone(pair)
			if size, ok := f.undo(back); ok && !bytes.Equal(f.write(slices.Clone(back[:size]), 0), pair) {
				t.Fatalf("%s: %x is read as what is written otherwise", name, pair)
			}
		}
	}
}

// Escaped forms sort as their values do.
func TestEscapeOrder(t *testing.T) {
	var all [][]byte
	for n := range 4 {
		for i := range 1 << (2 * n) {
			value := make([]byte, n)
			for k := range value {
				value[k] = []byte{0, 1, 0xfe, 0xff}[i>>(2*k)&3]
			}
			all = append(all, value)
		}
	}
	for _, a := range all {
		for _, b := range all {
			x, y := AppendEscape(slices.Clone(a), 0), AppendEscape(slices.Clone(b), 0)
			if bytes.Compare(x, y) != bytes.Compare(a, b) {
				t.Fatalf("%x is %x, %x is %x", a, x, b, y)
			}
		}
	}
}

// Reversals undo themselves.
func TestReversals(t *testing.T) {
	values(t, func(value []byte) {
		for name, f := range map[string]func([]byte){
			"reverse": slices.Reverse[[]byte], "labels": func(b []byte) { ReverseLabels(b, []byte{0, 1}) },
		} {
			b := slices.Clone(value)
			f(b)
			if f(b); !bytes.Equal(b, value) {
				t.Fatalf("%s twice makes %x of %x", name, b, value)
			}
		}
	})
	for _, text := range []string{"", "a", "é", "bé", "淘宝a", "😁é", "e\u0301"} {
		b := []byte(text)
		ReverseRunes(b)
		runes := []rune(text)
		slices.Reverse(runes)
		if string(b) != string(runes) {
			t.Errorf("%q is %q", text, b)
		}
	}
}

// Timestamps come back, those at the ends too, and what is never written does not.
func TestTimestamp(t *testing.T) {
	for _, flips := range [][2]uint64{{0, 0}, {1 << 63, 0}, {math.MaxInt64, math.MaxUint64}} {
		for _, n := range []int64{0, 1, -1, nanosOfMilli, -nanosOfMilli, nanosOfMilli - 1, 1 - nanosOfMilli, math.MaxInt64, math.MinInt64 + 1} {
			form := AppendTimestamp(nil, n, flips[0], flips[1])
			if back, ok := ReadTimestamp(form, flips[0], flips[1]); !ok || back != n || len(form) != TimestampLen {
				t.Errorf("%d is %x, which is read as %d %t", n, form, back, ok)
			}
		}
	}
	for _, form := range []string{"0000000000000000 000f4240", "7fffffffffffffff 00000000", "8000000000000000 00000000"} {
		if n, ok := ReadTimestamp(unhex(t, form), 0, 0); ok {
			t.Errorf("%s is read as %d", form, n)
		}
	}
}

// What is no UUID is refused: upper case, a dash elsewhere, other characters.
func TestUUIDRefused(t *testing.T) {
	const good = "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"
	for i := range good {
		for _, c := range "-gAF/:`\x00" {
			text := []byte(good)
			if text[i] = byte(c); string(text) == good {
				continue
			}
			if _, ok := PackUUID(text); ok {
				t.Errorf("%q at %d is taken", c, i)
			}
		}
	}
	if text, ok := UnpackUUID([]byte("head"), nil); ok {
		t.Errorf("nothing is read as %s", text)
	}
}
