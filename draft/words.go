package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/names"
)

// largest are the constants from which a value is subtracted, as in Long.MAX_VALUE - ts, each
// in lower case without points and dashes, with the size of its type in bytes.
var largest = map[string]int{
	"longmaxvalue": 8, "longmax": 8, "maxlong": 8, "maxvalue": 8, "max": 8, "int64max": 8, "sysmaxsize": 8, "maxint64": 8, "mathmaxint64": 8, "9223372036854775807": 8,
	"integermaxvalue": 4, "intmaxvalue": 4, "integermax": 4, "intmax": 4, "maxint": 4, "int32max": 4, "maxint32": 4, "mathmaxint32": 4, "2147483647": 4,
}

// digests are the names of digests in designs, and the digest of each; "" means that the name
// does not say which digest.
var digests = map[string]string{
	"md5": "md5", "md5hex": "md5", "getmd5ashex": "md5", "md5hash": "md5", "sha1": "sha1", "sha1hex": "sha1", "sha256": "sha256", "sha256hex": "sha256",
	"sha512": "sha512", "sha512hex": "sha512", "murmur": "murmur3", "murmur3": "murmur3", "murmurhash": "murmur3",
	"murmurhash3": "murmur3", "murmur332": "murmur3", "crc32": "crc32", "hash": "", "hashcode": "javahash", "哈希": "", "散列": "",
}

