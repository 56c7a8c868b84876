package pinpoint_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/pinpoint"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

// The part of the key that each table's salt covers.
var distributors = map[string]struct{ buckets, from, to int }{
	"traceV2":           {256, 32, 40},
	"applicationStat":   {64, 0, 33},
	"agentStatV2":       {64, 0, 33},
	"metadata":          {8, 0, 32},
	"metadata2":         {32, 0, 36},
	"acceptApplication": {4, 0, 24},
	"statisticsCallee":  {32, 0, 36},
	"statisticsCaller":  {32, 0, 36},
	"statisticsSelf":    {8, 0, 32},
}

// The same as Trace, for a start before 1970.
var anyTrace = rowkey.New("any trace").
	Salt(256, "stored(sequence)", interop.PinpointHash).
	String("agent", rowkey.Pad(24, 0)).
	Int("start", 8, interop.HBase).
	Int("sequence", 8, interop.HBase).
	MustBuild()

var (
	whole = rowkey.New("whole").Salt(32, "rest()", interop.HBaseWDHash).Binary("key").MustBuild()

	nameAndTime = rowkey.New("name and time").String("name", rowkey.Pad(24, 0)).Time("at", rowkey.Millis).MustBuild()
	nameAlone   = rowkey.New("name").String("name", rowkey.Pad(24, 0)).MustBuild()
	statKey     = rowkey.New("stat").String("agent", rowkey.Pad(24, 0)).Uint("type", 1).Time("at", rowkey.Millis, rowkey.Desc).MustBuild()

	varint = rowkey.New("var64").Int("n", 8, interop.HBase, rowkey.Via(pinpoint.Varint{})).MustBuild()
	zigzag = rowkey.New("svar64").Int("n", 8, interop.HBase, rowkey.Via(pinpoint.Varint{Zigzag: true})).MustBuild()
)

// What com.navercorp.pinpoint:pinpoint-commons-hbase and -server 3.0.1 wrote.
func TestVectors(t *testing.T) {
	vectors.Run(t, "pinpoint.jsonl", func(l *vectors.Line) {
		switch op := l.Text("op"); op {
		case "distributor.getDistributedKey":
			distributed(l)
		case "RangeOneByteSimpleHash":
			key := l.Hex("key")
			l.Key(pinpoint.Salted(l.Int("max_bucket"), l.Int("from"), l.Int("to")), append(l.Hex("prefix"), key...), key)
		case "TraceRowKeyEncoderV2.encodeRowKey":
			agent, start, sequence, row := l.Text("agent"), l.Long("start"), l.Long("sequence"), l.Hex("row")
			l.Key(anyTrace, row, agent, start, sequence)
			if start >= 0 {
				l.Key(pinpoint.Trace, row, agent, time.UnixMilli(start), sequence)
			}
		case "agent/application id keys":
			names(l)
		case "AgentStatRowKeyEncoder.encodeRowKey":
			l.Text("type") // a name for type_code
			agent, code, at, row := l.Text("agent"), uint64(l.Int("type_code")), time.UnixMilli(l.Long("ts")), l.Hex("row")
			l.Key(statKey, row, agent, code, at)
			key, err := pinpoint.AgentStat.AppendKey(nil, agent, code, at)
			if err != nil || string(key[1:]) != string(row) {
				l.Errorf("salted it is %x, %v", key, err)
			}
		case "BytesUtils.longToVar64 / longToSVar64 (protobuf varint, zigzag)":
			n := l.Long("in")
			l.Key(varint, l.Hex("var64"), n)
			l.Key(zigzag, l.Hex("svar64"), n)
		default:
			l.Errorf("unknown operation %q", op)
		}
	})
}

func distributed(l *vectors.Line) {
	name, key, want, buckets := l.Text("distributor"), l.Hex("key"), l.Hex("distributed"), l.Int("buckets")
	d, ok := distributors[name]
	switch {
	case name == "applicationTraceIndex" && buckets == 32:
		l.Key(whole, want, key)
	case !ok || d.buckets != buckets:
		l.Errorf("unknown distributor %q of %d buckets", name, buckets)
	default:
		l.Key(pinpoint.Salted(d.buckets, d.from, d.to), want, key)
	}
}

func names(l *vectors.Line) {
	id, at := l.Text("id"), time.UnixMilli(l.Long("ts"))
	for field, s := range map[string]*rowkey.Schema{
		"AgentIdRowKeyEncoder": pinpoint.ByName, "ApplicationNameRowKeyEncoder": pinpoint.ByName, "RowKeyUtils.agentIdAndTimestamp": nameAndTime,
	} {
		if l.Has(field) {
			l.Key(s, l.Hex(field), id, at)
			continue
		}
		if field == "RowKeyUtils.agentIdAndTimestamp" {
			field = "agentIdAndTimestamp"
		}
		l.Text(field + "_error")
		_, err := s.AppendKey(nil, id, at)
		l.Equal("refused by both", errors.Is(err, rowkey.ErrLength), true)
	}
	if l.Has("toFixedLengthBytes_24") {
		l.Key(nameAlone, l.Hex("toFixedLengthBytes_24"), id)
		return
	}
	l.Text("toFixedLengthBytes_24_error")
	_, err := nameAlone.AppendKey(nil, id)
	l.Equal("refused by both", errors.Is(err, rowkey.ErrLength), true)
}

func TestVarint(t *testing.T) {
	for _, v := range []pinpoint.Varint{{}, {Zigzag: true}} {
		if err := rowkeytest.TestTransform(v, "\x00\x00\x00\x00\x00\x00\x01\x2c", "\xff\xff\xff\xff\xff\xff\xff\xff"); err != nil {
			t.Error(err)
		}
	}
}

func Example() {
	fmt.Println(pinpoint.Trace)
	start := time.UnixMilli(1684203630000)
	key, err := pinpoint.Trace.Key().String("web-01").Time(start).Int(7).Bytes()
	fmt.Printf("%x %v\n", key, err)

	// A transaction is one get; its salt needs no more than the sequence.
	plan, err := pinpoint.Trace.Scan(rowkey.Eq("agent", "web-01"), rowkey.Eq("start", start), rowkey.Eq("sequence", 7))
	for key := range plan.Keys() {
		fmt.Printf("%x %v\n", key, err)
	}

	// The traces of an application in one minute, newest first, in every bucket.
	plan, err = pinpoint.TraceIndex.Scan(rowkey.Eq("application", "shop"), rowkey.Span("at", start, start.Add(time.Minute)))
	fmt.Print(plan)
	fmt.Println(err)

	fmt.Println(pinpoint.Salted(256, 32, 40))
	// Output:
	// [salt256(stored(sequence)) pinpointhash][agent pad(24,'\x00')][ms(start)][sequence:i8 hbase]
	// 087765622d303100000000000000000000000000000000000000000188225bedb00000000000000007 <nil>
	// 087765622d303100000000000000000000000000000000000000000188225bedb00000000000000007 <nil>
	// ApplicationTraceIndex: 32 ranges, every row in them matches
	//   [\x00shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA3'\xF0, \x00shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA4\x12P)
	//   [\x01shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA3'\xF0, \x01shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA4\x12P)
	//   [\x02shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA3'\xF0, \x02shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA4\x12P)
	//   [\x03shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA3'\xF0, \x03shop\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7F\xFF\xFEw\xDD\xA4\x12P)
	//   and 28 more
	//   salt: all its 32 values, since no condition fixes all that it is computed from
	//   application: one value
	//   at: an interval
	// <nil>
	// [hashed=key via("bytes32-40") notstored][salt256(hashed) pinpointhash][key:bytes]
}
