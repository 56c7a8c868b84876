package command

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What version says, by what the compiler wrote.
func TestVersion(t *testing.T) {
	built := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	own := debug.Module{Path: modulePath, Version: "v0.3.1"}
	clone := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "afbc972"}, {Key: "vcs.time", Value: "2026-11-22T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{&debug.BuildInfo{Main: own}, "rowkey v0.3.1"},
		{&debug.BuildInfo{Main: debug.Module{Path: modulePath, Version: "(devel)"}, Settings: clone}, "rowkey (devel) (revision afbc972, 2026-11-22T10:00:00Z, modified)"},
		{&debug.BuildInfo{Main: debug.Module{Path: modulePath}, Settings: clone[:2]}, "rowkey (devel) (revision afbc972)"},
		{&debug.BuildInfo{Main: debug.Module{Path: "example.com/tables"}, Deps: []*debug.Module{&own}, Settings: clone}, "rowkey v0.3.1"},
		{&debug.BuildInfo{Main: debug.Module{Path: "example.com/tables"}, Deps: []*debug.Module{{Path: modulePath, Version: "v0.3.1", Replace: &debug.Module{Path: "../rowkey"}}}}, "rowkey (devel)"},
		{&debug.BuildInfo{}, "rowkey (unknown)"},
		{nil, "rowkey (unknown)"},
	} {
		assert.Equal(t, c.want+built, versionOf(c.info).String())
	}
}
