// Package designs tells, as examples that run, the row-key designs that are
// taught for HBase and Lindorm: orders, risk profiles, telemetry, logs, chat,
// sensors, day tables, web pages, events.
//
// Each example names its design in plain words and by number, then the trap
// that the usual telling of it has, and how the declaration keeps out of it.
// laws/designs_test.go in the module counts the same designs by the
// same numbers and holds their bytes.
//
//	 1 orders by seller            13 the same, newest first
//	 2 orders by buyer             14 logs bucketed by time
//	 3 orders by number            15 chat, salted by the sender
//	 4 the three written together  16 chat by pair
//	 5 risk profile by uid         17 sensors of devices
//	 6 risk profile by id card     18 a user's days
//	 7 risk profile by phone       19 transactions of a day
//	 8 vehicle telemetry           20 statistics of a day
//	 9 newest operations           21 a general table with loaders
//	10 operations of a span        22 a span over several day tables
//	11 phone index                 23 web pages by reversed host
//	12 logs by host and event      24 events written round robin
//
// A design asks for a key, for the rows of a prefix, or by conditions on its
// fields, with Scan; rows of several buckets are merged. scenarios_test.go has
// worked cases with their bytes, facts_test.go what is often told wrong. Nothing
// needs a server: toy_test.go is a table in one sorted slice. What the keys of a
// design cost in cells and blocks, rowkey check counts (cmd/rowkey).
package designs
