package draft

import (
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads sentences: what joins components in them becomes a sign, byte for byte, so that
// what is left is read as an expression. A word that is none of these stays, and is refused there.

var (
	// sentence is a text whose words join components.
	sentence = pattern.New(`(?i)\b(?:followed by|and then|then|consists of|composed of|made (?:up )?of|concatenat\w+|concatenates|row ?key (?:is|format is)|the)\b`)
	// joinsWords join two components in English. An "and" without a comma may belong to what "of" is said of.
	joinsWords = pattern.New(`(?i)^(?:,?\s+(?:(?:and|then|and\s+then|which\s+is|is)\s+)?(?:followed\s+by|concatenated\s+with|joined\s+with|plus)\s+|,\s*(?:and\s+then|then|and)\s+|\s+(?:and\s+then|then|and)\s+)`)
	article    = pattern.New(`(?i)^(?:the|an?)\s+`)
	// joinsHan join two in Chinese.
	joinsHan = pattern.New(`(?:作为|做)?(?:前缀)?[,、]?\s*(?:然后|之后|后面|最后|并|再|后)*(?:加上|拼接上?|拼上|接上|跟上|后接|追加上?)(?:一个|该)?`)
	// ordinal names a place in a sentence of Chinese.
	ordinal = pattern.New(`[,;.]?\s*第[一二三四五六七1-9]\s*(?:段|部分|个部分|个字段|个字节段)\s*(?:是|为|:)`)
	// verbHan begins a sentence of Chinese.
	verbHan = pattern.New(`^\s*(?:我们)?(?:将|把|由)`)
	// between is what a sentence says at its end of what stands between all components.
	between = pattern.New(`(?i)(?:[,;]?\s*(?:(?:各|每个)?(?:字段|部分)?(?:之?间|中间)?(?:均|都|统一)?(?:使用|通过|用|以|按))\s*("[^"\w]"|'[^'\w]'|[_|:#/@~-]|下划线|竖线|冒号|井号|中划线|短横线|横线|连字符|斜杠|逗号|分号)\s*(?:进行|来)?(?:拼接|连接|分隔|分割|隔开|相连|间隔|组合)(?:而成|起来|组成|成|开)?|,?\s+(?:and\s+)?(?:all\s+)?(?:separated|joined|delimited|concatenated)\s+(?:by|with|using)\s+(?:an?\s+)?("[^"\w]"|'[^'\w]'|[_|:#/@~-]|underscore|hyphen|dash|colon|slash|pipe|comma)(?:s|es)?)\s*\.?\s*$`)
)

// blank writes a sign in place of a part of the text.
func (r *reader) blank(from, to int, sign string) {
	r.text = r.text[:from] + sign + strings.Repeat(" ", to-from-len(sign)) + r.text[to:]
}

// ended takes what the end of a sentence says to stand between its components.
func (r *reader) ended(from int) {
	if m := between.FindStringSubmatchIndex(r.text[from:r.to]); m != nil && m[0] > 0 {
		g := 2
		if m[g] < 0 {
			g = 4
		}
		sign := r.text[from+m[g] : from+m[g+1]]
		if word := separators[strings.ToLower(sign)]; word != "" {
			sign = word
		}
		r.between, r.betweenAt = strings.Trim(sign, `"'`), span{from + m[0], r.to}
		r.to = from + m[0]
		if by := byHan.FindString(r.text[from:r.to]); strings.HasSuffix(by, "由") {
			r.blank(from, from+len(by), "")
		}
	}
}

// prose makes signs of the words of a sentence.
func (r *reader) prose(from int) {
	text := r.text[from:r.to]
	if strings.ContainsAny(text, "\"'`;{=") {
		return
	}
	for i, m := range ordinal.FindAllStringIndex(text, -1) { // 第一段是A，第二段是B
		sign := "+"
		if i == 0 {
			sign = ""
			if strings.TrimSpace(text[len(titled.FindString(text)):max(m[0], len(titled.FindString(text)))]) != "" {
				break
			}
		}
		r.blank(from+m[0], from+m[1], sign)
		r.spoken = true
	}
	text = r.text[from:r.to]
	if m := verbHan.FindString(text); m != "" && joinsHan.MatchString(text) {
		r.blank(from, from+len(m), "")
	}
	if joinsHan.MatchString(text) && hasHan(text) {
		open := depths(text)
		for _, m := range joinsHan.FindAllStringIndex(text, -1) {
			if open[m[0]] == 0 && m[0] > 0 && m[1] < len(text) {
				r.blank(from+m[0], from+m[1], "+")
				r.spoken = true
			}
		}
	}
	if !sentence.MatchString(text) && r.between == "" || hasHan(text) {
		return
	}
	begin := from + len(titled.FindString(text))
	of, open := false, depths(r.text[begin:r.to])
	for i := begin; i < r.to; i++ {
		rest := r.text[i:r.to]
		before := i == begin || !wordRune(rune(r.text[i-1]))
		switch m := joinsWords.FindString(rest); {
		case open[i-begin] > 0:
		case m != "" && len(m) < len(rest):
			if of && strings.EqualFold(strings.TrimSpace(m), "and") {
				r.fail(i, "expected a comma before 'and', or what is hashed in parentheses: whether the hash is of both is not said")
				return
			}
			r.blank(i, i+len(m), "+")
			i += len(m) - 1
			of = false
			r.spoken = true
		case before && strings.HasPrefix(rest, "of "):
			of = true
		case before && article.MatchString(rest):
			m := article.FindString(rest)
			r.blank(i, i+len(m)-1, "")
		}
	}
}

// depths is how many brackets are open at each byte, and at the end.
func depths(s string) []int {
	open := make([]int, len(s)+1)
	for i := range len(s) {
		open[i+1] = open[i]
		switch s[i] {
		case '(', '[', '<':
			open[i+1]++
		case ')', ']', '>':
			open[i+1]--
		}
	}
	return open
}

// betweenAll puts what a sentence says to stand between all components there.
func (r *reader) betweenAll() {
	if r.between == "" || r.problem != nil {
		return
	}
	var list []item
	for i, it := range r.list {
		component := it.expr != nil || it.said != nil
		switch {
		case !component && it.text != r.between:
			r.fail(it.at, "expected '%s' between the components, as the sentence says", r.between)
			return
		case !component:
			it.sure = true
		case i > 0 && (r.list[i-1].expr != nil || r.list[i-1].said != nil):
			list = append(list, item{at: r.betweenAt.from, text: r.between, sure: true, spans: []span{r.betweenAt}})
		}
		list = append(list, it)
	}
	if len(list) < 2 {
		r.fail(r.betweenAt.from, "expected components between which '%s' stands", r.between)
		return
	}
	r.use(r.betweenAt.from, r.betweenAt.to)
	r.list = list
}

// partOf is "first 4 bytes of md5 of uid"; nil if no such words are next.
func (r *reader) partOf() *expr {
	t, n := r.peek(), r.peekAt(1)
	k := 2
	if r.peekAt(k).text == "hex" || r.peekAt(k).text == "hexadecimal" {
		k++
	}
	unit, of := r.peekAt(k), r.peekAt(k+1)
	if n.kind != 'n' || of.text != "of" || !partUnits[unit.text] {
		return nil
	}
	number := &expr{at: n.at, isNum: true, n: chinese(n.text), spans: []span{{n.at, n.end}}}
	said := []token{r.next()}
	r.next()
	for range k {
		said = append(said, r.next())
	}
	e := r.unary()
	if r.problem != nil {
		return e
	}
	fn := map[string]string{"first": "left", "last": "right"}[t.text]
	if digestOf(e) != nil && fn == "left" && unit.text == "bytes" { // of its bytes, or of its hexadecimal
		return (&expr{at: e.at, fn: "slice", args: []*expr{e, {isNum: true}, number}}).has(said...)
	}
	return (&expr{at: e.at, fn: fn, args: []*expr{e, number}}).has(said...)
}

var partUnits = map[string]bool{"bytes": true, "byte": true, "chars": true, "characters": true, "character": true, "digits": true, "letters": true}

// digestWords is "MD5 hash of uid"; nil if no such words are next.
func (r *reader) digestWords() *expr {
	t := r.peek()
	k := 1
	if w := r.peekAt(1).text; w == "hash" || w == "digest" || w == "checksum" {
		k = 2
	}
	fn := strings.ToLower(t.text)
	if r.peekAt(k).text != "of" || r.peekAt(k).kind != 'w' || !isDigest(fn) {
		return nil
	}
	var said []token
	for range k + 1 {
		said = append(said, r.next())
	}
	e := r.unary()
	if r.problem != nil {
		return e
	}
	return e.of(fn, said...)
}

var (
	phpBegins = pattern.New(`^\s*(?:return\s+)?\$[a-zA-Z_]\w*\s*(?:=[^=>]|\.)`)
	phpName   = pattern.New(`^\$[a-zA-Z_]`)
)

// php makes of PHP what other languages write: a name without its $, and + for the '.' that joins.
func (r *reader) php(from int) {
	if !phpBegins.MatchString(r.text[from:r.to]) || strings.Contains(r.text[from:r.to], "\"") { // in double quotes stand names
		return
	}
	text := []byte(r.text)
	quote := byte(0)
	for i := from; i < r.to; i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'':
			quote = c
		case c == '$' && phpName.MatchString(r.text[i:r.to]):
			text[i] = ' '
			r.use(i, i+1)
		case c == '.' && !digitAt(r.text, i-1) && !digitAt(r.text, i+1):
			text[i] = '+'
		}
	}
	r.text = string(text)
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

