package draft

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads designs of several lines: lists, tables of documents, and SQL.

// line is a line of the text, without space around it.
type line struct {
	from, to int
}

// lines are the lines from a byte on that are not empty.
func (r *reader) lines(from int) (lines []line) {
	for at := from; at < r.to; {
		n := strings.IndexByte(r.text[at:r.to], '\n')
		if n < 0 {
			n = r.to - at
		}
		text := r.text[at : at+n]
		if trimmed := strings.TrimSpace(text); trimmed != "" {
			begin := at + strings.Index(text, trimmed)
			lines = append(lines, line{begin, begin + len(trimmed)})
		}
		at += n + 1
	}
	return lines
}

var bullet = pattern.New(`^(?:[-*•]\s+|[①-⑳]\s*|\(?[0-9]{1,2}[.),]\s*|\(?[0-9]{1,2}\)\s*)`)

// listing reads a list, each line of which is a component; false if the text is none.
func (r *reader) listing(from int) bool {
	lines := r.lines(from)
	begin := 0
	if len(lines) > 2 && !bullet.MatchString(r.text[lines[0].from:lines[0].to]) {
		first := r.text[lines[0].from:lines[0].to]
		if m := titled.FindString(first); len(strings.TrimSpace(m)) != len(first) {
			return false
		}
		begin = 1
	}
	if len(lines)-begin < 2 {
		return false
	}
	for _, l := range lines[begin:] {
		if !bullet.MatchString(r.text[l.from:l.to]) {
			return false
		}
	}
	if begin == 1 {
		r.use(lines[0].from, lines[0].to)
	}
	for _, l := range lines[begin:] {
		r.withoutTicks(l)
		at := l.from + len(bullet.FindString(r.text[l.from:l.to]))
		r.use(l.from, at)
		if strings.HasSuffix(strings.TrimRight(r.text[at:l.to], " "), ";") {
			l.to--
			r.use(l.to, l.to+1)
		}
		name, size, said := strings.Cut(r.text[at:l.to], ":")
		n := len(r.list)
		if part, rest, more := strings.Cut(r.text[at:l.to], ","); !said && more && annotates(rest) && !strings.ContainsAny(part, "'\"(+") { // uid 10 digits, left pad 0
			name, size, said = part, rest, true
		}
		if !said || strings.ContainsAny(name, "'\"(") {
			r.layout(at, l.to)
		} else { // uid: 8 bytes
			if label.MatchString(name) { // prefix: md5(uid)[0:4]
				r.use(at, at+len(name)+1)
				r.layout(at+len(name)+1, l.to)
				continue
			}
			if s := sizeBefore(name); s != nil { // 8 bytes: uid
				from, first := at+len(name)+1, len(size)
				if parts := topParts(size); len(parts) > 1 { // 8 bytes: uid, big endian
					first = parts[0].to
				}
				e := r.component1(from, from+first)
				if r.problem == nil {
					s.args, s.at, s.spans = []*expr{e}, e.at, []span{{at, from}}
					r.add(r.saidOf(s, from+first, from+len(size)))
				}
				continue
			}
			e := r.cell(at, at+len(name))
			r.use(at+len(name), at+len(name)+1)
			r.add(r.saidOf(e, at+len(name)+1, at+len(name)+1+len(size)))
		}
		if r.problem == nil && len(r.list) != n+1 {
			r.fail(at, "expected one component on each line of a list")
		}
		if r.problem != nil {
			break
		}
	}
	return true
}

// withoutTicks takes off the marks of code in a line of a list.
func (r *reader) withoutTicks(l line) {
	text := r.text[l.from:l.to]
	if strings.Count(text, "`")%2 != 0 || strings.ContainsAny(text, "'\"$") {
		return
	}
	for i := l.from; i < l.to; i++ {
		if r.text[i] == '`' {
			r.use(i, i+1)
			r.blank(i, i+1, "")
		}
	}
}

// label names a place in the key.
var label = pattern.New(`(?i)^\s*(?:前缀|后缀|第[一二三四五六1-9][段部位](?:分)?|部分[一二三四五六1-9]|prefix|suffix|part [1-9])\s*$`)

var placeHan = pattern.New(`^(?:前|中间|后|最后|末尾|接着)?([0-9]+)(位|个?字节)$`)

