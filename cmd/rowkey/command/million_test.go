package command

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/seed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A million hostile lines: every one is counted once, as good or as bad, however
// many blocks are worked on at once, and the outputs of one job and of several
// are the same bytes.
func TestMillionHostileLines(t *testing.T) {
	from := seed.Of(t)
	const n = 125_000 // of each of eight kinds
	pieces := []string{"\"", ",", "\"\"", "{", "}", "[", "]", ":", "\\", "\\u00", "\r", "\t", " ", "\x00", "\xff", "é", "\ufeff", "0", "7", "-", "1e9", "null", "s-42", "_", "%", "%0C", "\\x0C", "\\x", "[1, -3]",
		"2023-05-16", "2023-05-16T02:20:30Z", "1684203630000", "yesterday", "0c732d34325f7ffffe77dda4124f0000000000000007", "DHMt", "/f:q/1/Put/vlen=0/seqid=0", " column=f:q", "order", "seller", `{"seller":"s","at":"2023-05-16","order":7}`, "s,2023-05-16,7"}
	good := map[string]string{
		"json": `{"seller":"s-42","at":"2023-05-16T02:20:30Z","order":7}`, "csv": "s-42,2023-05-16T02:20:30Z,7", "keys": "0c732d34325f7ffffe77dda4124f0000000000000007",
		"text": `\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07`,
	}
	for i, c := range []struct {
		kind, head string
		args       []string
	}{
		{"json", good["json"], []string{"encode"}},
		{"csv", "seller,at,order", []string{"encode", "--in", "csv"}},
		{"keys", "", []string{"decode", "--in", "hex"}},
		{"text", "", []string{"decode", "--in", "text", "-o", "csv"}},
		{"keys", "", []string{"decode", "--in", "auto", "-o", "tsv"}},
		{"keys", "", []string{"convert", "--from", trades, "--in", "hex"}},
		{"keys", "", []string{"check", "--in", "hex"}},
		{"keys", "", []string{"decode", "--in", "raw", "--null"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var outputs [2]string
			for side, jobs := range []string{"1", "5"} {
				r := rand.New(rand.NewPCG(from, uint64(i)))
				lines := &lines{n: n, line: func(i int) string {
					if i == 0 && c.head != "" {
						return c.head
					}
					if r.IntN(4) == 0 {
						return good[c.kind]
					}
					var b strings.Builder
					for range r.IntN(5) {
						b.WriteString(pieces[r.IntN(len(pieces))])
					}
					return b.String()
				}}
				var stdout, stderr bytes.Buffer
				a := &app{stdin: lines, stdout: &stdout, stderr: &stderr}
				code := a.run(append([]string{"-j", jobs, "-s", trades}, c.args...))
				require.Equal(t, exitFound, code, "%s", stderr.String())
				require.Equal(t, n, lines.i, "all of it was read")
				require.Less(t, stderr.Len(), 64<<10, "lines that are alike are told once")
				outputs[side] = stdout.String() + stderr.String()
				if c.args[0] == "check" {
					continue
				}
				last := strings.TrimSuffix(stderr.String()[strings.LastIndex(strings.TrimSuffix(stderr.String(), "\n"), "\n")+1:], "\n")
				var bad, all int
				_, err := fmt.Sscanf(last, "rowkey: %d of %d", &bad, &all)
				require.NoError(t, err, last)
				out := strings.Count(stdout.String(), "\n")
				if c.args[len(c.args)-1] == "--null" {
					out = strings.Count(stdout.String(), "\x00")
				} else if strings.HasSuffix(strings.Join(c.args, " "), "csv") && c.args[0] == "decode" || c.args[len(c.args)-1] == "tsv" {
					out -= strings.Count(stdout.String(), "\n") - records(stdout.String()) + 1 // the header; a text may have a line's end in it
				}
				require.Equal(t, all-bad, out, last)
				if c.kind != "keys" || c.args[len(c.args)-1] != "--null" {
					require.Greater(t, all-bad, n/5, "good lines were swallowed")
				}
			}
			require.True(t, outputs[0] == outputs[1], "one job and five write the same")
		})
	}
}

