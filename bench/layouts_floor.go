package bench

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"time"
)

// The floors of layouts.go: one layout each, in straight-line Go, with the checks
// of the schema: lengths, separators, ranges, the key's own length, and of a key
// that is read every byte that its values do not decide.

const floorHex = "0123456789abcdef"

// floorNum is n digits as a number, in 64 bits.
func floorNum(b []byte) (v uint64, ok bool) {
	for _, c := range b {
		d := uint64(c - '0')
		if d > 9 || v > math.MaxUint64/10 || v*10 > math.MaxUint64-d {
			return 0, false
		}
		v = v*10 + d
	}
	return v, len(b) > 0
}

// floorDigits appends v as n digits.
func floorDigits(dst []byte, v uint64, n int) []byte {
	var b [20]byte
	for i := n - 1; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return append(dst, b[:n]...)
}

//go:noinline
func floorTelemetry(dst []byte, r *telemetryRow) ([]byte, error) {
	sec := r.At.Unix()
	if len(r.Device) != 16 || sec < 0 || sec > math.MaxInt32 {
		return dst, errFloor
	}
	dst = append(append(dst, byte(floorMurmur(r.Device)%64)), r.Device...)
	dst = binary.BigEndian.AppendUint16(dst, r.Metric)
	return binary.BigEndian.AppendUint32(dst, uint32(math.MaxInt32-sec)), nil
}

//go:noinline
func floorTelemetryRead(key []byte, v *telemetryValues) error {
	if len(key) != 23 || key[0] != byte(floorMurmur(key[1:17])%64) {
		return errFloor
	}
	left := binary.BigEndian.Uint32(key[19:])
	if left > math.MaxInt32 {
		return errFloor
	}
	v.device = append(v.device[:0], key[1:17]...)
	v.metric = uint64(binary.BigEndian.Uint16(key[17:]))
	v.at = time.Unix(int64(math.MaxInt32-left), 0).UTC()
	return nil
}

//go:noinline
func floorTelemetryDecode(key []byte, r *telemetryRow) error {
	if len(key) != 23 || key[0] != byte(floorMurmur(key[1:17])%64) {
		return errFloor
	}
	left := binary.BigEndian.Uint32(key[19:])
	if left > math.MaxInt32 {
		return errFloor
	}
	r.Device = string(key[1:17])
	r.Metric = binary.BigEndian.Uint16(key[17:])
	r.At = time.Unix(int64(math.MaxInt32-left), 0).UTC()
	return nil
}

//go:noinline
func floorIDs(dst []byte, r *numbersRow) ([]byte, error) {
	if r.At < 0 {
		return dst, errFloor
	}
	dst = binary.BigEndian.AppendUint32(dst, r.Org)
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.User)^1<<63)
	dst = append(dst, r.Type)
	return binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-r.At)), nil
}

//go:noinline
func floorIDsRead(key []byte, v *numbersValues) error {
	if len(key) != 21 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[13:])
	if left > math.MaxInt64 {
		return errFloor
	}
	v.org = uint64(binary.BigEndian.Uint32(key))
	v.user = int64(binary.BigEndian.Uint64(key[4:]) ^ 1<<63)
	v.kind = uint64(key[12])
	v.at = time.UnixMilli(int64(math.MaxInt64 - left)).UTC()
	return nil
}

//go:noinline
func floorIDsDecode(key []byte, r *numbersRow) error {
	if len(key) != 21 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[13:])
	if left > math.MaxInt64 {
		return errFloor
	}
	r.Org = binary.BigEndian.Uint32(key)
	r.User = int64(binary.BigEndian.Uint64(key[4:]) ^ 1<<63)
	r.Type = key[12]
	r.At = int64(math.MaxInt64 - left)
	return nil
}

//go:noinline
func floorDays(dst []byte, r *daysRow) ([]byte, error) {
	y, m, d := r.Day.UTC().Date()
	if y < 1970 || y > 9999 {
		return dst, errFloor
	}
	dst = append(dst, byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10),
		byte('0'+m/10), byte('0'+m%10), byte('0'+d/10), byte('0'+d%10), '-')
	return binary.BigEndian.AppendUint64(dst, r.UID), nil
}

//go:noinline
func floorDaysRead(key []byte, v *daysValues) error {
	if len(key) != 17 || key[8] != '-' {
		return errFloor
	}
	y, ok := floorNum(key[:4])
	m, ok2 := floorNum(key[4:6])
	d, ok3 := floorNum(key[6:8])
	t := time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC)
	if !ok || !ok2 || !ok3 || y < 1970 || int(m) != int(t.Month()) || int(d) != t.Day() {
		return errFloor
	}
	v.day, v.uid = t, binary.BigEndian.Uint64(key[9:])
	return nil
}

