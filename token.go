package rowkey

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/fault"
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

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tokenSum is the checksum of a token.
func tokenSum(token []byte) uint32 {
	return crc32.Update(crc32.Checksum(token[:tokenHead-4], castagnoli), castagnoli, token[tokenHead:])
}

// Token marks the place after row; it says nothing about the ranges, so it
// cannot widen a query. One token is the place in every bucket: the next page
// is Merge over the Resume of the same query, whatever was written meanwhile.
// It holds the row's key in clear text: whoever is given a token can read the
// key's values. It is neither encrypted nor signed. Page makes tokens and resumes.
func (p *Plan) Token(row []byte) []byte {
	t := make([]byte, tokenHead, tokenHead+len(row))
	t[0] = tokenVersion
	copy(t[1:], p.s.Mark[:])
	t = append(t, row...)
	binary.BigEndian.PutUint32(t[tokenHead-4:], tokenSum(t))
	return t
}

// Place is the row's key that a token holds, which marks the place behind that row.
// A damaged token, one of another layout and an empty one are errors. The key lies
// in the token.
func (p *Plan) Place(token []byte) (row []byte, err error) {
	bad := func(why string) error {
		return p.s.ErrAt("", -1, &fault.Detail{Text: "token " + why, Reason: ErrMalformed})
	}
	switch {
	case len(token) == 0:
		return nil, bad("is empty; Page takes an empty one for the beginning, and says which page is the last")
	case len(token) < tokenHead || token[0] != tokenVersion || binary.BigEndian.Uint32(token[tokenHead-4:]) != tokenSum(token):
		return nil, bad("is damaged")
	case !bytes.Equal(token[1:tokenHead-4], p.s.Mark[:]):
		return nil, bad("is of another layout")
	}
	row = token[tokenHead:len(token):len(token)]
	if p.lead(row) < 0 || len(row) == 0 || len(row) > p.s.MaxLen {
		return nil, bad("holds no key")
	}
	return row, nil
}

// Resume is the part of the plan after a token of the same schema, in the
// direction in which the plan is read. Limit counts anew. A damaged token, one of
// another layout and an empty one are errors.
func (p *Plan) Resume(token []byte) (*Plan, error) {
	key, err := p.Place(token)
	if err != nil {
		return nil, err
	}
	n := p.lead(key)
	lead, rest := key[:n], key[n:]
	q := *p
	q.ranges = make([]Range, 0, len(p.ranges))
	for _, r := range p.ranges {
		// The place in this range's bucket: rows that equal the token's but for
		// their bucket come before it in the buckets below, behind it above.
		own := p.leadOf(r)
		at := slices.Concat(own, rest)
		c := bytes.Compare(own, lead)
		if c < 0 || c == 0 && !p.reversed {
			at = append(at, 0)
		}
		switch {
		case !p.reversed && bytes.Compare(at, r.start) > 0:
			r.start = at
		case p.reversed && (r.state == unbounded || bytes.Compare(at, r.stop) < 0):
			r.stop, r.state = at, bounded
		}
		if r.state == unbounded || bytes.Compare(r.start, r.stop) < 0 {
			q.ranges = append(q.ranges, r)
		}
	}
	return &q, nil
}

// leadOf is what all keys of a range begin with and Merge's order leaves out.
func (p *Plan) leadOf(r Range) []byte { return r.start[:max(0, p.lead(r.start))] }

// Limit is the plan of the first n rows, of the last n if it is Reversed: Merge
// stops there and asks no cursor for more than it must. A limit can only become
// lower; with none left there is nothing to read.
func (p *Plan) Limit(n int) *Plan {
	q := *p
	switch {
	case n < 1: // not the limit 0, which is none
		q.ranges = nil
	case p.limit == 0 || n < p.limit:
		q.limit = n
	}
	return &q
}

// Reversed is the same plan read from the last key to the first. Its ranges are
// the same: Range.Reversed has the bounds as a reversed scan wants them.
func (p *Plan) Reversed() *Plan {
	q := *p
	q.reversed = !p.reversed
	return &q
}

// IsReversed reports that the plan is read from the last key to the first: what
// opens a scan for Merge has to know.
func (p *Plan) IsReversed() bool { return p.reversed }

// SplitAt cuts the ranges at region boundaries, so that each piece is read by
// one region, all at the same time. The boundaries may come in any order, twice,
// and with the empty one that a table begins with; Merge's order stays as it is.
// Regions gives each region a plan of its own.
func (p *Plan) SplitAt(boundaries [][]byte) *Plan {
	cuts := cutsOf(boundaries)
	q := *p
	q.ranges = make([]Range, 0, len(p.ranges)+len(cuts))
	for _, r := range p.ranges {
		for len(cuts) > 0 && bytes.Compare(cuts[0], r.start) <= 0 {
			cuts = cuts[1:]
		}
		for len(cuts) > 0 && (r.state == unbounded || bytes.Compare(cuts[0], r.stop) < 0) {
			cut := slices.Clone(cuts[0])
			q.ranges = append(q.ranges, Range{r.start, cut, bounded, p.s})
			r.start = cut
			cuts = cuts[1:]
		}
		q.ranges = append(q.ranges, r)
	}
	return &q
}
