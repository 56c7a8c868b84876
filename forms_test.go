package rowkey_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every way to write a number that internal/form has is one that Build gives to some
// field, and has its place in the fingerprint: two schemas of other bytes never have
// the same.
func TestFormsAreUsed(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	forms := regexp.MustCompile(`case \*(\w+):\n\t\treturn n\.append`).FindAllStringSubmatch(read("internal/form/number.go"), -1)
	if len(forms) < 8 {
		t.Fatalf("%d ways to write a number", len(forms))
	}
	built, told := read("number.go"), read("fingerprint.go")
	for _, f := range forms {
		if !strings.Contains(built, "&forms."+f[1]+"{") {
			t.Errorf("no field is written by %s", f[1])
		}
		if !strings.Contains(told, "case *forms."+f[1]+":") {
			t.Errorf("the fingerprint does not tell %s", f[1])
		}
	}
}
