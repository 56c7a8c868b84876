package laws

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/hbase-rowkey/rowkey/scan"
)

// The laws of the package, each over random schemas and rows, against the slow
// reference. Two environment variables steer them:
//
//	ROWKEY_LAWS=1000000   cases for each law; without it lawCases, with -short shortCases
//	ROWKEY_SEED=42:1234   the seed, and the one schema to run: see package seed

// How many cases a law has where ROWKEY_LAWS is not set.
const (
	lawCases   = 1500
	shortCases = 40
)

// lawShare is how many cases a law tries. Where they are few, it does not wait until it
// has met all that it must.
func lawShare(t *testing.T) (cases int, few bool) {
	t.Helper()
	env := os.Getenv("ROWKEY_LAWS")
	if env == "" {
		if testing.Short() {
			return shortCases, true
		}
		return lawCases, false
	}
	n, err := strconv.Atoi(env)
	if err != nil || n <= 0 {
		t.Fatalf("ROWKEY_LAWS=%s: want a number above 0", env)
	}
	return n, false
}

// long leaves a test out with -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short")
	}
}

// sample says of each case of an exhaustive model whether this run tries it: all where
// ROWKEY_LAWS is set, one of n otherwise, one of 10·n with -short. The seed draws them.
func sample(t *testing.T, n int) func() bool {
	t.Helper()
	if os.Getenv("ROWKEY_LAWS") != "" {
		return func() bool { return true }
	}
	if testing.Short() {
		n *= 10
	}
	name := fnv.New64a()
	name.Write([]byte(t.Name()))
	r := rand.New(rand.NewPCG(seed.Of(t), name.Sum64()))
	return func() bool { return r.IntN(n) == 0 }
}

// A lawRun is one law being tested.
type lawRun struct {
	t      *testing.T
	few    bool // too few cases to meet all that is to be met
	source *genSource
	only   int // the one schema to run, or −1
	counts map[string]int
	cases  int
	failed int
}

// A lawCase is one schema under one law.
type lawCase struct {
	*lawRun
	index int
	s     *refSchema
	built *rowkey.Schema
	r     *rand.Rand
	row   refRow // at hand, for the report
	key   []byte
}

// lawStop ends a case that has failed.
type lawStop struct{}

// law runs one law over schema after schema until its cases are used up, and
// over so many schemas at least. What has to be met has to be counted before twenty times
// as many are.
func law(t *testing.T, schemas int, each func(c *lawCase), met ...string) *lawRun {
	t.Helper()
	return lawOf(t, schemas, nil, each, met...)
}

// lawOf is law over schemas with some of the pairs of options.
func lawOf(t *testing.T, schemas int, keep func(genPair) bool, each func(c *lawCase), met ...string) *lawRun {
	t.Helper()
	t.Parallel()
	cases, few := lawShare(t)
	if few {
		schemas, met = 0, nil
	}
	from, only := seed.Case(t)
	run := &lawRun{t: t, few: few, only: only, counts: map[string]int{}}
	run.source = newGenSource(from)
	if keep != nil {
		run.source.pairs = slices.DeleteFunc(slices.Clone(run.source.pairs), func(p genPair) bool { return !keep(p) })
	}
	if run.only >= 0 {
		run.schema(run.only, each)
		return run
	}
	missing := func() []string {
		unmet := run.unmet(met)
		if schemas >= len(genAdmitted()) { // it is to meet all pairs, and what stands beside them
			unmet = append(unmet, run.source.unmet()...)
		}
		return unmet
	}
	for i := 0; run.failed < 3; i++ {
		enough := i >= schemas && run.cases >= cases
		if enough && (i >= 20*schemas || len(missing()) == 0) {
			break
		}
		run.schema(i, each)
	}
	for _, name := range slices.Sorted(maps.Keys(run.counts)) {
		t.Logf("%9d %s", run.counts[name], name)
	}
	t.Logf("%9d cases", run.cases)
	if unmet := missing(); run.failed == 0 && len(unmet) > 0 {
		t.Errorf("never met: %q", unmet)
	}
	return run
}

// unmet is the names of which nothing was counted.
func (run *lawRun) unmet(names []string) (missing []string) {
	for _, name := range names {
		if run.counts[name] == 0 {
			missing = append(missing, name)
		}
	}
	return missing
}

// schema runs a law over one schema. A panic is a failure like any other.
func (run *lawRun) schema(i int, each func(c *lawCase)) {
	c := &lawCase{lawRun: run, index: i}
	defer func() {
		switch p := recover().(type) {
		case nil, lawStop:
		default:
			run.failed++
			run.t.Errorf("panic: %v\n%s\n%s", p, c, debug.Stack())
		}
	}()
	c.s, c.built, c.r = run.source.schema(run.t, i)
	run.count("schemas")
	each(c)
}

func (run *lawRun) count(what string) { run.counts[what]++ }

// one counts a case.
func (c *lawCase) one(what string) {
	c.cases++
	c.counts[what]++
}

func (c *lawCase) fail(format string, args ...any) {
	c.t.Helper()
	c.failed++
	c.t.Errorf("%s\n%s", fmt.Sprintf(format, args...), c)
	panic(lawStop{})
}

// String is all that one needs to see the failure again.
func (c *lawCase) String() string {
	notation := "not built"
	if c.built != nil {
		notation = c.built.String()
	}
	return fmt.Sprintf("  again:  ROWKEY_SEED=%d:%d\n  schema: %s\n          %s\n  values: %s\n  key:    %x",
		c.source.seed, c.index, c.s, notation, c.row, c.key)
}

var lawSentinels = []error{
	rowkey.ErrType, rowkey.ErrMissing, rowkey.ErrExtra, rowkey.ErrField, rowkey.ErrRange, rowkey.ErrTerminator,
	rowkey.ErrLength, rowkey.ErrMalformed, rowkey.ErrToken, rowkey.ErrScan, rowkey.ErrDerived, rowkey.ErrFullScan, rowkey.ErrManyRanges,
	rowkey.ErrInverted, rowkey.ErrSplits, rowkey.ErrAmbiguous, rowkey.ErrShared, rowkey.ErrSchema,
}

// typed checks what every error promises: an *Error that names the schema and
// wraps exactly one exported sentinel, the offset in the key or −1.
func (c *lawCase) typed(what string, err error) *rowkey.Error {
	c.t.Helper()
	var e *rowkey.Error
	if !errors.As(err, &e) {
		c.fail("%s: %T (%v) is no *rowkey.Error", what, err, err)
	}
	if e.Schema != c.s.name {
		c.fail("%s: error names schema %q: %v", what, e.Schema, err)
	}
	wraps := 0
	for _, s := range lawSentinels {
		if errors.Is(err, s) {
			wraps++
		}
	}
	if wraps != 1 {
		c.fail("%s: error wraps %d sentinels: %v", what, wraps, err)
	}
	if e.Offset < -1 || e.Offset > len(c.key) && e.Offset != -1 {
		c.fail("%s: offset %d in a key of %d bytes: %v", what, e.Offset, len(c.key), err)
	}
	if !strings.HasPrefix(err.Error(), "rowkey: "+c.s.name+": ") {
		c.fail("%s: error does not say where: %v", what, err)
	}
	return e
}

