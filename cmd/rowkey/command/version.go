package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/spf13/cobra"
)

// modulePath is the command's module. In a program of someone's own that
// registers schemas it is a dependency.
const modulePath = "github.com/hbase-rowkey/rowkey/cmd/rowkey"

// version is what a program was built of, as JSON.
type version struct {
	Version  string `json:"version"`            // of the command's module; (devel) of a clone
	Revision string `json:"revision,omitempty"` // of the clone
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // the clone has changes that the revision has not
	Go       string `json:"go"`
	Platform string `json:"platform"`

	own bool // the program is the command itself
}

// versionOf reads what the compiler wrote into the program.
func versionOf(info *debug.BuildInfo) version {
	v := version{Version: "(unknown)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return v
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != modulePath {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if v.Version = m.Version; v.Version == "" {
			v.Version = "(devel)"
		}
	}
	if info.Main.Path != modulePath { // the revision is that of the other program
		return v
	}
	v.own = true
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is a line that a report of a fault can hold.
func (v version) String() string {
	from := ""
	if v.Revision != "" {
		parts := []string{"revision " + v.Revision}
		if v.Time != "" {
			parts = append(parts, v.Time)
		}
		if v.Modified {
			parts = append(parts, "modified")
		}
		from = " (" + strings.Join(parts, ", ") + ")"
	} else if v.own && v.Version == "(devel)" {
		from = " (no revision: built with -buildvcs=false, or outside of a clone)"
	}
	return fmt.Sprintf("rowkey %s%s %s %s", v.Version, from, v.Go, v.Platform)
}

func builtOf() version {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func (a *app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is, of which revision, and by which Go it was built",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("expected no argument, not %s", said.Shown(args[0]))
			}
			return nil
		},
	}
	a.outputs(c, "table", "json")
	c.RunE = func(*cobra.Command, []string) error {
		if a.out == "json" {
			return a.write(said.JsonText(builtOf()) + "\n")
		}
		return a.write(builtOf().String() + "\n")
	}
	return c
}
