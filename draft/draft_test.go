package draft_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
)

// Layouts as articles, guides and code write them; the draft of each, answers,
// and what the decided notation writes, as a sample.
var designs = []struct {
	design, draft string
	answers       []string
	sample        string
}{
	{"[md5(userid).subStr(0,4)][userid][orderid]", "[md5.hex(4)(?)][userid?]?[orderid?]",
		[]string{"userid", "", "['_']", ":8"}, `"7a700000010086_\x00\x00\x00\x00\x00\x00\x00\x07", "0000010086", 7`},
	{"[salt][uid][Long.MAX_VALUE - ts]", "[salt?(?)?][uid?]?[max-?(ts)?]",
		[]string{"16", "uid", "", ":8", "", "ms", ""}, ""},
	{"<hash(x)>_<x>_<ts>", "[?(?)]['_'][x?]['_'][?(ts)?]",
		[]string{"murmur3.hex(8)", "x", "", "s", " decimal"}, `"b3dd93fa_abc_7", "abc", 1970-01-01T00:00:07Z`},
	{`rowkey = md5(uid)[0:4] + uid + "_" + ts`, "[md5.?(?)][uid?]['_'][?(ts)?]",
		[]string{"hex(4)", "text(uid)", ":8 digits(10)", "ms", " digits(13)"},
		`"6412" "0000010086" "_" "1684203630000", 10086, 2023-05-16T02:20:30Z`},
	{"RowKey: <uid>_<ts>", "[uid?]['_'][?(ts)?]", nil, ""},
	{"row key = uid", "[uid?]", nil, ""},
	{"user:<uid>", `["user:"][uid?]`, nil, ""},
	{"[userId][Long.MAX_VALUE-timestamp]", "[userId?]?[max-?(timestamp)?]",
		[]string{":8", "", "ms", ""}, `"\x00\x00\x00\x00\x00\x00\x27\x66\x7F\xFF\xFE\x77\xDD\xA4\x12\x4F", 10086, 2023-05-16T02:20:30Z`},
	{"uid|orderid", "[uid?]?[orderid?]", []string{"", "['|']", ":4"}, `"u|\x00\x00\x00\x07", "u", 7`},
	{"uid|orderid", "[uid?]?[orderid?]", []string{":4", "", ":4"}, `"\x00\x00\x00\x01\x00\x00\x00\x07", 1, 7`},
	{"reverse(phone)", "[phone? reverse]", []string{" fixed(11)"}, `"87654321131", "13112345678"`},
	{"[reverse(domain) desc][uid long]", "[domain? desc]?[uid?]", nil, ""},
	{"salt_from_to_revts", "[salt?(?)?]?[from?]?[to?]?[?(revts)?]",
		[]string{"16", "from", "", "", "", "['_']", "", "['_']", "max-ms", " digits(19)"}, ""},
	{"device_sensor_revts", "[device?]?[sensor?]?[?(revts)?]", nil, ""},
	{"host_event_ts", "[host?]?[event?]?[?(ts)?]", nil, ""},
	{"[bucket][ts][host][event]", "[salt?(?)? named(bucket)][?(ts)?][host?]?[event?]", nil, ""},
	{"[userId][orderid][random(100)]", "[userId?]?[orderid?]?[random:1 below(100)?]",
		[]string{"", "['_']", "", "['_']", " digits(2)"}, `"u_o1_07", "u", "o1", 7`},
	{"random()_ts", "[random:1 below(?)?]?[?(ts)?]", nil, ""},
	{"strconv.FormatInt(uid%16, 10) 补0 + uid", "[salt16(uid) modulo digits(2)][uid?]", []string{":8"}, ""}, // zeros up to the digits of 15
	{"rpad(col, 'x', 20)", "[col pad(20,'x')]", nil, `"host1xxxxxxxxxxxxxxx", "host1"`},
	{"lpad(uid, 10, '0')+ts", "[uid?][?(ts)?]", []string{":8 digits(10)", "s", " width(4)"}, `"0000010086\x00\x00\x00\x07", 10086, 1970-01-01T00:00:07Z`},
	{"lpad(name, 6, '?')", `[name padleft(6,'\x3f')]`, nil, `"???abc", "abc"`},
	{"[slot u16][at u32]+ext", "[slot:2][at:4][ext?]", []string{":bytes"}, `"\x00\x07\x00\x00\x00\x08x", 7, 8, "x"`},
	{"[ts mod 8][ts][host string]", "[salt8(ts) modulo?][?(ts)?][host]", []string{"", "ms", ""}, ""},
	{"mod(ts, 8) + ts", "[salt8(ts) modulo?][?(ts)?]", nil, ""},
	{"hash(uid) % 16 + uid", "[salt16(?)??][uid?]", []string{"uid", "", "", ""}, `"\x0Cs-42", "s-42"`},
	{"md5(uid) % 16 + '-' + uid", "[salt16(?)??]['-'][uid?]", nil, ""},
	{"Math.abs(uid.hashCode()) % 100 + '_' + uid", "[salt100(?) javahashabs?]['_'][uid?]",
		[]string{"uid", " digits(2)", ""}, `"73_user123", "user123"`},
	{"salt(uid) + uid", "[salt?(?)?][uid?]", nil, ""},
	{"{uid}_{yyyyMMdd}", "[uid?]['_'][?(yyyyMMdd)]",
		[]string{"", `layout("20060102",+08:00)`}, `"3231_20121212", "3231", 2012-12-12T00:00:00+08:00`},
	{"user:${user}:profile:${id}", `["user:"][user?][':profile:'][id?]`, []string{"", ":4"}, `"user:u:profile:\x00\x00\x00\x07", "u", 7`},
	{"MD5(userId).substring(0, 6)_userId_ts", "[md5.hex(6)(?)]?[userId?]?[?(ts)?]", nil, ""},
	{"concat(md5(uid), '_', uid)", "[md5.?(?)]['_'][uid?]", nil, ""},
	{"[md5(concat(app, uid)).substring(8,24)][app string]_[uid string]", "[md5.hexat(8,16)(values(app,uid))][app]['_'][uid]", nil, ""},
	{"[md5(uid).substr(8,16)][uid string]", "[md5.?(uid)][uid]", []string{"hexat(8,16)"}, ""},
	{"left(md5(uid), 4) || uid", "[md5.hex(4)(?)][uid?]", nil, ""},
	{"substr(hash(uid), 0, 4) + uid", "[?(?)][uid?]", nil, ""},
	{"upper(sha1(uid)) + uid", "[sha1.hex(40).upper(?)][uid?]", nil, ""},
	{"SHA256(uid).substring(0,8).toUpperCase()+uid", "[sha256.hex(8).upper(?)][uid?]", nil, ""},
	{"uid.reverse()_ts", "[uid? reverse]?[?(ts)?]", nil, ""},
	{"StringUtils.reverse(uid) + '_' + createTime", "[uid? reverse]['_'][?(createTime)?]", nil, ""},
	{"[reverse(ts)][uid]", "[?(ts)?][uid?]", []string{"ms", " digits(13) reverse", ""}, `"0000363024861u", 2023-05-16T02:20:30Z, "u"`},
	{"[md5(userid)][orderid]", "[md5.?(?)][userid? notstored][orderid?]",
		[]string{"raw(16)", "userid", "", ":4"}, `"\x90\x01\x50\x98\x3C\xD2\x4F\xB0\xD6\x96\x3F\x7D\x28\xE1\x7F\x72\x00\x00\x00\x07", "abc", 7`},
	{"[Integer.MAX_VALUE - ts][uid long]", "[?(ts) width(4) desc][uid?]", []string{"s", ":8"}, `"\x7F\xFF\xFF\xF8\x00\x00\x00\x00\x00\x00\x00\x01", 1970-01-01T00:00:07Z, 1`},
	{"uid + (Long.MAX_VALUE - orderid)", "[uid?]?[orderid:8 width(8) desc?]", []string{":1", "", ""}, `"\x01\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xF8", 1, 7`},
	{"uid_MAX_INT-level", "[uid?]?[level:4 width(4) desc]", nil, ""},
	{`[md5(uid+"_"+phone).substr(0,4)][uid][phone]`, `[md5.hex(4)(format("%s_%s",uid,phone))][uid?]?[phone?]`, nil, ""},
	{"DigestUtils.md5Hex(String.valueOf(uid)).substring(0,4) + uid", "[md5.hex(4)(text(uid))][uid?]", []string{":8"}, `"6412\x00\x00\x00\x00\x00\x00\x27\x66", 10086`},
	{"Bytes.toBytes(uid) + Bytes.toBytes(ts)", "[uid?]?[?(ts)?]", nil, ""},
	{"[salt16(seller)][seller][max-ms(at)][order:8]", "[salt16(seller)][seller?]?[max-ms(at)][order:8]", []string{"", "['_']"},
		`"\x0Cs-42_\x7F\xFF\xFE\x77\xDD\xA4\x12\x4F\x00\x00\x00\x00\x00\x00\x00\x07", "s-42", 2023-05-16T02:20:30Z, 7`},
	{"[uid bytes fixed(2)][ts]", "", nil, ""},
	{"[uid:bytes fixed(2)][ts]", "[uid:bytes fixed(2)][?(ts)?]", nil, ""},
	{"[uid loose][ts][x oneof('?')]", `[uid loose]?[?(ts)?][x oneof('\x3f')]`, nil, ""},
	{"[hash][uid]", "[?(?)][uid?]", nil, ""},
	{"user_id + order_id", "[user_id?]?[order_id?]", nil, ""},
	{"uid#ts", "[uid?]?[?(ts)?]", []string{":8", "['#']", "s", " digits(1)"}, `"\x00\x00\x00\x00\x00\x00\x00\x01#7", 1, 1970-01-01T00:00:07Z`},
	{"user_id:order_id", "[user_id?]?[order_id?]", nil, ""},
	{"[a phoenix][b desc optional phoenix]", "[a phoenix][b desc optional phoenix]", nil, `"abc", "abc", null`},
	{"[买家] + [订单号]", "[买家?]?[订单号?]", nil, ""},

	// What is padded and then reversed, and what is reversed and then padded.
	{"reverse(rpad(a, 5, 'x'))", "[a reverse padleft(5,'x')]", nil, `"xxcba", "abc"`},
	{"rpad(reverse(a), 5, 'x')", "[a reverse pad(5,'x')]", nil, `"cbaxx", "abc"`},
	{"reverse(rpad(reverse(a), 5, 'x'))", "[a padleft(5,'x')]", nil, `"xxabc", "abc"`},
	{"reverse(lpad(uid, 5, '0'))", "[uid?]", []string{":8 digits(5) reverse"}, `"21000", 12`},
	{"lpad(reverse(uid), 5, '0')", "[uid?]", []string{":8 decimal reverse padleft(5,'0')"}, `"00021", 12`},
	{`reverse(String.format("%05d", uid))`, "[uid:8 digits(5) reverse]", nil, `"21000", 12`},
	{`String.format("%05d", reverse(uid))`, "[uid:8 decimal reverse padleft(5,'0')]", nil, `"00021", 12`},
	{`reverse(String.format("%-5s", uid))`, "[uid reverse padleft(5,' ')]", nil, `"  cba", "abc"`},
	{`reverse(String.format("%08x", uid))`, "[uid:8 hexdigits(8) reverse]", nil, `"ff000000", 255`},
	{"reverse(Long.MAX_VALUE - uid)", "[uid:8 width(8) desc? reverse]", []string{""}, `"\xF8\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 7`},
	{"reverse(Long.MAX_VALUE - ts)", "[max-?(ts)? reverse]", nil, ""},
	{"reverse(Integer.MAX_VALUE - ts)", "[?(ts) width(4) desc reverse]", nil, ""},
	{"reverse(9999999999 - ts)", "[s(ts) digits(10) desc reverse]", nil, `"2999999999", 1970-01-01T00:00:07Z`},

	// Blanks and zeros of a format, and what needs more than a byte.
	{`String.format("%5d", uid)`, "[uid:8 decimal padleft(5,' ')]", nil, `"   12", 12`},
	{`String.format("%-5d", uid)`, "[uid:8 decimal pad(5,' ')]", nil, `"12   ", 12`},
	{"lpad(uid, 22, '0')", "[uid padleft(22,'0')]", nil, ""},
	{"uid % 257 + uid", "[salt257(uid) modulo?][uid?]", []string{" width(2)", ":4"}, `"\x00\x03\x00\x00\x01\x04", 260`},
	{"random(1000) + uid", "[random:2 below(1000)?][uid?]", []string{"", ""}, `"\x03\xE7u", 999, "u"`},
	{"random(20000) + uid", "[random:2 below(20000)?][uid?]", []string{" digits(5)", ""}, `"19999u", 19999, "u"`},

	// Names behind parentheses.
	{"[layout('2006',UTC)(a)][layout('2006',UTC)(b)]", "[layout('2006',UTC)(a)][layout('2006',UTC)(b)]", nil, ""},
	{"[ms-since(2020-01-01T00:00:00Z)(a)][s-since(2020-01-01T00:00:00Z)(b)]", "[ms-since(2020-01-01T00:00:00Z)(a)][s-since(2020-01-01T00:00:00Z)(b)]", nil, ""},
}

