package rowkey

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The reasons. Every error of this package is an *Error that wraps one of them.
var (
	// Build refuses the declaration.
	ErrSchema = fault.ErrSchema
	// A value, a condition's too, or a struct's field has another type than the field; an
	// integer for a time: UnixMilli takes milliseconds.
	ErrType = fault.ErrType
	// A field was not supplied, or not read.
	ErrMissing = fault.ErrMissing
	// More values than fields.
	ErrExtra = fault.ErrExtra
	// A key so far of Key() is continued twice; a text lies in the buffer of KeyIn.
	ErrShared = fault.ErrShared
	// No such field, or Field names another than the next; a condition on a hash; the zero
	// Cond.
	ErrField = fault.ErrField
	// A number, time or text outside what the field admits; a condition with NaN; a value
	// that Rekey would change.
	ErrRange = fault.ErrRange
	// A text holds its separator, or ends in its padding: the error says which.
	ErrTerminator = fault.ErrTerminator
	// A text or key is too long, too short or empty; an empty stop, Prefix or Suffix.
	ErrLength = fault.ErrLength
	// The bytes are no key of this schema.
	ErrMalformed = fault.ErrMalformed
	// The bytes are no token of this schema.
	ErrToken = fault.ErrToken
	// A cursor of package scan gives rows outside its range, or in another order.
	ErrScan = fault.ErrScan
	// A salt, hash or copy is not what the fields give.
	ErrDerived = fault.ErrDerived
	// A key over a Loose field has more than one reading.
	ErrAmbiguous = fault.ErrAmbiguous
	// A range or a plan would be the whole table.
	ErrFullScan = fault.ErrFullScan
	// More than one range (AppendRanges lists them), or more than 1024, or than MaxRanges
	// permits.
	ErrManyRanges = fault.ErrManyRanges
	// The start of a range, or of a Span, lies above its stop; or AtLeast lies above
	// LessThan.
	ErrInverted = fault.ErrInverted
	// Split keys would depend on the data: SplitsOf takes samples; a key that begins with
	// a time cannot be pre-split.
	ErrSplits = fault.ErrSplits
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