// expected checks that an error is one of the reasons that the reference has.
func (c *lawCase) expected(what string, err error, faults []refFault) {
	c.t.Helper()
	if err == nil {
		c.fail("%s: no error, want one of %v", what, faults)
	}
	e := c.typed(what, err)
	for _, f := range faults {
		if errors.Is(err, f.err) && (f.field == "" || f.field == e.Field) {
			return
		}
	}
	c.fail("%s: error %q of field %q, want one of %v", what, err, e.Field, faults)
}

// ---- ways to write

// lawSupply supplies one value with the field's own method.
func lawSupply(k rowkey.KeyBuilder, f *refComp, v any) rowkey.KeyBuilder {
	switch v := v.(type) {
	case string:
		if f.word == "Binary" {
			return k.Binary([]byte(v))
		}
		return k.String(v)
	case refNumber:
		return k.String(string(v))
	case refNull:
		return k.Null()
	case uint64:
		return k.Uint(v)
	case int64:
		return k.Int(v)
	case float64:
		return k.Float(v)
	case bool:
		return k.Bool(v)
	case time.Time:
		return k.Time(v)
	}
	panic(fmt.Sprintf("value %T", v))
}

// lawSupplyOther supplies one value with another method that takes it, its
// name asserted.
func lawSupplyOther(k rowkey.KeyBuilder, f *refComp, v any) rowkey.KeyBuilder {
	k = k.Field(f.name)
	switch v := v.(type) {
	case string:
		if f.word == "Binary" {
			return k.String(v)
		}
		return k.Binary([]byte(v))
	case refNumber:
		return k.Binary([]byte(v))
	case uint64:
		if v <= math.MaxInt64 {
			return k.Int(int64(v))
		}
	case int64:
		if v >= 0 {
			return k.Uint(uint64(v))
		}
	case time.Time:
		if f.unit.word != "Nanos" && f.unit.word != "Micros" && f.unit.nanos%1e6 == 0 && v.Year() < 290000 { // else milliseconds have lost what the unit counts
			return k.UnixMilli(v.UnixMilli())
		}
	}
	return lawSupply(k, f, v)
}

func (c *lawCase) supply(k rowkey.KeyBuilder, row refRow) rowkey.KeyBuilder {
	fields := c.s.supplied()
	for i, v := range row {
		k = lawSupply(k, fields[i], v)
	}
	return k
}

// anyOf is a value in one of the Go types that AppendKey takes for it.
func (c *lawCase) anyOf(f *refComp, v any) any {
	switch v := v.(type) {
	case string:
		if genOdds(c.r, 2) {
			return []byte(v)
		}
	case refNumber:
		return string(v)
	case refNull:
		return nil
	case uint64:
		if v <= math.MaxInt8 {
			return genPick[any](c.r, v, int8(v), int16(v), int32(v), int64(v), int(v), uint(v))
		}
	case int64:
		if int64(uint8(v)) == v {
			return genPick[any](c.r, v, uint8(v), uint16(v), uint32(v), uint64(v), int(v), uint(v))
		}
	case float64:
		if f.size == 4 && float64(float32(v)) == v {
			return genPick[any](c.r, v, float32(v))
		}
	}
	return v
}

// ---- ways to read

// lawRoom is the length of a buffer for a text: enough, or not.
func lawRoom(r *rand.Rand) int { return genPick(r, 0, 3, 5, 8, 12, 16, 17, 40, 300) }

// lawRead reads one field with its own method (other: with another that takes it). A text
// is read into a buffer of room bytes.
func lawRead(k rowkey.Reader, f *refComp, v *any, other bool, room int) rowkey.Reader {
	switch f.word {
	case "String", "Binary":
		if (f.word == "Binary") != other {
			behind := strings.Repeat("#", 16)
			memory := []byte(strings.Repeat("stale", 60)[:room] + behind)
			b := memory[: room/2 : room]
			k = k.Binary(&b)
			if *v = string(b); string(memory[room:]) != behind {
				*v = "a text was written behind its buffer"
			}
			return k
		}
		var x string
		k = k.String(&x)
		*v = x
	case "Uint":
		var x uint64
		k = k.Uint(&x)
		*v = x
	case "Int":
		var x int64
		k = k.Int(&x)
		*v = x
	case "Float":
		var x float64
		k = k.Float(&x)
		*v = x
	case "Bool":
		var x bool
		k = k.Bool(&x)
		*v = x
	case "Time":
		var x time.Time
		k = k.Time(&x)
		*v = x
	}
	return k
}

// read reads a whole key with Read.
func (c *lawCase) read(key []byte, other bool) (refRow, error) {
	k := c.built.Read(key)
	var row refRow
	var nulls []bool
	var read []*refComp
	for _, f := range c.s.supplied() {
		if f.has("NotStored") {
			continue
		}
		var v any
		var null bool
		if f.has("Optional") || genOdds(c.r, 20) {
			k = k.Null(&null)
		}
		k = lawRead(k, f, &v, other, lawRoom(c.r))
		nulls = append(nulls, null)
		row = append(row, v)
		read = append(read, f)
	}
	if k.Err() != nil { // variables may be as they were
		return row, k.Err()
	}
	for i, f := range read {
		if nulls[i] {
			row[i] = f.nullRead(c, row[i])
		}
		row[i] = f.ofKind(row[i])
	}
	return row, nil
}

// ofRow is the supplied fields of a decoded row, in schema order, by All.
func (c *lawCase) ofRow(row rowkey.Row) refRow {
	byName := maps.Collect(row.All())
	var out refRow
	for _, f := range c.s.supplied() {
		if f.has("NotStored") {
			continue
		}
		v, ok := byName[f.name]
		if !ok {
			c.fail("All leaves %s out", f.name)
		}
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		if v == nil {
			v = refNull{}
		}
		out = append(out, f.ofKind(v))
	}
	return out
}

// handle is the value of one field by its typed handle.
func (c *lawCase) handle(f *refComp, row rowkey.Row) (any, error) {
	switch f.word {
	case "String":
		v, err := lawGet[string](c, f, row)
		return f.ofKind(v), err
	case "Binary":
		v, err := lawGet[[]byte](c, f, row)
		return string(v), err
	case "Uint":
		return lawGet[uint64](c, f, row)
	case "Int":
		return lawGet[int64](c, f, row)
	case "Float":
		return lawGet[float64](c, f, row)
	case "Bool":
		return lawGet[bool](c, f, row)
	}
	return lawGet[time.Time](c, f, row)
}

func lawGet[T rowkey.Value](c *lawCase, f *refComp, row rowkey.Row) (T, error) {
	h, err := rowkey.FieldOf[T](c.built, f.name)
	if err != nil {
		c.fail("FieldOf(%s): %v", f.name, err)
	}
	return h.Get(row)
}

// stored is the values of a row that stand in the key.
func (c *lawCase) stored(kept refRow) refRow {
	var out refRow
	for i, f := range c.s.supplied() {
		if !f.has("NotStored") && i < len(kept) {
			out = append(out, kept[i])
		}
	}
	return out
}

