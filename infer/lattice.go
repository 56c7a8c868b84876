package infer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// compKind is what a piece of a key is.
type compKind uint8

const (
	isField compKind = iota + 1
	isConst
	isHash
	isSalt
	isGap
)

// comp is a piece of the keys: a component of the notation that writes the same bytes
// as stand between two nodes, in every row.
type comp struct {
	kind          compKind
	rd            *reading
	way           *way
	text          []byte // of a constant
	ends          bool   // a constant after which a hash may begin
	part          string // md5.hex(4); of a salt: salt16
	opts          string // of a salt: its rule and its form
	in            *input
	cost          float64
	bits          float64               // what the rows say for it, in bits; of a hash or a salt, by distinct inputs
	looks         string                // of a gap: what a step of the program's own may have written
	step          func(v string) string // that step
	enc           [][]byte
	width, widest int // of a hash or a salt, in bytes
}

// node is a place in every key of the search.
type node struct {
	pos   []int32
	sum   int
	id    int
	done  bool
	first bool // it can be reached by a constant alone
	front bool // it can be reached without a field
	edge  bool // a piece may begin here: not within bytes that all keys have
	best  []*partial
	out   []edge
}

type edge struct {
	to *node
	c  *comp
}

// partial is a path from the start of the keys to a node.
type partial struct {
	cost float64
	prev *partial
	at   *node
	c    *comp
}

func (p *partial) comps() (out []*comp) {
	for ; p.c != nil; p = p.prev {
		out = append(out, p.c)
	}
	slices.Reverse(out)
	return out
}

// stage is how much of the search is done.
type stage uint8

const (
	fieldsOnly stage = iota // fields and constants
	hashFirst               // a hash or a salt at the beginning, perhaps after a constant
	hashFront               // hashes and salts before the first field
	withCodes               // dictionaries too
	withInputs              // as hashFront, with what a layout that is known in part writes as inputs
	hashAll                 // hashes and salts everywhere
)

// stages are all, in their order. The first quick ones cost little.
var stages = []stage{fieldsOnly, hashFirst, hashFront, withCodes, withInputs, hashAll}

const quick = 4

// search is the search over some rows.
type search struct {
	ctx      context.Context
	deadline time.Time
	columns  int
	rows     []int // of the table
	keys     [][]byte
	readings [][]*reading
	encs     []*comp
	pool     *pool
	mods     []*input
	combined bool
	nodes    map[string]*node
	list     []*node
	stage    stage
	grouped  bool
	few      []*group
	guessed  bool
	likely   []*guess
	tried    float64 // how many options were tried, for the odds of a chance fit
}

// sample chooses rows for a search: the shortest and the longest of each column, then
// others by chance.
func sample(t *table, among []int, n int, rng *rand.Rand) []int {
	among = slices.Clone(among)
	rng.Shuffle(len(among), func(i, j int) { among[i], among[j] = among[j], among[i] })
	if len(among) <= n {
		return among
	}
	var out []int
	taken := map[int]bool{}
	take := func(i int) {
		if !taken[i] && len(out) < n {
			taken[i] = true
			out = append(out, i)
		}
	}
	look := among[:min(len(among), 2000)]
	take(look[0])
	for c := range t.columns {
		if len(out) >= n/2 {
			break
		}
		short, long := look[0], look[0]
		for _, i := range look {
			if len(t.rows[i][c]) < len(t.rows[short][c]) {
				short = i
			}
			if len(t.rows[i][c]) > len(t.rows[long][c]) {
				long = i
			}
		}
		take(short)
		take(long)
	}
	for _, i := range among {
		take(i)
	}
	return out
}

func newSearch(ctx context.Context, deadline time.Time, t *table, rows []int) *search {
	s := &search{ctx: ctx, deadline: deadline, columns: len(t.columns), rows: rows}
	for _, i := range rows {
		s.keys = append(s.keys, t.keys[i])
	}
	values := make([]string, len(rows))
	for c := range t.columns {
		for j, i := range rows {
			values[j] = t.rows[i][c]
		}
		s.readings = append(s.readings, readingsOf(c, values))
	}
	s.encode()
	s.pool = newPool(len(t.columns), len(rows))
	for _, rs := range s.readings {
		for _, r := range rs {
			s.pool.meanings(r)
		}
	}
	for _, c := range s.encs {
		s.pool.stored(c)
	}
	s.pool.singles()
	s.mods = moduli(s.readings, s.encs)
	return s
}

func (s *search) late() bool {
	return s.ctx.Err() != nil || time.Now().After(s.deadline)
}

