package clock

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Unit is how instants are counted: in whole steps from an epoch, by a layout, or by two
// functions of a caller's.
type Unit struct {
	Name string
	Step time.Duration
	Sec  int64 // the epoch, in seconds since 1970
	Nsec int64 // and nanoseconds after that second
	Set  bool  // Since was called
	Lay  *forms.Layout
	Own  *Own   // the functions of a caller's; nil: none
	Err  string // what is wrong with the declaration; empty: nothing
}

// The units that have a name.
var (
	Nanos   = Unit{Name: "ns", Step: time.Nanosecond}
	Micros  = Unit{Name: "us", Step: time.Microsecond}
	Millis  = Unit{Name: "ms", Step: time.Millisecond}
	Seconds = Unit{Name: "s", Step: time.Second}
	Minutes = Unit{Name: "min", Step: time.Minute}
	Hours   = Unit{Name: "h", Step: time.Hour}
	Days    = Unit{Name: "d", Step: 24 * time.Hour}
)

// Own is a unit that a caller wrote (NewUnit).
type Own struct {
	To   func(time.Time) int64 // the number of the step that holds an instant
	From func(int64) time.Time // the first instant of a step
	Last uint64                // the number of the last step
}

// Number is the number of the step that holds an instant, by the caller's function. A panic
// of that function becomes an error.
func (o *Own) Number(t time.Time) (n int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, foreign.Panicked(p)
		}
	}()
	return o.To(t), nil
}

// Start is the first instant of step n, by the caller's function. A panic becomes an error.
func (o *Own) Start(n int64) (t time.Time, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = time.Time{}, foreign.Panicked(p)
		}
	}()
	return o.From(n), nil
}

// Fault is the error if a function of a caller's unit panics for an instant. It is nil if
// none does, if the instant lies outside of the unit's steps, or if the unit is no
// caller's.
func (u *Unit) Fault(sec, nsec int64) error {
	if u.Own == nil || u.outside(sec, nsec) {
		return nil
	}
	n, err := u.Own.Number(time.Unix(sec, nsec).UTC())
	if err != nil {
		return u.blame(err)
	}
	return u.Broken(uint64(n))
}

// Broken is the error if a function of a caller's unit panics for step n; else nil.
func (u *Unit) Broken(n uint64) error {
	if u.Own == nil {
		return nil
	}
	if _, err := u.Own.Start(int64(n)); err != nil {
		return u.blame(err)
	}
	return nil
}

// blame is the error of a caller's unit whose function panicked.
func (u *Unit) blame(err error) error {
	return &foreign.Error{Name: "unit " + u.Name, Err: err, Reason: fault.ErrRange}
}

// outside reports that a caller's unit has no step for an instant: it lies before the epoch,
// or after the year 9999.
func (u *Unit) outside(sec, nsec int64) bool {
	return sec < u.Sec || sec == u.Sec && nsec < u.Nsec || sec >= YearStart(10000)
}

// BeginsAt reports that the epoch is a multiple of d after 1970. Then an instant is a
// multiple of d after the epoch if and only if it is one after 1970.
func (u *Unit) BeginsAt(d time.Duration) bool {
	n := new(big.Int).Mul(big.NewInt(u.Sec), big.NewInt(int64(time.Second)))
	n.Add(n, big.NewInt(u.Nsec))
	return n.Mod(n, big.NewInt(int64(d))).Sign() == 0
}

// Count is the number of whole steps from the epoch to an instant. It is false if the
// instant lies before the epoch, or if the number is too large for an int64.
func (u *Unit) Count(sec, nsec int64) (uint64, bool) {
	if u.Own != nil {
		if u.outside(sec, nsec) {
			return 0, false
		}
		n, err := u.Own.Number(time.Unix(sec, nsec).UTC())
		return uint64(n), err == nil && n >= 0 && uint64(n) <= u.Own.Last
	}
	if nsec -= u.Nsec; nsec < 0 {
		nsec += 1e9
		sec--
	}
	if sec < u.Sec {
		return 0, false
	}
	d := uint64(sec) - uint64(u.Sec) // may be larger than an int64, but not than a uint64
	if u.Step >= time.Second {
		return d / uint64(u.Step/time.Second), true
	}
	per, part := uint64(0), uint64(nsec)
	switch u.Step { // to divide by a constant is to multiply
	case time.Millisecond:
		per, part = 1e3, part/1e6
	case time.Microsecond:
		per, part = 1e6, part/1e3
	case time.Nanosecond:
		per = 1e9
	default:
		per, part = uint64(time.Second/u.Step), part/uint64(u.Step)
	}
	hi, lo := bits.Mul64(d, per)
	n, carry := bits.Add64(lo, part, 0)
	return n, hi+carry == 0 && n <= math.MaxInt64
}

