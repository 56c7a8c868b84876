package rowkey

import (
	"strings"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// An Int with Decimal is String.valueOf of it: a minus if it is negative, then its
// digits without zeros in front. −12 is 2d3132, 12 is 3132, 0 is 30. The bytes do
// not sort as the numbers do: "-1" < "-2" < "10" < "9".

const descSigned = "Desc does not fit the decimal text of an Int, which does not sort: leave it out, or say Uint"

// signedDecimal compiles an Int with Decimal.
func (p *pipeline) signedDecimal() (shape, string) {
	n := &p.c.num
	n.form = &forms.Plain{Signed: true}
	if n.min > n.max {
		return shape{}, "no value is within all limits"
	}
	sh := shape{min: 1, max: 20, dir: up, bytes: bytesOf("0123456789")}
	if n.min < signBit64 {
		sh.bytes['-'] = true
	} else if p.bounded() {
		sh.min, sh.max = forms.DigitsLen(n.min-signBit64), forms.DigitsLen(n.max-signBit64)
	}
	if sh.fixed() {
		sh.ends = endWidth
	} else {
		sh.dir = none
	}
	return sh, ""
}

// signedMark reports that the separator behind such an Int is made of digits and
// minus signs, which are its own.
func (c *component) signedMark() bool {
	_, plain := c.num.form.(*forms.Plain)
	return c.kind == KindInt && plain && len(c.stages) == 0 && strings.Trim(string(c.mark), "-0123456789") == ""
}
