package rowkey

import (
	"fmt"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A decimal number comes and goes as text. Inside, the value of such a field is its
// ascending stored form: those bytes sort as the numbers do, so whatever holds for a
// text holds for it, down to the spans of a query.

// decimalOf is how a dialect that has decimal numbers writes them.
func decimalOf(d dialect) forms.DecimalForm {
	if d == inPhoenix {
		return forms.BigDecimal
	}
	return forms.Numeric
}

// decimalRefused says why a number is not storable.
func decimalRefused(f forms.DecimalForm, d *forms.Decimal) error {
	most, exp := f.Most()
	if n := len(d.Digits); n > most {
		return &detail{fmt.Sprintf("%d digits, at most %d", n, most), ErrRange}
	}
	return &detail{fmt.Sprintf("its magnitude lies outside 1E%d to 1E+%d", -2*exp-2, 2*exp), ErrRange}
}

var errNoNumber error = &detail{"not a decimal number", ErrRange}

// appendNumber appends the ascending form of a number in text that is to be
// stored.
func appendNumber[T string | []byte](f forms.DecimalForm, dst []byte, text T) ([]byte, error) {
	var room [64]byte
	d, ok := forms.DecimalText(room[:0], text)
	switch {
	case !ok:
		return dst, errNoNumber
	case !f.Storable(&d):
		return dst, decimalRefused(f, &d)
	}
	return f.Append(dst, &d), nil
}

// appendDecimalText appends the text of a stored number.
func appendDecimalText(f forms.DecimalForm, dst, form []byte) []byte {
	var room [64]byte
	d, ok := f.Read(room[:0], form)
	if !ok {
		return dst
	}
	return d.AppendText(dst)
}
