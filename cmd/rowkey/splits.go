package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) splitsCommand() *cobra.Command {
	var table, family, sampleFile, form string
	c := &cobra.Command{
		Use:   "splits [flags] REGIONS",
		Short: "Write the split keys of a table of so many regions",
		Long: `Write the split keys that divide a table into so many regions: from the salt, hash or number in
front; where that depends on data, from sample keys (--sample, one a line, - is stdin).

  -o shell   a create statement for hbase shell
  -o file    a splits file, for create 't', 'f', SPLITS_FILE => 'splits.txt'
  -o hex     hexadecimal, one a line`,
		Example: `  rowkey splits -s trades 4 -o shell --family d
  rowkey splits -s "[user]['_'][order:8]" 4 --sample keys.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected the number of regions, not %s", plural(len(args), "argument"))
			}
			return nil
		},
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	c.Flags().StringVar(&table, "table", "", "`name` of the table in hbase shell text (default: the schema's)")
	c.Flags().StringVar(&family, "family", "f", "column `family` in hbase shell text")
	c.Flags().StringVar(&sampleFile, "sample", "", "`file` of sample keys, one a line")
	a.outputs(c, "table", "hex", "shell", "file", "go", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			return fmt.Errorf("expected the number of regions, not %s", shown(args[0]))
		}
		var splits rowkey.SplitKeys
		if sampleFile == "" {
			splits, err = s.Splits(n)
		} else {
			splits, err = a.splitsOf(s.Schema, n, sampleFile, form)
		}
		switch {
		case errors.Is(err, rowkey.ErrSplits):
			err = errors.New(strings.ReplaceAll(reason(err).Error(), "use SplitsOf", "give sample keys with --sample"))
			return finding{err}
		case err != nil:
			return reason(err)
		}
		if table == "" {
			table = s.table()
		}
		return a.write(a.splits(splits, table, family))
	}
	return c
}

// splitsOf divides sample keys.
func (a *app) splitsOf(s *rowkey.Schema, n int, file, form string) (rowkey.SplitKeys, error) {
	in := a.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("--sample: %w", err)
		}
		defer f.Close()
		in = f
	}
	var keys [][]byte
	st := a.open(in, true, true)
	err := st.close(st.keys(form, fitsAny(s), func(_ string, key []byte) error {
		if len(key) == 0 || len(key) > 32767 {
			return errors.New("expected a key of 1 to 32767 bytes")
		}
		keys = append(keys, key)
		return nil
	}))
	if err != nil {
		return nil, err
	}
	return s.SplitsOf(n, func(yield func([]byte) bool) {
		for _, k := range keys {
			if !yield(k) {
				return
			}
		}
	})
}

// splits is split keys as -o says.
func (a *app) splits(k rowkey.SplitKeys, table, family string) string {
	switch a.out {
	case "hex":
		return k.Hex()
	case "go":
		var b strings.Builder
		b.WriteString("rowkey.SplitKeys{\n")
		for _, key := range k {
			b.WriteString("\t" + keyText(key, "go") + ",\n")
		}
		return b.String() + "}\n"
	case "shell":
		return fmt.Sprintf("create '%s', '%s', %s\n", table, family, k.Shell())
	case "json":
		out := struct {
			Splits []string `json:"splits"`
		}{[]string{}}
		for _, key := range k {
			out.Splits = append(out.Splits, hex.EncodeToString(key))
		}
		return jsonText(out) + "\n"
	case "file":
		var b strings.Builder
		for _, key := range k {
			b.WriteString(rowkey.Shell(key) + "\n")
		}
		return b.String()
	}
	var rows [][]string
	from := ""
	for i := range len(k) + 1 {
		to := ""
		if i < len(k) {
			to = hex.EncodeToString(k[i])
		}
		rows = append(rows, []string{strconv.Itoa(i), from, to})
		from = to
	}
	return a.grid([]string{"region", "from", "to"}, rows, 1)
}
