package command

import (
	"testing"

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
