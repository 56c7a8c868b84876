package bench

import (
	"encoding/hex"
	"fmt"
	"math"
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
	rows, keys := make([]R, len(d.Keys)), make([][]byte, len(d.Keys))
	for i, k := range d.Keys {
		if keys[i], err = hex.DecodeString(k); err == nil {
			err = d.ParseRow(&rows[i], keys[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: key %s: %w", d.Schema, k, err)
		}
	}
	write := func(f func([]byte, *R) ([]byte, error)) func(int) error {
		buf := make([]byte, 0, 512)
		return func(n int) error {
			for i := range n {
				if k, err := f(buf, &rows[i%len(rows)]); err != nil || len(k) == 0 {
					return fmt.Errorf("made no key: %w", err)
				}
			}
			return nil
		}
	}
	var row R
	var into B
	codecAppend := func(dst []byte, r *R) ([]byte, error) { return codec.Append(dst, r) }
	codecDecode := func(key []byte, r *R) error { return codec.Decode(key, r) }
	floorAppend := func(dst []byte, r *R) ([]byte, error) { return d.Append(r, dst) }
	floorInto := func(key []byte, b *B) error { return d.ParseInto(b, key) }
	floorRow := func(key []byte, r *R) error { return d.ParseRow(r, key) }
	works := []func(int) error{write(d.Fluent), write(codecAppend), readInto(keys, &into, d.Read), readInto(keys, &row, codecDecode)}
	floors := []func(int) error{write(floorAppend), write(floorAppend), readInto(keys, &into, floorInto), readInto(keys, &row, floorRow)}
	same := func() error {
		for i, key := range keys {
			for _, f := range []func([]byte, *R) ([]byte, error){d.Fluent, codecAppend, floorAppend} {
				if k, err := f(nil, &rows[i]); err != nil || string(k) != string(key) {
					return fmt.Errorf("key %x is written as %x, %w", key, k, err)
				}
			}
			var a, b R
			if err := codecDecode(key, &a); err != nil || floorRow(key, &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
				return fmt.Errorf("key %x is read as %v, and by printed code as %v, %w", key, a, b, err)
			}
			var c, e B
			if err := d.Read(key, &c); err != nil || floorInto(key, &e) != nil || fmt.Sprint(c) != fmt.Sprint(e) {
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

// readInto reads the keys one after the other into the same row.
func readInto[T any](keys [][]byte, into *T, read func([]byte, *T) error) func(int) error {
	return func(n int) error {
		for i := range n {
			if err := read(keys[i%len(keys)], into); err != nil {
				return err
			}
		}
		return nil
	}
}

// DrawnMarkdown is the part of the document that has the layouts that were drawn. of says from what.
func DrawnMarkdown(ratios map[string][]DrawnRatio, of string) map[string]string {
	t := newGrid(table.Row{"way", "layouts", "median", "9 of 10 below", "worst", "which"}, 2, 3, 4, 5)
	for _, way := range Ways {
		all := slices.Clone(ratios[way])
		slices.SortFunc(all, func(a, b DrawnRatio) int { return int(math.Copysign(1, a.Ratio-b.Ratio)) })
		worst := all[len(all)-1]
		t.AppendRow(table.Row{way, len(all), two(all[len(all)/2].Ratio), two(all[len(all)*9/10].Ratio), two(worst.Ratio), "`" + worst.Layout + "`"})
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
