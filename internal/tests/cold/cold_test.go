package cold

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
)

// After Make no field is on the hot path, and the schema is the same.
func TestMake(t *testing.T) {
	parse := func() *rowkey.Schema {
		return rowkey.Must(rowkey.Parse("t", `phoenix maxlen(99) [salt16(values(a,n))][a]['\x00'][n:8]`))
	}
	s, hot := parse(), parse()
	require.NoError(t, Make(s))
	for n := range 2 {
		require.NotEqual(t, layout.Cold, inside.Layout(hot).Steps[n].Form)
		require.True(t, inside.Walk(hot).Knows(n))
		require.Equal(t, layout.Cold, inside.Layout(s).Steps[n].Form)
		require.False(t, inside.Walk(s).Knows(n))
	}
	require.Equal(t, hot.Fingerprint(), s.Fingerprint())
	for i := range inside.Layout(s).Comps { // String knows them from before
		require.Equal(t, inside.Layout(hot).Comps[i].Notation(), inside.Layout(s).Comps[i].Notation())
	}
	key, err := s.AppendKey(nil, "ab", uint64(7))
	require.NoError(t, err)
	want, err := hot.AppendKey(nil, "ab", uint64(7))
	require.NoError(t, err)
	require.Equal(t, want, key)
	var a string
	var n uint64
	require.NoError(t, s.Read(key).String(&a).Uint(&n).Err())
	require.Equal(t, uint64(7), n)
}
