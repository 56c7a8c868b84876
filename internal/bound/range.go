package bound

import (
	"bytes"
	"slices"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Range is a half-open range of row keys in three states. The zero Range is empty.
type Range struct {
	Start, Stop []byte
	State       State
	Of          *layout.Schema // whose keys it holds; nil if that is not known
}

// State is what kind of range it is.
type State uint8

const (
	Empty State = iota
	Bounded
	Unbounded
)

// Between is [start, stop), of a copy of both; stop lies after start.
func Between(start, stop []byte) Range {
	b := append(append(make([]byte, 0, len(start)+len(stop)), start...), stop...)
	n := len(start)
	return Range{b[:n:n], b[n:len(b):len(b)], Bounded, nil}
}

// Fit is the range with bounds that HBase takes: like a key, they have at most 32767 bytes. The same
// keys lie in it. Of a longer bound the first 32767 bytes decide: all keys that begin with
// them lie below it. So the bound is what comes after those. Nothing may be left.
func (r Range) Fit() Range {
	if r.fits() {
		return r
	}
	if len(r.Start) > forms.MaxKey {
		start, ok := AppendSuccessor(nil, r.Start[:forms.MaxKey])
		if !ok {
			return Range{}
		}
		r.Start = start
	}
	if len(r.Stop) > forms.MaxKey {
		stop, ok := AppendSuccessor(nil, r.Stop[:forms.MaxKey])
		if r.Stop = stop; !ok {
			r.Stop, r.State = nil, Unbounded
		}
	}
	if r.State == Bounded && bytes.Compare(r.Start, r.Stop) >= 0 {
		return Range{}
	}
	return r
}

// fits reports that no bound is longer than a key.
func (r *Range) fits() bool { return len(r.Start) <= forms.MaxKey && len(r.Stop) <= forms.MaxKey }

// Append gives the range of the keys that begin with p or, with exact, the range of the one
// key p. Its bytes are appended to arena. Of p = 61 62 it is [61 62, 61 63), and with exact
// [61 62, 61 62 00). No key begins with the longest key but that key itself.
func Append(arena, p []byte, exact bool) (r Range, _ []byte) {
	arena = r.Fill(arena, p, exact, nil)
	return r, arena
}

// Fill is Append into r, a range of the keys of a schema: a range is 64 bytes, and to copy it costs more
// than to find its stop.
func (r *Range) Fill(arena, p []byte, exact bool, of *layout.Schema) []byte {
	at := len(arena)
	arena = append(arena, p...)
	mid := len(arena)
	arena, bounded := AppendStop(arena, p, exact)
	r.State, r.Of = Bounded, of
	if !bounded {
		r.State = Unbounded
	}
	r.Start, r.Stop = arena[at:mid:mid], arena[mid:len(arena):len(arena)]
	return arena
}

// AppendStop appends the stop of the range of the keys that begin with p or, with exact, of the one
// key p. False if the range is unbounded.
func AppendStop(dst, p []byte, exact bool) ([]byte, bool) {
	if exact && len(p) < forms.MaxKey {
		return append(append(dst, p...), 0), true // the key that comes next
	}
	return AppendSuccessor(dst, p)
}

// StepUp changes b in place to the first key after all keys that begin with b, and gives its
// length: 61 ff becomes 62, with length 1. False if there is none, as for ff ff.
func StepUp(b []byte) (int, bool) {
	n := len(b)
	for n > 0 && b[n-1] == 0xff {
		n--
	}
	if n == 0 {
		return 0, false
	}
	b[n-1]++
	return n, true
}

// AppendSuccessor appends the first key after all keys that begin with p: p without the ff
// at its end, and with its last byte one more. Of 61 ff it is 62. False if there is none, as
// for ff ff.
func AppendSuccessor(dst, p []byte) ([]byte, bool) {
	at := len(dst)
	dst = append(dst, p...)
	n, ok := StepUp(dst[at:])
	return dst[:at+n], ok
}

// Bounds are the start, inclusive, and the stop, exclusive. Those of an empty range, ff and 00, read
// nothing: equal bounds would be a get, and empty ones a whole table.
func (r Range) Bounds() (start, stop []byte) {
	if r.State == Empty {
		return []byte{0xff}, []byte{0}
	}
	return r.Start, r.Stop
}

// Empty reports that no row can lie in the range.
func (r Range) Empty() bool { return r.State == Empty }

// Unbounded reports that the range runs to the end of the table.
func (r Range) Unbounded() bool { return r.State == Unbounded }

// Contains reports that a row lies in the range.
func (r Range) Contains(row []byte) bool {
	return r.State != Empty && bytes.Compare(row, r.Start) >= 0 && (r.State == Unbounded || bytes.Compare(row, r.Stop) < 0)
}

// Shell is the range as arguments of hbase shell's scan.
func (r Range) Shell() string {
	if r.State == Unbounded {
		return `STARTROW => "` + shell.Quoted(r.Start) + `"`
	}
	start, stop := r.Bounds()
	return `STARTROW => "` + shell.Quoted(start) + `", STOPROW => "` + shell.Quoted(stop) + `"`
}

// String is the range as hbase shell text.
func (r Range) String() string {
	switch r.State {
	case Empty:
		return "[nothing)"
	case Unbounded:
		return "[" + shell.Text(r.Start) + ", end of table)"
	}
	return "[" + shell.Text(r.Start) + ", " + shell.Text(r.Stop) + ")"
}

// AppendHead appends the ranges of the keys that begin with p, or with exact of
// p alone, and their bytes to arena. Nulls at the end of a key are cut off: a key
// whose nulls were cut is p without its last trim bytes. It sorts just before p, and
// shares p's range: of p = 61 00 00 and trim 2 the range begins at 61. Not so where
// apart says that other keys lie between the two, as in descending OrderedBytes: then
// it has a range of its own.
func AppendHead(dst []Range, arena, p []byte, exact bool, trim int, apart bool) ([]Range, []byte) {
	short, cut := p[:len(p)-trim], trim > 0 && trim < len(p)
	var r Range
	if cut && apart {
		r, arena = Append(arena, short, true)
		dst = append(dst, r)
	}
	if r, arena = Append(arena, p, exact); cut && !apart {
		r.Start = r.Start[:len(short):len(short)]
	}
	return append(dst, r), arena
}

// appendAround appends the ranges of the keys that begin with p, but for those
// where a null goes on after it.
func appendAround(dst []Range, arena, p, null []byte) ([]Range, []byte) {
	at := len(arena)
	arena = append(append(append(arena, p...), p...), null...)
	mid, end := at+len(p), len(arena)
	dst = append(dst, Range{arena[at:mid:mid], arena[mid:end:end], Bounded, nil})
	r, arena := Append(arena, p, false)
	at = len(arena)
	arena, _ = AppendSuccessor(arena, dst[len(dst)-1].Stop) // there is one: the null does not end in ff
	r.Start = arena[at:len(arena):len(arena)]
	return append(dst, r), arena
}

// Meet is the keys of both ranges; false if there are none.
func (r Range) Meet(o Range) (Range, bool) {
	if bytes.Compare(o.Start, r.Start) > 0 {
		r.Start = o.Start
	}
	if o.State == Bounded && (r.State == Unbounded || bytes.Compare(o.Stop, r.Stop) < 0) {
		r.Stop, r.State = o.Stop, Bounded
	}
	return r, r.State == Unbounded || bytes.Compare(r.Start, r.Stop) < 0
}

// Reversed is the bounds of a scan from the end.
func (r Range) Reversed() (start, stop []byte, exact bool) {
	if r.State == Empty {
		return []byte{0}, []byte{0xff}, true
	}
	exact = true
	if r.State == Bounded {
		if start, exact = lastBelow(r.Of, r.Stop); !exact || len(start) == 0 { // empty it would be the end of the table
			start, exact = slices.Clone(r.Stop), false
		}
	}
	if len(r.Start) > 0 {
		var sure bool
		if stop, sure = lastBelow(r.Of, r.Start); !sure {
			stop = before(r.Start)
		}
	}
	return start[:min(len(start), forms.MaxKey)], stop[:min(len(stop), forms.MaxKey)], exact // no key lies between a longer bound and its beginning
}
