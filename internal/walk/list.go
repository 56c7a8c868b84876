package walk

import (
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// list has the values of OneOf or Codes by their forms.
type list struct {
	*forms.List
	codes bool
}

// listOf is the list of a field; nil if there are too many forms, or if one is too long.
func listOf(c *layout.Component) *list {
	var stored, values []string
	for _, v := range c.Listed() {
		form := v
		if c.Codes != nil {
			form = c.Codes[v]
		} else if len(v) < c.LeastLen() || c.Chars != nil && forms.Outside(c.Chars, v) >= 0 {
			continue // no value of the field
		}
		stored, values = append(stored, form), append(values, v)
	}
	if l := forms.ListOf(stored, values); l != nil {
		return &list{l, c.Codes != nil}
	}
	return nil
}
