// Package said reads what people write: the values of fields, times, conditions, and keys in the
// forms in which logs and shells print them. The command and the playground share it, so that both
// take the same words and give the same errors.
package said
