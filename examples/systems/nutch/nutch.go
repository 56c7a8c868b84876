// Package nutch declares the row key of Nutch 2's table of web pages, a URL with
// the labels of its host turned round:
//
//	http://bar.baz.com:8983/to/index.html?a=b   com.baz.bar:http:8983/to/index.html?a=b
//
// so that the pages of a domain lie together: a Suffix of the host is a range.
//
// In Java: TableUtil.reverseUrl(url).
package nutch

import (
	"errors"
	"net/url"
	"strings"

	"github.com/hbase-rowkey/rowkey"
)

// Page is the table webpage.
var Page = rowkey.New("webpage").
	String("host", rowkey.ReverseLabels(".")).Separator(":").
	String("rest").
	MustBuild()

var errURL = errors.New("nutch: no URL with a protocol and a host name")

// Key is the row key of a URL. As Nutch does, it drops the user, the fragment and
// the empty labels of a host. A host in brackets is refused: of http://[::1]/
// Nutch makes a key that it cannot turn back.
func Key(text string) ([]byte, error) {
	host, rest, err := Split(text)
	if err != nil {
		return nil, err
	}
	return Page.Key().String(host).String(rest).Bytes()
}

// Split is the two fields of a URL: its host, and protocol, port and file, as
// http:8983/to.
func Split(text string) (host, rest string, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || strings.ContainsAny(u.Host, "[]") {
		return "", "", errURL
	}
	rest = u.Scheme
	if port := u.Port(); port != "" {
		rest += ":" + port
	}
	path := u.EscapedPath()
	if path == "" && u.RawQuery != "" {
		path = "/"
	}
	rest += path
	if u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	return Host(u.Hostname()), rest, nil
}

// Host is a host without empty labels, as Nutch keeps it: a.b of a..b. A host of dots alone stays.
func Host(name string) string {
	labels := strings.FieldsFunc(name, func(r rune) bool { return r == '.' })
	if len(labels) == 0 {
		return name
	}
	return strings.Join(labels, ".")
}

// URL undoes Split.
func URL(host, rest string) string {
	protocol, file, port := rest, "", ""
	if i := strings.IndexByte(protocol, '/'); i >= 0 {
		protocol, file = protocol[:i], protocol[i:]
	}
	if i := strings.IndexByte(protocol, ':'); i >= 0 {
		protocol, port = protocol[:i], protocol[i:]
	}
	return protocol + "://" + host + port + file
}
