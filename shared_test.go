package rowkey_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
)

// sharedSchemas are layouts whose keys are written in each way: at once, with slots that later
// fields fill, and gathered to be written at the end.
func sharedSchemas(t *testing.T) map[string]*rowkey.Schema {
	schemas := map[string]*rowkey.Schema{}
	for _, notation := range []string{
		"[a]['_'][n:8]",
		"[salt16(a)][a]['_'][n:8]",
		"[salt16(values(a,n))][a]['_'][n:8]",
		"[salt16(n)][a]['_'][n:8]",
		"[md5.hex(6)(values(a,n))][a]['_'][n:8]",
		"[salt16(rest())][a]['_'][n:8]",
		"[a]['_'][salt16(n)][n:8]",
		"[a]['_'][n:8 digits(20)]",
		"[copy=a]['#'][a]['_'][n:8]",
		"[copy=a reverse]['#'][a]['_'][n:8]",
	} {
		s, err := rowkey.Parse("shared", notation)
		require.NoError(t, err)
		schemas[notation] = s
	}
	return schemas
}

// TestKeySoFarUsedTwice: of a key so far that is continued twice, each key is right and stays so,
// or is an error that says what to do.
func TestKeySoFarUsedTwice(t *testing.T) {
	for notation, s := range sharedSchemas(t) {
		for _, text := range []string{"s-42", "a text of more than sixteen bytes", strings.Repeat("long", 100)} {
			want := func(n uint64) []byte {
				key, err := s.AppendKey(nil, text, n)
				require.NoError(t, err)
				return key
			}
			right := func(n uint64, key []byte, err error) (refused bool) {
				if err != nil {
					require.ErrorIs(t, err, rowkey.ErrShared)
					require.ErrorContains(t, err, "begin each key with Key()")
					return true
				}
				require.Equal(t, want(n), key, notation)
				return false
			}
			// One after the other.
			so := s.Key().String(text)
			var keys [][]byte
			refused := 0
			for n := range uint64(3) {
				key, err := so.Uint(n).Bytes()
				if keys = append(keys, key); right(n, key, err) {
					refused++
				}
			}
			assert.Equal(t, want(0), keys[0], "the first key has changed")
			assert.Equal(t, 2, refused)

			// Both begun, then both ended.
			so = s.Key().String(text)
			one, two := so.Uint(1), so.Uint(2)
			key, err := one.Bytes()
			right(1, key, err)
			_, err = two.Bytes()
			assert.ErrorIs(t, err, rowkey.ErrShared)
			assert.Equal(t, want(1), key)

			// From the beginning on.
			so = s.Key()
			one, two = so.String(text), so.String("other")
			key, err = one.Uint(7).Bytes()
			right(7, key, err)
			_, err = two.Uint(7).Bytes()
			assert.ErrorIs(t, err, rowkey.ErrShared)

			// A range continues nothing, before that or after.
			so = s.Key().String(text)
			before, err1 := so.Range()
			key, err = so.Uint(9).Bytes()
			right(9, key, err)
			if err1 == nil {
				assert.True(t, before.Contains(key))
				_, err = so.Range()
				assert.ErrorIs(t, err, rowkey.ErrShared)
			}

			// The whole key twice is the same key.
			so = s.Key().String(text).Uint(5)
			key, err = so.Bytes()
			right(5, key, err)
			again, err := so.Bytes()
			right(5, again, err)
			assert.Equal(t, want(5), key)
		}
	}
}

