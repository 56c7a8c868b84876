package command

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/tidwall/gjson"
)

// Rows of JSON and CSV. A record may have several lines; what is no record is
// one bad line, and the next line is read as one that begins a record, so that
// an open quote or brace swallows nothing.

// jsonObject is the length of the object at the head of data; more says that
// data ends within it. Where line is true, a line that begins with a brace ends
// an object that was left open.
func jsonObject(data []byte, line bool) (n int, ok, more bool) {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if depth > 0 && line && data[i] == '{' && data[i-1] == '\n' {
				return 0, false, false
			}
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true, false
			}
		case '"':
			for i++; ; i++ {
				at := bytes.IndexAny(data[i:min(len(data), i+64)], "\"\\\n")
				if at < 0 {
					if i += 63; i >= len(data) {
						return 0, false, true
					}
					continue
				}
				i += at
				if data[i] == '"' {
					break
				}
				if data[i] == '\n' {
					return 0, false, false
				}
				i++
			}
		}
	}
	return 0, false, true
}

// jsonShape is how records of JSON lie: lines of their own, or in one array.
type jsonShape struct{ array bool }

// blank is white space, and what stands between the members of an array.
func (j jsonShape) blank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || j.array && (c == ',' || c == '[' || c == ']')
}

// record finds the record that begins at from or after white space: its first
// byte and the one after it, and where the next is looked for. A record that is
// an error has the length of its line.
func (j jsonShape) record(data []byte, from int, eof bool) (at, end, next int, ok, more bool) {
	for from < len(data) && j.blank(data[from]) {
		from++
	}
	if from == len(data) {
		return from, from, from, true, false
	}
	nl := bytes.IndexByte(data[from:], '\n')
	if nl < 0 && !eof && !j.array {
		return from, from, from, true, true
	}
	line := len(data) - from
	if nl >= 0 {
		line = nl
	}
	text := bytes.TrimRight(data[from:from+line], " \t\r")
	if !j.array && (text[0] != '{' || text[len(text)-1] == '}') {
		return from, from + len(text), from + line, true, false
	}
	if text[0] == '{' {
		n, ok, more := jsonObject(data[from:], !j.array)
		switch {
		case ok:
			return from, from + n, from + n, true, false
		case more && !eof && len(data)-from <= longest:
			return from, from, from, true, true
		}
	} else if nl < 0 && !eof {
		return from, from, from, true, true
	}
	return from, from + len(text), from + line, false, false
}

// whole is how much of data is whole records.
func (j jsonShape) whole(data []byte, eof bool) (n int, broken []brokenLine) {
	for at := 0; ; {
		if n := j.plainLine(data[at:]); n > 0 {
			at += n
			continue
		}
		begin, _, next, ok, more := j.record(data, at, eof)
		switch {
		case more:
			return at, broken
		case begin == len(data):
			return len(data), broken
		case !ok:
			broken = append(broken, brokenLine{begin, nil})
		}
		if at = next; at < len(data) && data[at] == '\n' {
			at++
		}
	}
}

// jsonList watches what stands between the objects of an array: an array that is cut, or that
// has a comma too many, is an error and no shorter array.
type jsonList struct {
	shape jsonShape
	state listState
	line  int // lines that were given
	err   error
}

type listState byte

const (
	listOutside listState = iota // before an array, or after it
	listBegun                    // after [
	listItem                     // after an object
	listComma                    // after a comma
	listBroken                   // after a line that is an error
)

// after is the state after a byte between objects, and what was wanted in its place.
func (st listState) after(c byte) (_ listState, want string) {
	switch c {
	case '[':
		if st == listOutside || st == listBroken {
			return listBegun, ""
		}
	case ']':
		if st == listBegun || st == listItem || st == listBroken {
			return listOutside, ""
		}
	case ',':
		if st == listItem || st == listBroken {
			return listComma, ""
		}
	default: // white space
		return st, ""
	}
	return st, st.want()
}

// want is what comes next.
func (st listState) want() string {
	switch st {
	case listOutside:
		return "[ or the end of the input"
	case listBegun:
		return "an object or ]"
	case listItem:
		return "a comma or ]"
	case listComma:
		return "an object"
	case listBroken:
	}
	return ""
}

