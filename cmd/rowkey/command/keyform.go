package command

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

// The forms of a key as text.
const (
	formAuto    = "auto"
	formHex     = "hex"
	formText    = "text"    // hbase shell's: printable ASCII and \xHH
	formEscaped = "escaped" // as Go, Python and C write bytes
	formURL     = "url"     // %HH
	formBase64  = "base64"
	formJava    = "java" // Arrays.toString of a byte[]
	formCell    = "cell" // Cell.toString, whose row it is
	formRegion  = "region"
	formScan    = "scan"   // the output of hbase shell's scan
	formResult  = "result" // Result.toString, whose row it is
	formError   = "error"  // the text of an exception that names a row
	formRaw     = "raw"    // the bytes themselves
	formLen     = "len"    // the bytes behind their length
)

var keyForms = []string{formAuto, formHex, formText, formEscaped, formURL, formBase64, formJava, formCell, formRegion, formScan, formResult, formError, formRaw, formLen}

const keyFormHelp = `Keys come as logs hold them; --in says in which form:

  hex      2a752d, 0x2a752d, 2a 75 2d, 2a:75:2d
  text     as hbase shell writes them: \x0Cs-42
  escaped  as Go, Python and C write bytes: \x0cs-42, b'\x0cs\n'
  url      %0Cs-42
  base64   either alphabet
  java     Arrays.toString: [12, -3], and what Go prints: [12 253]
  cell     a Cell: row/f:q/1684203630000/Put/vlen=3/seqid=0
  region   a region's name: t,row,1684203630000.0123456789abcdef0123456789abcdef.
  scan     the output of hbase shell's scan, each row once
  result   a Result: keyvalues={row/f:q/1684203630000/Put/vlen=3/seqid=0, …}
  error    an exception of HBase that names a row: … row 'row' on table 't' …, … row='row' …
  raw      the bytes themselves, up to the end of the line, or with --null up to a 00
  len      the bytes themselves behind their length, 4 bytes big-endian
  auto     the one of these, but raw and len, in which it is a key of the schema

Quotes around a key are no part of it. What is an even number of hexadecimal digits is
hexadecimal, where the schema does not decide. A stream is read in one form, that of most of
its first 100 lines. An argument that is the name of a file is that file; gzip and zstd are
unpacked.`

// takesKeys gives a subcommand the flag of the keys' form.
func takesKeys(c *cobra.Command, form *string) {
	c.Flags().StringVar(form, "in", formAuto, "`form` of the keys: "+strings.Join(keyForms, ", "))
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(keyForms, cobra.ShellCompDirectiveNoFileComp))
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if *form == "shell" {
			*form = formText
		}
		if !slices.Contains(keyForms, *form) {
			return fmt.Errorf("--in %s: expected %s%s", *form, oneOf(keyForms), perhaps(*form, keyForms))
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// isHex reports that text looks like hexadecimal: an even number of digits,
// perhaps with 0x in front.
func isHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return s != "" && len(s)%2 == 0 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// reading is a key as one form reads it.
type reading struct {
	form string
	key  []byte
}

var (
	spacedHex  = regexp.MustCompile(`^(?:0x)?[0-9a-fA-F]{2}(?:[ :-](?:0x)?[0-9a-fA-F]{2})+$`)
	escapes    = regexp.MustCompile(`\\(?:x[0-9a-fA-F]{2}|[0abtnvfr\\'"])`)
	percents   = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	javaBytes  = regexp.MustCompile(`^(?:new byte *\[\] *)?[\[{] *(?:\(byte\) *)?(?:-?\d+|0x[0-9a-fA-F]{1,2})(?:(?: *, *| +)(?:\(byte\) *)?(?:-?\d+|0x[0-9a-fA-F]{1,2}))* *[\]}]$`)
	cellText   = regexp.MustCompile(`^(.*)/[^/:]*:.*/(?:\d+|LATEST_TIMESTAMP|OLDEST_TIMESTAMP|-?\d+)/(?:Put|Delete|DeleteColumn|DeleteFamily|DeleteFamilyVersion|Minimum|Maximum)(?:/vlen=\d+)?(?:/seqid=\d+|/mvcc=\d+)?$`)
	resultText = regexp.MustCompile(`^keyvalues=\{(.+?)/[^/:]*:.*?/(?:\d+|LATEST_TIMESTAMP)/(?:Put|Delete|DeleteColumn|DeleteFamily|DeleteFamilyVersion|Minimum|Maximum)(?:/|,|\}|$)`)
	errorText  = regexp.MustCompile(`\brow '(.+?)' on table '|\brow='(.+?)'|\b(?:Region |region=|region )[^,\s'=]+,(.+?),\d+\.[0-9a-f]{32}\.`)
	regionName = regexp.MustCompile(`^[^,]+,(.*),\d+(?:_[0-9A-Fa-f]{4})?(?:\.[0-9a-f]{32}\.?)?$`)
	base64Text = regexp.MustCompile(`^[A-Za-z0-9+/_-]{2,}={0,2}$`)
)

// unquoted is a text without the quotes around it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	t := strings.TrimSuffix(s, ",")
	if len(t) >= 3 && strings.ContainsRune("bBxX", rune(t[0])) && (t[1] == '\'' || t[1] == '"') { // Python's b'…', SQL's X'…'
		t = t[1:]
	}
	if len(t) >= 2 && (t[0] == '\'' || t[0] == '"' || t[0] == '`') && t[len(t)-1] == t[0] {
		return t[1 : len(t)-1]
	}
	return s
}

