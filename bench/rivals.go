package bench

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/auxten/postgresql-parser/pkg/util/encoding"
	"github.com/google/orderedcode"
	"github.com/hashicorp/go-memdb"
	"github.com/phiryll/lexy"
	"github.com/tikv/client-go/v2/util/codec"

	"github.com/hbase-rowkey/rowkey"
)

// rival is another way to make a key of a Trade: seller first, newest first,
// then by order. Those that fill a caller's buffer get one.
type rival struct {
	name, what string
	key        keyOf
	// like is the schema whose keys these are, byte for byte. Keys of a format
	// of their own are read back by decode, where the project has a way, and must
	// sort as the rows do.
	like   *rowkey.Schema
	decode func(key []byte) (Trade, error)
}

var rivals = []rival{
	{name: "tikv", what: "TiKV's codec: `EncodeBytes`, `EncodeUintDesc`, `EncodeUint`",
		key: func(dst []byte, r *Trade) ([]byte, error) {
			dst = codec.EncodeBytes(dst, []byte(r.Seller))
			dst = codec.EncodeUintDesc(dst, uint64(r.At))
			return codec.EncodeUint(dst, r.Order), nil
		},
		decode: func(key []byte) (r Trade, err error) {
			rest, seller, err := codec.DecodeBytes(key, nil)
			if err != nil {
				return r, err
			}
			rest, at, err := codec.DecodeUintDesc(rest)
			if err != nil {
				return r, err
			}
			rest, order, err := codec.DecodeUint(rest)
			return Trade{string(seller), int64(at), order}, atEnd(rest, err)
		}},
	{name: "cockroach", what: "CockroachDB's encoding: `EncodeStringAscending`, `EncodeVarintDescending`, `EncodeUvarintAscending`",
		key: func(dst []byte, r *Trade) ([]byte, error) {
			dst = encoding.EncodeStringAscending(dst, r.Seller)
			dst = encoding.EncodeVarintDescending(dst, r.At)
			return encoding.EncodeUvarintAscending(dst, r.Order), nil
		},
		decode: func(key []byte) (r Trade, err error) {
			rest, seller, err := encoding.DecodeUnsafeStringAscending(key, nil)
			if err != nil {
				return r, err
			}
			rest, at, err := encoding.DecodeVarintDescending(rest)
			if err != nil {
				return r, err
			}
			rest, order, err := encoding.DecodeUvarintAscending(rest)
			return Trade{seller, at, order}, atEnd(rest, err)
		}},
	{name: "orderedcode", what: "google/orderedcode: `Append` of a string, a `Decr` and a number",
		key: func(dst []byte, r *Trade) ([]byte, error) {
			return orderedcode.Append(dst, r.Seller, orderedcode.Decr(r.At), r.Order)
		},
		decode: func(key []byte) (r Trade, err error) {
			rest, err := orderedcode.Parse(string(key), &r.Seller, orderedcode.Decr(&r.At), &r.Order)
			return r, atEnd([]byte(rest), err)
		}},
	{name: "lexy", what: "phiryll/lexy: `TerminatedString`, `Negate(Int64)`, `Uint64`",
		key: func(dst []byte, r *Trade) ([]byte, error) {
			dst = lexySeller.Append(dst, r.Seller)
			dst = lexyAt.Append(dst, r.At)
			return lexyOrder.Append(dst, r.Order), nil
		},
		decode: func(key []byte) (r Trade, err error) {
			r.Seller, key = lexySeller.Get(key)
			r.At, key = lexyAt.Get(key)
			r.Order, key = lexyOrder.Get(key)
			return r, atEnd(key, nil)
		}},
	{name: "memdb", what: "hashicorp/go-memdb: a `CompoundIndex` of a struct's fields; it has no decoder",
		key: func(_ []byte, r *Trade) ([]byte, error) {
			// It knows no descending order: the caller turns the time around.
			ok, key, err := memdbIndex.FromObject(&memdbTrade{r.Seller, uint64(math.MaxInt64 - r.At), r.Order})
			if err == nil && !ok {
				err = errEmpty
			}
			return key, err
		}},
	{name: "buffer", what: "`bytes.Buffer` with `binary.Write`", like: plain,
		key: func(_ []byte, r *Trade) ([]byte, error) {
			sharedBuffer.Reset()
			sharedBuffer.WriteString(r.Seller)
			sharedBuffer.WriteByte('_')
			if err := binary.Write(&sharedBuffer, binary.BigEndian, uint64(math.MaxInt64-r.At)); err != nil {
				return nil, err
			}
			if err := binary.Write(&sharedBuffer, binary.BigEndian, r.Order); err != nil {
				return nil, err
			}
			return sharedBuffer.Bytes(), nil
		}},
	{name: "strconv", what: "`strconv.AppendInt`, decimal text", like: asText,
		key: func(dst []byte, r *Trade) ([]byte, error) {
			dst = append(append(dst, r.Seller...), '_')
			dst = append(strconv.AppendInt(dst, math.MaxInt64-r.At, 10), '_')
			return strconv.AppendUint(dst, r.Order, 10), nil
		}},
	{name: "sprintf", what: "`fmt.Sprintf(\"%s_%d_%d\")`, decimal text", like: asText,
		key: func(_ []byte, r *Trade) ([]byte, error) {
			return []byte(fmt.Sprintf("%s_%d_%d", r.Seller, math.MaxInt64-r.At, r.Order)), nil
		}},
}

var (
	lexySeller = lexy.TerminatedString()
	lexyAt     = lexy.Negate(lexy.Int64())
	lexyOrder  = lexy.Uint64()

	memdbIndex = memdb.CompoundIndex{Indexes: []memdb.Indexer{
		&memdb.StringFieldIndex{Field: "Seller"},
		&memdb.UintFieldIndex{Field: "Left"},
		&memdb.UintFieldIndex{Field: "Order"},
	}}

	sharedBuffer bytes.Buffer
)

type memdbTrade struct {
	Seller      string
	Left, Order uint64
}

var errLeft = errors.New("bytes left over")

func atEnd(rest []byte, err error) error {
	if err == nil && len(rest) > 0 {
		return errLeft
	}
	return err
}

func (r *rival) pair() Pair {
	return Pair{r.key.each(), keyOf(floorPlain).each(), r.check}
}

// check holds the rival's keys against the rows.
func (r *rival) check() error {
	if r.like != nil {
		return sameKeys(r.key, func(dst []byte, t *Trade) ([]byte, error) {
			return r.like.AppendKey(dst, t.Seller, time.UnixMilli(t.At), t.Order)
		})
	}
	type made struct {
		key string
		row *Trade
	}
	all := make([]made, len(lotRows))
	for i := range lotRows {
		key, err := r.key(nil, &lotRows[i])
		if err != nil {
			return err
		}
		all[i] = made{string(key), &lotRows[i]}
		if r.decode == nil {
			continue
		}
		got, err := r.decode(key)
		if err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		if got != lotRows[i] {
			return fmt.Errorf("row %d: %v comes back as %v", i, lotRows[i], got)
		}
	}
	slices.SortFunc(all, func(a, b made) int { return strings.Compare(a.key, b.key) })
	for i := range all[1:] {
		if a, b := all[i].row, all[i+1].row; cmp.Or(strings.Compare(a.Seller, b.Seller), cmp.Compare(b.At, a.At), cmp.Compare(a.Order, b.Order)) >= 0 {
			return fmt.Errorf("the key of %v sorts before that of %v", *a, *b)
		}
	}
	return nil
}
