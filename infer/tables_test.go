package infer

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// column is a column of a made table: its name, and the kind of its values. "=a" has the
// values of column a, in the rows that are learnt from.
type column struct{ name, kind string }

func columnsOf(text string) (out []column) {
	for _, f := range strings.Fields(text) {
		n, k, _ := strings.Cut(f, ":")
		out = append(out, column{n, k})
	}
	return out
}

// design is a table to learn: its columns, and the key of a row, nil if the row has none.
type design struct {
	name    string
	columns []column
	key     func(row []string) []byte
}

// kinds of rows
type lore uint8

const (
	usualRows  lore = iota
	narrowRows      // one day, few users, numbers of one length
	freshRows       // usual rows, in which no column equals another
)

var words = []string{"login", "logout", "oom", "pay", "cart", "view", "click", "ship", "refund", "disk-full", "gc", "start"}

func letters(r *rand.Rand, n int, set string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.IntN(len(set))]
	}
	return string(b)
}

// value is a value of a column of a kind.
func value(kind string, r *rand.Rand, how lore) string {
	if how == narrowRows {
		at := time.Date(2023, 5, 16, 9, 0, 0, 0, time.UTC).Add(time.Duration(r.Int64N(int64(3 * time.Hour)))).Truncate(time.Millisecond)
		switch kind {
		case "text":
			return "s-" + strconv.Itoa(10000+r.IntN(12))
		case "uname":
			return "user" + strconv.Itoa(1000+r.IntN(12))
		case "word":
			return words[r.IntN(3)]
		case "host":
			return "www.site" + strconv.Itoa(100+r.IntN(12)) + ".com"
		case "num":
			return strconv.Itoa(100000 + r.IntN(900))
		case "big":
			return strconv.FormatInt(202305160000+r.Int64N(900), 10)
		case "small":
			return strconv.Itoa(10 + r.IntN(5))
		case "phone":
			return "138" + strconv.Itoa(10000000+r.IntN(2000))
		case "int":
			return strconv.Itoa(1000 + r.IntN(1000))
		case "pad":
			return fmt.Sprintf("%06d", r.IntN(300))
		case "ms":
			return strconv.FormatInt(at.UnixMilli(), 10)
		case "sec":
			return strconv.FormatInt(at.Unix(), 10)
		case "iso":
			return at.Format("2006-01-02T15:04:05.000Z")
		}
	}
	at := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.Int64N(int64(365 * 24 * time.Hour)))).Truncate(time.Millisecond)
	switch kind {
	case "text":
		return []string{"s-", "user", "d", "shop"}[r.IntN(4)] + strconv.Itoa(r.IntN(100000))
	case "uname":
		return "user" + strconv.Itoa(r.IntN(1000000))
	case "word":
		return words[r.IntN(len(words))]
	case "host":
		return []string{"www", "m", "img", "api"}[r.IntN(4)] + ".site" + strconv.Itoa(r.IntN(500)) + []string{".com", ".org", ".com.cn"}[r.IntN(3)]
	case "path":
		return "/" + letters(r, 1+r.IntN(8), "abcdefgh/") + ".html"
	case "num":
		return strconv.Itoa(r.IntN(5000000) + 1)
	case "big":
		return strconv.FormatInt(r.Int64N(1e12), 10)
	case "small":
		return strconv.Itoa(r.IntN(60))
	case "byte":
		return strconv.Itoa(r.IntN(4))
	case "phone":
		return "1" + letters(r, 10, "0123456789")
	case "card":
		return "1101" + letters(r, 13, "0123456789") + letters(r, 1, "0123456789X")
	case "vin":
		return "LSVAU" + letters(r, 12, "0123456789ABCDEFGHJKLMNPRSTUVWXYZ")
	case "ms":
		return strconv.FormatInt(at.UnixMilli(), 10)
	case "sec":
		return strconv.FormatInt(at.Unix(), 10)
	case "iso":
		return at.Format("2006-01-02T15:04:05.000Z")
	case "dayms": // within one day of +08:00
		d := time.Date(2023, 5, 15, 16, 0, 0, 0, time.UTC).Add(time.Duration(r.Int64N(int64(24 * time.Hour)))).Truncate(time.Millisecond)
		return d.Format("2006-01-02T15:04:05.000Z")
	case "uuid":
		h := letters(r, 32, "0123456789abcdef")
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	case "bool":
		return []string{"true", "false"}[r.IntN(2)]
	case "float":
		return strconv.FormatFloat(float64(r.IntN(200000)-100000)/100, 'f', -1, 64)
	case "int":
		return strconv.Itoa(r.IntN(2000000) - 1000000)
	case "hex":
		return letters(r, 2*(1+r.IntN(6)), "0123456789abcdef")
	case "pad":
		return fmt.Sprintf("%06d", r.IntN(300000))
	}
	panic("no kind " + kind)
}

