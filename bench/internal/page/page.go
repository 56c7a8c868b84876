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

// Read is the text of some files, whose names have commas between them, one after the other.
func Read(files string) (string, error) {
	var all strings.Builder
	for file := range strings.SplitSeq(files, ",") {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
}

// Write puts each part between the marks of its name, which stand in one of the files:
// their names have commas between them. The files are written if all are there.
func Write(files string, parts map[string]string) error {
	texts := map[string]string{}
	names := strings.Split(files, ",")
	for _, file := range names {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		texts[file] = string(text)
	}
	for name, part := range parts {
		var missing error
		found := 0
		for _, file := range names {
			before, _, after, err := Cut(texts[file], name)
			if err != nil {
				missing = fmt.Errorf("%s: %w", file, err)
				continue
			}
			texts[file] = before + "\n" + strings.TrimSpace(part) + "\n\n" + after
			found++
		}
		switch {
		case found == 0:
			return missing
		case found > 1:
			return fmt.Errorf("%s: the marks of %s stand in more than one", files, name)
		}
	}
	for _, file := range names {
		if err := os.WriteFile(file, []byte(texts[file]), 0o644); err != nil {
			return err
		}
	}
	return nil
}
