package hbase

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

const (
	batchRows  = 1000    // rows in a call of PutAll, GetAll or Delete
	batchBytes = 1 << 20 // bytes of keys and values there, about
)

// PutAll writes rows in batches of up to 1000 rows and about 1 MB, parallel of them
// at the same time (fewer than one counts as one; the client's Connections bound
// them too). A row that is larger goes alone. It asks for further rows only when there is a batch to put them
// in: a server that is slow makes the caller's sequence wait, not grow. The
// first error, be it of a row of the sequence, ends it. written is the rows in
// the batches that the server said it has; others may have been written, too, so
// put all of them again, or use PutBatches, which reports which they are. A row's key
// and cells must stay as they are until PutAll returns.
func (t *Table) PutAll(ctx context.Context, rows iter.Seq2[Row, error], parallel int) (written int, err error) {
	for batch, failed := range t.PutBatches(ctx, rows, parallel) {
		switch {
		case failed == nil:
			written += batch.To - batch.From
		case err == nil:
			err = failed
		}
	}
	return written, err
}

// Sent is rows of a sequence that were sent in one call: those from number From on,
// before number To, where the first row is number 0.
type Sent struct{ From, To int }

// PutBatches is PutAll that reports how each batch went, as soon as that is known:
// in the order in which they end, not that of the rows. Without an
// error the rows of the batch are written. With one they may have been written or
// not (Error.Unsure); no further rows are asked for, and the batches that are under way
// are reported, too. Rows that no batch has reported have not been sent. An error of
// the sequence itself comes with a batch of no rows. To leave the loop early ends
// the calls that are under way.
//
//	done := make([]bool, len(rows))
//	for batch, err := range table.PutBatches(ctx, sequence, 4) {
//		for i := batch.From; i < batch.To; i++ {
//			done[i] = err == nil
//		}
//	}
func (t *Table) PutBatches(ctx context.Context, rows iter.Seq2[Row, error], parallel int) iter.Seq2[Sent, error] {
	return func(yield func(Sent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		p := &putting{table: t, ctx: ctx, yield: yield, todo: make(chan *putBatch), done: make(chan *putBatch), quit: make(chan struct{})}
		var senders sync.WaitGroup
		defer func() { // whatever ends the loop, a panic of the sequence, too
			cancel()
			close(p.quit)
			close(p.todo)
			senders.Wait()
			if v := p.late.Load(); v != nil {
				panic(*v)
			}
		}()
		for range max(parallel, 1) {
			senders.Add(1)
			go func() {
				defer senders.Done()
				p.send()
			}()
		}
		p.gather(rows)
		for p.underWay > 0 && !p.left {
			p.tell(<-p.done)
		}
	}
}

// putting is a PutBatches under way. All but send runs where the caller's loop does.
type putting struct {
	table *Table
	ctx   context.Context
	yield func(Sent, error) bool
	todo  chan *putBatch
	done  chan *putBatch
	quit  chan struct{}       // nobody reads done any more
	late  atomic.Pointer[any] // a panic of a Watcher after that

	next     *putBatch // is being filled
	underWay int
	ended    bool // after an error
	left     bool // by the caller
}

// putBatch is the rows of one call.
type putBatch struct {
	Sent
	puts  []*thrift2.TPut
	bytes int
	fixed bool
	err   error

	panicked any // of a Watcher, for the caller's loop
}

// send sends batches.
func (p *putting) send() {
	for b := range p.todo {
		p.sendOne(b)
	}
}

func (p *putting) sendOne(b *putBatch) {
	caught(func() {
		t := p.table
		r := request{name: "putMultiple", write: true, fixed: b.fixed, rows: len(b.puts)}
		b.err = t.call(p.ctx, r, func(ctx context.Context, s *thrift2.THBaseServiceClient) error {
			return s.PutMultiple(ctx, t.bytes, b.puts)
		})
		b.puts = nil
	}, func(panicked any) {
		b.panicked = panicked
		select {
		case p.done <- b:
		case <-p.quit:
			if panicked != nil {
				p.late.Store(&b.panicked)
			}
		}
	})
}

// tell yields a batch that was sent.
func (p *putting) tell(b *putBatch) {
	p.underWay--
	if b.panicked != nil {
		panic(b.panicked)
	}
	p.report(b.Sent, b.err)
}

func (p *putting) report(b Sent, err error) {
	p.ended = p.ended || err != nil
	p.left = p.left || !p.yield(b, err)
	p.ended = p.ended || p.left
}

// pass gives the batch to a sender, and reports those that end meanwhile.
func (p *putting) pass() {
	for !p.ended {
		select {
		case p.todo <- p.next:
			p.underWay++
			p.next = nil
			return
		case b := <-p.done:
			p.tell(b)
		case <-p.ctx.Done():
			p.report(Sent{p.next.From, p.next.From}, p.table.refuse("putMultiple", p.ctx.Err()))
		}
	}
}

// gather makes batches of rows, until there are no more or one has failed.
func (p *putting) gather(rows iter.Seq2[Row, error]) {
	n := 0
	var memory putMemory
	for r, err := range rows {
		var put *thrift2.TPut
		var bytes int
		var fixed bool
		if err == nil {
			put, bytes, fixed, err = p.table.put(r, &memory)
		}
		if err != nil {
			p.report(Sent{n, n}, p.table.refuse("putMultiple", fmt.Errorf("row %d: %w", n, err)))
			return
		}
		if p.next != nil && p.next.bytes+bytes > batchBytes {
			if p.pass(); p.ended {
				return
			}
		}
		if p.next == nil {
			p.next = &putBatch{Sent: Sent{n, n}, fixed: true}
		}
		b := p.next
		b.puts = append(b.puts, put)
		b.bytes += bytes
		b.fixed = b.fixed && fixed
		n++
		b.To = n
		if len(b.puts) >= batchRows || b.bytes >= batchBytes {
			p.pass()
		}
		for more := true; more && !p.ended; {
			select {
			case b := <-p.done:
				p.tell(b)
			default:
				more = false
			}
		}
		if p.ended {
			return
		}
	}
	if p.next != nil {
		p.pass()
	}
}

// putMemory is memory for rows as they are sent, for many at a time; nil is that for one.
type putMemory struct {
	puts   []thrift2.TPut
	values []thrift2.TColumnValue
	cells  []*thrift2.TColumnValue
	names  map[string][]byte
}

// carve takes n of a slice, and makes a new one where it has not so many.
func carve[T any](of *[]T, n int) []T {
	const many = 128
	if len(*of) < n {
		*of = make([]T, max(n, many))
	}
	taken := (*of)[:n:n]
	*of = (*of)[n:]
	return taken
}

// put is a row of so many cells.
func (m *putMemory) put(cells int) *thrift2.TPut {
	if m == nil {
		p := &thrift2.TPut{ColumnValues: make([]*thrift2.TColumnValue, cells)}
		for i := range p.ColumnValues {
			p.ColumnValues[i] = new(thrift2.TColumnValue)
		}
		return p
	}
	p := &carve(&m.puts, 1)[0]
	p.ColumnValues = carve(&m.cells, cells)
	for i := range p.ColumnValues {
		p.ColumnValues[i] = &carve(&m.values, 1)[0]
	}
	return p
}

// name is the bytes of a family or qualifier. There are few, and they come again.
func (m *putMemory) name(s string) []byte {
	if m == nil {
		return []byte(s)
	}
	b, ok := m.names[s]
	if !ok {
		const few = 256
		if b = []byte(s); m.names == nil || len(m.names) == few {
			m.names = map[string][]byte{}
		}
		m.names[s] = b
	}
	return b
}
