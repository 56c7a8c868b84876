package walk

import (
	"github.com/hbase-rowkey/rowkey/internal/digest"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// Read reads the values of a key, and checks it with its salts, hashes and copies. It is false for
// a key that package layout must judge. If the steps check all of it, it goes from field to field,
// which takes less time than scan.
func (w *Layout) Read(key []byte, r *Cells, scratch []byte) (_ []byte, ok bool) {
	if w == nil || !w.whole {
		return scratch, false
	}
	s, st := w.s, w.First
	if !w.byFields {
		var places [layout.FewSpans]uint16
		at := s.Spans(places[:])
		if scratch, ok = w.scan(key, at, r, scratch); ok {
			ok = w.right(key, at, r, scratch)
		}
		return scratch, ok
	}
	if !s.Start.Fits(key) && (len(key) == 0 || len(key) > s.MaxLen || !s.Begins(key)) {
		return scratch, false
	}
	pos := s.Start.Lead
	if w.lists != nil {
		r.lists = w.lists
	}
	for {
		if st.Lane != LaneText {
			if pos, st = st.numbers(r, key, pos); st.Lane == LaneEnd {
				return scratch, pos == len(key) && (st.Sure || s.CheckRests(key))
			}
		} else if st.Follows == NothingFollows {
			if to := st.TextEnd(key, pos); to >= 0 { // here: one is another call
				r.cells[st.Cell&(few-1)] = textCell(pos, to)
				pos, st = to+st.Size, st.Next
				continue
			}
		}
		if pos, scratch, ok = st.one(r, key, pos, scratch); !ok {
			return scratch, false
		}
		st = st.Next
	}
}

// numbers reads numbers, from step st on. It stops at the first field that is none, or that is
// wrong. It calls no function, so that its variables stay in registers.
func (st *Step) numbers(r *Cells, key []byte, pos int) (int, *Step) {
	for {
		end := pos + st.Size
		if uint(end) > uint(len(key)) {
			return pos, st
		}
		var u uint64
		switch st.Load {
		case LaneUint, LaneInt, LaneTime:
			u = st.ending(key, end)
		case LaneUintAt:
			if uint(pos+8) > uint(len(key)) {
				return pos, st
			}
			u = st.beginning(key, pos)
		case LaneHead:
			ok := false
			if u, ok = st.Headed(key[pos:end]); !ok {
				return pos, st
			}
		case LaneFloat:
			ok := false
			if u, ok = st.float(key[pos:end]); !ok {
				return pos, st
			}
		case LaneBool:
			u = st.Byte(key[pos])
		default:
			return pos, st
		}
		if u+st.Bias > st.Span || st.Follows == AnyFollows || st.Follows == SaltFollows {
			return pos, st
		}
		if end = st.Past(key, end); end < 0 {
			return pos, st
		}
		r.cells[st.Cell&(few-1)] = u
		pos, st = end, st.Next
	}
}

// one reads any field, and gives the place of the next one.
func (st *Step) one(r *Cells, key []byte, pos int, scratch []byte) (next int, _ []byte, ok bool) {
	cell := &r.cells[st.Cell&(few-1)]
	switch o := st.op; {
	case st.Lane == LaneText:
		if to := st.TextEnd(key, pos); to >= 0 {
			*cell = textCell(pos, to)
			return to + st.Size, scratch, st.Follows == NothingFollows ||
				st.Follows == SaltFollows && key[st.Slot] == byte(st.Salt.Of(digest.Murmur32(0, key[pos:to]))) ||
				st.Follows == ByteFollows && key[to] == st.Tail ||
				st.Follows >= BytesFollow && st.Agrees(key, pos, to-pos)
		}
	case st.Lane == LanePad && !st.Checks:
		w := pos + int(st.Right)
		if next = w + st.Size; next > len(key) || string(key[w:next]) != st.End {
			return 0, scratch, false
		}
		to := pos + forms.Unpad(key[pos:w], byte(st.Word))
		*cell = textCell(pos, to)
		return next, scratch, to-pos >= st.Least
	case o.what == word, o.what == number:
		*cell, next, ok = st.Num(key, pos)
		return next, scratch, ok
	}
	if next, scratch, ok = st.op.take(key, pos, r, scratch); ok {
		next = st.Past(key, next)
	}
	if !ok || next < 0 || !st.Checks {
		return next, scratch, ok && next >= 0
	}
	v := r.Val(st.C, key, scratch)
	return next, scratch, st.fills.Differs(key[:next], pos, v.Text, v.Num) == nil
}
