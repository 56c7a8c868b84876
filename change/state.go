package change

import (
	"fmt"
	"strings"
)

// State is how far a change has come, and what was done in its phase. The zero value is
// a change that has not begun. It is a plain value: whoever keeps it keeps its fields.
type State struct {
	Phase Phase // that clients are told

	// Furthest is the furthest phase since the change began.
	Furthest Phase
	// Empty is that the place that is not written in this phase has nothing, neither
	// rows nor what hides rows: it was created, or truncated, in this phase.
	Empty bool
	// Verified is that the mover has come to its end in this phase and that nothing was
	// missing when both places were compared from end to end.
	Verified bool
}

// Step is the state in the next phase or the one before. late are the clients that have
// not confirmed this phase; as long as there is one there is no step. Forward:
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
	return State{Phase: to, Furthest: furthest}, nil
}

func (s State) refuse(to Phase, why string) error {
	return fmt.Errorf("change: from %s to %s: %s: %w", s.Phase, to, why, ErrPhase)
}

// MayMove is the place from which rows may be moved now; late are the clients that have
// not confirmed this phase, as for Step.
func (s State) MayMove(late ...string) (from Place, err error) {
	from, ok := s.Phase.Moves()
	switch {
	case !ok:
		return 0, fmt.Errorf("change: rows are moved in %s and in %s, not in %s: %w", WriteBoth, ReadNew, s.Phase, ErrPhase)
	case len(late) > 0:
		return 0, fmt.Errorf("change: %s did not confirm %s: %w", strings.Join(late, ", "), s.Phase, ErrPhase)
	}
	return from, nil
}

// Moved is the state after the places were compared and nothing was missing.
func (s State) Moved(late ...string) (State, error) {
	if _, err := s.MayMove(late...); err != nil {
		return s, err
	}
	s.Verified = true
	return s, nil
}

// Emptied is the state after the place that is not written was created or truncated:
// the new one in Old, the old one in New when everybody has confirmed that.
func (s State) Emptied(late ...string) (State, error) {
	switch {
	case s.Phase != Old && s.Phase != New:
		return s, fmt.Errorf("change: a table is emptied in %s and in %s, not in %s: %w", Old, New, s.Phase, ErrPhase)
	case len(late) > 0:
		return s, fmt.Errorf("change: %s did not confirm %s: %w", strings.Join(late, ", "), s.Phase, ErrPhase)
	}
	s.Empty = true
	return s, nil
}
