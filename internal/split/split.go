package split

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Leads gives the leads at the start of the key: as many as are needed for want
// combinations of values, if there are enough. values is how many combinations they have.
// stuck is the component that ended the search since it is no lead; nil if none did.
func Leads(s *layout.Schema, want int) (leads []Lead, values Count, stuck *layout.Component) {
	values = Count{n: 1}
	var constant []byte
	for i := 0; i < len(s.Comps) && !values.AtLeast(want); i++ {
		c := &s.Comps[i]
		if c.Absent {
			continue
		}
		if c.Role == layout.RoleLiteral {
			constant = append(constant, c.Lit...)
			continue
		}
		mark, marks := sortsWith(s, c)
		l, ok := splitLead(c, mark)
		if !ok || shortLast(c) && !marks && l.clips() {
			return leads, values, c
		}
		l.Name = c.Name
		l.Before, l.width = constant, len(constant)+max(0, min(c.Shape.Max+len(mark), 16))
		constant = nil
		if marks { // its forms hold that constant already
			for i++; s.Comps[i].Absent; i++ { // what is not stored may stand between
			}
		}
		leads = append(leads, l)
		values = values.times(l.count)
	}
	return leads, values, nil
}

// sortsWith is the constant after a component with which its forms sort: the separator of forms of several
// lengths. Or the constant after inverted forms of which a longer one goes on with a smaller byte than stands
// after a shorter one: ff 00 ff lies below ff '_'. False if there is none.
func sortsWith(s *layout.Schema, c *layout.Component) (constant []byte, ok bool) {
	switch {
	case c.Shape.Fixed():
		return nil, false
	case c.Mark != nil:
		return c.Mark, true
	case !shortLast(c):
		return nil, false
	}
	if next := s.NextStored(c); next != nil {
		return next.Lit, next.Role == layout.RoleLiteral
	}
	return nil, false
}

// shortLast reports forms that end themselves, of which a longer one sorts before the shorter one that it
// begins with.
func shortLast(c *layout.Component) bool { return c.Clips() && c.Shape.GoesOnDown }

// Keys gives regions−1 keys: key i is combination ceil(i·values/regions) of the leads.
func Keys(leads []Lead, values Count, regions int) [][]byte {
	keys := make([][]byte, 0, regions-1)
	if values.long != nil {
		parts := big.NewInt(int64(regions))
		for i := 1; i < regions; i++ {
			n := new(big.Int).Mul(values.long, big.NewInt(int64(i)))
			n.Add(n, big.NewInt(int64(regions-1)))
			keys = append(keys, nthLong(leads, n.Div(n, parts)))
		}
		return keys
	}
	width := 0
	for i := range leads {
		width += leads[i].width
	}
	arena := make([]byte, 0, (regions-1)*width)
	for i := 1; i < regions; i++ {
		high, low := bits.Mul64(values.n, uint64(i))
		low, carry := bits.Add64(low, uint64(regions-1), 0)
		n, _ := bits.Div64(high+carry, low, uint64(regions)) // i is below regions, so that it fits
		at := len(arena)
		arena = nth(arena, leads, n, values.n)
		keys = append(keys, arena[at:len(arena):len(arena)])
	}
	return keys
}

// Count is a number of forms, or of combinations of them.
type Count struct {
	n    uint64
	long *big.Int // where a word is too small; else nil
}

func (c Count) big() *big.Int {
	if c.long != nil {
		return c.long
	}
	return new(big.Int).SetUint64(c.n)
}

func (c Count) times(d Count) Count {
	if high, low := bits.Mul64(c.n, d.n); c.long == nil && d.long == nil && high == 0 {
		return Count{n: low}
	}
	return Count{long: new(big.Int).Mul(c.big(), d.big())}
}

// AtLeast reports that the count is n or more.
func (c Count) AtLeast(n int) bool { return c.long != nil || c.n >= uint64(n) }

// String is the count in decimal digits.
func (c Count) String() string { return c.big().String() }

// power is base to the power n.
func power(base uint64, n int) Count {
	c := Count{n: 1}
	for range n {
		c = c.times(Count{n: base})
	}
	return c
}

// after is how many numbers there are from 0 to top.
func after(top uint64) Count {
	if top == math.MaxUint64 {
		return power(1<<32, 2)
	}
	return Count{n: top + 1}
}

