package write_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
)

// A float of 4 bytes is one also where 4 bytes follow it.
func TestFloats(t *testing.T) {
	for notation, want := range map[string]string{
		"[f:f4]['abcd'][n:1]":    "bfc000006162636407",
		"[f:f8][n:1]":            "bff800000000000007",
		"[f:f4 desc]['_'][n:1]":  "403fffff5f07",
		"[f:f8]['abcdefg'][n:1]": "bff80000000000006162636465666707",
	} {
		key, err := rowkey.Must(rowkey.Parse("t", notation)).KeyIn(make([]byte, 0, 64)).Float(1.5).Uint(7).Bytes()
		assert.NoError(t, err, notation)
		assert.Equal(t, want, fmt.Sprintf("%x", key), notation)
	}
}