// encode keeps the ways whose bytes stand somewhere in every key. Where it is late it goes on for a
// while, since what is found is said then, too; but some columns have thousands of ways.
func (s *search) encode() {
	least := time.Now().Add(afterwards)
	late := func() bool { return s.late() && (s.ctx.Err() != nil || time.Now().After(least)) }
	var buf []byte
	nulls := slices.ContainsFunc(s.readings, func(rs []*reading) bool { return slices.ContainsFunc(rs, func(r *reading) bool { return r.nulls }) })
	for _, rs := range s.readings {
		for _, r := range rs {
			for _, list := range [][]*way{waysOf(r, nulls), fillers(r, s.keys, late)} {
				for _, w := range list {
					if late() {
						return
					}
					s.tried++
					var enc [][]byte
					sum := 0
					for i, k := range s.keys {
						b, err := w.append(buf[:0], r.vals[i])
						if err != nil && w.opts == "" && (r.kind == kindText || r.kind == kindBytes) && r.vals[i] != nil && textOf(r.vals[i]) == "" {
							b, err = buf[:0], nil // an empty text writes nothing, which alone is no key
						}
						if err != nil && r.vals[i] == nil && !w.mid {
							b, err = buf[:0], nil // so does a null at the end
						}
						if err != nil || !bytes.Contains(k, b) && !(w.mid && bytes.HasSuffix(k, open(b))) {
							enc = nil
							break
						}
						buf = b
						sum += len(b)
						enc = append(enc, slices.Clone(b))
					}
					if enc == nil || sum == 0 {
						continue
					}
					cost := 6 + w.cost + r.cost
					if w.copyOnly {
						cost += 4
					}
					s.encs = append(s.encs, &comp{kind: isField, rd: r, way: w, cost: cost, enc: enc, bits: patternBits(r)})
				}
			}
		}
	}
}

// open is what Phoenix leaves of a text if all that comes after it is null: no end.
func open(b []byte) []byte { return bytes.TrimSuffix(b, []byte{0}) }

// patternBits is how much a column tells its rows apart, in bits: if it says little, a
// piece of the key may have its pattern by chance.
func patternBits(r *reading) float64 {
	count := map[any]int{}
	for _, v := range r.vals {
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		count[v]++
	}
	bits := 0.0
	for _, n := range count {
		bits -= float64(n) * math.Log2(float64(n)/float64(len(r.vals)))
	}
	return bits
}

func (s *search) node(pos []int32) *node {
	k := make([]byte, 0, 4*len(pos))
	sum := 0
	for _, p := range pos {
		k = binary.LittleEndian.AppendUint32(k, uint32(p))
		sum += int(p)
	}
	n := s.nodes[string(k)]
	if n == nil {
		n = &node{pos: slices.Clone(pos), sum: sum, id: len(s.list)}
		s.nodes[string(k)] = n
		s.list = append(s.list, n)
	}
	return n
}

// mostNodes and keptPaths bound the lattice.
const (
	mostNodes = 1500
	keptPaths = 24
)

// run builds the lattice of a stage, and gives its end; nil if the end is not reached.
func (s *search) run(st stage) (end *node) {
	s.stage = st
	s.nodes, s.list = map[string]*node{}, nil
	start := s.node(make([]int32, len(s.keys)))
	start.best, start.first, start.front, start.edge = []*partial{{at: start}}, true, true, true
	last := s.lastPos()
	for range mostNodes {
		var n *node
		for _, m := range s.list {
			if !m.done && (n == nil || m.sum < n.sum) {
				n = m
			}
		}
		if n == nil || s.late() {
			break
		}
		n.done = true
		n.trim(keptPaths)
		if slices.Equal(n.pos, last) {
			end = n
			continue
		}
		s.expand(n)
	}
	return end
}

func (s *search) lastPos() []int32 {
	last := make([]int32, len(s.keys))
	for i, k := range s.keys {
		last[i] = int32(len(k))
	}
	return last
}

func (n *node) trim(most int) {
	slices.SortStableFunc(n.best, func(a, b *partial) int { return cmp.Compare(a.cost, b.cost) })
	n.best = n.best[:min(len(n.best), most)]
}

// follow is the path p with one piece more; nil if it is none that anybody would take.
func (p *partial) follow(to *node, c *comp) *partial {
	if c.kind == isConst && p.c != nil && p.c.kind == isConst {
		return nil // one constant, not two
	}
	cost := p.cost + c.cost
	if c.kind == isField { // a column that is written twice
		for q := p; q.c != nil; q = q.prev {
			if q.c.kind == isField && q.c.rd.col == c.rd.col {
				cost += 6
				break
			}
		}
	}
	return &partial{cost, p, to, c}
}

func (s *search) push(n *node, pos []int32, c *comp) {
	to := s.node(pos)
	if to.sum <= n.sum {
		return
	}
	n.out = append(n.out, edge{to, c})
	to.front = to.front || n.front && c.kind != isField
	to.first = to.first || n.first && c.kind == isConst
	to.edge = to.edge || c.kind != isConst || c.ends
	for _, p := range n.best {
		if q := p.follow(to, c); q != nil {
			to.best = append(to.best, q)
		}
	}
	if len(to.best) > 20*keptPaths {
		to.trim(keptPaths)
	}
}

