package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A wrong value is misuse, and the error names its flag and says what was expected.
func TestFlagValues(t *testing.T) {
	for line, want := range map[string]string{
		"check -s [a:8] --rows nan":                  "--rows NaN: expected 0 or more",
		"check -s [a:8] --block-bytes 0":             "--block-bytes 0: expected 1 or more",
		"check -s [a:8] --first -1":                  "--first -1: expected 0 or more",
		"check -s [a:8] --qualifiers=":               "--qualifiers: expected at least one name",
		"lint -s [a:8] --rows nan":                   "--rows NaN: expected 0 or more",
		"lint -s [a:8] --rows inf":                   "--rows +Inf: expected a finite number",
		"lint -s [a:8] --regions -1":                 "--regions -1: expected 0 or more",
		"simulate -s [a] --limit x -":                `--limit: expected a whole number, not "x"`,
		"simulate -s [a] --limit -1 -":               "--limit -1: expected 0 or more",
		"simulate -s [a] --rows nan -":               "--rows NaN: expected more than 0",
		"simulate -s [a] --flush 0 -":                "--flush 0: expected more than 0",
		"simulate -s [a] --max-file inf -":           "--max-file +Inf: expected a finite number",
		"simulate -s [a] --regions -1 -":             "--regions -1: expected 0 or more",
		"simulate -s [a] --value-bytes -1 -":         "--value-bytes -1: expected 0 or more",
		"simulate -s [a] -s [a][b] -":                "-s [a][b]: a: has no end before the next component, b: add ['_'] after it, or fixed(n), pad(n,' ') or escaped: schema cannot be built (at byte 1)\n\t[a][b]\n\t ^",
		"simulate -s [a] --at b -":                   "no column b: --at names the column of the time of arrival, of a",
		"scan -s [a] a=b --max-ranges 0":             "--max-ranges 0: expected 1 or more",
		"check -s [a:8] -j -1":                       "--jobs -1: expected 0 to 1024",
		"decode -s [a:8] --jobs 1025":                "--jobs 1025: expected 0 to 1024",
		"encode -s [a:8] --max-errors -1":            "--max-errors -1: expected 0 or more",
		"lint -s [a:8] --fail nevr":                  "--fail nevr: expected note, warning, error or never; did you mean never?",
		"splits -s [a:1] 4 --family=":                `--family "": a family's name is not empty, begins with no '.' and has no ':', '/', '\' or control character`,
		"check -s [a:8] --family f:q":                `--family "f:q": a family's name is not empty, begins with no '.' and has no ':', '/', '\' or control character`,
		"simulate -s [a] --family .f -":              `--family ".f": a family's name is not empty, begins with no '.' and has no ':', '/', '\' or control character`,
		"simulate -s [a] --splits x --regions 4 -":   "--splits and --regions: give one of them",
		"encode -s [a] --in xml a=b":                 "--in xml: expected auto, json, csv or tsv",
		"encode -s [a] --delimiter xyz a=b":          `--delimiter "xyz": expected one character of ASCII, or tab`,
		"bench -s [a] --delimiter xyz":               `--delimiter "xyz": expected one character of ASCII, or tab`,
		"convert --from nope -s [a:8] 00":            "--from nope: neither a notation, which has brackets, nor a name: there is no rowkey.yaml here or above",
		"convert --from [a -s [a:8] 00":              "--from: a: expected ']' or an option: schema cannot be built (at byte 2)\n\t[a\n\t  ^",
		"play nope":                                  "nope: neither a notation, which has brackets, nor a name: there is no rowkey.yaml here or above",
		"scan -s [a] a=b --table a:b:c":              `--table "a:b:c": a table's name begins with a letter, a digit or '_', and has one ':' at most, after the namespace, which has no '-' and no '.'`,
		"scan -s [a] a=b --table -t":                 `--table "-t": a table's name begins with a letter, a digit or '_', and has one ':' at most, after the namespace, which has no '-' and no '.'`,
		"splits -s [a:1] 4 --table :t":               `--table ":t": a table's name begins with a letter, a digit or '_', and has one ':' at most, after the namespace, which has no '-' and no '.'`,
		"lint -s [a:8] -s [ms(t)]":                   "--schema: given twice, and one is taken here",
		"splits -s [a] 4 --sample=":                  "--sample: the name of the file is empty",
		"locate -s [a:1] --splits= 00":               "--splits: the name of the file is empty",
		"check -s [a:1] --splits=":                   "--splits: the name of the file is empty",
		"simulate -s [a] --splits= -":                "--splits: the name of the file is empty",
		"lint -s [a:8] --baseline=":                  "--baseline: the name of the file is empty",
		"draft --file=":                              "--file: the name of the file is empty",
		"gen -s [a:8] --go=":                         "--go: the name of the folder is empty",
		"gen --from= --go g":                         "--from: the name of the package is empty",
		"scan -s [a] a=b --table=":                   "--table: the name of the table is empty",
		"lint --config x --rule loose":               "--config is of no use with --rule",
		"lint --tz +08:00 --rule loose":              "--tz is of no use with --rule",
		"convert --from= -s [a:8] 00":                "--from: the schema is empty: give a notation or a name",
		"splits -s [a] 4 --sample x --sample y":      "--sample: given twice, and one is taken here",
		"splits -s [a] 4 --sample .":                 "--sample: . is a directory",
		"splits -s [a:1] -1":                         "-1 is no flag; as an argument it stands after --",
		"splits -s [a:1] -- -1":                      `expected the number of regions, not "-1"`,
		"explain -s [a:1] -12.5":                     "-12.5 is no flag; as an argument it stands after --",
		"lint -s [a:8] --allow loose,":               `--allow "": no such rule`,
		"lint -s [a:8] --fail=":                      `--fail "": expected note, warning, error or never`,
		"lint -s [a:8] --color=":                     `--color "": expected auto, always or never`,
		"lint -s [a:8] --output=":                    `-o "": expected text, json or sarif`,
		"encode -s [a] --in= -":                      `--in "": expected auto, json, csv or tsv`,
		"bench -s [a:8] --time 0":                    "--time 0s: expected more than 0",
		"bench -s [a:8] --time -1ms":                 "--time -1ms: expected more than 0",
		"simulate -s [a] --limit -1000000 -":         "--limit -1000000: expected 0 or more",
		"simulate -s [a] --jitter nan -":             "--jitter NaN: expected a finite number",
		"splits -s [a:1] 4 --table a-b:t":            `--table "a-b:t": a table's name begins with a letter, a digit or '_', and has one ':' at most, after the namespace, which has no '-' and no '.'`,
		"simulate -s [ms(t)][a] --keys hex --at a -": "--at a: the keys hold no time of this name",
		"simulate -s [a] --keys hex --in csv -":      "--in is of no use with --keys",
		"simulate -s [a] --keys hex --columns a -":   "--columns is of no use with --keys",
		"decode -s [a] --delimiter ; 61":             "--delimiter is of no use with -o json",
		"decode -s [a] -o json --no-header 61":       "--no-header is of no use with -o json",
		"decode -s [a] -o table --delimiter ; 61":    "--delimiter is of no use with -o table",
		"gen -s t=[a] --java j --types":              "--types is of no use without --go",
		"gen -s t=[a] --java j --package p":          "--package is of no use without --go",
		"gen -s t=[a] --go g --standalone":           "--standalone is of no use without --java",
		"gen -s t=[a] --go g --java-package p":       "--java-package is of no use without --java",
		"gen -s t=[a] --go g --java-tests t":         "--java-tests is of no use without --java",
		"encode -s [a] --columns a a=b":              "--columns is of no use with FIELD=VALUE",
		"encode -s [a] --in csv a=b":                 "--in is of no use with FIELD=VALUE",
		"bench -s [a] --columns a a=b":               "--columns is of no use without --in",
		"bench -s [a] --no-header":                   "--no-header is of no use without --in",
	} {
		stdout, stderr, code := call("a\n1\n", strings.Fields(line)...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: "+want+"\n", stderr, line)
		assert.Empty(t, stdout, line)
	}
}

// What is read of standard input, or of a file, is told by its flag.
func TestInputsOfFlags(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	for _, c := range []struct{ args, input, want string }{
		{"draft -f " + empty, "", "-f: " + empty + " holds no design"},
		{"locate -s [a:1] --regions -1 00", "", "--regions -1: expected 1 or more"},
		{"locate -s [a:1] --splits -", "01\n", "--splits: stdin is the input: give the split keys in a file"},
		{"check -s [a:1] --splits - -", "01\n", "--splits: stdin is the input: give the split keys in a file"},
		{"simulate -s [a:1] --splits - -", "01\n", "--splits: stdin is the input: give the split keys in a file"},
		{"encode -s [a]['_'][n:1]", "s-1,7\n", `column "s-1" is no field: the fields are a, n; --skip-extra passes over others; is this line a row? --no-header takes the columns as the fields in their order`},
		{"encode -s [a]['_'][n:1]", "s-1,n\n", `column "s-1" is no field: the fields are a, n; --skip-extra passes over others`},
		{"encode -s [a]['_'][n:1]", "b,c\n", `column "b" is no field: the fields are a, n; --skip-extra passes over others`},
		{"encode -s [a]['_'][n:1] --columns s-1,7", "s-1,7\n", `column "s-1" is no field: the fields are a, n; --skip-extra passes over others`},
	} {
		stdout, stderr, code := call(c.input, strings.Fields(c.args)...)
		assert.Equal(t, exitMisuse, code, c.args)
		assert.Equal(t, "rowkey: "+c.want+"\n", stderr, c.args)
		assert.Empty(t, stdout, c.args)
	}
	stdout, stderr, code := call("80\n", strings.Fields("locate -s [a:1] --splits - 00")...)
	assert.Equal(t, exitFine, code, stderr)
	assert.Contains(t, stdout, "region 0 of 2")
	_, stderr, code = call("", "lint", "-s", "[a:8]", "--write-baseline", "--baseline", filepath.Join(folder, "no", "such"))
	assert.Equal(t, exitMisuse, code)
	assert.Contains(t, stderr, "rowkey: --baseline: open ")
}

// Of a flag that is given twice the last value would be taken, and the first would go unseen. Twice the same is one.
func TestFlagsTwice(t *testing.T) {
	for line, flag := range map[string]string{
		"encode -s [a] --in csv --in json -":          "in",
		"encode -s [a] -o hex -o json a=1":            "output",
		"scan -s [a] a=1 --limit 3 --limit 4":         "limit",
		"scan -s [a] a=1 --time-unit s --time-unit m": "time-unit",
		"bench -s [a:8] --time 1ms --time 2ms":        "time",
		"lint -s [a:8] --rows 1 --rows 2":             "rows",
		"check -s [a] --sort --sort=false -":          "sort",
		"schema -s [a] --color never --color always":  "color",
		"infer --key-in hex --key-in text -":          "key-in",
	} {
		stdout, stderr, code := call("a\n1\n", strings.Fields(line)...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: --"+flag+": given twice, and one is taken here\n", stderr, line)
		assert.Empty(t, stdout, line)
	}
	stdout, stderr, code := call("", strings.Fields("encode -s [a] -s [a] -o hex -o hex a=1 -q --quiet")...)
	assert.Equal(t, exitFine, code, stderr)
	assert.Equal(t, "31\n", stdout)
	_, stderr, code = call("", strings.Fields("lint -s [a:8] --allow loose --allow not-unique")...)
	assert.NotEqual(t, exitMisuse, code, stderr)
}

// What is given with nothing is told, where it would be as if it were not given.
func TestEmptyFlags(t *testing.T) {
	for line, want := range map[string]string{
		"lint -s [a:8] --allow=":                    "--allow: expected at least one name",
		"lint -s [a:8] --lang=":                     "--lang: the language is empty",
		"encode -s [a] --columns= -":                "--columns: expected at least one name",
		"encode -s [a] --delimiter= -":              "--delimiter: the character is empty",
		"encode -s [ms(t)] --time= -":               "--time: expected at least one FIELD=date+time",
		"encode -s [ms(t)] --time-layout= t=1":      "--time-layout: the layout is empty",
		"scan -s [ms(t)] --time-unit= t=1684203630": "--time-unit: the unit is empty",
		"diff [a:1] [b:1] --time-unit=":             "--time-unit: the unit is empty",
		"decode -s [a] -o csv --delimiter= -":       "--delimiter: the character is empty",
		"simulate -s [a] --at= -":                   "--at: the column is empty",
		"simulate -s [a] --keys= -":                 "--keys: the form is empty",
		"simulate -s [a] --qualifiers= -":           "--qualifiers: expected at least one name",
		"infer --key= -":                            "--key: the name of the column is empty",
		"infer --delimiter= -":                      "--delimiter: the character is empty",
		"play --site=":                              "--site: the URL is empty",
	} {
		stdout, stderr, code := call("a\n1\n", strings.Fields(line)...)
		assert.Equal(t, map[bool]int{false: exitMisuse, true: diffUnknown}[strings.HasPrefix(line, "diff")], code, line)
		assert.Equal(t, "rowkey: "+want+"\n", stderr, line)
		assert.Empty(t, stdout, line)
	}
	stdout, stderr, _ := call("a b\n1 2\n", "encode", "-s", "[a]['_'][b]", "--delimiter", " ") // a blank is a character
	assert.Equal(t, "315f32\n", stdout, stderr)
}

// An empty schema is one that was given: it is refused also where a rowkey.yaml has one.
func TestEmptySchema(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile(configName, []byte("schemas: {a: '[a:1]'}"), 0o600))
	for _, line := range []string{"explain --schema= 00", "lint --schema=", "schema --schema=", "encode --schema= a=1", "bench --schema=", "simulate --schema= -", "gen --schema= --go g"} {
		for _, blank := range []string{"", " ", "\t\n"} {
			args := strings.Fields(line)
			args[1] += blank
			stdout, stderr, code := call("", args...)
			assert.Equal(t, exitMisuse, code, args)
			assert.Equal(t, "rowkey: --schema: the schema is empty: give a notation or a name\n", stderr, args)
			assert.Empty(t, stdout, args)
			for _, flag := range []string{"--file", "--config"} {
				args[1] = flag + "=" + blank
				stdout, stderr, code = call("", args...)
				assert.Equal(t, exitMisuse, code, args)
				assert.Equal(t, "rowkey: "+flag+": the name of the file is empty\n", stderr, args)
				assert.Empty(t, stdout, args)
			}
		}
	}
}

// A folder is no key, and no file of keys or rows; a file that is not there is told in the same words everywhere.
func TestNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("ab", 0o700))
	for _, line := range []string{"explain -s [a]", "decode -s [a]", "convert --from [a] -s [a]", "locate -s [a:1] --regions 2", "check -s [a]", "encode -s [a]", "infer"} {
		_, stderr, code := call("", append(strings.Fields(line), "ab")...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Contains(t, stderr, "rowkey: ab is a directory", line)
		_, stderr, code = call("", append(strings.Fields(line), "no.txt")...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: open no.txt: no such file or directory\n", stderr, line)
	}
}

// A file that is given as a schema's name is told from a name that nothing has.
func TestSchemaIsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("key.txt", []byte("[a:1]"), 0o600))
	const hint = "; it is a file: -f reads one that holds a notation, --config one of named schemas\n"
	for config, want := range map[string]string{
		"":                    "rowkey: -s key.txt: neither a notation, which has brackets, nor a name: there is no rowkey.yaml here or above",
		"schemas: {}":         "rowkey: -s key.txt: rowkey.yaml has no schemas",
		"schemas: {k: '[a]'}": "rowkey: -s key.txt: rowkey.yaml has k",
	} {
		if config != "" {
			require.NoError(t, os.WriteFile(configName, []byte(config), 0o600))
		} else if err := os.Remove(configName); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
		for _, args := range [][]string{{"explain", "-s", "key.txt", "00"}, {"simulate", "-s", "key.txt", "-"}} {
			_, stderr, code := call("", args...)
			assert.Equal(t, exitMisuse, code, args)
			assert.Equal(t, want+hint, stderr, args)
		}
	}
}

