package laws

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Whole keys are decoded, rekeyed and matched by the ops of internal/walk, and by components: both
// give the same places, values, keys and errors.

// plans are a query planned for both.
type plans struct {
	text      string
	hot, cold *rowkey.Plan
}

// planOf plans a query whose conditions are near the values of a row.
func (h *hotCase) planOf(row refRow) (plans, bool) {
	conds := []rowkey.Cond{rowkey.FullScan()}
	text := ""
	for i, f := range h.s.supplied() {
		if c, word := wholeCond(h.r, f, row[i]); word != "" && genOdds(h.r, 2) {
			conds, text = append(conds, c), text+fmt.Sprintf("%s(%s, %v) ", word, f.name, row[i])
		}
	}
	hot, errA := h.built.Scan(conds...)
	cold, errB := h.cold.Scan(conds...)
	h.same("planning "+text, []any{errA}, []any{errB})
	return plans{text, hot, cold}, errA == nil
}

func wholeCond(r *rand.Rand, f *refComp, v any) (rowkey.Cond, string) {
	switch v := v.(type) {
	case string:
		n := r.IntN(len(v) + 1)
		switch r.IntN(4) {
		case 0:
			return rowkey.Eq(f.name, v), "Eq"
		case 1:
			if n > 0 {
				return rowkey.Prefix(f.name, v[:n]), "Prefix"
			}
		case 2:
			if n > 0 {
				return rowkey.Suffix(f.name, v[len(v)-n:]), "Suffix"
			}
		}
		return wholeOrder(r, f.name, v)
	case uint64:
		return wholeOrder(r, f.name, v)
	case int64:
		return wholeOrder(r, f.name, v)
	case float64:
		return wholeOrder(r, f.name, v)
	case time.Time:
		return wholeOrder(r, f.name, v)
	case bool:
		return rowkey.Eq(f.name, v), "Eq"
	case refNull:
		return rowkey.Null(f.name), "Null"
	}
	return rowkey.Cond{}, ""
}

func wholeOrder[T string | uint64 | int64 | float64 | time.Time](r *rand.Rand, name string, v T) (rowkey.Cond, string) {
	switch r.IntN(4) {
	case 0:
		return rowkey.AtLeast(name, v), "AtLeast"
	case 1:
		return rowkey.LessThan(name, v), "LessThan"
	case 2:
		return rowkey.NotEq(name, v), "NotEq"
	}
	return rowkey.Eq(name, v), "Eq"
}

// whole reads a whole key in both ways.
func (h *hotCase) whole(key []byte, p plans) {
	for _, loose := range []bool{false, true} {
		row := func(s *rowkey.Schema) (out []any) {
			decode, rekey := s.Decode, s.Rekey
			if loose {
				decode, rekey = s.DecodeLoose, s.RekeyLoose
			}
			row, err := decode(key)
			for f := range s.Fields() {
				out = append(out, f.Name, row.Has(f.Name), row.Stored(f.Name))
			}
			for name, v := range row.All() {
				out = append(out, name, v)
			}
			again, err2 := rekey([]byte("#"), key, s)
			return append(out, err, again, err2)
		}
		h.same(fmt.Sprintf("a row of %x", key), row(h.built), row(h.cold))
		if h.other == nil {
			continue
		}
		dst := slices.Grow([]byte("##"), h.r.IntN(60))
		rekeyed := func(to, from *rowkey.Schema) []any {
			rekey := to.Rekey
			if loose {
				rekey = to.RekeyLoose
			}
			out, err := rekey(slices.Clone(dst), key, from)
			if err == nil {
				h.counts["keys rekeyed"]++
			}
			return []any{out, err}
		}
		h.same(fmt.Sprintf("rekeying %x to %s", key, h.other.built), rekeyed(h.other.built, h.built), rekeyed(h.other.cold, h.cold))
	}
	h.same(fmt.Sprintf("matching %x with %s", key, p.text), []any{p.hot.Match(key)}, []any{p.cold.Match(key)})
	if p.hot.Match(key) {
		h.counts["keys matched"]++
	}
}
