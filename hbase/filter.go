package hbase

import (
	"github.com/hbase-rowkey/rowkey"
	"google.golang.org/protobuf/encoding/protowire"
)

// Filters go to the server as protocol buffers, in TScan's filterBytes. The
// numbers of their fields are those of HBase's Filter.proto:
//
//	Filter              { name = 1; serialized_filter = 2 }
//	FilterList          { operator = 1 (1: all must pass); filters = 2 }
//	FuzzyRowFilter      { fuzzy_keys_data = 1 { first = 1: key; second = 2: mask } }
//	MultiRowRangeFilter { row_range_list = 1 { start_row = 1; start_row_inclusive = 2; stop_row = 3; stop_row_inclusive = 4 } }
//	KeyOnlyFilter       { len_as_val = 1 }
//	FirstKeyOnlyFilter  { }

// appendField appends a field of bytes.
func appendField(b []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), value)
}

// appendNumber appends a field that is a number, or 0 and 1 for false and true.
func appendNumber(b []byte, number protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), value)
}

// filter is the filter of a class of HBase's.
func filter(class string, fields []byte) []byte {
	b := appendField(nil, 1, []byte("org.apache.hadoop.hbase.filter."+class))
	return appendField(b, 2, fields)
}

// fuzzyRows passes the rows that fit one of the pairs. The masks are 0 where a
// byte is fixed and 1 where it may be any, as FuzzyRowFilter's callers write them.
func fuzzyRows(plan *rowkey.Plan) []byte {
	var fields []byte
	for key, mask := range plan.Fuzzy() {
		pair := appendField(appendField(nil, 1, key), 2, mask)
		fields = appendField(fields, 1, pair)
	}
	if fields == nil {
		return nil
	}
	return filter("FuzzyRowFilter", fields)
}

// rowRanges passes the rows in one of some ranges that are in key order.
func rowRanges(ranges []rowkey.Range) []byte {
	var fields []byte
	for _, r := range ranges {
		if start, stop, some := fit(r.Start(), r.Stop()); some {
			b := appendNumber(appendField(nil, 1, start), 2, 1)
			b = appendNumber(appendField(b, 3, stop), 4, 0)
			fields = appendField(fields, 1, b)
		}
	}
	return filter("MultiRowRangeFilter", fields)
}

// keysOnly has a row come as its first cell, and that without a value.
func keysOnly() [][]byte {
	return [][]byte{
		filter("FirstKeyOnlyFilter", nil),
		filter("KeyOnlyFilter", appendNumber(nil, 1, 0)),
	}
}

// allOf passes what all filters pass; nil if there is none.
func allOf(filters [][]byte) []byte {
	switch len(filters) {
	case 0:
		return nil
	case 1:
		return filters[0]
	}
	fields := appendNumber(nil, 1, 1)
	for _, f := range filters {
		fields = appendField(fields, 2, f)
	}
	return filter("FilterList", fields)
}
