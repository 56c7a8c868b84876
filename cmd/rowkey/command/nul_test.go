package command

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNullCSV: with --null a row of CSV ends with a byte 00, in and out, and a new line is text.
func TestNullCSV(t *testing.T) {
	args := func(verb string, more ...string) []string {
		return append([]string{verb, "-s", "[a escaped][b:1]", "-0", "--quiet"}, more...)
	}
	out, errs, code := call("a,b\x00x\ny,1\x00\x00\"p\x00q\",2\x00r,3", args("encode")...)
	if want := "780a79000101\x007000ff71000102\x0072000103\x00"; out != want || errs != "" || code != 0 {
		t.Errorf("%q %q %d", out, errs, code)
	}
	if out, _, code = call("x,1\n\x00y\r,2\x00", args("encode", "--no-header")...); code != 1 || out != "790d000102\x00" {
		t.Errorf("%q %d", out, code)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, form := range []string{"csv", "tsv"} {
		for range 300 {
			var keys strings.Builder
			for range 1 + r.IntN(4) {
				for range r.IntN(4) {
					keys.WriteString([]string{"78", "00ff", "0a", "22", "2c", "09", "7b", "20"}[r.IntN(8)])
				}
				keys.WriteString("000107\x00")
			}
			rows, errs, code := call(keys.String(), args("decode", "--in", "hex", "-o", form)...)
			if code != 0 || !strings.HasPrefix(rows, map[string]string{"csv": "a,b\x00", "tsv": "a\tb\x00"}[form]) {
				t.Fatalf("%q: %q %q", keys.String(), rows, errs)
			}
			if out, errs, code := call(rows, args("encode", "--in", form)...); out != keys.String() || code != 0 {
				t.Fatalf("%q as %q: %q %q", keys.String(), rows, out, errs)
			}
		}
	}
}

// A byte 00 with which the rows begin made them no rows at all.
func TestNullFirst(t *testing.T) {
	for _, test := range []struct {
		in, out string
		args    []string
	}{
		{"\x00\x00\n1\n", "0000\n31\n", []string{"--no-header"}},
		{"\x00a\nx\n", "0061\n78\n", []string{"--columns", "a", "--no-header"}},
		{"\x00a\x001\x00", "31\x00", []string{"--null"}},
		{"\x00{\"a\":\"1\"}\x00", "31\x00", []string{"--null"}},
	} {
		out, errs, code := call(test.in, append([]string{"encode", "-s", "[a]"}, test.args...)...)
		if out != test.out || errs != "" || code != 0 {
			t.Errorf("%q %q: %q %q %d", test.in, test.args, out, errs, code)
		}
	}
	const refused = `rowkey: column "\x00a" is no field: the fields are a; --skip-extra passes over others` + "\n"
	if out, errs, code := call("\x00a\n1\n", "encode", "-s", "[a]"); out != "" || errs != refused || code != exitMisuse {
		t.Errorf("%q %q %d", out, errs, code)
	}
}
