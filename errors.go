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

// detail is a reason with the facts of one case: its text is the detail, then
// the reason, as in "add a Separator: schema cannot be built".
type detail struct {
	text   string
	reason error
}

func (d *detail) Error() string { return d.text + ": " + d.reason.Error() }
func (d *detail) Unwrap() error { return d.reason }
