package plan

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Direct reports that direct makes the plan of some conditions.
func Direct(s *layout.Schema, conds ...query.Cond) bool {
	p := new(Plan)
	pl := Begin(p, s)
	for i := range conds {
		if pl.Take(&conds[i]) != nil {
			return false
		}
	}
	for i, c := range s.Fields {
		p.con(i).Settle(c)
	}
	return pl.direct()
}
