// The designs of examples/README.md, in its order, and some that are other words for a layout.
export const designs = [
  ["orders by seller", "按卖家查订单", "[salt16(seller)][seller]['\\x00'][max-ms(at)][order:8][buyer]", ["seller=s-42", "at:2026-11-11"]],
  ["orders by buyer", "按买家查订单", "[salt16(buyer)][buyer]['\\x00'][max-ms(at)][order:8][seller]", ["buyer=b-1"]],
  ["orders by number", "按订单号查", "[salt16(order)][order:8][seller]['\\x00'][buyer]['\\x00'][max-ms(at)]", ["order=7"]],
  ["the three written together", "三张表一起写", "[salt16(seller)][seller]['\\x00'][max-ms(at)][order:8][buyer]", ["seller=s-421"]],
  ["risk profile by uid", "按 uid 查风控画像", "[md5.hex(4)(text(uid))][uid:8]", ["uid=10086"]],
  ["risk profile by id card", "按身份证查风控画像", "[md5.hex(5)(card)][card chars(\"0123456789X\") fixed(18)][uid:8]", ["card=11010119900307451X"]],
  ["risk profile by phone", "按手机号查风控画像", "[md5.hex(5)(phone)][phone fixed(11)][uid:8]", ["phone=13111111111"]],
  ["vehicle telemetry", "车辆遥测", "[md5.hex(6)(vin)][vin fixed(17)][ms(at) years(2000,2100)]", ["vin=LSVAU2180N2183294", "at:2026-11-11"]],
  ["newest operations", "最新操作", "[uid:8][max-ms(at)]", ["uid=10086"]],
  ["operations of a span", "一段时间的操作", "[uid:8][max-ms(at)]", ["uid=10086", "at:2026-11-11"]],
  ["phone index", "手机号索引", "[phone reverse fixed(11)][uid:8]", ["phone=13112345678"]],
  ["logs by host and event", "按主机和事件查日志", "[host]['\\x00'][event]['\\x00'][ms(at)]", ["host=host1"]],
  ["the same, newest first", "同上，最新在前", "[host]['\\x00'][event]['\\x00'][max-ms(at)]", ["host=web-01", "event=oom"]],
  ["logs bucketed by time", "按时间分桶的日志", "[salt8(host) md5.raw(4)][ms(at)][host]['\\x00'][event]", ["at:2026-11-11"]],
  ["chat, salted by the sender", "聊天，按发送者加盐", "[salt100(from) javahash digits(2)]['_'][from]['_'][to]['_'][max-ms(at) decimal reverse]", ["from=u1", "to=u2"]],
  ["chat by pair", "按双方查聊天", "[md5.raw(1)(values(lo,hi))][lo:8][hi:8][max-ms(at)]", ["lo=1001", "hi=2002"]],
  ["sensors of devices", "设备的传感器", "[device]['_'][sensor]['_'][max-ms(at)]", ["device=d1", "sensor=t"]],
  ["a user's days", "用户的每一天", "[uid:8 decimal]['-'][layout(\"20060102\",+08:00)(day)]", ["uid=3231", "day:2023-05-16"]],
  ["transactions of a day", "一天的交易", "[slot:2 below(64) bucket][ms-since(2023-05-15T16:00:00Z)(at) width(4) below(86400000)][ext:bytes]", ["at:2023-05-16T02:00..2023-05-16T02:05"]],
  ["statistics of a day", "一天的统计", "[shop:4][min-since(2023-05-15T16:00:00Z)(window) width(2) below(1440)]", ["shop=7", "window:2023-05-16T02:00..2023-05-16T02:05"]],
  ["a general table with loaders", "通用表与加载器", "maxlen(16) [number:4][ext:bytes]", ["number=9"]],
  ["a span over several day tables", "跨多张日表的一段时间", "[slot:2 below(64) bucket][ms-since(2023-05-15T16:00:00Z)(at) width(4) below(86400000)][ext:bytes]", ["at:2023-05-16T15:00..2023-05-16T16:00"]],
  ["web pages by reversed host", "按反转域名的网页", "[host reverselabels(\".\")]['\\x00'][path]", ["host$=.iteblog.com"]],
  ["events written round robin", "轮流写入的事件", "[slot:1 below(4) bucket][ms(at)][id]", ["at:2026-11-11"]],
]

const design = (name, text) => ({ name, text, answers: [] })
const state = (designs, questions, rows = {}) => ({ designs, questions, rows, values: {}, keys: '', count: 20000, servers: 8 })

export const others = [
  ['Orders of sellers: three designs', '卖家订单：三个设计对比', state([design('by_time', '[ms(at)][order:8]'), design('by_seller', "[salt32(seller)][seller]['_'][max-ms(at)][order:8]"), design('by_both', "[salt32(values(seller,order))][seller]['_'][max-ms(at)][order:8]")],
    [['seller=s-42', 'at:2026-11-11'], ['at:2026-11-11T20:30..2026-11-11T20:31']], { seller: 's-{zipf(1.1, 100000) | 7 for 45 % from 19h to 21h}' })],
  ['A line of Java: String.format(…)', '一行 Java：String.format(…)', state([design('ops', 'String.format("%02d_%s_%d", Math.abs(uid.hashCode()) % 16, uid, Long.MAX_VALUE - ts)')], [['uid=user123']])],
  ['A line of a wiki, in Chinese', '文档里的一行中文', state([design('wiki', '用户ID反转 + 日期(yyyyMMdd) + 订单号')], [])],
]

export const nameOf = text => (text.match(/[a-z]+/g) || ['design']).slice(-2).join('_')
export const example = ([name, , text, conds]) => state([design(nameOf(name), text)], conds.length ? [conds] : [])
export const first = state([design('orders', "[salt16(seller)][seller]['_'][max-ms(at)][order:8]")], [['seller=s-42', 'at:2026-11-11'], ['at:2026-11-11T09:00..2026-11-11T10:00']])
