package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/hbase-rowkey/rowkey"
	_ "github.com/hbase-rowkey/rowkey/interop"
)

// A key that HBase cannot hold has no part in the lengths and in what a cell costs.
func TestCheckLongKey(t *testing.T) {
	long := strings.Repeat("a", 32768) + "\n"
	for _, c := range []struct{ keys, want, not string }{
		{long, "1  do not decode", "keys have"},
		{long + "abc\n", "keys have 3 bytes", ""},
		{long + "abc\n", "of a cell the row key is 3.0 bytes", "sorts before"},
		{long[1:], "keys have 32767 bytes", "do not decode:"},
	} {
		for _, sort := range []string{"--sort=false", "--sort"} {
			out, _, _ := call(c.keys, "check", "-s", "[a]", "--in", "text", sort, "-")
			assert.Contains(t, out, c.want)
			if c.not != "" {
				assert.NotContains(t, out, c.not)
			}
		}
	}
}

// Of an offender that is very long the table shows how it begins, and how long it is. JSON has all of it.
func TestCheckShowsBeginnings(t *testing.T) {
	begin, long := strings.Repeat("61", 200), strings.Repeat("61", 1<<19)
	out, _, code := call(long+"\n", "check", "-s", "[id:8]")
	assert.Equal(t, exitFound, code)
	assert.Contains(t, out, "  line 1  "+begin+"… (1048576 characters)  ")
	assert.Less(t, len(out), 2000)
	out, _, _ = call(long+"\n", "check", "-s", "[id:8]", "-o", "json")
	assert.Contains(t, out, `"key":"`+long+`"`)
	out, _, _ = call(begin+"\n", "check", "-s", "[id:8]")
	assert.Contains(t, out, "  line 1  "+begin+"  ")
}

// Where salts or hashes do not agree, the rule, the digest or the number of buckets that fits all
// keys is said; of few keys, which one of many fits by chance, none is.
func TestCheckTriesOthers(t *testing.T) {
	dump := func(notation string, n int) string {
		s := rowkey.Must(rowkey.Parse("", notation))
		var b strings.Builder
		for i := range n {
			key, err := s.Key().String(fmt.Sprintf("sensor-%05d", i)).Bytes()
			require.NoError(t, err)
			fmt.Fprintf(&b, "%x\n", key)
		}
		return b.String()
	}
	for _, c := range []struct {
		writes, reads string
		keys          int
		want          string
	}{
		{"[salt100(d) javahashabs digits(2)][d]", "[salt100(d) javahash digits(2)][d]", 200, "javahashabs fits all 200: [salt100(d) javahashabs digits(2)]"},
		{"[salt100(d) javahashabs digits(2)][d]", "[salt100(d) javahash digits(2)][d]", 2, ""},
		{"[salt100(d) javahashabs digits(2)][d]", "[salt100(d) javahashabs digits(2)][d]", 200, ""},
		{"[salt100(d) javahashmodabs digits(2) named(b)][d]", "[salt50(d) javahashmodabs digits(2) named(b)][d]", 200, "salt100 fits all 200: [salt100(d) javahashmodabs digits(2) named(b)]"},
		{"[salt8(d)][d]", "[salt16(d)][d]", 200, "salt8 fits all 200: [salt8(d)]"},
		{"[salt64(d)][d]", "[salt16(d) javahash][d]", 200, "salt64 murmur3 fits all 200: [salt64(d)]"},
		{"[salt16(d) crc32.raw(4)][d]", "[salt16(d)][d]", 200, "crc32.raw(4) fits all 200: [salt16(d) crc32.raw(4)]"},
		{"[salt16(d) phoenixhash][d]", "[salt16(d)][d]", 200, "phoenixhash fits all 200: [salt16(d) phoenixhash]"},
		{"[sha1.hex(4)(d)][d]", "[md5.hex(4)(d)][d]", 200, "sha1 fits all 200: [sha1.hex(4)(d)]"},
		{"[salt16(d) sha1.raw(8)][d]", "[salt16(d)][d]", 200, ""},
	} {
		keys := dump(c.writes, c.keys)
		out, _, _ := call(keys, "check", "-s", c.reads)
		data, _, _ := call(keys, "check", "-s", c.reads, "-o", "json")
		if c.want == "" {
			assert.NotRegexp(t, `\bfits? (all|the first)`, out, c)
			assert.False(t, gjson.Get(data, "others").Exists(), c)
			continue
		}
		assert.Contains(t, out, "\n\n"+c.want+"\n", c)
		assert.Equal(t, c.writes, gjson.Get(data, "others.0.schema").Str, c)
		assert.EqualValues(t, c.keys, gjson.Get(data, "others.0.keys").Int(), c)
	}
	long := dump("[salt100(d) javahashabs digits(2)][d]", mostTried+5)
	out, _, _ := call(long, "check", "-s", "[salt100(d) javahash digits(2)][d]")
	assert.Contains(t, out, "\njavahashabs fits the first 10000: ")
	out, _, _ = call(long+"3030ff\n", "check", "-s", "[salt16(d) javahash][d]")
	assert.NotRegexp(t, `\bfits? (all|the first)`, out)
	late := dump("[salt16(d) javahash][d]", mostTried) + "ff61\n0061\n"
	out, _, _ = call(late, "check", "-s", "[salt16(d) javahash][d]")
	assert.NotRegexp(t, `\bfits? (all|the first)`, out, "the keys that were tried agree")
}