func lawSame(a, b refRow) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		if fmt.Sprintf("%T", x) != fmt.Sprintf("%T", y) {
			return false
		}
		if f, ok := x.(float64); ok && math.Signbit(f) != math.Signbit(y.(float64)) {
			return false
		}
		return refCompare(x, y) == 0
	})
}

// ---- 1: round trip

// What is written is what the reference writes, by every way to write; what is
// read is the row as stored, by every way to read. What cannot be stored is an
// error that names field and reason, and the caller's buffer is as it was.
func TestLawRoundTrip(t *testing.T) {
	law(t, len(genAdmitted()), func(c *lawCase) {
		var rows []refRow
		for range 40 {
			c.roundTrip()
			rows = append(rows, c.row)
		}
		c.codec(rows[:min(10, len(rows))])
		c.codecOfNumbers(rows[:min(10, len(rows))])
	}, "loose keys with more than one reading", "keys over two Loose fields, with one reading", "rows whose last nulls are left out")
}

// roundTrip draws a row and writes it by every way. If it can be stored, it is read back by every way.
func (c *lawCase) roundTrip() (want refKey, stored bool) {
	c.row, c.key = genRow(c.r, c.s), nil
	want = c.s.encode(c.row)
	c.write(want)
	if len(want.faults) > 0 {
		c.one("rows refused")
		return want, false
	}
	c.one("rows stored")
	c.readBack(want)
	return want, true
}

// write writes the row by every way.
func (c *lawCase) write(want refKey) {
	const head = "the caller's"
	check := func(way string, got []byte, err error, buf []byte, empty []byte) {
		c.t.Helper()
		if string(buf[:len(head)]) != head {
			c.fail("%s: the caller's buffer now begins %q", way, buf[:len(head)])
		}
		if len(want.faults) > 0 {
			c.expected(way, err, want.faults)
			if !bytes.Equal(got, empty) {
				c.fail("%s: with an error came %x", way, got)
			}
			return
		}
		if err != nil {
			c.fail("%s: %v, want %x", way, err, want.bytes)
		}
		if !bytes.Equal(got[len(empty):], want.bytes) || !bytes.HasPrefix(got, empty) {
			c.fail("%s: got  %x\n        want %x", way, got[len(empty):], want.bytes)
		}
	}
	fields := c.s.supplied()
	// Into nothing, into room enough, and into a buffer that is too short.
	spare := genPick(c.r, 0, 3, 100)
	buf := append(make([]byte, 0, len(head)+spare), head...)

	got, err := c.supply(c.built.KeyIn(append(make([]byte, 0, cap(buf)), head...)), c.row).Bytes()
	check("Key", got, err, buf, nil)
	if len(want.faults) == 0 {
		c.key = bytes.Clone(got)
	}

	k := c.built.Key()
	for i, v := range c.closed(c.row) {
		k = lawSupplyOther(k, fields[i], v)
	}
	got, err = k.Bytes()
	check("Key by other methods", got, err, buf, nil)

	values := make([]any, len(c.row))
	for i, v := range c.row {
		values[i] = c.anyOf(fields[i], v)
	}
	got, err = c.built.AppendKey(buf, values...)
	check(fmt.Sprintf("AppendKey(%T)", values), got, err, buf, []byte(head))

	short := c.closed(c.row)
	if len(short) == len(c.row) {
		return
	}
	c.count("rows whose last nulls are left out")
	for range 6 { // the nulls that Bytes supplies may grow the key out of any room, and past MaxLen
		room := c.r.IntN(40)
		got, err = c.supply(c.built.KeyIn(make([]byte, 0, room)), short).Bytes()
		check(fmt.Sprintf("KeyIn of %d bytes, nulls left out", room), got, err, buf, nil)
		got, err = c.built.AppendKey(append(make([]byte, 0, len(head)+room), head...), values[:len(short)]...)
		check(fmt.Sprintf("AppendKey to %d bytes, nulls left out", room), got, err, buf, []byte(head))
	}
	got, err = c.supply(c.built.Key(), short).Bytes()
	check("Key, nulls left out", got, err, buf, nil)
}

// readBack reads the row's key by every way.
func (c *lawCase) readBack(want refKey) {
	stored := c.stored(want.kept)
	before := bytes.Clone(c.key)
	loose := c.s.has("Loose")
	accept := func(way string, got refRow, err error) {
		c.t.Helper()
		switch {
		case err == nil && !lawSame(got, stored):
			c.fail("%s: got  %v\n        want %v", way, got, stored)
		case err != nil && !(loose && errors.Is(err, rowkey.ErrAmbiguous)):
			c.fail("%s: %v", way, err)
		case err != nil:
			c.typed(way, err)
			c.count("loose keys with more than one reading")
		}
	}

	got, err := c.read(c.key, false)
	accept("Read", got, err)
	got, err = c.read(c.key, true)
	accept("Read by other methods", got, err)

	row, err := c.built.Decode(c.key)
	if err == nil {
		got = c.ofRow(row)
	}
	accept("Decode", got, err)
	if err == nil && c.s.looseEnds() > 1 {
		c.count("keys over two Loose fields, with one reading")
	}
	if err == nil && genOdds(c.r, 8) {
		got = nil
		for _, f := range c.s.supplied() {
			if f.has("NotStored") {
				if row.Has(f.name) {
					c.fail("Has(%s), which is not stored", f.name)
				}
				continue
			}
			v, err := c.handle(f, row)
			if errors.Is(err, rowkey.ErrMissing) && f.has("Optional") && !row.Has(f.name) {
				v, err = refNull{}, nil
			} else if !row.Has(f.name) {
				c.fail("Has(%s) is false", f.name)
			}
			if err != nil {
				c.fail("Get(%s): %v, Has: %v", f.name, err, row.Has(f.name))
			}
			got = append(got, v)
		}
		accept("Get", got, nil)
		for i := range c.s.comps {
			name := c.s.comps[i].name
			if o, ok := c.s.comps[i].opt("Named"); ok {
				name = o.text
			}
			piece := want.bytes[want.at[i]:want.at[i+1]]
			if name != "" && len(piece) > 0 && !bytes.Equal(row.Stored(name), piece) {
				c.fail("Stored(%s): got %x, want %x", name, row.Stored(name), piece)
			}
		}
	}
	row, err = c.built.DecodeLoose(c.key)
	if err == nil {
		got = c.ofRow(row)
	}
	accept("DecodeLoose", got, err)

	if !c.s.has("NotStored") && !loose {
		again, err := c.built.Rekey([]byte("head"), c.key, c.built)
		if err != nil || string(again) != "head"+string(c.key) {
			c.fail("Rekey to itself: %x %v", again, err)
		}
	}
	if !bytes.Equal(c.key, before) {
		c.fail("reading changed the key %x", before)
	}
}

// looseEnds is how many fields have no sure end.
func (s *refSchema) looseEnds() (n int) {
	for i := range s.comps {
		if c := &s.comps[i]; c.has("Loose") && !c.has("Pad") && !c.has("PadLeft") {
			n++
		}
	}
	return n
}

// ---- 2: injective