func TestRead(t *testing.T) {
	for _, c := range designs {
		if c.draft == "" {
			_, err := draft.Read(c.design)
			assert.ErrorIs(t, err, rowkey.ErrSchema, c.design)
			continue
		}
		d, err := draft.Read(c.design)
		if !assert.NoError(t, err, c.design) {
			continue
		}
		assert.Equal(t, c.draft, d.Notation, c.design)
		assert.Len(t, d.Open, strings.Count(d.Notation, "?"))
		if len(d.Open) > 0 {
			_, err = rowkey.Parse("t", d.Notation)
			if assert.ErrorIs(t, err, rowkey.ErrSchema, "an open draft is no schema") {
				assert.Contains(t, err.Error(), "? is undecided: expected")
			}
		}

		// The first answers make a schema; any other changes one thing of it, which
		// Build may refuse, but Parse can read.
		first := make([]string, len(d.Open))
		for i, q := range d.Open {
			first[i] = q.Choices[0].Notation
			assert.Regexp(t, `^(what|which|whether|how|of what|of which|in which|the unit of) `, q.What.String())
			if q.Field != "" && q.Field != "salt" && q.Field != "hash" {
				assert.Contains(t, strings.ToLower(c.design[q.Offset:]), strings.ToLower(q.Field))
			}
		}
		_, err = rowkey.Parse("t", d.Decide(first...))
		assert.NoError(t, err, c.design)
		for i, q := range d.Open {
			for _, choice := range q.Choices {
				answers := append([]string(nil), first...)
				answers[i] = choice.Notation
				if _, err := rowkey.Parse("t", d.Decide(answers...)); err != nil {
					assert.NotContains(t, err.Error(), "expected", c.design)
				}
				assert.NotEmpty(t, choice.Meaning.String())
			}
		}

		if c.answers == nil && c.sample == "" {
			continue
		}
		assert.Len(t, c.answers, len(d.Open), c.design)
		notation := d.Decide(c.answers...)
		if c.sample != "" {
			notation += " sample(" + strings.ReplaceAll(c.sample, `" "`, "") + ")"
		}
		_, err = rowkey.Parse("t", notation)
		assert.NoError(t, err, c.design)
	}
}

