package rt

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/form"
)

// Bytes are the bytes of a text, which must not be changed.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Text is the text of bytes, which must not be changed as long as it is used.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Units is the number of whole steps from epoch, in seconds since 1970, to an instant. It is
// false after last, and near the ends of time.Time.
func Units(t time.Time, step, epoch int64, last uint64) (u uint64, ok bool) {
	sec := uint64(t.Unix() - epoch)
	if step >= int64(time.Second) {
		u = sec / uint64(step/int64(time.Second))
		return u, sec <= 1<<62 && u <= last
	}
	per := uint64(int64(time.Second) / step)
	if sec > last/per {
		return 0, false
	}
	u = sec*per + uint64(t.Nanosecond())/uint64(step)
	return u, u <= last
}

// DateNumber is a local time, in seconds since 1970, as the number of its first elements:
// year, month, day, hour, minute, second.
func DateNumber(sec uint64, elements uint8) uint64 { return form.DateNumber(sec, elements) }

// PutDate writes the digits of n where pattern has 0, and its other characters.
func PutDate(b []byte, n uint64, pattern string) {
	b = b[:len(pattern)]
	for i := len(pattern) - 1; i >= 0; i-- {
		if b[i] = pattern[i]; b[i] == '0' {
			b[i] = byte('0' + n%10)
			n /= 10
		}
	}
}

// AppendDate appends what PutDate writes.
func AppendDate(dst []byte, n uint64, pattern string) []byte {
	at := len(dst)
	dst = append(dst, pattern...)
	PutDate(dst[at:], n, pattern)
	return dst
}

// Complement turns each digit d into 9 − d, and other characters likewise.
func Complement(b []byte) { form.ComplementDigits(b) }

// PutDigits writes u in len(b) decimal digits, at most 20.
func PutDigits(b []byte, u uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte('0' + u%10)
		u /= 10
	}
}

// Digits8 is u, below 10⁸, as eight digits, the first in the lowest byte.
func Digits8(u uint32) uint64 {
	high, low := u/10000, u%10000
	x := uint64(high) | uint64(low)<<32
	top := (x * 10486 >> 20) & 0x7f_0000_007f // x/100 in both halves
	x = (x-100*top)<<16 + top
	tens := (x * 103 >> 10) & 0x000f_000f_000f_000f // x/10 in all four
	return tens + (x-10*tens)<<8 + 0x3030303030303030
}

// PutHexDigits writes u in len(b) hexadecimal digits.
func PutHexDigits(b []byte, u uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = Lower[u&15]
		u >>= 4
	}
}

// Lower and Upper are the hexadecimal digits.
const (
	Lower = "0123456789abcdef"
	Upper = "0123456789ABCDEF"
)

// PutHexOf writes len(b) hexadecimal characters of a digest, from character at on.
func PutHexOf(b, sum []byte, at int, digits string) {
	for i := range b {
		c := sum[(at+i)/2]
		if (at+i)%2 == 0 {
			c >>= 4
		}
		b[i] = digits[c&15]
	}
}

// DigitsLen is the number of decimal digits of u.
func DigitsLen(u uint64) int { return form.DigitsLen(u) }

// SignedLen is the length of an int as decimal text.
func SignedLen(u uint64) int {
	if int64(u) < 0 {
		return 1 + form.DigitsLen(-u)
	}
	return form.DigitsLen(u)
}

// PutSigned writes an int as decimal text of len(b) bytes.
func PutSigned(b []byte, u uint64) {
	if int64(u) < 0 {
		b[0] = '-'
		b, u = b[1:], -u
	}
	PutDigits(b, u)
}

// AppendUint, AppendInt and AppendBool append a value as text.
func AppendUint(dst []byte, u uint64) []byte { return strconv.AppendUint(dst, u, 10) }
func AppendInt(dst []byte, u uint64) []byte  { return strconv.AppendInt(dst, int64(u), 10) }
func AppendBool(dst []byte, u uint64) []byte { return strconv.AppendBool(dst, u == 1) }

