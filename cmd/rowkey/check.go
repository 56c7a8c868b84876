package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	var form, family string
	var qualifiers []string
	var value, block, first int
	c := &cobra.Command{
		Use:   "check [flags] [FILE]",
		Short: "Hold dumped keys against a schema, and count what their length costs",
		Long: `Read keys, one a line, from FILE or stdin, and hold each against the schema: does it decode, are
its salts, hashes and copies what its fields give, do its values encode to the same bytes? The
first offenders of each kind are shown with their lines; with any, the exit code is 1.

Then the lengths of the keys, and what a cell costs in a file of HBase: without encoding, and in
the data block encodings PREFIX and FAST_DIFF, which leave out what a key shares with the one
before. For that the keys must come in key order and without gaps, as a scan gives them.

The output of hbase shell's scan is read with --in scan:

  echo "scan 't', {LIMIT => 10000, FILTER => 'KeyOnlyFilter()'}" | hbase shell -n | rowkey check -s … --in scan

` + keyFormHelp,
		Example: `  rowkey check -s trades keys.txt
  rowkey check -s trades --qualifiers price,amount --value-bytes 8 keys.txt`,
		Args: atMost("one file of keys"),
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	c.Flags().StringVar(&family, "family", "f", "column `family` of the cells")
	c.Flags().StringSliceVar(&qualifiers, "qualifiers", []string{"q"}, "`names` of the columns of each row")
	c.Flags().IntVar(&value, "value-bytes", 8, "`bytes` of each value")
	c.Flags().IntVar(&block, "block-bytes", 64<<10, "`bytes` of a block, as the family's BLOCKSIZE")
	c.Flags().IntVar(&first, "first", 5, "show the first `N` offenders of each kind")
	a.outputs(c, "table", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		if value < 0 || block < 1 || first < 0 || len(qualifiers) == 0 {
			return errors.New("expected at least one qualifier, a block of a byte or more, and no number below 0")
		}
		in := a.stdin
		if len(args) == 1 && args[0] != "-" {
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		} else {
			a.prompt("keys, one a line")
		}
		k := newChecker(s.Schema, first)
		k.cost = costs{family: len(family), qualifiers: qualifiers, value: value, block: block}
		if err := a.check(in, k, form); err != nil {
			return err
		}
		if a.bad = k.offended(); k.keys == 0 {
			return finding{errors.New("no keys to check")}
		}
		if a.out == "json" {
			return a.write(jsonText(k.report(s, family)) + "\n")
		}
		return a.write(a.report(k, s, family))
	}
	return c
}

// The kinds of offenders, in the order in which they are told.
const (
	unreadable = iota
	malformed
	ambiguous
	derived
	rewritten
	kinds
)

var kindNames = [kinds]string{
	unreadable: "are no key as text",
	malformed:  "do not decode",
	ambiguous:  "have more than one reading",
	derived:    "carry another salt, hash or copy",
	rewritten:  "encode to other bytes",
}

// offender is a key that does not fit.
type offender struct {
	line int
	key  string // as it came
	why  string
}

// checker counts keys.
type checker struct {
	schema *rowkey.Schema
	most   int // offenders kept of each kind

	keys, fit int
	count     [kinds]int
	first     [kinds][]offender
	lengths   []int // how many keys have each length
	last      []byte
	disorder  int // the first line that sorts before the one above it
	same      int // keys that are equal to the one above
	cost      costs
}

func newChecker(s *rowkey.Schema, most int) *checker {
	return &checker{schema: s, most: most, lengths: make([]int, 1<<15)}
}

func (k *checker) offended() bool { return k.fit < k.keys }

func (k *checker) offend(kind, line int, key, why string) {
	k.keys++
	k.count[kind]++
	if len(k.first[kind]) < k.most {
		k.first[kind] = append(k.first[kind], offender{line, key, why})
	}
}

// key checks one key.
func (k *checker) key(line int, text string, key []byte) {
	again := false
	switch c := bytes.Compare(k.last, key); {
	case k.last == nil:
	case c == 0:
		again = true
		k.same++
	case c > 0 && k.disorder == 0:
		k.disorder = line
	}
	k.last = append(k.last[:0], key...)
	if len(key) < len(k.lengths) {
		k.lengths[len(key)]++
	}
	if !again { // a row, told once
		k.cost.add(key)
	}
	r := k.schema.Check(func(yield func([]byte) bool) { yield(key) })
	for kind, f := range [kinds]rowkey.Finding{malformed: r.Malformed, ambiguous: r.Ambiguous, derived: r.Derived, rewritten: r.Rewritten} {
		if f.Count > 0 {
			k.offend(kind, line, text, reason(f.First[0].Err).Error())
		}
	}
	if r.Fit > 0 {
		k.keys++
		k.fit++
	}
}

// check reads the keys of a stream.
func (a *app) check(in io.Reader, k *checker, form string) error {
	s := a.open(in, false, !a.inTerminal || in != a.stdin)
	s.tell = func(line int, text string, err error) {
		k.offend(unreadable, line, shown(text), err.Error())
	}
	err := s.keys(form, fitsAny(k.schema), func(text string, key []byte) error {
		if form == formRaw {
			text = rowkey.Shell(key)
		}
		k.key(s.line, text, key)
		return nil
	})
	s.bad = 0 // told in the report
	return s.close(err)
}

