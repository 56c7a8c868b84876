package rekey

import (
	"context"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/stretchr/testify/assert"
)

// What a place lacks of a row, by time, value and how many versions it keeps.
func TestLacking(t *testing.T) {
	at := func(ms int64, value string) hbase.Cell {
		return hbase.Cell{Family: "f", Qualifier: "q", Value: []byte(value), Time: time.UnixMilli(ms)}
	}
	other := hbase.Cell{Family: "f", Qualifier: "r", Value: []byte("a"), Time: time.UnixMilli(9)}
	for _, c := range []struct {
		name        string
		have, there []hbase.Cell
		versions    int
		want        []hbase.Cell
	}{
		{"the same", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(5, "a")}, 1, nil},
		{"nothing there", []hbase.Cell{at(5, "a")}, nil, 1, []hbase.Cell{at(5, "a")}},
		{"an older one there", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(4, "a")}, 1, []hbase.Cell{at(5, "a")}},
		{"a newer one there", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(6, "b")}, 1, nil},
		{"a newer one of another column", []hbase.Cell{at(5, "a")}, []hbase.Cell{other}, 1, []hbase.Cell{at(5, "a")}},
		{"another value of the same time", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(5, "b")}, 1, []hbase.Cell{at(5, "a")}},
		{"a newer one, of two that are kept", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(6, "b")}, 2, []hbase.Cell{at(5, "a")}},
		{"two newer ones, of two that are kept", []hbase.Cell{at(5, "a")}, []hbase.Cell{at(7, "c"), at(6, "b")}, 2, nil},
	} {
		assert.Equal(t, c.want, lacking(c.have, c.there, func(*hbase.Cell) int { return c.versions }), c.name)
	}
}

// A cell that outlived its TTL, as one of the newest, is not shown after newer ones that a dead
// writer left in one place: it is no half delete, which Verify would finish where it is read.
func TestLackingAfterTTL(t *testing.T) {
	now := time.Now()
	at := func(hours int) hbase.Cell {
		return hbase.Cell{Family: "f", Qualifier: "q", Value: []byte("v"), Time: now.Add(time.Duration(-hours) * time.Hour)}
	}
	have, there := []hbase.Cell{at(50), at(60)}, []hbase.Cell{at(0), at(50)}
	for _, c := range []struct {
		name   string
		family hbase.Family
		want   []hbase.Cell
	}{
		{"two of three outlive it", hbase.Family{Versions: 3, MinVersions: 2, TTL: 48 * time.Hour}, nil},
		{"it is not over", hbase.Family{Versions: 3, MinVersions: 2, TTL: 72 * time.Hour}, []hbase.Cell{at(60)}},
		{"no TTL", hbase.Family{Versions: 3}, []hbase.Cell{at(60)}},
		{"two versions", hbase.Family{Versions: 2}, nil},
		{"a family of which nothing is known", hbase.Family{}, nil},
	} {
		shown := func(cell *hbase.Cell) int { return shows(c.family, cell.Time, now) }
		assert.Equal(t, c.want, lacking(have, there, shown), c.name)
	}
}

// The checksum of a row tells keys, columns, times and values apart.
func TestSumOf(t *testing.T) {
	base := hbase.Cell{Family: "f", Qualifier: "q", Value: []byte("v"), Time: time.UnixMilli(5)}
	seen := map[uint64]string{sumOf([]byte("k"), []hbase.Cell{base}): "the row"}
	for name, change := range map[string]func(c *hbase.Cell){
		"family":    func(c *hbase.Cell) { c.Family = "g" },
		"qualifier": func(c *hbase.Cell) { c.Qualifier = "r" },
		"moved":     func(c *hbase.Cell) { c.Qualifier, c.Value = "qv", nil },
		"value":     func(c *hbase.Cell) { c.Value = []byte("w") },
		"time":      func(c *hbase.Cell) { c.Time = time.UnixMilli(6) },
	} {
		c := base
		change(&c)
		sum := sumOf([]byte("k"), []hbase.Cell{c})
		assert.Empty(t, seen[sum], name)
		seen[sum] = name
	}
	assert.Empty(t, seen[sumOf([]byte("l"), []hbase.Cell{base})])
}

// A rate holds for all that wait together, and a context ends the waiting.
func TestPacer(t *testing.T) {
	p := pacer{rate: 1000}
	began := time.Now()
	for range 3 {
		assert.NoError(t, p.wait(t.Context(), 50))
	}
	assert.GreaterOrEqual(t, time.Since(began), 100*time.Millisecond)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.NoError(t, (&pacer{}).wait(ctx, 1000))
	p.due = time.Now().Add(time.Hour)
	assert.ErrorIs(t, p.wait(ctx, 1), context.Canceled)
}

// What is said of a move under way.
func TestProgress(t *testing.T) {
	p := Progress{Rows: 120_000, Bytes: 14 << 20, Regions: 16, Done: 8, Refused: 2, Took: 5 * time.Second, Left: 5 * time.Second}
	assert.Equal(t, "120000 rows, 14 MB, 8 of 16 regions, 24000 rows/s, 2 refused, 5s left", p.String())
	assert.Equal(t, "0 rows, 0 MB, 0 of 0 regions, 0 rows/s", Progress{}.String())
}
