package rowkey_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

// What is promised not to allocate does not. The caller's buffers are large
// enough. In TestAllocs they live outside the calls, as they do in a loop that
// writes rows; in TestAllocsOnTheStack they are variables of the call, which an
// escape anywhere below would move to the heap.

// The sinks keep the compiler from seeing that nobody looks at the results.
var (
	sinkBytes  []byte
	sinkEnds   []int
	sinkRanges []rowkey.Range
	sinkErr    error
)

// The values come from variables, as a program's do.
var allocValues = struct {
	seller, phone, path string
	raw                 []byte
	at                  time.Time
	order               uint64
	uid                 int64
	price               float64
	ok                  bool
}{
	seller: "s-42", phone: "13112345678", path: "a\x00b\x00c", raw: []byte("\x00\x01raw"),
	at: time.UnixMilli(1684203630000), order: 7, uid: -10086, price: 1.5, ok: true,
}

// An allocTrade is a row with text; an allocEvent has only numbers and times.
type allocTrade struct {
	Seller string    `rowkey:"seller"`
	At     time.Time `rowkey:"at"`
	Order  uint64    `rowkey:"order"`
}

type allocEvent struct {
	Slot uint16    `rowkey:"slot"`
	At   time.Time `rowkey:"at"`
	MS   int64     `rowkey:"ms,ms"`
	Diff int32     `rowkey:"diff"`
	ID   uint64    `rowkey:"id"`
	F    float64   `rowkey:"f"`
	OK   bool      `rowkey:"ok"`
}