// digestSizes are their bytes.
var digestSizes = map[string]int{"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64, "murmur3": 4, "crc32": 4}

// functions are the other functions in designs, and the function that each means.
var functions = map[string]string{
	"substr": "substr", "substring": "substring", "left": "left", "right": "right", "reverse": "reverse", "reversed": "reverse",
	"rpad": "rpad", "rightpad": "rpad", "lpad": "lpad", "leftpad": "lpad", "zfill": "zfill", "padstart": "lpad", "padend": "rpad",
	"upper": "upper", "touppercase": "upper", "tobytes": "as", "getbytes": "as", "valueof": "text", "tostring": "text",
	"str": "text", "abs": "abs", "mod": "mod", "floormod": "floormod", "random": "random", "rand": "random",
	"concat": "concat", "concatws": "join", "join": "join", "add": "concat", "salt": "salt", "bucket": "salt", "加盐": "salt",
	"format": "format", "sprintf": "format", "dateformat": "date", "strftime": "date", "simpledateformat": "date", "ofpattern": "date",
	"currenttimemillis": "now", "now": "now", "allocate": "begin", "stringbuilder": "begin", "stringbuffer": "begin",
	"array": "as", "tobytearray": "as", "flip": "as", "trim": "as", "encode": "as", "hexdigest": "as", "tohexstring": "as", "bytes": "as",
}

// puts are the methods that append one value, and the type of that value; "" means that the
// method does not say the type.
var puts = map[string]string{"put": "", "putlong": "long", "putint": "int", "putshort": "short", "append": "", "writelong": "long", "writeint": "int"}

// types are words for types, and the notation of each. "" is text. "java4" is a signed type of
// Java, of 4 bytes: the design does not say whether its values are negative.
var types = map[string]string{
	"string": "", "str": "", "text": "", "varchar": "", "bytes": ":bytes", "binary": ":bytes", "bool": ":bool", "boolean": ":bool",
	"u8": ":1", "u16": ":2", "u32": ":4", "u64": ":8", "uint8": ":1", "uint16": ":2", "uint32": ":4", "uint64": ":8",
	"i8": ":i1", "i16": ":i2", "i32": ":i4", "i64": ":i8", "int8": ":i1", "int16": ":i2", "int32": ":i4", "int64": ":i8",
	"float": ":f4", "double": ":f8", "float32": ":f4", "float64": ":f8",
	"byte": "java1", "short": "java2", "int": "java4", "integer": "java4", "long": "java8", "bigint": "java8",
	"字符串": "", "整数": "java4", "长整型": "java8",
}

// simple is a function's or a constant's name in lower case without its owner
// and without '_'.
func simple(w string) string {
	if n := strings.LastIndexByte(w, '.'); n >= 0 {
		w = w[n+1:]
	}
	return strings.ToLower(strings.ReplaceAll(w, "_", ""))
}

// maxBytes is the size of the type whose largest value a word names; 0 if it
// names none.
func maxBytes(w string) int {
	return largest[unpointed.Replace(strings.ToLower(w))]
}

var unpointed = strings.NewReplacer(".", "", "_", "")

// lastWord is the last word of a name.
func lastWord(name string) string { return names.Last(name) }

// namesTime reports that a field of this name is taken for a time. The functions below report the
// same of a time that runs backward, a date, a host, a salt, a separator and a hash.
func namesTime(name string) bool { return names.Time(name) }

func namesBackward(name string) bool { return names.Backward(name) }

func namesDate(name string) bool { return names.Date(name) || goLayout(name) != "" }

func namesHost(name string) bool {
	return slices.Contains([]string{"domain", "host", "hostname", "fqdn", "域名", "主机名"}, lastWord(name))
}

func namesSalt(name string) bool {
	if slices.Contains([]string{"盐", "盐值", "加盐", "加盐前缀", "盐前缀", "分桶", "桶号", "桶"}, name) {
		return true
	}
	words := names.Words(name)
	return len(words) > 0 && (words[0] == "salt" || words[0] == "bucket") &&
		(len(words) == 1 || len(words) == 2 && (words[1] == "id" || words[1] == "no"))
}

// namesSeparator reports that a name is that of something that ends a field, and
// does not say what.
func namesSeparator(name string) bool {
	return slices.Contains([]string{"分隔符", "分割符", "间隔符", "separator", "sep", "delimiter", "delim"}, strings.ToLower(name))
}

func namesHash(name string) bool {
	return slices.Contains([]string{"hash", "哈希", "哈希值", "散列", "散列值", "哈希前缀", "散列前缀"}, strings.ToLower(name))
}

// goLayout is the Go layout of a Java date pattern such as yyyyMMddHH or yyyy-MM-dd; empty if
// the pattern is no such date.
func goLayout(pattern string) string {
	if !strings.HasPrefix(pattern, "yyyy") && !strings.HasPrefix(pattern, "%Y") {
		return ""
	}
	out := strings.NewReplacer("yyyy", "2006", "MM", "01", "dd", "02", "HH", "15", "mm", "04", "ss", "05",
		"%Y", "2006", "%m", "01", "%d", "02", "%H", "15", "%M", "04", "%S", "05").Replace(pattern)
	if !layouts.MatchString(out) {
		return ""
	}
	return out
}

// layouts are those of rowkey.Layout: biggest first, none left out.
var layouts = regexp.MustCompile(`^2006(?:[^\pL\d]{0,3}01(?:[^\pL\d]{0,3}02(?:[^\pL\d]{0,3}T?15(?:[^\pL\d]{0,3}04(?:[^\pL\d]{0,3}05)?)?)?)?)?$`)

// modifiers are words in front of a name or behind it that say what is done to
// it, and the function that means the same.
var modifiers = map[string]string{
	"反转": "reverse", "翻转": "reverse", "逆序": "reverse", "reversed": "reverse", "reverse": "reverse",
	"倒序": "desc", "降序": "desc", "desc": "desc", "descending": "desc",
	"升序": "asc", "正序": "asc", "asc": "asc", "ascending": "asc",
}

// glued takes a modifier off a word of Chinese, where nothing stands between words: 用户ID反转
// is the name 用户ID, and the function that 反转 means.
func glued(w string) (name, fn string) {
	for m, fn := range modifiers {
		if m[0] < 0x80 {
			continue
		}
		if name, ok := strings.CutSuffix(w, m); ok && name != "" {
			return strings.TrimSuffix(name, "的"), fn
		}
		if name, ok := strings.CutPrefix(w, m); ok && name != "" {
			return name, fn
		}
	}
	return w, ""
}

// leftOf is a name with 前4位 after it, its first 4 bytes, or 后4位, its last 4.
var leftOf = regexp.MustCompile(`^(.*?)的?(?:取|截取)?(前|后)([0-9]+|[一二两三四五六七八九十])(?:位|个字符|字符)?$`)

func cutWord(w string) (name, fn string, n int, ok bool) {
	m := leftOf.FindStringSubmatch(w)
	if m == nil {
		return w, "", 0, false
	}
	n, err := strconv.Atoi(m[3])
	if err != nil {
		n = map[string]int{"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}[m[3]]
	}
	fn = "left"
	if m[2] == "后" {
		fn = "right"
	}
	return m[1], fn, n, true
}

// sized is 8B, 8 bytes or 8字节.
var sized = regexp.MustCompile(`(?i)^([0-9]+) ?(?:b|bytes?|字节|位|chars?|字符)$`)

// padded is left pad 0, 左补0 or 补零.
var padded = regexp.MustCompile(`(?i)^(left|right|左|右)?[ -]?(?:pad(?:ded)?|补齐?|填充)(?: with)? ?(零|.)?$`)

// annotation is a field with what a text says of how it is written: 8B, long, desc, yyyyMMdd or
// left pad 0. The text stands in parentheses after the field, or beside it in its brackets. nil
// if it says nothing of the kind.
func annotation(of *expr, text string) *expr {
	text = strings.TrimSpace(text)
	lower := strings.ToLower(text)
	e := &expr{at: of.at, args: []*expr{of}}
	switch m := sized.FindStringSubmatch(text); {
	case m != nil:
		e.fn = "sized"
		e.n, _ = strconv.Atoi(m[1])
		return e
	case modifiers[lower] == "reverse" && namesTime(of.name): // Long.MAX_VALUE - ts, hardly ever a reversal
		e.fn = "backward"
		return e
	case modifiers[lower] != "":
		e.fn = modifiers[lower]
		return e
	case goLayout(text) != "":
		e.fn, e.text = "date", text
		return e
	case lower == "定长" || lower == "fixed" || lower == "变长":
		return of
	}
	if _, ok := types[lower]; ok {
		e.fn, e.text = "typed", lower
		return e
	}
	if m := padded.FindStringSubmatch(text); m != nil {
		e.fn, e.text = "fill", strings.Replace(m[2], "零", "0", 1)
		if e.text == "" {
			e.text = "0"
		}
		if strings.EqualFold(m[1], "right") || m[1] == "右" {
			e.n = 1
		}
		return e
	}
	return nil
}
