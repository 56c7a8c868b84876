package rowkeytest

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// TestDigest checks what rowkey.NewDigest asks of its arguments, over data made of the
// samples. The error joins one error for each broken law.
func TestDigest(name string, size int, sum func(dst, data []byte) []byte, samples ...string) error {
	var b broken
	s, err := rowkey.New("kit").Hash(rowkey.NewDigest(name, size, sum).Raw(max(size, 1)), "v").Binary("v").Build()
	if err != nil {
		return err
	}
	sums := map[string]string{}
	all := append(inputs(samples), string(bytes.Repeat([]byte("long"), 5000)))
	for _, in := range all {
		if d, ok := b.digest(sum, size, in); ok {
			sums[in] = d
		}
	}
	different := map[string]bool{}
	for _, d := range sums {
		different[d] = true
	}
	if len(different) == 1 {
		b.law("data is told apart", "sum is %x of everything", sums[all[0]])
	}
	if b.err() != nil {
		return b.err()
	}
	b.digestAtOnce(sum, sums)
	for _, in := range all {
		if len(sums[in])+len(in) > math.MaxInt16 { // no key is longer
			continue
		}
		key, err := s.AppendKey(nil, in)
		if err != nil || string(key) != sums[in]+in {
			b.law("keys", "%q has the key %q, %v", in, key, err)
		}
	}
	return b.err()
}

// digest checks the sum of one text: onto nothing, onto bytes that fill their memory, and onto
// bytes with room after them. It gives the sum; false if there is none.
func (b *broken) digest(sum func(dst, data []byte) []byte, size int, in string) (first string, ok bool) {
	b.alone("sum", in, func(arg []byte) string { return said(sum(nil, arg), nil) })
	used := append(bytes.Repeat([]byte{0xa5}, 4096)[:0], head...) // the room after a dst may hold anything
	for i, dst := range [][]byte{nil, []byte(head)[:len(head):len(head)], used} {
		arg := []byte(in)
		before := string(dst)
		var got []byte
		if !b.try("sum", arg, func() { got = sum(dst, arg) }) {
			return first, ok
		}
		if string(arg) != in {
			b.law("arguments stay as they are", "sum changed %q to %q", in, arg)
		}
		if !bytes.HasPrefix(got, []byte(before)) || string(dst) != before {
			b.law("dst stays", "sum(%q) gives %q, dst was %q", in, got, before)
			continue
		}
		tail := got[len(before):]
		if len(tail) != size {
			b.law("size", "sum(%q) is %x, %d bytes, not %d", in, tail, len(tail), size)
		}
		if i > 0 && string(tail) != first {
			b.law("the same each time", "sum(%q) is %x and %x", in, first, tail)
		}
		first, ok = string(tail), true
		for j := range arg {
			arg[j] ^= 0x55
		}
		b.try("sum", nil, func() { sum(nil, []byte(in+"another")) })
		if string(tail) != first {
			b.law("arguments and results are not kept", "sum(%q) changed from %x to %x with the next call", in, first, tail)
		}
	}
	return first, ok
}

// digestAtOnce checks that calls of sum at the same time give what they gave alone.
func (b *broken) digestAtOnce(sum func(dst, data []byte) []byte, sums map[string]string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for in, alone := range sums {
				arg, got := []byte(in), ""
				if b.try("sum", arg, func() { got = string(sum(nil, arg)) }) && got != alone {
					b.law("calls at the same time", "sum(%q) is %x, alone it was %x", in, got, alone)
				}
			}
		}()
	}
	wg.Wait()
}

