package laws

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

const examplesPage = "examples/README.md"

// listed is a design as the page lists it: its layout, a question, and the
// question's conditions.
type listed struct {
	name, file, question, layout string
	query                        []rowkey.Cond
}

func listedDesigns() []listed {
	cst := time.FixedZone("", 8*60*60)
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, cst)
	today := rowkey.Span("at", day, day.AddDate(0, 0, 1))
	eq := func(field, value string) rowkey.Cond { return rowkey.Eq(field, value) }
	const midnight = "2023-05-16T00:00:00+08:00"
	return []listed{
		{"orders by seller", "orders", "the orders of seller s-42 on 2023-05-16", `[salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]`, []rowkey.Cond{eq("seller", "s-42"), today}},
		{"orders by buyer", "orders", "the orders of buyer b-1, newest first", `[salt16(buyer)][buyer]['\x00'][max-ms(at)][order:8][seller]`, []rowkey.Cond{eq("buyer", "b-1")}},
		{"orders by number", "orders", "order 7", `[salt16(order)][order:8][seller]['\x00'][buyer]['\x00'][max-ms(at)]`, []rowkey.Cond{rowkey.Eq("order", 7)}},
		{"the three written together", "orders", "the list's row of an order, by Rekey: seller s-421", `[salt16(seller)][seller]['\x00'][max-ms(at)][order:8][buyer]`, []rowkey.Cond{eq("seller", "s-421")}},
		{"risk profile by uid", "risk", "the profile of uid 10086", `[md5.hex(4)(text(uid))][uid:8]`, []rowkey.Cond{rowkey.Eq("uid", 10086)}},
		{"risk profile by id card", "risk", "the profile of id card 11010119900307451X", `[md5.hex(5)(card)][card chars("0123456789X") fixed(18)][uid:8]`, []rowkey.Cond{eq("card", "11010119900307451X")}},
		{"risk profile by phone", "risk", "the profile of phone 13111111111", `[md5.hex(5)(phone)][phone fixed(11)][uid:8]`, []rowkey.Cond{eq("phone", "13111111111")}},
		{"vehicle telemetry", "telemetry", "one car's day", `[md5.hex(6)(vin)][vin fixed(17)][ms(at) years(2000,2100)]`, []rowkey.Cond{eq("vin", "LSVAU2180N2183294"), today}},
		{"newest operations", "operations", "the newest operations of user 10086", `[uid:8][max-ms(at)]`, []rowkey.Cond{rowkey.Eq("uid", 10086)}},
		{"operations of a span", "operations", "the operations of user 10086 on 2023-05-16", `[uid:8][max-ms(at)]`, []rowkey.Cond{rowkey.Eq("uid", 10086), today}},
		{"phone index", "operations", "the uid of phone 13112345678", `[phone reverse fixed(11)][uid:8]`, []rowkey.Cond{eq("phone", "13112345678")}},
		{"logs by host and event", "logs", "the log of host1, and not of host12", `[host]['\x00'][event]['\x00'][ms(at)]`, []rowkey.Cond{eq("host", "host1")}},
		{"the same, newest first", "logs", "the newest oom of web-01", `[host]['\x00'][event]['\x00'][max-ms(at)]`, []rowkey.Cond{eq("host", "web-01"), eq("event", "oom")}},
		{"logs bucketed by time", "logs", "the log of all hosts on 2023-05-16", `[salt8(host) md5.raw(4)][ms(at)][host]['\x00'][event]`, []rowkey.Cond{today}},
		{"chat, salted by the sender", "chat", "what u1 wrote to u2", `[salt100(from) javahash digits(2)]['_'][from]['_'][to]['_'][max-ms(at) decimal reverse]`, []rowkey.Cond{eq("from", "u1"), eq("to", "u2")}},
		{"chat by pair", "chat", "what 1001 and 2002 wrote to each other, newest first", `[md5.raw(1)(values(lo,hi))][lo:8][hi:8][max-ms(at)]`, []rowkey.Cond{rowkey.Eq("lo", 1001), rowkey.Eq("hi", 2002)}},
		{"sensors of devices", "iot", "the readings of sensor t of device d1", `[device]['_'][sensor]['_'][max-ms(at)]`, []rowkey.Cond{eq("device", "d1"), eq("sensor", "t")}},
		{"a user's days", "daytables", "user 3231 on 2023-05-16", `[uid:8 decimal]['-'][layout("20060102",+08:00)(day)]`, []rowkey.Cond{rowkey.Eq("uid", 3231), rowkey.Eq("day", day)}},
		{"transactions of a day", "daytables", "the transactions of 10:00 to 10:05", `[slot:2 below(64) bucket][ms-since(` + midnight + `)(at) width(4) below(86400000)][ext:bytes]`, []rowkey.Cond{rowkey.Span("at", day.Add(10*time.Hour), day.Add(10*time.Hour+5*time.Minute))}},
		{"statistics of a day", "daytables", "shop 7 from 10:00 to 10:05", `[shop:4][min-since(` + midnight + `)(window) width(2) below(1440)]`, []rowkey.Cond{rowkey.Eq("shop", 7), rowkey.Span("window", day.Add(10*time.Hour), day.Add(10*time.Hour+5*time.Minute))}},
		{"a general table with loaders", "daytables", "number 9", `maxlen(16) [number:4][ext:bytes]`, []rowkey.Cond{rowkey.Eq("number", 9)}},
		{"a span over several day tables", "daytables", "from 23:00 on, in the table of this day", `[slot:2 below(64) bucket][ms-since(` + midnight + `)(at) width(4) below(86400000)][ext:bytes]`, []rowkey.Cond{rowkey.Span("at", day.Add(23*time.Hour), day.Add(25*time.Hour))}},
		{"web pages by reversed host", "web", "the subdomains of iteblog.com", `[host reverselabels(".")]['\x00'][path]`, []rowkey.Cond{rowkey.Suffix("host", ".iteblog.com")}},
		{"events written round robin", "events", "the events of 2023-05-16, in the order of time", `[slot:1 below(4) bucket][ms(at)][id]`, []rowkey.Cond{today}},
	}
}

