package layout

import "github.com/hbase-rowkey/rowkey/internal/notation"

// Option is one option: as the notation writes it, and three functions that apply it to a
// field, a salt or New. Each says why the option does not fit where it stands; empty if it
// fits. A nil function means that it never fits there.
type Option struct {
	Said     notation.Option
	ToField  func(p *Pipeline) (problem string)
	ToSalt   func(s *Salting) (problem string)
	ToSchema func(s *Settings) (problem string)
}

// Word is the option's name in errors.
func (o *Option) Word() notation.Word { return o.Said.Word.Option() }

// Settings holds what the options of New set.
type Settings struct {
	MaxLen  int
	Dialect Dialect
}
