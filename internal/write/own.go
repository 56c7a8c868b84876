package write

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// A key that Key of the root package began is in memory of its own, which ends with a note of
// noteSize bytes:
//
//	0 to 3    how many fields the memory has values of, and lent if a range has the memory
//	8 to 23   where the buffer lies that KeyIn was given, if the key did not fit there
//
// Two copies of a key so far have the same memory. The one that is continued first changes the
// note, so the other one can see that its bytes may have been overwritten. Steps of such keys
// are layout.Step's Own: the fast path does not know them, and never looks at a note.
const noteSize = 24

// lent marks the number of fields in memory that a range has.
const lent = 1 << 31

// ErrWithin is what a caller sees of a note.
var ErrWithin error = &fault.Detail{Text: "the value lies in the memory that the key is written to: copy it, or give KeyIn another buffer", Reason: fault.ErrShared}

// Own starts a key in memory of its own. Of the zero Schema it is the zero Key.
func Own(s *layout.Schema) Key {
	if s.First == nil {
		return Key{}
	}
	size := max(s.Hint, len(s.Head)) + 8 // a number is written as 8 bytes
	if len(s.Derived) > 0 {
		size += StepRoom // of digests
	}
	buf := make([]byte, len(s.Head), size&^3+noteSize) // see noted
	copy(buf, s.Head)
	return Key{buf, s.FirstOwn()}
}

// noteOf is the note in a key's own memory.
func noteOf(buf []byte) *[noteSize]byte {
	return (*[noteSize]byte)(buf[:cap(buf)][cap(buf)-noteSize:])
}

// fields is how many fields the memory has values of.
func fields(buf []byte) *uint32 { return (*uint32)(unsafe.Pointer(noteOf(buf))) }

func setFields(buf []byte, n int) { *fields(buf) = uint32(n) }

// finished is the number of fields in memory whose bytes Finish has moved.
const finished = 1 << 30

// Plain is the key without its note, to be read. It is an error if another copy of the key was continued.
func (k Key) Plain() Key {
	if k.St == nil || k.St.Plain == nil {
		return k
	}
	plain, _ := k.plain()
	return plain
}

// free is Plain of a key of a note, to which bytes are appended: a range that has its memory keeps it.
func (k Key) free() Key {
	plain, kept := k.plain()
	if kept {
		return k.Apart()
	}
	return plain
}

// Apart is Plain, of a key with a note in other memory: the key so far stays as it is.
func (k Key) Apart() Key {
	plain := k.Plain()
	if k.St != nil && plain.St == k.St.Plain {
		plain.Buf = append(make([]byte, 0, cap(k.Buf)), k.Buf...)
	}
	return plain
}

// plain is Plain of a key with a note. kept says that a range has its memory.
func (k Key) plain() (_ Key, kept bool) {
	st := k.St.Plain
	n := atomic.LoadUint32(fields(k.Buf)) ^ uint32(st.I)
	if n&^lent != 0 {
		field := ""
		if st.Op < layout.OpEnd {
			field = st.C.Name
		}
		return Key{nil, layout.BadStep(nil, st.S.ErrAt(field, -1, layout.ErrShared))}, false
	}
	return Key{k.Buf[: len(k.Buf) : cap(k.Buf)-noteSize], st}, n != 0
}

// Lend gives a key's own memory to a range of the keys that begin with its first bytes. It gives the room
// for n bytes more, and none if there is not so much, or if a range has it already. Ranges of two copies of
// a key may be made at once.
func (k Key) Lend(n int) []byte {
	if k.St.Plain == nil || cap(k.Buf)-noteSize-len(k.Buf) < n {
		return nil
	}
	if at := uint32(k.St.Plain.I); !atomic.CompareAndSwapUint32(fields(k.Buf), at, at|lent) {
		return nil
	}
	return k.Buf[len(k.Buf) : len(k.Buf) : len(k.Buf)+n]
}

// after is the key that a value of k's Plain has led to, with the note of k.
func (next Key) after(k Key) Key {
	if next.St.Op == layout.OpBad {
		return Key{nil, next.St} // the memory may be that of other copies
	}
	if next.St.Plain != nil { // it has grown, and has a note of Plain's memory
		next = Key{next.Buf, next.St.Plain}
	}
	full := k.Buf[:cap(k.Buf)]
	setFields(full, next.St.I)
	if unsafe.SliceData(next.Buf) == unsafe.SliceData(full) {
		return Key{full[:len(next.Buf)], next.St.Own}
	}
	return next.own(*noteOf(full))
}

// own gives the key, which has just grown into new memory, a note.
func (k Key) own(note [noteSize]byte) Key {
	buf := noted(k.Buf)
	*noteOf(buf) = note
	setFields(buf, k.St.I)
	k.St.S.FirstOwn() // k may be the first key of the schema that grows
	return Key{buf, k.St.Own}
}

// noted is the key's memory, or more of it, with room for a note behind the key. A note's address is one that
// atomic operations take.
func noted(buf []byte) []byte {
	if cap(buf)-len(buf) < noteSize+3 {
		buf = append(make([]byte, 0, 2*len(buf)+StepRoom+noteSize), buf...)
	}
	end := uintptr(unsafe.Pointer(unsafe.SliceData(buf))) + uintptr(cap(buf))
	return buf[: len(buf) : cap(buf)-int(end%4)]
}

// grown is the key that a value of k has led to. If it did not fit into the caller's buffer, the
// key goes on in memory of its own, with a note of the buffer: a value that comes later may lie
// there, where the key has overwritten it. It is inlined.
func (next Key) grown(k Key) Key {
	if unsafe.SliceData(next.Buf) == unsafe.SliceData(k.Buf) {
		return next
	}
	return next.apartFrom(k)
}

func (next Key) apartFrom(k Key) Key {
	if next.St.Op == layout.OpBad || next.St.Plain != nil {
		return next
	}
	var note [noteSize]byte
	binary.LittleEndian.PutUint64(note[8:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(k.Buf)))))
	binary.LittleEndian.PutUint64(note[16:], uint64(cap(k.Buf)))
	return next.own(note)
}

// overwritten reports that a text lies in memory that the key has overwritten, or will.
func (k Key) overwritten(v string) bool {
	if len(v) == 0 {
		return false
	}
	if k.St != nil && k.St.Plain != nil {
		note := noteOf(k.Buf)
		at, size := binary.LittleEndian.Uint64(note[8:]), binary.LittleEndian.Uint64(note[16:])
		if mem.Meets(v, uintptr(at), uintptr(size)) {
			return true
		}
		if atomic.LoadUint32(fields(k.Buf))&lent != 0 { // nothing is written there any more
			return false
		}
	}
	return mem.Within(v, k.Buf)
}
