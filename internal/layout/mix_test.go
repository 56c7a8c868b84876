package layout_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/tests/cold"
)

// A salt of several fields is the same with the hot path, without, and in the key of a plan, which is put together component
// by component; wherever the fields and the salt stand, and however they are written.
func TestSaltsOfSeveralFields(t *testing.T) {
	salts := []string{
		"salt100(values(a,n))", "salt16(values(n,a))", "salt16(values(a,b))", "salt16(values(n,m))", "salt256(values(m,a))", "salt16(values(b,m))", "salt16(values(a,n,m))", "murmur3.raw(2)(values(n,a))", "crc32.raw(4)(values(a,m))",
		"salt16(text(n,m))", "salt16(stored(a,n))", "salt16(text(b,n))", "salt16(text(a,b)) javahash", "salt16(stored(a,b))", "md5.hex(4)(stored(b,n))", "salt16(values(a,n,b,m))", "salt7(minmax(a,b))", "salt9(m)", "crc32.raw(2)(b)",
		`murmur3.raw(2)(format("%s-%d",b,m))`, "salt50(minmax(i,j))", "salt50(values(i,a,t))", "salt50(text(t,j))", "salt50(values(t,b))", "salt100(stored(t,m))",
		"salt50(values(j,b))", "salt50(values(j,a))", "salt50(values(k,a))", "salt50(values(f,a))", "salt9(m) modulo", "salt9(j) modulo", "salt9(stored(b))", "murmur3.raw(2)(values(m))", "copy=b left(1) fixed(1)", "copy=b left(2)", "copy=b right(2)]['|'", "copy=b left(9) reverse]['_-'", "copy=a reverse fixed(3)", "copy=m", "copy=t d",
		"salt9(stored(m)) pinpointhash", "salt9(i) hbasewdhash", "salt9(b) javahashabs digits(2)", "salt9(m) width(2)", "salt9(k)", "crc32.hex(8)(stored(n))", "md5.hex(4)(text(t))", "crc32.raw(3)(f)",
	}
	built := 0
	for _, rest := range []string{
		"[a]['_'][n:8][b]['_'][m:4 notstored]", "[a]['_'][m:4 notstored][n:8][b]", "[m:4 notstored][a]['_'][n:8][b]", "[a]['_'][b notstored][n:8]['x'][m:4]", "[b notstored][a]['_'][n:8 notstored]['x'][m:4]",
		"[a]['_'][n:8][b]['_'][m:4]", "[n:8][a]['_'][m:4][b]", "[n:8][m:4][a]['_'][b]", "[a fixed(3)][n:8][b]['_'][m:4]", "['v1'][n:8][a]['_'][b]['_'][m:4]", "[n:8]['_'][m:4][a fixed(3)][b]",
		"[a pad(8,' ')][n:8][b]['_'][m:4]", "[a padleft(8,' ')][n:8 desc][b desc]['_'][m:4 digits(10)]", "[a reverse]['_'][b escaped][n:8 varint][m:4]", "[a reverse desc]['_'][b lenprefix(1)][m:4 reverse][n:8]",
		`[b pad(40,' ')]['_'][n:8 hexdigits(16)][a oneof("abc","x")]['_'][m:4]`, `[m:4 decimal]['_'][a codes("abc":"1")][b]['_'][n:8]`, `[a]['_'][b]['\x00'][n:8][m:4]`, "phoenix [b][a][n:8][m:4]", "phoenix [a][b desc][m:4][i:i4][j:i4]",
		"[i:i4][a]['_'][j:i4][b]['_'][m:4]", "[i:i4 width(8)][b]['_'][ms(t) phoenix][j:i8 width(4)][a]", `[a]['_'][layout("20060102",+08:00)(t)][i:i4 decimal]['_'][j:i4 decimal]['_'][b]`, "[b]['_'][max-ms(t)][m:4][i:i4 varint][j:i4 varint][a]", "orderedbytes [a][ms(t)][b][i:i4][j:i4]", "[f:f4][b]['_'][m:4][a]", "phoenix [a][f:f8][b desc][m:4]", "[a fixed(3)][f:f4][m:4][b]", "[k:bool hbase][a]['_'][m:4]", "[a pad(8,'c') loose][n:8][b]['_'][m:4]",
	} {
		for _, salt := range salts {
			places := regexp.MustCompile(`\[[a-z]`).FindAllStringIndex(rest, -1)
			for _, at := range append(places, []int{len(rest)}) {
				notation := rest[:at[0]] + "[" + salt + "]" + rest[at[0]:]
				s, err := rowkey.Parse("t", notation)
				if err != nil {
					require.ErrorIs(t, err, rowkey.ErrSchema)
					continue
				}
				built++
				without := rowkey.Must(rowkey.Parse("t", notation))
				require.NoError(t, cold.Make(without))
				for i, length := range []int{0, 1, 3, 7, 8, 9, 17} {
					n := []uint64{0, 7, 1<<64 - 1}[i%3]
					same(t, s, without, map[string]any{
						"a": "abc", "b": strings.Repeat("Yy"[n&1:][:1], length), "n": n, "m": n & 0xffff, "i": int64(n & 0xff), "j": -int64(n & 3), "k": n&1 == 1, "f": 1.5 + float64(n&255),
						"t": time.Date(2023, 5, 16, 0, 0, 0, 0, time.FixedZone("", 8*3600)).AddDate(0, 0, int(n&7)),
					})
				}
			}
		}
	}
	require.Greater(t, built, 1000)
}

// same compares the keys of a row and what is said of damaged ones.
func same(t *testing.T, s, without *rowkey.Schema, values map[string]any) {
	var conds []rowkey.Cond
	hot, slow := s.Key(), without.Key()
	for f := range s.Fields() {
		if f.Derived {
			continue
		}
		switch v := values[f.Name].(type) {
		case string:
			hot, slow = hot.String(v), slow.String(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		case uint64:
			hot, slow = hot.Uint(v), slow.Uint(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		case int64:
			hot, slow = hot.Int(v), slow.Int(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		case bool:
			hot, slow = hot.Bool(v), slow.Bool(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		case float64:
			hot, slow = hot.Float(v), slow.Float(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		case time.Time:
			hot, slow = hot.Time(v), slow.Time(v)
			conds = append(conds, rowkey.Eq(f.Name, v))
		}
	}
	plan, err := s.Scan(conds...)
	require.NoError(t, err, "%s %v", s, values)
	want := slices.Collect(plan.Keys())
	key, err := hot.Bytes()
	other, of := slow.Bytes()
	require.Equal(t, fmt.Sprint(of), fmt.Sprint(err), "%s %v", s, values)
	if err != nil {
		require.Empty(t, want, "%s %v", s, values)
		return
	}
	require.Len(t, want, 1, "%s %v", s, values)
	require.Equal(t, want[0], key, "%s %v", s, values)
	require.Equal(t, want[0], other, "%s %v", s, values)
	for i := range key {
		key[i] ^= 1
		_, of := without.Decode(key)
		_, err := s.Decode(key)
		require.Equal(t, fmt.Sprint(of), fmt.Sprint(err), "%s %x", s, key)
		r := s.Read(key)
		for f := range s.Fields() {
			if f.Stored && !f.Derived && f.Kind != "literal" {
				r = r.Skip()
			}
		}
		require.Equal(t, fmt.Sprint(of), fmt.Sprint(r.Err()), "%s %x", s, key)
		key[i] ^= 1
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
