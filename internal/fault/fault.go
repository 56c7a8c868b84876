package fault

import "errors"

// The reasons: every error that a caller gets wraps one of them.
var (
	ErrType       = errors.New("value of another type than the field's")
	ErrMissing    = errors.New("field not supplied")
	ErrExtra      = errors.New("more values than fields")
	ErrField      = errors.New("no such field, or not the next one")
	ErrRange      = errors.New("value out of range")
	ErrTerminator = errors.New("value and its end cannot be told apart")
	ErrLength     = errors.New("length not allowed")
	ErrShared     = errors.New("memory used twice")
	ErrMalformed  = errors.New("not a key of this schema")
	ErrToken      = errors.New("not a token of this schema")
	ErrScan       = errors.New("rows that the plan did not ask for")
	ErrDerived    = errors.New("salt, hash or copy does not match the fields")
	ErrFullScan   = errors.New("query reads the whole table")
	ErrManyRanges = errors.New("query needs too many ranges")
	ErrInverted   = errors.New("lower end above upper end")
	ErrSplits     = errors.New("split keys depend on the data")
	ErrAmbiguous  = errors.New("can be read in more than one way")
	ErrSchema     = errors.New("schema cannot be built")
)

// Reasons are all of them.
var Reasons = []error{
	ErrType, ErrMissing, ErrExtra, ErrField, ErrRange, ErrTerminator, ErrLength, ErrShared, ErrMalformed, ErrToken, ErrScan, ErrDerived,
	ErrFullScan, ErrManyRanges, ErrInverted, ErrSplits, ErrAmbiguous, ErrSchema,
}

// Detail is a reason with the facts of one case: its text is the detail, then
// the reason, as in "add a Separator: schema cannot be built".
type Detail struct {
	Text   string
	Reason error
}

func (d *Detail) Error() string { return d.Text + ": " + d.Reason.Error() }

func (d *Detail) Unwrap() error { return d.Reason }

// Make makes the error that a caller sees: the schema, the field, the byte of the key (−1
// if there is none) and the reason. The root package sets it, since the type of that error
// is declared there.
var Make func(schema, field string, offset int, reason error) error

// Offset is the byte of the key in an error that Make made.
var Offset func(err error) int

// Read is the field and the reason of an error that Make made; false for any other error.
var Read func(err error) (field string, reason error, ok bool)
