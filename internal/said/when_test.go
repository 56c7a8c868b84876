package said

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// What Usual reads is what package time reads, and it reads nothing else.
func TestUsual(t *testing.T) {
	for text, want := range map[string]string{
		"2023-11-16":                          "2023-11-16T00:00:00Z",
		"2024-02-29":                          "2024-02-29T00:00:00Z",
		"0001-01-01T00:00":                    "0001-01-01T00:00:00Z",
		"2023-11-16T22:47":                    "2023-11-16T22:47:00Z",
		"2023-11-16 22:47:38":                 "2023-11-16T22:47:38Z",
		"2023-11-16T22:47:38.129Z":            "2023-11-16T22:47:38.129Z",
		"2023-11-16T22:47:38.123456789+08:00": "2023-11-16T14:47:38.123456789Z",
		"2023-11-16T22:47:38-00:30":           "2023-11-16T23:17:38Z",
		"1969-12-31T23:59:59.5Z":              "1969-12-31T23:59:59.5Z",
		"2023-02-29":                          "",
		"2023-13-01":                          "",
		"2023-00-01":                          "",
		"2023-11-00":                          "",
		"2023-11-31":                          "",
		"2023/11/16":                          "",
		"2023-11-1":                           "",
		"2o23-11-16":                          "",
		"2023-11-16x22:47":                    "",
		"2023-11-16T24:00":                    "",
		"2023-11-16T22:60":                    "",
		"2023-11-16T22:47:60":                 "",
		"2023-11-16T22:47:38.":                "",
		"2023-11-16T22:47:38.1234567890":      "",
		"2023-11-16T22:47:38z":                "",
		"2023-11-16T22:47:38+0800":            "",
		"2023-11-16T22:47:38+24:00":           "",
		"2023-11-16T22:47:38+08:60":           "",
	} {
		got, zoned, ok := new(Values).Usual([]byte(text))
		if assert.Equal(t, want != "", ok, text); ok {
			assert.Equal(t, want, got.Format(time.RFC3339Nano), text)
			_, err := time.Parse(time.RFC3339Nano, text)
			assert.Equal(t, err == nil, zoned, text)
		}
	}
}

// A clock on the wall in Berlin: an hour that is not, the first time and each time after it.
func TestWallThatIsNot(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	v := Values{Zone: berlin, Cache: new(LayoutCache)}
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	for range 2 {
		_, _, err := v.AnyTime(&f, "2024-03-31 02:30:00")
		assert.ErrorContains(t, err, "2024-03-31 02:30:00")
	}
	at, day, err := v.AnyTime(&f, "2024-03-31 03:30:00")
	assert.NoError(t, err)
	assert.False(t, day)
	assert.Equal(t, "2024-03-31T01:30:00Z", at.UTC().Format(time.RFC3339))
	_, day, err = v.AnyTime(&f, "2024-03-31")
	assert.NoError(t, err)
	assert.True(t, day)
	for range 40 { // errors share memory, and each has its own text
		_, _, err = v.Time(&f, []byte("the day before"))
		_, _, other := v.Time(&f, []byte("then"))
		assert.ErrorContains(t, err, `not "the day before"`)
		assert.ErrorContains(t, other, `not "then"`)
	}
}

// What is said from now: a day has no time of the day, and a word has no number.
func TestRelative(t *testing.T) {
	now := time.Date(2024, 3, 1, 10, 30, 15, 999, time.UTC)
	v := Values{Now: func() time.Time { return now }}
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	for text, want := range map[string]struct {
		at  string
		day bool
	}{
		"now": {"2024-03-01T10:30:15Z", false}, "Today": {"2024-03-01T00:00:00Z", true}, "yesterday": {"2024-02-29T00:00:00Z", true}, "tomorrow": {"2024-03-02T00:00:00Z", true},
		"-5min": {"2024-03-01T10:25:15Z", false}, "-5m": {"2024-03-01T10:25:15Z", false}, "-25h": {"2024-02-29T09:30:15Z", false}, "-9d": {"2024-02-21T10:30:15Z", false}, "-1d": {"2024-02-29T10:30:15Z", false}, "-1w": {"2024-02-23T10:30:15Z", false},
		"-200000000min": {"1643-11-25T13:10:15Z", false}, "-3000000h": {"1681-12-04T10:30:15Z", false}, // more than a time.Duration holds
		"-5": {}, "-d": {}, "-5y": {}, "-9999999999d": {}, "then": {},
	} {
		at, day, err := v.AnyTime(&f, text)
		if assert.Equal(t, want.at == "", err != nil, "%s: %v", text, err); err == nil {
			assert.Equal(t, want.at, at.Format(time.RFC3339Nano), text)
			assert.Equal(t, want.day, day, text)
		}
	}
}

// A number with its unit that is too large for a time is told its limit.
func TestTooLargeForTime(t *testing.T) {
	v := Values{Now: time.Now}
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	for text, most := range map[string]string{
		"99999999999999999999ms": "; 9223372036854775807ms is", "1281023894007608h": "; 1281023894007607h is", // of more seconds time.Time makes one before 1970
		"4611686018427387905s": "; 4611686018427387904s is", "9223372036854775807s": "; 4611686018427387904s is",
		"-1000000001min": "; -1000000000min is", "-99999999999999999999d": "; -1000000000d is",
	} {
		_, _, err := v.Time(&f, []byte(text))
		assert.ErrorContains(t, err, most+" the most that can be said so", text)
	}
	for _, text := range []string{"1281023894007607h", "4611686018427387904s", "9223372036854775807ms"} {
		at, _, err := v.Time(&f, []byte(text))
		require.NoError(t, err, text)
		assert.True(t, at.After(time.Now()), "%s: %v", text, at)
	}
	_, _, err := (&Values{Unit: "s"}).Time(&f, []byte("9223372036854775807"))
	assert.Error(t, err)
	for _, text := range []string{"soon", "ms", "-d", "9x", "99999999999999999999", "--9h", "9-9h"} {
		_, _, err := v.Time(&f, []byte(text))
		require.Error(t, err, text)
		assert.NotContains(t, err.Error(), "can be said so", text)
	}
}

// What is written of a time is read as the same time: in years that RFC 3339 lacks, and where a
// zone's offset has seconds.
func TestTimesComeBack(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	for _, zone := range []*time.Location{time.UTC, shanghai, time.FixedZone("", -5*3600)} {
		v := Values{Zone: zone, Now: time.Now, Cache: &LayoutCache{}}
		for _, at := range []time.Time{
			time.Unix(253402300799, 999), time.Unix(253402300800, 0), time.UnixMilli(9223372036854775807), time.Unix(6e16, 7), time.Unix(-6e16, 7), // in years of 32 bits, as Go has them on such machines
			time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 2, 28, 23, 0, 0, 0, time.UTC), time.Date(-2400, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(1890, 1, 1, 0, 0, 0, 0, time.UTC),
		} {
			text := v.AppendTime(nil, at)
			back, _, err := v.Time(&f, text)
			assert.NoError(t, err, "%s", text)
			assert.True(t, back.Equal(at), "%s is read as %v", text, back)
		}
	}
	for _, text := range []string{"10000-02-30T00:00:00Z", "10000-01-01", "10000-01-01T00:00:00", "-99999999999999999-01-01T00:00:00Z", "-", "-0001-", "1x000-01-01T00:00:00Z"} {
		_, _, err := (&Values{}).Time(&f, []byte(text))
		assert.Error(t, err, text)
	}
}
