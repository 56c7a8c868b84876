// Package rowkeytest checks the steps that a program adds to rowkey: transforms,
// digests and units of time. Call it in a test of yours, as testing/fstest is
// called on a file system:
//
//	func TestAppID(t *testing.T) {
//		if err := rowkeytest.TestTransform(appID{}, "application_1465246237936_0001"); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// A check tries values made of the samples, and bytes that no value has. It finds laws that a
// step breaks for these; it cannot prove that a step breaks none. Run it with the race detector
// too, because it calls a step at the same time from several goroutines.
package rowkeytest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey"
)

// broken collects the laws that are broken, each with the first case that breaks it.
type broken struct {
	mu   sync.Mutex
	seen map[string]bool
	errs []error
}

// law says that a law is broken.
func (b *broken) law(law, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.seen[law] {
		if b.seen == nil {
			b.seen = map[string]bool{}
		}
		b.seen[law] = true
		text := fmt.Sprintf(format, args...)
		if len(text) > 600 { // values may be long
			text = text[:600] + "…"
		}
		b.errs = append(b.errs, fmt.Errorf("%s: %s", law, text))
	}
}

func (b *broken) err() error { return errors.Join(b.errs...) }

// try calls f. It is false if f panics, which breaks a law.
func (b *broken) try(what string, in any, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if text, is := in.([]byte); is {
				in = strconv.Quote(string(text))
			}
			b.law("no panic", "%s(%v): %v", what, in, p)
		}
	}()
	f()
	return true
}

// TestTransform checks the laws of rowkey.Transform, and what its Traits promise, over
// values made of the samples. A sample is a value that can be stored. For a transform
// on a number, it is the number's bytes in its width, big-endian. The error joins one
// error for each broken law, with a case that breaks it. If Traits has OneWay, the
// laws on Invert are not checked.
func TestTransform(t rowkey.Transform, samples ...string) error {
	if _, err := kitSchema(t); err != nil {
		return err // what Build says of the Traits
	}
	c := &transformCheck{t: t, traits: t.Traits(), name: t.String(), room: make([]byte, 1<<16)}
	c.ender, _ = t.(ender)
	if c.traits.Size > 0 || !c.traits.Delimited && c.traits.NextBelow == 0 {
		c.ender = nil
	}
	for _, v := range inputs(samples) {
		form, ok := c.append(v)
		if !ok && slices.Contains(samples, v) {
			c.law("samples can be stored", "Append(%q) fails", v)
		}
		if ok {
			c.values = append(c.values, pair{v, form})
		}
	}
	for _, p := range c.values { // those that are nearest to what is stored are tried in full
		if slices.Contains(samples, p.value) || len(p.value) < 2 && len(c.near) < 200 {
			c.near = append(c.near, p)
		}
	}
	slices.SortStableFunc(c.near, func(a, b pair) int { return sampled(samples, b.value) - sampled(samples, a.value) })
	if len(c.values) == 0 || len(c.values) == 1 && len(samples) == 0 { // a step may have a single value
		c.law("samples can be stored", "%d of the values tried: give samples", len(c.values))
		return c.err()
	}
	c.forms()
	c.order()
	c.prefixes()
	c.ends()
	c.hostile()
	c.together()
	c.keys()
	if name := t.String(); name != c.name || t.Traits() != c.traits {
		c.law("String and Traits stay", "they were %q %+v and are %q %+v", c.name, c.traits, name, t.Traits())
	}
	return c.err()
}

// ender is a Transform with Len.
type ender interface {
	rowkey.Transform
	Len(b []byte) (int, error)
}

type transformCheck struct {
	broken
	t      rowkey.Transform
	ender  ender // if forms end themselves by Len
	traits rowkey.Traits
	name   string
	values []pair
	near   []pair // the samples first, then the shortest values
	room   []byte // that calls get again and again, as those of rowkey do
	args   []byte
}

// sampled is 1 for a sample.
func sampled(samples []string, v string) int {
	if slices.Contains(samples, v) {
		return 1
	}
	return 0
}

// pair is a value and its form.
type pair struct{ value, form string }

const head = "head of dst"

// append calls Append in several ways, which must agree.
func (c *transformCheck) append(v string) (form string, ok bool) {
	return c.call("Append", c.t.Append, v)
}

