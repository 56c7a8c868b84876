package advice

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/names"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// rules are in the order of their page: what comes first in a key, its salts and
// hashes, its fields, its rows, its questions.
var rules []Rule

func init() {
	rules = []Rule{
		risingFirst, leadingDate, fewFirst, fewBeforeTime, randomLead,
		saltFewInputs, saltOfTime, timeModulo, numberModulo, oneBucket, saltAndHash, wideSalt, refusingSalt, saltRegions,
		inputNotStored, hashCollides, hashLong, numberHash,
		randomSuffix, reversedTime, padUnordered, loose, status, onePair, endsSoon, wideNumber, textForBytes, longKey,
		notUnique, slotAndTime,
		fullScan, emptyQuestion, manyRanges, readsMore, oldestFirst, lindormFirst,
	}
}

var risingFirst = Rule{
	Name: "rising-first-field", Severity: Error,
	Sees:   "A time or a number that rises comes first.",
	Hurts:  "All new rows sort after all old ones, so one region takes every write: with 10 servers, 9 are idle. The key 0000018f… of [ms(at)] is always the largest so far.",
	Mend:   "A leading salt, of a field that a reader knows: [salt16(uid)][ms(at)][uid]. Or the field itself first: [uid][ms(at)].",
	Ignore: "The table gets a few rows a second.",
	Settle: "A day of rows, in the order in which they come, through rowkey simulate: one moving hot region. Of a number or a text only its name is known: the rows say whether it rises.",
	Fires:  []string{`[ms(at)][uid]`, `[max-ms(at)][host]`, `['_'][s(at) width(4)][id:8]`, `[seq:8][host]`, `[ts:8][uid]`, `[ts fixed(13)][uid]`, `[order_id:8]`, `[moment=at][uid:8][ms(at)][n:2]`},
	Quiet:  []string{`[uid:8][ms(at)]`, `[salt16(uid)][ms(at)][uid]`, `[seq:8 reverse][host]`, `[time:2 below(1440)][uid]`},
	check: func(l *layout) {
		f := &l.stored[0]
		switch rise := rises(&f.FieldInfo); {
		case rise == names.Moment && !byName(&f.FieldInfo):
			l.say(f.Name, l.salted(), "rises", f.Name)
		case rise == names.Moment:
			l.sayAs(Warning, f.Name, l.salted(), "time-by-name", f.Name)
		case rise == names.Counted:
			l.sayAs(Warning, f.Name, l.salted(), "counted-by-name", f.Name)
		case rise == names.Perhaps:
			l.sayAs(Note, f.Name, l.salted(), "perhaps-counted", f.Name)
		}
	},
}

var leadingDate = Rule{
	Name: "leading-date", Severity: Error,
	Sees:   "An hour, a day or a month comes first.",
	Hurts:  "All rows of one day lie together, so on that day one region after another takes every write: 20230516 begins all keys of 16 May.",
	Mend:   "The day after the field that is asked for: [uid:8][layout(\"20060102\",UTC)(day)]. Or a leading salt, which makes a question for one day as many ranges as there are buckets.",
	Ignore: "The table is filled once, in order, and then only read.",
	Settle: "Two days of rows through rowkey simulate: at any time one region takes the writes.",
	Fires:  []string{`[layout("20060102",UTC)(day)]['-'][uid]`, `[d(day) width(4)][uid:8]`, `[s(at) truncate(1h)][uid:8]`, `[date fixed(8)]['-'][uid]`, `[day=at d width(3)][uid:8][ms(at)][n:2]`},
	Quiet:  []string{`[uid:8][layout("20060102",UTC)(day)]`, `[salt4(uid)][d(day)][uid:8]`, `[day=at d reverse][uid:8][ms(at)][n:2]`},
	check: func(l *layout) {
		f := &l.stored[0]
		if rises(&f.FieldInfo) != names.Day {
			return
		}
		try := ""
		for i := range l.stored[1:] {
			if by := l.spreader(); l.stored[i+1].Name == by {
				try = l.after(f, &l.stored[i+1])
			}
		}
		if try == "" {
			try = l.salted()
		}
		if byName(&f.FieldInfo) {
			l.sayAs(Warning, f.Name, try, "day-by-name", f.Name)
			return
		}
		l.say(f.Name, try, "coarse", f.Name, spanText(max(f.Time.Step, f.Time.Truncated)))
	},
}

// spanText is a length of time in words.
func spanText(d time.Duration) string {
	switch {
	case d == time.Hour:
		return "an hour"
	case d == 24*time.Hour:
		return "a day"
	}
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}

var fewFirst = Rule{
	Name: "few-first-values", Severity: Warning,
	Sees:   "A field of fewer than 64 values comes first.",
	Hurts:  "The table is at most as even as those values are: with [status:1 below(5)] first and 80 % of the rows of one status, one part of the table takes 80 % of the writes.",
	Mend:   "The field after one of many values, or a leading salt.",
	Ignore: "The values are used evenly, and every question names one.",
	Settle: "A day of rows through rowkey simulate: the hottest region has the part of the most frequent value.",
	Fires:  []string{`[status:1 below(5)][uid]`, `[kind oneof("a","b") fixed(1)][uid]`, `[on:bool][uid]`, `[gender:1][uid]`, `[first=kind left(1)][uid:8][kind oneof("ab","c")]`},
	Quiet:  []string{`[uid:8][status:1 below(5)]`, `[slot:1 below(16) bucket][uid]`, `[shop:1][uid]`},
	check: func(l *layout) {
		f := &l.stored[0]
		if few(&f.FieldInfo) && !f.Slot && l.risesAfterFew() == nil {
			l.say(f.Name, l.salted(), "few-values", f.Name, f.Count)
		} else if fewByName(&f.FieldInfo) && l.risesAfterFew() == nil {
			l.say(f.Name, l.salted(), "few-by-name", f.Name)
		}
	},
}

