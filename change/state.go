package change

import (
	"errors"
	"fmt"
	"strings"
)

// ErrStale is that somebody acts on an earlier state of a change than the present one: a client
// whose lease is over or that has missed a state, a mover or a verify of an earlier state.
var ErrStale = errors.New("it acts on an earlier state of the change")

// State is how far a change has come, and what was done in its phase. It is a plain value:
// whoever keeps it keeps its fields. The zero value is a change before Renew has named its new
// table.
type State struct {
	Phase Phase // in which clients are to be

	// Furthest is the furthest phase since the change began.
	Furthest Phase
	// Empty is that the place that is not written in this phase has nothing, neither
	// rows nor what hides rows: its table was created in this phase.
	Empty bool
	// Verified is that the mover has come to its end in this phase and that nothing was
	// missing when both places were compared from end to end.
	Verified bool

	// Number counts the states: each Step and each Renew has one of its own. Confirmations,
	// moves, verifies and checkpoints are of one number, and mean nothing under another.
	Number uint64
	// Rounds are of each place the number of the state that named its table. Each round has
	// a table of its own name, so that what was on its way to the table of an earlier round
	// finds no table. 0 is the table that was there before the change.
	Rounds [2]uint64
}

// Member is a client as the state of a change knows it: one incarnation of a name.
type Member struct {
	Name        string
	Incarnation uint64 // of the name: a later one takes the name over
	Number      uint64 // of the last state that it has confirmed
	// Over is that its lease is over. It refuses whatever it is asked, and can confirm
	// nothing any more.
	Over bool
}

// Late reports that a state has to wait for a member: it has not confirmed that state, and its
// lease may run.
func (m Member) Late(s State) bool { return !m.Over && m.Number != s.Number }

// String is web-1#3.
func (m Member) String() string { return fmt.Sprintf("%s#%d", m.Name, m.Incarnation) }

// Follow says what a client does that is in the state of a number when it reads this one: it
// stays, or it enters this one. If it has missed a state in between, or this is none that
// follows, the error wraps ErrStale.
func (s State) Follow(own uint64) (enter bool, err error) {
	switch s.Number {
	case own:
		return false, nil
	case own + 1:
		return true, nil
	}
	return false, fmt.Errorf("change: state %d is read, after state %d: %w", s.Number, own, ErrStale)
}

// Step is the state in the next phase or the one before. late are the clients that have
// not confirmed this state; as long as there is one there is no step. Forward:
//
//	old → prepare         the new table is Empty
//	write-both → read-new Verified
//
// Back:
//
//	read-new → write-both at once; Verified, if the change has been in keep
//	new → keep            the old table is Empty
//
// All other steps need nothing but the clients.
func (s State) Step(to Phase, late ...string) (State, error) {
	up := to == s.Phase+1
	switch {
	case !to.Valid() || !s.Phase.Valid() || to != s.Phase && !up && to+1 != s.Phase:
		return s, s.refuse(to, "one step at a time")
	case to == s.Phase:
		return s, s.refuse(to, "that is where it is")
	case len(late) > 0:
		return s, s.refuse(to, strings.Join(late, ", ")+" did not confirm "+s.Phase.String())
	case s.Phase == Old && !s.Empty:
		return s, s.refuse(to, "the new table is not known to be empty")
	case s.Phase == New && !s.Empty:
		return s, s.refuse(to, "the old table is not known to be empty")
	case s.Phase == WriteBoth && up && !s.Verified:
		return s, s.refuse(to, "nobody has verified that the new table has all that the old one has")
	case s.Phase == ReadNew && !up && s.Furthest >= Keep && !s.Verified:
		return s, s.refuse(to, "puts went to the new table alone, and nobody has verified that the old one has them")
	}
	furthest := max(s.Furthest, to)
	if s.Phase == Old {
		furthest = to
	}
	return State{Phase: to, Furthest: furthest, Number: s.Number + 1, Rounds: s.Rounds}, nil
}

func (s State) refuse(to Phase, why string) error {
	return fmt.Errorf("change: from %s to %s: %s: %w", s.Phase, to, why, ErrPhase)
}

// lateIn is an error if there are clients that have not confirmed this state.
func (s State) lateIn(late []string) error {
	if len(late) == 0 {
		return nil
	}
	return fmt.Errorf("change: %s did not confirm %s: %w", strings.Join(late, ", "), s.Phase, ErrPhase)
}

// MayMove is the place from which rows may be moved now; late are the clients that have
// not confirmed this state, as for Step.
func (s State) MayMove(late ...string) (from Place, err error) {
	from, ok := s.Phase.Moves()
	if !ok {
		return 0, fmt.Errorf("change: rows are moved in %s and in %s, not in %s: %w", WriteBoth, ReadNew, s.Phase, ErrPhase)
	}
	return from, s.lateIn(late)
}

// Moves is an error that wraps ErrStale unless what was begun in the state of a number goes on
// in this one. A mover, a verify and a bulk load ask before each batch.
func (s State) Moves(number uint64) error {
	if s.Number != number {
		return fmt.Errorf("change: begun in state %d, and this is %d: %w", number, s.Number, ErrStale)
	}
	return nil
}

// Moved is the state after the places were compared and nothing was missing, by what was begun
// in the state of a number.
func (s State) Moved(number uint64, late ...string) (State, error) {
	if err := s.Moves(number); err != nil {
		return s, err
	}
	if _, err := s.MayMove(late...); err != nil {
		return s, err
	}
	s.Verified = true
	return s, nil
}

// Renews is the place whose table may be begun anew in this phase, since nobody writes it: the
// new one in Old, the old one in New. late are the clients that have not confirmed this state.
func (s State) Renews(late ...string) (Place, error) {
	if s.Phase != Old && s.Phase != New {
		return 0, fmt.Errorf("change: a table is emptied in %s and in %s, not in %s: %w", Old, New, s.Phase, ErrPhase)
	}
	return s.Phase.Reads().Other(), s.lateIn(late)
}

// Renew is the state that names another table for the place that Renews gives. It is created
// then, and Emptied says so.
func (s State) Renew(late ...string) (State, error) {
	place, err := s.Renews(late...)
	if err != nil {
		return s, err
	}
	s.Number++
	s.Rounds[place], s.Empty = s.Number, false
	return s, nil
}

// Emptied is the state after the table that Renew named in the state of a number was created.
func (s State) Emptied(number uint64) (State, error) {
	if err := s.Moves(number); err != nil {
		return s, err
	}
	if _, err := s.Renews(); err != nil {
		return s, err
	}
	s.Empty = true
	return s, nil
}
