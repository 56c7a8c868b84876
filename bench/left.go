package bench

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/bench/tables"
)

// What the library writes and reads for printed code, of each kind one layout, beside code by hand.

func byLibrary() (jobs []Job) {
	for _, more := range [][]Job{
		left(loose, (*tables.Loose).Append, (*tables.LooseBuf).Parse, (*tables.Loose).Parse, nil),
		left(framed, (*tables.Framed).Append, (*tables.Framed).Parse, (*tables.Framed).Parse, nil),
		left(kinds, (*tables.Kinds).Append, (*tables.KindsBuf).Parse, (*tables.Kinds).Parse, nil),
		left(hidden, (*tables.Hidden).Append, (*tables.HiddenBuf).Parse, (*tables.Hidden).Parse, func(k *tables.Hidden) { k.Name = "" }),
		left(turned, (*tables.Turned).Append, (*tables.TurnedBuf).Parse, (*tables.Turned).Parse, nil),
		left(fractions, (*tables.Fractions).Append, (*tables.Fractions).Parse, (*tables.Fractions).Parse, nil),
		left(buckets, (*tables.Buckets).Append, (*tables.BucketsBuf).Parse, (*tables.Buckets).Parse, nil),
		left(cuts, (*tables.Cuts).Append, (*tables.CutsBuf).Parse, (*tables.Cuts).Parse, nil),
		left(copied, (*tables.Copied).Append, (*tables.CopiedBuf).Parse, (*tables.Copied).Parse, nil),
	} {
		jobs = append(jobs, more...)
	}
	return jobs
}

// left are the jobs of a layout whose row by hand is the printed one.
func left[K, B any](of design[K, B], write func(*K, []byte) ([]byte, error), read func(*B, []byte) error, decode func(*K, []byte) error, lost func(*K)) []Job {
	return printed[K, B, K, B]{of: of, write: write, read: read, decode: decode, library: true, lost: lost, row: func(r *K) K { return *r }}.jobs()
}

var (
	loose = design[tables.Loose, tables.LooseBuf]{
		name: "loose", what: "[tenant loose]['_'][user]['\\x00'][id:8]", texts: 2,
		row: func(i int) tables.Loose {
			r := tenants.row(i)
			return tables.Loose{Tenant: r.Tenant, User: "user-" + strconv.Itoa(i%1000), Id: r.ID}
		},
		floorKey: floorLoose, floorRead: floorLooseRead, floorDecode: floorLooseDecode,
	}
	framed = design[tables.Framed, tables.Framed]{
		name: "framed", what: "[id:8 decimal lenprefix(1)][s(at)]",
		row: func(i int) tables.Framed {
			r := tenants.row(i)
			return tables.Framed{Id: 1000 + r.ID, At: r.At.UTC()}
		},
		floorKey: floorFramed, floorRead: floorFramedRead, floorDecode: floorFramedRead,
	}
	kinds = design[tables.Kinds, tables.KindsBuf]{
		name: "kinds", what: "[kind oneof(\"get\",\"put\",\"delete\")][id:8][s(at)]", texts: 1,
		row: func(i int) tables.Kinds {
			r := tenants.row(i)
			return tables.Kinds{Kind: []string{"get", "put", "delete"}[i%3], Id: r.ID, At: r.At}
		},
		floorKey: floorKinds, floorRead: floorKindsRead, floorDecode: floorKindsDecode,
	}
	hidden = design[tables.Hidden, tables.HiddenBuf]{
		name: "hidden", what: "[salt16(name)][id:8][s(at)][name reverse notstored]",
		row: func(i int) tables.Hidden {
			r := tenants.row(i)
			return tables.Hidden{Name: r.Tenant, Id: r.ID, At: r.At}
		},
		floorKey: floorHidden, floorRead: floorHiddenRead, floorDecode: floorHiddenDecode,
	}
	turned = design[tables.Turned, tables.TurnedBuf]{
		name: "turned", what: "[id uuid reverse][s(at)]", texts: 1,
		row: func(i int) tables.Turned {
			return tables.Turned{Id: files.row(i).ID, At: tenants.row(i).At}
		},
		floorKey: floorTurned, floorRead: floorTurnedRead, floorDecode: floorTurnedDecode,
	}
	fractions = design[tables.Fractions, tables.Fractions]{
		name: "fractions", what: "[ms-since(2020-01-01T00:00:00.5Z)(at)][id:8]",
		row: func(i int) tables.Fractions {
			r := tenants.row(i)
			return tables.Fractions{At: r.At, Id: r.ID}
		},
		floorKey: floorFractions, floorRead: floorFractionsRead, floorDecode: floorFractionsRead,
	}
	buckets = design[tables.Buckets, tables.BucketsBuf]{
		name: "buckets", what: "[salt12(stored(user)) decimal]['_'][user]['_'][id:8]", texts: 1,
		row: func(i int) tables.Buckets {
			r := tenants.row(i)
			return tables.Buckets{User: r.Tenant, Id: r.ID}
		},
		floorKey: floorBuckets, floorRead: floorBucketsRead, floorDecode: floorBucketsDecode,
	}
	cuts = design[tables.Cuts, tables.CutsBuf]{
		name: "cuts", what: "[c=user reverserune left(2)]['_'][user]['_'][id:8]", texts: 1,
		row:      func(i int) tables.Cuts { return tables.Cuts(buckets.row(i)) },
		floorKey: floorCuts, floorRead: floorCutsRead, floorDecode: floorCutsDecode,
	}
	copied = design[tables.Copied, tables.CopiedBuf]{
		name: "copied", what: "[md5.hex(4)(format(\"%s\",c))][c=user left(2)]['|'][user]['_'][id:8]", texts: 1,
		row:      func(i int) tables.Copied { return tables.Copied(buckets.row(i)) },
		floorKey: floorCopied, floorRead: floorCopiedRead, floorDecode: floorCopiedDecode,
	}
)

