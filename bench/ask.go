package bench

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// What a reader calls beside the keys themselves, each beside code by hand for this one question.

var device = rowkey.New("device").
	Uint("device", 4).
	Time("at", rowkey.Millis, rowkey.Desc).
	MustBuild()

var spread = rowkey.New("spread").
	Hash(rowkey.Murmur3.Raw(2), "seller").
	String("seller").Separator("\x00").
	Uint("order", 8).
	MustBuild()

func askJobs() []Job {
	return []Job{
		{Name: "match/text", What: "`Plan.Match`: a text and a span of times, half of the keys match", Goal: 3, Unit: "key", New: matchText},
		{Name: "match/salted", What: "the same of a number and a span, in a key with a salt, which both sides compute", Goal: 3, Unit: "key", New: matchSalted},
		{Name: "plan/one", What: "a plan of one range: a number and a span of times", Goal: 6, Allocs: 2, Unit: "plan", New: planOne},
		{Name: "plan/in100", What: "a plan of 100 values out of order", Goal: 3, Allocs: 6, Unit: "plan", New: planIn(100)},
		{Name: "plan/in100000", What: "100000 of them", Goal: 2.5, Allocs: 12, Unit: "value", Per: 100_000, New: planIn(100_000)},
		{Name: "range/new", What: "`KeyBuilder.Range` of one seller, in new memory", Goal: 2, Allocs: 1, Unit: "call", New: rangeNew},
		{Name: "splits/256", What: "256 regions of a table whose keys begin with a hash of 2 bytes", Goal: 3, Allocs: 4, Unit: "call", New: splits256},
		{Name: "explain/three", What: "`Explain` of a key of three fields", Goal: 3, Allocs: 13, Unit: "call", New: explainThree},
	}
}

// eachMatch asks of each key in turn whether it matches. One of them must.
func eachMatch(keys [][]byte, match func([]byte) bool) func(int) error {
	return func(n int) error {
		found := 0
		for i := range n {
			if match(keys[i%len(keys)]) {
				found++
			}
		}
		if n >= len(keys) && found == 0 {
			return errEmpty
		}
		return nil
	}
}

// matches pairs two ways to judge the keys of a lot.
func matches(keys [][]byte, work, floor func([]byte) bool) Pair {
	return Pair{eachMatch(keys, work), eachMatch(keys, floor), func() error {
		found := 0
		for i, key := range keys {
			ours := work(key)
			if ours != floor(key) {
				return fmt.Errorf("key %d matches: %v, and by hand not so", i, ours)
			}
			if ours {
				found++
			}
			if short := key[:len(key)-1]; work(short) != floor(short) {
				return fmt.Errorf("key %d without its last byte matches: %v, and by hand not so", i, work(short))
			}
		}
		if found < len(keys)/4 || found > 3*len(keys)/4 {
			return fmt.Errorf("%d of %d keys match", found, len(keys))
		}
		return nil
	}}
}

func matchText() Pair {
	keys := make([][]byte, lot)
	for i := range keys {
		r := lotRows[i]
		if i%4 != 0 {
			r.Seller = "seller-42"
		}
		key, err := floorPlain(nil, &r)
		if err != nil {
			panic(err)
		}
		keys[i] = key
	}
	from, to := time.UnixMilli(lotRows[0].At+100), time.UnixMilli(lotRows[0].At+800)
	plan := rowkey.Must(plain.Scan(rowkey.Eq("seller", "seller-42"), rowkey.AtLeast("at", from), rowkey.LessThan("at", to)))
	first, after := from.UnixMilli(), to.UnixMilli()
	return matches(keys, plan.Match, func(key []byte) bool { return floorMatch(key, "seller-42", first, after) })
}

// floorMatch reports that a whole key is one of a seller and of a time from first and before after.
//
//go:noinline
func floorMatch(key []byte, seller string, first, after int64) bool {
	n := bytes.IndexByte(key, '_')
	if n < 0 || len(key) > maxKey || len(key) != n+17 {
		return false
	}
	left := binary.BigEndian.Uint64(key[n+1:])
	if left > math.MaxInt64 {
		return false
	}
	at := math.MaxInt64 - int64(left)
	return string(key[:n]) == seller && at >= first && at < after
}