// MaxSeconds is the limit of the instants that a key may hold, in seconds since 1970. Up to
// it, time.Time computes without overflow.
const MaxSeconds = 1 << 62

// MaxOffset is a limit for offsets from UTC, in seconds; no real zone comes near it.
const MaxOffset = 48 * 3600

// Last is the largest count whose instant time.Time can hold.
func (u *Unit) Last() uint64 {
	if u.Own != nil {
		return u.Own.Last
	}
	if n, ok := u.Count(MaxSeconds, 0); ok {
		return n
	}
	return math.MaxInt64
}

// Instant is the first instant of step n, which is at most Last.
func (u *Unit) Instant(n uint64) (sec, nsec int64) {
	if u.Own != nil {
		t, err := u.Own.Start(int64(n))
		if err != nil {
			return u.Sec - 1, 0 // before the epoch, so that Count refuses it
		}
		return t.Unix(), int64(t.Nanosecond())
	}
	if u.Step >= time.Second {
		return int64(n*uint64(u.Step/time.Second)) + u.Sec, u.Nsec
	}
	switch u.Step { // as in Count
	case time.Millisecond:
		sec, nsec = int64(n/1e3), int64(n%1e3)*1e6
	case time.Microsecond:
		sec, nsec = int64(n/1e6), int64(n%1e6)*1e3
	case time.Nanosecond:
		sec, nsec = int64(n/1e9), int64(n%1e9)
	default:
		per := uint64(time.Second / u.Step)
		sec, nsec = int64(n/per), int64(n%per)*int64(u.Step)
	}
	sec, nsec = sec+u.Sec, nsec+u.Nsec
	if nsec >= 1e9 {
		sec, nsec = sec+1, nsec-1e9
	}
	return sec, nsec
}

// AppendText appends a time as RFC 3339 has it, in its zone; in UTC where the offset has seconds, as those
// of old times do, since RFC 3339 would drop them.
func AppendText(dst []byte, t time.Time) []byte {
	_, offset := t.Zone()
	if offset%60 != 0 {
		t, offset = t.UTC(), 0
	}
	if sec := t.Unix(); sec < -farSec || sec > farSec { // Go's year is an int, which may have 32 bits
		wall := sec + int64(offset)
		dst = strconv.AppendInt(dst, YearOf(wall), 10)
		near := time.Unix(forms.Mod(wall, Cycle)-int64(offset), int64(t.Nanosecond())).In(time.FixedZone("", offset))
		return near.AppendFormat(dst, time.RFC3339Nano[len("2006"):])
	}
	return t.AppendFormat(dst, time.RFC3339Nano)
}

// farSec is more than a day before the year 2³¹.
const farSec = 67_767_976_233_000_000

// YearStart is the first second of a year in UTC.
func YearStart(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }

// Cycle is the seconds of CycleYears, after which the calendar begins anew.
const (
	CycleYears = 400
	Cycle      = CycleYears * 365.2425 * 24 * 60 * 60
)

// YearOf is the year in UTC of a second since 1970. Go's Year is an int, which may have 32 bits.
func YearOf(sec int64) int64 {
	into := forms.Mod(sec, Cycle)
	return int64(time.Unix(into, 0).UTC().Year()) + CycleYears*((sec-into)/Cycle)
}

// Mirror is the instant at the same distance from the epoch on its other side: 1 s after
// the epoch for 1 s before it.
func (u *Unit) Mirror(sec, nsec int64) (int64, int64) {
	sec, nsec = 2*u.Sec-sec, 2*u.Nsec-nsec
	switch {
	case nsec < 0:
		return sec - 1, nsec + 1e9
	case nsec >= 1e9:
		return sec + 1, nsec - 1e9
	}
	return sec, nsec
}

// StepOf is the length of a step. For a layout of years or months, whose steps have
// different lengths, it is a day.
func (u *Unit) StepOf() time.Duration {
	if u.Lay == nil {
		return u.Step
	}
	return min(Days.Step, time.Duration(u.Lay.Longest())*time.Second)
}

// Said is the unit as the notation writes it.
func (u Unit) Said() notation.Unit {
	if u.Lay != nil {
		return notation.Unit{Name: u.Name, Layout: u.Lay.Text, Offset: u.Lay.Offset}
	}
	return notation.Unit{Name: u.Name, Since: u.Set, Sec: u.Sec, Nsec: u.Nsec}
}

// Notation is the text of the unit in the notation, such as ms.
func (u Unit) Notation() string { return u.Said().String() }
