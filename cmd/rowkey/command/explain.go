package command

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/spf13/cobra"
)

func (a *app) explainCommand() *cobra.Command {
	var form string
	var sf streamFlags
	c := &cobra.Command{
		Use:   "explain [flags] [KEY… | FILE…]",
		Short: "Show what is in a key, piece by piece; a broken one up to the break",
		Long: `Show what is in a key, piece by piece: where each begins, its bytes, its piece of the notation,
its value. Salts, hashes and copies are computed again. A broken key is shown up to the break.
Without KEY, keys are read from stdin, one a line. Without a schema, every one of rowkey.yaml
whose key it is answers. A key that may be read in several forms is shown in the one in which it
is a key, and the others are named.

` + keyFormHelp,
		Example: `  rowkey explain -s "[uid:8][max-ms(at)]" 00000000000027667ffffe77dda4124f
  rowkey explain -s trades '\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07'
  rowkey explain -s trades '%0Cs-42_%7F%FF%FEw%DD%A4%12O%00%00%00%00%00%00%00%07'`,
	}
	takesKeys(c, &form)
	a.takesSchema(c)
	a.takesZone(c)
	a.takesStream(c, &sf, true)
	a.outputs(c, "table", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		schemas, err := a.candidates()
		if err != nil {
			return err
		}
		zone, err := parseZone(a.zone)
		if err != nil {
			return err
		}
		x := explainer{a: a, how: said.Values{Zone: zone}, schemas: make([]*rowkey.Schema, len(schemas))}
		for i, s := range schemas {
			x.schemas[i] = s.Schema
		}
		x.fits = said.FitsAny(x.schemas...)
		sf.jobs = 1 // there is an empty line between two keys, and none before the first
		st := a.stream(sf)
		k := &keyReader{s: st, form: form, fits: x.fits, worker: func() keyWork {
			return func(b *block, _ int, text, key []byte) error {
				var others []other
				if form == said.FormAuto && len(args) > 0 {
					others = x.others(string(text), key)
				}
				err := x.explain(b, key, others)
				if sf.strict || sf.most > 0 { // a broken key is a bad line, else one that is shown like the others
					return said.Reason(err)
				}
				return nil
			}
		}}
		err = k.each(args)
		a.bad = a.bad || x.bad
		return err
	}
	return c
}

// explainer explains keys.
type explainer struct {
	a       *app
	schemas []*rowkey.Schema
	fits    func([]byte) bool
	how     said.Values
	begun   bool
	bad     bool // a key does not decode
}

// explain shows a key; its error is what is wrong with the key.
func (x *explainer) explain(b *block, key []byte, others []other) (bad error) {
	for _, schema := range answering(x.schemas, key) {
		pieces, err := schema.Pieces(key, x.how.In())
		x.bad = x.bad || err != nil
		bad = cmp.Or(bad, err)
		if x.a.out == "json" {
			b.out = append(append(b.out, explainJSON(schema, key, x.how, pieces, others, err)...), '\n')
			continue
		}
		if x.begun {
			b.out = append(b.out, '\n')
		}
		x.begun = true
		b.out = append(b.out, x.a.explained(schema, key, pieces, err)...)
	}
	if x.a.out == "json" {
		return bad
	}
	for _, o := range others {
		what := said.Plural(len(o.key), "byte")
		if o.Fits {
			what += ", a key, too"
		}
		b.out = fmt.Appendf(b.out, "read as %s (--in %s): %s: %s\n", formNames[o.Form], o.Form, shell.Text(o.key), what)
	}
	return bad
}

// explained is a key as a table of its pieces; err is what is wrong with it.
func (a *app) explained(s *rowkey.Schema, key []byte, pieces []rowkey.Piece, err error) string {
	var rows [][]string
	for _, p := range pieces {
		note := p.Text
		if p.Problem != "" {
			note = p.Problem
		}
		lines := a.hexLines(p.Bytes)
		rows = append(rows, []string{strconv.Itoa(p.Offset), lines[0], p.Notation, note})
		for _, l := range lines[1:] {
			rows = append(rows, []string{"", l, "", ""})
		}
	}
	text := fmt.Sprintf("%s %s: %s\n%s", s.Name(), s, said.Plural(len(key), "byte"), a.grid(nil, rows))
	if err != nil {
		text += err.Error() + "\n" + hint(s, key, err)
	}
	return a.head(text, err != nil)
}

// hint is what Schema.Explain says below what is wrong with a key, such as with which values that
// hold their separator it would fit.
func hint(s *rowkey.Schema, key []byte, err error) string {
	_, after, _ := strings.Cut(s.Explain(key), "\n"+err.Error()+"\n")
	return after
}

// hexLines are bytes in hexadecimal: of those that are many some on each line,
// on a terminal as many as it has room for.
func (a *app) hexLines(b []byte) (lines []string) {
	const most = 20
	if a.outTerminal && a.width(a.stdout) > 0 {
		return []string{hex.EncodeToString(b)}
	}
	for len(b) > most {
		lines, b = append(lines, hex.EncodeToString(b[:most])), b[most:]
	}
	return append(lines, hex.EncodeToString(b))
}

