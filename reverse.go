package rowkey

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The reversals: their bytes stand in internal/form. They change places and nothing
// else, so that each undoes itself: what scatters a growing number over regions
// gives it back when read. Reverse and ReverseRune have no parameter.

// ReverseLabels turns a.b.c into c.b.a.
func ReverseLabels(sep string) FieldOption {
	return &fieldOpt{
		Said: notation.Option{Word: notation.ReverseLabels, Text: sep},
		ToField: func(p *layout.Pipeline) string {
			return p.OptStage(layout.Stage{Word: notation.ReverseLabels, Sep: []byte(sep)})
		},
	}
}

// ReversePart reverses bytes [from, to) only; a value that is shorter is
// refused.
func ReversePart(from, to int) FieldOption {
	return &fieldOpt{
		Said: notation.Option{Word: notation.ReversePart, N: from, M: to},
		ToField: func(p *layout.Pipeline) string {
			return p.OptStage(layout.Stage{Word: notation.ReversePart, From: from, To: to})
		},
	}
}
