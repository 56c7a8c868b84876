package laws

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
	"github.com/hbase-rowkey/rowkey/interop"
)

// The files of testdata/vectors hold what Java's own libraries answered. This
// test declares layouts that must write the same bytes, through the exported
// names alone, and compares. Whatever a line says is either compared or counted
// as not applicable, with the reason; a function, type or algorithm that the
// test does not know is a failure, so that new lines cannot pass unread.

// vectorFiles are the files that must be there.
var vectorFiles = []struct {
	name  string
	check func(*vectorLine)
}{
	{"flink_keys.jsonl", checkFlink},
	{"hbase_bytes.jsonl", checkHBaseBytes},
	{"hbase_hashes.jsonl", checkHBaseHashes},
	{"hbase_ordered_bytes.jsonl", checkOrderedBytes},
	{"hbase_types.jsonl", checkHBaseTypes},
	{"hbase_spark.jsonl", checkHBaseSpark},
	{"hbase_struct.jsonl", checkHBaseStruct},
	{"phoenix_types.jsonl", checkPhoenixTypes},
	{"phoenix_keys.jsonl", checkPhoenixKeys},
	{"phoenix_salt.jsonl", checkPhoenixSalt},
	{"hbase_prefix_stop.jsonl", checkPrefixStop},
	{"hbase_region_splits.jsonl", checkRegionSplits},
	{"hbase_string_binary.jsonl", checkStringBinary},
	{"hbase_vint.jsonl", checkVint},
	{"jdk_digest.jsonl", checkDigest},
	{"jdk_format.jsonl", checkFormat},
	{"jdk_hashcode.jsonl", checkHashCode},
	{"jdk_inverse_time.jsonl", checkInverseTime},
	{"jdk_murmur.jsonl", checkMurmur},
	{"jdk_reverse.jsonl", checkReverse},
}

func TestVectors(t *testing.T) {
	dir := os.Getenv("ROWKEY_VECTORS")
	if dir == "" {
		dir = filepath.Join("testdata", "vectors")
	}
	r := readVectors(dir)
	for i, f := range r.failures {
		if i == 50 {
			t.Errorf("and %d more", len(r.failures)-i)
			break
		}
		t.Error(f)
	}
	t.Log("\n" + r.table())
	if !t.Failed() {
		for _, f := range vectorFiles {
			r.counts[f.name].Check(t)
		}
	}
}

// TestVectorsNotice changes lines of the files one at a time: the test above
// is worth something only if it sees each change.
func TestVectorsNotice(t *testing.T) {
	long(t)
	const dir = "testdata/vectors"
	replace := func(old, new string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Errorf("the vectors hold no %s", old)
			}
			return strings.Replace(s, old, new, 1)
		}
	}
	add := func(line string) func(string) string {
		return func(s string) string { return s + line + "\n" }
	}
	for _, c := range []struct {
		name, file string
		change     func(string) string
		want       string // in the first failure; "" where nothing may fail
	}{
		{"nothing", "jdk_murmur.jsonl", func(s string) string { return s }, ""},
		{"no lines", "jdk_murmur.jsonl", func(string) string { return "" }, ""},
		{"blank lines", "jdk_murmur.jsonl", add("\n"), ""},
		{"a file less", "jdk_murmur.jsonl", nil, "jdk_murmur.jsonl"},
		{"no JSON", "jdk_murmur.jsonl", add("{"), "jdk_murmur.jsonl"},
		{"a file more", "jdk_other.jsonl", func(string) string { return "{}\n" }, ""},
		{"a field more", "jdk_murmur.jsonl", replace(`"seed": 0`, `"seed": 0, "new": 1`), ""},
		{"another function", "jdk_hashcode.jsonl", add(`{"fn": "Objects.hash", "in": "a", "hash": 1}`), "Objects.hash"},
		{"another rule", "jdk_hashcode.jsonl", replace(`"Math.abs_mod"`, `"Math.other_mod"`), "Math.other_mod"},
		{"another algorithm", "jdk_digest.jsonl", replace(`"alg": "MD5"`, `"alg": "MD2"`), "MD2"},
		{"another conversion", "jdk_format.jsonl", replace(`"format": "%02d"`, `"format": "%,2d"`), "%,2d"},
		{"another function of format", "jdk_format.jsonl", replace(`StringUtils.rightPad`, `StringUtils.center`), "StringUtils.center"},
		{"another function of reverse", "jdk_reverse.jsonl", replace(`new StringBuilder(s).reverse()`, `ArrayUtils.reverse`), "ArrayUtils.reverse"},
		{"another type", "hbase_bytes.jsonl", replace(`"type": "short"`, `"type": "char"`), "char"},
		{"another operation", "hbase_prefix_stop.jsonl", replace(`"op": "Bytes.split"`, `"op": "Bytes.add"`), "Bytes.add"},
		{"another operation on text", "hbase_string_binary.jsonl", replace(`"op": "toBytesBinary"`, `"op": "toHex"`), "toHex"},
		{"another split", "hbase_region_splits.jsonl", replace(`"algorithm": "UniformSplit"`, `"algorithm": "FairSplit"`), "FairSplit"},

		{"a key of Flink", "flink_keys.jsonl", replace(`"key":"0000018f34069e7b"`, `"key":"0000018f34069e7c"`), "7c"},
		{"a key of hbase-spark", "hbase_spark.jsonl", replace(`"value":"true","key":"ff"`, `"value":"true","key":"01"`), "01"},
		{"a type of Flink", "flink_keys.jsonl", replace(`"type":"BIGINT"`, `"type":"INTERVAL"`), "INTERVAL"},
		{"a value", "hbase_bytes.jsonl", replace(`"hex": "781c53ea"`, `"hex": "781c53eb"`), "781c53eb"},
		{"a sign", "hbase_bytes.jsonl", replace(`"b": "7f7f", "sign": 1`, `"b": "7f7f", "sign": -1`), "sign"},
		{"a stop", "hbase_prefix_stop.jsonl", replace(`"prefix": "00ff", "stop": "01"`, `"prefix": "00ff", "stop": "0100"`), "0100"},
		{"an end", "hbase_prefix_stop.jsonl", replace(`"prefix": "ffff", "stop": ""`, `"prefix": "ffff", "stop": "ffff00"`), "ffff00"},
		{"a split", "hbase_region_splits.jsonl", replace(`"34303030", "38303030"`, `"34303030", "38303031"`), "38303031"},
		{"a split apart", "hbase_region_splits.jsonl", replace(`"24924924`, `"24924925`), "24924925"},
		{"a sum of splits", "hbase_region_splits.jsonl", replace(`eac4bde9`, `eac4bde8`), "eac4bde8"},
		{"an escape", "hbase_string_binary.jsonl", replace(`"text": "\\x06"`, `"text": "\\x07"`), "07"},
		{"a digest", "jdk_digest.jsonl", replace(`d41d8cd98f00b204e9800998ecf8427e`, `d41d8cd98f00b204e9800998ecf8427f`), "427f"},
		{"part of a digest", "jdk_digest.jsonl", replace(`"text": "437faa"`, `"text": "437fab"`), "437fab"},
		{"a bucket of a digest", "jdk_digest.jsonl", replace(`"mod_u32_first4bytes_16": 9`, `"mod_u32_first4bytes_16": 8`), "u32"},
		{"a format", "jdk_format.jsonl", replace(`"out": "0000012345"`, `"out": "0000012346"`), "%010d"},
		{"a bucket", "jdk_hashcode.jsonl", replace(`"100": 75`, `"100": 76`), "4c"},
		{"a hash", "jdk_hashcode.jsonl", replace(`"hash": -2147483648`, `"hash": -2147483647`), "hashCode"},
		{"a time", "jdk_inverse_time.jsonl", replace(`7ffffe77dda4124f`, `7ffffe77dda4124e`), "7ffffe77dda4124e"},
		{"a murmur", "jdk_murmur.jsonl", replace(`"codec_murmur3_hash32x86": "00000000"`, `"codec_murmur3_hash32x86": "00000001"`), "00000001"},
		{"a seeded murmur", "jdk_murmur.jsonl", replace(`"codec_murmur3_hash32x86": "588adce8"`, `"codec_murmur3_hash32x86": "588adce9"`), "588adce9"},
		{"another hash", "hbase_hashes.jsonl", replace(`"hash": "jenkins"`, `"hash": "md4"`), "md4"},
		{"a hash of HBase", "hbase_hashes.jsonl", replace(`"-1": "b35966b0"`, `"-1": "b35966b1"`), "b35966b1"},
		{"a vint", "hbase_vint.jsonl", replace(`"hex": "85010000"`, `"hex": "85010001"`), "85010001"},
		{"a struct", "hbase_struct.jsonl", replace(`"hex": "686f737431320000000188225bedb0"`, `"hex": "686f737431320000000188225bedb1"`), "25bedb1"},
		{"a reversal", "jdk_reverse.jsonl", replace(`"out_utf8": "6f6f66"`, `"out_utf8": "6f6f67"`), "out_utf8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp := t.TempDir()
			for _, f := range vectorFiles {
				data, err := readFile(filepath.Join(dir, f.name))
				if err != nil {
					t.Fatal(err)
				}
				if f.name != c.file {
					data = nil // the change is looked for in one file
				} else if c.change == nil {
					continue
				} else {
					data = []byte(c.change(string(data)))
				}
				if err := os.WriteFile(filepath.Join(tmp, f.name), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Contains(c.file, "other") {
				if err := os.WriteFile(filepath.Join(tmp, c.file), []byte(c.change("")), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := readVectors(tmp)
			switch {
			case c.want == "":
				for _, f := range r.failures {
					t.Error(f)
				}
			case len(r.failures) == 0:
				t.Error("nothing failed")
			case !strings.Contains(r.failures[0], c.want):
				t.Errorf("failed with %s, want %q in it", r.failures[0], c.want)
			}
		})
	}
}

// ---- reading the files

// vectorReport is what became of every line.
type vectorReport struct {
	failures []string
	rows     map[vectorRow]*vectorCount
	lines    map[string]int // by file
	idle     map[string]int // lines of which nothing could be compared
	counts   map[string]*vectors.Counts
	schemas  map[string]*rowkey.Schema
}

type vectorRow struct{ file, function string }

type vectorCount struct {
	checked int
	not     map[string]int // reason → lines
}

// readVectors checks the files of a folder.
func readVectors(dir string) *vectorReport {
	r := &vectorReport{
		rows:    map[vectorRow]*vectorCount{},
		lines:   map[string]int{},
		idle:    map[string]int{},
		counts:  map[string]*vectors.Counts{},
		schemas: map[string]*rowkey.Schema{},
	}
	for _, f := range vectorFiles {
		data, err := readFile(filepath.Join(dir, f.name))
		if err != nil {
			r.failures = append(r.failures, err.Error())
			continue
		}
		r.lines[f.name] = 0
		r.counts[f.name] = &vectors.Counts{File: f.name, Refused: map[string]int{}, LeftOut: map[string]int{}}
		for i, text := range bytes.Split(data, []byte("\n")) {
			if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			r.lines[f.name]++
			l := &vectorLine{report: r, file: f.name, no: i + 1, read: map[string]bool{}, did: map[string]bool{}}
			if err := json.Unmarshal(text, &l.fields); err != nil {
				l.failf("%v", err)
				continue
			}
			f.check(l)
			l.finish()
		}
	}
	return r
}

func (r *vectorReport) row(file, function string) *vectorCount {
	k := vectorRow{file, function}
	if r.rows[k] == nil {
		r.rows[k] = &vectorCount{not: map[string]int{}}
	}
	return r.rows[k]
}

// table says by file and function how many lines were compared, how many were
// not, and why not.
func (r *vectorReport) table() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "file\tfunction\tchecked\tnot applicable")
	for _, f := range vectorFiles {
		var functions []string
		for k := range r.rows {
			if k.file == f.name {
				functions = append(functions, k.function)
			}
		}
		sort.Strings(functions)
		for _, function := range functions {
			c := r.rows[vectorRow{f.name, function}]
			reasons := make([]string, 0, len(c.not))
			for reason, n := range c.not {
				reasons = append(reasons, fmt.Sprintf("%d: %s", n, reason))
			}
			sort.Strings(reasons)
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", f.name, function, c.checked, strings.Join(reasons, "; "))
		}
		fmt.Fprintf(w, "%s\tall %d lines\t%d\t%d of which nothing applies\n", f.name, r.lines[f.name], r.lines[f.name]-r.idle[f.name], r.idle[f.name])
	}
	w.Flush()
	return out.String()
}

