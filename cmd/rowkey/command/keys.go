package command

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
)

// keyWork does something with a key; its error makes the line a bad one.
type keyWork func(b *block, line int, text, key []byte) error

// keyReader reads the keys of inputs.
type keyReader struct {
	s      *stream
	form   string // --in
	fits   func(key []byte) bool
	worker func() keyWork                                   // one for each core
	tell   func(b *block, line int, text []byte, err error) // in place of a bad line, of a key that is none
	after  func(b *block) error                             // in the order of the input
	hinted atomic.Bool
}

// files are the arguments if they name files; an argument that looks as if it
// did, and does not, is an error.
func files(args []string) ([]string, error) {
	n := 0
	for _, arg := range args {
		switch {
		case arg == "-" || isFile(arg):
			n++
		case looksLikeFile(arg):
			f, err := os.Open(arg)
			if err == nil {
				f.Close()
				err = fmt.Errorf("%s is a directory: a key of this name is given on stdin", arg)
			}
			return nil, err
		}
	}
	switch n {
	case 0:
		return nil, nil
	case len(args):
		return args, nil
	}
	return nil, fmt.Errorf("expected keys or files of keys, not both: %s is a file", args[slices.IndexFunc(args, func(a string) bool { return a == "-" || isFile(a) })])
}

// each runs over the keys given as arguments, or over those of files or stdin.
func (k *keyReader) each(args []string) error {
	names, err := files(args)
	if err != nil {
		return err
	}
	if len(names) > 0 || len(args) == 0 {
		packed := k.form != said.FormRaw && k.form != said.FormLen
		return k.s.close(k.s.a.eachInput(k.s, names, "keys, one a line", packed, k.input))
	}
	s := k.s
	s.noun = "key"
	if len(args) == 1 {
		s.noun = ""
	}
	b := &block{each: true, first: s.flags.strict}
	do := k.worker()
	for i, arg := range args {
		key, err := k.argument(arg)
		if err == nil {
			err = do(b, i+1, []byte(arg), key)
		}
		if err == nil {
			b.good++
		} else if !b.fail(i+1, err) {
			break
		}
	}
	s.all = true
	if err := s.settle(b); err != nil {
		return s.close(err)
	}
	if k.after != nil {
		if err := k.after(b); err != nil {
			return err
		}
	}
	if s.bad > 0 && len(args) == 1 { // it has been told
		s.a.bad = true
		return nil
	}
	return s.close(nil)
}

// argument is the key of an argument. If its form is not said, it is the reading
// that is a key of the schema, else the first one.
func (k *keyReader) argument(arg string) ([]byte, error) {
	if k.form != said.FormAuto {
		return said.ParseKey(arg, k.form)
	}
	form := said.GuessForm([]string{arg}, k.fits)
	if form == said.FormText || form == said.FormRegion {
		if err := said.LogLine([]byte(arg)); err != nil {
			return nil, err
		}
	}
	var first []byte
	for _, r := range said.Readings(arg) {
		if r.Form != form {
			continue
		}
		if k.fits(r.Key) {
			return r.Key, nil
		}
		if first == nil {
			first = r.Key
		}
	}
	if first != nil {
		return first, nil
	}
	return said.ParseKey(arg, form)
}

// input reads the keys of one input.
func (k *keyReader) input(in *input) error {
	s, form := k.s, k.form
	end := s.flags.end()
	cut := lineCutter{r: in.r, block: s.block, end: end, bom: form != said.FormRaw && form != said.FormLen, short: s.short, scan: form == said.FormScan}
	if form == said.FormLen {
		return s.run(&lenCutter{cut}, func() func(*block) {
			do := k.worker()
			return func(b *block) {
				b.eachLong(func(n int, key []byte) bool { return k.one(b, n, key, key, nil, do) })
			}
		}, k.after)
	}
	if form == said.FormAuto && !(s.a.inTerminal && in.name == "") {
		var texts []string
		for _, l := range cut.ahead(lookAt) {
			texts = append(texts, string(l))
		}
		form = said.GuessForm(texts, k.fits)
		cut.scan = form == said.FormScan
	}
	bare := k.form == said.FormAuto // quotes around a key are no part of it
	before := s.good + s.bad
	err := s.run(&cut, func() func(*block) {
		do := k.worker()
		var last, buf []byte
		return func(b *block) {
			last = append(last[:0], b.prev...)
			b.eachLine(end, form != said.FormRaw, func(n int, line []byte) bool {
				text, as := line, form
				switch form {
				case said.FormScan:
					row, ok := said.ScanRow(line)
					if !ok || bytes.Equal(row, last) {
						return true
					}
					last = append(last[:0], row...)
					text, as = row, said.FormText
				case said.FormAuto:
					as = said.GuessForm([]string{string(line)}, k.fits)
				}
				if bare && as != said.FormEscaped { // which takes them off itself
					text = unquotedLine(text)
				}
				var key []byte
				var err error
				if bare && (as == said.FormText || as == said.FormRegion) && form != said.FormScan {
					err = said.LogLine(text)
				}
				if err == nil {
					key, err = said.AppendKey(buf[:0], text, as)
				}
				if err == nil {
					buf = key
				}
				return k.one(b, n, text, key, err, do)
			})
			k.hint(b, form, end)
		}
	}, k.after)
	if err == nil && form == said.FormScan && s.good+s.bad == before && s.base > 0 {
		return finding{fmt.Errorf("none of %s is one that hbase shell's scan prints: --in scan reads its output", said.Plural(s.base, "line"))}
	}
	return err
}