// The bytes of a Range are its own, also where they lie in the key's memory: it stays as it is while the key
// goes on, whose later bytes are right, and other ranges of the same key are equal to it. They can be made at
// once if the memory is not the caller's.
func TestRangeOfKeySoFar(t *testing.T) {
	for notation, s := range sharedSchemas(t) {
		for _, text := range []string{"s-42", "a text of more than sixteen bytes", strings.Repeat("long", 100), strings.Repeat("\xff", 9)} {
			want, err := s.AppendKey(nil, text, 9)
			require.NoError(t, err, notation)
			for i, so := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(nil), s.KeyIn(make([]byte, 0, 3))} {
				so = so.String(text)
				first, err := so.Range()
				if err != nil { // a range for each value of the salt
					require.ErrorIs(t, err, rowkey.ErrManyRanges, notation)
					continue
				}
				start, stop := bytes.Clone(first.Start()), bytes.Clone(first.Stop())
				require.Equal(t, rowkey.PrefixRange(start).Stop(), stop, notation)
				require.True(t, bytes.HasPrefix(want, start), notation)
				var ranges [8]rowkey.Range
				var all sync.WaitGroup
				for n := range ranges {
					all.Add(1)
					go func() {
						defer all.Done()
						var err error
						ranges[n], err = so.Range()
						assert.NoError(t, err, notation)
						some, _, err := so.AppendRanges(nil, nil)
						assert.NoError(t, err, notation)
						assert.Equal(t, ranges[n].String(), some[0].String(), notation)
					}()
					if i > 0 { // in the caller's memory one after the other
						all.Wait()
					}
				}
				all.Wait()
				key, err := so.Uint(9).Bytes()
				require.NoError(t, err, notation)
				assert.Equal(t, want, key, notation)
				for i := range key {
					key[i] = 0xee
				}
				for _, r := range append(ranges[:], first) {
					assert.Equal(t, start, r.Start(), notation)
					assert.Equal(t, stop, r.Stop(), notation)
				}
				if i == 0 { // else the memory is the caller's
					_, err = so.Uint(9).Bytes()
					assert.ErrorIs(t, err, rowkey.ErrShared, notation)
					_, err = so.Range()
					assert.ErrorIs(t, err, rowkey.ErrShared, notation)
				}
			}
		}
	}
	s := rowkey.Must(rowkey.Parse("twice", "[a]['_'][b]['_'][c]"))
	show := func(r rowkey.Range, err error) string {
		require.NoError(t, err)
		return r.String()
	}
	so := s.Key().String("ab")
	whole, x, yy := so, so.Prefix("x"), so.Prefix("yy") // each is a range of its own
	kept, err := so.Range()
	require.NoError(t, err)
	assert.Equal(t, "[ab_, ab`)", kept.String())
	assert.Equal(t, "[ab_yy, ab_yz)", show(yy.Range()))
	assert.Equal(t, "[ab_x, ab_y)", show(x.Range()))
	assert.Equal(t, "[ab_qqq, ab_qqr)", show(so.Prefix("qqq").Range()))
	assert.Equal(t, "[ab_x, ab_y)", show(x.Range()))
	_, err = whole.String("zzzz").String("c").Bytes()
	require.NoError(t, err)
	assert.Equal(t, "[ab_, ab`)", kept.String())
	refused, err := so.String("other").Bytes()
	assert.ErrorIs(t, err, rowkey.ErrShared)
	assert.Nil(t, refused, "memory of another key")
	so = s.Key().String("ab")
	refused, err = so.Uint(1).Bytes()
	assert.ErrorIs(t, err, rowkey.ErrType)
	assert.Nil(t, refused, "memory of another key")
	inside, err := so.String("cd").String("e").Bytes()
	require.NoError(t, err)
	refused, err = so.Binary(inside[:2]).Bytes()
	assert.ErrorIs(t, err, rowkey.ErrShared)
	assert.Nil(t, refused, "memory of another key")
	refused, err = s.Key().String("ab").Bytes()
	assert.ErrorIs(t, err, rowkey.ErrMissing)
	assert.Nil(t, refused, "memory of another key")

	so = s.Key().String("ab")
	r, err := so.Range()
	require.NoError(t, err)
	key, err := so.Binary(r.Start()[:2]).Binary(r.Start()[1:2]).Bytes() // it lies in the key's first memory
	require.NoError(t, err)
	assert.Equal(t, "ab_ab_b", string(key))
}

// TestKeyInShares: from KeyIn the keys share the caller's buffer, and the last one counts.
func TestKeyInShares(t *testing.T) {
	s := rowkey.New("t").String("a").Separator("_").Uint("n", 1).MustBuild()
	so := s.KeyIn(make([]byte, 0, 64)).String("x")
	one, err1 := so.Uint(1).Bytes()
	two, err2 := so.Uint(2).Bytes()
	require.NoError(t, errors.Join(err1, err2))
	assert.Equal(t, "x_\x02", string(one))
	assert.Equal(t, "x_\x02", string(two))
}

// TestKeyInContinuedTwice: of a key so far in the caller's buffer the last result is right, or an
// error: where values wait in the buffer for the last one, the key that is made of them lies there
// afterwards. So it is with two keys at a time.
func TestKeyInContinuedTwice(t *testing.T) {
	schemas := sharedSchemas(t)
	for notation, gathered := range map[string]bool{
		"[copy=a reverse]['#'][a]['_'][n:8]": false, "[copy=a]['#'][a]['_'][salt16(values(a,n))][n:8]": false, "[copy=a lenprefix(2)][a]['_'][n:8]": true,
		"[salt100(n) decimal]['#'][a]['_'][n:8]": false,
	} {
		schemas[notation] = rowkey.Must(rowkey.Parse("waits", notation))
		require.Equal(t, gathered, inside.Layout(schemas[notation]).Gathered, notation)
	}
	texts := []string{"", "x", "s-42", strings.Repeat("long", 40)}
	for notation, s := range schemas {
		right := func(size int, want, key []byte, err error) {
			if err == nil {
				require.Equal(t, want, key, notation)
			} else { // with a small buffer the key lies in memory of its own
				require.ErrorIs(t, err, rowkey.ErrShared, notation)
				require.Less(t, size, 2000, notation)
			}
		}
		for _, size := range []int{0, 64, 2000} {
			for _, text := range texts {
				want, err := s.AppendKey(nil, text, uint64(7))
				require.NoError(t, err, notation)
				buf := make([]byte, 0, size)
				so := s.KeyIn(buf).String(text)
				so.Uint(1<<40 + 5)
				key, err := so.Uint(7).Bytes()
				right(size, want, key, err)

				_, errRange := so.Range()
				key, err = so.Uint(7).Bytes()
				if inside.Layout(s).Gathered && size == 2000 {
					require.ErrorIs(t, err, rowkey.ErrShared, notation)
					require.ErrorIs(t, errRange, rowkey.ErrShared, notation)
				} else {
					right(size, want, key, err)
				}
				for _, second := range texts {
					one, other := s.KeyIn(buf).String(text), s.KeyIn(buf).String(second)
					if _, err := one.Uint(9).Bytes(); err != nil {
						require.ErrorIs(t, err, rowkey.ErrShared, notation)
					}
					if _, err := other.Uint(9).Bytes(); err != nil {
						require.ErrorIs(t, err, rowkey.ErrShared, notation)
					}
				}
			}
		}
	}
}

