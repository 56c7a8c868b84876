package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// Times in the usual forms are read by hand, and mean what package time says.
func TestUsualTimes(t *testing.T) {
	r := seed.Rand(t)
	var v said.Values
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
		got, _, ok := v.Usual([]byte(text))
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
			require.Equal(t, at.Unix()/86400, int64(said.DaysSince1970(y, int(m), d)), "%v", at)
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
		v := said.Values{Zone: zone}
		odd := 0
		for range 20_000 {
			shown := time.Unix(r.Int64N(2_000_000_000), 0).UTC().Truncate(15 * time.Minute)
			text := shown.Format("2006-01-02 15:04:05")
			got, _, err := v.Time(&f, []byte(text))
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
		for _, v := range []said.Values{{Unit: unit}, {Cache: &said.LayoutCache{}}, {}} {
			for range 2 {
				got, day, err := v.Time(&f, text)
				require.NoError(t, err)
				assert.True(t, at.Equal(got) && !day, "%s: %v", text, got)
			}
		}
	}
	v := said.Values{Unit: "ms"} // 14 digits are a date and a time but where the unit was said
	got, _, err := v.Time(&f, []byte("20230516022030"))
	require.NoError(t, err)
	assert.Equal(t, int64(20230516022030), got.UnixMilli())
	got, _, err = (&said.Values{}).Time(&f, []byte("20230516022030"))
	require.NoError(t, err)
	assert.Equal(t, at, got.UTC())
	for _, bad := range []string{"0684203630", "99999999999999999999", "-1684203630", "1.684e9"} {
		_, _, err = (&said.Values{Cache: &said.LayoutCache{Said: map[said.GuessedUnit]bool{{Field: "at", Unit: "s"}: true, {Field: "at", Unit: ""}: true}}}).Time(&f, []byte(bad))
		assert.Error(t, err, bad)
	}
}

// The layouts of a text's shape read what all layouts, tried one after the other, read.
func TestShapes(t *testing.T) {
	r := seed.Rand(t)
	v := said.Values{Zone: time.FixedZone("", 3600)}
	slow := func(s string) (time.Time, bool) {
		for _, layout := range said.Layouts {
			if at, err := v.Wall(layout, said.IsDay(layout), s); err == nil {
				return at, true
			}
		}
		return time.Time{}, false
	}
	read := 0
	for range 5000 {
		at := time.Unix(r.Int64N(4e9), 0).In(time.FixedZone("", 60*r.IntN(24*60)))
		layout := said.Layouts[r.IntN(len(said.Layouts))]
		if r.IntN(3) == 0 {
			layout = strings.Replace(layout, "05", "05.999", 1)
			at = at.Add(time.Duration(r.IntN(1e9)))
		}
		text := []byte(at.Format(layout))
		for range r.IntN(3) {
			i := r.IntN(len(text))
			switch r.IntN(3) {
			case 0:
				text[i] = "0123456789-+:./, TZ_x"[r.IntN(21)]
			case 1:
				text = slices.Insert(text, i, "0 :-"[r.IntN(4)])
			case 2:
				text = slices.Delete(text, i, i+1)
			}
		}
		want, ok := slow(string(text))
		got, _, err := (&said.Values{Zone: v.Zone, Now: nil}).AnyTime(&rowkey.FieldInfo{Name: "at"}, string(text))
		if ok {
			read++
			require.NoError(t, err, "%q", text)
			require.True(t, want.Equal(got), "%q: %v, %v", text, want, got)
		} else if err == nil { // a number, with a unit or without, or a year that RFC 3339 lacks
			require.Regexp(t, `^(-?[0-9]+[a-z]*|([+-][0-9]{4}|[+-]?[0-9]{5,})-.+)$`, string(text))
		}
	}
	require.Greater(t, read, 1500)
}

// A number with its unit and a text that is no time cost about what an ISO time costs.
func TestTimesCost(t *testing.T) {
	f := &rowkey.FieldInfo{Name: "at", Kind: "time"}
	v := said.Values{Cache: &said.LayoutCache{}}
	for text, most := range map[string]float64{
		"2023-05-16T02:20:30Z": 0, "1684203630000ms": 0, "1684203630s": 0, "1684203630000000us": 0, "1684203630000000000ns": 0, "19000d": 0,
		"nine": 1, "2023-13-45T02:20:30Z": 1, "2023-05-16T25:20:30Z": 1, "2023/05/16 02:20:61": 1, "20230516022061": 1, "2023/05/16 02h20": 1, "16842036300000x": 1, "02/01/2006": 1,
	} {
		text := []byte(text)
		n := testing.AllocsPerRun(20, func() { _, _, _ = v.Time(f, text) })
		assert.LessOrEqual(t, n, most, "%s", text)
	}
	for text, want := range map[string]string{"1684203630000ms": "2023-05-16T02:20:30Z", "1684203630s": "2023-05-16T02:20:30Z", "28070060min": "2023-05-16T02:20:00Z", "467834h": "2023-05-16T02:00:00Z", "19493d": "2023-05-16T00:00:00Z"} {
		at, _, err := v.Time(f, []byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, at.UTC().Format(time.RFC3339), text)
	}
	for _, text := range []string{"ms", "1684203630xs", "168420363000099999999ms", "99999999999999999h", "1684203630mss"} {
		_, _, err := v.Time(f, []byte(text))
		assert.Error(t, err, text)
	}
}

// A time that is none costs a file of them about what ISO times cost.
func BenchmarkTimes(b *testing.B) {
	f := &rowkey.FieldInfo{Name: "at", Kind: "time"}
	for _, text := range []string{"2023-05-16T02:20:30.129Z", "1684203630129ms", "2023-13-45T02:20:30.129Z", "nonsense", "16/05/2023 02:20", "2023-05-16T25:20:30Z", "2023/05/16 02:20:61", "2023/05/16 02h20", "1684203630129xs"} {
		b.Run(text, func(b *testing.B) {
			v, s, into := said.Values{Cache: &said.LayoutCache{}, Now: time.Now}, []byte(text), &block{}
			for b.Loop() {
				if _, _, err := v.Time(f, s); err != nil {
					into.fail(1, err)
				}
			}
		})
	}
}
