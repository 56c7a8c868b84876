package foreign

import (
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// Room is memory that is lent to steps of others, one call at a time.
type Room struct{ in, out []byte }

var viaRooms = sync.Pool{New: func() any { return new(Room) }}

// load copies what a step is to work on into the room.
func (r *Room) load(b []byte) {
	r.in = append(r.in[:0], b...)
	r.out = slices.Grow(r.out[:0], r.spare())
}

func (r *Room) spare() int { return 4*len(r.in) + 64 }

// lend is what is loaded, and room to append to. Earlier values lie in both: what
// reads behind the end of either panics, or finds zeros.
func (r *Room) lend() (in, out []byte) {
	out = r.out[:r.spare()]
	clear(out)
	return r.in[:len(r.in):len(r.in)], out[:0:len(out)]
}

// Panicked is a panic as an error. What it was raised with may hold a value; the
// runtime's own hold indexes and types.
func Panicked(p any) error {
	if e, ok := p.(runtime.Error); ok {
		return &Panic{"panicked: " + e.Error()}
	}
	return &Panic{"panicked"}
}

// Panic is a panic in a step of others: nothing follows from it, while an
// error of the step says that there is no such value.
type Panic struct{ text string }

func (e *Panic) Error() string { return e.text }

// IsPanic reports that an error is a panic in a step of others.
func IsPanic(err error) bool {
	var p *Panic
	return err != nil && errors.As(err, &p)
}

// Error wraps the reason, and the transform's own error unless that wraps
// another reason of this package.
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
	for _, r := range reasons {
		if r != e.Reason && errors.Is(e.Err, r) {
			return []error{e.Reason}
		}
	}
	return []error{e.Reason, e.Err}
}

// reasons are all the Err variables.
var reasons = []error{
	fault.ErrType, fault.ErrMissing, fault.ErrExtra, fault.ErrField, fault.ErrRange, fault.ErrTerminator, fault.ErrLength, fault.ErrMalformed, fault.ErrDerived,
	fault.ErrFullScan, fault.ErrManyRanges, fault.ErrInverted, fault.ErrSplits, fault.ErrAmbiguous, fault.ErrSchema,
}