// unquotedLine is unquoted for a line of a stream, few of which have quotes.
func unquotedLine(line []byte) []byte {
	switch line[len(line)-1] {
	case '\'', '"', '`', ',':
		return []byte(unquoted(string(line)))
	}
	return line
}

// readings are the keys that a text may be, those of the most particular form
// first, each key once.
func readings(text string) (out []reading) {
	add := func(form, s string) {
		key, err := parseKey(s, form)
		if err == nil && len(key) > 0 && !slices.ContainsFunc(out, func(r reading) bool { return bytes.Equal(r.key, key) }) {
			out = append(out, reading{form, key})
		}
	}
	for _, s := range slices.Compact([]string{unquoted(text), text}) {
		if _, ok := pastedScanRow(s); ok {
			add(formScan, s)
		}
		switch {
		case resultText.MatchString(s):
			add(formResult, s)
		case errorText.MatchString(s):
			add(formError, s)
		case cellText.MatchString(s):
			add(formCell, s)
		case regionName.MatchString(s):
			add(formRegion, s)
		case javaBytes.MatchString(s):
			add(formJava, s)
		}
		if isHex(hexDigitsOf(s)) || spacedHex.MatchString(s) {
			add(formHex, s)
		}
		if percents.MatchString(s) {
			add(formURL, s)
		}
		add(formText, s)
		if escapes.MatchString(s) {
			add(formEscaped, s)
		}
		if base64Text.MatchString(s) {
			add(formBase64, s)
		}
	}
	return out
}

// guessForm is the form of keys that come alike: the one in which most of them
// are keys of the schema; else the one that most look like.
func guessForm(keys []string, fits func(key []byte) bool) string {
	type votes struct{ fit, first, met int }
	count := map[string]*votes{}
	for _, k := range keys {
		for i, r := range readings(k) {
			v := count[r.form]
			if v == nil {
				v = &votes{}
				count[r.form] = v
			}
			v.met++
			if i == 0 {
				v.first++
			}
			if fits(r.key) {
				v.fit++
			}
		}
	}
	best := formText
	for _, f := range keyForms { // so that equal ones have one order
		v, b := count[f], count[best]
		switch {
		case v == nil || f == best:
		case b == nil || v.fit > b.fit || v.fit == b.fit && v.first > b.first:
			best = f
		}
	}
	return best
}

// fitsAny reports that a key decodes under one of some schemas.
func fitsAny(schemas ...*rowkey.Schema) func(key []byte) bool {
	return func(key []byte) bool {
		for _, s := range schemas {
			if _, err := s.Decode(key); err == nil || errors.Is(err, rowkey.ErrAmbiguous) {
				return true
			}
		}
		return false
	}
}

