package yarn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/examples/systems/yarn"
	"github.com/hbase-rowkey/rowkey/internal/tests/vectors"
	"github.com/hbase-rowkey/rowkey/interop"
	"github.com/hbase-rowkey/rowkey/rowkeytest"
)

// What Hadoop 3.4.2's row keys and their prefixes are.
func TestRowKeys(t *testing.T) {
	vectors.Run(t, "yarn_rowkeys.jsonl", func(l *vectors.Line) {
		table := l.Text("table")
		row := l.Hex("row")
		app := ""
		if l.Has("app") {
			app = canonical(l.Text("app"))
		}
		switch table {
		case "application":
			cluster, user, flow, run := l.Text("cluster"), l.Text("user"), l.Text("flow"), l.Long("run")
			l.Key(yarn.Application, row, cluster, user, flow, run, app)
			prefix(l, "prefix_flow", yarn.Application.Key().String(cluster).String(user).String(flow))
			prefix(l, "prefix_run", yarn.Application.Key().String(cluster).String(user).String(flow).Int(run))
			asString(l, cluster, user, flow, fmt.Sprint(run), app)
		case "flow_run":
			cluster, user, flow, run := l.Text("cluster"), l.Text("user"), l.Text("flow"), l.Long("run")
			l.Key(yarn.FlowRun, row, cluster, user, flow, run)
			prefix(l, "prefix", yarn.FlowRun.Key().String(cluster).String(user).String(flow))
			asString(l, cluster, user, flow, fmt.Sprint(run))
		case "flow_activity":
			activity(l, row)
		case "entity":
			cluster, user, flow, run := l.Text("cluster"), l.Text("user"), l.Text("flow"), l.Long("run")
			kind, pre, id := l.Text("entity_type"), l.Long("entity_id_prefix"), l.Text("entity_id")
			l.Key(yarn.Entity, row, user, cluster, flow, run, app, kind, pre, id)
			k := yarn.Entity.Key().String(user).String(cluster).String(flow).Int(run).String(app)
			prefix(l, "prefix_app", k)
			k = yarn.Entity.Key().String(user).String(cluster).String(flow).Int(run).String(app).String(kind)
			prefix(l, "prefix_type", k)
			k = yarn.Entity.Key().String(user).String(cluster).String(flow).Int(run).String(app).String(kind).Int(pre)
			prefix(l, "prefix_id_prefix", k)
			l.Equal("the whole key as a prefix", l.Hex("prefix_id"), row)
			asString(l, cluster, user, flow, fmt.Sprint(run), app, kind, fmt.Sprint(pre), id)
		case "sub_application":
			sub, cluster, kind, pre := l.Text("sub_user"), l.Text("cluster"), l.Text("entity_type"), l.Long("entity_id_prefix")
			id, user := l.Text("entity_id"), l.Text("user")
			l.Key(yarn.SubApplication, row, sub, cluster, kind, pre, id, user)
			prefix(l, "prefix_type", yarn.SubApplication.Key().String(sub).String(cluster).String(kind))
			prefix(l, "prefix_id", yarn.SubApplication.Key().String(sub).String(cluster).String(kind).Int(pre).String(id))
			asString(l, sub, cluster, kind, fmt.Sprint(pre), id, user)
		case "domain":
			cluster, domain := l.Text("cluster"), l.Text("domain")
			l.Key(yarn.Domain, row, cluster, domain)
			asString(l, cluster, domain)
		case "app_to_flow":
			l.Key(yarn.AppToFlow, row, app)
		default:
			l.Errorf("unknown table %q", table)
		}
	})
}

// canonical is an id as YARN prints it: application_1_1 is application_1_0001.
func canonical(id string) string {
	head, number, ok := strings.Cut(strings.TrimPrefix(id, "application_"), "_")
	if !ok {
		return id
	}
	return "application_" + head + "_" + strings.Repeat("0", max(0, 4-len(number))) + number
}

