package hbase

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Retry makes a call that failed again, up to tries times in all, where the reason
// may pass (Error.Retryable). Before the second try it waits for wait, or by chance
// down to half of it; before each further one twice as long, at most 10 seconds.
// Each try has the client's Timeout; the context ends them all. The default is one
// try.
//
// What reads is tried again. So are puts and deletions whose cells have a Time, or
// all of them with ClientTime: made twice they write the same. Other writes are
// tried again only if nothing of them was sent: a put without a Time would be newer
// than what others have written since, and an Increment, an Append or a CheckAndMutate
// would count twice.
func Retry(tries int, wait time.Duration) Option {
	return func(o *options) { o.retry = retry{tries, wait} }
}

// ClientTime gives puts and deletions without a Time the time of the client's
// clock, in milliseconds, as their call begins, so that Retry may make them again.
// Without it they have that of the region's server. Of two cells in one column
// the one of the later time counts: a client whose clock is behind is not seen.
func ClientTime() Option {
	return func(o *options) { o.stamp = true }
}

type retry struct {
	tries int
	wait  time.Duration
}

// longestWait is the most that is waited between two tries.
const longestWait = 10 * time.Second

// before is how long to wait before a try: the second is 2.
func (r retry) before(try int) time.Duration {
	wait := r.wait
	for ; try > 2 && wait < longestWait; try-- {
		wait *= 2
	}
	if wait = min(wait, longestWait); wait < 2 {
		return wait
	}
	return wait/2 + rand.N(wait/2)
}

// repeat makes a call, and makes it again while that may help and do no harm.
func (c *Client) repeat(ctx context.Context, r *request, f service) (tries int, err error) {
	for {
		tries++
		if err = c.once(ctx, r, f); err == nil || tries >= c.retry.tries || r.single || !transient(err) {
			return tries, err
		}
		if r.write && !r.fixed && !unsent(err) || ctx.Err() != nil {
			return tries, err
		}
		timer := time.NewTimer(c.retry.before(tries + 1))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return tries, fmt.Errorf("%w, waiting to try again after: %w", ctx.Err(), err)
		case <-c.life.Done():
			timer.Stop()
			return tries, fmt.Errorf("%w, waiting to try again after: %w", ErrClosed, err)
		}
	}
}

// unsent reports that nothing of a call that failed has been sent.
func unsent(err error) bool {
	return !errors.Is(err, errUnsure) &&
		(errors.Is(err, ErrUnreachable) || errors.Is(err, ErrLost) || errors.Is(err, context.DeadlineExceeded))
}

// pingTable need not exist.
const pingTable = "rowkey_ping"

// Ping asks whether a gateway answers, and its HBase: one read of HBase's own
// table of tables, tried once.
func (c *Client) Ping(ctx context.Context) error {
	return c.call(ctx, request{name: tableExists, single: true}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		_, err := s.TableExists(ctx, tableName(pingTable))
		return err
	})
}
