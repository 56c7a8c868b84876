package bind

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Binding is a Codec without its type.
type Binding struct {
	s        *layout.Schema
	fields   []Field       // as the schema's
	First    *move         // of a move for each field and one more, where keys are written in one piece; else nil
	lates    []late        // salts that are taken from the struct when the key is there
	rests    []layout.Slot // what is computed from the key's bytes behind it
	most     uint          // bytes of a key
	lead     int           // bytes in front of the first field
	front    uint64        // constants among them
	size     uintptr       // of the struct
	over     int           // one more than the bytes of a key of numbers alone; else 0
	limits   []landing     // of these: what is checked
	columns  []column      // of these: how writeColumns writes them, if it can
	lifts    []landing     // and how each is stored
	landings []landing     // of each field, where decodeHot reads all of them
}

// Struct ties the fields of a struct to those of a schema.
func Struct(s *layout.Schema, t reflect.Type) (Binding, error) {
	if t.Kind() != reflect.Struct {
		return Binding{}, s.ErrAt("", -1, &fault.Detail{Text: t.String() + " is no struct", Reason: fault.ErrType})
	}
	fields := make([]Field, len(s.Fields))
	if err := bindStruct(s, fields, t, 0); err != nil {
		return Binding{}, err
	}
	for i, c := range s.Fields {
		if fields[i].C == nil {
			return Binding{}, s.ErrAt(c.Name, -1, &fault.Detail{Text: "no field of " + t.String() + " has its tag", Reason: fault.ErrMissing})
		}
	}
	b := Binding{s: s, fields: fields, size: t.Size()}
	b.linkMoves()
	b.linkLandings()
	if b.First != nil && b.lead == 0 && len(b.lates)+len(b.rests) == 0 && b.over > 0 {
		b.linkColumns(unsafe.Slice(b.First, len(b.fields)))
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
		c := s.ByName[name]
		switch {
		case c == nil:
			return s.ErrAt(name, -1, &fault.Detail{Text: "tag of " + t.String() + "." + f.Name, Reason: fault.ErrField})
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

// misused says that a codec is none of Bind's, or that there is no row: with an
// offset added, a nil pointer to a large struct may point to memory that is there.
func (b *Binding) misused() error {
	if b.s == nil {
		return fault.Make("", "", -1, &fault.Detail{Text: "a Codec that Bind did not make", Reason: fault.ErrMissing})
	}
	return b.s.ErrAt("", -1, &fault.Detail{Text: "a nil pointer to a row", Reason: fault.ErrMissing})
}