// prefix compares the range of the fields so far with that of a prefix.
func prefix(l *vectors.Line, field string, k rowkey.KeyBuilder) {
	want := rowkey.PrefixRange(l.Hex(field))
	if got, err := k.Range(); err != nil || got.String() != want.String() {
		l.Errorf("%s: %v %v, want %v", field, got, err, want)
	}
}

// asString compares what getRowKeyAsString makes of the values, which is no key:
// * and ! after a *.
func asString(l *vectors.Line, values ...string) {
	var out []string
	for _, v := range values {
		out = append(out, strings.NewReplacer("*", "**", "!", "*!").Replace(v))
	}
	if l.Has("app") {
		for i, v := range values {
			if strings.HasPrefix(v, "application_") {
				out[i] = l.Text("app") // as it was given
			}
		}
	}
	l.Equal("as a string", l.Text("as_string"), strings.Join(out, "!"))
}

func activity(l *vectors.Line, row []byte) {
	cluster, user, flow := l.Text("cluster"), l.Text("user"), l.Text("flow")
	at, day := time.UnixMilli(l.Long("ts")), time.UnixMilli(l.Long("top_of_day"))
	if at.UnixMilli() < 0 {
		_, err := yarn.FlowActivity.AppendKey(nil, cluster, at, user, flow)
		l.Equal("a day before 1970 refused", errors.Is(err, rowkey.ErrRange), true)
		l.Hex("prefix_cluster")
		l.Hex("prefix_day")
		l.Text("as_string")
		l.OnlyRefused("a time before 1970")
		return
	}
	l.KeyReads(yarn.FlowActivity, row, []any{cluster, at, user, flow}, []any{cluster, day, user, flow})
	prefix(l, "prefix_cluster", yarn.FlowActivity.Key().String(cluster))
	asString(l, cluster, l.Text("top_of_day"), user, flow)

	// The prefix takes the time as it is given, be it no day's beginning: such a
	// prefix has no rows. Ours is that of the day which holds the time.
	given := rowkey.New("given").
		String("cluster", rowkey.Via(yarn.Escape{})).Separator("!").
		Time("at", rowkey.Millis, rowkey.Desc).
		Literal("!").
		String("rest").
		MustBuild()
	prefix(l, "prefix_day", given.Key().String(cluster).Time(at))
	r, err := yarn.FlowActivity.Key().String(cluster).Time(at).Range()
	if err != nil || !r.Contains(row) {
		l.Errorf("the day's range %v, %v does not hold the row", r, err)
	}
}

// What Hadoop 3.4.2's separators and converters make of texts and numbers.
func TestSeparators(t *testing.T) {
	escaped := rowkey.New("escaped").Literal("#").String("v", rowkey.Via(yarn.Escape{})).MustBuild()
	spaces := rowkey.New("spaces").Literal("#").String("v", rowkey.Via(escape("%", "%9$", " ", "%2$", "\t", "%3$"))).MustBuild()
	values := rowkey.New("values").Literal("#").String("v", rowkey.Via(escape("%", "%9$", "=", "%1$"))).MustBuild()
	long := rowkey.New("long", interop.HBase).Int("v", 8).MustBuild()
	inverted := rowkey.New("inverted", interop.HBase).Int("v", 8, rowkey.Desc).MustBuild()
	tag := func(b []byte) []byte { return append([]byte("#"), b...) }
	vectors.Run(t, "yarn_separator.jsonl", func(l *vectors.Line) {
		switch op := l.Text("op"); op {
		case "Separator.QUALIFIERS.encode(s, SPACE, TAB)", "Separator.VALUES.encode(s, SPACE, TAB)", "Separator.SPACE.encode(s, SPACE, TAB)":
			// The separator before the dot is not among those that are escaped.
			in := l.Text("in")
			l.Key(spaces, tag(l.Hex("hex")), in)
			l.Equal("decoded", l.Text("decoded"), in)
		case "Separator.encode(s, QUALIFIERS, SPACE, TAB)":
			in := l.Text("in")
			l.Key(escaped, tag(l.Hex("hex")), in)
			l.Equal("decoded", l.Text("decoded"), in)
		case "Separator.encode(s, VALUES)":
			l.Key(values, tag(l.Hex("hex")), l.Text("in"))
		case "StringKeyConverter.encode":
			// As it is, but for the spaces.
			l.Key(spaces, tag(l.Hex("hex")), l.Text("in"))
		case "LongConverter.invertLong":
			in, out := l.Long("in"), l.Long("out")
			l.Key(long, l.Hex("LongKeyConverter.encode"), in)
			key, err := long.AppendKey(nil, out)
			if err != nil {
				l.Errorf("%v", err)
			}
			l.Key(inverted, key, in)
		case "AppIdKeyConverter.encode":
			in, decoded := l.Text("in"), l.Text("decoded")
			l.Key(yarn.AppToFlow, l.Hex("hex"), decoded)
			if _, err := yarn.AppToFlow.AppendKey(nil, in); in != decoded && !errors.Is(err, rowkey.ErrRange) {
				l.Errorf("%q, which YARN reads back as %q, is written: %v", in, decoded, err)
			}
		default:
			l.Errorf("unknown operation %q", op)
		}
	})
}