// appendKey appends the bytes of a key in one form: parseKey without memory of
// its own for the forms that dumps have.
func appendKey(dst, text []byte, form string) ([]byte, error) {
	switch form {
	case formHex:
		t := bytes.TrimSpace(text)
		if len(t) > 1 && t[0] == '0' && t[1] == 'x' {
			t = t[2:]
		}
		if out, ok := appendHex(dst, t); ok {
			return out, nil
		}
	case formText:
		if out, ok := appendShell(dst, text); ok {
			return out, nil
		}
	case formRaw, formLen:
		return append(dst, text...), nil
	}
	key, err := parseKey(string(text), form)
	return append(dst, key...), err
}

// hexDigits has the value of a digit plus one, 0 for what is none.
var hexDigits = func() (t [256]byte) {
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i + 1)
	}
	for i, c := range "ABCDEF" {
		t[c] = byte(i + 11)
	}
	return t
}()

func appendHex(dst, text []byte) ([]byte, bool) {
	if len(text)%2 != 0 {
		return dst, false
	}
	out := dst
	for i := 0; i+1 < len(text); i += 2 {
		hi, lo := hexDigits[text[i]], hexDigits[text[i+1]]
		if hi == 0 || lo == 0 {
			return dst, false
		}
		out = append(out, (hi-1)<<4|(lo-1))
	}
	return out, true
}

// appendShell is shell.Parse into memory at hand.
func appendShell(dst, text []byte) ([]byte, bool) {
	out := dst
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			if i+3 >= len(text) || text[i+1] != 'x' || text[i+2] >= 'a' || text[i+3] >= 'a' {
				return dst, false
			}
			hi, lo := hexDigits[text[i+2]], hexDigits[text[i+3]]
			if hi == 0 || lo == 0 {
				return dst, false
			}
			c = (hi-1)<<4 | (lo - 1)
			i += 3
		} else if c < 0x20 || c > 0x7e {
			return dst, false
		}
		out = append(out, c)
	}
	return out, true
}

// hexDigitsOf is hexadecimal without what stands behind it in a list.
func hexDigitsOf(s string) string { return strings.TrimRight(strings.TrimSpace(s), ",;") }

// parseKey is the bytes of a key in one form, with quotes around it or without.
func parseKey(s, form string) ([]byte, error) {
	key, err := parseBare(s, form)
	if t := unquoted(s); err != nil && t != s {
		if key, again := parseBare(t, form); again == nil {
			return key, nil
		}
	}
	return key, err
}

// hexOf is a key in hexadecimal without what stands around the digits: 0x, and between bytes.
func hexOf(s string) string {
	if spacedHex.MatchString(strings.TrimSpace(s)) {
		return strings.NewReplacer(" ", "", ":", "", "-", "", "0x", "").Replace(s)
	}
	return strings.TrimPrefix(hexDigitsOf(s), "0x")
}