// vectorLine is one line being checked.
type vectorLine struct {
	report *vectorReport
	file   string
	no     int
	fields map[string]json.RawMessage
	read   map[string]bool // fields that were looked at
	did    map[string]bool // rows of the table that count this line
	worked bool            // something was compared

	// the line as a whole, for vectors.Page
	equal   bool   // something was compared that the package writes or reads
	refused string // what of it is refused
	leftOut string // why some of it does not apply
}

func (l *vectorLine) failf(format string, args ...any) {
	l.report.failures = append(l.report.failures, fmt.Sprintf("%s:%d: ", l.file, l.no)+fmt.Sprintf(format, args...))
	l.worked = true
}

// checked counts the line for a function, once.
func (l *vectorLine) checked(function string) {
	l.equal = true
	l.tally(function)
}

// declined counts the line for a function that is refused here.
func (l *vectorLine) declined(function string) {
	if l.refused == "" {
		l.refused = function
		for _, why := range []string{" NaN", ", ", " too long", " holds", " ends in"} {
			if i := strings.Index(function, why); i >= 0 {
				l.refused = strings.TrimRight(strings.TrimSuffix(strings.TrimLeft(function[i:], ", "), "refused"), ": ")
				break
			}
		}
	}
	l.tally(function)
}

// because says why the line is refused, where the function's name does not.
func (l *vectorLine) because(reason string) {
	if l.refused == "" {
		l.refused = reason
	}
}

func (l *vectorLine) tally(function string) {
	l.worked = true
	if key := "+" + function; !l.did[key] {
		l.did[key] = true
		l.report.row(l.file, function).checked++
	}
}

// skip counts the line as not applicable to a function, and the fields that
// only this function would need.
func (l *vectorLine) skip(function, reason string, fields ...string) {
	for _, f := range fields {
		l.read[f] = true
	}
	if l.leftOut == "" {
		l.leftOut = reason
	}
	if key := "-" + function + reason; !l.did[key] {
		l.did[key] = true
		l.report.row(l.file, function).not[reason]++
	}
}

// finish looks after what the check left out.
func (l *vectorLine) finish() {
	if len(l.did) == 0 && !l.worked {
		l.failf("neither checked nor said not to apply")
	}
	if !l.worked {
		l.report.idle[l.file]++
	}
	c := l.report.counts[l.file]
	c.Lines++
	switch {
	case l.equal:
		c.Equal++
	case l.refused != "":
		c.Refused[l.refused]++
	default:
		c.LeftOut[l.leftOut]++
	}
	for name := range l.fields {
		if !l.read[name] {
			l.skip("field "+name, "this test does not know it")
		}
	}
}

func (l *vectorLine) has(field string) bool {
	_, ok := l.fields[field]
	return ok
}

// get unmarshals a field, which must be there.
func (l *vectorLine) get(field string, v any) {
	l.read[field] = true
	raw, ok := l.fields[field]
	if !ok {
		l.failf("no field %s", field)
		return
	}
	if err := json.Unmarshal(raw, v); err != nil {
		l.failf("%s: %v", field, err)
	}
}

func (l *vectorLine) text(field string) (v string) { l.get(field, &v); return }
func (l *vectorLine) int(field string) (v int)     { l.get(field, &v); return }
func (l *vectorLine) bool(field string) (v bool)   { l.get(field, &v); return }

// bytes is a field in hexadecimal.
func (l *vectorLine) bytes(field string) []byte { return l.unhex(field, l.text(field)) }

func (l *vectorLine) unhex(field, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		l.failf("%s: %v", field, err)
	}
	return b
}

// long is a field that holds a 64-bit number as text.
func (l *vectorLine) long(field string) int64 {
	v, err := strconv.ParseInt(l.text(field), 10, 64)
	if err != nil {
		l.failf("%s: %v", field, err)
	}
	return v
}

// javaText is a Java string: UTF-16 units, in which a surrogate may stand
// alone.
type javaText []uint16

// java is a Java string; units, if the line has it, is the same in hexadecimal.
func (l *vectorLine) java(field, units string) javaText {
	l.read[field] = true
	raw, ok := l.fields[field]
	if !ok {
		l.failf("no field %s", field)
		return nil
	}
	t, ok := javaLiteral(raw)
	if !ok {
		l.failf("%s is not a string", field)
		return nil
	}
	if units != "" {
		b := l.bytes(units)
		var truth javaText
		for ; len(b) >= 2; b = b[2:] {
			truth = append(truth, binary.BigEndian.Uint16(b))
		}
		if !slices.Equal(t, truth) {
			l.failf("%s and %s differ", field, units)
		}
	}
	return t
}

// javaLiteral decodes a JSON string without losing lone surrogates, for which
// encoding/json puts U+FFFD.
func javaLiteral(raw []byte) (javaText, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return nil, false
	}
	raw = raw[1 : len(raw)-1]
	var t javaText
	for len(raw) > 0 {
		if raw[0] != '\\' {
			r, n := utf8.DecodeRune(raw)
			t, raw = utf16.AppendRune(t, r), raw[n:]
			continue
		}
		if raw[1] != 'u' {
			i := strings.IndexByte(`"\/bfnrt`, raw[1])
			if i < 0 {
				return nil, false
			}
			t, raw = append(t, uint16("\"\\/\b\f\n\r\t"[i])), raw[2:]
			continue
		}
		v, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
		if err != nil {
			return nil, false
		}
		t, raw = append(t, uint16(v)), raw[6:]
	}
	return t, true
}

// valid reports that no surrogate stands alone.
func (t javaText) valid() bool {
	return utf8.ValidString(t.utf8())
}

func (t javaText) ascii() bool {
	return !slices.ContainsFunc(t, func(u uint16) bool { return u >= utf8.RuneSelf })
}

