package infer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The structure of keys alone, of layouts whose pieces can be seen.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		notation, columns, want string
	}{
		{"[salt16(seller)][seller]['_'][max-ms(at)][order:8]", "seller:text at:iso order:num", `[bucket1:1][text1]['_'][max-ms(time1)][number1:8]`},
		{"[uid:8][max-ms(at)]", "uid:num at:ms", "[number1:8][max-ms(time1)]"},
		{"[salt100(user) javahash digits(2)]['_'][user]['_'][max-ms(at) digits(19)]", "user:uname at:ms", `[bucket1]['_']["user"][digits1]['_'][max-ms(time1) digits(19)]`},
		{"[md5.hex(6)(vin)][vin fixed(17)][ms(at)]", "vin:vin at:iso", "[hash1 fixed(6)]"},
		{"[md5.raw(4)(id)][id fixed(36)]", "id:uuid", "[hash1:bytes fixed(4)]"},
		{`["v1_"][layout("20060102",UTC)(at)]['_'][user]`, "at:iso user:uname", `["v1_"][date1 fixed(8)]["_"]`},
		{"[host]['\\x00'][ms(at) phoenix]", "host:host at:iso", "[ms(time1) phoenix]"},
		{"[ms(at) digits(13)]['-'][user]", "at:ms user:uname", `[ms(time1) digits(13)]["-"]["user"][digits1]`},
	} {
		d, err := designOf(c.notation, c.columns)
		require.NoError(t, err)
		_, _, keys := d.rows(100, rand.New(rand.NewPCG(1, 8)), usualRows)
		s, err := Keys(keys)
		require.NoError(t, err)
		require.Contains(t, s.Notation, c.want, c.notation)
		checkStructure(t, s, keys)
	}
}

// checkStructure holds a structure to what it says: the notation writes the keys again, and
// the pieces are all bytes.
func checkStructure(t *testing.T, s *Structure, keys [][]byte) {
	t.Helper()
	require.True(t, writesAgain(s.Notation, keys), s.Notation)
	least, most := 0, 0
	text := ""
	for _, p := range s.Pieces {
		require.LessOrEqual(t, p.From, p.To)
		require.GreaterOrEqual(t, p.From, least)
		require.LessOrEqual(t, p.To, most)
		require.Positive(t, p.Distinct)
		require.NotEmpty(t, p.Looks)
		least, most = least+p.Least, most+p.Most
		text += p.Notation
	}
	require.Equal(t, s.Notation, text)
	for _, k := range keys {
		require.LessOrEqual(t, len(k), most)
		require.GreaterOrEqual(t, len(k), least)
	}
}

// Any keys have a structure that writes them again.
func TestKeysOfAnything(t *testing.T) {
	for i, d := range some(cases(t, 150), seedOf(t)+21, false, 0) {
		r := rand.New(rand.NewPCG(seedOf(t), uint64(i)))
		_, _, keys := d.rows(1+r.IntN(60), r, usualRows)
		s, err := Keys(keys)
		require.NoError(t, err)
		checkStructure(t, s, keys)
	}
	r := rand.New(rand.NewPCG(seedOf(t), 22))
	for range cases(t, 300) {
		var keys [][]byte
		for range 1 + r.IntN(12) {
			k := []byte(letters(r, 1+r.IntN(9), "\x00a_0\xff:9f"))
			keys = append(keys, k)
		}
		s, err := Keys(keys)
		require.NoError(t, err, fmt.Sprintf("%q", keys))
		checkStructure(t, s, keys)
	}
}

func TestKeysMisuse(t *testing.T) {
	_, err := Keys(nil)
	require.EqualError(t, err, "infer: no keys: give some, 50 say enough of most tables")
	_, err = Keys([][]byte{{'a'}, {}})
	require.EqualError(t, err, "infer: row 2: the key has no byte: leave it out")
	require.True(t, writesAgain("[a:2][b]", [][]byte{[]byte("abc"), []byte("abd")}))
	for _, wrong := range []string{"[a:4]", "[a", `["b"][a]`, "[a:bool][b]"} {
		require.False(t, writesAgain(wrong, [][]byte{[]byte("abc"), []byte("abd")}), wrong)
	}
	s, err := Keys([][]byte{[]byte(strings.Repeat("x", 200))})
	require.NoError(t, err)
	require.Len(t, s.Pieces, 1)
}
