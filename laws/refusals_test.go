package laws

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
)

// Each refusal of Build shows the component or the option that it is about: the
// option with which it begins, or what stands where another component is named.
// The lines were found by random notations, the shortest of each refusal; what a
// line says may change with a message, its place only with a reason.
func TestRefusalsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 3 {
			t.Fatalf("%q has %d columns", line, len(cols))
		}
		_, err := rowkey.Parse("t", cols[1])
		var e *rowkey.Error
		switch {
		case !errors.As(err, &e) || !errors.Is(err, rowkey.ErrSchema):
			t.Errorf("%s\ngives %v", cols[1], err)
		case strconv.Itoa(e.Offset) != cols[0]:
			t.Errorf("%s\nis refused at %d, want %s: %v", cols[1], e.Offset, cols[0], err)
		case e.Err.Error() != cols[2]+": "+rowkey.ErrSchema.Error():
			t.Errorf("%s\nis refused because %v, want %s", cols[1], e.Err, cols[2])
		}
	}
	if len(lines) < 250 {
		t.Errorf("%d lines", len(lines))
	}
}