// A slot that waits for its text is in no range.
func TestRangesBeforeCopies(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[n:4][copy=b left(2)]['_'][a]['|'][b]"))
	salted := rowkey.Must(rowkey.Parse("t", "[salt2(a)][n:1][copy=b left(2)]['_'][a]['|'][b]"))
	buf := make([]byte, 0, 64)
	for _, begun := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(buf), s.KeyIn(nil)} {
		so := begun.Uint(7)
		r, err := so.Range()
		require.NoError(t, err)
		assert.Equal(t, rowkey.PrefixRange([]byte{0, 0, 0, 7}).String(), r.String())
		so = so.String("x")
		_, err = so.Range()
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
		_, err = so.Prefix("y").Range()
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
		key, err := so.String("y").Bytes()
		require.NoError(t, err)
		assert.Equal(t, "\x00\x00\x00\x07y_x|y", string(key))
	}
	for _, begun := range []rowkey.KeyBuilder{salted.Key(), salted.KeyIn(buf)} {
		ranges, _, err := begun.Uint(7).AppendRanges(nil, nil)
		require.NoError(t, err)
		assert.Equal(t, "[[\\x00\\x07, \\x00\\x08) [\\x01\\x07, \\x01\\x08)]", fmt.Sprint(ranges))
	}
}

// The range of a key so far ends before the slot of a copy, also where the copy is never empty.
func TestRangesBeforeCopiesOfMinLen(t *testing.T) {
	for _, of := range []string{"left(2)", "left(3)", "right(2)", "left(40)", ""} {
		for _, least := range []int{1, 2, 3, 17, 50} {
			notation := fmt.Sprintf("[n:1][copy=b %s]['_'][b minlen(%d)]", of, least)
			s := rowkey.Must(rowkey.Parse("t", notation))
			r, err := s.Key().Uint(7).Range()
			require.NoError(t, err, notation)
			require.Equal(t, `[\x07, \x08)`, r.String(), notation)
			b := strings.Repeat("b", least)
			for _, k := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(nil), s.KeyIn(make([]byte, 0, 300))} {
				key, err := k.Uint(7).String(b).Bytes()
				require.NoError(t, err, notation)
				want, err := s.AppendKey(nil, 7, b)
				require.NoError(t, err, notation)
				require.Equal(t, want, key, notation)
			}
		}
	}
	_, err := rowkey.Must(rowkey.Parse("t", "[copy=b left(2)]['_'][b minlen(1)]")).Key().Range()
	require.ErrorIs(t, err, rowkey.ErrFullScan)
}

// Where another key has been written over a key so far, a salt or hash may have no place any more.
func TestKeyInOverwritten(t *testing.T) {
	overwritten := func(notation string) rowkey.KeyBuilder {
		k := rowkey.Must(rowkey.Parse("t", notation)).KeyIn(make([]byte, 0, 100))
		first := k.String("a")
		k.String("a text over its end")
		return first
	}
	for _, notation := range []string{"[a]['_'][salt16(rest())][b]", "[a]['_'][md5.raw(2)(rest())][b]", "[a]['_'][md5.raw(2)(rest())][b]['_']"} {
		_, err := overwritten(notation).String("b").Bytes()
		require.ErrorIs(t, err, rowkey.ErrShared, notation)
	}
	_, _, err := overwritten("[a]['_'][salt4(m)][n:1][m:1]").Uint(7).AppendRanges(nil, nil)
	require.ErrorIs(t, err, rowkey.ErrShared)
	// The place of the salt, or of b, is found when n is written.
	for _, notation := range []string{"[a]['_'][salt16(n)][b]['_'][n:8]", "[a]['_'][b]['_'][c]['_'][n:8][salt16(values(b,n))]", `[salt7(format("%s%d",b,n))][a]['_'][b]['_'][c]['_'][n:8]`} {
		for _, n := range []uint64{1, '_'} { // 5f is another end of a, with nothing after it
			k := rowkey.Must(rowkey.Parse("t", notation)).KeyIn(make([]byte, 0, 100))
			first := k.String("a").String("b")
			if strings.Contains(notation, "[c]") {
				first = first.String("c")
			}
			k.String("a text over its end")
			_, err := first.Uint(n).Bytes()
			require.ErrorIs(t, err, rowkey.ErrShared, notation)
		}
	}
}

