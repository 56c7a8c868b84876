package command

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) locateCommand() *cobra.Command {
	var form, splitFile string
	var regions int
	var sf streamFlags
	c := &cobra.Command{
		Use:   "locate [flags] [KEY… | FILE…]",
		Short: "Say in which bucket and which region of a table a key lies",
		Long: `Say of each key its bucket, and in which region of a table it lies, with the bounds of that region
in bytes and as far as they can be read as values. The regions are those of a file of split keys
(--splits: one a line, in any form, or what list_regions or get_splits printed in hbase shell),
or those that rowkey splits gives for so many regions (--regions).

` + keyFormHelp,
		Example: `  rowkey locate -s trades --regions 4 0c732d34325f7ffffe77dda4124f0000000000000007
  echo "list_regions 'trades'" | hbase shell -n > regions.txt; rowkey locate -s trades --splits regions.txt keys.txt`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	a.takesZone(c)
	a.takesStream(c, &sf, true)
	c.Flags().Var(&filled{text: &splitFile, empty: errNoFile}, "splits", "`file` of split keys, or what list_regions printed")
	c.Flags().IntVar(&regions, "regions", 0, "`N` regions, as rowkey splits divides them")
	a.outputs(c, "table", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		zone, err := parseZone(a.zone)
		if err != nil {
			return err
		}
		l := locator{a: a, schema: s.Schema, how: said.Values{Zone: zone}}
		switch {
		case splitFile != "" && c.Flags().Changed("regions"):
			return errors.New("--splits and --regions: give one of them")
		case splitFile != "":
			if err := stdinOnce(splitFile, args); err != nil {
				return err
			}
			if l.splits, err = a.readSplits(splitFile, s.Schema); err != nil {
				return fmt.Errorf("--splits: %w", err)
			}
		case c.Flags().Changed("regions"):
			if err := inRange(numberFlag{"regions", float64(regions), 1}); err != nil {
				return err
			}
			if l.splits, err = s.Splits(regions); err != nil {
				return splitsError(err)
			}
		}
		l.known = splitFile != "" || regions > 0
		sf.jobs = 1
		k := &keyReader{s: a.stream(sf), form: form, fits: said.FitsAny(s.Schema), worker: func() keyWork {
			return func(b *block, _ int, _, key []byte) error {
				out, err := l.locate(key)
				b.out = append(b.out, out...)
				return err
			}
		}}
		return k.each(args)
	}
	return c
}

// locator finds the place of keys.
type locator struct {
	a      *app
	schema *rowkey.Schema
	how    said.Values
	splits rowkey.SplitKeys
	known  bool // the regions are
	begun  bool
}

// located is a key's place as JSON.
type located struct {
	Key     string     `json:"key"`
	Buckets []bucketOf `json:"buckets"`
	Region  *regionOf  `json:"region,omitempty"`
}

type bucketOf struct {
	Salt   string `json:"salt"`
	Bucket string `json:"bucket"`
	Of     uint64 `json:"of"`
}

type regionOf struct {
	Number int      `json:"number"` // from 0
	Of     int      `json:"of"`
	Start  string   `json:"start"`
	Stop   *string  `json:"stop"` // null: the end of the table
	From   []string `json:"from"` // the start as far as it can be read
	To     []string `json:"to"`
}

func (l *locator) locate(key []byte) (string, error) {
	row, err := l.schema.Decode(key)
	wrong := errors.Is(err, rowkey.ErrDerived)
	if wrong {
		row, err = l.schema.DecodeLoose(key)
		l.a.bad = true
	}
	if err != nil {
		return "", said.Reason(err)
	}
	out := located{Key: hex.EncodeToString(key), Buckets: []bucketOf{}}
	for f := range l.schema.Fields() {
		if f.Kind == "salt" && f.Stored {
			out.Buckets = append(out.Buckets, bucketOf{f.Name, row.Bucket(f.Name), f.Count})
		}
	}
	if l.known {
		n := l.splits.Region(key)
		r := &regionOf{Number: n, Of: len(l.splits) + 1, From: []string{}, To: []string{}}
		if n > 0 {
			r.Start = hex.EncodeToString(l.splits[n-1])
			r.From = l.bound(l.splits[n-1])
		}
		if n < len(l.splits) {
			stop := hex.EncodeToString(l.splits[n])
			r.Stop = &stop
			r.To = l.bound(l.splits[n])
		}
		out.Region = r
	}
	if l.a.out == "json" {
		return said.JsonText(out) + "\n", nil
	}
	var b strings.Builder
	if l.begun {
		b.WriteString("\n")
	}
	l.begun = true
	b.WriteString(l.a.head(fmt.Sprintf("%s: %s\n", out.Key, said.Plural(len(key), "byte")), false))
	for _, s := range out.Buckets {
		note := ""
		if wrong {
			note = ", which is not what the fields give"
		}
		fmt.Fprintf(&b, "%s: bucket %s of %d%s\n", s.Salt, s.Bucket, s.Of, note)
	}
	if r := out.Region; r != nil {
		fmt.Fprintf(&b, "region %d of %d\n", r.Number, r.Of)
		var rows [][]string
		start := r.Start
		if start == "" {
			start = "the beginning of the table"
		}
		stop := "the end of the table"
		if r.Stop != nil {
			stop = *r.Stop
		}
		rows = append(rows, []string{"  from", start, strings.Join(r.From, ", ")}, []string{"  to", stop, strings.Join(r.To, ", ")})
		b.WriteString(l.a.grid(nil, rows))
	}
	return b.String(), nil
}

// bound is what of a bound can be read: the pieces that stand in it whole, in
// the words of an explanation.
func (l *locator) bound(key []byte) (out []string) {
	pieces, _ := l.schema.Pieces(key, l.how.In()) // a bound is the beginning of a key, seldom one
	for _, p := range pieces {
		if p.Name == "" || len(p.Bytes) == 0 || strings.HasPrefix(p.Problem, "broken") {
			continue
		}
		text := p.Text
		if text == "" {
			text = hex.EncodeToString(p.Bytes)
		}
		out = append(out, p.Name+" "+text)
	}
	return out
}

// linesOf reads all lines of an input.
func linesOf(in *input) (lines []string, err error) {
	cut := &lineCutter{r: in.r, end: '\n', bom: true}
	for b := (&block{}); ; b.reset() {
		err := cut.next(b)
		if b.tooLong {
			return nil, errTooLong
		}
		b.eachLine('\n', true, func(_ int, line []byte) bool {
			lines = append(lines, string(line))
			return true
		})
		if err != nil {
			return lines, finish(err)
		}
	}
}

// stdinOnce refuses split keys from stdin where the input is stdin, too: nothing would be left of it.
func stdinOnce(splits string, inputs []string) error {
	if splits == "-" && (len(inputs) == 0 || slices.Contains(inputs, "-")) {
		return errors.New("--splits: stdin is the input: give the split keys in a file")
	}
	return nil
}

// readSplits reads split keys: one a line in any form, or the output of hbase
// shell's list_regions or get_splits.
func (a *app) readSplits(path string, s *rowkey.Schema) (rowkey.SplitKeys, error) {
	in, err := a.openInput(path, true)
	if err != nil {
		return nil, err
	}
	defer in.close()
	lines, err := linesOf(in)
	if err != nil {
		return nil, in.named(err)
	}
	texts, ok := listedRegions(lines)
	if !ok {
		texts = nil
		for _, l := range lines {
			if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "Total number of splits") && !strings.HasPrefix(l, "hbase:") && !strings.HasPrefix(l, "Took ") && !strings.HasPrefix(l, "=> ") {
				texts = append(texts, l)
			}
		}
	}
	if len(texts) > 0 && !ok && namesFields(texts[0], s) {
		return nil, fmt.Errorf("%s holds rows, since its first line names fields, and split keys are wanted, one a line", path)
	}
	if len(texts) == 0 && !ok {
		return nil, fmt.Errorf("%s holds no split keys", path)
	}
	// Split keys are beginnings of keys, of which few decode: what is all
	// hexadecimal is taken for that, but for the shell's own outputs.
	form := said.FormText
	if !ok && !slices.ContainsFunc(texts, func(t string) bool { return !said.IsHex(t) }) {
		form = said.FormHex
	}
	var keys rowkey.SplitKeys
	for i, t := range texts {
		key, err := said.ParseKey(said.Unquoted(t), form)
		if err != nil {
			var r []said.Reading
			if r = said.Readings(t); len(r) == 0 {
				return nil, fmt.Errorf("split %d: %w", i+1, err)
			}
			key = r[0].Key
		}
		if len(key) == 0 {
			continue
		}
		if len(key) > longestKey {
			return nil, fmt.Errorf("split %d: %d bytes, and a row of HBase has at most %d", i+1, len(key), longestKey)
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b []byte) int { return strings.Compare(string(a), string(b)) })
	return slices.CompactFunc(keys, func(a, b []byte) bool { return string(a) == string(b) }), nil
}

// namesFields reports that a line is the header of a CSV of a schema's rows: several columns, and each is a field.
func namesFields(line string, s *rowkey.Schema) bool {
	columns := strings.Split(line, ",")
	fields := said.FieldNames(said.Supplied(s))
	return len(columns) > 1 && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(fields, said.Unquoted(c)) })
}

// listedRegions are the start keys in the output of list_regions.
func listedRegions(lines []string) (starts []string, ok bool) {
	column := -1
	for _, line := range lines {
		cells := strings.Split(line, " |")
		if len(cells) < 3 {
			continue
		}
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		if at := slices.Index(cells, "START_KEY"); at >= 0 {
			column = at
			continue
		}
		if column < 0 || column >= len(cells) || strings.Trim(cells[column], "-") == "" && strings.Contains(line, "---") {
			continue
		}
		if cells[column] != "" {
			starts = append(starts, cells[column])
		}
	}
	return starts, column >= 0
}

// splitsError is a library's error about splits in the command's words.
func splitsError(err error) error {
	if !errors.Is(err, rowkey.ErrSplits) {
		return said.Reason(err)
	}
	return finding{errors.New(strings.ReplaceAll(said.Reason(err).Error(), "use SplitsOf", "give sample keys with --sample"))}
}
