package hbase

import "sync/atomic"

// A call's rows are asked for by their number; there is no other way. What they
// take is known when they have come: by that the next call is sized.

const (
	callBytes = 2 << 20 // that a call is to bring
	firstRows = 8       // of a first call, while nobody knows how large rows are
	shortRows = 64      // of a first call else: most scans are short
)

// tableState is what a client has learnt of a table.
type tableState struct {
	rowSize  atomic.Int64 // the bytes of a whole row, about; 0 before one was seen
	reverses atomic.Bool  // its server reads backward where it is asked to
}

func (c *Client) state(table string) *tableState {
	if s, ok := c.tables.Load(table); ok {
		return s.(*tableState)
	}
	s, _ := c.tables.LoadOrStore(table, new(tableState))
	return s.(*tableState)
}

// pace says how many rows to ask for.
type pace struct {
	size  int // of the next call
	most  int
	each  int64       // the bytes of a row, about; 0 while nobody knows
	state *tableState // which learns of it, where rows are whole
}

func (t *Table) pace(s *scanOpts) pace {
	p := pace{size: firstRows, most: s.batch}
	known := t.state.rowSize.Load()
	switch {
	case s.keysOnly:
		p.size, p.each = shortRows, 1 // GetRows bounds the bytes of keys itself
	case known > 0 && s.versions < 2: // of some columns it is less
		p.size, p.each = min(shortRows, fitting(known)), known
	}
	if !s.keysOnly && len(s.columns) == 0 && s.filterString == "" && s.times == nil {
		p.state = t.state
	}
	p.size = min(p.size, p.most)
	return p
}

// fitting is how many rows of a size make a call.
func fitting(each int64) int { return int(max(1, callBytes/each)) }

// saw records an answer's rows and bytes. It grows by a factor of four: rows
// to come may be larger than those that came. Keys of which there is no row are
// answered by no bytes, and say nothing of those that there are: while no row's
// size is known, a call stays a short one.
func (p *pace) saw(rows, bytes int) {
	if rows > 0 {
		p.each = int64(max(1, bytes/rows))
		if p.state != nil { // smaller ones are believed by and by
			p.state.rowSize.Store(max(p.each, p.state.rowSize.Load()*3/4))
		}
	}
	fits := shortRows
	if p.each > 0 {
		fits = fitting(p.each)
	}
	p.size = min(p.most, fits, max(shortRows, 4*p.size))
}
