// Quickstart shows what a row key is, on real records and without a server, or
// with one.
//
// It indexes the files of the Go toolchain's own source tree, or the rows of
// a CSV file, in three ordered tables held in memory, asks them questions, and
// checks every answer against a plain filter over the records.
//
//	go run ./examples/quickstart
//	go run ./examples/quickstart -csv FILE
//	go run ./examples/quickstart -hbase HOST:PORT
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/pterm/pterm"
	"golang.org/x/term"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: 0 if every answer was right, 1 if anything failed, 2 if
// it was called wrongly.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	csvFile := flags.String("csv", "", "index the rows of `FILE` instead: a header row, then\ncolumns package, size, time and path in any order")
	pkg := flags.String("package", "", "the package to ask about\n(default net/http, or that of the file's first row)")
	server := flags.String("hbase", "", "answer from tables of HBase, by the Thrift2 gateway at `ADDRESS`:\n"+
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

	if colours(stdout) {
		pterm.EnableColor()
	} else {
		pterm.DisableColor()
	}
	out := bufio.NewWriter(stdout)
	calls, done := watchInterrupts(stderr, *server != "")
	err := load(calls, *csvFile, *pkg, *server, out)
	done()
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(stderr, "quickstart:", err)
		return 1
	}
	return 0
}

// load finds the records and the package to ask about, and starts the tour.
func load(calls contexts, csvFile, pkg, server string, out io.Writer) error {
	var records []Record
	var source string
	var err error
	if csvFile != "" {
		source = csvFile
		records, err = readCSV(csvFile)
	} else if source, err = goSource(); err == nil {
		records, err = readTree(os.DirFS(source))
	}
	if err != nil {
		return err
	}
	if pkg == "" {
		pkg = records[0].Package
		if csvFile == "" {
			pkg = "net/http"
		}
	}
	return tour(calls, out, source, records, pkg, server)
}

// colours reports whether w is a terminal whose user has nothing against
// colours.
func colours(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