func (c *transformCheck) invert(form string) (value string, ok bool) {
	return c.call("Invert", c.t.Invert, form)
}

// call calls Append or Invert with three kinds of dst: bytes with room after them that is not
// zero, nil, and bytes without room. The room and the argument lie in memory that every call
// uses again, so that what a step keeps of them changes.
func (c *transformCheck) call(what string, f func(dst, in []byte) ([]byte, error), in string) (out string, ok bool) {
	defer c.alone(what, in, func(arg []byte) string { return said(f(nil, arg)) }) // last, for a step that keeps what it got
	for i, dst := range [][]byte{c.room[:0], nil, []byte(head)[:len(head):len(head)]} {
		for j := range c.room[:min(len(c.room), 4*len(in)+64)] {
			c.room[j] = 0xa5
		}
		if i == 0 {
			dst = append(dst, head...)
		}
		if cap(c.args) < len(in)+8 {
			c.args = make([]byte, 0, len(in)+8)
		}
		const behind = "########" // bytes that belong to others
		arg := append(append(c.args[:0], in...), behind...)[: len(in) : len(in)+len(behind)]
		var got []byte
		var err error
		before := bytes.Clone(dst)
		if !c.try(what, arg, func() { got, err = f(dst, arg) }) {
			return "", false
		}
		if string(arg) != in || string(arg[len(in):cap(arg)]) != behind {
			c.law("arguments stay as they are", "%s changed %q to %q", what, in, arg[:cap(arg)])
		}
		if err != nil {
			if !c.try("the error of "+what, arg, func() { _, _ = err.Error(), errors.Is(err, rowkey.ErrSchema) }) { // of a nil pointer, most likely
				return "", false
			}
			c.failed(what, in, string(before), string(dst), string(got), i > 0 && ok)
			continue
		}
		if !bytes.HasPrefix(got, before) || string(dst) != string(before) {
			c.law("dst stays", "%s(%q) gives %q, dst was %q", what, in, got, before)
			continue
		}
		tail := got[len(before):]
		again := string(tail)
		if i > 0 && (!ok || again != out) {
			c.law("the same each time", "%s(%q) is %q and %q", what, in, out, again)
		}
		out, ok = again, true
		for j := range arg { // as its owner may
			arg[j] ^= 0x55
		}
		if string(tail) != out {
			c.law("arguments are not kept", "the result of %s(%q) lies in its argument", what, in)
		}
		if i > 0 { // at first the next call is for the same input
			c.keeps(what, in, f, tail, out)
		}
	}
	return out, ok
}

// failed checks a call that gave an error: dst must come back as it was. worked says that an
// earlier call with the same argument gave none, which breaks a law too.
func (b *broken) failed(what, in, before, dst, got string, worked bool) {
	if got != before || dst != before {
		b.law("dst comes back with an error", "%s(%q) gives %q with its error, dst was %q", what, in, got, before)
	}
	if worked {
		b.law("the same each time", "%s(%q) fails now and then", what, in)
	}
}

// alone checks that the answer for an argument does not depend on the bytes that lie after the
// argument in memory.
func (b *broken) alone(what, in string, say func(arg []byte) string) {
	if len(in) > 40 { // the short ones will do
		return
	}
	answer := func(behind string) (said string) {
		defer func() {
			if p := recover(); p != nil {
				said = fmt.Sprintf("panics: %v", p)
			}
		}()
		arg := append(make([]byte, 0, len(in)+len(behind)), in...)
		copy(arg[len(in):cap(arg)], behind)
		return say(arg[:len(in):cap(arg)])
	}
	first, second, none := answer("########"), answer(in+"%%%%%%%%"), answer("")
	if (first != second || first != none) && answer("########") == first { // else it changes anyway
		b.law("a value ends with its length", "%s(%q) %s before one other byte, %s before another, and %s before nothing", what, in, first, second, none)
	}
}

// said is the answer of Append or Invert as text.
func said(out []byte, err error) string {
	if err != nil {
		return "is an error"
	}
	return fmt.Sprintf("is %q", out)
}

