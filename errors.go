package rowkey

import (
	"errors"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The reasons. Every error of this package is an *Error that wraps one of them.
var (
	ErrType       = errors.New("value of another type than the field's")
	ErrMissing    = errors.New("field not supplied")
	ErrExtra      = errors.New("more values than fields")
	ErrField      = errors.New("no such field, or not the next one")
	ErrRange      = errors.New("value out of range")
	ErrTerminator = errors.New("value and its end cannot be told apart")
	ErrLength     = errors.New("length not allowed")
	ErrMalformed  = errors.New("not a key of this schema")
	ErrDerived    = errors.New("salt, hash or copy does not match the fields")
	ErrFullScan   = errors.New("query reads the whole table")
	ErrManyRanges = errors.New("query needs too many ranges")
	ErrInverted   = errors.New("lower end above upper end")
	ErrSplits     = errors.New("split keys depend on the data")
	ErrAmbiguous  = errors.New("layout cannot be decoded")
	ErrSchema     = errors.New("schema cannot be built")
)

// Error says which schema, which field, where and why. It never holds the
// value: values are other people's data, and keeping one would make every call
// that passes a string pay for an allocation.
type Error struct {
	Schema, Field string
	Offset        int // byte in the key or the notation, or −1 where it has no meaning
	Err           error
}

// Error is "rowkey: schema: field: reason"; what is not known is left out. Below
// an error about a notation it shows the line and the spot.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("rowkey: ")
	for _, part := range []string{e.Schema, e.Field} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(e.Err.Error())
	if e.Offset >= 0 {
		b.WriteString(" (at byte ")
		b.WriteString(strconv.Itoa(e.Offset))
		b.WriteString(")")
	}
	if s, ok := e.Err.(*spot); ok {
		b.WriteString(notation.Spot(s.notation, s.at))
	}
	return b.String()
}

// Unwrap is the reason.
func (e *Error) Unwrap() error { return e.Err }

func init() {
	makeError = func(schema, field string, offset int, reason error) error {
		return &Error{schema, field, offset, reason}
	}
	readError = func(err error) (field string, reason error, ok bool) {
		e, ok := err.(*Error)
		if !ok {
			return "", err, false
		}
		return e.Field, e.Err, true
	}
}