// utf8 is the text as a Go program would hold it. A lone surrogate becomes the
// three bytes that its number would take, which is not valid UTF-8.
func (t javaText) utf8() string {
	var b []byte
	for i := 0; i < len(t); i++ {
		u := rune(t[i])
		if utf16.IsSurrogate(u) {
			if i+1 < len(t) {
				if r := utf16.DecodeRune(u, rune(t[i+1])); r != utf8.RuneError {
					b, i = utf8.AppendRune(b, r), i+1
					continue
				}
			}
			b = append(b, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f, 0x80|byte(u)&0x3f)
			continue
		}
		b = utf8.AppendRune(b, u)
	}
	return string(b)
}

// ---- comparing

// schema is the layout of this description, built once.
func (l *vectorLine) schema(build func() *rowkey.Builder, description ...any) *rowkey.Schema {
	key := l.file + ": " + fmt.Sprint(description...)
	if s, ok := l.report.schemas[key]; ok {
		return s
	}
	s, err := build().Build()
	if err != nil {
		l.failf("%s: %v", key, err)
		s = nil
	}
	l.report.schemas[key] = s
	return s
}

// row is the key of the values, decoded. It must come back as it was given,
// and the key must be the one that the decoded row has.
func (l *vectorLine) row(function string, s *rowkey.Schema, values ...any) (rowkey.Row, []byte, bool) {
	l.checked(function)
	if s == nil {
		return rowkey.Row{}, nil, false // reported when it was built
	}
	key, err := s.AppendKey(nil, values...)
	if err != nil {
		l.failf("%s: %v", function, err)
		return rowkey.Row{}, nil, false
	}
	row, err := s.Decode(key)
	if err != nil {
		l.failf("%s: Decode(%x): %v", function, key, err)
		return rowkey.Row{}, nil, false
	}
	var back []any
	for f := range s.Fields() {
		if f.Derived || f.Kind == "literal" {
			continue
		}
		if !f.Stored { // the key does not tell
			back = append(back, values[len(back)])
			continue
		}
		v, err := fieldValue(s, row, f)
		if f.Optional && !row.Has(f.Name) && errors.Is(err, rowkey.ErrMissing) {
			v, err = nil, nil
		}
		if err != nil {
			l.failf("%s: %s of %x: %v", function, f.Name, key, err)
			return rowkey.Row{}, nil, false
		}
		if want := values[len(back)]; !vectorSameValue(v, want) {
			l.failf("%s: %s of %x is %v, want %v", function, f.Name, key, v, want)
		}
		back = append(back, v)
	}
	again, err := s.AppendKey(nil, back...)
	if err != nil || !bytes.Equal(again, key) {
		l.failf("%s: key %x, decoded and written again %x, %v", function, key, again, err)
	}
	return row, key, true
}

// fieldValue is a field of a decoded row, by its kind.
func fieldValue(s *rowkey.Schema, row rowkey.Row, f rowkey.FieldInfo) (any, error) {
	switch f.Kind {
	case "string":
		return fieldOf[string](s, row, f.Name)
	case "binary":
		return fieldOf[[]byte](s, row, f.Name)
	case "uint":
		return fieldOf[uint64](s, row, f.Name)
	case "int":
		return fieldOf[int64](s, row, f.Name)
	case "float":
		return fieldOf[float64](s, row, f.Name)
	case "bool":
		return fieldOf[bool](s, row, f.Name)
	case "time":
		return fieldOf[time.Time](s, row, f.Name)
	}
	return nil, fmt.Errorf("a %v has no value", f.Kind)
}

func fieldOf[T rowkey.Value](s *rowkey.Schema, row rowkey.Row, name string) (any, error) {
	f, err := rowkey.FieldOf[T](s, name)
	if err != nil {
		return nil, err
	}
	return f.Get(row)
}

// vectorSameValue compares what came back with what was given.
func vectorSameValue(got, want any) bool {
	switch w := want.(type) {
	case []byte:
		g, ok := got.([]byte)
		return ok && bytes.Equal(g, w)
	case time.Time:
		g, ok := got.(time.Time)
		return ok && g.Equal(w)
	}
	return got == want
}

// stored checks the bytes of one component.
func (l *vectorLine) stored(function, component, want string, s *rowkey.Schema, values ...any) {
	row, key, ok := l.row(function, s, values...)
	if !ok {
		return
	}
	if got := string(row.Stored(component)); got != want {
		l.failf("%s: %s stores %s as %q in %x, want %q (%x)", function, s, component, got, key, want, want)
	}
}

// writes checks a whole key.
func (l *vectorLine) writes(function string, want []byte, s *rowkey.Schema, values ...any) {
	_, key, ok := l.row(function, s, values...)
	if ok && !bytes.Equal(key, want) {
		l.failf("%s: %s writes %x, want %x", function, s, key, want)
	}
}

// refuses checks that the values are refused for this reason, and that what
// stood in the caller's buffer still does.
func (l *vectorLine) refuses(function string, want error, s *rowkey.Schema, values ...any) {
	l.declined(function)
	if s == nil {
		return
	}
	head := []byte("head")
	key, err := s.AppendKey(head, values...)
	var typed *rowkey.Error
	if !errors.Is(err, want) || !errors.As(err, &typed) {
		l.failf("%s: %s gives %x, %v; want the error %v", function, s, key, err, want)
	}
	if string(key) != "head" {
		l.failf("%s: %s leaves %q in the caller's buffer", function, s, key)
	}
}

// refusesToBuild checks that a layout is no layout.
func (l *vectorLine) refusesToBuild(function string, b *rowkey.Builder) {
	s, err := b.Build()
	if !errors.Is(err, rowkey.ErrSchema) {
		l.failf("%s: Build gives %v, %v; want the error %v", function, s, err, rowkey.ErrSchema)
	}
}

// tagged starts a layout with a constant, so that no key is empty.
func tagged() *rowkey.Builder { return rowkey.New("tagged").Literal("#") }

func tag(b []byte) []byte { return append([]byte("#"), b...) }

// ---- jdk_hashcode.jsonl

func checkHashCode(l *vectorLine) {
	switch fn := l.text("fn"); fn {
	case "String.hashCode":
		in, hash := l.java("in", "utf16"), int32(l.int("hash"))
		rules := map[string]rowkey.SaltRule{
			"and_7fffffff_mod": interop.JavaHash,
			"Math.abs_mod":     interop.JavaHashAbs,
			"Math.floorMod":    interop.JavaHashFloor,
		}
		for _, field := range l.bucketFields(rules) {
			for n, bucket := range l.buckets(field) {
				l.javaBucket(fn+" "+field, in, rules[field], field, n, bucket, hash)
			}
		}
		// The largest number of buckets tells the hash itself.
		const n = math.MaxInt32
		l.javaBucket(fn+" hash", in, interop.JavaHash, "and_7fffffff_mod", n, int(hash&math.MaxInt32)%n, hash)
		floor := int(hash) % n
		if floor < 0 {
			floor += n
		}
		l.javaBucket(fn+" hash", in, interop.JavaHashFloor, "Math.floorMod", n, floor, hash)
		for _, n := range []int{n, 100, 16} {
			l.javaBucket(fn+" hash, |h % n|", in, interop.JavaHashModAbs, "Math.abs(h % n)", n, int(max(hash%int32(n), -(hash%int32(n)))), hash)
		}
		digest := l.schema(func() *rowkey.Builder { return rowkey.New("java").Hash(interop.JavaHashCode.Raw(4), "s").String("s") }, "java digest")
		if in.valid() {
			l.stored(fn+" as a digest", "hash", string(binary.BigEndian.AppendUint32(nil, uint32(hash))), digest, in.utf8())
		} else {
			l.refuses(fn+" as a digest, lone surrogate refused", rowkey.ErrRange, digest, in.utf8())
		}

	case "Arrays.hashCode(byte[])":
		in, hash := l.bytes("in"), int32(l.int("hash"))
		rules := map[string]rowkey.SaltRule{
			"and_7fffffff_mod": interop.PinpointHash,
			"abs_of_mod":       interop.PhoenixHash,
			"Math.floorMod":    0,
		}
		for _, field := range l.bucketFields(rules) {
			for n, bucket := range l.buckets(field) {
				if field == "Math.floorMod" {
					checkFloor31(l, fn+" "+field, in, n, bucket) // there is no rule of that name
					continue
				}
				l.byteBucket(fn+" "+field, in, rules[field], n, bucket, hash)
				if field == "abs_of_mod" { // HBaseWD's rule differs for one hash alone
					l.byteBucket(fn+" hash, |h| mod n", in, interop.HBaseWDHash, n, int(max(hash, -hash))%n, hash)
				}
			}
		}
		const n = math.MaxInt32
		l.byteBucket(fn+" hash", in, interop.PinpointHash, n, int(hash&math.MaxInt32)%n, hash)
		l.byteBucket(fn+" hash", in, interop.PhoenixHash, n, int(max(hash%n, -(hash%n))), hash)

	case "Long.hashCode":
		checkLongHash(l, l.long("in"), int32(l.int("hash"))) // Java's own rules hash text
		for _, rule := range []rowkey.SaltRule{interop.JavaHash, interop.JavaHashAbs, interop.JavaHashFloor} {
			l.refusesToBuild(fn, rowkey.New("long").Salt(16, "n", rule).Int("n", 8))
			l.refusesToBuild(fn, rowkey.New("long").Salt(16, "n", rule).Uint("n", 8))
		}

	default:
		l.failf("unknown function %q", fn)
	}
}

