package simulate

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// MadeUp is rows that a description makes: CSV with a header, to be read from it. The
// same description gives the same rows.
//
//	seller: s-{zipf(1.1, 100000)}
//	order: counts(202611110000001)
//	status: oneof(open, paid, sent)
//	at: arrives 5000/s for 24h from 2026-11-11
//
// A value is text with some of these in braces, or one alone:
//
//	zipf(S, N)      0 to N−1, number k as often as 1/(k+1)^S; S above 1
//	uniform(N)      0 to N−1, all as often
//	uniform(A, B)   A to B
//	counts          0, 1, 2 and so on, from row to row of those that these stand for; counts(A) from A on
//	hex(N)          N random bytes in hexadecimal
//	oneof(A, B, …)  one of some texts, all as often
//	uuid            a random UUID; uuid7 is one that begins with the time of arrival
//	before(30d)     a time that lies up to so long before that of arrival
//	column          in braces: what stands in this row in another column, further up
//
// After one of them, pad(8) fills it up with zeros to 8 characters; by(seller) gives all
// rows of a seller the same value, so that a seller has one city. Then, | 7 for 35 % from 20h to 21h has that many of the rows that arrive
// between these hours, counted from the first row, have this value: a sale, a restart.
//
// Of rows that arrive, at most a million are made, evenly over the time: each stands
// for as many as it takes. Without any, a million rows come without a time.
type MadeUp struct {
	Rows  int64   // that are made
	Total float64 // that they stand for

	seconds float64 // over which they arrive
	from    time.Time
	jitter  *rand.Rand
	at      time.Time // at which this row arrives
	timed   string    // a column that goes by that
	columns []madeUp
	row     int64
	text    []byte
	read    int
}

// madeUp is a column: parts that are made, one after the other.
type madeUp struct {
	name  string
	parts []making
	value []byte // in this row
}

// Limit has at most so many rows made, before the first is read. Each then stands for as
// many as it takes.
func (m *MadeUp) Limit(rows int64) { m.Rows = min(m.Rows, max(rows, 1)) }

const mostMadeUp = 1_000_000

var (
	madeUpWord    = pattern.New(`^(zipf|uniform|counts|hex|oneof|uuid7|uuid|before)(?:\((.*?)\))?(?:\s+pad\(([0-9]+)\))?(?:\s+by\(([^()]+)\))?$`)
	madeUpSpan    = pattern.New(`^([0-9.]+)\s*(s|min|h|d)$`)
	madeUpBurst   = pattern.New(`^\s*(\S+) for ([0-9.]+) ?% from ([0-9.]+)(s|min|h|d) to ([0-9.]+)(s|min|h|d)\s*$`)
	madeUpArrives = pattern.New(`^arrives\s+([0-9.e]+)\s*/\s*(s|min|h|d)\s+for\s+([0-9.]+)\s*(s|min|h|d)(?:\s+from\s+(\S+))?$`)
	madeUpUnits   = map[string]float64{"s": 1, "min": 60, "h": 3600, "d": 86400}
)

