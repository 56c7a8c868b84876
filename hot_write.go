package rowkey

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// putString is String of what is not copied in two words.
func (k KeyBuilder) putString(v string) KeyBuilder {
	st, n, m := k.st, len(k.buf), len(v)
	if st == nil || st.form < hotText || m < st.least || m > st.most ||
		st.guard != 0 && st.form != hotEscape && strings.IndexByte(v, byte(st.xor)) >= 0 {
		return putText(k, v)
	}
	buf := k.buf
	switch st.form {
	case hotReverse:
		if m >= 8 && m <= fewBytes && cap(buf)-n >= stepRoom {
			out, text := buf[n:n+stepRoom], []byte(v)
			a, b := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[m-8:])
			binary.BigEndian.PutUint64(out, b)
			binary.BigEndian.PutUint64(out[m-8:], a)
			binary.BigEndian.PutUint64(out[m:], st.word)
			buf = buf[:n+m+st.size]
			break
		}
		buf = append(buf, v...)
		forms.Reverse(buf[n:])
		buf = append(buf, st.end...)
	case hotEscape:
		for rest := v; ; {
			i := strings.IndexByte(rest, 0)
			if i < 0 {
				buf = append(append(buf, rest...), st.end...)
				break
			}
			buf = append(append(buf, rest[:i]...), 0, 0xff)
			rest = rest[i+1:]
		}
	case hotPad:
		if m > 0 && v[m-1] == byte(st.xor) {
			return putText(k, v)
		}
		buf = append(buf, v...)
		for ; m < int(st.n); m++ {
			buf = append(buf, byte(st.xor))
		}
		buf = append(buf, st.end...)
	case hotUUID:
		high, low, ok := forms.UUIDWords([]byte(v))
		if !ok {
			return putText(k, v)
		}
		buf = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(buf, high), low)
		buf = append(buf, st.end...)
	case hotLength:
		buf = append(append(forms.AppendUint(buf, uint64(m), int(st.n)), v...), st.end...)
	default:
		buf = append(append(buf, v...), st.end...)
	}
	if st.fill != noFill {
		return filledStep(st, buf, n, v)
	}
	return KeyBuilder{buf, st.next}
}

// filledStep writes the slots that depend on the text v, which was just written at n,
// and goes on. A salt by murmur3 reads v, not the words just stored, which a
// processor gives back late where they overlap.
func filledStep(st *step, buf []byte, n int, v string) KeyBuilder {
	if st.fill == fillByte {
		buf[st.slot] = byte(st.salt.Of(digest.Murmur32(0, v)))
		return KeyBuilder{buf, st.next}
	}
	if st.fill == fillMixes {
		for i := range st.mixes {
			st.mixes[i].put(buf, n, []byte(v), 0)
		}
		return KeyBuilder{buf, st.next}
	}
	var value []byte
	scratch := buf[len(buf):]
	if st.form == hotText {
		value = buf[n : n+len(v) : n+len(v)]
	} else {
		value = append(scratch, v...)
		scratch = value[len(value):]
	}
	return KeyBuilder{buf, st}.fill(n, val{text: value, ok: true}, scratch)
}

// unitsOf is an instant as a number that putHot takes; false where it is out of
// range, or where the hot path does not count so far.
func (st *step) unitsOf(sec, nsec uint64) (uint64, bool) {
	u := sec
	switch {
	case st.elements != 0: // seconds, of which the date is made
	case sec > st.until:
		return 0, false
	case st.per != 0:
		part, _ := bits.Mul64(nsec<<1, st.inv)
		u = sec*st.per + part - st.base
	default:
		u, _ = bits.Mul64(sec, st.inv)
	}
	return u, u+st.bias <= st.span
}

// floatWord is a float's bits as they sort, without Desc; false for what the field
// refuses.
func (st *step) floatWord(v float64) (uint64, bool) {
	if st.n == 4 {
		f := float32(v) + 0 // −0 is 0
		return forms.OrderFloat(uint64(math.Float32bits(f)), 4), float64(f) == v
	}
	return forms.OrderFloat(math.Float64bits(v+0), 8), v == v
}

// putWord writes a number of up to 8 bytes in one store.
func (k KeyBuilder) putWord(u uint64) KeyBuilder {
	st, n := k.st, len(k.buf)
	if st.size > 8 || st.fill != noFill || uint(n+8) > uint(cap(k.buf)) {
		return k.putHot(u)
	}
	binary.BigEndian.PutUint64(k.buf[n:n+8], u*st.mul^st.word)
	return KeyBuilder{k.buf[:n+st.size], st.next}
}

// putHot writes a number that is in range, by way of a small array where the
// buffer has no stepRoom for whole words.
func (k KeyBuilder) putHot(u uint64) KeyBuilder {
	st, n, buf := k.st, len(k.buf), k.buf
	var few [2 * fewBytes]byte
	out, short := few[:], cap(buf)-n < len(few)
	if !short {
		out = buf[n : n+len(few)]
	}
	w, size := int(st.n), st.size
	switch st.form {
	case hotWord, hotFloat:
		binary.BigEndian.PutUint64(out, u*st.mul^st.word)
		if size > 8 {
			binary.BigEndian.PutUint64(out[w:], st.more)
		}
	case hotDateNum:
		binary.BigEndian.PutUint64(out, forms.DateNumber(u+st.base, st.elements)*st.mul^st.word)
		if size > 8 {
			binary.BigEndian.PutUint64(out[w:], st.more)
		}
	case hotHex:
		forms.PutHex(out, u^st.xor, w)
		binary.BigEndian.PutUint64(out[w:], st.word)
	case hotParts:
		st.putParts(out, u)
		binary.BigEndian.PutUint64(out[w:], st.word)
	default:
		d := u ^ st.xor
		switch st.form {
		case hotDecimal:
			w = forms.DigitsLen(d)
			size += w
		case hotLayout:
			d = forms.DateNumber(u+st.base, st.elements)
		}
		if st.guard != 0 {
			d = st.guard - d
		}
		forms.PutDigits(out, d, w)
		binary.BigEndian.PutUint64(out[w:], st.word)
	}
	if short {
		buf = append(buf, out[:size]...)
	} else {
		buf = buf[:n+size]
	}
	switch st.fill {
	case noFill:
	case fillMixes:
		for i := range st.mixes {
			st.mixes[i].put(buf, n, nil, u)
		}
	default:
		return KeyBuilder{buf, st}.fill(n, val{num: u, ok: true}, buf[len(buf):])
	}
	return KeyBuilder{buf, st.next}
}

// putParts writes a date with constants between its elements.
func (st *step) putParts(out []byte, sec uint64) {
	var digits [24]byte
	forms.PutDigits(digits[:], forms.DateNumber(sec+st.base, st.elements), 2+2*int(st.elements))
	at, from := 0, 0
	for _, p := range st.parts {
		switch p.Element {
		case -1:
			out[at] = p.Text[0]
			at++
		case 0:
			at, from = at+copy(out[at:], digits[:4]), 4
		default:
			out[at], out[at+1] = digits[from], digits[from+1]
			at, from = at+2, from+2
		}
	}
}
