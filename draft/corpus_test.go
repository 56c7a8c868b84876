package draft_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
)

var update = flag.Bool("update", false, "write testdata/corpus.txt anew")

// What people paste is read as testdata/corpus.txt says, and what is read with
// its first answers is a schema.
func TestCorpus(t *testing.T) {
	const file = "testdata/corpus.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	designs := 0
	for line := range strings.Lines(string(text)) {
		design := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(design, "\t"):
			continue
		case design == "" || strings.HasPrefix(design, "#"):
			out.WriteString(line)
			continue
		}
		designs++
		out.WriteString(line + read(t, strings.ReplaceAll(design, `\n`, "\n")))
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
		return
	}
	assert.Equal(t, string(text), out.String())
	assert.Greater(t, designs, 480)
}

// read is what the corpus says of a design.
func read(t *testing.T, design string) string {
	d, err := draft.Read(design)
	var e *draft.Error
	if errors.As(err, &e) {
		return "\t! " + e.Problem + "\n"
	}
	require.NoError(t, err, design)
	var first []string
	for _, q := range d.Open {
		first = append(first, q.Choices[0].Notation)
	}
	s, err := rowkey.Parse("t", d.Decide(first...))
	if !assert.NoError(t, err, design) {
		return ""
	}
	return "\t" + d.Notation + "\n\t" + s.String() + "\n"
}
