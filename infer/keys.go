package infer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// Structure is what keys say without their values: pieces, and a notation that reads each of
// the keys and writes it again. It is no layout to use: what is a salt, a hash or a constant
// is settled by the columns.
type Structure struct {
	Pieces   []Piece
	Notation string
}

// Piece is a piece of all keys.
type Piece struct {
	Notation    string // such as ['_'], or [max-ms(time1)]
	From, To    int    // its first byte in the keys, the least and the greatest
	Least, Most int    // how many bytes
	Distinct    int    // how many different ones there are
	Looks       string // like what: "a time in milliseconds, newest first"
	Settles     string // the column that would settle it; empty if none has to
}

// Keys reads the structure of keys alone. An error is an *Error.
func Keys(keys [][]byte) (*Structure, error) {
	if len(keys) == 0 {
		return nil, &Error{Row: -1, Problem: "no keys: give some, 50 say enough of most tables"}
	}
	for i, k := range keys {
		if len(k) == 0 {
			return nil, &Error{Row: i, Problem: "the key has no byte: leave it out"}
		}
	}
	r := &keyReader{keys: keys, pos: make([]int, len(keys)), names: map[string]int{}}
	r.read()
	out := &Structure{Pieces: r.pieces}
	for _, p := range r.pieces {
		out.Notation += p.Notation
	}
	if !writesAgain(out.Notation, keys) { // what the notation cannot say is one piece
		r = &keyReader{keys: keys, pos: make([]int, len(keys)), names: map[string]int{}}
		r.rest()
		out = &Structure{Pieces: r.pieces, Notation: r.pieces[0].Notation}
	}
	return out, nil
}

// writesAgain reports that a notation reads each key, and writes it again.
func writesAgain(notation string, keys [][]byte) bool {
	s, err := rowkey.Parse("", notation)
	if err != nil {
		return false
	}
	for _, k := range keys {
		row, err := s.Decode(k)
		if err != nil {
			return false
		}
		var vals []any
		for _, v := range row.All() {
			vals = append(vals, v)
		}
		again, err := s.AppendKey(nil, vals...)
		if err != nil || !bytes.Equal(again, k) {
			return false
		}
	}
	return true
}

// keyReader reads pieces one by one. pos is where the next one begins in each key.
type keyReader struct {
	keys   [][]byte
	pos    []int
	names  map[string]int
	pieces []Piece
}

func (r *keyReader) tail(i int) []byte { return r.keys[i][r.pos[i]:] }

func (r *keyReader) name(what string) string {
	r.names[what]++
	return fmt.Sprintf("%s%d", what, r.names[what])
}

// take adds a piece that has n(i) bytes in key i.
func (r *keyReader) take(p Piece, n func(i int) int) {
	p.From, p.Least = math.MaxInt, math.MaxInt
	seen := map[string]bool{}
	for i := range r.keys {
		l := n(i)
		p.From, p.To = min(p.From, r.pos[i]), max(p.To, r.pos[i])
		p.Least, p.Most = min(p.Least, l), max(p.Most, l)
		seen[string(r.tail(i)[:l])] = true
		r.pos[i] += l
	}
	p.Distinct = len(seen)
	r.pieces = append(r.pieces, p)
}

func (r *keyReader) fixed(n int, notation, looks, settles string) {
	r.take(Piece{Notation: notation, Looks: looks, Settles: settles}, func(int) int { return n })
}

// read takes pieces until the keys are whole.
func (r *keyReader) read() {
	for {
		least, ended := math.MaxInt, true
		for i := range r.keys {
			least = min(least, len(r.tail(i)))
			ended = ended && len(r.tail(i)) == 0
		}
		switch {
		case ended:
			return
		case least == 0:
			r.rest()
		case r.binaryTime(least), r.textTime(least), r.paddedNumber(least), r.hexHash(least), r.constant(least), r.bucket(least), r.separated(), r.random(least):
		default:
			r.rest()
		}
	}
}

