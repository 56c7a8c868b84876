// Rowkey is the row-key library at a terminal: paste a key and read it; paste a
// design and see its ranges, its split keys and what its keys cost.
//
//	rowkey explain -s "[salt16(seller)][seller]['_'][max-ms(at)][order:8]" 0c732d34325f7ffffe77dda4124f0000000000000007
//	rowkey scan -s trades seller=s-42 'at>=2023-05-16' 'at<2023-05-17' -o shell
//
// README.md beside this file shows every command with its output.
package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

func main() {
	a := &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		inTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		plain:       os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb",
	}
	os.Exit(a.run(os.Args[1:]))
}

// app is one call of the command.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	inTerminal, outTerminal, errTerminal bool
	plain                                bool // no colours, whatever the terminal

	flags schemaFlags
	out   string // -o
	zone  string // --tz
	bad   bool   // something was found: exit 1
}
