package laws

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
)

// Where the input of a salt or hash is not stored, nothing tells which of its forms a key should have. But
// bytes that are no form of it stand in no key.

// unstored is the salts and hashes of a schema with an input that no key holds.
func (s *refSchema) unstored() (list []*refComp) {
	for i := range s.comps {
		c := &s.comps[i]
		if (c.word == "Salt" || c.word == "Hash") && slices.ContainsFunc(c.in.fields, func(name string) bool {
			return s.source(s.comp(name)).has("NotStored")
		}) {
			list = append(list, c)
		}
	}
	return list
}

// mayBe reports that a salt or hash has a form.
func (c *refComp) mayBe(form string) bool {
	if c.word == "Salt" {
		for bucket := range int64(c.buckets) {
			if c.bucketText(bucket) == form {
				return true
			}
		}
		return false
	}
	digits := "0123456789abcdef"
	if c.part.upper {
		digits = strings.ToUpper(digits)
	}
	return c.part.word == "Raw" || strings.Trim(form, digits) == "" && len(form) == c.part.n
}

// named is the name of a salt or hash.
func (c *refComp) named() string {
	o, _ := c.opt("Named")
	return o.text
}

// spoiled is a key with another byte in one salt or hash; nil if it cannot be told apart.
func spoiled(c *lawCase, key []byte, list []*refComp) []byte {
	pieces, err := c.built.Pieces(key, nil)
	if err != nil {
		return nil
	}
	x := list[c.r.IntN(len(list))]
	for _, p := range pieces {
		if p.Name == x.named() && len(p.Bytes) > 0 {
			out := bytes.Clone(key)
			at := p.Offset + c.r.IntN(len(p.Bytes))
			if out[at] = byte(c.r.IntN(256)); c.r.IntN(2) == 0 { // also what is nearly a form
				out[at] = "0123456789abcdefABCDEF\x00\x01\x0f\x10"[c.r.IntN(26)]
			}
			return out
		}
	}
	return nil
}

// All ways to read a key refuse a salt or hash that no input gives, and no other; Match agrees, and matches
// what lies in the ranges alone.
func TestUnstoredInputs(t *testing.T) {
	const bad, good = "keys with what is no form", "keys with another form"
	law(t, 150, func(c *lawCase) {
		list := c.s.unstored()
		if len(list) == 0 {
			return
		}
		ways, err := readingOf(c.s, c.built)
		if err != nil {
			c.fail("Bind: %v", err)
		}
		plan, err := c.built.Scan(rowkey.FullScan())
		if err != nil {
			c.fail("Scan: %v", err)
		}
		for range 6 {
			c.row = genRow(c.r, c.s)
			enc := c.s.encode(c.row)
			if c.key = enc.bytes; len(enc.faults) > 0 {
				continue
			}
			for range 12 {
				key := spoiled(c, c.key, list)
				if key == nil {
					break
				}
				if c.s.has("Loose") {
					c.unstoredLoose(plan, key, list)
					continue
				}
				row, err := c.built.DecodeLoose(key)
				if err != nil {
					continue // a form of another length
				}
				_, err = c.built.Decode(key)
				wrong := slices.IndexFunc(list, func(x *refComp) bool { return !x.mayBe(string(row.Stored(x.named()))) })
				if text := ways.agree(key, damageOf(err)); text != "" {
					c.fail("%s", text)
				}
				if got := plan.Match(key); got && (err != nil || !inRanges(plan, key)) || !got && err == nil && !fewHidden(c.s, list) {
					c.fail("Match of %x is %t, Decode gives %v, in the ranges: %t", key, got, err, inRanges(plan, key))
				}
				pieces, told := c.built.Pieces(key, nil)
				if fmt.Sprint(told) != fmt.Sprint(err) {
					c.fail("Pieces of %x gives %v, Decode %v", key, told, err)
				}
				if wrong < 0 { // of what is stored, only a salt or hash of the rest of the key is another
					if d := damageOf(err); slices.ContainsFunc(list, func(x *refComp) bool { return x.named() == d.field }) {
						c.fail("%x: %v, and this is a form of it", key, err)
					}
					c.one(good)
					continue
				}
				if damageOf(err).reason != rowkey.ErrDerived {
					c.fail("%x: %s is no form of it, and Decode gives %v", key, list[wrong], err)
				}
				for _, p := range pieces {
					if p.Name == list[wrong].named() && !strings.HasPrefix(p.Problem, "wrong: ") {
						c.fail("%x: %s is no form of it, and Pieces says %q", key, list[wrong], p.Problem)
					}
				}
				c.one(bad)
				c.one(bad + " of a " + list[wrong].word)
			}
		}
	}, bad, good, bad+" of a Salt", bad+" of a Hash", "Loose keys with what is no form", "Loose keys with another form")
}

