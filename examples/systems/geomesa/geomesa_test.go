package geomesa_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/geomesa"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
)

var periods = map[string]geomesa.Period{
	"Z3SFC(day, 21)": geomesa.Day, "Z3SFC(week, 21)": geomesa.Week, "Z3SFC(month, 21)": geomesa.Month, "Z3SFC(year, 21)": geomesa.Year,
}

// What org.locationtech.geomesa:geomesa-z3 5.0.0 says.
func TestVectors(t *testing.T) {
	vectors.Run(t, "geomesa_z.jsonl", func(l *vectors.Line) {
		x, y, z := l.Double("x"), l.Double("y"), uint64(l.Long("z"))
		l.Equal("z in hexadecimal", hex.EncodeToString(binary.BigEndian.AppendUint64(nil, z)), l.Text("z_hex"))
		zed := l.Hex("z_hex")
		curve := l.Text("curve")
		if curve == "Z2SFC(31)" {
			l.Equal("z", geomesa.IndexZ2(x, y), z)
			l.Key(geomesa.Z2, append(zed, "id"...), z, "id")
			return
		}
		p, ok := periods[curve]
		if !ok {
			l.Errorf("unknown curve %q", curve)
			return
		}
		at := time.UnixMilli(l.Long("ms")).UTC()
		l.Equal("offset", p.Offset(at), l.Long("offset"))
		l.Equal("z", p.Index(x, y, at), z)
		key := append(binary.BigEndian.AppendUint16(nil, uint16(l.Int("bin"))), zed...)
		s := p.Schema()
		row, err := s.Decode(append(key, "id"...))
		if err != nil {
			l.Errorf("%v", err)
			return
		}
		bin := rowkey.Must(rowkey.FieldOf[time.Time](s, "bin"))
		start, err := bin.Get(row)
		if err != nil || start.After(at) {
			l.Errorf("the bin begins at %v, %v", start, err)
		}
		l.KeyReads(s, append(key, "id"...), []any{at, z, "id"}, []any{start, z, "id"})

		// The point is found in a box around it, in a span around its time.
		from := at.Add(-time.Hour)
		if at.Before(time.Unix(3600, 0)) {
			from = at
		}
		plans, err := p.Plans(s, geomesa.Box{West: x - 1, South: y - 1, East: x + 1, North: y + 1}, from, at.Add(time.Hour), 50)
		if err != nil || covering(plans, append(key, "id"...)) != 1 {
			l.Errorf("the point lies in %d ranges, %v", covering(plans, append(key, "id"...)), err)
		}
	})
}

func covering(plans []*rowkey.Plan, key []byte) (n int) {
	for _, plan := range plans {
		for r := range plan.Ranges() {
			if r.Contains(key) {
				n++
			}
		}
	}
	return n
}

// A box over several bins: every point of it lies in one range, and most that are
// not are left out.
func TestBox(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	box := geomesa.Box{West: 103.6, South: 1.2, East: 104.1, North: 1.5}
	from := time.Date(2023, 5, 16, 6, 0, 0, 0, time.UTC)
	to := time.Date(2023, 8, 2, 12, 0, 0, 0, time.UTC)
	for name, p := range periods {
		s := p.Schema()
		plans, err := p.Plans(s, box, from, to, 100)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		far, read := 0, 0
		for range 3000 {
			lon, lat := box.West-0.5+1.5*r.Float64(), box.South-0.5+1.3*r.Float64()
			away := r.IntN(2) == 0
			if away {
				lon, lat = -180+360*r.Float64(), -90+180*r.Float64()
			}
			at := from.Add(time.Duration(r.Int64N(int64(to.Sub(from)*3/2))) - to.Sub(from)/4)
			key, err := s.AppendKey(nil, at, p.Index(lon, lat, at), "id")
			if err != nil {
				t.Fatal(err)
			}
			n := covering(plans, key)
			inside := lon >= box.West && lon <= box.East && lat >= box.South && lat <= box.North && !at.Before(from) && at.Before(to)
			switch {
			case inside && n != 1:
				t.Fatalf("%s: %v %v %v lies in %d ranges", name, lon, lat, at, n)
			case n > 1:
				t.Fatalf("%s: %v %v %v lies in %d ranges", name, lon, lat, at, n)
			case !inside && away:
				far++
				read += n
			}
		}
		if far < 1000 || read*50 > far {
			t.Errorf("%s: of %d points anywhere, %d are read", name, far, read)
		}
	}
}

func Example() {
	s := geomesa.Week.Schema()
	fmt.Println(s)

	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	key, err := s.Key().Time(at).Uint(geomesa.Week.Index(103.8, 1.35, at)).String("ship-7").Bytes()
	fmt.Printf("%x %v\n", key, err)

	// Singapore on one morning, by at most eight intervals of the curve.
	singapore := geomesa.Box{West: 103.6, South: 1.2, East: 104.1, North: 1.5}
	plans, err := geomesa.Week.Plans(s, singapore, at.Truncate(24*time.Hour), at.Truncate(24*time.Hour).Add(12*time.Hour), 8)
	for _, plan := range plans {
		fmt.Print(plan)
	}
	fmt.Println(err)
	// Output:
	// [week(bin) width(2)][z:8][id]
	// 0ae0732511bf8e896948736869702d37 <nil>
	// z3: 4 ranges, every row in them matches
	//   [\x0A\xE0s!\x91\xF8\x00\x00\x00\x00, \x0A\xE0s!\x92\x00\x00\x00\x00\x00)
	//   [\x0A\xE0s!\x93\x80\x00\x00\x00\x00, \x0A\xE0s!\xA0\x00\x00\x00\x00\x00)
	//   [\x0A\xE0s%\x00\x00\x00\x00\x00\x00, \x0A\xE0s&\x00\x00\x00\x00\x00\x00)
	//   [\x0A\xE0z\x00\x00\x00\x00\x00\x00\x00, \x0A\xE0|\x00\x00\x00\x00\x00\x00\x00)
	//   bin: one value
	//   z: an interval
	// <nil>
}
