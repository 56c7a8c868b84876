package rowkey

import forms "github.com/hbase-rowkey/rowkey/internal/form"

// Order relates stored bytes to values; the zero value is not an order.
type Order uint8

const (
	Forward   = Order(forms.Forward)   // bytes sort as values do
	Backward  = Order(forms.Backward)  // bytes sort the other way round
	Unordered = Order(forms.Unordered) // neither; ranges of values cannot be ranges of keys
)

func (o Order) String() string {
	switch o {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case Unordered:
		return "unordered"
	}
	return "invalid order"
}
