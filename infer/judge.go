package infer

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Bounds of certainty. A rival is a layout within margin bits of the best one. Made rows are
// half of values seen, recombined, and half beyond them.
const (
	margin    = 14
	madeRows  = 240
	leastRows = 10
	leastBits = 20 // that the rows say for a piece, beyond what the number of options tried would by chance
	fieldBits = 30 // that a column tells its rows apart
	mostBuilt = 250
	longRows  = 100 // for each column of a salt of Java's
	farSteps  = 16  // each by up to 400 days: together they are some years
)

// judge says how far a layout can be trusted.
func (in *inference) judge(r *Result, f *found) {
	l := f.layout
	every := make([]int, len(in.t.rows))
	for i := range every {
		every[i] = i
	}
	r.Layout, r.Verdict = l, Sure
	r.Misfits = l.misfits(in.t, every)
	lower := func(v Verdict, why string) {
		r.Verdict = min(r.Verdict, v)
		r.Why = append(r.Why, why)
	}
	if n := len(in.t.rows); n < leastRows {
		lower(Unsure, fmt.Sprintf("too few rows: %d, and at least %d tell a layout from chance", n, leastRows))
	}
	if n := len(r.Misfits); n > 0 {
		v := Open
		if n > part(in.limits.Dirty, len(in.t.rows)) {
			v = Unsure
		}
		lower(v, fmt.Sprintf("%d of %d rows have another key; such a row may be the one that tells two rules apart", n, len(in.t.rows)))
	}
	// before the rivals, whose rows this layout is to write
	r.Layout = l.ofOneDialect(func(schema *rowkey.Schema) bool {
		other := *l
		other.schema = schema
		rows, _ := in.made(rand.New(rand.NewPCG(5, 6)))
		for _, row := range rows {
			k, err := l.Key(row)
			o, err2 := other.Key(row)
			if (err == nil) != (err2 == nil) || !bytes.Equal(k, o) {
				return false
			}
		}
		return slices.Equal(other.misfits(in.t, every), r.Misfits)
	})
	in.rivals(r, f)
	seen, beyond := 0, 0
	for _, o := range r.Rivals {
		if o.Seen {
			seen++
		} else {
			beyond++
		}
	}
	if seen > 0 {
		lower(Unsure, fmt.Sprintf("%s would write these keys too, and other ones for values like those seen", texts.Plural(seen, "other layout")))
	}
	if beyond > 0 {
		lower(Open, fmt.Sprintf("%s would write these keys too, and other ones beyond the values seen", texts.Plural(beyond, "other layout")))
	}
	for i, name := range l.fields {
		if k := l.one[name]; k > 0 {
			if n := natureOf(in.t, l.sources[i].rd.col, min(len(in.t.rows), proofRows)); n.whole {
				lower(Open, fmt.Sprintf("%s has %d digits in all rows: how others are written is not known, and they are refused", name, k))
			}
		}
	}
	for _, why := range in.weak(f) {
		lower(Unsure, why)
	}
	for _, why := range l.dictionaries(in.t.columns) {
		lower(Open, why)
	}
	for _, why := range l.absolutes() {
		lower(Open, why)
	}
	for _, why := range in.longs(l) {
		lower(Open, why)
	}
	for _, why := range in.cuts(l) {
		lower(Open, why)
	}
	for _, why := range in.twice(l) {
		lower(Open, why)
	}
	for _, why := range in.summers(l) {
		lower(Open, why)
	}
}

