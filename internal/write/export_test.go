package write

import "unsafe"

// Noted is noted, for tests.
var Noted = noted

// NoteAt is the address of the note in a key's own memory.
func NoteAt(buf []byte) uintptr { return uintptr(unsafe.Pointer(noteOf(buf))) }

// NoteSize is noteSize.
const NoteSize = noteSize
