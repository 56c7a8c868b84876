package bind_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

type floatFirst struct {
	F float64 `rowkey:"f"`
	A string  `rowkey:"a"`
	B string  `rowkey:"b"`
	N uint64  `rowkey:"n"`
}

type textFirst struct {
	P string `rowkey:"p"`
	A string `rowkey:"a"`
	B string `rowkey:"b"`
	N uint64 `rowkey:"n"`
}

// A codec writes what the same schema without its hot path writes, and nothing behind dst's
// capacity, whatever the lengths of the texts and the room in dst: also after a number or a text
// that its loop leaves to another function, and at MaxLen.
func TestEndsOfKeys(t *testing.T) {
	const tail = `[a]['_'][b]['_'][n:8]`
	for _, maxLen := range []int{0, 31} {
		holdFirst(t, "[f:f8]"+tail, maxLen, func(a, b string) *floatFirst { return &floatFirst{1.5, a, b, 7} })
		for _, first := range []string{`[p pad(12,' ')]`, `[p reverse fixed(9)]`, `[p reverse]['_']`, `[p]['_']`, `[salt16(a)][p]['_']`, `[salt16(values(p,n))][p]['_']`} {
			holdFirst(t, first+tail, maxLen, func(a, b string) *textFirst { return &textFirst{"ninebytes", a, b, 7} })
		}
	}
	hold(t, parsed(t, `[f:f8][n:8][a]['_'][b]`), func(a, b string) *floatFirst { return &floatFirst{1.5, a, b, 7} })
	hold(t, parsed(t, `[f:f8][a]['_'][n:8 digits(20)]['_'][b]`), func(a, b string) *floatFirst { return &floatFirst{1.5, a, b, 7} })
	for n := range 13 { // padding to 12 bytes, over what stood in dst
		s := parsed(t, `[f:f8][a pad(12,' ')][b pad(16,'*')][n:8]`)
		holdOne(t, s, &floatFirst{2.5, strings.Repeat("x", n), strings.Repeat("y", n), 9})
	}
}

// A codec fills the salts and hashes that wait for the last field, whatever wrote that field: one
// computed from a text, from a number, from both, and from the key's bytes.
func TestSaltsOfStructs(t *testing.T) {
	const tail = `[a]['_'][b]['_'][n:8]`
	some := rowkey.NewDigest("some", 1, func(dst, data []byte) []byte { // it has no sum of what begins with e9
		if data[0] == 0xe9 {
			panic("no sum")
		}
		return append(dst, data[0])
	})
	all := []twoWays{
		parsed(t, `[md5.hex(2)(values(n,a))][p]['_']`+tail),
		parsed(t, `[p]['_'][salt20(rest()) phoenixhash]`+tail), parsed(t, `[p]['_'][a]['\x00'][md5.raw(2)(rest())][b]['_'][salt251(rest())][n:8]`),
		parsed(t, `[salt256(stored(p)) pinpointhash][p]['_']`+tail), parsed(t, `[p]['_'][md5.raw(2)(stored(a))][a]['_'][b]['_'][salt251(b)][n:8]`),
		parsed(t, `[salt251(stored(b))][p]['_'][a]['_'][n:8][b]`), parsed(t, `[salt251(stored(b)) digits(3)][p]['_'][a]['_'][n:8][b reverse]`),
		made(t, func() (*rowkey.Schema, error) {
			return rowkey.New("t").Hash(some.Raw(1), "rest()").String("p").Separator("_").String("a").Separator("_").String("b").Separator("_").Uint("n", 8).Build()
		}),
	}
	for _, of := range []string{"n", "b", "values(a,n)", "values(n,a)", "values(a,b)", "values(a,b,n)", "rest()"} {
		for _, first := range []string{`[p]['_']`, `[p pad(12,' ')]`} {
			all = append(all, parsed(t, "[salt251("+of+")]"+first+tail), parsed(t, "[salt251("+of+")][salt3(p) named(x)]"+first+tail),
				parsed(t, "maxlen(24) [salt251("+of+")]"+first+tail))
		}
	}
	for _, s := range all {
		for n := range 8 {
			holdOne(t, s, &textFirst{[]string{"p", "\xe9"}[n/4], strings.Repeat("x", n%4), fmt.Sprint("y", n), uint64(n)})
		}
	}
}

