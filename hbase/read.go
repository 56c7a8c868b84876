package hbase

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/hbase-rowkey/rowkey/hbase/internal/thrift2"
)

// Answers are read strictly: what is no answer is an error at its first bytes, and
// an answer is bounded as a whole. Rows are read as callers get them, each key and
// value into memory of just its length.

// maxAnswer is the most bytes of an answer.
var maxAnswer = 100 << 20

// badAnswer is an answer that is not as Thrift's are. The connection that it came
// over is of no more use.
type badAnswer string

func (b badAnswer) Error() string { return string(b) }

// input is where answers come from. The first error of an answer stays; reads
// after it give nothing.
type input struct {
	*bufio.Reader
	framed bool
	left   int // bytes that the answer may still have
	err    error
	ended  atomic.Bool // the call that waits for it has
}

func newInput(r io.Reader) *input { return &input{Reader: bufio.NewReaderSize(r, bufferSize)} }

// begin prepares for an answer.
func (in *input) begin() { in.left, in.err = maxAnswer, nil }

func (in *input) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

// take has the answer be n bytes longer.
func (in *input) take(n int) bool {
	switch {
	case in.err != nil:
	case in.ended.Load():
		in.fail(context.Canceled)
	case n < 0:
		in.fail(badAnswer("the answer has a length below 0"))
	case n > in.left && in.framed:
		in.fail(badAnswer("the answer is longer than its frame"))
	case n > in.left:
		in.fail(badAnswer(fmt.Sprintf("the answer is longer than %d MB", maxAnswer>>20)))
	default:
		in.left -= n
		return true
	}
	return false
}

// next gives the next few bytes, which stay until the next read.
func (in *input) next(n int) []byte {
	if !in.take(n) {
		return nil
	}
	b, err := in.Peek(n)
	if err != nil {
		in.fail(err)
		return nil
	}
	in.Discard(n)
	return b
}

func (in *input) byte() byte {
	if b := in.next(1); b != nil {
		return b[0]
	}
	return 0
}

// ReadByte is the next byte, for what the library reads itself.
func (in *input) ReadByte() (byte, error) { return in.byte(), in.err }