// parseBare is the bytes of a key in one form.
func parseBare(s, form string) ([]byte, error) {
	fail := func(what string) error { return told{"expected " + what, ", not " + shown(s)} }
	switch form {
	case formHex:
		b, err := hex.DecodeString(hexOf(s))
		if err != nil {
			e := fail("a key in hexadecimal").(told)
			return nil, told{e.cause, e.detail + " (--in text?)"}
		}
		return b, nil
	case formBase64:
		plain := strings.TrimRight(strings.TrimSpace(s), "=")
		enc := base64.RawStdEncoding
		if strings.ContainsAny(s, "-_") {
			enc = base64.RawURLEncoding
		}
		b, err := enc.Strict().DecodeString(plain)
		if err != nil {
			return nil, fail("a key in base64")
		}
		return b, nil
	case formRaw, formLen:
		return []byte(s), nil
	case formURL:
		b, ok := unpercent(unquoted(s))
		if !ok {
			return nil, fail("a key with %HH in it")
		}
		return b, nil
	case formEscaped:
		b, ok := unescape(unquoted(s))
		if !ok {
			return nil, fail(`a key as Go or Python write it, with \xHH`)
		}
		return b, nil
	case formJava:
		b, ok := ofJava(unquoted(s))
		if !ok {
			return nil, fail("a byte[] as [12, -3]")
		}
		return b, nil
	case formCell:
		m := cellText.FindStringSubmatch(unquoted(s))
		if m == nil {
			return nil, fail("a Cell as row/f:q/1684203630000/Put/vlen=3/seqid=0")
		}
		return parseKey(m[1], formText)
	case formResult:
		m := resultText.FindStringSubmatch(unquoted(s))
		if m == nil {
			return nil, fail("a Result as keyvalues={row/f:q/1684203630000/Put/vlen=3/seqid=0}")
		}
		return parseKey(m[1], formText)
	case formError:
		m := errorText.FindStringSubmatch(s)
		if m == nil {
			return nil, fail("an exception that names a row, as row 'x' on table 't'")
		}
		return parseKey(m[1]+m[2]+m[3], formText)
	case formScan:
		row, ok := pastedScanRow(s)
		if !ok {
			return nil, fail("a line of hbase shell's scan")
		}
		return parseKey(row, formText)
	case formRegion:
		m := regionName.FindStringSubmatch(unquoted(s))
		if m == nil {
			return nil, fail("a region's name as t,row,1684203630000.0123456789abcdef0123456789abcdef.")
		}
		return parseKey(m[1], formText)
	}
	b, _, expected := shell.Parse(s)
	if expected != "" {
		return nil, textError(s)
	}
	return b, nil
}

// textError is what is wrong with a key as hbase shell writes it.
func textError(s string) error {
	_, at, expected := shell.Parse(s)
	raw := ""
	if at < len(s) && s[at] >= utf8.RuneSelf {
		raw = "; --in raw takes the bytes as they stand"
	}
	return told{"expected a key as hbase shell writes it", fmt.Sprintf(", not %s: at %d, %s%s", shown(s), at+1, expected, raw)}
}

// unpercent reads percent-encoding; a + is itself.
func unpercent(s string) (out []byte, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) {
			return nil, false
		}
		var good bool
		if out, good = appendHex(out, []byte(s[i+1:i+3])); !good {
			return nil, false
		}
		i += 2
	}
	return out, true
}

// unescape reads the escapes of Go, Python and C.
func unescape(s string) (out []byte, ok bool) {
	const letters, means = "0abtnvfr\\'\"", "\x00\a\b\t\n\v\f\r\\'\""
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		if i++; i == len(s) {
			return nil, false
		}
		if s[i] == 'x' && i+2 < len(s) {
			var good bool
			if out, good = appendHex(out, []byte(s[i+1:i+3])); !good {
				return nil, false
			}
			i += 2
			continue
		}
		at := strings.IndexByte(letters, s[i])
		if at < 0 {
			return nil, false
		}
		out = append(out, means[at])
	}
	return out, true
}

// ofJava reads signed bytes with commas or spaces between.
func ofJava(s string) (out []byte, ok bool) {
	if !javaBytes.MatchString(s) {
		return nil, false
	}
	s = s[strings.LastIndexAny(s, "[{")+1 : len(s)-1]
	for _, item := range strings.Fields(strings.NewReplacer(",", " ", "(byte)", " ").Replace(s)) {
		n, err := strconv.ParseInt(item, 0, 16)
		if err != nil || n < -128 || n > 255 {
			return nil, false
		}
		out = append(out, byte(n))
	}
	return out, true
}

// scanRow is the row of a line of hbase shell's scan, which prints one cell a
// line, its row behind one space, if its output is no terminal.
func scanRow(line []byte) (row []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(" "))
	if !ok {
		return nil, false
	}
	row, _, ok = bytes.Cut(rest, []byte(" column="))
	row = bytes.TrimRight(row, " ")
	return row, ok && len(row) > 0
}

