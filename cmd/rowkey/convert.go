package main

import (
	"errors"
	"fmt"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) convertCommand() *cobra.Command {
	var from, form string
	var strict bool
	c := &cobra.Command{
		Use:   "convert --from SCHEMA [flags] [KEY…]",
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
	takesStrict(c, &strict)
	a.outputs(c, "hex", "shell", "base64", "go", "json")
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
		var buf []byte
		return a.eachKey(args, form, strict, fitsAny(source.Schema), func(st *stream, _ string, key []byte) error {
			out, err := to.Rekey(buf[:0], key, source.Schema)
			if err != nil {
				return noNull(source.Schema, key, err)
			}
			buf = out
			record := keyText(out, a.out)
			if a.out == "json" {
				record = jsonText(struct {
					From string `json:"from"`
					Key  string `json:"key"`
				}{keyText(key, "hex"), keyText(out, "hex")})
			}
			if err := st.out.add([]byte(record + "\n")); err != nil {
				return stopped{err}
			}
			return nil
		})
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
