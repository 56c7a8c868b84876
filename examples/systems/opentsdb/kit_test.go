package opentsdb

import (
	"testing"

	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

func TestRepeated(t *testing.T) {
	for width := repeated(5); width <= 8; width++ {
		if err := rowkeytest.TestTransform(width, "\x00\x00\x00\x13", "\x00\x01\x11\x70"); err != nil {
			t.Errorf("%v: %v", width, err)
		}
	}
}
