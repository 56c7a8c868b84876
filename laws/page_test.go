package laws

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/scan"
)

// TestPage: pages of a size hold all rows once, in order; only the last says that
// it is, and pages after it are empty and no errors.
func TestPage(t *testing.T) {
	r := mergeRand(t)
	shapes := mergeShapes()
	for range 500 {
		sh, p, rows := mergeAny(r, shapes)
		want := wanted(sh, p, rows)
		size := 1 + r.IntN(6)
		if r.IntN(6) == 0 {
			size = max(1, len(want))
		}
		p = p.Limit(size)
		token := [][]byte{nil, {}}[r.IntN(2)]
		for past := 0; past < 3; {
			tb := &mergeTable{rows: rows, reversed: p.IsReversed()}
			page, next, done, err := scan.Page(t.Context(), p, token, 1+r.IntN(3), tb.open, (*mergeRow).row)
			n := min(size, len(want))
			if err != nil || len(page) != n || done != (n == len(want)) {
				t.Fatalf("%d rows of %d that are left, pages of %d: done %t, %v", len(page), len(want), size, done, err)
			}
			for i, row := range page {
				if !bytes.Equal(row.key, want[i]) {
					t.Fatalf("row %x, want %x", row.key, want[i])
				}
			}
			if n == 0 && !bytes.Equal(next, token) || n > 0 && !bytes.Equal(next, p.Token(want[n-1])) {
				t.Fatalf("next is %x behind %d rows", next, n)
			}
			want, token = want[n:], next
			if done {
				past++
			}
			if tb.opened != tb.closed {
				t.Fatal("a cursor is left open")
			}
		}
	}
}

// TestPageWhole: a plan without a limit is one page, and so is one whose limit is
// the largest number.
func TestPageWhole(t *testing.T) {
	sh, p, rows := fixedCase(false)
	want := wanted(sh, p, rows)
	for _, q := range []*rowkey.Plan{p, p.Limit(int(^uint(0) >> 1)), p.Limit(len(want))} {
		tb := &mergeTable{rows: rows}
		page, next, done, err := scan.Page(t.Context(), q, nil, 2, tb.open, (*mergeRow).row)
		if err != nil || !done || len(page) != len(want) || !bytes.Equal(next, p.Token(want[len(want)-1])) {
			t.Errorf("limit %d: %d rows, done %t, %v", inside.Plan(q).Most, len(page), done, err)
		}
	}
}

// TestPageLater: rows that are written after the last page are on the next one.
func TestPageLater(t *testing.T) {
	_, p, rows := fixedCase(false)
	p = p.Limit(100)
	tb := &mergeTable{rows: rows}
	_, token, done, err := scan.Page(t.Context(), p, nil, 1, tb.open, (*mergeRow).row)
	if err != nil || !done {
		t.Fatal(done, err)
	}
	tb.rows = sortRows(append(slices.Clone(rows), []byte("\x03zz")))
	page, _, done, err := scan.Page(t.Context(), p, token, 1, tb.open, (*mergeRow).row)
	if err != nil || !done || len(page) != 1 || string(page[0].key) != "\x03zz" {
		t.Errorf("%v, done %t, %v", page, done, err)
	}
}

// TestPageOfForeignRows: a plan that is exact gives every row in its ranges, one that is too long
// for the schema, too. The page after that row can be read.
func TestPageOfForeignRows(t *testing.T) {
	s := rowkey.New("short", rowkey.MaxLen(3)).Salt(2, "a").String("a").MustBuild()
	p, err := s.Scan(rowkey.FullScan())
	if err != nil {
		t.Fatal(err)
	}
	rows := sortRows([][]byte{[]byte("\x00a"), []byte("\x00bcdef"), []byte("\x00d"), []byte("\x01c"), []byte("\x01efghi")})
	for _, p := range []*rowkey.Plan{p, p.Reversed()} {
		want := slices.Clone(rows)
		slices.SortFunc(want, p.Compare)
		var got [][]byte
		var token []byte
		for done := false; !done && len(got) < len(want); {
			var page []*mergeRow
			tb := &mergeTable{rows: rows}
			if page, token, done, err = scan.Page(t.Context(), p.Limit(1), token, 1, tb.open, (*mergeRow).row); err != nil {
				t.Fatalf("after %q: %v", got, err)
			}
			for _, row := range page {
				got = append(got, row.key)
			}
		}
		if !sameRows(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPageErrors: with an error there are no rows, and the token that was given
// is given back, so that the call can be made again.
func TestPageErrors(t *testing.T) {
	sh, p, rows := fixedCase(false)
	want := wanted(sh, p, rows)
	token := p.Token(want[0])
	broken := errors.New("broken")
	failing := func(fail map[string]error) (page []*mergeRow, next []byte, done bool, err error) {
		tb := &mergeTable{rows: rows, fail: fail}
		return scan.Page(t.Context(), p.Limit(3), token, 1, tb.open, (*mergeRow).row)
	}
	for _, call := range []string{"open", "next 0", "close"} {
		page, next, done, err := failing(map[string]error{"0200: " + call: broken})
		if !errors.Is(err, broken) || page != nil || done || !bytes.Equal(next, token) {
			t.Errorf("%s: %v, %x, done %t, %v", call, page, next, done, err)
		}
	}
	tb := &mergeTable{rows: rows}
	damaged := slices.Clone(token)
	damaged[len(damaged)-1] ^= 1
	page, next, done, err := scan.Page(t.Context(), p, damaged, 1, tb.open, (*mergeRow).row)
	if !errors.Is(err, rowkey.ErrToken) || !strings.Contains(err.Error(), "token is damaged") || page != nil || done || !bytes.Equal(next, damaged) {
		t.Errorf("damaged: %v, %x, done %t, %v", page, next, done, err)
	}
	if _, _, done, err = scan.Page(t.Context(), nil, nil, 1, tb.open, (*mergeRow).row); !errors.Is(err, rowkey.ErrMissing) || done {
		t.Errorf("no plan: done %t, %v", done, err)
	}
}

// TestTokenEmpty: an empty token is said to be empty, one that was taken of no
// row to hold none, and neither to be damaged.
func TestTokenEmpty(t *testing.T) {
	_, p, _ := fixedCase(false)
	for _, c := range []struct {
		token []byte
		want  string
	}{
		{nil, "rowkey: salted: token is empty; Page takes an empty one for the beginning, and says which page is the last: not a token of this schema"},
		{[]byte{}, "rowkey: salted: token is empty; Page takes an empty one for the beginning, and says which page is the last: not a token of this schema"},
		{p.Token(nil), "rowkey: salted: token holds no key: not a token of this schema"},
		{p.Token(nil)[:5], "rowkey: salted: token is damaged: not a token of this schema"},
	} {
		if _, err := p.Resume(c.token); err == nil || err.Error() != c.want {
			t.Errorf("token %x: %v, want %s", c.token, err, c.want)
		}
	}
}