// A copy of any length before its text is put in when that is written. Its keys are those
// that a hand writes: in a buffer of each size, by each way to write, from a key so far that is continued
// twice, and where a later value lies in the buffer, unless that is refused.
func TestKeyInBeforeCopies(t *testing.T) {
	left := func(text string, n int) string { return text[:min(n, len(text))] }
	right := func(text string, n int) string { return text[max(0, len(text)-n):] }
	texts := []string{"", "x", "ab", "s-42", "twelve bytes", "more than sixteen bytes", strings.Repeat("long", 40), strings.Repeat("s", 16), strings.Repeat("s", 17), strings.Repeat("\x00", 100)}
	for notation, hand := range map[string]func(a, b string) string{
		"[copy=a left(2)]['_'][a]['|'][b]":                         func(a, b string) string { return left(a, 2) + "_" + a + "|" + b },
		"['v'][copy=a]['#']['-:'][a]['\\x00'][b]":                  func(a, b string) string { return "v" + a + "#-:" + a + "\x00" + b },
		"[copy=a right(2)]['_'][a desc]['\\xff'][b]":               func(a, b string) string { return right(a, 2) + "_" + inverted(a) + "\xff" + b },
		"[copy=b left(2)]['_'][a]['|'][b]":                         func(a, b string) string { return left(b, 2) + "_" + a + "|" + b },
		"['v'][salt1(a)][copy=b right(5)]['\x00'][a]['\x00'][b]":   func(a, b string) string { return "v\x00" + right(b, 5) + "\x00" + a + "\x00" + b },
		"[copy=b left(2)]['_'][salt1(a)][a]['|'][salt1(a)][b]":     func(a, b string) string { return left(b, 2) + "_\x00" + a + "|\x00" + b },
		"[salt1(a)][a fixed(4)][copy=b left(2)]['_'][salt1(a)][b]": func(a, b string) string { return "\x00" + a + left(b, 2) + "_\x00" + b },
		"[a]['_'][copy=b left(2)]['#'][b]":                         func(a, b string) string { return a + "_" + left(b, 2) + "#" + b },
		"[salt1(b)][copy=b left(2)]['_'][a]['|'][b]":               func(a, b string) string { return "\x00" + left(b, 2) + "_" + a + "|" + b },
		"['a longer constant'][copy=b left(70)]['#'][a]['#'][b]":   func(a, b string) string { return "a longer constant" + left(b, 70) + "#" + a + "#" + b },
		"[copy=a]['#'][a escaped][b]":                              func(a, b string) string { return a + "#" + strings.ReplaceAll(a, "\x00", "\x00\xff") + "\x00\x01" + b },
		"[copy=a left(2)]['_']['a longer constant'][a]['|'][b]":    func(a, b string) string { return left(a, 2) + "_a longer constant" + a + "|" + b },
		"[copy=a left(2)]['_'][salt1(b)][a fixed(4)][b]":           func(a, b string) string { return left(a, 2) + "_\x00" + a + b },
		"[copy=a]['#-'][a]['|'][b]":                                func(a, b string) string { return a + "#-" + a + "|" + b },
		"['v'][salt1(b)][copy=a left(3)]['\\x00'][a]['\\x00'][b]":  func(a, b string) string { return "v\x00" + left(a, 3) + "\x00" + a + "\x00" + b },
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		type row struct {
			A string `rowkey:"a"`
			B string `rowkey:"b"`
		}
		codec := rowkey.Must(rowkey.Bind[row](s))
		require.False(t, inside.Layout(s).Gathered, notation)
		refused := 0
		for _, a := range texts {
			if _, err := s.AppendKey(nil, a, "z"); errors.Is(err, rowkey.ErrTerminator) || errors.Is(err, rowkey.ErrLength) {
				continue
			}
			for size := range 2*len(a) + 120 {
				buf := bytes.Repeat([]byte("c"), size)
				begun := s.KeyIn(buf)
				begun.String("other text")
				so := begun.String(a)
				so.String([]string{"another", "another one, which is long"}[size%2])
				key, err := so.String("z").Bytes()
				if err == nil {
					require.Equal(t, hand(a, "z"), string(key), "%s: %d bytes", notation, size)
					key, err = so.String("another").Bytes()
				}
				if err == nil {
					require.Equal(t, hand(a, "another"), string(key), "%s: %d bytes", notation, size)
				} else { // the key lies in memory of its own, or it has moved
					require.ErrorIs(t, err, rowkey.ErrShared)
				}
				key, err = s.KeyIn(buf).String(a).String("z").Bytes()
				require.NoError(t, err)
				require.Equal(t, hand(a, "z"), string(key), "%s: %d bytes", notation, size)
				key, err = codec.Append(buf[:0], &row{a, "z"})
				require.NoError(t, err)
				require.Equal(t, hand(a, "z"), string(key), "%s: %d bytes", notation, size)
				row := s.Read(key)
				var first, second string
				require.NoError(t, row.String(&first).String(&second).Err())
				require.Equal(t, []string{a, "z"}, []string{first, second})
				for _, from := range []int{5, size / 2, size - 3} {
					if from < 0 || from > size-3 {
						continue
					}
					buf = bytes.Repeat([]byte("c"), size)
					inside := unsafe.String(&buf[from], 3)
					key, err = s.KeyIn(buf).String(a).String(inside).Bytes()
					if err != nil {
						refused++
						require.ErrorIs(t, err, rowkey.ErrShared)
					} else {
						require.Equal(t, hand(a, "ccc"), string(key), "%s: %d bytes", notation, size)
					}
				}
			}
		}
		require.Positive(t, refused)

		key, err := s.Key().String("s-42").String("z").Bytes()
		require.NoError(t, err)
		for i := range key[:len(key)-2] {
			broken := bytes.Clone(key)
			broken[i]++
			var a, b string
			_, refused := s.Decode(broken)
			err := s.Read(broken).String(&a).String(&b).Err()
			if assert.Equal(t, refused, err, "%s: %q", notation, broken); err == nil { // such as another third byte of a
				assert.Equal(t, hand(a, b), string(broken), notation)
			}
		}
	}
	s := rowkey.Must(rowkey.Parse("t", "[copy=a left(2)]['_'][a]['|'][b]"))
	for _, a := range []string{"_", "a_b"} {
		_, err := s.AppendKey(nil, a, "b")
		assert.EqualError(t, err, `rowkey: t: copy: as stored holds the separator "_": value and its end cannot be told apart`)
	}
	key, err := s.AppendKey(nil, "ab_", "b")
	require.NoError(t, err)
	assert.Equal(t, "ab_ab_|b", string(key))
	_, err = s.Key().Prefix("abc").Range()
	assert.ErrorIs(t, err, rowkey.ErrManyRanges)
	key, err = rowkey.Must(rowkey.Parse("t", "[copy=a]['#-'][a]['|'][b]")).AppendKey(nil, "#1", "b")
	require.NoError(t, err)
	assert.Equal(t, "#1#-#1|b", string(key), "it holds only the beginning of the separator")
	r, err := s.Key().String("abc").Range()
	require.NoError(t, err)
	assert.Equal(t, `[ab_abc|, ab_abc})`, r.String())
}