// whole is jsonShape.whole, up to what is wrong between two objects.
func (l *jsonList) whole(data []byte, eof bool) (n int, broken []brokenLine) {
	given := func(at int) (int, []brokenLine) {
		l.line += bytes.Count(data[:at], []byte{'\n'})
		return at, broken
	}
	for at := 0; ; {
		begin, _, next, ok, more := l.shape.record(data, at, eof)
		if more {
			return given(at)
		}
		st := l.state
		for i, c := range data[at:begin] {
			after, want := st.after(c)
			if want != "" {
				return l.wrong(given, data, at, at+i, want)
			}
			st = after
		}
		switch {
		case begin == len(data):
			l.state = st
			return given(begin)
		case !ok:
			broken = append(broken, brokenLine{begin, nil})
			st = listBroken
		case st == listOutside || st == listItem:
			return l.wrong(given, data, at, begin, st.want())
		default:
			st = listItem
		}
		if l.state, at = st, next; at < len(data) && data[at] == '\n' {
			at++
		}
	}
}

// wrong gives what stands before at, and keeps what is wrong at place.
func (l *jsonList) wrong(given func(int) (int, []brokenLine), data []byte, at, place int, want string) (int, []brokenLine) {
	line := 1 + l.line + bytes.Count(data[:place], []byte{'\n'})
	l.err = finding{fmt.Errorf("line %d: expected %s in the array, not %s", line, want, shownJSON(string(data[place:min(len(data), place+40)])))}
	return given(at)
}

// ends is what is wrong after what was given.
func (l *jsonList) ends(eof bool) error {
	if l.err == nil && eof && l.state != listOutside && l.state != listBroken {
		return finding{fmt.Errorf("the input ends within its array: expected %s", l.state.want())}
	}
	return l.err
}

// plainLine is the length of a line that is a record by its first and its last
// byte; 0 if record has to look.
func (j jsonShape) plainLine(data []byte) int {
	if j.array || len(data) == 0 || data[0] != '{' {
		return 0
	}
	if nl := bytes.IndexByte(data, '\n'); nl > 0 && data[nl-1] == '}' {
		return nl + 1
	}
	return 0
}

// rowWork reads the rows of a block.
type rowWork struct {
	w     *rowMaker
	extra bool
	do    func(b *block, key []byte) error
	seen  func(w *rowMaker) // of each good row

	// each, if there is one, gets every row in place of do, also one that makes no key.
	each func(line int, key []byte, err error)
}

// row ends one: err is what is wrong with it.
func (r *rowWork) row(b *block, line int, err error) bool {
	if err == nil {
		err = r.w.joinPairs()
	}
	var key []byte
	if err == nil {
		key, err = r.w.Key()
	}
	if r.each != nil {
		r.each(line, key, err)
		b.good++
		return true
	}
	if err == nil {
		err = r.do(b, key)
	}
	if err != nil {
		return b.fail(line, err)
	}
	if r.seen != nil {
		r.seen(r.w)
	}
	b.good++
	return true
}

// jsonRows reads the rows of a block of JSON.
func (r *rowWork) jsonRows(j jsonShape) func(b *block) {
	return func(b *block) {
		r.w.How.Notes = &b.notes
		line, counted := 1, 0
		broken := b.broken
		for at := 0; ; {
			begin, end, next, ok, _ := j.record(b.data, at, true)
			line += bytes.Count(b.data[counted:begin], []byte{'\n'})
			counted = begin
			if begin == len(b.data) {
				break
			}
			if len(broken) > 0 && broken[0].at == begin {
				broken, ok = broken[1:], false
				if nl := bytes.IndexByte(b.data[begin:], '\n'); nl >= 0 {
					next = begin + nl
				} else {
					next = len(b.data)
				}
				end = begin + len(bytes.TrimRight(b.data[begin:next], " \t\r"))
			}
			r.w.reset()
			var err error
			if record := b.data[begin:end]; !ok {
				err = noObject(record)
			} else {
				err = r.w.object(record, r.extra)
			}
			if !r.row(b, line, err) {
				break
			}
			if at = next; at < len(b.data) && b.data[at] == '\n' && end <= at {
				at++
			}
		}
		b.lines = bytes.Count(b.data, []byte{'\n'})
		if n := len(b.data); n > 0 && b.data[n-1] != '\n' {
			b.lines++
		}
	}
}

