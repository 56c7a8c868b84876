package digest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/spaolacci/murmur3"
)

// The oracle of both murmurs is github.com/spaolacci/murmur3. It reads whole
// blocks as words of the machine's own byte order, so a big-endian machine has
// to be given each word turned round; the tail it reads byte by byte. Its Sum32
// does arithmetic on pointers, which kills a binary built with -race: New32
// does not.

var turnsWords = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// forOracle is data as the oracle must see it: blocks of the given size, which
// consist of words of the given size.
func forOracle(data []byte, block, word int) []byte {
	out := slices.Clone(data)
	if turnsWords {
		for i := 0; i+word <= len(out)/block*block; i += word {
			slices.Reverse(out[i : i+word])
		}
	}
	return out
}

func oracle32(seed uint32, data []byte) uint32 {
	h := murmur3.New32WithSeed(seed)
	h.Write(forOracle(data, 4, 4))
	return h.Sum32()
}

func oracle128(data []byte) []byte {
	h := murmur3.New128()
	h.Write(forOracle(data, 16, 8))
	h1, h2 := h.Sum128()
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, h1), h2)
}

// randomBytes calls f with two hundred inputs of each length up to 100, some
// of them full of one byte.
func randomBytes(t *testing.T, f func(r *rand.Rand, data []byte)) {
	r := seed.Rand(t)
	for n := 0; n <= 100; n++ {
		for round := range 200 {
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			switch round {
			case 0:
				clear(data)
			case 1:
				copy(data, bytes.Repeat([]byte{0xff}, n))
			}
			f(r, data)
			if t.Failed() {
				return
			}
		}
	}
}

func TestMurmur32Known(t *testing.T) {
	for _, c := range []struct {
		in   string
		seed uint32
		want uint32
	}{
		{"", 0, 0},
		{"", 1, 0x514e28b7},
		{"", 0xffffffff, 0x81f16f39},
		{"hello", 0, 0x248bfa47},
		{"hello, world", 0, 0x149bbb7f},
		{"19 Jan 2038 at 3:14:07 AM", 0, 0xe31e8a70},
		{"The quick brown fox jumps over the lazy dog.", 0, 0xd5c48bfc},
		{"\xff\xff\xff\xff", 0, 0x76293b50},
		{"\x21\x43\x65\x87", 0, 0xf55b516b},
		{"\x21\x43\x65\x87", 0x5082edee, 0x2362f9de},
		{"\x21\x43\x65", 0, 0x7e4a8634},
		{"\x21\x43", 0, 0xa0f7b07a},
		{"\x21", 0, 0x72661cf4},
		{"\x00\x00\x00\x00", 0, 0x2362f9de},
		{"\x00\x00\x00", 0, 0x85f0b427},
		{"\x00\x00", 0, 0x30f4c306},
		{"\x00", 0, 0x514e28b7},
	} {
		if got := Murmur32(c.seed, []byte(c.in)); got != c.want {
			t.Errorf("Murmur32(%x, %q) = %08x, want %08x", c.seed, c.in, got, c.want)
		}
		if got := oracle32(c.seed, []byte(c.in)); got != c.want {
			t.Errorf("the oracle's hash of %q by seed %x is %08x, want %08x", c.in, c.seed, got, c.want)
		}
	}
}

func TestMurmur32Oracle(t *testing.T) {
	randomBytes(t, func(r *rand.Rand, data []byte) {
		seed := uint32(0)
		if r.IntN(2) == 0 {
			seed = r.Uint32()
		}
		if got, want := Murmur32(seed, data), oracle32(seed, data); got != want {
			t.Errorf("Murmur32(%x, %x) = %08x, the oracle has %08x", seed, data, got, want)
		}
		// The words of a block need not be aligned.
		moved := append([]byte{0}, data...)[1:]
		if got, want := Murmur32(seed, moved), Murmur32(seed, data); got != want {
			t.Errorf("Murmur32(%x, %x) = %08x at one address and %08x at another", seed, data, got, want)
		}
	})
}