// The answers that are offered, where they hold numbers or names of the design.
func TestQuestionChoices(t *testing.T) {
	for _, c := range []struct {
		design, what string
		want         []string
	}{
		{"[md5(uid).substr(8,16)][uid string]", "which part of the digest is taken", []string{"hexat(8,8)", "hexat(8,16)", "hexat(7,16)"}},
		{"sha1(uid)[2:6] + uid", "which part of the digest is taken", []string{"hexat(2,4)"}},
		{"sha1(uid)[:4] + uid", "which part of the digest is taken", []string{"hex(4)", "raw(4)"}},
		{"md5(uid) + uid", "which part of the digest is taken", []string{"hex(32)", "raw(16)"}},
		{"sha1(uid) % 16 + uid", "which bytes of the digest make the bucket", []string{" sha1.raw(20)", " sha1.raw(4)"}},
		{"[salt][uid][day]", "of which fields salt is computed; one that the writer draws is a field instead, [salt:1 below(16) bucket]",
			[]string{"uid", "day", "values(uid,day)"}},
		{"hash(uid) % 1000 + uid", "how the bucket is written", []string{" width(2)", " digits(3)", " decimal"}},
		{"md5(uid, phone).substr(0,4) + uid + phone", "which bytes of uid, phone are hashed", []string{"values(uid,phone)", "text(uid,phone)"}},
		{"[uid int]", "whether uid may be negative", []string{":4", ":i4", ":i4 hbase"}},
		{"lpad(uid, 7, 0)", "what uid is", []string{":8 digits(7)", " padleft(7,'0')"}},
		{"uid:ts", "whether ':' stands in the key", []string{"[':']", "", `['\x00']`}},
	} {
		d, err := draft.Read(c.design)
		require.NoError(t, err, c.design)
		found := false
		for _, q := range d.Open {
			if q.What.String() == c.what {
				found = true
				var got []string
				for _, choice := range q.Choices {
					got = append(got, choice.Notation)
				}
				assert.Equal(t, c.want, got, c.design)
			}
		}
		assert.True(t, found, "%s: %+v", c.design, d.Open)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ design, at, want string }{
		{"", "", "expected a layout"},
		{" + ", "+ ", "expected a field before '+'"},
		{"'_'", "", "expected a layout"},
		{"[salt]", "salt]", "expected a field in the design, of which salt is computed"},
		{"[]", "]", "expected a field's name, a function"},
		{"[uid", "", "expected ']'"},
		{"[uid}", "}", "expected ']'"},
		{"[uid]]", "]", "expected a field's name"},
		{"[xxh3(uid)][uid]", "xxh3(uid)][uid]", "expected a function such as md5"},
		{"[md6(uid)][uid]", "md6(uid)][uid]", "; perhaps md5"},
		{"[ms of day u32]", "of day u32]", "expected a type such as u32"},
		{"[uid: lng]", "lng]", "; perhaps long"},
		{"[uid:long long]", "long]", "expected ']'"},
		{"[uid]?[orderid]", "?[orderid]", "? is undecided: expected a field's name"},
		{"[uid][uid]", "uid]", "uid stands twice: written once more it is a copy, such as [uid2=uid]"},
		{"3231-20121212", "3231-20121212", "expected a field: a number stands in a key"},
		{"99999999998-uid", "99999999998-uid", "expected a smaller number"},
		{"uid + '_", "'_", "this quote has no end on its line"},
		{"md5(", "", "expected a field's name"},
		{"md5() + uid", "md5() + uid", "expected what md5 is computed of"},
		{"md5('x') + uid", "md5('x') + uid", "expected a field to hash"},
		{"md5(reverse(uid)) + uid", "reverse(uid)) + uid", "expected fields to hash"},
		{"md5(uid).substr(4,4) + uid", "md5(uid).substr(4,4) + uid", "expected a part that is not empty"},
		{"md5(uid).rpad(4) + uid", "md5(uid).rpad(4) + uid", "expected a digest, a part of it, or a number of buckets"},
		{"uid.hashCode() + uid", "uid.hashCode() + uid", "a hashCode is taken for a salt"},
		{"uid % 0", "0", "expected a number of buckets"},
		{"mod(uid) + uid", "mod(uid) + uid", "expected a value and a number in mod"},
		{"rpad(uid,3,'x') % 3 + uid", "rpad(uid,3,'x') % 3 + uid", "expected a field or a digest, modulo a number"},
		{"Long.MAX_VALUE", "", "expected '-'"},
		{`key = uid + "|" + (Long.MIN_VALUE + ts)`, "Long.MIN_VALUE + ts)", "expected Long.MAX_VALUE"},
		{`fmt.Sprintf("%015d", 9999999999999-n)`, "n)", "expected %d or %013d"},
		{`fmt.Sprintf("%016x", 9999999999999-n)`, "n)", "expected %d or %013d"},
		{`fmt.Sprintf("%-13d", 9999999999999-n)`, "n)", "expected %d or %013d"},
		{"Long.MAX_VALUE - md5(ts)", "md5(ts)", "expected the name of a field after Long.MAX_VALUE -"},
		{"rpad(uid)", "rpad(uid)", "expected rpad of a field, a number of bytes and one byte that fills"},
		{"rpad(uid, 10, 'xx')", "rpad(uid, 10, 'xx')", "one byte that fills"},
		{"substr(uid, 2, 4)", "substr(uid, 2, 4)", "expected the first or the last bytes of uid"},
		{strings.Repeat("(", 300), strings.Repeat("(", 200), "expected fewer brackets in one another"},
		{strings.Repeat("a = a + a; ", 99), strings.Repeat("a = a + a; ", 99)[len("a = a + a; ")*12+len("a = "):], "stands for more than is read"},
		{"a\xff", "\xff", "expected UTF-8"},
		{`String.format("%025d", uid)`, "uid)", "expected at most %020d"},
		{`String.format("%025d", ts)`, "ts)", "expected at most %020d"},
		{`String.format("%020x", uid)`, "uid)", "of more than 16 digits"},
		{`String.format("%5d", uid % 10)`, "uid % 10)", "expected %d or %02d for a bucket"},
		{"[lpad(uid long, 22, '0')]", "uid long, 22, '0')]", "expected at most 20 digits"},

		// A design that is notation already, and that Parse refuses.
		{"[salt16(a)]", "[salt16(a)]", "a schema without a field has one key only"},
		{"[md5.hex(4)(x)]", "[md5.hex(4)(x)]", "a schema without a field has one key only"},
		{"[b=a]", "[b=a]", "a schema without a field has one key only"},
		{"[x:8][b=a]", "[b=a]", `Copy of "a": no such field`},
		{"[x:8][salt16(a)]", "[salt16(a)]", `input "a" is no field`},
		{"[x:8][uid:9]", "[uid:9]", "size is in bytes, 1 to 8, not 9"},
		{"【x:8】 rpad(uid, 40000, 'x')", "rpad(uid, 40000, 'x')", "pad(40000) is not within 1 to 32767"},
	} {
		_, err := draft.Read(c.design)
		var e *draft.Error
		if !assert.ErrorAs(t, err, &e, c.design) || !assert.ErrorIs(t, err, rowkey.ErrSchema) {
			continue
		}
		assert.Contains(t, e.Problem, c.want, c.design)
		assert.Equal(t, len(c.design)-len(c.at), e.Offset, "%s: %v", c.design, err)
	}
}

