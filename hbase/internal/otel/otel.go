// Package otel has, in the packages below it, the shapes of go.opentelemetry.io/otel
// that the Watcher in docs/hbase.md calls, as version 1.43.0 declares them, so that it is
// compiled and run by the tests; OpenTelemetry itself is no dependency.
package otel
