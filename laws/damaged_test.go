package laws

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// A key may have more than one fault. Which one is reported is one order, which doc.go says; all
// ways to read a key keep it. Here it is said once more, slowly, over the components.

// damage is the fault of a key: its reason, the component and the byte.
type damage struct {
	reason error
	field  string
	offset int
}

func (d damage) String() string {
	return fmt.Sprintf("%s %q %d", damageWord(d.reason), d.field, d.offset)
}

// damageWords are the reasons by their words in the golden file.
var damageWords = map[string]error{"length": rowkey.ErrLength, "malformed": rowkey.ErrMalformed, "derived": rowkey.ErrDerived,
	"range": rowkey.ErrRange, "ambiguous": rowkey.ErrAmbiguous, "none": nil}

func damageWord(reason error) string {
	for word, r := range damageWords {
		if r == reason {
			return word
		}
	}
	return fmt.Sprintf("%v", reason)
}

// damageOf is the damage that an error tells of.
func damageOf(err error) damage {
	if err == nil {
		return damage{offset: -1}
	}
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return damage{reason: err}
	}
	for _, s := range lawSentinels {
		if errors.Is(err, s) {
			return damage{s, e.Field, e.Offset}
		}
	}
	return damage{reason: err}
}

// firstFault is the fault of a key that is reported: of its length; of the first component from
// the left that holds nothing of its own; of what is left over; of the first salt, hash or copy.
func firstFault(s *rowkey.Schema, key []byte, derived bool) damage {
	in := inside.Layout(s)
	if len(key) == 0 || len(key) > in.MaxLen {
		return damage{rowkey.ErrLength, "", 0}
	}
	pos, at, vals := 0, make(layout.Spans, len(in.Comps)+1), make([]layout.Val, len(in.Fields))
	for i := range in.Comps {
		c := &in.Comps[i]
		at[i] = uint16(pos)
		if c.Absent {
			continue
		}
		n := c.Extent(key[pos:])
		if n < 0 || c.Role == layout.RoleLiteral && !bytes.HasPrefix(key[pos:], c.Lit) {
			return damage{rowkey.ErrMalformed, c.Name, pos}
		}
		if c.Role == layout.RoleField {
			v, _, err := c.Decode(nil, key[pos:pos+n])
			if err != nil {
				return damageOf(in.ErrAt(c.Name, pos, err))
			}
			vals[c.Ord] = v
		}
		pos += n
	}
	if at[len(in.Comps)] = uint16(pos); pos < len(key) {
		return damage{rowkey.ErrMalformed, "", pos}
	}
	if !derived {
		return damageOf(nil)
	}
	for _, c := range in.Derived {
		if !c.Absent && in.Differs(nil, c, key, at, layout.Row{Vals: vals}) {
			return damage{rowkey.ErrDerived, c.Name, int(at[c.Index])}
		}
	}
	return damageOf(nil)
}

// plainStruct is a struct that holds every row of a schema.
func plainStruct(s *refSchema) reflect.Type {
	var fields []reflect.StructField
	for i, c := range s.supplied() {
		t := map[string]reflect.Type{"String": reflect.TypeFor[string](), "Binary": reflect.TypeFor[[]byte](), "Uint": reflect.TypeFor[uint64](),
			"Int": reflect.TypeFor[int64](), "Float": reflect.TypeFor[float64](), "Bool": reflect.TypeFor[bool](), "Time": reflect.TypeFor[time.Time]()}[c.word]
		if c.has("Optional") {
			t = reflect.PointerTo(t)
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t, Tag: reflect.StructTag(fmt.Sprintf("rowkey:%q", c.name))})
	}
	return reflect.StructOf(fields)
}

// A reading is the ways to read whole keys of one schema.
type reading struct {
	s     *refSchema
	built *rowkey.Schema
	codec *anyCodec
	of    reflect.Type
}

func readingOf(s *refSchema, built *rowkey.Schema) (*reading, error) {
	t := plainStruct(s)
	codec, err := bindTo(built, t)
	return &reading{s, built, codec, t}, err
}

// faults is the fault that each way reports.
func (w *reading) faults(key []byte) map[string]damage {
	_, decoded := w.built.Decode(key)
	skipped, read := w.built.Read(key), w.built.Read(key)
	for _, f := range w.s.supplied() {
		if !f.has("NotStored") {
			skipped = skipped.Skip()
			var v any
			var null bool
			if f.has("Optional") {
				read = read.Null(&null)
			}
			read = lawRead(read, f, &v, false, 300)
		}
	}
	_, rekeyed := w.built.Rekey(nil, key, w.built)
	ways := map[string]damage{"Decode": damageOf(decoded), "Skip": damageOf(skipped.Err()), "Read": damageOf(read.Err()),
		"Codec": damageOf(w.codec.Decode(key, reflect.New(w.of)))}
	if decoded != nil {
		ways["Rekey"] = damageOf(rekeyed)
	}
	return ways
}

// agree says which way does not report the fault want; empty if all do.
func (w *reading) agree(key []byte, want damage) string {
	for way, got := range w.faults(key) {
		if got != want {
			return fmt.Sprintf("%s of %x reports %s, want %s", way, key, got, want)
		}
	}
	return ""
}

