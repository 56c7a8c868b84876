package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrPhase is a step that is not allowed now.
var ErrPhase = errors.New("not allowed in this phase")

// Phase is where a change is. The zero value is its beginning.
type Phase uint8

// The phases, in their order.
const (
	Old       Phase = iota // the old table alone
	Prepare                // deletes go to both, so that none is missed by what is moved later
	WriteBoth              // all goes to both, and the old table is read; rows are moved
	ReadNew                // all goes to both, and the new table is read
	Keep                   // puts go to the new table, deletes to both: a return is possible
	New                    // the new table alone
)

var phaseNames = [...]string{"old", "prepare", "write-both", "read-new", "keep", "new"}

// String is the phase's name, such as write-both.
func (p Phase) String() string {
	if !p.Valid() {
		return fmt.Sprintf("phase %d", uint8(p))
	}
	return phaseNames[p]
}

// Valid reports that p is one of the six phases.
func (p Phase) Valid() bool { return int(p) < len(phaseNames) }

// ParsePhase is the phase of a name that String gives.
func ParsePhase(name string) (Phase, error) {
	if i := slices.Index(phaseNames[:], name); i >= 0 {
		return Phase(i), nil
	}
	return 0, fmt.Errorf("change: no phase of that name: the phases are %s", strings.Join(phaseNames[:], ", "))
}

// Place is where a row is written or read: by the old layout or by the new one.
type Place uint8

// The places.
const (
	InOld Place = iota
	InNew
)

// String is old or new.
func (p Place) String() string { return [...]string{"old", "new"}[p&1] }

// Other is the other place.
func (p Place) Other() Place { return p ^ 1 }

// Puts are the places to which a put goes, in the order in which they are written. It
// is acknowledged after the last one. A place whose write failed ends the operation,
// which may then be tried again, from the first place and with the same timestamp.
func (p Phase) Puts() []Place {
	switch p {
	case Old, Prepare:
		return []Place{InOld}
	case WriteBoth:
		return []Place{InNew, InOld}
	case ReadNew:
		return []Place{InOld, InNew}
	case Keep, New:
		return []Place{InNew}
	}
	return nil
}

// Deletes are the places to which a delete goes, as Puts.
func (p Phase) Deletes() []Place {
	switch p {
	case Old:
		return []Place{InOld}
	case Prepare, WriteBoth:
		return []Place{InNew, InOld}
	case ReadNew, Keep:
		return []Place{InOld, InNew}
	case New:
		return []Place{InNew}
	}
	return nil
}

// Reads is the place that is read.
func (p Phase) Reads() Place {
	if p < ReadNew {
		return InOld
	}
	return InNew
}

// Moves is the place from which rows are moved to the other one in this phase, which
// nobody reads; false if none are moved.
func (p Phase) Moves() (from Place, ok bool) {
	switch p {
	case WriteBoth:
		return InOld, true
	case ReadNew:
		return InNew, true
	}
	return 0, false
}

// Toward is the phase that a client enters when the change is in goal: one step from its
// own. A client that is further away than one step has missed a barrier: false.
func (p Phase) Toward(goal Phase) (Phase, bool) {
	switch {
	case p == goal:
		return p, true
	case p+1 == goal || p == goal+1:
		return goal, true
	}
	return p, false
}