//go:noinline
func floorLoose(dst []byte, r *tables.Loose) ([]byte, error) {
	if strings.IndexByte(r.User, 0) >= 0 || len(r.Tenant)+len(r.User) > maxKey-10 {
		return dst, errFloor
	}
	dst = append(append(append(append(dst, r.Tenant...), '_'), r.User...), 0)
	return binary.BigEndian.AppendUint64(dst, r.Id), nil
}

// floorLooseEnds is where the tenant and the user end in a key that has one reading.
func floorLooseEnds(key []byte) (tenant, user int, ok bool) {
	user = len(key) - 9
	if user < 1 || len(key) > maxKey || key[user] != 0 {
		return 0, 0, false
	}
	from := bytes.LastIndexByte(key[:user], 0) + 1
	tenant = bytes.IndexByte(key[from:user], '_') + from
	return tenant, user, tenant >= from && bytes.IndexByte(key[tenant+1:user], '_') < 0
}

//go:noinline
func floorLooseRead(key []byte, v *tables.LooseBuf) error {
	t, u, ok := floorLooseEnds(key)
	if !ok {
		return errFloor
	}
	v.Tenant, v.User = append(v.Tenant[:0], key[:t]...), append(v.User[:0], key[t+1:u]...)
	v.Id = binary.BigEndian.Uint64(key[u+1:])
	return nil
}

//go:noinline
func floorLooseDecode(key []byte, r *tables.Loose) error {
	t, u, ok := floorLooseEnds(key)
	if !ok {
		return errFloor
	}
	r.Tenant, r.User, r.Id = string(key[:t]), string(key[t+1:u]), binary.BigEndian.Uint64(key[u+1:])
	return nil
}

//go:noinline
func floorFramed(dst []byte, r *tables.Framed) ([]byte, error) {
	sec, at := r.At.Unix(), len(dst)
	if sec < 0 {
		return dst, errFloor
	}
	dst = strconv.AppendUint(append(dst, 0), r.Id, 10)
	dst[at] = byte(len(dst) - at - 1)
	return binary.BigEndian.AppendUint64(dst, uint64(sec)), nil
}