var fewBeforeTime = Rule{
	Name: "few-before-time", Severity: Warning,
	Sees:   "Only fields of few values stand before a time or a number that rises.",
	Hurts:  "Each value has one place in which its new rows go, so at any time as many regions take writes as values are in use: of 20 regions, with [type:1][ms(at)] and 3 types, 3.",
	Mend:   "A leading salt, or a field of many values before the time: [type:1][uid:8][ms(at)].",
	Ignore: "The values are as many as the servers, and are used evenly.",
	Settle: "A day of rows through rowkey simulate: how many regions are hot at once.",
	Fires:  []string{`[type:1][ms(at)][uid:8]`, `[status:1 below(5)][ts:8][order:8]`, `[kind]['_'][s(at)][uid]`},
	Quiet:  []string{`[type:1][uid:8][ms(at)]`, `[slot:1 below(16) bucket][ms(at)][host]`, `[shop]['_'][ms(at)][uid]`},
	check: func(l *layout) {
		at := l.risesAfterFew()
		if at == nil {
			return
		}
		f := &l.stored[0]
		try := ""
		for i := range l.stored {
			if l.stored[i].Name == l.spreader() && i > 0 {
				try = l.after(at, &l.stored[i])
			}
		}
		if try == "" {
			try = l.salted()
		}
		l.say(f.Name, try, "few-then-rises", f.Name, at.Name, f.Name)
	},
}

// risesAfterFew is the field that rises, if only fields of few values stand before it.
func (l *layout) risesAfterFew() *field {
	if !fewOrNamed(&l.stored[0].FieldInfo) {
		return nil
	}
	for i := range l.stored {
		f := &l.stored[i]
		if rise := rises(&f.FieldInfo); rise == names.Moment || rise == names.Counted || rise == names.Day {
			return f
		}
		if !fewOrNamed(&f.FieldInfo) {
			return nil
		}
	}
	return nil
}

var randomLead = Rule{
	Name: "slot-in-front", Severity: Note,
	Sees:   "A slot that the writer chooses comes first.",
	Hurts:  "Who wants one row must ask every slot, as no reader can compute it: [slot:1 below(16) bucket][id] costs 16 gets.",
	Mend:   "A salt of a field that a reader knows: [salt16(id)][id].",
	Ignore: "Rows are read by spans only, which ask every bucket anyway.",
	Settle: "The question that is asked most, through rowkey simulate: its ranges and regions.",
	Fires:  []string{`[slot:1 below(16) bucket][id]`},
	Quiet:  []string{`[salt16(id)][id]`},
	check: func(l *layout) {
		if f := &l.stored[0]; f.Slot {
			l.say(f.Name, l.saltBy(f, f.Count, l.spreader()), "get-asks", f.Count, f.Name)
		}
	},
}

