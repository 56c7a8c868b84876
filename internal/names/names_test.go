package names

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRising(t *testing.T) {
	for want, list := range map[Rise][]string{
		Moment: {"ts", "timestamp", "createTime", "create_time", "createtime", "event_time", "时间戳", "创建时间", "epoch", "time", "at", "revTs", "reverse_ts", "logTime", "created", "updated_on", "gmt_create", "epochMillis"},
		Day:    {"date", "dt", "day", "event_date", "日期", "orderDate"},
		Counted: {"seq", "auto_id", "autoId", "snowflake", "snowflake_id", "ulid", "uuidv7", "uuid_v7", "offset", "自增ID", "流水号", "serial_no", "serialNo", "seq_no", "counter", "雪花ID", "序列号",
			"autoIncrement"},
		Perhaps: {"order_id", "orderId", "orderid", "order_no", "订单号", "msgId", "message_id", "trade_no", "transactionId", "trace_id"},
		Level: {"uid", "user", "userId", "seller", "device", "deviceId", "id", "host", "phone", "runtime", "uuid", "region", "status", "vin", "order", "city", "format", "data", "today", "stamp",
			"no_one", "card_no", "phoneNumber", "id_number", "设备ID", "用户", "known", "echo", "float", "update"},
	} {
		for _, name := range list {
			assert.Equal(t, want, Rising(name), name)
		}
	}
}

func TestOne(t *testing.T) {
	for _, name := range []string{"id", "uuid", "order", "order_id", "msgId", "seq", "流水号", "traceId", "request_id", "random", "n", "guid", "ulid", "订单号"} {
		assert.True(t, One(name), name)
	}
	for _, name := range []string{"uid", "user_id", "userId", "seller", "buyer", "host", "event", "type", "phone", "tenant_id", "shopId", "from", "to", "ts", "name", "设备ID"} {
		assert.False(t, One(name), name)
	}
}

func TestFewAndMeasured(t *testing.T) {
	for _, name := range []string{"type", "eventType", "status", "order_status", "level", "平台", "订单状态"} {
		assert.True(t, Few(name), name)
	}
	for _, name := range []string{"uid", "seller", "typed", "host", "shop", "tenant"} {
		assert.False(t, Few(name), name)
	}
	for _, name := range []string{"device", "deviceId", "device_id", "sensor", "vin", "设备ID", "carId", "symbol"} {
		assert.True(t, Measured(name), name)
	}
	for _, name := range []string{"user", "seller", "host", "card", "developer", "tagged"} {
		assert.False(t, Measured(name), name)
	}
}
