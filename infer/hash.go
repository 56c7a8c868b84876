package infer

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// inputs are those of this stage. Pairs and triples are made when they are first needed.
func (s *search) inputs() []*input {
	if !s.combined {
		s.combined = true
		s.pool.combinations(usual, s.late)
	}
	return s.pool.inputs
}

// usual reports that a pair or a triple may have these bytes without more being known.
func usual(e *elem) bool { return e.cost < 4 }

// leastHash and leastSalt are the bits below which a fit is not looked at.
const (
	leastHex  = 28
	leastRaw  = 27
	leastSalt = 14
)

// hashes finds parts of digests. Where a part is cut and how long it is come out of the
// match.
func (s *search) hashes(n *node) {
	room := math.MaxInt
	for i, k := range s.keys {
		room = min(room, len(k)-int(n.pos[i]))
	}
	if room < 1 {
		return
	}
	here := make([][]byte, len(s.keys))
	lower, upper := true, true
	for i, k := range s.keys {
		here[i] = k[n.pos[i]:]
		lower = lower && isHex(here[i][0], false)
		upper = upper && isHex(here[i][0], true)
	}
	var text [2 * digest.MaxSize]byte
	for at, in := range s.inputs() {
		if at%512 == 511 && s.late() {
			return
		}
		for f, h := range hashFuncs {
			sum := in.sum(f, 0)
			if sum == nil {
				continue
			}
			s.tried++
			if sum[0] == here[0][0] {
				s.raw(n, here, in, f, min(h.Size(), room))
			}
			if !lower && !upper {
				continue
			}
			hex.Encode(text[:], sum)
			x := text[:2*len(sum)]
			for _, up := range []bool{false, true} {
				if up && !upper || !up && !lower {
					continue
				}
				first := here[0][0] | 0x20 // a digit stays a digit
				for cut := bytes.IndexByte(x, first); cut >= 0 && cut < len(x); {
					s.tried++
					s.hex(n, here, in, f, cut, room, up, lower)
					next := bytes.IndexByte(x[cut+1:], first)
					if next < 0 {
						break
					}
					cut += 1 + next
				}
			}
		}
	}
	for f := range hashFuncs {
		for m := 1; m <= min(2*hashFuncs[f].Size(), room-1, 64); m++ {
			s.restHash(n, here, f, m)
		}
	}
}

func isHex(b byte, upper bool) bool {
	return b >= '0' && b <= '9' || !upper && b >= 'a' && b <= 'f' || upper && b >= 'A' && b <= 'F'
}

func (s *search) raw(n *node, here [][]byte, in *input, f, l int) {
	for i := range here {
		sum := in.sum(f, i)
		if l = min(l, common(sum, here[i])); l == 0 {
			return
		}
	}
	for m := l; m > 0 && m > l-2; m-- {
		if in.dist*m*8 >= leastRaw {
			h := hashFuncs[f]
			s.pushHash(n, fmt.Sprintf("%s.raw(%d)", h.name, m), in, m, 8+h.cost+in.cost+sizeOddity(m, h.Size()), 8)
		}
	}
}

const hexDigits = "0123456789abcdef"

func (s *search) hex(n *node, here [][]byte, in *input, f, cut, room int, up, lower bool) {
	l := room
	letters := false
	for i := range here {
		sum := in.sum(f, i)
		k := here[i]
		j := 0
		for j < l && cut+j < 2*len(sum) && isHex(k[j], up) {
			at := cut + j
			c := hexDigits[sum[at/2]>>(4*(1-at%2))&15]
			if k[j]|0x20 != c|0x20 {
				break
			}
			letters = letters || k[j] > '9'
			j++
		}
		if l = j; l == 0 {
			return
		}
	}
	if up && lower && !letters { // digits alone are said in lower case
		return
	}
	h := hashFuncs[f]
	for m := l; m > 0 && m > l-2; m-- {
		if in.dist*m*4 < leastHex {
			continue
		}
		part, cost := fmt.Sprintf("%s.hex(%d)", h.name, m), 7+h.cost+in.cost+sizeOddity(m, 2*h.Size())
		if cut > 0 {
			part = fmt.Sprintf("%s.hexat(%d,%d)", h.name, cut, m)
			cost += 5
		}
		if up {
			part += ".upper"
			cost++
		}
		s.pushHash(n, part, in, m, cost, 4)
	}
}

