// Package walk reads keys: one op for each component of a schema, in key order, and one step for
// each stored field. Decode, Read, Rekey and Match of a whole key walk the ops; a Reader goes from
// step to step.
//
// An op is what Build decided, as plain data: where the form of a component ends, and how its
// value is read. Take reads one value, and scan all of them; then the salts, hashes and copies
// are compared with the values. A step has its op, the constants up to the next field, and for
// usual fields a lane: data to read the field without a call.
//
// It accepts bytes only if package layout does, with the same places and values. What it does not
// accept, it leaves to package layout: a key with a fault, whose error is made there, a null, and a
// schema with Loose fields. A component with an option that has no plain data here is read by its
// own code there.
//
// Example: of [salt16(user)][user]['_'][order:8] the ops are to pass over one byte, to take a
// text up to 5f, to compare 5f, to take a number of 8 bytes.
package walk
