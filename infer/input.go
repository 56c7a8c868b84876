package infer

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/digest"
)

// as is how an input of the notation may name what a meaning stands for.
type as uint8

const (
	asValue  as = 1 << iota // the name, values(…)
	asText                  // text(…), a %s of format(…)
	asStored                // stored(…)
	asVerb                  // a verb of format(…) alone
)

// meaning is something that a program may have hashed of a column: a value in the bytes
// that a way of the library writes.
type meaning struct {
	rd   *reading
	way  *way   // that writes the bytes
	decl string // the field's declaration where it is not stored; %s is its name
	as   as
	verb string // of asVerb: %05d
	cost float64
}

// elem is bytes of one column that a hash may see, with all that they may mean: what
// writes the same bytes in every row of the search is one elem.
type elem struct {
	col   int
	b     [][]byte
	means []meaning
	cost  float64
	id    int
}

func (e *elem) can(a as) bool {
	return slices.ContainsFunc(e.means, func(m meaning) bool { return m.as&a != 0 })
}

// input is what a hash or a salt may be computed over.
type input struct {
	parts  []*elem
	sep    string // between the parts, of a format
	minmax bool
	rest   bool
	cost   float64
	dist   int      // how many distinct inputs the rows show
	rows   [][]byte // made as they are asked for
	sums   [][][]byte
	words  []headWords // by hash function

	// of modulo: the number, in place of bytes
	mod  *meaning
	nums []number
}

// number is an integer of 65 bits.
type number struct {
	mag uint64
	neg bool
}

// minus is the distance of a number and a bucket.
func (n number) minus(v uint64) uint64 {
	switch {
	case n.neg:
		return n.mag + v
	case n.mag >= v:
		return n.mag - v
	}
	return v - n.mag
}

func signed(v int64) number {
	if v < 0 {
		return number{uint64(-v), true}
	}
	return number{uint64(v), false}
}

// row is the bytes of row i.
func (in *input) row(i int) []byte {
	if in.rows[i] == nil {
		b := []byte{}
		if in.minmax {
			x, y := in.parts[0].b[i], in.parts[1].b[i]
			if bytes.Compare(x, y) > 0 {
				x, y = y, x
			}
			b = append(append(b, x...), y...)
		} else {
			for j, e := range in.parts {
				if j > 0 {
					b = append(b, in.sep...)
				}
				b = append(b, e.b[i]...)
			}
		}
		in.rows[i] = b
	}
	return in.rows[i]
}

// hashFunc is a digest with its seed.
type hashFunc struct {
	digest.Hash
	name string
	cost float64
}

// hashFuncs are the digests, the usual ones first.
var hashFuncs = func() (out []*hashFunc) {
	for i, name := range []string{"md5", "sha1", "sha256", "murmur3", "crc32", "javahashcode", "sha512", "hmurmur3", "hmurmur", "hjenkins", "murmur3x128", "hjenkins-seed0", "hmurmur-seed0"} {
		base, seed, seeded := strings.Cut(name, "-seed")
		a, _ := digest.Named(base)
		h := a.Hash()
		if seeded {
			n, _ := strconv.ParseUint(seed, 10, 32)
			h.Seed = uint32(n)
		}
		out = append(out, &hashFunc{h, name, float64(3 + i)})
	}
	return out
}()

// sum is a digest of a row; nil if the digest is not defined for it.
func (in *input) sum(f int, i int) []byte {
	if in.sums == nil {
		in.sums = make([][][]byte, len(hashFuncs))
	}
	if in.sums[f] == nil {
		in.sums[f] = make([][]byte, len(in.rows))
	}
	if in.sums[f][i] == nil {
		h := hashFuncs[f]
		b := in.row(i)
		if !h.Takes(b) {
			return nil
		}
		in.sums[f][i] = h.Append(make([]byte, 0, h.Size()), b)
	}
	return in.sums[f][i]
}

// phrase is an input in words: %1 is the name of the first field.
type phrase struct {
	text  string
	means []*meaning
}

