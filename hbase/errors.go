package hbase

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
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
	ErrClosed      = errors.New("closed")

	// ErrTimeout is the end of the client's Timeout. It is a
	// context.DeadlineExceeded, too; a deadline of the caller's is that alone.
	ErrTimeout error = timeout{}
)

type timeout struct{}

func (timeout) Error() string        { return "the client's Timeout is over" }
func (timeout) Timeout() bool        { return true }
func (timeout) Is(target error) bool { return target == context.DeadlineExceeded }

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
	hbase  bool // it is HBase's, not of what lies between
}

func (s *said) Error() string { return s.reason.Error() + ": " + s.text }
func (s *said) Unwrap() error { return s.reason }

// explain is the reason with what was said of it, in brief.
func explain(reason error, message string) error {
	if message = brief(message); message == "" {
		return reason
	}
	return &said{reason: reason, text: message}
}

// brief is the first line of a message, which may be a page of Java, and its cause.
func brief(message string) string {
	first, cause := firstAndCause(message)
	return cut(first) + cause
}

// firstAndCause are the first line of a message and, to stand after it, its cause:
// the last one that it names, or of tries that all failed, the last.
func firstAndCause(message string) (first, cause string) {
	last := ""
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "... ") {
			continue
		}
		if last = line; first == "" {
			first = line
		}
		if strings.HasPrefix(line, "Caused by: ") {
			cause = line
		}
	}
	if cause == "" && strings.Contains(first, "Failed after attempts") {
		cause = last
	}
	if cause == "" || cause == first {
		return first, ""
	}
	return first, " … " + cut(cause)
}

func cut(line string) string {
	const most = 300
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
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

// between is the error of a call while a region is between two servers.
type between struct{ error }

func (b between) Unwrap() error { return b.error }

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

// reason says what an error of a call is, and whether the connection that it
// came over is still good.
func (c *Client) reason(err error) (_ error, good bool) {
	var io *thrift2.TIOError
	var app thrift.TApplicationException
	var moving between
	var status *httpStatus
	var none unreachable
	var bad badAnswer
	var op *net.OpError
	switch {
	case errors.As(err, &io):
		message := c.hide(io.GetMessage())
		for _, r := range serverReasons {
			if strings.Contains(message, r.text) {
				return explain(r.reason, message), true
			}
		}
		if io.GetCanRetry() {
			return fromHBase(passing(ErrServer, message)), true
		}
		return fromHBase(explain(ErrServer, message)), true
	case errors.As(err, &status):
		reason := ErrServer
		if status.code == http.StatusUnauthorized || status.code == http.StatusForbidden {
			reason = ErrDenied
		}
		passes := slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, status.code)
		return &said{reason: reason, text: status.brief(c.hide), passes: passes}, false
	case errors.As(err, &moving):
		return fromHBase(passing(ErrServer, c.hide(moving.Error()))), false
	case errors.As(err, &app):
		return fromHBase(explain(ErrServer, c.hide(app.Error()))), false
	case errors.As(err, &none):
		return explain(ErrUnreachable, c.hide(none.Error())), false
	case errors.As(err, &bad):
		return explain(ErrServer, bad.Error()), false
	case errors.As(err, &op) && (op.Op == "dial" || isRefusal(op)):
		return explain(ErrUnreachable, op.Error()), false
	}
	return explain(ErrLost, c.hide(err.Error())), false
}

func fromHBase(err error) error {
	if s, ok := err.(*said); ok {
		s.hbase = true
	}
	return err
}

// isRefusal reports that a server does not take this client, which by TLS 1.3 it
// says after the client's first message, unread.
func isRefusal(op *net.OpError) bool {
	if op.Op != "remote error" {
		return false
	}
	switch strings.TrimPrefix(op.Err.Error(), "tls: ") {
	case "bad certificate", "unsupported certificate", "revoked certificate", "expired certificate", "unknown certificate",
		"unknown certificate authority", "certificate required", "access denied", "handshake failure":
		return true
	}
	return false
}

// httpStatus is an answer over HTTP that is not 200, and its page.
type httpStatus struct {
	code int
	page string
}

func (s *httpStatus) Error() string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", s.code, http.StatusText(s.code)))
}

var tags = regexp.MustCompile(`(?is)<(style|script)\b.*?</(style|script)>|<[^>]*>`)

// brief is the status and, in brief, what the page says, without what is to be hidden.
func (s *httpStatus) brief(hide func(string) string) string {
	page := strings.ToValidUTF8(hide(s.page), "")
	page = hide(html.UnescapeString(tags.ReplaceAllString(page, " ")))
	_, cause := firstAndCause(page)
	page = cut(strings.Join(strings.Fields(page), " "))
	if page == "" {
		return s.Error()
	}
	return s.Error() + ": " + page + cause
}

// hider takes the values of headers out of texts, in the forms in which a server may
// repeat them.
func hider(header http.Header) func(string) string {
	var secrets []string
	add := func(s string) {
		quoted := fmt.Sprintf("%q", s)
		for _, form := range []string{s, html.EscapeString(s), url.QueryEscape(s), url.PathEscape(s), quoted[1 : len(quoted)-1], base64.StdEncoding.EncodeToString([]byte(s))} {
			if form != "" {
				secrets = append(secrets, form)
			}
		}
	}
	for _, values := range header {
		for _, v := range values {
			add(v)
			for _, part := range strings.Fields(v) { // "Basic dTpw"
				add(part)
				if plain, err := base64.StdEncoding.DecodeString(part); err == nil {
					add(string(plain))
				}
			}
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // the longest first
	return func(text string) string {
		for _, s := range secrets {
			text = strings.ReplaceAll(text, s, "…")
		}
		return text
	}
}
