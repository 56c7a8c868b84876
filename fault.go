package rowkey

// detail is a reason with the facts of one case: its text is the detail, then
// the reason, as in "add a Separator: schema cannot be built".
type detail struct {
	text   string
	reason error
}

func (d *detail) Error() string { return d.text + ": " + d.reason.Error() }
func (d *detail) Unwrap() error { return d.reason }

// makeError makes an error as a caller sees it: of which schema and field, at which
// byte, and why; the offset is −1 where there is none. Where that type is declared
// says how.
var makeError func(schema, field string, offset int, reason error) error

// readError is the field and the reason of such an error; false for any other.
var readError func(err error) (field string, reason error, ok bool)