//go:noinline
func floorDaysDecode(key []byte, r *daysRow) error {
	var v daysValues
	err := floorDaysRead(key, &v)
	if err == nil {
		r.Day, r.UID = v.day, v.uid
	}
	return err
}

//go:noinline
func floorPhones(dst []byte, r *phonesRow) ([]byte, error) {
	if len(r.Phone) != 11 || r.At < 0 {
		return dst, errFloor
	}
	for i := 10; i >= 0; i-- {
		dst = append(dst, r.Phone[i])
	}
	return binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-r.At)), nil
}

//go:noinline
func floorPhonesRead(key []byte, v *phonesValues) error {
	if len(key) != 19 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[11:])
	if left > math.MaxInt64 {
		return errFloor
	}
	phone := v.phone[:0]
	for i := 10; i >= 0; i-- {
		phone = append(phone, key[i])
	}
	v.phone = phone
	v.at = time.UnixMilli(int64(math.MaxInt64 - left)).UTC()
	return nil
}

//go:noinline
func floorPhonesDecode(key []byte, r *phonesRow) error {
	if len(key) != 19 {
		return errFloor
	}
	left := binary.BigEndian.Uint64(key[11:])
	if left > math.MaxInt64 {
		return errFloor
	}
	var phone [11]byte
	for i := range phone {
		phone[i] = key[10-i]
	}
	r.Phone, r.At = string(phone[:]), int64(math.MaxInt64-left)
	return nil
}

//go:noinline
func floorTenants(dst []byte, r *tenantsRow) ([]byte, error) {
	at, sec := len(dst), r.At.Unix()
	if strings.IndexByte(r.Tenant, 0) >= 0 || sec < 0 || len(r.Tenant) > maxKey-18 {
		return dst, errFloor
	}
	dst = append(append(dst, 0), r.Tenant...)
	dst = binary.BigEndian.AppendUint64(dst, r.ID) // after the text, where it is hashed
	dst[at] = byte(floorMurmur(dst[at+1:]) % 16)
	dst = append(dst[:at+1+len(r.Tenant)], 0)
	dst = binary.BigEndian.AppendUint64(dst, r.ID)
	return binary.BigEndian.AppendUint64(dst, uint64(sec)), nil
}

// floorTenantsCheck is where the tenant ends in a key.
func floorTenantsCheck(key []byte) (n int, id, sec uint64, ok bool) {
	if len(key) < 18 || len(key) > maxKey {
		return 0, 0, 0, false
	}
	n = len(key) - 16 - 2
	if bytes.IndexByte(key[1:], 0) != n {
		return 0, 0, 0, false
	}
	id, sec = binary.BigEndian.Uint64(key[n+2:]), binary.BigEndian.Uint64(key[n+10:])
	var room [64]byte
	in := append(append(room[:0], key[1:1+n]...), key[n+2:n+10]...)
	return n, id, sec, sec <= 1<<62 && key[0] == byte(floorMurmur(in)%16)
}

//go:noinline
func floorTenantsRead(key []byte, v *tenantsValues) error {
	n, id, sec, ok := floorTenantsCheck(key)
	if !ok {
		return errFloor
	}
	v.tenant = append(v.tenant[:0], key[1:1+n]...)
	v.id, v.at = id, time.Unix(int64(sec), 0).UTC()
	return nil
}

//go:noinline
func floorTenantsDecode(key []byte, r *tenantsRow) error {
	n, id, sec, ok := floorTenantsCheck(key)
	if !ok {
		return errFloor
	}
	r.Tenant = string(key[1 : 1+n])
	r.ID, r.At = id, time.Unix(int64(sec), 0).UTC()
	return nil
}

//go:noinline
func floorEscaped(dst []byte, r *escapedRow) ([]byte, error) {
	at := len(dst)
	us := r.At.UnixMicro()
	if us < 0 {
		return dst, errFloor
	}
	for rest := r.Tenant; ; {
		i := strings.IndexByte(rest, 0)
		if i < 0 {
			dst = append(dst, rest...)
			break
		}
		dst = append(append(dst, rest[:i]...), 0, 0xff)
		rest = rest[i+1:]
	}
	dst = binary.BigEndian.AppendUint64(append(dst, 0, 1), uint64(us))
	dst = binary.BigEndian.AppendUint32(dst, r.Seq)
	if len(dst)-at > maxKey {
		return dst[:at], errFloor
	}
	return dst, nil
}

