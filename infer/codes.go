package infer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// A dictionary writes each value of a column as a code: Codes of the notation. Any column of
// which each value stands once has one, so it has to repeat; and since a dictionary explains
// what a salt or a hash of few values writes too, it is tried after these.
const (
	mostCodes = 24 // values of a dictionary
	mostCode  = 12 // bytes of a code
	codeBits  = 16 // that the values which repeat say for it
)

// group is the rows of a search by the value of a column of few values.
type group struct {
	rd     *reading
	values []string
	of     []int // by row: which value
	again  int   // rows whose value a row before has
}

// groups are the columns that may be written by a dictionary.
func (s *search) groups() []*group {
	if s.grouped {
		return s.few
	}
	s.grouped = true
	for _, r := range s.texts() {
		g := &group{rd: r}
		at := map[string]int{}
		for _, v := range r.vals {
			text := v.(string)
			i, ok := at[text]
			if !ok {
				i = len(g.values)
				at[text] = i
				g.values = append(g.values, text)
			} else {
				g.again++
			}
			g.of = append(g.of, i)
		}
		if len(g.values) >= 2 && len(g.values) <= mostCodes {
			s.few = append(s.few, g)
		}
	}
	return s.few
}

// texts are the columns as texts, but for those in which an empty one is null.
func (s *search) texts() (out []*reading) {
	for _, rs := range s.readings {
		for _, r := range rs {
			if r.kind == kindText && !r.nulls {
				out = append(out, r)
			}
		}
	}
	return out
}

// codes finds dictionaries: what stands here is one text for each value. A code has one
// width, or ends where a mark, another column or the key does.
func (s *search) codes(n *node) {
	tails := make([][]byte, len(s.keys))
	for i, k := range s.keys {
		tails[i] = k[n.pos[i]:]
	}
	for _, g := range s.groups() {
		first := make([][]byte, len(g.values)) // what the keys of a value have in common
		for i, v := range g.of {
			switch {
			case first[v] == nil:
				first[v] = tails[i]
			default:
				first[v] = first[v][:common(first[v], tails[i])]
			}
		}
		least := math.MaxInt
		for _, c := range first {
			least = min(least, len(c))
		}
		seen := map[string]bool{}
		try := func(ends func(i int) int) {
			codes := make([][]byte, len(g.values))
			for i, v := range g.of {
				end := ends(i)
				if end < 1 || end > len(first[v]) || end > mostCode || codes[v] != nil && len(codes[v]) != end {
					return
				}
				codes[v] = first[v][:end]
			}
			if k := string(bytes.Join(codes, []byte{0})); !seen[k] {
				seen[k] = true
				s.pushCodes(n, g, codes)
			}
		}
		for w := 1; w <= min(least, mostCode); w++ {
			try(func(int) int { return w })
		}
		for _, m := range []byte(marks) {
			try(func(i int) int { return bytes.IndexByte(tails[i], m) })
		}
		for _, c := range s.encs {
			if c.rd.col != g.rd.col && c.bits >= leastAnchor {
				try(func(i int) int { return bytes.Index(tails[i], c.enc[i]) })
			}
		}
		try(func(i int) int { return len(tails[i]) })
	}
}

// pushCodes adds a dictionary, if its rows say enough for it and the notation has it.
func (s *search) pushCodes(n *node, g *group, codes [][]byte) {
	distinct := map[string]int{}
	size := 0
	for _, v := range g.of {
		distinct[string(codes[v])]++
	}
	for _, c := range codes {
		size += len(c)
	}
	if len(distinct) < len(codes) {
		return
	}
	entropy := 0.0
	for _, c := range distinct {
		entropy -= float64(c) * math.Log2(float64(c)/float64(len(g.of)))
	}
	bits := entropy / float64(len(g.of)) * float64(g.again)
	if bits < codeBits {
		return
	}
	pairs := make([]string, len(codes))
	for v, c := range codes {
		pairs[v] = textOfNotation(g.values[v]) + ":" + textOfNotation(string(c))
	}
	slices.Sort(pairs)
	w := &way{kind: kindText, opts: " codes(" + strings.Join(pairs, ",") + ")", cost: 10 + 8*float64(size)}
	if !w.ready() {
		return
	}
	pos := make([]int32, len(s.keys))
	for i, v := range g.of {
		pos[i] = n.pos[i] + int32(len(codes[v]))
	}
	if !s.writes(n, pos, w, g.rd) {
		return
	}
	enc := make([][]byte, len(s.keys))
	for i, v := range g.of {
		enc[i] = codes[v]
	}
	s.push(n, pos, &comp{kind: isField, rd: g.rd, way: w, cost: w.cost + g.rd.cost, enc: enc, bits: bits})
}

// coded reports that a piece is a dictionary.
func (c *comp) coded() bool {
	return c.kind == isField && strings.HasPrefix(c.way.opts, " codes(")
}

// covered adds rows to those of a search, so that each value of a column of few values is
// among them: a dictionary has to know all.
func covered(t *table, rows, among []int) []int {
	taken := map[int]bool{}
	for _, i := range rows {
		taken[i] = true
	}
	rows = slices.Clone(rows)
	for c := range t.columns {
		first := map[string]int{}
		for _, i := range among {
			if _, ok := first[t.rows[i][c]]; !ok {
				first[t.rows[i][c]] = i
			}
			if len(first) > mostCodes {
				break
			}
		}
		if len(first) > mostCodes {
			continue
		}
		for _, i := range rows {
			delete(first, t.rows[i][c])
		}
		for _, i := range among { // in their order
			if at, ok := first[t.rows[i][c]]; ok && at == i && !taken[i] {
				taken[i] = true
				rows = append(rows, i)
			}
		}
	}
	return rows
}

// dictionaries say which fields know the values seen alone.
func (l *Layout) dictionaries(columns []string) (out []string) {
	for _, c := range l.path {
		if c.coded() {
			out = append(out, fmt.Sprintf("%s is written by a dictionary of %s: the codes of others are not known, and they are refused", columns[c.rd.col], texts.Plural(strings.Count(c.way.opts, `":"`), "value")))
		}
	}
	return out
}
