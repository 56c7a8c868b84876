package said

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/clock"
)

// Values is how values are read and shown.
type Values struct {
	Zone      *time.Location // of times that name none; nil is UTC
	Unit      string         // --time-unit, of times that are bare numbers; empty: their digits say it
	Layout    string         // --time-layout, as Go has it
	LayoutDay bool           // it has nothing of the time of the day
	Now       func() time.Time
	Notes     *Notes
	Cache     *LayoutCache // not shared between goroutines
}

func (v *Values) In() *time.Location {
	if v.Zone == nil {
		return time.UTC
	}
	return v.Zone
}

// Notes are what is said once, whoever meets it.
type Notes struct {
	mu   sync.Mutex
	met  map[string]bool
	wait []note
}

type note struct{ Key, Text string }

func (n *Notes) Add(key, text string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.met == nil {
		n.met = map[string]bool{}
	}
	if !n.met[key] {
		n.met[key] = true
		n.wait = append(n.wait, note{key, text})
	}
}

func (n *Notes) Take() []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.wait
	n.wait = nil
	return out
}

// LayoutCache is the layout that read the time before.
type LayoutCache struct {
	layout string
	Said   map[GuessedUnit]bool

	field, cause string    // of the last text that was no time
	errors       []NotTime // room for the next errors, and for their texts: one by one they cost more than a time
	texts        []byte
}

// GuessedUnit is a unit that was guessed of a field.
type GuessedUnit struct{ Field, Unit string }

// Layouts are the ways in which dates and times are written.
var Layouts = func() (out []string) {
	for _, date := range []string{"2006-01-02", "2006/01/02", "20060102", "2006-1-2", "2006/1/2"} {
		for _, clock := range []string{"T15:04:05", " 15:04:05", "T15:04", " 15:04", "T150405", " 150405", "150405", "_15:04:05"} {
			if strings.HasSuffix(clock, "150405") && date != "20060102" {
				continue
			}
			for _, zone := range []string{"", "Z07:00", "Z0700", "Z07", " -07:00", " -0700", " MST"} {
				if zone == " MST" { // only UTC and GMT have one meaning
					out = append(out, date+clock+" UTC", date+clock+" GMT")
					continue
				}
				out = append(out, date+clock+zone)
			}
		}
		out = append(out, date)
	}
	return out
}()

// units are those of a time as a number since 1970.
var units = []struct {
	name string
	rowkeyUnit
}{
	{"ns", rowkeyUnit{1, 1e9}}, {"us", rowkeyUnit{1e3, 1e6}}, {"ms", rowkeyUnit{1e6, 1e3}}, {"s", rowkeyUnit{1e9, 1}},
	{"min", rowkeyUnit{0, -60}}, {"h", rowkeyUnit{0, -3600}}, {"d", rowkeyUnit{0, -86400}},
}

var UnitNames = func() (names []string) {
	for _, u := range units {
		names = append(names, u.name)
	}
	return names
}()

// unitOf is the unit of a name.
func unitOf[T string | []byte](name T) (rowkeyUnit, bool) {
	for i := range units {
		if units[i].name == string(name) {
			return units[i].rowkeyUnit, true
		}
	}
	return rowkeyUnit{}, false
}

// rowkeyUnit is a unit's nanoseconds and how many of it make a second; below
// zero, how many seconds make one of it.
type rowkeyUnit struct{ nanos, perSecond int64 }

func (u rowkeyUnit) at(n int64) (time.Time, bool) {
	if n > u.most() {
		return time.Time{}, false
	}
	if u.perSecond < 0 {
		return time.Unix(n*-u.perSecond, 0), n >= 0
	}
	return time.Unix(n/u.perSecond, n%u.perSecond*u.nanos), true
}

// most is the largest number that at takes: a time.Time of more seconds than a key may hold would
// wrap round to one long before 1970.
func (u rowkeyUnit) most() int64 {
	if u.perSecond > 1 {
		return math.MaxInt64
	}
	return clock.MaxSeconds / max(1, -u.perSecond)
}

// guessed is the unit of a number since 1970 by its digits: those of the years
// 2001 to 2286.
var guessed = map[int]struct{ Unit, name string }{10: {"s", "seconds"}, 13: {"ms", "milliseconds"}, 16: {"us", "microseconds"}, 19: {"ns", "nanoseconds"}}