// sizeBefore is what a text says before a component of how long it is; nil if it says more or less.
func sizeBefore(text string) *expr {
	text = strings.TrimSpace(text)
	if m := placeHan.FindStringSubmatch(text); m != nil {
		text = m[1] + m[2]
	}
	if !sized.MatchString(text) {
		return nil
	}
	return annotation(&expr{name: "x"}, text)
}

// component1 is a component as a bracket has it: uid, or 8B uid.
func (r *reader) component1(from, to int) (e *expr) {
	r.within(from, to, func() {
		r.boxed, r.boxDepth = true, r.depth+1
		e = r.boxedExpr("")
		r.boxed, r.boxDepth = false, -1
	})
	return e
}

// cell is the expression that stands in a part of the text.
func (r *reader) cell(from, to int) (e *expr) {
	r.within(from, to, func() {
		if r.peek().kind == 0 {
			r.fail(from, "expected the name of a field")
			return
		}
		e = r.expression(anyOp)
	})
	return e
}

// topParts are the parts of a text between its commas and semicolons outside parentheses.
func topParts(s string) (parts []line) {
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || depth == 0 && (s[i] == ',' || s[i] == ';'):
			if text := s[from:i]; strings.TrimSpace(text) != "" {
				n := len(text) - len(strings.TrimLeft(text, " \t\n"))
				parts = append(parts, line{from + n, from + len(strings.TrimRight(text, " \t\n"))})
			}
			from = i + 1
		case strings.IndexByte("([{", s[i]) >= 0:
			depth++
		case strings.IndexByte(")]}", s[i]) >= 0:
			depth--
		}
	}
	return parts
}

// bigEndian is how numbers of bytes are written here anyway.
var bigEndian = pattern.New(`(?i)^(?:big[- ]?endian|大端(?:序|字节序)?)$`)

// computes is a text that says of what a component is computed, such as md5(uid)前4位.
var computes = pattern.New(`(?i)[%(]|\bmod\b|max|最大值|9{8}|md5|sha1|sha256|crc32|murmur|hash|哈希|取模`)

// saidOf is e with what a text says of how it is written, or of what it is computed.
func (r *reader) saidOf(e *expr, from, to int) *expr {
	if r.problem != nil {
		return e
	}
	parts := topParts(r.text[from:to])
	for i, p := range parts { // what it is computed of comes first, wherever it stands
		text := r.text[from+p.from : from+p.to]
		if annotation(e, text) == nil && !bigEndian.MatchString(text) && computes.MatchString(text) {
			e = r.computedOf(e, from+p.from, from+p.to)
			parts = slices.Delete(parts, i, i+1)
			break
		}
	}
	for _, p := range parts {
		at, text := from+p.from, r.text[from+p.from:from+p.to]
		if bigEndian.MatchString(text) && e.fn != "" {
			r.use(at, at+len(text))
			continue
		}
		if r.problem != nil {
			return e
		}
		a := annotation(e, text)
		if a == nil {
			r.fail(at, "expected how the component is written, such as 8B, long, desc, yyyyMMdd or left pad 0")
			return e
		}
		if a == e {
			r.use(at, at+len(text))
		} else {
			a.spans = append(a.spans, span{at, at + len(text)})
		}
		e = a
	}
	for i := from; i < to; i++ {
		if strings.IndexByte(",; ", r.text[i]) >= 0 {
			r.used[i] = true
		}
	}
	return e
}

// computedOf is a component that a name and what it is computed of stand for: salt (md5(uid) % 16).
func (r *reader) computedOf(e *expr, from, to int) *expr {
	v := r.cell(from, to)
	if r.problem != nil {
		return e
	}
	inner := bare(v)
	switch {
	case v.isField() || v.isText || v.isNum || v.fn == "concat":
		r.fail(from, "expected how the component is written, such as 8B, long, desc, yyyyMMdd or left pad 0")
		return e
	case (inner.fn == "max" || inner.fn == "nines") && len(inner.args) == 1: // ts: Long.MAX_VALUE - millis
		if of := bare(inner.args[0]); of.isField() {
			if e.isField() && units[strings.ToLower(of.name)] != "" {
				of.unit, of.name = units[strings.ToLower(of.name)], e.name
			}
			if !e.isField() && !falls(e) || !namesTime(of.name) && of.name != bareName(e) {
				r.fail(from, "expected how the component is written, such as 8B, long, desc, yyyyMMdd or left pad 0")
			}
		}
	case !e.isField():
		r.fail(from, "expected what is computed after the name of a component, not after what is done to it")
	case digestOf(v) == nil && inner.fn != "mod" && inner.fn != "floormod" && bareName(v) != e.name:
		r.fail(from, "expected what %s is computed of: this is another field", e.name)
	}
	for x := e; ; x = x.args[0] {
		v.joined(x)
		if len(x.args) == 0 || x.args[0] == nil {
			if x.name != "" && x.name != "salt" && v.alias == "" {
				v.alias = x.name
			}
			return v
		}
	}
}

