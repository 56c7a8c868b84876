package digest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// TestModulus: the rest without a division is the rest, for each number of buckets
// in a byte and some beyond.
func TestModulus(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	counts := []uint64{257, 1000, 65535, 65536, 100000, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32}
	for n := uint64(1); n <= 256; n++ {
		counts = append(counts, n)
	}
	for _, n := range counts {
		m := NewModulus(n)
		xs := []uint32{0, 1, uint32(n - 1), uint32(n), uint32(n + 1), math.MaxUint32, math.MaxUint32 - 1, math.MaxInt32}
		for range 200 {
			xs = append(xs, r.Uint32())
		}
		for _, x := range xs {
			if got := m.Of(x); got != uint64(x)%n {
				t.Fatalf("%d mod %d = %d", x, n, got)
			}
			far := math.MaxUint64/n*n - uint64(x%3) // near a multiple of n, where an estimate may be 1 too small
			for _, x := range []uint64{uint64(x), far, far + uint64(x), r.Uint64(), r.Uint64() / n * n, math.MaxUint64 - uint64(x)} {
				if got := m.OfLong(x); got != x%n {
					t.Fatalf("%d mod %d = %d", x, n, got)
				}
				signed := m.Signed()
				if got, want := signed.OfLong(x), new(big.Int).Mod(big.NewInt(int64(x)), new(big.Int).SetUint64(n)); got != want.Uint64() {
					t.Fatalf("%d mod %d = %d", int64(x), n, got)
				}
			}
		}
	}
}

// TestMod: numbers of each length up to the longest digest's, against big.Int.
func TestMod(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for length := range MaxSize + 1 {
		for range 50 {
			b := make([]byte, length)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			n := 1 + r.Uint64N(math.MaxInt32)
			want := new(big.Int).Mod(new(big.Int).SetBytes(b), new(big.Int).SetUint64(n))
			if got := Mod(b, n); got != want.Uint64() {
				t.Fatalf("%x mod %d = %d, want %d", b, n, got, want)
			}
		}
	}
}

// TestRulesRandom: the buckets of Java's formulas, over random bytes and numbers of buckets.
func TestRulesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		data := make([]byte, r.IntN(12))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		count := int64(1 + r.Uint32()>>(1+r.IntN(31)))
		n := NewModulus(uint64(count))
		h := int64(JavaBytes(data))
		rest := h % count // Java's %: it has the sign of h
		for rule, want := range map[Rule]int64{Phoenix: max(rest, -rest), HBaseWD: max(h, -h) % count, Pinpoint: h & math.MaxInt32 % count} {
			if got, ok := rule.Bucket(data, &n); !ok || got != uint64(want) {
				t.Fatalf("%v of %x among %d: %d %t, want %d", rule, data, count, got, ok, want)
			}
		}
	}
}

// TestWhole: of a power of two the rule that refuses nothing has the same buckets, of another number a
// rule stands for itself; and the twin of a rule's twin is the rule.
func TestWhole(t *testing.T) {
	for i := range rules {
		r := Rule(i)
		if r.Twin().Twin() != r || r.Whole(7) != r {
			t.Errorf("%v: its twin is %v, whole it is %v", r, r.Twin(), r.Whole(7))
		}
		for _, data := range []string{"ab", "user123", "polygenelubricants", "\xc3\xa9b"} {
			n := NewModulus(16)
			is, ok := r.Bucket([]byte(data), &n)
			if whole, all := r.Whole(16).Bucket([]byte(data), &n); ok && whole != is || !all && i != 0 && r != Modulo {
				t.Errorf("%v of %q among 16: %d %t, whole it is %d %t", r, data, is, ok, whole, all)
			}
		}
	}
}