// bucketFields are the bucket rules of a line, all of which must be known.
func (l *vectorLine) bucketFields(rules map[string]rowkey.SaltRule) (known []string) {
	for field := range l.fields {
		if _, ok := rules[field]; ok {
			known = append(known, field)
		} else if strings.Contains(field, "mod") || strings.Contains(field, "Mod") {
			l.failf("unknown bucket rule %q", field)
		}
	}
	sort.Strings(known)
	return known
}

// buckets is a map from modulus to bucket.
func (l *vectorLine) buckets(field string) map[int]int {
	var v map[string]int
	l.get(field, &v)
	m := map[int]int{}
	for k, bucket := range v {
		n, err := strconv.Atoi(k)
		if err != nil {
			l.failf("%s: %v", field, err)
		}
		m[n] = bucket
	}
	return m
}

// javaBucket checks one bucket of String.hashCode in each way of writing it,
// by value, by text and by format.
func (l *vectorLine) javaBucket(function string, in javaText, rule rowkey.SaltRule, field string, n, bucket int, hash int32) {
	digits := len(strconv.Itoa(n - 1))
	ways := []struct {
		s    *rowkey.Schema
		want string
	}{
		{l.schema(func() *rowkey.Builder {
			return rowkey.New("java").Salt(n, "s", rule, rowkey.Width(4)).String("s")
		}, "java by value", field, n), string(binary.BigEndian.AppendUint32(nil, uint32(bucket)))},
		{l.schema(func() *rowkey.Builder {
			return rowkey.New("java").Salt(n, "text(s)", rule, rowkey.Digits(digits)).String("s")
		}, "java by text", field, n), fmt.Sprintf("%0*d", digits, bucket)},
		{l.schema(func() *rowkey.Builder {
			return rowkey.New("java").Salt(n, `format("%s",s)`, rule, rowkey.Decimal).Separator("_").String("s")
		}, "java by format", field, n), strconv.Itoa(bucket)},
	}
	if n <= 256 {
		ways = append(ways, ways[0])
		ways[3].s = l.schema(func() *rowkey.Builder {
			return rowkey.New("java").Salt(n, "s", rule).String("s")
		}, "java in a byte", field, n)
		ways[3].want = string([]byte{byte(bucket)})
	}
	for _, way := range ways {
		switch {
		case !in.valid():
			l.refuses(function+", lone surrogate refused", rowkey.ErrRange, way.s, in.utf8())
		case rule == interop.JavaHashAbs && hash == math.MinInt32:
			l.refuses(function+", no absolute value", rowkey.ErrRange, way.s, in.utf8())
		default:
			l.stored(function, "salt", way.want, way.s, in.utf8())
		}
	}
}

// byteBucket checks one bucket of the 31-hash of bytes: of a value, of stored
// bytes, of the rest of the key.
func (l *vectorLine) byteBucket(function string, in []byte, rule rowkey.SaltRule, n, bucket int, hash int32) {
	for name, input := range map[string]string{"value": "b", "stored": "stored(b)", "rest": "rest()"} {
		s := l.schema(func() *rowkey.Builder {
			return rowkey.New("bytes").Salt(n, input, rule, rowkey.Width(4)).Binary("b")
		}, "31-hash by ", name, rule, n)
		if rule == interop.HBaseWDHash && hash == math.MinInt32 {
			// |h| is negative, and so may be the bucket: HBaseWD itself loses such rows.
			l.refuses(function+", no absolute value", rowkey.ErrRange, s, in)
			continue
		}
		l.stored(function, "salt", string(binary.BigEndian.AppendUint32(nil, uint32(bucket))), s, in)
	}
}

// ---- jdk_digest.jsonl

func checkDigest(l *vectorLine) {
	alg := l.text("alg")
	d, size := rowkey.Digest{}, 0
	switch alg {
	case "MD5":
		d, size = rowkey.MD5, 16
	case "SHA-1":
		d, size = rowkey.SHA1, 20
	case "SHA-256":
		d, size = rowkey.SHA256, 32
	case "SHA-512":
		d, size = rowkey.SHA512, 64
	default:
		l.failf("unknown algorithm %q", alg)
		return
	}
	text := l.text("hex")
	raw := string(l.bytes("hex"))

	switch {
	case l.has("in"):
		in := l.java("in", "")
		if !in.valid() {
			l.skip(alg, "a lone surrogate is no UTF-8; Java digests '?' in its place", "substring", "first4", "first6_upper", "mod_u32_first4bytes_16")
			return
		}
		for name, of := range map[string]string{
			"value": "s", "values": "values(s)", "stored": "stored(s)", "text": "text(s)",
			"format": `format("%s",s)`, "rest": "rest()",
		} {
			s := l.schema(func() *rowkey.Builder {
				return rowkey.New("digest").Hash(d.Hex(2*size), of).String("s")
			}, "hex of", alg, name)
			l.stored(alg+" hex", "hash", text, s, in.utf8())
			s = l.schema(func() *rowkey.Builder {
				return rowkey.New("digest").Hash(d.Raw(size), of).String("s")
			}, "raw of", alg, name)
			l.stored(alg+" hex, as bytes", "hash", raw, s, in.utf8())
			s = l.schema(func() *rowkey.Builder {
				return rowkey.New("digest").Salt(16, of, d.Raw(4)).String("s")
			}, "bucket of", alg, name)
			l.stored(alg+" first 4 bytes as u32 mod 16", "salt", string([]byte{byte(l.int("mod_u32_first4bytes_16"))}), s, in.utf8())
		}
		s := l.schema(func() *rowkey.Builder {
			return rowkey.New("digest").Hash(d.Hex(4), "s").Hash(d.Hex(6).Upper(), "s", rowkey.Named("upper")).String("s")
		}, "heads of", alg)
		l.stored(alg+" first4", "hash", l.text("first4"), s, in.utf8())
		l.stored(alg+" first6_upper", "upper", l.text("first6_upper"), s, in.utf8())

		var sub struct {
			From, Len int
			Text      string
		}
		l.get("substring", &sub)
		s = l.schema(func() *rowkey.Builder {
			return rowkey.New("digest").Hash(d.HexAt(sub.From, sub.Len), "s").String("s")
		}, "substring of", alg, sub.From, sub.Len)
		l.stored(alg+" substring", "hash", sub.Text, s, in.utf8())

	case l.has("in_long_as_decimal_text"):
		n := l.long("in_long_as_decimal_text")
		l.digestOfLong(alg+" in_long_as_decimal_text", d, text, n, map[string]string{
			"text": "text(n)", "format": `format("%d",n)`,
		})

	case l.has("in_long_as_8_bytes"):
		n := l.long("in_long_as_8_bytes")
		l.digestOfLong(alg+" in_long_as_8_bytes", d, text, n, map[string]string{
			"value": "n", "values": "values(n)",
		})

	default:
		l.failf("unknown input: %v", l.fields)
	}
}

// digestOfLong checks the digest of a number from every kind that holds it.
func (l *vectorLine) digestOfLong(function string, d rowkey.Digest, want string, n int64, inputs map[string]string) {
	for name, of := range inputs {
		describe := func(kind string) string { return function + " " + name + " " + kind }
		head := func() *rowkey.Builder { return rowkey.New("long").Hash(d.Hex(len(want)), of) }
		l.stored(function, "hash", want, l.schema(func() *rowkey.Builder { return head().Int("n", 8) }, describe("int")), n)
		l.stored(function, "hash", want, l.schema(func() *rowkey.Builder { return head().Int("n", 8, interop.HBase, rowkey.Desc) }, describe("hbase")), n)
		if n >= 0 {
			l.stored(function, "hash", want, l.schema(func() *rowkey.Builder { return head().Uint("n", 8) }, describe("uint")), uint64(n))
			if name != "value" { // a number in digits must say that its bytes are meant
				l.stored(function, "hash", want, l.schema(func() *rowkey.Builder { return head().Uint("n", 8, rowkey.Digits(20), rowkey.Reverse) }, describe("digits")), uint64(n))
			}
			l.stored(function, "hash", want, l.schema(func() *rowkey.Builder { return head().Time("n", rowkey.Millis, rowkey.Desc) }, describe("time")), time.UnixMilli(n))
		}
	}
}

// ---- jdk_murmur.jsonl