func noObject(line []byte) error {
	return said.Told{Cause: "expected a JSON object on the line", Detail: ", not " + shownJSON(string(line))}
}

// object supplies the members of a JSON object. What encoding/json would change
// in silence is an error here: a member that stands twice, text that is no
// UTF-8, half of a surrogate pair.
func (w *rowMaker) object(line []byte, extra bool) (err error) {
	if plain, err := w.plainObject(line, extra); plain {
		return err
	}
	w.reset()
	switch {
	case !utf8.Valid(line):
		return errors.New(`no UTF-8: in JSON such a text is {"hex":"…"}`)
	case !gjson.ValidBytes(line):
		return noObject(line)
	}
	o := gjson.ParseBytes(line)
	if !o.IsObject() {
		return noObject(line)
	}
	first := func(e error) bool { // also after a bad value: a row's time is asked for even where it makes no key
		if err == nil {
			err = e
		}
		return true
	}
	o.ForEach(func(name, v gjson.Result) bool {
		if len(w.pairs) > 0 && v.Type != gjson.JSON && v.Type != gjson.Null {
			if is, err := w.setPair(name.Str, []byte(v.String())); is {
				return first(err)
			}
		}
		if _, known := w.ByName[name.Str]; known || !extra {
			return first(w.setJSON(name.Str, v))
		}
		return true
	})
	return err
}

// plainObject is object for what nearly all rows are: a flat object whose texts
// need no unescaping. It makes sure of all of its syntax; it is false where
// anything else stands, for object to judge. The error is that of its first bad value.
func (w *rowMaker) plainObject(s []byte, extra bool) (plain bool, err error) {
	if len(w.pairs) > 0 || len(s) == 0 || s[0] != '{' {
		return false, nil
	}
	high := byte(0) // has the bits of all bytes of texts
	for i, next := blanks(s, 1), 0; i < len(s); i = blanks(s, i) {
		from := i + 1
		end, bits := plainText(s, i)
		if end < 0 {
			return false, nil
		}
		high |= bits
		at, known := next, true // most rows have their members in one order
		if name := s[from:end]; next >= len(w.Fields) || w.Fields[next].Name != string(name) {
			at, known = w.ByName[string(name)]
		}
		next = at + 1
		if !known && !extra {
			return false, nil
		}
		if i = blanks(s, end+1); i >= len(s) || s[i] != ':' {
			return false, nil
		}
		var bad error
		if i, bad = w.plainMember(s, blanks(s, i+1), at, known); i < 0 {
			return false, nil
		}
		if err == nil {
			err = bad
		}
		if i = blanks(s, i); i < len(s) && s[i] == ',' {
			i++
			continue
		}
		return i < len(s) && s[i] == '}' && blanks(s, i+1) == len(s) && (high < 0x80 || utf8.Valid(s)), err
	}
	return false, nil
}

// plainMember supplies the value that begins at i, if it is a field's, and says
// where it ends, −1 where object has to judge, and what is wrong with it.
func (w *rowMaker) plainMember(s []byte, i, at int, known bool) (int, error) {
	if i >= len(s) {
		return -1, nil
	}
	from, end, next := i, -1, -1
	word := false
	switch s[i] {
	case '"':
		var bits byte
		if end, bits = plainText(s, i); bits >= 0x80 && end > 0 && !utf8.Valid(s[i+1:end]) {
			return -1, nil
		}
		from, next = i+1, end+1
	case 't', 'f', 'n':
		word = true
		for _, w := range []string{"true", "false", "null"} {
			if bytes.HasPrefix(s[i:], []byte(w)) {
				end = i + len(w)
			}
		}
		next = end
	default:
		end = plainNumber(s, i)
		next = end
	}
	if end < 0 || !known {
		return min(end, next), nil
	}
	f := &w.Fields[at]
	switch {
	case word && s[i] == 'n':
		if !f.Optional || w.Slots[at].State != said.Absent {
			return -1, nil
		}
		w.Slots[at].State = said.Null
		return next, nil
	case word && f.Kind != "bool", !word && s[i] != '"' && !said.Number(f):
		return -1, nil
	}
	return next, w.SetText(at, s[from:end])
}

