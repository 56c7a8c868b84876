package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey/advice"
)

// known is findings of a baseline: so many of a rule, about a component of a schema. A
// finding's words may change from version to version, and so they are no part of it.
type known struct {
	Schema string `json:"schema"` // its name, else its notation
	Rule   string `json:"rule"`
	Field  string `json:"field,omitempty"`
	Count  int    `json:"count"`
}

// of is whose findings they are.
func (n named) of() string {
	if n.name != "" {
		return n.name
	}
	return n.String()
}

// readBaseline reads a file of findings, an object of JSON a line.
func readBaseline(path string) (all []known, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	for i := 1; d.More(); i++ {
		var k known
		if err := d.Decode(&k); err != nil {
			return nil, fmt.Errorf("%s: finding %d: %w", path, i, err)
		}
		if !slices.Contains(ruleNames(), k.Rule) || k.Count < 1 {
			return nil, fmt.Errorf("%s: finding %d: expected a rule of lint and a count, not %s and %d", path, i, said.Shown(k.Rule), k.Count)
		}
		all = append(all, k)
	}
	return all, nil
}

// unknownFindings are those that the baseline does not have: of a rule and a component
// those beyond its count.
func unknownFindings(path string, s named, found []advice.Finding) (out []advice.Finding, err error) {
	all, err := readBaseline(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--baseline: %w; --write-baseline makes it", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	left := map[known]int{}
	for _, k := range all {
		n := k.Count
		k.Count = 0
		left[k] += n
	}
	for _, f := range found {
		k := known{Schema: s.of(), Rule: f.Rule, Field: f.Field}
		if left[k]--; left[k] < 0 {
			out = append(out, f)
		}
	}
	return out, nil
}

// writeBaseline puts a schema's findings in place of those that the file has of it.
func writeBaseline(path string, s named, found []advice.Finding) error {
	all, err := readBaseline(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--baseline: %w", err)
	}
	all = slices.DeleteFunc(all, func(k known) bool { return k.Schema == s.of() })
	for _, f := range found {
		i := slices.IndexFunc(all, func(k known) bool { return k.Schema == s.of() && k.Rule == f.Rule && k.Field == f.Field })
		if i < 0 {
			i = len(all)
			all = append(all, known{Schema: s.of(), Rule: f.Rule, Field: f.Field})
		}
		all[i].Count++
	}
	slices.SortStableFunc(all, func(a, b known) int {
		return strings.Compare(a.Schema+"\x00"+a.Rule+"\x00"+a.Field, b.Schema+"\x00"+b.Rule+"\x00"+b.Field)
	})
	var b strings.Builder
	for _, k := range all {
		b.WriteString(said.JsonText(k) + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	return nil
}