// TestUnit checks what rowkey.NewUnit asks of its arguments. It tries the first steps,
// the last step, some between, and those that hold the samples. A sample is a time that
// can be stored.
func TestUnit(name string, step time.Duration, to func(time.Time) int64, from func(int64) time.Time, samples ...time.Time) error {
	s, err := rowkey.New("kit").Time("at", rowkey.NewUnit(name, step, to, from)).Build()
	if err != nil {
		return err
	}
	u := &unitCheck{schema: s, step: step, to: to, from: from, r: rand.New(rand.NewPCG(1, 2)), starts: map[int64]time.Time{}}
	end := time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	last, ok := u.number(end)
	epoch, ok2 := u.start(0)
	if last < 0 {
		u.law("numbers begin with 0", "the end of the year 9999 has the number %d", last)
	}
	if !ok || !ok2 || last < 0 {
		return u.err()
	}
	u.last = last
	numbers := []int64{0, 1, 2, 3, 10, 100, 1000, last - 1, last}
	for range 200 {
		numbers = append(numbers, int64(u.r.Uint64N(uint64(last)+1)))
	}
	for _, t := range samples {
		if t.Before(epoch) || t.After(end) { // rowkey never asks for its number
			u.law("samples can be stored", "%v does not lie from %v to %v", t, epoch, end)
			continue
		}
		if n, ok := u.number(t); ok {
			numbers = append(numbers, n)
			u.holds(n, t)
		}
	}
	slices.Sort(numbers)
	numbers = slices.DeleteFunc(slices.Compact(numbers), func(n int64) bool { return n < 0 || n > last })
	before := time.Time{}
	for i, n := range numbers {
		t, ok := u.start(n)
		if !ok {
			continue
		}
		if i > 0 && !t.After(before) {
			u.law("from keeps the order", "from(%d) is %v, and from(%d) is %v", numbers[i-1], before, n, t)
		}
		before = t
		u.begins(n, t)
		u.key(n, t)
	}
	if u.err() == nil {
		u.atOnce()
	}
	return u.err()
}

type unitCheck struct {
	broken
	schema *rowkey.Schema
	step   time.Duration
	to     func(time.Time) int64
	from   func(int64) time.Time
	last   int64
	r      *rand.Rand
	starts map[int64]time.Time // the first instants of the steps that were tried
}

// number calls to. It is false if that panics.
func (u *unitCheck) number(t time.Time) (n int64, ok bool) {
	ok = u.try("to", t, func() { n = u.to(t.UTC()) })
	return n, ok
}

// start calls from. It is false if that panics.
func (u *unitCheck) start(n int64) (t time.Time, ok bool) {
	ok = u.try("from", n, func() { t = u.from(n) })
	return t, ok
}

// holds checks that step n holds t, whose number it is.
func (u *unitCheck) holds(n int64, t time.Time) {
	const law = "to(t) is the step that holds t"
	if n < 0 || n > u.last {
		u.law(law, "%v is in step %d, and the last is %d", t, n, u.last)
		return
	}
	start, ok := u.start(n)
	wrong := ok && start.After(t)
	if n < u.last {
		next, ok := u.start(n + 1)
		wrong = wrong || ok && !next.After(t)
	}
	if wrong {
		u.law(law, "%v is in step %d, which begins at %v", t, n, start)
	}
}

// begins checks that step n begins at t, and that the instants in it have its number.
func (u *unitCheck) begins(n int64, t time.Time) {
	u.starts[n] = t
	if got, ok := u.number(t); ok && got != n {
		u.law("to(from(n)) is n", "of %d it is %d, by way of %v", n, got, t)
	}
	if n > 0 {
		if got, ok := u.number(t.Add(-1)); ok && got != n-1 {
			u.law("from(n) is the first instant of step n", "a nanosecond before from(%d), %v, to is %d", n, t, got)
		}
	}
	if n < u.last {
		next, ok := u.start(n + 1)
		for range 2 {
			if long := next.Sub(t); ok && long > 1 { // between them, where a mistake in a part of a date shows
				at := t.Add(time.Duration(1 + u.r.Int64N(int64(long-1))))
				if got, ok := u.number(at); ok {
					u.holds(got, at)
				}
			}
		}
	}
	since := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
	if since.Add(since, big.NewInt(int64(t.Nanosecond()))).Mod(since, big.NewInt(int64(u.step))).Sign() != 0 {
		u.law("from(n) is whole steps since 1970", "from(%d) is %v, no multiple of %v", n, t, u.step)
	}
}

// key writes and reads a whole key.
func (u *unitCheck) key(n int64, t time.Time) {
	key, err := u.schema.AppendKey(nil, t)
	if err != nil {
		u.law("keys", "from(%d), %v: %v", n, t, err)
		return
	}
	var back time.Time
	if err := u.schema.Read(key).Time(&back).Err(); err != nil || !back.Equal(t) {
		u.law("keys", "from(%d), %v, has the key %x, which reads %v, %v", n, t, key, back, err)
	}
}

// atOnce checks that calls at the same time give what they gave alone.
func (u *unitCheck) atOnce() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n, alone := range u.starts { // in an order of its own
				t, ok := u.start(n)
				got, ok2 := u.number(alone)
				if ok && !t.Equal(alone) || ok2 && got != n {
					u.law("calls at the same time", "from(%d) is %v and to of it %d, alone it was %v", n, t, got, alone)
				}
			}
		}()
	}
	wg.Wait()
}