// bareName is the name of the field in an expression.
func bareName(e *expr) string {
	for len(e.args) > 0 && e.args[0] != nil {
		e = e.args[0]
	}
	return e.name
}

var (
	rule      = pattern.New(`^[|\s:-]+$`)
	nameHead  = pattern.New(`(?i)^(?:字段名?称?|名称|组成|组成部分|部分|component|field|name|part|column)$`)
	sizeHead  = pattern.New(`(?i)^(?:长度|大小|字节数?|长度\(字节\)|length|size|bytes|len|width)$`)
	bytesHead = pattern.New(`(?i)字节|bytes`)
	typeHead  = pattern.New(`(?i)^(?:类型|数据类型|type|format|格式|编码|encoding)$`)
	orderHead = pattern.New(`(?i)^(?:序号|顺序|no|#|order|位置|position)$`)
	placeHead = pattern.New(`(?i)^(?:位|位数|位置|字节|起止|offset|bytes?|position)$`)
	placeCell = pattern.New(`^([0-9]{1,3})\s*[-~]\s*([0-9]{1,3})$`)
	aboutHead = pattern.New(`(?i)^(?:说明|描述|备注|含义|注释|description|comment|note|notes|meaning|about)$`)
)

// table reads a table of a document, a row of which is a component, or one row of components;
// false if the text is none.
func (r *reader) table(from int) bool {
	lines := r.lines(from)
	if len(lines) == 0 {
		return false
	}
	for _, l := range lines {
		if text := r.text[l.from:l.to]; text[0] != '|' || !strings.HasSuffix(text, "|") || len(text) < 3 || strings.Contains(text, "||") && (len(lines) < 3 || !rule.MatchString(r.text[lines[1].from:lines[1].to])) {
			return false
		}
	}
	var rows [][]line
	for _, l := range lines {
		rows = append(rows, r.cells(l))
	}
	ruled := len(rows) > 1 && rule.MatchString(r.text[lines[1].from:lines[1].to])
	if len(rows) == 1 || ruled && len(rows) == 2 { // one row of components
		for _, c := range rows[0] {
			r.add(r.component1(c.from, c.to))
		}
		if ruled {
			r.use(lines[1].from, lines[1].to)
		}
		return true
	}
	if !ruled {
		r.fail(lines[0].from, "expected a table with a head, and |---| below it")
		return true
	}
	r.use(lines[1].from, lines[1].to)
	heads := make([]*pattern.Pattern, len(rows[0]))
	if ok := r.placesToSizes(rows); r.problem != nil {
		return true
	} else if ok {
		heads[0] = sizeHead
	}
	unitOfSizes := "length"
	for i, c := range rows[0] {
		if heads[i] != nil {
			r.use(c.from, c.to)
			continue
		}
		for _, re := range []*pattern.Pattern{nameHead, sizeHead, typeHead, orderHead, aboutHead} {
			if re.MatchString(r.text[c.from:c.to]) {
				heads[i] = re
			}
		}
		if heads[i] == nil {
			r.fail(c.from, "expected a column such as field, length, type or description")
			return true
		}
		if heads[i] == sizeHead && bytesHead.MatchString(r.text[c.from:c.to]) {
			unitOfSizes = "bytes"
		}
		r.use(c.from, c.to)
	}
	if i := slices.Index(heads, aboutHead); i >= 0 && !slices.Contains(heads, nameHead) && r.text[rows[0][i].from:rows[0][i].to] == "含义" {
		heads[i] = nameHead
	}
	if !slices.Contains(heads, nameHead) {
		r.fail(lines[0].from, "expected a column field or name")
		return true
	}
	for n, row := range rows[2:] {
		if len(row) != len(heads) {
			r.fail(lines[n+2].from, "expected as many cells as the head of the table has")
			return true
		}
		r.tableRow(heads, unitOfSizes, row, n)
		if r.problem != nil {
			return true
		}
	}
	return true
}

