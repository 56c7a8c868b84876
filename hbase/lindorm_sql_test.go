package hbase_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// asked stands in for a driver of MySQL: it keeps where it was to connect, and what it was asked.
type asked struct {
	dsn, query string
	args       []driver.NamedValue
}

var errAsked = errors.New("asked")

func (a *asked) Open(dsn string) (driver.Conn, error)       { a.dsn = dsn; return a, nil }
func (a *asked) Prepare(string) (driver.Stmt, error)        { return nil, errAsked }
func (a *asked) Close() error                               { return nil }
func (a *asked) Begin() (driver.Tx, error)                  { return nil, errAsked }
func (a *asked) CheckNamedValue(v *driver.NamedValue) error { return nil }

func (a *asked) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	a.query, a.args = query, args
	return nil, errAsked
}

// The SQL of docs/lindorm.md asks for one seller's day by the columns of the key.
func TestLindormSQL(t *testing.T) {
	a := new(asked)
	sql.Register("mysql", a)
	from := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	_, err := lindormSQL(ctx, "user:password@tcp(127.0.0.1:33060)/default", "s-42", from, from.AddDate(0, 0, 1))
	assert.ErrorIs(t, err, errAsked)
	assert.Equal(t, "user:password@tcp(127.0.0.1:33060)/default", a.dsn)
	assert.Equal(t, "SELECT `order` FROM trades WHERE seller = ? AND at >= ? AND at < ?", a.query)
	assert.Len(t, a.args, 3)
}
