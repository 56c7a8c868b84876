package designs_test

import (
	"fmt"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// Design 17, sensors of devices: device_sensor_revts. The underscore is the trap:
// device "d_1" with sensor "t" is device "d" with sensor "1_t", and a device id
// from an untrusted source reads, or overwrites, another's rows. It also sorts
// above the digits, so that t1 comes before t. A value that holds its separator
// is refused; a fleet whose ids are device_001 takes an end that ids do not hold.
func Example_sensors() {
	sensors := rowkey.New("sensors").
		String("device").Separator("_").
		String("sensor").Separator("_").
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()
	fmt.Println(sensors)

	at := time.UnixMilli(1684203630000).UTC()
	var t table
	for i, device := range []string{"d1", "d12", "d"} {
		for _, sensor := range []string{"t", "t1"} {
			t.put(sensors.Key().Field("device").String(device).Field("sensor").String(sensor).Time(at.Add(time.Duration(i) * time.Second)).Bytes())
		}
	}
	for key := range t.read(must(sensors.Scan(rowkey.Eq("device", "d1")))) {
		var device, sensor string
		var at time.Time
		err := sensors.Read(key).String(&device).String(&sensor).Time(&at).Err()
		fmt.Println(device, sensor, clock(at), err)
	}
	_, err := sensors.Key().String("device_001").String("t").Time(at).Bytes()
	fmt.Println(err)

	fleet := rowkey.New("fleet").
		String("device").Separator("\x00").
		String("sensor").Separator("\x00").
		Time("at", rowkey.Millis, rowkey.Desc).
		MustBuild()
	key, err := fleet.Key().String("device_001").String("t").Time(at).Bytes()
	fmt.Printf("%x %v\n", key, err)
	// Output:
	// [device]['_'][sensor]['_'][max-ms(at)]
	// d1 t1 02:20:30.000 <nil>
	// d1 t 02:20:30.000 <nil>
	// rowkey: sensors: device: holds the separator "_": value and its end cannot be told apart
	// 6465766963655f3030310074007ffffe77dda4124f <nil>
}
