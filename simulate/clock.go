package simulate

import "time"

// clock cuts the time of arrival into windows, at most mostWindows of them: where
// they would be more, the width grows to the next, which each one before divides.
type clock struct {
	step  int
	base  int64 // number of the first window, of this width, since 1970
	n     int
	now   int64 // the latest second that counts
	first int64
	least int64 // the earliest second of a row
	began bool
	rows  []uint32 // of each window
	zone  *time.Location
	shift int64         // of the zone against UTC, so that windows of hours and days begin as its clocks do
	grain time.Duration // what all times of arrival are whole units of, down to a nanosecond

	seen    int64     // rows with a time
	without int64     // rows without
	late    [40]int64 // rows that came 2ⁱ−1 seconds or more after a later one, fewer than 2ⁱ⁺¹−1
	ahead   int       // rows in succession that lie far ahead of all others
	clipped int64     // rows of a time far ahead that no other had
}

const mostWindows = 120

var widths = []int64{1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400, 604800, 1209600, 2419200, 7257600, 14515200, 29030400}

func (c *clock) width() int64 { return widths[c.step] }

// aheadRows is how many rows in succession make a time far ahead believed: one
// row of a wrong century would else make the whole day one window.
const aheadRows = 20

// tick is the second that a row of this time is taken to arrive in: never before an
// earlier row's.
func (c *clock) tick(sec int64) int64 {
	c.seen++
	if !c.began {
		c.began, c.first, c.now, c.least = true, sec, sec, sec
		if c.zone != nil {
			_, shift := time.Unix(sec, 0).In(c.zone).Zone()
			c.shift = int64(shift)
		}
		c.base = c.number(sec)
		c.n = 1
		return sec
	}
	far := max(10*(c.now-c.first), 86400)
	if sec <= c.now {
		if c.now-sec <= far {
			c.least = min(c.least, sec)
		}
		c.ahead = 0
		i := 0
		for d := c.now - sec; d+1 >= 2<<i && i < len(c.late)-1; {
			i++
		}
		if sec < c.now {
			c.late[i]++
		}
		return c.now
	}
	if sec-c.now > far {
		if c.ahead++; c.ahead < aheadRows {
			c.clipped++
			return c.now
		}
		c.clipped -= aheadRows - 1
	}
	c.ahead = 0
	c.now = sec
	if _, ends := c.bounds(c.n - 1); sec < ends {
		return sec
	}
	for c.number(sec)-c.base >= mostWindows && c.step+1 < len(widths) {
		c.widen()
	}
	c.n = max(c.n, int(c.number(sec)-c.base)+1)
	return sec
}

// widen has windows of the next width.
func (c *clock) widen() {
	c.base = floorDiv(c.base, widths[c.step+1]/widths[c.step])
	c.step++
	c.n = int(c.number(c.now)-c.base) + 1
}

// number is that of a second's window since 1970.
func (c *clock) number(sec int64) int64 { return floorDiv(sec+c.shift, c.width()) }

// window is the number of a second's window, from 0.
func (c *clock) window(sec int64) int { return int(c.number(sec) - c.base) }

// bounds are the seconds of a window: its first, and the first after it.
func (c *clock) bounds(w int) (begins, ends int64) {
	begins = (c.base+int64(w))*c.width() - c.shift
	return begins, begins + c.width()
}

// lateness is the share of the rows that came by more than a window after a later one.
func (c *clock) lateness() float64 {
	n := int64(0)
	for i, rows := range c.late {
		if int64(1)<<i-1 > c.width() {
			n += rows
		}
	}
	return float64(n) / float64(max(c.seen, 1))
}

// start is when a window begins.
func (c *clock) start(w int) time.Time {
	begins, _ := c.bounds(w)
	return c.time(begins)
}

// time is a second in the zone of the report.
func (c *clock) time(sec int64) time.Time {
	if c.zone == nil {
		return time.Unix(sec, 0).UTC()
	}
	return time.Unix(sec, 0).In(c.zone)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// grid says which numbers windows had, so that what is counted by them can follow.
type grid struct {
	step int
	base int64
}

// moved gives what is counted by the windows of an older grid its place in a newer
// one, in the same memory: no place is after that of before.
func moved[T any](old []T, from, to grid, add func(a *T, b *T)) []T {
	if len(old) == 0 || from == to {
		return old
	}
	f := widths[to.step] / widths[from.step]
	place := func(i int) int { return int(floorDiv(from.base+int64(i), f) - to.base) }
	var none T
	for i := range old {
		if to := place(i); to < i {
			add(&old[to], &old[i])
			old[i] = none
		}
	}
	return old[:place(len(old)-1)+1]
}

// at is a window's place in what is counted by windows, which grows to hold it.
func at[T any](s *[]T, i int) *T {
	if n := len(*s); i >= cap(*s) {
		grown := make([]T, i+1, max(i+1, min(2*n, mostWindows)))
		copy(grown, *s)
		*s = grown
	} else if i >= n {
		*s = (*s)[:i+1] // what moved leaves after them is empty
	}
	return &(*s)[i]
}

func sum(a, b *uint32) { *a += *b }
