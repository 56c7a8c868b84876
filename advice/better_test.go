package advice_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// tally counts findings by their rule: all, and the errors.
func tally(found []advice.Finding) (all, errs map[string]int) {
	all, errs = map[string]int{}, map[string]int{}
	for _, f := range found {
		all[f.Rule]++
		if f.Severity == advice.Error {
			errs[f.Rule]++
		}
	}
	return all, errs
}

// follow applies each layout that lint tells to try, and those that it tells to try then. Each
// mends what it is told for, makes no error, and none leads back to a layout on its way.
func follow(t *testing.T, d advice.Design, way []string, seen map[string]bool) (mends int) {
	if me := d.Schema.String(); seen[me] || len(seen) > 8 {
		return 0
	} else {
		seen[me] = true
		way = append(way[:len(way):len(way)], me)
	}
	found := advice.Check(d)
	all, errs := tally(found)
	for _, f := range found {
		if !strings.HasPrefix(f.Try, "[") || f.Code == "lint.question-lacks" { // a table of its own
			continue
		}
		better := d
		var err error
		better.Schema, err = rowkey.Parse("try", f.Try)
		require.NoError(t, err, "%s: %s", way, f)
		require.NotContains(t, way, better.Schema.String(), "%s goes in a circle", f)
		mends++
		allThen, errsThen := tally(advice.Check(better))
		if !strings.HasPrefix(f.Rule, "question-") { // fewer ranges may be a finding still
			require.Less(t, allThen[f.Rule], all[f.Rule], "%s: %s", way, f)
		}
		for rule, n := range errsThen {
			require.LessOrEqual(t, n, errs[rule], "%s: %s makes an error of %s", way, f, rule)
		}
		mends += follow(t, better, way, seen)
	}
	return mends
}

// drawn is a layout of a lead, some fields and what may end them.
func drawn(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	by := one("uid", "seq", "kind", "n")
	text := one("", "", fmt.Sprintf("[salt%d(%s)]", 1<<r.IntN(9), by), "[salt8(at) modulo]", "[salt16("+by+") javahashabs]", "[md5.raw(16)("+by+")]", "[salt16(kind)][md5.hex(4)("+by+")]")
	fields := []string{
		one("[uid:8]", "[uid]['_']", "[uid pad(20,'x')]", "[uid:8 digits(10)]", "[uid fixed(120)]", "[uid:8 notstored]"), one("[seq:8]", "[seq:8 below(100)]", "[seq:8 reverse]"),
		one("[kind:1 below(5)]", "[kind oneof(\"a\",\"b\") fixed(1)]", "[kind:1 below(16) bucket]"), one("[n:2]", "[n:4 below(60)]"),
		one("[ms(at)]", "[h(at) width(3)]", "[s(at) width(4) desc]", "[layout(\"20060102\",UTC)(at)]", "[ms(at) digits(13) reverse]", "[s(at) width(4) desc years(2000,2030)]"),
	}
	for _, i := range r.Perm(len(fields))[:1+r.IntN(len(fields))] {
		text += fields[i]
	}
	return text
}

// asked is a question of a field or two.
func asked(r *rand.Rand, s *rowkey.Schema) (q advice.Question) {
	q = advice.Question{Name: "q", Newest: r.IntN(3) == 0}
	for f := range s.Fields() {
		switch {
		case f.Derived || r.IntN(2) == 0:
		case f.Kind == "time" && r.IntN(2) == 0:
			q.Conds = append(q.Conds, rowkey.AtLeast(f.Name, someDay))
		case f.Kind == "time":
			q.Conds = append(q.Conds, rowkey.Eq(f.Name, someDay))
		case f.Kind == "uint":
			q.Conds = append(q.Conds, []rowkey.Cond{rowkey.Eq(f.Name, 1), rowkey.In(f.Name, 1, 2), rowkey.AtLeast(f.Name, 1)}[r.IntN(3)])
		case f.Kind == "string":
			q.Conds = append(q.Conds, []rowkey.Cond{rowkey.Eq(f.Name, "a"), rowkey.In(f.Name, "a", "b")}[r.IntN(2)])
		}
	}
	if q.Conds == nil {
		q.Conds = []rowkey.Cond{rowkey.Eq("other", "a")}
	}
	return q
}

// What lint tells to try mends, whatever the layout.
func TestMendsMend(t *testing.T) {
	r := seed.Rand(t)
	layouts, mends := 0, 0
	for layouts < 15 {
		notation := drawn(r)
		s, err := rowkey.Parse("t", notation)
		if err != nil {
			continue
		}
		layouts++
		d := advice.Design{Schema: s, Lindorm: r.IntN(4) == 0, Regions: r.IntN(4) * 5}
		for range max(0, r.IntN(5)-2) {
			d.Questions = append(d.Questions, asked(r, s))
		}
		mends += follow(t, d, nil, map[string]bool{})
	}
	t.Logf("%d layouts, %d mends", layouts, mends)
	assert.Greater(t, mends, 10)
}