// blanks is where white space ends.
func blanks(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// plainText is where the quote stands that ends the text whose quote is at i, and
// the bits of its bytes; −1 if there is none, or if something needs unescaping.
func plainText(s []byte, i int) (end int, bits byte) {
	if i >= len(s) || s[i] != '"' {
		return -1, 0
	}
	for i++; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			return i, bits
		}
		if c < 0x20 || c == '\\' {
			break
		}
		bits |= c
	}
	return -1, 0
}

// plainNumber is where a whole number of JSON ends; −1 if none begins at i, or if
// it has a point or an exponent.
func plainNumber(s []byte, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	from := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == from || s[from] == '0' && i > from+1 || i < len(s) && (s[i] == '.' || s[i] == 'e' || s[i] == 'E') {
		return -1
	}
	return i
}

// csvShape is how a CSV is written.
type csvShape struct {
	comma byte
	last  byte // ends a record: a new line, or 00
}

var (
	errQuote = errors.New(`extraneous or missing " in quoted-field`)
	errBare  = errors.New(`bare " in non-quoted field`)
	errOpen  = errors.New(`a quote without its end`)
)

// quoteEnd is the place after the quote that closes the field whose text begins at i; "" within
// it is a quote of the text. It is false if the field is not closed yet.
func quoteEnd(data []byte, i int, eof bool) (int, bool) {
	for {
		q := bytes.IndexByte(data[i:], '"')
		if q < 0 || i+q+1 == len(data) && !eof {
			return 0, false
		}
		if i += q + 1; i == len(data) || data[i] != '"' {
			return i, true
		}
		i++
	}
}

// end is the length of the record that begins data, with the end of its line.
// more says that data ends within quotes; column is where err is.
func (c csvShape) end(data []byte, eof bool) (n int, more bool, column int, err error) {
	for i := 0; ; {
		if i < len(data) && data[i] == '"' {
			var closed bool
			if i, closed = quoteEnd(data, i+1, eof); !closed {
				return 0, true, 0, errOpen
			}
			switch {
			case i == len(data):
				return i, false, 0, nil
			case data[i] == c.comma:
				i++
				continue
			case data[i] == c.last:
				return i + 1, false, 0, nil
			case data[i] != '\r' || c.last != '\n':
			case i+1 < len(data) && data[i+1] == '\n':
				return i + 2, false, 0, nil
			case i+1 == len(data):
				if !eof {
					return 0, true, 0, errOpen
				}
				return i + 1, false, 0, nil
			}
			return 0, false, c.columnOf(data, i-1), errQuote
		}
		for ; ; i++ {
			switch {
			case i == len(data):
				return i, !eof, 0, nil
			case data[i] == c.last:
				return i + 1, false, 0, nil
			case data[i] == '"':
				return 0, false, c.columnOf(data, i), errBare
			case data[i] != c.comma:
				continue
			}
			break
		}
		i++
	}
}

// columnOf is the column of a byte in its line, from 1.
func (c csvShape) columnOf(data []byte, at int) int {
	return at - bytes.LastIndexByte(data[:at], c.last)
}

// broken is the error of a line that begins no record.
func (c csvShape) broken(line []byte) error {
	_, _, column, err := c.end(append(bytes.Clone(line), c.last), true)
	switch {
	case err == nil || errors.Is(err, errOpen):
		return fmt.Errorf("%w: the line is left out, and the next is read as a row", errOpen)
	}
	return said.Told{Cause: err.Error(), Detail: fmt.Sprintf(", at column %d", column)}
}

// whole is how much of data is whole records, and which lines of it begin none.
func (c csvShape) whole(data []byte, eof bool) (n int, broken []brokenLine) {
	for at := 0; at < len(data); {
		q := bytes.IndexByte(data[at:], '"')
		if q < 0 {
			if eof {
				break
			}
			return max(at, bytes.LastIndexByte(data, c.last)+1), broken
		}
		at += bytes.LastIndexByte(data[at:at+q], c.last) + 1
		n, more, _, err := c.end(data[at:], eof)
		if more && !eof && len(data)-at <= longest {
			return at, broken
		}
		if err == nil {
			at += n
			continue
		}
		nl := bytes.IndexByte(data[at:], c.last)
		if nl < 0 && !eof {
			return at, broken
		}
		if nl < 0 {
			nl = len(data) - at
		}
		broken = append(broken, brokenLine{at, c.broken(data[at : at+nl])})
		at += min(nl+1, len(data)-at)
	}
	return len(data), broken
}

