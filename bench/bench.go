// Package bench measures package rowkey against what it replaces: straight-line
// Go written by hand for one key, with the same checks, which is the floor, and
// the encoders of other projects on the same logical key.
//
// A [Job] has two sides that do the same work, and says how many times the
// floor's time and how many allocations it may take. [Measure] runs the two sides of
// a job by turns, in slices of 2 ms, and all jobs round after round, so that whatever
// else the machine does meets both sides; what it reports is the ratio of two medians.
// Both sides are held against each other before they are timed.
//
//	go run -C bench ./ratios   # every job and rival, one line each
//	go run -C bench ./drawn    # layouts that nobody chose, beside printed code
//	go run -C bench ./scale    # how cost grows
//	go generate -C bench       # all, into docs/speed.md, docs/gen.md, testdata/speed.md and the pictures
package bench

//go:generate go run ./ratios -svg ../docs/speed.svg -doc ../docs/speed.md,testdata/speed.md
//go:generate go run ./ratios -printed -doc ../docs/gen.md
//go:generate go run ./drawn -doc ../docs/speed.md
//go:generate go run ./scale -svg ../docs/scale.svg -doc ../docs/speed.md,testdata/speed.md

import (
	"fmt"
	"strconv"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Trade is the row whose key all sides make.
type Trade struct {
	Seller string `rowkey:"seller"`
	At     int64  `rowkey:"at,ms"` // milliseconds since 1970
	Order  uint64 `rowkey:"order"`
}

// trades makes n rows of a thousand sellers, whose names have eight to ten bytes.
func trades(n int) []Trade {
	names := make([]string, 1000)
	for i := range names {
		names[i] = "seller-" + strconv.Itoa(i)
	}
	rows := make([]Trade, n)
	for i := range rows {
		rows[i] = Trade{names[i*7919%len(names)], 1684203630000 + int64(i), uint64(i)}
	}
	return rows
}

// Metric is a row of numbers alone, which AppendAll writes column by column.
type Metric struct {
	Tenant uint32 `rowkey:"tenant"`
	At     int64  `rowkey:"at,ms"` // milliseconds since 1970
	Device uint64 `rowkey:"device"`
	Level  uint16 `rowkey:"level"` // below 1000
}

// metrics makes n rows.
func metrics(n int) []Metric {
	rows := make([]Metric, n)
	for i := range rows {
		rows[i] = Metric{uint32(i * 7919 % 5000), 1684203630000 + int64(i), uint64(i) * 0x9e3779b97f4a7c15, uint16(i % 1000)}
	}
	return rows
}

// lot is how many rows the sides go around in: their keys stay in the nearest
// cache, as a writer's do.
const lot = 1024

var lotRows = trades(lot)

var (
	plain = rowkey.New("plain").
		String("seller").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("order", 8).
		MustBuild()
	salted = rowkey.New("salted").
		Salt(16, "seller").
		String("seller").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("order", 8).
		MustBuild()
	hashed = rowkey.New("hashed").
		Hash(rowkey.MD5.Hex(6), "seller").
		String("seller").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("order", 8).
		MustBuild()
	open = rowkey.New("open").
		Salt(16, "order").
		String("seller").Separator("_").
		Uint("order", 8).
		MustBuild()
	// asText is the same row as text, all numbers in decimal.
	asText = rowkey.New("text").
		String("seller").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)).Separator("_").
		Uint("order", 8, rowkey.Decimal).
		MustBuild()
	timeline = rowkey.New("timeline").
			Salt(16, "host").
			Uint("tenant", 4).
			Time("at", rowkey.Millis, rowkey.Desc).
			String("host").
			MustBuild()

	levels = rowkey.New("levels").
		Uint("tenant", 4).
		Time("at", rowkey.Millis, rowkey.Desc).
		Uint("device", 8).
		Uint("level", 2, rowkey.Below(1000)).
		MustBuild()

	plainCodec  = rowkey.Must(rowkey.Bind[Trade](plain))
	levelsCodec = rowkey.Must(rowkey.Bind[Metric](levels))
)

// Job is work that is timed beside its floor.
type Job struct {
	Name  string
	What  string // in a table's words
	Table string // the layout, in its notation, where the job is one of the layouts'
	Rival bool   // is no promise: another project's way, or another format
	// Goal is how many times the floor's time it may take; 0 where none is set.
	Goal float64
	// Allocs is how many allocations one operation may make; negative where
	// none are promised.
	Allocs int
	// Unit is what times are given of: an operation makes Per of them.
	Unit string
	Per  int

	New func() Pair
}

// Pair is the two sides of a job. Each does its operation n times.
type Pair struct {
	Work, Floor func(n int) error
	Same        func() error // nil if both give the same
}