// rows draws rows that have a key.
func (d *design) rows(n int, r *rand.Rand, how lore) (names []string, rows [][]string, keys [][]byte) {
	for _, c := range d.columns {
		names = append(names, c.name)
	}
	for tries := 0; len(rows) < n && tries < 20*n; tries++ {
		row := make([]string, len(d.columns))
		for i, c := range d.columns {
			if of, equal := strings.CutPrefix(c.kind, "="); equal {
				at := slices.IndexFunc(d.columns, func(o column) bool { return o.name == of })
				if row[i] = row[at]; how == freshRows {
					row[i] = value(d.columns[at].kind, r, how)
				}
				continue
			}
			row[i] = value(c.kind, r, how)
		}
		if k := d.key(row); len(k) > 0 {
			rows, keys = append(rows, row), append(keys, k)
		}
	}
	return names, rows, keys
}

// given is the value of a field of the library for a text.
func given(kind, text string) any {
	switch kind {
	case "uint":
		v, _ := strconv.ParseUint(text, 10, 64)
		return v
	case "int":
		v, _ := strconv.ParseInt(text, 10, 64)
		return v
	case "float":
		v, _ := strconv.ParseFloat(text, 64)
		return v
	case "bool":
		return text == "true"
	case "time":
		if ms, nanos, ok := strings.Cut(text, ":"); ok && !strings.Contains(text, "-") {
			m, _ := strconv.ParseInt(ms, 10, 64)
			n, _ := strconv.ParseInt(nanos, 10, 64)
			return time.Unix(m/1000, n).UTC()
		}
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			if v < 1e11 {
				return time.Unix(v, 0).UTC()
			}
			return time.UnixMilli(v).UTC()
		}
		v, err := time.Parse(time.RFC3339, text)
		if err != nil {
			panic(err)
		}
		return v
	case "binary":
		b, _ := hex.DecodeString(text)
		return b
	}
	return text
}

// designOf is a table whose keys a notation writes.
func designOf(notation, columns string) (*design, error) {
	d := &design{name: notation, columns: columnsOf(columns)}
	s, err := rowkey.Parse("truth", notation)
	if err != nil {
		return nil, err
	}
	type field struct {
		col  int
		kind string
	}
	nullable := func(name string) bool {
		return slices.ContainsFunc(d.columns, func(c column) bool { return c.name == name && c.kind == "null" })
	}
	var fields []field
	for f := range s.Fields() {
		if f.Name == "" || f.Derived {
			continue
		}
		at := slices.IndexFunc(d.columns, func(c column) bool { return c.name == f.Name })
		if at < 0 {
			return nil, fmt.Errorf("no column %s", f.Name)
		}
		fields = append(fields, field{at, f.Kind})
	}
	d.key = func(row []string) []byte {
		vals := make([]any, len(fields))
		for i, f := range fields {
			vals[i] = given(f.kind, row[f.col])
			if row[f.col] == "" && nullable(d.columns[f.col].name) {
				vals[i] = nil
			}
		}
		k, err := s.AppendKey(nil, vals...)
		if err != nil {
			return nil
		}
		return k
	}
	return d, nil
}