func checkMurmur(l *vectorLine) {
	in, seed := l.bytes("in"), l.int("seed")
	checkMurmur2(l, in, seed)
	l.skip("guava_consistentHash_16", "there is no consistent hashing", "guava_consistentHash_16")

	hex128 := strings.ReplaceAll(l.text("codec_murmur3_hash128x64"), " ", "")
	want128 := l.unhex("codec_murmur3_hash128x64", hex128)
	want32 := l.bytes("codec_murmur3_hash32x86")
	asInt, asBytes, toString := l.bytes("guava_murmur3_32_asInt"), l.bytes("guava_murmur3_32_asBytes"), l.bytes("guava_murmur3_32_toString")
	bytes128, long128, int128 := l.bytes("guava_murmur3_128_asBytes"), l.bytes("guava_murmur3_128_asLong"), l.bytes("guava_murmur3_128_asInt")
	mod16, mod10 := l.int("Math.floorMod_16"), l.int("unsigned_mod_10")
	m32, m128 := rowkey.Murmur3.Seed(int64(seed)), interop.Murmur3x128.Seed(int64(seed))
	both := l.schema(func() *rowkey.Builder {
		return rowkey.New("murmur").
			Hash(m32.Raw(4), "b", rowkey.Named("m32")).
			Hash(m32.Hex(8), "stored(b)", rowkey.Named("hex32")).
			Hash(m128.Raw(16), "b", rowkey.Named("m128")).
			Hash(m128.Hex(32), "stored(b)", rowkey.Named("hex128")).
			Hash(m128.Raw(8), "b", rowkey.Named("first")).
			Hash(m128.HexAt(8, 8), "b", rowkey.Named("low")).
			Binary("b")
	}, "murmur", seed)
	l.stored("codec_murmur3_hash32x86", "m32", string(want32), both, in)
	l.stored("codec_murmur3_hash32x86", "hex32", hex.EncodeToString(want32), both, in)
	l.stored("guava_murmur3_32_asInt", "m32", string(asInt), both, in)
	// Guava writes its words with the last byte first.
	l.stored("guava_murmur3_32_asBytes", "m32", backward(asBytes), both, in)
	l.stored("guava_murmur3_32_toString", "m32", backward(toString), both, in)
	l.stored("codec_murmur3_hash128x64", "m128", string(want128), both, in)
	l.stored("codec_murmur3_hash128x64", "hex128", hex128, both, in)
	switch {
	case seed < 0:
		for _, f := range []string{"guava_murmur3_128_asBytes", "guava_murmur3_128_asLong", "guava_murmur3_128_asInt"} {
			l.skip(f, "Guava widens a negative seed to 64 bits with its sign, commons-codec without")
		}
	case len(bytes128) == 16:
		l.stored("guava_murmur3_128_asBytes", "m128", backward(bytes128[:8])+backward(bytes128[8:]), both, in)
		l.stored("guava_murmur3_128_asLong", "first", string(long128), both, in)
		l.stored("guava_murmur3_128_asInt", "low", hex.EncodeToString(int128), both, in)
	default:
		l.failf("guava_murmur3_128_asBytes has %d bytes", len(bytes128))
	}

	var rule []rowkey.SaltOption // of seed 0 there is none to say
	if seed != 0 {
		rule = append(rule, m32.Raw(4))
	}
	for name, of := range map[string]string{"value": "b", "rest": "rest()", "stored": "stored(b)"} {
		s := l.schema(func() *rowkey.Builder {
			return rowkey.New("murmur").Salt(10, of, rule...).Salt(16, of, rule...).Salt(10, of, m32.Raw(4)).Binary("b")
		}, "murmur buckets by", name, seed)
		if name == "rest" { // the rest of the first is more than the value
			s = l.schema(func() *rowkey.Builder { return rowkey.New("murmur").Salt(10, of, rule...).Binary("b") }, "murmur of the rest", seed)
			l.stored("unsigned_mod_10", "salt", string([]byte{byte(mod10)}), s, in)
			continue
		}
		l.stored("unsigned_mod_10", "salt", string([]byte{byte(mod10)}), s, in)
		// The floor modulus of a signed number is that of the unsigned one where the modulus is a power of two.
		l.stored("Math.floorMod_16", "salt2", string([]byte{byte(mod16)}), s, in)
		l.stored("unsigned_mod_10", "salt3", string([]byte{byte(mod10)}), s, in)
	}
}

func backward(b []byte) string {
	b = slices.Clone(b)
	slices.Reverse(b)
	return string(b)
}

// ---- jdk_reverse.jsonl

func checkReverse(l *vectorLine) {
	switch fn := l.text("fn"); fn {
	case "new StringBuilder(s).reverse()":
		in, out := l.java("in", "in_utf16"), l.java("out", "out_utf16")
		want := l.bytes("out_utf8")
		runes := l.schema(func() *rowkey.Builder { return tagged().String("s", rowkey.ReverseRune) }, "runes")
		if !in.valid() {
			l.refuses(fn+", lone surrogate refused", rowkey.ErrRange, runes, in.utf8())
			return
		}
		if out.utf8() != string(want) {
			l.failf("out and out_utf8 differ")
		}
		l.writes(fn, tag(want), runes, in.utf8())
		ended := l.schema(func() *rowkey.Builder {
			return rowkey.New("ended").String("s", rowkey.ReverseRune, rowkey.Escaped).Uint("n", 1)
		}, "runes, escaped")
		l.stored(fn, "s", strings.ReplaceAll(string(want), "\x00", "\x00\xff")+"\x00\x01", ended, in.utf8(), uint64(7))
		if !in.ascii() {
			l.skip(fn+" by bytes", "bytes in another order are not the characters in another order")
		} else {
			l.writes(fn+" by bytes", tag(want), l.schema(func() *rowkey.Builder { return tagged().String("s", rowkey.Reverse) }, "bytes"), in.utf8())
		}
		n, err := strconv.ParseUint(in.utf8(), 10, 64)
		if err != nil || in[0] == '+' {
			l.skip(fn+" of digits", "not a number without sign")
			return
		}
		digits := len(in)
		l.writes(fn+" of digits", want, l.schema(func() *rowkey.Builder {
			return rowkey.New("digits").Uint("n", 8, rowkey.Digits(digits), rowkey.Reverse)
		}, "digits", digits), n)
		if strconv.FormatUint(n, 10) == in.utf8() {
			l.writes(fn+" of digits", want, l.schema(func() *rowkey.Builder {
				return rowkey.New("decimal").Uint("n", 8, rowkey.Decimal, rowkey.Reverse)
			}, "decimal"), n)
		}

	case "Long.reverse / Long.reverseBytes":
		n := l.long("in")
		l.writes("Long.reverse, by Via", l.bytes("reverse_bits_be"), l.schema(func() *rowkey.Builder {
			return rowkey.New("bits", interop.HBase).Int("n", 8, rowkey.Via(bitReversed{}))
		}, "bits"), n)
		want := l.bytes("reverseBytes_be")
		l.writes("Long.reverseBytes", want, l.schema(func() *rowkey.Builder {
			return rowkey.New("little", interop.HBase).Int("n", 8, rowkey.Reverse)
		}, "little-endian int"), n)
		l.writes("Long.reverseBytes", want, l.schema(func() *rowkey.Builder {
			return rowkey.New("little").Uint("n", 8, rowkey.Reverse)
		}, "little-endian uint"), uint64(n))
		if n < 0 {
			l.writes("Long.toString reversed", []byte(l.text("decimal_reversed")), l.schema(func() *rowkey.Builder {
				return rowkey.New("signed").Int("n", 8, rowkey.Decimal, rowkey.Reverse)
			}, "signed decimal"), n)
			return
		}
		text := l.text("decimal_reversed")
		l.writes("Long.toString reversed", []byte(text), l.schema(func() *rowkey.Builder {
			return rowkey.New("signed").Int("n", 8, rowkey.Decimal, rowkey.Reverse)
		}, "signed decimal"), n)
		l.writes("Long.toString reversed", []byte(text), l.schema(func() *rowkey.Builder {
			return rowkey.New("decimal").Uint("n", 8, rowkey.Decimal, rowkey.Reverse)
		}, "decimal"), uint64(n))
		l.writes("Long.toString reversed", []byte(text), l.schema(func() *rowkey.Builder {
			return rowkey.New("digits").Uint("n", 8, rowkey.Digits(len(text)), rowkey.Reverse)
		}, "digits", len(text)), uint64(n))
		l.writes("Long.toString reversed", []byte(text), l.schema(func() *rowkey.Builder {
			return rowkey.New("millis").Time("n", rowkey.Millis, rowkey.Decimal, rowkey.Reverse)
		}, "millis"), time.UnixMilli(n))

	default:
		l.failf("unknown function %q", fn)
	}
}

// ---- jdk_inverse_time.jsonl

