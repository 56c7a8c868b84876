package rowkey

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Unit counts time in whole steps. The zero Unit is invalid. As an option of
// Copy it says how the copy of a time is written.
type Unit struct {
	name string
	step time.Duration
	sec  int64 // the epoch: seconds and nanoseconds since 1970
	nsec int64
	set  bool // Since was called
	lay  *layout
	own  *ownUnit
	err  string
}

// ownUnit is a unit of NewUnit.
type ownUnit struct {
	to   func(time.Time) int64
	from func(int64) time.Time
	last uint64
}

func newUnit(name string, step time.Duration) Unit { return Unit{name: name, step: step} }

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
	u := Unit{name: name, step: step, own: &ownUnit{to: to, from: from}}
	for _, b := range []Unit{Nanos, Micros, Millis, Seconds, Minutes, Hours, Days, {name: "layout"}} {
		if name == b.name {
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
		return u
	}
	epoch, err := u.own.start(0)
	if err != nil {
		u.err = "unit " + name + ": from(0) " + err.Error()
		return u
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
	return u
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
func (u *Unit) fault(sec, nsec int64) error {
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
func (u *Unit) broken(n uint64) error {
	if u.own == nil {
		return nil
	}
	if _, err := u.own.start(int64(n)); err != nil {
		return &viaError{"unit " + u.name, err, ErrRange}
	}
	return nil
}

// outside reports that an instant lies where a unit of others has no steps.
func (u *Unit) outside(sec, nsec int64) bool {
	return sec < u.sec || sec == u.sec && nsec < u.nsec || sec >= yearStart(10000)
}

func (u Unit) fieldOption() opt { return opt{word: wUnit, unit: u} }

// Since counts from epoch in place of 1970: a day's own table counts from its
// midnight, whose zone is thereby said.
func (u Unit) Since(epoch time.Time) Unit {
	switch {
	case u.err != "":
	case u.lay != nil:
		u.err = "Since does not fit a Layout"
	case u.own != nil:
		u.err = "Since does not fit a unit of NewUnit, which has its own epoch"
	case u.set:
		u.err = "Since is said twice"
	}
	u.sec, u.nsec, u.set = epoch.Unix(), int64(epoch.Nanosecond()), true
	return u
}

// beginsAt reports that the epoch is a multiple of d since 1970: the multiples
// since the one are then those since the other.
func (u *Unit) beginsAt(d time.Duration) bool {
	n := new(big.Int).Mul(big.NewInt(u.sec), big.NewInt(int64(time.Second)))
	n.Add(n, big.NewInt(u.nsec))
	return n.Mod(n, big.NewInt(int64(d))).Sign() == 0
}

// count is the number of whole steps from the epoch to an instant; false if it
// lies before the epoch or is too large for an int64.
func (u *Unit) count(sec, nsec int64) (uint64, bool) {
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
	return n, hi+carry == 0 && n <= maxInt64
}

// maxSeconds bounds the instants that a key may hold, in seconds since 1970:
// time.Time computes with them without overflow.
const maxSeconds = 1 << 62

// maxOffset is more than any zone lies from UTC, in seconds.
const maxOffset = 48 * 3600

// last is the largest count whose instant time.Time can hold.
func (u *Unit) last() uint64 {
	if u.own != nil {
		return u.own.last
	}
	if n, ok := u.count(maxSeconds, 0); ok {
		return n
	}
	return maxInt64
}

// instant undoes count, for counts up to last: the beginning of a step.
func (u *Unit) instant(n uint64) (sec, nsec int64) {
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

// layout is a time written as text, in one fixed offset from UTC.
type layout struct {
	text   string
	zone   *time.Location
	offset int // seconds east of UTC, found by Build
	parts  []layoutPart
	fields int // how many of the six elements it has
	digits bool
	width  int
}

// layoutPart is an element (its place among the elements) or constant text.
type layoutPart struct {
	element int // −1: constant
	text    string
}

var layoutElements = [...]string{"2006", "01", "02", "15", "04", "05"}

// Layout writes the time as time.Format does, to the layout's own resolution;
// with Width, its digits as a number. It is made of 2006 01 02 15 04 05, the
// biggest first and none left out between, with constants that are neither
// letters nor digits. The zone must have one offset from UTC throughout Years:
// only that offset is part of the layout, since what a zone's name means is
// changed by governments, and key bytes are not. Times before 1970 in that zone
// are refused, and those after 9999.
func Layout(text string, zone *time.Location) Unit {
	l := &layout{text: text, zone: zone, digits: true}
	u := Unit{name: "layout", step: time.Second, lay: l}
	if zone == nil {
		u.err = "Layout needs a zone"
		return u
	}
	for rest := text; rest != ""; {
		if l.fields < len(layoutElements) && strings.HasPrefix(rest, layoutElements[l.fields]) {
			l.parts = append(l.parts, layoutPart{element: l.fields})
			l.width += len(layoutElements[l.fields])
			rest = rest[len(layoutElements[l.fields]):]
			l.fields++
			continue
		}
		if c := rest[0]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			u.err = "Layout: expected 2006 01 02 15 04 05 in this order, none left out, or a constant, at " + strconv.Quote(rest)
			return u
		}
		l.parts = append(l.parts, layoutPart{element: -1, text: rest[:1]})
		l.digits = false
		l.width++
		rest = rest[1:]
	}
	if l.fields == 0 {
		u.err = "Layout: expected 2006 first"
	}
	return u
}

// settle finds the one offset of the layout's zone from lo to hi, or says why
// there is none.
func (l *layout) settle(lo, hi int64) (layout, string) {
	out := *l
	t := time.Unix(lo, 0).In(l.zone)
	_, out.offset = t.Zone()
	for t.Unix() < hi {
		_, end := t.ZoneBounds()
		if end.IsZero() || end.Unix() >= hi {
			break
		}
		if _, offset := end.Zone(); offset != out.offset {
			return out, "zone " + l.zone.String() + " changes its offset at " + end.UTC().Format(time.RFC3339) +
				": add Years without such a change, or use time.FixedZone"
		}
		t = end
	}
	out.zone = time.FixedZone("", out.offset)
	return out, ""
}

// floor is the beginning of the step of the layout's resolution that holds
// the instant, in seconds since 1970.
func (l *layout) floor(sec int64) int64 {
	if l.fields >= 4 { // hours, minutes, seconds
		step := [...]int64{3600, 60, 1}[l.fields-4]
		local := sec + int64(l.offset)
		return sec - mod(local, step)
	}
	y, m, d := time.Unix(sec, 0).In(l.zone).Date()
	switch l.fields {
	case 1:
		m, d = 1, 1
	case 2:
		d = 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, l.zone).Unix()
}

// next is the beginning of the step behind the one that begins at sec.
func (l *layout) next(sec int64) int64 {
	f := l.fieldsOf(sec)
	f[l.fields-1]++
	return time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, l.zone).Unix()
}

// fieldsOf are the six numbers of an instant.
func (l *layout) fieldsOf(sec int64) (f [6]int) {
	t := time.Unix(sec, 0).In(l.zone)
	y, m, d := t.Date()
	f[0], f[1], f[2] = y, int(m), d
	f[3], f[4], f[5] = t.Clock()
	return f
}

// append writes the text of an instant of a year of four digits.
func (l *layout) append(dst []byte, sec int64) []byte {
	f := l.fieldsOf(sec)
	for _, p := range l.parts {
		if p.element < 0 {
			dst = append(dst, p.text...)
			continue
		}
		dst = appendDigits(dst, uint64(f[p.element]), len(layoutElements[p.element]))
	}
	return dst
}

// number is the text's digits as one number.
func (l *layout) number(sec int64) (n uint64) {
	f := l.fieldsOf(sec)
	for i := range l.fields {
		n = n*pow10(len(layoutElements[i])) + uint64(f[i])
	}
	return n
}

// parse undoes append, and refuses what append never writes.
func (l *layout) parse(b []byte) (sec int64, ok bool) {
	if len(b) != l.width {
		return 0, false
	}
	f := [6]int{1970, 1, 1, 0, 0, 0}
	for _, p := range l.parts {
		if p.element < 0 {
			if string(b[:1]) != p.text {
				return 0, false
			}
			b = b[1:]
			continue
		}
		n, ok := parseDigits(b[:len(layoutElements[p.element])])
		if !ok {
			return 0, false
		}
		f[p.element] = int(n)
		b = b[len(layoutElements[p.element]):]
	}
	return l.instant(f)
}

// parseNumber undoes number.
func (l *layout) parseNumber(n uint64) (sec int64, ok bool) {
	f := [6]int{1970, 1, 1, 0, 0, 0}
	for i := l.fields - 1; i > 0; i-- {
		p := pow10(len(layoutElements[i]))
		f[i] = int(n % p)
		n /= p
	}
	if n > 9999 {
		return 0, false
	}
	f[0] = int(n)
	return l.instant(f)
}

func (l *layout) instant(f [6]int) (int64, bool) {
	t := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, l.zone)
	return t.Unix(), l.fieldsOf(t.Unix()) == f // time.Date takes the 31st of April, we do not
}

// mod is a modulo n as mathematics has it, 0 … n−1.
func mod(a, n int64) int64 {
	if a %= n; a < 0 {
		a += n
	}
	return a
}

// yearStart is the first second of a year in UTC.
func yearStart(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }
