package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
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

// column is one of ours in a CSV file.
type column struct {
	title string
	set   func(r *Record, text string) error
	stand func(r *Record, row int) // where the file has no such column; nil: it must have it
	says  string                   // what stands in its place then
}

var columns = []column{
	{"package", func(r *Record, text string) error {
		r.Package = text
		return nonEmpty(text)
	}, nil, ""},
	{"path", func(r *Record, text string) error {
		r.Path = text
		return nonEmpty(text)
	}, nil, ""},
	{"size", func(r *Record, text string) (err error) {
		if r.Size, err = strconv.ParseUint(text, 10, 64); err != nil {
			return errSize
		}
		return nil
	}, func(r *Record, _ int) { r.Size = uint64(len(r.Path)) }, "the length of the path is the size"},
	{"time", func(r *Record, text string) (err error) {
		r.Time, err = parseTime(text)
		return err
	}, func(r *Record, row int) { r.Time = time.Unix(int64(row), 0).UTC() }, "the number of the row, in seconds from 1970 on, is the time"},
}

var (
	errEmpty = errors.New("empty")
	errSize  = errors.New("not a whole number")
	errTime  = errors.New("not a time such as 2024-02-29T15:04:05Z")
)

// timeLayouts are those of logs and of exports. What names no zone is UTC.
var timeLayouts = []string{
	time.RFC3339, time.DateTime, time.DateOnly, "2006/01/02 15:04:05", "2006-01-02-15.04.05", "02/Jan/2006:15:04:05 -0700", "20060102150405",
}

func parseTime(text string) (time.Time, error) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Truncate(time.Second), nil
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil { // since 1970, in seconds or milliseconds
		if n >= 1e11 {
			n /= 1000
		}
		return time.Unix(n, 0).UTC(), nil
	}
	return time.Time{}, errTime
}

func nonEmpty(text string) error {
	if text == "" {
		return errEmpty
	}
	return nil
}

// leftOut is the rows of a file that are no records, by what is wrong with them.
type leftOut struct {
	rows  int
	why   map[string]int
	first map[string]string // the place of the first of them, line:column
	order []string
}

func (l *leftOut) add(place, why string) {
	if l.why == nil {
		l.why, l.first = map[string]int{}, map[string]string{}
	}
	if l.why[why] == 0 {
		l.first[why] = place
		l.order = append(l.order, why)
	}
	l.rows++
	l.why[why]++
}

// csvFile is a CSV file, and how to read it.
type csvFile struct {
	name   string
	titles map[string]string // of our columns, where the file calls them otherwise
	tell   func(rows int)    // progress
}

// parseMap reads package=Node,path=Content.
func parseMap(text string) (map[string]string, error) {
	titles := map[string]string{}
	for _, pair := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		ours, theirs, ok := strings.Cut(pair, "=")
		ours = strings.ToLower(strings.TrimSpace(ours))
		known := slices.ContainsFunc(columns, func(c column) bool { return c.title == ours })
		if theirs = strings.TrimSpace(theirs); !ok || !known || theirs == "" {
			return nil, fmt.Errorf("-map: expected package=…, path=…, size=… or time=…, with the title of a column, not %q", pair)
		}
		titles[ours] = theirs
	}
	return titles, nil
}

// records are those of the file, what stands in for columns that it has not, and
// the rows that are left out. The first row names the columns; those that are not
// ours are passed over. Equal rows are one record, as equal keys are one row in HBase.
func (c csvFile) records() (records []Record, stands []string, left leftOut, err error) {
	f, err := os.Open(c.name)
	if err != nil {
		return nil, nil, left, err
	}
	defer f.Close()
	records, stands, left, err = c.parse(f)
	if err != nil {
		err = fmt.Errorf("%s:%w", c.name, err)
	}
	return records, stands, left, err
}