// phrases are all ways to say an input, the likeliest first.
func (in *input) phrases() (out []phrase) {
	if in.mod != nil {
		return []phrase{{"%1", []*meaning{in.mod}}}
	}
	var names []string
	for i := range in.parts {
		names = append(names, "%"+strconv.Itoa(i+1))
	}
	args := strings.Join(names, ",")
	// every choice of a meaning for each part
	choice := make([]int, len(in.parts))
	for len(out) < 40 {
		means := make([]*meaning, len(choice))
		all := asValue | asText | asStored
		texts := true
		var verbs []string
		for i, k := range choice {
			m := &in.parts[i].means[k]
			means[i] = m
			all &= m.as
			texts = texts && m.as&(asText|asVerb) != 0
			verb := m.verb
			if verb == "" {
				verb = "%s"
			}
			verbs = append(verbs, verb)
		}
		say := func(text string) { out = append(out, phrase{text, means}) }
		switch {
		case in.minmax:
			if all&asValue != 0 {
				say("minmax(" + args + ")")
			}
		case in.sep != "" || all == 0:
			if texts {
				say("format(" + strconv.Quote(strings.Join(verbs, strings.ReplaceAll(in.sep, "%", "%%"))) + "," + args + ")")
			}
		case len(names) == 1:
			for _, w := range []struct {
				as   as
				text string
			}{{asValue, "%1"}, {asText, "text(%1)"}, {asStored, "stored(%1)"}} {
				if all&w.as != 0 {
					say(w.text)
				}
			}
		default:
			for _, w := range []struct {
				as   as
				text string
			}{{asValue, "values("}, {asText, "text("}, {asStored, "stored("}} {
				if all&w.as != 0 {
					say(w.text + args + ")")
				}
			}
		}
		j := 0
		for ; j < len(choice); j++ {
			if choice[j]++; choice[j] < len(in.parts[j].means) {
				break
			}
			choice[j] = 0
		}
		if j == len(choice) {
			break
		}
	}
	return out
}

// pool gathers the elems of all columns.
type pool struct {
	byCol  [][]*elem
	seen   []map[string]*elem
	inputs []*input
	have   map[string]bool
	rows   int
}

func newPool(cols, rows int) *pool {
	p := &pool{byCol: make([][]*elem, cols), seen: make([]map[string]*elem, cols), have: map[string]bool{}, rows: rows}
	for c := range p.seen {
		p.seen[c] = map[string]*elem{}
	}
	return p
}

// add takes a meaning with its bytes, and gives the elem if it is a new one.
func (p *pool) add(m meaning, b [][]byte) *elem {
	col := m.rd.col
	k := string(bytes.Join(b, []byte{0xfe, 0xfd, 0xfc}))
	if e := p.seen[col][k]; e != nil {
		if !slices.ContainsFunc(e.means, func(o meaning) bool { return o.decl == m.decl && o.as == m.as && o.rd.form == m.rd.form }) {
			e.means = append(e.means, m)
		}
		return nil
	}
	e := &elem{col: col, b: b, means: []meaning{m}, cost: m.cost, id: len(p.byCol[col])}
	p.seen[col][k] = e
	p.byCol[col] = append(p.byCol[col], e)
	return e
}

// try adds the meaning whose bytes a way of the library writes, if it writes all rows.
func (p *pool) try(m meaning) *elem {
	if !m.way.ready() {
		return nil
	}
	var out [][]byte
	for _, v := range m.rd.vals {
		b, err := m.way.append(nil, v)
		if err != nil {
			if v == "" { // a key has a byte, what is hashed need not
				out = append(out, []byte{})
				continue
			}
			return nil
		}
		out = append(out, b)
	}
	return p.add(m, out)
}

// meanings adds what programs hash of a column that is read in this form.
func (p *pool) meanings(r *reading) {
	if r.nulls {
		return
	}
	say := func(unit, decl, opts string, as as, cost float64) {
		m := meaning{rd: r, way: &way{kind: r.kind, unit: unit, decl: decl, opts: opts}, as: as, cost: cost + r.cost/4}
		m.decl = m.way.declaration("%s")
		p.try(m)
	}
	switch r.kind {
	case kindText:
		say("", "", "", asValue|asText|asStored, 0)
	case kindUint:
		say("", ":8", " decimal", asText, 1)
		for i, d := range []string{":8", ":4", ":2", ":1"} {
			say("", d, "", asValue, []float64{1, 2, 5, 6}[i])
		}
		for n := 2; n <= 20; n++ {
			m := meaning{rd: r, way: &way{kind: r.kind, decl: ":8", opts: fmt.Sprintf(" digits(%d)", n)}, decl: "[%s:8]", as: asVerb, verb: fmt.Sprintf("%%0%dd", n), cost: 6}
			p.try(m)
		}
	case kindInt:
		say("", ":i8", " decimal", asText, 2)
		say("", ":i8", " hbase", asValue, 2)
		say("", ":i4", " hbase", asValue, 3)
		for i := range p.byCol[r.col] { // a value of an Int is written as HBase does, but it needs no dialect
			for j := range p.byCol[r.col][i].means {
				if m := &p.byCol[r.col][i].means[j]; m.rd == r && m.as == asValue {
					m.decl = "[%s" + m.way.decl + "]"
				}
			}
		}
	case kindFloat:
		say("", ":f8", " hbase", asValue, 5)
		say("", ":f4", " hbase", asValue, 6)
	case kindBool:
		say("", ":bool", "", asValue, 5)
	case kindBytes:
		say("", ":bytes", "", asValue|asStored, 4)
	case kindTime:
		for _, u := range units {
			cost := u.cost - 1
			if u.word == "s" {
				cost = 1
			}
			say(u.word, "", "", asValue, cost)
			say(u.word, "", " decimal", asText, cost+1)
		}
		for _, z := range zones[:2] {
			for _, l := range []string{"20060102", "2006-01-02", "2006010215", "200601", "20060102150405"} {
				say(fmt.Sprintf("layout(%q,%s)", l, z), "", "", asValue|asText|asStored, 7)
			}
		}
	}
}

