package rowkey

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// The reversals only move bytes; done twice they give the same bytes again. They spread
// growing numbers over regions. internal/form has their bytes. Reverse and ReverseRune have
// no parameter: see option.go.

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
