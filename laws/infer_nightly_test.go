//go:build nightly

package laws

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/infer"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// What infer says to be sure is so, for layouts of all words, with rows of few letters in
// which all things collide. Most of these layouts cannot be read out of such rows; what
// was found is counted by word.
func TestInfer(t *testing.T) {
	usual := 8
	if testing.Short() {
		usual = 2
	}
	src := newGenSource(seed.Of(t))
	count := map[string]int{}
	byWord := map[string][2]int{}
	cases := seed.Cases(t, usual)
	for i := 0; count["cases"] < cases; i++ {
		ref, schema, r := src.schema(t, i)
		var columns []string
		for _, c := range ref.supplied() {
			columns = append(columns, c.name)
		}
		draw := func(n int) (rows [][]string, keys [][]byte, values []refRow) {
			for tries := 0; len(rows) < n && tries < 8*n; tries++ {
				row := genRow(r, ref)
				texts, ok := inferTexts(row)
				if !ok {
					continue
				}
				if key, err := schema.AppendKey(nil, row...); err == nil {
					rows, keys, values = append(rows, texts), append(keys, key), append(values, row)
				}
			}
			return rows, keys, values
		}
		rows, keys, _ := draw(50)
		if len(rows) < 50 || len(columns) == 0 {
			continue
		}
		count["cases"]++
		got, err := infer.Read(context.Background(), columns, rows, keys, infer.Limits{Max: 3 * time.Second})
		require.NoError(t, err)
		count[got.Verdict.String()]++
		right := got.Layout != nil
		if right {
			fresh, truth, values := draw(200)
			for j, row := range fresh {
				key, err := got.Layout.Key(row)
				if err != nil {
					count["values refused"]++
					continue
				}
				if bytes.Equal(key, truth[j]) {
					continue
				}
				right = false
				if got.Verdict == infer.Sure && bytes.Equal(key, withoutVia(schema, values[j])) {
					count["sure, and only a step of the program's own differs, which changed none of the keys"]++
				} else if got.Verdict == infer.Sure {
					count["sure and wrong"]++
					t.Errorf("seed %d:%d: sure and wrong: %v\n  read as %v\n  of %q it writes %x, not %x", src.seed, i, schema, got.Layout, row, key, truth[j])
				}
				break
			}
		}
		if right {
			count["found"]++
		}
		for _, name := range genHad(ref) {
			if strings.Contains(name, ",") {
				continue
			}
			n := byWord[name]
			if n[1]++; right {
				n[0]++
			}
			byWord[name] = n
		}
	}
	t.Logf("%v", count)
	var words []string
	for w, n := range byWord {
		words = append(words, fmt.Sprintf("%s %d/%d", w, n[0], n[1]))
	}
	slices.Sort(words)
	t.Logf("found by word: %s", strings.Join(words, "; "))
}

var viaStep = regexp.MustCompile(` via\("[^"]*"\)`)

// withoutVia is the key of a layout without the steps that a program has of its own: infer
// cannot know them, and one that changes no byte of 50 keys leaves no trace.
func withoutVia(s *rowkey.Schema, row refRow) []byte {
	plain, err := rowkey.Parse("", viaStep.ReplaceAllString(s.String(), ""))
	if err != nil {
		return nil
	}
	key, err := plain.AppendKey(nil, row...)
	if err != nil {
		return nil
	}
	return key
}

// inferTexts is a row as texts; false if a value has none that infer reads.
func inferTexts(row refRow) (out []string, ok bool) {
	for _, v := range row {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []byte:
			out = append(out, hex.EncodeToString(v))
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, false
			}
			out = append(out, strconv.FormatFloat(v, 'g', -1, 64))
		case bool, int64, uint64, int, uint:
			out = append(out, fmt.Sprint(v))
		case time.Time:
			if v.Year() <= 1900 || v.Year() >= 2200 {
				return nil, false
			}
			out = append(out, v.UTC().Format(time.RFC3339Nano))
		default:
			return nil, false
		}
	}
	return out, true
}