// records counts the lines of a CSV that are no part of a quoted text.
func records(s string) (n int) {
	inside := false
	for i := range len(s) {
		switch s[i] {
		case '"':
			inside = !inside
		case '\n':
			if !inside {
				n++
			}
		}
	}
	return n
}

// Rows are read and written by a fast way and by one whose errors are told: both
// say the same of every key, also of a key that was changed.
func TestFastAndSlow(t *testing.T) {
	r := seed.Rand(t)
	schemas := []string{trades, "[id]", "[id:bytes]", "[a loose]['_'][b]", "[n:4 digits(5)][t:bool][f:f4]", "[a escaped][b:i8][us(at)]", "[salt16(uid)][uid:8 decimal reverse]['_'][s(at) width(4) desc]",
		"[md5.hex(4)(a)][a fixed(3)][c=a left(1)][n:i2 desc]", "phoenix [salt4(rest()) phoenixhash][order numeric optional][seller optional desc][ms(at)]", "phoenix [a][b][n:4]",
		"orderedbytes [seller optional desc][order:8 numeric optional][at optional]", `[tier oneof("a","bb")]['|'][d(at) years(2000,2040)]`}
	for _, d := range designs {
		schemas = append(schemas, d.notation)
	}
	read, refused := 0, 0
	for _, notation := range schemas {
		s := rowkey.Must(rowkey.Parse("t", notation))
		w := newRowMaker(s, said.Values{})
		rows, err := w.madeUp()
		require.NoError(t, err, notation)
		key, err := s.AppendKey(nil, rows[0]...)
		require.NoError(t, err)
		fast, slow := newRowReader(s, said.Values{}, false), newRowReader(s, said.Values{}, false)
		out := rowWriter{fields: fast.fields, end: '\n'}
		for range 3000 {
			k := bytes.Clone(key)
			switch r.IntN(4) {
			case 0:
				k = k[:r.IntN(len(k)+1)]
			case 1:
				k = append(k, byte(r.Uint32()))
			}
			for range r.IntN(3) {
				if len(k) > 0 {
					k[r.IntN(len(k))] = []byte{0, 1, 0xff, '_', byte(r.Uint32())}[r.IntN(5)]
				}
			}
			ferr, serr := fast.read(k), slow.slow(k)
			require.Equal(t, fmt.Sprint(serr), fmt.Sprint(ferr), "%s %x", notation, k)
			if serr != nil {
				refused++
				continue
			}
			read++
			require.Equal(t, string(out.json(nil, slow.slots)), string(out.json(nil, fast.slots)), "%s %x", notation, k)
			if len(fast.fields) < len(w.Fields) {
				continue
			}
			copy(w.Slots, fast.slots)
			again, err := w.Key()
			var vals []any
			for i := range w.Slots {
				vals = append(vals, w.Slots[i].Value(&w.Fields[i]))
			}
			want, werr := s.AppendKey(nil, vals...)
			require.Equal(t, werr == nil, err == nil, "%s %x", notation, k)
			require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(again), "%s", notation)
			w.Slots = make([]said.Slot, len(w.Fields))
		}
	}
	assert.Greater(t, read, 10_000)
	assert.Greater(t, refused, 10_000)
}

