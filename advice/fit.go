package advice

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/fault"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// Report says how the keys of a table fit a schema. Each key is counted in Keys and in
// one of Fit, Malformed, Ambiguous, Derived and Rewritten.
type Report struct {
	Keys, Fit int
	Malformed int        // keys that do not decode
	Ambiguous int        // keys that can be read in more than one way
	Derived   int        // keys with another salt, hash or copy than their fields give
	Rewritten int        // keys that decode, but whose values encode to other bytes
	Offenders []Offender // the first 5 of each fault, in the order of the keys
}

// Offender is a key that does not fit, and why: rowkey.ErrMalformed,
// rowkey.ErrAmbiguous or rowkey.ErrDerived.
type Offender struct {
	Key []byte
	Err error
}

// String is the counts that are not 0, and below them the offenders.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d keys: %d fit", r.Keys, r.Fit)
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Malformed, "do not decode"}, {r.Ambiguous, "can be read in more than one way"},
		{r.Derived, "carry another salt, hash or copy"}, {r.Rewritten, "decode, but are written otherwise"},
	} {
		if c.n > 0 {
			fmt.Fprintf(&b, ", %d %s", c.n, c.what)
		}
	}
	for _, o := range r.Offenders {
		fmt.Fprintf(&b, "\n  %s  %v", shell.Text(o.Key), o.Err)
	}
	return b.String()
}

// offends counts a key by its fault.
func (r *Report) offends(fault *int, key []byte, err error) {
	if *fault++; *fault <= 5 {
		r.Offenders = append(r.Offenders, Offender{slices.Clone(key), err})
	}
}

// Fit decodes each key of a table, encodes its values again, and compares the bytes. If
// the schema has a field that is not stored, keys are only decoded.
//
// With the schema [uid:4], the keys 00000007 and 07 give a Report with 2 Keys, of which
// 1 is Fit and 1 Malformed.
func Fit(s *rowkey.Schema, keys iter.Seq[[]byte]) Report {
	var r Report
	hidden := false
	for f := range s.Fields() {
		hidden = hidden || !f.Stored
	}
	for key := range keys {
		r.Keys++
		row, err := s.Decode(key)
		switch {
		case errors.Is(err, rowkey.ErrAmbiguous):
			r.offends(&r.Ambiguous, key, err)
			continue
		case errors.Is(err, rowkey.ErrDerived):
			r.offends(&r.Derived, key, err)
			continue
		case err != nil:
			r.offends(&r.Malformed, key, err)
			continue
		}
		if !hidden {
			var values []any
			for _, v := range row.All() {
				values = append(values, v)
			}
			again, err := s.AppendKey(nil, values...)
			if err == nil && string(again) != string(key) {
				err = fault.Make(s.Name(), "", -1, &fault.Detail{Text: "its values encode to " + shell.Text(again), Reason: fault.ErrMalformed})
			}
			if err != nil {
				r.offends(&r.Rewritten, key, err)
				continue
			}
		}
		r.Fit++
	}
	return r
}
