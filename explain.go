package rowkey

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/clock"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/layout"
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

// Pieces takes a key apart: one piece for each component, in key order. It has for
// programs what Explain prints. Times in Text are those of a zone; nil is UTC.
//
// A broken key has the pieces before the break. The last piece has no name: it is the
// bytes that are left, and its Problem says what was expected there. A key that can be
// read in more than one way has the pieces that all readings share. The error is an
// *Error that says what is wrong with the key, nil if nothing is. There are pieces in
// both cases.
//
// A key of [uid:4][ms(at)] has two pieces: "uid" at byte 0, 4 bytes 00 00 00 07,
// the value 7; "at" at byte 4, 8 bytes.
func (s *Schema) Pieces(key []byte, zone *time.Location) ([]Piece, error) {
	return s.takeApart(nil, slices.Clone(key), zone, true)
}

// takeApart is Pieces, in room if they are few enough. The pieces have bytes of key, and values only with boxed.
func (s *Schema) takeApart(room []Piece, key []byte, zone *time.Location, boxed bool) ([]Piece, error) {
	if zone == nil {
		zone = time.UTC
	}
	var few [layout.FewSpans]uint16
	at := s.in.Spans(few[:])
	known, pos, err := readUpTo(&s.in, key, at) // components whose place is sure, and where they end
	notations := s.pieces()
	out := slices.Grow(room, known+1)
	for i := range s.in.Comps[:known] {
		c := &s.in.Comps[i]
		p := Piece{Name: c.Name, Notation: notations[i], Offset: int(at[i])}
		if c.Absent {
			p.Text = "not stored"
			out = append(out, p)
			continue
		}
		p.Bytes = key[at[i]:at[i+1]:at[i+1]]
		if c.Role == layout.RoleField {
			v, _, bad := c.Decode(nil, p.Bytes)
			if bad != nil {
				p.Problem = "broken: " + bad.Error()
				if why := c.WhyForm(p.Bytes); why != "" {
					p.Problem = "broken: " + why
				}
				if err == nil {
					err = s.in.ErrAt(c.Name, int(at[i]), bad)
				}
				out = append(out, p)
				continue
			}
			if p.Text = showPart(c, v, zone); boxed {
				p.Value = c.Boxed(v)
			}
		} else if c.Role != layout.RoleLiteral && known == len(s.in.Comps) {
			p.Text, p.Problem = judgePart(&s.in, c, key, at)
		} else if no := c.NoBucket(p.Bytes); no != "" { // a key that breaks off behind it: what the fields give is not known
			p.Problem = "wrong: " + no
		}
		out = append(out, p)
	}
	if known < len(s.in.Comps) || pos < len(key) {
		p := Piece{Offset: pos, Bytes: key[pos:], Problem: "bytes left over"}
		switch {
		case errors.Is(err, ErrAmbiguous):
			p.Problem = "can be read in more than one way"
		case known < len(s.in.Comps):
			p.Problem = "expected here: " + notations[known]
		}
		out = append(out, p)
	}
	if _, first := s.Decode(key); first != nil || err == nil {
		return out, first // of two faults the first from the left
	}
	return out, s.in.Tell(key, err)
}

// judgePart says whether a salt, a hash or a copy is the one that the fields give. The places
// of all components must be known, since a salt stands before the fields that it is computed
// from.
func judgePart(s *layout.Schema, c *layout.Component, key []byte, at layout.Spans) (text, problem string) {
	vs, err := s.Values(key, at)
	if err != nil {
		return "", ""
	}
	want, ok, err := s.Wanted(nil, c, key, at, vs.Row())
	form := key[at[c.Index]:at[c.Index+1]]
	switch {
	case !ok && !c.MayBe(form):
		return "", "wrong: " + c.Unwritten(form)
	case !ok:
		return "depends on a field that is not stored", ""
	case err != nil:
		return "", "wrong: the fields give none"
	case string(want) != string(form) && c.Role == layout.RoleSalt:
		return "", fmt.Sprintf("wrong: bucket %s, the fields give bucket %s", c.BucketText(form), c.BucketText(want))
	case string(want) != string(form):
		problem = "wrong: the fields give " + shownForm(c, want)
		if only := c.CaseWrong(form, want); only != "" {
			problem += ": " + only
		}
		return "", problem
	case c.Role == layout.RoleSalt:
		return fmt.Sprintf("bucket %s of %d", c.BucketText(form), c.Buckets), ""
	}
	return "as the fields give it", ""
}

// shownForm is a stored form as people read it: text in quotes if it is text, else hexadecimal.
func shownForm(c *layout.Component, form []byte) string {
	hash := c.Role == layout.RoleHash
	text := c.IsText() || !c.Num.Binary()
	if hash && c.Part.Cut.Hex || !hash && text && len(form) > 0 && forms.Outside(&printable, form) < 0 {
		return strconv.Quote(string(form))
	}
	return fmt.Sprintf("%x", form)
}

// printable has the bytes of ASCII that are seen.
var printable = func() (set forms.ByteSet) {
	for b := byte(' '); b <= '~'; b++ {
		set.Add(b)
	}
	return set
}()

// readUpTo gives the number of components whose places in a key are known, where the last of
// them ends, and what is wrong there. Of a broken key these are the components before the
// break; of a key with several readings, those that have the same place in all of them.
func readUpTo(s *layout.Schema, key []byte, at layout.Spans) (known, pos int, err error) {
	switch {
	case len(key) > forms.MaxKey:
		return 0, 0, s.ErrAt("", 0, ErrLength)
	case s.Loose > 0:
		if known, pos, err = s.SplitLoose(key, at, true); err != nil { // salts and hashes decide between readings
			known, pos, err = s.SplitLoose(key, at, false)
		}
	default:
		pos, known, err = s.SplitFrom(key, at, 0, 0)
	}
	at[known] = uint16(pos)
	if len(key) == 0 || len(key) > s.MaxLen {
		err = s.ErrAt("", 0, ErrLength)
	}
	return known, pos, err
}

