package rowkey

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Unit counts time in whole steps. The zero Unit is invalid. As an option of
// Copy it says how the copy of a time is written.
type Unit struct{ in unit }

// unit is how an instant is counted: in whole steps from an epoch, by a layout, or by
// functions of others.
type unit struct {
	name string
	step time.Duration
	sec  int64 // the epoch: seconds and nanoseconds since 1970
	nsec int64
	set  bool // Since was called
	lay  *forms.Layout
	own  *ownUnit
	err  string
}

// ownUnit is a unit of NewUnit.
type ownUnit struct {
	to   func(time.Time) int64
	from func(int64) time.Time
	last uint64
}

func newUnit(name string, step time.Duration) Unit { return Unit{unit{name: name, step: step}} }

// The units. Milliseconds are what System.currentTimeMillis gives.
var (
	Nanos   = newUnit("ns", time.Nanosecond)
	Micros  = newUnit("us", time.Microsecond)
	Millis  = newUnit("ms", time.Millisecond)
	Seconds = newUnit("s", time.Second)
	Minutes = newUnit("min", time.Minute)
	Hours   = newUnit("h", time.Hour)
	Days    = newUnit("d", 24*time.Hour)
)

// NewUnit makes a unit of two functions: to is the number of the step that holds
// an instant, from the first instant of a step. They undo each other, to(from(n))
// being n, and keep the order; both get and give UTC, and may be called at the
// same time; a panic is an ErrRange, or of a stored number ErrMalformed. Steps are numbered from 0, before which times are refused, and end
// with the year 9999. They need not be equally long: step is what the first
// instants are whole multiples of since 1970, a day for calendar months. The
// name, letters, digits, '_' and '-', stands for the functions in the notation
// and in the fingerprint.
func NewUnit(name string, step time.Duration, to func(time.Time) int64, from func(int64) time.Time) Unit {
	u := unit{name: name, step: step, own: &ownUnit{to: to, from: from}}
	for _, b := range append(units[:], Unit{unit{name: "layout"}}) {
		if name == b.in.name {
			u.err = "unit " + name + " is one of this package's: give yours another name"
		}
	}
	switch {
	case u.err != "":
	case !notation.ValidName(name) || strings.Contains(name, "."):
		u.err = "a unit's name is made of letters, digits, '_' and '-', not " + strconv.QuoteToASCII(name)
	case to == nil || from == nil:
		u.err = "NewUnit needs two functions"
	case step <= 0:
		u.err = "unit " + name + ": its step is longer than nothing"
	}
	if u.err != "" {
		return Unit{u}
	}
	epoch, err := u.own.start(0)
	if err != nil {
		u.err = "unit " + name + ": from(0) " + err.Error()
		return Unit{u}
	}
	u.sec, u.nsec = epoch.Unix(), int64(epoch.Nanosecond())
	zero, err := u.own.number(epoch.UTC())
	last, err2 := u.own.number(time.Unix(yearStart(10000)-1, 999_999_999).UTC())
	switch {
	case err != nil || err2 != nil:
		u.err = "unit " + name + ": to panics at from(0), or at the end of the year 9999"
	case zero != 0 || last < 0:
		u.err = "unit " + name + ": to(from(0)) is not 0, or the year 9999 lies before it"
	}
	u.own.last = uint64(last)
	return Unit{u}
}

// number is the step that holds an instant, as the unit's author has it. A panic
// is an error.
func (o *ownUnit) number(t time.Time) (n int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, panicked(p)
		}
	}()
	return o.to(t), nil
}

// start is the first instant of a step.
func (o *ownUnit) start(n int64) (t time.Time, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = time.Time{}, panicked(p)
		}
	}()
	return o.from(n), nil
}

// fault says why a unit of others has no step for an instant; nil where it has
// one, or where the instant lies before its epoch or behind its end.
func (u *unit) fault(sec, nsec int64) error {
	if u.own == nil || u.outside(sec, nsec) {
		return nil
	}
	n, err := u.own.number(time.Unix(sec, nsec).UTC())
	if err == nil {
		_, err = u.own.start(n)
	}
	if err != nil {
		return &viaError{"unit " + u.name, err, ErrRange}
	}
	return nil
}

// broken says why a unit of others has no first instant of a step; nil where it has
// one.
func (u *unit) broken(n uint64) error {
	if u.own == nil {
		return nil
	}
	if _, err := u.own.start(int64(n)); err != nil {
		return &viaError{"unit " + u.name, err, ErrRange}
	}
	return nil
}

