package plan

import (
	"slices"

	"github.com/hbase-rowkey/rowkey/internal/bound"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/piece"
	"github.com/hbase-rowkey/rowkey/internal/query"
)

// bucketed is what a query says of a salt: the numbers of its buckets. Nil says nothing.
type bucketed struct {
	c  *layout.Component
	as *layout.Component // the field that its bucket would be
	k  query.Constraint

	numbers map[string]uint64 // of each form; nil if the form can be undone
}

// bucketOf is what the query says of a salt, to which a condition is added.
func (p *Plan) bucketOf(c *layout.Component) *bucketed {
	q := p.bucketed(c)
	if q == nil {
		q = &bucketed{c: c, as: query.Numbered(c)}
		if bound.IsOneWay(c) {
			q.numbers = c.BucketNumbers()
		}
		p.rest().buckets = append(p.buckets(), q)
	}
	return q
}

// bucketed is what the query says of a salt; nil for a component of which it says nothing.
func (p *Plan) bucketed(c *layout.Component) *bucketed {
	for _, q := range p.buckets() {
		if q.c == c {
			return q
		}
	}
	return nil
}

// one reports that the query leaves one bucket.
func (q *bucketed) one() bool {
	return q != nil && len(q.k.Nums()) == 1 && q.k.Nums()[0].Lo == q.k.Nums()[0].Hi
}

// count is how many buckets the query leaves.
func (q *bucketed) count() (n float64) {
	for _, sp := range q.k.Nums() {
		n += float64(sp.Hi-sp.Lo) + 1
	}
	return n
}

// holds reports that the query asks for the bucket with this stored form.
func (q *bucketed) holds(form []byte) bool {
	n, ok := q.numbers[string(form)]
	if q.numbers == nil {
		n, ok = q.c.BucketNumber(form)
	}
	return ok && q.k.Match(q.as, layout.Val{Num: n, Ok: true})
}

// pieces gives the intervals of the forms of buckets that are too many to be listed.
func (q *bucketed) pieces() (out []piece.Piece) {
	if !q.c.BucketsSort() {
		return nil
	}
	for _, sp := range q.k.Nums() {
		out = append(out, piece.Piece{Lo: q.c.AppendBucket(nil, sp.Lo), Hi: q.c.AppendBucket(nil, sp.Hi), HiAfter: true, Number: true})
	}
	return out
}

// inBuckets reports that the salts of a key are those that the query asks for.
func (p *Plan) inBuckets(key []byte, at layout.Spans) bool {
	return !slices.ContainsFunc(p.buckets(), func(q *bucketed) bool { return !q.holds(key[at[q.c.Index]:at[q.c.Index+1]]) })
}

// bucketsFit is inBuckets for a whole key. It is true for one that cannot be read in one way.
func (p *Plan) bucketsFit(key []byte) bool {
	if len(p.buckets()) == 0 || p.S.Loose > 0 {
		return true
	}
	var few [layout.FewSpans]uint16
	at := p.S.Spans(few[:])
	return p.S.Split(key, at, false) != nil || p.inBuckets(key, at)
}
