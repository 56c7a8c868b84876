package draft

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/names"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// largest are the constants from which a value is subtracted, as in Long.MAX_VALUE - ts, each
// in lower case without points and dashes, with the size of its type in bytes.
var largest = map[string]int{
	"longmaxvalue": 8, "longmax": 8, "maxlong": 8, "int64max": 8, "i64max": 8, "long最大值": 8, "长整型最大值": 8, "sysmaxsize": 8, "maxint64": 8, "mathmaxint64": 8, "9223372036854775807": 8, "phpintmax": 8,
	"integermaxvalue": 4, "intmaxvalue": 4, "i32max": 4, "int最大值": 4, "integermax": 4, "intmax": 4, "maxint": 4, "int32max": 4, "maxint32": 4, "mathmaxint32": 4, "2147483647": 4,
}

// unsignedLargest are those of an unsigned type of 8 bytes.
var unsignedLargest = []string{"mathmaxuint64", "maxuint64", "u64max", "uint64max", "ulongmaxvalue"}

// digests are the names of digests in designs, and the digest of each; "" means that the name
// does not say which digest.
var digests = map[string]string{
	"md5": "md5", "md5hex": "md5", "getmd5ashex": "md5", "md5hash": "md5", "sha1": "sha1", "sha1hex": "sha1", "sha256": "sha256", "sha256hex": "sha256",
	"sha512": "sha512", "sha512hex": "sha512", "murmur": "", "murmur3": "", "murmurhash": "",
	"murmurhash3": "", "murmur332": "", "crc32": "crc32", "hash": "", "hashcode": "javahash", "哈希": "", "散列": "",
	"getmd5": "md5", "tomd5": "md5", "md5str": "md5", "md5string": "md5", "md5encode": "md5", "getmd5str": "md5", "getmd5string": "md5", "md5digestashex": "md5", "sha2": "sha256", "checksumieee": "crc32",
}

// digestSizes are their bytes.
var digestSizes = map[string]int{"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64, "murmur3": 4, "crc32": 4}

// functions are the other functions in designs, and the function that each means.
var functions = map[string]string{
	"substr": "substr", "substring": "substring", "slice": "substring", "left": "left", "right": "right", "reverse": "reverse", "reversed": "reverse",
	"rpad": "rpad", "rightpad": "rpad", "lpad": "lpad", "leftpad": "lpad", "zfill": "zfill", "padstart": "lpad", "padend": "rpad",
	"upper": "upper", "touppercase": "upper", "uppercase": "upper", "toupper": "upper", "tobytes": "bin", "getbytes": "as", "valueof": "text", "tostring": "text",
	"str": "text", "string": "text", "itoa": "text", "cast": "cast", "abs": "abs", "parselong": "num", "parseint": "num", "long": "num", "int": "num", "tolong": "num", "toint": "num",
	"asstr": "text", "padleft": "lpad", "padright": "rpad", "padpre": "lpad", "padafter": "rpad", "rjust": "lpad", "ljust": "rpad", "take": "left", "takelast": "right", "takeright": "right",
	"subpre": "left", "put": "whole", "rowkey": "whole", "mod": "mod", "floormod": "floormod", "random": "random", "rand": "random", "nextint": "random", "intn": "random", "randomint": "random",
	"concat": "concat", "concatws": "join", "join": "join", "on": "join", "add": "concat", "addall": "concat", "salt": "salt", "bucket": "salt", "加盐": "salt",
	"pmod": "floormod", "date": "newdate", "formatint": "itoa", "formatuint": "itoa", "listof": "list", "list": "list", "aslist": "list", "arrayof": "list", "seq": "list", "jointostring": "join", "mkstring": "join", "split": "split", "createhash": "createhash", "update": "update", "hashstring": "update", "hashbytes": "update", "反转": "reverse", "翻转": "reverse", "fromunixtime": "date", "tochar": "date", "unixtimestamp": "instant",
	"format": "format", "formatted": "format", "sprintf": "format", "formatstring": "format", "dateformat": "date", "strftime": "date", "simpledateformat": "date", "ofpattern": "date",
	"currenttimemillis": "now", "now": "now", "unixmilli": "now", "unixnano": "now", "unix": "now", "unixmicro": "now", "toepochmilli": "now", "timestampmillis": "now", "tounixtimemilliseconds": "now", "gettime": "now", "time": "now", "getepochsecond": "now",
	"allocate": "begin", "stringbuilder": "begin", "stringbuffer": "begin", "array": "as", "tobytearray": "as", "flip": "as", "encode": "as", "asbytes": "as", "encodetobytearray": "as", "bytes": "as", "byte": "as",
	"hexdigest": "hexof", "hex": "hexof", "encodehexstring": "hexof", "tohex": "hexof", "digest": "rawof", "encodetostring": "hexof",
	"uint64": "num", "int64": "num", "uint32": "num", "int32": "num",
}

// puts are the methods that append one value, and the type of that value; "" means that the
// method does not say the type.
var puts = map[string]string{"put": "", "putlong": "long", "putint": "int", "putshort": "short", "append": "", "write": "", "writelong": "long", "writeint": "int", "writebyte": "byte", "writeshort": "short", "writestring": "", "writechar": ""}

// types are words for types, and the notation of each. "" is text. "java4" is a signed type of
// 4 bytes: the design does not say whether its values are negative, and if so, where they sort.
var types = map[string]string{
	"string": "", "str": "", "text": "", "varchar": "", "bytes": ":bytes", "binary": ":bytes", "bool": ":bool", "boolean": ":bool",
	"u8": ":1", "u16": ":2", "u32": ":4", "u64": ":8", "uint8": ":1", "uint16": ":2", "uint32": ":4", "uint64": ":8",
	"i8": "java1", "i16": "java2", "i32": "java4", "i64": "java8", "int8": "java1", "int16": "java2", "int32": "java4", "int64": "java8",
	"float": ":f4", "double": ":f8", "float32": ":f4", "float64": ":f8",
	"byte": "java1", "short": "java2", "int": "java4", "integer": "java4", "long": "java8", "bigint": "java8",
	"字符串": "", "整数": "java4", "长整型": "java8", "字符": "",
}

// wholeNumber is a type of whole numbers, or a component of notation that has one.
var wholeNumber = pattern.New(`:i?[1-8]\b|^java[1-8]$`)

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
	w = unpointed.Replace(strings.ToLower(w))
	if slices.Contains(unsignedLargest, w) {
		return unsigned8
	}
	return largest[w]
}