// median is the length that half of the keys do not pass.
func (k *checker) lengthsOf() (least, median, most int) {
	total := 0
	for _, n := range k.lengths {
		total += n
	}
	seen := 0
	for length, n := range k.lengths {
		if n == 0 {
			continue
		}
		if seen == 0 {
			least = length
		}
		if seen <= (total-1)/2 {
			median = length
		}
		seen += n
		most = length
	}
	return least, median, most
}

// percent is a saving.
func percent(whole, part int64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(whole-part)/float64(whole), 'f', 1, 64) + " %"
}

func perCell(bytes, cells int64) string {
	return strconv.FormatFloat(float64(bytes)/float64(max(cells, 1)), 'f', 1, 64)
}

// report is the table of a check.
func (a *app) report(k *checker, s named, family string) string {
	var b strings.Builder
	b.WriteString(s.String() + "\n\n")
	rows := [][]string{{fmt.Sprint(k.keys), "keys"}, {fmt.Sprint(k.fit), "fit"}}
	for kind, n := range k.count {
		if n > 0 {
			rows = append(rows, []string{fmt.Sprint(n), kindNames[kind]})
		}
	}
	b.WriteString(a.grid(nil, rows, 1))
	for kind, list := range k.first {
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", kindNames[kind])
		var rows [][]string
		for _, o := range list {
			rows = append(rows, []string{"line " + fmt.Sprint(o.line), o.key, o.why})
		}
		b.WriteString(a.grid(nil, rows))
	}
	if k.last == nil {
		return a.head(b.String(), false)
	}
	least, median, most := k.lengthsOf()
	if least == most {
		fmt.Fprintf(&b, "\nkeys have %s\n", plural(most, "byte"))
	} else {
		fmt.Fprintf(&b, "\nkeys have %d to %d bytes, the median %d\n", least, most, median)
	}
	if k.same > 0 {
		fmt.Fprintf(&b, "%s equal to the one above\n", isAre(k.same, "key"))
	}
	if k.disorder > 0 {
		fmt.Fprintf(&b, "what encodings save is not known: line %d sorts before the one above it\n", k.disorder)
		return a.head(b.String(), false)
	}
	c := &k.cost
	fmt.Fprintf(&b, "a cell of family %s, %s, a value of %s:\n\n", family, columns(c.qualifiers), plural(c.value, "byte"))
	b.WriteString(a.grid([]string{"encoding", "bytes a cell", "saved"}, [][]string{
		{"NONE", perCell(c.none, c.cells), ""},
		{"PREFIX", perCell(c.prefix, c.cells), percent(c.none, c.prefix)},
		{"FAST_DIFF", perCell(c.diff, c.cells), percent(c.none, c.diff)},
	}, 2, 3))
	fmt.Fprintf(&b, "\nof a cell the row key is %s bytes, of which the encodings leave out %s\n", perCell(c.rowBytes, c.cells), perCell(c.sharedBytes, c.cells))
	return a.head(b.String(), false)
}

func columns(names []string) string {
	if len(names) == 1 {
		return "qualifier " + names[0]
	}
	return "qualifiers " + strings.Join(names, ", ")
}

func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return plural(n, noun) + " are"
}

// checked is a check as JSON.
type checked struct {
	Schema   string         `json:"schema"`
	Keys     int            `json:"keys"`
	Fit      int            `json:"fit"`
	Findings []checkedKind  `json:"findings"`
	Bytes    *checkedLength `json:"bytes,omitempty"`
	Ordered  bool           `json:"ordered"`
	Same     int            `json:"same"`
	Cell     *checkedCell   `json:"cell,omitempty"` // of keys in order
}

type checkedKind struct {
	What  string         `json:"what"`
	Count int            `json:"count"`
	First []checkedFirst `json:"first"`
}

type checkedFirst struct {
	Line int    `json:"line"`
	Key  string `json:"key"`
	Why  string `json:"why"`
}

type checkedLength struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	Max    int `json:"max"`
}

type checkedCell struct {
	Family     string   `json:"family"`
	Qualifiers []string `json:"qualifiers"`
	ValueBytes int      `json:"valueBytes"`
	Cells      int64    `json:"cells"`
	RowBytes   int64    `json:"rowBytes"`    // of all cells
	Shared     int64    `json:"sharedBytes"` // of these
	None       int64    `json:"none"`
	Prefix     int64    `json:"prefix"`
	FastDiff   int64    `json:"fastDiff"`
}

func (k *checker) report(s named, family string) checked {
	out := checked{Schema: s.String(), Keys: k.keys, Fit: k.fit, Findings: []checkedKind{}, Ordered: k.disorder == 0, Same: k.same}
	for kind, n := range k.count {
		if n == 0 {
			continue
		}
		found := checkedKind{What: kindNames[kind], Count: n, First: []checkedFirst{}}
		for _, o := range k.first[kind] {
			found.First = append(found.First, checkedFirst{o.line, o.key, o.why})
		}
		out.Findings = append(out.Findings, found)
	}
	if k.last == nil {
		return out
	}
	least, median, most := k.lengthsOf()
	out.Bytes = &checkedLength{least, median, most}
	if c := &k.cost; k.disorder == 0 {
		out.Cell = &checkedCell{family, slices.Clone(c.qualifiers), c.value, c.cells, c.rowBytes, c.sharedBytes, c.none, c.prefix, c.diff}
	}
	return out
}
