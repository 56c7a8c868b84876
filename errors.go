package rowkey

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The reasons. Every error of this package is an *Error that wraps one of them.
var (
	ErrType       = fault.ErrType       // value of another type than the field's
	ErrMissing    = fault.ErrMissing    // field not supplied
	ErrExtra      = fault.ErrExtra      // more values than fields
	ErrField      = fault.ErrField      // no such field, or not the next one
	ErrRange      = fault.ErrRange      // value out of range
	ErrTerminator = fault.ErrTerminator // value and its end cannot be told apart
	ErrLength     = fault.ErrLength     // length not allowed
	ErrShared     = fault.ErrShared     // memory used twice
	ErrMalformed  = fault.ErrMalformed  // not a key of this schema
	ErrDerived    = fault.ErrDerived    // salt, hash or copy does not match the fields
	ErrFullScan   = fault.ErrFullScan   // query reads the whole table
	ErrManyRanges = fault.ErrManyRanges // query needs too many ranges
	ErrInverted   = fault.ErrInverted   // lower end above upper end
	ErrSplits     = fault.ErrSplits     // split keys depend on the data
	ErrAmbiguous  = fault.ErrAmbiguous  // layout cannot be decoded
	ErrSchema     = fault.ErrSchema     // schema cannot be built
)

// Must gives v, or panics with err. It is for package variables: Must(Parse(name,
// notation)), Must(Bind[Trade](s)), Must(FieldOf[int64](s, "at")). Builder.MustBuild
// is the same at the end of a builder's calls.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Error says which schema, which field, where and why. It never holds the value, since
// values are other people's data, except the year of a time that Years refuses.
type Error struct {
	Schema, Field string
	Offset        int // byte in the key or the notation, or −1 where it has no meaning
	Err           error
}

// Error is "rowkey: schema: field: reason", without the parts that are not known. An error
// about a notation also shows the line and the place in it.
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
	fault.Make = func(schema, field string, offset int, reason error) error {
		return &Error{schema, field, offset, reason}
	}
	fault.Read = func(err error) (field string, reason error, ok bool) {
		e, ok := err.(*Error)
		if !ok {
			return "", err, false
		}
		return e.Field, e.Err, true
	}
	fault.Offset = func(err error) int { return err.(*Error).Offset }
}

var (
	errBefore0  error = &fault.Detail{Text: "a Uint is 0 and above: read it by Int", Reason: ErrRange}
	errAboveInt error = &fault.Detail{Text: "an Int ends at 9223372036854775807: read it by Uint", Reason: ErrRange}

	// of Rekey
	errEmptyNull   error = &fault.Detail{Text: "an empty text would be read back as a null", Reason: ErrLength}
	errOneZero     error = &fault.Detail{Text: "−0 would be read back as +0", Reason: ErrRange}
	errOtherDigits error = &fault.Detail{Text: "the number would be read back as another text", Reason: ErrRange}

	errTimeRead error = &fault.Detail{Text: "a time is read by Time", Reason: ErrType}
)
