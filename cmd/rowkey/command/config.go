package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/simulate"
	"go.yaml.in/yaml/v3"
)

// rowkey.yaml names schemas:
//
//	schemas:
//	  trades: "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"
//	  orders:
//	    notation: "[order:8][seller]"
//	    about: orders by number
//	    fingerprint: 0123456789abcdef0123456789abcdef
//	    allow: # rules of lint, each with a reason
//	      not-unique: one row a moment is meant
//
// and describes rows for simulate, a name and a column a line:
//
//	rows:
//	  orders:
//	    seller: s-{zipf(1.1, 100000)}
//	    at: arrives 5000/s for 24h
//	    order: counts
//
// A fingerprint is held against the layout whenever it is used, as a sample in
// the notation is.

const configName = "rowkey.yaml"

// entry is one schema of a rowkey.yaml.
type entry struct {
	name, notation, about, fingerprint string
	line                               int
	err                                error          // what is wrong with it in the file
	built                              *rowkey.Schema // of Register
	allow                              []string       // rules of advice, each with a reason beside it in the file
}

func names(all []entry) (out []string) {
	for _, e := range all {
		out = append(out, e.name)
	}
	return out
}

// config is what a rowkey.yaml says.
type config struct {
	path    string  // empty: there is none
	schemas []entry // sorted by name
	rows    []rowsEntry
	gen     genConfig
}

// config reads the rowkey.yaml that --config names, or else the nearest. On error it has the path.
func (a *app) config() (c config, err error) {
	if c.path = a.flags.config; c.path == "" {
		c.path = findConfig()
	}
	if c.path == "" {
		return c, nil
	}
	data, err := os.ReadFile(c.path)
	if err != nil {
		return c, fmt.Errorf("--config: %w", err)
	}
	if err := c.read(bytes.TrimPrefix(data, []byte(bomText))); err != nil {
		return c, fmt.Errorf("%s: %w", c.path, err)
	}
	return c, nil
}

// configured is the schemas of the config, sorted by name, and its path; no
// path if there is none.
func (a *app) configured() ([]entry, string, error) {
	own, whence := registered()
	c, err := a.config()
	path := c.path
	if path == "" {
		return own, whence, nil
	}
	if err != nil {
		return nil, path, err
	}
	all := slices.Clone(c.schemas)
	for _, e := range own {
		if slices.ContainsFunc(all, func(o entry) bool { return o.name == e.name }) {
			return nil, path, fmt.Errorf("%s: %s is a name that this program registers", path, e.name)
		}
	}
	all = append(all, own...)
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all, path, nil
}

