package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const orderQuestionsAsked = 6

// askedOrders is the orders, their tables and the questions about them.
func askedOrders(t *testing.T) ([]Order, *ordersStore, []question[Order]) {
	t.Helper()
	orders := makeOrders()
	s, err := indexOrders(orders)
	require.NoError(t, err)
	qs, err := orderQuestions(s, orders)
	require.NoError(t, err)
	require.Len(t, qs, orderQuestionsAsked)
	return orders, s, qs
}

// What is told of the orders holds: they are those of seven days, numbered in the order
// of time; s-42 and s-421 are both there, and orders of one millisecond are too.
func TestMakeOrders(t *testing.T) {
	orders := makeOrders()
	assert.Equal(t, orders, makeOrders())
	sellers := map[string]bool{}
	for i, o := range orders {
		sellers[o.Seller] = true
		if i > 0 {
			assert.False(t, o.At.Before(orders[i-1].At))
			assert.Equal(t, orders[i-1].Number+1, o.Number)
		}
	}
	assert.Equal(t, "2023-05-11", orders[0].At.In(beijing).Format(time.DateOnly))
	assert.Equal(t, "2023-05-17", orders[len(orders)-1].At.In(beijing).Format(time.DateOnly))
	assert.True(t, sellers[askedSeller])
	assert.True(t, sellers["s-421"])

	// A schema without the number has as many rows as there are moments of a seller.
	short := rowkey.Must(rowkey.Parse("short", "[salt16(seller)][seller]['\\x00'][max-ms(at)]"))
	rows := map[string]bool{}
	for _, o := range orders {
		key, err := short.Key().String(o.Seller).Time(o.At).Bytes()
		require.NoError(t, err)
		rows[string(key)] = true
	}
	assert.Len(t, moments(orders), len(rows))
	assert.Less(t, len(rows), len(orders))
	i := sameMoment(orders)
	assert.Equal(t, orders[i].At, orders[i+1].At)
	assert.Equal(t, orders[i].Seller, orders[i+1].Seller)
}

// All tables hold every order, and each key gives its order back.
func TestTablesHoldEveryOrder(t *testing.T) {
	orders, s, _ := askedOrders(t)
	holdAll(t, orders, newestFirst, s.bySeller, s.byBuyer, s.newest)
}

// A row that is not there, or one too many, fails each question that it belongs to.
func TestCheckSeesWrongOrders(t *testing.T) {
	orders, s, qs := askedOrders(t)
	for i := range qs {
		q := &qs[i]
		require.NoError(t, answered(q, orders))
		lost := q.filter(orders)[0]
		fewer := slices.DeleteFunc(slices.Clone(orders), func(o Order) bool { return o == lost })
		assert.ErrorIs(t, answered(q, fewer), errDiffers, q.asks)

		key, err := q.table.codec.Append(nil, &lost)
		require.NoError(t, err)
		_, was := q.table.rows.Delete(key)
		require.True(t, was)
		assert.ErrorIs(t, answered(q, orders), errDiffers, q.asks)
		q.table.put(key)
		require.NoError(t, answered(q, orders))
	}
	for _, q := range qs { // a row too many is read
		if !q.get && q.page == 0 && q.first == 0 && q.spare == 0 {
			q.plan = planOf(t, q.table.schema, rowkey.FullScan())
			assert.ErrorIs(t, answered(&q, orders), errDiffers, q.asks)
		}
	}
	assert.Len(t, s.tables(), 3)
}

// A day in another zone is another question.
func TestADayOfUTC(t *testing.T) {
	orders, s, qs := askedOrders(t)
	i := slices.IndexFunc(qs, func(q question[Order]) bool { return q.then != "" })
	q := qs[i]
	day := time.Date(2023, 5, 16, 0, 0, 0, 0, time.UTC)
	plan := planOf(t, byBuyer, rowkey.Eq("buyer", askedBuyer), rowkey.Span("at", day, day.AddDate(0, 0, 1)))
	utc := question[Order]{asks: "in UTC", table: s.byBuyer, plan: plan}
	found, err := utc.read(t.Context())
	require.NoError(t, err)
	wanted := q.filter(orders)
	lost := slices.DeleteFunc(slices.Clone(wanted), func(o Order) bool { return slices.Contains(found.rows, o) })
	others := slices.DeleteFunc(slices.Clone(found.rows), func(o Order) bool { return slices.Contains(wanted, o) })
	require.NotEmpty(t, lost)
	require.Len(t, others, 1)
	assert.Contains(t, q.then, "lost 3 of these rows, and found 1 other.")
	assert.Len(t, lost, 3)
	q.plan = plan
	assert.ErrorIs(t, answered(&q, orders), errDiffers)
}

// Without a salt all writes hit one region; with one, every region takes some.
func TestHotSpots(t *testing.T) {
	orders, s, _ := askedOrders(t)
	wanted := len(slices.DeleteFunc(slices.Clone(orders), func(o Order) bool { return !ofMay16(o) }))
	hot, err := unsaltedRegions(orders)
	require.NoError(t, err)
	assert.Equal(t, wanted, hot[0])
	assert.Equal(t, buckets-1, idle(hot))
	assert.Equal(t, float64(buckets), share(hot))

	splits, err := newest.Splits(buckets)
	require.NoError(t, err)
	for _, table := range []tableOf[Order]{s.newest, s.bySeller} {
		rows, err := regionsOfDay(t.Context(), table, splits)
		require.NoError(t, err)
		assert.Equal(t, wanted, sum(rows), table.name)
		assert.Zero(t, idle(rows), table.name)
	}
}

// An index in another order than its question's fails the program: oldest first.
func TestWrongOrdersLayoutFailsTheProgram(t *testing.T) {
	rightNewest, rightKeys := newest, newestKeys
	t.Cleanup(func() { newest, newestKeys = rightNewest, rightKeys })
	newest = rowkey.New("newest").
		Salt(buckets, "order").
		Time("at", rowkey.Millis).
		Uint("order", 8).
		String("seller").Separator("\x00").
		String("buyer").
		MustBuild()
	newestKeys = rowkey.Must(rowkey.Bind[Order](newest))

	out, stderr, code := runArgs()
	assert.Equal(t, 1, code)
	assert.Equal(t, 3, strings.Count(out, "✓"), "the questions in front are still answered")
	assert.Contains(t, stderr, "quickstart: The same by an index table: the rows found are not those that a plain filter over the records finds")
}
