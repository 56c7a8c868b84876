package walk

import (
	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// check is how a salt, hash or copy is compared with the values of a key.
type check struct {
	how  how
	at   int // the number of its component
	c    *layout.Component
	ins  []input
	seed uint32
	cut  layout.Slice
}

// how says what a salt, hash or copy is computed from.
type how uint8

const (
	byStream  how = iota + 1 // the values, one after the other, by murmur3
	byNumber                 // the number itself
	byValues                 // the values, joined
	byRest                   // the bytes of the key after it
	byCopy                   // the value of one field
	bySlice                  // the first or the last bytes of a text
	bySchema                 // by package layout: format(…), minmax(…), a caller's function
	unchecked                // a value that is not stored
)

// input is a value of which a salt or hash is computed.
type input struct {
	ord, size int // size is that of a number
	text      bool
	c         *layout.Component // of a number whose own bytes are not hashed, such as a date
}

// checkOf is the check of a salt, hash or copy.
func checkOf(s *layout.Schema, c *layout.Component) check {
	k := check{how: bySchema, at: c.Index, c: c}
	hidden := false
	for _, ord := range c.Deps {
		hidden = hidden || s.Fields[ord].Absent
	}
	switch {
	case c.Others() || c.Trims || c.Optional:
	case c.Role == layout.RoleCopy:
		k.how, k.cut = byCopy, c.Sliced()
		if hidden {
			k.how = unchecked
		} else if k.cut.Some() {
			k.how = bySlice
		}
	case c.Rest:
		k.how = byRest
	case c.OfNumber():
		k.how = byNumber
		k.ins = []input{{ord: c.Deps[0]}}
		if hidden {
			k.how = unchecked
		}
	case (c.InputForm() == "values" || c.InputForm() == "text") && k.values(s):
		k.how = byValues
		if cut := &c.Part.Cut; hidden {
			k.how = unchecked
		} else if c.Role == layout.RoleSalt && c.Rule == digest.OfDigest && cut.Algorithm == digest.Murmur3 && cut.N == 4 {
			k.how, k.seed = byStream, cut.Seed
		}
	}
	return k
}

// values sets the inputs of a salt or hash of values, or of their texts; false if one is no field.
func (k *check) values(s *layout.Schema) bool {
	for _, f := range k.c.In.Comps {
		if f.Role != layout.RoleField || f.Decimal != forms.NoDecimal {
			return false
		}
		in := input{ord: f.Ord, size: f.ValueSize(), text: f.IsText()}
		if f.Kind == layout.KindFloat || f.Unit.Lay != nil || k.c.InputForm() == "text" {
			in.c = f
		}
		k.ins = append(k.ins, in)
	}
	return true
}

// append appends the value u of a number.
func (k *check) append(dst []byte, in *input, u uint64) []byte {
	if in.c != nil {
		return k.c.In.AppendOne(dst, in.c, layout.Val{Num: u})
	}
	return forms.AppendUint(dst, u, in.size)
}

// right reports that the salts, hashes and copies of a key are those that its values give.
func (w *Layout) right(key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	for i := range w.checks {
		k := &w.checks[i]
		form := key[at[k.at]:at[k.at+1]]
		ok := false
		switch k.how {
		case byStream:
			n := k.stream(key, r, scratch)
			if ok = len(form) == 1 && form[0] == byte(n); !ok || !k.c.ByteSalt() {
				ok = k.c.HasBucket(form, n)
			}
		case byNumber:
			ok = k.c.HasBucket(form, k.c.BucketOfNumber(r.cells[k.ins[0].ord]))
		case bySlice:
			ok = k.cut.Is(form, r.textOf(r.cells[k.c.Of.Ord], key, scratch))
		case unchecked:
			ok = true
		case byValues, byRest, byCopy, bySchema:
			ok = w.isForm(k, form, key, at, r, scratch)
		}
		if !ok {
			return false
		}
	}
	return true
}

// stream is the bucket of a salt by murmur3.
func (k *check) stream(key []byte, r *Cells, scratch []byte) uint64 {
	if in := &k.ins[0]; len(k.ins) == 1 && in.text {
		return k.streamOne(0, r.textOf(r.cells[in.ord], key, scratch))
	} else if len(k.ins) == 1 && in.c == nil {
		return k.streamOne(r.cells[in.ord], nil)
	}
	h := digest.NewStream(k.seed)
	for i := range k.ins {
		var room [32]byte
		if in := &k.ins[i]; in.text {
			h.Text(r.textOf(r.cells[in.ord], key, scratch))
		} else if in.c != nil {
			h.Text(k.append(room[:0], in, r.cells[in.ord]))
		} else {
			h.Word(r.cells[in.ord], in.size)
		}
	}
	return k.c.Mod.Of(h.Sum())
}

// streamOne is stream of one field, whose value is u or text.
func (k *check) streamOne(u uint64, text []byte) uint64 {
	if in := &k.ins[0]; !in.text {
		return k.c.Mod.Of(digest.MurmurWord(k.seed, u, in.size))
	}
	return k.c.Mod.Of(digest.Murmur32(k.seed, text))
}

// isForm reports that a form is the one that the values give.
func (w *Layout) isForm(k *check, form, key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	var room [2 * digest.MaxSize]byte
	c := k.c
	switch k.how {
	case byValues:
		var joined [128]byte
		data := joined[:0]
		if in := &k.ins[0]; len(k.ins) == 1 && in.text {
			data = r.textOf(r.cells[in.ord], key, scratch)
		} else {
			for i := range k.ins {
				if in := &k.ins[i]; in.text {
					data = append(data, r.textOf(r.cells[in.ord], key, scratch)...)
				} else {
					data = k.append(data, in, r.cells[in.ord])
				}
			}
		}
		want, ok := c.Compute(room[:0], data)
		return ok && string(want) == string(form)
	case byRest:
		rest := key[at[k.at+1]:]
		return len(rest) > 0 && c.RightRest(form, rest)
	case byCopy:
		var u uint64
		var text []byte
		if i := c.Of.Ord; c.Of.IsText() {
			text = r.textOf(r.cells[i], key, scratch)
		} else {
			u = r.cells[i]
		}
		want, err := c.AppendCopy(room[:0], u, text)
		return err == nil && string(want) == string(form)
	}
	return w.isDerived(k, key, at, r, scratch)
}

// isDerived is isForm by package layout.
func (w *Layout) isDerived(k *check, key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	var room [few]layout.Val
	for i, c := range w.s.Fields {
		room[i&(few-1)] = r.Val(c, key, scratch) // an append would move the texts to the heap
	}
	vals := room[:len(w.s.Fields)]
	var form [256]byte
	return !w.s.Differs(form[:0], k.c, key, at, layout.Row{Vals: vals})
}