// An empty name is that of no file; stdin has the name -.
func TestEmptyFileName(t *testing.T) {
	for _, line := range []string{"check -s [a]", "infer", "simulate -s [ms(t)][a:1]"} {
		stdout, stderr, code := call("rowkey,a\n00,1\n", append(strings.Fields(line), "")...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: the name of the file is empty\n", stderr, line)
		assert.Empty(t, stdout, line)
	}
}

// A CSV that has another character between its columns is not taken for keys alone, where it has or should have
// the column of the keys; keys that hold such characters are.
func TestInferDelimiter(t *testing.T) {
	for _, args := range [][]string{{"infer"}, {"infer", "--key", "rowkey"}, {"infer", "--key", "id"}, {"infer", "--in", "csv"}} {
		stdout, stderr, code := call("rowkey;a\n00;1\n01;2\n", args...)
		assert.Equal(t, exitMisuse, code, args)
		assert.Regexp(t, "^rowkey: no column (rowkey|id): --key names the column of the keys, of rowkey;a; is another character between the columns\\? --delimiter says which\n$", stderr, args)
		assert.Empty(t, stdout, args)
	}
	stdout, _, _ := call("a|b|1\nc|d|2\n", "infer")
	assert.Contains(t, stdout, "the structure of 2 keys")
}

// --any is no way out where it is given: a sample may be too long for any key.
func TestSplitsAnyTooLong(t *testing.T) {
	sample := filepath.Join(t.TempDir(), "keys.txt")
	require.NoError(t, os.WriteFile(sample, []byte(strings.Repeat("ab", longestKey+1)), 0o600))
	_, stderr, code := call("", "splits", "-s", "[a]", "4", "--any", "--sample", sample)
	assert.Equal(t, exitFound, code)
	assert.Contains(t, stderr, "1 of 1 key bad\n")
	assert.NotContains(t, stderr, "--any")
}

// A schema of a file has the file's name. Where that is no table's, only an output that has it is refused.
func TestFileNameNoTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my key.txt")
	require.NoError(t, os.WriteFile(file, []byte("[a:1]"), 0o600))
	for _, args := range [][]string{{"scan", "-f", file, "a=1"}, {"splits", "-f", file, "4"}} {
		_, stderr, code := call("", args...)
		assert.Equal(t, exitFine, code, stderr)
		_, stderr, code = call("", append(args, "-o", "shell")...)
		assert.Equal(t, exitMisuse, code)
		assert.Contains(t, stderr, `--table "my key": `)
	}
}

