package draft_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
)

// TestHashOfANumberAsText: where an answer has a number stand as text, the answer "its value" of a
// hash is spelled out, and the schema is the one of the number's bytes.
func TestHashOfANumberAsText(t *testing.T) {
	d, err := draft.Read("md5(uid).substr(0,4) + uid")
	require.NoError(t, err)
	for _, c := range []struct{ input, uid, want string }{
		{"uid", "", "[md5.hex(4)(uid)][uid]"},
		{"uid", ":8", "[md5.hex(4)(uid)][uid:8]"},
		{"uid", ":8 digits(10)", "[md5.hex(4)(values(uid))][uid:8 digits(10)]"},
		{"uid", ":8 decimal", "[md5.hex(4)(values(uid))][uid:8 decimal]"},
		{"text(uid)", ":8 digits(10)", "[md5.hex(4)(text(uid))][uid:8 digits(10)]"},
		{"uid", ":8 wrong", "[md5.hex(4)(uid)][uid:8 wrong]"}, // what does not build stays as it was said
	} {
		got := d.Decide(c.input, c.uid)
		assert.Equal(t, c.want, got)
		if _, err := rowkey.Parse("t", got); c.uid != ":8 wrong" {
			assert.NoError(t, err)
		}
	}

	key := rowkey.Must(rowkey.Parse("t", "[md5.hex(4)(values(uid))][uid:8 digits(10)]")).Key().Uint(10086)
	fitting, err := d.Fit(rowkey.Must(key.Bytes()))
	require.NoError(t, err)
	assert.Equal(t, "[md5.hex(4)(values(uid))][uid:8 digits(10)]", fitting.Decide(firsts(fitting)...))
}

func firsts(d *draft.Draft) (answers []string) {
	for _, q := range d.Open {
		answers = append(answers, q.Choices[0].Notation)
	}
	return answers
}
