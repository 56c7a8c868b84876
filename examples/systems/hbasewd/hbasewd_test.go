package hbasewd_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/hbasewd"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
)

// What com.sematext.hbasewd:hbasewd 0.1.0 wrote.
func TestVectors(t *testing.T) {
	vectors.Run(t, "hbasewd.jsonl", func(l *vectors.Line) {
		if l.Has("op") {
			scans(l)
			return
		}
		n, key := l.Int("buckets"), l.Hex("key")
		var all []string
		if l.Has("all") {
			l.Get("all", &all)
		}
		switch d := l.Text("distributor"); d {
		case "RowKeyDistributorByHashPrefix(OneByteSimpleHash)":
			byHash(l, n, key, all)
		case "RowKeyDistributorByOneBytePrefix":
			inTurn(l, n, key, all)
		default:
			l.Errorf("unknown distributor %q", d)
		}
	})
}

func byHash(l *vectors.Line, n int, key []byte, all []string) {
	s := hbasewd.ByHash(n)
	distributed, hash := l.Hex("distributed"), l.Int("hash31")
	l.Equal("the original key", l.Hex("original_back"), key)
	if hash == math.MinInt32 {
		if _, err := s.AppendKey(nil, key); !errors.Is(err, rowkey.ErrRange) {
			l.Errorf("written: %v", err)
		}
		if n&(n-1) != 0 { // its bucket is no bucket
			if _, err := s.Decode(distributed); !errors.Is(err, rowkey.ErrDerived) {
				l.Errorf("read: %v", err)
			}
		}
		row, err := s.DecodeLoose(distributed)
		l.Equal("the key, loosely", row.Stored("key"), key)
		if err != nil {
			l.Errorf("%v", err)
		}
		l.OnlyRefused("the hash is −2³¹, of which Math.abs is negative: HBaseWD loses such rows unless the buckets are a power of two")
		return
	}
	l.Key(s, distributed, key)
	candidates(l, n, key, all)
}

// candidates holds the keys that a get has to try against getAllDistributedKeys.
func candidates(l *vectors.Line, n int, key []byte, all []string) {
	plan, err := hbasewd.InTurn(n).Scan(rowkey.Eq("key", key))
	if err != nil {
		l.Errorf("%v", err)
		return
	}
	var keys []string
	for k := range plan.Keys() {
		keys = append(keys, hex.EncodeToString(k))
	}
	if all != nil {
		l.Equal("all keys", keys, all)
	}
}

func inTurn(l *vectors.Line, n int, key []byte, all []string) {
	s, turn := hbasewd.InTurn(n), turns(uint64(n))
	var first []string
	l.Get("first_keys_in_order", &first)
	for _, want := range first {
		b, err := hex.DecodeString(want)
		if err != nil {
			l.Errorf("%v", err)
		}
		l.Key(s, b, turn(), key)
	}
	candidates(l, n, key, all)
}

// scans holds a scan of every bucket against getDistributedScans.
func scans(l *vectors.Line) {
	if op := l.Text("op"); op != "getDistributedScans" {
		l.Errorf("unknown operation %q", op)
	}
	n, start, stop, count := l.Int("buckets"), l.Hex("start"), l.Hex("stop"), l.Int("count")
	var want []struct{ Start, Stop string }
	l.Get("scans", &want)
	s := map[string]*rowkey.Schema{
		"RowKeyDistributorByHashPrefix":    hbasewd.ByHash(n),
		"RowKeyDistributorByOneBytePrefix": hbasewd.InTurn(n),
	}[l.Text("distributor")]
	if s == nil {
		l.Errorf("unknown distributor")
		return
	}
	conds := []rowkey.Cond{rowkey.AtLeast("key", start), rowkey.FullScan()}
	if len(stop) > 0 {
		conds = append(conds, rowkey.LessThan("key", stop))
	}
	plan, err := s.Scan(conds...)
	if err != nil {
		l.Errorf("%v", err)
		return
	}
	if len(stop) > 0 && string(start) >= string(stop) {
		l.Equal("ranges", plan.Len(), 0)
		l.OnlyRefused("a scan of nothing, of which HBaseWD makes scans whose start is their stop; HBase reads the row of that key")
		return
	}
	var got []rowkey.Range
	for r := range plan.Ranges() {
		got = append(got, r)
	}
	l.Equal("ranges", len(got), count)
	if len(got) != len(want) { // the first two and the last two of many
		got = slices.Concat(got[:2], got[len(got)-2:])
	}
	wider := false
	for i, r := range got {
		l.Equal("start", hex.EncodeToString(r.Start()), want[i].Start)
		ends := hex.EncodeToString(r.Stop())
		if len(stop) == 0 && want[i].Stop != ends { // the bucket's end
			wider = true
			if last := i == len(got)-1; last {
				ends = "" // no row of HBaseWD's lies after its last bucket
			} else {
				ends += hex.EncodeToString(start)
			}
		}
		l.Equal("stop", ends, want[i].Stop)
	}
	if wider && len(start) > 0 {
		l.OnlyRefused("a scan without a stop, which HBaseWD ends in the next bucket at the start's key: rows below the start are read there")
	}
}

func Example() {
	byHash, inTurn := hbasewd.ByHash(10), hbasewd.InTurn(4)
	fmt.Println(byHash)
	key, err := byHash.Key().Binary([]byte("row-0001")).Bytes()
	fmt.Printf("%x %v\n", key, err)

	turn := turns(4)
	fmt.Println(inTurn)
	for range 2 {
		key, err := inTurn.Key().Uint(turn()).Binary([]byte("row-0001")).Bytes()
		fmt.Printf("%x %v\n", key, err)
	}

	// A span of keys is a range in each bucket.
	plan, err := inTurn.Scan(rowkey.Span("key", "row-0001", "row-0010"))
	for r := range plan.Ranges() {
		fmt.Println(r, err)
	}

	// The key whose bucket HBaseWD cannot find again.
	_, err = byHash.Key().Binary([]byte("\xb4\x60\xf6\xcf\x04\xf3\x00\x0b")).Bytes()
	fmt.Println(err)
	// Output:
	// [salt10(rest()) hbasewdhash][key:bytes]
	// 05726f772d30303031 <nil>
	// [slot:1 below(4) bucket][key:bytes]
	// 00726f772d30303031 <nil>
	// 01726f772d30303031 <nil>
	// [\x00row-0001, \x00row-0010) <nil>
	// [\x01row-0001, \x01row-0010) <nil>
	// [\x02row-0001, \x02row-0010) <nil>
	// [\x03row-0001, \x03row-0010) <nil>
	// rowkey: by hash: salt: hbasewdhash has no bucket for the rest, since Math.abs of its hash is negative: interop.PinpointHash has one: value out of range
}

// turns counts 0 … n−1 and begins anew; safe for many goroutines.
func turns(n uint64) func() uint64 {
	var turn atomic.Uint64
	return func() uint64 { return (turn.Add(1) - 1) % n }
}