// longHex is so many digits that nobody means them as text.
const longHex = 16

// other is another key that an argument may be.
type other struct {
	Form string `json:"form"`
	Key  string `json:"key"`
	Fits bool   `json:"fits"` // it is a key of a schema
	key  []byte
}

// others are the other keys that an argument may be.
func (x *explainer) others(text string, key []byte) (out []other) {
	if said.IsHex(text) && len(text) >= longHex {
		return nil
	}
	for _, r := range said.Readings(text) {
		if bytes.Equal(r.Key, key) || r.Form == said.FormBase64 || x.fits(key) && !x.fits(r.Key) ||
			r.Form == said.FormText && said.LogLine([]byte(text)) != nil {
			continue
		}
		out = append(out, other{r.Form, hex.EncodeToString(r.Key), x.fits(r.Key), r.Key})
	}
	return out
}

// candidates is the schema that the flags name, or all of the config.
func (a *app) candidates() ([]named, error) {
	if a.flags.schema == "" && a.flags.file == "" {
		all, file, err := a.configured()
		if err != nil {
			return nil, err
		}
		var out []named
		var broken error
		for _, e := range all {
			s, err := e.build(file)
			if err != nil { // one of several: the others answer
				if broken == nil {
					broken = err
				}
				if len(all) > 1 {
					a.complain(fmt.Errorf("passed over: %w", err))
				}
				continue
			}
			out = append(out, s)
		}
		if len(out) > 0 {
			return out, nil
		}
		if broken != nil && len(all) == 1 {
			return nil, broken
		}
		if broken != nil {
			return nil, fmt.Errorf("no schema of %s can be used", file)
		}
	}
	s, err := a.load()
	if err != nil {
		return nil, err
	}
	return []named{s}, nil
}

// answering is the schemas whose key it is; if it is none's, those that read
// furthest.
func answering(schemas []*rowkey.Schema, key []byte) (out []*rowkey.Schema) {
	furthest := -1
	for _, s := range schemas {
		at := len(key) + 2
		if _, err := s.Decode(key); err != nil {
			at = len(key) + 1 // whole, but for a salt or a hash
			var e *rowkey.Error
			if !errors.Is(err, rowkey.ErrDerived) && errors.As(err, &e) {
				at = max(e.Offset, 0)
			}
		}
		if at > furthest {
			furthest, out = at, out[:0]
		}
		if at == furthest {
			out = append(out, s)
		}
	}
	return out
}

// explanation is a key as JSON.
type explanation struct {
	Schema   string  `json:"schema"`
	Notation string  `json:"notation"`
	Key      string  `json:"key"`
	Pieces   []piece `json:"pieces"`
	Error    string  `json:"error,omitempty"`
	Offset   *int    `json:"offset,omitempty"` // of the error
	Hint     string  `json:"hint,omitempty"`   // the values with which it would fit
	Others   []other `json:"others,omitempty"`
}

type piece struct {
	Offset   int    `json:"offset"`
	Bytes    string `json:"bytes"`
	Notation string `json:"notation"`
	Name     string `json:"name,omitempty"`
	Value    raw    `json:"value,omitempty"`
	Text     string `json:"text,omitempty"` // of a salt, a hash or a copy
	Problem  string `json:"problem,omitempty"`
}

// raw is JSON that is written already.
type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

// explainJSON is one line of JSON; err is what is wrong with the key.
func explainJSON(s *rowkey.Schema, key []byte, how said.Values, pieces []rowkey.Piece, others []other, err error) string {
	x := explanation{Schema: s.Name(), Notation: s.String(), Key: hex.EncodeToString(key), Pieces: []piece{}, Others: others}
	if err != nil {
		var e *rowkey.Error
		if errors.As(err, &e) && e.Offset >= 0 {
			x.Offset = &e.Offset
		}
		x.Error = said.Reason(err).Error()
		x.Hint = strings.TrimSuffix(hint(s, key, err), "\n")
	}
	fields := map[string]rowkey.FieldInfo{}
	for f := range s.Fields() {
		fields[f.Name] = f
	}
	for _, p := range pieces {
		f := fields[p.Name]
		if p.Name != "" && !f.Stored {
			continue
		}
		out := piece{Offset: p.Offset, Bytes: hex.EncodeToString(p.Bytes), Notation: p.Notation, Name: p.Name, Problem: p.Problem}
		switch {
		case p.Name == "" || p.Problem != "":
		case f.Derived:
			out.Text = p.Text
		default:
			var v said.Slot
			v.Hold(p.Value)
			out.Value = how.AppendJSON(nil, &f, &v)
		}
		x.Pieces = append(x.Pieces, out)
	}
	return said.JsonText(x)
}
