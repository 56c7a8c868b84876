package texts

// plan has what a printed plan says: its head, how each component is read, and why a condition is
// not decided by the ranges. The arguments are names of fields, numbers and reasons.
var plan = map[string]Text{
	"plan.whole":       {"the whole table: ", "整张表："},
	"plan.range":       {"one range", "1 个范围"},
	"plan.ranges":      {"{0} ranges", "{0} 个范围"},
	"plan.none":        {": no row can match", "：没有行能符合"},
	"plan.exact":       {", every row in them matches", "，其中每一行都符合"},
	"plan.match":       {", Match decides", "，还要逐行判断"},
	"plan.last-first":  {", last key first", "，从最后一个 key 读起"},
	"plan.most-one":    {", one row at most", "，最多 1 行"},
	"plan.most":        {", {0} rows at most", "，最多 {0} 行"},
	"plan.more":        {"and {0} more", "还有 {0} 个"},
	"plan.zero":        {"the zero Plan: 0 ranges: no row can match", "零值 Plan：0 个范围：没有行能符合"},
	"plan.value":       {"one value", "1 个值"},
	"plan.values":      {"{0} values", "{0} 个值"},
	"plan.listed-one":  {"one value of an interval, each with ranges of its own", "区间里的 1 个值，有自己的范围"},
	"plan.listed":      {"{0} values of an interval, each with ranges of its own", "区间里的 {0} 个值，各有自己的范围"},
	"plan.all":         {"no condition: all its {0} values", "没有给出：它的全部 {0} 个值"},
	"plan.computed":    {"computed from fields that are fixed", "由已给出的字段算出"},
	"plan.coarse-copy": {"computed once for each value that its fields can have", "按它的字段可能有的每个值各算一次"},
	"plan.fan":         {"all its {0} values, since no condition fixes all that it is computed from", "算它的字段没有给出：它的全部 {0} 个值"},
	"plan.not-stored":  {"not stored: Match checks it as far as what is computed from it shows", "没有存进 key，由它算出的部分之外要逐行判断"},
	"plan.interval":    {"an interval", "一个区间"},
	"plan.rounded":     {"its ends are finer than its unit, and rounded outward", "两端比它的单位更细，已向外取整"},
	"plan.after-open":  {"Match checks it, since no condition fixes {0}, which comes before it; a layout with {1} before {0} makes it a range", "要逐行判断，因为它前面的 {0} 没有给出；把 {1} 放到 {0} 前面，就是一个范围"},
	"plan.after-interval": {"Match checks it, since {0}, which comes before it, is an interval; a layout with {1} before {0} makes it a range",
		"要逐行判断，因为它前面的 {0} 是一个区间；把 {1} 放到 {0} 前面，就是一个范围"},
	"plan.copy-decides": {"its copy decides", "由它的副本决定"},
	"plan.by-copy":      {"Match checks the condition on its copy, which does not come first in the key", "对它的副本的条件要逐行判断，因为副本不在 key 的前面"},
	"plan.no-suffix":    {"Match checks it, since its stored bytes do not begin with a Suffix; a layout that stores it reversed answers this", "要逐行判断，因为存下的字节不以这个后缀开头；反转存放的布局可以回答"},
	"plan.unsorted": {"Match checks it, since its stored bytes do not sort as it does ({0}); a layout that stores it in its order answers this",
		"要逐行判断，因为存下的字节与它的顺序不同（{0}）；按顺序存放的布局可以回答"},
	"plan.no-value": {"none of its values meets the conditions", "没有值满足这些条件"},
	"plan.no-year":  {"none of its values meets the conditions, and its years are {0} to {1}", "没有值满足这些条件，它的年份是 {0} 到 {1}"},
	"plan.refused":  {"no key holds such a value: {0}", "没有 key 能存这样的值：{0}"},

	"plan.why-reversed":  {"it is reversed", "它被反转"},
	"plan.why-via":       {"{0} writes others", "{0} 写的是别的字节"},
	"plan.why-absent":    {"it is not stored", "它没有存进 key"},
	"plan.why-codes":     {"its codes stand for it", "用编码代替"},
	"plan.why-padleft":   {"it is padded on the left", "在前面补齐"},
	"plan.why-length":    {"its length comes first", "前面是它的长度"},
	"plan.why-blob":      {"seven bits of it stand in a byte", "每个字节存它的 7 位"},
	"plan.why-number":    {"it is a number", "它是数"},
	"plan.why-negative":  {"negative numbers sort after the others", "负数排在其他数后面"},
	"plan.why-float":     {"the bits of a float are stored as they are", "浮点数的位按原样存放"},
	"plan.why-decimal":   {"10 sorts before 9, as its digits are not padded", "10 排在 9 前面，因为数字没有补零"},
	"plan.why-loose":     {"it is Loose", "它是 Loose"},
	"plan.why-pad":       {"its pad {0} sorts among its bytes", "补齐字节 {0} 排在它自己的字节之间"},
	"plan.why-separator": {"its separator {0} sorts among its bytes", "分隔符 {0} 排在它自己的字节之间"},
	"plan.why-otherwise": {"they are made of it otherwise", "它们由它以别的方式写成"},

	"plan.no-row":      {"no row has {0}", "没有行满足 {0}"},
	"plan.no-row-all":  {"no row meets all of the conditions together", "没有行同时满足所有条件"},
	"plan.no-row-both": {"no row has both {0} and {1}", "没有行同时满足 {0} 和 {1}"},
}

// InPlan is In of a code of plans: a program that links the library links no other table by it.
func InPlan(lang, code string, args ...string) string {
	t, ok := plan["plan."+code]
	if !ok {
		return code
	}
	if lang == "zh" {
		return fill(t.Chinese, args)
	}
	return fill(t.English, args)
}
