package command

import (
	"errors"
	"fmt"

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
null stays a null, and is an error where the other has none.

` + keyFormHelp,
		Example: `  rowkey convert --from trades -s "[order:8][seller]" 0c732d34325f7ffffe77dda4124f0000000000000007`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	c.Flags().StringVar(&from, "from", "", "`schema` of the keys: a notation, or its name in rowkey.yaml")
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
		source, err := a.loadNamed(from)
		if err != nil {
			return err
		}
		k := &keyReader{s: a.stream(sf), form: form, fits: fitsAny(source.Schema), worker: func() keyWork {
			var buf []byte
			return func(b *block, _ int, _, key []byte) (err error) {
				out, err := to.Rekey(buf[:0], key, source.Schema)
				if err != nil {
					return noNull(source.Schema, key, err)
				}
				buf = out
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

// noNull is why a key has no other form, which may be that a field of it is
// null: Rekey calls that missing.
func noNull(from *rowkey.Schema, key []byte, err error) error {
	var e *rowkey.Error
	if !errors.Is(err, rowkey.ErrMissing) || !errors.As(err, &e) {
		return reason(err)
	}
	row, bad := from.Decode(key)
	if bad != nil || row.Has(e.Field) {
		return reason(err)
	}
	for f := range from.Fields() {
		if f.Name == e.Field && f.Optional && f.Stored {
			return fmt.Errorf("%s: is null in the key, and cannot be in the schema -s", f.Name)
		}
	}
	return reason(err)
}