// OrderFloat is IEEE bits as a number that sorts as the floats do.
func OrderFloat(bits uint64, size int) uint64 { return form.OrderFloat(bits, size) }

// Reverse and Invert change b in place.
func Reverse(b []byte) { slices.Reverse(b) }
func Invert(b []byte)  { form.Invert(b) }

// Count is how often c stands in b.
func Count(b []byte, c byte) int { return bytes.Count(b, []byte{c}) }

// Escape turns the first n bytes of b into their escaped form, which fills b.
func Escape(b []byte, n int) {
	to := len(b) - 2
	EscapeOpen(b[:to], n)
	b[to], b[to+1] = 0, 1
}

// EscapeOpen is Escape without the end 00 01.
func EscapeOpen(b []byte, n int) {
	to := len(b) - 1
	for from := n - 1; from >= 0; from-- {
		if b[from] == 0 {
			b[to], b[to-1] = 0xff, 0
			to -= 2
			continue
		}
		b[to] = b[from]
		to--
	}
}

// GroupsOf is the length of n bytes in groups of seven bits.
func GroupsOf(n int) int { return form.BlobVarGroups(n) }

// Groups turns the first n bytes of b into groups of seven bits, which fill b.
func Groups(b []byte, n int) { form.AppendBlobVar(b[:n], 0) }

// PutTimestamp writes nanoseconds since 1970 as Phoenix's TIMESTAMP.
func PutTimestamp(b []byte, u, xor, rest uint64) {
	form.AppendTimestamp(b[:0], int64(u), xor, rest)
}

// Marks reports that in a form with the separator after it the separator is found there, and
// not earlier.
func Marks(form_ []byte, mark string) bool { return form.Marks(form_, Bytes(mark)) }

// UUID is the two halves of a UUID; false if the text is none in lower case.
func UUID(text []byte) (high, low uint64, ok bool) { return form.UUIDWords(text) }

