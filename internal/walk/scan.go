package walk

import (
	"encoding/binary"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// Cells are the values of a key. Of the key they hold no pointer: the texts that do not stand in it as
// they are lie in scratch memory, which is passed beside them, so that both stay on the stack.
type Cells struct {
	cells [few]cell
	nulls uint32
	lists []byte // of the Layout
}

// few is the number of fields up to which a key is read here. It is a power of 2.
const few = layout.FewFields

// null reports that a field is null.
func (r *Cells) null(i int) bool { return r.nulls>>i&1 != 0 }

// scan reads a whole key: the places of its components go to at, its values to r and scratch. If derived, it
// checks also the salts, hashes and copies. It is false for a key with a fault, or that it cannot read.
func (w *Layout) scan(key []byte, at layout.Spans, r *Cells, scratch []byte, derived bool) (_ []byte, ok bool) {
	if len(key) == 0 || len(key) > w.s.MaxLen {
		return scratch, false
	}
	pos := 0
	if w.lists != nil {
		r.lists = w.lists
	}
	for i := range w.ops {
		o := &w.ops[i]
		at[i] = uint16(pos)
		switch o.what {
		case gap:
			if pos += o.n; pos > len(key) {
				return scratch, false
			}
		case constant:
			if !strings.HasPrefix(mem.Text(key[pos:]), o.lit) {
				return scratch, false
			}
			pos += o.n
		case word, number, listed:
			u, to, ok := uint64(0), pos+o.n, false
			if o.loads && to >= 8 && to <= len(key) { // here: a call takes a tenth of the time of such a key
				u = (binary.BigEndian.Uint64(key[to-8:to])^o.xor)&o.mask - o.half
				ok = u+o.bias <= o.span
			} else {
				u, to, ok = o.takeNum(key, pos)
			}
			if !ok {
				return scratch, false
			}
			r.cells[o.cell&(few-1)] = u
			pos = to
		case text:
			if o.plain { // here: take takes a quarter of the time of such a key
				if n := strings.IndexByte(mem.Text(key[pos:]), o.sep); n >= o.least && n <= o.most {
					r.cells[o.cell&(few-1)] = textCell(pos, pos+n)
					pos += n + int(o.over)
					continue
				}
			}
			fallthrough
		case varying, other:
			if pos, scratch, ok = o.take(key, pos, r, scratch); !ok {
				return scratch, false
			}
		}
	}
	at[len(w.ops)] = uint16(pos)
	return scratch, pos == len(key) && (!derived || len(w.checks) == 0 || w.right(key, at, r, scratch))
}

// take is scan for one component that takes long by itself. It gives the end of its form.
func (o *op) take(key []byte, pos int, r *Cells, scratch []byte) (to int, _ []byte, ok bool) {
	u := &r.cells[o.cell&(few-1)]
	switch o.what {
	case text:
		from, upto, to, ok := o.takeText(key, pos)
		if !ok {
			return o.takeOther(key, pos, r, scratch)
		}
		*u = textCell(from, upto)
		if o.turned != notTurned {
			n := len(scratch)
			scratch, ok = o.turnBack(scratch, key[from:upto])
			*u = inScratch | textCell(n, len(scratch))
		}
		return to, scratch, ok
	case word, number, listed:
		*u, to, ok = o.takeNum(key, pos)
		return to, scratch, ok
	case varying:
		n := o.c.Extent(key[pos:])
		return pos + n, scratch, n >= 0
	}
	return o.takeOther(key, pos, r, scratch)
}

// takeOther is take by the component.
func (o *op) takeOther(key []byte, pos int, r *Cells, scratch []byte) (to int, _ []byte, ok bool) {
	c := o.c
	n := c.Extent(key[pos:])
	if n < 0 {
		return 0, scratch, false
	}
	at := len(scratch)
	v, scratch, err := c.Decode(scratch, key[pos:pos+n])
	if err != nil {
		return 0, scratch, false
	}
	to = pos + n
	switch {
	case v.Null:
		r.nulls |= 1 << (o.cell & (few - 1))
	case !c.IsText():
		r.cells[o.cell&(few-1)] = v.Num
	case c.Verbatim():
		r.cells[o.cell&(few-1)] = textCell(pos, to)
	default:
		r.cells[o.cell&(few-1)] = inScratch | textCell(at, len(scratch))
	}
	return to, scratch, true
}

// Num is the value of field i, which is a number.
func (r *Cells) Num(i int) uint64 { return r.cells[i&(few-1)] }

// Text is the value of field i, which is a text.
func (r *Cells) Text(i int, key, scratch []byte) []byte {
	return r.textOf(r.cells[i&(few-1)], key, scratch)
}

// Val is the value of a field.
func (r *Cells) Val(c *layout.Component, key, scratch []byte) layout.Val {
	switch i := c.Ord; {
	case c.Absent:
		return layout.Val{}
	case r.null(i):
		return layout.Val{Ok: true, Null: true}
	case c.IsText():
		return layout.Val{Ok: true, Text: r.textOf(r.cells[i], key, scratch)}
	}
	return layout.Val{Ok: true, Num: r.cells[c.Ord]}
}

// Decode writes the places of the components of a key to at, and checks the key; if derived, also
// its salts, hashes and copies. It is false for a key that package layout must judge.
func (w *Layout) Decode(key []byte, at layout.Spans, derived bool) bool {
	if w == nil || !w.whole {
		return false
	}
	var r Cells
	var room [128]byte
	_, ok := w.scan(key, at, &r, room[:0], derived)
	return ok
}

// Read reads the values of a key, and checks it with its salts, hashes and copies. It is false for
// a key that package layout must judge.
func (w *Layout) Read(key []byte, r *Cells, scratch []byte) (_ []byte, ok bool) {
	if w == nil || !w.whole {
		return scratch, false
	}
	var places [2 * layout.FewSpans]uint16 // enough for a separator after each field
	return w.scan(key, w.s.Spans(places[:]), r, scratch, true)
}