// A mistyped name of a file is told from a value without its field, and a file among values from both.
func TestEncodeNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("rows", []byte("a\n1\n"), 0o600))
	for line, want := range map[string]string{
		"encode -s [a] rows.cvs":     `expected FIELD=VALUE or a file, not "rows.cvs", which is neither: the fields are a`,
		"encode -s [a] rows row":     `expected FIELD=VALUE or a file, not "row", which is neither: the fields are a`,
		"encode -s [a] a=1 rows":     "expected FIELD=VALUE or files of rows, not both: rows is a file",
		"encode -s [a] a=1 -":        "expected FIELD=VALUE or files of rows, not both: - is a file",
		"bench -s [a] a=1 rows":      `expected FIELD=VALUE, not "rows": the fields are a`,
		"encode -s [a] rows no.json": "open no.json: no such file or directory",
	} {
		_, stderr, code := call("", strings.Fields(line)...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Equal(t, "rowkey: "+want+"\n", stderr, line)
	}
}

// What is no CSV is told what it was taken for: nothing said that it is one.
func TestNoCSV(t *testing.T) {
	for _, line := range []string{"infer", "encode -s [a]", "simulate -s [ms(a)] -"} {
		_, stderr, code := call("a\x00,\x01\"\n", strings.Fields(line)...)
		assert.Equal(t, exitMisuse, code, line)
		assert.Regexp(t, `line 1: column 5: bare " in non-quoted field: the input is read as CSV, where --in says nothing else`, stderr, line)
		_, stderr, code = call("a\x00,\x01\"\n", append(strings.Fields(line), "--in", "csv")...)
		assert.Equal(t, exitMisuse, code, line)
		assert.NotContains(t, stderr, "nothing else", line)
	}
}