func checkInverseTime(l *vectorLine) {
	ts := l.long("ts")
	at := time.UnixMilli(ts)

	// A long, whatever its sign.
	l.writes("be8", l.bytes("be8"), l.schema(func() *rowkey.Builder { return rowkey.New("long", interop.HBase).Int("n", 8) }, "be8"), ts)
	l.writes("max_minus_be8", l.bytes("max_minus_be8"), l.schema(func() *rowkey.Builder { return rowkey.New("long", interop.HBase).Int("n", 8, rowkey.Desc) }, "max-be8"), ts)
	l.writes("signflip_be8", l.bytes("signflip_be8"), l.schema(func() *rowkey.Builder { return rowkey.New("long").Int("n", 8) }, "signflip"), ts)
	seconds := l.long("seconds_int")
	l.writes("int_max_minus_be4", l.bytes("int_max_minus_be4"), l.schema(func() *rowkey.Builder { return rowkey.New("int", interop.HBase).Int("n", 4, rowkey.Desc) }, "max-be4"), seconds)

	// An instant, which is not before 1970.
	type form struct {
		function string
		want     []byte
		s        *rowkey.Schema
		at       time.Time
	}
	forms := []form{
		{"be8", l.bytes("be8"), l.schema(func() *rowkey.Builder { return rowkey.New("at").Time("at", rowkey.Millis) }, "at"), at},
		{"max_minus_be8", l.bytes("max_minus_be8"), l.schema(func() *rowkey.Builder { return rowkey.New("at").Time("at", rowkey.Millis, rowkey.Desc) }, "max-at"), at},
		{"max_minus_decimal", []byte(l.text("max_minus_decimal")), l.schema(func() *rowkey.Builder { return rowkey.New("at").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Decimal) }, "max-at decimal"), at},
		{"max_minus_019d", []byte(l.text("max_minus_019d")), l.schema(func() *rowkey.Builder {
			return rowkey.New("at").Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19))
		}, "max-at digits"), at},
	}
	for _, f := range forms {
		if ts < 0 {
			l.refuses(f.function+", before 1970 refused", rowkey.ErrRange, f.s, f.at)
			continue
		}
		l.writes(f.function+" of an instant", f.want, f.s, f.at)
		key, err := f.s.Key().UnixMilli(ts).Bytes()
		if err != nil || !bytes.Equal(key, f.want) {
			l.failf("%s: UnixMilli writes %x, %v; want %x", f.function, key, err, f.want)
		}
	}

	// Seconds in four bytes. Java's cast cuts what is above MaxInt32 and rounds
	// towards 1970 what is below it.
	in4 := l.schema(func() *rowkey.Builder {
		return rowkey.New("s").Time("at", rowkey.Seconds, rowkey.Width(4), rowkey.Desc)
	}, "max-seconds")
	if ts < 0 || ts/1000 > math.MaxInt32 {
		l.refuses("seconds_int, cut by the cast: refused", rowkey.ErrRange, in4, at)
		return
	}
	l.writes("seconds_int", binary.BigEndian.AppendUint32(nil, uint32(seconds)),
		l.schema(func() *rowkey.Builder { return rowkey.New("s").Time("at", rowkey.Seconds, rowkey.Width(4)) }, "seconds"), time.Unix(ts/1000, 0))
	l.writes("int_max_minus_be4 of an instant", l.bytes("int_max_minus_be4"), in4, time.Unix(ts/1000, 0))
	if key, err := in4.Key().UnixMilli(ts).Bytes(); err != nil || !bytes.Equal(key, l.bytes("int_max_minus_be4")) {
		l.failf("int_max_minus_be4: UnixMilli writes %x, %v", key, err)
	}
}

// ---- jdk_format.jsonl

func checkFormat(l *vectorLine) {
	switch fn := l.text("fn"); fn {
	case "String.format":
		format := l.text("format")
		c, ok := parseConversion(format)
		switch {
		case !ok:
			l.failf("unknown conversion %q", format)
		case c.verb == 's':
			l.formatText(c)
		default:
			l.formatNumber(c)
		}

	case "StringUtils.rightPad", "StringUtils.leftPad":
		in, out := l.java("in", ""), l.java("out", "")
		size, pad := l.int("size"), l.java("pad", "")
		want := l.bytes("out_utf8")
		if len(pad) != 1 || !pad.ascii() {
			l.skip(fn, "Pad and PadLeft fill with one byte")
			return
		}
		if out.valid() && out.utf8() != string(want) {
			l.failf("out and out_utf8 differ")
		}
		l.padded(fn, in, size, byte(pad[0]), fn == "StringUtils.leftPad", want)

	default:
		l.failf("unknown function %q", fn)
	}
}

// conversion is one conversion of a Java format and nothing around it.
type conversion struct {
	text        string
	left, zero  bool
	width, prec int // −1 where not said
	verb        byte
}