// Describe reads a description: pairs of a column's name and what its values are, in
// the order of the columns.
func Describe(columns [][2]string) (*MadeUp, error) {
	m := &MadeUp{Rows: mostMadeUp, Total: mostMadeUp}
	arrives := false
	for _, c := range columns {
		name, text := c[0], strings.TrimSpace(c[1])
		if !strings.HasPrefix(text, "arrives") {
			made, err := m.parse(text, name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			made.name = name
			m.columns = append(m.columns, made)
			continue
		}
		if arrives {
			return nil, fmt.Errorf("%s: a second time of arrival", name)
		}
		arrives = true
		if err := m.arrive(name, text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if m.timed != "" && !arrives {
		return nil, fmt.Errorf("%s: goes by the time of arrival, and no column arrives", m.timed)
	}
	if len(m.columns) == 0 {
		return nil, errors.New("no columns")
	}
	for i, c := range m.columns {
		if i > 0 {
			m.text = append(m.text, ',')
		}
		m.text = appendCSV(m.text, []byte(c.name))
	}
	m.text = append(m.text, '\n')
	return m, nil
}

// arrive adds the column of the time of arrival.
func (m *MadeUp) arrive(name, text string) error {
	a := madeUpArrives.FindStringSubmatch(text)
	if a == nil {
		return errors.New("expected a rate and a time, as arrives 5000/s for 24h, or with from 2026-11-11 after it")
	}
	rate, err := strconv.ParseFloat(a[1], 64)
	if err != nil || rate <= 0 {
		return fmt.Errorf("%s is no rate", a[1])
	}
	span, err := strconv.ParseFloat(a[3], 64)
	if err != nil || span <= 0 {
		return fmt.Errorf("%s is no span of time", a[3])
	}
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if a[5] != "" {
		if from, err = time.Parse(time.RFC3339, a[5]); err != nil {
			if from, err = time.Parse("2006-01-02", a[5]); err != nil {
				return fmt.Errorf("expected a day as 2026-11-11 after from, not %q", a[5])
			}
		}
	}
	seconds := span * madeUpUnits[a[4]]
	m.seconds = seconds
	m.Total = rate / madeUpUnits[a[2]] * seconds
	if m.Total < 1 || m.Total > 1e15 || seconds > 100*365*86400 {
		return errors.New("expected at least one row, at most 10¹⁵ and at most 100 years")
	}
	if ends := from.Add(time.Duration(seconds * float64(time.Second))); from.UTC().Year() < 100 || ends.UTC().Year() > 9999 {
		return errors.New("expected times in the years 100 to 9999")
	}
	m.Rows = int64(min(m.Total, mostMadeUp))
	m.from, m.jitter = from.UTC(), rand.New(rand.NewPCG(1, 1))
	m.columns = append(m.columns, madeUp{name: name, parts: []making{func(dst []byte, _ int64) []byte { return appendMoment(dst, m.at) }}})
	return nil
}

// appendMoment appends a time as people write it.
func appendMoment(dst []byte, at time.Time) []byte {
	year, month, day := at.Date()
	hour, minute, second := at.Clock()
	micros := at.Nanosecond() / 1000
	for _, part := range [...]struct {
		sign byte // before it; 0 is none
		n    int  // of two digits
	}{{0, year / 100}, {0, year % 100}, {'-', int(month)}, {'-', day}, {'T', hour}, {':', minute}, {':', second}, {'.', micros / 10000}, {0, micros / 100 % 100}, {0, micros % 100}} {
		if part.sign != 0 {
			dst = append(dst, part.sign)
		}
		dst = append(dst, byte('0'+part.n/10), byte('0'+part.n%10))
	}
	return append(dst, 'Z')
}

// arrived finds when the row arrives, before its columns are made.
func (m *MadeUp) arrived() {
	if m.jitter != nil {
		step := m.seconds / float64(m.Rows)
		m.at = m.from.Add(time.Duration((float64(m.row) + m.jitter.Float64()) * step * float64(time.Second)))
	}
}

// parse reads what the values of a column are.
func (m *MadeUp) parse(text, name string) (c madeUp, err error) {
	fixed := func(s string) {
		if s != "" {
			c.parts = append(c.parts, func(dst []byte, _ int64) []byte { return append(dst, s...) })
		}
	}
	rest := text
	if !strings.ContainsAny(text, "{}") {
		rest = "{" + text + "}"
	}
	for n := 0; rest != ""; n++ {
		before, inner, open := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return c, errors.New("the end of a brace without its beginning")
		}
		fixed(before)
		if !open {
			break
		}
		word, after, ends := strings.Cut(inner, "}")
		if !ends || strings.Contains(word, "{") {
			return c, errors.New("a brace without its end")
		}
		rest = after
		h := fnv.New64a()
		io.WriteString(h, name+"="+text)
		if n > 0 {
			io.WriteString(h, strconv.Itoa(n))
		}
		part, err := m.part(name, word, h.Sum64())
		if err != nil {
			return c, err
		}
		c.parts = append(c.parts, part)
	}
	return c, nil
}

// part reads what stands in braces.
func (m *MadeUp) part(name, text string, seed uint64) (making, error) {
	word, burst, bursts := strings.Cut(text, "|")
	if at := m.column(strings.TrimSpace(text)); at >= 0 {
		return func(dst []byte, _ int64) []byte { return append(dst, m.columns[at].value...) }, nil
	}
	found := madeUpWord.FindStringSubmatch(strings.TrimSpace(word))
	if found == nil {
		return nil, fmt.Errorf("expected zipf(S, N), uniform(N), counts, hex(N), oneof(A, B), uuid, before(SPAN), a column further up or arrives, not %q", word)
	}
	var args []string
	if strings.TrimSpace(found[2]) != "" {
		for _, arg := range strings.Split(found[2], ",") {
			args = append(args, strings.TrimSpace(arg))
		}
	}
	if found[1] == "uuid7" || found[1] == "before" {
		m.timed = name
	}
	source := rand.NewPCG(2, seed)
	make, err := m.maker(found[1], args, rand.New(source))
	if err != nil {
		return nil, err
	}
	if found[4] != "" {
		if make, err = m.by(found[1], strings.TrimSpace(found[4]), make, source, seed); err != nil {
			return nil, err
		}
	}
	if found[3] != "" {
		if make, err = padded(found[3], make); err != nil {
			return nil, err
		}
	}
	if bursts {
		return m.burst(burst, make, rand.New(rand.NewPCG(3, seed)))
	}
	return make, nil
}

// column is the place of a column further up; −1 if there is none of this name.
func (m *MadeUp) column(name string) int {
	return slices.IndexFunc(m.columns, func(c madeUp) bool { return c.name == name })
}

// by is a maker that gives rows of the same value in another column the same value.
func (m *MadeUp) by(word, name string, usual making, source *rand.PCG, seed uint64) (making, error) {
	at := m.column(name)
	if at < 0 {
		return nil, fmt.Errorf("by(%s): expected a column further up", name)
	}
	if word == "counts" || word == "uuid7" || word == "before" {
		return nil, fmt.Errorf("%s goes by the row: it cannot be by(%s)", word, name)
	}
	return func(dst []byte, row int64) []byte {
		h := fnv.New64a()
		h.Write(m.columns[at].value)
		source.Seed(seed, h.Sum64())
		return usual(dst, row)
	}, nil
}

// padded is a maker that fills up with zeros on the left.
func padded(text string, usual making) (making, error) {
	width, err := strconv.Atoi(text)
	if err != nil || width < 1 || width > 1000 {
		return nil, fmt.Errorf("pad(%s): expected 1 to 1000", text)
	}
	return func(dst []byte, row int64) []byte {
		from := len(dst)
		dst = usual(dst, row)
		if short := width - (len(dst) - from); short > 0 {
			for range short {
				dst = append(dst, '0')
			}
			copy(dst[from+short:], dst[from:len(dst)-short])
			for i := range short {
				dst[from+i] = '0'
			}
		}
		return dst
	}, nil
}

// burst is a maker that between two times makes one value more often.
func (rows *MadeUp) burst(text string, usual making, r *rand.Rand) (making, error) {
	b := madeUpBurst.FindStringSubmatch(text)
	if b == nil {
		return nil, fmt.Errorf("expected a value as 7 for 35 %% from 20h to 21h, not %q", text)
	}
	var n [3]float64 // percent, from, to
	for i, at := range []int{2, 3, 5} {
		var err error
		if n[i], err = strconv.ParseFloat(b[at], 64); err != nil {
			return nil, fmt.Errorf("%s is no number", b[at])
		}
	}
	from, to := n[1]*madeUpUnits[b[4]], n[2]*madeUpUnits[b[6]]
	if n[0] > 100 || from >= to {
		return nil, errors.New("expected at most 100 %, and an end after its beginning")
	}
	return func(dst []byte, row int64) []byte {
		at := float64(row) / float64(rows.Rows) * rows.seconds
		if at >= from && at < to && 100*r.Float64() < n[0] {
			return append(dst, b[1]...)
		}
		return usual(dst, row)
	}, nil
}

// making makes the value of a row after what stands in dst.
type making = func(dst []byte, row int64) []byte

// makers are what makes the values of each word, of so many arguments.
var makers = map[string]struct {
	least, most int
	make        func(rows *MadeUp, args []string, r *rand.Rand) (making, error)
}{
	"zipf":    {2, 2, makeZipf},
	"uniform": {1, 2, makeUniform},
	"counts":  {0, 1, makeCounts},
	"hex":     {1, 1, makeHex},
	"oneof":   {1, math.MaxInt, makeOneOf},
	"uuid":    {0, 0, makeUUID},
	"uuid7":   {0, 0, makeUUID7},
	"before":  {1, 1, makeBefore},
}

// maker is what makes the values of a word.
func (rows *MadeUp) maker(word string, args []string, r *rand.Rand) (making, error) {
	m, known := makers[word]
	if !known || len(args) < m.least || len(args) > m.most {
		return nil, fmt.Errorf("%s: another number of values than %d is expected", word, len(args))
	}
	return m.make(rows, args, r)
}

// wholeNumbers reads arguments that are at least so large.
func wholeNumbers(args []string, least uint64) (n []uint64, err error) {
	for _, arg := range args {
		v, err := strconv.ParseUint(arg, 10, 63)
		if err != nil || v < least {
			return nil, fmt.Errorf("expected a whole number from %d on, not %q", least, arg)
		}
		n = append(n, v)
	}
	return n, nil
}

func makeZipf(_ *MadeUp, args []string, r *rand.Rand) (making, error) {
	s, err := strconv.ParseFloat(args[0], 64)
	if err != nil || !(s > 1 && s < 100) {
		return nil, fmt.Errorf("expected a number above 1 in zipf, not %q", args[0])
	}
	n, err := wholeNumbers(args[1:], 1)
	if err != nil {
		return nil, err
	}
	z := rand.NewZipf(r, s, 1, n[0]-1)
	return func(dst []byte, _ int64) []byte { return strconv.AppendUint(dst, z.Uint64(), 10) }, nil
}

// makeUniform makes 0 to n−1 of one argument, and a to b of two.
func makeUniform(_ *MadeUp, args []string, r *rand.Rand) (making, error) {
	if len(args) == 1 {
		n, err := wholeNumbers(args, 1)
		if err != nil {
			return nil, err
		}
		return func(dst []byte, _ int64) []byte { return strconv.AppendUint(dst, r.Uint64N(n[0]), 10) }, nil
	}
	n, err := wholeNumbers(args, 0)
	if err != nil {
		return nil, err
	}
	if n[1] < n[0] {
		return nil, errors.New("uniform: the second number lies below the first")
	}
	return func(dst []byte, _ int64) []byte { return strconv.AppendUint(dst, n[0]+r.Uint64N(n[1]-n[0]+1), 10) }, nil
}

func makeCounts(rows *MadeUp, args []string, _ *rand.Rand) (making, error) {
	n, err := wholeNumbers(args, 0)
	if err != nil {
		return nil, err
	}
	from := append(n, 0)[0] // 0 unless it is given
	return func(dst []byte, row int64) []byte {
		return strconv.AppendUint(dst, from+uint64(float64(row)*(rows.Total/float64(rows.Rows))), 10)
	}, nil
}

func makeHex(_ *MadeUp, args []string, r *rand.Rand) (making, error) {
	n, err := wholeNumbers(args, 1)
	if err != nil {
		return nil, err
	}
	if n[0] > 1000 {
		return nil, errors.New("hex: at most 1000 bytes")
	}
	return func(dst []byte, _ int64) []byte {
		for range n[0] {
			dst = append(dst, "0123456789abcdef"[r.Uint32N(16)], "0123456789abcdef"[r.Uint32N(16)])
		}
		return dst
	}, nil
}

func makeOneOf(_ *MadeUp, args []string, r *rand.Rand) (making, error) {
	return func(dst []byte, _ int64) []byte { return append(dst, args[r.IntN(len(args))]...) }, nil
}

// appendUUID appends 16 bytes as a UUID of a version.
func appendUUID(dst []byte, high, low uint64, version byte) []byte {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], high)
	binary.BigEndian.PutUint64(b[8:], low)
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	for i, from := range []int{0, 4, 6, 8, 10} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, b[from:[]int{4, 6, 8, 10, 16}[i]])
	}
	return dst
}

