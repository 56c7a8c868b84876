package bench

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hbase-rowkey/rowkey/bench/tables"
)

//go:generate go run ../cmd/rowkey gen

// The code that rowkey gen prints for the layouts, beside their floors. A floor has the row of
// printed code where the layout's own holds the time as a number: both sides do the same work.

// PrintedWays are what is timed of the printed code of each layout, with how many times the
// floor's time it may take.
var PrintedWays = []struct {
	Name, What string
	Goal       float64
}{
	{"write", "written", 1.25},
	{"read", "read into a row whose texts are memory that is used again", 1.1},
	{"decode", "read into a row of new strings", 1.25},
}

// printed is the printed code of a layout: K is its row, B the one whose texts are memory that is
// used again.
type printed[R, V, K, B any] struct {
	of     design[R, V]
	row    func(*R) K
	write  func(*K, []byte) ([]byte, error)
	read   func(*B, []byte) error
	decode func(*K, []byte) error

	// by hand, of the row K; nil: the layout's own
	floorWrite  func([]byte, *K) ([]byte, error)
	floorDecode func([]byte, *K) error
	library     bool     // the library writes and reads the keys: there is no goal
	lost        func(*K) // empties what is not stored; nil: all is
}

func (p printed[R, V, K, B]) jobs() []Job {
	rows, own, all := make([]R, lot), make([]K, lot), make([][]byte, lot)
	for i := range rows {
		rows[i] = p.of.row(i)
		own[i] = p.row(&rows[i])
		key, err := p.of.floorKey(nil, &rows[i])
		if err != nil {
			panic(err)
		}
		all[i] = key
	}
	write := func(dst []byte, k *K) ([]byte, error) { return p.write(k, dst) }
	works := []func(int) error{
		eachOf(own, p.write), eachInto(all, p.read), eachInto(all, p.decode),
	}
	floors := []func(int) error{eachRow(rows, p.of.floorKey), eachKey(all, p.of.floorRead), eachKey(all, p.of.floorDecode)}
	floorWrite := func(dst []byte, i int) ([]byte, error) { return p.of.floorKey(dst, &rows[i]) }
	if p.floorWrite != nil {
		floors[0] = eachRow(own, p.floorWrite)
		floorWrite = func(dst []byte, i int) ([]byte, error) { return p.floorWrite(dst, &own[i]) }
	}
	if p.floorDecode != nil {
		floors[2] = eachKey(all, p.floorDecode)
	}
	same := func() error {
		for i := range own {
			key, err := write(nil, &own[i])
			if err != nil {
				return err
			}
			hand, err := floorWrite(nil, i)
			if err != nil || !bytes.Equal(key, hand) {
				return fmt.Errorf("row %d: key %x, and by hand %x, %w", i, key, hand, err)
			}
			var k, handK K
			var b B
			if err := errors.Join(p.decode(&k, key), p.read(&b, key)); err != nil {
				return err
			}
			if p.floorDecode != nil {
				if err := p.floorDecode(key, &handK); err != nil || fmt.Sprint(handK) != fmt.Sprint(k) {
					return fmt.Errorf("key %d reads as %v, and by hand as %v, %w", i, k, handK, err)
				}
			}
			stored := own[i]
			if p.lost != nil {
				p.lost(&stored)
			}
			want := fmt.Sprintf("%s", any(stored)) // a []byte as a string
			if got := fmt.Sprintf("%s", any(k)); got != want {
				return fmt.Errorf("row %d: %s comes back as %s", i, want, got)
			}
			if got := fmt.Sprintf("%s", any(b)); got != want {
				return fmt.Errorf("row %d: %s comes back as %s in buffers", i, want, got)
			}
			if short := key[:10:10]; p.decode(&k, short) == nil || p.read(&b, short) == nil {
				return fmt.Errorf("key %d is taken for one of 10 bytes", i)
			}
		}
		return nil
	}
	var jobs []Job
	for i, way := range PrintedWays {
		job := Job{Name: "printed/" + p.of.name + "/" + way.Name, Table: p.of.what, What: way.What, Goal: way.Goal, Unit: "key", Per: 1,
			New: func() Pair { return Pair{works[i], floors[i], same} }}
		if i == 2 {
			job.Allocs = p.of.texts
		}
		if p.library {
			job.Goal, job.Allocs = 0, -1
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// eachOf is eachRow for a method.
func eachOf[K any](rows []K, write func(*K, []byte) ([]byte, error)) func(n int) error {
	buf := make([]byte, 0, 512)
	return func(n int) error {
		for i := range n {
			k, err := write(&rows[i%lot], buf)
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

// eachInto is eachKey for a method.
func eachInto[K any](all [][]byte, read func(*K, []byte) error) func(n int) error {
	k := new(K)
	return func(n int) error {
		for i := range n {
			if err := read(k, all[i%lot]); err != nil {
				return err
			}
		}
		return nil
	}
}

// Printed are the jobs of the printed code.
func Printed() (jobs []Job) {
	for _, more := range [][]Job{
		printed[telemetryRow, telemetryValues, tables.Telemetry, tables.TelemetryBuf]{
			of: telemetry, write: (*tables.Telemetry).Append, read: (*tables.TelemetryBuf).Parse, decode: (*tables.Telemetry).Parse,
			row: func(r *telemetryRow) tables.Telemetry {
				return tables.Telemetry{Device: r.Device, Metric: uint64(r.Metric), At: r.At}
			},
		}.jobs(),
		printed[numbersRow, numbersValues, tables.Numbers, tables.Numbers]{
			of: idsOnly, write: (*tables.Numbers).Append, read: (*tables.Numbers).Parse, decode: (*tables.Numbers).Parse,
			row: func(r *numbersRow) tables.Numbers {
				return tables.Numbers{Org: uint64(r.Org), User: r.User, Type: uint64(r.Type), At: time.UnixMilli(r.At).UTC()}
			},
			floorWrite: floorNumbersOf, floorDecode: floorNumbersInto,
		}.jobs(),
		printed[daysRow, daysValues, tables.Days, tables.Days]{
			of: days, write: (*tables.Days).Append, read: (*tables.Days).Parse, decode: (*tables.Days).Parse,
			row: func(r *daysRow) tables.Days { return tables.Days{Day: r.Day, Uid: r.UID} },
		}.jobs(),
		printed[phonesRow, phonesValues, tables.Phones, tables.PhonesBuf]{
			of: phones, write: (*tables.Phones).Append, read: (*tables.PhonesBuf).Parse, decode: (*tables.Phones).Parse,
			row:        func(r *phonesRow) tables.Phones { return tables.Phones{Phone: r.Phone, At: time.UnixMilli(r.At).UTC()} },
			floorWrite: floorPhonesOf, floorDecode: floorPhonesInto,
		}.jobs(),
		printed[tenantsRow, tenantsValues, tables.Tenants, tables.TenantsBuf]{
			of: tenants, write: (*tables.Tenants).Append, read: (*tables.TenantsBuf).Parse, decode: (*tables.Tenants).Parse,
			row: func(r *tenantsRow) tables.Tenants { return tables.Tenants{Tenant: r.Tenant, Id: r.ID, At: r.At} },
		}.jobs(),
		printed[escapedRow, escapedValues, tables.Escaped, tables.EscapedBuf]{
			of: escaped, write: (*tables.Escaped).Append, read: (*tables.EscapedBuf).Parse, decode: (*tables.Escaped).Parse,
			row: func(r *escapedRow) tables.Escaped {
				return tables.Escaped{Tenant: r.Tenant, At: r.At, Seq: uint64(r.Seq)}
			},
		}.jobs(),
		printed[textsRow, textsValues, tables.Texts, tables.TextsBuf]{
			of: texts, write: (*tables.Texts).Append, read: (*tables.TextsBuf).Parse, decode: (*tables.Texts).Parse,
			row: func(r *textsRow) tables.Texts {
				return tables.Texts{User: r.User, At: time.UnixMilli(r.At).UTC(), Order: r.Order}
			},
			floorWrite: floorTextsOf, floorDecode: floorTextsInto,
		}.jobs(),
		printed[quotesRow, quotesValues, tables.Quotes, tables.QuotesBuf]{
			of: quotes, write: (*tables.Quotes).Append, read: (*tables.QuotesBuf).Parse, decode: (*tables.Quotes).Parse,
			row: func(r *quotesRow) tables.Quotes {
				return tables.Quotes{Symbol: r.Symbol, Price: r.Price, Bid: r.Bid, Venue: uint64(r.Venue)}
			},
		}.jobs(),
		printed[filesRow, filesValues, tables.Files, tables.FilesBuf]{
			of: files, write: (*tables.Files).Append, read: (*tables.FilesBuf).Parse, decode: (*tables.Files).Parse,
			row: func(r *filesRow) tables.Files {
				return tables.Files{Id: r.ID, Part: uint64(r.Part), Path: r.Path, Rev: int64(r.Rev)}
			},
		}.jobs(),
		printed[ordersRow, ordersValues, tables.Orders, tables.Orders]{
			of: orders, write: (*tables.Orders).Append, read: (*tables.Orders).Parse, decode: (*tables.Orders).Parse,
			row: func(r *ordersRow) tables.Orders { return tables.Orders{Order: r.Order, At: r.At} },
		}.jobs(),
		printed[javasRow, javasValues, tables.Javas, tables.JavasBuf]{
			of: javas, write: (*tables.Javas).Append, read: (*tables.JavasBuf).Parse, decode: (*tables.Javas).Parse,
			row: func(r *javasRow) tables.Javas {
				return tables.Javas{User: r.User, At: time.UnixMilli(r.At).UTC(), Kind: int64(r.Kind), Name: r.Name}
			},
			floorWrite: floorJavasOf, floorDecode: floorJavasInto,
		}.jobs(),
		printed[hostsRow, hostsValues, tables.Hosts, tables.HostsBuf]{
			of: hosts, write: (*tables.Hosts).Append, read: (*tables.HostsBuf).Parse, decode: (*tables.Hosts).Parse,
			row: func(r *hostsRow) tables.Hosts { return tables.Hosts{Host: r.Host, Id: r.ID, At: r.At} },
		}.jobs(),
	} {
		jobs = append(jobs, more...)
	}
	return append(jobs, byLibrary()...)
}

//go:noinline
func floorNumbersOf(dst []byte, k *tables.Numbers) ([]byte, error) {
	ms := k.At.UnixMilli()
	if ms < 0 || k.Org > math.MaxUint32 || k.Type > math.MaxUint8 {
		return dst, errFloor
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(k.Org))
	dst = binary.BigEndian.AppendUint64(dst, uint64(k.User)^1<<63)
	dst = append(dst, byte(k.Type))
	return binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-ms)), nil
}

//go:noinline
func floorNumbersInto(key []byte, k *tables.Numbers) error {
	if len(key) != 21 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[13:])
	if left > math.MaxInt64 {
		return errFloor
	}
	k.Org = uint64(binary.BigEndian.Uint32(key))
	k.User = int64(binary.BigEndian.Uint64(key[4:]) ^ 1<<63)
	k.Type = uint64(key[12])
	k.At = time.UnixMilli(int64(math.MaxInt64 - left)).UTC()
	return nil
}

//go:noinline
func floorPhonesOf(dst []byte, k *tables.Phones) ([]byte, error) {
	ms := k.At.UnixMilli()
	if len(k.Phone) != 11 || ms < 0 {
		return dst, errFloor
	}
	for i := 10; i >= 0; i-- {
		dst = append(dst, k.Phone[i])
	}
	return binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-ms)), nil
}

//go:noinline
func floorPhonesInto(key []byte, k *tables.Phones) error {
	if len(key) != 19 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[11:])
	if left > math.MaxInt64 {
		return errFloor
	}
	var phone [11]byte
	for i := range phone {
		phone[i] = key[10-i]
	}
	k.Phone, k.At = string(phone[:]), time.UnixMilli(int64(math.MaxInt64-left)).UTC()
	return nil
}