// Murmur is murmur3 of p. It is not generic, so that the compiler sees that p stays where it is.
func Murmur(seed uint32, p []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h := seed
	n := len(p)
	for ; len(p) >= 4; p = p[4:] {
		k := binary.LittleEndian.Uint32(p) * c1
		h ^= bits.RotateLeft32(k, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(p) - 1; i >= 0; i-- {
		k = k<<8 | uint32(p[i])
	}
	h ^= bits.RotateLeft32(k*c1, 15) * c2
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Word is a digest of 32 bits as bytes, big-endian.
func Word(u uint32) (b [4]byte) {
	binary.BigEndian.PutUint32(b[:], u)
	return b
}

// MD5 and the others are digests.
func MD5(p []byte) [16]byte    { return md5.Sum(p) }
func SHA1(p []byte) [20]byte   { return sha1.Sum(p) }
func SHA256(p []byte) [32]byte { return sha256.Sum256(p) }
func SHA512(p []byte) [64]byte { return sha512.Sum512(p) }
func CRC32(p []byte) [4]byte   { return Word(digest.CRC(p)) }

// Mod is the big-endian number b mod n.
func Mod(b []byte, n uint64) uint64 { return digest.Mod(b, n) }

// JavaHash is String.hashCode; false for bytes that are not UTF-8.
func JavaHash(p []byte) (int32, bool) { return digest.JavaString(p) }

// JavaBytes is Arrays.hashCode(byte[]).
func JavaBytes(p []byte) int32 { return digest.JavaBytes(p) }

// Mask31 is (h & 0x7fffffff) % n.
func Mask31(h int32, n uint64) uint64 { return uint64(uint32(h)&0x7fffffff) % n }

// Abs is |h| % n, which is Math.abs(h) % n for all h but the smallest int, and
// Math.abs(h % n) for all.
func Abs(h int32, n uint64) uint64 { return uint64(uint32(max(h, -h))) % n }

// FloorMod is Math.floorMod(a, n).
func FloorMod(a int64, n uint64) uint64 { return uint64(form.Mod(a, int64(n))) }

// A Decimal is a form of decimal numbers: Numeric of OrderedBytes, BigDecimal of Phoenix.
type Decimal = form.DecimalForm

// The forms.
const (
	Numeric    = form.Numeric
	BigDecimal = form.BigDecimal
)

// AppendDecimal appends the form of a number that is given as text. It is false if text is none, or
// has more digits than are stored: digits, of which scale stand after the point; digits 0 is no limit.
func AppendDecimal(dst []byte, as Decimal, text string, digits, scale int) ([]byte, bool) {
	var room [64]byte
	d, ok := form.DecimalText(room[:0], text)
	if !ok || !as.Storable(&d) || digits != 0 && (d.Exp > digits-scale || len(d.Digits)-d.Exp > scale) {
		return dst, false
	}
	return as.Append(dst, &d), true
}

// AppendWhole appends the form of a whole number.
func AppendWhole(dst []byte, as Decimal, u uint64, signed bool) []byte {
	var room [20]byte
	neg := signed && int64(u) < 0
	if neg {
		u = -u
	}
	d := form.DecimalInt(room[:0], neg, u)
	return as.Append(dst, &d)
}

// FloorDiv is Math.floorDiv(u, n).
func FloorDiv(u uint64, n int64) uint64 {
	q := int64(u) / n
	if int64(u)%n < 0 {
		q--
	}
	return uint64(q)
}

// ZerosIn is how many of the 16 bytes of a UUID are 00.
func ZerosIn(high, low uint64) (n int) {
	for range 8 {
		if byte(high) == 0 {
			n++
		}
		if byte(low) == 0 {
			n++
		}
		high, low = high>>8, low>>8
	}
	return n
}

// VarintLen is the length of a number as a varint.
func VarintLen(u uint64) int { return form.VarintLen(u) }

// PutVarint writes a varint of len(b) bytes, each XOR flip.
func PutVarint(b []byte, u uint64, flip byte) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte(u) ^ flip
		u >>= 8
	}
	b[0] = (b[0] ^ flip | byte(0xff<<(9-len(b)))) ^ flip
}

// ReverseRunes reverses the characters of UTF-8; false if b is none.
func ReverseRunes(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	form.ReverseRunes(b)
	return true
}

// ReverseLabels reverses the labels between separators.
func ReverseLabels(b []byte, sep string) { form.ReverseLabels(b, Bytes(sep)) }

// ReversePart reverses the bytes from from to to; false if b is shorter.
func ReversePart(b []byte, from, to int) bool {
	if len(b) < to {
		return false
	}
	slices.Reverse(b[from:to])
	return true
}

// AppendPadded appends a number as text of at least n digits, zeros first.
func AppendPadded(dst []byte, u uint64, signed bool, n int) []byte {
	if signed && int64(u) < 0 {
		dst, u, n = append(dst, '-'), -u, n-1
	}
	for range max(0, n-form.DigitsLen(u)) {
		dst = append(dst, '0')
	}
	return strconv.AppendUint(dst, u, 10)
}

// AppendHex appends a number in hexadecimal digits.
func AppendHex(dst []byte, u uint64, digits string) []byte {
	for shift := max(0, bits.Len64(u)-1) / 4 * 4; shift >= 0; shift -= 4 {
		dst = append(dst, digits[u>>shift&15])
	}
	return dst
}

// Murmur128 and the others are digests of HBase, and murmur3 of 128 bits.
func Murmur128(seed uint32, p []byte) (b [16]byte) {
	h1, h2 := digest.Murmur128(seed, p)
	binary.BigEndian.PutUint64(b[:], h1)
	binary.BigEndian.PutUint64(b[8:], h2)
	return b
}
func HBaseMurmur(seed uint32, p []byte) uint32  { return digest.HBaseMurmur32(seed, p) }
func HBaseJenkins(seed uint32, p []byte) uint32 { return digest.HBaseJenkins32(seed, p) }

// Room is n bytes: of room, or of new memory.
func Room(room []byte, n int) []byte {
	if n > len(room) {
		return make([]byte, n)
	}
	return room[:n]
}