// Rows that differ as stored have different keys.
func TestLawInjective(t *testing.T) {
	law(t, 150, func(c *lawCase) {
		if c.s.has("Loose") {
			return
		}
		owner := map[string]refRow{}
		for _, row := range genGrid(c.r, c.s, 300) {
			c.row, c.key = row, nil
			key, err := c.supply(c.built.Key(), row).Bytes()
			if err != nil {
				c.count("rows refused")
				continue
			}
			c.key = key
			c.one("rows")
			stored := c.stored(row)
			if want := c.s.encode(row); len(want.faults) == 0 {
				stored = c.stored(want.kept)
			}
			// Rows that differ only in what is not stored may share a key.
			if other, ok := owner[string(key)]; ok && !lawSame(other, stored) {
				c.fail("the key of %v too", other)
			}
			owner[string(key)] = stored
		}
	})
}

// ---- 3: order

// A schema says of each field how its stored bytes sort, and it never pretends.
func TestLawOrder(t *testing.T) {
	law(t, 150, func(c *lawCase) {
		for i, f := range c.s.supplied() {
			if f.has("NotStored") {
				continue
			}
			claim := c.built.Order(f.name)
			if plain, ok := refPlainOrder(c.s, f); ok && claim != plain {
				c.fail("Order(%s) is %v, want %v", f.name, claim, plain)
			}
			c.order(i, f, claim)
		}
	})
}

func (c *lawCase) order(i int, f *refComp, claim rowkey.Order) {
	type rest struct {
		value any
		bytes []byte // of the key from the field on
	}
	at := slices.IndexFunc(c.s.comps, func(x refComp) bool { return x.word == f.word && x.name == f.name })
	values := genDistinct(c.r, c.s, f, 12)
	var rests []rest
	for range 10 {
		rests = rests[:0]
		row := genRow(c.r, c.s)
		for _, v := range values {
			row[i] = v
			c.row = slices.Clone(row)
			key := c.s.encode(row)
			if len(key.faults) > 0 {
				continue
			}
			got, err := c.supply(c.built.Key(), row).Bytes()
			if err != nil {
				c.fail("Key: %v", err)
			}
			rests = append(rests, rest{key.kept[i], got[key.at[at]:]})
		}
		if len(rests) > 2 {
			break
		}
	}
	forward, backward := true, true
	for x, a := range rests {
		for _, b := range rests[x+1:] {
			if lawNull(a.value) || lawNull(b.value) {
				continue // the order is that of values
			}
			byValue := refCompare(a.value, b.value)
			if byValue == 0 {
				continue
			}
			c.one("pairs")
			byBytes := bytes.Compare(a.bytes, b.bytes)
			forward = forward && byBytes == byValue
			backward = backward && byBytes == -byValue
			if claim == rowkey.Forward && !forward || claim == rowkey.Backward && !backward {
				c.fail("Order(%s) is %v, but %v is %x and %v is %x",
					f.name, claim, refRow{a.value}, a.bytes, refRow{b.value}, b.bytes)
			}
		}
	}
	switch claim {
	case rowkey.Forward, rowkey.Backward:
		c.count("fields said to be ordered")
	case rowkey.Unordered:
		c.count("fields said to be unordered")
		if (forward || backward) && len(rests) > 2 {
			c.count("fields said to be unordered, whose values here were ordered")
		}
	default:
		c.fail("Order(%s) is %d", f.name, claim)
	}
}

// refPlainOrder is the order of the layouts whose order the documentation
// states in so many words.
func refPlainOrder(s *refSchema, c *refComp) (rowkey.Order, bool) {
	var words []string
	for _, o := range c.opts {
		switch o.word {
		case "Below", "Years", "Truncate", "Bucket", "Optional", "MinLen", "Precision": // do not move bytes
		case "OneOf", "Codes", "Chars", "Loose":
			return 0, false
		default:
			words = append(words, o.word)
		}
	}
	kind := c.word
	if kind == "Time" && c.unit.word == "Layout" {
		kind = "Layout"
	}
	if s.dialect != "" {
		return refDialectOrder(s.dialect, kind, strings.Join(words, " "))
	}
	if kind == "Binary" {
		kind = "String"
	}
	if s.hbase && (kind == "Int" || kind == "Float") {
		kind = "HBase " + kind
	}
	all := strings.Join(words, " ")
	switch kind + ": " + all {
	case "Uint: ", "Uint: Width", "Uint: Digits", "Uint: HexDigits", "Uint: Varint",
		"Time: ", "Time: Width", "Time: Digits", "Time: HexDigits",
		"Layout: ", "Layout: Width", "Int: ", "Int: Width", "Float: ", "Bool: ",
		"String: Fixed", "String: Escaped":
		return rowkey.Forward, true
	case "Uint: Desc", "Uint: Width Desc", "Uint: Digits Desc", "Uint: HexDigits Desc", "Uint: Desc Digits", "Uint: Desc HexDigits", "Uint: Varint Desc", "Uint: Desc Varint",
		"Time: Desc", "Time: Width Desc", "Time: Digits Desc", "Time: HexDigits Desc", "Time: Desc Digits", "Time: Desc HexDigits",
		"Layout: Desc", "Layout: Width Desc", "Int: Desc", "Int: Width Desc", "HBase Int: Desc", "HBase Int: Width Desc", "Float: Desc",
		"String: Fixed Desc", "String: Desc Fixed", "String: Escaped Desc":
		return rowkey.Backward, true
	case "HBase Int: ", "HBase Int: Width":
		return rowkey.Unordered, !c.has("Below") // which leaves no negative number
	case "HBase Float: ", "String: PadLeft":
		return rowkey.Unordered, true
	case "Uint: Decimal", "Time: Decimal":
		below, ok := c.opt("Below")
		if ok && below.n <= 10 {
			return rowkey.Forward, true
		}
		return rowkey.Unordered, !ok && !c.has("Years") // which can leave one length
	case "String: Pad":
		if o, _ := c.opt("Pad"); o.b == 0 {
			return rowkey.Forward, true
		}
		return rowkey.Unordered, true
	case "String: ":
		switch end, ended := s.endOf(c); {
		case !ended, end == "\x00":
			return rowkey.Forward, true
		case end == "_":
			return rowkey.Unordered, true
		}
	}
	return 0, false
}

// ---- 4: isolation

// The rows in the range of a prefix of complete values are exactly the rows
// that have those values; those in the range of a text's beginning are exactly
// the rows whose text begins so.
func TestLawIsolation(t *testing.T) {
	law(t, 150, func(c *lawCase) {
		g := c.grid()
		for n := 1; n <= len(c.s.supplied()); n++ {
			asked := map[string]bool{}
			for _, x := range g.rows {
				name := x.kept[:n].String()
				if asked[name] || len(asked) > 25 {
					continue
				}
				asked[name] = true
				g.isolates(x.row[:n], x.kept[:n])
			}
			g.refused(n)
			if c.s.supplied()[n-1].isText() {
				g.prefixes(n)
			}
		}
	})
}

// A lawGrid is the stored rows of a small grid, and their keys.
type lawGrid struct {
	*lawCase
	rows []lawGridRow
	bad  []refRow
}

type lawGridRow struct {
	row, kept refRow
	key       []byte
	at        []int // where each component begins
}

