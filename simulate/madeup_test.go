package simulate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rows that are made up are what their description says, and come alike each time.
func TestDescribe(t *testing.T) {
	describe := func() *MadeUp {
		m, err := Describe([][2]string{{"seller", "s-{zipf(1.1, 1000)}"}, {"buyer", "uniform(10, 12)"}, {"order", "counts(7)"}, {"tag", "hex(2)"}, {"what", `oneof(a, "b")`}, {"at", "arrives 50/min for 1h from 2026-11-11"}})
		require.NoError(t, err)
		return m
	}
	m := describe()
	assert.EqualValues(t, 3000, m.Rows)
	assert.EqualValues(t, 3000, m.Total)
	rows, err := csv.NewReader(m).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3001)
	assert.Equal(t, []string{"seller", "buyer", "order", "tag", "what", "at"}, rows[0])
	first, quoted := 0, 0
	before := time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)
	for i, row := range rows[1:] {
		if row[0] == "s-0" {
			first++
		}
		buyer, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		assert.True(t, buyer >= 10 && buyer <= 12)
		assert.Equal(t, strconv.Itoa(7+i), row[2])
		assert.Len(t, row[3], 4)
		if row[4] == `"b"` {
			quoted++
		}
		at, err := time.Parse(time.RFC3339Nano, row[5])
		require.NoError(t, err)
		assert.False(t, at.Before(before))
		before = at
	}
	assert.True(t, before.Before(time.Date(2026, 11, 11, 1, 0, 0, 0, time.UTC)))
	assert.InDelta(t, 3000*0.17, first, 150)
	assert.InDelta(t, 1500, quoted, 150)
	a, err := io.ReadAll(describe())
	require.NoError(t, err)
	b, err := io.ReadAll(describe())
	require.NoError(t, err)
	assert.Equal(t, a, b)
}

// Of many rows a million are made, each of which stands for its part.
func TestDescribeMany(t *testing.T) {
	m, err := Describe([][2]string{{"at", "arrives 5000/s for 24h"}})
	require.NoError(t, err)
	assert.EqualValues(t, 1_000_000, m.Rows)
	assert.EqualValues(t, 432_000_000, m.Total)
}

// A burst is of the rows that arrive within it.
func TestDescribeBurst(t *testing.T) {
	m, err := Describe([][2]string{{"seller", "s-{uniform(1000) | big for 40 % from 30min to 45min}"}, {"at", "arrives 1/s for 1h"}})
	require.NoError(t, err)
	rows, err := csv.NewReader(m).ReadAll()
	require.NoError(t, err)
	inside := 0
	for i, row := range rows[1:] {
		if row[0] == "s-big" {
			assert.True(t, i >= 1800 && i < 2700)
			inside++
		}
	}
	assert.InDelta(t, 360, inside, 60)
}

func TestDescribeRefuses(t *testing.T) {
	for _, text := range []string{"", "zipf(1, 10)", "zipf(1.1)", "uniform(0)", "uniform(5, 4)", "counts(a)", "hex(2000)", "oneof()", "s-{zipf(1.1, 10)", "arrives", "arrives 5/s", "arrives 0/s for 1h", "arrives 5/s for 1h from noon", "arrives 1e12/s for 1d", "arrives 1/d for 1h", "normal(3)", "uniform(3) | 7", "uniform(3) | 7 for 101 % from 1h to 2h", "uniform(3) | 7 for 1 % from 2h to 2h"} {
		_, err := Describe([][2]string{{"x", text}})
		assert.ErrorContains(t, err, "x: ", text)
	}
	_, err := Describe(nil)
	assert.Error(t, err)
	_, err = Describe([][2]string{{"a", "arrives 1/s for 1h"}, {"b", "arrives 1/s for 1h"}})
	assert.Error(t, err)
}