// unstoredLoose is the law for one key of a schema with Loose fields: a reading in which a salt or hash is no form of
// it is none.
func (c *lawCase) unstoredLoose(plan *rowkey.Plan, key []byte, list []*refComp) {
	row, err := c.built.Decode(key)
	if err != nil {
		c.one("Loose keys with what is no form")
		return
	}
	for _, x := range list {
		if form := row.Stored(x.named()); !x.mayBe(string(form)) {
			c.fail("Decode takes %x, in which %s is %x", key, x, form)
		}
	}
	if got := plan.Match(key); got && !inRanges(plan, key) || !got && !fewHidden(c.s, list) {
		c.fail("Decode takes %x, Match: %t, in the ranges: %t", key, plan.Match(key), inRanges(plan, key))
	}
	c.one("Loose keys with another form")
}

// fewHidden reports that a salt or hash has an input of few values: of these a plan knows the forms.
func fewHidden(s *refSchema, list []*refComp) bool {
	return slices.ContainsFunc(list, func(x *refComp) bool {
		return slices.ContainsFunc(x.in.fields, func(name string) bool {
			f := s.source(s.comp(name))
			_, few := s.finite(f)
			return few || f.has("Below") || f.word == "Bool"
		})
	})
}

// inRanges reports that a key lies in one of the ranges of a plan.
func inRanges(p *rowkey.Plan, key []byte) bool {
	for r := range p.Ranges() {
		if r.Contains(key) {
			return true
		}
	}
	return false
}