func (c *lawCase) grid() *lawGrid {
	g := &lawGrid{lawCase: c}
	for _, row := range genGrid(c.r, c.s, 150) {
		if key := c.s.encode(row); len(key.faults) == 0 {
			g.rows = append(g.rows, lawGridRow{row, key.kept, key.bytes, key.at})
		} else {
			g.bad = append(g.bad, row)
		}
	}
	return g
}

// ask gives the ranges of a key so far and checks what holds of any: sorted,
// disjoint, none empty; Range is the same where there is one. A KeyBuilder is
// used once; used once more, it may err but never answer something else.
func (g *lawGrid) ask(supply func() rowkey.KeyBuilder) ([]rowkey.Range, error) {
	one, oneErr := supply().Range()
	head := []rowkey.Range{rowkey.PrefixRange([]byte("dst"))}
	got, arena, err := supply().AppendRanges(head, []byte("arena"))
	used := supply()
	used.Range()
	if again, _, againErr := used.AppendRanges(head, nil); againErr == nil && !lawSameRanges(got, again) {
		g.fail("AppendRanges: %v, after Range: %v", got, again)
	}
	if string(arena[:5]) != "arena" || got[0].String() != head[0].String() {
		g.fail("AppendRanges changed dst or arena")
	}
	got = got[1:]
	if err != nil {
		e := g.typed("AppendRanges", err)
		if len(got) > 0 || len(arena) > 5 {
			g.fail("AppendRanges: with an error came %v", got)
		}
		if oneErr == nil {
			g.fail("Range: %v, AppendRanges: %v", one, e)
		}
		g.typed("Range", oneErr)
		return nil, err
	}
	switch {
	case len(got) == 0:
		g.fail("AppendRanges: no range, no error")
	case len(got) == 1 && (oneErr != nil || !lawSameRanges(got, []rowkey.Range{one})):
		g.fail("Range: %v %v, AppendRanges: %v", one, oneErr, got)
	case len(got) > 1 && !errors.Is(oneErr, rowkey.ErrManyRanges):
		g.fail("Range: %v %v, AppendRanges: %v", one, oneErr, got)
	}
	for i, r := range got {
		switch {
		case r.Empty():
			g.fail("range %d of %v is empty", i, got)
		case i > 0 && (got[i-1].Unbounded() || bytes.Compare(got[i-1].Stop(), r.Start()) > 0):
			g.fail("ranges %d and %d of %v overlap or are out of order", i-1, i, got)
		}
	}
	return got, nil
}

func lawSameRanges(a, b []rowkey.Range) bool {
	return slices.EqualFunc(a, b, func(x, y rowkey.Range) bool {
		return bytes.Equal(x.Start(), y.Start()) && bytes.Equal(x.Stop(), y.Stop())
	})
}

func lawCovering(ranges []rowkey.Range, key []byte) int {
	n := 0
	for _, r := range ranges {
		inside := bytes.Compare(key, r.Start()) >= 0 && (r.Unbounded() || bytes.Compare(key, r.Stop()) < 0)
		if inside != r.Contains(key) {
			panic(fmt.Sprintf("%v contains %x: %v", r, key, r.Contains(key)))
		}
		if inside {
			n++
		}
	}
	return n
}

// isolates asks for the rows that begin with these values.
func (g *lawGrid) isolates(head, kept refRow) {
	g.row, g.key = head, nil
	g.one("prefixes of values")
	ranges, err := g.ask(func() rowkey.KeyBuilder { return g.supply(g.built.Key(), head) })
	count, listed := g.openBefore(len(head))
	switch {
	case err == nil && count > 1024 && listed:
		g.fail("%d ranges, where %d buckets are open", len(ranges), count)
	case err == nil && len(ranges) > 1024:
		g.fail("%d ranges, more than 1024", len(ranges))
	case errors.Is(err, rowkey.ErrManyRanges) && (count > 1024 || !listed || count > 512 && planCounted(err) == 2*count && (g.s.has("Optional") || g.s.dialect == "Phoenix")):
		// Two for each bucket, where keys that end with a null lie apart from those that go on.
		g.count("prefixes behind too many open buckets")
		return
	case errors.Is(err, rowkey.ErrFullScan) && g.silent(head):
		g.count("prefixes of which nothing is stored")
		return
	case err != nil:
		g.fail("AppendRanges: %v", err)
	}
	if len(ranges) > 1 {
		g.count("prefixes behind an open bucket")
	}
	loose := g.s.has("Loose")
	for _, x := range g.rows {
		covering := lawCovering(ranges, x.key)
		same := lawSame(g.stored(x.kept[:len(kept)]), g.stored(kept))
		switch {
		case lawSame(x.kept[:len(kept)], kept) && covering != 1:
			g.key = x.key
			g.fail("%v is in %d of %v, want 1", x.row, covering, ranges)
		case !same && covering > 0 && !loose:
			g.key = x.key
			g.fail("%v is in %v", x.row, ranges)
		}
	}
}

// silent reports that these values write no byte: they are not stored, or empty
// texts that a Loose schema leaves without an end.
func (c *lawCase) silent(head refRow) bool {
	for i, v := range head {
		f := c.s.supplied()[i]
		form, _ := c.s.convert(f, f, v)
		_, ended := c.s.endOf(f)
		if !f.has("NotStored") && (form.stored != "" || ended || !f.has("Loose")) {
			return false
		}
	}
	return true
}

// openBefore is how many values the derived components have together that
// stand before the last of n supplied fields and depend on a field after it;
// listed is false if one of them cannot be listed.
func (c *lawCase) openBefore(n int) (count int, listed bool) {
	fields := c.s.supplied()
	known := map[string]bool{}
	last := -1
	for i := range c.s.comps {
		for _, f := range fields[:n] {
			if f == &c.s.comps[i] {
				known[f.name] = true
				if !f.has("NotStored") {
					last = i
				}
			}
		}
	}
	whole := n == len(fields)
	for i := range c.s.comps {
		if x := &c.s.comps[i]; x.word == "Copy" && known[x.of] {
			known[x.name] = true
		}
	}
	count, listed = 1, true
	for i := range max(last, 0) {
		x := &c.s.comps[i]
		if x.word == "Copy" && !known[x.name] && !x.has("NotStored") {
			listed = false
		}
		if x.word != "Salt" && x.word != "Hash" {
			continue
		}
		open := x.in.word == "Rest" && !whole
		for _, name := range x.in.fields {
			open = open || !known[name]
		}
		if !open {
			continue
		}
		values := x.buckets
		if x.word == "Hash" {
			values = 1
			for range x.part.n {
				values = min(values*map[bool]int{true: 256, false: 16}[x.part.word == "Raw"], 1<<20)
			}
		}
		count = int(min(int64(count)*int64(values), 1<<20)) // an int of 32 bits does not hold the product
	}
	return count, listed
}