func matchSalted() Pair {
	keys := make([][]byte, lot)
	for i := range keys {
		tenant := uint64(7)
		if i%4 == 0 {
			tenant = uint64(i)
		}
		key, err := timeline.KeyIn(nil).Uint(tenant).UnixMilli(lotRows[i].At).String(lotRows[i].Seller).Bytes()
		if err != nil {
			panic(err)
		}
		keys[i] = key
	}
	from, to := time.UnixMilli(lotRows[0].At+100), time.UnixMilli(lotRows[0].At+800)
	plan := rowkey.Must(timeline.Scan(rowkey.Eq("tenant", 7), rowkey.AtLeast("at", from), rowkey.LessThan("at", to)))
	first, after := from.UnixMilli(), to.UnixMilli()
	return matches(keys, plan.Match, func(key []byte) bool { return floorMatchSalted(key, 7, first, after) })
}

// floorMatchSalted is floorMatch of a tenant, in keys whose first byte is the bucket of their host.
//
//go:noinline
func floorMatchSalted(key []byte, tenant uint32, first, after int64) bool {
	if len(key) < 13 || len(key) > maxKey {
		return false
	}
	left := binary.BigEndian.Uint64(key[5:])
	if left > math.MaxInt64 {
		return false
	}
	at := math.MaxInt64 - int64(left)
	return binary.BigEndian.Uint32(key[1:]) == tenant && at >= first && at < after && uint32(key[0]) == floorMurmur(key[13:])%16
}

// plans pairs two ways to make the ranges of a query.
func plans(ours func() (*rowkey.Plan, error), floor func() ([]bound, error)) Pair {
	return Pair{repeat(func() error { _, err := ours(); return err }), repeat(func() error { _, err := floor(); return err }), func() error {
		plan, err := ours()
		if err != nil {
			return err
		}
		bounds, err := floor()
		if err != nil {
			return err
		}
		var found []rowkey.Range
		for r := range plan.Ranges() {
			found = append(found, r)
		}
		if !plan.Exact() {
			return fmt.Errorf("the plan is not exact: %s", plan)
		}
		return same(showRanges(found), showBounds(bounds))
	}}
}

func planOne() Pair {
	from, to := time.UnixMilli(1684202400000), time.UnixMilli(1684206000000)
	return plans(func() (*rowkey.Plan, error) {
		return device.Scan(rowkey.Eq("device", 7), rowkey.AtLeast("at", from), rowkey.LessThan("at", to))
	}, func() ([]bound, error) { return floorOne(7, from, to) })
}

// floorOne is the range of a device from an instant on and before another.
//
//go:noinline
func floorOne(device uint64, from, to time.Time) ([]bound, error) {
	const width = 4 + 8
	first, last := from.UnixMilli(), to.UnixMilli()
	if device > math.MaxUint32 || first < 0 || first >= last {
		return nil, errFloor
	}
	if to.Nanosecond()%int(time.Millisecond) != 0 {
		last++ // the millisecond that it cuts holds rows before it
	}
	arena := make([]byte, 0, 2*width)
	for _, ms := range [2]int64{last - 1, first - 1} { // the latest comes first; the stop is not in the range
		arena = binary.BigEndian.AppendUint32(arena, uint32(device))
		arena = binary.BigEndian.AppendUint64(arena, uint64(math.MaxInt64)-uint64(ms))
	}
	return []bound{{arena[:width], arena[width:]}}, nil
}

// planIn pairs plans of n devices, in no order.
func planIn(n int) func() Pair {
	return func() Pair {
		devices := make([]uint32, n)
		for i := range devices {
			devices[i] = uint32(i) * 0x9e3779b1
		}
		return plans(func() (*rowkey.Plan, error) {
			return device.Scan(rowkey.In("device", devices...), rowkey.MaxRanges(n))
		}, func() ([]bound, error) { return floorIn(devices) })
	}
}

// floorIn is a range for each device, in key order; devices that follow each other share one.
//
//go:noinline
func floorIn(devices []uint32) ([]bound, error) {
	sorted := slices.Clone(devices)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	arena, dst := make([]byte, 0, 8*len(sorted)), make([]bound, 0, len(sorted))
	for i, d := range sorted {
		stop := []byte(nil) // the first key after those that begin with d: none where d is the largest
		start := len(arena)
		arena = binary.BigEndian.AppendUint32(arena, d)
		if d < math.MaxUint32 {
			stop = binary.BigEndian.AppendUint32(arena, d+1)[start+4:]
			for stop[len(stop)-1] == 0 {
				stop = stop[:len(stop)-1]
			}
			arena = arena[:start+8]
		}
		if i > 0 && d == sorted[i-1]+1 {
			dst[len(dst)-1].stop = stop
			continue
		}
		dst = append(dst, bound{arena[start : start+4 : start+4], stop})
	}
	return dst, nil
}

