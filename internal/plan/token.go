package plan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// A token is
//
//	01              its version
//	8 bytes         the first of the schema's Fingerprint
//	4 bytes         CRC-32C of all the rest, big-endian
//	the row's key
//
// The key stands in it in clear text. It is a place in Merge's order and nothing more: no range, no condition,
// no bucket to go on with. What a token means is up to the plan that resumes,
// so that whoever makes one up can only skip rows that the plan reads anyhow.
const (
	tokenVersion = 1
	tokenHead    = 1 + 8 + 4
)

// Castagnoli is the table of the CRC-32C checksums in tokens.
// It is made at the first token, since it takes longer than all else that an import does.
var Castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// tokenSum is the checksum of a token.
func tokenSum(token []byte) uint32 {
	table := Castagnoli()
	return crc32.Update(crc32.Checksum(token[:tokenHead-4], table), table, token[tokenHead:])
}

// Token gives the token of the place just after a row; the zero Plan has none.
func (p *Plan) Token(row []byte) []byte {
	if p.S == nil {
		return nil
	}
	t := make([]byte, tokenHead, tokenHead+len(row))
	t[0] = tokenVersion
	mark := p.S.Print()
	copy(t[1:tokenHead-4], mark[:])
	t = append(t, row...)
	binary.BigEndian.PutUint32(t[tokenHead-4:], tokenSum(t))
	return t
}

// Place gives the row that a token was made of.
func (p *Plan) Place(token []byte) (row []byte, err error) {
	if p.S == nil {
		return nil, fault.Make("", "", -1, &fault.Detail{Text: "the zero Plan has no tokens", Reason: fault.ErrMissing})
	}
	mark := p.S.Print()
	bad := func(why string) error {
		return p.S.ErrAt("", -1, &fault.Detail{Text: "token " + why, Reason: fault.ErrToken})
	}
	switch {
	case len(token) == 0:
		return nil, bad("is empty; Page takes an empty one for the beginning, and says which page is the last")
	case len(token) < tokenHead || token[0] != tokenVersion || binary.BigEndian.Uint32(token[tokenHead-4:]) != tokenSum(token):
		return nil, bad("is damaged")
	case !bytes.HasPrefix(mark[:], token[1:tokenHead-4]):
		return nil, bad("is of another layout")
	}
	row = token[tokenHead:len(token):len(token)]
	// It may be longer than keys of the schema: a plan that is exact gives every row in its ranges.
	if p.Lead(row) < 0 || len(row) == 0 || len(row) > forms.MaxKey {
		return nil, bad("holds no key")
	}
	return row, nil
}

// Resume gives the plan of the rows that come after a token.
func (p *Plan) Resume(token []byte) (Plan, error) {
	key, err := p.Place(token)
	if err != nil {
		return Plan{}, err
	}
	n := p.Lead(key)
	lead, rest := key[:n], key[n:]
	q := *p
	q.Ranges = bound.List{}
	for _, r := range p.Ranges.All() {
		// The place in this range's bucket: rows that equal the token's but for
		// their bucket come before it in the buckets below, after it in those above.
		own := p.LeadOf(r)
		at := slices.Concat(own, rest)
		c := bytes.Compare(own, lead)
		if c < 0 || c == 0 && !p.IsReversed {
			at = append(at, 0)
		}
		switch {
		case !p.IsReversed && bytes.Compare(at, r.Start) > 0:
			r.Start, q.whole = at, false // the rows before are kept out
		case p.IsReversed && (r.State == bound.Unbounded || bytes.Compare(at, r.Stop) < 0):
			r.Stop, r.State, q.whole = at, bound.Bounded, false
		}
		if r.State == bound.Unbounded || bytes.Compare(r.Start, r.Stop) < 0 {
			q.Ranges.Add(r)
		}
	}
	return q, nil
}

// LeadOf gives the bytes that Merge's order leaves out: all keys of the range begin with
// them.
func (p *Plan) LeadOf(r bound.Range) []byte { return r.Start[:max(0, p.Lead(r.Start))] }

// Limit is the plan of the first n rows.
func (p *Plan) Limit(n int) Plan {
	q := *p
	switch {
	case n < 1: // not the limit 0, which is none
		q.Ranges = bound.List{}
		q.more = new(more)
		if p.more != nil {
			*q.more = *p.more // the plan keeps its own
		}
		q.more.refused = &fault.Detail{Text: fmt.Sprintf("Limit(%d): a limit is 1 or more; a plan without Limit reads all rows", n), Reason: fault.ErrRange}
	case p.Most == 0 || n < p.Most:
		q.Most = n
	}
	return q
}

// Reversed is the plan of the same rows from the end.
func (p *Plan) Reversed() Plan {
	q := *p
	q.IsReversed = !p.IsReversed
	return q
}

// SplitAt is the plan with its ranges cut at boundaries.
func (p *Plan) SplitAt(boundaries [][]byte) Plan {
	cuts := bound.Cuts(boundaries)
	q := *p
	q.Ranges = bound.List{}
	for _, r := range p.Ranges.All() {
		for len(cuts) > 0 && bytes.Compare(cuts[0], r.Start) <= 0 {
			cuts = cuts[1:]
		}
		for len(cuts) > 0 && (r.State == bound.Unbounded || bytes.Compare(cuts[0], r.Stop) < 0) {
			q.Ranges.Add(bound.Range{Start: r.Start, Stop: cuts[0], State: bound.Bounded})
			r.Start = cuts[0]
			cuts = cuts[1:]
		}
		q.Ranges.Add(r)
	}
	return q
}
