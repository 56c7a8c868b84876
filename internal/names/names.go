// Package names has what people call the fields of row keys, and what a name says of the
// values: that they rise, that they are few, that each is of one row. Package draft reads
// designs by it, package advice checks layouts by it. It knows no schema. A name is no proof:
// who asks says so.
package names

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// Words are the words of a name, in lower case: create_time and createTime are two.
func Words(name string) (words []string) {
	from, before := 0, rune(0)
	for i, r := range name + "_" {
		parts := r == '_' || r == '-' || r == '.'
		if (parts || unicode.IsUpper(r) && unicode.IsLower(before)) && i > from {
			words = append(words, strings.ToLower(name[from:i]))
			from = i
		}
		if parts {
			from = i + 1
		}
		before = r
	}
	return words
}

// Last is the last of its words.
func Last(name string) string {
	words := Words(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// Time reports that a field of this name is taken for a time.
func Time(name string) bool {
	return slices.Contains([]string{"ts", "time", "timestamp", "millis", "at", "datetime"}, Last(name)) ||
		strings.HasSuffix(strings.Join(Words(name), ""), "timestamp") || strings.HasSuffix(name, "时间") || strings.HasSuffix(name, "时间戳")
}

// Backward reports that a field of this name is taken for a time that runs backward.
func Backward(name string) bool {
	all := strings.Join(Words(name), "")
	for _, prefix := range []string{"rev", "reverse", "reversed", "inv", "inverted", "desc", "max"} {
		switch tail, ok := strings.CutPrefix(all, prefix); {
		case ok && (tail == "ts" || tail == "time" || tail == "timestamp"):
			return true
		}
	}
	return all == "rts"
}

// Date reports that a field of this name is taken for a day.
func Date(name string) bool {
	return slices.Contains([]string{"date", "day", "dt"}, Last(name)) || strings.HasSuffix(name, "日期") || strings.HasSuffix(name, "年月日")
}

// Rise is how the values of a field rise from row to row, as far as its name says.
type Rise int

const (
	Level   Rise = iota // nothing says that they rise
	Perhaps             // the number of an order, a message: often counted up, or drawn
	Counted             // a sequence, or an id that begins with a time
	Moment              // a time
	Day                 // a day
)

// Rising is what a name says of the way in which values rise.
func Rising(name string) Rise {
	all := strings.Join(Words(name), "")
	switch {
	case Date(name):
		return Day
	case Time(name), Backward(name), moments.MatchString(all):
		return Moment
	case counted.MatchString(all), countedLast[Last(name)], countedChinese.MatchString(name):
		return Counted
	case row(name):
		return Perhaps
	}
	return Level
}

var (
	moments        = pattern.New(`^(create|created|event|update|updated|log|record|order|pay|start|end|insert|send|report|collect)(time|at|ts|date)$|^(created|updated|modified)(on)?$|^(epoch(ms|millis|seconds|sec)?|unixtime|millisecond(s)?|timems|tsms|gmtcreate|gmtmodified)$|毫秒数?$`)
	counted        = pattern.New(`^(auto(inc(rement)?)?id|autoinc(rement)?|snowflake(id)?|ulid|uuidv?[167]|ksuid|objectid|increment(id)?|rownum(ber)?|no|num|number)$|(seq(uence)?|serial)(no|num|number|id)$`)
	countedLast    = map[string]bool{"seq": true, "sequence": true, "serial": true, "counter": true, "offset": true, "seqno": true, "autoinc": true}
	countedChinese = pattern.New(`自增|流水|序列号|序号|雪花|递增`)
)

// rowWords are things of which each has a row, and rowEnds what such a row's number is called.
var (
	rowWords   = pattern.New(`^(order|trade|bill|pay|payment|msg|message|event|log|txn?|trans|transaction|request|req|trace|span|ticket|invoice|record|refund|waybill|tracking)$`)
	rowEnds    = pattern.New(`^(id|no|num|number|sn|code)$`)
	rowOne     = pattern.New(`^(order|trade|msg|message|log|txn?|trans|transaction|request|trace|record|payment)(id|no|num|number|sn)$`)
	rowChinese = pattern.New(`(订单|交易|消息|日志|事件|支付|记录|运|工|账|退款)(单)?(号|ID|Id|id|编号)$`)
)

// row reports a name of one row's number.
func row(name string) bool {
	words := Words(name)
	n := len(words)
	return n >= 2 && rowWords.MatchString(words[n-2]) && rowEnds.MatchString(words[n-1]) || n > 0 && rowOne.MatchString(words[n-1]) || rowChinese.MatchString(name)
}

// One reports a name whose values are each of one row, so that a key that holds it is unique.
func One(name string) bool {
	all := strings.Join(Words(name), "")
	return Rising(name) == Counted || Rising(name) == Perhaps || ones.MatchString(all) || slices.Contains([]string{"n", "nonce", "rand", "random", "rnd"}, Last(name))
}

var ones = pattern.New(`^(id|order|trade|message|msg|trace|request|transaction|txid|txn|rowid)$|uuid|guid|编号$|^主键`)

// Measured reports a thing that is measured: each moment has one row.
func Measured(name string) bool { return measured.MatchString(strings.Join(Words(name), "")) }

var measured = pattern.New(`^(device|sensor|meter|metric|vin|vehicle|car|gauge|station|probe|equipment|machine|symbol|stock|ticker|imei|imsi|tag|point|series|dev|plc|turbine|battery)(id|no|code|uid|sn|name|num)?$|设备|传感器|车辆|电表|水表|测点|终端|机台|站点|股票`)

// Few reports a name whose values are few.
func Few(name string) bool {
	return few[Last(name)] || fewChinese.MatchString(name)
}

var (
	few = map[string]bool{"type": true, "kind": true, "status": true, "state": true, "flag": true, "level": true, "gender": true, "sex": true, "env": true, "category": true, "platform": true,
		"channel": true, "country": true, "province": true, "region": true, "os": true, "severity": true, "priority": true, "role": true, "grade": true, "topic": true}
	fewChinese = pattern.New(`(类型|状态|级别|等级|性别|类别|平台|渠道|省份|国家|地区|标志)$`)
)