// escape is another set of escapes.
func escape(oldnew ...string) rowkey.Transform {
	back := make([]string, len(oldnew))
	for i := 0; i < len(oldnew); i += 2 {
		back[i], back[i+1] = oldnew[i+1], oldnew[i]
	}
	return escaping{fmt.Sprint(oldnew), strings.NewReplacer(oldnew...), strings.NewReplacer(back...)}
}

type escaping struct {
	name     string
	to, from *strings.Replacer
}

func (e escaping) Append(dst, value []byte) ([]byte, error) {
	return append(dst, e.to.Replace(string(value))...), nil
}

func (e escaping) Invert(dst, stored []byte) ([]byte, error) {
	value := e.from.Replace(string(stored))
	if e.to.Replace(value) != string(stored) {
		return dst, errors.New("no escape")
	}
	return append(dst, value...), nil
}

func (e escaping) Traits() rowkey.Traits { return rowkey.Traits{Order: rowkey.Unordered} }
func (e escaping) String() string        { return e.name }

func TestTransforms(t *testing.T) {
	if err := rowkeytest.TestTransform(yarn.Escape{}, "user!name", "50 %", "%0$", "\t"); err != nil {
		t.Error(err)
	}
	if err := rowkeytest.TestTransform(yarn.AppID{}, "application_1465246237936_0001", "application_0_12345"); err != nil {
		t.Error(err)
	}
}

func Example() {
	fmt.Println(yarn.Application)
	key, err := yarn.Application.Key().String("c1").String("u!1").String("f1").Int(1002345678919).String("application_1465246237936_0001").Bytes()
	fmt.Printf("%q %v\n", key, err)

	// The runs of a flow, newest first; u!1 reads no other user's.
	r, err := yarn.Application.Key().String("c1").String("u!1").String("f1").Range()
	fmt.Println(r, err)

	// Runs that began in a span of time.
	plan, err := yarn.Application.Scan(rowkey.Eq("cluster", "c1"), rowkey.Eq("user", "u!1"), rowkey.Eq("flow", "f1"),
		rowkey.Span("run", int64(1002345678000), int64(1002345679000)))
	fmt.Print(plan, err)
	// Output:
	// [cluster via("yarn-escape")]['!'][user via("yarn-escape")]['!'][flow via("yarn-escape")]['!'][run:i8 hbase desc]["!"][app via("yarn-appid")]
	// "c1!u%0$1!f1!\x7f\xff\xff\x16\x9f\x8a\xb7\xb8!\x7f\xff\xfe\xaa\u0604\xbb\x0f\x7f\xff\xff\xfe" <nil>
	// [c1!u%0$1!f1!, c1!u%0$1!f1") <nil>
	// application: one range, every row in them matches
	//   [c1!u%0$1!f1!\x7F\xFF\xFF\x16\x9F\x8A\xB7h, c1!u%0$1!f1!\x7F\xFF\xFF\x16\x9F\x8A\xBBP)
	//   cluster: one value
	//   user: one value
	//   flow: one value
	//   run: an interval
	//  <nil>
}
