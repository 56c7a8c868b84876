package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The designs that are taught for HBase, by the numbers that laws/designs_test.go
// has: as a notation, a row, and the key that the row must have there.
var designs = []struct {
	numbers, name string
	notation      string
	row           string // JSON
	key           string // hexadecimal
}{
	{"D19", "transactions of a day: slot, millisecond of the day",
		`[slot:2][ms-since(2012-12-11T16:00:00Z)(at) width(4) below(86400000)][ext:bytes]`,
		`{"slot":7,"at":"2012-12-12T02:00:00Z","ext":"01"}`,
		"00070225510001"},
	{"D20", "statistics of a day: number, minute of the day",
		`[seq:4][min-since(2012-12-11T16:00:00Z)(at) width(2) below(1440)][ext:bytes]`,
		`{"seq":7,"at":"2012-12-12T15:59:00Z","ext":""}`,
		"00000007059f"},
	{"D21", "general table: number and at most 12 bytes of the loader's own",
		`maxlen(16) [seq:4][ext:bytes]`,
		`{"seq":9,"ext":"6162"}`,
		"000000096162"},
	{"D1", "orders by seller, salted by seller",
		`[salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]`,
		`{"seller":"s-42","at":"2023-05-16T02:20:30Z","order":"7","buyer":"b-1"}`,
		"0c732d3432007ffffe77dda4124f0000000000000007622d31"},
	{"D2", "orders by buyer, salted by buyer",
		`[salt16(buyer)][buyer]['\x00'][max-ms(at)][order:8][seller]`,
		`{"buyer":"b-1","at":"2023-05-16T02:20:30Z","order":"7","seller":"s-42"}`,
		"09622d31007ffffe77dda4124f0000000000000007732d3432"},
	{"D3", "orders by number",
		`[salt16(order)][order:8][seller]['\x00'][buyer]['\x00'][max-ms(at)]`,
		`{"order":"202305160001","seller":"s-42","buyer":"b-1","at":"2023-05-16T02:20:30Z"}`,
		"0f0000002f1a53c341732d343200622d31007ffffe77dda4124f"},
	{"D5", "risk profile by uid",
		`[md5.hex(5)(text(uid))][uid:8]`,
		`{"uid":"10086"}`,
		"36343132310000000000002766"},
	{"D6", "risk profile by id card",
		`[md5.hex(5)(card)][card fixed(18)][uid:8]`,
		`{"card":"110101199003074514","uid":"10086"}`,
		"33396462303131303130313139393030333037343531340000000000002766"},
	{"D7", "risk profile by phone",
		`[md5.hex(5)(phone)][phone fixed(11)]`,
		`{"phone":"13111111111"}`,
		"63356633653133313131313131313131"},
	{"D8", "vehicle telemetry",
		`[md5.hex(6)(vin)][vin fixed(17)][ms(at)]`,
		`{"vin":"LSVAU2180N2183294","at":"2024-06-01T00:00:00Z"}`,
		"3339663637654c53564155323138304e323138333239340000018fd1189400"},
	{"D9 D10", "operations of a user, newest first",
		`[uid:8][max-ms(at)]`,
		`{"uid":"10086","at":"2023-05-16T02:20:30Z"}`,
		"00000000000027667ffffe77dda4124f"},
	{"D11", "phone to uid",
		`[phone reverse fixed(11)][uid:8]`,
		`{"phone":"13112345678","uid":"10086"}`,
		"38373635343332313133310000000000002766"},
	{"D12", "logs by host, event, time",
		`[host]['\x00'][event]['\x00'][ms(ts)]`,
		`{"host":"web-01","event":"oom","ts":"2024-01-01T00:00:00Z"}`,
		"7765622d3031006f6f6d000000018cc251f400"},
	{"D13", "logs by host, event, newest first",
		`[host]['\x00'][event]['\x00'][max-ms(ts)]`,
		`{"host":"web-01","event":"oom","ts":"2024-01-01T00:00:00Z"}`,
		"7765622d3031006f6f6d007ffffe733dae0bff"},
	{"D14", "logs bucketed by time",
		`[salt8(ts) modulo][ms(ts)][host]['\x00'][event]`,
		`{"ts":"2024-01-01T00:00:00.001Z","host":"web-01","event":"oom"}`,
		"010000018cc251f4017765622d3031006f6f6d"},
	{"D14", "global timeline, bucketed by host",
		`[salt8(host) md5.raw(4)][ms(at)][host]['\x00'][event:4]`,
		`{"at":"2024-01-01T00:00:00Z","host":"web-01","event":1}`,
		"040000018cc251f4007765622d30310000000001"},
	{"D15", "chat: salt_from_to_revts",
		`[salt100(from) javahash digits(2)]['_'][from]['_'][to]['_'][max-ms(at) decimal reverse]`,
		`{"from":"u1","to":"u2","at":"2023-05-16T02:20:30Z"}`,
		"37365f75315f75325f37303835343131353632353330373333323239"},
	{"D16", "chat by pair: lower and higher user",
		`[md5.raw(1)(values(lo,hi))][lo:8][hi:8][max-ms(at)]`,
		`{"lo":"1001","hi":"2002","at":"2023-05-16T02:20:30Z"}`,
		"1000000000000003e900000000000007d27ffffe77dda4124f"},
	{"D16", "chat by pair: both directions in one bucket",
		`[md5.raw(1)(minmax(from,to))][from:8][to:8][max-ms(at)]`,
		`{"from":"2002","to":"1001","at":"2023-05-16T02:20:30Z"}`,
		"1000000000000007d200000000000003e97ffffe77dda4124f"},
	{"D17", "IoT: device_sensor_revts",
		`[device]['_'][sensor]['_'][max-ms(at)]`,
		`{"device":"d1","sensor":"t","at":"2023-05-16T02:20:30Z"}`,
		"64315f745f7ffffe77dda4124f"},
	{"D18", "user-day: 3231-20121212",
		`[uid:8 decimal]['-'][layout("20060102",+08:00)(day)]`,
		`{"uid":"3231","day":"2012-12-11T16:00:00Z"}`,
		"333233312d3230313231323132"},
	{"D23", "web pages by reversed host",
		`[host reverselabels(".")]['\x00'][path]`,
		`{"host":"flink.iteblog.com","path":"/a"}`,
		"636f6d2e697465626c6f672e666c696e6b002f61"},
	{"D24", "events written round robin",
		`[slot:1 below(16)][ms(at)][id]`,
		`{"slot":3,"at":"2023-05-16T02:20:30Z","id":"e1"}`,
		"0300000188225bedb06531"},
}