// unsigned8 stands for the size of an unsigned type of 8 bytes.
const unsigned8 = -8

var unpointed = strings.NewReplacer(".", "", "_", "")

// lastWord is the last word of a name.
func lastWord(name string) string { return names.Last(name) }

// namesTime reports that a field of this name is taken for a time. The functions below report the
// same of a time that runs backward, a date, a host, a salt, a separator and a hash.
func namesTime(name string) bool {
	return names.Time(name) || strings.EqualFold(name, "epoch") || clockWord.MatchString(lastWord(name))
}

// clockWord is a time in a word of two: logintime.
var clockWord = pattern.New(`^(?:create|update|modify|insert|event|access|login|start|end|begin|finish|log|trade|order|pay|visit|call|alarm|report|collect|upload|send|receive|record|happen|click|gps|server|client|current|op|msg|base)(?:d|ed)?(?:time|timestamp|ts)$`)

func namesBackward(name string) bool { return names.Backward(name) }

func namesDate(name string) bool { return names.Date(name) || goLayout(name) != "" }

func namesHost(name string) bool {
	return slices.Contains([]string{"domain", "host", "hostname", "fqdn", "域名", "主机名"}, lastWord(name))
}

func namesSalt(name string) bool {
	if slices.Contains([]string{"盐", "盐值", "加盐", "加盐前缀", "盐前缀", "分桶", "桶号", "桶", "分区号", "分区键", "分区"}, name) {
		return true
	}
	words := names.Words(name)
	return len(words) > 0 && (words[0] == "salt" || words[0] == "salting" || words[0] == "bucket") &&
		(len(words) == 1 || len(words) == 2 && slices.Contains([]string{"id", "no", "num", "prefix", "key", "value", "byte", "bucket"}, words[1]))
}

// namesSeparator reports that a name is that of something that ends a field, and
// does not say what.
func namesSeparator(name string) bool {
	return slices.Contains([]string{"分隔符", "分割符", "间隔符"}, name) || slices.Contains([]string{"separator", "sep", "delimiter", "delim"}, lastWord(name))
}

// separators are words for the characters that end fields.
var separators = map[string]string{"下划线": "_", "竖线": "|", "冒号": ":", "井号": "#", "中划线": "-", "短横线": "-", "横线": "-", "连字符": "-", "斜杠": "/", "逗号": ",", "分号": ";",
	"underscore": "_", "underline": "_", "hyphen": "-", "dash": "-", "dashed": "-", "colon": ":", "comma": ",", "slash": "/", "pipe": "|"}

func namesHash(name string) bool {
	return slices.Contains([]string{"hash", "h", "hc", "hashcode", "hashval", "digest", "哈希", "哈希值", "散列", "散列值", "哈希前缀", "散列前缀"}, strings.ToLower(name))
}

// lowerPattern is a date pattern of prose, all in one case: yyyymmdd.
var lowerPattern = pattern.New(`^(?:yyyy(?:mm(?:dd(?:hh(?:mm(?:ss)?)?)?)?)?|YYYY(?:MM(?:DD(?:HH(?:MM(?:SS)?)?)?)?)?)$`)