// showPart is a value as text.
func showPart(c *layout.Component, v layout.Val, zone *time.Location) string {
	if v.Null {
		return "null"
	}
	switch c.Kind {
	case layout.KindString:
		if c.Decimal != forms.NoDecimal {
			return string(c.PlainText(nil, v.Text))
		}
		return strconv.Quote(string(v.Text))
	case layout.KindBinary:
		return fmt.Sprintf("%x", v.Text)
	case layout.KindInt:
		return strconv.FormatInt(int64(v.Num), 10)
	case layout.KindFloat:
		return strconv.FormatFloat(math.Float64frombits(v.Num), 'g', -1, 8*c.Size)
	case layout.KindBool:
		return strconv.FormatBool(v.Num == 1)
	case layout.KindTime:
		return string(clock.AppendText(nil, c.AsTime(v.Num).In(zone)))
	}
	return strconv.FormatUint(v.Num, 10)
}

// Explain is a key as text for people. Each line is one component: the byte at which it
// begins, its bytes, its piece of the notation, its value. Of a broken key it shows the
// components before the break, the bytes that are left, and what is wrong. Pieces has
// the same for programs.
func (s *Schema) Explain(key []byte) string { return s.ExplainIn(key, time.UTC) }

// ExplainIn is Explain with times in a zone.
func (s *Schema) ExplainIn(key []byte, zone *time.Location) string {
	var few [8]Piece
	pieces, err := s.takeApart(few[:0], key, zone, false)
	// The columns are the bytes' places, the bytes and the notation.
	var widths [3]int
	for i := range pieces {
		p := &pieces[i]
		widths[0] = max(widths[0], forms.DigitsLen(uint64(p.Offset)))
		widths[1] = max(widths[1], 2*min(len(p.Bytes), bytesInLine))
		widths[2] = max(widths[2], utf8.RuneCountInString(shortened(p.Notation)))
	}
	b := make([]byte, 0, 512)
	b = append(append(b, s.in.Name...), ' ')
	b = append(append(b, s.String()...), ": "...)
	b = append(append(b, layout.Plural(len(key), "byte")...), '\n')
	for i := range pieces {
		p := &pieces[i]
		note := p.Text
		if p.Problem != "" {
			note = p.Problem
		}
		b = appendLines(b, &widths, p, note)
	}
	if err != nil {
		b = append(append(b, err.Error()...), '\n') // not by fmt, for which b would move to the heap
		if other := s.otherReading(key); other != "" {
			b = append(append(append(b, "it fits if "...), other...), ": a value that holds its separator needs Loose\n"...)
		}
	}
	return string(b)
}

// otherReading is the values of texts that hold their separator with which a key fits, such as
// user is "a_b"; empty if there are none.
func (s *Schema) otherReading(key []byte) string {
	const most = 64 // components; each text is tried by a schema of its own
	if s.in.Loose > 0 || len(s.in.Comps) > most {
		return ""
	}
	var found []string
	for i := range s.in.Comps {
		c := &s.in.Comps[i]
		if c.Role != layout.RoleField || !c.IsText() || len(c.Mark) == 0 {
			continue
		}
		loose := new(Schema)
		err := s.in.Recompile(&loose.in, func(d *layout.Declaration) {
			if d.Name == c.Decl.Name && d.Role == c.Decl.Role {
				d.Opts = append(slices.Clone(d.Opts), Loose.fieldOption())
			}
		})
		if err != nil {
			continue
		}
		loose.ready()
		row, err := loose.Decode(key)
		if err != nil {
			continue
		}
		v, _, err := c.Decode(nil, row.Stored(c.Name))
		if err == nil {
			found = append(found, c.Name+" is "+showPart(c, v, time.UTC))
		}
	}
	return strings.Join(found, " or ")
}

// bytesInLine is how many bytes of a component a line of Explain has.
const bytesInLine = 20

// appendLines appends the line of a piece; more than 20 bytes take several lines.
func appendLines(dst []byte, widths *[3]int, p *Piece, note string) []byte {
	form := p.Bytes
	n := min(len(form), bytesInLine)
	begin := len(dst)
	dst = strconv.AppendInt(dst, int64(p.Offset), 10)
	dst = appendSpaces(dst, widths[0]+2-(len(dst)-begin))
	dst = appendSpaces(hex.AppendEncode(dst, form[:n]), widths[1]+2-2*n)
	notation := shortened(p.Notation)
	dst = appendSpaces(append(dst, notation...), widths[2]+2-utf8.RuneCountInString(notation))
	dst = appendLine(dst, begin, note)
	for form = form[n:]; len(form) > 0; form = form[n:] {
		n = min(len(form), bytesInLine)
		begin = len(dst)
		dst = appendSpaces(dst, widths[0]+2)
		dst = appendLine(hex.AppendEncode(dst, form[:n]), begin, "")
	}
	return dst
}

// appendLine ends the line that begins at a byte, without the spaces at its end.
func appendLine(dst []byte, begin int, note string) []byte {
	dst = append(dst, note...)
	for len(dst) > begin && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '\n')
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// mostShown is how many bytes of a component's notation a line of Explain has. All lines are as wide
// as the longest.
const mostShown = 160

// shortened is a notation without its middle, if it is long.
func shortened(notation string) string {
	if len(notation) <= mostShown {
		return notation
	}
	return strings.ToValidUTF8(notation[:mostShown/2], "") + "…" + strings.ToValidUTF8(notation[len(notation)-mostShown/2:], "")
}
