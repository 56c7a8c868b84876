package laws

import (
	"fmt"
	"os"
	"testing"
)

// The tests' paths begin at the repository: testdata, docs, README.md.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