// WhyStuck says why a component gives no split keys, and what helps. Samples do not help if
// the key begins with a time: all new rows lie after them.
func WhyStuck(c *layout.Component, first bool) string {
	if Unwritten(c) {
		return "its step writes none of its values, and so no key is written"
	}
	if first && c.Kind == layout.KindTime && (c.Role == layout.RoleField || c.Role == layout.RoleCopy) {
		const remedy = ": such a key cannot be pre-split; a leading Salt or Hash spreads it"
		switch c.Order {
		case forms.Forward:
			return "the key rises with time, and all new rows lie in the last region" + remedy
		case forms.Backward:
			return "the key falls as time passes, and all new rows lie in the first region" + remedy
		}
	}
	if first && c.Kind == layout.KindUint && c.Role == layout.RoleField && c.Order != forms.Unordered {
		return "its values depend on data: use SplitsOf, unless they only rise: such a key cannot be pre-split"
	}
	if c.Role == layout.RoleSalt && c.Buckets > MostRegions {
		return fmt.Sprintf("its more than %d buckets do not sort by their numbers: use SplitsOf", MostRegions)
	}
	if shortLast(c) && c.Forms != nil {
		return "keys of a longer form sort before those of the shorter one that it begins with: use SplitsOf"
	}
	return "its values depend on data: use SplitsOf"
}

// Unwritten reports that a field is a bool of which a transform refuses both values. No sample
// helps, since there is no key.
func Unwritten(c *layout.Component) bool {
	if c.Role != layout.RoleField || c.Kind != layout.KindBool {
		return false
	}
	for i := range uint64(2) {
		if _, err := c.AppendNum(nil, i); err == nil || foreign.IsPanic(err) {
			return false
		}
	}
	return true
}

// MostRegions is more regions than a table has. Without a limit, a number of regions out of a wrong
// place would take all memory.
const MostRegions = 1 << 20

// Lead is a component at the start of a key whose stored forms are known. All of them are
// assumed to be equally frequent.
type Lead struct {
	Name   string // of the component
	Before []byte // constants before it
	width  int    // of a form, with them: a guess
	count  Count
	form   func(dst []byte, n uint64) []byte   // appends number n in key order; nil if a word may be too small for n
	long   func(dst []byte, n *big.Int) []byte // the same, where form is nil
}

// List gives all forms in key order. False if they are more than most.
func (l *Lead) List(most int) (all [][]byte, ok bool) {
	if l.count.AtLeast(most + 1) {
		return nil, false
	}
	for n := range l.count.n {
		all = append(all, l.form(nil, n))
	}
	return all, true
}

// clips reports that a form begins with another one.
func (l *Lead) clips() bool {
	all, _ := l.List(MostRegions)
	for i := range all {
		if i > 0 && bytes.HasPrefix(all[i], all[i-1]) {
			return true
		}
	}
	return false
}

// nth appends combination n, in key order, of all the combinations of the leads.
func nth(dst []byte, leads []Lead, n, all uint64) []byte {
	for i := range leads {
		l := &leads[i]
		all /= l.count.n
		dst = l.form(append(dst, l.Before...), n/all)
		n %= all
	}
	return dst
}

// nthLong is nth of a number that a word may be too small for.
func nthLong(leads []Lead, n *big.Int) []byte {
	picks := make([]*big.Int, len(leads))
	for i := len(leads) - 1; i >= 0; i-- {
		picks[i] = new(big.Int)
		n, picks[i] = new(big.Int).DivMod(n, leads[i].count.big(), picks[i])
	}
	var key []byte
	for i, l := range leads {
		key = append(key, l.Before...)
		if l.form != nil {
			key = l.form(key, picks[i].Uint64())
		} else {
			key = l.long(key, picks[i])
		}
	}
	return key
}

// splitLead makes a lead of a component; false if it is none. Listed forms get the constant mark, with
// which they sort.
func splitLead(c *layout.Component, mark []byte) (Lead, bool) {
	if c.Ends == forms.EndLoose || c.Optional || c.Trims {
		return Lead{}, false
	}
	switch c.Role {
	case layout.RoleSalt:
		return saltLead(c, mark)
	case layout.RoleHash:
		if c.Part.Cut.Hex {
			return textLead(16, c.Part.Cut.N, c.Part.Cut.Upper), true
		}
		return bytesLead(c.Part.Cut.N), true
	case layout.RoleField:
		return fieldLead(c, mark)
	}
	return Lead{}, false
}

