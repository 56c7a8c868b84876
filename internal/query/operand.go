package query

import (
	"math"
	"reflect"
	"time"
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
		return TimeOperand(v)
	case bool:
		return boolOperand(v)
	case int:
		return Operand{Kind: IsInt, Num: uint64(v)}
	case int64:
		return Operand{Kind: IsInt, Num: uint64(v)}
	case uint64:
		return Operand{Kind: IsUint, Num: v}
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
