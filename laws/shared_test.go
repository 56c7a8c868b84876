package laws

import (
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// trades is the schema of the README and of package rowkey's examples.
var trades = rowkey.New("trades").
	Salt(16, "seller").
	String("seller").Separator("_").
	Time("at", rowkey.Millis, rowkey.Desc).
	Uint("order", 8).
	MustBuild()

// tradedAt is 2023-05-16 02:20:30 UTC.
var tradedAt = time.UnixMilli(1684203630000)

func mustKey(t *testing.T) func([]byte, error) []byte {
	t.Helper()
	return func(key []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
}
