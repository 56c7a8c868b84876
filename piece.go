package rowkey

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	forms "github.com/hbase-rowkey/rowkey/internal/form"
)

// Piece is a piece of a key, as Explain shows it on one line: the bytes of a
// component, or bytes that belong to none.
type Piece struct {
	Name     string // of the component; empty for a constant, and for bytes that belong to none
	Notation string // the component's piece of Schema.String; empty for bytes that belong to none
	Offset   int    // the byte of the key at which it begins
	Bytes    []byte // its bytes, in memory of their own; none where the component is not stored
	Value    any    // of a field, as Row.All yields it; nil for a null
	Text     string // what the bytes mean, such as "s-42" in quotes, 7 or bucket 12 of 16
	Problem  string // what is wrong with the bytes; empty if nothing is
}

// Pieces takes a key apart: its pieces in key order, one for each component,
// with times as text in a zone (nil is UTC). It is what Explain prints, for programs. A
// broken key has its pieces up to the break, then one of the bytes that are left,
// without a name, whose Problem says what was expected. The error is an *Error
// that says what is wrong with the key, nil if nothing is; the pieces are there
// in any case. A key of two readings has the pieces that are the same in both.
//
// A key of [uid:4][ms(at)] has two pieces: "uid" at byte 0, 4 bytes 00 00 00 07,
// the value 7; "at" at byte 4, 8 bytes.
func (s *Schema) Pieces(key []byte, zone *time.Location) ([]Piece, error) {
	if zone == nil {
		zone = time.UTC
	}
	key = slices.Clone(key)
	var few [fewSpans]uint16
	at := s.in.spans(few[:])
	known, pos, err := readUpTo(&s.in, key, at) // components whose place is sure, and where they end
	var out []Piece
	for i := range s.in.comps[:known] {
		c := &s.in.comps[i]
		p := Piece{Name: c.name, Notation: c.notation(), Offset: int(at[i])}
		if c.absent {
			p.Text = "not stored"
			out = append(out, p)
			continue
		}
		p.Bytes = key[at[i]:at[i+1]:at[i+1]]
		if c.role == roleField {
			v, _, bad := c.decode(nil, p.Bytes)
			if bad != nil {
				p.Problem = "broken: " + bad.Error()
				if err == nil {
					err = s.in.errAt(c.name, int(at[i]), bad)
				}
				out = append(out, p)
				continue
			}
			p.Value, p.Text = c.boxed(v), showPart(c, v, zone)
		} else if c.role != roleLiteral && known == len(s.in.comps) {
			p.Text, p.Problem = judgePart(&s.in, c, key, at)
		}
		out = append(out, p)
	}
	if known < len(s.in.comps) || pos < len(key) {
		p := Piece{Offset: pos, Bytes: key[pos:], Problem: "bytes left over"}
		switch {
		case errors.Is(err, ErrAmbiguous):
			p.Problem = "can be read in more than one way"
		case known < len(s.in.comps):
			p.Problem = "expected here: " + s.in.comps[known].notation()
		}
		out = append(out, p)
	}
	if err == nil {
		_, err = s.Decode(key)
	}
	return out, err
}

// judgePart says of a salt, a hash or a copy whether it is what the fields give. All
// components must have their places, so that one in front of its inputs is
// judged by a second look at the key.
func judgePart(s *schema, c *component, key []byte, at spans) (text, problem string) {
	vs, err := s.values(key, at)
	if err != nil {
		return "", ""
	}
	want, ok, err := s.wanted(nil, c, key, at, vs.row())
	form := key[at[c.index]:at[c.index+1]]
	switch {
	case !ok:
		return "depends on a field that is not stored", ""
	case err != nil:
		return "", "wrong: the fields give none"
	case string(want) != string(form):
		return "", fmt.Sprintf("wrong: the fields give %x", want)
	case c.role == roleSalt:
		return fmt.Sprintf("bucket %s of %d", c.bucketText(form), c.buckets), ""
	}
	return "as the fields give it", ""
}

// bucketText is a salt as a person says it.
func (c *component) bucketText(form []byte) string {
	if c.vias > 0 {
		if b, err := c.undo(nil, form); err == nil {
			form = b
		}
	}
	if c.saltForm == saltBytes && len(form) <= 8 {
		return strconv.FormatUint(forms.ReadUint(form), 10)
	}
	if c.saltForm == saltBytes {
		return fmt.Sprintf("%x", form)
	}
	return string(form)
}

// readUpTo is how many components of a key have their places, where these end, and
// what is wrong there. Of a broken key they are those before the break; of one
// with several readings, those that are in the same place in all of them.
func readUpTo(s *schema, key []byte, at spans) (known, pos int, err error) {
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

// showPart is a value as text.
func showPart(c *component, v val, zone *time.Location) string {
	if v.null {
		return "null"
	}
	switch c.kind {
	case kindString:
		if c.decimal != forms.NoDecimal {
			return string(c.plainText(nil, v.text))
		}
		return strconv.Quote(string(v.text))
	case kindBinary:
		return fmt.Sprintf("%x", v.text)
	case kindInt:
		return strconv.FormatInt(int64(v.num), 10)
	case kindFloat:
		return strconv.FormatFloat(math.Float64frombits(v.num), 'g', -1, 8*c.size)
	case kindBool:
		return strconv.FormatBool(v.num == 1)
	case kindTime:
		return c.asTime(v.num).In(zone).Format(time.RFC3339Nano)
	}
	return strconv.FormatUint(v.num, 10)
}
