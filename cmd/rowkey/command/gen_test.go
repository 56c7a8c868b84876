package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/pinpoint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Schemas are found in a package of Go by their variables.
func TestDeclaredIn(t *testing.T) {
	all, err := declaredIn("../../../examples/systems/pinpoint", []string{"TraceIndex", "AgentStat"})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for i, want := range []interface {
		Name() string
		String() string
		Fingerprint() string
	}{pinpoint.TraceIndex, pinpoint.AgentStat} {
		assert.Equal(t, want.Name(), all[i].Name())
		assert.Equal(t, want.String(), all[i].String())
		assert.Equal(t, want.Fingerprint(), all[i].Fingerprint())
	}
	_, err = declaredIn("../../../examples/systems/pinpoint", []string{"NoSuch"})
	assert.ErrorContains(t, err, "undefined: tables.NoSuch")
	_, err = declaredIn("../../../examples/quickstart", []string{"Orders"})
	assert.ErrorContains(t, err, "a program cannot be imported")
	_, err = declaredIn("./nowhere", []string{"Orders"})
	assert.ErrorContains(t, err, "--from ./nowhere: go list")
	_, err = declaredIn("../../../examples/systems/yarn", []string{"FlowActivity"})
	assert.ErrorContains(t, err, "a Transform is written in Go")
}

// What the project commits of gen's is what gen writes now, its vectors too.
func TestCommitted(t *testing.T) {
	for _, dir := range []string{"examples/gen", "examples/bulk", "bench"} {
		out, said, code := call("", "gen", "--check", "--config", "../../../"+dir+"/rowkey.yaml")
		assert.Zero(t, code, "%s: run rowkey gen --config %[1]s/rowkey.yaml\n%s%s", dir, out, said)
	}
}

// Where one file cannot be written, none is, and no folder is left.
func TestGenWritesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	keys, java := filepath.Join(dir, "my keys"), filepath.Join(dir, "java")
	args := []string{"gen", "-s", "a=[a:8]", "-s", "b=[a:8]", "--go", keys, "--package", "keys", "--java", java, "--java-package", "com.acme"}

	require.NoError(t, os.WriteFile(java, nil, 0o644)) // a file where a folder must be
	out, said, code := call("", args...)
	assert.Equal(t, 2, code, said)
	assert.Empty(t, out)
	assert.NoDirExists(t, keys)
	require.NoError(t, os.Remove(java))

	taken := filepath.Join(keys, "b_gen.go")
	require.NoError(t, os.MkdirAll(taken, 0o755)) // a folder where a file must be
	out, said, code = call("", args...)
	assert.Equal(t, 2, code)
	assert.Empty(t, out)
	assert.Contains(t, said, "b_gen.go")
	assert.NoFileExists(t, filepath.Join(keys, "a_gen.go"))
	assert.NoDirExists(t, java)
	require.NoError(t, os.Remove(taken))

	out, said, code = call("", args...)
	assert.Zero(t, code, said)
	assert.Contains(t, out, "wrote "+taken)
	out, said, code = call("", append(args, "--check")...)
	assert.Zero(t, code, out+said)
	out, _, code = call("", args...)
	assert.Zero(t, code)
	assert.Empty(t, out) // nothing differs
}

// Each spelling of a notation may have a name before it, for a command of one schema and of several: settings,
// spaces and lines stand before the first bracket too.
func TestSchemaNamed(t *testing.T) {
	for _, text := range []string{"[a]", "phoenix [a]", "phoenix[a]", "maxlen(16) [a]", "maxlen(16)[a]", "maxlen (16) hbase [a:i4]", " [a]", "maxlen(16)\n\thbase [a]['_']\n[b]"} {
		several, one := &app{}, &app{}
		several.flags.schemas, one.flags.schema = []string{"t=" + text}, "t="+text
		all, err := several.loadAll()
		require.NoError(t, err, text)
		s, err := one.load()
		require.NoError(t, err, text)
		for _, s := range append(all, s) {
			require.Equal(t, "t", s.name, text)
			require.Equal(t, "t", s.Name(), text) // in errors
			require.Equal(t, rowkey.Must(rowkey.Parse("", text)).String(), s.String(), text)
		}
	}
	for _, text := range []string{`["t="][a]`, `['='][a]`, "[b=a left(2)]['_'][a]", "maxlen(16) [b=a left(2)]['_'][a]"} {
		a := &app{}
		a.flags.schemas = []string{text}
		all, err := a.loadAll()
		require.NoError(t, err, text)
		require.Empty(t, all[0].name, text)
	}
}
