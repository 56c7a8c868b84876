package command

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever stands on the command line, on stdin and in a rowkey.yaml: no panic,
// an exit code that is one of the three, whole lines on stdout, and on stderr
// lines that are the command's.
func TestHostileInput(t *testing.T) {
	r := seed.Rand(t)
	pieces := []string{
		"seller", "at", "order", "=", ">=", "<", "^=", "$=", "!=", " in ", " is ", "not null", ",", "\"", "'", "{", "}", "[", "]", ":", "\n", "\r\n", "\t", " ", "\x00", "\xff",
		"\\x0C", "\\x", "0c73", "s-42", "_", "7", "-1", "1e9", "2023-05-16", "T02:20:30Z", "ms", "true", "null", "é", "\ufeff", "schemas", "notation", "-", "--", "=-",
		`{"seller":"s","at":"2023-05-16","order":7}`, `{"seller":null,"at":"2023-05-16","order":7.5}`, `{"hex":"00"}`, `"\ud800"`, " column=f:q", "0c732d34325f7ffffe77dda4124f0000000000000007", "md5(", "salt16(",
	}
	word := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	schemas := []string{trades, "[id]", "[id:bytes]", "[a loose]['_'][b]", "[n:4 digits(5)][t:bool][f:f4]", "[slot:1 below(4) bucket][layout(\"20060102\",+08:00)(day)]",
		"phoenix [salt4(rest()) phoenixhash][order numeric optional][seller optional desc][ms(at)]", "orderedbytes [seller optional desc][order:8 numeric optional][at optional]"}
	config := filepath.Join(t.TempDir(), "rowkey.yaml")
	codes := map[int]int{}
	for range 2000 {
		s := schemas[r.IntN(len(schemas))]
		if r.IntN(20) == 0 {
			s = word(6)
		}
		args := [][]string{
			{"explain", "-s", s, "--", word(5)}, {"explain", "-s", s, "-o", "json", "--", word(5)}, {"encode", "-s", s, "--", word(4), word(4)}, {"encode", "-s", s},
			{"encode", "-s", s, "--in", "json"}, {"encode", "-s", s, "--in", "csv", "--skip-extra"}, {"decode", "-s", s}, {"decode", "-s", s, "--loose", "-o", "csv", "--in", "raw"},
			{"decode", "-s", s, "--in", "scan", "-o", "table"}, {"scan", "-s", s, "--full-scan", "--", word(4), word(4)}, {"scan", "-s", s, "-o", "shell", "--limit", "3", "--", word(5)},
			{"check", "-s", s}, {"check", "-s", s, "--in", "raw", "-o", "json"}, {"convert", "--from", s, "-s", schemas[r.IntN(len(schemas))]}, {"draft", "--", word(8), word(2)},
			{"splits", "-s", s, "3", "--sample", "-"}, {"schema", "--config", config},
		}[r.IntN(17)]
		stdin := word(30)
		require.NoError(t, os.WriteFile(config, []byte(stdin), 0o644))
		stdout, stderr, code := call(stdin, args...)
		codes[code]++
		require.Contains(t, []int{exitFine, exitFound, exitMisuse}, code, "%q", args)
		if stdout != "" {
			require.True(t, strings.HasSuffix(stdout, "\n"), "%q %q: %q", args, stdin, stdout)
		}
		if code == exitMisuse {
			require.NotEmpty(t, stderr, "%q", args)
		}
		if stderr != "" {
			require.True(t, strings.HasPrefix(stderr, "rowkey: ") && strings.HasSuffix(stderr, "\n"), "%q %q: %q", args, stdin, stderr)
		}
	}
	t.Log(codes)
	for _, code := range []int{exitFine, exitFound, exitMisuse} {
		assert.Greater(t, codes[code], 50)
	}
}

// No message has a byte that a terminal would obey, whatever a file calls its columns.
func TestMessagesAreVisible(t *testing.T) {
	_, stderr, code := call("\x1b[2Jé\x00\xff,b\n1,2\n", "infer", "--in", "csv")
	assert.Equal(t, exitMisuse, code)
	assert.Equal(t, "rowkey: no column rowkey: --key names the column of the keys, of \\x1B[2Jé\\x00\\xFF, b\n", stderr)
}

