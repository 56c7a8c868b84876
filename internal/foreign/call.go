package foreign

import (
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// Room is memory that is lent to a caller's function for one call.
type Room struct{ in, out []byte }

var viaRooms = sync.Pool{New: func() any { return new(Room) }}

// load copies the input of a call into the room.
func (r *Room) load(b []byte) {
	r.in = append(r.in[:0], b...)
	r.out = slices.Grow(r.out[:0], r.spare())
}

func (r *Room) spare() int { return 4*len(r.in) + 64 }

// lend gives the loaded input, and an empty slice to append to. Both are cut so that a
// function cannot see values of earlier calls: reading past the end panics, or finds 00.
func (r *Room) lend() (in, out []byte) {
	out = r.out[:r.spare()]
	clear(out)
	return r.in[:len(r.in):len(r.in)], out[:0:len(out)]
}

// Panicked is the error for a panic of a caller's function with the value p. Only the text
// of a runtime error is kept, which names indexes and types. Any other p may hold a value
// of a row, and is left out.
func Panicked(p any) error {
	if e, ok := p.(runtime.Error); ok {
		return &Panic{"panicked: " + e.Error()}
	}
	return &Panic{"panicked"}
}

// safe is err, or a Panic if a method of err panics: err is a nil pointer, most likely. Then no
// one who prints the error, or asks what it wraps, meets the panic later.
func safe(err error) (told error) {
	if err == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			told = &Panic{"gave an error that " + Panicked(p).Error()}
		}
	}()
	_ = err.Error()
	_ = errors.Is(err, fault.ErrSchema) // calls Is and Unwrap of all that it wraps
	_ = IsPanic(err)                    // and As
	return err
}

// Panic is a panic in a caller's function. It is not the same as an error of the function:
// an error says that a value has no form, a panic says nothing about the value.
type Panic struct{ text string }

func (e *Panic) Error() string { return e.text }

// IsPanic reports that an error is, or wraps, a Panic.
func IsPanic(err error) bool {
	var p *Panic
	return err != nil && errors.As(err, &p)
}

// Error is an error of a caller's function, called Name. It wraps Reason. It also wraps Err,
// the function's own error, unless that wraps another one of the reasons of package fault.
type Error struct {
	Name        string
	Err, Reason error
}

func (e *Error) Error() string {
	if e.Err == e.Reason {
		return e.Name + ": " + e.Reason.Error()
	}
	return e.Name + ": " + e.Err.Error() + ": " + e.Reason.Error()
}

func (e *Error) Unwrap() []error {
	for _, r := range fault.Reasons {
		if r != e.Reason && errors.Is(e.Err, r) {
			return []error{e.Reason}
		}
	}
	return []error{e.Reason, e.Err}
}
