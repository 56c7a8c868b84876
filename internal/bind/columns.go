package bind

import (
	"encoding/binary"
	"math"
	"unsafe"
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
	for n > 0 {
		done := min(n, fewRows)
		if size := done * (b.over - 1); b.columns != nil && cap(dst)-len(dst) >= size && b.writeColumns(dst[len(dst):len(dst)+size], p, done) {
			for range done {
				dst = dst[:len(dst)+b.over-1]
				ends = append(ends, len(dst))
			}
		} else if dst, err = b.Write(dst, 0, b.First, p); err != nil {
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
		size := map[load]int{exact64: 8, exact32: 4, exact16: 2, exact8: 1, load64: 8, load32: 4, load16: 2, load8: 1}[m.load]
		if m.size == 0 || m.size != size || m.mul != 1<<(64-8*size) {
			return
		}
		c := column{size, m.offset, pos, m.bias, m.span, m.word >> (64 - 8*size)}
		if m.load <= exact8 {
			c.bias, c.span = 0, math.MaxUint64
		}
		columns = append(columns, c)
		pos += size
	}
	if pos == b.over-1 {
		b.columns = columns
	}
}

// writeColumns writes the keys of n structs, the first at p: the first field of all keys, then
// the second of all, and so on. So the data of a field are loaded only once. It is false if
// a number is refused.
func (b *Binding) writeColumns(dst []byte, p unsafe.Pointer, n int) bool {
	out, width := unsafe.Pointer(unsafe.SliceData(dst)), b.over-1
	for i := range b.columns {
		c := &b.columns[i]
		at, bias, span, word := c.offset, c.bias, c.span, c.word
		end := c.from + n*width
		switch c.size {
		case 8:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint64)(unsafe.Add(p, at))
				if u+bias > span {
					return false
				}
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(out, to))[:], u^word)
			}
		case 4:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint32)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(out, to))[:], u^uint32(word))
			}
		case 2:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint16)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(out, to))[:], u^uint16(word))
			}
		default:
			for to := c.from; to < end; to, at = to+width, at+b.size {
				u := *(*uint8)(unsafe.Add(p, at))
				if uint64(u)+bias > span {
					return false
				}
				*(*uint8)(unsafe.Add(out, to)) = u ^ uint8(word)
			}
		}
	}
	return true
}
