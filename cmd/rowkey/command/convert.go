package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) convertCommand() *cobra.Command {
	var from, form string
	var sf streamFlags
	c := &cobra.Command{
		Use:   "convert --from SCHEMA [flags] [KEY… | FILE…]",
		Short: "Write keys of one schema as keys of another, field by field by name",
		Long: `Write keys of the schema --from as keys of the schema -s: the same fields by name, in the other's
order and form; a field that the other lacks is dropped, and one that --from lacks is an error. A
null stays a null, and is an error where the other has none. So is a value that the other would
read back as another one: an empty text where it has a null, −0 where it has one zero.

` + keyFormHelp,
		Example: `  rowkey convert --from trades -s "[order:8][seller]" 0c732d34325f7ffffe77dda4124f0000000000000007`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	c.Flags().Var(&filled{text: &from, empty: errEmpty}, "from", "`schema` of the keys: a notation, or its name in rowkey.yaml")
	_ = c.RegisterFlagCompletionFunc("from", a.completeNames)
	a.takesStream(c, &sf, true)
	a.outputs(c, keyOutputs...)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if from == "" {
			return errors.New("no --from: the schema of the keys, a notation or a name")
		}
		to, err := a.load()
		if err != nil {
			return err
		}
		source, err := a.loadNamed("--from", from)
		if err != nil {
			return err
		}
		k := &keyReader{s: a.stream(sf), form: form, fits: said.FitsAny(source.Schema), worker: func() keyWork {
			c := newConverter(to.Schema, source.Schema)
			return func(b *block, _ int, _, key []byte) (err error) {
				out, err := c.convert(key)
				if err != nil {
					return noNull(source.Schema, key, err)
				}
				if a.out == "json" {
					b.out = appendForm(append(b.out, `{"from":"`...), key, "hex")
					b.out = appendForm(append(b.out, `","key":"`...), out, "hex")
					b.out = append(b.out, '"', '}', sf.end())
					return nil
				}
				b.out, err = appendRecord(b.out, out, a.out, sf.end())
				return err
			}
		}}
		return k.each(args)
	}
	return c
}

// converter makes keys of one schema of keys of another. One goroutine uses it at
// a time.
type converter struct {
	to, from *rowkey.Schema
	read     *rowReader
	fields   []rowkey.FieldInfo // of to
	places   []int              // of these among what is read; nil: Rekey alone knows how
	buf      []byte
}

func newConverter(to, from *rowkey.Schema) *converter {
	c := &converter{to: to, from: from, read: newRowReader(from, said.Values{}, false), fields: said.Supplied(to)}
	for _, f := range c.fields {
		at := slices.IndexFunc(c.read.fields, func(o rowkey.FieldInfo) bool {
			return o.Name == f.Name && o.Kind == f.Kind && !o.Optional && !f.Optional && !o.Numeric && !f.Numeric &&
				f.Kind != "float" && f.Pad == "" // a KeyBuilder takes −0 and "ab ", which Rekey may refuse
		})
		if at < 0 {
			c.places = nil
			break
		}
		c.places = append(c.places, at)
	}
	return c
}

// convert is Rekey, whose errors are told; values of one kind need no memory of
// their own on the way.
func (c *converter) convert(key []byte) ([]byte, error) {
	if c.places != nil && c.read.fast(key) {
		k := c.to.KeyIn(c.buf[:0])
		for i, at := range c.places {
			k = c.read.slots[at].Put(k, &c.fields[i])
		}
		if out, err := k.Bytes(); err == nil {
			c.buf = out
			return out, nil
		}
	}
	out, err := c.to.Rekey(c.buf[:0], key, c.from)
	if err == nil {
		c.buf = out
	}
	return out, err
}

// noNull is why a key has no other form, which may be that a field of it is
// null, or none of its fields: Rekey calls both missing, and does not say where.
func noNull(from *rowkey.Schema, key []byte, err error) error {
	var e *rowkey.Error
	if !errors.Is(err, rowkey.ErrMissing) || !errors.As(err, &e) {
		return said.Reason(err)
	}
	row, bad := from.Decode(key)
	if bad != nil || row.Has(e.Field) {
		return said.Reason(err)
	}
	for f := range from.Fields() {
		if f.Name == e.Field && f.Optional && f.Stored {
			return fmt.Errorf("%s: is null in the key, and cannot be in the schema -s", f.Name)
		}
	}
	return fmt.Errorf("%s: is not in the keys of --from", e.Field)
}
