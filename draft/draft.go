// Package draft reads row keys as people write them, in design documents and in
// code, and asks what they leave open:
//
//	[md5(userid).subStr(0,4)][userid][orderid]
//	String.format("%02d_%s_%d", Math.abs(uid.hashCode()) % 16, uid, Long.MAX_VALUE - ts)
//	用户ID反转 + 日期(yyyyMMdd) + 订单号
//
// A Draft is a notation with a ? in place of each thing that the design leaves open, and a
// Question for each ?. With the answers it is a notation that rowkey.Parse builds:
//
//	[userId][Long.MAX_VALUE-timestamp]
//	[userId?]?[max-?(timestamp)?]
//	[userId:8][max-ms(timestamp)]
//
// One thing is decided that a design does not say: a field is taken for a time or a salt if
// its name is one of a time or a salt, such as ts. Each byte of a design is used, asked about
// or refused at its place. Prose, constants and sample keys never become fields.
package draft

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/texts"
)

// Draft is a layout as far as a design says it.
type Draft struct {
	Notation string     // with a ? for each of Open, in its order; rowkey.Parse refuses those
	Open     []Question // what the design does not say
}

// Question is one thing that a design does not say.
type Question struct {
	Field   string   // the component it is about; empty for a constant
	What    Text     // such as "what uid is" or "the unit of ts"
	Offset  int      // byte in the design at which the component stands
	Choices []Choice // usual answers; any other piece of notation may be one
}

// Choice is an answer: what may stand in place of the ?.
type Choice struct {
	Notation string
	Meaning  Text
	Price    Text // such as "8 bytes a key", or "1 range a query that knows uid, else 16"; empty where it is not known
}

// Text is a sentence: a code, which programs may rely on, and its arguments. The words of both
// languages are for people and may change.
type Text struct {
	Code string
	Args []string
}

// String is the sentence in English; empty if there is none.
func (t Text) String() string { return t.In("en") }

// In is the sentence in a language: "zh" is Chinese, any other is English.
func (t Text) In(lang string) string { return texts.In(lang, t.Code, t.Args...) }

// say is the sentence of a code.
func say(code string, args ...any) Text {
	t := Text{Code: "draft." + code}
	for _, a := range args {
		t.Args = append(t.Args, fmt.Sprint(a))
	}
	return t
}

// Read reads one design. Its error is an *Error. A design that leaves nothing open is a notation,
// and an error if rowkey.Parse refuses that.
func Read(design string) (*Draft, error) {
	r := newReader(design)
	r.read()
	if r.problem == nil {
		r.write()
	}
	if at := r.unused(); r.problem == nil && at >= 0 {
		r.fail(at, "expected nothing here that says no more of the key than is read: this is not understood")
	}
	if p := r.problem; p != nil {
		return nil, &Error{design, p.Field, r.original(p.At), p.Text}
	}
	d := &Draft{Notation: r.out.String(), Open: r.open}
	if len(d.Open) == 0 {
		if _, err := rowkey.Parse("", d.Notation); err != nil {
			e := err.(*rowkey.Error)
			return nil, &Error{design, e.Field, r.original(r.from(e.Offset)), strings.TrimSuffix(e.Err.Error(), ": "+rowkey.ErrSchema.Error())}
		}
	}
	d.price(r.ranges)
	return d, nil
}

// Error says where a design cannot be read, and what was expected. It wraps
// rowkey.ErrSchema.
type Error struct {
	Design  string
	Field   string // the component it is about; empty if none
	Offset  int    // byte in the design
	Problem string // such as "expected the name of a field"
}

// Error is the problem, and below it the line of the design and the spot.
func (e *Error) Error() string {
	where := ""
	if e.Field != "" {
		where = e.Field + ": "
	}
	return "draft: " + where + e.Problem + " (at byte " + strconv.Itoa(e.Offset) + ")" + notation.Spot(e.Design, e.Offset)
}

// Unwrap is rowkey.ErrSchema.
func (e *Error) Unwrap() error { return rowkey.ErrSchema }

// Decide is the notation with the answers in place of the first ?s. An answer that holds the
// name of the field in parentheses, such as ms(uid), replaces the name before the ? too:
// in [uid?] it makes [ms(uid)]. A hash of a number that an answer writes as text says that it is
// of the bytes: values(uid).
func (d *Draft) Decide(answers ...string) string {
	text, _ := d.decide(answers)
	return spelled(text)
}

// hashed is a hash, and the one field it is computed of.
var hashed = pattern.New(`(\.(?:hex|hexat|raw)\([0-9,]+\)(?:\.upper)?)\(([^()]+)\)`)

// spelled is a notation in which a hash says values(uid) for uid, if it builds only so.
func spelled(text string) string {
	said := hashed.ReplaceAllString(text, "$1(values($2))")
	if said == text {
		return text
	}
	if _, err := rowkey.Parse("", text); err == nil {
		return text
	}
	if _, err := rowkey.Parse("", said); err != nil {
		return text
	}
	return said
}

// decide is Decide, and where in the text each answer begins.
func (d *Draft) decide(answers []string) (text string, at []int) {
	rest := d.Notation
	for i, a := range answers {
		head, tail, ok := strings.Cut(rest, "?")
		if !ok {
			break
		}
		text += head
		if i < len(d.Open) && d.Open[i].Field != "" && strings.Contains(a, "("+d.Open[i].Field+")") {
			text = strings.TrimSuffix(text, d.Open[i].Field)
		}
		at = append(at, len(text))
		text += a
		rest = tail
	}
	return text + rest, at
}

// answered is the draft with the answers given; those that are nil stay open.
func (d *Draft) answered(answers []*string) *Draft {
	left := &Draft{}
	rest := d.Notation
	for i, q := range d.Open {
		head, tail, _ := strings.Cut(rest, "?")
		left.Notation += head
		if a := answers[i]; a == nil {
			left.Notation += "?"
			left.Open = append(left.Open, q)
		} else {
			if q.Field != "" && strings.Contains(*a, "("+q.Field+")") {
				left.Notation = strings.TrimSuffix(left.Notation, q.Field)
			}
			left.Notation += *a
		}
		rest = tail
	}
	left.Notation += rest
	if len(left.Open) == 0 {
		left.Notation = spelled(left.Notation)
	}
	return left
}

// answer is a usual answer to a question.
type answer struct {
	notation string
	meaning  Text
}

// means is a usual answer: a piece of notation and the code of what it means.
func means(notation, code string, args ...any) answer { return answer{notation, say(code, args...)} }

// ask writes a ? and adds the question for it.
func (r *reader) ask(field string, what Text, at int, answers ...answer) {
	r.out.WriteByte('?')
	q := Question{Field: field, What: what, Offset: r.original(at)}
	for _, a := range answers {
		q.Choices = append(q.Choices, Choice{Notation: a.notation, Meaning: a.meaning})
	}
	r.open, r.ranges = append(r.open, q), append(r.ranges, false)
}

// askRanges is ask for a question whose answers change how many ranges a query reads, not how
// many bytes a key has.
func (r *reader) askRanges(field string, what Text, at int, answers ...answer) {
	r.ask(field, what, at, answers...)
	r.ranges[len(r.ranges)-1] = true
}
