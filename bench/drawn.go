package bench

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"reflect"
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

	// Conds ask for the first field of a row, and for its last field or more; Test is the same by hand.
	Conds func(*R) []rowkey.Cond
	Test  func(*B, *R) bool
}

// DrawnWays are what is timed of a layout that was drawn: Plan.Match too, where one row of 64 is asked for,
// and where that one comes each time.
var DrawnWays = append(slices.Clip(Ways), "match, 1 key of 64", "match, each key")

// Jobs are the ways of a layout. Job.Allocs is what the floor allocates: the result.
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
	asked := &rows[len(d.Keys)/2]
	plan, err := d.Schema.Scan(append(d.Conds(asked), rowkey.FullScan(), rowkey.MaxRanges(1<<20))...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Schema, err)
	}
	into := new(B)
	byHand := func(key []byte) bool { return d.ParseInto(into, key) == nil && d.Test(into, asked) }
	one := slices.Repeat([][]byte{keys[len(d.Keys)/2]}, lot)
	works := []func(int) error{eachRow(rows, d.Fluent), eachRow(rows, codec.Append), eachKey(keys, d.Read), eachKey(keys, codec.Decode), eachMatch(keys, plan.Match), eachMatch(one, plan.Match)}
	floors := []func(int) error{eachOf(rows, d.Append), eachOf(rows, d.Append), eachInto(keys, d.ParseInto), eachInto(keys, d.ParseRow), eachMatch(keys, byHand), eachMatch(one, byHand)}
	same := func() error {
		for _, key := range keys[:len(d.Keys)] {
			if got, want := plan.Match(key), byHand(key); got != want {
				return fmt.Errorf("key %x matches %s: %t, and by hand %t", key, plan, got, want)
			}
		}
		for i, key := range keys[:len(d.Keys)] {
			for _, f := range []func([]byte, *R) ([]byte, error){d.Fluent, codec.Append, func(dst []byte, r *R) ([]byte, error) { return d.Append(r, dst) }} {
				if k, err := f(nil, &rows[i]); err != nil || string(k) != string(key) {
					return fmt.Errorf("key %x is written as %x, %w", key, k, err)
				}
			}
			var a, b R
			if err := codec.Decode(key, &a); err != nil || d.ParseRow(&b, key) != nil || !reflect.DeepEqual(a, b) {
				return fmt.Errorf("key %x is read as %v, and by printed code as %v, %w", key, a, b, err)
			}
			var c, e B
			if err := d.Read(key, &c); err != nil || d.ParseInto(&e, key) != nil || fmt.Sprint(c) != fmt.Sprint(e) && !reflect.DeepEqual(c, e) {
				return fmt.Errorf("key %x is read as %v, and by printed code as %v, %w", key, c, e, err)
			}
		}
		return nil
	}
	var jobs []Job
	for i, way := range DrawnWays {
		most, err := Allocs(floors[i], 1)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, Job{Name: fmt.Sprintf("drawn/%s/%d", d.Schema, i), Table: d.Schema.String(), What: way, Unit: "key", Per: 1, Allocs: most,
			New: func() Pair { return Pair{works[i], floors[i], same} }})
	}
	return jobs, nil
}

// Optional reads a field that may be null; nil: it is.
func Optional[V any](k rowkey.Reader, read func(rowkey.Reader, *V) rowkey.Reader) (*V, rowkey.Reader) {
	null := false
	if k = k.Null(&null); null {
		return nil, k.Skip()
	}
	v := new(V)
	return v, read(k, v)
}

// DrawnMarkdown is the part of the document that has the layouts that were drawn. of says from what.
func DrawnMarkdown(ratios map[string][]DrawnRatio, of string) map[string]string {
	t := newGrid(table.Row{"way", "layouts", "median", "9 of 10 below", "worst", "which"}, 2, 3, 4, 5)
	for _, way := range DrawnWays {
		all := slices.Clone(ratios[way])
		slices.SortFunc(all, func(a, b DrawnRatio) int { return cmp.Compare(a.Ratio, b.Ratio) })
		worst := all[len(all)-1]
		t.AppendRow(table.Row{way, len(all), two(all[len(all)/2].Ratio), two(all[len(all)*9/10].Ratio), two(worst.Ratio), cellOf(worst.Layout)})
	}
	return map[string]string{"drawn": t.RenderMarkdown() + "\n\n" + of}
}

// DrawnTable has a line for each layout.
func DrawnTable(all []DrawnRatio) string {
	head := table.Row{"layout"}
	for _, way := range DrawnWays {
		head = append(head, way)
	}
	t := newGrid(head, 2, 3, 4, 5, 6, 7)
	for of := range slices.Chunk(all, len(DrawnWays)) {
		row := table.Row{cellOf(of[0].Layout)}
		for _, r := range of {
			row = append(row, two(r.Ratio))
		}
		t.AppendRow(row)
	}
	return t.RenderMarkdown()
}

func two(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }

// DrawnRatio is how a layout did in one way.
type DrawnRatio struct {
	Layout string  `json:"layout"`
	Way    string  `json:"way"`
	Ratio  float64 `json:"ratio"`
	Work   float64 `json:"ns"`
	Floor  float64 `json:"floor_ns"`
	Allocs int     `json:"allocs"`
	Most   int     `json:"most"` // what the printed code allocates
}

// DrawnRatios are the ratios of a report of drawn layouts.
func (r *Report) DrawnRatios() (all []DrawnRatio) {
	for _, j := range r.Jobs {
		all = append(all, DrawnRatio{j.job.Table, j.job.What, j.Ratio, j.Work.Median, j.Floor.Median, j.Allocs, j.job.Allocs})
	}
	return all
}
