package walk

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// cell is a value that was read: a number; of a text its beginning and its end, in the two halves of
// a word. They are places in the key or, if one of the highest bits is set, in the scratch memory or in
// Layout.lists.
type cell = uint64

const (
	inScratch = 1 << 63
	inLists   = 1 << 62
)

// textCell is the cell of the text key[from:to].
func textCell(from, to int) cell { return uint64(from)<<32 | uint64(to) }

// textOf is the text of a cell.
func (r *Cells) textOf(c cell, key, scratch []byte) []byte {
	if c&inScratch != 0 {
		key = scratch
	} else if c&inLists != 0 {
		key = r.lists
	}
	return partOf(c, key)
}

// partOf is textOf in the memory of the text.
func partOf(c cell, text []byte) []byte {
	from, to := c&^(inScratch|inLists)>>32, c&(1<<32-1)
	return text[from:to:to]
}

// takeWord is the number of a word at pos. It is false for bytes that the field does not write.
func (o *op) takeWord(key []byte, pos int) (u uint64, ok bool) {
	shift := o.shift & 63
	switch {
	case uint(pos+8) <= uint(len(key)):
		u = binary.BigEndian.Uint64(key[pos:]) >> shift
	case pos+o.n <= len(key) && pos+o.n >= 8:
		u = binary.BigEndian.Uint64(key[pos+o.n-8:])
	case pos+o.n <= len(key):
		u = forms.ReadUint(key[pos : pos+o.n])
	default:
		return 0, false
	}
	if o.reversed {
		u = bits.ReverseBytes64(u << shift)
	}
	u = (u^o.xor)&o.mask - o.half
	return u, u+o.bias <= o.span && (o.trunc <= 1 || o.c.Beyond(u) == 0)
}

// formEnd is where the form at pos ends; false if it has no end.
func (o *op) formEnd(key []byte, pos int) (int, bool) {
	switch o.end {
	case byWidth:
		return pos + o.n, pos+o.n <= len(key)
	case byKey:
		return len(key), true
	case byMark:
		n := -1
		if rest := mem.Text(key[pos:]); len(o.lit) == 1 {
			n = strings.IndexByte(rest, o.lit[0])
		} else {
			n = strings.Index(rest, o.lit)
		}
		return pos + n, n >= 0
	case bySelf:
		n := o.c.Extent(key[pos:])
		return pos + n, n >= 0
	}
	return 0, false
}

// mostTurned is how long a number's form is at most that takeNumber reverses. No form without a width is longer, and a
// date that is longer has no op.
const mostTurned = 32

// takeNumber is takeWord for any other number, and the end of its form.
func (o *op) takeNumber(key []byte, pos int) (u uint64, to int, ok bool) {
	if to, ok = o.formEnd(key, pos); !ok {
		return 0, 0, false
	}
	form := key[pos:to:to]
	if o.elements != 0 {
		if u, ok = forms.ReadDigits(form); ok {
			if u, ok = forms.DateSeconds(u, o.elements); ok { // else it may lie before 1970
				u -= o.base
				return u, to, u+o.bias <= o.span
			}
		}
	}
	if o.reversed {
		var room [mostTurned]byte
		if len(form) > len(room) {
			return 0, 0, false
		}
		form = room[:copy(room[:], form)]
		slices.Reverse(form)
	}
	switch u, ok = forms.Read(o.c.Num.Form, form); {
	case !ok || u+o.bias > o.span:
		return 0, 0, false
	case o.c.Kind == layout.KindFloat:
		return u, to, o.c.TakesFloat(u)
	}
	return u, to, o.trunc <= 1 || o.c.Beyond(u) == 0
}

// takeText is the place key[from:upto] of a text, in the form that ends at to. If it is turned,
// turnBack makes the text of these bytes. It is false also for a null, and for a text with bytes that are escaped.
func (o *op) takeText(key []byte, pos int) (from, upto, to int, ok bool) {
	if from = pos; o.nullable && o.c.NullAt(key[pos:]) {
		return 0, 0, 0, false
	}
	if o.head != 0 {
		if pos >= len(key) || key[pos] != o.head {
			return 0, 0, 0, false
		}
		from++
	}
	switch o.frame {
	case nul, escaped:
		n := strings.IndexByte(mem.Text(key[from:]), o.flip)
		if n < 0 && o.c.Trims { // only nulls follow
			upto, to = len(key), len(key)
			break
		}
		if n < 0 {
			return 0, 0, 0, false
		}
		if upto, to = from+n, from+n+1; o.frame == escaped {
			if to++; to > len(key) || key[to-1] != 1^o.flip {
				return 0, 0, 0, false
			}
		}
		if o.c.Trims && to == len(key) {
			return 0, 0, 0, false
		}
	case length:
		w := o.c.Width
		n := forms.LengthLen(key[from:], w, o.flip)
		if n < 0 {
			return 0, 0, 0, false
		}
		to = from + n
		from, upto = from+w, to
	case bare, padded, padLeft:
		if to, ok = o.formEnd(key, pos); !ok || to < from {
			return 0, 0, 0, false
		}
		if upto = to; o.frame == padded {
			upto = from + forms.Unpad(key[from:to], o.pad)
		} else if o.frame == padLeft {
			from += forms.UnpadLeft(key[from:to], o.pad)
		}
	}
	return from, upto, to, o.turned > reversal || o.fits(key[from:upto]) // what is reversed has the same bytes, and as many
}

// fits reports that a field takes a text.
func (o *op) fits(text []byte) bool {
	return len(text) >= o.least && len(text) <= o.most && (o.chars == nil || forms.Outside(o.chars, text) < 0)
}

// turnBack appends the text of a form that is turned, which stands between its head and its end.
func (o *op) turnBack(dst, form []byte) (_ []byte, ok bool) {
	at := len(dst)
	switch o.turned {
	case reversal:
		dst = append(dst, form...)
		slices.Reverse(dst[at:])
		return dst, true
	case inverted:
		dst = append(dst, form...)
		forms.Invert(dst[at:])
		return dst, o.fits(dst[at:])
	case packed:
		if len(form) != forms.UUIDSize {
			return dst, false
		}
		dst = slices.Grow(dst, forms.UUIDText)[:at+forms.UUIDText]
		forms.PutUUID((*[forms.UUIDText]byte)(dst[at:]), form)
		return dst, o.fits(dst[at:])
	}
	dst = append(dst, form...)
	if o.flip != 0 {
		forms.Invert(dst[at:])
	}
	dst, err := o.c.UndoStages(dst, at)
	return dst, err == nil && o.fits(dst[at:])
}

// takeListed is the listed text whose form begins at pos, and the end of the form.
func (o *op) takeListed(key []byte, pos int) (value cell, to int, ok bool) {
	upto := 0
	if o.frame == nul {
		n := strings.IndexByte(mem.Text(key[pos:]), 0)
		upto, to, ok = pos+n, pos+n+1, n >= 0
	} else {
		to, ok = o.formEnd(key, pos)
		upto = to
	}
	if !ok {
		return 0, 0, false
	}
	found := o.list.Find(mem.Text(key[pos:upto]))
	if found == nil {
		return 0, 0, false
	}
	return *found, to, true
}