// saltLead makes a lead of a salt: its buckets. Forms that do not sort as the numbers of their buckets do
// ("10" sorts before "9") are listed; it is false if they are too many for that, or if a step panics.
func saltLead(c *layout.Component, mark []byte) (Lead, bool) {
	switch {
	case c.Forms != nil:
		return listedLead(c.Forms, mark), true
	case c.BucketsSort():
		return Lead{count: Count{n: c.Buckets}, form: c.AppendBucket}, true
	case c.Buckets > MostRegions:
		return Lead{}, false
	}
	all, err := c.ListForms(int(c.Buckets))
	return listedLead(all, mark), err == nil
}

// fieldLead makes a lead of a field whose values are known before there is data; false if they are
// not.
func fieldLead(c *layout.Component, mark []byte) (Lead, bool) {
	switch {
	case c.Forms != nil:
		values := c.Listed()
		return writtenLead(mark, len(values), func(i int) ([]byte, error) { return layout.AppendText(c, nil, values[i]) })
	case c.Kind == layout.KindBool: // a transform may refuse one, or turn their order
		return writtenLead(mark, 2, func(i int) ([]byte, error) { return c.AppendNum(nil, uint64(i)) })
	case c.Kind != layout.KindUint:
	case len(c.Stages) == 1 && c.Stages[0].Word == notation.Reverse && c.Frame == layout.NoFrame:
		return reversedLead(c)
	case len(c.Stages) == 0 && c.Order != forms.Unordered && (c.Below || c.Num.Binary() && c.Num.Max <= forms.Mask(2)):
		return numberLead(c, c.Num.Max), true
	}
	return Lead{}, false
}

// writtenLead is a lead with the forms of n values, without those that cannot be written. It is
// false after a panic, since then the forms are not known, and if no value can be written.
func writtenLead(mark []byte, n int, write func(i int) ([]byte, error)) (Lead, bool) {
	all := make([][]byte, 0, n)
	for i := range n {
		form, err := write(i)
		switch {
		case foreign.IsPanic(err):
			return Lead{}, false
		case err == nil:
			all = append(all, form)
		}
	}
	return listedLead(all, mark), len(all) > 0
}

// listedLead is a lead with a short list of forms, each with the constant mark after it.
func listedLead(forms [][]byte, mark []byte) Lead {
	forms = slices.Clone(forms)
	for i, f := range forms {
		if len(mark) > 0 {
			forms[i] = slices.Concat(f, mark)
		}
	}
	slices.SortFunc(forms, bytes.Compare)
	forms = slices.CompactFunc(forms, bytes.Equal) // two values of a Loose field may have one form
	return Lead{count: Count{n: uint64(len(forms))}, form: func(dst []byte, n uint64) []byte { return append(dst, forms[n]...) }}
}

// bytesLead is a lead whose forms are all strings of width bytes.
func bytesLead(width int) Lead {
	l := Lead{count: power(256, width)}
	if l.count.long != nil {
		l.long = func(dst []byte, n *big.Int) []byte { return append(dst, n.FillBytes(make([]byte, width))...) }
	} else {
		l.form = func(dst []byte, n uint64) []byte { return forms.AppendUint(dst, n, width) }
	}
	return l
}

// textLead is a lead whose forms are all texts of width digits to the base 10 or 16.
func textLead(base, width int, upper bool) Lead {
	cased := func(dst []byte) []byte {
		if upper {
			forms.Upper(dst[len(dst)-width:])
		}
		return dst
	}
	write := forms.AppendDigits
	if base == 16 {
		write = forms.AppendHex
	}
	l := Lead{count: power(uint64(base), width)}
	if l.count.long != nil {
		l.long = func(dst []byte, n *big.Int) []byte {
			text := n.Text(base)
			return cased(append(append(dst, strings.Repeat("0", width-len(text))...), text...))
		}
	} else {
		l.form = func(dst []byte, n uint64) []byte { return cased(write(dst, n, width)) }
	}
	return l
}

// numberLead is a lead whose forms are the numbers 0 … top as the component writes them.
func numberLead(c *layout.Component, top uint64) Lead {
	return Lead{count: after(top), form: func(dst []byte, n uint64) []byte {
		if c.Order == forms.Backward {
			n = top - n
		}
		form, _ := c.AppendNum(dst, n) // within its limits
		return form
	}}
}

// reversedLead is a lead of a number with its bytes or digits reversed. Growing numbers spread
// evenly over its forms. It is false if the field does not take every number of its width.
func reversedLead(c *layout.Component) (Lead, bool) {
	f := forms.FactsOf(c.Num.Form)
	if f.Base == 0 {
		return Lead{}, false
	}
	l := bytesLead(f.Units)
	if f.Base != 256 {
		l = textLead(f.Base, f.Units, false)
	}
	return l, after(c.Num.Max).big().Cmp(l.count.big()) == 0
}
