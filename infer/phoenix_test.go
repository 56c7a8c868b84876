package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tables of Phoenix: the end of a descending text, nulls, and a TIMESTAMP as its driver
// prints it.
func TestPhoenix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 31))
	maybe := func(s string) string {
		if r.IntN(4) == 0 {
			return ""
		}
		return s
	}
	for _, c := range []struct {
		notation, columns string
		row               func(i int) []string
		want              string
	}{
		{`[a desc phoenix][n:i4 phoenix]`, "a:uname n:int", func(int) []string {
			return []string{value("uname", r, usualRows), value("int", r, usualRows)}
		}, `[a desc phoenix][n:i4 phoenix]`},
		{`[a phoenix][b numeric phoenix][c phoenix]`, "a:uname b:num c:uname", func(int) []string {
			return []string{value("uname", r, usualRows), value("num", r, usualRows), value("uname", r, usualRows)}
		}, ""},
		{`[a phoenix][ns(at) phoenix]`, "a:uname at:stamp", func(i int) []string {
			ms := 1684203630000 + int64(i)*7919_000_123
			return []string{value("uname", r, usualRows), fmt.Sprintf("%d:%d", ms, ms%1000*1000000+int64(i)*17)}
		}, `[a phoenix][ns(at) phoenix]`},
		{`[a optional phoenix][n:i4 phoenix]`, "a:null n:int", func(int) []string {
			return []string{maybe(value("uname", r, usualRows)), value("int", r, usualRows)}
		}, ""},
		{`[n:i4 orderedbytes][a optional orderedbytes][m:i8 orderedbytes]`, "n:int a:null m:int", func(int) []string {
			return []string{value("int", r, usualRows), maybe(value("uname", r, usualRows)), value("int", r, usualRows)}
		}, `[n:i4 orderedbytes][a optional orderedbytes][m:i8 orderedbytes]`},
		{`[k phoenix][a desc optional phoenix][n:i4 phoenix]`, "k:uname a:null n:int", func(int) []string {
			return []string{value("uname", r, usualRows), maybe(value("uname", r, usualRows)), value("int", r, usualRows)}
		}, ""},
		{`[k phoenix][a optional phoenix][b optional phoenix]`, "k:uname a:null b:null", func(int) []string { // what ends a text is left out before nulls that end the key
			return []string{value("uname", r, usualRows), maybe(value("uname", r, usualRows)), maybe(value("text", r, usualRows))}
		}, `[k phoenix][a optional phoenix][b optional phoenix]`},
	} {
		res := readRows(t, c.notation, c.columns, 60, c.row)
		require.Empty(t, res.Misfits)
		if c.want != "" {
			require.Equal(t, c.want, res.Layout.String())
		}
		t.Log(res.Verdict, res.Layout, res.Why)
	}
}
