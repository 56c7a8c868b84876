package walk

import (
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// A list has the values of OneOf or Codes by their forms. Which value a row has cannot be
// foretold, so they are found without a jump that depends on it: each form has a place of its own
// in a table.
type list struct {
	mul    uint64
	shift  uint8
	at     []uint8 // the entry at each place; a form that is not listed may have any
	forms  []string
	values []string // of a code its value, else the same
	codes  bool
}

// listOf is the list of a field; nil if one of its forms, or their number, is too long.
func listOf(c *layout.Component) *list {
	const mostForms, mostBytes = 64, 8
	l := &list{codes: c.Codes != nil}
	for _, v := range c.Listed() {
		form := v
		if l.codes {
			form = c.Codes[v]
		} else if len(v) < c.LeastLen() || c.Chars != nil && forms.Outside(c.Chars, v) >= 0 {
			continue // no value of the field
		}
		if len(form) > mostBytes {
			return nil
		}
		l.forms, l.values = append(l.forms, form), append(l.values, v)
	}
	if len(l.forms) == 0 || len(l.forms) > mostForms || !l.place() {
		return nil
	}
	return l
}

// place finds a table in which no two forms share a place.
func (l *list) place() bool {
	const odd = 0x9e3779b97f4a7c15
	for bits, mul, tries := 3, uint64(odd), 0; bits <= 10; mul = mul*0x5851f42d4c957f2d + 2 | 1 {
		l.mul, l.shift, l.at = mul, uint8(64-bits), make([]uint8, 1<<bits)
		used, ok := make([]bool, 1<<bits), true
		for i, f := range l.forms {
			n := l.placeOf([]byte(f))
			ok = ok && !used[n]
			used[n], l.at[n] = true, uint8(i)
		}
		if ok {
			return true
		}
		if tries++; tries%16 == 0 {
			bits++
		}
	}
	return false
}

// placeOf is the place of a form of at most 8 bytes.
func (l *list) placeOf(form []byte) uint64 {
	return (forms.ReadUint(form) ^ uint64(len(form))<<56) * l.mul >> (l.shift & 63)
}

// of is the value with this form; false if there is none.
func (l *list) of(form []byte) (string, bool) {
	if len(form) > 8 {
		return "", false
	}
	i := l.at[l.placeOf(form)]
	return l.values[i], l.forms[i] == string(form)
}