func rangeNew() Pair {
	var found rowkey.Range
	var hand bound
	ours := func() (err error) {
		found, err = plain.Key().String("seller-42").Range()
		return err
	}
	floor := func() (err error) {
		hand, err = floorRange("seller-42")
		return err
	}
	return Pair{repeat(ours), repeat(floor), func() error {
		if err := ours(); err != nil {
			return err
		}
		if err := floor(); err != nil {
			return err
		}
		return same(showRanges([]rowkey.Range{found}), showBounds([]bound{hand}))
	}}
}

//go:noinline
func floorRange(seller string) (bound, error) {
	if strings.IndexByte(seller, '_') >= 0 || len(seller) >= maxKey {
		return bound{}, errFloor
	}
	n := len(seller) + 1
	arena := make([]byte, 0, 2*n)
	arena = append(append(arena, seller...), '_')
	arena = append(arena, arena...)
	arena[2*n-1]++ // '_' never carries
	return bound{arena[:n:n], arena[n:]}, nil
}

func splits256() Pair {
	ours := func() ([][]byte, error) { return spread.Splits(256) }
	floor := func() ([][]byte, error) { return floorSplits(256) }
	return Pair{repeat(func() error { _, err := ours(); return err }), repeat(func() error { _, err := floor(); return err }), func() error {
		a, err := ours()
		if err != nil {
			return err
		}
		b, err := floor()
		if err != nil {
			return err
		}
		return same(fmt.Sprintf("%x", a), fmt.Sprintf("%x", b))
	}}
}

//go:noinline
func floorSplits(regions int) ([][]byte, error) {
	if regions < 1 || regions > 1<<16 {
		return nil, errFloor
	}
	arena, dst := make([]byte, 0, 2*(regions-1)), make([][]byte, 0, regions-1)
	for i := 1; i < regions; i++ {
		at := len(arena)
		arena = binary.BigEndian.AppendUint16(arena, uint16((i<<16+regions-1)/regions))
		dst = append(dst, arena[at:at+2:at+2])
	}
	return dst, nil
}

func explainThree() Pair {
	key, err := floorPlain(nil, &lotRows[5])
	if err != nil {
		panic(err)
	}
	ours := func() string { return plain.Explain(key) }
	floor := func() string { return floorExplain(key) }
	side := func(f func() string) func(int) error {
		return repeat(func() error {
			if f() == "" {
				return errEmpty
			}
			return nil
		})
	}
	return Pair{side(ours), side(floor), func() error { return same(ours(), floor()) }}
}

// floorExplain is a key as text: each line has the byte at which a field begins, its bytes, its
// notation and its value, in columns.
//
//go:noinline
func floorExplain(key []byte) string {
	n := bytes.IndexByte(key, '_')
	if n < 0 || len(key) > maxKey || len(key) != n+17 {
		return ""
	}
	left := binary.BigEndian.Uint64(key[n+1:])
	if left > math.MaxInt64 {
		return ""
	}
	notes := [4]string{
		strconv.Quote(string(key[:n])),
		"",
		time.UnixMilli(math.MaxInt64 - int64(left)).UTC().Format(time.RFC3339Nano),
		strconv.FormatUint(binary.BigEndian.Uint64(key[n+9:]), 10),
	}
	offsets := [4]int{0, n, n + 1, n + 9}
	forms := [4][]byte{key[:n], key[n : n+1], key[n+1 : n+9], key[n+9:]}
	notations := [4]string{"[seller]", "['_']", "[max-ms(at)]", "[order:8]"}
	var widths [3]int
	for i := range notes {
		widths[0] = max(widths[0], len(strconv.Itoa(offsets[i])))
		widths[1] = max(widths[1], 2*len(forms[i]))
		widths[2] = max(widths[2], len(notations[i]))
	}
	b := make([]byte, 0, 256)
	b = append(b, "plain [seller]['_'][max-ms(at)][order:8]: "...)
	b = append(strconv.AppendInt(b, int64(len(key)), 10), " bytes\n"...)
	cell := func(at, width int) {
		for len(b)-at < width+2 {
			b = append(b, ' ')
		}
	}
	for i := range notes {
		at := len(b)
		b = strconv.AppendInt(b, int64(offsets[i]), 10)
		cell(at, widths[0])
		at = len(b)
		for _, x := range forms[i] {
			const digits = "0123456789abcdef"
			b = append(b, digits[x>>4], digits[x&15])
		}
		cell(at, widths[1])
		at = len(b)
		b = append(b, notations[i]...)
		if notes[i] != "" {
			cell(at, widths[2])
		}
		b = append(append(b, notes[i]...), '\n')
	}
	return string(b)
}
