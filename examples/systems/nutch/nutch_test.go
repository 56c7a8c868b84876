package nutch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/nutch"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
)

var host = rowkey.New("host").String("host", rowkey.ReverseLabels(".")).MustBuild()

// What org.apache.nutch:nutch 2.4 wrote.
func TestVectors(t *testing.T) {
	vectors.Run(t, "nutch.jsonl", func(l *vectors.Line) {
		if l.Has("op") {
			if op := l.Text("op"); op != "reverseHost" {
				l.Errorf("unknown operation %q", op)
			}
			in, out, back := l.Text("in"), l.Text("out"), l.Text("back")
			if nutch.Host(in) != back {
				l.Errorf("%q comes back as %q", in, back)
			}
			if in == "" {
				if key, err := host.AppendKey(nil, in); err == nil {
					l.Errorf("written as %q", key)
				}
				l.OnlyRefused("no byte, which HBase takes for no key")
				return
			}
			l.Key(host, []byte(out), back)
			return
		}
		url := l.Text("url")
		if l.Has("error") {
			l.Text("error")
			_, err := nutch.Key(url)
			l.Equal("refused by both", err != nil, true)
			return
		}
		reversed, reversedHost, unreversed := l.Text("reversed"), l.Text("host"), l.Text("unreversed")
		if strings.Contains(url, "[") {
			if key, err := nutch.Key(url); err == nil {
				l.Errorf("written as %q", key)
			}
			l.OnlyRefused("a host in brackets, whose key Nutch reads back as ://[/x")
			return
		}
		name, rest, err := nutch.Split(url)
		if err != nil {
			l.Errorf("%v", err)
			return
		}
		key, err := nutch.Key(url)
		if err != nil {
			l.Errorf("%v", err)
		}
		l.Equal("the key", string(key), reversed)
		l.Key(nutch.Page, []byte(reversed), name, rest)
		row, err := nutch.Page.Decode(key)
		l.Equal("the host's bytes", string(row.Stored("host")), reversedHost)
		l.Equal("unreversed", nutch.URL(name, rest), unreversed)
		if err != nil {
			l.Errorf("%v", err)
		}
	})
}

func Example() {
	fmt.Println(nutch.Page)
	key, err := nutch.Key("http://bar.baz.com:8983/to/index.html?a=b")
	fmt.Printf("%s %v\n", key, err)

	row, err := nutch.Page.Decode(key)
	for name, value := range row.All() {
		fmt.Println(name, value, err)
	}

	// All hosts of a domain: one range, of which com.bazaar is no part.
	plan, err := nutch.Page.Scan(rowkey.Suffix("host", ".baz.com"))
	fmt.Print(plan, err)
	// Output:
	// [host reverselabels(".")][':'][rest]
	// com.baz.bar:http:8983/to/index.html?a=b <nil>
	// host bar.baz.com <nil>
	// rest http:8983/to/index.html?a=b <nil>
	// webpage: one range, every row in them matches
	//   [com.baz., com.baz/)
	//   host: an interval
	//  <nil>
}
