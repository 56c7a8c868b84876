package command

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

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
  len      the bytes themselves after their length, 4 bytes big-endian
  auto     the one of these, but raw and len, in which it is a key of the schema

Quotes around a key are no part of it. A line of a log that names no row is refused. What is an
even number of hexadecimal digits is hexadecimal, where the schema does not decide. A stream is
read in one form, that of most of its first 100 lines. An argument that is the name of a file is
that file; gzip and zstd are unpacked.`

// takesKeys gives a subcommand the flag of the keys' form.
func takesKeys(c *cobra.Command, form *string) {
	c.Flags().StringVar(form, "in", said.FormAuto, "`form` of the keys: "+strings.Join(said.KeyForms, ", "))
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(said.KeyForms, cobra.ShellCompDirectiveNoFileComp))
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if *form == "shell" {
			*form = said.FormText
		}
		if !slices.Contains(said.KeyForms, *form) {
			return notOneOf("--in", *form, said.KeyForms)
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// unquotedLine is unquoted for a line of a stream, few of which have quotes.
func unquotedLine(line []byte) []byte {
	switch line[len(line)-1] {
	case '\'', '"', '`', ',':
		return []byte(said.Unquoted(string(line)))
	}
	return line
}

// lastScanRow is the row of the last line that has one.
func lastScanRow(data []byte) (row []byte, ok bool) {
	for len(data) > 0 {
		data = bytes.TrimSuffix(data, []byte("\n"))
		at := bytes.LastIndexByte(data, '\n') + 1
		if row, ok := said.ScanRow(bytes.TrimSuffix(data[at:], []byte("\r"))); ok {
			return row, true
		}
		data = data[:at]
	}
	return nil, false
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
