// Package growth tests that what a caller, a key or a notation from elsewhere can force grows as
// n log n, not as n². It counts bytes of memory and statements of the library, never time; the
// benchmarks measure time.
package growth

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// A kind is a kind of input that grows. Made prepares an input of size n, and work is what it costs.
type kind struct {
	few, most int // work for few and for 16 times as many is compared; most is the largest size
	made      func(n int) (work func() error)
}

// kinds are all kinds by name.
func kinds() map[string]kind {
	all := map[string]kind{}
	for name, of := range conditions {
		all[name] = kind{1000, 100_000, func(n int) func() error {
			s := rowkey.New("t").String("a").Separator("\x00").Uint("n", 4).MustBuild()
			conds := append(of(n), rowkey.MaxRanges(1<<20))
			return func() error {
				plan, err := s.Scan(conds...)
				if err == nil {
					plan.Match([]byte("v0000001\x00\x00\x00\x00\x01"))
				}
				return err
			}
		}}
	}
	for name, of := range notations {
		all["Parse of "+name] = kind{62, 992, func(n int) func() error {
			text := of(n)
			return func() error {
				_, err := rowkey.Parse("t", text)
				return err
			}
		}}
	}
	for name, of := range keys {
		all[name] = kind{2000, 32_000, of}
	}
	all["Explain of many fields"] = kind{62, 992, func(n int) func() error {
		s := rowkey.Must(rowkey.Parse("t", saltOverAll(n)))
		key := make([]byte, n+1)
		return func() error { s.Explain(key); return nil }
	}}
	return all
}

// joined is the texts for 0 to n−1, with sep between them.
func joined(n int, sep string, of func(i int) string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = of(i)
	}
	return strings.Join(texts, sep)
}

// mixed is a number below n, another one for each i below n, in no order.
func mixed(i, n int) int { return i * 7919 % n }

func text(i int) string { return fmt.Sprintf("v%07d", i) }

// conditions are queries of n conditions or n values, on a text and a number.
var conditions = map[string]func(n int) []rowkey.Cond{
	"NotEq of texts": func(n int) []rowkey.Cond {
		out := []rowkey.Cond{rowkey.Prefix("a", "v")}
		for i := range n {
			out = append(out, rowkey.NotEq("a", text(mixed(i, n))))
		}
		return out
	},
	"NotEq of numbers": func(n int) []rowkey.Cond {
		out := []rowkey.Cond{rowkey.Eq("a", "a")}
		for i := range n {
			out = append(out, rowkey.NotEq("n", 2*mixed(i, n)))
		}
		return out
	},
	"AnyOf of two sides": func(n int) []rowkey.Cond {
		out := []rowkey.Cond{rowkey.Prefix("a", "v")}
		for i := range n {
			out = append(out, rowkey.AnyOf(rowkey.LessThan("a", text(i)), rowkey.MoreThan("a", text(i)+"x")))
		}
		return out
	},
	"AtLeast": func(n int) (out []rowkey.Cond) {
		for i := range n {
			out = append(out, rowkey.AtLeast("a", text(i)))
		}
		return out
	},
	"AnyOf of equalities": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Eq("a", text(mixed(i, n))))
		}
		return []rowkey.Cond{rowkey.AnyOf(any...)}
	},
	"AnyOf of spans": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Span("n", 4*mixed(i, n), 4*mixed(i, n)+2))
		}
		return []rowkey.Cond{rowkey.Eq("a", "a"), rowkey.AnyOf(any...)}
	},
	"AnyOf of prefixes": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Prefix("a", text(mixed(i, n))))
		}
		return []rowkey.Cond{rowkey.AnyOf(any...)}
	},
	"Suffix": func(n int) []rowkey.Cond {
		var any []rowkey.Cond
		for i := range n {
			any = append(any, rowkey.Suffix("a", text(mixed(i, n))))
		}
		return []rowkey.Cond{rowkey.AnyOf(any...), rowkey.FullScan()}
	},
	"In": func(n int) []rowkey.Cond { return []rowkey.Cond{rowkey.In("a", texts(n)...)} },
	"In and NotEq": func(n int) []rowkey.Cond {
		out := []rowkey.Cond{rowkey.In("a", texts(n)...)}
		for i := range n / 2 {
			out = append(out, rowkey.NotEq("a", text(2*i)))
		}
		return out
	},
}

