package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Design 8, vehicle telemetry. Vehicle numbers begin with the maker, so a whole
// fleet would write to one region; six characters of md5 spread it. A prefix
// that short is shared by others among a few thousand vehicles, which does no
// harm as long as the number follows it: the digest in place of the number would
// mix two cars. Six hexadecimal characters also tell where to split the table
// before the first row is written.
func Example_vehicleTelemetry() {
	vehicles := rowkey.New("vehicles").
		Hash(rowkey.MD5.Hex(6), "vin").
		String("vin", rowkey.Fixed(17)).
		Time("at", rowkey.Millis, rowkey.Years(2000, 2100)). // seconds taken for milliseconds are refused
		MustBuild()
	fmt.Println(vehicles)

	const vin = "LSVAU2180N2183294"
	day := time.Date(2024, 6, 1, 0, 0, 0, 0, utc)
	var t table
	for _, at := range []time.Time{day.Add(-milli), day, day.Add(9 * time.Hour), day.AddDate(0, 0, 1)} {
		t.put(vehicles.Key().String(vin).Time(at).Bytes())
		t.put(vehicles.Key().String("LSVAU2180N2183295").Time(at).Bytes())
	}

	// One day of one car.
	plan := must(vehicles.Scan(rowkey.Eq("vin", vin), rowkey.Span("at", day, day.AddDate(0, 0, 1))))
	fmt.Print(plan)
	for key := range t.read(plan) {
		var at time.Time
		err := vehicles.Read(key).Skip().Time(&at).Err()
		fmt.Printf("%s %s %x %s %v\n", key[:6], key[6:23], key[23:], clock(at), err)
	}

	_, err := vehicles.Key().String(vin).UnixMilli(day.Unix()).Bytes()
	fmt.Println(err)
	fmt.Println(must(vehicles.Splits(4)).Shell())
	// Output:
	// [md5.hex(6)(vin)][vin fixed(17)][ms(at) years(2000,2100)]
	// vehicles: one range, every row in them matches
	//   [39f67eLSVAU2180N2183294\x00\x00\x01\x8F\xD1\x18\x94\x00, 39f67eLSVAU2180N2183294\x00\x00\x01\x8F\xD6>\xF0\x00)
	//   hash: computed from fields that are fixed
	//   vin: one value
	//   at: an interval
	// 39f67e LSVAU2180N2183294 0000018fd1189400 00:00:00.000 <nil>
	// 39f67e LSVAU2180N2183294 0000018fd306f680 09:00:00.000 <nil>
	// rowkey: vehicles: at: the year is 1970, outside 2000 to 2100: seconds in place of milliseconds?: value out of range
	// SPLITS => ['400000', '800000', 'c00000']
}
