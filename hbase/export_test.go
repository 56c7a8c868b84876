package hbase

import (
	"context"
	"io"
	"time"
)

// MaxAnswer is the most bytes of an answer.
var MaxAnswer = &maxAnswer

// IdleLong is how long a connection may be idle without being looked at.
var IdleLong = &idleLong

// DownFor is how long a gateway that could not be reached is passed over.
var DownFor = &downFor

// WaitBefore is how long Retry waits before a try.
func WaitBefore(try int, wait time.Duration) time.Duration { return retry{wait: wait}.before(try) }

// ReadRows reads an answer of getScannerResults, behind the head of its message.
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