// Each form of a salt or hash, and what is said of bytes that are none.
func TestUnstoredForms(t *testing.T) {
	t.Parallel()
	sum := rowkey.NewDigest("sum", 4, func(dst, data []byte) []byte { return append(dst, 1, 2, 3, byte(len(data))) })
	up := rowkey.OneWay("up", 2, func(dst, v []byte) ([]byte, error) { return append(dst, v[0], 'x'), nil })
	of := func(b *rowkey.Builder) *rowkey.Schema {
		return b.Uint("b", 1).Uint("a", 4, rowkey.NotStored).MustBuild()
	}
	parsed := func(text string) *rowkey.Schema { return rowkey.Must(rowkey.Parse("s", text)) }
	const digits = "its bytes are none that the schema writes"
	for _, c := range []struct {
		schema    *rowkey.Schema
		good, bad []string
		says      string
	}{
		{parsed(`[salt16(a)][b:1][a:4 notstored]`), []string{"\x00\x05", "\x0f\x05"}, []string{"\x10\x05", "0\x05", "\xff\x05"}, "no bucket of 16"},
		{parsed(`[salt256(a)][b:1][a:4 notstored]`), []string{"\x00\x05", "\xff\x05"}, nil, ""},
		{parsed(`[salt16(a) modulo][b:1][a:4 notstored]`), []string{"\x0f\x05"}, []string{"\x10\x05"}, "no bucket of 16"},
		{parsed(`[salt16(values(b,a))][b:1][a:4 notstored]`), []string{"\x0f\x05"}, []string{"\x10\x05"}, "no bucket of 16"},
		{parsed(`[salt16(a) javahashabs digits(2)][b:1][a notstored]`), []string{"15\x05", "00\x05"}, []string{"16\x05", "1:\x05", "\x001\x05", "+1\x05"}, "no bucket of 16"},
		{parsed(`[salt16(a) decimal]['_'][b:1][a:4 notstored]`), []string{"15_\x05", "0_\x05"}, []string{"16_\x05", "07_\x05", "_\x05", "-1_\x05", "99999999999999999999_\x05"}, "no bucket of 16"},
		{parsed(`[salt3(a) letters("xyz")][b:1][a:4 notstored]`), []string{"x\x05", "z\x05"}, []string{"w\x05", "\x00\x05"}, "no bucket of 3"},
		{parsed(`[salt5000(a) width(2)][b:1][a:4 notstored]`), []string{"\x13\x87\x05"}, []string{"\x13\x88\x05", "\xff\x00\x05"}, "no bucket of 5000"},
		{parsed(`[salt5000(a) width(8)][b:1][a:4 notstored]`), []string{strings.Repeat("\x00", 8) + "\x05"}, []string{"\x80" + strings.Repeat("\x00", 7) + "\x05"}, "no bucket of 5000"},
		{parsed(`[md5.hex(4)(a)][b:1][a:4 notstored]`), []string{"09af\x05"}, []string{"zzzz\x05", "09aF\x05", "09a\x00\x05"}, digits},
		{parsed(`[md5.hex(4).upper(a)][b:1][a:4 notstored]`), []string{"09AF\x05"}, []string{"09af\x05"}, digits},
		{parsed(`[md5.raw(4)(a)][b:1][a:4 notstored]`), []string{"zzzz\x05", "\xff\x00\xff\x00\x05"}, nil, ""},
		{of(rowkey.New("s").Salt(16, "a", sum.Raw(4))), []string{"\x0f\x05"}, []string{"\x10\x05"}, "no bucket of 16"},
		{of(rowkey.New("s").Hash(sum.Hex(3), "a")), []string{"abc\x05"}, []string{"abg\x05"}, digits},
		{of(rowkey.New("s").Salt(16, "a", rowkey.Via(up))), []string{"\x0fx\x05"}, []string{"\x10x\x05", "\x0fy\x05"}, "no bucket of 16"},
		{of(rowkey.New("s").Salt(5000, "a", rowkey.Width(2), rowkey.Via(up))), []string{"\x0fx\x05", "\xffy\x05"}, nil, ""}, // nothing undoes it, and the buckets are too many
	} {
		plan, err := c.schema.Scan(rowkey.FullScan())
		assert.NoError(t, err)
		rekeyed := rowkey.New("r").Uint("b", 1).MustBuild()
		for _, key := range c.good {
			_, err := c.schema.Decode([]byte(key))
			assert.NoError(t, err, "%s %x", c.schema, key)
			assert.True(t, plan.Match([]byte(key)), "%s %x", c.schema, key)
			out, err := rekeyed.Rekey(nil, []byte(key), c.schema)
			assert.NoError(t, err)
			assert.Equal(t, "\x05", string(out))
			assert.NotContains(t, c.schema.Explain([]byte(key)), "wrong")
		}
		for _, key := range c.bad {
			_, err := c.schema.Decode([]byte(key))
			assert.ErrorIs(t, err, rowkey.ErrDerived, "%s %x", c.schema, key)
			assert.ErrorContains(t, err, c.says, "%s %x", c.schema, key)
			assert.Equal(t, err, c.schema.Read([]byte(key)).Skip().Err())
			_, rekey := rekeyed.Rekey(nil, []byte(key), c.schema)
			assert.Equal(t, err, rekey)
			assert.False(t, plan.Match([]byte(key)), "%s %x", c.schema, key)
			assert.Contains(t, c.schema.Explain([]byte(key)), "wrong: "+c.says)
			_, err = c.schema.DecodeLoose([]byte(key))
			assert.NoError(t, err, "%s %x", c.schema, key)
		}
	}
}

// Of an input of few values a plan reads the forms that these have, and Match takes no other.
func TestUnstoredFewValues(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`[salt3(a)][b:1][a:bool notstored]`, `[md5.raw(1)(values(a,b))][b:1 below(9)][a oneof("x","y") notstored]`} {
		s := rowkey.Must(rowkey.Parse("s", text))
		plan, err := s.Scan(rowkey.FullScan())
		assert.NoError(t, err)
		matched := 0
		for form := range 256 {
			key := []byte{byte(form), 5}
			if plan.Match(key) {
				matched++
				assert.True(t, inRanges(plan, key), "%s %x", s, key)
			}
		}
		assert.Equal(t, 2, matched, text)
	}
}

