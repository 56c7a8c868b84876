// Package browser finds a Chromium for tests that look at a page.
package browser

import (
	"os"
	"os/exec"
	"testing"
)

// Path is a Chromium. A machine without one skips the test, unless ROWKEY_BROWSER is
// "required", as the project's own checks have it.
func Path(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("ROWKEY_BROWSER") == "required" {
		t.Fatal("no chromium on this machine, and ROWKEY_BROWSER=required")
	}
	t.Skip("no chromium on this machine: the page is looked at where there is one")
	return ""
}