func TestDecide(t *testing.T) {
	d, err := draft.Read("uid_level")
	require.NoError(t, err)
	assert.Equal(t, "[uid?]?[level?]", d.Decide())
	assert.Equal(t, "[uid:8]['?'][level?]", d.Decide(":8", "['?']"))
	assert.Equal(t, "[uid:8][level:1]", d.Decide(":8", "", ":1", "one too many"))
}

// Whatever the text: a draft with a ? for each question, or a typed error.
func FuzzRead(f *testing.F) {
	for _, c := range designs {
		f.Add(c.design)
	}
	f.Fuzz(func(t *testing.T, design string) {
		d, err := draft.Read(design)
		if err != nil {
			var e *draft.Error
			if !errors.As(err, &e) || !errors.Is(err, rowkey.ErrSchema) || e.Offset < 0 || e.Offset > len(design) {
				t.Fatalf("%q: %v", design, err)
			}
			return
		}
		if n := strings.Count(d.Notation, "?"); n != len(d.Open) {
			t.Fatalf("%q: %s has %d questions, not %d", design, d.Notation, n, len(d.Open))
		}
		if len(d.Open) == 0 {
			if _, err := rowkey.Parse("t", d.Notation); err != nil {
				t.Fatalf("%q: %s leaves nothing open: %v", design, d.Notation, err)
			}
		}
		var answers []string
		for _, q := range d.Open {
			if q.Offset < 0 || q.Offset >= len(design) || len(q.Choices) == 0 {
				t.Fatalf("%q: %+v", design, q)
			}
			answers = append(answers, q.Choices[0].Notation)
		}
		if _, err := rowkey.Parse("t", d.Decide(answers...)); err != nil && strings.Contains(fmt.Sprint(errors.Unwrap(err)), "expected ") {
			t.Fatalf("%q makes %s: %v", design, d.Decide(answers...), err)
		}
	})
}