// weak are the pieces that rest on too little.
func (in *inference) weak(f *found) (out []string) {
	rows := f.good(in.t)
	options := math.Log2(max(f.search.tried, 1))
	still := in.still(rows)
	for i, c := range f.layout.path {
		switch c.kind {
		case isHash, isSalt:
			if c.in.rest {
				if bits := float64(len(rows)) * c.bits / float64(max(c.in.dist, 1)); bits-options < leastBits {
					out = append(out, fmt.Sprintf("%s rests on %.0f bits", c.part, bits))
				}
				continue
			}
			how := f.layout.chosen[i]
			dist := in.distinct(rows, how.means)
			if bits := c.bits / float64(max(c.in.dist, 1)) * float64(dist); bits-options < leastBits {
				out = append(out, fmt.Sprintf("%s rests on %s: %.0f bits, of which %.0f may be chance", c.part, texts.Plural(dist, "distinct input"), bits, options))
			}
		case isField:
			if c.coded() {
				more := float64(len(rows)) / float64(len(c.enc)) // than the search saw
				if bits := c.bits * more; bits-options < leastBits {
					out = append(out, fmt.Sprintf("the dictionary of %s rests on %.0f bits, of which %.0f may be chance", in.t.columns[c.rd.col], bits, options))
				}
			}
			if len(c.enc) > 0 && same(c.enc) {
				out = append(out, fmt.Sprintf("%s writes the same bytes in all rows: they may be a constant", in.t.columns[c.rd.col]))
			} else if bits := in.pattern(rows, c.rd.col); bits < fieldBits {
				out = append(out, fmt.Sprintf("%s hardly varies: its rows say %.0f bits", in.t.columns[c.rd.col], bits))
			}
		case isConst:
			if odd(c.text) {
				out = append(out, "no column says the bytes "+quote(c.text))
			} else if still != "" && (i == 0 || strings.Trim(string(c.text), "_-:|#/,.~ \x00") != "") { // before the first field nothing has to be ended
				out = append(out, fmt.Sprintf("%s may come from %s, which is the same in all rows", quote(c.text), still))
			}
		}
	}
	return out
}

// absolutes are the salts that take Math.abs of a hash, or of its remainder. The two are one
// but for the hash −2³¹, whose Math.abs is negative: 1 input in 4 billion, which no made row is.
func (l *Layout) absolutes() (out []string) {
	phoenix := slices.ContainsFunc(l.path, func(c *comp) bool { return c.kind == isField && strings.HasSuffix(c.way.opts, " phoenix") })
	for _, c := range l.path {
		if c.kind != isSalt {
			continue
		}
		n, _ := strconv.ParseUint(strings.TrimPrefix(c.part, "salt"), 10, 64)
		word, _, _ := strings.Cut(strings.TrimPrefix(c.opts, " "), " ")
		rule, _ := digest.RuleNamed(word)
		other := rule.Twin()
		if rule.Whole(n) != other.Whole(n) && (rule != digest.Phoenix || !phoenix) {
			out = append(out, fmt.Sprintf("%v and %v differ for the hash -2147483648 alone, which no row has", rule, other))
		}
	}
	return out
}

// longs are the salts that are the remainder of a number, while no row tells it from that of
// Long.hashCode, which is the number below 2³¹. A key that holds no larger one needs no such row.
func (in *inference) longs(l *Layout) (out []string) {
	for _, c := range l.path {
		if c.kind != isSalt || c.in.mod == nil || c.in.mod.rd.kind == kindTime {
			continue
		}
		rd := c.in.mod.rd
		n, err := strconv.ParseUint(strings.TrimPrefix(c.part, "salt"), 10, 64)
		told := err != nil || slices.ContainsFunc(in.t.rows, func(row []string) bool {
			switch v, _ := rd.parse(row[rd.col]); v := v.(type) {
			case uint64:
				return (v^v>>32)&math.MaxInt32%n != v%n
			case int64: // some are below 0, and of these Long.hashCode is another number
				return true
			}
			return false
		})
		large := slices.Clone(in.t.rows[0])
		large[rd.col] = "8589934592" // 2³³
		if _, err := l.Key(large); err == nil && !told {
			out = append(out, fmt.Sprintf("%s is a remainder of %s; a program may take that of Long.hashCode, which no row tells apart: it differs for numbers above 2147483647", c.part, in.t.columns[rd.col]))
		}
	}
	return out
}

// same reports that all are the same bytes.
func same(enc [][]byte) bool {
	return !slices.ContainsFunc(enc, func(b []byte) bool { return !bytes.Equal(b, enc[0]) })
}

