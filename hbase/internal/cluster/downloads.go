package cluster

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"time"
)

// downloads is Maven's output, of which it tells how far the downloads are.
type downloads struct {
	log  io.Writer
	all  []byte
	line []byte // that has no end yet

	files int
	size  float64 // bytes
	last  string
	told  time.Time
}

// tellEvery is how often a line about downloads is written.
const tellEvery = 3 * time.Second

// downloaded is Maven's line about a file that has come.
var downloaded = regexp.MustCompile(`Downloaded from [^:]+: (\S+) \(([0-9.]+) (B|kB|MB|GB) at `)

var units = map[string]float64{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}

func (d *downloads) Write(b []byte) (int, error) {
	d.all = append(d.all, b...)
	d.line = append(d.line, b...)
	for {
		i := bytes.IndexByte(d.line, '\n')
		if i < 0 {
			return len(b), nil
		}
		if m := downloaded.FindSubmatch(d.line[:i]); m != nil {
			n, _ := strconv.ParseFloat(string(m[2]), 64)
			d.files++
			d.size += n * units[string(m[3])]
			d.last = path.Base(string(m[1]))
			if time.Since(d.told) >= tellEvery {
				d.tell()
			}
		}
		d.line = d.line[i+1:]
	}
}

// tell says how far it is, if anything had to be fetched.
func (d *downloads) tell() {
	d.told = time.Now()
	if d.files > 0 {
		fmt.Fprintf(d.log, "   %.1f MB in %d files; %s\n", d.size/1e6, d.files, d.last)
	}
}