// What an answer costs: bytes of a key, or ranges of a query.
func TestPrices(t *testing.T) {
	for _, c := range []struct {
		design, what string
		want         []string
	}{
		{"[salt][uid:8]", "how many buckets salt has", []string{
			"1 range a query that knows uid, else 16", "1 range a query that knows uid, else 4", "1 range a query that knows uid, else 64", "1 range a query that knows uid, else 256"}},
		{"[salt][uid:8]", "how the bucket is written", []string{"1 byte a key", "2 bytes a key", "1 to 2 bytes a key"}},
		{"hash(uid) % 10 + '_' + uid", "how the bucket is written", []string{"1 byte a key", "1 byte a key", "1 byte a key"}},
		{"[salt][uid][day]", "of which fields salt is computed; one that the writer draws is a field instead, [salt:1 below(16) bucket]", []string{
			"1 range a query that knows uid, else 16", "1 range a query that knows day, else 16", "1 range a query that knows uid, day, else 16"}},
		{"md5(uid) + uid", "which part of the digest is taken", []string{"32 bytes a key", "16 bytes a key"}},
		{"md5(uid).substr(0,4) + uid", "which bytes of uid are hashed", []string{"1 range a query that knows uid", "1 range a query that knows uid"}},
		{"[uid][ts]", "what uid is", []string{
			"its bytes", "10 bytes a key", "its bytes and at least 2 more", "8 bytes a key", "4 bytes a key", "10 bytes a key", "1 to 20 bytes a key", "its bytes", "8 bytes a key", "8 bytes a key"}},
		{"[uid][ts]", "what ends uid", []string{"1 byte a key", "1 byte a key", "0 bytes a key"}},
		{"[uid][ts]", "how ts is written", []string{"8 bytes a key", "13 bytes a key"}},
		{"[uid:8]:x#[ts]", "whether ':x#' stands in the key", nil},
		{"uid:ts", "whether ':' stands in the key", []string{"1 byte a key", "0 bytes a key", "1 byte a key"}},
		{"[random(100)][ts]", "how random is written", []string{"1 byte a key", "2 bytes a key", "3 bytes a key"}},
		{"[random()][ts]", "how many values random has", []string{"100 ranges a query", "256 ranges a query"}},
		{"[md5(userid)][orderid]", "what userid is", []string{"0 bytes a key", "0 bytes a key", "0 bytes a key", "0 bytes a key"}},
		{"[uid 4B][ts]", "what uid is", []string{"4 bytes a key", "4 bytes a key", "4 bytes a key", "4 bytes a key", "4 bytes a key"}},
	} {
		d, err := draft.Read(c.design)
		require.NoError(t, err, c.design)
		var got []string
		for _, q := range d.Open {
			if q.What.String() == c.what {
				for _, choice := range q.Choices {
					got = append(got, choice.Price.String())
				}
			}
		}
		assert.Equal(t, c.want, got, "%s: %+v", c.design, d.Open)
	}
	for _, c := range designs { // every answer has one
		if d, err := draft.Read(c.design); err == nil {
			for _, q := range d.Open {
				for _, choice := range q.Choices {
					assert.NotEmpty(t, choice.Price.String(), "%s: %s: %q", c.design, q.What, choice.Notation)
				}
			}
		}
	}
}

