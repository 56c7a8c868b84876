// Package attribute has the shapes of otel/attribute.
package attribute

// KeyValue is a name and its value.
type KeyValue struct {
	Key   string
	Value any
}

// String makes an attribute.
func String(k, v string) KeyValue { return KeyValue{k, v} }

// Int makes an attribute.
func Int(k string, v int) KeyValue { return KeyValue{k, v} }