var saltFewInputs = Rule{
	Name: "salt-few-inputs", Severity: Error,
	Sees:   "A salt or a hash is computed from fields that have fewer values than it has.",
	Hurts:  "Equal values have one bucket: [salt16(status)] of 3 statuses uses 3 of 16 buckets, and 13 regions stay empty.",
	Mend:   "A salt of a field of many values: [salt16(uid)].",
	Ignore: "Never.",
	Fires:  []string{`[salt16(status)][status:1 below(3)][uid]`, `[md5.hex(2)(on)][on:bool][uid]`, `[md5.hex(8)(status)][status:1 below(3)][uid]`, `[salt16(type)][type:1][uid]`},
	Quiet:  []string{`[salt16(uid)][status:1 below(3)][uid]`, `[md5.raw(4)(shop)][shop:2]`, `[salt16(values(status,uid))][status:1 below(3)][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			places, shown := f.Count, fmt.Sprint(f.Count)
			switch {
			case f.Kind != "hash":
			case f.Computed.Bits <= 16:
				places, shown = 1<<f.Computed.Bits, fmt.Sprint(1<<f.Computed.Bits)
			default: // as many regions as 256 values give are enough
				places, shown = 256, fmt.Sprintf("2^%d", f.Computed.Bits)
			}
			if n := product(l.inputs(&f.FieldInfo)); n > 0 && places > 1 && n < places && len(f.Computed.Inputs) > 0 {
				try := ""
				if f.Computed.Rule == 0 {
					try = l.otherInput(&f)
				}
				l.say(f.Name, try, "few-inputs", strings.Join(f.Computed.Inputs, " and "), n, n, shown)
			} else if places > 1 && len(f.Computed.Inputs) == 1 && every(l.inputs(&f.FieldInfo), fewByName) {
				try := ""
				if f.Computed.Rule == 0 {
					try = l.otherInput(&f)
				}
				l.sayAs(Warning, f.Name, try, "few-inputs-by-name", f.Name, f.Computed.Inputs[0])
			}
		}
	},
}

// onlyTimes reports a salt or hash that is computed from times alone.
func (l *layout) onlyTimes(f *field) bool {
	return every(l.inputs(&f.FieldInfo), func(in *rowkey.FieldInfo) bool { return in.Kind == "time" })
}

// onlyTimesByName is onlyTimes of one number or text that is a time as far as its name says.
func (l *layout) onlyTimesByName(f *field) bool {
	return len(f.Computed.Inputs) == 1 && every(l.inputs(&f.FieldInfo), func(in *rowkey.FieldInfo) bool { return byName(in) && rises(in) == names.Moment })
}

var saltOfTime = Rule{
	Name: "salt-of-time", Severity: Warning,
	Sees:   "A salt or a hash is computed from the time alone.",
	Hurts:  "A question for a span of time pays every bucket, and rows of one moment share a bucket: [salt8(at)] makes 8 ranges of an hour.",
	Mend:   "A salt of the field that questions name: [salt8(host)], one range for one host.",
	Ignore: "Readers never know the host.",
	Settle: "The questions and a day of rows through rowkey simulate: ranges, and the hottest server in a window.",
	Fires:  []string{`[salt8(at)][ms(at)][host]`, `[md5.hex(2)(at)][ms(at)][host]`, `[salt8(ts)][ts:8][host]`},
	Quiet:  []string{`[salt8(host)][ms(at)][host]`, `[salt8(values(host,at))][ms(at)][host]`},
	check: func(l *layout) {
		for i := range l.stored {
			if f := &l.stored[i]; l.onlyTimes(f) && f.Computed.Rule != rowkey.Modulo {
				l.say(f.Name, l.otherInput(f), "salt-of-time", f.Name)
			} else if l.onlyTimesByName(f) {
				l.sayAs(Note, f.Name, l.otherInput(f), "salt-of-time-by-name", f.Name, f.Computed.Inputs[0])
			}
		}
	},
}

// otherInput is the layout with the same salt or hash of a field that readers know.
func (l *layout) otherInput(f *field) string {
	by := l.spreader()
	if f.Kind == "salt" {
		return l.saltBy(f, f.Count, by)
	}
	if by == "" || len(f.Computed.Inputs) == 0 {
		return ""
	}
	at := strings.LastIndexByte(f.Notation, '(')
	if i := strings.Index(f.Notation, "(values("); i >= 0 {
		at = i
	}
	end := strings.LastIndexByte(f.Notation, ')')
	return l.with(f, f.Notation[:at+1]+by+f.Notation[end:])
}

var timeModulo = Rule{
	Name: "time-modulo", Severity: Error,
	Sees:   "A bucket is the time modulo a number.",
	Hurts:  "A writer that writes on whole seconds uses n/gcd(1000, n) of n buckets: of 8 buckets one.",
	Mend:   "A salt of a field that questions name: [salt8(host)].",
	Ignore: "The times have all their milliseconds; a sample of rows settles it.",
	Settle: "A thousand rows through rowkey simulate: whole seconds fill 8 ÷ gcd(1000, 8) = 1 of 8 regions.",
	Fires:  []string{`[salt8(at) modulo][ms(at)][host]`},
	Quiet:  []string{`[salt8(at)][ms(at)][host]`, `[salt8(n) modulo][n:8][host]`},
	check: func(l *layout) {
		for i := range l.stored {
			if f := &l.stored[i]; l.onlyTimes(f) && f.Computed.Rule == rowkey.Modulo {
				at := l.inputs(&f.FieldInfo)[0]
				step := uint64(1)
				if at.Time.Step > 0 && at.Time.Step < time.Second {
					step = uint64(time.Second / at.Time.Step)
				}
				l.say(f.Name, l.otherInput(f), "time-modulo", f.Name, at.Name, f.Count, f.Count/gcd(step, f.Count))
			}
		}
	},
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

var numberModulo = Rule{
	Name: "number-modulo", Severity: Note,
	Sees:   "A bucket is a number modulo the number of buckets.",
	Hurts:  "Writers that step by n use 16/gcd(n, 16) of 16 buckets: numbers that are handed out in tens use 8.",
	Mend:   "The default rule, a hash: [salt16(order)].",
	Ignore: "The numbers step by one, or the rule is that of a table that exists.",
	Settle: "A thousand rows through rowkey simulate: numbers that step by n leave buckets empty.",
	Fires:  []string{`[salt16(order) modulo][order:8]`},
	Quiet:  []string{`[salt16(order)][order:8]`},
	check: func(l *layout) {
		for i := range l.stored {
			if f := &l.stored[i]; f.Computed.Rule == rowkey.Modulo && !l.onlyTimes(f) {
				by := f.Computed.Inputs[0]
				l.say(f.Name, l.saltBy(f, f.Count, by), "number-modulo", f.Name, by, f.Count, f.Count, f.Count)
			}
		}
	},
}

var oneBucket = Rule{
	Name: "one-bucket", Severity: Error,
	Sees:   "A salt has one bucket.",
	Hurts:  "It is one byte of every key, 00, and spreads nothing: 10⁹ cells carry 1 GB of it.",
	Mend:   "Leave it out.",
	Ignore: "Never.",
	Fires:  []string{`[salt1(uid)][uid]`},
	Quiet:  []string{`[salt2(uid)][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "salt" && f.Count == 1 {
				l.say(f.Name, l.with(&f, ""), "one-bucket", f.Name)
			}
		}
	},
}

var saltAndHash = Rule{
	Name: "salt-and-hash", Severity: Warning,
	Sees:   "A salt and a hash stand before the first field.",
	Hurts:  "Both spread the rows, and one is enough: the other costs its bytes in every cell, and a question that leaves it open its ranges.",
	Mend:   "The hash alone: [md5.hex(4)(uid)][uid]. Its first two characters are 256 buckets.",
	Ignore: "The table exists.",
	Fires:  []string{`[salt16(uid)][md5.hex(4)(uid)][uid]`},
	Quiet:  []string{`[md5.hex(4)(uid)][uid]`, `[salt16(uid)][uid]['_'][md5.raw(4)(uid)]`},
	check: func(l *layout) {
		var salt, hash *field
		for i := range l.stored {
			f := &l.stored[i]
			if !f.Derived {
				break
			}
			switch {
			case f.Kind == "salt" && salt == nil:
				salt = f
			case f.Kind == "hash" && hash == nil:
				hash = f
			}
		}
		if salt != nil && hash != nil {
			l.say(salt.Name, l.with(salt, ""), "salt-and-hash", salt.Name, hash.Name)
		}
	},
}

