// Package codes has the shapes of otel/codes.
package codes

// Code is the status of a span.
type Code uint32

// Error is the status of what failed.
const Error Code = 1