// Where a layout would make an error, what to do is said in words; where it mends one question
// and spoils another, it is one for a second table.
func TestMendsThatSpoil(t *testing.T) {
	for _, c := range []struct {
		notation, rule, try string
		questions           []advice.Question
	}{
		{notation: `[h(at) width(3)]`, rule: "leading-date", try: `The day after the field`}, // a slot and a time would lose rows
		{notation: `[md5.raw(16)(uid)][ms(at)][uid:8 below(1000)]`, rule: "hash-long", try: `Two bytes of the hash`},
		{notation: `[uid:8][s(at) width(4) desc years(2000,2030)]`, rule: "ends-soon", try: `[uid:8][s(at) width(5) desc years(2000,2200)]`},
		{notation: `[uid:8 below(1000)][c=uid]`, rule: "wide-number", try: `[uid:2 below(1000)][c=uid]`},
		{notation: `[x:f8][y:f8]`, rule: "question-full-scan", try: `A second table for this question: [y:f8][x:f8]`,
			questions: []advice.Question{{Name: "a", Conds: []rowkey.Cond{rowkey.Eq("x", 1.0)}}, {Name: "b", Conds: []rowkey.Cond{rowkey.Eq("y", 1.0)}}}},
		{notation: `[x lenprefix(1)][y lenprefix(1)]`, rule: "question-full-scan", try: `A second table for this question: [y lenprefix(1)][x lenprefix(1)]`, // 32 ranges for 1, and a is refused for b
			questions: []advice.Question{{Name: "a", Conds: []rowkey.Cond{rowkey.Prefix("x", "v")}}, {Name: "b", Conds: []rowkey.Cond{rowkey.Eq("y", "v")}}}},
		{notation: `[x pad(2,'a') loose]`, rule: "pad-unordered", try: `Fill with blanks or 00 on the right`, // Loose keeps it unordered
			questions: []advice.Question{{Name: "a", Conds: []rowkey.Cond{rowkey.LessThan("x", "_")}}}},
	} {
		d := advice.Design{Schema: rowkey.Must(rowkey.Parse("t", c.notation)), Questions: c.questions}
		said := false
		for _, f := range advice.Check(d) {
			if f.Rule == c.rule && strings.HasPrefix(f.Try, c.try) {
				said = true
				assert.True(t, strings.HasPrefix(f.Try, "[") || f.Try != f.TryIn("zh"), f.Try)
			}
		}
		assert.True(t, said, "%s: %s", c.notation, advice.Check(d))
	}
	for _, r := range advice.Rules() {
		assert.False(t, strings.HasPrefix(r.Mend, "["), "%s: words that begin as a layout does are taken for one", r.Name)
	}
}

// A layout to try keeps the fields that questions name, also of a question that reads the whole
// table now: without the field it could not be asked at all.
func TestMendsLoseNoQuestion(t *testing.T) {
	for notation, field := range map[string]string{
		`[uid:8][rand:4]`:             "rand",
		`[uid:8][status:1 below(5)]`:  "status",
		`[host]['\x00'][id:8][rnd:4]`: "rnd",
	} {
		d := advice.Design{Schema: rowkey.Must(rowkey.Parse("t", notation)), Questions: []advice.Question{{Name: "q", Conds: []rowkey.Cond{rowkey.Eq(field, uint64(1))}}}}
		found := advice.Check(d)
		require.NotEmpty(t, found, notation)
		for _, f := range found {
			s, err := rowkey.Parse("try", f.Try)
			if err != nil {
				continue // in words
			}
			_, err = s.Scan(append(d.Questions[0].Conds, rowkey.FullScan())...)
			require.NoError(t, err, "%s: %v", notation, f)
		}
	}
}

// A key of many fields is answered soon, too: not every field is tried in every place.
func TestManyFields(t *testing.T) {
	text := ""
	for i := range 64 { // minutes, if it were tried
		text += fmt.Sprintf("[f%d:4]", i)
	}
	d := advice.Design{Schema: rowkey.Must(rowkey.Parse("t", text)), Questions: []advice.Question{{Name: "q", Conds: []rowkey.Cond{rowkey.Eq("f20", 1)}}}}
	found := advice.Check(d)
	require.Equal(t, "question-full-scan", found[0].Rule)
	assert.True(t, strings.HasPrefix(found[0].Try, "[f20:4][f0:4]"), found[0].Try)
}

// A question that no row can satisfy reads nothing, whatever the layout: that it is answered
// says nothing, and so it is told.
func TestQuestionWithoutRows(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", `[uid:8][n:1]`))
	for want, conds := range map[string][]rowkey.Cond{
		"question-empty":     {rowkey.Eq("n", 300)},
		"question-full-scan": {rowkey.Eq("n", 3)},
	} {
		found := advice.Check(advice.Design{Schema: s, Questions: []advice.Question{{Name: "q", Conds: conds}}})
		require.Len(t, found, 1)
		assert.Equal(t, want, found[0].Rule)
	}
}