// stored adds what a component that fits the keys writes, and the value of a time that
// it cuts.
func (p *pool) stored(c *comp) *elem {
	w := c.way
	m := meaning{rd: c.rd, way: w, decl: w.notation("%s"), as: asStored, cost: 3 + w.cost/2}
	if strings.HasPrefix(w.unit, "layout") && w.opts == "" {
		m.as, m.decl = asStored|asText|asValue, w.declaration("%s")
	}
	if strings.Contains(w.opts, " left(") || strings.Contains(w.opts, " right(") {
		m.as, m.decl = asStored|asText|asValue, ""
	}
	if strings.HasPrefix(strings.TrimSpace(w.opts), "truncate(") && w.unit != "" {
		cut := " " + strings.Fields(w.opts)[0]
		for _, o := range []struct {
			opts string
			as   as
		}{{"", asValue}, {" decimal", asText}} {
			v := meaning{rd: c.rd, way: &way{kind: w.kind, unit: w.unit, opts: cut + o.opts}, decl: "[" + w.unit + "(%s)" + cut + "]", as: o.as, cost: 4}
			p.try(v)
		}
	}
	return p.add(m, c.enc)
}

// input adds one, if it is new and not the same in all rows.
func (p *pool) input(in *input) {
	var k strings.Builder
	fmt.Fprint(&k, in.sep, in.minmax)
	for _, e := range in.parts {
		in.cost += e.cost
		fmt.Fprint(&k, "/", e.col, ":", e.id)
	}
	if p.have[k.String()] {
		return
	}
	p.have[k.String()] = true
	in.rows = make([][]byte, p.rows)
	in.dist = p.distinct(in)
	if in.dist >= 2 {
		p.inputs = append(p.inputs, in)
	}
}

// distinct counts the inputs that the rows show.
func (p *pool) distinct(in *input) int {
	seen := make(map[string]bool, p.rows)
	for i := range p.rows {
		if len(in.parts) == 1 {
			seen[string(in.parts[0].b[i])] = true
			continue
		}
		seen[string(in.row(i))] = true
	}
	return len(seen)
}

var separators = []string{"", "_", "-", ":", "|", ",", "#", "\x00", " ", "/", "."}

// singles adds the inputs of one column.
func (p *pool) singles() {
	for _, es := range p.byCol {
		for _, e := range es {
			p.input(&input{parts: []*elem{e}})
		}
	}
}

// mostInputs bounds the inputs: each is tried with every hash at every node.
const mostInputs = 12000

// combinations adds the ordered pairs of columns, and triples of few columns, of elems
// that are wanted.
func (p *pool) combinations(want func(e *elem) bool, late func() bool) {
	stop := func() bool { return len(p.inputs) > mostInputs || late() }
	of := func(c int, a as) (out []*elem) {
		for _, e := range p.byCol[c] {
			if want(e) && e.can(a) {
				out = append(out, e)
			}
		}
		return out
	}
	n := len(p.byCol)
	texts, values := make([][]*elem, n), make([][]*elem, n)
	for c := range n {
		texts[c], values[c] = of(c, asText), of(c, asValue|asStored|asText)
	}
	for a := range n {
		for b := range n {
			if a == b || stop() {
				continue
			}
			for _, x := range values[a] {
				for _, y := range values[b] {
					p.input(&input{parts: []*elem{x, y}, cost: 6})
					if a < b && x.means[0].way.notation("") == y.means[0].way.notation("") && x.means[0].as&asValue != 0 {
						p.input(&input{parts: []*elem{x, y}, minmax: true, cost: 8})
					}
				}
			}
			for _, x := range texts[a] {
				for _, y := range texts[b] {
					for i, sep := range separators[1:] {
						p.input(&input{parts: []*elem{x, y}, sep: sep, cost: 6.5 + float64(i)/2})
					}
				}
			}
		}
	}
	if n < 3 || n > 7 {
		return
	}
	for c := range n { // of three columns the plainest
		plain := func(es []*elem) []*elem {
			es = slices.Clone(es)
			slices.SortStableFunc(es, func(a, b *elem) int { return cmp.Compare(a.cost, b.cost) })
			return es[:min(len(es), 3)]
		}
		texts[c], values[c] = plain(texts[c]), plain(values[c])
	}
	for a := range n {
		for b := range n {
			for c := range n {
				if a == b || b == c || a == c || stop() {
					continue
				}
				if len(values[a])*len(values[b])*len(values[c]) <= 64 {
					for _, x := range values[a] {
						for _, y := range values[b] {
							for _, z := range values[c] {
								p.input(&input{parts: []*elem{x, y, z}, cost: 9})
							}
						}
					}
				}
				for _, x := range texts[a] {
					for _, y := range texts[b] {
						for _, z := range texts[c] {
							for i, sep := range separators[1:5] {
								p.input(&input{parts: []*elem{x, y, z}, sep: sep, cost: 9.5 + float64(i)/2})
							}
						}
					}
				}
			}
		}
	}
}