// Values may depend on others: copied, by another, padded; UUIDs and earlier times.
func TestDescribeDependent(t *testing.T) {
	m, err := Describe([][2]string{{"at", "arrives 50/min for 1h from 2026-11-11"}, {"seller", "s-{uniform(40) pad(4)}"}, {"city", "oneof(Rome, Oslo, Lima) by(seller)"},
		{"key", "{seller}/{counts pad(6)}"}, {"id", "uuid"}, {"event", "uuid7"}, {"made", "before(2d)"}, {"again", "{at}"}})
	require.NoError(t, err)
	m.Limit(1000)
	rows, err := csv.NewReader(m).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1001)
	cities, all, ids := map[string]string{}, map[string]int{}, map[string]bool{}
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	last := ""
	for i, row := range rows[1:] {
		require.Regexp(t, `^s-[0-9]{4}$`, row[1])
		if city, met := cities[row[1]]; met {
			assert.Equal(t, city, row[2], "one city a seller")
		}
		cities[row[1]] = row[2]
		assert.Equal(t, fmt.Sprintf("%s/%06d", row[1], i*3), row[3], "of 3000 rows each third")
		require.Equal(t, "4", uuid.FindStringSubmatch(row[4])[1])
		require.Equal(t, "7", uuid.FindStringSubmatch(row[5])[1])
		assert.False(t, ids[row[4]] || ids[row[5]])
		ids[row[4]], ids[row[5]] = true, true
		assert.Greater(t, row[5][:13], last, "it rises with the time")
		last = row[5][:13]
		at, err := time.Parse(time.RFC3339Nano, row[0])
		require.NoError(t, err)
		made, err := time.Parse(time.RFC3339Nano, row[6])
		require.NoError(t, err)
		assert.True(t, !made.After(at) && at.Sub(made) <= 48*time.Hour)
		assert.Equal(t, row[0], row[7])
	}
	for _, city := range cities {
		all[city]++
	}
	assert.Len(t, cities, 40)
	assert.Len(t, all, 3)
	for _, bad := range []string{"{nobody}", "uniform(3) by(nobody)", "counts by(a)", "uniform(3) pad(0)", "{uniform(3)", "uniform(3)}", "{{uniform(3)}", "before(x)", "uuid(3)"} {
		_, err := Describe([][2]string{{"a", "uniform(9)"}, {"x", bad}})
		assert.ErrorContains(t, err, "x: ", bad)
	}
	_, err = Describe([][2]string{{"x", "uuid7"}})
	assert.ErrorContains(t, err, "x: ")
}

// A moment is written as package time writes it, and in UTC whatever the zone of its beginning.
func TestMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.Of(t), 3))
	for range 2000 {
		at := time.Unix(r.Int64N(250_000_000_000)-55_000_000_000, r.Int64N(1e9)).UTC()
		require.Equal(t, at.Format("2006-01-02T15:04:05.000000Z"), string(appendMoment(nil, at)))
	}
	m, err := Describe([][2]string{{"at", "arrives 1/h for 2h from 2026-11-11T00:30:00+08:00"}})
	require.NoError(t, err)
	rows, err := csv.NewReader(m).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, "2026-11-10T16", rows[1][0][:13])
	for _, from := range []string{"0099-12-31", "9999-12-31"} {
		_, err := Describe([][2]string{{"at", "arrives 1/d for 2d from " + from}})
		assert.ErrorContains(t, err, "years 100 to 9999", from)
	}
}

// A rank in a sample is that of the whole order, and the bounds of a window are those of its number.
func TestRankedAndBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.Of(t), 4))
	for range 200 {
		s := sample{most: 400}
		rnd := random(r.Uint64() | 1)
		for range 1 + r.IntN(600) {
			s.add([]byte{byte(r.IntN(6)), byte(r.IntN(256))}, &rnd)
		}
		keys := s.sorted()
		n := r.IntN(len(keys))
		require.Equal(t, keys[n], s.ranked(n, bytes.Compare))
		require.Equal(t, keys[len(keys)-1-n], s.ranked(n, func(a, b []byte) int { return bytes.Compare(b, a) }))

		c := clock{step: r.IntN(len(widths)), base: r.Int64N(1000) - 500, shift: 3600 * (r.Int64N(25) - 12)}
		w := r.IntN(mostWindows)
		begins, ends := c.bounds(w)
		for sec, want := range map[int64]int{begins - 1: w - 1, begins: w, ends - 1: w, ends: w + 1} {
			require.Equal(t, want, c.window(sec))
		}
	}
}