var (
	allocPlain = rowkey.New("plain").
			String("seller").Separator("\x00").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			MustBuild()
	allocSalted = rowkey.New("salted").
			Salt(16, "seller").
			String("seller").Separator("_").
			Time("at", rowkey.Millis, rowkey.Desc).
			Uint("order", 8).
			MustBuild()
	allocSeveral = rowkey.New("several").
			Hash(rowkey.MD5.Hex(4), "values(seller,order)").
			Hash(rowkey.SHA1.Raw(2), `format("%s-%05d",seller,order)`, rowkey.Named("checksum")).
			Salt(16, "text(order)", interop.JavaHash).
			String("seller").Separator("_").
			Uint("order", 8).
			MustBuild()
	allocMD5 = rowkey.New("md5").
			Hash(rowkey.MD5.Hex(6), "phone").
			String("phone", rowkey.Fixed(11)).
			Time("at", rowkey.Millis).
			MustBuild()
	allocDigests = rowkey.New("digests").
			Hash(rowkey.SHA1.Hex(4), "seller").
			Hash(rowkey.SHA256.Hex(4), "seller").
			Hash(rowkey.SHA512.Raw(4), "seller").
			Hash(rowkey.Murmur3.Hex(4), "seller").
			String("seller").
			MustBuild()
	allocMurmur128 = rowkey.New("murmur128").
			Hash(interop.Murmur3x128.Raw(4), "seller").
			String("seller").
			MustBuild()
	allocDigits = rowkey.New("digits").
			Hash(rowkey.MD5.Hex(4), "stored(uid)").
			Uint("uid", 8, rowkey.Digits(10)).
			Time("at", rowkey.Millis, rowkey.Desc, rowkey.Digits(19)).
			Uint("order", 8, rowkey.Decimal).
			MustBuild()
	allocFrames = rowkey.New("frames").
			String("path", rowkey.Escaped).
			String("seller", rowkey.Pad(20, ' ')).
			Binary("raw", rowkey.PadLeft(8, ' ')).
			String("rev", rowkey.ReverseRune).
			MustBuild()
	allocTurned = rowkey.New("turned").
			String("host", rowkey.ReverseLabels(".")).Separator("\x00").
			String("seller", rowkey.Escaped, rowkey.Desc).
			String("rune", rowkey.ReverseRune, rowkey.Desc).Separator("_").
			String("color", rowkey.OneOf("red", "blue")).Separator("_").
			String("site", rowkey.Codes(map[string]string{"taobao": "tb", "tmall": "tm"})).
			MustBuild()
	allocForms = rowkey.New("forms").
			Salt(10, "id", rowkey.CRC32.Raw(4)).
			Salt(10, "user", interop.JavaHashModAbs).
			Hash(interop.JavaHashCode.Raw(4), "user").
			String("id", rowkey.UUID).
			String("user", rowkey.MinLen(1), rowkey.LenPrefix(2)).
			Int("n", 8, rowkey.Decimal).
			MustBuild()
	allocHBase = rowkey.New("hbase", interop.HBase).
			Int("uid", 8).
			Time("at", rowkey.Millis, rowkey.Desc).
			Float("price", 8).
			Bool("ok").
			MustBuild()
	allocCopy = rowkey.New("copy").
			Copy("tail", "phone", rowkey.Right(4)).
			Copy("day", "at", rowkey.Layout("20060102", time.UTC)).
			String("phone", rowkey.Fixed(11)).
			Time("at", rowkey.Millis).
			MustBuild()
	allocSlides = rowkey.Must(rowkey.Parse("slides", "[c=b left(2)]['_'][a]['_'][b]"))
	allocJava   = rowkey.New("java").
			Salt(100, "seller", interop.JavaHash, rowkey.Digits(2)).Separator("_").
			String("seller").
			MustBuild()
	allocRest = rowkey.New("rest").
			Salt(20, "rest()", interop.PhoenixHash).
			String("seller").Separator("\x00").
			Uint("order", 8).
			MustBuild()
	allocEvents = rowkey.New("events").
			Salt(16, "values(slot,id)").
			Uint("slot", 2).
			Time("at", rowkey.Millis, rowkey.Desc).
			Time("ms", rowkey.Millis).
			Int("diff", 4).
			Uint("id", 8, rowkey.Digits(20)).
			Float("f", 8).
			Bool("ok").
			MustBuild()
	allocVia = rowkey.New("via").
			Hash(rowkey.NewDigest("sum", 1, allocSum).Raw(1), "seller").
			String("seller", rowkey.Via(allocMirror{})).Separator(";").
			Time("at", rowkey.NewUnit("minutes", time.Minute, allocMinute, allocInstant), rowkey.Via(allocMirror{})).
			MustBuild()
	allocViaTime = rowkey.New("viatime").
			Time("at", rowkey.NewUnit("minutes", time.Minute, allocMinute, allocInstant), rowkey.Via(allocMirror{})).Separator("#").
			Uint("n", 1, rowkey.Via(allocMirror{})).
			MustBuild()
	allocGathered = rowkey.New("gathered").
			Hash(rowkey.MD5.Hex(4), "values(seller,order)").
			String("seller", rowkey.Escaped).
			Uint("order", 8, rowkey.NotStored).
			Time("at", rowkey.Millis).
			MustBuild()
	allocPhoenix = rowkey.New("phoenix", interop.Phoenix).
			Salt(20, "rest()", interop.PhoenixHash).
			String("seller").
			Int("uid", 8).
			String("note", rowkey.Optional).
			MustBuild()
	allocOrdered = rowkey.New("ordered", interop.OrderedBytes).
			String("seller").
			Binary("raw").
			Int("uid", 8, rowkey.Desc).
			MustBuild()
	allocDecimals = rowkey.New("decimals", interop.Phoenix).
			String("price", interop.Numeric).
			Int("uid", 8, interop.Numeric).
			String("size", interop.Numeric, interop.OrderedBytes).
			Uint("n", 8, interop.Numeric, interop.OrderedBytes).
			MustBuild()
	allocOpen = rowkey.New("open").
			Salt(16, "id").
			Time("at", rowkey.Millis).
			Uint("id", 8).
			MustBuild()

	allocTrades      = rowkey.Must(rowkey.Bind[allocTrade](allocSalted))
	allocPlainTrades = rowkey.Must(rowkey.Bind[allocTrade](allocPlain))
	allocEventKeys   = rowkey.Must(rowkey.Bind[allocEvent](allocEvents))
)

