package bind

import (
	"encoding/binary"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/write"
)

// fewRows is how many rows are written together, field by field. So many rows and their keys
// fit the processor's first cache.
const fewRows = 64

// column is a field of a key that has only numbers, each of the same size in the key and in
// the struct.
type column struct {
	size             int
	offset           uintptr // the place in the struct
	from             int     // the place in the key
	bias, span, word uint64
}

// WriteAll appends the keys of n structs, the first at p, to dst, and the place where each
// key ends to ends, which must have room for n.
func (b *Binding) WriteAll(dst []byte, ends []int, p unsafe.Pointer, n int) ([]byte, []int, error) {
	var err error
	from, width := dst, b.width
	for n > 0 {
		done := min(n, fewRows)
		if size := done * width; b.columns != nil && cap(dst)-len(dst) >= size && b.writeColumns(dst[len(dst):len(dst)+size], p, done) {
			at := len(dst)
			made := ends[len(ends) : len(ends)+done]
			for i := range made {
				at += width
				made[i] = at
			}
			dst, ends = dst[:at], ends[:len(ends)+done]
		} else if b.slices != nil && b.sharing(from, p) >= 0 { // a key before this one may lie there
			return dst, ends, b.s.ErrAt(b.fields[b.sharing(from, p)].C.Name, -1, write.ErrWithin)
		} else if dst, err = b.Write(dst, p); err != nil {
			return dst, ends, err
		} else {
			done, ends = 1, append(ends, len(dst))
		}
		if n -= done; n > 0 {
			p = unsafe.Add(p, uintptr(done)*b.size)
		}
	}
	return dst, ends, nil
}

// linkColumns makes the columns of the moves; none if one of them is not such a number.
func (b *Binding) linkColumns(moves []move) {
	var columns []column
	pos := 0
	for _, m := range moves {
		size := map[load]int{load64: 8, load32: 4, load16: 2, load8: 1}[m.load]
		if m.size == 0 || m.size != size || m.mul != 1<<(64-8*size) {
			return
		}
		c := column{size, m.offset, pos, m.bias, m.span, m.word >> (64 - 8*size)}
		columns = append(columns, c)
		pos += size
	}
	b.columns = columns
}

// writeColumns writes the keys of n structs, the first at p: the first field of all keys, then
// the second of all, and so on. So the data of a field are loaded only once. It is false if
// a number is refused.
func (b *Binding) writeColumns(dst []byte, p unsafe.Pointer, n int) bool {
	out, width := unsafe.Pointer(unsafe.SliceData(dst)), b.width
	for i := range b.columns {
		c := &b.columns[i]
		from, to := unsafe.Add(p, c.offset), unsafe.Add(out, c.from)
		ok := false
		switch c.size {
		case 8:
			ok = writeColumn[uint64](c, from, to, n, b.size, width)
		case 4:
			ok = writeColumn[uint32](c, from, to, n, b.size, width)
		case 2:
			ok = writeColumn[uint16](c, from, to, n, b.size, width)
		default:
			ok = writeColumn[uint8](c, from, to, n, b.size, width)
		}
		if !ok {
			return false
		}
	}
	return true
}

// writeColumn writes one field of n keys, at least one. The field of the first struct is at from and that
// of the first key at to; those of the next are size and width further on. Four are written
// at a time, which saves most of what the loop itself costs.
func writeColumn[T word](c *column, from, to unsafe.Pointer, n int, size uintptr, width int) bool {
	bias, span, turn := c.bias, c.span, T(c.word)
	for ; n > 4; n -= 4 { // the last are left, so that no pointer goes past the end of what it points into
		u, v := *(*T)(from), *(*T)(unsafe.Add(from, size))
		x, y := *(*T)(unsafe.Add(from, 2*size)), *(*T)(unsafe.Add(from, 3*size))
		if uint64(u)+bias > span || uint64(v)+bias > span || uint64(x)+bias > span || uint64(y)+bias > span {
			return false
		}
		put(to, u^turn)
		put(unsafe.Add(to, width), v^turn)
		put(unsafe.Add(to, 2*width), x^turn)
		put(unsafe.Add(to, 3*width), y^turn)
		from, to = unsafe.Add(from, 4*size), unsafe.Add(to, 4*width)
	}
	for {
		u := *(*T)(from)
		if uint64(u)+bias > span {
			return false
		}
		put(to, u^turn)
		if n--; n == 0 {
			return true
		}
		from, to = unsafe.Add(from, size), unsafe.Add(to, width)
	}
}

// word is a number of one of the sizes that a column has.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// put writes a number in big-endian order. The compiler knows its size.
func put[T word](key unsafe.Pointer, u T) {
	switch unsafe.Sizeof(u) {
	case 8:
		binary.BigEndian.PutUint64((*[8]byte)(key)[:], uint64(u))
	case 4:
		binary.BigEndian.PutUint32((*[4]byte)(key)[:], uint32(u))
	case 2:
		binary.BigEndian.PutUint16((*[2]byte)(key)[:], uint16(u))
	default:
		*(*uint8)(key) = uint8(u)
	}
}
