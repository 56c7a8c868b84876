package form

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// numbers calls f with the numbers at which a form could err, and with others.
func numbers(t *testing.T, f func(u uint64)) {
	r := seed.Rand(t)
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
		f(r.Uint64() >> r.IntN(64))
	}
}

// Big-endian bytes, digits and hexadecimal digits are those that the standard
// library writes, stand after what dst holds, and come back.
func TestNumbersComeBack(t *testing.T) {
	head := []byte("head")
	numbers(t, func(u uint64) {
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
		signed := Append(&Plain{Signed: true}, head, u)
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
	r := seed.Rand(t)
	for range 200 {
		floats = append(floats, float64(float32(r.NormFloat64()*math.Pow(10, float64(r.IntN(60)-30)))))
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

// Each way to write a number gives it back, stands after what dst holds, has the
// width that it says, and refuses bytes too few or too many where it has one.
func TestNumbers(t *testing.T) {
	day, _ := NewLayout("2006-01-02", time.UTC)
	digits, _ := NewLayout("20060102", time.UTC)
	cut := func(size int) func(uint64) uint64 { return func(u uint64) uint64 { return u & Mask(size) } }
	sign := func(size int) func(uint64) uint64 {
		return func(u uint64) uint64 { shift := 64 - 8*size; return uint64(int64(u<<shift) >> shift) }
	}
	float := func(size int) func(uint64) uint64 {
		return func(u uint64) uint64 {
			f := float64(int64(u))
			if size == 4 {
				f = float64(float32(f))
			}
			return math.Float64bits(f)
		}
	}
	second := func(u uint64) uint64 { return u % 2932896 * 86400 }
	told := map[string]Number{}
	numbered := map[int]string{}
	orders := map[Order]int{}
	for _, c := range []struct {
		form  Number
		admit func(u uint64) uint64 // a number that the form holds
	}{
		{&BigEndian{Size: 3}, cut(3)},
		{&BigEndian{Size: 8, Xor: 1<<63 - 1}, func(u uint64) uint64 { return u >> 1 }},
		{&BigEndian{Size: 4, Xor: 1 << 31, Signed: true, Head: HeadInt32}, sign(4)},
		{&BigEndian{Size: 2, Xor: 0x7fff, Signed: true}, sign(2)},
		{&Float{BigEndian: BigEndian{Size: 8}}, float(8)},
		{&Float{BigEndian: BigEndian{Size: 4, Xor: Mask(4), Head: HeadFloat32 ^ 0xff}}, float(4)},
		{&Float{BigEndian: BigEndian{Size: 4}, Add: 1}, float(4)},
		{&Float{BigEndian: BigEndian{Size: 8}, Raw: true}, float(8)},
		{&Bool{True: 1}, func(u uint64) uint64 { return u & 1 }},
		{&Bool{True: 0xff, Xor: 0xff}, func(u uint64) uint64 { return u & 1 }},
		{&Digits{N: 20}, cut(8)},
		{&Digits{N: 3, Nines: 999}, func(u uint64) uint64 { return u % 1000 }},
		{&Digits{N: 19, Xor: 1<<63 - 1}, func(u uint64) uint64 { return u >> 1 }},
		{&Hex{N: 6, Xor: 0xffffff}, cut(3)},
		{&Plain{}, cut(8)},
		{&Plain{Xor: 1<<63 - 1}, func(u uint64) uint64 { return u >> 1 }},
		{&Plain{Signed: true}, cut(8)},
		{&Varint{}, cut(8)},
		{&Varint{Flip: 0xff}, cut(8)},
		{&Varint{Xor: Mask(3)}, cut(3)},
		{&Date{Layout: day}, second},
		{&Date{Layout: digits, Desc: true}, second},
		{&DateNum{Layout: digits, BigEndian: BigEndian{Size: 4, Xor: 1<<31 - 1}}, second},
		{&Timestamp{Xor: 1 << 63}, func(u uint64) uint64 { return u &^ (1 << 63) }},
		{&Whole{As: Numeric}, cut(8)},
		{&Whole{As: BigDecimal, Signed: true}, cut(8)},
	} {
		facts := c.form.Facts()
		sh := c.form.Shape(0, math.MaxUint64)
		orders[sh.Order()]++
		as := fmt.Sprintf("%+v %x", c.form.Told(), facts.Head)
		if other := told[as]; other != nil && facts.Binary {
			t.Fatalf("%#v and %#v tell the same of themselves", c.form, other)
		}
		if n := c.form.Told().Form; n != toldBytes {
			if t0 := fmt.Sprintf("%T", c.form); numbered[n] == "" {
				numbered[n] = t0
			} else if numbered[n] != t0 {
				t.Errorf("%s and %s have one number in fingerprints: %d", numbered[n], t0, n)
			}
		}
		told[as] = c.form
		var made []placed
		r := seed.Rand(t)
		numbers(t, func(u uint64) {
			u = c.admit(u)
			form := Append(c.form, []byte("head"), u)
			if string(form[:4]) != "head" {
				t.Fatalf("%#v changes what stands in front: %x", c.form, form)
			}
			form = form[4:]
			if back, ok := Read(c.form, form); !ok || back != u {
				t.Fatalf("%#v: %d is %x, which is read as %d %t", c.form, u, form, back, ok)
			}
			if Head(c.form) != 0 && form[0] != Head(c.form) {
				t.Fatalf("%#v: %x has another header", c.form, form)
			}
			if _, float := c.form.(*Float); !float { // of whose bits the field judges which are a number
				other := bytes.Clone(form)
				if at := r.IntN(len(other)); r.IntN(2) == 0 {
					other[at] ^= 1 << r.IntN(8)
				} else {
					other = slices.Insert(other, at, other[at]&0xf0)
				}
				if back, ok := Read(c.form, other); ok && !bytes.Equal(Append(c.form, nil, back), other) {
					t.Fatalf("%#v: %x is read as %d, which is written otherwise", c.form, other, back)
				}
			}
			if len(form) < sh.Min || len(form) > sh.Max {
				t.Fatalf("%#v: %x has not %d to %d bytes", c.form, form, sh.Min, sh.Max)
			}
			want, more := -1, append(bytes.Clone(form), form[len(form)-1])
			if sh.Ends == EndSelf {
				want = len(form)
			}
			if n := Len(c.form, more, 0); n != want {
				t.Fatalf("%#v: %x is a form of %d bytes", c.form, more, n)
			}
			Invert(more)
			if n := Len(c.form, more, 0xff); n != want {
				t.Fatalf("%#v: %x, whose bytes are XOR ff, is a form of %d bytes", c.form, more, n)
			}
			for _, b := range form {
				if !sh.Bytes.Has(b) {
					t.Fatalf("%#v: %x has a byte that its shape has not", c.form, form)
				}
			}
			if facts.Word > 0 && !bytes.Equal(form, AppendUint(nil, u^facts.Xor, facts.Word)) {
				t.Fatalf("%#v: %x is not the number's bytes", c.form, form)
			}
			made = append(made, placed{place(c.form, u), string(form)})
			if !sh.Fixed() {
				return
			}
			if _, ok := Read(c.form, form[:len(form)-1]); ok {
				t.Fatalf("%#v: a form without its last byte is read", c.form)
			}
			if _, ok := Read(c.form, append(form, form[len(form)-1])); ok {
				t.Fatalf("%#v: a form with one byte more is read", c.form)
			}
		})
		inOrder(t, c.form, sh.Order(), made)
		if facts.Apart {
			at := slices.IndexFunc(made, func(p placed) bool { return p.place >= 1<<63 })
			orderOf := func(d Direction) Order { return Shape{Dir: d}.Order() }
			inOrder(t, c.form, orderOf(facts.Below), made[:at])
			inOrder(t, c.form, orderOf(facts.Above), made[at:])
		}
	}
	if len(orders) != 3 {
		t.Errorf("the forms have the orders %v", orders)
	}
}

// placed is a number's place in the order of its kind, and its form.
type placed struct {
	place uint64
	form  string
}

func place(n Number, u uint64) uint64 {
	signed := false
	switch n := n.(type) {
	case *Float:
		return OrderFloat(u, 8)
	case *BigEndian:
		signed = n.Signed
	case *Plain:
		signed = n.Signed
	case *Whole:
		signed = n.Signed
	}
	if signed {
		u ^= 1 << 63
	}
	return u
}

// inOrder sorts some numbers and holds their forms against what is said of them.
func inOrder(t *testing.T, n Number, order Order, made []placed) {
	t.Helper()
	slices.SortFunc(made, func(a, b placed) int { return cmp.Compare(a.place, b.place) })
	for i := range made[1:] {
		c := cmp.Compare(made[i].form, made[i+1].form)
		if order == Forward && c > 0 || order == Backward && c < 0 {
			t.Fatalf("%#v: %x, then %x", n, made[i].form, made[i+1].form)
		}
	}
}

// Every way to write a number has its case in this file, and in Append and Read, and in Len
// if its forms end themselves.
func TestNumbersAll(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	method := regexp.MustCompile(`func \(n \*(\w+)\) (append|read|len)\(`)
	dispatch, err := os.ReadFile("dispatch.go")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("number_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range method.FindAllSubmatch(text, -1) {
			found++
			if !bytes.Contains(tests, append([]byte("{&"), append(m[1], '{')...)) {
				t.Errorf("%s is not tested", m[1])
			}
			if call := fmt.Sprintf("case *%s:\n\t\treturn n.%s(", m[1], m[2]); !bytes.Contains(dispatch, []byte(call)) {
				t.Errorf("dispatch.go has no %s", call)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d ways to write and to read a number", found)
	}
}
