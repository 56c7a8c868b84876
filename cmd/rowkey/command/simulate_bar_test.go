package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The bar says which reading of the rows it is of, since each of them runs from 0 to 100 %.
func TestSimulateBar(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.csv")
	var rows strings.Builder
	rows.WriteString("seller,order\n")
	for range 5000 {
		rows.WriteString("s-1,1\n")
	}
	require.NoError(t, os.WriteFile(name, []byte(rows.String()), 0o600))
	var out, errs bytes.Buffer
	now := time.Now()
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, errTerminal: true, clock: func() time.Time {
		now = now.Add(time.Second)
		return now
	}}
	require.Equal(t, 0, a.run([]string{"simulate", "-s", "a=[salt4(seller)][seller]", "-s", "b=[seller]['_'][order:8]", name}), errs.String())
	bar := errs.String()
	assert.Contains(t, bar, "pass 1 of more  ")
	assert.Contains(t, bar, "pass 2 of more  ")
	tried := strings.Count(out.String(), "takes ") - 2 - 2
	assert.Regexp(t, `pass 3 of [3-9]  `, bar)
	assert.Positive(t, tried)
	errs.Reset()
	require.Equal(t, 0, a.run([]string{"simulate", "-s", "[salt4(seller)][seller]", "--try=false", name}))
	assert.NotContains(t, errs.String(), "pass")
}
