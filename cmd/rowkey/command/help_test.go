package command

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// full is an output that cannot be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Help that cannot be written is misuse, as is any other output.
func TestHelpUnwritten(t *testing.T) {
	for _, args := range []string{"", "-h", "--version", "help", "help scan", "help json", "scan --help"} {
		var errs bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: full{}, stderr: &errs}
		assert.Equal(t, exitMisuse, a.run(strings.Fields(args)), args)
		assert.Equal(t, "rowkey: no space left\n", errs.String(), args)
	}
}