// places finds our columns in the header; -1 is none.
func (c csvFile) places(header []string) (places []int, stands []string, err error) {
	for _, col := range columns {
		title := col.title
		if theirs, ok := c.titles[title]; ok {
			title = theirs
		}
		at := slices.IndexFunc(header, func(have string) bool {
			// Excel begins its UTF-8 files with a byte order mark.
			return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(have, "\ufeff")), title)
		})
		switch {
		case at >= 0:
		case c.titles[col.title] != "":
			return nil, nil, fmt.Errorf("1: no column %q, which -map gives for %s; there are %s", title, col.title, strings.Join(header, ", "))
		case col.stand == nil:
			return nil, nil, fmt.Errorf("1: no column %q: -map %s=TITLE says which one it is; there are %s", title, col.title, strings.Join(header, ", "))
		default:
			stands = append(stands, fmt.Sprintf("No column is %q: %s.", title, col.says))
		}
		places = append(places, at)
	}
	return places, stands, nil
}

func (c csvFile) parse(f io.Reader) (records []Record, stands []string, left leftOut, err error) {
	rows := csv.NewReader(bufio.NewReaderSize(f, 1<<20))
	rows.ReuseRecord = true
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil && err != io.EOF {
		return nil, nil, left, fmt.Errorf("1: %w", err)
	}
	places, stands, err := c.places(header)
	if err != nil {
		return nil, nil, left, err
	}

	var key []byte
	var kept distinct
	for n := 1; ; n++ {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if c.tell != nil && n%4096 == 0 {
			c.tell(n)
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			left.add(fmt.Sprintf("%d:%d", syntax.Line, syntax.Column), syntax.Err.Error())
			continue
		}
		if err != nil {
			return nil, nil, left, err
		}
		r, title, err := record(row, places, n)
		if err == nil {
			// The schema knows best what it cannot write, such as a zero byte in
			// a package's name.
			var reason *rowkey.Error
			if key, err = filesKeys.Append(key[:0], &r); errors.As(err, &reason) {
				title, err = reason.Field, reason.Err
			}
		}
		if err != nil {
			i := slices.IndexFunc(columns, func(c column) bool { return c.title == title })
			line, col := rows.FieldPos(0)
			if i >= 0 && places[i] >= 0 && places[i] < len(row) {
				line, col = rows.FieldPos(places[i])
			}
			if title != "" {
				err = fmt.Errorf("%s: %w", title, err)
			}
			left.add(fmt.Sprintf("%d:%d", line, col), err.Error())
			continue
		}
		kept.add(r)
	}
	switch {
	case len(kept.records) > 0:
	case left.rows > 0:
		return nil, nil, left, fmt.Errorf("%s: %s, and no other row is a record either", left.first[left.order[0]], left.order[0])
	default:
		err = errors.New("1: no rows below the header")
	}
	return kept.records, stands, left, err
}

// record is the row as a record; title is the column that is wrong.
func record(row []string, places []int, n int) (r Record, title string, err error) {
	for i, c := range columns {
		switch at := places[i]; {
		case at < 0:
			c.stand(&r, n)
		case at >= len(row):
			return r, c.title, csv.ErrFieldCount
		default:
			if err := c.set(&r, row[at]); err != nil {
				return r, c.title, err
			}
		}
	}
	return r, "", nil
}

// distinct is records without equal ones. Texts of packages, which are few, are
// kept once; a path is kept without the rest of its row.
type distinct struct {
	records  []Record
	packages map[string]string
	seed     maphash.Seed
	first    map[uint64]int32 // by hash, the place in records
	more     map[Record]bool  // those whose hash another one has
}

func (d *distinct) add(r Record) {
	if d.first == nil {
		d.seed, d.first, d.packages, d.more = maphash.MakeSeed(), map[uint64]int32{}, map[string]string{}, map[Record]bool{}
	}
	h := maphash.Comparable(d.seed, r)
	if i, met := d.first[h]; met {
		if d.records[i] == r || d.more[r] {
			return
		}
	}
	name, ok := d.packages[r.Package]
	if !ok {
		name = strings.Clone(r.Package)
		d.packages[name] = name
	}
	r.Package, r.Path = name, strings.Clone(r.Path)
	if _, met := d.first[h]; met {
		d.more[r] = true
	} else {
		d.first[h] = int32(len(d.records))
	}
	d.records = append(d.records, r)
}