// A CSV of rows is no file of split keys; split keys that have commas are.
func TestSplitsOfRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	for _, line := range []string{"locate -s [a:1]['_'][b] --splits", "check -s [a:1]['_'][b] --splits", "simulate -s [a:1]['_'][b] -q --splits"} {
		for _, header := range []string{"a,b", "b,a", `"a","b"`} {
			require.NoError(t, os.WriteFile(file, []byte("\xef\xbb\xbf"+header+"\r\n1,2\r\n"), 0o600))
			_, stderr, code := call("015f32\n", append(strings.Fields(line), file, "-")...)
			assert.Equal(t, exitMisuse, code, line)
			assert.Equal(t, "rowkey: --splits: "+file+" holds rows, since its first line names fields, and split keys are wanted, one a line\n", stderr, line)
		}
	}
	require.NoError(t, os.WriteFile(file, []byte("a,c\nb\n"), 0o600))
	_, stderr, code := call("015f32\n", "locate", "-s", "[a:1]['_'][b]", "--splits", file, "-")
	assert.Equal(t, exitFine, code, stderr)
}

// A CSV that is given for keys is told to be one, and not what its header would be as a key.
func TestKeysOfCSV(t *testing.T) {
	const rows = "seller,at,order\ns-42,2023-05-16,7\ns-43,2023-05-17,8\n"
	for _, line := range []string{"decode -s [seller:8][order:8]", "locate -s [seller:8][order:8]", "decode -s [seller:8] --in text"} {
		_, stderr, code := call(rows, strings.Fields(line)...)
		assert.Equal(t, exitFound, code, line)
		assert.Contains(t, stderr, "these lines look like a CSV with a header: keys are read one a line\n", line)
	}
	_, stderr, _ := call("t,row,1684203630000.0123456789abcdef0123456789abcdef.\nt,ro,1684203630000.0123456789abcdef0123456789abcdef.\n", "decode", "-s", "[a:8]")
	assert.NotContains(t, stderr, "CSV")
}

// No region of HBase begins with a key that is longer than any row.
func TestSplitTooLong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "splits.txt")
	for n, code := range map[int]int{longestKey: exitFine, longestKey + 1: exitMisuse} {
		require.NoError(t, os.WriteFile(file, []byte("01\n"+strings.Repeat("02", n)+"\n"), 0o600))
		_, stderr, got := call("", "locate", "-s", "[a:1]", "--splits", file, "00")
		assert.Equal(t, code, got, stderr)
		if code != exitFine {
			assert.Equal(t, "rowkey: --splits: split 2: 32768 bytes, and a row of HBase has at most 32767\n", stderr)
		}
	}
}
