package bench

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/hbase-rowkey/rowkey"
)

// Drawn is a layout that was drawn, with its printed code, which is the floor: R is its row, B the row
// whose texts are memory that is used again. Package drawn prints one for each layout.
type Drawn[R, B any] struct {
	Schema *rowkey.Schema
	Keys   []string // in hexadecimal digits

	// this library's ways
	Fluent func([]byte, *R) ([]byte, error)
	Read   func([]byte, *B) error

	// printed
	Append    func(*R, []byte) ([]byte, error)
	ParseRow  func(*R, []byte) error
	ParseInto func(*B, []byte) error
}

// Jobs are the four ways of a layout. Job.Allocs is what the floor allocates: the result.
func (d Drawn[R, B]) Jobs() ([]Job, error) {
	codec, err := rowkey.Bind[R](d.Schema)
	if err != nil {
		return nil, err
	}
	rows, keys := make([]R, lot), make([][]byte, lot)
	for i := range lot {
		k := d.Keys[i%len(d.Keys)]
		if keys[i], err = hex.DecodeString(k); err == nil {
			err = d.ParseRow(&rows[i], keys[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: key %s: %w", d.Schema, k, err)
		}
	}
	works := []func(int) error{eachRow(rows, d.Fluent), eachRow(rows, codec.Append), eachKey(keys, d.Read), eachKey(keys, codec.Decode)}
	floors := []func(int) error{eachOf(rows, d.Append), eachOf(rows, d.Append), eachInto(keys, d.ParseInto), eachInto(keys, d.ParseRow)}
	same := func() error {
		for i, key := range keys[:len(d.Keys)] {
			for _, f := range []func([]byte, *R) ([]byte, error){d.Fluent, codec.Append, func(dst []byte, r *R) ([]byte, error) { return d.Append(r, dst) }} {
				if k, err := f(nil, &rows[i]); err != nil || string(k) != string(key) {
					return fmt.Errorf("key %x is written as %x, %w", key, k, err)
				}
			}
			var a, b R
			if err := codec.Decode(key, &a); err != nil || d.ParseRow(&b, key) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
				return fmt.Errorf("key %x is read as %v, and by printed code as %v, %w", key, a, b, err)
			}
			var c, e B
			if err := d.Read(key, &c); err != nil || d.ParseInto(&e, key) != nil || fmt.Sprint(c) != fmt.Sprint(e) {
				return fmt.Errorf("key %x is read as %v, and by printed code as %v, %w", key, c, e, err)
			}
		}
		return nil
	}
	var jobs []Job
	for i, way := range Ways {
		most, err := Allocs(floors[i], 1)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, Job{Name: fmt.Sprintf("drawn/%s/%d", d.Schema, i), Table: d.Schema.String(), What: way, Unit: "key", Per: 1, Allocs: most,
			New: func() Pair { return Pair{works[i], floors[i], same} }})
	}
	return jobs, nil
}

// DrawnMarkdown is the part of the document that has the layouts that were drawn. of says from what.
func DrawnMarkdown(ratios map[string][]DrawnRatio, of string) map[string]string {
	t := newGrid(table.Row{"way", "layouts", "median", "9 of 10 below", "worst", "which"}, 2, 3, 4, 5)
	for _, way := range Ways {
		all := slices.Clone(ratios[way])
		slices.SortFunc(all, func(a, b DrawnRatio) int { return cmp.Compare(a.Ratio, b.Ratio) })
		worst := all[len(all)-1]
		t.AppendRow(table.Row{way, len(all), two(all[len(all)/2].Ratio), two(all[len(all)*9/10].Ratio), two(worst.Ratio), cellOf(worst.Layout)})
	}
	return map[string]string{"drawn": t.RenderMarkdown() + "\n\n" + of}
}

func two(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }

// DrawnRatio is how a layout did in one way.
type DrawnRatio struct {
	Layout string  `json:"layout"`
	Way    string  `json:"way"`
	Ratio  float64 `json:"ratio"`
	Allocs int     `json:"allocs"`
	Most   int     `json:"most"` // what the printed code allocates
}

// DrawnRatios are the ratios of a report of drawn layouts.
func (r *Report) DrawnRatios() (all []DrawnRatio) {
	for _, j := range r.Jobs {
		all = append(all, DrawnRatio{j.job.Table, j.job.What, j.Ratio, j.Allocs, j.job.Allocs})
	}
	return all
}
