package hbase_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// What the fake does of a row, without versions: each change is of the whole row.

func (f *fake) mutate(table []byte, mutations *thrift2.TRowMutations) error {
	for _, m := range mutations.Mutations {
		if m.Put != nil {
			if err := f.put(table, m.Put); err != nil {
				return err
			}
		}
		if m.DeleteSingle != nil {
			if err := f.remove(table, m.DeleteSingle); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fake) remove(table []byte, deletes ...*thrift2.TDelete) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.table(table)
	for _, d := range deletes {
		f.deletes = append(f.deletes, d)
		if i, ok := find(rows, d.Row); ok {
			rows = slices.Delete(rows, i, i+1)
		}
	}
	if err == nil {
		f.rows[string(table)] = rows
	}
	return err
}

// value is that of the first column of a row.
func (f *fake) value(table, row []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, _ := f.table(table)
	if i, ok := find(rows, row); ok {
		return rows[i].ColumnValues[0].Value
	}
	return nil
}

func (f *fake) DeleteMultiple(ctx context.Context, table []byte, deletes []*thrift2.TDelete) ([]*thrift2.TDelete, error) {
	defer f.begin(ctx, "deleteMultiple")()
	return []*thrift2.TDelete{}, f.remove(table, deletes...)
}

func (f *fake) MutateRow(ctx context.Context, table []byte, mutations *thrift2.TRowMutations) error {
	defer f.begin(ctx, "mutateRow")()
	return f.mutate(table, mutations)
}

func (f *fake) CheckAndMutate(ctx context.Context, table, row, _, _ []byte, _ thrift2.TCompareOp, value []byte, mutations *thrift2.TRowMutations) (bool, error) {
	defer f.begin(ctx, "checkAndMutate")()
	if !bytes.Equal(f.value(table, row), value) {
		return false, nil
	}
	return true, f.mutate(table, mutations)
}

func (f *fake) change(table, row []byte, c *thrift2.TColumnValue) (*thrift2.TResult_, error) {
	put := &thrift2.TPut{Row: row, ColumnValues: []*thrift2.TColumnValue{c}}
	return &thrift2.TResult_{Row: row, ColumnValues: put.ColumnValues}, f.put(table, put)
}

func (f *fake) Increment(ctx context.Context, table []byte, inc *thrift2.TIncrement) (*thrift2.TResult_, error) {
	defer f.begin(ctx, "increment")()
	n := inc.Columns[0].GetAmount()
	if was := f.value(table, inc.Row); len(was) == 8 {
		n += int64(binary.BigEndian.Uint64(was))
	}
	c := inc.Columns[0]
	return f.change(table, inc.Row, &thrift2.TColumnValue{Family: c.Family, Qualifier: c.Qualifier, Value: binary.BigEndian.AppendUint64(nil, uint64(n))})
}

func (f *fake) Append(ctx context.Context, table []byte, app *thrift2.TAppend) (*thrift2.TResult_, error) {
	defer f.begin(ctx, "append")()
	c := *app.Columns[0]
	c.Value = slices.Concat(f.value(table, app.Row), c.Value)
	return f.change(table, app.Row, &c)
}

func (f *fake) GetTableDescriptor(ctx context.Context, name *thrift2.TTableName) (*thrift2.TTableDescriptor, error) {
	defer f.begin(ctx, "getTableDescriptor")()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.described[string(name.Qualifier)], nil
}

func (f *fake) CreateNamespace(ctx context.Context, _ *thrift2.TNamespaceDescriptor) error {
	defer f.begin(ctx, "createNamespace")()
	return nil
}

func (f *fake) DeleteNamespace(ctx context.Context, _ string) error {
	defer f.begin(ctx, "deleteNamespace")()
	return nil
}

func (f *fake) ListNamespaceDescriptors(ctx context.Context) ([]*thrift2.TNamespaceDescriptor, error) {
	defer f.begin(ctx, "listNamespaceDescriptors")()
	return []*thrift2.TNamespaceDescriptor{{Name: "default"}}, nil
}
