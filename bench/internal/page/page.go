// Package page writes what was measured into a document, between two marks.
package page

import (
	"fmt"
	"os"
	"strings"
)

func marks(name string) (begin, end string) {
	return "<!-- " + name + ": written by go generate -C bench -->\n", "<!-- end of " + name + " -->\n"
}

// Cut is the text of a document between the marks of that name, and what stands
// around them.
func Cut(text, name string) (before, part, after string, err error) {
	begin, end := marks(name)
	before, rest, ok := strings.Cut(text, begin)
	if !ok || strings.Contains(rest, begin) {
		return "", "", "", fmt.Errorf("want one line %q", strings.TrimSpace(begin))
	}
	part, after, ok = strings.Cut(rest, end)
	if !ok {
		return "", "", "", fmt.Errorf("want a line %q behind %q", strings.TrimSpace(end), strings.TrimSpace(begin))
	}
	return before + begin, part, end + after, nil
}

// Write puts each part between the marks of its name. The file is written if
// all are there.
func Write(file string, parts map[string]string) error {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(bytes)
	for name, part := range parts {
		before, _, after, err := Cut(text, name)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		text = before + "\n" + strings.TrimSpace(part) + "\n\n" + after
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
