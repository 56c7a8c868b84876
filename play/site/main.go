// Command site writes the playground as static files into a folder: the page, and the functions as
// WebAssembly: rowkey.wasm for the first view, later.wasm with all of them.
//
//	go run ./play/site dist
//
// Any server of files can offer them. They ask it for nothing else, and a page that is loaded works
// without a network.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hbase-rowkey/rowkey/play/page"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: site FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	put := func(name string, data []byte) error {
		fmt.Printf("%-14s %8d bytes\n", name, len(data))
		return os.WriteFile(filepath.Join(dir, name), data, 0o644)
	}
	err := fs.WalkDir(page.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := page.Files.ReadFile(name)
		if err != nil {
			return err
		}
		return put(name, plain(name, data))
	})
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	data, err := os.ReadFile(glue)
	if err != nil {
		return err
	}
	if err := put("wasm_exec.js", plain("wasm_exec.js", data)); err != nil {
		return err
	}
	return errors.Join(program(dir, "rowkey.wasm", "play_first"), program(dir, "later.wasm", ""))
}

// plain is a program of JavaScript without the lines that are only a comment, but for those at its
// head, in which its license may stand. The programs have no such line in a text.
func plain(name string, data []byte) []byte {
	if filepath.Ext(name) != ".js" {
		return data
	}
	var out strings.Builder
	head := true
	for line := range strings.Lines(string(data)) {
		comment := strings.HasPrefix(strings.TrimSpace(line), "//")
		if head = head && comment; head || !comment {
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

// program builds the functions as WebAssembly.
func program(dir, name, tags string) error {
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-tags=" + tags, "-o", path}
	for _, seldom := range []string{"draft", "advice", "internal/said", "internal/compare", "internal/notation", "internal/plan", "internal/piece", "internal/query"} { // whose code is smaller with no function in another, and is seldom run
		args = append(args, "-gcflags=github.com/hbase-rowkey/rowkey/"+seldom+"=-l")
	}
	c := exec.Command("go", append(args, "-gcflags=regexp/...=-l", "github.com/hbase-rowkey/rowkey/play/wasm")...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	made, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("%-14s %8d bytes\n", name, made.Size())
	return nil
}