// restHash finds a part of m bytes of the digest of all that comes after it.
func (s *search) restHash(n *node, here [][]byte, f, m int) {
	h := hashFuncs[f]
	raw, upper, letters := m <= h.Size(), true, false
	var cuts []int
	for i, k := range here {
		if !h.Takes(k[m:]) {
			return
		}
		sum := h.Append(nil, k[m:])
		raw = raw && bytes.HasPrefix(sum, k[:m])
		x := hex.EncodeToString(sum)
		p := string(k[:m])
		letters = letters || strings.ContainsAny(p, "ABCDEF")
		if strings.ContainsAny(p, "abcdef") {
			upper = false
		}
		if upper {
			p = strings.ToLower(p)
		}
		if i == 0 {
			for at := 0; at+m <= len(x); at++ {
				if x[at:at+m] == p {
					cuts = append(cuts, at)
				}
			}
		} else {
			cuts = slices.DeleteFunc(cuts, func(at int) bool { return x[at:at+m] != p })
		}
		if len(cuts) == 0 && !raw {
			return
		}
	}
	in := &input{rest: true, dist: len(here)}
	if in.dist*m*4 < leastHex {
		return
	}
	if raw {
		s.pushHash(n, fmt.Sprintf("%s.raw(%d)", h.name, m), in, m, 10+h.cost, 8)
	}
	for _, at := range cuts {
		part, cost := fmt.Sprintf("%s.hex(%d)", h.name, m), 10+h.cost
		if at > 0 {
			part, cost = fmt.Sprintf("%s.hexat(%d,%d)", h.name, at, m), cost+4
		}
		if upper && letters {
			part += ".upper"
		}
		s.pushHash(n, part, in, m, cost, 4)
	}
}

func (s *search) pushHash(n *node, part string, in *input, l int, cost float64, each int) {
	pos := make([]int32, len(s.keys))
	for i := range s.keys {
		pos[i] = n.pos[i] + int32(l)
	}
	s.push(n, pos, &comp{kind: isHash, part: part, in: in, cost: cost, bits: float64(in.dist * l * each), width: l, widest: l})
}

// sizeOddity is what a length of a part costs that few would take.
func sizeOddity(m, full int) float64 {
	switch m {
	case full, 1, 2, 4, 8, 16:
		return 1
	case 3, 5, 6:
		return 1.5
	}
	return 3
}

// bucketForm is the buckets of all rows at a node, as one form writes them.
type bucketForm struct {
	opts    string
	letters string
	v       []uint64
	l       []int
	most    uint64
	cost    float64
	limit   uint64 // on the number of buckets
}

const mostBuckets = 16384

func (s *search) bucketForms(n *node) (out []bucketForm) {
	try := func(f bucketForm, read func(k []byte) (uint64, int)) {
		vary := false
		for i, k := range s.keys {
			v, l := read(k[n.pos[i]:])
			if l <= 0 {
				return
			}
			f.v, f.l = append(f.v, v), append(f.l, l)
			f.most = max(f.most, v)
			vary = vary || v != f.v[0]
		}
		if vary && f.most < mostBuckets {
			out = append(out, f)
		}
	}
	for _, w := range []int{1, 2, 4} {
		opts := ""
		if w > 1 {
			opts = fmt.Sprintf(" width(%d)", w)
		}
		try(bucketForm{opts: opts, cost: float64(w), limit: min(uint64(1)<<(8*w), mostBuckets)}, func(k []byte) (v uint64, l int) {
			if len(k) < w {
				return 0, 0
			}
			for _, b := range k[:w] {
				v = v<<8 | uint64(b)
			}
			return v, w
		})
	}
	ten := uint64(1)
	for w := 1; w <= 4; w++ {
		ten *= 10
		try(bucketForm{opts: fmt.Sprintf(" digits(%d)", w), cost: 1, limit: ten}, func(k []byte) (v uint64, l int) {
			if len(k) < w {
				return 0, 0
			}
			for _, b := range k[:w] {
				if b < '0' || b > '9' {
					return 0, 0
				}
				v = v*10 + uint64(b-'0')
			}
			return v, w
		})
	}
	try(bucketForm{opts: " decimal", cost: 0.8, limit: mostBuckets}, func(k []byte) (v uint64, l int) {
		for l < len(k) && k[l] >= '0' && k[l] <= '9' && l < 5 {
			v = v*10 + uint64(k[l]-'0')
			l++
		}
		if l > 1 && k[0] == '0' || l == 5 {
			return 0, 0
		}
		return v, l
	})
	for _, set := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789abcdef", "0123456789ABCDEF"} {
		try(bucketForm{letters: set, cost: 4, limit: uint64(len(set))}, func(k []byte) (uint64, int) {
			if len(k) == 0 || strings.IndexByte(set, k[0]) < 0 {
				return 0, 0
			}
			return uint64(strings.IndexByte(set, k[0])), 1
		})
	}
	return out
}