// refused asks with values that cannot be stored: no range, ever.
func (g *lawGrid) refused(n int) {
	f := g.s.supplied()[n-1]
	asked := map[string]bool{}
	for _, row := range g.bad {
		_, errs := g.s.convert(f, f, row[n-1])
		name := row[:n].String()
		if len(errs) == 0 || asked[name] || len(asked) > 10 {
			continue
		}
		asked[name] = true
		g.row, g.key = row[:n], nil
		g.one("prefixes that cannot be stored")
		ranges, err := g.ask(func() rowkey.KeyBuilder { return g.supply(g.built.Key(), row[:n]) })
		if err == nil {
			g.fail("ranges %v", ranges)
		}
		g.expected("AppendRanges", err, g.s.encode(append(slices.Clone(row[:n]), g.storable(n)...)).faults)
	}
}

// storable is the tail of some stored row from field n on.
func (g *lawGrid) storable(n int) refRow {
	if len(g.rows) == 0 {
		return genRow(g.r, g.s)[n:]
	}
	return g.rows[0].row[n:]
}

// prefixes asks for the rows whose n-th field begins with some text.
func (g *lawGrid) prefixes(n int) {
	f := g.s.supplied()[n-1]
	asked := map[string]bool{}
	for _, x := range g.rows {
		text, ok := x.row[n-1].(string)
		if !ok {
			continue
		}
		begin := g.beginning(f, x, text)
		name := x.kept[:n-1].String() + " | " + begin
		if begin == "" || asked[name] || len(asked) > 25 {
			continue
		}
		asked[name] = true
		g.begins(x.row[:n-1], x.kept[:n-1], f, begin)
	}
	if len(g.rows) > 0 {
		g.row = g.rows[0].row[:n-1]
		nothing := func() rowkey.KeyBuilder { return g.supply(g.built.Key(), g.row).Prefix("") }
		if ranges, err := g.ask(nothing); err == nil {
			g.fail("Prefix of nothing has ranges %v", ranges)
		}
	}
}

// beginning is the beginning of some text: of the row's own, of any, or of what
// stands in the key from the field on, be it longer than the field.
func (g *lawGrid) beginning(f *refComp, x lawGridRow, text string) string {
	switch g.r.IntN(3) {
	case 0:
		if text != "" {
			return text[:1+g.r.IntN(len(text))]
		}
	case 1:
		at := slices.IndexFunc(g.s.comps, func(c refComp) bool { return c.name == f.name && c.word == f.word })
		rest := bytes.Clone(x.key[x.at[at]:])
		if len(rest) == 0 {
			break
		}
		if f.has("Desc") {
			for i := range rest {
				rest[i] ^= 0xff
			}
		}
		return string(rest[:1+g.r.IntN(min(len(rest), len(text)+3))])
	}
	return genText(g.r, g.s, f)
}

func (g *lawGrid) begins(head, kept refRow, f *refComp, begin string) {
	g.row, g.key = append(slices.Clone(head), begin), nil
	g.one("beginnings of text")
	ranges, err := g.ask(func() rowkey.KeyBuilder { return g.supply(g.built.Key(), head).Prefix(begin) })
	loose := g.s.has("Loose")
	if err != nil {
		g.count("beginnings refused")
		count, listed := g.openBefore(len(head) + 1)
		keeps := true // prefixes of values are prefixes of what is stored
		for _, o := range f.opts {
			switch o.word {
			case "Reverse", "ReverseRune", "ReverseLabels", "ReversePart", "PadLeft", "Codes", "NotStored", "UUID", "LenPrefix":
				keeps = false
			case "Via":
				keeps = keeps && testVias[o.text].traits.Prefixes
			}
		}
		keeps = keeps && !(g.s.dialect == "OrderedBytes" && f.word == "Binary" && !f.has("BlobCopy"))
		_, writes := f.begun(begin)
		switch {
		case !keeps && errors.Is(err, rowkey.ErrType):
			return
		case keeps && !writes && errors.Is(err, rowkey.ErrRange):
			g.count("beginnings that a transform cannot write")
			return
		case errors.Is(err, rowkey.ErrManyRanges):
			// The beginning settles nothing that derives from the field. An escaped text
			// that ends in ff or 00 has the values that go on apart from itself: two ranges.
			most := 1024
			if f.has("Escaped") {
				most /= 2
			}
			if derived := g.derivesFrom(f.name); count > most || !listed || derived {
				return
			}
		}
		for _, x := range g.rows {
			if lawSame(x.kept[:len(kept)], kept) && lawBegins(x.kept[len(kept)], begin) {
				if errors.Is(err, rowkey.ErrTerminator) && g.looksEnded(f, begin) {
					return
				}
				g.key = x.key
				g.fail("Prefix(%q): %v, but there is %v", begin, err, x.row)
			}
		}
		return
	}
	if f.has("Via") {
		g.count("beginnings behind a transform")
	}
	for _, x := range g.rows {
		covering := lawCovering(ranges, x.key)
		same := lawSame(x.kept[:len(kept)], kept)
		sameStored := lawSame(g.stored(x.kept[:len(kept)]), g.stored(kept))
		with := lawBegins(x.kept[len(kept)], begin)
		switch {
		case same && with && covering != 1:
			g.key = x.key
			g.fail("Prefix(%q): %v is in %d of %v, want 1", begin, x.row, covering, ranges)
		case !(sameStored && with) && covering > 0 && !loose:
			g.key = x.key
			g.fail("Prefix(%q): %v is in %v", begin, x.row, ranges)
		}
	}
}

// looksEnded reports that a shorter value with its end after it could begin
// like this text: no one range holds the longer values without the shorter one.
func (c *lawCase) looksEnded(f *refComp, begin string) bool {
	stages, _ := f.begun(begin)
	if o, ok := f.opt("Pad"); ok {
		return slices.ContainsFunc(stages, func(s string) bool { return strings.HasSuffix(s, string([]byte{o.b})) })
	}
	end, _ := c.s.endOf(f)
	for i := range end {
		if strings.HasSuffix(stages[len(stages)-1], end[:i+1]) {
			return true
		}
	}
	return false
}

// derivesFrom reports that a component in the key is computed from a field.
func (c *lawCase) derivesFrom(name string) bool {
	for i := range c.s.comps {
		x := &c.s.comps[i]
		if x.of == name || x.in.word == "Rest" || slices.Contains(x.in.fields, name) {
			return true
		}
	}
	return false
}

// ---- 9: no panic, ever, on data

// Any bytes may come from a table, and any value from a caller. Every reader
// gives a row or a typed error; a row that comes out of strict decoding goes
// back to the very bytes it came from.
func TestLawNoPanic(t *testing.T) {
	var other *lawCase // the schema before, to mix with
	law(t, 150, func(c *lawCase) {
		keys := [][]byte{nil, {}, {0}, {0xff}, bytes.Repeat([]byte{'a'}, 40000)}
		for _, row := range genGrid(c.r, c.s, 40) {
			if key := c.s.encode(row); len(key.faults) == 0 {
				keys = append(keys, key.bytes)
			}
		}
		for range 40 {
			key := lawMutate(c.r, genPick(c.r, keys...))
			keys = append(keys, key)
		}
		for _, key := range keys {
			c.one("keys")
			c.hostileKey(key, other)
		}
		for range 20 {
			c.one("rows of any types")
			c.hostileRow()
		}
		c.key = nil
		c.report(keys)
		c.split(keys)
		c.row = nil
		other = c
	})
}