// documented are layouts of the README, the examples and the articles.
const documented = `
[salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]	seller:text at:iso order:num buyer:text
[salt16(buyer)][buyer]['\x00'][max-ms(at)][order:8][seller]	seller:text at:iso order:num buyer:text
[salt16(order)][order:8][seller]['\x00'][buyer]['\x00'][max-ms(at)]	seller:text at:iso order:num buyer:text
[md5.hex(4)(text(uid))][uid:8]	uid:num
[md5.hex(4)(values(uid))][uid:8 digits(19)]	uid:num
[md5.hex(5)(card)][card chars("0123456789X") fixed(18)][uid:8]	card:card uid:num
[md5.hex(5)(phone)][phone fixed(11)][uid:8]	phone:phone uid:num
[md5.hex(6)(vin)][vin fixed(17)][ms(at) years(2000,2100)]	vin:vin at:iso
[uid:8][max-ms(at)]	uid:num at:ms
[phone reverse fixed(11)][uid:8]	phone:phone uid:num
[host]['\x00'][event]['\x00'][ms(at)]	host:host event:word at:iso
[host]['\x00'][event]['\x00'][max-ms(at)]	host:host event:word at:ms
[salt8(host) md5.raw(4)][ms(at)][host]['\x00'][event]	host:host event:word at:iso
[salt100(from) javahash digits(2)]['_'][from]['_'][to]['_'][max-ms(at) decimal reverse]	from:uname to:uname at:ms
[md5.raw(1)(values(lo,hi))][lo:8][hi:8][max-ms(at)]	lo:num hi:num at:ms
[device]['_'][sensor]['_'][max-ms(at)]	device:uname sensor:word at:ms
[uid:8 decimal]['-'][layout("20060102",+08:00)(day)]	uid:num day:iso
[slot:2 below(64) bucket][ms-since(2023-05-15T16:00:00Z)(at) width(4) below(86400000)][ext:bytes]	slot:small at:dayms ext:hex
[shop:4][min-since(2023-05-15T16:00:00Z)(window) width(2) below(1440)]	shop:small window:dayms
maxlen(16) [number:4][ext:bytes]	number:num ext:hex
[host reverselabels(".")]['\x00'][path]	host:host path:path
[slot:1 below(4) bucket][ms(at)][id]	slot:byte at:iso id:text
[salt16(seller)][seller]['_'][max-ms(at)][order:8]	seller:text at:iso order:num
[salt16(user)][user]['\x00'][max-ms(at)][id:8]	user:text at:iso id:num
[salt16(id)][id:8]	id:num
[id uuid]	id:uuid
[md5.raw(2)(device)][device fixed(17)][ms(at)]	device:vin at:iso
[salt16(host)][ms(at)][host]	host:host at:iso
[salt16(values(lo,hi))][lo:8][hi:8][max-ms(at)][message:8]	lo:num hi:num at:iso message:num
[salt100(user) javahash digits(2)]['_'][user]['_'][max-ms(at) digits(19)]	user:uname at:ms
[phone reverse fixed(11)][uid:8]	phone:phone uid:num
[salt4(host)][max-ms(at)][host]	host:host at:iso
[hmurmur3.raw(4)(id)][hjenkins-seed0.hex(8)(id)][id:i8 hbase]	id:int
[salt16(rest()) phoenixhash][a phoenix][ms(b) phoenix]	a:text b:iso
`

func documentedDesigns() (out []*design) {
	for _, line := range strings.Split(strings.TrimSpace(documented), "\n") {
		notation, columns, _ := strings.Cut(line, "\t")
		d, err := designOf(notation, columns)
		if err != nil {
			panic(err)
		}
		out = append(out, d)
	}
	return out
}