// The prices are those of the planner.
func TestPricesHold(t *testing.T) {
	d, err := draft.Read("[salt(uid)][kind 4B][uid 8B]")
	require.NoError(t, err)
	for _, c := range d.Open[0].Choices {
		s, err := rowkey.Parse("t", d.Decide(c.Notation, "uid", "", ":4", ":8"))
		require.NoError(t, err)
		count := func(conds ...rowkey.Cond) (n int) {
			plan, err := s.Scan(conds...)
			require.NoError(t, err)
			for range plan.Ranges() {
				n++
			}
			return n
		}
		kind, uid := rowkey.Eq("kind", uint64(7)), rowkey.Eq("uid", uint64(8))
		assert.Equal(t, 1, count(kind, uid))
		assert.Equal(t, fmt.Sprintf("1 range a query that knows uid, else %d", count(kind)), c.Price.String())
	}
}

// Words of which nothing is left, once what they say is taken off.
func TestEmptyNames(t *testing.T) {
	for _, design := range []string{"的反转", "的倒序 + uid", "[的反转]", "反转的"} {
		_, err := draft.Read(design)
		if err != nil {
			assert.ErrorIs(t, err, rowkey.ErrSchema, design)
		}
	}
}

// One key fits one of a few salts by chance: it excludes rules, and settles none. Many keys do.
func TestFitSettlesNoSaltByOneKey(t *testing.T) {
	d, err := draft.Read("hash(uid) % 16 + '_' + uid")
	require.NoError(t, err)
	real := rowkey.Must(rowkey.Parse("t", "[salt16(uid) md5.raw(4) digits(2)]['_'][uid]"))
	var keys [][]byte
	for _, uid := range []string{"u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"} {
		key, err := real.Key().String(uid).Bytes()
		require.NoError(t, err)
		keys = append(keys, key)
		codes := func(keys ...[]byte) (out []string) {
			fit, err := d.Fit(keys...)
			require.NoError(t, err)
			for _, q := range fit.Open {
				out = append(out, q.What.Code)
			}
			return out
		}
		assert.Contains(t, codes(key), "draft.bucket-hash", uid)
		assert.Contains(t, codes(key, key, key, key, key, key), "draft.bucket-hash", "the same key says no more")
	}
	fit, err := d.Fit(keys...)
	require.NoError(t, err)
	for _, q := range fit.Open {
		assert.NotEqual(t, "draft.bucket-hash", q.What.Code, "8 keys of 4 bits each")
	}
	assert.Contains(t, fit.Notation, "md5.raw(4)")
}

