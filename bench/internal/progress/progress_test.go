package progress

import (
	"bytes"
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
	select {
	case line := <-w:
		assert.Contains(t, line, "40.00%")
		assert.Contains(t, line, "measuring")
	case <-time.After(time.Minute):
		t.Fatal("nothing is drawn")
	}
	b.Step(10, 10)
	b.Stop()

	// It stops before it has begun, too.
	draw(w, "measuring").Stop()
}
