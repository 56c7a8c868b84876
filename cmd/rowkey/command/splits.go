package command

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

func (a *app) splitsCommand() *cobra.Command {
	var table, family, sampleFile, form string
	var foreign bool
	var sf streamFlags
	c := &cobra.Command{
		Use:   "splits [flags] REGIONS",
		Short: "Write the split keys of a table of so many regions",
		Long: `Write the split keys that divide a table into so many regions: from the salt, hash or number in
front; where that depends on data, from sample keys (--sample, one a line, - is stdin). Samples
are held against the schema: what is no key of it makes no splits, unless --any takes it. A key
that begins with a time cannot be pre-split: all new rows lie in one region, whatever the splits.

  -o shell   a create statement for hbase shell
  -o file    a splits file, for create 't', 'f', SPLITS_FILE => 'splits.txt'
  -o hex     hexadecimal, one a line`,
		Example: `  rowkey splits -s trades 4 -o shell --family d
  rowkey splits -s "[user]['_'][order:8]" 4 --sample keys.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected the number of regions, not %s", said.Plural(len(args), "argument"))
			}
			return nil
		},
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	c.Flags().Var(&filled{text: &table, empty: errNoTable}, "table", "`name` of the table in hbase shell text (default: the schema's)")
	c.Flags().StringVar(&family, "family", "f", "column `family` in hbase shell text")
	c.Flags().Var(&filled{text: &sampleFile, empty: errNoFile}, "sample", "`file` of sample keys, one a line")
	c.Flags().BoolVar(&foreign, "any", false, "take samples that are no keys of the schema, too")
	a.takesStream(c, &sf, false)
	a.outputs(c, "table", "hex", "shell", "file", "go", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			return fmt.Errorf("expected the number of regions, not %s", said.Shown(args[0]))
		}
		var splits rowkey.SplitKeys
		named := table != "" || a.out == "shell" // a file's name, which a schema of -f has, may be no table's
		if table == "" {
			table = s.table()
		}
		if err := validTable(table); named && err != nil {
			return err
		}
		if err := validFamily(family); err != nil {
			return err
		}
		if sampleFile == "" {
			splits, err = s.Splits(n)
		} else {
			splits, err = a.splitsOf(s.Schema, n, sampleFile, form, foreign, sf)
		}
		if err != nil {
			return splitsError(err)
		}
		if sampleFile == "" && !a.quiet {
			if note := unevenSplits(s.Schema, uint64(n)); note != "" {
				a.complain(errors.New(note))
			}
		}
		return a.write(a.splits(splits, table, family))
	}
	return c
}

// unevenSplits is a note where some regions get more buckets of the salt in front than others.
func unevenSplits(s *rowkey.Schema, regions uint64) string {
	for f := range s.Fields() {
		if f.Kind == "literal" {
			continue
		}
		if f.Kind != "salt" || regions > f.Count || f.Count%regions == 0 {
			return ""
		}
		return fmt.Sprintf("%s in %d regions are uneven: some regions get %s, others %d", said.Plural(int(f.Count), "bucket"), regions, said.Plural(int(f.Count/regions+1), "bucket"), f.Count/regions)
	}
	return ""
}

// splitsOf divides sample keys, which are keys of the schema unless foreign ones
// are permitted: splits of something else make a table of empty regions.
func (a *app) splitsOf(s *rowkey.Schema, n int, file, form string, foreign bool, sf streamFlags) (rowkey.SplitKeys, error) {
	var yield func([]byte) bool
	bad := 0
	sf.strict = false
	st := a.stream(sf)
	st.short = true // since one bad sample is enough for there to be no splits
	k := &keyReader{s: st, form: form, fits: said.FitsAny(s), worker: func() keyWork {
		r := newRowReader(s, said.Values{}, false)
		return func(b *block, _ int, _, key []byte) error {
			if len(key) == 0 || len(key) > longestKey {
				return fmt.Errorf("expected a key of 1 to %d bytes", longestKey)
			}
			if err := r.read(key); err != nil && !foreign && !errors.Is(err, rowkey.ErrAmbiguous) {
				return err
			}
			if b.checked == nil {
				b.checked = &checkedBlock{}
			}
			b.checked.bytes = append(b.checked.bytes, key...)
			b.checked.ends = append(b.checked.ends, len(b.checked.bytes))
			return nil
		}
	}, after: func(b *block) error {
		from := 0
		if b.checked != nil {
			for _, end := range b.checked.ends {
				if !yield(b.checked.bytes[from:end]) {
					return errEnough
				}
				from = end
			}
			b.checked.bytes, b.checked.ends = b.checked.bytes[:0], b.checked.ends[:0]
		}
		bad += b.bad
		return nil
	}}
	packed := form != said.FormRaw && form != said.FormLen
	var err error
	splits, unsplit := s.SplitsOf(n, func(take func([]byte) bool) { // as they are read, so that no second copy of them is kept
		yield = take
		err = st.close(a.eachInput(st, []string{file}, "sample keys, one a line", packed, k.input))
	})
	if err != nil && !errors.Is(err, errEnough) {
		var found finding
		if bad > 0 && errors.As(err, &found) && !foreign && !errors.Is(err, errTooLong) {
			return nil, finding{fmt.Errorf("%w: no splits of samples that are no keys of the schema; --any takes them", found.err)}
		}
		var path *fs.PathError
		var dir isDirectory
		if errors.As(err, &path) || errors.As(err, &dir) {
			return nil, fmt.Errorf("--sample: %w", err)
		}
		return nil, err
	}
	if errors.Is(unsplit, rowkey.ErrSplits) && st.good == 0 { // which the library, that sees no file, tells as too few keys
		if file == "-" {
			file = "stdin"
		}
		return nil, finding{fmt.Errorf("--sample: %s holds no keys", file)}
	}
	return splits, unsplit
}

// errEnough ends the reading of samples that make no splits.
var errEnough = errors.New("no more samples are wanted")

// splits is split keys as -o says.
func (a *app) splits(k rowkey.SplitKeys, table, family string) string {
	switch a.out {
	case "hex":
		var b strings.Builder
		for _, key := range k {
			b.WriteString(hex.EncodeToString(key) + "\n")
		}
		return b.String()
	case "go":
		var b strings.Builder
		b.WriteString("rowkey.SplitKeys{\n")
		for _, key := range k {
			b.WriteString("\t" + keyText(key, "go") + ",\n")
		}
		return b.String() + "}\n"
	case "shell":
		return fmt.Sprintf("create '%s', '%s', %s\n", table, ruby(family), k.Shell())
	case "json":
		out := struct {
			Splits []string `json:"splits"`
		}{[]string{}}
		for _, key := range k {
			out.Splits = append(out.Splits, hex.EncodeToString(key))
		}
		return said.JsonText(out) + "\n"
	case "file":
		var b strings.Builder
		for _, key := range k {
			b.WriteString(shell.Quoted(key) + "\n")
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
