package notation

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Unit is the unit of a time: a named unit that counts from 1970 or from another instant,
// or a layout of digits.
type Unit struct {
	Name      string // such as ms; "layout" for a layout
	Since     bool   // it counts from Sec and Nsec, not from 1970
	Sec, Nsec int64  // the epoch, in seconds and nanoseconds since 1970
	Layout    string // such as 20060102
	Offset    int    // of the zone of a layout that is printed, in seconds east of UTC

	Zone *time.Location // the zone of a layout that was read, which may change its offset
}

// layoutWord is the name of a layout.
const layoutWord = "layout"

// Units are the words for units of time.
var Units = []string{"ns", "us", "ms", "s", "min", "h", "d"}

// String is the unit as it is written, such as ms-since(2023-05-16T00:00:00Z).
func (u Unit) String() string {
	if u.Name == layoutWord {
		return layoutWord + "(" + strconv.QuoteToASCII(u.Layout) + "," + OffsetText(u.Offset) + ")"
	}
	if !u.Since {
		return u.Name
	}
	text := time.Unix(u.Sec, u.Nsec).UTC().Format(time.RFC3339Nano)
	const year0, year10000 = -62167219200, 253402300800 // in seconds since 1970
	if u.Sec < year0 || u.Sec >= year10000 {            // RFC 3339 has no such year
		text = fmt.Sprintf("@%d.%09d", u.Sec, u.Nsec)
	}
	return u.Name + "-since(" + text + ")"
}

// OffsetText is an offset from UTC, such as +08:00.
func OffsetText(seconds int) string {
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	text := fmt.Sprintf("%s%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf(":%02d", seconds%60)
	}
	return text
}

// parseOffset undoes OffsetText.
func parseOffset(text string) (seconds int, ok bool) {
	parts := strings.Split(text[1:], ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		if len(part) != 2 || part[0] < '0' || part[0] > '9' || part[1] < '0' || part[1] > '9' {
			return 0, false
		}
		n := int(part[0]-'0')*10 + int(part[1]-'0')
		if i > 0 && n > 59 {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	if len(parts) == 2 {
		seconds *= 60
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// unitOf is the name of the unit in the word w; false if w is no unit. args reports that the
// unit has arguments of its own: ms-since has, ms has none.
func unitOf(w string) (name string, args, ok bool) {
	if w == layoutWord {
		return w, true, true
	}
	w, args = strings.CutSuffix(w, "-since")
	for _, u := range Units {
		if u == w {
			return u, args, true
		}
	}
	return "", false, false
}

// unit reads the arguments of a unit such as ms-since or layout, and the closing bracket. The
// opening bracket is read already.
func (p *parser) unit(name string) Unit {
	u := Unit{Name: name}
	if name == layoutWord {
		u.Layout = p.Quoted("a layout such as \"20060102\"")
		p.Expect(",")
		u.Zone = p.zone()
		p.Expect(")")
		return u
	}
	u.Since = true
	text, at := p.raw()
	p.Expect(")")
	if digits, ok := strings.CutPrefix(text, "@"); ok { // years that RFC 3339 does not have
		s, n, _ := strings.Cut(digits, ".")
		sec, err := strconv.ParseInt(s, 10, 64)
		nsec, err2 := strconv.ParseUint(n, 10, 31)
		if err != nil || err2 != nil || nsec > 999_999_999 {
			p.Fail(at, "expected @ with seconds since 1970, a point and nanoseconds")
		}
		u.Sec, u.Nsec = sec, int64(nsec)
		return u
	}
	epoch, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		p.Fail(at, "expected an instant such as 2023-05-16T00:00:00+08:00")
	}
	u.Sec, u.Nsec = epoch.Unix(), int64(epoch.Nanosecond())
	return u
}

// zone reads an offset from UTC or a zone's name.
func (p *parser) zone() *time.Location {
	text, at := p.raw()
	if text == "UTC" {
		return time.UTC
	}
	const want = "expected UTC, an offset such as +08:00, or a zone's name such as Asia/Shanghai"
	if text != "" && (text[0] == '+' || text[0] == '-') {
		seconds, ok := parseOffset(text)
		if !ok {
			p.Fail(at, want)
		}
		return time.FixedZone("", seconds)
	}
	if text == "" || text == "Local" { // Local is a different zone on each machine
		p.Fail(at, want)
		return nil
	}
	zone, err := time.LoadLocation(text)
	if err != nil {
		p.Fail(at, want+" that this machine knows")
		return nil
	}
	return zone
}