// lawMutate damages a key in one to three places.
func lawMutate(r *rand.Rand, key []byte) []byte {
	if len(key) > 100 {
		key = key[:100]
	}
	key = bytes.Clone(key)
	for range 1 + r.IntN(3) {
		at := 0
		if len(key) > 0 {
			at = r.IntN(len(key))
		}
		b := genPick(r, 0, 0xff, 1, '_', 'a', '0', '9', 0x7f, 0x80, byte(r.IntN(256)))
		switch r.IntN(7) {
		case 0:
			key = key[:at]
		case 1:
			key = slices.Insert(key, at, b)
		case 2:
			key = append(key, b)
		case 3:
			if len(key) > 0 {
				key = slices.Delete(key, at, at+1)
			}
		case 4:
			if len(key) > 0 {
				key[at] ^= 0x20 // another case
			}
		default:
			if len(key) > 0 {
				key[at] = b
			}
		}
	}
	return key
}

func (c *lawCase) hostileKey(key []byte, other *lawCase) {
	c.key, c.row = key, nil
	before := bytes.Clone(key)
	checkPieces(c.fail, c.built, key)
	row, err := c.built.Decode(key)
	if err != nil {
		c.typed("Decode", err)
		c.count("keys refused")
	}
	read, readErr := c.read(key, genOdds(c.r, 2))
	if readErr != nil {
		c.typed("Read", readErr)
	}
	if (err == nil) != (readErr == nil) {
		c.fail("Decode: %v, Read: %v", err, readErr)
	}
	if all, planErr := c.built.Scan(rowkey.FullScan()); planErr != nil {
		c.typed("Scan", planErr)
	} else if match := all.Match(key); match != (err == nil) && !errors.Is(err, rowkey.ErrAmbiguous) {
		if match || !fewHidden(c.s, c.s.unstored()) { // what no value of a field that is not stored gives, Decode cannot tell
			c.fail("Decode: %v, Match of every row says %v", err, match)
		}
	}
	if err == nil {
		c.row = c.ofRow(row)
		if !lawSame(c.row, read) {
			c.fail("Decode: %v, Read: %v", c.row, read)
		}
		if !c.s.has("Loose") && !c.s.has("NotStored") {
			c.count("keys decoded")
			again, err := c.built.AppendKey(nil, c.row.plain()...)
			if err != nil || !bytes.Equal(again, key) {
				c.fail("Decode accepts, but the row's key is %x %v", again, err)
			}
		}
	}
	if row, looseErr := c.built.DecodeLoose(key); looseErr != nil {
		c.typed("DecodeLoose", looseErr)
		// Without the salts and hashes, more than one reading may be left.
		if err == nil && !(c.s.has("Loose") && errors.Is(looseErr, rowkey.ErrAmbiguous)) {
			c.fail("Decode accepts, DecodeLoose says %v", looseErr)
		}
	} else {
		c.ofRow(row)
	}
	c.readAnyhow(key)
	dst, err := c.built.Rekey([]byte("head"), key, c.built)
	if err != nil {
		c.typed("Rekey", err)
	}
	if string(dst[:4]) != "head" || err != nil && len(dst) != 4 {
		c.fail("Rekey: %q %v", dst, err)
	}
	if other != nil {
		// Errors may name either schema here.
		if dst, err := other.built.Rekey(nil, key, c.built); err != nil && len(dst) > 0 {
			c.fail("Rekey to another: %x %v", dst, err)
		}
	}
	if !bytes.Equal(key, before) {
		c.fail("reading changed the key %x", before)
	}
}

// readAnyhow reads with methods that may not fit the fields.
func (c *lawCase) readAnyhow(key []byte) {
	k := c.built.Read(key)
	for range c.r.IntN(6) {
		var (
			text string
			b    []byte
			u    uint64
			i    int64
			f    float64
			yes  bool
			at   time.Time
		)
		switch c.r.IntN(8) {
		case 0:
			k = k.String(&text)
		case 1:
			k = k.Binary(&b)
		case 2:
			k = k.Uint(&u)
		case 3:
			k = k.Int(&i)
		case 4:
			k = k.Float(&f)
		case 5:
			k = k.Bool(&yes)
		case 6:
			k = k.Time(&at)
		case 7:
			k = k.Skip()
		}
	}
	if err := k.Err(); err != nil {
		c.typed("Read", err)
	}
}

// hostileRow supplies values of any type, too many or too few.
func (c *lawCase) hostileRow() {
	n := max(0, len(c.s.supplied())+genPick(c.r, -1, 0, 0, 0, 1))
	var values []any
	k := c.built.Key()
	for i := range n {
		var v any = genPick[any](c.r, "a", "", "\x00_", []byte(nil), []byte("b"), uint64(1), int64(-1), 7, int8(-3), uint16(9), 1.5,
			float32(2), math.NaN(), math.Inf(-1), true, time.Unix(1684203630, 1), time.Time{}, time.Unix(1<<55, 0), nil, struct{}{},
			[]int{1}, complex(1, 2), new(int), strings.Repeat("a", 33000), uint64(math.MaxUint64), int64(math.MinInt64),
			error(nil), map[string]int{}, func() {}, [2]byte{1, 2})
		if i < len(c.s.supplied()) && genOdds(c.r, 2) {
			v = genValue(c.r, c.s, c.s.supplied()[i])
		}
		values = append(values, v)
		switch v := v.(type) {
		case []byte:
			k = k.Binary(v)
		case string:
			k = k.String(v)
		case uint64:
			k = k.Uint(v)
		case int64:
			k = genPick(c.r, k.Int(v), k.UnixMilli(v))
		case float64:
			k = k.Float(v)
		case bool:
			k = k.Bool(v)
		case time.Time:
			k = k.Time(v)
		default:
			k = k.Field("no such field")
		}
	}
	if genOdds(c.r, 10) {
		k = k.Prefix("a")
	}
	c.key, c.row = nil, nil
	dst, err := c.built.AppendKey([]byte("head"), values...)
	if string(dst[:4]) != "head" || err != nil && len(dst) != 4 {
		c.fail("AppendKey(%#v): %q %v", values, dst, err)
	}
	if err != nil {
		c.typed("AppendKey", err)
	}
	key, err := k.Bytes()
	if err != nil {
		c.typed("Bytes", err)
		if len(key) > 0 {
			c.fail("Bytes: %x %v", key, err)
		}
	}
	if r, err := k.Range(); err != nil {
		c.typed("Range", err)
		if !r.Empty() {
			c.fail("Range: %v %v", r, err)
		}
	}
	if _, _, err := k.AppendRanges(nil, nil); err != nil {
		c.typed("AppendRanges", err)
	}
}

// report gives the keys to Check, whose numbers must add up.
func (c *lawCase) report(keys [][]byte) {
	r := advice.Fit(c.built, slices.Values(keys))
	total, shown := r.Fit, 0
	for _, count := range []int{r.Malformed, r.Derived, r.Ambiguous, r.Rewritten} {
		total += count
		shown += min(count, 5)
	}
	if len(r.Offenders) != shown {
		c.fail("Check: %d offenders, want %d", len(r.Offenders), shown)
	}
	if r.Keys != len(keys) || total != r.Keys {
		c.fail("Check: %+v of %d keys", r, len(keys))
	}
}