//go:noinline
func floorEscapedRead(key []byte, v *escapedValues) error {
	if len(key) > maxKey {
		return errFloor
	}
	text := v.tenant[:0]
	for {
		i := bytes.IndexByte(key, 0)
		if i < 0 || i+1 == len(key) {
			return errFloor
		}
		text = append(text, key[:i]...)
		end := key[i+1]
		key = key[i+2:]
		if end == 1 {
			break
		}
		if end != 0xff {
			return errFloor
		}
		text = append(text, 0)
	}
	if len(key) != 12 {
		return errFloor
	}
	us := binary.BigEndian.Uint64(key)
	if us > math.MaxInt64 {
		return errFloor
	}
	v.tenant, v.at, v.seq = text, time.UnixMicro(int64(us)).UTC(), uint64(binary.BigEndian.Uint32(key[8:]))
	return nil
}

//go:noinline
func floorEscapedDecode(key []byte, r *escapedRow) error {
	var room [64]byte
	v := escapedValues{tenant: room[:0]}
	err := floorEscapedRead(key, &v)
	if err == nil {
		r.Tenant, r.At, r.Seq = string(v.tenant), v.at, uint32(v.seq)
	}
	return err
}

//go:noinline
func floorTexts(dst []byte, r *textsRow) ([]byte, error) {
	return floorTextsAt(dst, r.User, r.At, r.Order)
}

func floorTextsAt(dst []byte, user string, ms int64, order uint64) ([]byte, error) {
	at := len(dst)
	if strings.IndexByte(user, '_') >= 0 || ms < 0 {
		return dst, errFloor
	}
	var text [64]byte
	sum := md5.Sum(append(text[:0], user...))
	dst = append(dst, floorHex[sum[0]>>4], floorHex[sum[0]&15], floorHex[sum[1]>>4], floorHex[sum[1]&15])
	dst = append(append(dst, user...), '_')
	dst = append(floorDigits(dst, uint64(math.MaxInt64-ms), 19), '_')
	n := 1
	for x := order; x >= 10; x /= 10 {
		n++
	}
	if dst = floorDigits(dst, order, n); len(dst)-at > maxKey {
		return dst[:at], errFloor
	}
	return dst, nil
}

//go:noinline
func floorTextsRead(key []byte, v *textsValues) error {
	if len(key) < 4 || len(key) > maxKey {
		return errFloor
	}
	n := bytes.IndexByte(key[4:], '_')
	if n < 0 || len(key) < 4+n+1+19+1+1 || key[4+n+20] != '_' {
		return errFloor
	}
	user, order := key[4:4+n], key[4+n+21:]
	left, ok := floorNum(key[4+n+1 : 4+n+20])
	u, ok2 := floorNum(order)
	sum := md5.Sum(user)
	if !ok || !ok2 || left > math.MaxInt64 || order[0] == '0' && len(order) > 1 ||
		key[0] != floorHex[sum[0]>>4] || key[1] != floorHex[sum[0]&15] || key[2] != floorHex[sum[1]>>4] || key[3] != floorHex[sum[1]&15] {
		return errFloor
	}
	v.user = append(v.user[:0], user...)
	v.at, v.order = time.UnixMilli(int64(math.MaxInt64-left)).UTC(), u
	return nil
}

//go:noinline
func floorTextsDecode(key []byte, r *textsRow) error {
	var room [64]byte
	v := textsValues{user: room[:0]}
	err := floorTextsRead(key, &v)
	if err == nil {
		r.User, r.At, r.Order = string(v.user), v.at.UnixMilli(), v.order
	}
	return err
}

//go:noinline
func floorQuotes(dst []byte, r *quotesRow) ([]byte, error) {
	n := len(r.Symbol)
	if n > 8 || n > 0 && r.Symbol[n-1] == ' ' || r.Price != r.Price || r.Venue >= 1<<24 {
		return dst, errFloor
	}
	dst = append(append(dst, "q1"...), r.Symbol...)
	for ; n < 8; n++ {
		dst = append(dst, ' ')
	}
	u := math.Float64bits(r.Price + 0) // −0 is 0
	if u>>63 != 0 {
		u = ^u
	} else {
		u |= 1 << 63
	}
	dst = binary.BigEndian.AppendUint64(dst, u)
	bid := byte(0)
	if r.Bid {
		bid = 1
	}
	return append(dst, bid, byte(r.Venue>>16), byte(r.Venue>>8), byte(r.Venue)), nil
}

