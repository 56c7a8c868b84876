package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// contexts are those of calls: of the work, which the first Ctrl-C ends, and of making
// and dropping tables, which the second ends.
type contexts struct{ work, tables context.Context }

// watchInterrupts ends contexts on Ctrl-C, if there are tables to be dropped then.
// Without, Ctrl-C is left to do what it does. The function that it gives ends the watch.
func watchInterrupts(stderr io.Writer, tables bool) (calls contexts, done func()) {
	if !tables {
		return contexts{context.Background(), context.Background()}, func() {}
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	work, endWork := context.WithCancelCause(context.Background())
	cleaning, endCleaning := context.WithCancelCause(context.Background())
	over := make(chan struct{})
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		for i := range 2 {
			select {
			case <-over:
				return
			case <-signals:
			}
			if i == 0 {
				fmt.Fprintln(stderr, "quickstart: interrupted: dropping its tables; Ctrl-C again leaves them")
				endWork(errInterrupted)
			} else {
				endCleaning(errInterrupted)
			}
		}
	}()
	return contexts{work, cleaning}, func() {
		signal.Stop(signals)
		close(over)
		<-watching
		endWork(nil)
		endCleaning(nil)
	}
}

var errInterrupted = errors.New("interrupted")

// end drops the tables. Of what was interrupted it tells that, not which call it was.
func (c contexts) end(drop func() error, err error) error {
	left := drop()
	switch {
	case context.Cause(c.work) != errInterrupted:
		return errors.Join(err, left)
	case left == nil:
		return fmt.Errorf("%w; its tables are dropped", errInterrupted)
	}
	return errors.Join(errInterrupted, left)
}

// answeredBy runs ask on the tables as they are, or puts them on a server first, and
// drops them there at the end.
func answeredBy(server string, calls contexts, tables []*table, ask func() error) (err error) {
	if server != "" {
		drop, failed := serve(calls, server, tables)
		defer func() { err = calls.end(drop, err) }()
		if failed != nil {
			return failed
		}
	}
	return ask()
}