//go:noinline
func floorFramedRead(key []byte, r *tables.Framed) error {
	n := len(key) - 9
	if n < 1 || n > 20 || int(key[0]) != n || n > 1 && key[1] == '0' {
		return errFloor
	}
	id := uint64(0)
	for _, c := range key[1 : 1+n] {
		hi, lo := bits.Mul64(id, 10)
		if c -= '0'; c > 9 || hi != 0 || lo > math.MaxUint64-uint64(c) {
			return errFloor
		}
		id = lo + uint64(c)
	}
	sec := binary.BigEndian.Uint64(key[1+n:])
	if sec > 1<<62 {
		return errFloor
	}
	r.Id, r.At = id, time.Unix(int64(sec), 0).UTC()
	return nil
}

// floorEnd appends a number and seconds, or reads them.
func floorEnd(dst []byte, at int, id uint64, t time.Time) ([]byte, error) {
	sec := t.Unix()
	if sec < 0 {
		return dst[:at], errFloor
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, id), uint64(sec)), nil
}

func floorEndOf(b []byte) (id uint64, at time.Time, ok bool) {
	sec := binary.BigEndian.Uint64(b[8:])
	return binary.BigEndian.Uint64(b), time.Unix(int64(sec), 0).UTC(), sec <= 1<<62
}

//go:noinline
func floorKinds(dst []byte, r *tables.Kinds) ([]byte, error) {
	at := len(dst)
	switch r.Kind {
	case "get", "put", "delete":
		return floorEnd(append(dst, r.Kind...), at, r.Id, r.At)
	}
	return dst, errFloor
}

// floorKindsLen is the length of the kind with which a key begins.
func floorKindsLen(key []byte) int {
	n := len(key) - 16
	if n != 3 && n != 6 {
		return -1
	}
	switch string(key[:n]) {
	case "get", "put", "delete":
		return n
	}
	return -1
}

//go:noinline
func floorKindsRead(key []byte, v *tables.KindsBuf) error {
	n := floorKindsLen(key)
	if n < 0 {
		return errFloor
	}
	id, at, ok := floorEndOf(key[n:])
	if !ok {
		return errFloor
	}
	v.Kind, v.Id, v.At = append(v.Kind[:0], key[:n]...), id, at
	return nil
}

//go:noinline
func floorKindsDecode(key []byte, r *tables.Kinds) error {
	n := floorKindsLen(key)
	if n < 0 {
		return errFloor
	}
	id, at, ok := floorEndOf(key[n:])
	if !ok {
		return errFloor
	}
	r.Kind, r.Id, r.At = string(key[:n]), id, at
	return nil
}

//go:noinline
func floorHidden(dst []byte, r *tables.Hidden) ([]byte, error) {
	return floorEnd(append(dst, byte(floorMurmur(r.Name)%16)), len(dst), r.Id, r.At)
}

//go:noinline
func floorHiddenRead(key []byte, v *tables.HiddenBuf) error {
	if len(key) != 17 || key[0] > 15 {
		return errFloor
	}
	id, at, ok := floorEndOf(key[1:])
	if !ok {
		return errFloor
	}
	v.Id, v.At, v.Name = id, at, v.Name[:0]
	return nil
}

//go:noinline
func floorHiddenDecode(key []byte, r *tables.Hidden) error {
	if len(key) != 17 || key[0] > 15 {
		return errFloor
	}
	id, at, ok := floorEndOf(key[1:])
	if !ok {
		return errFloor
	}
	r.Id, r.At, r.Name = id, at, ""
	return nil
}

//go:noinline
func floorTurned(dst []byte, r *tables.Turned) ([]byte, error) {
	at, sec := len(dst), r.At.Unix()
	if len(r.Id) != 36 || r.Id[8] != '-' || r.Id[13] != '-' || r.Id[18] != '-' || r.Id[23] != '-' || sec < 0 {
		return dst, errFloor
	}
	for i := 34; i >= 0; i -= 2 {
		if i == 22 || i == 17 || i == 12 || i == 7 {
			i--
		}
		a, b := floorUnhex(r.Id[i]), floorUnhex(r.Id[i+1])
		if a|b > 15 {
			return dst[:at], errFloor
		}
		dst = append(dst, a<<4|b)
	}
	return binary.BigEndian.AppendUint64(dst, uint64(sec)), nil
}

