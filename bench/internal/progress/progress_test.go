package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// written tells of what is written into it.
type written chan string

func (w written) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := Start(&out, "measuring") // no terminal
	b.Step(1, 2)
	b.Stop()
	assert.Empty(t, out.String())

	w := make(written, 100)
	b = draw(w, "measuring")
	b.Step(4, 10)
	late := time.After(time.Minute)
	for line := ""; !strings.Contains(line, "40.00%"); { // on a busy machine it is drawn before the step, too
		select {
		case line = <-w:
			assert.Contains(t, line, "measuring")
		case <-late:
			t.Fatal("the step is not drawn")
		}
	}
	b.Step(10, 10)
	b.Stop()

	// It stops before it has begun, too.
	draw(w, "measuring").Stop()
}
