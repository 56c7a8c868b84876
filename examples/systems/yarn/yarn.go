// Package yarn declares the row keys of YARN's timeline service v2 (Hadoop 3.4).
// Of the table of applications:
//
//	[cluster] ! [user] ! [flow] ! [Long.MAX_VALUE − run] ! [application id]
//
// A text escapes the separator and what a scan could not tell apart: % becomes
// %9$, a space %2$, a tab %3$ and ! becomes %0$. Numbers are 8 and 4 bytes, which
// may hold 21 themselves: they end by their width. An application's id is
// Long.MAX_VALUE − the cluster's start and Integer.MAX_VALUE − its number, so that
// the newest comes first.
//
// In Java: new ApplicationRowKey(cluster, user, flow, run, appId).getRowKey().
package yarn

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/interop"
)

var (
	// Application is the table timelineservice.application.
	Application = flowRun("application").
			Literal("!").
			String("app", rowkey.Via(AppID{})).
			MustBuild()

	// FlowRun is the table timelineservice.flowrun.
	FlowRun = flowRun("flowrun").MustBuild()

	// FlowActivity is the table timelineservice.flowactivity: who ran what on a day.
	FlowActivity = rowkey.New("flowactivity").
			String("cluster", rowkey.Via(Escape{})).Separator("!").
			Time("day", rowkey.Millis, rowkey.Desc, rowkey.Truncate(24*time.Hour)).
			Literal("!").
			String("user", rowkey.Via(Escape{})).Separator("!").
			String("flow", rowkey.Via(Escape{})).
			MustBuild()

	// Entity is the table timelineservice.entity.
	Entity = rowkey.New("entity").
		String("user", rowkey.Via(Escape{})).Separator("!").
		String("cluster", rowkey.Via(Escape{})).Separator("!").
		String("flow", rowkey.Via(Escape{})).Separator("!").
		Int("run", 8, interop.HBase, rowkey.Desc).
		Literal("!").
		String("app", rowkey.Via(AppID{})).
		Literal("!").
		String("type", rowkey.Via(Escape{})).Separator("!").
		Int("prefix", 8, interop.HBase).
		Literal("!").
		String("id", rowkey.Via(Escape{})).
		MustBuild()

	// SubApplication is the table timelineservice.subapplication.
	SubApplication = rowkey.New("subapplication").
			String("subuser", rowkey.Via(Escape{})).Separator("!").
			String("cluster", rowkey.Via(Escape{})).Separator("!").
			String("type", rowkey.Via(Escape{})).Separator("!").
			Int("prefix", 8, interop.HBase).
			Literal("!").
			String("id", rowkey.Via(Escape{})).Separator("!").
			String("user", rowkey.Via(Escape{})).
			MustBuild()

	// Domain is the table timelineservice.domain.
	Domain = rowkey.New("domain").
		String("cluster", rowkey.Via(Escape{})).Separator("!").
		String("domain", rowkey.Via(Escape{})).
		MustBuild()

	// AppToFlow is the table timelineservice.app_flow.
	AppToFlow = rowkey.New("app_flow").
			String("app", rowkey.Via(AppID{})).
			MustBuild()
)

// flowRun begins with the run of a flow. Runs are instants as a rule, but the
// service takes any long.
func flowRun(name string) *rowkey.Builder {
	return rowkey.New(name).
		String("cluster", rowkey.Via(Escape{})).Separator("!").
		String("user", rowkey.Via(Escape{})).Separator("!").
		String("flow", rowkey.Via(Escape{})).Separator("!").
		Int("run", 8, interop.HBase, rowkey.Desc)
}

// Escape is Separator.encode(s, QUALIFIERS, SPACE, TAB): no separator is left.
type Escape struct{}

var (
	escapes   = strings.NewReplacer("%", "%9$", " ", "%2$", "\t", "%3$", "!", "%0$")
	unescaped = map[byte]byte{'9': '%', '2': ' ', '3': '\t', '0': '!'}
	errEscape = errors.New("no escape of YARN's")
)

// Append escapes a text.
func (Escape) Append(dst, value []byte) ([]byte, error) {
	return append(dst, escapes.Replace(string(value))...), nil
}

// Invert takes the escapes back; what should have been escaped is refused.
func (Escape) Invert(dst, stored []byte) ([]byte, error) {
	at := len(dst)
	for i := 0; i < len(stored); i++ {
		c := stored[i]
		switch c {
		case ' ', '\t', '!':
			return dst[:at], errEscape
		case '%':
			if i+2 >= len(stored) || stored[i+2] != '$' || unescaped[stored[i+1]] == 0 {
				return dst[:at], errEscape
			}
			c, i = unescaped[stored[i+1]], i+2
		}
		dst = append(dst, c)
	}
	return dst, nil
}

// Traits: % and the rest do not sort as what they stand for, but each byte has a form
// of its own that begins no other, so that a text's form begins as its beginnings do.
func (Escape) Traits() rowkey.Traits {
	return rowkey.Traits{Order: rowkey.Unordered, Prefixes: true}
}
func (Escape) String() string { return "yarn-escape" }

// AppID is application_1465246237936_0001 in 12 bytes, as AppIdKeyConverter
// writes it: the number in at least four digits.
type AppID struct{}

var errAppID = errors.New("no id of an application")

// Append writes the id's two numbers, each taken from the largest of its type.
func (AppID) Append(dst, value []byte) ([]byte, error) {
	text, ok := strings.CutPrefix(string(value), "application_")
	start, number, ok2 := strings.Cut(text, "_")
	ts, err := strconv.ParseInt(start, 10, 64)
	n, err2 := strconv.ParseInt(number, 10, 32)
	if !ok || !ok2 || err != nil || err2 != nil || ts < 0 || n < 0 || appID(ts, n) != string(value) {
		return dst, errAppID
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(math.MaxInt64-ts))
	return binary.BigEndian.AppendUint32(dst, uint32(math.MaxInt32-n)), nil
}

// Invert gives the id back.
func (AppID) Invert(dst, stored []byte) ([]byte, error) {
	if len(stored) != 12 || stored[0]&0x80 != 0 || stored[8]&0x80 != 0 {
		return dst, errAppID
	}
	ts := math.MaxInt64 - int64(binary.BigEndian.Uint64(stored))
	n := math.MaxInt32 - int64(binary.BigEndian.Uint32(stored[8:]))
	return append(dst, appID(ts, n)...), nil
}

func appID(start, number int64) string {
	digits := strconv.FormatInt(number, 10)
	return "application_" + strconv.FormatInt(start, 10) + "_" + strings.Repeat("0", max(0, 4-len(digits))) + digits
}

// Traits: 12 bytes, in the order of the numbers backward, and not of the text.
func (AppID) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered, Size: 12} }
func (AppID) String() string        { return "yarn-appid" }