// floorTurnedID is the UUID of a key.
func floorTurnedID(key []byte, id *[36]byte) (at time.Time, ok bool) {
	if len(key) != 24 {
		return at, false
	}
	sec := binary.BigEndian.Uint64(key[16:])
	var b [16]byte
	for i := range b {
		b[i] = key[15-i]
	}
	floorUUID(id, b[:])
	return time.Unix(int64(sec), 0).UTC(), sec <= 1<<62
}

//go:noinline
func floorTurnedRead(key []byte, v *tables.TurnedBuf) error {
	var id [36]byte
	at, ok := floorTurnedID(key, &id)
	if !ok {
		return errFloor
	}
	v.Id, v.At = append(v.Id[:0], id[:]...), at
	return nil
}

//go:noinline
func floorTurnedDecode(key []byte, r *tables.Turned) error {
	var id [36]byte
	at, ok := floorTurnedID(key, &id)
	if !ok {
		return errFloor
	}
	r.Id, r.At = string(id[:]), at
	return nil
}

const floorEpoch = 1577836800500 // 2020-01-01T00:00:00.5Z

//go:noinline
func floorFractions(dst []byte, r *tables.Fractions) ([]byte, error) {
	ms := r.At.UnixMilli() - floorEpoch
	if ms < 0 {
		return dst, errFloor
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, uint64(ms)), r.Id), nil
}

//go:noinline
func floorFractionsRead(key []byte, r *tables.Fractions) error {
	if len(key) != 16 {
		return errFloor
	}
	ms := binary.BigEndian.Uint64(key)
	if ms > math.MaxInt64-floorEpoch {
		return errFloor
	}
	r.At, r.Id = time.UnixMilli(int64(ms)+floorEpoch).UTC(), binary.BigEndian.Uint64(key[8:])
	return nil
}

//go:noinline
func floorBuckets(dst []byte, r *tables.Buckets) ([]byte, error) {
	if strings.IndexByte(r.User, '_') >= 0 || len(r.User) > maxKey-12 {
		return dst, errFloor
	}
	dst = strconv.AppendUint(dst, uint64(floorMurmur(r.User)%12), 10)
	dst = append(append(append(dst, '_'), r.User...), '_')
	return binary.BigEndian.AppendUint64(dst, r.Id), nil
}

// floorUser is where the user of a key begins, after its first n bytes and a separator.
func floorUser(key []byte, mark byte) (from, to int) {
	to = len(key) - 9
	if to < 1 || len(key) > maxKey || key[to] != '_' {
		return 0, -1
	}
	from = bytes.IndexByte(key[:to], mark) + 1
	if from == 0 || bytes.IndexByte(key[from:to], '_') >= 0 {
		return 0, -1
	}
	return from, to
}

// floorUserRead reads a user that stands in a key, if the key is one, and the number at its end.
func floorUserRead(key, user []byte, ok bool, v *tables.BucketsBuf) error {
	if !ok {
		return errFloor
	}
	v.User, v.Id = append(v.User[:0], user...), binary.BigEndian.Uint64(key[len(key)-8:])
	return nil
}

// floorUserDecode is floorUserRead with a new string.
func floorUserDecode(key, user []byte, ok bool, r *tables.Buckets) error {
	if !ok {
		return errFloor
	}
	r.User, r.Id = string(user), binary.BigEndian.Uint64(key[len(key)-8:])
	return nil
}

func floorBucketsUser(key []byte) (user []byte, ok bool) {
	from, to := floorUser(key, '_')
	if to < 0 {
		return nil, false
	}
	var b [2]byte
	return key[from:to], string(strconv.AppendUint(b[:0], uint64(floorMurmur(key[from:to])%12), 10)) == string(key[:from-1])
}