// keeps calls f with other inputs, and checks that an earlier result does not change.
func (c *transformCheck) keeps(what, in string, f func(dst, in []byte) ([]byte, error), result []byte, was string) {
	if len(result) == 0 {
		return
	}
	other := []byte(in + "another")
	c.try(what, other, func() { _, _ = f(nil, other) })
	if len(in) > 0 {
		other = []byte(in)
		other[0] ^= 1
		c.try(what, other, func() { _, _ = f(nil, other) })
	}
	if string(result) != was {
		c.law("results are not kept", "the result of %s(%q) changed from %q to %q with the next call", what, in, was, result)
	}
}

// kitSchema is a schema of the step: on a field, or on a copy if nothing undoes it.
func kitSchema(t rowkey.Transform) (*rowkey.Schema, error) {
	if oneWay(t) {
		return rowkey.New("kit").Literal("#").Binary("v", rowkey.LenPrefix(4)).Copy("copy", "v", rowkey.Via(t)).Build()
	}
	return rowkey.New("kit").Literal("#").Binary("v", rowkey.Via(t)).Build()
}

// oneWay reports that nothing undoes the step. If its Traits panic, Build says so.
func oneWay(t rowkey.Transform) bool {
	defer func() { _ = recover() }()
	return t != nil && t.Traits().OneWay
}

// forms checks every form: that it gives its value back, and that no other value has it.
func (c *transformCheck) forms() {
	owner := map[string]string{}
	for _, p := range c.values {
		if !c.traits.OneWay {
			back, ok := c.invert(p.form)
			if !ok || back != p.value {
				c.law("Invert undoes Append", "%q is stored as %q, which gives back %q (error: %v)", p.value, p.form, back, !ok)
			}
		}
		if other, twice := owner[p.form]; twice && !c.traits.OneWay {
			c.law("different values have different forms", "%q and %q are both %q", other, p.value, p.form)
		}
		owner[p.form] = p.value
		if n := c.traits.Size; n > 0 && len(p.form) != n {
			c.law("Traits.Size", "%q is stored in %d bytes, not %d: %q", p.value, len(p.form), n, p.form)
		}
		if first := c.traits.First; first != "" && (p.form == "" || strings.IndexByte(first, p.form[0]) < 0) {
			c.law("Traits.First", "%q is stored as %q", p.value, p.form)
		}
	}
}

// order checks that the forms sort as the values do, or backward.
func (c *transformCheck) order() {
	want := map[rowkey.Order]int{rowkey.Forward: -1, rowkey.Backward: 1}[c.traits.Order]
	if want == 0 {
		return
	}
	slices.SortFunc(c.values, func(a, b pair) int { return strings.Compare(a.value, b.value) })
	for i, b := range c.values[1:] {
		if a := c.values[i]; strings.Compare(a.form, b.form) != want {
			c.law("Traits.Order", "%q is below %q, and %q and %q are not %v", a.value, b.value, a.form, b.form, c.traits.Order)
		}
	}
}

// prefixes checks that the form of a value begins with the form of each prefix of the value.
func (c *transformCheck) prefixes() {
	if !c.traits.Prefixes {
		return
	}
	begins := map[string]string{} // by value, the form without its End
	for _, p := range c.values {
		if n := len(p.form) - c.traits.End; n >= 0 {
			begins[p.value] = p.form[:n]
		} else {
			c.law("Traits.End", "%q is stored as %q, shorter than an End of %d", p.value, p.form, c.traits.End)
		}
	}
	for _, p := range c.values {
		for n := 1; n <= len(p.value); n++ {
			if begin, ok := begins[p.value[:n]]; ok && !strings.HasPrefix(p.form, begin) {
				c.law("Traits.Prefixes", "%q begins with %q, and its form %q does not begin with %q", p.value, p.value[:n], p.form, begin)
			}
		}
	}
	if c.traits.OneWay { // other values may be stored alike
		return
	}
	slices.SortFunc(c.values, func(a, b pair) int { return strings.Compare(a.form, b.form) })
	for _, p := range c.values {
		begin, ok := begins[p.value]
		if p.value == "" || !ok {
			continue
		}
		i, _ := slices.BinarySearchFunc(c.values, begin, func(v pair, begin string) int { return strings.Compare(v.form, begin) })
		for ; i < len(c.values) && strings.HasPrefix(c.values[i].form, begin); i++ {
			if v := c.values[i]; !strings.HasPrefix(v.value, p.value) {
				c.law("Traits.Prefixes", "the form %q of %q begins with %q, as that of %q does, with which it does not begin", v.form, v.value, begin, p.value)
				break
			}
		}
	}
}

