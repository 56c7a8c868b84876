package hbase

import (
	"context"
	"io"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// MaxAnswer is the most bytes of an answer.
var MaxAnswer = &maxAnswer

// IdleLong is how long a connection may be idle without being looked at.
var IdleLong = &idleLong

// DownFor is how long a gateway that could not be reached is passed over.
var DownFor = &downFor

// WaitBefore is how long Retry waits before a try.
func WaitBefore(try int, wait time.Duration) time.Duration { return retry{wait: wait}.before(try) }

// ReadRows reads an answer of getScannerResults, after the head of its message.
func ReadRows(answer io.Reader) ([]Row, error) {
	in := newInput(answer)
	in.begin()
	var r results
	err := r.Read(context.Background(), &protocol{in: in})
	return r.rows, err
}

// MakePuts makes rows as PutAll sends them.
func (t *Table) MakePuts(rows []Row) error {
	var memory putMemory
	for _, r := range rows {
		if _, _, _, err := t.put(r, &memory); err != nil {
			return err
		}
	}
	return nil
}

// KeysBetween is the keys that the server gives a reversed scan from start,
// inclusive, down to stop, exclusive: no client leaves out what it gives too much.
func (t *Table) KeysBetween(ctx context.Context, start, stop []byte) ([][]byte, error) {
	s := scanOpts{batch: 1000, reversed: true}
	var found results
	err := t.batch(ctx, rowkey.Range{}, &s, start, stop, s.batch, nil, &found)
	var keys [][]byte
	for _, r := range found.rows {
		keys = append(keys, r.Key)
	}
	return keys, err
}

// TTLOf is the TTL among a cell's tags.
var TTLOf = ttlOf
