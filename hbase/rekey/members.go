package rekey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
)

// Member is a client as the state of a change knows it.
type Member struct {
	change.Member
	In      uint64    // the number of the state in which its operations begin
	Renewed time.Time // its lease, by the server's clock
	Taken   bool      // a later client has its name: it can renew its lease no more

	beat string // the cell by which its row is changed
}

// What a beat is when it counts no more.
const (
	beatTaken = "taken" // and the beat that it was
	beatOver  = "over"
)

func (s *Store) memberRow(name string, incarnation uint64) []byte {
	return s.row("client", name, digits(incarnation))
}

// Members are the clients, by their names and incarnations.
func (s *Store) Members(ctx context.Context) ([]Member, error) {
	rows, prefix, err := s.below(ctx, "client")
	if err != nil {
		return nil, err
	}
	var members []Member
	for _, r := range rows {
		name, incarnation, ok := strings.Cut(string(bytes.TrimPrefix(r.Key, prefix)), "/")
		if !ok {
			continue // the row that counts the incarnations
		}
		n, err := strconv.ParseUint(incarnation, 10, 64)
		if err != nil {
			return nil, err
		}
		m := memberOf(&r)
		m.Name, m.Incarnation = name, n
		members = append(members, m)
	}
	return members, nil
}

func memberOf(r *hbase.Row) (m Member) {
	m.beat = value(r, "beat")
	m.Number, _ = strconv.ParseUint(value(r, "confirmed"), 10, 64) // else it has confirmed none
	m.In, _ = strconv.ParseUint(value(r, "in"), 10, 64)
	m.Over, m.Taken = m.beat == beatOver, strings.HasPrefix(m.beat, beatTaken)
	for _, c := range r.Cells {
		if c.Qualifier == "beat" {
			m.Renewed = c.Time
		}
	}
	return m
}

// Late are the clients for which a state has to wait (change.Member.Late).
func (s *Store) Late(ctx context.Context, st change.State) (late []Member, err error) {
	members, err := s.Members(ctx)
	for _, m := range members {
		if m.Late(st) {
			late = append(late, m)
		}
	}
	return late, err
}

func (s *Store) late(ctx context.Context, st change.State) (names []string, err error) {
	late, err := s.Late(ctx, st)
	for _, m := range late {
		names = append(names, m.String())
	}
	return names, err
}

// becomes changes what a client's beat is, if it is as it was seen.
func (s *Store) becomes(ctx context.Context, m Member, beat string) (bool, error) {
	return s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "beat", Value: []byte(m.beat)},
		hbase.Row{Key: s.memberRow(m.Name, m.Incarnation), Cells: cells(map[string]string{"beat": beat})})
}

// watch waits until leases are over: those of the clients that have not renewed them for the
// lease and a tenth since they were looked at first, by the clock of whoever watches. When a
// client's beat was seen, the renewal had been sent before; so its own clock says that the lease
// is over by then.
type watch struct {
	lease time.Duration
	seen  map[string]seen
}

type seen struct {
	beat string
	at   time.Time
}

func newWatch(lease time.Duration) *watch { return &watch{lease + lease/10, map[string]seen{}} }

// over reports that a client's lease is over, and how long it may run still.
func (w *watch) over(m Member) (bool, time.Duration) {
	was, ok := w.seen[m.String()]
	if !ok || was.beat != m.beat {
		was = seen{m.beat, time.Now()}
		w.seen[m.String()] = was
	}
	left := w.lease - time.Since(was.at)
	return left <= 0, left
}

// endLease ends a lease that is over by the clock of whoever watches, if it is by the server's,
// too: a clock that is too fast ends none.
func (s *Store) endLease(ctx context.Context, w *watch, m Member) (done bool, err error) {
	if over, _ := w.over(m); !over {
		return false, nil
	}
	now, err := s.now(ctx)
	if err != nil || now.Sub(m.Renewed) < w.lease {
		return false, err
	}
	return s.becomes(ctx, m, beatOver)
}

// now is the time of the server that keeps the state.
func (s *Store) now(ctx context.Context) (now time.Time, err error) {
	c, err := s.echo(ctx, hbase.Row{Key: s.row("clock"), Cells: cells(map[string]string{"is": "read"})})
	return c.Time, err
}

// echo is what the server has of a cell that is put; zero if it is gone again.
func (s *Store) echo(ctx context.Context, r hbase.Row) (hbase.Cell, error) {
	if err := s.table.Put(ctx, r); err != nil {
		return hbase.Cell{}, err
	}
	row, found, err := s.table.Get(ctx, r.Key)
	if err != nil || !found {
		return hbase.Cell{}, err
	}
	return row.Cells[0], nil
}