// one does what is to be done with one key; err is what is wrong with its text.
func (k *keyReader) one(b *block, line int, text, key []byte, err error, do keyWork) bool {
	if err != nil && k.tell != nil {
		k.tell(b, line, text, err)
		return true
	}
	if err == nil {
		err = do(b, line, text, key)
	}
	if err != nil {
		return b.fail(line, err)
	}
	b.good++
	return true
}

// hint says of a block that is mostly bad in which form it would be good.
func (k *keyReader) hint(b *block, form string, end byte) {
	if b.good >= b.bad && (b.checked == nil || b.checked.fit*2 >= b.checked.keys) || form == said.FormScan || k.hinted.Load() {
		return
	}
	var lines []string
	(&block{data: b.data}).eachLine(end, true, func(_ int, line []byte) bool {
		lines = append(lines, string(line))
		return len(lines) < lookAt
	})
	if looksLikeCSV(lines) && k.hinted.CompareAndSwap(false, true) {
		b.hint = "these lines look like a CSV with a header: keys are read one a line"
		return
	}
	other := said.GuessForm(lines, k.fits)
	good, asIs, looks := 0, 0, 0
	for _, l := range lines {
		if key, err := said.ParseKey(l, other); err == nil && k.fits(key) {
			good++
		}
		if _, err := said.ParseKey(l, form); err == nil {
			asIs++
		}
		if r := said.Readings(l); len(r) > 0 && r[0].Form == other {
			looks++
		}
	}
	if other != form && (2*good > len(lines) || asIs == 0 && 2*looks > len(lines)) && k.hinted.CompareAndSwap(false, true) {
		b.hint = fmt.Sprintf("these lines look like %s: --in %s", formNames[other], other)
	}
}

// looksLikeCSV reports that lines have several columns, the same number in each, with names in the first one.
func looksLikeCSV(lines []string) bool {
	if len(lines) < 2 {
		return false
	}
	commas := strings.Count(lines[0], ",")
	for _, name := range strings.Split(said.Unquoted(lines[0]), ",") {
		if !columnName.MatchString(name) {
			return false
		}
	}
	return commas > 0 && !slices.ContainsFunc(lines, func(l string) bool { return strings.Count(l, ",") != commas })
}

var columnName = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// formNames are the forms in words.
var formNames = map[string]string{said.FormHex: "hexadecimal", said.FormText: "hbase shell's text", said.FormEscaped: `bytes as Go or Python write them`, said.FormURL: "percent-encoding",
	said.FormBase64: "base64", said.FormJava: "Java's Arrays.toString", said.FormCell: "Cells", said.FormRegion: "names of regions", said.FormScan: "hbase shell's scan", said.FormResult: "Results", said.FormError: "exceptions that name a row", said.FormRaw: "raw bytes", said.FormLen: "keys after their length"}

// rowReader reads the values of keys. One goroutine uses it at a time.
type rowReader struct {
	schema *rowkey.Schema
	how    said.Values
	loose  bool
	fields []rowkey.FieldInfo // those that are stored
	slots  []said.Slot
}

func newRowReader(s *rowkey.Schema, how said.Values, loose bool) *rowReader {
	r := &rowReader{schema: s, how: how, loose: loose}
	for _, f := range said.Supplied(s) {
		if f.Stored {
			r.fields = append(r.fields, f)
		}
	}
	r.slots = make([]said.Slot, len(r.fields))
	return r
}

// read reads a key into the slots.
func (r *rowReader) read(key []byte) error {
	if r.fast(key) {
		return nil
	}
	return r.slow(key)
}

// fast is read without memory of its own; false where something is wrong.
func (r *rowReader) fast(key []byte) bool {
	rd := r.schema.Read(key)
	for i := range r.slots {
		rd = r.slots[i].Read(rd, &r.fields[i])
	}
	return rd.Err() == nil
}

// slow is read by the call whose errors are told, and that can be told not to
// compute what is derived.
func (r *rowReader) slow(key []byte) error {
	decode := r.schema.Decode
	if r.loose {
		decode = r.schema.DecodeLoose
	}
	row, err := decode(key)
	if err != nil {
		return said.Reason(err)
	}
	i := 0
	for _, v := range row.All() {
		r.slots[i].Hold(v)
		i++
	}
	return nil
}
