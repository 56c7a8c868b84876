package rekey

import (
	"context"
	"fmt"

	"github.com/hbase-rowkey/rowkey/change"
)

// Environment is a turn for a program that loads its rows in bulk, in any language. Each
// variable is NAME=value:
//
//	ROWKEY_CHANGE            the change, such as trades
//	ROWKEY_CHANGE_STATES     the table of the states; its row of the change has the cell s:number
//	ROWKEY_CHANGE_NUMBER     what is in that cell in this turn: in any other state the program loads nothing
//	ROWKEY_CHANGE_FROM       the table that it reads
//	ROWKEY_CHANGE_TO         the table that it loads
//	ROWKEY_CHANGE_DIRECTION  forward, or back
//	ROWKEY_CHANGE_SINCE      the server's clock now, in ms since 1970: what it reads is not older
//
// The turn is one that MayMove gave. Layouts in one table are refused: nothing would hold back a
// load that comes too late.
func (t Turn) Environment(ctx context.Context, c *Change) ([]string, error) {
	from := t.From()
	if c.sides[0].Table == c.sides[1].Table {
		return nil, fmt.Errorf("rekey: %s has both layouts in one table, which a bulk load does not fill: %w", t.store.name, change.ErrPhase)
	}
	now, err := t.store.now(ctx)
	if err != nil {
		return nil, err
	}
	direction := "forward"
	if from == change.InNew {
		direction = "back"
	}
	return []string{
		"ROWKEY_CHANGE=" + t.store.name,
		"ROWKEY_CHANGE_STATES=" + t.store.table.Name(),
		"ROWKEY_CHANGE_NUMBER=" + t.number,
		"ROWKEY_CHANGE_FROM=" + c.Name(t.State, from),
		"ROWKEY_CHANGE_TO=" + c.Name(t.State, from.Other()),
		"ROWKEY_CHANGE_DIRECTION=" + direction,
		fmt.Sprint("ROWKEY_CHANGE_SINCE=", now.UnixMilli()),
	}, nil
}
