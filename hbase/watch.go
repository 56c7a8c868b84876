package hbase

import (
	"context"
	"errors"

	"github.com/hbase-rowkey/rowkey"
)

// Watcher learns of each call of a client, for traces and metrics.
type Watcher interface {
	// Begin learns of a call before it is made. The context that it gives is used
	// for the call. The function that it gives, if any, learns how the call ended.
	// Both are called by the goroutine that makes the call: by several at once. A panic
	// of theirs is one of the method that asked for the call.
	Begin(ctx context.Context, call Call) (context.Context, func(Outcome))
}

// Watch has a Watcher learn of each call.
func Watch(w Watcher) Option {
	return func(o *options) { o.watcher = w }
}

// Call is a call of the server. Put, a page of a scan and a batch of PutAll are one
// each.
type Call struct {
	Name  string        // the server's, such as putMultiple
	Table string        // empty if it is of none
	Range *rowkey.Range // of a scan
	Write bool
	Rows  int // that it writes, or asks for; 0 if it is about none
}

// Outcome is how a call ended.
type Outcome struct {
	Rows  int   // written or received
	Tries int   // more than one only with Retry
	Err   error // an *Error; nil if it succeeded
}

// errGone is the panic of a caller whose Watcher ended the goroutine of a call (runtime.Goexit).
var errGone = errors.New("hbase: a Watcher ended the goroutine of a call")

// caught runs f, and then done with what f panicked with, if it did. So a panic in a goroutine of the
// package can be raised again where the caller can recover it.
func caught(f func(), done func(panicked any)) {
	panicked := any(errGone)
	defer func() {
		if v := recover(); v != nil {
			panicked = v
		}
		done(panicked)
	}()
	f()
	panicked = nil
}

// watch reports a call to the watcher, and its end when that is called.
func (c *Client) watch(ctx context.Context, r *request) (context.Context, func(tries int, err error)) {
	if c.watcher == nil {
		return ctx, func(int, error) {}
	}
	ctx, end := c.watcher.Begin(ctx, Call{Name: r.name, Table: r.table, Range: r.rng, Write: r.write, Rows: r.rows})
	if end == nil {
		return ctx, func(int, error) {}
	}
	return ctx, func(tries int, err error) {
		out := Outcome{Tries: tries, Err: err}
		switch {
		case err != nil:
		case r.got != nil:
			out.Rows = r.got()
		case r.write:
			out.Rows = r.rows
		}
		end(out)
	}
}
