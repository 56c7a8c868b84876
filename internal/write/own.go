package write

import (
	"encoding/binary"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/mem"
)

// A key that Key of the root package began is in memory of its own, which ends with a note of
// noteSize bytes:
//
//	0 to 7    how many fields the memory has values of
//	8 to 23   where the buffer lies that KeyIn was given, if the key did not fit there
//
// Two copies of a key so far have the same memory. The one that is continued first changes the
// note, so the other one can see that its bytes may have been overwritten. Steps of such keys
// are layout.Step's Own: the fast path does not know them, and never looks at a note.
const noteSize = 24

// errWithin is what a caller sees of a note.
var errWithin error = &fault.Detail{Text: "the value lies in the memory that the key is written to: copy it, or give KeyIn another buffer", Reason: fault.ErrShared}

// Own starts a key in memory of its own. Of the zero Schema it is the zero Key.
func Own(s *layout.Schema) Key {
	if s.First == nil {
		return Key{}
	}
	buf := make([]byte, len(s.Head), max(s.Hint, len(s.Head))+StepRoom+noteSize)
	copy(buf, s.Head)
	return Key{buf, s.FirstOwn()}
}

// noteOf is the note in a key's own memory.
func noteOf(buf []byte) *[noteSize]byte {
	return (*[noteSize]byte)(buf[:cap(buf)][cap(buf)-noteSize:])
}

// fields is how many fields the memory has values of.
func fields(buf []byte) uint64 { return binary.LittleEndian.Uint64(noteOf(buf)[:8]) }

func setFields(buf []byte, n uint64) { binary.LittleEndian.PutUint64(noteOf(buf)[:8], n) }

// finished is the number of fields in memory whose bytes Finish has moved.
const finished = 1 << 32

// Plain is the key without its note. It is an error if another copy of the key was continued.
func (k Key) Plain() Key {
	if k.St == nil || k.St.Plain == nil {
		return k
	}
	st := k.St.Plain
	if fields(k.Buf) != uint64(st.I) {
		field := ""
		if st.Op < layout.OpEnd {
			field = st.C.Name
		}
		return Key{k.Buf[:0], layout.BadStep(nil, st.S.ErrAt(field, -1, layout.ErrShared))}
	}
	return Key{k.Buf[: len(k.Buf) : cap(k.Buf)-noteSize], st}
}

// after is the key that a value of k's Plain has led to, with its note.
func (next Key) after(k Key) Key {
	if next.St.Own == nil { // an error
		return next
	}
	full := k.Buf[:cap(k.Buf)]
	setFields(full, uint64(next.St.I))
	if unsafe.SliceData(next.Buf) == unsafe.SliceData(full) {
		return Key{full[:len(next.Buf)], next.St.Own}
	}
	return next.own(*noteOf(full))
}

// own gives the key, which has just grown into new memory, a note.
func (k Key) own(note [noteSize]byte) Key {
	buf := k.Buf
	if cap(buf)-len(buf) < noteSize {
		buf = append(make([]byte, 0, 2*len(buf)+StepRoom+noteSize), buf...)
	}
	*noteOf(buf) = note
	setFields(buf, uint64(k.St.I))
	k.St.S.FirstOwn() // k may be the first key of the schema that grows
	return Key{buf, k.St.Own}
}

// grown is the key that a value of k has led to. If it did not fit into the caller's buffer, the
// key goes on in memory of its own, with a note of the buffer: a value that comes later may lie
// there, where the key has overwritten it.
func (next Key) grown(k Key) Key {
	if next.St.Op == layout.OpBad || next.St.Plain != nil || unsafe.SliceData(next.Buf) == unsafe.SliceData(k.Buf) {
		return next
	}
	var note [noteSize]byte
	binary.LittleEndian.PutUint64(note[8:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(k.Buf)))))
	binary.LittleEndian.PutUint64(note[16:], uint64(cap(k.Buf)))
	return next.own(note)
}

// tight reports that a value whose form usually has no more than n bytes may not fit.
func (k Key) tight(n int) bool {
	return cap(k.Buf)-len(k.Buf) < 2*n+4*StepRoom+len(k.St.Tail)
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
	}
	return mem.Within(v, k.Buf)
}
