package play

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// explainAsk is pasted keys, one a line, and the design whose keys they may be.
type explainAsk struct {
	Notation string `json:"notation"`
	Text     string `json:"text"`
}

// explained is the keys, and layouts nearly the same of which all of them are keys.
type explained struct {
	Keys  []explainedKey `json:"keys"`
	More  int            `json:"more,omitempty"` // lines that are not shown
	Mends []mend         `json:"mends,omitempty"`
}

type explainedKey struct {
	Form   string            `json:"form"` // in which the key was read
	Hex    string            `json:"hex"`
	Shell  string            `json:"shell"`
	Error  string            `json:"error,omitempty"` // why it is no key of the design
	Pieces []pieceView       `json:"pieces"`
	Values map[string]string `json:"values"`
	Others []string          `json:"others,omitempty"` // forms in which it is another key
}

// explain explains pasted keys.
func explain(a explainAsk) (*explained, error) {
	if err := tooLong("the keys", a.Text, maxPaste); err != nil {
		return nil, err
	}
	s, err := parse("", a.Notation)
	if err != nil {
		return nil, err
	}
	out := &explained{Keys: []explainedKey{}}
	var keys [][]byte
	derived, other := false, false
	for line := range strings.Lines(a.Text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		if len(out.Keys) == maxKeys {
			out.More++
			continue
		}
		k, key, err := explainLine(s, line)
		out.Keys, keys = append(out.Keys, k), append(keys, key)
		wrongSum := errors.Is(err, rowkey.ErrDerived)
		derived, other = derived || wrongSum, other || err != nil && !wrongSum
	}
	if derived && !other {
		out.Mends = otherSums(s, keys)
	}
	return out, nil
}

// explainLine explains one key, in the form in which it is a key of the schema if there is one.
func explainLine(s *rowkey.Schema, line string) (explainedKey, []byte, error) {
	list := said.Readings(line)
	if len(list) == 0 {
		err := errors.New("no key: expected hexadecimal, hbase shell's text, base64, %HH or a byte[]")
		return explainedKey{Error: err.Error(), Pieces: []pieceView{}}, nil, err
	}
	decodes := func(but error) int {
		return slices.IndexFunc(list, func(r said.Reading) bool {
			_, err := s.Decode(r.Key)
			return err == nil || but != nil && errors.Is(err, but)
		})
	}
	best := decodes(nil)
	if best < 0 { // a key but for a salt or a hash; else what the text most looks like
		best = max(0, decodes(rowkey.ErrDerived))
	}
	r := list[best]
	pieces, err := s.Pieces(r.Key, nil)
	k := explainedKey{Form: r.Form, Hex: hex.EncodeToString(r.Key), Shell: shell.Text(r.Key), Pieces: piecesOf(pieces), Values: map[string]string{}}
	if err != nil {
		k.Error = firstLine(said.Reason(err))
	}
	for i, f := range slices.Collect(s.Fields()) {
		if f.Derived || f.Kind == "literal" || !f.Stored || i >= len(pieces) || pieces[i].Name != f.Name || pieces[i].Problem != "" {
			continue
		}
		var how said.Values
		var v said.Slot
		v.Hold(pieces[i].Value)
		if text := how.AppendText(nil, &f, &v); utf8.Valid(text) {
			k.Values[f.Name] = string(text)
		}
	}
	for i, o := range list {
		if i != best && o.Form != said.FormBase64 && err != nil && !bytes.Equal(o.Key, r.Key) {
			k.Others = append(k.Others, o.Form)
		}
	}
	return k, r.Key, err
}

const mostSums = 6

// otherSums are the same layout with another rule of a salt or another hash, if all keys are keys
// of it. A rule fits one key by chance as often as the salt has buckets.
func otherSums(s *rowkey.Schema, keys [][]byte) (out []mend) {
	for o := range said.OtherSums(s, false) {
		if len(out) == mostSums {
			break
		}
		if !slices.ContainsFunc(keys, func(k []byte) bool { _, err := o.Schema.Decode(k); return err != nil }) {
			out = append(out, mend{o.Piece, o.Schema.String()})
		}
	}
	return out
}
