package bind_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

type salted struct {
	N uint64    `rowkey:"n"`
	O bool      `rowkey:"o"`
	T time.Time `rowkey:"t"`
	B string    `rowkey:"b"`
}

// Salts in each of their forms, of a number, a bool, a time, a text and several of them: they are written and read, in all ways,
// as without the hot path, and so is a key whose salt is another one.
func TestFormsOfSalts(t *testing.T) {
	letters := "letters('abcdefghijklmnop')"
	tried := 0
	for _, salt := range []string{
		"salt16(%s)", "salt256(%s)", "salt16(%s) width(2)", "salt65536(%s) width(2)", "salt300(%s) width(3)", "salt10(%s) digits(1)", "salt100(%s) digits(2)",
		"salt7(%s) digits(2)", "salt1000(%s) digits(3)", "salt10(%s) decimal", "salt11(%s) decimal", "salt100(%s) decimal", "salt1000(%s) decimal", "salt16(%s) " + letters,
	} {
		for _, of := range []string{"n", "t", "o", "b", "values(n,b)", "n modulo", "t modulo"} {
			of, rule, _ := strings.Cut(of, " ")
			for _, mark := range []string{"['_']", "['-_']"} {
				layout := fmt.Sprintf("["+salt+" %s]%s[n:8]['_'][o:bool][s(t)]['|'][b]", of, rule, mark)
				s := parsed(t, layout)
				for n := range uint64(104) {
					holdAllWays(t, s, &salted{n * 0x9e3779b97f4a7c15 >> (n % 64), n&1 > 0, time.Unix(int64(n*n), 0).UTC(), fmt.Sprint("b", n%7)}, n%26 == 0)
					tried++
				}
			}
		}
	}
	require.Equal(t, 14*7*2*104, tried)
}

// holdAllWays is holdOne, if it is to hold all ends of dst, and the same field by field and for reading; each byte before the
// first separator is wrong in turn.
func holdAllWays(t *testing.T, s twoWays, v *salted, ends bool) {
	if ends {
		holdOne(t, s, v)
	}
	hot, cold := rowkey.Must(rowkey.Bind[salted](s.hot)), rowkey.Must(rowkey.Bind[salted](s.cold))
	want, err := cold.Append(nil, v)
	require.NoError(t, err, s.hot)
	for room := range 3 {
		buf := make([]byte, 0, []int{0, len(want), 300}[room])
		key, err := s.hot.KeyIn(buf).Uint(v.N).Bool(v.O).Time(v.T).String(v.B).Bytes()
		require.NoError(t, err, s.hot)
		require.Equal(t, want, key, "%s of %+v, room for %d bytes", s.hot, *v, cap(buf))
	}
	key, err := hot.Append(nil, v)
	require.NoError(t, err, s.hot)
	require.Equal(t, want, key, "%s of %+v", s.hot, *v)
	for at := -1; at < len(want)-19-len(v.B); at++ {
		for _, b := range []byte{1, 0x10, 0xff} {
			key := append([]byte(nil), want...)
			if at >= 0 {
				key[at] ^= b
			}
			var x, y, r salted
			wantErr := fmt.Sprint(cold.Decode(key, &x))
			require.Equal(t, at < 0, wantErr == "<nil>", "%s: %q", s.hot, key)
			require.Equal(t, wantErr, fmt.Sprint(hot.Decode(key, &y)), "%s: %q", s.hot, key)
			require.Equal(t, x, y, "%s: %q", s.hot, key)
			require.Equal(t, wantErr, fmt.Sprint(s.hot.Read(key).Uint(&r.N).Bool(&r.O).Time(&r.T).String(&r.B).Err()), "%s: %q", s.hot, key)
			if at < 0 {
				require.Equal(t, *v, r, "%s: %q", s.hot, key)
			}
		}
	}
}

// A number of whose hash Math.abs is negative has no bucket, and is refused in all ways.
func TestNumberWithoutBucket(t *testing.T) {
	const n = 0x0000f07c7606f1f4 // Arrays.hashCode of its bytes is the smallest int
	for _, salt := range []string{"[salt16(t) hbasewdhash]", "[salt16(n) hbasewdhash]", "[salt16(n) digits(2) hbasewdhash]['_']", "[salt16(n) decimal hbasewdhash]['_']", "[salt16(n) hbasewdhash][salt3(n) named(x)]"} {
		s := parsed(t, salt+"[n:8]['_'][o:bool][s(t)]['|'][b]")
		v := &salted{N: n, T: time.Unix(n, 0).UTC(), B: "b"}
		holdOne(t, s, v)
		_, want := rowkey.Must(rowkey.Bind[salted](s.cold)).Append(nil, v)
		require.ErrorIs(t, want, rowkey.ErrRange, s.hot)
		_, err := s.hot.KeyIn(make([]byte, 0, 300)).Uint(v.N).Bool(v.O).Time(v.T).String(v.B).Bytes()
		require.Equal(t, want.Error(), err.Error(), s.hot)
		v.N, v.T = n+1, time.Unix(n+1, 0).UTC()
		key, err := rowkey.Must(rowkey.Bind[salted](s.hot)).Append(nil, v)
		require.NoError(t, err, s.hot)
		key[len(key)-13]-- // the last byte of n
		key[len(key)-3]--  // and of t
		key[0] &= 0xf0     // a bucket 0
		var r salted
		for _, err := range []error{rowkey.Must(rowkey.Bind[salted](s.hot)).Decode(key, &r), s.hot.Read(key).Uint(&r.N).Bool(&r.O).Time(&r.T).String(&r.B).Err()} {
			require.Equal(t, fmt.Sprint(rowkey.Must(rowkey.Bind[salted](s.cold)).Decode(key, &r)), fmt.Sprint(err), s.hot)
			require.ErrorIs(t, err, rowkey.ErrDerived, s.hot)
		}
	}
}