// The low bytes of a number are hashed as they are written, big-endian, also in a Stream.
func TestMurmurWord(t *testing.T) {
	r := seed.Rand(t)
	for range 2000 {
		seed, u := r.Uint32(), r.Uint64()
		for size := 1; size <= 8; size++ {
			data := binary.BigEndian.AppendUint64(nil, u)[8-size:]
			want := oracle32(seed, data)
			s := NewStream(seed)
			s.Word(u, size)
			if got := MurmurWord(seed, u, size); got != want || s.Sum() != want {
				t.Fatalf("MurmurWord(%x, %x, %d) = %08x, Stream has %08x, the oracle %08x", seed, u, size, got, s.Sum(), want)
			}
		}
	}
}

// TestStreamTextWord: texts of each length up to 40 bytes before numbers of each size.
func TestStreamTextWord(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for length := range 41 {
		for size := 1; size <= 8; size++ {
			text := make([]byte, length)
			for i := range text {
				text[i] = byte(r.Uint32())
			}
			seed, u := r.Uint32(), r.Uint64()
			var word [8]byte
			binary.BigEndian.PutUint64(word[:], u)
			want := oracle32(seed, append(slices.Clone(text), word[8-size:]...))
			s := NewStream(seed)
			s.Text(text)
			s.Word(u, size)
			if got := s.Sum(); got != want {
				t.Fatalf("the Stream of seed %x, %x and %x in %d bytes has %08x, want %08x", seed, text, u, size, got, want)
			}
		}
	}
}

// TestMurmur32Vectors takes the seeds too, which no layout can ask for.
func TestMurmur32Vectors(t *testing.T) {
	f, err := os.Open("../../testdata/vectors/jdk_murmur.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for in := bufio.NewScanner(f); in.Scan(); lines++ {
		var v struct {
			In   string
			Seed int32
			Want string `json:"codec_murmur3_hash32x86"`
		}
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(v.In)
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseUint(v.Want, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := Murmur32(uint32(v.Seed), data); got != uint32(want) {
			t.Errorf("Murmur32(%x, %x) = %08x, want %08x", uint32(v.Seed), data, got, want)
		}
	}
	if lines == 0 {
		t.Error("no lines")
	}
}

func TestMurmur128Known(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "00000000000000000000000000000000"},
		{"hello", "cbd8a7b341bd9b025b1e906a48ae1d19"},
		{"hello, world", "342fac623a5ebc8e4cdcbc079642414d"},
		{"19 Jan 2038 at 3:14:07 AM", "b89e5988b737affc664fc2950231b2cb"},
		{"The quick brown fox jumps over the lazy dog.", "cd99481f9ee902c9695da1a38987b6e7"},
	} {
		if got := hex.EncodeToString(oracle128([]byte(c.in))); got != c.want {
			t.Errorf("the oracle's hash of %q is %s, want %s", c.in, got, c.want)
		}
		p := Part{Hash: Hash{Algorithm: Murmur3x128}, Hex: true, N: 32}
		if got := string(p.Append(nil, []byte(c.in))); got != c.want {
			t.Errorf("murmur3x128 of %q is %s, want %s", c.in, got, c.want)
		}
	}
}

func TestMurmur128Oracle(t *testing.T) {
	h := Hash{Algorithm: Murmur3x128}
	randomBytes(t, func(_ *rand.Rand, data []byte) {
		before := slices.Clone(data)
		if got, want := h.Append([]byte("head"), data), append([]byte("head"), oracle128(data)...); !bytes.Equal(got, want) {
			t.Errorf("murmur3x128 of %x appends %x, want %x", data, got, want)
		}
		if !bytes.Equal(data, before) {
			t.Errorf("hashing changed %x to %x", before, data)
		}
	})
}