//go:noinline
func floorQuotesRead(key []byte, v *quotesValues) error {
	if len(key) != 22 || string(key[:2]) != "q1" || key[18] > 1 {
		return errFloor
	}
	text := bytes.TrimRight(key[2:10], " ")
	u := binary.BigEndian.Uint64(key[10:])
	if u>>63 != 0 {
		u ^= 1 << 63
	} else {
		u = ^u
	}
	f := math.Float64frombits(u)
	if f != f || u == 1<<63 {
		return errFloor
	}
	v.symbol = append(v.symbol[:0], text...)
	v.price, v.bid, v.venue = f, key[18] == 1, uint64(key[19])<<16|uint64(key[20])<<8|uint64(key[21])
	return nil
}

//go:noinline
func floorQuotesDecode(key []byte, r *quotesRow) error {
	var room [8]byte
	v := quotesValues{symbol: room[:0]}
	err := floorQuotesRead(key, &v)
	if err == nil {
		r.Symbol, r.Price, r.Bid, r.Venue = string(v.symbol), v.price, v.bid, uint32(v.venue)
	}
	return err
}

// floorUnhex is a lower-case hexadecimal digit, or more than 15.
func floorUnhex(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c-'a' < 6:
		return c - 'a' + 10
	}
	return 0xff
}

// floorUUID writes a UUID of 16 bytes as text.
func floorUUID(id *[36]byte, b []byte) {
	hex.Encode(id[:], b[:4])
	id[8], id[13], id[18], id[23] = '-', '-', '-', '-'
	hex.Encode(id[9:], b[4:6])
	hex.Encode(id[14:], b[6:8])
	hex.Encode(id[19:], b[8:10])
	hex.Encode(id[24:], b[10:])
}

//go:noinline
func floorFiles(dst []byte, r *filesRow) ([]byte, error) {
	at := len(dst)
	if len(r.ID) != 36 || r.ID[8] != '-' || r.ID[13] != '-' || r.ID[18] != '-' || r.ID[23] != '-' || len(r.Path) > maxKey {
		return dst, errFloor
	}
	for i := 0; i < 36; i += 2 {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			i++
		}
		a, b := floorUnhex(r.ID[i]), floorUnhex(r.ID[i+1])
		if a|b > 15 {
			return dst[:at], errFloor
		}
		dst = append(dst, a<<4|b)
	}
	for i := 28; i >= 0; i -= 4 {
		dst = append(dst, floorHex[r.Part>>i&15])
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(r.Path)))
	dst = append(dst, r.Path...)
	if dst = binary.BigEndian.AppendUint32(dst, uint32(r.Rev)^1<<31); len(dst)-at > maxKey {
		return dst[:at], errFloor
	}
	return dst, nil
}

//go:noinline
func floorFilesRead(key []byte, v *filesValues) error {
	if len(key) < 30 || len(key) > maxKey {
		return errFloor
	}
	n := int(binary.BigEndian.Uint16(key[24:]))
	if len(key) != 30+n {
		return errFloor
	}
	u := uint64(0)
	for _, c := range key[16:24] {
		d := floorUnhex(c)
		if d > 15 {
			return errFloor
		}
		u = u<<4 | uint64(d)
	}
	var id [36]byte
	floorUUID(&id, key[:16])
	v.id = append(v.id[:0], id[:]...)
	v.part = u
	v.path = append(v.path[:0], key[26:26+n]...)
	v.rev = int64(int32(binary.BigEndian.Uint32(key[26+n:]) ^ 1<<31))
	return nil
}

//go:noinline
func floorFilesDecode(key []byte, r *filesRow) error {
	var id, path [64]byte
	v := filesValues{id: id[:0], path: path[:0]}
	err := floorFilesRead(key, &v)
	if err == nil {
		r.ID, r.Part, r.Path, r.Rev = string(v.id), uint32(v.part), string(v.path), int32(v.rev)
	}
	return err
}

//go:noinline
func floorOrders(dst []byte, r *ordersRow) ([]byte, error) {
	t := r.At.UTC()
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	if r.Order > 999999999999 || y < 1970 || y > 9999 {
		return dst, errFloor
	}
	var in [8]byte
	binary.BigEndian.PutUint64(in[:], r.Order)
	salt := floorMurmur(in[:]) % 100
	dst = append(dst, byte('0'+salt/10), byte('0'+salt%10), '_')
	dst = append(floorDigits(dst, r.Order, 12), '_')
	return append(dst, byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10),
		byte('0'+mo/10), byte('0'+mo%10), byte('0'+d/10), byte('0'+d%10), byte('0'+h/10), byte('0'+h%10),
		byte('0'+mi/10), byte('0'+mi%10), byte('0'+s/10), byte('0'+s%10)), nil
}

