package play

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/internal/shell"
	"github.com/hbase-rowkey/rowkey/simulate"
)

const (
	tableRows    = 1500 // of which a table is drawn
	tableRegions = 16
	fewestRows   = 2_000 // of a simulation
	mostRows     = 100_000
	usualCount   = 20_000
	mostColumns  = 64
	gridLines    = 32
	firstDay     = "2026-11-11"
)

// tableView is a table of made-up rows, in the order of their keys: a place in it is a share of the
// table, so that a stripe of a question is as wide as the rows that it reads.
type tableView struct {
	Keys    int      `json:"keys"`
	Regions []int    `json:"regions"` // where the regions begin, without the first
	Labels  []string `json:"labels"`  // the key at each
	Sampled bool     `json:"sampled"` // the rows gave the regions, not the layout
	Error   string   `json:"error,omitempty"`

	sorted [][]byte
	splits rowkey.SplitKeys
}

// columnsOf are the columns that rows of some schemas need, each name once, with how their values
// are made up. The first time is that of arrival.
func columnsOf(schemas []*rowkey.Schema, given map[string]string, rows int) (out [][2]string, err error) {
	arrived := false
	arrive := func(from string) string {
		arrived = true
		return fmt.Sprintf("arrives %d/d for 1d from %s", rows, from)
	}
	for _, s := range schemas {
		for _, f := range said.Supplied(s) {
			if slices.ContainsFunc(out, func(c [2]string) bool { return c[0] == f.Name }) {
				continue
			}
			made := cmp.Or(strings.TrimSpace(given[f.Name]), usualRows(s, &f))
			if err := tooLong(f.Name, made, 400); err != nil {
				return nil, err
			}
			switch {
			case made == "arrives" && arrived:
				made = "before(30d)"
			case made == "arrives":
				from := firstDay
				if day, _ := time.Parse(time.DateOnly, firstDay); day.Before(f.Time.First) || day.Add(24*time.Hour).After(f.Time.Last) {
					from = f.Time.First.Add(time.Second).UTC().Format(time.RFC3339)
				}
				made = arrive(from)
			case strings.HasPrefix(made, "arrives"):
				arrived = true
			}
			if out = append(out, [2]string{f.Name, made}); len(out) > mostColumns {
				return nil, fmt.Errorf("more than %d fields", mostColumns)
			}
		}
	}
	if !arrived {
		out = append(out, [2]string{arrival, arrive(firstDay)})
	}
	return out, nil
}

// arrival is the column of the time of arrival where no field has it.
const arrival = "\x00arrival"

