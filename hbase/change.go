package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Change is what MutateRow and CheckAndMutate do to a row: a Row puts its cells, a
// Deletion deletes.
type Change interface{ change() []byte }

func (r Row) change() []byte      { return r.Key }
func (d Deletion) change() []byte { return d.Key }

// Deletion is what is deleted of a row: all of it, or the columns named "family" or
// "family:qualifier".
//
//	Deletion{Key: k}                                     // the row
//	Deletion{Key: k, Columns: []string{"f"}}             // a family of it
//	Deletion{Key: k, Columns: []string{"f:q"}, Time: t}  // a column's cells up to t
//	Deletion{Key: k, Columns: []string{"f:q"}, One: true} // its newest cell: the one before it is seen again
type Deletion struct {
	Key     []byte
	Columns []string

	// Time has only cells of that time and older deleted; zero is the server's clock
	// (see ClientTime), so that all are that there are. Cells put later with a Time
	// that is not newer are hidden, too, until the server compacts.
	Time time.Time

	// One has one cell of each column deleted, the one of Time or, without it, the
	// newest, and of each family all cells of Time. Such a deletion leaves older cells.
	One bool
}

// deletes are a deletion as it is sent, in one piece for families and one for columns, and
// whether it may be sent again.
func (t *Table) deletes(d Deletion) (ds []*thrift2.TDelete, fixed bool, err error) {
	if err := checkKey(d.Key); err != nil {
		return nil, false, err
	}
	stamp := stampOf(d.Time, t.client.now())
	if d.One {
		stamp = stampOf(d.Time, nil)
	}
	if len(d.Columns) == 0 {
		if d.One {
			return nil, false, explain(ErrArgument, "a Deletion of One cell names its columns")
		}
		return []*thrift2.TDelete{{Row: d.Key, Timestamp: stamp, DeleteType: thrift2.TDeleteType_DELETE_COLUMNS}}, stamp != nil, nil
	}
	kinds := [2]thrift2.TDeleteType{thrift2.TDeleteType_DELETE_FAMILY, thrift2.TDeleteType_DELETE_COLUMNS}
	if d.One {
		kinds = [2]thrift2.TDeleteType{thrift2.TDeleteType_DELETE_FAMILY_VERSION, thrift2.TDeleteType_DELETE_COLUMN}
	}
	for i, ofFamily := range []bool{true, false} {
		one := &thrift2.TDelete{Row: d.Key, DeleteType: kinds[i]}
		for _, c := range columns(d.Columns) {
			if (c.Qualifier == nil) != ofFamily {
				continue
			}
			if ofFamily && d.One && stamp == nil {
				return nil, false, explain(ErrArgument, "a Deletion of One cell of a family has a Time")
			}
			c.Timestamp = stamp
			one.Columns = append(one.Columns, c)
		}
		if one.Columns != nil {
			ds = append(ds, one)
		}
	}
	return ds, stamp != nil, nil
}

// Delete deletes whole rows, up to 1000 in a call; one that there is not is no
// error. The first error ends it, and says how many keys were in calls before it.
func (t *Table) Delete(ctx context.Context, keys ...[]byte) error {
	ds := make([]Deletion, len(keys))
	for i, key := range keys {
		ds[i].Key = key
	}
	return t.DeleteCells(ctx, ds...)
}