// goLayout is codeLayout for what stands in prose, where yyyymmdd is a date too.
func goLayout(pattern string) string {
	if lowerPattern.MatchString(pattern) {
		return "20060102150405"[:len(pattern)]
	}
	return codeLayout(pattern)
}

// codeLayout is the Go layout of a Java date pattern such as yyyyMMddHH or yyyy-MM-dd; empty if
// the pattern is no such date.
func codeLayout(pattern string) string {
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
var layouts = pattern.New(`^2006(?:[^\pL\d]{0,3}01(?:[^\pL\d]{0,3}02(?:[^\pL\d]{0,3}T?15(?:[^\pL\d]{0,3}04(?:[^\pL\d]{0,3}05)?)?)?)?)?$`)

// modifiers are words before a name or after it that say what is done to
// it, and the function that means the same.
var modifiers = map[string]string{
	"反转": "reverse", "翻转": "reverse", "逆序": "reverse", "反序": "reverse", "reversed": "reverse", "inverted": "reverse", "reverse": "reverse",
	"倒序": "turned", "降序": "turned", "desc": "desc", "descending": "desc",
	"升序": "asc", "正序": "asc", "asc": "asc", "ascending": "asc",
}

// sized is 8B, 8 bytes or 8字节.
var sized = pattern.New(`(?i)^([0-9]+) ?(b|bytes?|字节|个字节|位|位数字|digits?|chars?|characters?|字符|个字符)$`)

// units are words for units of time, and the notation of each.
var units = map[string]string{"毫秒": "ms", "毫秒级": "ms", "ms": "ms", "millis": "ms", "milliseconds": "ms", "秒": "s", "秒级": "s", "s": "s", "seconds": "s", "sec": "s",
	"微秒": "us", "us": "us", "micros": "us", "microseconds": "us", "纳秒": "ns", "ns": "ns", "nanos": "ns", "nanoseconds": "ns"}

// oneOf are values of one character.
var oneOf = pattern.New(`^[0-9a-zA-Z](?:/[0-9a-zA-Z])+$`)

// zeroPadded is a number that zeros fill on the left.
var zeroPadded = pattern.New(`(?i)^(?:left[- ])?(?:zero[- ](?:padded|filled)|padded with (?:leading )?zeros?|with leading zeros)$`)

// padded is left pad 0, 左补0 or 补零.
var padded = pattern.New(`(?i)^(left|right|左|右)?[ -]?(?:pad(?:ded)?|补齐?|填充)(?: with)? ?(零|.)?$`)

// annotation is a field with what a text says of how it is written: 8B, long, desc, yyyyMMdd or
// left pad 0. The text stands in parentheses after the field, or beside it in its brackets. nil
// if it says nothing of the kind.
func annotation(of *expr, text string) *expr {
	text = strings.TrimSpace(text)
	lower := strings.ToLower(text)
	e := &expr{at: of.at, args: []*expr{of}}
	switch m := sized.FindStringSubmatch(text); {
	case m != nil:
		e.fn, e.text = "sized", "chars"
		if c := strings.ToLower(m[2]); c[0] == 'b' || strings.HasSuffix(c, "字节") {
			e.text = "bytes"
		}
		e.n, _ = strconv.Atoi(m[1])
		return e
	case units[lower] != "" && (of.fn == "" || of.fn == "sized") && (namesTime(bareName(of)) || namesDate(bareName(of)) || namesBackward(bareName(of)) || of.name == "x"):
		e.fn, e.text = "unit", units[lower]
		return e
	case modifiers[lower] == "turned" && (namesTime(of.name) || namesDate(of.name) || of.fn != ""):
		e.fn = "desc"
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
	case oneOf.MatchString(text): // (0/1)
		e.fn, e.text, e.n = "sized", "chars", 1
		return e
	case zeroPadded.MatchString(text):
		e.fn, e.text = "fill", "0"
		return e
	case lower == "定长" || lower == "fixed" || lower == "变长":
		return of // the question what it is asks for this
	}
	if _, ok := types[lower]; ok && text != "" {
		e.fn, e.text = "typed", lower
		return e
	}
	if base, ops := suffixes(text, true); base == "" && len(ops) > 0 && of.fn != "date" {
		for _, o := range ops {
			next := &expr{at: of.at, fn: o.fn, text: o.text, n: o.n, args: []*expr{of}}
			switch o.fn {
			case "lpad", "rpad":
				next.args = append(next.args, &expr{isNum: true, n: o.n}, &expr{isText: true, text: "0"})
				next.text, next.n = "", 0
			case "fill", "date", "sized":
			default:
				return nil
			}
			of = next
		}
		return of
	}
	if m := padded.FindStringSubmatch(text); m != nil {
		e.fn, e.text = "fill", strings.Replace(m[2], "零", "0", 1)
		if e.text == "" {
			return nil // it does not say with what
		}
		if strings.EqualFold(m[1], "right") || m[1] == "右" {
			e.n = 1
		}
		return e
	}
	return nil
}