func parseConversion(s string) (c conversion, ok bool) {
	c = conversion{text: s, width: -1, prec: -1}
	s, ok = strings.CutPrefix(s, "%")
	if !ok {
		return c, false
	}
	number := func() int {
		end := 0
		for end < len(s) && '0' <= s[end] && s[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(s[:end])
		if err != nil {
			return -1
		}
		s = s[end:]
		return n
	}
	s, c.left = strings.CutPrefix(s, "-")
	s, c.zero = strings.CutPrefix(s, "0")
	c.width = number()
	if rest, dot := strings.CutPrefix(s, "."); dot {
		s = rest
		if c.prec = number(); c.prec < 0 {
			return c, false
		}
	}
	if len(s) != 1 || !strings.Contains("dxXs", s) || c.zero && c.width < 1 {
		return c, false
	}
	c.verb = s[0]
	return c, true
}

// formatNumber checks a number of a format: as text that is hashed, and as the
// digits that a key holds.
func (l *vectorLine) formatNumber(c conversion) {
	function := "String.format " + c.text
	in, err := strconv.ParseInt(l.text("in"), 10, 64)
	if err != nil || c.left || c.prec >= 0 || c.zero != (c.width > 0) {
		l.failf("%s: unknown conversion of %s", c.text, l.text("in"))
		return
	}
	out := l.text("out")

	// Only a hash sees the text of a format.
	offered := c.verb == 'd' && (c.zero || c.width < 0) || c.verb != 'd' && c.width < 0
	hashed := func() *rowkey.Builder {
		return rowkey.New("f").Hash(rowkey.MD5.Hex(32), lawFormat(c.text, "n"), rowkey.Named("md5")).Int("n", 8)
	}
	if offered {
		sum := md5.Sum([]byte(out))
		l.stored(function+" hashed", "md5", hex.EncodeToString(sum[:]), l.schema(hashed, function), in)
		if in >= 0 {
			l.stored(function+" hashed", "md5", hex.EncodeToString(sum[:]), l.schema(func() *rowkey.Builder {
				return rowkey.New("f").Hash(rowkey.MD5.Hex(32), lawFormat(c.text, "n"), rowkey.Named("md5")).Uint("n", 8)
			}, function, "uint"), uint64(in))
		}
		around := md5.Sum([]byte("a%" + out + "z"))
		l.stored(function+" hashed", "md5", hex.EncodeToString(around[:]), l.schema(func() *rowkey.Builder {
			return rowkey.New("f").Hash(rowkey.MD5.Hex(32), lawFormat("a%%"+c.text+"z", "n"), rowkey.Named("md5")).Int("n", 8)
		}, function, "with text around"), in)
	} else {
		l.skip(function+" hashed", "Format has %s, %d, %0Nd, %x and %X")
		l.refusesToBuild(function, hashed())
	}

	if c.verb == 'd' && c.width < 0 {
		l.writes(function+" written", []byte(out), l.schema(func() *rowkey.Builder { return rowkey.New("d").Int("n", 8, rowkey.Decimal) }, "signed decimal"), in)
	}
	switch {
	case c.verb == 'd' && c.width < 0 && in < 0: // only so
	case c.verb == 'd' && c.width < 0:
		l.writes(function+" written", []byte(out), l.schema(func() *rowkey.Builder { return rowkey.New("d").Uint("n", 8, rowkey.Decimal) }, "decimal"), uint64(in))
		l.writes(function+" written", []byte(out), l.schema(func() *rowkey.Builder { return rowkey.New("d").Time("n", rowkey.Millis, rowkey.Decimal) }, "decimal time"), time.UnixMilli(in))
	case c.verb == 'd' && in < 0:
		l.skip(function+" written", "a number with a sign has no digits of one width")
		l.refusesToBuild(function, rowkey.New("d").Int("n", 8, rowkey.Digits(max(1, c.width))))
	case c.verb == 'd':
		digits := l.schema(func() *rowkey.Builder { return rowkey.New("d").Uint("n", 8, rowkey.Digits(c.width)) }, "digits", c.width)
		if len(out) > c.width {
			l.refuses(function+" too long: refused", rowkey.ErrRange, digits, uint64(in))
			return
		}
		l.writes(function+" written", []byte(out), digits, uint64(in))
		millis := l.schema(func() *rowkey.Builder { return rowkey.New("d").Time("n", rowkey.Millis, rowkey.Digits(c.width)) }, "digits of a time", c.width)
		l.writes(function+" written", []byte(out), millis, time.UnixMilli(in))
	case c.verb == 'X':
		checkHexText(l, function+" written", out, c.width, true, in) // HexDigits writes lower case
	case c.width < 0:
		checkHexText(l, function+" written", out, 0, false, in)
	case len(out) > c.width:
		l.refuses(function+" too long: refused", rowkey.ErrRange, l.schema(func() *rowkey.Builder {
			return rowkey.New("x").Uint("n", 8, rowkey.HexDigits(c.width))
		}, "hex", c.width), uint64(in))
	default:
		l.writes(function+" written", []byte(out), l.schema(func() *rowkey.Builder {
			return rowkey.New("x").Uint("n", 8, rowkey.HexDigits(c.width))
		}, "hex", c.width), uint64(in))
	}
}

// formatText checks text of a format: padding as Pad and PadLeft, cutting as a
// Copy with Left.
func (l *vectorLine) formatText(c conversion) {
	function := "String.format " + c.text
	in, out := l.java("in", ""), l.java("out", "")
	want := l.bytes("out_utf8")
	if c.zero {
		l.failf("unknown conversion %q", c.text)
		return
	}
	if out.valid() && out.utf8() != string(want) {
		l.failf("out and out_utf8 differ")
	}
	if !in.valid() {
		l.skip(function, "a lone surrogate is no UTF-8; Java writes '?' in its place")
		return
	}
	hashed := func() *rowkey.Builder {
		return rowkey.New("f").Hash(rowkey.MD5.Hex(32), lawFormat(c.text, "s"), rowkey.Named("md5")).String("s")
	}
	if c.width < 0 && c.prec < 0 {
		sum := md5.Sum(want)
		l.stored(function+" hashed", "md5", hex.EncodeToString(sum[:]), l.schema(hashed, function), in.utf8())
		l.writes(function, tag(want), l.schema(func() *rowkey.Builder { return tagged().String("s") }, "text"), in.utf8())
		return
	}
	l.skip(function+" hashed", "Format has %s without a width")
	l.refusesToBuild(function, hashed())
	if c.prec < 0 {
		l.padded(function, in, c.width, ' ', !c.left, want)
		return
	}
	if !in.ascii() {
		l.skip(function, "the precision counts UTF-16 units, Left counts bytes")
		return
	}
	if c.width >= 0 && !c.left {
		l.skip(function, "PadLeft would refuse what Java cuts: no line has it")
		return
	}
	s := l.schema(func() *rowkey.Builder {
		opts := []rowkey.FieldOption{rowkey.Left(c.prec)}
		if c.width >= 0 {
			opts = append(opts, rowkey.Pad(c.width, ' '))
		}
		return rowkey.New("cut").String("s", rowkey.Escaped).Copy("cut", "s", opts...)
	}, function)
	if cut := in.utf8()[:min(len(in), c.prec)]; c.width >= 0 && strings.HasSuffix(cut, " ") {
		l.refuses(function+" ends in the pad: refused", rowkey.ErrTerminator, s, in.utf8())
		return
	}
	l.stored(function, "cut", string(want), s, in.utf8())
}

// padded checks text that is filled up with one byte to a width.
func (l *vectorLine) padded(function string, in javaText, width int, pad byte, left bool, want []byte) {
	if !in.valid() {
		l.skip(function, "a lone surrogate is no UTF-8; Java writes '?' in its place")
		return
	}
	text := in.utf8()
	if !in.ascii() {
		// Java counts UTF-16 units, the library bytes: the width that gives the
		// same fill is another one for every value.
		l.skip(function+" beyond ASCII", "the width counts UTF-16 units, Pad counts bytes: compared at the width of this result")
		width += len(text) - len(in)
	}
	frame := func() rowkey.FieldOption {
		if left {
			return rowkey.PadLeft(width, pad)
		}
		return rowkey.Pad(width, pad)
	}
	s := l.schema(func() *rowkey.Builder { return rowkey.New("pad").String("s", frame()).Uint("n", 1) }, "pad", width, pad, left)
	last := l.schema(func() *rowkey.Builder { return rowkey.New("pad").Uint("n", 1).String("s", frame()) }, "pad at the end", width, pad, left)
	switch {
	case len(text) > width:
		l.refuses(function+" too long: refused", rowkey.ErrLength, s, text, uint64(1))
		l.refuses(function+" too long: refused", rowkey.ErrLength, last, uint64(1), text)
	case text != "" && (left && text[0] == pad || !left && text[len(text)-1] == pad):
		l.refuses(function+" holds the pad: refused", rowkey.ErrTerminator, s, text, uint64(1))
		l.refuses(function+" holds the pad: refused", rowkey.ErrTerminator, last, uint64(1), text)
	default:
		l.writes(function, append(slices.Clone(want), 1), s, text, uint64(1))
		l.writes(function, append([]byte{1}, want...), last, uint64(1), text)
	}
}

// ---- hbase_bytes.jsonl

func checkHBaseBytes(l *vectorLine) {
	typ := l.text("type")
	function := "Bytes.toBytes(" + typ + ")"
	sizes := map[string]int{"long": 8, "int": 4, "short": 2, "double": 8, "float": 4}
	size := sizes[typ]
	switch typ {
	case "long", "int", "short":
		v, want := l.long("value"), l.bytes("hex")
		l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Int("v", size) }, "int", size), v)
		l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t").Int("v", size, interop.HBase) }, "int of one field", size), v)
		if v >= 0 {
			l.writes(function, want, l.schema(func() *rowkey.Builder { return rowkey.New("t").Uint("v", size) }, "uint", size), uint64(v))
		}

	case "boolean":
		l.writes(function, l.bytes("hex"), l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Bool("v") }, "bool"), l.bool("value"))

	case "double", "float":
		v, err := strconv.ParseFloat(l.text("value"), 8*size)
		if err != nil {
			l.failf("value: %v", err)
			return
		}
		want := l.bytes("hex")
		s := l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Float("v", size) }, "float", size)
		switch {
		case s == nil:
		case math.IsNaN(v):
			l.refuses(function+" NaN: refused", rowkey.ErrRange, s, v)
			l.malformed(function+" NaN: refused", s, want)
		default:
			l.writes(function, want, s, v)
			if size == 4 {
				key, err := s.AppendKey(nil, float32(v))
				if err != nil || !bytes.Equal(key, want) {
					l.failf("%s: the float32 is written as %x, %v", function, key, err)
				}
			}
		}

	case "BigDecimal":
		l.skip(function, "a scale and digits, which do not sort: no kind writes them", "value", "hex")

	case "String":
		v := l.java("value", "utf16")
		want := l.bytes("hex")
		if !v.valid() {
			l.skip(function, "a lone surrogate is no UTF-8; Java writes '?' in its place")
			return
		}
		l.writes(function, tag(want), l.schema(func() *rowkey.Builder { return rowkey.New("t", interop.HBase).Literal("#").String("v") }, "string"), v.utf8())
		l.writes(function, tag(want), l.schema(func() *rowkey.Builder { return tagged().Binary("v") }, "binary"), want)

	case "compareTo":
		a, b, sign := l.bytes("a"), l.bytes("b"), l.int("sign")
		s := l.schema(func() *rowkey.Builder { return tagged().Binary("v") }, "binary")
		_, ka, ok := l.row("Bytes.compareTo", s, a)
		_, kb, ok2 := l.row("Bytes.compareTo", s, b)
		if !ok || !ok2 {
			return
		}
		if s.Order("v") != rowkey.Forward {
			l.failf("the order of bytes is %v", s.Order("v"))
		}
		if got := bytes.Compare(ka, kb); got != sign {
			l.failf("keys %x and %x have the sign %d, want the sign %d", ka, kb, got, sign)
		}
		r, err := rowkey.NewRange(ka, kb)
		switch {
		case sign > 0 && !errors.Is(err, rowkey.ErrInverted):
			l.failf("the range from %x to %x gives %v, want the error %v for the sign %d", ka, kb, err, rowkey.ErrInverted, sign)
		case sign <= 0 && err != nil:
			l.failf("the range from %x to %x gives %v for the sign %d", ka, kb, err, sign)
		case sign == 0 && !r.Empty():
			l.failf("the range %v is not empty for the sign %d", r, sign)
		case sign < 0 && (r.Empty() || !r.Contains(ka) || r.Contains(kb)):
			l.failf("the range %v does not hold %x alone of it and %x, for the sign %d", r, ka, kb, sign)
		}

	default:
		l.failf("unknown type %q", typ)
	}
}

// malformed checks that bytes which a schema never writes are no key of it.
func (l *vectorLine) malformed(function string, s *rowkey.Schema, key []byte) {
	l.declined(function)
	if _, err := s.Decode(key); !errors.Is(err, rowkey.ErrMalformed) {
		l.failf("%s: Decode(%x) gives %v, want the error %v", function, key, err, rowkey.ErrMalformed)
	}
}

// ---- hbase_prefix_stop.jsonl

func checkPrefixStop(l *vectorLine) {
	switch op := l.text("op"); op {
	case "calculateTheClosestNextRowKeyForPrefix":
		l.prefix(op, l.bytes("prefix"), l.bytes("stop"))

	case "Scan.setStartStopRowForPrefixScan":
		prefix, start, stop := l.bytes("prefix"), l.bytes("start"), l.bytes("stop")
		l.prefix(op, prefix, stop)
		r := rowkey.PrefixRange(prefix)
		if !bytes.Equal(r.Start(), start) {
			l.failf("%s: prefix %x starts at %x, want %x", op, prefix, r.Start(), start)
		}
		if inclusive := l.bool("start_inclusive"); r.Contains(start) != inclusive {
			l.failf("%s: the range of %x has a start that is inclusive: %v, want %v", op, prefix, !inclusive, inclusive)
		}
		if inclusive := l.bool("stop_inclusive"); len(stop) > 0 && r.Contains(stop) != inclusive {
			l.failf("%s: the range of %x has a stop that is inclusive: %v, want %v", op, prefix, !inclusive, inclusive)
		}

	case "Bytes.split":
		l.skip(op, "it divides the way between two given keys, Splits the forms that a layout can lead with", "a", "b", "num", "out")

	default:
		l.failf("unknown operation %q", op)
	}
}