// clause is what a sentence of Chinese says before it comes to the key.
var clause = pattern.New(`^\s*[\p{Han}\s]{2,20}[,:]\s*`)

// formEnd are words after a layout that say no more.
var formEnd = pattern.New(`\s*(?:这样)?的(?:形式|方式|格式|结构)\s*[.]?\s*$`)

// aside takes a clause before the one of the key, and words after it, which say nothing of it.
func (r *reader) aside(from int) int {
	if m := clause.FindString(r.text[from:r.to]); m != "" && !computed.MatchString(m) && titledHan.MatchString(r.text[from+len(m):r.to]) {
		r.use(from, from+len(m))
		from += len(m)
	}
	if m := formEnd.FindStringIndex(r.text[from:r.to]); m != nil && titledHan.MatchString(r.text[from:r.to]) {
		r.use(from+m[0], r.to)
		r.to = from + m[0]
	}
	return from
}

var titledHan = pattern.New(`(?i)^\s*(?:row_?key|行键)[\s\p{Han}:=]`)

// defined is what a sentence says at its end of one of its components: where salt = hash(uid) % 16.
var defined = pattern.New(`(?i)[,;.]?\s*(?:\bwhere\s+|其中,?\s*|[,;.]\s*)([a-z_]\w*|[\p{Han}]{1,4})\s*(?:=|:|\bis\b|为|是|等于)\s*([^,;=]+?)\s*\.?\s*$`)

// where reads what a sentence says at its end of its salt or hash.
func (r *reader) where(from int) {
	m := defined.FindStringSubmatchIndex(r.text[from:r.to])
	if m == nil || m[0] == 0 {
		return
	}
	name := r.text[from+m[2] : from+m[3]]
	if !namesSalt(name) && !namesHash(name) || !strings.Contains(r.text[from:from+m[0]], name) || strings.Contains(r.text[from:from+m[0]], ";") {
		return
	}
	e := r.cell(from+m[4], from+m[5])
	if r.problem != nil {
		return
	}
	if digestOf(e) == nil && e.fn != "mod" && e.fn != "floormod" {
		r.fail(from+m[4], "expected of what %s is computed, such as hash(uid) %% 16", name)
		return
	}
	r.use(from+m[0], from+m[4])
	r.use(from+m[5], r.to)
	r.vars[name] = e
	r.to = from + m[0]
	if at := formEnd.FindStringIndex(r.text[from:r.to]); at != nil {
		r.use(from+at[0], r.to)
		r.to = from + at[0]
	}
}