func TestAllocs(t *testing.T) {
	v := &allocValues
	buf := make([]byte, 0, 256)
	arena := make([]byte, 0, 4096)
	ends := make([]int, 0, 16)
	ranges := make([]rowkey.Range, 0, 16)
	batch := make([]allocTrade, 10)
	for i := range batch {
		batch[i] = allocTrade{v.seller, v.at, uint64(i)}
	}
	trade := batch[3]
	event := allocEvent{Slot: 3, At: v.at, MS: v.at.UnixMilli(), Diff: -4, ID: 5, F: 1.5, OK: true}
	tradeKey := mustKey(t)(allocTrades.Append(nil, &trade))
	severalKey := mustKey(t)(allocSeveral.AppendKey(nil, v.seller, v.order))
	eventKey := mustKey(t)(allocEventKeys.Append(nil, &event))
	hbaseKey := mustKey(t)(allocHBase.Key().Int(v.uid).Time(v.at).Float(v.price).Bool(v.ok).Bytes())
	turnedKey := mustKey(t)(allocTurned.AppendKey(nil, "www.example.org", v.seller, "été", "blue", "tmall"))
	viaKey := mustKey(t)(allocViaTime.Key().Time(v.at).Uint(v.order).Bytes())
	var got struct {
		event allocEvent
		at    time.Time
		u     uint64
		i     int64
		f     float64
		ok    bool
		raw   []byte
	}
	got.raw = make([]byte, 0, 64)

	// A call that fails at once allocates nothing either.
	did := map[string]func() bool{
		"Key/salted": func() bool {
			return string(sinkBytes) == string(mustKey(t)(allocTrades.Append(nil, &allocTrade{v.seller, v.at, v.order})))
		},
		"Codec.AppendAll":        func() bool { return len(sinkEnds) == len(batch) && len(sinkBytes) == sinkEnds[len(batch)-1] },
		"AppendRanges/1":         func() bool { return len(sinkRanges) == 1 && sinkRanges[0].Contains(tradeKey) },
		"AppendRanges/16":        func() bool { return len(sinkRanges) == 16 },
		"Range of a whole key":   func() bool { return len(sinkBytes) == len(tradeKey) },
		"Range":                  func() bool { return len(sinkBytes) == len("\x00s-42_") },
		"Key/escaped and padded": func() bool { return len(sinkBytes) == len(v.path)+4+20+8+len(v.seller) },
		"Codec.Decode/integers and times": func() bool {
			return got.event.ID == 5 && got.event.At.Equal(v.at) && got.event.MS == v.at.UnixMilli() && got.event.Diff == -4 && got.event.OK
		},
		"Read/turned and listed":        func() bool { return string(got.raw) == "tmall" },
		"Read/hashes of several fields": func() bool { return string(got.raw) == v.seller && got.u == v.order },
		"Read/integers and times":       func() bool { return got.u == 5 && got.at.Equal(v.at) && got.i == -4 && got.f == 1.5 && got.ok },
		"Read/HBase":                    func() bool { return got.i == v.uid && got.at.Equal(v.at) && got.f == v.price && got.ok },
		"Read/bytes into room":          func() bool { return string(got.raw) == v.seller && got.u == 3 },
	}

	for _, c := range []struct {
		name string
		want float64
		f    func()
	}{
		// Writing, field by field.
		{"Key/plain", 0, func() {
			sinkBytes, sinkErr = allocPlain.KeyIn(buf).String(v.seller).Time(v.at).Uint(v.order).Bytes()
		}},
		{"Key/milliseconds", 0, func() {
			sinkBytes, sinkErr = allocPlain.KeyIn(buf).String(v.seller).UnixMilli(1684203630000).Uint(v.order).Bytes()
		}},
		{"Key/asserted", 0, func() {
			sinkBytes, sinkErr = allocPlain.KeyIn(buf).Field("seller").String(v.seller).Field("at").Time(v.at).Field("order").Uint(v.order).Bytes()
		}},
		{"Key/binary", 0, func() {
			sinkBytes, sinkErr = allocSalted.KeyIn(buf).Binary(v.raw).Time(v.at).Uint(v.order).Bytes()
		}},
		{"Key/salted", 0, func() {
			sinkBytes, sinkErr = allocSalted.KeyIn(buf).String(v.seller).Time(v.at).Uint(v.order).Bytes()
		}},
		{"Key/Java's salt", 0, func() { sinkBytes, sinkErr = allocJava.KeyIn(buf).String(v.seller).Bytes() }},
		{"Key/salt of the rest", 0, func() { sinkBytes, sinkErr = allocRest.KeyIn(buf).String(v.seller).Uint(v.order).Bytes() }},
		{"Key/md5", 0, func() { sinkBytes, sinkErr = allocMD5.KeyIn(buf).String(v.phone).Time(v.at).Bytes() }},
		{"Key/hashes of several fields", 0, func() { sinkBytes, sinkErr = allocSeveral.KeyIn(buf).String(v.seller).Uint(v.order).Bytes() }},
		{"Key/sha1, sha256, sha512, murmur3", 0, func() { sinkBytes, sinkErr = allocDigests.KeyIn(buf).String(v.seller).Bytes() }},
		{"Key/murmur3x128", 0, func() { sinkBytes, sinkErr = allocMurmur128.KeyIn(buf).String(v.seller).Bytes() }},
		{"Key/digits", 0, func() { sinkBytes, sinkErr = allocDigits.KeyIn(buf).Uint(10086).Time(v.at).Uint(v.order).Bytes() }},
		{"Key/escaped and padded", 0, func() {
			sinkBytes, sinkErr = allocFrames.KeyIn(buf).String(v.path).String(v.seller).Binary(v.raw).String(v.seller).Bytes()
		}},
		{"Key/turned and listed", 0, func() {
			sinkBytes, sinkErr = allocTurned.KeyIn(buf).String("www.example.org").String(v.seller).String("été").String("blue").String("tmall").Bytes()
		}},
		{"Key/UUID, length and sign", 0, func() {
			sinkBytes, sinkErr = allocForms.KeyIn(buf).String(someUUID).String(v.seller).Int(-7).Bytes()
		}},
		{"Key/HBase", 0, func() {
			sinkBytes, sinkErr = allocHBase.KeyIn(buf).Int(v.uid).Time(v.at).Float(v.price).Bool(v.ok).Bytes()
		}},
		{"Key/steps of others", 0, func() { sinkBytes, sinkErr = allocVia.KeyIn(buf).String(v.seller).Time(v.at).Bytes() }},
		{"Key/text made on the stack", 0, func() {
			var text [8]byte
			text[0] = byte('a' + v.order)
			sinkBytes, sinkErr = allocSalted.KeyIn(buf).String(string(text[:])).Time(v.at).Uint(v.order).Bytes()
		}},
		{"Key/copies", 0, func() { sinkBytes, sinkErr = allocCopy.KeyIn(buf).String(v.phone).Time(v.at).Bytes() }},
		{"Key/new memory", 1, func() {
			sinkBytes, sinkErr = allocSalted.Key().String(v.seller).Time(v.at).Uint(v.order).Bytes()
		}},
		{"AppendKey/values of a call", 0, func() { sinkBytes, sinkErr = allocSalted.AppendKey(buf, "s-42", fixedAt, 7) }},

		// Writing structs.
		{"Codec.Append/plain", 0, func() { sinkBytes, sinkErr = allocPlainTrades.Append(buf, &trade) }},
		{"Codec.Append/salted", 0, func() { sinkBytes, sinkErr = allocTrades.Append(buf, &trade) }},
		{"Codec.Append/numbers", 0, func() { sinkBytes, sinkErr = allocEventKeys.Append(buf, &event) }},
		{"Codec.Append/on the stack", 0, func() {
			t := allocTrade{v.seller, v.at, v.order}
			sinkBytes, sinkErr = allocTrades.Append(buf, &t)
		}},
		{"Codec.AppendAll", 0, func() { sinkBytes, sinkEnds, sinkErr = allocTrades.AppendAll(arena, ends, batch) }},

		// Reading.
		{"Codec.Decode/integers and times", 0, func() { sinkErr = allocEventKeys.Decode(eventKey, &got.event) }},
		{"Read/integers and times", 0, func() {
			sinkErr = allocEvents.Read(eventKey).Uint(&got.u).Time(&got.at).Time(&got.at).Int(&got.i).Uint(&got.u).Float(&got.f).Bool(&got.ok).Err()
		}},
		{"Read/steps of others", 0, func() { sinkErr = allocViaTime.Read(viaKey).Time(&got.at).Uint(&got.u).Err() }},
		{"Read/HBase", 0, func() {
			sinkErr = allocHBase.Read(hbaseKey).Int(&got.i).Time(&got.at).Float(&got.f).Bool(&got.ok).Err()
		}},
		{"Read/bytes into room", 0, func() { sinkErr = allocSalted.Read(tradeKey).Binary(&got.raw).Time(&got.at).Uint(&got.u).Err() }},
		{"Read/turned and listed", 0, func() {
			sinkErr = allocTurned.Read(turnedKey).Binary(&got.raw).Binary(&got.raw).Binary(&got.raw).Binary(&got.raw).Binary(&got.raw).Err()
		}},
		{"Read/hashes of several fields", 0, func() { sinkErr = allocSeveral.Read(severalKey).Binary(&got.raw).Uint(&got.u).Err() }},
		{"Read/skipped", 0, func() { sinkErr = allocSalted.Read(tradeKey).Skip().Time(&got.at).Skip().Err() }},

		// Bounds.
		{"AppendRanges/1", 0, func() {
			sinkRanges, sinkBytes, sinkErr = allocSalted.KeyIn(buf).String(v.seller).AppendRanges(ranges, arena)
		}},
		{"AppendRanges/1 of a beginning", 0, func() {
			sinkRanges, sinkBytes, sinkErr = allocPlain.KeyIn(buf).Prefix("s-").AppendRanges(ranges, arena)
		}},
		{"AppendRanges/16", 0, func() {
			sinkRanges, sinkBytes, sinkErr = allocOpen.KeyIn(buf).Time(v.at).AppendRanges(ranges, arena)
		}},
		{"Range", 1, func() {
			r, err := allocSalted.KeyIn(buf).String(v.seller).Range()
			sinkBytes, sinkErr = r.Start(), err
		}},
		{"Range of a whole key", 1, func() {
			r, err := allocSalted.KeyIn(buf).String(v.seller).Time(v.at).Uint(v.order).Range()
			sinkBytes, sinkErr = r.Start(), err
		}},
		{"Range of a key in memory of its own", 1, func() {
			r, err := allocSalted.Key().String(v.seller).Range()
			sinkBytes, sinkErr = r.Start(), err
		}},
	} {
		if raceEnabled() && strings.HasSuffix(c.name, "/steps of others") {
			continue // whose memory is of a sync.Pool, which forgets on purpose then
		}
		t.Run(c.name, func(t *testing.T) {
			sinkErr = nil
			if got := testing.AllocsPerRun(200, c.f); got != c.want {
				t.Errorf("%v allocations, want %v", got, c.want)
			}
			if sinkErr != nil {
				t.Error(sinkErr)
			}
			if done := did[c.name]; done != nil && !done() {
				t.Error("the calls did not do what they are counted for")
			}
		})
	}

}

