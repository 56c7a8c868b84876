package merge

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// crew makes calls of streams beside the loop, so many at a time. One call more
// is the loop's own. mu guards what follows it, and the state of a stream that is
// asked; what a call gave is the loop's once the state is answered.
type crew[R any] struct {
	size int              // of the crew; 0: the loop makes all calls
	call func(*stream[R]) // asks the client

	mu      sync.Mutex
	queue   []*stream[R]
	working int
	awaited *stream[R] // the loop sleeps until it has answered
	wake    chan struct{}
	idle    sync.WaitGroup
}

type callState uint8

const (
	queued callState = iota
	underWay
	answered
)

func (w *crew[R]) begin(size int, call func(*stream[R])) {
	w.size, w.call = size, call
	w.wake = make(chan struct{}, 1)
}

// ask has a worker make the next call of s.
func (w *crew[R]) ask(s *stream[R], due bool) {
	s.asked, s.due = true, due
	w.mu.Lock()
	defer w.mu.Unlock()
	s.state = queued
	w.queue = append(w.queue, s)
	if w.working < w.size {
		w.working++
		w.idle.Add(1)
		go w.work()
	}
}

// work makes the calls in the queue until there are none.
func (w *crew[R]) work() {
	defer w.idle.Done()
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.working--
			w.mu.Unlock()
			return
		}
		s := w.queue[0]
		w.queue = w.queue[1:]
		s.state = underWay
		w.mu.Unlock()
		w.answer(s)
	}
}

// errGone is a client's call that ended its goroutine.
var errGone = errors.New("rowkey: a call of the client ended its goroutine")

// answer makes a call for the loop. A panic is handed to the loop, which is in
// a goroutine where it can be recovered.
func (w *crew[R]) answer(s *stream[R]) {
	returned := false
	defer func() {
		if !returned {
			if s.panicked = recover(); s.panicked == nil {
				s.panicked = errGone
			}
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		s.state = answered
		if w.awaited == s {
			w.awaited = nil
			w.wake <- struct{}{}
		}
	}()
	w.call(s)
	returned = true
}

// await waits until a call that was asked for has been answered. The loop makes
// it itself if no worker has begun to, and while it waits for one, the others
// that are due.
func (w *crew[R]) await(s *stream[R]) {
	for {
		w.mu.Lock()
		if s.state == answered {
			w.mu.Unlock()
			return
		}
		at := -1
		if s.state == queued {
			at = slices.Index(w.queue, s)
		} else {
			for at = len(w.queue) - 1; at >= 0 && !w.queue[at].due; at-- {
			}
		}
		if at >= 0 {
			due := w.queue[at]
			w.queue = slices.Delete(w.queue, at, at+1)
			due.state = underWay
			w.mu.Unlock()
			w.call(due)
			w.mu.Lock()
			due.state = answered
			w.mu.Unlock()
			continue
		}
		w.awaited = s
		w.mu.Unlock()
		<-w.wake
	}
}

// end waits until no call is under way; a call that is, is cut short by cancel.
func (w *crew[R]) end(cancel context.CancelFunc) {
	w.mu.Lock()
	w.queue = nil
	if w.working > 0 {
		cancel()
	}
	w.mu.Unlock()
	w.idle.Wait()
}