// prefix checks the end of a prefix; none is written as the empty stop.
func (l *vectorLine) prefix(function string, prefix, stop []byte) {
	l.checked(function)
	check := func(what string, r rowkey.Range, prefix, stop []byte) {
		if !bytes.Equal(r.Start(), prefix) || !bytes.Equal(r.Stop(), stop) || r.Unbounded() != (len(stop) == 0) || r.Empty() {
			l.failf("%s: %s of %x is [%x, %x), unbounded %v, empty %v; want the stop %x", function, what, prefix, r.Start(), r.Stop(), r.Unbounded(), r.Empty(), stop)
		}
		if !r.Contains(append(slices.Clone(prefix), 0xff, 0xff)) {
			l.failf("%s: %s of %x lacks a row of it", function, what, prefix)
		}
	}
	check("PrefixRange", rowkey.PrefixRange(prefix), prefix, stop)
	if len(prefix) == 0 {
		return
	}
	// The same as the beginning of a value.
	s := l.schema(func() *rowkey.Builder { return rowkey.New("p").Binary("v") }, "prefix")
	r, err := s.Key().Prefix(string(prefix)).Range()
	if err != nil {
		l.failf("%s: Prefix(%x): %v", function, prefix, err)
		return
	}
	check("Prefix", r, prefix, stop)
}

// ---- hbase_string_binary.jsonl

func checkStringBinary(l *vectorLine) {
	switch op := l.text("op"); op {
	case "toStringBinary":
		b, back, text := l.bytes("hex"), l.bytes("back"), l.text("text")
		l.checked(op)
		if got, err := parseShell(text); err != nil || !bytes.Equal(got, b) {
			l.failf("ParseShell(%s) = %x, %v; want %x", text, got, err, b)
		}
		if got := shell.Text(b); got != text {
			l.failf("Text(%x) = %s, want %s", b, got, text)
		}
		// Quoted may escape more, so the text differs and the bytes do not.
		if got, err := parseShell(shell.Quoted(b)); err != nil || !bytes.Equal(got, back) {
			l.failf("ParseShell(%s) = %x, %v; want %x", shell.Quoted(b), got, err, back)
		}

	case "toBytesBinary":
		in := l.java("text", "")
		if !in.valid() {
			l.skip(op, "a lone surrogate is no UTF-8")
			return
		}
		text := in.utf8()
		got, err := parseShell(text)
		if l.has("error") {
			l.checked(op + ", refused by both") // which is to agree
			if l.text("error"); err == nil {
				l.failf("ParseShell(%s) = %x, want an error", text, got)
			}
			return
		}
		want := l.bytes("hex")
		if !in.ascii() || strings.Contains(wholeEscapes(text), `\`) {
			// HBase keeps the low byte of a character, and takes what is no
			// escape as it stands. Nothing writes such text; read as anything
			// it would be a guess.
			l.declined(op + ", what toStringBinary never writes: refused")
			if err == nil {
				l.failf("ParseShell(%s) = %x, want an error (HBase: %x)", text, got, want)
			}
			return
		}
		l.checked(op)
		if err != nil || !bytes.Equal(got, want) {
			l.failf("ParseShell(%s) = %x, %v; want %x", text, got, err, want)
		}

	default:
		l.failf("unknown operation %q", op)
	}
}

// parseShell reads the text of a key in hbase shell.
func parseShell(text string) ([]byte, error) {
	key, at, expected := shell.Parse(text)
	if expected != "" {
		return nil, fmt.Errorf("byte %d: %s", at, expected)
	}
	return key, nil
}

// wholeEscapes is the text without its well-formed escapes.
func wholeEscapes(s string) string {
	const digits = "0123456789ABCDEF"
	var rest strings.Builder
	for i := 0; i < len(s); i++ {
		if i+3 < len(s) && s[i:i+2] == `\x` && strings.Contains(digits, s[i+2:i+3]) && strings.Contains(digits, s[i+3:i+4]) {
			i += 3
			continue
		}
		rest.WriteByte(s[i])
	}
	return rest.String()
}

// ---- hbase_region_splits.jsonl

func checkRegionSplits(l *vectorLine) {
	algorithm, n := l.text("algorithm"), l.int("n")
	function := "RegionSplitter." + algorithm
	var lead func(width int) *rowkey.Builder // a layout that leads with every form of this width alike
	var number func([]byte) *big.Int         // what such a form stands for
	var least, most string
	width := 8
	size := new(big.Int)
	switch algorithm {
	case "HexStringSplit":
		least, most = "0", "f"
		number = func(b []byte) *big.Int { n, _ := new(big.Int).SetString(string(b), 16); return n }
	case "DecimalStringSplit":
		least, most = "0", "9"
		number = func(b []byte) *big.Int { n, _ := new(big.Int).SetString(string(b), 10); return n }
	case "UniformSplit":
		least, most = "\x00", "\xff"
		number = func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
	default:
		l.failf("unknown algorithm %q", algorithm)
		return
	}
	if l.has("error") {
		l.skip(function, "it refuses one region; Splits gives no keys for it", "error")
		return
	}
	if l.has("first") || l.has("last") {
		first, err1 := parseShell(l.text("first"))
		last, err2 := parseShell(l.text("last"))
		if err1 != nil || err2 != nil {
			l.failf("%v, %v", err1, err2)
			return
		}
		width = len(first)
		if string(first) != strings.Repeat(least, width) || string(last) != strings.Repeat(most, width) {
			l.skip(function, "it divides the way between two given keys, Splits the forms that a layout can lead with", "count", "splits", "splits_at", "sha256_of_all_concatenated")
			return
		}
	}
	switch algorithm {
	case "HexStringSplit":
		lead = func(width int) *rowkey.Builder {
			return rowkey.New("hex").Hash(rowkey.SHA256.Hex(width), "id").String("id")
		}
		size.Exp(big.NewInt(16), big.NewInt(int64(width)), nil)
	case "DecimalStringSplit":
		size.Exp(big.NewInt(10), big.NewInt(int64(width)), nil)
		if !size.IsUint64() {
			l.skip(function, "the numbers of a field have 64 bits", "count", "splits", "splits_at", "sha256_of_all_concatenated")
			return
		}
		lead = func(width int) *rowkey.Builder {
			return rowkey.New("decimal").Uint("id", 8, rowkey.Digits(width), rowkey.Below(size.Uint64()))
		}
	case "UniformSplit":
		lead = func(width int) *rowkey.Builder {
			return rowkey.New("raw").Hash(rowkey.SHA256.Raw(width), "id").String("id")
		}
		size.Exp(big.NewInt(256), big.NewInt(int64(width)), nil)
	}
	s := l.schema(func() *rowkey.Builder { return lead(width) }, algorithm, width)
	if s == nil {
		return
	}
	if n < 1 {
		l.failf("%d regions", n)
		return
	}
	got, err := s.Splits(n)
	if err != nil {
		l.failf("%s: Splits(%d): %v", s, n, err)
		return
	}
	if count := l.int("count"); len(got) != count || count != n-1 {
		l.failf("%s: Splits(%d) gives %d keys, want %d", s, n, len(got), count)
		return
	}
	want := map[int][]byte{}
	if l.has("splits") {
		var all []string
		l.get("splits", &all)
		for i, w := range all {
			want[i] = l.unhex("splits", w)
		}
		if len(all) != len(got) {
			l.failf("%d splits, the count says %d", len(all), len(got))
		}
	} else {
		var some map[string]string
		l.get("splits_at", &some)
		for at, w := range some {
			i, err := strconv.Atoi(at)
			if err != nil {
				l.failf("splits_at: %v", err)
			}
			want[i] = l.unhex("splits_at", w)
		}
	}
	// HBase cuts at i·⌊N/n⌋ and leaves the rest, r = N mod n, to the last region;
	// Splits cuts at ⌈i·N/n⌉, which is ⌈i·r/n⌉ further on.
	r := new(big.Int).Mod(size, big.NewInt(int64(n)))
	same := r.Sign() == 0
	for i, w := range want {
		if i < 0 || i >= len(got) {
			l.failf("no split %d", i)
			continue
		}
		apart := new(big.Int).Mul(r, big.NewInt(int64(i+1)))
		apart.Add(apart, big.NewInt(int64(n-1))).Div(apart, big.NewInt(int64(n)))
		at := number(w)
		if at == nil {
			l.failf("split %d is no number: %x", i, w)
			continue
		}
		if at.Add(at, apart); number(got[i]) == nil || number(got[i]).Cmp(at) != 0 || len(got[i]) != len(w) {
			l.failf("%s: Splits(%d)[%d] = %x, want %x and %v further on", s, n, i, got[i], w, apart)
		}
	}
	if !same {
		l.read["sha256_of_all_concatenated"] = true
		l.declined(function + ", n does not divide the N forms: HBase cuts at i·⌊N/n⌋, Splits at ⌈i·N/n⌉")
		return
	}
	l.checked(function)
	if l.has("sha256_of_all_concatenated") {
		sum := sha256.Sum256(bytes.Join(got, nil))
		if w := l.text("sha256_of_all_concatenated"); hex.EncodeToString(sum[:]) != w {
			l.failf("%s: Splits(%d) have the sum %x, want %s", s, n, sum, w)
		}
	}
}