// Await waits until all clients have confirmed a state, or their leases are over: of those that
// do not renew them, and of those whose name was taken over. It says which ones ended so. It
// waits no longer than it is asked to; then the error wraps change.ErrPhase.
func (s *Store) Await(ctx context.Context, st change.State, wait time.Duration, ended func(m Member)) error {
	until := time.Now().Add(wait)
	r, err := s.read(ctx)
	if err != nil {
		return err
	}
	w := newWatch(r.of.lease())
	for {
		late, err := s.Late(ctx, st)
		if err == nil && len(late) == 0 {
			return nil
		}
		if now, e := s.State(ctx); e == nil && now.Number != st.Number {
			return fmt.Errorf("rekey: %s: %w", s.name, ErrChanged)
		}
		for _, m := range late {
			var done bool
			if done, err = s.endLease(ctx, w, m); done && ended != nil {
				ended(m)
			}
			if err != nil {
				break
			}
		}
		if err != nil && !passes(err) {
			return err
		}
		if err == nil && !time.Now().Before(until) {
			var names []string
			for _, m := range late {
				names = append(names, m.String())
			}
			return fmt.Errorf("rekey: not confirmed yet by %s: %w", strings.Join(names, ", "), change.ErrPhase)
		}
		if err := pause(ctx, min(w.lease/20, 200*time.Millisecond)); err != nil {
			return err
		}
	}
}

// Forget has nobody wait for the clients of a name any more, when their leases are over: it
// waits for that. A client that renews its lease is not forgotten, which is an error that wraps
// change.ErrPhase.
func (s *Store) Forget(ctx context.Context, name string) error {
	r, err := s.read(ctx)
	if err != nil {
		return err
	}
	w := newWatch(r.of.lease())
	first := map[string]string{}
	for {
		members, err := s.Members(ctx)
		if err != nil {
			return err
		}
		var next time.Duration
		for _, m := range members {
			if m.Name != name || m.Over {
				continue
			}
			was, looked := first[m.String()]
			if first[m.String()] = m.beat; looked && was != m.beat && !m.Taken {
				return fmt.Errorf("rekey: %s renews its lease: it is at work: %w", m, change.ErrPhase)
			}
			_, left := w.over(m)
			if _, err := s.endLease(ctx, w, m); err != nil {
				return err
			}
			next = max(next, left, w.lease/20) // and look again
		}
		if len(members) == 0 || next == 0 {
			if len(first) == 0 {
				return fmt.Errorf("rekey: no client %s: %w", name, ErrNone)
			}
			return nil
		}
		if err := pause(ctx, min(next, w.lease/10)); err != nil {
			return err
		}
	}
}

// passes reports that an error may pass by itself.
func passes(err error) bool {
	var of *hbase.Error
	return errors.As(err, &of) && of.Retryable
}

// pause waits, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// MaxSkew is by how much a client's clock may be ahead of the server's, or behind it.
const MaxSkew = time.Second

// Join brings a client, before its first operation, into the state: it holds the client's tables
// and schemas against the definition (ErrDefinition) and its clock against the server's
// (ErrClock), takes the name over from earlier clients, which can renew their leases no more, and
// begins the client's own lease. Follow has to renew it.
func (s *Store) Join(ctx context.Context, name string, cl *Client) error {
	if err := named("a client", name); err != nil {
		return err
	}
	incarnation, err := s.incarnate(ctx, name, 0)
	if err != nil {
		return err
	}
	return s.join(ctx, name, incarnation, cl)
}

// incarnate is the next incarnation of a name. own, if it is not 0, is the one that it follows,
// or somebody has taken the name over.
func (s *Store) incarnate(ctx context.Context, name string, own uint64) (uint64, error) {
	for {
		if _, err := s.read(ctx); err != nil {
			return own, err
		}
		r, _, err := s.table.Get(ctx, s.row("client", name))
		if err != nil {
			return own, err
		}
		was := value(&r, "incarnation")
		n, _ := strconv.ParseUint(was, 10, 64)
		if own != 0 && n != own {
			return own, fmt.Errorf("rekey: %s: %w", name, ErrTaken)
		}
		next := hbase.Row{Key: s.row("client", name), Cells: cells(map[string]string{"incarnation": strconv.FormatUint(n+1, 10)})}
		done, err := s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "incarnation", Value: []byte(was)}, next)
		if err != nil {
			return own, err
		}
		if done {
			return n + 1, nil
		}
	}
}

