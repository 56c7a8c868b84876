package command

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The Chinese page explains the messages that people meet most: each of its rows is a message
// that the command prints, and none of these lacks its row.
func TestChineseErrors(t *testing.T) {
	const layout = "[salt4(seller)][seller]['_'][max-ms(at)][order:8]"
	messages := map[string][]string{
		"no schema: give a notation with -s":                        {"scan", "--config", os.DevNull, "seller=s"},
		"is no field: the fields are":                               {"scan", "-s", layout, "buyer=x"},
		"no operator: a shell takes > and < for the names of files": {"scan", "-s", layout, "seller"},
		"quote it if that is part of the value":                     {"scan", "-s", layout, "seller=s-4*"},
		"are two conditions: give them as two arguments":            {"scan", "-s", layout, "seller=s-42 and at>=2023-05-16"},
		"query reads the whole table":                               {"scan", "-s", layout, "at>=2023-05-16"},
		"expected a time as":                                        {"scan", "-s", layout, "seller=s-42", "at>=soon"},
		"expected a whole number from":                              {"encode", "-s", layout, "seller=s-1", "at=2023-05-16", "order=-1"},
		"holds the separator":                                       {"encode", "-s", layout, "seller=s_1", "at=2023-05-16", "order=1"},
		"no value for":                                              {"encode", "-s", layout, "seller=s-1", "order=1"},
		"not a key of this schema":                                  {"explain", "-s", layout, "0c"},
		"this looks like a line of a log":                           {"decode", "-s", "[a]", "java.io.IOException: orders,1"},
		"schema cannot be built":                                    {"scan", "-s", "[salt4(a][a]", "a=1"},
		"expected a function such as md5":                           {"draft", "foo(x)"},
		"split keys depend on the data":                             {"splits", "-s", "[ms(at)]", "4"},
		"no such file or directory":                                 {"decode", "-s", layout, "nofile.txt"},
		"no subcommand":                                             {"frob"},
	}
	page, err := os.ReadFile("../../../docs/zh-CN/guide.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| 命令说 | 意思 |")
	require.True(t, found)
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(.+?)` \\| (.+) \\|$").FindAllStringSubmatch(table, -1) {
		rows = append(rows, m[1])
		assert.Regexp(t, `\p{Han}`, m[2], m[1])
		require.Contains(t, messages, m[1], "no case of this row")
	}
	for message, args := range messages {
		assert.True(t, slices.Contains(rows, message), "no row of %q", message)
		stdout, stderr, code := call("", args...)
		assert.Contains(t, stdout+stderr, message)
		assert.NotZero(t, code, message)
	}
}
