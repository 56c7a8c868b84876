package draft

import (
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// This file reads what stands in one word of Chinese: 用户ID的MD5值前6位 is a field, its digest, and
// the first six characters of that.

// op is what a part of a word says is done to a field.
type op struct {
	fn, text string
	n        int
	from, to int // in the word
}

const numberChinese = `([0-9]+|[一二两三四五六七八九十])`

// endings are what a word may end with, the longer ones first.
var endings = []struct {
	re *pattern.Pattern
	op func(m []string) op
}{
	{pattern.New(`(?:取|截取)?(前|后|末|末尾|最后|尾号?)` + numberChinese + `(?:位|个字符|字符|个字节|字节)?$`), func(m []string) op {
		if m[1] == "前" {
			return op{fn: "left", n: chinese(m[2])}
		}
		return op{fn: "right", n: chinese(m[2])}
	}},
	{pattern.New(`不足` + numberChinese + `位(左|右|前|后)?(?:面|侧)?补齐?(?:0|零)$`), func(m []string) op { return padOp(m[2], m[1]) }},
	{pattern.New(`(左|右|前|后)?(?:面|侧)?补齐?(?:0|零)(?:到|至|成|为|满)?` + numberChinese + `位$`), func(m []string) op { return padOp(m[1], m[2]) }},
	{pattern.New(`(?:不足)?(左|右|前|后)?(?:面|侧)?补齐?(?:0|零)$`), func(m []string) op {
		o := op{fn: "fill", text: "0"}
		if m[1] == "右" || m[1] == "后" {
			o.n = 1
		}
		return o
	}},
	{pattern.New(`补齐(?:到|至|为|成)?` + numberChinese + `(位)$`), func(m []string) op { return op{fn: "sized", text: "chars", n: chinese(m[1])} }},
	{pattern.New(`(?:定长|固定)?` + numberChinese + `(位|个字符|字符)(?:数字|定长)?$`), func(m []string) op { return op{fn: "sized", text: "chars", n: chinese(m[1])} }},
	{pattern.New(`(?:定长|固定)?` + numberChinese + `(?:个)?字节$`), func(m []string) op { return op{fn: "sized", text: "bytes", n: chinese(m[1])} }},
	{pattern.New(`(?:反转|翻转|逆序|反序|倒置)[后值]?$`), func([]string) op { return op{fn: "reverse"} }},
	{pattern.New(`(?:倒序|降序|倒排)$`), func([]string) op { return op{fn: "turned"} }},
	{pattern.New(`(?:升序|正序)$`), func([]string) op { return op{fn: "asc"} }},
	{pattern.New(`(?i)(md5|sha1|sha256|sha512|crc32)(?:值|哈希值?|摘要|散列值?)?后?$`), func(m []string) op { return op{fn: strings.ToLower(m[1])} }},
	{pattern.New(`(?i)(?:哈希|散列|hash)值?后?$`), func([]string) op { return op{fn: "hash"} }},
	{pattern.New(`(?:对|按)?([0-9]+)(?:取模|取余|求余)$`), func(m []string) op { return op{fn: "mod", n: chinese(m[1])} }},
	{pattern.New(`(?:取模|取余|求余|模)([0-9]+)$`), func(m []string) op { return op{fn: "mod", n: chinese(m[1])} }},
	{pattern.New(`(?:取模|取余|求余)$`), func([]string) op { return op{fn: "mod"} }},
	{pattern.New(`(yyyy(?:[-/]?MM(?:[-/]?dd(?:HH(?:mm(?:ss)?)?)?)?)?)(?:格式)?$`), func(m []string) op { return op{fn: "date", text: m[1]} }},
	{pattern.New(`(?:的结果|结果)$`), func([]string) op { return op{fn: "same"} }},
}

func padOp(side, n string) op {
	o := op{fn: "lpad", text: "0", n: chinese(n)}
	if side == "右" || side == "后" {
		o.fn = "rpad"
	}
	return o
}

// chinese is a number in digits or in one sign of Chinese.
func chinese(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return map[string]int{"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}[s]
}

// hasHan reports that a word has a letter of Chinese.
func hasHan(w string) bool { return han.MatchString(w) }

var han = pattern.New(`\p{Han}`)

// suffixes takes off a word what it ends with. all says that the word may be nothing else. The
// operations come in the order in which they are done.
func suffixes(w string, all bool) (base string, ops []op) {
	if !hasHan(w) {
		return w, nil
	}
	base = w
	for again := true; again; {
		again = false
		for _, e := range endings {
			m := e.re.FindStringSubmatchIndex(base)
			if m == nil || !all && m[0] == 0 {
				continue
			}
			if name := strings.TrimSuffix(base[:m[0]], "的"); namesSalt(base) || namesHash(base) || name != "" && (namesSalt(base) || namesHash(base)) {
				break
			}
			var groups []string
			for i := 0; i < len(m); i += 2 {
				if m[i] < 0 {
					groups = append(groups, "")
				} else {
					groups = append(groups, base[m[i]:m[i+1]])
				}
			}
			o := e.op(groups)
			cut := strings.TrimSuffix(base[:m[0]], "的")
			o.from, o.to = len(cut), len(base)
			ops = append([]op{o}, ops...)
			base = cut
			again = true
			break
		}
	}
	return base, ops
}

// apply makes functions of e that the parts of a word say.
func (r *reader) apply(e *expr, ops []op, t token) *expr {
	for _, o := range ops {
		part := token{at: t.at + o.from, end: t.at + o.to}
		if o.fn == "same" {
			e = e.of("as", part)
			continue
		}
		fn := o.fn
		switch {
		case e.isField() && namesBackward(e.name) && (fn == "turned" || fn == "reverse"):
			r.fail(part.at, "expected one thing that turns the order of %s round, not two", e.name)
		case fn == "turned" && (!e.isField() || namesTime(e.name) || namesDate(e.name)):
			fn = "desc"
		case fn == "reverse" && e.isField() && namesTime(e.name):
			fn = "backward"
		}
		next := e.of(fn, part)
		next.text = o.text
		switch fn {
		case "left", "right":
			next.args = append(next.args, &expr{isNum: true, n: o.n})
		case "mod":
			if o.n == 0 && o.text == "" && !strings.ContainsAny(r.text[part.at:part.end], "0") { // 取模 alone
				next.args = append(next.args, &expr{at: e.at, fn: "unsaid"})
				break
			}
			next.args = append(next.args, &expr{at: e.at, isNum: true, n: o.n})
			if o.n < 1 {
				r.fail(part.at, "expected a number of buckets")
			}
		case "lpad", "rpad":
			next.args = append(next.args, &expr{isNum: true, n: o.n}, &expr{isText: true, text: o.text})
			next.text = ""
		default:
			next.n = o.n
		}
		e = next
	}
	return e
}

// beginnings are what a word may begin with.
var (
	sizeFirst = pattern.New(`^` + numberChinese + `(位|字节)的?`)
	turnFirst = pattern.New(`^(?:反转后?的?|翻转后?的?|逆序的?|倒序的?|降序的?)`)
	unitFirst = pattern.New(`^(毫秒|秒|微秒|纳秒)级?的?`)
)

// takesName are names that begin with 取, which is a verb before others.
var takesName = pattern.New(`^取(?:消|件|货|样|值|车|款|餐|号|票|证|景|水|向|还)`)

// phrase is the field that a word names, and what the word says of it.
func (r *reader) phrase(t token) *expr {
	e := &expr{at: t.at, name: t.text}
	if !hasHan(t.text) || namesSalt(t.text) || namesHash(t.text) {
		r.goodName(e, t.text)
		return e.has(t)
	}
	base, ops := suffixes(t.text, false)
	at := 0
	if rest, verb := strings.CutPrefix(base, "取"); verb && len(ops) > 0 && rest != "" && !takesName.MatchString(base) { // 取用户ID的MD5前4位
		at = len("取")
		e.spans = append(e.spans, span{t.at, t.at + at})
	}
	var first []op
	for again := true; again; {
		again = false
		for _, re := range []*pattern.Pattern{sizeFirst, turnFirst, unitFirst} {
			m := re.FindStringSubmatch(base[at:])
			if m == nil || len(m[0]) == len(base)-at || namesSalt(base[at:]) || namesHash(base[at:]) {
				continue
			}
			o := op{from: at, to: at + len(m[0])}
			switch re {
			case sizeFirst:
				o.fn, o.text, o.n = "sized", map[string]string{"位": "chars", "字节": "bytes"}[m[2]], chinese(m[1])
			case unitFirst:
				o.fn, o.text = "unit", map[string]string{"毫秒": "ms", "秒": "s", "微秒": "us", "纳秒": "ns"}[m[1]]
			case turnFirst:
				o.fn = "reverse"
				if strings.HasPrefix(m[0], "倒序") || strings.HasPrefix(m[0], "降序") {
					o.fn = "turned"
				}
				if len(ops) > 0 {
					r.fail(t.at, "expected parentheses: what is reversed first is not said")
				}
			}
			first = append([]op{o}, first...)
			at = o.to
			again = true
			break
		}
	}
	e.name = base[at:]
	e.spans = append(e.spans, span{t.at + at, t.at + len(base)})
	if randomNames[e.name] {
		e.fn, e.name = "random", ""
		if len(first) == 1 && first[0].text == "chars" && first[0].n < 5 && len(ops) == 0 {
			n := 1
			for range first[0].n {
				n *= 10
			}
			e.args = []*expr{{isNum: true, n: n, spans: []span{{t.at, t.at + at}}}}
			return e
		}
		if len(first)+len(ops) > 0 {
			r.fail(t.at, "expected the number of values of a random number, such as random(100)")
		}
		return e
	}
	e.at = t.at + at
	r.goodName(e, e.name)
	return r.apply(r.apply(e, first, t), ops, t)
}

var randomNames = map[string]bool{"随机数": true, "随机前缀": true, "随机值": true}