// take takes a name over from the clients that had it.
func (s *Store) take(ctx context.Context, name string, incarnation uint64) error {
	for {
		members, err := s.Members(ctx)
		if err != nil {
			return err
		}
		all := true
		for _, m := range members {
			switch {
			case m.Name != name || m.Incarnation == incarnation:
			case m.Incarnation > incarnation:
				return fmt.Errorf("rekey: %s: %w", name, ErrTaken)
			case !m.Taken && !m.Over:
				done, err := s.becomes(ctx, m, beatTaken+" "+m.beat)
				if err != nil {
					return err
				}
				all = all && done
			}
		}
		if all {
			return nil
		}
	}
}

func (s *Store) join(ctx context.Context, name string, incarnation uint64, cl *Client) error {
	if err := s.take(ctx, name, incarnation); err != nil {
		return err
	}
	se := &session{member: change.Member{Name: name, Incarnation: incarnation}}
	own := s.memberRow(name, incarnation)
	r, err := s.read(ctx)
	for first := true; ; first = false {
		if err != nil {
			return err
		}
		if err := r.of.holds(cl.c); err != nil {
			return err
		}
		se.lease, se.confirmed = r.of.lease(), r.Number
		done, err := s.beat(ctx, se, r.Number)
		if err == nil && !done {
			err = fmt.Errorf("rekey: %s: %w", se.member, ErrTaken)
		}
		if err != nil {
			return err
		}
		if first {
			row, _, err := s.table.Get(ctx, own)
			if err != nil {
				return err
			}
			if err := se.look(memberOf(&row)); err != nil {
				return errors.Join(fmt.Errorf("rekey: %w", err), s.table.Delete(ctx, own))
			}
		}
		sent := se.sent
		se.renewed.Store(&sent)
		was := r.Number
		if r, err = s.read(ctx); err == nil && r.Number == was { // from here on nobody goes two states without this client
			break
		}
	}
	se.enter(cl.c, r.State)
	cl.mu.Lock()
	cl.session = se
	cl.mu.Unlock()
	return nil
}

// measured is what the server's clock and that of a client said before.
type measured struct{ server, sent time.Time }

// rateOver is the least time over which rates are compared: another server, whose clock is a
// second from that of the one before, is not to look like a wrong rate.
const rateOver = 10 * time.Second

// look holds the time that the server gave to a renewal, which was sent and answered at times of
// the client, against these: they differ by no more than MaxSkew, and the client's clock loses
// less than a tenth.
func (m *measured) look(server, sent, got time.Time, lease time.Duration) error {
	ahead, behind := sent.Sub(server), server.Sub(got)
	if ahead > MaxSkew || behind > MaxSkew+time.Millisecond {
		return fmt.Errorf("by at least %v from the server's, and %v is the most: set it (NTP): %w",
			max(ahead, behind).Round(time.Millisecond), MaxSkew, ErrClock)
	}
	if m.server.IsZero() {
		*m = measured{server, sent}
		return nil
	}
	there := server.Sub(m.server)
	if there < max(lease, rateOver) {
		return nil
	}
	here := max(passed(m.sent, got))
	*m = measured{server, sent}
	if there > here+here/10 {
		return fmt.Errorf("it counts %v where the server's counts %v: a lease is not to be trusted: %w", here.Round(time.Millisecond), there, ErrClock)
	}
	return nil
}

// look holds the client's clock against the server's, by the client's last renewal as the table
// has it.
func (s *session) look(m Member) error {
	if s.sent.IsZero() || m.beat != strconv.FormatUint(s.beat, 10) {
		return nil
	}
	return s.clock.look(m.Renewed, s.sent, s.got, s.lease)
}

// beat renews a client's lease in the table, with what it has confirmed; false if the row is
// not as the client left it.
func (s *Store) beat(ctx context.Context, se *session, in uint64) (bool, error) {
	was := ""
	if se.beat > 0 {
		was = strconv.FormatUint(se.beat, 10)
	}
	sent := time.Now()
	done, err := s.table.CheckAndMutate(ctx, hbase.Check{Family: family, Qualifier: "beat", Value: []byte(was)},
		hbase.Row{Key: s.memberRow(se.member.Name, se.member.Incarnation), Cells: cells(map[string]string{
			"beat": strconv.FormatUint(se.beat+1, 10), "confirmed": strconv.FormatUint(se.confirmed, 10), "in": strconv.FormatUint(in, 10),
		})})
	if done {
		se.beat++
		se.sent, se.got = sent, time.Now()
	}
	return done, err
}