func texts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = text(mixed(i, n))
	}
	return list
}

func fields(n int) string {
	return joined(n, "", func(i int) string { return fmt.Sprintf("[f%d:1]", i) })
}

func names(n int) string {
	return joined(n, ",", func(i int) string { return fmt.Sprintf("f%d", i) })
}

func saltOverAll(n int) string { return "[salt4(values(" + names(n) + "))]" + fields(n) }

// notations are notations of n components or so, or of as many bytes as such ones have.
var notations = map[string]func(n int) string{
	"fields":   fields,
	"texts":    func(n int) string { return joined(n/2, "", func(i int) string { return fmt.Sprintf("[f%d]['_']", i) }) },
	"literals": func(n int) string { return strings.Repeat(`["x"]`, n) + "[a]" },
	"oneof": func(n int) string {
		return "[a oneof(" + joined(7*n, ",", func(i int) string { return fmt.Sprintf(`"%06d"`, i) }) + ")]"
	},
	"salts":             func(n int) string { return strings.Repeat("[salt4(a)]", n) + "[a]" },
	"salts of 1000":     func(n int) string { return strings.Repeat("[salt1000(a) decimal]['_']", n/2) + "[a]" },
	"a salt over all":   saltOverAll,
	"a digest over all": func(n int) string { return "[md5.raw(4)(values(" + names(n) + "))]" + fields(n) },
	"a salt over one": func(n int) string {
		return "[salt4(values(" + joined(7*n, ",", func(int) string { return "f0" }) + "))][f0:1]"
	},
	"a format over all": func(n int) string {
		return "[md5.raw(4)(format(\"" + strings.Repeat("%d", n) + "\"," + names(n) + "))]" + fields(n)
	},
	"salts over two": func(n int) string { return strings.Repeat("[salt4(values(a,b))]", n) + "[a]['_'][b]" },
	"a salt for each": func(n int) string {
		return joined(n/2, "", func(i int) string { return fmt.Sprintf("[salt4(f%d)]", i) }) + fields(n/2)
	},
	"salts of the last":  func(n int) string { return strings.Repeat(fmt.Sprintf("[salt4(f%d)]", n/2-1), n/2) + fields(n/2) },
	"salts after fields": func(n int) string { return fields(n/2) + strings.Repeat(fmt.Sprintf("[salt4(f%d)]", n/2-1), n/2) },
	"salts between": func(n int) string {
		return joined(n/2, "", func(i int) string { return fmt.Sprintf("[f%d:1][salt4(values(f0,f%[1]d))]", i) })
	},
	"values not stored": func(n int) string {
		return "[md5.raw(4)(values(" + names(n) + "))]" + joined(n, "", func(i int) string { return fmt.Sprintf("[f%d:1 notstored]", i) })
	},
	"copies": func(n int) string {
		return joined(n, "", func(i int) string { return fmt.Sprintf("[c%d=a left(2)]", i) }) + "[a fixed(4)]"
	},
	"open copies": func(n int) string {
		return joined(n/2, "", func(i int) string { return fmt.Sprintf("[c%d=a]['_']", i) }) + "[a]"
	},
	"buckets": func(n int) string {
		return joined(n, "", func(i int) string { return fmt.Sprintf("[f%d:1 below(4) bucket]", i) })
	},
	"varints": func(n int) string {
		return joined(n, "", func(i int) string { return fmt.Sprintf("[f%d:8 varint]", i) })
	},
}

