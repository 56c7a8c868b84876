package laws

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// top is the repository's top, where the tests' paths begin.
var top string

func TestMain(m *testing.M) {
	err := os.Chdir("..")
	if err == nil {
		top, err = os.Getwd()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// readFile reads a file by its whole path: go test takes a result from its cache
// unless a file has changed that the test opened, and it does not learn of the Chdir
// before the tests.
func readFile(name string) ([]byte, error) { return os.ReadFile(whole(name)) }

func openFile(name string) (*os.File, error) { return os.Open(whole(name)) }

func whole(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(top, name)
}
