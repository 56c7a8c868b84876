//go:build !play_first

package play

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/infer"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// inferAsk is rows of which a layout is read: CSV whose first line names the columns, one of them
// key or rowkey.
type inferAsk struct {
	Text string `json:"text"`
}

// inferView is the layout that writes the keys.
type inferView struct {
	Verdict  string   `json:"verdict"` // sure, open, unsure or none
	Notation string   `json:"notation,omitempty"`
	Why      []string `json:"why,omitempty"` // what keeps it from sure
	Rivals   []string `json:"rivals,omitempty"`
	Misfits  int      `json:"misfits,omitempty"`
	Partial  string   `json:"partial,omitempty"` // what of the keys is explained
	Rows     int      `json:"rows"`
}

const (
	inferTime = 3 * time.Second
	mostInfer = 2_000
)

// keyColumns are names of the column of the keys.
var keyColumns = []string{"key", "rowkey", "row_key", "row key", "row"}

// inferred reads a layout out of keys and values.
func inferred(a inferAsk) (*inferView, error) {
	if err := tooLong("the rows", a.Text, maxPaste); err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Text, "\ufeff")))
	if first, _, _ := strings.Cut(strings.TrimLeft(a.Text, "\r\n"), "\n"); strings.Contains(first, "\t") {
		r.Comma = '\t'
	}
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) < 2 {
		return nil, errors.New("no rows: a line for each, after the line that names the columns")
	}
	at := slices.IndexFunc(records[0], func(name string) bool {
		return slices.Contains(keyColumns, strings.ToLower(strings.TrimSpace(name)))
	})
	if at < 0 {
		return nil, fmt.Errorf("no column key: the first line names the columns, one of them %s", said.OneOf(keyColumns[:3]))
	}
	records = records[:min(len(records), mostInfer+1)]
	var texts []string
	for _, record := range records[1:] {
		texts = append(texts, record[at])
	}
	form := said.GuessForm(texts, func([]byte) bool { return false })
	var keys [][]byte
	for i, text := range texts {
		key, err := said.ParseKey(text, form)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		keys = append(keys, key)
		records[i+1] = slices.Delete(records[i+1], at, at+1)
	}
	columns := slices.Delete(records[0], at, at+1)
	found, err := infer.Read(context.Background(), columns, records[1:], keys, infer.Limits{Max: inferTime})
	if err != nil {
		return nil, err
	}
	v := &inferView{Verdict: found.Verdict.String(), Why: found.Why, Misfits: len(found.Misfits), Rows: len(keys)}
	if found.Layout != nil {
		v.Notation = found.Layout.String()
	}
	for _, o := range found.Rivals[:min(len(found.Rivals), 3)] {
		v.Rivals = append(v.Rivals, o.Layout.String())
	}
	if found.Partial != nil {
		v.Partial = found.Partial.Notation
	}
	return v, nil
}