var wideSalt = Rule{
	Name: "wide-salt", Severity: Note,
	Sees:   "A salt takes three bytes or more beyond what its buckets need.",
	Hurts:  "[salt8(uid) width(8)] is seven bytes of 00 in every key: of 10⁹ cells 7 GB.",
	Mend:   "One byte: [salt8(uid)].",
	Ignore: "The bytes are those of a Java program, which wrote a long.",
	Fires:  []string{`[salt8(uid) width(8)][uid]`},
	Quiet:  []string{`[salt8(uid)][uid]`, `[salt100(uid) digits(3)][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "salt" && f.Size >= bytesFor(f.Count-1)+3 {
				l.say(f.Name, l.replaced(&f, fmt.Sprintf("[salt%d(%s)]", f.Count, strings.Join(f.Computed.Inputs, ",")), widths.ReplaceAllString(f.Notation, "")), "wide-salt", f.Name, f.Size, f.Count, bytesFor(f.Count-1))
			}
		}
	},
}

var widths = pattern.New(` (width|digits)\([0-9]+\)`)

// bytesFor is how many bytes a number needs, at least one.
func bytesFor(n uint64) int {
	size := 1
	for n >>= 8; n > 0; n >>= 8 {
		size++
	}
	return size
}

var refusingSalt = Rule{
	Name: "salt-refuses-a-value", Severity: Warning,
	Sees:   "A salt by Math.abs(hashCode()) or HBaseWD's hash.",
	Hurts:  "Math.abs of −2³¹ is negative: for the id polygenelubricants the bucket is −48 of 100, a key that no reader of buckets 0 to 99 finds. Here such a value is refused.",
	Mend:   "Of 2, 4, 8, 16 … buckets javahashmodabs or phoenixhash, which write the same keys. Else, for a new table, the default rule, or javahashfloor.",
	Ignore: "The table exists, and its writer does the same.",
	Fires:  []string{`[salt100(uid) javahashabs][uid]`, `[salt16(rest()) hbasewdhash][uid]`},
	Quiet:  []string{`[salt100(uid) javahashfloor][uid]`, `[salt100(uid)][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if rule := digest.Rule(f.Computed.Rule); rule.Refuses() {
				same := strings.Replace(f.Notation, " "+rule.String(), " "+rule.Whole(f.Count).String(), 1)
				try := l.mended(l.notation(map[int]string{f.at: same}))
				l.say(f.Name, cmp.Or(try, l.replaced(&f, strings.Replace(f.Notation, "javahashabs", "javahashfloor", 1), strings.Replace(f.Notation, " hbasewdhash", "", 1))), "salt-refuses", f.Name)
			}
		}
	},
}

var saltRegions = Rule{
	Name: "buckets-and-regions", Severity: Warning,
	Sees:   "The number of regions neither divides the buckets of the leading salt nor is a multiple of them.",
	Hurts:  "Of 16 buckets in 10 regions, 6 regions have two buckets and 4 have one: some take twice the writes of others.",
	Mend:   "As many regions as buckets, or half, or twice as many.",
	Ignore: "The balancer evens it out over many tables.",
	Fires:  []string{`[salt16(uid)][uid]`},
	Quiet:  []string{`[uid]`},
	check: func(l *layout) {
		f := &l.stored[0]
		if n := uint64(l.Regions); f.Kind == "salt" && n > 1 && f.Count%n != 0 && n%f.Count != 0 {
			l.say(f.Name, l.replaced(f, strings.Replace(f.Notation, fmt.Sprintf("salt%d", f.Count), fmt.Sprintf("salt%d", n), 1)), "uneven-regions", n, f.Count)
		}
	},
}

