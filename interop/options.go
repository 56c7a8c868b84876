package interop

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The options of a field that have no parameter.
var (
	// Numeric makes a String a decimal number in text form, such as "-12.345", and an
	// Int or Uint a whole number. It needs a dialect: it is OrderedBytes' numeric or
	// Phoenix's DECIMAL. As the last field, "-12.345" is 12e6ba9b in OrderedBytes and
	// 3e59433366 in Phoenix. Ordered. A number that the system would round is refused.
	Numeric rowkey.FieldOption = option(notation.Option{Word: notation.Numeric})

	// Unsigned makes a Time or a Float Phoenix's UNSIGNED_DATE, UNSIGNED_TIMESTAMP,
	// UNSIGNED_FLOAT or UNSIGNED_DOUBLE, whose sign bit stays as it is. 1970-01-02 in
	// Millis is 0000000005265c00, 1.5 in 4 bytes is 3fc00000. Negative values are
	// refused.
	Unsigned rowkey.FieldOption = option(notation.Option{Word: notation.Unsigned})

	// BlobCopy writes a Binary of OrderedBytes as an OrderedBlob: a header, then the
	// bytes as they are. "ab" is 386162. It fits the last field only.
	BlobCopy rowkey.FieldOption = option(notation.Option{Word: notation.BlobCopy})
)

// Precision admits the numbers of DECIMAL(digits, scale): at most scale digits
// after the point, and at most digits − scale before it. It fits a Numeric and
// changes no byte: with Precision(5, 2), "123.45" is c202182e in Phoenix. "1234.5" is
// refused, as Phoenix does; so is "0.125", which Phoenix would cut to 0.12. A query may
// name any number: one that is refused bounds an interval, and equals no row.
func Precision(digits, scale int) rowkey.FieldOption {
	return option(notation.Option{Word: notation.Precision, N: digits, M: scale})
}

// word is an option that package rowkey knows by its word.
type word struct {
	rowkey.FieldOption // nil: the word says all
	inside.Option
}

func option(said notation.Option) rowkey.FieldOption { return &word{Option: inside.OptionOf(said)} }
