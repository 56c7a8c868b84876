package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// goSource is the folder of the Go toolchain's source files.
func goSource() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	if err == nil {
		_, err = os.Stat(src)
	}
	if err != nil {
		return "", fmt.Errorf("no Go source tree to index (%w): bring records of your own with -csv FILE", err)
	}
	return src, nil
}

// readTree makes a record of every regular file in a folder. A file's package
// is the folder it lies in.
func readTree(folder fs.FS) ([]Record, error) {
	var records []Record
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		records = append(records, Record{
			Package: path.Dir(name),
			Size:    uint64(info.Size()),
			Time:    info.ModTime().UTC().Truncate(time.Second),
			Path:    name,
		})
		return nil
	})
	if err == nil && len(records) == 0 {
		err = errors.New("no files there: bring records of your own with -csv FILE")
	}
	return records, err
}

// columns are the CSV file's columns, each with how to read it.
var columns = []struct {
	title string
	set   func(r *Record, text string) error
}{
	{"package", func(r *Record, text string) error {
		r.Package = text
		return nonEmpty(text)
	}},
	{"size", func(r *Record, text string) (err error) {
		if r.Size, err = strconv.ParseUint(text, 10, 64); err != nil {
			return fmt.Errorf("%q is not a whole number of bytes", text)
		}
		return nil
	}},
	{"time", func(r *Record, text string) error {
		for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				r.Time = t.UTC().Truncate(time.Second)
				return nil
			}
		}
		return fmt.Errorf("%q is not a time such as 2024-02-29T15:04:05Z", text)
	}},
	{"path", func(r *Record, text string) error {
		r.Path = text
		return nonEmpty(text)
	}},
}

func nonEmpty(text string) error {
	if text == "" {
		return errors.New("empty")
	}
	return nil
}

// readCSV makes a record of every row of a CSV file. The first row names the
// columns; those that are not ours are passed over. Equal rows are one record,
// as equal keys are one row in HBase.
func readCSV(name string) ([]Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := parseCSV(f)
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		err = fmt.Errorf("%d:%d: %w", syntax.Line, syntax.Column, syntax.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return records, nil
}

func parseCSV(f io.Reader) ([]Record, error) {
	rows := csv.NewReader(f)
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil && err != io.EOF {
		return nil, err
	}
	// Excel begins its UTF-8 files with a byte order mark.
	place := map[string]int{}
	for i, title := range header {
		title = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(title, "\ufeff")))
		if _, ok := place[title]; !ok {
			place[title] = i
		}
	}
	for _, c := range columns {
		if _, ok := place[c.title]; !ok {
			return nil, fmt.Errorf("1: no column %q: the first row must name package, size, time and path", c.title)
		}
	}

	var records []Record
	var key []byte
	seen := map[Record]bool{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		// bad says where in the file a column of this row stands.
		bad := func(title string, err error) error {
			line, column := rows.FieldPos(place[title])
			return fmt.Errorf("%d:%d: %s: %w", line, column, title, err)
		}
		var r Record
		for _, c := range columns {
			if err := c.set(&r, row[place[c.title]]); err != nil {
				return nil, bad(c.title, err)
			}
		}
		// The schema knows best what it cannot write, such as a zero byte in
		// a package's name.
		if key, err = filesKeys.Append(key[:0], &r); err != nil {
			var reason *rowkey.Error
			if errors.As(err, &reason) && reason.Field != "" {
				return nil, bad(reason.Field, reason.Err)
			}
			return nil, bad("path", err)
		}
		if !seen[r] {
			seen[r] = true
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		return nil, errors.New("1: no rows below the header")
	}
	return records, nil
}