// Time reads a time; day says that it was a day, of which it is the beginning.
func (v *Values) Time(f *rowkey.FieldInfo, s []byte) (t time.Time, day bool, err error) {
	if v.Layout == "" {
		if t, zoned, ok := v.Usual(s); ok {
			if day = len(s) == len("2006-01-02"); !zoned && v.In() != time.UTC {
				if t, err = v.onWall(t, day, s); err != nil {
					err = fmt.Errorf("%s: %w", f.Name, err)
				}
			}
			return t, day, err
		}
		if noForm(s) {
			return t, false, v.noTime(f, s)
		}
		if t, ok := v.epoch(f, s); ok {
			return t, false, nil
		}
		if t, ok := suffixed(s); ok {
			return t, false, nil
		}
	}
	text := string(s)
	if v.Layout != "" {
		t, err := v.Wall(v.Layout, v.LayoutDay, text)
		switch {
		case errors.Is(err, errNoTime):
			return t, false, Told{f.Name + ": expected a time as " + strconv.Quote(v.Layout), ", not " + Shown(text)}
		case err != nil:
			return t, false, fmt.Errorf("%s: %w", f.Name, err)
		}
		return t, v.LayoutDay, nil
	}
	t, day, err = v.AnyTime(f, strings.TrimSpace(text))
	switch {
	case err == errNoTime:
		return t, false, v.noTime(f, s)
	case err != nil:
		return t, false, fmt.Errorf("%s: %w", f.Name, err)
	}
	return t, day, nil
}

var errNoTime = errors.New("no time")

// NotTime is the error of a text that is no time. A file may hold millions of them, of which
// few are shown: the words are made where they are.
type NotTime struct {
	Cause string
	text  []byte
}

func (e *NotTime) Error() string { return e.Cause + e.Detail() }

// Detail is what differs from line to line.
func (e *NotTime) Detail() string {
	text := string(e.text)
	return ", not " + Shown(text) + noTimeHint(text)
}

// noTime is the error of a text that is no time.
func (v *Values) noTime(f *rowkey.FieldInfo, text []byte) error {
	c := v.Cache
	if c == nil {
		return &NotTime{f.Name + ": expected " + wanted(f), bytes.Clone(text)}
	}
	if c.field != f.Name {
		c.field, c.cause = f.Name, f.Name+": expected "+wanted(f)
	}
	if len(c.errors) == cap(c.errors) {
		c.errors = make([]NotTime, 0, 32)
	}
	if cap(c.texts)-len(c.texts) < len(text) {
		c.texts = make([]byte, 0, max(1024, len(text)))
	}
	from := len(c.texts)
	c.texts = append(c.texts, text...)
	c.errors = append(c.errors, NotTime{c.cause, c.texts[from:len(c.texts):len(c.texts)]})
	return &c.errors[len(c.errors)-1]
}

// noTimeHint says what may help with a text that is no time.
func noTimeHint(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return Perhaps(strings.TrimSpace(text), []string{"now", "today", "yesterday", "tomorrow"})
	}
	if strings.HasSuffix(text, " ago") {
		return "; 5 minutes ago is -5min"
	}
	if most := beyond(text); most != "" {
		return "; " + most + " is the most that can be said so"
	}
	if strings.ContainsAny(text, "0123456789") && strings.ContainsAny(text, "/.-: ") {
		return "; --time-layout reads other forms, as %d/%m/%Y"
	}
	return ""
}

