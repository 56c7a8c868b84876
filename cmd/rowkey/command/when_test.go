package command

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// Times in the usual forms are read by hand, and mean what package time says.
func TestUsualTimes(t *testing.T) {
	r := seed.Rand(t)
	var v values
	read := 0
	for range 200_000 {
		year, month, day := r.IntN(10000), r.IntN(14), r.IntN(33)
		text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
		layout := "2006-01-02"
		if r.IntN(4) > 0 {
			clock := fmt.Sprintf("%02d:%02d:%02d", r.IntN(25), r.IntN(61), r.IntN(61))
			text, layout = text+"T"+clock, layout+"T15:04:05"
			if r.IntN(3) == 0 {
				text += "." + fmt.Sprint(r.IntN(1_000_000_000))
			}
			switch r.IntN(3) {
			case 0:
				text, layout = text+"Z", layout+"Z07:00"
			case 1:
				text, layout = text+fmt.Sprintf("%c%02d:%02d", "+-"[r.IntN(2)], r.IntN(25), r.IntN(61)), layout+"Z07:00"
			}
		}
		got, _, ok := v.usual([]byte(text))
		want, err := time.Parse(layout, text)
		if ok { // package time reads some more, such as +24:30
			read++
			require.NoError(t, err, text)
			require.True(t, want.Equal(got), "%s: %v", text, got)
		}
	}
	assert.Greater(t, read, 50_000)
}

// Every day of 800 years, and the first and the last that are written.
func TestDaysSince1970(t *testing.T) {
	for _, from := range []int{0, 1600, 9990} {
		at := time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC)
		for at.Year() < min(from+800, 10000) {
			y, m, d := at.Date()
			require.Equal(t, at.Unix()/86400, int64(daysSince1970(y, int(m), d)), "%v", at)
			at = at.AddDate(0, 0, 1)
		}
	}
}

// What a zone's clocks show is read as package time reads it, but for times that
// they never show, or twice.
func TestOnWall(t *testing.T) {
	r := seed.Rand(t)
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	for _, name := range []string{"Europe/Berlin", "Asia/Shanghai", "America/St_Johns", "Pacific/Apia", "+05:30", "UTC"} {
		zone, err := parseZone(name)
		require.NoError(t, err)
		v := values{zone: zone}
		odd := 0
		for range 20_000 {
			shown := time.Unix(r.Int64N(2_000_000_000), 0).UTC().Truncate(15 * time.Minute)
			text := shown.Format("2006-01-02 15:04:05")
			got, _, err := v.time(&f, []byte(text))
			if err != nil {
				odd++
				continue
			}
			require.Equal(t, text, got.In(zone).Format("2006-01-02 15:04:05"), "%s", name)
		}
		assert.Less(t, odd, 200, name)
	}
}

// Numbers since 1970 mean the same, whether their unit was said, is guessed, or
// was guessed before.
func TestEpochs(t *testing.T) {
	f := rowkey.FieldInfo{Name: "at", Kind: "time"}
	at := time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC)
	for unit, n := range map[string]int64{"s": at.Unix(), "ms": at.UnixMilli(), "us": at.UnixMicro(), "ns": at.UnixNano()} {
		text := []byte(fmt.Sprint(n))
		for _, v := range []values{{unit: unit}, {cache: &layoutCache{}}, {}} {
			for range 2 {
				got, day, err := v.time(&f, text)
				require.NoError(t, err)
				assert.True(t, at.Equal(got) && !day, "%s: %v", text, got)
			}
		}
	}
	v := values{unit: "ms"} // 14 digits are a date and a time but where the unit was said
	got, _, err := v.time(&f, []byte("20230516022030"))
	require.NoError(t, err)
	assert.Equal(t, int64(20230516022030), got.UnixMilli())
	got, _, err = (&values{}).time(&f, []byte("20230516022030"))
	require.NoError(t, err)
	assert.Equal(t, at, got.UTC())
	for _, bad := range []string{"0684203630", "99999999999999999999", "-1684203630", "1.684e9"} {
		_, _, err = (&values{cache: &layoutCache{said: map[saidUnit]bool{{"at", "s"}: true, {"at", ""}: true}}}).time(&f, []byte(bad))
		assert.Error(t, err, bad)
	}
}