// pieces are the ways in which a layout writes its columns, and what it hashes of them.
func (l *Layout) pieces(yield func(rd *reading, w *way)) {
	for i, c := range l.path {
		if c.kind == isField {
			yield(c.rd, c.way)
		}
		for _, m := range l.chosen[i].means {
			if m.way != nil {
				yield(m.rd, m.way)
			}
		}
	}
}

// twice are the numbers that are written twice: one may be a remainder, of which no row has more
// than the divisor.
func (in *inference) twice(l *Layout) (out []string) {
	met := map[int]int{}
	for _, c := range l.path {
		if c.kind != isField || c.way.copyOnly {
			continue
		}
		if met[c.rd.col]++; met[c.rd.col] == 2 && natureOf(in.t, c.rd.col, min(len(in.t.rows), proofRows)).whole {
			out = append(out, fmt.Sprintf("%s is written twice: one may be its remainder, while no number is above the divisor", in.t.columns[c.rd.col]))
		}
	}
	return out
}

// counting are the options that count the bytes of a text.
var counting = pattern.New(` (left|right|pad|padleft|reversepart|lenprefix)\(`)

// cuts are the texts whose bytes an option counts, while no value tells bytes from characters,
// which programs count too.
func (in *inference) cuts(l *Layout) (out []string) {
	l.pieces(func(rd *reading, w *way) {
		word := counting.FindStringSubmatch(w.opts)
		if w.kind != kindText || word == nil {
			return
		}
		alphabet := ""
		for _, row := range in.t.rows[:min(len(in.t.rows), proofRows)] {
			for _, c := range row[rd.col] {
				if c > unicode.MaxASCII {
					return // bytes were told from characters
				}
				if strings.IndexByte(alphabet, byte(c)) < 0 {
					alphabet += string(c)
				}
			}
		}
		why := fmt.Sprintf("%s of %s counts bytes; a program may count characters, which differ for letters beyond ASCII alone", word[1], in.t.columns[rd.col])
		if named(alphabet) && !slices.Contains(out, why) {
			out = append(out, why)
		}
	})
	return out
}

// summers are the zones that may have summer time: those with an offset that such a zone has in
// winter or in summer, while no row has a time of the other season.
func (in *inference) summers(l *Layout) (out []string) {
	l.pieces(func(rd *reading, w *way) {
		zone := strings.TrimSuffix(w.unit[strings.LastIndexByte(w.unit, ',')+1:], ")")
		if !strings.HasPrefix(w.unit, "layout(") || slices.Contains([]string{"+08:00", "+09:00", "+05:30"}, zone) {
			return
		}
		winter, summer := false, false
		for _, row := range in.t.rows[:min(len(in.t.rows), proofRows)] {
			if v, ok := rd.parse(row[rd.col]); ok {
				if at, is := v.(time.Time); is {
					m := at.Month()
					winter = winter || m == time.December || m <= time.February
					summer = summer || m >= time.June && m <= time.August
				}
			}
		}
		if winter && summer || zone == "UTC" && summer { // London has it in winter alone
			return
		}
		why := fmt.Sprintf("%s is in %s, but no row tells whether its zone has summer time", in.t.columns[rd.col], zone)
		if !slices.Contains(out, why) {
			out = append(out, why)
		}
	})
	return out
}

// odd reports that a constant has several bytes and some that nobody types.
func odd(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	return slices.ContainsFunc(text, func(b byte) bool { return b < ' ' || b > '~' })
}

// good are the rows that prove a layout, without those that do not fit.
func (f *found) good(t *table) (out []int) {
	bad := map[int]bool{}
	for _, i := range f.misfits {
		bad[i] = true
	}
	for i := range t.rows {
		if !bad[i] {
			out = append(out, i)
		}
		if len(out) == proofRows {
			break
		}
	}
	return out
}

// distinct counts the inputs of a hash.
func (in *inference) distinct(rows []int, means []*meaning) int {
	seen := map[string]bool{}
	var buf []byte
	for _, i := range rows {
		buf = buf[:0]
		for _, m := range means {
			v, ok := m.rd.parse(in.t.rows[i][m.rd.col])
			if !ok {
				continue
			}
			if m.way != nil && m.way.ready() {
				if b, err := m.way.append(buf, v); err == nil {
					buf = b
				}
			} else {
				buf = fmt.Append(buf, v)
			}
			buf = append(buf, 0xfe, 0xfd)
		}
		seen[string(buf)] = true
	}
	return len(seen)
}

