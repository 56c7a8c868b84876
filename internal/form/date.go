package form

// This file turns days since 1970 into a number such as 20060102, and back. It does
// so without the time package, which takes about twenty times as long.

// secondsOfDay is how many seconds a day has.
const secondsOfDay = 86400

// civil is the date of a day since 1970 as a number such as 20060102, up to the year
// 9999: of day 0 it is 19700101 (Neri and Schneider, Euclidean affine functions, 2022).
func civil(days uint32) uint64 {
	n := 4*days + 4*719468 + 3
	c := n / 146097
	p := 2939745 * uint64(n%146097|3)
	n = 2141*(uint32(p)/(4*2939745)) + 197913
	m := n >> 16 // 3 to 14: the year begins in March
	return uint64((100*c+uint32(p>>32))*10000 + m*100 + (m+3)>>4*(10000-1200) + n&0xffff/2141 + 1)
}

// daysOf undoes civil. It is false for a date before 1970 and for one that no calendar
// has, such as 20230431.
func daysOf(ymd uint32) (uint64, bool) {
	y, m, d := ymd/10000, ymd/100%100, ymd%100
	if y < 1970 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	if m <= 2 {
		y--
		m += 12
	}
	c := y / 100
	n := uint64(1461*y/4-c+c/4+(979*m-2919)/32+d) - 1 - 719468
	return n, civil(uint32(n)) == uint64(ymd)
}

// DateNumber is a local time, in seconds since 1970, as a number of the first
// elements of 2006 01 02 15 04 05. Of 2023-05-16 01:40:30, as big-endian bytes:
//
//	3 elements   20230516     01 34 b1 74
//	4 elements   2023051601   78 95 51 51
func DateNumber(sec uint64, elements uint8) uint64 {
	day := sec / secondsOfDay
	s := uint32(sec - day*secondsOfDay)
	n := civil(uint32(day))
	if elements == 3 {
		return n
	}
	return (n*1e6 + uint64(s/3600*10000+s/60%60*100+s%60)) / tens[12-2*elements]
}

// DateSeconds undoes DateNumber. It is false for a time before 1970 and for one that
// does not exist, such as 20230431 (3 elements).
func DateSeconds(n uint64, elements uint8) (uint64, bool) {
	if n >= tens[2+2*elements] {
		return 0, false
	}
	first := [...]uint64{1: 101e6, 2: 1e6, 6: 0}[elements] // of a year January 1, of a month its day 1
	n = n*tens[12-2*elements] + first
	n, clock := n/1e6, n%1e6
	h, m, s := clock/10000, clock/100%100, clock%100
	if h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	day, ok := daysOf(uint32(n))
	return day*secondsOfDay + h*3600 + m*60 + s, ok
}
