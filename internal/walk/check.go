package walk

import (
	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// check is how a salt, hash or copy is compared with the values of a key.
type check struct {
	how  how
	at   int  // the number of its component
	one  int  // the number of the only field that it is computed from; negative if ofOne does not know it
	text bool // that is a text
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
	k := check{how: bySchema, at: c.Index, c: c, one: -1}
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
	if k.how != byRest && k.how != bySchema && k.how != unchecked && len(c.Deps) == 1 && len(k.ins) <= 1 {
		k.one, k.text = c.Deps[0], s.Fields[c.Deps[0]].IsText()
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
		if k.one >= 0 {
			var part []byte
			if k.text {
				part = r.textOf(r.cells[k.one&(few-1)], key, scratch)
			}
			ok = k.ofOne(form, r.cells[k.one&(few-1)], part)
		} else {
			ok = w.isForm(k, form, key, at, r, scratch)
		}
		if !ok {
			return false
		}
	}
	return true
}

// ofOne reports that a form is the one that the value of the field one gives, u or text; of byRest text is
// the rest of the key, and false says nothing if it is empty.
func (k *check) ofOne(form []byte, u uint64, text []byte) bool {
	switch k.how {
	case byStream:
		n := k.streamOne(u, text)
		return len(form) == 1 && form[0] == byte(n) && k.c.ByteSalt() || k.c.HasBucket(form, n)
	case byNumber:
		return k.c.HasBucket(form, k.c.Mod.OfLong(u))
	case bySlice:
		return k.cut.Is(form, text)
	case byValues, byCopy:
		return k.computes(form, u, text)
	case byRest:
		return len(text) > 0 && k.c.Right(form, text)
	case bySchema, unchecked:
	}
	return false
}

// computes is ofOne for what is computed whole.
func (k *check) computes(form []byte, u uint64, text []byte) bool {
	var room [2 * digest.MaxSize]byte
	if k.how == byCopy {
		want, err := k.c.AppendCopy(room[:0], u, text)
		return err == nil && string(want) == string(form)
	}
	var value [64]byte
	if !k.text {
		text = k.append(value[:0], &k.ins[0], u)
	}
	return k.c.Right(form, text)
}

// streamOne is the bucket of a salt by murmur3 of one field, whose value is u or text.
func (k *check) streamOne(u uint64, text []byte) uint64 {
	if in := &k.ins[0]; in.c != nil && !in.text {
		var room [64]byte
		text = k.append(room[:0], in, u)
	} else if !in.text {
		return k.c.Mod.Of(digest.MurmurWord(k.seed, u, in.size))
	}
	return k.c.Mod.Of(digest.Murmur32(k.seed, text))
}

// isForm reports that a form is the one that the values of several fields give.
func (w *Layout) isForm(k *check, form, key []byte, at layout.Spans, r *Cells, scratch []byte) bool {
	switch c := k.c; k.how {
	case unchecked:
		return true
	case byStream:
		return c.HasBucket(form, k.stream(key, r, scratch))
	case byValues:
		var joined [128]byte
		data := joined[:0]
		for i := range k.ins {
			if in := &k.ins[i]; in.text {
				data = append(data, r.textOf(r.cells[in.ord], key, scratch)...)
			} else {
				data = k.append(data, in, r.cells[in.ord])
			}
		}
		return c.Right(form, data)
	case byRest:
		return k.ofOne(form, 0, key[at[k.at+1]:])
	case byNumber, byCopy, bySlice, bySchema:
	}
	return w.isDerived(k, key, at, r, scratch)
}

// stream is the bucket of a salt by murmur3 of several fields.
func (k *check) stream(key []byte, r *Cells, scratch []byte) uint64 {
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