func holdFirst[T any](t *testing.T, layout string, maxLen int, of func(a, b string) *T) {
	if maxLen > 0 {
		layout = fmt.Sprintf("maxlen(%d) %s", maxLen, layout)
	}
	hold(t, parsed(t, layout), of)
}

// twoWays is a schema, and the same without its hot path.
type twoWays struct{ hot, cold *rowkey.Schema }

func made(t *testing.T, build func() (*rowkey.Schema, error)) twoWays {
	s := twoWays{rowkey.Must(build()), rowkey.Must(build())}
	require.NoError(t, cold.Make(s.cold))
	return s
}

func parsed(t *testing.T, notation string) twoWays {
	return made(t, func() (*rowkey.Schema, error) { return rowkey.Parse("t", notation) })
}

func hold[T any](t *testing.T, s twoWays, of func(a, b string) *T) {
	for _, n := range []int{0, 1, 3, 7, 8, 9, 15, 16, 17, 24, 40, 100, 250} {
		for _, m := range []int{0, 1, 3, 7, 8, 9, 15, 16, 17, 19} {
			holdOne(t, s, of(strings.Repeat("x", n), strings.Repeat("y", m)))
		}
	}
}

func holdOne[T any](t *testing.T, s twoWays, v *T) {
	hot, cold := rowkey.Must(rowkey.Bind[T](s.hot)), rowkey.Must(rowkey.Bind[T](s.cold))
	want, wantErr := cold.Append(nil, v)
	n := len(want)
	if n == 0 {
		n = 48
	}
	const guard = 64
	for _, head := range []int{0, 5, 70} {
		for at := range 49 {
			spare := max(0, n-24) + at
			if at == 48 {
				spare = n + 400 // so that the hot path has room for all that a value may take
			}
			buf := bytes.Repeat([]byte{'#'}, head+spare+guard)
			key, err := hot.Append(buf[:head:head+spare], v)
			if string(key) != strings.Repeat("#", head)+string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s of %+v, %d bytes in dst and %d free: %q %v, want %q %v", s.hot, *v, head, spare, key[head:], err, want, wantErr)
			}
			if behind := buf[head+spare:]; len(bytes.Trim(behind, "#")) > 0 {
				t.Fatalf("%s of %+v, %d bytes in dst and %d free: %q stands after dst's capacity", s.hot, *v, head, spare, behind)
			}
		}
	}
}

type headed struct {
	A string    `rowkey:"a"`
	N int64     `rowkey:"n"`
	B string    `rowkey:"b"`
	T time.Time `rowkey:"t"`
	F float64   `rowkey:"f"`
	C string    `rowkey:"c"`
}

