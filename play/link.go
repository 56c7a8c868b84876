package play

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// State is what a link holds: the page. Its JSON is the link's, for ever.
type State struct {
	Designs   [][]any           `json:"d"` // name, text, and the answers if any were chosen
	Values    map[string]string `json:"v,omitempty"`
	Rows      map[string]string `json:"r,omitempty"`
	Questions [][]string        `json:"q,omitempty"`
	Keys      string            `json:"k,omitempty"`
	Count     int               `json:"n,omitempty"`
	Servers   int               `json:"s,omitempty"`
}

const (
	longestLink = 64 << 10
	widestLink  = 128 << 10 // of what it unpacks to
)

// Link is a page as the fragment of a link: #1, which is the version, and the state as JSON,
// deflated, in base64 of URLs. Links of a version open in every later one.
func Link(s State) (string, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = w.Write(data); err == nil {
		err = w.Close()
	}
	if err != nil {
		return "", err
	}
	link := "#1" + base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(link) > longestLink {
		return "", fmt.Errorf("a link of %d bytes, at most %d", len(link), longestLink)
	}
	return link, nil
}

// OfLink is the page of a link, of which only the fragment counts.
func OfLink(link string) (s State, err error) {
	at := strings.IndexByte(link, '#')
	if at < 0 {
		return s, errors.New("the link has no #: what it holds stands after that")
	}
	fragment := link[at+1:]
	switch {
	case len(fragment) >= longestLink:
		return s, fmt.Errorf("a link of more than %d bytes", longestLink)
	case !strings.HasPrefix(fragment, "1"):
		return s, errors.New("a link of another version: after the # comes 1; a newer rowkey may open it")
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(fragment[1:])
	if err != nil {
		return s, errors.New("the link is cut off or changed: copy all of it")
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), widestLink+1))
	if err != nil || len(data) > widestLink || json.Unmarshal(data, &s) != nil || len(s.Designs) == 0 {
		return State{}, errors.New("the link is cut off or changed: copy all of it")
	}
	return s, nil
}
