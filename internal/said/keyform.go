package said

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// The forms of a key as text.
const (
	FormAuto    = "auto"
	FormHex     = "hex"
	FormText    = "text"    // hbase shell's: printable ASCII and \xHH
	FormEscaped = "escaped" // as Go, Python and C write bytes
	FormURL     = "url"     // %HH
	FormBase64  = "base64"
	FormJava    = "java" // Arrays.toString of a byte[]
	FormCell    = "cell" // Cell.toString, whose row it is
	FormRegion  = "region"
	FormScan    = "scan"   // the output of hbase shell's scan
	FormResult  = "result" // Result.toString, whose row it is
	FormError   = "error"  // the text of an exception that names a row
	FormRaw     = "raw"    // the bytes themselves
	FormLen     = "len"    // the bytes after their length
)

var KeyForms = []string{FormAuto, FormHex, FormText, FormEscaped, FormURL, FormBase64, FormJava, FormCell, FormRegion, FormScan, FormResult, FormError, FormRaw, FormLen}

// IsHex reports that text looks like hexadecimal: an even number of digits,
// perhaps with 0x in front.
func IsHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return s != "" && len(s)%2 == 0 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// Reading is a key as one form reads it.
type Reading struct {
	Form string
	Key  []byte
}

var (
	spacedHex  = pattern.New(`^(?:0x)?[0-9a-fA-F]{2}(?:[ :-](?:0x)?[0-9a-fA-F]{2})+$`)
	escapes    = pattern.New(`\\(?:x[0-9a-fA-F]{2}|[0abtnvfr\\'"])`)
	percents   = pattern.New(`%[0-9a-fA-F]{2}`)
	javaBytes  = pattern.New(`^(?:new byte *\[\] *)?[\[{] *(?:\(byte\) *)?(?:-?\d+|0x[0-9a-fA-F]{1,2})(?:(?: *, *| +)(?:\(byte\) *)?(?:-?\d+|0x[0-9a-fA-F]{1,2}))* *[\]}]$`)
	cellText   = pattern.New(`^(.*)/[^/:]*:.*/(?:\d+|LATEST_TIMESTAMP|OLDEST_TIMESTAMP|-?\d+)/(?:Put|Delete|DeleteColumn|DeleteFamily|DeleteFamilyVersion|Minimum|Maximum)(?:/vlen=\d+)?(?:/seqid=\d+|/mvcc=\d+)?$`)
	resultText = pattern.New(`^keyvalues=\{(.+?)/[^/:]*:.*?/(?:\d+|LATEST_TIMESTAMP)/(?:Put|Delete|DeleteColumn|DeleteFamily|DeleteFamilyVersion|Minimum|Maximum)(?:/|,|\}|$)`)
	errorText  = pattern.New(`\brow '(.+?)' on table '|\brow='(.+?)'|(?:\b(?:Region |region=|region )|Exception: )[^,\s'=]+,(.+?),\d+\.[0-9a-f]{32}\.`)
	regionName = pattern.New(`^[^,]+,(.*),\d+(?:_[0-9A-Fa-f]{4})?(?:\.[0-9a-f]{32}\.?)?$`)
	base64Text = pattern.New(`^[A-Za-z0-9+/_-]{2,}={0,2}$`)
)

// Lines of a log, as Java writes them.
var (
	logFrame = pattern.New(`^at [\w.$<>/@]+\(.*\)$`)
	logError = pattern.New(`(?:^|[\s.$(\[:])[A-Z]\w*(?:Exception|Error): `)
	logTime  = pattern.New(`^\[?\d{2,4}[-/]?\d\d[-/]?\d\d[ T]\d\d:\d\d:\d\d\S* .*\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b`)
	logLevel = pattern.New(`^\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?:? +(?:\[|[\w$]+\.[\w$.]+[ :])`)
)

