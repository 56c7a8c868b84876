package designs_test

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey"
)

// Design 23, web pages by reversed host. Labels turned round keep a site
// together: iteblog.com, flink.iteblog.com and spark.iteblog.com are neighbours.
// Two traps. By characters, moc.golbeti does the same, but nobody can read it.
// And the rows that begin with com.iteblog are not the site: com.iteblogger is
// among them. The host itself is one range, and its subdomains, which end in
// ".iteblog.com", another.
func Example_webPages() {
	pages := rowkey.New("pages").
		String("host", rowkey.ReverseLabels(".")).Separator("\x00").
		String("path").
		MustBuild()
	fmt.Println(pages)

	var t table
	for _, host := range []string{"iteblog.com", "www.iteblogger.com", "flink.iteblog.com", "example.org", "spark.iteblog.com"} {
		t.put(pages.Key().Field("host").String(host).Field("path").String("/index.html").Bytes())
	}
	for _, site := range []rowkey.Cond{rowkey.Eq("host", "iteblog.com"), rowkey.Suffix("host", ".iteblog.com")} {
		plan := must(pages.Scan(site))
		fmt.Print(plan)
		for key := range t.read(plan) {
			var host, path string
			err := pages.Read(key).String(&host).String(&path).Err()
			fmt.Printf("%q is %s%s %v\n", key, host, path, err)
		}
	}

	chars := rowkey.New("chars").String("host", rowkey.Reverse).MustBuild()
	fmt.Printf("%s\n", must(chars.Key().String("flink.iteblog.com").Bytes()))
	// Output:
	// [host reverselabels(".")]['\x00'][path]
	// pages: one range, every row in them matches
	//   [com.iteblog\x00, com.iteblog\x01)
	//   host: one value
	// "com.iteblog\x00/index.html" is iteblog.com/index.html <nil>
	// pages: one range, every row in them matches
	//   [com.iteblog., com.iteblog/)
	//   host: an interval
	// "com.iteblog.flink\x00/index.html" is flink.iteblog.com/index.html <nil>
	// "com.iteblog.spark\x00/index.html" is spark.iteblog.com/index.html <nil>
	// moc.golbeti.knilf
}
