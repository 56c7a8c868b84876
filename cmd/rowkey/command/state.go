package command

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"golang.org/x/term"
)

// app is one call of the command.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	inTerminal, outTerminal, errTerminal bool
	plain                                bool // no colours, whatever the terminal
	colors                               bool // colours, whatever the output
	quiet                                bool
	color                                string           // --color
	columns                              int              // of the terminal, as COLUMNS says; 0: as it says itself
	clock                                func() time.Time // nil: the machine's

	flags schemaFlags
	out   string // -o
	lang  string // --lang: en or zh
	zone  string // --tz
	bad   bool   // something was found: exit 1
	notes said.Notes
	kept  *kept  // of inputs that are read again
	pass  string // which reading of them this is, as the bar has it
	alone bool   // the process is this call's
}

func newApp() *app {
	columns, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	return &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		inTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		plain:       os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb",
		columns:     columns,
		alone:       true,
	}
}

func (a *app) now() time.Time {
	if a.clock != nil {
		return a.clock()
	}
	return time.Now()
}

// language is that of the environment, as --lang names it: LC_ALL before LANG.
func language() string {
	for _, name := range []string{"LC_ALL", "LANG"} {
		if text := os.Getenv(name); text != "" {
			if strings.HasPrefix(strings.ToLower(text), "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

// width is the columns of a terminal, 0 where that is not known.
func (a *app) width(w io.Writer) int {
	if a.columns > 0 {
		return a.columns
	}
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}