// LogLine is the error of a text that nobody said is a key, and that is a line of a log.
func LogLine(line []byte) error {
	t := bytes.TrimSpace(line)
	if bytes.IndexByte(t, ' ') < 0 { // as in most keys
		return nil
	}
	is := bytes.HasPrefix(t, []byte("Caused by: "))
	switch {
	case is:
	case bytes.HasPrefix(t, []byte("at ")):
		is = logFrame.Match(t)
	case bytes.Contains(t, []byte("Exception: ")) || bytes.Contains(t, []byte("Error: ")):
		is = logError.Match(t)
	case t[0] == '[' || t[0] >= '0' && t[0] <= '9':
		is = logTime.Match(t) || logLevel.Match(t)
	case bytes.IndexByte([]byte("TDIWEF"), t[0]) >= 0:
		is = logLevel.Match(t)
	}
	if !is {
		return nil
	}
	return Told{"this looks like a line of a log, not a key", "; --in text reads it as it stands: " + Shown(string(line))}
}

// Unquoted is a text without the quotes around it.
func Unquoted(s string) string {
	s = strings.TrimSpace(s)
	t := strings.TrimSuffix(s, ",")
	if inner, ok := strings.CutPrefix(t, "[]byte("); ok && strings.HasSuffix(inner, ")") { // Go's
		t = strings.TrimSuffix(inner, ")")
	}
	if len(t) >= 3 && strings.ContainsRune("bBxX", rune(t[0])) && (t[1] == '\'' || t[1] == '"') { // Python's b'…', SQL's X'…'
		t = t[1:]
	}
	if len(t) >= 2 && (t[0] == '\'' || t[0] == '"' || t[0] == '`') && t[len(t)-1] == t[0] {
		return t[1 : len(t)-1]
	}
	return s
}

// goBytes reports that a text is Go's []byte("…").
func goBytes(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "[]byte(") }

// Readings are the keys that a text may be, those of the most particular form
// first, each key once.
func Readings(text string) (out []Reading) {
	for _, r := range readings(text) {
		if !slices.ContainsFunc(out, func(o Reading) bool { return bytes.Equal(o.Key, r.Key) }) {
			out = append(out, r)
		}
	}
	return out
}

// readings are Readings, with a key once for each form that reads it.
func readings(text string) (out []Reading) {
	add := func(form, s string) {
		if key, err := ParseKey(s, form); err == nil && len(key) > 0 {
			out = append(out, Reading{form, key})
		}
	}
	if goBytes(text) { // they are never digits that somebody quoted
		if add(FormEscaped, text); len(out) > 0 {
			return out
		}
	}
	for _, s := range slices.Compact([]string{Unquoted(text), text}) {
		if _, ok := pastedScanRow(s); ok {
			add(FormScan, s)
		}
		switch {
		case resultText.MatchString(s):
			add(FormResult, s)
		case errorText.MatchString(s):
			add(FormError, s)
		case cellText.MatchString(s):
			add(FormCell, s)
		case regionName.MatchString(s):
			add(FormRegion, s)
		case javaBytes.MatchString(s):
			add(FormJava, s)
		}
		if IsHex(hexDigitsOf(s)) || spacedHex.MatchString(s) {
			add(FormHex, s)
		}
		if percents.MatchString(s) {
			add(FormURL, s)
		}
		before := len(out)
		add(FormText, s)
		if escapes.MatchString(s) || len(out) > before && strings.IndexByte(s, '\\') < 0 { // "ab" is the same in both
			add(FormEscaped, text) // which takes off the quotes itself: those of b"'a'" are one pair and two bytes
		}
		if base64Text.MatchString(s) {
			add(FormBase64, s)
		}
	}
	return out
}

// GuessForm is the form of keys that come alike: the one in which most of them
// are keys of the schema; else the one that most look like. A key that two forms read counts for both.
func GuessForm(keys []string, fits func(key []byte) bool) string {
	type votes struct {
		fit, first, met int
		seen, fitted    int // the last key that is counted, from 1 on: with quotes and without it may be two of one form
	}
	count := map[string]*votes{}
	for n, k := range keys {
		for i, r := range readings(k) {
			v := count[r.Form]
			if v == nil {
				v = &votes{}
				count[r.Form] = v
			}
			if v.seen <= n {
				v.met, v.seen = v.met+1, n+1
			}
			if i == 0 {
				v.first++
			}
			if v.fitted <= n && fits(r.Key) {
				v.fit, v.fitted = v.fit+1, n+1
			}
		}
	}
	best := FormText
	for _, f := range KeyForms { // so that equal ones have one order
		v, b := count[f], count[best]
		switch {
		case v == nil || f == best:
		case b == nil || v.fit > b.fit || v.fit == b.fit && v.first > b.first:
			best = f
		}
	}
	text, escaped := count[FormText], count[FormEscaped]
	if best == FormText && text != nil && escaped != nil && escaped.fit == text.fit && escaped.met > text.met { // it reads those of text, and others
		return FormEscaped
	}
	return best
}

