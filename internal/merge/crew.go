package merge

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// crew calls the client for streams in goroutines of its own, at most size at a time; the
// loop can make one more call by itself. mu protects the fields after it, and the state of
// streams that were asked. Once that state is answered, the loop may read the answer.
type crew[R any] struct {
	size int              // 0: the loop makes all calls
	call func(*stream[R]) // calls the client

	mu      sync.Mutex
	queue   []*stream[R]
	working int        // how many goroutines are running
	awaited *stream[R] // the loop sleeps until this stream has its answer
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

// ask puts the next call of s into the queue, and starts a worker if the crew is not full.
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

// work makes the calls in the queue until it is empty.
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

// errGone is the panic of the loop after a call of the client that ended its goroutine
// (runtime.Goexit).
var errGone = errors.New("rowkey: a call of the client ended its goroutine")

// answer makes the call of s. A panic is kept for the loop, which raises it again in the
// caller's goroutine, where the caller can recover it.
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

// await waits until the call of s is answered. If no worker has begun it, the loop makes the
// call itself. While a worker is making it, the loop makes other calls that are due.
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

// end empties the queue and waits until no call is running. If one is, it is cancelled first.
func (w *crew[R]) end(cancel context.CancelFunc) {
	w.mu.Lock()
	w.queue = nil
	if w.working > 0 {
		cancel()
	}
	w.mu.Unlock()
	w.idle.Wait()
}
