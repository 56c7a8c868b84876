// Package play answers the playground: a page on which a design of row keys is reviewed. Its
// functions take JSON and give JSON. The server of rowkey play calls them over HTTP, the static page
// as WebAssembly, and the answers are the same.
//
// No function reads a file, a clock, the environment or the network, but for infer, which stops its
// search by the clock.
package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// What one call takes at most: it must answer while somebody types.
const (
	maxNotation  = 8 << 10
	maxValue     = 4 << 10
	maxPaste     = 64 << 10
	maxCSV       = 4 << 20
	maxQuestions = 12
	maxConds     = 16
	maxDesigns   = 3
	maxShown     = 64 // ranges that are listed
	maxKeys      = 20 // pasted keys that are explained
)

// methods are what Call knows, with those of later.go.
var methods = map[string]func([]byte) (any, error){
	"look":    with(look),
	"explain": with(explain),
	"compare": with(compared),
	"take":    with(taken),
	"rules":   with(rules),
}

// Methods are the names that Call knows, in order.
func Methods() []string { return slices.Sorted(maps.Keys(methods)) }

// Slow reports that a method may take longer than a keystroke. The page calls it from another
// thread.
func Slow(method string) bool { return method == "simulate" || method == "infer" }

// MaxBody is how many bytes a request of a method may have.
func MaxBody(method string) int64 {
	if method == "simulate" {
		return maxCSV + maxCSV/2 + 256<<10 // JSON writes a line's end in two bytes
	}
	return 256 << 10
}

func with[In, Out any](f func(In) (Out, error)) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		var in In
		if err := json.Unmarshal(data, &in); err != nil {
			return nil, fmt.Errorf("the request is not the JSON of this method: %w", err)
		}
		return f(in)
	}
}

// Call answers one request. The answer is always JSON; that of an error is {"error": "…"}.
func Call(method string, request []byte) (answer []byte) {
	defer func() {
		if r := recover(); r != nil { // a fault of this library must not end the page
			answer = failure(fmt.Errorf("a fault in rowkey, please report it: %v", r))
		}
	}()
	f := methods[method]
	switch {
	case f == nil:
		return failure(fmt.Errorf("no method %s: expected %s", said.Shown(method), said.OneOf(Methods())))
	case int64(len(request)) > MaxBody(method):
		return failure(fmt.Errorf("a request of %d bytes, and %s takes %d", len(request), method, MaxBody(method)))
	}
	out, err := f(request)
	if err != nil {
		return failure(err)
	}
	answer, err = json.Marshal(out)
	if err != nil {
		return failure(err)
	}
	return answer
}

func failure(err error) []byte {
	out, _ := json.Marshal(map[string]string{"error": firstLine(err)})
	return out
}

// tooLong refuses what is longer than anybody writes.
func tooLong(what, text string, most int) error {
	if len(text) > most {
		return fmt.Errorf("%s: %d bytes, at most %d", what, len(text), most)
	}
	return nil
}

// atByte is the place of an error in a notation, which the page marks.
var atByte = pattern.New(` \(at byte \d+\)$`)

// firstLine is an error in the words of the notation, without the picture of its place: the page
// shows that itself. What it says of the command's flags is left out.
func firstLine(err error) string {
	text, _, _ := strings.Cut(said.PlainError(said.InNotation(err)), "\n")
	if at := strings.Index(text, "; --"); at > 0 {
		text = text[:at]
	}
	return atByte.ReplaceAllString(strings.ReplaceAll(text, ": "+rowkey.ErrSchema.Error(), ""), "")
}

// parse reads a notation that must be one.
func parse(name, notation string) (*rowkey.Schema, error) {
	if err := tooLong("the design", notation, maxNotation); err != nil {
		return nil, err
	}
	s, err := rowkey.Parse(nameOf(name), notation)
	if err != nil {
		return nil, errors.New(firstLine(said.Reason(err)))
	}
	return s, nil
}

// nameOf is a design's name as a schema and a table may have it.
func nameOf(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if clean = strings.Trim(clean, "_"); clean == "" || len(clean) > 60 || clean[0] <= '9' {
		return "design"
	}
	return clean
}

// units is a place in a text as a browser counts it, in UTF-16, of one in bytes.
func units(text string, at int) int {
	return len(utf16.Encode([]rune(text[:min(max(at, 0), len(text))])))
}
