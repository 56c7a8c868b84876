package layout

import "github.com/hbase-rowkey/rowkey/internal/notation"

// Option is what an option says, as the notation writes it, and what it does to the
// declaration where it stands, or why it does not fit there. What is nil, it never
// fits.
type Option struct {
	Said     notation.Option
	ToField  func(p *Pipeline) (problem string)
	ToSalt   func(s *Salting) (problem string)
	ToSchema func(s *Settings) (problem string)
}

// Word is the option's name in errors.
func (o *Option) Word() notation.Word { return o.Said.Word.Option() }

// Settings is what the options of New say.
type Settings struct {
	MaxLen  int
	Dialect Dialect
}
