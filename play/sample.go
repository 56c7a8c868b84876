package play

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// samplesOf are values of a field to begin with, the likeliest first; there is at least one. Which
// of them the schema takes is found by writing a key.
func samplesOf(s *rowkey.Schema, f *rowkey.FieldInfo) []string {
	if list := s.Values(f.Name); len(list) > 0 {
		return list
	}
	switch f.Kind {
	case "time":
		first := f.Time.First.UTC()
		return []string{"2026-11-11T09:30:00Z", "2026-11-11", "2023-05-16T02:20:30Z", "2000-01-01", "1970-01-02", first.Add(time.Hour).Format(time.RFC3339), first.AddDate(0, 0, 1).Format(time.DateOnly)}
	case "bool":
		return []string{"true", "false"}
	case "float":
		return []string{"1.5", "0.5", "0"}
	case "uint", "int":
		return []string{"1042", "42", "7", "3", "1", "0"}
	case "binary":
		return ofAnyLength(f, "0c2a", "ab")
	}
	switch {
	case f.Numeric:
		return []string{"12.50", "42", "1"}
	case strings.Contains(f.Notation, "uuid"):
		return []string{"6f1c2b7e-8f0d-4a1e-9c55-0a7be7d1f3aa"}
	case f.Chars != "":
		c := f.Chars[len(f.Chars)/2 : len(f.Chars)/2+1]
		return ofAnyLength(f, c, c)
	case nameHas(f, "phone", "mobile", "tel"):
		return ofAnyLength(f, "13800012345", "1")
	case nameHas(f, "host"):
		return ofAnyLength(f, "web-17.example.com", "w")
	case nameHas(f, "url", "path"):
		return ofAnyLength(f, "/a/b", "a")
	case strings.EqualFold(f.Name, "ip"):
		return ofAnyLength(f, "10.0.0.42", "1")
	}
	letter := strings.ToLower(f.Name[:1])
	if letter[0] > 'z' || letter[0] < 'a' {
		letter = "a"
	}
	return append(ofAnyLength(f, letter+"-42", "x"), letter+"42")
}

func nameHas(f *rowkey.FieldInfo, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(f.Name), w) })
}

// ofAnyLength is a sample, and texts of all lengths that a field may want.
func ofAnyLength(f *rowkey.FieldInfo, first, fill string) (out []string) {
	if f.Size > len(first) && f.Size <= 256 {
		out = append(out, strings.Repeat("0", f.Size-len(first))+first)
	}
	if f.Size > 0 && f.Size <= 256 {
		out = append(out, first[:min(len(first), f.Size)], strings.Repeat(fill, f.Size))
	}
	out = append(out, first)
	for _, n := range []int{1, 2, 3, 4, 6, 8, 10, 11, 12, 16, 17, 20, 24, 32, 36, 40, 64} {
		out = append(out, strings.Repeat(fill, n))
	}
	return out
}

// usualRows is how the values of a field are made up if nobody says it, in the words of
// simulate.Describe.
func usualRows(s *rowkey.Schema, f *rowkey.FieldInfo) string {
	if list := s.Values(f.Name); len(list) > 0 {
		return "oneof(" + strings.Join(list, ", ") + ")"
	}
	few := nameHas(f, "uid", "user", "device", "shop", "seller", "buyer", "host", "account")
	switch f.Kind {
	case "time":
		return "arrives"
	case "bool":
		return "oneof(true, false)"
	case "float":
		return "uniform(1000)"
	case "uint", "int":
		most := f.Most
		if f.Count > 0 {
			most = min(most, f.Count-1)
		}
		switch {
		case most < 1<<20:
			return "uniform(" + strconv.FormatUint(most+1, 10) + ")"
		case few:
			return "zipf(1.1, 100000)"
		}
		return "counts(1000000)"
	case "binary":
		return "hex(" + strconv.Itoa(max(1, f.Size, 4*b2i(f.Size == 0))) + ")"
	}
	return usualText(s, f)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// usualText is usualRows for a text.
func usualText(s *rowkey.Schema, f *rowkey.FieldInfo) string {
	stem := strings.TrimRight(samplesOf(s, f)[0], "0123456789")
	for o := range s.Fields() {
		if o.Kind == "literal" && strings.Contains(o.Const, "-") {
			stem = strings.ReplaceAll(stem, "-", "")
		}
		if o.Computed.Source == f.Name && o.Size > 0 && f.Size == 0 { // some of its bytes are copied
			return "{uniform(10000000, 99999999)}"
		}
	}
	switch {
	case f.Numeric:
		return "uniform(100000)"
	case strings.Contains(f.Notation, "uuid"):
		return "uuid"
	case f.Size > 0 && f.Size <= 12:
		digits := min(f.Size, 4)
		return strings.Repeat("0", f.Size-digits) + "{uniform(" + strconv.Itoa(pow10(digits)) + ") pad(" + strconv.Itoa(digits) + ")}"
	case f.Size > 12:
		return strings.Repeat("x", f.Size%2) + "{hex(" + strconv.Itoa(f.Size/2) + ")}"
	case nameHas(f, "order", "trade", "message", "msg", "event", "订单", "单号", "交易", "消息", "流水"): // each row has its own
		return stemOf(stem) + "{counts(1000000)}"
	case f.Chars != "":
		return "{oneof(" + strings.Join(strings.Split(f.Chars[:min(len(f.Chars), 16)], ""), ", ") + ")}"
	}
	return stemOf(stem) + "{zipf(1.1, 100000)}"
}

// stemOf is the beginning of a text that stays: s- of s-42.
func stemOf(stem string) string {
	if len(stem) > 4 || strings.ContainsAny(stem, "{}|") {
		return ""
	}
	return stem
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}