// salts finds buckets. The number of buckets divides hash − bucket in every row, so it
// divides their common divisor: no number is tried.
func (s *search) salts(n *node, buckets []bucketForm) {
	for _, f := range buckets {
		m := &matcher{s, n, f}
		for at, in := range s.inputs() {
			if at%512 == 511 && s.late() {
				return
			}
			m.all(in)
		}
		rest := &input{rest: true, cost: 1}
		seen := map[string]bool{}
		for i, k := range s.keys {
			rest.rows = append(rest.rows, k[int(n.pos[i])+f.l[i]:])
			seen[string(rest.rows[i])] = true
		}
		rest.dist = len(seen)
		m.all(rest)
	}
}

// remainders finds buckets that are the remainder of a number. They cost little, so they are
// looked for in each stage: where numbers are long, that by 100 is the last two characters too.
func (s *search) remainders(n *node, buckets []bucketForm) {
	for _, f := range buckets {
		m := &matcher{s, n, f}
		for _, in := range s.mods {
			if g := m.fit(func(i int) (number, bool) { return in.nums[i], true }); g != 0 {
				m.emit(g, " modulo", in, 1)
			}
		}
	}
}

type matcher struct {
	s *search
	n *node
	f bucketForm
}

// fit is the common divisor of hash − bucket over all rows; 0 if no number of buckets
// fits, or if the bucket is the number itself.
func (m *matcher) fit(hash func(i int) (number, bool)) (g uint64) {
	for i, v := range m.f.v {
		x, ok := hash(i)
		if !ok {
			return 0
		}
		if g = gcd(g, x.minus(v)); g != 0 && g <= m.f.most {
			return 0
		}
	}
	return g
}

func (m *matcher) emit(g uint64, rule string, in *input, cost float64) {
	f := m.f
	for i, d := range divisors(g, f.most+1, min(f.limit, mostBuckets)) {
		bits := float64(in.dist) * math.Log2(float64(d))
		if bits < leastSalt {
			continue
		}
		if r, _ := digest.RuleNamed(strings.TrimPrefix(rule, " ")); r.Whole(d) != r {
			continue // said as the rule that refuses no value
		}
		form := f.opts
		if f.letters != "" {
			form = fmt.Sprintf(" letters(%q)", f.letters[:d])
		}
		pos := make([]int32, len(f.l))
		for j, l := range f.l {
			pos[j] = m.n.pos[j] + int32(l)
		}
		m.s.push(m.n, pos, &comp{kind: isSalt, part: fmt.Sprintf("salt%d", d), opts: rule + form, in: in, bits: bits, width: slices.Min(f.l), widest: slices.Max(f.l),
			cost: 8 + cost + f.cost + in.cost + 3*float64(i) + oddity(d)})
	}
}

