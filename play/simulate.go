//go:build !play_first

package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/simulate"
)

// simulateAsk is designs, and the rows that are written under them.
type simulateAsk struct {
	Designs []namedNotation   `json:"designs"`
	Rows    map[string]string `json:"rows"`  // how they are made up
	Count   int               `json:"count"` // of those that are made up
	Servers int               `json:"servers"`
	CSV     string            `json:"csv"` // rows instead of those made up
}

type namedNotation struct {
	Name     string `json:"name"`
	Notation string `json:"notation"`
}

// simulation is what rows do to each design.
type simulation struct {
	Rows     int64        `json:"rows"`
	Withheld string       `json:"withheld,omitempty"` // why there is no verdict
	Designs  []resultView `json:"designs"`
	Made     [][2]string  `json:"made,omitempty"` // how the rows were made up
	Cut      bool         `json:"cut,omitempty"`  // there are more rows than are simulated
}

type resultView struct {
	Pattern string      `json:"pattern"`
	Grade   string      `json:"grade"`
	Says    string      `json:"says"`
	Takes   float64     `json:"takes"` // servers that it can use at its worst
	Servers int         `json:"servers"`
	Hottest float64     `json:"hottest"` // region's share at its worst
	Mean    float64     `json:"mean"`    // bytes of a key
	Cell    float64     `json:"cell"`    // bytes of a cell in a file
	Refused int64       `json:"refused,omitempty"`
	Cause   string      `json:"cause,omitempty"`
	Lost    float64     `json:"lost,omitempty"` // share of the rows that overwrite another
	Fair    float64     `json:"fair"`
	Windows []string    `json:"windows"`
	Few     []bool      `json:"few"`
	Lines   []lineView  `json:"lines"`
	Cells   [][]float64 `json:"cells"` // by line and window, the share of the window's writes
}

type lineView struct {
	From  string  `json:"from"`
	Share float64 `json:"share"`
	Even  float64 `json:"even"`
}

// simulated writes rows under some designs.
func simulated(a simulateAsk) (*simulation, error) {
	if len(a.Designs) == 0 || len(a.Designs) > maxDesigns {
		return nil, fmt.Errorf("expected 1 to %d designs", maxDesigns)
	}
	if a.Servers < 0 || a.Servers > 1000 {
		return nil, errors.New("expected at most 1000 servers")
	}
	if err := tooLong("the rows", a.CSV, maxCSV); err != nil {
		return nil, err
	}
	a.Count = min(max(cmp.Or(a.Count, usualCount), fewestRows), mostRows)
	var designs []simulate.Design
	var schemas []*rowkey.Schema
	for i, d := range a.Designs {
		s, err := parse(d.Name, d.Notation)
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, s)
		designs = append(designs, simulate.Design{Name: fmt.Sprint(i), Schema: s})
	}
	out := &simulation{}
	var in io.Reader
	seen := float64(a.Count)
	if a.CSV != "" {
		text := strings.TrimPrefix(a.CSV, "\ufeff")
		lines := strings.Count(strings.TrimRight(text, "\n"), "\n")
		out.Cut = lines > mostRows
		a.Count = mostRows
		seen, in = float64(max(min(lines, mostRows), 1)), strings.NewReader(text)
	} else {
		columns, err := columnsOf(schemas, a.Rows, a.Count)
		if err != nil {
			return nil, err
		}
		made, err := simulate.Describe(columns)
		if err != nil {
			return nil, err
		}
		made.Limit(int64(a.Count))
		out.Made, in = columns, made
		if columns[len(columns)-1][0] == arrival {
			out.Made = columns[:len(columns)-1]
		}
	}
	sim, err := simulate.New(designs, nil, simulate.Options{Servers: a.Servers, Seen: seen, Jitter: -1, Clock: said.FirstTime(schemas...)})
	if err != nil {
		return nil, err
	}
	if err := write(sim, schemas, in, a.Count); err != nil {
		return nil, err
	}
	r := sim.Report()
	if r.Rows == 0 {
		return nil, errors.New("no rows: a line for each, after the line that names the columns")
	}
	out.Rows, out.Withheld = r.Rows, r.Withheld
	for _, d := range r.Designs {
		out.Designs = append(out.Designs, resultOf(r, d))
	}
	return out, nil
}

// write writes the rows under each design.
func write(sim *simulate.Simulation, schemas []*rowkey.Schema, in io.Reader, most int) error {
	makers := make([]*keyMaker, len(schemas))
	values := make([][]simulate.Value, len(schemas))
	b := sim.Batch()
	clock, how := -1, said.Values{Cache: &said.LayoutCache{}}
	at := rowkey.FieldInfo{Name: "time", Kind: "time"}
	err := rowsOf(in, most, func(header []string) (err error) {
		for i, s := range schemas {
			if makers[i], err = newKeyMaker(s, header); err != nil {
				return err
			}
			values[i] = make([]simulate.Value, len(makers[i].column))
		}
		if clock = slices.Index(header, said.FirstTime(schemas...)); clock < 0 {
			clock = slices.Index(header, arrival)
		}
		return nil
	}, func(texts []string) error {
		var arrives time.Time
		if clock >= 0 {
			arrives, _, _ = how.Time(&at, []byte(texts[clock])) // of one without, the simulation counts the row as timeless
		}
		b.Row(arrives)
		for i, m := range makers {
			key, err := m.key(texts)
			if err != nil {
				b.Key(i, nil, err)
				continue
			}
			for j := range m.row.Slots {
				values[i][j] = simulatedValue(&m.row.Slots[j], &m.row.Fields[j])
			}
			b.Key(i, key, nil, values[i]...)
		}
		if b.Len() < 1024 {
			return nil
		}
		err := sim.Add(context.Background(), b)
		b.Reset()
		return err
	})
	if err != nil {
		return err
	}
	return sim.Add(context.Background(), b)
}

// simulatedValue is a value as the simulation takes it.
func simulatedValue(s *said.Slot, f *rowkey.FieldInfo) simulate.Value {
	if s.State != said.Given {
		return simulate.Null()
	}
	switch f.Kind {
	case "string", "binary":
		return simulate.Bytes(s.Text)
	case "uint":
		return simulate.Number(s.U)
	case "int":
		return simulate.Signed(s.I)
	case "bool":
		return simulate.Number(uint64(b2i(s.B)))
	}
	return simulate.Moment()
}

// resultOf is a result as the page draws it.
func resultOf(r *simulate.Report, d *simulate.Result) resultView {
	g := d.Grid(gridLines)
	v := resultView{Pattern: d.Pattern, Grade: d.Grade, Says: d.Says, Takes: d.Takes, Servers: r.Servers, Hottest: d.Region.Worst, Mean: d.Mean, Cell: d.Cell.None,
		Refused: d.Refused, Lost: d.Lost, Fair: g.Fair, Windows: []string{}, Few: []bool{}, Lines: []lineView{}, Cells: [][]float64{}}
	if len(d.Causes) > 0 {
		v.Cause = firstLine(errors.New(d.Causes[0].Text))
	}
	for _, w := range g.Windows {
		when := ""
		if r.Timed() {
			when = r.When(w.From)
		}
		v.Windows, v.Few = append(v.Windows, when), append(v.Few, w.Few)
	}
	for _, l := range g.Lines {
		v.Lines = append(v.Lines, lineView{l.From, l.Share, l.Even})
		shares := make([]float64, len(l.Cells))
		for i, c := range l.Cells {
			shares[i] = float64(int(c.Share*1000+0.5)) / 1000
		}
		v.Cells = append(v.Cells, shares)
	}
	return v
}