// TestRemainder: what a salt takes the rest of is a whole number, so no other answer is given; and of
// % it is said that a salt takes the rest in another way of a negative number than Java and Go.
func TestRemainder(t *testing.T) {
	for _, field := range []string{"uid varchar", "uid double", "uid boolean", "uid bytes", "uid uuid", "uid 16 bytes", "rpad(uid, 10, 'x')", "substr(uid, 0, 4)"} {
		if d, err := draft.Read("[uid % 16][" + field + "]"); err == nil || !strings.Contains(err.Error(), "by what is said of uid it is none") {
			t.Errorf("%s: %v, %v", field, d, err)
		}
	}
	for design, floor := range map[string]bool{
		"[uid % 16][uid long]": true, "[uid % 16][uid 8 bytes]": true, "[Math.abs(uid % 16)][uid int]": true,
		"[Math.floorMod(uid, 16)][uid long]": false, "[Math.floorMod(uid, 16)][uid 8 bytes]": false, "[uid % 16][lpad(uid, 10, '0')]": false,
	} {
		d, err := draft.Read(design)
		if err != nil {
			t.Errorf("%s: %v", design, err)
			continue
		}
		said := false
		for _, q := range d.Open {
			for _, c := range q.Choices {
				said = said || strings.HasSuffix(c.Meaning.Code, "-floor")
			}
		}
		if said != floor {
			t.Errorf("%s: says that %% differs: %v, want %v", design, said, floor)
		}
		for i, q := range d.Open {
			for j := range q.Choices {
				answers := make([]string, len(d.Open))
				answers[i] = q.Choices[j].Notation
				for k := range answers {
					if k != i {
						answers[k] = d.Open[k].Choices[0].Notation
					}
				}
				if _, err := rowkey.Parse("", d.Decide(answers...)); err != nil && answers[i] != " decimal" {
					t.Errorf("%s: %q: %v", design, answers[i], err)
				}
			}
		}
	}
}

