package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request is answered only if it names this server, and a call only if the page makes it.
func TestWhoIsAnswered(t *testing.T) {
	const here = "127.0.0.1:8080"
	h := Handler(`https://example.com/"><b>`, here)
	type request struct{ method, path, host, origin, site, kind, body string }
	call := func(r request) *httptest.ResponseRecorder {
		q := httptest.NewRequest(r.method, "http://"+r.host+r.path, strings.NewReader(r.body))
		for k, v := range map[string]string{"Origin": r.origin, "Sec-Fetch-Site": r.site, "Content-Type": r.kind} {
			if v != "" {
				q.Header.Set(k, v)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}
	good := request{"POST", "/api/look", here, "http://" + here, "same-origin", "application/json", `{"notation":"[id:4]"}`}
	w := call(good)
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Body.String(), `"notation":"[id:4]"`)
	for name, x := range map[string]struct {
		change func(*request)
		code   int
	}{
		"another name that resolves to here": {func(r *request) { r.host = "evil.example:8080"; r.origin = "http://evil.example:8080" }, http.StatusMisdirectedRequest},
		"another page":                       {func(r *request) { r.origin = "http://evil.example" }, http.StatusForbidden},
		"no page":                            {func(r *request) { r.origin = "" }, http.StatusForbidden},
		"a page of another port":             {func(r *request) { r.origin = "http://127.0.0.1:9" }, http.StatusForbidden},
		"what the browser calls another":     {func(r *request) { r.site = "cross-site" }, http.StatusForbidden},
		"a form":                             {func(r *request) { r.kind = "text/plain" }, http.StatusUnsupportedMediaType},
		"a link":                             {func(r *request) { r.method = "GET" }, http.StatusMethodNotAllowed},
		"too long":                           {func(r *request) { r.body = strings.Repeat(" ", 300<<10) }, http.StatusRequestEntityTooLarge},
		"a file":                             {func(r *request) { r.method, r.path = "GET", "/page.go" }, http.StatusNotFound},
		"a file above":                       {func(r *request) { r.method, r.path = "GET", "/../go.mod" }, http.StatusNotFound},
		"a page that is sent":                {func(r *request) { r.path = "/" }, http.StatusMethodNotAllowed},
	} {
		r := good
		x.change(&r)
		assert.Equal(t, x.code, call(r).Code, name)
	}
	w = call(request{method: "GET", path: "/", host: here})
	require.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "script-src 'self';")
	assert.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
	assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	assert.Contains(t, w.Body.String(), `content="https://example.com/&#34;&gt;&lt;b&gt;"`)
	assert.Contains(t, w.Body.String(), `name="rowkey-runs" content="http"`)
	for path, kind := range map[string]string{"/app.js": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/index.html": "text/html; charset=utf-8"} {
		w = call(request{method: "GET", path: path, host: here})
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, kind, w.Header().Get("Content-Type"))
	}
}

// A browser leaves the port of HTTP out of Host and Origin.
func TestHosts(t *testing.T) {
	assert.Equal(t, []string{"127.0.0.1:8080", "localhost:8080"}, hostsOf("127.0.0.1:8080"))
	assert.Equal(t, []string{"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}, hostsOf("127.0.0.1:80"))
	assert.Equal(t, []string{"[::1]:80", "localhost:80", "[::1]", "localhost"}, hostsOf("[::1]:80"))
}

func TestListen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "example.com:80", "[::]:0", "10.0.0.1:0", ":0", "8080"} {
		_, err := Listen(addr)
		assert.Error(t, err, addr)
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(addr)
		require.NoError(t, err, addr)
		assert.True(t, strings.HasPrefix(l.Addr().String(), "127.0.0.1:"))
		require.NoError(t, l.Close())
	}
}
