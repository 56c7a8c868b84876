package form

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// numbers calls f with the numbers at which a form could err, and with others.
func numbers(f func(u uint64)) {
	for shift := range 64 {
		for _, d := range []uint64{0, 1, 2} {
			f(1<<shift - d)
		}
	}
	p := uint64(1)
	for range 20 {
		f(p - 1)
		f(p)
		p *= 10
	}
	for range 20000 {
		f(rand.Uint64() >> rand.IntN(64))
	}
}

// Big-endian bytes, digits and hexadecimal digits are those that the standard
// library writes, stand behind what dst holds, and come back.
func TestNumbersComeBack(t *testing.T) {
	head := []byte("head")
	numbers(func(u uint64) {
		for n := 1; n <= 8; n++ {
			if form := AppendUint(head, u, n); ReadUint(form[4:]) != u&Mask(n) || len(form) != 4+n {
				t.Fatalf("%d in %d bytes is %x", u, n, form)
			}
		}
		text := strconv.FormatUint(u, 10)
		if DigitsLen(u) != len(text) {
			t.Fatalf("%d has %d digits", u, DigitsLen(u))
		}
		for n := len(text); n <= 20; n++ {
			want := fmt.Sprintf("head%0*d", n, u)
			if form := AppendDigits(head, u, n); string(form) != want {
				t.Fatalf("%d in %d digits is %s", u, n, form)
			}
			if back, ok := ReadDigits([]byte(want[4:])); !ok || back != u {
				t.Fatalf("%s is read as %d %t", want, back, ok)
			}
		}
		for n := len(strconv.FormatUint(u, 16)); n <= 16; n++ {
			want := fmt.Sprintf("head%0*x", n, u)
			if form := AppendHex(head, u, n); string(form) != want {
				t.Fatalf("%d in %d hexadecimal digits is %s", u, n, form)
			}
			if back, ok := ReadHex([]byte(want[4:])); !ok || back != u {
				t.Fatalf("%s is read as %d %t", want, back, ok)
			}
		}
		signed := AppendSigned(head, u)
		if want := "head" + strconv.FormatInt(int64(u), 10); string(signed) != want {
			t.Fatalf("%d is %s", int64(u), signed)
		}
		if back, ok := ReadSigned(signed[4:]); !ok || back != u {
			t.Fatalf("%s is read as %d %t", signed, back, ok)
		}
	})
}

// What is not a number of digits is refused: other characters, wherever they stand,
// more than 64 bits hold, and of a signed number all that String.valueOf never makes.
func TestNumbersRefused(t *testing.T) {
	for n := 1; n <= 20; n++ {
		good := bytes.Repeat([]byte("1"), n)
		for i := range good {
			for _, c := range []byte("/:aF-+ \x00\xff\xb1") {
				bad := bytes.Clone(good)
				bad[i] = c
				if u, ok := ReadDigits(bad); ok {
					t.Errorf("%q is read as %d", bad, u)
				}
				if bad[i] = 'A'; n <= 16 {
					if u, ok := ReadHex(bad); ok {
						t.Errorf("%q is read as %d", bad, u)
					}
				}
			}
		}
	}
	for _, text := range []string{"", "18446744073709551616", "99999999999999999999", "100000000000000000000", "000000000000000000001"} {
		if u, ok := ReadDigits([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, u)
		}
	}
	for _, text := range []string{"", "-", "-0", "+1", "01", "-01", "9223372036854775808", "-9223372036854775809"} {
		if u, ok := ReadSigned([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, int64(u))
		}
	}
}

// Floats sort once they are made to, and come back.
func TestFloatOrder(t *testing.T) {
	floats := []float64{0, 1, -1, 1.5, -1.5, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1)}
	for range 200 {
		floats = append(floats, float64(float32(rand.NormFloat64()*math.Pow(10, float64(rand.IntN(60)-30)))))
	}
	for _, a := range floats {
		for _, size := range []int{4, 8} {
			bits := func(f float64) uint64 {
				if size == 4 {
					return uint64(math.Float32bits(float32(f)))
				}
				return math.Float64bits(f)
			}
			if back := RawFloat(OrderFloat(bits(a), size), size); back != bits(a) {
				t.Fatalf("%v comes back as %x", a, back)
			}
			for _, b := range floats {
				if (OrderFloat(bits(a), size) < OrderFloat(bits(b), size)) != (a < b) {
					t.Fatalf("%v and %v, %d bytes", a, b, size)
				}
			}
		}
	}
}