func makeUUID(_ *MadeUp, _ []string, r *rand.Rand) (making, error) {
	return func(dst []byte, _ int64) []byte { return appendUUID(dst, r.Uint64(), r.Uint64(), 4) }, nil
}

func makeUUID7(rows *MadeUp, _ []string, r *rand.Rand) (making, error) {
	return func(dst []byte, _ int64) []byte {
		return appendUUID(dst, uint64(max(rows.at.UnixMilli(), 0))<<16|r.Uint64()>>48, r.Uint64(), 7)
	}, nil
}

func makeBefore(rows *MadeUp, args []string, r *rand.Rand) (making, error) {
	span := madeUpSpan.FindStringSubmatch(args[0])
	if span == nil {
		return nil, fmt.Errorf("before: expected a span as 30d, not %q", args[0])
	}
	n, err := strconv.ParseFloat(span[1], 64)
	if n *= madeUpUnits[span[2]]; err != nil || n > 100*365*86400 {
		return nil, fmt.Errorf("before: %s is no span of at most 100 years", args[0])
	}
	return func(dst []byte, _ int64) []byte {
		return appendMoment(dst, rows.at.Add(-time.Duration(n*r.Float64()*float64(time.Second))))
	}, nil
}

// Read gives the rows as CSV.
func (m *MadeUp) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if m.read == len(m.text) {
			if m.row == m.Rows {
				break
			}
			m.next()
		}
		k := copy(p[n:], m.text[m.read:])
		m.read += k
		n += k
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// next makes a row.
func (m *MadeUp) next() {
	m.text, m.read = m.text[:0], 0
	m.arrived()
	for i := range m.columns {
		c := &m.columns[i]
		c.value = c.value[:0]
		for _, make := range c.parts {
			c.value = make(c.value, m.row)
		}
		if i > 0 {
			m.text = append(m.text, ',')
		}
		m.text = appendCSV(m.text, c.value)
	}
	m.text = append(m.text, '\n')
	m.row++
}

// appendCSV appends a value of CSV, in quotes where it needs them.
func appendCSV(dst, s []byte) []byte {
	if !slices.ContainsFunc(s, func(c byte) bool { return c == '"' || c == ',' || c == '\n' || c == '\r' }) {
		return append(dst, s...)
	}
	return append(append(append(dst, '"'), bytes.ReplaceAll(s, []byte(`"`), []byte(`""`))...), '"')
}