// rowsOf calls each with the texts of rows of CSV, at most so many. The first line names the columns.
func rowsOf(in io.Reader, most int, begin func(header []string) error, each func(texts []string) error) error {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return err
	}
	if err := begin(header); err != nil {
		return err
	}
	for range most {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = each(record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keyMaker makes keys of one schema from rows of texts.
type keyMaker struct {
	row    *said.RowValues
	column []int // of each field
}

func newKeyMaker(s *rowkey.Schema, header []string) (*keyMaker, error) {
	m := &keyMaker{row: said.NewRowValues(s, said.Values{})}
	for _, f := range m.row.Fields {
		at := slices.Index(header, f.Name)
		if at < 0 && !f.Optional {
			return nil, fmt.Errorf("no column %s: the first line names the columns, and has %s", f.Name, said.Shown(strings.Join(header, ", ")))
		}
		m.column = append(m.column, at)
	}
	return m, nil
}

// key is the key of a row, valid until the next.
func (m *keyMaker) key(texts []string) ([]byte, error) {
	m.row.Reset()
	for i, at := range m.column {
		if f := &m.row.Fields[i]; at < 0 || f.Optional && texts[at] == "" {
			continue
		}
		if err := m.row.SetText(i, []byte(texts[at])); err != nil {
			return nil, err
		}
	}
	return m.row.Key()
}

// tables are those that were made last: the same design is looked at with each character that is
// typed elsewhere.
var tables struct {
	sync.Mutex
	made map[string]*tableView
	ids  []string
}

const keptTables = 12

func tableOf(s *rowkey.Schema, given map[string]string, regions int) *tableView {
	if regions < 2 {
		regions = tableRegions
	}
	id := fmt.Sprint(s, regions)
	for _, f := range said.Supplied(s) {
		id += "\x00" + given[f.Name]
	}
	tables.Lock()
	defer tables.Unlock()
	if t := tables.made[id]; t != nil {
		return t
	}
	t := newTable(s, given, regions)
	if tables.made == nil {
		tables.made = map[string]*tableView{}
	}
	tables.made[id] = t
	if tables.ids = append(tables.ids, id); len(tables.ids) > keptTables {
		delete(tables.made, tables.ids[0])
		tables.ids = tables.ids[1:]
	}
	return t
}

func newTable(s *rowkey.Schema, given map[string]string, regions int) *tableView {
	t := &tableView{Regions: []int{}, Labels: []string{}}
	if err := t.fill(s, given); err != nil {
		t.Error = firstLine(err)
	}
	slices.SortFunc(t.sorted, bytes.Compare)
	t.Keys = len(t.sorted)
	var err error
	if t.splits, err = givenSplits(s, regions); err != nil {
		t.Sampled = true
		if t.splits, err = s.SplitsOf(regions, slices.Values(t.sorted)); err != nil {
			return t
		}
	}
	for _, k := range t.splits {
		t.Regions = append(t.Regions, t.rank(k))
		t.Labels = append(t.Labels, shell.Text(k))
	}
	return t
}

// fill makes the rows. The error is that of the first row without a key.
func (t *tableView) fill(s *rowkey.Schema, given map[string]string) (first error) {
	columns, err := columnsOf([]*rowkey.Schema{s}, given, tableRows)
	if err != nil {
		return err
	}
	made, err := simulate.Describe(columns)
	if err != nil {
		return err
	}
	made.Limit(tableRows)
	var m *keyMaker
	err = rowsOf(made, tableRows, func(header []string) (err error) {
		m, err = newKeyMaker(s, header)
		return err
	}, func(texts []string) error {
		key, err := m.key(texts)
		if err == nil {
			t.sorted = append(t.sorted, bytes.Clone(key))
		}
		first = cmp.Or(first, err)
		return nil
	})
	return cmp.Or(err, first)
}

// givenSplits are the most splits, up to so many regions, that the layout gives by itself.
func givenSplits(s *rowkey.Schema, regions int) (splits rowkey.SplitKeys, err error) {
	for n := regions; n > 1; n-- {
		var why error
		if splits, why = s.Splits(n); why == nil {
			return splits, nil
		}
		err = cmp.Or(err, why)
	}
	return nil, err
}

// rank is how many keys sort before one.
func (t *tableView) rank(key []byte) int {
	return sort.Search(len(t.sorted), func(i int) bool { return bytes.Compare(t.sorted[i], key) >= 0 })
}

// matching is the share of the rows that a plan wants.
func (t *tableView) matching(p *rowkey.Plan) float64 {
	n := 0
	for _, k := range t.sorted {
		if p.Match(k) {
			n++
		}
	}
	return float64(n) / float64(max(t.Keys, 1))
}

const mostStripes = 512

// meet finds the stripes of a plan, and the regions that it meets.
func (t *tableView) meet(p *rowkey.Plan, v *planView) {
	read, n := 0, 0
	for r := range p.Ranges() {
		if n++; n > 4096 {
			break
		}
		from, to := t.rank(r.Start()), t.Keys
		if !r.Unbounded() {
			to = t.rank(r.Stop())
		}
		read += to - from
		if k := len(v.Stripes) - 1; k >= 0 && v.Stripes[k][1] == from && from > v.Stripes[k][0] {
			v.Stripes[k][1] = to
		} else if len(v.Stripes) < mostStripes {
			v.Stripes = append(v.Stripes, [2]int{from, to})
		}
	}
	for range p.Regions(t.splits) {
		v.Regions++
	}
	v.Share = float64(read) / float64(max(t.Keys, 1))
	if v.Wanted = v.Share; !v.Exact {
		v.Wanted = t.matching(p)
	}
}