// ends holds the ends of the forms against Traits and Len.
func (c *transformCheck) ends() {
	if c.ender == nil && !c.traits.Delimited {
		return
	}
	slices.SortFunc(c.values, func(a, b pair) int { return strings.Compare(a.form, b.form) })
	for i, b := range c.values[1:] { // what a form begins stands after it
		a := c.values[i]
		switch rest, begins := strings.CutPrefix(b.form, a.form); {
		case !begins || rest == "":
		case c.traits.NextBelow == 0:
			c.law("Traits.Delimited", "%q is stored as %q, with which %q begins, the form of %q", a.value, a.form, b.form, b.value)
		case rest[0] < c.traits.NextBelow:
			c.law("Traits.NextBelow", "%q is stored as %q, and %q as %q, which goes on with a smaller byte than %#02x",
				a.value, a.form, b.value, b.form, c.traits.NextBelow)
		}
	}
	if c.ender == nil {
		return
	}
	most := byte(0xff)
	if c.traits.NextBelow != 0 {
		most = c.traits.NextBelow - 1
	}
	every := make([]string, 256)
	for i := range every {
		every[i] = string([]byte{byte(i)})
	}
	near := map[string]bool{}
	for _, p := range c.near {
		near[p.form] = true
	}
	for _, p := range c.values {
		tails := []string{"", "\x00", string([]byte{most}), "\x00\x00\xff", "a", p.form}
		if near[p.form] {
			tails = append(tails, every...)
		}
		for _, tail := range tails {
			if tail != "" && tail[0] > most {
				continue
			}
			if n, ok := c.len(p.form + tail); !ok || n != len(p.form) {
				c.law("Len finds the end", "%q is stored as %q in %d bytes; before %q, Len is %d (error: %v)", p.value, p.form, len(p.form), tail, n, !ok)
			}
		}
	}
}

// len calls Len, whose answer must lie in its argument.
func (c *transformCheck) len(in string) (n int, ok bool) {
	c.alone("Len", in, func(arg []byte) string {
		n, err := c.ender.Len(arg)
		return fmt.Sprint("is ", n, err != nil)
	})
	arg := []byte(in)
	var err error
	if !c.try("Len", arg, func() { n, err = c.ender.Len(arg) }) {
		return 0, false
	}
	if string(arg) != in {
		c.law("arguments stay as they are", "Len changed %q to %q", in, arg)
	}
	if err == nil && (n < 1 || n > len(in)) {
		c.law("Len lies within", "Len(%q) is %d", in, n)
	}
	return n, err == nil
}

// hostile tries bytes that Append may never have written.
func (c *transformCheck) hostile() {
	r := rand.New(rand.NewPCG(3, 4))
	tried := map[string]bool{}
	try := func(b string) {
		if tried[b] {
			return
		}
		tried[b] = true
		if c.ender != nil {
			c.len(b)
		}
		if c.traits.OneWay {
			return
		}
		value, ok := c.invert(b)
		if !ok {
			return
		}
		if form, ok := c.append(value); !ok || form != b {
			c.law("Invert is strict", "%q gives %q, which is stored as %q (error: %v)", b, value, form, !ok)
		}
	}
	for i, p := range slices.Concat(c.near, c.values[:min(len(c.values), 200)]) {
		for _, b := range mutated(r, p.form) {
			try(b)
		}
		if i < 4 { // every byte in every place
			b := []byte(p.form)
			for at := range min(len(b), 32) {
				for v := range 256 {
					b[at] = byte(v)
					try(string(b))
				}
				b[at] = p.form[at]
			}
		}
	}
	long := r.Perm(256)
	for n := range 100 {
		b := make([]byte, 1+3*n)
		for i := range b {
			b[i] = byte(long[(i+n)%256])
		}
		try(string(b))
	}
	for range 300 {
		b := make([]byte, r.IntN(24))
		for i := range b {
			b[i] = []byte{byte(r.Uint32()), 0, 0xff, byte('a' + r.IntN(26))}[r.IntN(4)]
		}
		try(string(b))
	}
}