// numbers are the first w bytes of what remains, as a number.
func (r *keyReader) numbers(w int) []uint64 {
	out := make([]uint64, len(r.keys))
	for i := range r.keys {
		for _, b := range r.tail(i)[:w] {
			out[i] = out[i]<<8 | uint64(b)
		}
	}
	return out
}

func within(vs []uint64, of func(v uint64) uint64, lo, hi uint64) bool {
	return !slices.ContainsFunc(vs, func(v uint64) bool { return of(v) < lo || of(v) > hi })
}

// Times of 1990 to 2100, in milliseconds and in seconds.
const (
	leastMillis, mostMillis   = 631_152_000_000, 4_102_444_800_000
	leastSeconds, mostSeconds = leastMillis / 1000, mostMillis / 1000
)

func (r *keyReader) binaryTime(least int) bool {
	if least < 8 {
		return false
	}
	vs := r.numbers(8)
	for _, t := range []struct {
		unit, opts, looks string
		of                func(v uint64) uint64
	}{
		{"ms", "", "a time in milliseconds", func(v uint64) uint64 { return v }},
		{"max-ms", "", "a time in milliseconds, newest first", func(v uint64) uint64 { return math.MaxInt64 - v }},
		{"ms", " phoenix", "a time in milliseconds, as Phoenix writes it", func(v uint64) uint64 { return v ^ 1<<63 }},
	} {
		if !within(vs, t.of, leastMillis, mostMillis) {
			continue
		}
		r.fixed(8, "["+t.unit+"("+r.name("time")+")"+t.opts+"]", t.looks, "a column of times: is it this time, or one that is cut or moved")
		return true
	}
	return false
}