func one(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// drawn is a layout of the words of README, examples and articles, with its columns; dup adds
// columns that equal another one, wide columns of noise.
func drawn(r *rand.Rand, dup bool, wide int) (notation, columns string) {
	kinds := []string{"text", "num", "iso", "ms", "phone", "uuid", "int", "big", "word", "host", "bool", "float", "pad", "small"}
	weights := []int{8, 8, 5, 5, 4, 2, 2, 3, 3, 2, 1, 1, 2, 2}
	total := 0
	for _, w := range weights {
		total += w
	}
	pick := func() string {
		x := r.IntN(total)
		for i, w := range weights {
			if x < w {
				return kinds[i]
			}
			x -= w
		}
		panic("unreachable")
	}
	n := 1 + r.IntN(4)
	var cols, names, ks []string
	for i := range n {
		k := pick()
		names, ks = append(names, string(rune('a'+i))), append(ks, k)
		cols = append(cols, names[i]+":"+k)
	}
	if r.IntN(3) == 0 { // a column that is not in the key
		cols = append(cols, "zz:"+pick())
	}
	if dup && r.IntN(2) == 0 {
		cols = append(cols, "dup:="+names[r.IntN(n)])
	}
	for i := range wide {
		cols = append(cols, fmt.Sprintf("w%d:%s", i, pick()))
	}
	sep := one(r, "_", `\x00`, "|", "-", "#", ":")
	var body []string
	for i, k := range ks {
		a := names[i]
		s := "['" + sep + "']"
		if i == len(ks)-1 {
			s = ""
		}
		var c string
		switch k {
		case "text", "word", "host":
			c = one(r, "["+a+"]"+s, "["+a+"]"+s, "["+a+"]"+s, "["+a+" pad(20,'\\x00')]", "["+a+" pad(24,' ')]", "["+a+" reverse]"+s, "["+a+" lenprefix(1)]", "["+a+" escaped]",
				"["+a+" lenprefix(2)]", "["+a+" orderedbytes]", "["+a+" padleft(20,'0')]")
			if k == "host" && r.IntN(2) == 0 {
				c = "[" + a + ` reverselabels(".")]` + s
			}
		case "phone":
			c = one(r, "["+a+" fixed(11)]", "["+a+" reverse fixed(11)]", "["+a+" reversepart(3,11) fixed(11)]", "["+a+":8]", "["+a+" fixed(11)]"+s)
		case "pad":
			c = one(r, "["+a+" fixed(6)]", "["+a+" reverse fixed(6)]", "["+a+":4]")
		case "num", "big", "small":
			w := map[string]string{"num": ":4", "big": ":8", "small": ":1"}[k]
			c = one(r, "["+a+":8]", "["+a+":8]", "["+a+w+"]", "["+a+":8 decimal]"+s, "["+a+":8 digits(12)]", "["+a+":8 digits(13) reverse]", "["+a+":8 width(5)]", "["+a+":8 hexdigits(12)]",
				"["+a+":8 desc]", "["+a+w+" desc]", "["+a+":8 varint]", "["+a+":8 decimal reverse]"+s, "["+a+":8 reverse]")
		case "iso", "ms":
			c = one(r, "[ms("+a+")]", "[max-ms("+a+")]", "[max-ms("+a+")]", "[s("+a+") width(4)]", "[s("+a+") width(4) desc]", "[max-ms("+a+") digits(19)]", "[ms("+a+") digits(13)]",
				"[s("+a+") digits(10)]", "[layout(\"20060102\",UTC)("+a+")]", "[layout(\"20060102\",+08:00)("+a+")]", "[layout(\"20060102150405\",+08:00)("+a+")]", "[h("+a+") width(3)]",
				"[d("+a+") width(2)]", "[ms("+a+") decimal reverse]"+s, "[layout(\"2006-01-02\",UTC)("+a+")]", "[s("+a+") truncate(1h0m0s)]", "[max-s("+a+") digits(19)]",
				"[layout(\"2006010215\",+08:00)("+a+")]", "[ms("+a+") digits(13) desc]", "[ms("+a+") phoenix]", "[ms("+a+") orderedbytes]")
		case "uuid":
			c = one(r, "["+a+" uuid]", "["+a+" fixed(36)]")
		case "int":
			c = one(r, "["+a+":i8]", "["+a+":i4]", "["+a+":i8 hbase]", "["+a+":i4 orderedbytes]", "["+a+":i4 phoenix]", "["+a+":i8 decimal]"+s, "["+a+":i8 desc]")
		case "bool":
			c = one(r, "["+a+":bool]", "["+a+":bool hbase]")
		case "float":
			c = one(r, "["+a+":f8]", "["+a+":f8 hbase]", "["+a+":f8 orderedbytes]")
		}
		body = append(body, c)
	}
	head := ""
	if r.IntN(7) == 0 {
		head += one(r, `["v1"]`, `["user:"]`, `['\x01']`, `["t_"]`)
	}
	x := r.IntN(len(ks))
	a, k := names[x], ks[x]
	isText := strings.Contains("text word host phone uuid pad", k) && !strings.Contains(body[x], a+":8") && !strings.Contains(body[x], a+":4")
	input := a
	switch r.IntN(8) {
	case 0:
		input = "text(" + a + ")"
	case 1:
		input = "stored(" + a + ")"
	case 2:
		input = "rest()"
	case 3, 4:
		if len(names) > 1 {
			b := names[(x+1)%len(names)]
			input = one(r, "values("+a+","+b+")", "text("+a+","+b+")", "format(\"%s_%s\","+a+","+b+")", "stored("+a+","+b+")", "format(\"%s|%s\","+b+","+a+")")
		}
	}
	switch r.IntN(5) {
	case 0, 1:
		rule := one(r, "", "", " md5.raw(4)", " crc32.raw(4)", " phoenixhash", " md5.raw(8)", " sha1.raw(4)")
		if isText && r.IntN(2) == 0 {
			rule = one(r, " javahash", " javahashabs", " javahashfloor", " javahash")
		}
		if strings.Contains("num big small ms iso", k) && r.IntN(3) == 0 {
			rule, input = " modulo", a
		}
		buckets := []int{4, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256}[r.IntN(11)]
		form, tail := "", ""
		switch r.IntN(5) {
		case 0, 1:
			form = fmt.Sprintf(" digits(%d)", len(strconv.Itoa(buckets-1)))
			tail = one(r, "", "['"+sep+"']")
		case 2:
			form = " decimal"
			tail = "['" + sep + "']"
		case 3:
			if r.IntN(2) == 0 {
				form = " width(2)"
			} else if buckets <= 26 {
				form = ` letters("` + "abcdefghijklmnopqrstuvwxyz"[:buckets] + `")`
			}
		}
		head += fmt.Sprintf("[salt%d(%s)%s%s]%s", buckets, input, rule, form, tail)
	case 2, 3:
		d := one(r, "md5", "md5", "md5", "sha1", "sha256", "murmur3", "crc32", "hmurmur3")
		big := d != "murmur3" && d != "crc32" && d != "hmurmur3"
		p := fmt.Sprintf("%s.hex(%d)", d, []int{2, 3, 4, 6, 8}[r.IntN(5)])
		switch r.IntN(6) {
		case 0:
			p = fmt.Sprintf("%s.raw(%d)", d, 1+r.IntN(4))
		case 1:
			if big {
				p = fmt.Sprintf("%s.hexat(%d,%d)", d, []int{4, 8, 16}[r.IntN(3)], []int{4, 8, 16}[r.IntN(3)])
			}
		case 2:
			if big {
				p = d + ".hex(32)"
			}
		}
		if r.IntN(6) == 0 && strings.Contains(p, "hex") {
			p += ".upper"
		}
		head += "[" + p + "(" + input + ")]" + one(r, "", "['"+sep+"']")
	}
	if isText && r.IntN(10) == 0 && k != "word" {
		head += one(r, "[cc="+a+" left(2)]", "[cc="+a+" right(3)]", "[cc="+a+" right(2) reverse]")
	}
	return head + strings.Join(body, ""), strings.Join(cols, " ")
}