// findConfig is the path of the nearest rowkey.yaml from here upward.
func findConfig() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for at := dir; ; at = filepath.Dir(at) {
		path := filepath.Join(at, configName)
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			if short, err := filepath.Rel(dir, path); err == nil {
				return short
			}
			return path
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// parseConfig reads the schemas of a rowkey.yaml.
func parseConfig(data []byte) ([]entry, error) {
	var c config
	err := c.read(data)
	return c.schemas, err
}

// rowsEntry is rows that a rowkey.yaml describes.
type rowsEntry struct {
	name    string
	columns [][2]string
	err     error
}

// read reads a rowkey.yaml strictly: what it does not know is an error that names the line.
func (c *config) read(data []byte) (err error) {
	var doc, second yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(data))
	if err = documents.Decode(&doc); err == nil {
		err = documents.Decode(&second)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return errors.New(strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	if len(doc.Content) == 0 {
		return nil
	}
	if len(second.Content) > 0 {
		return fmt.Errorf("line %d: a second document begins here, and only the first is read: leave out the line ---", second.Line)
	}
	err = eachPair(doc.Content[0], "the file", func(key string, at, v *yaml.Node) error {
		if key == "rows" {
			c.rows, err = readRows(v)
			return err
		}
		if key == "gen" {
			return c.gen.read(v)
		}
		if key != "schemas" {
			return fmt.Errorf("line %d: expected schemas, rows or gen, not %s", at.Line, said.Shown(key))
		}
		return eachPair(v, "schemas", func(name string, at, v *yaml.Node) error {
			if !validName(name) {
				return fmt.Errorf("line %d: a schema's name is letters, digits, '_', '-', '.' and ':', not %s", at.Line, said.Shown(name))
			}
			e := entry{name: name, line: at.Line}
			if err := e.read(v); err != nil { // the others can be used all the same
				e.err = err
			}
			c.schemas = append(c.schemas, e)
			return nil
		})
	})
	slices.SortFunc(c.schemas, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return err
}

// readRows reads descriptions of rows.
func readRows(v *yaml.Node) (all []rowsEntry, err error) {
	err = eachPair(v, "rows", func(name string, at, v *yaml.Node) error {
		if !validName(name) {
			return fmt.Errorf("line %d: a name of rows is letters, digits, '_', '-', '.' and ':', not %s", at.Line, said.Shown(name))
		}
		e := rowsEntry{name: name}
		var lines []int // of its columns
		err := eachPair(v, name, func(column string, at, v *yaml.Node) error {
			text, err := scalar(v, column)
			e.columns = append(e.columns, [2]string{column, text})
			lines = append(lines, at.Line)
			return err
		})
		if err == nil {
			if _, err = simulate.Describe(e.columns); err != nil {
				for i, c := range e.columns {
					if strings.HasPrefix(err.Error(), c[0]+": ") {
						err = fmt.Errorf("line %d: %w", lines[i], err)
						break
					}
				}
			}
		}
		e.err = err // the others can be used all the same
		all = append(all, e)
		return nil
	})
	return all, err
}

// describedRows is the rows of this name in the config; nil if it has none.
func (a *app) describedRows(name string) (*simulate.MadeUp, error) {
	if !validName(name) {
		return nil, nil
	}
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	for _, r := range c.rows {
		if r.name == name {
			if r.err != nil {
				return nil, fmt.Errorf("%s: %w", c.path, r.err)
			}
			return simulate.Describe(r.columns)
		}
	}
	return nil, nil
}

// validName reports that a name can be told from a notation and pasted into
// hbase shell.
func validName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:") == ""
}

// aliased is what an alias stands for, or the node itself.
func aliased(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// eachPair walks a mapping in its order; a key that stands twice is an error.
func eachPair(n *yaml.Node, what string, do func(key string, at, value *yaml.Node) error) error {
	n = aliased(n)
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: expected %s to be a mapping, as name: value", n.Line, what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if seen[k.Value] {
			return fmt.Errorf("line %d: %s stands twice", k.Line, said.Shown(k.Value))
		}
		seen[k.Value] = true
		if err := do(k.Value, k, v); err != nil {
			return err
		}
	}
	return nil
}

// scalar is the text of a plain value.
func scalar(n *yaml.Node, what string) (string, error) {
	n = aliased(n)
	if n.Kind == yaml.SequenceNode && n.Style == yaml.FlowStyle && strings.HasPrefix(what, "the notation") {
		return "", fmt.Errorf("line %d: put quotes around the notation: to YAML a bracket begins a list", n.Line)
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return "", fmt.Errorf("line %d: expected text as %s", n.Line, what)
	}
	return n.Value, nil
}

func (e *entry) read(v *yaml.Node) (err error) {
	v = aliased(v)
	if v.Kind != yaml.MappingNode {
		e.notation, err = scalar(v, "the notation of "+e.name)
		return err
	}
	err = eachPair(v, e.name, func(key string, at, v *yaml.Node) (err error) {
		switch key {
		case "notation":
			e.notation, err = scalar(v, "the notation of "+e.name)
		case "about":
			e.about, err = scalar(v, key)
		case "fingerprint":
			e.fingerprint, err = scalar(v, key)
		case "allow":
			return e.readAllow(v)
		default:
			return fmt.Errorf("line %d: expected notation, about, fingerprint or allow, not %s", at.Line, said.Shown(key))
		}
		return err
	})
	if err == nil && e.notation == "" {
		err = fmt.Errorf("line %d: %s has no notation", e.line, e.name)
	}
	return err
}

// readAllow reads the rules of advice that lint leaves out, each with its reason.
func (e *entry) readAllow(v *yaml.Node) error {
	return eachPair(v, "allow", func(rule string, at, v *yaml.Node) error {
		reason, err := scalar(v, rule)
		if err != nil {
			return err
		}
		rules := ruleNames()
		switch {
		case !slices.Contains(rules, rule):
			return fmt.Errorf("line %d: %s is no rule of lint%s", at.Line, rule, said.Perhaps(rule, rules))
		case strings.TrimSpace(reason) == "":
			return fmt.Errorf("line %d: say after %s why it is allowed", at.Line, rule)
		}
		e.allow = append(e.allow, rule)
		return nil
	})
}

// build is the schema of an entry, held against its fingerprint.
func (e entry) build(file string) (named, error) {
	switch {
	case e.built != nil:
		return named{Schema: e.built, name: e.name}, nil
	case e.err != nil:
		return named{}, fmt.Errorf("%s: %w", file, e.err)
	}
	s, err := parse(e.name, e.notation, fmt.Sprintf("%s: %s", file, e.name))
	if err != nil {
		return named{}, err
	}
	if have := s.Fingerprint(); e.fingerprint != "" && e.fingerprint != have {
		return named{}, fmt.Errorf("%s: %s: the notation's fingerprint is %s, not %s: the layout was changed", file, e.name, have, e.fingerprint)
	}
	s.allow = e.allow
	return s, nil
}
