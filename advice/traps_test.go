package advice_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
)

// trap is something that people are told of row keys and that is wrong, or costs more
// than is said. Either a rule finds it in a layout, or it is said why none can.
type trap struct {
	told     string
	notation string
	question []rowkey.Cond
	rows     float64
	rule     string
	why      string
}

var someDay = time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC)

var traps = []trap{
	{told: "a time in front keeps rows together", notation: `[ms(at)][uid:8]`, rule: "rising-first-field"},
	{told: "a date in front makes days easy to read", notation: `[layout("20060102",UTC)(day)]['-'][uid]`, rule: "leading-date"},
	{told: "a number that counts is a good key", notation: `[seq:8][ms(at)]`, rule: "rising-first-field"},
	{told: "a row key may have 64 KB", why: "a key above 32,767 bytes is refused when it is made, and a layout whose fields need more cannot be built"},
	{told: "100 bytes of key are nothing", notation: `[url pad(200,'\x00')][ms(at)]`, rule: "long-key"},
	{told: "48 bits of a digest hardly collide", notation: `[md5.raw(6)(uid)][uid notstored][w:1]`, rows: 1e8, rule: "hash-collides"},
	{told: "four bytes of a hash can replace an id", notation: `[md5.raw(4)(uid)][uid notstored][w:1]`, rows: 80_000, rule: "hash-collides"},
	{told: "the digits of a time, reversed, still put the newest first", notation: `[layout("20060102150405",UTC)(at) reverse][uid]`, rule: "reversed-time"},
	{told: "so do the digits of the largest long less the time", notation: `[max-ms(at) digits(19) reverse][uid]`, rule: "reversed-time"},
	{told: "Math.abs of a hash code is never below 0", notation: `[salt100(uid) javahashabs][uid]`, rule: "salt-refuses-a-value"},
	{told: "abs, a mask of the sign and floorMod give the same bucket", why: "each is a rule of a salt with a name of its own, so that none is taken for another; a sample key in the declaration shows which a table has"},
	{told: "the newest rows of a span lie between the largest long less its start and less its end", why: "bounds are computed of a span, never given; two ends in the wrong order are an error"},
	{told: "the stop of a day is the text of the next with + for -", why: "bounds are computed of a condition; a stop that sorts before its start cannot be written"},
	{told: "the newest rows of a user lie between the id with zeros and the id twice", why: "the rows of a prefix are one range, whose stop is computed"},
	{told: "a table with a random salt still answers by seller", notation: `[slot:1 below(16) bucket][seller]['_'][max-ms(at)][order:8]`, question: []rowkey.Cond{rowkey.Eq("seller", "s-1")}, rule: "question-many-ranges"},
	{told: "a random bucket in front costs a get nothing", notation: `[slot:1 below(16) bucket][id:8]`, rule: "slot-in-front"},
	{told: "the time modulo the buckets spreads", notation: `[salt8(at) modulo][ms(at)][host]`, rule: "time-modulo"},
	{told: "a bucket as a long costs a byte", notation: `[salt8(host) width(8)][host]['\x00'][ms(at)]`, rule: "wide-salt"},
	{told: "filling up with x tells host1 from host12", notation: `[host pad(20,'x')][ms(at)]`, rule: "pad-unordered"},
	{told: "_ between texts keeps their order", why: "a value that holds the separator is refused, and an interval of such a field gets a range of its own for each value that sorts elsewhere; without a question of an interval it costs nothing"},
	{told: "two texts side by side are told apart", why: "the layout cannot be built: (11,1123) and (111,123) are one key"},
	{told: "two bytes and a millisecond are unique", notation: `[slot:2 below(60000)][ms(at)]`, rule: "slot-and-time"},
	{told: "a seller and a millisecond are unique", notation: `[salt16(seller)][seller]['_'][max-ms(at)]`, rule: "not-unique"},
	{told: "what is sent and what comes back lie in one region", notation: `[salt16(from)][from]['_'][to]['_'][max-ms(at)][n:2]`, rule: "one-sided-pair"},
	{told: "a digest of the user in front of a car finds the car", notation: `[md5.hex(6)(uid)][uid notstored][car fixed(17)][ms(at)][n:2]`, rule: "input-not-in-key"},
	{told: "a digest of the user in front of a phone finds the phone", notation: `[md5.hex(6)(uid)][uid:8][phone fixed(11)]`, question: []rowkey.Cond{rowkey.Eq("phone", "13800000000")}, rule: "question-full-scan"},
	{told: "a suffix serves as an index", notation: `[uid]['-'][status:1 below(2)]`, question: []rowkey.Cond{rowkey.Eq("status", uint64(1))}, rule: "question-full-scan"},
	{told: "a status may stand at the end", notation: `[uid]['-'][status:1 below(2)]`, rule: "status-in-key"},
	{told: "one device is in order of time where the sensor stands between", notation: `[device:4][sensor:2][max-ms(at)]`,
		question: []rowkey.Cond{rowkey.Eq("device", uint64(1)), rowkey.AtLeast("at", someDay)}, rule: "question-reads-more"},
	{told: "a random number behind spreads", notation: `[uid:8][order:8][random:1 below(100)]`, rule: "random-behind"},
	{told: "a salt and a digest spread better than one", notation: `[salt16(uid)][md5.hex(4)(uid)][uid]`, rule: "salt-and-hash"},
	{told: "a reversed scan costs the same", why: "it is a matter of the question: oldest-first is told where a question wants the newest rows (TestQuestions)"},
	{told: "a UUID has 36 bytes", notation: `[id fixed(36)]['_'][ms(at)]`, rule: "text-for-bytes"},
	{told: "seconds in four bytes last", notation: `[uid:8][s(at) width(4) desc]`, rule: "ends-soon"},
	{told: "keys of 17 bytes compress from 36 to 25", why: "what encodings leave out depends on the rows: rowkey check and rowkey simulate count it"},
	{told: "six bytes save a quarter, since memory is aligned", why: "no file of HBase aligns keys: rowkey simulate counts a cell as it is, 36 bytes for a key of 6 and 38 for one of 8"},
	{told: "minutes of a day run to 1400", why: "a limit that is too low refuses rows, which are seen; :2 below(1440) is the right one"},
	{told: "start key and end key are the shell's words", why: "a matter of the shell: rowkey scan -o shell prints its own words"},
}