func (in *input) i16() int16 {
	if b := in.next(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (in *input) i32() int32 {
	if b := in.next(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (in *input) i64() int64 {
	if b := in.next(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// field is the head of a field; STOP after the last, and after an error.
func (in *input) field() (thrift.TType, int16) {
	typ := thrift.TType(in.byte())
	if typ == thrift.STOP || in.err != nil {
		return thrift.STOP, 0
	}
	return typ, in.i16()
}

// list is the head of a list or a set. Each element has a byte at least, so that a
// count is not more than is left.
func (in *input) list() (element thrift.TType, n int) {
	element = thrift.TType(in.byte())
	return element, in.count()
}

func (in *input) count() int {
	n := int(in.i32())
	if in.err == nil && (n < 0 || n > in.left) {
		in.fail(badAnswer(fmt.Sprintf("the answer says that a list has %d elements", n)))
	}
	if in.err != nil {
		return 0
	}
	return n
}

// binary gives bytes in memory of their own, of just their length. A length is
// believed up to a megabyte; beyond, as the bytes come.
func (in *input) binary() []byte { return in.bytes(int(in.i32())) }

func (in *input) bytes(n int) []byte {
	const believed = 1 << 20
	if !in.take(n) {
		return nil
	}
	b := make([]byte, min(n, believed))
	read := 0
	for {
		if _, err := io.ReadFull(in.Reader, b[read:]); err != nil {
			in.fail(err)
			return nil
		}
		if read = len(b); read == n {
			return b
		}
		more := make([]byte, min(n, 2*read))
		copy(more, b)
		b = more
	}
}

// text gives a string: like itself, if it is equal.
func (in *input) text(like string) string {
	n := int(in.i32())
	if n > in.Size() {
		return string(in.bytes(n))
	}
	b := in.next(n)
	if string(b) == like {
		return like
	}
	return string(b)
}

// skip passes over a value.
func (in *input) skip(typ thrift.TType, depth int) {
	if depth == 0 {
		in.fail(badAnswer("the answer is too deep"))
	}
	if in.err != nil {
		return
	}
	switch typ {
	case thrift.BOOL, thrift.BYTE:
		in.next(1)
	case thrift.I16:
		in.next(2)
	case thrift.I32:
		in.next(4)
	case thrift.I64, thrift.DOUBLE:
		in.next(8)
	case thrift.STRING:
		if n := int(in.i32()); in.take(n) {
			if _, err := in.Discard(n); err != nil {
				in.fail(err)
			}
		}
	case thrift.STRUCT:
		for {
			typ, _ := in.field()
			if typ == thrift.STOP {
				return
			}
			in.skip(typ, depth-1)
		}
	case thrift.LIST, thrift.SET:
		element, n := in.list()
		for ; n > 0 && in.err == nil; n-- {
			in.skip(element, depth-1)
		}
	case thrift.MAP:
		key, value := thrift.TType(in.byte()), thrift.TType(in.byte())
		for n := in.count(); n > 0 && in.err == nil; n-- {
			in.skip(key, depth-1)
			in.skip(value, depth-1)
		}
	default:
		in.fail(badAnswer(fmt.Sprintf("the answer has a value of no type (%d)", typ)))
	}
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 16

// message is the head of an answer.
func (in *input) message() (name string, typ thrift.TMessageType, seq int32) {
	head := in.next(4)
	if in.framed && head != nil {
		n := binary.BigEndian.Uint32(head)
		if int64(n) > int64(maxAnswer) {
			in.fail(in.noThrift(head))
			return
		}
		in.left = int(n)
		head = in.next(4)
	}
	if head == nil {
		return
	}
	if head[0] != 0x80 || head[1] != 1 {
		in.fail(in.noThrift(head))
		return
	}
	typ = thrift.TMessageType(head[3])
	name = in.text("")
	return name, typ, in.i32()
}

const (
	errFramed   = badAnswer("the server speaks Thrift in frames")
	errNoThrift = badAnswer("the server does not speak Thrift's binary protocol")
)

// noThrift says what the answer may be that begins so.
func (in *input) noThrift(head []byte) badAnswer {
	begin := string(head)
	switch {
	case begin == "HTTP":
		return "the server speaks HTTP: its address begins with http:// or https://"
	case begin == "SSH-":
		return "the server speaks SSH"
	case begin[0] == '<':
		return "the server speaks HTML or XML"
	case (begin[0] == 0x15 || begin[0] == 0x16) && begin[1] == 3:
		return "the server speaks TLS: the option TLS is for it"
	}
	if more, _ := in.Peek(min(in.Buffered(), 2)); !in.framed && string(more) == "\x80\x01" {
		return errFramed
	}
	return errNoThrift
}

// end is the end of an answer.
func (in *input) end() error {
	if in.err == nil && in.framed && in.left > 0 {
		in.fail(badAnswer("the answer is shorter than its frame"))
	}
	return in.err
}

// protocol is Thrift's binary protocol: the library's for writing, and input for
// reading.
type protocol struct {
	*thrift.TBinaryProtocol
	in *input
}

func newProtocol(w wire) *protocol {
	return &protocol{thrift.NewTBinaryProtocolConf(w, &thrift.TConfiguration{}), w.input()}
}

// maxElements is the most elements of a list that the generated code reads: it
// makes room for all of them before the first has come.
const maxElements = 1 << 20

func (p *protocol) elements(n int) (int, error) {
	if n > maxElements {
		p.in.fail(badAnswer(fmt.Sprintf("the answer has a list of %d elements, of %d allowed", n, maxElements)))
		n = 0
	}
	return n, p.in.err
}

func (p *protocol) ReadMessageBegin(context.Context) (string, thrift.TMessageType, int32, error) {
	name, typ, seq := p.in.message()
	return name, typ, seq, p.in.err
}

func (p *protocol) ReadMessageEnd(context.Context) error { return p.in.end() }

func (p *protocol) ReadFieldBegin(context.Context) (string, thrift.TType, int16, error) {
	typ, id := p.in.field()
	return "", typ, id, p.in.err
}

func (p *protocol) ReadListBegin(context.Context) (thrift.TType, int, error) {
	element, n := p.in.list()
	n, err := p.elements(n)
	return element, n, err
}

func (p *protocol) ReadSetBegin(ctx context.Context) (thrift.TType, int, error) {
	return p.ReadListBegin(ctx)
}

func (p *protocol) ReadMapBegin(context.Context) (key, value thrift.TType, n int, err error) {
	key, value = thrift.TType(p.in.byte()), thrift.TType(p.in.byte())
	n, err = p.elements(p.in.count())
	return key, value, n, err
}

func (p *protocol) ReadBool(context.Context) (bool, error) { return p.in.byte() == 1, p.in.err }
func (p *protocol) ReadI16(context.Context) (int16, error) { return p.in.i16(), p.in.err }
func (p *protocol) ReadI32(context.Context) (int32, error) { return p.in.i32(), p.in.err }
func (p *protocol) ReadI64(context.Context) (int64, error) { return p.in.i64(), p.in.err }
func (p *protocol) ReadString(context.Context) (string, error) {
	return string(p.in.binary()), p.in.err
}
func (p *protocol) ReadBinary(context.Context) ([]byte, error) { return p.in.binary(), p.in.err }

func (p *protocol) ReadDouble(context.Context) (float64, error) {
	return math.Float64frombits(uint64(p.in.i64())), p.in.err
}

func (p *protocol) Skip(_ context.Context, typ thrift.TType) error {
	p.in.skip(typ, maxDepth)
	return p.in.err
}

// results is the answer of a call that gives rows.
type results struct {
	rows  []Row // those that have a key
	count int   // of all
	size  int   // bytes of memory, about
	past  int   // bytes of cells that were passed over
	one   bool  // it gives a row, not a list of rows
	bare  bool  // cells are passed over
	io    *thrift2.TIOError
}

func (r *results) Write(context.Context, thrift.TProtocol) error { return nil } // it is not sent

func (r *results) Read(ctx context.Context, from thrift.TProtocol) error {
	in := from.(*protocol).in
	r.rows, r.count, r.size, r.past, r.io = r.rows[:0], 0, 0, 0, nil
	some := false
	for {
		typ, id := in.field()
		switch {
		case typ == thrift.STOP:
			if in.err == nil && !some {
				in.fail(badAnswer("the answer has no result"))
			}
			return in.err
		case id == 0 && typ == thrift.STRUCT && r.one:
			some = true
			r.row(in)
		case id == 0 && typ == thrift.LIST && !r.one:
			some = true
			element, n := in.list()
			if n > 0 && element != thrift.STRUCT {
				in.fail(badAnswer("the answer has a list, but not of rows"))
			}
			if cap(r.rows) < n {
				r.rows = make([]Row, 0, min(n, believedRows))
			}
			for ; n > 0 && in.err == nil; n-- {
				r.row(in)
			}
		case id == 1 && typ == thrift.STRUCT:
			some = true
			r.io = thrift2.NewTIOError()
			if err := r.io.Read(ctx, from); err != nil {
				in.fail(err)
			}
		default:
			in.skip(typ, maxDepth)
		}
	}
}

// row reads a row. A key is missing where there is no such row.
func (r *results) row(in *input) {
	var like []Cell // names of columns come again and again
	if n := len(r.rows); n > 0 {
		like = r.rows[n-1].Cells
	}
	var row Row
	for {
		typ, id := in.field()
		switch {
		case typ == thrift.STOP:
			r.count++
			r.add(in, rowSize+len(row.Key))
			if in.err == nil && len(row.Key) > 0 {
				r.rows = append(r.rows, row)
			}
			return
		case id == 1 && typ == thrift.STRING:
			row.Key = in.binary()
		case id == 2 && typ == thrift.LIST && !r.bare:
			row.Cells = r.cells(in, like)
		default: // cells, of a server that does not know the filter that leaves them out
			left := in.left
			in.skip(typ, maxDepth)
			r.past += left - in.left
		}
	}
}

// believedRows is how many rows there is room made for before they have come.
const believedRows = 1 << 13

// What a row and a cell take, besides their bytes.
const (
	rowSize  = 64
	cellSize = 96
)

// add bounds what an answer takes, which may be more than it was long.
func (r *results) add(in *input, n int) {
	if r.size += n; r.size > maxAnswer {
		in.fail(badAnswer(fmt.Sprintf("the rows of the answer take more than %d MB", maxAnswer>>20)))
	}
}

// cells reads the cells of a row.
func (r *results) cells(in *input, like []Cell) []Cell {
	const believed = 1 << 10
	element, n := in.list()
	if n == 0 {
		return nil
	}
	if element != thrift.STRUCT {
		in.fail(badAnswer("the answer has a row whose cells are none"))
	}
	cells := make([]Cell, 0, min(n, believed))
	for i := 0; i < n && in.err == nil; i++ {
		var c, same Cell
		if i < len(like) {
			same = like[i]
		} else if i > 0 {
			same = cells[i-1]
		}
		in.cell(&c, &same)
		r.add(in, cellSize+len(c.Value))
		cells = append(cells, c)
	}
	return cells
}

func (in *input) cell(c, like *Cell) {
	fields := 0
	for {
		typ, id := in.field()
		switch {
		case typ == thrift.STOP:
			if in.err == nil && fields != 1|2|4 {
				in.fail(badAnswer("the answer has a cell without a family, qualifier or value"))
			}
			return
		case id == 1 && typ == thrift.STRING:
			c.Family = in.text(like.Family)
			fields |= 1
		case id == 2 && typ == thrift.STRING:
			c.Qualifier = in.text(like.Qualifier)
			fields |= 2
		case id == 3 && typ == thrift.STRING:
			c.Value = in.binary()
			fields |= 4
		case id == 4 && typ == thrift.I64:
			c.Time = time.UnixMilli(in.i64())
		case id == 5 && typ == thrift.STRING:
			c.TTL = ttlOf(in.binary())
		default:
			in.skip(typ, maxDepth)
		}
	}
}

// of makes the call that they are the answer of.
func (r *results) of(ctx context.Context, s *thrift2.THBaseServiceClient, call string, args thrift.TStruct) error {
	if _, err := s.Client_().Call(ctx, call, args, r); err != nil {
		return err
	}
	if r.io != nil {
		return r.io
	}
	return nil
}
