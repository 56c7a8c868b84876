package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

// A salt of several fields is the same with the hot path and without, wherever the fields stand:
// at a known distance from the key's beginning, from its end, or from neither.
func TestSaltsOfSeveralFields(t *testing.T) {
	for _, salt := range []string{"salt100(values(a,n))", "salt16(values(n,a))", "salt16(values(a,b))", "salt16(values(n,m))", "salt256(values(m,a))", "salt16(values(b,m))", "salt16(values(a,n,m))", "murmur3.raw(2)(values(n,a))", "crc32.raw(4)(values(a,m))", "salt16(text(n,m))", "salt16(stored(a,n))"} {
		for _, rest := range []string{
			"[a]['_'][n:8][b]['_'][m:4]", "[n:8][a]['_'][m:4][b]", "[n:8][m:4][a]['_'][b]", "[a fixed(3)][n:8][b]['_'][m:4]", "['v1'][n:8][a]['_'][b]['_'][m:4]", "[n:8]['_'][m:4][a fixed(3)][b]",
		} {
			s, without := rowkey.Must(rowkey.Parse("t", "["+salt+"]"+rest)), rowkey.Must(rowkey.Parse("t", "["+salt+"]"+rest))
			require.NoError(t, cold.Make(without))
			for _, length := range []int{0, 1, 7, 8, 9, 16, 17, 40} {
				for _, n := range []uint64{0, 7, 1<<64 - 1} {
					values := map[string]any{"a": "abc", "b": strings.Repeat("y", length), "n": n, "m": n & 0xffff}
					hot, errHot := s.Key(), error(nil)
					slow := without.Key()
					for f := range s.Fields() {
						switch v := values[f.Name].(type) {
						case string:
							hot, slow = hot.String(v), slow.String(v)
						case uint64:
							hot, slow = hot.Uint(v), slow.Uint(v)
						}
					}
					key, errHot := hot.Bytes()
					want, err := slow.Bytes()
					require.NoError(t, err, "%s %v", s, values)
					require.NoError(t, errHot, "%s %v", s, values)
					require.Equal(t, want, key, "%s %v", s, values)
				}
			}
		}
	}
}

// A copy of a time in another unit is the same with the hot path and without, and so is the error of a time that it
// does not take.
func TestRecountedTimes(t *testing.T) {
	refused := 0
	for _, of := range []string{"ms(t)", "max-ms(t)", "s(t)", "us(t)", "ns(t)", "ms(t) truncate(1h)", "s(t) width(4)", "h(t)", "ms(t) digits(13)", `layout("20060102150405",UTC)(t)`, "ms-since(2020-01-01T00:00:00Z)(t)", "ns(t) phoenix", "ms(t) orderedbytes"} {
		for _, unit := range []string{"d", "h desc", "min", "s width(4)", "h width(3)", "d digits(5)", "us", "s truncate(1h)", "d-since(2020-01-01T00:00:00Z)", "d years(2000,2100)", `layout("20060102",UTC)`, `layout("2006010215",+08:00)`,
			`layout("20060102",UTC) desc`, `layout("2006-01",-03:30)`, `layout("20060102",+08:00) width(4)`, `layout("2006",UTC) years(1980,2050)`, `layout("20060102",UTC) reverse`} {
			for _, rest := range []string{"[c=t %s][%s]", "[a:2][c=t %s][%s]", "[a]['_'][c=t %s][%s]", "[c=t %s][a]['_'][%s]", "[%[2]s][a:2][c=t %[1]s]", "[salt16(a)][salt7(t) modulo][c=t %s][a]['_'][%s]"} {
				notation := fmt.Sprintf(rest, unit, of)
				s, err := rowkey.Parse("t", notation)
				if err != nil {
					require.ErrorIs(t, err, rowkey.ErrSchema)
					continue
				}
				without := rowkey.Must(rowkey.Parse("t", notation))
				require.NoError(t, cold.Make(without))
				for _, at := range []time.Time{{}, time.Unix(0, 0), time.Unix(-1, 0), time.Unix(86399, 999999999), time.Unix(86400, 0), time.Unix(1684203630, 2e6), time.Date(2000, 2, 29, 23, 59, 59, 999999999, time.UTC),
					time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2100, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
					time.Unix(253402300800, 0), time.Unix(1<<32, 0), time.Unix(1<<33, 0), time.Unix(1<<40, 0), time.Unix(9223372036, 854775807), time.Unix(9223372036854775, 0)} {
					want, err := timeKey(s, without.Key(), at)
					for _, room := range []int{0, 24, 200} {
						key, errHot := timeKey(s, s.KeyIn(make([]byte, 0, room)), at)
						require.Equal(t, fmt.Sprint(err), fmt.Sprint(errHot), "%s %v", s, at)
						require.Equal(t, string(want), string(key), "%s %v", s, at)
						key, errHot = timeOfStruct(s, make([]byte, 0, room), at)
						require.Equal(t, fmt.Sprint(err), fmt.Sprint(errHot), "%s %v", s, at)
						require.Equal(t, string(want), string(key), "%s %v", s, at)
					}
					key, errHot := timeKey(s, s.Key(), at)
					require.Equal(t, fmt.Sprint(err), fmt.Sprint(errHot), "%s %v", s, at)
					require.Equal(t, want, key, "%s %v", s, at)
					if err != nil {
						refused++
						continue
					}
					for i := range key {
						damaged := slices.Clone(key)
						damaged[i] ^= 1
						_, errHot := s.Decode(damaged)
						_, err := without.Decode(damaged)
						require.Equal(t, fmt.Sprint(err), fmt.Sprint(errHot), "%s %x", s, damaged)
						require.Equal(t, fmt.Sprint(err), fmt.Sprint(read(s, damaged)), "%s %x", s, damaged)
					}
				}
			}
		}
	}
	require.Greater(t, refused, 1000)
}

// timeKey is the key of a time and of the fields beside it, field by field.
func timeKey(s *rowkey.Schema, k rowkey.KeyBuilder, at time.Time) ([]byte, error) {
	for f := range s.Fields() {
		switch {
		case f.Kind == "time" && !f.Derived:
			k = k.Time(at)
		case f.Kind == "uint":
			k = k.Uint(7)
		case f.Kind == "string":
			k = k.String("ab")
		}
	}
	return k.Bytes()
}

// timeOfStruct is timeKey from a struct.
func timeOfStruct(s *rowkey.Schema, dst []byte, at time.Time) ([]byte, error) {
	for f := range s.Fields() {
		switch f.Kind {
		case "uint":
			return appendRow(s, dst, struct {
				N uint16    `rowkey:"a"`
				T time.Time `rowkey:"t"`
			}{7, at})
		case "string":
			return appendRow(s, dst, struct {
				A string    `rowkey:"a"`
				T time.Time `rowkey:"t"`
			}{"ab", at})
		}
	}
	return appendRow(s, dst, struct {
		T time.Time `rowkey:"t"`
	}{at})
}

func appendRow[T any](s *rowkey.Schema, dst []byte, row T) ([]byte, error) {
	return rowkey.Must(rowkey.Bind[T](s)).Append(dst, &row)
}

// read reads a key field by field.
func read(s *rowkey.Schema, key []byte) error {
	r := s.Read(key)
	for f := range s.Fields() {
		var at time.Time
		var text string
		var u uint64
		switch {
		case f.Derived || f.Kind == "literal":
		case f.Kind == "time":
			r = r.Time(&at)
		case f.Kind == "string":
			r = r.String(&text)
		default:
			r = r.Uint(&u)
		}
	}
	return r.Err()
}
