package hbase_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/scan"
)

var trades = rowkey.New("trades").
	Salt(16, "seller").
	String("seller").Separator("\x00").
	Time("at", rowkey.Millis, rowkey.Desc). // newest first
	Uint("order", 8).
	MustBuild()

// The tests run story on a real HBase.
func Example() {
	if err := story(context.Background(), os.Stdout, "127.0.0.1:9090"); err != nil {
		fmt.Println(err)
	}
}

// story is what docs/hbase.md shows.
func story(ctx context.Context, w io.Writer, addr string) error {
	client, err := hbase.Dial(ctx, addr) // "127.0.0.1:9090"
	if err != nil {
		return err
	}
	defer client.Close()

	splits, err := trades.Splits(8)
	if err != nil {
		return err
	}
	if err := client.CreateTable(ctx, "trades", splits, "f"); err != nil {
		return err
	}
	table := client.Table("trades")

	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	written, err := table.PutAll(ctx, func(yield func(hbase.Row, error) bool) {
		for i := range 5000 {
			key, err := trades.Key().String(fmt.Sprint("s-", i%50)).Time(day.Add(time.Duration(i) * time.Second)).Uint(uint64(i)).Bytes()
			cells := []hbase.Cell{{Family: "f", Qualifier: "price", Value: fmt.Append(nil, i%97)}}
			if !yield(hbase.Row{Key: key, Cells: cells}, err) {
				return
			}
		}
	}, 4) // batches at the same time
	if err != nil {
		return err
	}
	fmt.Fprintln(w, written, "rows")

	// One seller's newest: the salt follows from the seller, one range is read.
	plan, err := trades.Scan(rowkey.Eq("seller", "s-42"), rowkey.LessThan("at", day.Add(time.Hour)))
	if err != nil {
		return err
	}
	for row, err := range table.ScanPlan(ctx, plan.Limit(2)) {
		if err != nil {
			return err
		}
		var at time.Time
		if err := trades.Read(row.Key).Skip().Time(&at).Skip().Err(); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s for %s\n", at.Format(time.TimeOnly), row.Value("f", "price"))
	}

	// All sellers whose name begins so: 16 buckets, at the same time, in one order.
	plan, err = trades.Scan(rowkey.Prefix("seller", "s-1"))
	if err != nil {
		return err
	}
	n := 0
	for _, err := range table.ScanPlan(ctx, plan, hbase.KeysOnly()) {
		if err != nil {
			return err
		}
		n++
	}
	fmt.Fprintln(w, n, "rows in", plan.Len(), "ranges")
	return client.DropTable(ctx, "trades")
}

// lindorm is what docs/lindorm.md shows.
func lindorm(ctx context.Context, endpoint string) (*hbase.Client, error) {
	return hbase.Dial(ctx, endpoint, // "http://ld-….lindorm.rds.aliyuncs.com:9190"
		hbase.AccessKey(os.Getenv("ACCESSKEYID"), os.Getenv("ACCESSSIGNATURE")))
}

// lindormSQL is what docs/lindorm.md shows of SQL.
func lindormSQL(ctx context.Context, dsn, seller string, from, to time.Time) (*sql.Rows, error) {
	db, err := sql.Open("mysql", dsn) // "user:password@tcp(ld-….lindorm.aliyuncs.com:33060)/default"
	if err != nil {
		return nil, err
	}
	db.SetConnMaxLifetime(5 * time.Minute) // a load balancer stands between: it spreads new connections only
	return db.QueryContext(ctx, "SELECT `order` FROM trades WHERE seller = ? AND at >= ? AND at < ?", seller, from, to)
}

// patiently is what docs/hbase.md shows of Retry.
func patiently(ctx context.Context) (*hbase.Client, error) {
	// A call is tried up to 8 times in all, after 100 ms, 200 ms, 400 ms and so on.
	client, err := hbase.Dial(ctx, "gateway1:9090,gateway2:9090", hbase.Retry(8, 100*time.Millisecond), hbase.ClientTime())
	return client, err
}

var _ = patiently

// pageOf is what docs/hbase.md shows of pages.
func pageOf(ctx context.Context, table *hbase.Table, plan *rowkey.Plan, token []byte) (rows []hbase.Row, next []byte, done bool, err error) {
	open := func(ctx context.Context, r rowkey.Range, reversed bool) (scan.Cursor[hbase.Row], error) {
		return table.Open(ctx, r, reversed)
	}
	key := func(row hbase.Row) []byte { return row.Key }
	rows, next, done, err = scan.Page(ctx, plan.Limit(100), token, 16, open, key)
	return rows, next, done, err
}