// inverted is a text with each byte inverted.
func inverted(text string) string {
	out := []byte(text)
	for i := range out {
		out[i] = ^out[i]
	}
	return string(out)
}

// TestKeyInLoop: the loop that everybody writes allocates nothing, and each key begins at the
// first byte of the buffer. The counts are of all loops: an average would be rounded down.
func TestKeyInLoop(t *testing.T) {
	const loops = 10_000
	for notation, s := range sharedSchemas(t) {
		if strings.Contains(notation, "md5") && raceEnabled() {
			continue
		}
		buf := make([]byte, 0, 128)
		at := unsafe.SliceData(buf)
		loop := func(from uint64) {
			var err error
			for n := range uint64(loops) {
				if buf, err = s.KeyIn(buf).String("s-42").Uint(from + n).Bytes(); err != nil {
					t.Fatal(err)
				}
			}
		}
		loop(0)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		loop(loops)
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, after.Mallocs-before.Mallocs, uint64(20), notation) // of the runtime itself
		assert.Same(t, at, unsafe.SliceData(buf))
		want, err := s.AppendKey(nil, "s-42", 2*loops-1)
		require.NoError(t, err)
		assert.Equal(t, want, buf)

		runtime.ReadMemStats(&before)
		for n := range uint64(loops) {
			if sinkBytes, sinkErr = s.Key().String("s-42").Uint(n).Bytes(); sinkErr != nil {
				t.Fatal(sinkErr)
			}
		}
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, after.Mallocs-before.Mallocs, uint64(loops+20), "%s by Key()", notation)
	}
}

// TestKeyInItsOwnValue: a text that lies in the buffer is written right or refused: at each place
// of it, of each length, also where the key does not fit and goes on elsewhere.
func TestKeyInItsOwnValue(t *testing.T) {
	s := rowkey.New("t").Salt(16, "a").String("a").Separator("\x00").String("b").Separator("\x00").String("c").MustBuild()
	refused, written := 0, 0
	for _, size := range []int{24, 40, 64, 200, 1000} {
		for _, first := range []int{1, 5, 17, 100, 500} {
			for from := 0; from < size; from += 1 + size/20 {
				for _, n := range []int{1, 3, 8, 16, 40} {
					if from+n > size {
						continue
					}
					for which := range 3 {
						buf := []byte(strings.Repeat("abcdefghijklmnop", size/16+1))[:size]
						inside := unsafe.String(&buf[from], n)
						values := []string{strings.Repeat("x", first), strings.Repeat("y", first), "z"}
						values[which] = strings.Clone(inside)
						want, err := s.AppendKey(nil, values[0], values[1], values[2])
						require.NoError(t, err)
						values[which] = inside
						key, err := s.KeyIn(buf).String(values[0]).String(values[1]).Binary([]byte(values[2])).Bytes()
						if which == 2 {
							key, err = s.KeyIn(buf).String(values[0]).String(values[1]).String(values[2]).Bytes()
						}
						if err != nil {
							refused++
							require.ErrorIs(t, err, rowkey.ErrShared)
							require.ErrorContains(t, err, "copy it")
							continue
						}
						written++
						require.Equal(t, want, key, "%d bytes, from %d, %d of them, value %d after %d", size, from, n, which, first)
					}
				}
			}
		}
	}
	assert.Greater(t, refused, 100)
	assert.Greater(t, written, 0)

	// What the usual programs do: a text out of the last key, read and thus copied.
	buf, err := s.KeyIn(make([]byte, 0, 64)).String("one").String("two").String("three").Bytes()
	require.NoError(t, err)
	var b, c string
	require.NoError(t, s.Read(buf).Skip().String(&b).String(&c).Err())
	buf, err = s.KeyIn(buf).String("zero").String(b).String(c).Bytes()
	require.NoError(t, err)
	assert.Equal(t, "two\x00three", string(buf[6:]))
}