// TestAllocsOnTheStack: a key in a buffer that is a variable of the call costs no
// allocation, since nothing of it gets to the heap: not through a step of the
// caller's, which works on a copy, nor through values that wait to be hashed.
func TestAllocsOnTheStack(t *testing.T) {
	v := &allocValues
	seen := make([]byte, 0, 256)
	see := func(key []byte, err error) {
		seen, sinkErr = append(seen[:0], key...), err
	}
	trade := allocTrade{v.seller, v.at, v.order}
	arena := make([]byte, 0, 256) // ranges lie in it, so that it lies where they may go
	event := allocEvent{Slot: 3, At: v.at, MS: v.at.UnixMilli(), Diff: -4, ID: 5, F: 1.5, OK: true}
	for _, c := range []struct {
		name string
		s    *rowkey.Schema
		f    func() // writes the key of want
		want func() ([]byte, error)
	}{
		{"plain", allocPlain, func() {
			var buf [64]byte
			see(allocPlain.KeyIn(buf[:0]).String(v.seller).Time(v.at).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocPlain.AppendKey(nil, v.seller, v.at, v.order) }},
		{"salted", allocSalted, func() {
			var buf [64]byte
			see(allocSalted.KeyIn(buf[:0]).String(v.seller).Time(v.at).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocSalted.AppendKey(nil, v.seller, v.at, v.order) }},
		{"behind other bytes", allocSalted, func() {
			var buf [64]byte
			n := copy(buf[:], "other")
			see(allocSalted.KeyIn(buf[:n]).String(v.seller).Time(v.at).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocSalted.AppendKey(nil, v.seller, v.at, v.order) }},
		{"Java's salt", allocJava, func() {
			var buf [64]byte
			see(allocJava.KeyIn(buf[:0]).String(v.seller).Bytes())
		}, func() ([]byte, error) { return allocJava.AppendKey(nil, v.seller) }},
		{"salt of the rest", allocRest, func() {
			var buf [64]byte
			see(allocRest.KeyIn(buf[:0]).String(v.seller).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocRest.AppendKey(nil, v.seller, v.order) }},
		{"md5", allocMD5, func() {
			var buf [64]byte
			see(allocMD5.KeyIn(buf[:0]).String(v.phone).Time(v.at).Bytes())
		}, func() ([]byte, error) { return allocMD5.AppendKey(nil, v.phone, v.at) }},
		{"sha1, sha256, sha512, murmur3", allocDigests, func() {
			var buf [64]byte
			see(allocDigests.KeyIn(buf[:0]).String(v.seller).Bytes())
		}, func() ([]byte, error) { return allocDigests.AppendKey(nil, v.seller) }},
		{"murmur3x128", allocMurmur128, func() {
			var buf [64]byte
			see(allocMurmur128.KeyIn(buf[:0]).String(v.seller).Bytes())
		}, func() ([]byte, error) { return allocMurmur128.AppendKey(nil, v.seller) }},
		{"digits", allocDigits, func() {
			var buf [64]byte
			see(allocDigits.KeyIn(buf[:0]).Uint(10086).Time(v.at).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocDigits.AppendKey(nil, 10086, v.at, v.order) }},
		{"escaped and padded", allocFrames, func() {
			var buf [64]byte
			see(allocFrames.KeyIn(buf[:0]).String(v.path).String(v.seller).Binary(v.raw).String(v.seller).Bytes())
		}, func() ([]byte, error) { return allocFrames.AppendKey(nil, v.path, v.seller, v.raw, v.seller) }},
		{"HBase", allocHBase, func() {
			var buf [64]byte
			see(allocHBase.KeyIn(buf[:0]).Int(v.uid).Time(v.at).Float(v.price).Bool(v.ok).Bytes())
		}, func() ([]byte, error) { return allocHBase.AppendKey(nil, v.uid, v.at, v.price, v.ok) }},
		{"Phoenix", allocPhoenix, func() {
			var buf [64]byte
			see(allocPhoenix.KeyIn(buf[:0]).String(v.seller).Int(v.uid).Null().Bytes())
		}, func() ([]byte, error) { return allocPhoenix.AppendKey(nil, v.seller, v.uid) }},
		{"decimal numbers", allocDecimals, func() {
			var buf [128]byte
			see(allocDecimals.KeyIn(buf[:0]).String(allocPrice).Int(v.uid).String("-1E+40").Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocDecimals.AppendKey(nil, allocPrice, v.uid, "-1E+40", v.order) }},
		{"OrderedBytes", allocOrdered, func() {
			var buf [64]byte
			see(allocOrdered.KeyIn(buf[:0]).String(v.seller).Binary(v.raw).Int(v.uid).Bytes())
		}, func() ([]byte, error) { return allocOrdered.AppendKey(nil, v.seller, v.raw, v.uid) }},
		{"copies", allocCopy, func() {
			var buf [64]byte
			see(allocCopy.KeyIn(buf[:0]).String(v.phone).Time(v.at).Bytes())
		}, func() ([]byte, error) { return allocCopy.AppendKey(nil, v.phone, v.at) }},
		{"copies that slide", allocSlides, func() {
			var buf [64]byte
			see(allocSlides.KeyIn(buf[:0]).String("s-42").String("o").Bytes())
		}, func() ([]byte, error) { return allocSlides.AppendKey(nil, "s-42", "o") }},
		{"hashes of several fields", allocSeveral, func() {
			var buf [64]byte
			see(allocSeveral.KeyIn(buf[:0]).String(v.seller).Uint(v.order).Bytes())
		}, func() ([]byte, error) { return allocSeveral.AppendKey(nil, v.seller, v.order) }},
		{"values that wait to be hashed", allocGathered, func() {
			var buf [256]byte
			see(allocGathered.KeyIn(buf[:0]).String(v.path).Uint(v.order).Time(v.at).Bytes())
		}, func() ([]byte, error) { return allocGathered.AppendKey(nil, v.path, v.order, v.at) }},
		{"a range of values that wait", nil, func() {
			var buf [256]byte
			var ranges [1]rowkey.Range
			some, _, err := allocGathered.KeyIn(buf[:0]).String(v.path).Uint(v.order).AppendRanges(ranges[:0], arena)
			see(some[0].Start(), err)
		}, nil},
		{"steps of others", allocVia, func() {
			var buf [64]byte
			see(allocVia.KeyIn(buf[:0]).String(v.seller).Time(v.at).Bytes())
		}, func() ([]byte, error) { return allocVia.AppendKey(nil, v.seller, v.at) }},
		{"AppendKey", allocSalted, func() {
			var buf [64]byte
			see(allocSalted.AppendKey(buf[:0], "s-42", fixedAt, 7))
		}, func() ([]byte, error) { return allocSalted.AppendKey(nil, v.seller, v.at, v.order) }},
		{"Codec.Append", allocSalted, func() {
			var buf [64]byte
			see(allocTrades.Append(buf[:0], &trade))
		}, func() ([]byte, error) { return allocSalted.AppendKey(nil, v.seller, v.at, v.order) }},
		{"Codec.Append of moves", allocPlain, func() {
			var buf [64]byte
			see(allocPlainTrades.Append(buf[:0], &trade))
		}, func() ([]byte, error) { return allocPlain.AppendKey(nil, v.seller, v.at, v.order) }},
		{"Codec.AppendAll", allocSalted, func() {
			var arena [256]byte
			var ends [4]int
			rows := [1]allocTrade{trade}
			keys, _, err := allocTrades.AppendAll(arena[:0], ends[:0], rows[:])
			see(keys, err)
		}, func() ([]byte, error) { return allocSalted.AppendKey(nil, v.seller, v.at, v.order) }},
		{"Read", allocEvents, func() {
			var buf [256]byte // of values that wait, too
			key, _ := allocEventKeys.Append(buf[:0], &event)
			var slot, id uint64
			var at, ms time.Time
			var diff int64
			var price float64
			var ok bool
			see(key, allocEvents.Read(key).Uint(&slot).Time(&at).Time(&ms).Int(&diff).Uint(&id).Float(&price).Bool(&ok).Err())
		}, func() ([]byte, error) { return allocEventKeys.Append(nil, &event) }},
		{"Codec.Decode", allocEvents, func() {
			var buf [256]byte
			var got allocEvent
			key, _ := allocEventKeys.Append(buf[:0], &event)
			if see(key, allocEventKeys.Decode(key, &got)); got.ID != event.ID {
				t.Error("another row")
			}
		}, func() ([]byte, error) { return allocEventKeys.Append(nil, &event) }},
		{"Decode", allocSalted, func() {
			var buf [64]byte
			key, _ := allocTrades.Append(buf[:0], &trade)
			row, err := allocSalted.Decode(key)
			if see(key, err); !row.Has("seller") {
				t.Error("no seller")
			}
		}, func() ([]byte, error) { return allocTrades.Append(nil, &trade) }},
	} {
		if raceEnabled() && c.name == "steps of others" {
			continue // whose memory is of a sync.Pool, which forgets on purpose then
		}
		t.Run(c.name, func(t *testing.T) {
			sinkErr = nil
			if got := testing.AllocsPerRun(200, c.f); got != 0 {
				t.Errorf("%v allocations, want none", got)
			}
			if sinkErr != nil {
				t.Error(sinkErr)
			}
			if c.want == nil {
				return
			}
			if want := mustKey(t)(c.want()); string(seen) != string(want) {
				t.Errorf("the key is %x, want %x", seen, want)
			}
		})
	}
}

// TestReadAllocs: reading costs no allocation where the texts have room, in a
// buffer that the caller keeps or in one that is a variable of the call.
func TestReadAllocs(t *testing.T) {
	schemas := map[string]*rowkey.Schema{
		"marked":   rowkey.New("s").Salt(16, "a").String("a").Separator("_").Uint("b", 2).MustBuild(),
		"fixed":    rowkey.New("s").String("a", rowkey.Fixed(10)).Uint("b", 2).MustBuild(),
		"reversed": rowkey.New("s").String("a", rowkey.Reverse, rowkey.Fixed(10)).Uint("b", 2).MustBuild(),
		"escaped":  rowkey.New("s").String("a", rowkey.Escaped).Uint("b", 2).MustBuild(),
		"padded":   rowkey.New("s").String("a", rowkey.Pad(12, ' ')).Uint("b", 2).MustBuild(),
		"hashed":   rowkey.New("s").Hash(rowkey.MD5.Hex(4), "a").String("a").Separator("_").Uint("b", 8, rowkey.Decimal).MustBuild(),
		"numeric":  rowkey.New("s", interop.OrderedBytes).String("a", interop.Numeric).Uint("b", 8, interop.Numeric).MustBuild(),
		"decimal":  rowkey.New("s", interop.Phoenix).String("a", interop.Numeric).Uint("b", 8, interop.Numeric).MustBuild(),
		"mixed":    rowkey.New("s").Salt(16, "values(a,b)").String("a").Separator("_").Uint("b", 8).MustBuild(),
	}
	for name, s := range schemas {
		key := mustKey(t)(s.AppendKey(nil, "1234567890", 7))
		kept := make([]byte, 0, 64)
		var failed error
		read := map[string]func(){
			"heap": func() {
				text, n := kept, uint64(0)
				if err := s.Read(key).Binary(&text).Uint(&n).Err(); err != nil || string(text) != "1234567890" || n != 7 {
					failed = err
				}
			},
			"stack": func() {
				var room [64]byte
				text, n := room[:0], uint64(0)
				if err := s.Read(key).Binary(&text).Uint(&n).Err(); err != nil || string(text) != "1234567890" || n != 7 {
					failed = err
				}
			},
		}
		for where, f := range read {
			if got := testing.AllocsPerRun(100, f); got != 0 || failed != nil {
				t.Errorf("%s, a buffer on the %s: %v allocations, %v", name, where, got, failed)
			}
		}
	}
	t.Run("a UUID and a length", readAllocsShaped)
	day := rowkey.New("s").Time("day", rowkey.Layout("2006-01-02", time.UTC)).MustBuild()
	key := mustKey(t)(day.AppendKey(nil, time.Unix(1684203630, 0)))
	var at time.Time
	if got := testing.AllocsPerRun(100, func() { _ = day.Read(key).Time(&at).Err() }); got != 0 || at.Unix() != 1684195200 {
		t.Errorf("a day: %v allocations, %v", got, at)
	}
}

// readAllocsShaped is TestReadAllocs of texts that do not stand in the key as they are.
func readAllocsShaped(t *testing.T) {
	s := rowkey.New("s").String("id", rowkey.UUID).String("path", rowkey.LenPrefix(2)).Float("f", 8).Bool("b").MustBuild()
	const id = "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"
	key := mustKey(t)(s.AppendKey(nil, id, "/srv/files", 1.5, true))
	var failed error
	read := func() {
		var rooms [2][64]byte
		a, b, f, is := rooms[0][:0], rooms[1][:0], 0.0, false
		if err := s.Read(key).Binary(&a).Binary(&b).Float(&f).Bool(&is).Err(); err != nil || string(a) != id || string(b) != "/srv/files" || f != 1.5 || !is {
			failed = fmt.Errorf("other values, or %w", err)
		}
	}
	if got := testing.AllocsPerRun(100, read); got != 0 || failed != nil {
		t.Errorf("buffers on the stack: %v allocations, %v", got, failed)
	}
}

// TestInlining: what begins and ends a chain of calls is no call, by the compiler's
// own report; nor are the codec's methods calls of their own, of the types that tests
// bind.
func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: it compiles the library")
	}
	for _, c := range []struct {
		args  string
		names []string
	}{
		{"build -gcflags=-m .", []string{"(*Schema).Key", "(*Schema).KeyIn", "KeyBuilder.Bytes", "KeyBuilder.Binary", "(*Schema).Read", "Reader.Err"}},
		{"build -gcflags=-m ./internal/bind", []string{"(*landing).number", "(*landing).keep", "(*move).after"}},
		{"build -gcflags=-m ./internal/write", []string{"In\n", "New\n"}}, // which KeyIn calls
		{"build -gcflags=-m ./internal/form", []string{"ZeroBytes", "Mask", "DigitsLen"}},
		{"test -c -o " + os.DevNull + " -gcflags=-m .", []string{`rowkey.(*Codec[go.shape.*]).Append`, `rowkey.(*Codec[go.shape.*]).Decode`}},
	} {
		report, err := exec.Command("go", strings.Fields(c.args)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, report)
		}
		for _, f := range c.names {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(": can inline "+f), `\*\]`, `[^\n]*\]`)
			if !regexp.MustCompile(pattern).Match(report) {
				t.Errorf("%s is not inlined", f)
			}
		}
	}
}

// raceEnabled reports that the tests run under the race detector.
func raceEnabled() bool {
	built, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(built.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// allocMirror is a transform that turns bytes round.
type allocMirror struct{}

func (allocMirror) Append(dst, value []byte) ([]byte, error) {
	for i := range value {
		dst = append(dst, value[len(value)-1-i])
	}
	return dst, nil
}
func (m allocMirror) Invert(dst, stored []byte) ([]byte, error) { return m.Append(dst, stored) }
func (allocMirror) Traits() rowkey.Traits                       { return rowkey.Traits{Order: rowkey.Unordered} }
func (allocMirror) String() string                              { return "mirror" }

func allocSum(dst, data []byte) []byte {
	n := byte(0)
	for _, b := range data {
		n += b
	}
	return append(dst, n)
}

var allocPrice = "-12.50"

const someUUID = "fb2b4e5e-1c7d-4f6a-9b1e-2f00c0ffee01"

func allocMinute(t time.Time) int64  { return t.Unix() / 60 }
func allocInstant(n int64) time.Time { return time.Unix(60*n, 0).UTC() }

var fixedAt = any(time.UnixMilli(1684203630000))

func mustKey(t *testing.T) func([]byte, error) []byte {
	t.Helper()
	return func(key []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
}

// TestSizes pins what makes a chain of calls cheap: the compiler keeps a struct
// in registers up to four words.
func TestSizes(t *testing.T) {
	const words = 4 * unsafe.Sizeof(uintptr(0))
	if n := unsafe.Sizeof(rowkey.KeyBuilder{}); n > words {
		t.Errorf("a KeyBuilder has %d bytes, more than four words", n)
	}
	if n := unsafe.Sizeof(rowkey.Reader{}); n > words {
		t.Errorf("a Reader has %d bytes, more than four words", n)
	}
}

// TestAllocBuild: Build makes no fingerprint, which takes as long as a third of all else. The first Fingerprint does, and keeps it.
func TestAllocBuild(t *testing.T) {
	var s *rowkey.Schema
	build := func() {
		s = rowkey.New("t").Salt(16, "a").String("a").Separator("_").Time("at", rowkey.Millis, rowkey.Desc).MustBuild()
	}
	without := testing.AllocsPerRun(20, build)
	with := testing.AllocsPerRun(20, func() { build(); _ = s.Fingerprint() })
	again := testing.AllocsPerRun(20, func() { _ = s.Fingerprint() })
	if with < without+10 || again > 4 { // of the text alone
		t.Errorf("Build %v, with Fingerprint %v, a second one %v", without, with, again)
	}
}
