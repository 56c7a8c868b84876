// Quickstart shows what a row key is, without a server, or with one.
//
// It puts the orders of a week, which it makes up, into three ordered tables held in
// memory: by seller, by buyer, and by time. It asks them questions, and checks every
// answer against a plain filter over the orders. Days are those of +08:00.
//
//	go run ./examples/quickstart
//	go run -tags hbase ./examples/quickstart -hbase HOST:PORT
//
// A second tour does the same with real records: the files of the Go toolchain's own
// source tree, or the rows of a CSV file.
//
//	go run ./examples/quickstart -files
//	go run ./examples/quickstart -csv FILE -map package=Node,path=Content
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/dustin/go-humanize/english"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: 0 if every answer was right, 1 if anything failed, 2 if
// it was called wrongly.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	tree := flags.Bool("files", false, "the other tour: index the files of the Go toolchain's source tree in place of orders")
	csvFile := flags.String("csv", "", "the other tour, on the rows of `FILE`: a header row, then\ncolumns package and path, and perhaps size and time, in any order")
	mapping := flags.String("map", "", "what FILE calls these columns: `package=Node,path=Content`")
	pkg := flags.String("package", "", "the package to ask about, of -files or -csv\n(default net/http, or that of the file's first row)")
	server := flags.String("hbase", "", "answer from tables of HBase, by the Thrift2 gateway at `ADDRESS` (go run -tags hbase):\n"+
		"host:port, http://host:port/ or https://host:port/, with the headers ACCESSKEYID and\n"+
		"ACCESSSIGNATURE if the environment has them; the tables are made, and dropped at the end, on Ctrl-C, too")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "quickstart: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	titles, err := parseMap(*mapping)
	if err == nil && *mapping != "" && *csvFile == "" {
		err = errors.New("-map says what the columns of -csv FILE are called")
	}
	if err == nil && *pkg != "" && *csvFile == "" && !*tree {
		err = errors.New("-package says which one of -files or of -csv FILE to ask about")
	}
	if err == nil && *tree && *csvFile != "" {
		err = errors.New("-files and -csv FILE are two sources of the same tour: give one")
	}
	if err == nil && *server != "" && !hasClient {
		err = errors.New("this program was built without a client of HBase: go run -tags hbase ./examples/quickstart -hbase ADDRESS")
	}
	if err != nil {
		fmt.Fprintln(stderr, "quickstart:", err)
		return 2
	}

	// Most of what is held are keys, which stay: a smaller heap is worth more
	// collections.
	defer debug.SetGCPercent(debug.SetGCPercent(15))
	out := bufio.NewWriter(stdout)
	calls, done := watchInterrupts(stderr, *server != "")
	if *tree || *csvFile != "" {
		var in input
		if in, err = find(*csvFile, titles, *pkg, stderr); err == nil {
			err = filesTour(calls, out, colours(stdout), in, *server)
		}
	} else {
		err = ordersTour(calls, out, colours(stdout), *server)
	}
	done()
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(stderr, "quickstart:", err)
		return 1
	}
	return 0
}

// find says where the records come from, and which package to ask about.
func find(name string, titles map[string]string, pkg string, stderr io.Writer) (input, error) {
	if name == "" {
		source, err := goSource()
		return input{source, cmp.Or(pkg, "net/http"), func() ([]Record, []string, error) {
			records, err := readTree(os.DirFS(source))
			return records, nil, err
		}}, err
	}
	if _, err := os.Stat(name); err != nil {
		return input{}, err
	}
	return input{name, pkg, func() ([]Record, []string, error) {
		c := csvFile{name: name, titles: titles}
		if terminal(stderr) {
			begun := time.Now()
			c.tell = func(rows int) {
				if time.Since(begun) > time.Second {
					fmt.Fprintf(stderr, "\r%s rows read", comma(uint64(rows)))
				}
			}
			defer fmt.Fprint(stderr, "\r\033[K")
		}
		records, notes, left, err := c.records()
		return records, append(notes, left.notes()...), err
	}}, nil
}

// notes are the rows left out, in words.
func (l *leftOut) notes() []string {
	if l.rows == 0 {
		return nil
	}
	says := []string{fmt.Sprintf("%s left out:", english.Plural(l.rows, "row is", "rows are"))}
	for _, why := range l.order {
		says = append(says, fmt.Sprintf("%s: %s, the first at %s", comma(uint64(l.why[why])), why, l.first[why]))
	}
	return says
}

// colours reports whether w is a terminal whose user has nothing against
// colours.
func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
