package command

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/tidwall/gjson"
)

// parseJSON reads the value of a field as JSON has it. A number is read from its
// digits: as a float64 a decimal would lose some.
func parseJSON(v *said.Values, dst *said.Slot, f *rowkey.FieldInfo, j gjson.Result) error {
	text := f.Kind == "string" || f.Kind == "binary"
	switch {
	case j.Type == gjson.Null && f.Optional:
		dst.State = said.Null
		return nil
	case j.Type == gjson.Null:
		return fmt.Errorf("%s: cannot be null", f.Name)
	case j.Type == gjson.String && halved(j):
		return said.Told{Cause: f.Name + ": half of a surrogate pair", Detail: " in " + shownJSON(j.Raw)}
	case j.Type == gjson.String:
		return v.Parse(dst, f, []byte(j.Str))
	case j.Type == gjson.Number && (!text || f.Numeric) && f.Kind != "bool":
		return v.Parse(dst, f, []byte(j.Raw))
	case j.IsBool() && f.Kind == "bool":
		dst.State, dst.B = said.Given, j.Bool()
		return nil
	case j.IsObject() && text && !f.Numeric:
		if b, ok := bytesOf(j); ok {
			dst.State, dst.Text = said.Given, append(dst.Text[:0], b...)
			return nil
		}
	}
	return said.Told{Cause: f.Name + ": expected " + expected(f), Detail: ", not " + shownJSON(j.Raw)}
}

// shownJSON is JSON in a message, cut short.
func shownJSON(raw string) string {
	const most = 40
	raw = strings.Map(func(r rune) rune {
		if r < 0x20 {
			return ' '
		}
		return r
	}, raw)
	if len(raw) > most {
		return strings.ToValidUTF8(raw[:most], "") + "…"
	}
	return raw
}

// halved reports that a string has half of a surrogate pair, which has become
// another character.
func halved(j gjson.Result) bool {
	const other = "\ufffd"
	n := strings.Count(j.Str, other)
	return n > 0 && n > strings.Count(j.Raw, other)+strings.Count(strings.ToLower(j.Raw), `\ufffd`)
}

// expected is what JSON a field takes.
func expected(f *rowkey.FieldInfo) string {
	switch f.Kind {
	case "string":
		if f.Numeric {
			return "a decimal number as 12.50"
		}
		return `a string or {"hex":"…"}`
	case "binary":
		return `hexadecimal in a string or {"base64":"…"}`
	case "bool":
		return "true or false"
	case "time":
		return `a time in a string`
	}
	return "a number"
}

// bytesOf reads {"hex":"…"} and {"base64":"…"}.
func bytesOf(j gjson.Result) ([]byte, bool) {
	m := j.Map()
	if len(m) != 1 {
		return nil, false
	}
	if s := m["hex"]; s.Type == gjson.String {
		b, err := hex.DecodeString(s.Str)
		return b, err == nil
	}
	if s := m["base64"]; s.Type == gjson.String {
		b, err := base64.StdEncoding.DecodeString(s.Str)
		return b, err == nil
	}
	return nil, false
}

// pair is a time in two columns.
type pair struct {
	field    int
	names    [2]string
	texts    [2][]byte
	given    [2]bool
	together []byte
}

func (w *rowMaker) reset() {
	w.RowValues.Reset()
	for i := range w.pairs {
		w.pairs[i].given = [2]bool{}
	}
}

// setJSON supplies one field as JSON.
func (w *rowMaker) setJSON(name string, j gjson.Result) error {
	i, err := w.Field(name)
	if err != nil {
		return err
	}
	if w.Slots[i].State != said.Absent {
		return fmt.Errorf("%s: given twice", name)
	}
	return parseJSON(&w.How, &w.Slots[i], &w.Fields[i], j)
}

// setPair supplies one half of a time; false if the name is none's.
func (w *rowMaker) setPair(name string, text []byte) (bool, error) {
	for i := range w.pairs {
		p := &w.pairs[i]
		for side, n := range p.names {
			if n != name {
				continue
			}
			if p.given[side] {
				return true, fmt.Errorf("%s: given twice", name)
			}
			p.given[side] = true
			p.texts[side] = append(p.texts[side][:0], text...)
			return true, nil
		}
	}
	return false, nil
}

// joinPairs makes times of their halves.
func (w *rowMaker) joinPairs() error {
	for i := range w.pairs {
		p := &w.pairs[i]
		if !p.given[0] && !p.given[1] {
			continue
		}
		if p.given[0] != p.given[1] {
			return fmt.Errorf("%s: of %s and %s only one is there", w.Fields[p.field].Name, p.names[0], p.names[1])
		}
		p.together = append(append(append(p.together[:0], p.texts[0]...), ' '), p.texts[1]...)
		if err := w.SetText(p.field, p.together); err != nil {
			return err
		}
	}
	return nil
}

// rowMaker gathers the values of one row by name, as files have them, and makes its key.
type rowMaker struct {
	*said.RowValues
	pairs []pair // of --time
}

func newRowMaker(s *rowkey.Schema, how said.Values) *rowMaker {
	return &rowMaker{RowValues: said.NewRowValues(s, how)}
}