// Follow renews the lease of a client that has joined, has it enter each state that the change
// goes to, and confirms it when all that began before is over. It looks every so often, and at
// least four times in a lease, and holds the client's clock against the server's each time. When
// the lease is over, since the table of the state could not be reached, or the clock is wrong
// (ErrClock), it joins anew, by the same name, as soon as it can.
//
// It ends with its context, or when the client is to serve no more: another one has taken its
// name over (ErrTaken), the state is lost (ErrNone), the client is not as the change is defined.
// The client refuses every operation from then on.
func (s *Store) Follow(ctx context.Context, cl *Client, every time.Duration) error {
	cl.mu.Lock()
	se := cl.session
	cl.mu.Unlock()
	if se == nil {
		return fmt.Errorf("rekey: the client has not joined: %w", change.ErrStale)
	}
	every = max(min(every, se.lease/4), time.Millisecond)
	incarnation := se.member.Incarnation
	for {
		err := s.round(ctx, cl.c, se)
		if ctx.Err() != nil {
			return se.end(fmt.Errorf("nobody renews the lease of %v any more: %w", se.member, ctx.Err()))
		}
		if se.serves() != nil && !final(err) { // else the error, if there is one, may pass
			if incarnation, err = s.incarnate(ctx, se.member.Name, incarnation); err == nil {
				err = s.join(ctx, se.member.Name, incarnation, cl)
			}
			if err != nil {
				se.end(err)
			}
			cl.mu.Lock()
			se = cl.session
			cl.mu.Unlock()
		}
		if final(err) {
			return se.end(err)
		}
		se.mu.Lock()
		alone, is := se.stay.alone, se.stay.state.Number
		se.mu.Unlock()
		if is == se.confirmed {
			alone = nil
		}
		timer := time.NewTimer(every)
		select {
		case <-timer.C:
		case <-alone: // what it is to confirm
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// round reads the state and renews the lease, once. After an error that may pass, the lease runs
// on as it did; all others end the session.
func (s *Store) round(ctx context.Context, c *Change, se *session) error {
	ctx, cancel := context.WithTimeout(ctx, se.lease) // an answer after that is of no use
	defer cancel()
	if err := se.serves(); err != nil {
		return err
	}
	r, own, err := s.readWith(ctx, se.member)
	if err == nil {
		err = r.of.holds(c)
	}
	if err != nil {
		return se.unless(err)
	}
	if err := se.look(own); err != nil {
		return se.end(fmt.Errorf("of %v: %w", se.member, err))
	}
	se.mu.Lock()
	is, alone := se.stay.state, se.stay.alone
	se.mu.Unlock()
	enter, err := r.State.Follow(is.Number)
	if err != nil {
		return se.end(err)
	}
	if enter {
		se.enter(c, r.State)
		se.mu.Lock()
		is, alone = se.stay.state, se.stay.alone
		se.mu.Unlock()
		select { // most operations take no longer; else a later round confirms it
		case <-alone:
		case <-time.After(20 * time.Millisecond):
		}
	}
	confirmed := se.confirmed
	select {
	case <-alone:
		se.confirmed = is.Number
	default:
	}
	done, err := s.beat(ctx, se, is.Number)
	if done {
		sent := se.sent
		se.renewed.Store(&sent)
		return nil
	}
	se.confirmed = confirmed
	if err != nil {
		return se.unless(err)
	}
	row, found, err := s.table.Get(ctx, s.memberRow(se.member.Name, se.member.Incarnation))
	if err != nil {
		return se.unless(err)
	}
	m := memberOf(&row)
	switch n, err := strconv.ParseUint(m.beat, 10, 64); {
	case m.Taken:
		return se.end(fmt.Errorf("%v: %w", se.member, ErrTaken))
	case !found || m.Over || err != nil || n <= se.beat:
		return se.end(fmt.Errorf("the lease of %v was ended: %w", se.member, change.ErrStale))
	default: // a renewal of its own of which it had no answer
		se.beat, se.sent = n, time.Time{}
		return nil
	}
}

// final reports that a client is to serve no more. All other errors may pass: the lease sees to
// it that nobody relies on that.
func final(err error) bool {
	return errors.Is(err, ErrTaken) || errors.Is(err, ErrNone) || errors.Is(err, ErrDefinition)
}

// unless ends a session by an error that is final.
func (s *session) unless(err error) error {
	if final(err) {
		return s.end(err)
	}
	return err
}
