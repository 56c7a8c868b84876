package notation

import (
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey/internal/digest"
)

var allDigests = digest.Names()

// Each digest and each unit has its name in Go.
func TestGoNames(t *testing.T) {
	for _, name := range allDigests {
		assert.Contains(t, digestsInGo, name)
	}
	for _, name := range []string{"ns", "us", "ms", "s", "min", "h", "d"} {
		assert.Contains(t, unitsInGo, name)
	}
}

// What a notation is in Go is what its document shows, each row of it.
func TestGoOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/notation.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `[^`]+` \\| `((?:String|Binary|Uint|Int|Float|Bool|Time|Copy|Salt|Hash|New)\\([^`]*)` \\| `([^`]*)` \\|$").FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(rows), 45)
	for _, row := range rows {
		want, notation := row[1], row[2]
		l, problem := Parse(notation, allDigests)
		require.Nil(t, problem, notation)
		l.Samples = nil
		got := l.Go("t")
		_, err := format.Source([]byte("package p\nvar t = " + got))
		require.NoError(t, err, got)
		got = strings.NewReplacer("\n\t", "", "rowkey.", "", "time.Hour", "3600000000000").Replace(strings.TrimSuffix(got, ".\n\tMustBuild()"))
		if !strings.HasPrefix(want, "New") {
			got = strings.TrimPrefix(got, `New("t").`)
		}
		want = strings.ReplaceAll(want, `"format(\"%02d\",a)"`, "`format(\"%02d\",a)`")
		want = strings.ReplaceAll(want, "time.Unix(1684166400, 0)", "time.Date(2023, 5, 15, 16, 0, 0, 0, time.UTC)")
		assert.Equal(t, want, got, notation)
	}
}

func TestGo(t *testing.T) {
	l, problem := Parse(`maxlen(64) [salt16(format("%s_%s",a,b)) md5.raw(4) named(bucket)][murmur3-seed7.hexat(2,4).upper(values(a,b))]['_'][a pad(5,'x')]['|'][b:f4 hbase]`+
		`[ms-since(2023-05-15T16:00:00Z)(c) width(4)][layout("20060102",+08:00)(d)][e=a left(2)]["v1"] sample("k\x00", "a", 1.0, 1970-01-01T00:00:01Z, 1970-01-01T00:00:02Z)`, allDigests)
	require.Nil(t, problem)
	named, problem := Parse(`[layout("20060102",Asia/Shanghai)(d)]`, nil)
	require.Nil(t, problem)
	require.Contains(t, named.Go("t"), `time.LoadLocation("Asia/Shanghai")`)
	for text, want := range map[string]string{
		`[a phoenix][b:i4 desc phoenix]`:        `New("t", interop.Phoenix).String("a").Int("b", 4, rowkey.Desc)`,
		`[a phoenix][b:i4]`:                     `New("t").String("a", interop.Phoenix).Int("b", 4)`,
		`[a phoenix][b:i4 orderedbytes]`:        `New("t").String("a", interop.Phoenix).Int("b", 4, interop.OrderedBytes)`,
		`[c=a left(2) phoenix][a phoenix]`:      `New("t").Copy("c", "a", rowkey.Left(2), interop.Phoenix).String("a", interop.Phoenix)`,
		`phoenix [a phoenix]`:                   `New("t", interop.Phoenix).String("a", interop.Phoenix)`,
		`[salt4(a)][a:4 hbase][b:4 hbase desc]`: `New("t", interop.HBase).Salt(4, "a").Uint("a", 4).Uint("b", 4, rowkey.Desc)`,
	} {
		l, problem := Parse(text, allDigests)
		require.Nil(t, problem, text)
		require.Equal(t, "rowkey."+want+".MustBuild()", strings.ReplaceAll(l.Go("t"), "\n\t", ""))
	}
	require.Equal(t, strings.Join([]string{
		`rowkey.New("t", rowkey.MaxLen(64)).`,
		"\tSalt(16, `format(\"%s_%s\",a,b)`, rowkey.MD5.Raw(4), rowkey.Named(\"bucket\")).",
		`	Hash(rowkey.Murmur3.Seed(7).HexAt(2, 4).Upper(), "values(a,b)").Separator("_").`,
		`	String("a", rowkey.Pad(5, 0x78)).Separator("|").`,
		`	Float("b", 4, interop.HBase).`,
		`	Time("c", rowkey.Millis.Since(time.Date(2023, 5, 15, 16, 0, 0, 0, time.UTC)), rowkey.Width(4)).`,
		`	Time("d", rowkey.Layout("20060102", time.FixedZone("", 28800))).`,
		`	Copy("e", "a", rowkey.Left(2)).`,
		`	Literal("v1").`,
		`	Sample("k\x00", "a", 1.0, time.Date(1970, 1, 1, 0, 0, 1, 0, time.UTC), time.Date(1970, 1, 1, 0, 0, 2, 0, time.UTC)).`,
		`	MustBuild()`,
	}, "\n"), l.Go("t"))
}
