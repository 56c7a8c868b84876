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

// Token is the place behind a row.
func (p *queryPlan) Token(row []byte) []byte {
	t := make([]byte, tokenHead, tokenHead+len(row))
	t[0] = tokenVersion
	copy(t[1:], p.s.Mark[:])
	t = append(t, row...)
	binary.BigEndian.PutUint32(t[tokenHead-4:], tokenSum(t))
	return t
}

// Place is the row of a token.
func (p *queryPlan) Place(token []byte) (row []byte, err error) {
	bad := func(why string) error {
		return p.s.ErrAt("", -1, &fault.Detail{Text: "token " + why, Reason: fault.ErrMalformed})
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

// Resume is the plan of what comes behind a token.
func (p *queryPlan) Resume(token []byte) (queryPlan, error) {
	key, err := p.Place(token)
	if err != nil {
		return queryPlan{}, err
	}
	n := p.lead(key)
	lead, rest := key[:n], key[n:]
	q := *p
	q.ranges = make([]keyRange, 0, len(p.ranges))
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
	return q, nil
}

// leadOf is what all keys of a range begin with and Merge's order leaves out.
func (p *queryPlan) leadOf(r keyRange) []byte { return r.start[:max(0, p.lead(r.start))] }

// Limit is the plan of the first n rows.
func (p *queryPlan) Limit(n int) queryPlan {
	q := *p
	switch {
	case n < 1: // not the limit 0, which is none
		q.ranges = nil
	case p.limit == 0 || n < p.limit:
		q.limit = n
	}
	return q
}

// Reversed is the plan of the same rows from the end.
func (p *queryPlan) Reversed() queryPlan {
	q := *p
	q.reversed = !p.reversed
	return q
}

// SplitAt is the plan with its ranges cut at boundaries.
func (p *queryPlan) SplitAt(boundaries [][]byte) queryPlan {
	cuts := cutsOf(boundaries)
	q := *p
	q.ranges = make([]keyRange, 0, len(p.ranges)+len(cuts))
	for _, r := range p.ranges {
		for len(cuts) > 0 && bytes.Compare(cuts[0], r.start) <= 0 {
			cuts = cuts[1:]
		}
		for len(cuts) > 0 && (r.state == unbounded || bytes.Compare(cuts[0], r.stop) < 0) {
			cut := slices.Clone(cuts[0])
			q.ranges = append(q.ranges, keyRange{r.start, cut, bounded, p.s})
			r.start = cut
			cuts = cuts[1:]
		}
		q.ranges = append(q.ranges, r)
	}
	return q
}
