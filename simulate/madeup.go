package simulate

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// MadeUp is rows that a description makes: CSV with a header, to be read from it. The
// same description gives the same rows.
//
//	seller: s-{zipf(1.1, 100000)}
//	order: counts(202611110000001)
//	status: oneof(open, paid, sent)
//	at: arrives 5000/s for 24h from 2026-11-11
//
// A value is text with at most one of these in braces, or one alone:
//
//	zipf(S, N)      0 to N−1, number k as often as 1/(k+1)^S; S above 1
//	uniform(N)      0 to N−1, all as often
//	uniform(A, B)   A to B
//	counts          0, 1, 2 and so on, from row to row of those that these stand for; counts(A) from A on
//	hex(N)          N random bytes in hexadecimal
//	oneof(A, B, …)  one of some texts, all as often
//
// Behind one of them, | 7 for 35 % from 20h to 21h has that many of the rows that arrive
// between these hours, counted from the first row, have this value: a sale, a restart.
//
// Of rows that arrive, at most a million are made, evenly over the time: each stands
// for as many as it takes. Without any, a million rows come without a time.
type MadeUp struct {
	Rows  int64   // that are made
	Total float64 // that they stand for

	seconds float64 // over which they arrive
	columns []madeUp
	row     int64
	text    []byte
	read    int
}

type madeUp struct {
	name          string
	before, after string
	make          making
}

const mostMadeUp = 1_000_000

var (
	madeUpWord    = regexp.MustCompile(`^(zipf|uniform|counts|hex|oneof)(?:\((.*)\))?$`)
	madeUpBurst   = regexp.MustCompile(`^\s*(\S+) for ([0-9.]+) ?% from ([0-9.]+)(s|min|h|d) to ([0-9.]+)(s|min|h|d)\s*$`)
	madeUpArrives = regexp.MustCompile(`^arrives\s+([0-9.e]+)\s*/\s*(s|min|h|d)\s+for\s+([0-9.]+)\s*(s|min|h|d)(?:\s+from\s+(\S+))?$`)
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
	if len(m.columns) == 0 {
		return nil, errors.New("no columns")
	}
	for i, c := range m.columns {
		if i > 0 {
			m.text = append(m.text, ',')
		}
		m.text = appendCSV(m.text, c.name)
	}
	m.text = append(m.text, '\n')
	return m, nil
}

// arrive adds the column of the time of arrival.
func (m *MadeUp) arrive(name, text string) error {
	a := madeUpArrives.FindStringSubmatch(text)
	if a == nil {
		return errors.New("expected a rate and a time, as arrives 5000/s for 24h, or with from 2026-11-11 behind it")
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
				return fmt.Errorf("expected a day as 2026-11-11 behind from, not %q", a[5])
			}
		}
	}
	seconds := span * madeUpUnits[a[4]]
	m.seconds = seconds
	m.Total = rate / madeUpUnits[a[2]] * seconds
	if m.Total < 1 || m.Total > 1e15 || seconds > 100*365*86400 {
		return errors.New("expected at least one row, at most 10¹⁵ and at most 100 years")
	}
	m.Rows = int64(min(m.Total, mostMadeUp))
	step := seconds / float64(m.Rows)
	r := rand.New(rand.NewPCG(1, 1))
	m.columns = append(m.columns, madeUp{name: name, make: func(dst []byte, row int64) []byte {
		at := time.Duration((float64(row) + r.Float64()) * step * float64(time.Second))
		return from.Add(at).AppendFormat(dst, "2006-01-02T15:04:05.000000Z")
	}})
	return nil
}

// parse reads what the values of a column are.
func (rows *MadeUp) parse(text, name string) (m madeUp, err error) {
	word := text
	if open := strings.IndexByte(text, '{'); open >= 0 {
		end := strings.LastIndexByte(text, '}')
		if end < open {
			return m, errors.New("a brace without its end")
		}
		m.before, word, m.after = text[:open], text[open+1:end], text[end+1:]
	}
	word, burst, bursts := strings.Cut(word, "|")
	found := madeUpWord.FindStringSubmatch(strings.TrimSpace(word))
	if found == nil {
		return m, fmt.Errorf("expected zipf(S, N), uniform(N), counts, hex(N), oneof(A, B) or arrives, not %q", word)
	}
	var args []string
	if strings.TrimSpace(found[2]) != "" {
		for _, arg := range strings.Split(found[2], ",") {
			args = append(args, strings.TrimSpace(arg))
		}
	}
	h := fnv.New64a()
	io.WriteString(h, name+"="+text)
	m.make, err = rows.maker(found[1], args, rand.New(rand.NewPCG(2, h.Sum64())))
	if err == nil && bursts {
		m.make, err = rows.burst(burst, m.make, rand.New(rand.NewPCG(3, h.Sum64())))
	}
	return m, err
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
		return nil, errors.New("expected at most 100 %, and an end behind its beginning")
	}
	return func(dst []byte, row int64) []byte {
		at := float64(row) / float64(rows.Rows) * rows.seconds
		if at >= from && at < to && 100*r.Float64() < n[0] {
			return append(dst, b[1]...)
		}
		return usual(dst, row)
	}, nil
}

// making makes the value of a row behind what stands in dst.
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
	for i, c := range m.columns {
		if i > 0 {
			m.text = append(m.text, ',')
		}
		from := len(m.text)
		m.text = append(c.make(append(m.text, c.before...), m.row), c.after...)
		if value := string(m.text[from:]); strings.ContainsAny(value, "\",\n\r") {
			m.text = appendCSV(m.text[:from], value)
		}
	}
	m.text = append(m.text, '\n')
	m.row++
}

// appendCSV appends a value of CSV, in quotes where it needs them.
func appendCSV(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",\n\r") {
		return append(dst, s...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
