package designs_test

import (
	"bytes"
	"fmt"

	"github.com/hbase-rowkey/rowkey"
)

// Design 23, web pages by reversed host. Labels turned round keep a site
// together: iteblog.com, flink.iteblog.com and spark.iteblog.com are neighbours.
// Two traps. By characters, moc.golbeti does the same, but nobody can read it.
// And the rows that begin with com.iteblog are not the site: com.iteblogger is
// among them. The host itself is one range, and its subdomains, which go on with
// a dot, another.
func Example_webPages() {
	pages := rowkey.New("pages").
		String("host", rowkey.ReverseLabels(".")).Separator("\x00").
		String("path").
		MustBuild()
	fmt.Println(pages)

	var t table
	for _, host := range []string{"iteblog.com", "www.iteblogger.com", "flink.iteblog.com", "example.org", "spark.iteblog.com"} {
		t.put(pages.Key(nil).Field("host").String(host).Field("path").String("/index.html").Bytes())
	}
	read := func(r rowkey.Range) {
		for key := range t.scan(r) {
			var host, path string
			err := pages.Read(key).String(&host).String(&path).Err()
			fmt.Println(rowkey.Shell(key), "is", host+path, err)
		}
	}
	host := must(pages.Key(nil).String("iteblog.com").Range())
	read(host)
	head, _ := bytes.CutSuffix(host.Start(), []byte{0}) // the host without its end
	read(rowkey.PrefixRange(append(head, '.')))

	chars := rowkey.New("chars").String("host", rowkey.Reverse).MustBuild()
	fmt.Printf("%s\n", must(chars.Key(nil).String("flink.iteblog.com").Bytes()))
	// Output:
	// [host reverselabels(".")]['\x00'][path]
	// com\x2Eiteblog\x00\x2Findex\x2Ehtml is iteblog.com/index.html <nil>
	// com\x2Eiteblog\x2Eflink\x00\x2Findex\x2Ehtml is flink.iteblog.com/index.html <nil>
	// com\x2Eiteblog\x2Espark\x00\x2Findex\x2Ehtml is spark.iteblog.com/index.html <nil>
	// moc.golbeti.knilf
}