// convert is Rekey, whatever the schemas.
func TestConvertIsRekey(t *testing.T) {
	r := seed.Rand(t)
	var schemas []*rowkey.Schema
	for _, notation := range []string{
		"[a]['_'][n:4][ms(at)]", "[s(at)][n:8][a]", "[n:2][a escaped][d(at)]", "[n:i4][a fixed(5)][ms(at) truncate(1h)]", "[salt16(a)][a loose]['_'][n:4 digits(6)][max-us(at)]",
		"phoenix [a][n:4][ms(at)]", "phoenix [a pad(5,' ')][n:4][ms(at)]", "[at:8][n:4][a]", "[a:bytes escaped][n:4][ms(at)]", "orderedbytes [a optional][n:4 numeric][at optional]", `[layout("20060102",+08:00)(at)][n:4][a]`,
	} {
		schemas = append(schemas, rowkey.Must(rowkey.Parse("t", notation)))
	}
	same, fast := 0, 0
	for _, from := range schemas {
		rows, err := newRowMaker(from, said.Values{}).madeUp()
		require.NoError(t, err)
		key, err := from.AppendKey(nil, rows[0]...)
		require.NoError(t, err)
		for _, to := range schemas {
			c := newConverter(to, from)
			for range 300 {
				k := bytes.Clone(key)
				for range r.IntN(3) {
					k[r.IntN(len(k))] = byte(r.Uint32())
				}
				want, werr := to.Rekey(nil, k, from)
				got, err := c.convert(k)
				require.Equal(t, fmt.Sprint(werr), fmt.Sprint(err), "%s to %s: %x", from, to, k)
				if err == nil {
					require.Equal(t, want, got, "%s to %s: %x", from, to, k)
					same++
					if c.places != nil {
						fast++
					}
				}
			}
		}
	}
	assert.Greater(t, same, 3000)
	assert.Greater(t, fast, 1000)
}

// What Rekey refuses, since it would be read back as another value, convert refuses too.
func TestConvertOfAnotherValue(t *testing.T) {
	for _, c := range []struct {
		from, to string
		value    any
	}{
		{"[a escaped][n:1]", "phoenix [a pad(5,' ')][n:1]", "ab "},
		{"[a:f8 hbase][n:1]", "[a:f8][n:1]", math.Copysign(0, -1)},
		{"orderedbytes [a optional][n:i1]", "phoenix [a optional][n:i1]", ""},
	} {
		from, to := rowkey.Must(rowkey.Parse("from", c.from)), rowkey.Must(rowkey.Parse("to", c.to))
		key, err := from.AppendKey(nil, c.value, 1)
		require.NoError(t, err)
		_, want := to.Rekey(nil, key, from)
		require.Error(t, want)
		_, err = newConverter(to, from).convert(key)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(err), "%s to %s", c.from, c.to)
	}
}

// A flat object of JSON is read by a fast way; it says the same as the other of
// every text, and takes what is JSON only.
func TestFastJSON(t *testing.T) {
	r := seed.Rand(t)
	s := rowkey.Must(rowkey.Parse("t", "[a escaped][n:4][t:bool][ms(at)][i:i8]"))
	pieces := []string{"{", "}", `"a"`, `"n"`, `"t"`, `"at"`, `"i"`, `"x"`, ":", ",", "7", "-7", "07", "1.5", "1e2", "-", "true", "false", "null", `"s"`, `"\u0041"`, `"é"`, "\"\xff\"", "\"\x01\"", " ", "\t", `""`, `"2023-05-16"`, "[1]", `{"hex":"00"}`, `"1684203630000"`, `"2023-13-16"`, `"1684203630000xs"`}
	fast, slow := newRowMaker(s, said.Values{}), newRowMaker(s, said.Values{})
	done, bad := 0, 0
	for range 100_000 {
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteString("{")
			for i, name := range []string{"a", "n", "t", "at", "i"} {
				if r.IntN(8) == 0 {
					continue
				}
				if i > 0 {
					b.WriteString(",")
				}
				value := pieces[10+r.IntN(len(pieces)-10)]
				if r.IntN(8) > 0 {
					value = map[string][]string{"a": {`"s"`, `"é"`}, "n": {"7", `"7"`}, "t": {`"true"`, `"false"`}, "at": {`"2023-05-16"`, `"1684203630000"`}, "i": {"-7", "0"}}[name][r.IntN(2)]
				}
				fmt.Fprintf(&b, "%q:%s", name, value)
			}
			b.WriteString("}")
		} else {
			for range r.IntN(10) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		line := []byte(b.String())
		extra := r.IntN(2) == 0
		fast.reset()
		plain, err := fast.plainObject(line, extra)
		if !plain {
			continue
		}
		done++
		require.True(t, json.Valid(line), "%q", line)
		slow.reset()
		slow.pairs = []pair{{names: [2]string{"\x00", "\x01"}}} // so that the fast way is not taken
		want := slow.object(line, extra)
		slow.pairs = nil
		require.Equal(t, want, err, "%q", line)
		if err != nil { // its row is left out, and only its time may be asked for
			bad++
			at := &fast.Slots[3]
			require.Equal(t, slow.Slots[3].State, at.State, "%q", line)
			if at.State == said.Given {
				require.Equal(t, slow.Slots[3].T, at.T, "%q", line)
			}
			continue
		}
		require.Equal(t, slow.Values(), fast.Values(), "%q", line)
	}
	assert.Greater(t, done-bad, 1000)
	assert.Greater(t, bad, 1000)
}