// All ways to read a key take each form of a salt or hash, wherever it stands, and no other bytes.
func TestUnstoredKeys(t *testing.T) {
	type row struct {
		Name string `rowkey:"name"`
		ID   uint64 `rowkey:"id"`
	}
	const id = "\x00\x00\x00\x00\x00\x00\x00\x07"
	for _, c := range []struct {
		notation string
		keys     []string
		not      []string
	}{
		{"[salt16(name)][id:8][name notstored]", []string{"\x00" + id, "\x0f" + id}, []string{"\x10" + id, "\xff" + id}},
		{"[salt16(name)][name notstored][id:8]", []string{"\x0f" + id}, []string{"\x10" + id}},
		{"[salt16(name)][id:1][name notstored]", []string{"\x0f\x07"}, []string{"\x10\x07"}},
		{"[salt16(name) javahash][id:8][name notstored]", []string{"\x00" + id, "\x0f" + id}, []string{"\x10" + id}},
		{"[salt300(name) width(2)][id:8][name notstored]", []string{"\x01\x2b" + id}, []string{"\x01\x2c" + id}},
		{"[salt10(name) digits(1)][id:8][name notstored]", []string{"0" + id, "9" + id}, []string{"/" + id, ":" + id}},
		{`[salt3(name) letters("abc")][id:8][name notstored]`, []string{"c" + id}, []string{"d" + id}},
		{"[salt100(name) decimal]['_'][id:8][name notstored]", []string{"7_" + id, "99_" + id}, []string{"07_" + id, "100_" + id, "_" + id}},
		{"[md5.hex(2)(name)][id:8][name notstored]", []string{"0f" + id}, []string{"0F" + id, "0g" + id}},
		{"[md5.raw(2)(name)][id:8][name notstored]", []string{"\xff\xff" + id}, nil},
		{"[id:8][salt16(name)][name notstored]", []string{id + "\x0f"}, []string{id + "\x10", id}},
		{"[id:8]['_'][salt16(name)][name notstored]", []string{id + "_\x0f"}, []string{id + "_\x10", id + "-\x0f"}},
		{"[id:8 decimal]['_'][salt16(name)][name notstored]", []string{"7_\x0f"}, []string{"7_\x10"}},
		{"[salt16(name)][salt4(id)][id:8][name notstored]", []string{"\x0f\x02" + id}, []string{"\x10\x02" + id, "\x0f\x01" + id}},
		{"[salt16(name)][salt4(rest()) phoenixhash][id:8][name notstored]", []string{"\x0f\x00" + id}, []string{"\x10\x00" + id, "\x0f\x01" + id}},
		{"[salt16(values(id,name))][id:8][name notstored]", []string{"\x0f" + id}, []string{"\x10" + id}},
	} {
		s := rowkey.Must(rowkey.Parse("t", c.notation))
		codec := rowkey.Must(rowkey.Bind[row](s))
		plan := rowkey.Must(s.Scan(rowkey.FullScan()))
		for i, key := range append(slices.Clone(c.keys), c.not...) {
			good := i < len(c.keys)
			about := fmt.Sprintf("%s %q", c.notation, key)
			_, err := s.Decode([]byte(key))
			assert.Equal(t, good, err == nil, "%s: %v", about, err)
			r := row{Name: "kept"}
			into := codec.Decode([]byte(key), &r)
			assert.Equal(t, fmt.Sprint(err), fmt.Sprint(into), about)
			var n uint64
			read := s.Read([]byte(key))
			for f := range s.Fields() {
				if f.Name == "id" {
					read = read.Uint(&n)
				}
			}
			assert.Equal(t, good, read.Err() == nil, "%s: %v", about, read.Err())
			assert.Equal(t, good, plan.Match([]byte(key)), about)
			if good {
				assert.Equal(t, row{"kept", 7}, r, about)
				assert.Equal(t, uint64(7), n, about)
			} else {
				assert.Equal(t, row{Name: "kept"}, r, about)
			}
		}
	}
}
