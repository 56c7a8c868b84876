package rowkey

import (
	"fmt"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// nineteenNines refuses Digits(19), Desc. It would write 9999999999999999999 − v,
// and Java's largest long is 9223372036854775807: no Java program has such a key.
// What is meant is most often Long.MAX_VALUE − v in 19 digits: for 1684203630002
// that is 9223370352651145805.
func (p *pipeline) nineteenNines() string {
	const why = "Digits(19), Desc takes the value from 9999999999999999999, above Java's largest long: "
	if p.c.kind == KindTime {
		return why + "say Desc, Digits(19), which is Long.MAX_VALUE − v"
	}
	top := p.top()
	return why + fmt.Sprintf("say Digits(18), Desc, or Desc, Digits(%d), which is %d − v", forms.DigitsLen(top), top)
}