// What decode writes comes back through jq, whose numbers are floats, and
// through a database, as JSON and as CSV, to the same keys. ROWKEY_TOOLS=required
// fails where a tool is missing; otherwise it is said that it is.
func TestThroughOtherTools(t *testing.T) {
	const schema = "[n:8][i:i8]['_'][a escaped][f:f8][t:bool][ms(at)]"
	s := rowkey.Must(rowkey.Parse("t", schema))
	var keys strings.Builder
	for i, text := range []string{"", "a", "naïve \"q\"", "x,y\nz", "null", "\\.", " b "} {
		key, err := s.AppendKey(nil, ^uint64(i), -int64(i)<<58, text, 0.1*float64(i), i%2 == 0, time.UnixMilli(int64(i)*1e12))
		require.NoError(t, err)
		keys.WriteString(hex.EncodeToString(key) + "\n")
	}
	decode := func(form string) string {
		out, stderr, code := call(keys.String(), "decode", "-s", schema, "--in", "hex", "-o", form)
		require.Zero(t, code, stderr)
		return out
	}
	through := func(input string, args ...string) string {
		c := exec.Command(args[0], args[1:]...)
		c.Stdin = strings.NewReader(input)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.Output()
		require.NoError(t, err, stderr.String())
		return string(out)
	}
	encode := func(rows string, args ...string) {
		t.Helper()
		out, stderr, code := call(rows, append([]string{"encode", "-s", schema}, args...)...)
		require.Zero(t, code, "%s%s", rows, stderr)
		assert.Equal(t, keys.String(), out, rows)
	}
	missing := func(tool string) bool {
		_, err := exec.LookPath(tool)
		if err != nil && os.Getenv("ROWKEY_TOOLS") == "required" {
			require.NoError(t, err)
		}
		if err != nil {
			t.Logf("%s is not here: nothing was sent through it", tool)
		}
		return err != nil
	}
	// Without any tool: a reader that makes floats of numbers.
	var again strings.Builder
	for line := range strings.Lines(decode("json")) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		b, err := json.Marshal(row)
		require.NoError(t, err)
		again.WriteString(string(b) + "\n")
	}
	encode(again.String())
	if !missing("jq") {
		encode(through(decode("json"), "jq", "."))
		encode(through(decode("json"), "jq", "-c", "."))
		encode(through(decode("json"), "jq", "-s", "."))
		encode(through(decode("json"), "jq", "-cs", "map(.)"))
		encode(through(decode("json"), "jq", "-S", "."))
	}
	if !missing("python3") {
		if err := exec.Command("python3", "-c", "import duckdb").Run(); err != nil && os.Getenv("ROWKEY_TOOLS") != "required" {
			t.Log("python3 has no duckdb: nothing was sent through it")
			return
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(dir+"/in.json", []byte(decode("json")), 0o644))
		require.NoError(t, os.WriteFile(dir+"/in.csv", []byte(decode("csv")), 0o644))
		for _, q := range []string{
			"copy (select * from read_json('%[1]s/in.json', format='newline_delimited')) to '%[1]s/out' (format json)",
			"copy (select * from read_json('%[1]s/in.json')) to '%[1]s/out' (format json, array true)",
			"copy (select * from read_csv('%[1]s/in.csv', all_varchar=true, allow_quoted_nulls=false, nullstr='none of these')) to '%[1]s/out' (format csv, header)",
		} {
			through("import sys, duckdb; duckdb.sql(sys.argv[1])", "python3", "-", fmt.Sprintf(q, dir))
			rows, err := os.ReadFile(dir + "/out")
			require.NoError(t, err)
			encode(string(rows))
		}
	}
}
