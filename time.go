package rowkey

import (
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Unit counts time in whole steps. The zero Unit is invalid. As an option of
// Copy it says how the copy of a time is written.
type Unit struct{ in clock.Unit }

// The units. Milliseconds are what System.currentTimeMillis gives.
var (
	Nanos   = Unit{clock.Nanos}   // ns, 10⁻⁹ s
	Micros  = Unit{clock.Micros}  // us, 10⁻⁶ s
	Millis  = Unit{clock.Millis}  // ms, 10⁻³ s
	Seconds = Unit{clock.Seconds} // s
	Minutes = Unit{clock.Minutes} // min, 60 s
	Hours   = Unit{clock.Hours}   // h, 3600 s
	Days    = Unit{clock.Days}    // d, 86400 s
)

// NewUnit makes a unit of two functions. to gives the number of the step that holds an
// instant, which it gets in UTC. from gives the first instant of a step, in any zone.
//
//   - to(from(n)) is n, and a later step has a larger number.
//   - Steps are numbered from 0. An earlier time is refused. The last step is that of
//     the end of the year 9999.
//   - Steps may have different lengths. The first instant of each is a whole multiple
//     of step since 1970: for calendar months, step is a day.
//   - Both functions may be called at the same time.
//   - A panic becomes an error that wraps ErrRange, or ErrMalformed if the number was
//     read from a key. A key is written without a call of from, so that Decode refuses
//     one with a step of to's for which from panics.
//
// The name has letters, digits, '_' and '-'. It stands for the functions in the
// notation and in the fingerprint. With months since January 1970, March 2026 is 674,
// stored as 00000000000002a2.
func NewUnit(name string, step time.Duration, to func(time.Time) int64, from func(int64) time.Time) Unit {
	u := clock.Unit{Name: name, Step: step, Own: &clock.Own{To: to, From: from}}
	for _, b := range append(units[:], Unit{clock.Unit{Name: "layout"}}) {
		if name == b.in.Name {
			u.Err = "unit " + name + " is one of this package's: give yours another name"
		}
	}
	switch {
	case u.Err != "":
	case !notation.ValidName(name) || strings.Contains(name, "."):
		u.Err = "a unit's name is made of letters, digits, '_' and '-', not " + strconv.QuoteToASCII(name)
	case to == nil || from == nil:
		u.Err = "NewUnit needs two functions"
	case step <= 0:
		u.Err = "unit " + name + ": its step is longer than nothing"
	}
	if u.Err != "" {
		return Unit{u}
	}
	epoch, err := u.Own.Start(0)
	if err != nil {
		u.Err = "unit " + name + ": from(0) " + err.Error()
		return Unit{u}
	}
	u.Sec, u.Nsec = epoch.Unix(), int64(epoch.Nanosecond())
	zero, err := u.Own.Number(epoch.UTC())
	last, err2 := u.Own.Number(time.Unix(clock.YearStart(10000)-1, 999_999_999).UTC())
	switch {
	case err != nil || err2 != nil:
		u.Err = "unit " + name + ": to panics at from(0), or at the end of the year 9999"
	case zero != 0 || last < 0:
		u.Err = "unit " + name + ": to(from(0)) is not 0, or the year 9999 lies before it"
	}
	u.Own.Last = uint64(last)
	return Unit{u}
}

func (u Unit) fieldOption() layout.Option {
	return layout.Option{
		Said:    notation.Option{Word: notation.UnitOption, Unit: u.in.Said()},
		ToField: func(p *layout.Pipeline) string { return p.OptUnit(u.in) },
	}
}

// Since counts from epoch instead of 1970. A table of one day counts from its
// midnight; the epoch then says in which zone. With Seconds.Since of a midnight, 01:00
// is 0000000000000e10.
func (u Unit) Since(epoch time.Time) Unit {
	switch {
	case u.in.Err != "":
	case u.in.Lay != nil:
		u.in.Err = "Since does not fit a Layout"
	case u.in.Own != nil:
		u.in.Err = "Since does not fit a unit of NewUnit, which has its own epoch"
	case u.in.Set:
		u.in.Err = "Since is said twice"
	}
	u.in.Sec, u.in.Nsec, u.in.Set = epoch.Unix(), int64(epoch.Nanosecond()), true
	return u
}

// Layout writes the time as time.Format does: with "20060102", 2 January 1970 is
// 3139373030313032. With Width, it writes the digits as a number: with Width(4), the
// same day is 012c9986. The time is rounded down to the smallest part of the layout.
//
// The text is made of 2006 01 02 15 04 05, the biggest first, with none left out
// between. Constants may stand around them, but no letters and no digits. The zone
// must have one offset from UTC in all Years. Only that offset is part of the layout:
// governments change what a zone's name means, and key bytes must not change. Times
// before 1970 in that zone, and after 9999, are refused.
func Layout(text string, zone *time.Location) Unit {
	u := clock.Unit{Name: "layout", Step: time.Second}
	u.Lay, u.Err = forms.NewLayout(text, zone)
	return Unit{u}
}