// TestRules: what Java computes for a few hashes, among them the smallest int,
// of which Math.abs is negative.
func TestRules(t *testing.T) {
	const least = "polygenelubricants" // its hashCode is the smallest int
	if h, ok := JavaString([]byte(least)); !ok || h != math.MinInt32 {
		t.Fatalf("hashCode %d %t", h, ok)
	}
	for _, c := range []struct {
		rule Rule
		data string
		n    uint64
		want uint64
		ok   bool
	}{
		{Java, "ab", 16, 1, true}, {JavaAbs, "ab", 16, 1, true}, {JavaFloor, "ab", 16, 1, true}, {JavaModAbs, "ab", 16, 1, true},
		{Java, "user123", 100, 75, true}, {JavaAbs, "user123", 100, 73, true}, {JavaFloor, "user123", 100, 27, true}, {JavaModAbs, "user123", 100, 73, true},
		{Java, least, 10, 0, true}, {JavaAbs, least, 10, 8, false}, {JavaFloor, least, 10, 2, true}, {JavaModAbs, least, 10, 8, true},
		{Java, "\xe9", 10, 0, false},
		{Phoenix, "abc", 16, 1, true}, {HBaseWD, "abc", 16, 1, true}, {Pinpoint, "abc", 16, 1, true},
		{HBaseWD, "\xff", 7, 2, true},
	} {
		n := NewModulus(c.n)
		got, ok := c.rule.Bucket([]byte(c.data), &n)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%v of %q among %d: %d %t, want %d %t", c.rule, c.data, c.n, got, ok, c.want, c.ok)
		}
	}
	for i := range rules[1:] {
		r := Rule(i + 1)
		if back, ok := RuleNamed(r.String()); !ok || back != r {
			t.Errorf("the rule named %s is %v", r, back)
		}
	}
	if _, ok := RuleNamed(""); ok {
		t.Error("no name is a rule's")
	}
}

// TestNames: each algorithm is found by its name, and gives as many bytes as it
// says. Of those of 4 bytes First is the bytes of a part, or its digits.
func TestNames(t *testing.T) {
	for i, name := range Names() {
		a, ok := Named(name)
		if !ok || int(a) != i+1 || a.String() != name {
			t.Errorf("%s is number %d", name, a)
		}
		h := a.Hash()
		if n := len(h.Append(nil, []byte("abc"))); n != a.Size() || n > MaxSize {
			t.Errorf("%s gives %d bytes, not %d", name, n, a.Size())
		}
		for n := 1; n <= 4 && n <= a.Size(); n++ {
			p := Part{Hash: h, N: n}
			sum, ok := h.Sum32([]byte("abc"))
			want := p.Append(nil, []byte("abc"))
			if got := binary.BigEndian.AppendUint32(nil, uint32(p.First(sum)))[4-n:]; ok != (p.Size() == 4) || ok && !bytes.Equal(got, want) {
				t.Errorf("the first %d bytes of %s are % x, want % x", n, name, got, want)
			}
		}
		for i := range 8 * 8 * 2 {
			p := Part{Hash: h, Hex: true, Upper: i >= 64, At: i % 8, N: 1 + i/8%8}
			if sum, ok := h.Sum32([]byte("abc")); ok && p.At+p.N <= 8 {
				if got, want := forms.AppendUint(nil, p.First(sum), p.N), p.Append(nil, []byte("abc")); !bytes.Equal(got, want) {
					t.Errorf("%+v of %s is %q, want %q", p, name, got, want)
				}
			}
		}
	}
	if _, ok := Named(""); ok {
		t.Error("no name is an algorithm's")
	}
}

// TestCut: the parts of md5("abc") that the documentation shows, and upper case.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		p    Part
		want string
	}{
		{Part{N: 2}, "\x90\x01"},
		{Part{Hex: true, N: 3}, "900"},
		{Part{Hex: true, At: 3, N: 4}, "1509"},
		{Part{Hex: true, At: 8, N: 3}, "3cd"},
		{Part{Hex: true, Upper: true, At: 8, N: 3}, "3CD"},
		{Part{Hex: true, At: 31, N: 1}, "2"},
	} {
		c.p.Algorithm = MD5
		if got := string(c.p.Append([]byte("head"), []byte("abc"))); got != "head"+c.want {
			t.Errorf("%+v of abc is %q, want %q", c.p, got, c.want)
		}
	}
}
