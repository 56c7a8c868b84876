package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/spf13/cobra"
)

// The forms of a key as text.
const (
	formAuto   = "auto"
	formHex    = "hex"
	formText   = "text" // hbase shell's: printable ASCII and \xHH
	formBase64 = "base64"
	formRaw    = "raw"  // the bytes themselves
	formScan   = "scan" // the output of hbase shell's scan
)

var keyForms = []string{formAuto, formHex, formText, formBase64, formRaw, formScan}

const keyFormHelp = `Keys come in hexadecimal, as hbase shell writes them (\x0Cs-42), in base64, raw, or as the
output of hbase shell's scan; --in says which. Without it a key is read as hexadecimal or as
text, in whichever it is a key of the schema; where that does not decide, what is an even
number of hexadecimal digits is hexadecimal. A stream is read in one form, that of most of
its first 100 lines. Base64, raw and scan are never guessed.`

// takesKeys gives a subcommand the flag of the keys' form.
func takesKeys(c *cobra.Command, form *string) {
	c.Flags().StringVar(form, "in", formAuto, "`form` of the keys: "+strings.Join(keyForms, ", "))
	_ = c.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(keyForms, cobra.ShellCompDirectiveNoFileComp))
	c.PreRunE = func(*cobra.Command, []string) error {
		for _, f := range keyForms {
			if *form == f {
				return nil
			}
		}
		return fmt.Errorf("--in %s: expected %s", *form, oneOf(keyForms))
	}
}

// isHex reports that text looks like hexadecimal: an even number of digits,
// perhaps with 0x in front.
func isHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return s != "" && len(s)%2 == 0 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// guessForm is the form of keys that come alike: the one in which more of them
// are keys of the schema; else hexadecimal, if most look so.
func guessForm(keys []string, fits func(key []byte) bool) string {
	looks, asHex, asText := 0, 0, 0
	for _, k := range keys {
		if isHex(k) {
			looks++
			if b, err := parseKey(k, formHex); err == nil && fits(b) {
				asHex++
			}
		}
		if b, err := parseKey(k, formText); err == nil && fits(b) {
			asText++
		}
	}
	if asHex > asText || asHex == asText && 2*looks > len(keys) {
		return formHex
	}
	return formText
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

// parseKey is the bytes of a key in one form.
func parseKey(s, form string) ([]byte, error) {
	switch form {
	case formHex:
		b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
		if err != nil {
			return nil, fmt.Errorf("expected a key in hexadecimal, not %s (--in text?)", shown(s))
		}
		return b, nil
	case formBase64:
		plain := strings.TrimRight(s, "=")
		enc := base64.RawStdEncoding
		if strings.ContainsAny(s, "-_") {
			enc = base64.RawURLEncoding
		}
		b, err := enc.DecodeString(plain)
		if err != nil {
			return nil, fmt.Errorf("expected a key in base64, not %s", shown(s))
		}
		return b, nil
	case formRaw:
		return []byte(s), nil
	}
	b, err := rowkey.ParseShell(s)
	if err != nil {
		var e *rowkey.Error
		if errors.As(err, &e) {
			return nil, fmt.Errorf("expected a key as hbase shell writes it, not %s: at %d, %s", shown(s), e.Offset+1, strings.TrimSuffix(e.Err.Error(), ": "+rowkey.ErrMalformed.Error()))
		}
		return nil, err
	}
	return b, nil
}

// scanRow is the row of a line of hbase shell's scan, which prints one cell a
// line, its row behind one space, if its output is no terminal.
func scanRow(line string) (row string, ok bool) {
	rest, ok := strings.CutPrefix(line, " ")
	if !ok {
		return "", false
	}
	row, _, ok = strings.Cut(rest, " column=")
	return strings.TrimRight(row, " "), ok && row != ""
}

// shown is input in a message, cut short.
func shown(s string) string {
	const most = 40
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}

// keyText is a key as -o says.
func keyText(key []byte, form string) string {
	switch form {
	case "shell":
		return rowkey.Shell(key)
	case "go":
		return "[]byte(" + goQuote(key) + ")"
	case "base64":
		return base64.StdEncoding.EncodeToString(key)
	}
	return hex.EncodeToString(key)
}

// goQuote is bytes as a Go string, each byte by itself: strconv would write a
// rune where some happen to be one.
func goQuote(key []byte) string {
	b := []byte{'"'}
	for _, c := range key {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20 && c <= 0x7e:
			b = append(b, c)
		default:
			b = fmt.Appendf(b, `\x%02x`, c)
		}
	}
	return string(append(b, '"'))
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
