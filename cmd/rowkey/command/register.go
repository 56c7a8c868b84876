// Package command is the rowkey command as a library. A program of your own
// that registers schemas has all of its subcommands for them, also for those
// that no notation says: with digests, units and transforms written in Go.
//
//	func main() {
//		command.Register("trades", "orders of a seller, newest first", trades)
//		command.Main()
//	}
//
// On the command line a registered schema goes by its name, -s trades, as one of
// rowkey.yaml does.
package command

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey"
)

var registry struct {
	sync.Mutex
	all []entry
}

// Register gives a schema a name on the command line, and says what it is for.
// It panics if the name is taken, or is not made of letters, digits, '_', '-',
// '.' and ':'.
func Register(name, about string, s *rowkey.Schema) {
	registry.Lock()
	defer registry.Unlock()
	switch {
	case s == nil:
		panic("command: no schema for " + name)
	case !validName(name):
		panic(fmt.Sprintf("command: a schema's name is letters, digits, '_', '-', '.' and ':', not %q", name))
	case slices.Contains(names(registry.all), name):
		panic("command: " + name + " is registered twice")
	}
	registry.all = append(registry.all, entry{name: name, notation: s.String(), about: about, built: s})
	slices.SortFunc(registry.all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
}

// registered is what Register was given, and what is said of where it is from.
func registered() ([]entry, string) {
	registry.Lock()
	defer registry.Unlock()
	if len(registry.all) == 0 {
		return nil, ""
	}
	return slices.Clone(registry.all), "this program"
}

// Main is the command: it reads the arguments of the program and exits with 0 if
// all is fine, 1 if something was found, 2 if it was misused.
func Main() { os.Exit(newApp().run(os.Args[1:])) }