// pattern is how much a column tells its rows apart, in bits.
func (in *inference) pattern(rows []int, col int) (bits float64) {
	seen := map[string]int{}
	for _, i := range rows {
		seen[in.t.rows[i][col]]++
	}
	for _, n := range seen {
		bits -= float64(n) * math.Log2(float64(n)/float64(len(rows)))
	}
	return bits
}

// still is a column that has one value in all rows, or a time whose day has.
func (in *inference) still(rows []int) string {
	for c, name := range in.t.columns {
		for _, f := range forms {
			if f.kind != kindText && f.kind != kindTime {
				continue
			}
			same := true
			var first any
			for k, i := range rows {
				v, ok := f.parse(in.t.rows[i][c])
				if !ok {
					same = false
					break
				}
				if at, is := v.(time.Time); is {
					v = floorDiv(at.Unix(), 86400)
				}
				if k == 0 {
					first = v
				}
				if same = v == first; !same {
					break
				}
			}
			if same {
				if f.kind == kindTime {
					return "the day of " + name
				}
				return name
			}
		}
	}
	return ""
}

// rivals are the other layouts that fit, and a made row for which each writes another key.
func (in *inference) rivals(r *Result, f *found) {
	rng := rand.New(rand.NewPCG(3, 4))
	rows, likes := in.made(rng)
	rows = append(rows, in.longer(r.Layout, rng)...)
	rows = append(rows, in.magnitudes(r.Layout, rng)...)
	mine := make([][]byte, len(rows))
	for i, row := range rows {
		if k, err := r.Layout.Key(row); err == nil {
			mine[i] = k
		}
	}
	proof := f.good(in.t)
	seen := map[string]bool{r.Layout.String(): true}
	built := 0
	alike := map[string]bool{} // by the keys of all made rows: of rivals that write the same, the likeliest stands for all
	consider := func(l *Layout) {
		if l == nil || seen[l.String()] {
			return
		}
		seen[l.String()] = true
		l.columns = in.t.columns
		for i, row := range rows {
			if mine[i] == nil {
				continue
			}
			other, err := l.Key(row)
			if err != nil || bytes.Equal(other, mine[i]) {
				continue
			}
			if len(l.misfits(in.t, proof)) == 0 {
				if keys := in.keysOf(l, rows); alike[keys] {
					return
				} else {
					alike[keys] = true
				}
				r.Rivals = append(r.Rivals, Rival{l, row, mine[i], other, i < likes})
			}
			return
		}
	}
	for _, path := range in.others(f) {
		if built++; built > mostBuilt || in.late() {
			break
		}
		consider(newBuilder(f.search, path, in.t.names).build(nil))
	}
	// what a hash is computed over may be said in several ways
	for i, c := range f.layout.path {
		if c.kind != isHash && c.kind != isSalt || c.in.rest {
			continue
		}
		for _, how := range phrasesOf(c) {
			if built++; built > 2*mostBuilt || in.late() {
				break
			}
			forced := map[*comp]said{}
			for j, chosen := range f.layout.chosen {
				forced[f.layout.path[j]] = chosen
			}
			if forced[c].text == how.text && forced[c].own == how.own && slices.Equal(forced[c].means, how.means) {
				continue
			}
			forced[f.layout.path[i]] = how
			consider(newBuilder(f.search, f.layout.path, in.t.names).build(forced))
		}
	}
	if in.late() && built > 0 {
		r.Verdict = min(r.Verdict, Unsure)
		r.Why = append(r.Why, "there was no time to compare all layouts that fit")
	}
}

// keysOf is the keys of made rows, as one text.
func (in *inference) keysOf(l *Layout, rows [][]string) string {
	var b []byte
	for _, row := range rows {
		k, err := l.Key(row)
		if err != nil {
			k = nil
		}
		b = append(append(b, byte(len(k)>>8), byte(len(k))), k...)
	}
	return string(b)
}