// What stands before a field is written once: with what ends the field before it if a word holds both,
// whatever wrote that field; else with the field itself.
func TestHeads(t *testing.T) {
	tails := []string{
		"[a orderedbytes]['_'][b orderedbytes][f:f8][c orderedbytes]", "[f:f4][a orderedbytes]['_'][b orderedbytes]['12345678'][c orderedbytes]", "[f:f4 orderedbytes]['_'][a orderedbytes][b orderedbytes][c orderedbytes]",
		"[a orderedbytes]['_'][f:f8 orderedbytes desc]['12345678'][b orderedbytes][c orderedbytes]", "[a orderedbytes][f:f4 phoenix]['1234567'][b orderedbytes]['_'][c orderedbytes]", "[a]['_'][f:f4 hbase]['123'][b orderedbytes][c orderedbytes]",
		"[a orderedbytes][f:f8 orderedbytes]['more than a word'][b orderedbytes][c]", "[a]['_'][f:f8]['123456789'][b]['_'][c orderedbytes minlen(17)]", "[a orderedbytes minlen(17)]['_'][f:f4]['123456789'][b orderedbytes][c]",
	}
	var all []twoWays
	for _, first := range []string{
		"[n:i8][us(t)]", "[n:i4][ms(t)]", "[n:i8 orderedbytes]['_'][s(t)]", "['1234567'][ms(t)][n:i1]['_']", "['12345678'][n:i8 desc]['-------'][h(t)]['-------']",
		"[ms(t)]['_'][n:i8 decimal]['_']", "[layout(\"20060102\",+08:00)(t)][n:i2]", "[salt16(t) modulo][min(t)]['_'][n:i2]", "[salt10(t) modulo digits(2)][h-since(2020-01-01T00:00:00Z)(t)]['_'][n:i1]", "[salt16(values(n,t))][n:i2][ms(t)]",
		"[s-since(2024-01-01T00:00:00Z)(t) orderedbytes truncate(24h0m0s)]['_'][n:i2]", "[salt16(n)]['_'][n:i8]['<>'][us(t)]['_']", "[salt16(t) modulo]['_'][n:i4]['12345'][max-ms(t)]['|']",
		"[n:i4 orderedbytes][ms(t) orderedbytes]", "[n:i2]['1234567'][us(t) orderedbytes]", "[n:i2]['12345678'][us(t) orderedbytes]", "[n:i8 orderedbytes]['12345678'][ms(t) orderedbytes desc]['_']", "['1234567'][n:i1 orderedbytes]['123456'][us(t) orderedbytes]", "['12345678'][n:i2 orderedbytes desc]['12345'][s(t) orderedbytes]['-------']",
		"[n:i8]['123456789'][us(t)]['more than a word']", "[n:i2 orderedbytes]['123456789'][ms(t) orderedbytes]['more than a word']", "[salt16(n)][n:i4 orderedbytes desc]['more than a word'][us(t)]['_']",
	} {
		for _, tail := range tails {
			all = append(all, parsed(t, first+tail))
		}
	}
	for _, s := range all {
		for _, n := range []int{0, 1, 8, 16, 17, 40} {
			for _, mark := range []string{"", "\x00", "_", "4"} {
				text := strings.Repeat("x", n) + mark
				holdOne(t, s, &headed{text, int64(n - 8), "b" + text, time.Date(2023, 5, 16, n%24, 9, 8, 7e6, time.UTC), 1.5, text[:n]})
			}
		}
	}
}

type inDigits struct {
	N uint64    `rowkey:"n"`
	I uint32    `rowkey:"i"`
	T time.Time `rowkey:"t"`
	S int64     `rowkey:"s,s"`
	B string    `rowkey:"b"`
}

// Up to 8 digits are written as the bytes of a number, whatever stands behind them.
func TestFewDigits(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for _, mark := range []string{"", "['_']", "['1234']", "['12345678']", "['123456789']", "['more than a word']"} {
			layout := fmt.Sprintf("[n:8 digits(%d)]%s[i:4 below(9) digits(%d)]%s[h(t) digits(%d)]%s[d(s) digits(%d)]%s", n, mark, n, mark, n, mark, n, mark)
			for _, end := range []string{"[b orderedbytes]", "[b]"} {
				for _, front := range []string{"", "[salt16(n) modulo]", "[salt16(n)]", "[salt10(t) modulo digits(2)]"} {
					s := parsed(t, front+layout+end)
					for _, u := range []uint64{0, 7, 256, 99999999, 100000000, 1e10} {
						for _, days := range []int64{int64(u), 5} {
							holdOne(t, s, &inDigits{u, uint32(u % 11), time.Unix(days*3600, 0), days*86400 + 5, "x"})
						}
					}
				}
			}
		}
	}
}