// placesToSizes reports that the first column says the places of each component, as 1-2 and 3-12, one
// after the other.
func (r *reader) placesToSizes(rows [][]line) bool {
	if head := rows[0][0]; !placeHead.MatchString(r.text[head.from:head.to]) || len(rows) < 3 {
		return false
	}
	next := -1
	for _, row := range rows[2:] {
		m := placeCell.FindStringSubmatch(r.text[row[0].from:row[0].to])
		if m == nil {
			return false
		}
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		if next < 0 && from <= 1 {
			next = from
		}
		if from != next || to < from {
			r.fail(row[0].from, "expected places that follow one another, from 0 or 1 on")
			return false
		}
		next = to + 1
	}
	return true
}

// cells are the cells of a row; its bars are used.
func (r *reader) cells(l line) (cells []line) {
	at := l.from + 1
	r.use(l.from, l.from+1)
	for at < l.to {
		n := strings.IndexByte(r.text[at:l.to], '|')
		text := r.text[at : at+n]
		trimmed := strings.TrimSpace(text)
		begin := at + strings.Index(text, trimmed)
		cells = append(cells, line{begin, begin + len(trimmed)})
		r.use(at+n, at+n+1)
		at += n + 1
	}
	return cells
}

// tableRow reads a row that is a component.
func (r *reader) tableRow(heads []*pattern.Pattern, unitOfSizes string, row []line, n int) {
	var e *expr
	for i, c := range row {
		if heads[i] == nameHead {
			e = r.cell(c.from, c.to)
		}
	}
	for i, c := range row { // of what it is computed comes before how it is written
		if text := r.text[c.from:c.to]; heads[i] == aboutHead && e != nil && e.isField() && !annotates(text) && computes.MatchString(text) {
			e = r.about(e, c)
			heads = slices.Clone(heads)
			heads[i] = nil
		}
	}
	for i, c := range row {
		text := r.text[c.from:c.to]
		if r.problem != nil || e == nil {
			return
		}
		switch heads[i] {
		case sizeHead:
			if m := placeCell.FindStringSubmatch(text); m != nil && i == 0 {
				from, _ := strconv.Atoi(m[1])
				to, _ := strconv.Atoi(m[2])
				e = &expr{at: e.at, fn: "sized", text: unitOfSizes, n: to - from + 1, args: []*expr{e}, spans: []span{{c.from, c.to}}}
				continue
			}
			if digitsOnly.MatchString(text) {
				size := &expr{at: e.at, fn: "sized", text: unitOfSizes, args: []*expr{e}, spans: []span{{c.from, c.to}}}
				size.n, _ = strconv.Atoi(text)
				e = size
				continue
			}
			e = r.saidOf(e, c.from, c.to)
		case typeHead:
			e = r.saidOf(e, c.from, c.to)
		case orderHead:
			if text != strconv.Itoa(n+1) {
				r.fail(c.from, "expected rows in the order of the key")
			}
			r.use(c.from, c.to)
		case aboutHead:
			e = r.about(e, c)
		}
	}
	if r.problem == nil {
		r.add(e)
	}
}

// about is e with what its description says. A description that is only a name says nothing.
func (r *reader) about(e *expr, c line) *expr {
	text := r.text[c.from:c.to]
	if text == "" {
		return e
	}
	if annotates(text) {
		return r.saidOf(e, c.from, c.to)
	}
	if base, ops := suffixes(text, false); len(ops) == 1 && (ops[0].fn == "turned" || ops[0].fn == "reverse") && (base == e.name || namesTime(base) && namesTime(e.name)) {
		r.use(c.from, c.from+ops[0].from)
		return r.apply(e, ops, token{at: c.from})
	}
	if namesGood(text) && !namesSalt(text) && !computes.MatchString(text) {
		r.use(c.from, c.to)
		return e
	}
	if computes.MatchString(text) {
		return r.saidOf(e, c.from, c.to)
	}
	r.fail(c.from, "expected a description that says how the component is written, such as desc or left pad 0, or only names it")
	return e
}

var digitsOnly = pattern.New(`^[0-9]+$`)