// Of two faults of a key all ways to read it report the same one.
func TestOneOrderOfFaults(t *testing.T) {
	law(t, 60, func(c *lawCase) {
		if c.s.has("Loose") {
			return
		}
		ways, err := readingOf(c.s, c.built)
		if err != nil {
			c.fail("Bind: %v", err)
		}
		for range 8 {
			c.row = genRow(c.r, c.s)
			enc := c.s.encode(c.row)
			if c.key = enc.bytes; len(enc.faults) > 0 {
				continue
			}
			for range 8 {
				key := c.key
				for range 1 + c.r.IntN(3) {
					key = lawMutate(c.r, key)
				}
				want := firstFault(c.built, key, true)
				if text := ways.agree(key, want); text != "" {
					c.fail("%s", text)
				}
				_, err := c.built.DecodeLoose(key)
				if got, want := damageOf(err), firstFault(c.built, key, false); got != want {
					c.fail("DecodeLoose of %x reports %s, want %s", key, got, want)
				}
				c.one("keys with the fault " + damageWord(want.reason))
			}
		}
	}, "keys with the fault malformed", "keys with the fault derived", "keys with the fault length", "keys with the fault none")
}

// Damaged keys and their faults, for ever: each block is a declaration, and keys in hexadecimal
// with the reason, the component and the byte of their fault.
const goldenDamaged = "testdata/golden_damaged.txt"

// waysOf are the ways to read keys of a schema.
func waysOf(t *testing.T, s *refSchema) *reading {
	built, err := s.build()
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	ways, err := readingOf(s, built)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return ways
}

func TestGoldenDamagedKeys(t *testing.T) {
	if os.Getenv("ROWKEY_GOLDEN") == "new" {
		damagedWrite(t)
	}
	keys, met := 0, map[string]int{}
	for s, lines := range goldenBlocks(t, goldenDamaged) {
		ways := waysOf(t, s)
		for _, line := range lines {
			keys++
			digits, fault, _ := strings.Cut(line, " = ")
			key, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			words := strings.Split(fault, " ")
			reason, known := damageWords[words[0]]
			field, err1 := strconv.Unquote(words[1])
			offset, err2 := strconv.Atoi(words[2])
			if !known || err1 != nil || err2 != nil {
				t.Fatalf("%s: %v %v", line, err1, err2)
			}
			met[words[0]]++
			if text := ways.agree(key, damage{reason, field, offset}); text != "" {
				t.Errorf("%s\n%s", s, text)
			}
		}
	}
	t.Logf("%d keys: %v", keys, met)
	if keys < 600 || met["malformed"] < 300 || met["derived"] < 80 {
		t.Errorf("%s has %d keys only: %v", goldenDamaged, keys, met)
	}
}

// damagedWrite makes the file where there is none, of the keys in the other golden files.
func damagedWrite(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Damaged keys and the fault that is reported of each, for ever: the reason, the component, the\n" +
		"# byte. Made by the slow model in damaged_test.go. Add blocks; never change one.\n")
	r := rand.New(rand.NewPCG(20251125, 0))
	for _, file := range []string{goldenFile, goldenDialects, goldenNulls} {
		text, err := readFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "\n\n") {
			lines := strings.Split(strings.TrimSpace(block), "\n")
			s, err := goldenSchema(lines[0])
			if strings.HasPrefix(lines[0], "#") || i%3 > 0 || err != nil || s.has("Loose") {
				continue
			}
			built, err := s.build()
			if err != nil {
				t.Fatal(err)
			}
			had := map[damage]bool{damageOf(nil): true}
			out := ""
			for n := 0; n < 200 && len(had) < 5; n++ {
				_, digits, _ := strings.Cut(lines[1+r.IntN(len(lines)-1)], " = ")
				key, _ := hex.DecodeString(digits)
				for range 1 + r.IntN(3) {
					key = lawMutate(r, key)
				}
				if d := firstFault(built, key, true); !had[d] && len(key) < 200 {
					had[d] = true
					out += fmt.Sprintf("%x = %s\n", key, d)
				}
			}
			if out != "" {
				fmt.Fprintf(&b, "\n%s\n%s", s, out)
			}
		}
	}
	f, err := os.OpenFile(whole(goldenDamaged), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(b.String()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// The struct codec writes the golden keys too, and reads them back.
func TestGoldenKeysByCodec(t *testing.T) {
	keys := 0
	for _, file := range []string{goldenFile, goldenDialects, goldenNulls} {
		for s, lines := range goldenBlocks(t, file) {
			ways := waysOf(t, s)
			for _, line := range lines {
				values, digits, _ := strings.Cut(line, " = ")
				row, err := goldenRow(values)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				keys++
				ways.golden(t, row, digits)
			}
		}
	}
	if t.Logf("%d keys", keys); keys < 2000 {
		t.Errorf("%d keys only", keys)
	}
}

// golden writes a row by the codec, reads the key back, and writes it again.
func (w *reading) golden(t *testing.T, row refRow, want string) {
	v, back := reflect.New(w.of), reflect.New(w.of)
	if !hotSet(v.Elem(), row) {
		t.Fatalf("%s\n%s: no struct holds it", w.s, row)
	}
	key, err := w.codec.Append([]byte("#"), v)
	if err != nil || fmt.Sprintf("%x", key) != "23"+want {
		t.Errorf("%s\n%s\ngot  %x %v\nwant   %s", w.s, row, key, err, want)
		return
	}
	if w.s.has("Loose") {
		return
	}
	for i, f := range w.s.supplied() { // what is not stored is not read
		if f.has("NotStored") {
			back.Elem().Field(i).Set(v.Elem().Field(i))
		}
	}
	if err := w.codec.Decode(key[1:], back); err != nil {
		t.Errorf("%s\n%s\n%s: %v", w.s, row, want, err)
		return
	}
	if again, err := w.codec.Append(nil, back); err != nil || fmt.Sprintf("%x", again) != want {
		t.Errorf("%s\n%s\nread back, and written again: %x %v\nwant %s", w.s, row, again, err, want)
	}
}