// A value that lies in the caller's buffer is written right or refused also where the key has grown out
// of it more than once.
func TestKeyInValueAfterGrowth(t *testing.T) {
	long := rowkey.New("t").String("a").Separator("_").
		String("c", rowkey.Codes(map[string]string{"y": strings.Repeat("L", 300), "z": strings.Repeat("M", 300)})).String("b").MustBuild()
	for name, c := range map[string]struct {
		s      *rowkey.Schema
		middle []any
	}{
		"numbers":     {rowkey.Must(rowkey.Parse("t", "[a]['_'][n:8][o:i4][b]")), []any{uint64(9), int64(7)}},
		"padded":      {rowkey.Must(rowkey.Parse("t", "[a]['_'][c pad(200,'.')][b]")), []any{"y"}},
		"padded left": {rowkey.Must(rowkey.Parse("t", "[a]['_'][c padleft(200,'.')][b]")), []any{"y"}},
		"codes":       {long, []any{"y"}},
		"escaped":     {rowkey.Must(rowkey.Parse("t", "[a]['_'][c escaped][b]")), []any{strings.Repeat("\x00", 40)}},
	} {
		refused, written := 0, 0
		for size := 0; size < 340; size += 1 + size/50 {
			for first := range 120 {
				buf := []byte(strings.Repeat("y", size))
				values := append([]any{strings.Repeat("x", first)}, c.middle...)
				want, err := c.s.AppendKey(nil, append(values, string(buf))...)
				require.NoError(t, err)
				k := c.s.KeyIn(buf).String(strings.Repeat("x", first))
				for _, v := range c.middle {
					switch v := v.(type) {
					case string:
						k = k.String(v)
					case uint64:
						k = k.Uint(v)
					case int64:
						k = k.Int(v)
					}
				}
				key, err := k.Binary(buf).Bytes()
				if err != nil {
					refused++
					require.ErrorIs(t, err, rowkey.ErrShared)
					continue
				}
				written++
				require.Equal(t, want, key, "%s: %d bytes after %d", name, size, first)
			}
		}
		assert.Greater(t, refused, 100, name)
		assert.Greater(t, written, 0, name)
	}
}

// A value that reaches into the memory that the key is written to is refused, wherever it begins: by each way
// to write.
func TestValueReachesIntoKey(t *testing.T) {
	type row struct {
		A string `rowkey:"a"`
		B []byte `rowkey:"b"`
	}
	for _, notation := range []string{"[a]['_'][b]", "[a]['_'][b pad(16,'.')]", "[a]['_'][b fixed(10) reverse]", "[a]['_'][b fixed(10) desc]", "[salt16(b)][a]['_'][b]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		codec := rowkey.Must(rowkey.Bind[row](s))
		for from := range 290 {
			for _, n := range []int{0, 10} {
				if n == 0 && strings.Contains(notation, "fixed") {
					continue
				}
				value := func() (all, v []byte) {
					all = bytes.Repeat([]byte("C"), 300)
					return all, all[from : from+n]
				}
				_, v := value()
				want, err := s.AppendKey(nil, "abc", string(v))
				require.NoError(t, err, notation)
				all, v := value()
				one, err1 := s.KeyIn(all[10:250:250]).String("abc").Binary(v).Bytes()
				all, v = value()
				two, err2 := s.AppendKey(all[:10:250], "abc", v)
				all, v = value()
				three, err3 := codec.Append(all[:10:250], &row{"abc", v})
				all, v = value()
				four, _, err4 := codec.AppendAll(all[:10:250], nil, []row{{"abc", v}})
				for i, err := range []error{err1, err2, err3, err4} {
					if n > 0 && from+n > 10 && from < 250 {
						require.ErrorIs(t, err, rowkey.ErrShared, "%s from %d, way %d", notation, from, i)
						continue
					}
					require.NoError(t, err, "%s from %d, way %d", notation, from, i)
					require.Equal(t, string(want), string([][]byte{one, two[10:], three[10:], four[10:]}[i]), "%s from %d, way %d", notation, from, i)
				}
			}
		}
	}
}

// A row that lies where the key of a row before it is written to is refused, whatever way its layout is written.
func TestRowReachesIntoKeys(t *testing.T) {
	type row struct {
		A []byte  `rowkey:"a"`
		B *[]byte `rowkey:"b"`
	}
	arena := make([]byte, 4, 400)
	for _, notation := range []string{
		"[a]['_'][b optional phoenix]", "[b optional orderedbytes]['_'][a]", "[a loose]['_'][b optional phoenix]", "[c=a left(2)]['_'][a]['_'][b optional phoenix]",
		"[salt4(rest())][a]['_'][b optional phoenix]", "[a notstored][c=a left(3)]['_'][b optional phoenix]",
	} {
		s, err := rowkey.Parse("t", notation)
		require.NoError(t, err)
		codec := rowkey.Must(rowkey.Bind[row](s))
		outside, inside := []byte("eleven"), append(arena[:len(arena):cap(arena)], "twelve"...)[len(arena):]
		for i, second := range []row{{[]byte("z"), &inside}, {inside, &outside}, {inside, nil}} {
			keys, ends, err := codec.AppendAll(arena, []int{1}, []row{{[]byte("one"), &outside}, second})
			require.ErrorIs(t, err, rowkey.ErrShared, "%s, row %d", notation, i)
			assert.ErrorContains(t, err, "row 1")
			assert.Len(t, keys, 4)
			assert.Equal(t, []int{1}, ends)
			copy(inside, "twelve")
			key, err := codec.Append(arena, &second)
			require.ErrorIs(t, err, rowkey.ErrShared, "%s, row %d: %q", notation, i, key)
		}
		keys, ends, err := codec.AppendAll(arena, nil, []row{{[]byte("one"), &outside}, {outside, nil}, {nil, &outside}, {[]byte("two"), nil}})
		require.NoError(t, err, notation)
		for i, r := range [][]any{{"one", "eleven"}, {"eleven", nil}, {"", "eleven"}, {"two", nil}} {
			if strings.HasPrefix(notation, "[b") {
				r[0], r[1] = r[1], r[0]
			}
			want, err := s.AppendKey(nil, r...)
			require.NoError(t, err, notation)
			assert.Equal(t, string(want), string(keys[append([]int{4}, ends...)[i]:ends[i]]), notation)
		}
	}
}