// beyond is the largest number of its unit that is read, for a text that has a larger one: since
// 1970, or before now. It is empty for another text.
func beyond(text string) string {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	digits, before := strings.CutPrefix(number, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	name, sign, most := text[len(number):], "-", int64(mostAgo)
	if before {
		if !slices.Contains(agoUnits, name) {
			return ""
		}
	} else {
		u, known := unitOf(name)
		if !known {
			return ""
		}
		sign, most = "", u.most()
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n <= most {
		return ""
	}
	return sign + strconv.FormatInt(most, 10) + name
}

// Usual reads 2006-01-02 and 2006-01-02T15:04:05.999Z; zoned is whether it names
// its zone, else it is read in UTC. What it does not know, anyTime may.
func (v *Values) Usual(s []byte) (t time.Time, zoned, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return t, false, false
	}
	year, month, day := two(s, 0)*100+two(s, 2), two(s, 5), two(s, 8)
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysOf(year, month) {
		return t, false, false
	}
	seconds, nanos, at := 0, 0, 10
	if len(s) > 10 {
		if seconds, nanos, at, ok = usualClock(s); !ok {
			return t, false, false
		}
	}
	offset := 0
	if zoned = at < len(s); zoned {
		if offset, ok = usualZone(s[at:]); !ok {
			return t, false, false
		}
	}
	unix := int64(DaysSince1970(year, month, day))*86400 + int64(seconds-offset)
	return time.Unix(unix, int64(nanos)).UTC(), zoned, true
}

// two is the number of the two digits at s[i]; far below 0 if they are none.
func two(s []byte, i int) int {
	a, b := s[i]-'0', s[i+1]-'0'
	if a > 9 || b > 9 {
		return -1 << 20
	}
	return int(a)*10 + int(b)
}

// usualClock reads T15:04, T15:04:05 or T15:04:05.999 behind a date. It gives the seconds since
// midnight, and where the clock ends.
func usualClock(s []byte) (seconds, nanos, at int, ok bool) {
	if len(s) < 16 || s[10] != 'T' && s[10] != ' ' || s[13] != ':' {
		return 0, 0, 0, false
	}
	hour, minute, second := two(s, 11), two(s, 14), 0
	at = 16
	if len(s) >= 19 && s[16] == ':' {
		second, at = two(s, 17), 19
		if len(s) > 20 && s[19] == '.' {
			scale := 100_000_000
			for at = 20; at < len(s) && s[at]-'0' <= 9; at++ {
				nanos += int(s[at]-'0') * scale
				scale /= 10
			}
			if at == 20 || at > 29 {
				return 0, 0, 0, false
			}
		}
	}
	return hour*3600 + minute*60 + second, nanos, at, uint(hour) <= 23 && uint(minute) <= 59 && uint(second) <= 59
}

// usualZone reads Z or +08:00, and gives the seconds before UTC.
func usualZone(s []byte) (offset int, ok bool) {
	if len(s) == 1 && s[0] == 'Z' {
		return 0, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, m := two(s, 1), two(s, 4)
	if offset = h*3600 + m*60; s[0] == '-' {
		offset = -offset
	}
	return offset, uint(h) <= 23 && uint(m) <= 59
}

// DaysSince1970 counts the days up to a day of the Gregorian calendar: as in its
// years that begin in March, so that a leap day is the last of its year.
func DaysSince1970(year, month, day int) int {
	if month < 3 {
		year, month = year-1, month+12
	}
	year += 400 // so that none is below 0
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468 - 146097
}

func daysOf(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// epoch reads a number since 1970 whose unit was said, or guessed before.
func (v *Values) epoch(f *rowkey.FieldInfo, s []byte) (time.Time, bool) {
	n, ok := digits(s)
	if !ok || n > math.MaxInt64 {
		return time.Time{}, false
	}
	unit := v.Unit
	if unit == "" {
		if unit = guessed[len(s)].Unit; s[0] == '0' || v.Cache == nil || !v.Cache.Said[GuessedUnit{f.Name, unit}] {
			return time.Time{}, false
		}
	}
	u, known := unitOf(unit)
	if !known {
		return time.Time{}, false
	}
	return u.at(int64(n))
}

// suffixed reads a number since 1970 with its unit, as 1684203630000ms.
func suffixed(s []byte) (time.Time, bool) {
	at := len(s)
	for at > 0 && s[at-1] > '9' {
		at--
	}
	if at == 0 || at == len(s) || len(s)-at > len("min") {
		return time.Time{}, false
	}
	u, known := unitOf(s[at:])
	n, ok := digits(s[:at])
	if !known || !ok || n > math.MaxInt64 {
		return time.Time{}, false
	}
	return u.at(int64(n))
}

// shapeOf is a time's text with each run of digits as one 0, each run of blanks as one, and
// without a fraction and the difference of + and -: equal for a layout and for what it reads.
func shapeOf(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			if n := len(dst); n == 0 || dst[n-1] != '0' {
				dst = append(dst, '0')
			}
		case (c == '.' || c == ',') && len(dst) > 0 && dst[len(dst)-1] == '0': // and its digits join those before
		case c == ' ':
			if n := len(dst); n == 0 || dst[n-1] != ' ' {
				dst = append(dst, ' ')
			}
		case c == '+':
			dst = append(dst, '-')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// hasDay reports that a text begins with a day that the calendar has, as every layout does, and
// has no clock after it that shows 24 hours or 60 minutes: else no layout need be tried.
func hasDay[T string | []byte](s T) bool {
	if len(s) < 4 || !digitAt(s, 1) || !digitAt(s, 2) || !digitAt(s, 3) {
		return false
	}
	year := int(s[1]-'0')*100 + int(s[2]-'0')*10 + int(s[3]-'0')
	if digitAt(s, 0) {
		year += int(s[0]-'0') * 1000
	}
	month, first, i := signed(s, 4)
	day, second, i := signed(s, i)
	if month < 1 || month > 12 || first != second && first != 0 || day < 1 || day > 28 && day > daysOf(year, month) {
		return false
	}
	hour, _, i := signed(s, i)
	minute, _, i := signed(s, i)
	seconds, _, _ := signed(s, i) // or the hours of a zone
	return hour <= 23 && minute <= 59 && seconds <= 59
}

// signed is the number of at most two digits at s[i], the byte before it, if that is no digit,
// and the place after both.
func signed[T string | []byte](s T, i int) (n int, sign byte, next int) {
	if i < len(s) && !digitAt(s, i) {
		sign = s[i]
		i++
	}
	for end := i + 2; i < end && digitAt(s, i); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, sign, i
}

func digitAt[T string | []byte](s T, i int) bool { return i < len(s) && s[i]-'0' <= 9 }

// noForm reports that a text has the form of no time, by its bytes: it begins as a date, but is
// none, or as another word than those of times from now.
func noForm(s []byte) bool {
	if len(s) < 5 {
		return false
	}
	last := s[len(s)-1]
	ends := last > ' ' && last < 0x80 // a blank at the end, also one of Unicode, does not count
	if digitAt(s, 0) {
		return ends && digitAt(s, 3) && (s[4] == '-' || s[4] == '/') && !dated(s)
	}
	if s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	switch s[0] | 0x20 {
	case 'n', 't', 'y': // now, today, tomorrow, yesterday
		return ends && len(s) > len("yesterday")
	}
	return true
}

// shapes are the layouts by the shape of what they read, in their order.
var shapes = func() map[string][]string {
	out := map[string][]string{}
	for _, layout := range Layouts {
		seen := map[string]bool{}
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 8*3600)} {
			shape := string(shapeOf(nil, time.Date(2023, 11, 16, 22, 47, 38, 0, zone).Format(layout)))
			if !seen[shape] {
				seen[shape] = true
				out[shape] = append(out[shape], layout)
			}
		}
	}
	return out
}()

// shapeBytes are the bytes that a text of a layout may hold: another text need not be looked at.
var shapeBytes = func() (may [256]bool) {
	for shape := range shapes {
		for i := range len(shape) {
			may[shape[i]] = true
		}
	}
	for _, c := range []byte("0123456789+.,") {
		may[c] = true
	}
	return may
}()

// dated reports that a text may be one of a layout.
func dated[T string | []byte](s T) bool {
	if !hasDay(s) {
		return false
	}
	for i := range len(s) {
		if !shapeBytes[s[i]] {
			return false
		}
	}
	return true
}

// AnyTime reads a time in one of the ways in which people write it.
func (v *Values) AnyTime(f *rowkey.FieldInfo, s string) (t time.Time, day bool, err error) {
	if v.Now != nil && fromNow(s) {
		if t, day, ok := v.relative(s); ok {
			return t, day, nil
		}
	}
	dated := dated(s)
	if dated && v.Cache != nil && v.Cache.layout != "" {
		if t, err := v.Wall(v.Cache.layout, IsDay(v.Cache.layout), s); !errors.Is(err, errNoTime) {
			return t, IsDay(v.Cache.layout), err
		}
	}
	var room [64]byte
	var byShape []string
	if dated {
		byShape = shapes[string(shapeOf(room[:0], s))]
	}
	for _, layout := range byShape {
		t, err := v.Wall(layout, IsDay(layout), s)
		if errors.Is(err, errNoTime) {
			continue
		}
		if layout == "20060102" && v.Unit != "" { // a number, of which the unit was said
			break
		}
		if v.Cache != nil {
			v.Cache.layout = layout
		}
		return t, IsDay(layout), err
	}
	if t, ok := v.farYear(s); ok {
		return t, false, nil
	}
	t, err = v.number(f, s)
	return t, false, err
}

// farYear reads what AppendTime writes of a year that RFC 3339 lacks: with five digits or more, or
// with a sign.
func (v *Values) farYear(s string) (t time.Time, ok bool) {
	end := strings.IndexByte(s[min(1, len(s)):], '-') + 1
	if end < len("-0001") || end > len("-292277022657") {
		return t, false
	}
	year, err := strconv.ParseInt(s[:end], 10, 64)
	if err != nil {
		return t, false
	}
	near := (year%clock.CycleYears+clock.CycleYears)%clock.CycleYears + 2000
	t, zoned, ok := v.Usual([]byte(strconv.FormatInt(near, 10) + s[end:]))
	if !ok || !zoned {
		return t, false
	}
	far := (year - near) / clock.CycleYears * clock.Cycle
	return time.Unix(t.Unix()+far, int64(t.Nanosecond())), true
}

func IsDay(layout string) bool { return !strings.Contains(layout, "15") }

// DayOnly is isDay for any layout: it writes nothing of the time of the day.
func DayOnly(layout string) bool {
	evening := time.Date(2023, 11, 16, 22, 47, 38, 129_000_000, time.UTC)
	return evening.Format(layout) == evening.Add(-11*time.Hour-7*time.Minute-9*time.Second-3*time.Millisecond).Format(layout)
}

// Wall reads a time by a layout; one without an offset is what a clock on the
// wall shows in the zone, which that may never show, or twice.
func (v *Values) Wall(layout string, day bool, s string) (time.Time, error) {
	zone := v.In()
	t, err := time.ParseInLocation(layout, s, zone)
	if err != nil {
		return t, errNoTime
	}
	if zone == time.UTC || t.Location() != zone || hasZone(layout) {
		return t, nil
	}
	shown, err := time.Parse(layout, s)
	if err != nil {
		return t, errNoTime
	}
	return v.onWall(shown, day, []byte(s))
}

// onWall is the instant at which a clock on the wall shows a time in the zone,
// which is given as in UTC. The zone may never show it, or twice.
func (v *Values) onWall(shown time.Time, day bool, text []byte) (time.Time, error) {
	zone := v.In()
	t := time.Date(shown.Year(), shown.Month(), shown.Day(), shown.Hour(), shown.Minute(), shown.Second(), shown.Nanosecond(), zone)
	_, offset := t.Zone()
	if !t.Add(time.Duration(offset) * time.Second).UTC().Equal(shown) {
		if day { // a day whose midnight is skipped begins a little later
			return t, nil
		}
		return t, Told{"a time that no clock shows in " + zone.String(), ": " + string(text) + " is skipped there"}
	}
	if day {
		return t, nil
	}
	begins, ends := t.ZoneBounds()
	for _, near := range []time.Time{begins.Add(-1), ends} {
		if begins.IsZero() && near.Before(t) || ends.IsZero() && !near.Before(t) {
			continue
		}
		_, other := near.In(zone).Zone()
		again := shown.Add(-time.Duration(other) * time.Second)
		if _, is := again.In(zone).Zone(); is == other && !again.Equal(t) {
			return t, Told{"a time that clocks show twice in " + zone.String(), ": give " + string(text) + " with its offset, " + t.Format("-07:00") + " or " + again.In(zone).Format("-07:00")}
		}
	}
	return t, nil
}

func hasZone(layout string) bool {
	return strings.Contains(layout, "-07") || strings.Contains(layout, "Z07") || strings.Contains(layout, "MST") || strings.HasSuffix(layout, "UTC") || strings.HasSuffix(layout, "GMT")
}

// fromNow reports that a text may say a time from now: now, today, -5min.
func fromNow(s string) bool {
	if s == "" || len(s) > len("-1000000000min") {
		return false
	}
	return s[0] == '-' || strings.EqualFold(s, "now") || strings.EqualFold(s, "today") || strings.EqualFold(s, "yesterday") || strings.EqualFold(s, "tomorrow")
}

// mostAgo is the largest number of what is said from now, in one of agoUnits.
const mostAgo = 1_000_000_000

var agoUnits = []string{"min", "m", "h", "d", "w"}

// relative reads what is said from now.
func (v *Values) relative(s string) (t time.Time, day, ok bool) {
	now := v.Now().In(v.In()).Truncate(time.Second) // so that most units hold it
	midnight := func(days int) time.Time {
		y, m, d := now.Date()
		return time.Date(y, m, d+days, 0, 0, 0, 0, v.In())
	}
	switch strings.ToLower(s) {
	case "now":
		return now, false, true
	case "today":
		return midnight(0), true, true
	case "yesterday":
		return midnight(-1), true, true
	case "tomorrow":
		return midnight(1), true, true
	}
	if len(s) < 3 || s[0] != '-' || !digitAt(s, 1) {
		return t, false, false
	}
	end := len(s)
	for end > 1 && (s[end-1] < '0' || s[end-1] > '9') {
		end--
	}
	n, err := strconv.Atoi(s[1:end])
	if err != nil || n > mostAgo {
		return t, false, false
	}
	ago := func(seconds int64) time.Time { // a time.Duration holds 292 years only
		return time.Unix(now.Unix()-int64(n)*seconds, 0).In(v.In())
	}
	switch s[end:] {
	case "min", "m":
		return ago(60), false, true
	case "h":
		return ago(3600), false, true
	case "d":
		return now.AddDate(0, 0, -n), false, true
	case "w":
		return now.AddDate(0, 0, -7*n), false, true
	}
	return t, false, false
}

// number reads a number since 1970, with its unit or without.
func (v *Values) number(f *rowkey.FieldInfo, s string) (time.Time, error) {
	end := 0
	for end < len(s) && (digitAt(s, end) || end == 0 && (s[0] == '-' || s[0] == '+')) {
		end++
	}
	digits, name := s[:end], s[end:]
	if name == "" {
		name = v.Unit
	}
	u, known := unitOf(name)
	if !known && name != "" || end == 0 || end > 20 { // not asked of ParseInt, whose errors cost more than this
		return time.Time{}, errNoTime
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return time.Time{}, errNoTime
	}
	if name == "" {
		g, known := guessed[len(digits)]
		if !known || digits[0] < '1' || digits[0] > '9' {
			return time.Time{}, errNoTime
		}
		name = g.Unit
		u, _ = unitOf(name)
		if said := (GuessedUnit{f.Name, name}); v.Cache == nil || !v.Cache.Said[said] {
			if v.Cache != nil {
				if v.Cache.Said == nil {
					v.Cache.Said = map[GuessedUnit]bool{}
				}
				v.Cache.Said[said] = true
			}
			t, _ := u.at(n)
			v.Notes.Add(f.Name+" "+name, fmt.Sprintf("%s: %s is read as %s since 1970, %s; --time-unit says another unit", f.Name, digits, g.name, t.In(v.In()).Format(time.RFC3339Nano)))
		}
	}
	t, ok := u.at(n)
	if !ok {
		return t, errNoTime
	}
	return t, nil
}

// AppendTime appends a time in the zone, as clock.AppendText has it.
func (v *Values) AppendTime(dst []byte, t time.Time) []byte {
	return clock.AppendText(dst, t.In(v.In()))
}

// GoLayout is a layout of --time-layout, which may be strftime's.
func GoLayout(s string) (string, error) {
	if !strings.Contains(s, "%") {
		if t, err := time.Parse(s, time.Date(2023, 5, 16, 2, 20, 30, 0, time.UTC).Format(s)); err != nil || t.Year() != 2023 && t.Year() != 0 || !strings.Contains(s, "2006") && !strings.Contains(s, "06") {
			return "", fmt.Errorf("--time-layout %s: expected a layout as 02/01/2006 15:04:05 or %%d/%%m/%%Y %%H:%%M:%%S", Shown(s))
		}
		return s, nil
	}
	means := map[byte]string{'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'f': "999999", 'z': "-0700", 'Z': "MST",
		'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'e': "_2", 'j': "002", 'T': "15:04:05", 'F': "2006-01-02", 'D': "01/02/06", '%': "%", 'n': "\n", 't': "\t"}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) || means[s[i]] == "" {
			return "", fmt.Errorf("--time-layout %s: no such letter after %%", Shown(s))
		}
		b.WriteString(means[s[i]])
	}
	return b.String(), nil
}
