package laws

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// TestPhoenixCharOfOneByte: a CHAR has characters of one byte, as Phoenix refuses
// all others; a VARCHAR and a BINARY hold any.
func TestPhoenixCharOfOneByte(t *testing.T) {
	for name, c := range map[string]struct {
		s     *rowkey.Schema
		holds bool
	}{
		"CHAR, padded": {rowkey.New("t", interop.Phoenix).String("a", rowkey.Pad(4, ' ')).MustBuild(), false},
		"CHAR, full":   {rowkey.New("t", interop.Phoenix).String("a", rowkey.Fixed(2)).MustBuild(), false},
		"CHAR DESC":    {rowkey.New("t", interop.Phoenix).String("a", rowkey.Pad(4, ' '), rowkey.Desc).MustBuild(), false},
		"VARCHAR":      {rowkey.New("t", interop.Phoenix).String("a").MustBuild(), true},
		"BINARY":       {rowkey.New("t", interop.Phoenix).Binary("a", rowkey.Fixed(2)).MustBuild(), true},
		"no dialect":   {rowkey.New("t").String("a", rowkey.Pad(4, ' ')).MustBuild(), true},
	} {
		key, err := c.s.AppendKey(nil, "é")
		if c.holds && err != nil || !c.holds && !errors.Is(err, rowkey.ErrRange) {
			t.Errorf("%s: é is %q, %v", name, key, err)
		}
		if _, err := c.s.AppendKey(nil, "ab"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := rowkey.New("t", interop.Phoenix).String("a", rowkey.Pad(4, ' ')).MustBuild()
	if _, err := s.Decode([]byte("\xc3\xa9  ")); !errors.Is(err, rowkey.ErrMalformed) {
		t.Errorf("é in a key of CHAR(4): %v", err)
	}
}

// TestPhoenixPaddingIsNoDifference: texts of a CHAR that are equal but for
// padding have one key, and are found by either.
func TestPhoenixPaddingIsNoDifference(t *testing.T) {
	s := rowkey.New("t", interop.Phoenix).String("a", rowkey.Pad(3, ' ')).Int("n", 1).MustBuild()
	key := mustKey(t)(s.AppendKey(nil, "ab", 1))
	for _, same := range []string{"ab", "ab ", "ab   "} {
		if got := mustKey(t)(s.AppendKey(nil, same, 1)); string(got) != string(key) {
			t.Errorf("%q has the key %q, and ab %q", same, got, key)
		}
		r, err := s.Key().String(same).Range()
		if err != nil || !r.Contains(key) {
			t.Errorf("%q reads %v, %v", same, r, err)
		}
		for name, c := range map[string]struct {
			cond rowkey.Cond
			want bool
		}{
			"Eq":       {rowkey.Eq("a", same), true},
			"In":       {rowkey.In("a", "x", same), true},
			"NotEq":    {rowkey.NotEq("a", same), false},
			"AtLeast":  {rowkey.AtLeast("a", same), true},
			"AtMost":   {rowkey.AtMost("a", same), true},
			"MoreThan": {rowkey.MoreThan("a", same), false},
			"LessThan": {rowkey.LessThan("a", same), false},
			"Span":     {rowkey.Span("a", same, "b"), true},
			"AnyOf":    {rowkey.AnyOf(rowkey.Eq("a", "x"), rowkey.AtMost("a", same)), true},
		} {
			plan, err := s.Scan(c.cond)
			if err != nil {
				t.Errorf("%s(%q): %v", name, same, err)
				continue
			}
			in := false
			for r := range plan.Ranges() {
				in = in || r.Contains(key)
			}
			if plan.Match(key) != c.want || in != c.want {
				t.Errorf("%s(%q): Match says %v, and the row lies in a range: %v; want %v", name, same, plan.Match(key), in, c.want)
			}
		}
	}
	var back string
	if err := s.Read(key).String(&back).Skip().Err(); err != nil || back != "ab" {
		t.Errorf("it is read as %q, %v", back, err)
	}
	if _, err := s.AppendKey(nil, "   ", 1); !errors.Is(err, rowkey.ErrLength) {
		t.Errorf("padding alone, which is null to Phoenix: %v", err)
	}
	if plan, err := s.Scan(rowkey.Prefix("a", "ab ")); err != nil || plan.Match(key) {
		t.Errorf("a Prefix is taken as it is said: %v, %v", plan, err)
	}
	none := rowkey.New("t").String("a", rowkey.Pad(3, ' ')).MustBuild()
	if _, err := none.AppendKey(nil, "ab "); !errors.Is(err, rowkey.ErrTerminator) {
		t.Errorf("without the dialect: %v", err)
	}
}

// A copy that pads as a CHAR does is compared as one, whatever its source is: "bb  " is "bb".
func TestCharCopyOfVarchar(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "phoenix [copy=b pad(4,' ')][b]"))
	key, err := s.AppendKey(nil, "bb")
	require.NoError(t, err)
	for _, text := range []string{"bb", "bb ", "bb  "} {
		for _, c := range []struct {
			cond rowkey.Cond
			want bool
		}{
			{rowkey.Eq("copy", text), true}, {rowkey.In("copy", "x", text), true}, {rowkey.NotEq("copy", text), false},
			{rowkey.AtLeast("copy", text), true}, {rowkey.AtMost("copy", text), true}, {rowkey.MoreThan("copy", text), false}, {rowkey.LessThan("copy", text), false},
		} {
			plan, err := s.Scan(c.cond, rowkey.FullScan())
			require.NoError(t, err)
			assert.Equal(t, c.want, plan.Match(key), "%q: %s", text, plan)
			if c.want {
				assert.Equal(t, 1, planCovering(slices.Collect(plan.Ranges()), key), "%q: %s", text, plan)
			}
		}
	}
}
