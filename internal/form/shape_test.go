package form

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// What a shape says holds of every text over a small alphabet: lengths, bytes, that no
// form begins another, and how the forms sort.
func TestShapesTellTheTruth(t *testing.T) {
	type way struct {
		name  string
		shape func(s Shape) Shape
		write func(form []byte) []byte // nil where the form is refused
	}
	only := func(n int) func([]byte) []byte {
		return func(b []byte) []byte {
			if len(b) != n {
				return nil
			}
			return b
		}
	}
	pad := func(b byte, left bool) func([]byte) []byte {
		return func(form []byte) []byte {
			if len(form) > 3 || len(form) > 0 && !left && form[len(form)-1] == b || len(form) > 0 && left && form[0] == b {
				return nil
			}
			if left {
				return AppendPadLeft(form, 0, 3, b)
			}
			return AppendPad(form, 0, 3, b)
		}
	}
	marked := func(mark string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !Marks(b, []byte(mark)) {
				return nil
			}
			return append(b, mark...)
		}
	}
	invert := func(b []byte) []byte { Invert(b); return b }
	first := []way{
		{"as it is", func(s Shape) Shape { return s }, func(b []byte) []byte { return b }},
		{"inverted", Shape.Inverted, invert},
		{"reversed", Shape.Reversed, func(b []byte) []byte { slices.Reverse(b); return b }},
		{"cut", func(s Shape) Shape { return s.Cut(2, false) }, func(b []byte) []byte { return b[:min(2, len(b))] }},
		{"exactly", func(s Shape) Shape { return s.Exactly(2) }, only(2)},
	}
	ends := []way{
		{"escaped", Shape.Escaped, func(b []byte) []byte { return AppendEscape(b, 0) }},
		{"ended", Shape.Ended, func(b []byte) []byte {
			if bytes.IndexByte(b, 0) >= 0 {
				return nil
			}
			return append(b, 0)
		}},
		{"grouped", Shape.Grouped, func(b []byte) []byte { return AppendBlobVar(b, 0) }},
		{"lengthed", func(s Shape) Shape { return s.Lengthed(1, NoOrder) }, func(b []byte) []byte { return AppendLength(b, 0, 1) }},
		{"exactly", func(s Shape) Shape { return s.Exactly(1) }, only(1)},
	}
	for _, b := range []byte("\x00a\xff") {
		ends = append(ends,
			way{fmt.Sprintf("pad %02x", b), func(s Shape) Shape { return s.Padded(3, b) }, pad(b, false)},
			way{fmt.Sprintf("padleft %02x", b), func(s Shape) Shape { return s.PaddedLeft(3, b) }, pad(b, true)})
	}
	for _, mark := range []string{"a", "b", "_", "\x00", "ab", "\x00\x00"} {
		ends = append(ends, way{fmt.Sprintf("marked %q", mark), func(s Shape) Shape { return s.Marked([]byte(mark)) }, marked(mark)})
	}
	orders := map[Order]int{}
	for _, letters := range []string{"ab", "\x00\x01", "\x00\xff", "a_"} {
		texts := []string{""}
		for from := 0; len(texts) < 15; from++ {
			texts = append(texts, texts[from]+letters[:1], texts[from]+letters[1:])
		}
		slices.Sort(texts)
		for _, f := range first {
			for _, e := range ends {
				for _, flip := range []bool{false, true} {
					s := e.shape(f.shape(Shape{Max: -1, Bytes: BytesOf(letters)}))
					if flip {
						s = s.Flipped()
					}
					var made [][]byte
					for _, text := range texts {
						form := f.write([]byte(text))
						if form != nil {
							form = e.write(form)
						}
						if form != nil && flip {
							form = invert(form)
						}
						if form != nil {
							made = append(made, form)
						}
					}
					orders[s.Order()]++
					holds(t, fmt.Sprintf("%q %s, %s, flipped %t", letters, f.name, e.name, flip), s, made)
				}
			}
		}
	}
	if len(orders) != 3 {
		t.Errorf("the shapes have the orders %v", orders)
	}
}

// holds tells what a shape says that is not so of some forms, which are in the order of
// their values; those of equal values may be equal.
func holds(t *testing.T, name string, s Shape, made [][]byte) {
	t.Helper()
	mark := s.Ends == EndMarked // the shape is of what stands in front
	for i, f := range made {
		if !mark && (len(f) < s.Min || s.Max >= 0 && len(f) > s.Max) {
			t.Errorf("%s: %x has %d bytes, not %d to %d", name, f, len(f), s.Min, s.Max)
		}
		for _, b := range f {
			if !mark && !s.Bytes.Has(b) {
				t.Errorf("%s: %x has a byte of none", name, f)
			}
		}
		for _, g := range made[i+1:] {
			if bytes.Equal(f, g) {
				continue
			}
			if s.Free || s.Ends == EndSelf {
				if bytes.HasPrefix(f, g) || bytes.HasPrefix(g, f) {
					t.Errorf("%s: one of %x and %x begins the other", name, f, g)
				}
			}
			if c := bytes.Compare(f, g); s.Order() == Forward && c > 0 || s.Order() == Backward && c < 0 {
				t.Errorf("%s: %x, then %x", name, f, g)
			}
		}
	}
}