// runOf is how many bytes of a set all that remains begins with, at least.
func (r *keyReader) runOf(is func(b byte) bool) int {
	n := math.MaxInt
	for i := range r.keys {
		t := r.tail(i)
		l := 0
		for l < len(t) && is(t[l]) {
			l++
		}
		n = min(n, l)
	}
	return n
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func isControl(b byte) bool { return b < ' ' || b == 0x7f }

func (r *keyReader) textTime(least int) bool {
	n := r.runOf(digit)
	decimal := func(w int) []uint64 {
		out := make([]uint64, len(r.keys))
		for i := range r.keys {
			for _, b := range r.tail(i)[:w] {
				out[i] = out[i]*10 + uint64(b-'0')
			}
		}
		return out
	}
	same := func(v uint64) uint64 { return v }
	if n >= 19 {
		if vs := decimal(19); within(vs, func(v uint64) uint64 { return math.MaxInt64 - v }, leastMillis, mostMillis) {
			r.fixed(19, "[max-ms("+r.name("time")+") digits(19)]", "Long.MAX_VALUE minus a time in milliseconds, in digits", "a column of times")
			return true
		}
	}
	if n == 14 {
		if vs := decimal(14); within(vs, same, 1990_01_01_00_00_00, 2100_00_00_00_00_00) && within(vs, func(v uint64) uint64 { return v / 1e6 % 1e4 }, 101, 1231) && within(vs, func(v uint64) uint64 { return v % 1e6 }, 0, 235959) {
			r.fixed(14, "["+r.name("date")+" fixed(14)]", "a date with its hour, in digits", "a column of times: in which zone is it")
			return true
		}
	}
	if n == 13 {
		if vs := decimal(13); within(vs, same, leastMillis, mostMillis) {
			r.fixed(13, "[ms("+r.name("time")+") digits(13)]", "a time in milliseconds, in digits", "a column of times")
			return true
		}
	}
	if n == 10 {
		if vs := decimal(10); within(vs, same, leastSeconds, mostSeconds) && !within(vs, same, vs[0], vs[0]) {
			r.fixed(10, "["+r.name("digits")+" fixed(10)]", "10 digits: a time in seconds, or a number of 10 digits", "a column of times, or of numbers")
			return true
		}
	}
	if n == 8 {
		if vs := decimal(8); within(vs, same, 1990_01_01, 2100_00_00) && within(vs, func(v uint64) uint64 { return v / 100 % 100 }, 1, 12) && within(vs, func(v uint64) uint64 { return v % 100 }, 1, 31) {
			r.fixed(8, "["+r.name("date")+" fixed(8)]", "a date, in digits", "a column of times: in which zone is the day")
			return true
		}
	}
	return false
}

// paddedNumber finds numbers in 8, 4 or 2 bytes: zeros, or a sign bit and zeros, before bytes
// that vary.
func (r *keyReader) paddedNumber(least int) bool {
	for _, w := range []int{8, 4} {
		if least < w {
			continue
		}
		vs := r.numbers(w)
		some := slices.ContainsFunc(vs, func(v uint64) bool { return v != vs[0] })
		name := func() string { return r.name("number") }
		top := uint64(1) << (8*w - 1)
		zeros := uint64(1) << (8*w - 12)
		switch {
		case !some:
		case within(vs, func(v uint64) uint64 { return v }, 0, zeros):
			r.fixed(w, fmt.Sprintf("[%s:%d]", name(), w), fmt.Sprintf("a number in %d bytes", w), "a column of numbers")
			return true
		case within(vs, func(v uint64) uint64 { return v }, top-zeros, top+zeros):
			r.fixed(w, fmt.Sprintf("[%s:i%d]", name(), w), fmt.Sprintf("a number in %d bytes with its sign bit turned, as Phoenix writes it; or what is left of its maximum", w), "a column of numbers")
			return true
		}
	}
	return false
}

// spread reports that the byte at a place of what remains has most of a set's values, as that
// of a digest does.
func (r *keyReader) spread(at, of int) bool {
	var seen [256]bool
	n := 0
	for i := range r.keys {
		if b := r.tail(i)[at]; !seen[b] {
			seen[b] = true
			n++
		}
	}
	return float64(n) >= 0.72*expected(len(r.keys), of) && len(r.keys) >= leastRows
}

// expected is how many different ones come, on average, of so many draws among so many values.
func expected(draws, values int) float64 {
	return float64(values) * (1 - math.Pow(1-1/float64(values), float64(draws)))
}

// hexHash finds characters of a digest: each place has all of the sixteen.
func (r *keyReader) hexHash(least int) bool {
	letters := false
	n := r.runOf(func(b byte) bool { return isHex(b, false) })
	if upper := r.runOf(func(b byte) bool { return isHex(b, true) }); upper > n {
		n = upper
	}
	l := 0
	for l < n && l < 128 && r.spread(l, 16) {
		for i := range r.keys {
			letters = letters || r.tail(i)[l] > '9'
		}
		l++
	}
	if l < 2 || !letters {
		return false
	}
	r.fixed(l, fmt.Sprintf("[%s fixed(%d)]", r.name("hash"), l), fmt.Sprintf("%d hexadecimal characters at random: a part of a digest", l), "the columns that are hashed: often the one that comes next")
	return true
}

const marks = "_-:|#/,.~ \x00"

// constant takes bytes that all keys have here.
func (r *keyReader) constant(least int) bool {
	first := r.tail(0)
	l := least
	for i := range r.keys {
		l = min(l, common(first, r.tail(i)))
	}
	if len(r.keys) < 2 || l == 0 {
		return false
	}
	text := string(first[:l])
	if at := strings.LastIndexAny(text, marks); at >= 0 { // what is after a mark may begin a text
		text = text[:at+1]
	}
	looks, settles := "the same in all keys", "a constant; or a column that has one value in these rows"
	if strings.Trim(text, marks) == "" {
		looks, settles = "between two pieces", ""
	}
	r.fixed(len(text), "["+`"`+strings.Trim(quote([]byte(text)), "'")+`"`+"]", looks, settles)
	return true
}

// bucket takes a byte of few values, counted from 0.
func (r *keyReader) bucket(least int) bool {
	if len(r.keys) < leastRows {
		return false
	}
	vs := r.numbers(1)
	most := slices.Max(vs)
	seen := map[uint64]bool{}
	for _, v := range vs {
		seen[v] = true
	}
	if len(r.pieces) > 0 || most > 127 || len(seen) < 2 || float64(len(seen)) < 0.7*expected(len(vs), int(most)+1) || slices.Min(vs) > 2 {
		return false
	}
	r.fixed(1, "["+r.name("bucket")+":1]", fmt.Sprintf("a bucket: a salt of at least %d", most+1), "the columns that the salt is of: often the one that comes next")
	return true
}

// separated takes a text up to a mark that all keys have, and the mark.
func (r *keyReader) separated() bool {
	best, end := -1, byte(0)
	for _, m := range []byte(marks) {
		sum := 0
		for i := range r.keys {
			t := r.tail(i)
			at := bytes.IndexByte(t, m)
			if at < 1 || slices.ContainsFunc(t[:at], isControl) {
				sum = -1
				break
			}
			sum += at
		}
		if sum >= 0 && (best < 0 || sum < best) {
			best, end = sum, m
		}
	}
	if best < 0 {
		return false
	}
	at := func(i int) int { return bytes.IndexByte(r.tail(i), end) }
	r.text(at)
	r.take(Piece{Notation: "[" + quote([]byte{end}) + "]", Looks: "between two pieces"}, func(int) int { return 1 })
	return true
}

// text takes a text whose end is known, and says of what it is.
func (r *keyReader) text(n func(i int) int) {
	digits, one := true, true
	least, most := math.MaxInt, uint64(0)
	for i := range r.keys {
		t := r.tail(i)[:n(i)]
		one = one && len(t) == n(0)
		least = min(least, len(t))
		var v uint64
		for _, b := range t {
			digits = digits && digit(b)
			v = v*10 + uint64(b-'0')
		}
		most = max(most, v)
	}
	switch {
	case digits && one && n(0) <= 3 && len(r.pieces) == 0:
		r.take(Piece{Notation: "[" + r.name("bucket") + "]", Looks: fmt.Sprintf("a bucket in %d digits: a salt of at least %d", n(0), most+1), Settles: "the columns that the salt is of: often the one that comes next"}, n)
	case digits && one:
		r.take(Piece{Notation: "[" + r.name("digits") + "]", Looks: fmt.Sprintf("%d digits", n(0)), Settles: "a column of numbers or of texts: is it filled up with zeros, or turned round"}, n)
	case digits:
		r.take(Piece{Notation: "[" + r.name("digits") + "]", Looks: "a number in digits", Settles: "a column of numbers: is it turned round"}, n)
	default:
		r.take(Piece{Notation: "[" + r.name("text") + "]", Looks: "a text", Settles: "a column of texts: is it turned round or cut"}, n)
	}
}

// random takes bytes that vary as those of a digest do, before what does not.
func (r *keyReader) random(least int) bool {
	l := 0
	for l < min(least, 64) && r.spread(l, 256) {
		l++
	}
	if l < 2 {
		return false
	}
	r.fixed(l, fmt.Sprintf("[%s:bytes fixed(%d)]", r.name("hash"), l), fmt.Sprintf("%d bytes at random: a part of a digest, or a random id", l), "the columns that are hashed, or one of ids")
	return true
}

// rest takes all that remains as one piece.
func (r *keyReader) rest() {
	text, one := true, true
	n := func(i int) int { return len(r.tail(i)) }
	for i := range r.keys {
		t := r.tail(i)
		one = one && len(t) == n(0)
		text = text && len(t) > 0 && !slices.ContainsFunc(t, isControl) && bytes.Equal(bytes.ToValidUTF8(t, nil), t)
	}
	if text {
		r.text(n)
		return
	}
	p := Piece{Notation: "[" + r.name("bytes") + ":bytes]", Looks: "bytes of which the keys say no more", Settles: "the columns that are in them"}
	if w := n(0); one && (w == 4 || w == 8) {
		p.Looks = fmt.Sprintf("%d bytes, perhaps a number", w)
	}
	r.take(p, n)
}
