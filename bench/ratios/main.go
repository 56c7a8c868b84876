// Ratios times every promise of speed, and the other ways to make a key, beside
// code written by hand for that one layout:
//
//	go run -C bench ./ratios
//
// It prints a line for each: name, ratio, allocations, goal, pass or short. Time
// decides nothing else: it fails if two sides differ, or if one allocates more
// than is promised.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/hbase-rowkey/rowkey/bench"
	"github.com/hbase-rowkey/rowkey/bench/internal/page"
	"github.com/hbase-rowkey/rowkey/bench/internal/progress"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("ratios", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		name    = flags.String("run", "", "only the jobs whose name matches this `regexp`")
		rounds  = flags.Int("rounds", 10, "time each side so often, and take the median")
		d       = flags.Duration("time", 100*time.Millisecond, "for so long each time")
		asJSON  = flags.Bool("json", false, "write all times as JSON")
		svg     = flags.String("svg", "", "draw a picture into this `file`")
		printed = flags.Bool("printed", false, "time the code that rowkey gen prints for the layouts, not the library")
		doc     = flags.String("doc", "", "write the tables of this Markdown `file`, or of several with commas between them; of all jobs")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*name)
	jobs, tables := bench.Jobs(), (*bench.Report).Markdown
	if *printed {
		jobs, tables = bench.Printed(), (*bench.Report).PrintedMarkdown
	}
	switch {
	case err != nil:
		return fmt.Errorf("-run: %w", err)
	case flags.NArg() > 0:
		return fmt.Errorf("no arguments are taken, not %q", flags.Arg(0))
	case *rounds < 1:
		return fmt.Errorf("-rounds: want at least 1, not %d", *rounds)
	case *d <= 0:
		return fmt.Errorf("-time: want more than 0, not %v", *d)
	case *doc != "" && *name != "":
		return errors.New("-doc: the tables hold all jobs, and -run selects some")
	}
	if jobs = bench.Select(jobs, match); len(jobs) == 0 {
		return fmt.Errorf("-run: no job matches %q", *name)
	}

	bar := progress.Start(stderr, "timing both sides")
	report, broken := bench.Measure(jobs, bench.Options{Rounds: *rounds, Time: *d, Step: bar.Step})
	bar.Stop()
	if report == nil {
		return broken
	}
	if *asJSON {
		err = report.WriteJSON(stdout)
	} else {
		err = report.WriteText(stdout)
	}
	if err == nil && *svg != "" {
		err = picture(*svg, report)
	}
	if err == nil && *doc != "" {
		err = page.Write(*doc, tables(report))
	}
	return errors.Join(err, broken)
}