//go:noinline
func floorOrdersRead(key []byte, v *ordersValues) error {
	if len(key) != 30 || key[2] != '_' || key[15] != '_' {
		return errFloor
	}
	order, ok := floorNum(key[3:15])
	when, ok2 := floorNum(key[16:30])
	if !ok || !ok2 || when < 19700000000000 {
		return errFloor
	}
	y, mo, d := int(when/1e10), int(when/1e8%100), int(when/1e6%100)
	h, mi, s := int(when/1e4%100), int(when/100%100), int(when%100)
	t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
	if int(t.Month()) != mo || t.Day() != d || h > 23 || mi > 59 || s > 59 {
		return errFloor
	}
	var in [8]byte
	binary.BigEndian.PutUint64(in[:], order)
	if salt := floorMurmur(in[:]) % 100; key[0] != byte('0'+salt/10) || key[1] != byte('0'+salt%10) {
		return errFloor
	}
	v.order, v.at = order, t
	return nil
}

//go:noinline
func floorOrdersDecode(key []byte, r *ordersRow) error {
	var v ordersValues
	err := floorOrdersRead(key, &v)
	if err == nil {
		r.Order, r.At = v.order, v.at
	}
	return err
}

//go:noinline
func floorJavas(dst []byte, r *javasRow) ([]byte, error) {
	if r.At < 0 || len(r.Name) > maxKey-20 {
		return dst, errFloor
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.User))
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.At))
	dst = binary.BigEndian.AppendUint32(dst, uint32(r.Kind))
	return append(dst, r.Name...), nil
}

//go:noinline
func floorJavasRead(key []byte, v *javasValues) error {
	if len(key) < 20 || len(key) > maxKey {
		return errFloor
	}
	ms := binary.BigEndian.Uint64(key[8:])
	if ms > math.MaxInt64 {
		return errFloor
	}
	v.user, v.at = int64(binary.BigEndian.Uint64(key)), time.UnixMilli(int64(ms)).UTC()
	v.kind = int64(int32(binary.BigEndian.Uint32(key[16:])))
	v.name = append(v.name[:0], key[20:]...)
	return nil
}

//go:noinline
func floorJavasDecode(key []byte, r *javasRow) error {
	if len(key) < 20 || len(key) > maxKey {
		return errFloor
	}
	ms := binary.BigEndian.Uint64(key[8:])
	if ms > math.MaxInt64 {
		return errFloor
	}
	r.User, r.At = int64(binary.BigEndian.Uint64(key)), int64(ms)
	r.Kind = int32(binary.BigEndian.Uint32(key[16:]))
	r.Name = string(key[20:])
	return nil
}

// floorPhoenix is the salt of a Phoenix table of 16 buckets.
func floorPhoenix(b []byte) byte {
	h := int32(1)
	for _, c := range b {
		h = 31*h + int32(int8(c))
	}
	if h %= 16; h < 0 {
		h = -h
	}
	return byte(h)
}

//go:noinline
func floorHosts(dst []byte, r *hostsRow) ([]byte, error) {
	at, ms := len(dst), r.At.UnixMilli()
	if r.Host == "" || strings.IndexByte(r.Host, 0) >= 0 || len(r.Host) > maxKey-18 {
		return dst, errFloor
	}
	dst = append(append(append(dst, 0), r.Host...), 0)
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.ID)^math.MaxInt64)
	dst = binary.BigEndian.AppendUint64(dst, uint64(ms)^1<<63)
	dst[at] = floorPhoenix(dst[at+1:])
	return dst, nil
}

//go:noinline
func floorHostsRead(key []byte, v *hostsValues) error {
	if len(key) > maxKey || len(key) < 19 || key[0] != floorPhoenix(key[1:]) {
		return errFloor
	}
	n := len(key) - 18
	if bytes.IndexByte(key[1:], 0) != n {
		return errFloor
	}
	v.host = append(v.host[:0], key[1:1+n]...)
	v.id = int64(binary.BigEndian.Uint64(key[n+2:]) ^ math.MaxInt64)
	v.at = time.UnixMilli(int64(binary.BigEndian.Uint64(key[n+10:]) ^ 1<<63)).UTC()
	return nil
}

//go:noinline
func floorHostsDecode(key []byte, r *hostsRow) error {
	var room [64]byte
	v := hostsValues{host: room[:0]}
	err := floorHostsRead(key, &v)
	if err == nil {
		r.Host, r.ID, r.At = string(v.host), v.id, v.at
	}
	return err
}
