package rekey

import "context"

// Round is one look at the state, and one renewal of the lease, as Follow makes them.
func (s *Store) Round(ctx context.Context, cl *Client) error { return s.round(ctx, cl.c, cl.session) }

// Clock holds a time of the server's against those of a client before and after.
var Clock = clock
