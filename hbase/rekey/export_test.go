package rekey

import (
	"context"
	"time"
)

// Round is one look at the state, and one renewal of the lease, as Follow makes them.
func (s *Store) Round(ctx context.Context, cl *Client) error { return s.round(ctx, cl.c, cl.session) }

// Clock is what is known of a server's clock and a client's.
type Clock = measured

// Look holds a time of the server's against those of a client before and after.
func (m *measured) Look(server, sent, got time.Time, lease time.Duration) error {
	return m.look(server, sent, got, lease)
}

// Runs is nil while a lease runs that was renewed so long ago, by two clocks.
var Runs = runs

// HoldsFor is how long an answer of Turn.Holds is good for what is written next.
var HoldsFor = &holdsFor

// Stamp is the timestamp of an operation on a row.
func (cl *Client) Stamp(ctx context.Context, key []byte) (time.Time, error) {
	return cl.stamp(ctx, key)
}
