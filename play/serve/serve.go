// Package serve answers the playground's page on this machine alone.
//
// Any page that a browser has open can send requests to 127.0.0.1. So each request must name this
// server in Host: a page of another name that resolves to 127.0.0.1 does not. And each call must
// come from the page itself, which Origin says, as JSON, which no form can send. No file is read:
// the page is in the program.
package serve

import (
	"bytes"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/play"
	"github.com/hbase-rowkey/rowkey/play/page"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// Listen listens at an address of this machine, such as 127.0.0.1:0. It refuses any other.
func Listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("expected an address of this machine alone, as 127.0.0.1:8080")
	}
	if host == "localhost" {
		addr = "127.0.0.1" + strings.TrimPrefix(addr, "localhost")
	}
	return net.Listen("tcp", addr)
}

// Server serves the page to a listener of Listen. Links that are copied begin with site; where it
// is empty, with the server's own address.
func Server(l net.Listener, site string) *http.Server {
	return &http.Server{Handler: Handler(site, hostsOf(l.Addr().String())...),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
}

// hostsOf are the names by which a browser calls a server at an address. It leaves out the port of
// HTTP.
func hostsOf(addr string) []string {
	_, port, _ := net.SplitHostPort(addr)
	hosts := []string{addr, "localhost:" + port}
	if port == "80" {
		hosts = append(hosts, strings.TrimSuffix(addr, ":80"), "localhost")
	}
	return hosts
}

// handler answers those who call it by one of its hosts.
type handler struct {
	hosts []string
	index []byte
	slow  chan struct{} // as many calls that take long run at once
}

// Handler answers requests to one of the hosts, such as 127.0.0.1:8080.
func Handler(site string, hosts ...string) http.Handler {
	index, err := page.Files.ReadFile("index.html")
	if err != nil {
		panic(err) // it is in the program
	}
	index = bytes.Replace(index, []byte(`name="rowkey-runs" content="wasm"`), []byte(`name="rowkey-runs" content="http"`), 1)
	index = bytes.Replace(index, []byte(`name="rowkey-site" content=""`), []byte(`name="rowkey-site" content="`+html.EscapeString(site)+`"`), 1)
	return &handler{hosts: hosts, index: index, slow: make(chan struct{}, 2)}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cache-Control", "no-store")
	known := false
	for _, host := range h.hosts {
		known = known || r.Host == host
	}
	method, call := strings.CutPrefix(r.URL.Path, "/api/")
	switch {
	case !known:
		http.Error(w, "this server answers its own page: another Host is refused", http.StatusMisdirectedRequest)
	case call:
		h.call(w, r, method)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "the page is read by GET", http.StatusMethodNotAllowed)
	default:
		h.page(w, r)
	}
}

// call answers a call of the page.
func (h *handler) call(w http.ResponseWriter, r *http.Request, method string) {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Method != http.MethodPost:
		http.Error(w, "calls are made by POST", http.StatusMethodNotAllowed)
		return
	case r.Header.Get("Origin") != "http://"+r.Host || site != "" && site != "same-origin":
		http.Error(w, "calls come from the page alone", http.StatusForbidden)
		return
	case r.Header.Get("Content-Type") != "application/json":
		http.Error(w, "calls are JSON", http.StatusUnsupportedMediaType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, play.MaxBody(method)))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	if play.Slow(method) {
		select {
		case h.slow <- struct{}{}:
			defer func() { <-h.slow }()
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(play.Call(method, body)) // the page may be gone
}

// page answers with a file of the page.
func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	data, kind := h.index, kinds[".html"]
	if name != "" && name != "index.html" {
		var err error
		if data, err = page.Files.ReadFile(name); err != nil || kinds[path.Ext(name)] == "" {
			http.NotFound(w, r)
			return
		}
		kind = kinds[path.Ext(name)]
	}
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
