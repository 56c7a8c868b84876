package command

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

const listRow = `{"a":"x","b":1}`

// objects are the objects of a text that is nothing but arrays of them; false of other text.
func objects(text string) (n int, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var list []map[string]any
		if err := d.Decode(&list); errors.Is(err, io.EOF) {
			return n, true
		} else if err != nil || list == nil {
			return 0, false
		}
		for _, o := range list {
			if o == nil {
				return 0, false
			}
		}
		n += len(list)
	}
}

// A cut or broken array is an error, and a whole one is not.
func TestJSONList(t *testing.T) {
	texts := []string{
		"[" + listRow + ",", "[", "[[[[", "[," + listRow + "]", "[" + listRow, "[" + listRow + ",]", "[" + listRow + listRow + "]", "[" + listRow + ",," + listRow + "]",
		"[" + listRow + "]]", "[" + listRow + "]" + listRow, "[]", "[" + listRow + "]", "[" + listRow + "]\n[" + listRow + "]\n", "[\n" + listRow + ",\n" + listRow + "\n]\n", "[]]",
	}
	r := seed.Rand(t)
	pieces := []string{"[", "]", ",", listRow, "\n", " ", `{"a":`, "7", "]\n[", listRow + ",", listRow + ",\n"}
	for range 600 {
		text := "["
		for range r.IntN(8) {
			text += pieces[r.IntN(len(pieces))]
		}
		texts = append(texts, text, text+listRow+"]")
	}
	good := 0
	for _, text := range texts {
		want, ok := objects(text)
		out, stderr, code := call(text, "encode", "-s", "[a]['_'][b:1]", "--in", "json")
		if ok {
			good++
			assert.Zero(t, code, "%q: %s", text, stderr)
			assert.Equal(t, want, strings.Count(out, "\n"), "%q", text)
		} else {
			assert.NotZero(t, code, "%q", text)
			assert.NotEmpty(t, stderr, "%q", text)
		}
	}
	assert.Greater(t, good, 30)
	_, stderr, _ := call("["+listRow+",\n"+listRow+",", "encode", "-s", "[a]['_'][b:1]", "--in", "json")
	assert.Contains(t, stderr, "the input ends within its array: expected an object")
	_, stderr, _ = call("["+listRow+",\n,"+listRow+"]", "encode", "-s", "[a]['_'][b:1]", "--in", "json")
	assert.Contains(t, stderr, `line 2: expected an object in the array, not ,{"a":"x","b":1}]`)
}

// Wherever a read ends, the same is wrong.
func TestJSONListByBytes(t *testing.T) {
	for text, bad := range map[string]bool{
		"[" + listRow + ",\n" + listRow + "\n]\n": false, "[" + listRow + ",": true, "[\n,\n" + listRow + "]": true, "[" + listRow + "\n" + listRow + "]": true, "[\n" + listRow + "\n,": true,
	} {
		list := &jsonList{shape: jsonShape{array: true}}
		c := &recordCutter{lineCutter{r: iotest.OneByteReader(strings.NewReader(text)), end: '\n', bom: true}, list.whole, list.ends}
		var err error
		for given := ""; err == nil; {
			b := &block{}
			err = c.next(b)
			given += string(b.data)
			assert.True(t, strings.HasPrefix(text, given), "%q of %q", given, text)
		}
		assert.Equal(t, bad, !errors.Is(err, io.EOF), "%q: %v", text, err)
	}
}