// Every trap is found by the rule that is named for it, or it is said why none can.
func TestTraps(t *testing.T) {
	for _, c := range traps {
		if c.rule == "" {
			assert.NotEmpty(t, c.why, c.told)
			assert.Empty(t, c.notation, c.told)
			continue
		}
		s, err := rowkey.Parse("t", c.notation)
		require.NoError(t, err, c.told)
		d := advice.Design{Schema: s, Rows: c.rows}
		if c.question != nil {
			d.Questions = []advice.Question{{Name: "it", Conds: c.question}}
		}
		assert.Contains(t, fired(d), c.rule, "%s: %s", c.told, c.notation)
	}
}

// Keys that another system reads keep its layout: Phoenix computes its salt of the whole row, and
// its texts end as it says. What to do is said in words.
func TestKeysOfAnotherSystemKeepTheirLayout(t *testing.T) {
	const phoenix = "[salt8(rest()) phoenixhash][tenant optional phoenix][id:i8 phoenix][max-ns(created) phoenix]"
	for _, notation := range []string{
		phoenix, "phoenix [ms(created)][tenant optional][id:i8]", "[tenant orderedbytes][id:i8 orderedbytes][ms(created) orderedbytes]",
		"orderedbytes [tenant optional][id:i8][ms(created)]", "[salt8(rest()) pinpointhash][tenant]['\\x00'][id:8][ms(created)]", "[salt10(rest()) hbasewdhash][tenant]['\\x00'][id:8][ms(created)]",
		"[ms(created) phoenix][tenant phoenix][id:i8 phoenix]",
	} {
		s := rowkey.Must(rowkey.Parse("t", notation))
		questions := []advice.Question{{Name: "both", Conds: []rowkey.Cond{rowkey.Eq("tenant", "acme"), rowkey.Eq("id", 5)}}, {Name: "id", Conds: []rowkey.Cond{rowkey.Eq("id", 5)}},
			{Name: "region", Conds: []rowkey.Cond{rowkey.Eq("region", "EU")}}}
		found := advice.Check(advice.Design{Schema: s, Questions: questions, Rows: 1e9, Regions: 10, Lindorm: true})
		assert.NotEmpty(t, found, notation)
		for _, f := range found {
			_, err := rowkey.Parse("try", f.Try)
			assert.Error(t, err, "%s: %s: %s", notation, f.Rule, f.Try)
			assert.Empty(t, f.Second)
		}
	}
}

// A layout to try adds no end to a text that ends by itself.
func TestNoEndAfterATextThatEndsItself(t *testing.T) {
	for _, text := range []string{"tenant escaped", "tenant lenprefix(1)", "tenant:bytes escaped", `tenant oneof("ab","cde")`, `tenant codes("ab":"x","cd":"yz")`, "tenant fixed(4)", "tenant pad(9,'\\x00')"} {
		s := rowkey.Must(rowkey.Parse("t", "[salt8(rest())]["+text+"][id:8][ms(created)]"))
		for _, f := range advice.Check(advice.Design{Schema: s, Questions: []advice.Question{{Name: "both", Conds: []rowkey.Cond{rowkey.Eq("tenant", "ab"), rowkey.Eq("id", 5)}}}}) {
			assert.NotContains(t, f.Try, "]['", text)
		}
	}
}