// What decode writes, encode reads to the same key, whatever bytes a text holds;
// what CSV would change is refused.
func TestTextsComeBack(t *testing.T) {
	r := seed.Rand(t)
	const schema = "[a escaped][b escaped][c:bytes]"
	alphabet := []string{"a", " ", "\"", "'", ",", "\n", "\r", "\\", "\x00", "\x01", "\xff", "é", "\xc3", "\ufffd", "\u2028", "<", "{", "}", "#", "\t", "\ufeff"}
	text := func() string {
		var b strings.Builder
		for range r.IntN(5) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	refused := 0
	for range 400 {
		a, b, c := text(), text(), text()
		key, err := rowkey.Must(rowkey.Parse("t", schema)).AppendKey(nil, a, b, []byte(c))
		require.NoError(t, err)
		line := hex.EncodeToString(key) + "\n"
		for _, form := range []string{"json", "csv"} {
			rows, stderr, code := call(line, "decode", "-s", schema, "-o", form)
			if form == "csv" && strings.Contains(a+b, "\r") {
				refused++
				assert.Contains(t, stderr, "CSV does not keep a carriage return")
				assert.Equal(t, exitFound, code)
				assert.NotContains(t, rows, "\r")
				continue
			}
			require.Zero(t, code, "%q %q %q: %s", a, b, c, stderr)
			back, stderr, code := call(rows, "encode", "-s", schema)
			require.Zero(t, code, "%q: %s", rows, stderr)
			require.Equal(t, line, back, "%q", rows)
		}
	}
	assert.Positive(t, refused)
}

// What encode and decode write, whatever the form of the key and the end of a record, the other
// reads.
func TestFormsComeBack(t *testing.T) {
	const schema, rows = "[a:bytes]", "{\"a\":\"0a5c\"}\x00{\"a\":\"00ff2722\"}\x00{\"a\":\"41\"}\x00"
	for out, in := range map[string]string{"hex": "hex", "shell": "text", "base64": "base64", "url": "url", "java": "java", "python": "escaped", "go": "escaped", "len": "len"} {
		keys, stderr, code := call(rows, "encode", "-s", schema, "-0", "-o", out)
		require.Zero(t, code, "%s: %s", out, stderr)
		back, stderr, code := call(keys, "decode", "-s", schema, "-0", "--in", in)
		require.Zero(t, code, "%s: %s", out, stderr)
		assert.Equal(t, rows, back, out)
	}
	_, stderr, code := call("{\"a\":\"0a\"}\x00bad\x00", "encode", "-s", schema, "-0")
	assert.Equal(t, exitFound, code)
	assert.Contains(t, stderr, "line 2: ")
}

// Keys of digits look like hexadecimal as long as each has an even number of them: where one has
// not, infer reads them all as text. Where they are none so either, the error names infer's flag.
func TestInferDigits(t *testing.T) {
	var rows strings.Builder
	for _, id := range []string{"1001", "1002", "20", "3344", "100486", "12", "55", "10086", "777", "4040"} {
		rows.WriteString("{\"rowkey\":\"" + id + "\",\"id\":" + id + "}\n")
	}
	out, stderr, _ := call(rows.String(), "infer")
	assert.Empty(t, stderr)
	assert.True(t, strings.HasPrefix(out, "[id"), out)
	out, stderr, _ = call("1001\n1002\n100\n", "infer", "--in", "keys")
	assert.Empty(t, stderr)
	assert.NotEmpty(t, out)
	_, stderr, code := call(rows.String()+"{\"rowkey\":\"zz\",\"id\":1}\n", "infer", "--key-in", "hex")
	assert.Equal(t, exitFound, code)
	assert.Contains(t, stderr, "(--key-in text?)")
	assert.NotContains(t, stderr, "(--in text?)")
}

// Nulls, empty texts and decimals come back as they were, in JSON; CSV refuses
// the empty text that it would make a null.
func TestNullsComeBack(t *testing.T) {
	r := seed.Rand(t)
	schemas := []string{
		"orderedbytes [a optional][b:bytes optional][c numeric optional][d optional desc][e:i8 numeric optional][f:i4]",
		"orderedbytes [f:i4][c numeric optional desc][a optional][e:i8 numeric optional desc][d optional desc][b:bytes optional]",
		"phoenix [salt4(rest()) phoenixhash][f:i4][a optional][c numeric optional desc][d optional desc][e:i8 numeric optional][b:bytes optional]",
	}
	values := map[string]func() any{
		"a": func() any { return []string{"null", "a", "", "é", " ", "<nil>"}[r.IntN(6)] },
		"b": func() any { return []byte(strings.Repeat("\x00\xff", r.IntN(3))) },
		"c": func() any {
			return []string{"0", "-0.001", "12.5", "12345678901234567890.12345678901", "1e-10"}[r.IntN(5)]
		},
		"d": func() any { return []string{"null", "d", ""}[r.IntN(3)] },
		"e": func() any { return r.Int64() - r.Int64() },
		"f": func() any { return int64(int32(r.Uint32())) },
	}
	refused, nulls := 0, 0
	for range 600 {
		schema := schemas[r.IntN(len(schemas))]
		s := rowkey.Must(rowkey.Parse("t", schema))
		var row []any
		empty := false
		for f := range s.Fields() {
			if f.Derived {
				continue
			}
			v := values[f.Name]()
			if f.Optional && r.IntN(3) == 0 {
				v = nil
				nulls++
			}
			b, isBytes := v.([]byte)
			empty = empty || v == "" || isBytes && len(b) == 0
			row = append(row, v)
		}
		key, err := s.AppendKey(nil, row...)
		require.NoError(t, err, "%s %q", schema, row)
		line := hex.EncodeToString(key) + "\n"
		for _, form := range []string{"json", "csv"} {
			rows, stderr, code := call(line, "decode", "-s", schema, "--in", "hex", "-o", form)
			if form == "csv" && empty && strings.HasPrefix(schema, "orderedbytes") {
				refused++
				require.Equal(t, exitFound, code, "%q", row)
				require.Contains(t, stderr, "CSV does not tell an empty text from a null")
				continue
			}
			require.Zero(t, code, "%s %q: %s", schema, row, stderr)
			back, stderr, code := call(rows, "encode", "-s", schema)
			require.Zero(t, code, "%q: %s", rows, stderr)
			require.Equal(t, line, back, "%s %q", schema, rows)
		}
	}
	assert.Greater(t, refused, 50)
	assert.Greater(t, nulls, 300)
}