// others are the paths that differ from the best one between two of its nodes, within
// margin, and the other best ones.
func (in *inference) others(f *found) (out [][]*comp) {
	var nodes []*node
	var comps []*comp
	for p := f.path; ; p = p.prev {
		nodes = append(nodes, p.at)
		if p.c == nil {
			break
		}
		comps = append(comps, p.c)
	}
	slices.Reverse(nodes)
	slices.Reverse(comps)
	on := map[*node]int{}
	for i, n := range nodes {
		on[n] = i
	}
	order := slices.Clone(f.search.list)
	slices.SortStableFunc(order, func(a, b *node) int { return a.sum - b.sum })
	type way struct {
		cost  float64
		comps []*comp
	}
	type other struct {
		extra float64
		path  []*comp
	}
	var all []other
	upto := make([]float64, len(nodes)) // the cost of the best path to each of its nodes
	for i, c := range comps {
		upto[i+1] = upto[i] + c.cost
	}
	for i := range nodes[:len(nodes)-1] {
		most := upto[len(upto)-1] - upto[i] + margin
		ways := map[*node][]way{nodes[i]: {{}}}
		for _, n := range order {
			from := ways[n]
			if len(from) == 0 {
				continue
			}
			slices.SortStableFunc(from, func(a, b way) int { return int(math.Copysign(1, a.cost-b.cost)) })
			from = from[:min(len(from), keptPaths)]
			if j, is := on[n]; is && j > i {
				for _, w := range from {
					base := upto[j] - upto[i]
					if w.cost > base+margin || len(w.comps) == j-i && slices.Equal(w.comps, comps[i:j]) {
						continue
					}
					path := slices.Concat(comps[:i], w.comps, comps[j:])
					all = append(all, other{w.cost - base, joined(path)})
				}
				continue // what comes after it is found from there
			}
			for _, e := range n.out {
				for _, w := range from {
					if w.cost+e.c.cost <= most {
						ways[e.to] = append(ways[e.to], way{w.cost + e.c.cost, append(slices.Clone(w.comps), e.c)})
					}
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b other) int { return int(math.Copysign(1, a.extra-b.extra)) })
	for _, o := range all {
		out = append(out, o.path)
	}
	for _, p := range f.last.best {
		if p != f.path && p.cost <= f.path.cost+margin {
			out = append(out, p.comps())
		}
	}
	return out
}

// joined is a path whose neighbouring constants are one.
func joined(path []*comp) (out []*comp) {
	for _, c := range path {
		if n := len(out); c.kind == isConst && n > 0 && out[n-1].kind == isConst {
			out[n-1] = &comp{kind: isConst, text: slices.Concat(out[n-1].text, c.text), cost: out[n-1].cost + c.cost}
			continue
		}
		out = append(out, c)
	}
	return out
}

// made are rows that might be: the first likes of them recombine what was seen, the
// others have values beyond it.
func (in *inference) made(rng *rand.Rand) (rows [][]string, likes int) {
	t := in.t
	look := min(len(t.rows), proofRows)
	type spot struct{ len, at int }
	met := make([]map[spot]string, len(t.columns)) // the characters that each place of a value had
	alphabet := make([]string, len(t.columns))
	for c := range t.columns {
		met[c] = map[spot]string{}
		for i := range look {
			v := t.rows[i][c]
			for j := range len(v) {
				k := spot{len(v), j}
				if strings.IndexByte(met[c][k], v[j]) < 0 {
					met[c][k] += v[j : j+1]
				}
				if strings.IndexByte(alphabet[c], v[j]) < 0 {
					alphabet[c] += v[j : j+1]
				}
			}
		}
	}
	natures := make([]nature, len(t.columns))
	for c := range natures {
		natures[c] = natureOf(t, c, look)
	}
	likes = madeRows / 2
	for len(rows) < madeRows {
		row := make([]string, len(t.columns))
		for c := range row {
			v := t.rows[rng.IntN(look)][c]
			row[c] = v
			for range 6 {
				made := v
				wide := len(rows) >= likes && rng.IntN(2) == 0
				switch {
				case wide:
					made = wider(v, alphabet[c], rng)
				case rng.IntN(3) > 0:
					b := []byte(v)
					for i := range b {
						had := met[c][spot{len(b), i}]
						if len(had) < 2 || rng.IntN(2) == 0 {
							continue
						}
						b[i] = had[rng.IntN(len(had))]
						if strings.Trim(had, "0123456789") == "" && len(had) > 6 {
							b[i] = byte('0' + rng.IntN(10))
						}
					}
					made = string(b)
				}
				if natures[c].has(made, wide) {
					row[c] = made
					break
				}
			}
		}
		rows = append(rows, row)
	}
	return rows, likes
}

// ofJava are the rules that part for a hash below 0 alone.
var ofJava = pattern.New(` (javahash|phoenixhash|hbasewdhash|pinpointhash)`)

// longer are rows in which a column that is salted by a rule of Java has a value much longer
// than those seen: of six letters or seven digits on, a hash may be below 0. The hash of a day
// is so in some years: of a time they have other years.
func (in *inference) longer(l *Layout, rng *rand.Rand) (rows [][]string) {
	look := min(len(in.t.rows), proofRows)
	for i, c := range l.path {
		if c.kind != isSalt || !ofJava.MatchString(c.opts) {
			continue
		}
		for col := range in.t.columns {
			if !c.in.rest && !slices.ContainsFunc(l.chosen[i].means, func(m *meaning) bool { return m.rd.col == col }) {
				continue
			}
			whole := natureOf(in.t, col, look).whole
			for range longRows {
				row := slices.Clone(in.t.rows[rng.IntN(look)])
				other := row[col]
				for range farSteps {
					other = wider(other, "", rng)
				}
				switch letters := []rune(row[col]); {
				case whole: // of 1 to 8 bytes
					row[col] = strconv.FormatUint(rng.Uint64()>>(8*rng.IntN(8)), 10)
				case other != row[col]: // a time
					row[col] = other
				case len(letters) > 0:
					for range 1 + rng.IntN(8) {
						row[col] += string(letters[rng.IntN(len(letters))])
					}
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// magnitudes are rows in which a number has each count of digits, and is beside the largest of
// 32 bits. Two layouts may part there alone: the last two characters of 8 are no remainder of 100,
// and 4294967295 less a large number has a digit fewer. Times are left out: of few digits they are
// none of a table.
func (in *inference) magnitudes(l *Layout, rng *rand.Rand) (rows [][]string) {
	look := min(len(in.t.rows), proofRows)
	numbers, times := map[int]bool{}, map[int]bool{}
	l.pieces(func(rd *reading, w *way) {
		numbers[rd.col] = true
		times[rd.col] = times[rd.col] || rd.kind == kindTime
	})
	for col := range in.t.columns {
		if !numbers[col] || times[col] || !natureOf(in.t, col, look).whole {
			continue
		}
		add := func(n uint64) {
			row := slices.Clone(in.t.rows[rng.IntN(look)])
			row[col] = strconv.FormatUint(n, 10)
			rows = append(rows, row)
		}
		for least := uint64(1); least < 1e18; least *= 10 {
			add(least + rng.Uint64N(9*least))
		}
		add(math.MaxInt32)
		add(math.MaxUint32)
	}
	return rows
}

// nature is what all values of a column have in common.
type nature struct {
	forms []*form // in which they can be read
	whole bool    // they are whole numbers as a program prints them
}

func natureOf(t *table, col, look int) nature {
	n := nature{whole: true}
	values := make([]string, look)
	for i := range values {
		values[i] = t.rows[i][col]
		n.whole = n.whole && printed(values[i])
	}
	for _, r := range readingsOf(col, values) {
		n.forms = append(n.forms, r.form)
	}
	return n
}

// printed reports that a text is a whole number as a program prints it, without zeros
// before it.
func printed(s string) bool {
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return strconv.FormatInt(v, 10) == s
	}
	v, err := strconv.ParseUint(s, 10, 64)
	return err == nil && strconv.FormatUint(v, 10) == s
}

// has reports that a value may be one of the column. A value beyond those seen may be
// one that a form does not read, such as a number that is no time.
func (n *nature) has(s string, wide bool) bool {
	if n.whole && !printed(s) {
		return false
	}
	if wide {
		return true
	}
	for _, f := range n.forms {
		if _, ok := f.parse(s); !ok {
			return false
		}
	}
	return true
}

// named reports that values of these characters may be words and names, which have letters
// of more than one byte in some language. Numbers in hexadecimal, and digits of which the last
// is an X, are none.
func named(alphabet string) bool {
	digits, other := 0, false
	for _, c := range alphabet {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case unicode.IsLetter(c) && !strings.ContainsRune("abcdefABCDEFX", c):
			return true
		case unicode.IsLetter(c):
			other = true
		}
	}
	return other && digits < 10
}

// wider is a value that the column may have although none like it was seen: a time of
// another day, a number of another length, a longer text.
func wider(v, alphabet string, rng *rand.Rand) string {
	other := func(at time.Time) time.Time { // of another day, or beside the first of a month, which begins at other times in other zones
		if rng.IntN(3) == 0 {
			first := time.Date(at.Year(), at.Month()+time.Month(rng.IntN(24)-12), 1, 0, 0, 0, at.Nanosecond(), time.UTC)
			if rng.IntN(2) == 0 {
				first = time.Date(first.Year(), time.January, 1, 0, 0, 0, at.Nanosecond(), time.UTC)
			}
			return first.Add(time.Duration(rng.IntN(28*3600)-14*3600) * time.Second)
		}
		return at.Add(time.Duration(rng.Int64N(int64(800*24*time.Hour))) - 400*24*time.Hour)
	}
	if x, err := strconv.ParseInt(v, 10, 64); err == nil && (v == "0" || v[0] != '0') && v[0] != '+' {
		switch {
		case x > 5e11 && x < 5e12 && rng.IntN(4) > 0:
			return strconv.FormatInt(other(time.UnixMilli(x)).UnixMilli(), 10)
		case x > 5e8 && x < 5e9 && rng.IntN(2) == 0:
			return strconv.FormatInt(other(time.Unix(x, 0)).Unix(), 10)
		case x > 5e14 && x < 5e15 && rng.IntN(2) == 0:
			return strconv.FormatInt(other(time.UnixMicro(x)).UnixMicro(), 10)
		case x > 5e17 && x < 5e18 && rng.IntN(2) == 0:
			return strconv.FormatInt(other(time.Unix(0, x)).UnixNano(), 10)
		}
		switch rng.IntN(4) {
		case 0:
			if len(v) > 1 && v != "-" {
				return strings.TrimSuffix(v[:len(v)-1], "-") + ""
			}
		case 1:
			return v + strconv.Itoa(rng.IntN(10))
		case 2:
			if strings.Contains(alphabet, "-") { // of either sign
				return strconv.FormatInt(-x, 10)
			}
		}
		most := int64(1) << 62
		if x > 0 && x < 1<<60 {
			most = 2 * x
		}
		return strconv.FormatInt(rng.Int64N(most), 10)
	}
	for _, w := range written {
		if at, err := time.Parse(w.layout, v); err == nil {
			return other(at).Format(w.layout)
		}
	}
	if len(v) == 0 || alphabet == "" {
		return v
	}
	if named(alphabet) && rng.IntN(3) == 0 { // a name may have letters of more than one byte
		at := rng.IntN(len(v) + 1)
		to := at
		if rng.IntN(2) == 0 { // of the same length
			to = min(at+len("é"), len(v))
		}
		return strings.ToValidUTF8(v[:at], "") + "é" + strings.ToValidUTF8(v[to:], "")
	}
	if rng.IntN(2) == 0 && len(v) > 1 {
		return v[:len(v)-1]
	}
	if last := v[len(v)-1]; last >= '0' && last <= '9' {
		return v + strconv.Itoa(rng.IntN(10))
	}
	i := rng.IntN(len(alphabet))
	return v + alphabet[i:i+1]
}