// split cuts a whole record into its fields; those with quotes in them into
// memory of scratch.
func (c csvShape) split(record []byte, fields [][]byte, scratch []byte) ([][]byte, []byte) {
	fields, scratch = fields[:0], scratch[:0]
	record = c.line(record)
	if bytes.IndexByte(record, '"') < 0 {
		for {
			i := bytes.IndexByte(record, c.comma)
			if i < 0 {
				return append(fields, record), scratch
			}
			fields, record = append(fields, record[:i]), record[i+1:]
		}
	}
	if cap(scratch) < len(record) { // so that it does not move while fields lie in it
		scratch = make([]byte, 0, 2*len(record))
	}
	for {
		if len(record) > 0 && record[0] == '"' {
			from := len(scratch)
			for record = record[1:]; ; {
				q := bytes.IndexByte(record, '"')
				part := record[:q]
				for {
					i := bytes.Index(part, []byte("\r\n"))
					if i < 0 {
						break
					}
					scratch, part = append(scratch, part[:i]...), part[i+1:]
				}
				scratch = append(scratch, part...)
				record = record[q+1:]
				if len(record) == 0 || record[0] != '"' {
					break
				}
				scratch, record = append(scratch, '"'), record[1:]
			}
			fields = append(fields, scratch[from:len(scratch):len(scratch)])
			if len(record) == 0 {
				return fields, scratch
			}
			record = record[1:] // the comma
			continue
		}
		i := bytes.IndexByte(record, c.comma)
		if i < 0 {
			return append(fields, record), scratch
		}
		fields, record = append(fields, record[:i]), record[i+1:]
	}
}

// csvRows reads the rows of a block of CSV, whose columns have these places.
func (r *rowWork) csvRows(c csvShape, places []place) func(b *block) {
	reader := &csvReader{rowWork: r, csvShape: c, places: places}
	return func(b *block) {
		r.w.How.Notes = &b.notes
		reader.part(b, b.data, b.broken, 1)
		b.lines = bytes.Count(b.data, []byte{c.last})
		if n := len(b.data); n > 0 && b.data[n-1] != c.last {
			b.lines++
		}
	}
}

// csvReader reads rows of CSV.
type csvReader struct {
	*rowWork
	csvShape
	places  []place
	fields  [][]byte // of the record at hand
	scratch []byte
}

// part reads the records of some lines, of which the first is number line of
// the block; it is false where the block ends.
func (r *csvReader) part(b *block, data []byte, broken []brokenLine, line int) bool {
	quotes := bytes.IndexByte(data, '"') >= 0
	for at := 0; at < len(data); {
		if len(broken) > 0 && broken[0].at == at {
			if !b.fail(line, broken[0].err) {
				return false
			}
			broken = broken[1:]
			at, line = at+r.lineLength(data[at:]), line+1
			continue
		}
		if plain, n, ok := r.plainRecord(data[at:], quotes, r.fields); ok {
			if r.fields = plain; len(plain) > 1 || !r.emptyLine(plain[0]) {
				r.w.reset()
				if !r.row(b, line, r.w.record(plain, r.places)) {
					return false
				}
			}
			at, line = at+n, line+1
			continue
		}
		n, lines := r.extent(data[at:])
		if !r.quoted(b, data[at:at+n], line, lines) {
			return false
		}
		at, line = at+n, line+lines
	}
	return true
}

// extent is the length of the record that begins data, and how many lines it has.
func (r *csvReader) extent(data []byte) (n, lines int) {
	nl := r.lineLength(data)
	if bytes.IndexByte(data[:nl], '"') < 0 {
		return nl, 1
	}
	if n, _, _, _ = r.end(data, true); n == 0 {
		n = nl // whole has found it to be a record
	}
	return n, max(1, bytes.Count(data[:n], []byte{r.last}))
}

