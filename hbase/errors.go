package hbase

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// The reasons. An error of a call wraps one of them, or the context's, or
// rowkey.ErrLength where a key is empty or longer than HBase admits.
var (
	ErrUnreachable = errors.New("no server can be reached")
	ErrLost        = errors.New("the connection broke during the call")
	ErrDenied      = errors.New("access denied")
	ErrNoTable     = errors.New("no such table")
	ErrTableExists = errors.New("the table exists")
	ErrNoNamespace = errors.New("no such namespace")
	ErrNoFamily    = errors.New("the table has no such column family")
	ErrArgument    = errors.New("not allowed")
	ErrServer      = errors.New("the server failed")
	ErrClosed      = errors.New("the client is closed")
)

// Error is a call of the server that failed: of which table, of which range if
// it reads one, and why. It holds nothing of a header or a value.
type Error struct {
	Call  string        // the server's name for it, such as putMultiple
	Table string        // empty if it is of none
	Range *rowkey.Range // of a scan

	// Retryable is that the reason may pass: the same call may succeed later. Retry
	// makes it again by itself.
	Retryable bool
	// Unsure is that the call was to write, was sent, and was not answered: what it
	// writes may have been written or not.
	Unsure bool

	Err error
}

// Error is "hbase: call table range: reason".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("hbase: " + e.Call)
	if e.Table != "" {
		b.WriteString(" " + e.Table)
	}
	if e.Range != nil {
		b.WriteString(" " + e.Range.String())
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap is the reason.
func (e *Error) Unwrap() error { return e.Err }

// said is a reason with what the server or the network said of it.
type said struct {
	reason error
	text   string
	passes bool // it may be otherwise later
}

func (s *said) Error() string { return s.reason.Error() + ": " + s.text }
func (s *said) Unwrap() error { return s.reason }

// explain is the reason with the first line of a message, which may be a page of
// Java.
func explain(reason error, message string) error {
	const most = 300
	message, _, _ = strings.Cut(strings.TrimSpace(message), "\n")
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	if message == "" {
		return reason
	}
	return &said{reason: reason, text: message}
}

// passing is explain of a reason that may pass.
func passing(reason error, message string) error {
	err := explain(reason, message)
	if s, ok := err.(*said); ok {
		s.passes = true
		return s
	}
	return &said{reason: reason, text: "for now", passes: true}
}

// transient reports that a reason may pass.
func transient(err error) bool {
	var s *said
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrLost) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &s) && s.passes
}

// errUnsure is in an error of a call whose writing may have been done or not.
var errUnsure = errors.New("what it writes may have been written or not")

// unsure is a reason of which that is true.
type unsure struct{ error }

func (u *unsure) Error() string   { return u.error.Error() + "; " + errUnsure.Error() }
func (u *unsure) Unwrap() []error { return []error{u.error, errUnsure} }

// serverReasons are exceptions of HBase that a caller can do something about, by
// what is in their text.
var serverReasons = []struct {
	text   string
	reason error
}{
	{"TableNotFoundException", ErrNoTable},
	{"TableExistsException", ErrTableExists},
	{"NamespaceNotFoundException", ErrNoNamespace},
	{"NoSuchColumnFamilyException", ErrNoFamily},
	{"AccessDeniedException", ErrDenied},
}

// reason tells what an error of a call is, and whether the connection that it
// came over is still good.
func reason(err error) (_ error, good bool) {
	var io *thrift2.TIOError
	var app thrift.TApplicationException
	var status httpStatus
	switch {
	case errors.As(err, &io):
		message := io.GetMessage()
		for _, r := range serverReasons {
			if strings.Contains(message, r.text) {
				return explain(r.reason, message), true
			}
		}
		if io.GetCanRetry() {
			return passing(ErrServer, message), true
		}
		return explain(ErrServer, message), true
	case errors.As(err, &status):
		if status == http.StatusUnauthorized || status == http.StatusForbidden {
			return explain(ErrDenied, status.Error()), false
		}
		switch status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return passing(ErrServer, status.Error()), false
		}
		return explain(ErrServer, status.Error()), false
	case errors.As(err, &app):
		return explain(ErrServer, app.Error()), false
	case errors.Is(err, ErrUnreachable):
		return err, false
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return explain(ErrUnreachable, op.Error()), false
	}
	return explain(ErrLost, err.Error()), false
}

// httpStatus is an answer over HTTP that is not 200.
type httpStatus int

func (s httpStatus) Error() string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", int(s), http.StatusText(int(s))))
}
