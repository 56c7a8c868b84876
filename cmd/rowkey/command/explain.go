package command

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey"
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
  rowkey explain -s trades '\x0Cs\x2D42\x5F\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07'
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
		x := explainer{a: a, how: values{zone: zone}, schemas: make([]*rowkey.Schema, len(schemas))}
		for i, s := range schemas {
			x.schemas[i] = s.Schema
		}
		x.fits = fitsAny(x.schemas...)
		sf.jobs = 1 // there is an empty line between two keys, and none in front of the first
		st := a.stream(sf)
		k := &keyReader{s: st, form: form, fits: x.fits, worker: func() keyWork {
			return func(b *block, _ int, text, key []byte) error {
				x.explain(b, key)
				if form == formAuto && len(args) > 0 && a.out == "table" {
					x.others(b, string(text), key)
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
	how     values
	begun   bool
	bad     bool // a key does not decode
}

func (x *explainer) explain(b *block, key []byte) {
	for _, schema := range answering(x.schemas, key) {
		_, err := schema.Decode(key)
		x.bad = x.bad || err != nil
		if x.a.out == "json" {
			b.out = append(append(b.out, explainJSON(schema, key, x.how, err)...), '\n')
			continue
		}
		if x.begun {
			b.out = append(b.out, '\n')
		}
		x.begun = true
		b.out = append(b.out, x.a.head(schema.ExplainIn(key, x.how.in()), err != nil)...)
	}
}

// longHex is so many digits that nobody means them as text.
const longHex = 16

// others names the other keys that an argument may be.
func (x *explainer) others(b *block, text string, key []byte) {
	if isHex(text) && len(text) >= longHex {
		return
	}
	for _, r := range readings(text) {
		if bytes.Equal(r.key, key) || r.form == formBase64 || x.fits(key) && !x.fits(r.key) {
			continue
		}
		what := plural(len(r.key), "byte")
		if x.fits(r.key) {
			what += ", a key, too"
		}
		b.out = fmt.Appendf(b.out, "read as %s (--in %s): %s: %s\n", formNames[r.form], r.form, rowkey.Shell(r.key), what)
	}
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
	Pieces   []piece `json:"pieces,omitempty"` // of a key that can be taken apart
	Error    string  `json:"error,omitempty"`
	Offset   *int    `json:"offset,omitempty"` // of the error
}

type piece struct {
	Offset   int    `json:"offset"`
	Bytes    string `json:"bytes"`
	Notation string `json:"notation"`
	Name     string `json:"name,omitempty"`
	Value    raw    `json:"value,omitempty"`
}

// raw is JSON that is written already.
type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

// explainJSON is one line of JSON; err is what Decode says of the key.
func explainJSON(s *rowkey.Schema, key []byte, how values, err error) string {
	x := explanation{Schema: s.Name(), Notation: s.String(), Key: hex.EncodeToString(key)}
	if err != nil {
		var e *rowkey.Error
		if errors.As(err, &e) && e.Offset >= 0 {
			x.Offset = &e.Offset
		}
		x.Error = reason(err).Error()
	}
	if r, err := s.DecodeLoose(key); err == nil {
		x.Pieces = pieces(s, r, key, how)
	}
	return jsonText(x)
}

// pieces takes a key apart.
func pieces(s *rowkey.Schema, r rowkey.Row, key []byte, how values) (out []piece) {
	vals := map[string]*slot{}
	for name, v := range r.All() {
		vals[name] = &slot{}
		vals[name].hold(v)
	}
	at := 0
	for f := range s.Fields() {
		if !f.Stored {
			continue
		}
		n := f.Size
		if f.Kind != rowkey.KindLiteral {
			n = len(r.Stored(f.Name))
		}
		p := piece{Offset: at, Bytes: hex.EncodeToString(key[at : at+n]), Notation: f.Notation, Name: f.Name}
		if v, ok := vals[f.Name]; ok {
			p.Value = how.appendJSON(nil, &f, v)
		}
		out = append(out, p)
		at += n
	}
	return out
}

func (a *app) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema [flags]",
		Short: "Show a schema: its pieces, how they sort, its fingerprint; or list those of rowkey.yaml",
		Long: `Show a schema: its pieces, their bytes, how they sort, and its fingerprint. Equal fingerprints
mean equal bytes for every key. Without -s or -f, the schemas of rowkey.yaml are listed, and each
is held against its fingerprint.`,
		Example: `  rowkey schema -s "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("expected -s %s", args[0])
			}
			return nil
		},
	}
	a.takesSchema(c)
	a.outputs(c, "table", "json")
	c.RunE = func(*cobra.Command, []string) error {
		if a.flags.schema == "" && a.flags.file == "" {
			return a.listSchemas()
		}
		s, err := a.load()
		if err != nil {
			return err
		}
		return a.write(a.describe(s))
	}
	return c
}

// described is a schema as JSON.
type described struct {
	Name        string           `json:"name,omitempty"`
	Notation    string           `json:"notation"`
	About       string           `json:"about,omitempty"`
	Fingerprint string           `json:"fingerprint"`
	Pieces      []describedPiece `json:"pieces,omitempty"`
}

type describedPiece struct {
	Notation string `json:"notation"`
	Name     string `json:"name,omitempty"`
	Kind     string `json:"kind"`
	Bytes    int    `json:"bytes,omitempty"` // none: they vary
	Order    string `json:"order"`
	Supplied bool   `json:"supplied"`
}

func (a *app) describe(s named) string {
	d := described{Name: s.name, Notation: s.String(), Fingerprint: s.Fingerprint()}
	var rows [][]string
	for f := range s.Fields() {
		from := "supplied"
		switch {
		case f.Kind == rowkey.KindLiteral:
			from = "constant"
		case f.Derived:
			from = "computed"
		}
		if !f.Stored {
			from += ", not stored"
		}
		size := "varies"
		switch {
		case !f.Stored:
			size = "0"
		case f.Size > 0:
			size = fmt.Sprint(f.Size)
		}
		order := f.Order.String()
		if f.Kind == rowkey.KindLiteral || !f.Stored {
			order = ""
		}
		rows = append(rows, []string{f.Notation, f.Kind.String(), size, order, from})
		d.Pieces = append(d.Pieces, describedPiece{f.Notation, f.Name, f.Kind.String(), f.Size, f.Order.String(), from == "supplied" || strings.HasPrefix(from, "supplied,")})
	}
	if a.out == "json" {
		return jsonText(d) + "\n"
	}
	return a.head(s.String()+"\n"+a.grid([]string{"piece", "kind", "bytes", "sorts", "from"}, rows, 3)+"fingerprint "+d.Fingerprint+"\n", false)
}

// listSchemas lists the config.
func (a *app) listSchemas() error {
	all, file, err := a.configured()
	if err != nil {
		return err
	}
	if file == "" {
		return errors.New("no schema: give a notation with -s, a file with -f, or a rowkey.yaml")
	}
	var rows [][]string
	var out strings.Builder
	var broken []error
	for _, e := range all {
		s, err := e.build(file)
		if err != nil { // the others are listed all the same
			broken = append(broken, err)
			continue
		}
		rows = append(rows, []string{e.name, s.String(), e.about})
		if a.out == "json" {
			out.WriteString(jsonText(described{Name: e.name, Notation: s.String(), About: e.about, Fingerprint: s.Fingerprint()}) + "\n")
		}
	}
	for i, err := range broken {
		if i == len(broken)-1 && len(rows) == 0 {
			return err
		}
		a.bad = true
		a.complain(err)
	}
	if a.out != "json" && len(rows) > 0 {
		out.WriteString(a.grid([]string{"name", "notation", "about"}, rows))
	}
	return a.write(out.String())
}