// quoted reads a record with quotes. One of several lines may be an open quote with what it
// swallowed, which the values tell: then its first line is an error, and the others are read
// again, each by itself.
func (r *csvReader) quoted(b *block, record []byte, line, lines int) bool {
	if r.emptyLine(record) {
		return true
	}
	r.fields, r.scratch = r.split(record, r.fields, r.scratch)
	r.w.reset()
	err := r.w.record(r.fields, r.places)
	if lines == 1 {
		return r.row(b, line, err)
	}
	if err == nil {
		if err = r.w.joinPairs(); err == nil {
			_, err = r.w.Key()
		}
		for i := range r.w.pairs {
			r.w.pairs[i].given = [2]bool{}
		}
	}
	if err == nil {
		return r.row(b, line, nil)
	}
	if !b.fail(line, err) {
		return false
	}
	rest := record[r.lineLength(record):]
	_, again := r.whole(rest, true)
	return r.part(b, rest, again, line+1)
}

// lineLength is the length of the first line, with its end.
func (c csvShape) lineLength(data []byte) int {
	if nl := bytes.IndexByte(data, c.last); nl >= 0 {
		return nl + 1
	}
	return len(data)
}

// plainRecord cuts the first line into its fields, and says how long it is; it is
// false if a quote stands in it, which only data with quotes has.
func (c csvShape) plainRecord(data []byte, quotes bool, fields [][]byte) (out [][]byte, n int, ok bool) {
	n = c.lineLength(data)
	line := data[:n]
	if quotes && bytes.IndexByte(line, '"') >= 0 {
		return fields, 0, false
	}
	line = c.line(line)
	out = fields[:0]
	from := 0
	for i, b := range line {
		if b == c.comma {
			out, from = append(out, line[from:i]), i+1
		}
	}
	return append(out, line[from:]), n, true
}

// line is a line without its end. Where lines end with 00, a carriage return is text.
func (c csvShape) line(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == c.last {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' && c.last == '\n' {
		line = line[:n-1]
	}
	return line
}

// emptyLine reports that a line is nothing but its end.
func (c csvShape) emptyLine(line []byte) bool {
	for _, b := range line {
		if b != c.last && (b != '\r' || c.last != '\n') {
			return false
		}
	}
	return true
}

// place is what a column is: a field, half of a time, or passed over.
type place struct {
	field int // −1: none
	pair  string
}

// columns is the place of each column.
func (w *rowMaker) columns(header []string, extra bool) ([]place, error) {
	var places []place
	met := map[int]bool{}
	half := map[string]bool{}
	for _, name := range header {
		pair := slices.IndexFunc(w.pairs, func(p pair) bool { return p.names[0] == name || p.names[1] == name })
		if pair >= 0 {
			if half[name] {
				return nil, fmt.Errorf("column %s stands twice", name)
			}
			half[name] = true
			met[w.pairs[pair].field] = true
			places = append(places, place{-1, name})
			continue
		}
		i, err := w.Field(name)
		switch {
		case err != nil && extra:
			i = -1
		case err != nil && strings.HasPrefix(strings.TrimSpace(name), "{"):
			return nil, fmt.Errorf("column %w; this looks like JSON: --in json", err)
		case err != nil:
			return nil, fmt.Errorf("column %w; --skip-extra passes over others", err)
		case met[i]:
			return nil, fmt.Errorf("column %s stands twice", name)
		default:
			met[i] = true
		}
		places = append(places, place{i, ""})
	}
	for _, p := range w.pairs {
		for _, n := range p.names {
			if !half[n] {
				return nil, fmt.Errorf("no column %s, of which --time makes %s", n, w.Fields[p.field].Name)
			}
		}
	}
	for i, f := range w.Fields {
		if !met[i] && !f.Optional {
			return nil, fmt.Errorf("no column %s: expected %s%s", f.Name, strings.Join(said.FieldNames(w.Fields), ", "), said.Perhaps(f.Name, header))
		}
	}
	return places, nil
}

func (w *rowMaker) record(record [][]byte, places []place) error {
	if len(record) != len(places) {
		return said.Told{Cause: "expected " + said.Plural(len(places), "column"), Detail: fmt.Sprintf(", not %d", len(record))}
	}
	var first error
	for at, p := range places { // also after a bad value: a row's time is asked for even where it makes no key
		var err error
		switch {
		case p.pair != "":
			_, err = w.setPair(p.pair, record[at])
		case p.field < 0 || len(record[at]) == 0 && w.Fields[p.field].Optional:
		default:
			err = w.SetText(p.field, record[at])
		}
		if first == nil {
			first = err
		}
	}
	return first
}
