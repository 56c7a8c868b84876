package rowkey

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// Explain is the key as annotated text, one component a line: where it begins,
// its bytes, its piece of the notation, its value. A broken key is shown up to
// the break, with what is wrong and the bytes that are left.
func (s *Schema) Explain(key []byte) string { return s.ExplainIn(key, time.UTC) }

// ExplainIn is Explain with times shown in a zone.
func (s *Schema) ExplainIn(key []byte, zone *time.Location) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", s.name, s, plural(len(key), "byte"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	var few [fewSpans]uint16
	at := s.spans(few[:])
	known, pos, err := s.upTo(key, at) // components whose place is sure, and where they end
	vals := make([]val, len(s.fields))
	for i := range s.comps[:known] {
		c := &s.comps[i]
		if c.absent {
			fmt.Fprintf(w, "%d\t\t%s\tnot stored\n", at[i], c.notation())
			continue
		}
		form := key[at[i]:at[i+1]]
		note := ""
		if c.role == roleField {
			v, _, bad := c.decode(nil, form)
			if bad != nil {
				explainLine(w, int(at[i]), form, c.notation(), "broken: "+bad.Error())
				if err == nil {
					err = s.errAt(c.name, int(at[i]), bad)
				}
				continue
			}
			vals[c.ord] = v
			note = c.show(v, zone)
		}
		explainLine(w, int(at[i]), form, c.notation(), s.noteDerived(c, key, at, known, vals, note))
	}
	if known < len(s.comps) || pos < len(key) {
		what := "bytes left over"
		switch {
		case errors.Is(err, ErrAmbiguous):
			what = "can be read in more than one way"
		case known < len(s.comps):
			what = "expected here: " + s.comps[known].notation()
		}
		explainLine(w, pos, key[pos:], "", what)
	}
	w.Flush()
	if err == nil {
		if _, derived := s.Decode(key); derived != nil {
			err = derived
		}
	}
	if err != nil {
		fmt.Fprintf(&b, "%v\n", err)
	}
	return trimLines(b.String())
}

// explainLine writes the line of some bytes; many of them go on below.
func explainLine(w io.Writer, at int, form []byte, notation, note string) {
	const most = 20 // bytes a line
	n := min(len(form), most)
	fmt.Fprintf(w, "%d\t%x\t%s\t%s\n", at, form[:n], notation, note)
	for form = form[n:]; len(form) > 0; form = form[n:] {
		n = min(len(form), most)
		fmt.Fprintf(w, "\t%x\t\t\n", form[:n])
	}
}

// trimLines takes the padding off the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// upTo is how many components of a key have their places, where these end, and
// what is wrong there. Of a broken key they are those before the break; of one
// with several readings, those that are in the same place in all of them.
func (s *Schema) upTo(key []byte, at spans) (known, pos int, err error) {
	switch {
	case len(key) > maxKey:
		return 0, 0, s.errAt("", 0, ErrLength)
	case s.loose > 0:
		if known, pos, err = s.splitLoose(key, at, true); err != nil { // salts and hashes tell readings apart
			known, pos, err = s.splitLoose(key, at, false)
		}
	default:
		pos, known, err = s.splitFrom(key, at, 0, 0)
	}
	at[known] = uint16(pos)
	if len(key) == 0 || len(key) > s.maxLen {
		err = s.errAt("", 0, ErrLength)
	}
	return known, pos, err
}

// noteDerived says of a derived component whether it is what the fields give;
// of others it is the note itself. All fields must have been read, so that one
// in front of its inputs is judged by a second look at the key.
func (s *Schema) noteDerived(c *component, key []byte, at spans, known int, vals []val, note string) string {
	if c.role == roleLiteral || c.role == roleField || known < len(s.comps) {
		return note
	}
	vs, err := s.values(key, at)
	if err != nil {
		return note
	}
	want, ok, err := s.wanted(nil, c, key, at, vs.row())
	form := key[at[c.index]:at[c.index+1]]
	switch {
	case !ok:
		return "depends on a field that is not stored"
	case err != nil:
		return "wrong: the fields give none"
	case string(want) != string(form):
		return fmt.Sprintf("wrong: the fields give %x", want)
	case c.role == roleSalt:
		return fmt.Sprintf("bucket %s of %d", c.bucketText(form), c.buckets)
	}
	return "as the fields give it"
}

// bucketText is a salt as a person says it.
func (c *component) bucketText(form []byte) string {
	if c.vias > 0 {
		if b, err := c.undo(nil, form); err == nil {
			form = b
		}
	}
	if c.saltForm == saltBytes && len(form) <= 8 {
		return strconv.FormatUint(readUint(form), 10)
	}
	if c.saltForm == saltBytes {
		return fmt.Sprintf("%x", form)
	}
	return string(form)
}

// show is a value as text.
func (c *component) show(v val, zone *time.Location) string {
	if v.null {
		return "null"
	}
	switch c.kind {
	case KindString:
		if c.decimal != noDecimal {
			return string(c.plainText(v.text))
		}
		return strconv.Quote(string(v.text))
	case KindBinary:
		return fmt.Sprintf("%x", v.text)
	case KindInt:
		return strconv.FormatInt(int64(v.num), 10)
	case KindFloat:
		return strconv.FormatFloat(math.Float64frombits(v.num), 'g', -1, 8*c.size)
	case KindBool:
		return strconv.FormatBool(v.num == 1)
	case KindTime:
		return c.asTime(v.num).In(zone).Format(time.RFC3339Nano)
	}
	return strconv.FormatUint(v.num, 10)
}

// Report is how the keys of a live table fit a schema. Every key is counted
// once: as Fit, or in the first finding that applies.
type Report struct {
	Keys, Fit int
	Malformed Finding // do not decode
	Ambiguous Finding // have more than one reading
	Derived   Finding // carry another salt, hash or copy
	Rewritten Finding // decode, but their values encode to other bytes
}

// Finding is how many keys have one fault, and the first of them.
type Finding struct {
	Count int
	First []Offender // at most 5
}

// Offender is a key that does not fit, and why.
type Offender struct {
	Key []byte
	Err error
}

func (f *Finding) add(key []byte, err error) {
	f.Count++
	if len(f.First) < 5 {
		f.First = append(f.First, Offender{slices.Clone(key), err})
	}
}

// Check decodes and re-encodes keys of a live table and counts what does not
// come back: decode errors, other salts, other bytes, with the first offenders
// of each kind. Fields that are not stored take no part.
func (s *Schema) Check(keys iter.Seq[[]byte]) Report {
	var r Report
	hidden := slices.ContainsFunc(s.fields, func(c *component) bool { return c.absent })
	for key := range keys {
		r.Keys++
		row, err := s.Decode(key)
		switch {
		case errors.Is(err, ErrAmbiguous):
			r.Ambiguous.add(key, err)
			continue
		case errors.Is(err, ErrDerived):
			r.Derived.add(key, err)
			continue
		case err != nil:
			r.Malformed.add(key, err)
			continue
		}
		if !hidden {
			again, err := s.AppendKey(nil, row.values()...)
			if err == nil && string(again) != string(key) {
				err = s.errAt("", -1, &detail{"its values encode to " + Shell(again), ErrMalformed})
			}
			if err != nil {
				r.Rewritten.add(key, err)
				continue
			}
		}
		r.Fit++
	}
	return r
}

// values are the row's stored values, boxed.
func (r Row) values() []any {
	var out []any
	for _, v := range r.All() {
		out = append(out, v)
	}
	return out
}