// pastedScanRow is the row of such a line as it was pasted: without the space
// in front, perhaps.
func pastedScanRow(line string) (row string, ok bool) {
	r, ok := scanRow([]byte(" " + strings.TrimLeft(line, " ")))
	return string(r), ok
}

// lastScanRow is the row of the last line that has one.
func lastScanRow(data []byte) (row []byte, ok bool) {
	for len(data) > 0 {
		data = bytes.TrimSuffix(data, []byte("\n"))
		at := bytes.LastIndexByte(data, '\n') + 1
		if row, ok := scanRow(bytes.TrimSuffix(data[at:], []byte("\r"))); ok {
			return row, true
		}
		data = data[:at]
	}
	return nil, false
}

// shown is input in a message, cut short.
func shown(s string) string {
	const most = 40
	more := ""
	if len(s) > most {
		end := most
		for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s, more = s[:end], "…"
	}
	printable := utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0
	switch {
	case printable && !strings.Contains(s, `"`):
		return `"` + s + `"` + more
	case printable && !strings.Contains(s, "'"):
		return "'" + s + "'" + more
	}
	return strconv.Quote(s) + more
}

// keyOutputs are the forms of keys that are written.
var keyOutputs = []string{"hex", "shell", "base64", "url", "java", "python", "go", "raw", "len", "json"}

// plainURL are the bytes that a key in a URL has as they are.
var plainURL = func() (set [256]bool) {
	for c := range set {
		set[c] = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("-._~", byte(c)) >= 0
	}
	return set
}()

// appendURL appends a key with percent-encoding.
func appendURL(dst, key []byte) []byte {
	const upper = "0123456789ABCDEF"
	for _, c := range key {
		if plainURL[c] {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', upper[c>>4], upper[c&15])
		}
	}
	return dst
}

// appendForm appends a key as -o says.
func appendForm(dst, key []byte, form string) []byte {
	switch form {
	case "shell":
		return shell.Append(dst, key, true)
	case "url":
		return appendURL(dst, key)
	case "go":
		return append(appendQuoted(append(dst, "[]byte("...), key, '"'), ')')
	case "python":
		return appendQuoted(append(dst, 'b'), key, '\'')
	case "base64":
		return base64.StdEncoding.AppendEncode(dst, key)
	case "java":
		dst = append(dst, "new byte[] {"...)
		for i, c := range key {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = strconv.AppendInt(dst, int64(int8(c)), 10)
		}
		return append(dst, '}')
	case "raw", "len":
		return append(dst, key...)
	}
	return hex.AppendEncode(dst, key)
}

// keyText is a key as -o says.
func keyText(key []byte, form string) string { return string(appendForm(nil, key, form)) }

// appendQuoted is bytes as a string of Go or Python, each byte by itself:
// strconv would write a rune where some happen to be one.
func appendQuoted(b, key []byte, mark byte) []byte {
	b = append(b, mark)
	for _, c := range key {
		switch {
		case c == mark || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20 && c <= 0x7e:
			b = append(b, c)
		default:
			b = fmt.Appendf(b, `\x%02x`, c)
		}
	}
	return append(b, mark)
}

// appendRecord appends a key as a record of the output; as raw bytes it must not
// hold what ends it.
func appendRecord(dst, key []byte, form string, end byte) ([]byte, error) {
	switch form {
	case "json":
		dst = append(appendForm(append(dst, `{"key":"`...), key, "hex"), `"}`...)
	case "len":
		dst = append(dst, byte(len(key)>>24), byte(len(key)>>16), byte(len(key)>>8), byte(len(key)))
		return append(dst, key...), nil
	case "raw":
		if bytes.IndexByte(key, end) >= 0 {
			return dst, fmt.Errorf("the key holds a byte %02x, which would end it: -o len keeps it", end)
		}
		dst = append(dst, key...)
	default:
		dst = appendForm(dst, key, form)
	}
	return append(dst, end), nil
}

// jsonText is a value as JSON, on one line.
func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of strings, numbers and bools that this command made
	}
	return strings.TrimSuffix(b.String(), "\n")
}
