package walk

import (
	"encoding/binary"
	"math/bits"
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

// takeWord is takeNum for a word.
func (o *op) takeWord(key []byte, pos int) (u uint64, ok bool) {
	switch to := pos + o.n; {
	case to > len(key) || o.head != 0 && key[pos] != o.head:
		return 0, false
	case to >= 8:
		u = binary.BigEndian.Uint64(key[to-8 : to])
	case to < 8:
		u = forms.ReadUint(key[:to])
	}
	if o.reversed {
		u = bits.ReverseBytes64(u << ((8 - o.n) * 8 & 63))
	}
	if u = (u^o.xor)&o.mask - o.half; o.float != nil {
		u = o.float.Bits(u)
		return u, o.c.TakesFloat(u)
	}
	return u, o.within(u)
}

// bare reports that nothing stands around a text in its form.
func (o *op) bare() bool { return o.c.Frame <= layout.FrameFixed }

// formEnd is where the form at pos ends; more than len(key) if it has no end. It is inlined.
func (o *op) formEnd(key []byte, pos int) int {
	if o.end == forms.EndWidth {
		return pos + o.n
	}
	return o.findEnd(key, pos)
}

// findEnd is formEnd for a form without a width.
func (o *op) findEnd(key []byte, pos int) int {
	n := -1
	switch o.end {
	case forms.EndLast:
		return len(key)
	case forms.EndMarked:
		if rest := mem.Text(key[pos:]); len(o.lit) == 1 {
			n = strings.IndexByte(rest, o.lit[0])
		} else {
			n = strings.Index(rest, o.lit)
		}
	case forms.EndSelf:
		n = o.c.Extent(key[pos:])
	case forms.EndWidth, forms.EndNone, forms.EndLoose:
	}
	if n < 0 {
		return len(key) + 1
	}
	return pos + n
}

// mostTurned is how long a number's form is at most that takeNum reverses. No form without a width is longer, and a
// date that is longer has no op.
const mostTurned = 32

// takeNum is the number at pos, or the cell of a text that is listed, and the end of its form. It is false for
// bytes that the field does not write.
func (o *op) takeNum(key []byte, pos int) (u uint64, to int, ok bool) {
	switch to = pos + o.n; {
	case o.what == word:
		u, ok = o.takeWord(key, pos)
		return u, to, ok
	case o.what == listed:
		return o.takeListed(key, pos)
	case o.what != number:
		return 0, 0, false
	case o.varint != nil:
		u, to, ok = forms.TakeVarint(key, pos, o.varint.Flip)
		u ^= o.varint.Xor
		return u, to, ok && o.within(u)
	case o.end != forms.EndWidth:
		to = o.findEnd(key, pos)
	}
	if to > len(key) {
		return 0, 0, false
	}
	form := key[pos:to:to]
	if o.reversed {
		var room [mostTurned]byte
		if len(form) > len(room) {
			return 0, 0, false
		}
		form = room[:copy(room[:], form)]
		forms.Reverse(form)
	}
	switch {
	case !o.digits:
		u, ok = forms.Read(o.c.Num.Form, form)
	case o.n < 8 && to >= 8: // here: Read takes two calls more
		u, ok = forms.ReadFew(binary.LittleEndian.Uint64(key[to-8:to]), o.n)
	default:
		u, ok = forms.ReadDigits(form)
	}
	return u, to, ok && o.within(u)
}

// within reports that a number is one of the field's. It is inlined.
func (o *op) within(u uint64) bool {
	return u+o.bias <= o.span && (o.trunc <= 1 || o.c.Beyond(u) == 0)
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
	switch c := o.c; c.Frame {
	case layout.FrameNul, layout.FrameEscaped:
		n := strings.IndexByte(mem.Text(key[from:]), o.flip)
		if n < 0 && c.Trims { // only nulls follow
			upto, to = len(key), len(key)
			break
		}
		if n < 0 {
			return 0, 0, 0, false
		}
		if upto, to = from+n, from+n+1; c.Frame == layout.FrameEscaped {
			if to++; to > len(key) || key[to-1] != 1^o.flip {
				return 0, 0, 0, false
			}
		}
		if c.Trims && to == len(key) {
			return 0, 0, 0, false
		}
	case layout.FrameLength:
		w := c.Width
		n := forms.LengthLen(key[from:], w, o.flip)
		if n < 0 {
			return 0, 0, 0, false
		}
		to = from + n
		from, upto = from+w, to
	case layout.FrameBlobVar: // it has no op
		return 0, 0, 0, false
	case layout.NoFrame, layout.FrameFixed, layout.FramePad, layout.FramePadLeft:
		if to = o.formEnd(key, pos); to > len(key) || to < from {
			return 0, 0, 0, false
		}
		if upto = to; c.Frame == layout.FramePad {
			upto = from + forms.Unpad(key[from:to], o.pad)
		} else if c.Frame == layout.FramePadLeft {
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
	if o.turned == packed {
		dst, ok = forms.UnpackUUID(dst, form)
		return dst, ok && o.fits(dst[at:])
	}
	dst = append(dst, form...)
	switch o.turned {
	case reversal:
		forms.Reverse(dst[at:])
		return dst, true
	case inverted:
		forms.Invert(dst[at:])
	case notTurned, packed, staged:
		if o.flip != 0 {
			forms.Invert(dst[at:])
		}
		var err error
		if dst, err = o.c.UndoStages(dst, at); err != nil {
			return dst, false
		}
	}
	return dst, o.fits(dst[at:])
}

// takeListed is takeNum for a text that is listed.
func (o *op) takeListed(key []byte, pos int) (value cell, to int, ok bool) {
	upto := 0
	if o.c.Frame == layout.FrameNul {
		n := strings.IndexByte(mem.Text(key[pos:]), 0)
		if upto, to = pos+n, pos+n+1; n < 0 {
			return 0, 0, false
		}
	} else if to = o.formEnd(key, pos); to <= len(key) {
		upto = to
	} else {
		return 0, 0, false
	}
	value, ok = o.listed(key[pos:upto])
	return value, to, ok
}

// listed is what the form of a text that is listed stands for.
func (o *op) listed(form []byte) (value cell, ok bool) {
	if found := o.list.Find(mem.Text(form)); found != nil {
		return *found, true
	}
	return 0, false
}