// A key of each design goes through encode | decode and comes back, in JSON and
// in CSV, and through explain and check.
func TestDesigns(t *testing.T) {
	met := map[string]bool{"D4": false, "D22": false} // told below
	for _, d := range designs {
		for _, n := range strings.Fields(d.numbers) {
			met[n] = true
		}
		t.Run(d.numbers+" "+d.name, func(t *testing.T) {
			run := func(stdin string, args ...string) string {
				t.Helper()
				stdout, stderr, code := call(stdin, append(args, "-s", d.notation)...)
				require.Empty(t, stderr)
				require.Zero(t, code)
				return stdout
			}
			assert.Equal(t, d.key+"\n", run(d.row+"\n", "encode"))
			assert.Equal(t, d.row+"\n", run(run(d.row+"\n", "encode"), "decode"))
			assert.Equal(t, d.row+"\n", run(run(d.row+"\n", "encode", "-o", "shell"), "decode", "--in", "text"))
			assert.Equal(t, d.row+"\n", run("", "decode", "--tz", "UTC", d.key), "as an argument")
			csv := run(d.key+"\n", "decode", "-o", "csv", "--tz", "+08:00")
			assert.Equal(t, d.key+"\n", run(csv, "encode"), "%s", csv)

			var values map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(d.row), &values))
			var args []string
			for name, v := range values {
				args = append(args, name+"="+strings.Trim(string(v), `"`))
			}
			assert.Equal(t, d.key+"\n", run("", append([]string{"encode"}, args...)...), "from arguments")

			explained := run("", "explain", d.key)
			for name := range values {
				assert.Contains(t, explained, name)
			}
			assert.Contains(t, run(d.key+"\n", "check"), "\n1  fit\n")
		})
	}

	t.Run("D4 the three written together", func(t *testing.T) {
		met["D4"] = true
		for i, from := range designs[3:6] {
			require.Equal(t, fmt.Sprint("D", i+1), from.numbers)
			for _, to := range designs[3:6] {
				stdout, stderr, code := call("", "convert", "--from", from.notation, "-s", to.notation, from.key)
				assert.Empty(t, stderr)
				assert.Zero(t, code)
				assert.Equal(t, len(to.key)+1, len(stdout), "%s to %s", from.numbers, to.numbers)
				back, _, code := call("", "convert", "--from", to.notation, "-s", from.notation, strings.TrimSpace(stdout))
				assert.Zero(t, code)
				assert.Equal(t, from.key+"\n", back)
			}
		}
	})

	t.Run("D22 a span over several day tables", func(t *testing.T) {
		met["D22"] = true
		day := func(midnight string) string {
			return "[slot:2 below(2)][ms-since(" + midnight + ")(at) width(4) below(86400000)][ext:bytes]"
		}
		span := []string{"at>=2012-12-12T23:59:59.999+08:00", "at<2012-12-13T00:00:00.001+08:00"}
		for midnight, want := range map[string]string{
			"2012-12-12T00:00:00+08:00": "000005265bff 000005265c00\n0001" + "05265bff 000105265c00\n",
			"2012-12-13T00:00:00+08:00": "000000000000 000000000001\n000100000000 000100000001\n",
			"2012-12-14T00:00:00+08:00": "",
		} {
			stdout, stderr, code := call("", append([]string{"scan", "-o", "hex", "-s", day(midnight), "slot in 0,1"}, span...)...)
			assert.Empty(t, stderr)
			assert.Zero(t, code)
			assert.Equal(t, want, stdout, midnight)
		}
	})

	for i := 1; i <= 24; i++ {
		assert.True(t, met[fmt.Sprint("D", i)], "design %d", i)
	}
	assert.Len(t, met, 24, "%v", slices.Sorted(maps.Keys(met)))
}