// split asks for split keys: sorted, distinct, none empty.
func (c *lawCase) split(keys [][]byte) {
	n := genPick(c.r, -1, 0, 1, 2, 3, 4, 7, 16, 100)
	for i := range 2 {
		splits, err := c.built.Splits(n)
		what := fmt.Sprintf("Splits(%d)", n)
		if i == 1 {
			splits, err = c.built.SplitsOf(n, slices.Values(keys))
			what = fmt.Sprintf("SplitsOf(%d)", n)
		}
		if err != nil {
			c.typed(what, err)
			continue
		}
		last := []byte{}
		for _, s := range splits {
			if bytes.Compare(s, last) <= 0 {
				c.fail("%s: %x after %x", what, s, last)
			}
			last = s
		}
		if len(splits) != max(n, 1)-1 {
			c.fail("%s: %d keys", what, len(splits))
		}
		for _, key := range keys {
			if region := splits.Region(key); region < 0 || region > len(splits) ||
				region > 0 && bytes.Compare(key, splits[region-1]) < 0 ||
				region < len(splits) && bytes.Compare(key, splits[region]) >= 0 {
				c.fail("%s: Region(%x) is %d of %x", what, key, region, splits)
			}
		}
	}
}

// The zero values err, and do not panic.
func TestLawNoPanicZeroValues(t *testing.T) {
	var k rowkey.KeyBuilder
	if _, err := k.String("a").Int(1).Time(time.Now()).Bytes(); err == nil {
		t.Error("the zero KeyBuilder gave a key")
	}
	if r, err := k.Prefix("a").Range(); err == nil || !r.Empty() {
		t.Errorf("the zero KeyBuilder gave %v", r)
	}
	if r, _, err := k.AppendRanges(nil, nil); err == nil || len(r) > 0 {
		t.Errorf("the zero KeyBuilder gave %v", r)
	}
	s := new(rowkey.Schema)
	for _, k := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(nil), s.KeyIn(make([]byte, 0, 100))} {
		if _, err := k.Bytes(); err == nil {
			t.Error("the zero Schema gave a key")
		}
		if _, err := k.String("a").Range(); err == nil {
			t.Error("the zero Schema gave a range")
		}
	}
	if _, err := s.AppendKey(nil); err == nil {
		t.Error("the zero Schema gave a key")
	}
	if _, err := s.Decode([]byte("a")); err == nil {
		t.Error("the zero Schema read a key")
	}
	from := rowkey.Must(rowkey.Parse("t", "[a:1]"))
	if key, err := s.Rekey(nil, []byte("a"), from); err == nil {
		t.Errorf("the zero Schema has the key %x", key)
	}
	if key, err := from.Rekey(nil, []byte("a"), s); err == nil {
		t.Errorf("a key of the zero Schema is read as %x", key)
	}
	if _, err := rowkey.Bind[struct{ A string }](s); !errors.Is(err, rowkey.ErrSchema) {
		t.Errorf("a struct is bound to the zero Schema: %v", err)
	}
	if s.Read(nil).Err() == nil || s.Read([]byte("a")).Err() == nil {
		t.Error("the zero Schema read a key")
	}
	var text string
	var rd rowkey.Reader
	if rd.String(&text).Skip().Err() == nil {
		t.Error("the zero Reader read")
	}
	var row rowkey.Row
	for name := range row.All() {
		t.Errorf("the zero Row has %q", name)
	}
	if row.Has("a") || len(row.Stored("a")) > 0 {
		t.Error("the zero Row has a field")
	}
	var f rowkey.Field[string]
	if _, err := f.Get(row); err == nil {
		t.Error("the zero Field got a value")
	}
	var r rowkey.Range
	if !r.Empty() || r.Unbounded() || r.Contains([]byte("a")) || r.Contains(nil) {
		t.Errorf("the zero Range is %v", r)
	}
}

// The zero Plan is empty, and the zero Schema plans nothing.
func TestLawNoPanicZeroPlan(t *testing.T) {
	zero := new(rowkey.Plan)
	if plan, err := new(rowkey.Schema).Scan(rowkey.FullScan()); plan != nil || !errors.Is(err, rowkey.ErrSchema) {
		t.Errorf("the zero Schema plans %v, %v", plan, err)
	}
	if plan, err := new(rowkey.Schema).Scan(); plan != nil || !errors.Is(err, rowkey.ErrSchema) {
		t.Errorf("the zero Schema plans %v, %v", plan, err)
	}
	key := []byte("k")
	open := func(context.Context, rowkey.Range, bool) (scan.Cursor[[]byte], error) {
		t.Error("the zero Plan opens a range")
		return nil, io.EOF
	}
	own := func(row []byte) []byte { return row }
	for name, plan := range map[string]*rowkey.Plan{"zero": zero, "limited": zero.Limit(1), "reversed": zero.Reversed(), "split": zero.SplitAt([][]byte{key})} {
		if plan.Match(key) || plan.Match(nil) || plan.Len() != 0 || len(slices.Collect(plan.Ranges())) != 0 || len(slices.Collect(plan.Keys())) != 0 {
			t.Errorf("%s: it has rows", name)
		}
		for range plan.Fuzzy() {
			t.Errorf("%s: it has a filter", name)
		}
		for f := range plan.OrderedBy() {
			t.Errorf("%s: it is ordered by %s", name, f.Name)
		}
		for range plan.Regions([][]byte{key}) {
			t.Errorf("%s: it has a region", name)
		}
		if !strings.Contains(plan.String(), "0 ranges") {
			t.Errorf("%s: %q", name, plan)
		}
		if c, err := advice.CostOf(plan, advice.Table{Rows: []int64{9}, PerRequest: 1}); err != nil || c.Total != 0 || c.Requests != 0 || c.Unknown {
			t.Errorf("%s: it costs %v, %v", name, c, err)
		}
		if token := plan.Token(key); token != nil {
			t.Errorf("%s: a token %x", name, token)
		}
		for _, token := range [][]byte{nil, key, make([]byte, 40)} {
			if _, err := plan.Place(token); !errors.Is(err, rowkey.ErrMissing) {
				t.Errorf("%s: Place: %v", name, err)
			}
			if _, err := plan.Resume(token); !errors.Is(err, rowkey.ErrMissing) {
				t.Errorf("%s: Resume: %v", name, err)
			}
		}
		if c := plan.Compare(key, []byte("l")); c == 0 || (c > 0) != plan.IsReversed() || plan.Compare(key, key) != 0 {
			t.Errorf("%s: Compare is %d", name, c)
		}
		for range scan.Merge(context.Background(), plan, 1, open, own) {
			t.Errorf("%s: Merge yields", name)
		}
		rows, next, done, err := scan.Page(context.Background(), plan, nil, 1, open, own)
		if len(rows) != 0 || next != nil || !done || err != nil {
			t.Errorf("%s: Page: %q %x %v %v", name, rows, next, done, err)
		}
		if _, _, _, err := scan.Page(context.Background(), plan, key, 1, open, own); !errors.Is(err, rowkey.ErrMissing) {
			t.Errorf("%s: Page from a token: %v", name, err)
		}
	}
}