// DeleteCells deletes rows, families, columns or versions, up to 1000 deletions in a
// call; what there is not is no error. The first error ends it, and says how many
// deletions were in calls before it.
func (t *Table) DeleteCells(ctx context.Context, deletions ...Deletion) error {
	const name = "deleteMultiple"
	deletes := make([][]*thrift2.TDelete, len(deletions))
	fixed := true
	for i, d := range deletions {
		ds, again, err := t.deletes(d)
		if err != nil {
			return t.refuse(name, fmt.Errorf("key %d: %w", i, err))
		}
		deletes[i] = ds
		fixed = fixed && again
	}
	for first, n := 0, 0; first < len(deletes); first += n {
		var call []*thrift2.TDelete
		n = 0
		for size := 0; n < batchRows && first+n < len(deletes); n++ {
			if size += deletions[first+n].size(); n > 0 && size > batchBytes {
				break
			}
			call = append(call, deletes[first+n]...)
		}
		err := t.deleteSome(ctx, request{name: name, write: true, fixed: fixed, rows: n}, call)
		var of *Error
		if first > 0 && errors.As(err, &of) {
			of.Err = fmt.Errorf("%w (the first %d of %d are deleted)", of.Err, first, len(deletes))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// size is how long a deletion is when it is sent, about.
func (d *Deletion) size() int {
	n := len(d.Key)
	for _, c := range d.Columns {
		n += len(c)
	}
	return n
}

func (t *Table) deleteSome(ctx context.Context, r request, deletes []*thrift2.TDelete) error {
	return t.call(ctx, r, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		left, err := s.DeleteMultiple(ctx, t.bytes, deletes)
		if err == nil && len(left) > 0 {
			return &thrift2.TIOError{Message: text(fmt.Sprintf("%d of %d rows were not deleted", len(left), len(deletes)))}
		}
		return err
	})
}

// mutations are changes of one row as they are sent.
func (t *Table) mutations(changes []Change) (ms *thrift2.TRowMutations, fixed bool, err error) {
	if len(changes) == 0 {
		return nil, false, explain(ErrArgument, "no changes")
	}
	ms, fixed = &thrift2.TRowMutations{Row: changes[0].change()}, true
	for i, change := range changes {
		var again bool
		switch c := change.(type) {
		case Row:
			var put *thrift2.TPut
			if put, _, again, err = t.put(c, nil); err == nil {
				ms.Mutations = append(ms.Mutations, &thrift2.TMutation{Put: put})
			}
		case Deletion:
			var ds []*thrift2.TDelete
			ds, again, err = t.deletes(c)
			for _, d := range ds {
				ms.Mutations = append(ms.Mutations, &thrift2.TMutation{DeleteSingle: d})
			}
		}
		if err == nil && !bytes.Equal(change.change(), ms.Row) {
			err = explain(ErrArgument, "another row than the first: the changes are of one")
		}
		if err != nil {
			return nil, false, fmt.Errorf("change %d: %w", i, err)
		}
		fixed = fixed && again
	}
	return ms, fixed, nil
}

// MutateRow makes changes of one row, all of them or, with an error, none; a reader
// sees none of them or all. A Deletion without a Time hides what the same call puts
// without one: give the puts' Time, and the Deletion's a millisecond less.
func (t *Table) MutateRow(ctx context.Context, changes ...Change) error {
	const name = "mutateRow"
	ms, fixed, err := t.mutations(changes)
	if err != nil {
		return t.refuse(name, err)
	}
	return t.call(ctx, request{name: name, write: true, fixed: fixed, rows: 1}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		return s.MutateRow(ctx, t.bytes, ms)
	})
}

// Check is a question about a column of a row: whether its newest value is equal to
// Value, or compares with it as Is says, byte by byte. Equal with an empty Value asks
// whether there is no such column, or an empty one; NotEqual whether there is one that
// is not empty.
type Check struct {
	Family, Qualifier string
	Is                Comparison
	Value             []byte
}

// Comparison is how the value in a column compares with that of a Check.
type Comparison uint8

// The comparisons: Less is that the column's value is less than that of the Check.
const (
	Equal Comparison = iota
	NotEqual
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

// comparisons are the server's, which asks whether the given value is less, and so
// on, than the column's.
var comparisons = [...]thrift2.TCompareOp{
	Equal:          thrift2.TCompareOp_EQUAL,
	NotEqual:       thrift2.TCompareOp_NOT_EQUAL,
	Less:           thrift2.TCompareOp_GREATER,
	LessOrEqual:    thrift2.TCompareOp_GREATER_OR_EQUAL,
	Greater:        thrift2.TCompareOp_LESS,
	GreaterOrEqual: thrift2.TCompareOp_LESS_OR_EQUAL,
}

// CheckAndMutate makes changes of one row, as MutateRow, if the row passes a check;
// nobody writes the row in between. done is false if it does not pass. A put:
//
//	done, err := table.CheckAndMutate(ctx, hbase.Check{Family: "f", Qualifier: "q"}, row) // if there is none yet
func (t *Table) CheckAndMutate(ctx context.Context, check Check, changes ...Change) (done bool, err error) {
	const name = "checkAndMutate"
	ms, _, err := t.mutations(changes)
	if err == nil && int(check.Is) >= len(comparisons) {
		err = explain(ErrArgument, "a Check is Equal, NotEqual, Less, LessOrEqual, Greater or GreaterOrEqual")
	}
	if err == nil && len(check.Value) == 0 && check.Is > NotEqual {
		err = explain(ErrArgument, "no value is less or greater than none: a Check without a Value is Equal or NotEqual")
	}
	if err != nil {
		return false, t.refuse(name, err)
	}
	value := check.Value
	if value == nil {
		value = []byte{}
	}
	err = t.call(ctx, request{name: name, write: true, rows: 1}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		done, err = s.CheckAndMutate(ctx, t.bytes, ms.Row, []byte(check.Family), []byte(check.Qualifier), comparisons[check.Is], value, ms)
		return err
	})
	return done, err
}

// Count is a counter: a column whose value is a number of 8 bytes, big-endian, as
// Java's Bytes.toBytes(long) writes it.
type Count struct {
	Family, Qualifier string
	N                 int64
}

// Increment adds to counters of a row, of which one that there is not is 0, and gives
// them as they are then. It is not made twice: after an Unsure error read the row.
func (t *Table) Increment(ctx context.Context, key []byte, add ...Count) (now []Count, err error) {
	const name = "increment"
	inc := &thrift2.TIncrement{Row: key}
	seen := map[[2]string]bool{}
	err = checkKey(key)
	for _, c := range add {
		column := [2]string{c.Family, c.Qualifier}
		if seen[column] && err == nil {
			err = explain(ErrArgument, "a counter twice")
		}
		seen[column] = true
		inc.Columns = append(inc.Columns, &thrift2.TColumnIncrement{Family: []byte(c.Family), Qualifier: []byte(c.Qualifier), Amount: c.N})
	}
	if err == nil && len(add) == 0 {
		err = explain(ErrArgument, "no counters")
	}
	if err != nil {
		return nil, t.refuse(name, err)
	}
	err = t.call(ctx, request{name: name, write: true, rows: 1}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		result, err := s.Increment(ctx, t.bytes, inc)
		if err != nil {
			return err
		}
		came := row(result)
		now = make([]Count, len(add))
		for i, c := range add {
			value := came.Value(c.Family, c.Qualifier)
			if len(value) != 8 {
				return &thrift2.TIOError{Message: text(fmt.Sprintf("a counter of %d bytes came back, not of 8", len(value)))}
			}
			now[i] = Count{c.Family, c.Qualifier, int64(binary.BigEndian.Uint64(value))}
		}
		return nil
	})
	return now, err
}

// Append appends values to those in columns of a row, of which one that there is not
// is empty, and gives these columns as they are then. A cell's Time is not used. It is
// not made twice: after an Unsure error read the row.
func (t *Table) Append(ctx context.Context, key []byte, cells ...Cell) (now Row, err error) {
	const name = "append"
	if err := checkKey(key); err != nil {
		return Row{}, t.refuse(name, err)
	}
	if len(cells) == 0 {
		return Row{}, t.refuse(name, explain(ErrArgument, "nothing to append"))
	}
	app := &thrift2.TAppend{Row: key}
	for _, c := range cells {
		app.Columns = append(app.Columns, &thrift2.TColumnValue{Family: []byte(c.Family), Qualifier: []byte(c.Qualifier), Value: c.Value})
	}
	err = t.call(ctx, request{name: name, write: true, rows: 1}, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
		result, err := s.Append(ctx, t.bytes, app)
		if err == nil {
			now = row(result)
		}
		return err
	})
	return now, err
}
