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
	values, stored := c.ListedForms()
	if l := forms.ListOf(stored, values); l != nil {
		return &list{l, c.Codes != nil}
	}
	return nil
}
