package form

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Padding comes off again, unless the text ends (or begins) in it, which is the
// caller's to refuse.
func TestPads(t *testing.T) {
	values(t, func(value []byte) {
		for _, pad := range []byte{0, 1, 0xff} {
			form := AppendPad(append([]byte("head"), value...), 4, 44, pad)
			if len(form) != 48 || !bytes.HasPrefix(form, append([]byte("head"), value...)) {
				t.Fatalf("%x padded is %x", value, form)
			}
			if n := Unpad(form[4:], pad); !(len(value) > 0 && value[len(value)-1] == pad) && n != len(value) {
				t.Fatalf("%x comes back with %d bytes", form, n)
			}
			form = AppendPadLeft(append([]byte("head"), value...), 4, 44, pad)
			if len(form) != 48 || !bytes.HasSuffix(form, value) || string(form[:4]) != "head" {
				t.Fatalf("%x padded on the left is %x", value, form)
			}
			if n := UnpadLeft(form[4:], pad); !(len(value) > 0 && value[0] == pad) && n != 44-len(value) {
				t.Fatalf("%x comes back without %d bytes", form, n)
			}
		}
	})
}

// A text with its length in front is found whatever follows, and not where bytes are
// missing.
func TestLengths(t *testing.T) {
	values(t, func(value []byte) {
		for width := 1; width <= 4; width++ {
			form := AppendLength(append([]byte("head"), value...), 4, width)[4:]
			if !bytes.HasSuffix(form, value) || len(form) != width+len(value) {
				t.Fatalf("%x with its length is %x", value, form)
			}
			for _, flip := range []byte{0, 0xff} {
				long := append(slices.Clone(form), 1, 2, 3)
				if flip != 0 {
					Invert(long)
				}
				if n := LengthLen(long, width, flip); n != len(form) {
					t.Fatalf("%x has a length of %d", long, n)
				}
				for n := range form {
					if LengthLen(long[:n], width, flip) >= 0 {
						t.Fatalf("%x has an end", long[:n])
					}
				}
			}
		}
	})
	for width, most := range map[int]int{1: 255, 2: 32767, 3: 32767, 4: 32767} {
		if MostOfLength(width) != most {
			t.Errorf("%d bytes tell of %d", width, MostOfLength(width))
		}
	}
}

// A separator after a text is found where the text ends, and nowhere else, exactly
// if Marks says so.
func TestMarks(t *testing.T) {
	const letters = "ab_"
	for _, mark := range []string{"_", "__", "_a", "a_a", "ab"} {
		for n := range 6 {
			count := 1
			for range n {
				count *= len(letters)
			}
			for i := range count {
				text := ""
				for k := i; len(text) < n; k /= len(letters) {
					text += letters[k%len(letters) : k%len(letters)+1]
				}
				if want := strings.Index(text+mark, mark) == len(text); Marks([]byte(text), []byte(mark)) != want {
					t.Fatalf("%q before %q: %t", text, mark, !want)
				}
			}
		}
	}
	for i := range 8 {
		for _, c := range []byte{1, 0x80, 0x7f, 0xff} {
			word := uint64(EachByte) * uint64(c)
			if ZeroBytes(word) != 0 || ZeroBytes(word&^(0xff<<(8*i))) == 0 {
				t.Errorf("%x", word)
			}
		}
	}
}