// all tries every rule on one input.
func (m *matcher) all(in *input) {
	for f, h := range hashFuncs {
		m.s.tried++
		if h.Algorithm == digest.JavaHashCode {
			continue
		}
		cost := float64(f) / 2
		widths := []int{1, 2, 4, 8}
		if h.Size() == 4 {
			widths = []int{4}
		}
		for _, w := range widths {
			if !m.mayFit(in, f, w) {
				continue
			}
			g := m.fit(func(i int) (number, bool) {
				v, ok := in.word(f, i)
				return number{v >> (64 - 8*w), false}, ok
			})
			if g == 0 {
				continue
			}
			rule, odd := fmt.Sprintf(" %s.raw(%d)", h.name, w), 0.0
			if h.name == "murmur3" {
				rule = ""
			}
			if h.Size() > 4 {
				odd = 2 + sizeOddity(w, 8)
			}
			m.emit(g, rule, in, cost+odd)
		}
	}
	text := func(of func(h int32) number) func(i int) (number, bool) {
		return func(i int) (number, bool) {
			h, ok := digest.JavaString(in.row(i))
			return of(h), ok
		}
	}
	data := func(of func(h int32) number) func(i int) (number, bool) {
		return func(i int) (number, bool) { return of(digest.JavaBytes(in.row(i))), true }
	}
	masked := func(h int32) number { return number{uint64(h & math.MaxInt32), false} }
	plain := func(h int32) number { return signed(int64(h)) }
	abs := func(h int32) number { return number{plain(h).mag, false} }
	m.s.tried += 6
	if g := m.fit(text(masked)); g != 0 {
		m.emit(g, " javahash", in, 1)
	}
	if g := m.fit(text(abs)); g != 0 {
		m.emit(g, " javahashabs", in, 1)
		m.emit(g, " javahashmodabs", in, 1.2)
	}
	if g := m.fit(text(plain)); g != 0 {
		m.emit(g, " javahashfloor", in, 2)
	}
	if g := m.fit(data(abs)); g != 0 {
		m.emit(g, " phoenixhash", in, 3)
		m.emit(g, " hbasewdhash", in, 4)
	}
	if g := m.fit(data(masked)); g != 0 {
		m.emit(g, " pinpointhash", in, 4)
	}
}

// mayFit is fit for the first rows alone, which few hashes survive.
func (m *matcher) mayFit(in *input, f, w int) bool {
	var g uint64
	first, ok := in.word(f, 0)
	if !ok {
		return false
	}
	if few := m.f.limit - m.f.most; few <= 8 { // so few numbers of buckets are tried
		fits := false
		for n := m.f.most + 1; n <= m.f.limit; n++ {
			fits = fits || first>>(64-8*w)%n == m.f.v[0]
		}
		if !fits {
			return false
		}
	}
	for i := range min(headRows, len(m.f.v)) {
		x, ok := in.word(f, i)
		if !ok {
			return false
		}
		x >>= 64 - 8*w
		v := m.f.v[i]
		if g = gcd(g, max(x, v)-min(x, v)); g != 0 && g <= m.f.most {
			return false
		}
	}
	return true
}

// word is the first 8 bytes of a digest, filled up with zeros; of the first rows it is
// kept, also where the digest is not.
func (in *input) word(f, i int) (uint64, bool) {
	if i >= headRows {
		return wordOf(in.sumOf(f, i))
	}
	if in.words == nil {
		in.words = make([]headWords, len(hashFuncs))
	}
	w := &in.words[f]
	if !w.known[i] {
		w.known[i] = true
		w.v[i], w.ok[i] = wordOf(in.sumOf(f, i))
	}
	return w.v[i], w.ok[i]
}

const headRows = 3

type headWords struct {
	v         [headRows]uint64
	known, ok [headRows]bool
}

func wordOf(sum []byte) (v uint64, ok bool) {
	for i := range min(8, len(sum)) {
		v |= uint64(sum[i]) << (56 - 8*i)
	}
	return v, sum != nil
}

// sumOf is sum, also of the rest, which is not kept.
func (in *input) sumOf(f, i int) []byte {
	if !in.rest {
		return in.sum(f, i)
	}
	h := hashFuncs[f]
	if !h.Takes(in.rows[i]) {
		return nil
	}
	return h.Append(nil, in.rows[i])
}