// moduli are the numbers of which a salt may be a remainder.
func moduli(readings [][]*reading, cut []*comp) (out []*input) {
	add := func(r *reading, decl string, cost float64, of func(v any) number) {
		in := &input{mod: &meaning{rd: r, decl: decl, as: asValue}, cost: cost, parts: []*elem{{col: r.col}}}
		seen := map[number]bool{}
		for _, v := range r.vals {
			n := of(v)
			in.nums = append(in.nums, n)
			seen[n] = true
		}
		in.dist = len(seen)
		out = append(out, in)
	}
	spans := []struct {
		unit string
		of   func(t time.Time) int64
	}{
		{"ms", time.Time.UnixMilli}, {"s", time.Time.Unix},
		{"min", func(t time.Time) int64 { return floorDiv(t.Unix(), 60) }},
		{"h", func(t time.Time) int64 { return floorDiv(t.Unix(), 3600) }},
		{"d", func(t time.Time) int64 { return floorDiv(t.Unix(), 86400) }},
	}
	for _, rs := range readings {
		for _, r := range rs {
			if r.nulls {
				continue
			}
			switch r.kind {
			case kindUint:
				add(r, "[%s:8]", 0, func(v any) number { return number{v.(uint64), false} })
			case kindInt:
				if slices.ContainsFunc(r.vals, func(v any) bool { return v.(int64) < 0 }) {
					add(r, "[%s:i8]", 1, func(v any) number { return signed(v.(int64)) })
				}
			case kindTime:
				for i, s := range spans {
					add(r, "["+s.unit+"(%s)]", float64(2+i), func(v any) number { return signed(s.of(v.(time.Time))) })
				}
			}
		}
	}
	// the number of a time that a component cuts, as it writes it
	for _, c := range cut {
		if c.rd.kind != kindTime || !strings.HasPrefix(strings.TrimSpace(c.way.opts), "truncate(") {
			continue
		}
		opts := " " + strings.Fields(c.way.opts)[0]
		w := &way{kind: kindTime, unit: c.way.unit, opts: opts}
		if !w.ready() {
			continue
		}
		add(c.rd, "["+c.way.unit+"(%s)"+opts+"]", 2, func(v any) number {
			b, err := w.schema.AppendKey(nil, v)
			if err != nil || len(b) != 8 {
				return number{}
			}
			var n uint64
			for _, x := range b {
				n = n<<8 | uint64(x)
			}
			return number{n, false}
		})
	}
	return out
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// gcd is the greatest common divisor, without a division.
func gcd(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a | b
	}
	twos := bits.TrailingZeros64(a | b)
	a >>= bits.TrailingZeros64(a)
	for b != 0 {
		b >>= bits.TrailingZeros64(b)
		if a > b {
			a, b = b, a
		}
		b -= a
	}
	return a << twos
}

// divisors of g that are above low and at most high, the likeliest four first.
func divisors(g, low, high uint64) (out []uint64) {
	for n := max(low, 2); n <= high && n <= g; n++ {
		if g%n == 0 {
			out = append(out, n)
		}
	}
	odd := func(n uint64) float64 { return oddity(n) + 2*math.Log2(float64(n)/float64(max(low, 1))) }
	slices.SortStableFunc(out, func(a, b uint64) int { return int(math.Copysign(1, odd(a)-odd(b))) })
	return out[:min(len(out), 4)]
}

// oddity is what a number of buckets costs that few would take.
func oddity(n uint64) float64 {
	switch {
	case n&(n-1) == 0 && n <= 1024, n == 10, n == 100, n == 1000:
		return 0
	case n%10 == 0 && n <= 1000:
		return 2
	}
	return math.Log2(float64(n))
}
