// Package compare says what two layouts differ in: bytes, limits, and what questions read.
package compare

import (
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/said"
)

// Difference is what two layouts differ in.
type Difference struct {
	Verdict      string        `json:"verdict"` // same, limits or bytes
	Fingerprints [2]string     `json:"fingerprints"`
	Renamed      [][2]string   `json:"renamed,omitempty"`
	Limits       []LimitChange `json:"limits,omitempty"`
	Pieces       []PieceChange `json:"pieces,omitempty"`
	Lacking      []string      `json:"lacking,omitempty"` // fields of B that the keys of A do not hold
	Kept         string        `json:"kept,omitempty"`    // what the keys of A are to B: empty, none, or nothing is said
	Bytes        [2]int        `json:"bytes"`             // of a key, at least
	Longer       int           `json:"-"`                 // bytes that each key of B is longer; 0 if that varies
	Questions    []Moved       `json:"questions,omitempty"`
}

// LimitChange is a limit of a component that is another one.
type LimitChange struct {
	Field  string `json:"field,omitempty"` // empty: of the whole key
	From   string `json:"from"`
	To     string `json:"to"`
	Change string `json:"change"` // wider, narrower or other
}

// PieceChange is a component that only one of the two has.
type PieceChange struct {
	Sign  string `json:"sign"` // - of A only, + of B only
	Piece string `json:"piece"`
}

// Moved is a question that reads other ranges.
type Moved struct {
	Question string `json:"question"`
	From     Answer `json:"from"`
	To       Answer `json:"to"`
	Change   string `json:"change"` // gains or loses
}

// Answer is what a question reads.
type Answer struct {
	Ranges int    `json:"ranges"` // 0: no plan
	Exact  bool   `json:"exact"`
	Why    string `json:"why,omitempty"` // there is no plan: lacks, whole, many
	Field  string `json:"field,omitempty"`
}

// Schemas compares two layouts, and what the questions asked and the usual ones read.
func Schemas(a, b *rowkey.Schema, how said.Values, asked []string) (*Difference, error) {
	d := &Difference{Verdict: "same", Fingerprints: [2]string{a.Fingerprint(), b.Fingerprint()}, Bytes: [2]int{leastBytes(a), leastBytes(b)}}
	var called map[string]string
	if !sameBytes(inside.Layout(a), inside.Layout(b)) {
		d.Verdict = "bytes"
		d.Pieces = piecesChanged(a, b)
		d.Lacking = lacking(a, b)
		d.Kept = kept(a, b)
		was, known := varying(a)
		if is, also := varying(b); known && also && slices.Equal(was, is) {
			d.Longer = d.Bytes[1] - d.Bytes[0]
		}
	} else {
		d.Renamed, d.Limits = limitsChanged(a, b)
		called = map[string]string{}
		for _, r := range d.Renamed {
			called[r[0]] = r[1]
		}
		if len(d.Limits) > 0 {
			d.Verdict = "limits"
		}
	}
	var err error
	d.Questions, err = questionsMoved(a, b, called, how, asked)
	return d, err
}

// leastBytes is the length of the shortest key, as far as widths say.
func leastBytes(s *rowkey.Schema) (n int) {
	for f := range s.Fields() {
		n += f.Size
		if f.Kind == "literal" {
			n += len(f.Const) - f.Size
		}
	}
	return n
}

// varying is the pieces of no one length, sorted. It is false if one of them is computed: a bucket
// in decimal digits is as long as its number, which another piece changes.
func varying(s *rowkey.Schema) (out []string, known bool) {
	known = true
	comps, ends := inside.Layout(s).Comps, false // ends: the piece has an end of its own, but where it is the last of the key
	for f := range s.Fields() {
		c := &comps[0]
		if comps = comps[1:]; !f.Stored {
			continue
		}
		if ends = false; f.Kind != "literal" && f.Size == 0 {
			known = known && !f.Derived
			ends = c.Frame == layout.FrameEscaped || c.Dialect == layout.InPhoenix || c.Dialect == layout.InOrderedBytes
			out = append(out, f.Notation)
		}
	}
	if ends {
		out[len(out)-1] += " last"
	}
	slices.Sort(out)
	return out, known
}

// lacking is the fields of b that Rekey does not find in the keys of a: it reads no copies, many of
// which hold a part of their field only.
func lacking(a, b *rowkey.Schema) (out []string) {
	held := map[string]bool{}
	for f := range a.Fields() {
		if f.Kind != "literal" && f.Stored && !f.Derived {
			held[f.Name] = true
		}
	}
	for _, f := range said.Supplied(b) {
		if !held[f.Name] {
			out = append(out, f.Name)
		}
	}
	return out
}

// piecesChanged is the components that are not in both, in the order of a, then of b.
func piecesChanged(a, b *rowkey.Schema) (out []PieceChange) {
	from, to := piecesOf(a), piecesOf(b)
	same := make([][]int, len(from)+1) // the longest common row of pieces from here on
	for i := range same {
		same[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			if same[i][j] = max(same[i+1][j], same[i][j+1]); from[i] == to[j] {
				same[i][j] = same[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j]:
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && same[i+1][j] >= same[i][j+1]:
			out, i = append(out, PieceChange{"-", from[i]}), i+1
		default:
			out, j = append(out, PieceChange{"+", to[j]}), j+1
		}
	}
	return out
}

// piecesOf is the settings of a layout and its components.
func piecesOf(s *rowkey.Schema) (out []string) {
	if head := Settings(s); head != "" {
		out = append(out, head)
	}
	for f := range s.Fields() {
		out = append(out, f.Notation)
	}
	return out
}

// Settings is what stands before the components of a notation.
func Settings(s *rowkey.Schema) string {
	head, _, _ := strings.Cut(s.String(), "[")
	return strings.TrimSpace(head)
}
