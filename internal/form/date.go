package form

// Dates are computed without the time package, which takes some twenty times as
// long: days since 1970 to 20060102 and back.

// secondsOfDay is how many seconds a day has.
const secondsOfDay = 86400

// civil is the date of a day since 1970 as the number 20060102, up to the year
// 9999 (Neri and Schneider, Euclidean affine functions, 2022).
func civil(days uint32) uint64 {
	n1 := 4*(days+719468) + 3
	c := n1 / 146097
	n2 := n1%146097 | 3
	p2 := 2939745 * uint64(n2)
	y := 100*c + uint32(p2>>32)
	n3 := 2141*(uint32(p2)/2939745/4) + 197913
	m, d := n3>>16, n3&0xffff/2141
	if m > 12 {
		y++
		m -= 12
	}
	return uint64(y*10000 + m*100 + d + 1)
}

// daysOf undoes civil; false if there is no such day from 1970 on.
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

// DateNumber is a local time since 1970, cut behind so many of its six elements,
// as a number: of four 2006010215.
func DateNumber(sec uint64, elements uint8) uint64 {
	day := sec / secondsOfDay
	s := uint32(sec - day*secondsOfDay)
	n := civil(uint32(day))
	switch elements {
	case 1:
		n /= 10000
	case 2:
		n /= 100
	case 4:
		n = n*100 + uint64(s/3600)
	case 5:
		n = n*10000 + uint64(s/3600*100+s/60%60)
	case 6:
		n = n*1000000 + uint64(s/3600*10000+s/60%60*100+s%60)
	}
	return n
}

// DateSeconds undoes DateNumber; false if there is no such time from 1970 on.
func DateSeconds(n uint64, elements uint8) (uint64, bool) {
	if n > 99991231_235959 { // whose product with 10000 is another number
		return 0, false
	}
	clock := uint64(0)
	switch elements {
	case 1:
		n = n*10000 + 101
	case 2:
		n = n*100 + 1
	case 4:
		clock = n % 100 * 10000
		n /= 100
	case 5:
		clock = n % 10000 * 100
		n /= 10000
	case 6:
		clock = n % 1000000
		n /= 1000000
	}
	h, m, s := clock/10000, clock/100%100, clock%100
	if n > 99991231 || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	day, ok := daysOf(uint32(n))
	return day*secondsOfDay + h*3600 + m*60 + s, ok
}
