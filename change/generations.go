package change

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Generations are the schemas of one kind of row, the oldest first: the same fields,
// in layouts of their own. Immutable, and safe for concurrent use.
type Generations struct {
	schemas []*rowkey.Schema
	infos   [][]rowkey.FieldInfo // of each, its components
	cuts    bool                 // a time may be cut to a longer step
}

// Of makes generations of schemas, the oldest first. All have the same fields: the same
// names, of kinds whose values are the same, and times of the same unit, all of them
// stored. Salts, hashes and copies, orders and widths may differ.
func Of(oldest *rowkey.Schema, newer ...*rowkey.Schema) (*Generations, error) {
	g := &Generations{}
	for i, s := range append([]*rowkey.Schema{oldest}, newer...) {
		if s == nil {
			return nil, fmt.Errorf("change: generation %d has no schema: %w", i, rowkey.ErrSchema)
		}
		g.schemas = append(g.schemas, s)
		g.infos = append(g.infos, slices.Collect(s.Fields()))
	}
	newest := len(g.schemas) - 1
	for i := range g.schemas[:newest] {
		if err := g.sameFields(i, newest); err != nil {
			return nil, err
		}
		if err := g.sameFields(newest, i); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Len is how many generations there are.
func (g *Generations) Len() int { return len(g.schemas) }

// Schema is the schema of a generation; generation 0 is the oldest. It is nil if there is no
// such generation.
func (g *Generations) Schema(generation int) *rowkey.Schema {
	if generation < 0 || generation >= len(g.schemas) {
		return nil
	}
	return g.schemas[generation]
}

// Newest is the schema of the last generation.
func (g *Generations) Newest() *rowkey.Schema { return g.Schema(len(g.schemas) - 1) }

// fault is an error about a field of a generation.
func (g *Generations) fault(i int, field string, reason error, format string, args ...any) error {
	return &rowkey.Error{Schema: g.schemas[i].Name(), Field: field, Offset: -1,
		Err: fmt.Errorf("generation %d: %s: %w", i, fmt.Sprintf(format, args...), reason)}
}

// sameFields is an error if a row of generation i cannot be one of j.
func (g *Generations) sameFields(i, j int) error {
	for _, f := range g.infos[i] {
		if f.Derived || f.Kind == "literal" {
			continue
		}
		at := slices.IndexFunc(g.infos[j], func(o rowkey.FieldInfo) bool { return o.Name == f.Name && !o.Derived })
		switch {
		case !f.Stored:
			return g.fault(i, f.Name, rowkey.ErrSchema, "it is not stored, so that no key of another generation can be made of its own")
		case at < 0:
			return g.fault(j, f.Name, rowkey.ErrSchema, "it has no such field, as generation %d has", i)
		}
		o := g.infos[j][at]
		if why := differ(f, o); why != "" {
			return g.fault(i, f.Name, rowkey.ErrSchema, "%s in generation %d", why, j)
		}
		g.cuts = g.cuts || f.Kind == "time" && f.Notation != o.Notation && (f.Time.Step == 0 || f.Time.Step >= day)
	}
	return nil
}

// differ says in what the values of two fields differ.
func differ(f, o rowkey.FieldInfo) string {
	text := func(k string) bool { return k == "string" || k == "binary" }
	number := func(k string) bool { return k == "uint" || k == "int" }
	switch {
	case f.Kind != o.Kind && !(text(f.Kind) && text(o.Kind)) && !(number(f.Kind) && number(o.Kind)):
		return fmt.Sprintf("it is a %v, and a %v", f.Kind, o.Kind)
	case f.Numeric != o.Numeric:
		return "it is a text here or there, and a number in the other"
	case f.Kind == "time" && (f.Time.Step != o.Time.Step || f.Time.Truncated != o.Time.Truncated || !alike(f.Time.First, o.Time.First, f.Time.Step)):
		return "its unit of time is another one"
	case f.Kind == "float" && f.Bytes != o.Bytes:
		return "it has another precision"
	}
	return ""
}

// day is the Step of all that counts in days, months or years.
const day = 24 * time.Hour

// alike reports that two units of one step begin their steps at the same instants: days of
// +08:00 begin at 16:00 UTC, and are no days of UTC.
func alike(a, b time.Time, step time.Duration) bool {
	if step <= 0 {
		return true
	}
	into := func(t time.Time) int64 { // nanoseconds from the begin of a step of 1970 on
		if step < time.Second {
			return int64(t.Nanosecond()) % int64(step)
		}
		s := int64(step / time.Second)
		return ((t.Unix()%s+s)%s)*int64(time.Second) + int64(t.Nanosecond())
	}
	return into(a) == into(b)
}

// Key appends the key that a row of generation from has in generation to. A row that this
// generation cannot hold, because one of its values would be read back as another one, is an
// error that names the field, as of rowkey.Schema.Rekey; so is a time that does not begin a
// month where the generation has months alone.
func (g *Generations) Key(dst, key []byte, from, to int) ([]byte, error) {
	for _, i := range [2]int{from, to} {
		if g.Schema(i) == nil {
			return dst, fmt.Errorf("change: generation %d of %d: %w", i, len(g.schemas), rowkey.ErrSchema)
		}
	}
	if from == to {
		return append(dst, key...), nil
	}
	own, err := g.schemas[to].Rekey(dst, key, g.schemas[from])
	if err != nil || !g.cuts {
		return own, err
	}
	if back, err := g.schemas[from].Rekey(nil, own[len(dst):], g.schemas[to]); err != nil || !bytes.Equal(back, key) {
		return dst, g.fault(to, g.cut(from), rowkey.ErrRange, "a time of generation %d is none of its own", from)
	}
	return own, nil
}

// cut is the first time of a generation whose steps may be shorter than another's.
func (g *Generations) cut(i int) string {
	for _, f := range g.infos[i] {
		if f.Kind == "time" && !f.Derived && (f.Time.Step == 0 || f.Time.Step >= day) {
			return f.Name
		}
	}
	return ""
}

// Which is the generation of a key, for a table that holds keys of all generations. Salts
// and hashes are compared with the fields. If a key fits two generations with the same row,
// it is the newer one. If it fits them with different rows, the error wraps
// rowkey.ErrAmbiguous; if it fits none, rowkey.ErrMalformed. OneTable says whether there can
// be a key of two different rows.
func (g *Generations) Which(key []byte) (int, error) {
	if len(g.schemas) == 0 {
		return -1, errNoGenerations()
	}
	found := -1
	var first error
	for i := len(g.schemas) - 1; i >= 0; i-- {
		if _, err := g.schemas[i].Decode(key); err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if found < 0 {
			found = i
			continue
		}
		if same, err := g.Key(nil, key, i, found); err != nil || !bytes.Equal(same, key) {
			return -1, &rowkey.Error{Schema: g.schemas[i].Name(), Offset: -1,
				Err: fmt.Errorf("a key of generation %d is one of another row in generation %d: %w", i, found, rowkey.ErrAmbiguous)}
		}
	}
	if found < 0 {
		return -1, fmt.Errorf("change: a key of no generation: %w: %w", rowkey.ErrMalformed, first)
	}
	return found, nil
}

// OneTable is an error that names a field if one table cannot hold keys of all
// generations, because some key could be of two of them and of different rows. It can
// if, of each two, keys have different lengths, or different constants in the same
// place, or the same layout, without Loose fields, after leading salts or hashes of the
// same length.
func (g *Generations) OneTable() error {
	for i := range g.schemas {
		for j := range g.schemas[:i] {
			if !g.apart(j, i) {
				return g.fault(j, g.firstField(j), rowkey.ErrAmbiguous,
					"its keys and those of generation %d cannot be told apart in one table; begin both with literals of one length that differ, or give one a table of its own", i)
			}
		}
	}
	return nil
}

func (g *Generations) firstField(i int) string {
	for _, f := range g.infos[i] {
		if !f.Derived && f.Kind != "literal" {
			return f.Name
		}
	}
	return ""
}

// apart reports that no key of two generations is one of different rows.
func (g *Generations) apart(i, j int) bool {
	a, b := g.infos[i], g.infos[j]
	if disjoint(a, b) {
		return true
	}
	// The same layout after salts or hashes that differ. Of a Loose field, they say which reading it has.
	ha, ra := leading(a)
	hb, rb := leading(b)
	loose := func(f rowkey.FieldInfo) bool { return f.Loose }
	return ha > 0 && !slices.ContainsFunc(a, loose) && ha == hb && g.body(i, ra) == g.body(j, rb) && checked(a[:ra]) && checked(b[:rb])
}

// Disjoint reports that no key is one of both schemas, not of the same row either: keys have
// different constants in the same place, or different lengths. Where it is false there may be one.
// A schema that is nil is an error.
func Disjoint(a, b *rowkey.Schema) (bool, error) {
	if a == nil || b == nil {
		return false, fmt.Errorf("change: Disjoint of a schema that is nil: %w", rowkey.ErrSchema)
	}
	return disjoint(slices.Collect(a.Fields()), slices.Collect(b.Fields())), nil
}

func disjoint(a, b []rowkey.FieldInfo) bool {
	for x := 0; x < len(a) && x < len(b); x++ {
		if a[x].Kind == "literal" && b[x].Kind == "literal" {
			n := min(len(a[x].Const), len(b[x].Const))
			if a[x].Const[:n] != b[x].Const[:n] {
				return true
			}
		}
		if a[x].Size == 0 || a[x].Size != b[x].Size {
			break
		}
	}
	la, lb := width(a), width(b)
	return la > 0 && lb > 0 && la != lb
}

// width is the length of all keys; 0 if it varies.
func width(infos []rowkey.FieldInfo) (n int) {
	for _, f := range infos {
		if f.Stored && f.Size == 0 && f.Const == "" {
			return 0
		}
		n += max(f.Size, len(f.Const))
	}
	return n
}

// leading is how many bytes the leading salts and hashes have, 0 if that varies, and how
// many components they are.
func leading(infos []rowkey.FieldInfo) (size, n int) {
	for ; n < len(infos) && (infos[n].Kind == "salt" || infos[n].Kind == "hash"); n++ {
		if infos[n].Stored && infos[n].Size == 0 {
			return 0, n
		}
		size += infos[n].Size
	}
	return size, n
}

// checked reports that decoding holds the salts and hashes against the fields.
func checked(lead []rowkey.FieldInfo) bool {
	return slices.ContainsFunc(lead, func(f rowkey.FieldInfo) bool { return f.Stored && f.Size > 0 })
}

// body is the layout of a generation from a component on.
func (g *Generations) body(i, from int) string {
	var b bytes.Buffer
	for _, f := range g.infos[i][from:] {
		b.WriteString(f.Notation)
	}
	return b.String()
}

// errNoPlan is of a zero Plan.
var errNoPlan = fmt.Errorf("change: the plan is nil, or has no generations: %w", rowkey.ErrMissing)

// errNoGenerations is of zero Generations.
func errNoGenerations() error {
	return fmt.Errorf("change: no generations: make them with Of: %w", rowkey.ErrSchema)
}
