package bind

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// Binding is a Codec without its type parameter.
type Binding struct {
	s        *layout.Schema
	walk     *walk.Layout
	fields   []Field   // one for each field of the schema
	slices   []int     // those of them that are []byte, or point to one
	room     int       // the capacity that Write needs
	first    *move     // the first of the moves, one for each field and one more, for Write; nil: Write cannot be used
	lates    []late    // what is written after all fields: salts, hashes, copies and constants
	last     *late     // the only one of lates, if nothing else is written then; else nil
	most     uint      // the length of the longest key
	lead     int       // the number of bytes before the first field
	front    uint64    // the constants among them
	size     uintptr   // the size of the struct
	width    int       // the length of a key that has only numbers; else 0
	over     int       // one more than the length of a key that has only numbers, which Decode itself reads; else 0
	limits   []landing // for such a key: the numbers with limits, and the constants
	modulo   *landing  // for such a key: the number whose salt is by Modulo in one byte
	calls    bool      // for such a key: not all of it is read and checked without a call
	columns  []column  // for such a key: the fields for writeColumns, if it can be used
	landings []landing // one for each field: how it is stored
	judged   []int     // the fields of which not every value has one in Go
}

// Struct ties the fields of a struct to those of a schema.
func Struct(s *layout.Schema, w *walk.Layout, t reflect.Type) (Binding, error) {
	if t.Kind() != reflect.Struct {
		return Binding{}, s.ErrAt("", -1, &fault.Detail{Text: t.String() + " is no struct", Reason: fault.ErrType})
	}
	fields := make([]Field, len(s.Fields))
	if err := bindStruct(s, fields, t, 0); err != nil {
		return Binding{}, err
	}
	for i, c := range s.Fields {
		if fields[i].C == nil {
			text := "no field of " + t.String() + " has its tag, `rowkey:\"" + c.Name + "\"`"
			for i := range t.NumField() {
				if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Pointer {
					text += "; those of an embedded " + f.Type.String() + " do not count"
				}
			}
			return Binding{}, s.ErrAt(c.Name, -1, &fault.Detail{Text: text, Reason: fault.ErrMissing})
		}
	}
	if len(s.Steps) == 0 {
		return Binding{}, s.ErrZero()
	}
	b := Binding{s: s, walk: w, fields: fields, size: t.Size()}
	b.linkMoves()
	b.linkLandings()
	if b.first != nil && b.lead == 0 && len(b.lates)+len(s.Rests) == 0 && b.over > 0 {
		b.linkColumns(unsafe.Slice(b.first, len(b.fields)))
	}
	return b, nil
}

func bindStruct(s *layout.Schema, fields []Field, t reflect.Type, offset uintptr) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("rowkey")
		if !ok || tag == "-" {
			if !ok && f.Anonymous && f.Type.Kind() == reflect.Struct {
				if err := bindStruct(s, fields, f.Type, offset+f.Offset); err != nil {
					return err
				}
			}
			continue
		}
		name, unit, _ := strings.Cut(tag, ",")
		c := s.Named(name)
		if dot := strings.LastIndexByte(name, '.'); c == nil && dot > 0 {
			if name[:dot] != s.Name { // of another schema
				continue
			}
			name = name[dot+1:]
			c = s.Named(name)
		}
		switch {
		case c == nil:
			why := s.NoField(name).(*fault.Detail)
			return s.ErrAt(name, -1, &fault.Detail{Text: "tag of " + t.String() + "." + f.Name + ": " + why.Text, Reason: fault.ErrField})
		case c.Role != layout.RoleField:
			return s.ErrAt(name, -1, &fault.Detail{Text: "is computed, not supplied", Reason: fault.ErrField})
		case fields[c.Ord].C != nil:
			return s.ErrAt(name, -1, &fault.Detail{Text: "the tag stands twice", Reason: fault.ErrExtra})
		}
		b, problem := bindNullable(c, f.Type, unit)
		if problem != "" {
			return s.ErrAt(name, -1, &fault.Detail{Text: t.String() + "." + f.Name + ": " + problem, Reason: fault.ErrType})
		}
		b.offset = offset + f.Offset
		fields[c.Ord] = b
	}
	return nil
}

// misused is the error of a Codec that Bind did not make, or of a nil pointer to a row. The
// nil must be refused: nil plus the offset of a field in a large struct may be the address
// of other memory.
func (b *Binding) misused() error {
	if b.s == nil {
		return fault.Make("", "", -1, &fault.Detail{Text: "a Codec that Bind did not make", Reason: fault.ErrMissing})
	}
	return b.s.ErrAt("", -1, &fault.Detail{Text: "a nil pointer to a row", Reason: fault.ErrMissing})
}
