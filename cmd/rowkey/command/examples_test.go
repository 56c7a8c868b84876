package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The examples of a subcommand's help can be pasted into a shell: none of them is misuse. Those of
// play open a page and wait. What they find in these files is not of interest here.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	bin := filepath.Dir(built(t))
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	const key, config = "0c732d34325f7ffffe77dda4124f0000000000000007\n", "schemas:\n  trades: \"" + trades + "\"\n  logs: \"[host]['_'][ms(at)]\"\n"
	write("rowkey.yaml", config)
	write("old.yaml", config)
	write("keys.txt", key)
	write("splits.txt", "04\n08\n")
	write("rows.csv", "seller,at,order\ns-42,2023-05-16T02:20:30Z,7\n")
	write("rows.json", `{"rowkey":"`+strings.TrimSpace(key)+`","seller":"s-42"}`+"\n")
	write("access.tsv", "host\tdate\ttime\nh\t2023-05-16\t02:20:30\n")
	write("RowKeys.java", `String key = uid + "_" + ts;`+"\n")
	write("bin/hbase", "#!/bin/sh\ncat >/dev/null\nprintf 'ROW  COLUMN+CELL\\n a  column=f:uid, timestamp=1, value=a\\n1 row(s)\\n'\n")
	for _, name := range []string{"keys.txt", "rows.csv"} {
		require.NoError(t, exec.Command("gzip", "-k", filepath.Join(dir, name)).Run())
	}
	write("rows.csv", "rowkey,seller,at,order\n"+strings.TrimSpace(key)+",s-42,2023-05-16T02:20:30Z,7\n") // infer's has the key, too
	root := (&app{}).command()
	lines := 0
	for _, c := range root.Commands() {
		if c.Name() == "play" {
			continue
		}
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			switch {
			case strings.Contains(line, "gen --from"), strings.Contains(line, "gen --check"):
				continue // gen's script has a package, and files
			case strings.Contains(line, "--sample keys.txt"):
				continue // of another schema than these keys
			case c.Name() == "bench":
				line += " --time 1ms"
			}
			lines++
			sh := exec.Command("bash", "-o", "pipefail", "-c", line)
			sh.Dir, sh.Env = dir, append(os.Environ(), "PATH="+bin+":"+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			out, _ := sh.CombinedOutput() // an exit code is no failure here
			misuse := exitMisuse
			if c.Name() == diffName {
				misuse = diffUnknown
			}
			code := sh.ProcessState.ExitCode()
			assert.True(t, code >= 0 && code < misuse, "%d: %s\n%s", code, line, out)
		}
	}
	assert.Greater(t, lines, 25)
}
