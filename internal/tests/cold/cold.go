// Package cold takes the hot path from schemas. Tests hold a schema that has it against its equal that has not.
package cold

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Make takes the hot path from a schema that nobody uses yet: then every field is written and read by its
// component, and a salt of several fields is put together at the end.
func Make(s *rowkey.Schema) error {
	hot := inside.Walk(s)
	in := hot.Schema()
	asIs := func(*layout.Declaration) {}
	was := new(layout.Schema)
	if err := in.Recompile(was, asIs); err != nil {
		return err
	}
	*in = layout.Schema{Cold: true}
	if err := was.Recompile(in, asIs); err != nil {
		return err
	}
	w := walk.Compile(in)
	*hot.First = *w.First // where Read begins
	inside.SetWalk(s, w)
	return nil
}
