// Scale measures how costs grow: with cores, batches, fields, the length of a
// key, the ranges of a merge; and what building and holding a schema takes.
//
//	go run -C bench ./scale -svg scale.svg
//
// It prints a line for each point. Beside each cost that one could write by hand
// stands that of the hand-written code, timed in turn with it.
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
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		name   = flags.String("run", "", "only the panels whose name matches this `regexp`")
		rounds = flags.Int("rounds", 10, "time each point so often, and take the median")
		d      = flags.Duration("time", 50*time.Millisecond, "for so long each time")
		asJSON = flags.Bool("json", false, "write the points as JSON")
		svg    = flags.String("svg", "", "draw a picture into this `file`")
		doc    = flags.String("doc", "", "write the table of this Markdown `file`, or of several with commas between them; of all panels")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*name)
	panels := bench.Panels()
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
		return errors.New("-doc: the table holds all panels, and -run selects some")
	}
	if panels = bench.SelectPanels(panels, match); len(panels) == 0 {
		return fmt.Errorf("-run: no panel matches %q", *name)
	}

	bar := progress.Start(stderr, "timing all points")
	report, err := bench.MeasureScale(panels, bench.Options{Rounds: *rounds, Time: *d, Step: bar.Step})
	bar.Stop()
	if err != nil {
		return err
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
		err = page.Write(*doc, map[string]string{"scale": report.Markdown()})
	}
	return err
}
