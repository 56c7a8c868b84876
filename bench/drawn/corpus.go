package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// layout is one that stands in the repository, as often as it stands there.
type layout struct {
	dialect string // with a blank after it, if there is one
	parts   []rowkey.FieldInfo
}

var notation = regexp.MustCompile(`(?:(?:hbase|phoenix|orderedbytes) )?(?:\[(?:[^\]\['"\n]|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")+\])+`)

// corpus reads the layouts of the examples, of the README and the documents, and of the designs of other projects that
// package draft reads.
func corpus(root string) (all []layout, err error) {
	for _, dir := range []string{"examples", "docs", "README.md", "draft/testdata/corpus.txt"} {
		err = filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Name() == "zh-CN" { // says the same again
				return filepath.SkipDir
			}
			if d.Name() == "speed.md" { // names layouts that were drawn
				return nil
			}
			if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".md" && ext != ".yaml" && ext != ".txt" {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, n := range notation.FindAllString(string(text), -1) {
				s, err := rowkey.Parse("t", n)
				if err != nil {
					continue // a piece of a layout, or none
				}
				l := layout{parts: slices.Collect(s.Fields())}
				if len(slices.DeleteFunc(slices.Clone(l.parts), func(p rowkey.FieldInfo) bool { return class(&p) == "literal" })) < 2 {
					continue // what shows a word
				}
				if word, _, found := strings.Cut(n, " ["); found && !strings.HasPrefix(n, "[") {
					l.dialect = word + " "
				}
				all = append(all, l)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// words counts the words of layouts.
func words(layouts []string) map[string]int {
	n := map[string]int{}
	for _, l := range layouts {
		for _, w := range wordOf.FindAllString(quoted.ReplaceAllString(l, ""), -1) {
			n[strings.Trim(w, " [(")]++
		}
	}
	return n
}

var (
	quoted = regexp.MustCompile(`'[^']*'|"(?:[^"\\]|\\.)*"`)
	wordOf = regexp.MustCompile(` [a-z]+[0-9]*|\[[a-z-]+[0-9.]*(?:[a-z]+)?(?:\([0-9]+\))?\(|:[a-z]*[0-9]*`)
	name   = regexp.MustCompile(`([\[(,=])([\p{L}\p{N}_][\p{L}\p{N}_.-]*)`)
)

// class is what a part may be drawn in the place of.
func class(f *rowkey.FieldInfo) string {
	switch {
	case f.Kind == "literal":
		return "literal"
	case f.Computed.Source != "":
		return "copy"
	case f.Derived:
		return "sum"
	}
	return "field"
}

// drawer draws layouts out of the parts of others.
type drawer struct {
	*rand.Rand
	corpus []layout
	parts  map[string][]rowkey.FieldInfo // by dialect and class
}

func newDrawer(r *rand.Rand, corpus []layout) *drawer {
	d := &drawer{r, corpus, map[string][]rowkey.FieldInfo{}}
	for _, l := range corpus {
		for _, p := range l.parts {
			d.parts[l.dialect+class(&p)] = append(d.parts[l.dialect+class(&p)], p)
		}
	}
	return d
}

// subject is a layout that is timed, with keys of it.
type subject struct {
	s    *rowkey.Schema
	c    *code.Schema
	keys []string
}

// A layout is timed on the keys of up to rows rows, and not on fewer than fewest.
const rows, fewest = 64, 16

// subjects draws n layouts.
func (d *drawer) subjects(n int) (all []subject) {
	for seen := map[string]bool{}; len(all) < n; {
		s, c := d.layout(fmt.Sprintf("l%d", len(all)))
		if seen[s.String()] {
			continue
		}
		seen[s.String()] = true
		if keys := keysOf(d.Rand, s, rows); len(keys) >= fewest { // fewer: such as two fields of which one is the other's prefix
			all = append(all, subject{s, c, keys})
		}
	}
	return all
}

// given are layouts in the notation, with keys that r draws.
func given(r *rand.Rand, texts []string) (all []subject, err error) {
	for i, text := range texts {
		s, err := rowkey.Parse(fmt.Sprintf("l%d", i), text)
		if err != nil {
			return nil, err
		}
		c := straight(s)
		if c == nil {
			return nil, fmt.Errorf("%s: want a layout whose code is printed, without Loose and notstored", text)
		}
		keys := keysOf(r, s, rows)
		if len(keys) < fewest {
			return nil, fmt.Errorf("%s: rows found at random: %d, want %d", text, len(keys), fewest)
		}
		all = append(all, subject{s, c, keys})
	}
	return all, nil
}

// straight says a schema whose code can be printed straight; nil: it cannot.
func straight(s *rowkey.Schema) *code.Schema {
	for f := range s.Fields() {
		if !f.Stored || f.Loose {
			return nil
		}
	}
	if c := code.Of(inside.Layout(s), s.String(), s.Fingerprint()); c.Refused == nil {
		return c
	}
	return nil
}

// layout draws a schema whose code can be printed straight: a layout of the corpus, of which every
// second part is another of its class, as frequent as it is there.
func (d *drawer) layout(name string) (*rowkey.Schema, *code.Schema) {
	for {
		l := d.corpus[d.IntN(len(d.corpus))]
		parts := slices.Clone(l.parts)
		for i := range parts {
			if c := class(&parts[i]); c != "literal" && d.IntN(2) == 0 {
				parts[i] = d.parts[l.dialect+c][d.IntN(len(d.parts[l.dialect+c]))]
			}
		}
		var fields []string
		for i := range parts {
			if class(&parts[i]) == "field" {
				fields = append(fields, string(rune('a'+len(fields))))
			}
		}
		if len(fields) == 0 || len(fields) > 8 {
			continue
		}
		text, n, copies := l.dialect, 0, 0
		for i := range parts {
			p := &parts[i]
			to := map[string]string{}
			switch class(p) {
			case "field":
				to[p.Name] = fields[n]
				n++
			case "copy":
				to[p.Name] = fmt.Sprintf("copy%d", copies)
				to[p.Computed.Source] = fields[d.IntN(len(fields))]
				copies++
			case "sum":
				for k, of := range d.Perm(len(fields)) {
					if k < len(p.Computed.Inputs) {
						to[p.Computed.Inputs[k]] = fields[of]
					}
				}
			}
			text += renamed(p.Notation, to)
		}
		s, err := rowkey.Parse(name, text)
		if err != nil || slices.ContainsFunc(slices.Collect(s.Fields()), func(f rowkey.FieldInfo) bool {
			return class(&f) == "field" && !slices.Contains(fields, f.Name)
		}) {
			continue
		}
		if c := straight(s); c != nil {
			return s, c
		}
	}
}

// renamed is a part with other names, which stand outside of quotes.
func renamed(part string, to map[string]string) string {
	at, out := 0, ""
	plain := func(s string) string {
		return name.ReplaceAllStringFunc(s, func(m string) string {
			if new, ok := to[m[1:]]; ok {
				return m[:1] + new
			}
			return m
		})
	}
	for _, q := range quoted.FindAllStringIndex(part, -1) {
		out += plain(part[at:q[0]]) + part[q[0]:q[1]]
		at = q[1]
	}
	return out + plain(part[at:])
}