// keys are reads of a key of n bytes.
var keys = map[string]func(n int) func() error{
	"Match of a Loose key": func(n int) func() error {
		s := rowkey.New("t").String("a", rowkey.Pad(200, '_'), rowkey.Loose).String("b", rowkey.Loose).Separator("_").String("c").MustBuild()
		return matching(s, []byte(strings.Repeat("_", n)), rowkey.Eq("c", "zz"), rowkey.FullScan())
	},
	"Match of an escaped key": func(n int) func() error {
		s := rowkey.New("t").String("a", rowkey.Escaped).String("c").MustBuild()
		return matching(s, []byte(strings.Repeat("\x00\xff", n/2)+"\x00\x01zz"), rowkey.Suffix("a", "x"), rowkey.FullScan())
	},
	"Match of a separator": func(n int) func() error {
		s := rowkey.New("t").String("a").Separator("ab").String("c").MustBuild()
		return matching(s, []byte(strings.Repeat("a", n)+"bzz"), rowkey.Eq("c", "zz"), rowkey.FullScan())
	},
	"Explain of a long text": func(n int) func() error {
		s := rowkey.New("t").Salt(16, "a").String("a").Separator("_").Uint("n", 4).MustBuild()
		key := []byte(strings.Repeat("a", n))
		return func() error { s.Explain(key); return nil }
	},
}

func matching(s *rowkey.Schema, key []byte, conds ...rowkey.Cond) func() error {
	plan, err := s.Scan(conds...)
	if err != nil {
		panic(err)
	}
	return func() error { plan.Match(key); return nil }
}

// It is not parallel: the memory of others would count.
func TestMemoryGrowsAsNLogN(t *testing.T) {
	for name, k := range kinds() {
		made := func(n int) float64 {
			var before, after runtime.MemStats
			work := k.made(n)
			runtime.ReadMemStats(&before)
			err := work()
			runtime.ReadMemStats(&after)
			require.NoError(t, err, name)
			return float64(after.TotalAlloc-before.TotalAlloc) + 64<<10
		}
		few, many := made(k.few), made(16*k.few)
		assert.Less(t, many, 40*few, "%s: %.0f bytes for %d, %.0f for %d", name, few, k.few, many, 16*k.few) // n log n is 22 times, n² 256 times
	}
}

// The library's packages, whose statements are counted.
const counted = "github.com/hbase-rowkey/rowkey,github.com/hbase-rowkey/rowkey/internal/..."

// TestStatementsGrowAsNLogN counts the statements that run, in a program that Go builds with counters
// in it.
func TestStatementsGrowAsNLogN(t *testing.T) {
	if testing.Short() {
		return // building it takes half a minute where nothing is cached
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "growth.test")
	out, err := exec.Command("go", "test", "-c", "-o", program, "-covermode=count", "-coverpkg="+counted, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	ran := func(name string, n int) float64 {
		profile := filepath.Join(dir, "profile")
		cmd := exec.Command(program, "-test.run=^TestOne$", "-test.coverprofile="+profile)
		cmd.Env = append(os.Environ(), "ROWKEY_GROWTH="+name, "ROWKEY_GROWTH_N="+strconv.Itoa(n))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		return statements(t, profile)
	}
	none := ran("none", 0)
	for name, k := range kinds() {
		few, many := ran(name, k.few)-none, ran(name, 16*k.few)-none
		t.Logf("%-24s %9.0f statements for %5d, %10.0f for %6d: %5.1f times", name, few, k.few, many, 16*k.few, many/few)
		assert.Less(t, many, 40*few, "%s: %.0f statements for %d, %.0f for %d", name, few, k.few, many, 16*k.few)
	}
}

// TestOne does the work of one kind, for TestStatementsGrowAsNLogN; without one it does that of all.
func TestOne(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("ROWKEY_GROWTH_N"))
	for name, k := range kinds() {
		if one := os.Getenv("ROWKEY_GROWTH"); one == "" {
			require.NoError(t, k.made(8)(), name)
		} else if one == name && n > 0 {
			require.NoError(t, k.made(n)(), name)
		}
	}
}

// statements adds up a profile of lines such as "x.go:1.2,3.4 2 7": 2 statements that ran 7 times.
func statements(t *testing.T, profile string) (sum float64) {
	f, err := os.Open(profile)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			continue // the mode
		}
		block, _ := strconv.ParseFloat(words[1], 64)
		times, _ := strconv.ParseFloat(words[2], 64)
		sum += block * times
	}
	require.NoError(t, lines.Err())
	return sum
}

func BenchmarkGrowth(b *testing.B) {
	for name, k := range kinds() {
		for n := k.most; n >= k.most/100 && n >= k.few/10; n /= 10 {
			work := k.made(n)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := work(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