var (
	selected = pattern.New(`(?is)^\s*(?:insert\s+(?:into|overwrite)(?:\s+table)?\s+[\w.]+\s+)?select\s+`)
	inserted = pattern.New(`(?i)^\s*insert\s+into\b`)
	rowOf    = pattern.New(`(?i)^\s*row\s*\(`)
	asKey    = pattern.New(`(?i)\s+(?:as\s+)?["` + "`" + `]?(?:row_?key|rk)["` + "`" + `]?\b|\s+as\s+key\b`)
	others   = pattern.New(`(?i)^(?:\s*,\s*(?:row\([\w., ]*\)|[\w.*]+)(?:\s+as\s+\w+)?)*(?:\s+from\s+[\w.]+(?:\s+(?:as\s+)?[a-z_]\w*)?)?\s*;?\s*$`)
	created  = pattern.New(`(?is)^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?[\w."]+\s*\(`)
	// salted are the options of a table of Phoenix; the others change no key.
	salted  = pattern.New(`(?i)^\s*(?:` + otherOption + `\s*,\s*)*salt_buckets\s*=\s*([0-9]{1,3})\s*(?:,\s*` + otherOption + `\s*)*;?\s*$`)
	inFlink = pattern.New(`(?i)\bnot\s+enforced\b`)
	remark  = pattern.New(`--[^\n]*|/\*(?s:.*?)\*/`)
	keyOf   = pattern.New(`(?is)(?:\bconstraint\s+\w+\s+)?\bprimary\s+key\s*\(([^()]*)\)\s*$`)
	column  = pattern.New(`(?is)^("?[\w.]+"?)\s+(\w+)(?:\s*\(\s*([0-9]+)(?:\s*,\s*[0-9]+)?\s*\))?((?:\s+not\s+null|\s+null)?)(\s+primary\s+key(?:\s+(?:asc|desc))?)?$`)
	keyPart = pattern.New(`(?i)^"?(\w+)"?(?:\s+(asc|desc))?$`)
)

var withColumn = pattern.New(`(?is)^\s*(?:(?:val|var)?\s*\w+\s*=\s*)?[a-z]\w*\.withColumn\(\s*"row_?key"\s*,(.*)\)\s*;?\s*$`)

const otherOption = `(?:\w+\.)?(?:ttl|versions|compression|data_block_encoding|immutable_rows|block_?size|bloomfilter|in_memory|disable_wal|max_filesize|memstore_flushsize|update_cache_frequency|keep_deleted_cells)\s*=\s*(?:'[^']*'|\w+)`

// sql reads a SELECT that makes the key, and a table of Phoenix; false if the text is neither.
func (r *reader) sql(from int) bool {
	text := r.text[from:r.to]
	switch {
	case withColumn.MatchString(text): // Spark's df.withColumn("rowkey", …)
		m := withColumn.FindStringSubmatchIndex(text)
		r.use(from, from+m[2])
		r.use(from+m[3], r.to)
		r.layout(from+m[2], from+m[3])
		return true
	case selected.MatchString(text):
		r.selected(from)
		return true
	case created.MatchString(text):
		r.created(from)
		return true
	}
	return false
}

// selected reads SELECT … AS rowkey, whose other columns are no part of the key.
func (r *reader) selected(from int) {
	head := selected.FindString(r.text[from:r.to])
	m := asKey.FindStringIndex(r.text[from:r.to])
	if m == nil && inserted.MatchString(head) { // into a table of Flink: the key, and a ROW for each family
		if parts := splitOutside(r.text[from+len(head) : r.to]); len(parts) > 1 && rowOf.MatchString(parts[1]) {
			m = []int{len(head) + len(parts[0]), len(head) + len(parts[0])}
		}
	}
	if m == nil {
		r.fail(from, "expected AS rowkey after what makes the key")
		return
	}
	if !others.MatchString(r.text[from+m[1] : r.to]) {
		r.fail(from+m[1], "expected columns and FROM a table after AS rowkey")
		return
	}
	r.use(from, from+len(head))
	r.use(from+m[0], r.to)
	var e *expr
	r.within(from+len(head), from+m[0], func() { e = r.expression(anyOp) })
	r.add(e)
}

// phoenixTypes are types of Phoenix's columns, and the notation of each.
var phoenixTypes = map[string]string{"varchar": "", "char": "pad", "bigint": ":i8", "integer": ":i4", "smallint": ":i2", "tinyint": ":i1", "unsigned_long": ":8", "unsigned_int": ":4",
	"unsigned_smallint": ":2", "unsigned_tinyint": ":1", "date": "ms", "time": "ms", "timestamp": "ns", "double": ":f8", "float": ":f4", "boolean": ":bool", "decimal": " numeric", "varbinary": ":bytes"}

// ownTypes are types that only Phoenix has.
var ownTypes = pattern.New(`(?i)\sunsigned_(?:long|int|smallint|tinyint)\b`)

