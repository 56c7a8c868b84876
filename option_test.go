package rowkey

import (
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Each word that Parse reads is made an option that errors name by that word, and
// that does something where the table says that it fits.
func TestOptionsMade(t *testing.T) {
	for i := range notation.Options {
		info := &notation.Options[i]
		if info.GoOnly {
			continue
		}
		o := optSaid(&notation.Option{Word: info.Word, N: 3, M: 7, Bound: 9, Text: "ab", List: []string{"a"}, Pairs: map[string]string{"a": "b"}})
		toField := info.Fits&^(notation.FitsSalt|notation.FitsHash|notation.FitsNew) != 0
		toSalt := info.Fits&(notation.FitsSalt|notation.FitsHash) != 0
		toSchema := info.Fits&notation.FitsNew != 0
		if o.Word() != info.Word.Option() || o.Said.Word != info.Word {
			t.Errorf("%s is %s in errors, %s in the notation", info.Word, o.Word(), o.Said.Word)
		}
		if (o.ToField != nil) != toField || (o.ToSalt != nil) != toSalt || (o.ToSchema != nil) != toSchema {
			t.Errorf("%s: field %t, salt %t, schema %t", info.Word, o.ToField != nil, o.ToSalt != nil, o.ToSchema != nil)
		}
	}
}
