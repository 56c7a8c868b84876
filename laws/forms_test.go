package laws

import (
	"regexp"
	"strings"
	"testing"
)

// Every way to write a number that internal/form has is one that Build gives to some
// field: by what the field is, or by an option that asks for it.
func TestFormsAreUsed(t *testing.T) {
	read := func(name string) string {
		text, err := readFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	forms := regexp.MustCompile(`case \*(\w+):\n\t\treturn n\.append`).FindAllStringSubmatch(read("internal/form/dispatch.go"), -1)
	if len(forms) < 10 {
		t.Fatalf("%d ways to write a number", len(forms))
	}
	asked := map[string]string{} // the option's way of a form
	for _, m := range regexp.MustCompile(`case (In\w+):\n\t\treturn &(\w+)\{`).FindAllStringSubmatch(read("internal/form/number.go"), -1) {
		asked[m[2]] = m[1]
	}
	if len(asked) < 3 {
		t.Errorf("options ask for %v", asked)
	}
	built, options := read("internal/layout/number.go"), read("option.go")
	for _, f := range forms {
		way := asked[f[1]]
		if !strings.Contains(built, "&forms."+f[1]+"{") && (way == "" || !strings.Contains(options, "forms."+way)) {
			t.Errorf("no field is written by %s", f[1])
		}
	}
}
