package rowkey

import (
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// Cond is one condition of a query, or a permission (FullScan, MaxRanges). Conditions
// are joined by AND. The zero Cond is refused.
//
// Values compare as the field's Go values do: numbers as numbers, texts byte by byte,
// times as instants in the field's whole units. A time that is finer than the unit
// stands for the whole unit that holds it, so that no row is lost. A value that the
// field can never hold is no error: it equals no value.
//
// A condition may name a Copy, which is then asked by what it holds: of Right(4) by the last
// four bytes, of a time in another unit by that unit. A Salt is asked by the number of its
// bucket: Eq("salt", 7), or Span("salt", 0, 8). A Hash is not asked.
type Cond struct{ in query.Cond }

// Eq is field = v.
func Eq[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpEq, Field: field, A: query.OperandOf(v)}}
}

// NotEq is field ≠ v.
func NotEq[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpNotEq, Field: field, A: query.OperandOf(v)}}
}

// In is field = one of vs. Without vs, the plan has no ranges and reads nothing.
func In[T Value](field string, vs ...T) Cond {
	list := make([]query.Operand, len(vs))
	for i, v := range vs {
		list[i] = query.OperandOf(v)
	}
	return Cond{query.Cond{Op: query.OpIn, Field: field, List: list}}
}

// Span is from ≤ field < to, half-open like s[from:to]. If from is above to, it is an
// error. For SQL's BETWEEN, use AtLeast and AtMost.
func Span[T Value](field string, from, to T) Cond {
	return Cond{query.Cond{Op: query.OpSpan, Field: field, A: query.OperandOf(from), B: query.OperandOf(to)}}
}

// AtLeast is field ≥ v.
func AtLeast[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpAtLeast, Field: field, A: query.OperandOf(v)}}
}

// AtMost is field ≤ v.
func AtMost[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpAtMost, Field: field, A: query.OperandOf(v)}}
}

// MoreThan is field > v.
func MoreThan[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpMoreThan, Field: field, A: query.OperandOf(v)}}
}

// LessThan is field < v.
func LessThan[T Value](field string, v T) Cond {
	return Cond{query.Cond{Op: query.OpLessThan, Field: field, A: query.OperandOf(v)}}
}

// Prefix is text that begins with p, which may not be empty.
func Prefix(field, p string) Cond {
	return Cond{query.Cond{Op: query.OpBegins, Field: field, A: query.Operand{Kind: query.IsText, Text: p}}}
}

// Suffix is text that ends in p, which may not be empty. It is a range if the field is
// stored with Reverse.
func Suffix(field, p string) Cond {
	return Cond{query.Cond{Op: query.OpEnds, Field: field, A: query.Operand{Kind: query.IsText, Text: p}}}
}

// Null is field is null. No other condition holds for a null, not even NotEq.
func Null(field string) Cond { return Cond{query.Cond{Op: query.OpNull, Field: field}} }

// NotNull is field is not null.
func NotNull(field string) Cond { return Cond{query.Cond{Op: query.OpNotNull, Field: field}} }

// AnyOf joins conditions on one field by OR.
func AnyOf(conds ...Cond) Cond {
	c := query.Cond{Op: query.OpAnyOf, Any: make([]query.Cond, len(conds))}
	for i := range conds {
		c.Any[i] = conds[i].in
		c.Field = conds[0].in.Field
	}
	return Cond{c}
}

// FullScan permits a plan that reads the whole table. No query is then refused for the
// number of its ranges: if there are more than MaxRanges, neighbours are joined until
// there are no more than that. The joined ranges may hold other rows too.
func FullScan() Cond { return Cond{query.Cond{Op: query.OpFullScan}} }

// MaxRanges permits up to n ranges in place of 1024.
func MaxRanges(n int) Cond { return Cond{query.Cond{Op: query.OpMaxRanges, N: n}} }

// of ties a condition to a handle's field.
func (f Field[T]) of(c Cond) Cond {
	c.in.S = f.s
	if f.b.C != nil {
		c.in.Field = f.b.C.Name
	}
	return c
}

// Eq is field = v.
func (f Field[T]) Eq(v T) Cond { return f.of(Eq("", v)) }

// NotEq is field ≠ v.
func (f Field[T]) NotEq(v T) Cond { return f.of(NotEq("", v)) }

// In is field = one of vs.
func (f Field[T]) In(vs ...T) Cond { return f.of(In("", vs...)) }

// Span is from ≤ field < to.
func (f Field[T]) Span(from, to T) Cond { return f.of(Span("", from, to)) }

// AtLeast is field ≥ v.
func (f Field[T]) AtLeast(v T) Cond { return f.of(AtLeast("", v)) }

// AtMost is field ≤ v.
func (f Field[T]) AtMost(v T) Cond { return f.of(AtMost("", v)) }

// MoreThan is field > v.
func (f Field[T]) MoreThan(v T) Cond { return f.of(MoreThan("", v)) }

// LessThan is field < v.
func (f Field[T]) LessThan(v T) Cond { return f.of(LessThan("", v)) }