// created reads CREATE TABLE of Phoenix, whose keys are those of its dialect.
func (r *reader) created(from int) {
	r.text = remark.ReplaceAllStringFunc(r.text, func(c string) string { return strings.Repeat(" ", len(c)) })
	head := created.FindString(r.text[from:r.to])
	open := from + len(head) - 1
	end := matching(r.text[:r.to], open)
	if end < 0 {
		r.fail(open, "expected ')'")
		return
	}
	tail := salted.FindStringSubmatch(r.text[end+1 : r.to])
	if m := inFlink.FindStringIndex(r.text[open:r.to]); tail == nil && m != nil {
		r.fail(open+m[0], "expected what the key is made of: a table of Flink names only the column that holds it; the SELECT that fills it says more")
		return
	}
	if tail == nil && ownTypes.MatchString(r.text[open:end]) && strings.Trim(r.text[end+1:r.to], "; \t\r\n") == "" {
		tail = []string{"", "0"}
	}
	if tail == nil {
		r.fail(end+1, "expected SALT_BUCKETS = n, which says that this is a table of Phoenix: how other systems write a primary key is not known here")
		return
	}
	columns := map[string][]string{}
	var order [][2]string
	at := map[string]int{}
	body := r.text[open+1 : end]
	if m := keyOf.FindStringSubmatchIndex(body); m != nil {
		for _, part := range strings.Split(body[m[2]:m[3]], ",") {
			p := keyPart.FindStringSubmatch(strings.TrimSpace(part))
			if p == nil {
				r.fail(open+1+m[2], "expected the names of columns in PRIMARY KEY")
				return
			}
			order = append(order, [2]string{strings.ToLower(p[1]), strings.ToLower(p[2])})
		}
		body = strings.TrimRight(strings.TrimSpace(body[:m[0]]), ",")
	}
	offset := open + 1
	for _, part := range splitOutside(body) {
		trimmed := strings.TrimSpace(part)
		place := offset + strings.Index(part, trimmed)
		offset += len(part) + 1
		m := column.FindStringSubmatch(trimmed)
		if m == nil {
			r.fail(place, "expected a column and its type")
			return
		}
		name := strings.ToLower(strings.Trim(m[1], `"`))
		columns[name], at[name] = m, place
		if m[5] != "" {
			dir := ""
			if strings.HasSuffix(strings.ToLower(m[5]), "desc") {
				dir = "desc"
			}
			order = append(order, [2]string{name, dir})
		}
	}
	if len(order) == 0 {
		r.fail(open, "expected PRIMARY KEY")
		return
	}
	buckets, _ := strconv.Atoi(tail[1])
	if buckets > 0 {
		r.list = append(r.list, item{at: end + 1, text: "[salt" + tail[1] + "(rest()) phoenixhash]", said: &declared{}})
	}
	for i, o := range order {
		m := columns[o[0]]
		if m == nil {
			r.fail(open, "expected a column %s", o[0])
			return
		}
		r.list = append(r.list, item{at: at[o[0]], said: &declared{name: o[0], field: true}, text: r.phoenixColumn(o[0], o[1], m, at[o[0]], len(order) == 1 || i < 0)})
		if r.problem != nil {
			return
		}
	}
	r.use(from, r.to)
}

// phoenixColumn is the notation of a column of a primary key.
func (r *reader) phoenixColumn(name, dir string, m []string, at int, only bool) string {
	typ, known := phoenixTypes[strings.ToLower(m[2])]
	if !known {
		r.fail(at, "expected a type such as VARCHAR, BIGINT, UNSIGNED_LONG or DATE: how %s is written is not known here", m[2])
		return ""
	}
	out := "[" + name
	switch typ {
	case "pad":
		n := m[3]
		if n == "" {
			n = "1"
		}
		out += " pad(" + n + ",' ')"
	case "ms", "ns":
		out = "[" + typ + "(" + name + ")"
	default:
		out += typ
	}
	if dir == "desc" {
		out += " desc"
	}
	nullable := !strings.Contains(strings.ToLower(m[4]), "not") && m[5] == ""
	switch typ {
	case "", " numeric", ":bytes":
		if nullable && !only {
			out += " optional"
		}
	}
	return out + " phoenix]"
}

// matching is the place of the parenthesis that closes the one at a byte.
func matching(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitOutside is a text split at its commas outside parentheses.
func splitOutside(s string) (parts []string) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, s[from:])
}