// keyOf makes the key of a row after dst.
type keyOf func(dst []byte, r *Trade) ([]byte, error)

// each makes the keys of the lot one after the other, in one buffer.
func (key keyOf) each() func(n int) error {
	buf := make([]byte, 0, 128)
	return func(n int) error {
		for i := range n {
			k, err := key(buf, &lotRows[i%lot])
			if err != nil {
				return err
			}
			if len(k) == 0 {
				return errEmpty
			}
		}
		return nil
	}
}

// keys pairs two ways to make a key, which must make the same.
func keys(work, floor keyOf) func() Pair {
	return func() Pair { return Pair{work.each(), floor.each(), func() error { return sameKeys(work, floor) }} }
}

func sameKeys(a, b keyOf) error {
	for i := range lotRows {
		x, err := a(nil, &lotRows[i])
		if err != nil {
			return err
		}
		y, err := b(nil, &lotRows[i])
		if err != nil {
			return err
		}
		if string(x) != string(y) {
			return fmt.Errorf("row %d: key %x, and by hand %x", i, x, y)
		}
	}
	return nil
}

func fluent(dst []byte, r *Trade) ([]byte, error) {
	return plain.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
}

func fluentText(dst []byte, r *Trade) ([]byte, error) {
	return asText.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
}

// Jobs are the promises, in the order of their table, and then the rivals.
func Jobs() []Job {
	jobs := []Job{
		{Name: "encode/fluent", What: "a key, field by field, the time by `UnixMilli`", Goal: 1.15,
			New: keys(fluent, floorPlain)},
		{Name: "encode/time", What: "the same of a `time.Time`, by hand too", Goal: 1.2,
			New: encodeTime},
		{Name: "encode/codec", What: "the same from a struct, by its tags", Goal: 1.4,
			New: keys(plainCodec.Append, floorPlain)},
		{Name: "encode/salt", What: "with a salt, murmur3 of a field", Goal: 1.1,
			New: keys(func(dst []byte, r *Trade) ([]byte, error) {
				return salted.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
			}, floorSalted)},
		{Name: "encode/md5", What: "with six hex characters of md5", Goal: 1.05,
			New: keys(func(dst []byte, r *Trade) ([]byte, error) {
				return hashed.KeyIn(dst).String(r.Seller).UnixMilli(r.At).Uint(r.Order).Bytes()
			}, floorMD5)},
		{Name: "encode/million", What: "a million structs into one arena, `AppendAll`", Goal: 1.2, Per: 1_000_000,
			New: encodeMillion},
		{Name: "encode/numbers64", What: "64 structs of numbers alone into one arena, `AppendAll`", Goal: 1.6, Per: 64,
			New: encodeNumbers(64)},
		{Name: "encode/numbers4096", What: "4096 of them", Goal: 1.6, Per: 4096,
			New: encodeNumbers(4096)},
		{Name: "read/three", What: "three fields of a key, the text into a buffer", Goal: 1.3, Unit: "read",
			New: readThree},
		{Name: "range/prefix", What: "the range of one seller, into a buffer", Goal: 1.5, Unit: "call",
			New: rangePrefix},
		{Name: "range/salted16", What: "the same in each of 16 buckets", Goal: 1.3, Unit: "call",
			New: rangeSalted},
		{Name: "plan/open16", What: "a plan of three conditions, by names, over 16 buckets", Goal: 3, Allocs: 2, Unit: "plan",
			New: planOpen},
		{Name: "merge/times", What: "`scan.Merge` of 16 cursors in memory, keys told apart by a time", Goal: 1.2, Allocs: mergeAllocs, Unit: "row",
			Per: mergeRows, New: mergeTimes},
		{Name: "merge/texts", What: "the same, keys told apart behind a common text", Goal: 1.2, Allocs: mergeAllocs, Unit: "row",
			Per: mergeRows, New: mergeTexts},
	}
	jobs = append(jobs, askJobs()...)
	jobs = append(jobs, layoutJobs()...)
	jobs = append(jobs, Job{Name: "text/fluent", What: "this library, the numbers as decimal text", Rival: true,
		New: func() Pair { r := rival{key: fluentText, like: asText}; return r.pair() }})
	for _, r := range rivals {
		jobs = append(jobs, Job{Name: "rival/" + r.name, What: r.what, Rival: true, Allocs: -1, New: r.pair})
	}
	for i := range jobs {
		if jobs[i].Unit == "" {
			jobs[i].Unit = "key"
		}
		jobs[i].Per = max(jobs[i].Per, 1)
	}
	return jobs
}

