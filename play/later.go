//go:build !play_first

package play

import (
	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/gen"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// A site loads two programs: one for the first view, which has the tag play_first, and one with all
// that takes long or is seldom asked for.
func init() {
	methods["infer"] = with(inferred)
	methods["simulate"] = with(simulated)
	forms["gengo"] = func(_ *takeAsk, s *rowkey.Schema) (string, error) {
		f, err := gen.Go(gen.GoOptions{Package: "keys"}, code.Of(inside.Layout(s), s.String(), s.Fingerprint()))
		return string(f.Text), err
	}
	forms["java"] = func(_ *takeAsk, s *rowkey.Schema) (string, error) {
		f, err := gen.Java(gen.JavaOptions{Standalone: true}, s, code.Of(inside.Layout(s), s.String(), s.Fingerprint()))
		return string(f.Text), err
	}
}