var inputNotStored = Rule{
	Name: "input-not-in-key", Severity: Warning,
	Sees:   "A salt or a hash is computed from a field that the key does not hold.",
	Hurts:  "Only who knows the field finds the row, and of a key in a log nobody can check whether its hash is right.",
	Mend:   "Store the field: [md5.hex(6)(uid)][uid]….",
	Ignore: "The field is to be hidden, and every reader has it.",
	Settle: "The questions: if each of them names the input, it is meant so.",
	Fires:  []string{`[md5.raw(16)(uid)][uid notstored][ms(at)]`},
	Quiet:  []string{`[md5.raw(16)(uid)][uid]['_'][ms(at)]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			for _, in := range l.inputs(&f.FieldInfo) {
				if !l.kept(&in) {
					l.say(f.Name, l.storing(&in), "input-not-in-key", f.Name, in.Name, in.Name)
				}
			}
		}
	},
}

// storing is the layout with a field in the key that stood for a hash only.
func (l *layout) storing(in *rowkey.FieldInfo) string {
	for i := range l.all {
		if l.all[i].Name == in.Name {
			f := &field{FieldInfo: l.all[i], at: i}
			text := strings.Replace(f.Notation, " notstored", "", 1)
			return l.replaced(f, text, text+`['\x00']`)
		}
	}
	return ""
}

var digestPart = pattern.New(`\[(md5|sha1|sha256|sha512|murmur3|crc32)\.[a-z]+\([0-9,]+\)`)

var hashCollides = Rule{
	Name: "hash-collides", Severity: Error,
	Sees:   "A short hash stands for a field that the key does not hold.",
	Hurts:  "Two values of one hash are one row, and one overwrites the other: of 80,000 values in 32 bits, more likely than not two.",
	Mend:   "128 bits: [md5.raw(16)(uid)]. Or the field after the hash.",
	Ignore: "Never, if the number of rows is right.",
	Settle: "How many rows the table will hold: --rows.",
	Fires:  []string{`[md5.raw(4)(uid)][uid notstored]['x'][w]`},
	Quiet:  []string{`[md5.raw(16)(uid)][uid notstored]['x'][w]`, `[md5.raw(4)(uid)][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			hidden := l.hidden(&f.FieldInfo)
			if f.Kind != "hash" || hidden == "" {
				continue
			}
			pairs := l.Rows * (l.Rows - 1) / math.Pow(2, float64(f.Computed.Bits)+1)
			if l.Rows > 0 && pairs > 0.01 || l.Rows == 0 && f.Computed.Bits < 96 {
				l.say(f.Name, l.replaced(&f, digestPart.ReplaceAllString(f.Notation, "[md5.raw(16)")), "hash-collides", f.Name, f.Computed.Bits, hidden, fmt.Sprintf("%.2g", 1.18*math.Pow(2, float64(f.Computed.Bits)/2)))
			}
		}
	},
}

var hashLong = Rule{
	Name: "hash-long", Severity: Note,
	Sees:   "A hash of more than 32 bits before the field that it is computed from.",
	Hurts:  "The field itself tells the rows apart, so the hash has only to spread them: 2 bytes are 65,536 places, 16 bytes cost 14 GB more in 10⁹ cells.",
	Mend:   "Two bytes of the hash: [md5.raw(2)(id)][id].",
	Ignore: "The table exists, or the hash is used elsewhere.",
	Fires:  []string{`[md5.raw(16)(id)][id]`, `[sha1.hex(40)(id)][id]`},
	Quiet:  []string{`[md5.raw(2)(id)][id]`, `[md5.hex(4)(id)][id]`, `[md5.raw(16)(id)][id notstored]['_'][w]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "hash" && l.hidden(&f.FieldInfo) == "" && f.Computed.Bits > 32 {
				l.say(f.Name, l.replaced(&f, digestPart.ReplaceAllString(f.Notation, "[$1.raw(2)")), "hash-long", f.Name, f.Size, strings.Join(f.Computed.Inputs, " and "))
			}
		}
	},
}

// numberText is what the notation says of a number that the key holds as text.
var numberText = pattern.New(` (?:hex)?digits\(| decimal\b`)

// saidBytes is an input that says which bytes of its number are meant.
var saidBytes = pattern.New(`\((?:stored|text|format)\(|\(values\([^,()]+\)\)|\(rest\(\)\)`)

var numberHash = Rule{
	Name: "hash-of-number-bytes", Severity: Warning,
	Sees:   "A number is kept as text, and a salt, or a hash of several fields, is computed over its bytes.",
	Hurts:  "A writer in another language hashes the text that it stores: md5 of \"0000010086\" begins with 7a70, md5 of the 8 bytes with c25c. Its keys are not found.",
	Mend:   "Say which is meant. stored(uid) is the text in the key, text(uid) the number as String.valueOf writes it, values(uid) its bytes: [salt16(text(uid))][uid:8 digits(10)].",
	Ignore: "All writers and readers use this schema.",
	Settle: "One key of the table, with its values, in sample(…).",
	Fires:  []string{`[salt16(uid)][uid:8 digits(10)]`, `[salt16(id)][id:8 hexdigits(16)]`, `[sha1.hex(4)(values(uid,n))][uid:8 decimal]['_'][ms(at)][n:2]`},
	Quiet:  []string{`[salt16(values(uid))][uid:8 digits(10)]`, `[salt16(text(uid))][uid:8 digits(10)]`, `[md5.hex(4)(stored(uid))][uid:8 digits(10)]`, `[md5.hex(4)(values(uid))][uid:8 digits(10)]`, `[salt16(uid)][uid:8]`, `[salt16(uid) modulo][uid:8 digits(10)]`, `[salt16(uid)][uid]`},
	check: func(l *layout) {
		for i := range l.stored {
			f := &l.stored[i]
			if !f.Derived || f.Computed.Rule == rowkey.Modulo || saidBytes.MatchString(f.Notation) {
				continue
			}
			for _, in := range l.inputs(&f.FieldInfo) {
				if in.Kind != "uint" && in.Kind != "int" && in.Kind != "time" || !numberText.MatchString(in.Notation) {
					continue
				}
				severity, size := Warning, in.Bytes
				if f.Kind == "salt" {
					severity = Note
				}
				if in.Kind == "time" {
					size = 8
				}
				try := ""
				for _, form := range []string{"stored", "text"} {
					if try == "" {
						try = l.replaced(f, strings.Replace(f.Notation, "("+in.Name+")", "("+form+"("+in.Name+"))", 1))
					}
				}
				l.sayAs(severity, f.Name, try, "number-hash", f.Name, size, in.Name)
				break
			}
		}
	},
}

var randomSuffix = Rule{
	Name: "random-behind", Severity: Warning,
	Sees:   "A random number, by its name, stands after other fields.",
	Hurts:  "After another field it spreads nothing, and who wants one row does not know it: [user:8][random:1 below(100)] costs 100 gets.",
	Mend:   "Leave it out; if it was to spread the rows, a leading salt does.",
	Ignore: "It tells rows apart that nothing else does; a sequence does that, too, and can be known.",
	Settle: "A hundred values of the field: numbers that mean something are no random suffix.",
	Fires:  []string{`[user:8][order:8][random:1 below(100)]`},
	Quiet:  []string{`[user:8][order:8]`, `[random:1 below(100)][order:8]`},
	check: func(l *layout) {
		for i, f := range l.stored {
			if i > 0 && !f.Derived && randomName.MatchString(f.Name) {
				l.say(f.Name, l.with(&f, ""), "random-suffix", f.Name, l.stored[i-1].Name)
			}
		}
	},
}

var reversedTime = Rule{
	Name: "reversed-time", Severity: Error,
	Sees:   "The digits or bytes of a time are reversed.",
	Hurts:  "That scatters the rows, and no span of time is a range any more: 20230516102030 is stored as 03020161503202, and a day lies all over the table.",
	Mend:   "Newest first is the largest time less this one: [max-ms(at)].",
	Ignore: "The rows are to be scattered, and no question has a span of time.",
	Settle: "A question of an interval on the time: with one, the order is needed.",
	Fires:  []string{`[layout("20060102150405",UTC)(at) reverse]['_'][uid]`, `[uid:8][ms(at) digits(13) reverse]`},
	Quiet:  []string{`[uid:8][max-ms(at)]`, `[uid reverse]['_'][ms(at)]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "time" && f.Reversed {
				l.say(f.Name, l.replaced(&f, reversal.ReplaceAllString(f.Notation, "")), "reversed-time", f.Name)
			}
		}
	},
}

var reversal = pattern.New(` reverse[a-z]*(\([^)]*\))?`)

var padUnordered = Rule{
	Name: "pad-unordered", Severity: Warning,
	Sees:   "Text is filled up with a byte that sorts among its own.",
	Hurts:  "host1 filled with x sorts after host12, and on the left ab after b: intervals of the field are no ranges.",
	Mend:   "Fill with blanks or 00 on the right: pad(20,' ').",
	Ignore: "No question has an interval of the field.",
	Settle: "A question of an interval on the field; or its values, if all of them sort above the pad: chars(…) says so.",
	Fires:  []string{`[host pad(20,'x')][ms(at)]`, `[host padleft(20,'0')][ms(at)]`},
	Quiet:  []string{`[host pad(20,'\x00')][ms(at)]`, `[host fixed(20)][ms(at)]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			text := f.Kind == "string" || f.Kind == "binary"
			if text && !f.Derived && f.Size > 0 && f.Order == rowkey.Unordered && !f.Reversed && f.Count == 0 && f.Pad != "" {
				l.say(f.Name, l.replaced(&f, padding.ReplaceAllString(f.Notation, ` pad($1,'\x00')`)), "pad-unordered", f.Name)
			}
		}
	},
}

var padding = pattern.New(` pad(?:left)?\(([0-9]+),'[^']*'\)`)

var loose = Rule{
	Name: "loose", Severity: Note,
	Sees:   "A field is Loose.",
	Hurts:  "Two rows can be one key: a_b and c is a and b_c, as a_b_c.",
	Mend:   "For a new table a separator that no value holds: ['\\x00'].",
	Ignore: "The table exists.",
	Fires:  []string{`[a loose]['_'][b]`},
	Quiet:  []string{`[a]['_'][b]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Loose {
				try := ""
				if f.end != "" {
					try = l.tried(l.notation(map[int]string{f.at: strings.Replace(f.Notation, " loose", "", 1), f.at + 1: `['\x00']`}))
				}
				l.say(f.Name, try, "loose", f.Name)
			}
		}
	},
}

var status = Rule{
	Name: "status-in-key", Severity: Note,
	Sees:   "A status, by its name, stands in the key.",
	Hurts:  "A key cannot be changed: each change of status is a delete and a put, two rows in two places, and a reader can meet both or none.",
	Mend:   "A column; or an index table of the status.",
	Ignore: "It never changes.",
	Settle: "Two dumps of one row, a week apart: whether its status has changed.",
	Fires:  []string{`[uid]['-'][status:1 below(5)]`},
	Quiet:  []string{`[uid]['-'][kind:1 below(5)]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if !f.Derived && f.Count > 0 && f.Count <= 256 && statusName.MatchString(f.Name) {
				l.say(f.Name, l.without(&f), "status", f.Name)
			}
		}
	},
}

// without is the layout without a field and its end; if it was the last one, without the end of
// the field before it, too.
func (l *layout) without(f *field) string {
	instead := map[int]string{f.at: ""}
	if f.end != "" {
		instead[f.at+1] = ""
	}
	if f.at == len(l.all)-1 && f.at > 0 && l.all[f.at-1].Kind == "literal" {
		instead[f.at-1] = ""
	}
	return l.tried(l.notation(instead))
}

// pairNames are the names of two ends of one thing.
var pairNames = [][2]string{{"from", "to"}, {"sender", "receiver"}, {"src", "dst"}, {"source", "target"}, {"caller", "callee"}}

var onePair = Rule{
	Name: "one-sided-pair", Severity: Note,
	Sees:   "Two ends of one thing stand in the key, and the salt is of one of them.",
	Hurts:  "What anna sent to bob and bob to anna lies in two places: a conversation is two scans.",
	Mend:   "A salt and a lead of both, whichever comes first: [salt16(minmax(from,to))].",
	Ignore: "Only one direction is asked for.",
	Settle: "The questions: whether both directions are asked for together.",
	Fires:  []string{`[salt16(from)][from]['_'][to]['_'][ms(at)]`},
	Quiet:  []string{`[salt16(minmax(from,to))][from]['_'][to]['_'][ms(at)]`, `[from]['_'][ms(at)]`},
	check: func(l *layout) {
		for _, pair := range pairNames {
			a, b := l.byName[pair[0]], l.byName[pair[1]]
			f := &l.stored[0]
			if a.Stored && b.Stored && (len(f.Computed.Inputs) == 1 && (f.Computed.Inputs[0] == pair[0] || f.Computed.Inputs[0] == pair[1]) || f.Name == pair[0] || f.Name == pair[1]) {
				salt := fmt.Sprintf("[salt16(minmax(%s,%s))]", pair[0], pair[1])
				try := l.with(f, salt)
				if !f.Derived {
					try = l.tried(salt + l.notation(nil))
				}
				l.say(f.Name, try, "one-sided-pair", pair[0], pair[1])
			}
		}
	},
}

var endsSoon = Rule{
	Name: "ends-soon", Severity: Warning,
	Sees:   "The last time that a field can hold lies before the year 2100.",
	Hurts:  "Then no row can be written: seconds in 4 bytes, descending, end on 2038-01-19, as 7fffffff less the time is 0.",
	Mend:   "A byte more: [s(at) width(5) desc] lasts 17,000 years. Years(first, last) with a later last.",
	Ignore: "The table is gone by then.",
	Fires:  []string{`[uid:8][s(at) width(4) desc]`, `[uid:8][layout("20060102",UTC)(day) years(2000,2040)]`},
	Quiet:  []string{`[uid:8][s(at) width(5) desc]`, `[uid:8][s(at) width(4)]`, `[uid:8][ms(at)]`},
	check: func(l *layout) {
		end := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, f := range l.stored {
			if f.Kind == "time" && f.Time.Last.Before(end) && f.Time.Last.Sub(f.Time.First) > 400*24*time.Hour {
				wider := strings.Replace(f.Notation, "width(4)", "width(5)", 1)
				try := l.replaced(&f, wider, lastYear.ReplaceAllString(f.Notation, "years($1,2200)"), lastYear.ReplaceAllString(wider, "years($1,2200)"))
				l.say(f.Name, try, "ends-soon", f.Name, f.Time.Last.UTC().Format(time.DateOnly))
			}
		}
	},
}

var lastYear = pattern.New(`years\(([0-9]+),[0-9]+\)`)

var wideNumber = Rule{
	Name: "wide-number", Severity: Note,
	Sees:   "A number takes three bytes or more beyond what its largest value needs.",
	Hurts:  "[minute:8 below(1440)] is six bytes of 00 in every key: of 10⁹ cells 6 GB.",
	Mend:   "As many bytes as the largest value needs: [minute:2 below(1440)].",
	Ignore: "The bytes are those of a Java program, which wrote a long; or the values will grow.",
	Settle: "A sample of rows through rowkey simulate, which reports the largest value that came.",
	Fires:  []string{`[minute:8 below(1440)][uid]`},
	Quiet:  []string{`[minute:2 below(1440)][uid]`, `[n:8][uid]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "uint" && f.Size == f.Bytes && f.Count > 0 && f.Size >= bytesFor(f.Most)+3 {
				try := l.with(&f, strings.Replace(f.Notation, fmt.Sprintf(":%d", f.Bytes), fmt.Sprintf(":%d", bytesFor(f.Most)), 1))
				l.say(f.Name, try, "wide-number", f.Name, f.Size, f.Most, bytesFor(f.Most))
			}
		}
	},
}

var textForBytes = Rule{
	Name: "text-for-bytes", Severity: Note,
	Sees:   "36 characters, which a UUID has, or 32, which a UUID or MD5 has in hexadecimal.",
	Hurts:  "A UUID is 16 bytes: as text it costs 20 GB more in 10⁹ cells.",
	Mend:   "A field of UUIDs: [id uuid] takes the same 36 characters and stores 16 bytes, in the same order.",
	Ignore: "People read the keys, or the table exists.",
	Settle: "Ten values: whether they are UUIDs.",
	Fires:  []string{`[id fixed(36)]['_'][ms(at)]`},
	Quiet:  []string{`[id uuid][ms(at)]`, `[id fixed(20)][ms(at)]`},
	check: func(l *layout) {
		for _, f := range l.stored {
			if f.Kind == "string" && !f.Derived && (f.Size == 36 || f.Size == 32) {
				old := fmt.Sprintf(" fixed(%d)", f.Size)
				try := l.with(&f, strings.Replace(f.Notation, old, " uuid", 1))
				if f.Size == 32 {
					try = l.with(&f, strings.Replace(f.Notation, old, ":bytes fixed(16)", 1))
				}
				l.say(f.Name, try, "text-for-bytes", f.Name, f.Size)
			}
		}
	},
}

var longKey = Rule{
	Name: "long-key", Severity: Warning,
	Sees:   "Keys of more than 100 bytes.",
	Hurts:  "HBase repeats the key in every cell: 200 bytes are 200 GB in 10⁹ cells, before compression.",
	Mend:   "A hash in place of a long text, which stands in a column: [md5.raw(16)(url)][url notstored].",
	Ignore: "A row has one cell, and the key is its content.",
	Settle: "A sample of rows through rowkey simulate, which counts a cell with PREFIX and FAST_DIFF.",
	Fires:  []string{`[url pad(200,'\x00')][ms(at)]`},
	Quiet:  []string{`[url]['\x00'][ms(at)]`},
	check: func(l *layout) {
		size := 0
		longest := &field{}
		for i := range l.stored {
			size += l.stored[i].Size + len(l.stored[i].end)
			if f := &l.stored[i]; !f.Derived && f.Size > longest.Size {
				longest = f
			}
		}
		if size > 100 {
			try := l.replaced(longest, fmt.Sprintf("[md5.raw(16)(%s)][%[1]s notstored]", longest.Name))
			l.say("", try, "long-key", size, size)
		}
	},
}

var notUnique = Rule{
	Name: "not-unique", Severity: Note,
	Sees:   "The key ends with a time, and no field, as far as its name and type say, tells two rows of one moment apart.",
	Hurts:  "The second of two rows with equal keys overwrites the first: two orders of one seller in one millisecond are one row.",
	Mend:   "What tells them apart after the time: [seller]['_'][max-ms(at)][order:8].",
	Ignore: "One row for each moment is meant; or a field before it is unique.",
	Settle: "A day of rows through rowkey simulate, which reports how many have the key of an earlier one.",
	Fires:  []string{`[seller]['_'][max-ms(at)]`, `[salt16(seller)][seller]['_'][ms(at)]`, `[uid:8][ts:8]`},
	Quiet: []string{`[seller]['_'][max-ms(at)][order:8]`, `[ms(at)]['_'][seller]`, `[id uuid][ms(at)]`, `[trace_id]['_'][ms(at)]`, `[device]['_'][ms(at)]`,
		`[uid]['-'][layout("20060102",UTC)(day)]`},
	check: func(l *layout) {
		f := &l.stored[len(l.stored)-1]
		if rises(&f.FieldInfo) != names.Moment || len(l.stored) < 2 || slices.ContainsFunc(l.stored, unique) || l.slotsAndTimes() {
			return
		}
		end := ""
		if f.end == "" && f.Size == 0 {
			end = `['\x00']`
		}
		l.say(f.Name, l.tried(l.notation(nil)+end+"[n:2]"), "not-unique", f.Name)
	},
}

// unique reports a field each of whose values is of one row, as its type or its name says, or
// of a thing of which each moment has one row.
func unique(f field) bool {
	return !f.Derived && f.Kind != "time" && (strings.Contains(f.Notation, " uuid") || names.One(f.Name) || names.Measured(f.Name))
}

var slotAndTime = Rule{
	Name: "slot-and-time", Severity: Error,
	Sees:   "The key holds a time and fields of few values, and nothing else.",
	Hurts:  "Rows of one slot and one moment are one row: 10,000 rows a second, in random ones of 65,536 slots and milliseconds, lose about 59,000 a day.",
	Mend:   "What tells the rows apart: [slot:2][ms(at)][id:8].",
	Ignore: "One writer counts the slots in turn, and writes fewer rows than slots in a unit.",
	Settle: "A day of rows through rowkey simulate, which reports how many have the key of an earlier one.",
	Fires:  []string{`[slot:2 below(60000)][ms(at)]`},
	Quiet:  []string{`[slot:2][ms(at)][id:8]`, `[id:8][ms(at)]`},
	check: func(l *layout) {
		if l.slotsAndTimes() && !l.stored[0].Derived {
			l.say(l.stored[len(l.stored)-1].Name, l.tried(l.notation(nil)+"[id:8]"), "slot-and-time")
		}
	},
}

// slotsAndTimes reports that the key holds a time and fields of few values, and nothing else.
func (l *layout) slotsAndTimes() bool {
	times, slots := 0, 0
	for _, f := range l.stored {
		switch {
		case f.Kind == "time":
			times++
		case f.Derived:
		case f.Count == 0 || f.Count > 1<<16 || names.Measured(f.Name) || names.One(f.Name) && !f.Slot:
			return false
		default:
			slots++
		}
	}
	return times > 0 && slots > 0
}

var fullScan = Rule{
	Name: "question-full-scan", Severity: Error,
	Sees:   "A question that the layout cannot answer by ranges.",
	Hurts:  "It reads the whole table, every row of it, for whatever few it wants.",
	Mend:   "A layout that begins with what the question knows; or an index table of it: [phone][uid].",
	Ignore: "A job that runs at night: say FullScan().",
	check: func(l *layout) {
		for _, q := range l.plans {
			var e *rowkey.Error
			switch {
			case errors.Is(q.err, rowkey.ErrField) && errors.As(q.err, &e):
				l.say(e.Field, l.index(e.Field), "question-lacks", q.Name, e.Field)
			case q.err != nil:
				l.say("", l.answering(&q, func(*rowkey.Plan) bool { return true }), "question-refused", q.Name, reason(q.err))
			}
		}
	},
}

// reason is an error without the name of its schema, and without the permission
// that a program can give.
func reason(err error) string {
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := strings.Replace(e.Err.Error(), ", FullScan() permits it", "", 1)
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	return text
}

var emptyQuestion = Rule{
	Name: "question-empty", Severity: Warning,
	Sees:   "A question that no row can satisfy, such as a value that its field cannot hold.",
	Hurts:  "It reads nothing, whatever the layout: what it costs is not known.",
	Mend:   "Values that a row can have.",
	Ignore: "Never.",
	check: func(l *layout) {
		for _, q := range l.plans {
			if q.err == nil && q.plan.Len() == 0 {
				l.say("", "", "question-empty", q.Name)
			}
		}
	},
}

var manyRanges = Rule{
	Name: "question-many-ranges", Severity: Note,
	Sees:   "A question that reads several ranges, since it leaves a leading salt or slot open.",
	Hurts:  "Each range is a scan of its own: 16 buckets are 16 calls for the first row. From 64 on this is an error.",
	Mend:   "A salt of a field that the question names.",
	Ignore: "Each range holds many of the rows wanted, and they are read at the same time.",
	Settle: "The question and a day of rows through rowkey simulate: rows in each range.",
	check: func(l *layout) {
		for _, q := range l.plans {
			if q.err != nil || q.plan.Len() < 2 {
				continue
			}
			severity := Note
			if q.plan.Len() >= 64 {
				severity = Error
			}
			few := max(q.plan.Len()/2, 1)
			l.sayAs(severity, "", l.answering(&q, func(p *rowkey.Plan) bool { return p.Len() <= few }), "question-ranges", q.Name, q.plan.Len())
		}
	},
}

var readsMore = Rule{
	Name: "question-reads-more", Severity: Warning,
	Sees:   "A question whose ranges hold rows that it does not want.",
	Hurts:  "They are read, sent and thrown away: with [device][sensor][ms(at)], a day of one device reads all its days.",
	Mend:   "The field with the interval after all that are known: [device][ms(at)][sensor].",
	Ignore: "The fields between have few values.",
	Settle: "The question and a day of rows through rowkey simulate: rows read against rows wanted.",
	check: func(l *layout) {
		for _, q := range l.plans {
			if q.err == nil && !q.plan.Exact() {
				l.say("", l.answering(&q, func(p *rowkey.Plan) bool { return p.Exact() && p.Len() <= max(q.plan.Len(), 16) }), "question-reads-more", q.Name)
			}
		}
	},
}

var oldestFirst = Rule{
	Name: "oldest-first", Severity: Note,
	Sees:   "A question wants the newest rows first, and the time is stored as it rises.",
	Hurts:  "It is a reversed scan, which HBase reads more slowly: blocks are read forward, and each row is sought anew.",
	Mend:   "The largest time less this one: [uid:8][max-ms(at)].",
	Ignore: "Spans, oldest first, are asked for as often.",
	check: func(l *layout) {
		for _, q := range l.plans {
			if !q.Newest {
				continue
			}
			for _, f := range l.stored {
				if f.Kind == "time" && !f.Derived && f.Order == rowkey.Forward {
					l.say(f.Name, l.newest(&f), "oldest-first", q.Name, f.Name)
					break
				}
			}
		}
	},
}

// newest is the layout with a time stored newest first.
func (l *layout) newest(f *field) string {
	return l.replaced(f, timeUnit.ReplaceAllString(f.Notation, "[max-$1("), strings.TrimSuffix(f.Notation, "]")+" desc]")
}

var timeUnit = pattern.New(`^\[(ns|us|ms|s)\(`)

var lindormFirst = Rule{
	Name: "lindorm-first-column", Severity: Note,
	Sees:   "On Lindorm, a time, a sequence or a field of few values comes first.",
	Hurts:  "Lindorm's own advice for primary keys is against it, as it makes a hot spot.",
	Mend:   "Another field first, or a salt.",
	Ignore: "As for rising-first-field and few-first-values.",
	check: func(l *layout) {
		f := &l.stored[0]
		if l.Lindorm && (rises(&f.FieldInfo) != names.Level || few(&f.FieldInfo)) {
			l.say(f.Name, l.salted(), "lindorm-first", f.Name)
		}
	},
}