// FitsAny reports that a key decodes under one of some schemas.
func FitsAny(schemas ...*rowkey.Schema) func(key []byte) bool {
	return func(key []byte) bool {
		for _, s := range schemas {
			if _, err := s.Decode(key); err == nil || errors.Is(err, rowkey.ErrAmbiguous) {
				return true
			}
		}
		return false
	}
}

// AppendKey appends the bytes of a key in one form: parseKey without memory of
// its own for the forms that dumps have.
func AppendKey(dst, text []byte, form string) ([]byte, error) {
	switch form {
	case FormHex:
		t := bytes.TrimSpace(text)
		if len(t) > 1 && t[0] == '0' && t[1] == 'x' {
			t = t[2:]
		}
		if out, ok := appendHex(dst, t); ok {
			return out, nil
		}
	case FormText:
		if out, ok := appendShell(dst, text); ok {
			return out, nil
		}
	case FormRaw, FormLen:
		return append(dst, text...), nil
	}
	key, err := ParseKey(string(text), form)
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

// hexDigitsOf is hexadecimal without what stands after it in a list.
func hexDigitsOf(s string) string { return strings.TrimRight(strings.TrimSpace(s), ",;") }

// ParseKey is the bytes of a key in one form, with quotes around it or without.
func ParseKey(s, form string) ([]byte, error) {
	key, err := parseBare(s, form)
	if t := Unquoted(s); err != nil && t != s {
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
	fail := func(what string) error { return Told{"expected " + what, ", not " + Shown(s)} }
	switch form {
	case FormHex:
		b, err := hex.DecodeString(hexOf(s))
		if err != nil {
			e := fail("a key in hexadecimal").(Told)
			return nil, Told{e.Cause, e.Detail + " (--in text?)"}
		}
		return b, nil
	case FormBase64:
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
	case FormRaw, FormLen:
		return []byte(s), nil
	case FormURL:
		b, ok := unpercent(Unquoted(s))
		if !ok {
			return nil, fail("a key with %HH in it")
		}
		return b, nil
	case FormEscaped:
		b, ok := unescape(Unquoted(s))
		if !ok {
			return nil, fail(`a key as Go or Python write it, with \xHH`)
		}
		return b, nil
	case FormJava:
		b, ok := ofJava(Unquoted(s))
		if !ok {
			return nil, fail("a byte[] as [12, -3]")
		}
		return b, nil
	case FormCell:
		m := cellText.FindStringSubmatch(Unquoted(s))
		if m == nil {
			return nil, fail("a Cell as row/f:q/1684203630000/Put/vlen=3/seqid=0")
		}
		return ParseKey(m[1], FormText)
	case FormResult:
		m := resultText.FindStringSubmatch(Unquoted(s))
		if m == nil {
			return nil, fail("a Result as keyvalues={row/f:q/1684203630000/Put/vlen=3/seqid=0}")
		}
		return ParseKey(m[1], FormText)
	case FormError:
		m := errorText.FindStringSubmatch(s)
		if m == nil {
			return nil, fail("an exception that names a row, as row 'x' on table 't'")
		}
		return ParseKey(m[1]+m[2]+m[3], FormText)
	case FormScan:
		row, ok := pastedScanRow(s)
		if !ok {
			return nil, fail("a line of hbase shell's scan")
		}
		return ParseKey(row, FormText)
	case FormRegion:
		m := regionName.FindStringSubmatch(Unquoted(s))
		if m == nil {
			return nil, fail("a region's name as t,row,1684203630000.0123456789abcdef0123456789abcdef.")
		}
		return ParseKey(m[1], FormText)
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
	return Told{"expected a key as hbase shell writes it", fmt.Sprintf(", not %s: at %d, %s%s", Shown(s), at+1, expected, raw)}
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

// ScanRow is the row of a line of hbase shell's scan, which prints one cell a
// line, its row after one space, if its output is no terminal.
func ScanRow(line []byte) (row []byte, ok bool) {
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
	r, ok := ScanRow([]byte(" " + strings.TrimLeft(line, " ")))
	return string(r), ok
}
