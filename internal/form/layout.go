package form

import (
	"strconv"
	"strings"
	"time"
)

// A layout writes a time as time.Format does, in one fixed offset from UTC. Of
// 2023-05-16 01:40:30 UTC:
//
//	2006010215   as text                      32 30 32 33 30 35 31 36 30 31
//	2006-01-02   as text                      32 30 32 33 2d 30 35 2d 31 36
//	20060102     as a number of four bytes    01 34 b1 74
//
// The elements stand from the largest, the year, to the smallest. So the forms sort as
// the times do.

// Layout is a time written as text, in one fixed offset from UTC.
type Layout struct {
	Text     string
	Zone     *time.Location
	Offset   int // seconds east of UTC, found by Settle
	Elements int // how many of the six it has
}

// AllDigits reports that the layout has no constants, as 20060102 has none.
func (l *Layout) AllDigits() bool { return len(l.Text) == 2+2*l.Elements }

var elements = [...]string{"2006", "01", "02", "15", "04", "05"}

// NewLayout reads the text of a layout, or says what is wrong with it.
func NewLayout(text string, zone *time.Location) (l *Layout, problem string) {
	l = &Layout{Text: text, Zone: zone}
	if zone == nil {
		return l, "Layout needs a zone"
	}
	for rest := text; rest != ""; {
		if l.Elements < len(elements) && strings.HasPrefix(rest, elements[l.Elements]) {
			rest = rest[len(elements[l.Elements]):]
			l.Elements++
			continue
		}
		if c := rest[0]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			return l, "Layout: expected 2006 01 02 15 04 05 in this order, none left out, or a constant, at " + strconv.Quote(rest)
		}
		rest = rest[1:]
	}
	if l.Elements == 0 {
		return l, "Layout: expected 2006 first"
	}
	return l, ""
}

// Settle is the layout with the offset that its zone has from lo to hi, in seconds since
// 1970. If the zone changes its offset between them, the second result says so.
func (l *Layout) Settle(lo, hi int64) (Layout, string) {
	out := *l
	t := time.Unix(lo, 0).In(l.Zone)
	_, out.Offset = t.Zone()
	for t.Unix() < hi {
		_, end := t.ZoneBounds()
		if end.IsZero() || end.Unix() >= hi {
			break
		}
		if _, offset := end.Zone(); offset != out.Offset {
			return out, "zone " + l.Zone.String() + " changes its offset at " + end.UTC().Format(time.RFC3339) +
				": add Years without such a change, or use time.FixedZone"
		}
		t = end
	}
	out.Zone = time.FixedZone("", out.Offset)
	return out, ""
}

// cycle is the seconds of cycleYears, after which the calendar begins anew.
const (
	cycleYears = 400
	cycle      = 146097 * secondsOfDay
)

// farYear is in the year 10000 in every zone.
const farYear = 253402300800 + 7*secondsOfDay

// Floor is the beginning of the layout's step (a year, a day, an hour …) that holds the
// instant sec. Both are seconds since 1970. For 20060102 it is the local midnight. After the
// last years it is the instant itself, which then does not seem to lie on a last day.
func (l *Layout) Floor(sec int64) int64 {
	if sec >= farYear {
		return sec
	}
	into := Mod(sec+int64(l.Offset), cycle)
	first, _ := DateSeconds(DateNumber(uint64(into), uint8(l.Elements)), uint8(l.Elements))
	return sec - into + int64(first)
}

// Next is the beginning of the next step after the step that begins at sec.
func (l *Layout) Next(sec int64) int64 { return l.Floor(sec + l.Longest()) }

// Longest is how many seconds the longest of the layout's steps has: a leap year's, or a month's of 31 days.
func (l *Layout) Longest() int64 {
	return [...]int64{366 * secondsOfDay, 31 * secondsOfDay, secondsOfDay, 3600, 60, 1}[l.Elements-1]
}

// Append appends the text of an instant. Its year must have four digits.
func (l *Layout) Append(dst []byte, sec int64) []byte {
	at := len(dst)
	dst = append(dst, l.Text...)
	l.Put(dst[at:], l.Number(sec))
	return dst
}