//go:noinline
func floorTextsOf(dst []byte, k *tables.Texts) ([]byte, error) {
	return floorTextsAt(dst, k.User, k.At.UnixMilli(), k.Order)
}

//go:noinline
func floorTextsInto(key []byte, k *tables.Texts) error {
	var room [64]byte
	v := textsValues{user: room[:0]}
	err := floorTextsRead(key, &v)
	if err == nil {
		k.User, k.At, k.Order = string(v.user), v.at, v.order
	}
	return err
}

//go:noinline
func floorJavasOf(dst []byte, k *tables.Javas) ([]byte, error) {
	ms := k.At.UnixMilli()
	if ms < 0 || len(k.Name) > maxKey-20 || k.Kind < math.MinInt32 || k.Kind > math.MaxInt32 {
		return dst, errFloor
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(k.User))
	dst = binary.BigEndian.AppendUint64(dst, uint64(ms))
	dst = binary.BigEndian.AppendUint32(dst, uint32(k.Kind))
	return append(dst, k.Name...), nil
}

//go:noinline
func floorJavasInto(key []byte, k *tables.Javas) error {
	if len(key) < 20 || len(key) > maxKey {
		return errFloor
	}
	ms := binary.BigEndian.Uint64(key[8:])
	if ms > math.MaxInt64 {
		return errFloor
	}
	k.User, k.At = int64(binary.BigEndian.Uint64(key)), time.UnixMilli(int64(ms)).UTC()
	k.Kind = int64(int32(binary.BigEndian.Uint32(key[16:])))
	k.Name = string(key[20:])
	return nil
}