func (s *search) expand(n *node) {
	pos := make([]int32, len(s.keys))
	for _, c := range s.encs {
		ok := true
		for i, k := range s.keys {
			switch tail := k[n.pos[i]:]; {
			case bytes.HasPrefix(tail, c.enc[i]):
				pos[i] = n.pos[i] + int32(len(c.enc[i]))
				continue
			case c.way.mid && bytes.Equal(tail, open(c.enc[i])):
				pos[i] = int32(len(k))
				continue
			}
			ok = false
			break
		}
		if ok {
			s.push(n, pos, c)
		}
	}
	s.constants(n)
	s.epochs(n)
	if n.edge && s.stage >= withCodes {
		s.codes(n)
	}
	hashed := s.stage == hashAll || s.stage >= hashFront && n.front || s.stage == hashFirst && n.first
	if n.edge && (hashed || len(s.mods) > 0) {
		buckets := s.bucketForms(n)
		if hashed {
			s.hashes(n)
			s.salts(n, buckets)
		}
		s.remainders(n, buckets)
	}
}

// constants are the bytes that all keys have here.
func (s *search) constants(n *node) {
	k0 := s.keys[0][n.pos[0]:]
	l := min(len(k0), 32)
	for i, k := range s.keys {
		l = min(l, common(k0, k[n.pos[i]:]))
	}
	pos := make([]int32, len(s.keys))
	cost := 4.0
	for j := 1; j <= l; j++ {
		c := k0[j-1]
		mark := bytes.IndexByte([]byte("_-:|#/,.~ \x00"), c) >= 0
		switch {
		case mark:
			cost += 3
		case c < ' ' || c > '~':
			cost += 9
		default:
			cost += 7
		}
		for i := range s.keys {
			pos[i] = n.pos[i] + int32(j)
		}
		s.push(n, pos, &comp{kind: isConst, text: k0[:j], cost: cost, ends: mark || j == l})
	}
}

// epochs finds times that count from a day other than 1970's first: the number and the
// time differ by the same in all rows.
func (s *search) epochs(n *node) {
	room := math.MaxInt
	for i, k := range s.keys {
		room = min(room, len(k)-int(n.pos[i]))
	}
	pos := make([]int32, len(s.keys))
	for _, rs := range s.readings {
		for _, r := range rs {
			if r.kind != kindTime || r.nulls {
				continue
			}
			for _, u := range []struct {
				word  string
				milli int64
			}{{"ms", 1}, {"s", 1000}, {"min", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}} {
				for _, w := range []int{4, 8, 3, 2, 5, 6} {
					if room < w {
						continue
					}
					var lo, hi int64 // of the instant where the count begins
					vary := false
					for i := range s.keys {
						var v uint64
						for _, b := range s.keys[i][n.pos[i]:][:w] {
							v = v<<8 | uint64(b)
						}
						if v > 1<<42 {
							lo, hi = 1, 0
							break
						}
						t := r.vals[i].(time.Time).UnixMilli()
						vary = vary || t != r.vals[0].(time.Time).UnixMilli()
						to := t - int64(v)*u.milli // within one unit after the beginning
						from := to - u.milli + 1
						if i == 0 {
							lo, hi = from, to
						}
						lo, hi = max(lo, from), min(hi, to)
						if lo > hi {
							break
						}
						pos[i] = n.pos[i] + int32(w)
					}
					if lo > hi || !vary {
						continue
					}
					begin, odd := round(lo, hi)
					if begin == 0 {
						continue
					}
					opts := ""
					if w != 8 {
						opts = fmt.Sprintf(" width(%d)", w)
					}
					way := &way{kind: kindTime, unit: u.word + "-since(" + time.UnixMilli(begin).UTC().Format("2006-01-02T15:04:05.999Z07:00") + ")", opts: opts, cost: 14 + odd}
					if !way.ready() || !s.writes(n, pos, way, r) {
						continue
					}
					s.push(n, pos, &comp{kind: isField, rd: r, way: way, cost: 6 + way.cost + r.cost, bits: patternBits(r)})
				}
			}
		}
	}
}

// round is the roundest instant from lo to hi, and its oddity.
func round(lo, hi int64) (int64, float64) {
	for _, u := range []struct {
		milli int64
		odd   float64
	}{{86_400_000, 0}, {3_600_000, 0}, {60_000, 4}, {1000, 7}, {1, 10}} {
		if at := floorDiv(hi, u.milli) * u.milli; at >= lo {
			return at, u.odd
		}
	}
	return hi, 10
}

// writes reports that a way writes the bytes from a node to a place.
func (s *search) writes(n *node, pos []int32, w *way, r *reading) bool {
	for i, k := range s.keys {
		b, err := w.append(nil, r.vals[i])
		if err != nil || !bytes.Equal(b, k[n.pos[i]:pos[i]]) {
			return false
		}
	}
	return true
}

// common is the length of the prefix that two texts share.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