// together calls from several goroutines.
func (c *transformCheck) together() {
	if c.err() != nil {
		return
	}
	some := slices.Concat(c.near, c.values)
	some = some[:min(len(some), 400)]
	const callers = 4
	var wg sync.WaitGroup
	for k := range callers { // each with another value
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range some {
				p := some[(i+k*len(some)/callers)%len(some)]
				c.try("a call at the same time", []byte(p.value), func() { c.alike(p) })
			}
		}()
	}
	wg.Wait()
}

// alike checks that each method gives what it gave before.
func (c *transformCheck) alike(p pair) {
	form, err := c.t.Append(nil, []byte(p.value))
	value, err2 := []byte(p.value), error(nil)
	if !c.traits.OneWay {
		value, err2 = c.t.Invert(nil, []byte(p.form))
	}
	if err != nil || err2 != nil || string(form) != p.form || string(value) != p.value {
		c.law("calls at the same time", "%q is %q and back %q, alone it was %q", p.value, form, value, p.form)
	}
	if c.ender == nil {
		return
	}
	if n, err := c.ender.Len([]byte(p.form)); err != nil || n != len(p.form) {
		c.law("calls at the same time", "Len(%q) is %d, alone it was %d", p.form, n, len(p.form))
	}
}

// keys writes and reads whole keys.
func (c *transformCheck) keys() {
	if c.err() != nil {
		return
	}
	s, err := kitSchema(c.t)
	if err != nil {
		c.law("keys", "%v", err)
		return
	}
	for _, p := range c.values {
		want := "#" + p.form
		if n := len(p.value); c.traits.OneWay { // after the value, after its length
			want = "#" + string([]byte{0, 0, byte(n >> 8), byte(n)}) + p.value + p.form
		}
		if len(want) > math.MaxInt16 { // no key is longer
			continue
		}
		key, err := s.AppendKey(nil, p.value)
		if err != nil || string(key) != want {
			c.law("keys", "%q has the key %q, %v", p.value, key, err)
			continue
		}
		var back []byte
		if err := s.Read(key).Binary(&back).Err(); err != nil || string(back) != p.value {
			c.law("keys", "%q has the key %q, which reads %q, %v", p.value, key, back, err)
		}
	}
}

// inputs are values to try: the samples, what lies beside them, every byte, short
// texts of bytes that are often mistaken, and texts of lengths that are.
func inputs(samples []string) []string {
	r := rand.New(rand.NewPCG(1, 2))
	out := slices.Clone(samples)
	for _, s := range samples {
		out = append(out, mutated(r, s)...)
		for i := range min(len(s), 16) { // a number's sign, its first byte, its last
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xfe, 0xff} {
				b := []byte(s)
				b[i] = v
				out = append(out, string(b))
			}
		}
	}
	for v := range 256 {
		out = append(out, string([]byte{byte(v)}), string([]byte{'a', byte(v), 'b'}))
	}
	for n := 4; n <= 33; n++ { // groups of bytes end somewhere
		for _, l := range []string{"\x00", "a", "\xff"} {
			out = append(out, strings.Repeat(l, n))
		}
	}
	for _, n := range []int{63, 64, 127, 128, 129, 255, 256, 257, 5000} {
		out = append(out, strings.Repeat("a", n))
	}
	letters := []string{"\x00", "\x01", "a", "b", "\xfe", "\xff"}
	short := []string{""}
	for range 3 {
		for _, s := range slices.Clone(short) {
			for _, l := range letters {
				short = append(short, s+l)
			}
		}
	}
	out = append(out, short...)
	out = append(out, strings.Repeat("a", 300), strings.Repeat("\x00", 300))
	slices.Sort(out)
	return slices.Compact(out)
}

// mutated are bytes beside some bytes: cut, lengthened, changed in a place.
func mutated(r *rand.Rand, s string) []string {
	out := []string{s + "\x00", s + "\xff", s + "a", s + s, "\x00" + s, "\xff" + s}
	for i := range min(len(s), 12) {
		out = append(out, s[:i], s[len(s)-i:])
	}
	for range 12 {
		if len(s) == 0 {
			break
		}
		b := []byte(s)
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[i]++
		case 1:
			b[i]--
		case 2:
			b[i] = byte(r.Uint32())
		default:
			b[i] = []byte{0, 0xff, 'a', '0'}[r.IntN(4)]
		}
		out = append(out, string(b))
	}
	return out
}