// outside reports that an instant lies where a unit of others has no steps.
func (u *unit) outside(sec, nsec int64) bool {
	return sec < u.sec || sec == u.sec && nsec < u.nsec || sec >= yearStart(10000)
}

func (u Unit) fieldOption() option {
	return option{
		said:    notation.Option{Word: notation.UnitOption, Unit: u.in.said()},
		toField: func(p *pipeline) string { return p.optUnit(u.in) },
	}
}

// Since counts from epoch in place of 1970: a day's own table counts from its
// midnight, whose zone is thereby said.
func (u Unit) Since(epoch time.Time) Unit {
	switch {
	case u.in.err != "":
	case u.in.lay != nil:
		u.in.err = "Since does not fit a Layout"
	case u.in.own != nil:
		u.in.err = "Since does not fit a unit of NewUnit, which has its own epoch"
	case u.in.set:
		u.in.err = "Since is said twice"
	}
	u.in.sec, u.in.nsec, u.in.set = epoch.Unix(), int64(epoch.Nanosecond()), true
	return u
}

// beginsAt reports that the epoch is a multiple of d since 1970: the multiples
// since the one are then those since the other.
func (u *unit) beginsAt(d time.Duration) bool {
	n := new(big.Int).Mul(big.NewInt(u.sec), big.NewInt(int64(time.Second)))
	n.Add(n, big.NewInt(u.nsec))
	return n.Mod(n, big.NewInt(int64(d))).Sign() == 0
}

// count is the number of whole steps from the epoch to an instant; false if it
// lies before the epoch or is too large for an int64.
func (u *unit) count(sec, nsec int64) (uint64, bool) {
	if u.own != nil {
		if u.outside(sec, nsec) {
			return 0, false
		}
		n, err := u.own.number(time.Unix(sec, nsec).UTC())
		return uint64(n), err == nil && n >= 0 && uint64(n) <= u.own.last
	}
	if nsec -= u.nsec; nsec < 0 {
		nsec += 1e9
		sec--
	}
	if sec < u.sec {
		return 0, false
	}
	d := uint64(sec) - uint64(u.sec) // may exceed an int64, never a uint64
	if u.step >= time.Second {
		return d / uint64(u.step/time.Second), true
	}
	hi, lo := bits.Mul64(d, uint64(time.Second/u.step))
	n, carry := bits.Add64(lo, uint64(nsec)/uint64(u.step), 0)
	return n, hi+carry == 0 && n <= math.MaxInt64
}

// maxSeconds bounds the instants that a key may hold, in seconds since 1970:
// time.Time computes with them without overflow.
const maxSeconds = 1 << 62

// maxOffset is more than any zone lies from UTC, in seconds.
const maxOffset = 48 * 3600

// last is the largest count whose instant time.Time can hold.
func (u *unit) last() uint64 {
	if u.own != nil {
		return u.own.last
	}
	if n, ok := u.count(maxSeconds, 0); ok {
		return n
	}
	return math.MaxInt64
}

// instant undoes count, for counts up to last: the beginning of a step.
func (u *unit) instant(n uint64) (sec, nsec int64) {
	if u.own != nil {
		t, err := u.own.start(int64(n))
		if err != nil {
			return u.sec - 1, 0 // which count refuses
		}
		return t.Unix(), int64(t.Nanosecond())
	}
	if u.step >= time.Second {
		return int64(n*uint64(u.step/time.Second)) + u.sec, u.nsec
	}
	per := uint64(time.Second / u.step)
	sec, nsec = int64(n/per)+u.sec, int64(n%per)*int64(u.step)+u.nsec
	if nsec >= 1e9 {
		sec, nsec = sec+1, nsec-1e9
	}
	return sec, nsec
}

// Layout writes the time as time.Format does, to the layout's own resolution;
// with Width, its digits as a number. It is made of 2006 01 02 15 04 05, the
// biggest first and none left out between, with constants that are neither
// letters nor digits. The zone must have one offset from UTC throughout Years:
// only that offset is part of the layout, since what a zone's name means is
// changed by governments, and key bytes are not. Times before 1970 in that zone
// are refused, and those after 9999.
func Layout(text string, zone *time.Location) Unit {
	u := unit{name: "layout", step: time.Second}
	u.lay, u.err = forms.NewLayout(text, zone)
	return Unit{u}
}

// yearStart is the first second of a year in UTC.
func yearStart(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }
