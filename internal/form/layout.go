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
	Text      string
	Zone      *time.Location
	Offset    int // seconds east of UTC, found by Settle
	Parts     []LayoutPart
	Elements  int  // how many of the six it has
	AllDigits bool // it has no constants, as 20060102 has none
	Width     int
	settled   bool // Offset is that of Zone, always
}

// LayoutPart is an element of a layout, or constant text.
type LayoutPart struct {
	Element int    // index into elements: 0 is the year; −1: constant text
	Text    string // the constant text
}

var elements = [...]string{"2006", "01", "02", "15", "04", "05"}

// NewLayout reads the text of a layout, or says what is wrong with it.
func NewLayout(text string, zone *time.Location) (l *Layout, problem string) {
	l = &Layout{Text: text, Zone: zone, AllDigits: true}
	if zone == nil {
		return l, "Layout needs a zone"
	}
	for rest := text; rest != ""; {
		if l.Elements < len(elements) && strings.HasPrefix(rest, elements[l.Elements]) {
			l.Parts = append(l.Parts, LayoutPart{Element: l.Elements})
			l.Width += len(elements[l.Elements])
			rest = rest[len(elements[l.Elements]):]
			l.Elements++
			continue
		}
		if c := rest[0]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			return l, "Layout: expected 2006 01 02 15 04 05 in this order, none left out, or a constant, at " + strconv.Quote(rest)
		}
		l.Parts = append(l.Parts, LayoutPart{Element: -1, Text: rest[:1]})
		l.AllDigits = false
		l.Width++
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
	out.Zone, out.settled = time.FixedZone("", out.Offset), true
	return out, ""
}

// Floor is the beginning of the layout's step (a year, a day, an hour …) that holds the
// instant sec. Both are seconds since 1970. For 20060102 it is the local midnight. Of days,
// months and years far outside of 1970 to 9999 it is the instant itself.
func (l *Layout) Floor(sec int64) int64 {
	if l.Elements >= 4 { // hours, minutes, seconds
		return sec - Mod(sec+int64(l.Offset), l.Longest())
	}
	if n, ok := l.fast(sec); ok {
		u, _ := DateSeconds(n, uint8(l.Elements))
		return int64(u) - int64(l.Offset)
	}
	if sec < -farZone || sec >= lastOfYears+farZone {
		return sec // no layout has such a year; and where an int has 32 bits, Go's years begin anew
	}
	y, m, d := time.Unix(sec, 0).In(l.Zone).Date()
	switch l.Elements {
	case 1:
		m, d = 1, 1
	case 2:
		d = 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, l.Zone).Unix()
}

// Next is the beginning of the next step after the step that begins at sec.
func (l *Layout) Next(sec int64) int64 {
	if l.settled && l.Elements >= 3 {
		return sec + l.Longest() // without package time, since a query may list many
	}
	f := l.elementsOf(sec)
	f[l.Elements-1]++
	return time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, l.Zone).Unix()
}

// Longest is how many seconds the longest of the layout's steps has: a leap year's, or a month's of 31 days.
func (l *Layout) Longest() int64 {
	return [...]int64{366 * 86400, 31 * 86400, 86400, 3600, 60, 1}[l.Elements-1]
}

// elementsOf are the local year, month, day, hour, minute and second of an instant.
func (l *Layout) elementsOf(sec int64) (f [6]int) {
	t := time.Unix(sec, 0).In(l.Zone)
	y, m, d := t.Date()
	f[0], f[1], f[2] = y, int(m), d
	f[3], f[4], f[5] = t.Clock()
	return f
}

// Append appends the text of an instant. Its year must have four digits.
func (l *Layout) Append(dst []byte, sec int64) []byte {
	var digits [24]byte
	rest := digits[:2+2*l.Elements]
	PutDigits(digits[:], l.Number(sec), len(rest))
	if l.AllDigits {
		return append(dst, rest...)
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		if p.Element < 0 {
			dst = append(dst, p.Text[0])
			continue
		}
		size := len(elements[p.Element])
		dst, rest = append(dst, rest[:size]...), rest[size:]
	}
	return dst
}

// fast is Number without package time; false for a time before 1970, and of a zone whose offset
// may vary.
func (l *Layout) fast(sec int64) (uint64, bool) {
	if local := sec + int64(l.Offset); l.settled && local >= 0 && local < lastOfYears {
		return DateNumber(uint64(local), uint8(l.Elements)), true
	}
	return 0, false
}

// lastOfYears is the first second of the year 10000.
const lastOfYears = 253402300800

// farZone is more seconds than any zone is away from UTC.
const farZone = 7 * 86400

// Number is the digits of the text as one number: 20230516 for 20060102.
func (l *Layout) Number(sec int64) (n uint64) {
	if n, ok := l.fast(sec); ok {
		return n
	}
	f := l.elementsOf(sec)
	for i := range l.Elements {
		n = n*Pow10(len(elements[i])) + uint64(f[i])
	}
	return n
}

// Read undoes Append. It is false for a text that Append never writes, such as 20230431.
func (l *Layout) Read(b []byte) (sec int64, ok bool) {
	if len(b) != l.Width {
		return 0, false
	}
	n, ok := l.numberOf(b)
	if !ok {
		return 0, false
	}
	return l.ReadNumber(n)
}

// numberOf is the digits of a text as one number.
func (l *Layout) numberOf(b []byte) (uint64, bool) {
	if l.AllDigits {
		return ReadDigits(b)
	}
	var digits [24]byte
	n := 0
	for i := range l.Parts {
		p := &l.Parts[i]
		switch {
		case p.Element < 0:
			if b[0] != p.Text[0] {
				return 0, false
			}
			b = b[1:]
			continue
		case p.Element == 0:
			n, b = copy(digits[:], b[:4]), b[4:]
		default:
			digits[n], digits[n+1] = b[0], b[1]
			n, b = n+2, b[2:]
		}
	}
	return ReadDigits(digits[:n])
}

// ReadNumber undoes Number.
func (l *Layout) ReadNumber(n uint64) (sec int64, ok bool) {
	if l.settled {
		if u, ok := DateSeconds(n, uint8(l.Elements)); ok {
			return int64(u) - int64(l.Offset), true
		}
	}
	f := [6]int{1970, 1, 1, 0, 0, 0}
	for i := l.Elements - 1; i > 0; i-- {
		p := Pow10(len(elements[i]))
		f[i] = int(n % p)
		n /= p
	}
	if n > 9999 {
		return 0, false
	}
	f[0] = int(n)
	t := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, l.Zone)
	return t.Unix(), l.elementsOf(t.Unix()) == f // time.Date reads April 31 as May 1; here it is refused
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
	s := FixedShape(n.Layout.Width, turned(Up, n.Desc))
	s.Bytes = decimals
	for _, part := range n.Parts {
		s.Bytes = s.Bytes.Union(BytesOf(part.Text))
	}
	return s
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
	Size int
	Xor  uint64
}

func (n *DateNum) Shape(_, _ uint64) Shape { return FixedShape(n.Size, directed(n.Xor)) }

func (n *DateNum) Told() Told { return Told{Width: n.Size, Xor: n.Xor, DateNum: true} }

func (n *DateNum) Facts() Facts { return Facts{Binary: true, Units: n.Size, Unit: "byte"} }

func (n *DateNum) append(dst []byte, u uint64) []byte {
	return AppendUint(dst, n.Number(int64(u))^n.Xor, n.Size)
}

func (n *DateNum) read(form []byte) (uint64, bool) {
	if len(form) != n.Size {
		return 0, false
	}
	sec, ok := n.ReadNumber(ReadUint(form) ^ n.Xor)
	return uint64(sec), ok
}
