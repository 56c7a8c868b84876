package command

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/simulate/cells"
	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	var form, family, splits string
	var qualifiers []string
	var value, block, first int
	var rows float64
	var sorted bool
	var sf streamFlags
	c := &cobra.Command{
		Use:   "check [flags] [FILE…]",
		Short: "Hold dumped keys against a schema, and count what their length costs",
		Long: `Read keys, one a line, from files or stdin, and hold each against the schema: does it decode, are
its salts, hashes and copies what its fields give, do its values encode to the same bytes? What
does not fit is counted by its cause, and the first of each cause are shown with their lines; with
any, the exit code is 1.

Then the lengths of the keys, and what a cell costs in a file of HBase: without encoding, and in
the data block encodings PREFIX and FAST_DIFF, which leave out what a key shares with the one
before. For that the keys must come in key order and without gaps, as a scan gives them; --sort
sorts them first, in memory. --rows says how large a table of so many rows is, --splits how the
keys fall into its regions.

The output of hbase shell's scan is read with --in scan:

  echo "scan 't', {LIMIT => 10000, FILTER => 'KeyOnlyFilter()'}" | hbase shell -n | rowkey check -s … --in scan

` + keyFormHelp,
		Example: `  rowkey check -s trades keys.txt
  rowkey check -s trades --qualifiers price,amount --value-bytes 8 --rows 1e9 keys.txt.gz
  rowkey check -s trades --splits splits.txt keys.txt`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	a.takesStream(c, &sf, false)
	c.Flags().StringVar(&family, "family", "f", "column `family` of the cells")
	c.Flags().StringSliceVar(&qualifiers, "qualifiers", []string{"q"}, "`names` of the columns of each row")
	c.Flags().IntVar(&value, "value-bytes", 8, "`bytes` of each value")
	c.Flags().IntVar(&block, "block-bytes", 64<<10, "`bytes` of a block, as the family's BLOCKSIZE")
	c.Flags().IntVar(&first, "first", 5, "show the first `N` offenders of each cause")
	c.Flags().BoolVar(&sorted, "sort", false, "sort the keys before their cost is counted, in memory")
	c.Flags().Var(&filled{text: &splits, empty: errNoFile}, "splits", "`file` of split keys, or what list_regions printed: count the keys of each region")
	c.Flags().Float64Var(&rows, "rows", 0, "`N` rows of the table, whose size is then reported: 1e9")
	a.outputs(c, "table", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.load()
		if err != nil {
			return err
		}
		if err := validFamily(family); err != nil {
			return err
		}
		if err := inRange(numberFlag{"value-bytes", float64(value), 0}, numberFlag{"block-bytes", float64(block), 1}, numberFlag{"first", float64(first), 0}, numberFlag{"rows", rows, 0}); err != nil {
			return err
		}
		k := newChecker(s.Schema, first)
		k.cost = cells.Costs{Family: len(family), Qualifiers: qualifiers, Value: value, Block: block}
		k.sorted, k.rows = sorted, rows
		if splits != "" {
			if err := stdinOnce(splits, args); err != nil {
				return err
			}
			if k.splits, err = a.readSplits(splits, s.Schema); err != nil {
				return fmt.Errorf("--splits: %w", err)
			}
			k.regions = make([]regionCount, len(k.splits)+1)
		}
		if err := a.check(args, k, form, sf); err != nil {
			return err
		}
		k.settle()
		k.tryOthers()
		if a.bad = k.offended(); k.keys == 0 {
			return none("keys to check", args)
		}
		if a.out == "json" {
			return a.write(said.JsonText(k.report(s, family)) + "\n")
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
	file string // where there are several
	key  string // as it came
	why  string
}

// offence is the keys that do not fit by one cause.
type offence struct {
	kind  int
	cause string
	count int
	first []offender
}

// checkedBlock is what the check of a block found.
type checkedBlock struct {
	keys, fit int
	bytes     []byte // of all keys that were read
	ends      []int
	lines     []int // of these
	offences  []offence
	top       []byte // of each key's first value
	topEnds   []int
}

// checker counts keys.
type checker struct {
	schema *rowkey.Schema
	most   int // offenders kept of each cause

	keys, fit int
	offences  []offence
	count     [kinds]int
	lengths   []int // how many keys have each length
	last      []byte
	disorder  int    // the first line that sorts before the one above it
	before    string // its file, where there are several
	same      int    // keys that are equal to the one above
	cost      cells.Costs
	sorted    bool
	held      []byte // keys to be sorted
	heldEnds  []int
	rows      float64
	splits    rowkey.SplitKeys
	regions   []regionCount
	hint      string
	first     []byte // the first keys, for which other salts and hashes are tried
	firstEnds []int
	others    []otherSum
}

// mostTried are so many keys for which other salts and hashes are tried, of so many bytes: as many
// as a scan by LIMIT of the documents gives.
const (
	mostTried      = 10000
	mostTriedBytes = 4 << 20
)

// otherSum is a schema that differs in one salt or hash, and of which all keys are.
type otherSum struct {
	Word   string `json:"word"`
	Schema string `json:"schema"`
	Keys   int    `json:"keys"` // how many were tried: all of a dump that is not longer
	field  rowkey.FieldInfo
}

// regionCount is the keys of a region, and its most frequent first values.
type regionCount struct {
	keys int
	top  map[string]int // Misra and Gries: what is frequent is in it
	lost int            // how much a count may be too low
}

const topHeld = 256 // values of a region that are counted at a time

func (r *regionCount) add(value []byte) {
	r.keys++
	if r.top == nil {
		r.top = map[string]int{}
	}
	if n, ok := r.top[string(value)]; ok || len(r.top) < topHeld {
		r.top[string(value)] = n + 1
		return
	}
	r.lost++
	for v := range r.top {
		if r.top[v]--; r.top[v] == 0 {
			delete(r.top, v)
		}
	}
}

func newChecker(s *rowkey.Schema, most int) *checker {
	return &checker{schema: s, most: most, lengths: make([]int, 1<<15)}
}

func (k *checker) offended() bool { return k.fit < k.keys }

// offend counts a key that does not fit.
func (c *checkedBlock) offend(kind, line int, key, cause, detail string, most int) {
	c.keys++
	i := slices.IndexFunc(c.offences, func(o offence) bool { return o.kind == kind && o.cause == cause })
	if i < 0 {
		i = len(c.offences)
		c.offences = append(c.offences, offence{kind: kind, cause: cause})
	}
	o := &c.offences[i]
	o.count++
	if len(o.first) < most {
		o.first = append(o.first, offender{line: line, key: key, why: cause + detail})
	}
}

// keyChecker checks keys. One goroutine uses it at a time.
type keyChecker struct {
	k      *checker
	read   *rowReader
	hidden bool // a field is not in the key: it cannot be written again
	buf    []byte
}

func (k *checker) worker() *keyChecker {
	c := &keyChecker{k: k, read: newRowReader(k.schema, said.Values{}, false)}
	c.hidden = len(c.read.fields) < len(said.Supplied(k.schema))
	return c
}

// check checks one key.
func (c *keyChecker) check(out *checkedBlock, line int, text, key []byte) {
	out.bytes = append(out.bytes, key...)
	out.ends = append(out.ends, len(out.bytes))
	out.lines = append(out.lines, line)
	err := c.read.read(key)
	if c.k.splits != nil {
		if err == nil && len(c.read.slots) > 0 {
			out.top = c.read.how.AppendText(out.top, &c.read.fields[0], &c.read.slots[0])
		}
		out.topEnds = append(out.topEnds, len(out.top))
	}
	if err == nil && c.again(key) {
		out.keys++
		out.fit++
		return
	}
	r := advice.Fit(c.k.schema, func(yield func([]byte) bool) { yield(key) })
	for kind, count := range [kinds]int{malformed: r.Malformed, ambiguous: r.Ambiguous, derived: r.Derived, rewritten: r.Rewritten} {
		if count == 0 {
			continue
		}
		cause, detail := c.why(kind, key, r.Offenders[0].Err)
		out.offend(kind, line, string(text), cause, detail, c.k.most)
	}
	if r.Fit > 0 {
		out.keys++
		out.fit++
	}
}

// again reports that the values read last encode to the same key.
func (c *keyChecker) again(key []byte) bool {
	if c.hidden {
		return true
	}
	b := c.k.schema.KeyIn(c.buf[:0])
	for i := range c.read.slots {
		b = c.read.slots[i].Put(b, &c.read.fields[i])
	}
	again, err := b.Bytes()
	if err != nil {
		return false
	}
	c.buf = again
	return bytes.Equal(again, key)
}

// why is the cause of an offence, and what differs from key to key.
func (c *keyChecker) why(kind int, key []byte, err error) (cause, detail string) {
	err = said.Reason(err)
	cause, detail = causeOf(err)
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return cause, detail
	}
	switch {
	case kind == rewritten:
		if at := strings.Index(cause, "its values encode to "); at >= 0 {
			return cause[:at] + "its values encode to other bytes", strings.TrimPrefix(cause[at:], "its values encode to") + detail
		}
	case kind == malformed && e.Field == "" && strings.HasSuffix(whyOf(err), "left over after the last component"):
		return said.Plural(len(key)-e.Offset, "byte") + " left over", strings.TrimSuffix(detail, ": "+whyOf(err))
	case kind == derived:
		if both := c.both(key, e.Field); both != "" {
			return cause, strings.TrimSuffix(detail, ": "+whyOf(err)) + ": " + both
		}
	}
	return cause, detail
}

// both is what a salt or a hash is in a key, and what its fields give.
func (c *keyChecker) both(key []byte, name string) string {
	row, err := c.k.schema.DecodeLoose(key)
	if err != nil || c.hidden {
		return ""
	}
	var vals []any
	for _, v := range row.All() {
		vals = append(vals, v)
	}
	right, err := c.k.schema.AppendKey(nil, vals...)
	if err != nil {
		return ""
	}
	want, err := c.k.schema.Decode(right)
	if err != nil {
		return ""
	}
	if b := row.Bucket(name); b != "" {
		return "bucket " + b + ", the fields give " + want.Bucket(name)
	}
	return shownHash(row.Stored(name)) + ", the fields give " + shownHash(want.Stored(name))
}

// shownHash is the bytes of a hash: in quotes if they are hexadecimal text, else in hexadecimal.
func shownHash(form []byte) string {
	if strings.Trim(string(form), "0123456789abcdefABCDEF") == "" {
		return strconv.Quote(string(form))
	}
	return hex.EncodeToString(form)
}

// check reads the keys of files or of stdin.
func (a *app) check(args []string, k *checker, form string, sf streamFlags) error {
	s := a.stream(sf)
	if len(args) == 0 {
		args = []string{"-"}
	}
	of := func(b *block) *checkedBlock {
		if b.checked == nil {
			b.checked = &checkedBlock{}
		}
		return b.checked
	}
	r := &keyReader{s: s, form: form, fits: said.FitsAny(k.schema),
		tell: func(b *block, line int, text []byte, err error) {
			cause, detail := causeOf(err)
			of(b).offend(unreadable, line, said.Shown(string(text)), cause, detail, k.most)
		},
		after: func(b *block) error { k.take(b, s); return nil },
		worker: func() keyWork {
			c := k.worker()
			return func(b *block, line int, text, key []byte) error {
				if form == said.FormRaw || form == said.FormLen {
					text = []byte(shell.Text(key))
				}
				c.check(of(b), line, text, key)
				return nil
			}
		}}
	packed := form != said.FormRaw && form != said.FormLen
	if err := a.eachInput(s, args, "keys, one a line", packed, r.input); err != nil {
		return err
	}
	s.bar.clear()
	k.hint = s.hint
	return nil
}

// take adds what was found in a block, in the order of the input.
func (k *checker) take(b *block, s *stream) {
	if b.tooLong { // which no worker has seen
		b.checked = &checkedBlock{}
		b.checked.offend(unreadable, 1, "", errTooLong.Error(), "", k.most)
	}
	c := b.checked
	if c == nil {
		return
	}
	k.keys += c.keys
	k.fit += c.fit
	for _, o := range c.offences {
		k.offend(o, s)
	}
	from, top := 0, 0
	for i, end := range c.ends {
		key := c.bytes[from:end]
		from = end
		if len(k.firstEnds) < mostTried && len(k.first)+len(key) <= mostTriedBytes {
			k.first = append(k.first, key...)
			k.firstEnds = append(k.firstEnds, len(k.first))
		}
		if k.splits != nil {
			k.regions[k.splits.Region(key)].add(c.top[top:c.topEnds[i]])
			top = c.topEnds[i]
		}
		if k.sorted {
			k.held = append(k.held, key...)
			k.heldEnds = append(k.heldEnds, len(k.held))
			continue
		}
		k.ordered(key, s.base+c.lines[i], s.label)
	}
	*c = checkedBlock{bytes: c.bytes[:0], ends: c.ends[:0], lines: c.lines[:0], top: c.top[:0], topEnds: c.topEnds[:0]}
}

// offend adds what was found in a block.
func (k *checker) offend(o offence, s *stream) {
	k.count[o.kind] += o.count
	for i := range o.first {
		o.first[i].line += s.base
		o.first[i].file = s.label
	}
	i := slices.IndexFunc(k.offences, func(p offence) bool { return p.kind == o.kind && p.cause == o.cause })
	if i < 0 && len(k.offences) >= mostKinds {
		o.cause = "other causes"
		i = slices.IndexFunc(k.offences, func(p offence) bool { return p.kind == o.kind && p.cause == o.cause })
	}
	if i < 0 {
		k.offences = append(k.offences, o)
		return
	}
	p := &k.offences[i]
	p.count += o.count
	p.first = append(p.first, o.first[:min(len(o.first), k.most-len(p.first))]...)
}

// ordered counts a key where it stands among the others. One that is too long for HBase stands in no table.
func (k *checker) ordered(key []byte, line int, file string) {
	if len(key) >= len(k.lengths) {
		return
	}
	again := false
	switch c := bytes.Compare(k.last, key); {
	case k.last == nil:
		k.last = []byte{}
	case c == 0:
		again = true
		k.same++
	case c > 0 && k.disorder == 0:
		k.disorder, k.before = line, file
	}
	k.last = append(k.last[:0], key...)
	k.lengths[len(key)]++
	if !again { // a row, told once
		k.cost.Add(key)
	}
}

// settle counts the keys that were held to be sorted, and sorts the causes.
func (k *checker) settle() {
	keys := make([][]byte, len(k.heldEnds))
	from := 0
	for i, end := range k.heldEnds {
		keys[i], from = k.held[from:end], end
	}
	slices.SortFunc(keys, bytes.Compare)
	for i, key := range keys {
		k.ordered(key, i+1, "")
	}
	slices.SortStableFunc(k.offences, func(a, b offence) int {
		if a.kind != b.kind {
			return a.kind - b.kind
		}
		return b.count - a.count
	})
}

// enoughBits are so many bits of salts and hashes that another rule hardly ever fits by chance.
const enoughBits = 20

// tryOthers looks for other rules, digests and numbers of buckets, where a salt or a hash does not
// agree: what fits every key is what its writer does.
func (k *checker) tryOthers() {
	if k.count[derived] == 0 || k.allFirst(func(key []byte) bool { _, err := k.schema.Decode(key); return err == nil }) {
		return
	}
	for o := range said.OtherSums(k.schema, true) {
		if f := o.Field; k.fitsAll(o.Schema, &f) && !slices.ContainsFunc(k.others, func(p otherSum) bool { return twins(&p.field, &f) }) {
			k.others = append(k.others, otherSum{o.Word, o.Schema.String(), len(k.firstEnds), f})
		}
	}
}

// allFirst reports that something is true of all of the first keys.
func (k *checker) allFirst(holds func([]byte) bool) bool {
	from := 0
	for _, end := range k.firstEnds {
		if !holds(k.first[from:end]) {
			return false
		}
		from = end
	}
	return true
}

// fitsAll reports that all of the first keys are keys of another schema, which differs in f, and
// that these are enough.
func (k *checker) fitsAll(s *rowkey.Schema, f *rowkey.FieldInfo) bool {
	bits := float64(f.Computed.Bits)
	if f.Kind == "salt" {
		bits = math.Log2(float64(f.Count))
	}
	inputs := map[string]bool{} // the same input once more says no more
	return k.allFirst(func(key []byte) bool {
		row, err := s.Decode(key)
		if err == nil && float64(len(inputs))*bits < enoughBits {
			inputs[inputOf(row, f.Computed.Inputs)] = true
		}
		return err == nil
	}) && float64(len(inputs))*bits >= enoughBits
}

// inputOf is the values of some fields, as text. A copy has the value of its field.
func inputOf(row rowkey.Row, names []string) string {
	var of, all []any
	for f, v := range row.All() {
		all = append(all, v)
		if slices.Contains(names, f) {
			of = append(of, v)
		}
	}
	if len(of) < len(names) {
		of = all
	}
	return fmt.Sprintf("%q", of)
}

// twins reports salts of two rules that differ for the hash −2³¹ alone, which no key here has: the
// one that is tried first is said.
func twins(f, g *rowkey.FieldInfo) bool {
	own, other := digest.Rule(f.Computed.Rule), digest.Rule(g.Computed.Rule)
	return own != digest.OfDigest && own.Twin() == other && f.Name == g.Name && f.Count == g.Count
}

// othersText is a line of what fits where the schema does not, empty if nothing does.
func (k *checker) othersText() string {
	if len(k.others) == 0 {
		return ""
	}
	var words []string
	for _, o := range k.others {
		words = append(words, o.Word)
	}
	fit := "fits"
	if len(words) > 1 {
		fit = "fit"
	}
	which := fmt.Sprintf("all %d", len(k.firstEnds))
	if n := len(k.firstEnds); n < k.keys-k.count[unreadable] {
		which = fmt.Sprintf("the first %d", n)
	}
	return fmt.Sprintf("%s %s %s: %s\n", strings.Join(words, " and "), fit, which, k.others[0].field.Notation)
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
	kind := -1
	for _, o := range k.offences {
		if o.kind != kind {
			kind = o.kind
			fmt.Fprintf(&b, "\n%s:\n", kindNames[kind])
		}
		fmt.Fprintf(&b, "%s: %s\n", said.Plural(o.count, "key"), o.cause)
		var rows [][]string
		for _, f := range o.first {
			line := "  line " + fmt.Sprint(f.line)
			if f.file != "" {
				line = "  " + f.file + ": line " + fmt.Sprint(f.line)
			}
			rows = append(rows, []string{line, begins(f.key), strings.TrimLeft(strings.TrimPrefix(f.why, o.cause), " ,:")})
		}
		if len(rows) > 0 {
			b.WriteString(a.grid(nil, rows))
		}
	}
	if text := k.othersText(); text != "" {
		b.WriteString("\n" + text)
	}
	if k.hint != "" {
		b.WriteString("\n" + k.hint + "\n")
	}
	if k.regions != nil {
		b.WriteString("\n" + a.regionTable(k))
	}
	if k.last == nil {
		return a.head(b.String(), false)
	}
	least, median, most := k.lengthsOf()
	if least == most {
		fmt.Fprintf(&b, "\nkeys have %s\n", said.Plural(most, "byte"))
	} else {
		fmt.Fprintf(&b, "\nkeys have %d to %d bytes, the median %d\n", least, most, median)
	}
	if k.same > 0 {
		fmt.Fprintf(&b, "%s equal to the one above\n", isAre(k.same, "key"))
	}
	if k.disorder > 0 {
		where := fmt.Sprint("line ", k.disorder)
		if k.before != "" {
			where = k.before + ": " + where
		}
		fmt.Fprintf(&b, "what encodings save is not known: %s sorts before the one above it; --sort sorts them\n", where)
		return a.head(b.String(), false)
	}
	c := &k.cost
	fmt.Fprintf(&b, "a cell of family %s, %s, a value of %s:\n\n", family, columns(c.Qualifiers), said.Plural(c.Value, "byte"))
	b.WriteString(a.grid([]string{"encoding", "bytes a cell", "saved"}, [][]string{
		{"NONE", perCell(c.None, c.Cells), ""},
		{"PREFIX", perCell(c.Prefix, c.Cells), percent(c.None, c.Prefix)},
		{"FAST_DIFF", perCell(c.FastDiff, c.Cells), percent(c.None, c.FastDiff)},
	}, 2, 3))
	fmt.Fprintf(&b, "\nof a cell the row key is %s bytes, of which the encodings leave out %s\n", perCell(c.RowBytes, c.Cells), perCell(c.SharedBytes, c.Cells))
	if k.rows > 0 {
		all := k.rows * float64(len(c.Qualifiers))
		size := func(bytes int64) string { return gibibytes(all * float64(bytes) / float64(max(c.Cells, 1))) }
		fmt.Fprintf(&b, "%s rows of %s: %s, with PREFIX %s, with FAST_DIFF %s, without replication\n", grouped(k.rows), said.Plural(len(c.Qualifiers), "cell"), size(c.None), size(c.Prefix), size(c.FastDiff))
	}
	return a.head(b.String(), false)
}

// begins is a text of a table, which of one that is very long shows how it begins and how long it is: a line may
// have megabytes, and all lines are as wide as the longest.
func begins(text string) string {
	const most = 400 // twice as many digits as the keys of most tables have
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "… (" + said.Plural(len(text), "character") + ")"
}

// gibibytes is a size as people say it.
func gibibytes(bytes float64) string {
	unit := 0
	for bytes >= 1024 && unit < 5 {
		bytes /= 1024
		unit++
	}
	return strconv.FormatFloat(bytes, 'f', 1, 64) + []string{" bytes", " KiB", " MiB", " GiB", " TiB", " PiB"}[unit]
}

// topShown is how many frequent values a region shows.
const topShown = 3

// tops are the most frequent first values of a region: those that are surely
// more than one in a hundred of its keys.
func (r regionCount) tops() (out []topValue) {
	for v, n := range r.top {
		if n > 1 && n*100 > r.keys {
			out = append(out, topValue{v, n})
		}
	}
	slices.SortFunc(out, func(a, b topValue) int {
		if a.Keys != b.Keys {
			return b.Keys - a.Keys
		}
		return strings.Compare(a.Value, b.Value)
	})
	return out[:min(len(out), topShown)]
}

// topValue is a frequent value; of very many values, its count may be somewhat
// low.
type topValue struct {
	Value string `json:"value"`
	Keys  int    `json:"keys"`
}

// regionTable is how the keys fall into regions.
func (a *app) regionTable(k *checker) string {
	total := 0
	for _, r := range k.regions {
		total += r.keys
	}
	name := ""
	for _, f := range said.Supplied(k.schema) {
		if f.Stored {
			name = f.Name
			break
		}
	}
	var rows [][]string
	for i, r := range k.regions {
		var tops []string
		for _, t := range r.tops() {
			tops = append(tops, printable(t.Value)+" "+percent(int64(r.keys), int64(r.keys-t.Keys)))
		}
		from := ""
		if i > 0 {
			from = hex.EncodeToString(k.splits[i-1])
		}
		rows = append(rows, []string{strconv.Itoa(i), from, strconv.Itoa(r.keys), percent(int64(total), int64(total-r.keys)), strings.Join(tops, ", ")})
	}
	return a.grid([]string{"region", "from", "keys", "share", "most frequent " + name}, rows, 1, 3, 4)
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
	return said.Plural(n, noun) + " are"
}

// checked is a check as JSON.
type checked struct {
	Schema   string          `json:"schema"`
	Keys     int             `json:"keys"`
	Fit      int             `json:"fit"`
	Findings []checkedKind   `json:"findings"`
	Others   []otherSum      `json:"others,omitempty"` // what fits all keys, where a salt or a hash does not agree
	Bytes    *checkedLength  `json:"bytes,omitempty"`
	Ordered  bool            `json:"ordered"`
	Same     int             `json:"same"`
	Cell     *checkedCell    `json:"cell,omitempty"` // of keys in order
	Regions  []checkedRegion `json:"regions,omitempty"`
}

type checkedKind struct {
	What  string         `json:"what"`
	Cause string         `json:"cause"`
	Count int            `json:"count"`
	First []checkedFirst `json:"first"`
}

type checkedRegion struct {
	Start string     `json:"start"`
	Keys  int        `json:"keys"`
	Top   []topValue `json:"top"`
}

type checkedFirst struct {
	File string `json:"file,omitempty"`
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
	out := checked{Schema: s.String(), Keys: k.keys, Fit: k.fit, Findings: []checkedKind{}, Others: k.others, Ordered: k.disorder == 0, Same: k.same}
	for _, o := range k.offences {
		found := checkedKind{What: kindNames[o.kind], Cause: o.cause, Count: o.count, First: []checkedFirst{}}
		for _, f := range o.first {
			found.First = append(found.First, checkedFirst{f.file, f.line, f.key, f.why})
		}
		out.Findings = append(out.Findings, found)
	}
	for i, r := range k.regions {
		region := checkedRegion{Keys: r.keys, Top: r.tops()}
		if region.Top == nil {
			region.Top = []topValue{}
		}
		if i > 0 {
			region.Start = hex.EncodeToString(k.splits[i-1])
		}
		out.Regions = append(out.Regions, region)
	}
	if k.last == nil {
		return out
	}
	least, median, most := k.lengthsOf()
	out.Bytes = &checkedLength{least, median, most}
	if c := &k.cost; k.disorder == 0 {
		out.Cell = &checkedCell{family, slices.Clone(c.Qualifiers), c.Value, c.Cells, c.RowBytes, c.SharedBytes, c.None, c.Prefix, c.FastDiff}
	}
	return out
}