// Put writes the text whose digits are those of n.
func (l *Layout) Put(dst []byte, n uint64) {
	var digits [24]byte
	PutDigits(digits[:], n, 2+2*l.Elements)
	at := 0
	for i := range len(l.Text) {
		if dst[i] = l.Text[i]; dst[i]-'0' <= 9 {
			dst[i] = digits[at]
			at++
		}
	}
}

// Number is the digits of the text as one number: 20230516 for 20060102.
func (l *Layout) Number(sec int64) uint64 {
	local := sec + int64(l.Offset)
	into := Mod(local, cycle)
	return DateNumber(uint64(into), uint8(l.Elements)) + uint64((local-into)/cycle*cycleYears)*l.year()
}

// Read undoes Append. It is false for a text that Append never writes, such as 20230431.
func (l *Layout) Read(b []byte) (sec int64, ok bool) {
	if len(b) != len(l.Text) {
		return 0, false
	}
	var digits [24]byte
	at := 0
	for i, c := range b {
		if l.Text[i]-'0' <= 9 {
			digits[at] = c
			at++
		} else if c != l.Text[i] {
			return 0, false
		}
	}
	n, ok := ReadDigits(digits[:at])
	if !ok {
		return 0, false
	}
	return l.ReadNumber(n)
}

// year is what Number has more from a year to the next.
func (l *Layout) year() uint64 { return tens[2*l.Elements-2] }

// ReadNumber undoes Number.
func (l *Layout) ReadNumber(n uint64) (sec int64, ok bool) {
	sec = -int64(l.Offset)
	if n < 1970*l.year() {
		n, sec = n+5*cycleYears*l.year(), sec-5*cycle // a year that DateSeconds knows, with the same calendar
	}
	u, ok := DateSeconds(n, uint8(l.Elements))
	return sec + int64(u), ok
}

// Mod is Math.floorMod(a, n), 0 … n−1, also for a negative a: of −3 and 16 it is 13.
func Mod(a, n int64) int64 {
	if a %= n; a < 0 {
		a += n
	}
	return a
}

// Date writes a time, in seconds since 1970, as the text of a layout. Desc complements
// each byte c to 39 + 30 − c (hex), so 2023-05-16 is "7976<94<83":
//
//	        2023-05-16   32 30 32 33 2d 30 35 2d 31 36
//	Desc    7976<94<83   37 39 37 36 3c 39 34 3c 38 33
type Date struct {
	*Layout
	Desc bool
}

func (n *Date) Shape(_, _ uint64) Shape {
	return FixedShape(len(n.Text), turned(Up, n.Desc)).Limited(decimals.Union(BytesOf(n.Text)))
}

func (n *Date) Told() Told { return Told{Form: toldDate, Width: -1, DateDesc: n.Desc} }

func (n *Date) Facts() Facts { return Facts{} }

func (n *Date) append(dst []byte, u uint64) []byte {
	at := len(dst)
	if dst = n.Append(dst, int64(u)); n.Desc {
		ComplementDigits(dst[at:])
	}
	return dst
}

func (n *Date) read(form []byte) (uint64, bool) {
	if n.Desc {
		var text [64]byte
		form = append(text[:0], form...)
		ComplementDigits(form)
	}
	sec, ok := n.Read(form)
	return uint64(sec), ok
}

// DateNum writes a time as a number, the digits of its layout, in Size big-endian bytes,
// XOR Xor: 20230516 is 01 34 b1 74, and with Xor ffffffff fe cb 4e 8b.
type DateNum struct {
	*Layout
	BigEndian
}

func (n *DateNum) Told() Told { return Told{Width: n.Size, Xor: n.Xor, DateNum: true} }

func (n *DateNum) Facts() Facts { return Facts{Binary: true, Units: n.Size, Unit: "byte"} }

func (n *DateNum) append(dst []byte, u uint64) []byte {
	return n.BigEndian.append(dst, n.Number(int64(u)))
}

func (n *DateNum) read(form []byte) (uint64, bool) {
	u, ok := n.BigEndian.read(form)
	sec, is := n.ReadNumber(u)
	return uint64(sec), ok && is
}