// A field of which a part stands in the key is a text or bytes: of a number no part is taken.
func TestPartsAreOfTexts(t *testing.T) {
	for _, document := range []string{"[hash(uid)%16][substr(uid,0,4)]", "[hash(uid)%16][uid.substring(0,4)]['_'][b:8]", "[md5(uid)[0:4] ][right(uid,3)]"} {
		d, err := draft.Read(document)
		require.NoError(t, err, document)
		asked := 0
		for _, o := range d.Open {
			if o.Field == "uid" {
				asked++
				for _, c := range o.Choices {
					require.Contains(t, []string{"", ":bytes"}, c.Notation, document)
				}
			}
		}
		require.Equal(t, 1, asked, document)
	}
}

// An answer that no schema can have is not offered: a number in as many digits as it has cannot be
// complemented.
func TestDescOffersNoDecimal(t *testing.T) {
	for _, document := range []string{"[uid desc]", "[uid desc][name]", "[name desc]"} {
		d, err := draft.Read(document)
		require.NoError(t, err)
		for _, c := range d.Open[0].Choices {
			require.NotEqual(t, ":8 decimal", c.Notation, document)
		}
	}
}

// Where a design says that a field is reversed, descends, or one of both, each answer goes with each
// kind of field that is offered, and the bytes of what descends do.
func TestTurnedAnswersFit(t *testing.T) {
	for _, design := range []string{"[uid 倒序]", "[uid 倒序 8B]", "[uid 反转]", "[uid 反转 8B]", "[uid 反转 16B]", "[uid 倒序 16B]", "[uid desc]", "[uid desc 8B]"} {
		d, err := draft.Read(design)
		require.NoError(t, err)
		turns := []draft.Choice{{}}
		if len(d.Open) > 1 {
			turns = d.Open[1].Choices
		}
		for _, what := range d.Open[0].Choices {
			for _, turn := range turns {
				s, err := rowkey.Parse("", d.Decide(what.Notation, turn.Notation))
				require.NoError(t, err, "%s", design)
				if strings.Contains(design, "desc") {
					assert.Equal(t, rowkey.Backward, s.Order("uid"), "%s: %v", design, s)
				}
			}
		}
	}
}

// Where a design says Math.abs of a hash that it does not name, Java's rule of that form is the
// first choice, and a key settles on none while several fit it.
func TestAbsOfAHashWithoutAName(t *testing.T) {
	for design, want := range map[string][]string{
		`String.format("%02d_%s", Math.abs(hash) % 100, device)`: {" javahashabs", "", " md5.raw(4)", " javahash"},
		`String.format("%02d_%s", abs(hash)%100, device)`:        {" javahashabs", "", " md5.raw(4)", " javahash"},
		`String.format("%02d_%s", Math.abs(hash % 100), device)`: {" javahashmodabs", "", " md5.raw(4)", " javahash"},
		`Math.abs(hash(device)) % 100 + "_" + device`:            {" javahashabs", ""},
		`Math.abs(hash(device) % 100) + "_" + device`:            {" javahashmodabs", ""},
		`Math.floorMod(hash, 100) + "_" + device`:                {" javahashfloor", ""},
		`hash % 100 + "_" + device`:                              {"", " md5.raw(4)", " javahash"},
	} {
		d, err := draft.Read(design)
		require.NoError(t, err, design)
		assert.Equal(t, want, notations(d, "draft.bucket-hash"), design)
	}
	d, err := draft.Read(`String.format("%02d_%s_%d", abs(hash)%100, device, Long.MAX_VALUE-ts)`)
	require.NoError(t, err)
	fit, err := d.Fit([]byte("32_dev-0_9223370352651145807"))
	require.NoError(t, err)
	assert.Equal(t, []string{" javahashabs", " javahash"}, notations(fit, "draft.bucket-hash"), "its hash is not negative")
}

// notations are the choices of the question of a code.
func notations(d *draft.Draft, code string) (out []string) {
	for _, q := range d.Open {
		for _, c := range q.Choices {
			if q.What.Code == code {
				out = append(out, c.Notation)
			}
		}
	}
	return out
}