// Keys that fill dst to its last byte. With pointer checks (.ci/run) no pointer behind dst is made for them.
func TestAppendFillsDst(t *testing.T) {
	type row struct {
		A string `rowkey:"a"`
	}
	var kept [][]byte // so that other memory follows
	for _, notation := range []string{"[a]", "[a]['_']", "[salt16(a)][a]", "[salt16(rest())][a]"} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		c := rowkey.Must(rowkey.Bind[row](s))
		for n := 100; n <= 128; n++ {
			text := strings.Repeat("a", n)
			want, err := s.AppendKey(nil, text)
			require.NoError(t, err)
			dst := make([]byte, 0, 128)
			key, err := c.Append(dst, &row{text})
			require.NoError(t, err)
			require.Equal(t, string(want), string(key), notation)
			kept = append(kept, dst)
		}
	}
	runtime.KeepAlive(kept)
}

// After an error dst is the caller's own: nil stays nil, and a buffer without room does not become another.
func TestDstAfterAnError(t *testing.T) {
	type row struct {
		A string `rowkey:"a"`
		B uint64 `rowkey:"b"`
	}
	s := rowkey.New("t").String("a").Separator("_").Uint("b", 8).MustBuild()
	codec := rowkey.Must(rowkey.Bind[row](s))
	for _, dst := range [][]byte{nil, make([]byte, 0, 1), append(make([]byte, 0, 2), "ab"...), append(make([]byte, 0, 99), "ab"...)} {
		for how, appendKey := range map[string]func() ([]byte, error){
			"AppendKey": func() ([]byte, error) { return s.AppendKey(dst, "x_y", 7) },
			"Append":    func() ([]byte, error) { return codec.Append(dst, &row{"x_y", 7}) },
			"AppendAll": func() ([]byte, error) {
				out, _, err := codec.AppendAll(dst, nil, []row{{"x", 7}, {"x_y", 7}})
				return out, err
			},
			"Rekey": func() ([]byte, error) { return s.Rekey(dst, []byte("x"), s) },
		} {
			out, err := appendKey()
			require.Error(t, err, how)
			require.Equal(t, dst, out, how)
			require.Equal(t, cap(dst), cap(out), "%s of %q in %d", how, dst, cap(dst))
		}
	}
}

// A []byte that lies where the key of an earlier row was written is refused by AppendAll.
func TestAppendAllOverLaterRows(t *testing.T) {
	type row struct {
		A string `rowkey:"a"`
		B []byte `rowkey:"b"`
	}
	codec := rowkey.Must(rowkey.Bind[row](rowkey.Must(rowkey.Parse("t", "[a]['_'][b]"))))
	for size := range 200 {
		for _, from := range []int{0, 2, 5, 9} {
			arena := bytes.Repeat([]byte("C"), 14+size)
			got, ends, err := codec.AppendAll(arena[:1], []int{1}, []row{{"abc", []byte("1234")}, {"abc", arena[1+from : 4+from]}})
			require.ErrorIs(t, err, rowkey.ErrShared)
			require.ErrorContains(t, err, "row 1")
			require.Len(t, got, 1)
			require.Equal(t, []int{1}, ends)
		}
	}
}

// The key may lie in the memory that its ranges are appended to.
func TestRangesIntoKeysMemory(t *testing.T) {
	for notation, s := range sharedSchemas(t) {
		for at := range 8 {
			want, _, errWant := s.Key().String("abc").AppendRanges(nil, nil)
			m := make([]byte, 1000)
			got, _, err := s.KeyIn(m[at:at:500]).String("abc").AppendRanges(nil, m[:4])
			require.Equal(t, errWant, err, notation)
			require.Len(t, got, len(want), notation)
			for i := range want {
				require.Equal(t, want[i].String(), got[i].String(), "%s at %d", notation, at)
			}
		}
	}
}