//go:noinline
func floorBucketsRead(key []byte, v *tables.BucketsBuf) error {
	user, ok := floorBucketsUser(key)
	return floorUserRead(key, user, ok, v)
}

//go:noinline
func floorBucketsDecode(key []byte, r *tables.Buckets) error {
	user, ok := floorBucketsUser(key)
	return floorUserDecode(key, user, ok, r)
}

// floorLast are the first two bytes of a text whose last character comes first.
func floorLast[T string | []byte](s T) (b [2]byte, n int, ok bool) {
	for i := 0; i < len(s); { // all of it is UTF-8
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:]))
		if r == utf8.RuneError && size == 1 {
			return b, 0, false
		}
		i += size
	}
	for end := len(s); end > 0 && n < 2; {
		from := end - 1
		for from > 0 && !utf8.RuneStart(s[from]) {
			from--
		}
		n += copy(b[n:], s[from:end])
		end = from
	}
	return b, n, true
}

//go:noinline
func floorCuts(dst []byte, r *tables.Cuts) ([]byte, error) {
	last, n, ok := floorLast(r.User)
	if !ok || strings.IndexByte(r.User, '_') >= 0 || len(r.User) > maxKey-12 {
		return dst, errFloor
	}
	dst = append(append(append(append(dst, last[:n]...), '_'), r.User...), '_')
	return binary.BigEndian.AppendUint64(dst, r.Id), nil
}

func floorCutsUser(key []byte) (user []byte, ok bool) {
	from, to := floorUser(key, '_')
	if to < 0 {
		return nil, false
	}
	last, n, ok := floorLast(key[from:to])
	return key[from:to], ok && string(last[:n]) == string(key[:from-1])
}

//go:noinline
func floorCutsRead(key []byte, v *tables.CutsBuf) error {
	user, ok := floorCutsUser(key)
	return floorUserRead(key, user, ok, (*tables.BucketsBuf)(v))
}

//go:noinline
func floorCutsDecode(key []byte, r *tables.Cuts) error {
	user, ok := floorCutsUser(key)
	return floorUserDecode(key, user, ok, (*tables.Buckets)(r))
}

//go:noinline
func floorCopied(dst []byte, r *tables.Copied) ([]byte, error) {
	first := r.User[:min(2, len(r.User))]
	if strings.IndexByte(r.User, '_') >= 0 || strings.IndexByte(first, '|') >= 0 || len(r.User) > maxKey-16 {
		return dst, errFloor
	}
	var room [64]byte
	sum := md5.Sum(append(room[:0], r.User...)) // a format writes the copied field, whole
	dst = append(dst, floorHex[sum[0]>>4], floorHex[sum[0]&15], floorHex[sum[1]>>4], floorHex[sum[1]&15])
	dst = append(append(append(append(dst, first...), '|'), r.User...), '_')
	return binary.BigEndian.AppendUint64(dst, r.Id), nil
}

func floorCopiedUser(key []byte) (user []byte, ok bool) {
	if len(key) < 4 {
		return nil, false
	}
	from, to := floorUser(key[4:], '|')
	if to < 0 {
		return nil, false
	}
	from, to = from+4, to+4
	first := key[4 : from-1]
	sum := md5.Sum(key[from:to])
	return key[from:to], string(first) == string(key[from:min(from+2, to)]) &&
		key[0] == floorHex[sum[0]>>4] && key[1] == floorHex[sum[0]&15] && key[2] == floorHex[sum[1]>>4] && key[3] == floorHex[sum[1]&15]
}

//go:noinline
func floorCopiedRead(key []byte, v *tables.CopiedBuf) error {
	user, ok := floorCopiedUser(key)
	return floorUserRead(key, user, ok, (*tables.BucketsBuf)(v))
}

//go:noinline
func floorCopiedDecode(key []byte, r *tables.Copied) error {
	user, ok := floorCopiedUser(key)
	return floorUserDecode(key, user, ok, (*tables.Buckets)(r))
}