func encodeTime() Pair {
	times := make([]time.Time, lot)
	for i := range times {
		times[i] = time.UnixMilli(lotRows[i].At)
	}
	return keys(func(dst []byte, r *Trade) ([]byte, error) {
		return plain.KeyIn(dst).String(r.Seller).Time(times[r.Order]).Uint(r.Order).Bytes()
	}, func(dst []byte, r *Trade) ([]byte, error) {
		return floorTime(dst, r.Seller, times[r.Order], r.Order)
	})()
}

func encodeMillion() Pair {
	// A key has at most ten bytes of seller, one of separator and two numbers.
	return batches(trades(1_000_000), 27, plainCodec.AppendAll, floorAll)
}

func encodeNumbers(n int) func() Pair {
	return func() Pair { return batches(metrics(n), metricKey, levelsCodec.AppendAll, floorLevels) }
}

// appendAll makes the keys of rows after arena, and tells where each ends.
type appendAll[T any] func(arena []byte, ends []int, rows []T) ([]byte, []int, error)

// batches pairs two ways to make the keys of all rows, which have at most so many bytes.
func batches[T any](rows []T, bytes int, work, floor appendAll[T]) Pair {
	arena, ends := make([]byte, 0, len(rows)*bytes), make([]int, 0, len(rows))
	batch := func(all appendAll[T]) func(int) error {
		return repeat(func() error {
			_, made, err := all(arena, ends, rows)
			if err == nil && len(made) != len(rows) {
				return errEmpty
			}
			return err
		})
	}
	return Pair{batch(work), batch(floor), func() error {
		few := rows[:min(lot, len(rows))]
		ours, ourEnds, err := work(nil, nil, few)
		if err != nil {
			return err
		}
		floor, floorEnds, err := floor(nil, nil, few)
		if err != nil {
			return err
		}
		return same(fmt.Sprint(ourEnds, ours), fmt.Sprint(floorEnds, floor))
	}}
}

func readThree() Pair {
	key, err := floorPlain(nil, &lotRows[5])
	if err != nil {
		panic(err)
	}
	var seller []byte
	var at time.Time
	var order uint64
	ours := func() error { return plain.Read(key).Binary(&seller).Time(&at).Uint(&order).Err() }
	floor := func() error { return floorRead(key, &seller, &at, &order) }
	seen := func(read func() error) (string, error) {
		seller, at, order = nil, time.Time{}, 0
		err := read()
		return fmt.Sprint(string(seller), at, order), err
	}
	return Pair{repeat(ours), repeat(floor), func() error {
		a, err := seen(ours)
		if err != nil {
			return err
		}
		b, err := seen(floor)
		if err != nil {
			return err
		}
		if want := fmt.Sprint(lotRows[5].Seller, time.UnixMilli(lotRows[5].At).UTC(), lotRows[5].Order); a != want {
			return fmt.Errorf("read %s, want %s", a, want)
		}
		return same(a, b)
	}}
}

func rangePrefix() Pair { return ranges(plain, 0) }
func rangeSalted() Pair { return ranges(open, 16) }

// ranges pairs the ranges of one seller, in each of some buckets if there are.
func ranges(s *rowkey.Schema, buckets int) Pair {
	seller := "seller-42"
	key, arena := make([]byte, 0, 64), make([]byte, 0, 2048)
	found := make([]rowkey.Range, 0, 16)
	ours := func() (err error) {
		found, arena, err = s.KeyIn(key).String(seller).AppendRanges(found[:0], arena[:0])
		return err
	}
	bounds := make([]bound, 0, 16)
	floor := func() (err error) {
		bounds, arena, err = floorRanges(bounds[:0], arena[:0], seller, buckets)
		return err
	}
	return Pair{repeat(ours), repeat(floor), func() error {
		if err := ours(); err != nil {
			return err
		}
		a := showRanges(found)
		if err := floor(); err != nil {
			return err
		}
		return same(a, showBounds(bounds))
	}}
}

func planOpen() Pair {
	from, to := time.UnixMilli(1684202400000), time.UnixMilli(1684206000000)
	return plans(func() (*rowkey.Plan, error) {
		return timeline.Scan(rowkey.Eq("tenant", 7), rowkey.AtLeast("at", from), rowkey.LessThan("at", to))
	}, func() ([]bound, error) { return floorPlan(7, from, to) })
}

// repeat is an operation as a side runs it.
func repeat(f func() error) func(n int) error {
	return func(n int) error {
		for range n {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
}

func same(ours, floor string) error {
	if ours != floor {
		return fmt.Errorf("gives %.400s, and by hand %.400s", ours, floor)
	}
	return nil
}

func showRanges(ranges []rowkey.Range) string {
	all := make([]bound, len(ranges))
	for i, r := range ranges {
		all[i] = bound{r.Start(), r.Stop()}
	}
	return showBounds(all)
}

func showBounds(bounds []bound) string { return fmt.Sprintf("%d %x", len(bounds), bounds) }