// A copy all of whose values have one length is compared whole, also where the end of the key ends it.
func TestReadOfLongerCopy(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[a codes("":"1","a":"0") reverserune phoenix]['_'][also=a phoenix]`))
	key, err := s.AppendKey(nil, "a")
	require.NoError(t, err)
	var a string
	require.NoError(t, s.Read(key).String(&a).Err())
	for _, more := range []string{"_", "a", "_\x800"} {
		long := append(bytes.Clone(key), more...)
		_, err = s.Decode(long)
		require.ErrorIs(t, err, rowkey.ErrDerived, "%q", long)
		require.ErrorIs(t, s.Read(long).String(&a).Err(), rowkey.ErrDerived, "%q", long)
	}
}

// A key may be rewritten in its own memory.
func TestRekeyInPlace(t *testing.T) {
	for _, c := range [][2]string{
		{"[salt16(a)][a]['_'][b]", "[salt64(a)][a]['_'][b]"}, {"[a]['_'][b]", "[b]['_'][a]"}, {"[a]['_'][b]", "[salt16(a)][a]['_'][b]"}, {"[a]['_'][b oneof('order','order-2')]", "[b oneof('order','order-2')]['_'][a]"},
	} {
		from, to := rowkey.Must(rowkey.Parse("t", c[0])), rowkey.Must(rowkey.Parse("t", c[1]))
		key, err := from.AppendKey(nil, "user1", "order-2")
		require.NoError(t, err)
		want, err := to.Rekey(nil, key, from)
		require.NoError(t, err)
		for at := range 30 { // dst begins before the key, in it, and after it
			all := make([]byte, 100)
			copy(all[15:], key)
			got, err := to.Rekey(all[:at], all[15:15+len(key)], from)
			require.NoError(t, err, "%s at %d", c, at)
			require.Equal(t, string(want), string(got[at:]), "%s at %d", c, at)
			all = make([]byte, 100)
			copy(all[15:], key)
			got, err = to.RekeyLoose(all[:at], all[15:15+len(key)], from)
			require.NoError(t, err, "%s at %d", c, at)
			require.Equal(t, string(want), string(got[at:]), "%s at %d", c, at)
		}
	}
}

// With KeyIn all keys share the caller's buffer. To keep a key, copy it, or begin it with Key.
func ExampleSchema_KeyIn_shared() {
	s := rowkey.New("events").String("user").Separator("_").Uint("n", 1).MustBuild()
	buf := make([]byte, 0, 64)
	first, _ := s.KeyIn(buf).String("ann").Uint(1).Bytes()
	second, _ := s.KeyIn(buf).String("bob").Uint(2).Bytes()
	fmt.Printf("%q %q\n", first, second)

	so := s.Key().String("ann")
	one, err1 := so.Uint(1).Bytes()
	_, err2 := so.Uint(2).Bytes()
	fmt.Printf("%q %v\n%v\n", one, err1, err2)
	// Output:
	// "bob_\x02" "bob_\x02"
	// "ann_\x01" <nil>
	// rowkey: events: n: this key so far was continued before: begin each key with Key(): memory used twice
}

// A value of no supported type after the last field is an error, where the key has grown out
// of the caller's buffer too.
func TestUnsupportedAfterTheEnd(t *testing.T) {
	for _, notation := range []string{"[a]", "[salt16(a)][a]", "[a:4]['_'][b]"} {
		s := rowkey.Must(rowkey.Parse("s", notation))
		values := []any{strings.Repeat("x", 500), struct{}{}}
		if notation == "[a:4]['_'][b]" {
			values = append([]any{1}, values...)
		}
		dst, err := s.AppendKey([]byte("head"), values...)
		assert.ErrorIs(t, err, rowkey.ErrExtra, notation)
		assert.Equal(t, "head", string(dst), notation)
	}
}

// The first keys of a schema that is used by many at once are right, in whatever memory they lie.
func TestFirstKeysAtOnce(t *testing.T) {
	for notation := range sharedSchemas(t) {
		s, err := rowkey.Parse("first", notation)
		require.NoError(t, err)
		want, err := rowkey.Must(rowkey.Parse("first", notation)).AppendKey(nil, "ab", 7)
		require.NoError(t, err)
		var all sync.WaitGroup
		for i := range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				k := s.Key()
				if i%2 > 0 {
					k = s.KeyIn(make([]byte, 0, 3)) // it grows
				}
				key, err := k.String("ab").Uint(7).Bytes()
				assert.NoError(t, err, notation)
				assert.Equal(t, want, key, notation)
				var a string
				var n uint64
				assert.NoError(t, s.Read(want).String(&a).Uint(&n).Err(), notation)
			}()
		}
		all.Wait()
	}
}

// The slot of a copy that is not known yet is longer than the copy may be: it makes no range too long.
func TestRangesBeforeCopiesOfLongKeys(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "maxlen(8) [n:1][copy=b left(4)]['_'][a]['|'][b]"))
	key, err := s.AppendKey(nil, 7, "xyz", "b")
	require.NoError(t, err)
	require.Len(t, key, 8)
	for _, k := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(nil), s.KeyIn(make([]byte, 0, 300))} {
		_, err := k.Uint(7).String("xyz").Range()
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
	}
	for _, k := range []rowkey.KeyBuilder{s.Key(), s.KeyIn(nil), s.KeyIn(make([]byte, 0, 300))} {
		_, _, err := k.Uint(7).Prefix("xyz").AppendRanges(nil, nil)
		require.ErrorIs(t, err, rowkey.ErrManyRanges)
	}
	_, err = s.Key().Uint(7).String("longer").Range() // no key is so short
	require.ErrorIs(t, err, rowkey.ErrLength)
}
