package query

import (
	"math"
	"reflect"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Operand is a value of a condition.
type Operand struct {
	Num  uint64 // bits of an integer, a float or a bool; seconds of a time
	Text string
	nsec int32
	Kind operandKind
}

// operandKind is the Go type of an operand.
type operandKind uint8

const (
	IsText operandKind = iota
	IsInt
	IsUint
	IsFloat
	IsBool
	isTime
)

// OperandOf is a Go value as a condition has it: a text, bytes, a number, a bool, a
// time, or a type made of one.
func OperandOf[T any](v T) Operand {
	switch v := any(v).(type) {
	case string:
		return Operand{Kind: IsText, Text: v}
	case []byte:
		return Operand{Kind: IsText, Text: string(v)}
	case time.Time:
		return Operand{Kind: isTime, Num: uint64(v.Unix()), nsec: int32(v.Nanosecond())}
	case bool:
		return boolOperand(v)
	case int:
		return Operand{Kind: IsInt, Num: uint64(v)}
	case int64:
		return Operand{Kind: IsInt, Num: uint64(v)}
	case uint64:
		return Operand{Kind: IsUint, Num: v}
	case int32:
		return Operand{Kind: IsInt, Num: uint64(v)}
	case uint32:
		return Operand{Kind: IsUint, Num: uint64(v)}
	}
	r := reflect.ValueOf(v)
	switch kind := r.Kind(); {
	case kind == reflect.String:
		return Operand{Kind: IsText, Text: r.String()}
	case kind == reflect.Slice:
		return Operand{Kind: IsText, Text: string(r.Bytes())}
	case kind == reflect.Bool:
		return boolOperand(r.Bool())
	case r.CanInt():
		return Operand{Kind: IsInt, Num: uint64(r.Int())}
	case r.CanUint():
		return Operand{Kind: IsUint, Num: r.Uint()}
	}
	return Operand{Kind: IsFloat, Num: math.Float64bits(r.Float())}
}

// boolOperand gives the operand of a bool: true is 1, false is 0.
func boolOperand(v bool) Operand {
	if v {
		return Operand{Kind: IsBool, Num: 1}
	}
	return Operand{Kind: IsBool}
}

// below reports that a value lies below another one of its type.
func (o *Operand) below(other *Operand) bool {
	switch o.Kind {
	case IsText:
		return o.Text < other.Text
	case isTime:
		return int64(o.Num) < int64(other.Num) || o.Num == other.Num && o.nsec < other.nsec
	case IsInt:
		return int64(o.Num) < int64(other.Num)
	case IsFloat:
		return math.Float64frombits(o.Num) < math.Float64frombits(other.Num)
	case IsUint, IsBool:
		return o.Num < other.Num
	}
	return false
}

// misfit is the error of an operand of another type than the field's.
func (o *Operand) misfit(c *layout.Component) error {
	return c.Mistyped([]string{IsText: "a text", IsInt: "a number", IsUint: "a number", IsFloat: "a float", IsBool: "a bool", isTime: "a time"}[o.Kind] + " was given")
}
