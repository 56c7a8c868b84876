// Package simulate shows what a layout of row keys does to its table before a row
// is written: which regions and servers take the writes over time, what a question
// reads, what the keys cost.
//
// Rows go in by the order in which they arrive, under one design or several at once;
// a Report comes out, which Text, HTML and SVG draw. Memory stays the same whatever
// the number of rows: what is counted exactly is counts, the rest is samples and
// sketches whose errors are bounded.
//
//	sim, err := simulate.New([]simulate.Design{{Name: "time", Schema: byTime}}, nil, simulate.Options{})
//	b := sim.Batch()
//	for _, o := range orders {
//		b.Row(o.At)
//		key, err := byTime.Key().Time(o.At).Uint(o.Number).Bytes()
//		b.Key(0, key, err, simulate.Number(o.Number))
//	}
//	err = sim.Add(ctx, b)
//	fmt.Print(simulate.Text(sim.Report()))
package simulate
