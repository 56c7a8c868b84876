package rowkey

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// A reversal only moves bytes, and a second one moves them back. It spreads growing
// numbers over regions. internal/form has the bytes. Reverse and ReverseRune have no
// parameter, and stand in option.go.

// ReverseLabels writes the parts between separators from the last to the first: with
// ReverseLabels("."), "a.bc" is 62632e61, which is bc.a. Unordered.
func ReverseLabels(sep string) FieldOption {
	return &fieldOpt{
		Said: notation.Option{Word: notation.ReverseLabels, Text: sep},
		ToField: func(p *layout.Pipeline) string {
			return p.OptStage(layout.Stage{Word: notation.ReverseLabels, Sep: []byte(sep)})
		},
	}
}

// ReversePart reverses the bytes from byte from up to byte to, which stays: with
// ReversePart(1, 4), "abcdef" is 616463626566, which is adcbef. Unordered. A value that
// is shorter is refused.
func ReversePart(from, to int) FieldOption {
	return &fieldOpt{
		Said: notation.Option{Word: notation.ReversePart, N: from, M: to},
		ToField: func(p *layout.Pipeline) string {
			return p.OptStage(layout.Stage{Word: notation.ReversePart, From: from, To: to})
		},
	}
}
