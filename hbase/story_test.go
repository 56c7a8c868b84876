package hbase_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/cluster/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The pages of a plan are together what it gives at once.
func TestStoryOfPages(t *testing.T) {
	client := dial(t, newFake(t).addr)
	require.NoError(t, client.CreateTable(ctx, "trades", nil, "f"))
	table := client.Table("trades")
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	for i := range 250 {
		key, err := trades.Key().String(fmt.Sprint("s-", i%50)).Time(day.Add(time.Duration(i) * time.Second)).Uint(uint64(i)).Bytes()
		require.NoError(t, err)
		require.NoError(t, table.Put(ctx, hbase.Row{Key: key, Cells: []hbase.Cell{{Family: "f", Value: []byte{1}}}}))
	}
	plan, err := trades.Scan(rowkey.FullScan())
	require.NoError(t, err)
	var want, got [][]byte
	for row, err := range table.ScanPlan(ctx, plan) {
		require.NoError(t, err)
		want = append(want, row.Key)
	}
	var token []byte
	for n, done := 1, false; !done; n++ {
		var rows []hbase.Row
		rows, token, done, err = pageOf(ctx, table, plan, token)
		require.NoError(t, err)
		for _, row := range rows {
			got = append(got, row.Key)
		}
		assert.Equal(t, n == 3, done)
	}
	assert.Len(t, want, 250)
	assert.Equal(t, want, got)
}

func TestStory(t *testing.T) {
	s := shared.Server(t)
	var out strings.Builder
	require.NoError(t, story(ctx, &out, s.Socket))
	text, err := os.ReadFile("../docs/hbase.md")
	require.NoError(t, err)
	assert.Contains(t, string(text), "```text\n"+out.String()+"```\n")

	t.Setenv("ACCESSKEYID", secretID)
	t.Setenv("ACCESSSIGNATURE", secretKey)
	client, err := lindorm(ctx, s.HTTP+"/")
	require.NoError(t, err)
	defer client.Close()
	_, err = client.TableExists(ctx, "trades")
	assert.NoError(t, err)
}