// The page lists every design with its question, layout and range, which are
// computed here, and each system. UPDATE_DOCS=1 writes the table.
func TestExamplesPage(t *testing.T) {
	stories, err := filepath.Glob("examples/designs/*_test.go")
	require.NoError(t, err)
	told := map[string]string{} // number to the file that tells it
	for _, file := range stories {
		text, err := readFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^// Design (\d+),`).FindAllSubmatch(text, -1) {
			told[string(m[1])] = filepath.Base(file)
		}
	}
	table := "| | design | question | layout | range in hexadecimal |\n|---|---|---|---|---|\n"
	designs := listedDesigns()
	require.Len(t, designs, len(told))
	for i, d := range designs {
		file := d.file + "_test.go"
		assert.Equal(t, file, told[fmt.Sprint(i+1)], d.name)
		s, err := rowkey.Parse("t", d.layout)
		require.NoError(t, err)
		_, _, output := sources(t, "examples/designs/"+file)
		shape := func(s string) string { return regexp.MustCompile(`since\([^)]*\)`).ReplaceAllString(s, "since()") }
		assert.True(t, d.name == "the same, newest first" || strings.Contains(shape(fmt.Sprint(output)), shape(s.String())), "no story in %s prints %s", file, s)
		plan, err := s.Scan(d.query...)
		require.NoError(t, err, d.name)
		var said string
		for r := range plan.Ranges() {
			said = fmt.Sprintf("`%x` to `%x`", r.Start(), r.Stop())
			break
		}
		if plan.Len() > 1 {
			said += fmt.Sprintf(", the first of %d", plan.Len())
		}
		assert.True(t, plan.Exact(), d.name)
		table += fmt.Sprintf("| %d | [%s](designs/%s) | %s | `%s` | %s |\n", i+1, d.name, file, d.question, s, said)
	}

	page, err := readFile(examplesPage)
	require.NoError(t, err)
	head, _, _ := strings.Cut(table, "\n")
	before, after, ok := strings.Cut(string(page), head+"\n")
	require.True(t, ok, "%s has no table %q", examplesPage, head)
	got, rest, _ := strings.Cut(after, "\n\n")
	if os.Getenv(updateDocs) != "" {
		require.NoError(t, os.WriteFile(examplesPage, []byte(before+table+"\n"+rest), 0o644))
	} else {
		assert.Equal(t, table, head+"\n"+got+"\n")
	}
	systems, err := filepath.Glob("examples/systems/*")
	require.NoError(t, err)
	require.NotEmpty(t, systems)
	for _, dir := range systems {
		assert.Contains(t, rest, "](systems/"+filepath.Base(dir)+") |", "%s does not list %s", examplesPage, dir)
	}
}
